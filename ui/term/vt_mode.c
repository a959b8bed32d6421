/* SPDX-License-Identifier: MIT */
/* Modes, margins, saved cursors and the alternate screen. */
#include "config.h"

#include "ui/term/vt_int.h"

/* Numbers of modes, ANSI and DEC private. */
enum {
    IRM = 4,
    LNM = 20,
    DECCKM = 1,
    DECSCNM = 5,
    DECOM = 6,
    DECAWM = 7,
    MOUSE_X10 = 9,
    CURSOR_BLINK = 12,
    DECTCEM = 25,
    ALTERNATE_PLAIN = 47,
    DECNKM = 66,
    MOUSE_CLICK = 1000,
    MOUSE_DRAG = 1002,
    MOUSE_MOVE = 1003,
    FOCUS = 1004,
    MOUSE_SGR = 1006,
    ALTERNATE = 1047,
    SAVE_CURSOR = 1048,
    ALTERNATE_SAVE = 1049,
    BRACKETED_PASTE = 2004,
    SYNCHRONISED = 2026,
};

static void set_bit(struct vt *vt, unsigned bit, bool on)
{
    vt->modes = on ? vt->modes | bit : vt->modes & ~bit;
}

/* The bit of a mode that is nothing but a bit, or 0. */
static unsigned simple_mode(int number)
{
    switch (number) {
    case DECCKM:
        return VT_MODE_CURSOR_KEYS;
    case DECSCNM:
        return VT_MODE_REVERSE;
    case DECNKM:
        return VT_MODE_KEYPAD;
    case FOCUS:
        return VT_MODE_FOCUS;
    case BRACKETED_PASTE:
        return VT_MODE_BRACKETED_PASTE;
    case SYNCHRONISED:
        return VT_MODE_SYNC;
    default:
        return 0;
    }
}

static unsigned mouse_mode(int number)
{
    switch (number) {
    case MOUSE_X10:
    case MOUSE_CLICK:
        return VT_MODE_MOUSE_CLICK;
    case MOUSE_DRAG:
        return VT_MODE_MOUSE_CLICK | VT_MODE_MOUSE_DRAG;
    case MOUSE_MOVE:
        return VT_MODE_MOUSE_CLICK | VT_MODE_MOUSE_DRAG | VT_MODE_MOUSE_MOVE;
    default:
        return 0;
    }
}

static void set_mouse(struct vt *vt, int number, bool on)
{
    set_bit(vt, VT_MODE_MOUSE, false);
    set_bit(vt, mouse_mode(number), on);
    vt->mouse_presses_only = on && number == MOUSE_X10;
}

static void set_origin(struct vt *vt, bool on)
{
    vt->origin = on;
    vt_feed_csi(vt, '?', DECOM, SCAN_ABSENT, on ? 'h' : 'l');
    vt->wrap_pending = false;
}

static void set_alternate(struct vt *vt, bool on)
{
    grid_set_alternate(vt->grid, on);
}

static void set_alternate_and_save(struct vt *vt, bool on)
{
    if (on)
        vt_mode_save_cursor(vt);
    set_alternate(vt, on);
    if (!on)
        vt_mode_restore_cursor(vt);
}

static void save_or_restore(struct vt *vt, bool save)
{
    if (save)
        vt_mode_save_cursor(vt);
    else
        vt_mode_restore_cursor(vt);
}

static void set_private_mode(struct vt *vt, int number, bool on)
{
    set_bit(vt, simple_mode(number), on);
    switch (number) {
    case DECSCNM:
        grid_touch(vt->grid);
        break;
    case DECOM:
        set_origin(vt, on);
        break;
    case DECAWM:
        vt->autowrap = on;
        break;
    case CURSOR_BLINK:
        vt->cursor_blinking = on;
        break;
    case DECTCEM:
        vt->cursor_visible = on;
        break;
    case MOUSE_X10:
    case MOUSE_CLICK:
    case MOUSE_DRAG:
    case MOUSE_MOVE:
        set_mouse(vt, number, on);
        break;
    case MOUSE_SGR:
        vt->mouse_coding = on ? VT_MOUSE_CODING_SGR : VT_MOUSE_CODING_BYTES;
        break;
    case ALTERNATE_PLAIN:
    case ALTERNATE:
        set_alternate(vt, on);
        break;
    case SAVE_CURSOR:
        save_or_restore(vt, on);
        break;
    case ALTERNATE_SAVE:
        set_alternate_and_save(vt, on);
        break;
    default:
        break;
    }
}

static void set_ansi_mode(struct vt *vt, int number, bool on)
{
    if (number == IRM)
        vt->insert = on;
    else if (number == LNM)
        set_bit(vt, VT_MODE_NEWLINE, on);
}

void vt_mode_set(struct vt *vt, const struct scan_sequence *sequence, bool on)
{
    for (int i = 0; i < sequence->count; i++) {
        if (sequence->leader == '?')
            set_private_mode(vt, sequence->values[i], on);
        else
            set_ansi_mode(vt, sequence->values[i], on);
    }
}

/* ---- reports --------------------------------------------------------------------------------- */

enum { REPORT_UNKNOWN = 0, REPORT_SET = 1, REPORT_RESET = 2 };

static int report(bool on)
{
    return on ? REPORT_SET : REPORT_RESET;
}

static int private_mode_state(const struct vt *vt, int number)
{
    if (simple_mode(number))
        return report(vt->modes & simple_mode(number));
    switch (number) {
    case DECOM:
        return report(vt->origin);
    case DECAWM:
        return report(vt->autowrap);
    case CURSOR_BLINK:
        return report(vt->cursor_blinking);
    case DECTCEM:
        return report(vt->cursor_visible);
    case MOUSE_X10:
        return report(vt->mouse_presses_only);
    case MOUSE_CLICK:
    case MOUSE_DRAG:
    case MOUSE_MOVE:
        return report(!vt->mouse_presses_only && (vt->modes & VT_MODE_MOUSE) == mouse_mode(number));
    case MOUSE_SGR:
        return report(vt->mouse_coding == VT_MOUSE_CODING_SGR);
    case ALTERNATE_PLAIN:
    case ALTERNATE:
    case ALTERNATE_SAVE:
        return report(grid_alternate(vt->grid));
    default:
        return REPORT_UNKNOWN;
    }
}

static int ansi_mode_state(const struct vt *vt, int number)
{
    if (number == IRM)
        return report(vt->insert);
    return number == LNM ? report(vt->modes & VT_MODE_NEWLINE) : REPORT_UNKNOWN;
}

void vt_mode_report(struct vt *vt, const struct scan_sequence *sequence)
{
    int number = sequence->values[0] == SCAN_ABSENT ? 0 : sequence->values[0];
    if (sequence->leader == '?')
        vt_replyf(vt, "\033[?%d;%d$y", number, private_mode_state(vt, number));
    else
        vt_replyf(vt, "\033[%d;%d$y", number, ansi_mode_state(vt, number));
}

/* ---- cursor and margins ---------------------------------------------------------------------- */

static struct vt_saved *saved_slot(struct vt *vt)
{
    return &vt->saved[grid_alternate(vt->grid)];
}

void vt_mode_save_cursor(struct vt *vt)
{
    *saved_slot(vt) = (struct vt_saved){
        .row = vt->row,
        .column = vt->column,
        .wrap_pending = vt->wrap_pending,
        .origin = vt->origin,
        .pen = vt->pen,
        .charsets = vt->charsets,
    };
}

void vt_mode_restore_cursor(struct vt *vt)
{
    struct vt_saved saved = *saved_slot(vt);
    if (saved.origin != vt->origin)
        set_origin(vt, saved.origin);
    vt->pen = saved.pen;
    vt->charsets = saved.charsets;
    int rows = grid_rows(vt->grid), columns = grid_columns(vt->grid);
    vt_move_to(vt, saved.row < rows ? saved.row : rows - 1,
               saved.column < columns ? saved.column : columns - 1);
    vt->wrap_pending = saved.wrap_pending && vt->column == columns - 1;
}

void vt_mode_set_margins(struct vt *vt, int top, int bottom)
{
    int rows = grid_rows(vt->grid);
    int first = top > 0 ? top - 1 : 0;
    int end = bottom > 0 && bottom < rows ? bottom : rows;
    if (first + 1 >= end) /* fewer than two rows are no margins: DEC terminals ignore that */
        return;
    vt->margin_top = first;
    vt->margin_bottom = end;
    vt_feed_csi(vt, 0, first + 1, end, 'r');
    vt->wrap_pending = false;
}

void vt_mode_soft_reset(struct vt *vt)
{
    int row = vt->row, column = vt->column;
    vt->origin = false;
    vt_feed_csi(vt, '?', DECOM, SCAN_ABSENT, 'l');
    vt_mode_set_margins(vt, SCAN_ABSENT, SCAN_ABSENT);
    vt_move_to(vt, row, column);
    vt->pen = (struct grid_style){0};
    vt->charsets = (struct vt_charsets){0};
    vt->insert = false;
    vt->autowrap = true;
    vt->cursor_visible = true;
    set_bit(vt, VT_MODE_CURSOR_KEYS | VT_MODE_KEYPAD, false);
    *saved_slot(vt) = (struct vt_saved){0};
}

void vt_mode_set_cursor_style(struct vt *vt, int style)
{
    if (style > 6)
        return;
    vt->cursor_blinking = style == 0 || style % 2 == 1;
    vt->cursor_shape = style <= 2   ? VT_CURSOR_BLOCK
                       : style <= 4 ? VT_CURSOR_UNDERLINE
                                    : VT_CURSOR_BAR;
}
