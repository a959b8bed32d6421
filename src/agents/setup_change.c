/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/setup_change.h"

#include <stdbool.h>
#include <string.h>

#include "agents/setup_json.h"
#include "agents/setup_text.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/json.h"

#define PATH_MAX_NAMES 6

/* A change taken apart; borrowed from it. */
struct parts {
    const char *kind;
    const char *path[PATH_MAX_NAMES + 1];
    const json_t *value;
    const char *text; /* `value` when it is one, "" otherwise */
    const char *old;  /* NULL when nothing was replaced */
    size_t made;
};

struct kind {
    const char *name;
    size_t names; /* that its path has at least */
    int (*apply)(json_t *change, const struct parts *parts, struct strbuf *text,
                 struct error *error);
    int (*undo)(const struct parts *parts, struct strbuf *text, struct error *error);
};

json_t *setup_change_new(const char *file, const char *kind, const char *const *path, json_t *value)
{
    json_t *change = json_object();
    json_t *names = json_array();
    for (; *path != NULL; path++)
        json_array_append_new(names, json_string(*path));
    json_object_set_new(change, "file", json_string_lossy(file, strlen(file)));
    json_object_set_new(change, "kind", json_string(kind));
    json_object_set_new(change, "path", names);
    json_object_set_new(change, "value", value);
    return change;
}

static void note_made(json_t *change, size_t made)
{
    json_object_set_new(change, "made", json_integer((json_int_t)made));
}

static void note_old(json_t *change, const struct strbuf *old)
{
    if (old->length > 0)
        json_object_set_new(change, "old", json_string_lossy(old->data, old->length));
}

/* ---- the kinds ----------------------------------------------------------------------------- */

static int apply_member(json_t *change, const struct parts *parts, struct strbuf *text,
                        struct error *error)
{
    size_t made;
    cleanup_strbuf struct strbuf old = STRBUF_INIT;
    if (setup_json_set(text, parts->path, parts->value, &made, &old, error) < 0)
        return -1;
    if (old.length > 0 && json_is_true(json_object_get(change, "ours")))
        return error_set(error, 0, "it has an entry %s.%s already, which is not ours",
                         parts->path[0], parts->path[1]);
    note_made(change, made);
    note_old(change, &old);
    return 0;
}

static int undo_member(const struct parts *parts, struct strbuf *text, struct error *error)
{
    return parts->old != NULL ? setup_json_replace(text, parts->path, parts->old, error)
                              : setup_json_remove(text, parts->path, NULL, parts->made, error);
}

static int apply_element(json_t *change, const struct parts *parts, struct strbuf *text,
                         struct error *error)
{
    size_t made;
    int result = setup_json_append(text, parts->path, parts->value, &made, error);
    if (result < 0)
        return -1;
    note_made(change, made);
    if (result > 0)
        json_object_set_new(change, "kept", json_true());
    return 0;
}

static int undo_element(const struct parts *parts, struct strbuf *text, struct error *error)
{
    return setup_json_remove(text, parts->path, parts->value, parts->made, error);
}

static int apply_table(json_t *change, const struct parts *parts, struct strbuf *text,
                       struct error *error)
{
    (void)change;
    return setup_text_add_table(text, parts->path[0], parts->text, error);
}

static int undo_table(const struct parts *parts, struct strbuf *text, struct error *error)
{
    (void)error;
    setup_text_remove_table(text, parts->path[0]);
    return 0;
}

static int apply_key(json_t *change, const struct parts *parts, struct strbuf *text,
                     struct error *error)
{
    cleanup_strbuf struct strbuf old = STRBUF_INIT;
    note_made(change, setup_text_has_table(text, parts->path[0]) ? 1 : 0);
    if (setup_text_set_key(text, parts->path[0], parts->path[1], parts->text, &old, error) < 0)
        return -1;
    note_old(change, &old);
    return 0;
}

static int undo_key(const struct parts *parts, struct strbuf *text, struct error *error)
{
    (void)error;
    setup_text_reset_key(text, parts->path[0], parts->path[1], parts->old, parts->made == 0);
    return 0;
}

static int apply_entry(json_t *change, const struct parts *parts, struct strbuf *text,
                       struct error *error)
{
    note_made(change, setup_text_has_entries(text, parts->path[0]) ? 1 : 0);
    return setup_text_add_entry(text, parts->path[0], parts->path[1], parts->text, error);
}

static int undo_entry(const struct parts *parts, struct strbuf *text, struct error *error)
{
    (void)error;
    setup_text_remove_entry(text, parts->path[0], parts->path[1], parts->made == 0);
    return 0;
}

static const struct kind kinds[] = {
    {"member", 1, apply_member, undo_member}, {"element", 1, apply_element, undo_element},
    {"table", 1, apply_table, undo_table},    {"key", 2, apply_key, undo_key},
    {"entry", 2, apply_entry, undo_entry},
};

/* ---- both ---------------------------------------------------------------------------------- */

/* The kind, or NULL with a message: a record may have been damaged. */
static const struct kind *take_apart(const json_t *change, struct parts *parts, struct error *error)
{
    const json_t *path = json_object_get(change, "path");
    const char *name = json_string_value(json_object_get(change, "kind"));
    *parts = (struct parts){.kind = name,
                            .value = json_object_get(change, "value"),
                            .old = json_string_value(json_object_get(change, "old"))};
    parts->text = json_is_string(parts->value) ? json_string_value(parts->value) : "";
    json_int_t made = json_integer_value(json_object_get(change, "made"));
    parts->made = made > 0 ? (size_t)made : 0;
    size_t length = json_array_size(path);
    for (size_t i = 0; i < length && i < PATH_MAX_NAMES; i++)
        parts->path[i] = json_string_value(json_array_get(path, i));
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (name != NULL && strcmp(kinds[i].name, name) == 0 && parts->value != NULL &&
            length <= PATH_MAX_NAMES && length >= kinds[i].names)
            return &kinds[i];
    error_set(error, 0, "a change of an unknown kind");
    return NULL;
}

int setup_change_apply(json_t *change, struct strbuf *text, struct error *error)
{
    struct parts parts;
    const struct kind *kind = take_apart(change, &parts, error);
    return kind != NULL ? kind->apply(change, &parts, text, error) : -1;
}

int setup_change_undo(const json_t *change, struct strbuf *text, struct error *error)
{
    struct parts parts;
    const struct kind *kind = take_apart(change, &parts, error);
    if (kind == NULL)
        return -1;
    if (json_is_true(json_object_get(change, "kept")) || text->length == 0)
        return 0;
    return kind->undo(&parts, text, error);
}
