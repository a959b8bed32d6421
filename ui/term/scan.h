/* SPDX-License-Identifier: MIT */
/*
 * scan: cuts a stream of bytes into text, controls, escape sequences and strings.
 *
 * Follows ECMA-48 and the behaviour of DEC terminals: controls inside a sequence are executed at
 * once, CAN and SUB abort it, ESC begins anew. UTF-8 only: bytes 0x80 to 0x9f are never controls,
 * neither alone nor as code points (text drops those). Strings (OSC, DCS, APC, PM, SOS) are put
 * together here, whatever the pieces they come in, and delivered whole or, above the limit, not at
 * all. All numbers are bounded, so that what is behind needs no checks of its own.
 */
#ifndef ASSENT_UI_TERM_SCAN_H
#define ASSENT_UI_TERM_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#define SCAN_VALUES_MAX 32      /* parameters of a sequence; more are ignored */
#define SCAN_VALUE_LARGEST 9999 /* larger parameters become this */
#define SCAN_ABSENT (-1)        /* a parameter that was left out */

struct scan_sequence {
    char leader;       /* of CSI: '<', '=', '>', '?', or 0 */
    char intermediate; /* 0x20 to 0x2f, or 0 */
    char final;
    int count; /* parameters, at least 1 (absent) for CSI, 0 for an escape sequence */
    int values[SCAN_VALUES_MAX];
    uint32_t colons; /* bit i: value i is followed by ':', the next is its sub-parameter */
};

enum scan_string { SCAN_OSC, SCAN_DCS, SCAN_APC, SCAN_PM, SCAN_SOS };

/* All must be there. What they are given is valid during the call. */
struct scan_events {
    /* Bytes 0x20 to 0x7e and 0x80 to 0xff; a UTF-8 character is never cut in two. */
    void (*text)(const char *bytes, size_t length, void *argument);
    /* BEL, BS, HT, LF, VT, FF, CR, SO, SI; others do nothing and are not reported. */
    void (*control)(char control, void *argument);
    void (*escape)(const struct scan_sequence *sequence, void *argument);
    void (*csi)(const struct scan_sequence *sequence, void *argument);
    /* Without introducer and terminator, controls left out. */
    void (*string)(enum scan_string kind, const char *bytes, size_t length, void *argument);
};

enum scan_state {
    SCAN_GROUND,
    SCAN_ESCAPE,
    SCAN_CSI_START,
    SCAN_CSI_VALUES,
    SCAN_CSI_FINAL,  /* intermediates were seen: no more values */
    SCAN_CSI_IGNORE, /* malformed: wait for its end */
    SCAN_STRING,
    SCAN_STRING_ESCAPE, /* ESC inside a string: its end, or a new sequence */
};

/* Part of its owner; nobody else looks inside. */
struct scan {
    const struct scan_events *events;
    void *argument;
    size_t limit; /* bytes of a string */
    enum scan_state state;
    struct scan_sequence sequence;
    enum scan_string kind;
    struct strbuf string;
    bool oversize; /* the string is dropped */
    char held[4];  /* the beginning of a UTF-8 character */
    size_t held_length;
};

void scan_init(struct scan *scan, size_t limit, const struct scan_events *events, void *argument);
void scan_release(struct scan *scan);
void scan_write(struct scan *scan, const char *bytes, size_t length);

#endif
