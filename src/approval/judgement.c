/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/judgement.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/carried.h"
#include "command/environment.h"
#include "command/handover.h"
#include "command/parts.h"
#include "command/safety.h"
#include "command/shell_flow.h"
#include "command/wrapper.h"
#include "risk/effects.h"
#include "risk/loss.h"

/* Scripts in scripts, programs in programs. */
#define NESTING_MAX 6
#define PARTS_MAX 4096
/* Words of a program that may run another, each of which is looked at as if it were that one. */
#define LATER_WORDS_MAX 1000

/* What a rule may look through when it allows a constituent: nothing here changes what runs. The
 * others change where it runs or what it writes. */
#define THROUGH_ALWAYS                                                                             \
    ((unsigned)(SHELL_NULL_REDIRECT | SHELL_PROSE | SHELL_STATUS | SHELL_LOOKUP | SHELL_BANG))
/* Inside the sandbox also a `cd` within the workspace, patterns, harmless variables, and text of
 * here-documents. */
#define THROUGH_INSIDE                                                                             \
    (THROUGH_ALWAYS | (unsigned)(SHELL_CD | SHELL_GLOB | SHELL_ENV_PREFIX |                        \
                                 SHELL_HEREDOC_LITERAL | SHELL_HEREDOC_INPUT))

struct work {
    const struct judgement_facts *facts;
    struct judgement *judgement;
    char *project_id;
    bool program_installed;
    bool harmless_env;
    bool incomplete; /* it runs more than was taken apart */
};

char *judgement_project_id(const char *root)
{
    struct stat status;
    if (stat(root, &status) != 0)
        return NULL;
    return xasprintf("%llu:%llu", (unsigned long long)status.st_dev,
                     (unsigned long long)status.st_ino);
}

/* ---- taking apart ---------------------------------------------------------------------------- */

static struct judgement_part *add_part(struct work *work, const char *const *argv, size_t count,
                                       bool hidden)
{
    struct judgement *judgement = work->judgement;
    judgement->parts =
        xreallocarray(judgement->parts, judgement->count + 1, sizeof(*judgement->parts));
    struct judgement_part *part = &judgement->parts[judgement->count++];
    *part =
        (struct judgement_part){.hidden = hidden, .matches = RULES_MATCHES_INIT, .literal = count};
    part->argv = xcalloc(count + 1, sizeof(*part->argv));
    for (size_t i = 0; i < count; i++)
        part->argv[i] = xstrdup(argv[i]);
    return part;
}

static void add_hidden_script(struct work *work, const char *script, size_t length,
                              unsigned nesting);
static void add_hidden_words(struct work *work, const char *const *words, size_t count,
                             unsigned nesting);

/* What a program carries among its words, as find -exec. */
static void add_carried(struct work *work, const char *const *words, size_t count, unsigned nesting)
{
    struct carried carried;
    for (size_t at = 0; carried_next(words, count, &at, &carried); free(carried.script)) {
        if (carried.script != NULL) {
            add_hidden_script(work, carried.script, strlen(carried.script), nesting + 1);
            continue;
        }
        add_part(work, carried.words, carried.count, true);
        add_hidden_words(work, carried.words, carried.count, nesting + 1);
    }
}

/* What a command runs in turn: behind wrappers, in `-c SCRIPT`, among its words. */
static void add_hidden_words(struct work *work, const char *const *words, size_t count,
                             unsigned nesting)
{
    size_t index, start = wrapper_skip(words, count);
    if (nesting > NESTING_MAX || work->judgement->count > PARTS_MAX) {
        work->incomplete = true;
        return;
    }
    cleanup_free char *script = wrapper_script(words, count, &index);
    if (script != NULL)
        add_hidden_script(work, script, strlen(script), nesting + 1);
    /* Each wrapper on the way too: `env sudo id` is a `sudo id`. */
    for (size_t i = 1; i <= start && i < count; i++)
        if (words[i][0] != '-')
            add_part(work, words + i, count - i, true);
    cleanup_free const char **core = wrapper_core(words, count);
    size_t length = core != NULL ? strv_length(core) : 0;
    if (core != NULL && length != count - start)
        add_part(work, core, length, true);
    add_carried(work, words + start, count - start, nesting);
}

/* What a shell in the script reads as code from its standard input. */
static void add_hidden_input(struct work *work, const struct shell_tree *tree, size_t index,
                             unsigned nesting)
{
    cleanup_free char *code = nesting < NESTING_MAX ? shell_flow_code(tree, index) : NULL;
    if (code != NULL)
        add_hidden_script(work, code, strlen(code), nesting + 1);
}

static void add_hidden_script(struct work *work, const char *script, size_t length,
                              unsigned nesting)
{
    struct shell_tree *tree = shell_tree_new(script, length);
    for (size_t i = 0; i < tree->count; i++) {
        const struct shell_node *node = &tree->nodes[i];
        if (node->kind != SHELL_COMMAND || node->word_count == 0)
            continue;
        cleanup_free const char **words = shell_tree_argv(node);
        add_part(work, words, node->word_count, true);
        add_hidden_words(work, words, node->word_count, nesting);
        add_hidden_input(work, tree, i, nesting);
    }
    shell_tree_free(&tree);
}

/* How many words stand in front of the first that is a pattern or holds a $?. */
static size_t literal_words(const struct command_parts *parts, size_t index, size_t count)
{
    const struct shell_node *node =
        index < parts->script.count ? parts->script.commands[index].node : NULL;
    size_t literal = 0;
    while (literal < count && (node == NULL || node->words[literal].literal))
        literal++;
    return literal;
}

/* May a rule allow it where it runs and with what was looked through? */
static const char *place_lapse(const struct work *work, const struct command_part *known)
{
    const struct judgement_facts *facts = work->facts;
    if (known->directory == NULL || (strcmp(known->directory, facts->cwd) != 0 &&
                                     !path_is_beneath(known->directory, facts->context->root)))
        return N_("it runs outside the workspace, or in a directory that is not known");
    unsigned through = THROUGH_INSIDE;
    if (known->inside && sandbox_policy_is_restricted(facts->context->sandbox))
        through |= SHELL_WORKSPACE_REDIRECT; /* when the rule says so: lapse_of */
    if ((known->constructs & ~through) != 0)
        return N_("it redirects or computes what the rule does not speak of");
    return NULL;
}

static bool is_missing(const struct work *work, const char *name)
{
    struct program program;
    program_find(name, work->facts->cwd, work->facts->search_path, &program);
    bool missing = program.path == NULL;
    program_clear(&program);
    return missing;
}

static void add_known(struct work *work, const struct command_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        const struct command_part *known = &parts->list[i];
        size_t count = strv_length(known->argv);
        struct judgement_part *part = add_part(work, known->argv, count, false);
        part->known_safe = known->safe;
        part->missing = !known->installed && is_missing(work, known->argv[0]);
        part->installed = known->installed || (part->missing && work->facts->missing_count);
        part->directory = known->directory != NULL ? xstrdup(known->directory) : NULL;
        part->literal = literal_words(parts, i, count);
        part->lapse = place_lapse(work, known);
        part->redirects = known->redirects;
    }
}

static void add_hidden_of_known(struct work *work)
{
    for (size_t i = 0, known = work->judgement->count; i < known; i++) {
        /* The words stay where they are when parts are added. */
        const char *const *argv = (const char *const *)work->judgement->parts[i].argv;
        add_hidden_words(work, argv, strv_length(argv), 0);
    }
}

/* What read_rule names; nothing while a file cannot be read, which may say otherwise. */
static char **places_of(const struct work *work)
{
    const struct judgement_facts *facts = work->facts;
    char **places = NULL;
    for (size_t i = 0; i < JUDGEMENT_RULES && facts->broken == NULL; i++)
        if (facts->rules[i] != NULL)
            rules_add_places(facts->rules[i], facts->context->root, work->project_id, &places);
    return places;
}

static void take_apart(struct work *work)
{
    const struct judgement_facts *facts = work->facts;
    struct judgement *judgement = work->judgement;
    cleanup_strv char **places = places_of(work);
    struct safety_context context = {
        .cwd = facts->cwd,
        .root = facts->context->root,
        .writable_roots = facts->writable_roots,
        .places = (const char *const *)places,
        .program = work->program_installed ? facts->program->path : NULL,
        .search_path = facts->search_path,
        .has_env = !work->harmless_env,
        .has_stdin = facts->agent_input,
    };
    struct command_parts parts;
    command_parts_read(facts->argv, &context, &parts);
    judgement->opaque = !parts.exact;
    judgement->opaque_reason = parts.reason;
    judgement->constructs = parts.constructs;
    add_known(work, &parts);
    if (parts.exact && parts.script.directory != NULL)
        judgement->cd = xstrdup(parts.script.directory);
    add_hidden_of_known(work);
    for (size_t i = 0; i < parts.script.count; i++)
        add_hidden_input(work, parts.script.tree, i, 0);
    command_parts_clear(&parts);
    const char *script = shell_wrapped_script(facts->argv);
    if (script != NULL)
        add_part(work, facts->argv, strv_length(facts->argv), true);
    if (script != NULL && judgement->opaque)
        add_hidden_script(work, script, strlen(script), 0);
}

/* ---- rules ----------------------------------------------------------------------------------- */

static void match_rules(const struct work *work, const struct rules_query *asked,
                        struct rules_matches *matches)
{
    struct rules_query query = *asked;
    query.shadow = work->facts->shadow;
    for (size_t i = 0; i < JUDGEMENT_RULES; i++)
        if (work->facts->rules[i] != NULL)
            rules_match(work->facts->rules[i], &query, matches);
}

/* Where the part runs, as far as that is known. */
static const char *directory_of(const struct work *work, const struct judgement_part *part)
{
    return part->directory != NULL ? part->directory : work->facts->cwd;
}

/* By its words, or by what they do in the end. */
static const char *danger_of_words(const struct work *work, const struct judgement_part *part,
                                   const char *const *words)
{
    const char *why = safety_danger(words);
    return why != NULL ? why
                       : loss_of_argv(words, directory_of(work, part), work->facts->writable_roots);
}

/* Do the rule's own words say what makes the command dangerous? */
static bool spells_out_danger(const struct work *work, const struct rule *rule,
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
static const char *lapse_of(const struct work *work, const struct rule *rule,
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

static void follow_allows(const struct work *work, struct judgement_part *part)
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
static const char *danger_of(const struct work *work, const struct judgement_part *part)
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
static void match_later_words(const struct work *work, struct judgement_part *part,
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

static void judge_part(const struct work *work, struct judgement_part *part)
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
static bool danger_is_allowed(const struct work *work)
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

static enum rule_decision strictest_rule(const struct judgement *judgement)
{
    enum rule_decision strictest = RULE_NONE;
    for (size_t i = 0; i < judgement->count; i++)
        if (judgement->parts[i].matches.decision > strictest)
            strictest = judgement->parts[i].matches.decision;
    return strictest;
}

struct tally {
    bool all_allowed, all_bypass, all_fine; /* of the known parts; false when there are none */
    bool needs_rule;                        /* one is fine by a rule alone */
    const struct judgement_part *asks;      /* the first that is neither allowed nor safe */
};

static struct tally count_parts(const struct judgement *judgement)
{
    struct tally tally = {.all_allowed = true, .all_bypass = true, .all_fine = true};
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

static bool covers_others(const struct judgement *judgement, const struct judgement_part *asks,
                          const char *const *prefix)
{
    size_t length = strv_length(prefix);
    for (size_t i = 0; i < judgement->count; i++) {
        const struct judgement_part *part = &judgement->parts[i];
        bool same = strv_length((const char *const *)part->argv) >= length;
        if (part->hidden || part->allowed || part->known_safe || part == asks)
            continue;
        for (size_t j = 0; same && j < length; j++)
            same = strcmp(prefix[j], part->argv[j]) == 0;
        if (!same)
            return false;
    }
    return true;
}

/* The prefix that may be offered: it makes the whole command pass, or nothing is offered. */
static char **find_amendment(const struct work *work, const struct tally *tally)
{
    const struct judgement_part *asks = tally->asks;
    if (asks == NULL || asks->lapse != NULL || asks->danger != NULL || work->facts->leaves ||
        !work->program_installed || !work->harmless_env)
        return NULL;
    const char *const *argv = (const char *const *)asks->argv;
    char **prefix = safety_amendment(argv);
    if (prefix == NULL && !handover_is_interpreter(argv[0]))
        prefix = strv_copy(argv); /* exactly this */
    if (prefix == NULL)
        return NULL;
    bool good = handover_find(argv, strv_length((const char *const *)prefix)) == NULL &&
                covers_others(work->judgement, asks, (const char *const *)prefix);
    if (!good)
        strv_free(&prefix);
    return prefix;
}

/* The prefix that may be offered for a constituent, or NULL. */
static char **part_prefix(const struct judgement_part *part)
{
    const char *const *argv = (const char *const *)part->argv;
    char **prefix = part->lapse == NULL && part->danger == NULL ? safety_amendment(argv) : NULL;
    if (prefix != NULL && handover_find(argv, strv_length((const char *const *)prefix)) != NULL)
        strv_free(&prefix);
    return prefix;
}

static bool has_word(char *const *words, const char *word)
{
    for (size_t i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

/* Takes a prefix into the family: the first founds it. False when it does not belong to it. */
static bool join_family(struct judgement *judgement, char *const *prefix)
{
    size_t length = strv_length((const char *const *)prefix), count = 0;
    if (length < 2)
        return false;
    if (judgement->shared == NULL) {
        judgement->shared = strv_copy((const char *const *)prefix);
        free(judgement->shared[length - 1]);
        judgement->shared[length - 1] = NULL;
        judgement->last = xcalloc(judgement->count + 1, sizeof(*judgement->last));
    }
    if (strv_length((const char *const *)judgement->shared) != length - 1)
        return false;
    for (size_t i = 0; i + 1 < length; i++)
        if (strcmp(judgement->shared[i], prefix[i]) != 0)
            return false;
    while (judgement->last[count] != NULL)
        count++;
    if (!has_word(judgement->last, prefix[length - 1]))
        judgement->last[count] = xstrdup(prefix[length - 1]);
    return true;
}

/* One rule that makes the whole command pass, where no one prefix does. */
static void find_family(const struct work *work)
{
    struct judgement *judgement = work->judgement;
    bool family = !work->facts->leaves && work->program_installed && work->harmless_env;
    for (size_t i = 0; family && i < judgement->count; i++) {
        const struct judgement_part *part = &judgement->parts[i];
        if (part->hidden || part->allowed || part->known_safe)
            continue;
        cleanup_strv char **prefix = part_prefix(part);
        family = prefix != NULL && join_family(judgement, prefix);
    }
    if (family && judgement->last != NULL && judgement->last[0] != NULL &&
        judgement->last[1] != NULL)
        return;
    strv_free(&judgement->shared);
    strv_free(&judgement->last);
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

static void reach_verdict(struct work *work)
{
    const struct judgement_facts *facts = work->facts;
    struct judgement *judgement = work->judgement;
    struct tally tally = count_parts(judgement);
    struct command_verdict verdict = {.rule = strictest_rule(judgement)};
    if (verdict.rule <= RULE_ALLOW)
        verdict.rule = tally.all_allowed ? RULE_ALLOW : RULE_NONE;
    verdict.all_allowed_by_rule = tally.all_bypass;
    verdict.known_safe = tally.all_fine && !judgement->opaque;
    verdict.safe_by_rule = verdict.known_safe && tally.needs_rule;
    verdict.danger_reason = safety_danger(facts->argv);
    for (size_t i = 0; i < judgement->count && verdict.danger_reason == NULL; i++)
        if (!judgement->parts[i].hidden)
            verdict.danger_reason = judgement->parts[i].danger;
    if (verdict.danger_reason == NULL)
        verdict.danger_reason = loss_of_argv(facts->argv, facts->cwd, facts->writable_roots);
    verdict.dangerous = verdict.danger_reason != NULL && !danger_is_allowed(work);
    /* A rule that forbids one of the rest would not have been found. */
    if (work->incomplete && !verdict.dangerous) {
        verdict.danger_reason = N_("it has more commands than can be looked at");
        verdict.dangerous = true;
    }
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
        amendment = find_amendment(work, &tally);
    if (verdict.rule == RULE_NONE && !verdict.dangerous && amendment == NULL)
        find_family(work);
    verdict.amendment = amendment;
    policy_shell_requirement(&facts->context->approval, facts->context->sandbox, facts->leaves,
                             &verdict, &judgement->requirement);
    judgement->decision = decision_of(judgement);
}

void judgement_make(const struct judgement_facts *facts, struct judgement *judgement)
{
    struct work work = {
        .facts = facts,
        .judgement = judgement,
        .project_id = judgement_project_id(facts->context->root),
        .program_installed = program_is_installed(facts->program, facts->writable_roots) ||
                             (facts->missing_count && facts->program->path == NULL),
        .harmless_env = environment_all_harmless(facts->env),
    };
    *judgement = (struct judgement){.parts = NULL};
    take_apart(&work);
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
