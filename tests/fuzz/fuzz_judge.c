/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a command, once as words between blanks and once as the script of a shell: all
 * that looks at a call when it arrives, on the console's own loop, must come to an end. What it
 * says must hold together.
 */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "approval/judgement.h"
#include "approval/ladder.h"
#include "approval/prompt.h"
#include "approval/scripts.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "command/carried.h"
#include "command/handover.h"
#include "command/loader.h"
#include "command/wrapper.h"
#include "risk/assessment.h"
#include "risk/loss.h"
#include "risk/mask.h"
#include "risk/push_target.h"

#define SEARCH_PATH "/usr/bin:/bin"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* ---- the workspace --------------------------------------------------------------------------- */

static const char rules_text[] = "prefix_rule([\"ls\"])\n"
                                 "prefix_rule([\"git\", [\"push\", \"pull\"]], \"prompt\")\n"
                                 "prefix_rule([\"sudo\"], \"forbidden\")\n"
                                 "prefix_rule([\"make\", \"check\"], exact=True)\n";

static struct world {
    char root[32];
    struct turn_context *context;
    char **roots;
    struct rules *rules;
} world;

static void close_world(void)
{
    cleanup_free char *script = xasprintf("%s/run.sh", world.root);
    unlink(script);
    rmdir(world.root);
    rules_free(&world.rules);
    strv_free(&world.roots);
    turn_context_unref(&world.context);
}

/* Made once: a script, and nothing else. */
static void open_world(void)
{
    const struct rules_source source = {.path = "default.rules", .layer = RULES_USER};
    struct approval_policy approval;
    strcpy(world.root, "/tmp/fuzz-judge-XXXXXX");
    must(mkdtemp(world.root) != NULL);
    cleanup_free char *script = xasprintf("%s/run.sh", world.root);
    must(fd_replace_file(script, "#!/bin/sh\nrm -rf x\n", 19, 0700) == 0);
    must(approval_policy_parse("on-request", &approval, NULL) == 0);
    struct sandbox_policy *sandbox = sandbox_policy_new_workspace_write(world.root);
    world.context = turn_context_new(&approval, sandbox, SANDBOX_AUTO, world.root);
    world.roots = turn_context_writable_roots(world.context);
    world.rules = rules_new();
    must(rules_add_text(world.rules, rules_text, strlen(rules_text), &source, NULL) == 0);
    sandbox_policy_free(&sandbox);
    atexit(close_world);
}

/* ---- what looks at it ------------------------------------------------------------------------ */

static void try_words(const char *const *argv)
{
    size_t count = strv_length(argv), index = 0, last = 0;
    struct carried carried;
    must(wrapper_skip(argv, count) <= count);
    (void)wrapper_raises(argv, count);
    (void)wrapper_moves(argv, count);
    free(wrapper_core(argv, count));
    cleanup_free char *script = wrapper_script(argv, count, &index);
    must(script == NULL || index < count);
    for (size_t at = 0; carried_next(argv, count, &at, &carried); last = at) {
        free(carried.script);
        must(at > last);
    }
    (void)handover_is_interpreter(argv[0]);
    (void)handover_find(argv, 1);
    for (int builds_only = 0; builds_only <= 1; builds_only++) {
        const struct loader_context context = {
            .cwd = world.root,
            .root = world.root,
            .writable_roots = (const char *const *)world.roots,
            .search_path = SEARCH_PATH,
            .builds_only = builds_only != 0,
        };
        (void)loader_reason(argv, &context);
    }
}

static void try_judgement(const char *const *argv)
{
    struct program program;
    program_find(argv[0], world.root, SEARCH_PATH, &program);
    struct judgement_facts facts = {
        .argv = argv,
        .cwd = world.root,
        .context = world.context,
        .writable_roots = (const char *const *)world.roots,
        .program = &program,
        .search_path = SEARCH_PATH,
        .rules = {world.rules},
        .missing_count = true,
    };
    struct judgement judgement;
    judgement_make(&facts, &judgement);
    must(judgement.count > 0 || judgement.opaque);
    judgement_clear(&judgement);
    for (int bypass = 0; bypass <= 1; bypass++) {
        struct ladder *ladder = ladder_new(&facts, bypass != 0);
        must(ladder == NULL || ladder->first < ladder->count);
        ladder_free(&ladder);
        (void)ladder_refusal(&facts, bypass != 0);
    }
    program_clear(&program);
}

static void try_risk(const char *const *argv)
{
    const char *const *roots = (const char *const *)world.roots;
    struct assessment assessment;
    struct push_target target;
    cleanup_free char *line = NULL;
    bool grave;
    assessment_of_argv(argv, world.root, roots, &assessment, &line);
    must(assessment.description[0] != '\0');
    for (size_t i = 0; i < assessment.evidence_count; i++)
        must(assessment.evidence[i].start <= assessment.evidence[i].end &&
             assessment.evidence[i].end <= strlen(line));
    free(assessment_describe(&assessment));
    (void)loss_of_argv(argv, world.root, roots, &grave);
    if (push_target_find(argv, world.root, NULL, &target))
        push_target_clear(&target);
    struct scripts *scripts = scripts_note(argv, world.root, NULL, roots);
    scripts_free(&scripts);
    struct mask_words masked = {.words = argv};
    for (char *word; (word = mask_next_word(&masked)) != NULL;)
        free(word);
    cleanup_free char *shown = prompt_command_line(argv, true);
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    mask_command(&text, shown, strlen(shown));
}

static void try_all(const char *const *argv)
{
    try_words(argv);
    try_judgement(argv);
    try_risk(argv);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The first has to be something; of the others some may be empty. */
static void try_as_words(const char *text)
{
    cleanup_strv char **argv = NULL;
    size_t count = 0;
    for (const char *at = text + strspn(text, " "); *at != '\0'; at += *at == ' ') {
        size_t length = strcspn(at, " ");
        argv = xreallocarray(argv, count + 2, sizeof(*argv));
        argv[count++] = xstrndup(at, length);
        argv[count] = NULL;
        at += length;
    }
    if (count > 0)
        try_all((const char *const *)argv);
}

static void try_as_script(const char *text)
{
    const char *const argv[] = {"bash", "-c", text, NULL};
    try_all(argv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (world.rules == NULL)
        open_world();
    cleanup_free char *text = xstrndup((const char *)data, size);
    try_as_words(text);
    try_as_script(text);
    return 0;
}
