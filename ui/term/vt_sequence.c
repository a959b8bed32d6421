/* SPDX-License-Identifier: MIT */
/* Controls, escape sequences and control sequences: what each one does. */
#include "config.h"

#include "base/strbuf.h"
#include "ui/term/pen.h"
#include "ui/term/vt_int.h"

/* One number for leader, intermediate and final byte. */
#define KEY(leader, intermediate, final) ((leader) << 16 | (intermediate) << 8 | (final))

static void carriage_return(struct vt *vt)
{
    vt->column_known = vt->column_known && vt->column == 0;
    vt->column = 0;
    vt->wrap_pending = false;
}

static void line_feed(struct vt *vt)
{
    vt_line_feed(vt);
    vt->wrap_pending = false;
    if (vt->modes & VT_MODE_NEWLINE)
        carriage_return(vt);
}

static void backspace(struct vt *vt)
{
    if (vt->column > 0) {
        vt->column--;
        vt->column_known = false;
    }
    vt->wrap_pending = false;
}

void vt_control(struct vt *vt, char control)
{
    switch (control) {
    case '\a':
        if (vt->events->bell)
            vt->events->bell(vt->argument);
        break;
    case '\b':
        backspace(vt);
        break;
    case '\t':
        vt_feed(vt, "\t", 1);
        break;
    case '\n':
    case '\v':
    case '\f':
        line_feed(vt);
        break;
    case '\r':
        carriage_return(vt);
        break;
    default: /* SO and SI */
        vt->charsets.active = control == 0x0e;
        break;
    }
}

/* DECALN: a screen full of E, to adjust the focus of a tube by. */
static void fill_screen(struct vt *vt)
{
    static const struct grid_style plain;
    vt_mode_set_margins(vt, SCAN_ABSENT, SCAN_ABSENT);
    for (int row = 0; row < grid_rows(vt->grid); row++) {
        for (int column = 0; column < grid_columns(vt->grid); column++)
            grid_put_ascii(vt->grid, row, column, "E", 1, &plain);
    }
}

static void feed_escape(struct vt *vt, char final)
{
    vt_feed(vt, (char[]){'\033', final}, 2);
}

static void plain_escape(struct vt *vt, char final)
{
    switch (final) {
    case '7':
        vt_mode_save_cursor(vt);
        break;
    case '8':
        vt_mode_restore_cursor(vt);
        break;
    case '=':
        vt->modes |= VT_MODE_KEYPAD;
        break;
    case '>':
        vt->modes &= ~(unsigned)VT_MODE_KEYPAD;
        break;
    case 'D': /* IND, NEL, RI */
    case 'E':
    case 'M':
        feed_escape(vt, final);
        vt->wrap_pending = false;
        break;
    case 'H': /* HTS */
        feed_escape(vt, final);
        break;
    case 'N': /* SS2, SS3 */
    case 'O':
        vt->charsets.single = final == 'N' ? 2 : 3;
        break;
    case 'Z': /* DECID */
        vt_feed_csi(vt, 0, 0, SCAN_ABSENT, 'c');
        break;
    case 'c':
        vt_reset(vt);
        break;
    case 'n': /* LS2, LS3 */
    case 'o':
        vt->charsets.active = final == 'n' ? 2 : 3;
        break;
    default:
        break;
    }
}

void vt_escape(struct vt *vt, const struct scan_sequence *sequence)
{
    switch (sequence->intermediate) {
    case 0:
        plain_escape(vt, sequence->final);
        break;
    case '#':
        if (sequence->final == '8')
            fill_screen(vt);
        break;
    case '(':
    case ')':
    case '*':
    case '+':
        vt_text_designate(vt, sequence->intermediate - '(', sequence->final);
        break;
    default:
        break;
    }
}

/* ---- control sequences ----------------------------------------------------------------------- */

/* The parameter, or `absent` if it was left out or is not there. */
static int value(const struct scan_sequence *sequence, int index, int absent)
{
    if (index >= sequence->count || sequence->values[index] == SCAN_ABSENT)
        return absent;
    return sequence->values[index];
}

static void feed_sequence(struct vt *vt, const struct scan_sequence *sequence)
{
    vt_feed_csi(vt, sequence->leader, value(sequence, 0, SCAN_ABSENT),
                value(sequence, 1, SCAN_ABSENT), sequence->final);
}

/* ICH and DCH, on any row: libvterm's do nothing outside of the margins. */
static void shift_line(struct vt *vt, const struct scan_sequence *sequence)
{
    int count = value(sequence, 0, 1);
    struct grid_area rest = {vt->row, vt->row + 1, vt->column, grid_columns(vt->grid)};
    count = count > 0 ? count : 1;
    grid_shift(vt->grid, rest, sequence->final == '@' ? -count : count, &vt->pen);
    vt->wrap_pending = false;
}

static void erase_display(struct vt *vt, const struct scan_sequence *sequence)
{
    if (value(sequence, 0, 0) == 3 && sequence->leader == 0)
        grid_clear_scrollback(vt->grid);
    else
        feed_sequence(vt, sequence);
    vt->wrap_pending = false;
}

/* CUU, CUD, CNL, CPL: a cursor within the margins does not leave them (libvterm's does). */
static void move_rows(struct vt *vt, const struct scan_sequence *sequence)
{
    bool up = sequence->final == 'A' || sequence->final == 'F';
    int count = value(sequence, 0, 1);
    count = count > 0 ? count : 1;
    int room = grid_rows(vt->grid);
    if (up && vt->row >= vt->margin_top)
        room = vt->row - vt->margin_top;
    else if (!up && vt->row < vt->margin_bottom)
        room = vt->margin_bottom - 1 - vt->row;
    bool home = sequence->final == 'E' || sequence->final == 'F';
    int row = vt->row + (up ? -1 : 1) * (count < room ? count : room);
    vt_move_to(vt, row < 0 ? 0 : row, home ? 0 : vt->column);
}

static void status_report(struct vt *vt, const struct scan_sequence *sequence)
{
    const char *leader = sequence->leader == '?' ? "?" : "";
    int what = value(sequence, 0, 0);
    if (what == 5)
        vt_replyf(vt, "\033[%s0n", leader);
    else if (what == 6)
        vt_replyf(vt, "\033[%s%d;%dR", leader, vt->row + 1 - (vt->origin ? vt->margin_top : 0),
                  vt->column + 1);
}

static bool is_bare(const struct scan_sequence *sequence)
{
    return sequence->count == 1 && sequence->values[0] == SCAN_ABSENT;
}

static void window_report(struct vt *vt, const struct scan_sequence *sequence)
{
    if (value(sequence, 0, 0) == 18)
        vt_replyf(vt, "\033[8;%d;%dt", grid_rows(vt->grid), grid_columns(vt->grid));
}

static void set_protection(struct vt *vt, int kind)
{
    vt->pen.attributes &= (uint16_t)~GRID_PROTECTED;
    if (kind == 1)
        vt->pen.attributes |= GRID_PROTECTED;
}

/* Sequences with a leader or an intermediate. */
static void private_csi(struct vt *vt, const struct scan_sequence *sequence)
{
    switch (KEY(sequence->leader, sequence->intermediate, sequence->final)) {
    case KEY('?', 0, 'h'):
        vt_mode_set(vt, sequence, true);
        break;
    case KEY('?', 0, 'l'):
        vt_mode_set(vt, sequence, false);
        break;
    case KEY('?', '$', 'p'):
    case KEY(0, '$', 'p'):
        vt_mode_report(vt, sequence);
        break;
    case KEY('?', 0, 'J'):
        erase_display(vt, sequence);
        break;
    case KEY('?', 0, 'n'):
        status_report(vt, sequence);
        break;
    case KEY('?', 0, 'K'):
    case KEY('>', 0, 'c'):
        feed_sequence(vt, sequence);
        break;
    case KEY(0, '!', 'p'):
        vt_mode_soft_reset(vt);
        break;
    case KEY(0, ' ', 'q'):
        vt_mode_set_cursor_style(vt, value(sequence, 0, 1));
        break;
    case KEY(0, '"', 'q'):
        set_protection(vt, value(sequence, 0, 0));
        break;
    default:
        break;
    }
}

static void plain_csi(struct vt *vt, const struct scan_sequence *sequence)
{
    switch (sequence->final) {
    case 'H': /* CUP, HVP: where the cursor was does not matter */
    case 'f':
        vt->column_known = true;
        feed_sequence(vt, sequence);
        vt->wrap_pending = false;
        break;
    case 'A':
    case 'B':
    case 'E':
    case 'F':
        move_rows(vt, sequence);
        break;
    case 'C': /* cursor movement */
    case 'D':
    case 'G':
    case '`':
    case 'a':
    case 'd':
    case 'e':
    case 'j':
    case 'k':
    case 'Z':
    case 'K': /* erasing, inserting, deleting */
    case 'L':
    case 'M':
    case 'X':
        feed_sequence(vt, sequence);
        vt->wrap_pending = false;
        break;
    case 'I': /* CHT */
    case 'S': /* SU, DA, TBC */
    case 'c':
    case 'g':
        feed_sequence(vt, sequence);
        break;
    case 'n':
        status_report(vt, sequence);
        break;
    case 'T': /* SD, but with five parameters a request for mouse highlighting */
        if (sequence->count == 1)
            feed_sequence(vt, sequence);
        break;
    case '@':
    case 'P':
        shift_line(vt, sequence);
        break;
    case 'J':
        erase_display(vt, sequence);
        break;
    case 'b':
        vt_text_repeat(vt, value(sequence, 0, 1));
        break;
    case 'h':
        vt_mode_set(vt, sequence, true);
        break;
    case 'l':
        vt_mode_set(vt, sequence, false);
        break;
    case 'm':
        pen_apply(&vt->pen, sequence);
        break;
    case 'r':
        vt_mode_set_margins(vt, value(sequence, 0, SCAN_ABSENT), value(sequence, 1, SCAN_ABSENT));
        break;
    case 's':
        if (is_bare(sequence))
            vt_mode_save_cursor(vt);
        break;
    case 't':
        window_report(vt, sequence);
        break;
    case 'u':
        if (is_bare(sequence))
            vt_mode_restore_cursor(vt);
        break;
    default:
        break;
    }
}

void vt_csi(struct vt *vt, const struct scan_sequence *sequence)
{
    if (sequence->leader || sequence->intermediate)
        private_csi(vt, sequence);
    else
        plain_csi(vt, sequence);
}
