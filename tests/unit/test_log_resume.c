/* SPDX-License-Identifier: MIT */
/* What a console leaves to the next one: approvals that were not taken back, and nothing else. */
#include "config.h"

#include "record/log_resume.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/loop.h"
#include "record/log_repair.h"
#include "record/log_view.h"
#include "sandbox/policy.h"

struct fixture {
    char directory[200], anchors[220];
    struct log_place place;
    struct loop *loop;
    struct turn_context *context;
    struct session *sessions[3]; /* operator, default, client */
};

static int set_up(void **state)
{
    static const enum session_origin origins[] = {SESSION_OPERATOR, SESSION_DEFAULT,
                                                  SESSION_CLIENT};
    struct fixture *fixture = XNEW(struct fixture);
    const char *kept = getenv("KEPT_LOGS"); /* somebody looks at them later */
    snprintf(fixture->directory, sizeof(fixture->directory), "%s/assent-resume-XXXXXX",
             kept != NULL ? kept : "/tmp");
    assert_non_null(mkdtemp(fixture->directory));
    snprintf(fixture->anchors, sizeof(fixture->anchors), "%s/anchors", fixture->directory);
    fixture->place = (struct log_place){fixture->directory, fixture->anchors};
    fixture->loop = loop_new(NULL);
    struct sandbox_policy *policy = sandbox_policy_new_read_only();
    struct approval_policy approval = {.kind = APPROVAL_ON_REQUEST};
    fixture->context = turn_context_new(&approval, policy, SANDBOX_AUTO, "/work dir");
    sandbox_policy_free(&policy);
    for (size_t i = 0; i < 3; i++)
        fixture->sessions[i] = session_new(origins[i], "x", 0, NULL, fixture->context, NULL);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    for (size_t i = 0; i < 3; i++)
        session_free(&fixture->sessions[i]);
    turn_context_unref(&fixture->context);
    loop_free(&fixture->loop);
    cleanup_free char *clean = xasprintf("rm -rf '%s'", fixture->directory);
    if (getenv("KEPT_LOGS") == NULL)
        assert_int_equal(system(clean), 0);
    free(fixture);
    return 0;
}

static struct session_log *begin(const struct fixture *fixture, const char *console,
                                 const char *resumes)
{
    struct error error = ERROR_INIT;
    struct session_log *log = session_log_open(fixture->loop, &fixture->place, console, &error);
    if (log == NULL)
        fail_msg("%s", error.message);
    session_log_begin(log, resumes, resumes != NULL ? 40 : 0);
    for (size_t i = 0; i < 3; i++)
        session_log_observer()->session_started(log, fixture->sessions[i]);
    return log;
}

/* The operator approves a call for as long as the lease says. */
static void approve(struct session_log *log, struct session *session, uint64_t number, char *key,
                    struct lease lease)
{
    char *keys[] = {key, NULL};
    struct prompt prompt = {.id = number, .command = key};
    struct call call = {.id = number, .session = session, .keys = keys};
    call.decision = (struct review_decision){.kind = REVIEW_APPROVED_FOR_SESSION,
                                             .source = DECIDED_BY_USER,
                                             .grant_id = grants_newest(session->grants),
                                             .lease = lease};
    session_log_observer()->decided(log, &call, &prompt);
}

/* … and makes a rule for the session. */
static void make_rule(struct session_log *log, struct session *session, uint64_t number,
                      const char *rule)
{
    char *keys[] = {NULL};
    struct prompt prompt = {.id = number, .command = (char *)"a"};
    struct call call = {.id = number, .session = session, .keys = keys};
    call.decision = (struct review_decision){
        .kind = REVIEW_APPROVED_AMENDMENT, .source = DECIDED_BY_USER, .rule = (char *)rule};
    session_log_observer()->decided(log, &call, &prompt);
}

static void take_back(struct session_log *log, const struct session *session, uint64_t number)
{
    const struct grant grant = {.id = number, .call = number, .key = "", .label = ""};
    session_log_observer()->grant_ended(log, session, &grant, GRANT_REVOKED);
}

static void assert_left(const struct log_resume *resume, enum session_origin origin,
                        const char *expected)
{
    char all[200] = "";
    const struct grants *grants = log_resume_grants(resume, origin, 0);
    for (size_t i = 0; i < grants_count(grants); i++) {
        strcat(all, grants_at(grants, i)->key);
        strcat(all, " ");
    }
    assert_string_equal(all, expected);
}

static struct log_resume *resume_console(const struct fixture *fixture, const char *name)
{
    struct error error = ERROR_INIT;
    struct log_resume *resume = log_resume_open(&fixture->place, name, &error);
    if (resume == NULL)
        fail_msg("%s", error.message);
    return resume;
}

static void only_what_lasts_is_left(void **state)
{
    const struct fixture *fixture = *state;
    struct session *own = fixture->sessions[0], *shared = fixture->sessions[1];
    const struct lease whole = {0};
    struct session_log *log = begin(fixture, "one", NULL);
    approve(log, own, 1, (char *)"[1]", whole);
    approve(log, shared, 2, (char *)"[2]", whole);
    approve(log, shared, 3, (char *)"[3]", whole);
    approve(log, shared, 4, (char *)"[4]", (struct lease){.kind = LEASE_CALL, .call = 1});
    approve(log, shared, 5, (char *)"[5]", (struct lease){.kind = LEASE_RUNS, .runs = 3});
    approve(log, shared, 6, (char *)"[\"ghp_0123456789abcdefghijABCDEFGHIJ\"]", whole);
    approve(log, fixture->sessions[2], 7, (char *)"[7]", whole);
    take_back(log, shared, 2);
    approve(log, shared, 8, (char *)"[8]", whole);
    session_log_close(&log, NULL);
    struct log_resume *resume = resume_console(fixture, NULL);
    assert_string_equal(log_resume_root(resume), "/work dir");
    assert_left(resume, SESSION_OPERATOR, "[1] ");
    assert_left(resume, SESSION_DEFAULT, "[3] [8] ");
    assert_left(resume, SESSION_CLIENT, "");
    const struct log_resume_rest rest = log_resume_rest(resume);
    assert_int_equal(rest.left_out, 1);
    assert_int_equal(rest.leases, 2);
    assert_int_equal(rest.rules, 0);
    assert_string_equal(rest.lease_names[0], "c4");
    assert_non_null(rest.lease_names[1]);
    assert_null(rest.lease_names[2]);
    assert_null(rest.rule_names);
    assert_int_equal(log_resume_zoomed(resume), SIZE_MAX);
    assert_int_equal(log_resume_give(resume, own), 1);
    assert_int_equal(log_resume_give(resume, fixture->sessions[2]), 0);
    assert_string_equal(grants_at(own->grants, 0)->key, "[1]");
    log_resume_free(&resume);
}

/* What stood in the files that an approved command runs code from goes on with the approval, from
 * console to console: only so can it be known to be the same. */
static void what_it_ran_goes_with_an_approval(void **state)
{
    const struct fixture *fixture = *state;
    struct session *own = fixture->sessions[0];
    const char *const keys[] = {"[1]", NULL};
    struct session_log *log = begin(fixture, "one", NULL);
    grants_add(own->grants, keys, "make", 1, NULL);
    grants_note_seen(own->grants, keys, 3, "5ca1ab1e", NULL);
    approve(log, own, 1, (char *)"[1]", (struct lease){0});
    session_log_close(&log, NULL);
    struct log_resume *resume = resume_console(fixture, NULL);
    grants_revoke(own->grants, 1);
    log_resume_give(resume, own);
    assert_string_equal(grants_at(own->grants, 0)->files, "5ca1ab1e");
    assert_int_equal(grants_at(own->grants, 0)->seen, 0);
    log_resume_free(&resume);
    log = begin(fixture, "two", "one");
    session_log_grants_restored(log, own);
    session_log_close(&log, NULL);
    resume = resume_console(fixture, NULL);
    assert_string_equal(grants_at(log_resume_grants(resume, SESSION_OPERATOR, 0), 0)->files,
                        "5ca1ab1e");
    log_resume_free(&resume);
}

/* What was taken back, or had ended, is not missed by who goes on. */
static void what_was_taken_back_is_not_told(void **state)
{
    const struct fixture *fixture = *state;
    struct session *shared = fixture->sessions[1];
    const struct lease runs = {.kind = LEASE_RUNS, .runs = 3};
    const struct grant over = {.id = 5, .call = 5, .key = "", .label = ""};
    struct session_log *log = begin(fixture, "one", NULL);
    for (uint64_t call = 1; call <= 6; call++)
        approve(log, shared, call, (char *)"[1]", runs);
    make_rule(log, shared, 7, "prefix_rule([\"a\"], \"allow\")");
    make_rule(log, shared, 8, "prefix_rule([\"b\"], \"allow\")");
    take_back(log, shared, 1);
    session_log_observer()->grant_ended(log, shared, &over, GRANT_RUNS_USED);
    make_rule(log, shared, 9, "prefix_rule([\"c\"], \"allow\")");
    session_log_observer()->notice(
        log, NOTICE_OPERATOR, "the operator took back the rule: prefix_rule([\"a\"], \"allow\")");
    session_log_observer()->notice(
        log, NOTICE_OPERATOR,
        "the operator took back the rule of session abc: prefix_rule([\"c\"], \"allow\")");
    session_log_close(&log, NULL);
    struct log_resume *resume = resume_console(fixture, NULL);
    const struct log_resume_rest rest = log_resume_rest(resume);
    assert_int_equal(rest.leases, 4);
    assert_string_equal(rest.lease_names[0], "c2");
    assert_string_equal(rest.lease_names[2], "c4");
    assert_null(rest.lease_names[3]);
    assert_int_equal(rest.rules, 1);
    assert_string_equal(rest.rule_names[0], "prefix_rule([\"b\"], \"allow\")");
    assert_null(rest.rule_names[1]);
    log_resume_free(&resume);
}

/* What a file's change has ended is named, with the file, until it is allowed again. */
static void what_a_change_ended_is_told(void **state)
{
    const struct fixture *fixture = *state;
    struct session *shared = fixture->sessions[1];
    const struct grant first = {.id = 1, .call = 1, .changed = "Makefile"};
    const struct grant second = {.id = 2, .call = 2, .changed = "a.mk, b.mk"};
    struct session_log *log = begin(fixture, "one", NULL);
    approve(log, shared, 1, (char *)"[1]", (struct lease){0});
    approve(log, shared, 2, (char *)"[2]", (struct lease){0});
    approve(log, shared, 3, (char *)"[3]", (struct lease){0});
    session_log_observer()->grant_ended(log, shared, &first, GRANT_FILES_CHANGED);
    session_log_observer()->grant_ended(log, shared, &second, GRANT_FILES_CHANGED);
    take_back(log, shared, 3);
    approve(log, shared, 4, (char *)"[2]", (struct lease){0});
    session_log_close(&log, NULL);
    struct log_resume *resume = resume_console(fixture, NULL);
    const struct log_resume_rest rest = log_resume_rest(resume);
    assert_left(resume, SESSION_DEFAULT, "[2] ");
    assert_int_equal(rest.voided, 1);
    assert_string_equal(rest.void_names[0], "c1 [1] (Makefile)");
    assert_null(rest.void_names[1]);
    log_resume_free(&resume);
}

/* What the second console took back must not come again out of the first one's record. */
/* A number that somebody remembers names no other call, even when a console between had none. */
static void numbers_of_calls_go_on(void **state)
{
    const struct fixture *fixture = *state;
    struct session_log *log = begin(fixture, "one", NULL);
    approve(log, fixture->sessions[1], 7, (char *)"[7]", (struct lease){0});
    approve(log, fixture->sessions[1], 3, (char *)"[3]", (struct lease){0});
    session_log_close(&log, NULL);
    struct log_resume *resume = resume_console(fixture, "one");
    assert_int_equal(log_resume_last_call(resume), 7);
    assert_int_equal(log_resume_rest(resume).denials, 0);
    log_resume_free(&resume);
    log = begin(fixture, "two", "one"); /* which had forty */
    session_log_close(&log, NULL);
    resume = resume_console(fixture, "two");
    assert_int_equal(log_resume_last_call(resume), 40);
    log_resume_free(&resume);
}

/* What ended with another, and what the operator has taken back, is none. */
static void denials_are_counted(void **state)
{
    const struct fixture *fixture = *state;
    struct session_log *log = begin(fixture, "one", NULL);
    static const enum decision_source sources[] = {DECIDED_BY_USER, DECIDED_BY_CACHE,
                                                   DECIDED_BY_CONFIG, DECIDED_BY_USER};
    char *argv[] = {(char *)"make", NULL};
    char *host[] = {(char *)REACH_WORD, (char *)"https://example.org", NULL};
    char *script[] = {(char *)"sh", (char *)"-c", (char *)"rm -rf build", NULL};
    struct command_spec spec = {.argv = argv, .cwd = (char *)"/"};
    for (size_t i = 0; i < 9; i++) {
        spec.argv = i == 8 ? script : i == 7 ? host : argv;
        struct call call = {.id = i + 1,
                            .tool = i == 7 ? CALL_NETWORK : CALL_SHELL,
                            .session = fixture->sessions[1],
                            .context = fixture->context,
                            .program = (char *)(i == 8 ? "/usr/bin/sh" : "/usr/bin/make"),
                            .spec = &spec};
        call.decision =
            (struct review_decision){.kind = i == 3 || i == 4 ? REVIEW_ABORT : REVIEW_DENIED,
                                     .source = i < 4 ? sources[i] : DECIDED_BY_USER};
        call.cancelled = i == 4; /* it ended with another, or with its agent */
        call.cancelled_by = call.cancelled ? CANCELLED_BY_OPERATOR : CANCELLED_BY_NOBODY;
        session_log_observer()->call_received(log, &call);
        session_log_observer()->decided(log, &call, NULL);
        session_log_observer()->finished(log, &call);
    }
    session_log_observer()->notice(log, NOTICE_OPERATOR, FORGOT_DENIAL "6");
    session_log_close(&log, NULL);
    struct log_resume *resume = resume_console(fixture, "one");
    assert_int_equal(log_resume_rest(resume).denials, 5);
    const char *const *names = log_resume_rest(resume).deny_names;
    assert_string_equal(names[0], "c9 rm -rf build");
    assert_string_equal(names[1], "c8 connect to https://example.org");
    assert_string_equal(names[2], "c7 make");
    assert_null(names[3]);
    log_resume_free(&resume);
}

/* A console denies that; which of its calls does another one ask for again? */
static uint64_t denied_before(const struct fixture *fixture, struct call denied, struct call asks)
{
    static char name[] = "a"; /* another for each */
    name[0]++;
    struct session_log *log = begin(fixture, name, NULL);
    denied.id = 7;
    denied.decision = (struct review_decision){.kind = REVIEW_DENIED, .source = DECIDED_BY_USER};
    session_log_observer()->call_received(log, &denied);
    session_log_observer()->decided(log, &denied, NULL);
    session_log_observer()->finished(log, &denied);
    session_log_close(&log, NULL);
    struct log_resume *resume = resume_console(fixture, name);
    uint64_t found = log_resume_denied(resume, &asks);
    log_resume_free(&resume);
    return found;
}

static void what_was_denied_is_known_again(void **state)
{
    const struct fixture *fixture = *state;
    char *argv[] = {(char *)"git", (char *)"push", NULL};
    char *secret[] = {(char *)"curl", (char *)"-u", (char *)"me:swordfish", NULL};
    char *env[] = {(char *)"TERM=vt100", NULL};
    struct command_spec spec = {.argv = argv, .cwd = (char *)"/"};
    struct command_spec elsewhere = {.argv = argv, .cwd = (char *)"/tmp"};
    struct command_spec variables = {.argv = argv, .cwd = (char *)"/", .env = env};
    struct command_spec masked = {.argv = secret, .cwd = (char *)"/"};
    struct call call = {.id = 9,
                        .tool = CALL_SHELL,
                        .session = fixture->sessions[1],
                        .context = fixture->context,
                        .spec = &spec};
    struct call other = call;
    assert_int_equal(denied_before(fixture, call, other), 7);
    other.spec = &variables;
    assert_int_equal(denied_before(fixture, call, other), 7);
    other.spec = &elsewhere;
    assert_int_equal(denied_before(fixture, call, other), 0);
    struct session named = *fixture->sessions[1];
    named.name = (char *)"somebody else";
    other = call;
    other.session = &named;
    assert_int_equal(denied_before(fixture, call, other), 0);
    other = call;
    other.attempt_count = 1; /* that it was blocked is another question */
    assert_int_equal(denied_before(fixture, call, other), 0);
    call.spec = &masked;
    assert_int_equal(denied_before(fixture, call, call), 0);
}

static void the_last_of_a_row_is_meant(void **state)
{
    const struct fixture *fixture = *state;
    struct session *shared = fixture->sessions[1];
    struct session_log *log = begin(fixture, "one", NULL);
    approve(log, shared, 1, (char *)"[1]", (struct lease){0});
    approve(log, shared, 2, (char *)"[2]", (struct lease){0});
    session_log_close(&log, NULL);
    struct log_resume *resume = resume_console(fixture, "one");
    assert_null(log_resume_meant(resume));
    assert_int_equal(log_resume_give(resume, shared), 2);
    log = begin(fixture, "two", "one");
    session_log_grants_restored(log, shared);
    take_back(log, shared, 1);
    session_log_close(&log, NULL);
    log_resume_free(&resume);
    resume = resume_console(fixture, "one");
    assert_string_equal(log_resume_console(resume), "two");
    assert_string_equal(log_resume_meant(resume), "one");
    assert_left(resume, SESSION_DEFAULT, "[2] ");
    log_resume_free(&resume);
}

/* Approvals of plain clients hold for the program that they came from, as long as it runs. */
static void a_program_has_what_was_left_to_it(void **state)
{
    struct fixture *fixture = *state;
    pid_t program = fork();
    if (program == 0) {
        pause();
        _exit(0);
    }
    session_free(&fixture->sessions[1]);
    fixture->sessions[1] =
        session_new(SESSION_DEFAULT, "bash", program, "/bin/bash", fixture->context, NULL);
    struct session *session = fixture->sessions[1];
    struct session_log *log = begin(fixture, "one", NULL);
    approve(log, session, 1, (char *)"[1]", (struct lease){0});
    session_log_close(&log, NULL);
    struct log_resume *resume = resume_console(fixture, NULL);
    assert_left(resume, SESSION_DEFAULT, ""); /* of clients that come from nobody */
    assert_int_equal(log_resume_at(resume, 0)->peer_pid, program);
    assert_null(log_resume_at(resume, 1));
    assert_int_equal(log_resume_rest(resume).left_out, 0);
    assert_int_equal(log_resume_give(resume, session), 1);
    kill(program, SIGKILL);
    waitpid(program, NULL, 0);
    assert_null(log_resume_at(resume, 0));
    assert_int_equal(log_resume_rest(resume).left_out, 1);
    assert_int_equal(log_resume_give(resume, session), 0);
    log_resume_free(&resume);
}

static void note_written(void *argument, int result)
{
    *(bool *)argument = result == 0;
}

static void write_out(const struct fixture *fixture, struct session_log *log)
{
    bool written = false;
    struct commit commit = session_log_commit(log);
    commit.sync(commit.argument, note_written, &written);
    while (!written)
        loop_step(fixture->loop, 1000);
}

static void assert_row(const struct fixture *fixture, const char *console, const char *state)
{
    static const struct log_view_options options = {0};
    cleanup_free char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    cleanup_free char *start = xasprintf("\n%s  ", console);
    fputc('\n', out);
    assert_int_equal(log_view_list(fixture->directory, &options, out, NULL), 0);
    fclose(out);
    const char *row = strstr(text, start);
    assert_non_null(row);
    cleanup_free char *line = xstrndup(row + 1, strcspn(row + 1, "\n"));
    cleanup_free char *words = xasprintf("  %s  ", state);
    if (strstr(line, words) == NULL)
        fail_msg("not \"%s\": %s", state, line);
}

/* Whoever goes on from a console holds its lock: it is not open for that. */
static void the_list_tells_what_became_of_each(void **state)
{
    const struct fixture *fixture = *state;
    struct session_log *log = begin(fixture, "one", NULL);
    for (size_t i = 0; i < 3; i++)
        session_log_observer()->session_ended(log, fixture->sessions[i]);
    session_log_close(&log, NULL);
    assert_row(fixture, "one", "ended");
    struct log_resume *resume = resume_console(fixture, "one");
    assert_row(fixture, "one", "ended");
    log = begin(fixture, "two", "one");
    write_out(fixture, log);
    assert_row(fixture, "one", "ended, resumed by two");
    assert_row(fixture, "two", "open");
    session_log_close(&log, NULL);
    log_resume_free(&resume);
}

static void assert_refused(const struct fixture *fixture, const char *name, int number)
{
    struct error error = ERROR_INIT;
    assert_null(log_resume_open(&fixture->place, name, &error));
    assert_int_equal(error.number, number);
}

/* One that was killed wrote no end; who goes on from it is to know. */
static void a_killed_console_is_told_of(void **state)
{
    const struct fixture *fixture = *state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct session_log *log = begin(fixture, "one", NULL);
        approve(log, fixture->sessions[1], 1, (char *)"[1]", (struct lease){0});
        write_out(fixture, log);
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_row(fixture, "one", "killed");
    assert_int_equal(log_repair(fixture->directory, fixture->anchors, NULL), 1);
    struct log_resume *resume = resume_console(fixture, NULL);
    assert_true(log_resume_rest(resume).killed);
    assert_row(fixture, "one", "killed");
    assert_left(resume, SESSION_DEFAULT, "[1] ");
    log_resume_free(&resume);
    struct session_log *log = begin(fixture, "two", "one");
    session_log_close(&log, NULL);
    assert_row(fixture, "one", "killed, resumed by two");
    resume = resume_console(fixture, NULL);
    assert_false(log_resume_rest(resume).killed);
    log_resume_free(&resume);
}

static void one_console_at_a_time(void **state)
{
    const struct fixture *fixture = *state;
    struct session_log *log = begin(fixture, "one", NULL);
    assert_refused(fixture, "one", EBUSY);
    session_log_close(&log, NULL);
    struct log_resume *resume = resume_console(fixture, fixture->sessions[0]->id);
    assert_refused(fixture, "one", EBUSY);
    assert_refused(fixture, NULL, ENOENT);
    log_resume_free(&resume);
    resume = resume_console(fixture, NULL);
    log_resume_free(&resume);
    assert_refused(fixture, "none", ENOENT);
}

static void what_was_altered_is_not_resumed(void **state)
{
    const struct fixture *fixture = *state;
    struct session_log *log = begin(fixture, "one", NULL);
    approve(log, fixture->sessions[1], 1, (char *)"[1]", (struct lease){0});
    session_log_close(&log, NULL);
    size_t length;
    cleanup_free char *path = xasprintf("%s/one.jsonl", fixture->directory);
    cleanup_free char *text = fd_read_file(path, 100000, true, &length);
    *(strstr(text, "\"[1]\"") + 2) = '9';
    assert_int_equal(fd_replace_file(path, text, length, 0600), 0);
    assert_refused(fixture, "one", EBADMSG);
}

/* ---- agents ---------------------------------------------------------------------------------- */

enum fate { WORKS, IS_ENDED, ENDS_ITSELF };

/* The console starts an agent, which calls its session so (NULL: it never says). */
static void run_agent(const struct fixture *fixture, struct session_log *log, uint64_t number,
                      const char *const *argv, const char *conversation, enum fate fate)
{
    const struct observer *observer = session_log_observer();
    struct command_spec spec = {.argv = (char **)argv, .cwd = (char *)"/work dir"};
    struct call call = {.id = number,
                        .tool = CALL_SHELL,
                        .session = fixture->sessions[0],
                        .context = fixture->context,
                        .spec = &spec};
    observer->call_received(log, &call);
    if (conversation != NULL)
        observer->conversation_opened(log, &call, conversation);
    call.cancelled = fate == IS_ENDED;
    call.cancelled_by = fate == IS_ENDED ? CANCELLED_BY_CONSOLE : CANCELLED_BY_NOBODY;
    if (fate != WORKS)
        observer->finished(log, &call);
}

static void agents_that_worked_can_go_on(void **state)
{
    static const char *const one[] = {"/a/assent", "acp", "--", "one", "x y", NULL};
    static const char *const two[] = {"/a/assent", "acp", "--load=old", "--app-server", NULL};
    static const char *const secret[] = {"/a/assent", "acp",       "--", "three",
                                         "--token",   "hush-hush", NULL};
    static const char *const other[] = {"/bin/sh", "-c", "true", NULL};
    const struct fixture *fixture = *state;
    struct session_log *log = begin(fixture, "one", NULL);
    run_agent(fixture, log, 1, one, "first", WORKS);
    run_agent(fixture, log, 2, one, NULL, WORKS);
    run_agent(fixture, log, 3, one, "left", ENDS_ITSELF);
    run_agent(fixture, log, 4, secret, "third", WORKS);
    run_agent(fixture, log, 5, other, "fourth", WORKS);
    run_agent(fixture, log, 6, two, "second", IS_ENDED);
    session_log_layout(log, &(struct call){.id = 1, .session = fixture->sessions[0]}, true);
    session_log_layout(log, &(struct call){.id = 1, .session = fixture->sessions[0]}, false);
    session_log_layout(log, &(struct call){.id = 6, .session = fixture->sessions[0]}, true);
    session_log_close(&log, NULL);
    struct log_resume *resume = resume_console(fixture, NULL);
    static const char *const expected[][6] = {
        {"acp", "--load=first", "--", "one", "x y", NULL},
        {"acp", "--load=second", "--app-server", NULL},
    };
    for (size_t i = 0; i < 2; i++) {
        const char *const *words = log_resume_agent(resume, i);
        assert_non_null(words);
        for (size_t j = 0; expected[i][j] != NULL; j++)
            assert_string_equal(words[j], expected[i][j]);
        assert_int_equal(strv_length(words), strv_length(expected[i]));
    }
    assert_null(log_resume_agent(resume, 2));
    assert_int_equal(log_resume_zoomed(resume), 1);
    const struct log_resume_rest rest = log_resume_rest(resume);
    assert_int_equal(rest.calls, 6);
    assert_int_equal(rest.open, 4);
    assert_int_equal(rest.agents_ended, 1);
    assert_int_equal(rest.agents_hidden, 2);
    log_resume_free(&resume);
}

int main(void)
{
#define WITH_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        WITH_PLACE(only_what_lasts_is_left),
        WITH_PLACE(what_it_ran_goes_with_an_approval),
        WITH_PLACE(what_was_taken_back_is_not_told),
        WITH_PLACE(numbers_of_calls_go_on),
        WITH_PLACE(what_a_change_ended_is_told),
        WITH_PLACE(what_was_denied_is_known_again),
        WITH_PLACE(denials_are_counted),
        WITH_PLACE(the_list_tells_what_became_of_each),
        WITH_PLACE(a_killed_console_is_told_of),
        WITH_PLACE(the_last_of_a_row_is_meant),
        WITH_PLACE(agents_that_worked_can_go_on),
        WITH_PLACE(one_console_at_a_time),
        WITH_PLACE(what_was_altered_is_not_resumed),
        WITH_PLACE(a_program_has_what_was_left_to_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
