/* SPDX-License-Identifier: MIT */
/*
 * landlock: three system calls of Linux (landlock(7)), wrapped. Rules attach to inodes: whatever
 * path or mount leads to a file, it is judged by the rules on its ancestors.
 */
#ifndef ASSENT_SANDBOX_LANDLOCK_H
#define ASSENT_SANDBOX_LANDLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define LANDLOCK_ABI_NEWEST 7 /* the last one whose rights this file knows */

/* What a rule lets through beneath a path. */
enum landlock_grant {
    LANDLOCK_GRANT_READ = 1,   /* read, list, execute */
    LANDLOCK_GRANT_WRITE = 2,  /* everything but making device nodes */
    LANDLOCK_GRANT_DEVICE = 4, /* read and write one device file, ioctl included */
    LANDLOCK_GRANT_LIST = 8,   /* list directories only */
};

struct landlock {
    int fd; /* of the rule set, -1 when closed */
    int abi;
    uint64_t handled; /* file-system rights that are denied unless a rule grants them */
    bool scoped;      /* abstract sockets and signals outwards are denied */
};

/* ABI of the running kernel; 0 when it has no Landlock or it is switched off. */
int landlock_running_abi(void);

/* Starts a rule set that denies everything `abi` (1 or more) has a right for; TCP is left alone
 * when `tcp`. Features are probed, not taken from the number: kernels exist that announce an
 * ABI without all of its features. 0 or -errno. */
int landlock_begin(struct landlock *landlock, int abi, bool tcp);
/* Grants beneath what `fd` (O_PATH will do) refers to; rights that make no sense for a file are
 * left out when it is one. 0 or -errno. */
int landlock_allow(struct landlock *landlock, int fd, unsigned grants);
/* The same for what is known to be a directory, or known to be none. */
int landlock_allow_known(struct landlock *landlock, int fd, unsigned grants, bool directory);
/* As above for a path; one that does not exist is no error when `optional`. */
int landlock_allow_path(struct landlock *landlock, const char *path, unsigned grants,
                        bool optional);
/* Confines the calling thread for good (no_new_privs must be set) and closes. 0 or -errno. */
int landlock_enforce(struct landlock *landlock);

/* Does that ABI know the right to truncate (3), device ioctls (5), scopes (6)? */
static inline bool landlock_abi_truncates(int abi)
{
    return abi >= 3;
}
static inline bool landlock_abi_scopes(int abi)
{
    return abi >= 6;
}

#endif
