/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/shorten.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "ui/wrap.h"

struct word {
    size_t start, length;
};

/* The longest of the text's words that have a "/" within them. */
static struct word longest_path(const char *text)
{
    struct word longest = {0, 0};

    for (size_t at = 0; text[at] != '\0';) {
        size_t length = strcspn(text + at, " \n");

        if (length > longest.length && length > 1 && memchr(text + at + 1, '/', length - 1) != NULL)
            longest = (struct word){at, length};
        at += length + strspn(text + at + length, " \n");
    }
    return longest;
}

/* What is to be shown, and how much room there is. */
struct shortening {
    const char *text;
    struct word path;
    size_t columns, rows, spare;
    bool whole; /* else up to the end of the path */
};

/* With the path in so many columns; caller frees. */
static char *text_with(const struct shortening *what, size_t path_columns)
{
    const char *path = what->text + what->path.start, *rest = path + what->path.length;
    cleanup_free char *ends = text_path_ends(path, what->path.length, path_columns);

    return xasprintf("%.*s%s%s", (int)what->path.start, what->text, ends, what->whole ? rest : "");
}

static bool fits(const struct shortening *what, size_t path_columns)
{
    cleanup_free char *text = text_with(what, path_columns);
    struct wrap lines;
    bool fitting;

    wrap_init(&lines, text, what->columns, WRAP_WORDS);
    const struct wrap_line *last = &lines.lines[lines.count - 1];
    fitting = lines.count < what->rows ||
              (lines.count == what->rows &&
               text_width(text + last->start, last->length) + what->spare <= what->columns);
    wrap_clear(&lines);
    return fitting;
}

/* The most columns up to `most` that fit; 0: not even `least` do. */
static size_t most_columns(const struct shortening *what, size_t least, size_t most)
{
    if (most < least || !fits(what, least))
        return 0;
    while (least < most) {
        size_t middle = least + (most - least + 1) / 2;

        if (fits(what, middle))
            least = middle;
        else
            most = middle - 1;
    }
    return least;
}

char *shorten_path(const char *text, size_t columns, size_t rows, size_t spare)
{
    struct shortening what = {text, longest_path(text), columns, rows, spare, true};
    size_t most = text_width(text + what.path.start, what.path.length);
    size_t path_columns = most_columns(&what, columns / 3, most);

    if (what.path.length == 0)
        return NULL;
    what.whole = path_columns > 0;
    if (!what.whole)
        path_columns = most_columns(&what, TEXT_ENDS_MIN, most);
    what.whole = true;
    return path_columns > 0 && path_columns < most ? text_with(&what, path_columns) : NULL;
}
