/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "front.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "rule_lab.h"
#include "turn.h"
#include "ui/console.h"
#include "ui/plain.h"

struct front {
    struct front_setup setup;
    struct rule_lab_setup lab;
    struct console *console; /* or */
    struct plain *plain;
};

static struct sandbox_policy *policy_of_mode(void *argument, enum sandbox_mode mode,
                                             const char *root, struct error *error)
{
    const struct front *front = argument;
    return turn_sandbox_policy(front->setup.options, mode, root, error);
}

static void on_context_chosen(void *argument, struct turn_context *context)
{
    const struct front *front = argument;
    server_set_context(front->setup.server, context);
}

static void on_quit(void *argument, int status)
{
    const struct front *front = argument;
    front->setup.quit(front->setup.argument, status);
}

static void on_zoom_changed(void *argument, const struct call *call, bool zoomed)
{
    const struct front *front = argument;
    session_log_layout(recorder_log(front->setup.recorder), call, zoomed);
}

static int notification_number(const struct options *options)
{
    const char *kind = options_string(options, OPTION_NOTIFICATION);
    return strcmp(kind, "osc9") == 0 ? 9 : strcmp(kind, "osc777") == 0 ? 777 : 0;
}

/* Whoever starts a program in the console, or looks at the demo, came for that. True once: a file
 * in the state directory remembers it, and where none can be written it is not shown at all. */
static bool is_first_time(const struct front *front)
{
    if (front->setup.demo || front->setup.command_call)
        return false;
    cleanup_free char *path = xasprintf("%s/introduced", front->setup.state);
    cleanup_fd int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    return fd >= 0;
}

static struct console_hooks make_hooks(struct front *front)
{
    front->lab = (struct rule_lab_setup){.options = front->setup.options,
                                         .files = front->setup.rule_files,
                                         .session = front->setup.session};
    return (struct console_hooks){
        .policy_of_mode = policy_of_mode,
        .context_chosen = on_context_chosen,
        .argument = front,
        .record = {.read = recorder_read,
                   .read_on = recorder_read_on,
                   .read_end = recorder_read_end,
                   .argument = front->setup.recorder},
        .rules = {.changes = rule_files_changes,
                  .reload = rule_files_reload,
                  .untrusted = rule_files_untrusted,
                  .trust = rule_files_trust,
                  .argument = front->setup.rule_files},
        .lab = {.begin = rule_lab_begin,
                .step = rule_lab_step,
                .suggestion = rule_lab_suggestion,
                .use = rule_lab_use,
                .end = rule_lab_end,
                .argument = &front->lab},
    };
}

static int start_console(struct front *front, struct error *error)
{
    const char *theme = options_string(front->setup.options, OPTION_THEME);
    struct console_restored restored;
    bool resumed = recorder_restored(front->setup.recorder, &restored);
    struct console_setup setup = {
        .loop = front->setup.loop,
        .orchestrator = front->setup.orchestrator,
        .session = front->setup.session,
        .input = STDIN_FILENO,
        .output = STDOUT_FILENO,
        .theme = strcmp(theme, "auto") == 0 ? NULL : theme,
        .alert = options_bool(front->setup.options, OPTION_ALERT),
        .mouse = options_bool(front->setup.options, OPTION_MOUSE),
        .notification = notification_number(front->setup.options),
        .notify_command = options_string(front->setup.options, OPTION_NOTIFY_COMMAND),
        .escalate_ms = options_number(front->setup.options, OPTION_ESCALATE_AFTER),
        .away_ms = options_number(front->setup.options, OPTION_AWAY_AFTER),
        .guard_ms = options_number(front->setup.options, OPTION_GUARD_TIME),
        .escape_ms = options_number(front->setup.options, OPTION_ESCAPE_TIME),
        .scrollback = (int)options_number(front->setup.options, OPTION_SCROLLBACK),
        .directory = front->setup.root,
        .keys = options_list(front->setup.options, OPTION_KEYS),
        .restored = resumed ? &restored : NULL,
        .introduce = !resumed && is_first_time(front),
        .command_call = front->setup.command_call,
        /* The demo is about the requests: they come up only while no pane has the keyboard. */
        .command_keyboard = !front->setup.demo,
        .zoom = options_bool(front->setup.options, OPTION_ZOOM) || front->setup.zoomed,
        .exit_when_done = options_bool(front->setup.options, OPTION_EXIT_WHEN_DONE),
        .hooks = make_hooks(front),
        .zoom_changed = on_zoom_changed,
        .quit = on_quit,
        .argument = front,
    };
    front->console = console_new(&setup, error);
    if (resumed)
        recorder_restored_clear(&restored);
    if (!front->console)
        return -1;
    orchestrator_add_observer(front->setup.orchestrator, console_observer(), front->console);
    return 0;
}

static int start_plain(struct front *front, struct error *error)
{
    struct console_restored restored;
    bool resumed = recorder_restored(front->setup.recorder, &restored);
    const struct plain_setup setup = {
        .loop = front->setup.loop,
        .orchestrator = front->setup.orchestrator,
        .session = front->setup.session,
        .hooks = make_hooks(front),
        .input = STDIN_FILENO,
        .output = STDOUT_FILENO,
        .guard_ms = options_number(front->setup.options, OPTION_GUARD_TIME),
        .notify_command = options_string(front->setup.options, OPTION_NOTIFY_COMMAND),
        .escalate_ms = options_number(front->setup.options, OPTION_ESCALATE_AFTER),
        .away_ms = options_number(front->setup.options, OPTION_AWAY_AFTER),
        .directory = front->setup.root,
        .restored = resumed ? &restored : NULL,
        .command_call = front->setup.command_call,
        .exit_when_done = options_bool(front->setup.options, OPTION_EXIT_WHEN_DONE),
        .quit = on_quit,
        .argument = front,
    };
    front->plain = plain_new(&setup, error);
    if (resumed)
        recorder_restored_clear(&restored);
    if (!front->plain)
        return -1;
    orchestrator_add_observer(front->setup.orchestrator, plain_observer(), front->plain);
    return 0;
}

struct front *front_new(const struct front_setup *setup, struct error *error)
{
    struct front *front = XNEW(struct front);
    front->setup = *setup;
    bool plain = options_bool(setup->options, OPTION_PLAIN);
    if ((plain ? start_plain(front, error) : start_console(front, error)) < 0)
        front_free(&front);
    return front;
}

void front_record_fails(struct front *front, bool failing)
{
    if (front->console != NULL)
        console_record_fails(front->console, failing);
}

bool front_interrupt(struct front *front)
{
    return front->plain && plain_interrupt(front->plain);
}

void front_free(struct front **place)
{
    struct front *front = steal_pointer(place);
    if (front == NULL)
        return;
    if (front->console)
        orchestrator_remove_observer(front->setup.orchestrator, front->console);
    console_free(&front->console);
    if (front->plain)
        orchestrator_remove_observer(front->setup.orchestrator, front->plain);
    plain_free(&front->plain);
    free(front);
}
