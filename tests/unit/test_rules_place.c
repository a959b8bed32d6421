/* SPDX-License-Identifier: MIT */
/* Directories beside the workspace that may be read unasked, and what is tried to get more. */
#include "config.h"

#include "approval/judgement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "judge_fixture.h"
#include "tree_fixture.h"

/* BASE/project is the workspace, BASE/other may be read. */
struct place {
    char *base, *root, *other;
};

static int set_up(void **state)
{
    struct place *place = XNEW(struct place);
    place->base = tree_new();
    place->root = xasprintf("%s/project", place->base);
    place->other = xasprintf("%s/other", place->base);
    tree_write(place->base, "project/f", "text\n", 0644);
    tree_write(place->base, "project/ls", "text\n", 0755);
    tree_write(place->base, "other/f", "text\n", 0644);
    tree_write(place->base, "other/ls", "text\n", 0755);
    tree_write(place->base, "other/.env", "text\n", 0644);
    tree_write(place->base, "other/deep/g", "text\n", 0644);
    tree_write(place->base, "other/nested/.git/HEAD", "text\n", 0644);
    tree_write(place->base, "other-evil/f", "text\n", 0644);
    tree_write(place->base, "secret", "text\n", 0644);
    cleanup_free char *link = xasprintf("%s/link", place->other);
    cleanup_free char *target = xasprintf("%s/secret", place->base);
    *state = place;
    return symlink(target, link);
}

static int tear_down(void **state)
{
    struct place *place = *state;
    int result = tree_remove(place->base);
    free(place->root);
    free(place->other);
    free(place);
    return result;
}

/* "@" in it stands for the directory that all lies in. */
static char *expand(const struct place *place, const char *text)
{
    struct strbuf out = STRBUF_INIT;
    for (; *text != '\0'; text++) {
        if (*text == '@')
            strbuf_addstr(&out, place->base);
        else
            strbuf_addch(&out, *text);
    }
    return strbuf_steal(&out);
}

struct asked {
    enum requirement_kind kind;
    bool bypass;
    struct ladder *ladder;
};

static struct asked ask(const struct place *place, const char *rule, const char *script,
                        const char *broken)
{
    struct asked asked = {.ladder = NULL};
    cleanup_free char *line = expand(place, rule), *words = expand(place, script);
    struct judgement judgement;
    judge_script(&(struct judge_case){.root = place->root,
                                      .policy = "untrusted",
                                      .rules = line,
                                      .script = words,
                                      .broken = broken},
                 &judgement, &asked.ladder);
    asked.kind = judgement.requirement.kind;
    asked.bypass = judgement.requirement.bypass_sandbox;
    judgement_clear(&judgement);
    return asked;
}

static bool passes(const struct place *place, const char *rule, const char *script,
                   const char *broken)
{
    struct asked asked = ask(place, rule, script, broken);
    ladder_free(&asked.ladder);
    assert_false(asked.bypass); /* reading never leaves the sandbox */
    return asked.kind == REQUIREMENT_SKIP;
}

#define RULE "read_rule(path=\"@/other\")"

static void what_only_reads_passes(void **state)
{
    static const char *const scripts[] = {
        "cat @/other/f",          "cd @/other && cat f", "cd @/other/deep && ls -la ..",
        "ls @/other | head -3",   "grep -rn x @/other",  "cat f @/other/f",
        "cd @/other && git log",  "git -C @/other log",  "sed -n '1,3p' @/other/deep/g",
        "find @/other -name '*'",
    };
    for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++) {
        if (!passes(*state, RULE, scripts[i], NULL))
            fail_msg("%s is asked about", scripts[i]);
        if (passes(*state, "", scripts[i], NULL))
            fail_msg("%s is not asked about without the rule", scripts[i]);
    }
}

static void nothing_else_does(void **state)
{
    static const char *const scripts[] = {
        "cat @/other-evil/f",
        "cat @/other/../secret",
        "cat @/other/link",
        "cat @/other/.env",
        "cat @/secret",
        "cat @/other/f @/secret",
        "cd @/other && cat ../secret",
        "cd @/other && cat link",
        "rm @/other/f",
        "cd @/other && rm f",
        "cd @/other && touch new",
        "sort -o @/other/f f",
        "sed -i s/a/b/ @/other/f",
        "echo x > @/other/f",
        "cat f > @/other/f",
        "find @/other -delete",
        "find @/other -exec cat {} +",
        "cd @/other && ./ls",
        "cd @/other && @/project/ls",
        "./ls @/other",
        "cd @/other && git commit -m x",
        "cd @/other/nested && git log",
        "git -C @/other/nested log",
        "git -C @/other -c core.pager=x log",
        "cd @/other && make",
        "cd @/other && bash f",
        "cd @/other && cat $(cat f)",
        "PATH=@/other:$PATH ls",
        "cd @/other; cd ../other-evil && cat f",
        "cd @/other && cat f && rm -rf deep",
    };
    for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++)
        if (passes(*state, RULE, scripts[i], NULL))
            fail_msg("%s is not asked about", scripts[i]);
}

static void the_rule_is_narrow(void **state)
{
    const char *script = "cat @/other/f";
    assert_true(passes(*state, "read_rule(path=\"@/other\", project=\"@/project\")", script, NULL));
    assert_false(
        passes(*state, "read_rule(path=\"@/other\", project=\"@/elsewhere\")", script, NULL));
    assert_false(passes(*state, "read_rule(path=\"@/other\", project_id=\"1:1\")", script, NULL));
    /* A file that cannot be read may forbid it. */
    assert_false(passes(*state, RULE, script, "x.rules:1:1: damaged"));
    /* What is forbidden stays so. */
    assert_false(
        passes(*state, RULE "\nprefix_rule([\"cat\"], decision=\"prompt\")", script, NULL));
}

/* Nobody lets secrets be read by one rule for all of it. */
static void a_place_of_secrets_is_none(void **state)
{
    const struct place *place = *state;
    tree_write(place->base, ".ssh/known", "text\n", 0644);
    assert_false(passes(place, "read_rule(path=\"@/.ssh\")", "cat @/.ssh/known", NULL));
}

static void wrong_rules_are_refused(void **state)
{
    static const char *const wrong[] = {
        "read_rule()",
        "read_rule(path=\"other\")",
        "read_rule(path=\"/\")",
        "read_rule(path=\"//\")",
        "read_rule(path=[\"/a\"])",
        "read_rule(path=None)",
        "read_rule(path=\"/a/b\", decision=\"allow\")",
        "read_rule(path=\"/a/b\", project=\"x\")",
    };
    const struct rules_source source = {.path = "x.rules", .layer = RULES_USER};
    const struct rules_source untrusted = {
        .path = "x.rules", .layer = RULES_PROJECT, .tighten_only = true};
    static const char right[] = "read_rule(path=\"/a/b\")";
    struct rules *rules = rules_new();
    char **places = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        assert_int_equal(rules_add_text(rules, wrong[i], strlen(wrong[i]), &source, NULL), -1);
    assert_int_equal(rules_add_text(rules, right, strlen(right), &untrusted, NULL), 0);
    rules_add_places(rules, "/p", "1:1", &places);
    assert_null(places); /* a project that is not trusted allows nothing */
    assert_int_equal(rules_add_text(rules, right, strlen(right), &source, NULL), 0);
    rules_add_places(rules, "/p", "1:1", &places);
    assert_string_equal(places[0], "/a/b");
    assert_null(places[1]);
    strv_free(&places);
    rules_free(&rules);
}

/* The overlay offers the directory, and the rule that it writes lets the request pass. */
static void the_ladder_offers_the_place(void **state)
{
    static const char *const offered[] = {"cat @/other/f", "cd @/other && git log | head",
                                          "ls @/other"};
    static const char *const not_offered[] = {
        "rm @/other/f",
        "cat @/secret @/other/f",
        "cd @/other && make",
        "cat /root/x",
        "ls /",
        "cat @/other/.env",
        "ls @",
    };
    for (size_t i = 0; i < sizeof(offered) / sizeof(*offered); i++) {
        struct asked asked = ask(*state, "", offered[i], NULL);
        assert_non_null(asked.ladder);
        assert_int_equal(asked.ladder->steps[asked.ladder->first].width, LADDER_PLACE);
        for (unsigned scope = 0; scope < LADDER_SCOPES; scope++) {
            cleanup_free char *rule =
                ladder_rule(asked.ladder, asked.ladder->first, (enum ladder_scope)scope);
            if (!passes(*state, rule, offered[i], NULL))
                fail_msg("%s does not let %s pass", rule, offered[i]);
        }
        ladder_free(&asked.ladder);
    }
    for (size_t i = 0; i < sizeof(not_offered) / sizeof(*not_offered); i++) {
        struct asked asked = ask(*state, "", not_offered[i], NULL);
        for (size_t j = 0; asked.ladder != NULL && j < asked.ladder->count; j++)
            if (asked.ladder->steps[j].width == LADDER_PLACE)
                fail_msg("%s is offered as a place", not_offered[i]);
        ladder_free(&asked.ladder);
    }
}

int main(void)
{
#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_PLACE(what_only_reads_passes),  IN_PLACE(nothing_else_does),
        IN_PLACE(the_rule_is_narrow),      IN_PLACE(a_place_of_secrets_is_none),
        IN_PLACE(wrong_rules_are_refused), IN_PLACE(the_ladder_offers_the_place),
    };
    return cmocka_run_group_tests_name("rules_place", tests, NULL, NULL);
}
