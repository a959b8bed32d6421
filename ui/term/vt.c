/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/term/vt.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <vterm.h>

#include "base/alloc.h"
#include "ui/term/vt_int.h"

/* ---- what libvterm asks for ------------------------------------------------------------------ */

static struct grid_area area_of(VTermRect rect)
{
    return (struct grid_area){rect.start_row, rect.end_row, rect.start_col, rect.end_col};
}

static int on_erase(VTermRect rect, int selective, void *argument)
{
    struct vt *vt = argument;
    grid_erase(vt->grid, area_of(rect), &vt->pen, selective);
    return 1;
}

static int on_scroll(VTermRect rect, int downward, int rightward, void *argument)
{
    struct vt *vt = argument;
    if (rightward != 0)
        grid_shift(vt->grid, area_of(rect), rightward, &vt->pen);
    else
        grid_scroll(vt->grid, rect.start_row, rect.end_row, downward, &vt->pen);
    return 1;
}

static void on_output(const char *bytes, size_t length, void *argument)
{
    vt_reply(argument, bytes, length);
}

static const VTermStateCallbacks state_callbacks = {
    .scrollrect = on_scroll,
    .erase = on_erase,
};

/* ---- what libvterm is given ------------------------------------------------------------------ */

static void write_vterm(struct vt *vt, const char *bytes, size_t length)
{
    vterm_input_write(vt->vterm, bytes, length);
}

static VTermPos vterm_position(const struct vt *vt)
{
    VTermPos position;
    vterm_state_get_cursorpos(vterm_obtain_state(vt->vterm), &position);
    return position;
}

static void take_cursor(struct vt *vt)
{
    VTermPos position = vterm_position(vt);
    vt->row = position.row;
    vt->column = position.col;
    vt->column_known = true;
}

static char *put_number(char *out, int number)
{
    char digits[8];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0)
        *out++ = digits[--count];
    return out;
}

static void write_csi(struct vt *vt, char leader, int first, int second, char final)
{
    char bytes[32] = "\033[";
    char *end = bytes + 2;
    if (leader)
        *end++ = leader;
    if (first != SCAN_ABSENT)
        end = put_number(end, first);
    if (second != SCAN_ABSENT) {
        *end++ = ';';
        end = put_number(end, second);
    }
    *end++ = final;
    write_vterm(vt, bytes, (size_t)(end - bytes));
}

void vt_sync(struct vt *vt)
{
    if (vt->column_known)
        return;
    write_csi(vt, 0, vt->column + 1, SCAN_ABSENT, 'G');
    vt->column_known = true;
}

void vt_feed_csi(struct vt *vt, char leader, int first, int second, char final)
{
    vt_sync(vt);
    write_csi(vt, leader, first, second, final);
    take_cursor(vt);
}

void vt_feed(struct vt *vt, const char *bytes, size_t length)
{
    vt_sync(vt);
    write_vterm(vt, bytes, length);
    take_cursor(vt);
}

void vt_line_feed(struct vt *vt)
{
    write_vterm(vt, "\n", 1);
    vt->row = vterm_position(vt).row;
}

void vt_move_to(struct vt *vt, int row, int column)
{
    int above = vt->origin ? vt->margin_top : 0;
    vt->column_known = true; /* it is about to be */
    vt_feed_csi(vt, 0, row > above ? row - above + 1 : 1, column + 1, 'H');
    vt->wrap_pending = false;
}

/* ---- replies --------------------------------------------------------------------------------- */

void vt_reply(struct vt *vt, const char *bytes, size_t length)
{
    if (!vt->events->reply || length > VT_REPLY_MAX - vt->replied)
        return;
    vt->replied += length;
    vt->events->reply(bytes, length, vt->argument);
}

void vt_replyf(struct vt *vt, const char *format, ...)
{
    char bytes[128];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(bytes, sizeof bytes, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < sizeof bytes)
        vt_reply(vt, bytes, (size_t)length);
}

/* ---- what the scanner finds ------------------------------------------------------------------ */

static void on_text(const char *bytes, size_t length, void *argument)
{
    vt_text(argument, bytes, length);
}

static void on_control(char control, void *argument)
{
    vt_control(argument, control);
}

static void on_escape(const struct scan_sequence *sequence, void *argument)
{
    vt_escape(argument, sequence);
}

static void on_csi(const struct scan_sequence *sequence, void *argument)
{
    vt_csi(argument, sequence);
}

static void on_string(enum scan_string kind, const char *bytes, size_t length, void *argument)
{
    vt_string(argument, kind, bytes, length);
}

static const struct scan_events scan_callbacks = {
    .text = on_text,
    .control = on_control,
    .escape = on_escape,
    .csi = on_csi,
    .string = on_string,
};

/* ---- life ------------------------------------------------------------------------------------ */

static int limited(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

void vt_reset(struct vt *vt)
{
    grid_set_alternate(vt->grid, false);
    vt->pen = (struct grid_style){0};
    write_vterm(vt, "\033c", 2);
    take_cursor(vt);
    vt->wrap_pending = vt->origin = vt->insert = false;
    vt->autowrap = true;
    vt->margin_top = 0;
    vt->margin_bottom = grid_rows(vt->grid);
    vt->charsets = (struct vt_charsets){0};
    vt->last = 0;
    vt->saved[0] = vt->saved[1] = (struct vt_saved){0};
    vt->modes = 0;
    vt->mouse_presses_only = false;
    vt->mouse_coding = VT_MOUSE_CODING_BYTES;
    vt->cursor_visible = vt->cursor_blinking = true;
    vt->cursor_shape = VT_CURSOR_BLOCK;
}

struct vt *vt_new(int rows, int columns, int scrollback, const struct vt_events *events,
                  void *argument)
{
    rows = limited(rows, VT_ROWS_MIN, VT_ROWS_MAX);
    columns = limited(columns, VT_COLUMNS_MIN, VT_COLUMNS_MAX);
    struct vt *vt = XNEW(struct vt);
    vt->events = events;
    vt->argument = argument;
    vt->title = xstrdup("");
    vt->grid = grid_new(rows, columns, limited(scrollback, 0, VT_SCROLLBACK_MAX));
    scan_init(&vt->scan, VT_STRING_MAX, &scan_callbacks, vt);
    vt->vterm = vterm_new(rows, columns);
    vterm_set_utf8(vt->vterm, 1);
    vterm_output_set_callback(vt->vterm, on_output, vt);
    VTermState *state = vterm_obtain_state(vt->vterm);
    vterm_state_set_callbacks(state, &state_callbacks, vt);
    vterm_state_reset(state, 1);
    vt_reset(vt);
    return vt;
}

void vt_free(struct vt **vt)
{
    if (!*vt)
        return;
    vterm_free((*vt)->vterm);
    grid_free(&(*vt)->grid);
    scan_release(&(*vt)->scan);
    free((*vt)->title);
    free(*vt);
    *vt = NULL;
}

void vt_write(struct vt *vt, const char *bytes, size_t length)
{
    vt->replied = 0;
    scan_write(&vt->scan, bytes, length);
}

void vt_resize(struct vt *vt, int rows, int columns)
{
    rows = limited(rows, VT_ROWS_MIN, VT_ROWS_MAX);
    columns = limited(columns, VT_COLUMNS_MIN, VT_COLUMNS_MAX);
    if (rows == grid_rows(vt->grid) && columns == grid_columns(vt->grid))
        return;
    bool alternate = grid_alternate(vt->grid);
    struct vt_saved *saved = &vt->saved[0];
    /* Margins first: libvterm would keep a top margin that is no longer on the screen. */
    struct grid_position cursor = {vt->row, vt->column + vt->wrap_pending};
    if (alternate)
        cursor = (struct grid_position){saved->row, saved->column + saved->wrap_pending};
    int row = vt->row, column = vt->column;
    vt_mode_set_margins(vt, SCAN_ABSENT, SCAN_ABSENT);
    grid_resize(vt->grid, rows, columns, &cursor);
    vterm_set_size(vt->vterm, rows, columns);
    vt->margin_bottom = rows;
    bool beyond = cursor.column >= columns;
    cursor.column -= beyond;
    if (alternate) {
        saved->row = cursor.row;
        saved->column = cursor.column;
        saved->wrap_pending = beyond;
        vt_move_to(vt, limited(row, 0, rows - 1), limited(column, 0, columns - 1));
    } else {
        vt_move_to(vt, cursor.row, cursor.column);
        vt->wrap_pending = beyond;
    }
}

/* ---- what others may know -------------------------------------------------------------------- */

void vt_drop_scrollback(struct vt *vt)
{
    grid_clear_scrollback(vt->grid);
}

const struct grid *vt_grid(const struct vt *vt)
{
    return vt->grid;
}

void vt_clear_dirty(struct vt *vt)
{
    grid_clear_dirty(vt->grid);
}

struct vt_cursor vt_cursor(const struct vt *vt)
{
    return (struct vt_cursor){vt->row, vt->column, vt->cursor_visible, vt->cursor_blinking,
                              vt->cursor_shape};
}

unsigned vt_modes(const struct vt *vt)
{
    return vt->modes | (grid_alternate(vt->grid) ? VT_MODE_ALTERNATE : 0);
}

const char *vt_title(const struct vt *vt)
{
    return vt->title;
}
