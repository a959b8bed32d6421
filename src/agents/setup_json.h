/* SPDX-License-Identifier: MIT */
/*
 * setup_json: members and elements put into the text of a JSON file and taken out again, with
 * everything else left as it was written: order, spaces, comments (settings files of agents may
 * have them) and trailing commas.
 */
#ifndef ASSENT_AGENTS_SETUP_JSON_H
#define ASSENT_AGENTS_SETUP_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/strbuf.h"

/* The text of the value at a path of member names (NULL-terminated): 1 with its place, 0 when there
 * is none, -1 with a message when the text is no JSON object or something on the way is no object.
 */
int setup_json_find(const struct strbuf *text, const char *const *path, size_t *start, size_t *end,
                    struct error *error);

/* Sets the member at a path; objects on the way that are missing are made, the first of them (or
 * the member) being path[*made]. A member that is there already is replaced, its text appended to
 * `old`; *made is the path's length then. -1 with a message. */
int setup_json_set(struct strbuf *text, const char *const *path, const json_t *value, size_t *made,
                   struct strbuf *old, struct error *error);
/* Appends an element to the array at a path, likewise; 1 when an equal one is in it already. */
int setup_json_append(struct strbuf *text, const char *const *path, const json_t *value,
                      size_t *made, struct error *error);

/* Takes out the member at a path, or the element that equals `element`, if it is there; then
 * containers from path[made] on that are empty now. -1 with a message. */
int setup_json_remove(struct strbuf *text, const char *const *path, const json_t *element,
                      size_t made, struct error *error);
/* Puts other JSON text in place of the value at a path, which must exist. */
int setup_json_replace(struct strbuf *text, const char *const *path, const char *value,
                       struct error *error);

#endif
