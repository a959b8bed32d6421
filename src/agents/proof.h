/* SPDX-License-Identifier: MIT */
/*
 * proof: how a client knows that what listens on a socket is the operator's console.
 *
 * Variables, and with them the place of a socket, may come from a project's settings, and any
 * program of the user can listen. So a client sends a challenge, and the console answers with a
 * proof made from it and from a secret in the configuration directory, which no sandboxed command
 * can read. The proof is made for the process that the console sees at the other end: handed on
 * by somebody between the two it is worth nothing.
 */
#ifndef ASSENT_AGENTS_PROOF_H
#define ASSENT_AGENTS_PROOF_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/secret.h"
#include "base/sha256.h"

/* Reads the secret of a configuration directory ("console.key" in it), making both first when
 * `create`. -1 with a message when it cannot be read or when others could have read or written
 * it (error->number is ENOENT when there is none). */
int proof_key_read(const char *directory, bool create, struct secret *key, struct error *error);

/* Puts a copy of it into another directory, where clients with few variables may find it. */
int proof_key_copy(const struct secret *key, const char *directory, struct error *error);

/* Random text for one connection. */
void proof_challenge(char out[SHA256_HEX_SIZE]);

/* What the console answers to a challenge from the process `client`. */
void proof_make(const struct secret *key, const char *challenge, pid_t client,
                char out[SHA256_HEX_SIZE]);
/* `proof` (NULL allowed) is what our console would have told this process. */
bool proof_check(const struct secret *key, const char *challenge, const char *proof);

/* A confined agent can read no secret of the operator's, and its processes have other numbers
 * than the console sees. There the console proves that it knows the capability that it handed to
 * this agent, and does so for this agent's processes only. Who is confined can be lied to about
 * what it asks; what it does by itself, the sandbox holds. So nobody else takes this proof: whether
 * this process is confined is asked of the kernel, not of variables. */
bool proof_is_confined(void);
void proof_make_confined(const char *capability, const char *challenge, char out[SHA256_HEX_SIZE]);
bool proof_check_confined(const char *capability, const char *challenge, const char *proof);

#endif
