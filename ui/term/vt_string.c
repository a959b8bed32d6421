/* SPDX-License-Identifier: MIT */
/* Strings: titles, requests that are handed up, and questions about settings. All else, and all
 * of APC, PM and SOS, is dropped. */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/term/pen.h"
#include "ui/term/vt_int.h"

/* The longest prefix of well-formed UTF-8 that has at most `limit` bytes. */
static size_t cut_length(const char *text, size_t length, size_t limit)
{
    if (length <= limit)
        return length;
    while (limit > 0 && ((unsigned char)text[limit] & 0xc0) == 0x80)
        limit--;
    return limit;
}

static void set_title(struct vt *vt, const char *bytes, size_t length)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;
    text_escape(&safe, bytes, length < VT_TITLE_MAX ? length : VT_TITLE_MAX, 0);
    char *title =
        xstrndup(strbuf_str(&safe), cut_length(strbuf_str(&safe), safe.length, VT_TITLE_MAX));
    free(vt->title);
    vt->title = title;
    if (vt->events->title)
        vt->events->title(vt->title, vt->argument);
}

static void request(struct vt *vt, enum vt_request kind, const char *bytes, size_t length)
{
    if (vt->events->request)
        vt->events->request(kind, bytes, length, vt->argument);
}

/* The number before the first ";", or -1; the rest begins after it. */
static int command_number(const char **bytes, size_t *length)
{
    const char *at = *bytes, *end = at + *length;
    int number = 0;
    for (; at < end && *at >= '0' && *at <= '9' && number < 10000; at++)
        number = number * 10 + *at - '0';
    if (at == *bytes || at == end || *at != ';')
        return -1;
    *length = (size_t)(end - at) - 1;
    *bytes = at + 1;
    return number;
}

static void operating_system_command(struct vt *vt, const char *bytes, size_t length)
{
    switch (command_number(&bytes, &length)) {
    case 0:
    case 2:
        set_title(vt, bytes, length);
        break;
    case 52:
        request(vt, VT_REQUEST_CLIPBOARD, bytes, length);
        break;
    case 9:
    case 99:
    case 777:
        request(vt, VT_REQUEST_NOTIFY, bytes, length);
        break;
    default:
        break;
    }
}

/* DECSCUSR's number for the cursor as it is. */
static int cursor_style(const struct vt *vt)
{
    int steady = vt->cursor_shape == VT_CURSOR_BLOCK       ? 2
                 : vt->cursor_shape == VT_CURSOR_UNDERLINE ? 4
                                                           : 6;
    return steady - vt->cursor_blinking;
}

/* DECRQSS: DCS $ q WHAT ST. */
static void report_setting(struct vt *vt, const char *what, size_t length)
{
    if (length == 1 && *what == 'm') {
        cleanup_strbuf struct strbuf pen = STRBUF_INIT;
        pen_describe(&vt->pen, &pen);
        vt_replyf(vt, "\033P1$r%sm\033\\", strbuf_str(&pen));
    } else if (length == 1 && *what == 'r') {
        vt_replyf(vt, "\033P1$r%d;%dr\033\\", vt->margin_top + 1, vt->margin_bottom);
    } else if (length == 2 && memcmp(what, " q", 2) == 0) {
        vt_replyf(vt, "\033P1$r%d q\033\\", cursor_style(vt));
    } else if (length == 2 && memcmp(what, "\"q", 2) == 0) {
        vt_replyf(vt, "\033P1$r%d\"q\033\\", vt->pen.attributes & GRID_PROTECTED ? 1 : 2);
    } else {
        vt_replyf(vt, "\033P0$r\033\\");
    }
}

static void device_control_string(struct vt *vt, const char *bytes, size_t length)
{
    if (length >= 2 && memcmp(bytes, "$q", 2) == 0)
        report_setting(vt, bytes + 2, length - 2);
    else if (length >= 2 && memcmp(bytes, "+q", 2) == 0) /* XTGETTCAP: nothing to tell */
        vt_replyf(vt, "\033P0+r\033\\");
}

void vt_string(struct vt *vt, enum scan_string kind, const char *bytes, size_t length)
{
    if (kind == SCAN_OSC)
        operating_system_command(vt, bytes, length);
    else if (kind == SCAN_DCS)
        device_control_string(vt, bytes, length);
}
