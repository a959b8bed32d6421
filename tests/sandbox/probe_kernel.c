/* SPDX-License-Identifier: MIT */
/* probe_kernel: what else the kernel offers. */
#include "config.h"

#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int do_unshare(char **a)
{
    return unshare(probe_number(a[0]));
}

static int do_clone(char **a)
{
    long pid = syscall(SYS_clone, (unsigned long)probe_number(a[0]) | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
        _exit(0);
    return pid < 0 ? -1 : 0;
}

static int do_clone3(char **a)
{
    uint64_t arguments[8] = {(uint64_t)probe_number(a[0]), 0, 0, 0, SIGCHLD};
    long pid = syscall(SYS_clone3, arguments, sizeof arguments);
    if (pid == 0)
        _exit(0);
    return pid < 0 ? -1 : 0;
}

static int do_mount(char **a)
{
    return mount("none", a[0], "tmpfs", 0, NULL);
}

static int do_bind(char **a)
{
    return mount(a[0], a[1], NULL, MS_BIND, NULL);
}

static int do_remount(char **a)
{
    return mount(NULL, a[0], NULL, MS_REMOUNT | MS_BIND, NULL);
}

static int do_umount(char **a)
{
    return umount2(a[0], MNT_DETACH);
}

static int do_open_tree(char **a)
{
    return (int)syscall(SYS_open_tree, AT_FDCWD, a[0], 1);
}

static int do_mount_setattr(char **a)
{
    uint64_t attributes[4] = {0, 1, 0, 0};
    return (int)syscall(SYS_mount_setattr, AT_FDCWD, a[0], 0, attributes, sizeof attributes);
}

static int do_chroot(char **a)
{
    return chroot(a[0]);
}

static int do_setns(char **a)
{
    int fd = open(a[0], O_RDONLY);
    return fd < 0 ? -1 : setns(fd, 0);
}

static int do_keyring(char **a)
{
    (void)a;
    return (int)syscall(SYS_add_key, "user", "probe", "x", 1, KEY_SPEC_USER_KEYRING);
}

static int do_keyctl(char **a)
{
    (void)a;
    return (int)syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1);
}

static int do_bpf(char **a)
{
    (void)a;
    uint32_t attributes[32] = {2 /* array */, 4, 4, 1};
    return (int)syscall(SYS_bpf, 0, attributes, sizeof attributes);
}

static int do_perf(char **a)
{
    (void)a;
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_SW_CPU_CLOCK,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1};
    return (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);
}

static int do_io_uring(char **a)
{
    (void)a;
    char parameters[120] = {0};
    return (int)syscall(SYS_io_uring_setup, 4, parameters);
}

static int do_userfaultfd(char **a)
{
    (void)a;
    return (int)syscall(SYS_userfaultfd, 1 /* user mode only */);
}

static int do_fanotify(char **a)
{
    (void)a;
    return fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID, O_RDONLY);
}

static int do_adjtime(char **a)
{
    (void)a;
    struct timex change = {.modes = ADJ_TICK};
    struct timex now = {0};
    if (adjtimex(&now) < 0)
        return -1;
    change.tick = now.tick;
    return adjtimex(&change);
}

static int do_settime(char **a)
{
    struct timespec now;
    (void)a;
    clock_gettime(CLOCK_REALTIME, &now);
    return clock_settime(CLOCK_REALTIME, &now);
}

static int do_sethostname(char **a)
{
    char name[256];
    (void)a;
    gethostname(name, sizeof name);
    return sethostname(name, strlen(name));
}

static int do_syslog(char **a)
{
    char line[16];
    (void)a;
    return (int)syscall(SYS_syslog, 3, line, sizeof line);
}

static int do_quota(char **a)
{
    (void)a;
    return (int)syscall(SYS_quotactl, 0x800001U /* Q_SYNC, any file system */ << 8, NULL, 0, NULL);
}

static int do_chardev_ioctl(char **a)
{
    int fd = open(a[0], O_RDONLY | O_NONBLOCK);
    int value = 0;
    return fd < 0 ? -1 : ioctl(fd, (unsigned long)strtoul(a[1], NULL, 0), &value);
}

/* System calls of the 32-bit ABI, from a 64-bit program: number 20 is getpid there. */
static int do_int80(char **a)
{
    long result = -1;
#if defined __x86_64__
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"((long)probe_number(a[0])), "b"(AF_INET), "c"(SOCK_STREAM), "d"(0)
                     : "memory", "r8", "r9", "r10", "r11");
#else
    (void)a;
#endif
    if (result < 0) {
        errno = (int)-result;
        return -1;
    }
    return 0;
}

static int do_x32(char **a)
{
    return (int)syscall(0x40000000L + probe_number(a[0]));
}

/* Which capabilities there are, and whether a set-user-ID program would gain any. */
static int do_has_capability(char **a)
{
    return prctl(PR_CAPBSET_READ, probe_number(a[0])) == 1 ? 0 : -1;
}

static int do_can_gain(char **a)
{
    (void)a;
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 ? 0 : -1;
}

/* A filter that allows everything. */
static long set_filter(unsigned flags)
{
    struct {
        unsigned short code;
        unsigned char jt, jf;
        unsigned k;
    } allow = {6, 0, 0, 0x7fff0000};
    struct {
        unsigned short length;
        void *filter;
    } program = {1, &allow};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return syscall(SYS_seccomp, 1 /* SET_MODE_FILTER */, flags, &program);
}

static int do_new_filter(char **a) /* a filter of one's own is one's own business */
{
    (void)a;
    return (int)set_filter(0);
}

/* A listener of one's own, which would hear before the monitor does. */
static int do_steal_notification(char **a)
{
    (void)a;
    return (int)set_filter(8 /* NEW_LISTENER */);
}

const struct operation PROBE_KERNEL[] = {
    {"unshare", do_unshare, 1},
    {"clone", do_clone, 1},
    {"clone3", do_clone3, 1},
    {"mount", do_mount, 1},
    {"bind", do_bind, 2},
    {"remount", do_remount, 1},
    {"umount", do_umount, 1},
    {"open-tree", do_open_tree, 1},
    {"mount-setattr", do_mount_setattr, 1},
    {"chroot", do_chroot, 1},
    {"setns", do_setns, 1},
    {"keyring", do_keyring, 0},
    {"keyctl", do_keyctl, 0},
    {"bpf", do_bpf, 0},
    {"perf", do_perf, 0},
    {"io-uring", do_io_uring, 0},
    {"userfaultfd", do_userfaultfd, 0},
    {"fanotify", do_fanotify, 0},
    {"adjtime", do_adjtime, 0},
    {"settime", do_settime, 0},
    {"sethostname", do_sethostname, 0},
    {"syslog", do_syslog, 0},
    {"quota", do_quota, 0},
    {"chardev-ioctl", do_chardev_ioctl, 2},
    {"int80", do_int80, 1},
    {"x32", do_x32, 1},
    {"has-capability", do_has_capability, 1},
    {"can-gain", do_can_gain, 0},
    {"new-filter", do_new_filter, 0},
    {"steal-notification", do_steal_notification, 0},
    {NULL, NULL, 0},
};
