/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "config/environment.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static const char *const risky_parts[] = {"KEY", "TOKEN", "SECRET", "PASS", NULL};
static const char *const risky_starts[] = {"LD_",   "DYLD_",  "BASH_", "ENV=", "GIT_",
                                           "PERL",  "PYTHON", "NODE_", "RUBY", "JAVA_",
                                           "GCONV", "IFS=",   NULL};

static size_t name_length(const char *variable)
{
    return strcspn(variable, "=");
}

/* Names that must not slip through a pattern. */
static bool is_risky(const char *variable)
{
    cleanup_free char *name = xstrndup(variable, name_length(variable));
    for (size_t i = 0; risky_parts[i]; i++)
        if (strstr(name, risky_parts[i]))
            return true;
    for (size_t i = 0; risky_starts[i]; i++)
        if (strncmp(variable, risky_starts[i], strlen(risky_starts[i])) == 0)
            return true;
    return false;
}

static bool pattern_matches(const char *pattern, const char *variable)
{
    size_t length = strlen(pattern);
    if (length > 0 && pattern[length - 1] == '*')
        return name_length(variable) >= length - 1 && strncmp(pattern, variable, length - 1) == 0 &&
               !is_risky(variable);
    return name_length(variable) == length && strncmp(pattern, variable, length) == 0;
}

static bool passes(const char *const *patterns, const char *variable)
{
    for (size_t i = 0; patterns[i]; i++)
        if (pattern_matches(patterns[i], variable))
            return true;
    return false;
}

/* Adds a variable, or replaces the one of that name. */
static void put(char **result, size_t *count, const char *variable)
{
    size_t length = name_length(variable);
    size_t place = 0;
    while (place < *count &&
           (name_length(result[place]) != length || strncmp(result[place], variable, length) != 0))
        place++;
    if (place == *count)
        (*count)++;
    else
        free(result[place]);
    result[place] = xstrdup(variable);
}

char **environment_build(const struct options *options, const char *const *environment)
{
    const char *const *patterns = options_list(options, OPTION_ENVIRONMENT_PASS);
    const char *const *fixed = options_list(options, OPTION_ENVIRONMENT_SET);
    size_t most = strv_length(environment) + strv_length(fixed);
    char **result = xcalloc(most + 1, sizeof(*result));
    size_t count = 0;
    for (size_t i = 0; environment[i]; i++)
        if (strchr(environment[i], '=') && passes(patterns, environment[i]))
            put(result, &count, environment[i]);
    for (size_t i = 0; fixed[i]; i++)
        if (strchr(fixed[i], '='))
            put(result, &count, fixed[i]);
    return result;
}
