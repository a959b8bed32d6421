/* SPDX-License-Identifier: MIT */
/* approval_missing: why answers are missing that a request might have, before their keys are
 * pressed and after. */
#include "config.h"

#include <string.h>

#include "approval/retry_path.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/approval_content_int.h"
#include "ui/call_text.h"

/* What would help is said with the key that looks again. */
static char *why_no_path(const struct prompt *prompt, const struct approval_keys *keys)
{
    if (keys == NULL || strcmp(prompt->no_path, RETRY_PATH_ABSENT) != 0)
        return xstrdup(_(prompt->no_path));
    return xasprintf(_("it is not there yet; make it yourself, then press %s"), keys->path);
}

/* Where it could have run, or run again, in the sandbox, had there been one path to give it: the
 * row is for who has not seen the key that gives one, and the answer to the key for who has. */
static void add_no_path(struct approval_content *content, const struct prompt *prompt,
                        const struct approval_keys *keys)
{
    cleanup_free char *why = NULL;
    cleanup_free char *row = NULL;

    if (prompt->no_path == NULL || prompt->path != NULL)
        return;
    why = why_no_path(prompt, keys);
    row = keys != NULL ? xasprintf(_("no %s: %s"), keys->path, why)
                       : xasprintf(_("cannot be allowed alone: %s"), why);
    approval_content_add_words(content, _("One path"), row);
    content->no_path = steal_pointer(keys != NULL ? &row : &why);
}

/* With the word that it is about, which is the agent's. */
static char *once_words(const struct prompt *prompt)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;

    if (prompt->once_names == NULL)
        return xstrdup(_(prompt->once_reason));
    text_escape(&safe, prompt->once_names, strlen(prompt->once_names), TEXT_PLAIN_AGENT);
    return xasprintf("%s: %s", _(prompt->once_reason), strbuf_str(&safe));
}

/* "no a, no p: it …": a path that is offered is for once as well. */
static char *once_row(const struct prompt *prompt, const struct approval_keys *keys,
                      const char *why)
{
    bool path = prompt->path != NULL && !prompt->path_may_last && keys->lasts[0] != '\0';
    bool rule = prompt->ladder == NULL;

    if (rule && path)
        return xasprintf(_("no %s, no %s, no %s: %s"), keys->session, keys->rule, keys->lasts, why);
    if (rule || path)
        return xasprintf(_("no %s, no %s: %s"), keys->session, rule ? keys->rule : keys->lasts,
                         why);
    return xasprintf(_("no %s: %s"), keys->session, why);
}

/* Who looks for the other answers finds here that they are missing. */
static void add_once(struct approval_content *content, const struct prompt *prompt,
                     const struct approval_keys *keys)
{
    cleanup_free char *why = NULL;

    if (prompt->once_reason == NULL)
        return;
    why = once_words(prompt);
    content->once = keys != NULL ? once_row(prompt, keys, why) : steal_pointer(&why);
    approval_content_add_words(content, _("Once only"), content->once);
    if (prompt->ladder == NULL)
        content->rule.none = content->once;
}

/* That a command which runs here cannot be remembered is known before the key is pressed. Where
 * nothing but once is offered, the row above has said so. */
static void add_no_rule(struct approval_content *content, const struct call *call)
{
    const struct prompt *prompt = call->prompt;

    if (prompt->ladder == NULL && prompt->no_rule != NULL && prompt->once_reason == NULL &&
        content->subject == SUBJECT_COMMAND && !call->agent_fields && call->agent_tool == NULL)
        approval_content_add_words(content, _("Rule"), _(prompt->no_rule));
}

void approval_content_add_missing(struct approval_content *content, const struct call *call,
                                  const struct approval_keys *keys)
{
    add_no_path(content, call->prompt, keys);
    if (call->prompt->path != NULL && !call->prompt->path_may_last)
        content->path_once = call_text_path_once(call->prompt);
    add_once(content, call->prompt, keys);
    add_no_rule(content, call);
}

/* What may not be remembered gets no path for longer, either. */
static const char *why_once(const struct approval_content *content)
{
    return content->path == NULL ? content->no_path : content->once;
}

const char *approval_content_why_not(const struct approval_content *content, enum action action)
{
    const char *why = action == ACTION_APPROVE_PREFIX    ? content->rule.none
                      : action == ACTION_APPROVE_SESSION ? content->once
                      : action == ACTION_APPROVE_PATH    ? content->no_path
                      : action == ACTION_PATH_LASTS      ? why_once(content)
                                                         : NULL;

    if (why != NULL)
        return why;
    if (action == ACTION_APPROVE_SESSION && content->subject == SUBJECT_PERMISSIONS)
        return _("Allowing it holds for the whole session anyway.");
    if (action == ACTION_PATH_LASTS && content->path_once != NULL)
        return content->path_once;
    if (action == ACTION_APPROVE_SESSION)
        return _("This request can only be allowed once.");
    if (action == ACTION_DENY_MESSAGE && content->own)
        return _("The command is your own: there is no agent to tell.");
    return _("This answer is not offered here.");
}
