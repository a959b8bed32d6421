/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/desk.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void desk_say(const struct desk *desk, const char *topic, enum theme_element element,
              const char *format, ...)
{
    cleanup_free char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    text = xvasprintf(format, arguments);
    va_end(arguments);
    desk->voice->say(desk->console, topic, element, text);
}

void desk_remark(const struct desk *desk, enum theme_element element, const char *format, ...)
{
    cleanup_free char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    text = xvasprintf(format, arguments);
    va_end(arguments);
    desk->voice->remark(desk->console, element, text);
}

void desk_show(const struct desk *desk, const char *title, struct document *text)
{
    desk->voice->show(desk->console, title, text);
}

bool desk_asked(const struct desk *desk, const char *about)
{
    struct desk_question *question = desk->question;
    bool again = question->about != NULL && strcmp(question->about, about) == 0;

    desk_question_drop(question);
    if (!again)
        *question = (struct desk_question){.about = xstrdup(about), .fresh = true};
    return again;
}

void desk_command_over(struct desk_question *question)
{
    if (!question->fresh)
        desk_question_drop(question);
    question->fresh = false;
}

void desk_question_drop(struct desk_question *question)
{
    free(question->about);
    *question = (struct desk_question){.about = NULL};
}
