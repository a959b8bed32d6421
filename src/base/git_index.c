/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/git_index.h"

#include <string.h>
#include <strings.h>

/* An entry: ten 32-bit numbers, the object's name, flags, the path. */
enum { HEADER = 12, STATUS = 40, FLAGS = 2, EXTENDED = 0x4000, ALIGNMENT = 8 };
/* Of the ten, the one with its type. */
enum { MODE = 24, TYPE_SHIFT = 12, TYPES = 017, TYPE_REPOSITORY = 016 };

static uint32_t number(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void skip(struct git_index *index, size_t size)
{
    index->at += size;
    index->left -= size;
}

/* How much of the path before is dropped, as git writes offsets. */
static bool read_dropped(struct git_index *index, size_t *dropped)
{
    *dropped = 0;
    for (bool first = true;; first = false) {
        if (index->left == 0 || *dropped > PATH_MAX)
            return false;
        unsigned byte = *index->at;
        skip(index, 1);
        *dropped = (*dropped + !first) << (first ? 0 : 7) | (byte & 0x7f);
        if (!(byte & 0x80))
            return true;
    }
}

/* Version 4 says only what differs from the path before. */
static bool read_path(struct git_index *index, size_t head)
{
    size_t kept = 0, dropped;
    if (index->version == 4) {
        kept = strlen(index->path);
        if (!read_dropped(index, &dropped) || dropped > kept)
            return false;
        kept -= dropped;
    }
    size_t length = strnlen((const char *)index->at, index->left);
    if (length == index->left || kept + length >= sizeof index->path)
        return false;
    memcpy(index->path + kept, index->at, length + 1);
    size_t rest = index->version == 4 ? length + 1
                                      : (head + length + ALIGNMENT) / ALIGNMENT * ALIGNMENT - head;
    if (rest > index->left)
        return false;
    skip(index, rest);
    return true;
}

static bool read_entry(struct git_index *index)
{
    size_t head = STATUS + index->hash + FLAGS;
    if (index->left < head + FLAGS)
        return false;
    index->repository = (number(index->at + MODE) >> TYPE_SHIFT & TYPES) == TYPE_REPOSITORY;
    unsigned flags = (unsigned)index->at[head - 2] << 8 | index->at[head - 1];
    if (flags & EXTENDED)
        head += FLAGS;
    skip(index, head);
    return read_path(index, head);
}

bool git_index_begin(struct git_index *index, const char *bytes, size_t size, size_t hash)
{
    *index = (struct git_index){.at = (const unsigned char *)bytes, .left = size, .hash = hash};
    if (size < HEADER || memcmp(bytes, "DIRC", 4) != 0)
        return size == 0;
    index->version = number(index->at + 4);
    index->count = number(index->at + 8);
    skip(index, HEADER);
    return index->version >= 2 && index->version <= 4;
}

enum git_index_step git_index_next(struct git_index *index)
{
    if (index->count == 0)
        return GIT_INDEX_END;
    index->count--;
    return read_entry(index) ? GIT_INDEX_ENTRY : GIT_INDEX_BROKEN;
}

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

bool git_index_is_harmless(const char *bytes, size_t size, size_t hash)
{
    struct git_index index;
    if (!git_index_begin(&index, bytes, size, hash))
        return false;
    enum git_index_step step;
    while ((step = git_index_next(&index)) == GIT_INDEX_ENTRY)
        if (!git_index_path_is_inside(index.path))
            return false;
    return step == GIT_INDEX_END;
}
