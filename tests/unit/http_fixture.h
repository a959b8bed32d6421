/* SPDX-License-Identifier: MIT */
/* http_fixture: an HTTP server on loopback, in the loop of the test: real sockets, and it
 * misbehaves as it is told. */
#ifndef ASSENT_TESTS_HTTP_FIXTURE_H
#define ASSENT_TESTS_HTTP_FIXTURE_H

#include <stddef.h>

#include "base/loop.h"

enum http_fixture_manner {
    HTTP_FIXTURE_ANSWER,  /* sends `text` and closes */
    HTTP_FIXTURE_SILENCE, /* never answers */
    HTTP_FIXTURE_RESET,   /* breaks the connection off when the request is there */
    HTTP_FIXTURE_FLOOD,   /* sends `text`, then bytes without end */
};

struct http_fixture_reply {
    enum http_fixture_manner manner;
    const char *text; /* the whole of it, head included; must outlive the fixture */
    size_t length;    /* 0: strlen(text) */
};

struct http_fixture;

struct http_fixture *http_fixture_new(struct loop *loop);
void http_fixture_free(struct http_fixture **fixture);
int http_fixture_port(const struct http_fixture *fixture);
/* What the next requests get, in order; the last reply goes on. */
void http_fixture_script(struct http_fixture *fixture, const struct http_fixture_reply *replies,
                         size_t count);
size_t http_fixture_requests(const struct http_fixture *fixture);  /* complete ones */
size_t http_fixture_most_open(const struct http_fixture *fixture); /* at a time */
const char *http_fixture_last(const struct http_fixture *fixture); /* head and body */

#endif
