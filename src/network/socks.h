/* SPDX-License-Identifier: MIT */
/* socks: what a client of SOCKS5 (RFC 1928) says, and what it is answered. TCP connections only,
 * without authentication: the listener is reachable for one command alone. */
#ifndef ASSENT_NETWORK_SOCKS_H
#define ASSENT_NETWORK_SOCKS_H

#include <stddef.h>

#include "network/target.h"

#define SOCKS_VERSION 5
#define SOCKS_REPLY_SIZE 10

enum socks_result { SOCKS_MORE, SOCKS_DONE, SOCKS_BAD };

enum socks_reply {
    SOCKS_SUCCEEDED = 0,
    SOCKS_FAILED = 1,
    SOCKS_NOT_ALLOWED = 2,
    SOCKS_NETWORK_UNREACHABLE = 3,
    SOCKS_HOST_UNREACHABLE = 4,
    SOCKS_REFUSED = 5,
    SOCKS_COMMAND_NOT_SUPPORTED = 7,
    SOCKS_ADDRESS_NOT_SUPPORTED = 8,
};

/* The greeting: DONE with the bytes that it takes in *used and the two bytes to answer in
 * `answer`; BAD: the same answer (or none when it is no greeting), then the connection ends. */
enum socks_result socks_parse_greeting(const char *bytes, size_t length, size_t *used,
                                       char answer[2]);
/* The request: DONE with its target; BAD with the reply that says why. */
enum socks_result socks_parse_request(const char *bytes, size_t length, size_t *used,
                                      struct network_target *target, enum socks_reply *reply);
/* The bytes of a reply; our own address in it is 0.0.0.0:0. */
void socks_format_reply(enum socks_reply reply, char bytes[SOCKS_REPLY_SIZE]);

#endif
