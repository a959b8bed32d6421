/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/git_text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"

static unsigned count_lines(const char *text)
{
    unsigned count = 0;

    for (const char *at = text; at != NULL && (at = strchr(at, '\n')) != NULL; at++)
        count++;
    return count;
}

static char *counted_few(enum git_loss_kind kind, unsigned count)
{
    switch (kind) {
    case GIT_LOSES_FILES:
        return xasprintf(P_("%u file or directory", "%u files or directories", count), count);
    case GIT_LOSES_CHANGES:
        return xasprintf(P_("changes in %u file", "changes in %u files", count), count);
    case GIT_LOSES_STASHES:
        return xasprintf(P_("%u stash", "%u stashes", count), count);
    case GIT_LOSES_UNTRACKED:
        return xasprintf(P_("%u not in git", "%u not in git", count), count);
    case GIT_LOSES_SUBMODULES:
        return xasprintf(
            P_("%u submodule with what is in it", "%u submodules with what is in them", count),
            count);
    case GIT_LOSES_TRACKED:
        return xasprintf(
            P_("%u file that git can bring back", "%u files that git can bring back", count),
            count);
    case GIT_LOSES_UNWATCHED:
    case GIT_LOSES_UNLOOKED:
        return xasprintf(P_("perhaps in %u file that git does not look at",
                            "perhaps in %u files that git does not look at", count),
                         count);
    case GIT_LOSES_COMMITS:
    case GIT_CHANGES_RULES:
    case GIT_UNWATCHED_RULES:
    case GIT_KNOWS_EACH:
        break;
    }
    return xasprintf(P_("%u commit", "%u commits", count), count);
}

/* Of more lines than are told there is one more. */
static char *counted(enum git_loss_kind kind, unsigned count)
{
    cleanup_free char *most = counted_few(kind, GIT_SEEN_LINES);

    return count > GIT_SEEN_LINES ? xasprintf(_("more than %s"), most) : counted_few(kind, count);
}

static char *untold(const char *why)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;

    if (why == NULL)
        return xstrdup(_("not known here: git took too long"));
    if (*why == '\0')
        return xstrdup(_("not known here"));
    text_escape(&safe, why, strlen(why), TEXT_PLAIN_AGENT | TEXT_PROSE);
    return xasprintf(_("not known here; git says: %s"), strbuf_str(&safe));
}

static char *unseen(const struct push_seen *seen)
{
    return seen->never   ? xstrdup(_("not known here: nothing was ever fetched from there"))
           : seen->fresh ? xstrdup(_("not known here: it was never fetched from there"))
                         : untold(seen->why);
}

/* What one deletes is looked for on the branches here. */
static char *nothing(const struct push_seen *seen, bool lost, bool deletes)
{
    if (deletes)
        return xstrdup(_("nothing: its commits are on branches here, as last fetched"));
    if (lost)
        return xstrdup(_("no commit, as last fetched"));
    return xstrdup(seen->fresh ? _("a new name there; its commits are there already")
                               : _("no new commit, as last fetched"));
}

/* How many they are; what is lost can be more by now, when others have pushed since. */
static char *heading(const struct push_seen *seen, bool lost)
{
    const char *lines = lost ? seen->lost : seen->sent;
    unsigned count = lines != NULL ? count_lines(lines) : 0;
    cleanup_free char *number = counted(GIT_LOSES_COMMITS, count);

    if (lost && seen->never)
        return unseen(seen);
    if (count == 0)
        return nothing(seen, lost, lost && seen->sent == NULL);
    if (lost)
        return xasprintf(_("%s as last fetched"), number);
    if (seen->never)
        return xasprintf(_("at most %s"), number);
    return seen->fresh ? xasprintf(_("new there, %s"), number) : steal_pointer(&number);
}

static void add_lines(struct strbuf *row, const char *lines, unsigned most)
{
    const char *separator = ": ";

    for (const char *end; (end = strchr(lines, '\n')) != NULL; lines = end + 1) {
        if (most-- == 0) {
            strbuf_addstr(row, "; \u2026");
            return;
        }
        strbuf_addstr(row, separator);
        text_escape(row, lines, (size_t)(end - lines), TEXT_PLAIN_AGENT | TEXT_PROSE);
        separator = "; ";
    }
}

/* "2 commits as last fetched: 1a2b3c4 Mend the parser; 5d6e7f8 Add a test" */
static char *in_one_row(const struct push_seen *seen, bool lost)
{
    struct strbuf row = STRBUF_INIT;
    cleanup_free char *begin = heading(seen, lost);

    strbuf_addstr(&row, begin);
    if ((lost ? seen->lost : seen->sent) != NULL)
        add_lines(&row, lost ? seen->lost : seen->sent, UINT_MAX);
    return strbuf_steal(&row);
}

static bool may_lose(const struct call *call)
{
    return call->pushes.lost != NULL || (call->pushes.there == NULL && call->reach == NULL &&
                                         assessment_remote_loss(&call->assessment) != NULL);
}

static char *push_row(const struct push_seen *seen, bool lost)
{
    switch (seen->look) {
    case GIT_LOOKING:
        return xstrdup(_("git is being asked …"));
    case GIT_SEEN:
        return in_one_row(seen, lost);
    case GIT_UNSEEN:
        return unseen(seen);
    case GIT_NOT_LOOKED:
        break;
    }
    return NULL;
}

char *git_text_lost_row(const struct call *call)
{
    char *row = may_lose(call) ? push_row(&call->seen, true) : NULL;

    if (row != NULL || !may_lose(call))
        return row;
    return call->pushes.unknown == NULL
               ? xstrdup(_("not known here"))
               : xasprintf(_("not known here: %s"), _(call->pushes.unknown));
}

/* That nothing is known is said once. */
char *git_text_sent_row(const struct call *call)
{
    const struct push_commits *pushes = &call->pushes;

    if (pushes->sent != NULL)
        return push_row(&call->seen, false);
    return pushes->there == NULL && pushes->unknown != NULL && call->reach == NULL &&
                   !may_lose(call)
               ? xasprintf(_("not known here: %s"), _(pushes->unknown))
               : NULL;
}

bool git_text_was_told(const struct call *call)
{
    return (call->pushes.there != NULL ? call->seen.look : call->losses.look) == GIT_SEEN;
}

static void add_seen(struct document *document, const char *title, const struct push_seen *seen,
                     bool lost)
{
    const char *lines = lost ? seen->lost : seen->sent;
    cleanup_free char *begin = heading(seen, lost);
    cleanup_free char *text =
        lines != NULL && *lines != '\0' ? xasprintf("%s:\n%s", begin, lines) : NULL;

    document_add_foreign(document, title, DOCUMENT_QUOTED, THEME_OVERLAY_TEXT,
                         text != NULL ? text : begin);
}

/* As it is run by who wants to see them. */
static char *log_of(const struct push_commits *pushes, const char *range)
{
    struct strbuf text = STRBUF_INIT;

    strbuf_addstr(&text, "git ");
    if (pushes->directory != NULL) {
        text_quote_argv(&text, (const char *const[]){"-C", pushes->directory, NULL});
        strbuf_addch(&text, ' ');
    }
    strbuf_addstr(&text, "--no-pager log --oneline ");
    text_quote_argv(&text, (const char *const[]){range, NULL});
    return strbuf_steal(&text);
}

static void add_commands(struct document *document, const struct call *call)
{
    const struct push_commits *pushes = &call->pushes;
    cleanup_free char *sent = pushes->sent != NULL ? log_of(pushes, pushes->sent) : NULL;
    cleanup_free char *lost = pushes->lost != NULL ? log_of(pushes, pushes->lost) : NULL;
    cleanup_free char *why = call->seen.look == GIT_UNSEEN ? unseen(&call->seen) : NULL;
    struct strbuf text = STRBUF_INIT;

    if (why != NULL)
        strbuf_addf(&text, "%s\n", why);
    strbuf_addstr(&text, _("put this aside and run, in its directory (as last fetched):"));
    if (lost != NULL)
        strbuf_addf(&text, _("\nlost there: %s"), lost);
    if (sent != NULL)
        strbuf_addf(&text, _("\nsent: %s"), sent);
    document_add_foreign(document, _("Its commits"), DOCUMENT_QUOTED, THEME_OVERLAY_TEXT,
                         strbuf_str(&text));
    strbuf_free(&text);
}

void git_text_push_add(struct document *document, const struct call *call)
{
    if (call->pushes.there == NULL)
        return;
    if (call->seen.look != GIT_SEEN) {
        add_commands(document, call);
        return;
    }
    if (call->pushes.lost != NULL)
        add_seen(document, _("Lost there"), &call->seen, true);
    if (call->pushes.sent != NULL)
        add_seen(document, _("Sends"), &call->seen, false);
}

/* ---- what throws work away ------------------------------------------------------------------- */

static char *unknown(const struct git_losses *losses)
{
    return losses->rules ? xstrdup(_("not known here: what git ignores is changed before that"))
                         : untold(losses->why);
}

/* A branch that goes does not take what others have. What comes behind could be anything. */
static const char *none(const struct git_losses *losses)
{
    bool commits = losses->count == 1 && losses->list[0].kind == GIT_LOSES_COMMITS;

    return losses->outside != NULL ? _("no loss seen")
           : losses->more          ? _("nothing at first; the rest of the line is not looked at")
           : commits               ? _("no commit that is only there, as last fetched")
                                   : _("nothing, when git was asked");
}

/* Of files that are not looked at, in a row that has what is lost behind them. */
#define OUTSIDE_COLUMNS ((size_t)24)

/* Of one that is long the end is kept, which tells more; the caller frees. */
static char *outside_names(const char *outside, bool whole)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;

    text_escape(&safe, outside, strlen(outside), TEXT_PLAIN_AGENT | TEXT_PROSE);
    return whole ? strbuf_steal(&safe)
                 : text_path_ends(strbuf_str(&safe), safe.length, OUTSIDE_COLUMNS);
}

/* What is not looked at stands in front of a list, whose end is cut. `whole`: there is room. */
static char *limited(const struct git_losses *losses, const char *text, bool whole)
{
    if (losses->outside == NULL)
        return xstrdup(text);
    cleanup_free char *names = outside_names(losses->outside, whole);
    return xasprintf(_("not looked at: %s; rest: %s"), names, text);
}

static char *bytes_words(unsigned long long bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    double count = (double)bytes / 1000;
    size_t unit = 0;

    if (bytes < 10000)
        return xasprintf(P_("%llu byte", "%llu bytes", bytes), bytes);
    for (; count >= 1000 && unit + 1 < COUNT(units); unit++)
        count /= 1000;
    return xasprintf(count < 10 ? "%.1f %s" : "%.0f %s", count, units[unit]);
}

/* " +51 -3": lines of a file that has changes. */
static char *lines_words(unsigned long long added, unsigned long long removed)
{
    cleanup_free char *more = added > 0 ? xasprintf(" +%llu", added) : xstrdup("");
    cleanup_free char *less = removed > 0 ? xasprintf(" -%llu", removed) : xstrdup("");

    return xasprintf("%s%s", more, less);
}

/* What stands behind a name: `size` is its line of git_loss.sizes, without the end. */
static char *size_words(enum git_loss_kind kind, const char *size)
{
    char *end;
    unsigned long long first = strtoull(size, &end, 10);
    bool both = *end == '\t';
    unsigned long long second = both ? strtoull(end + 1, NULL, 10) : 0;

    if (*size == '\0')
        return xstrdup("");
    if (kind == GIT_LOSES_CHANGES)
        return lines_words(first, second);
    if (*size == '+')
        return xstrdup(_(" (many files)"));
    if (first == 0)
        return xstrdup(_(" (empty)"));
    cleanup_free char *bytes = bytes_words(both ? second : first);
    cleanup_free char *files = both ? xasprintf(P_("%llu file", "%llu files", first), first) : NULL;
    return files != NULL ? xasprintf(" (%s, %s)", files, bytes) : xasprintf(" (%s)", bytes);
}

static bool has_line(const char *lines, const char *line, size_t length)
{
    for (const char *end; lines != NULL && (end = strchr(lines, '\n')) != NULL; lines = end + 1)
        if ((size_t)(end - lines) == length && memcmp(lines, line, length) == 0)
            return true;
    return false;
}

/* Of files that git has and that have changes: what is lost of them is told with the changes. */
static const char *told_elsewhere(const struct git_losses *losses, const struct git_loss *loss)
{
    for (size_t i = 0; i < losses->count && loss->kind == GIT_LOSES_TRACKED; i++)
        if (losses->list[i].kind == GIT_LOSES_CHANGES)
            return losses->list[i].seen;
    return NULL;
}

/* A line for each, with what stands behind its name. Untrusted; the caller frees. */
static char *sized_lines(const struct git_losses *losses, const struct git_loss *loss)
{
    const char *elsewhere = told_elsewhere(losses, loss);
    const char *size = loss->sizes != NULL ? loss->sizes : "";
    struct strbuf out = STRBUF_INIT;

    for (const char *line = loss->seen, *end; line != NULL && (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        cleanup_free char *this_size = xstrndup(size, strcspn(size, "\n"));
        cleanup_free char *words = size_words(loss->kind, this_size);

        size += strcspn(size, "\n");
        size += *size == '\n';
        if (!has_line(elsewhere, line, (size_t)(end - line)))
            strbuf_addf(&out, "%.*s%s\n", (int)(end - line), line, words);
    }
    return strbuf_steal(&out);
}

/* A row is cut at its end: what is lost of each kind comes before more names of the first. */
#define NAMES_OF_SEVERAL 2

static unsigned kinds_lost(const struct git_losses *losses)
{
    unsigned kinds = 0;

    for (size_t i = 0; i < losses->count; i++)
        kinds += losses->list[i].seen != NULL && *losses->list[i].seen != '\0';
    return kinds;
}

/* "changes in 1 file: main.c +3 · 2 files or directories: build/ (2 files, 73 bytes); notes.txt" */
static char *taken(const struct git_losses *losses)
{
    unsigned kinds = kinds_lost(losses);
    struct strbuf row = STRBUF_INIT;

    for (size_t i = 0; i < losses->count; i++) {
        const struct git_loss *loss = &losses->list[i];
        cleanup_free char *lines = sized_lines(losses, loss);
        unsigned count = count_lines(lines);
        cleanup_free char *number = counted(loss->kind, count);

        if (count == 0)
            continue;
        strbuf_addf(&row, "%s%s", row.length > 0 ? " · " : "", number);
        add_lines(&row, lines, kinds > 1 ? NAMES_OF_SEVERAL : UINT_MAX);
    }
    if (row.length == 0)
        return limited(losses, none(losses), false);
    cleanup_free char *text = strbuf_steal(&row);
    cleanup_free char *least = losses->more   ? xasprintf(_("at least %s"), text)
                               : losses->most ? xasprintf(_("at most %s"), text)
                                              : NULL;
    return limited(losses, least != NULL ? least : text, false);
}

static char *commands_row(const char *commands)
{
    struct strbuf row = STRBUF_INIT;

    for (const char *line = commands; *line != '\0'; line += strcspn(line, "\n")) {
        line += *line == '\n';
        strbuf_addstr(&row, line > commands ? "; " : "");
        text_escape(&row, line, strcspn(line, "\n"), TEXT_PLAIN_AGENT | TEXT_PROSE);
    }
    return strbuf_steal(&row);
}

char *git_text_losses_row(const struct call *call, const char **label)
{
    const struct git_losses *losses = &call->losses;

    *label = _("Would take");
    if (losses->count == 0)
        return losses->unknown != NULL ? xasprintf(_("not known here: %s"), _(losses->unknown))
                                       : NULL;
    switch (losses->look) {
    case GIT_LOOKING:
        return xstrdup(_("git is being asked …"));
    case GIT_SEEN:
        return taken(losses);
    case GIT_UNSEEN:
        if (losses->rules || losses->why == NULL || *losses->why != '\0')
            return unknown(losses);
        break;
    case GIT_NOT_LOOKED:
        break;
    }
    *label = _("See first");
    return commands_row(losses->commands);
}

static void add_taken(struct document *document, const struct git_losses *losses)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < losses->count; i++) {
        const struct git_loss *loss = &losses->list[i];
        cleanup_free char *lines = sized_lines(losses, loss);
        unsigned count = count_lines(lines);
        cleanup_free char *number = counted(loss->kind, count);

        if (count > 0)
            strbuf_addf(&text, "%s:\n%s", number, lines);
    }
    if (text.length > 0 && losses->more)
        strbuf_addstr(&text, _("at least that; the rest of the line is not looked at"));
    cleanup_free char *all =
        limited(losses, text.length > 0 ? strbuf_str(&text) : none(losses), true);
    document_add_foreign(document, _("Would take"), DOCUMENT_QUOTED, THEME_OVERLAY_TEXT, all);
}

void git_text_losses_add(struct document *document, const struct call *call)
{
    const struct git_losses *losses = &call->losses;
    cleanup_free char *why = losses->look == GIT_UNSEEN ? unknown(losses) : NULL;
    cleanup_free char *text = NULL;

    if (losses->count == 0)
        return;
    if (losses->look == GIT_SEEN)
        add_taken(document, losses);
    text = xasprintf("%s%s%s\n%s", why != NULL ? why : "", why != NULL ? "\n" : "",
                     _("put this aside and run, in its directory:"), losses->commands);
    document_add_foreign(document, _("See first"), DOCUMENT_QUOTED, THEME_OVERLAY_TEXT, text);
}
