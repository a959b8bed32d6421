/* SPDX-License-Identifier: MIT */
/*
 * options: the values in force, each with where it came from.
 *
 * How a program gets its configuration:
 *
 *   struct options *options = options_new();                     (defaults)
 *   arguments_parse(options, SUBCOMMAND_CONSOLE, argc, argv, …); (command line)
 *   config_file_load(options, &error);                           (file and profile)
 *   … options_string(options, OPTION_APPROVAL_POLICY) …
 *
 * Stronger origins win whatever the order: command line over profile over file over default. A
 * list of a stronger origin replaces the whole list.
 */
#ifndef ASSENT_CONFIG_OPTIONS_H
#define ASSENT_CONFIG_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "config/option_table.h"

enum option_origin { ORIGIN_DEFAULT, ORIGIN_FILE, ORIGIN_PROFILE, ORIGIN_COMMAND_LINE };

struct option_source {
    enum option_origin origin;
    const char *file; /* file and profile: its path, else NULL */
    int line;         /* 1 …, 0 when not known */
};

struct options;

struct options *options_new(void); /* every option has its default */
void options_free(struct options **options);

/* Sets a value (a list: adds one element) unless a stronger origin has set it. -1 with a message
 * when `text` is no value of that option, also when a stronger one is in force. */
int options_set(struct options *options, enum option_id id, const char *text,
                const struct option_source *source, struct error *error);
/* An empty list, which options_set() cannot say. */
void options_set_empty(struct options *options, enum option_id id,
                       const struct option_source *source);

/* The value; the function must fit the type in the table. Strings and lists are borrowed until the
 * option is set again. A list is never NULL; an empty string means "not given" for those options
 * whose default is empty. */
bool options_bool(const struct options *options, enum option_id id);
/* Numbers; bytes for sizes; milliseconds for durations; how often a flag was given for bools. */
long long options_number(const struct options *options, enum option_id id);
const char *options_string(const struct options *options, enum option_id id);
const char *const *options_list(const struct options *options, enum option_id id);

/* Where the value came from. `file` is borrowed from the options. */
struct option_source options_source(const struct options *options, enum option_id id);
/* The value as in the configuration file (option_value.h). */
void options_format(const struct options *options, enum option_id id, struct strbuf *out);

#endif
