/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/socks.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { METHOD_NONE = 0, METHOD_UNACCEPTABLE = 0xff, COMMAND_CONNECT = 1 };
enum { ADDRESS_TYPE_IPV4 = 1, ADDRESS_TYPE_NAME = 3, ADDRESS_TYPE_IPV6 = 4 };

enum socks_result socks_parse_greeting(const char *bytes, size_t length, size_t *used,
                                       char answer[2])
{
    *used = 0;
    answer[0] = SOCKS_VERSION;
    answer[1] = (char)METHOD_UNACCEPTABLE;
    if (length < 1)
        return SOCKS_MORE;
    if (bytes[0] != SOCKS_VERSION)
        return SOCKS_BAD;
    if (length < 2 || length < 2 + (size_t)(uint8_t)bytes[1])
        return SOCKS_MORE;
    *used = 2 + (size_t)(uint8_t)bytes[1];
    if (memchr(bytes + 2, METHOD_NONE, (uint8_t)bytes[1]) == NULL)
        return SOCKS_BAD;
    answer[1] = METHOD_NONE;
    return SOCKS_DONE;
}

/* Bytes of the address behind the four of the head, its own length byte included; 0: unknown. */
static size_t address_size(const char *bytes, size_t length)
{
    switch (bytes[3]) {
    case ADDRESS_TYPE_IPV4:
        return 4;
    case ADDRESS_TYPE_IPV6:
        return 16;
    case ADDRESS_TYPE_NAME:
        return length > 4 ? 1 + (size_t)(uint8_t)bytes[4] : 1;
    default:
        return 0;
    }
}

static int parse_host(const char *bytes, size_t size, struct network_host *host)
{
    char text[ADDRESS_TEXT_MAX];
    if (bytes[3] == ADDRESS_TYPE_NAME)
        return host_parse(bytes + 5, size - 1, host, NULL);
    int family = bytes[3] == ADDRESS_TYPE_IPV4 ? AF_INET : AF_INET6;
    if (inet_ntop(family, bytes + 4, text, sizeof text) == NULL)
        return -1;
    return host_parse(text, strlen(text), host, NULL);
}

enum socks_result socks_parse_request(const char *bytes, size_t length, size_t *used,
                                      struct network_target *target, enum socks_reply *reply)
{
    *used = 0;
    *reply = SOCKS_FAILED;
    if (length < 4)
        return SOCKS_MORE;
    if (bytes[0] != SOCKS_VERSION || bytes[2] != 0)
        return SOCKS_BAD;
    *reply = SOCKS_ADDRESS_NOT_SUPPORTED;
    size_t size = address_size(bytes, length);
    if (size == 0)
        return SOCKS_BAD;
    if (length < 4 + size + 2)
        return SOCKS_MORE;
    *used = 4 + size + 2;
    *reply = SOCKS_COMMAND_NOT_SUPPORTED;
    if (bytes[1] != COMMAND_CONNECT)
        return SOCKS_BAD;
    *reply = SOCKS_ADDRESS_NOT_SUPPORTED;
    memset(target, 0, sizeof *target);
    target->protocol = PROTOCOL_SOCKS5_TCP;
    target->port = (uint16_t)((uint8_t)bytes[4 + size] << 8 | (uint8_t)bytes[5 + size]);
    if (target->port == 0 || parse_host(bytes, size, &target->host) != 0)
        return SOCKS_BAD;
    *reply = SOCKS_SUCCEEDED;
    return SOCKS_DONE;
}

void socks_format_reply(enum socks_reply reply, char bytes[SOCKS_REPLY_SIZE])
{
    memset(bytes, 0, SOCKS_REPLY_SIZE);
    bytes[0] = SOCKS_VERSION;
    bytes[1] = (char)reply;
    bytes[3] = ADDRESS_TYPE_IPV4;
}
