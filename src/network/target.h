/* SPDX-License-Identifier: MIT */
/* target: what a connection is for: host, protocol and port. A grant is for exactly that. */
#ifndef ASSENT_NETWORK_TARGET_H
#define ASSENT_NETWORK_TARGET_H

#include <stdint.h>

#include "network/host.h"

enum network_protocol {
    PROTOCOL_HTTP,       /* plain requests */
    PROTOCOL_HTTPS,      /* a tunnel by CONNECT */
    PROTOCOL_SOCKS5_TCP, /* a tunnel by SOCKS5 */
};

struct network_target {
    struct network_host host;
    enum network_protocol protocol;
    uint16_t port; /* 1 … */
};

const char *network_protocol_name(enum network_protocol protocol); /* "socks5-tcp" */
/* "https://example.org:443"; brackets around IPv6 addresses. The caller frees. */
char *target_url(const struct network_target *target);
/* "example.org:443", as CONNECT and Host write it; the caller frees. */
char *target_authority(const struct network_target *target);

#endif
