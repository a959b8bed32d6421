/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "config/options.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "config/option_value.h"

struct entry {
    struct option_value value;
    enum option_origin origin;
    char *file; /* owned, or NULL */
    int line;
};

struct options {
    struct entry entries[OPTION_COUNT];
};

/* Defaults are written as a person would write them; lists have spaces between elements. */
static void set_default(struct entry *entry, const struct option_spec *spec)
{
    struct error error = ERROR_INIT;
    int result = 0;
    if (option_is_list(spec)) {
        cleanup_free char *words = xstrdup(spec->fallback);
        char *rest = NULL;
        for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
            result |= option_value_parse(spec, word, &entry->value, &error);
    } else {
        result = option_value_parse(spec, spec->fallback, &entry->value, &error);
    }
    assert(result == 0);
    (void)result;
}

struct options *options_new(void)
{
    struct options *options = XNEW(struct options);
    for (int i = 0; i < OPTION_COUNT; i++)
        set_default(&options->entries[i], option_spec(i));
    return options;
}

void options_free(struct options **options)
{
    if (!*options)
        return;
    for (int i = 0; i < OPTION_COUNT; i++) {
        option_value_clear(&(*options)->entries[i].value);
        free((*options)->entries[i].file);
    }
    free(*options);
    *options = NULL;
}

static void note_source(struct entry *entry, const struct option_source *source)
{
    char *file = source->file ? xstrdup(source->file) : NULL;
    free(entry->file);
    entry->file = file;
    entry->origin = source->origin;
    entry->line = source->line;
}

int options_set(struct options *options, enum option_id id, const char *text,
                const struct option_source *source, struct error *error)
{
    const struct option_spec *spec = option_spec(id);
    struct entry *entry = &options->entries[id];
    struct option_value value = {0};
    if (option_value_parse(spec, text, &value, error) < 0)
        return -1;
    if (source->origin < entry->origin) {
        option_value_clear(&value);
        return 0;
    }
    bool again = source->origin == entry->origin;
    if (again && option_is_list(spec)) {
        option_value_clear(&value);
        option_value_parse(spec, text, &entry->value, NULL);
    } else {
        if (again && spec->type == OPTION_BOOL && value.number)
            value.number += entry->value.number;
        option_value_clear(&entry->value);
        entry->value = value;
    }
    note_source(entry, source);
    return 0;
}

void options_set_empty(struct options *options, enum option_id id,
                       const struct option_source *source)
{
    struct entry *entry = &options->entries[id];
    if (source->origin < entry->origin)
        return;
    option_value_clear(&entry->value);
    note_source(entry, source);
}

bool options_bool(const struct options *options, enum option_id id)
{
    assert(option_spec(id)->type == OPTION_BOOL);
    return options->entries[id].value.number != 0;
}

long long options_number(const struct options *options, enum option_id id)
{
    assert(!options->entries[id].value.text && !option_is_list(option_spec(id)));
    return options->entries[id].value.number;
}

const char *options_string(const struct options *options, enum option_id id)
{
    assert(options->entries[id].value.text);
    return options->entries[id].value.text;
}

const char *const *options_list(const struct options *options, enum option_id id)
{
    static const char *const empty[] = {NULL};
    assert(option_is_list(option_spec(id)));
    char **list = options->entries[id].value.list;
    return list ? (const char *const *)list : empty;
}

struct option_source options_source(const struct options *options, enum option_id id)
{
    const struct entry *entry = &options->entries[id];
    return (struct option_source){entry->origin, entry->file, entry->line};
}

void options_format(const struct options *options, enum option_id id, struct strbuf *out)
{
    option_value_format(option_spec(id), &options->entries[id].value, out);
}
