/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "judge_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"

#define SEARCH_PATH "/usr/local/bin:/usr/bin:/bin"

static struct rules *rules_of(const char *text)
{
    struct rules *rules = rules_new();
    struct error error = ERROR_INIT;
    const struct rules_source source = {.path = "default.rules", .layer = RULES_USER};
    if (rules_add_text(rules, text, strlen(text), &source, &error) != 0)
        fail_msg("%s", error.message);
    return rules;
}

void judge_script(const struct judge_case *asked, struct judgement *judgement,
                  struct ladder **ladder)
{
    struct error error = ERROR_INIT;
    struct approval_policy approval;
    assert_int_equal(approval_policy_parse(asked->policy, &approval, &error), 0);
    struct sandbox_policy *sandbox = sandbox_policy_new_workspace_write(asked->root);
    struct turn_context *context = turn_context_new(&approval, sandbox, SANDBOX_AUTO, asked->root);
    cleanup_strv char **roots = turn_context_writable_roots(context);
    struct rules *rules = rules_of(asked->rules);
    const char *argv[] = {"bash", "-lc", asked->script, NULL};
    const char *env[] = {asked->env, NULL};
    struct program program;
    program_find(argv[0], asked->root, SEARCH_PATH, &program);
    const struct judgement_facts facts = {
        .argv = argv,
        .env = env,
        .cwd = asked->root,
        .context = context,
        .writable_roots = (const char *const *)roots,
        .program = &program,
        .search_path = SEARCH_PATH,
        .rules = {rules},
        .broken = asked->broken,
        .missing_count = true,
    };
    judgement_make(&facts, judgement);
    if (ladder != NULL)
        *ladder = ladder_new(&facts, false);
    program_clear(&program);
    rules_free(&rules);
    turn_context_unref(&context);
    sandbox_policy_free(&sandbox);
}
