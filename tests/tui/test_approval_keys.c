/* SPDX-License-Identifier: MIT */
/* When a key is an answer, and when it is not. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "ui/console_int.h"

/* The only decision so far. */
static const struct fake_decision *decision(const struct tui *tui)
{
    assert_int_equal(fake_core_decisions(tui->core), 1);
    return fake_core_decision(tui->core, 0);
}

static void no_decision(const struct tui *tui)
{
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

static void ready_request(struct tui *tui, enum risk_level risk)
{
    tui_request_inside(tui, "make install", risk);
    tui_settle(tui);
    tui_wait_guard(tui);
}

static void ready_request_outside(struct tui *tui, const char *key)
{
    tui_request(tui, "make install", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "WITHOUT the sandbox (l"));
    tui_keys(tui, key);
}

/* ---- which key means what ------------------------------------------------------------------ */

static void each_key_has_its_meaning(void **state)
{
    static const struct {
        const char *key;
        enum review_kind kind;
    } table[] = {
        {"y", REVIEW_APPROVED},
        {"a", REVIEW_APPROVED_FOR_SESSION},
        {"d", REVIEW_DENIED},
        {"x", REVIEW_ABORT},
    };
    struct tui *tui = *state;

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        ready_request(tui, RISK_MEDIUM);
        tui_keys(tui, table[i].key);
        assert_int_equal(fake_core_decisions(tui->core), i + 1);
        assert_int_equal(fake_core_decision(tui->core, i)->kind, table[i].kind);
        assert_int_equal(fake_core_decision(tui->core, i)->prompt, i + 1);
        assert_int_equal(fake_core_decision(tui->core, i)->revision, 1);
    }
}

/* Once is one key; what goes on leaving the sandbox takes Enter, too, whatever the risk. */
static void leaving_the_sandbox_for_longer_takes_two_keys(void **state)
{
    struct tui *tui = *state;

    ready_request_outside(tui, "y");
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_APPROVED);
    ready_request_outside(tui, "a");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_true(tui_shows(tui, "Enter confirms: session, WITHOUT the sandbox. Any other"));
    tui_keys(tui, "a"); /* not the same key twice */
    assert_int_equal(fake_core_decisions(tui->core), 1);
    tui_keys(tui, "a");
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_int_equal(fake_core_decision(tui->core, 1)->kind, REVIEW_APPROVED_FOR_SESSION);
}

#define F6 "\x1b[17~"
#define F7 "\x1b[18~"
#define F8 "\x1b[19~"
#define F9 "\x1b[20~"

/* What holds can be looked at from a request. */
static void what_holds_is_shown_over_a_request(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_LOW);
    tui_keys(tui, F6);
    assert_true(tui_shows(tui, "What holds without a question"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    assert_false(tui_shows(tui, "What holds without a question"));
    assert_true(tui_shows(tui, "c1 asks. May it run"));
}

static void keys_of_the_prompt_line_say_so(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_LOW);
    tui_keys(tui, F8);
    assert_true(tui_shows(tui, "That key is the prompt line's: put the request aside first."));
    tui_keys(tui, "\r"); /* no answer */
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

/* Where any other key goes back they all do, and the brake brakes as well. */
static void any_other_key_goes_back(void **state)
{
    static const char *const keys[] = {F6, F7, F8, F9, "v", "?", "\x1b", "q"};
    struct tui *tui = *state;

    ready_request(tui, RISK_HIGH);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        tui_keys(tui, "y");
        assert_true(tui_shows(tui, "Any other key goes back"));
        tui_keys(tui, keys[i]);
        tui_advance(tui, 100);
        assert_true(tui_shows(tui, "Not allowed yet."));
        assert_true(tui_shows(tui, "c1 asks. May it run"));
        assert_int_equal(fake_core_decisions(tui->core), 0);
        tui_wait_guard(tui);
    }
    assert_true(orchestrator_is_frozen(tui->core));
}

/* A question of an agent's; what is typed for elsewhere as its line opens is no answer. */
static void an_answer_line_has_a_guard_too(void **state)
{
    struct tui *tui = *state;
    cleanup_wording struct wording *reason = wording_from("Asked.");
    const struct prompt prompt = {.reason = reason, .under = reason};
    struct call *call = fake_core_call(tui->core, tui->agent, "Your name?");

    call->wants_words = call->secret_words = true;
    fake_core_ask(tui->core, call, &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_keys(tui, "rm -rf x\r");
    no_decision(tui);
    assert_true(tui_shows(tui, "That key came too soon"));
    tui_wait_guard(tui);
    tui_keys(tui, "Ada");
    assert_true(tui_shows(tui, "***"));
    assert_false(tui_shows(tui, "Ada"));
    tui_keys(tui, "\r");
    assert_string_equal(decision(tui)->message, "Ada");
}

/* `y` Enter answers what is grave; of what is not, Enter comes upon the next request. */
static void enter_behind_an_answer_is_for_that_one(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make", RISK_LOW);
    tui_request(tui, "make check", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_true(tui_shows(tui, "Enter came right behind the last answer"));
    tui_keys(tui, "\x1b[A\x1b[B\r"); /* up, down: deny */
    assert_int_equal(fake_core_decisions(tui->core), 2);
    assert_int_equal(fake_core_decision(tui->core, 1)->kind, REVIEW_DENIED);
}

/* A request that has gone leaves the keys of its answer to the prompt line. */
static void an_answer_is_no_program(void **state)
{
    static const char *const lines[] = {"y\r", "d\r", "x\r"};
    struct tui *tui = *state;

    tui_keys(tui, "\r");
    assert_false(tui_shows(tui, "is an answer"));
    for (size_t i = 0; i < 3; i++) {
        tui_keys(tui, lines[i]);
        assert_true(tui_shows(tui, "is an answer, and was not run: no request waits"));
        assert_null(orchestrator_find_call(tui->core, 1));
    }
    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 2000);
    tui_keys(tui, "y\r");
    assert_true(tui_shows(tui, "shows the request that waits"));
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

static void answers_that_are_not_offered_do_nothing(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request(tui, "make", RISK_LOW);

    call->prompt->may_approve_for_session = false;
    fake_core_raise(tui->core, call, RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "a");
    assert_true(tui_shows(tui, "This request can only be allowed once."));
    tui_keys(tui, "p");
    no_decision(tui);
    assert_true(tui_shows(tui, "No rule is offered for this request."));
    tui_keys(tui, "q");
    tui_keys(tui, "Y");
    tui_keys(tui, "\x1by"); /* Alt-y is another key */
    tui_advance(tui, 50);
    no_decision(tui);
}

/* Whoever looks for the answers that hold for longer reads that they are missing, under the keys
 * that they would have, and why. */
static void once_only_says_which_answers_are_missing(void **state)
{
    static const char *const keys[] = {"approve-session=S", NULL};
    const struct tui_options options = {.keys = keys};
    struct tui *tui = *state;
    struct prompt prompt = {.once_reason = "it brings its own input"};

    fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "make"), &prompt);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, " no a, no p: it brings its own input"));
    tui_stop(tui);
    tui_start(tui, 24, 80, &options);
    prompt.ladder = XNEW(struct ladder);
    prompt.ladder->steps[0] = (struct ladder_step){
        .width = LADDER_ANYWHERE, .words = strv_copy((const char *const[]){"make", NULL})};
    prompt.ladder->count = 1;
    fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "make"), &prompt);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, " no S: it brings its own input"));
}

/* Left and right change how wide the rule is, Tab how long it lasts; what is refused cannot be
 * chosen. */
static void a_rule_is_chosen_by_its_width(void **state)
{
    static const char *const words[] = {"make", "lint", NULL}, *const program[] = {"make", NULL};
    struct tui *tui = *state;
    static const char why_not[] = "outside the sandbox only exactly this command can be remembered";
    struct call *call = fake_core_call(tui->core, tui->agent, "make lint");
    struct prompt prompt = {.ladder = XNEW(struct ladder)};

    *prompt.ladder = (struct ladder){
        .steps = {{.width = LADDER_ANYWHERE, .words = strv_copy(words), .exact = true},
                  {.width = LADDER_SUBCOMMAND, .words = strv_copy(words)},
                  {.width = LADDER_PROGRAM, .words = strv_copy(program), .refused = why_not}},
        .count = 3,
        .first = 1,
    };
    fake_core_ask(tui->core, call, &prompt);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b[C");
    tui_keys(tui, "\x1b[C"); /* there is nothing wider */
    tui_keys(tui, "p");
    no_decision(tui);
    assert_true(tui_shows(tui, "This rule is not offered"));
    assert_true(tui_shows(tui, "not offered: outside the sandbox"));
    assert_true(tui_shows(tui, "can be remembered")); /* on a row of its own */
    assert_true(tui_shows(tui, "Would allow"));
    assert_false(tui_shows(tui, "p allows"));
    assert_false(tui_shows(tui, "p  allow this rule"));
    tui_keys(tui, "\x1b[D");
    assert_true(tui_shows(tui, "p allows"));
    assert_true(tui_shows(tui, "p  allow this rule for this project"));
    tui_keys(tui, "\x1b[D");
    tui_keys(tui, "\t");
    assert_true(tui_shows(tui, "p  allow this rule for this session"));
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "exactly this, in any directory"));
    tui_keys(tui, "p");
    tui_settle(tui);
    assert_int_equal(fake_core_decisions(tui->core), 1);
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_APPROVED_AMENDMENT);
    assert_int_equal(fake_core_decision(tui->core, 0)->choice.step, 0);
    assert_int_equal(fake_core_decision(tui->core, 0)->choice.scope, LADDER_SESSION);
}

static void the_cursor_starts_on_deny(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_LOW);
    tui_keys(tui, "\r");
    assert_int_equal(decision(tui)->kind, REVIEW_DENIED);
}

static void arrows_and_enter_choose(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_LOW);
    tui_keys(tui, "\x1b[A\x1b[A\r");
    assert_int_equal(decision(tui)->kind, REVIEW_APPROVED);
}

static void a_denial_carries_a_message(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_LOW);
    tui_keys(tui, "n");
    no_decision(tui);
    tui_keys(tui, "use the copy in vendor/ y");
    tui_keys(tui, "\r");
    assert_int_equal(decision(tui)->kind, REVIEW_DENIED);
    assert_string_equal(decision(tui)->message, "use the copy in vendor/ y");
}

static void escape_leaves_the_message_and_the_request_stays(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_LOW);
    tui_keys(tui, "n");
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    no_decision(tui);
    assert_true(tui_shows(tui, "May it run"));
    tui_keys(tui, "d");
    assert_string_equal(decision(tui)->message, "");
}

/* ---- keys that do not count ---------------------------------------------------------------- */

static void keys_before_the_guard_time_are_swallowed(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make", RISK_LOW);
    tui_keys(tui, "y"); /* typed while the request was on its way */
    tui_keys(tui, "y");
    no_decision(tui);
    assert_true(tui_shows(tui, "May it run"));
    tui_advance(tui, 300);
    no_decision(tui);
    tui_keys(tui, "y"); /* 300 ms later, and the pause starts anew */
    no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(decision(tui)->kind, REVIEW_APPROVED);
}

static void typing_on_never_answers(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make", RISK_LOW);
    for (int i = 0; i < 20; i++) {
        tui_keys(tui, "y");
        tui_advance(tui, 100);
    }
    no_decision(tui);
}

/* ":answer" meant for the prompt line, with a request that has been there for long. */
static void words_for_elsewhere_never_answer(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_LOW);
    tui_keys(tui, ":answer\r");
    no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(decision(tui)->kind, REVIEW_APPROVED);
}

static void a_new_revision_raises_the_guard_again(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request(tui, "make", RISK_LOW);

    tui_settle(tui);
    tui_wait_guard(tui);
    fake_core_raise(tui->core, call, RISK_MEDIUM);
    tui_settle(tui);
    tui_keys(tui, "y");
    no_decision(tui);
    assert_true(tui_shows(tui, "medium"));
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(decision(tui)->revision, 2);
}

/* A change that has not been drawn yet: the key belongs to what was on the screen. */
static void a_key_for_what_was_shown_before_is_swallowed(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request(tui, "make", RISK_LOW);

    tui_settle(tui);
    tui_wait_guard(tui);
    fake_core_raise(tui->core, call, RISK_HIGH);
    tui_keys(tui, "y");
    tui_keys(tui, "\r");
    no_decision(tui);
}

static void a_new_size_raises_the_guard_again(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_LOW);
    tui_resize(tui, 30, 100);
    tui_keys(tui, "y");
    no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(decision(tui)->kind, REVIEW_APPROVED);
}

static void the_next_request_has_a_guard_of_its_own(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make one", RISK_LOW);
    tui_request(tui, "make two", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "1 more waits"));
    tui_keys(tui, "yyy");
    assert_int_equal(decision(tui)->prompt, 1);
    assert_true(tui_shows(tui, "make two"));
    assert_false(tui_shows(tui, "yy")); /* nor are they left on the prompt line */
}

static void a_paste_never_answers(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_LOW);
    tui_keys(tui, "\x1b[200~y\ra\r\x1b[201~");
    no_decision(tui);
    assert_true(tui_shows(tui, "Pasted text is no answer, and was dropped."));
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_int_equal(decision(tui)->kind, REVIEW_DENIED);
}

static void a_paste_that_ends_itself_never_answers(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_HIGH);
    tui_keys(tui, "y");
    tui_keys(tui, "\x1b[200~text\x1b[201~\ry\r");
    no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\r"); /* it is not confirmed: this is for the marked answer, and asks again */
    no_decision(tui);
}

static void a_pane_with_the_keyboard_keeps_it(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "cat");

    fake_core_start(tui->core, call, "workspace-write");
    tui_settle(tui);
    tui_keys(tui, "\x1b[24~");
    tui_request(tui, "make", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_false(tui_shows(tui, "May it run"));
    assert_true(tui_shows(tui, "1 waiting"));
    tui_keys(tui, "y");
    no_decision(tui);
    assert_string_equal(fake_core_typed(tui->core), "y");
    tui_keys(tui, "\x1c"); /* Ctrl-\ gives it back; the request comes up with its guard */
    assert_true(tui_shows(tui, "May it run"));
    tui_keys(tui, "y");
    no_decision(tui);
}

/* ---- what takes more than a key ------------------------------------------------------------ */

static void high_risk_takes_enter(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_HIGH);
    tui_keys(tui, "y");
    no_decision(tui);
    assert_true(tui_shows(tui, "Enter confirms"));
    tui_keys(tui, "y"); /* anything but Enter takes it back */
    no_decision(tui);
    tui_keys(tui, "y");
    no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(decision(tui)->kind, REVIEW_APPROVED);
}

/* Some terminals hand a pasted text on as keys, in one piece: nothing in it is the second key. */
static void what_confirms_comes_behind_a_look(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_HIGH);
    tui_keys(tui, "y\ry\ryes please a\r");
    no_decision(tui);
    assert_true(tui_shows(tui, "That key came too soon"));
    tui_wait_guard(tui);
    assert_false(tui_shows(tui, "Enter confirms"));
    tui_keys(tui, "y");
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(decision(tui)->kind, REVIEW_APPROVED);
}

/* Somebody goes on typing words into the overlay, with an Enter at the end, and another. */
static void what_was_taken_back_is_not_under_enter(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_HIGH);
    tui_keys(tui, "y");
    tui_keys(tui, "s");
    no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(decision(tui)->kind, REVIEW_DENIED);
}

static void high_risk_is_denied_by_one_key(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_HIGH);
    tui_keys(tui, "d");
    assert_int_equal(decision(tui)->kind, REVIEW_DENIED);
}

static void text_that_cannot_be_shown_takes_enter(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "echo \x1b[2J", RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "echo <ESC>[2J"));
    tui_keys(tui, "y");
    no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(decision(tui)->kind, REVIEW_APPROVED);
}

static void all_of_a_long_command_must_be_seen(void **state)
{
    struct tui *tui = *state;
    char line[4001];

    memset(line, 'a', sizeof(line) - 1);
    memcpy(line, "echo ", 5);
    line[sizeof(line) - 1] = '\0';
    tui_request(tui, line, RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "4000 bytes"));
    tui_keys(tui, "y");
    no_decision(tui);
    assert_true(tui_shows(tui, "Read all of the command first"));
    /* A key that leaps to the end has not shown the middle. */
    tui_keys(tui, "\x1b[F");
    assert_true(tui_shows(tui, "unread from"));
    tui_keys(tui, "y");
    no_decision(tui);
    tui_keys(tui, "\x1b[H");
    for (int i = 0; i < 100 && !tui_shows(tui, "PgUp"); i++) {
        assert_true(tui_shows(tui, "PgDn"));
        tui_keys(tui, "\x1b[6~");
    }
    assert_false(tui_shows(tui, "PgDn"));
    tui_keys(tui, "y");
    assert_int_equal(decision(tui)->kind, REVIEW_APPROVED);
}

static void the_end_may_be_seen_in_the_full_view(void **state)
{
    struct tui *tui = *state;
    char line[4001];

    memset(line, 'a', sizeof(line) - 1);
    line[sizeof(line) - 1] = '\0';
    tui_request(tui, line, RISK_LOW);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "\x01"); /* Ctrl-A */
    assert_true(tui_shows(tui, "everything about c1"));
    tui_keys(tui, "q");
    tui_keys(tui, "y");
    no_decision(tui);
    tui_keys(tui, "v");
    tui_keys(tui, "G");
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_keys(tui, "y");
    assert_int_equal(decision(tui)->kind, REVIEW_APPROVED);
}

/* An answer that allows more than one request names the others before it counts. */
static void what_else_would_run_must_be_seen(void **state)
{
    static const uint64_t others[] = {7, 8};
    struct tui *tui = *state;

    ready_request(tui, RISK_LOW);
    fake_core_release(tui->core, others, 2);
    tui_keys(tui, "a"); /* pressed for what was on the screen before */
    no_decision(tui);
    assert_true(tui_shows(tui, "a also allows c7, c8"));
    tui_keys(tui, "a");
    no_decision(tui);
    assert_true(tui_shows(tui, "look again"));
    tui_wait_guard(tui);
    tui_keys(tui, "a");
    assert_int_equal(decision(tui)->kind, REVIEW_APPROVED_FOR_SESSION);
}

/* ---- putting aside, and requests that go away ---------------------------------------------- */

static void escape_never_decides(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_LOW);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    no_decision(tui);
    assert_false(tui_shows(tui, "May it run"));
    assert_true(tui_shows(tui, "1 waiting: F2"));
    tui_keys(tui, "\x1bOQ"); /* F2 */
    assert_true(tui_shows(tui, "May it run"));
    tui_keys(tui, "y"); /* it has only just come back */
    no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(decision(tui)->kind, REVIEW_APPROVED);
}

/* The next request comes up at once, and must not pass for the one that was there. */
static void the_next_one_says_what_it_replaces(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make first", RISK_LOW);
    ready_request(tui, RISK_LOW);
    assert_true(tui_shows(tui, "Esc put aside, show next"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    no_decision(tui);
    assert_true(tui_shows(tui, "c2 asks. May it run"));
    assert_true(tui_shows(tui, "c1 is put aside, this is c2"));
    assert_false(tui_shows(tui, "(next)"));
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    assert_true(tui_shows(tui, "c2 is put aside and goes on waiting; F2"));
    assert_true(tui_shows(tui, "2 waiting: F2"));
    tui_keys(tui, "\x1bOQ"); /* F2 */
    assert_true(tui_shows(tui, "c1 asks. May it run"));
    assert_false(tui_shows(tui, "is put aside"));
}

/* Does the list beside the request say that of the call? */
static bool listed(const struct tui *tui, const char *call, const char *standing)
{
    cleanup_free char *line = NULL;
    int row, column;

    assert_true(tui_find(tui, call, &row, &column));
    line = outer_row(tui->outer, row);
    return strstr(line, standing) != NULL;
}

static void what_is_taken_back_waits_again(void **state)
{
    struct tui *tui = *state;

    tui_resize(tui, 50, 200);
    tui_request(tui, "make first", RISK_LOW);
    ready_request(tui, RISK_LOW);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    assert_true(listed(tui, " c1 ", "put aside"));
    tui_keys(tui, "\x1bOQ"); /* F2 */
    assert_true(tui_shows(tui, "c1 asks. May it run"));
    assert_true(listed(tui, " c1 ", "waiting"));
    assert_true(listed(tui, " c2 ", "waiting"));
}

/* "c2 is put aside, this is c1" is said of the key just pressed, and while it is so. */
static void what_was_put_aside_is_not_told_later(void **state)
{
    struct tui *tui = *state;
    struct call *first = tui_request(tui, "make first", RISK_LOW);

    tui_request(tui, "make second", RISK_LOW);
    tui_settle(tui);
    tui_keys(tui, "\x1b[20~"); /* F9: one is opened there and put aside */
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_wait_guard(tui);
    tui_keys(tui, "j\r"); /* and the other one later */
    assert_true(tui_shows(tui, "c2 asks. May it run"));
    assert_false(tui_shows(tui, "is put aside, this is"));
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_keys(tui, "\t");
    tui_keys(tui, "\x1bOQ"); /* F2 */
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    assert_true(tui_shows(tui, "c1 is put aside, this is c2"));
    fake_core_withdraw(tui->core, first);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c2 asks. May it run"));
    assert_false(tui_shows(tui, "is put aside, this is"));
}

/* Neither armed nor marked: the next Enter denies. */
static void another_size_takes_the_mark_back(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_HIGH);
    tui_keys(tui, "y");
    tui_resize(tui, 30, 100);
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(decision(tui)->kind, REVIEW_DENIED);
}

/* The answer itself says how long a rule holds, and that what it allows leaves the sandbox. */
static void a_rule_says_what_it_lets_out(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "touch x");
    struct prompt prompt = {.ladder = XNEW(struct ladder), .sandbox = ATTEMPT_UNSANDBOXED};

    prompt.ladder->steps[0] =
        (struct ladder_step){.width = LADDER_ANYWHERE,
                             .words = strv_copy((const char *const[]){"touch", "x", NULL}),
                             .exact = true,
                             .bypass = true};
    prompt.ladder->count = 1;
    fake_core_ask(tui->core, call, &prompt);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "p  allow this rule for this project, WITHOUT the sandbox"));
    tui_keys(tui, "\t");
    assert_true(tui_shows(tui, "p  allow this rule for this session, WITHOUT the sandbox"));
    tui_keys(tui, "p"); /* fewer words, where there is room for no more */
    assert_true(tui_shows(tui, "Enter confirms: rule (session), WITHOUT sandbox."));
}

static void a_host_says_how_long_it_is_allowed(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "curl example.org");
    struct prompt prompt = {.ladder = XNEW(struct ladder)};

    prompt.ladder->steps[0] = (struct ladder_step){
        .width = LADDER_HOST, .words = strv_copy((const char *const[]){"https://a.example", NULL})};
    prompt.ladder->count = 1;
    fake_core_ask(tui->core, call, &prompt);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "p  allow this host for this project"));
    tui_keys(tui, "\t");
    assert_true(tui_shows(tui, "p  allow this host for this session"));
}

/* Where that answers for the session as well, the rule is for the project. */
static void a_host_has_one_answer_for_the_session(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "curl example.org");
    struct prompt prompt = {.ladder = XNEW(struct ladder), .may_approve_for_session = true};

    prompt.ladder->steps[0] = (struct ladder_step){
        .width = LADDER_HOST, .words = strv_copy((const char *const[]){"https://a.example", NULL})};
    prompt.ladder->count = 1;
    fake_core_ask(tui->core, call, &prompt);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "a  allow for this session"));
    assert_true(tui_shows(tui, "p  allow this host for this project"));
    assert_false(tui_shows(tui, "(Tab)"));
    tui_keys(tui, "\t");
    assert_true(tui_shows(tui, "p  allow this host for this project"));
    assert_true(tui_shows(tui, "For the session there is the answer above"));
}

/* A connection that a command asks for is no other call. */
static void ending_others_counts_calls_alone(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    shared->open_calls = 3; /* with this one */
    shared->open_reaches = 1;
    fake_core_request(tui->core, shared, "make", RISK_LOW, false);
    tui_settle(tui);
    assert_true(tui_shows(tui, "deny, end 1 other call of the shared session"));
}

/* A rule is a decision about more than the command: all of it must have been on the screen. */
static void a_long_rule_is_read_to_its_end(void **state)
{
    cleanup_wording struct wording *words = wording_from("Asked.");
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "touch x");
    struct ladder *ladder = XNEW(struct ladder);
    cleanup_strbuf struct strbuf file = STRBUF_INIT;
    struct prompt prompt = {.reason = words, .under = words, .ladder = ladder};

    for (int i = 0; i < 60; i++)
        strbuf_addstr(&file, "/directory");
    strbuf_addstr(&file, "/the-end");
    ladder->steps[0] = (struct ladder_step){
        .width = LADDER_SUBCOMMAND,
        .words = strv_copy((const char *const[]){"touch", strbuf_str(&file), NULL})};
    ladder->steps[1] = (struct ladder_step){
        .width = LADDER_SUBCOMMAND,
        .words = strv_copy((const char *const[]){"touch", "/home/ann/shop/one/two/three/four/five",
                                                 "/home/ann/shop/six/the-end", NULL})};
    ladder->count = 2;
    fake_core_ask(tui->core, call, &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
    assert_false(tui_shows(tui, "the-end"));
    tui_keys(tui, "p");
    no_decision(tui);
    assert_true(tui_shows(tui, "The rule is longer than its place"));
    tui_keys(tui, "\x1b[C"); /* the other one takes two rows */
    assert_true(tui_shows(tui, "six/the-end"));
    tui_keys(tui, "\x1b[D");
    tui_keys(tui, "p");
    no_decision(tui);
    tui_keys(tui, "v");
    tui_keys(tui, "G");
    assert_true(tui_shows(tui, "the-end"));
    tui_keys(tui, "q");
    tui_keys(tui, "p");
    assert_int_equal(decision(tui)->kind, REVIEW_APPROVED_AMENDMENT);
}

static void a_request_taken_back_closes(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request(tui, "make", RISK_LOW);

    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "n");
    tui_keys(tui, "half a mess");
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    assert_false(tui_shows(tui, "May it run"));
    assert_false(tui_shows(tui, "half a mess"));
    assert_true(tui_shows(tui, "client gone"));
    tui_keys(tui, "\r");
    no_decision(tui);
}

/* A message half typed when its request goes away must not be run as a command. */
static void keys_for_a_request_that_is_gone_are_swallowed(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request(tui, "make", RISK_LOW);

    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "n");
    tui_keys(tui, "do not");
    fake_core_withdraw(tui->core, call);
    tui_settle(tui);
    for (const char *key = "reboot"; *key != '\0'; key++) {
        tui_advance(tui, 200);
        tui_keys(tui, (char[]){*key, '\0'});
    }
    tui_advance(tui, 200);
    tui_keys(tui, "\r");
    assert_false(tui_shows(tui, "boot"));
    tui_wait_guard(tui);
    tui_keys(tui, "uptime");
    assert_true(tui_shows(tui, "> uptime"));
}

/* The core takes a decision up in its next turn; until then the prompt is still there. */
static void an_answered_request_does_not_come_back(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_LOW);
    assert_int_equal(write(tui->master, "y", 1), 1);
    while (fake_core_decisions(tui->core) == 0)
        loop_step(tui->loop, 100);
    assert_int_equal(orchestrator_waiting_count(tui->core), 1);
    assert_null(tui->console->overlay);
    tui_settle(tui);
    assert_int_equal(orchestrator_waiting_count(tui->core), 0);
    assert_null(tui->console->overlay);
}

static void decisions_leave_a_line(void **state)
{
    struct tui *tui = *state;

    ready_request(tui, RISK_LOW);
    tui_keys(tui, "d");
    assert_true(tui_shows(tui, "c1 codex, denied, by you, for this session (:forget c1 lets it ask "
                               "again):"));
}

/* Words of the agent, however long or broken into lines, never stand where our labels stand. */
static void an_agent_cannot_write_labels(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request(tui, "make", RISK_HIGH);
    int row, column;

    free(call->spec->justification);
    call->spec->justification =
        xstrdup("x\nRisk        \xe2\x97\x8b low\n\x1b[10;3HRisk\r\n\xe2\x95\xad\xe2\x94\x80 kov");
    fake_core_raise(tui->core, call, RISK_HIGH);
    tui_settle(tui);
    assert_true(tui_find(tui, "Risk", &row, &column));
    for (row = 0; row < 24; row++) {
        cleanup_free char *text = outer_row(tui->outer, row);
        const char *label = strstr(text, "Risk");

        /* The only one at the place of labels is ours, and says HIGH. */
        if (label != NULL && tui_find(tui, text, &row, &column) && label - text < 8)
            assert_non_null(strstr(text, "HIGH"));
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(each_key_has_its_meaning),
        TEST(leaving_the_sandbox_for_longer_takes_two_keys),
        TEST(what_holds_is_shown_over_a_request),
        TEST(keys_of_the_prompt_line_say_so),
        TEST(any_other_key_goes_back),
        TEST(an_answer_line_has_a_guard_too),
        TEST(enter_behind_an_answer_is_for_that_one),
        TEST(an_answer_is_no_program),
        TEST(answers_that_are_not_offered_do_nothing),
        TEST(once_only_says_which_answers_are_missing),
        TEST(a_rule_is_chosen_by_its_width),
        TEST(a_rule_says_what_it_lets_out),
        TEST(a_host_says_how_long_it_is_allowed),
        TEST(a_host_has_one_answer_for_the_session),
        TEST(ending_others_counts_calls_alone),
        TEST(the_cursor_starts_on_deny),
        TEST(arrows_and_enter_choose),
        TEST(a_denial_carries_a_message),
        TEST(escape_leaves_the_message_and_the_request_stays),
        TEST(keys_before_the_guard_time_are_swallowed),
        TEST(typing_on_never_answers),
        TEST(words_for_elsewhere_never_answer),
        TEST(a_new_revision_raises_the_guard_again),
        TEST(a_key_for_what_was_shown_before_is_swallowed),
        TEST(a_new_size_raises_the_guard_again),
        TEST(the_next_request_has_a_guard_of_its_own),
        TEST(a_paste_never_answers),
        TEST(a_paste_that_ends_itself_never_answers),
        TEST(a_pane_with_the_keyboard_keeps_it),
        TEST(high_risk_takes_enter),
        TEST(what_confirms_comes_behind_a_look),
        TEST(what_was_taken_back_is_not_under_enter),
        TEST(high_risk_is_denied_by_one_key),
        TEST(text_that_cannot_be_shown_takes_enter),
        TEST(all_of_a_long_command_must_be_seen),
        TEST(the_end_may_be_seen_in_the_full_view),
        TEST(what_else_would_run_must_be_seen),
        TEST(escape_never_decides),
        TEST(the_next_one_says_what_it_replaces),
        TEST(what_is_taken_back_waits_again),
        TEST(what_was_put_aside_is_not_told_later),
        TEST(another_size_takes_the_mark_back),
        TEST(a_long_rule_is_read_to_its_end),
        TEST(a_request_taken_back_closes),
        TEST(keys_for_a_request_that_is_gone_are_swallowed),
        TEST(an_answered_request_does_not_come_back),
        TEST(decisions_leave_a_line),
        TEST(an_agent_cannot_write_labels),
    };

    return cmocka_run_group_tests_name("approval keys", tests, NULL, NULL);
}
