/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/git_losses.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/shell.h"
#include "risk/mask.h"

/* The words of one git command. */
struct words {
    const char *const *argv;
    size_t verb;           /* of which this is its name */
    const char *directory; /* where it runs, NULL: where all do */
    struct strbuf *shown;
    struct git_losses *losses;
};

static const char *const *rest_of(const struct words *words)
{
    return words->argv + words->verb + 1;
}

/* Can it be shown as it is? */
static bool is_open(const struct words *words, const char *const *word)
{
    cleanup_free char *safe = mask_word(words->argv, (size_t)(word - words->argv));
    return strcmp(safe, *word) == 0;
}

/* … and is it a commit's name, which is no option and no more than one? */
static bool is_commit(const struct words *words, const char *const *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_/~^@{}-.";
    const char *name = *word;
    return *name != '-' && *name != '^' && name[strspn(name, plain)] == '\0' &&
           strstr(name, "..") == NULL && is_open(words, word);
}

/* ---- what is told ---------------------------------------------------------------------------- */

/* "git VERB OPERAND…", to be run by the operator, perhaps in a pane of a few rows. */
static void show(const struct words *words, const char *command, const char *const *operands)
{
    strbuf_addstr(words->shown, words->shown->length > 0 ? "\ngit " : "git ");
    if (words->directory != NULL) {
        strbuf_addstr(words->shown, "-C ");
        text_quote_argv(words->shown, (const char *const[]){words->directory, NULL});
        strbuf_addch(words->shown, ' ');
    }
    strbuf_addstr(words->shown, command);
    if (operands != NULL && *operands != NULL) {
        strbuf_addch(words->shown, ' ');
        text_quote_argv(words->shown, operands);
    }
}

static void append(char **argv, size_t *at, const char *const *words)
{
    for (; words != NULL && *words != NULL; words++)
        argv[(*at)++] = xstrdup(*words);
}

/* What git is asked itself. */
static bool ask(const struct words *words, enum git_loss_kind kind, const char *const *command,
                const char *const *operands)
{
    struct git_losses *losses = words->losses;
    size_t length = 3 + strv_length(command) + (operands != NULL ? strv_length(operands) : 0);
    if (losses->count == GIT_LOSSES_MAX)
        return false;
    struct git_loss *loss = &losses->list[losses->count++];
    loss->kind = kind;
    loss->words = xcalloc(length, sizeof *loss->words);
    size_t at = 0;
    if (words->directory != NULL)
        append(loss->words, &at, (const char *const[]){"-C", words->directory, NULL});
    append(loss->words, &at, command);
    append(loss->words, &at, operands);
    return true;
}

static bool of_commits(const struct words *words, const char *range)
{
    cleanup_free char *shown = xasprintf("--no-pager log --oneline %s", range);
    show(words, shown, NULL);
    cleanup_free char *most = xasprintf("-n%d", GIT_SEEN_LINES + 1);
    return ask(words, GIT_LOSES_COMMITS,
               (const char *const[]){"log", "--no-show-signature", "--no-mailmap", "--no-color",
                                     "--no-decorate", "--encoding=UTF-8", "--format=%h %s", most,
                                     range, "--", NULL},
               NULL);
}

/* Of all files where none are named; from the index, or from a commit. */
static bool ask_diff(const struct words *words, const char *commit, const char *const *files)
{
    static const char *const of_index[] = {
        "diff", "--name-only", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-color",
        "--",   NULL};
    static const char *const of_head[] = {"diff",          "--name-only",  "--no-ext-diff",
                                          "--no-textconv", "--no-renames", "--no-color",
                                          "HEAD",          "--",           NULL};
    return ask(words, GIT_LOSES_CHANGES, commit != NULL ? of_head : of_index, files);
}

/* ---- clean ----------------------------------------------------------------------------------- */

static bool is_clean_option(const char *word)
{
    return strcmp(word, "--force") == 0 ||
           (word[1] != '\0' && word[1 + strspn(word + 1, "dfqxX")] == '\0');
}

/* -q hides what -n tells. NULL: nothing else is in it. */
static char *without_quiet(const char *option)
{
    struct strbuf rest = STRBUF_INIT;
    bool cluster = option[1] != '-';
    for (const char *letter = option; *letter != '\0'; letter++)
        if (!cluster || *letter != 'q')
            strbuf_addch(&rest, *letter);
    cleanup_free char *text = strbuf_steal(&rest);
    return strcmp(text, "-") != 0 ? steal_pointer(&text) : NULL;
}

/* How many words it is, with those that go with it; 0: it cannot be said. *kept is what stays of
 * the first. */
static size_t read_clean_word(const struct words *words, const char *const *word, char **kept)
{
    bool excludes = strcmp(*word, "-e") == 0 || strcmp(*word, "--exclude") == 0;
    *kept = NULL;
    if (strcmp(*word, "--quiet") == 0)
        return 1;
    if (excludes && (word[1] == NULL || !is_open(words, word + 1)))
        return 0;
    if (excludes || (**word != '-' && is_open(words, word))) {
        *kept = xstrdup(*word);
        return excludes ? 2 : 1;
    }
    if (**word != '-' || !is_clean_option(*word)) /* -i asks */
        return 0;
    *kept = without_quiet(*word);
    return 1;
}

/* The same with -n, which goes before -f. */
static bool of_clean(const struct words *words)
{
    cleanup_strv char **rest = xcalloc(strv_length(rest_of(words)) + 1, sizeof *rest);
    size_t count = 0, length;
    for (const char *const *word = rest_of(words); *word != NULL; word += length) {
        char *kept;
        length = read_clean_word(words, word, &kept);
        if (length == 0)
            return false;
        if (kept != NULL)
            rest[count++] = kept;
        if (length == 2)
            rest[count++] = xstrdup(word[1]);
    }
    show(words, "clean -n", (const char *const *)rest);
    return ask(words, GIT_LOSES_FILES, (const char *const[]){"clean", "-n", NULL},
               (const char *const *)rest);
}

/* ---- what throws changes away ---------------------------------------------------------------- */

static bool of_all_changes(const struct words *words)
{
    show(words, "status --short", NULL);
    show(words, "--no-pager diff HEAD", NULL);
    return ask_diff(words, "HEAD", NULL);
}

/* Where it goes to another commit, those that are left behind, too. */
static bool of_reset(const struct words *words)
{
    const char *const *rest = rest_of(words);
    size_t count = strv_length(rest);
    if (count == 0 || count > 2 || strcmp(rest[0], "--hard") != 0 ||
        (count == 2 && !is_commit(words, rest + 1)))
        return false;
    if (count == 1 || strcmp(rest[1], "HEAD") == 0)
        return of_all_changes(words);
    cleanup_free char *range = xasprintf("%s..HEAD", rest[1]);
    if (!of_all_changes(words))
        return false;
    return of_commits(words, range);
}

/* Of files alone: what differs from the index, or from the commit where that is written back. */
static bool of_files(const struct words *words, const char *commit, const char *const *files)
{
    for (const char *const *file = files; *file != NULL; file++)
        if (**file == '-' || !is_open(words, file))
            return false;
    if (*files == NULL)
        return false;
    show(words, commit != NULL ? "--no-pager diff HEAD --" : "--no-pager diff --", files);
    return ask_diff(words, commit, files);
}

static bool of_restore(const struct words *words)
{
    return of_files(words, NULL, rest_of(words));
}

/* ---- stashes and branches -------------------------------------------------------------------- */

static bool of_stash(const struct words *words)
{
    static const char *const list[] = {"stash", "list", "--no-color", "--encoding=UTF-8", NULL};
    static const char *const changes[] = {
        "stash",         "show",         "--name-only", "--no-ext-diff",
        "--no-textconv", "--no-renames", "--no-color",  NULL};
    const char *const *rest = rest_of(words);
    size_t count = strv_length(rest);
    if (count == 1 && strcmp(rest[0], "clear") == 0) {
        show(words, "--no-pager stash list", NULL);
        return ask(words, GIT_LOSES_STASHES, list, NULL);
    }
    if (count == 0 || count > 2 || strcmp(rest[0], "drop") != 0 ||
        (count == 2 && !is_commit(words, rest + 1)))
        return false;
    show(words, "--no-pager stash show -p", rest + 1);
    return ask(words, GIT_LOSES_CHANGES, changes, rest + 1);
}

/* What a branch has that the one checked out has not, or the commit that it goes to. */
static bool of_moved(const struct words *words, const char *const *branch)
{
    size_t count = strv_length(branch);
    if (count == 0 || count > 2 || !is_commit(words, branch) ||
        (count == 2 && !is_commit(words, branch + 1)))
        return false;
    cleanup_free char *range = xasprintf("%s..%s", count == 2 ? branch[1] : "HEAD", branch[0]);
    return of_commits(words, range);
}

static bool of_branch(const struct words *words)
{
    static const char *const moves[] = {"-f", "--force"};
    const char *const *rest = rest_of(words);
    if (rest[0] == NULL || (strcmp(rest[0], "-D") == 0 && strv_length(rest) != 2))
        return false;
    return (strcmp(rest[0], "-D") == 0 || IS_IN(rest[0], moves)) && of_moved(words, rest + 1);
}

/* ---- checkout and switch --------------------------------------------------------------------- */

static bool is_forced(const char *word)
{
    static const char *const forces[] = {"-f", "--force", "--discard-changes"};
    return IS_IN(word, forces);
}

static bool makes_anew(const char *word)
{
    static const char *const options[] = {"-B", "-C", "--force-create"};
    return IS_IN(word, options);
}

/* Of the forms that throw changes away, or move a branch. */
static bool of_checkout(const struct words *words)
{
    const char *const *rest = rest_of(words);
    if (rest[0] == NULL)
        return false;
    if (makes_anew(rest[0]))
        return of_moved(words, rest + 1);
    if (strcmp(rest[0], "--") == 0)
        return of_files(words, NULL, rest + 1);
    if (strcmp(rest[0], ".") == 0)
        return of_files(words, NULL, rest);
    if (strcmp(rest[0], "HEAD") == 0 && rest[1] != NULL && strcmp(rest[1], "--") == 0)
        return of_files(words, "HEAD", rest + 2);
    return is_forced(rest[0]) && strv_length(rest) <= 2 && of_all_changes(words);
}

/* ---- a command ------------------------------------------------------------------------------- */

static bool of_command(struct words *words)
{
    static const struct {
        const char *verb;
        bool (*find)(const struct words *words);
    } verbs[] = {{"branch", of_branch},  {"checkout", of_checkout}, {"clean", of_clean},
                 {"reset", of_reset},    {"restore", of_restore},   {"stash", of_stash},
                 {"switch", of_checkout}};
    const char *const *argv = words->argv;
    if (argv[0] == NULL || strcmp(argv[0], "git") != 0 || argv[1] == NULL)
        return false;
    words->verb = 1;
    if (strcmp(argv[1], "-C") == 0 && argv[2] != NULL && words->directory == NULL &&
        is_open(words, argv + 2)) {
        words->directory = argv[2];
        words->verb = 3;
    }
    for (size_t i = 0; argv[words->verb] != NULL && i < COUNT(verbs); i++)
        if (strcmp(argv[words->verb], verbs[i].verb) == 0)
            return verbs[i].find(words);
    return false;
}

/* Of more than one each must be such a one: what others do first is not seen before. */
static bool of_script(const char *text, struct strbuf *shown, struct git_losses *losses)
{
    struct shell_script script;
    shell_parse(text, strlen(text), &script);
    size_t first = script.directory != NULL ? 1 : 0;
    bool good =
        shell_script_within(&script, SHELL_CD | SHELL_NULL_REDIRECT) && script.count > first;
    for (size_t i = first; good && i < script.count; i++) {
        const struct shell_command *command = &script.commands[i];
        struct words words = {.argv = (const char *const *)command->argv,
                              .directory = command->place == SHELL_THERE ? script.directory : NULL,
                              .shown = shown,
                              .losses = losses};
        good = (command->place == SHELL_HERE || words.directory != NULL) && of_command(&words);
    }
    shell_script_clear(&script);
    return good;
}

void git_losses_find(const char *const *argv, struct git_losses *losses)
{
    const char *script = shell_wrapped_script(argv);
    struct strbuf shown = STRBUF_INIT;
    *losses = (struct git_losses){.commands = NULL};
    struct words words = {.argv = argv, .shown = &shown, .losses = losses};
    if (script != NULL ? of_script(script, &shown, losses) : of_command(&words)) {
        losses->commands = strbuf_steal(&shown);
        return;
    }
    strbuf_free(&shown);
    git_losses_clear(losses);
}

void git_losses_clear(struct git_losses *losses)
{
    free(losses->commands);
    for (size_t i = 0; i < GIT_LOSSES_MAX; i++) {
        strv_free(&losses->list[i].words);
        free(losses->list[i].seen);
    }
    free(losses->why);
    *losses = (struct git_losses){.commands = NULL};
}

void git_losses_take(struct git_losses *losses, struct git_losses *told)
{
    free(losses->why);
    losses->look = told->look;
    losses->why = steal_pointer(&told->why);
    for (size_t i = 0; i < losses->count; i++) {
        free(losses->list[i].seen);
        losses->list[i].seen = steal_pointer(&told->list[i].seen);
    }
    git_losses_clear(told);
}

/* ---- what git said --------------------------------------------------------------------------- */

/* Of `git clean` other lines say what it leaves. */
static const char *told(enum git_loss_kind kind, const char *line)
{
    static const char removes[] = "Would remove ";
    if (kind != GIT_LOSES_FILES)
        return line;
    return strncmp(line, removes, strlen(removes)) == 0 ? line + strlen(removes) : NULL;
}

void git_loss_see(struct git_loss *loss, char *lines)
{
    struct strbuf kept = STRBUF_INIT;
    unsigned count = 0;
    for (const char *line = lines, *end;
         count <= GIT_SEEN_LINES && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        const char *from = told(loss->kind, line);
        if (from == NULL)
            continue;
        strbuf_add(&kept, from, (size_t)(end + 1 - from));
        count++;
    }
    free(lines);
    free(loss->seen);
    loss->seen = strbuf_steal(&kept);
}
