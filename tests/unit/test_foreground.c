/* SPDX-License-Identifier: MIT */
/* foreground: what a program reads is not touched: its file system may never answer. */
#include "config.h"

#include "run/foreground.h"

#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fd.h"
#include "run/pty.h"

/* What its server tells us. */
struct slow {
    volatile int reading; /* somebody waits for bytes, which never come */
    volatile int asked;   /* how often it was asked for a file's attributes since */
};

static void write_text(const char *path, const char *text)
{
    cleanup_fd int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file >= 0)
        (void)!write(file, text, strlen(text));
}

/* Where mounts of ours are seen by us alone. */
static bool enter_own_place(void)
{
    char map[32];
    uid_t uid = geteuid();
    if (unshare(uid == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0)
        return false;
    snprintf(map, sizeof map, "0 %u 1", uid);
    if (uid != 0)
        write_text("/proc/self/uid_map", map);
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* It ends with the test, also with one that fails. */
static pid_t fork_child(void)
{
    pid_t child = fork();
    if (child == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    return child;
}

static void answer(int fuse, uint64_t unique, const void *bytes, size_t length)
{
    struct fuse_out_header head = {.len = (uint32_t)(sizeof head + length), .unique = unique};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)(uintptr_t)bytes, length}};
    (void)!writev(fuse, parts, 2);
}

/* One directory, in which every name is a file of some bytes. */
static void serve_one(int fuse, const struct fuse_in_header *asked, struct slow *slow)
{
    struct fuse_attr directory = {.ino = 1, .mode = S_IFDIR | 0755, .nlink = 2};
    struct fuse_attr file = {.ino = 2, .mode = S_IFREG | 0644, .nlink = 1, .size = 100};
    struct fuse_init_out init = {.major = 7, .minor = 31, .max_write = 4096};
    struct fuse_entry_out entry = {.nodeid = 2, .attr = file};
    struct fuse_attr_out attributes = {.attr = asked->nodeid == 1 ? directory : file};
    struct fuse_open_out opened = {.open_flags = FOPEN_DIRECT_IO};
    switch (asked->opcode) {
    case FUSE_INIT:
        answer(fuse, asked->unique, &init, sizeof init);
        break;
    case FUSE_LOOKUP:
        answer(fuse, asked->unique, &entry, sizeof entry);
        break;
    case FUSE_GETATTR:
        slow->asked += slow->reading;
        answer(fuse, asked->unique, &attributes, sizeof attributes);
        break;
    case FUSE_OPEN:
        answer(fuse, asked->unique, &opened, sizeof opened);
        break;
    case FUSE_READ:
        slow->reading = 1;
        break;
    }
}

static void serve(int fuse, struct slow *slow)
{
    static union {
        struct fuse_in_header head;
        char bytes[128 * 1024];
    } asked;
    while (read(fuse, &asked, sizeof asked) > 0)
        serve_one(fuse, &asked.head, slow);
    _exit(0);
}

/* The server's process, or 0: it cannot be had here. */
static pid_t mount_slow(const char *directory, struct slow *slow)
{
    char options[128];
    int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    if (fuse < 0 || !enter_own_place())
        return 0;
    snprintf(options, sizeof options, "fd=%d,rootmode=40755,user_id=0,group_id=0", fuse);
    if (mount("slow", directory, "fuse", 0, options) != 0)
        return 0;
    pid_t server = fork_child();
    if (server == 0)
        serve(fuse, slow);
    close(fuse);
    return server;
}

static void read_from(const char *directory, int slave)
{
    char path[64], byte;
    setsid();
    snprintf(path, sizeof path, "%s/file", directory);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && ioctl(slave, TIOCSCTTY, 0) == 0 && tcsetpgrp(slave, getpid()) == 0)
        (void)!read(file, &byte, 1);
    _exit(0);
}

static void what_does_not_answer_is_not_waited_for(void **state)
{
    (void)state;
    char directory[] = "foreground.XXXXXX";
    int master, slave;
    struct slow *slow =
        mmap(NULL, sizeof *slow, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_non_null(mkdtemp(directory));
    pid_t server = mount_slow(directory, slow);
    if (server <= 0) {
        rmdir(directory);
        skip();
    }
    assert_int_equal(pty_open(24, 80, &master, &slave, NULL), 0);
    pid_t reader = fork_child();
    if (reader == 0)
        read_from(directory, slave);
    while (!slow->reading && waitpid(reader, NULL, WNOHANG) == 0)
        usleep(1000);
    assert_true(slow->reading);
    assert_int_equal(foreground_look(master), FOREGROUND_WORKS);
    assert_int_equal(slow->asked, 0);
    umount2(directory, MNT_FORCE); /* the reader goes on */
    kill(reader, SIGKILL);
    kill(server, SIGKILL);
    waitpid(reader, NULL, 0);
    waitpid(server, NULL, 0);
    umount2(directory, MNT_DETACH);
    rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_answer_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
