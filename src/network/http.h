/* SPDX-License-Identifier: MIT */
/*
 * http: POST requests on the loop, over libcurl's multi interface; nothing else includes curl.
 *
 * TLS certificates are always verified, redirects are refused, nothing is decompressed, cookies
 * and .netrc do not exist here. Proxies are taken from the environment (https_proxy, no_proxy).
 * Names are resolved in libcurl's own thread.
 */
#ifndef ASSENT_NETWORK_HTTP_H
#define ASSENT_NETWORK_HTTP_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/loop.h"

struct http;
struct http_transfer;

struct http_post {
    const char *url; /* http or https */
    const char *body;
    size_t length;
    const char *const *headers; /* "Name: value", NULL-terminated, may be NULL */
    const char *ca_file;        /* certificates to trust, NULL for the system's */
    size_t answer_max;          /* more bytes of an answer are an error */
    int64_t connect_ms, total_ms;
};

enum http_outcome {
    HTTP_ANSWERED, /* with a status that is no redirect */
    HTTP_TIMED_OUT,
    HTTP_RESET, /* the connection broke before there was an answer: may be tried again */
    HTTP_TOO_LARGE,
    HTTP_REDIRECTED,
    HTTP_FAILED,
};

struct http_answer {
    enum http_outcome outcome;
    long status; /* 0 when there was none */
    const char *body;
    size_t length;
    int64_t retry_after_s; /* as the server asked; 0 for no word of it */
    const char *message;   /* why not, in libcurl's words */
};

typedef void http_done(void *argument, const struct http_answer *answer);

struct http *http_new(struct loop *loop, struct error *error);
void http_free(struct http **http); /* transfers that are under way end without a word */

/* Starts a request; everything in `post` is copied. `done` is called once, later, from the loop;
 * the transfer is gone then. NULL with a message when it cannot be started. */
struct http_transfer *http_post(struct http *http, const struct http_post *post, http_done *done,
                                void *argument, struct error *error);
/* Ends a transfer before its time; `done` is not called. */
void http_cancel(struct http_transfer **transfer);

#endif
