/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/rules_review.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "command/handover.h"

/* Is every command that the one matches also matched by the other? */
static bool includes(const struct rule *wide, const struct rule *narrow)
{
    if (wide->length > narrow->length || wide->exact || wide->cwd != NULL ||
        wide->project != NULL || strcmp(wide->first, narrow->first) != 0)
        return false;
    bool all = true;
    for (size_t i = 0; i + 1 < wide->length && all; i++)
        for (size_t j = 0; narrow->rest[i][j] != NULL && all; j++) {
            char *const *word = wide->rest[i];
            while (*word != NULL && strcmp(*word, narrow->rest[i][j]) != 0)
                word++;
            all = *word != NULL;
        }
    return all;
}

/* Does the other say all that the rule does? Of two that are the same the later one is not needed.
 */
static bool makes_useless(const struct rule *other, const struct rule *rule)
{
    if (other == rule || other->shadow != rule->shadow || !includes(other, rule))
        return false;
    if (other->decision != rule->decision)
        return other->decision > rule->decision;
    return other->bypass == rule->bypass && (!includes(rule, other) || other < rule);
}

static const struct rule *find_better(const struct rules *rules, const struct rule *rule)
{
    struct rules_matches matches = RULES_MATCHES_INIT;
    const struct rule *better = NULL;
    const char **argv = xcalloc(rule->length + 1, sizeof(*argv));
    argv[0] = rule->first;
    for (size_t i = 1; i < rule->length; i++)
        argv[i] = rule->rest[i - 1][0];
    rules_match(rules, &(struct rules_query){.argv = argv, .shadow = true}, &matches);
    for (size_t i = 0; i < matches.count && better == NULL; i++)
        if (makes_useless(matches.items[i].rule, rule))
            better = matches.items[i].rule;
    rules_matches_clear(&matches);
    free(argv);
    return better;
}

struct rules_review rules_review(const struct rules *rules, const struct rule *rule)
{
    struct rules_review review = {
        .runs_anything = rule->decision == RULE_ALLOW && rule->length == 1 && !rule->exact &&
                         handover_is_interpreter(rule->first),
        .other = find_better(rules, rule),
    };
    review.stricter = review.other != NULL && review.other->decision > rule->decision;
    return review;
}
