/* SPDX-License-Identifier: MIT */
/* Lines added to a rule file and taken back: whole files only, nothing twice, nothing of others. */
#include "config.h"

#include "command/rules_write.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"

struct place {
    char directory[64];
    char *path;
};

static int open_place(void **state)
{
    struct place *place = XNEW(struct place);
    strcpy(place->directory, "rules-XXXXXX");
    assert_non_null(mkdtemp(place->directory));
    place->path = xasprintf("%s/sub/default.rules", place->directory);
    *state = place;
    return 0;
}

static int close_place(void **state)
{
    struct place *place = *state;
    cleanup_free char *command = xasprintf("rm -rf '%s'", place->directory);
    assert_int_equal(system(command), 0);
    free(place->path);
    free(place);
    return 0;
}

static char *content(const struct place *place)
{
    size_t length;
    return fd_read_file(place->path, RULES_FILE_MAX, false, &length);
}

static void put(const struct place *place, const char *text)
{
    cleanup_free char *directory = xasprintf("%s/sub", place->directory);
    assert_int_equal(fd_make_directories(directory, 0700), 0);
    assert_int_equal(fd_replace_file(place->path, text, strlen(text), 0600), 0);
}

static int add(const struct place *place, const char *line)
{
    cleanup_free char *written = NULL;
    return rules_write_add(place->path, line, "now", &written, NULL);
}

#define MARKED(line) line "  # added by Assent, now\n"

static void lines_are_added_once(void **state)
{
    const struct place *place = *state;
    struct stat status;
    assert_int_equal(add(place, "prefix_rule([\"a\"])"), 1);
    assert_int_equal(add(place, "prefix_rule([\"a\"])"), 0);
    assert_int_equal(add(place, "prefix_rule([\"a\"], \"allow\")"), 1);
    cleanup_free char *text = content(place);
    assert_string_equal(text,
                        MARKED("prefix_rule([\"a\"])") MARKED("prefix_rule([\"a\"], \"allow\")"));
    assert_int_equal(stat(place->path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
}

/* A line of the operator's own counts, with whatever stands behind it; a longer one does not. */
static void what_is_there_stays(void **state)
{
    const struct place *place = *state;
    put(place, "prefix_rule([\"a\"]) # mine\nprefix_rule([\"b\"])x\nno newline");
    assert_int_equal(add(place, "prefix_rule([\"a\"])"), 0);
    assert_int_equal(add(place, "prefix_rule([\"b\"])"), 1);
    cleanup_free char *text = content(place);
    assert_string_equal(text,
                        "prefix_rule([\"a\"]) # mine\nprefix_rule([\"b\"])x\nno newline\n" MARKED(
                            "prefix_rule([\"b\"])"));
}

static void the_newest_is_taken_back(void **state)
{
    const struct place *place = *state;
    char *line = NULL;
    assert_int_equal(rules_write_undo(place->path, NULL, &line, NULL), 0);
    add(place, "prefix_rule([\"a\"])");
    add(place, "prefix_rule([\"b\"])");
    static const char *const others[] = {"read_rule(path=\"/a/b\")",
                                         "network_rule(host=\"h\", protocol=\"https\")"};
    for (size_t i = 0; i < 2; i++) {
        add(place, others[i]);
        assert_int_equal(rules_write_undo(place->path, NULL, &line, NULL), 1);
        assert_string_equal(line, others[i]);
        free(line);
    }
    assert_int_equal(rules_write_undo(place->path, NULL, &line, NULL), 1);
    assert_string_equal(line, "prefix_rule([\"b\"])");
    free(line);
    cleanup_free char *text = content(place);
    assert_string_equal(text, MARKED("prefix_rule([\"a\"])"));
    assert_int_equal(rules_write_undo(place->path, NULL, &line, NULL), 1);
    free(line);
    assert_int_equal(rules_write_undo(place->path, NULL, &line, NULL), 0);
}

static void any_of_them_is_taken_back(void **state)
{
    const struct place *place = *state;
    char *line = NULL;
    add(place, "prefix_rule([\"a\"])");
    add(place, "prefix_rule([\"b\"])");
    cleanup_free char *text = content(place);
    cleanup_strv char **lines = rules_write_marked(text);
    assert_int_equal(strv_length((const char *const *)lines), 2);
    assert_string_equal(lines[0], "prefix_rule([\"a\"])");
    assert_int_equal(rules_write_undo(place->path, "prefix_rule([\"c\"])", &line, NULL), 0);
    assert_int_equal(rules_write_undo(place->path, lines[0], &line, NULL), 1);
    assert_string_equal(line, lines[0]);
    free(line);
    cleanup_free char *left = content(place);
    assert_string_equal(left, MARKED("prefix_rule([\"b\"])"));
}

/* A link stays a link: its file is replaced. */
static void links_are_followed(void **state)
{
    const struct place *place = *state;
    struct stat status;
    cleanup_free char *real = xasprintf("%s/real.rules", place->directory);
    put(place, "");
    assert_int_equal(unlink(place->path), 0);
    assert_int_equal(fd_replace_file(real, "# mine\n", 7, 0600), 0);
    assert_int_equal(symlink("../real.rules", place->path), 0);
    assert_int_equal(add(place, "prefix_rule([\"a\"])"), 1);
    assert_int_equal(lstat(place->path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    cleanup_free char *text = content(place);
    assert_string_equal(text, "# mine\n" MARKED("prefix_rule([\"a\"])"));
}

/* Who cannot have the lock says so instead of waiting for it. */
static void another_writer_is_not_waited_for(void **state)
{
    const struct place *place = *state;
    put(place, "");
    cleanup_free char *name = xasprintf("%s.lock", place->path);
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_int_equal(add(place, "prefix_rule([\"a\"])"), -1);
    close(fd);
    assert_int_equal(add(place, "prefix_rule([\"a\"])"), 1);
}

/* What is written reads back as the same words, whatever they hold. */
static void words_read_back(void **state)
{
    (void)state;
    static const char *const words[] = {"a b", "\"q\"\\", "\n\t\x01\x7f", "\xc3\xa4", "",
                                        "$x",  NULL};
    static const char *const more[] = {"x", "y\"", NULL};
    struct rules_line line = {.words = words,
                              .alternatives = more,
                              .decision = RULE_ALLOW,
                              .bypass = true,
                              .exact = true,
                              .cwd = "/a \"b\"",
                              .project = "/p",
                              .project_id = "1:2"};
    cleanup_free char *text = rules_write_format(&line);
    struct rules *rules = rules_new();
    struct rules_source source = {.path = "f", .layer = RULES_USER};
    struct error error = ERROR_INIT;
    if (rules_add_text(rules, text, strlen(text), &source, &error) != 0)
        fail_msg("%s", error.message);
    const struct rule *rule = rules_at(rules, 0);
    assert_string_equal(rule->first, words[0]);
    for (size_t i = 1; words[i] != NULL; i++)
        assert_string_equal(rule->rest[i - 1][0], words[i]);
    assert_string_equal(rule->rest[5][1], more[1]);
    assert_true(rule->exact && rule->bypass);
    assert_string_equal(rule->cwd, line.cwd);
    assert_string_equal(rule->project_id, line.project_id);
    rules_free(&rules);
}

#define PLACE(test) cmocka_unit_test_setup_teardown(test, open_place, close_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLACE(lines_are_added_once),       PLACE(what_is_there_stays),
        PLACE(the_newest_is_taken_back),   PLACE(any_of_them_is_taken_back),
        PLACE(links_are_followed),         PLACE(another_writer_is_not_waited_for),
        cmocka_unit_test(words_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
