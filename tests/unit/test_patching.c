/* SPDX-License-Identifier: MIT */
/* Patches as calls: what is asked about them, and what happens when their files are swapped. */
#include "config.h"

#include "approval/orchestrator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "base/wording.h"
#include "orchestrator_world.h"

#define ADD(path) "*** Begin Patch\n*** Add File: " path "\n+text\n*** End Patch\n"

static char *in_root(const struct world *world, const char *name)
{
    return xasprintf("%s/%s", world->root, name);
}

static void make_directory(const struct world *world, const char *name)
{
    cleanup_free char *path = in_root(world, name);
    assert_int_equal(mkdir(path, 0755), 0);
}

static struct call *submit_patch(struct world *world, const char *patch)
{
    struct error error = ERROR_INIT;
    struct call_options options = {.patch = patch};
    struct call *call = orchestrator_submit(world->orchestrator, world->agent, CALL_APPLY_PATCH,
                                            SPEC(world, "x"), &options, &error);
    if (call == NULL)
        fail_msg("%s", error.message);
    settle(world);
    return call;
}

static void inside_it_is_applied_unasked(void **state)
{
    struct world *world = *state;
    struct call *call = submit_patch(world, ADD("notes.txt"));
    assert_int_equal(call->state, CALL_RUNNING);
    exit_with(world, call, 0);
}

static void outside_and_protected_files_are_asked_about(void **state)
{
    static const char *const patches[] = {ADD("../outside.txt"), ADD("/etc/assent-test"),
                                          ADD(".git/hooks/pre-commit")};
    struct world *world = *state;
    for (size_t i = 0; i < sizeof(patches) / sizeof(*patches); i++) {
        struct call *call = submit_patch(world, patches[i]);
        assert_int_equal(call->state, CALL_ASKING);
        assert_false(call->prompt->may_approve_for_session);
        decide(world, call, REVIEW_DENIED);
    }
}

/* Of a long patch not all is in view: what it deletes and what lies outside is named. */
static void grave_files_are_named(void **state)
{
    struct world *world = *state;
    struct call *call = submit_patch(
        world, "*** Begin Patch\n*** Add File: /etc/assent-test\n+a\n*** Add File: new.txt\n+b\n"
               "*** Add File: .git/hooks/pre-commit\n+c\n*** Delete File: README.md\n"
               "*** Delete File: LICENSE\n*** End Patch\n");
    assert_int_equal(call->state, CALL_ASKING);
    const struct assessment *found = &call->assessment;
    assert_int_equal(found->level, RISK_HIGH);
    assert_string_equal(found->clauses[1].object, "README.md, LICENSE");
    assert_non_null(strstr(found->clauses[0].object, "/etc/assent-test, "));
    assert_non_null(strstr(found->clauses[0].object, "/.git/hooks/pre-commit"));
    assert_null(strstr(found->clauses[0].object, "new.txt"));
    assert_non_null(strstr(found->description, "Deletes files: README.md, LICENSE."));
    assert_non_null(
        strstr(wording_english(call->requirement.reason), "it changes files that the sandbox"));
    decide(world, call, REVIEW_DENIED);

    cleanup_strbuf struct strbuf many = STRBUF_INIT;
    strbuf_addstr(&many, "*** Begin Patch\n*** Add File: /etc/assent-test\n+a\n");
    for (int i = 0; i < 50; i++)
        strbuf_addf(&many, "*** Delete File: some/where/file-%d.txt\n", i);
    strbuf_addstr(&many, "*** End Patch\n");
    call = submit_patch(world, strbuf_str(&many));
    assert_non_null(strstr(call->assessment.description, "some/where/file-0.txt, "));
    assert_non_null(strstr(call->assessment.description, " (+46)."));
    decide(world, call, REVIEW_DENIED);
}

/* The directory becomes a link out of the workspace while the operator looks. */
static void a_directory_is_swapped_for_a_link(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    make_directory(world, "docs");
    struct call *call = submit_patch(world, ADD("docs/notes.txt"));
    assert_int_equal(call->state, CALL_ASKING);
    cleanup_free char *path = in_root(world, "docs");
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(symlink("/etc", path), 0);
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(fake_starts, 0);
    assert_non_null(strstr(call->failure, "was replaced while the call waited"));
}

/* Also of a patch that leaves the sandbox by another of its files. */
static void each_file_counts_by_itself(void **state)
{
    struct world *world = *state;
    make_directory(world, "docs");
    cleanup_free char *patch =
        xasprintf("*** Begin Patch\n*** Add File: %s/out.txt\n+a\n*** Add File: docs/notes.txt\n"
                  "+b\n*** End Patch\n",
                  world->base);
    struct call *call = submit_patch(world, patch);
    assert_int_equal(call->state, CALL_ASKING);
    cleanup_free char *path = in_root(world, "docs");
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(symlink("/etc", path), 0);
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(fake_starts, 0);
}

/* A file of data is swapped for one that is run. */
static void a_file_becomes_code(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    cleanup_free char *path = in_root(world, "tool");
    assert_int_equal(fd_replace_file(path, "a\n", 2, 0644), 0);
    struct call *call =
        submit_patch(world, "*** Begin Patch\n*** Update File: tool\n@@\n-a\n+b\n*** End Patch\n");
    assert_int_equal(call->state, CALL_ASKING);
    assert_true(call->prompt->may_approve_for_session);
    assert_int_equal(chmod(path, 0755), 0);
    decide(world, call, REVIEW_APPROVED_FOR_SESSION);
    assert_int_equal(call->state, CALL_FINISHED);
    assert_int_equal(fake_starts, 0);
}

static void what_is_as_it_was_is_applied(void **state)
{
    struct world *world = *state;
    set_policy(world, world->agent, "untrusted");
    make_directory(world, "docs");
    struct call *call = submit_patch(world, ADD("docs/notes.txt"));
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call->state, CALL_RUNNING);
    exit_with(world, call, 0);
}

int main(void)
{
#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_WORLD(inside_it_is_applied_unasked),
        IN_WORLD(outside_and_protected_files_are_asked_about),
        IN_WORLD(grave_files_are_named),
        IN_WORLD(a_directory_is_swapped_for_a_link),
        IN_WORLD(each_file_counts_by_itself),
        IN_WORLD(a_file_becomes_code),
        IN_WORLD(what_is_as_it_was_is_applied),
    };
    return cmocka_run_group_tests_name("patching", tests, NULL, NULL);
}
