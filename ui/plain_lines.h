/* SPDX-License-Identifier: MIT */
/*
 * plain_lines: a line of the console in plain lines, broken for a terminal of some width. A
 * terminal would break it in the middle of a word, and what goes on at its edge would look like a
 * line of the console's own, whoever's words it is. So it goes on behind a mark:
 *
 *     c3 codex, denied by you: install -m 0755            | a very long line that somebo
 *     + site.conf /etc/site.conf                          + dy else wrote
 */
#ifndef ASSENT_UI_PLAIN_LINES_H
#define ASSENT_UI_PLAIN_LINES_H

#include <stddef.h>

#include "base/strbuf.h"
#include "ui/wrap.h"

/* Adds a line (made safe) with its end. Words of others alone stand behind "| " ("    | rm -rf x",
 * "c1| output") and are broken as `foreign` says; all else, which may hold words of others, between
 * words. `columns`: of the terminal; 0: of unknown width, nothing is broken. */
void plain_lines_add(struct strbuf *out, const char *text, size_t columns, enum wrap_mode foreign);

#endif
