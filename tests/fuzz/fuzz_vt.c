/* SPDX-License-Identifier: MIT */
/* A terminal in a pane, given any bytes; 0xff (never part of UTF-8) and two bytes more resize. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "tests/term/term_check.h"
#include "ui/term/vt.h"

#define RESIZE 0xff

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

struct seen {
    size_t replied;
};

static void on_reply(const char *bytes, size_t length, void *argument)
{
    struct seen *seen = argument;
    (void)bytes;
    seen->replied += length;
}

static void on_title(const char *title, void *argument)
{
    (void)argument;
    if (strlen(title) > VT_TITLE_MAX)
        abort();
}

static void write_piece(struct vt *vt, const uint8_t *bytes, size_t length, struct seen *seen)
{
    seen->replied = 0;
    vt_write(vt, (const char *)bytes, length);
    if (seen->replied > VT_REPLY_MAX)
        abort();
}

/* What a person might do meanwhile. */
static void use(struct vt *vt)
{
    cleanup_strbuf struct strbuf copied = STRBUF_INIT, out = STRBUF_INIT;
    const struct grid *grid = vt_grid(vt);
    grid_text(grid, grid_first_line(grid), 0, grid_top_line(grid) + 3, 5, &copied);
    vt_paste(vt, strbuf_str(&copied), copied.length, &out);
    vt_key(vt, VT_KEY_UP, VT_SHIFT, &out);
    vt_clear_dirty(vt);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct seen seen = {0};
    static const struct vt_events events = {.reply = on_reply, .title = on_title};
    struct vt *vt = vt_new(8, 20, 30, &events, &seen);
    while (length > 0) {
        const uint8_t *mark = memchr(bytes, RESIZE, length);
        size_t piece = mark ? (size_t)(mark - bytes) : length;
        write_piece(vt, bytes, piece, &seen);
        bytes += piece;
        length -= piece;
        if (length >= 3) {
            vt_resize(vt, bytes[1], bytes[2]);
            term_check(vt);
            bytes += 2;
            length -= 2;
        }
        if (length > 0) {
            bytes++;
            length--;
        }
    }
    term_check(vt);
    use(vt);
    vt_free(&vt);
    return 0;
}
