/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"

#define ESC '\x1b'
/* The longest sequence that is waited for; a longer one is not ours and is passed on as unknown. */
#define SEQUENCE_MAX 256
#define PASTE_END "\x1b[201~"
#define PASTE_END_LENGTH (sizeof(PASTE_END) - 1)

enum state {
    STATE_GROUND,
    STATE_UTF8,
    STATE_ESCAPE,
    STATE_CSI,
    STATE_SS3,
    STATE_OSC,
    STATE_PASTE,
};

struct input {
    enum state state;
    struct strbuf raw;   /* bytes of the event being read */
    size_t piece;        /* bytes that came together, with those that had waited for more */
    struct strbuf paste; /* text of the paste being read */
    size_t paste_match;  /* how much of PASTE_END has been seen */
    bool paste_over;     /* longer than allowed: only its end is looked for */
    bool alt;            /* an ESC came before the character being read */
    void (*event)(void *argument, const struct input_event *event);
    void *argument;
};

struct input *input_new(void (*event)(void *argument, const struct input_event *event),
                        void *argument)
{
    struct input *input = XNEW(struct input);

    input->event = event;
    input->argument = argument;
    return input;
}

void input_free(struct input **input)
{
    if (*input == NULL)
        return;
    strbuf_free(&(*input)->raw);
    strbuf_free(&(*input)->paste);
    free(*input);
    *input = NULL;
}

/* Back to the ground state first: the callback may feed or free nothing, but it may look. */
static void emit_event(struct input *input, struct input_event event)
{
    struct strbuf raw = input->raw;

    event.bytes = strbuf_str(&raw);
    event.length = raw.length;
    event.alone = raw.length >= input->piece;
    memset(&input->raw, 0, sizeof(input->raw));
    input->state = STATE_GROUND;
    input->alt = false;
    input->event(input->argument, &event);
    strbuf_free(&raw);
}

static void emit(struct input *input, enum input_kind kind, uint32_t key, unsigned modifiers)
{
    emit_event(input, (struct input_event){.kind = kind, .key = key, .modifiers = modifiers});
}

static void emit_key(struct input *input, uint32_t key, unsigned modifiers)
{
    emit(input, INPUT_KEY, key, modifiers | (input->alt ? INPUT_ALT : 0U));
}

/* The keys that are one control byte. */
static void emit_control(struct input *input, unsigned char byte)
{
    switch (byte) {
    case '\r':
    case '\n':
        emit_key(input, INPUT_KEY_ENTER, 0);
        break;
    case '\t':
        emit_key(input, INPUT_KEY_TAB, 0);
        break;
    case '\b':
    case 0x7f:
        emit_key(input, INPUT_KEY_BACKSPACE, 0);
        break;
    case 0:
        emit_key(input, ' ', INPUT_CTRL);
        break;
    default:
        /* 1 to 26 are the letters; 28 to 31 are \ ] ^ _. */
        emit_key(input, byte + (byte <= 26 ? 'a' - 1U : (uint32_t)'@'), INPUT_CTRL);
        break;
    }
}

/* Bytes that a lead byte announces, 0 when it is none. */
static size_t utf8_length(unsigned char lead)
{
    if (lead >= 0xc2 && lead <= 0xdf)
        return 2;
    if (lead >= 0xe0 && lead <= 0xef)
        return 3;
    if (lead >= 0xf0 && lead <= 0xf4)
        return 4;
    return 0;
}

static void ground_byte(struct input *input, char byte)
{
    unsigned char value = (unsigned char)byte;

    strbuf_addch(&input->raw, byte);
    if (byte == ESC)
        input->state = STATE_ESCAPE;
    else if (value < 0x20 || value == 0x7f)
        emit_control(input, value);
    else if (value < 0x80)
        emit_key(input, value, 0);
    else if (utf8_length(value) > 0)
        input->state = STATE_UTF8;
    else
        emit_key(input, INPUT_KEY_INVALID, 0);
}

/* Where the character starts in the raw bytes: behind an ESC when Alt was held. */
static size_t character_start(const struct input *input)
{
    return input->alt ? 1 : 0;
}

static void utf8_byte(struct input *input, char byte)
{
    size_t start = character_start(input);
    uint32_t codepoint;

    if (((unsigned char)byte & 0xc0) != 0x80) {
        emit_key(input, INPUT_KEY_INVALID, 0);
        ground_byte(input, byte);
        return;
    }
    strbuf_addch(&input->raw, byte);
    if (input->raw.length - start < utf8_length((unsigned char)input->raw.data[start]))
        return;
    if (text_decode(input->raw.data + start, input->raw.length - start, &codepoint) == 1)
        codepoint = INPUT_KEY_INVALID;
    emit_key(input, codepoint, 0);
}

static void escape_byte(struct input *input, char byte)
{
    if (byte == '[' || byte == 'O' || byte == ']') {
        strbuf_addch(&input->raw, byte);
        input->state = byte == '[' ? STATE_CSI : byte == 'O' ? STATE_SS3 : STATE_OSC;
        return;
    }
    if (byte == ESC) { /* pressed twice: where the line is slow, both come in one piece */
        emit_key(input, INPUT_KEY_ESCAPE, 0);
        ground_byte(input, byte);
        return;
    }
    input->alt = true;
    ground_byte(input, byte);
}

/* xterm: 1 plus Shift 1, Alt 2, Control 4 (more bits are keys that we do not tell apart). */
static unsigned modifiers_of(unsigned parameter)
{
    return parameter > 1 ? (parameter - 1) & (INPUT_SHIFT | INPUT_ALT | INPUT_CTRL) : 0;
}

/* Keys that end in a letter, after CSI or SS3. 0: not a key. */
static uint32_t letter_key(char final)
{
    static const struct {
        char final;
        uint32_t key;
    } table[] = {
        {'A', INPUT_KEY_UP},     {'B', INPUT_KEY_DOWN},   {'C', INPUT_KEY_RIGHT},
        {'D', INPUT_KEY_LEFT},   {'F', INPUT_KEY_END},    {'H', INPUT_KEY_HOME},
        {'M', INPUT_KEY_ENTER},  {'P', INPUT_KEY_F1},     {'Q', INPUT_KEY_F1 + 1},
        {'R', INPUT_KEY_F1 + 2}, {'S', INPUT_KEY_F1 + 3}, {'Z', INPUT_KEY_TAB},
    };

    for (size_t i = 0; i < COUNT(table); i++)
        if (table[i].final == final)
            return table[i].key;
    return 0;
}

/* Keys of the form CSI number ~ (VT220 and xterm). 0: not a key. */
static uint32_t number_key(unsigned number)
{
    static const uint32_t table[] = {
        [1] = INPUT_KEY_HOME,     [2] = INPUT_KEY_INSERT,   [3] = INPUT_KEY_DELETE,
        [4] = INPUT_KEY_END,      [5] = INPUT_KEY_PAGE_UP,  [6] = INPUT_KEY_PAGE_DOWN,
        [7] = INPUT_KEY_HOME,     [8] = INPUT_KEY_END,      [11] = INPUT_KEY_F1,
        [12] = INPUT_KEY_F1 + 1,  [13] = INPUT_KEY_F1 + 2,  [14] = INPUT_KEY_F1 + 3,
        [15] = INPUT_KEY_F1 + 4,  [17] = INPUT_KEY_F1 + 5,  [18] = INPUT_KEY_F1 + 6,
        [19] = INPUT_KEY_F1 + 7,  [20] = INPUT_KEY_F1 + 8,  [21] = INPUT_KEY_F1 + 9,
        [23] = INPUT_KEY_F1 + 10, [24] = INPUT_KEY_F1 + 11,
    };

    return number < COUNT(table) ? table[number] : 0;
}

/* CSI code ; modifiers u: the key is its code point. */
static uint32_t code_key(unsigned code)
{
    switch (code) {
    case '\r':
        return INPUT_KEY_ENTER;
    case '\t':
        return INPUT_KEY_TAB;
    case 0x7f:
        return INPUT_KEY_BACKSPACE;
    case ESC:
        return INPUT_KEY_ESCAPE;
    default:
        return code >= 0x20 && code < 0x110000 ? code : 0;
    }
}

/* The first two parameters of the sequence; 0 where absent. Sub-parameters (after ':') are passed
 * over. */
static void csi_parameters(const char *text, unsigned parameters[2])
{
    parameters[0] = parameters[1] = 0;
    for (size_t i = 0; i < 2; i++) {
        char *end;
        unsigned long value = strtoul(text, &end, 10);

        parameters[i] = value < 0x200000 ? (unsigned)value : 0;
        text = end + strcspn(end, ";");
        if (*text != ';')
            return;
        text++;
    }
}

/* "CSI < code ; column ; row M", with m at the end for a release (xterm's SGR coding). */
static void csi_mouse(struct input *input, const char *body, char final)
{
    unsigned code, column, row;
    struct input_event event = {.kind = INPUT_MOUSE};

    if ((final != 'M' && final != 'm') || sscanf(body, "<%3u;%5u;%5u", &code, &column, &row) != 3 ||
        column == 0 || row == 0) {
        emit(input, INPUT_UNKNOWN, 0, 0);
        return;
    }
    event.modifiers = (code & 4 ? (unsigned)INPUT_SHIFT : 0) |
                      (code & 8 ? (unsigned)INPUT_ALT : 0) | (code & 16 ? (unsigned)INPUT_CTRL : 0);
    event.mouse = (struct input_mouse){
        .kind = code & 32      ? INPUT_MOUSE_MOTION
                : final == 'm' ? INPUT_MOUSE_RELEASE
                               : INPUT_MOUSE_PRESS,
        .button = code & 128  ? (int)(code & 3) + 8
                  : code & 64 ? (int)(code & 3) + 4
                              : (int)((code & 3) + 1) % 4,
        .row = (int)row - 1,
        .column = (int)column - 1,
    };
    emit_event(input, event);
}

static void csi_question(struct input *input, const char *body, char final)
{
    /* DECRPM, "CSI ? 2026 ; value $ y": 0 is not recognized, 4 permanently off. */
    if (final == 'y' && strncmp(body, "?2026;", 6) == 0 && body[6] != '0' && body[6] != '4')
        emit(input, INPUT_SYNC_KNOWN, 0, 0);
    else
        emit(input, INPUT_UNKNOWN, 0, 0);
}

static void csi_final(struct input *input, char final)
{
    const char *body = input->raw.data + 2;
    unsigned parameters[2];
    unsigned modifiers;
    uint32_t key;

    if (*body == '<') {
        csi_mouse(input, body, final);
        return;
    }
    if (*body == '?' || *body == '>' || *body == '=') {
        csi_question(input, body, final);
        return;
    }
    csi_parameters(body, parameters);
    if (final == '~' && parameters[0] == 200) {
        input->state = STATE_PASTE;
        input->paste_match = 0;
        input->paste_over = false;
        strbuf_reset(&input->paste);
        strbuf_reset(&input->raw);
        return;
    }
    modifiers = modifiers_of(parameters[1]) | (final == 'Z' ? (unsigned)INPUT_SHIFT : 0);
    key = final == '~'   ? number_key(parameters[0])
          : final == 'u' ? code_key(parameters[0])
                         : letter_key(final);
    if (key == 0)
        emit(input, INPUT_UNKNOWN, 0, 0);
    else
        emit(input, INPUT_KEY, key, modifiers);
}

static void csi_byte(struct input *input, char byte)
{
    strbuf_addch(&input->raw, byte);
    if (byte >= 0x40 && byte <= 0x7e)
        csi_final(input, byte);
    else if (byte < 0x20 || input->raw.length >= SEQUENCE_MAX)
        emit(input, INPUT_UNKNOWN, 0, 0);
}

static void ss3_byte(struct input *input, char byte)
{
    uint32_t key = letter_key(byte);

    strbuf_addch(&input->raw, byte);
    if (key == 0)
        emit(input, INPUT_UNKNOWN, 0, 0);
    else
        emit(input, INPUT_KEY, key, 0);
}

/* "11;rgb:RRRR/GGGG/BBBB" (1 to 4 hex digits each) as 0xRRGGBB; -1 when it is something else. */
static long background_of(const char *text)
{
    long colour = 0;

    if (strncmp(text, "11;rgb:", 7) != 0)
        return -1;
    text += 7;
    for (int i = 0; i < 3; i++) {
        char *end;
        unsigned long value = strtoul(text, &end, 16);
        size_t digits = (size_t)(end - text);

        if (digits < 1 || digits > 4)
            return -1;
        colour = colour << 8 | (long)(value * 255 / ((1UL << (4 * digits)) - 1));
        text = *end == '/' ? end + 1 : end;
    }
    return colour;
}

static void osc_byte(struct input *input, char byte)
{
    size_t length = input->raw.length;
    bool ended = byte == '\a' || (byte == '\\' && length > 2 && input->raw.data[length - 1] == ESC);

    strbuf_addch(&input->raw, byte);
    if (ended) {
        long colour = background_of(input->raw.data + 2);

        if (colour >= 0)
            emit(input, INPUT_BACKGROUND, (uint32_t)colour, 0);
        else
            emit(input, INPUT_UNKNOWN, 0, 0);
    } else if (input->raw.length >= SEQUENCE_MAX) {
        emit(input, INPUT_UNKNOWN, 0, 0);
    }
}

static void paste_end(struct input *input)
{
    struct strbuf text = input->paste;
    struct input_event event = {.kind = INPUT_PASTE};

    if (!input->paste_over) {
        event.bytes = strbuf_str(&text);
        event.length = text.length;
    }
    memset(&input->paste, 0, sizeof(input->paste));
    input->state = STATE_GROUND;
    input->event(input->argument, &event);
    strbuf_free(&text);
}

/* Bytes that looked like the end's beginning and are text after all go into the paste. */
static void paste_byte(struct input *input, char byte)
{
    if (byte == PASTE_END[input->paste_match]) {
        if (++input->paste_match == PASTE_END_LENGTH)
            paste_end(input);
        return;
    }
    strbuf_add(&input->paste, PASTE_END, input->paste_match);
    input->paste_match = byte == ESC ? 1 : 0;
    if (input->paste_match == 0)
        strbuf_addch(&input->paste, byte);
    if (input->paste.length > INPUT_PASTE_MAX) {
        input->paste_over = true;
        strbuf_reset(&input->paste);
    }
}

void input_feed(struct input *input, const char *bytes, size_t length)
{
    input->piece = (input->raw.length > 0 ? input->piece : 0) + length;
    for (size_t i = 0; i < length; i++) {
        switch (input->state) {
        case STATE_GROUND:
            ground_byte(input, bytes[i]);
            break;
        case STATE_UTF8:
            utf8_byte(input, bytes[i]);
            break;
        case STATE_ESCAPE:
            escape_byte(input, bytes[i]);
            break;
        case STATE_CSI:
            csi_byte(input, bytes[i]);
            break;
        case STATE_SS3:
            ss3_byte(input, bytes[i]);
            break;
        case STATE_OSC:
            osc_byte(input, bytes[i]);
            break;
        case STATE_PASTE:
            paste_byte(input, bytes[i]);
            break;
        }
    }
}

bool input_pending(const struct input *input)
{
    return input->state != STATE_GROUND && input->state != STATE_PASTE;
}

void input_timeout(struct input *input)
{
    static const char introducer[] = {[STATE_CSI] = '[', [STATE_SS3] = 'O', [STATE_OSC] = ']'};

    if (!input_pending(input))
        return;
    if (input->state == STATE_ESCAPE)
        emit(input, INPUT_KEY, INPUT_KEY_ESCAPE, 0);
    else if (input->state == STATE_UTF8)
        emit_key(input, INPUT_KEY_INVALID, 0);
    else if (input->raw.length == 2) /* Alt with the character that begins sequences */
        emit(input, INPUT_KEY, (uint32_t)introducer[input->state], INPUT_ALT);
    else
        emit(input, INPUT_UNKNOWN, 0, 0);
}

int64_t input_escape_ms(int64_t chosen)
{
    bool remote = getenv("SSH_CONNECTION") != NULL || getenv("SSH_TTY") != NULL;
    bool multiplexed = getenv("TMUX") != NULL || getenv("STY") != NULL;

    if (chosen > 0)
        return chosen;
    return remote && !multiplexed ? INPUT_ESCAPE_REMOTE_MS : INPUT_ESCAPE_MS;
}
