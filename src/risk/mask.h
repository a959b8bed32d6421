/* SPDX-License-Identifier: MIT */
/*
 * mask: secrets in the text of a command, made unreadable before it leaves the machine.
 *
 * What is masked is read by nobody any more, so a mask covers a value and nothing else: it ends
 * where the shell word or the quote ends that the value is in, and never covers a substitution that
 * is run. Where the quotes of a text can be read in more than one way it ends at the first blank,
 * quote or separator: a part of a secret may be left there, but no command is hidden.
 */
#ifndef ASSENT_RISK_MASK_H
#define ASSENT_RISK_MASK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* What stands for a secret. */
#define MASK_SIGN "<masked>"

/* All append the text with passwords of addresses, values of headers and variables that hold
 * secrets, options that take passwords, private keys and tokens of known shapes masked. Linear. */

/* A command line as a shell reads it, from its beginning. */
void mask_command(struct strbuf *out, const char *command, size_t length);
/* Code in any language, as in a patch, or from the middle of something. */
void mask_code(struct strbuf *out, const char *code, size_t length);
/* Output and prose: what nobody runs. Errs towards masking, to the end of a line. */
void mask_text(struct strbuf *out, const char *text, size_t length);

/* The words of a command, masked one after the other: those in front of a word say what it is: the
 * value of an option, a script for a shell, or anything. */
struct mask_words {
    const char *const *words; /* NULL-terminated, borrowed */
    size_t next;
    bool runs;         /* one in front runs what it is given */
    bool takes;        /* … or what an option -c is given */
    bool code;         /* such an option is among those right in front */
    bool shell;        /* one in front is a shell */
    unsigned programs; /* bits: those that take passwords with an option (mask_option.c) … */
    unsigned verbs;    /* … and those that have their verb as well */
};

/* The next word, masked; NULL behind the last. Caller frees. Start with {.words = words}. */
char *mask_next_word(struct mask_words *words);
/* One of them alone. Caller frees. */
char *mask_word(const char *const *words, size_t index);

/* Appends a text about a command in which what mask_command() masks is masked: of words that the
 * command has nowhere in clear. */
void mask_told(struct strbuf *out, const char *text, const char *command);

#endif
