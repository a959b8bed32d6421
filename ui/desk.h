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
    /* A line that tells of something that was done, in place of what was said of that `topic`
     * before; NULL: it is about nothing that lasts. */
    void (*say)(void *console, const char *topic, enum theme_element element, const char *text);
    /* A line that only answers the operator. */
    void (*remark)(void *console, enum theme_element element, const char *text);
    /* Something to read; takes what `text` holds. */
    void (*show)(void *console, const char *title, struct document *text);
    /* The call that a command without a name is about; NULL: there is none. */
    struct call *(*selected)(void *console);
    /* As standing_of(). */
    struct call_standing (*standing)(void *console, const struct call *call);
};

struct rect;

/* What a command has asked, and the same command does when it is given once more. */
struct desk_question {
    char *about; /* owned; NULL: nothing is asked */
    bool fresh;  /* by the command that is being done */
};

struct desk {
    struct orchestrator *orchestrator;
    struct session *session; /* of the operator's own commands */
    const struct console_hooks *hooks;
    const struct desk_voice *voice;
    void *console; /* for the voice */
    struct desk_question *question;
    unsigned row_flags;      /* of what it tells of a command: call_text_row_flags() */
    const struct rect *room; /* where remarks are shown; NULL: it has no bounds */
};

void desk_say(const struct desk *desk, const char *topic, enum theme_element element,
              const char *format, ...) __attribute__((format(printf, 4, 5)));
void desk_remark(const struct desk *desk, enum theme_element element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void desk_show(const struct desk *desk, const char *title, struct document *text);

/* Whether that was asked by the command before this one; else it is from now on. */
bool desk_asked(const struct desk *desk, const char *about);
/* Behind each command: what the one before it asked is no longer asked. */
void desk_command_over(struct desk_question *question);
/* Nothing is asked any more. */
void desk_question_drop(struct desk_question *question);

#endif
