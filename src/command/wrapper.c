/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/wrapper.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
    const char *name;
    const char *valued; /* short options that take the next word when nothing is attached */
    size_t operands;    /* words of its own before the command */
    bool assignments;   /* NAME=VALUE words may stand before the command */
    bool raises;
} wrappers[] = {
    {"builtin", "", 0, false, false},       {"busybox", "", 0, false, false},
    {"chroot", "", 1, false, false},        {"command", "", 0, false, false},
    {"doas", "uC", 0, false, true},         {"env", "uCS", 0, true, false},
    {"exec", "a", 0, false, false},         {"flock", "wE", 1, false, false},
    {"ionice", "cnpP", 0, false, false},    {"nice", "n", 0, false, false},
    {"nohup", "", 0, false, false},         {"pkexec", "", 0, false, true},
    {"run0", "ug", 0, true, true},          {"setsid", "", 0, false, false},
    {"stdbuf", "ioe", 0, false, false},     {"strace", "eopsuPE", 0, false, false},
    {"sudo", "ugpCDhrtRTU", 0, true, true}, {"time", "fo", 0, false, false},
    {"timeout", "ks", 1, false, false},     {"unshare", "", 0, false, false},
    {"watch", "n", 0, false, false},        {"xargs", "EIILnPsda", 0, false, false},
};

const char *wrapper_basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool is_assignment(const char *word)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    size_t length = strspn(word, letters);
    return length > 0 && word[length] == '=' && (*word < '0' || *word > '9');
}

static size_t find_wrapper(const char *word)
{
    const char *name = wrapper_basename(word);
    for (size_t i = 0; i < COUNT(wrappers); i++)
        if (strcmp(wrappers[i].name, name) == 0)
            return i;
    return COUNT(wrappers);
}

/* Position behind a wrapper's own words; words[at] is the wrapper. */
static size_t pass_wrapper(const char *const *words, size_t count, size_t at, size_t wrapper)
{
    size_t operands = wrappers[wrapper].operands;
    for (at++; at < count; at++) {
        const char *word = words[at];
        if (strcmp(word, "--") == 0)
            return at + 1 + operands;
        if (word[0] == '-' && word[1] != '\0') {
            bool short_with_value = word[1] != '-' && word[2] == '\0' &&
                                    strchr(wrappers[wrapper].valued, word[1]) != NULL;
            at += short_with_value;
        } else if (!(wrappers[wrapper].assignments && is_assignment(word))) {
            return at + operands;
        }
    }
    return at;
}

size_t wrapper_skip(const char *const *words, size_t count)
{
    size_t at = 0;
    for (;;) {
        while (at < count && is_assignment(words[at]))
            at++;
        if (at >= count)
            return count;
        size_t wrapper = find_wrapper(words[at]);
        if (wrapper == COUNT(wrappers))
            return at;
        at = pass_wrapper(words, count, at, wrapper);
    }
}

bool wrapper_raises(const char *const *words, size_t count)
{
    size_t at = 0;
    while (at < count && is_assignment(words[at]))
        at++;
    while (at < count) {
        size_t wrapper = find_wrapper(words[at]);
        if (wrapper == COUNT(wrappers))
            return strcmp(wrapper_basename(words[at]), "su") == 0;
        if (wrappers[wrapper].raises)
            return true;
        at = pass_wrapper(words, count, at, wrapper);
    }
    return false;
}

const char *wrapper_subcommand(const char *const *words, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (words[i][0] != '-')
            return words[i];
        i += strcmp(words[i], "-C") == 0 || strcmp(words[i], "-c") == 0;
    }
    return "";
}

static bool word_is_option(const char *word, const char *option, size_t length)
{
    if (strncmp(word, option, length) == 0 && word[length] == '\0')
        return true;
    if (option[1] == '-')
        return length > 2 && strncmp(word, option, length) == 0 && word[length] == '=';
    return length == 2 && word[1] != '-' && strchr(word + 1, option[1]) != NULL;
}

bool wrapper_has_option(const char *const *words, size_t count, const char *options)
{
    for (size_t i = 1; i < count; i++) {
        size_t length;
        for (const char *option = options; *option != '\0'; option += length) {
            option += strspn(option, " ");
            length = strcspn(option, " ");
            if (words[i][0] == '-' && length > 0 && word_is_option(words[i], option, length))
                return true;
        }
        if (strcmp(words[i], "--") == 0)
            break;
    }
    return false;
}
