/* SPDX-License-Identifier: MIT */
/* record: the console's record, read as it grows. */
#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "soak.h"

#define INBOX_MS 3000 /* a key in the inbox has shown in the record by then */

struct call {
    char *words;                /* all that it was asked to run, also what an operator made of it */
    char *command;              /* as the request shows it */
    uint64_t order;             /* when its request came, 0: none waits */
    bool allowed;               /* the last decision */
    bool by_somebody;           /* and it came from the operator, or what he allowed before */
    bool covers_retry;          /* the request said so */
    bool seen;                  /* on the screen while a key was pressed that may allow */
    bool permitted, unconfined; /* it ran as somebody allowed, and outside the sandbox */
    char sources[40];           /* of its decisions */
};

struct record {
    const char *directory;
    int fd;
    struct strbuf pending;
    struct call *calls;
    size_t count, room;
    int64_t inbox_ms; /* when a key was last pressed there */
    uint64_t requests, lines, decisions, by_operator, allowed, attempts, unconfined;
};

static struct call *call_at(struct record *record, size_t number)
{
    if (number == 0 || number > 10000000)
        return NULL;
    while (record->room <= number) {
        size_t room = record->room == 0 ? 1024 : 2 * record->room;

        record->calls = xreallocarray(record->calls, room, sizeof(*record->calls));
        memset(record->calls + record->room, 0, (room - record->room) * sizeof(*record->calls));
        record->room = room;
    }
    if (record->count <= number)
        record->count = number + 1;
    return &record->calls[number];
}

static struct call *call_of(struct record *record, const json_t *event)
{
    return call_at(record, (size_t)(long long)json_integer_value(json_object_get(event, "call")));
}

static const char *text(const json_t *event, const char *key)
{
    const char *value = json_string_value(json_object_get(event, key));

    return value != NULL ? value : "";
}

static void add_words(struct call *call, const json_t *event)
{
    struct strbuf words = STRBUF_INIT;
    size_t i;
    json_t *word;

    strbuf_addstr(&words, call->words != NULL ? call->words : "");
    json_array_foreach(json_object_get(event, "argv"), i, word)
        strbuf_addf(&words, "%s ", json_string_value(word));
    free(call->words);
    call->words = strbuf_steal(&words);
}

static void on_prompt(struct record *record, struct call *call, const json_t *event)
{
    free(call->command);
    call->command = xstrdup(text(event, "command"));
    call->covers_retry = json_is_true(json_object_get(event, "covers_retry"));
    if (call->order == 0)
        call->order = ++record->requests;
}

static void on_decision(struct record *record, struct call *call, const json_t *event)
{
    const char *kind = text(event, "kind"), *source = text(event, "source");

    record->decisions++;
    call->order = 0;
    call->allowed = strncmp(kind, "approved", 8) == 0;
    call->by_somebody = strcmp(source, "config") != 0;
    snprintf(call->sources + strlen(call->sources), sizeof(call->sources) - strlen(call->sources),
             "%s %s, ", kind, source);
    record->allowed += call->allowed;
    if (strcmp(source, "user") != 0)
        return;
    record->by_operator++;
    if (call->allowed && !call->seen && soak_now_ms() - record->inbox_ms > INBOX_MS)
        soak_complain("c%lld was allowed \"by the operator\", who had not seen it",
                      (long long)json_integer_value(json_object_get(event, "call")));
    call->seen = false;
}

static void on_attempt(struct record *record, struct call *call, const json_t *event)
{
    bool unconfined = strcmp(text(event, "sandbox"), "unsandboxed") == 0;

    record->attempts++;
    record->unconfined += unconfined;
    if (!call->allowed)
        soak_complain("c%lld started without a decision",
                      (long long)json_integer_value(json_object_get(event, "call")));
    call->permitted = call->permitted || call->by_somebody;
    call->unconfined = call->unconfined || unconfined;
}

static void take_event(struct record *record, const json_t *event)
{
    const char *name = text(event, "event");
    struct call *call = call_of(record, event);

    record->lines++;
    if (call == NULL)
        return;
    if (strcmp(name, "call_received") == 0 || strcmp(name, "edited") == 0)
        add_words(call, event);
    else if (strcmp(name, "prompt_shown") == 0)
        on_prompt(record, call, event);
    else if (strcmp(name, "decision") == 0)
        on_decision(record, call, event);
    else if (strcmp(name, "attempt_start") == 0)
        on_attempt(record, call, event);
    else if (strcmp(name, "attempt_end") == 0)
        call->allowed = call->allowed && call->covers_retry;
    else if (strcmp(name, "finished") == 0)
        call->order = 0;
}

/* The one log there is; -1 until it is there. */
static int open_log(const char *directory)
{
    DIR *files = opendir(directory);
    struct dirent *entry;
    int fd = -1;

    while (files != NULL && fd < 0 && (entry = readdir(files)) != NULL)
        if (strstr(entry->d_name, ".jsonl") != NULL)
            fd = openat(dirfd(files), entry->d_name, O_RDONLY | O_CLOEXEC);
    if (files != NULL)
        closedir(files);
    return fd;
}

struct record *record_open(const char *sessions)
{
    struct record *record = XNEW(struct record);

    record->directory = sessions;
    record->fd = -1;
    return record;
}

static void take_lines(struct record *record)
{
    size_t at = 0;

    while (at < record->pending.length) {
        const char *start = record->pending.data + at;
        const char *end = memchr(start, '\n', record->pending.length - at);
        json_t *event;

        if (end == NULL)
            break;
        event = json_loadb(start, (size_t)(end - start), 0, NULL);
        if (event == NULL)
            soak_complain("a line of the record is no JSON: %.*s", (int)(end - start), start);
        else
            take_event(record, event);
        json_decref(event);
        at += (size_t)(end - start) + 1;
    }
    strbuf_consume(&record->pending, at);
}

void record_follow(struct record *record)
{
    char bytes[65536];
    ssize_t length;

    if (record->fd < 0)
        record->fd = open_log(record->directory);
    while (record->fd >= 0 && (length = read(record->fd, bytes, sizeof(bytes))) > 0) {
        strbuf_add(&record->pending, bytes, (size_t)length);
        take_lines(record);
    }
}

void record_may_allow(struct record *record, uint64_t call)
{
    struct call *seen = call_at(record, call);

    if (seen != NULL)
        seen->seen = true;
    else
        record->inbox_ms = soak_now_ms();
}

uint64_t record_oldest(const struct record *record, const char **command)
{
    uint64_t oldest = 0;

    for (size_t i = 1; i < record->count; i++)
        if (record->calls[i].order != 0 &&
            (oldest == 0 || record->calls[i].order < record->calls[oldest].order))
            oldest = i;
    *command = oldest != 0 ? record->calls[oldest].command : NULL;
    return oldest;
}

uint64_t record_lines(const struct record *record)
{
    return record->lines;
}

size_t record_calls(const struct record *record)
{
    return record->count > 0 ? record->count - 1 : 0;
}

size_t record_waiting(const struct record *record)
{
    size_t waiting = 0;

    for (size_t i = 1; i < record->count; i++)
        waiting += record->calls[i].order != 0;
    return waiting;
}

/* ---- markers ----------------------------------------------------------------------------------
 */

static const struct call *call_with(const struct record *record, const char *name)
{
    for (size_t i = 1; i < record->count; i++)
        if (record->calls[i].words != NULL && strstr(record->calls[i].words, name) != NULL)
            return &record->calls[i];
    return NULL;
}

void record_check_markers(const struct record *record, const char *directory, bool outside)
{
    DIR *files = opendir(directory);
    struct dirent *entry;
    unsigned found = 0;

    while (files != NULL && (entry = readdir(files)) != NULL) {
        const struct call *call;

        if (entry->d_name[0] == '.')
            continue;
        found++;
        call = call_with(record, entry->d_name);
        if (call == NULL)
            soak_complain("%s/%s exists, and nobody asked for it", directory, entry->d_name);
        else if (!call->permitted)
            soak_complain("%s/%s exists, and nobody allowed it: %s", directory, entry->d_name,
                          call->sources);
        else if (outside && !call->unconfined)
            soak_complain("%s/%s came out of the sandbox", directory, entry->d_name);
    }
    if (files != NULL)
        closedir(files);
    soak_say("%u effects in %s were all allowed", found, directory);
}

void record_print(const struct record *record)
{
    soak_say("record: %" PRIu64 " lines, %zu calls, %" PRIu64 " requests, %" PRIu64
             " decisions (%" PRIu64 " by the operator, %" PRIu64 " allowed), %" PRIu64
             " attempts (%" PRIu64 " outside the sandbox), %zu wait",
             record->lines, record_calls(record), record->requests, record->decisions,
             record->by_operator, record->allowed, record->attempts, record->unconfined,
             record_waiting(record));
}

void record_close(struct record **place)
{
    struct record *record = steal_pointer(place);

    for (size_t i = 0; i < record->count; i++) {
        free(record->calls[i].words);
        free(record->calls[i].command);
    }
    free(record->calls);
    strbuf_free(&record->pending);
    fd_close(&record->fd);
    free(record);
}
