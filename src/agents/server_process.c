/* SPDX-License-Identifier: MIT */
/* server_process: the sessions of agents whose clients live for one question only: hooks, and plain
 * `assent exec`. What holds them together is a process that they all come from, as the kernel shows
 * it; they end with it. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agents/server-int.h"
#include "base/alloc.h"
#include "base/fd.h"

struct process_session {
    struct server *server;
    pid_t pid; /* 0: it has ended, and only clients that it left behind are still there */
    int pidfd; /* stands for the process: its number may come to mean another one */
    struct loop_io *end;
    struct session *session;
    LIST_ENTRY(process_session) entry;
};

static void free_process(struct process_session *process)
{
    LIST_REMOVE(process, entry);
    loop_io_free(&process->end);
    fd_close(&process->pidfd);
    free(process);
}

static void close_process(struct process_session *process)
{
    struct orchestrator *orchestrator = process->server->orchestrator;
    struct session *session = process->session;
    free_process(process);
    orchestrator_close_session(orchestrator, session);
}

static bool is_used(const struct server *server, const struct session *session)
{
    const struct connection *connection;
    TAILQ_FOREACH(connection, &server->connections, entry)
    {
        if (connection->session == session)
            return true;
    }
    return false;
}

/* An agent's questions end with it; what a script has left running in the background does not. */
static void process_ended(int pidfd, unsigned events, void *argument)
{
    struct process_session *process = argument;
    (void)pidfd;
    (void)events;
    process->pid = 0;
    loop_io_free(&process->end);
    if (process->session->origin != SESSION_DEFAULT || !is_used(process->server, process->session))
        close_process(process);
}

void server_process_left(struct server *server, const struct session *session)
{
    struct process_session *process;
    LIST_FOREACH(process, &server->processes, entry)
    {
        if (process->session != session)
            continue;
        if (process->pid == 0 && !is_used(server, session))
            close_process(process);
        return;
    }
}

/* The loop tells of its end in a while; its number may mean another process by then. */
static bool has_ended(const struct process_session *process)
{
    return fd_is_ready(process->pidfd, POLLIN);
}

/* The session of that origin that hangs on the process; NULL with a message, ESRCH when the process
 * has gone. */
static struct session *session_of(struct server *server, enum session_origin origin,
                                  const char *name, pid_t pid, const char *exe, struct error *error)
{
    struct process_session *process, *next;
    for (process = LIST_FIRST(&server->processes); process != NULL; process = next) {
        next = LIST_NEXT(process, entry);
        if (process->pid != pid || process->session->origin != origin)
            continue;
        if (!has_ended(process))
            return process->session;
        process_ended(process->pidfd, LOOP_READ, process);
    }
    int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (pidfd < 0) {
        if (errno == ESRCH)
            error_set(error, ESRCH, "the agent has gone already");
        else
            error_errno(error, errno, "cannot watch for the end of process %d", (int)pid);
        return NULL;
    }
    process = XNEW(struct process_session);
    process->server = server;
    process->pid = pid;
    process->pidfd = pidfd;
    process->end = loop_io_new(server->loop, pidfd, process_ended, process);
    loop_io_set(process->end, LOOP_READ);
    process->session =
        orchestrator_open_session(server->orchestrator, origin, name, pid, exe, server->context);
    LIST_INSERT_HEAD(&server->processes, process, entry);
    return process->session;
}

struct session *server_process_session(struct server *server, const char *name,
                                       const struct peer_identity *peer, struct error *error)
{
    return session_of(server, SESSION_CLIENT, name, peer->agent, peer->exe, error);
}

struct session *server_job_session(struct server *server, const struct peer_identity *peer,
                                   struct error *error)
{
    const char *slash = peer->job_exe != NULL ? strrchr(peer->job_exe, '/') : NULL;
    return session_of(server, SESSION_DEFAULT, slash != NULL ? slash + 1 : "program", peer->job,
                      peer->job_exe, error);
}

struct session *server_program_session(struct server *server, pid_t program, const char *name)
{
    cleanup_free char *exe = peer_executable(program);
    return session_of(server, SESSION_DEFAULT, name, program, exe, NULL);
}

void server_process_forget(struct server *server, const struct session *session)
{
    struct process_session *process, *next;
    for (process = LIST_FIRST(&server->processes); process != NULL; process = next) {
        next = LIST_NEXT(process, entry);
        if (session == NULL || process->session == session)
            free_process(process);
    }
}
