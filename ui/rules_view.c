/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/rules_view.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/overlay_full.h"
#include "ui/rules_text.h"

/* While it is open. */
struct rules_view {
    struct console *console;
    struct overlay *view;
    struct loop_timer *timer;
    struct rules_text text;
};

static void read_on(void *argument)
{
    struct rules_view *shown = argument;
    struct document text = {0};

    if (shown->console->setup.hooks.lab.step(shown->text.lab)) {
        loop_timer_start(shown->timer, 0);
        return;
    }
    shown->text.read = true;
    rules_text_fill(&text, &shown->text);
    overlay_full_set(shown->view, &text);
    console_dirty(shown->console, DIRTY_LAYOUT);
}

static void on_closed(void *argument)
{
    struct rules_view *shown = argument;

    loop_timer_free(&shown->timer);
    if (shown->text.lab != NULL)
        shown->console->setup.hooks.lab.end(shown->text.lab);
    free(shown);
}

void rules_view_show(struct console *console)
{
    const struct console_lab *lab = &console->setup.hooks.lab;
    struct rules_view *shown = XNEW(struct rules_view);
    struct document text = {0};
    struct error error = ERROR_INIT;

    shown->console = console;
    shown->text =
        (struct rules_text){console->setup.orchestrator, &console->setup.hooks, NULL, false};
    if (lab->begin != NULL)
        shown->text.lab = lab->begin(lab->argument, false, &error);
    rules_text_fill(&text, &shown->text);
    shown->view = overlay_full_new(_("Rules"), &text);
    overlay_full_on_close(shown->view, on_closed, shown);
    overlay_push(console, shown->view);
    if (shown->text.lab == NULL)
        return;
    shown->timer = loop_timer_new(console->setup.loop, read_on, shown);
    loop_timer_start(shown->timer, 0);
}
