/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/typing.h"

#include <inttypes.h>

#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/console_keys.h"
#include "ui/halt.h"
#include "ui/view.h"

/* Whoever looks for the next word still types. */
#define REST_S 3
#define REST_MS (REST_S * 1000)
/* Two rows of the trail can be read meanwhile. */
#define RESULT_MS VIEW_TRAIL_OWN_MS

void typing_note(struct console *console)
{
    console->typed_ms = console->last_key_ms;
}

void typing_over(struct console *console)
{
    console->typed_ms = console->told_ms = INT64_MIN / 2;
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

static int64_t told_for_ms(const struct console *console)
{
    return loop_now_ms(console->setup.loop) - console->told_ms;
}

/* For how long what a command has told has to stay in sight. */
static int64_t result_left_ms(const struct console *console)
{
    return console->overlay == NULL ? RESULT_MS - told_for_ms(console) : 0;
}

void typing_told(struct console *console)
{
    if (console->overlay == NULL) /* else it is shown there */
        console->told_ms = loop_now_ms(console->setup.loop);
}

bool typing_shows_result(const struct console *console)
{
    return result_left_ms(console) > 0 && !halt_asks(console) &&
           approval_queue_oldest(console, 0) != NULL;
}

bool typing_drops(const struct console *console, const struct input_event *event)
{
    bool acts = event->kind == INPUT_KEY && keymap_find(&console->keymap, KEYMAP_MAIN, event->key,
                                                        event->modifiers) != ACTION_NONE;

    return !console->keyboard_in_pane && !acts && !console_begins_command(event) &&
           told_for_ms(console) < console->setup.guard_ms && typing_shows_result(console);
}

bool typing_result_over(struct console *console)
{
    bool waited = typing_shows_result(console);

    console->told_ms = INT64_MIN / 2;
    return waited;
}

/* For how long the line is still being typed. */
static int64_t rest_left_ms(const struct console *console)
{
    bool empty = *line_editor_text(console->prompt) == '\0';

    return empty ? 0 : REST_MS - (loop_now_ms(console->setup.loop) - console->typed_ms);
}

bool typing_holds(struct console *console, const struct call *call)
{
    int64_t rest_ms = rest_left_ms(console), result_ms = result_left_ms(console);
    int64_t left_ms = rest_ms > result_ms ? rest_ms : result_ms;

    if (console->overlay != NULL || left_ms <= 0)
        return false;
    loop_timer_start(console->guard_timer, left_ms);
    if (rest_ms > 0 && console->held != call->prompt->id)
        say_held(console, call);
    return true;
}
