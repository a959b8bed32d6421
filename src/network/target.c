/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/target.h"

#include <string.h>

#include "base/alloc.h"

const char *network_protocol_name(enum network_protocol protocol)
{
    static const char *const names[] = {
        [PROTOCOL_HTTP] = "http", [PROTOCOL_HTTPS] = "https", [PROTOCOL_SOCKS5_TCP] = "socks5-tcp"};
    return names[protocol];
}

char *target_authority(const struct network_target *target)
{
    bool ipv6 = strchr(target->host.name, ':') != NULL;
    return ipv6 ? xasprintf("[%s]:%u", target->host.name, target->port)
                : xasprintf("%s:%u", target->host.name, target->port);
}

char *target_url(const struct network_target *target)
{
    cleanup_free char *authority = target_authority(target);
    return xasprintf("%s://%s", network_protocol_name(target->protocol), authority);
}
