/* SPDX-License-Identifier: MIT */
/* agent_process: real children, also such that do not end by themselves. */
#include "config.h"

#include "agents/drive/agent_process.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"

#define PATIENCE_MS 30000

struct fixture {
    struct loop *loop;
    struct agent_process *process;
    int from, to;
    char *how;
};

static void on_ended(void *argument, const char *how)
{
    struct fixture *fixture = argument;
    assert_null(fixture->how);
    fixture->how = xstrdup(how);
}

static int set_up(void **state)
{
    struct fixture *fixture = XNEW(struct fixture);
    fixture->loop = loop_new(NULL);
    fixture->from = fixture->to = -1;
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    fd_close(&fixture->to);
    fd_close(&fixture->from);
    agent_process_free(&fixture->process);
    loop_free(&fixture->loop);
    free(fixture->how);
    free(fixture);
    return 0;
}

static void start(struct fixture *fixture, const char *script)
{
    struct error error = ERROR_INIT;
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)script, NULL};
    fixture->process = agent_process_start(fixture->loop, argv, &fixture->from, &fixture->to,
                                           on_ended, fixture, &error);
    assert_string_equal(error.message, "");
    assert_non_null(fixture->process);
}

/* The first number that it prints. */
static pid_t read_pid(struct fixture *fixture)
{
    char text[32] = "";
    size_t length = 0;
    while (length < sizeof(text) - 1 && strchr(text, '\n') == NULL) {
        ssize_t count = read(fixture->from, text + length, 1);
        assert_int_equal(count, 1);
        length++;
    }
    return (pid_t)atoi(text);
}

static void it_is_talked_to_and_ends(void **state)
{
    struct fixture *fixture = *state;
    char answer[6] = "";
    start(fixture, "read word; echo \"<$word>\"; echo why >&2; exit 3");
    assert_int_equal(write(fixture->to, "hi\n", 3), 3);
    for (size_t length = 0; length < 5;) {
        ssize_t count = read(fixture->from, answer + length, 5 - length);
        assert_true(count > 0);
        length += (size_t)count;
    }
    assert_string_equal(answer, "<hi>\n");
    while (fixture->how == NULL)
        loop_step(fixture->loop, -1);
    assert_string_equal(fixture->how, "the agent has ended with status 3");
    assert_string_equal(agent_process_last_words(fixture->process), "why\n");
}

static void what_is_not_there_is_said(void **state)
{
    struct fixture *fixture = *state;
    struct error error = ERROR_INIT;
    char *argv[] = {(char *)"assent-no-such-agent", NULL};
    assert_null(agent_process_start(fixture->loop, argv, &fixture->from, &fixture->to, on_ended,
                                    fixture, &error));
    assert_non_null(strstr(error.message, "assent-no-such-agent"));
    fixture->from = fixture->to = -1;
}

static void last_words_are_bounded(void **state)
{
    struct fixture *fixture = *state;
    start(fixture, "head -c 100000 /dev/zero | tr '\\0' x >&2; printf end >&2");
    while (fixture->how == NULL)
        loop_step(fixture->loop, -1);
    const char *words = agent_process_last_words(fixture->process);
    assert_true(strlen(words) <= 2048);
}

/* Neither the end of its input nor SIGTERM moves it, and it has a child in its group. */
static void who_does_not_end_is_ended(void **state)
{
    struct fixture *fixture = *state;
    start(fixture,
          "trap '' TERM; (trap '' TERM; sleep 1000) & echo $!; while :; do sleep 1000; done");
    pid_t child = read_pid(fixture);
    fd_close(&fixture->to);
    agent_process_free(&fixture->process);
    assert_null(fixture->how);
    /* It is a zombie until its new parent has looked. */
    for (int i = 0; i < PATIENCE_MS && kill(child, 0) == 0; i++)
        usleep(1000);
    assert_int_equal(kill(child, 0), -1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_is_talked_to_and_ends),
        TEST(what_is_not_there_is_said),
        TEST(last_words_are_bounded),
        TEST(who_does_not_end_is_ended),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
