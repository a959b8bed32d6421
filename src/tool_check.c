/* SPDX-License-Identifier: MIT */
/* `assent check`: what would happen to a command, and why. Asks the same judgement as the console
 * does. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/shell_tree.h"
#include "config/arguments.h"
#include "config/config_file.h"
#include "config/help.h"
#include "config/options.h"
#include "rulebook.h"
#include "tool.h"
#include "tool_batch.h"
#include "tool_judge.h"

enum { CHECK_BAD_RULES = 1 };

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *text_json(const char *text)
{
    return text != NULL ? json_string_lossy(text, strlen(text)) : json_null();
}

static json_t *words_json(char *const *words, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count && words[i] != NULL; i++)
        json_array_append_new(list, text_json(words[i]));
    return list;
}

static json_t *match_json(const struct rule_match *match, char *const *argv)
{
    const struct rule *rule = match->rule;
    json_t *object = json_object();
    json_t *prefix = words_json(argv, rule->length);
    json_array_set_new(prefix, 0, text_json(rule->first));
    json_object_set_new(object, "prefix", prefix);
    json_object_set_new(object, "decision", json_string(rule_decision_name(rule->decision)));
    json_object_set_new(object, "file", text_json(rule->file));
    json_object_set_new(object, "line", json_integer(rule->line));
    json_object_set_new(object, "layer", json_string(rules_layer_name(rule->layer)));
    if (rule->decision == RULE_ALLOW)
        json_object_set_new(object, "sandbox", json_string(rule->bypass ? "bypass" : "keep"));
    if (rule->justification != NULL)
        json_object_set_new(object, "justification", text_json(rule->justification));
    if (match->resolved != NULL)
        json_object_set_new(object, "resolved_program", text_json(match->resolved));
    return object;
}

static void add_matches(json_t *list, const struct rules_matches *matches, char *const *argv)
{
    for (size_t i = 0; i < matches->count; i++)
        json_array_append_new(list, match_json(&matches->items[i], argv));
}

static json_t *part_json(const struct judgement_part *part)
{
    json_t *object = json_object(), *matched = json_array();
    add_matches(matched, &part->matches, part->argv);
    json_object_set_new(object, "argv", words_json(part->argv, SIZE_MAX));
    json_object_set_new(object, "hidden", json_boolean(part->hidden));
    json_object_set_new(object, "matched", matched);
    json_object_set_new(object, "allowed", json_boolean(part->allowed));
    json_object_set_new(object, "missing", json_boolean(part->missing));
    json_object_set_new(object, "known_safe", json_boolean(part->known_safe));
    json_object_set_new(object, "danger", text_json(part->danger));
    json_object_set_new(object, "lapse", text_json(part->lapse));
    return object;
}

static const char *requirement_name(enum requirement_kind kind)
{
    static const char *const names[] = {[REQUIREMENT_SKIP] = "skip",
                                        [REQUIREMENT_NEEDS_APPROVAL] = "needs_approval",
                                        [REQUIREMENT_FORBIDDEN] = "forbidden"};
    return names[kind];
}

static enum attempt_sandbox first_attempt(const struct judgement *judgement)
{
    return judgement->requirement.bypass_sandbox ? ATTEMPT_UNSANDBOXED : ATTEMPT_TURN_DEFAULT;
}

static json_t *judgement_json(const struct judgement *judgement, const struct turn_context *context)
{
    const struct approval_requirement *requirement = &judgement->requirement;
    json_t *object = json_object(), *matched = json_array(), *parts = json_array();
    for (size_t i = 0; i < judgement->count; i++) {
        add_matches(matched, &judgement->parts[i].matches, judgement->parts[i].argv);
        json_array_append_new(parts, part_json(&judgement->parts[i]));
    }
    cleanup_wording struct wording *under = prompt_under(context, first_attempt(judgement), NULL);
    json_object_set_new(object, "decision", json_string(rule_decision_name(judgement->decision)));
    json_object_set_new(object, "requirement", json_string(requirement_name(requirement->kind)));
    json_object_set_new(object, "bypass_sandbox", json_boolean(requirement->bypass_sandbox));
    json_object_set_new(object, "reason", text_json(wording_english(requirement->reason)));
    json_object_set_new(object, "matched", matched);
    json_object_set_new(object, "proposed_amendment",
                        requirement->amendment != NULL
                            ? words_json(requirement->amendment, SIZE_MAX)
                            : json_null());
    json_object_set_new(object, "constituents", parts);
    json_object_set_new(object, "opaque", text_json(judgement->opaque_reason));
    json_object_set_new(object, "under", text_json(wording_english(under)));
    return object;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_line(const struct strbuf *line)
{
    cleanup_strbuf struct strbuf shown = STRBUF_INIT;
    text_escape(&shown, strbuf_str(line), line->length, 0);
    puts(strbuf_str(&shown));
}

static void print_field(const char *name, const char *text)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "%s: %s", name, text);
    print_line(&line);
}

static void print_match(const struct rule_match *match)
{
    const struct rule *rule = match->rule;
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "    %s: %s:%u", rule_decision_name(rule->decision), rule->file, rule->line);
    if (rule->decision == RULE_ALLOW)
        strbuf_addf(&line, " (%s)", rule->bypass ? _("without the sandbox") : _("in the sandbox"));
    if (match->resolved != NULL)
        strbuf_addf(&line, _(", as the name of %s"), match->resolved);
    if (rule->justification != NULL)
        strbuf_addf(&line, ": %s", rule->justification);
    print_line(&line);
}

static void print_part(const struct judgement_part *part)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    strbuf_addstr(&line, "  ");
    text_quote_argv(&line, (const char *const *)part->argv);
    if (part->hidden)
        strbuf_addf(&line, " (%s)", _("it may run this"));
    print_line(&line);
    for (size_t i = 0; i < part->matches.count; i++)
        print_match(&part->matches.items[i]);
    if (part->lapse != NULL)
        printf("    %s: %s\n", _("the rule does not hold"), _(part->lapse));
    if (part->danger != NULL)
        printf("    %s: %s\n", _("dangerous"), _(part->danger));
    if (part->missing)
        printf("    %s\n", _("its program is not on this machine"));
    if (part->known_safe)
        printf("    %s\n", _("known to be safe"));
}

static void print_amendment(char *const *words)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    text_quote_argv(&line, (const char *const *)words);
    print_field(_("could be allowed from now on"), strbuf_str(&line));
}

static void print_wording(const char *label, const struct wording *wording)
{
    cleanup_free char *text = i18n_wording(wording);
    cleanup_strbuf struct strbuf shown = STRBUF_INIT;
    text_escape(&shown, text, strlen(text), TEXT_PROSE);
    printf("%s: %s\n", label, strbuf_str(&shown));
}

/* What runs unasked has what the sandbox gives, and no more. */
static void print_beyond(const struct judgement *judgement, const struct turn_context *context)
{
    const struct approval_requirement *requirement = &judgement->requirement;
    if (requirement->kind != REQUIREMENT_SKIP || requirement->bypass_sandbox ||
        context->preference == SANDBOX_FORBID || !sandbox_policy_is_restricted(context->sandbox))
        return;
    print_field(_("If the sandbox stops it"), policy_may_ask_retry(&context->approval)
                                                  ? _("you are asked whether it may have more")
                                                  : _("it fails, and nobody is asked"));
}

static void print_judgement(const struct judgement *judgement, const struct turn_context *context)
{
    static const char *const words[] = {[REQUIREMENT_SKIP] = N_("it runs unasked"),
                                        [REQUIREMENT_NEEDS_APPROVAL] = N_("you are asked"),
                                        [REQUIREMENT_FORBIDDEN] = N_("it is refused")};
    const struct approval_requirement *requirement = &judgement->requirement;
    cleanup_wording struct wording *under = prompt_under(context, first_attempt(judgement), NULL);
    print_field(rule_decision_name(judgement->decision), _(words[requirement->kind]));
    if (requirement->reason != NULL)
        print_wording(_("Reason"), requirement->reason);
    if (requirement->kind != REQUIREMENT_FORBIDDEN)
        print_wording(_("Runs under"), under);
    print_beyond(judgement, context);
    if (shell_tree_is_of_home(judgement->opaque_reason))
        print_field(_("What no rule covers"), _("~, your home directory"));
    else if (judgement->opaque_reason != NULL)
        print_field(_("The script cannot be known for certain"), _(judgement->opaque_reason));
    /* Of what runs unasked it is for the question whether it may leave the sandbox. */
    if (requirement->kind == REQUIREMENT_NEEDS_APPROVAL && requirement->amendment != NULL)
        print_amendment(requirement->amendment);
    puts(_("Constituents:"));
    for (size_t i = 0; i < judgement->count; i++)
        print_part(&judgement->parts[i]);
}

/* ---- rules alone ---------------------------------------------------------------------------- */

/* Rules alone, for comparison with others that read such files. */
static json_t *match_alone(const struct tool_judge *judge, char *const *argv, const char *cwd)
{
    bool resolve = options_bool(judge->options, OPTION_RESOLVE_HOST_EXECUTABLES);
    struct rules_matches matches = RULES_MATCHES_INIT;
    struct rules_query query = {
        .argv = (const char *const *)argv,
        .cwd = cwd,
        .project = judge->workspace,
        .mode = resolve ? RULES_RESOLVING : RULES_BY_NAME,
    };
    cleanup_free char *project_id = judgement_project_id(judge->workspace);
    query.project_id = project_id;
    rules_match(judge->rules, &query, &matches);
    json_t *object = json_object(), *matched = json_array();
    add_matches(matched, &matches, argv);
    json_object_set_new(object, "decision", json_string(rule_decision_name(matches.decision)));
    json_object_set_new(object, "matched", matched);
    rules_matches_clear(&matches);
    return object;
}

/* ---- one command ----------------------------------------------------------------------------- */

static int print_alone(const struct tool_judge *judge, char *const *argv, const char *cwd)
{
    cleanup_json json_t *object = match_alone(judge, argv, cwd);
    if (options_bool(judge->options, OPTION_JSON)) {
        cleanup_free char *line = json_line(object);
        return puts(line) == EOF ? -1 : 0;
    }
    puts(json_string_value(json_object_get(object, "decision")));
    size_t index;
    json_t *match;
    json_array_foreach(json_object_get(object, "matched"), index, match)
    {
        cleanup_strbuf struct strbuf line = STRBUF_INIT;
        strbuf_addf(&line, "  %s: %s:%d", json_string_value(json_object_get(match, "decision")),
                    json_string_value(json_object_get(match, "file")),
                    (int)json_integer_value(json_object_get(match, "line")));
        print_line(&line);
    }
    return 0;
}

static int check_one(struct tool_judge *judge, char *const *argv, struct error *error)
{
    struct judgement judgement;
    cleanup_free char *cwd = realpath(".", NULL);
    if (cwd == NULL)
        return error_errno(error, errno, _("the current directory cannot be named"));
    tool_hint_script("check", argv);
    if (options_bool(judge->options, OPTION_RULES_ONLY))
        return print_alone(judge, argv, cwd);
    if (tool_judge_command(judge, argv, cwd, &judgement, error) != 0)
        return -1;
    if (options_bool(judge->options, OPTION_JSON)) {
        cleanup_json json_t *object = judgement_json(&judgement, judge->context);
        cleanup_free char *line = json_line(object);
        puts(line);
    } else {
        print_judgement(&judgement, judge->context);
    }
    judgement_clear(&judgement);
    return 0;
}

/* ---- many ------------------------------------------------------------------------------------ */

static json_t *answer_question(void *argument, const json_t *question, struct error *error)
{
    struct tool_judge *judge = argument;
    const char *cwd = judge->workspace;
    cleanup_strv char **argv = tool_judge_argv(question, error);
    if (argv == NULL || json_get_string_optional(question, "cwd", &cwd, error) != 0)
        return NULL;
    if (cwd[0] != '/') {
        error_set(error, 0, "cwd: expected an absolute path");
        return NULL;
    }
    if (options_bool(judge->options, OPTION_RULES_ONLY))
        return match_alone(judge, argv, cwd);
    cleanup_free char *physical = realpath(cwd, NULL);
    struct judgement judgement;
    if (tool_judge_command(judge, argv, physical != NULL ? physical : cwd, &judgement, error) != 0)
        return NULL;
    json_t *answer = judgement_json(&judgement, judge->context);
    judgement_clear(&judgement);
    return answer;
}

/* ---- from start to end ----------------------------------------------------------------------- */

/* Rules that were named must be right; installed ones that are not make everything ask, here as in
 * the console. */
static int load_rules(struct tool_judge *judge, struct error *error)
{
    const char *const *named = options_list(judge->options, OPTION_RULES);
    struct rulebook *book =
        *named != NULL ? rulebook_open_files(named) : rulebook_open(judge->workspace);
    int result = 0;
    if (*named != NULL && rulebook_problem(book) != NULL)
        result = error_set(error, 0, "%s", rulebook_problem(book));
    tool_judge_take(judge, book);
    rulebook_free(&book);
    return result;
}

static int run(struct tool_judge *judge, const struct options *options, int count, char **argv,
               struct error *error)
{
    bool batch = options_bool(options, OPTION_BATCH);
    if (batch != (count == 0))
        return error_set(error, EINVAL,
                         batch ? _("--batch reads standard input") : _("no command was given"));
    if (tool_judge_open(judge, options, error) != 0)
        return -1;
    if (load_rules(judge, error) != 0)
        return CHECK_BAD_RULES;
    return batch ? tool_batch_run(answer_question, judge, error) : check_one(judge, argv, error);
}

int tool_check(int argc, char **argv)
{
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    struct tool_judge judge = {.options = options};
    int result = -1;
    int rest = arguments_parse(options, SUBCOMMAND_CHECK, argc, argv, &error);
    if (rest >= 0 && options_bool(options, OPTION_HELP))
        result = help_print(stdout, SUBCOMMAND_CHECK) == 0 ? 0 : -1;
    else if (rest >= 0 && config_file_load(options, &error) == 0)
        result = run(&judge, options, argc - rest, argv + rest, &error);
    tool_judge_clear(&judge);
    options_free(&options);
    if (*error.message)
        tool_complain(argv[0], &error);
    if (fflush(stdout) != 0)
        result = -1;
    return result < 0 ? TOOL_FAILED : result;
}
