/* SPDX-License-Identifier: MIT */
/*
 * filter: system calls that a confined command may not make, for what neither mounts nor
 * Landlock cover. seccomp.c makes the filters when Assent is built, one for each
 * combination of the flags below, so that starting a command costs no compilation.
 *
 * Refused calls return EPERM, so that programs report it; clone3 returns ENOSYS, because its
 * flags can not be seen by a filter and C libraries then fall back to clone. System calls of
 * another ABI (32-bit, x32) are refused with EPERM.
 */
#ifndef ASSENT_SANDBOX_FILTER_H
#define ASSENT_SANDBOX_FILTER_H

enum filter_flags {
    FILTER_NO_INET = 1,      /* no socket but AF_UNIX: the network is off without a namespace of its
                                 own (one has INET, INET6 and NETLINK_ROUTE, and leads nowhere) */
    FILTER_MEDIATE = 2,      /* connect() is handed to the monitor, and so are pairs of AF_UNIX
                                 datagram sockets; single ones are refused, because sendmsg() can
                                 address them to any path unseen */
    FILTER_NO_TRACE = 4,     /* ptrace, process_vm_*: without a PID namespace they lead outwards */
    FILTER_NO_METADATA = 8,  /* chmod, chown, times, xattr, inode flags: nothing is writable, and no
                                 read-only mount says so */
    FILTER_NO_TRUNCATE = 16, /* truncate(2): Landlock before ABI 3 does not see it, and no
                                 read-only mount does */
};
#define FILTER_VARIANTS 32

/* Installs the filter in the calling thread (no_new_privs must be set). With FILTER_MEDIATE
 * returns the listener (close-on-exec), else 0; -errno on failure. */
int filter_install(unsigned flags);
/* One more, to be installed before: no signal to the caller's own process group, whose members a
 * PID namespace does not hide. For kernels whose Landlock does not see signals. 0 or -errno. */
int filter_install_group(void);

#endif
