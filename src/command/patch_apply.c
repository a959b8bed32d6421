/* SPDX-License-Identifier: MIT */
/* What a file holds after a change. */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "command/patch.h"

#define NOT_FOUND SIZE_MAX

/* How exactly context must agree with the file; models often lose spaces that nobody sees. */
enum tolerance { AS_WRITTEN, WITHOUT_TRAILING_SPACE, WITHOUT_SPACE_AROUND, TOLERANCES };

struct file_line {
    const char *text;
    size_t length; /* without the line end */
    size_t whole;  /* with it */
};

struct file {
    struct file_line *lines;
    size_t count;
    bool crlf; /* its first line ends in CR LF */
};

/* ---- lines ----------------------------------------------------------------------------------- */

static void split(const char *text, size_t length, struct file *file)
{
    *file = (struct file){.lines = NULL};
    size_t lines = 1;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    file->lines = xcalloc(lines, sizeof(*file->lines));
    for (size_t at = 0; at < length;) {
        const char *newline = memchr(text + at, '\n', length - at);
        size_t whole = newline != NULL ? (size_t)(newline - text) - at + 1 : length - at;
        struct file_line line = {.text = text + at, .length = whole, .whole = whole};
        if (newline != NULL)
            line.length--;
        if (newline != NULL && line.length > 0 && line.text[line.length - 1] == '\r') {
            line.length--;
            file->crlf = file->crlf || file->count == 0;
        }
        file->lines[file->count++] = line;
        at += whole;
    }
}

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static void trim(const char **text, size_t *length, enum tolerance tolerance)
{
    while (tolerance >= WITHOUT_TRAILING_SPACE && *length > 0 && is_space((*text)[*length - 1]))
        (*length)--;
    while (tolerance >= WITHOUT_SPACE_AROUND && *length > 0 && is_space(**text))
        (*text)++, (*length)--;
}

static bool agrees(const struct patch_line *wanted, const struct file_line *line,
                   enum tolerance tolerance)
{
    const char *left = wanted->text, *right = line->text;
    size_t left_length = wanted->length, right_length = line->length;
    trim(&left, &left_length, tolerance);
    trim(&right, &right_length, tolerance);
    return left_length == right_length && memcmp(left, right, left_length) == 0;
}

/* ---- looking for a hunk's place ------------------------------------------------------------- */

/* Do the hunk's old lines (context and removed) stand at `at`? */
static bool stands_at(const struct patch_hunk *hunk, const struct file *file, size_t at,
                      enum tolerance tolerance)
{
    for (size_t i = 0; i < hunk->count; i++) {
        if (hunk->lines[i].mark == '+')
            continue;
        if (at >= file->count || !agrees(&hunk->lines[i], &file->lines[at], tolerance))
            return false;
        at++;
    }
    return true;
}

static size_t old_count(const struct patch_hunk *hunk)
{
    size_t count = 0;
    for (size_t i = 0; i < hunk->count; i++)
        count += hunk->lines[i].mark != '+';
    return count;
}

static size_t find_lines(const struct patch_hunk *hunk, const struct file *file, size_t from)
{
    size_t old = old_count(hunk);
    if (old > file->count)
        return NOT_FOUND;
    size_t last = file->count - old;
    for (int tolerance = AS_WRITTEN; tolerance < TOLERANCES; tolerance++)
        for (size_t at = hunk->at_end && last > from ? last : from; at <= last; at++)
            if (stands_at(hunk, file, at, (enum tolerance)tolerance))
                return at;
    return NOT_FOUND;
}

static size_t find_anchor(const struct patch_line *anchor, const struct file *file, size_t from)
{
    for (int tolerance = AS_WRITTEN; tolerance < TOLERANCES; tolerance++)
        for (size_t at = from; at < file->count; at++)
            if (agrees(anchor, &file->lines[at], (enum tolerance)tolerance))
                return at;
    return NOT_FOUND;
}

static int not_found(const struct patch_change *change, const struct patch_hunk *hunk,
                     const struct patch_line *line, struct error *error)
{
    cleanup_free char *path = text_line(change->path, strlen(change->path), 200);
    cleanup_free char *text = text_line(line->text, line->length, 120);
    return error_set(error, 0,
                     "%s: the lines of the hunk at line %zu of the patch are not in the file in "
                     "this order, from \"%s\" on: read the file again",
                     path, hunk->number, text);
}

/* The first line of the old ones that stands nowhere behind `from`: what to tell about. */
static const struct patch_line *missing_line(const struct patch_hunk *hunk, const struct file *file,
                                             size_t from)
{
    const struct patch_line *first = NULL;
    for (size_t i = 0; i < hunk->count; i++) {
        if (hunk->lines[i].mark == '+')
            continue;
        if (first == NULL)
            first = &hunk->lines[i];
        if (find_anchor(&hunk->lines[i], file, from) == NOT_FOUND)
            return &hunk->lines[i];
    }
    return first != NULL ? first : &hunk->lines[0];
}

/* Where the hunk begins in the file, or NOT_FOUND with a message. Behind the hunk before it. */
static size_t find_place(const struct patch_change *change, const struct patch_hunk *hunk,
                         const struct file *file, size_t from, struct error *error)
{
    for (size_t i = 0; i < hunk->anchor_count; i++) {
        size_t at = find_anchor(&hunk->anchors[i], file, from);
        if (at == NOT_FOUND) {
            not_found(change, hunk, &hunk->anchors[i], error);
            return NOT_FOUND;
        }
        from = at + 1;
    }
    /* Only additions: behind the anchor, or at the end of the file. */
    if (old_count(hunk) == 0)
        return hunk->anchor_count > 0 && !hunk->at_end ? from : file->count;
    size_t at = find_lines(hunk, file, from);
    if (at == NOT_FOUND)
        not_found(change, hunk, missing_line(hunk, file, from), error);
    return at;
}

/* ---- putting together ----------------------------------------------------------------------- */

static void keep(const struct file *file, size_t from, size_t to, struct strbuf *result)
{
    for (size_t i = from; i < to; i++)
        strbuf_add(result, file->lines[i].text, file->lines[i].whole);
}

/* A file that ended without a newline gets one before anything is added behind it. */
static void add_new_line(const struct patch_line *line, bool crlf, struct strbuf *result)
{
    if (result->length > 0 && result->data[result->length - 1] != '\n')
        strbuf_addstr(result, crlf ? "\r\n" : "\n");
    strbuf_add(result, line->text, line->length);
    strbuf_addstr(result, crlf ? "\r\n" : "\n");
}

/* Returns the file's line behind the hunk. */
static size_t put_hunk(const struct patch_hunk *hunk, const struct file *file, size_t at,
                       struct strbuf *result)
{
    for (size_t i = 0; i < hunk->count; i++) {
        const struct patch_line *line = &hunk->lines[i];
        if (line->mark == '+')
            add_new_line(line, file->crlf, result);
        else if (line->mark == ' ')
            keep(file, at, at + 1, result);
        at += line->mark != '+';
    }
    return at;
}

/* The last line is to have no end. */
static void unend(const struct patch_change *change, struct strbuf *result)
{
    if (change->count == 0 || !change->hunks[change->count - 1].unended)
        return;
    for (int i = 0; i < 2 && result->length > 0; i++) {
        char last = result->data[result->length - 1];
        if (last == (i == 0 ? '\n' : '\r'))
            result->data[--result->length] = '\0';
    }
}

static int update(const struct patch_change *change, const char *old, size_t old_length,
                  struct strbuf *result, struct error *error)
{
    struct file file;
    size_t at = 0;
    int status = 0;
    split(old, old_length, &file);
    for (size_t i = 0; i < change->count; i++) {
        size_t place = find_place(change, &change->hunks[i], &file, at, error);
        if (place == NOT_FOUND) {
            status = -1;
            break;
        }
        keep(&file, at, place, result);
        at = put_hunk(&change->hunks[i], &file, place, result);
    }
    if (status == 0) {
        keep(&file, at, file.count, result);
        unend(change, result);
    }
    free(file.lines);
    return status;
}

int patch_apply(const struct patch_change *change, const char *old, size_t old_length,
                struct strbuf *result, struct error *error)
{
    if (change->kind == PATCH_UPDATE)
        return update(change, old, old_length, result, error);
    for (size_t i = 0; change->kind == PATCH_ADD && i < change->count; i++)
        for (size_t j = 0; j < change->hunks[i].count; j++)
            add_new_line(&change->hunks[i].lines[j], false, result);
    unend(change, result);
    return 0;
}
