/* SPDX-License-Identifier: MIT */
/*
 * setup_text: tables of a TOML file and entries of a YAML mapping put into a file's text and taken
 * out again by whole lines, with everything else left as it was written.
 */
#ifndef ASSENT_AGENTS_SETUP_TEXT_H
#define ASSENT_AGENTS_SETUP_TEXT_H

#include <stdbool.h>

#include "base/error.h"
#include "base/strbuf.h"

/* Appends the table [name] with these lines (each with its end). -1 with a message when the file
 * has it already or defines it in another way. */
int setup_text_add_table(struct strbuf *text, const char *name, const char *lines,
                         struct error *error);
/* Takes the table out, with the empty line before it, if it is there. */
void setup_text_remove_table(struct strbuf *text, const char *name);

/* Sets key = value in the table [name], which is made if missing. The line that had the key before,
 * without its end, is appended to `old`. -1 with a message when the file defines it in another
 * way. */
int setup_text_set_key(struct strbuf *text, const char *name, const char *key, const char *value,
                       struct strbuf *old, struct error *error);
/* Takes the key out, or puts the line `old` in its place, and the table when it is empty then and
 * `table_made`. */
void setup_text_reset_key(struct strbuf *text, const char *name, const char *key, const char *old,
                          bool table_made);
bool setup_text_has_table(const struct strbuf *text, const char *name);

/* Adds an entry to the top-level mapping `top` of a YAML file, which is made if missing. `lines`
 * are those below "name:", without their indent. -1 with a message when the mapping has the entry
 * already, or is written in one line. */
int setup_text_add_entry(struct strbuf *text, const char *top, const char *name, const char *lines,
                         struct error *error);
/* Takes the entry out, and the mapping when it is empty then and `top_made`. */
void setup_text_remove_entry(struct strbuf *text, const char *top, const char *name, bool top_made);
bool setup_text_has_entries(const struct strbuf *text, const char *top);

#endif
