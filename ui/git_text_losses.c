/* SPDX-License-Identifier: MIT */
/* git_text_losses: what a command that throws work away would take, and how much that is. */
#include "config.h"

#include "ui/git_text_int.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/text.h"

static char *unknown(const struct git_losses *losses)
{
    return losses->rules ? xstrdup(_("not known here: what git ignores is changed before that"))
           : losses->commit
               ? xstrdup(_("not known here: that is the name of a branch or a commit, too"))
               : git_text_untold(losses->why);
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

/* Of files that are not looked at, or edited, in a row that has what is lost behind them. */
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
static char *limited(const struct git_losses *losses, const char *list, bool whole)
{
    cleanup_free char *edited =
        losses->edited != NULL ? outside_names(losses->edited, whole) : NULL;
    cleanup_free char *text =
        edited != NULL      ? xasprintf(_("edited meanwhile: %s; %s"), edited, list)
        : losses->edits > 0 ? xasprintf(_("some of these edited meanwhile; %s"), list)
                            : xstrdup(list);

    if (losses->outside == NULL)
        return steal_pointer(&text);
    cleanup_free char *names = outside_names(losses->outside, whole);
    return xasprintf(_("not looked at: %s; rest: %s"), names, text);
}

static char *bytes_words(unsigned long bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    double count = (double)bytes / 1000;
    size_t unit = 0;

    if (bytes < 10000)
        return xasprintf(P_("%lu byte", "%lu bytes", bytes), bytes);
    for (; count >= 1000 && unit + 1 < COUNT(units); unit++)
        count /= 1000;
    return xasprintf(count < 10 ? "%.1f %s" : "%.0f %s", count, units[unit]);
}

/* " +51 -3": lines of a file that has changes. */
static char *lines_words(unsigned long added, unsigned long removed)
{
    cleanup_free char *more = added > 0 ? xasprintf(" +%lu", added) : xstrdup("");
    cleanup_free char *less = removed > 0 ? xasprintf(" -%lu", removed) : xstrdup("");

    return xasprintf("%s%s", more, less);
}

/* What stands behind a name: `size` is its line of git_loss.sizes, without the end. */
static char *size_words(enum git_loss_kind kind, const char *size)
{
    char *end;
    unsigned long first = strtoul(size, &end, 10);
    bool both = *end == '\t' && end[1] != '@';
    unsigned long second = both ? strtoul(end + 1, NULL, 10) : 0;

    if (*size == '\0')
        return xstrdup("");
    if (kind == GIT_LOSES_CHANGES)
        return lines_words(first, second);
    if (*size == '+')
        return xstrdup(_(" (many files)"));
    if (first == 0)
        return xstrdup(_(" (empty)"));
    cleanup_free char *bytes = bytes_words(both ? second : first);
    cleanup_free char *files = both ? xasprintf(P_("%lu file", "%lu files", first), first) : NULL;
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

/* That there are more is not lost with those that are told elsewhere. */
static unsigned count_told(const struct git_loss *loss, const char *lines)
{
    return git_text_count(loss->seen) > GIT_SEEN_LINES ? GIT_SEEN_LINES + 1 : git_text_count(lines);
}

/* A row is cut at its end: what is lost of each kind comes before more names of the first. */
#define NAMES_OF_SEVERAL 2

static unsigned kinds_lost(const struct git_losses *losses)
{
    unsigned kinds = 0;

    for (size_t i = 0; i < losses->count; i++) {
        cleanup_free char *lines = sized_lines(losses, &losses->list[i]);

        kinds += *lines != '\0';
    }
    return kinds;
}

/* "changes in 1 file: main.c +3 · 2 not in git: build/ (2 files, 73 bytes); notes" */
static char *taken(const struct git_losses *losses)
{
    unsigned kinds = kinds_lost(losses);
    struct strbuf row = STRBUF_INIT;

    for (size_t i = 0; i < losses->count; i++) {
        const struct git_loss *loss = &losses->list[i];
        cleanup_free char *lines = sized_lines(losses, loss);
        unsigned count = count_told(loss, lines);
        cleanup_free char *number = git_text_counted(loss->kind, count);

        if (count == 0)
            continue;
        strbuf_addf(&row, "%s%s", row.length > 0 ? " · " : "", number);
        git_text_add_lines(&row, lines, kinds > 1 ? NAMES_OF_SEVERAL : UINT_MAX);
    }
    if (row.length == 0)
        return limited(losses, none(losses), false);
    cleanup_free char *text = strbuf_steal(&row);
    cleanup_free char *least = losses->more   ? xasprintf(_("at least %s"), text)
                               : losses->most ? xasprintf(_("at most this: %s"), text)
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

/* NULL: nothing of that has to be said. */
static char *not_known(const struct git_losses *losses)
{
    if (losses->unknown == NULL)
        return NULL;
    if (losses->changes != NULL && losses->taker != NULL)
        return xasprintf(_("not known here for %s: %s runs before and can change it"),
                         losses->taker, losses->changes);
    if (losses->changes != NULL)
        return xasprintf(_("not known here: %s runs before it and can change that"),
                         losses->changes);
    if (losses->unasked != NULL)
        return xasprintf(_("not known here: what %s takes is not looked at"), losses->unasked);
    return xasprintf(_("not known here: %s"), _(losses->unknown));
}

char *git_text_losses_row(const struct call *call, const char **label)
{
    const struct git_losses *losses = &call->losses;

    *label = _("Would take");
    if (losses->count == 0)
        return not_known(losses);
    switch (losses->look) {
    case GIT_LOOKING:
        return xstrdup(_("git is being asked …"));
    case GIT_SEEN:
        return taken(losses);
    case GIT_UNSEEN:
        if (losses->rules || losses->commit || losses->why == NULL || *losses->why != '\0')
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
        unsigned count = count_told(loss, lines);
        cleanup_free char *number = git_text_counted(loss->kind, count);

        if (count > 0)
            strbuf_addf(&text, "%s:\n%s", number, lines);
    }
    if (text.length > 0 && losses->more)
        strbuf_addstr(&text, _("at least that; the rest of the line is not looked at"));
    cleanup_free char *most = losses->most && text.length > 0
                                  ? xasprintf(_("at most this: %s"), strbuf_str(&text))
                                  : NULL;
    cleanup_free char *all = limited(losses,
                                     most != NULL      ? most
                                     : text.length > 0 ? strbuf_str(&text)
                                                       : none(losses),
                                     true);
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
