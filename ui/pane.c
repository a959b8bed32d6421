/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/pane.h"

#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "ui/render.h"

static void reply_arrived(const char *bytes, size_t length, void *argument)
{
    struct pane *pane = argument;

    if (pane->reply.length + length <= VT_REPLY_MAX)
        strbuf_add(&pane->reply, bytes, length);
}

static void bell_rang(void *argument)
{
    struct pane *pane = argument;

    pane->bell = true;
}

/* Clipboard and notification requests reach nobody: a command has no business with either. */
static const struct vt_events events = {.bell = bell_rang, .reply = reply_arrived};

struct pane *pane_set_find(const struct pane_set *set, uint64_t call)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->panes[i]->call == call)
            return set->panes[i];
    return NULL;
}

struct pane *pane_set_add(struct pane_set *set, uint64_t call, bool tty, int rows, int columns)
{
    struct pane *pane = pane_set_find(set, call);

    if (pane != NULL)
        return pane;
    pane = XNEW(struct pane);
    pane->call = call;
    pane->tty = tty;
    pane->following = true;
    pane->redraw = true;
    pane->held_since = -1;
    pane->silent = true;
    pane->vt =
        vt_new(rows, columns, set->scrollback ? set->scrollback : PANE_SCROLLBACK, &events, pane);
    set->panes = xreallocarray(set->panes, set->count + 1, sizeof(struct pane *));
    set->panes[set->count++] = pane;
    return pane;
}

static void pane_free(struct pane **pane)
{
    vt_free(&(*pane)->vt);
    strbuf_free(&(*pane)->reply);
    strbuf_free(&(*pane)->report);
    free(*pane);
    *pane = NULL;
}

void pane_set_remove(struct pane_set *set, uint64_t call)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->panes[i]->call != call)
            continue;
        pane_free(&set->panes[i]);
        memmove(set->panes + i, set->panes + i + 1, (set->count - i - 1) * sizeof(struct pane *));
        set->count--;
        return;
    }
}

void pane_set_clear(struct pane_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        pane_free(&set->panes[i]);
    free(set->panes);
    set->panes = NULL;
    set->count = 0;
}

static bool has_scrollback(const struct pane *pane)
{
    const struct grid *grid = vt_grid(pane->vt);

    return grid_first_line(grid) < grid_top_line(grid);
}

/* Of those that have it (NULL: of all). */
static struct pane *first_to_lose(const struct pane_set *set, uint64_t spared,
                                  bool (*has)(const struct pane *pane))
{
    struct pane *first = NULL;

    for (size_t i = 0; i < set->count; i++) {
        struct pane *pane = set->panes[i];

        if (pane->ended > 0 && pane->call != spared && (has == NULL || has(pane)) &&
            (first == NULL || pane->ended < first->ended))
            first = pane;
    }
    return first;
}

static size_t scrollback_of(const struct pane *pane)
{
    return grid_scrollback_memory(vt_grid(pane->vt));
}

static size_t screens_of(const struct pane *pane)
{
    return grid_memory(vt_grid(pane->vt)) - scrollback_of(pane);
}

static size_t kept_of(const struct pane_set *set, size_t (*part)(const struct pane *pane))
{
    size_t kept = 0;

    for (size_t i = 0; i < set->count; i++)
        if (set->panes[i]->ended > 0)
            kept += part(set->panes[i]);
    return kept;
}

static void trim_scrollback(const struct pane_set *set, uint64_t spared)
{
    size_t limit = set->kept_bytes ? set->kept_bytes : PANE_KEPT_BYTES;
    size_t kept = kept_of(set, scrollback_of);
    struct pane *pane;

    while (kept > limit && (pane = first_to_lose(set, spared, has_scrollback)) != NULL) {
        kept -= scrollback_of(pane);
        vt_drop_scrollback(pane->vt);
        kept += scrollback_of(pane);
        pane->redraw = true;
    }
}

void pane_set_trim(struct pane_set *set, uint64_t spared)
{
    size_t limit = set->screens_bytes ? set->screens_bytes : PANE_SCREENS_BYTES;
    size_t kept = kept_of(set, screens_of);
    struct pane *pane;

    while (kept > limit && (pane = first_to_lose(set, spared, NULL)) != NULL) {
        kept -= screens_of(pane);
        pane_set_remove(set, pane->call);
    }
    trim_scrollback(set, spared);
}

/* Without a terminal between, nobody has put the carriage return before a newline. */
static void write_lines(struct vt *vt, const char *bytes, size_t length)
{
    struct strbuf lines = STRBUF_INIT;

    while (length > 0) {
        const char *newline = memchr(bytes, '\n', length);
        size_t piece = newline != NULL ? (size_t)(newline - bytes) : length;

        strbuf_add(&lines, bytes, piece);
        if (newline == NULL)
            break;
        strbuf_add(&lines, "\r\n", 2);
        bytes += piece + 1;
        length -= piece + 1;
    }
    vt_write(vt, strbuf_str(&lines), lines.length);
    strbuf_free(&lines);
}

void pane_write(struct pane *pane, const char *bytes, size_t length)
{
    pane->silent = pane->silent && length == 0;
    if (pane->tty)
        vt_write(pane->vt, bytes, length);
    else
        write_lines(pane->vt, bytes, length);
}

void pane_mark(struct pane *pane, const char *text)
{
    /* Whatever modes and colours the attempt before has left behind. */
    struct strbuf bytes = STRBUF_INIT;

    pane->silent = false;
    strbuf_addstr(&bytes, "\x1b[!p\x1b[0m");
    if ((vt_modes(pane->vt) & VT_MODE_ALTERNATE) != 0)
        strbuf_addstr(&bytes, "\x1b[?1049l");
    vt_write(pane->vt, bytes.data, bytes.length);
    strbuf_reset(&bytes);
    strbuf_addf(&bytes, "%s\x1b[2m%s\x1b[0m\r\n", vt_cursor(pane->vt).column > 0 ? "\r\n" : "",
                text);
    vt_write(pane->vt, bytes.data, bytes.length);
    strbuf_free(&bytes);
}

void pane_place(struct pane *pane, struct rect text, int rows)
{
    const struct grid *grid = vt_grid(pane->vt);

    pane->text = text;
    pane->redraw = true;
    if (!rect_empty(text) && (grid_rows(grid) != rows || grid_columns(grid) != text.columns))
        vt_resize(pane->vt, rows, text.columns);
}

/* Rows that its terminal has and its place has not. */
static int rows_over(const struct pane *pane)
{
    int rows = grid_rows(vt_grid(pane->vt));

    return rows > pane->text.rows && !rect_empty(pane->text) ? rows - pane->text.rows : 0;
}

/* The line that stands at the top while the newest ones are shown: no row is left out for one below
 * it that is blank, and the cursor is never left out. */
static int64_t live_top_line(const struct pane *pane)
{
    const struct grid *grid = vt_grid(pane->vt);
    int64_t top = grid_top_line(grid);
    struct vt_cursor cursor = vt_cursor(pane->vt);
    int least = cursor.visible ? cursor.row : 0;
    int above = rows_over(pane);

    while (above > 0 && above + pane->text.rows - 1 > least &&
           grid_line_used(grid, top + above + pane->text.rows - 1) == 0)
        above--;
    return top + (cursor.visible && cursor.row < above ? cursor.row : above);
}

/* The same once nothing more comes: no row is blank below the last line while there are lines above
 * to show. A program on a terminal has placed its lines itself. */
static int64_t ended_top_line(const struct pane *pane)
{
    const struct grid *grid = vt_grid(pane->vt);
    int64_t first = grid_first_line(grid), last = grid_top_line(grid) + grid_rows(grid) - 1;

    while (last > first && last > grid_top_line(grid) && grid_line_used(grid, last) == 0)
        last--;
    last -= pane->text.rows - 1;
    return last > first ? last : first;
}

static int64_t newest_top_line(const struct pane *pane)
{
    bool over = pane->ended > 0 && !pane->tty && !rect_empty(pane->text);

    return over ? ended_top_line(pane) : live_top_line(pane);
}

int64_t pane_top_line(const struct pane *pane)
{
    const struct grid *grid = vt_grid(pane->vt);
    int64_t last = grid_top_line(grid) + rows_over(pane);

    if (pane->following || pane->generation != grid_generation(grid))
        return newest_top_line(pane);
    if (pane->scroll > last)
        return last;
    return pane->scroll < grid_first_line(grid) ? grid_first_line(grid) : pane->scroll;
}

/* Rows of its terminal above the first one shown; below 0: it stands further back. */
static int rows_above(const struct pane *pane)
{
    int64_t above = pane_top_line(pane) - grid_top_line(vt_grid(pane->vt));

    return above < 0 ? -1 : (int)above;
}

void pane_scroll(struct pane *pane, int lines)
{
    const struct grid *grid = vt_grid(pane->vt);
    int64_t line = pane_top_line(pane) - lines;

    if (line < grid_first_line(grid))
        line = grid_first_line(grid);
    pane->following = line >= newest_top_line(pane);
    pane->scroll = line;
    pane->generation = grid_generation(grid);
    pane->redraw = true;
}

void pane_stand_at(struct pane *pane, int64_t line)
{
    pane->following = false;
    pane->scroll = line;
    pane->generation = grid_generation(vt_grid(pane->vt));
    pane->redraw = true;
}

void pane_let_go(struct pane *pane)
{
    pane->following = true;
    pane->redraw = true;
}

int64_t pane_lines_behind(const struct pane *pane)
{
    int64_t behind = newest_top_line(pane) - pane_top_line(pane);

    return behind > 0 ? behind : 0;
}

bool pane_dirty(const struct pane *pane)
{
    return !rect_empty(pane->text) &&
           (pane->redraw || grid_any_dirty(vt_grid(pane->vt)) || pane->above != rows_above(pane));
}

static bool held_back(struct pane *pane, int64_t now_ms)
{
    if ((vt_modes(pane->vt) & VT_MODE_SYNC) == 0) {
        pane->held_since = -1;
        return false;
    }
    if (pane->held_since < 0)
        pane->held_since = now_ms;
    return now_ms - pane->held_since < PANE_HOLD_MS;
}

void pane_stand_beside(struct pane *pane, bool beside)
{
    pane->redraw = pane->redraw || pane->beside != beside;
    pane->beside = beside;
}

bool pane_draw(struct pane *pane, const struct theme *theme, int64_t now_ms)
{
    const struct grid *grid = vt_grid(pane->vt);
    bool reverse = (vt_modes(pane->vt) & VT_MODE_REVERSE) != 0;
    int64_t top = pane_top_line(pane);
    int above = rows_above(pane);
    bool all = pane->redraw || pane->words || above < 0 || above != pane->above;

    if (!pane->redraw && held_back(pane, now_ms))
        return false;
    for (int row = 0; row < pane->text.rows; row++) {
        struct grid_span span =
            all ? (struct grid_span){0, pane->text.columns} : grid_row_dirty(grid, above + row);

        render_grid_line(theme, rect_row(pane->text, row), grid, top + row, span, reverse,
                         pane->beside);
    }
    vt_clear_dirty(pane->vt);
    pane->redraw = false;
    pane->words = false;
    pane->above = above;
    return true;
}

/* Our keys and the terminal's are the same list in another order. */
static uint32_t vt_key_of(uint32_t key)
{
    static const uint32_t table[] = {
        VT_KEY_ESCAPE, VT_KEY_ENTER,  VT_KEY_TAB,     VT_KEY_BACKSPACE, VT_KEY_UP,
        VT_KEY_DOWN,   VT_KEY_RIGHT,  VT_KEY_LEFT,    VT_KEY_HOME,      VT_KEY_END,
        VT_KEY_INSERT, VT_KEY_DELETE, VT_KEY_PAGE_UP, VT_KEY_PAGE_DOWN,
    };

    if (key < INPUT_KEY_ESCAPE)
        return key;
    if (key - INPUT_KEY_ESCAPE < COUNT(table))
        return table[key - INPUT_KEY_ESCAPE];
    return key <= INPUT_KEY_F12 ? VT_KEY_F1 + (key - INPUT_KEY_F1) : 0;
}

void pane_key(const struct pane *pane, const struct input_event *event, struct strbuf *out)
{
    if (event->kind == INPUT_PASTE)
        vt_paste(pane->vt, event->bytes, event->length, out);
    else if (event->kind == INPUT_KEY && event->key < INPUT_KEY_INVALID)
        vt_key(pane->vt, vt_key_of(event->key), event->modifiers, out);
    else if (event->kind == INPUT_KEY)
        strbuf_add(out, event->bytes, event->length);
}

void pane_mouse(const struct pane *pane, const struct input_event *event, struct strbuf *out)
{
    static const enum vt_mouse_kind kinds[] = {[INPUT_MOUSE_PRESS] = VT_MOUSE_PRESS,
                                               [INPUT_MOUSE_RELEASE] = VT_MOUSE_RELEASE,
                                               [INPUT_MOUSE_MOTION] = VT_MOUSE_MOTION};
    const struct vt_mouse_event told = {
        .kind = kinds[event->mouse.kind],
        .button = event->mouse.button,
        .row = event->mouse.row - pane->text.row + rows_above(pane),
        .column = event->mouse.column - pane->text.column,
        .modifiers = event->modifiers,
    };

    if (rect_holds(pane->text, event->mouse.row, event->mouse.column) &&
        pane_lines_behind(pane) == 0)
        vt_mouse(pane->vt, &told, out);
}

int pane_mouse_mode(const struct pane *pane)
{
    unsigned modes = vt_modes(pane->vt);

    if ((modes & VT_MODE_MOUSE_MOVE) != 0)
        return 1003;
    if ((modes & VT_MODE_MOUSE_DRAG) != 0)
        return 1002;
    return (modes & VT_MODE_MOUSE_CLICK) != 0 ? 1000 : 0;
}
