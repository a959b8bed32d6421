/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/judgement-int.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/environment.h"
#include "command/handover.h"
#include "command/safety.h"
#include "command/shell_flow.h"
#include "command/shell_tree.h"
#include "command/wrapper.h"
#include "risk/effects.h"
#include "risk/loss.h"

/* Words of a program that may run another, each of which is looked at as if it were that one. */
#define LATER_WORDS_MAX 1000

char *judgement_project_id(const char *root)
{
    struct stat status;
    if (stat(root, &status) != 0)
        return NULL;
    return xasprintf("%llu:%llu", (unsigned long long)status.st_dev,
                     (unsigned long long)status.st_ino);
}

/* ---- rules ----------------------------------------------------------------------------------- */

static void match_rules(const struct judgement_work *work, const struct rules_query *asked,
                        struct rules_matches *matches)
{
    struct rules_query query = *asked;
    query.shadow = work->facts->shadow;
    for (size_t i = 0; i < JUDGEMENT_RULES; i++)
        if (work->facts->rules[i] != NULL)
            rules_match(work->facts->rules[i], &query, matches);
}

/* Where the part runs, as far as that is known. */
static const char *directory_of(const struct judgement_work *work,
                                const struct judgement_part *part)
{
    return part->directory != NULL ? part->directory : work->facts->cwd;
}

/* By its words, or by what they do in the end. */
static const char *danger_of_words(const struct judgement_work *work,
                                   const struct judgement_part *part, const char *const *words)
{
    const char *why = safety_danger(words);
    return why != NULL
               ? why
               : loss_of_argv(words, directory_of(work, part), work->facts->writable_roots, NULL);
}

/* Do the rule's own words say what makes the command dangerous? */
static bool spells_out_danger(const struct judgement_work *work, const struct rule *rule,
                              const struct judgement_part *part)
{
    const char **words = xcalloc(rule->length + 1, sizeof(*words));
    for (size_t i = 0; i < rule->length; i++)
        words[i] = part->argv[i];
    bool dangerous = danger_of_words(work, part, words) != NULL;
    free(words);
    return dangerous;
}

/* Why an allow that matches does not hold. */
static const char *lapse_of(const struct judgement_work *work, const struct rule *rule,
                            const struct judgement_part *part)
{
    const char *const *argv = (const char *const *)part->argv;
    size_t count = strv_length(argv), start = wrapper_skip(argv, count);
    if (work->facts->broken != NULL)
        return N_("a rule file could not be read");
    if (!work->harmless_env)
        return N_("the call brings variables of its own");
    if (!part->installed)
        return N_("its program is not one that only you can have installed");
    if (part->redirects && !rule->redirect)
        return N_("it redirects or computes what the rule does not speak of");
    if (rule->length > part->literal || (rule->exact && part->literal < count))
        return N_("it has a file name pattern where the rule has a word");
    if (start >= rule->length && start < count)
        return N_("it runs another program, which the rule does not name");
    if (handover_find(argv, rule->length) != NULL)
        return N_("it has an option that runs or writes something else");
    if (start < count && strcmp(wrapper_basename(argv[start]), "git") == 0 && rule->cwd == NULL &&
        part->directory != NULL &&
        !safety_git_is_of_workspace(part->directory, work->facts->context->root))
        return N_("a repository can bring settings that run code");
    if (part->danger != NULL && !spells_out_danger(work, rule, part))
        return N_("it is dangerous, and the rule does not speak of that");
    return NULL;
}

static void follow_allows(const struct judgement_work *work, struct judgement_part *part)
{
    const char *lapse = part->lapse;
    for (size_t i = 0; i < part->matches.count && part->lapse == NULL; i++) {
        const struct rule *rule = part->matches.items[i].rule;
        if (rule->decision != RULE_ALLOW)
            continue;
        const char *why = lapse_of(work, rule, part);
        part->allowed = part->allowed || why == NULL;
        part->bypass = part->bypass || (why == NULL && rule->bypass);
        lapse = why != NULL ? why : lapse;
    }
    part->lapse = part->allowed || part->matches.decision != RULE_ALLOW ? NULL : lapse;
    if (part->matches.decision > RULE_ALLOW)
        part->allowed = part->bypass = false;
}

/* May it run what stands behind it, like a program that nobody knows? */
static bool may_launch(const struct judgement_part *part)
{
    const char *const *argv = (const char *const *)part->argv;
    return !part->known_safe && wrapper_skip(argv, strv_length(argv)) == 0 &&
           effects_may_launch(argv[0]);
}

/* Also of what it may run: any of its words can be where that begins. */
static const char *danger_of(const struct judgement_work *work, const struct judgement_part *part)
{
    const char *const *argv = (const char *const *)part->argv;
    const char *why = danger_of_words(work, part, argv);
    bool launches = why == NULL && may_launch(part);
    if (launches && strv_length(argv) > LATER_WORDS_MAX)
        return N_("it has more commands than can be looked at");
    for (size_t i = 1; launches && why == NULL && argv[i] != NULL; i++)
        why = safety_danger(argv + i);
    return why;
}

/* Rules against what it may run are asked about. */
static void match_later_words(const struct judgement_work *work, struct judgement_part *part,
                              struct rules_query *query)
{
    size_t count = strv_length((const char *const *)part->argv);
    if (!may_launch(part))
        return;
    for (size_t i = 1; i < count && part->matches.decision < RULE_PROMPT; i++) {
        struct rules_matches later = RULES_MATCHES_INIT;
        query->argv = (const char *const *)part->argv + i;
        match_rules(work, query, &later);
        if (later.decision > RULE_ALLOW)
            part->danger = N_("it may run what a rule speaks against");
        rules_matches_clear(&later);
    }
}

static void judge_part(const struct judgement_work *work, struct judgement_part *part)
{
    const struct judgement_facts *facts = work->facts;
    struct program program;
    program_find(part->argv[0], directory_of(work, part), facts->search_path, &program);
    struct rules_query query = {
        .argv = (const char *const *)part->argv,
        .cwd = part->directory,
        .project = facts->context->root,
        .project_id = work->project_id,
        .real = program.real,
        .mode = RULES_STRICT,
    };
    match_rules(work, &query, &part->matches);
    if (!part->hidden) {
        part->danger = danger_of(work, part);
        follow_allows(work, part);
        match_later_words(work, part, &query);
    }
    program_clear(&program);
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static bool downloads(const char *const *argv)
{
    const char *script = shell_wrapped_script(argv);
    if (script == NULL)
        return false;
    struct shell_tree *tree = shell_tree_new(script, strlen(script));
    bool *flows = shell_flow_downloads(tree), any = false;
    for (size_t i = 0; i < tree->count; i++)
        any = any || flows[i];
    free(flows);
    shell_tree_free(&tree);
    return any;
}

/* A danger that lies in constituents which rules allow by name is no news. */
static bool danger_is_allowed(const struct judgement_work *work)
{
    const struct judgement *judgement = work->judgement;
    bool any = false;
    for (size_t i = 0; i < judgement->count; i++) {
        const struct judgement_part *part = &judgement->parts[i];
        if (part->hidden || part->danger == NULL)
            continue;
        if (!part->allowed)
            return false;
        any = true;
    }
    return any && !downloads(work->facts->argv);
}

/* The rule that says it best: the longest of the strictest. */
static const struct rule *deciding_rule(const struct judgement *judgement, enum rule_decision what,
                                        const struct judgement_part **in)
{
    const struct rule *best = NULL;
    for (size_t i = 0; i < judgement->count; i++)
        for (size_t j = 0; j < judgement->parts[i].matches.count; j++) {
            const struct rule *rule = judgement->parts[i].matches.items[j].rule;
            if (rule->decision != what || (best != NULL && best->length >= rule->length))
                continue;
            best = rule;
            *in = &judgement->parts[i];
        }
    return best;
}

static struct wording *describe_rule(const struct judgement *judgement, enum rule_decision what)
{
    const struct judgement_part *part = NULL;
    const struct rule *rule = deciding_rule(judgement, what, &part);
    if (rule == NULL)
        return NULL;
    cleanup_strbuf struct strbuf words = STRBUF_INIT;
    const char **prefix = xcalloc(rule->length + 1, sizeof(*prefix));
    prefix[0] = rule->first;
    for (size_t i = 1; i < rule->length; i++)
        prefix[i] = part->argv[i];
    text_quote_argv(&words, prefix);
    free(prefix);
    struct wording *text = wording_new();
    if (rule->justification != NULL)
        wording_add(text, "%s (", rule->justification);
    if (what == RULE_FORBIDDEN)
        wording_add(text, N_("a rule forbids commands that start with %s"), strbuf_str(&words));
    else
        wording_add(text, N_("a rule asks about commands that start with %s"), strbuf_str(&words));
    cleanup_free char *line = xasprintf("%u", rule->line);
    wording_add(text, rule->justification != NULL ? ": %s:%s)" : ", %s:%s", rule->file, line);
    return text;
}

/* Of several that allow one is told. */
static void name_rule(struct judgement *judgement, enum rule_decision what)
{
    struct approval_requirement *requirement = &judgement->requirement;
    const struct judgement_part *part = NULL;
    const struct rule *rule =
        deciding_rule(judgement, what != RULE_NONE ? what : RULE_ALLOW, &part);
    if (rule != NULL && requirement->category == PROMPT_RULE &&
        requirement->kind != REQUIREMENT_NEEDS_APPROVAL)
        requirement->rule = xasprintf("%s:%u", rule->file, rule->line);
}

static enum rule_decision strictest_rule(const struct judgement *judgement)
{
    enum rule_decision strictest = RULE_NONE;
    for (size_t i = 0; i < judgement->count; i++)
        if (judgement->parts[i].matches.decision > strictest)
            strictest = judgement->parts[i].matches.decision;
    return strictest;
}

static struct judgement_tally count_parts(const struct judgement *judgement)
{
    struct judgement_tally tally = {.all_allowed = true, .all_bypass = true, .all_fine = true};
    size_t known = 0;
    for (size_t i = 0; i < judgement->count; i++) {
        const struct judgement_part *part = &judgement->parts[i];
        if (part->hidden)
            continue;
        known++;
        tally.all_allowed = tally.all_allowed && part->allowed;
        tally.all_bypass = tally.all_bypass && part->bypass;
        tally.needs_rule = tally.needs_rule || (part->allowed && !part->known_safe);
        if (!part->allowed && !part->known_safe && tally.asks == NULL)
            tally.asks = part;
    }
    tally.all_fine = tally.asks == NULL && known > 0;
    tally.all_allowed = tally.all_allowed && known > 0;
    tally.all_bypass =
        tally.all_bypass && tally.all_allowed && (judgement->constructs & ~THROUGH_ALWAYS) == 0;
    return tally;
}

const struct judgement_part *judgement_asks(const struct judgement *judgement)
{
    return count_parts(judgement).asks;
}

static enum rule_decision decision_of(const struct judgement *judgement)
{
    switch (judgement->requirement.kind) {
    case REQUIREMENT_FORBIDDEN:
        return RULE_FORBIDDEN;
    case REQUIREMENT_NEEDS_APPROVAL:
        return RULE_PROMPT;
    case REQUIREMENT_SKIP:
        break;
    }
    return RULE_ALLOW;
}

static void find_danger(const struct judgement_work *work, struct command_verdict *verdict)
{
    const struct judgement_facts *facts = work->facts;
    const struct judgement *judgement = work->judgement;
    const char *why = safety_danger(facts->argv);
    for (size_t i = 0; i < judgement->count && why == NULL; i++)
        if (!judgement->parts[i].hidden)
            why = judgement->parts[i].danger;
    /* Of several the gravest is the reason, as it is the first in the risk. */
    bool grave = false;
    const char *loss = loss_of_argv(facts->argv, facts->cwd, facts->writable_roots, &grave);
    if (why == NULL || grave)
        why = loss;
    verdict->danger_reason = why;
    verdict->dangerous = why != NULL && !danger_is_allowed(work);
    /* A rule that forbids one of the rest would not have been found. */
    if (work->incomplete && !verdict->dangerous) {
        verdict->danger_reason = N_("it has more commands than can be looked at");
        verdict->dangerous = true;
    }
}

static void reach_verdict(struct judgement_work *work)
{
    const struct judgement_facts *facts = work->facts;
    struct judgement *judgement = work->judgement;
    struct judgement_tally tally = count_parts(judgement);
    struct command_verdict verdict = {.rule = strictest_rule(judgement)};
    if (verdict.rule <= RULE_ALLOW)
        verdict.rule = tally.all_allowed ? RULE_ALLOW : RULE_NONE;
    verdict.all_allowed_by_rule = tally.all_bypass;
    verdict.opaque = judgement->opaque;
    verdict.of_home = judgement->opaque && shell_tree_is_of_home(judgement->opaque_reason);
    verdict.of_use = judgement->opaque && judgement->opaque_reason != NULL &&
                     shell_tree_is_of_use(judgement->opaque_reason);
    verdict.known_safe = tally.all_fine && !judgement->opaque;
    verdict.safe_by_rule = verdict.known_safe && tally.needs_rule;
    find_danger(work, &verdict);
    if (verdict.rule == RULE_ALLOW && verdict.dangerous)
        verdict.rule = RULE_NONE;
    if (facts->broken != NULL && verdict.rule < RULE_PROMPT && !verdict.known_safe) {
        verdict.rule = RULE_PROMPT;
        judgement->rule_reason = wording_from(facts->broken);
    } else if (verdict.rule > RULE_ALLOW) {
        judgement->rule_reason = describe_rule(judgement, verdict.rule);
    }
    verdict.rule_reason = judgement->rule_reason;
    cleanup_strv char **amendment = NULL;
    if (verdict.rule == RULE_NONE && !verdict.dangerous)
        amendment = judgement_find_offer(work, &tally);
    verdict.amendment = amendment;
    policy_shell_requirement(&facts->context->approval, facts->context->sandbox, facts->leaves,
                             &verdict, &judgement->requirement);
    name_rule(judgement, verdict.rule);
    judgement->decision = decision_of(judgement);
}

void judgement_make(const struct judgement_facts *facts, struct judgement *judgement)
{
    struct judgement_work work = {
        .facts = facts,
        .judgement = judgement,
        .project_id = judgement_project_id(facts->context->root),
        .program_installed = program_is_installed(facts->program, facts->writable_roots) ||
                             (facts->missing_count && facts->program->path == NULL),
        .harmless_env = environment_all_harmless(facts->env),
    };
    *judgement = (struct judgement){.parts = NULL};
    judgement_take_apart(&work);
    for (size_t i = 0; i < judgement->count; i++)
        judge_part(&work, &judgement->parts[i]);
    reach_verdict(&work);
    free(work.project_id);
}

void judgement_clear(struct judgement *judgement)
{
    for (size_t i = 0; i < judgement->count; i++) {
        strv_free(&judgement->parts[i].argv);
        free(judgement->parts[i].directory);
        rules_matches_clear(&judgement->parts[i].matches);
    }
    free(judgement->parts);
    free(judgement->cd);
    approval_requirement_clear(&judgement->requirement);
    wording_free(&judgement->rule_reason);
    strv_free(&judgement->shared);
    strv_free(&judgement->last);
    *judgement = (struct judgement){.parts = NULL};
}

enum requirement_kind judgement_with_rule(const struct judgement_facts *facts, const char *line)
{
    struct judgement_facts with = *facts;
    struct judgement judgement;
    struct rules_source source = {.path = "rule", .layer = RULES_SESSION};
    enum requirement_kind kind = REQUIREMENT_FORBIDDEN;
    struct rules *rules = rules_new();
    with.rules[JUDGEMENT_RULES - 1] = rules;
    if (rules_add_text(rules, line, strlen(line), &source, NULL) == 0) {
        judgement_make(&with, &judgement);
        kind = judgement.requirement.kind;
        judgement_clear(&judgement);
    }
    rules_free(&rules);
    return kind;
}

/* ---- rules that only report ------------------------------------------------------------------ */

static const struct rule *strictest_shadow(const struct judgement *judgement)
{
    const struct rule *strictest = NULL;
    for (size_t i = 0; i < judgement->count; i++)
        for (size_t j = 0; j < judgement->parts[i].matches.count; j++) {
            const struct rule *rule = judgement->parts[i].matches.items[j].rule;
            if (rule->shadow && (strictest == NULL || rule->decision > strictest->decision))
                strictest = rule;
        }
    return strictest;
}

const struct rule *judgement_shadow(const struct judgement_facts *facts,
                                    struct judgement *judgement)
{
    struct judgement_facts with = *facts;
    size_t count = 0;
    for (size_t i = 0; i < JUDGEMENT_RULES; i++)
        count += facts->rules[i] != NULL ? rules_shadow_count(facts->rules[i]) : 0;
    if (count == 0)
        return NULL;
    with.shadow = true;
    judgement_make(&with, judgement);
    const struct rule *rule = strictest_shadow(judgement);
    if (rule == NULL)
        judgement_clear(judgement);
    return rule;
}
