/* SPDX-License-Identifier: MIT */
/* judgement_parts: a call taken apart into its constituents, those that it shows and those that
 * are hidden in scripts, wrappers and other programs' words. */
#include "config.h"

#include <string.h>

#include "approval/judgement-int.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/path.h"
#include "command/carried.h"
#include "command/parts.h"
#include "command/safety.h"
#include "command/shell_flow.h"
#include "command/wrapper.h"

/* Inside the sandbox also a `cd` within the workspace, patterns, harmless variables, and text of
 * here-documents. */
#define THROUGH_INSIDE                                                                             \
    (THROUGH_ALWAYS | (unsigned)(SHELL_CD | SHELL_GLOB | SHELL_ENV_PREFIX |                        \
                                 SHELL_HEREDOC_LITERAL | SHELL_HEREDOC_INPUT))

/* Scripts in scripts, programs in programs. */
#define NESTING_MAX 6
#define PARTS_MAX 4096
#define HIDDEN_WORDS_MAX                                                                           \
    ((size_t)64 * 1024) /* in all hidden parts: `env env env …` has a part each */

static struct judgement_part *add_part(struct judgement_work *work, const char *const *argv,
                                       size_t count, bool hidden)
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

static void add_hidden(struct judgement_work *work, const char *const *argv, size_t count)
{
    work->hidden_words += count;
    if (work->hidden_words > HIDDEN_WORDS_MAX || work->judgement->count > PARTS_MAX)
        work->incomplete = true;
    else
        add_part(work, argv, count, true);
}

static void add_hidden_script(struct judgement_work *work, const char *script, size_t length,
                              unsigned nesting);
static void add_hidden_words(struct judgement_work *work, const char *const *words, size_t count,
                             unsigned nesting);

/* What a program carries among its words, as find -exec. */
static void add_carried(struct judgement_work *work, const char *const *words, size_t count,
                        unsigned nesting)
{
    struct carried carried;
    for (size_t at = 0, found = 0; !work->incomplete && carried_next(words, count, &at, &carried);
         free(carried.script)) {
        if (++found > CARRIED_MAX) {
            work->incomplete = true;
        } else if (carried.script != NULL) {
            add_hidden_script(work, carried.script, strlen(carried.script), nesting + 1);
        } else {
            add_hidden(work, carried.words, carried.count);
            add_hidden_words(work, carried.words, carried.count, nesting + 1);
        }
    }
}

/* What a command runs in turn: behind wrappers, in `-c SCRIPT`, among its words. */
static void add_hidden_words(struct judgement_work *work, const char *const *words, size_t count,
                             unsigned nesting)
{
    size_t index, start = wrapper_skip(words, count);
    work->incomplete = work->incomplete || nesting > NESTING_MAX;
    if (work->incomplete)
        return;
    cleanup_free char *script = wrapper_script(words, count, &index);
    if (script != NULL)
        add_hidden_script(work, script, strlen(script), nesting + 1);
    /* Each wrapper on the way too: `env sudo id` is a `sudo id`. */
    for (size_t i = 1; i <= start && i < count && !work->incomplete; i++)
        if (words[i][0] != '-')
            add_hidden(work, words + i, count - i);
    cleanup_free const char **core = wrapper_core(words, count);
    size_t length = core != NULL ? strv_length(core) : 0;
    if (core != NULL && length != count - start)
        add_hidden(work, core, length);
    add_carried(work, words + start, count - start, nesting);
}

/* What a shell in the script reads as code from its standard input. */
static void add_hidden_input(struct judgement_work *work, const struct shell_tree *tree,
                             size_t index, unsigned nesting)
{
    cleanup_free char *code = nesting < NESTING_MAX ? shell_flow_code(tree, index) : NULL;
    if (code != NULL)
        add_hidden_script(work, code, strlen(code), nesting + 1);
}

static void add_hidden_script(struct judgement_work *work, const char *script, size_t length,
                              unsigned nesting)
{
    struct shell_tree *tree = shell_tree_new(script, length);
    for (size_t i = 0; i < tree->count && !work->incomplete; i++) {
        const struct shell_node *node = &tree->nodes[i];
        if (node->kind != SHELL_COMMAND || node->word_count == 0)
            continue;
        cleanup_free const char **words = shell_tree_argv(node);
        add_hidden(work, words, node->word_count);
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
static const char *place_lapse(const struct judgement_work *work, const struct command_part *known)
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

static bool is_missing(const struct judgement_work *work, const char *name)
{
    struct program program;
    program_find(name, work->facts->cwd, work->facts->search_path, &program);
    bool missing = program.path == NULL;
    program_clear(&program);
    return missing;
}

static void add_known(struct judgement_work *work, const struct command_parts *parts)
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

static void add_hidden_of_known(struct judgement_work *work)
{
    for (size_t i = 0, known = work->judgement->count; i < known; i++) {
        /* The words stay where they are when parts are added. */
        const char *const *argv = (const char *const *)work->judgement->parts[i].argv;
        add_hidden_words(work, argv, strv_length(argv), 0);
    }
}

/* What read_rule names; nothing while a file cannot be read, which may say otherwise. */
static char **places_of(const struct judgement_work *work)
{
    const struct judgement_facts *facts = work->facts;
    char **places = NULL;
    for (size_t i = 0; i < JUDGEMENT_RULES && facts->broken == NULL; i++)
        if (facts->rules[i] != NULL)
            rules_add_places(facts->rules[i], facts->context->root, work->project_id, &places);
    return places;
}

void judgement_take_apart(struct judgement_work *work)
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
        add_hidden(work, facts->argv, strv_length(facts->argv));
    if (script != NULL && judgement->opaque)
        add_hidden_script(work, script, strlen(script), 0);
}
