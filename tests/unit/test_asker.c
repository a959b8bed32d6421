/* SPDX-License-Identifier: MIT */
/* asker: questions on their way to a console, which is the test, over a real socket. */
#include "config.h"

#include "agents/drive/asker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "mcp_fixture.h"

/* What a question has heard. */
struct heard {
    unsigned finished;
    char *outcome, *why, *printed;
    bool starting; /* asker_start() has not returned yet */
};

static void on_output(void *argument, const char *bytes, size_t length, uint64_t skipped)
{
    struct heard *heard = argument;
    free(heard->printed);
    heard->printed = xasprintf("%.*s +%d", (int)length, bytes, (int)skipped);
}

static void on_finished(void *argument, const json_t *result, const char *why)
{
    struct heard *heard = argument;
    const char *outcome = json_string_value(json_object_get(result, "outcome"));
    assert_false(heard->starting);
    heard->finished++;
    heard->outcome = outcome != NULL ? xstrdup(outcome) : NULL;
    heard->why = why != NULL ? xstrdup(why) : NULL;
}

static const struct asked_events events = {.output = on_output, .finished = on_finished};

static void heard_clear(struct heard *heard)
{
    free(heard->outcome);
    free(heard->why);
    free(heard->printed);
    *heard = (struct heard){.finished = 0};
}

static struct asker *new_asker(struct fixture *fixture)
{
    static const struct client_setup setup = {
        .cwd = "/w/ab", .name = "test", .session = "agent", .own_session = true};
    return asker_new(fixture->loop, &setup);
}

static struct asked *ask(struct asker *asker, const char *script, struct heard *heard)
{
    json_t *params = json_pack("{s:s, s:s}", "script", script, "cwd", "/w/ab");
    heard->starting = true;
    struct asked *asked = asker_start(asker, params, &events, heard);
    heard->starting = false;
    return asked;
}

static void what_is_asked_gets_its_own_answer(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    struct asker *asker = new_asker(fixture);
    struct heard first = {.finished = 0}, second = {.finished = 0};
    asker_set_name(asker, "Grace");
    /* Both wait until the console is there, and share one connection. */
    ask(asker, "one", &first);
    ask(asker, "two", &second);
    work(fixture);
    assert_int_equal(console->started, 2);
    assert_int_equal(console->connections, 1);
    assert_says(console->initialized, "\"session\":\"Grace\"");
    assert_says(console->start_params, "\"script\":\"two\"");
    jsonrpc_notify(console->peer, "call/output",
                   json_pack("{s:i, s:s, s:s, s:i}", "call", 1, "stream", "stdout", "data",
                             "aGk=", "skipped", 3));
    finish(console, 2, "exited", 0, "");
    work(fixture);
    assert_string_equal(first.printed, "hi +3");
    assert_int_equal(first.finished, 0);
    assert_int_equal(second.finished, 1);
    assert_string_equal(second.outcome, "exited");
    assert_null(second.printed);
    /* Of no call, and once more of one that has ended. */
    finish(console, 7, "exited", 0, "");
    finish(console, 2, "failed", 1, "");
    finish(console, 1, "refused", 77, "");
    work(fixture);
    assert_int_equal(second.finished, 1);
    assert_string_equal(first.outcome, "refused");
    asker_free(&asker);
    assert_null(asker);
    heard_clear(&first);
    heard_clear(&second);
}

static void what_is_cancelled_still_ends(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    struct asker *asker = new_asker(fixture);
    struct heard early = {.finished = 0}, late = {.finished = 0};
    struct asked *asked = ask(asker, "early", &early);
    asker_cancel(asked); /* which nobody has heard of yet */
    asker_cancel(asked);
    assert_int_equal(early.finished, 0);
    work(fixture);
    assert_int_equal(early.finished, 1);
    assert_string_equal(early.why, "cancelled");
    assert_int_equal(console->started, 0);

    asked = ask(asker, "late", &late);
    work(fixture);
    asker_cancel(asked);
    asker_cancel(asked);
    work(fixture);
    assert_int_equal(console->cancelled, 1);
    assert_int_equal(late.finished, 0);
    finish(console, 1, "cancelled", 130, "");
    work(fixture);
    assert_string_equal(late.outcome, "cancelled");
    asker_free(&asker);
    heard_clear(&early);
    heard_clear(&late);
}

static void what_is_dropped_is_silent(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    struct asker *asker = new_asker(fixture);
    struct heard early = {.finished = 0}, late = {.finished = 0};
    struct asked *first = ask(asker, "early", &early), *second = ask(asker, "late", &late);
    asker_drop(&first);
    assert_null(first);
    asker_drop(&first);
    work(fixture);
    assert_int_equal(console->started, 1);
    asker_drop(&second);
    work(fixture);
    assert_int_equal(console->cancelled, 1);
    finish(console, 1, "exited", 0, "");
    work(fixture);
    assert_int_equal(early.finished, 0);
    assert_int_equal(late.finished, 0);
    asker_free(&asker);
}

static void a_console_that_dies_ends_what_was_asked(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    struct asker *asker = new_asker(fixture);
    struct heard first = {.finished = 0}, second = {.finished = 0}, third = {.finished = 0};
    ask(asker, "one", &first);
    ask(asker, "two", &second);
    work(fixture);
    stop_console(console);
    work(fixture);
    assert_int_equal(first.finished, 1);
    assert_int_equal(second.finished, 1);
    assert_null(first.outcome);
    assert_non_null(first.why);
    /* The next one is found anew. */
    console = start_console(fixture, 1, "/w");
    ask(asker, "three", &third);
    work(fixture);
    assert_int_equal(console->started, 1);
    tell_answer(console, 1, "allowed", "approved", NULL);
    work(fixture);
    assert_string_equal(third.outcome, "allowed");
    asker_free(&asker);
    heard_clear(&first);
    heard_clear(&second);
    heard_clear(&third);
}

static void without_a_console_it_says_so(void **state)
{
    struct fixture *fixture = *state;
    struct asker *asker = new_asker(fixture);
    struct heard heard = {.finished = 0};
    ask(asker, "one", &heard);
    work(fixture);
    assert_int_equal(heard.finished, 1);
    assert_null(heard.outcome);
    assert_says(heard.why, "no Assent console is running");
    asker_free(&asker);
    heard_clear(&heard);
}

/* What is open when the agent ends is withdrawn, and nobody hears of it. */
static void the_end_is_silent(void **state)
{
    struct fixture *fixture = *state;
    struct console *console = start_console(fixture, 0, "/w");
    struct asker *asker = new_asker(fixture);
    struct heard sent = {.finished = 0}, unsent = {.finished = 0};
    ask(asker, "one", &sent);
    work(fixture);
    asker_cancel(ask(asker, "two", &unsent));
    asker_free(&asker);
    work(fixture);
    assert_int_equal(sent.finished, 0);
    assert_int_equal(unsent.finished, 0);
    assert_null(console->peer); /* a client that goes takes its calls along */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SERVER(what_is_asked_gets_its_own_answer),
        WITH_SERVER(what_is_cancelled_still_ends),
        WITH_SERVER(what_is_dropped_is_silent),
        WITH_SERVER(a_console_that_dies_ends_what_was_asked),
        WITH_SERVER(without_a_console_it_says_so),
        WITH_SERVER(the_end_is_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
