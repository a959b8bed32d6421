/* SPDX-License-Identifier: MIT */
/* form: the kinds of fields that MCP's specification has ("Elicitation", 2025-11-25), and lines
 * that fit and do not. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agents/drive/form.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/json.h"

/* A form of one field "f", which is required unless `rest` says otherwise. */
static struct form *form_of(const char *field, const char *required)
{
    struct error error = ERROR_INIT;
    cleanup_json json_t *schema =
        json_pack("{s:s,s:{s:o},s:o}", "type", "object", "properties", "f",
                  json_loads(field, JSON_DECODE_ANY, NULL), "required",
                  json_loads(required, JSON_DECODE_ANY, NULL));
    return form_from_schema("Please", schema, &error);
}

static void lines_fit_or_do_not(void **state)
{
    (void)state;
    static const struct {
        const char *field, *line, *content; /* NULL: it does not fit */
    } table[] = {
        {"{\"type\":\"string\"}", "any words", "{\"f\":\"any words\"}"},
        {"{\"type\":\"string\"}", "", NULL},
        {"{\"type\":\"string\",\"default\":\"d\"}", "", "{\"f\":\"d\"}"},
        {"{\"type\":\"string\",\"minLength\":3,\"maxLength\":4}", "\xc3\xa9\xc3\xa9", NULL},
        {"{\"type\":\"string\",\"minLength\":3,\"maxLength\":4}", "\xc3\xa9\xc3\xa9\xc3\xa9",
         "{\"f\":\"\xc3\xa9\xc3\xa9\xc3\xa9\"}"},
        {"{\"type\":\"string\",\"minLength\":3,\"maxLength\":4}", "abcde", NULL},
        {"{\"type\":\"integer\",\"minimum\":0,\"maximum\":100}", "100", "{\"f\":100}"},
        {"{\"type\":\"integer\",\"minimum\":0,\"maximum\":100}", "101", NULL},
        {"{\"type\":\"integer\",\"minimum\":0,\"maximum\":100}", "-1", NULL},
        {"{\"type\":\"integer\"}", "1.5", NULL},
        {"{\"type\":\"integer\"}", "99999999999999999999", NULL},
        {"{\"type\":\"number\",\"minimum\":0.5}", "0.5", "{\"f\":0.5}"},
        {"{\"type\":\"number\",\"minimum\":0.5}", "0.25", NULL},
        {"{\"type\":\"number\"}", "inf", NULL},
        {"{\"type\":\"boolean\",\"default\":false}", "yes", "{\"f\":true}"},
        {"{\"type\":\"boolean\",\"default\":false}", "", "{\"f\":false}"},
        {"{\"type\":\"boolean\"}", "1", NULL},
        {"{\"type\":\"string\",\"enum\":[\"Red\",\"Green\"]}", "2", "{\"f\":\"Green\"}"},
        {"{\"type\":\"string\",\"enum\":[\"Red\",\"Green\"]}", "Red", "{\"f\":\"Red\"}"},
        {"{\"type\":\"string\",\"enum\":[\"Red\",\"Green\"]}", "Blue", NULL},
        {"{\"type\":\"string\",\"enum\":[\"Red\",\"Green\"]}", "3", NULL},
        {"{\"type\":\"string\",\"enum\":[\"o1\"],\"enumNames\":[\"One\"]}", "One",
         "{\"f\":\"o1\"}"},
        {"{\"type\":\"string\",\"oneOf\":[{\"const\":\"#F00\",\"title\":\"Red\"}]}", "Red",
         "{\"f\":\"#F00\"}"},
        {"{\"type\":\"array\",\"minItems\":1,\"maxItems\":2,\"items\":{\"type\":\"string\","
         "\"enum\":[\"Red\",\"Green\",\"Blue\"]}}",
         "1, Blue", "{\"f\":[\"Red\",\"Blue\"]}"},
        {"{\"type\":\"array\",\"minItems\":1,\"maxItems\":2,\"items\":{\"type\":\"string\","
         "\"enum\":[\"Red\",\"Green\",\"Blue\"]}}",
         "1,2,3", NULL},
        {"{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"#F00\",\"title\":\"Red\"}]},"
         "\"default\":[\"#F00\"]}",
         "", "{\"f\":[\"#F00\"]}"},
        {"{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"#F00\",\"title\":\"Red\"}]}}", "2",
         NULL},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct form *form = form_of(table[i].field, "[\"f\"]");
        assert_non_null(form);
        bool fits = form_answer(form, table[i].line);
        cleanup_json json_t *content = form_content(form);
        cleanup_free char *text = json_dumps(content, JSON_COMPACT);
        if (fits != (table[i].content != NULL) || (fits && strcmp(text, table[i].content) != 0))
            fail_msg("%s: \"%s\" gives %s", table[i].field, table[i].line, text);
        assert_int_equal(form_question(form) == NULL, fits);
        form_free(&form);
    }
}

static void what_is_not_required_may_be_left_out(void **state)
{
    (void)state;
    struct form *form = form_of("{\"type\":\"integer\"}", "[]");
    assert_string_equal(form_question(form), "Please\nf\n  an empty line leaves it out");
    assert_false(form_answer(form, "x"));
    assert_string_equal(form_question(form),
                        "(That did not fit.)\nPlease\nf\n  an empty line leaves it out");
    assert_true(form_answer(form, ""));
    cleanup_json json_t *content = form_content(form);
    assert_int_equal(json_object_size(content), 0);
    assert_false(form_answer(form, "more"));
    form_free(&form);
}

static void other_kinds_are_refused(void **state)
{
    (void)state;
    static const char *const fields[] = {
        "{}",
        "7",
        "{\"type\":\"object\",\"properties\":{}}",
        "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}",
        "{\"type\":[\"string\",\"null\"]}",
    };
    for (size_t i = 0; i < COUNT(fields); i++) {
        struct form *form = form_of(fields[i], "[\"f\"]");
        if (form != NULL)
            fail_msg("%s makes a form", fields[i]);
    }
    struct error error = ERROR_INIT;
    assert_null(form_from_schema("m", NULL, &error));
    assert_null(form_from_questions(NULL, &error));
}

static void passwords_are_known(void **state)
{
    static const struct {
        const char *schema;
        bool secret;
    } cases[] = {
        {"{\"x\":{\"type\":\"string\",\"format\":\"password\"}}", true},
        {"{\"x\":{\"type\":\"string\",\"writeOnly\":true}}", true},
        {"{\"db_password\":{\"type\":\"string\"}}", true},
        {"{\"x\":{\"type\":\"string\",\"title\":\"API Key\"}}", true},
        {"{\"x\":{\"type\":\"integer\",\"description\":\"Your passcode\"}}", true},
        {"{\"GITHUB_TOKEN\":{\"type\":\"string\",\"format\":\"email\"}}", true},
        {"{\"name\":{\"type\":\"string\",\"description\":\"Keyboard layout\"}}", false},
        {"{\"key\":{\"type\":\"boolean\"}}", false},
        {"{\"key\":{\"type\":\"string\",\"enum\":[\"a\",\"b\"]}}", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error error = ERROR_INIT;
        cleanup_free char *text =
            xasprintf("{\"type\":\"object\",\"properties\":%s}", cases[i].schema);
        cleanup_json json_t *schema = json_loads(text, 0, NULL);
        struct form *form = form_from_schema("m", schema, &error);
        assert_non_null(form);
        if (form_is_secret(form) != cases[i].secret)
            fail_msg("%s", cases[i].schema);
        form_free(&form);
    }
}

/* What does not fit is not left out without a word, and no character is torn. */
static void what_is_cut_shows_it(void **state)
{
    char longer[500];
    struct error error = ERROR_INIT;
    (void)state;
    longer[0] = 'a'; /* so that the limit falls into a character */
    for (size_t i = 1; i + 2 < sizeof(longer); i += 2)
        memcpy(longer + i, "\xc3\xa9", 3);
    cleanup_json json_t *schema = json_pack("{s:s,s:{s:{s:s,s:s}}}", "type", "object", "properties",
                                            "x", "type", "string", "default", longer);
    assert_non_null(schema);
    struct form *form = form_from_schema("m", schema, &error);
    assert_non_null(form);
    const char *question = form_question(form);
    assert_non_null(strstr(question, "\xc3\xa9\xe2\x80\xa6 ("));
    assert_non_null(strstr(question, " bytes more)"));
    cleanup_json json_t *valid = json_string(question); /* NULL: no UTF-8 */
    assert_non_null(valid);
    form_free(&form);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_fit_or_do_not),
        cmocka_unit_test(what_is_not_required_may_be_left_out),
        cmocka_unit_test(other_kinds_are_refused),
        cmocka_unit_test(passwords_are_known),
        cmocka_unit_test(what_is_cut_shows_it),
    };
    return cmocka_run_group_tests_name("form", tests, NULL, NULL);
}
