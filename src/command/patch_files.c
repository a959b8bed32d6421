/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/patch_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"

#define FILE_SIZE_MAX ((size_t)64 * 1024 * 1024)

/* A file that is written or removed. */
struct step {
    char *path;    /* absolute; its last part is the name in `directory` */
    int directory; /* O_PATH */
    bool removes;
    bool fresh;         /* it must not be there yet */
    struct stat before; /* unless fresh */
    struct strbuf content;
    char staged[64]; /* name of what waits beside it: the new file, afterwards the old one */
    bool is_staged, is_done;
};

struct work {
    struct step *steps;
    size_t count;
    char **made; /* directories that were made, outermost first */
    size_t made_count;
    struct error *error;
};

static const char *step_name(const struct step *step)
{
    return strrchr(step->path, '/') + 1;
}

static int step_error(const struct work *work, const struct step *step, int number,
                      const char *what)
{
    cleanup_free char *path = text_line(step->path, strlen(step->path), 300);
    return number != 0 ? error_errno(work->error, number, "%s: %s", path, what)
                       : error_set(work->error, 0, "%s: %s", path, what);
}

/* ---- the way to a file ---------------------------------------------------------------------- */

static int enter(struct work *work, const struct step *step, int parent, const char *path,
                 const char *name)
{
    int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(parent, name, flags);
    if (fd >= 0)
        return fd;
    if (errno == ENOTDIR || errno == ELOOP)
        return step_error(work, step, 0,
                          _("a link or no directory is on the way: name where it leads to"));
    if (errno != ENOENT || !step->fresh)
        return step_error(work, step, errno, _("cannot enter its directory"));
    if (mkdirat(parent, name, 0777) != 0)
        return step_error(work, step, errno, _("cannot make its directory"));
    work->made = xreallocarray(work->made, work->made_count + 1, sizeof(*work->made));
    work->made[work->made_count++] = xstrdup(path);
    fd = openat(parent, name, flags);
    return fd >= 0 ? fd : step_error(work, step, errno, _("cannot enter its directory"));
}

/* One part after the other, so that no link is followed anywhere. */
static int open_directory(struct work *work, struct step *step)
{
    cleanup_free char *path = xstrdup(step->path);
    int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (char *at = path + 1, *slash; fd >= 0 && (slash = strchr(at, '/')) != NULL;
         at = slash + 1) {
        int parent = fd;
        *slash = '\0';
        fd = enter(work, step, parent, path, at);
        *slash = '/';
        close(parent);
    }
    step->directory = fd;
    return fd < 0 ? -1 : 0;
}

/* ---- reading -------------------------------------------------------------------------------- */

static struct step *add_step(struct work *work, char *path)
{
    work->steps = xreallocarray(work->steps, work->count + 1, sizeof(*work->steps));
    struct step *step = &work->steps[work->count++];
    *step = (struct step){.path = path, .directory = -1};
    snprintf(step->staged, sizeof(step->staged), ".assent-patch-%ld-%zu", (long)getpid(),
             work->count);
    return step;
}

/* Opens the file as it is now: a regular one, its identity noted. */
static int look_at(const struct work *work, struct step *step)
{
    int fd = openat(step->directory, step_name(step),
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 && errno == ELOOP)
        return step_error(work, step, 0, _("it is a link: name the file that it leads to"));
    if (fd < 0)
        return step_error(work, step, errno, _("cannot read it"));
    if (fstat(fd, &step->before) != 0 || !S_ISREG(step->before.st_mode)) {
        close(fd);
        return step_error(work, step, 0, _("it is not a regular file"));
    }
    return fd;
}

static int read_old(const struct work *work, const struct step *step, int fd, struct strbuf *old)
{
    char block[65536];
    for (ssize_t got; (got = read(fd, block, sizeof(block))) != 0;) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return step_error(work, step, errno, _("cannot read it"));
        strbuf_add(old, block, (size_t)got);
        if (old->length > FILE_SIZE_MAX)
            return step_error(work, step, EFBIG, _("cannot change it"));
    }
    return 0;
}

static int expect_absent(const struct work *work, const struct step *step)
{
    struct stat status;
    if (fstatat(step->directory, step_name(step), &status, AT_SYMLINK_NOFOLLOW) == 0)
        return step_error(work, step, 0, _("it is there already"));
    return errno == ENOENT ? 0 : step_error(work, step, errno, _("cannot look at it"));
}

static int plan_fresh(struct work *work, char *path, struct strbuf *content, mode_t mode)
{
    struct step *step = add_step(work, path);
    step->fresh = true;
    step->content = *content;
    step->before.st_mode = mode;
    *content = (struct strbuf)STRBUF_INIT;
    return open_directory(work, step) != 0 ? -1 : expect_absent(work, step);
}

static int plan_change(struct work *work, const struct patch_change *change, const char *cwd)
{
    cleanup_strbuf struct strbuf old = STRBUF_INIT, content = STRBUF_INIT;
    if (change->kind == PATCH_ADD) {
        if (patch_apply(change, NULL, 0, &content, work->error) != 0)
            return -1;
        mode_t mask = umask(0);
        umask(mask);
        return plan_fresh(work, patch_path_absolute(change->path, cwd), &content, 0666 & ~mask);
    }
    struct step *step = add_step(work, patch_path_absolute(change->path, cwd));
    step->removes = change->kind == PATCH_DELETE || change->move_to != NULL;
    if (open_directory(work, step) != 0)
        return -1;
    cleanup_fd int fd = look_at(work, step);
    if (fd < 0)
        return -1;
    if (change->kind == PATCH_DELETE)
        return 0;
    if (read_old(work, step, fd, &old) != 0 ||
        patch_apply(change, strbuf_str(&old), old.length, &content, work->error) != 0)
        return -1;
    if (change->move_to != NULL)
        return plan_fresh(work, patch_path_absolute(change->move_to, cwd), &content,
                          step->before.st_mode & 0777);
    step->content = content;
    content = (struct strbuf)STRBUF_INIT;
    return 0;
}

/* ---- writing -------------------------------------------------------------------------------- */

static int stage(const struct work *work, struct step *step)
{
    if (step->removes)
        return 0;
    cleanup_fd int fd = openat(step->directory, step->staged,
                               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return step_error(work, step, errno, _("cannot write beside it"));
    step->is_staged = true;
    int result = fd_write_all(fd, strbuf_str(&step->content), step->content.length);
    if (result == 0 && fchmod(fd, step->before.st_mode & 0777) != 0)
        result = -errno;
    if (result == 0 && fsync(fd) != 0)
        result = -errno;
    return result == 0 ? 0 : step_error(work, step, -result, _("cannot write it"));
}

static int rename_step(const struct step *step, bool back, unsigned flags)
{
    const char *from = back ? step_name(step) : step->staged;
    const char *to = back ? step->staged : step_name(step);
    return renameat2(step->directory, from, step->directory, to, flags);
}

/* Is what was taken away the file that was read, as it was then? */
static bool is_as_read(const struct step *step)
{
    struct stat now;
    const struct stat *before = &step->before;
    return fstatat(step->directory, step->staged, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
           now.st_dev == before->st_dev && now.st_ino == before->st_ino &&
           now.st_size == before->st_size && now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == before->st_mtim.tv_nsec;
}

static int undo(struct step *step)
{
    step->is_done = false;
    if (step->fresh)
        return rename_step(step, true, RENAME_NOREPLACE);
    if (!step->removes)
        return rename_step(step, false, RENAME_EXCHANGE);
    step->is_staged = false;
    return rename_step(step, false, RENAME_NOREPLACE);
}

static int put(const struct work *work, struct step *step)
{
    int result = step->fresh || step->removes ? rename_step(step, step->removes, RENAME_NOREPLACE)
                                              : rename_step(step, false, RENAME_EXCHANGE);
    if (result != 0)
        return step_error(work, step, errno, _("cannot put it in place"));
    step->is_done = true;
    step->is_staged = !step->fresh;
    if (step->fresh || is_as_read(step))
        return 0;
    undo(step);
    return step_error(work, step, 0, _("it was changed meanwhile: read it again"));
}

/* ---- all of them or none -------------------------------------------------------------------- */

static void tidy(struct work *work, bool keep)
{
    for (size_t i = work->count; i > 0; i--) {
        struct step *step = &work->steps[i - 1];
        if (!keep && step->is_done) {
            bool fresh = step->fresh;
            if (undo(step) != 0)
                step_error(work, step, errno, _("cannot take the change back"));
            step->is_staged = step->is_staged || fresh;
        }
        if (step->is_staged)
            unlinkat(step->directory, step->staged, 0);
    }
    for (size_t i = work->made_count; !keep && i > 0; i--)
        rmdir(work->made[i - 1]);
}

static int apply(struct work *work, const struct patch *patch, const char *cwd)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < patch->count; i++)
        result = plan_change(work, &patch->changes[i], cwd);
    for (size_t i = 0; result == 0 && i < work->count; i++)
        result = stage(work, &work->steps[i]);
    for (size_t i = 0; result == 0 && i < work->count; i++)
        result = put(work, &work->steps[i]);
    tidy(work, result == 0);
    return result;
}

static void work_clear(struct work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        fd_close(&work->steps[i].directory);
        strbuf_free(&work->steps[i].content);
        free(work->steps[i].path);
    }
    free(work->steps);
    for (size_t i = 0; i < work->made_count; i++)
        free(work->made[i]);
    free(work->made);
}

int patch_files_apply(const struct patch *patch, const char *cwd, struct error *error)
{
    struct work work = {.error = error};
    int result = apply(&work, patch, cwd);
    work_clear(&work);
    return result;
}
