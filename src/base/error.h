/* SPDX-License-Identifier: MIT */
/*
 * error: why something failed, in words that a person can act on.
 *
 * A function that can fail for reasons worth telling takes a `struct error *` as its last
 * parameter and returns -1 (or NULL) after filling it in. The message says what failed, which
 * file, key or address it was about, and what to do, without a trailing newline. It is not
 * translated: translation happens where text meets the operator.
 */
#ifndef ASSENT_BASE_ERROR_H
#define ASSENT_BASE_ERROR_H

#define ERROR_MESSAGE_MAX 1024

struct error {
    int number;                      /* errno value behind the failure, 0 when there is none */
    char message[ERROR_MESSAGE_MAX]; /* NUL-terminated UTF-8; cut at a character boundary */
};

#define ERROR_INIT                                                                                 \
    {                                                                                              \
        0, ""                                                                                      \
    }

/* Sets the message; `number` is an errno value or 0. Always returns -1, so that a caller can
 * write `return error_set(...)`. `error` may be NULL: then only the -1 remains. */
int error_set(struct error *error, int number, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As error_set(), and appends ": " and the text of `number` (strerror). */
int error_errno(struct error *error, int number, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "PREFIX: " before the message that is there. Always returns -1. */
int error_prefix(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
