/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/record_view.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/loop.h"
#include "ui/console_int.h"
#include "ui/overlay_full.h"

/* While the record is read for a view; it ends with the view. */
struct record_view {
    struct console *console;
    struct overlay *view;
    struct loop_timer *timer;
    void *reading;
};

static void on_closed(void *argument)
{
    struct record_view *shown = argument;

    loop_timer_free(&shown->timer);
    if (shown->reading != NULL)
        shown->console->setup.hooks.record.read_end(shown->reading);
    free(shown);
}

static void read_on(void *argument)
{
    struct record_view *shown = argument;
    const struct console_record *record = &shown->console->setup.hooks.record;
    cleanup_free char *rows = record->read_on(shown->reading);
    struct document text = {0};

    if (rows == NULL) {
        loop_timer_start(shown->timer, 0);
        return;
    }
    record->read_end(shown->reading);
    shown->reading = NULL;
    if (*rows == '\0')
        document_add(&text, NULL, DOCUMENT_WORDS, THEME_OVERLAY_DIM,
                     _("there are no such calls on record"));
    else
        document_add(&text, NULL, DOCUMENT_ROWS, THEME_OVERLAY_TEXT, rows);
    overlay_full_set(shown->view, &text);
    overlay_full_to_end(shown->view);
    console_dirty(shown->console, DIRTY_LAYOUT);
}

void record_view_show(struct console *console, const char *text)
{
    const struct console_record *record = &console->setup.hooks.record;

    if (record->read == NULL) {
        console_remark(console, THEME_DIM, "%s", _("there are no such calls on record"));
        return;
    }
    struct record_view *shown = XNEW(struct record_view);
    struct document reading = {0};

    shown->console = console;
    document_add(&reading, NULL, DOCUMENT_WORDS, THEME_OVERLAY_DIM, _("reading the record …"));
    shown->view = overlay_full_new(_("Record"), &reading);
    shown->reading = record->read(record->argument, text);
    shown->timer = loop_timer_new(console->setup.loop, read_on, shown);
    overlay_full_on_close(shown->view, on_closed, shown);
    overlay_push(console, shown->view);
    loop_timer_start(shown->timer, 0);
}
