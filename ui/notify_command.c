/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/notify_command.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "run/child.h"

#define FREE_WAIT_MS 1000 /* a killed one is gone sooner */

extern char **environ;

struct notify_command {
    struct loop *loop;
    const char *line;
    struct loop_timer *timer;
    struct child *child; /* NULL: none runs */
    pid_t pid;           /* its session's, too */
    const char *next;    /* event that came meanwhile, the newest; NULL: none */
    size_t next_waiting;
};

static void kill_all(const struct notify_command *command)
{
    kill(-command->pid, SIGKILL);
}

static void too_long(void *argument)
{
    struct notify_command *command = argument;

    log_warning("ui", "notify_command took too long, and was killed");
    kill_all(command);
}

static void ended(void *argument, int status)
{
    struct notify_command *command = argument;

    if (status != 0)
        log_warning("ui", "notify_command ended with wait status %d", status);
    loop_timer_stop(command->timer);
    child_free(&command->child);
    if (command->next != NULL)
        notify_command_run(command, steal_pointer(&command->next), command->next_waiting);
}

struct notify_command *notify_command_new(struct loop *loop, const char *line)
{
    struct notify_command *command = XNEW(struct notify_command);

    command->loop = loop;
    command->line = line;
    command->timer = loop_timer_new(loop, too_long, command);
    return command;
}

void notify_command_free(struct notify_command **place)
{
    struct notify_command *command = *place;

    if (command == NULL)
        return;
    if (command->child != NULL) {
        kill_all(command);
        child_wait(command->child, FREE_WAIT_MS);
        child_free(&command->child);
    }
    loop_timer_free(&command->timer);
    free(command);
    *place = NULL;
}

/* Ours with the two; no variable of Assent's own that lets a client in is among them. */
static char **environment_with(const char *event, size_t waiting)
{
    size_t count = strv_length((const char *const *)environ), kept = 0;
    char **environment = xcalloc(count + 3, sizeof(*environment));

    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "ASSENT_", strlen("ASSENT_")) != 0)
            environment[kept++] = xstrdup(environ[i]);
    environment[kept++] = xasprintf("ASSENT_EVENT=%s", event);
    environment[kept] = xasprintf("ASSENT_WAITING=%zu", waiting);
    return environment;
}

/* In a session of its own, without the terminal. */
static int start(const struct notify_command *command, char *const *environment, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    char *const argv[] = {(char *)"sh", (char *)"-c", (char *)command->line, NULL};
    int result;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    result = posix_spawn(pid, "/bin/sh", &actions, &attributes, argv, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return result;
}

void notify_command_run(struct notify_command *command, const char *event, size_t waiting)
{
    cleanup_strv char **environment = NULL;
    int number;

    if (command->child != NULL) {
        command->next = event;
        command->next_waiting = waiting;
        return;
    }
    environment = environment_with(event, waiting);
    number = start(command, environment, &command->pid);
    if (number != 0) {
        log_warning("ui", "notify_command could not be started: %s", strerror(number));
        return;
    }
    command->child = child_new(command->loop, command->pid, ended, command);
    loop_timer_start(command->timer, NOTIFY_COMMAND_MS);
}
