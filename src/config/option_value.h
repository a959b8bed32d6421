/* SPDX-License-Identifier: MIT */
/* option_value: one value of an option, from text as it is in the configuration file or on the
 * command line. */
#ifndef ASSENT_CONFIG_OPTION_VALUE_H
#define ASSENT_CONFIG_OPTION_VALUE_H

#include "base/error.h"
#include "base/strbuf.h"
#include "config/option_table.h"

struct option_value {
    char *text;       /* choices, strings, paths ("~" expanded); owned; NULL for the others */
    long long number; /* bool (0, 1), number, bytes, milliseconds */
    char **list;      /* lists: NULL-terminated, owned; NULL when empty */
};

/* Checks `text` against the option's type and limits and stores it; for a list it is one element
 * and is appended. -1 with a message that names the option and what it takes; the value is
 * unchanged then. An empty path is allowed where the default is empty. */
int option_value_parse(const struct option_spec *spec, const char *text, struct option_value *value,
                       struct error *error);
/* The value as it would be written in the configuration file: a string is quoted, a list is in
 * braces. */
void option_value_format(const struct option_spec *spec, const struct option_value *value,
                         struct strbuf *out);
void option_value_clear(struct option_value *value);

#endif
