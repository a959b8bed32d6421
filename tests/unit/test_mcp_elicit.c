/* SPDX-License-Identifier: MIT */
/* mcp: what its client's user is told of a question, and what their answer does. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "mcp_fixture.h"

#define WITH_FORMS(kinds)                                                                          \
    REQUEST("0", "initialize",                                                                     \
            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":" kinds         \
            "},\"clientInfo\":{\"name\":\"codex\"}}")

static void tell_question(struct console *console, int call, int prompt, bool may_decide)
{
    tell_state(console, call, "asking", 0);
    jsonrpc_notify(console->peer, "call/question",
                   json_pack("{s:i,s:i,s:i,s:s,s:s,s:s,s:s,s:s,s:b}", "call", call, "prompt",
                             prompt, "revision", 3, "command", "make \033 x", "cwd", "/w/ab",
                             "reason", "it is no known command", "under", "read-only", "risk",
                             "low", "may_decide", may_decide));
}

/* A call that is asked about, by a client that shows forms. */
static struct console *asking(struct fixture *fixture, bool may_decide)
{
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, WITH_FORMS("{}"));
    say(fixture, CALL("1", "{\"command\":\"make\"}", ""));
    assert_says(console->initialized, "\"elicits\":true");
    tell_question(console, 1, 7, may_decide);
    work(fixture);
    return console;
}

static void a_client_may_decide_where_the_console_says_so(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = asking(fixture, true);
    const char *form = hear(fixture);
    assert_says(form, "\"id\":1,\"method\":\"elicitation/create\"");
    assert_says(form, "make <ESC> x");
    assert_says(form, "Asked because: it is no known command");
    assert_says(form, "\"enum\":[\"deny\",\"once\"]");
    assert_says(form, "\"default\":\"deny\"");
    say(fixture, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{"
                 "\"decision\":\"once\"}}}");
    assert_string_equal(console->decided,
                        "{\"call\":1,\"prompt\":7,\"revision\":3,\"decision\":\"once\"}");
    /* The same answer again, or one to nothing, is none. */
    free(steal_pointer(&console->decided));
    say(fixture, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{"
                 "\"decision\":\"once\"}}}");
    say(fixture, "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"action\":\"decline\"}}");
    assert_null(console->decided);
}

static void what_a_form_says_is_taken_by_the_letter(void **state)
{
    static const struct {
        const char *answer, *decision; /* NULL: none */
    } cases[] = {
        {"\"result\":{\"action\":\"accept\",\"content\":{\"decision\":\"deny\"}}", "deny"},
        {"\"result\":{\"action\":\"decline\"}", "deny"},
        {"\"result\":{\"action\":\"decline\",\"content\":{\"decision\":\"once\"}}", "deny"},
        {"\"result\":{\"action\":\"cancel\",\"content\":{\"decision\":\"once\"}}", NULL},
        {"\"result\":{\"action\":\"accept\"}", NULL},
        {"\"result\":{\"action\":\"accept\",\"content\":{\"decision\":true}}", NULL},
        {"\"result\":{\"action\":\"accept\",\"content\":{\"decision\":\"always\"}}", NULL},
        {"\"result\":{\"content\":{\"decision\":\"once\"}}", NULL},
        {"\"result\":[]", NULL},
        {"\"error\":{\"code\":-32601,\"message\":\"no forms\"}", NULL},
    };
    struct fixture *fixture = *state;
    struct console *console = asking(fixture, true);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cleanup_free char *line =
            xasprintf("{\"jsonrpc\":\"2.0\",\"id\":%zu,%s}", i + 1, cases[i].answer);
        free(steal_pointer(&console->decided));
        say(fixture, line);
        if (cases[i].decision == NULL)
            assert_null(console->decided);
        else
            assert_says(console->decided, cases[i].decision);
        tell_question(console, 1, 8 + (int)i, true);
        work(fixture);
    }
}

static void what_only_informs_decides_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = asking(fixture, false);
    assert_null(strstr(hear(fixture), "elicitation/create")); /* it may be answered soon */
    pass(fixture, 5000);
    const char *form = hear(fixture);
    assert_says(form, "elicitation/create");
    assert_says(form, "what is chosen here decides nothing");
    assert_says(form, "\"properties\":{}");
    say(fixture, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{"
                 "\"decision\":\"once\"}}}");
    assert_null(console->decided);
    pass(fixture, 60000);
    assert_null(strstr(hear(fixture), "elicitation/create")); /* once is enough */
}

static void a_form_is_withdrawn_with_its_question(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = asking(fixture, true);
    tell_state(console, 1, "running", 0);
    work(fixture);
    assert_says(hear(fixture),
                "\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1,");
    say(fixture, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{"
                 "\"decision\":\"once\"}}}");
    assert_null(console->decided);

    /* Another question, of the retry, has another form. */
    tell_question(console, 1, 9, true);
    work(fixture);
    assert_says(hear(fixture), "\"id\":2,\"method\":\"elicitation/create\"");
    finish(console, 1, "exited", 0, "done");
    work(fixture);
    assert_says(hear(fixture), "\"requestId\":2,");

    /* The client that gave up is asked nothing. */
    say(fixture, CALL("5", "{\"command\":\"make\"}", ""));
    tell_question(console, 2, 10, true);
    work(fixture);
    hear(fixture);
    say(fixture, CANCEL("5", "request timed out"));
    tell_question(console, 2, 11, true);
    work(fixture);
    assert_null(strstr(hear(fixture), "elicitation/create"));
}

static void who_shows_no_forms_gets_none(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    say(fixture, WITH_FORMS("{\"url\":{}}"));
    say(fixture, CALL("1", "{\"command\":\"make\"}", ""));
    assert_null(strstr(console->initialized, "elicits"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SERVER(a_client_may_decide_where_the_console_says_so),
        WITH_SERVER(what_a_form_says_is_taken_by_the_letter),
        WITH_SERVER(what_only_informs_decides_nothing),
        WITH_SERVER(a_form_is_withdrawn_with_its_question),
        WITH_SERVER(who_shows_no_forms_gets_none),
    };
    return cmocka_run_group_tests_name("mcp_elicit", tests, NULL, NULL);
}
