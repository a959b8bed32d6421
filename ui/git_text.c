/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/git_text.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/environment.h"
#include "risk/git_preview.h"

static unsigned count_lines(const char *text)
{
    unsigned count = 0;

    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        count++;
    return count;
}

static char *counted(unsigned count)
{
    return count > PUSH_SEEN_COMMITS
               ? xasprintf(_("more than %u commits"), (unsigned)PUSH_SEEN_COMMITS)
               : xasprintf(P_("%u commit", "%u commits", count), count);
}

static const char *label_of(const struct call *call)
{
    return call->pushes.lost != NULL ? _("Lost there") : _("Sends");
}

static char *nothing(bool lost)
{
    return xstrdup(lost ? _("nothing that was there when it was last fetched")
                        : _("no commit that was not there when it was last fetched"));
}

static char *unseen(const struct push_seen *seen)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;

    if (seen->why == NULL)
        return xstrdup(_("not known here: git took too long"));
    if (*seen->why == '\0')
        return xstrdup(_("not known here"));
    text_escape(&safe, seen->why, strlen(seen->why), TEXT_PLAIN_AGENT | TEXT_PROSE);
    return xasprintf(_("not known here; git says: %s"), strbuf_str(&safe));
}

/* "2 commits: 1a2b3c4 Mend the parser; 5d6e7f8 Add a test" */
static char *in_one_row(const char *lines, bool lost)
{
    struct strbuf row = STRBUF_INIT;
    unsigned count = count_lines(lines);
    cleanup_free char *number = counted(count);
    const char *separator = ": ";

    if (count == 0)
        return nothing(lost);
    strbuf_addstr(&row, number);
    for (const char *end; (end = strchr(lines, '\n')) != NULL; lines = end + 1) {
        strbuf_addstr(&row, separator);
        text_escape(&row, lines, (size_t)(end - lines), TEXT_PLAIN_AGENT | TEXT_PROSE);
        separator = "; ";
    }
    return strbuf_steal(&row);
}

char *git_text_push_row(const struct call *call, const char **label)
{
    const struct push_seen *seen = &call->seen;
    bool lost = call->pushes.lost != NULL;

    *label = label_of(call);
    switch (seen->look) {
    case PUSH_LOOKING:
        return xstrdup(_("git is being asked …"));
    case PUSH_SEEN:
        return in_one_row(lost ? seen->lost : seen->sent, lost);
    case PUSH_UNSEEN:
        return unseen(seen);
    case PUSH_NOT_LOOKED:
        break;
    }
    return NULL;
}

static void add_seen(struct document *document, const char *heading, const char *lines, bool lost)
{
    unsigned count = count_lines(lines);
    cleanup_free char *number = count > 0 ? counted(count) : nothing(lost);
    cleanup_free char *text =
        count > 0 ? xasprintf(_("%s, as last fetched:\n%s"), number, lines) : xstrdup(number);

    document_add_foreign(document, heading, DOCUMENT_QUOTED, THEME_OVERLAY_TEXT, text);
}

static char *quoted(const char *range)
{
    struct strbuf text = STRBUF_INIT;

    text_quote_argv(&text, (const char *const[]){range, NULL});
    return strbuf_steal(&text);
}

static void add_commands(struct document *document, const struct call *call)
{
    cleanup_free char *sent = quoted(call->pushes.sent);
    cleanup_free char *lost = call->pushes.lost != NULL ? quoted(call->pushes.lost) : NULL;
    cleanup_free char *why = call->seen.look == PUSH_UNSEEN ? unseen(&call->seen) : NULL;
    cleanup_free char *how =
        lost == NULL
            ? xasprintf(_("put this aside and run, in its directory (as last fetched):\nsent: "
                          "git log --oneline %s"),
                        sent)
            : xasprintf(_("put this aside and run, in its directory (as last fetched):\nlost "
                          "there: git log --oneline %s\nsent: git log --oneline %s"),
                        lost, sent);
    cleanup_free char *text =
        xasprintf("%s%s%s", why != NULL ? why : "", why != NULL ? "\n" : "", how);

    document_add_foreign(document, _("Its commits"), DOCUMENT_QUOTED, THEME_OVERLAY_TEXT, text);
}

void git_text_push_add(struct document *document, const struct call *call)
{
    if (call->pushes.sent == NULL)
        return;
    if (call->seen.look != PUSH_SEEN) {
        add_commands(document, call);
        return;
    }
    if (call->seen.lost != NULL)
        add_seen(document, _("Lost there"), call->seen.lost, true);
    add_seen(document, _("Sends"), call->seen.sent, false);
}

/* What is thrown away is gone: it can be seen before. An environment could make it another's. */
static char *preview_commands(const struct call *call)
{
    return call->reach == NULL && call->patch == NULL && call->agent_tool == NULL &&
                   environment_all_harmless((const char *const *)call->spec->env)
               ? git_preview_commands((const char *const *)call->spec->argv)
               : NULL;
}

char *git_text_preview_row(const struct call *call)
{
    cleanup_free char *commands = preview_commands(call);
    struct strbuf row = STRBUF_INIT;

    if (commands == NULL)
        return NULL;
    for (const char *line = commands; *line != '\0'; line += strcspn(line, "\n")) {
        line += *line == '\n';
        strbuf_addstr(&row, line > commands ? "; " : "");
        text_escape(&row, line, strcspn(line, "\n"), TEXT_PLAIN_AGENT | TEXT_PROSE);
    }
    return strbuf_steal(&row);
}

void git_text_preview_add(struct document *document, const struct call *call)
{
    cleanup_free char *commands = preview_commands(call);
    cleanup_free char *text =
        commands != NULL ? xasprintf(_("put this aside and run, in its directory:\n%s"), commands)
                         : NULL;

    if (text != NULL)
        document_add_foreign(document, _("What it would take"), DOCUMENT_QUOTED, THEME_OVERLAY_TEXT,
                             text);
}
