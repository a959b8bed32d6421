/* SPDX-License-Identifier: MIT */
/*
 * statx: statx(2) for C libraries that do not know it yet (musl before 1.2.5). The structure is the
 * kernel's (linux/stat.h, which clashes with the C library's sys/stat.h).
 */
#ifndef ASSENT_BASE_STATX_H
#define ASSENT_BASE_STATX_H

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef STATX_BASIC_STATS
#define STATX_BASIC_STATS 0x7ffu
#define STATX_BTIME 0x800u

struct statx_timestamp {
    int64_t tv_sec;
    uint32_t tv_nsec;
    int32_t reserved;
};

struct statx {
    uint32_t stx_mask, stx_blksize;
    uint64_t stx_attributes;
    uint32_t stx_nlink, stx_uid, stx_gid;
    uint16_t stx_mode, padding;
    uint64_t stx_ino, stx_size, stx_blocks, stx_attributes_mask;
    struct statx_timestamp stx_atime, stx_btime, stx_ctime, stx_mtime;
    uint32_t stx_rdev_major, stx_rdev_minor, stx_dev_major, stx_dev_minor;
    uint64_t spare[14];
};

static inline int statx(int directory, const char *path, int flags, unsigned mask,
                        struct statx *status)
{
    return (int)syscall(SYS_statx, directory, path, flags, mask, status);
}
#endif

#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x1000u
#endif
#ifndef STATX_TYPE
#define STATX_TYPE 1u
#endif

/* The mount's number, since Linux 5.8 at this place in the structure, which not every C library has
 * a name for. 0: not told. */
static inline uint64_t statx_mount(const struct statx *status)
{
    uint64_t mount;
    memcpy(&mount, (const char *)status + 0x90, sizeof mount);
    return status->stx_mask & STATX_MNT_ID ? mount : 0;
}

#ifndef STATX_ATTR_MOUNT_ROOT
#define STATX_ATTR_MOUNT_ROOT 0x2000u
#endif

#endif
