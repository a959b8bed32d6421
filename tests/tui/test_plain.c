/* SPDX-License-Identifier: MIT */
/* The console in plain lines: the same answers, and guards that fit lines. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "plain_world.h"

static void a_request_is_read_out_and_answered(void **state)
{
    struct world *world = *state;

    request(world, "make install", RISK_MEDIUM);
    assert_true(said(
        world, "c1 codex asks. May it run WITHOUT the sandbox?\n  Command:\n    | make install\n"));
    assert_true(said(world, "  It says:\n    | The tests need it.\n"));
    assert_true(said(world, "  Risk: medium"));
    assert_true(said(world, "  Runs under: no sandbox: all files, network on\n"));
    assert_true(said(world, "Answer for c1:\n"));
    wait_guard(world);
    type(world, "y 1\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    assert_true(said(world, "c1 would run WITHOUT the sandbox. To allow that, type the word yes:"));
    wait_guard(world);
    type(world, "yes\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED);
    assert_true(said(world, "c1 codex, allowed once, no sandbox, by you: make install\n"));
}

static void leaving_the_sandbox_for_longer_takes_the_word(void **state)
{
    struct world *world = *state;

    request(world, "make", RISK_LOW);
    wait_guard(world);
    type(world, "a 1\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    assert_true(said(world, "c1 would run WITHOUT the sandbox, and not only this once."));
    wait_guard(world);
    type(world, "yes\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED_FOR_SESSION);
}

static void a_host_is_asked_for_in_connections_and_told_of(void **state)
{
    const struct prompt prompt = {.may_approve_for_session = true};
    struct world *world = *state;
    struct call *command = fake_core_call(world->core, world->agent, "npm install");
    struct call *call = fake_core_call(world->core, world->agent, "one.example");

    call->tool = CALL_NETWORK;
    call->reach = XNEW(struct reach);
    *call->reach = (struct reach){.host = xstrdup("one.example"),
                                  .protocol = "https",
                                  .port = 443,
                                  .command = command->id,
                                  .command_line = xstrdup("npm install")};
    fake_core_ask_for(world->core, call, prompt, "", "");
    settle(world);
    assert_true(said(world, "for five more connections: a 2 5"));
    wait_guard(world);
    type(world, "a 2\n");
    fake_core_fail_connection(world->core, command, "https://one.example:443", "refused", call->id);
    settle(world);
    assert_true(
        said(world,
             "c1 could not reach https://one.example:443: refused (c2: allowed for this session)"));
}

static void a_file_run_outside_the_sandbox_is_read_first(void **state)
{
    static struct prompt_script script = {(char *)"/home/ann/shop/setup.sh", (char *)"echo one\n",
                                          1, ""};
    const struct prompt prompt = {
        .sandbox = ATTEMPT_UNSANDBOXED, .scripts = &script, .script_count = 1};
    struct world *world = *state;
    struct call *call = fake_core_call(world->core, world->agent, "sh setup.sh");

    call->assessment.level = RISK_LOW;
    fake_core_ask_for(world->core, call, prompt, "It asks.", "no sandbox");
    settle(world);
    wait_guard(world);
    type(world, "y 1\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    assert_true(said(world, "Read the file that it runs first: v"));
    wait_guard(world);
    type(world, "v\n");
    assert_true(said(world, "echo one"));
    wait_guard(world);
    type(world, "y 1\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED);
}

/* Its letter is there where it asks to leave, and once more names the request. */
static void what_asks_to_leave_can_be_kept_inside(void **state)
{
    struct world *world = *state;

    request(world, "make install", RISK_LOW);
    assert_true(said(world, "  i 1: allow once, but in the sandbox\n"));
    wait_guard(world);
    type(world, "i\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    wait_guard(world);
    type(world, "i 1\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED_SANDBOXED);
    assert_true(said(world, "c1 codex, allowed once, but in the sandbox, by you: make install\n"));
}

static void a_run_without_the_sandbox_that_stopped_it_takes_the_word(void **state)
{
    struct world *world = *state;
    struct call *call = fake_core_call(world->core, world->agent, "tee notes");
    const struct prompt prompt = {.retry = true, .sandbox = ATTEMPT_UNSANDBOXED};

    fake_core_start(world->core, call, "workspace-write");
    fake_core_ask_for(world->core, call, prompt, "Stopped.", "no sandbox");
    settle(world);
    wait_guard(world);
    type(world, "y 1\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    assert_true(said(world, "c1 would run once more, WITHOUT the sandbox."));
    wait_guard(world);
    type(world, "yes\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED);
}

static void keeping_what_is_grave_inside_takes_the_word(void **state)
{
    struct world *world = *state;

    request(world, "rm -rf build", RISK_HIGH);
    wait_guard(world);
    type(world, "i 1\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    assert_true(said(world, "type the word yes:"));
    wait_guard(world);
    type(world, "yes\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED_SANDBOXED);
}

static void what_stays_inside_is_not_asked_about_it(void **state)
{
    struct world *world = *state;
    struct call *call = request(world, "make", RISK_LOW);

    call->prompt->sandbox = ATTEMPT_TURN_DEFAULT;
    call->prompt->may_sandbox = false;
    wait_guard(world);
    type(world, "i 1\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    assert_true(said(world, "This answer is not offered here.\n"));
}

static void what_was_stopped_can_be_given_the_path(void **state)
{
    struct world *world = *state;
    struct call *call = request(world, "make install", RISK_LOW);

    wait_guard(world);
    type(world, "w 1\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    assert_true(said(world, "This answer is not offered here.\n"));
    call->prompt->retry = true;
    call->prompt->path = xstrdup("/srv/data");
    wait_guard(world);
    type(world, "w 1\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED_PATH);
    assert_true(said(world, "allowed once, in the sandbox, writing /srv/data, by you"));
}

static void the_path_can_be_given_for_the_session(void **state)
{
    struct world *world = *state;
    struct call *call = request(world, "make install", RISK_LOW);

    call->prompt->retry = true;
    call->prompt->path = xstrdup("/srv/data");
    wait_guard(world);
    type(world, "w 1 session\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    assert_true(said(world, "This path can only be given once.\n"));
    call->prompt->path_once_reason = "it is asked for";
    wait_guard(world);
    type(world, "w 1 session\n");
    assert_true(said(world, "This path only once: it is asked for.\n"));
    call->prompt->path_may_last = true;
    wait_guard(world);
    type(world, "y 1 session\n"); /* only that answer takes the word */
    assert_int_equal(fake_core_decisions(world->core), 0);
    wait_guard(world);
    type(world, "w 1 session\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED_PATH_FOR_SESSION);
    assert_true(said(world, "allowed for this session, in the sandbox, writing /srv/data"));
}

static void each_answer_has_its_letter(void **state)
{
    static const struct {
        const char *line;
        enum review_kind kind;
    } table[] = {
        {"a 1\n", REVIEW_APPROVED_FOR_SESSION},
        {"a1 10m\n", REVIEW_APPROVED_FOR_SESSION},
        {"d\n", REVIEW_DENIED},
        {"x\n", REVIEW_ABORT},
        {"y c1\n", REVIEW_APPROVED},
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct world *world;

        plain_world_tear_down(state);
        plain_world_set_up(state);
        world = *state;
        request(world, "make", RISK_LOW)->prompt->sandbox = ATTEMPT_TURN_DEFAULT;
        wait_guard(world);
        type(world, table[i].line);
        assert_int_equal(decision(world)->kind, table[i].kind);
        assert_int_equal(decision(world)->lease.kind,
                         strstr(table[i].line, "10m") != NULL ? LEASE_TIME : LEASE_SESSION);
    }
}

static void words_go_with_a_denial(void **state)
{
    struct world *world = *state;

    request(world, "make", RISK_LOW);
    wait_guard(world);
    type(world, "n\n");
    wait_guard(world);
    type(world, "y 1\n"); /* is what the agent is told, and no answer */
    assert_int_equal(decision(world)->kind, REVIEW_DENIED);
    assert_string_equal(decision(world)->message, "y 1");
}

/* As on the screen: the words may be left out, and the way back is open. */
static void a_denial_needs_no_words(void **state)
{
    static const struct {
        const char *first, *second, *message; /* second: NULL when no more is needed */
    } table[] = {
        {"n\n", "\n", ""},
        {"n 1\n", "\n", ""},
        {"n use a branch\n", NULL, "use a branch"},
        {"n 1 use a branch\n", NULL, "use a branch"},
        {"n c1 2 branches\n", NULL, "2 branches"},
        {"d 1\n", NULL, ""},
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct world *world;

        plain_world_tear_down(state);
        plain_world_set_up(state);
        world = *state;
        request(world, "make", RISK_LOW);
        wait_guard(world);
        type(world, table[i].first);
        if (table[i].second != NULL) {
            assert_int_equal(fake_core_decisions(world->core), 0);
            wait_guard(world);
            type(world, table[i].second);
        }
        assert_int_equal(decision(world)->kind, REVIEW_DENIED);
        assert_string_equal(decision(world)->message, table[i].message);
    }
}

static void a_denial_is_taken_back_or_names_another(void **state)
{
    static const char *const lines[] = {"n\n", ".\n", "n 2\n", "d 2\n", "x 2\n", "no\n"};
    struct world *world = *state;

    request(world, "make", RISK_LOW);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        wait_guard(world);
        type(world, lines[i]);
        assert_int_equal(fake_core_decisions(world->core), 0);
    }
}

static void a_question_is_answered_by_words(void **state)
{
    struct world *world = *state;
    struct call *call = request(world, "elicitation", RISK_LOW);

    call->wants_words = true;
    fake_core_raise(world->core, call, RISK_LOW);
    settle(world);
    wait_guard(world);
    assert_true(said(world, "asks. What do you answer?"));
    type(world, "y 1\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    assert_true(said(world, "Your answer to c1"));
    wait_guard(world);
    type(world, "y 1 Ada\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED);
    assert_string_equal(decision(world)->message, "y 1 Ada");
}

static bool echoes(const struct world *world)
{
    struct termios modes;

    assert_int_equal(tcgetattr(world->slave, &modes), 0);
    return (modes.c_lflag & ECHO) != 0;
}

/* The terminal shows nothing of a password, and everything again behind it. */
static void a_password_is_not_seen(void **state)
{
    struct world *world = *state;
    struct call *call = request(world, "elicitation", RISK_LOW);

    call->wants_words = call->secret_words = true;
    fake_core_raise(world->core, call, RISK_LOW);
    settle(world);
    wait_guard(world);
    assert_true(echoes(world));
    type(world, "y 1\n");
    assert_false(echoes(world));
    wait_guard(world);
    type(world, "hunter2\n");
    assert_string_equal(decision(world)->message, "hunter2");
    settle(world);
    assert_true(echoes(world));
    assert_false(said(world, "hunter2"));
}

/* ---- guards -------------------------------------------------------------------------------- */

static void what_was_typed_before_is_thrown_away(void **state)
{
    struct world *world = *state;

    settle(world);
    type_only(world, "y 1\ny 1\ny"); /* whole lines, and the beginning of one */
    request(world, "make", RISK_LOW);
    wait_guard(world);
    type(world, " 1\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    assert_true(said(world, "This is no answer"));
}

static void too_soon_is_not_taken(void **state)
{
    struct world *world = *state;

    request(world, "make", RISK_LOW);
    for (int i = 0; i < 20; i++) {
        type(world, "y 1\n");
        world->clock.now_ms += GUARD_MS - 1;
    }
    assert_int_equal(fake_core_decisions(world->core), 0);
    assert_true(said(world, "typed too soon"));
    wait_guard(world);
    type(world, "y 1\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED);
}

/* The rest of a line that was meant for something else names nothing. */
static void an_approval_names_its_request(void **state)
{
    static const char *const wrong[] = {"y\n",     "yes\n",  "a\n",        "y 2\n", "y 11\n",
                                        "y 1 2\n", "y 1x\n", "make y 1\n", "\n"};
    struct world *world = *state;

    request(world, "make", RISK_LOW);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        wait_guard(world);
        type(world, wrong[i]);
        assert_int_equal(fake_core_decisions(world->core), 0);
    }
}

/* Whatever was not taken: the question stands behind why. */
static void what_is_refused_is_asked_again(void **state)
{
    static const char *const refused[] = {"y\n",   "y 9\n",   "y 1 2\n", "p 1\n",
                                          "w 1\n", "o 1 1\n", "r 7\n",   "huh\n"};
    static const char again[] = "\nAnswer for c1: y 1, ";
    struct world *world = *state;

    request(world, "make", RISK_LOW);
    type(world, "y 1\n"); /* too soon */
    assert_true(said(world, again));
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        wait_guard(world);
        strbuf_reset(&world->said);
        type(world, refused[i]);
        assert_true(said(world, again));
    }
    assert_int_equal(fake_core_decisions(world->core), 0);
}

static void high_risk_takes_the_word(void **state)
{
    struct world *world = *state;

    request(world, "rm -rf /", RISK_HIGH);
    wait_guard(world);
    type(world, "y 1\n");
    assert_true(said(world, "type the word yes"));
    type(world, "yes\n"); /* before the question could be read */
    wait_guard(world);
    assert_int_equal(fake_core_decisions(world->core), 0);
    type(world, "y\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    wait_guard(world);
    type(world, "y 1\n");
    wait_guard(world);
    type(world, "yes\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED);
}

/* An answer of the agent's own: by its number and name, and with the word. */
static void the_agents_own_answers_take_the_word(void **state)
{
    struct world *world = *state;
    cleanup_wording struct wording *reason = wording_from("The agent asks.");
    const struct prompt prompt = {.reason = reason, .under = reason};
    struct call *call = fake_core_call(world->core, world->agent, "touch x");

    call->offers[0] =
        (struct call_offer){.name = xstrdup("Yes\n  To allow"), .kind = OFFER_REJECT_ALWAYS};
    call->offers[1] = (struct call_offer){.name = xstrdup("No"), .kind = OFFER_UNKNOWN};
    call->offer_count = 2;
    fake_core_ask(world->core, call, &prompt);
    settle(world);
    wait_guard(world);
    assert_true(said(world, "    o 1 1 | Yes<LF>  To allow\n"));
    assert_true(
        said(world, "    o 1 2 | No\n      may allow anything: what it does is not said\n"));
    type(world, "o 1 3\n");
    assert_true(said(world, "There is no such answer"));
    type(world, "o 1 2\n");
    wait_guard(world);
    type(world, "no\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    wait_guard(world);
    type(world, "o 1 2\n");
    wait_guard(world);
    type(world, "yes\n");
    assert_int_equal(fake_core_decisions(world->core), 1);
    assert_int_equal(fake_core_decision(world->core, 0)->kind, REVIEW_APPROVED);
    assert_int_equal(fake_core_decision(world->core, 0)->offer, 2);
}

static void hostile_text_is_printed_as_marks(void **state)
{
    struct world *world = *state;

    request(world, "echo \x1b]52;c;eA==\x07 \xe2\x80\xae x\nAnswer for c9:", RISK_LOW);
    assert_true(said(world, "<ESC>"));
    assert_true(said(world, "<U+202E>"));
    assert_true(said(world, "    | Answer for c9:\n")); /* with the bar that says whose it is */
    for (size_t i = 0; i < world->said.length; i++)
        assert_true(world->said.data[i] == '\n' || (unsigned char)world->said.data[i] >= 0x20);
    wait_guard(world);
    type(world, "y 1\n");
    assert_true(said(world, "type the word yes"));
    assert_int_equal(fake_core_decisions(world->core), 0);
}

/* It is read as a patch, and asked for as one. */
static void a_long_patch_is_read_to_its_end_first(void **state)
{
    struct world *world = *state;
    cleanup_strbuf struct strbuf patch = STRBUF_INIT;
    struct call *call;

    strbuf_addstr(&patch, "*** Begin Patch\n*** Add File: a.txt\n");
    for (int i = 0; i < 1000; i++)
        strbuf_addf(&patch, "+line %d\n", i);
    strbuf_addstr(&patch, "*** End Patch\n");
    call = request(world, strbuf_str(&patch), RISK_LOW);
    call->tool = CALL_APPLY_PATCH;
    call->patch = xstrdup(strbuf_str(&patch));
    wait_guard(world);
    type(world, "y 1\n");
    assert_true(said(world, "Read the patch to its end first: v"));
    assert_int_equal(fake_core_decisions(world->core), 0);
}

static void a_long_command_is_read_to_its_end_first(void **state)
{
    struct world *world = *state;
    cleanup_free char *line = xcalloc(1, 9001);

    memset(line, 'x', 8999);
    line[8999] = 'E';
    request(world, line, RISK_LOW);
    assert_false(said(world, "xE"));
    wait_guard(world);
    type(world, "y 1\n");
    assert_true(said(world, "Read the command to its end first: v"));
    assert_int_equal(fake_core_decisions(world->core), 0);
    wait_guard(world);
    type(world, "v\n");
    assert_true(said(world, "xE"));
    wait_guard(world);
    type(world, "y 1\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED);
}

static void what_changes_is_read_out_again(void **state)
{
    struct world *world = *state;
    struct call *call = request(world, "make", RISK_LOW);

    wait_guard(world);
    type_only(world, "y 1");
    fake_core_raise(world->core, call, RISK_HIGH);
    settle(world);
    assert_true(said(world, "c1 has changed: look again"));
    assert_true(said(world, "Risk: HIGH"));
    wait_guard(world);
    type(world, "\n"); /* what stood before it is gone */
    assert_int_equal(fake_core_decisions(world->core), 0);
    fake_core_withdraw(world->core, call);
    settle(world);
    assert_true(said(world, "c1 does not wait any more"));
    /* The rest of an answer is no command. */
    type(world, "rm -rf x\n");
    assert_true(said(world, "This is no command"));
    assert_int_equal(orchestrator_call_count(world->core), 1);
}

/* Nobody but the operator is there. */
static void answers_to_an_own_command_name_no_agent(void **state)
{
    struct world *world = *state;
    struct prompt prompt = {.may_approve_for_session = true};

    fake_core_ask(world->core, fake_core_call(world->core, world->own, "make"), &prompt);
    settle(world);
    assert_true(
        said(world, "  d: do not run it\n  x: do not run it, and stop your other commands\n"));
    assert_false(said(world, "agent"));
    wait_guard(world);
    type(world, "n\n");
    assert_true(said(world, "there is no agent to tell"));
    assert_int_equal(fake_core_decisions(world->core), 0);
    wait_guard(world);
    type(world, "d\n");
    assert_int_equal(decision(world)->kind, REVIEW_DENIED);
}

/* As on the screen: what else ends is said, and takes a second line. */
static void ending_other_calls_takes_the_word(void **state)
{
    struct world *world = *state;
    struct session *all = fake_core_session(world->core, SESSION_DEFAULT, "default");
    struct call *its = fake_core_call(world->core, all, "curl example.org");
    struct call *other = fake_core_call(world->core, all, "sleep 1");

    all->orchestrator = world->core;
    other->client.name = xstrdup("alice");
    fake_core_start(world->core, its, "workspace-write");
    fake_core_start(world->core, other, "workspace-write");
    fake_core_request(world->core, all, "make", RISK_LOW, false);
    settle(world);
    assert_true(said(world, "  x: deny (session), end 2 other calls (1 of other programs)\n"));
    wait_guard(world);
    type(world, "x\n");
    assert_true(said(
        world,
        "x: deny (session), end 2 other calls (1 of other programs): "
        "c1 (default: curl example.org), c2 (alice: sleep 1). To do that, type the word yes:"));
    wait_guard(world);
    type(world, "no\n");
    assert_true(said(world, "Not answered yet."));
    assert_int_equal(fake_core_decisions(world->core), 0);
    wait_guard(world);
    type(world, "x\n");
    wait_guard(world);
    type(world, "yes\n");
    assert_int_equal(decision(world)->kind, REVIEW_ABORT);
}

/* It ends what had come when that was said, however many come meanwhile. */
static void calls_that_come_meanwhile_do_not_end(void **state)
{
    struct world *world = *state;
    struct session *all = fake_core_session(world->core, SESSION_DEFAULT, "default");
    struct call *its = fake_core_call(world->core, all, "curl example.org");

    all->orchestrator = world->core;
    fake_core_start(world->core, its, "workspace-write");
    fake_core_request(world->core, all, "make", RISK_LOW, false);
    settle(world);
    wait_guard(world);
    type(world, "x\n");
    fake_core_start(world->core, fake_core_call(world->core, all, "sleep 1"), "workspace-write");
    wait_guard(world);
    type(world, "yes\n");
    assert_int_equal(decision(world)->kind, REVIEW_ABORT);
    assert_int_equal(decision(world)->up_to, 2);
    assert_true(
        said(world, "c2 denied; ended: c1 (curl example.org); 1 call that came meanwhile goes on"));
}

/* But not what it was not said to be. */
static void a_call_that_has_become_grave_asks_anew(void **state)
{
    struct world *world = *state;
    struct session *all = fake_core_session(world->core, SESSION_DEFAULT, "default");
    struct call *held = fake_core_hold(world->core, all, "rm -rf x", RISK_LOW);

    all->orchestrator = world->core;
    fake_core_request(world->core, all, "make", RISK_LOW, false);
    settle(world);
    wait_guard(world);
    type(world, "x\n");
    held->assessment.level = RISK_HIGH;
    wait_guard(world);
    type(world, "yes\n");
    assert_int_equal(fake_core_decisions(world->core), 0);
    assert_true(said(world, "A call that this would end is of high risk by now: look again."));
    assert_true(said(world, "  x: deny (session), end its 1 other open call, 1 of high risk\n"));
}

static void ending_nothing_else_is_said_as_on_the_screen(void **state)
{
    struct world *world = *state;

    request(world, "make", RISK_LOW);
    assert_true(said(world, "  d: deny just this, for this session (:undo lets it ask again)\n  n: "
                            "deny (session), and say why\n"
                            "  x: deny (session), same as d: nothing else to end\n"));
}

/* ---- around it ----------------------------------------------------------------------------- */

static void commands_are_run_and_read_out(void **state)
{
    struct world *world = *state;
    struct call *call;

    settle(world);
    type(world, "!make\n");
    assert_int_equal(orchestrator_call_count(world->core), 1);
    call = orchestrator_call_at(world->core, 0);
    assert_ptr_equal(call->session, world->own);
    assert_string_equal(call->spec->argv[2], "make");
    assert_false(call->spec->tty);
    fake_core_start(world->core, call, "workspace-write");
    fake_core_output(world->core, call, "one\r\ntwo \x1b[31mred\nunfinished");
    fake_core_finish(world->core, call, 2);
    settle(world);
    assert_true(said(world, "c1| one\nc1| two <ESC>[31mred\nc1| unfinished\nc1 exit 2"));
    type(world, ":quit\n");
    assert_int_equal(world->quit_status, 0);
}

/* What nobody was asked about has not been named before. */
static void what_ran_unasked_is_named(void **state)
{
    struct world *world = *state;
    struct call *call = fake_core_call(world->core, world->agent, "make lint");

    call->decision.source = DECIDED_BY_CONFIG;
    fake_core_start(world->core, call, "workspace-write");
    fake_core_finish(world->core, call, 2);
    settle(world);
    assert_true(said(world, "c1 exit 2"));
    assert_true(said(world, " (codex: make lint)\n"));
}

/* It is refused unasked, and the operator said so of the agent, not of the command. */
static void what_a_stopped_agent_asks_is_named(void **state)
{
    struct world *world = *state;
    struct call *call = fake_core_call(world->core, world->agent, "make lint");

    world->agent->stopped = true;
    fake_core_refuse(world->core, call, DECIDED_BY_STOP);
    settle(world);
    assert_true(said(world, "c1 codex, denied, its agent is stopped: make lint\n"));
    assert_true(said(world, "c1 denied: agent stopped\n"));
}

static void requests_put_aside_wait(void **state)
{
    struct world *world = *state;

    request(world, "make", RISK_LOW);
    request(world, "make test", RISK_LOW);
    wait_guard(world);
    type(world, "s\n");
    assert_true(said(world, "c1 is put aside"));
    assert_true(said(world, "c2 codex asks"));
    wait_guard(world);
    type(world, "s\n");
    type(world, ":inbox\n");
    assert_true(said(world, "c1 codex, put aside: make\n"));
    strbuf_reset(&world->said);
    type(world, ":answer\n");
    assert_true(said(world, "c1 codex asks"));
    assert_int_equal(fake_core_decisions(world->core), 0);
}

/* The one that is named is asked about, and never another in its place; the rest waits on. */
static void a_request_is_asked_about_by_its_number(void **state)
{
    struct world *world = *state;

    request(world, "make", RISK_LOW);
    request(world, "make test", RISK_LOW);
    request(world, "make install", RISK_LOW);
    wait_guard(world);
    type(world, "s\n");
    assert_true(said(world, "c2 codex asks"));
    wait_guard(world);
    strbuf_reset(&world->said);
    type(world, ":answer c3\n");
    assert_true(said(world, "c3 codex asks"));
    assert_false(said(world, "Answer for c2:"));
    wait_guard(world);
    type(world, ":answer c1\n");
    assert_true(said(world, "c1 codex asks"));
    assert_false(said(world, "c2 codex asks"));
    wait_guard(world);
    type(world, "d\n");
    assert_int_equal(decision(world)->prompt, 1);
    assert_true(said(world, "c2 codex asks"));
}

/* Named while it is asked about, and then put aside: that was the later word. */
static void a_request_that_is_named_can_be_put_aside(void **state)
{
    struct world *world = *state;

    request(world, "make", RISK_LOW);
    request(world, "make test", RISK_LOW);
    wait_guard(world);
    type(world, ":answer c1\n");
    wait_guard(world);
    strbuf_reset(&world->said);
    type(world, "s\n");
    assert_true(said(world, "c2 codex asks"));
    assert_false(said(world, "c1 codex asks"));
}

static void what_asks_nothing_is_not_asked_about(void **state)
{
    struct world *world = *state;

    request(world, "make", RISK_LOW);
    wait_guard(world);
    type(world, "d\n");
    fake_core_hold(world->core, world->agent, "make test", RISK_LOW);
    request(world, "make install", RISK_LOW);
    wait_guard(world);
    type(world, "s\n");
    strbuf_reset(&world->said);
    type(world, ":answer c9\n");
    assert_true(said(world, "there is no such call\n"));
    type(world, ":answer c3x\n");
    type(world, ":answer c1\n");
    assert_true(said(world, "c1 asks nothing now: denied\n"));
    type(world, ":answer c2\n");
    assert_true(said(world, "c2 is not asked about yet: behind others\n"));
    assert_false(said(world, "codex asks"));
}

/* What more was said than a command takes was meant for less than it would do. */
static void a_command_that_takes_no_word_is_not_done_with_one(void **state)
{
    struct world *world = *state;

    type(world, ":freeze\n");
    assert_true(orchestrator_is_frozen(world->core));
    type(world, ":thaw c1\n");
    assert_true(said(world, ":thaw takes no word: let what is frozen go on\n"));
    assert_true(orchestrator_is_frozen(world->core));
    type(world, ":inbox c1\n");
    assert_true(said(world, ":inbox takes no word: list all requests that wait\n"));
    type(world, ":calls c1\n");
    assert_true(said(world, ":calls takes no word: list all calls\n"));
    type(world, ":quit now\n");
    assert_true(said(world, ":quit takes no word: end the console\n"));
    assert_int_equal(world->quit_status, -1);
}

/* Also what waits for room to be asked about. */
static void all_that_waits_is_counted_and_listed(void **state)
{
    struct world *world = *state;

    fake_core_hold(world->core, world->agent, "make test", RISK_LOW);
    fake_core_hold(world->core, world->agent, "make install", RISK_LOW);
    request(world, "make", RISK_LOW);
    assert_true(said(world, "  2 more wait.\n"));
    wait_guard(world);
    type(world, ":inbox\n");
    assert_true(said(world, "c1 codex, behind others: make test\n"));
    assert_true(said(world, "c3 codex, waiting: make\n"));
}

/* Whoever has to look something up, or to stop it all, need not answer first. */
static void commands_go_beside_a_question(void **state)
{
    struct world *world = *state;

    request(world, "make", RISK_LOW);
    wait_guard(world);
    type(world, ":inbox\n");
    assert_true(said(world, "c1 codex, waiting: make\n"));
    wait_guard(world);
    type(world, ":freeze\n");
    assert_true(orchestrator_is_frozen(world->core));
    wait_guard(world);
    type(world, "!ls\n");
    assert_int_equal(orchestrator_call_count(world->core), 2);
    assert_int_equal(fake_core_decisions(world->core), 0);
    wait_guard(world);
    type(world, "y 1\n");
    assert_int_equal(decision(world)->kind, REVIEW_APPROVED);
}

static void the_brakes_work_here_too(void **state)
{
    struct world *world = *state;

    settle(world);
    type(world, ":freeze\n");
    assert_true(orchestrator_is_frozen(world->core));
    type(world, ":thaw\n");
    assert_false(orchestrator_is_frozen(world->core));
    type(world, ":stop codex\n:stop c7\n:stop codex\n");
    assert_true(said(world, ":stop codex once more stops all requests of codex"));
    assert_false(world->agent->stopped);
    type(world, ":stop codex\n");
    assert_true(world->agent->stopped);
    assert_true(said(world, "Stopped (:resume codex lets it ask again)"));
    type(world, ":stop c7\n");
    assert_true(said(world, "there is no such call"));
    type(world, ":resume codex\n");
    assert_false(world->agent->stopped);
    type(world, "\x04"); /* the end of input */
    assert_int_equal(world->quit_status, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, plain_world_set_up, plain_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_request_is_read_out_and_answered),
        TEST(answers_to_an_own_command_name_no_agent),
        TEST(ending_other_calls_takes_the_word),
        TEST(calls_that_come_meanwhile_do_not_end),
        TEST(a_call_that_has_become_grave_asks_anew),
        TEST(ending_nothing_else_is_said_as_on_the_screen),
        TEST(what_asks_to_leave_can_be_kept_inside),
        TEST(a_run_without_the_sandbox_that_stopped_it_takes_the_word),
        TEST(keeping_what_is_grave_inside_takes_the_word),
        TEST(what_stays_inside_is_not_asked_about_it),
        TEST(what_was_stopped_can_be_given_the_path),
        TEST(the_path_can_be_given_for_the_session),
        TEST(each_answer_has_its_letter),
        TEST(leaving_the_sandbox_for_longer_takes_the_word),
        TEST(a_host_is_asked_for_in_connections_and_told_of),
        TEST(a_file_run_outside_the_sandbox_is_read_first),
        TEST(words_go_with_a_denial),
        TEST(a_denial_needs_no_words),
        TEST(a_denial_is_taken_back_or_names_another),
        TEST(a_question_is_answered_by_words),
        TEST(a_password_is_not_seen),
        TEST(what_was_typed_before_is_thrown_away),
        TEST(too_soon_is_not_taken),
        TEST(an_approval_names_its_request),
        TEST(what_is_refused_is_asked_again),
        TEST(high_risk_takes_the_word),
        TEST(the_agents_own_answers_take_the_word),
        TEST(hostile_text_is_printed_as_marks),
        TEST(a_long_command_is_read_to_its_end_first),
        TEST(a_long_patch_is_read_to_its_end_first),
        TEST(what_changes_is_read_out_again),
        TEST(commands_are_run_and_read_out),
        TEST(what_ran_unasked_is_named),
        TEST(what_a_stopped_agent_asks_is_named),
        TEST(requests_put_aside_wait),
        TEST(a_request_is_asked_about_by_its_number),
        TEST(a_request_that_is_named_can_be_put_aside),
        TEST(what_asks_nothing_is_not_asked_about),
        TEST(a_command_that_takes_no_word_is_not_done_with_one),
        TEST(all_that_waits_is_counted_and_listed),
        TEST(commands_go_beside_a_question),
        TEST(the_brakes_work_here_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
