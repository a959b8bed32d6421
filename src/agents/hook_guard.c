/* SPDX-License-Identifier: MIT */
/* hook_guard: two processes, because one that has crashed can answer nothing any more. The outer
 * one allocates nothing, waits for the inner one, and passes its answer on only when that has ended
 * well and in time. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agents/hook.h"
#include "base/array.h"
#include "base/fd.h"

#define ANSWER_MAX 131072
/* The inner process keeps its own time; this is for one that hangs. */
#define MORE_TIME_MS 3000

static pid_t inner_process;

static void say(const char *text)
{
    (void)!write(STDERR_FILENO, text, strlen(text));
}

static void on_end_signal(int number)
{
    (void)number;
    if (inner_process > 0)
        kill(inner_process, SIGKILL);
    say("assent hook: ended by a signal\n");
    _exit(HOOK_DENIED);
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGALRM, SIGUSR1,
                                  SIGUSR2, SIGSEGV, SIGBUS,  SIGFPE,  SIGABRT, SIGXCPU};
    struct sigaction action = {.sa_handler = on_end_signal};
    for (size_t i = 0; i < COUNT(numbers); i++)
        sigaction(numbers[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static void release_signals(void)
{
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void run_inner(const struct hook_options *options, int output)
{
    release_signals();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int status = dup2(output, STDOUT_FILENO) < 0 ? HOOK_DENIED : hook_run(options);
    _exit(status);
}

/* The whole answer, up to the end of the pipe: its length, or -1 when there is too much of it or
 * the time is over. */
static ssize_t read_answer(int fd, char *answer, int64_t deadline_ms)
{
    size_t length = 0;
    for (;;) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        int64_t left = deadline_ms - now_ms();
        int count = left > 0 ? poll(&ready, 1, left > 60000 ? 60000 : (int)left) : -1;
        if (left <= 0 || (count < 0 && errno != EINTR))
            return -1;
        if (count <= 0)
            continue;
        ssize_t got = read(fd, answer + length, ANSWER_MAX - length);
        if (got == 0)
            return (ssize_t)length;
        if (got < 0 && errno != EINTR)
            return -1;
        length += got > 0 ? (size_t)got : 0;
        if (length == ANSWER_MAX)
            return -1;
    }
}

static bool ended_well(pid_t pid)
{
    int status;
    pid_t ended;
    while ((ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
        ;
    if (ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == HOOK_DENIED)
        return false; /* it has said why */
    bool well = ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == HOOK_ANSWERED;
    if (!well)
        say("assent hook: it broke down, so the answer is no\n");
    return well;
}

int hook_run_guarded(const struct hook_options *options)
{
    static char answer[ANSWER_MAX];
    int ends[2];
    catch_signals();
    if (pipe(ends) < 0 || (inner_process = fork()) < 0) {
        say("assent hook: the system has no room to ask\n");
        return HOOK_DENIED;
    }
    if (inner_process == 0) {
        close(ends[0]);
        run_inner(options, ends[1]);
    }
    close(ends[1]);
    ssize_t length = read_answer(ends[0], answer, now_ms() + options->wait_ms + MORE_TIME_MS);
    if (length < 0) {
        kill(inner_process, SIGKILL);
        say("assent hook: no answer in time\n");
        return HOOK_DENIED;
    }
    if (!ended_well(inner_process))
        return HOOK_DENIED;
    if (fd_write_all(STDOUT_FILENO, answer, (size_t)length) < 0) {
        say("assent hook: the answer could not be written\n");
        return HOOK_DENIED;
    }
    return HOOK_ANSWERED;
}
