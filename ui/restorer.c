/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/restorer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"

/* Through the socket: it holds nothing else any more; and the other way, the terminal is in order.
 */
#define READY "."
#define DONE "."

#ifdef __linux__
#include <sys/prctl.h>
#define NAME_IT() prctl(PR_SET_NAME, "assent-restorer")
#else
#define NAME_IT() ((void)0)
#endif

/* Nothing but the terminal (0, 1) and the socket (2): what the console has open must end with it.
 */
static void keep_only(int input, int output, int console)
{
    int in = fcntl(input, F_DUPFD, 3), out = fcntl(output, F_DUPFD, 3),
        end = fcntl(console, F_DUPFD, 3);
    dup2(in, 0);
    dup2(out, 1);
    dup2(end, 2);
    fd_close_from(3);
}

/* Between fork() and _exit() in a program that may have threads: nothing here allocates or locks.
 */
static void keep(const struct restorer_terminal *terminal, int console)
{
    char byte;
    ssize_t got;
    setsid(); /* signals of the terminal are not for it, and it may write there at any time */
    NAME_IT();
    for (int number = 1; number < NSIG; number++)
        signal(number, number == SIGTERM ? SIG_DFL : SIG_IGN);
    keep_only(terminal->input, terminal->output, console);
    got = write(2, READY, 1);
    while ((got = read(2, &byte, 1)) < 0 && errno == EINTR)
        continue;
    if (got == 0 && write(1, terminal->restore, terminal->restore_length) >= 0 &&
        terminal->modes != NULL)
        tcsetattr(0, TCSANOW, terminal->modes);
    _exit(0);
}

void restorer_start(struct restorer *restorer, const struct restorer_terminal *terminal)
{
    int ends[2];
    *restorer = (struct restorer){.socket = -1};
    char byte;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    pid_t pid = fork();
    if (pid == 0)
        keep(terminal, ends[0]);
    close(ends[0]);
    if (pid < 0) {
        fd_close(&ends[1]);
        return;
    }
    while (read(ends[1], &byte, 1) < 0 && errno == EINTR)
        continue;
    *restorer = (struct restorer){.pid = pid, .socket = ends[1]};
}

bool restorer_runs(struct restorer *restorer)
{
    if (restorer->pid == 0)
        return false;
    if (waitpid(restorer->pid, NULL, WNOHANG) == 0)
        return true;
    fd_close(&restorer->socket);
    restorer->pid = 0;
    return false;
}

void restorer_stop(struct restorer *restorer)
{
    if (restorer->pid == 0)
        return;
    ssize_t told = send(restorer->socket, DONE, 1, MSG_NOSIGNAL);
    (void)told; /* it is gone already then */
    fd_close(&restorer->socket);
    while (waitpid(restorer->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    restorer->pid = 0;
}
