/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/git_losses.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/shell.h"
#include "risk/git_loss_verbs.h"

/* ---- a command ------------------------------------------------------------------------------- */

/* The words without those by which it is quiet, which takes no less: of `argv`, but for the list
 * itself, which the caller frees. */
static const char **aloud(const char *const *argv)
{
    static const char *const quiet[] = {"-q", "--quiet"};
    const char **words = xcalloc(strv_length(argv) + 1, sizeof *words);
    size_t count = 0;
    bool files = false;
    for (; *argv != NULL; argv++) {
        files = files || strcmp(*argv, "--") == 0;
        if (files || !IS_IN(*argv, quiet))
            words[count++] = *argv;
    }
    return words;
}

static bool of_command(struct git_loss_words *words)
{
    const char *const *argv = words->argv;
    if (argv[0] == NULL || strcmp(argv[0], "git") != 0 || argv[1] == NULL)
        return false;
    words->verb = 1;
    if (strcmp(argv[1], "-C") == 0 && argv[2] != NULL && words->directory == NULL &&
        git_loss_is_open(argv[2])) {
        words->directory = argv[2];
        words->verb = 3;
    }
    const char **loud = aloud(argv);
    words->argv = loud;
    bool found = strv_length(loud) > words->verb && git_loss_verbs_find(words);
    words->argv = argv;
    free(loud);
    return found;
}

/* BRANCH of "git switch BRANCH", else NULL: files that have changes stay as they are. A name that
 * is no branch could be one of files for `git checkout`, which would be written over. */
static const char *switched_to(const char *const *argv)
{
    static const char *const usual[] = {"main", "master", "develop", "dev", "trunk"};
    const char **words = aloud(argv);
    bool found = strv_length(words) == 3 && strcmp(words[0], "git") == 0 &&
                 ((strcmp(words[1], "switch") == 0 && git_loss_is_commit(words[2])) ||
                  (strcmp(words[1], "checkout") == 0 && IS_IN(words[2], usual)));
    const char *branch = found ? words[2] : NULL;
    free(words);
    return branch;
}

/* Would it take something, if it stood alone? */
static bool loses_alone(const char *const *argv)
{
    struct strbuf shown = STRBUF_INIT;
    struct git_losses losses = {.commands = NULL};
    struct git_loss_before before = {.moved = false};
    struct git_loss_words words = {
        .argv = argv, .shown = &shown, .losses = &losses, .before = &before};
    bool found = of_command(&words);
    strbuf_free(&shown);
    git_losses_clear(&losses);
    return found;
}

static bool any_loses(const struct shell_script *script)
{
    for (size_t i = 0; script->understood && i < script->count; i++)
        if (loses_alone((const char *const *)script->commands[i].argv))
            return true;
    return false;
}

/* Where one runs: `*directory`, NULL for where the script is started. That CDPATH could lead
 * elsewhere is left aside: commands do not get it, but from somebody's own files for the shell. */
static bool runs_in(const struct shell_script *script, size_t command, const char **directory)
{
    enum shell_place place = script->commands[command].place;
    bool near = shell_script_runs_near(script, command);
    *directory = near ? script->near_directory : place == SHELL_THERE ? script->directory : NULL;
    return near || place == SHELL_HERE || *directory != NULL;
}

/* Of more than one each must be such a one: what others do first is not seen before. */
static bool of_script(const char *text, struct strbuf *shown, struct git_losses *losses)
{
    struct shell_script script;
    struct git_loss_before before = {.moved = false};
    shell_parse(text, strlen(text), &script);
    size_t first = script.directory != NULL || script.near_directory != NULL ? 1 : 0;
    bool good =
        shell_script_within(&script, SHELL_CD | SHELL_NULL_REDIRECT) && script.count > first;
    bool several = script.count > 1;
    for (size_t i = first; good && i < script.count; i++) {
        struct git_loss_words words = {.argv = (const char *const *)script.commands[i].argv,
                                       .shown = shown,
                                       .losses = losses,
                                       .before = &before};
        bool placed = runs_in(&script, i, &words.directory);
        if (i == first && first == 0 && i + 1 < script.count)
            before.switched = switched_to(words.argv);
        if (i != first || before.switched == NULL)
            good = placed && of_command(&words);
    }
    if (!good && several && any_loses(&script))
        losses->unknown = N_("the other commands of the line can change that");
    shell_script_clear(&script);
    return good;
}

void git_losses_find(const char *const *argv, struct git_losses *losses)
{
    const char *script = shell_wrapped_script(argv);
    cleanup_strv char **inner = script != NULL ? shell_plain_words(script) : NULL;
    struct strbuf shown = STRBUF_INIT;
    const char *unknown;
    if (inner != NULL && shell_wrapped_script((const char *const *)inner) != NULL)
        script = shell_wrapped_script((const char *const *)inner);
    *losses = (struct git_losses){.commands = NULL};
    struct git_loss_before before = {.moved = false};
    struct git_loss_words words = {
        .argv = argv, .shown = &shown, .losses = losses, .before = &before};
    if (script != NULL ? of_script(script, &shown, losses) : of_command(&words)) {
        losses->commands = strbuf_steal(&shown);
        return;
    }
    unknown = losses->unknown;
    strbuf_free(&shown);
    git_losses_clear(losses);
    losses->unknown = unknown;
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
    losses->rules = told->rules;
    for (size_t i = 0; i < losses->count; i++) {
        free(losses->list[i].seen);
        losses->list[i].seen = steal_pointer(&told->list[i].seen);
    }
    git_losses_clear(told);
}

/* ---- what git said --------------------------------------------------------------------------- */

static const char removes[] = "Would remove ";

/* "C a": it differs from what would be written; behind "R a" it is not there at all, and behind
 * "H a" it is tracked. Before 2.31 those that are tracked cannot be told from others. */
static bool is_in_the_way(const char *line, const char *before)
{
    bool told = (*before == 'R' || *before == 'H') && strcmp(before + 1, line + 1) == 0;
    return strncmp(line, "C ", 2) == 0 && !told;
}

/* "h a"; those that are not to be in the working tree either ("s a") are left alone. */
static bool is_unwatched(const char *line)
{
    return islower((unsigned char)line[0]) && line[0] != 's' && line[1] == ' ';
}

bool git_loss_keeps(enum git_loss_kind kind, const char *line, const char *before)
{
    switch (kind) {
    case GIT_LOSES_FILES:
        return strncmp(line, removes, strlen(removes)) == 0 || is_in_the_way(line, before);
    case GIT_LOSES_UNWATCHED:
    case GIT_UNWATCHED_RULES:
        return is_unwatched(line);
    case GIT_CHANGES_RULES:
    case GIT_LOSES_CHANGES:
    case GIT_LOSES_COMMITS:
    case GIT_LOSES_STASHES:
        break;
    }
    return true;
}

/* What is lost, in a line that is kept. */
static const char *name_in(enum git_loss_kind kind, const char *line)
{
    if (kind == GIT_LOSES_UNWATCHED || kind == GIT_UNWATCHED_RULES)
        return line + 2;
    if (kind != GIT_LOSES_FILES)
        return line;
    return line + (strncmp(line, removes, strlen(removes)) == 0 ? strlen(removes) : 2);
}

void git_loss_see(struct git_loss *loss, char *lines)
{
    struct strbuf kept = STRBUF_INIT;
    unsigned count = 0;
    for (const char *line = lines, *end;
         count <= GIT_SEEN_LINES && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        const char *from = name_in(loss->kind, line);
        strbuf_add(&kept, from, (size_t)(end + 1 - from));
        count++;
    }
    free(lines);
    free(loss->seen);
    loss->seen = strbuf_steal(&kept);
}
