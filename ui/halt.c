/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/halt.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/approval_queue.h"
#include "ui/call_text.h"
#include "ui/console_int.h"
#include "ui/operator.h"
#include "ui/operator_agent.h"
#include "ui/operator_agents.h"
#include "ui/operator_calls.h"
#include "ui/stop_question.h"

/* Time to read two rows, to look at what would end, and to type a command's line once more. Any
 * other key is an answer, too, so that a second one cannot be meant for something else. */
#define QUESTION_MS 15000

#define SECOND_MS 1000 /* the countdown shows */

#define LINE_COLUMNS 100

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
    /* The status line says it for as long as it is so. */
    if (freeze)
        console_remark(console, THEME_WARNING,
                       _("Frozen: no command runs, and none starts. %s or :thaw lets them go on"),
                       *key != '\0' ? key : ":freeze");
    else
        console_remark(console, THEME_STRONG, "%s", _("All commands go on"));
    console_dirty(console, DIRTY_LAYOUT);
}

static bool is_armed(const struct console *console)
{
    return *console->stop_confirm != '\0' || console->stop_call != 0;
}

/* Does the key that ends the console, or a command, wait to be given once more? */
static bool asks_otherwise(const struct console *console)
{
    return console->quit_confirm || console->stop_question.about != NULL;
}

bool halt_asks(const struct console *console)
{
    return is_armed(console) || asks_otherwise(console);
}

void halt_disarm(void *argument)
{
    struct console *console = argument;

    if (is_armed(console) && trail_drop_remarks(console->trail))
        console_dirty(console, DIRTY_TRAIL);
    *console->stop_confirm = '\0';
    console->stop_tree = 0;
    console->stop_call = 0;
    if (!asks_otherwise(console))
        loop_timer_stop(console->stop_timer);
}

void halt_questions_over(struct console *console)
{
    bool asked = asks_otherwise(console);

    console->quit_confirm = false;
    desk_question_drop(&console->stop_question);
    halt_disarm(console);
    if (!asked)
        return;
    trail_drop_remarks(console->trail);
    console_dirty(console, DIRTY_TRAIL | DIRTY_STATUS);
}

void halt_time_over(void *argument)
{
    struct console *console = argument;
    enum action action = console->stop_call != 0 ? ACTION_STOP_CALL : ACTION_STOP_AGENT;
    bool armed = is_armed(console);
    char key[24];

    halt_questions_over(console);
    halt_line_over(console);
    if (armed)
        console_remark(console, THEME_WARNING,
                       _("Nothing is stopped: %s was not pressed again within %d s"),
                       keymap_key(&console->keymap, action, key), QUESTION_MS / 1000);
}

void halt_line_over(struct console *console)
{
    if (*line_editor_text(console->prompt) == '\0' && !halt_asks(console))
        approval_queue_line_over(console);
}

void halt_question_asked(struct console *console)
{
    console->stop_asked_ms = loop_now_ms(console->setup.loop);
    loop_timer_start(console->stop_timer, QUESTION_MS);
}

static int64_t left_ms(const struct console *console)
{
    int64_t left = console->stop_asked_ms + QUESTION_MS - loop_now_ms(console->setup.loop);

    return left > 0 ? left : 0;
}

bool halt_holds(struct console *console)
{
    if (!halt_asks(console))
        return false;
    loop_timer_start(console->guard_timer, left_ms(console) % SECOND_MS + 1);
    return true;
}

int halt_left_s(const struct console *console)
{
    return (int)((left_ms(console) + SECOND_MS - 1) / SECOND_MS);
}

void halt_go_back(struct console *console, enum action action)
{
    bool call = console->stop_call != 0;

    if (!is_armed(console) || action == (call ? ACTION_STOP_CALL : ACTION_STOP_AGENT))
        return;
    halt_disarm(console);
    console_remark(console, THEME_DIM, "%s",
                   call ? _("Nothing is stopped: the command goes on")
                        : _("Nothing is stopped: the agent goes on"));
}

void halt_stop_call(struct console *console)
{
    struct call *call = console_selected_call(console);
    const struct desk desk = operator_desk(console);
    cleanup_free char *line = NULL;
    bool again;
    char key[24];

    if (call == NULL)
        return;
    again = console->stop_call == call->id;
    halt_disarm(console);
    if (again || call->state != CALL_RUNNING) {
        operator_stop_call(&desk, call);
        return;
    }
    halt_question_asked(console);
    console->stop_call = call->id;
    line = call_text_row(call, LINE_COLUMNS, console->theme);
    console_remark(console, THEME_WARNING, _("%s once more ends c%" PRIu64 ": %s"),
                   keymap_key(&console->keymap, ACTION_STOP_CALL, key), call->id, line);
}

/* Which key leads from the selected call to one of another agent, the shorter way round the list;
 * NULL where it does not. */
static const char *key_to(const struct console *console, const struct operator_agent *agent,
                          char key[static 24])
{
    const struct orchestrator *orchestrator = console->setup.orchestrator;
    const struct call *wanted = stop_question_open_elsewhere(orchestrator, agent);
    size_t count = orchestrator_call_count(orchestrator), from = 0, to = 0, forward;

    if (wanted == NULL || console->overlay != NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        uint64_t id = orchestrator_call_at(orchestrator, i)->id;

        from = id == console->selected ? i : from;
        to = id == wanted->id ? i : to;
    }
    forward = (to + count - from) % count;
    return keymap_key(&console->keymap,
                      forward < count - forward ? ACTION_NEXT_CALL : ACTION_PREVIOUS_CALL, key);
}

static char *question_about(const struct console *console, const struct operator_agent *agent,
                            const struct call *call)
{
    char key[24], way[24];

    keymap_key(&console->keymap, ACTION_STOP_AGENT, key);
    return stop_question(console->setup.orchestrator, key, agent, call, key_to(console, agent, way),
                         &console->layout.trail);
}

void halt_stop_selected(struct console *console)
{
    const struct call *call = console_selected_call(console);
    const struct desk desk = operator_desk(console);
    cleanup_free char *question = NULL;
    struct operator_agent agent;
    bool again;

    if (call == NULL || !session_is_agent(call->session)) {
        console_remark(console, THEME_FAILED, "%s",
                       _("the selected call is not an agent's: select one of its calls (Tab)"));
        return;
    }
    agent = operator_agent_of(console->setup.orchestrator, call);
    again =
        strcmp(console->stop_confirm, agent.session->id) == 0 && console->stop_tree == agent.tree;
    halt_disarm(console);
    if (again || operator_agent_is_stopped(console->setup.orchestrator, &agent)) {
        operator_agent_stop(&desk, &agent);
        return;
    }
    halt_question_asked(console);
    snprintf(console->stop_confirm, sizeof(console->stop_confirm), "%s", agent.session->id);
    console->stop_tree = agent.tree;
    question = question_about(console, &agent, call);
    console_remark(console, THEME_WARNING, "%s", question);
}
