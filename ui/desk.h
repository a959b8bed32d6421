/* SPDX-License-Identifier: MIT */
/*
 * desk: where the operator's commands are given: what they work on, and how they answer. Each
 * console, drawn or in plain lines, has one.
 */
#ifndef ASSENT_UI_DESK_H
#define ASSENT_UI_DESK_H

#include "ui/call_text.h"
#include "ui/console_hooks.h"
#include "ui/document.h"
#include "ui/theme.h"

/* What a console does with an answer. `text` may be anything: it is made safe there. */
struct desk_voice {
    /* A line that tells of something that was done. */
    void (*say)(void *console, enum theme_element element, const char *text);
    /* A line that only answers the operator. */
    void (*remark)(void *console, enum theme_element element, const char *text);
    /* Something to read; takes what `text` holds. */
    void (*show)(void *console, const char *title, struct document *text);
    /* The call that a command without a name is about; NULL: there is none. */
    struct call *(*selected)(void *console);
    /* As standing_of(). */
    struct call_standing (*standing)(void *console, const struct call *call);
};

struct desk {
    struct orchestrator *orchestrator;
    struct session *session; /* of the operator's own commands */
    const struct console_hooks *hooks;
    const struct desk_voice *voice;
    void *console; /* for the voice */
};

void desk_say(const struct desk *desk, enum theme_element element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void desk_remark(const struct desk *desk, enum theme_element element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void desk_show(const struct desk *desk, const char *title, struct document *text);

#endif
