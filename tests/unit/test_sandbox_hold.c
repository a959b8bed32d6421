/* SPDX-License-Identifier: MIT */
/* hold: the promises are well formed, and doc/sandbox.md says of them what the table says. With
 * "print" as argument prints the table as it has to stand there. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "sandbox/hold.h"
#include "sandbox/landlock.h"

static const struct {
    const char *title;
    int abi;
    bool namespaces;
} SYSTEMS[] = {{"both layers", LANDLOCK_ABI_NEWEST, true},
               {"namespaces, Landlock 1", 1, true},
               {"no namespaces", LANDLOCK_ABI_NEWEST, false},
               {"neither, Landlock 1", 1, false}};
enum { SYSTEM_COUNT = sizeof SYSTEMS / sizeof *SYSTEMS };

static unsigned layers_of(size_t system)
{
    struct sandbox_capability capability = {.platform = SANDBOX_PLATFORM_LINUX,
                                            .landlock_abi = SYSTEMS[system].abi,
                                            .seccomp = true,
                                            .user_namespaces = SYSTEMS[system].namespaces};
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/w");
    unsigned layers = hold_layers(policy, &capability);
    sandbox_policy_free(&policy);
    return layers;
}

static void add_layers(struct strbuf *table, unsigned layers)
{
    const char *between = "";
    if (layers == ~0u) {
        strbuf_addstr(table, "any");
        return;
    }
    for (int i = 0; i < HOLD_LAYER_COUNT; i++)
        if (layers & 1u << i) {
            strbuf_addf(table, "%s%s", between, hold_layer_name((enum hold_layer)(1u << i)));
            between = ", ";
        }
}

static char *make_table(void)
{
    struct strbuf table = STRBUF_INIT;
    strbuf_addstr(&table, "| promise | kept by |");
    for (size_t i = 0; i < SYSTEM_COUNT; i++)
        strbuf_addf(&table, " %s |", SYSTEMS[i].title);
    strbuf_addstr(&table, "\n| --- | --- |");
    for (size_t i = 0; i < SYSTEM_COUNT; i++)
        strbuf_addstr(&table, " --- |");
    for (size_t i = 0; i < HOLD_PROMISE_COUNT; i++) {
        strbuf_addf(&table, "\n| **%s**: %s | ", HOLD_PROMISES[i].name, HOLD_PROMISES[i].text);
        add_layers(&table, HOLD_PROMISES[i].layers);
        strbuf_addstr(&table, " |");
        for (size_t system = 0; system < SYSTEM_COUNT; system++)
            strbuf_addf(&table, " %s |",
                        hold_kept(&HOLD_PROMISES[i], layers_of(system)) ? "yes" : "-");
    }
    strbuf_addch(&table, '\n');
    return strbuf_steal(&table);
}

static void promises_are_well_formed(void **state)
{
    (void)state;
    for (size_t i = 0; i < HOLD_PROMISE_COUNT; i++) {
        const struct hold_promise *promise = &HOLD_PROMISES[i];
        assert_ptr_equal(hold_find(promise->name), promise); /* no name twice */
        assert_int_not_equal(promise->layers, 0);
        assert_true(promise->text[0] && promise->text[strlen(promise->text) - 1] != '.');
        /* All of them are kept where everything is there. */
        assert_true(hold_kept(promise, layers_of(0)));
    }
    assert_null(hold_find("nothing"));
}

static void a_policy_gets_what_the_system_has(void **state)
{
    (void)state;
    struct sandbox_capability capability = {.platform = SANDBOX_PLATFORM_LINUX,
                                            .landlock_abi = 7,
                                            .seccomp = true,
                                            .user_namespaces = true};
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/w");
    assert_true(hold_layers(policy, &capability) & HOLD_NETWORK);
    policy->network = true;
    assert_false(hold_layers(policy, &capability) & HOLD_NETWORK);
    policy->landlock_abi = 2;
    assert_false(hold_layers(policy, &capability) & HOLD_TRUNCATE);
    policy->no_user_namespaces = true;
    assert_false(hold_layers(policy, &capability) & HOLD_MOUNT);
    capability.seccomp = false;
    assert_int_equal(hold_layers(policy, &capability), 0);
    sandbox_policy_free(&policy);
    policy = sandbox_policy_new_danger_full_access();
    assert_int_equal(hold_layers(policy, &capability), 0);
    sandbox_policy_free(&policy);
}

static void the_document_says_the_same(void **state)
{
    (void)state;
    const char *source = getenv("srcdir") ?: ".";
    cleanup_free char *path = xasprintf("%s/doc/sandbox.md", source);
    cleanup_free char *table = make_table();
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s can not be read", path);
    char *text = xcalloc(1, 262144);
    size_t size = fread(text, 1, 262143, file);
    fclose(file);
    assert_true(size > 0);
    if (!strstr(text, table))
        fail_msg("%s does not contain this table (test_sandbox_hold print):\n%s", path, table);
    free(text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(promises_are_well_formed),
        cmocka_unit_test(a_policy_gets_what_the_system_has),
        cmocka_unit_test(the_document_says_the_same),
    };
    if (argc > 1 && strcmp(argv[1], "print") == 0) {
        cleanup_free char *table = make_table();
        return fputs(table, stdout) < 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
