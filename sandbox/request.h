/* SPDX-License-Identifier: MIT */
/*
 * request: the form in which policy, environment and working directory reach the helper.
 *
 * Records "KEY VALUE", each ended by a NUL, so that any bytes pass: "assent-request 1" first,
 * "end" last. Read strictly: an unknown key, a value out of range, a missing end or anything over
 * the limits is an error, never skipped. Needs libc only.
 */
#ifndef ASSENT_SANDBOX_REQUEST_H
#define ASSENT_SANDBOX_REQUEST_H

#include <stddef.h>

#include "base/error.h"
#include "sandbox/policy.h"

#define REQUEST_SIZE_MAX ((size_t)4 * 1024 * 1024) /* bytes */
#define REQUEST_ENTRIES_MAX 1024
#define REQUEST_ENV_MAX 16384

struct helper_request {
    struct sandbox_policy *policy;
    char *cwd;     /* absolute */
    char *program; /* file to execute; NULL: argv[0] is looked up on PATH of `env` */
    char **env;    /* NULL-terminated, possibly empty */
};

/* The bytes, which the caller frees; their number in *size. */
char *request_write(const struct helper_request *request, size_t *size);
/* NULL with a message when the bytes are not exactly what request_write() makes. */
struct helper_request *request_parse(const char *bytes, size_t size, struct error *error);
void request_free(struct helper_request **request);

#endif
