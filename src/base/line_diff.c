/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/line_diff.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define CONTEXT 3
/* Cells of the table below (4 bytes each) that are worth a finer diff. */
#define TABLE_MAX ((size_t)4 * 1024 * 1024)

struct lines {
    const char **start; /* count + 1 of them; the last is the end of the text */
    size_t count;
};

/* One step from the old text to the new one. */
struct step {
    char kind; /* ' ', '-' or '+' */
    const char *line;
    size_t length;
};

struct script {
    struct step *steps;
    size_t count;
};

static struct lines split(const char *text)
{
    struct lines lines = {.start = xcalloc(strlen(text) + 2, sizeof(char *))};
    while (*text != '\0') {
        lines.start[lines.count++] = text;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    lines.start[lines.count] = text;
    return lines;
}

static size_t length_of(const struct lines *lines, size_t index)
{
    return (size_t)(lines->start[index + 1] - lines->start[index]);
}

static bool same(const struct lines *a, size_t i, const struct lines *b, size_t j)
{
    size_t length = length_of(a, i);
    return length == length_of(b, j) && memcmp(a->start[i], b->start[j], length) == 0;
}

static void add_step(struct script *script, char kind, const struct lines *lines, size_t index)
{
    script->steps[script->count++] =
        (struct step){kind, lines->start[index], length_of(lines, index)};
}

/* Lengths of the longest common subsequences of the rests, row i of `a`, column j of `b`. */
static uint32_t *common_table(const struct lines *a, size_t a_from, size_t rows,
                              const struct lines *b, size_t b_from, size_t columns)
{
    uint32_t *table = xcalloc((rows + 1) * (columns + 1), sizeof(uint32_t));
    for (size_t i = rows; i-- > 0;)
        for (size_t j = columns; j-- > 0;) {
            uint32_t *cell = table + i * (columns + 1) + j;
            uint32_t down = cell[columns + 1], right = cell[1];
            *cell = same(a, a_from + i, b, b_from + j) ? cell[columns + 2] + 1
                                                       : (down > right ? down : right);
        }
    return table;
}

/* The steps of the middle, where first and last lines differ. */
static void add_middle(struct script *script, const struct lines *a, size_t from, size_t a_to,
                       const struct lines *b, size_t b_to)
{
    size_t rows = a_to - from, columns = b_to - from, i = 0, j = 0;
    cleanup_free uint32_t *table = NULL;
    if ((rows + 1) <= TABLE_MAX / (columns + 1))
        table = common_table(a, from, rows, b, from, columns);
    while (i < rows || j < columns) {
        const uint32_t *cell = table != NULL ? table + i * (columns + 1) + j : NULL;
        bool both = i < rows && j < columns;
        if (both && cell != NULL && same(a, from + i, b, from + j)) {
            add_step(script, ' ', a, from + i++);
            j++;
        } else if (i < rows && (!both || cell == NULL || cell[columns + 1] >= cell[1])) {
            add_step(script, '-', a, from + i++);
        } else {
            add_step(script, '+', b, from + j++);
        }
    }
}

static struct script compare(const struct lines *a, const struct lines *b)
{
    struct script script = {.steps = xcalloc(a->count + b->count + 1, sizeof(struct step))};
    size_t head = 0, tail = 0;
    while (head < a->count && head < b->count && same(a, head, b, head))
        head++;
    while (tail < a->count - head && tail < b->count - head &&
           same(a, a->count - tail - 1, b, b->count - tail - 1))
        tail++;
    for (size_t i = 0; i < head; i++)
        add_step(&script, ' ', a, i);
    add_middle(&script, a, head, a->count - tail, b, b->count - tail);
    for (size_t i = a->count - tail; i < a->count; i++)
        add_step(&script, ' ', a, i);
    return script;
}

/* Where the hunk that begins with the change at `from` ends: changes closer than twice the context
 * belong together. */
static size_t end_of_hunk(const struct script *script, size_t from)
{
    size_t end = from;
    for (size_t i = from; i < script->count && i <= end + 2 * CONTEXT; i++)
        if (script->steps[i].kind != ' ')
            end = i;
    return end + 1;
}

static size_t count_kind(const struct script *script, size_t from, size_t to, char other)
{
    size_t count = 0;
    for (size_t i = from; i < to; i++)
        count += script->steps[i].kind == ' ' || script->steps[i].kind == other;
    return count;
}

static void add_hunk(struct strbuf *out, const struct script *script, size_t from, size_t to)
{
    size_t old_count = count_kind(script, from, to, '-');
    size_t new_count = count_kind(script, from, to, '+');
    /* A side without lines is numbered by the line before it. */
    size_t old_line = count_kind(script, 0, from, '-') + (old_count > 0);
    size_t new_line = count_kind(script, 0, from, '+') + (new_count > 0);
    strbuf_addf(out, "@@ -%zu,%zu +%zu,%zu @@\n", old_line, old_count, new_line, new_count);
    for (size_t i = from; i < to; i++) {
        const struct step *step = &script->steps[i];
        strbuf_addch(out, step->kind);
        strbuf_add(out, step->line, step->length);
        if (step->line[step->length - 1] != '\n')
            strbuf_addstr(out, "\n\\ No newline at end of file\n");
    }
}

void line_diff_add(struct strbuf *out, const char *before, const char *after)
{
    struct lines a = split(before), b = split(after);
    struct script script = compare(&a, &b);
    for (size_t i = 0; i < script.count; i++) {
        if (script.steps[i].kind == ' ')
            continue;
        size_t end = end_of_hunk(&script, i);
        size_t from = i > CONTEXT ? i - CONTEXT : 0;
        add_hunk(out, &script, from, end + CONTEXT < script.count ? end + CONTEXT : script.count);
        i = end;
    }
    free(script.steps);
    free(a.start);
    free(b.start);
}
