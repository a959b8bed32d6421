/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/probe.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/landlock.h"
#include "sandbox/mounts.h"
#include "sandbox/namespaces.h"

#if defined __linux__

/* In the child: everything that the helper needs of its namespaces. */
static int try_namespaces(uid_t user, gid_t group)
{
    struct error error = ERROR_INIT;
    if (namespaces_map_user(user, group, &error) < 0 || mounts_close_all() < 0 ||
        mounts_new_tmpfs("/tmp", "mode=700") < 0 || namespaces_raise_loopback(&error) < 0)
        return 1;
    return 0;
}

static bool probe_namespaces(void)
{
    uid_t user = geteuid();
    gid_t group = getegid();
    pid_t child = namespaces_fork(NAMESPACES_MOUNT | NAMESPACES_PID | NAMESPACES_NETWORK);
    if (child == 0)
        _exit(try_namespaces(user, group));
    if (child < 0)
        return false;
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void probe_capability(struct sandbox_capability *capability)
{
    *capability = (struct sandbox_capability){
        .platform = select_platform(),
        .landlock_abi = landlock_running_abi(),
        .seccomp = prctl(PR_GET_SECCOMP) >= 0,
        .user_namespaces = probe_namespaces(),
    };
}

#else

void probe_capability(struct sandbox_capability *capability)
{
    *capability = (struct sandbox_capability){
        .platform = select_platform(),
        .seatbelt = access("/usr/bin/sandbox-exec", X_OK) == 0,
    };
}

#endif
