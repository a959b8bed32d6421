/* SPDX-License-Identifier: MIT */
/*
 * seccomp: prints filter_code.h. Runs when Assent is built, on the machine that
 * builds, for the architecture that it is given by the compiler.
 *
 * Arguments that the kernel takes as 32 bits are compared as 32 bits: it ignores what stands in
 * the upper half of the register, and so must a filter.
 */
#include "config.h"

#include <errno.h>
#include <linux/filter.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/array.h"
#include "sandbox/filter.h"

#define LOW_32 0xFFFFFFFFu
#define REFUSE SCMP_ACT_ERRNO(EPERM)
#define SOCKET_TYPE_MASK 0xF /* without SOCK_CLOEXEC and SOCK_NONBLOCK */

/* Refused whatever the policy is. */
static const char *const ALWAYS[] = {
    /* work done by the kernel on the caller's behalf, past any filter */
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    /* kernel attack surface that builds and tests do not need */
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "fanotify_init",
    "fanotify_mark",
    "lookup_dcookie",
    "vm86",
    "vm86old",
    "modify_ldt",
    "uselib",
    "nfsservctl",
    /* keyrings are the user's, not the command's */
    "add_key",
    "keyctl",
    "request_key",
    /* the mount tree is what confines */
    "mount",
    "umount",
    "umount2",
    "pivot_root",
    "chroot",
    "move_mount",
    "open_tree",
    "fsopen",
    "fsconfig",
    "fsmount",
    "fspick",
    "mount_setattr",
    "setns",
    "open_by_handle_at",
    /* the machine */
    "init_module",
    "finit_module",
    "delete_module",
    "create_module",
    "kexec_load",
    "kexec_file_load",
    "reboot",
    "swapon",
    "swapoff",
    "acct",
    "quotactl",
    "quotactl_fd",
    "syslog",
    "iopl",
    "ioperm",
    "settimeofday",
    "clock_settime",
    "stime",
    "sethostname",
    "setdomainname",
    "vhangup",
    "_sysctl",
};

static const char *const TRACE[] = {
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd",
    "kcmp",   "move_pages",       "migrate_pages",
};

static const char *const METADATA[] = {
    "chmod",     "fchmod",    "fchmodat",    "chown",        "fchown",       "lchown",
    "fchownat",  "utime",     "utimes",      "utimensat",    "futimesat",    "setxattr",
    "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr",
};

/* Newer than the libseccomp that may build this; the same numbers on every architecture. */
enum {
    NR_fchmodat2 = 452,
    NR_setxattrat = 463,
    NR_removexattrat = 466,
    NR_open_tree_attr = 467,
    NR_file_setattr = 469,
};

/* Terminal requests that type into, or reconfigure, somebody else's terminal. */
static const uint32_t TERMINAL_REQUESTS[] = {
    0x540C, /* TIOCEXCL: nobody else can open it any more */
    0x5412, /* TIOCSTI */
    0x541C, /* TIOCLINUX */
    0x541D, /* TIOCCONS */
    0x5423, /* TIOCSETD */
};
/* All of linux/kd.h and linux/vt.h. Where the operator works on the machine's own console it is the
 * command's controlling terminal, and these need no more than that: the glyphs that the operator
 * reads, the keyboard's mode, which console is shown. */
enum { CONSOLE_REQUESTS = 0x4B00, SCREEN_REQUESTS = 0x5600, GROUP_OF_REQUESTS = 0xFFFFFF00 };
/* Keys of encrypted file systems are the user's, whoever takes them away. */
static const uint32_t KEY_REQUESTS[] = {
    0xC0506617, /* FS_IOC_ADD_ENCRYPTION_KEY */
    0xC0406618, /* FS_IOC_REMOVE_ENCRYPTION_KEY */
    0xC0406619, /* FS_IOC_REMOVE_ENCRYPTION_KEY_ALL_USERS */
};
static const uint32_t INODE_FLAG_REQUESTS[] = {
    0x40086602, /* FS_IOC_SETFLAGS */
    0x40046602, /* FS_IOC32_SETFLAGS */
    0x401C5820, /* FS_IOC_FSSETXATTR */
};
static const unsigned long NEW_NAMESPACES[] = {
    CLONE_NEWNS,  CLONE_NEWUTS, CLONE_NEWIPC,    CLONE_NEWUSER,
    CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWCGROUP, 0x80, /* CLONE_NEWTIME */
};

static void check(int result, const char *what)
{
    if (result == 0 || result == -EEXIST)
        return;
    fprintf(stderr, "seccomp: %s: error %d\n", what, -result);
    exit(1);
}

/* A name that this libseccomp or this architecture does not have is passed over. */
static void refuse_names(scmp_filter_ctx filter, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int number = seccomp_syscall_resolve_name(names[i]);
        if (number != __NR_SCMP_ERROR && number >= 0)
            check(seccomp_rule_add(filter, REFUSE, number, 0), names[i]);
    }
}

static void refuse_number(scmp_filter_ctx filter, int number)
{
    check(seccomp_rule_add(filter, REFUSE, number, 0), "number");
}

static void refuse_ioctls(scmp_filter_ctx filter, const uint32_t *requests, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check(seccomp_rule_add(filter, REFUSE, SCMP_SYS(ioctl), 1,
                               SCMP_A1(SCMP_CMP_MASKED_EQ, LOW_32, requests[i])),
              "ioctl");
}

static void refuse_ioctl_group(scmp_filter_ctx filter, uint32_t group)
{
    check(seccomp_rule_add(filter, REFUSE, SCMP_SYS(ioctl), 1,
                           SCMP_A1(SCMP_CMP_MASKED_EQ, (uint32_t)GROUP_OF_REQUESTS, group)),
          "group of ioctls");
}

/* Refuses a call that has these 32-bit arguments from the first on. */
static void refuse_arguments(scmp_filter_ctx filter, int call, unsigned count, uint32_t first,
                             uint32_t second)
{
    check(seccomp_rule_add(filter, REFUSE, call, count, SCMP_A0(SCMP_CMP_MASKED_EQ, LOW_32, first),
                           SCMP_A1(SCMP_CMP_MASKED_EQ, LOW_32, second)),
          "arguments");
}

/* The caller's process group has members outside, which no PID namespace hides. The first process
 * of the namespace is the monitor, and it is the same user's: one that is starved, or can open no
 * file, covers nothing again. */
static void refuse_priorities(scmp_filter_ctx filter)
{
    enum { MONITOR = 1, IO_PROCESS = 1, IO_GROUP = 2, IO_USER = 3 };
    static const int OF_PROCESS[] = {SCMP_SYS(prlimit64), SCMP_SYS(sched_setaffinity),
                                     SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_setparam),
                                     SCMP_SYS(sched_setattr)};
    for (size_t i = 0; i < sizeof OF_PROCESS / sizeof *OF_PROCESS; i++)
        refuse_arguments(filter, OF_PROCESS[i], 1, MONITOR, 0);
    refuse_arguments(filter, SCMP_SYS(setpriority), 2, PRIO_PROCESS, MONITOR);
    refuse_arguments(filter, SCMP_SYS(setpriority), 1, PRIO_PGRP, 0);
    refuse_arguments(filter, SCMP_SYS(setpriority), 1, PRIO_USER, 0);
    refuse_arguments(filter, SCMP_SYS(ioprio_set), 2, IO_PROCESS, MONITOR);
    refuse_arguments(filter, SCMP_SYS(ioprio_set), 1, IO_GROUP, 0);
    refuse_arguments(filter, SCMP_SYS(ioprio_set), 1, IO_USER, 0);
}

/* Whoever has a lease on a file lets others wait who open it; reading is enough to get one. */
static void refuse_leases(scmp_filter_ctx filter)
{
    static const uint32_t COMMANDS[] = {1024 /* F_SETLEASE */, 1040 /* F_SETDELEG */};
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++)
        check(seccomp_rule_add(filter, REFUSE, SCMP_SYS(fcntl), 1,
                               SCMP_A1(SCMP_CMP_MASKED_EQ, LOW_32, COMMANDS[i])),
              "fcntl");
}

static void refuse_namespaces(scmp_filter_ctx filter)
{
    for (size_t i = 0; i < sizeof NEW_NAMESPACES / sizeof *NEW_NAMESPACES; i++) {
        unsigned long flag = NEW_NAMESPACES[i];
        check(seccomp_rule_add(filter, REFUSE, SCMP_SYS(unshare), 1,
                               SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag)),
              "unshare");
        if (flag != 0x80) /* for clone these bits are the exit signal */
            check(seccomp_rule_add(filter, REFUSE, SCMP_SYS(clone), 1,
                                   SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag)),
                  "clone");
    }
    check(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0), "clone3");
}

/* Every family but those that are fine, of the 2^bits from `first` on. A filter has no "none of
 * these": what is refused is cut into pieces that share their upper bits, which are few. Each
 * comparison costs, because the kernel compiles the filter whenever a command starts. */
static void refuse_families(scmp_filter_ctx filter, uint32_t first, unsigned bits, bool inet)
{
    static const uint32_t FINE[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};
    size_t count = inet ? sizeof FINE / sizeof *FINE : 1;
    uint64_t mask = LOW_32 & ~((UINT64_C(1) << bits) - 1);
    bool mixed = false;
    for (size_t i = 0; i < count; i++)
        mixed = mixed || (FINE[i] & mask) == first;
    if (!mixed) {
        check(seccomp_rule_add(filter, REFUSE, SCMP_SYS(socket), 1,
                               SCMP_A0(SCMP_CMP_MASKED_EQ, mask, first)),
              "socket");
    } else if (bits > 0) {
        refuse_families(filter, first, bits - 1, inet);
        refuse_families(filter, first + (UINT32_C(1) << (bits - 1)), bits - 1, inet);
    }
}

/* Netlink is for asking about routes and interfaces: protocol 0. */
static void refuse_netlink(scmp_filter_ctx filter)
{
    enum { BITS = 5 }; /* the kernel has less than 2^5 */
    for (unsigned bit = 0; bit < BITS; bit++)
        check(seccomp_rule_add(filter, REFUSE, SCMP_SYS(socket), 2,
                               SCMP_A0(SCMP_CMP_MASKED_EQ, LOW_32, AF_NETLINK),
                               SCMP_A2(SCMP_CMP_MASKED_EQ, 1u << bit, 1u << bit)),
              "netlink");
}

/* AF_UNIX sockets of one of the types that keep no connection. */
static void on_datagrams(scmp_filter_ctx filter, uint32_t action, int call, const char *what)
{
    static const int TYPES[] = {SOCK_DGRAM, SOCK_RAW}; /* AF_UNIX makes DGRAM of RAW */
    for (size_t i = 0; i < 2; i++)
        check(
            seccomp_rule_add(filter, action, call, 2, SCMP_A0(SCMP_CMP_MASKED_EQ, LOW_32, AF_UNIX),
                             SCMP_A1(SCMP_CMP_MASKED_EQ, SOCKET_TYPE_MASK, (scmp_datum_t)TYPES[i])),
            what);
}

static void mediate(scmp_filter_ctx filter)
{
    check(seccomp_rule_add(filter, SCMP_ACT_NOTIFY, SCMP_SYS(connect), 0), "connect");
    on_datagrams(filter, REFUSE, SCMP_SYS(socket), "socket type");
    on_datagrams(filter, SCMP_ACT_NOTIFY, SCMP_SYS(socketpair), "socketpair type");
}

static scmp_filter_ctx begin(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter)
        check(-ENOMEM, "seccomp_init");
    check(seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, REFUSE), "bad architecture");
    check(seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2), "optimize");
    return filter;
}

static scmp_filter_ctx build_group(void)
{
    scmp_filter_ctx filter = begin();
    check(
        seccomp_rule_add(filter, REFUSE, SCMP_SYS(kill), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, LOW_32, 0)),
        "kill");
    return filter;
}

static scmp_filter_ctx build(unsigned flags)
{
    scmp_filter_ctx filter = begin();
    refuse_names(filter, ALWAYS, COUNT(ALWAYS));
    refuse_number(filter, NR_open_tree_attr);
    refuse_ioctls(filter, TERMINAL_REQUESTS, COUNT(TERMINAL_REQUESTS));
    refuse_ioctl_group(filter, CONSOLE_REQUESTS);
    refuse_ioctl_group(filter, SCREEN_REQUESTS);
    refuse_ioctls(filter, KEY_REQUESTS, COUNT(KEY_REQUESTS));
    refuse_priorities(filter);
    refuse_leases(filter);
    refuse_namespaces(filter);
    refuse_families(filter, 0, 32, !(flags & FILTER_NO_INET));
    if (!(flags & FILTER_NO_INET))
        refuse_netlink(filter);
    if (flags & FILTER_MEDIATE)
        mediate(filter);
    if (flags & FILTER_NO_TRACE)
        refuse_names(filter, TRACE, COUNT(TRACE));
    if (flags & FILTER_NO_TRUNCATE)
        refuse_names(filter, (const char *const[]){"truncate", "truncate64"}, 2);
    if (flags & FILTER_NO_METADATA) {
        refuse_names(filter, METADATA, COUNT(METADATA));
        refuse_number(filter, NR_fchmodat2);
        refuse_number(filter, NR_setxattrat);
        refuse_number(filter, NR_removexattrat);
        refuse_number(filter, NR_file_setattr);
        refuse_ioctls(filter, INODE_FLAG_REQUESTS, COUNT(INODE_FLAG_REQUESTS));
    }
    return filter;
}

/* Prints a filter as an array and releases it; returns its number of instructions. */
static size_t print(const char *name, scmp_filter_ctx filter)
{
    int fd = memfd_create("filter", 0);
    if (fd < 0)
        check(-errno, "memfd_create");
    check(seccomp_export_bpf(filter, fd), "export");
    seccomp_release(filter);
    size_t length = (size_t)lseek(fd, 0, SEEK_END) / sizeof(struct sock_filter);
    printf("static const struct sock_filter FILTER_CODE_%s[] = {\n", name);
    for (size_t i = 0; i < length; i++) {
        struct sock_filter instruction;
        if (pread(fd, &instruction, sizeof instruction, (off_t)(i * sizeof instruction)) !=
            (ssize_t)sizeof instruction)
            check(-EIO, "read");
        printf("    {%#x, %u, %u, %#x},\n", instruction.code, instruction.jt, instruction.jf,
               instruction.k);
    }
    printf("};\n");
    close(fd);
    return length;
}

int main(void)
{
    size_t lengths[FILTER_VARIANTS];
    printf("/* Made by seccomp: do not edit. */\n#include <linux/filter.h>\n\n");
    print("GROUP", build_group());
    for (unsigned flags = 0; flags < FILTER_VARIANTS; flags++) {
        char name[16];
        snprintf(name, sizeof name, "%u", flags);
        lengths[flags] = print(name, build(flags));
    }
    printf("\nstatic const struct {\n    const struct sock_filter *code;\n"
           "    unsigned short length;\n} FILTER_CODE[] = {\n");
    for (unsigned flags = 0; flags < FILTER_VARIANTS; flags++)
        printf("    {FILTER_CODE_%u, %zu},\n", flags, lengths[flags]);
    printf("};\n");
    return fflush(stdout) == 0 ? 0 : 1;
}
