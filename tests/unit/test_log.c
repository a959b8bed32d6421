/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/log.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/text.h"

static int set_up(void **state)
{
    char *directory = xstrdup("/tmp/assent-test-log-XXXXXX");
    *state = mkdtemp(directory);
    return *state && chdir(directory) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    cleanup_free char *directory = *state;
    log_close();
    unlink("log");
    return chdir("/") == 0 && rmdir(directory) == 0 ? 0 : -1;
}

static char *read_log(size_t *length)
{
    char *text = fd_read_file("log", 1 << 20, true, length);
    assert_non_null(text);
    return text;
}

static void silent_until_opened(void **state)
{
    (void)state;
    log_warning("test", "nobody hears this");
    assert_int_equal(access("log", F_OK), -1);
}

static void levels(void **state)
{
    (void)state;
    assert_int_equal(log_open("log", LOG_LEVEL_INFO), 0);
    log_warning("test", "one %d", 1);
    log_info("test", "two");
    log_debug("test", "three");
    log_close();
    log_warning("test", "four");
    size_t length;
    cleanup_free char *text = read_log(&length);
    assert_non_null(strstr(text, " warning test: one 1\n"));
    assert_non_null(strstr(text, " info test: two\n"));
    assert_null(strstr(text, "three"));
    assert_null(strstr(text, "four"));
    struct stat status;
    assert_int_equal(stat("log", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
}

static void appends_and_keeps_errno(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(log_open("log", LOG_LEVEL_DEBUG), 0);
        errno = ENOTDIR;
        log_debug("test", "line %d: %m", i);
        assert_int_equal(errno, ENOTDIR);
        log_close();
    }
    size_t length;
    cleanup_free char *text = read_log(&length);
    assert_non_null(strstr(text, "line 0: Not a directory\n"));
    assert_non_null(strstr(text, "line 1: Not a directory\n"));
}

static void hostile_text_is_one_escaped_line(void **state)
{
    (void)state;
    assert_int_equal(log_open("log", LOG_LEVEL_DEBUG), 0);
    log_info("test", "%s", "a\n2026-01-01 forged\x1b[2K\xff");
    cleanup_free char *flood = xcalloc(1, 100001);
    memset(flood, '\xc3', 100000);
    for (size_t i = 1; i < 100000; i += 2)
        flood[i] = '\xa4';
    log_info("test", "%s", flood);
    log_close();
    size_t length;
    cleanup_free char *text = read_log(&length);
    assert_non_null(strstr(text, "a<LF>2026-01-01 forged<ESC>[2K<0xFF>\n"));
    assert_true(length < 2 * 4096 + 200);
    assert_true(text_valid_utf8(text, length));
    assert_int_equal(text[length - 1], '\n');
}

static void a_path_that_cannot_be_opened(void **state)
{
    (void)state;
    assert_int_equal(log_open("missing/log", LOG_LEVEL_INFO), -ENOENT);
    assert_int_equal(symlink("elsewhere", "log"), 0);
    assert_int_equal(log_open("log", LOG_LEVEL_INFO), -ELOOP);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(silent_until_opened),          TEST(levels),
        TEST(appends_and_keeps_errno),      TEST(hostile_text_is_one_escaped_line),
        TEST(a_path_that_cannot_be_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
