/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/drive/agent_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "run/child.h"

#define WORDS_MAX ((size_t)2048)
/* With the end of its input an agent should end; some need telling, some need more. */
#define END_MS 500
#define TERM_MS 1500
#define KILL_MS 1000

struct agent_process {
    pid_t pid;
    struct child *child;
    struct loop_io *errors;
    int error_fd;
    struct strbuf words;
    bool over; /* it was reaped */
    void (*ended)(void *argument, const char *how);
    void *argument;
};

/* ---- the child's side ---------------------------------------------------------------------- */

static void become(char *const *argv, const int fds[3], int report)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    for (int number = 0; number < 3; number++)
        if (dup2(fds[number], number) < 0)
            _exit(127);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    execvp(argv[0], argv);
    int number = errno;
    (void)!write(report, &number, sizeof(number));
    _exit(127);
}

/* ---- our side ------------------------------------------------------------------------------ */

const char *agent_process_last_words(const struct agent_process *process)
{
    return strbuf_str(&process->words);
}

static void listen_to_errors(int fd, unsigned events, void *argument)
{
    struct agent_process *process = argument;
    char bytes[4096];
    ssize_t count = read(fd, bytes, sizeof(bytes));
    (void)events;
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0) {
        loop_io_free(&process->errors);
        return;
    }
    strbuf_add(&process->words, bytes, (size_t)count);
    if (process->words.length > WORDS_MAX)
        strbuf_consume(&process->words, process->words.length - WORDS_MAX);
}

static void on_ended(void *argument, int status)
{
    struct agent_process *process = argument;
    process->over = true;
    /* What it wrote last is worth more than that it has ended. */
    if (process->errors != NULL)
        listen_to_errors(process->error_fd, LOOP_READ, process);
    cleanup_free char *how = WIFSIGNALED(status)
                                 ? xasprintf("the agent was ended by signal %d", WTERMSIG(status))
                                 : xasprintf("the agent has ended with status %d",
                                             WIFEXITED(status) ? WEXITSTATUS(status) : status);
    process->ended(process->argument, how);
}

/* 0, or the errno value with which exec failed. */
static int wait_for_exec(int report)
{
    int number = 0;
    ssize_t count;
    do
        count = read(report, &number, sizeof(number));
    while (count < 0 && errno == EINTR);
    return count == sizeof(number) ? number : 0;
}

static int start(char *const *argv, int pipes[3][2], pid_t *pid)
{
    int report[2];
    if (pipe2(report, O_CLOEXEC) < 0)
        return errno;
    const int theirs[3] = {pipes[0][0], pipes[1][1], pipes[2][1]};
    *pid = fork();
    if (*pid == 0)
        become(argv, theirs, report[1]);
    int number = *pid < 0 ? errno : 0;
    fd_close(&report[1]);
    if (*pid > 0) {
        setpgid(*pid, *pid);
        number = wait_for_exec(report[0]);
        if (number != 0)
            waitpid(*pid, NULL, 0);
    }
    fd_close(&report[0]);
    return number;
}

static int start_piped(char *const *argv, int ours[3], pid_t *pid)
{
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    int number = 0;
    for (int i = 0; i < 3 && number == 0; i++)
        number = pipe2(pipes[i], O_CLOEXEC) < 0 ? errno : 0;
    if (number == 0)
        number = start(argv, pipes, pid);
    for (int i = 0; i < 3; i++) {
        int mine = i == 0 ? 1 : 0;
        fd_close(&pipes[i][1 - mine]);
        if (number != 0)
            fd_close(&pipes[i][mine]);
        ours[i] = pipes[i][mine];
    }
    return number;
}

struct agent_process *agent_process_start(struct loop *loop, char *const *argv, int *from_agent,
                                          int *to_agent,
                                          void (*ended)(void *argument, const char *how),
                                          void *argument, struct error *error)
{
    int ours[3];
    pid_t pid = -1;
    int number = start_piped(argv, ours, &pid);
    if (number != 0) {
        error_errno(error, number, "cannot start %s", argv[0]);
        return NULL;
    }
    struct agent_process *process = XNEW(struct agent_process);
    process->pid = pid;
    process->ended = ended;
    process->argument = argument;
    process->error_fd = ours[2];
    (void)fd_set_nonblock(ours[2], true);
    process->errors = loop_io_new(loop, ours[2], listen_to_errors, process);
    loop_io_set(process->errors, LOOP_READ);
    process->child = child_new(loop, pid, on_ended, process);
    *to_agent = ours[0];
    *from_agent = ours[1];
    return process;
}

void agent_process_free(struct agent_process **place)
{
    struct agent_process *process = *place;
    if (process == NULL)
        return;
    if (!process->over && !child_wait(process->child, END_MS)) {
        kill(-process->pid, SIGTERM);
        if (!child_wait(process->child, TERM_MS)) {
            kill(-process->pid, SIGKILL);
            (void)child_wait(process->child, KILL_MS);
        }
    }
    /* Those that it left behind; the number is theirs as long as one of them lives. */
    kill(-process->pid, SIGKILL);
    child_free(&process->child);
    loop_io_free(&process->errors);
    fd_close(&process->error_fd);
    strbuf_free(&process->words);
    free(process);
    *place = NULL;
}
