/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/peek.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "network/head.h"
#include "network/hello.h"

static enum tunnel_word other_name(char detail[PEEK_DETAIL_SIZE], const char *kind,
                                   const char *name)
{
    snprintf(detail, PEEK_DETAIL_SIZE, "%s names %.255s", kind, name);
    return TUNNEL_REFUSE;
}

static bool is_target(const struct network_target *target, const char *name, size_t length)
{
    struct network_host host;
    return host_parse(name, length, &host, NULL) == 0 && strcmp(host.name, target->host.name) == 0;
}

/* A plain request through a tunnel: its first one must be for the host that was granted. */
static enum tunnel_word look_at_request(const struct network_target *target, const char *bytes,
                                        size_t length, char detail[PEEK_DETAIL_SIZE])
{
    cleanup_free char *host = NULL;
    switch (head_peek_host(bytes, length, &host)) {
    case HEAD_MORE:
        return TUNNEL_HOLD;
    case HEAD_BAD:
        return TUNNEL_PASS_ALL;
    case HEAD_DONE:
        break;
    }
    const char *colon = strrchr(host, ':');
    size_t name =
        colon != NULL && strchr(colon, ']') == NULL ? (size_t)(colon - host) : strlen(host);
    return host[0] == '\0' || is_target(target, host, name)
               ? TUNNEL_PASS_ALL
               : other_name(detail, "the request", host);
}

enum tunnel_word peek_tunnel(const struct network_target *target, const char *bytes, size_t length,
                             char detail[PEEK_DETAIL_SIZE])
{
    char name[256];
    switch (hello_parse(bytes, length, name)) {
    case HELLO_MORE:
        return TUNNEL_HOLD;
    case HELLO_NONE:
        return look_at_request(target, bytes, length, detail);
    case HELLO_NAME:
        return is_target(target, name, strlen(name)) ? TUNNEL_PASS_ALL
                                                     : other_name(detail, "TLS", name);
    case HELLO_NO_NAME:
        return TUNNEL_PASS_ALL;
    case HELLO_BAD:
        break;
    }
    return other_name(detail, "TLS", "no host that can be read");
}
