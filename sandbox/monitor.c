/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/monitor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "sandbox/control.h"
#include "sandbox/filter.h"
#include "sandbox/helper.h"
#include "sandbox/landlock.h"
#include "sandbox/mediate.h"
#include "sandbox/namespaces.h"
#include "sandbox/relay.h"
#include "sandbox/view.h"
#include "sandbox/watch.h"

struct monitor {
    const struct monitor_setup *setup;
    struct child child;
    struct relay relay;
    struct watch watch;
    struct mediate mediate; /* listener -1: connect() is not announced */
    int signals;            /* signalfd: SIGCHLD */
    int status;             /* of the command, once ended */
    bool ended;             /* the command */
    int64_t kill_at_ms;     /* when what is left is killed; 0: not planned */
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- before the command ----------------------------------------------------------------- */

static int take_terminal(const struct monitor_setup *setup, struct error *error)
{
    if (setup->session != CHILD_SESSION_TERMINAL)
        return 0;
    if (setsid() < 0 || ioctl(STDIN_FILENO, TIOCSCTTY, 0) < 0)
        return error_set(error, errno, "controlling terminal");
    return 0;
}

static int enter(const struct monitor_setup *setup, struct view *view, struct error *error)
{
    const struct sandbox_policy *policy = setup->request->policy;
    if (namespaces_map_user(setup->user, setup->group, error) < 0 ||
        ((setup->namespaces & NAMESPACES_NETWORK) && namespaces_raise_loopback(error) < 0))
        return -1;
    /* Nobody inside may look into or stop the one who lets them out. */
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
        return error_set(error, errno, "dumpable");
    if (view_build(policy, setup->namespaces & NAMESPACES_PID, view, error) < 0 ||
        protect_apply(setup->protect, error) < 0)
        return -1;
    return take_terminal(setup, error);
}

static unsigned filter_flags(const struct monitor_setup *setup)
{
    unsigned flags = FILTER_MEDIATE;
    if (!(setup->namespaces & NAMESPACES_PID))
        flags |= FILTER_NO_TRACE;
    return flags;
}

static int start(struct monitor *monitor, struct view *view, struct error *error)
{
    const struct monitor_setup *setup = monitor->setup;
    const struct relay_stream *streams = monitor->relay.streams;
    if (relay_open(&monitor->relay, error) < 0)
        return -1;
    watch_open(&monitor->watch, setup->protect, setup->placeholders, setup->report);
    struct child_setup child = {
        .request = setup->request,
        .argv = setup->argv,
        .confinement = {.policy = setup->request->policy,
                        .landlock_abi = setup->landlock_abi,
                        .tcp = true,
                        .filter = filter_flags(setup),
                        .own = view->own},
        .session = setup->session,
        .streams = {streams[0].inside, streams[1].inside, streams[2].inside},
        .signals = setup->signals,
    };
    int result = child_start(&child, &monitor->child, error);
    relay_release_inside(&monitor->relay);
    setpgid(0, 0); /* what kills the helper's process group must leave somebody to clean up */
    monitor->mediate =
        (struct mediate){.listener = monitor->child.listener,
                         .own_network = setup->namespaces & NAMESPACES_NETWORK,
                         .allowed = (const char *const *)setup->request->policy->unix_sockets,
                         .report = setup->report};
    mediate_open(&monitor->mediate);
    return result;
}

/* ---- while it runs ---------------------------------------------------------------------- */

static void reap(struct monitor *monitor)
{
    struct signalfd_siginfo information;
    if (read(monitor->signals, &information, sizeof information) < 0)
        return;
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
        if (pid == monitor->child.pid) {
            monitor->status = status;
            monitor->ended = true;
        }
}

/* Everything in here but this process. */
static void signal_all(int number)
{
    kill(-1, number);
}

/* The helper was killed: nobody waits for an answer, but the command must end, and nothing of it
 * may be left behind. */
static void end_without_helper(struct monitor *monitor)
{
    signal_all(SIGKILL);
    placeholders_remove(monitor->setup->placeholders, true);
    _exit(HELPER_EXIT_FAILED);
}

static void obey(struct monitor *monitor)
{
    struct control_message message;
    int result = control_receive(monitor->setup->control, &message);
    if (result == 0)
        end_without_helper(monitor);
    if (result < 0)
        return;
    signal_all(message.number);
    if (message.kind == CONTROL_END && monitor->kill_at_ms == 0)
        monitor->kill_at_ms = now_ms() + HELPER_GRACE_MS;
}

static int time_left(const struct monitor *monitor)
{
    if (monitor->kill_at_ms == 0)
        return -1;
    int64_t left = monitor->kill_at_ms - now_ms();
    return left > 0 ? (int)left : 0;
}

static void watch(struct monitor *monitor)
{
    struct pollfd watched[7] = {{.fd = monitor->signals, .events = POLLIN},
                                {.fd = monitor->setup->control, .events = POLLIN},
                                {.fd = monitor->mediate.listener, .events = POLLIN},
                                {.fd = monitor->watch.fd, .events = POLLPRI}};
    while (!monitor->ended) {
        int count = 4 + relay_watch(&monitor->relay, watched + 4);
        if (poll(watched, (nfds_t)count, time_left(monitor)) == 0 && time_left(monitor) == 0) {
            signal_all(SIGKILL);
            monitor->kill_at_ms = 0;
        }
        if (watched[0].revents)
            reap(monitor);
        if (watched[1].revents)
            obey(monitor);
        if (watched[2].revents & POLLIN)
            mediate_answer(&monitor->mediate);
        else if (watched[2].revents) /* nobody is left who could call */
            watched[2].fd = -1;
        if (watched[3].revents)
            watch_act(&monitor->watch);
        relay_pump(&monitor->relay);
    }
}

/* Whoever is left would keep the output open; none of them outlives the command. */
static void end_rest(struct monitor *monitor)
{
    signal_all(SIGKILL);
    while (waitpid(-1, NULL, 0) > 0)
        continue;
    relay_finish(&monitor->relay);
    watch_finish(&monitor->watch);
}

/* ---- ends ------------------------------------------------------------------------------- */

static void fail(const struct monitor_setup *setup, const struct error *error, bool available)
{
    control_send(setup->control, available ? CONTROL_FAILED : CONTROL_UNAVAILABLE, error->number,
                 error->message);
    _exit(HELPER_EXIT_FAILED);
}

void monitor_run(const struct monitor_setup *setup)
{
    struct monitor monitor = {.setup = setup};
    struct error error = ERROR_INIT;
    struct view view;
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    if (enter(setup, &view, &error) < 0)
        fail(setup, &error, false);
    monitor.signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    if (monitor.signals < 0)
        error_set(&error, errno, "signals");
    if (monitor.signals < 0 || start(&monitor, &view, &error) < 0)
        fail(setup, &error, true);
    if (monitor.child.exec_errno) {
        control_send(setup->control, CONTROL_EXEC_FAILED, monitor.child.exec_errno, "");
        _exit(0);
    }
    control_send(setup->control, CONTROL_STARTED, 0, "");
    watch(&monitor);
    end_rest(&monitor);
    control_send(setup->control, CONTROL_ENDED, monitor.status, "");
    _exit(0);
}
