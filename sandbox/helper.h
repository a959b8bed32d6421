/* SPDX-License-Identifier: MIT */
/*
 * helper: how to start `assent-sandbox`, the program that starts every command.
 *
 *     assent-sandbox [--ctty | --inherit-session] -- PROGRAM [ARGUMENT…]
 *
 *   0 1 2  the command's own standard streams
 *   3      HELPER_REQUEST_FD: the request, see request.h (policy, environment, working directory).
 *          A memfd, pipe or file, read to its end. exec_request.request holds the bytes.
 *   4      HELPER_STATUS_FD: status socket, SOCK_SEQPACKET, see status.h. May be left out.
 *   others are closed.
 *
 * What the caller does: make the request descriptor (memfd_create, write, seek to 0) and the
 * socket pair, posix_spawn exec_request.program with exec_request.argv and program_env, putting
 * the descriptors on 3 and 4 by file actions. All signals at their defaults and unblocked
 * (POSIX_SPAWN_SETSIGDEF, SETSIGMASK). Nothing else: the helper changes directory, session and
 * terminal itself.
 *
 *   --ctty             new session, descriptor 0 becomes its controlling terminal, the command its
 *                      foreground process group
 *   --inherit-session  stay in the caller's session and process group (a front end in a terminal
 *                      that is already there)
 *   neither            new session without a terminal
 *
 * Ending it: the pid that was spawned is the one to wait for and to signal. Unless
 * --inherit-session was given it leads a process group. SIGTERM, SIGINT, SIGHUP, SIGQUIT to it
 * reach the command's whole process tree; without a status socket, what is still there
 * HELPER_GRACE_MS after the first of them is killed. SIGKILL to it ends the tree at once. SIGTSTP
 * stops the tree, SIGCONT continues it. When the other end of the status socket is closed, the tree
 * is killed at once: this is how the console ends it by force, and what happens when the console
 * itself dies. The pid that was spawned ends when no process of the tree is left. It ends with the
 * command's exit code, or by the command's signal.
 *
 * Exit codes of its own: HELPER_EXIT_FAILED when a step of the confinement failed (nothing of the
 * command has run then), 126 and 127 as in a shell; the reason is on the status socket, or on
 * standard error when there is none.
 */
#ifndef ASSENT_SANDBOX_HELPER_H
#define ASSENT_SANDBOX_HELPER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define HELPER_PROGRAM "assent-sandbox"
#define HELPER_REQUEST_FD 3
#define HELPER_STATUS_FD 4

#define HELPER_EXIT_FAILED 125
#define HELPER_EXIT_NOT_EXECUTABLE 126
#define HELPER_EXIT_NOT_FOUND 127

#define HELPER_GRACE_MS 2000

struct helper_options {
    bool ctty, inherit_session; /* as above */
    int status;                 /* the status socket, or -1 */
    char **argv;                /* of the command */
};

/* What the program does once it has read its request, in the calling process: for a front end that
 * has nothing else left to do. Descriptors that are not the command's must be closed or
 * close-on-exec. Without a request, because `error` says why there is none, only reports that.
 * Returns the exit code; or ends the process, as the command did, or by becoming it. */
int helper_run(const struct helper_options *options, const char *request, size_t size,
               struct error *error);

#endif
