/* SPDX-License-Identifier: MIT */
/* setup_json and setup_text: what is put in is put in right, and taken out without a trace. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agents/setup_json.h"
#include "agents/setup_text.h"
#include "base/json.h"

static void start(struct strbuf *text, const char *content)
{
    strbuf_reset(text);
    strbuf_addstr(text, content);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static const char *const server[] = {"mcpServers", "assent", NULL};
static const char *const allowed[] = {"permissions", "allow", NULL};

static const struct {
    const char *before, *after;
} members[] = {
    {"{}", "{\n  \"mcpServers\": {\n    \"assent\": {\n      \"command\": \"a\"\n    }\n  }\n}"},
    {"{\n    \"x\": 1\n}\n", "{\n    \"x\": 1,\n    \"mcpServers\": {\n        \"assent\": {\n"
                             "            \"command\": \"a\"\n        }\n    }\n}\n"},
    {"{\"x\": [1, {\"a\": \"}\"}], \"mcpServers\": {}, \"y\": 2}",
     "{\"x\": [1, {\"a\": \"}\"}], \"mcpServers\": {\n    \"assent\": {\n      \"command\": \"a\"\n"
     "    }\n  }, \"y\": 2}"},
    {"{\"mcpServers\": {\"other\": {}}}",
     "{\"mcpServers\": {\"other\": {}, \"assent\": {\n      \"command\": \"a\"\n    }}}"},
    {"// mine\n{\n  /* } */ \"mcpServers\": {\n    // first, \"assent\": 1\n    \"b\\\"\": {},\n  "
     "},\n}",
     "// mine\n{\n  /* } */ \"mcpServers\": {\n    // first, \"assent\": 1\n    \"b\\\"\": {},\n"
     "    \"assent\": {\n      \"command\": \"a\"\n    }\n  },\n}"},
};

static void members_come_and_go(void **state)
{
    (void)state;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    cleanup_json json_t *value = json_pack("{s:s}", "command", "a");
    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
        struct error error = ERROR_INIT;
        cleanup_strbuf struct strbuf old = STRBUF_INIT;
        size_t made;
        start(&text, members[i].before);
        assert_int_equal(setup_json_set(&text, server, value, &made, &old, &error), 0);
        assert_string_equal(strbuf_str(&text), members[i].after);
        assert_int_equal(old.length, 0);
        assert_int_equal(setup_json_remove(&text, server, NULL, made, &error), 0);
        if (strstr(members[i].before, "},\n  },") == NULL)
            assert_string_equal(strbuf_str(&text), members[i].before);
        else
            assert_null(strstr(strbuf_str(&text), "command"));
    }
}

static void only_what_was_made_goes(void **state)
{
    (void)state;
    struct error error = ERROR_INIT;
    cleanup_strbuf struct strbuf text = STRBUF_INIT, old = STRBUF_INIT;
    cleanup_json json_t *value = json_integer(1);
    size_t made;
    start(&text, "{\"a\": 1}");
    assert_int_equal(setup_json_set(&text, server, value, &made, &old, &error), 0);
    /* Somebody adds another server behind ours. */
    cleanup_strbuf struct strbuf edited = STRBUF_INIT;
    const char *ours = strstr(strbuf_str(&text), "\"assent\": 1") + strlen("\"assent\": 1");
    strbuf_add(&edited, text.data, (size_t)(ours - text.data));
    strbuf_addf(&edited, ", \"other\": 2%s", ours);
    assert_int_equal(setup_json_remove(&edited, server, NULL, made, &error), 0);
    assert_non_null(strstr(strbuf_str(&edited), "\"other\": 2"));
    assert_null(strstr(strbuf_str(&edited), "assent"));
    /* What is gone already is no mistake. */
    assert_int_equal(setup_json_remove(&edited, server, NULL, made, &error), 0);
    cleanup_json json_t *parsed = json_loads(strbuf_str(&edited), 0, NULL);
    assert_non_null(parsed);
}

static void values_are_replaced_and_put_back(void **state)
{
    (void)state;
    static const char *const key[] = {"permission", "bash", NULL};
    static const char before[] = "{\"permission\": {\"bash\": {\"*\": \"ask\"}}}";
    struct error error = ERROR_INIT;
    cleanup_strbuf struct strbuf text = STRBUF_INIT, old = STRBUF_INIT;
    cleanup_json json_t *value = json_string("deny");
    size_t made;
    start(&text, before);
    assert_int_equal(setup_json_set(&text, key, value, &made, &old, &error), 0);
    assert_int_equal(made, 2);
    assert_string_equal(strbuf_str(&text), "{\"permission\": {\"bash\": \"deny\"}}");
    assert_string_equal(strbuf_str(&old), "{\"*\": \"ask\"}");
    assert_int_equal(setup_json_replace(&text, key, strbuf_str(&old), &error), 0);
    assert_string_equal(strbuf_str(&text), before);
}

static const struct {
    const char *before, *after;
} elements[] = {
    {"{\n  \"permissions\": {\n    \"allow\": [\n      \"a\"\n    ]\n  }\n}",
     "{\n  \"permissions\": {\n    \"allow\": [\n      \"a\",\n      \"m\"\n    ]\n  }\n}"},
    {"{\"permissions\": {\"allow\": [\"a\", \"b\"]}}",
     "{\"permissions\": {\"allow\": [\"a\", \"b\", \"m\"]}}"},
    {"{\"permissions\": {\"allow\": []}}", "{\"permissions\": {\"allow\": [\n      \"m\"\n    ]}}"},
    {"{\"permissions\": {}}", "{\"permissions\": {\n    \"allow\": [\n      \"m\"\n    ]\n  }}"},
    {"{}", "{\n  \"permissions\": {\n    \"allow\": [\n      \"m\"\n    ]\n  }\n}"},
};

static void elements_come_and_go(void **state)
{
    (void)state;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    cleanup_json json_t *value = json_string("m");
    for (size_t i = 0; i < sizeof(elements) / sizeof(*elements); i++) {
        struct error error = ERROR_INIT;
        size_t made, again;
        start(&text, elements[i].before);
        assert_int_equal(setup_json_append(&text, allowed, value, &made, &error), 0);
        assert_string_equal(strbuf_str(&text), elements[i].after);
        assert_int_equal(setup_json_append(&text, allowed, value, &again, &error), 1);
        assert_string_equal(strbuf_str(&text), elements[i].after);
        assert_int_equal(setup_json_remove(&text, allowed, value, made, &error), 0);
        assert_string_equal(strbuf_str(&text), elements[i].before);
    }
}

static void what_is_no_json_object_is_left_alone(void **state)
{
    (void)state;
    static const char *const bad[] = {"[]",
                                      "x",
                                      "{",
                                      "{\"a\"}",
                                      "{\"a\": }",
                                      "{\"a\": 1 \"b\": 2}",
                                      "{\"a\": \"",
                                      "{a: 1}",
                                      "{\"mcpServers\": []}",
                                      "{\"mcpServers\": null}",
                                      "/*",
                                      "{\"a\": [}",
                                      "{\"a\": 1,, }"};
    cleanup_json json_t *value = json_integer(1);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        struct error error = ERROR_INIT;
        cleanup_strbuf struct strbuf text = STRBUF_INIT, old = STRBUF_INIT;
        size_t made;
        start(&text, bad[i]);
        if (setup_json_set(&text, server, value, &made, &old, &error) == 0)
            fail_msg("taken: %s became %s", bad[i], strbuf_str(&text));
        assert_string_equal(strbuf_str(&text), bad[i]);
    }
}

/* ---- TOML ---------------------------------------------------------------------------------- */

#define TABLE "[mcp_servers.assent]\ncommand = \"a\"\n"

static void tables_come_and_go(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", TABLE},
        {"model = \"x\"\n", "model = \"x\"\n\n" TABLE},
        {"[mcp_servers.other]\ncommand = \"b\"\n\n[features]\nx = true\n",
         "[mcp_servers.other]\ncommand = \"b\"\n\n[features]\nx = true\n\n" TABLE},
    };
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    struct error error = ERROR_INIT;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        start(&text, cases[i][0]);
        assert_int_equal(
            setup_text_add_table(&text, "mcp_servers.assent", "command = \"a\"\n", &error), 0);
        assert_string_equal(strbuf_str(&text), cases[i][1]);
        assert_int_equal(setup_text_add_table(&text, "mcp_servers.assent", "", &error), -1);
        setup_text_remove_table(&text, "mcp_servers.assent");
        assert_string_equal(strbuf_str(&text), cases[i][0]);
    }
}

/* The client has rewritten its file meanwhile. */
static void a_table_goes_from_the_middle_with_what_is_in_it(void **state)
{
    (void)state;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    start(&text, "a = 1\n\n" TABLE "[mcp_servers.assent.tools.shell]\nx = 1\n\n[b]\nc = 2\n");
    setup_text_remove_table(&text, "mcp_servers.assent");
    assert_string_equal(strbuf_str(&text), "a = 1\n\n[b]\nc = 2\n");
}

static void keys_come_and_go(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"a = 1\n", "a = 1\n\n[features]\nshell_tool = false\n"},
        {"[features]\nx = true\n", "[features]\nshell_tool = false\nx = true\n"},
        {"[features]\nx = true\n shell_tool=true # mine\n\n[b]\nshell_tool = 1\n",
         "[features]\nx = true\nshell_tool = false\n\n[b]\nshell_tool = 1\n"},
    };
    struct error error = ERROR_INIT;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        cleanup_strbuf struct strbuf old = STRBUF_INIT;
        start(&text, cases[i][0]);
        bool made = !setup_text_has_table(&text, "features");
        assert_int_equal(setup_text_set_key(&text, "features", "shell_tool", "false", &old, &error),
                         0);
        assert_string_equal(strbuf_str(&text), cases[i][1]);
        setup_text_reset_key(&text, "features", "shell_tool",
                             old.length > 0 ? strbuf_str(&old) : NULL, made);
        assert_string_equal(strbuf_str(&text), cases[i][0]);
    }
}

static void other_forms_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "features = { x = true }\n", "features.shell_tool = true\n", "[b]\n", /* the last is fine */
    };
    cleanup_strbuf struct strbuf text = STRBUF_INIT, old = STRBUF_INIT;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct error error = ERROR_INIT;
        start(&text, cases[i]);
        int result = setup_text_set_key(&text, "features", "shell_tool", "false", &old, &error);
        assert_int_equal(result, cases[i][0] == '[' ? 0 : -1);
    }
}

/* ---- YAML ---------------------------------------------------------------------------------- */

static void entries_come_and_go(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "extensions:\n  assent:\n    cmd: a\n    args:\n    - b\n"},
        {"A: 1\nextensions:\n    developer:\n        enabled: true\nB: 2\n",
         "A: 1\nextensions:\n    assent:\n        cmd: a\n        args:\n        - b\n"
         "    developer:\n        enabled: true\nB: 2\n"},
        {"extensions:\n# none yet\nB: 2\n",
         "extensions:\n  assent:\n    cmd: a\n    args:\n    - b\n# none yet\nB: 2\n"},
    };
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    struct error error = ERROR_INIT;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        start(&text, cases[i][0]);
        bool made = !setup_text_has_entries(&text, "extensions");
        assert_int_equal(
            setup_text_add_entry(&text, "extensions", "assent", "cmd: a\nargs:\n- b\n", &error), 0);
        assert_string_equal(strbuf_str(&text), cases[i][1]);
        assert_int_equal(setup_text_add_entry(&text, "extensions", "assent", "", &error), -1);
        setup_text_remove_entry(&text, "extensions", "assent", made);
        assert_string_equal(strbuf_str(&text), cases[i][0]);
    }
    start(&text, "extensions: {}\n");
    assert_int_equal(setup_text_add_entry(&text, "extensions", "assent", "", &error), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_come_and_go),
        cmocka_unit_test(only_what_was_made_goes),
        cmocka_unit_test(values_are_replaced_and_put_back),
        cmocka_unit_test(elements_come_and_go),
        cmocka_unit_test(what_is_no_json_object_is_left_alone),
        cmocka_unit_test(tables_come_and_go),
        cmocka_unit_test(a_table_goes_from_the_middle_with_what_is_in_it),
        cmocka_unit_test(keys_come_and_go),
        cmocka_unit_test(other_forms_are_refused),
        cmocka_unit_test(entries_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
