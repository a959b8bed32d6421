/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/alloc.h"

/* Every test runs in an empty directory of its own. */
static int set_up(void **state)
{
    char *directory = xstrdup("/tmp/assent-test-fd-XXXXXX");
    *state = mkdtemp(directory);
    return *state && chdir(directory) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    cleanup_free char *directory = *state;
    cleanup_free char *command = xasprintf("rm -rf '%s'", directory);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void assert_content(const char *path, const char *expected)
{
    size_t length;
    cleanup_free char *bytes = fd_read_file(path, 1 << 20, false, &length);
    assert_non_null(bytes);
    assert_int_equal(length, strlen(expected));
    assert_string_equal(bytes, expected);
}

static size_t count_entries(void)
{
    size_t count = 0;
    DIR *directory = opendir(".");
    while (readdir(directory))
        count++;
    closedir(directory);
    return count - 2;
}

static void flags_go_on_and_off(void **state)
{
    (void)state;
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(fd_set_cloexec(fds[0], true), 0);
    assert_int_equal(fcntl(fds[0], F_GETFD), FD_CLOEXEC);
    assert_int_equal(fd_set_cloexec(fds[0], false), 0);
    assert_int_equal(fcntl(fds[0], F_GETFD), 0);
    assert_int_equal(fd_set_nonblock(fds[1], true), 0);
    assert_int_equal(fcntl(fds[1], F_GETFL) & (O_NONBLOCK | O_ACCMODE), O_NONBLOCK | O_WRONLY);
    assert_int_equal(fd_set_nonblock(fds[1], false), 0);
    assert_int_equal(fcntl(fds[1], F_GETFL) & O_NONBLOCK, 0);
    fd_close(&fds[0]);
    assert_int_equal(fds[0], -1);
    errno = 77;
    fd_close(&fds[0]); /* of -1: nothing */
    assert_int_equal(errno, 77);
    int closed = fds[1];
    fd_close(&fds[1]);
    assert_int_equal(fd_set_cloexec(closed, true), -EBADF);
    assert_int_equal(fd_set_nonblock(closed, true), -EBADF);
    assert_int_equal(fd_write_all(closed, "x", 1), -EBADF);
}

static void writes_everything(void **state)
{
    (void)state;
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    assert_int_equal(fd_write_all(fds[0], "hello", 5), 0);
    assert_int_equal(fd_write_all(fds[0], "", 0), 0);
    char bytes[8];
    assert_int_equal(read(fds[1], bytes, sizeof bytes), 5);
    fd_set_nonblock(fds[0], true);
    cleanup_free char *big = xcalloc(1, 8 << 20);
    assert_int_equal(fd_write_all(fds[0], big, 8 << 20), -EAGAIN); /* no busy waiting */
    fd_close(&fds[0]);
    fd_close(&fds[1]);
}

static void reads_within_the_limit(void **state)
{
    (void)state;
    size_t length = 99;
    assert_int_equal(fd_replace_file("file", "12345", 5, 0600), 0);
    cleanup_free char *all = fd_read_file("file", 5, true, &length);
    assert_string_equal(all, "12345");
    assert_int_equal(length, 5);
    assert_null(fd_read_file("file", 4, true, &length));
    assert_int_equal(errno, EFBIG);
    assert_int_equal(fd_replace_file("file", "", 0, 0600), 0);
    cleanup_free char *none = fd_read_file("file", 0, true, &length);
    assert_string_equal(none, "");
    assert_int_equal(length, 0);
    assert_null(fd_read_file("nothing", 5, true, &length));
    assert_int_equal(errno, ENOENT);
}

static void reads_files_that_claim_to_be_empty(void **state)
{
    (void)state;
    size_t length;
    cleanup_free char *status = fd_read_file("/proc/self/status", 1 << 20, false, &length);
    assert_non_null(status);
    assert_int_equal(strlen(status), length);
    assert_true(length > 100);
    assert_null(fd_read_file("/proc/self/status", 100, false, &length));
    assert_int_equal(errno, EFBIG);
}

static void reads_regular_files_only(void **state)
{
    (void)state;
    size_t length;
    assert_int_equal(mkfifo("fifo", 0600), 0); /* would block a plain open for ever */
    assert_null(fd_read_file("fifo", 100, false, &length));
    assert_int_equal(errno, EINVAL);
    assert_null(fd_read_file(".", 100, false, &length));
    assert_int_equal(errno, EINVAL);
    assert_null(fd_read_file("/dev/zero", 100, false, &length));
    assert_int_equal(errno, EINVAL);
}

static void follows_links_only_when_told(void **state)
{
    (void)state;
    size_t length;
    assert_int_equal(fd_replace_file("file", "x", 1, 0600), 0);
    assert_int_equal(symlink("file", "link"), 0);
    assert_content("link", "x");
    assert_null(fd_read_file("link", 100, true, &length));
    assert_int_equal(errno, ELOOP);
}

static void replaces_whole_files(void **state)
{
    const char *directory = *state;
    struct stat before, after;
    umask(022);
    assert_int_equal(fd_replace_file("file", "old", 3, 0600), 0);
    assert_int_equal(stat("file", &before), 0);
    assert_int_equal(before.st_mode & 07777, 0600);
    mode_t mask = umask(077);
    assert_int_equal(fd_replace_file("file", "new\0er", 6, 0640), 0);
    umask(mask);
    assert_int_equal(stat("file", &after), 0);
    assert_int_equal(after.st_mode & 07777, 0640);
    assert_int_equal(after.st_size, 6);
    assert_true(after.st_ino != before.st_ino); /* whoever reads the old one keeps it whole */
    cleanup_free char *path = xasprintf("%s/absolute", directory);
    assert_int_equal(fd_replace_file(path, "a", 1, 0600), 0);
    assert_content("absolute", "a");
    assert_int_equal(count_entries(), 2); /* no temporary file is left */
}

static void a_failed_replacement_changes_nothing(void **state)
{
    (void)state;
    assert_int_equal(fd_replace_file("missing/file", "x", 1, 0600), -ENOENT);
    assert_int_equal(fd_replace_file("missing/", "x", 1, 0600), -EISDIR);
    assert_int_equal(mkdir("directory", 0700), 0);
    assert_int_equal(fd_replace_file("directory/", "x", 1, 0600), -EISDIR);
    assert_int_equal(fd_replace_file("directory", "x", 1, 0600), -EISDIR);
    assert_int_equal(count_entries(), 1);
}

static void a_link_is_replaced_not_followed(void **state)
{
    (void)state;
    assert_int_equal(fd_replace_file("target", "safe", 4, 0600), 0);
    assert_int_equal(symlink("target", "link"), 0);
    assert_int_equal(fd_replace_file("link", "new", 3, 0600), 0);
    assert_content("target", "safe");
    assert_content("link", "new");
}

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
    (void)number;
    signals++;
}

/* A signal that is handled makes poll(2) fail, however short it is: when it comes in the right
 * moment, as some of so many do. */
static void tells_what_is_ready_whatever_signals_come(void **state)
{
    (void)state;
    const struct sigaction action = {.sa_handler = count_signal, .sa_flags = SA_RESTART};
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    pid_t test = getpid(), pesters = fork();
    for (unsigned i = 0; pesters == 0 && i < 200000; i++)
        kill(test, SIGUSR1);
    if (pesters == 0)
        _exit(0);
    int pipe_ends[2], pid_fd = (int)syscall(SYS_pidfd_open, test, 0);
    assert_int_equal(pipe(pipe_ends), 0);
    unsigned wrong = 0;
    while (waitpid(pesters, NULL, WNOHANG) == 0)
        for (unsigned i = 0; i < 100; i++)
            wrong += fd_is_ready(pid_fd, POLLIN) + !fd_is_ready(pipe_ends[1], POLLOUT);
    print_message("%u signals\n", (unsigned)signals);
    assert_true(signals > 100);
    assert_int_equal(wrong, 0);
    assert_false(fd_is_ready(pipe_ends[0], POLLIN));
    close(pipe_ends[1]);
    assert_true(fd_is_ready(pipe_ends[0], POLLIN)); /* whoever reads is told of the end */
    close(pipe_ends[0]);
    close(pid_fd);
}

static void makes_directories(void **state)
{
    const char *directory = *state;
    struct stat status;
    umask(022);
    assert_int_equal(fd_make_directories("a/b//c", 0700), 0);
    assert_int_equal(stat("a/b/c", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
    assert_int_equal(fd_make_directories("a/b/c/", 0700), 0);
    cleanup_free char *path = xasprintf("%s/x/y", directory);
    assert_int_equal(fd_make_directories(path, 0755), 0);
    assert_int_equal(fd_make_directories("/", 0755), 0);
    assert_int_equal(fd_make_directories("", 0755), -ENOENT);
    assert_int_equal(fd_replace_file("file", "", 0, 0600), 0);
    assert_int_equal(fd_make_directories("file", 0755), -ENOTDIR);
    assert_int_equal(fd_make_directories("file/below", 0755), -ENOTDIR);
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_int_equal(fd_make_directories("dangling", 0755), -ENOENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(flags_go_on_and_off),
        TEST(writes_everything),
        TEST(reads_within_the_limit),
        TEST(reads_files_that_claim_to_be_empty),
        TEST(reads_regular_files_only),
        TEST(follows_links_only_when_told),
        TEST(replaces_whole_files),
        TEST(a_failed_replacement_changes_nothing),
        TEST(a_link_is_replaced_not_followed),
        TEST(makes_directories),
        TEST(tells_what_is_ready_whatever_signals_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
