/* SPDX-License-Identifier: MIT */
/* The policy as a value, and its way to the helper and back. */
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
#include "base/wording.h"
#include "sandbox/policy.h"
#include "sandbox/request.h"

/* A NULL-terminated array of strings that nobody writes to. */
#define LIST(...) ((char **)(const char *[]){__VA_ARGS__, NULL})

static void mode_names_round_trip(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"read-only", "workspace-write", "danger-full-access",
                                        "external-sandbox"};
    for (int i = 0; i < 4; i++) {
        enum sandbox_mode mode;
        assert_string_equal(sandbox_mode_name((enum sandbox_mode)i), NAMES[i]);
        assert_true(sandbox_mode_parse(NAMES[i], &mode));
        assert_int_equal(mode, i);
    }
    enum sandbox_mode mode;
    assert_false(sandbox_mode_parse("workspace", &mode));
}

static void modes_are_constructors(void **state)
{
    (void)state;
    static const struct {
        enum sandbox_mode mode;
        bool restricted;
        bool network;
        enum policy_access in_workspace, elsewhere;
        const char *summary;
    } ROWS[] = {
        {SANDBOX_READ_ONLY, true, false, POLICY_ACCESS_READ, POLICY_ACCESS_READ,
         "read-only (network off)"},
        {SANDBOX_WORKSPACE_WRITE, true, false, POLICY_ACCESS_WRITE, POLICY_ACCESS_READ,
         "workspace-write (network off)"},
        {SANDBOX_DANGER_FULL_ACCESS, false, true, POLICY_ACCESS_WRITE, POLICY_ACCESS_WRITE,
         "danger-full-access (network on)"},
        {SANDBOX_EXTERNAL, false, false, POLICY_ACCESS_WRITE, POLICY_ACCESS_WRITE,
         "external-sandbox (network off)"},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct sandbox_policy *policy = sandbox_policy_new(ROWS[i].mode, "/home/op/shop");
        assert_int_equal(sandbox_policy_is_restricted(policy), ROWS[i].restricted);
        assert_int_equal(policy->network, ROWS[i].network);
        assert_int_equal(sandbox_policy_access_at(policy, "/home/op/shop/a/b"),
                         ROWS[i].in_workspace);
        assert_int_equal(sandbox_policy_access_at(policy, "/home/op/shopping"), ROWS[i].elsewhere);
        cleanup_wording struct wording *summary = sandbox_policy_summary(policy);
        assert_string_equal(wording_english(summary), ROWS[i].summary);
        sandbox_policy_free(&policy);
        assert_null(policy);
    }
}

static void the_longest_entry_decides(void **state)
{
    (void)state;
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/w");
    assert_int_equal(sandbox_policy_add_entry(policy, POLICY_ACCESS_NONE, "/w/.env", NULL), 0);
    assert_int_equal(sandbox_policy_add_entry(policy, POLICY_ACCESS_READ, "/w//lib/./", NULL), 0);
    assert_int_equal(sandbox_policy_access_at(policy, "/w/.env"), POLICY_ACCESS_NONE);
    assert_int_equal(sandbox_policy_access_at(policy, "/w/.environment"), POLICY_ACCESS_WRITE);
    assert_int_equal(sandbox_policy_access_at(policy, "/w/lib/x"), POLICY_ACCESS_READ);
    sandbox_policy_free(&policy);
}

static void unacceptable_paths_are_refused(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/w");
    assert_int_equal(sandbox_policy_add_entry(policy, POLICY_ACCESS_WRITE, "w", &error), -1);
    assert_non_null(strstr(error.message, "absolute"));
    assert_int_equal(sandbox_policy_add_entry(policy, POLICY_ACCESS_WRITE, "/w/../etc", &error),
                     -1);
    char *longer = xmalloc(5001);
    memset(longer, '/', 5000);
    longer[5000] = '\0';
    assert_int_equal(sandbox_policy_add_entry(policy, POLICY_ACCESS_WRITE, longer, &error), -1);
    free(longer);
    sandbox_policy_free(&policy);
}

static void additional_permissions_only_add(void **state)
{
    (void)state;
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/w");
    sandbox_policy_add_entry(policy, POLICY_ACCESS_NONE, "/home/op/.ssh", NULL);
    struct additional_permissions additional = {.readable = LIST("/w/x"),
                                                .writable = LIST("/var/y")};
    struct sandbox_policy *granted = sandbox_policy_with_additional(policy, &additional, NULL);
    assert_int_equal(sandbox_policy_access_at(granted, "/w/x"), POLICY_ACCESS_WRITE);
    assert_int_equal(sandbox_policy_access_at(granted, "/var/y/z"), POLICY_ACCESS_WRITE);
    assert_int_equal(sandbox_policy_access_at(policy, "/var/y/z"), POLICY_ACCESS_READ);
    assert_false(granted->network);
    sandbox_policy_free(&granted);

    struct error error = ERROR_INIT;
    additional.readable = LIST("/home/op/.ssh/id");
    assert_null(sandbox_policy_with_additional(policy, &additional, &error));
    assert_non_null(strstr(error.message, "closed"));
    additional.readable = NULL;
    additional.writable = LIST("/");
    assert_null(sandbox_policy_with_additional(policy, &additional, &error));
    /* A grant above a closed path leaves it closed. */
    additional.writable = LIST("/home/op");
    granted = sandbox_policy_with_additional(policy, &additional, &error);
    assert_int_equal(sandbox_policy_access_at(granted, "/home/op/.ssh/id"), POLICY_ACCESS_NONE);
    sandbox_policy_free(&granted);
    sandbox_policy_free(&policy);
}

static struct sandbox_policy *full_policy(void)
{
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/w");
    sandbox_policy_add_entry(policy, POLICY_ACCESS_READ, "/odd\n\xFF%path", NULL);
    sandbox_policy_restrict_reads(policy, true);
    sandbox_policy_add_unix_socket(policy, "/run/x.sock", NULL);
    policy->entries[0].device = 7;
    policy->entries[0].inode = UINT64_MAX;
    policy->protect_git = POLICY_PROTECT_GIT_ALL;
    policy->tmp_source = xstrdup("/state/tmp");
    policy->cache_source = xstrdup("/state/cache");
    policy->network = true;
    policy->allow_degraded = true;
    policy->no_user_namespaces = true;
    policy->landlock_abi = 3;
    policy->process_limit = 100;
    return policy;
}

static void canonical_tells_policies_apart(void **state)
{
    (void)state;
    struct sandbox_policy *policy = full_policy();
    struct sandbox_policy *copy = sandbox_policy_copy(policy);
    cleanup_free char *first = sandbox_policy_canonical(policy);
    cleanup_free char *second = sandbox_policy_canonical(copy);
    assert_string_equal(first, second);
    for (const char *byte = first; *byte; byte++)
        assert_true((*byte >= ' ' && *byte < 0x7F) || *byte == '\n');
    assert_non_null(strstr(first, "/odd%0A%FF%25path"));
    copy->protect_nested = false;
    cleanup_free char *third = sandbox_policy_canonical(copy);
    assert_string_not_equal(first, third);
    sandbox_policy_free(&policy);
    sandbox_policy_free(&copy);
}

static char *write_full(size_t *size)
{
    struct helper_request request = {.policy = full_policy(),
                                     .cwd = (char *)"/w/a b",
                                     .program = (char *)"/bin/true",
                                     .env = LIST("A=1\n2", "B=", "C=\xFF", "D=x")};
    char *bytes = request_write(&request, size);
    sandbox_policy_free(&request.policy);
    return bytes;
}

static void request_round_trips(void **state)
{
    (void)state;
    size_t size;
    struct error error = ERROR_INIT;
    cleanup_free char *bytes = write_full(&size);
    struct helper_request *read = request_parse(bytes, size, &error);
    assert_non_null(read);
    assert_string_equal(read->cwd, "/w/a b");
    assert_string_equal(read->program, "/bin/true");
    assert_int_equal(strv_length((const char *const *)read->env), 4);
    assert_string_equal(read->env[2], "C=\xFF");
    struct sandbox_policy *policy = full_policy();
    cleanup_free char *expected = sandbox_policy_canonical(policy);
    cleanup_free char *got = sandbox_policy_canonical(read->policy);
    assert_string_equal(got, expected);
    sandbox_policy_free(&policy);
    request_free(&read);
}

/* Cut anywhere, or with one byte more: refused. */
static void every_cut_is_refused(void **state)
{
    (void)state;
    size_t size;
    cleanup_free char *bytes = write_full(&size);
    for (size_t cut = 0; cut < size; cut++) {
        char *part = cut > 0 ? xmemdup(bytes, cut) : xstrdup("");
        assert_null(request_parse(part, cut, NULL));
        free(part);
    }
    char *longer = xcalloc(size + 1, 1);
    memcpy(longer, bytes, size);
    assert_null(request_parse(longer, size + 1, NULL));
    free(longer);
}

static void bad_records_are_refused(void **state)
{
    (void)state;
    static const char *const RECORDS[] = {
        "mode 4",
        "mode -1",
        "mode",
        "mode 1x",
        "network 2",
        "unknown 1",
        "cwd relative",
        "env NOVALUE",
        "env =x",
        "entry 3 0 0 /x",
        "entry 1 0 /x",
        "entry 1 0 0 x",
        "entry 1 0 0 /",
        "entry 1 0 0 /a/../b",
        "entry 1 0 0 /a//b",
        "landlock-abi 1001",
        "entry 1 99999999999999999999 0 /x",
        "tmp-source x",
        "unix-socket rel",
        "",
    };
    for (size_t i = 0; i < sizeof RECORDS / sizeof *RECORDS; i++) {
        char bytes[512];
        struct error error = ERROR_INIT;
        bool fine = strcmp(RECORDS[i], "entry 1 0 0 /") == 0; /* shows that the rest is in order */
        int size = snprintf(bytes, sizeof bytes, "assent-request 1%cfs 0%c%s%ccwd /%cend%c", 0, 0,
                            RECORDS[i], 0, 0, 0);
        struct helper_request *request = request_parse(bytes, (size_t)size, &error);
        if ((request != NULL) != fine)
            fail_msg("record \"%s\"", RECORDS[i]);
        request_free(&request);
    }
    assert_null(request_parse("assent-request 1\0end\0", 21, NULL)); /* no cwd */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mode_names_round_trip),
        cmocka_unit_test(modes_are_constructors),
        cmocka_unit_test(the_longest_entry_decides),
        cmocka_unit_test(unacceptable_paths_are_refused),
        cmocka_unit_test(additional_permissions_only_add),
        cmocka_unit_test(canonical_tells_policies_apart),
        cmocka_unit_test(request_round_trips),
        cmocka_unit_test(every_cut_is_refused),
        cmocka_unit_test(bad_records_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
