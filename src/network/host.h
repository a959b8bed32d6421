/* SPDX-License-Identifier: MIT */
/*
 * host: the name of a host in one form only, so that what is granted is what is compared.
 *
 * Small letters, no dot at the end, other alphabets as IDNA's A-labels ("xn--…"); an address in
 * any form that a resolver would take for one (0x7f.1, 2130706433, ::ffff:127.0.0.1) in its usual
 * form.
 */
#ifndef ASSENT_NETWORK_HOST_H
#define ASSENT_NETWORK_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "network/address.h"

#define HOST_MAX 253 /* bytes of a name; RFC 1035 */

struct network_host {
    char name[HOST_MAX + 1];        /* normalised, printable ASCII without spaces */
    bool literal;                   /* an address, not a name */
    struct network_address address; /* when literal */
};

/* Reads a host as a client writes it; an IPv6 address may stand in brackets. -1 with a message for
 * the client when it is none. */
int host_parse(const char *text, size_t length, struct network_host *host, struct error *error);

/* The name as people write it when it holds A-labels ("münchen.example"); else NULL. The caller
 * frees; escape before showing. */
char *host_unicode(const char *name);

/* Does its readable form mix alphabets that look alike, or consist of such letters only? */
bool host_is_lookalike(const char *name);

/* "localhost" or a name beneath it: this machine, whatever a resolver says (RFC 6761). */
bool host_is_localhost(const char *name);

#endif
