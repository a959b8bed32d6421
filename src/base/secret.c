/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/random.h"

#define TEXT_SIZE (SHA256_HEX_SIZE + 1) /* a line and NUL */

static void format(const struct secret *secret, char text[TEXT_SIZE])
{
    sha256_hex(secret->bytes, text);
    memcpy(text + SHA256_HEX_SIZE - 1, "\n", 2);
}

int secret_create(const char *path, struct error *error)
{
    struct secret secret;
    char text[TEXT_SIZE];
    if (access(path, F_OK) == 0)
        return 0;
    random_fill(secret.bytes, sizeof(secret.bytes));
    format(&secret, text);
    cleanup_free char *temporary = xasprintf("%s.%d", path, (int)getpid());
    unlink(temporary);
    cleanup_fd int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int result = fd < 0 ? -errno : fd_write_all(fd, text, strlen(text));
    if (result == 0 && (fsync(fd) < 0 || (link(temporary, path) < 0 && errno != EEXIST)))
        result = -errno;
    unlink(temporary);
    return result < 0 ? error_errno(error, -result, "cannot make %s", path) : 0;
}

static int parse(const char *text, size_t length, struct secret *secret)
{
    bool whole = length == SHA256_HEX_SIZE && text[length - 1] == '\n';
    return whole ? sha256_parse(text, secret->bytes) : -1;
}

int secret_read(const char *path, struct secret *secret, struct error *error)
{
    struct stat status;
    size_t length;
    cleanup_free char *text = fd_read_file(path, 4096, true, &length);
    if (text == NULL || lstat(path, &status) < 0)
        return error_errno(error, errno, "cannot read %s", path);
    if (status.st_uid != geteuid() || (status.st_mode & 077) != 0)
        return error_set(error, EPERM,
                         "others could have read %s: remove it, and start the consoles anew", path);
    if (parse(text, length, secret) < 0)
        return error_set(error, EINVAL, "%s is damaged: remove it, and start the consoles anew",
                         path);
    return 0;
}

int secret_write(const char *path, const struct secret *secret, struct error *error)
{
    char text[TEXT_SIZE];
    format(secret, text);
    int result = fd_replace_file(path, text, strlen(text), 0600);
    return result < 0 ? error_errno(error, -result, "cannot write %s", path) : 0;
}
