/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/typing.h"

#include <inttypes.h>

#include "base/i18n.h"
#include "ui/console_int.h"

/* Whoever looks for the next word still types. */
#define REST_S 3
#define REST_MS (REST_S * 1000)

void typing_note(struct console *console)
{
    console->typed_ms = console->last_key_ms;
}

void typing_over(struct console *console)
{
    console->typed_ms = INT64_MIN / 2;
}

bool typing_was_last(const struct console *console)
{
    return console->typed_ms > INT64_MIN / 2;
}

static void say_held(struct console *console, const struct call *call)
{
    char key[24];

    console->held = call->prompt->id;
    console_say(console, THEME_ASKING,
                _("c%" PRIu64 " asks: shown once this line is sent, emptied or left for %d s (%s: "
                  "now)"),
                call->id, REST_S, keymap_key(&console->keymap, ACTION_ANSWER, key));
    console_about_wait(console, call->id);
}

bool typing_holds(struct console *console, const struct call *call)
{
    int64_t rested_ms = loop_now_ms(console->setup.loop) - console->typed_ms;

    if (console->overlay != NULL || *line_editor_text(console->prompt) == '\0' ||
        rested_ms >= REST_MS)
        return false;
    loop_timer_start(console->guard_timer, REST_MS - rested_ms);
    if (console->held != call->prompt->id)
        say_held(console, call);
    return true;
}
