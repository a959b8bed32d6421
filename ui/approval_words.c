/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_words.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/lease_text.h"

static bool fits(const char *text, int columns)
{
    return (int)text_width(text, strlen(text)) <= columns;
}

/* A patch is allowed for the session by its files, whatever is changed in them. */
static const char *session_answer(const struct approval_content *content)
{
    return content->subject == SUBJECT_PATCH ? _("these files for this session")
                                             : keymap_help(ACTION_APPROVE_SESSION);
}

/* That it holds, and without the sandbox. */
static char *session_words(const struct approval_content *content, const struct lease *lease,
                           int columns)
{
    bool session = lease->kind == LEASE_SESSION;
    cleanup_free char *long_as = lease_text_offer(lease);
    cleanup_free char *answer =
        session ? xstrdup(session_answer(content)) : xasprintf(_("allow %s"), long_as);
    cleanup_free char *outside = NULL;

    if (content->subject != SUBJECT_COMMAND || !approval_content_session_leaves(content))
        return steal_pointer(&answer);
    outside = xasprintf(_("%s, WITHOUT the sandbox"), answer);
    if (fits(outside, columns))
        return steal_pointer(&outside);
    return session ? xstrdup(_("session, WITHOUT the sandbox"))
                   : xasprintf(_("WITHOUT sandbox %s"), long_as);
}

/* How long the rule holds, and that it lets out of the sandbox. What it is for stands above. */
static char *rule_words(const struct approval_content *content, int columns)
{
    bool session = content->rule.scope == LADDER_SESSION;
    const char *answer = content->rule.host ? session ? _("allow this host for this session")
                                                      : _("allow this host for this project")
                         : session ? _("allow this rule for this session")
                                            : _("allow this rule for this project");
    cleanup_free char *outside = NULL;

    if (!approval_content_rule_leaves(content))
        return xstrdup(answer);
    outside = xasprintf(_("%s, WITHOUT the sandbox"), answer);
    if (fits(outside, columns))
        return steal_pointer(&outside);
    return xstrdup(session ? _("rule (session), WITHOUT sandbox")
                           : _("rule (project), WITHOUT sandbox"));
}

static const char *deny_words(const struct approval_content *content)
{
    if (content->own)
        return _("do not run it");
    if (content->changed)
        return _("deny it, as changed and as asked");
    return keymap_help(ACTION_DENY);
}

/* In a session that many share, most of the other calls are somebody else's. */
static char *abort_words(const struct approval_content *content, int columns)
{
    cleanup_free char *words = NULL;

    if (content->own)
        return xstrdup(_("do not run it, and stop your other commands"));
    if (!content->shared)
        return xstrdup(keymap_help(ACTION_ABORT));
    if (content->others == 0)
        return xstrdup(_("deny; no other call is open"));
    words = xasprintf(P_("deny, end %u other call of the shared session",
                         "deny, end all %u other calls of the shared session", content->others),
                      content->others);
    if (fits(words, columns))
        return steal_pointer(&words);
    return xasprintf(
        P_("deny, end %u other call, too", "deny, end all %u other calls", content->others),
        content->others);
}

char *approval_words_answer(const struct approval_content *content, enum action action,
                            const struct lease *lease, int columns)
{
    switch (action) {
    case ACTION_APPROVE:
        return xstrdup(subject_once(content->subject, content->unsandboxed));
    case ACTION_APPROVE_SESSION:
        return session_words(content, lease, columns);
    case ACTION_APPROVE_PREFIX:
        return rule_words(content, columns);
    case ACTION_DENY:
        return xstrdup(deny_words(content));
    case ACTION_ABORT:
        return abort_words(content, columns);
    default:
        return xstrdup(keymap_help(action));
    }
}
