/* SPDX-License-Identifier: MIT */
/* helper: applies the policy that it is handed and becomes the command, or waits for it; fails
 * closed at each step. */
#include "config.h"

#include "sandbox/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "sandbox/guard.h"
#include "sandbox/landlock.h"
#include "sandbox/launch.h"
#include "sandbox/monitor.h"
#include "sandbox/namespaces.h"
#include "sandbox/report.h"
#include "sandbox/request.h"
#include "sandbox/status.h"

static int enter_session(const struct helper_options *options, struct error *error)
{
    if (options->inherit_session)
        return 0;
    if (setsid() < 0 && getsid(0) != getpid())
        return error_set(error, errno, "new session");
    if (options->ctty && ioctl(STDIN_FILENO, TIOCSCTTY, 0) < 0)
        return error_set(error, errno, "controlling terminal");
    return 0;
}

static int landlock_abi(const struct sandbox_policy *policy, struct error *error)
{
    int abi = landlock_running_abi();
    if (abi < 1)
        return error_set(error, 0, "this kernel has no Landlock, or it is switched off");
    if (policy->landlock_abi > 0 && policy->landlock_abi < abi)
        abi = policy->landlock_abi;
    return abi > LANDLOCK_ABI_NEWEST ? LANDLOCK_ABI_NEWEST : abi;
}

/* ---- becoming the command --------------------------------------------------------------- */

static int become_command(const struct helper_options *options,
                          const struct helper_request *request, const struct report *report)
{
    report_started(report, getpid());
    int number = launch_program(request->program, options->argv, request->env);
    report_exec_failed(report, number, request->program ?: options->argv[0]);
    return launch_exit_code(number);
}

static int enter_directory(const struct helper_request *request, struct error *error)
{
    if (chdir(request->cwd) < 0)
        return error_set(error, errno, "working directory %s", request->cwd);
    return 0;
}

/* ---- with a monitor --------------------------------------------------------------------- */

static void report_layers_of(const struct report *report, int abi, unsigned namespaces)
{
    char layers[96];
    if (abi == 0)
        snprintf(layers, sizeof layers, "none");
    else if (namespaces)
        snprintf(layers, sizeof layers, "landlock:%d seccomp user mount ipc%s%s", abi,
                 namespaces & NAMESPACES_PID ? " pid" : "",
                 namespaces & NAMESPACES_NETWORK ? " network" : "");
    else
        snprintf(layers, sizeof layers, "landlock:%d seccomp missing user mount ipc pid network",
                 abi);
    report_layers(report, layers);
}

/* What the command finds at the top of its workspace, and nobody made. */
static void report_placeholders_of(const struct monitor_setup *setup)
{
    cleanup_free char *cwd = realpath(setup->request->cwd, NULL);
    const char *root = cwd ? protect_root_of(setup->protect, cwd) : NULL;
    size_t length = root ? strlen(root) : 0;
    cleanup_strbuf struct strbuf names = STRBUF_INIT;
    unsigned count = 0;
    for (size_t i = 0; root && i < setup->protect->count; i++) {
        const struct protect_item *item = &setup->protect->items[i];
        const char *name = strrchr(item->path, '/');
        if (item->missing == PLACEHOLDER_NONE || (size_t)(name - item->path) != length ||
            strncmp(item->path, root, length) != 0)
            continue;
        count++;
        if (names.length + strlen(name) < STATUS_NAMES_MAX)
            strbuf_addstr(&names, names.length > 0 ? name : name + 1);
    }
    if (count > 0)
        report_placeholders(setup->report, count, strbuf_str(&names));
}

static enum child_session child_session(const struct helper_options *options)
{
    if (options->inherit_session)
        return CHILD_SESSION_INHERIT;
    return options->ctty ? CHILD_SESSION_TERMINAL : CHILD_SESSION_NEW;
}

/* One try with these namespaces; the monitor is the child. */
static void try_namespaces(struct monitor_setup *setup, struct guard *guard,
                           struct guard_result *result)
{
    int ends[2];
    int opened = control_open(ends);
    *result = (struct guard_result){.outcome = GUARD_UNAVAILABLE};
    if (opened == 0 && !(setup->namespaces & NAMESPACES_PID) &&
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
        opened = -errno;
    if (opened == 0) {
        setup->control = ends[1];
        guard->monitor = namespaces_fork(setup->namespaces);
    }
    if (opened < 0 || guard->monitor < 0) {
        result->message.number = opened < 0 ? -opened : -guard->monitor;
        strcpy(result->message.text, "user namespaces");
        return;
    }
    guard->adopts = !(setup->namespaces & NAMESPACES_PID);
    if (guard->monitor == 0) {
        close(ends[0]);
        monitor_run(setup);
    }
    close(ends[1]);
    report_layers_of(setup->report, setup->landlock_abi, setup->namespaces);
    if (setup->namespaces) /* else nothing is mounted over */
        report_placeholders_of(setup);
    guard->control = ends[0];
    guard_run(guard, result);
    close(ends[0]);
}

static int finish(const struct guard_result *result, struct error *error)
{
    switch (result->outcome) {
    case GUARD_ENDED:
        guard_end_like(result->status);
    case GUARD_EXEC_FAILED:
        return launch_exit_code(result->status);
    case GUARD_FAILED:
    case GUARD_UNAVAILABLE:
        break;
    }
    error_set(error, result->message.number, "%s", result->message.text);
    return HELPER_EXIT_FAILED;
}

/* The operator's; a call can give its command another. */
static const char *home_of(const struct helper_request *request)
{
    const char *home = getenv("HOME");
    if (home && home[0] == '/')
        return home;
    for (char **entry = request->env; *entry; entry++)
        if (strncmp(*entry, "HOME=/", 6) == 0)
            return *entry + 5;
    return NULL;
}

/* What was found beneath the roots is closed like what the policy names. */
static int close_found(struct sandbox_policy *policy, const struct protect *protect,
                       struct error *error)
{
    for (size_t i = 0; i < protect->closed_count; i++)
        if (sandbox_policy_add_entry(policy, POLICY_ACCESS_NONE, protect->closed[i], error) < 0)
            return -1;
    return 0;
}

static void try_confined(const struct monitor_setup *common, struct guard *guard,
                         struct guard_result *result, struct error *error)
{
    struct sandbox_policy *policy = common->request->policy;
    struct protect protect = {0};
    struct placeholders placeholders = {0};
    struct monitor_setup setup = *common;
    setup.protect = &protect;
    setup.placeholders = &placeholders;
    setup.namespaces = NAMESPACES_MOUNT | NAMESPACES_PID;
    if (!policy->network)
        setup.namespaces |= NAMESPACES_NETWORK;
    setup.home = home_of(setup.request);
    protect_collect(policy, setup.home, &protect);
    if (close_found(policy, &protect, error) == 0 &&
        protect_hold(&protect, &placeholders, error) == 0)
        try_namespaces(&setup, guard, result);
    placeholders_remove(&placeholders, false);
    protect_free(&protect);
}

/* Was something gone that had just been there? Nothing of the command has run then. */
static bool has_moved(const struct guard_result *result, const struct error *error)
{
    return error->message[0]
               ? error->number == ENOENT
               : result->outcome == GUARD_UNAVAILABLE && result->message.number == ENOENT;
}

/* While others work in the roots, what was found there may be gone before it is covered. */
static void try_confined_again(const struct monitor_setup *setup, struct guard *guard,
                               struct guard_result *result, struct error *error)
{
    enum { TRIES = 10 };
    try_confined(setup, guard, result, error);
    for (int i = 1; i < TRIES && has_moved(result, error); i++) {
        *error = (struct error)ERROR_INIT;
        try_confined(setup, guard, result, error);
    }
}

/* With all that the policy asks for, or with less where it says that less will do. */
static void run_layers(struct monitor_setup *setup, struct guard *guard,
                       struct guard_result *result, struct error *error)
{
    static struct protect nothing;
    static struct placeholders none;
    const struct sandbox_policy *policy = setup->request->policy;
    bool confined = sandbox_policy_is_restricted(policy);
    *result = (struct guard_result){.outcome = GUARD_UNAVAILABLE};
    strcpy(result->message.text, "the policy needs user namespaces, and forbids them");
    if (confined && !policy->no_user_namespaces)
        try_confined_again(setup, guard, result, error);
    if (result->outcome != GUARD_UNAVAILABLE || error->message[0] ||
        (confined && !policy->allow_degraded))
        return;
    setup->protect = &nothing;
    setup->placeholders = &none;
    setup->namespaces = 0;
    try_namespaces(setup, guard, result);
}

/* One is open for each directory that is watched, and for each where something is held: a command
 * could leave as many of them as it takes for no other to start. */
static void raise_descriptors(struct rlimit *before)
{
    getrlimit(RLIMIT_NOFILE, before);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){before->rlim_max, before->rlim_max});
}

/* Both halves of what waits around a command: the monitor's setup and the guard. */
static int run_monitored(const struct helper_options *options, struct helper_request *request,
                         int abi, const struct report *report, struct error *error)
{
    struct monitor_setup setup = {.request = request,
                                  .argv = options->argv,
                                  .session = child_session(options),
                                  .landlock_abi = abi,
                                  .user = geteuid(),
                                  .group = getegid(),
                                  .report = report};
    struct guard guard = {.terminal = options->inherit_session,
                          .report = report,
                          .name = request->program ?: options->argv[0]};
    struct guard_result result;
    if (!options->inherit_session && setsid() < 0 && getsid(0) != getpid()) {
        error_set(error, errno, "new session");
        return HELPER_EXIT_FAILED;
    }
    guard.signals = guard_open_signals(&setup.signals);
    if (guard.signals < 0) {
        error_set(error, -guard.signals, "signals");
        return HELPER_EXIT_FAILED;
    }
    raise_descriptors(&setup.descriptors);
    run_layers(&setup, &guard, &result, error);
    return error->message[0] ? HELPER_EXIT_FAILED : finish(&result, error);
}

static int run_confined(const struct helper_options *options, struct helper_request *request,
                        const struct report *report, struct error *error)
{
    int abi = landlock_abi(request->policy, error);
    return abi < 0 ? HELPER_EXIT_FAILED : run_monitored(options, request, abi, report, error);
}

/* Without anybody who watches, and in the caller's own terminal, it stands in for the command. */
static int run_unconfined(const struct helper_options *options, struct helper_request *request,
                          const struct report *report, struct error *error)
{
    if (report->socket >= 0 && !options->inherit_session)
        return run_monitored(options, request, 0, report, error);
    if (enter_session(options, error) < 0 || enter_directory(request, error) < 0)
        return HELPER_EXIT_FAILED;
    return become_command(options, request, report);
}

/* ---- both ------------------------------------------------------------------------------- */

static int run(const struct helper_options *options, struct helper_request *request,
               const struct report *report, struct error *error)
{
    if (!sandbox_policy_is_restricted(request->policy))
        return run_unconfined(options, request, report, error);
    return run_confined(options, request, report, error);
}

/* A standard stream that the caller closed would else be taken by something of ours. */
static void fill_streams(void)
{
    for (int fd = open("/dev/null", O_RDWR); fd >= 0; fd = dup(fd))
        if (fd > STDERR_FILENO) {
            close(fd);
            return;
        }
}

int helper_run(const struct helper_options *options, const char *request, size_t size,
               struct error *error)
{
    struct report report = {.socket = options->status};
    int code = HELPER_EXIT_FAILED;
    fill_streams();
    struct helper_request *parsed = request ? request_parse(request, size, error) : NULL;
    if (parsed)
        code = run(options, parsed, &report, error);
    if (code == HELPER_EXIT_FAILED && error->message[0])
        report_failed(&report, error->number, error->message);
    request_free(&parsed);
    return code;
}
