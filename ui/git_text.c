/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/git_text_int.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"

unsigned git_text_count(const char *text)
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
    case GIT_KNOWS_NO_COMMIT:
        break;
    }
    return xasprintf(P_("%u commit", "%u commits", count), count);
}

char *git_text_counted(enum git_loss_kind kind, unsigned count)
{
    cleanup_free char *most = counted_few(kind, GIT_SEEN_LINES);

    return count > GIT_SEEN_LINES ? xasprintf(_("more than %s"), most) : counted_few(kind, count);
}

char *git_text_untold(const char *why)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;

    if (why == NULL)
        return xstrdup(_("not known here: git took too long"));
    if (*why == '\0')
        return xstrdup(_("not known here"));
    text_escape(&safe, why, strlen(why), TEXT_PLAIN_AGENT | TEXT_PROSE);
    return xasprintf(_("not known here; git says: %s"), strbuf_str(&safe));
}

void git_text_add_lines(struct strbuf *row, const char *lines, unsigned most)
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

static bool is_push(const struct call *call)
{
    return call->pushes.there != NULL;
}

static enum git_look_state look_of(const struct call *call)
{
    return is_push(call) ? call->seen.look : call->losses.look;
}

bool git_text_may_tell(const struct call *call)
{
    bool asked = is_push(call) || call->losses.count > 0;

    return git_text_was_told(call) || (asked && look_of(call) == GIT_NOT_LOOKED);
}

bool git_text_was_told(const struct call *call)
{
    enum git_look_state look = look_of(call);
    const char *why = is_push(call) ? call->seen.why : call->losses.why;

    /* "": it could not be asked at all, nor can it be now */
    return look == GIT_SEEN || (look == GIT_UNSEEN && (why == NULL || *why != '\0'));
}
