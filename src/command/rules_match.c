/* SPDX-License-Identifier: MIT */
/* rules_match: which rules a command's words match. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "command/rules-int.h"
#include "command/rules_index-int.h"

bool rules_words_fit(const struct rule *rule, const char *const *argv)
{
    for (size_t i = 0; i + 1 < rule->length; i++) {
        char *const *word = rule->rest[i];
        if (argv[i + 1] == NULL)
            return false;
        while (*word != NULL && strcmp(*word, argv[i + 1]) != 0)
            word++;
        if (*word == NULL)
            return false;
    }
    return !rule->exact || argv[rule->length] == NULL;
}

bool rules_same_or_any(const char *wanted, const char *given)
{
    return wanted == NULL || (given != NULL && strcmp(wanted, given) == 0);
}

static bool applies(const struct rule *rule, const struct rules_query *query)
{
    return (!rule->shadow || query->shadow) && rules_words_fit(rule, query->argv) &&
           rules_same_or_any(rule->cwd, query->cwd) &&
           rules_same_or_any(rule->project, query->project) &&
           rules_same_or_any(rule->project_id, query->project_id);
}

static void matches_add(struct rules_matches *matches, const struct rule *rule,
                        const char *resolved)
{
    if (matches->count == matches->capacity) {
        matches->capacity = matches->capacity > 0 ? 2 * matches->capacity : 4;
        matches->items = xreallocarray(matches->items, matches->capacity, sizeof(*matches->items));
    }
    matches->items[matches->count++] = (struct rule_match){rule, resolved};
    if (rule->decision > matches->decision)
        matches->decision = rule->decision;
}

/* The rules whose first word is `name`; only those that are not lenient when `tighten`. */
static void match_name(const struct rules *rules, const struct rules_query *query, const char *name,
                       const char *resolved, bool tighten, struct rules_matches *matches)
{
    const struct rules_index *index = rules_index(rules);
    uint32_t node = rules_index_find(index, RULES_INDEX_ROOT, name);
    for (size_t depth = 1; node != RULES_INDEX_ROOT; depth++) {
        size_t count;
        const uint32_t *positions = rules_index_at(index, node, &count);
        for (size_t i = 0; i < count; i++) {
            const struct rule *rule = rules_at(rules, positions[i]);
            if ((!tighten || rule->decision > RULE_ALLOW) && applies(rule, query))
                matches_add(matches, rule, resolved);
        }
        const char *word = query->argv[depth];
        node = word != NULL ? rules_index_find(index, node, word) : RULES_INDEX_ROOT;
    }
}

static bool holds(char *const *list, const char *text)
{
    while (*list != NULL && strcmp(*list, text) != 0)
        list++;
    return *list != NULL;
}

/* argv[0] is a path: what is said of files of that name. */
static void match_path(const struct rules *rules, const struct rules_query *query, bool found,
                       struct rules_matches *matches)
{
    if (query->mode == RULES_BY_NAME || (query->mode == RULES_RESOLVING && found))
        return;
    if (matches->paths[0] == NULL)
        matches->paths[0] = rules_absolute(query->argv[0], query->cwd);
    const char *path = matches->paths[0];
    const char *name = strrchr(path, '/') + 1;
    char *const *listed = rules_host_paths(rules, NULL, name);
    bool counts = !found && (listed == NULL || holds(listed, path));
    if (counts || query->mode == RULES_STRICT)
        match_name(rules, query, name, path, !counts, matches);
}

/* A link to a program is that program, for whoever forbids it. */
static void match_real(const struct rules *rules, const struct rules_query *query,
                       struct rules_matches *matches)
{
    const char *slash = strrchr(query->argv[0], '/');
    const char *name = strrchr(query->real, '/');
    if (name == NULL || strcmp(name + 1, slash != NULL ? slash + 1 : query->argv[0]) == 0)
        return;
    if (matches->paths[1] == NULL)
        matches->paths[1] = xstrdup(query->real);
    match_name(rules, query, name + 1, matches->paths[1], true, matches);
}

static int by_position(const void *left, const void *right)
{
    const struct rule *a = ((const struct rule_match *)left)->rule;
    const struct rule *b = ((const struct rule_match *)right)->rule;
    return (a > b) - (a < b);
}

void rules_match(const struct rules *rules, const struct rules_query *query,
                 struct rules_matches *matches)
{
    size_t before = matches->count;
    match_name(rules, query, query->argv[0], NULL, false, matches);
    if (strchr(query->argv[0], '/') != NULL)
        match_path(rules, query, matches->count > before, matches);
    if (query->mode == RULES_STRICT && query->real != NULL)
        match_real(rules, query, matches);
    if (matches->count - before > 1)
        qsort(matches->items + before, matches->count - before, sizeof(*matches->items),
              by_position);
}

void rules_matches_clear(struct rules_matches *matches)
{
    free(matches->items);
    free(matches->paths[0]);
    free(matches->paths[1]);
    *matches = (struct rules_matches)RULES_MATCHES_INIT;
}
