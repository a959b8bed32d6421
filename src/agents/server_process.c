/* SPDX-License-Identifier: MIT */
/* server_process: the sessions of agents whose clients live for one question only (hooks). What
 * holds them together is the agent's process, as the kernel shows it; they end with it. */
#include "config.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agents/server-int.h"
#include "base/alloc.h"
#include "base/fd.h"

struct process_session {
    struct server *server;
    pid_t pid;
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

static void process_ended(int pidfd, unsigned events, void *argument)
{
    struct process_session *process = argument;
    struct orchestrator *orchestrator = process->server->orchestrator;
    struct session *session = process->session;
    (void)pidfd;
    (void)events;
    free_process(process);
    orchestrator_close_session(orchestrator, session);
}

struct session *server_process_session(struct server *server, const char *name,
                                       const struct peer_identity *peer, struct error *error)
{
    struct process_session *process;
    LIST_FOREACH(process, &server->processes, entry)
    {
        if (process->pid == peer->agent)
            return process->session;
    }
    int pidfd = (int)syscall(SYS_pidfd_open, peer->agent, 0);
    if (pidfd < 0) {
        error_set(error, 0, "the agent has gone already");
        return NULL;
    }
    process = XNEW(struct process_session);
    process->server = server;
    process->pid = peer->agent;
    process->pidfd = pidfd;
    process->end = loop_io_new(server->loop, pidfd, process_ended, process);
    loop_io_set(process->end, LOOP_READ);
    process->session = orchestrator_open_session(server->orchestrator, SESSION_CLIENT, name,
                                                 peer->agent, peer->exe, server->context);
    LIST_INSERT_HEAD(&server->processes, process, entry);
    return process->session;
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
