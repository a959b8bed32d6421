/* SPDX-License-Identifier: MIT */
/* probe_ipc: System V and POSIX objects. */
#include "config.h"

#include "probe.h"

#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

static int do_shm_make(char **a)
{
    return shmget(probe_number(a[0]), 4096, IPC_CREAT | 0666);
}

static int do_shm_attach(char **a)
{
    int id = shmget(probe_number(a[0]), 0, 0);
    return id < 0 || shmat(id, NULL, 0) == (void *)-1 ? -1 : 0;
}

static int do_msg_make(char **a)
{
    return msgget(probe_number(a[0]), IPC_CREAT | 0666);
}

static int do_msg_get(char **a)
{
    return msgget(probe_number(a[0]), 0);
}

static int do_sem_make(char **a)
{
    return semget(probe_number(a[0]), 1, IPC_CREAT | 0666);
}

static int do_sem_get(char **a)
{
    return semget(probe_number(a[0]), 0, 0);
}

static int do_mq_make(char **a)
{
    return (int)mq_open(a[0], O_CREAT | O_RDWR, 0666, NULL);
}

static int do_mq_get(char **a)
{
    return (int)mq_open(a[0], O_RDWR);
}

static int do_mq_remove(char **a)
{
    return mq_unlink(a[0]);
}

static int do_sem_open(char **a)
{
    sem_t *semaphore = sem_open(a[0], O_CREAT, 0600, 1);
    if (semaphore == SEM_FAILED || sem_wait(semaphore) < 0)
        return -1;
    return sem_unlink(a[0]);
}

static int do_shm_open(char **a)
{
    int fd = shm_open(a[0], O_CREAT | O_RDWR, 0600);
    return fd < 0 || ftruncate(fd, 4096) < 0 ? -1 : shm_unlink(a[0]);
}

static int do_shm_open_existing(char **a)
{
    return shm_open(a[0], O_RDWR, 0);
}

static int do_memfd_exec(char **a)
{
    int fd = memfd_create("x", 0), source = open("/bin/true", O_RDONLY);
    char buffer[65536];
    (void)a;
    for (ssize_t got; (got = read(source, buffer, sizeof buffer)) > 0;)
        if (write(fd, buffer, (size_t)got) != got)
            return -1;
    pid_t child = fork();
    if (child == 0) {
        char *const argv[] = {(char *)"true", NULL};
        fexecve(fd, argv, environ);
        _exit(1);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

const struct operation PROBE_IPC[] = {
    {"shm-make", do_shm_make, 1},     {"shm-attach", do_shm_attach, 1},
    {"msg-make", do_msg_make, 1},     {"msg-get", do_msg_get, 1},
    {"sem-make", do_sem_make, 1},     {"sem-get", do_sem_get, 1},
    {"mq-make", do_mq_make, 1},       {"mq-get", do_mq_get, 1},
    {"mq-remove", do_mq_remove, 1},   {"sem-open", do_sem_open, 1},
    {"shm-open", do_shm_open, 1},     {"shm-open-existing", do_shm_open_existing, 1},
    {"memfd-exec", do_memfd_exec, 0}, {NULL, NULL, 0},
};
