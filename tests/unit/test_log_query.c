/* SPDX-License-Identifier: MIT */
/* A log with calls of two agents: the index beside it, what can be asked, and how it is printed. */
#include "config.h"

#include "record/log_line.h"
#include "record/log_query.h"

#include <locale.h>
#include <pty.h>
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

#include "approval/call.h"
#include "approval/session.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "base/json.h"
#include "log_fixture.h"
#include "record/log_export.h"
#include "record/log_view.h"
#include "risk/mask.h"

#define START LOG_FIXTURE_START

static void add_call(struct log_fixture *fixture, const char *session, int call, const char *words,
                     const char *level, const char *kind, const char *source)
{
    json_t *argv = json_loads(words, 0, NULL);
    assert_non_null(argv);
    log_fixture_add(fixture, "call_received",
                    json_pack("{s:s, s:i, s:o, s:s}", "session", session, "call", call, "argv",
                              argv, "cwd", "/home/me"));
    log_fixture_add(fixture, "assessment",
                    json_pack("{s:s, s:i, s:s}", "session", session, "call", call, "level", level));
    if (kind != NULL)
        log_fixture_add(fixture, "decision",
                        json_pack("{s:s, s:i, s:i, s:s, s:s, s:s, s:s}", "session", session, "call",
                                  call, "waited_ms", 7, "kind", kind, "source", source, "message",
                                  "\"kind\":\"timed_out\"", "offer", "Always"));
}

static int set_up(void **state)
{
    int result = log_fixture_set_up(state);
    struct log_fixture *fixture = *state;
    log_fixture_add(fixture, "log_start", json_object());
    log_fixture_add(fixture, "session_start",
                    json_pack("{s:s, s:s}", "session", "aaaa", "name", "Claude"));
    log_fixture_add(fixture, "session_start",
                    json_pack("{s:s, s:s}", "session", "bbbb", "name", "Codex"));
    add_call(fixture, "aaaa", 1, "[\"git\",\"push\",\"a b\"]", "medium", "approved", "user");
    add_call(fixture, "bbbb", 2, "[\"rm\",\"-rf\",\"x\"]", "high", "denied", "user");
    add_call(fixture, "aaaa", 3, "[\"ls\"]", "low", "approved", "config");
    log_fixture_add(fixture, "finished",
                    json_pack("{s:s, s:i, s:i}", "session", "aaaa", "call", 1, "exit_status", 3));
    add_call(fixture, "bbbb", 4, "[\"=cmd|'x'!A1\",\"\\u001b[2J\",\"`|\"]", "high",
             "approved_for_session", "user");
    add_call(fixture, "aaaa", 5, "[\"make\"]", "low", NULL, NULL);
    log_fixture_store(fixture);
    return result;
}

static bool note_number(void *argument, const struct log_call *call)
{
    strbuf_addf(argument, "%d ", (int)call->number);
    return true;
}

static void assert_calls(const struct log_fixture *fixture, const struct log_query *query,
                         const char *expected)
{
    cleanup_strbuf struct strbuf numbers = STRBUF_INIT;
    struct log_index *index = log_fixture_open(fixture);
    assert_true(log_query_run(index, "one", query, note_number, &numbers));
    log_index_free(&index);
    assert_string_equal(strbuf_str(&numbers), expected);
}

static void queries_select(void **state)
{
    const struct log_fixture *fixture = *state;
#define ASK(expected, ...) assert_calls(fixture, &(struct log_query){__VA_ARGS__}, expected)
    ASK("1 2 3 4 5 ", 0);
    ASK("1 3 5 ", .session = "aaaa");
    ASK("2 4 ", .agent = "codex");
    ASK("1 3 4 ", .decision = "approved");
    ASK("4 ", .decision = "approved_for_session");
    ASK("2 ", .decision = "denied");
    ASK("", .decision = "timed_out");
    ASK("1 2 4 ", .source = "user");
    ASK("3 ", .source = "config", .decision = "approved");
    ASK("1 2 4 ", .risk = "medium");
    ASK("2 4 ", .risk = "high");
    ASK("1 ", .text = "PUSH 'a b'");
    ASK("1 2 3 4 5 ", .text = "/home/ME");
    ASK("", .text = "aaaa");
    ASK("3 ", .call = 3);
    ASK("3 ", .text = "c3");
    ASK("4 ", .text = "c4", .last = 2);
    ASK("", .text = "c33");
    ASK("4 5 ", .last = 2);
    /* "x" is what is looked for in the lines first; it stands in many. */
    ASK("2 ", .text = "-rf x", .last = 1);
    ASK("2 4 ", .agent = "codex", .last = 2);
    ASK("2 ", .agent = "codex", .decision = "denied", .last = 1);
    ASK("1 ", .text = "push", .last = 5);
    ASK("1 2 4 ", .last = 3, .source = "user");
    /* The second call came with the seventh line. */
    ASK("2 3 4 5 ", .since_ms = START + 6000);
    ASK("1 ", .until_ms = START + 6000);
    ASK("2 ", .since_ms = START + 6000, .until_ms = START + 6001);
}

/* A console that goes on from another counts on from that one's calls: higher than its own record
 * has lines. A call that waited for room is received behind later ones. */
static void calls_of_a_console_that_goes_on_are_found(void **state)
{
    struct log_fixture *fixture = *state;
    log_fixture_add(fixture, "log_start", json_object());
    log_fixture_add(fixture, "grant_restored",
                    json_pack("{s:s, s:i, s:i}", "session", "aaaa", "call", 943, "grant", 943));
    add_call(fixture, "aaaa", 946, "[\"ls\"]", "low", "approved", "user");
    add_call(fixture, "aaaa", 945, "[\"make\"]", "low", "denied", "user");
    add_call(fixture, "aaaa", 1947, "[\"far\"]", "low", "denied", "user");
    log_fixture_store(fixture);
    ASK("945 946 ", 0);
    ASK("945 ", .decision = "denied");
    ASK("946 ", .last = 1);
}

/* Whatever was decided can be asked for, also by an index that was kept. */
static void each_kind_is_found_again(void **state)
{
    struct log_fixture *fixture = *state;
    for (int kind = REVIEW_APPROVED; kind <= REVIEW_LAST; kind++)
        add_call(fixture, "aaaa", 100 + kind, "[\"ls\"]", "low",
                 review_kind_name((enum review_kind)kind), "user");
    while (fixture->lines < 2100) /* so many that it is kept */
        log_fixture_add(fixture, "notice", json_object());
    log_fixture_store(fixture);
    for (int kind = REVIEW_APPROVED; kind <= REVIEW_LAST; kind++) {
        cleanup_free char *number = xasprintf("%d ", 100 + kind);
        uint64_t call = (uint64_t)(100 + kind);
        ASK(number, .decision = review_kind_name((enum review_kind)kind), .call = call);
    }
    struct log_index *index = log_fixture_open(fixture);
    assert_false(log_index_rebuilt(index));
    log_index_free(&index);
}

static void add_decision(struct log_fixture *fixture, const char *session, int call,
                         const char *source, int grant)
{
    log_fixture_add(fixture, "call_received",
                    json_pack("{s:s, s:i, s:[s], s:s}", "session", session, "call", call, "argv",
                              "make", "cwd", "/home/me"));
    log_fixture_add(fixture, "decision",
                    json_pack("{s:s, s:i, s:s, s:s, s:i}", "session", session, "call", call, "kind",
                              "approved_for_session", "source", source, "grant", grant));
}

static bool note_covered(void *argument, const struct log_call *call)
{
    strbuf_addf(argument, "%d<%d ", (int)call->number, (int)call->covered_by);
    return true;
}

/* Grants have numbers of their session's own; one that was restored was not answered here. */
static void what_was_covered_names_the_call_that_was_answered(void **state)
{
    struct log_fixture *fixture = *state;
    cleanup_strbuf struct strbuf found = STRBUF_INIT;

    add_decision(fixture, "aaaa", 6, "user", 1);
    add_decision(fixture, "bbbb", 7, "user", 1);
    add_decision(fixture, "aaaa", 8, "user", 2);
    add_decision(fixture, "aaaa", 9, "cache", 1);
    add_decision(fixture, "bbbb", 10, "cache", 1);
    add_decision(fixture, "aaaa", 11, "cache", 2);
    add_decision(fixture, "bbbb", 12, "cache", 2);
    log_fixture_store(fixture);
    struct log_index *index = log_fixture_open(fixture);
    assert_true(log_query_run(index, "one", &(struct log_query){.last = 7}, note_covered, &found));
    log_index_free(&index);
    assert_string_equal(strbuf_str(&found), "6<0 7<0 8<0 9<6 10<7 11<8 12<0 ");
}

static bool note_open(void *argument, const struct log_call *call)
{
    strbuf_addf(argument, "%d:%s:%d ", (int)call->number, call->risk, call->open);
    return true;
}

static void add_event(struct log_fixture *fixture, const char *name, int call, const char *level)
{
    log_fixture_add(fixture, name,
                    json_pack("{s:s, s:i, s:s*}", "session", "aaaa", "call", call, "level", level));
}

static void what_is_asked_about_again_is_open_until_it_is_answered(void **state)
{
    struct log_fixture *fixture = *state;
    cleanup_strbuf struct strbuf found = STRBUF_INIT;

    for (int call = 6; call <= 8; call++) {
        add_call(fixture, "aaaa", call, "[\"ls\"]", "low", "approved", "config");
        add_event(fixture, "prompt_shown", call, NULL);
    }
    add_event(fixture, "finished", 7, NULL);
    add_call(fixture, "aaaa", 8, "[\"ls\"]", "low", "approved", "user");
    log_fixture_store(fixture);
    struct log_index *index = log_fixture_open(fixture);
    assert_true(log_query_run(index, "one", &(struct log_query){.last = 3}, note_open, &found));
    log_index_free(&index);
    assert_string_equal(strbuf_str(&found), "6:low:1 7:low:0 8:low:0 ");
}

/* Of a second try that waits, for an answer or for room to be asked about, nothing is decided. */
static void a_second_try_that_waits_is_not_approved(void **state)
{
    enum { HELD = 6, ASKED, RUNS, AGAIN, FINISHED };
    struct log_fixture *fixture = *state;
    cleanup_strbuf struct strbuf found = STRBUF_INIT;

    for (int call = HELD; call <= FINISHED; call++) {
        add_call(fixture, "cccc", call, "[\"ls\"]", "low", "approved", "user");
        add_event(fixture, "attempt_start", call, NULL);
        if (call != RUNS)
            add_event(fixture, "attempt_end", call, NULL);
    }
    add_event(fixture, "prompt_shown", ASKED, NULL);
    add_event(fixture, "attempt_start", AGAIN, NULL);
    add_event(fixture, "finished", FINISHED, NULL);
    log_fixture_store(fixture);
    ASK("8 9 10 ", .decision = "approved", .session = "cccc");
    ASK("8 9 10 ", .source = "user", .session = "cccc");
    struct log_index *index = log_fixture_open(fixture);
    assert_true(log_query_run(index, "one", &(struct log_query){.last = 5}, note_open, &found));
    log_index_free(&index);
    assert_string_equal(strbuf_str(&found), "6:low:1 7:low:1 8:low:0 9:low:0 10:low:0 ");
}

static bool note_held_back(void *argument, const struct log_call *call)
{
    strbuf_addf(argument, "%d:%d ", (int)call->number, call->held_back);
    return true;
}

/* Of the index that was just made, and of the one that was kept. */
static void a_denied_connection_is_its_commands(void **state)
{
    static const char *const outcomes[] = {"passed", "denied", "failed"};
    struct log_fixture *fixture = *state;
    for (int i = 0; i < 3; i++)
        log_fixture_add(fixture, "connection",
                        json_pack("{s:s, s:i, s:s, s:s}", "session", "aaaa", "call", i + 3, "to",
                                  "\"outcome\":\"denied\"", "outcome", outcomes[i]));
    log_fixture_store(fixture);
    for (int time = 0; time < 2; time++) {
        cleanup_strbuf struct strbuf found = STRBUF_INIT;
        struct log_index *index = log_fixture_open(fixture);
        assert_true(
            log_query_run(index, "one", &(struct log_query){.last = 3}, note_held_back, &found));
        log_index_free(&index);
        assert_string_equal(strbuf_str(&found), "3:0 4:1 5:0 ");
    }
}

static bool note_hosts(void *argument, const struct log_call *call)
{
    strbuf_addf(argument, "%d:%d-%d,%d ", (int)call->number, (int)call->host_by,
                (int)call->host_last_by, (int)call->reached_by);
    return true;
}

/* The same: by which questions about hosts its connections were let out. */
static void an_allowed_connection_names_the_question(void **state)
{
    static const struct {
        int call, by;
        const char *key;
    } connections[] = {{3, 7, "allowed_by"}, {4, 8, "allowed_by"},  {4, 9, "allowed_by"},
                       {4, 5, "covered_by"}, {4, 10, "allowed_by"}, {5, 7, "other"}};
    struct log_fixture *fixture = *state;
    for (size_t i = 0; i < sizeof(connections) / sizeof(connections[0]); i++)
        log_fixture_add(fixture, "connection",
                        json_pack("{s:s, s:i, s:s, s:s, s:i}", "session", "aaaa", "call",
                                  connections[i].call, "to", "\"allowed_by\":1", "outcome",
                                  "passed", connections[i].key, connections[i].by));
    log_fixture_store(fixture);
    for (int time = 0; time < 2; time++) {
        cleanup_strbuf struct strbuf found = STRBUF_INIT;
        struct log_index *index = log_fixture_open(fixture);
        assert_true(
            log_query_run(index, "one", &(struct log_query){.last = 3}, note_hosts, &found));
        log_index_free(&index);
        assert_string_equal(strbuf_str(&found), "3:7-7,0 4:8-10,5 5:0-0,0 ");
    }
}

/* What the agent had asked for was worse; it is not what was answered. */
static void a_change_has_its_own_risk(void **state)
{
    struct log_fixture *fixture = *state;
    cleanup_strbuf struct strbuf found = STRBUF_INIT;

    add_call(fixture, "aaaa", 6, "[\"rm\",\"-rf\",\"x\"]", "high", NULL, NULL);
    add_event(fixture, "edited", 6, NULL);
    add_event(fixture, "assessment", 6, "low");
    add_event(fixture, "assessment", 6, "medium");
    log_fixture_store(fixture);
    struct log_index *index = log_fixture_open(fixture);
    assert_true(log_query_run(index, "one", &(struct log_query){.last = 1}, note_open, &found));
    log_index_free(&index);
    assert_string_equal(strbuf_str(&found), "6:medium:0 ");
}

static void index_follows_the_log(void **state)
{
    struct log_fixture *fixture = *state;
    struct log_index *index = log_fixture_open(fixture);
    size_t before = log_index_count(index);
    assert_int_equal(before, fixture->lines);
    assert_int_equal(log_index_update(index), 0);
    log_fixture_add(fixture, "notice", json_pack("{s:s}", "text", "later"));
    FILE *log = fopen(fixture->log, "a");
    const char *line = strrchr(strbuf_str(&fixture->text), '{');
    fprintf(log, "%s{\"v\":2", line);
    fclose(log);
    assert_int_equal(log_index_update(index), 1);
    assert_int_equal(log_index_torn(index), 6);
    cleanup_free char *text = log_index_text(index, before);
    assert_non_null(strstr(text, "later"));
    log_index_free(&index);
}

/* As many lines as it takes to keep an index. */
static void make_large(struct log_fixture *fixture)
{
    for (int i = 0; i < 25000; i++)
        log_fixture_add(fixture, "notice", json_pack("{s:s}", "text", "x"));
    log_fixture_store(fixture);
}

static void assert_rebuilt(const struct log_fixture *fixture, bool expected)
{
    struct log_index *index = log_fixture_open(fixture);
    assert_int_equal(log_index_rebuilt(index), expected);
    assert_int_equal(log_index_count(index), fixture->lines);
    assert_string_equal(log_index_session(index, 1), "bbbb");
    log_index_free(&index);
}

static void index_is_kept_and_made_anew(void **state)
{
    struct log_fixture *fixture = *state;
    struct stat status;
    make_large(fixture);
    assert_rebuilt(fixture, true);
    assert_int_equal(stat(fixture->index, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    assert_rebuilt(fixture, false);
    assert_calls(fixture, &(struct log_query){.decision = "denied"}, "2 ");
    /* Damaged, cut, gone, of another log. */
    size_t length;
    cleanup_free char *bytes = fd_read_file(fixture->index, 10000000, true, &length);
    bytes[48 + 3 * sizeof(struct log_entry)] ^= 1; /* where its fourth line begins */
    assert_int_equal(fd_replace_file(fixture->index, bytes, length, 0600), 0);
    assert_rebuilt(fixture, true);
    assert_int_equal(truncate(fixture->index, (off_t)length / 2), 0);
    assert_rebuilt(fixture, true);
    unlink(fixture->index);
    assert_rebuilt(fixture, true);
    log_fixture_store(fixture);
    assert_rebuilt(fixture, true);
    assert_rebuilt(fixture, false);
}

static bool export_call(void *argument, const struct log_call *call)
{
    const enum log_format *format = argument;
    log_export_call(stdout, *format, call);
    return true;
}

/* What the log's fourth call looks like. */
static char *export(const struct log_fixture *fixture, enum log_format format, uint64_t call)
{
    char *text = NULL;
    size_t length;
    struct log_index *index = log_fixture_open(fixture);
    FILE *before = stdout;
    stdout = open_memstream(&text, &length);
    log_export_begin(stdout, format);
    log_query_run(index, "one", &(struct log_query){.call = call}, export_call, &format);
    fclose(stdout);
    stdout = before;
    log_index_free(&index);
    return text;
}

static void exports_hold_hostile_text(void **state)
{
    const struct log_fixture *fixture = *state;
    cleanup_free char *text = export(fixture, LOG_FORMAT_TEXT, 4);
    assert_string_equal(
        text, "2023-11-14T22:13:33.000Z  c4  Codex  high  allowed for this session, "
              "by its agent's answer \"Always\"  '=cmd|'\\''x'\\''!A1' '<ESC>[2J' '`|'\n");
    cleanup_free char *csv = export(fixture, LOG_FORMAT_CSV, 4);
    assert_non_null(strstr(csv, "\r\n\"2023-11-14T22:13:33.000Z\",\"one\",\"c4\",\"bbbb\","));
    assert_null(strchr(csv, '\x1b'));
    cleanup_free char *markdown = export(fixture, LOG_FORMAT_MARKDOWN, 4);
    assert_non_null(strstr(markdown, "| Codex | high | approved\\_for\\_session | user | 7 |"));
    assert_non_null(strstr(markdown, "\\`\\|"));
    cleanup_free char *json = export(fixture, LOG_FORMAT_JSON, 1);
    cleanup_json json_t *object = json_parse(json, strlen(json) - 1, NULL);
    assert_string_equal(json_string_value(json_object_get(object, "command")), "git push 'a b'");
    assert_int_equal(json_integer_value(json_object_get(object, "exit_status")), 3);
    assert_string_equal(json_string_value(json_object_get(object, "offer")), "Always");
    /* A word that a spreadsheet would compute. */
    struct log_call formula = {.console = "",
                               .session = "",
                               .agent = "=1+1",
                               .risk = "",
                               .decision = "",
                               .source = "",
                               .command = "-x",
                               .time_ms = -1};
    char *row = NULL;
    size_t length;
    FILE *out = open_memstream(&row, &length);
    log_export_call(out, LOG_FORMAT_CSV, &formula);
    fclose(out);
    assert_non_null(strstr(row, "\"'=1+1\""));
    assert_non_null(strstr(row, "\"'-x\""));
    free(row);
}

/* ---- what was taken back --------------------------------------------------------------------- */

#define OF_PROJECT "prefix_rule(pattern=[\"a\"], decision=\"allow\", project_id=\"1:2\")"
#define OF_SESSION "prefix_rule(pattern=[\"a\"], decision=\"allow\")"

/* What is told of rules and grants needs no other lines of a call. */
static void add_answer(struct log_fixture *fixture, const char *session, int call, const char *kind,
                       json_t *more)
{
    json_t *event = json_pack("{s:s, s:i, s:s, s:s}", "session", session, "call", call, "kind",
                              kind, "source", "user");
    add_call(fixture, session, call, "[\"a\"]", "low", NULL, NULL);
    json_object_update(event, more);
    json_decref(more);
    log_fixture_add(fixture, "decision", event);
}

static void add_rule(struct log_fixture *fixture, const char *session, int call, const char *rule,
                     int lasts)
{
    json_t *more = json_pack("{s:s}", "rule", rule);
    if (lasts >= 0) /* older records do not say so */
        json_object_set_new(more, "rule_lasts", json_boolean(lasts));
    add_answer(fixture, session, call, "approved_amendment", more);
}

static void add_notice(struct log_fixture *fixture, const char *level, const char *text)
{
    log_fixture_add(fixture, "notice", json_pack("{s:s, s:s}", "level", level, "text", text));
}

static void add_end(struct log_fixture *fixture, const char *session, int grant, const char *why)
{
    log_fixture_add(fixture, "grant_ended",
                    json_pack("{s:s, s:i, s:s}", "session", session, "grant", grant, "why", why));
}

static bool note_taken_back(void *argument, const struct log_call *call)
{
    if (call->taken_back)
        strbuf_addf(argument, "%d ", (int)call->number);
    return true;
}

static bool keeps(void *argument, const char *line)
{
    return strcmp(argument, line) == 0;
}

/* `kept`: the only rule that is in the rule files; NULL: nobody has looked. */
static void assert_taken_back(const struct log_fixture *fixture, const char *kept,
                              const char *expected)
{
    const struct log_query query = {.keeps_rule = kept != NULL ? keeps : NULL,
                                    .keeper = (char *)kept};
    cleanup_strbuf struct strbuf numbers = STRBUF_INIT;
    struct log_index *index = log_fixture_open(fixture);
    log_query_run(index, "one", &query, note_taken_back, &numbers);
    log_index_free(&index);
    assert_string_equal(strbuf_str(&numbers), expected);
}

static void begin_anew(struct log_fixture *fixture)
{
    strbuf_reset(&fixture->text);
    fixture->lines = 0;
    memset(fixture->hash, 0, sizeof(fixture->hash));
    log_fixture_add(fixture, "log_start", json_object());
    log_fixture_add(fixture, "session_start",
                    json_pack("{s:s, s:s}", "session", "aaaa", "name", "Claude"));
    log_fixture_add(fixture, "session_start",
                    json_pack("{s:s, s:s}", "session", "bbbb", "name", "Codex"));
}

/* One that is kept is looked for where rules are kept: it may be taken back by another program. */
static void a_rule_that_is_kept_no_longer_is_taken_back(void **state)
{
    struct log_fixture *fixture = *state;
    begin_anew(fixture);
    add_rule(fixture, "aaaa", 1, OF_PROJECT, 1);
    add_rule(fixture, "bbbb", 2, OF_PROJECT, -1);
    add_rule(fixture, "aaaa", 3, "prefix_rule(pattern=[\"\xef\xbf\xbd\"])",
             1);                                 /* not all its bytes */
    add_rule(fixture, "aaaa", 4, OF_PROJECT, 0); /* it could not be kept */
    log_fixture_store(fixture);
    assert_taken_back(fixture, NULL, "");
    assert_taken_back(fixture, OF_PROJECT, "");
    assert_taken_back(fixture, "another", "1 2 ");
    add_notice(fixture, "operator", "the operator took back the rule: " OF_PROJECT);
    add_rule(fixture, "aaaa", 5, OF_PROJECT, 1); /* and made anew */
    log_fixture_store(fixture);
    assert_taken_back(fixture, OF_PROJECT, "1 2 4 ");
    assert_taken_back(fixture, "another", "1 2 4 5 ");
}

static void a_rule_of_a_session_is_taken_back_there(void **state)
{
    struct log_fixture *fixture = *state;
    begin_anew(fixture);
    add_rule(fixture, "aaaa", 1, OF_SESSION, 0);
    add_rule(fixture, "bbbb", 2, OF_SESSION, 0);
    add_notice(fixture, "operator", "the operator took back the rule of session bbbb: " OF_SESSION);
    add_notice(fixture, "info", "the operator took back the rule of session aaaa: " OF_SESSION);
    log_fixture_store(fixture);
    assert_taken_back(fixture, "another", "2 ");
    add_rule(fixture, "bbbb", 3, OF_SESSION, 0);
    log_fixture_store(fixture);
    assert_taken_back(fixture, "another", "2 ");
    /* An older record does not tell whose it was. */
    add_notice(fixture, "operator", "the operator took back the rule: " OF_SESSION);
    log_fixture_store(fixture);
    assert_taken_back(fixture, "another", "1 2 3 ");
}

/* In a notice secrets are masked, whatever is on record beside it. */
static void a_rule_with_a_secret_is_known_again(void **state)
{
    static const char rule[] = "prefix_rule(pattern=[\"curl\", \"--password=hunter2hunter2\"])";
    struct log_fixture *fixture = *state;
    cleanup_strbuf struct strbuf masked = STRBUF_INIT;
    cleanup_free char *text =
        xasprintf("the operator took back the rule of session aaaa: %s", rule);
    mask_text(&masked, text, strlen(text));
    assert_null(strstr(strbuf_str(&masked), "hunter2"));
    begin_anew(fixture);
    add_rule(fixture, "aaaa", 1, rule, 0);
    add_notice(fixture, "operator", strbuf_str(&masked));
    log_fixture_store(fixture);
    assert_taken_back(fixture, "another", "1 ");
}

/* What was given for longer, and not what it has covered; what ended by itself was not taken back.
 */
static void an_answer_for_longer_is_taken_back(void **state)
{
    struct log_fixture *fixture = *state;
    begin_anew(fixture);
    for (int i = 1; i <= 3; i++)
        add_answer(fixture, "aaaa", i, "approved_for_session", json_pack("{s:i}", "grant", i));
    add_answer(fixture, "bbbb", 4, "approved_for_session", json_pack("{s:i}", "grant", 1));
    add_call(fixture, "aaaa", 5, "[\"a\"]", "low", NULL, NULL);
    log_fixture_add(fixture, "decision",
                    json_pack("{s:s, s:i, s:s, s:s, s:i}", "session", "aaaa", "call", 5, "kind",
                              "approved_for_session", "source", "cache", "grant", 1));
    add_end(fixture, "aaaa", 1, "revoked");
    add_end(fixture, "aaaa", 2, "time");
    log_fixture_store(fixture);
    assert_taken_back(fixture, NULL, "1 ");
}

static void a_denial_is_taken_back(void **state)
{
    struct log_fixture *fixture = *state;
    begin_anew(fixture);
    for (int i = 1; i <= 3; i++)
        add_answer(fixture, "aaaa", i, "denied", json_object());
    add_notice(fixture, "operator", FORGOT_DENIAL "1");
    log_fixture_store(fixture);
    assert_taken_back(fixture, NULL, "1 ");
    cleanup_free char *text = export(fixture, LOG_FORMAT_TEXT, 1);
    assert_non_null(strstr(text, "  denied (since taken back), by you  a\n"));
    cleanup_free char *holds = export(fixture, LOG_FORMAT_TEXT, 2);
    assert_non_null(strstr(holds, "  denied, by you  a\n"));
}

static void each_form_says_what_was_taken_back(void **state)
{
    struct log_fixture *fixture = *state;
    begin_anew(fixture);
    add_rule(fixture, "aaaa", 1, OF_SESSION, 0);
    add_rule(fixture, "bbbb", 2, OF_SESSION, 0);
    add_notice(fixture, "operator", "the operator took back the rule of session aaaa: " OF_SESSION);
    log_fixture_store(fixture);
    cleanup_free char *text = export(fixture, LOG_FORMAT_TEXT, 1);
    assert_non_null(
        strstr(text, "  allowed, and a rule made of it, since taken back, by you  a\n"));
    cleanup_free char *holds = export(fixture, LOG_FORMAT_TEXT, 2);
    assert_non_null(
        strstr(holds, "  allowed, and a rule for this session made of it, by you  a\n"));
    cleanup_free char *json = export(fixture, LOG_FORMAT_JSON, 1);
    assert_non_null(strstr(json, "\"taken_back\":true"));
    cleanup_free char *json_holds = export(fixture, LOG_FORMAT_JSON, 2);
    assert_null(strstr(json_holds, "taken_back"));
    cleanup_free char *csv = export(fixture, LOG_FORMAT_CSV, 1);
    assert_non_null(strstr(csv, ",taken_back\r\n"));
    assert_non_null(strstr(csv, ",\"yes\"\r\n"));
    cleanup_free char *markdown = export(fixture, LOG_FORMAT_MARKDOWN, 1);
    assert_non_null(strstr(markdown, "| yes |\n"));
}

/* Leave for a host runs nothing: no exit status says that all went well. */
static void leave_for_a_host_has_no_exit_status(void **state)
{
    cleanup_json json_t *received =
        json_pack("{s:{s:s,s:i}}", "network", "host", "x", "command", 7);
    cleanup_json json_t *finished = json_pack("{s:i}", "exit_status", 0);
    cleanup_json json_t *decided = json_pack("{s:{s:s,s:i}}", "lease", "kind", "runs", "runs", 5);
    const struct log_call leave = {.console = "",
                                   .session = "",
                                   .agent = "a",
                                   .risk = "",
                                   .decision = "approved_for_session",
                                   .source = "user",
                                   .command = "http x",
                                   .received = received,
                                   .decided = decided,
                                   .finished = finished};
    char *row = NULL;
    size_t length;
    FILE *out = open_memstream(&row, &length);
    (void)state;
    log_export_call(out, LOG_FORMAT_TEXT, &leave);
    fclose(out);
    assert_null(strstr(row, "exit 0"));
    assert_non_null(strstr(row, "  allowed for 5 more connections, by you"));
    assert_non_null(strstr(row, "a host for c7: assent log c7 tells whether it was reached"));
    free(row);
}

/* That was not reached: there is nothing to look up. */
static void a_denied_host_was_not_reached(void **state)
{
    cleanup_json json_t *received =
        json_pack("{s:s,s:{s:s,s:i}}", "tool", "network", "network", "host", "x", "command", 7);
    cleanup_json json_t *finished = json_pack("{s:i,s:s}", "exit_status", 77, "decision", "denied");
    const struct log_call denied = {.console = "",
                                    .session = "",
                                    .agent = "a",
                                    .risk = "",
                                    .decision = "denied",
                                    .source = "user",
                                    .command = "network-access http://x",
                                    .received = received,
                                    .finished = finished};
    char *row = NULL;
    size_t length;
    FILE *out = open_memstream(&row, &length);
    (void)state;
    log_export_call(out, LOG_FORMAT_TEXT, &denied);
    fclose(out);
    assert_non_null(strstr(row, "  a host for c7  connect to http://x\n"));
    free(row);
}

/* The row of the call says so, and its events say nothing else. */
static void what_was_stopped_was_not_denied(void **state)
{
#define DECISION(kind, message)                                                                    \
    "\"decision\",\"kind\":\"" kind "\",\"source\":\"user\",\"message\":\"" message "\""
    static const char *const rows[][2] = {
        {DECISION("abort", "stopped by the operator"), "stopped by you"},
        {DECISION("denied", "stopped by the operator"), "stopped by you"},
        {DECISION("abort", "the operator stopped this agent"),
         "stopped by you: the operator stopped this agent"},
        {DECISION("denied", "not now"), "denied, by you: not now"},
        {"\"finished\",\"exit_status\":77,\"decision\":\"abort\",\"cancelled_by\":\"operator\"",
         "is over: stopped by you"},
    };
#undef DECISION
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        cleanup_free char *text = xasprintf("{\"event\":%s}", rows[i][0]);
        cleanup_json json_t *event = json_loads(text, 0, NULL);
        cleanup_strbuf struct strbuf words = STRBUF_INIT;
        assert_non_null(event);
        log_line_words(&words, event);
        assert_string_equal(strbuf_str(&words), rows[i][1]);
    }
}

/* Its program may have ended with another status before, which is told. */
static void what_is_denied_is_over_without_a_status(void **state)
{
    cleanup_json json_t *event = json_pack("{s:s,s:i,s:s,s:i}", "event", "finished", "exit_status",
                                           77, "decision", "denied", "attempts", 1);
    cleanup_strbuf struct strbuf words = STRBUF_INIT;
    (void)state;
    log_line_words(&words, event);
    assert_string_equal(strbuf_str(&words), "is over: denied");
}

/* A newline is the sign that no command can bring along, as in the console's lists. */
static void lines_of_a_command_are_one_row(void **state)
{
    cleanup_json json_t *received = json_object();
    const struct log_call call = {.console = "",
                                  .session = "",
                                  .agent = "a",
                                  .risk = "",
                                  .decision = "approved",
                                  .source = "user",
                                  .command = "set -e\nls ¶ <LF>",
                                  .received = received};
    char *row = NULL;
    size_t length;
    FILE *out = open_memstream(&row, &length);
    (void)state;
    assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
    log_export_call(out, LOG_FORMAT_TEXT, &call);
    assert_non_null(setlocale(LC_CTYPE, "C"));
    log_export_call(out, LOG_FORMAT_TEXT, &call);
    fclose(out);
    assert_non_null(strstr(row, "  set -e¶ls <U+00B6> <LF>\n"));
    assert_non_null(strstr(row, "  set -e<LF>ls "));
    free(row);
}

static void one_call_is_shown_whole(void **state)
{
    const struct log_fixture *fixture = *state;
    struct error error = ERROR_INIT;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_int_equal(log_view_call(fixture->directory, "aaaa", 1, out, &error), 0);
    assert_int_equal(log_view_call(fixture->directory, NULL, 77, out, &error), -1);
    fclose(out);
    assert_non_null(strstr(text, " is asked for: git push 'a b', in /home/me\n"));
    assert_non_null(strstr(text, " is over: exit 3\n"));
    assert_null(strstr(text, "    decision: "));
    free(text);
}

/* As it comes out of a terminal of 40 columns. Caller frees. */
static char *shown_of_call(const struct log_fixture *fixture, uint64_t call)
{
    const struct winsize size = {.ws_row = 24, .ws_col = 40};
    struct error error = ERROR_INIT;
    struct strbuf shown = STRBUF_INIT;
    char bytes[256];
    int master, slave;
    assert_int_equal(openpty(&master, &slave, NULL, NULL, &size), 0);
    FILE *out = fdopen(slave, "w");
    assert_int_equal(log_view_call(fixture->directory, NULL, call, out, &error), 0);
    fclose(out);
    for (ssize_t got; (got = read(master, bytes, sizeof(bytes))) > 0;)
        strbuf_add(&shown, bytes, (size_t)got);
    close(master);
    return strbuf_steal(&shown);
}

static void a_call_goes_on_at_words_on_a_terminal(void **state)
{
    struct log_fixture *fixture = *state;
    begin_anew(fixture);
    add_call(fixture, "aaaa", 1, "[\"make\"]", "low", "approved", "user");
    log_fixture_add(fixture, "finished",
                    json_pack("{s:s, s:i, s:i, s:s, s:{s:i, s:s}}", "session", "aaaa", "call", 1,
                              "exit_status", 0, "under", "sandbox (the network asks for each host)",
                              "output", "bytes", 51, "preview",
                              "built 1234567 of 7654321 parts, the last at 12345\nx\n"));
    log_fixture_store(fixture);
    cleanup_free char *shown = shown_of_call(fixture, 1);
    assert_non_null(strstr(shown, "\r\n    under: sandbox (the network asks for\r\n"
                                  "        each host)\r\n"));
    assert_non_null(strstr(shown, "\r\n    output: 51 bytes\r\n"
                                  "        built 1234567 of 7654321 parts,\r\n"
                                  "            the last at 12345\r\n"
                                  "        x\r\n"));
}

/* For unlink(). */
static char *store_as(const struct log_fixture *fixture, const char *console, const char *text)
{
    const char *ending = strrchr(fixture->log, '.');
    char *path = xasprintf("%s/%s%s", fixture->directory, console, ending);
    assert_int_equal(fd_replace_file(path, text, strlen(text), 0600), 0);
    return path;
}

/* Each console counts its calls: without a name it is the newest that has such a call. */
static void a_call_says_whose_it_is(void **state)
{
    const struct log_fixture *fixture = *state;
    struct error error = ERROR_INIT;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    cleanup_free char *two = store_as(fixture, "two", strbuf_str(&fixture->text));
    cleanup_free char *without = store_as(fixture, "without", "");
    assert_int_equal(log_view_call(fixture->directory, "one", 1, out, &error), 0);
    assert_int_equal(log_view_call(fixture->directory, NULL, 1, out, &error), 0);
    fclose(out);
    assert_true(strncmp(text, "c1 of the console one\n", 22) == 0);
    assert_non_null(strstr(text, "\nc1 of the console two (1 other has a c1: "));
    free(text);
    assert_int_equal(unlink(two), 0);
    assert_int_equal(unlink(without), 0);
}

int main(void)
{
#define WITH_LOG(test) cmocka_unit_test_setup_teardown(test, set_up, log_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        WITH_LOG(queries_select),
        WITH_LOG(a_second_try_that_waits_is_not_approved),
        cmocka_unit_test_setup_teardown(calls_of_a_console_that_goes_on_are_found,
                                        log_fixture_set_up, log_fixture_tear_down),
        WITH_LOG(each_kind_is_found_again),
        WITH_LOG(what_was_covered_names_the_call_that_was_answered),
        WITH_LOG(what_is_asked_about_again_is_open_until_it_is_answered),
        WITH_LOG(a_denied_connection_is_its_commands),
        WITH_LOG(an_allowed_connection_names_the_question),
        WITH_LOG(a_change_has_its_own_risk),
        WITH_LOG(index_follows_the_log),
        WITH_LOG(index_is_kept_and_made_anew),
        WITH_LOG(exports_hold_hostile_text),
        cmocka_unit_test(leave_for_a_host_has_no_exit_status),
        cmocka_unit_test(a_denied_host_was_not_reached),
        cmocka_unit_test(what_is_denied_is_over_without_a_status),
        cmocka_unit_test(what_was_stopped_was_not_denied),
        cmocka_unit_test(lines_of_a_command_are_one_row),
        WITH_LOG(one_call_is_shown_whole),
        WITH_LOG(a_rule_that_is_kept_no_longer_is_taken_back),
        WITH_LOG(a_rule_of_a_session_is_taken_back_there),
        WITH_LOG(a_rule_with_a_secret_is_known_again),
        WITH_LOG(an_answer_for_longer_is_taken_back),
        WITH_LOG(a_denial_is_taken_back),
        WITH_LOG(each_form_says_what_was_taken_back),
        WITH_LOG(a_call_says_whose_it_is),
        WITH_LOG(a_call_goes_on_at_words_on_a_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
