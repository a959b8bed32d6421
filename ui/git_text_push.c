/* SPDX-License-Identifier: MIT */
/* git_text_push: which commits a push sends, and which it takes away there. */
#include "config.h"

#include "ui/git_text_int.h"

#include <limits.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"

static char *unseen(const struct push_seen *seen)
{
    return seen->never   ? xstrdup(_("not known here: nothing was ever fetched from there"))
           : seen->fresh ? xstrdup(_("not known here: it was never fetched from there"))
                         : git_text_untold(seen->why);
}

/* What one deletes is looked for on the branches here. */
static char *nothing(const struct call *call, bool lost)
{
    bool deletes = lost && call->seen.sent == NULL;

    if (!lost && call->seen.fresh)
        return xstrdup(call->pushes.tag ? _("no new commit; it makes that tag there, or moves it")
                                        : _("no new commit; it makes that branch there, or moves "
                                            "it"));
    if (deletes)
        return xstrdup(_("nothing: its commits are on branches here, as last fetched"));
    if (lost)
        return xstrdup(_("no commit, as last fetched"));
    return xstrdup(_("no new commit, as last fetched"));
}

/* How many they are; what is lost can be more by now, when others have pushed since. */
static char *heading(const struct call *call, bool lost)
{
    const struct push_seen *seen = &call->seen;
    const char *lines = lost ? seen->lost : seen->sent;
    unsigned count = lines != NULL ? git_text_count(lines) : 0;
    cleanup_free char *number = git_text_counted(GIT_LOSES_COMMITS, count);

    if (lost && (seen->never || seen->fresh))
        return unseen(seen);
    if (count == 0)
        return nothing(call, lost);
    if (!lost && seen->never)
        return xasprintf(_("at most %s"), number);
    return lost || seen->fresh ? xasprintf(_("%s as last fetched"), number)
                               : steal_pointer(&number);
}

/* "2 commits as last fetched: 1a2b3c4 Mend the parser; 5d6e7f8 Add a test" */
static char *in_one_row(const struct call *call, bool lost)
{
    const char *lines = lost ? call->seen.lost : call->seen.sent;
    struct strbuf row = STRBUF_INIT;
    cleanup_free char *begin = heading(call, lost);

    strbuf_addstr(&row, begin);
    if (lines != NULL)
        git_text_add_lines(&row, lines, UINT_MAX);
    return strbuf_steal(&row);
}

static bool may_lose(const struct call *call)
{
    return call->pushes.lost != NULL || (call->pushes.there == NULL && call->reach == NULL &&
                                         assessment_remote_loss(&call->assessment) != NULL);
}

static char *push_row(const struct call *call, bool lost)
{
    switch (call->seen.look) {
    case GIT_LOOKING:
        return xstrdup(_("git is being asked …"));
    case GIT_SEEN:
        return in_one_row(call, lost);
    case GIT_UNSEEN:
        return unseen(&call->seen);
    case GIT_NOT_LOOKED:
        break;
    }
    return NULL;
}

char *git_text_lost_row(const struct call *call)
{
    char *row = may_lose(call) ? push_row(call, true) : NULL;

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
        return push_row(call, false);
    return pushes->there == NULL && pushes->unknown != NULL && call->reach == NULL &&
                   !may_lose(call)
               ? xasprintf(_("not known here: %s"), _(pushes->unknown))
               : NULL;
}

static void add_seen(struct document *document, const char *title, const struct call *call,
                     bool lost)
{
    const struct push_seen *seen = &call->seen;
    const char *lines = lost ? seen->lost : seen->sent;
    bool there = lost ? seen->sent != NULL : !seen->fresh;
    bool others = there && lines != NULL && *lines != '\0';
    cleanup_free char *number = heading(call, lost);
    cleanup_free char *begin =
        others ? xasprintf(_("%s; other branches there may have some of these, too"), number)
               : steal_pointer(&number);
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
        add_seen(document, _("Lost there"), call, true);
    if (call->pushes.sent != NULL)
        add_seen(document, _("Sends"), call, false);
}
