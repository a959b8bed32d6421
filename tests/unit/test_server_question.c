/* SPDX-License-Identifier: MIT */
/* server: what a client is told of a question, and when its own answer counts. */
#include "config.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "server_fixture.h"

/* The fixture's configuration lets clients of the name "decider" answer. */
#define DECIDER ",\"own_session\":true,\"elicits\":true,\"session\":\"decider\""

static void answer(struct peer *peer, uint64_t call, uint64_t prompt, unsigned revision,
                   const char *decision)
{
    cleanup_free char *line = xasprintf(
        "{\"jsonrpc\":\"2.0\",\"id\":\"d\",\"method\":\"call/decide\",\"params\":"
        "{\"call\":%" PRIu64 ",\"prompt\":%" PRIu64 ",\"revision\":%u,\"decision\":\"%s\"}}",
        call, prompt, revision, decision);
    say(peer, line);
}

/* Nothing was decided: the operator's word still is the one that counts. */
static void operator_denies(struct fixture *fixture, struct peer *peer)
{
    decide(fixture, REVIEW_DENIED, "no");
    char *line = hear(peer, "call/finished");
    assert_non_null(strstr(line, "\"source\":\"user\""));
    assert_non_null(strstr(line, "\"outcome\":\"refused\""));
    free(line);
}

static void a_client_that_is_named_decides_once(void **state)
{
    struct fixture *fixture = *state;
    struct peer *peer = initialized(fixture, DECIDER);
    uint64_t call = started(peer, "echo yes", "");
    char *question = hear(peer, "call/question");
    assert_non_null(strstr(question, "\"command\":\"echo yes\""));
    assert_non_null(strstr(question, "\"may_decide\":true"));
    free(question);
    answer(peer, call, fixture->prompt, fixture->revision, "once");
    char *line = hear(peer, "call/finished");
    assert_non_null(strstr(line, "\"kind\":\"approved\",\"source\":\"client\""));
    assert_non_null(strstr(line, "yes\\n"));
    free(line);

    /* Once is once: the same is asked again; and no is no. */
    call = started(peer, "echo yes", "");
    expect(peer, "\"may_decide\":true");
    answer(peer, call, fixture->prompt, fixture->revision, "deny");
    line = hear(peer, "call/finished");
    assert_non_null(strstr(line, "\"kind\":\"denied\",\"source\":\"client\""));
    assert_non_null(strstr(line, "\"failure\":null"));
    free(line);
    assert_int_equal(fixture->asked, 2);
    peer_free(&peer);
}

static void high_risk_is_never_a_clients_to_decide(void **state)
{
    struct fixture *fixture = *state;
    struct peer *peer = initialized(fixture, DECIDER);
    uint64_t call = started(peer, "rm -rf ~/x", "");
    char *question = hear(peer, "call/question");
    assert_non_null(strstr(question, "\"risk\":\"high\""));
    assert_non_null(strstr(question, "\"may_decide\":false"));
    free(question);
    answer(peer, call, fixture->prompt, fixture->revision, "once");
    expect(peer, "this request is decided at the console");
    answer(peer, call, fixture->prompt, fixture->revision, "deny");
    expect(peer, "this request is decided at the console");
    operator_denies(fixture, peer);
    peer_free(&peer);
}

/* A model says that the risk is high while the client's user looks at the form. */
static void a_risk_that_rises_takes_the_answer_away(void **state)
{
    struct fixture *fixture = *state;
    struct peer *peer = initialized(fixture, DECIDER);
    uint64_t call = started(peer, "echo yes", "");
    expect(peer, "\"may_decide\":true");
    const struct opinion opinion = {.status = OPINION_SUCCESS, .level = RISK_HIGH};
    assert_int_equal(orchestrator_note_opinion(fixture->orchestrator, fixture->prompt, &opinion),
                     0);
    expect(peer, "\"may_decide\":false");
    answer(peer, call, fixture->prompt, fixture->revision, "once");
    expect(peer, "this request is decided at the console");
    answer(peer, call, fixture->prompt, fixture->revision + 1, "once");
    expect(peer, "this request is decided at the console");
    fixture->revision++;
    operator_denies(fixture, peer);
    peer_free(&peer);
}

static void what_is_more_than_one_plain_run_is_the_operators(void **state)
{
    static const char *const more[] = {
        ",\"agent_tool\":\"Bash\"",
        ",\"env\":{\"A\":\"b\"}",
        ",\"stdin\":true",
    };
    struct fixture *fixture = *state;
    struct peer *peer = initialized(fixture, DECIDER);
    for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
        cleanup_free char *script = xasprintf("echo %zu", i);
        uint64_t call = started(peer, script, more[i]);
        expect(peer, "\"may_decide\":false");
        answer(peer, call, fixture->prompt, fixture->revision, "once");
        expect(peer, "this request is decided at the console");
        operator_denies(fixture, peer);
    }
    /* Nor what could not be shown whole. */
    char padding[2100];
    memset(padding, 'x', sizeof(padding) - 1);
    padding[sizeof(padding) - 1] = '\0';
    cleanup_free char *script = xasprintf("echo %s", padding);
    uint64_t call = started(peer, script, "");
    expect(peer, "\"may_decide\":false");
    answer(peer, call, fixture->prompt, fixture->revision, "once");
    expect(peer, "this request is decided at the console");
    operator_denies(fixture, peer);
    peer_free(&peer);
}

static void nobody_else_decides(void **state)
{
    static const char *const clients[] = {
        ",\"own_session\":true,\"elicits\":true,\"session\":\"decider \"",
        ",\"own_session\":true,\"elicits\":true,\"session\":\"decider=client\"",
        ",\"own_session\":true,\"elicits\":true",
        ",\"own_session\":true,\"session\":\"decider\"", /* its user sees nothing */
        ",\"elicits\":true,\"session\":\"decider\"",     /* a plain client's session is shared */
    };
    struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof(clients) / sizeof(clients[0]); i++) {
        struct peer *peer = initialized(fixture, clients[i]);
        cleanup_free char *script = xasprintf("echo %zu", i);
        uint64_t call = started(peer, script, "");
        wait_until(fixture, &fixture->asked, (unsigned)i + 1);
        answer(peer, call, fixture->prompt, fixture->revision, "once");
        expect(peer, "this request is decided at the console");
        operator_denies(fixture, peer);
        peer_free(&peer);
    }
}

static void an_answer_counts_for_its_own_question_and_while_it_is_open(void **state)
{
    struct fixture *fixture = *state;
    struct peer *peer = initialized(fixture, DECIDER);
    struct peer *other = initialized(fixture, DECIDER);
    uint64_t first = started(peer, "echo first", "");
    expect(peer, "\"may_decide\":true");
    uint64_t prompt = fixture->prompt;
    uint64_t second = started(other, "echo second", "");
    expect(other, "\"may_decide\":true");
    /* Another's call, another call's prompt, no prompt, another revision, no such word. */
    answer(peer, second, fixture->prompt, fixture->revision, "once");
    expect(peer, "call: expected the id of an open call");
    answer(peer, first, fixture->prompt, fixture->revision, "once");
    expect(peer, "this request is not open any more");
    answer(peer, first, 0, 0, "once");
    expect(peer, "prompt: expected");
    answer(peer, first, prompt, fixture->revision + 1, "once");
    expect(peer, "look again");
    answer(peer, first, prompt, fixture->revision, "session");
    expect(peer, "decision: expected once or deny");
    operator_denies(fixture, other);

    /* The operator was first. */
    fixture->prompt = prompt;
    decide(fixture, REVIEW_DENIED, "no");
    answer(peer, first, prompt, fixture->revision, "once");
    char *late = hear(peer, "\"id\":\"d\"");
    assert_non_null(strstr(late, "\"error\""));
    free(late);
    assert_int_equal(fixture->asked, 2);
    peer_free(&peer);
    peer_free(&other);
}

static void the_first_answer_is_the_only_one(void **state)
{
    struct fixture *fixture = *state;
    struct peer *peer = initialized(fixture, DECIDER);
    uint64_t call = started(peer, "echo ran", "");
    expect(peer, "\"may_decide\":true");
    answer(peer, call, fixture->prompt, fixture->revision, "deny");
    answer(peer, call, fixture->prompt, fixture->revision, "once");
    expect(peer, "\"id\":\"d\",\"result\"");
    expect(peer, "\"id\":\"d\",\"error\"");
    char *line = hear(peer, "call/finished");
    assert_non_null(strstr(line, "\"kind\":\"denied\",\"source\":\"client\""));
    free(line);
    peer_free(&peer);
}

/* Answers of an agent's own, for what it does itself. */
static void an_answer_of_the_agents_own_is_picked(void **state)
{
    static const char offers[] =
        ",\"agent_tool\":\"Bash\",\"offers\":[{\"name\":\"No, thanks\",\"kind\":\"allow_always\"},"
        "{\"name\":\"Yes\",\"kind\":\"reject_always\"},{\"name\":\"?\",\"kind\":\"x\"}]";
    static const struct {
        size_t offer;
        const char *result;
    } cases[] = {
        {0, "\"kind\":\"approved\",\"source\":\"user\",\"message\":null,\"offer\":0"},
        {1, "\"kind\":\"denied\",\"source\":\"user\",\"message\":null,\"offer\":1"},
        {2, "\"kind\":\"approved\",\"source\":\"user\",\"message\":null,\"offer\":2"},
    };
    struct fixture *fixture = *state;
    struct error error = ERROR_INIT;
    struct peer *peer = initialized(fixture, DECIDER);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cleanup_free char *script = xasprintf("echo %zu", i);
        started(peer, script, offers);
        wait_until(fixture, &fixture->asked, (unsigned)i + 1);
        assert_int_equal(orchestrator_decide_offer(fixture->orchestrator, fixture->prompt,
                                                   fixture->revision, 3, &error),
                         -1);
        assert_int_equal(orchestrator_decide_offer(fixture->orchestrator, fixture->prompt,
                                                   fixture->revision, cases[i].offer, &error),
                         0);
        assert_int_equal(orchestrator_decide_offer(fixture->orchestrator, fixture->prompt,
                                                   fixture->revision, 0, &error),
                         -1);
        expect(peer, cases[i].result);
    }
    static const char *const wrong[] = {
        ",\"agent_tool\":\"B\",\"offers\":{}",
        ",\"agent_tool\":\"B\",\"offers\":[1]",
        ",\"agent_tool\":\"B\",\"offers\":[{}]",
        ",\"agent_tool\":\"B\",\"offers\":[{\"name\":\"\"}]",
        ",\"agent_tool\":\"B\",\"offers\":[{\"name\":\"a\"},1,1,1,1,1,1,1,1]",
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        start(peer, "echo", wrong[i]);
        expect(peer, "offers");
    }
    peer_free(&peer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNTRUSTED(a_client_that_is_named_decides_once),
        UNTRUSTED(high_risk_is_never_a_clients_to_decide),
        UNTRUSTED(a_risk_that_rises_takes_the_answer_away),
        UNTRUSTED(what_is_more_than_one_plain_run_is_the_operators),
        UNTRUSTED(nobody_else_decides),
        UNTRUSTED(an_answer_counts_for_its_own_question_and_while_it_is_open),
        UNTRUSTED(the_first_answer_is_the_only_one),
        UNTRUSTED(an_answer_of_the_agents_own_is_picked),
    };
    return cmocka_run_group_tests_name("server_question", tests, NULL, NULL);
}
