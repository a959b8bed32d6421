/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/term/scan.h"

#include <string.h>

enum { BEL = 0x07, CAN = 0x18, SUB = 0x1a, ESC = 0x1b, DEL = 0x7f };

/* A buffer that a long string has left behind is given back. */
#define STRING_KEPT 4096

void scan_init(struct scan *scan, size_t limit, const struct scan_events *events, void *argument)
{
    *scan = (struct scan){.events = events, .argument = argument, .limit = limit};
}

void scan_release(struct scan *scan)
{
    strbuf_free(&scan->string);
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool is_control(unsigned char byte)
{
    return byte < 0x20 || byte == DEL;
}

/* Bytes that a UTF-8 character with this first byte has; 1 for a byte that begins none. */
static size_t character_length(unsigned char first)
{
    if (first >= 0xf0 && first <= 0xf4)
        return 4;
    if (first >= 0xe0 && first < 0xf0)
        return 3;
    return first >= 0xc2 && first < 0xe0 ? 2 : 1;
}

/* How many bytes at the end of the text are a character that has only begun. */
static size_t unfinished_length(const char *bytes, size_t length)
{
    for (size_t back = 1; back <= 3 && back <= length; back++) {
        unsigned char byte = (unsigned char)bytes[length - back];
        if (byte < 0x80)
            return 0;
        if (byte >= 0xc0)
            return character_length(byte) > back ? back : 0;
    }
    return 0;
}

static void release_held(struct scan *scan)
{
    if (scan->held_length == 0)
        return;
    scan->events->text(scan->held, scan->held_length, scan->argument);
    scan->held_length = 0;
}

/* Completes the character that the last write ended in. Returns the bytes taken. */
static size_t complete_held(struct scan *scan, const char *bytes, size_t length)
{
    size_t wanted = character_length((unsigned char)scan->held[0]);
    size_t taken = 0;
    while (taken < length && scan->held_length < wanted &&
           ((unsigned char)bytes[taken] & 0xc0) == 0x80)
        scan->held[scan->held_length++] = bytes[taken++];
    if (scan->held_length == wanted || taken < length)
        release_held(scan);
    return taken;
}

static size_t text_length(const char *bytes, size_t length)
{
    size_t end = 0;
    while (end < length && !is_control((unsigned char)bytes[end]))
        end++;
    return end;
}

/* Returns the bytes of text at the beginning, which it delivers. */
static size_t take_text(struct scan *scan, const char *bytes, size_t length)
{
    size_t end = text_length(bytes, length);
    size_t held = end == length ? unfinished_length(bytes, end) : 0;
    memcpy(scan->held, bytes + end - held, held);
    scan->held_length = held;
    if (end > held)
        scan->events->text(bytes, end - held, scan->argument);
    return end;
}

/* ---- strings --------------------------------------------------------------------------------- */

static void begin_string(struct scan *scan, enum scan_string kind)
{
    scan->state = SCAN_STRING;
    scan->kind = kind;
    scan->oversize = false;
    strbuf_reset(&scan->string);
}

static void end_string(struct scan *scan, bool deliver)
{
    scan->state = SCAN_GROUND;
    if (deliver && !scan->oversize)
        scan->events->string(scan->kind, strbuf_str(&scan->string), scan->string.length,
                             scan->argument);
    if (scan->string.capacity > STRING_KEPT)
        strbuf_free(&scan->string);
    else
        strbuf_reset(&scan->string);
}

static void add_to_string(struct scan *scan, const char *bytes, size_t length)
{
    if (length > scan->limit - scan->string.length)
        scan->oversize = true;
    if (scan->oversize)
        strbuf_free(&scan->string);
    else
        strbuf_add(&scan->string, bytes, length);
}

static size_t take_string(struct scan *scan, const char *bytes, size_t length)
{
    size_t end = text_length(bytes, length);
    if (end > 0) {
        add_to_string(scan, bytes, end);
        return end;
    }
    switch (bytes[0]) {
    case BEL:
        if (scan->kind == SCAN_OSC)
            end_string(scan, true);
        break;
    case ESC:
        scan->state = SCAN_STRING_ESCAPE;
        break;
    case CAN:
    case SUB:
        end_string(scan, false);
        break;
    default:
        break;
    }
    return 1;
}

/* ---- sequences ------------------------------------------------------------------------------- */

static void begin_sequence(struct scan *scan, enum scan_state state)
{
    scan->state = state;
    scan->sequence.leader = scan->sequence.intermediate = 0;
    scan->sequence.count = 0;
    scan->sequence.colons = 0;
}

static void finish_sequence(struct scan *scan, char final,
                            void (*event)(const struct scan_sequence *, void *))
{
    scan->state = SCAN_GROUND;
    scan->sequence.final = final;
    event(&scan->sequence, scan->argument);
}

static void take_intermediate(struct scan *scan, char byte)
{
    /* No sequence that means anything here has two. */
    scan->sequence.intermediate = scan->sequence.intermediate ? DEL : byte;
}

static void take_escape(struct scan *scan, char byte)
{
    if (byte >= 0x20 && byte <= 0x2f) {
        take_intermediate(scan, byte);
        return;
    }
    if (scan->sequence.intermediate == 0) {
        switch (byte) {
        case '[':
            begin_sequence(scan, SCAN_CSI_START);
            return;
        case ']':
            begin_string(scan, SCAN_OSC);
            return;
        case 'P':
            begin_string(scan, SCAN_DCS);
            return;
        case '_':
            begin_string(scan, SCAN_APC);
            return;
        case '^':
            begin_string(scan, SCAN_PM);
            return;
        case 'X':
            begin_string(scan, SCAN_SOS);
            return;
        default:
            break;
        }
    }
    finish_sequence(scan, byte, scan->events->escape);
}

static void next_value(struct scan_sequence *sequence)
{
    if (sequence->count < SCAN_VALUES_MAX)
        sequence->values[sequence->count] = SCAN_ABSENT;
    sequence->count++;
}

static void take_digit(struct scan_sequence *sequence, int digit)
{
    if (sequence->count > SCAN_VALUES_MAX)
        return;
    int *value = &sequence->values[sequence->count - 1];
    *value = (*value == SCAN_ABSENT ? 0 : *value) * 10 + digit;
    if (*value > SCAN_VALUE_LARGEST)
        *value = SCAN_VALUE_LARGEST;
}

static void take_separator(struct scan_sequence *sequence, bool colon)
{
    if (colon && sequence->count < SCAN_VALUES_MAX)
        sequence->colons |= 1u << (sequence->count - 1);
    if (sequence->count <= SCAN_VALUES_MAX)
        next_value(sequence);
}

static void finish_csi(struct scan *scan, char final)
{
    if (scan->state == SCAN_CSI_IGNORE) {
        scan->state = SCAN_GROUND;
        return;
    }
    if (scan->sequence.count > SCAN_VALUES_MAX)
        scan->sequence.count = SCAN_VALUES_MAX;
    finish_sequence(scan, final, scan->events->csi);
}

static void take_csi(struct scan *scan, char byte)
{
    struct scan_sequence *sequence = &scan->sequence;
    bool values = scan->state == SCAN_CSI_START || scan->state == SCAN_CSI_VALUES;
    if (scan->state == SCAN_CSI_START) {
        next_value(sequence);
        scan->state = SCAN_CSI_VALUES;
        if (byte >= '<' && byte <= '?') {
            sequence->leader = byte;
            return;
        }
    }
    if (byte >= 0x40)
        finish_csi(scan, byte);
    else if (scan->state == SCAN_CSI_IGNORE)
        return;
    else if (byte <= 0x2f) {
        take_intermediate(scan, byte);
        scan->state = SCAN_CSI_FINAL;
    } else if (!values || byte >= '<')
        scan->state = SCAN_CSI_IGNORE;
    else if (byte <= '9')
        take_digit(sequence, byte - '0');
    else
        take_separator(sequence, byte == ':');
}

/* ---- the stream ------------------------------------------------------------------------------ */

/* A control outside of strings. */
static void take_control(struct scan *scan, char byte)
{
    if (byte == ESC) {
        begin_sequence(scan, SCAN_ESCAPE);
    } else if (byte == CAN || byte == SUB) {
        scan->state = SCAN_GROUND;
    } else if (byte >= BEL && byte <= 0x0f) {
        scan->events->control(byte, scan->argument);
    }
}

static size_t take_sequence(struct scan *scan, char byte)
{
    if ((unsigned char)byte >= 0x80) {
        /* No sequence has such bytes: this one is broken off, and the byte is text. */
        scan->state = SCAN_GROUND;
        return 0;
    }
    if (scan->state == SCAN_ESCAPE)
        take_escape(scan, byte);
    else
        take_csi(scan, byte);
    return 1;
}

/* After ESC in a string: either its terminator, or the string ends without being delivered. */
static size_t take_string_escape(struct scan *scan, char byte)
{
    end_string(scan, byte == '\\');
    if (byte == '\\')
        return 1;
    begin_sequence(scan, SCAN_ESCAPE);
    return 0;
}

static size_t take_bytes(struct scan *scan, const char *bytes, size_t length)
{
    if (scan->state == SCAN_STRING)
        return take_string(scan, bytes, length);
    if (scan->state == SCAN_STRING_ESCAPE)
        return take_string_escape(scan, bytes[0]);
    if (is_control((unsigned char)bytes[0])) {
        take_control(scan, bytes[0]);
        return 1;
    }
    if (scan->state == SCAN_GROUND)
        return take_text(scan, bytes, length);
    return take_sequence(scan, bytes[0]);
}

void scan_write(struct scan *scan, const char *bytes, size_t length)
{
    size_t done = 0;
    if (scan->held_length > 0 && length > 0)
        done = complete_held(scan, bytes, length);
    while (done < length)
        done += take_bytes(scan, bytes + done, length - done);
}
