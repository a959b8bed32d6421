/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"

/* How often to look where the system has no pidfd (not Linux, or before 5.3). */
#define POLL_MS 20

struct child {
    pid_t pid;
    int fd; /* pidfd, or -1 */
    struct loop_io *io;
    struct loop_timer *timer; /* only without a pidfd */
    bool reaped;
    void (*ended)(void *argument, int status);
    void *argument;
};

static int open_pidfd(pid_t pid)
{
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, pid, 0); /* close-on-exec by definition */
#else
    (void)pid;
    return -1;
#endif
}

/* Reaps it if it has ended. */
static bool try_reap(struct child *child, int *status)
{
    pid_t result;
    do
        result = waitpid(child->pid, status, WNOHANG);
    while (result < 0 && errno == EINTR);
    if (result == 0)
        return false;
    if (result < 0) {
        log_warning("run", "process %d was waited for by somebody else", (int)child->pid);
        *status = SIGKILL; /* what became of it is not known: not a success */
    }
    child->reaped = true;
    return true;
}

static void look(struct child *child)
{
    int status;
    if (!try_reap(child, &status)) {
        if (child->timer != NULL)
            loop_timer_start(child->timer, POLL_MS);
        return;
    }
    loop_io_free(&child->io);
    loop_timer_free(&child->timer);
    child->ended(child->argument, status);
}

static void on_readable(int fd, unsigned events, void *argument)
{
    (void)fd;
    (void)events;
    look(argument);
}

static void on_timer(void *argument)
{
    look(argument);
}

struct child *child_new(struct loop *loop, pid_t pid, void (*ended)(void *argument, int status),
                        void *argument)
{
    struct child *child = XNEW(struct child);
    child->pid = pid;
    child->ended = ended;
    child->argument = argument;
    child->fd = open_pidfd(pid);
    if (child->fd >= 0) {
        child->io = loop_io_new(loop, child->fd, on_readable, child);
        loop_io_set(child->io, LOOP_READ);
    } else {
        child->timer = loop_timer_new(loop, on_timer, child);
        loop_timer_start(child->timer, POLL_MS);
    }
    return child;
}

/* A signal, as the terminal's hang-up that a console ends by, is no reason to wait for less. */
static void wait_for_end(const struct child *child, int wait_ms)
{
    struct pollfd end = {.fd = child->fd, .events = POLLIN};
    int64_t deadline = clock_monotonic_ms(NULL) + wait_ms;
    int left = wait_ms;
    while (poll(&end, 1, left) < 0 && errno == EINTR && left > 0) {
        int64_t rest = deadline - clock_monotonic_ms(NULL);
        left = rest > 0 ? (int)rest : 0;
    }
}

bool child_wait(struct child *child, int wait_ms)
{
    int status;
    if (child->reaped)
        return true;
    if (!try_reap(child, &status)) {
        wait_for_end(child, wait_ms);
        if (!try_reap(child, &status))
            return false;
    }
    loop_io_free(&child->io);
    loop_timer_free(&child->timer);
    return true;
}

void child_free(struct child **place)
{
    struct child *child = *place;
    if (child == NULL)
        return;
    child_wait(child, 0);
    loop_io_free(&child->io);
    loop_timer_free(&child->timer);
    fd_close(&child->fd);
    free(child);
    *place = NULL;
}

int child_signal(const struct child *child, int number)
{
    if (child->reaped)
        return -ESRCH;
    /* Until it is reaped, the pid is its own. */
    return kill(child->pid, number) < 0 ? -errno : 0;
}
