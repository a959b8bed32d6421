/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/record_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/loop.h"
#include "base/text.h"
#include "ui/console_int.h"
#include "ui/overlay_full.h"

#define WANTED_COLUMNS 60

/* While the record is read for a view; it ends with the view. */
struct record_view {
    struct console *console;
    struct overlay *view;
    struct loop_timer *timer;
    void *reading;
    char *wanted; /* what the operator looks for, perhaps nothing; owned */
};

static void on_closed(void *argument)
{
    struct record_view *shown = argument;

    loop_timer_free(&shown->timer);
    if (shown->reading != NULL)
        shown->console->setup.hooks.record.read_end(shown->reading);
    free(shown->wanted);
    free(shown);
}

const char *record_view_title(const char *text)
{
    if (strcmp(text, "denied") == 0)
        return _("Record: denials of yours that still hold");
    if (strcmp(text, "approved") == 0)
        return _("Record: what you approved today");
    return _("Record");
}

/* What to do where nothing was found. Caller frees. */
static char *nothing_words(const char *wanted)
{
    cleanup_free char *safe = text_line(wanted, strlen(wanted), WANTED_COLUMNS);

    return *wanted != '\0'
               ? xasprintf(_("No call on record has \"%s\": :log alone lists all."), safe)
               : xstrdup(_("No call is on record yet: the first one will be."));
}

static void read_on(void *argument)
{
    struct record_view *shown = argument;
    const struct console_record *record = &shown->console->setup.hooks.record;
    cleanup_free char *rows = record->read_on(shown->reading);
    cleanup_free char *nothing = nothing_words(shown->wanted);
    struct document text = {0};

    if (rows == NULL) {
        loop_timer_start(shown->timer, 0);
        return;
    }
    record->read_end(shown->reading);
    shown->reading = NULL;
    if (*rows == '\0')
        document_add(&text, NULL, DOCUMENT_WORDS, THEME_OVERLAY_DIM, nothing);
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
        console_remark(console, THEME_DIM, "%s", _("there is no record here"));
        return;
    }
    struct record_view *shown = XNEW(struct record_view);
    struct document reading = {0};

    shown->console = console;
    shown->wanted = xstrdup(text);
    document_add(&reading, NULL, DOCUMENT_WORDS, THEME_OVERLAY_DIM, _("reading the record …"));
    shown->view = overlay_full_new(record_view_title(text), &reading);
    shown->reading = record->read(record->argument, text, overlay_full_row_columns(console));
    shown->timer = loop_timer_new(console->setup.loop, read_on, shown);
    overlay_full_on_close(shown->view, on_closed, shown);
    overlay_push(console, shown->view);
    loop_timer_start(shown->timer, 0);
}
