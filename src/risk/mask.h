/* SPDX-License-Identifier: MIT */
/* mask: secrets in the text of a command, made unreadable before it leaves the machine. */
#ifndef ASSENT_RISK_MASK_H
#define ASSENT_RISK_MASK_H

#include <stddef.h>

#include "base/strbuf.h"

/* What stands for a secret. */
#define MASK_SIGN "<masked>"

/* Appends the text with passwords of addresses, values of headers and variables that hold secrets,
 * options that take passwords, private keys and tokens of known shapes masked. Errs towards
 * masking. */
void mask_secrets(struct strbuf *out, const char *text, size_t length);

/* A word of a command, masked; `before` is the word in front of it, "" for none: as a password it
 * is only known by that. Caller frees. */
char *mask_word(const char *before, const char *word);

/* Appends a text about a command in which the words are masked that mask_secrets() leaves nowhere
 * in the command. */
void mask_told(struct strbuf *out, const char *text, const char *command);

#endif
