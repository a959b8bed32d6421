/* SPDX-License-Identifier: MIT */
/*
 * text: UTF-8, how wide it is on a terminal, and making untrusted text safe to show.
 *
 * The one place where text from agents, models, files and command output becomes something that
 * a terminal may be given. Nothing is ever stripped: what must not reach a terminal raw becomes
 * a visible mark, "<ESC>", "<U+202E>", "<0xFF>".
 */
#ifndef ASSENT_BASE_TEXT_H
#define ASSENT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Decodes one character at `bytes` (length > 0). Returns the bytes it takes (1 to 4) and stores
 * the code point, or returns 1 and stores TEXT_INVALID for a byte that is not the start of a
 * well-formed character (overlong forms, surrogates and > U+10FFFF are not well formed). */
#define TEXT_INVALID UINT32_MAX
size_t text_decode(const char *bytes, size_t length, uint32_t *codepoint);
/* Encodes a code point; returns the bytes written (1 to 4). */
size_t text_encode(uint32_t codepoint, char out[4]);
bool text_valid_utf8(const char *bytes, size_t length);

/* Columns that a character takes on a terminal: 0 (combining, ignorable), 1 or 2. The one width
 * table of the project (pane grids, layout, escaping); Unicode 15 East Asian Width, emoji with
 * default emoji presentation are 2. Controls give 0. */
int text_codepoint_width(uint32_t codepoint);
/* Letters, marks and signs of scripts that are written from right to left: a terminal that orders
 * text reorders what stands beside them in the row. */
bool text_right_to_left(uint32_t codepoint);
/* Columns of well-formed text without controls. */
size_t text_width(const char *text, size_t length);
/* Bytes of the longest prefix that fits into `columns`; never splits a character or separates
 * a base character from its combining marks. */
size_t text_fit(const char *text, size_t length, size_t columns);
/* Blanks that `text` lacks to fill `columns`: for "%s%*s", where "%-9s" would count bytes. */
int text_padding(const char *text, size_t columns);
/* The last place up to byte `limit` where a line of prose may end: behind a blank or, at `limit`,
 * before one, or beside a wide character, which needs none, unless punctuation would be torn off
 * what it belongs to. 0: there is none. */
size_t text_break(const char *text, size_t length, size_t limit);

/* The last place behind byte `least` and up to `limit` (both at most `length`) where a command that
 * was made safe may be broken: behind a blank and before what is none, so that the blanks end the
 * line. Not behind one that a backslash takes, which would look like a line that the shell goes on
 * with, nor within a mark. 0: there is none. */
size_t text_break_blank(const char *text, size_t length, size_t least, size_t limit);
/* Where the mark of text made safe begins that byte `at` is inside of; else `at`. */
size_t text_mark_start(const char *text, size_t at);

enum text_flags {
    TEXT_KEEP_NEWLINES = 1, /* "\n" stays a line break (multi-line regions); else it is "<LF>" */
    TEXT_PLAIN_AGENT = 2,   /* box drawing and block elements are escaped too, so that an agent's
                               words cannot draw frames; and what marks lines that go on */
    TEXT_PROSE = 4,         /* for words to read, never for what will be run: the dashes, quotes,
                               ellipsis and fullwidth punctuation of ordinary writing are shown */
    TEXT_TABS = 8,          /* for what has several lines, where tabs are ordinary: up to 8 in a row
                               are TEXT_TAB_SHOWN each, and not counted as replaced; and a line may
                               begin with a patch's sign and then with 32 spaces */
    TEXT_BREAKS = 16,       /* in one line up to 8 newlines in a row are TEXT_BREAK_SHOWN each, and
                               not counted as replaced: for a screen that shows more than ASCII */
};

/* The arrow is shown for nothing else under TEXT_TABS. */
#define TEXT_TAB_ARROW 0x21E5
#define TEXT_TAB_SHOWN "\xe2\x87\xa5   "

/* A pilcrow, and shown for nothing else under TEXT_BREAKS, nor is what looks like it. */
#define TEXT_BREAK 0xB6
#define TEXT_BREAK_SHOWN "\xc2\xb6"

/* What marks a line that goes on: "↳". */
#define TEXT_GOES_ON 0x21B3

/* TEXT_TABS for a text of more than one line, else 0. */
unsigned text_tabs_of(const char *text, size_t length);

/* Appends `text` made safe: well-formed printable UTF-8 only. Controls, C1, escape, bidi controls,
 * right-to-left letters (shown raw they would reorder what is around them), zero-width and other
 * invisible or blank-looking characters, odd spaces, look-alikes of operators, quotes and dashes,
 * variation selectors, tags, private use, unassigned and invalid bytes become marks, and so does
 * what is not in Unicode's normalization form C; a base character keeps at most two combining
 * marks; runs of one mark are counted ("<BEL x1000>"), runs of more than 8 spaces or newlines
 * become "[5000 spaces]", "[200 newlines]" (where line breaks are kept, a line may begin with 32
 * spaces).
 * Linear time; at most 6 bytes of output for a byte of input.
 * Returns how many bytes or characters of the input were replaced: 0 means that the text is shown
 * as it is. */
size_t text_escape(struct strbuf *out, const char *text, size_t length, unsigned flags);

/* As text_escape() of one line, then cut to `columns` with "…" when it does not fit, but not within
 * a mark. */
char *text_line(const char *text, size_t length, size_t columns);
/* The same under those flags. */
char *text_line_as(const char *text, size_t length, size_t columns, unsigned flags);
/* The same, cut in the middle: both ends of it are there, unless there is hardly room. */
#define TEXT_LINE_ENDS_MIN 12 /* "curl -s…| sh" */
char *text_line_ends(const char *text, size_t length, size_t columns, unsigned flags);
/* The same of a path, where that can be between its parts: "/home/…/data/file". What it ends in is
 * the last to go. */
#define TEXT_ENDS_MIN 16
char *text_path_ends(const char *path, size_t length, size_t columns);
/* The same of words to read, TEXT_PROSE: notices, reasons, why something failed. */
char *text_sentence(const char *text, size_t length, size_t columns);

/* Where `wanted` (not empty) stands first; NULL: nowhere. Small letters stand for capitals too,
 * unless it has a capital. */
const char *text_search(const char *text, size_t length, const char *wanted);

/* Less than, equal to or greater than 0, as strcmp(), but numbers go by what they count: "g2" comes
 * before "g10". 0 only for the same bytes. */
int text_compare(const char *one, const char *other);

/* Are both NULL, or the same bytes? */
bool text_same(const char *one, const char *other);

/* Appends argv as one shell line that a POSIX shell reads back as the same argv (quotes only where
 * needed). Not escaped for display: give the result to text_escape(). */
void text_quote_argv(struct strbuf *out, const char *const *argv);

/* True when a word of the text (letters and digits between ASCII punctuation) mixes scripts that
 * look alike (Latin with Cyrillic or Greek letters), holds styled forms of Latin letters
 * (fullwidth, mathematical, phonetic), or is all Cyrillic or Greek letters that look Latin: a
 * reason to show a badge and the code points. */
bool text_mixed_scripts(const char *text, size_t length);

#endif
