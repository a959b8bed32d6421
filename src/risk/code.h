/* SPDX-License-Identifier: MIT */
/* code: what code does that an interpreter is given as a word or as a here-document, told by the
 * calls in it. */
#ifndef ASSENT_RISK_CODE_H
#define ASSENT_RISK_CODE_H

#include <stdbool.h>
#include <stddef.h>

#include "risk/assessment.h"
#include "risk/phrase.h"

struct code_finding {
    enum risk_level level;
    unsigned categories;
    enum phrase phrase;
};

struct code_user {
    void (*found)(void *argument, struct code_finding finding);
    /* A text that the code hands to a shell, or words that it runs, put together. */
    void (*runs)(void *argument, const char *script, size_t length);
    /* A file that it writes. */
    void (*writes)(void *argument, const char *path, size_t length);
    void *argument;
};

/* The letter of the language of an interpreter ("python3", "awk", "mongosh"), '\0' for none. */
char code_language(const char *program);

/* Looks through code of that language. Nothing found: it only computes and prints. */
void code_read(char language, const char *code, size_t length, const struct code_user *user);

/* The same for statements of SQL; `remote` when the database is on another machine. */
void code_read_sql(const char *text, size_t length, bool remote, const struct code_user *user);

/* The same for a script of sed. */
void code_read_sed(const char *script, const struct code_user *user);

#endif
