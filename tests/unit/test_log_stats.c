/* SPDX-License-Identifier: MIT */
/* A log with questions and answers: how they are counted. */
#include "config.h"

#include "record/log_stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/json.h"
#include "log_fixture.h"

static void add_call(struct log_fixture *fixture, int call, const char *tool)
{
    log_fixture_add(fixture, "call_received",
                    json_pack("{s:s, s:i, s:s, s:[s]}", "session", "aaaa", "call", call, "tool",
                              tool, "argv", "\"tool\":\"network\""));
}

static void ask_by(struct log_fixture *fixture, int call, int prompt, const char *cause,
                   const char *command, json_t *amendment)
{
    log_fixture_add(fixture, "prompt_shown",
                    json_pack("{s:s, s:i, s:i, s:i, s:s, s:s, s:o*}", "session", "aaaa", "call",
                              call, "prompt", prompt, "revision", 1, "cause", cause, "command",
                              command, "amendment", amendment));
}

static void ask(struct log_fixture *fixture, int call, const char *cause, const char *command,
                json_t *amendment)
{
    ask_by(fixture, call, call, cause, command, amendment);
}

static void answer_by(struct log_fixture *fixture, int call, const char *kind, int waited_ms,
                      const char *source)
{
    log_fixture_add(fixture, "decision",
                    json_pack("{s:s, s:i, s:i, s:i, s:s, s:s}", "session", "aaaa", "call", call,
                              "prompt", call, "waited_ms", waited_ms, "kind", kind, "source",
                              source));
}

static void answer(struct log_fixture *fixture, int call, const char *kind, int waited_ms)
{
    answer_by(fixture, call, kind, waited_ms, "user");
}

/* What is told of the log so far, as canonical JSON. */
static void assert_stats(const struct log_fixture *fixture, const struct log_query *query,
                         const char *expected)
{
    log_fixture_store(fixture);
    struct log_index *index = log_fixture_open(fixture);
    struct log_stats *stats = log_stats_new();
    log_stats_add(stats, index, query);
    cleanup_json json_t *result = log_stats_result(stats);
    cleanup_free char *told = json_dumps(result, JSON_COMPACT | JSON_REAL_PRECISION(6));
    assert_string_equal(told, expected);
    log_stats_free(&stats);
    log_index_free(&index);
}

static void nothing_is_told_of_nothing(void **state)
{
    assert_stats(*state, &(struct log_query){0},
                 "{\"commands\":0,\"questions\":0,\"per_100\":0.0,\"waited_ms\":{\"median\":null,"
                 "\"p90\":null,\"total\":0},\"causes\":[],\"asked\":[]}");
}

static void questions_are_counted_by_cause_and_program(void **state)
{
    struct log_fixture *fixture = *state;
    for (int call = 1; call <= 8; call++)
        add_call(fixture, call, call == 8 ? "network" : "shell");
    ask(fixture, 1, "escalation", "npm install x", json_pack("[s, s]", "npm", "install"));
    answer(fixture, 1, "approved", 1000);
    ask(fixture, 2, "escalation", "npm install y", json_pack("[s, s]", "npm", "install"));
    /* What is shown anew is no further question. */
    log_fixture_add(fixture, "prompt_shown",
                    json_pack("{s:s, s:i, s:i, s:i, s:s}", "session", "aaaa", "call", 2, "prompt",
                              2, "revision", 2, "cause", "edit"));
    answer(fixture, 2, "denied", 9000);
    ask(fixture, 3, "danger", "rm -rf x", NULL);
    answer(fixture, 3, "approved_for_session", 2000);
    ask(fixture, 8, "network", "network-access https://example.com", NULL);
    /* Nobody answered c8. A decision without a question counts for nothing. */
    answer(fixture, 7, "approved", 70000);
    assert_stats(
        fixture, &(struct log_query){0},
        "{\"commands\":7,\"questions\":4,\"per_100\":57.1,\"waited_ms\":{\"median\":2000,"
        "\"p90\":9000,\"total\":12000},\"causes\":["
        "{\"cause\":\"escalation\",\"questions\":2,\"approved\":1,\"denied\":1,\"per_100\":28.6},"
        "{\"cause\":\"danger\",\"questions\":1,\"approved\":1,\"denied\":0,\"per_100\":14.3},"
        "{\"cause\":\"network\",\"questions\":1,\"approved\":0,\"denied\":0,\"per_100\":14.3}],"
        "\"asked\":["
        "{\"what\":\"npm install\",\"questions\":2,\"approved\":1,\"denied\":1,\"rule\":true},"
        "{\"what\":\"rm\",\"questions\":1,\"approved\":1,\"denied\":0,\"rule\":false},"
        "{\"what\":\"https://example.com\",\"questions\":1,\"approved\":0,\"denied\":0,"
        "\"rule\":false}]}");
    assert_stats(fixture, &(struct log_query){.session = "bbbb"},
                 "{\"commands\":0,\"questions\":0,\"per_100\":0.0,\"waited_ms\":{\"median\":null,"
                 "\"p90\":null,\"total\":0},\"causes\":[],\"asked\":[]}");
    assert_stats(fixture, &(struct log_query){.until_ms = LOG_FIXTURE_START + 3000},
                 "{\"commands\":3,\"questions\":0,\"per_100\":0.0,\"waited_ms\":{\"median\":null,"
                 "\"p90\":null,\"total\":0},\"causes\":[],\"asked\":[]}");
}

/* What is too dangerous for a rule stands beside what a rule was offered for, and what that says of
 * options and paths makes no row of its own. */
static void a_row_is_a_program(void **state)
{
    struct log_fixture *fixture = *state;
    for (int call = 1; call <= 6; call++)
        add_call(fixture, call, "shell");
    ask(fixture, 1, "policy", "git push", json_pack("[s, s]", "git", "push"));
    ask(fixture, 2, "danger", "git -C d push --force", NULL);
    ask(fixture, 3, "danger", "rm -rf build", NULL);
    ask(fixture, 4, "policy", "mkdir d", json_pack("[s]", "mkdir"));
    ask(fixture, 5, "policy", "mkdir -p /home/me/d",
        json_pack("[s, s, s]", "mkdir", "-p", "/home/me/d"));
    ask(fixture, 6, "policy", "mkdir e", json_pack("[s]", "mkdir"));
    log_fixture_store(fixture);
    struct log_index *index = log_fixture_open(fixture);
    struct log_stats *stats = log_stats_new();
    log_stats_add(stats, index, &(struct log_query){0});
    cleanup_json json_t *result = log_stats_result(stats);
    cleanup_free char *asked = json_dumps(json_object_get(result, "asked"), JSON_COMPACT);
    assert_string_equal(
        asked, "[{\"what\":\"mkdir\",\"questions\":3,\"approved\":0,\"denied\":0,\"rule\":true},"
               "{\"what\":\"git push\",\"questions\":2,\"approved\":0,\"denied\":0,\"rule\":true},"
               "{\"what\":\"rm\",\"questions\":1,\"approved\":0,\"denied\":0,\"rule\":false}]");
    log_stats_free(&stats);
    log_index_free(&index);
}

/* Who changes the command is asked about what came of it: once more on the screen, and once in all.
 */
static void a_changed_command_is_one_question(void **state)
{
    struct log_fixture *fixture = *state;
    add_call(fixture, 1, "shell");
    ask(fixture, 1, "policy", "make x", NULL);
    log_fixture_add(
        fixture, "edited",
        json_pack("{s:s, s:i, s:[s, s]}", "session", "aaaa", "call", 1, "argv", "touch", "y"));
    ask(fixture, 1, "edit", "touch y", NULL);
    answer(fixture, 1, "approved", 40);
    ask(fixture, 1, "sandbox_denial", "touch y", NULL); /* its second attempt is another one */
    answer(fixture, 1, "denied", 40);
    assert_stats(
        fixture, &(struct log_query){0},
        "{\"commands\":1,\"questions\":2,\"per_100\":200.0,\"waited_ms\":{\"median\":40,"
        "\"p90\":40,\"total\":80},\"causes\":[{\"cause\":\"policy\",\"questions\":1,"
        "\"approved\":1,\"denied\":0,\"per_100\":100.0},{\"cause\":\"sandbox_denial\","
        "\"questions\":1,\"approved\":0,\"denied\":1,\"per_100\":100.0}],\"asked\":["
        "{\"what\":\"make\",\"questions\":1,\"approved\":1,\"denied\":0,\"rule\":false},"
        "{\"what\":\"touch\",\"questions\":1,\"approved\":0,\"denied\":1,\"rule\":false}]}");
}

/* What git or a model says of it while it is shown comes without a new revision when
 * there was nothing to read before. */
static void what_is_filled_in_while_it_is_shown_is_no_question(void **state)
{
    struct log_fixture *fixture = *state;
    add_call(fixture, 1, "shell");
    for (int time = 0; time < 3; time++)
        ask_by(fixture, 1, 11, "danger", "rm -rf tmp1", NULL);
    log_fixture_add(
        fixture, "edited",
        json_pack("{s:s, s:i, s:[s, s]}", "session", "aaaa", "call", 1, "argv", "rm", "tmp1"));
    for (int time = 0; time < 3; time++)
        ask_by(fixture, 1, 12, "edit", "rm tmp1", NULL);
    answer(fixture, 1, "approved", 40);
    for (int time = 0; time < 3; time++) /* its second attempt */
        ask_by(fixture, 1, 13, "sandbox_denial", "rm tmp1", NULL);
    answer(fixture, 1, "denied", 60);
    assert_stats(fixture, &(struct log_query){0},
                 "{\"commands\":1,\"questions\":2,\"per_100\":200.0,\"waited_ms\":{\"median\":40,"
                 "\"p90\":60,\"total\":100},\"causes\":[{\"cause\":\"danger\",\"questions\":1,"
                 "\"approved\":1,\"denied\":0,\"per_100\":100.0},{\"cause\":\"sandbox_denial\","
                 "\"questions\":1,\"approved\":0,\"denied\":1,\"per_100\":100.0}],\"asked\":["
                 "{\"what\":\"rm\",\"questions\":2,\"approved\":1,\"denied\":1,\"rule\":false}]}");
}

/* A client's user who decides has been asked as the operator would have been. */
static void what_a_client_decides_is_an_answer(void **state)
{
    struct log_fixture *fixture = *state;
    add_call(fixture, 1, "shell");
    ask(fixture, 1, "policy", "make x", NULL);
    answer_by(fixture, 1, "denied", 40, "client");
    add_call(fixture, 2, "shell");
    ask(fixture, 2, "policy", "make y", NULL);
    answer_by(fixture, 2, "approved_for_session", 40, "cache"); /* nobody was asked for that */
    assert_stats(fixture, &(struct log_query){0},
                 "{\"commands\":2,\"questions\":2,\"per_100\":100.0,\"waited_ms\":{\"median\":40,"
                 "\"p90\":40,\"total\":40},\"causes\":[{\"cause\":\"policy\",\"questions\":2,"
                 "\"approved\":0,\"denied\":1,\"per_100\":100.0}],\"asked\":[{\"what\":\"make\","
                 "\"questions\":2,\"approved\":0,\"denied\":1,\"rule\":false}]}");
}

/* Who stopped it said neither yes nor no to what it asked for, but it waited. */
static void what_was_stopped_has_no_answer(void **state)
{
    struct log_fixture *fixture = *state;
    add_call(fixture, 1, "shell");
    ask(fixture, 1, "policy", "make x", NULL);
    log_fixture_add(fixture, "decision",
                    json_pack("{s:s, s:i, s:i, s:s, s:s, s:s}", "session", "aaaa", "call", 1,
                              "waited_ms", 40, "kind", "denied", "source", "user", "message",
                              "stopped by the operator"));
    assert_stats(fixture, &(struct log_query){0},
                 "{\"commands\":1,\"questions\":1,\"per_100\":100.0,\"waited_ms\":{\"median\":40,"
                 "\"p90\":40,\"total\":40},\"causes\":[{\"cause\":\"policy\",\"questions\":1,"
                 "\"approved\":0,\"denied\":0,\"per_100\":100.0}],\"asked\":[{\"what\":\"make\","
                 "\"questions\":1,\"approved\":0,\"denied\":0,\"rule\":false}]}");
}

static void first_ones_are_those_asked_most(void **state)
{
    struct log_fixture *fixture = *state;
    int call = 0;
    for (int program = 0; program < 30; program++)
        for (int time = 0; time < program; time++) {
            char command[32];
            snprintf(command, sizeof(command), "p%d x", program);
            ask(fixture, ++call, "policy", command, NULL);
            answer(fixture, call, "approved", program);
        }
    log_fixture_store(fixture);
    struct log_index *index = log_fixture_open(fixture);
    struct log_stats *stats = log_stats_new();
    log_stats_add(stats, index, &(struct log_query){0});
    cleanup_json json_t *result = log_stats_result(stats);
    json_t *asked = json_object_get(result, "asked");
    assert_int_equal(json_array_size(asked), LOG_STATS_ASKED_MAX);
    for (size_t i = 0; i < LOG_STATS_ASKED_MAX; i++) {
        char expected[16];
        snprintf(expected, sizeof(expected), "p%zu", 29 - i);
        assert_string_equal(json_string_value(json_object_get(json_array_get(asked, i), "what")),
                            expected);
    }
    json_t *waited = json_object_get(result, "waited_ms");
    assert_int_equal(json_integer_value(json_object_get(waited, "median")), 21);
    assert_int_equal(json_integer_value(json_object_get(waited, "p90")), 28);
    log_stats_free(&stats);
    log_index_free(&index);
}

int main(void)
{
#define WITH_LOG(test)                                                                             \
    cmocka_unit_test_setup_teardown(test, log_fixture_set_up, log_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        WITH_LOG(nothing_is_told_of_nothing),
        WITH_LOG(questions_are_counted_by_cause_and_program),
        WITH_LOG(a_row_is_a_program),
        WITH_LOG(what_a_client_decides_is_an_answer),
        WITH_LOG(a_changed_command_is_one_question),
        WITH_LOG(what_is_filled_in_while_it_is_shown_is_no_question),
        WITH_LOG(what_was_stopped_has_no_answer),
        WITH_LOG(first_ones_are_those_asked_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
