/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/overlay_approval.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/approval_queue.h"
#include "ui/console_int.h"
#include "ui/details.h"
#include "ui/lease_text.h"
#include "ui/overlay_approval_int.h"
#include "ui/overlay_edit.h"
#include "ui/overlay_help.h"
#include "ui/overlay_message.h"

static const struct overlay_class approval_class;

static struct approval *find_open(const struct console *console)
{
    for (struct overlay *at = console->overlay; at != NULL; at = at->below)
        if (at->class == &approval_class)
            return (struct approval *)at;
    return NULL;
}

/* ---- what is shown ------------------------------------------------------------------------ */

static void offer(struct approval *approval, enum action action)
{
    approval->options[approval->option_count++] = action;
}

/* The answers that there are to what is shown; the cursor is on "deny". */
static void offer_answers(struct approval *approval)
{
    const struct approval_content *content = &approval->content;

    approval->option_count = 0;
    offer(approval, ACTION_APPROVE);
    if (content->may_approve_for_session)
        offer(approval, ACTION_APPROVE_SESSION);
    if (content->rules && !content->rule_refused)
        offer(approval, ACTION_APPROVE_PREFIX);
    approval->marked = approval->option_count;
    offer(approval, ACTION_DENY);
    if (!content->own && content->subject != SUBJECT_QUESTION)
        offer(approval, ACTION_DENY_MESSAGE);
    offer(approval, ACTION_ABORT);
}

/* Why its command cannot be edited; NULL when it can. */
static const char *why_fixed(const struct call *call)
{
    const char *why = prompt_fixed(call);

    if (why != NULL)
        return _(why);
    return strlen(call->prompt->command) > LINE_EDITOR_MAX ? _("It is too long to be changed here.")
                                                           : NULL;
}

/* Shows the call's prompt as it is now; the guard starts anew once that is on the screen. */
static void take_prompt(struct approval *approval, const struct console *console,
                        const struct call *call)
{
    approval_content_clear(&approval->content);
    wrap_clear(&approval->lines);
    approval_content_init(&approval->content, call, !theme_unicode(console->theme));
    if (call->prompt->ladder != NULL)
        approval->choice = (struct rule_choice){call->prompt->ladder->first, LADDER_PROJECT};
    approval_content_choose(&approval->content, call->prompt, &approval->choice,
                            !theme_unicode(console->theme));
    approval->call = call->id;
    approval->prompt = call->prompt->id;
    approval->revision = call->prompt->revision;
    approval->opinion = call->opinion_serial;
    approval->lease_call = call->prompt->lease_call;
    approval->fixed = why_fixed(call);
    approval->columns = 0;
    approval->end_seen = false;
    approval->armed = ACTION_NONE;
    approval->note = NULL;
    approval->painted_ms = -1;
    approval->guarded = true;
    offer_answers(approval);
}

/* ---- what else would run ------------------------------------------------------------------ */

static struct approval_release release_of(const struct approval *approval,
                                          const struct console *console, enum review_kind kind)
{
    struct approval_release release = {.count = 0};

    release.count =
        orchestrator_would_release(console->setup.orchestrator, approval->prompt, kind,
                                   kind == REVIEW_APPROVED_AMENDMENT ? &approval->choice : NULL,
                                   release.calls, APPROVAL_RELEASES_SHOWN);
    return release;
}

static bool release_equal(const struct approval_release *a, const struct approval_release *b)
{
    return a->count == b->count && memcmp(a->calls, b->calls, sizeof(a->calls)) == 0;
}

/* Requests come and go while this one is open: the answers that allow others as well wait until
 * the operator can have read which. */
static void follow_releases(struct approval *approval, struct console *console)
{
    struct approval_release none = {.count = 0};
    struct approval_release session = none, prefix = none;

    if (approval->content.may_approve_for_session)
        session = release_of(approval, console, REVIEW_APPROVED_FOR_SESSION);
    if (approval->content.rules && !approval->content.rule_refused)
        prefix = release_of(approval, console, REVIEW_APPROVED_AMENDMENT);
    if (release_equal(&session, &approval->session) && release_equal(&prefix, &approval->prefix))
        return;
    approval->session = session;
    approval->prefix = prefix;
    approval->release_ms = -1;
    if (approval->armed == ACTION_APPROVE_SESSION || approval->armed == ACTION_APPROVE_PREFIX)
        approval->armed = ACTION_NONE;
    console_dirty(console, DIRTY_OVERLAY);
}

static bool releases_are_new(const struct approval *approval, const struct console *console)
{
    return approval->release_ms < 0 ||
           loop_now_ms(console->setup.loop) - approval->release_ms < console->setup.guard_ms;
}

static void open_for(struct console *console, const struct call *call)
{
    struct approval *approval = XNEW(struct approval);

    approval->base.class = &approval_class;
    approval->typed_ms = -1;
    approval->instead_of = console->put_aside;
    take_prompt(approval, console, call);
    follow_releases(approval, console);
    overlay_push(console, &approval->base);
}

static void approval_free(struct overlay *overlay)
{
    struct approval *approval = (struct approval *)overlay;

    approval_content_clear(&approval->content);
    wrap_clear(&approval->lines);
    free(approval);
}

/* ---- which request ------------------------------------------------------------------------ */

/* The call whose command was edited: another prompt asks about it now. */
static struct call *edited_call(const struct console *console, uint64_t id)
{
    struct call *call = orchestrator_find_call(console->setup.orchestrator, id);
    bool asks = call != NULL && call->asked_command != NULL && call->prompt != NULL;

    return asks && !call->prompt->retry ? call : NULL;
}

/* Something came in from the model that does not change how grave it is: the words change, and
 * nothing else. */
static void take_opinion(struct approval *approval, struct console *console,
                         const struct call *call)
{
    if (approval->opinion == call->opinion_serial)
        return;
    approval_content_clear(&approval->content);
    approval_content_init(&approval->content, call, !theme_unicode(console->theme));
    approval->opinion = call->opinion_serial;
    console_dirty(console, DIRTY_OVERLAY);
}

void overlay_approval_follow(struct console *console)
{
    struct approval *approval = find_open(console);
    struct call *call;

    approval_queue_forget_answered(console);
    if (approval != NULL) {
        call = approval_queue_find(console, approval->prompt);
        if (call == NULL)
            call = edited_call(console, approval->call);
        if (call == NULL || approval_queue_is_aside(console, approval->prompt)) {
            overlay_close(console, &approval->base);
            console->request_gone = call == NULL;
            console->gone_ms = loop_now_ms(console->setup.loop);
        } else if (call->prompt->id != approval->prompt ||
                   call->prompt->revision != approval->revision) {
            take_prompt(approval, console, call);
            follow_releases(approval, console);
            console_dirty(console, DIRTY_OVERLAY);
        } else {
            take_opinion(approval, console, call);
            if (approval_content_follow(&approval->content, call))
                console_dirty(console, DIRTY_OVERLAY);
            follow_releases(approval, console);
        }
    }
    if (console->overlay != NULL || console->keyboard_in_pane || console->layout.too_small)
        return;
    call = approval_queue_oldest(console, 0);
    if (call != NULL)
        open_for(console, call);
    console->put_aside = 0;
}

void overlay_approval_open(struct console *console, uint64_t prompt)
{
    const struct call *call = approval_queue_find(console, prompt);

    if (call == NULL || find_open(console) != NULL)
        return;
    approval_queue_take_back(console, prompt);
    open_for(console, call);
}

bool overlay_approval_is_top(const struct console *console)
{
    return console->overlay != NULL && console->overlay->class == &approval_class;
}

bool overlay_approval_is_covered(const struct console *console)
{
    return console->overlay != NULL && console->overlay->class->reading &&
           find_open(console) == NULL;
}

void overlay_approval_reopen(struct console *console)
{
    console->aside_count = 0;
    console_dirty(console, DIRTY_CALLS); /* where they are told as put aside */
    if (console_waiting(console) == 0)
        console_remark(console, THEME_DIM, "%s", _("no request is waiting"));
}

/* ---- answering ---------------------------------------------------------------------------- */

static enum review_kind kind_of(enum action action)
{
    switch (action) {
    case ACTION_APPROVE:
        return REVIEW_APPROVED;
    case ACTION_APPROVE_SESSION:
        return REVIEW_APPROVED_FOR_SESSION;
    case ACTION_APPROVE_PREFIX:
        return REVIEW_APPROVED_AMENDMENT;
    case ACTION_ABORT:
        return REVIEW_ABORT;
    default:
        return REVIEW_DENIED;
    }
}

static bool allows(enum action action)
{
    return action == ACTION_APPROVE || action == ACTION_APPROVE_SESSION ||
           action == ACTION_APPROVE_PREFIX;
}

/* Hands the answer in. The prompt counts as dealt with here even before the orchestrator has
 * closed it, so that no second key answers it. */
static void decide(struct approval *approval, struct console *console, enum action action,
                   const char *message)
{
    struct orchestrator *orchestrator = console->setup.orchestrator;
    struct error error = ERROR_INIT;
    uint64_t prompt = approval->prompt;
    int result;

    if (action == ACTION_APPROVE_SESSION)
        result = orchestrator_decide_lease(orchestrator, prompt, approval->revision,
                                           &approval->lease, &error);
    else if (action == ACTION_APPROVE_PREFIX)
        result = orchestrator_decide_rule(orchestrator, prompt, approval->revision,
                                          &approval->choice, &error);
    else
        result = orchestrator_decide(orchestrator, prompt, approval->revision, kind_of(action),
                                     message, &error);
    if (result < 0) {
        console_say(console, THEME_WARNING, "%s", error.message);
        return;
    }
    console_goes_on(console);
    approval_queue_put_aside(console, prompt);
    overlay_close(console, &approval->base);
}

static void message_done(struct overlay *below, struct console *console, const char *message)
{
    decide((struct approval *)below, console, ACTION_DENY_MESSAGE, message);
}

/* An empty answer is one, too: a field may be left out. */
static void words_done(struct overlay *below, struct console *console, const char *words)
{
    decide((struct approval *)below, console, ACTION_APPROVE, words != NULL ? words : "");
}

/* A question is answered by words. */
static void carry_out(struct approval *approval, struct console *console, enum action action)
{
    if (allows(action) && approval->content.subject == SUBJECT_QUESTION)
        overlay_message_open(console, _("Your answer"),
                             _(" Enter gives this answer  Esc goes back "), words_done);
    else
        decide(approval, console, action, NULL);
}

static bool offered(const struct approval *approval, enum action action)
{
    for (size_t i = 0; i < approval->option_count; i++)
        if (approval->options[i] == action)
            return true;
    return false;
}

static void mark_option(struct approval *approval, enum action action)
{
    for (size_t i = 0; i < approval->option_count; i++)
        if (approval->options[i] == action)
            approval->marked = i;
}

static const char *why_not_offered(const struct approval *approval, enum action action)
{
    if (action == ACTION_APPROVE_PREFIX && approval->content.rule_refused)
        return _("This rule is not offered; choose another width.");
    if (action == ACTION_DENY_MESSAGE && approval->content.own)
        return _("The command is your own: there is no agent to tell.");
    return _("This answer is not offered here.");
}

static void answer(struct approval *approval, struct console *console, enum action action)
{
    if (!offered(approval, action)) {
        approval->note = why_not_offered(approval, action);
        return;
    }
    follow_releases(approval, console);
    if ((action == ACTION_APPROVE_SESSION || action == ACTION_APPROVE_PREFIX) &&
        releases_are_new(approval, console)) {
        approval->note = _("What else it would allow has just changed: look again.");
        return;
    }
    if (allows(action) && !approval->end_seen) {
        approval->note = _("Read the command to its end first (PgDn, End).");
        return;
    }
    if (allows(action) && approval_content_needs_confirmation(&approval->content)) {
        approval->armed = action;
        mark_option(approval, action);
        return;
    }
    if (action == ACTION_DENY_MESSAGE)
        overlay_message_open(console, _("Tell the agent why"),
                             _(" Enter denies with this message  Esc goes back "), message_done);
    else
        carry_out(approval, console, action);
}

/* The key after one that needs Enter: Enter carries it out, anything else takes it back, and the
 * mark with it: the next Enter denies. */
static void confirm(struct approval *approval, struct console *console, enum action pressed)
{
    enum action armed = approval->armed;

    follow_releases(approval, console);
    if (approval->armed == ACTION_NONE) /* taken back just now */
        armed = ACTION_NONE;
    approval->armed = ACTION_NONE;
    if (pressed == ACTION_OPTION_TAKE && armed != ACTION_NONE) {
        carry_out(approval, console, armed);
        return;
    }
    mark_option(approval, ACTION_DENY);
    approval->note = _("Not allowed yet. Choose an answer.");
}

/* Whoever puts one aside must not take the next one for the same: it says which it replaces. */
static void put_aside(struct approval *approval, struct console *console)
{
    char key[24];

    approval_queue_put_aside(console, approval->prompt);
    console->put_aside = approval->call;
    console_remark(console, THEME_ASKING, _("c%" PRIu64 " is put aside and goes on waiting: %s"),
                   approval->call, keymap_key(&console->keymap, ACTION_ANSWER, key));
    overlay_close(console, &approval->base);
}

/* ---- editing ------------------------------------------------------------------------------ */

static int take_edited(struct overlay *below, struct console *console, const char *text,
                       struct error *error)
{
    const struct approval *approval = (const struct approval *)below;

    return orchestrator_edit(console->setup.orchestrator, approval->prompt, approval->revision,
                             text, error);
}

static void edit_command(struct approval *approval, struct console *console)
{
    const struct call *call = approval_queue_find(console, approval->prompt);

    if (approval->fixed != NULL)
        approval->note = approval->fixed;
    else if (call != NULL)
        overlay_edit_open(console, call->prompt->command, take_edited);
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool guard_is_up(const struct approval *approval, const struct console *console, int64_t now)
{
    int64_t guard = console->setup.guard_ms;

    return approval->painted_ms < 0 || now - approval->painted_ms < guard ||
           (approval->typed_ms >= 0 && now - approval->typed_ms < guard);
}

static void scroll_command(struct approval *approval, int lines)
{
    int last = (int)approval->lines.count - approval->visible;

    approval->first += lines;
    if (approval->first > last)
        approval->first = last;
    if (approval->first < 0)
        approval->first = 0;
}

static void move_mark(struct approval *approval, int direction)
{
    size_t count = approval->option_count;

    approval->marked = (approval->marked + count + (direction > 0 ? 1 : count - 1)) % count;
}

/* Another step of the ladder, or the other scope. */
static void choose_rule(struct approval *approval, struct console *console, enum action action)
{
    const struct call *call = approval_queue_find(console, approval->prompt);
    const struct ladder *ladder = call != NULL ? call->prompt->ladder : NULL;

    if (ladder == NULL) {
        approval->note = _("No rule is offered for this request.");
        return;
    }
    if (action == ACTION_RULE_SCOPE)
        approval->choice.scope = (approval->choice.scope + 1) % LADDER_SCOPES;
    else if (action == ACTION_RULE_WIDER && approval->choice.step + 1 < ladder->count)
        approval->choice.step++;
    else if (action == ACTION_RULE_NARROWER && approval->choice.step > 0)
        approval->choice.step--;
    approval_content_choose(&approval->content, call->prompt, &approval->choice,
                            !theme_unicode(console->theme));
    offer_answers(approval);
    follow_releases(approval, console);
    console_dirty(console, DIRTY_LAYOUT); /* the words have other lengths, the box another height */
}

/* Another length for "for this session". */
static void choose_lease(struct approval *approval, enum action action)
{
    if (!approval->content.may_approve_for_session) {
        approval->note = _("This request can only be allowed once.");
        return;
    }
    if (action == ACTION_LEASE_KIND)
        lease_next_kind(&approval->lease, approval->lease_call);
    else if (!lease_change(&approval->lease, action == ACTION_LEASE_LONGER ? 1 : -1))
        approval->note = _("Choose a time or a number of runs first.");
    if (approval->content.rules && approval->note == NULL && approval->lease.kind != LEASE_SESSION)
        approval->note = _("That bounds the approval; a rule holds as long as its line says.");
    mark_option(approval, ACTION_DENY);
}

static void act(struct approval *approval, struct console *console, enum action action)
{
    int page = approval->visible > 1 ? approval->visible - 1 : 1;

    switch (action) {
    case ACTION_VIEW_ALL:
        details_show_request(console, approval->call, &approval->end_seen);
        break;
    case ACTION_EDIT:
        edit_command(approval, console);
        break;
    case ACTION_APPROVAL_HELP:
        overlay_help_show(console, KEYMAP_APPROVAL);
        break;
    case ACTION_PUT_ASIDE:
        put_aside(approval, console);
        break;
    case ACTION_OPTION_UP:
        move_mark(approval, -1);
        break;
    case ACTION_OPTION_DOWN:
        move_mark(approval, 1);
        break;
    case ACTION_OPTION_TAKE:
        answer(approval, console, approval->options[approval->marked]);
        break;
    case ACTION_RULE_NARROWER:
    case ACTION_RULE_WIDER:
    case ACTION_RULE_SCOPE:
        choose_rule(approval, console, action);
        break;
    case ACTION_LEASE_KIND:
    case ACTION_LEASE_LONGER:
    case ACTION_LEASE_SHORTER:
        choose_lease(approval, action);
        break;
    case ACTION_COMMAND_UP:
        scroll_command(approval, -page);
        break;
    case ACTION_COMMAND_DOWN:
        scroll_command(approval, page);
        break;
    case ACTION_COMMAND_TOP:
        approval->first = 0;
        break;
    case ACTION_COMMAND_END:
        scroll_command(approval, (int)approval->lines.count);
        break;
    case ACTION_NONE:
        break;
    default:
        answer(approval, console, action);
        break;
    }
}

/* From now on, as from the first paint, keys are not an answer for the guard time. */
static void raise_guard(struct approval *approval, struct console *console, int64_t now)
{
    approval->typed_ms = now;
    approval->guarded = true;
    loop_timer_start(console->guard_timer, console->setup.guard_ms);
    console_dirty(console, DIRTY_OVERLAY);
}

static void approval_key(struct overlay *overlay, struct console *console,
                         const struct input_event *event)
{
    struct approval *approval = (struct approval *)overlay;
    int64_t now = loop_now_ms(console->setup.loop);
    enum action action;

    if (guard_is_up(approval, console, now)) {
        raise_guard(approval, console, now);
        return;
    }
    console_dirty(console, DIRTY_OVERLAY);
    action = keymap_find(&console->keymap, KEYMAP_APPROVAL, event->key, event->modifiers);
    approval->note = NULL;
    /* Whoever presses a key that means nothing here writes words for elsewhere, and the next
     * letters are not answers either. */
    if (action == ACTION_NONE)
        raise_guard(approval, console, now);
    if (approval->armed != ACTION_NONE)
        confirm(approval, console, action);
    else
        act(approval, console, action);
}

/* No answer, and neither are the keys right behind it: some terminals let a pasted text end the
 * paste before its time. */
static void approval_paste(struct overlay *overlay, struct console *console, const char *bytes,
                           size_t length)
{
    struct approval *approval = (struct approval *)overlay;

    (void)bytes;
    (void)length;
    approval->armed = ACTION_NONE;
    raise_guard(approval, console, loop_now_ms(console->setup.loop));
}

static void approval_painted(struct overlay *overlay, struct console *console, int64_t now_ms)
{
    struct approval *approval = (struct approval *)overlay;

    if (approval->painted_ms < 0) {
        approval->painted_ms = now_ms;
        loop_timer_start(console->guard_timer, console->setup.guard_ms);
    }
    if (approval->release_ms < 0)
        approval->release_ms = now_ms;
    if (approval->first + approval->visible >= (int)approval->lines.count)
        approval->end_seen = true;
}

static void approval_resized(struct overlay *overlay, struct console *console)
{
    struct approval *approval = (struct approval *)overlay;

    (void)console;
    approval->painted_ms = -1;
    approval->guarded = true;
    approval->armed = ACTION_NONE;
}

static void approval_where(struct overlay *overlay, struct console *console, char *out, size_t size)
{
    const struct approval *approval = (const struct approval *)overlay;

    (void)console;
    snprintf(out, size, _("request c%" PRIu64), approval->call);
}

static void draw(struct overlay *overlay, struct console *console, struct rect area)
{
    struct approval *approval = (struct approval *)overlay;

    approval->guarded = guard_is_up(approval, console, loop_now_ms(console->setup.loop));
    approval_draw(approval, console, area);
}

static const struct overlay_class approval_class = {
    .draw = draw,
    .key = approval_key,
    .paste = approval_paste,
    .painted = approval_painted,
    .resized = approval_resized,
    .where = approval_where,
    .free = approval_free,
};
