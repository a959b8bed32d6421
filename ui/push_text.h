/* SPDX-License-Identifier: MIT */
/* push_text: which commits a push that is asked about sends, and which it takes away. */
#ifndef ASSENT_UI_PUSH_TEXT_H
#define ASSENT_UI_PUSH_TEXT_H

#include "approval/call.h"
#include "ui/document.h"

/* In one row: the first of those that are lost there, or else of those that are sent, or why that
 * is not known; *label says which (translated). Safe to show, in part an agent's words; the caller
 * frees. NULL where git was not asked. */
char *push_text_row(const struct call *call, const char **label);

/* All of them, or how to see them where git was not asked or could not tell. */
void push_text_add(struct document *document, const struct call *call);

#endif
