/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/halt.h"

#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/call_text.h"
#include "ui/console_int.h"

#define NAME_COLUMNS 30
#define ID_BYTES_MIN ((size_t)6) /* of a session's id, to name it by */
#define ARMED_MS                                                                                   \
    5000 /* the second key comes right behind the first, or was meant for something else */

void halt_freeze(struct console *console, bool freeze)
{
    char key[24];

    if (freeze == orchestrator_is_frozen(console->setup.orchestrator)) {
        console_remark(console, THEME_DIM, "%s",
                       freeze ? _("everything is frozen already") : _("nothing is frozen"));
        return;
    }
    orchestrator_freeze(console->setup.orchestrator, freeze);
    keymap_key(&console->keymap, ACTION_FREEZE, key);
    if (freeze)
        console_say(console, THEME_WARNING,
                    _("Frozen: no command runs, and none starts. %s or :thaw lets them go on"),
                    *key != '\0' ? key : ":freeze");
    else
        console_say(console, THEME_STRONG, "%s", _("All commands go on"));
    console_dirty(console, DIRTY_LAYOUT);
}

/* The session with those who ask in it: "shared by plain clients" is nobody's name. */
static char *name_of(const struct console *console, const struct session *session)
{
    cleanup_free char *name = call_text_session(session, NAME_COLUMNS);
    cleanup_free char *clients = call_text_clients(console->setup.orchestrator, session);

    return clients != NULL ? xasprintf("%s (%s)", name, clients) : steal_pointer(&name);
}

static void stop(struct console *console, struct session *session, bool stop)
{
    cleanup_free char *name = name_of(console, session);

    orchestrator_stop_session(console->setup.orchestrator, session, stop);
    if (stop)
        console_say(console, THEME_WARNING,
                    _("Stopped: %s, session %.8s. What it asks for from now on is refused; "
                      ":resume lets it ask again"),
                    name, session->id);
    else
        console_say(console, THEME_STRONG, _("%s, session %.8s, may ask again"), name, session->id);
    console_dirty(console, DIRTY_LAYOUT);
}

void halt_disarm(void *argument)
{
    struct console *console = argument;

    loop_timer_stop(console->stop_timer);
    if (*console->stop_confirm != '\0' && trail_drop_remarks(console->trail))
        console_dirty(console, DIRTY_TRAIL);
    *console->stop_confirm = '\0';
}

void halt_stop_selected(struct console *console)
{
    const struct call *call = console_selected_call(console);
    cleanup_free char *name = NULL;
    char key[24];

    if (call == NULL || !session_is_agent(call->session)) {
        console_remark(console, THEME_FAILED, "%s",
                       _("the selected call is not an agent's: select one of its calls (Tab)"));
        return;
    }
    if (call->session->stopped || strcmp(console->stop_confirm, call->session->id) == 0) {
        halt_disarm(console);
        stop(console, call->session, true);
        return;
    }
    name = name_of(console, call->session);
    loop_timer_start(console->stop_timer, ARMED_MS);
    snprintf(console->stop_confirm, sizeof(console->stop_confirm), "%s", call->session->id);
    console_remark(console, THEME_WARNING,
                   P_("%s once more stops %s: its %u open call ends, what else it asks for is "
                      "refused",
                      "%s once more stops %s: its %u open calls end, what else it asks for is "
                      "refused",
                      call->session->open_calls),
                   keymap_key(&console->keymap, ACTION_STOP_AGENT, key), name,
                   call->session->open_calls);
}

/* Does one of its clients call itself so? */
static bool is_claimed(const struct orchestrator *orchestrator, const struct session *session,
                       const char *name)
{
    for (size_t i = 0; i < orchestrator_call_count(orchestrator); i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        if (call->session == session && call->client.name != NULL &&
            strcasecmp(call->client.name, name) == 0)
            return true;
    }
    return false;
}

bool halt_names_agent(const struct orchestrator *orchestrator, const struct session *session,
                      const char *name)
{
    cleanup_free char *shown = call_text_session(session, NAME_COLUMNS);
    size_t length = strlen(name);

    if (!session_is_agent(session) || session->ended)
        return false;
    return (session->name != NULL && strcasecmp(session->name, name) == 0) ||
           strcasecmp(shown, name) == 0 ||
           (length >= ID_BYTES_MIN && strncmp(session->id, name, length) == 0) ||
           is_claimed(orchestrator, session, name);
}

bool halt_stop_agent(struct console *console, const char *name, bool stops)
{
    struct orchestrator *orchestrator = console->setup.orchestrator;
    bool any = false;

    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++) {
        struct session *session = orchestrator_session_at(orchestrator, i);

        if (!halt_names_agent(orchestrator, session, name))
            continue;
        stop(console, session, stops);
        any = true;
    }
    return any;
}
