/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_frame.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/json.h"

#define HEX (SHA256_HEX_SIZE - 1)

/* The part of the line that was not read yet. */
struct rest {
    const char *at, *end;
};

static bool take(struct rest *rest, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, text, length) != 0)
        return false;
    rest->at += length;
    return true;
}

static bool take_number(struct rest *rest, uint64_t *number)
{
    const char *start = rest->at;
    uint64_t value = 0;
    while (rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9' &&
           value <= UINT64_MAX / 10 - 1)
        value = value * 10 + (uint64_t)(*rest->at++ - '0');
    *number = value;
    return rest->at > start;
}

/* The quote in front has been taken. What the frame holds needs no escapes. */
static bool take_string(struct rest *rest, struct log_piece *piece)
{
    const char *quote = memchr(rest->at, '"', (size_t)(rest->end - rest->at));
    if (quote == NULL)
        return false;
    *piece = (struct log_piece){.text = rest->at, .length = (size_t)(quote - rest->at)};
    rest->at = quote + 1;
    return memchr(piece->text, '\\', piece->length) == NULL;
}

static bool take_hash(struct rest *rest, unsigned char hash[SHA256_SIZE])
{
    if (rest->end - rest->at < HEX || sha256_parse(rest->at, hash) < 0)
        return false;
    rest->at += HEX;
    return true;
}

bool log_frame_read(const char *line, size_t length, struct log_frame *frame)
{
    struct rest rest = {.at = line, .end = line + length};
    *frame = (struct log_frame){.session = {.text = ""}};
    if (!take(&rest, "{\"v\":2,\"n\":") || !take_number(&rest, &frame->number) ||
        !take(&rest, ",\"prev\":\"") || !take_hash(&rest, frame->previous) ||
        !take(&rest, "\",\"time\":\"") || !take_string(&rest, &frame->time) ||
        !take(&rest, ",\"event\":\"") || !take_string(&rest, &frame->event))
        return false;
    if (take(&rest, ",\"session\":\"") && !take_string(&rest, &frame->session))
        return false;
    return !take(&rest, ",\"call\":") || take_number(&rest, &frame->call);
}

bool log_frame_is_old(const char *line, size_t length)
{
    struct rest rest = {.at = line, .end = line + length};
    return take(&rest, "{\"v\":1,\"n\":");
}

char *log_frame_line(uint64_t number, const unsigned char previous[SHA256_SIZE], int64_t wall_ms,
                     const char *event, json_t *fields)
{
    char time[32], hex[SHA256_HEX_SIZE];
    clock_format_utc(wall_ms, time);
    sha256_hex(previous, hex);
    cleanup_json json_t *line =
        json_pack("{s:i, s:I, s:s, s:s, s:s}", "v", LOG_FRAME_VERSION, "n", (json_int_t)number,
                  "prev", hex, "time", time, "event", event);
    json_object_update(line, fields);
    return json_line(line);
}
