/* SPDX-License-Identifier: MIT */
/* What agents try, and what they do by tools of their own. */
#include "config.h"

#include "approval/orchestrator.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "orchestrator_world.h"

/* ---- attacks --------------------------------------------------------------------------------- */

/* What was judged is what runs: a program that is swapped while the question is open does not. */
static void a_swapped_program_does_not_run(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    write_program(world, "tool");
    struct call *call = submit(world, SPEC(world, "./tool"));
    assert_non_null(strstr(wording_english(call->prompt->reason), "an agent may have put there"));
    write_program(world, "tool");
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(fake_starts, 0);
    assert_non_null(strstr(call->failure, "replaced"));
}

/* Writes into the file that is there, until the file system's clock has noticed. */
static void edit_program(const struct world *world, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", world->root, name);
    struct stat before, now;
    assert_int_equal(stat(path, &before), 0);
    do {
        cleanup_fd int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
        assert_int_equal(write(fd, "id\n", 3), 3);
        assert_int_equal(fstat(fd, &now), 0);
    } while (now.st_ctim.tv_sec == before.st_ctim.tv_sec &&
             now.st_ctim.tv_nsec == before.st_ctim.tv_nsec);
}

static void a_program_edited_in_place_does_not_run(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    write_program(world, "tool");
    struct call *call = submit(world, SPEC(world, "./tool"));
    edit_program(world, "tool");
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(fake_starts, 0);
    assert_non_null(strstr(call->failure, "changed"));
}

/* Code that the agent can change runs outside the sandbox once for each answer: what it would do
 * the next time is not what was approved. */
/* Outside the sandbox the code that is named is what was there when it was shown. */
static void a_script_swapped_while_it_is_shown_does_not_run(void **state)
{
    struct world *world = *state;
    cleanup_free char *directory = xasprintf("%s/there", world->root);
    assert_int_equal(mkdir(directory, 0755), 0);
    static const char *const scripts[] = {"sh tool", "cd ./there && sh tool", "sh <tool",
                                          "echo x | sh ./tool || true",
                                          "if true; then sh tool; fi"};
    for (size_t i = 0; i < 2 * COUNT(scripts); i++) {
        bool there = strstr(scripts[i / 2], "there") != NULL, edited = i % 2 == 0;
        const char *name = there ? "there/tool" : "tool";
        write_program(world, name);
        struct command_spec *spec = SCRIPT(world, scripts[i / 2]);
        spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
        fake_starts = 0;
        struct call *call = submit(world, spec);
        assert_int_equal(call->state, CALL_ASKING);
        if (edited)
            edit_program(world, name);
        decide(world, call, REVIEW_APPROVED);
        assert_int_equal(fake_starts, edited ? 0 : 1);
        if (edited)
            assert_non_null(strstr(call->failure, "tool: submit it again"));
        else
            exit_with(world, call, 0);
    }
}

/* The attack: the first run, which the sandbox holds, changes the script for the second, which
 * the first answer covers and nothing holds. */
static void a_covered_retry_runs_what_was_shown(void **state)
{
    struct world *world = *state;
    struct turn_context *context = context_of(world, "untrusted", SANDBOX_WORKSPACE_WRITE);
    context->approval.first_covers_retry = true;
    struct session *session =
        orchestrator_open_session(world->orchestrator, SESSION_CLIENT, "both", 0, NULL, context);
    turn_context_unref(&context);
    for (int edited = 0; edited < 2; edited++) {
        write_program(world, "tool");
        struct call *call = submit_in(world, session, SPEC(world, "sh", "tool"));
        settle(world);
        assert_int_equal(call->prompt->script_count, 1);
        decide(world, call, REVIEW_APPROVED);
        if (edited)
            edit_program(world, "tool");
        fake_exit_blocked(call->run, 1, "write /x");
        settle(world);
        assert_int_equal(call->state, edited ? CALL_ASKING : CALL_RUNNING);
        if (edited)
            assert_non_null(strstr(call->prompt->scripts[0].text, "id\n"));
        else
            exit_with(world, call, 0);
    }
}

/* The attack: where the operator has taken the sandbox away, but is asked, a script is another one
 * when it runs. */
static void without_a_sandbox_a_script_is_shown_too(void **state)
{
    struct world *world = *state;
    struct turn_context *context = context_of(world, "untrusted", SANDBOX_DANGER_FULL_ACCESS);
    struct session *session =
        orchestrator_open_session(world->orchestrator, SESSION_CLIENT, "free", 0, NULL, context);
    turn_context_unref(&context);
    write_program(world, "tool");
    struct call *call = submit_in(world, session, SPEC(world, "sh", "tool"));
    settle(world);
    assert_int_equal(call->state, CALL_ASKING);
    assert_int_equal(call->prompt->script_count, 1);
    edit_program(world, "tool");
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(fake_starts, 0);
    assert_non_null(strstr(call->failure, "tool: submit it again"));
}

/* A shell passes over a NUL; and a word that it expands names no file that could be shown. */
static void nothing_of_a_script_is_hidden(void **state)
{
    static const char text[] = "echo fine\0\ntouch evil\n";
    struct world *world = *state;
    cleanup_free char *path = xasprintf("%s/tool", world->root);
    write_program(world, "tool");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, sizeof(text) - 1, file), sizeof(text) - 1);
    assert_int_equal(fclose(file), 0);

    struct command_spec *spec = SCRIPT(world, "sh tool; sh to*");
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    struct call *call = submit(world, spec);
    assert_int_equal(call->state, CALL_ASKING);
    assert_int_equal(call->prompt->script_count, 1);
    assert_string_equal(call->prompt->scripts[0].text, "echo fine\u2400\ntouch evil\n");
    assert_int_equal(call->prompt->scripts[0].lines, 2);
    assert_true(call->prompt->script_unknown);
    assert_int_equal(call->assessment.level, RISK_MEDIUM);
    decide(world, call, REVIEW_DENIED);
}

/* The attack: what is grave stands in a file, and one key is asked for the command. */
static void what_a_script_says_is_its_risk(void **state)
{
    static const char *const commands[] = {"sh tool", "./tool"};
    struct world *world = *state;
    cleanup_free char *path = xasprintf("%s/tool", world->root);
    write_program(world, "tool");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("#!/bin/sh\ntrue\nrm -rf ~/x\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    for (size_t i = 0; i < COUNT(commands); i++) {
        struct command_spec *spec = SCRIPT(world, commands[i]);
        spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
        struct call *call = submit(world, spec);
        assert_int_equal(call->state, CALL_ASKING);
        assert_int_equal(call->assessment.level, RISK_HIGH);
        assert_string_equal(call->assessment.worst.file, "tool");
        assert_int_equal(call->assessment.worst.line, 3);
        decide(world, call, REVIEW_DENIED);
    }
}

/* The attack: what a question cannot show is of less risk than what it shows. */
static void what_cannot_be_shown_is_no_small_risk(void **state)
{
    struct world *world = *state;
    cleanup_free char *path = xasprintf("%s/tool", world->root);
    cleanup_free char *pipe_path = xasprintf("%s/pipe", world->root);
    write_program(world, "tool");
    assert_int_equal(truncate(path, 2 * 1024 * 1024), 0);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    static const struct {
        const char *command;
        enum risk_level level;
        size_t shown;
        bool unknown;
    } rows[] = {
        {"sh tool", RISK_HIGH, 1, false},
        {"python3.11 tool", RISK_HIGH, 1, false},
        {"./tool", RISK_HIGH, 1, false},
        {"sh pipe", RISK_MEDIUM, 0, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct command_spec *spec = SCRIPT(world, rows[i].command);
        spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
        struct call *call = submit(world, spec);
        assert_int_equal(call->state, CALL_ASKING);
        if (call->assessment.level != rows[i].level ||
            call->prompt->script_count != rows[i].shown ||
            call->prompt->script_unknown != rows[i].unknown)
            fail_msg("%s: %s, %zu, %d", rows[i].command, risk_level_name(call->assessment.level),
                     call->prompt->script_count, call->prompt->script_unknown);
        decide(world, call, REVIEW_DENIED);
    }
}

/* Nor does one that was not there. */
static void a_script_made_while_it_is_shown_does_not_run(void **state)
{
    struct world *world = *state;
    struct command_spec *spec = SPEC(world, "sh", "new");
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    struct call *call = submit(world, spec);
    write_program(world, "new");
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(fake_starts, 0);
    assert_non_null(strstr(call->failure, "new: submit it again"));
}

static void code_of_the_workspace_is_approved_once(void **state)
{
    struct world *world = *state;
    write_program(world, "tool");
    struct command_spec *tool = SPEC(world, "./tool");
    struct command_spec *build = SPEC(world, "make", "install");
    struct command_spec *copy = SPEC(world, "cp", "a", "/srv");
    struct command_spec *const specs[] = {tool, build, copy};
    static const bool offered[] = {false, false, true};
    for (size_t i = 0; i < 3; i++) {
        specs[i]->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
        struct call *call = submit(world, specs[i]);
        assert_int_equal(call->state, CALL_ASKING);
        assert_int_equal(call->prompt->may_approve_for_session, offered[i]);
        assert_int_equal(call->prompt->once_reason == NULL, offered[i]);
        decide(world, call, REVIEW_DENIED);
    }
}

static void a_swapped_directory_is_noticed(void **state)
{
    struct world *world = *state;
    cleanup_free char *sub = xasprintf("%s/sub", world->root);
    cleanup_free char *moved = xasprintf("%s/moved", world->root);
    assert_int_equal(mkdir(sub, 0755), 0);
    struct command_spec *spec = SPEC(world, "rm", "-rf", "x");
    free(spec->cwd);
    spec->cwd = xstrdup(sub);
    struct call *call = submit(world, spec);
    assert_int_equal(rename(sub, moved), 0);
    assert_int_equal(symlink("/", sub), 0);
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(fake_starts, 0);
    assert_int_equal(call_exit_status(call), 125);
}

/* Variables make any program run other code: such a call is neither safe nor what was granted. */
static void variables_are_shown_and_in_the_key(void **state)
{
    struct world *world = *state;
    static const char *const evil[] = {"LD_PRELOAD=./x.so", "GIT_CONFIG_COUNT=1",
                                       "BASH_FUNC_ls%%=() { id; }", "BASH_ENV=./x", "PATH=/tmp"};
    set_policy(world, world->agent, "untrusted");
    struct call *safe = submit(world, SPEC(world, "ls"));
    assert_int_equal(safe->state, CALL_RUNNING);
    exit_with(world, safe, 0);
    for (size_t i = 0; i < COUNT(evil); i++) {
        struct session *session = open_session(world, SESSION_CLIENT, "evil", "untrusted");
        struct command_spec *spec = SPEC(world, "ls");
        spec->env = strv_copy((const char *const[]){evil[i], NULL});
        struct call *call = submit_in(world, session, spec);
        settle(world);
        assert_int_equal(call->state, CALL_ASKING);
        cleanup_free char *name = xstrndup(evil[i], strcspn(evil[i], "=%"));
        assert_non_null(strstr(wording_english(call->prompt->reason), name));
        assert_string_equal(call->program, "/usr/bin/ls"); /* not looked up on its PATH */
    }
    struct command_spec *spec = SPEC(world, "ls");
    spec->env = strv_copy((const char *const[]){"CI=1", NULL});
    struct call *harmless = submit(world, spec);
    assert_int_equal(harmless->state, CALL_RUNNING);
    exit_with(world, harmless, 0);
    assert_int_equal(grants_count(world->agent->grants), 0);

    struct call *asked = submit(world, SPEC(world, "touch", "x"));
    decide(world, asked, REVIEW_APPROVED_FOR_SESSION);
    exit_with(world, asked, 0);
    spec = SPEC(world, "touch", "x");
    spec->env = strv_copy((const char *const[]){"CI=1", NULL});
    assert_int_equal(submit(world, spec)->state, CALL_ASKING);
}

/* `bash` is approved, and the code comes on its input. */
static void input_from_the_agent_is_said_and_not_remembered(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct command_spec *spec = SPEC(world, "bash");
    spec->standard_input = STDIN_PIPE;
    struct call *call = submit(world, spec);
    assert_non_null(
        strstr(wording_english(call->prompt->reason), "standard input comes from the agent"));
    assert_false(call->prompt->may_approve_for_session);
    decide(world, call, REVIEW_APPROVED);
    exit_with(world, call, 0);
    spec = SPEC(world, "bash");
    spec->standard_input = STDIN_PIPE;
    assert_int_equal(submit(world, spec)->state, CALL_ASKING);

    /* A filter may be granted, but not for another kind of input. */
    struct call *plain = submit(world, SPEC(world, "touch", "x"));
    decide(world, plain, REVIEW_APPROVED_FOR_SESSION);
    exit_with(world, plain, 0);
    spec = SPEC(world, "touch", "x");
    spec->standard_input = STDIN_PIPE;
    struct call *fed = submit(world, spec);
    assert_int_equal(fed->state, CALL_ASKING);
    assert_true(fed->prompt->may_approve_for_session);

    /* Outside the sandbox it always asks. */
    spec = SPEC(world, "touch", "x");
    spec->standard_input = STDIN_PIPE;
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    assert_false(submit(world, spec)->prompt->may_approve_for_session);
}

static void the_agent_stops_typing_when_the_operator_does(void **state)
{
    struct world *world = *state;
    struct command_spec *spec = SPEC(world, "bash");
    spec->tty = true;
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    struct call *call = submit(world, spec);
    assert_non_null(strstr(wording_english(call->prompt->reason), "can type into its terminal"));
    decide(world, call, REVIEW_APPROVED);
    struct orchestrator *orchestrator = world->orchestrator;
    assert_int_equal(orchestrator_write(orchestrator, call, "a", 1), 0);
    assert_int_equal(orchestrator_reply(orchestrator, call, "r", 1), 0);
    assert_int_equal(orchestrator_write(orchestrator, call, "a", 1), 0);
    assert_int_equal(orchestrator_type(orchestrator, call, "b", 1), 0);
    assert_int_equal(orchestrator_write(orchestrator, call, "c", 1), -EPERM);
    assert_int_equal(orchestrator_type(orchestrator, call, "d", 1), 0);
    assert_string_equal(strbuf_str(&call->run->input), "arabd");
    exit_with(world, call, 0);
}

/* A client picks its directory and its TMPDIR; the roots are those of the context. */
static void a_call_adds_no_root(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, SPEC(world, "touch", "x"));
    cleanup_free char *policy = xstrdup(call->run->policy);
    exit_with(world, call, 0);
    static const char *const places[] = {"/", "/etc", "/tmp"};
    for (size_t i = 0; i < COUNT(places); i++) {
        struct command_spec *spec = SPEC(world, "touch", "x");
        free(spec->cwd);
        spec->cwd = xstrdup(places[i]);
        spec->env = strv_copy((const char *const[]){"TMPDIR=/root", "HOME=/", NULL});
        struct call *elsewhere = submit(world, spec);
        assert_string_equal(elsewhere->run->policy, policy);
        assert_string_equal(elsewhere->run->cwd, places[i]);
        exit_with(world, elsewhere, 0);
    }
}

/* The words of a shell that asks for it among other things. */
static struct call *submit_script(struct world *world, const char *script)
{
    return submit(world, SCRIPT(world, script));
}

static const char *denied(const struct call *call)
{
    assert_int_equal(call->state, CALL_ASKING);
    return call->prompt->denied != NULL ? call->prompt->denied : "nothing";
}

static void assert_told(struct world *world, struct call *call, const char *expected)
{
    assert_string_equal(denied(call), expected);
    orchestrator_cancel(world->orchestrator, call, CANCELLED_BY_CLIENT, "gone");
    settle(world);
}

/* What was denied by itself is asked for as a part of something else: that is another request, and
 * the operator is told. Nothing that lasts is offered for it. */
static void what_was_denied_is_told_of_the_whole(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *early = submit_script(world, "mkdir a && touch b");
    struct call *call = submit(world, SPEC(world, "mkdir", "a"));
    assert_string_equal(denied(early), "nothing");
    assert_true(early->prompt->may_approve_for_session);
    decide_with(world, call, REVIEW_ABORT, "no");
    early = submit_script(world, "touch b && mkdir a");
    assert_string_equal(denied(early), "mkdir a (c2)");
    assert_null(early->prompt->ladder);
    assert_false(early->prompt->may_approve_for_session);
    assert_false(orchestrator_client_may_decide(early));
    assert_told(world, early, "mkdir a (c2)");
    assert_told(world, submit_script(world, "sh -c 'touch b; mkdir a'"), "mkdir a (c2)");
    assert_told(world, submit_script(world, "for i in 1; do mkdir a; done"), "mkdir a (c2)");
    assert_told(world, submit(world, SPEC(world, "env", "mkdir", "a")), "mkdir a (c2)");
    assert_told(world, submit_script(world, "mkdir a b; touch b"), "nothing");
    assert_told(world, submit_script(world, "echo mkdir a; touch b"), "nothing");
    assert_told(world, submit_script(world, "cd / && mkdir a"), "nothing");
}

/* No more of them than there is room for; that there are others is said. */
static void many_that_were_denied_are_told_in_part(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    for (size_t i = 0; i < COUNT(names); i++)
        decide_with(world, submit(world, SPEC(world, "mkdir", (char *)names[i])), REVIEW_DENIED,
                    "no");
    assert_told(world, submit_script(world, "mkdir a && mkdir b && mkdir c && mkdir a && mkdir d"),
                "mkdir a (c1), mkdir b (c2), mkdir c (c3), mkdir d (c4)");
    assert_told(world, submit_script(world, "mkdir e && mkdir d && mkdir c && mkdir b && mkdir a"),
                "mkdir e (c5), mkdir d (c4), mkdir c (c3), mkdir b (c2), and more");
}

/* Also of what waits when it is denied, and no more once it may be asked again. */
static void what_waits_is_told_of_what_is_denied(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    struct call *whole = submit_script(world, "mkdir a && ls");
    struct call *call = submit(world, SPEC(world, "mkdir", "a"));
    assert_non_null(whole->prompt->ladder);
    decide(world, call, REVIEW_DENIED);
    assert_string_equal(denied(whole), "mkdir a (c2)");
    assert_false(whole->prompt->may_approve_for_session);
    assert_undone(world, UNDO_DENIAL, "mkdir a");
    settle(world);
    assert_string_equal(denied(whole), "nothing");
    assert_true(whole->prompt->may_approve_for_session);
    assert_non_null(whole->prompt->ladder);
}

static void denied_once_is_denied_again(void **state)
{
    struct world *world = *state;
    struct call *call = submit(world, SPEC(world, "rm", "-rf", "x"));
    decide_with(world, call, REVIEW_DENIED, "no");
    forget_events(world);
    for (int i = 0; i < 20; i++) {
        struct command_spec *spec = SPEC(world, "rm", "-rf", "x");
        spec->justification = xasprintf("please, attempt %d", i);
        spec->timeout_ms = 1000 + i;
        struct call *again = submit(world, spec);
        assert_int_equal(again->state, CALL_FINISHED);
        assert_int_equal(again->decision.source, DECIDED_BY_CACHE);
        assert_string_equal(again->decision.message, "no");
        assert_int_equal(again->decision.repeats, i + 1);
    }
    assert_null(strstr(strbuf_str(&world->events), "asked"));
    assert_int_equal(submit(world, SPEC(world, "rm", "-rf", "y"))->state, CALL_ASKING);
    assert_string_equal(world->agent->denials->items[0].label, "rm -rf x");
    assert_false(orchestrator_forget_denials_of(world->orchestrator, world->agent, call->id + 100));
    assert_true(orchestrator_forget_denials_of(world->orchestrator, world->agent, call->id));
    struct call *again = submit(world, SPEC(world, "rm", "-rf", "x"));
    assert_int_equal(again->state, CALL_ASKING);
    decide_with(world, again, REVIEW_DENIED, "no");
    orchestrator_forget_denials(world->orchestrator, world->agent);
    assert_int_equal(submit(world, SPEC(world, "rm", "-rf", "x"))->state, CALL_ASKING);
}

static struct call *escalated(struct world *world, const char *path)
{
    struct command_spec *spec = SPEC(world, "touch", path);
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    spec->justification = xstrdup("it needs that");
    return submit(world, spec);
}

/* To run without the sandbox was denied when that had stopped it: to ask for just that first is no
 * other request. */
static void a_denied_retry_is_not_asked_for_anew(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "on-request");
    struct call *call = submit(world, SPEC(world, "touch", "/x"));
    exit_denied(world, call);
    assert_int_equal(call->state, CALL_ASKING);
    struct call *waiting = escalated(world, "/x");
    assert_int_equal(waiting->state, CALL_ASKING);
    decide_with(world, call, REVIEW_DENIED, "stay inside");
    assert_int_equal(waiting->state, CALL_FINISHED);
    struct call *again = escalated(world, "/x");
    assert_int_equal(again->state, CALL_FINISHED);
    assert_int_equal(again->decision.source, DECIDED_BY_CACHE);
    assert_string_equal(again->decision.message, "stay inside");
    assert_int_equal(again->decision.repeats, 2);
    struct call *other = escalated(world, "/y");
    assert_int_equal(other->state, CALL_ASKING);
    decide(world, other, REVIEW_DENIED);
    assert_true(orchestrator_denial_holds(again));
    assert_true(orchestrator_forget_denial(world->orchestrator, again));
    assert_int_equal(escalated(world, "/x")->state, CALL_ASKING);
}

/* The console stands still while it looks for what a first try has changed: not for a question that
 * is answered before, however often an agent has it asked. */
static void a_denied_retry_costs_no_look(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "on-request");
    struct call *call = submit(world, SPEC(world, "touch", "/x"));
    exit_denied(world, call);
    assert_non_null(call->attempts[0].touched);
    decide(world, call, REVIEW_DENIED);
    struct call *again = submit(world, SPEC(world, "touch", "/x"));
    exit_denied(world, again);
    assert_int_equal(again->decision.source, DECIDED_BY_CACHE);
    assert_null(again->attempts[0].touched);
}

/* The same asked ten times at once is one question. */
static void what_waits_is_denied_with_the_same(void **state)
{
    struct world *world = *state;
    struct call *calls[10];
    for (size_t i = 0; i < COUNT(calls); i++)
        calls[i] = submit(world, SPEC(world, "rm", "-rf", "x"));
    struct call *other = submit(world, SPEC(world, "rm", "-rf", "y"));
    for (size_t i = 0; i < COUNT(calls); i++) /* the last ones wait for room among the questions */
        assert_int_not_equal(calls[i]->state, CALL_FINISHED);
    decide_with(world, calls[0], REVIEW_DENIED, "no");
    for (size_t i = 0; i < COUNT(calls); i++) {
        assert_int_equal(calls[i]->state, CALL_FINISHED);
        assert_int_equal(calls[i]->decision.kind, REVIEW_DENIED);
        assert_int_equal(calls[i]->decision.source, i == 0 ? DECIDED_BY_USER : DECIDED_BY_CACHE);
        assert_string_equal(calls[i]->decision.message, "no");
    }
    assert_int_equal(other->state, CALL_ASKING);
}

/* One denial is lifted by any call that it refused; the others stay. */
static void one_denial_is_forgotten_alone(void **state)
{
    struct world *world = *state;
    struct call *first = submit(world, SPEC(world, "rm", "-rf", "x"));
    decide(world, first, REVIEW_DENIED);
    struct call *second = submit(world, SPEC(world, "rm", "-rf", "y"));
    decide(world, second, REVIEW_DENIED);
    struct call *again = submit(world, SPEC(world, "rm", "-rf", "x"));
    assert_int_equal(again->state, CALL_FINISHED);
    assert_true(orchestrator_denial_holds(first) && orchestrator_denial_holds(again));
    assert_true(orchestrator_forget_denial(world->orchestrator, again));
    assert_false(orchestrator_forget_denial(world->orchestrator, first));
    assert_false(orchestrator_denial_holds(first) || orchestrator_denial_holds(again));
    assert_true(orchestrator_denial_holds(second));
    assert_int_equal(submit(world, SPEC(world, "rm", "-rf", "x"))->state, CALL_ASKING);
    assert_int_equal(submit(world, SPEC(world, "rm", "-rf", "y"))->state, CALL_FINISHED);
}

/* A plain client that lets itself be orphaned belongs to another program, or to none: that does not
 * have it asked again, and neither does it get at what was granted to the first. */
static void orphans_are_denied_again_and_granted_nothing(void **state)
{
    struct world *world = *state;
    struct session *first = open_session(world, SESSION_DEFAULT, "bash", "on-request");
    struct call *denied = submit_in(world, first, SPEC(world, "rm", "-rf", "x"));
    struct call *allowed = submit_in(world, first, SPEC(world, "rm", "-rf", "y"));
    settle(world);
    decide_with(world, denied, REVIEW_DENIED, "no");
    decide(world, allowed, REVIEW_APPROVED_FOR_SESSION);
    struct session *second = open_session(world, SESSION_DEFAULT, "bash", "on-request");
    struct call *again = submit_in(world, second, SPEC(world, "rm", "-rf", "x"));
    settle(world);
    assert_int_equal(again->state, CALL_FINISHED);
    assert_string_equal(again->decision.message, "no");
    struct call *granted = submit_in(world, second, SPEC(world, "rm", "-rf", "y"));
    settle(world);
    assert_int_equal(granted->state, CALL_ASKING);
    /* Agents' own sessions have nothing to do with it. */
    assert_int_equal(submit(world, SPEC(world, "rm", "-rf", "x"))->state, CALL_ASKING);
}

static void the_operator_may_change_their_mind(void **state)
{
    struct world *world = *state;
    struct session *operator_ = open_session(world, SESSION_OPERATOR, "you", "on-request");
    for (int i = 0; i < 2; i++) {
        struct call *call = submit_in(world, operator_, SPEC(world, "rm", "-rf", "x"));
        settle(world);
        assert_int_equal(call->state, CALL_ASKING);
        decide(world, call, REVIEW_DENIED);
    }
}

/* One session floods the console; another one's question is not behind all of it. */
static void a_flood_does_not_crowd_out_others(void **state)
{
    struct world *world = *state;
    struct session *other = open_session(world, SESSION_CLIENT, "other", "on-request");
    char name[16];
    struct call *first = NULL;
    for (int i = 0; i < 30; i++) {
        snprintf(name, sizeof(name), "x%d", i);
        struct call *call = submit(world, SPEC(world, "rm", "-rf", name));
        first = first == NULL ? call : first;
    }
    struct call *quiet = submit_in(world, other, SPEC(world, "rm", "-rf", "y"));
    settle(world);
    assert_int_equal(orchestrator_waiting_count(world->orchestrator), 4);
    assert_int_equal(orchestrator_held_count(world->orchestrator), 27);
    assert_ptr_equal(orchestrator_waiting_at(world->orchestrator, 0), first);
    assert_ptr_equal(orchestrator_waiting_at(world->orchestrator, 3), quiet);
    decide(world, first, REVIEW_DENIED);
    assert_ptr_equal(orchestrator_waiting_at(world->orchestrator, 2), quiet);
    assert_int_equal(orchestrator_waiting_count(world->orchestrator), 4);

    struct error error = ERROR_INIT;
    for (int i = 0; i < 20; i++) {
        struct call *call = orchestrator_submit(world->orchestrator, world->agent, CALL_SHELL,
                                                SPEC(world, "touch", "x"), NULL, &error);
        if (call == NULL)
            break;
    }
    assert_non_null(strstr(error.message, "open calls"));
    assert_int_equal(world->agent->open_calls, 40);
    while (fake_runs != NULL) {
        fake_exit(fake_runs, 0);
        settle(world);
    }
}

static struct call *ask_from(struct world *world, pid_t tree, const char *name, const char *what)
{
    struct error error = ERROR_INIT;
    const struct call_options options = {.client = {.name = (char *)name, .tree = tree}};
    struct call *call = orchestrator_submit(world->orchestrator, world->agent, CALL_SHELL,
                                            SPEC(world, "rm", "-rf", what), &options, &error);
    assert_non_null(call);
    settle(world);
    return call;
}

static struct call *ask_as(struct world *world, const char *name, const char *what)
{
    return ask_from(world, 0, name, what);
}

/* Many share a session: what is free goes to who has the least, not to who came first. */
static void one_that_floods_a_shared_session_leaves_room(void **state)
{
    struct world *world = *state;
    struct call *calls[6];
    char name[16];
    for (size_t i = 0; i < COUNT(calls); i++) {
        snprintf(name, sizeof(name), "x%zu", i);
        calls[i] = ask_as(world, "codex", name);
    }
    struct call *quiet = ask_as(world, "claude", "y");
    struct call *nameless = ask_as(world, NULL, "z");
    assert_null(quiet->prompt);
    decide(world, calls[0], REVIEW_DENIED);
    assert_non_null(quiet->prompt);
    assert_null(calls[3]->prompt);
    decide(world, calls[1], REVIEW_DENIED);
    assert_non_null(nameless->prompt);
    decide(world, quiet, REVIEW_DENIED);
    assert_non_null(calls[3]->prompt);
    assert_null(calls[4]->prompt);
}

/* A name is what a client claims: with one for each request, or with another's, it has no more. */
static void names_that_are_claimed_make_no_room(void **state)
{
    struct world *world = *state;
    struct call *calls[8];
    char name[16];
    for (size_t i = 0; i < COUNT(calls); i++) {
        snprintf(name, sizeof(name), "x%zu", i);
        calls[i] = ask_from(world, 100, i == 0 ? "claude" : name, name);
    }
    struct call *quiet = ask_from(world, 200, "claude", "y");
    struct call *cousin = ask_from(world, 200, "gemini", "z");
    assert_null(quiet->prompt);
    decide(world, calls[1], REVIEW_DENIED);
    assert_non_null(quiet->prompt);
    assert_null(calls[3]->prompt);
    decide(world, calls[2], REVIEW_DENIED);
    assert_non_null(calls[3]->prompt); /* each has one open, and this came first */
    assert_null(cousin->prompt);
    decide(world, quiet, REVIEW_DENIED);
    assert_non_null(cousin->prompt);
    assert_null(calls[4]->prompt);
}

static void put_aside(struct world *world, struct call *call, bool aside)
{
    orchestrator_put_aside(world->orchestrator, call->prompt->id, aside);
    settle(world);
}

/* What the operator has put aside keeps nobody else out; but who floods is not asked about the more
 * often for that. */
static void what_is_put_aside_keeps_no_other_out(void **state)
{
    struct world *world = *state;
    struct call *calls[6];
    char name[16];
    for (size_t i = 0; i < COUNT(calls); i++) {
        snprintf(name, sizeof(name), "x%zu", i);
        calls[i] = ask_from(world, 100, name, name);
    }
    struct call *quiet = ask_from(world, 200, "claude", "y");
    assert_null(quiet->prompt);
    for (size_t i = 0; i < 3; i++)
        put_aside(world, calls[i], true);
    assert_non_null(quiet->prompt);                               /* that waited */
    assert_non_null(ask_from(world, 200, "claude", "z")->prompt); /* that comes */
    assert_null(calls[3]->prompt);
    assert_int_equal(orchestrator_waiting_count(world->orchestrator), 5);
    decide(world, calls[0], REVIEW_DENIED);
    assert_non_null(calls[3]->prompt);
    assert_null(calls[4]->prompt);

    put_aside(world, calls[1], false);
    put_aside(world, calls[2], false);
    assert_int_equal(world->agent->aside_prompts, 0);
    assert_null(ask_from(world, 300, "gemini", "z")->prompt);
}

/* Nor to who comes just when it gets free. */
static void who_keeps_coming_takes_no_place_that_others_wait_for(void **state)
{
    struct world *world = *state;
    struct error error = ERROR_INIT;
    const struct call_options options = {.client = {.name = (char *)"codex"}};
    struct call *calls[4];
    char name[16];
    for (size_t i = 0; i < COUNT(calls); i++) {
        snprintf(name, sizeof(name), "x%zu", i);
        calls[i] = ask_as(world, "codex", name);
    }
    struct call *quiet = ask_as(world, "claude", "y");
    assert_null(quiet->prompt);
    orchestrator_submit(world->orchestrator, world->agent, CALL_SHELL,
                        SPEC(world, "rm", "-rf", "more"), &options, &error);
    decide(world, calls[0], REVIEW_DENIED);
    assert_non_null(quiet->prompt);
}

/* To whose first question the operator has come, and which an answer to another one covered then,
 * has no place of its own for its second. */
static void who_was_looked_at_once_waits_like_any_other(void **state)
{
    struct world *world = *state;
    struct call *calls[5];
    const char *const paths[] = {"/x", "/y", "/z", "/x", "/u"};
    set_policy(world, world->agent, "untrusted");
    for (size_t i = 0; i < COUNT(calls); i++)
        calls[i] = submit(world, SPEC(world, "touch", paths[i]));
    assert_null(calls[3]->prompt);
    orchestrator_look_at(world->orchestrator, calls[3]->id);
    decide(world, calls[0], REVIEW_APPROVED_FOR_SESSION);
    assert_int_equal(calls[3]->state, CALL_RUNNING);
    assert_non_null(calls[4]->prompt);
    exit_denied(world, calls[3]);
    assert_true(orchestrator_waits(calls[3]));
    assert_null(calls[3]->prompt);
    orchestrator_look_at(world->orchestrator, calls[3]->id);
    settle(world);
    assert_non_null(calls[3]->prompt);
}

/* The operator picks one out of those that wait for room. */
static void what_is_looked_at_is_asked(void **state)
{
    struct world *world = *state;
    struct call *calls[6];
    for (size_t i = 0; i < COUNT(calls); i++)
        calls[i] = submit(world, SPEC(world, "rm", "-rf", i == 2 || i > 3 ? "x" : "y"));
    assert_true(orchestrator_same_question(calls[4], calls[5]));
    assert_true(orchestrator_same_question(calls[2], calls[5]));
    assert_int_equal(orchestrator_question_hash(calls[2]), orchestrator_question_hash(calls[5]));
    assert_false(orchestrator_same_question(calls[3], calls[5]));

    world->clock.now_ms += 5000;
    orchestrator_look_at(world->orchestrator, calls[5]->id);
    orchestrator_look_at(world->orchestrator, calls[0]->id); /* it is asked already */
    orchestrator_look_at(world->orchestrator, 1000);         /* there is none */
    settle(world);
    assert_int_equal(orchestrator_waiting_count(world->orchestrator), 4);
    assert_int_equal(orchestrator_held_count(world->orchestrator), 2);
    assert_non_null(calls[5]->prompt);
    assert_null(calls[4]->prompt);
    /* It has waited since it came. */
    assert_int_equal(calls[5]->prompt->opened_ms - calls[5]->waits_ms, 5000);
    /* There is no more room than before. */
    decide(world, calls[0], REVIEW_APPROVED);
    assert_int_equal(orchestrator_waiting_count(world->orchestrator), 3);
    exit_with(world, calls[0], 0);
}

/* ---- what the agent does itself ------------------------------------------------------------- */

static struct call *submit_own(struct world *world, const char *tool, bool fields,
                               struct command_spec *spec)
{
    struct error error = ERROR_INIT;
    struct call_options options = {.agent_tool = tool, .agent_fields = fields};
    struct call *call =
        orchestrator_submit(world->orchestrator, world->agent, CALL_SHELL, spec, &options, &error);
    assert_non_null(call);
    settle(world);
    return call;
}

static void what_the_agent_runs_itself_is_asked_and_not_run(void **state)
{
    struct world *world = *state;
    /* Even what would run unasked in the sandbox. */
    struct call *call = submit_own(world, "Bash", false, SCRIPT(world, "ls"));
    assert_int_equal(call->state, CALL_ASKING);
    assert_non_null(strstr(wording_english(call->prompt->reason),
                           "the agent does this itself, by its tool Bash"));
    assert_non_null(strstr(wording_english(call->prompt->under), "without a sandbox of ours"));
    assert_null(call->prompt->amendment);
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(call->attempt_count, 0);
    assert_null(fake_runs);
    assert_int_equal(call_exit_status(call), 0);

    call = submit_own(world, "Write", true, SPEC(world, "Write", "file_path=/x", "content=a b"));
    assert_int_equal(call->state, CALL_ASKING);
    assert_string_equal(call->prompt->command, "Write file_path=/x 'content=a b'");
    decide_with(world, call, REVIEW_DENIED, "no");
    assert_int_equal(call_exit_status(call), 77);
}

static void write_in(const char *directory, const char *name, const char *text)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void make_repository(const struct world *world)
{
    static const char *const parts[] = {"", "/objects", "/refs"};
    for (size_t i = 0; i < COUNT(parts); i++) {
        cleanup_free char *path = xasprintf("%s/.git%s", world->root, parts[i]);
        assert_int_equal(mkdir(path, 0777), 0);
    }
    cleanup_free char *git = xasprintf("%s/.git", world->root);
    write_in(git, "HEAD", "ref: refs/heads/main\n");
    write_in(git, "config", "[remote \"origin\"]\n\turl = git@example.com:me/x.git\n");
}

/* Where it pushes to depends on its environment, which may name another repository. */
static void nobody_says_where_the_agents_own_push_goes(void **state)
{
    struct world *world = *state;
    make_repository(world);
    struct call *ours = submit(world, SPEC(world, "git", "push", "origin", "main"));
    assert_non_null(strstr(ours->assessment.description, "example.com"));
    struct call *own = submit_own(world, "Bash", false, SCRIPT(world, "git push origin main"));
    assert_null(strstr(own->assessment.description, "example.com"));
    own = submit_own(world, "Bash", false, SPEC(world, "git", "push", "origin", "main"));
    assert_null(strstr(own->assessment.description, "example.com"));
}

/* Two are not told as one, and another's need of the network is told. */
static void a_push_beside_others_is_told_if_it_is_the_only_one(void **state)
{
    static const struct {
        const char *script;
        bool told;
    } rows[] = {
        {"git commit -m x && git push -f origin main", true},
        {"git commit -m x && git push -d origin main && rm -rf y", true},
        {"git push -f origin main && git -C x push -f", false},
        {"git push origin main && hg push", false},
        {"git push -f origin main; git push", false},
        {"git push -f origin main; git -C x push; ls", false},
        {"git push origin main; git -C x push -u fork y", false},
    };
    struct world *world = *state;
    make_repository(world);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct call *call = submit(world, SCRIPT(world, rows[i].script));
        const char *shown = call->assessment.description;
        if ((strstr(shown, "main of origin (git@example.com:me/x.git)") != NULL) != rows[i].told)
            fail_msg("%s: %s", rows[i].script, shown);
        assert_null(call->pushes.sent);
        assert_string_equal(call->pushes.unknown,
                            rows[i].told ? "other commands of the line can change that before"
                                         : "the line sends commits more than once");
        if (!rows[i].told)
            assert_null(call->pushes.upstream);
    }
    struct call *call = submit(world, SCRIPT(world, "git push /srv/x.git main; curl x.example"));
    assert_non_null(strstr(call->assessment.description, "main of /srv/x.git"));
    assert_false(call->assessment.stays_here);
    call = submit(world, SCRIPT(world, "git commit -m x; git push /srv/x.git main"));
    assert_true(call->assessment.stays_here);
}

static void its_grants_are_apart_from_ours(void **state)
{
    struct world *world = *state;
    struct command_spec *spec = SPEC(world, "touch", "x");
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    struct call *call = submit(world, spec);
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    exit_with(world, call, 0);
    call = submit_own(world, "Bash", false, SPEC(world, "touch", "x"));
    assert_int_equal(call->state, CALL_ASKING);
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    /* The same tool, the same command: covered. Another tool: not. */
    assert_int_equal(submit_own(world, "Bash", false, SPEC(world, "touch", "x"))->state,
                     CALL_FINISHED);
    assert_int_equal(submit_own(world, "shell", false, SPEC(world, "touch", "x"))->state,
                     CALL_ASKING);
}

static struct call *submit_input(struct world *world, uint64_t target)
{
    struct error error = ERROR_INIT;
    struct call_options options = {
        .agent_tool = "write_stdin", .agent_fields = true, .input_for = target};
    cleanup_free char *field = xasprintf("call=%d", (int)target);
    struct call *call =
        orchestrator_submit(world->orchestrator, world->agent, CALL_SHELL,
                            SPEC(world, "write_stdin", field, "input=x"), &options, &error);
    assert_non_null(call);
    settle(world);
    return call;
}

/* What a sandboxed command is sent needs no question; one outside does, and so does all under
 * untrusted. */
static void input_is_asked_about_where_no_sandbox_holds(void **state)
{
    struct world *world = *state;
    struct command_spec *spec = SPEC(world, "cat");
    spec->standard_input = STDIN_PIPE;
    struct call *confined = submit(world, spec);
    assert_int_equal(confined->state, CALL_RUNNING);
    assert_int_equal(call_exit_status(submit_input(world, confined->id)), 0);

    spec = SPEC(world, "cat");
    spec->standard_input = STDIN_PIPE;
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    struct call *outside = submit(world, spec);
    decide(world, outside, REVIEW_APPROVED);
    struct call *call = submit_input(world, outside->id);
    assert_int_equal(call->state, CALL_ASKING);
    assert_non_null(strstr(wording_english(call->prompt->reason), "the agent sends input to c"));
    decide(world, call, REVIEW_DENIED);
    assert_int_equal(submit_input(world, 4711)->state, CALL_ASKING);
    set_policy(world, world->agent, "untrusted");
    assert_int_equal(submit_input(world, confined->id)->state, CALL_ASKING);
    exit_with(world, confined, 0);
    exit_with(world, outside, 0);
}

static struct call *submit_question(struct world *world)
{
    struct error error = ERROR_INIT;
    struct call_options options = {
        .agent_tool = "elicitation", .agent_fields = true, .wants_words = true};
    struct call *call =
        orchestrator_submit(world->orchestrator, world->agent, CALL_SHELL,
                            SPEC(world, "elicitation", "Which?\n  1  A"), &options, &error);
    assert_non_null(call);
    settle(world);
    return call;
}

/* Its answer is the operator's words, each time anew; nobody else gives any. */
static void a_question_is_answered_by_words_only(void **state)
{
    struct world *world = *state;
    struct error error = ERROR_INIT;
    struct call *call = submit_question(world);
    assert_int_equal(call->state, CALL_ASKING);
    assert_string_equal(call->prompt->command, "Which?\n  1  A");
    assert_int_equal(call->prompt->cause, PROMPT_BY_ELICITATION);
    assert_null(call->prompt->ladder);
    uint64_t prompt = call->prompt->id;
    assert_int_equal(
        orchestrator_decide(world->orchestrator, prompt, 1, REVIEW_APPROVED, NULL, &error), -1);
    assert_int_equal(orchestrator_decide(world->orchestrator, prompt, 1,
                                         REVIEW_APPROVED_FOR_SESSION, "A", &error),
                     -1);
    decide_with(world, call, REVIEW_APPROVED, "1");
    assert_int_equal(call_exit_status(call), 0);
    assert_string_equal(call->decision.message, "1");
    assert_false(world->agent->advisory);
    call = submit_question(world);
    assert_int_equal(call->state, CALL_ASKING);
    decide(world, call, REVIEW_DENIED);
    assert_int_equal(call_exit_status(call), 77);
    static const char *const silent[] = {"never", "reject:elicitations"};
    for (size_t i = 0; i < 2; i++) {
        set_policy(world, world->agent, silent[i]);
        call = submit_question(world);
        assert_int_equal(call_exit_status(call), 77);
        assert_int_equal(call->decision.source, DECIDED_BY_CONFIG);
    }
}

/* That they open a page themselves is not said for them: not by a policy without a sandbox, and not
 * by what they said before. */
static void a_page_is_opened_by_the_operator_only(void **state)
{
    struct world *world = *state;
    struct error error = ERROR_INIT;
    const struct call_options options = {
        .agent_tool = "elicitation", .agent_fields = true, .in_person = true};
    struct turn_context *wide = context_of(world, "never", SANDBOX_DANGER_FULL_ACCESS);
    struct turn_context *asking = context_of(world, "on-request", SANDBOX_DANGER_FULL_ACCESS);
    orchestrator_set_context(world->orchestrator, world->agent, wide);
    struct call *call =
        orchestrator_submit(world->orchestrator, world->agent, CALL_SHELL,
                            SPEC(world, "elicitation", "url=https://x/"), &options, &error);
    settle(world);
    assert_int_equal(call_exit_status(call), 77);
    orchestrator_set_context(world->orchestrator, world->agent, asking);
    call = orchestrator_submit(world->orchestrator, world->agent, CALL_SHELL,
                               SPEC(world, "elicitation", "url=https://x/"), &options, &error);
    settle(world);
    assert_int_equal(call->state, CALL_ASKING);
    assert_int_equal(call->prompt->cause, PROMPT_BY_ELICITATION);
    assert_false(call->prompt->may_approve_for_session);
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call_exit_status(call), 0);
    turn_context_unref(&wide);
    turn_context_unref(&asking);
}

static void policies_hold_for_it_too(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "never");
    struct call *call = submit_own(world, "Bash", false, SCRIPT(world, "ls"));
    assert_int_equal(call_exit_status(call), 77);
    call = submit_own(world, "Write", true, SPEC(world, "Write", "file_path=/x"));
    assert_int_equal(call_exit_status(call), 77);
    set_policy(world, world->agent, "on-failure");
    call = submit_own(world, "Write", true, SPEC(world, "Write", "file_path=/x"));
    assert_int_equal(call->state, CALL_ASKING);
    struct error error = ERROR_INIT;
    struct call_options options = {.agent_tool = "Bash"};
    struct command_spec *spec = SPEC(world, "ls");
    spec->tty = true;
    assert_null(
        orchestrator_submit(world->orchestrator, world->agent, CALL_SHELL, spec, &options, &error));
}

#define LIFE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LIFE(a_swapped_program_does_not_run),
        LIFE(a_program_edited_in_place_does_not_run),
        LIFE(a_script_swapped_while_it_is_shown_does_not_run),
        LIFE(nothing_of_a_script_is_hidden),
        LIFE(what_a_script_says_is_its_risk),
        LIFE(what_cannot_be_shown_is_no_small_risk),
        LIFE(a_script_made_while_it_is_shown_does_not_run),
        LIFE(a_covered_retry_runs_what_was_shown),
        LIFE(without_a_sandbox_a_script_is_shown_too),
        LIFE(code_of_the_workspace_is_approved_once),
        LIFE(a_swapped_directory_is_noticed),
        LIFE(variables_are_shown_and_in_the_key),
        LIFE(input_from_the_agent_is_said_and_not_remembered),
        LIFE(the_agent_stops_typing_when_the_operator_does),
        LIFE(a_call_adds_no_root),
        LIFE(denied_once_is_denied_again),
        LIFE(what_was_denied_is_told_of_the_whole),
        LIFE(many_that_were_denied_are_told_in_part),
        LIFE(what_waits_is_told_of_what_is_denied),
        LIFE(a_denied_retry_is_not_asked_for_anew),
        LIFE(a_denied_retry_costs_no_look),
        LIFE(what_waits_is_denied_with_the_same),
        LIFE(one_denial_is_forgotten_alone),
        LIFE(orphans_are_denied_again_and_granted_nothing),
        LIFE(the_operator_may_change_their_mind),
        LIFE(a_flood_does_not_crowd_out_others),
        LIFE(one_that_floods_a_shared_session_leaves_room),
        LIFE(names_that_are_claimed_make_no_room),
        LIFE(what_is_put_aside_keeps_no_other_out),
        LIFE(who_keeps_coming_takes_no_place_that_others_wait_for),
        LIFE(who_was_looked_at_once_waits_like_any_other),
        LIFE(what_is_looked_at_is_asked),
        LIFE(what_the_agent_runs_itself_is_asked_and_not_run),
        LIFE(nobody_says_where_the_agents_own_push_goes),
        LIFE(a_push_beside_others_is_told_if_it_is_the_only_one),
        LIFE(its_grants_are_apart_from_ours),
        LIFE(input_is_asked_about_where_no_sandbox_holds),
        LIFE(a_question_is_answered_by_words_only),
        LIFE(a_page_is_opened_by_the_operator_only),
        LIFE(policies_hold_for_it_too),
    };
    return cmocka_run_group_tests_name("orchestrator attacks", tests, NULL, NULL);
}
