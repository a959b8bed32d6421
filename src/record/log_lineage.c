/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_lineage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/json.h"
#include "record/log_reader.h"
#include "record/log_view.h"

#define HOPS_MAX 1000 /* consoles that went on one after the other */

char *log_lineage_before(const struct log_file *file)
{
    struct log_line line = {0};
    struct log_reader *reader = log_reader_open(file->path, NULL);
    if (reader != NULL)
        log_reader_next(reader, &line);
    const char *before = json_string_value(json_object_get(line.event, "resumes"));
    char *console = xstrdup(before != NULL ? before : "");
    log_reader_close(&reader);
    return console;
}

/* The last of the consoles that went on, one after the other, where `console` was. */
static char *last_of(const struct log_files *files, const char *console)
{
    char *last = xstrdup(console);
    bool found = true;
    for (unsigned hop = 0; found && hop < HOPS_MAX; hop++) {
        found = false;
        for (size_t i = 0; i < files->count && !found; i++) {
            cleanup_free char *before = log_lineage_before(&files->items[i]);
            if (strcmp(before, last) != 0)
                continue;
            free(last);
            last = xstrdup(files->items[i].console);
            found = true;
        }
    }
    return last;
}

/* The console that ended last. */
static char *newest_ended(const struct log_files *files)
{
    for (size_t i = files->count; i > 0; i--) {
        cleanup_fd int fd = open(files->items[i - 1].path, O_RDONLY | O_CLOEXEC);
        if (fd >= 0 && !log_files_live(fd))
            return xstrdup(files->items[i - 1].console);
    }
    return NULL;
}

char *log_lineage_choose(const struct log_place *place, const struct log_files *files,
                         const char *name, char **meant, struct error *error)
{
    *meant = name != NULL ? log_view_console(place->directory, name, error) : newest_ended(files);
    if (*meant == NULL && name == NULL)
        error_set(error, ENOENT, "there is no session in %s that has ended", place->directory);
    return *meant != NULL ? last_of(files, *meant) : NULL;
}
