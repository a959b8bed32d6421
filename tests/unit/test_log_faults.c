/* SPDX-License-Identifier: MIT */
/*
 * The record where its disk fails: each call that changes a file is made to fail, to do a part of
 * its work, or to be the last one before the process is killed, one after the other. Whatever
 * happens, no effect is without its decision on disk, and the log can be read and verified.
 *
 * The functions that write are replaced below: what this program defines is used before libc's.
 */
#include "config.h"

#include "record/session_log.h"

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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/json.h"
#include "record/log_reader.h"
#include "record/log_repair.h"
#include "record/log_verify.h"

#define ROUNDS 4 /* decisions of one console */

/* ---- faults ---------------------------------------------------------------------------------- */

enum fault {
    FAULT_NONE,
    FAULT_KILL_BEFORE,
    FAULT_KILL_AFTER,
    FAULT_KILL_HALFWAY, /* half of the bytes are written */
    FAULT_SHORT,        /* as well, and the caller is told so */
    FAULT_NO_ROOM,      /* a part is written, then there is no room, for this and two more */
    FAULT_NO_ROOM_LEFT, /* from then on */
    FAULT_DISK,         /* EIO, from then on */
    FAULT_KINDS,
};

/* In the child alone. */
static enum fault fault;
static int fault_at = -1; /* the operation that fails, 1 …; -1: none are counted yet */
static int operations;

static bool is_file(int fd)
{
    struct stat status;
    return fault_at >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

/* The number of bytes that are really written; *number the error that follows. */
static size_t spoil(int fd, size_t length, int *number)
{
    *number = 0;
    if (!is_file(fd))
        return length;
    int operation = __atomic_add_fetch(&operations, 1, __ATOMIC_SEQ_CST);
    bool later = operation > fault_at;
    if (operation < fault_at || (later && fault < FAULT_NO_ROOM) ||
        (fault == FAULT_NO_ROOM && operation > fault_at + 2))
        return length;
    if (fault == FAULT_KILL_BEFORE)
        kill(getpid(), SIGKILL);
    if (fault == FAULT_NO_ROOM || fault == FAULT_NO_ROOM_LEFT)
        *number = ENOSPC;
    if (fault == FAULT_DISK)
        *number = EIO;
    return later ? 0 : length / 2;
}

static void die_if_due(int fd)
{
    bool deadly = fault == FAULT_KILL_AFTER || fault == FAULT_KILL_HALFWAY;
    if (deadly && is_file(fd) && operations == fault_at)
        kill(getpid(), SIGKILL);
}

static ssize_t spoiled(int fd, const void *bytes, size_t length, off_t offset, bool positioned)
{
    int number;
    size_t part = spoil(fd, length, &number);
    if (fault == FAULT_KILL_AFTER)
        part = length;
    ssize_t result = 0;
    if (part > 0)
        result = positioned ? syscall(SYS_pwrite64, fd, bytes, part, offset)
                            : syscall(SYS_write, fd, bytes, part);
    die_if_due(fd);
    if (number == 0 || result > 0)
        return result;
    errno = number;
    return -1;
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    return spoiled(fd, bytes, length, 0, false);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset)
{
    return spoiled(fd, bytes, length, offset, true);
}

#ifdef __GLIBC__ /* elsewhere it is a name for pwrite() */
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset)
{
    return spoiled(fd, bytes, length, offset, true);
}
#endif

static int spoiled_sync(int fd, long call)
{
    int number;
    spoil(fd, 0, &number);
    int result = number == EIO ? -1 : (int)syscall(call, fd);
    die_if_due(fd);
    if (number == EIO)
        errno = EIO;
    return result;
}

int fdatasync(int fd)
{
    return spoiled_sync(fd, SYS_fdatasync);
}

int fsync(int fd)
{
    return spoiled_sync(fd, SYS_fsync);
}

/* ---- a console ------------------------------------------------------------------------------- */

struct console {
    struct loop *loop;
    struct session_log *log;
    int effects; /* a byte for each effect goes here */
    bool answered;
    int failures;
};

static void on_committed(void *argument, int result)
{
    struct console *console = argument;
    console->answered = true;
    if (result == 0 && syscall(SYS_write, console->effects, "e", 1) != 1)
        _exit(3);
    if (result < 0)
        console->failures++;
}

static void take_decision(struct console *console, const struct call *call)
{
    struct commit commit = session_log_commit(console->log);
    console->answered = false;
    session_log_observer()->decided(console->log, call, NULL);
    commit.sync(commit.argument, on_committed, console);
    while (!console->answered)
        loop_step(console->loop, 1000);
}

static void run_console(const char *directory, const char *anchors, int effects)
{
    struct error error = ERROR_INIT;
    struct log_place place = {directory, anchors};
    struct console console = {.loop = loop_new(NULL), .effects = effects};
    struct session session = {.id = "0123456789abcdef"};
    struct call call = {.id = 1, .session = &session};
    console.log = session_log_open(console.loop, &place, "one", &error);
    if (console.log == NULL)
        _exit(2);
    session_log_begin(console.log, NULL, 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
        call.decision =
            (struct review_decision){.kind = REVIEW_APPROVED, .source = DECIDED_BY_CONFIG};
        take_decision(&console, &call);
        session_log_observer()->notice(console.log, NOTICE_INFO, "nobody waits for this");
        call.id++;
    }
    session_log_close(&console.log, NULL);
    loop_free(&console.loop);
}

/* ---- what is left ---------------------------------------------------------------------------- */

struct trial {
    char directory[40], anchors[64], log[64];
    unsigned effects;
    bool spoiled; /* there were as many operations as the fault's number */
};

static void begin(struct trial *trial)
{
    *trial = (struct trial){0};
    strcpy(trial->directory, "/tmp/assent-faults-XXXXXX");
    assert_non_null(mkdtemp(trial->directory));
    snprintf(trial->anchors, sizeof(trial->anchors), "%s/anchors", trial->directory);
    snprintf(trial->log, sizeof(trial->log), "%s/one.jsonl", trial->directory);
}

static void end(struct trial *trial)
{
    cleanup_free char *anchor = xasprintf("%s/one.head", trial->anchors);
    cleanup_free char *key = xasprintf("%s/record.key", trial->anchors);
    unlink(trial->log);
    unlink(anchor);
    unlink(key);
    cleanup_free char *clean = xasprintf("rm -rf '%s'", trial->directory);
    assert_int_equal(system(clean), 0); /* a key that was half made has a name of its own */
}

static void run_child(struct trial *trial, enum fault kind, int at, int effects, int spoiled_pipe)
{
    fault = kind;
    fault_at = at;
    run_console(trial->directory, trial->anchors, effects);
    char over = operations >= at;
    if (syscall(SYS_write, spoiled_pipe, &over, 1) != 1)
        _exit(3);
    _exit(0);
}

static void run_trial(struct trial *trial, enum fault kind, int at)
{
    int effects[2], over[2];
    char byte, reached = 1;
    assert_int_equal(pipe(effects), 0);
    assert_int_equal(pipe(over), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        run_child(trial, kind, at, effects[1], over[1]);
    close(effects[1]);
    close(over[1]);
    while (read(effects[0], &byte, 1) == 1)
        trial->effects++;
    if (read(over[0], &reached, 1) != 1)
        reached = 1;
    trial->spoiled = reached;
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) ? WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 2
                                  : WTERMSIG(status) == SIGKILL);
    close(effects[0]);
    close(over[0]);
}

/* Decisions in the log, in order and without gaps, or -1. */
static int count_decisions(const char *path)
{
    struct error error = ERROR_INIT;
    struct log_reader *reader = log_reader_open(path, &error);
    struct log_line line;
    int count = 0;
    if (reader == NULL)
        return error.number == ENOENT ? 0 : -1;
    for (enum log_reader_state state; (state = log_reader_next(reader, &line)) != LOG_READER_END;) {
        const char *event = json_string_value(json_object_get(line.event, "event"));
        if (event == NULL || (strcmp(event, "decision") == 0 &&
                              json_integer_value(json_object_get(line.event, "call")) != ++count))
            count = -1000;
    }
    log_reader_close(&reader);
    return count;
}

static void check_trial(const struct trial *trial, enum fault kind, int at)
{
    struct log_report report;
    struct error error = ERROR_INIT;
    bool there = access(trial->log, F_OK) == 0;
    int decisions = count_decisions(trial->log);
    if (decisions < (int)trial->effects)
        fail_msg("fault %d at %d: %u effects, %d decisions", kind, at, trial->effects, decisions);
    for (unsigned again = 0; there && again < 2; again++) {
        if (log_verify(trial->directory, trial->anchors, "one", &report, &error) < 0)
            fail_msg("fault %d at %d: %s", kind, at, error.message);
        /* Before the anchor was made nothing had been asked yet. */
        bool early = report.verdict == LOG_UNPROVEN && trial->effects == 0 && decisions == 0;
        if (report.verdict != LOG_INTACT && !early)
            fail_msg("fault %d at %d: %s", kind, at, report.findings[0]);
        /* What had an effect was anchored before it: decisions are the lines 2, 4, … */
        assert_true(early || report.head.lines - report.beyond >= 2 * trial->effects);
        log_report_clear(&report);
        log_repair(trial->directory, trial->anchors, NULL);
    }
    assert_int_equal(count_decisions(trial->log), decisions);
}

static void nothing_is_lost_whatever_fails(void **state)
{
    (void)state;
    for (enum fault kind = FAULT_KILL_BEFORE; kind < FAULT_KINDS; kind++) {
        struct trial trial = {.spoiled = true};
        int at = 0;
        while (trial.spoiled) {
            begin(&trial);
            run_trial(&trial, kind, ++at);
            check_trial(&trial, kind, at);
            /* Where nothing had failed, everything has happened. */
            if (!trial.spoiled)
                assert_int_equal(trial.effects, ROUNDS);
            end(&trial);
            assert_true(at < 500);
        }
        assert_true(at > 3 * ROUNDS);
    }
}

/* Room that comes back: whatever was refused, what comes later is recorded and happens. */
static void room_comes_back(void **state)
{
    (void)state;
    unsigned most = 0;
    for (int at = 12; at < 20; at++) {
        struct trial trial;
        begin(&trial);
        run_trial(&trial, FAULT_NO_ROOM, at);
        check_trial(&trial, FAULT_NO_ROOM, at);
        if (trial.effects > most)
            most = trial.effects;
        end(&trial);
    }
    assert_true(most >= 2);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost_whatever_fails),
        cmocka_unit_test(room_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
