/* SPDX-License-Identifier: MIT */
/*
 * setup_change: one change of a client's settings file, which can be taken back.
 *
 * A change is a JSON object, so that what was done can be kept as it is:
 *   file   absolute path
 *   kind   "member" (of a JSON object), "element" (of a JSON array), "table" (of a TOML file),
 * "key" (of a TOML table), "entry" (of a YAML mapping) path   names, from the outside in value  any
 * JSON for the first two; text for the others ours   for a member: what is there under that name is
 * somebody else's, refuse and once applied also `made` (how much of the path was there), `old` (the
 * text that it replaced) or `kept` (it was so already; nothing is to be taken back).
 */
#ifndef ASSENT_AGENTS_SETUP_CHANGE_H
#define ASSENT_AGENTS_SETUP_CHANGE_H

#include <jansson.h>

#include "base/error.h"
#include "base/strbuf.h"

/* Takes `value`; `path` is NULL-terminated. New reference. */
json_t *setup_change_new(const char *file, const char *kind, const char *const *path,
                         json_t *value);

/* Applies it to the text of its file, and notes in it how. -1 with a message without the file. */
int setup_change_apply(json_t *change, struct strbuf *text, struct error *error);
/* Takes it back, as far as it is still there. */
int setup_change_undo(const json_t *change, struct strbuf *text, struct error *error);

#endif
