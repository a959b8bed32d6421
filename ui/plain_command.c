/* SPDX-License-Identifier: MIT */
/* plain_command: lines of the operator's while nothing is asked. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/call_text.h"
#include "ui/halt.h"
#include "ui/holding.h"
#include "ui/plain_int.h"

#define COMMAND_COLUMNS 200
#define NAME_COLUMNS 40

static void run(struct plain *plain, const char *line)
{
    struct command_spec *spec = command_spec_new();
    const struct call_options options = {0};
    struct error error = ERROR_INIT;

    spec->argv = strv_copy((const char *const[]){"bash", "-c", line, NULL});
    spec->cwd = xstrdup(plain->setup.directory);
    if (orchestrator_submit(plain->setup.orchestrator, plain->setup.session, CALL_SHELL, spec,
                            &options, &error) == NULL)
        plain_say(plain, "%s", error.message);
}

static void say_call(struct plain *plain, const struct call *call)
{
    struct call_standing standing = call_text_standing(call);
    cleanup_free char *words = standing.words;
    cleanup_free char *agent = call_text_agent(call, 40);
    cleanup_free char *line = call_text_line(call, COMMAND_COLUMNS);

    plain_say(plain, "c%" PRIu64 " %s, %s: %s", call->id, agent, words, line);
}

static void list_calls(struct plain *plain, const char *argument)
{
    size_t count = orchestrator_call_count(plain->setup.orchestrator);

    (void)argument;
    if (count == 0)
        plain_say(plain, "%s", _("Nothing has been asked yet."));
    for (size_t i = 0; i < count; i++)
        say_call(plain, orchestrator_call_at(plain->setup.orchestrator, i));
}

static void list_waiting(struct plain *plain, const char *argument)
{
    size_t count = orchestrator_waiting_count(plain->setup.orchestrator);

    (void)argument;
    if (count == 0)
        plain_say(plain, "%s", _("no request is waiting"));
    for (size_t i = 0; i < count; i++)
        say_call(plain, orchestrator_waiting_at(plain->setup.orchestrator, i));
}

static void list_grants(struct plain *plain, const char *argument)
{
    const struct orchestrator *orchestrator = plain->setup.orchestrator;
    cleanup_free char *beside = holding_beside(orchestrator);
    struct holding holding;

    (void)argument;
    if (holding_count(orchestrator) == 0)
        plain_say(plain, "%s",
                  _("Nothing yet. An answer for this session, or a rule of one, stands here."));
    for (size_t i = 0; holding_find(orchestrator, i, &holding); i++) {
        const char *subject = holding_subject(&holding);
        cleanup_free char *line = text_line(subject, strlen(subject), COMMAND_COLUMNS);
        cleanup_free char *terms = holding_terms(&holding);

        plain_say(plain, "  | %s", line);
        plain_say(plain, "    %s", terms);
    }
    plain_say(plain, "%s", beside);
}

static void answer(struct plain *plain, const char *argument)
{
    (void)argument;
    plain->aside_count = 0;
    if (orchestrator_waiting_count(plain->setup.orchestrator) == 0)
        plain_say(plain, "%s", _("no request is waiting"));
}

/* False when there is none. */
static bool stop_agent(struct plain *plain, const char *name, bool stops)
{
    struct orchestrator *orchestrator = plain->setup.orchestrator;
    bool any = false;

    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++) {
        struct session *session = orchestrator_session_at(orchestrator, i);
        cleanup_free char *shown = call_text_session(session, NAME_COLUMNS);

        if (!halt_names_agent(orchestrator, session, name))
            continue;
        orchestrator_stop_session(orchestrator, session, stops);
        plain_say(plain,
                  stops ? _("%s is stopped: what it asks for from now on is refused")
                        : _("%s may ask again"),
                  shown);
        any = true;
    }
    return any;
}

static void resume_agent(struct plain *plain, const char *argument)
{
    if (!stop_agent(plain, argument, false))
        plain_say(plain, "%s", _("there is no such agent or call"));
}

static void stop(struct plain *plain, const char *argument)
{
    const char *digits = *argument == 'c' ? argument + 1 : argument;
    bool names_call = digits[strspn(digits, "0123456789")] == '\0';
    struct call *call = NULL;

    if (names_call)
        call = orchestrator_find_call(plain->setup.orchestrator, strtoull(digits, NULL, 10));
    if (!names_call && stop_agent(plain, argument, true))
        return;
    if (call == NULL)
        plain_say(plain, "%s", _("there is no such agent or call"));
    else
        orchestrator_cancel(plain->setup.orchestrator, call, CANCELLED_BY_OPERATOR,
                            "stopped by the operator");
}

static void set_frozen(struct plain *plain, bool freeze)
{
    orchestrator_freeze(plain->setup.orchestrator, freeze);
    plain_say(plain, "%s",
              freeze ? _("Frozen: no command runs, and none starts. :thaw lets them go on")
                     : _("All commands go on"));
}

static void freeze(struct plain *plain, const char *argument)
{
    (void)argument;
    set_frozen(plain, true);
}

static void thaw(struct plain *plain, const char *argument)
{
    (void)argument;
    set_frozen(plain, false);
}

static void quit(struct plain *plain, const char *argument)
{
    size_t count = orchestrator_call_count(plain->setup.orchestrator), unfinished = 0;

    (void)argument;
    for (size_t i = 0; i < count; i++)
        unfinished += orchestrator_call_at(plain->setup.orchestrator, i)->state != CALL_FINISHED;
    if (unfinished > 0 && !plain->quit_confirm) {
        plain->quit_confirm = true;
        plain_say(plain,
                  P_("%zu call has not finished: quit once more to end it",
                     "%zu calls have not finished: quit once more to end them", unfinished),
                  unfinished);
        return;
    }
    plain_quit(plain, 0);
}

static void help(struct plain *plain, const char *argument);

static const struct command {
    const char *name, *what;
    void (*run)(struct plain *plain, const char *argument);
} commands[] = {
    {"answer", N_("answer the waiting request"), answer},
    {"waiting", N_("list all requests that wait"), list_waiting},
    {"calls", N_("list all calls"), list_calls},
    {"grants", N_("what holds without a question, and for how long"), list_grants},
    {"stop", N_("stop a call, or all of an agent's work: stop c12, stop codex"), stop},
    {"resume", N_("let a stopped agent ask again"), resume_agent},
    {"freeze", N_("freeze all that runs; what is allowed then waits"), freeze},
    {"thaw", N_("let what is frozen go on"), thaw},
    {"help", N_("list the commands"), help},
    {"quit", N_("end the console"), quit},
};
#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static void help(struct plain *plain, const char *argument)
{
    (void)argument;
    plain_say(plain, "%s", _("!COMMAND: run it, as an agent would"));
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        plain_say(plain, ":%s: %s", commands[i].name, _(commands[i].what));
}

static void console_command(struct plain *plain, const char *line)
{
    size_t length = strcspn(line, " ");
    const char *argument = line + length + strspn(line + length, " ");

    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strlen(commands[i].name) != length || strncmp(commands[i].name, line, length) != 0)
            continue;
        plain->quit_confirm = plain->quit_confirm && commands[i].run == quit;
        commands[i].run(plain, argument);
        return;
    }
    plain_say(plain, "%s", _("There is no such command; :help lists them."));
}

void plain_command_line(struct plain *plain, const char *line)
{
    line += strspn(line, " ");
    if (*line == ':')
        console_command(plain, line + 1);
    else if (*line == '!' && line[1 + strspn(line + 1, " ")] != '\0')
        run(plain, line + 1 + strspn(line + 1, " "));
    else if (*line != '\0')
        plain_say(plain, "%s", _("This is no command: !COMMAND runs one, :help lists the rest."));
}
