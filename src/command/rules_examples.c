/* SPDX-License-Identifier: MIT */
/* rules_examples: what the examples of a prefix_rule say must hold. */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "command/rules_parse-int.h"

/* What stands in quotes at *text; false when they are not closed. */
static bool split_quoted(const char **text, struct strbuf *word)
{
    char quote = *(*text)++;
    for (; **text != quote; (*text)++) {
        if (**text == '\0')
            return false;
        if (quote == '"' && **text == '\\' && (*text)[1] != '\0' &&
            strchr("\"\\$`\n", (*text)[1]) != NULL)
            (*text)++;
        strbuf_addch(word, **text);
    }
    (*text)++;
    return true;
}

/* One word as a shell splits it; false when a quote is open. */
static bool split_word(const char **text, struct strbuf *word)
{
    while (**text != '\0' && strchr(" \t\n", **text) == NULL) {
        if (**text == '\'' || **text == '"') {
            if (!split_quoted(text, word))
                return false;
            continue;
        }
        if (**text == '\\' && *++*text == '\0')
            return false;
        strbuf_addch(word, *(*text)++);
    }
    return true;
}

/* NULL when it is not well formed. */
static char **split_words(const char *text)
{
    char **words = xcalloc(1, sizeof(*words));
    size_t count = 0;
    for (text += strspn(text, " \t\n"); *text != '\0'; text += strspn(text, " \t\n")) {
        cleanup_strbuf struct strbuf word = STRBUF_INIT;
        if (*text == '#') {
            text += strcspn(text, "\n");
            continue;
        }
        if (!split_word(&text, &word)) {
            strv_free(&words);
            return NULL;
        }
        words = xreallocarray(words, count + 2, sizeof(*words));
        words[count++] = xstrdup(strbuf_str(&word));
        words[count] = NULL;
    }
    return words;
}

static int take_example(const struct rules_parse *parse, const struct rules_value *value,
                        char ***words)
{
    if (value->kind == RULES_STRING) {
        *words = split_words(value->text);
        if (*words == NULL)
            return rules_complain(&parse->reader, value->place,
                                  "this example has an open quote or ends in a backslash");
    } else if (value->kind == RULES_LIST) {
        *words = xcalloc(value->count + 1, sizeof(**words));
        for (size_t i = 0; i < value->count; i++) {
            if (value->items[i].kind != RULES_STRING)
                return rules_parse_wrong_type(parse, &value->items[i], "a word of an example",
                                              "a string");
            (*words)[i] = xstrdup(value->items[i].text);
        }
    } else {
        return rules_parse_wrong_type(parse, value, "an example", "a string or a list of words");
    }
    if (**words == NULL)
        return rules_complain(&parse->reader, value->place, "an example must not be empty");
    return 0;
}

static bool lists_path(char *const *paths, const char *path)
{
    while (paths != NULL && *paths != NULL && strcmp(*paths, path) != 0)
        paths++;
    return paths == NULL || *paths != NULL;
}

/* As rules_match() with RULES_RESOLVING, among the call's own rules. */
static bool example_matches(const struct rules_parse *parse, const struct rules_examples *set,
                            const char *const *words)
{
    for (size_t i = set->first; i < set->last; i++) {
        const struct rule *rule = &parse->batch.rules[i];
        if (strcmp(rule->first, words[0]) == 0 && rules_words_fit(rule, words))
            return true;
    }
    if (strchr(words[0], '/') == NULL)
        return false;
    cleanup_free char *path = rules_absolute(words[0], NULL);
    const char *name = strrchr(path, '/') + 1;
    char *const *paths = rules_host_paths(parse->rules, &parse->batch, name);
    for (size_t i = set->first; i < set->last && lists_path(paths, path); i++) {
        const struct rule *rule = &parse->batch.rules[i];
        if (strcmp(rule->first, name) == 0 && rules_words_fit(rule, words))
            return true;
    }
    return false;
}

/* `match`: each example of the list must be matched; else none. The list may be NULL. */
static int check_list(const struct rules_parse *parse, const struct rules_examples *set,
                      const struct rules_value *list, bool match)
{
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        cleanup_strv char **words = NULL;
        if (take_example(parse, &list->items[i], &words) != 0)
            return -1;
        if (example_matches(parse, set, (const char *const *)words) == match)
            continue;
        return rules_complain(&parse->reader, list->items[i].place,
                              match ? "this example of match is not matched by the rule"
                                    : "this example of not_match is matched by the rule");
    }
    return 0;
}

int rules_examples_check(const struct rules_parse *parse, const struct rules_examples *set)
{
    if (check_list(parse, set, set->not_match, false) != 0)
        return -1;
    return check_list(parse, set, set->match, true);
}
