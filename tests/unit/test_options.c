/* SPDX-License-Identifier: MIT */
/* The option table, values, command lines, the configuration file and the environment. */
#include "config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "config/arguments.h"
#include "config/config_file.h"
#include "config/environment.h"
#include "config/option_value.h"
#include "config/options.h"
#include "config/paths.h"

static const struct option_source from_file = {ORIGIN_FILE, "a.conf", 3};
static const struct option_source from_arguments = {ORIGIN_COMMAND_LINE, NULL, 0};

static char test_directory[] = "/tmp/assent-test-XXXXXX";
static char test_file[64];

static int make_directory(void **state)
{
    (void)state;
    if (!mkdtemp(test_directory))
        return -1;
    snprintf(test_file, sizeof(test_file), "%s/assent.conf", test_directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    unlink(test_file);
    return rmdir(test_directory);
}

/* ---- the table ----------------------------------------------------------------------------- */

static void check_spec(int id)
{
    const struct option_spec *spec = option_spec(id);
    assert_non_null(spec->description);
    assert_non_null(spec->fallback);
    assert_int_equal(spec->key != NULL, id < OPTION_KEY_COUNT);
    assert_int_equal(spec->name != NULL, spec->subcommands != 0);
    assert_true(spec->key || spec->name);
    assert_int_equal(spec->metavar != NULL, spec->type != OPTION_BOOL);
    assert_int_equal(spec->choices[0] != NULL, spec->type == OPTION_CHOICE || spec->titled);
    assert_null(spec->choices[sizeof spec->choices / sizeof *spec->choices - 1]);
    assert_true(strlen(spec->description) <= 200);
    for (int other = 0; other < id; other++) {
        const struct option_spec *before = option_spec(other);
        if (spec->key && before->key)
            assert_string_not_equal(spec->key, before->key);
        if (!(spec->subcommands & before->subcommands))
            continue;
        assert_string_not_equal(spec->name, before->name);
        assert_true(!spec->letter || spec->letter != before->letter);
    }
}

static void the_table_is_whole(void **state)
{
    (void)state;
    for (int id = 0; id < OPTION_COUNT; id++)
        check_spec(id);
    for (int id = 0; id < SUBCOMMAND_COUNT; id++)
        assert_non_null(subcommands[id].summary);
    struct options *options = options_new(); /* asserts that every default is a value */
    options_free(&options);
    assert_null(options);
}

/* ---- values -------------------------------------------------------------------------------- */

static void values_are_checked(void **state)
{
    (void)state;
    static const struct {
        enum option_id id;
        const char *text;
        long long number; /* -1: refused */
    } rows[] = {
        {OPTION_RESTRICTED_READ, "yes", 1},
        {OPTION_RESTRICTED_READ, "Off", 0},
        {OPTION_RESTRICTED_READ, "maybe", -1},
        {OPTION_RESTRICTED_READ, "", -1},
        {OPTION_OUTPUT_CAP, "64MiB", 64LL << 20},
        {OPTION_OUTPUT_CAP, "8192", 8192},
        {OPTION_OUTPUT_CAP, "1 GiB", 1LL << 30},
        {OPTION_OUTPUT_CAP, "4095", -1},
        {OPTION_OUTPUT_CAP, "64MB", -1},
        {OPTION_OUTPUT_CAP, "9999999999GiB", -1},
        {OPTION_OUTPUT_CAP, "99999999999999999999", -1},
        {OPTION_OUTPUT_CAP, "-5000", -1},
        {OPTION_OUTPUT_CAP, " 5000", -1},
        {OPTION_GUARD_TIME, "400ms", 400},
        {OPTION_GUARD_TIME, "250", 250},
        {OPTION_GUARD_TIME, "1s", 1000},
        {OPTION_GUARD_TIME, "1h", -1},
        {OPTION_ESCAPE_TIME, "0", 0},
        {OPTION_ESCAPE_TIME, "500ms", 500},
        {OPTION_ESCAPE_TIME, "3s", -1},
        {OPTION_DEFAULT_TIMEOUT, "0", 0},
        {OPTION_DEFAULT_TIMEOUT, "90min", 5400000},
        {OPTION_SCROLLBACK, "0x10", -1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct option_value value = {0};
        struct error error = ERROR_INIT;
        int result = option_value_parse(option_spec(rows[i].id), rows[i].text, &value, &error);
        assert_int_equal(result, rows[i].number < 0 ? -1 : 0);
        if (result == 0)
            assert_int_equal(value.number, rows[i].number);
        else
            assert_non_null(strstr(error.message, option_spec(rows[i].id)->key));
        option_value_clear(&value);
    }
}

static void paths_must_be_absolute(void **state)
{
    (void)state;
    struct option_value value = {0};
    struct error error = ERROR_INIT;
    const struct option_spec *roots = option_spec(OPTION_WRITABLE_ROOTS);
    setenv("HOME", "/home/x", 1);
    assert_int_equal(option_value_parse(roots, "src", &value, &error), -1);
    assert_int_equal(option_value_parse(roots, "", &value, &error), -1);
    assert_int_equal(option_value_parse(roots, "~other/src", &value, &error), -1);
    assert_int_equal(option_value_parse(roots, "~/src", &value, &error), 0);
    assert_int_equal(option_value_parse(roots, "/a \"b\"", &value, &error), 0);
    cleanup_strbuf struct strbuf shown = STRBUF_INIT;
    option_value_format(roots, &value, &shown);
    assert_string_equal(strbuf_str(&shown), "{\"/home/x/src\", \"/a \\\"b\\\"\"}");
    option_value_clear(&value);
}

static void choices_are_named_in_the_message(void **state)
{
    (void)state;
    struct option_value value = {0};
    struct error error = ERROR_INIT;
    assert_int_equal(
        option_value_parse(option_spec(OPTION_SANDBOX_MODE), "readonly", &value, &error), -1);
    assert_string_equal(error.message, "sandbox_mode takes one of read-only, workspace-write, "
                                       "danger-full-access, external-sandbox, not \"readonly\"");
}

/* ---- origins ------------------------------------------------------------------------------- */

static void stronger_origins_win_in_any_order(void **state)
{
    (void)state;
    struct options *options = options_new();
    assert_int_equal(options_set(options, OPTION_THEME, "light", &from_arguments, NULL), 0);
    assert_int_equal(options_set(options, OPTION_THEME, "mono", &from_file, NULL), 0);
    assert_string_equal(options_string(options, OPTION_THEME), "light");
    assert_int_equal(options_set(options, OPTION_THEME, "pink", &from_file, NULL), -1);
    assert_int_equal(options_set(options, OPTION_WRITABLE_ROOTS, "/a", &from_file, NULL), 0);
    assert_int_equal(options_set(options, OPTION_WRITABLE_ROOTS, "/b", &from_file, NULL), 0);
    assert_string_equal(options_list(options, OPTION_WRITABLE_ROOTS)[1], "/b");
    assert_int_equal(options_set(options, OPTION_WRITABLE_ROOTS, "/c", &from_arguments, NULL), 0);
    assert_string_equal(options_list(options, OPTION_WRITABLE_ROOTS)[0], "/c");
    assert_null(options_list(options, OPTION_WRITABLE_ROOTS)[1]);
    assert_int_equal(options_source(options, OPTION_WRITABLE_ROOTS).origin, ORIGIN_COMMAND_LINE);
    options_free(&options);
}

/* ---- command lines ------------------------------------------------------------------------- */

static int parse_words(struct options *options, enum subcommand_id subcommand, struct error *error,
                       const char *words)
{
    char *argv[32] = {(char *)"assent"};
    int argc = 1;
    cleanup_free char *copy = xstrdup(words);
    char *rest = NULL;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    return arguments_parse(options, subcommand, argc, argv, error);
}

static void command_lines_are_read(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    int rest = parse_words(options, SUBCOMMAND_CONSOLE, &error,
                           "--policy never --mode=read-only -vvp work --network "
                           "-cguard_time=1s -c reject.rules=true --writable-root /a "
                           "--writable-root=/b --no-network -- ls -l");
    assert_int_equal(rest, 15);
    assert_string_equal(options_string(options, OPTION_APPROVAL_POLICY), "never");
    assert_string_equal(options_string(options, OPTION_SANDBOX_MODE), "read-only");
    assert_string_equal(options_string(options, OPTION_PROFILE), "work");
    assert_int_equal(options_number(options, OPTION_VERBOSE), 2);
    assert_int_equal(options_number(options, OPTION_GUARD_TIME), 1000);
    assert_true(options_bool(options, OPTION_REJECT_RULES));
    assert_false(options_bool(options, OPTION_NETWORK_ACCESS));
    assert_string_equal(options_list(options, OPTION_WRITABLE_ROOTS)[1], "/b");
    assert_string_equal(options_string(options, OPTION_CONFIG_FILE), "");
    options_free(&options);
}

static void relative_paths_start_where_we_are(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    assert_int_equal(chdir("/usr"), 0);
    assert_int_equal(
        parse_words(options, SUBCOMMAND_SANDBOX, &error, "--writable-root lib --writable-root ~"),
        5);
    assert_string_equal(options_list(options, OPTION_WRITABLE_ROOTS)[0], "/usr/lib");
    assert_string_equal(options_list(options, OPTION_WRITABLE_ROOTS)[1], getenv("HOME"));
    options_free(&options);
}

static void the_first_other_word_ends_the_options(void **state)
{
    (void)state;
    struct options *options = options_new();
    assert_int_equal(parse_words(options, SUBCOMMAND_LOG, NULL, "--json 42 --follow"), 2);
    assert_false(options_bool(options, OPTION_FOLLOW));
    assert_int_equal(parse_words(options, SUBCOMMAND_LOG, NULL, ""), 1);
    assert_int_equal(parse_words(options, SUBCOMMAND_LOG, NULL, "-"), 1);
    options_free(&options);
}

static void wrong_command_lines_say_why(void **state)
{
    (void)state;
    static const struct {
        enum subcommand_id subcommand;
        const char *words;
        const char *message;
    } rows[] = {
        {SUBCOMMAND_CONSOLE, "--polcy never", "unknown option --polcy (see assent --help)"},
        {SUBCOMMAND_EXEC, "--demo", "unknown option --demo (see assent exec --help)"},
        {SUBCOMMAND_CONSOLE, "--mode", "--mode needs a value"},
        {SUBCOMMAND_CONSOLE, "--no-mode", "unknown option --no-mode (see assent --help)"},
        {SUBCOMMAND_CONSOLE, "-q", "unknown option -q (see assent --help)"},
        {SUBCOMMAND_CONSOLE, "-c theme", "-c takes KEY=VALUE, not \"theme\""},
        {SUBCOMMAND_CONSOLE, "-c demo=1",
         "there is no configuration key \"demo\" (assent config lists them)"},
        {SUBCOMMAND_CONSOLE, "--network=perhaps",
         "network_access takes true or false, not \"perhaps\""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = ERROR_INIT;
        struct options *options = options_new();
        assert_int_equal(parse_words(options, rows[i].subcommand, &error, rows[i].words), -1);
        assert_string_equal(error.message, rows[i].message);
        options_free(&options);
    }
}

/* ---- the configuration file ---------------------------------------------------------------- */

static int load_text(struct options *options, const char *text, struct error *error)
{
    assert_int_equal(fd_replace_file(test_file, text, strlen(text), 0600), 0);
    options_set(options, OPTION_CONFIG_FILE, test_file, &from_arguments, NULL);
    return config_file_load(options, error);
}

static const char example[] = "# mine\n"
                              "approval_policy = untrusted\n"
                              "reject { rules = true }\n"
                              "writable_roots = {\"/a\", \"/b\"}\n"
                              "writable_roots += {/c}\n"
                              "guard_time = 1s\n"
                              "profile work {\n"
                              "    theme = light\n"
                              "    writable_roots = {}\n"
                              "    reject { elicitations = yes }\n"
                              "}\n"
                              "profile play { approval_policy = never }\n";

static void a_file_sets_values_with_their_lines(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    assert_int_equal(load_text(options, example, &error), 0);
    assert_string_equal(error.message, "");
    assert_string_equal(options_string(options, OPTION_APPROVAL_POLICY), "untrusted");
    assert_true(options_bool(options, OPTION_REJECT_RULES));
    assert_int_equal(strv_length(options_list(options, OPTION_WRITABLE_ROOTS)), 3);
    assert_string_equal(options_list(options, OPTION_WRITABLE_ROOTS)[2], "/c");
    struct option_source source = options_source(options, OPTION_GUARD_TIME);
    assert_int_equal(source.origin, ORIGIN_FILE);
    assert_int_equal(source.line, 6);
    assert_string_equal(source.file, test_file);
    assert_int_equal(options_source(options, OPTION_THEME).origin, ORIGIN_DEFAULT);
    options_free(&options);
}

static void a_profile_comes_on_top(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    options_set(options, OPTION_PROFILE, "work", &from_arguments, NULL);
    assert_int_equal(load_text(options, example, &error), 0);
    assert_string_equal(options_string(options, OPTION_APPROVAL_POLICY), "untrusted");
    assert_string_equal(options_string(options, OPTION_THEME), "light");
    assert_true(options_bool(options, OPTION_REJECT_ELICITATIONS));
    assert_true(options_bool(options, OPTION_REJECT_RULES));
    assert_null(options_list(options, OPTION_WRITABLE_ROOTS)[0]);
    assert_int_equal(options_source(options, OPTION_THEME).origin, ORIGIN_PROFILE);
    assert_int_equal(options_source(options, OPTION_THEME).line, 8);
    options_free(&options);

    options = options_new();
    options_set(options, OPTION_PROFILE, "wrk", &from_arguments, NULL);
    assert_int_equal(load_text(options, example, &error), -1);
    assert_non_null(strstr(error.message, "has no profile \"wrk\" (it has: work, play)"));
    options_free(&options);
}

static void expect_refusal(const char *text, const char *message)
{
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    if (load_text(options, text, &error) == 0)
        fail_msg("taken: %s", text);
    cleanup_free char *expected = xasprintf("%s:%s", test_file, message);
    if (strncmp(error.message, expected, strlen(expected)) != 0)
        fail_msg("got \"%s\", expected \"%s\"", error.message, expected);
    options_free(&options);
}

static void a_client_has_a_section_of_its_own(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    assert_null(options_list(options, OPTION_DECIDE_BY)[0]);
    assert_int_equal(load_text(options,
                               "client \"Some Client\" { decide_by = client }\n"
                               "client other { decide_by = \"console\" }\nclient none { }\n"
                               "profile work { client work { decide_by = client } }\n",
                               &error),
                     0);
    assert_string_equal(options_list(options, OPTION_DECIDE_BY)[0], "Some Client=client");
    assert_string_equal(options_list(options, OPTION_DECIDE_BY)[1], "other=console");
    assert_null(options_list(options, OPTION_DECIDE_BY)[2]);
    options_free(&options);
    expect_refusal("client a {\n decide_by = operator\n}\n",
                   "2: client.decide_by: expected one of console, client");
    expect_refusal("client a { decide_by = client }\nclient a { decide_by = console }\n",
                   "2: found duplicate title 'a'");
    expect_refusal("client { decide_by = client }\n", "1: ");
    expect_refusal("client.decide_by = {\"a=client\"}\n", "1: no such option");
}

static void mistakes_are_told_with_their_lines(void **state)
{
    (void)state;
    expect_refusal("theme = dark\napproval_polcy = never\n", "2: no such option");
    expect_refusal("\n\ntheme = pink\n",
                   "3: theme takes one of auto, dark, light, mono, high-contrast, "
                   "colour-blind, not \"pink\"");
    expect_refusal("writable_roots = {\"/a\",\n\"b\"}\n",
                   "2: writable_roots takes a list of paths, absolute or starting with ~/, "
                   "not \"b\"");
    expect_refusal("profile other {\n  guard_time = 2d\n}\n",
                   "2: guard_time takes a number with ms, s, min or h behind it, not \"2d\"");
    expect_refusal("theme = dark\nreject {\n", "2: this { has no }");
    expect_refusal("profile a { }\nprofile a { }\n", "2: found duplicate title 'a'");
    expect_refusal("profile a { profile b { } }\n", "1: no such option 'profile'");
    expect_refusal("\"\\001reader\" = 1\n", "1: ");

    struct error error = ERROR_INIT;
    struct options *options = options_new();
    assert_int_equal(load_text(options, "theme = x\nguard_time = y\n", &error), -1);
    assert_non_null(strstr(error.message, ":1: "));
    assert_non_null(strstr(error.message, "\n"));
    assert_non_null(strstr(error.message, ":2: "));
    options_free(&options);
}

static void a_file_that_others_can_write_is_refused(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    assert_int_equal(load_text(options, example, &error), 0);
    assert_int_equal(chmod(test_file, 0620), 0);
    assert_int_equal(config_file_load(options, &error), -1);
    assert_non_null(strstr(error.message, "chmod go-w"));
    options_free(&options);
}

static void a_missing_file_matters_only_when_asked_for(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    assert_int_equal(config_file_load(options, &error), 0);
    options_set(options, OPTION_CONFIG_FILE, "/nonexistent/x.conf", &from_arguments, NULL);
    assert_int_equal(config_file_load(options, &error), -1);
    assert_string_equal(error.message,
                        "cannot read /nonexistent/x.conf: No such file or directory");
    options_free(&options);
}

/* ---- the environment of commands ----------------------------------------------------------- */

static void only_chosen_variables_pass(void **state)
{
    (void)state;
    static const char *const given[] = {"PATH=/bin",
                                        "HOME=/h",
                                        "LC_TIME=C",
                                        "LC_PASSWORD=x",
                                        "LD_PRELOAD=/x.so",
                                        "BASH_ENV=/x",
                                        "FOO=1",
                                        "GITHUB_TOKEN",
                                        "LANG=C",
                                        "PATHS=no",
                                        "GIT_CONFIG=1=2",
                                        "FOO_KEY=no",
                                        NULL};
    static const char *const expected[] = {"PATH=/bin", "HOME=/h",        "LC_TIME=C", "FOO=1",
                                           "LANG=de",   "GIT_CONFIG=1=2", "NEW=",      NULL};
    struct options *options = options_new();
    options_set(options, OPTION_ENVIRONMENT_SET, "LANG=de", &from_file, NULL);
    options_set(options, OPTION_ENVIRONMENT_SET, "NEW=", &from_file, NULL);
    static const char *const passed[] = {"PATH", "HOME", "LC_*",       "FOO*",
                                         "LANG", "L*",   "GIT_CONFIG", "B*"};
    for (size_t i = 0; i < COUNT(passed); i++)
        options_set(options, OPTION_ENVIRONMENT_PASS, passed[i], &from_file, NULL);
    cleanup_strv char **result = environment_build(options, given);
    assert_int_equal(strv_length((const char *const *)result), COUNT(expected) - 1);
    for (size_t i = 0; expected[i]; i++)
        assert_string_equal(result[i], expected[i]);
    options_free(&options);
}

/* ---- directories --------------------------------------------------------------------------- */

static void directories_follow_the_specification(void **state)
{
    (void)state;
    setenv("HOME", "/home/x", 1);
    setenv("XDG_CONFIG_HOME", "relative", 1);
    unsetenv("XDG_STATE_HOME");
    cleanup_free char *config = paths_config_directory();
    cleanup_free char *state_directory = paths_state_directory();
    assert_string_equal(config, "/home/x/.config/assent");
    assert_string_equal(state_directory, "/home/x/.local/state/assent");
}

static void the_runtime_directory_is_ours_alone(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    cleanup_free char *base = xasprintf("%s/run", test_directory);
    cleanup_free char *ours = xasprintf("%s/assent", base);
    assert_int_equal(mkdir(base, 0700), 0);
    setenv("XDG_RUNTIME_DIR", base, 1);
    setenv("XDG_STATE_HOME", test_directory, 1);
    cleanup_free char *found = paths_runtime_directory(&error);
    assert_string_equal(found, ours);

    assert_int_equal(chmod(ours, 0755), 0);
    assert_null(paths_runtime_directory(&error));
    assert_non_null(strstr(error.message, "chmod 700"));
    assert_int_equal(rmdir(ours), 0);

    assert_int_equal(chmod(base, 0755), 0); /* not private: the state directory instead */
    cleanup_free char *fallback = paths_runtime_directory(&error);
    cleanup_free char *expected = xasprintf("%s/assent/run", test_directory);
    assert_string_equal(fallback, expected);
    assert_int_equal(rmdir(base), 0);
    assert_int_equal(rmdir(fallback), 0);
    cleanup_free char *parent = xasprintf("%s/assent", test_directory);
    assert_int_equal(rmdir(parent), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_whole),
        cmocka_unit_test(values_are_checked),
        cmocka_unit_test(paths_must_be_absolute),
        cmocka_unit_test(choices_are_named_in_the_message),
        cmocka_unit_test(stronger_origins_win_in_any_order),
        cmocka_unit_test(command_lines_are_read),
        cmocka_unit_test(relative_paths_start_where_we_are),
        cmocka_unit_test(the_first_other_word_ends_the_options),
        cmocka_unit_test(wrong_command_lines_say_why),
        cmocka_unit_test(a_file_sets_values_with_their_lines),
        cmocka_unit_test(a_client_has_a_section_of_its_own),
        cmocka_unit_test(a_profile_comes_on_top),
        cmocka_unit_test(mistakes_are_told_with_their_lines),
        cmocka_unit_test(a_file_that_others_can_write_is_refused),
        cmocka_unit_test(a_missing_file_matters_only_when_asked_for),
        cmocka_unit_test(only_chosen_variables_pass),
        cmocka_unit_test(directories_follow_the_specification),
        cmocka_unit_test(the_runtime_directory_is_ours_alone),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
