/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/child.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/helper.h"
#include "sandbox/launch.h"

#define STACK_SIZE ((size_t)256 * 1024)

/* Lives in the memory that parent and child share until the program is executed. */
struct start {
    const struct child_setup *setup;
    struct child *child;
    struct error *error;
    bool confined;
};

static int enter_session(enum child_session session, struct error *error)
{
    switch (session) {
    case CHILD_SESSION_INHERIT:
        return 0;
    case CHILD_SESSION_NEW:
        return setsid() < 0 ? error_set(error, errno, "new session") : 0;
    case CHILD_SESSION_TERMINAL:
        break;
    }
    if (setpgid(0, 0) < 0 || tcsetpgrp(STDIN_FILENO, getpid()) < 0)
        return error_set(error, errno, "foreground process group");
    return 0;
}

static int place_streams(const int streams[3], struct error *error)
{
    for (int fd = 0; fd < 3; fd++)
        if (streams[fd] != fd && dup2(streams[fd], fd) < 0)
            return error_set(error, errno, "descriptor %d", fd);
    return 0;
}

static int prepare(struct start *start)
{
    const struct child_setup *setup = start->setup;
    struct error *error = start->error;
    if (place_streams(setup->streams, error) < 0 || enter_session(setup->session, error) < 0)
        return -1;
    if (chdir(setup->request->cwd) < 0)
        return error_set(error, errno, "working directory %s", setup->request->cwd);
    if (setup->die_with_parent && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
        return error_set(error, errno, "death signal");
    if (!setup->confinement.policy)
        return 0;
    int listener = confine_self(&setup->confinement, error);
    if (listener < 0)
        return -1;
    start->child->listener = listener > 0 ? listener : -1;
    return 0;
}

static int run(void *argument)
{
    struct start *start = argument;
    const struct child_setup *setup = start->setup;
    if (prepare(start) < 0)
        _exit(HELPER_EXIT_FAILED);
    start->confined = true;
    setrlimit(RLIMIT_NOFILE, &setup->descriptors);
    sigprocmask(SIG_SETMASK, &setup->signals, NULL);
    int number = launch_program(setup->request->program, setup->argv, setup->request->env);
    start->child->exec_errno = number;
    _exit(launch_exit_code(number));
}

int child_start(const struct child_setup *setup, struct child *child, struct error *error)
{
    struct start start = {.setup = setup, .child = child, .error = error};
    *child = (struct child){.listener = -1};
    char *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED)
        return error_set(error, errno, "memory for a stack");
    /* As vfork, but with the descriptors shared too: the listener then is here without passing. */
    pid_t pid =
        clone(run, stack + STACK_SIZE, CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, &start);
    int number = errno;
    munmap(stack, STACK_SIZE);
    if (pid < 0)
        return error_set(error, number, "starting a process");
    if (start.confined && child->exec_errno == 0) {
        child->pid = pid;
        return 0;
    }
    waitpid(pid, NULL, 0);
    return start.confined ? 0 : -1;
}
