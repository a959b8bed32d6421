/* SPDX-License-Identifier: MIT */
/* probe_process: processes, and terminals. */
#include "config.h"

#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int do_kill(char **a)
{
    return kill((pid_t)probe_number(a[0]), probe_number(a[1]));
}

static int do_pidfd_signal(char **a)
{
    int fd = (int)syscall(SYS_pidfd_open, probe_number(a[0]), 0);
    return fd < 0 ? -1 : (int)syscall(SYS_pidfd_send_signal, fd, probe_number(a[1]), NULL, 0);
}

static int do_ptrace(char **a)
{
    return (int)ptrace(PTRACE_SEIZE, probe_number(a[0]), NULL, NULL);
}

static int do_ptrace_child(char **a)
{
    (void)a;
    pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0) /* else nobody would see it stop */
            raise(SIGSTOP);
        _exit(0);
    }
    int status;
    return waitpid(child, &status, 0) == child && WIFSTOPPED(status) ? 0 : -1;
}

static int do_vm_read(char **a)
{
    char local[8];
    FILE *maps = NULL;
    unsigned long start = 0;
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/maps", a[0]);
    maps = fopen(path, "r");
    if (!maps || fscanf(maps, "%lx", &start) != 1)
        return -1;
    struct iovec here = {local, sizeof local}, there = {(void *)start, sizeof local};
    return (int)process_vm_readv(probe_number(a[0]), &here, 1, &there, 1, 0);
}

static int do_proc_read(char **a)
{
    char path[128], byte;
    snprintf(path, sizeof path, "/proc/%s/%s", a[0], a[1]);
    int fd = open(path, O_RDONLY);
    return fd < 0 ? -1 : read(fd, &byte, 1) == 1 ? 0 : -1;
}

static int do_proc_link(char **a)
{
    char path[128], target[PATH_MAX];
    snprintf(path, sizeof path, "/proc/%s/%s", a[0], a[1]);
    return (int)readlink(path, target, sizeof target);
}

static int do_pidfd_getfd(char **a)
{
    int fd = (int)syscall(SYS_pidfd_open, probe_number(a[0]), 0);
    return fd < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, fd, 0, 0);
}

static int do_prlimit(char **a)
{
    struct rlimit limit = {12345, 12345};
    return prlimit(probe_number(a[0]), RLIMIT_CORE, &limit, NULL);
}

static int do_nice(char **a)
{
    id_t process = (id_t)probe_number(a[0]);
    return setpriority(PRIO_PROCESS, process, getpriority(PRIO_PROCESS, process) + 1);
}

static int do_affinity(char **a)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    return sched_setaffinity(probe_number(a[0]), sizeof set, &set);
}

static int do_scheduler(char **a)
{
    struct sched_param parameter = {0};
    return sched_setscheduler(probe_number(a[0]), SCHED_BATCH, &parameter);
}

static int do_setsid_sleep(char **a)
{
    if (fork() > 0)
        return 0;
    setsid();
    if (fork() > 0)
        _exit(0);
    for (int fd = 0; fd < 64; fd++)
        close(fd);
    prctl(PR_SET_NAME, a[0]);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    for (;;)
        pause();
}

static int do_tiocsti(char **a)
{
    int fd = open(a[0], O_RDWR | O_NOCTTY);
    char byte = '#';
    return fd < 0 ? -1 : ioctl(fd, TIOCSTI, &byte);
}

static int do_ioctl(char **a)
{
    char buffer[256] = {0};
    return ioctl(probe_number(a[0]), (unsigned long)strtoul(a[1], NULL, 0), buffer);
}

/* Is the request itself refused, whatever the descriptor is? */
static int do_ioctl_filtered(char **a)
{
    char buffer[256] = {0};
    int result = ioctl(open("/dev/null", O_RDWR), (unsigned long)strtoul(a[0], NULL, 0), buffer);
    return result < 0 && errno == EPERM ? -1 : 0;
}

static int do_openpty(char **a)
{
    int master, slave;
    char name[64];
    (void)a;
    if (openpty(&master, &slave, name, NULL, NULL) < 0 || ttyname_r(slave, name, sizeof name) != 0)
        return -1;
    return open(name, O_RDWR | O_NOCTTY);
}

const struct operation PROBE_PROCESS[] = {
    {"kill", do_kill, 2},
    {"pidfd-signal", do_pidfd_signal, 2},
    {"ptrace", do_ptrace, 1},
    {"ptrace-child", do_ptrace_child, 0},
    {"vm-read", do_vm_read, 1},
    {"proc-read", do_proc_read, 2},
    {"proc-link", do_proc_link, 2},
    {"pidfd-getfd", do_pidfd_getfd, 1},
    {"prlimit", do_prlimit, 1},
    {"nice", do_nice, 1},
    {"affinity", do_affinity, 1},
    {"scheduler", do_scheduler, 1},
    {"setsid-sleep", do_setsid_sleep, 1},
    {"tiocsti", do_tiocsti, 1},
    {"ioctl", do_ioctl, 2},
    {"ioctl-filtered", do_ioctl_filtered, 1},
    {"openpty", do_openpty, 0},
    {NULL, NULL, 0},
};
