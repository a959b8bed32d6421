/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_anchor.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/secret.h"

#define KEY_NAME "record.key"
#define PLACE 256 /* bytes of each of the two; less than the smallest sector */

struct log_anchor {
    int fd;
    char *console;
    struct secret key;
    unsigned next; /* the place that is written next: 0 or 1 */
};

/* ---- one place ------------------------------------------------------------------------------- */

/* What is signed; a head of another log must not pass for one of this. */
static char *signed_text(const char *console, const struct log_head *head)
{
    char hex[SHA256_HEX_SIZE];
    sha256_hex(head->hash, hex);
    return xasprintf("assent record head 1 %s %" PRIu64 " %s %s", console, head->lines, hex,
                     head->closed ? "closed" : "open");
}

static void format_place(const struct log_anchor *anchor, const struct log_head *head,
                         char out[PLACE])
{
    unsigned char mac[SHA256_SIZE];
    char hash[SHA256_HEX_SIZE], hex[SHA256_HEX_SIZE];
    cleanup_free char *text = signed_text(anchor->console, head);
    sha256_hmac(&anchor->key, sizeof(anchor->key), text, strlen(text), mac);
    sha256_hex(head->hash, hash);
    sha256_hex(mac, hex);
    memset(out, ' ', PLACE);
    int length = snprintf(out, PLACE, "%" PRIu64 " %s %s %s", head->lines, hash,
                          head->closed ? "closed" : "open", hex);
    out[length] = ' ';
    out[PLACE - 1] = '\n';
}

/* False when it is not what format_place() wrote with this key. */
static bool parse_place(const struct log_anchor *anchor, const char place[PLACE],
                        struct log_head *head)
{
    char text[PLACE + 1], hash[SHA256_HEX_SIZE], state[8], again[PLACE];
    memcpy(text, place, PLACE);
    text[PLACE] = '\0';
    if (sscanf(text, "%" SCNu64 " %64s %7s", &head->lines, hash, state) != 3 ||
        sha256_parse(hash, head->hash) < 0)
        return false;
    head->closed = strcmp(state, "closed") == 0;
    format_place(anchor, head, again);
    return sha256_equal(again, place, PLACE);
}

/* ---- files ----------------------------------------------------------------------------------- */

static int write_at(int fd, const char *bytes, size_t length, off_t offset)
{
    while (length > 0) {
        ssize_t written = pwrite(fd, bytes, length, offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? -errno : -EIO;
        bytes += written;
        offset += written;
        length -= (size_t)written;
    }
    return 0;
}

int log_anchor_write(struct log_anchor *anchor, const struct log_head *head, bool sync)
{
    char place[PLACE];
    format_place(anchor, head, place);
    int result = write_at(anchor->fd, place, PLACE, (off_t)anchor->next * PLACE);
    if (result == 0)
        anchor->next = 1 - anchor->next;
    if (result == 0 && sync && fdatasync(anchor->fd) < 0)
        result = -errno;
    return result;
}

static char *file_path(const char *directory, const char *console)
{
    return xasprintf("%s/%s" LOG_ANCHOR_SUFFIX, directory, console);
}

/* The key is read, nothing else yet. */
static struct log_anchor *new_anchor(const char *directory, const char *console,
                                     struct error *error)
{
    struct secret key;
    cleanup_free char *path = xasprintf("%s/" KEY_NAME, directory);
    if (secret_read(path, &key, error) < 0)
        return NULL;
    struct log_anchor *anchor = XNEW(struct log_anchor);
    anchor->fd = -1;
    anchor->console = xstrdup(console);
    anchor->key = key;
    return anchor;
}

void log_anchor_free(struct log_anchor **place)
{
    struct log_anchor *anchor = *place;
    if (anchor == NULL)
        return;
    explicit_bzero(&anchor->key, sizeof(anchor->key));
    fd_close(&anchor->fd);
    free(anchor->console);
    free(anchor);
    *place = NULL;
}

static int make_key(const char *directory, struct error *error)
{
    int result = fd_make_directories(directory, 0700);
    if (result < 0)
        return error_errno(error, -result, "cannot make the directory %s", directory);
    cleanup_free char *path = xasprintf("%s/" KEY_NAME, directory);
    return secret_create(path, error);
}

struct log_anchor *log_anchor_create(const char *directory, const char *console,
                                     struct error *error)
{
    if (make_key(directory, error) < 0)
        return NULL;
    struct log_anchor *anchor = new_anchor(directory, console, error);
    if (anchor == NULL)
        return NULL;
    const struct log_head nothing = {0};
    char places[2 * PLACE];
    format_place(anchor, &nothing, places);
    memcpy(places + PLACE, places, PLACE);
    cleanup_free char *path = file_path(directory, console);
    int result = fd_replace_file(path, places, sizeof(places), 0600);
    if (result == 0)
        anchor->fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (result == 0 && anchor->fd < 0)
        result = -errno;
    if (result < 0) {
        error_errno(error, -result, "cannot write %s", path);
        log_anchor_free(&anchor);
    }
    return anchor;
}

/* The newest head, and where it stands. */
static int read_places(struct log_anchor *anchor, const char *path, struct log_head *head,
                       bool *torn, struct error *error)
{
    size_t length;
    cleanup_free char *text = fd_read_file(path, 2 * PLACE, true, &length);
    if (text == NULL)
        return error_errno(error, errno, "cannot read %s", path);
    struct log_head heads[2];
    bool whole[2];
    for (unsigned i = 0; i < 2; i++)
        whole[i] =
            length == (size_t)2 * PLACE && parse_place(anchor, text + (size_t)i * PLACE, &heads[i]);
    if (!whole[0] && !whole[1])
        return error_set(error, EBADMSG, "%s was changed, or was signed with another key", path);
    bool later =
        heads[1].lines > heads[0].lines || (heads[1].lines == heads[0].lines && heads[1].closed);
    unsigned newest = !whole[0] || (whole[1] && later) ? 1 : 0;
    *torn = !whole[0] || !whole[1];
    *head = heads[newest];
    anchor->next = 1 - newest;
    return 0;
}

struct log_anchor *log_anchor_open(const char *directory, const char *console, struct error *error)
{
    bool torn;
    struct log_head head;
    struct log_anchor *anchor = new_anchor(directory, console, error);
    if (anchor == NULL)
        return NULL;
    cleanup_free char *path = file_path(directory, console);
    if (read_places(anchor, path, &head, &torn, error) == 0) {
        anchor->fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        if (anchor->fd >= 0)
            return anchor;
        error_errno(error, errno, "cannot open %s", path);
    }
    log_anchor_free(&anchor);
    return NULL;
}

int log_anchor_read(const char *directory, const char *console, struct log_head *head, bool *torn,
                    struct error *error)
{
    struct log_anchor *anchor = new_anchor(directory, console, error);
    if (anchor == NULL)
        return -1;
    cleanup_free char *path = file_path(directory, console);
    int result = read_places(anchor, path, head, torn, error);
    log_anchor_free(&anchor);
    return result;
}

bool log_anchor_exists(const char *directory, const char *console)
{
    cleanup_free char *path = file_path(directory, console);
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT;
}
