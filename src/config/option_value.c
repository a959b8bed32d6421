/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "config/option_value.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"
#include "config/paths.h"

struct unit {
    const char *name;
    long long factor;
};

static const struct unit size_units[] = {
    {"", 1}, {"KiB", 1LL << 10}, {"MiB", 1LL << 20}, {"GiB", 1LL << 30}, {NULL, 0}};
static const struct unit duration_units[] = {{"", 1},        {"ms", 1},      {"s", 1000},
                                             {"min", 60000}, {"h", 3600000}, {NULL, 0}};
static const struct unit no_units[] = {{"", 1}, {NULL, 0}};

static const struct unit *units_of(enum option_type type)
{
    if (type == OPTION_SIZE)
        return size_units;
    return type == OPTION_DURATION ? duration_units : no_units;
}

/* What a message calls the option: its key, else its name on the command line. */
static const char *label_of(const struct option_spec *spec)
{
    return spec->key ? spec->key : spec->name;
}

static int refuse(const struct option_spec *spec, const char *text, struct error *error)
{
    if (spec->type != OPTION_CHOICE)
        return error_set(error, EINVAL, "%s takes %s, not \"%s\"", label_of(spec),
                         option_type_values(spec->type), text);
    cleanup_strbuf struct strbuf choices = STRBUF_INIT;
    for (size_t i = 0; spec->choices[i]; i++)
        strbuf_addf(&choices, "%s%s", i ? ", " : "", spec->choices[i]);
    return error_set(error, EINVAL, "%s takes one of %s, not \"%s\"", label_of(spec),
                     strbuf_str(&choices), text);
}

static int parse_bool(const struct option_spec *spec, const char *text, long long *number,
                      struct error *error)
{
    static const char *const words[][2] = {
        {"false", "true"}, {"no", "yes"}, {"off", "on"}, {"0", "1"}};
    for (size_t i = 0; i < COUNT(words); i++)
        for (int value = 0; value < 2; value++)
            if (strcasecmp(text, words[i][value]) == 0) {
                *number = value;
                return 0;
            }
    return refuse(spec, text, error);
}

static int parse_number(const struct option_spec *spec, const char *text, long long *number,
                        struct error *error)
{
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return refuse(spec, text, error);
    errno = 0;
    long long value = strtoll(text, &end, 10);
    const struct unit *unit = units_of(spec->type);
    while (*end == ' ')
        end++;
    while (unit->name && strcmp(unit->name, end) != 0)
        unit++;
    if (!unit->name)
        return refuse(spec, text, error);
    if (errno == ERANGE || __builtin_mul_overflow(value, unit->factor, &value) ||
        value < spec->minimum || value > spec->maximum)
        return error_set(error, ERANGE, "%s takes a value from %lld to %lld, not \"%s\"",
                         label_of(spec), spec->minimum, spec->maximum, text);
    *number = value;
    return 0;
}

static int parse_choice(const struct option_spec *spec, const char *text, char **result,
                        struct error *error)
{
    for (size_t i = 0; spec->choices[i]; i++)
        if (strcmp(spec->choices[i], text) == 0) {
            *result = xstrdup(text);
            return 0;
        }
    return refuse(spec, text, error);
}

static int parse_path(const struct option_spec *spec, const char *text, char **result,
                      struct error *error)
{
    char *path = paths_expand(text);
    if (path[0] == '/' || (path[0] == '\0' && spec->type == OPTION_PATH)) {
        *result = path;
        return 0;
    }
    free(path);
    return refuse(spec, text, error);
}

static void append(char ***list, char *element)
{
    size_t length = *list ? strv_length((const char *const *)*list) : 0;
    *list = xreallocarray(*list, length + 2, sizeof(**list));
    (*list)[length] = element;
    (*list)[length + 1] = NULL;
}

int option_value_parse(const struct option_spec *spec, const char *text, struct option_value *value,
                       struct error *error)
{
    char *string = NULL;
    switch (spec->type) {
    case OPTION_BOOL:
        return parse_bool(spec, text, &value->number, error);
    case OPTION_NUMBER:
    case OPTION_SIZE:
    case OPTION_DURATION:
        return parse_number(spec, text, &value->number, error);
    case OPTION_CHOICE:
        if (parse_choice(spec, text, &string, error) < 0)
            return -1;
        break;
    case OPTION_PATH:
    case OPTION_PATHS:
        if (parse_path(spec, text, &string, error) < 0)
            return -1;
        break;
    case OPTION_STRING:
    case OPTION_LIST:
        string = xstrdup(text);
        break;
    }
    if (option_is_list(spec)) {
        append(&value->list, string);
    } else {
        free(value->text);
        value->text = string;
    }
    return 0;
}

static void format_number(const struct option_spec *spec, long long number, struct strbuf *out)
{
    const struct unit *best = units_of(spec->type);
    for (const struct unit *unit = best; unit->name; unit++)
        if (number != 0 && number % unit->factor == 0)
            best = unit;
    strbuf_addf(out, "%lld%s", number / best->factor, best->name);
}

static void format_string(const char *string, struct strbuf *out)
{
    strbuf_addch(out, '"');
    for (; *string; string++) {
        /* libConfuse reads \n and \" in double quotes, and takes ${NAME} from the environment. */
        if (strchr("\"\\$", *string))
            strbuf_addch(out, '\\');
        if (*string == '\n')
            strbuf_addstr(out, "\\n");
        else
            strbuf_addch(out, *string);
    }
    strbuf_addch(out, '"');
}

void option_value_format(const struct option_spec *spec, const struct option_value *value,
                         struct strbuf *out)
{
    if (option_is_list(spec)) {
        strbuf_addch(out, '{');
        for (size_t i = 0; value->list && value->list[i]; i++) {
            strbuf_addstr(out, i ? ", " : "");
            format_string(value->list[i], out);
        }
        strbuf_addch(out, '}');
    } else if (spec->type == OPTION_BOOL) {
        strbuf_addstr(out, value->number ? "true" : "false");
    } else if (spec->type == OPTION_CHOICE) {
        strbuf_addstr(out, value->text);
    } else if (value->text) {
        format_string(value->text, out);
    } else {
        format_number(spec, value->number, out);
    }
}

void option_value_clear(struct option_value *value)
{
    free(value->text);
    strv_free(&value->list);
    memset(value, 0, sizeof(*value));
}
