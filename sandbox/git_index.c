/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_index.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* gitformat-index(5). An entry: ten 32-bit numbers, the object's name, flags, the path. */
enum { HEADER = 12, STATUS = 40, FLAGS = 2, EXTENDED = 0x4000, ALIGNMENT = 8 };

struct reader {
    const unsigned char *at;
    size_t left;
    uint32_t version;
    size_t hash;
    char path[PATH_MAX]; /* of the entry before: version 4 says only what differs */
};

static uint32_t number(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void skip(struct reader *reader, size_t size)
{
    reader->at += size;
    reader->left -= size;
}

/* A directory of a sparse index ends in a slash; an entry that replaces one of the shared part has
 * no path. */
bool git_index_path_is_inside(const char *path)
{
    while (*path) {
        size_t length = strcspn(path, "/");
        if (length == 0 || (length == 1 && path[0] == '.') ||
            (length == 2 && path[0] == '.' && path[1] == '.') ||
            (length == 4 && strncasecmp(path, ".git", 4) == 0))
            return false;
        path += length + (path[length] == '/');
    }
    return true;
}

/* How much of the path before is dropped, as git writes offsets. */
static bool read_dropped(struct reader *reader, size_t *dropped)
{
    *dropped = 0;
    for (bool first = true;; first = false) {
        if (reader->left == 0 || *dropped > PATH_MAX)
            return false;
        unsigned byte = *reader->at;
        skip(reader, 1);
        *dropped = (*dropped + !first) << (first ? 0 : 7) | (byte & 0x7f);
        if (!(byte & 0x80))
            return true;
    }
}

static bool read_path(struct reader *reader, size_t head)
{
    size_t kept = 0, dropped;
    if (reader->version == 4) {
        kept = strlen(reader->path);
        if (!read_dropped(reader, &dropped) || dropped > kept)
            return false;
        kept -= dropped;
    }
    size_t length = strnlen((const char *)reader->at, reader->left);
    if (length == reader->left || kept + length >= sizeof reader->path)
        return false;
    memcpy(reader->path + kept, reader->at, length + 1);
    size_t rest = reader->version == 4 ? length + 1
                                       : (head + length + ALIGNMENT) / ALIGNMENT * ALIGNMENT - head;
    if (rest > reader->left)
        return false;
    skip(reader, rest);
    return true;
}

static bool read_entry(struct reader *reader)
{
    size_t head = STATUS + reader->hash + FLAGS;
    if (reader->left < head + FLAGS)
        return false;
    unsigned flags = (unsigned)reader->at[head - 2] << 8 | reader->at[head - 1];
    if (flags & EXTENDED)
        head += FLAGS;
    skip(reader, head);
    return read_path(reader, head) && git_index_path_is_inside(reader->path);
}

bool git_index_is_harmless(const char *bytes, size_t size, size_t hash)
{
    struct reader reader = {.at = (const unsigned char *)bytes, .left = size, .hash = hash};
    if (size < HEADER || memcmp(bytes, "DIRC", 4) != 0)
        return size == 0;
    reader.version = number(reader.at + 4);
    uint32_t count = number(reader.at + 8);
    skip(&reader, HEADER);
    if (reader.version < 2 || reader.version > 4)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_entry(&reader))
            return false;
    return true;
}
