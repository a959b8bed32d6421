/* SPDX-License-Identifier: MIT */
/* rules_parse: literal calls into rules. Whatever is not known, of the wrong type or contradicted
 * by its own examples is an error of the whole file. */
#include "config.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"
#include "command/rules_parse-int.h"

/* ---- arguments ------------------------------------------------------------------------------- */

const struct rules_value *rules_parse_argument(const struct rules_call *call,
                                               const struct rules_parameter *parameters,
                                               size_t index)
{
    for (size_t i = 0; i < call->count; i++) {
        const char *name = call->arguments[i].name;
        if (name != NULL ? strcmp(name, parameters[index].name) == 0 : i == index)
            return &call->arguments[i].value;
    }
    return NULL;
}

static size_t find_parameter(const struct rules_parameter *parameters, size_t count,
                             const char *name)
{
    size_t i = 0;
    while (i < count && strcmp(parameters[i].name, name) != 0)
        i++;
    return i;
}

static int refuse_argument(const struct rules_parse *parse, const struct rules_call *call,
                           const struct rules_argument *argument,
                           const struct rules_parameter *parameters, size_t count)
{
    cleanup_strbuf struct strbuf names = STRBUF_INIT;
    for (size_t i = 0; i < count; i++)
        strbuf_addf(&names, "%s%s", i > 0 ? ", " : "", parameters[i].name);
    return rules_complain(&parse->reader, argument->place, "%s has no argument %.60s (it has %s)",
                          call->name, argument->name, strbuf_str(&names));
}

/* Known names, none twice, all that are needed, positions before names. */
int rules_parse_check(const struct rules_parse *parse, const struct rules_call *call,
                      const struct rules_parameter *parameters, size_t count)
{
    bool named = false;
    for (size_t i = 0; i < call->count; i++) {
        const struct rules_argument *argument = &call->arguments[i];
        size_t index = i;
        if (argument->name != NULL)
            index = find_parameter(parameters, count, argument->name);
        if (argument->name != NULL && index == count)
            return refuse_argument(parse, call, argument, parameters, count);
        if (index >= count)
            return rules_complain(&parse->reader, argument->place, "%s takes %zu arguments at most",
                                  call->name, count);
        if (argument->name == NULL && named)
            return rules_complain(&parse->reader, argument->place,
                                  "an argument without a name stands behind one with a name");
        if (rules_parse_argument(call, parameters, index) != &argument->value)
            return rules_complain(&parse->reader, argument->place, "%s is given twice",
                                  parameters[index].name);
        named = named || argument->name != NULL;
    }
    for (size_t i = 0; i < count; i++)
        if (parameters[i].required && rules_parse_argument(call, parameters, i) == NULL)
            return rules_complain(&parse->reader, call->place, "%s needs the argument %s",
                                  call->name, parameters[i].name);
    return 0;
}

int rules_parse_wrong_type(const struct rules_parse *parse, const struct rules_value *value,
                           const char *name, const char *wanted)
{
    return rules_complain(&parse->reader, value->place, "%s must be %s, not %s", name, wanted,
                          rules_kind_name(value->kind));
}

/* A string argument; NULL stays when it is absent or None. */
int rules_parse_string(const struct rules_parse *parse, const struct rules_value *value,
                       const char *name, const char **text)
{
    if (value == NULL || value->kind == RULES_ABSENT)
        return 0;
    if (value->kind != RULES_STRING)
        return rules_parse_wrong_type(parse, value, name, "a string");
    *text = value->text;
    return 0;
}

int rules_parse_decision(const struct rules_parse *parse, const struct rules_value *value,
                         bool deny, enum rule_decision *decision)
{
    static const char *const names[] = {"allow", "prompt", "forbidden"};
    const char *text = NULL;
    if (value == NULL)
        return 0;
    if (value->kind != RULES_STRING)
        return rules_parse_wrong_type(parse, value, "decision", "a string");
    text = value->text;
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i], text) == 0) {
            *decision = RULE_ALLOW + (unsigned)i;
            return 0;
        }
    if (deny && strcmp(text, "deny") == 0) {
        *decision = RULE_FORBIDDEN;
        return 0;
    }
    return rules_complain(&parse->reader, value->place,
                          "unknown decision \"%.60s\" (allow, prompt or forbidden)", text);
}

int rules_parse_justification(const struct rules_parse *parse, const struct rules_value *value,
                              const char **text)
{
    if (rules_parse_string(parse, value, "justification", text) != 0)
        return -1;
    if (*text != NULL && (*text)[strspn(*text, " \t\r\n\v\f")] == '\0')
        return rules_complain(&parse->reader, value->place,
                              "justification must not be empty (say why, or leave it out)");
    return 0;
}

char *rules_parse_copy(const char *text)
{
    return text != NULL ? xstrdup(text) : NULL;
}

/* ---- prefix_rule ----------------------------------------------------------------------------- */

enum {
    PATTERN,
    DECISION,
    MATCH,
    NOT_MATCH,
    JUSTIFICATION,
    SANDBOX,
    REDIRECT,
    EXACT,
    SHADOW,
    CWD,
    PROJECT,
    ID
};
static const struct rules_parameter prefix_parameters[] = {
    [PATTERN] = {"pattern", true},
    [DECISION] = {"decision", false},
    [MATCH] = {"match", false},
    [NOT_MATCH] = {"not_match", false},
    [JUSTIFICATION] = {"justification", false},
    [SANDBOX] = {"sandbox", false},
    [REDIRECT] = {"redirect", false},
    [EXACT] = {"exact", false},
    [SHADOW] = {"shadow", false},
    [CWD] = {"cwd", false},
    [PROJECT] = {"project", false},
    [ID] = {"project_id", false},
};

static const struct rules_value *prefix_argument(const struct rules_call *call, size_t index)
{
    return rules_parse_argument(call, prefix_parameters, index);
}

static int check_word(const struct rules_parse *parse, const struct rules_value *word)
{
    if (word->kind == RULES_STRING)
        return 0;
    if (word->kind != RULES_LIST)
        return rules_parse_wrong_type(parse, word, "a word of the pattern",
                                      "a string or a list of strings");
    if (word->count == 0)
        return rules_complain(&parse->reader, word->place,
                              "a list of alternatives must not be empty");
    for (size_t i = 0; i < word->count; i++)
        if (word->items[i].kind != RULES_STRING)
            return rules_parse_wrong_type(parse, &word->items[i], "an alternative", "a string");
    return 0;
}

static int check_pattern(const struct rules_parse *parse, const struct rules_value *pattern)
{
    if (pattern->kind != RULES_LIST)
        return rules_parse_wrong_type(parse, pattern, "pattern",
                                      "a list of words, as in [\"git\", \"log\"],");
    if (pattern->count == 0)
        return rules_complain(&parse->reader, pattern->place,
                              "pattern must not be empty (it would match every command)");
    for (size_t i = 0; i < pattern->count; i++)
        if (check_word(parse, &pattern->items[i]) != 0)
            return -1;
    return 0;
}

static size_t alternatives_of(const struct rules_value *word)
{
    return word->kind == RULES_LIST ? word->count : 1;
}

static const char *alternative_at(const struct rules_value *word, size_t index)
{
    return word->kind == RULES_LIST ? word->items[index].text : word->text;
}

static char *const *const *rest_of_pattern(const struct rules_value *pattern)
{
    char ***rest = xcalloc(pattern->count, sizeof(*rest));
    for (size_t i = 1; i < pattern->count; i++) {
        const struct rules_value *word = &pattern->items[i];
        rest[i - 1] = xcalloc(alternatives_of(word) + 1, sizeof(**rest));
        for (size_t j = 0; j < alternatives_of(word); j++)
            rest[i - 1][j] = xstrdup(alternative_at(word, j));
    }
    return (char *const *const *)rest;
}

static int take_sandbox(const struct rules_parse *parse, const struct rules_value *value,
                        struct rule *rule)
{
    const char *text = NULL;
    rule->bypass = rule->decision == RULE_ALLOW;
    if (value == NULL || rules_parse_string(parse, value, "sandbox", &text) != 0)
        return value == NULL ? 0 : -1;
    if (text == NULL || (strcmp(text, "keep") != 0 && strcmp(text, "bypass") != 0))
        return rules_complain(&parse->reader, value->place,
                              "sandbox must be \"keep\" or \"bypass\"");
    if (rule->decision != RULE_ALLOW)
        return rules_complain(&parse->reader, value->place,
                              "sandbox goes with decision=\"allow\" only");
    rule->bypass = strcmp(text, "bypass") == 0;
    return 0;
}

static int take_truth(const struct rules_parse *parse, const struct rules_call *call, size_t index,
                      bool *truth)
{
    const struct rules_value *value = prefix_argument(call, index);
    if (value != NULL && value->kind != RULES_BOOLEAN)
        return rules_parse_wrong_type(parse, value, prefix_parameters[index].name, "True or False");
    *truth = value != NULL && value->truth;
    return 0;
}

static int take_redirect(const struct rules_parse *parse, const struct rules_value *value,
                         struct rule *rule)
{
    const char *text = NULL;
    if (value == NULL)
        return 0;
    if (rules_parse_string(parse, value, "redirect", &text) != 0)
        return -1;
    if (text == NULL || strcmp(text, "workspace") != 0)
        return rules_complain(&parse->reader, value->place, "redirect must be \"workspace\"");
    if (rule->decision != RULE_ALLOW || rule->bypass)
        return rules_complain(&parse->reader, value->place,
                              "redirect goes with decision=\"allow\" and sandbox=\"keep\" only");
    rule->redirect = true;
    return 0;
}

static int take_scope(const struct rules_parse *parse, const struct rules_call *call,
                      struct rule *rule)
{
    if (take_truth(parse, call, EXACT, &rule->exact) != 0 ||
        take_truth(parse, call, SHADOW, &rule->shadow) != 0)
        return -1;
    for (size_t i = CWD; i <= PROJECT; i++) {
        const struct rules_value *value = prefix_argument(call, i);
        const char **place = i == CWD ? &rule->cwd : &rule->project;
        if (rules_parse_string(parse, value, prefix_parameters[i].name, place) != 0)
            return -1;
        if (*place != NULL && **place != '/')
            return rules_complain(&parse->reader, value->place, "%s must be an absolute path",
                                  prefix_parameters[i].name);
    }
    const struct rules_value *id = prefix_argument(call, ID);
    if (id != NULL && rule->project == NULL)
        return rules_complain(&parse->reader, id->place, "project_id goes with project");
    return rules_parse_string(parse, id, "project_id", &rule->project_id);
}

static int examples_must_be_lists(const struct rules_parse *parse, const struct rules_call *call)
{
    for (size_t i = MATCH; i <= NOT_MATCH; i++) {
        const struct rules_value *value = prefix_argument(call, i);
        if (value != NULL && value->kind != RULES_LIST)
            return rules_parse_wrong_type(parse, value, prefix_parameters[i].name,
                                          "a list of examples");
    }
    return 0;
}

/* `rule` borrows from the call: a copy for each alternative of the first word. */
static void add_alternatives(struct rules_parse *parse, const struct rules_value *pattern,
                             const struct rule *rule)
{
    const struct rules_value *first = &pattern->items[0];
    for (size_t i = 0; i < alternatives_of(first); i++) {
        struct rule copy = *rule;
        copy.first = xstrdup(alternative_at(first, i));
        copy.rest = rest_of_pattern(pattern);
        copy.justification = rules_parse_copy(rule->justification);
        copy.cwd = rules_parse_copy(rule->cwd);
        copy.project = rules_parse_copy(rule->project);
        copy.project_id = rules_parse_copy(rule->project_id);
        rules_batch_add(&parse->batch, &copy);
    }
}

static int take_prefix_rule(struct rules_parse *parse, struct rules_call *call)
{
    const struct rules_value *pattern = prefix_argument(call, PATTERN);
    struct rule rule = {.decision = RULE_ALLOW, .line = call->place.line};
    if (check_pattern(parse, pattern) != 0 ||
        rules_parse_decision(parse, prefix_argument(call, DECISION), false, &rule.decision) != 0 ||
        rules_parse_justification(parse, prefix_argument(call, JUSTIFICATION),
                                  &rule.justification) != 0 ||
        take_sandbox(parse, prefix_argument(call, SANDBOX), &rule) != 0 ||
        take_redirect(parse, prefix_argument(call, REDIRECT), &rule) != 0 ||
        take_scope(parse, call, &rule) != 0 || examples_must_be_lists(parse, call) != 0)
        return -1;
    rule.length = pattern->count;
    size_t first = parse->batch.count;
    add_alternatives(parse, pattern, &rule);
    const struct rules_value *match = prefix_argument(call, MATCH);
    const struct rules_value *not_match = prefix_argument(call, NOT_MATCH);
    if (match == NULL && not_match == NULL)
        return 0;
    parse->examples =
        xreallocarray(parse->examples, parse->example_count + 1, sizeof(*parse->examples));
    parse->examples[parse->example_count++] =
        (struct rules_examples){first, parse->batch.count, *call, match, not_match};
    *call = (struct rules_call){.name = NULL};
    return 0;
}

/* ---- host_executable ----------------------------------------------------------------------- */

static int check_host_path(const struct rules_parse *parse, const struct rules_value *path,
                           const char *name)
{
    if (path->kind != RULES_STRING)
        return rules_parse_wrong_type(parse, path, "a path", "a string");
    if (path->text[0] != '/')
        return rules_complain(&parse->reader, path->place, "%.200s is not an absolute path",
                              path->text);
    if (strcmp(strrchr(path->text, '/') + 1, name) != 0)
        return rules_complain(&parse->reader, path->place, "%.200s does not end in /%.60s",
                              path->text, name);
    return 0;
}

static int take_host_executable(struct rules_parse *parse, struct rules_call *call)
{
    static const struct rules_parameter parameters[] = {{"name", true}, {"paths", true}};
    if (rules_parse_check(parse, call, parameters, COUNT(parameters)) != 0)
        return -1;
    const struct rules_value *name = rules_parse_argument(call, parameters, 0);
    const struct rules_value *paths = rules_parse_argument(call, parameters, 1);
    if (name->kind != RULES_STRING)
        return rules_parse_wrong_type(parse, name, "name", "a string");
    if (*name->text == '\0' || strchr(name->text, '/') != NULL || strcmp(name->text, ".") == 0 ||
        strcmp(name->text, "..") == 0)
        return rules_complain(&parse->reader, name->place,
                              "name must be the bare name of a program, without a directory");
    if (paths->kind != RULES_LIST)
        return rules_parse_wrong_type(parse, paths, "paths", "a list of paths");
    for (size_t i = 0; i < paths->count; i++)
        if (check_host_path(parse, &paths->items[i], name->text) != 0)
            return -1;
    struct rules_host host = {xstrdup(name->text), xcalloc(paths->count + 1, sizeof(char *))};
    for (size_t i = 0; i < paths->count; i++)
        host.paths[i] = rules_absolute(paths->items[i].text, NULL);
    rules_hosts_add(&parse->batch.hosts, &host);
    return 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

static int take_call(struct rules_parse *parse, struct rules_call *call)
{
    if (strcmp(call->name, "prefix_rule") == 0)
        return rules_parse_check(parse, call, prefix_parameters, COUNT(prefix_parameters)) == 0
                   ? take_prefix_rule(parse, call)
                   : -1;
    if (strcmp(call->name, "host_executable") == 0)
        return take_host_executable(parse, call);
    if (strcmp(call->name, "network_rule") == 0)
        return rules_parse_network(parse, call);
    if (strcmp(call->name, "read_rule") == 0)
        return rules_parse_place(parse, call);
    return rules_complain(&parse->reader, call->place,
                          "there is no rule %.60s (prefix_rule, network_rule, read_rule, "
                          "host_executable)",
                          call->name);
}

static int parse_calls(struct rules_parse *parse)
{
    for (;;) {
        struct rules_call call;
        int result = rules_read_call(&parse->reader, &call);
        if (result > 0)
            result = take_call(parse, &call) == 0 ? 1 : -1;
        rules_call_clear(&call);
        if (result <= 0)
            return result;
    }
}

int rules_add_text(struct rules *rules, const char *text, size_t length,
                   const struct rules_source *source, struct error *error)
{
    struct rules_parse parse = {
        .rules = rules,
        .reader = {.path = source->path,
                   .text = text,
                   .length = length,
                   .line = source->lines + 1,
                   .error = error},
    };
    int result = parse_calls(&parse);
    for (size_t i = 0; result == 0 && i < parse.example_count; i++)
        result = rules_examples_check(&parse, &parse.examples[i]);
    for (size_t i = 0; i < parse.example_count; i++)
        rules_call_clear(&parse.examples[i].call);
    free(parse.examples);
    if (result == 0)
        rules_take(rules, &parse.batch, source);
    rules_batch_clear(&parse.batch);
    return result;
}
