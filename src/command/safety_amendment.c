/* SPDX-License-Identifier: MIT */
/* safety_amendment: which prefix of a command may be allowed from now on. */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "command/safety.h"

#define WORDS_MAX 3
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Prefixes that may be offered; "*" stands for one word that does not begin with '-'. Programs
 * stand here when nothing that follows the prefix can make them run another program's code, or
 * when they run the project's own tasks, which an allowed prefix lets run inside the sandbox. */
static const char *const prefixes[][WORDS_MAX] = {
    {"cat"},
    {"cp"},
    {"ls"},
    {"mkdir"},
    {"mv"},
    {"touch"},
    {"wc"},
    {"head"},
    {"tail"},
    {"stat"},
    {"grep"},
    {"cut"},
    {"tr"},
    {"uniq"},
    {"diff"},
    {"git", "add"},
    {"git", "commit"},
    {"git", "diff"},
    {"git", "log"},
    {"git", "show"},
    {"git", "status"},
    {"git", "switch"},
    {"npm", "test"},
    {"npm", "run", "*"},
    {"yarn", "test"},
    {"pnpm", "test"},
    {"cargo", "build"},
    {"cargo", "check"},
    {"cargo", "test"},
    {"go", "build"},
    {"go", "test"},
    {"go", "vet"},
    {"make", "*"},
    {"pytest"},
    {"just", "*"},
};

static size_t prefix_length(const char *const *prefix)
{
    size_t length = 0;
    while (length < WORDS_MAX && prefix[length] != NULL)
        length++;
    return length;
}

static bool prefix_fits(const char *const *prefix, size_t length, const char *const *argv)
{
    for (size_t i = 0; i < length; i++) {
        if (argv[i] == NULL)
            return false;
        bool any = strcmp(prefix[i], "*") == 0;
        if (any ? argv[i][0] == '-' || strchr(argv[i], '=') != NULL
                : strcmp(prefix[i], argv[i]) != 0)
            return false;
    }
    return true;
}

char **safety_amendment(const char *const *argv)
{
    for (size_t i = 0; i < COUNT(prefixes); i++) {
        size_t length = prefix_length(prefixes[i]);
        if (!prefix_fits(prefixes[i], length, argv))
            continue;
        char **words = xcalloc(length + 1, sizeof(*words));
        for (size_t j = 0; j < length; j++)
            words[j] = xstrdup(argv[j]);
        return words;
    }
    return NULL;
}
