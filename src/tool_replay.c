/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tool_replay.h"

#include <string.h>

#include "base/alloc.h"
#include "config/paths.h"
#include "record/log_files.h"
#include "record/log_reader.h"

struct run {
    struct tool_replay *replay;
    void (*compare)(void *argument, char *const *argv, const struct judgement *now,
                    const struct judgement *then);
    void *argument;
};

int tool_replay_open(struct tool_replay *replay, const struct options *options, struct error *error)
{
    int result = tool_judge_open(&replay->now, options, error);
    if (result == 0)
        result = tool_judge_open(&replay->then, options, error);
    replay->then.shadow = true;
    replay->connection = NULL;
    replay->commands = 0;
    return result;
}

void tool_replay_clear(struct tool_replay *replay)
{
    tool_judge_clear(&replay->now);
    tool_judge_clear(&replay->then);
}

static void take_command(const struct run *run, char *const *argv, const char *cwd)
{
    struct tool_replay *replay = run->replay;
    struct judgement now, then;
    if (tool_judge_command(&replay->now, argv, cwd, &now, NULL) != 0)
        return;
    if (tool_judge_command(&replay->then, argv, cwd, &then, NULL) == 0) {
        replay->commands++;
        run->compare(run->argument, argv, &now, &then);
        judgement_clear(&then);
    }
    judgement_clear(&now);
}

/* A line that is no command and no connection is passed over. */
static void take_event(const struct run *run, const json_t *event)
{
    const struct tool_replay *replay = run->replay;
    struct error ignored = ERROR_INIT;
    struct tool_judge_connection asked;
    const char *kind = json_string_value(json_object_get(event, "event"));
    const char *cwd = json_string_value(json_object_get(event, "cwd"));
    if (kind != NULL && strcmp(kind, "call_received") != 0)
        return;
    if (cwd == NULL || *cwd != '/')
        cwd = replay->now.workspace;
    if (tool_judge_connection(&replay->now, event, cwd, &asked)) {
        if (replay->connection != NULL)
            replay->connection(run->argument, &asked.to);
        tool_judge_connection_clear(&asked);
        return;
    }
    cleanup_strv char **argv = tool_judge_argv(event, &ignored);
    if (argv != NULL)
        take_command(run, argv, cwd);
}

static int read_record(const struct run *run, const char *path, struct error *error)
{
    struct log_reader *reader = log_reader_open(path, error);
    struct log_line line;
    enum log_reader_state state;
    if (reader == NULL)
        return -1;
    while ((state = log_reader_next(reader, &line)) != LOG_READER_END)
        if (state == LOG_READER_LINE)
            take_event(run, line.event);
    log_reader_close(&reader);
    return 0;
}

static int read_logs(const struct run *run, const struct options *options, struct error *error)
{
    cleanup_free char *directory =
        paths_log_directory(options_string(options, OPTION_LOG_DIRECTORY));
    struct log_files files;
    if (log_files_find(directory, &files, error) < 0)
        return -1;
    int result = 0;
    for (size_t i = 0; i < files.count && result == 0; i++)
        result = read_record(run, files.items[i].path, error);
    log_files_clear(&files);
    return result;
}

int tool_replay_run(struct tool_replay *replay, const struct options *options, int count,
                    char *const *records,
                    void (*compare)(void *argument, char *const *argv, const struct judgement *now,
                                    const struct judgement *then),
                    void *argument, struct error *error)
{
    const struct run run = {replay, compare, argument};
    int result = count == 0 ? read_logs(&run, options, error) : 0;
    for (int i = 0; i < count && result == 0; i++)
        result = read_record(&run, records[i], error);
    return result;
}
