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

#include "base/alloc.h"
#include "base/fd.h"
#include "sandbox/cache.h"
#include "sandbox/closed_late.h"
#include "sandbox/closed_link.h"
#include "sandbox/control.h"
#include "sandbox/filter.h"
#include "sandbox/gateway.h"
#include "sandbox/git_leftover.h"
#include "sandbox/git_newcomers.h"
#include "sandbox/helper.h"
#include "sandbox/inside.h"
#include "sandbox/landlock.h"
#include "sandbox/mediate.h"
#include "sandbox/namespaces.h"
#include "sandbox/relay.h"
#include "sandbox/routes.h"
#include "sandbox/scratch.h"
#include "sandbox/stray.h"
#include "sandbox/view.h"
#include "sandbox/watch.h"

struct monitor {
    const struct monitor_setup *setup;
    struct child child;
    struct relay relay;
    struct watch watch;
    struct stray stray;
    struct closed_links links;
    struct git_leftover leftover;
    struct git_newcomers newcomers;
    struct report report;
    struct mediate mediate; /* listener -1: connect() is not announced */
    char *scratch;          /* directory for temporary files, without a view; else NULL */
    int scratch_lock;       /* that says whose it is */
    int signals;            /* signalfd: SIGCHLD */
    int status;             /* of the command, once ended */
    bool ended;             /* the command */
    bool killed;            /* it was to be, by force */
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

/* Where the command starts, what is executed and what its arguments name: a script that was put
 * into /tmp to be run must be found there. The caller frees the array. */
static const char **named_paths(const struct monitor_setup *setup)
{
    size_t count = 0, words = strv_length((const char *const *)setup->argv);
    const char **paths = xcalloc(words + 3, sizeof *paths);
    paths[count++] = setup->request->cwd;
    if (setup->request->program)
        paths[count++] = setup->request->program;
    for (size_t i = 0; i < words; i++)
        if (setup->argv[i][0] == '/')
            paths[count++] = setup->argv[i];
    return paths;
}

/* Processes have namespaces of their own: what the command can reach is made anew. */
static int enter_namespaces(const struct monitor_setup *setup, struct view *view,
                            struct error *error)
{
    if (namespaces_map_user(setup->user, setup->group, error) < 0 ||
        ((setup->namespaces & NAMESPACES_NETWORK) && namespaces_raise_loopback(error) < 0))
        return -1;
    const char **visible = named_paths(setup);
    const struct view_setup made = {.policy = setup->request->policy,
                                    .own_processes = setup->namespaces & NAMESPACES_PID,
                                    .home = setup->home,
                                    .visible = visible};
    int result = view_build(&made, view, error);
    free(visible);
    return result < 0 || protect_apply(setup->protect, error) < 0
               ? -1
               : closed_late_cover(setup->request->policy, setup->protect, &view->shut, error);
}

/* What leads to an own /tmp has to lead somewhere else than to everybody's. */
static void redirect_tmp(struct helper_request *request, const char *scratch)
{
    for (char **entry = request->env; *entry; entry++) {
        char *value = strchr(*entry, '=') + 1;
        bool cache = strncmp(value, CACHE_PLACE "/", strlen(CACHE_PLACE) + 1) == 0;
        if (!cache && strncmp(*entry, "TMPDIR=", 7) != 0)
            continue;
        char *changed = xasprintf("%.*s%s%s", (int)(value - *entry), *entry, scratch,
                                  cache ? value + strlen(CACHE_PARENT) : "");
        free(*entry);
        *entry = changed;
    }
}

/* Before the command: what it finds open is open from its first moment on. */
static int open_gateway(const struct monitor_setup *setup, struct error *error)
{
    const struct sandbox_policy *policy = setup->request->policy;
    if (!policy->network_asks || policy->network || !sandbox_policy_is_restricted(policy))
        return 0;
    if (!(setup->namespaces & NAMESPACES_NETWORK))
        return error_set(error, 0, "hosts can only be asked for in a network namespace");
    cleanup_fd int listener = gateway_listen(error);
    if (listener < 0)
        return -1;
    int result = report_gateway(setup->report, listener);
    return result < 0 ? error_set(error, -result, "nobody asks for hosts here: no console") : 0;
}

static int enter_degraded(struct monitor *monitor, struct view *view, struct error *error)
{
    const struct monitor_setup *setup = monitor->setup;
    *view = (struct view){.own = {NULL}};
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
        return error_set(error, errno, "subreaper");
    if (!sandbox_policy_is_restricted(setup->request->policy))
        return 0;
    if (setup->request->policy->tmp == POLICY_TMP_HOST)
        view_add_tmp(setup->request->policy, view);
    shut_find(setup->request->policy, view->own, &view->shut);
    if (!view_has_own_tmp(setup->request->policy))
        return 0;
    const char *place = setup->request->policy->tmp_source;
    if (!place)
        place = monitor->scratch = scratch_make(&monitor->scratch_lock);
    if (!place)
        return error_set(error, errno, "a directory for temporary files");
    view->own[0] = place;
    redirect_tmp(setup->request, place);
    return 0;
}

static int enter(struct monitor *monitor, struct view *view, struct error *error)
{
    const struct monitor_setup *setup = monitor->setup;
    int result = setup->namespaces ? enter_namespaces(setup, view, error)
                                   : enter_degraded(monitor, view, error);
    /* Nobody inside may look into or stop the one who lets them out. */
    if (result == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
        return error_set(error, errno, "dumpable");
    return result < 0 ? -1 : take_terminal(setup, error);
}

static bool writes_anything(const struct sandbox_policy *policy)
{
    for (size_t i = 0; i < policy->entry_count; i++)
        if (policy->entries[i].access == POLICY_ACCESS_WRITE)
            return true;
    return policy->tmp != POLICY_TMP_NONE;
}

/* Each missing namespace leaves something that a filter can refuse instead. */
static unsigned filter_flags(const struct monitor_setup *setup)
{
    const struct sandbox_policy *policy = setup->request->policy;
    unsigned flags = FILTER_MEDIATE;
    if (!(setup->namespaces & NAMESPACES_PID))
        flags |= FILTER_NO_TRACE;
    if (!(setup->namespaces & NAMESPACES_NETWORK) && !policy->network)
        flags |= FILTER_NO_INET;
    if (!(setup->namespaces & NAMESPACES_MOUNT) && !writes_anything(policy))
        flags |= FILTER_NO_METADATA;
    if (!(setup->namespaces & NAMESPACES_MOUNT) && !landlock_abi_truncates(setup->landlock_abi))
        flags |= FILTER_NO_TRUNCATE;
    return flags;
}

static struct confinement confinement_of(const struct monitor_setup *setup, const struct view *view)
{
    const struct sandbox_policy *policy = setup->request->policy;
    if (!sandbox_policy_is_restricted(policy))
        return (struct confinement){.policy = NULL};
    return (struct confinement){
        .policy = policy,
        .landlock_abi = setup->landlock_abi,
        .tcp = (setup->namespaces & NAMESPACES_NETWORK) || policy->network,
        .own_devices = setup->namespaces & NAMESPACES_MOUNT,
        .filter = filter_flags(setup),
        .own_group = setup->session != CHILD_SESSION_INHERIT,
        .shut = &view->shut,
        .own = view->own,
    };
}

static int open_streams(struct monitor *monitor, struct error *error)
{
    const struct monitor_setup *setup = monitor->setup;
    if (sandbox_policy_is_restricted(setup->request->policy))
        return relay_open(&monitor->relay, setup->request->policy,
                          setup->namespaces & NAMESPACES_MOUNT, error);
    relay_open_none(&monitor->relay);
    return 0;
}

static int start(struct monitor *monitor, const struct view *view, struct error *error)
{
    const struct monitor_setup *setup = monitor->setup;
    const struct relay_stream *streams = monitor->relay.streams;
    if (open_gateway(setup, error) < 0 || open_streams(monitor, error) < 0)
        return -1;
    monitor->watch.fd = -1;
    if (setup->namespaces & NAMESPACES_MOUNT) {
        watch_open(&monitor->watch, setup->protect, &view->shut, setup->placeholders,
                   &monitor->report);
        monitor->stray = (struct stray){.protect = setup->protect,
                                        .policy = setup->request->policy,
                                        .home = setup->home,
                                        .report = &monitor->report};
        stray_open(&monitor->stray, &view->shut);
        monitor->links =
            (struct closed_links){.protect = setup->protect, .report = &monitor->report};
        closed_links_open(&monitor->links, &view->shut);
        git_leftover_open(&monitor->leftover, setup->protect, &monitor->report);
        git_newcomers_open(&monitor->newcomers, setup->protect, &monitor->report);
    }
    struct child_setup child = {
        .request = setup->request,
        .argv = setup->argv,
        .confinement = confinement_of(setup, view),
        .session = setup->session,
        .streams = {streams[0].inside, streams[1].inside, streams[2].inside},
        .signals = setup->signals,
        .descriptors = setup->descriptors,
        .die_with_parent = !(setup->namespaces & NAMESPACES_PID),
    };
    int result = child_start(&child, &monitor->child, error);
    relay_release_inside(&monitor->relay);
    setpgid(0, 0); /* what kills the helper's process group must leave somebody to clean up */
    monitor->mediate =
        (struct mediate){.announced = monitor->child.listener,
                         .listener = {.own_network = setup->namespaces & NAMESPACES_NETWORK,
                                      .own_processes = setup->namespaces & NAMESPACES_PID},
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

static bool own_processes(const struct monitor *monitor)
{
    return monitor->setup->namespaces & NAMESPACES_PID;
}

static void remove_scratch(const struct monitor *monitor)
{
    if (monitor->scratch)
        scratch_remove(monitor->scratch);
}

/* The helper was killed: nobody waits for an answer, but the command must end, and nothing of it
 * may be left behind. */
static void end_without_helper(struct monitor *monitor)
{
    inside_end(own_processes(monitor));
    stray_act(&monitor->stray);
    closed_links_act(&monitor->links);
    watch_finish(&monitor->watch);
    git_leftover_finish(&monitor->leftover);
    placeholders_remove(monitor->setup->placeholders,
                        monitor->setup->namespaces & NAMESPACES_MOUNT);
    remove_scratch(monitor);
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
    inside_signal(own_processes(monitor), message.number);
    watch_note_signal(&monitor->watch, message.number);
    monitor->killed = monitor->killed || message.kind == CONTROL_KILL;
    if (message.kind == CONTROL_END && monitor->kill_at_ms == 0)
        monitor->kill_at_ms = now_ms() + HELPER_GRACE_MS;
}

static int time_to_kill(const struct monitor *monitor)
{
    if (monitor->kill_at_ms == 0)
        return -1;
    int64_t left = monitor->kill_at_ms - now_ms();
    return left > 0 ? (int)left : 0;
}

/* Of two times in milliseconds, where -1 is never. */
static int sooner(int left, int right)
{
    return left < 0 || (right >= 0 && right < left) ? right : left;
}

/* What is somewhere else now can be moved from there. */
static void follow_strays(struct monitor *monitor)
{
    if (stray_act(&monitor->stray))
        for (size_t i = 0; i < monitor->stray.count; i++)
            watch_add(&monitor->watch, monitor->stray.paths[i].path);
}

static int time_left(const struct monitor *monitor)
{
    return sooner(time_to_kill(monitor), sooner(watch_time_left(&monitor->watch),
                                                git_newcomers_time_left(&monitor->newcomers)));
}

static void kill_rest(struct monitor *monitor)
{
    inside_signal(own_processes(monitor), SIGKILL);
    monitor->killed = true;
    monitor->kill_at_ms = 0;
}

static void look_for_newcomers(struct monitor *monitor)
{
    if (git_newcomers_look(&monitor->newcomers) && !git_newcomers_set_aside(&monitor->newcomers))
        kill_rest(monitor);
}

static void watch(struct monitor *monitor)
{
    struct pollfd watched[8] = {{.fd = monitor->signals, .events = POLLIN},
                                {.fd = monitor->setup->control, .events = POLLIN},
                                {.fd = monitor->mediate.announced, .events = POLLIN},
                                {.fd = monitor->watch.fd, .events = POLLIN}};
    while (!monitor->ended) {
        watched[4] = (struct pollfd){.fd = git_newcomers_fd(&monitor->newcomers), .events = POLLIN};
        int count = 5 + relay_watch(&monitor->relay, watched + 5);
        poll(watched, (nfds_t)count, time_left(monitor));
        if (time_to_kill(monitor) == 0)
            kill_rest(monitor);
        if (watched[0].revents)
            reap(monitor);
        if (watched[1].revents)
            obey(monitor);
        if (watched[2].revents & POLLIN)
            mediate_answer(&monitor->mediate);
        else if (watched[2].revents) /* nobody is left who could call */
            watched[2].fd = -1;
        if (watched[3].revents || watch_time_left(&monitor->watch) == 0) {
            closed_links_act(&monitor->links);
            watch_act(&monitor->watch);
            follow_strays(monitor);
            git_leftover_act(&monitor->leftover);
        }
        if (watched[4].revents)
            git_newcomers_stir(&monitor->newcomers);
        if (git_newcomers_time_left(&monitor->newcomers) == 0)
            look_for_newcomers(monitor);
        relay_pump(&monitor->relay);
    }
}

/* What failed with a bare "Could not resolve host" failed because nothing leads outside. Asked for
 * only when something failed, and when no address has been named already. */
static void report_routes(const struct monitor *monitor)
{
    const struct monitor_setup *setup = monitor->setup;
    bool own_network = setup->namespaces & NAMESPACES_NETWORK;
    if (own_network && monitor->status != 0 && !monitor->mediate.network_reported &&
        setup->report->socket >= 0 && routes_missed() > 0)
        report_denied(setup->report, "network", "");
}

/* What the command has written and nobody has read yet is waited for, but not by force. */
static void drain(struct monitor *monitor)
{
    struct pollfd watched[4] = {{.fd = monitor->setup->control, .events = POLLIN}};
    while (relay_drain(&monitor->relay) && !monitor->killed) {
        int count = 1 + relay_watch(&monitor->relay, watched + 1);
        poll(watched, (nfds_t)count, time_to_kill(monitor));
        if (watched[0].revents)
            obey(monitor);
        monitor->killed = monitor->killed || time_to_kill(monitor) == 0;
    }
}

/* Whoever is left would keep the output open; none of them outlives the command. */
static void end_rest(struct monitor *monitor)
{
    inside_end(own_processes(monitor));
    drain(monitor);
    relay_finish(&monitor->relay);
    report_routes(monitor);
    stray_act(&monitor->stray); /* before others look at it where it does not belong */
    closed_links_act(&monitor->links);
    watch_finish(&monitor->watch);
    git_leftover_finish(&monitor->leftover);
    remove_scratch(monitor);
}

/* ---- ends ------------------------------------------------------------------------------- */

static void fail(const struct monitor *monitor, const struct error *error, bool available)
{
    const struct monitor_setup *setup = monitor->setup;
    remove_scratch(monitor);
    control_send(setup->control, available ? CONTROL_FAILED : CONTROL_UNAVAILABLE, error->number,
                 error->message);
    _exit(HELPER_EXIT_FAILED);
}

void monitor_run(const struct monitor_setup *setup)
{
    struct monitor monitor = {.setup = setup, .report = {setup->report->socket, setup->control}};
    struct error error = ERROR_INIT;
    struct view view = {.own = {NULL}};
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    if (enter(&monitor, &view, &error) < 0)
        fail(&monitor, &error, false);
    monitor.signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    if (monitor.signals < 0)
        error_set(&error, errno, "signals");
    if (monitor.signals < 0 || start(&monitor, &view, &error) < 0)
        fail(&monitor, &error, true);
    if (monitor.child.exec_errno) {
        remove_scratch(&monitor);
        control_send(setup->control, CONTROL_EXEC_FAILED, monitor.child.exec_errno, "");
        _exit(0);
    }
    control_send(setup->control, CONTROL_STARTED, 0, "");
    watch_keep(&monitor.watch);
    watch(&monitor);
    end_rest(&monitor);
    control_send(setup->control, CONTROL_ENDED, monitor.status, "");
    _exit(0);
}
