/* SPDX-License-Identifier: MIT */
/* inbox_answer: one answer for several requests, or why it is none. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/after_request.h"
#include "ui/approval_content.h"
#include "ui/approval_queue.h"
#include "ui/approval_rule.h"
#include "ui/console_int.h"
#include "ui/details.h"
#include "ui/git_text.h"
#include "ui/overlay_inbox.h"
#include "ui/overlay_inbox_int.h"
#include "ui/overlay_message.h"

#define NAMED_MAX 2     /* of those that an answer is not for, beside the first */
#define ANSWERED_MAX 6  /* that are named */
#define RELEASED_MAX 64 /* other requests that one answer may allow here */

bool inbox_allows(enum action action)
{
    return action == ACTION_INBOX_APPROVE || action == ACTION_INBOX_APPROVE_SESSION ||
           action == ACTION_INBOX_APPROVE_PREFIX;
}

bool inbox_answers(enum action action)
{
    return inbox_allows(action) || action == ACTION_INBOX_DENY ||
           action == ACTION_INBOX_DENY_MESSAGE;
}

bool inbox_is_unchosen(const struct overlay_inbox *overlay)
{
    return overlay->unchosen && inbox_marked(&overlay->inbox) == 0;
}

/* To the only row there is nothing to go. */
char *inbox_choose_words(const struct overlay_inbox *overlay, const struct console *console)
{
    char down[24], mark[24];

    if (overlay->inbox.count == 1)
        return xasprintf(_("The marked ones are answered. %s marks c%" PRIu64 ", the one left."),
                         keymap_key(&console->keymap, ACTION_INBOX_MARK, mark),
                         overlay->inbox.rows[0].members[0].call);
    return xasprintf(_("The marked ones are answered. %s or %s chooses the next to answer."),
                     keymap_key(&console->keymap, ACTION_INBOX_DOWN, down),
                     keymap_key(&console->keymap, ACTION_INBOX_MARK, mark));
}

char *inbox_answered_words(const struct overlay_inbox *overlay, const struct console *console)
{
    char down[24], mark[24];

    keymap_key(&console->keymap, ACTION_INBOX_MARK, mark);
    if (overlay->inbox.count == 1)
        return xasprintf(_("%s. %s marks c%" PRIu64 ", the one left"), overlay->own_note, mark,
                         overlay->inbox.rows[0].members[0].call);
    return xasprintf(_("%s. %s or %s chooses the next"), overlay->own_note,
                     keymap_key(&console->keymap, ACTION_INBOX_DOWN, down), mark);
}

void inbox_forget_note(struct overlay_inbox *overlay)
{
    overlay->note = NULL;
    overlay->note_call = 0;
    *overlay->note_others = '\0';
    overlay->answered = false;
    overlay->refused = false;
    overlay->unreached_count = 0;
}

void inbox_note_answered(struct overlay_inbox *overlay, const char *words)
{
    inbox_forget_note(overlay);
    snprintf(overlay->own_note, sizeof(overlay->own_note), "%s", words);
    overlay->note = overlay->own_note;
    overlay->answered = true;
}

/* Has the operator chosen for one of them how long "for this session" lasts? The list knows no
 * lengths. */
static bool has_length(const struct console *console, const struct inbox_row *row)
{
    for (size_t i = 0; i < row->count; i++) {
        const struct call *call = approval_queue_find(console, row->members[i].prompt);
        const struct kept_choice *kept =
            call != NULL ? approval_kept_find(console, call, NULL) : NULL;

        if (kept != NULL && kept->lease.kind != LEASE_SESSION)
            return true;
    }
    return false;
}

/* Why it cannot be allowed for longer than once; NULL when it can. */
static const char *why_once(const struct console *console, const struct inbox_row *row,
                            const struct call *call, enum action action)
{
    const char *leaves = _("would leave the sandbox again and again: Enter opens it");
    struct rule_choice choice;

    if (action == ACTION_INBOX_APPROVE_SESSION)
        return !call->prompt->may_approve_for_session ? _("can only be allowed once")
               : approval_content_leaves(call)        ? leaves
               : has_length(console, row)
                   ? _("is to last as long as you chose for it: Enter opens it")
                   : NULL;
    if (action != ACTION_INBOX_APPROVE_PREFIX)
        return NULL;
    if (!approval_kept_rule(console, call, &choice))
        return _("is offered no rule");
    if (call->prompt->ladder->steps[choice.step].bypass || approval_content_leaves(call))
        return leaves;
    return approval_rule_is_wide(call->prompt->ladder, &choice)
               ? _("would make a wide rule: Enter opens it")
               : NULL;
}

/* A patch, say, does not run. */
static const char *why_leaving(const struct approval_content *content)
{
    if (content->retry)
        return _("would run again WITHOUT the sandbox: Enter opens it");
    return content->subject == SUBJECT_COMMAND ? _("would run WITHOUT the sandbox: Enter opens it")
                                               : _("reaches OUTSIDE the sandbox: Enter opens it");
}

/* Why it is answered where it is shown by itself; NULL when the list will do. */
static const char *why_opened(const struct console *console, const struct call *call)
{
    struct approval_content content = {.command = NULL};
    bool confirms, question;
    const char *why;

    if (call->assessment.level == RISK_HIGH)
        return _("is of high risk: Enter opens it, to answer it alone");
    if (call->wants_words)
        return _("is a question: Enter opens it, to be answered by words");
    if (git_text_was_told(call))
        return _("has git look once more before a yes: Enter opens it");
    if (!details_scripts_seen(call->prompt, (const bool[DETAILS_SCRIPTS_MAX]){0}))
        return _("runs a file outside the sandbox, to be read first: Enter opens it");
    approval_content_init(&content, call, NULL, !theme_unicode(console->theme));
    confirms = approval_content_confirms(&content, ACTION_APPROVE);
    question = content.subject == SUBJECT_QUESTION;
    why = approval_content_is_grave(&content)
              ? _("holds text that cannot be shown as it is: Enter opens it")
              : why_leaving(&content);
    approval_content_clear(&content);
    if (question)
        return _("wants words for an answer: Enter opens it");
    return confirms ? why : NULL;
}

/* The rule that would be made of it, not one that was chosen before. */
static bool is_rule_seen(const struct console *console, const struct inbox_row *row)
{
    const struct call *call = inbox_asked(console, row);
    struct rule_choice rule;

    return row->rule_seen && call != NULL && approval_kept_rule(console, call, &rule) &&
           rule.step == row->rule.step && rule.scope == row->rule.scope;
}

const char *inbox_unread_words(void)
{
    return _("was not shown yet: read it below, then press again");
}

/* What is shown of it at the pointer is all that matters, or the place for it is too small. */
static const char *why_unread(const struct overlay_inbox *overlay, const struct console *console,
                              const struct inbox_row *row, enum action action)
{
    bool here = row == &overlay->inbox.rows[overlay->at];

    if (!row->seen)
        return here && overlay->shown_ms >= 0 && !overlay->whole
                   ? _("does not fit here: Enter opens it")
                   : inbox_unread_words();
    return action == ACTION_INBOX_APPROVE_PREFIX && !is_rule_seen(console, row)
               ? _("has a rule that was not shown in full: Enter opens it")
               : NULL;
}

/* Why a row cannot be allowed from the list; NULL when it can. */
static const char *why_not(const struct overlay_inbox *overlay, const struct console *console,
                           const struct inbox_row *row, enum action action)
{
    const struct call *call = inbox_asked(console, row);
    const char *why;

    if (call == NULL)
        return _("does not wait any more");
    why = why_opened(console, call);
    if (why == NULL)
        why = row->seen ? why_once(console, row, call, action) : NULL;
    return why != NULL ? why : why_unread(overlay, console, row, action);
}

/* Will it have been read once this frame is on the screen? */
static bool is_read(const struct overlay_inbox *overlay, const struct console *console, size_t at,
                    enum action action)
{
    const struct inbox_row *row = &overlay->inbox.rows[at];
    bool here = at == overlay->at;

    return (row->seen || (here && overlay->whole)) &&
           (action != ACTION_INBOX_APPROVE_PREFIX || is_rule_seen(console, row) ||
            (here && overlay->rule_whole));
}

const char *inbox_why_not(const struct overlay_inbox *overlay, const struct console *console)
{
    const struct call *call = overlay->at < overlay->inbox.count
                                  ? inbox_asked(console, &overlay->inbox.rows[overlay->at])
                                  : NULL;
    const char *why = call != NULL ? why_opened(console, call) : NULL;

    if (call == NULL || why != NULL)
        return why;
    return is_read(overlay, console, overlay->at, ACTION_INBOX_APPROVE)
               ? NULL
               : why_unread(overlay, console, &overlay->inbox.rows[overlay->at],
                            ACTION_INBOX_APPROVE);
}

/* In a word or two why a key that allows does nothing with that row; NULL when it does. All that
 * why_opened() looks at would take too long for a frame with many that are marked. */
static const char *brief_why(const struct overlay_inbox *overlay, const struct console *console,
                             size_t at, enum action action)
{
    const struct inbox_row *row = &overlay->inbox.rows[at];
    const struct call *call = inbox_asked(console, row);

    if (call == NULL)
        return NULL;
    if (call->assessment.level == RISK_HIGH)
        return _("high risk");
    if (call->wants_words)
        return _("a question");
    if (git_text_was_told(call))
        return _("git looks again");
    if (call->assessment.level > RISK_LOW && approval_content_leaves(call))
        return _("no sandbox");
    if (call->prompt->script_count > 0)
        return _("a file to read");
    if (why_once(console, row, call, action) != NULL)
        return action == ACTION_INBOX_APPROVE_PREFIX ? _("no rule here") : _("only once");
    if (is_read(overlay, console, at, action))
        return NULL;
    return at == overlay->at && !overlay->whole ? _("does not fit") : _("not shown yet");
}

bool inbox_would_offer(const struct overlay_inbox *overlay, const struct console *console,
                       enum action action)
{
    bool any = inbox_marked(&overlay->inbox) > 0;

    for (size_t i = 0; inbox_allows(action) && i < overlay->inbox.count; i++) {
        const struct inbox_row *row = &overlay->inbox.rows[i];
        const struct call *call = inbox_asked(console, row);

        if ((any ? !row->marked : i != overlay->at) || call == NULL)
            continue;
        if (brief_why(overlay, console, i, action) != NULL ||
            (!any && why_opened(console, call) != NULL))
            return false;
    }
    return true;
}

bool inbox_offers(const struct overlay_inbox *overlay, const struct console *console,
                  enum action action)
{
    if (overlay->inbox.count == 0)
        return action == ACTION_INBOX_CLOSE || action == ACTION_INBOX_HELP;
    return !(inbox_is_unchosen(overlay) && inbox_answers(action)) &&
           inbox_would_offer(overlay, console, action);
}

/* Why not each of the rows, in a word or two; NULL where it is allowed, or not marked. `pressed`:
 * all is looked at. The caller frees the array. */
static const char **marked_whys(const struct overlay_inbox *overlay, const struct console *console,
                                enum action action, bool pressed)
{
    const char **whys = xcalloc(overlay->inbox.count + 1, sizeof(*whys));

    for (size_t i = 0; i < overlay->inbox.count; i++) {
        const struct inbox_row *row = &overlay->inbox.rows[i];

        whys[i] = row->marked ? brief_why(overlay, console, i, action) : NULL;
        if (row->marked && whys[i] == NULL && pressed &&
            why_not(overlay, console, row, action) != NULL)
            whys[i] = _("to be opened");
    }
    return whys;
}

/* "c41 (high risk), c42 (no sandbox) and 3 more", as many as there is room for; "" for none. */
static char *refused_calls(const struct overlay_inbox *overlay, const char *const *whys,
                           int columns)
{
    struct strbuf text = STRBUF_INIT;
    size_t left = 0;

    for (size_t i = 0; i < overlay->inbox.count; i++)
        left += whys[i] != NULL;
    for (size_t i = 0; i < overlay->inbox.count; i++) {
        cleanup_free char *more = left > 1 ? xasprintf(_(" and %zu more"), left - 1) : xstrdup("");
        cleanup_free char *one = NULL;

        if (whys[i] == NULL)
            continue;
        one = xasprintf("%sc%" PRIu64 " (%s)", text.length > 0 ? ", " : "",
                        overlay->inbox.rows[i].members[0].call, whys[i]);
        if (text.length > 0 &&
            (int)(text_width(strbuf_str(&text), text.length) + text_width(one, strlen(one)) +
                  text_width(more, strlen(more))) > columns)
            break;
        strbuf_addstr(&text, one);
        left--;
    }
    if (left > 0)
        strbuf_addf(&text, _(" and %zu more"), left);
    return strbuf_steal(&text);
}

static char *refused_words(const struct overlay_inbox *overlay, const struct console *console,
                           enum action action, const char *calls, const char *behind)
{
    char key[24];

    return xasprintf(_("%zu marked: %s is not for %s; %s."), inbox_marked(&overlay->inbox),
                     keymap_key(&console->keymap, action, key), calls, behind);
}

/* `behind` says what else is to be known. NULL when the key is for all of them. */
static char *say_refused(const struct overlay_inbox *overlay, const struct console *console,
                         enum action action, bool pressed, const char *behind)
{
    cleanup_free const char **whys = marked_whys(overlay, console, action, pressed);
    cleanup_free char *frame = refused_words(overlay, console, action, "", behind);
    /* The list is as wide as the row for it, but for a column and a blank at both ends. */
    int room = overlay->list.columns - 4 - (int)text_width(frame, strlen(frame));
    cleanup_free char *calls = refused_calls(overlay, whys, room);

    return *calls != '\0' ? refused_words(overlay, console, action, calls, behind) : NULL;
}

char *inbox_refused_words(const struct overlay_inbox *overlay, const struct console *console,
                          const char *below)
{
    return say_refused(overlay, console, ACTION_INBOX_APPROVE, false, below);
}

/* "(like c5, c9 and 2 more) " */
static void note_others(struct overlay_inbox *overlay, const struct strbuf *named, size_t count)
{
    cleanup_strbuf struct strbuf names = STRBUF_INIT;

    strbuf_addstr(&names, strbuf_str(named));
    if (count > NAMED_MAX)
        strbuf_addf(&names, _(" and %zu more"), count - NAMED_MAX);
    if (count > 0)
        snprintf(overlay->note_others, sizeof(overlay->note_others), _("(like %s) "),
                 strbuf_str(&names));
}

/* Several are refused for more than one reason, and the cursor is on the first of them. */
static void note_refused(struct overlay_inbox *overlay, const struct console *console,
                         enum action action)
{
    char key[24];
    cleanup_free char *opens =
        xasprintf(_("%s opens c%" PRIu64), keymap_key(&console->keymap, ACTION_INBOX_OPEN, key),
                  overlay->note_call);
    cleanup_free char *words = say_refused(overlay, console, action, true, opens);

    if (words == NULL)
        return;
    inbox_forget_note(overlay);
    snprintf(overlay->own_note, sizeof(overlay->own_note), "%s", words);
    overlay->note = overlay->own_note;
    overlay->refused = true;
}

/* May what is marked (or the row at the cursor) be allowed together? Says which may not. */
static bool may_allow(struct overlay_inbox *overlay, const struct console *console,
                      enum action action)
{
    bool any = inbox_marked(&overlay->inbox) > 0;
    cleanup_strbuf struct strbuf others = STRBUF_INIT;
    size_t other_count = 0;
    bool mixed = false;

    for (size_t i = 0; i < overlay->inbox.count; i++) {
        const struct inbox_row *row = &overlay->inbox.rows[i];
        const char *why =
            (any ? !row->marked : i != overlay->at) ? NULL : why_not(overlay, console, row, action);

        if (why != NULL && overlay->note == NULL) {
            overlay->note = why;
            overlay->note_call = row->members[0].call;
            overlay->shown_ms = overlay->at == i ? overlay->shown_ms : -1;
            overlay->at = i; /* Enter opens that one */
        } else if (why != NULL && why != overlay->note) {
            mixed = true;
        } else if (why != NULL && other_count++ < NAMED_MAX) {
            strbuf_addf(&others, "%sc%" PRIu64, other_count > 1 ? ", " : "", row->members[0].call);
        }
    }
    note_others(overlay, &others, other_count);
    if (mixed)
        note_refused(overlay, console, action);
    return overlay->note == NULL;
}

static bool is_target(const struct inbox_member *targets, size_t count, uint64_t call)
{
    for (size_t i = 0; i < count; i++)
        if (targets[i].call == call)
            return true;
    return false;
}

static const struct session *session_of(const struct console *console,
                                        const struct inbox_member *member)
{
    const struct call *call = orchestrator_find_call(console->setup.orchestrator, member->call);

    return call != NULL ? call->session : NULL;
}

/* Does the answer to it allow no more than that to one before it? The same is asked in its row: a
 * rule is made of the first alone, and an answer for the session allows the same for each of it. */
static bool allows_no_more(const struct console *console, const struct inbox_member *targets,
                           size_t at, enum action action)
{
    const struct session *session = session_of(console, &targets[at]);

    if (session == NULL || (action == ACTION_INBOX_APPROVE_PREFIX && !targets[at].first))
        return true;
    while (!targets[at].first)
        if (session_of(console, &targets[--at]) == session)
            return true;
    return false;
}

/* Would answering one of them allow what is not among them? Such is for the request itself, which
 * names it. */
static bool reaches_others(struct overlay_inbox *overlay, const struct console *console,
                           enum action action, const struct inbox_member *targets, size_t count)
{
    bool rule = action == ACTION_INBOX_APPROVE_PREFIX;

    for (size_t i = 0; i < count && action != ACTION_INBOX_APPROVE; i++) {
        const struct call *call;
        uint64_t released[RELEASED_MAX];
        struct rule_choice choice;
        size_t releases;

        if (allows_no_more(console, targets, i, action))
            continue;
        call = approval_queue_find(console, targets[i].prompt);
        if (call == NULL || (rule && !approval_kept_rule(console, call, &choice)))
            continue;
        releases = orchestrator_would_release(console->setup.orchestrator, targets[i].prompt,
                                              rule ? REVIEW_APPROVED_AMENDMENT
                                                   : REVIEW_APPROVED_FOR_SESSION,
                                              rule ? &choice : NULL, released, RELEASED_MAX);
        for (size_t j = 0; j < releases; j++) {
            if (j < RELEASED_MAX && is_target(targets, count, released[j]))
                continue;
            overlay->note = _("would allow other requests, too: mark those as well, or open it");
            overlay->note_call = targets[i].call;
            return true;
        }
    }
    return false;
}

/* Hands one answer in. A rule is made of the first of the same requests, and the others run. */
static int hand_in(const struct console *console, const struct inbox_member *member,
                   enum action action, const char *message, struct error *error)
{
    struct orchestrator *orchestrator = console->setup.orchestrator;
    const struct call *call = approval_queue_find(console, member->prompt);
    const struct lease lease = {.kind = LEASE_SESSION};
    struct rule_choice choice;

    if (action == ACTION_INBOX_APPROVE_SESSION)
        return orchestrator_decide_lease(orchestrator, member->prompt, member->revision, &lease,
                                         error);
    if (action == ACTION_INBOX_APPROVE_PREFIX && member->first && call != NULL &&
        approval_kept_rule(console, call, &choice))
        return orchestrator_decide_rule(orchestrator, member->prompt, member->revision, &choice,
                                        error);
    return orchestrator_decide(orchestrator, member->prompt, member->revision,
                               inbox_allows(action) ? REVIEW_APPROVED : REVIEW_DENIED, message,
                               error);
}

/* What became of the rows that are gone. */
static void note_answered(struct overlay_inbox *overlay, const struct console *console,
                          uint64_t call, size_t count, enum action action)
{
    const char *words = action == ACTION_INBOX_APPROVE           ? _("allowed once")
                        : action == ACTION_INBOX_APPROVE_SESSION ? _("allowed for this session")
                        : action == ACTION_INBOX_APPROVE_PREFIX
                            ? _("allowed by a rule")
                            : overlay_inbox_denied(console, call);
    cleanup_free char *text =
        count > 1 ? xasprintf(_("c%" PRIu64 " and %zu more: %s"), call, count - 1, words)
                  : xasprintf("c%" PRIu64 ": %s", call, words);

    if (count > 0)
        inbox_note_answered(overlay, text);
}

/* The lines of the calls themselves do not all have room; the own commands' answers hold for once.
 */
static void say_answered(struct console *console, const struct strbuf *calls, size_t count,
                         bool lasts, enum action action)
{
    cleanup_free char *more =
        count > ANSWERED_MAX ? xasprintf(_(" and %zu more"), count - ANSWERED_MAX) : xstrdup("");
    cleanup_free char *text = xasprintf(
        action == ACTION_INBOX_APPROVE           ? _("allowed %zu once: %s%s")
        : action == ACTION_INBOX_APPROVE_SESSION ? _("allowed %zu for this session (:undo takes "
                                                     "that back): %s%s")
        : action == ACTION_INBOX_APPROVE_PREFIX  ? _("allowed %zu by a rule (:undo takes it back): "
                                                      "%s%s")
        : lasts ? _("denied %zu (:undo lets all of them ask again): %s%s")
                : _("denied %zu: %s%s"),
        count, strbuf_str(calls), more);

    console_say_own(console, inbox_allows(action) ? THEME_OK : THEME_FAILED, text);
}

/* A request that comes up next was not looked at yet, and the same key must not answer it. */
static void close_answered(const struct overlay_inbox *overlay, struct console *console,
                           uint64_t call, enum action action)
{
    const struct closed_request before = console->closed;

    after_request_closed(console, call, REQUEST_ANSWERED);
    if (inbox_allows(action))
        after_request_allowed(console, &before,
                              loop_now_ms(console->setup.loop) - overlay->painted_ms);
}

static void decide(struct overlay_inbox *overlay, struct console *console,
                   const struct inbox_member *members, size_t count, enum action action,
                   const char *message)
{
    bool marked = inbox_marked(&overlay->inbox) > 0;
    cleanup_strbuf struct strbuf calls = STRBUF_INIT;
    uint64_t first = 0;
    size_t answered = 0;
    bool lasts = false;

    orchestrator_decide_together(console->setup.orchestrator, count > 1);
    for (size_t i = 0; i < count; i++) {
        struct error error = ERROR_INIT;

        if (hand_in(console, &members[i], action, message, &error) < 0) {
            console_say(console, THEME_WARNING, "c%llu: %s", (unsigned long long)members[i].call,
                        error.message);
            continue;
        }
        approval_queue_put_aside(console, members[i].call, members[i].prompt);
        overlay->unchosen = marked;
        lasts = lasts || session_is_agent(session_of(console, &members[i]));
        if (answered < ANSWERED_MAX)
            strbuf_addf(&calls, "%sc%" PRIu64, answered > 0 ? ", " : "", members[i].call);
        if (answered++ == 0)
            first = members[i].call;
    }
    orchestrator_decide_together(console->setup.orchestrator, false);
    if (answered > 1)
        say_answered(console, &calls, answered, lasts, action);
    if (answered > 0)
        close_answered(overlay, console, first, action);
    note_answered(overlay, console, first, answered, action);
    overlay->painted_ms = -1; /* whatever is left is looked at anew */
    console_dirty(console, DIRTY_OVERLAY);
}

static void message_done(struct overlay *below, struct console *console, const char *message)
{
    struct overlay_inbox *overlay = (struct overlay_inbox *)below;

    decide(overlay, console, overlay->denied, overlay->denied_count, ACTION_INBOX_DENY_MESSAGE,
           message);
}

void inbox_answer(struct overlay_inbox *overlay, struct console *console, enum action action)
{
    size_t count;
    cleanup_free struct inbox_member *targets = inbox_targets(&overlay->inbox, overlay->at, &count);

    if (count == 0)
        return;
    if (inbox_allows(action) && (!may_allow(overlay, console, action) ||
                                 reaches_others(overlay, console, action, targets, count)))
        return;
    if (action != ACTION_INBOX_DENY_MESSAGE) {
        decide(overlay, console, targets, count, action, NULL);
    } else {
        free(overlay->denied);
        overlay->denied = steal_pointer(&targets);
        overlay->denied_count = count;
        overlay_message_deny(console, overlay->denied[0].call, count, NULL, message_done);
    }
}
