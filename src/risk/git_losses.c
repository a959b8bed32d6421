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
#include "risk/git_loss_doubt.h"
#include "risk/git_loss_rm.h"
#include "risk/git_loss_verbs.h"

#define EDITS_MAX 5
#define PATTERNS_MAX 8

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

/* Names that a pattern stands for begin as it does: none of them is an option, or a sign to git. */
static bool has_plain_patterns(const char *const *argv)
{
    bool plain = true;
    for (; *argv != NULL; argv++)
        plain = plain && (!git_loss_is_pattern(*argv) ||
                          (strchr("*?[-:", **argv) == NULL && strchr(*argv, '{') == NULL));
    return plain;
}

/* A name that a shell makes of a pattern can be a pattern to git, by which it takes more: each of
 * them is replaced by one for all that begins as they do. These, which the caller frees. */
static char **widen(const char **words)
{
    char **wide = xcalloc(strv_length(words) + 1, sizeof *wide);
    for (size_t count = 0; *words != NULL; words++)
        if (git_loss_is_pattern(*words))
            *words = wide[count++] = xasprintf("%.*s*", (int)strcspn(*words, "*?["), *words);
    return wide;
}

static bool of_git(struct git_loss_words *words)
{
    const char *const *argv = words->argv;
    if (argv[1] == NULL)
        return false;
    words->verb = 1;
    if (strcmp(argv[1], "-C") == 0 && argv[2] != NULL && words->directory == NULL &&
        git_loss_is_open(argv[2])) {
        words->directory = argv[2];
        words->verb = 3;
    }
    bool led = words->verb > 1 && words->glob && git_loss_is_pattern(words->directory);
    if (led || (words->glob && !has_plain_patterns(argv + words->verb)))
        return false;
    const char **loud = aloud(argv);
    char **wide = words->glob ? widen(loud) : NULL;
    words->argv = loud;
    bool found = strv_length(loud) > words->verb && git_loss_verbs_find(words);
    words->argv = argv;
    words->losses->most = words->losses->most || (found && words->glob);
    free(loud);
    strv_free(&wide);
    return found;
}

/* `unlink` takes one file, as `rm` without options does. */
static bool is_rm(const char *const *argv)
{
    return argv[0] != NULL &&
           (strcmp(argv[0], "rm") == 0 || (strcmp(argv[0], "unlink") == 0 && argv[1] != NULL &&
                                           *argv[1] != '-' && argv[2] == NULL));
}

static bool of_command(struct git_loss_words *words)
{
    const char *const *argv = words->argv;
    if (is_rm(argv))
        return git_loss_rm_find(words);
    return argv[0] != NULL && strcmp(argv[0], "git") == 0 && of_git(words);
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
static bool loses_alone(const char *const *argv, const char *cwd)
{
    struct strbuf shown = STRBUF_INIT;
    struct git_losses losses = {.commands = NULL};
    struct git_loss_before before = {.moved = false};
    struct git_loss_words words = {
        .argv = argv, .cwd = cwd, .shown = &shown, .losses = &losses, .before = &before};
    bool found = of_command(&words) || losses.unknown != NULL;
    strbuf_free(&shown);
    git_losses_clear(&losses);
    return found;
}

static const char *const *argv_of(const struct shell_script *script, size_t command)
{
    return (const char *const *)script->commands[command].argv;
}

static bool any_loses(const struct shell_script *script, const char *cwd)
{
    for (size_t i = 0; script->understood && i < script->count; i++)
        if (loses_alone(argv_of(script, i), cwd))
            return true;
    return false;
}

/* An `rm` of which nothing can be told takes something, too. */
static bool is_loss(const struct shell_script *script, size_t command, const char *cwd)
{
    const char *const *argv = argv_of(script, command);
    return is_rm(argv) || loses_alone(argv, cwd);
}

/* From this command on. */
static bool rest_loses(const struct shell_script *script, size_t from, const char *cwd)
{
    for (size_t i = from; i < script->count; i++)
        if (is_loss(script, i, cwd))
            return true;
    return false;
}

/* Does git only read there, so that what comes behind takes the same? Others can lead the shell
 * elsewhere. */
static bool is_look(const struct shell_script *script, size_t command, const char *cwd)
{
    static const char *const verbs[] = {"add", "clean", "diff", "log", "rm", "show", "status"};
    const char *const *argv = argv_of(script, command);
    return argv[0] != NULL && strcmp(argv[0], "git") == 0 && argv[1] != NULL &&
           IS_IN(argv[1], verbs) && git_loss_only_reads(argv, cwd);
}

/* The one that does something else before the last loss from this command on; the caller frees.
 * NULL: there is none, or there are several, of which the one that is named would hide the others.
 */
static char *name_of_other(const struct shell_script *script, size_t from, const char *cwd)
{
    size_t end = script->count, others = 0, other = from;
    while (end > from && !is_loss(script, end - 1, cwd))
        end--;
    for (size_t i = from; i < end; i++)
        if (!is_loss(script, i, cwd) && !is_look(script, i, cwd)) {
            other = i;
            others++;
        }
    return others == 1 ? git_loss_command_name(argv_of(script, other)) : NULL;
}

/* The only one of the line that is a loss; the caller frees. NULL: there are several. */
static char *name_of_loss(const struct shell_script *script, const char *cwd)
{
    size_t losses = 0, loss = 0;
    for (size_t i = 0; i < script->count; i++)
        if (is_loss(script, i, cwd)) {
            loss = i;
            losses++;
        }
    return losses == 1 ? git_loss_command_name(argv_of(script, loss)) : NULL;
}

static bool rest_acts(const struct shell_script *script, size_t from, const char *cwd)
{
    for (size_t i = from; i < script->count; i++)
        if (!git_loss_only_reads(argv_of(script, i), cwd))
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

/* What is asked beyond so many is forgotten. */
static void cut(struct git_losses *losses, size_t count)
{
    while (losses->count > count)
        strv_free(&losses->list[--losses->count].words);
}

/* Of one that is none nothing is left. */
static bool add_command(const struct git_loss_words *line, const struct shell_script *script,
                        size_t command)
{
    cleanup_strbuf struct strbuf shown = STRBUF_INIT;
    struct git_loss_words words = *line;
    size_t count = line->losses->count;
    words.argv = argv_of(script, command);
    words.glob = (script->commands[command].constructs & SHELL_GLOB) != 0;
    words.shown = &shown;
    bool found = runs_in(script, command, &words.directory) && of_command(&words);
    if (found)
        strbuf_addf(line->shown, "%s%s", line->shown->length > 0 ? "\n" : "", strbuf_str(&shown));
    else
        cut(line->losses, count);
    return found;
}

static bool is_bare_pattern(const struct shell_script *script, const char *text)
{
    const char *sign = script->understood ? "" : text + script->offset;
    return *sign != '\0' && strchr("*?[", *sign) != NULL &&
           strcmp(script->reason, "file name pattern") == 0;
}

/* Are all patterns with dots in front words of an `rm` that takes directories? */
static bool are_removed(const struct shell_script *script)
{
    for (size_t i = 0; i < script->count; i++)
        for (const char *const *word = argv_of(script, i); *word != NULL; word++)
            if (strncmp(*word, "./", 2) == 0 && strchr("*?[", (*word)[2]) != NULL &&
                !git_loss_rm_is_deep(argv_of(script, i)))
                return false;
    return true;
}

/* A pattern alone, for `rm -r`, with dots in front, which takes no less: a name that begins with
 * "-" is an option of the first, by which it may ask, or take nothing. The caller frees; NULL: it
 * is none. */
static char *behind_dots(const char *text)
{
    cleanup_free char *dotted = xstrdup(text);
    for (unsigned found = 0; found < PATTERNS_MAX; found++) {
        struct shell_script script;
        shell_parse(dotted, strlen(dotted), &script);
        bool done = script.understood && found > 0 && are_removed(&script);
        bool bare = is_bare_pattern(&script, dotted);
        int at = bare ? (int)script.offset : 0;
        shell_script_clear(&script);
        if (done)
            return steal_pointer(&dotted);
        if (!bare)
            break;
        char *next = xasprintf("%.*s./%s", at, dotted, dotted + at);
        free(dotted);
        dotted = next;
    }
    return NULL;
}

/* What others do first is not seen before. What they do behind is not looked at, but where it is
 * known that they take something, too, there is more to say than that. */
static bool of_script(const char *text, const struct git_loss_words *line)
{
    struct shell_script script;
    struct git_losses *losses = line->losses;
    cleanup_free char *dotted = behind_dots(text);
    text = dotted != NULL ? dotted : text;
    shell_parse(text, strlen(text), &script);
    size_t next = script.directory != NULL || script.near_directory != NULL ? 1 : 0;
    bool within = shell_script_within(&script, SHELL_CD | SHELL_NULL_REDIRECT | SHELL_GLOB);
    if (within && next == 0 && script.count > 1)
        line->before->switched = switched_to(argv_of(&script, 0));
    next += line->before->switched != NULL ? 1 : 0;
    while (within && next < script.count &&
           (is_look(&script, next, line->cwd) || add_command(line, &script, next)))
        next++;
    bool good = within && losses->count > 0 && !rest_loses(&script, next, line->cwd);
    losses->more = good && rest_acts(&script, next, line->cwd);
    good = good && !(losses->more && losses->most);
    if (!good && losses->unknown == NULL && script.count > 1 && any_loses(&script, line->cwd)) {
        losses->unknown = N_("other commands of the line can change that before");
        if (within)
            losses->changes = name_of_other(&script, next, line->cwd);
        if (losses->changes != NULL)
            losses->taker = name_of_loss(&script, line->cwd);
    }
    shell_script_clear(&script);
    return good;
}

void git_losses_find(const char *const *argv, const char *cwd, struct git_losses *losses)
{
    const char *script = shell_wrapped_script(argv);
    cleanup_strv char **inner = script != NULL ? shell_plain_words(script) : NULL;
    struct strbuf shown = STRBUF_INIT;
    const char *unknown;
    char *changes, *taker;
    if (inner != NULL && shell_wrapped_script((const char *const *)inner) != NULL)
        script = shell_wrapped_script((const char *const *)inner);
    *losses = (struct git_losses){.commands = NULL};
    struct git_loss_before before = {.moved = false};
    struct git_loss_words words = {
        .argv = argv, .cwd = cwd, .shown = &shown, .losses = losses, .before = &before};
    if (script != NULL ? of_script(script, &words) : of_command(&words)) {
        losses->commands = strbuf_steal(&shown);
        return;
    }
    unknown = losses->unknown;
    changes = steal_pointer(&losses->changes);
    taker = steal_pointer(&losses->taker);
    strbuf_free(&shown);
    git_losses_clear(losses);
    losses->unknown = unknown;
    losses->changes = changes;
    losses->taker = taker;
}

void git_losses_clear(struct git_losses *losses)
{
    free(losses->commands);
    free(losses->outside);
    free(losses->edited);
    free(losses->changes);
    free(losses->taker);
    free(losses->unasked);
    for (size_t i = 0; i < GIT_LOSSES_MAX; i++) {
        strv_free(&losses->list[i].words);
        free(losses->list[i].seen);
        free(losses->list[i].sizes);
    }
    free(losses->why);
    *losses = (struct git_losses){.commands = NULL};
}

/* The same but for the times of files? */
static bool has_same_numbers(const char *one, const char *other)
{
    while (*one == *other && *one != '\0') {
        bool times = strncmp(one, "\t@", 2) == 0 && strncmp(other, "\t@", 2) == 0;
        one += times ? strcspn(one, "\n") : 1;
        other += times ? strcspn(other, "\n") : 1;
    }
    return *one == *other;
}

/* What took too long to be told is as it was. A file that is written all the time is news a few
 * times: then nobody could allow anything. */
static bool is_same_size(const struct git_losses *losses, const struct git_loss *loss,
                         const struct git_loss *told)
{
    if (loss->sizes == NULL || told->sizes == NULL)
        return told->sizes == NULL;
    return strcmp(loss->sizes, told->sizes) == 0 ||
           (losses->edits >= EDITS_MAX && has_same_numbers(loss->sizes, told->sizes));
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* The only one of the names whose line of these is another; the caller frees. NULL: there are
 * several. */
static char *find_edited(const char *names, const char *sizes, const char *told)
{
    const char *found = NULL;
    for (; *names != '\0'; names = next_line(names)) {
        size_t length = strcspn(sizes, "\n");
        bool same = length == strcspn(told, "\n") && strncmp(sizes, told, length) == 0;
        if (!same && found != NULL)
            return NULL;
        found = same ? found : names;
        sizes = next_line(sizes);
        told = next_line(told);
    }
    return found != NULL ? xstrndup(found, strcspn(found, "\n")) : NULL;
}

/* Of one file that is written again and again the name is kept, of several none. */
static void note_edit(struct git_losses *losses, const struct git_loss *loss,
                      const struct git_loss *told)
{
    bool same = text_same(loss->seen, told->seen) && told->seen != NULL;
    char *name = same ? find_edited(told->seen, loss->sizes, told->sizes) : NULL;
    bool keep = losses->edits == 0 || text_same(losses->edited, name);
    free(losses->edited);
    losses->edited = keep ? steal_pointer(&name) : NULL;
    losses->edits += losses->edits < EDITS_MAX;
    free(name);
}

static void take_loss(struct git_losses *losses, struct git_loss *loss, struct git_loss *told)
{
    if (loss->sizes != NULL && told->sizes != NULL && strcmp(loss->sizes, told->sizes) != 0 &&
        has_same_numbers(loss->sizes, told->sizes))
        note_edit(losses, loss, told);
    free(loss->seen);
    loss->seen = steal_pointer(&told->seen);
    if (told->sizes == NULL)
        return;
    free(loss->sizes);
    loss->sizes = steal_pointer(&told->sizes);
}

void git_losses_take(struct git_losses *losses, struct git_losses *told)
{
    free(losses->why);
    losses->look = told->look;
    losses->why = steal_pointer(&told->why);
    losses->rules = told->rules;
    losses->commit = told->commit;
    for (size_t i = 0; i < losses->count; i++)
        take_loss(losses, &losses->list[i], &told->list[i]);
    git_losses_clear(told);
}

bool git_losses_same(const struct git_losses *losses, const struct git_losses *told)
{
    bool same = losses->look == told->look && losses->rules == told->rules &&
                losses->commit == told->commit && text_same(losses->why, told->why);
    for (size_t i = 0; i < losses->count && same; i++)
        same = text_same(losses->list[i].seen, told->list[i].seen) &&
               is_same_size(losses, &losses->list[i], &told->list[i]);
    return same;
}

/* ---- what git said --------------------------------------------------------------------------- */

static const char removes[] = "Would remove ";

/* "C a": it differs from what would be written; behind "R a" it is not there at all, and behind
 * "H a" it is tracked. "K a": it stands where a directory or a file is tracked. Before 2.31 those
 * that are tracked cannot be told from others. */
static bool is_in_the_way(const char *line, const char *before)
{
    bool told = (*before == 'R' || *before == 'H') && strcmp(before + 1, line + 1) == 0;
    return (strncmp(line, "C ", 2) == 0 && !told) || strncmp(line, "K ", 2) == 0;
}

/* "h a"; those that are not to be in the working tree either ("s a") are left alone. */
static bool is_unwatched(const char *line)
{
    return islower((unsigned char)line[0]) && line[0] != 's' && line[1] == ' ';
}

/* … but not by `rm`. */
static bool is_unlooked(const char *line)
{
    return (islower((unsigned char)line[0]) || line[0] == 'S') && line[1] == ' ';
}

/* "? a", and "K a/" of a directory that stands where git has a file, which is no "?". A file that
 * stands where git has a directory is both: where its name is quoted or cut it is told twice. */
static bool is_untracked(const char *line)
{
    static const char *const ends[] = {"/", "\"", "…"};
    size_t length = strlen(line);
    bool found = line[0] == '?';
    for (size_t i = 0; line[0] == 'K' && i < COUNT(ends); i++)
        found = found ||
                (length > strlen(ends[i]) && strcmp(line + length - strlen(ends[i]), ends[i]) == 0);
    return found && line[1] == ' ';
}

/* ":000000 100644 0000000 587be6b A<tab>a" */
static bool is_tracked(const char *line, bool submodule)
{
    static const char before[] = ":000000 ", link[] = "160000 ";
    return strncmp(line, before, strlen(before)) == 0 && strchr(line, '\t') != NULL &&
           (strncmp(line + strlen(before), link, strlen(link)) == 0) == submodule;
}

bool git_loss_keeps(enum git_loss_kind kind, const char *line, const char *before)
{
    switch (kind) {
    case GIT_LOSES_FILES:
        return strncmp(line, removes, strlen(removes)) == 0 || is_in_the_way(line, before);
    case GIT_LOSES_UNWATCHED:
    case GIT_UNWATCHED_RULES:
        return is_unwatched(line);
    case GIT_LOSES_UNLOOKED:
        return is_unlooked(line);
    case GIT_LOSES_UNTRACKED:
        return is_untracked(line);
    case GIT_LOSES_TRACKED:
    case GIT_LOSES_SUBMODULES:
        return is_tracked(line, kind == GIT_LOSES_SUBMODULES);
    case GIT_KNOWS_EACH:
        return false;
    case GIT_KNOWS_NO_COMMIT:
    case GIT_CHANGES_RULES:
    case GIT_LOSES_CHANGES:
    case GIT_LOSES_COMMITS:
    case GIT_LOSES_STASHES:
        break;
    }
    return true;
}

/* "12\t3\tNAME": "-" of what is no text. What is not written so is a name. */
static const char *behind_counts(const char *line)
{
    const char *at = line;
    for (int i = 0; i < 2; i++) {
        size_t length = strspn(at, "-0123456789");
        if (length == 0 || at[length] != '\t')
            return line;
        at += length + 1;
    }
    return at;
}

/* What is lost, in a line that is kept. */
static const char *name_in(enum git_loss_kind kind, const char *line)
{
    switch (kind) {
    case GIT_LOSES_FILES:
        return line + (strncmp(line, removes, strlen(removes)) == 0 ? strlen(removes) : 2);
    case GIT_LOSES_UNWATCHED:
    case GIT_UNWATCHED_RULES:
    case GIT_LOSES_UNLOOKED:
    case GIT_LOSES_UNTRACKED:
        return line + 2;
    case GIT_LOSES_TRACKED:
    case GIT_LOSES_SUBMODULES:
        return strchr(line, '\t') + 1;
    case GIT_CHANGES_RULES:
    case GIT_LOSES_CHANGES:
        return behind_counts(line);
    case GIT_LOSES_COMMITS:
    case GIT_LOSES_STASHES:
    case GIT_KNOWS_EACH:
    case GIT_KNOWS_NO_COMMIT:
        break;
    }
    return line;
}

void git_loss_see(struct git_loss *loss, char *lines)
{
    struct strbuf kept = STRBUF_INIT, sizes = STRBUF_INIT;
    unsigned count = 0;
    for (const char *line = lines, *end;
         count <= GIT_SEEN_LINES && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        const char *from = name_in(loss->kind, line);
        strbuf_add(&kept, from, (size_t)(end + 1 - from));
        if (loss->kind == GIT_LOSES_CHANGES && isdigit((unsigned char)*line) && from > line)
            strbuf_add(&sizes, line, (size_t)(from - line - 1));
        strbuf_addch(&sizes, '\n');
        count++;
    }
    free(lines);
    free(loss->seen);
    free(loss->sizes);
    loss->seen = strbuf_steal(&kept);
    loss->sizes = strbuf_steal(&sizes);
}
