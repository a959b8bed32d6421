/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's interface, as in linux/landlock.h of 6.15; older headers lack parts of it. */
struct ruleset_attribute {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};
struct path_beneath_attribute {
    uint64_t allowed_access;
    int32_t parent_fd;
} __attribute__((packed));

enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_REMOVE_DIR = 1 << 4,
    FS_REMOVE_FILE = 1 << 5,
    FS_MAKE_CHAR = 1 << 6,
    FS_MAKE_DIR = 1 << 7,
    FS_MAKE_REG = 1 << 8,
    FS_MAKE_SOCK = 1 << 9,
    FS_MAKE_FIFO = 1 << 10,
    FS_MAKE_BLOCK = 1 << 11,
    FS_MAKE_SYM = 1 << 12,
    FS_REFER = 1 << 13,     /* ABI 2 */
    FS_TRUNCATE = 1 << 14,  /* ABI 3 */
    FS_IOCTL_DEV = 1 << 15, /* ABI 5 */
};
enum { NET_BIND_TCP = 1 << 0, NET_CONNECT_TCP = 1 << 1 };            /* ABI 4 */
enum { SCOPE_ABSTRACT_UNIX_SOCKET = 1 << 0, SCOPE_SIGNAL = 1 << 1 }; /* ABI 6 */

#define FS_ABI_1 ((uint64_t)FS_REFER - 1)
#define FS_READ (FS_EXECUTE | FS_READ_FILE | FS_READ_DIR)
/* Rights that a rule on a file that is no directory may carry. */
#define FS_OF_FILES (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV)

static uint64_t handled_rights(int abi)
{
    uint64_t rights = FS_ABI_1;
    if (abi >= 2)
        rights |= FS_REFER;
    if (landlock_abi_truncates(abi))
        rights |= FS_TRUNCATE;
    if (abi >= 5)
        rights |= FS_IOCTL_DEV;
    return rights;
}

static uint64_t granted_rights(unsigned grants)
{
    uint64_t rights = 0;
    if (grants & LANDLOCK_GRANT_READ)
        rights |= FS_READ;
    if (grants & LANDLOCK_GRANT_WRITE) /* device nodes: whoever is root could open the disk */
        rights |= (FS_ABI_1 | FS_REFER | FS_TRUNCATE) & ~(uint64_t)(FS_MAKE_CHAR | FS_MAKE_BLOCK);
    if (grants & LANDLOCK_GRANT_DEVICE)
        rights |= FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEV;
    if (grants & LANDLOCK_GRANT_LIST)
        rights |= FS_READ_DIR;
    return rights;
}

int landlock_running_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
    return abi > 0 ? (int)abi : 0;
}

static int create(const struct ruleset_attribute *attribute, size_t size)
{
    long fd = syscall(SYS_landlock_create_ruleset, attribute, size, 0);
    return fd < 0 ? -errno : (int)fd;
}

int landlock_begin(struct landlock *landlock, int abi, bool tcp)
{
    struct ruleset_attribute attribute = {.handled_access_fs = handled_rights(abi)};
    size_t size = sizeof attribute.handled_access_fs;
    if (abi >= 4 && !tcp)
        attribute.handled_access_net = NET_BIND_TCP | NET_CONNECT_TCP;
    if (abi >= 4)
        size = sizeof attribute - sizeof attribute.scoped;
    if (landlock_abi_scopes(abi)) {
        attribute.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
        size = sizeof attribute;
    }
    int fd = create(&attribute, size);
    if (fd < 0 && attribute.scoped) { /* announced, but not there */
        attribute.scoped = 0;
        fd = create(&attribute, size);
    }
    if (fd < 0)
        return fd;
    *landlock = (struct landlock){.fd = fd,
                                  .abi = abi,
                                  .handled = attribute.handled_access_fs,
                                  .scoped = attribute.scoped != 0};
    return 0;
}

int landlock_allow_known(struct landlock *landlock, int fd, unsigned grants, bool directory)
{
    uint64_t rights = granted_rights(grants) & landlock->handled;
    if (!directory)
        rights &= FS_OF_FILES;
    if (rights == 0)
        return 0;
    struct path_beneath_attribute rule = {.allowed_access = rights, .parent_fd = fd};
    if (syscall(SYS_landlock_add_rule, landlock->fd, RULE_PATH_BENEATH, &rule, 0) < 0)
        return -errno;
    return 0;
}

int landlock_allow(struct landlock *landlock, int fd, unsigned grants)
{
    struct stat status;
    if (fstat(fd, &status) < 0)
        return -errno;
    return landlock_allow_known(landlock, fd, grants, S_ISDIR(status.st_mode));
}

int landlock_allow_path(struct landlock *landlock, const char *path, unsigned grants, bool optional)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return optional && (errno == ENOENT || errno == ENOTDIR || errno == EACCES) ? 0 : -errno;
    int result = landlock_allow(landlock, fd, grants);
    close(fd);
    return result;
}

int landlock_enforce(struct landlock *landlock)
{
    int result = 0;
    if (syscall(SYS_landlock_restrict_self, landlock->fd, 0) < 0)
        result = -errno;
    close(landlock->fd);
    landlock->fd = -1;
    return result;
}
