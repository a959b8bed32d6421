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

static char *unseen(const struct push_seen *seen)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;

    if (seen->fresh)
        return xstrdup(_("not known here: it was never fetched from there"));
    if (seen->why == NULL)
        return xstrdup(_("not known here: git took too long"));
    if (*seen->why == '\0')
        return xstrdup(_("not known here"));
    text_escape(&safe, seen->why, strlen(seen->why), TEXT_PLAIN_AGENT | TEXT_PROSE);
    return xasprintf(_("not known here; git says: %s"), strbuf_str(&safe));
}

static char *nothing(const struct push_seen *seen, bool lost)
{
    if (lost)
        return xstrdup(_("no commit, as last fetched"));
    return xstrdup(seen->fresh ? _("a new name there; its commits are there already")
                               : _("no new commit, as last fetched"));
}

/* How many they are; what is lost can be more by now, when others have pushed since. */
static char *heading(const struct push_seen *seen, bool lost)
{
    unsigned count = count_lines(lost ? seen->lost : seen->sent);
    cleanup_free char *number = counted(count);

    if (count == 0)
        return nothing(seen, lost);
    if (lost)
        return xasprintf(_("%s as last fetched"), number);
    return seen->fresh ? xasprintf(_("new there, %s"), number) : steal_pointer(&number);
}

/* "2 commits as last fetched: 1a2b3c4 Mend the parser; 5d6e7f8 Add a test" */
static char *in_one_row(const struct push_seen *seen, bool lost)
{
    struct strbuf row = STRBUF_INIT;
    cleanup_free char *begin = heading(seen, lost);
    const char *lines = lost ? seen->lost : seen->sent;
    const char *separator = ": ";

    strbuf_addstr(&row, begin);
    for (const char *end; (end = strchr(lines, '\n')) != NULL; lines = end + 1) {
        strbuf_addstr(&row, separator);
        text_escape(&row, lines, (size_t)(end - lines), TEXT_PLAIN_AGENT | TEXT_PROSE);
        separator = "; ";
    }
    return strbuf_steal(&row);
}

/* Where it is known what is not there is nothing that could be lost. */
static bool may_lose(const struct call *call)
{
    bool empty = call->seen.look == PUSH_SEEN && call->seen.lost == NULL;

    return call->pushes.lost != NULL ? !empty
                                     : call->pushes.there == NULL && call->reach == NULL &&
                                           assessment_remote_loss(&call->assessment) != NULL;
}

char *git_text_push_row(const struct call *call, const char **label)
{
    const struct push_seen *seen = &call->seen;
    bool lost = may_lose(call);

    *label = lost ? _("Lost there") : _("Sends");
    switch (seen->look) {
    case PUSH_LOOKING:
        return xstrdup(_("git is being asked …"));
    case PUSH_SEEN:
        return in_one_row(seen, lost);
    case PUSH_UNSEEN:
        return unseen(seen);
    case PUSH_NOT_LOOKED:
        break;
    }
    return !lost ? NULL
           : call->pushes.unknown == NULL
               ? xstrdup(_("not known here"))
               : xasprintf(_("not known here: %s"), _(call->pushes.unknown));
}

static void add_seen(struct document *document, const char *title, const struct push_seen *seen,
                     bool lost)
{
    const char *lines = lost ? seen->lost : seen->sent;
    cleanup_free char *begin = heading(seen, lost);
    cleanup_free char *text = *lines != '\0' ? xasprintf("%s:\n%s", begin, lines) : NULL;

    document_add_foreign(document, title, DOCUMENT_QUOTED, THEME_OVERLAY_TEXT,
                         text != NULL ? text : begin);
}

static char *quoted(const char *range)
{
    struct strbuf text = STRBUF_INIT;

    text_quote_argv(&text, (const char *const[]){range, NULL});
    return strbuf_steal(&text);
}

static void add_commands(struct document *document, const struct call *call)
{
    const struct push_commits *pushes = &call->pushes;
    cleanup_free char *sent = pushes->sent != NULL ? quoted(pushes->sent) : NULL;
    cleanup_free char *lost = pushes->lost != NULL ? quoted(pushes->lost) : NULL;
    cleanup_free char *why = call->seen.look == PUSH_UNSEEN ? unseen(&call->seen) : NULL;
    struct strbuf text = STRBUF_INIT;

    if (why != NULL)
        strbuf_addf(&text, "%s\n", why);
    strbuf_addstr(&text, _("put this aside and run, in its directory (as last fetched):"));
    if (lost != NULL)
        strbuf_addf(&text, _("\nlost there: git log --oneline %s"), lost);
    if (sent != NULL)
        strbuf_addf(&text, _("\nsent: git log --oneline %s"), sent);
    document_add_foreign(document, _("Its commits"), DOCUMENT_QUOTED, THEME_OVERLAY_TEXT,
                         strbuf_str(&text));
    strbuf_free(&text);
}

void git_text_push_add(struct document *document, const struct call *call)
{
    if (call->pushes.there == NULL)
        return;
    if (call->seen.look != PUSH_SEEN) {
        add_commands(document, call);
        return;
    }
    if (call->seen.lost != NULL)
        add_seen(document, _("Lost there"), &call->seen, true);
    if (call->seen.sent != NULL)
        add_seen(document, _("Sends"), &call->seen, false);
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
        document_add_foreign(document, _("See first"), DOCUMENT_QUOTED, THEME_OVERLAY_TEXT, text);
}
