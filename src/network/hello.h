/* SPDX-License-Identifier: MIT */
/* hello: which server a TLS client names in its first message (RFC 8446, 4.1.2; RFC 6066, 3).
 * Looked at only, never changed: TLS is not opened. */
#ifndef ASSENT_NETWORK_HELLO_H
#define ASSENT_NETWORK_HELLO_H

#include <stddef.h>

#define HELLO_MAX ((size_t)17 * 1024) /* bytes of records that are waited for */

enum hello_result {
    HELLO_MORE,    /* it may be one, and is not complete */
    HELLO_NONE,    /* this is not TLS */
    HELLO_NAME,    /* `name` is the server's name as written */
    HELLO_NO_NAME, /* a client that names no server */
    HELLO_BAD,     /* it begins as one, and is none */
};

/* `name` has room for 256 bytes. */
enum hello_result hello_parse(const char *bytes, size_t length, char name[256]);

#endif
