/* SPDX-License-Identifier: MIT */
/*
 * next_hop: the proxy of a company or provider that connections go out through, when there is one.
 * Its name and password are the console's: no command sees them.
 */
#ifndef ASSENT_NETWORK_NEXT_HOP_H
#define ASSENT_NETWORK_NEXT_HOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "network/target.h"

/* Bytes of its answer to CONNECT; more is an error. */
#define NEXT_HOP_ANSWER_MAX ((size_t)16 * 1024)

struct next_hop;

/* `url` is http://[NAME:PASSWORD@]HOST[:PORT], port 80 when there is none; `except` is a list as in
 * NO_PROXY: names and what is beneath them, addresses, networks (10.0.0.0/8), each with or without
 * a port, or "*". NULL with a message that does not repeat the password. */
struct next_hop *next_hop_new(const char *url, const char *except, struct error *error);
/* The one that the variables name (`look` finds a variable's value or NULL): HTTPS_PROXY, ALL_PROXY
 * or HTTP_PROXY, also in small letters, and NO_PROXY. NULL when there is none, or, with a message,
 * when it is not one that can be used. */
struct next_hop *next_hop_from(const char *(*look)(const char *name), struct error *error);
void next_hop_free(struct next_hop **hop);

/* Do connections to the target go through it? Never those to this machine. */
bool next_hop_serves(const struct next_hop *hop, const struct network_target *target);
const struct network_host *next_hop_host(const struct next_hop *hop);
uint16_t next_hop_port(const struct next_hop *hop);
/* "proxy.example:3128", for people. */
const char *next_hop_name(const struct next_hop *hop);

/* What asks it for a tunnel to the target; the caller frees, with next_hop_forget(). */
char *next_hop_connect(const struct next_hop *hop, const struct network_target *target);
void next_hop_forget(char **request);
/* Turns the head of a plain request, as for the server, into one for the proxy. */
void next_hop_rewrite(const struct next_hop *hop, const struct network_target *target,
                      struct strbuf *head);

enum next_hop_answer {
    NEXT_HOP_MORE,   /* the head of the answer is not complete */
    NEXT_HOP_OPEN,   /* the tunnel is there */
    NEXT_HOP_CLOSED, /* it is not: *status says why, 0 when that was no answer at all */
};

/* Reads the beginning of its answer to CONNECT; *used: bytes of it that are no part of what comes
 * through the tunnel. */
enum next_hop_answer next_hop_read(const char *bytes, size_t length, size_t *used, int *status);

#endif
