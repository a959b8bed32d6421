/* SPDX-License-Identifier: MIT */
/*
 * secret: random keys in files of the operator's, one a file: 64 hexadecimal digits and a newline,
 * mode 0600. Where the file lies decides who can read it: sandboxed commands cannot read Assent's
 * own directories.
 */
#ifndef ASSENT_BASE_SECRET_H
#define ASSENT_BASE_SECRET_H

#include "base/error.h"
#include "base/sha256.h"

struct secret {
    unsigned char bytes[SHA256_SIZE];
};

/* Makes the file unless it is there; whole at once, so that of two that make it one counts for
 * both. The directory must be there. 0, or -1 with a message. */
int secret_create(const char *path, struct error *error);
/* -1 with a message when it cannot be read (error->number is ENOENT when it is not there), or when
 * others could have read it. */
int secret_read(const char *path, struct secret *secret, struct error *error);
/* Puts the secret into a file in place of what is there. 0, or -1 with a message. */
int secret_write(const char *path, const struct secret *secret, struct error *error);

#endif
