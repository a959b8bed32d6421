/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/salvage.h"

#include <stdbool.h>
#include <string.h>

/* Ids longer than this are nobody's. */
#define ID_MAX_BYTES 1024

static size_t skip_space(const char *bytes, size_t length, size_t at)
{
    while (at < length && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r'))
        at++;
    return at;
}

/* Position behind the string that starts at `at` (its opening quote); `length` when it never
 * ends. Only quotes and backslashes matter, so any bytes between them will do. */
static size_t skip_string(const char *bytes, size_t length, size_t at)
{
    for (at++; at < length; at++) {
        if (bytes[at] == '\\')
            at++;
        else if (bytes[at] == '"')
            return at + 1;
    }
    return length;
}

static size_t skip_number(const char *bytes, size_t length, size_t at)
{
    while (at < length && bytes[at] != '\0' && strchr("+-.0123456789eE", bytes[at]) != NULL)
        at++;
    return at;
}

/* The id that starts at `at`, read by the real parser. */
static json_t *read_id(const char *bytes, size_t length, size_t at)
{
    if (at >= length)
        return NULL;
    size_t end = bytes[at] == '"' ? skip_string(bytes, length, at) : skip_number(bytes, length, at);
    if (end == at || end - at > ID_MAX_BYTES)
        return NULL;
    if (end == length && bytes[at] != '"')
        return NULL; /* a number that may have been cut short is somebody else's */
    json_t *id = json_loadb(bytes + at, end - at, JSON_DECODE_ANY, NULL);
    if (json_is_string(id) || json_is_integer(id))
        return id;
    json_decref(id);
    return NULL;
}

json_t *salvage_id(const char *bytes, size_t length)
{
    size_t at = skip_space(bytes, length, 0);
    if (at >= length || bytes[at] != '{')
        return NULL;
    unsigned depth = 0;
    while (at < length) {
        char byte = bytes[at];
        if (byte == '{' || byte == '[') {
            depth++;
        } else if (byte == '}' || byte == ']') {
            if (--depth == 0)
                return NULL;
        } else if (byte == '"') {
            size_t end = skip_string(bytes, length, at);
            size_t colon = skip_space(bytes, length, end);
            bool is_key = depth == 1 && colon < length && bytes[colon] == ':';
            if (is_key && end - at == 4 && memcmp(bytes + at, "\"id\"", 4) == 0)
                return read_id(bytes, length, skip_space(bytes, length, colon + 1));
            at = end;
            continue;
        }
        at++;
    }
    return NULL;
}
