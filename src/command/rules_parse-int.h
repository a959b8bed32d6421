/* SPDX-License-Identifier: MIT */
/* rules_parse-int: what the kinds of rules share while a file is read; for this folder only. */
#ifndef ASSENT_COMMAND_RULES_PARSE_INT_H
#define ASSENT_COMMAND_RULES_PARSE_INT_H

#include "command/rules-int.h"

/* A call whose examples are looked at once its file is read, with the table of host_executable
 * that holds then. */
struct rules_examples {
    size_t first, last; /* its rules in the batch */
    struct rules_call call;
    const struct rules_value *match, *not_match; /* in the call's arguments, or NULL */
};

struct rules_parse {
    struct rules *rules;
    struct rules_reader reader;
    struct rules_batch batch;
    struct rules_examples *examples;
    size_t example_count;
};

struct rules_parameter {
    const char *name;
    bool required;
};

/* The value of that parameter in a call, NULL when it is absent. */
const struct rules_value *rules_parse_argument(const struct rules_call *call,
                                               const struct rules_parameter *parameters,
                                               size_t index);
/* Known names, none twice, all that are needed, positions before names: 0, or -1 with a message, as
 * everything below. */
int rules_parse_check(const struct rules_parse *parse, const struct rules_call *call,
                      const struct rules_parameter *parameters, size_t count);
int rules_parse_wrong_type(const struct rules_parse *parse, const struct rules_value *value,
                           const char *name, const char *wanted);
/* A string; NULL stays when it is absent or None. */
int rules_parse_string(const struct rules_parse *parse, const struct rules_value *value,
                       const char *name, const char **text);
int rules_parse_decision(const struct rules_parse *parse, const struct rules_value *value,
                         bool deny, enum rule_decision *decision);
int rules_parse_justification(const struct rules_parse *parse, const struct rules_value *value,
                              const char **text);
/* NULL stays NULL. */
char *rules_parse_copy(const char *text);

/* ---- rules_examples.c ------------------------------------------------------------------------ */

int rules_examples_check(const struct rules_parse *parse, const struct rules_examples *set);

/* ---- rules_network.c, rules_place.c ---------------------------------------------------------- */

int rules_parse_network(struct rules_parse *parse, struct rules_call *call);
int rules_parse_place(struct rules_parse *parse, struct rules_call *call);

#endif
