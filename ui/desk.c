/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/desk.h"

#include <stdarg.h>

#include "base/alloc.h"

void desk_say(const struct desk *desk, enum theme_element element, const char *format, ...)
{
    cleanup_free char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    text = xvasprintf(format, arguments);
    va_end(arguments);
    desk->voice->say(desk->console, element, text);
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
