/* SPDX-License-Identifier: MIT */
/* Patches as calls: what is asked about them, and what happens when their files are swapped. */
#include "config.h"

#include "approval/orchestrator-int.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "approval/patch_kept.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "base/sha256.h"
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
    assert_string_equal(found->clauses[1].object, "LICENSE, README.md");
    assert_string_equal(found->clauses[0].object, "/etc/assent-test, .git/hooks/pre-commit");
    assert_string_equal(found->description,
                        "Changes files that the sandbox does not let it change: "
                        "/etc/assent-test, .git/hooks/pre-commit. Deletes files: LICENSE, "
                        "README.md. Files changed: 5, lines added: 3, removed: 0.");
    assert_string_equal(wording_english(call->requirement.reason),
                        "it changes files that the sandbox does not let it change: "
                        "/etc/assent-test, .git/hooks/pre-commit");
    decide(world, call, REVIEW_DENIED);

    cleanup_strbuf struct strbuf many = STRBUF_INIT;
    strbuf_addstr(&many, "*** Begin Patch\n*** Add File: /etc/assent-test\n+a\n");
    for (int i = 0; i < 50; i++)
        strbuf_addf(&many, "*** Delete File: some/where/file-%02d.txt\n", i);
    strbuf_addstr(&many, "*** End Patch\n");
    call = submit_patch(world, strbuf_str(&many));
    assert_non_null(strstr(call->assessment.description, ": some/where/file-00.txt, "));
    assert_non_null(strstr(call->assessment.description,
                           "some/where/file-04.txt and 45 more files. Files changed: 51, "));
    decide(world, call, REVIEW_DENIED);
}

/* A note in the home is none of the system; what is run, obeyed or secret there is more, and so is
 * one that goes. */
static void a_note_in_the_home_is_no_change_of_the_system(void **state)
{
    static const struct {
        const char *path;
        bool deletes;
        enum risk_level level;
    } table[] = {
        {"/notes/x.txt", false, RISK_MEDIUM},  {"/notes/x.txt", true, RISK_HIGH},
        {"/.bashrc", false, RISK_HIGH},        {"/.ssh/x", false, RISK_HIGH},
        {"/notes/Makefile", false, RISK_HIGH}, {"/notes/.env", false, RISK_HIGH},
        {"/x/.git/hooks/y", false, RISK_HIGH}, {"/link/x.txt", false, RISK_HIGH},
    };
    struct world *world = *state;
    char place[] = "assent-home-XXXXXX"; /* not in /tmp: that may be written */
    cleanup_free char *before = getenv("HOME") != NULL ? xstrdup(getenv("HOME")) : NULL;
    assert_non_null(mkdtemp(place));
    cleanup_free char *home = realpath(place, NULL);
    assert_non_null(home);
    cleanup_free char *link = xasprintf("%s/link", home);
    assert_int_equal(symlink("/etc", link), 0);
    setenv("HOME", home, 1);
    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
        cleanup_free char *patch =
            xasprintf("*** Begin Patch\n*** %s File: %s%s\n%s*** End Patch\n",
                      table[i].deletes ? "Delete" : "Add", home, table[i].path,
                      table[i].deletes ? "" : "+a\n");
        struct call *call = submit_patch(world, patch);
        assert_int_equal(call->state, CALL_ASKING);
        assert_false(call->prompt->may_approve_for_session);
        if (call->assessment.level != table[i].level)
            fail_msg("%s", patch);
        decide(world, call, REVIEW_DENIED);
    }
    unlink(link);
    rmdir(home);
    if (before != NULL)
        setenv("HOME", before, 1);
}

/* A hook is more than a file that the sandbox protects. */
static void what_git_will_run_is_said(void **state)
{
    struct world *world = *state;
    struct call *call = submit_patch(world, ADD(".git/hooks/pre-commit"));
    assert_int_equal(call->assessment.level, RISK_HIGH);
    assert_non_null(strstr(call->assessment.description,
                           "Changes what git runs later, outside the sandbox: "
                           ".git/hooks/pre-commit."));
    decide(world, call, REVIEW_DENIED);
}

/* Those that it deletes come first, and all are counted behind the names. */
static void harmless_files_are_named(void **state)
{
    struct world *world = *state;
    struct call *call = submit_patch(
        world, "*** Begin Patch\n*** Add File: a.txt\n+a\n*** Update File: b.txt\n"
               "*** Move to: c.txt\n@@\n-a\n+b\n*** Delete File: z.txt\n*** End Patch\n");
    assert_string_equal(call->assessment.description,
                        "Deletes files: z.txt. Creates or changes files: a.txt, b.txt, c.txt. "
                        "Files changed: 3, lines added: 2, removed: 1.");
    exit_with(world, call, 0);
    call = submit_patch(world, "*** Begin Patch\n*** Delete File: z.txt\n*** End Patch\n");
    assert_string_equal(call->assessment.description,
                        "Deletes files: z.txt. Files changed: 1, lines added: 0, removed: 0.");
    exit_with(world, call, 0);
}

/* A name must not pass for two, for a part of our words, or for another one. */
static void odd_names_are_quoted(void **state)
{
    struct world *world = *state;
    cleanup_strbuf struct strbuf patch = STRBUF_INIT;
    struct call *call =
        submit_patch(world, "*** Begin Patch\n*** Delete File: a.txt, b.txt\n"
                            "*** Delete File: c.txt\xe2\x80\x99, \xe2\x80\x98"
                            "d.txt\n"
                            "*** Delete File: x and 12 more files\n*** End Patch\n");
    assert_string_equal(call->assessment.clauses[0].object,
                        "'a.txt, b.txt', 'c.txt<U+2019>, <U+2018>d.txt', 'x and 12 more files'");
    exit_with(world, call, 0);

    strbuf_addstr(&patch, "*** Begin Patch\n*** Delete File: first/");
    for (int i = 0; i < 60; i++)
        strbuf_addstr(&patch, "\xc3\xa9long/");
    strbuf_addstr(&patch, "README.md\n*** Delete File: z.txt\n*** End Patch\n");
    call = submit_patch(world, strbuf_str(&patch));
    const struct risk_clause *clause = &call->assessment.clauses[0];
    assert_int_equal(strncmp(clause->object, "'first/", 7), 0);
    assert_non_null(strstr(clause->object, "..."));
    assert_non_null(strstr(clause->object, "long/README.md'"));
    assert_int_equal(clause->more, 1);
    assert_non_null(strstr(call->assessment.description, "README.md' and one more file. "));
    exit_with(world, call, 0);
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
    assert_string_equal(wording_english(call->requirement.reason),
                        "the policy is to ask before files are changed");
    decide(world, call, REVIEW_APPROVED);
    assert_int_equal(call->state, CALL_RUNNING);
    exit_with(world, call, 0);
}

static char *long_patch(size_t lines)
{
    cleanup_strbuf struct strbuf patch = STRBUF_INIT;
    strbuf_addstr(&patch, "*** Begin Patch\n*** Add File: notes.txt\n");
    for (size_t i = 0; i < lines; i++)
        strbuf_addf(&patch, "+line %zu, which is as long as lines of a program are\n", i);
    strbuf_addstr(&patch, "*** End Patch\n");
    return strbuf_steal(&patch);
}

/* Calls are kept by the thousand, and a patch can be megabytes. */
static void of_a_finished_patch_a_part_is_kept(void **state)
{
    struct world *world = *state;
    cleanup_free char *patch = long_patch(4000);
    struct call *call = submit_patch(world, patch);
    const struct call_entry *entry = (const struct call_entry *)call;
    assert_int_equal(call->state, CALL_RUNNING);
    assert_string_equal(call->patch, patch);
    assert_int_equal(call->patch_left_out, 0);
    exit_with(world, call, 0);
    size_t kept = strlen(call->patch);
    assert_true(kept <= PATCH_KEPT_BYTES && kept > PATCH_KEPT_BYTES - 100);
    assert_int_equal(call->patch[kept - 1], '\n');
    assert_memory_equal(call->patch, patch, kept);
    assert_int_equal(call->patch_left_out, strlen(patch) - kept);
    assert_null(entry->patch);
    assert_null(entry->patch_files);

    call = submit_patch(world, ADD("notes.txt"));
    exit_with(world, call, 0);
    assert_string_equal(call->patch, ADD("notes.txt"));
    assert_int_equal(call->patch_left_out, 0);
}

/* The oldest is emptied first, and what it was can still be told from another. */
static void finished_patches_are_kept_up_to_a_bound_together(void **state)
{
    enum { CALLS = 90 };
    struct world *world = *state;
    cleanup_free char *patch = long_patch(2000);
    size_t kept = 0;
    for (int i = 0; i < CALLS; i++)
        exit_with(world, submit_patch(world, patch), 0);
    assert_int_equal(orchestrator_call_count(world->orchestrator), CALLS);
    for (size_t i = 0; i < CALLS; i++) {
        const struct call *call = orchestrator_call_at(world->orchestrator, i);
        assert_int_equal(strlen(call->patch) + call->patch_left_out, strlen(patch));
        kept += strlen(call->patch);
    }
    assert_true(kept <= PATCH_KEPT_TOTAL && kept > PATCH_KEPT_TOTAL - PATCH_KEPT_BYTES);
    assert_string_equal(orchestrator_call_at(world->orchestrator, 0)->patch, "");
    assert_string_not_equal(orchestrator_call_at(world->orchestrator, CALLS - 1)->patch, "");
    unsigned char hash[SHA256_SIZE];
    sha256_of(patch, strlen(patch), hash);
    for (size_t i = 0; i < CALLS; i += CALLS - 1)
        assert_memory_equal(orchestrator_call_at(world->orchestrator, i)->patch_hash, hash,
                            SHA256_SIZE);

    /* What is forgotten makes room. */
    for (int i = 0; i < CALLS; i++)
        exit_with(world, submit_patch(world, ADD("notes.txt")), 0);
    assert_string_equal(orchestrator_call_at(world->orchestrator, 99)->patch, ADD("notes.txt"));
    exit_with(world, submit_patch(world, patch), 0);
    assert_string_equal(orchestrator_call_at(world->orchestrator, 10)->patch, ADD("notes.txt"));
}

int main(void)
{
#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_WORLD(inside_it_is_applied_unasked),
        IN_WORLD(outside_and_protected_files_are_asked_about),
        IN_WORLD(a_note_in_the_home_is_no_change_of_the_system),
        IN_WORLD(grave_files_are_named),
        IN_WORLD(what_git_will_run_is_said),
        IN_WORLD(harmless_files_are_named),
        IN_WORLD(odd_names_are_quoted),
        IN_WORLD(a_directory_is_swapped_for_a_link),
        IN_WORLD(each_file_counts_by_itself),
        IN_WORLD(a_file_becomes_code),
        IN_WORLD(what_is_as_it_was_is_applied),
        IN_WORLD(of_a_finished_patch_a_part_is_kept),
        IN_WORLD(finished_patches_are_kept_up_to_a_bound_together),
    };
    return cmocka_run_group_tests_name("patching", tests, NULL, NULL);
}
