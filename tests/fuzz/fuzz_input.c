/* SPDX-License-Identifier: MIT */
/* Whatever a keyboard, a paste or a lying terminal sends, whole or in pieces: the same events, no
 * byte lost or made up, and a line that can be shown. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "ui/input.h"
#include "ui/line_editor.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

struct sink {
    struct strbuf events; /* in a form that does not show the pieces */
    struct line_editor *editor;
};

static void on_event(void *argument, const struct input_event *event)
{
    struct sink *sink = argument;

    if (event->kind == INPUT_KEY && event->key > INPUT_KEY_INVALID)
        abort();
    if (event->kind != INPUT_PASTE && event->length == 0)
        abort();
    strbuf_addf(&sink->events, "%d %x %x ", event->kind, event->key, event->modifiers);
    strbuf_add(&sink->events, event->bytes, event->length);
    if (sink->editor == NULL)
        return;
    if (event->kind == INPUT_KEY)
        line_editor_key(sink->editor, event->key, event->modifiers);
    else if (event->kind == INPUT_PASTE && event->bytes != NULL)
        line_editor_insert(sink->editor, event->bytes, event->length);
}

static void run(const uint8_t *bytes, size_t length, size_t piece, struct sink *sink)
{
    struct input *input = input_new(on_event, sink);

    for (size_t at = 0; at < length; at += piece)
        input_feed(input, (const char *)bytes + at, length - at < piece ? length - at : piece);
    input_timeout(input);
    if (input_pending(input))
        abort();
    input_free(&input);
}

static void check_view(struct line_editor *editor)
{
    struct strbuf out = STRBUF_INIT;
    int cursor = line_editor_view(editor, 20, &out);

    if (cursor < 0 || cursor >= 20 || text_width(strbuf_str(&out), out.length) >= 20)
        abort();
    if (!text_valid_utf8(line_editor_text(editor), strlen(line_editor_text(editor))))
        abort();
    strbuf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct sink whole = {STRBUF_INIT, line_editor_new()};

    run(bytes, length, length > 0 ? length : 1, &whole);
    check_view(whole.editor);
    for (size_t piece = 1; piece <= 3; piece++) {
        struct sink parts = {STRBUF_INIT, NULL};

        run(bytes, length, piece, &parts);
        if (parts.events.length != whole.events.length ||
            memcmp(strbuf_str(&parts.events), strbuf_str(&whole.events), parts.events.length) != 0)
            abort();
        strbuf_free(&parts.events);
    }
    line_editor_free(&whole.editor);
    strbuf_free(&whole.events);
    return 0;
}
