/* SPDX-License-Identifier: MIT */
/*
 * text_escape: untrusted text becomes text that a terminal may be given.
 *
 * What is shown as it is, is in Unicode's normalization form C; the rest becomes marks. So two
 * different texts never look the same by normalization alone: of "é" and "e" + U+0301 the second
 * is shown as "e<U+0301>".
 */
#include "config.h"

#include "base/text.h"
#include "base/text_tables.h"

#include <string.h>

#define RUN_MAX 8     /* longer runs of spaces or newlines are counted instead of shown */
#define INDENT_MAX 32 /* the same for spaces at the beginning of a line of many */
#define MARKS_MAX 2   /* combining marks on one character */
#define MARK_SIZE 16  /* "<U+10FFFF>" and more */

struct escaper {
    struct strbuf *out;
    unsigned flags;
    size_t replaced;
    char mark[MARK_SIZE]; /* the mark that is being counted, "" when none */
    size_t mark_count;
    uint32_t base;         /* the character shown last if it may take combining marks, else 0 */
    unsigned marks, order; /* marks on it, and the combining class of the last */
};

static void flush_mark(struct escaper *escaper)
{
    if (escaper->mark_count == 0)
        return;
    if (escaper->mark_count == 1)
        strbuf_addstr(escaper->out, escaper->mark);
    else /* within the mark: behind it the count would run into the text that follows */
        strbuf_addf(escaper->out, "%.*s x%zu>", (int)strlen(escaper->mark) - 1, escaper->mark,
                    escaper->mark_count);
    escaper->mark_count = 0;
}

static void add_mark(struct escaper *escaper, const char *mark)
{
    if (escaper->mark_count > 0 && strcmp(mark, escaper->mark) != 0)
        flush_mark(escaper);
    if (escaper->mark_count == 0)
        memcpy(escaper->mark, mark, strlen(mark) + 1);
    escaper->mark_count++;
    escaper->replaced++;
    escaper->base = 0;
}

/* PREFIX, at least `digits` hexadecimal digits, ">". By hand: printf takes ten times as long, and a
 * megabyte of invalid bytes must not hold the console up. */
static void add_hex_mark(struct escaper *escaper, const char *prefix, uint32_t value, int digits)
{
    char mark[MARK_SIZE];
    size_t used = strlen(prefix);
    memcpy(mark, prefix, used);
    while (digits < 6 && value >> (4 * digits) != 0)
        digits++;
    while (digits-- > 0)
        mark[used++] = "0123456789ABCDEF"[value >> (4 * digits) & 0xF];
    memcpy(mark + used, ">", 2);
    add_mark(escaper, mark);
}

static void add_codepoint_mark(struct escaper *escaper, uint32_t codepoint)
{
    add_hex_mark(escaper, "<U+", codepoint, 4);
}

static void add_byte_mark(struct escaper *escaper, unsigned char byte)
{
    add_hex_mark(escaper, "<0x", byte, 2);
}

static void add_control_mark(struct escaper *escaper, uint32_t codepoint)
{
    static const char names[][6] = {"<NUL>", "<SOH>", "<STX>", "<ETX>", "<EOT>", "<ENQ>", "<ACK>",
                                    "<BEL>", "<BS>",  "<TAB>", "<LF>",  "<VT>",  "<FF>",  "<CR>",
                                    "<SO>",  "<SI>",  "<DLE>", "<DC1>", "<DC2>", "<DC3>", "<DC4>",
                                    "<NAK>", "<SYN>", "<ETB>", "<CAN>", "<EM>",  "<SUB>", "<ESC>",
                                    "<FS>",  "<GS>",  "<RS>",  "<US>"};
    add_mark(escaper, codepoint < 0x20 ? names[codepoint] : "<DEL>");
}

/* ---- blanks -------------------------------------------------------------------------------- */

/* "[5000 spaces]": instead of blanks that push the rest out of sight. */
static void add_count(struct escaper *escaper, size_t count, const char *what)
{
    strbuf_addf(escaper->out, "[%zu %s]", count, what);
}

static size_t count_run(const char *text, size_t length, char byte)
{
    size_t count = 0;
    while (count < length && text[count] == byte)
        count++;
    return count;
}

static void add_spaces(struct escaper *escaper, size_t count, size_t limit)
{
    flush_mark(escaper);
    escaper->base = 0;
    if (count <= limit) {
        static const char spaces[] = "                                ";
        _Static_assert(sizeof spaces == INDENT_MAX + 1, "as many as are ever shown");
        strbuf_add(escaper->out, spaces, count);
        return;
    }
    add_count(escaper, count, "spaces");
    escaper->replaced += count;
}

/* Newlines that are no line breaks here. */
static void add_newline_marks(struct escaper *escaper, size_t count)
{
    if (count > RUN_MAX) {
        flush_mark(escaper);
        add_count(escaper, count, "newlines");
        escaper->replaced += count;
        escaper->base = 0;
        return;
    }
    if ((escaper->flags & TEXT_BREAKS) == 0) {
        for (size_t i = 0; i < count; i++)
            add_control_mark(escaper, '\n');
        return;
    }
    flush_mark(escaper);
    escaper->base = 0;
    for (size_t i = 0; i < count; i++)
        strbuf_addstr(escaper->out, TEXT_BREAK_SHOWN);
}

/* Line breaks, and lines that hold nothing but spaces: many of them are counted in a line of their
 * own, so that what follows stays in sight at the beginning of its line. Returns the bytes used,
 * without the spaces after the last newline. */
static size_t add_line_breaks(struct escaper *escaper, const char *text, size_t length)
{
    size_t newlines = 0, used = 0;
    for (size_t i = 0; i < length && (text[i] == ' ' || text[i] == '\n'); i++) {
        if (text[i] == '\n') {
            newlines++;
            used = i + 1;
        }
    }
    flush_mark(escaper);
    escaper->base = 0;
    if (newlines > RUN_MAX) {
        strbuf_addch(escaper->out, '\n');
        add_count(escaper, newlines, "newlines");
        strbuf_addch(escaper->out, '\n');
        escaper->replaced += used;
        return used;
    }
    for (size_t i = 0; i < used;) {
        size_t spaces = count_run(text + i, used - i, ' ');
        if (spaces > 0)
            add_spaces(escaper, spaces, RUN_MAX);
        i += spaces;
        if (i < used)
            strbuf_addch(escaper->out, text[i++]);
    }
    return used;
}

/* A run of spaces or of newlines at the beginning of `text`; returns the bytes used. */
static size_t add_blanks(struct escaper *escaper, const char *text, size_t length, bool line_start)
{
    bool lines = escaper->flags & TEXT_KEEP_NEWLINES;
    if (*text == '\n' && lines)
        return add_line_breaks(escaper, text, length);
    size_t count = count_run(text, length, *text);
    if (*text == '\n')
        add_newline_marks(escaper, count);
    else
        add_spaces(escaper, count, lines && line_start ? INDENT_MAX : RUN_MAX);
    return count;
}

/* Tabs in a text of lines. Returns the bytes used; 0 when they are to be marked like others. */
static size_t add_tabs(struct escaper *escaper, const char *text, size_t length)
{
    size_t count = count_run(text, length, '\t');
    if ((escaper->flags & TEXT_TABS) == 0 || count > RUN_MAX)
        return 0;
    flush_mark(escaper);
    escaper->base = 0;
    for (size_t i = 0; i < count; i++)
        strbuf_addstr(escaper->out, TEXT_TAB_SHOWN);
    return count;
}

/* ---- characters ---------------------------------------------------------------------------- */

static const struct text_mark *find_mark(uint32_t codepoint)
{
    size_t low = 0, high = text_marks_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct text_mark *mark = &text_marks[middle];
        if (codepoint > mark->last)
            low = middle + 1;
        else if (codepoint < mark->first)
            high = middle;
        else
            return mark;
    }
    return NULL;
}

static bool composes(uint32_t base, uint32_t mark)
{
    size_t low = 0, high = text_pairs_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct text_pair *pair = &text_pairs[middle];
        if (pair->mark < mark || (pair->mark == mark && pair->base < base))
            low = middle + 1;
        else
            high = middle;
    }
    return low < text_pairs_count && text_pairs[low].mark == mark && text_pairs[low].base == base;
}

/* A mark is shown on a letter that takes it, in canonical order. Not on ASCII punctuation and
 * marks of ours: it would disguise them. */
static bool mark_is_shown(const struct escaper *escaper, const struct text_mark *mark,
                          uint32_t codepoint)
{
    if (escaper->base == 0 || escaper->marks >= MARKS_MAX)
        return false;
    if (mark->order != 0 && mark->order < escaper->order)
        return false;
    return !composes(escaper->base, codepoint) &&
           !text_range_has(text_composed, text_composed_count, escaper->base);
}

/* Punctuation of ordinary prose that would imitate the shell's in a command: dashes, quotes,
 * ellipsis, CJK and fullwidth punctuation. */
static bool is_prose_punctuation(uint32_t codepoint)
{
    return (codepoint >= 0x2010 && codepoint <= 0x2027) ||
           (codepoint >= 0x3001 && codepoint <= 0x303F) ||
           (codepoint >= 0xFF01 && codepoint <= 0xFF65);
}

/* Box drawing, block elements, scan lines, legacy computing symbols. */
static bool draws_frames(uint32_t codepoint)
{
    return (codepoint >= 0x2500 && codepoint <= 0x259F) ||
           (codepoint >= 0x23BA && codepoint <= 0x23BD) ||
           (codepoint >= 0x1FB00 && codepoint <= 0x1FBFF);
}

/* The pilcrow, turned round, ornamental and old. */
static bool looks_like_break(uint32_t codepoint)
{
    return codepoint == TEXT_BREAK || codepoint == 0x204B || codepoint == 0x2761 ||
           codepoint == 0x2E3F || codepoint == 0x2E4D;
}

static bool must_not_show(const struct escaper *escaper, uint32_t codepoint)
{
    if (text_range_has(text_always, text_always_count, codepoint) ||
        (escaper->flags & TEXT_TABS && codepoint == TEXT_TAB_ARROW) ||
        (escaper->flags & TEXT_BREAKS && looks_like_break(codepoint)))
        return true;
    if (text_range_has(text_lookalike, text_lookalike_count, codepoint))
        return !(escaper->flags & TEXT_PROSE) || !is_prose_punctuation(codepoint);
    return escaper->flags & TEXT_PLAIN_AGENT &&
           (draws_frames(codepoint) || codepoint == TEXT_GOES_ON);
}

static void show(struct escaper *escaper, const char *bytes, size_t length)
{
    flush_mark(escaper);
    strbuf_add(escaper->out, bytes, length);
}

static void add_beyond_ascii(struct escaper *escaper, const char *bytes, size_t length,
                             uint32_t codepoint)
{
    if (must_not_show(escaper, codepoint)) {
        add_codepoint_mark(escaper, codepoint);
        return;
    }
    const struct text_mark *mark = find_mark(codepoint);
    if (mark && !mark_is_shown(escaper, mark, codepoint)) {
        add_codepoint_mark(escaper, codepoint);
        return;
    }
    show(escaper, bytes, length);
    if (mark) {
        escaper->marks++;
        escaper->order = mark->order;
        return;
    }
    escaper->base = codepoint;
    escaper->marks = escaper->order = 0;
}

static bool is_ascii_letter_or_digit(unsigned char byte)
{
    return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

/* Visible ASCII, most of all text, as long as it goes. Returns the bytes used. */
static size_t add_ascii(struct escaper *escaper, const char *text, size_t length)
{
    size_t count = 0;
    while (count < length && text[count] > ' ' && text[count] < 0x7F)
        count++;
    if (count == 0)
        return 0;
    show(escaper, text, count);
    unsigned char last = (unsigned char)text[count - 1];
    escaper->base = is_ascii_letter_or_digit(last) ? last : 0;
    escaper->marks = escaper->order = 0;
    return count;
}

/* One character that is not visible ASCII or a blank. Returns the bytes used. */
static size_t add_character(struct escaper *escaper, const char *text, size_t length)
{
    uint32_t codepoint;
    size_t size = text_decode(text, length, &codepoint);
    if (codepoint == TEXT_INVALID)
        add_byte_mark(escaper, (unsigned char)*text);
    else if (codepoint < 0x80)
        add_control_mark(escaper, codepoint);
    else
        add_beyond_ascii(escaper, text, size, codepoint);
    return size;
}

/* Is that where a line's indentation is? */
static bool begins_line(const char *text, size_t at, unsigned flags)
{
    if (at > 0 && flags & TEXT_TABS && (text[at - 1] == '+' || text[at - 1] == '-'))
        at--;
    return at == 0 || text[at - 1] == '\n';
}

size_t text_escape(struct strbuf *out, const char *text, size_t length, unsigned flags)
{
    struct escaper escaper = {.out = out, .flags = flags};
    for (size_t i = 0; i < length;) {
        size_t used = add_ascii(&escaper, text + i, length - i);
        if (used == 0 && (text[i] == ' ' || text[i] == '\n'))
            used = add_blanks(&escaper, text + i, length - i, begins_line(text, i, flags));
        if (used == 0 && text[i] == '\t' && (i == 0 || text[i - 1] != '\t'))
            used = add_tabs(&escaper, text + i, length - i);
        if (used == 0)
            used = add_character(&escaper, text + i, length - i);
        i += used;
    }
    flush_mark(&escaper);
    return escaper.replaced;
}

unsigned text_tabs_of(const char *text, size_t length)
{
    return memchr(text, '\n', length) != NULL ? TEXT_TABS : 0;
}
