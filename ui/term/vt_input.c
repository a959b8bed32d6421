/* SPDX-License-Identifier: MIT */
/* Keys, paste, mouse and focus: what the program in the pane is sent, as xterm sends it. */
#include "config.h"

#include "base/text.h"
#include "ui/term/vt_int.h"

/* ---- keys ------------------------------------------------------------------------------------ */

/* CSI NUMBER ~ or, with a number of 0, CSI FINAL (SS3 FINAL while the flag's mode is on). */
struct key_code {
    uint8_t number;
    char final;
};

static const struct key_code cursor_codes[] = {
    [VT_KEY_UP - VT_KEY_FIRST] = {0, 'A'},      [VT_KEY_DOWN - VT_KEY_FIRST] = {0, 'B'},
    [VT_KEY_RIGHT - VT_KEY_FIRST] = {0, 'C'},   [VT_KEY_LEFT - VT_KEY_FIRST] = {0, 'D'},
    [VT_KEY_HOME - VT_KEY_FIRST] = {0, 'H'},    [VT_KEY_END - VT_KEY_FIRST] = {0, 'F'},
    [VT_KEY_INSERT - VT_KEY_FIRST] = {2, '~'},  [VT_KEY_DELETE - VT_KEY_FIRST] = {3, '~'},
    [VT_KEY_PAGE_UP - VT_KEY_FIRST] = {5, '~'}, [VT_KEY_PAGE_DOWN - VT_KEY_FIRST] = {6, '~'},
};

static const struct key_code function_codes[] = {
    {0, 'P'},  {0, 'Q'},  {0, 'R'},  {0, 'S'},  {15, '~'}, {17, '~'}, {18, '~'},
    {19, '~'}, {20, '~'}, {21, '~'}, {23, '~'}, {24, '~'}, {25, '~'}, {26, '~'},
    {28, '~'}, {29, '~'}, {31, '~'}, {32, '~'}, {33, '~'}, {34, '~'},
};

/* In numeric mode, and after SS3 in application mode. */
static const char keypad_codes[][2] = {
    {'0', 'p'}, {'1', 'q'}, {'2', 'r'}, {'3', 's'}, {'4', 't'}, {'5', 'u'}, {'6', 'v'}, {'7', 'w'},
    {'8', 'x'}, {'9', 'y'}, {'*', 'j'}, {'+', 'k'}, {'-', 'm'}, {'.', 'n'}, {'/', 'o'}, {'\r', 'M'},
};

static void add_code(struct key_code code, bool application, unsigned modifiers, struct strbuf *out)
{
    if (code.number && modifiers)
        strbuf_addf(out, "\033[%d;%u~", code.number, modifiers + 1);
    else if (code.number)
        strbuf_addf(out, "\033[%d~", code.number);
    else if (modifiers)
        strbuf_addf(out, "\033[1;%u%c", modifiers + 1, code.final);
    else
        strbuf_addf(out, "\033%c%c", application ? 'O' : '[', code.final);
}

/* The control code that a terminal sends for Ctrl with a character, or -1. */
static int control_code(uint32_t key)
{
    if ((key >= '@' && key <= '_') || (key >= 'a' && key <= 'z'))
        return (int)(key & 0x1f);
    if (key == ' ' || key == '2')
        return 0;
    if (key >= '3' && key <= '7')
        return (int)(key - '3' + 0x1b);
    if (key == '8' || key == '?')
        return 0x7f;
    return key == '/' ? 0x1f : -1;
}

static void add_character(uint32_t key, unsigned modifiers, struct strbuf *out)
{
    char bytes[4];
    if (modifiers & VT_ALT)
        strbuf_addch(out, '\033');
    int code = modifiers & VT_CONTROL ? control_code(key) : -1;
    if (code >= 0)
        strbuf_addch(out, (char)code);
    else
        strbuf_add(out, bytes, text_encode(key, bytes));
}

static void add_editing_key(const struct vt *vt, uint32_t key, unsigned modifiers,
                            struct strbuf *out)
{
    if (key == VT_KEY_TAB && modifiers & VT_SHIFT) {
        strbuf_addstr(out, "\033[Z");
        return;
    }
    if (modifiers & VT_ALT)
        strbuf_addch(out, '\033');
    if (key == VT_KEY_ENTER)
        strbuf_addstr(out, vt->modes & VT_MODE_NEWLINE ? "\r\n" : "\r");
    else if (key == VT_KEY_TAB)
        strbuf_addch(out, '\t');
    else if (key == VT_KEY_BACKSPACE)
        strbuf_addch(out, modifiers & VT_CONTROL ? '\b' : '\x7f');
    else
        strbuf_addch(out, '\033');
}

void vt_key(const struct vt *vt, uint32_t key, unsigned modifiers, struct strbuf *out)
{
    modifiers &= VT_SHIFT | VT_ALT | VT_CONTROL;
    if (key < VT_KEY_FIRST) {
        add_character(key, modifiers, out);
    } else if (key <= VT_KEY_PAGE_DOWN) {
        add_code(cursor_codes[key - VT_KEY_FIRST], vt->modes & VT_MODE_CURSOR_KEYS, modifiers, out);
    } else if (key <= VT_KEY_ESCAPE) {
        add_editing_key(vt, key, modifiers, out);
    } else if (key <= VT_KEY_F20) {
        add_code(function_codes[key - VT_KEY_F1], true, modifiers, out);
    } else if (key <= VT_KEY_LAST) {
        const char *codes = keypad_codes[key - VT_KEY_KEYPAD_0];
        if (vt->modes & VT_MODE_KEYPAD)
            add_code((struct key_code){0, codes[1]}, true, modifiers, out);
        else
            strbuf_addch(out, codes[0]);
    }
}

/* ---- paste ----------------------------------------------------------------------------------- */

static void add_pasted(uint32_t codepoint, const char *bytes, size_t length, struct strbuf *out)
{
    if (codepoint == '\n' || codepoint == '\r')
        strbuf_addch(out, '\r');
    else if (codepoint == '\t' || (codepoint >= 0x20 && codepoint < 0x7f) ||
             (codepoint >= 0xa0 && codepoint != TEXT_INVALID))
        strbuf_add(out, bytes, length);
}

void vt_paste(const struct vt *vt, const char *bytes, size_t length, struct strbuf *out)
{
    bool bracketed = vt->modes & VT_MODE_BRACKETED_PASTE;
    if (bracketed)
        strbuf_addstr(out, "\033[200~");
    for (size_t done = 0; done < length;) {
        uint32_t codepoint;
        size_t size = text_decode(bytes + done, length - done, &codepoint);
        bool line_end = codepoint == '\r' && done + 1 < length && bytes[done + 1] == '\n';
        if (!line_end)
            add_pasted(codepoint, bytes + done, size, out);
        done += size;
    }
    if (bracketed)
        strbuf_addstr(out, "\033[201~");
}

/* ---- mouse and focus ------------------------------------------------------------------------- */

static bool mouse_wanted(const struct vt *vt, const struct vt_mouse_event *event)
{
    switch (event->kind) {
    case VT_MOUSE_PRESS:
        return vt->modes & VT_MODE_MOUSE_CLICK;
    case VT_MOUSE_RELEASE:
        return vt->modes & VT_MODE_MOUSE_CLICK && !vt->mouse_presses_only && event->button <= 3;
    case VT_MOUSE_MOTION:
        return vt->modes & (event->button ? VT_MODE_MOUSE_DRAG : VT_MODE_MOUSE_MOVE);
    }
    return false;
}

static int mouse_code(const struct vt *vt, const struct vt_mouse_event *event)
{
    int code = event->button >= 4 ? 64 + event->button - 4 : event->button - 1;
    if (event->button == 0)
        code = 3;
    if (event->kind == VT_MOUSE_MOTION)
        code += 32;
    if (!vt->mouse_presses_only)
        code += (event->modifiers & VT_SHIFT ? 4 : 0) + (event->modifiers & VT_ALT ? 8 : 0) +
                (event->modifiers & VT_CONTROL ? 16 : 0);
    return code;
}

void vt_mouse(const struct vt *vt, const struct vt_mouse_event *event, struct strbuf *out)
{
    if (!mouse_wanted(vt, event) || event->button > 7)
        return;
    int code = mouse_code(vt, event);
    if (vt->mouse_coding == VT_MOUSE_CODING_SGR) {
        strbuf_addf(out, "\033[<%d;%d;%d%c", code, event->column + 1, event->row + 1,
                    event->kind == VT_MOUSE_RELEASE ? 'm' : 'M');
        return;
    }
    /* One byte each: places beyond column or row 223 cannot be told, releases tell no button. */
    if (event->column > 222 || event->row > 222)
        return;
    if (event->kind == VT_MOUSE_RELEASE)
        code = (code & ~3) | 3;
    char bytes[] = {
        '\033', '[', 'M', (char)(32 + code), (char)(33 + event->column), (char)(33 + event->row)};
    strbuf_add(out, bytes, sizeof bytes);
}

void vt_focus(const struct vt *vt, bool in, struct strbuf *out)
{
    if (vt->modes & VT_MODE_FOCUS)
        strbuf_addstr(out, in ? "\033[I" : "\033[O");
}
