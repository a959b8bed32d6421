/* SPDX-License-Identifier: MIT */
/* Which key is which answer to a request, and what putting it aside does. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "approval/prompt.h"
#include "approval/retry_path.h"
#include "base/alloc.h"
#include "base/array.h"
#include "ui/approval_words.h"
#include "ui/console_int.h"

#define F6 "\x1b[17~"
#define F8 "\x1b[19~"
#define F10 "\x1b[21~"
#define F9 "\x1b[20~"

/* Every no holds for the session, and what lifts that is said where words are written. */
static void every_no_says_that_it_holds(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    assert_true(tui_shows(tui, "d  deny just this, for this session (:undo lets it ask again)"));
    assert_true(tui_shows(tui, "n  deny (session), and say why"));
    assert_true(tui_shows(tui, "x↵ deny (session), same as d: nothing else to end"));
    tui_keys(tui, "n");
    assert_true(tui_shows(tui, "It holds for this session; :forget c1 lets it ask again."));
}

/* Where nothing else ends, x is no other no, but to an agent that hears more in it. */
static void an_agent_of_own_tools_may_stop(void **state)
{
    struct tui *tui = *state;

    tui->agent->advisory = true;
    tui_ready_request(tui, RISK_LOW);
    assert_true(tui_shows(tui, "x↵ deny (session); the agent may stop"));
}

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
        tui_ready_request(tui, RISK_MEDIUM);
        tui_keys(tui, table[i].key);
        if (table[i].kind == REVIEW_ABORT) {
            tui_wait_guard(tui);
            tui_keys(tui, "\r");
        }
        assert_int_equal(fake_core_decisions(tui->core), i + 1);
        assert_int_equal(fake_core_decision(tui->core, i)->kind, table[i].kind);
        assert_int_equal(fake_core_decision(tui->core, i)->prompt, i + 1);
        assert_int_equal(fake_core_decision(tui->core, i)->revision, 1);
    }
}

static void ready_request_to_leave(struct tui *tui, enum risk_level risk)
{
    tui_request(tui, "make install", risk);
    tui_settle(tui);
    tui_wait_next(tui);
}

/* What asks to leave the sandbox can be kept inside; what does not is not asked about that. */
static void what_asks_to_leave_can_be_kept_inside(void **state)
{
    struct tui *tui = *state;

    ready_request_to_leave(tui, RISK_MEDIUM);
    assert_true(tui_shows(tui, "y↵ allow once, WITHOUT the sandbox"));
    assert_true(tui_shows(tui, "i  allow once, but in the sandbox"));
    tui_keys(tui, "i");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED_SANDBOXED);

    tui_ready_request(tui, RISK_MEDIUM);
    assert_false(tui_shows(tui, "but in the sandbox"));
    tui_keys(tui, "i");
    assert_true(tui_shows(tui, "This answer is not offered here."));
    assert_int_equal(fake_core_decisions(tui->core), 1);
}

/* What it reads by itself is nowhere to be seen before: that is said where files would be named. */
static void everything_says_that_no_file_is_named(void **state)
{
    struct prompt prompt = {.sandbox = ATTEMPT_UNSANDBOXED};
    struct tui *tui = *state;

    for (int reads = 0; reads <= 1; reads++) {
        prompt.once_reason = reads ? "it can run code from files that agents can change"
                                   : "its program is not an installed one";
        fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "pip check"), &prompt);
        tui_wait_guard(tui);
        tui_keys(tui, "v");
        tui_keys(tui, "/names no\r");
        assert_int_equal(tui_shows(tui, "the command names no file"), reads);
        tui_keys(tui, "\x1b");
        tui_advance(tui, 50);
        tui_keys(tui, "q");
        tui_wait_guard(tui);
        tui_keys(tui, "d");
        tui_settle(tui);
    }
}

/* Which program it is that agents can change, and why there is no answer for the session. */
static void what_can_only_be_allowed_once_is_named(void **state)
{
    struct prompt prompt = {.sandbox = ATTEMPT_UNSANDBOXED,
                            .once_reason = "it names a program that agents can change",
                            .once_names = xstrdup("build/te\x1bst")};
    struct tui *tui = *state;

    fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "cp build/test /opt"), &prompt);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "no a, no p: it names a program that agents can change:"));
    assert_true(tui_shows(tui, "build/te<ESC>st"));
    free(prompt.once_names);
}

/* Nor a path for longer. */
static void a_path_that_is_for_once_says_why(void **state)
{
    struct prompt prompt = {.retry = true,
                            .sandbox = ATTEMPT_UNSANDBOXED,
                            .path = xstrdup("/opt/calc"),
                            .once_reason = "its program is not an installed one"};
    struct tui *tui = *state;

    fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "./put /opt/calc"), &prompt);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "no a, no p, no W: its program is not an installed one"));
    tui_keys(tui, "W");
    assert_true(tui_shows(tui, "│ no a, no p, no W: its program is not an installed one"));
    free(prompt.path);
}

/* The sandbox that would hold it is told with all else that is known. */
static void everything_names_the_sandbox_that_it_would_be_kept_in(void **state)
{
    struct tui *tui = *state;

    ready_request_to_leave(tui, RISK_MEDIUM);
    tui_keys(tui, "v");
    tui_keys(tui, "G");
    for (int line = 0; line < 40 && !tui_shows(tui, "In the sandbox"); line++)
        tui_keys(tui, "k");
    assert_true(tui_shows(tui, "In the sandbox"));
}

/* What holds can be looked at from a request. */
static void what_holds_is_shown_over_a_request(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
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

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "\x1bOS"); /* F4 */
    assert_true(tui_shows(tui, "That key is for the prompt line: put the request aside first."));
    tui_keys(tui, "\r"); /* no answer */
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

/* The console can be left from a request as from the prompt line: that goes out of the way of the
 * question, and nothing is answered by it. */
static void the_console_can_be_left(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make first", RISK_LOW);
    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, F10);
    assert_true(tui_shows(tui, "F10 once more ends the console: 2 waiting requests are denied"));
    assert_false(tui_shows(tui, "May it run"));
    /* What has come since was not asked about; and nothing comes up over the question. */
    tui_ready_request(tui, RISK_LOW);
    assert_false(tui_shows(tui, "May it run"));
    tui_keys(tui, F10);
    assert_int_equal(tui->quit_status, -1);
    assert_true(tui_shows(tui, "F10 once more ends the console: 3 waiting requests are denied"));
    tui_keys(tui, F10);
    assert_int_equal(tui->quit_status, 0);
    tui_no_decision(tui);
}

/* When nothing is asked any more, the request is there again. */
static void what_went_out_of_the_way_comes_back(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, F10);
    assert_false(tui_shows(tui, "May it run"));
    tui_advance(tui, 16000);
    assert_true(tui_shows(tui, "c1 asks. May it run"));
    tui_keys(tui, F10);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 100);
    assert_true(tui_shows(tui, "c1 asks. May it run"));
    assert_int_equal(tui->quit_status, -1);
    tui_no_decision(tui);
}

/* Where any key takes back an answer that waits for Enter, so does that one. */
static void leaving_takes_an_answer_back_first(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_HIGH);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "Enter confirms"));
    tui_keys(tui, F10);
    assert_true(tui_shows(tui, "Not allowed yet. Choose an answer."));
    assert_true(tui_shows(tui, "May it run"));
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
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "No rule is offered for this request."));
    tui_keys(tui, "q");
    tui_keys(tui, "Y");
    tui_keys(tui, "\x1by"); /* Alt-y is another key */
    tui_advance(tui, 50);
    tui_no_decision(tui);
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
    for (const char *key = "apl"; *key != '\0'; key++) { /* as the keys themselves say */
        tui_keys(tui, (char[]){*key, '\0'});
        assert_true(tui_shows(tui, "│ no a, no p: it brings its own input"));
        tui_keys(tui, "z");
        tui_wait_guard(tui);
    }
    tui_stop(tui);
    tui_start(tui, 24, 80, &options);
    prompt.ladder = XNEW(struct ladder);
    prompt.ladder->steps[0] =
        (struct ladder_step){.width = LADDER_ANYWHERE,
                             .exact = true,
                             .words = strv_copy((const char *const[]){"make", NULL})};
    prompt.ladder->count = 1;
    fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "make"), &prompt);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, " no S: it brings its own input"));
}

/* So that nobody looks for the answer that runs it in the sandbox again. */
static void why_no_path_is_given_is_said(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {
        .retry = true, .sandbox = ATTEMPT_UNSANDBOXED, .no_path = "it is within a git directory"};

    fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "make"), &prompt);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "  no w: it is within a git directory "));
    tui_keys(tui, "w");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "│ no w: it is within a git directory"));
    assert_int_equal(fake_core_sought(tui->core), 1); /* perhaps it could be given by now */
}

/* By the key that looks again, and where all of the request is read as well. */
static void what_gives_the_path_after_all_is_said(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {
        .retry = true, .sandbox = ATTEMPT_UNSANDBOXED, .no_path = RETRY_PATH_ABSENT};

    fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "make"), &prompt);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "  no w: it is not there yet; make it yourself, then press w "));
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "  no w: it is not there yet; make it yourself, then press w "));
}

/* The operator makes it in another terminal, and waits here. The answer that comes is none to a key
 * that was pressed before. */
static void a_path_that_appears_is_noticed(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "make");
    struct prompt absent = {
        .retry = true, .sandbox = ATTEMPT_UNSANDBOXED, .no_path = RETRY_PATH_ABSENT};
    struct prompt there = {.retry = true,
                           .sandbox = ATTEMPT_UNSANDBOXED,
                           .path = (char[]){"/srv/x"},
                           .path_may_last = true};
    cleanup_wording struct wording *under = wording_from("workspace-write; also write /srv/x");
    size_t before;

    there.path_under = under;
    fake_core_ask(tui->core, call, &absent);
    tui_wait_guard(tui);
    before = fake_core_sought(tui->core);
    tui_advance(tui, 1100);
    tui_advance(tui, 1100);
    assert_int_equal(fake_core_sought(tui->core), before + 2);
    prompt_free(&call->prompt); /* as the core asks anew */
    fake_core_ask(tui->core, call, &there);
    tui_keys(tui, "w");
    tui_no_decision(tui);
    tui_wait_change(tui);
    assert_true(tui_shows(tui, "may write /srv/x"));
    tui_keys(tui, "w");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED_PATH);
    before = fake_core_sought(tui->core);
    tui_advance(tui, 5000);
    assert_int_equal(fake_core_sought(tui->core), before);
}

/* Enter that was meant for an answer which waited for it does not deny instead. */
static void what_waited_for_enter_is_not_denied_by_a_path_that_appears(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "make");
    struct prompt absent = {
        .retry = true, .sandbox = ATTEMPT_UNSANDBOXED, .no_path = RETRY_PATH_ABSENT};
    struct prompt there = {
        .retry = true, .sandbox = ATTEMPT_UNSANDBOXED, .path = (char[]){"/srv/x"}};
    cleanup_wording struct wording *under = wording_from("workspace-write; also write /srv/x");

    there.path_under = under;
    call->assessment.level = RISK_HIGH;
    fake_core_ask(tui->core, call, &absent);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_no_decision(tui);
    prompt_free(&call->prompt);
    fake_core_ask(tui->core, call, &there);
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "Enter was dropped"));
}

/* … and nothing is looked for that cannot come. */
static void what_stays_so_is_not_looked_for(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {
        .retry = true, .sandbox = ATTEMPT_UNSANDBOXED, .no_path = "it is within a git directory"};

    fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "make"), &prompt);
    tui_advance(tui, 5000);
    assert_int_equal(fake_core_sought(tui->core), 0);
}

/* Else nobody knows why it is asked for before, and what "once" gives. */
static void what_the_sandbox_will_stop_asks_again(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "rm -rf ../x");

    call->assessment.writes_outside = true;
    fake_core_ask_for(tui->core, call, (struct prompt){.sandbox = ATTEMPT_TURN_DEFAULT}, "it asks",
                      "workspace-write");
    tui_settle(tui);
    assert_true(tui_shows(tui, "y runs it in the sandbox, which"));
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    call = fake_core_call(tui->core, tui->agent, "rm -rf ../y");
    call->assessment.writes_outside = true;
    fake_core_ask_for(tui->core, call,
                      (struct prompt){.sandbox = ATTEMPT_TURN_DEFAULT, .retry_denied = 7},
                      "it asks", "workspace-write");
    tui_resize(tui, 50, 200);
    assert_false(tui_shows(tui, "you are asked again"));
    assert_true(tui_shows(tui, "without (c7)"));
}

/* The last command of a line says how it ended, and that is no failure here. */
static void what_a_line_hides_asks_again_of_the_whole_line(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "rm -rf ../x | tail -1");

    free(call->line);
    call->line = xstrdup("rm -rf ../x | tail -1");
    call->assessment.writes_outside = true;
    fake_core_ask_for(tui->core, call, (struct prompt){.sandbox = ATTEMPT_TURN_DEFAULT}, "it asks",
                      "workspace-write");
    tui_resize(tui, 50, 200);
    assert_true(tui_shows(tui, "only if the last command of the line fails"));
}

/* Keys that do nothing for this request stand apart from those that do. */
static void help_tells_what_is_offered(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.may_approve_for_session = false};

    fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "make"), &prompt);
    tui_wait_guard(tui);
    tui_keys(tui, "?");
    assert_false(tui_shows(tui, "allow this for this session"));
    assert_true(tui_shows(tui, "behind the key of an answer: it takes that key, and then Enter"));
    for (int line = 0; line < 40 && !tui_shows(tui, "pick from choices"); line++)
        tui_keys(tui, "j");
    assert_true(tui_shows(tui, "Not offered for this request"));
    assert_true(tui_shows(tui, "pick from choices the agent offers"));
}

/* That a command cannot be remembered is a row of its own, not only the answer to a key. */
static void that_no_rule_is_offered_is_said_before_the_key(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.may_approve_for_session = true,
                            .no_rule = "No rule: it is not remembered.",
                            .sandbox = ATTEMPT_UNSANDBOXED};

    fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "git push"), &prompt);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "Rule "));
    assert_true(tui_shows(tui, "No rule: it is not remembered."));
}

/* What comes up at once covers the line of the trail that tells of the rule. */
static void a_rule_that_was_made_is_told_on_the_next_request(void **state)
{
    struct tui *tui = *state;

    for (int scope = 0; scope < 2; scope++) {
        struct prompt prompt = {.ladder = XNEW(struct ladder)};

        prompt.ladder->steps[0] =
            (struct ladder_step){.width = LADDER_ANYWHERE,
                                 .exact = true,
                                 .words = strv_copy((const char *const[]){"make", NULL})};
        prompt.ladder->count = 1;
        fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "make"), &prompt);
        tui_wait_next(tui);
        assert_true(tui_shows(tui, "make  (exactly this, in any directory; in the sandbox)"));
        if (scope > 0)
            tui_keys(tui, "\t");
        tui_request_inside(tui, "ls", RISK_LOW);
        tui_settle(tui);
        tui_keys(tui, "p");
        assert_true(tui_shows(tui, scope == 0 ? " c1: allowed, its rule is kept (:undo). This is c2"
                                              : " c3: allowed, its rule holds for the session. "
                                                "This is c4"));
        tui_wait_next(tui);
        tui_keys(tui, "d");
        tui_advance(tui, 6000);
    }
}

/* Nor does that take the place of what the mark behind its keys means. */
static void what_it_replaces_leaves_room_for_enter(void **state)
{
    struct tui *tui = *state;
    struct prompt prompt = {.ladder = XNEW(struct ladder)};

    prompt.ladder->steps[0] =
        (struct ladder_step){.width = LADDER_ANYWHERE,
                             .exact = true,
                             .words = strv_copy((const char *const[]){"make", NULL})};
    prompt.ladder->count = 1;
    fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, "make"), &prompt);
    tui_wait_next(tui);
    tui_request(tui, "rm -rf build", RISK_HIGH);
    tui_settle(tui);
    tui_keys(tui, "p");
    assert_true(tui_shows(tui, " c1: allowed, its rule is kept (:undo). This is c2 "));
    assert_true(tui_shows(tui, "\xe2\x86\xb5: the key, then Enter"));
}

static void the_cursor_starts_on_deny(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "\r");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
}

static void arrows_and_enter_choose(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "\x1b[A\x1b[A");
    tui_keys(tui, "\r");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

static void what_only_its_words_say_is_not_told_as_known(void **state)
{
    static struct sandbox_denial denial = {.denied = true, .cause = "write"};
    struct prompt prompt = {.retry = true, .sandbox = ATTEMPT_UNSANDBOXED};
    struct tui *tui = *state;

    for (int inferred = 0; inferred <= 1; inferred++) {
        struct call *call = fake_core_call(tui->core, tui->agent, "tee /etc/shop.conf");

        fake_core_start(tui->core, call, "workspace-write");
        denial.inferred = inferred;
        call->attempts[0].denial = &denial;
        fake_core_ask(tui->core, call, &prompt);
        tui_wait_guard(tui);
        assert_true(tui_shows(tui, inferred ? "may have been stopped by the sandbox. Run it"
                                            : "was stopped by the sandbox. Run it"));
        assert_true(tui_shows(tui, inferred ? "may have been stopped by the sandbox, and asks"
                                            : "was stopped by the sandbox, and asks"));
        tui_keys(tui, "d");
        tui_settle(tui);
    }
}

static void a_denial_carries_a_message(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "n");
    tui_no_decision(tui);
    tui_keys(tui, "use the copy in vendor/ y");
    tui_keys(tui, "\r");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
    assert_string_equal(tui_decision(tui)->message, "use the copy in vendor/ y");
}

static void escape_leaves_the_message_and_the_request_stays(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "n");
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "May it run"));
    tui_keys(tui, "d");
    assert_string_equal(tui_decision(tui)->message, "");
}

static void escape_never_decides(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_no_decision(tui);
    assert_false(tui_shows(tui, "May it run"));
    assert_true(tui_shows(tui, "1 waiting: F2"));
    tui_keys(tui, "\x1bOQ"); /* F2 */
    assert_true(tui_shows(tui, "May it run"));
    tui_keys(tui, "y"); /* it has only just come back */
    tui_no_decision(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_APPROVED);
}

/* The next request comes up at once, and must not pass for the one that was there. */
static void the_next_one_says_what_it_replaces(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make first", RISK_LOW);
    tui_ready_request(tui, RISK_LOW);
    assert_true(tui_shows(tui, "Esc aside, show next"));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "c2 asks. May it run"));
    assert_true(tui_shows(tui, "c1 is put aside. This is c2"));
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

/* What the frame says is not said below once more. */
static void what_it_replaces_is_said_once(void **state)
{
    struct tui *tui = *state;
    int row, column, below;

    tui_request(tui, "make first", RISK_LOW);
    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    assert_true(tui_find(tui, "c1 is put aside. This is c2", &row, &column));
    for (below = row + 1; below < 24; below++) {
        cleanup_free char *line = outer_row(tui->outer, below);

        assert_null(strstr(line, "This is c2"));
    }
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
    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    assert_true(listed(tui, " c1 ", "put aside"));
    assert_int_equal(fake_core_aside(tui->core), 2);
    tui_keys(tui, "\x1bOQ"); /* F2 */
    assert_int_equal(fake_core_aside(tui->core), 0);
    assert_true(tui_shows(tui, "c1 asks. May it run"));
    assert_true(listed(tui, " c1 ", "waiting"));
    assert_true(listed(tui, " c2 ", "waiting"));
}

/* "c2 is put aside. This is c1" is said of the key just pressed, and while it is so. */
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
    assert_false(tui_shows(tui, "is put aside. This is"));
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    tui_keys(tui, "\t");
    tui_keys(tui, "\x1bOQ"); /* F2 */
    tui_wait_guard(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    assert_true(tui_shows(tui, "c1 is put aside. This is c2"));
    fake_core_withdraw(tui->core, first);
    tui_settle(tui);
    assert_true(tui_shows(tui, "c2 asks. May it run"));
    assert_false(tui_shows(tui, "is put aside. This is"));
}

static struct call *run_for(struct tui *tui, struct session *session, const char *name,
                            const char *script)
{
    struct call *call = fake_core_call(tui->core, session, script);

    call->client.name = xstrdup(name);
    session->orchestrator = tui->core;
    fake_core_start(tui->core, call, "workspace-write (network off)");
    return call;
}

static struct call *ask_as(struct tui *tui, struct session *session, const char *name)
{
    struct call *call = fake_core_call(tui->core, session, "make");

    call->client.name = xstrdup(name);
    session->orchestrator = tui->core;
    fake_core_ask_for(tui->core, call, (struct prompt){.may_approve_for_session = true},
                      "it changes files", "workspace-write");
    return call;
}

static struct call *ask_host_for(struct tui *tui, struct session *session, const struct call *one)
{
    struct call *call = fake_core_call(tui->core, session, "network-access");

    call->client.name = one->client.name != NULL ? xstrdup(one->client.name) : NULL;
    call->tool = CALL_NETWORK;
    call->reach = XNEW(struct reach);
    *call->reach = (struct reach){.host = xstrdup("registry.example"),
                                  .protocol = "https",
                                  .port = 443,
                                  .command = one->id,
                                  .command_line = xstrdup("make"),
                                  .waiting = 1};
    fake_core_ask_for(tui->core, call, (struct prompt){.once_reason = NULL}, "no network",
                      "the sandbox as before");
    return call;
}

/* What others ask for in the same session ends, too: whose it is is said. */
static void ending_calls_tells_those_of_other_agents(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    run_for(tui, shared, "alice", "curl example.org");
    ask_as(tui, shared, "alice");
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "x↵ deny (session), end its 1 other open call"));
    run_for(tui, shared, "bob", "sleep 1");
    tui_settle(tui);
    assert_true(tui_shows(tui, "x↵ deny (session), end 2 other calls (1 of other programs)"));
    tui_keys(tui, "x");
    assert_true(tui_shows(tui, "Enter: deny, and end c1 (alice), c3 (bob); 1 of other programs "));
}

/* "1 other call (1 of …)" would say the same twice. */
static void ending_calls_of_others_alone_says_so_once(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    run_for(tui, shared, "bob", "sleep 1");
    ask_as(tui, shared, "alice");
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "x↵ deny (session), end 1 call of other programs "));
}

/* The no holds for its session. */
static void what_is_denied_with_it_is_said(void **state)
{
    struct tui *tui = *state;

    tui_request(tui, "make install", RISK_LOW)->session->orchestrator = tui->core;
    tui_settle(tui);
    assert_true(tui_shows(tui, "d  deny just this, for this session (:undo lets it ask again)"));
    tui_request(tui, "make docs", RISK_LOW);
    tui_request(tui, "make install", RISK_LOW);
    tui_settle(tui);
    assert_true(tui_shows(tui, "d  deny this, for this session, and 1 that asks the same (:undo)"));
}

/* Also where the answers stand in two columns, and where some are grave. */
static void that_they_are_of_others_is_not_cut(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    shared->orchestrator = tui->core;
    fake_core_request(tui->core, shared, "make\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12", RISK_LOW,
                      false);
    run_for(tui, shared, "bob", "sleep 1");
    tui_resize(tui, 24, 80);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "deny, end 1 call of others"));
    fake_core_hold(tui->core, shared, "rm -rf x", RISK_HIGH)->client.name = xstrdup("bob");
    tui_settle(tui);
    assert_true(tui_shows(tui, "deny, end 2 of others (1 HIGH)"));
}

/* It takes the same keys where nothing else ends: Enter must not be left over. */
static void ending_nothing_else_takes_enter_too(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "x");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "Enter confirms: deny (session), same as d: nothing else to end"));
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_ABORT);
}

/* Who presses it reads what ends. */
static void ending_calls_names_them(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    run_for(tui, shared, "alice", "curl example.org");
    run_for(tui, shared, "alice", "make a very long way of things to do");
    ask_as(tui, shared, "alice");
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "deny (session), end its 2 other open calls"));
    assert_true(tui_shows(tui, "by all that use assent exec (:sessions)"));
    tui_keys(tui, "x");
    assert_true(tui_shows(tui, "Enter: deny, and end c1 (alice), c2 (alice) "));
    tui_keys(tui, "d");
    for (int i = 0; i < 3; i++)
        run_for(tui, shared, "alice", "sleep 1");
    tui_wait_guard(tui);
    tui_keys(tui, "x");
    assert_true(tui_shows(tui, "Enter: deny, and end c1, c2, c4, c5, c6 "));
}

/* And what among it is grave, which perhaps nobody has read: it is named first. */
static void ending_calls_tells_how_grave_they_are(void **state)
{
    struct tui *tui = *state;

    tui->agent->orchestrator = tui->core;
    tui_request(tui, "make", RISK_LOW);
    fake_core_hold(tui->core, tui->agent, "sleep 1", RISK_LOW);
    fake_core_hold(tui->core, tui->agent, "sleep 1", RISK_LOW);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "deny (session), end its 2 other open calls"));
    fake_core_hold(tui->core, tui->agent, "rm -rf x", RISK_HIGH);
    tui_settle(tui);
    assert_true(tui_shows(tui, "x↵ deny (session), end its 3 other open calls, 1 of high risk"));
    tui_keys(tui, "x");
    assert_true(tui_shows(tui, "Enter: deny, and end c4, c2, c3; 1 of high risk "));
    tui->agent->orchestrator = NULL;
}

/* Where the answers stand in two columns, it is the last that is left out. */
static void how_grave_they_are_is_not_cut(void **state)
{
    struct tui *tui = *state;

    tui->agent->orchestrator = tui->core;
    tui_request(tui, "make\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12", RISK_LOW);
    for (int i = 0; i < 22; i++)
        fake_core_hold(tui->core, tui->agent, "sleep 1", RISK_LOW);
    tui_resize(tui, 24, 80);
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "deny (session), end its 22 calls"));
    fake_core_hold(tui->core, tui->agent, "rm -rf x", RISK_HIGH);
    tui_settle(tui);
    assert_true(tui_shows(tui, "deny, end its 23 calls (1 HIGH)"));
    tui->agent->orchestrator = NULL;
}

/* The call that a connection is asked for ends, too: it is told apart, but counted with all. */
static void ending_a_connection_tells_what_it_is_for(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    ask_host_for(tui, shared, run_for(tui, shared, "alice", "make"));
    tui_settle(tui);
    assert_true(tui_shows(tui, "deny (session), end c1, which it is for"));
    tui_wait_guard(tui);
    tui_keys(tui, "x");
    assert_true(tui_shows(tui, "Enter: deny, and end c1 (alice: make)"));
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    run_for(tui, shared, "alice", "sleep 1");
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "deny (session), end c1 and 1 other call of its agent"));
    run_for(tui, shared, "bob", "sleep 1");
    tui_settle(tui);
    assert_true(tui_shows(tui, "deny (session), end c1 and 2 other calls (1 of other programs)"));
    tui_keys(tui, "x");
    assert_true(tui_shows(tui, "Enter: deny, and end c1, c3, c4; 1 of other programs "));
    fake_core_finish(tui->core, orchestrator_find_call(tui->core, 3), 0); /* fewer can be ended */
    run_for(tui, shared, "alice", "sleep 2"); /* whose end was not asked about */
    tui_settle(tui);
    assert_true(tui_shows(tui, "Enter: deny, and end c1 (alice: make), c4 (bob: sleep 1); 1 of o"));
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

/* Who goes on asking does not keep others from being ended, and is not ended unseen. */
static void calls_that_come_meanwhile_do_not_end(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    run_for(tui, shared, "alice", "make a");
    ask_as(tui, shared, "alice");
    struct call *shown = run_for(tui, shared, "alice", "sleep 1");
    tui_wait_guard(tui);
    tui_keys(tui, "x");
    for (int i = 0; i < 4; i++) {
        struct call *newer = run_for(tui, shared, "alice", "sleep 0.4");

        if (i == 2)
            fake_core_finish(tui->core, shown, 0);
        if (i == 3)
            fake_core_finish(tui->core, newer, 0);
        tui_wait_guard(tui);
        assert_true(tui_shows(tui, i < 2 ? "Enter: deny, and end c1 (alice: make a), c3 (alice: "
                                         : "Enter: deny, and end c1 (alice: make a)  "));
    }
    assert_true(tui_shows(tui, "deny (session), end its 4 other open calls")); /* what x would do */
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_ABORT);
    assert_in_range(fake_core_decision(tui->core, 0)->up_to, 2, 3);
    assert_true(tui_shows(tui, "c2 denied; ended: c1 (make a); 3 calls that came meanwhile go on"));
}

static void what_has_ended_is_told_by_all_numbers(void **state)
{
    struct tui *tui = *state;

    tui->agent->orchestrator = tui->core;
    for (size_t i = 0; i < 5; i++)
        fake_core_hold(tui->core, tui->agent, "sleep 1", RISK_LOW);
    tui_request(tui, "make", RISK_LOW);
    tui_wait_guard(tui);
    tui_keys(tui, "x");
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    assert_true(tui_shows(
        tui, "c6 denied; ended: c1 (sleep 1), c2 (sleep 1), c3 (sleep 1), c4 (sleep 1), c5"));
    tui->agent->orchestrator = NULL;
}

/* Each with a line of its own would push that one out. */
static void what_ended_with_another_is_told_once(void **state)
{
    struct tui *tui = *state;
    struct call *call = tui_request_inside(tui, "make", RISK_LOW);

    call->ended_with = true;
    orchestrator_cancel(tui->core, call, CANCELLED_BY_OPERATOR, "stopped by the operator");
    tui_settle(tui);
    assert_true(tui_shows(tui, "stopped by you"));
    assert_false(tui_shows(tui, "c1 stopped by you: make"));
}

/* What is not named is counted. */
static void numbers_that_do_not_fit_are_counted(void **state)
{
    struct tui *tui = *state;

    tui->agent->orchestrator = tui->core;
    for (size_t i = 0; i < 5; i++)
        fake_core_hold(tui->core, tui->agent, "sleep 1", RISK_LOW);
    struct call *call = tui_request(tui, "make", RISK_LOW);
    static const struct {
        int columns;
        unsigned later;
        const char *words;
    } rows[] = {
        {80, 0, "c6 denied; ended: c1 (sleep 1), c2 (sleep 1), c3 (sleep 1), c4 (sleep 1), c5"},
        {46, 0, "c6 denied; ended: c1 (sleep 1), c2, c3, c4, c5"},
        {45, 0, "c6 denied; ended: c1, c2, c3, c4, c5"},
        {36, 0, "c6 denied; ended: c1, c2, c3, c4, c5"},
        {35, 0, "c6 denied; ended: c1, c2 and 3 more"},
        {32, 0, "c6 denied; ended: c1 and 4 more"},
        {35, 1, "c6 denied; ended: c1, c2 and 3 more; 1 call that came meanwhile goes on"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cleanup_free char *words =
            approval_words_ended(tui->core, call, 0, rows[i].later, rows[i].columns);

        assert_string_equal(words, rows[i].words);
    }
    tui->agent->orchestrator = NULL;
}

/* The grave ones first, with as much of each as there is room for; what an agent writes passes for
 * no other call. */
static void what_has_ended_is_told_with_its_command(void **state)
{
    static const struct {
        int columns;
        const char *words;
    } rows[] = {
        {80, "c4 denied; ended: c2 (git clean -fdx), c1 (\"make a), c9 (rm -rf …\"), c3 (make b)"},
        {66, "c4 denied; ended: c2 (git clean -fdx), c1 (\"make a), c9 (rm…\"), c3"},
        {60, "c4 denied; ended: c2 (git clean -fdx), c1, c3"},
    };
    struct tui *tui = *state;

    tui->agent->orchestrator = tui->core;
    fake_core_hold(tui->core, tui->agent, "make a), c9 (rm -rf all/of/it\x1b[m", RISK_LOW);
    tui_request_inside(tui, "git clean -fdx", RISK_HIGH);
    fake_core_hold(tui->core, tui->agent, "make b", RISK_LOW);
    struct call *call = tui_request(tui, "make", RISK_LOW);
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_free char *words = approval_words_ended(tui->core, call, 0, 0, rows[i].columns);

        assert_string_equal(words, rows[i].words);
    }
    tui->agent->orchestrator = NULL;
}

/* Where all that were shown have ended, Enter ends no others in their place. */
static void calls_that_come_meanwhile_take_no_place(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    struct call *shown = run_for(tui, shared, "alice", "curl example.org");

    ask_as(tui, shared, "alice");
    tui_wait_guard(tui);
    tui_keys(tui, "x");
    fake_core_finish(tui->core, shown, 0);
    run_for(tui, shared, "alice", "sleep 1");
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "Enter confirms: deny (session), same as d: nothing else to end"));
    tui_keys(tui, "\r");
    assert_int_equal(fake_core_decision(tui->core, 0)->up_to, 2);
}

/* But one of those that were shown can have become what the operator would read first. */
static void a_call_that_has_become_grave_asks_anew(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    struct call *held = fake_core_hold(tui->core, shared, "rm -rf x", RISK_LOW);

    ask_as(tui, shared, "alice");
    tui_wait_guard(tui);
    tui_keys(tui, "x");
    assert_true(tui_shows(tui, "Enter: deny, and end c1 "));
    fake_core_hold(tui->core, shared, "rm -rf y", RISK_HIGH); /* it would not end */
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "Enter: deny, and end c1 "));
    held->assessment.level = RISK_HIGH;
    tui_keys(tui, "\r"); /* in the same turn */
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "A call that this would end is of high risk by now: look again."));
    assert_true(tui_shows(tui, "▸ d"));
    tui_keys(tui, "x"); /* asks anew */
    assert_true(tui_shows(tui, "Enter: deny, and end c1, c3; 2 of high risk"));
}

/* A command cannot end its brackets, and name a call that is none. */
static void a_command_that_ends_is_no_other_call(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    ask_host_for(tui, shared, run_for(tui, shared, "alice", "ls), c9 (bob: rm"));
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "x");
    assert_true(tui_shows(tui, "Enter: deny, and end c1 (alice: \"ls), c9 (bob: rm\") "));
}

/* The row and what Enter confirms count alike. */
static void ending_a_grave_one_with_a_connection_counts_all(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    const struct call *for_it = run_for(tui, shared, "alice", "make");

    fake_core_hold(tui->core, shared, "rm -rf x", RISK_HIGH)->client.name = xstrdup("alice");
    ask_host_for(tui, shared, for_it);
    tui_settle(tui);
    assert_true(
        tui_shows(tui, "deny (session), end c1 and 1 other call of its agent, 1 of high risk"));
    tui_resize(tui, 24, 80);
    tui_wait_guard(tui);
    tui_keys(tui, "x");
    assert_true(
        tui_shows(tui, "Enter: deny, and end c2 (alice: rm -rf x), c1 (alice: make); 1 HIGH "));
}

/* Names that are alike tell nothing: it is the numbers that all are there, and no name is cut. */
static void ending_calls_has_all_their_numbers(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    const char *const name = "assent exec of a long name";
    const struct call *for_it = run_for(tui, shared, name, "make");

    for (int i = 0; i < 3; i++)
        fake_core_hold(tui->core, shared, "rm -rf x", RISK_HIGH)->client.name = xstrdup(name);
    run_for(tui, shared, "bob", "sleep 1");
    run_for(tui, shared, "bob", "sleep 1");
    ask_host_for(tui, shared, for_it);
    tui_resize(tui, 24, 80);
    tui_wait_guard(tui);
    tui_keys(tui, "x");
    assert_true(
        tui_shows(tui, "Enter: deny, and end c2, c3, c4, c1, c5, c6; 3 HIGH; 2 of others "));
}

/* Many do not fit, but what kind they are of does. */
static void ending_many_calls_leaves_out_the_last(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    ask_as(tui, shared, "alice");
    for (int i = 0; i < 40; i++)
        run_for(tui, shared, "bob", "sleep 1");
    tui_resize(tui, 24, 80);
    tui_wait_guard(tui);
    tui_keys(tui, "x");
    assert_true(tui_shows(tui, "Enter: deny, and end c2, c3, c4, "));
    assert_true(tui_shows(tui, " more; 40 of others "));
}

/* All about the request names each of them. */
static void all_of_a_request_tells_what_ends(void **state)
{
    struct tui *tui = *state;
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");
    const struct call *for_it = run_for(tui, shared, "alice", "make");

    fake_core_hold(tui->core, shared, "rm -rf x", RISK_HIGH)->client.name = xstrdup("bob");
    ask_host_for(tui, shared, for_it);
    tui_resize(tui, 50, 100);
    tui_wait_guard(tui);
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "If you end all (x)"));
    assert_true(tui_shows(tui, "c1 (alice: make), which this is for"));
    assert_true(tui_shows(tui, "c2 (bob: rm -rf x), of high risk"));
}

/* From the first minute on, and once a minute. */
static void a_request_says_how_long_it_waits(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_advance(tui, 50000);
    assert_false(tui_shows(tui, "waits for"));
    tui_advance(tui, 15000);
    assert_true(tui_shows(tui, " waits for 1 min "));
    tui_advance(tui, 60000);
    assert_true(tui_shows(tui, " waits for 2 min "));
    assert_true(loop_timer_running(tui->console->wait_timer));
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decisions(tui->core), 1);
    tui_advance(tui, 61000);
    assert_false(loop_timer_running(tui->console->wait_timer)); /* nobody waits for it */
}

static void decisions_leave_a_line(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "d");
    assert_true(tui_says(
        tui, "c1 codex, denied (:undo, later :forget c1, lets it ask again), by you, for this "
             "session:"));
}

/* What was taken back is not told as if it held. */
static void a_denial_that_was_taken_back_has_no_line(void **state)
{
    struct tui *tui = *state;

    tui_ready_request(tui, RISK_LOW);
    tui_keys(tui, "d");
    assert_true(tui_shows(tui, "c1 codex, denied (:undo, later :forget c1"));
    console_observer()->notice(tui->console, NOTICE_OPERATOR, "the operator did something else");
    tui_settle(tui);
    assert_true(tui_shows(tui, "c1 codex, denied (:undo, later :forget c1"));
    orchestrator_forget_denial(tui->core, orchestrator_find_call(tui->core, 1));
    console_observer()->notice(tui->console, NOTICE_OPERATOR, "the operator took it back");
    tui_settle(tui);
    assert_false(tui_shows(tui, "c1 codex, denied (:undo, later :forget c1"));
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
        TEST(every_no_says_that_it_holds),
        TEST(an_agent_of_own_tools_may_stop),
        TEST(what_asks_to_leave_can_be_kept_inside),
        TEST(everything_says_that_no_file_is_named),
        TEST(what_can_only_be_allowed_once_is_named),
        TEST(a_path_that_is_for_once_says_why),
        TEST(everything_names_the_sandbox_that_it_would_be_kept_in),
        TEST(what_holds_is_shown_over_a_request),
        TEST(keys_of_the_prompt_line_say_so),
        TEST(the_console_can_be_left),
        TEST(what_went_out_of_the_way_comes_back),
        TEST(leaving_takes_an_answer_back_first),
        TEST(answers_that_are_not_offered_do_nothing),
        TEST(once_only_says_which_answers_are_missing),
        TEST(that_no_rule_is_offered_is_said_before_the_key),
        TEST(why_no_path_is_given_is_said),
        TEST(what_gives_the_path_after_all_is_said),
        TEST(a_path_that_appears_is_noticed),
        TEST(what_waited_for_enter_is_not_denied_by_a_path_that_appears),
        TEST(what_stays_so_is_not_looked_for),
        TEST(what_the_sandbox_will_stop_asks_again),
        TEST(what_a_line_hides_asks_again_of_the_whole_line),
        TEST(help_tells_what_is_offered),
        TEST(a_rule_that_was_made_is_told_on_the_next_request),
        TEST(what_it_replaces_leaves_room_for_enter),
        TEST(the_cursor_starts_on_deny),
        TEST(arrows_and_enter_choose),
        TEST(what_only_its_words_say_is_not_told_as_known),
        TEST(a_denial_carries_a_message),
        TEST(escape_leaves_the_message_and_the_request_stays),
        TEST(escape_never_decides),
        TEST(the_next_one_says_what_it_replaces),
        TEST(what_it_replaces_is_said_once),
        TEST(what_is_taken_back_waits_again),
        TEST(what_was_put_aside_is_not_told_later),
        TEST(ending_calls_tells_those_of_other_agents),
        TEST(ending_calls_of_others_alone_says_so_once),
        TEST(what_is_denied_with_it_is_said),
        TEST(that_they_are_of_others_is_not_cut),
        TEST(ending_nothing_else_takes_enter_too),
        TEST(ending_calls_names_them),
        TEST(ending_calls_tells_how_grave_they_are),
        TEST(how_grave_they_are_is_not_cut),
        TEST(ending_a_connection_tells_what_it_is_for),
        TEST(calls_that_come_meanwhile_do_not_end),
        TEST(what_has_ended_is_told_by_all_numbers),
        TEST(what_ended_with_another_is_told_once),
        TEST(numbers_that_do_not_fit_are_counted),
        TEST(what_has_ended_is_told_with_its_command),
        TEST(calls_that_come_meanwhile_take_no_place),
        TEST(a_call_that_has_become_grave_asks_anew),
        TEST(a_command_that_ends_is_no_other_call),
        TEST(ending_a_grave_one_with_a_connection_counts_all),
        TEST(ending_calls_has_all_their_numbers),
        TEST(ending_many_calls_leaves_out_the_last),
        TEST(all_of_a_request_tells_what_ends),
        TEST(a_request_says_how_long_it_waits),
        TEST(decisions_leave_a_line),
        TEST(a_denial_that_was_taken_back_has_no_line),
        TEST(an_agent_cannot_write_labels),
    };

    return cmocka_run_group_tests_name("approval keys", tests, NULL, NULL);
}
