/* SPDX-License-Identifier: MIT */
/*
 * head: the head of an HTTP request, as a client sends it to a proxy: CONNECT, or a plain
 * request with the whole URL (RFC 9112, 3.2).
 *
 * Strict, because what we and a server would read differently is how requests are smuggled: lines
 * end in CR LF, no header twice where that matters, no folded lines, one way to tell the length of
 * the body.
 */
#ifndef ASSENT_NETWORK_HEAD_H
#define ASSENT_NETWORK_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "network/target.h"

#define HEAD_LINE_MAX ((size_t)8 * 1024)
#define HEAD_MAX ((size_t)32 * 1024) /* bytes, with the empty line at its end */
#define HEAD_HEADERS_MAX 100

enum head_result {
    HEAD_MORE, /* the head is not complete yet */
    HEAD_DONE,
    HEAD_BAD, /* `status` and `problem` are for the client */
};

enum body_kind { BODY_NONE, BODY_LENGTH, BODY_CHUNKED };

struct head {
    struct network_target target; /* PROTOCOL_HTTPS for CONNECT, else PROTOCOL_HTTP */
    size_t length;                /* bytes of the input that the head takes */
    struct strbuf text;           /* plain requests: the head for the server, freed by the caller:
                                     its path only, the target's Host, no headers that are for us,
                                     and the connection ends with the answer */
    enum body_kind body;
    uint64_t body_length; /* BODY_LENGTH */
    bool expects_continue;
    int status; /* HEAD_BAD: 400, 405, 414, 431, 501 or 505 */
    char problem[128];
};

/* Reads a head from the first bytes of a connection; may be called again from the start with more
 * bytes. `head` is filled in anew. */
enum head_result head_parse(const char *bytes, size_t length, struct head *head);
void head_clear(struct head *head);

/* Is it the beginning of a request to a server or to another proxy (as may come through a tunnel)?
 * DONE: `host` is whom it names, as written: in its first line, or else in its Host header ("" when
 * in neither), which the caller frees; BAD: it is none, or not
 * one that we understand. */
enum head_result head_peek_host(const char *bytes, size_t length, char **host);

#endif
