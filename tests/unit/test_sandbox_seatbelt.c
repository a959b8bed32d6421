/* SPDX-License-Identifier: MIT */
/* seatbelt: profiles against what is written down here; whether they are well formed is judged by
 * a reader of Scheme in tests/sandbox/seatbelt.sh, which calls this program with "print". */
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
#include "sandbox/closed.h"
#include "sandbox/seatbelt.h"
#include "sandbox/transform.h"

/* ---- help ------------------------------------------------------------------------------- */

struct made {
    char **words;
    const char *profile;
};

static struct made make(const struct seatbelt_setup *setup)
{
    struct error error = ERROR_INIT;
    struct made made = {.words = seatbelt_arguments(setup, &error)};
    if (!made.words)
        fail_msg("%s", error.message);
    assert_string_equal(made.words[0], "/usr/bin/sandbox-exec");
    assert_string_equal(made.words[1], "-p");
    made.profile = made.words[2];
    return made;
}

/* The profile with each (param "Pn") replaced by the value in quotes: what is meant. */
static char *meant(const struct made *made)
{
    char *text = xcalloc(1, 262144);
    size_t used = 0;
    for (const char *at = made->profile; *at;) {
        unsigned number;
        int length = 0;
        if (sscanf(at, "(param \"P%u\")%n", &number, &length) == 1 && length > 0) {
            const char *value = strchr(made->words[3 + number], '=') + 1;
            used += (size_t)sprintf(text + used, "\"%s\"", value);
            at += length;
        } else {
            text[used++] = *at++;
        }
    }
    return text;
}

static void expect(const struct sandbox_policy *policy, const char *const *there,
                   const char *const *absent)
{
    struct seatbelt_setup setup = {.policy = policy, .home = "/Users/op"};
    struct made made = make(&setup);
    char *text = meant(&made);
    for (; *there; there++)
        if (!strstr(text, *there))
            fail_msg("missing: %s\n%s", *there, text);
    for (; *absent; absent++)
        if (strstr(text, *absent))
            fail_msg("there: %s\n%s", *absent, text);
    free(text);
    strv_free(&made.words);
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NOTHING ((const char *const[]){NULL})

/* ---- tests ------------------------------------------------------------------------------ */

static void everything_is_denied_first(void **state)
{
    (void)state;
    struct sandbox_policy *policy = sandbox_policy_new_read_only();
    struct seatbelt_setup setup = {.policy = policy};
    struct made made = make(&setup);
    assert_int_equal(strncmp(made.profile, "(version 1)\n(deny default)\n", 27), 0);
    assert_null(strstr(made.profile, "(allow default)"));
    assert_null(strstr(made.profile, "no-sandbox"));
    strv_free(&made.words);
    expect(policy, LIST("(allow file-read* process-exec)\n"),
           LIST("(allow file-write*)", "network-outbound", "(allow file-write* (subpath"));
    sandbox_policy_free(&policy);
}

static void closed_names_are_closed_further_down(void **state)
{
    (void)state;
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/Users/op/w");
    closed_add_workspace(policy, "/Users/op/w");
    sandbox_policy_add_entry(policy, POLICY_ACCESS_READ, "/Users/op/w/a/.env", NULL);
    expect(policy,
           LIST("(regex \"^/Users/op/w/(.+/)?\\\\.env(/.*)?$\"))\n",
                "(regex \"^/Users/op/w/(.+/)?\\\\.env\\\\.production(/.*)?$\"))\n"
                "(allow file-read* process-exec (subpath \"/Users/op/w/a/.env\"))\n"),
           NOTHING);
    policy->protect_nested = false;
    expect(policy, LIST("(subpath \"/Users/op/w/.env\"))\n"), LIST("\\.env"));
    sandbox_policy_free(&policy);
}

static void a_writable_root_keeps_its_protected_names(void **state)
{
    (void)state;
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/Users/op/w");
    expect(policy,
           LIST("(allow file-write* (subpath \"/Users/op/w\"))",
                "(deny file-write-unlink (literal \"/Users/op/w\"))",
                "(literal \"/Users/op/w/.codex\") (subpath \"/Users/op/w/.codex\")",
                "(literal \"/Users/op/w/.agents\") (subpath \"/Users/op/w/.agents\")",
                "(regex \"^/Users/op/w/(.+/)?\\\\.git$\")",
                "(regex \"^/Users/op/w/(.+/)?\\\\.git/hooks(/.*)?$\")",
                "(regex \"^/Users/op/w/(.+/)?\\\\.git/config(/.*)?$\")"),
           LIST("\\\\.git(/.*)?$", ".git/objects", "/Users/op/w/.bashrc"));
    policy->protect_git = POLICY_PROTECT_GIT_ALL;
    expect(policy, LIST("(regex \"^/Users/op/w/(.+/)?\\\\.git(/.*)?$\")"), LIST(".git/hooks"));
    policy->protect_nested = false;
    expect(policy, LIST("(literal \"/Users/op/w/.git\") (subpath \"/Users/op/w/.git\")"),
           LIST("(regex \"^/Users"));
    policy->protect = false;
    expect(policy, NOTHING, LIST("/Users/op/w/.git", "/Users/op/w/.codex"));
    sandbox_policy_free(&policy);
}

/* The rules that take away stand after those that give: the last one decides. */
static void refusals_come_last(void **state)
{
    (void)state;
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/w");
    sandbox_policy_add_entry(policy, POLICY_ACCESS_WRITE, "/w/.git", NULL);
    sandbox_policy_add_entry(policy, POLICY_ACCESS_READ, "/w/data/fixed", NULL);
    sandbox_policy_add_entry(policy, POLICY_ACCESS_NONE, "/w/secret", NULL);
    struct seatbelt_setup setup = {.policy = policy};
    struct made made = make(&setup);
    char *text = meant(&made);
    const char *last_grant = NULL;
    for (const char *at = text; (at = strstr(at, "(allow file-write* (subpath")); at++)
        last_grant = at;
    assert_non_null(last_grant);
    assert_non_null(strstr(last_grant, "(deny file-write*\n"));
    assert_non_null(strstr(last_grant, "(literal \"/w/data/fixed\") (subpath \"/w/data/fixed\")"));
    assert_non_null(strstr(last_grant, "(deny file-write-unlink (literal \"/w/data\"))"));
    assert_non_null(strstr(last_grant, "(deny file-read* file-write* process-exec (literal "
                                       "\"/w/secret\") (subpath \"/w/secret\"))"));
    free(text);
    strv_free(&made.words);
    sandbox_policy_free(&policy);
}

static void home_as_a_root_keeps_start_up_files(void **state)
{
    (void)state;
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/Users/op");
    expect(policy, LIST("(literal \"/Users/op/.bashrc\")", "(literal \"/Users/op/.zshenv\")"),
           NOTHING);
    sandbox_policy_free(&policy);
}

static void a_part_of_the_home_keeps_start_up_files(void **state)
{
    (void)state;
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/Users/op/.config");
    expect(policy,
           LIST("(literal \"/Users/op/.config/fish\")", "(subpath \"/Users/op/.config/git\")"),
           LIST("/Users/op/.bashrc", "/Users/op/.config/.claude/.config", "/Users/op/.vim"));
    sandbox_policy_free(&policy);
}

static void restricted_reads(void **state)
{
    (void)state;
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/w");
    sandbox_policy_restrict_reads(policy, true);
    sandbox_policy_add_entry(policy, POLICY_ACCESS_READ, "/data", NULL);
    expect(policy,
           LIST("(allow file-read* process-exec (subpath \"/data\"))", "(subpath \"/System\")"),
           LIST("(allow file-read* process-exec)"));
    policy->platform_defaults = false;
    expect(policy, LIST("(subpath \"/data\")"), LIST("(subpath \"/System\")"));
    sandbox_policy_free(&policy);
}

static void the_network(void **state)
{
    (void)state;
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/w");
    expect(policy, NOTHING, LIST("network-outbound", "network-bind", "AF_INET"));
    sandbox_policy_add_unix_socket(policy, "/var/run/one.sock", NULL);
    expect(policy,
           LIST("(allow network-outbound (remote unix-socket (path-literal "
                "\"/var/run/one.sock\")))"),
           LIST("(remote ip"));
    struct seatbelt_setup setup = {.policy = policy, .proxy_port = 8123};
    struct made made = make(&setup);
    assert_non_null(
        strstr(made.profile, "(allow network-outbound (remote ip \"localhost:8123\"))"));
    assert_null(strstr(made.profile, "(remote ip)"));
    strv_free(&made.words);
    policy->network = true;
    expect(policy, LIST("(allow network-outbound (remote ip))"), LIST("(allow network-outbound)"));
    sandbox_policy_free(&policy);
}

/* What a name contains is never read as a rule. */
static void hostile_names(void **state)
{
    (void)state;
    static const char NAME[] = "/w/a\")(allow default)(x \"b\\c.*";
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write(NAME);
    struct seatbelt_setup setup = {.policy = policy};
    struct made made = make(&setup);
    /* In a string each quote and backslash of it is escaped; elsewhere it does not stand. */
    assert_null(strstr(made.profile, "a\")(allow"));
    assert_non_null(strstr(made.profile, "^/w/a\\\"\\\\)\\\\(allow default\\\\)"));
    assert_non_null(strstr(made.profile, "b\\\\\\\\c\\\\.\\\\*/(.+/)?"));
    strv_free(&made.words);
    sandbox_policy_free(&policy);
}

static void what_it_can_not_say_is_refused(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct sandbox_policy *policy = sandbox_policy_new_danger_full_access();
    struct seatbelt_setup setup = {.policy = policy};
    assert_null(seatbelt_arguments(&setup, &error));
    sandbox_policy_free(&policy);
    setup.policy = policy = sandbox_policy_new_workspace_write("/w");
    setup.proxy_port = 70000;
    assert_null(seatbelt_arguments(&setup, &error));
    setup.proxy_port = 0;
    sandbox_policy_add_entry(policy, POLICY_ACCESS_WRITE, "/", NULL);
    assert_null(seatbelt_arguments(&setup, &error));
    assert_non_null(strstr(error.message, "danger-full-access"));
    sandbox_policy_free(&policy);
}

/* Extensions that a call was given hold for the first attempt and for a retry, whether it keeps
 * the default or brings permissions of its own. */
static void extensions_survive(void **state)
{
    (void)state;
    static const char EXTENSION[] = "(allow mach-lookup (global-name \"com.example\"))";
    static char *argv[] = {(char *)"true", NULL};
    static char *more[] = {(char *)"/data", NULL};
    struct additional_permissions additional = {.writable = more};
    struct command_spec spec = {.argv = argv, .cwd = (char *)"/w", .timeout_ms = 1000};
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/w");
    struct sandbox_policy *wider = sandbox_policy_with_additional(policy, &additional, NULL);
    const struct {
        enum sandbox_permissions permissions;
        const struct sandbox_policy *policy;
    } ROWS[] = {{SANDBOX_PERMISSIONS_USE_DEFAULT, policy},
                {SANDBOX_PERMISSIONS_WITH_ADDITIONAL, wider}};
    for (size_t i = 0; i < 2; i++) {
        struct error error = ERROR_INIT;
        struct transform_context context = {.policy = ROWS[i].policy,
                                            .type = SANDBOX_TYPE_SEATBELT,
                                            .seatbelt_extensions = EXTENSION};
        spec.permissions = ROWS[i].permissions;
        struct exec_request *request = transform_command(&spec, &context, &error);
        assert_non_null(request);
        assert_string_equal(request->program, "/usr/bin/sandbox-exec");
        assert_non_null(strstr(request->argv[2], EXTENSION));
        size_t count = strv_length((const char *const *)request->argv);
        assert_string_equal(request->argv[count - 2], "--");
        assert_string_equal(request->argv[count - 1], "true");
        assert_int_equal(strv_length((const char *const *)request->env),
                         strv_length((const char *const *)request->program_env));
        assert_null(request->request);
        exec_request_free(&request);
    }
    sandbox_policy_free(&wider);
    sandbox_policy_free(&policy);
}

/* ---- for the reader --------------------------------------------------------------------- */

static void print(const struct sandbox_policy *policy, int proxy_port)
{
    struct seatbelt_setup setup = {.policy = policy, .home = "/home/op", .proxy_port = proxy_port};
    struct made made = make(&setup);
    printf(";; profile\n%s", made.profile);
    strv_free(&made.words);
}

static int print_all(void)
{
    struct sandbox_policy *policy = sandbox_policy_new_read_only();
    print(policy, 0);
    sandbox_policy_free(&policy);
    policy = sandbox_policy_new_workspace_write("/w/a\")(allow default)(x \"b\\c.*");
    print(policy, 1234);
    sandbox_policy_restrict_reads(policy, true);
    sandbox_policy_add_unix_socket(policy, "/s", NULL);
    sandbox_policy_add_entry(policy, POLICY_ACCESS_WRITE, "/w", NULL);
    sandbox_policy_add_entry(policy, POLICY_ACCESS_READ, "/w/x/y", NULL);
    policy->network = true;
    print(policy, 0);
    sandbox_policy_free(&policy);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_denied_first),
        cmocka_unit_test(a_writable_root_keeps_its_protected_names),
        cmocka_unit_test(closed_names_are_closed_further_down),
        cmocka_unit_test(refusals_come_last),
        cmocka_unit_test(home_as_a_root_keeps_start_up_files),
        cmocka_unit_test(a_part_of_the_home_keeps_start_up_files),
        cmocka_unit_test(restricted_reads),
        cmocka_unit_test(the_network),
        cmocka_unit_test(hostile_names),
        cmocka_unit_test(what_it_can_not_say_is_refused),
        cmocka_unit_test(extensions_survive),
    };
    if (argc > 1 && strcmp(argv[1], "print") == 0)
        return print_all();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
