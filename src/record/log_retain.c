/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_retain.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "record/log_files.h"

struct retaining {
    const char *directory, *anchors;
    void (*removing)(void *argument, const struct log_removal *removal);
    void *argument;
};

static void remove_files(const struct retaining *retaining, const struct log_file *file)
{
    cleanup_free char *anchor =
        xasprintf("%s/%s" LOG_ANCHOR_SUFFIX, retaining->anchors, file->console);
    cleanup_free char *index =
        xasprintf("%s/%s" LOG_FILES_INDEX_SUFFIX, retaining->directory, file->console);
    /* The log before its anchor: stopped in between, the anchor still says that there was one. */
    unlink(index);
    if (unlink(file->path) == 0)
        unlink(anchor);
}

/* False when its console lives. */
static bool remove_log(const struct retaining *retaining, const struct log_file *file,
                       const char *cause)
{
    cleanup_fd int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
        return false;
    struct log_head head;
    bool torn;
    int known = log_anchor_read(retaining->anchors, file->console, &head, &torn, NULL);
    const struct log_removal removal = {.console = file->console,
                                        .head = known == 0 ? &head : NULL,
                                        .bytes = file->size,
                                        .cause = cause};
    retaining->removing(retaining->argument, &removal);
    remove_files(retaining, file);
    return true;
}

void log_retain(const char *directory, const char *anchors, const struct log_limits *limits,
                const struct clock *clock,
                void (*removing)(void *argument, const struct log_removal *removal), void *argument)
{
    const struct retaining retaining = {directory, anchors, removing, argument};
    struct log_files files;
    if (log_files_find(directory, &files, NULL) < 0)
        return;
    int64_t total = 0, now = clock_wall_ms(clock);
    for (size_t i = 0; i < files.count; i++)
        total += files.items[i].size;
    for (size_t i = 0; i < files.count; i++) {
        const struct log_file *file = &files.items[i];
        int64_t changed = (int64_t)file->changed.tv_sec * 1000;
        const char *cause = NULL;
        if (now - changed > limits->age_ms)
            cause = "age";
        else if (total > limits->bytes)
            cause = "size";
        if (cause != NULL && remove_log(&retaining, file, cause))
            total -= file->size;
    }
    log_files_clear(&files);
}
