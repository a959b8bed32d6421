/* SPDX-License-Identifier: MIT */
/*
 * salvage: the id of a JSON-RPC request whose text cannot be parsed as a whole (invalid UTF-8, a
 * lone surrogate, cut off), so that its sender gets an answer instead of waiting for ever.
 */
#ifndef ASSENT_AGENTS_SALVAGE_H
#define ASSENT_AGENTS_SALVAGE_H

#include <jansson.h>
#include <stddef.h>

/* The value of the outermost object's member "id" when it is a string or an integer, as a new
 * reference; NULL when there is none that can be read. Never reads past `length`. */
json_t *salvage_id(const char *bytes, size_t length);

#endif
