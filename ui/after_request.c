/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/after_request.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/console_int.h"

/* Between the keys of one who writes there is less than so many guard times. */
#define WRITER_GUARDS 5
/* So long the next request is compared with the one before. */
#define COMPARED_MS 5000

void after_request_closed(struct console *console, uint64_t call, enum request_end end)
{
    int64_t now = loop_now_ms(console->setup.loop);

    console->closed = (struct closed_request){call, end, now};
    console->request_gone = end != REQUEST_PUT_ASIDE;
    console->gone_ms = now;
}

struct closed_request after_request_last(struct console *console)
{
    struct closed_request closed = console->closed;
    bool old = loop_now_ms(console->setup.loop) - closed.ms >= COMPARED_MS;

    if (old || closed.end == REQUEST_PUT_ASIDE)
        console->closed.call = 0;
    return old ? console->closed : closed;
}

static bool still_waits(const struct console *console, uint64_t id)
{
    const struct call *call = orchestrator_find_call(console->setup.orchestrator, id);

    return call != NULL && call->prompt != NULL;
}

char *after_request_words(const struct console *console, const struct closed_request *closed,
                          uint64_t call)
{
    if (closed->call == 0)
        return NULL;
    switch (closed->end) {
    case REQUEST_PUT_ASIDE:
        return still_waits(console, closed->call)
                   ? xasprintf(_(" c%" PRIu64 " is put aside, this is c%" PRIu64 " "), closed->call,
                               call)
                   : NULL;
    case REQUEST_ANSWERED:
        return xasprintf(_(" c%" PRIu64 " is answered, this is c%" PRIu64 " "), closed->call, call);
    case REQUEST_GONE:
        break;
    }
    return xasprintf(_(" c%" PRIu64 " has ended, this is c%" PRIu64 " "), closed->call, call);
}

/* ---- keys --------------------------------------------------------------------------------- */

bool after_request_bounces(struct console *console, const struct input_event *event)
{
    bool bounce = event->kind == INPUT_KEY && event->key == console->closing_key &&
                  !console->finger_moved &&
                  loop_now_ms(console->setup.loop) - console->closing_ms < console->setup.guard_ms;

    /* Behind another key it is a letter of what is written. */
    console->finger_moved = !bounce;
    return bounce;
}

int64_t after_request_pause_ms(struct console *console)
{
    int64_t pause_ms = console->setup.guard_ms * WRITER_GUARDS;

    if (loop_now_ms(console->setup.loop) - console->gone_ms >= pause_ms)
        console->words_lost = false;
    return console->words_lost ? pause_ms : console->setup.guard_ms;
}

bool after_request_drops(struct console *console)
{
    if (console->request_gone)
        console->request_gone = console->last_key_ms - console->gone_ms < console->setup.guard_ms;
    console->gone_ms = console->last_key_ms;
    if (console->request_gone)
        console_remark(console, THEME_WARNING, "%s",
                       _("What you typed right behind the last request was dropped."));
    return console->request_gone;
}
