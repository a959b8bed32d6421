/* SPDX-License-Identifier: MIT */
/*
 * What is taken for the simplest form must be read as git itself reads it. So lines are thrown
 * together from the bytes that mean something to it, and the real git is the judge.
 */
#include "config.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/git_config_line.h"
#include "base/strbuf.h"
#include "tree_fixture.h"

static enum git_config_kind read_line(struct git_config_line *line, const char *text)
{
    return git_config_line_read(line, text, strlen(text));
}

static void lines_have_their_kinds(void **state)
{
    static const struct {
        const char *text;
        enum git_config_kind kind;
        const char *value;
    } rows[] = {
        {"", GIT_CONFIG_NOTHING, NULL},
        {" \t", GIT_CONFIG_NOTHING, NULL},
        {"# \\ x", GIT_CONFIG_NOTHING, NULL},
        {"; x \\", GIT_CONFIG_OTHER, NULL},
        {"bare", GIT_CONFIG_VARIABLE, "true"},
        {"\tbare=", GIT_CONFIG_VARIABLE, ""},
        {"bare = a b ; c", GIT_CONFIG_VARIABLE, "a b"},
        {"bare = \"a # \" b#c", GIT_CONFIG_VARIABLE, "a #  b"},
        {"bare = \"\" a", GIT_CONFIG_VARIABLE, "a"},
        {"bare = \"a", GIT_CONFIG_OTHER, NULL},
        {"bare = a\\", GIT_CONFIG_OTHER, NULL},
        {"bare = a\r", GIT_CONFIG_OTHER, NULL},
        {"bare ; a", GIT_CONFIG_OTHER, NULL},
        {"-bare = a", GIT_CONFIG_OTHER, NULL},
        {"1bare = a", GIT_CONFIG_OTHER, NULL},
        {"= a", GIT_CONFIG_OTHER, NULL},
        {"[core]", GIT_CONFIG_SECTION, NULL},
        {"[remote \"a]b\"]", GIT_CONFIG_SECTION, NULL},
        {"[core] bare", GIT_CONFIG_OTHER, NULL},
        {"[core] ; a", GIT_CONFIG_OTHER, NULL},
        {"[a.b]", GIT_CONFIG_OTHER, NULL},
        {"[]", GIT_CONFIG_OTHER, NULL},
        {"[", GIT_CONFIG_OTHER, NULL},
        {"[a", GIT_CONFIG_OTHER, NULL},
        {"[a \"]", GIT_CONFIG_OTHER, NULL},
        {"[a \"b\" \"c\"]", GIT_CONFIG_OTHER, NULL},
        {"[a \"b\\\"]", GIT_CONFIG_OTHER, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_config_line line = {0};
        assert_int_equal(read_line(&line, "[core]"), GIT_CONFIG_SECTION);
        if (read_line(&line, rows[i].text) != rows[i].kind)
            fail_msg("%s", rows[i].text);
        if (rows[i].value == NULL)
            assert_null(line.value);
        else
            assert_string_equal(line.value, rows[i].value);
        git_config_line_free(&line);
    }
}

static void names_have_their_section(void **state)
{
    (void)state;
    struct git_config_line line = {0};
    assert_int_equal(read_line(&line, "bare = true"), GIT_CONFIG_OTHER);
    assert_int_equal(read_line(&line, "[Remote \"a.b c\"]"), GIT_CONFIG_SECTION);
    assert_int_equal(read_line(&line, "URL = x"), GIT_CONFIG_VARIABLE);
    assert_string_equal(line.name, "Remote.*.URL");
    assert_string_equal(line.subsection, "a.b c");
    assert_int_equal(read_line(&line, "[core]"), GIT_CONFIG_SECTION);
    assert_int_equal(read_line(&line, "bare"), GIT_CONFIG_VARIABLE);
    assert_string_equal(line.name, "core.bare");
    assert_string_equal(line.subsection, "");
    git_config_line_free(&line);
}

static void what_is_too_long_is_not_cut(void **state)
{
    (void)state;
    struct git_config_line line = {0};
    cleanup_free char *section = xasprintf("[%0*d]", (int)sizeof(line.section), 1);
    cleanup_free char *named = xasprintf("[a \"%0*d\"]", (int)sizeof(line.subsection), 1);
    cleanup_free char *key = xasprintf("a%0*d", 64, 1);
    assert_int_equal(read_line(&line, section), GIT_CONFIG_OTHER);
    assert_int_equal(read_line(&line, named), GIT_CONFIG_OTHER);
    assert_int_equal(read_line(&line, "[a]"), GIT_CONFIG_SECTION);
    assert_int_equal(read_line(&line, key), GIT_CONFIG_OTHER);
    git_config_line_free(&line);
}

/* ---- beside git ------------------------------------------------------------------------------ */

static void make_line(char *text, size_t size)
{
    static const char *const pieces[] = {"a",  "B",   "k",   "1",   "-",  " ",  "  ", "\t",
                                         "\"", "\"",  "#",   ";",   "=",  "= ", "[",  "]",
                                         "\\", "[a]", "[a ", "\"]", "a=", ".",  "~",  "\r"};
    size_t used = 0, count = (size_t)(random() % 9);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s",
                                 pieces[(size_t)random() % COUNT(pieces)]);
}

static void add_lower(struct strbuf *list, const char *text)
{
    for (; *text != '\0'; text++)
        strbuf_addch(list, (char)tolower((unsigned char)*text));
}

/* As git lists it: the name, and a line end and the value if there is one. */
static void add_entry(struct strbuf *list, const struct git_config_line *line, bool has_value)
{
    add_lower(list, line->section);
    if (line->named)
        strbuf_addf(list, ".%s", line->subsection);
    add_lower(list, strrchr(line->name, '.'));
    if (has_value)
        strbuf_addf(list, "\n%s", line->value);
    strbuf_addch(list, '\0');
}

/* Puts a line that is of the simplest form in the file, and what it says in the list. */
static enum git_config_kind add_line(struct strbuf *file, struct strbuf *list, const char *text)
{
    struct git_config_line line = {0};
    assert_int_equal(read_line(&line, "[a]"), GIT_CONFIG_SECTION);
    enum git_config_kind kind = read_line(&line, text);
    if (kind != GIT_CONFIG_OTHER)
        strbuf_addf(file, "[a]\n%s\n", text);
    if (kind == GIT_CONFIG_VARIABLE)
        add_entry(list, &line, strchr(text, '=') != NULL);
    if (kind == GIT_CONFIG_SECTION) { /* which shows in what follows it only */
        assert_int_equal(read_line(&line, "k = v"), GIT_CONFIG_VARIABLE);
        strbuf_addstr(file, "k = v\n");
        add_entry(list, &line, true);
    }
    git_config_line_free(&line);
    return kind;
}

/* Old versions of git make a blank of a tab inside a value. */
static void tabs_to_blanks(char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i] == '\t')
            bytes[i] = ' ';
}

static void git_reads_the_same(void **state)
{
    (void)state;
    struct strbuf file = STRBUF_INIT, list = STRBUF_INIT;
    size_t counts[GIT_CONFIG_OTHER + 1] = {0}, length;
    srandom(7);
    for (int i = 0; i < 40000; i++) {
        char text[64];
        make_line(text, sizeof(text));
        counts[add_line(&file, &list, text)]++;
    }
    assert_true(counts[GIT_CONFIG_VARIABLE] > 500 && counts[GIT_CONFIG_SECTION] > 20);

    char *base = tree_new();
    cleanup_free char *path = xasprintf("%s/list", base);
    cleanup_free char *command = xasprintf("cd '%s' && git config -f file --list -z >list", base);
    tree_write(base, "file", file.data, 0644);
    assert_int_equal(system(command), 0);
    cleanup_free char *seen = fd_read_file(path, list.length + 4096, false, &length);
    assert_non_null(seen);
    tabs_to_blanks(seen, length);
    tabs_to_blanks(list.data, list.length);
    for (size_t at = 0; at < list.length && at < length;) {
        assert_string_equal(seen + at, list.data + at);
        at += strlen(seen + at) + 1;
    }
    assert_int_equal(length, list.length);
    tree_remove(base);
    strbuf_free(&file);
    strbuf_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_have_their_kinds),
        cmocka_unit_test(names_have_their_section),
        cmocka_unit_test(what_is_too_long_is_not_cut),
        cmocka_unit_test(git_reads_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
