/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"

#define DEADLINE_MS 30000

struct told {
    unsigned count;
    int result;
    int fd; /* of the log, to look at what is on it when told; -1: do not */
    off_t size;
};

static void on_done(void *argument, int result)
{
    struct told *told = argument;
    told->count++;
    told->result = result;
    if (told->fd >= 0)
        told->size = lseek(told->fd, 0, SEEK_END);
}

static void on_change(void *argument, int number)
{
    struct told *told = argument;
    told->count++;
    told->result = number;
}

static void wait_told(struct loop *loop, const struct told *told, unsigned count)
{
    int64_t deadline = clock_monotonic_ms(NULL) + DEADLINE_MS;
    while (told->count < count) {
        assert_true(clock_monotonic_ms(NULL) < deadline);
        loop_step(loop, 50);
    }
}

static struct log_writer *new_writer(struct loop *loop, int fd)
{
    struct error error = ERROR_INIT;
    struct log_writer *writer = log_writer_new(loop, fd, NULL, &error);
    if (writer == NULL)
        fail_msg("%s", error.message);
    return writer;
}

static int new_file(char *path)
{
    strcpy(path, "/tmp/assent-writer-XXXXXX");
    int fd = mkostemp(path, O_APPEND | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static void put(struct log_writer *writer, const char *text)
{
    static const unsigned char hash[SHA256_SIZE];
    log_writer_put(writer, text, strlen(text), hash);
}

static void test_told_once_it_is_there(void **state)
{
    (void)state;
    char path[64];
    struct loop *loop = loop_new(NULL);
    struct log_writer *writer = new_writer(loop, new_file(path));
    struct told told = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
    for (unsigned i = 1; i <= 50; i++) {
        put(writer, "123456789");
        log_writer_sync(writer, on_done, &told);
        assert_int_equal(told.count, i - 1);
        wait_told(loop, &told, i);
        assert_int_equal(told.result, 0);
        assert_int_equal(told.size, 10 * i);
    }
    /* Nothing new to write: still told, still from the loop. */
    log_writer_sync(writer, on_done, &told);
    assert_int_equal(told.count, 50);
    wait_told(loop, &told, 51);
    log_writer_free(&writer);
    close(told.fd);
    unlink(path);
    loop_free(&loop);
}

static void test_many_wait_together(void **state)
{
    (void)state;
    char path[64];
    struct loop *loop = loop_new(NULL);
    struct log_writer *writer = new_writer(loop, new_file(path));
    struct told told = {.fd = -1};
    for (unsigned i = 0; i < 1000; i++) {
        put(writer, "line");
        log_writer_sync(writer, on_done, &told);
    }
    wait_told(loop, &told, 1000);
    assert_int_equal(told.result, 0);
    put(writer, "never synced, but written at the end");
    log_writer_free(&writer);
    size_t length;
    cleanup_free char *text = fd_read_file(path, 1000000, true, &length);
    assert_int_equal(length, 1000 * 5 + 37);
    assert_string_equal(text + 5000, "never synced, but written at the end\n");
    unlink(path);
    loop_free(&loop);
}

static void test_waiters_are_dropped_at_the_end(void **state)
{
    (void)state;
    char path[64];
    struct loop *loop = loop_new(NULL);
    struct log_writer *writer = new_writer(loop, new_file(path));
    struct told told = {.fd = -1};
    put(writer, "line");
    log_writer_sync(writer, on_done, &told);
    log_writer_free(&writer);
    loop_step(loop, 0);
    assert_int_equal(told.count, 0);
    unlink(path);
    loop_free(&loop);
}

static void check_file(const char *path, const char *expected)
{
    size_t length;
    cleanup_free char *text = fd_read_file(path, 1000, true, &length);
    assert_string_equal(text, expected);
}

static void check_failure(struct loop *loop, struct log_writer *writer, int number,
                          struct told *failure)
{
    struct told told = {.fd = -1};
    *failure = (struct told){.fd = -1};
    log_writer_on_change(writer, on_change, failure);
    put(writer, "first line that cannot be written");
    log_writer_sync(writer, on_done, &told);
    wait_told(loop, &told, 1);
    assert_int_equal(told.result, -number);
    put(writer, "another");
    log_writer_sync(writer, on_done, &told);
    assert_int_equal(told.count, 1);
    wait_told(loop, &told, 2);
    assert_int_equal(told.result, -number);
    assert_int_equal(failure->count, 1);
    assert_int_equal(failure->result, number);
}

static void test_full_disk(void **state)
{
    (void)state;
    struct told failure;
    struct loop *loop = loop_new(NULL);
    struct log_writer *writer = new_writer(loop, open("/dev/full", O_WRONLY | O_CLOEXEC));
    check_failure(loop, writer, ENOSPC, &failure);
    log_writer_free(&writer);

    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    writer = new_writer(loop, ends[1]);
    check_failure(loop, writer, EPIPE, &failure);
    log_writer_free(&writer);
    loop_free(&loop);
}

/* The file takes a part of a line: that part is taken back, what fitted stays, and when there is
 * room again nothing is missing. */
static void test_goes_on_when_there_is_room_again(void **state)
{
    (void)state;
    char path[64];
    struct loop *loop = loop_new(NULL);
    struct log_writer *writer = new_writer(loop, new_file(path));
    struct told told = {.fd = -1}, failure;
    put(writer, "whole");
    log_writer_sync(writer, on_done, &told);
    wait_told(loop, &told, 1);
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit small = {.rlim_cur = 16, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    signal(SIGXFSZ, SIG_IGN);
    check_failure(loop, writer, EFBIG, &failure);
    check_file(path, "whole\n");
    setrlimit(RLIMIT_FSIZE, &before);
    put(writer, "later");
    log_writer_sync(writer, on_done, &told);
    wait_told(loop, &told, 2);
    assert_int_equal(told.result, 0);
    assert_int_equal(failure.count, 2);
    assert_int_equal(failure.result, 0);
    check_file(path, "whole\nfirst line that cannot be written\nanother\nlater\n");
    log_writer_free(&writer);
    unlink(path);
    loop_free(&loop);
}

struct chain {
    struct log_writer *writer;
    int pipe;
    unsigned number;
};

/* Tells the parent what is on disk, then writes the next. */
static void acknowledge(void *argument, int result)
{
    struct chain *chain = argument;
    char line[64];
    if (result != 0 || write(chain->pipe, &chain->number, sizeof(chain->number)) < 0)
        _exit(1);
    chain->number++;
    snprintf(line, sizeof(line), "{\"number\":%u,\"filling\":\"xxxxxxxxxxxx\"}", chain->number);
    put(chain->writer, line);
    log_writer_sync(chain->writer, acknowledge, chain);
}

static void write_until_killed(const char *path, int pipe)
{
    struct loop *loop = loop_new(NULL);
    struct chain chain = {.pipe = pipe};
    chain.writer = new_writer(loop, open(path, O_WRONLY | O_APPEND | O_CLOEXEC));
    log_writer_sync(chain.writer, acknowledge, &chain);
    loop_run(loop);
    _exit(1);
}

static void test_what_was_told_survives_a_kill(void **state)
{
    (void)state;
    for (unsigned round = 1; round <= 5; round++) {
        char path[64];
        int ends[2];
        close(new_file(path));
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            write_until_killed(path, ends[1]);
        close(ends[1]);
        unsigned told = 0, number;
        while (told < 20 * round && read(ends[0], &number, sizeof(number)) == sizeof(number))
            told = number;
        kill(child, SIGKILL);
        while (read(ends[0], &number, sizeof(number)) == sizeof(number))
            told = number;
        waitpid(child, NULL, 0);
        size_t length;
        cleanup_free char *text = fd_read_file(path, 1000000, true, &length);
        unsigned lines = 0;
        for (const char *place = text; (place = strchr(place, '\n')) != NULL; place++)
            lines++;
        assert_true(told >= 20 * round);
        assert_in_range(lines, told, told + 1);
        close(ends[0]);
        unlink(path);
    }
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told_once_it_is_there),
        cmocka_unit_test(test_many_wait_together),
        cmocka_unit_test(test_waiters_are_dropped_at_the_end),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_goes_on_when_there_is_room_again),
        cmocka_unit_test(test_what_was_told_survives_a_kill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
