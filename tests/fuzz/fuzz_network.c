/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as what a client of the proxy sends first, and through a tunnel: each reader takes or
 * refuses them, what it takes is within its input, and a name that was taken is in its one form.
 */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "network/body.h"
#include "network/head.h"
#include "network/hello.h"
#include "network/next_hop.h"
#include "network/socks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_host(const struct network_host *host)
{
    struct network_host again;
    must(host->name[0] != '\0' && strlen(host->name) <= HOST_MAX);
    must(host_parse(host->name, strlen(host->name), &again, NULL) == 0);
    must(strcmp(host->name, again.name) == 0 && host->literal == again.literal);
    free(host_unicode(host->name));
}

static void try_head(const char *bytes, size_t size)
{
    struct head head;
    struct body body;
    char *host;
    switch (head_parse(bytes, size, &head)) {
    case HEAD_MORE:
        must(size < HEAD_MAX);
        break;
    case HEAD_BAD:
        must(head.status >= 400 && head.problem[0] != '\0');
        break;
    case HEAD_DONE:
        must(head.length <= size && head.target.port > 0);
        check_host(&head.target.host);
        body_start(&body, &head);
        if (!body.done) {
            size_t rest = size - head.length;
            size_t taken = body_take(&body, bytes + head.length, rest);
            must(taken <= rest && (taken == rest || body.done || body.bad));
        }
        break;
    }
    head_clear(&head);
    if (head_peek_host(bytes, size, &host) == HEAD_DONE)
        free(host);
}

static void try_socks(const char *bytes, size_t size)
{
    struct network_target target;
    enum socks_reply reply;
    char answer[2];
    size_t used;
    if (socks_parse_greeting(bytes, size, &used, answer) == SOCKS_DONE)
        must(used >= 3 && used <= size);
    if (socks_parse_request(bytes, size, &used, &target, &reply) == SOCKS_DONE) {
        must(used <= size && target.port > 0);
        check_host(&target.host);
    }
}

/* What a company's proxy answers; and the first line as its address, the rest as who goes past it.
 */
static void try_next_hop(const char *bytes, size_t size)
{
    size_t used;
    int status;
    if (next_hop_read(bytes, size, &used, &status) == NEXT_HOP_OPEN)
        must(used > 0 && used <= size && status / 100 == 2);
    char *text = strndup(bytes, size);
    char *except = strchr(text, '\n');
    if (except != NULL)
        *except++ = '\0';
    struct next_hop *hop = next_hop_new(text, except, NULL);
    if (hop != NULL) {
        must(next_hop_port(hop) > 0);
        check_host(next_hop_host(hop));
    }
    next_hop_free(&hop);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    struct network_host host;
    char name[256] = "";
    try_head(bytes, size);
    try_socks(bytes, size);
    try_next_hop(bytes, size);
    if (hello_parse(bytes, size, name) == HELLO_NAME)
        must(name[0] != '\0' && strlen(name) < sizeof name);
    if (host_parse(bytes, size, &host, NULL) == 0)
        check_host(&host);
    return 0;
}
