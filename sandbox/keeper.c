/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sandbox/guard.h"
#include "sandbox/helper.h"
#include "sandbox/launch.h"
#include "sandbox/tree.h"

/* Between two looks at a tree that is being killed. */
#define KILL_AGAIN_MS 5

struct keeper {
    const struct keeper_setup *setup;
    pid_t command;
    int signals;        /* signalfd of what is passed on */
    int children;       /* signalfd: SIGCHLD */
    int status;         /* of the command, once ended */
    bool ended;         /* the command */
    int64_t kill_at_ms; /* when what is left is killed; 0: not planned */
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int open_children(void)
{
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    return signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* What has ended. False when there is no child left. */
static bool reap(struct keeper *keeper)
{
    struct signalfd_siginfo information;
    while (read(keeper->children, &information, sizeof information) > 0)
        continue;
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        if (pid == keeper->command) {
            keeper->status = status;
            keeper->ended = true;
        }
    return pid == 0 || errno != ECHILD;
}

static void pass_on(struct keeper *keeper)
{
    struct signalfd_siginfo information;
    while (read(keeper->signals, &information, sizeof information) == sizeof information) {
        int number = (int)information.ssi_signo;
        tree_signal(getpid(), number == SIGTSTP ? SIGSTOP : number);
        if (guard_ends_command(number) && keeper->kill_at_ms == 0)
            keeper->kill_at_ms = now_ms() + HELPER_GRACE_MS;
    }
}

/* Nobody outlives the command: what it left behind would run on unseen. */
static void kill_all(struct keeper *keeper)
{
    struct pollfd children = {.fd = keeper->children, .events = POLLIN};
    while (reap(keeper)) {
        tree_kill(getpid());
        poll(&children, 1, KILL_AGAIN_MS);
    }
}

static int time_left(const struct keeper *keeper)
{
    if (keeper->kill_at_ms == 0)
        return -1;
    int64_t left = keeper->kill_at_ms - now_ms();
    return left > 0 ? (int)left : 0;
}

/* Until the command has ended. */
static void watch(struct keeper *keeper)
{
    struct pollfd watched[] = {{.fd = keeper->signals, .events = POLLIN},
                               {.fd = keeper->children, .events = POLLIN},
                               {.fd = keeper->setup->report->socket, .events = 0}};
    while (!keeper->ended) {
        poll(watched, 3, time_left(keeper));
        if (watched[0].revents)
            pass_on(keeper);
        if (watched[1].revents)
            reap(keeper);
        if (time_left(keeper) == 0 || watched[2].revents) /* the console is gone */
            return;
    }
}

/* The command's streams are its own: a pipe whose reader is gone must say so to who writes. */
static void release_streams(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; null >= 0 && fd < 3; fd++)
        dup2(null, fd);
    if (null >= 0)
        close(null);
}

static int start(struct keeper *keeper, sigset_t mask, struct error *error)
{
    const struct keeper_setup *setup = keeper->setup;
    struct child_setup start = {.request = setup->request,
                                .argv = setup->argv,
                                .session = setup->session,
                                .streams = {0, 1, 2},
                                .signals = mask,
                                .die_with_parent = true};
    struct child child;
    if (setup->confinement)
        start.confinement = *setup->confinement;
    if (child_start(&start, &child, error) < 0)
        return HELPER_EXIT_FAILED;
    if (child.exec_errno) {
        report_exec_failed(setup->report, child.exec_errno,
                           setup->request->program ?: setup->argv[0]);
        return launch_exit_code(child.exec_errno);
    }
    keeper->command = child.pid;
    release_streams();
    report_started(setup->report, child.pid);
    return 0;
}

int keeper_run(const struct keeper_setup *setup, struct error *error)
{
    struct keeper keeper = {.setup = setup};
    sigset_t mask;
    keeper.signals = guard_open_signals(&mask);
    keeper.children = open_children();
    if (keeper.signals < 0 || keeper.children < 0) {
        error_set(error, errno, "signals");
        return HELPER_EXIT_FAILED;
    }
    /* Not dumpable: a confined command of the same user must not take its keeper over. */
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) {
        error_set(error, errno, "adopting orphans");
        return HELPER_EXIT_FAILED;
    }
    int code = start(&keeper, mask, error);
    if (code != 0)
        return code;
    watch(&keeper);
    kill_all(&keeper);
    guard_end_like(keeper.status);
}
