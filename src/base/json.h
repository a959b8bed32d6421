/* SPDX-License-Identifier: MIT */
/*
 * json: typed getters over jansson that say what was wrong, and the two forms that we write.
 *
 * A getter returns 0 and stores the value, or -1 with a message that names the key and what was
 * expected ("params.timeout_ms: expected a whole number from 1 to 86400000"). `key` may be absent
 * where the name says _optional: then the stored value is left alone and 0 is returned; null
 * counts as absent.
 */
#ifndef ASSENT_BASE_JSON_H
#define ASSENT_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Parses one JSON text of `length` bytes: duplicate keys, NUL in strings, invalid UTF-8, trailing
 * bytes and depth over 64 are errors. Caller owns the result (json_decref). */
json_t *json_parse(const char *bytes, size_t length, struct error *error);

int json_get_string(const json_t *object, const char *key, const char **value,
                    struct error *error); /* borrowed; no NUL inside */
int json_get_string_optional(const json_t *object, const char *key, const char **value,
                             struct error *error);
int json_get_integer_optional(const json_t *object, const char *key, int64_t minimum,
                              int64_t maximum, int64_t *value, struct error *error);
int json_get_bool_optional(const json_t *object, const char *key, bool *value, struct error *error);
/* An array of strings as a NULL-terminated array that the caller frees with strv_free(); at most
 * `limit` strings. */
int json_get_strv_optional(const json_t *object, const char *key, size_t limit, char ***value,
                           struct error *error);

/* Canonical text (sorted keys, no spaces): equal values give equal text. Caller frees. */
char *json_canonical(const json_t *value);
/* One line, keys in insertion order, no newline at the end. Caller frees. */
char *json_line(const json_t *value);

/* A JSON string from any bytes: invalid UTF-8 and NUL, which json_parse() and many other readers
 * refuse, become U+FFFD. New reference. */
json_t *json_string_lossy(const char *bytes, size_t length);

static inline void json_cleanup(json_t **value)
{
    json_decref(*value);
}
#define cleanup_json __attribute__((cleanup(json_cleanup)))

#endif
