/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "config/arguments.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

static const struct option_source from_command_line = {ORIGIN_COMMAND_LINE, NULL, 0};

struct scan {
    struct options *options;
    enum subcommand_id subcommand;
    int argc;
    char **argv;
    int index; /* of the argument that is read */
    struct error *error;
};

/* `-c KEY=VALUE`. A list value is one element; "KEY=" empties a list. */
static int set_key(struct scan *scan, const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    if (!equals)
        return error_set(scan->error, EINVAL, "-c takes KEY=VALUE, not \"%s\"", assignment);
    cleanup_free char *key = xstrndup(assignment, (size_t)(equals - assignment));
    int id = option_find_key(key);
    if (id < 0)
        return error_set(scan->error, EINVAL,
                         "there is no configuration key \"%s\" (assent config lists them)", key);
    if (equals[1] == '\0' && option_is_list(option_spec(id))) {
        options_set_empty(scan->options, (enum option_id)id, &from_command_line);
        return 0;
    }
    return options_set(scan->options, (enum option_id)id, equals + 1, &from_command_line,
                       scan->error);
}

/* A person at a shell may name a path from where they are. */
static int set_path(struct scan *scan, enum option_id id, const char *value)
{
    cleanup_free char *directory = getcwd(NULL, 0);
    if (!directory)
        return error_errno(scan->error, errno, "the current directory cannot be named");
    cleanup_free char *path = xasprintf("%s/%s", directory, value);
    return options_set(scan->options, id, path, &from_command_line, scan->error);
}

static int set_option(struct scan *scan, int id, const char *value)
{
    enum option_type type = option_spec(id)->type;
    if (id == OPTION_SET)
        return set_key(scan, value);
    if ((type == OPTION_PATH || type == OPTION_PATHS) && *value && !strchr("/~", *value))
        return set_path(scan, (enum option_id)id, value);
    return options_set(scan->options, (enum option_id)id, value, &from_command_line, scan->error);
}

/* The argument of an option: what is behind "=" or the letter, else the next word. */
static const char *take_value(struct scan *scan, const char *attached)
{
    if (attached)
        return attached;
    if (scan->index + 1 < scan->argc)
        return scan->argv[++scan->index];
    error_set(scan->error, EINVAL, "%s needs a value", scan->argv[scan->index]);
    return NULL;
}

static int unknown(struct scan *scan)
{
    const char *name = subcommands[scan->subcommand].name;
    return error_set(scan->error, EINVAL, "unknown option %s (see assent%s%s --help)",
                     scan->argv[scan->index], name ? " " : "", name ? name : "");
}

static int read_long(struct scan *scan, const char *word)
{
    size_t length = strcspn(word, "=");
    const char *attached = word[length] ? word + length + 1 : NULL;
    int id = option_find_name(scan->subcommand, word, length);
    bool negated = false;
    if (id < 0 && length > 3 && strncmp(word, "no-", 3) == 0) {
        id = option_find_name(scan->subcommand, word + 3, length - 3);
        negated = true;
    }
    if (id < 0)
        return unknown(scan);
    if (option_spec(id)->type == OPTION_BOOL) {
        if (negated && attached)
            return unknown(scan);
        return set_option(scan, id, negated ? "false" : attached ? attached : "true");
    }
    const char *value = negated ? NULL : take_value(scan, attached);
    if (negated)
        return unknown(scan);
    return value ? set_option(scan, id, value) : -1;
}

static int read_letters(struct scan *scan, const char *letters)
{
    for (; *letters; letters++) {
        int id = option_find_letter(scan->subcommand, *letters);
        if (id < 0)
            return unknown(scan);
        if (option_spec(id)->type != OPTION_BOOL) {
            const char *value = take_value(scan, letters[1] ? letters + 1 : NULL);
            return value ? set_option(scan, id, value) : -1;
        }
        if (set_option(scan, id, "true") < 0)
            return -1;
    }
    return 0;
}

int arguments_parse(struct options *options, enum subcommand_id subcommand, int argc, char **argv,
                    struct error *error)
{
    struct scan scan = {options, subcommand, argc, argv, 1, error};
    for (; scan.index < argc; scan.index++) {
        const char *word = argv[scan.index];
        if (strcmp(word, "--") == 0)
            return scan.index + 1;
        if (word[0] != '-' || word[1] == '\0')
            return scan.index;
        int result = word[1] == '-' ? read_long(&scan, word + 2) : read_letters(&scan, word + 1);
        if (result < 0)
            return -1;
    }
    return scan.index;
}
