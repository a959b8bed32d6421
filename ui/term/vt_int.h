/* SPDX-License-Identifier: MIT */
/*
 * vt_int: how a vt is made, for the files vt*.c alone.
 *
 * What libvterm does: cursor movement within margins, line feeds, tab stops, and which cells an
 * erasure, insertion or scroll touches. It is given only the sequences for those, rebuilt with
 * bounded numbers, because 0.1.4 writes beyond its arrays when a sequence has more than 16
 * parameters, loops for ever on a repeat without a character, and keeps positions from before a
 * resize. Text, styles, modes, saved cursors and replies are ours: text goes straight into the
 * grid (several times faster, and the width of a character is text_codepoint_width()'s).
 *
 * So the cursor's row is always libvterm's; its column is `column`, and libvterm is told of it
 * (vt_sync) only before a sequence that depends on it.
 */
#ifndef ASSENT_UI_TERM_VT_INT_H
#define ASSENT_UI_TERM_VT_INT_H

#include "ui/term/grid_edit.h"
#include "ui/term/scan.h"
#include "ui/term/vt.h"

struct VTerm;

enum vt_charset { VT_CHARSET_ASCII, VT_CHARSET_GRAPHICS, VT_CHARSET_UK };

/* Which of the four character sets text is read in. */
struct vt_charsets {
    enum vt_charset sets[4];
    int active; /* index, by SO, SI, LS2, LS3 */
    int single; /* index for the next character alone, 0 for none (SS2, SS3) */
};

/* What DECSC keeps. */
struct vt_saved {
    int row, column;
    bool wrap_pending;
    bool origin;
    struct grid_style pen;
    struct vt_charsets charsets;
};

enum vt_mouse_coding { VT_MOUSE_CODING_BYTES, VT_MOUSE_CODING_SGR };

struct vt {
    struct VTerm *vterm;
    struct grid *grid;
    struct scan scan;
    const struct vt_events *events;
    void *argument;

    int row, column;
    bool column_known; /* to libvterm */
    /* The last character went into the last column, where the cursor still stands: the next one
     * begins a new line first. */
    bool wrap_pending;
    int margin_top, margin_bottom; /* rows [top, bottom) */

    struct grid_style pen;
    struct vt_charsets charsets;
    uint32_t last;            /* character, for REP; 0 for none */
    struct vt_saved saved[2]; /* of the main and the alternate screen */

    unsigned modes; /* enum vt_mode; VT_MODE_ALTERNATE is the grid's */
    bool autowrap, insert, origin;
    bool mouse_presses_only; /* mode 9 */
    enum vt_mouse_coding mouse_coding;
    bool cursor_visible, cursor_blinking;
    enum vt_cursor_shape cursor_shape;

    size_t replied; /* bytes, during this vt_write() */
    char *title;
};

/* ---- vt.c: libvterm ------------------------------------------------------------------------- */

/* Gives libvterm a control sequence with up to two parameters (SCAN_ABSENT to leave one out), and
 * takes its cursor over. */
void vt_feed_csi(struct vt *vt, char leader, int first, int second, char final);
/* The same for bytes that are no parameters: a control, or ESC and a character. */
void vt_feed(struct vt *vt, const char *bytes, size_t length);
/* Line feed: the cursor's column stays. */
void vt_line_feed(struct vt *vt);
/* Tells libvterm the column. */
void vt_sync(struct vt *vt);
/* Moves the cursor to a place on the screen, whatever the origin mode. */
void vt_move_to(struct vt *vt, int row, int column);
/* Sends bytes to the program, whole or not at all. */
void vt_reply(struct vt *vt, const char *bytes, size_t length);
void vt_replyf(struct vt *vt, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Everything as after vt_new(), but the scrollback stays. */
void vt_reset(struct vt *vt);

/* ---- vt_text.c ------------------------------------------------------------------------------ */

void vt_text(struct vt *vt, const char *bytes, size_t length);
/* Writes the last character again. */
void vt_text_repeat(struct vt *vt, int count);
/* ESC ( B and the like: `slot` is 0 to 3. */
void vt_text_designate(struct vt *vt, int slot, char set);

/* ---- vt_sequence.c -------------------------------------------------------------------------- */

void vt_control(struct vt *vt, char control);
void vt_escape(struct vt *vt, const struct scan_sequence *sequence);
void vt_csi(struct vt *vt, const struct scan_sequence *sequence);

/* ---- vt_mode.c ------------------------------------------------------------------------------ */

void vt_mode_set(struct vt *vt, const struct scan_sequence *sequence, bool on); /* CSI … h, l */
void vt_mode_report(struct vt *vt, const struct scan_sequence *sequence);       /* DECRQM */
void vt_mode_save_cursor(struct vt *vt);
void vt_mode_restore_cursor(struct vt *vt);
void vt_mode_set_margins(struct vt *vt, int top, int bottom); /* DECSTBM: from 1, or absent */
void vt_mode_soft_reset(struct vt *vt);                       /* DECSTR */
void vt_mode_set_cursor_style(struct vt *vt, int style);      /* DECSCUSR */

/* ---- vt_string.c ---------------------------------------------------------------------------- */

void vt_string(struct vt *vt, enum scan_string kind, const char *bytes, size_t length);

#endif
