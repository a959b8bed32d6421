/* SPDX-License-Identifier: MIT */
/* select and transform: which sandbox, and what is really spawned. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "sandbox/request.h"
#include "sandbox/select.h"
#include "sandbox/transform.h"

/* A NULL-terminated array of strings that nobody writes to. */
#define LIST(...) ((char **)(const char *[]){__VA_ARGS__, NULL})

static const struct sandbox_capability WHOLE_LINUX = {.platform = SANDBOX_PLATFORM_LINUX,
                                                      .landlock_abi = 7,
                                                      .seccomp = true,
                                                      .user_namespaces = true};
static const struct sandbox_capability MACOS = {.platform = SANDBOX_PLATFORM_MACOS,
                                                .seatbelt = true};
static const struct sandbox_capability OTHER = {.platform = SANDBOX_PLATFORM_OTHER};

#define FAILS (-1)

static void selection_table(void **state)
{
    (void)state;
    static const struct {
        enum sandbox_preference preference;
        enum sandbox_mode mode;
        const struct sandbox_capability *capability;
        int expected; /* enum sandbox_type or FAILS */
    } ROWS[] = {
        {SANDBOX_FORBID, SANDBOX_READ_ONLY, &WHOLE_LINUX, SANDBOX_TYPE_NONE},
        {SANDBOX_FORBID, SANDBOX_DANGER_FULL_ACCESS, &WHOLE_LINUX, SANDBOX_TYPE_NONE},
        {SANDBOX_FORBID, SANDBOX_WORKSPACE_WRITE, &OTHER, SANDBOX_TYPE_NONE},
        {SANDBOX_REQUIRE, SANDBOX_DANGER_FULL_ACCESS, &WHOLE_LINUX, SANDBOX_TYPE_LINUX},
        {SANDBOX_REQUIRE, SANDBOX_WORKSPACE_WRITE, &WHOLE_LINUX, SANDBOX_TYPE_LINUX},
        {SANDBOX_REQUIRE, SANDBOX_READ_ONLY, &MACOS, SANDBOX_TYPE_SEATBELT},
        {SANDBOX_REQUIRE, SANDBOX_READ_ONLY, &OTHER, FAILS},
        {SANDBOX_AUTO, SANDBOX_READ_ONLY, &WHOLE_LINUX, SANDBOX_TYPE_LINUX},
        {SANDBOX_AUTO, SANDBOX_WORKSPACE_WRITE, &WHOLE_LINUX, SANDBOX_TYPE_LINUX},
        {SANDBOX_AUTO, SANDBOX_DANGER_FULL_ACCESS, &WHOLE_LINUX, SANDBOX_TYPE_NONE},
        {SANDBOX_AUTO, SANDBOX_EXTERNAL, &WHOLE_LINUX, SANDBOX_TYPE_NONE},
        {SANDBOX_AUTO, SANDBOX_WORKSPACE_WRITE, &MACOS, SANDBOX_TYPE_SEATBELT},
        {SANDBOX_AUTO, SANDBOX_DANGER_FULL_ACCESS, &MACOS, SANDBOX_TYPE_NONE},
        {SANDBOX_AUTO, SANDBOX_WORKSPACE_WRITE, &OTHER, FAILS},
        {SANDBOX_AUTO, SANDBOX_DANGER_FULL_ACCESS, &OTHER, SANDBOX_TYPE_NONE},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct error error = ERROR_INIT;
        enum sandbox_type type = SANDBOX_TYPE_NONE;
        struct sandbox_policy *policy = sandbox_policy_new(ROWS[i].mode, "/w");
        int result = select_type(ROWS[i].preference, policy, ROWS[i].capability, &type, &error);
        if ((result < 0 ? FAILS : (int)type) != ROWS[i].expected)
            fail_msg("row %zu: result %d, type %d", i, result, (int)type);
        assert_int_equal(result < 0, error.message[0] != '\0');
        sandbox_policy_free(&policy);
    }
}

static void what_cannot_be_enforced_is_refused(void **state)
{
    (void)state;
    enum sandbox_type type;
    struct error error = ERROR_INIT;
    struct sandbox_capability capability = WHOLE_LINUX;
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/w");
    capability.landlock_abi = 0;
    assert_int_equal(select_type(SANDBOX_AUTO, policy, &capability, &type, &error), -1);
    assert_non_null(strstr(error.message, "Landlock"));
    policy->allow_degraded = true; /* does not help: nothing would be left */
    assert_int_equal(select_type(SANDBOX_AUTO, policy, &capability, &type, &error), -1);
    capability = WHOLE_LINUX;
    capability.user_namespaces = false;
    assert_int_equal(select_type(SANDBOX_AUTO, policy, &capability, &type, &error), 0);
    policy->allow_degraded = false;
    assert_int_equal(select_type(SANDBOX_AUTO, policy, &capability, &type, &error), -1);
    assert_non_null(strstr(error.message, "allow_degraded"));
    capability.user_namespaces = true;
    policy->no_user_namespaces = true;
    assert_int_equal(select_type(SANDBOX_AUTO, policy, &capability, &type, &error), -1);
    sandbox_policy_free(&policy);
}

/* ---- transform -------------------------------------------------------------------------- */

static const char *ARGV[] = {"git", "status", NULL};
static const char *ENV[] = {"A=call", "HOME=/call", "ASSENT_SANDBOX_NETWORK_DISABLED=0", NULL};
static const char *const BASE[] = {"A=base", "B=base", "CODEX_SANDBOX=forged", NULL};
static char CWD[] = "/w";
static struct command_spec SPEC = {.argv = (char **)ARGV,
                                   .cwd = CWD,
                                   .env = (char **)ENV,
                                   .timeout_ms = 5000,
                                   .standard_input = STDIN_PIPE};

/* Any executable stands for the helper: it is only looked at. */
static struct exec_request *transform(const struct sandbox_policy *policy, enum sandbox_type type,
                                      struct error *error)
{
    struct transform_context context = {
        .policy = policy, .type = type, .helper = "/bin/sh", .base_environment = BASE};
    return transform_command(&SPEC, &context, error);
}

static const char *variable(const struct exec_request *request, const char *name)
{
    size_t length = strlen(name);
    for (char **entry = request->env; *entry; entry++)
        if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
            return *entry + length + 1;
    return NULL;
}

/* What a call says of the home is for its command alone. */
static void the_helper_knows_the_operators_settings(void **state)
{
    (void)state;
    setenv("HOME", "/operator", 1);
    setenv("XDG_CONFIG_HOME", "/operator/own", 1);
    setenv("LD_PRELOAD", "", 1);
    unsetenv("ZDOTDIR");
    unsetenv("GIT_CONFIG_GLOBAL");
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/w");
    struct exec_request *request = transform(policy, SANDBOX_TYPE_LINUX, NULL);
    assert_string_equal(request->program_env[0], "HOME=/operator");
    assert_string_equal(request->program_env[1], "XDG_CONFIG_HOME=/operator/own");
    assert_null(request->program_env[2]);
    assert_string_equal(variable(request, "HOME"), "/call");
    exec_request_free(&request);
    sandbox_policy_free(&policy);
}

static void the_request_carries_the_command(void **state)
{
    (void)state;
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/w");
    struct exec_request *request = transform(policy, SANDBOX_TYPE_LINUX, NULL);
    assert_string_equal(request->program, "/bin/sh");
    assert_string_equal(request->argv[0], "assent-sandbox");
    assert_string_equal(request->arg0, "assent-sandbox");
    assert_string_equal(request->argv[1], "--");
    assert_string_equal(request->argv[2], "git");
    assert_string_equal(request->argv[3], "status");
    assert_null(request->argv[4]);
    assert_int_equal(request->timeout_ms, 5000);
    assert_int_equal(request->standard_input, STDIN_PIPE);
    assert_string_equal(variable(request, "A"), "call");
    assert_string_equal(variable(request, "B"), "base");
    assert_string_equal(variable(request, "TMPDIR"), "/tmp");
    struct helper_request *read = request_parse(request->request, request->request_size, NULL);
    assert_non_null(read);
    assert_string_equal(read->cwd, "/w");
    assert_int_equal(read->policy->mode, SANDBOX_WORKSPACE_WRITE);
    assert_int_equal(strv_length((const char *const *)read->env),
                     strv_length((const char *const *)request->env));
    request_free(&read);
    exec_request_free(&request);
    sandbox_policy_free(&policy);
}

static void unconfined_goes_the_same_way(void **state)
{
    (void)state;
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/w");
    struct exec_request *request = transform(policy, SANDBOX_TYPE_NONE, NULL);
    struct helper_request *read = request_parse(request->request, request->request_size, NULL);
    assert_string_equal(request->argv[0], "assent-sandbox");
    assert_false(sandbox_policy_is_restricted(read->policy));
    assert_null(variable(request, "ASSENT_SANDBOX"));
    request_free(&read);
    exec_request_free(&request);
    sandbox_policy_free(&policy);
}

static void network_variable_exactly_when_closed(void **state)
{
    (void)state;
    static const struct {
        enum sandbox_mode mode;
        bool network;
        enum sandbox_type type;
        bool told;
        const char *sandbox;
    } ROWS[] = {
        {SANDBOX_WORKSPACE_WRITE, false, SANDBOX_TYPE_LINUX, true, "linux"},
        {SANDBOX_WORKSPACE_WRITE, true, SANDBOX_TYPE_LINUX, false, "linux"},
        {SANDBOX_WORKSPACE_WRITE, false, SANDBOX_TYPE_NONE, false, NULL},
        {SANDBOX_READ_ONLY, false, SANDBOX_TYPE_LINUX, true, "linux"},
        {SANDBOX_DANGER_FULL_ACCESS, true, SANDBOX_TYPE_NONE, false, NULL},
        {SANDBOX_EXTERNAL, false, SANDBOX_TYPE_NONE, true, NULL},
        {SANDBOX_EXTERNAL, true, SANDBOX_TYPE_NONE, false, NULL},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct sandbox_policy *policy = sandbox_policy_new(ROWS[i].mode, "/w");
        policy->network = ROWS[i].network;
        struct exec_request *request = transform(policy, ROWS[i].type, NULL);
        const char *told = variable(request, "ASSENT_SANDBOX_NETWORK_DISABLED");
        const char *twin = variable(request, "CODEX_SANDBOX_NETWORK_DISABLED");
        const char *sandbox = variable(request, "ASSENT_SANDBOX");
        if ((told != NULL) != ROWS[i].told || (twin != NULL) != ROWS[i].told)
            fail_msg("row %zu", i);
        if (told)
            assert_string_equal(told, "1");
        if (ROWS[i].sandbox)
            assert_string_equal(sandbox, ROWS[i].sandbox);
        else
            assert_null(sandbox);
        exec_request_free(&request);
        sandbox_policy_free(&policy);
    }
}

static void a_missing_helper_is_named(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct sandbox_policy *policy = sandbox_policy_new_read_only();
    struct transform_context context = {
        .policy = policy, .type = SANDBOX_TYPE_LINUX, .helper = "/nowhere/assent-sandbox"};
    assert_null(transform_command(&SPEC, &context, &error));
    assert_non_null(strstr(error.message, "/nowhere/assent-sandbox"));
    context.helper = "assent-sandbox"; /* never looked up */
    assert_null(transform_command(&SPEC, &context, &error));
    sandbox_policy_free(&policy);
}

static void bad_specs_are_refused(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct command_spec spec = SPEC;
    spec.argv = LIST(NULL);
    assert_int_equal(command_spec_check(&spec, &error), -1);
    spec.argv = LIST("");
    assert_int_equal(command_spec_check(&spec, &error), -1);
    spec = SPEC;
    spec.cwd = (char *)"w";
    assert_int_equal(command_spec_check(&spec, &error), -1);
    spec = SPEC;
    spec.env = LIST("NOVALUE");
    assert_int_equal(command_spec_check(&spec, &error), -1);
    spec = SPEC;
    char *longer = xmalloc(131073);
    memset(longer, 'x', 131072);
    longer[131072] = '\0';
    spec.argv = LIST("echo", longer);
    assert_int_equal(command_spec_check(&spec, &error), -1);
    assert_non_null(strstr(error.message, "131071"));
    longer[131071] = '\0';
    assert_int_equal(command_spec_check(&spec, &error), 0);
    free(longer);
}

static void specs_are_copied_deeply(void **state)
{
    (void)state;
    struct command_spec *spec = command_spec_new();
    spec->argv = strv_copy(ARGV);
    spec->cwd = xstrdup("/w");
    spec->additional = XNEW(struct additional_permissions);
    spec->additional->writable = strv_copy((const char *const[]){"/x", NULL});
    struct command_spec *copy = command_spec_copy(spec);
    command_spec_free(&spec);
    assert_null(spec);
    assert_string_equal(copy->argv[1], "status");
    assert_string_equal(copy->additional->writable[0], "/x");
    assert_false(additional_permissions_empty(copy->additional));
    command_spec_free(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selection_table),
        cmocka_unit_test(what_cannot_be_enforced_is_refused),
        cmocka_unit_test(the_request_carries_the_command),
        cmocka_unit_test(the_helper_knows_the_operators_settings),
        cmocka_unit_test(unconfined_goes_the_same_way),
        cmocka_unit_test(network_variable_exactly_when_closed),
        cmocka_unit_test(a_missing_helper_is_named),
        cmocka_unit_test(bad_specs_are_refused),
        cmocka_unit_test(specs_are_copied_deeply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
