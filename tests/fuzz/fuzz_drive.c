/* SPDX-License-Identifier: MIT */
/*
 * Anything at all said by an agent that we started, in both protocols: the frontend must stay
 * alive, ask the console nothing but well-formed calls, and still answer an unknown request that
 * follows. The first byte chooses the protocol; the console here says yes, no or nothing in turn.
 */
#include "config.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agents/drive/acp.h"
#include "agents/drive/appserver.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/loop.h"
#include "base/strbuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- the console ---------------------------------------------------------------------------- */

struct asked {
    const struct asked_events *events;
    void *argument;
    TAILQ_ENTRY(asked) entry;
};

struct asker {
    TAILQ_HEAD(, asked) calls;
    unsigned started;
};

struct asked *asker_start(struct asker *asker, json_t *params, const struct asked_events *events,
                          void *argument)
{
    struct asked *asked = XNEW(struct asked);
    unsigned given = 0;
    static const char *const kinds[] = {"argv", "script", "patch", "agent_input"};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        given += json_object_get(params, kinds[i]) != NULL;
    if (given != 1 || !json_is_string(json_object_get(params, "cwd")))
        abort();
    json_decref(params);
    asked->events = events;
    asked->argument = argument;
    TAILQ_INSERT_TAIL(&asker->calls, asked, entry);
    asker->started++;
    return asked;
}

/* Who cancels hears of the end later. */
void asker_cancel(struct asked *asked)
{
    (void)asked;
}

static struct asker *the_asker;

void asker_drop(struct asked **place)
{
    if (*place == NULL)
        return;
    TAILQ_REMOVE(&the_asker->calls, *place, entry);
    free(*place);
    *place = NULL;
}

static void answer_one(struct asker *asker)
{
    struct asked *asked = TAILQ_FIRST(&asker->calls);
    if (asked == NULL || asker->started % 3 == 0)
        return;
    bool yes = asker->started % 3 == 1;
    cleanup_json json_t *result =
        json_pack("{s:s,s:i,s:{s:s,s:s,s:s}}", "outcome", yes ? "allowed" : "refused", "exit_code",
                  yes ? 0 : 77, "decision", "kind", yes ? "approved" : "abort", "source", "user",
                  "message", "words");
    const struct asked_events *events = asked->events;
    void *argument = asked->argument;
    TAILQ_REMOVE(&asker->calls, asked, entry);
    free(asked);
    if (events->output != NULL)
        events->output(argument, "out\xc3\xa4put\n", 9, 0);
    events->finished(argument, result, NULL);
}

/* ---- the operator --------------------------------------------------------------------------- */

static void on_text(void *argument, const char *one, const char *other)
{
    *(size_t *)argument += strlen(one) + strlen(other);
}

static void on_speech(void *argument, enum agent_speech who, const char *text, size_t length)
{
    (void)who;
    (void)text;
    *(size_t *)argument += length;
}

static void on_plan(void *argument, const struct agent_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        *(size_t *)argument += strlen(steps[i].content);
}

static void on_word(void *argument, const char *text)
{
    *(size_t *)argument += text != NULL ? strlen(text) : 0;
}

static const struct agent_session_events operator_events = {
    .ready = on_text,
    .speech = on_speech,
    .tool = on_text,
    .plan = on_plan,
    .mode = on_word,
    .note = on_word,
    .turn_ended = on_word,
    .ended = on_word,
};

/* ---- the agent ------------------------------------------------------------------------------ */

struct conversation {
    struct loop *loop;
    struct asker asker;
    struct agent_session *session;
    int agent;
    struct strbuf received;
};

static void turn(struct conversation *conversation)
{
    char bytes[4096];
    ssize_t count;
    loop_step(conversation->loop, 0);
    answer_one(&conversation->asker);
    while ((count = recv(conversation->agent, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0)
        strbuf_add(&conversation->received, bytes, (size_t)count);
}

static void say(struct conversation *conversation, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t count = send(conversation->agent, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count > 0) {
            bytes += count;
            length -= (size_t)count;
        }
        turn(conversation);
        if (count < 0 && errno != EAGAIN)
            return;
    }
}

static void introduce(struct conversation *conversation, bool app_server)
{
    static const char acp[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":1}}\n"
                              "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"sessionId\":\"s\","
                              "\"modes\":{\"currentModeId\":"
                              "\"m\",\"availableModes\":[{\"id\":\"m\",\"name\":\"M\"}]}}}\n";
    static const char codex[] = "{\"id\":1,\"result\":{}}\n"
                                "{\"id\":2,\"result\":{\"thread\":{\"id\":\"s\"}}}\n";
    say(conversation, app_server ? codex : acp, app_server ? sizeof(codex) - 1 : sizeof(acp) - 1);
    agent_session_prompt(conversation->session, "go");
}

static void begin(struct conversation *conversation, int end, bool app_server, size_t *heard)
{
    struct agent_session_setup setup = {
        .loop = conversation->loop,
        .asker = &conversation->asker,
        .from_agent = end,
        .to_agent = end,
        .cwd = "/nonexistent",
        .files = true,
        .events = &operator_events,
        .argument = heard,
    };
    TAILQ_INIT(&conversation->asker.calls);
    the_asker = &conversation->asker;
    conversation->session = app_server ? appserver_new(&setup) : acp_new(&setup);
}

/* Unless the conversation is over, it goes on. */
static void expect_answer(struct conversation *conversation)
{
    static const char question[] =
        "\n{\"jsonrpc\":\"2.0\",\"id\":\"the last one\",\"method\":\"x\",\"params\":{}}\n";
    static const char end[] = "\"id\":\"the last one\",\"error\":";
    say(conversation, question, sizeof(question) - 1);
    for (int i = 0; i < 1000 && strstr(strbuf_str(&conversation->received), end) == NULL; i++)
        turn(conversation);
    if (strstr(strbuf_str(&conversation->received), end) == NULL)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct conversation conversation = {0};
    size_t heard = 0;
    int ends[2];
    if (size < 1 || size > 8192 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return 0;
    bool app_server = data[0] == 'c';
    conversation.loop = loop_new(NULL);
    conversation.agent = ends[0];
    begin(&conversation, ends[1], app_server, &heard);
    introduce(&conversation, app_server);
    say(&conversation, (const char *)data + 1, size - 1);
    agent_session_cancel(conversation.session);
    expect_answer(&conversation);
    agent_session_free(&conversation.session);
    if (!TAILQ_EMPTY(&conversation.asker.calls))
        abort(); /* what was asked is withdrawn */
    fd_close(&conversation.agent);
    loop_free(&conversation.loop);
    strbuf_free(&conversation.received);
    return 0;
}
