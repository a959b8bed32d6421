/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/git_preview.h"

#include <stdbool.h>
#include <stddef.h>
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
    size_t verb; /* of which this is its name */
    struct strbuf *out;
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

/* "git", or "git -C DIR": where the command itself would run. */
static void begin(const struct words *words)
{
    strbuf_addstr(words->out, words->out->length > 0 ? "\ngit" : "git");
    if (words->verb == 1)
        return;
    strbuf_addstr(words->out, " -C ");
    text_quote_argv(words->out, (const char *const[]){words->argv[2], NULL});
}

static void add(const struct words *words, const char *command)
{
    begin(words);
    strbuf_addf(words->out, " %s", command);
}

static void add_quoted(const struct words *words, const char *command, const char *const *behind)
{
    add(words, command);
    strbuf_addch(words->out, ' ');
    text_quote_argv(words->out, behind);
}

/* -q hides what -n tells. Others ask (-i) or take a word (-e). */
static char *without_quiet(const char *cluster)
{
    struct strbuf rest = STRBUF_INIT;
    for (const char *letter = cluster; *letter != '\0'; letter++)
        if (*letter != 'q')
            strbuf_addch(&rest, *letter);
    return strbuf_steal(&rest);
}

static bool is_clean_option(const char *word)
{
    return strcmp(word, "--force") == 0 ||
           (word[1] != '\0' && word[1 + strspn(word + 1, "dfqxX")] == '\0');
}

/* The same with -n, which goes before -f. */
static bool preview_clean(const struct words *words)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, "clean -n");
    for (const char *const *word = rest_of(words); *word != NULL; word++) {
        bool option = **word == '-';
        if (strcmp(*word, "--quiet") == 0)
            continue;
        if (option ? !is_clean_option(*word) : !is_open(words, word))
            return false;
        cleanup_free char *shown = option ? without_quiet(*word) : xstrdup(*word);
        strbuf_addstr(&text, strcmp(shown, "-") != 0 ? " " : "");
        if (strcmp(shown, "-") != 0)
            text_quote_argv(&text, (const char *const[]){shown, NULL});
    }
    add(words, strbuf_str(&text));
    return true;
}

static void add_changes(const struct words *words)
{
    add(words, "status --short");
    add(words, "diff HEAD");
}

/* Where it goes to another commit, those that are left behind, too. */
static bool preview_reset(const struct words *words)
{
    const char *const *rest = rest_of(words);
    size_t count = strv_length(rest);
    if (count == 0 || count > 2 || strcmp(rest[0], "--hard") != 0 ||
        (count == 2 && !is_commit(words, rest + 1)))
        return false;
    add_changes(words);
    if (count == 2 && strcmp(rest[1], "HEAD") != 0) {
        cleanup_free char *range = xasprintf("log --oneline %s..HEAD", rest[1]);
        add(words, range);
    }
    return true;
}

/* Of files alone: what differs from the index, or from the commit where that is written back. */
static bool preview_files(const struct words *words, const char *diff, const char *const *files)
{
    for (const char *const *file = files; *file != NULL; file++)
        if (**file == '-' || !is_open(words, file))
            return false;
    if (*files == NULL)
        return false;
    add_quoted(words, diff, files);
    return true;
}

static bool is_forced(const char *word)
{
    static const char *const forces[] = {"-f", "--force", "--discard-changes"};
    return IS_IN(word, forces);
}

/* Of the forms that throw changes away. */
static bool preview_checkout(const struct words *words)
{
    const char *const *rest = rest_of(words);
    if (rest[0] == NULL)
        return false;
    if (strcmp(rest[0], "--") == 0)
        return preview_files(words, "diff --", rest + 1);
    if (strcmp(rest[0], ".") == 0)
        return preview_files(words, "diff --", rest);
    if (strcmp(rest[0], "HEAD") == 0 && rest[1] != NULL && strcmp(rest[1], "--") == 0)
        return preview_files(words, "diff HEAD --", rest + 2);
    if (!is_forced(rest[0]) || strv_length(rest) > 2)
        return false;
    add_changes(words);
    return true;
}

static bool preview_restore(const struct words *words)
{
    return preview_files(words, "diff --", rest_of(words));
}

static bool preview_stash(const struct words *words)
{
    const char *const *rest = rest_of(words);
    size_t count = strv_length(rest);
    if (count == 1 && strcmp(rest[0], "clear") == 0)
        add(words, "stash list");
    else if (count == 1 && strcmp(rest[0], "drop") == 0)
        add(words, "stash show -p");
    else if (count == 2 && strcmp(rest[0], "drop") == 0 && is_commit(words, rest + 1))
        add_quoted(words, "stash show -p", rest + 1);
    else
        return false;
    return true;
}

/* What the branch has that the one checked out has not. */
static bool preview_branch(const struct words *words)
{
    const char *const *rest = rest_of(words);
    if (strv_length(rest) != 2 || strcmp(rest[0], "-D") != 0 || !is_commit(words, rest + 1))
        return false;
    cleanup_free char *log = xasprintf("log --oneline HEAD..%s", rest[1]);
    add(words, log);
    return true;
}

static bool preview(const char *const *argv, struct strbuf *out)
{
    static const struct {
        const char *verb;
        bool (*preview)(const struct words *words);
    } verbs[] = {{"branch", preview_branch},   {"checkout", preview_checkout},
                 {"clean", preview_clean},     {"reset", preview_reset},
                 {"restore", preview_restore}, {"stash", preview_stash},
                 {"switch", preview_checkout}};
    struct words words = {.argv = argv, .verb = 1, .out = out};
    if (argv[0] == NULL || strcmp(argv[0], "git") != 0 || argv[1] == NULL)
        return false;
    if (strcmp(argv[1], "-C") == 0 && argv[2] != NULL && is_open(&words, argv + 2))
        words.verb = 3;
    for (size_t i = 0; argv[words.verb] != NULL && i < COUNT(verbs); i++)
        if (strcmp(argv[words.verb], verbs[i].verb) == 0)
            return verbs[i].preview(&words);
    return false;
}

/* Of more than one each must be such a one: what others do first is not seen before. */
static bool preview_script(const char *text, struct strbuf *out)
{
    struct shell_script script;
    shell_parse(text, strlen(text), &script);
    bool good = script.plain && script.count > 0;
    for (size_t i = 0; good && i < script.count; i++)
        good = preview((const char *const *)script.commands[i].argv, out);
    shell_script_clear(&script);
    return good;
}

char *git_preview_commands(const char *const *argv)
{
    const char *script = shell_wrapped_script(argv);
    struct strbuf out = STRBUF_INIT;
    if (script != NULL ? preview_script(script, &out) : preview(argv, &out))
        return strbuf_steal(&out);
    strbuf_free(&out);
    return NULL;
}
