/* SPDX-License-Identifier: MIT */
/*
 * Anything at all said to a JSON-RPC peer: it must stay alive, and a good request that follows on
 * a line of its own must get its answer.
 */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agents/jsonrpc.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/loop.h"
#include "base/strbuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void on_request(void *argument, struct jsonrpc_request *request, const char *method,
                       const json_t *params)
{
    (void)argument;
    if (method[0] == 'd')
        jsonrpc_drop(&request);
    else
        jsonrpc_reply(&request, json_deep_copy(params));
}

static void on_closed(void *argument, int number)
{
    (void)argument;
    (void)number;
}

static const struct jsonrpc_events events = {.request = on_request, .closed = on_closed};
static const struct jsonrpc_setup setup = {.line_limit = 512, .high_water = (size_t)1 << 20};
static const char question[] =
    "\n{\"jsonrpc\":\"2.0\",\"id\":\"the last one\",\"method\":\"x\",\"params\":{}}\n";
static const char answer[] = "{\"jsonrpc\":\"2.0\",\"id\":\"the last one\",\"result\":{}}\n";

static void drain(int fd, struct strbuf *received)
{
    char bytes[4096];
    ssize_t count;
    while ((count = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0)
        strbuf_add(received, bytes, (size_t)count);
}

static void say(struct loop *loop, int fd, const char *bytes, size_t length,
                struct strbuf *received)
{
    while (length > 0) {
        ssize_t count = send(fd, bytes, length, MSG_DONTWAIT);
        if (count > 0) {
            bytes += count;
            length -= (size_t)count;
        }
        loop_step(loop, 0);
        drain(fd, received);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int ends[2];
    cleanup_strbuf struct strbuf received = STRBUF_INIT;
    if (size > 8192 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return 0;
    struct loop *loop = loop_new(NULL);
    struct jsonrpc *peer = jsonrpc_new(loop, ends[1], ends[1], &setup, &events, NULL);
    say(loop, ends[0], (const char *)data, size, &received);
    say(loop, ends[0], question, sizeof(question) - 1, &received);
    size_t length = sizeof(answer) - 1;
    for (int turn = 0; turn < 1000; turn++) {
        drain(ends[0], &received);
        if (received.length >= length &&
            memcmp(received.data + received.length - length, answer, length) == 0)
            break;
        loop_step(loop, 0);
    }
    if (received.length < length ||
        memcmp(received.data + received.length - length, answer, length) != 0)
        abort();
    jsonrpc_free(&peer);
    fd_close(&ends[0]);
    loop_free(&loop);
    return 0;
}
