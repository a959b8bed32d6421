/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/setup_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/json.h"

#define DEPTH_MAX 200
#define NOWHERE ((size_t)-1)

/* ---- reading ------------------------------------------------------------------------------- */

/* One member of an object or element of an array. */
struct item {
    size_t start; /* of its name, or of its value in an array */
    size_t value, end;
    size_t comma; /* the one behind it, NOWHERE when there is none */
};

/* An object or an array that is being walked through. */
struct walk {
    const struct strbuf *text;
    size_t at;   /* where to go on */
    bool object; /* not an array */
    bool ended;  /* at its closing bracket */
};

static char char_at(const struct strbuf *text, size_t at)
{
    return at < text->length ? text->data[at] : '\0';
}

/* Behind white space and comments. */
static size_t skip_space(const struct strbuf *text, size_t at)
{
    for (;;) {
        const char *rest = strbuf_str(text) + at;
        if (*rest != '\0' && strchr(" \t\r\n", *rest) != NULL) {
            at++;
        } else if (strncmp(rest, "//", 2) == 0) {
            at += strcspn(rest, "\n");
        } else if (strncmp(rest, "/*", 2) == 0) {
            const char *end = strstr(rest + 2, "*/");
            at = end != NULL ? at + (size_t)(end - rest) + 2 : text->length;
        } else {
            return at;
        }
    }
}

static size_t skip_string(const struct strbuf *text, size_t at)
{
    for (at++; at < text->length && text->data[at] != '"'; at++)
        if (text->data[at] == '\\')
            at++;
    return at < text->length ? at + 1 : NOWHERE;
}

/* Behind the value that begins there, NOWHERE when it does not end. Brackets are counted, not
 * matched: what is in them is not ours to judge. */
static size_t skip_value(const struct strbuf *text, size_t at)
{
    size_t depth = 0;
    do {
        char character = char_at(text, at);
        if (character == '"') {
            at = skip_string(text, at);
        } else if (character == '{' || character == '[') {
            depth++;
            at++;
        } else if ((character == '}' || character == ']') && depth > 0) {
            depth--;
            at++;
        } else {
            size_t length = strcspn(strbuf_str(text) + at, " \t\r\n,:{}[]\"/");
            at += length > 0 || depth == 0 ? length : 1;
        }
        if (at != NOWHERE && depth > 0)
            at = skip_space(text, at);
    } while (at < text->length && depth > 0 && depth < DEPTH_MAX);
    return depth == 0 ? at : NOWHERE;
}

static struct walk walk_into(const struct strbuf *text, size_t start)
{
    return (struct walk){
        .text = text, .at = skip_space(text, start + 1), .object = char_at(text, start) == '{'};
}

/* The next item: 1, 0 at the end of the container, -1 when the text is none. */
static int walk_next(struct walk *walk, struct item *item)
{
    const struct strbuf *text = walk->text;
    if (char_at(text, walk->at) == (walk->object ? '}' : ']')) {
        walk->ended = true;
        return 0;
    }
    item->start = item->value = walk->at;
    if (walk->object) {
        size_t colon = char_at(text, walk->at) == '"' ? skip_string(text, walk->at) : NOWHERE;
        colon = colon != NOWHERE ? skip_space(text, colon) : NOWHERE;
        if (colon == NOWHERE || char_at(text, colon) != ':')
            return -1;
        item->value = skip_space(text, colon + 1);
    }
    item->end = skip_value(text, item->value);
    if (item->end == NOWHERE || item->end == item->value)
        return -1;
    size_t next = skip_space(text, item->end);
    item->comma = char_at(text, next) == ',' ? next : NOWHERE;
    walk->at = item->comma != NOWHERE ? skip_space(text, item->comma + 1) : next;
    if (item->comma == NOWHERE && char_at(text, next) != (walk->object ? '}' : ']'))
        return -1;
    return 1;
}

static json_t *parse(const struct strbuf *text, size_t start, size_t end)
{
    return json_loadb(text->data + start, end - start, JSON_DECODE_ANY, NULL);
}

static bool has_name(const struct strbuf *text, const struct item *item, const char *name)
{
    cleanup_json json_t *found = parse(text, item->start, skip_string(text, item->start));
    return json_is_string(found) && strcmp(json_string_value(found), name) == 0;
}

/* The member of that name of the object that begins at `start`; *before gets the item in front of
 * it. As walk_next(). */
static int find_member(const struct strbuf *text, size_t start, const char *name,
                       struct item *found, struct item *before)
{
    struct walk walk = walk_into(text, start);
    struct item previous = {.comma = NOWHERE};
    int result;
    while ((result = walk_next(&walk, found)) > 0 && !has_name(text, found, name))
        previous = *found;
    if (before != NULL)
        *before = previous;
    return result;
}

static int complain(struct error *error)
{
    return error_set(error, 0, "this is not JSON that can be edited");
}

/* How far a path exists. */
struct reach {
    size_t depth;      /* names that were found */
    size_t start, end; /* value of the last of them; of the whole text when there are none */
};

static int follow(const struct strbuf *text, const char *const *path, struct reach *reach,
                  struct error *error)
{
    reach->depth = 0;
    reach->start = skip_space(text, 0);
    reach->end = skip_value(text, reach->start);
    if (char_at(text, reach->start) != '{' || reach->end == NOWHERE)
        return complain(error);
    for (; path[reach->depth] != NULL; reach->depth++) {
        struct item item;
        if (char_at(text, reach->start) != '{')
            return error_set(error, 0, "%s is not an object",
                             reach->depth > 0 ? path[reach->depth - 1] : "the whole");
        int result = find_member(text, reach->start, path[reach->depth], &item, NULL);
        if (result < 0)
            return complain(error);
        if (result == 0)
            return 0;
        reach->start = item.value;
        reach->end = item.end;
    }
    return 0;
}

int setup_json_find(const struct strbuf *text, const char *const *path, size_t *start, size_t *end,
                    struct error *error)
{
    struct reach reach;
    if (follow(text, path, &reach, error) < 0)
        return -1;
    *start = reach.start;
    *end = reach.end;
    return path[reach.depth] == NULL;
}

/* ---- writing ------------------------------------------------------------------------------- */

static void splice(struct strbuf *text, size_t start, size_t end, const char *with)
{
    struct strbuf result = STRBUF_INIT;
    strbuf_add(&result, strbuf_str(text), start);
    strbuf_addstr(&result, with);
    strbuf_add(&result, strbuf_str(text) + end, text->length - end);
    strbuf_free(text);
    *text = result;
}

/* Spaces of one level as the file has them: those before its first member; two otherwise. */
static size_t indent_unit(const struct strbuf *text)
{
    const char *open = strchr(strbuf_str(text), '{');
    size_t spaces = open != NULL && open[1] == '\n' ? strspn(open + 2, " ") : 0;
    return spaces > 0 && spaces <= 8 ? spaces : 2;
}

static void add_indent(struct strbuf *out, size_t spaces)
{
    for (size_t i = 0; i < spaces; i++)
        strbuf_addch(out, ' ');
}

/* `"name": value`, or the value alone; lines after the first one indented. */
static char *format_item(const char *name, const json_t *value, size_t unit, size_t level)
{
    cleanup_strbuf struct strbuf out = STRBUF_INIT;
    cleanup_free char *dump = json_dumps(value, JSON_ENCODE_ANY | JSON_INDENT(unit));
    if (name != NULL) {
        cleanup_json json_t *key = json_string(name);
        cleanup_free char *quoted = json_dumps(key, JSON_ENCODE_ANY);
        strbuf_addf(&out, "%s: ", quoted);
    }
    for (const char *at = dump; *at != '\0'; at++) {
        strbuf_addch(&out, *at);
        if (*at == '\n')
            add_indent(&out, unit * level);
    }
    return xstrdup(strbuf_str(&out));
}

/* What stands between two items: a line end and the indent of the last one, or a space. */
static char *separator(const struct strbuf *text, const struct item *last)
{
    size_t start = last->start;
    while (start > 0 && strchr(" \t", text->data[start - 1]) != NULL)
        start--;
    if (start == 0 || text->data[start - 1] != '\n')
        return xstrdup(" ");
    return xasprintf("\n%.*s", (int)(last->start - start), text->data + start);
}

/* Appends to the object or array that begins at `start`, which lies `level` levels deep. */
static int append_item(struct strbuf *text, size_t start, size_t level, const char *name,
                       const json_t *value, struct error *error)
{
    struct walk walk = walk_into(text, start);
    struct item item, last = {.comma = NOWHERE};
    size_t unit = indent_unit(text);
    int result;
    while ((result = walk_next(&walk, &item)) > 0)
        last = item;
    if (result < 0)
        return complain(error);
    cleanup_free char *formatted = format_item(name, value, unit, level + 1);
    cleanup_strbuf struct strbuf with = STRBUF_INIT;
    if (last.end == 0) {
        strbuf_addch(&with, '\n');
        add_indent(&with, unit * (level + 1));
        strbuf_addf(&with, "%s\n", formatted);
        add_indent(&with, unit * level);
        splice(text, start + 1, walk.at, strbuf_str(&with));
        return 0;
    }
    cleanup_free char *between = separator(text, &last);
    size_t at = last.comma != NOWHERE ? last.comma + 1 : last.end;
    strbuf_addf(&with, "%s%s%s", last.comma != NOWHERE ? "" : ",", between, formatted);
    splice(text, at, at, strbuf_str(&with));
    return 0;
}

static size_t path_length(const char *const *path)
{
    size_t length = 0;
    while (path[length] != NULL)
        length++;
    return length;
}

/* Makes path[depth] in the object at `start`, with the rest of the path and the value in it. */
static int make_rest(struct strbuf *text, const struct reach *reach, const char *const *path,
                     const json_t *value, struct error *error)
{
    cleanup_json json_t *whole = json_incref((json_t *)value);
    for (size_t i = path_length(path); i-- > reach->depth + 1;) {
        json_t *object = json_object();
        json_object_set_new(object, path[i], whole);
        whole = object;
    }
    return append_item(text, reach->start, reach->depth, path[reach->depth], whole, error);
}

static void prepare(struct strbuf *text)
{
    if (text->length == 0)
        strbuf_addstr(text, "{}\n");
}

int setup_json_set(struct strbuf *text, const char *const *path, const json_t *value, size_t *made,
                   struct strbuf *old, struct error *error)
{
    struct reach reach;
    prepare(text);
    if (follow(text, path, &reach, error) < 0)
        return -1;
    *made = reach.depth;
    if (path[reach.depth] != NULL)
        return make_rest(text, &reach, path, value, error);
    strbuf_add(old, text->data + reach.start, reach.end - reach.start);
    cleanup_free char *formatted = format_item(NULL, value, indent_unit(text), reach.depth);
    splice(text, reach.start, reach.end, formatted);
    return 0;
}

/* The element that equals the value: 1, 0 or -1 as walk_next(). */
static int find_element(const struct strbuf *text, size_t start, const json_t *value,
                        struct item *found, struct item *before)
{
    struct walk walk = walk_into(text, start);
    struct item previous = {.comma = NOWHERE};
    int result;
    while ((result = walk_next(&walk, found)) > 0) {
        cleanup_json json_t *element = parse(text, found->value, found->end);
        if (json_equal(element, value))
            break;
        previous = *found;
    }
    *before = previous;
    return result;
}

int setup_json_append(struct strbuf *text, const char *const *path, const json_t *value,
                      size_t *made, struct error *error)
{
    struct reach reach;
    struct item found, before;
    prepare(text);
    if (follow(text, path, &reach, error) < 0)
        return -1;
    *made = reach.depth;
    if (path[reach.depth] != NULL) {
        cleanup_json json_t *array = json_array();
        json_array_append(array, (json_t *)value);
        return make_rest(text, &reach, path, array, error);
    }
    if (char_at(text, reach.start) != '[')
        return error_set(error, 0, "%s is not an array", path[reach.depth - 1]);
    int there = find_element(text, reach.start, value, &found, &before);
    if (there != 0)
        return there < 0 ? complain(error) : 1;
    return append_item(text, reach.start, reach.depth, NULL, value, error);
}

int setup_json_replace(struct strbuf *text, const char *const *path, const char *value,
                       struct error *error)
{
    size_t start, end;
    int result = setup_json_find(text, path, &start, &end, error);
    if (result == 1)
        splice(text, start, end, value);
    return result < 0 ? -1 : 0;
}

/* Takes an item out of the container that begins at `start`, with one comma. */
static void take_out(struct strbuf *text, size_t start, const struct item *item,
                     const struct item *before)
{
    size_t behind = skip_space(text, item->comma != NOWHERE ? item->comma + 1 : item->end);
    bool last = strchr("]}", char_at(text, behind)) != NULL;
    if (last && before->comma == NOWHERE)
        splice(text, start + 1, behind, "");
    else if (last && item->comma != NOWHERE)
        splice(text, before->comma + 1, item->comma + 1, "");
    else if (last)
        splice(text, before->comma, item->end, "");
    else
        splice(text, item->start, behind, "");
}

static int remove_member(struct strbuf *text, const char *const *path, size_t length,
                         bool only_empty, struct error *error)
{
    struct reach reach;
    struct item item, before;
    const char *way[8] = {NULL};
    if (length == 0 || length > COUNT(way))
        return error_set(error, 0, "the path is too long");
    memcpy(way, path, (length - 1) * sizeof(*way));
    if (follow(text, way, &reach, error) < 0)
        return -1;
    if (way[reach.depth] != NULL || char_at(text, reach.start) != '{')
        return 0;
    int result = find_member(text, reach.start, path[length - 1], &item, &before);
    if (result <= 0)
        return result < 0 ? complain(error) : 0;
    bool empty = strchr("]}", char_at(text, skip_space(text, item.value + 1))) != NULL;
    if (!only_empty || empty)
        take_out(text, reach.start, &item, &before);
    return 0;
}

static int remove_element(struct strbuf *text, const char *const *path, const json_t *element,
                          struct error *error)
{
    size_t start, end;
    struct item item, before;
    int result = setup_json_find(text, path, &start, &end, error);
    if (result <= 0 || char_at(text, start) != '[')
        return result < 0 ? -1 : 0;
    result = find_element(text, start, element, &item, &before);
    if (result > 0)
        take_out(text, start, &item, &before);
    return result < 0 ? complain(error) : 0;
}

int setup_json_remove(struct strbuf *text, const char *const *path, const json_t *element,
                      size_t made, struct error *error)
{
    size_t length = path_length(path);
    int result = element != NULL ? remove_element(text, path, element, error)
                                 : remove_member(text, path, length, false, error);
    for (size_t depth = element != NULL ? length : length - 1; result == 0 && depth > made; depth--)
        result = remove_member(text, path, depth, true, error);
    return result;
}
