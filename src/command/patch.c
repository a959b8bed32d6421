/* SPDX-License-Identifier: MIT */
/* Reading; patch_apply.c works out what files hold afterwards. */
#include "config.h"

#include "command/patch.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/text.h"

#define HEADER_BEGIN "*** Begin Patch"
#define HEADER_END "*** End Patch"
#define HEADER_ADD "*** Add File: "
#define HEADER_DELETE "*** Delete File: "
#define HEADER_UPDATE "*** Update File: "
#define HEADER_MOVE "*** Move to: "
#define HEADER_LAST "*** End of File"

struct reader {
    const char *at, *end; /* what was not read yet */
    size_t number;        /* of the line at hand, from 1 */
    const char *line;     /* the line at hand, NULL behind the last */
    size_t length;        /* without the line end */
    struct error *error;
};

/* ---- lines ----------------------------------------------------------------------------------- */

static void next_line(struct reader *reader)
{
    reader->line = NULL;
    reader->number++;
    if (reader->at >= reader->end)
        return;
    size_t left = (size_t)(reader->end - reader->at);
    const char *newline = memchr(reader->at, '\n', left);
    reader->line = reader->at;
    reader->length = newline != NULL ? (size_t)(newline - reader->at) : left;
    reader->at += reader->length + (newline != NULL ? 1 : 0);
    if (reader->length > 0 && reader->line[reader->length - 1] == '\r')
        reader->length--;
}

static bool begins(const struct reader *reader, const char *header)
{
    size_t length = strlen(header);
    return reader->line != NULL && reader->length >= length &&
           memcmp(reader->line, header, length) == 0;
}

/* A header that stands alone; spaces behind it are forgiven. */
static bool is_header(const struct reader *reader, const char *header)
{
    size_t length = strlen(header);
    if (!begins(reader, header))
        return false;
    while (length < reader->length && reader->line[length] == ' ')
        length++;
    return length == reader->length;
}

static int expected(const struct reader *reader, const char *what)
{
    if (reader->line == NULL)
        return error_set(reader->error, 0, "line %zu: the patch ends here: expected %s",
                         reader->number, what);
    cleanup_free char *found = text_line(reader->line, reader->length, 80);
    return error_set(reader->error, 0, "line %zu: \"%s\": expected %s", reader->number, found,
                     what);
}

/* The path behind a header. */
static char *take_path(const struct reader *reader, const char *header)
{
    const char *start = reader->line + strlen(header);
    size_t length = reader->length - strlen(header);
    while (length > 0 && start[length - 1] == ' ')
        length--;
    if (length == 0 || length >= 4096 || memchr(start, '\0', length) != NULL) {
        error_set(reader->error, 0, "line %zu: the path is empty, too long or holds a NUL byte",
                  reader->number);
        return NULL;
    }
    return xstrndup(start, length);
}

/* ---- hunks ----------------------------------------------------------------------------------- */

static void add_line(struct patch_line **lines, size_t *count, char mark, const char *text,
                     size_t length)
{
    /* Grows by doubling: whenever the count is a power of two. */
    if ((*count & (*count - 1)) == 0)
        *lines = xreallocarray(*lines, *count == 0 ? 1 : *count * 2, sizeof(**lines));
    (*lines)[(*count)++] = (struct patch_line){.mark = mark, .text = text, .length = length};
}

static struct patch_hunk *add_hunk(struct patch_change *change, size_t number)
{
    if ((change->count & (change->count - 1)) == 0)
        change->hunks = xreallocarray(change->hunks, change->count == 0 ? 1 : change->count * 2,
                                      sizeof(*change->hunks));
    struct patch_hunk *hunk = &change->hunks[change->count++];
    *hunk = (struct patch_hunk){.number = number};
    return hunk;
}

/* "@@", "@@ LINE"; a trailing " @@" as in unified diffs is not part of the line. */
static void read_anchors(struct reader *reader, struct patch_hunk *hunk)
{
    for (; begins(reader, "@@"); next_line(reader)) {
        const char *text = reader->line + 2;
        size_t length = reader->length - 2;
        if (length > 0 && *text == ' ')
            text++, length--;
        if (length >= 3 && memcmp(text + length - 3, " @@", 3) == 0)
            length -= 3;
        if (length > 0)
            add_line(&hunk->anchors, &hunk->anchor_count, '@', text, length);
    }
}

static bool is_hunk_line(const struct reader *reader)
{
    return reader->line != NULL &&
           (reader->length == 0 || strchr(" -+", reader->line[0]) != NULL) &&
           !(reader->length > 0 && reader->line[0] == '\0');
}

/* As diff and git mark it: the file has no newline behind the line before the mark. Behind a line
 * that goes, that is said of the old file. An empty line without an end would be no line. */
static int read_unended(struct reader *reader, struct patch_hunk *hunk)
{
    if (hunk == NULL || !begins(reader, "\\ No newline"))
        return 0;
    const struct patch_line *last = &hunk->lines[hunk->count - 1];
    bool empty = last->length == 0 || (last->length == 1 && last->text[0] == '\r');
    if (empty && last->mark != '-')
        return expected(reader, "it only behind a line that is not empty");
    hunk->unended = last->mark != '-';
    hunk->at_end = true;
    next_line(reader);
    return 0;
}

static int read_hunk(struct reader *reader, struct patch_change *change)
{
    struct patch_hunk *hunk = add_hunk(change, reader->number);
    read_anchors(reader, hunk);
    for (; is_hunk_line(reader); next_line(reader)) {
        /* An empty line is an empty line of context whose space was trimmed away. */
        bool empty = reader->length == 0;
        add_line(&hunk->lines, &hunk->count, empty ? ' ' : reader->line[0],
                 empty ? reader->line : reader->line + 1, empty ? 0 : reader->length - 1);
    }
    if (hunk->count == 0)
        return expected(reader, "a line that begins with a space, \"-\" or \"+\"");
    if (read_unended(reader, hunk) != 0)
        return -1;
    if (is_header(reader, HEADER_LAST)) {
        hunk->at_end = true;
        next_line(reader);
    }
    return 0;
}

/* ---- changes --------------------------------------------------------------------------------- */

static struct patch_change *add_change(struct patch *patch, enum patch_kind kind, char *path)
{
    patch->changes = xreallocarray(patch->changes, patch->count + 1, sizeof(*patch->changes));
    struct patch_change *change = &patch->changes[patch->count++];
    *change = (struct patch_change){.kind = kind, .path = path};
    return change;
}

static int read_add(struct reader *reader, struct patch_change *change)
{
    struct patch_hunk *hunk = NULL;
    for (; reader->line != NULL && reader->length > 0 && reader->line[0] == '+';
         next_line(reader)) {
        if (hunk == NULL)
            hunk = add_hunk(change, reader->number);
        add_line(&hunk->lines, &hunk->count, '+', reader->line + 1, reader->length - 1);
    }
    return read_unended(reader, hunk);
}

static int read_update(struct reader *reader, struct patch_change *change)
{
    if (begins(reader, HEADER_MOVE)) {
        change->move_to = take_path(reader, HEADER_MOVE);
        if (change->move_to == NULL)
            return -1;
        next_line(reader);
    }
    while (reader->line != NULL && !begins(reader, "*** "))
        if (read_hunk(reader, change) != 0)
            return -1;
    if (change->count == 0 && change->move_to == NULL)
        return expected(reader, "\"@@\" or a changed line of the file");
    return 0;
}

static int read_change(struct reader *reader, struct patch *patch)
{
    static const struct {
        const char *header;
        enum patch_kind kind;
    } kinds[] = {
        {HEADER_ADD, PATCH_ADD}, {HEADER_DELETE, PATCH_DELETE}, {HEADER_UPDATE, PATCH_UPDATE}};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (!begins(reader, kinds[i].header))
            continue;
        if (patch->count == PATCH_CHANGES_MAX)
            return error_set(reader->error, 0, "line %zu: the patch changes more than %d files",
                             reader->number, PATCH_CHANGES_MAX);
        char *path = take_path(reader, kinds[i].header);
        if (path == NULL)
            return -1;
        struct patch_change *change = add_change(patch, kinds[i].kind, path);
        next_line(reader);
        if (change->kind == PATCH_DELETE)
            return 0;
        return change->kind == PATCH_ADD ? read_add(reader, change) : read_update(reader, change);
    }
    return expected(reader, "\"" HEADER_ADD "…\", \"" HEADER_DELETE "…\", \"" HEADER_UPDATE
                            "…\" or \"" HEADER_END "\"");
}

static int compare_strings(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* All paths, absolute and sorted; the same one may be there more than once. */
static char **all_paths(const struct patch *patch, const char *cwd, size_t *count)
{
    char **paths = xcalloc(patch->count * 2 + 1, sizeof(*paths));
    *count = 0;
    for (size_t i = 0; i < patch->count; i++) {
        paths[(*count)++] = patch_path_absolute(patch->changes[i].path, cwd);
        if (patch->changes[i].move_to != NULL)
            paths[(*count)++] = patch_path_absolute(patch->changes[i].move_to, cwd);
    }
    qsort(paths, *count, sizeof(*paths), compare_strings);
    return paths;
}

/* Two changes of one file would depend on their order; a person reads each for itself. */
static int check_once(const struct patch *patch, struct error *error)
{
    size_t count;
    cleanup_strv char **paths = all_paths(patch, "/", &count);
    for (size_t i = 1; i < count; i++)
        if (strcmp(paths[i - 1], paths[i]) == 0) {
            cleanup_free char *shown = text_line(paths[i] + 1, strlen(paths[i] + 1), 200);
            return error_set(error, 0, "%s is named twice: put its changes together", shown);
        }
    return 0;
}

int patch_parse(const char *text, size_t length, struct patch *patch, struct error *error)
{
    *patch = (struct patch){.text = NULL};
    if (length == 0 || length > PATCH_SIZE_MAX)
        return error_set(error, 0, "the patch is %s (the limit is %zu bytes)",
                         length == 0 ? "empty" : "too long", PATCH_SIZE_MAX);
    patch->text = xmemdup(text, length);
    struct reader reader = {.at = patch->text, .end = patch->text + length, .error = error};
    next_line(&reader);
    if (!is_header(&reader, HEADER_BEGIN))
        return expected(&reader, "\"" HEADER_BEGIN "\"");
    next_line(&reader);
    while (!is_header(&reader, HEADER_END))
        if (read_change(&reader, patch) != 0)
            return -1;
    for (next_line(&reader); reader.line != NULL; next_line(&reader))
        if (reader.length > 0)
            return expected(&reader, "nothing behind \"" HEADER_END "\"");
    if (patch->count == 0)
        return error_set(error, 0, "the patch changes nothing");
    return check_once(patch, error);
}

void patch_clear(struct patch *patch)
{
    for (size_t i = 0; i < patch->count; i++) {
        struct patch_change *change = &patch->changes[i];
        for (size_t j = 0; j < change->count; j++) {
            free(change->hunks[j].anchors);
            free(change->hunks[j].lines);
        }
        free(change->hunks);
        free(change->path);
        free(change->move_to);
    }
    free(patch->changes);
    free(patch->text);
    *patch = (struct patch){.text = NULL};
}

/* ---- paths ----------------------------------------------------------------------------------- */

char *patch_path_absolute(const char *path, const char *cwd)
{
    cleanup_free char *whole = path[0] == '/' ? xstrdup(path) : xasprintf("%s/%s", cwd, path);
    char *result = xmalloc(strlen(whole) + 2);
    size_t length = 0;
    for (const char *at = whole; *at != '\0';) {
        at += strspn(at, "/");
        size_t width = strcspn(at, "/");
        if (width == 2 && at[0] == '.' && at[1] == '.') {
            while (length > 0 && result[--length] != '/')
                continue;
        } else if (width > 0 && !(width == 1 && at[0] == '.')) {
            result[length++] = '/';
            memcpy(result + length, at, width);
            length += width;
        }
        at += width;
    }
    if (length == 0)
        result[length++] = '/';
    result[length] = '\0';
    return result;
}

char **patch_paths(const struct patch *patch, const char *cwd)
{
    size_t count, kept = 0;
    char **paths = all_paths(patch, cwd, &count);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && strcmp(paths[kept - 1], paths[i]) == 0)
            free(paths[i]);
        else
            paths[kept++] = paths[i];
    }
    paths[kept] = NULL;
    return paths;
}

void patch_count(const struct patch *patch, size_t *added, size_t *removed)
{
    *added = *removed = 0;
    for (size_t i = 0; i < patch->count; i++)
        for (size_t j = 0; j < patch->changes[i].count; j++) {
            const struct patch_hunk *hunk = &patch->changes[i].hunks[j];
            for (size_t k = 0; k < hunk->count; k++) {
                *added += hunk->lines[k].mark == '+';
                *removed += hunk->lines[k].mark == '-';
            }
        }
}
