/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tool_replay.h"

#include "base/alloc.h"
#include "config/paths.h"
#include "record/log_files.h"
#include "record/log_reader.h"

static int replay(const char *path, void (*event)(void *argument, const json_t *event),
                  void *argument, struct error *error)
{
    struct log_reader *reader = log_reader_open(path, error);
    struct log_line line;
    enum log_reader_state state;
    if (reader == NULL)
        return -1;
    while ((state = log_reader_next(reader, &line)) != LOG_READER_END)
        if (state == LOG_READER_LINE)
            event(argument, line.event);
    log_reader_close(&reader);
    return 0;
}

static int replay_logs(const struct options *options,
                       void (*event)(void *argument, const json_t *event), void *argument,
                       struct error *error)
{
    cleanup_free char *directory =
        paths_log_directory(options_string(options, OPTION_LOG_DIRECTORY));
    struct log_files files;
    if (log_files_find(directory, &files, error) < 0)
        return -1;
    int result = 0;
    for (size_t i = 0; i < files.count && result == 0; i++)
        result = replay(files.items[i].path, event, argument, error);
    log_files_clear(&files);
    return result;
}

int tool_replay(const struct options *options, int count, char *const *records,
                void (*event)(void *argument, const json_t *event), void *argument,
                struct error *error)
{
    int result = count == 0 ? replay_logs(options, event, argument, error) : 0;
    for (int i = 0; i < count && result == 0; i++)
        result = replay(records[i], event, argument, error);
    return result;
}
