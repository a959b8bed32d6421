/* SPDX-License-Identifier: MIT */
/* console_observer: what the core tells. Nothing is drawn here and nothing called back: state is
 * changed, and the frame at the end of the turn shows it. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "approval/decision_words.h"
#include "approval/patch_kept.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/approval_queue.h"
#include "ui/awaiting.h"
#include "ui/call_text.h"
#include "ui/console_int.h"
#include "ui/decision_text.h"
#include "ui/halt.h"
#include "ui/operator_agent.h"
#include "ui/overlay_approval.h"
#include "ui/overlay_inbox.h"
#include "ui/patch_text.h"
#include "ui/subject.h"
#include "ui/view.h"

/* "A small read within 50 ms of a key is its echo": it does not wait for the frame clock. */
#define ECHO_BYTES_MAX 1024
#define ECHO_MS 50

static void session_changed(void *argument, const struct session *session)
{
    (void)session;
    console_dirty(argument, DIRTY_LAYOUT);
}

static void session_ended(void *argument, const struct session *session)
{
    console_over(argument, session->id); /* nothing of it can be resumed */
    console_dirty(argument, DIRTY_LAYOUT);
}

static void context_changed(void *argument, const struct session *session)
{
    (void)session;
    console_dirty(argument, DIRTY_STATUS);
}

static void call_received(void *argument, const struct call *call)
{
    struct console *console = argument;

    /* Never away from a pane that the operator types into or looks at alone, nor from what a key
     * that is to be pressed once more would stop. */
    if (!console->selected_by_hand && !console->keyboard_in_pane && !console->zoomed &&
        !halt_asks(console))
        console->selected = call->id;
    console_dirty(console, DIRTY_LAYOUT);
}

static void held_frozen(void *argument, const struct call *call)
{
    (void)call;
    console_dirty(argument, DIRTY_CALLS | DIRTY_PANES);
}

static void prompt_changed(void *argument, const struct call *call)
{
    (void)call;
    console_dirty(argument, DIRTY_CALLS | DIRTY_PANES | DIRTY_STATUS | DIRTY_OVERLAY);
}

/* Who allowed it sees the next request by then. */
static void say_retry(struct console *console, const struct call *call)
{
    trail_asks_again(console->trail, call->id);
    console_say(console, THEME_ASKING,
                subject_stop_inferred(call)
                    ? _("c%" PRIu64 " may have been stopped by the sandbox, and asks again")
                    : _("c%" PRIu64 " was stopped by the sandbox, and asks again"),
                call->id);
    console_about_wait(console, call->id);
}

/* What was asked for before, put aside and withdrawn does not come up over what the operator does:
 * they have said "later" to just that. */
static void asked(void *argument, const struct call *call)
{
    struct console *console = argument;
    const struct call *same = approval_queue_same(console, call);
    uint64_t before = approval_queue_asked(console, call);
    char key[24];

    if (same != NULL)
        approval_kept_take_over(console, call, same);
    if (call->prompt->retry)
        say_retry(console, call);
    prompt_changed(argument, call);
    if (before == 0)
        return;
    console_say(console, THEME_ASKING,
                _("c%" PRIu64 " asks the same as c%" PRIu64 " and is put aside, too; %s shows it"),
                call->id, before, keymap_key(&console->keymap, ACTION_ANSWER, key));
    console_about_wait(console, call->id);
}

static uint64_t newest_call(const struct console *console, const struct call *call)
{
    const struct orchestrator *orchestrator = console->setup.orchestrator;
    size_t count = orchestrator_call_count(orchestrator);

    return count > 0 ? orchestrator_call_at(orchestrator, count - 1)->id : call->id;
}

static bool is_for_once(const struct call *call)
{
    return call->decision.kind == REVIEW_APPROVED ||
           call->decision.kind == REVIEW_APPROVED_SANDBOXED;
}

/* The command stands at the end, where it is cut to fit. */
static void say_decision(struct console *console, const struct call *call)
{
    bool allowed;
    cleanup_free char *text = decision_text(console->setup.orchestrator, call,
                                            call_text_row_flags(console->theme), &allowed);

    console_say(console, allowed ? THEME_OK : THEME_FAILED, "%s %s",
                theme_glyph(console->theme, allowed ? GLYPH_OK : GLYPH_REFUSED), text);
    if (call->decision.source == DECIDED_BY_USER) {
        trail_known(console->trail);
        loop_timer_start(console->own_timer, VIEW_TRAIL_OWN_MS);
    }
    if (allowed) {
        trail_until(console->trail, newest_call(console, call));
        if (is_for_once(call))
            trail_allows(console->trail, call->id);
    } else if (orchestrator_denial_holds(call)) {
        trail_denies(console->trail, call->id);
    }
}

/* An agent that keeps asking for what is refused does not push other lines out. */
static void say_refusal(struct console *console, const struct call *call)
{
    cleanup_free char *same = decision_text_same(call);
    unsigned times = trail_again(console->trail, same);
    cleanup_free char *text = decision_text_refusal(console->setup.orchestrator, call,
                                                    call_text_row_flags(console->theme), times);

    console_say(console, THEME_FAILED, "%s %s", theme_glyph(console->theme, GLYPH_REFUSED), text);
    trail_counted(console->trail, same, times);
}

static void decided(void *argument, const struct call *call, const struct prompt *prompt)
{
    struct console *console = argument;

    /* What ran without a question is in the list; the trail is for answers, for what a rule lets
     * out, and for what was refused: the list may show older calls. */
    bool ended_with_another = call->cancelled;
    bool let_out = call->decision.source == DECIDED_BY_RULE && call->decision.unsandboxed;
    bool told = prompt != NULL || !review_kind_approves(call->decision.kind) || let_out;

    console_wait_over(console, call->id);
    if (prompt == NULL && !review_kind_approves(call->decision.kind) && !ended_with_another)
        say_refusal(console, call);
    else if ((told && !ended_with_another) || call->decision.source == DECIDED_BY_CACHE)
        say_decision(console, call);
    console_dirty(console, DIRTY_CALLS | DIRTY_PANES | DIRTY_STATUS | DIRTY_OVERLAY);
}

/* The command from the command line gets what was asked for with it. */
static void give_place(struct console *console, const struct call *call)
{
    console->selected = call->id;
    if (console->setup.zoom)
        console_set_zoom(console, true);
    if (console->setup.command_keyboard && console->overlay == NULL)
        console_set_keyboard(console, true);
}

static void attempt_started(void *argument, const struct call *call, unsigned attempt)
{
    struct console *console = argument;
    bool again = pane_set_find(&console->panes, call->id) != NULL;
    struct pane *pane;
    int rows, columns;

    (void)attempt;
    view_panes_size(console, &rows, &columns);
    pane = pane_set_add(&console->panes, call->id, call->spec->tty, rows, columns);
    if (again)
        pane_mark(pane, _("-- second attempt --"));
    pane->told_rows = 0; /* each attempt has a terminal of its own */
    if (call->id == console->setup.command_call)
        give_place(console, call);
    console_dirty(console, DIRTY_LAYOUT);
}

static void output(void *argument, const struct call *call, enum run_stream stream,
                   const char *bytes, size_t length)
{
    struct console *console = argument;
    struct pane *pane = pane_set_find(&console->panes, call->id);

    (void)stream;
    if (pane == NULL)
        return;
    if (call->patch != NULL) { /* what it changed stands above, once it has */
        strbuf_add(&pane->report, bytes, length);
        return;
    }
    pane_write(pane, bytes, length);
    awaiting_output(console, pane, call);
    if (pane->bell && pane->call == console->selected)
        console->bell = true;
    pane->bell = false;
    if (rect_empty(pane->text))
        return;
    if (!pane->following)
        console->dirty |= DIRTY_PANES; /* its title counts the lines below what is read */
    if (length < ECHO_BYTES_MAX && console->keyboard_in_pane && call->id == console->selected &&
        loop_now_ms(console->setup.loop) - console->last_key_ms <= ECHO_MS)
        screen_request_now(console->screen);
    else
        screen_request_output(console->screen);
}

/* As much of the patch as is kept of it, so that the pane and the details end at the same line. */
static void show_patch(const struct console *console, struct pane *pane, const struct call *call)
{
    size_t length = strlen(call->patch), shown = patch_kept_length(call->patch);
    cleanup_strbuf struct strbuf text = STRBUF_INIT;

    patch_text_paint(&text, console->theme, call->patch, shown);
    pane_write(pane, strbuf_str(&text), text.length);
    if (shown < length) {
        cleanup_free char *words = call_text_patch_cut(length - shown);

        pane_mark(pane, words);
    }
}

/* Of a patch that failed nothing was changed: what its program says is all there is to see. */
static void end_patch(const struct console *console, const struct call *call,
                      const struct run_result *result)
{
    struct pane *pane = pane_set_find(&console->panes, call->id);

    if (pane == NULL)
        return;
    if (result->outcome == RUN_EXITED && result->code == 0)
        show_patch(console, pane, call);
    pane_write(pane, strbuf_str(&pane->report), pane->report.length);
    strbuf_free(&pane->report);
}

static void connection_ended(void *argument, const struct call *call,
                             const struct reach_connection *connection)
{
    struct console *console = argument;
    cleanup_free char *text =
        decision_text_unreached(console->setup.orchestrator, call, connection);
    char topic[TRAIL_TOPIC_MAX];

    console_dirty(console, DIRTY_CALLS | DIRTY_PANES);
    if (text == NULL)
        return;
    console_say(console, THEME_WARNING, "%s", text);
    snprintf(topic, sizeof(topic), "%s", connection->url);
    console_about(console, topic);
    if (connection->allowed_by != 0)
        overlay_inbox_unreached(console, connection);
}

static void attempt_ended(void *argument, const struct call *call, unsigned attempt)
{
    struct console *console = argument;
    struct pane *pane = pane_set_find(&console->panes, call->id);

    if (call->patch != NULL)
        end_patch(argument, call, &call->attempts[attempt].result);
    if (pane != NULL && call->attempts[attempt].nobody_listened)
        pane_mark(
            pane,
            _("-- nobody listened: each command in the sandbox has a localhost of its own --"));
    console_dirty(argument, DIRTY_CALLS | DIRTY_PANES | DIRTY_STATUS); /* it may ask again */
}

static void say_stopped(struct console *console, const struct call *call)
{
    cleanup_free char *line = call_text_row(call, 200, console->theme);

    if (call_text_stopped_unanswered(call) && call->attempt_count > 0) /* that it ran is not lost */
        console_say(console, THEME_DIM, "c%" PRIu64 " %s: %s", call->id,
                    decision_words_stopped(true), line);
    else
        console_say(console, THEME_DIM, _("c%" PRIu64 " stopped by you: %s"), call->id, line);
}

#define TOPIC_FAILED "failed"

/* Why a call failed is news until one that came after it has ended; it stays in its details. */
static void say_failed(struct console *console, const struct call *call)
{
    console_say(console, THEME_FAILED, "c%" PRIu64 ": %s", call->id, call->failure);
    console_about(console, TOPIC_FAILED);
    console->failed_by = newest_call(console, call);
}

static void failure_is_old(struct console *console, const struct call *call)
{
    if (console->failed_by == 0 || call->id <= console->failed_by)
        return;
    console_over(console, TOPIC_FAILED);
    console->failed_by = 0;
}

/* Whoever stopped an agent, or ended calls by an answer, was told so at once. What its client
 * withdrew nobody misses. */
static void say_end(struct console *console, const struct call *call)
{
    bool by_operator = call->cancelled && call->cancelled_by == CANCELLED_BY_OPERATOR;
    bool by_client = call->cancelled && call->cancelled_by == CANCELLED_BY_CLIENT;
    bool for_program = by_client && call->reach != NULL;
    const char *why = for_program ? call_text_withdrawn(call) : call->failure;

    if (by_operator && !call->agent_stopped && !call->ended_with)
        say_stopped(console, call);
    else if (call->cancelled && !by_operator && overlay_approval_shows(console, call->id))
        console_say(console, THEME_WARNING, _("c%" PRIu64 " ended before you answered: %s"),
                    call->id, why != NULL ? why : "");
    else if (by_client && why != NULL)
        console_say(console, THEME_DIM, "c%" PRIu64 ": %s", call->id, why);
    else if (!by_operator && call->failure != NULL)
        say_failed(console, call);
}

static void finished(void *argument, const struct call *call)
{
    struct console *console = argument;
    struct pane *pane = pane_set_find(&console->panes, call->id);

    if (pane != NULL) {
        pane->ended = ++console->ended;
        pane_set_trim(&console->panes, console->selected);
    }
    console_wait_over(console, call->id);
    approval_queue_ended(console, call);
    failure_is_old(console, call);
    console_news(console, call->id);
    say_end(console, call);
    console_dirty(console, DIRTY_LAYOUT);
    if (call->id == console->setup.command_call && console->setup.exit_when_done &&
        !console->quitting && console->setup.quit != NULL) {
        console->quitting = true;
        console->setup.quit(console->setup.argument, call_exit_status(call));
    }
}

static void forgotten(void *argument, const struct call *call)
{
    struct console *console = argument;

    pane_set_remove(&console->panes, call->id);
    if (console->selected == call->id)
        console->selected = 0;
    console_dirty(console, DIRTY_LAYOUT);
}

static void grant_ended(void *argument, const struct session *session, const struct grant *grant,
                        enum grant_end end)
{
    cleanup_free char *text = decision_text_grant_end(grant, end);

    (void)session;
    if (text != NULL) /* whoever took it back is told there */
        console_say(argument, THEME_STRONG, "%s", text);
    console_dirty(argument, DIRTY_LAYOUT);
}

static bool denial_holds(const void *argument, uint64_t id)
{
    const struct call *call = orchestrator_find_call(argument, id);

    return call != NULL && orchestrator_denial_holds(call);
}

/* What the operator took back is not told as if it were so, and the list of calls says it. */
static void denials_over(struct console *console)
{
    trail_denials_over(console->trail, denial_holds, console->setup.orchestrator);
    console_dirty(console, DIRTY_LAYOUT);
}

static void notice(void *argument, enum notice_level level, const char *text)
{
    if (level == NOTICE_OPERATOR)
        denials_over(argument);
    if (level == NOTICE_ALARM)
        console_alarm(argument, text);
    else if (level != NOTICE_OPERATOR)
        console_say(argument, level == NOTICE_WARNING ? THEME_WARNING : THEME_DIM, "%s", text);
}

const struct observer *console_observer(void)
{
    static const struct observer observer = {
        .name = "console",
        .session_started = session_changed,
        .session_ended = session_ended,
        .context_changed = context_changed,
        .call_received = call_received,
        .held_frozen = held_frozen,
        .asked = asked,
        .prompt_changed = prompt_changed,
        .decided = decided,
        .attempt_started = attempt_started,
        .output = output,
        .attempt_ended = attempt_ended,
        .connection_ended = connection_ended,
        .finished = finished,
        .grant_ended = grant_ended,
        .forgotten = forgotten,
        .notice = notice,
    };

    return &observer;
}
