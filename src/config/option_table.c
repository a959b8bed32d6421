/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "config/option_table.h"

#include <string.h>

#include "config/option_table-int.h"

const struct option_spec *option_spec(int id)
{
    static const struct {
        int first;
        const struct option_spec *specs;
    } parts[] = {
        {OPTION_JSON, option_specs_tools},
        {OPTION_PROFILE, option_specs_clients},
        {OPTION_GUARD_TIME, option_specs_console},
        {OPTION_APPROVAL_POLICY, option_specs_commands},
    };
    size_t part = 0;
    while (id < parts[part].first)
        part++;
    return &parts[part].specs[id - parts[part].first];
}

int option_find_key(const char *key)
{
    for (int i = 0; i < OPTION_KEY_COUNT; i++)
        if (strcmp(option_spec(i)->key, key) == 0)
            return i;
    return -1;
}

int option_find_name(enum subcommand_id subcommand, const char *name, size_t length)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_spec *spec = option_spec(i);
        if ((spec->subcommands & (1u << subcommand)) && strlen(spec->name) == length &&
            memcmp(spec->name, name, length) == 0)
            return i;
    }
    return -1;
}

int option_find_letter(enum subcommand_id subcommand, char letter)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_spec *spec = option_spec(i);
        if ((spec->subcommands & (1u << subcommand)) && spec->letter == letter)
            return i;
    }
    return -1;
}

const char *option_type_values(enum option_type type)
{
    switch (type) {
    case OPTION_BOOL:
        return "true or false";
    case OPTION_NUMBER:
        return "a whole number";
    case OPTION_SIZE:
        return "a number of bytes, or with KiB, MiB or GiB behind it";
    case OPTION_DURATION:
        return "a number with ms, s, min or h behind it";
    case OPTION_CHOICE:
        return "one of its choices";
    case OPTION_PATH:
        return "an absolute path, or one that starts with ~/";
    case OPTION_PATHS:
        return "a list of paths, absolute or starting with ~/";
    case OPTION_LIST:
        return "a list of strings";
    case OPTION_STRING:
        break;
    }
    return "a string";
}

bool option_is_list(const struct option_spec *spec)
{
    return spec->type == OPTION_LIST || spec->type == OPTION_PATHS;
}
