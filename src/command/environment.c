/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/environment.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"

/* A name and the values that it may have, separated by '|'; "#" stands for a decimal number of at
 * most four digits. Nothing that names a file, a program or options may ever be added, so never
 * LD_*, BASH_ENV, ENV, BASH_FUNC_*, GIT_*, PATH, HOME, TMPDIR, XDG_*, *_OPTIONS, *FLAGS. */
static const struct {
    const char *name;
    const char *values;
} harmless[] = {
    {"CI", "1|0|true|false"},
    {"CLICOLOR", "#"},
    {"CLICOLOR_FORCE", "#"},
    {"COLUMNS", "#"},
    {"DEBIAN_FRONTEND", "noninteractive"},
    {"FORCE_COLOR", "#|true|false"},
    {"LANG", "C|C.UTF-8|POSIX|en_US.UTF-8"},
    {"LC_ALL", "C|C.UTF-8|POSIX|en_US.UTF-8"},
    {"LINES", "#"},
    {"NODE_ENV", "test|development|production"},
    {"NO_COLOR", "#|true"},
    {"PYTHONDONTWRITEBYTECODE", "#"},
    {"PYTHONUNBUFFERED", "#"},
    {"RUST_BACKTRACE", "#|full"},
    {"TERM", "dumb|xterm|xterm-256color"},
    {"TZ", "UTC"},
};

static bool is_short_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= 4 && text[digits] == '\0';
}

static bool value_in(const char *value, const char *values)
{
    size_t length = strlen(value);
    for (const char *at = values; at != NULL; at = *at == '|' ? at + 1 : NULL) {
        size_t width = strcspn(at, "|");
        if (width == 1 && *at == '#' ? is_short_number(value)
                                     : width == length && memcmp(at, value, width) == 0)
            return true;
        at += width;
    }
    return false;
}

bool environment_is_harmless(const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    if (equals == NULL)
        return false;
    size_t length = (size_t)(equals - assignment);
    for (size_t i = 0; i < COUNT(harmless); i++)
        if (strlen(harmless[i].name) == length && memcmp(harmless[i].name, assignment, length) == 0)
            return value_in(equals + 1, harmless[i].values);
    return false;
}

bool environment_all_harmless(const char *const *assignments)
{
    for (size_t i = 0; assignments != NULL && assignments[i] != NULL; i++)
        if (!environment_is_harmless(assignments[i]))
            return false;
    return true;
}
