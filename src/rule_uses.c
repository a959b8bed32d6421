/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "rule_uses.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct rule_uses {
    const struct rules *rules;
    struct rule_use *prefixes; /* by rule */
    struct rule_use *networks;
    size_t network_count;
    struct rule_use *lines; /* of the files, in their order; made at the end */
    size_t line_count;
};

struct rule_uses *rule_uses_new(const struct rules *rules)
{
    struct rule_uses *uses = XNEW(struct rule_uses);
    struct rules_reach reach;
    uses->rules = rules;
    uses->prefixes = xcalloc(rules_count(rules) + 1, sizeof(*uses->prefixes));
    for (size_t i = 0; i < rules_count(rules); i++) {
        const struct rule *rule = rules_at(rules, i);
        uses->prefixes[i] =
            (struct rule_use){.file = rule->file, .line = rule->line, .shadow = rule->shadow};
    }
    uses->networks = xcalloc(rules_network_count(rules) + 1, sizeof(*uses->networks));
    for (; rules_network_at(rules, uses->network_count, &reach); uses->network_count++)
        uses->networks[uses->network_count] =
            (struct rule_use){.file = reach.file, .line = reach.line, .shadow = reach.shadow};
    return uses;
}

void rule_uses_free(struct rule_uses **place)
{
    struct rule_uses *uses = steal_pointer(place);
    if (uses == NULL)
        return;
    free(uses->prefixes);
    free(uses->networks);
    free(uses->lines);
    free(uses);
}

/* ---- counting -------------------------------------------------------------------------------- */

static bool is_new(const struct rule *const *seen, size_t count, const struct rule *rule)
{
    for (size_t i = 0; i < count; i++)
        if (seen[i] == rule)
            return false;
    return true;
}

static void count_use(struct rule_use *use, const struct judgement *before,
                      const struct judgement *after)
{
    const struct approval_requirement *old = &before->requirement, *with = &after->requirement;
    use->matched++;
    if (with->kind == old->kind && with->bypass_sandbox == old->bypass_sandbox)
        return;
    use->unasked += with->kind == REQUIREMENT_SKIP;
    use->asked += with->kind == REQUIREMENT_NEEDS_APPROVAL;
    use->refused += with->kind == REQUIREMENT_FORBIDDEN;
}

/* Each rule once for a command, however many of its parts it matches. */
void rule_uses_command(struct rule_uses *uses, const struct judgement *before,
                       const struct judgement *after)
{
    size_t total = 0, count = 0;
    for (size_t i = 0; i < after->count; i++)
        total += after->parts[i].matches.count;
    const struct rule **seen = xcalloc(total + 1, sizeof(const struct rule *));
    for (size_t i = 0; i < after->count; i++)
        for (size_t j = 0; j < after->parts[i].matches.count; j++) {
            const struct rule *rule = after->parts[i].matches.items[j].rule;
            if (!is_new(seen, count, rule))
                continue;
            seen[count++] = rule;
            count_use(&uses->prefixes[rule - rules_at(uses->rules, 0)], before, after);
        }
    free(seen);
}

/* It was asked about: a rule that asks would have changed nothing. */
void rule_uses_connection(struct rule_uses *uses, const struct rules_connection *connection)
{
    struct rules_reach reach;
    for (size_t i = 0; rules_network_at(uses->rules, i, &reach); i++) {
        if (!rules_reach_matches(&reach, connection))
            continue;
        uses->networks[i].matched++;
        uses->networks[i].unasked += reach.decision == RULE_ALLOW;
        uses->networks[i].refused += reach.decision == RULE_FORBIDDEN;
    }
}

/* ---- by line --------------------------------------------------------------------------------- */

/* The alternatives of a rule are rules of their own on one line. */
static void add_to_line(struct rule_uses *uses, const struct rule_use *use)
{
    struct rule_use *line = uses->line_count > 0 ? &uses->lines[uses->line_count - 1] : NULL;
    if (line == NULL || line->line != use->line || strcmp(line->file, use->file) != 0) {
        uses->lines[uses->line_count++] = *use;
        return;
    }
    line->matched += use->matched;
    line->asked += use->asked;
    line->refused += use->refused;
    line->unasked += use->unasked;
}

static void make_lines(struct rule_uses *uses)
{
    size_t prefixes = rules_count(uses->rules);
    uses->lines = xcalloc(prefixes + uses->network_count + 1, sizeof(*uses->lines));
    for (size_t i = 0; i < prefixes; i++)
        add_to_line(uses, &uses->prefixes[i]);
    for (size_t i = 0; i < uses->network_count; i++)
        add_to_line(uses, &uses->networks[i]);
}

bool rule_uses_at(struct rule_uses *uses, size_t index, struct rule_use *use)
{
    if (uses->lines == NULL)
        make_lines(uses);
    if (index < uses->line_count)
        *use = uses->lines[index];
    return index < uses->line_count;
}
