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
#include "ui/approval_again.h"
#include "ui/approval_news.h"
#include "ui/approval_queue.h"
#include "ui/console_int.h"
#include "ui/console_keys.h"
#include "ui/details_view.h"
#include "ui/git_text.h"
#include "ui/halt.h"
#include "ui/lease_text.h"
#include "ui/overlay_approval_int.h"
#include "ui/overlay_edit.h"
#include "ui/overlay_full.h"
#include "ui/overlay_help.h"
#include "ui/overlay_inbox.h"
#include "ui/typing.h"

/* Nobody answers what has been on the screen for less. */
#define LOOK_MS 100
#define SECOND_MS 1000
#define AGAIN_MS 1000

static const struct overlay_class approval_class;

static struct approval *find_open(const struct console *console)
{
    for (struct overlay *at = console->overlay; at != NULL; at = at->below)
        if (at->class == &approval_class)
            return (struct approval *)at;
    return NULL;
}

/* ---- what is shown ------------------------------------------------------------------------ */

/* Why its command cannot be edited; NULL when it can. */
static const char *why_fixed(const struct call *call)
{
    const char *why = prompt_fixed(call);

    if (why != NULL)
        return _(why);
    return strlen(call->prompt->command) > LINE_EDITOR_MAX ? _("It is too long to be changed here.")
                                                           : NULL;
}

static struct approval_keys keys_of(const struct console *console)
{
    struct approval_keys keys = {.lasts = ""};

    keymap_key(&console->keymap, ACTION_APPROVE, keys.once);
    keymap_key(&console->keymap, ACTION_APPROVE_SESSION, keys.session);
    keymap_key(&console->keymap, ACTION_APPROVE_PREFIX, keys.rule);
    keymap_key(&console->keymap, ACTION_APPROVE_PATH, keys.path);
    keymap_key(&console->keymap, ACTION_PATH_LASTS, keys.lasts);
    keymap_key(&console->keymap, ACTION_EDIT, keys.change);
    keymap_key(&console->keymap, ACTION_DENY, keys.deny);
    keymap_key(&console->keymap, ACTION_APPROVE_SANDBOXED, keys.inside);
    return keys;
}

static void fill_content(struct approval *approval, const struct console *console,
                         const struct call *call)
{
    const struct approval_keys keys = keys_of(console);

    approval_content_clear(&approval->content);
    approval_content_init(&approval->content, call, &keys, !theme_unicode(console->theme));
    approval_again_add(&approval->content, console->setup.orchestrator, call,
                       !theme_unicode(console->theme));
}

/* Shows the call's prompt as it is now; the guard starts anew once that is on the screen. */
static void take_prompt(struct approval *approval, const struct console *console,
                        const struct call *call)
{
    fill_content(approval, console, call);
    wrap_clear(&approval->lines);
    approval_choice_start(approval, console, call);
    approval->call = call->id;
    if (approval->prompt != call->prompt->id)
        approval->first_ms = -1;
    approval->prompt = call->prompt->id;
    approval->revision = call->prompt->revision;
    approval->opinion = call->news;
    approval->lease_call = call->prompt->lease_call;
    approval->fixed = why_fixed(call);
    approval->columns = 0;
    approval->read = 0;
    approval->seen = approval->rule_seen = approval->path_seen = false;
    memset(approval->scripts_seen, 0, sizeof(approval->scripts_seen));
    approval->scripts_read = details_scripts_seen(call->prompt, approval->scripts_seen);
    approval->armed = approval->checked = ACTION_NONE;
    approval->git_slow = false;
    approval->enter_lost = false;
    approval->moved = false;
    approval->note = NULL;
    approval->painted_ms = -1;
    approval->guarded = true;
    approval_offer(approval);
}

/* What stands at the prompt stays there, and its Enter asks first; keys that came in the turn in
 * which the request came up are no letters of it, and that is said. */
static void note_typed(struct approval *approval, struct console *console)
{
    bool any = *line_editor_text(console->prompt) != '\0';

    console->line_interrupted = any;
    approval->over_line = any && typing_was_last(console);
    if (any || console->keys_dropped)
        approval->typed_ms = loop_now_ms(console->setup.loop);
    if (console->keys_dropped || console->words_lost)
        approval->note = _("What you typed as this came up was dropped.");
    if (console->answer_lost != ACTION_NONE)
        approval_refused(approval, console->answer_lost, loop_now_ms(console->setup.loop));
    if (approval->unlooked && console->answer_lost != ACTION_NONE)
        approval_say_new(approval, console);
    console->answer_lost = ACTION_NONE;
}

/* What is due is done at the end of the turn. */
static void wake(void *argument)
{
    (void)argument;
}

/* The operator makes the path elsewhere, and waits for the answer here; and what git has said may
 * be no longer so: as long as the request is shown both are looked for. */
static void look_again(struct approval *approval, struct console *console, const struct call *call)
{
    bool awaits = prompt_awaits_path(call->prompt), tells = git_text_may_tell(call);

    if ((!awaits && !tells) || loop_timer_running(approval->again_timer))
        return;
    if (awaits)
        orchestrator_seek_path(console->setup.orchestrator, approval->prompt);
    if (tells)
        orchestrator_come_to(console->setup.orchestrator, approval->prompt, false);
    loop_timer_start(approval->again_timer, SECOND_MS);
}

/* `before`: what was there just now. */
static void open_for(struct console *console, const struct call *call,
                     const struct closed_request *before)
{
    struct approval *approval = XNEW(struct approval);

    approval->base.class = &approval_class;
    approval->typed_ms = approval->stray_ms = approval->refused_ms = -1;
    approval->guard_ms = after_request_pause_ms(console, before);
    approval->reading_ms = after_request_reading_ms(console, before);
    approval->instead_of = *before;
    approval->unlooked = before->unasked && before->call != 0;
    approval->release_timer = loop_timer_new(console->setup.loop, wake, NULL);
    approval->again_timer = loop_timer_new(console->setup.loop, wake, NULL);
    console->closed.call = 0;
    take_prompt(approval, console, call);
    approval_follow_releases(approval, console);
    note_typed(approval, console);
    approval_resume_take(approval, console, call);
    look_again(approval, console, call);
    overlay_push(console, &approval->base);
}

static void approval_free(struct overlay *overlay)
{
    struct approval *approval = (struct approval *)overlay;

    approval_content_clear(&approval->content);
    wrap_clear(&approval->lines);
    loop_timer_free(&approval->release_timer);
    loop_timer_free(&approval->again_timer);
    free(approval->reason);
    free(approval);
}

/* ---- which request ------------------------------------------------------------------------ */

/* Is a path there by now that could not be given? */
static bool has_path_now(const struct approval *approval, const struct call *call)
{
    return approval->content.no_path != NULL && call->prompt->path != NULL;
}

/* The call whose command was edited, or whose path is there by now: another prompt asks about it,
 * and is no other request. */
static struct call *asked_anew(const struct approval *approval, const struct console *console)
{
    struct call *call = orchestrator_find_call(console->setup.orchestrator, approval->call);

    if (call == NULL || call->prompt == NULL)
        return NULL;
    if (call->prompt->retry ? approval->content.retry && call->attempts[0].command != NULL
                            : call->asked_command != NULL)
        return call;
    return has_path_now(approval, call) ? call : NULL;
}

/* Something came in from the model that does not change how grave it is: the words change, and
 * nothing else. */
static void take_opinion(struct approval *approval, struct console *console,
                         const struct call *call)
{
    if (approval->opinion == call->news)
        return;
    fill_content(approval, console, call);
    approval_choice_show(approval, console, call);
    approval->opinion = call->news;
    console_dirty(console, DIRTY_LAYOUT); /* the words have other lengths, the box another height */
}

/* Was it answered elsewhere, or has it ended? */
static enum request_end end_of(const struct console *console, uint64_t id)
{
    const struct call *call = orchestrator_find_call(console->setup.orchestrator, id);

    return call == NULL || call->cancelled ? REQUEST_GONE : REQUEST_ANSWERED;
}

/* Did the operator end it, with an answer to another one? */
static bool is_ended_by_operator(const struct console *console, uint64_t id)
{
    const struct call *call = orchestrator_find_call(console->setup.orchestrator, id);

    return call != NULL && call->cancelled && call->cancelled_by == CANCELLED_BY_OPERATOR;
}

/* Nobody has begun to answer what has only just come up: one of many that end together. */
static bool was_looked_at(const struct approval *approval, const struct console *console)
{
    return approval->painted_ms >= 0 &&
           loop_now_ms(console->setup.loop) - approval->painted_ms >= LOOK_MS;
}

/* What is read over it, and nothing above that, is read on. */
static bool is_read_on(const struct approval *approval, const struct console *console)
{
    struct overlay *above = console->overlay;

    return above != &approval->base && above->below == &approval->base &&
           overlay_full_outlive(above, approval->call);
}

/* Closes without an answer of its own: it is `gone`, or was put aside elsewhere. */
static void leave(struct approval *approval, struct console *console, bool gone)
{
    bool read_on = gone && is_read_on(approval, console);
    bool loses = console->overlay != &approval->base && !read_on;

    console->words_lost = gone && (console->words_lost || loses);
    if (gone) {
        approval_resume_note(approval, console);
        after_request_closed(console, approval->call, end_of(console, approval->call));
        console->closed.unasked =
            approval->unlooked ||
            (was_looked_at(approval, console) && !is_ended_by_operator(console, approval->call));
    }
    uint64_t call = approval->call;
    if (read_on)
        overlay_take_out(console, &approval->base);
    else
        overlay_close(console, &approval->base);
    if (gone)
        overlay_inbox_lost(console, call);
}

/* The full view has shown more of what it runs. */
static void follow_scripts(struct approval *approval, struct console *console,
                           const struct call *call)
{
    if (approval->scripts_read || !details_scripts_seen(call->prompt, approval->scripts_seen))
        return;
    approval->scripts_read = true;
    console_dirty(console, DIRTY_OVERLAY);
}

static void note_news(struct approval *approval, const struct approval_content *before)
{
    cleanup_free char *words = approval_news_words(before, &approval->content);

    snprintf(approval->own_note, sizeof(approval->own_note), "%s", words);
    approval->note = approval->own_note;
}

/* It asks for something else by now, or by other answers. */
static void take_change(struct approval *approval, struct console *console, const struct call *call)
{
    const char *dropped = approval->note == approval->soon ? approval->soon : NULL;
    bool news = call->prompt->id == approval->prompt && was_looked_at(approval, console);
    bool told = news || has_path_now(approval, call);
    enum action armed = approval->armed;
    struct approval_content before = approval->content;

    approval->content = (struct approval_content){.command = NULL};
    take_prompt(approval, console, call);
    if (told) {
        approval->reading_ms = after_request_changed_ms(console, approval->reading_ms);
        approval->changed = true;
    }
    if (armed != ACTION_NONE) { /* its Enter is none for the mark, which is on another answer now */
        approval_refused(approval, armed, loop_now_ms(console->setup.loop));
        approval->enter_lost = true;
    }
    /* That a key was dropped is not less so because what is asked has changed. */
    if (dropped != NULL)
        approval->note = dropped;
    else if (approval->chosen == NULL && told)
        note_news(approval, &before);
    approval_content_clear(&before);
    approval_follow_releases(approval, console);
    console_dirty(console, DIRTY_LAYOUT);
}

/* What an answer comes to is known a turn later: the next request may tell of it. */
static bool answer_is_on_its_way(struct console *console, const struct closed_request *before)
{
    const struct call *call = orchestrator_find_call(console->setup.orchestrator, before->call);

    return before->end == REQUEST_ANSWERED && call != NULL && call->prompt != NULL &&
           approval_queue_is_aside(console, call->prompt->id);
}

void overlay_approval_follow(struct console *console)
{
    struct approval *approval = find_open(console);
    struct closed_request before;
    struct call *call;

    approval_queue_forget_answered(console);
    approval_kept_forget_answered(console);
    if (approval != NULL) {
        call = approval_queue_find(console, approval->prompt);
        if (call == NULL)
            call = asked_anew(approval, console);
        if (call == NULL || approval_queue_is_aside(console, approval->prompt)) {
            leave(approval, console, call == NULL);
        } else if (call->prompt->id != approval->prompt ||
                   call->prompt->revision != approval->revision) {
            take_change(approval, console, call);
        } else {
            take_opinion(approval, console, call);
            approval_follow_ends(approval, console, call);
            follow_scripts(approval, console, call);
            approval_turn_releases(approval, console);
            look_again(approval, console, call);
            approval_follow_check(approval, console, call);
        }
    }
    call = approval_queue_oldest(console, 0);
    if (call != NULL && console->overlay != NULL && console->overlay->class->gives_way)
        overlay_pop(console);
    before = after_request_last(console);
    if (console->overlay != NULL || console->keyboard_in_pane)
        return;
    if (call != NULL && !answer_is_on_its_way(console, &before) && !halt_holds(console) &&
        !typing_holds(console, call))
        open_for(console, call, &before);
}

bool overlay_approval_shows(const struct console *console, uint64_t call)
{
    const struct approval *approval = find_open(console);

    return approval != NULL && approval->call == call;
}

void overlay_approval_open(struct console *console, uint64_t prompt)
{
    const struct call *call = approval_queue_find(console, prompt);
    bool listed;

    if (call == NULL || find_open(console) != NULL)
        return;
    approval_queue_take_back(console, prompt);
    listed = overlay_inbox_is_top(console);
    open_for(console, call, &(struct closed_request){0});
    find_open(console)->from_list = listed;
    find_open(console)->over_line = false;
}

bool overlay_approval_is_top(const struct console *console)
{
    return console->overlay != NULL && console->overlay->class == &approval_class;
}

uint64_t overlay_approval_call(const struct console *console)
{
    return overlay_approval_is_top(console) ? ((struct approval *)console->overlay)->call : 0;
}

bool overlay_approval_disarm(struct console *console)
{
    struct approval *approval = (struct approval *)console->overlay;

    if (!overlay_approval_is_top(console) || approval->armed == ACTION_NONE)
        return false;
    approval_confirm(approval, console, ACTION_NONE);
    console_dirty(console, DIRTY_OVERLAY);
    return true;
}

bool overlay_approval_is_covered(const struct console *console)
{
    return console->overlay != NULL && console->overlay->class->reading != ACTION_NONE &&
           find_open(console) == NULL;
}

void overlay_approval_reopen(struct console *console)
{
    typing_over(console);
    approval_queue_take_all_back(console);
    if (console_waiting(console) == 0)
        console_remark(console, THEME_DIM, "%s", _("no request is waiting"));
}

/* Whoever puts one aside must not take the next one for the same: it says which it replaces. */
static void put_aside(struct approval *approval, struct console *console)
{
    char key[24];

    approval_queue_put_aside(console, approval->call, approval->prompt);
    after_request_closed(console, approval->call, REQUEST_PUT_ASIDE);
    console_remark(console, THEME_ASKING,
                   _("c%" PRIu64 " is put aside and goes on waiting; %s shows it"), approval->call,
                   keymap_key(&console->keymap, ACTION_ANSWER, key));
    console_about_wait(console, approval->call);
    overlay_close(console, &approval->base);
}

static void wait_for_line(struct console *console, uint64_t call, uint64_t prompt)
{
    char key[24];

    approval_queue_put_aside_for_line(console, call, prompt);
    console_say(console, THEME_ASKING,
                _("c%" PRIu64 " waits until this line is sent or emptied (%s: now)"), call,
                keymap_key(&console->keymap, ACTION_ANSWER, key));
    console_about_wait(console, call);
}

void overlay_approval_wait_for_line(struct console *console, const struct call *call)
{
    wait_for_line(console, call->id, call->prompt->id);
}

void approval_begin_line(struct approval *approval, struct console *console,
                         const struct input_event *colon)
{
    if (overlay_inbox_is_open(console))
        approval_queue_put_all_aside(console);
    wait_for_line(console, approval->call, approval->prompt);
    after_request_closed(console, approval->call, REQUEST_PUT_ASIDE);
    overlay_close_all(console);
    console_begin_line(console, colon);
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

void approval_scroll_command(struct approval *approval, int lines)
{
    int last = (int)approval->lines.count - approval->visible;

    approval->first += lines;
    if (approval->first > last)
        approval->first = last;
    if (approval->first < 0)
        approval->first = 0;
}

/* Does that key do anything for this request? */
static bool answers_now(const void *argument, enum action action)
{
    const struct approval *approval = argument;

    switch (action) {
    case ACTION_APPROVE:
    case ACTION_APPROVE_SANDBOXED:
    case ACTION_APPROVE_PATH:
    case ACTION_APPROVE_SESSION:
    case ACTION_DENY_MESSAGE:
    case ACTION_OFFERS:
        return approval_can_take(approval, action);
    case ACTION_APPROVE_PREFIX:
    case ACTION_RULE_SCOPE:
        return approval->content.rule.offered;
    case ACTION_RULE_WIDER:
    case ACTION_RULE_NARROWER:
        return approval->content.rule.offered && !approval->content.rule.only;
    case ACTION_PATH_LASTS:
        return approval->content.path_may_last;
    case ACTION_LEASE_KIND:
    case ACTION_LEASE_BACK:
    case ACTION_LEASE_LONGER:
    case ACTION_LEASE_SHORTER:
        return approval->content.may_approve_for_session;
    case ACTION_EDIT:
        return approval->fixed == NULL;
    default:
        return true;
    }
}

static void show_all(struct approval *approval, struct console *console)
{
    const struct approval_keys keys = keys_of(console);
    const struct details_seen seen = {&approval->seen, &approval->rule_seen, &approval->path_seen,
                                      approval->scripts_seen, &keys};

    details_show_request(console, approval->call, &approval->lease, &seen);
}

void approval_act(struct approval *approval, struct console *console, enum action action)
{
    int page = approval->visible > 1 ? approval->visible - 1 : 1;

    if (approval->checked != ACTION_NONE &&
        (action == approval->checked || action == ACTION_OPTION_TAKE))
        return; /* it is on its way */
    if (action != ACTION_OPTION_TAKE && !approval_only_looks(action))
        approval->enter_lost = false;
    if (!approval_allows(action) && action != ACTION_OPTION_TAKE)
        approval->git_slow = false;
    if (approval->checked != ACTION_NONE) { /* another key takes it back */
        approval->checked = ACTION_NONE;
        approval->note = NULL;
    }

    switch (action) {
    case ACTION_VIEW_ALL:
        show_all(approval, console);
        break;
    case ACTION_EDIT:
        edit_command(approval, console);
        break;
    case ACTION_APPROVAL_HELP:
        overlay_help_request(console, answers_now, approval);
        break;
    case ACTION_PUT_ASIDE:
        put_aside(approval, console);
        break;
    case ACTION_OPTION_UP:
        approval_move_mark(approval, -1);
        break;
    case ACTION_OPTION_DOWN:
        approval_move_mark(approval, 1);
        break;
    case ACTION_OPTION_TAKE:
        approval_answer(approval, console, approval->options[approval->marked]);
        break;
    case ACTION_RULE_NARROWER:
    case ACTION_RULE_WIDER:
    case ACTION_RULE_SCOPE:
        approval_choice_rule(approval, console, action);
        break;
    case ACTION_LEASE_KIND:
    case ACTION_LEASE_BACK:
    case ACTION_LEASE_LONGER:
    case ACTION_LEASE_SHORTER:
        approval_choice_lease(approval, console, action);
        break;
    case ACTION_PATH_LASTS:
        approval_choice_path(approval, console);
        break;
    case ACTION_COMMAND_UP:
        approval_scroll_command(approval, -page);
        break;
    case ACTION_COMMAND_DOWN:
        approval_scroll_command(approval, page);
        break;
    case ACTION_COMMAND_TOP:
        approval->first = 0;
        break;
    case ACTION_COMMAND_END:
        approval_scroll_command(approval, (int)approval->lines.count);
        break;
    case ACTION_NONE:
        break;
    default:
        approval_answer(approval, console, action);
        break;
    }
}

/* Its next minute is told when that is over; a request that is not shown needs no timer. */
static void await_minute(const struct approval *approval, struct console *console)
{
    const struct call *call = approval_queue_find(console, approval->prompt);

    if (call != NULL)
        loop_timer_start(console->wait_timer,
                         MINUTE_MS -
                             (loop_now_ms(console->setup.loop) - call->waits_ms) % MINUTE_MS);
}

static void approval_painted(struct overlay *overlay, struct console *console, int64_t now_ms)
{
    struct approval *approval = (struct approval *)overlay;

    await_minute(approval, console);
    if (approval->first_ms < 0)
        approval->first_ms = now_ms;
    if (approval->painted_ms < 0) {
        approval->painted_ms = now_ms;
        loop_timer_start(console->guard_timer, approval->guard_ms);
    }
    if (console->layout.too_small)
        return; /* nothing of it counts as read */
    if (approval->release_ms < 0)
        approval->release_ms = now_ms;
    wrap_follow_reading(&approval->lines, (size_t)approval->first, (size_t)approval->visible,
                        &approval->read);
    if (approval->read == WRAP_READ_ALL)
        approval->seen = true;
    if (approval->rule_whole)
        approval->rule_seen = true;
    if (approval->path_whole)
        approval->path_seen = true;
}

static void approval_resized(struct overlay *overlay, struct console *console)
{
    struct approval *approval = (struct approval *)overlay;

    approval->painted_ms = approval->first_ms = -1;
    approval->guarded = true;
    if (approval->armed != ACTION_NONE)
        approval_disarm(approval, NULL, loop_now_ms(console->setup.loop));
    approval->note = NULL; /* it was about a key on the screen before */
    approval_mark(approval, ACTION_DENY);
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

    int64_t now = loop_now_ms(console->setup.loop);

    approval_lapse(approval, now);
    approval->guarded =
        approval_guard_is_up(approval, now) || approval_has_strayed(approval, console, now);
    approval->reading = now < approval_read_ms(approval);
    bool waits = approval->guarded || (approval->reading && approval->changed);
    if (!waits && approval->soon != NULL && approval->note == approval->soon)
        approval->note = approval->reading && approval->reading_ms > approval->guard_ms
                             ? NULL /* that it is to be read first is said there */
                             : _("A key that came too soon was dropped.");
    if (approval->reading && !approval->guarded)
        loop_timer_start(console->guard_timer, approval_read_ms(approval) - now);
    if (approval->armed != ACTION_NONE && !approval->guarded) /* its seconds are counted down */
        loop_timer_start(console->guard_timer, SECOND_MS - (now - approval->armed_ms) % SECOND_MS);
    if (console->layout.too_small)
        approval_small_draw(approval, console, area);
    else
        approval_draw(approval, console, area);
}

static const struct overlay_class approval_class = {
    .draw = draw,
    .key = approval_key,
    .mouse = approval_mouse,
    .paste = approval_paste,
    .painted = approval_painted,
    .resized = approval_resized,
    .where = approval_where,
    .free = approval_free,
    .alone = true,
    .small = true,
    .lets_line = true,
};
