/* SPDX-License-Identifier: MIT */
/* The record as the console shows it. */
#include "config.h"

#include "record/log_screen.h"

#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/json.h"
#include "record/log_layout.h"

#define NOON ((int64_t)1700049600000) /* 2023-11-15, 12:00:00 UTC */
#define DAY ((int64_t)86400000)

/* A row for each of the calls, `received` is their event. */
static char *rows_of(const struct log_call *calls, size_t count, size_t columns)
{
    char *text = NULL;
    size_t length;
    struct log_screen screen = {.out = open_memstream(&text, &length), .columns = columns};
    for (size_t i = 0; i < count; i++)
        log_screen_call(&screen, &calls[i]);
    fclose(screen.out);
    return text;
}

static char *rows(const struct log_call *calls, size_t count)
{
    return rows_of(calls, count, 0);
}

static struct log_call call_of(uint64_t number, int64_t time_ms, const char *command)
{
    return (struct log_call){.number = number,
                             .time_ms = time_ms,
                             .agent = "Codex",
                             .risk = "low",
                             .decision = "approved",
                             .source = "user",
                             .command = command};
}

static int in_kolkata(void **state)
{
    (void)state;
    setenv("TZ", "Asia/Kolkata", 1); /* UTC+5:30, never anything else */
    tzset();
    return 0;
}

static void times_are_of_this_place(void **state)
{
    const struct log_call calls[] = {call_of(1, NOON, "ls"), call_of(2, NOON + 1000, "ls"),
                                     call_of(3, NOON + DAY / 2, "ls"), call_of(4, -1, "ls")};
    cleanup_free char *text = rows(calls, 4);
    (void)state;
    assert_string_equal(text, "2023-11-15\n"
                              "17:30:00  c1  Codex  low  allowed once, by you  ls\n"
                              "17:30:01  c2  Codex  low  allowed once, by you  ls\n"
                              "2023-11-16\n"
                              "05:30:00  c3  Codex  low  allowed once, by you  ls\n"
                              "--:--:--  c4  Codex  low  allowed once, by you  ls\n");
}

/* It has the name that the console gave it, and is no answer to the call itself. */
static void what_ended_with_another_was_stopped(void **state)
{
    struct log_call call = call_of(1, NOON, "ls");
    cleanup_json json_t *finished = json_pack("{s:b}", "cancelled", true);
    (void)state;
    call.decision = "abort";
    cleanup_free char *first = rows(&call, 1);
    assert_non_null(strstr(first, "low  denied, and the session's open calls ended, by you  ls\n"));
    cleanup_json json_t *alone = json_pack("{s:b}", "alone", true);
    call.decided = alone; /* nothing else was open */
    cleanup_free char *only = rows(&call, 1);
    assert_non_null(strstr(only, "low  denied, by you  ls\n"));
    call.decided = NULL;
    call.finished = finished;
    cleanup_free char *other = rows(&call, 1);
    assert_non_null(strstr(other, "low  stopped by you  ls\n"));
    call.decision = "denied"; /* by itself */
    cleanup_free char *itself = rows(&call, 1);
    assert_non_null(strstr(itself, "low  stopped by you  ls\n"));
}

/* Nothing was decided on a host whose command the operator stopped, and nothing is open. */
static void a_host_of_a_stopped_command_says_so(void **state)
{
    struct log_call call = call_of(1, NOON, "network-access http://x");
    cleanup_json json_t *received =
        json_pack("{s:s,s:{s:i}}", "tool", "network", "network", "command", 7);
    cleanup_json json_t *finished =
        json_pack("{s:b,s:s,s:s}", "cancelled", true, "cancelled_by", "client", "failure",
                  "its command was stopped by the operator");
    (void)state;
    call.decision = "";
    call.received = received;
    call.finished = finished;
    cleanup_free char *row = rows(&call, 1);
    assert_non_null(strstr(row, "low  its command was stopped by the operator  "));
    assert_null(strstr(row, "undecided"));
}

static void assert_row(const char *received, const char *finished, const char *end)
{
    cleanup_json json_t *event = json_loads(received, 0, NULL);
    cleanup_json json_t *last = json_loads(finished, 0, NULL);
    struct log_call call = call_of(1, NOON, "all the words");
    assert_non_null(event);
    assert_non_null(last);
    call.received = event;
    call.finished = last;
    cleanup_free char *text = rows(&call, 1);
    const char *behind = strstr(text, "by you");
    assert_non_null(behind);
    assert_string_equal(behind + strlen("by you"), end);
}

static void a_typed_line_is_shown_as_typed(void **state)
{
    static const char done[] = "{\"exit_status\":3}";
    (void)state;
    assert_row("{\"argv\":[\"bash\",\"-c\",\"ls | wc\"],\"program\":\"/usr/bin/bash\"}", done,
               "  exit 3  ls | wc\n");
    /* Anything can be called bash. */
    assert_row("{\"argv\":[\"bash\",\"-c\",\"ls | wc\"],\"program\":\"/home/me/bash\"}", done,
               "  exit 3  all the words\n");
    assert_row("{\"argv\":[\"ls\",\"-c\",\"x\"],\"program\":\"/usr/bin/ls\"}", done,
               "  exit 3  all the words\n");
    assert_row("{\"argv\":[\"bash\",\"-c\",\"a\\u001b[2J\"],\"program\":\"/bin/bash\"}", done,
               "  exit 3  a<ESC>[2J\n");
}

/* Who ended it is said: the decision that let it run does not tell. */
static void who_ended_it_is_told(void **state)
{
    static const char *const rows[][2] = {
        {"143,\"attempts\":1,\"cancelled_by\":\"operator\"", "143, stopped by you"},
        {"125,\"attempts\":1,\"cancelled_by\":\"client\",\"failure\":\"it went away\"",
         "125, withdrawn by its client while it ran"},
        {"125,\"attempts\":0,\"cancelled_by\":\"client\",\"failure\":\"it went away\"",
         "125, withdrawn by its client"},
        {"125,\"attempts\":1,\"cancelled_by\":\"console\",\"failure\":\"the console ended\"",
         "125, ended with the console"},
        {"143,\"attempts\":1,\"cancelled_by\":\"console\",\"failure\":\"its script changed\"",
         "143, ended by the console"},
        {"125,\"attempts\":0,\"failure\":\"no memory\"", "125, Assent could not run it"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cleanup_free char *finished = xasprintf("{\"exit_status\":%s}", rows[i][0]);
        cleanup_free char *end = xasprintf("  exit %s  all the words\n", rows[i][1]);
        assert_row("{\"argv\":[\"sleep\",\"60\"]}", finished, end);
    }
}

/* Which rule it was, where the record has it; its end, which tells it from others. */
static void a_rule_is_named(void **state)
{
    struct log_call calls[] = {call_of(1, -1, "ls"), call_of(2, -1, "ls")};
    cleanup_json json_t *named = json_pack("{s:s}", "by_rule", "/etc/assent/a.rules:3");
    cleanup_json json_t *far = json_pack(
        "{s:s}", "by_rule", "/home/somebody/.config/assent/rules/for\x1b[2J/default.rules:12");
    (void)state;
    calls[0].source = calls[1].source = "rule";
    calls[0].decided = named;
    calls[1].decided = far;
    cleanup_free char *text = rows(calls, 2);
    assert_non_null(
        strstr(text, "allowed without a question, by a rule (/etc/assent/a.rules:3)  ls\n"));
    assert_non_null(strstr(text, "/default.rules:12)  ls\n"));
    assert_null(strstr(text, "somebody"));
}

/* That it was denied stands there already; the status is none of a command. */
static void a_denial_is_told_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const char *const kinds[] = {"denied", "abort", "timed_out"};
        cleanup_free char *finished =
            xasprintf("{\"exit_status\":77,\"decision\":\"%s\"}", kinds[i]);
        assert_row("{\"argv\":[\"ls\"]}", finished, "  all the words\n");
    }
    /* A command may end with that, too. */
    assert_row("{\"argv\":[\"ls\"]}", "{\"exit_status\":77,\"decision\":\"approved\"}",
               "  exit 77  all the words\n");
}

/* Nothing ran here: there is no status of it. */
static void what_does_not_run_here_has_no_status(void **state)
{
    static const char done[] = "{\"exit_status\":0}";
    (void)state;
    assert_row("{\"tool\":\"network\",\"argv\":[\"network-access\",\"https://example.org/\"]}",
               done, "  connect to https://example.org/\n");
    assert_row("{\"agent_tool\":\"Write\",\"argv\":[\"Write\",\"x\"]}", done, "  all the words\n");
}

static void what_ran_outside_is_marked(void **state)
{
    struct log_call calls[] = {call_of(1, -1, "ls"), call_of(2, -1, "ls")};
    (void)state;
    calls[0].unsandboxed = true;
    cleanup_free char *text = rows(calls, 2);
    assert_string_equal(text, "--:--:--  c1  Codex  low  allowed once, no sandbox, by you  ls\n"
                              "--:--:--  c2  Codex  low  allowed once, by you  ls\n");
}

/* The command was allowed, and what it was for was not. */
static void a_denied_host_is_told_with_its_command(void **state)
{
    struct log_call call = call_of(1, -1, "ls");
    (void)state;
    call.source = "config";
    call.held_back = true;
    cleanup_free char *text = rows(&call, 1);
    assert_string_equal(text,
                        "--:--:--  c1  Codex  low  allowed without a question, by the policy, but "
                        "a host was denied  ls\n");
}

/* What was decided before the first try is not the answer to the second. */
static void what_is_asked_about_again_is_undecided(void **state)
{
    struct log_call call = call_of(1, -1, "ls");
    (void)state;
    call.source = "config";
    call.open = true;
    cleanup_free char *text = rows(&call, 1);
    assert_string_equal(text, "--:--:--  c1  Codex  low  ran, second try undecided  ls\n");
}

/* It did run, in the sandbox; what the operator made of it is not what was asked for; and an answer
 * for ten minutes was none for the session. */
static void what_was_decided_says_all_of_it(void **state)
{
    struct log_call calls[] = {call_of(1, -1, "ls"), call_of(2, -1, "ls"), call_of(3, -1, "ls")};
    cleanup_json json_t *edited = json_pack("{s:[s]}", "argv", "ls");
    cleanup_json json_t *decided =
        json_pack("{s:{s:s, s:i}}", "lease", "kind", "time", "duration_ms", 600000);
    (void)state;
    calls[0].decision = "denied";
    calls[0].tried = true;
    calls[1].edited = edited;
    calls[2].decision = "approved_for_session";
    calls[2].decided = decided;
    cleanup_free char *text = rows(calls, 3);
    assert_string_equal(text, "--:--:--  c1  Codex  low  ran, second try denied, by you  ls\n"
                              "--:--:--  c2  Codex  low  allowed once, changed by you  ls\n"
                              "--:--:--  c3  Codex  low  allowed for 10 minutes, by you  ls\n");
}

/* That it ran before it was stopped is not lost. */
static void what_was_stopped_says_whether_it_ran(void **state)
{
    struct log_call calls[] = {call_of(1, -1, "ls"), call_of(2, -1, "ls")};
    cleanup_json json_t *stopped = json_pack("{s:b}", "cancelled", true);
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        calls[i].decision = "denied";
        calls[i].finished = stopped;
        calls[i].tried = i == 1;
    }
    cleanup_free char *text = rows(calls, 2);
    assert_string_equal(text, "--:--:--  c1  Codex  low  stopped by you  ls\n"
                              "--:--:--  c2  Codex  low  ran, second try stopped by you  ls\n");
}

/* Whichever key said no, the second try was denied; and where there was nothing to run, there was
 * nothing to decide. */
static void the_same_has_the_same_words(void **state)
{
    struct log_call calls[] = {call_of(1, -1, "ls"), call_of(2, -1, "sudo"), call_of(3, -1, "x")};
    cleanup_json json_t *alone = json_pack("{s:b}", "alone", true);
    cleanup_json json_t *lost = json_pack("{s:i, s:i}", "exit_status", 127, "attempts", 1);
    cleanup_json json_t *dead = json_pack("{s:i, s:i}", "exit_status", 126, "attempts", 1);
    (void)state;
    calls[0].decision = "abort";
    calls[0].decided = alone;
    calls[0].tried = true;
    calls[1].decision = calls[1].source = calls[2].decision = calls[2].source = "";
    calls[1].finished = lost;
    calls[2].finished = dead;
    cleanup_free char *text = rows(calls, 3);
    assert_string_equal(text, "--:--:--  c1  Codex  low  ran, second try denied, by you  ls\n"
                              "--:--:--  c2  Codex  low  not found  exit 127  sudo\n"
                              "--:--:--  c3  Codex  low  not executable  exit 126  x\n");
}

/* As the console told of it when it was decided. */
static void decisions_have_the_words_of_the_console(void **state)
{
    static const struct {
        const char *kind, *source, *words;
    } table[] = {
        {"approved", "config", "low  allowed without a question, by the policy  ls"},
        {"approved", "rule", "low  allowed without a question, by a rule  ls"},
        {"approved_for_session", "cache", "low  allowed, covered by an answer of yours  ls"},
        {"approved_for_session", "user", "low  allowed for this session, by you  ls"},
        {"approved_sandboxed", "user", "low  allowed once, but in the sandbox, by you  ls"},
        {"denied", "cache", "low  denied, as before  ls"},
        {"denied", "config", "low  denied, by the policy  ls"},
        {"denied", "stopped", "low  denied, its agent is stopped  ls"},
        {"denied", "ended", "low  denied, the console ended  ls"},
        {"approved", "client", "low  allowed once, by its client  ls"},
        {"", "", "low  undecided  ls"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct log_call call = call_of(1, -1, "ls");
        call.decision = table[i].kind;
        call.source = table[i].source;
        cleanup_free char *text = rows(&call, 1);
        assert_non_null(strstr(text, table[i].words));
    }
}

static void what_was_covered_says_by_which_answer(void **state)
{
    struct log_call call = call_of(9, -1, "ls");
    (void)state;
    call.decision = "approved_for_session";
    call.source = "cache";
    call.covered_by = 4;
    cleanup_free char *text = rows(&call, 1);
    assert_non_null(strstr(text, "low  allowed, covered by your answer to c4  ls"));
}

/* The command asked nobody, but its connection was let out by an answer to another. */
static void a_covered_connection_says_by_which_answer(void **state)
{
    struct log_call call = call_of(9, -1, "curl");
    (void)state;
    call.decision = "approved";
    call.source = "config";
    call.reached_by = call.reached_last_by = 4;
    cleanup_free char *text = rows(&call, 1);
    assert_non_null(
        strstr(text, "by the policy, its connection covered by your answer to c4  curl"));
    call.reached_last_by = 6;
    cleanup_free char *more = rows(&call, 1);
    assert_non_null(strstr(more, "its connections covered by your answers to c4 and c6  curl"));
}

/* The command asked nobody, but its host was asked about. */
static void an_allowed_host_says_by_which_call(void **state)
{
    struct log_call call = call_of(9, -1, "curl");
    (void)state;
    call.decision = "approved";
    call.source = "config";
    call.host_by = call.host_last_by = 11;
    cleanup_free char *text = rows(&call, 1);
    assert_non_null(strstr(text, "by the policy, its host allowed by you (c11)  curl"));
    call.reached_by = call.reached_last_by = 11;
    cleanup_free char *covered = rows(&call, 1);
    assert_non_null(strstr(covered, "by the policy, its host allowed by you (c11)  curl"));
    call.reached_by = call.reached_last_by = 0;
    call.host_last_by = 14;
    cleanup_free char *more = rows(&call, 1);
    assert_non_null(strstr(more, ", its hosts allowed by you (first c11, last c14)  curl"));
}

/* A name that anybody can take stands between quotes, which it cannot close. */
static void plain_clients_are_told_by_what_they_call_themselves(void **state)
{
    struct log_call calls[] = {call_of(1, -1, "ls"), call_of(2, -1, "ls"), call_of(3, -1, "ls")};
    (void)state;
    calls[0].shared = calls[1].shared = calls[2].shared = true;
    calls[0].client = "reviewer";
    calls[1].client = "you\"  low\x1b";
    calls[2].client = "";
    cleanup_free char *text = rows(calls, 3);
    assert_non_null(strstr(text, "c1  \"reviewer\"  low"));
    assert_non_null(strstr(text, "c2  \"you'  low<ESC>\"  low"));
    assert_non_null(strstr(text, "c3  all that use assent exec"));
}

/* What is looked for stands in columns, and no word is torn. */
static void rows_are_as_wide_as_the_screen(void **state)
{
    struct log_call calls[] = {call_of(1, NOON, "ls"),
                               call_of(234567, NOON,
                                       "cp one-long-name two-long-names three-more "
                                       "four-and-more five/and/no/end.c")};
    cleanup_json json_t *ended = json_pack("{s:i}", "exit_status", 1);
    calls[1].agent = "an agent with a long name";
    calls[1].shared = false;
    calls[1].finished = ended;
    calls[1].source = "policy";
    (void)state;
    cleanup_free char *narrow = rows_of(calls, 2, 74);
    assert_string_equal(
        narrow, "2023-11-15\n"
                "17:30:00  c1     Codex           low     allowed once, by you\n"
                "                 ls\n"
                "17:30:00  c234567\n"
                "                 an agent with…  low     allowed without a question, by\n"
                "                                         the policy  exit 1\n"
                "                 cp one-long-name two-long-names three-more four-and-more\n"
                "                 five/and/no/end.c\n");
    cleanup_free char *wide = rows_of(calls, 1, 200);
    assert_string_equal(wide, "2023-11-15\n"
                              "17:30:00  c1     Codex           low     allowed once, by you"
                              "                                ls\n");
}

/* Its columns move in, rather than stand beyond the edge. */
static void no_row_is_wider_than_a_narrow_screen(void **state)
{
    const struct log_call call = call_of(1, NOON, "cp one-long-name two-long-names");
    (void)state;
    cleanup_free char *text = rows_of(&call, 1, 44);
    assert_string_equal(text, "2023-11-15\n"
                              "17:30:00  c1     Codex      low\n"
                              "                            allowed once, by\n"
                              "                            you\n"
                              "                 cp one-long-name\n"
                              "                 two-long-names\n");
}

/* A terminal's width is what counts; of anything else there is none. */
static void a_line_is_as_wide_as_its_terminal(void **state)
{
    const struct winsize size = {.ws_row = 24, .ws_col = 40};
    char shown[200] = "";
    int master, slave;
    (void)state;
    assert_int_equal(openpty(&master, &slave, NULL, NULL, &size), 0);
    FILE *out = fdopen(slave, "w");
    log_layout_line(out, 0, "it goes on where the next word begins, and is indented");
    fflush(out);
    for (size_t length = 0; strstr(shown, "indented\r\n") == NULL;) { /* it comes in pieces */
        ssize_t got = read(master, shown + length, sizeof(shown) - 1 - length);
        assert_true(got > 0);
        length += (size_t)got;
    }
    assert_string_equal(shown, "it goes on where the next word begins,\r\n"
                               "    and is indented\r\n");
    fclose(out);
    close(master);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_of_this_place),
        cmocka_unit_test(a_typed_line_is_shown_as_typed),
        cmocka_unit_test(a_rule_is_named),
        cmocka_unit_test(a_denial_is_told_once),
        cmocka_unit_test(what_does_not_run_here_has_no_status),
        cmocka_unit_test(what_ran_outside_is_marked),
        cmocka_unit_test(a_denied_host_is_told_with_its_command),
        cmocka_unit_test(who_ended_it_is_told),
        cmocka_unit_test(what_was_stopped_says_whether_it_ran),
        cmocka_unit_test(the_same_has_the_same_words),
        cmocka_unit_test(what_is_asked_about_again_is_undecided),
        cmocka_unit_test(what_was_decided_says_all_of_it),
        cmocka_unit_test(rows_are_as_wide_as_the_screen),
        cmocka_unit_test(no_row_is_wider_than_a_narrow_screen),
        cmocka_unit_test(a_line_is_as_wide_as_its_terminal),
        cmocka_unit_test(what_ended_with_another_was_stopped),
        cmocka_unit_test(a_host_of_a_stopped_command_says_so),
        cmocka_unit_test(decisions_have_the_words_of_the_console),
        cmocka_unit_test(what_was_covered_says_by_which_answer),
        cmocka_unit_test(a_covered_connection_says_by_which_answer),
        cmocka_unit_test(an_allowed_host_says_by_which_call),
        cmocka_unit_test(plain_clients_are_told_by_what_they_call_themselves),
    };
    return cmocka_run_group_tests(tests, in_kolkata, NULL);
}
