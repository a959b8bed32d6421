/* SPDX-License-Identifier: MIT */
/*
 * helper: the program assent-sandbox (helper.h says how it is started). Applies the policy that it
 * is handed and becomes the command; fails closed at each step.
 */
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
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "sandbox/confine.h"
#include "sandbox/filter.h"
#include "sandbox/landlock.h"
#include "sandbox/launch.h"
#include "sandbox/report.h"
#include "sandbox/request.h"

struct options {
    bool ctty;
    bool inherit_session;
    char **argv; /* of the command */
};

static int parse_options(int argc, char **argv, struct options *options, struct error *error)
{
    *options = (struct options){0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            options->argv = argv + i + 1;
            break;
        }
        if (strcmp(argv[i], "--ctty") == 0)
            options->ctty = true;
        else if (strcmp(argv[i], "--inherit-session") == 0)
            options->inherit_session = true;
        else
            return error_set(error, 0, "unknown option %s", argv[i]);
    }
    if (!options->argv || !options->argv[0])
        return error_set(error, 0, "no command: this program is started by Assent");
    return 0;
}

/* Reads the request to its end: a memfd, a pipe or a file. */
static struct helper_request *read_request(struct error *error)
{
    size_t size = 0, capacity = 64 * 1024;
    cleanup_free char *bytes = xmalloc(capacity);
    for (;;) {
        ssize_t got = read(HELPER_REQUEST_FD, bytes + size, capacity - size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            error_set(error, errno, "reading the request on descriptor %d", HELPER_REQUEST_FD);
            return NULL;
        }
        if (got == 0)
            break;
        size += (size_t)got;
        if (size == capacity)
            bytes = xreallocarray(bytes, capacity *= 2, 1);
        if (size > REQUEST_SIZE_MAX)
            break;
    }
    return request_parse(bytes, size, error);
}

/* The status socket when there is one, else -1. Closes everything that is not handed over. */
static int take_descriptors(void)
{
    int type;
    socklen_t size = sizeof type;
    bool status = getsockopt(HELPER_STATUS_FD, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
                  type == SOCK_SEQPACKET;
    close(HELPER_REQUEST_FD);
    close_range(status ? HELPER_STATUS_FD + 1 : HELPER_STATUS_FD, ~0u, 0);
    if (status)
        fd_set_cloexec(HELPER_STATUS_FD, true);
    return status ? HELPER_STATUS_FD : -1;
}

static int enter_session(const struct options *options, struct error *error)
{
    if (options->inherit_session)
        return 0;
    if (setsid() < 0 && getsid(0) != getpid())
        return error_set(error, errno, "new session");
    if (options->ctty && ioctl(STDIN_FILENO, TIOCSCTTY, 0) < 0)
        return error_set(error, errno, "controlling terminal");
    return 0;
}

static unsigned filter_flags(const struct sandbox_policy *policy, int abi)
{
    unsigned flags = FILTER_NO_TRACE;
    bool writable = policy->tmp != POLICY_TMP_NONE;
    for (size_t i = 0; i < policy->entry_count; i++)
        writable |= policy->entries[i].access == POLICY_ACCESS_WRITE;
    if (!policy->network)
        flags |= FILTER_NO_INET;
    if (!writable)
        flags |= FILTER_NO_METADATA;
    if (!landlock_abi_truncates(abi))
        flags |= FILTER_NO_TRUNCATE;
    return flags;
}

static int confine(const struct sandbox_policy *policy, const struct report *report,
                   struct error *error)
{
    char layers[64];
    int abi = landlock_running_abi();
    if (abi < 1)
        return error_set(error, 0, "this kernel has no Landlock, or it is switched off");
    if (policy->landlock_abi > 0 && policy->landlock_abi < abi)
        abi = policy->landlock_abi;
    if (abi > LANDLOCK_ABI_NEWEST)
        abi = LANDLOCK_ABI_NEWEST;
    struct confinement confinement = {
        .policy = policy, .landlock_abi = abi, .filter = filter_flags(policy, abi)};
    snprintf(layers, sizeof layers, "landlock:%d seccomp", abi);
    report_layers(report, layers);
    return confine_self(&confinement, error) < 0 ? -1 : 0;
}

/* Everything up to the command; returns the exit code when that is not reached. */
static int run(const struct options *options, struct helper_request *request,
               const struct report *report, struct error *error)
{
    if (enter_session(options, error) < 0)
        return HELPER_EXIT_FAILED;
    if (chdir(request->cwd) < 0) {
        error_set(error, errno, "working directory %s", request->cwd);
        return HELPER_EXIT_FAILED;
    }
    if (!sandbox_policy_is_restricted(request->policy))
        report_layers(report, "none");
    else if (confine(request->policy, report, error) < 0)
        return HELPER_EXIT_FAILED;
    report_started(report, getpid());
    int number = launch_program(request->program, options->argv, request->env);
    report_exec_failed(report, number, request->program ?: options->argv[0]);
    return launch_exit_code(number);
}

int main(int argc, char **argv)
{
    struct options options;
    struct error error = ERROR_INIT;
    struct report report = {.socket = -1};
    struct helper_request *request = NULL;
    int code = HELPER_EXIT_FAILED;
    if (parse_options(argc, argv, &options, &error) == 0)
        request = read_request(&error);
    report.socket = take_descriptors();
    if (request)
        code = run(&options, request, &report, &error);
    if (code == HELPER_EXIT_FAILED)
        report_failed(&report, error.number, error.message);
    request_free(&request);
    return code;
}
