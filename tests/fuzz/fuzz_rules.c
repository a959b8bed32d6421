/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a rule file: it is taken or refused with a place in it, and a rule that was taken
 * matches its own words.
 */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "command/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_rule(const struct rules *rules, const struct rule *rule)
{
    struct rules_matches matches = RULES_MATCHES_INIT;
    const char **argv = xcalloc(rule->length + 1, sizeof(*argv));
    bool found = false;
    argv[0] = rule->first;
    for (size_t i = 1; i < rule->length; i++)
        argv[i] = rule->rest[i - 1][0];
    struct rules_query query = {.argv = argv,
                                .cwd = rule->cwd,
                                .project = rule->project,
                                .project_id = rule->project_id,
                                .mode = RULES_STRICT};
    rules_match(rules, &query, &matches);
    for (size_t i = 0; i < matches.count; i++)
        found = found || matches.items[i].rule == rule;
    must(found && matches.decision >= rule->decision);
    must(rule->line > 0 && (rule->decision == RULE_ALLOW || !rule->bypass));
    rules_matches_clear(&matches);
    free(argv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rules_source source = {.path = "f", .layer = RULES_USER};
    struct error error = ERROR_INIT;
    struct rules *rules = rules_new();
    int result = rules_add_text(rules, (const char *)data, size, &source, &error);
    must(result == 0 || (rules_count(rules) == 0 && strncmp(error.message, "f:", 2) == 0));
    size_t count = rules_count(rules);
    for (size_t i = 0; i < count && i < 100; i++)
        check_rule(rules, rules_at(rules, i));
    rules_free(&rules);
    return 0;
}
