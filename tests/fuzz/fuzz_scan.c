/* SPDX-License-Identifier: MIT */
/* The scanner must find the same in any bytes, whether they come at once or in pieces. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ui/term/scan.h"

#define LIMIT 64

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Everything that is found is written down in a form that does not show the pieces. */
static void on_text(const char *bytes, size_t length, void *argument)
{
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)bytes[i] < 0x20 || bytes[i] == 0x7f)
            abort();
    }
    strbuf_add(argument, bytes, length);
}

static void on_control(char control, void *argument)
{
    strbuf_addf(argument, "\1%d", control);
}

static void on_sequence(const struct scan_sequence *sequence, void *argument)
{
    strbuf_addf(argument, "\2%d,%d,%d:%x", sequence->leader, sequence->intermediate,
                sequence->final, sequence->colons);
    if (sequence->count > SCAN_VALUES_MAX)
        abort();
    for (int i = 0; i < sequence->count; i++) {
        if (sequence->values[i] < SCAN_ABSENT || sequence->values[i] > SCAN_VALUE_LARGEST)
            abort();
        strbuf_addf(argument, ",%d", sequence->values[i]);
    }
}

static void on_string(enum scan_string kind, const char *bytes, size_t length, void *argument)
{
    if (length > LIMIT)
        abort();
    strbuf_addf(argument, "\3%d:%zu:", kind, length);
    strbuf_add(argument, bytes, length);
}

static const struct scan_events events = {
    .text = on_text,
    .control = on_control,
    .escape = on_sequence,
    .csi = on_sequence,
    .string = on_string,
};

static void scan_in_pieces(const uint8_t *bytes, size_t length, size_t piece, struct strbuf *out)
{
    struct scan scan;
    scan_init(&scan, LIMIT, &events, out);
    for (size_t at = 0; at < length; at += piece)
        scan_write(&scan, (const char *)bytes + at, length - at < piece ? length - at : piece);
    scan_write(&scan, "\030", 1); /* lets go of what has only begun */
    scan_release(&scan);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    cleanup_strbuf struct strbuf whole = STRBUF_INIT;
    scan_in_pieces(bytes, length, length + 1, &whole);
    for (size_t piece = 1; piece <= 7; piece += 2) {
        cleanup_strbuf struct strbuf pieces = STRBUF_INIT;
        scan_in_pieces(bytes, length, piece, &pieces);
        if (pieces.length != whole.length ||
            memcmp(strbuf_str(&pieces), strbuf_str(&whole), whole.length) != 0)
            abort();
    }
    return 0;
}
