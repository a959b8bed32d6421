/* SPDX-License-Identifier: MIT */
/* Which logs go and which stay. */
#include "config.h"

#include "record/log_retain.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"

#define NOW 1700000000000
#define DAY INT64_C(86400000)

static char directory[40], anchors[64];

static char *place(const char *folder, const char *console, const char *suffix)
{
    return xasprintf("%s/%s%s", folder, console, suffix);
}

/* A log of 1000 bytes that was written so long ago. */
static void make_log(const char *console, int64_t days_ago)
{
    struct error error = ERROR_INIT;
    char bytes[1000];
    memset(bytes, 'x', sizeof(bytes));
    cleanup_free char *log = place(directory, console, ".jsonl");
    cleanup_free char *index = place(directory, console, ".index");
    assert_int_equal(fd_replace_file(log, bytes, sizeof(bytes), 0600), 0);
    assert_int_equal(fd_replace_file(index, "", 0, 0600), 0);
    struct log_anchor *anchor = log_anchor_create(anchors, console, &error);
    if (anchor == NULL)
        fail_msg("%s", error.message);
    const struct log_head head = {.lines = 12, .closed = true};
    assert_int_equal(log_anchor_write(anchor, &head, true), 0);
    log_anchor_free(&anchor);
    time_t then = (NOW - days_ago * DAY) / 1000;
    const struct timespec times[2] = {{.tv_sec = then}, {.tv_sec = then}};
    assert_int_equal(utimensat(AT_FDCWD, log, times, 0), 0);
}

static bool is_there(const char *console)
{
    cleanup_free char *log = place(directory, console, ".jsonl");
    cleanup_free char *index = place(directory, console, ".index");
    cleanup_free char *anchor = place(anchors, console, ".head");
    bool there = access(log, F_OK) == 0;
    assert_int_equal(access(index, F_OK) == 0, there);
    assert_int_equal(access(anchor, F_OK) == 0, there);
    return there;
}

static int set_up(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/assent-retain-XXXXXX");
    assert_non_null(mkdtemp(directory));
    snprintf(anchors, sizeof(anchors), "%s/anchors", directory);
    make_log("old", 40);
    make_log("older", 50);
    make_log("recent", 2);
    make_log("new", 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cleanup_free char *clean = xasprintf("rm -rf '%s'", directory);
    return system(clean);
}

static void on_removing(void *argument, const struct log_removal *removal)
{
    assert_int_equal(removal->bytes, 1000);
    assert_non_null(removal->head);
    assert_int_equal(removal->head->lines, 12);
    assert_true(is_there(removal->console));
    strbuf_addf(argument, "%s:%s ", removal->console, removal->cause);
}

static void retain(int64_t days, int64_t bytes, const char *expected)
{
    struct clock_fake clock;
    clock_fake_init(&clock, NOW);
    const struct log_limits limits = {.age_ms = days * DAY, .bytes = bytes};
    cleanup_strbuf struct strbuf told = STRBUF_INIT;
    log_retain(directory, anchors, &limits, &clock.clock, on_removing, &told);
    assert_string_equal(strbuf_str(&told), expected);
}

static void by_age(void **state)
{
    (void)state;
    retain(60, 1000000, "");
    retain(45, 1000000, "older:age ");
    assert_false(is_there("older"));
    assert_true(is_there("old") && is_there("recent") && is_there("new"));
}

static void by_size_the_oldest_first(void **state)
{
    (void)state;
    retain(60, 4000, "");
    retain(60, 2999, "older:size old:size ");
    assert_true(is_there("recent") && is_there("new"));
    retain(1000, 1, "recent:size new:size ");
}

static void never_while_its_console_lives(void **state)
{
    (void)state;
    cleanup_free char *log = place(directory, "old", ".jsonl");
    int fd = open(log, O_WRONLY);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    retain(30, 1, "older:age recent:size new:size ");
    assert_true(is_there("old"));
    close(fd);
    retain(30, 1, "old:age ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(by_age, set_up, tear_down),
        cmocka_unit_test_setup_teardown(by_size_the_oldest_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(never_while_its_console_lives, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
