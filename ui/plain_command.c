/* SPDX-License-Identifier: MIT */
/* plain_command: lines of the operator's while nothing is asked. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/call_text.h"
#include "ui/details.h"
#include "ui/holding.h"
#include "ui/operator_agent.h"
#include "ui/operator_calls.h"
#include "ui/operator_rules.h"
#include "ui/operator_table.h"
#include "ui/plain_int.h"
#include "ui/restored_view.h"
#include "ui/standing.h"

#define COMMAND_COLUMNS 200

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

/* ---- the desk -------------------------------------------------------------------------------- */

/* What is printed stays printed, whatever becomes of what it says. */
static void say(void *plain, const char *topic, enum theme_element element, const char *text)
{
    (void)topic;
    plain_tell(plain, element, text);
}

static void remark(void *plain, enum theme_element element, const char *text)
{
    cleanup_free char *safe = text_sentence(text, strlen(text), COMMAND_COLUMNS);

    (void)element;
    plain_say(plain, "%s", safe);
}

static void show(void *plain, const char *title, struct document *text)
{
    plain_show(plain, title, text);
}

static struct call *selected(void *plain)
{
    (void)plain;
    return NULL;
}

static struct call_standing standing(void *argument, const struct call *call)
{
    const struct plain *plain = argument;

    return standing_beside(plain->setup.orchestrator, call,
                           call->prompt != NULL && plain_request_is_aside(plain, call->prompt->id));
}

static struct desk desk_of(struct plain *plain)
{
    static const struct desk_voice voice = {say, remark, show, selected, standing};

    return (struct desk){.orchestrator = plain->setup.orchestrator,
                         .session = plain->setup.session,
                         .hooks = &plain->setup.hooks,
                         .voice = &voice,
                         .console = plain,
                         .question = &plain->stop_question};
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void say_call(struct plain *plain, const struct call *call)
{
    cleanup_free char *words = standing(plain, call).words;
    cleanup_free char *agent = operator_agent_label(plain->setup.orchestrator, call, 40);
    cleanup_free char *line = call_text_line(call, COMMAND_COLUMNS);

    plain_say(plain, "c%" PRIu64 " %s, %s: %s", call->id, agent, words, line);
}

static void list_calls(struct plain *plain, const char *argument)
{
    size_t count = orchestrator_call_count(plain->setup.orchestrator);

    cleanup_free char *nothing = restored_view_nothing_yet(plain->calls_before);

    (void)argument;
    if (count == 0)
        plain_say(plain, "%s", nothing);
    for (size_t i = 0; i < count; i++)
        say_call(plain, orchestrator_call_at(plain->setup.orchestrator, i));
}

static void list_inbox(struct plain *plain, const char *argument)
{
    const struct orchestrator *orchestrator = plain->setup.orchestrator;
    size_t count = orchestrator_call_count(orchestrator);

    (void)argument;
    if (orchestrator_question_count(orchestrator) == 0)
        plain_say(plain, "%s", _("no request is waiting"));
    for (size_t i = 0; i < count; i++)
        if (orchestrator_waits(orchestrator_call_at(orchestrator, i)))
            say_call(plain, orchestrator_call_at(orchestrator, i));
}

static void list_grants(struct plain *plain, const char *argument)
{
    struct orchestrator *orchestrator = plain->setup.orchestrator;
    cleanup_free char *beside = holding_beside(orchestrator);
    struct holding holding;

    (void)argument;
    orchestrator_end_changed(orchestrator);
    if (holding_count(orchestrator) == 0)
        plain_say(plain, "%s", holding_none(orchestrator));
    for (size_t i = 0; holding_find(orchestrator, i, &holding); i++) {
        cleanup_free char *words = holding_words(&holding);
        cleanup_free char *line = text_line(words, strlen(words), COMMAND_COLUMNS);
        cleanup_free char *terms = holding_terms(&holding);

        plain_say(plain, "  | %s", line);
        plain_say(plain, "    %s", terms);
    }
    plain_say(plain, "%s", beside);
}

static void answer(struct plain *plain, const char *argument)
{
    const struct desk desk = desk_of(plain);

    if (*argument != '\0') {
        const struct call *call = operator_asking_call(&desk, argument);

        if (call != NULL)
            plain_request_want(plain, call->prompt->id);
        return;
    }
    plain->aside_count = 0;
    if (orchestrator_waiting_count(plain->setup.orchestrator) == 0)
        plain_say(plain, "%s", _("no request is waiting"));
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

/* What runs and waits would end with it: that is said, and takes it a second time. */
static bool says_what_ends(struct plain *plain)
{
    size_t count = orchestrator_call_count(plain->setup.orchestrator), unfinished = 0;

    for (size_t i = 0; i < count; i++)
        unfinished += orchestrator_call_at(plain->setup.orchestrator, i)->state != CALL_FINISHED;
    if (unfinished == 0 || plain->quit_confirm)
        return false;
    plain->quit_confirm = true;
    plain_say(plain,
              P_("%zu call has not finished: quit once more to end it",
                 "%zu calls have not finished: quit once more to end them", unfinished),
              unfinished);
    return true;
}

static void quit(struct plain *plain, const char *argument)
{
    (void)argument;
    if (!says_what_ends(plain))
        plain_quit(plain, 0);
}

bool plain_interrupt(struct plain *plain)
{
    return says_what_ends(plain);
}

static void show_trail(struct plain *plain, const char *argument)
{
    struct document text = {0};

    (void)argument;
    details_trail(&text, plain->setup.orchestrator, plain->trail);
    plain_show(plain, _("What was decided so far"), &text);
}

static void show_rules(struct plain *plain, const char *argument)
{
    const struct desk desk = desk_of(plain);

    if (*argument == '\0')
        plain_record_rules(plain);
    else
        operator_rules_reload(&desk, argument);
}

static void help(struct plain *plain, const char *argument);

/* What these do stands in the table of all consoles' commands, or here. */
static const struct command {
    const char *name;
    void (*run)(struct plain *plain, const char *argument);
    const char *usage, *what; /* NULL: as in the table */
} own_commands[] = {
    {"answer", answer, NULL, NULL},
    {"inbox", list_inbox, NULL, NULL},
    {"calls", list_calls, ":calls", N_("list all calls")},
    {"freeze", freeze, NULL, NULL},
    {"thaw", thaw, NULL, NULL},
    {"log", plain_record_show, NULL, NULL},
    {"trail", show_trail, NULL, NULL},
    {"grants", list_grants, NULL, NULL},
    {"rules", show_rules, NULL, NULL},
    {"suggest", plain_record_suggest, ":suggest [NUMBER]", NULL},
    {"help", help, NULL, N_("list the commands")},
    {"quit", quit, NULL, NULL},
};
#define OWN_COUNT (COUNT(own_commands))

static const struct command *find_own(const char *name, size_t length)
{
    for (size_t i = 0; i < OWN_COUNT; i++)
        if (strncmp(own_commands[i].name, name, length) == 0 &&
            own_commands[i].name[length] == '\0')
            return &own_commands[i];
    return NULL;
}

static const char *usage_of(const struct command *own, const struct operator_command *command)
{
    return own != NULL && own->usage != NULL ? own->usage : command->usage;
}

static const char *what_of(const struct command *own, const struct operator_command *command)
{
    return own != NULL && own->what != NULL ? _(own->what) : _(command->what);
}

static void say_help(struct plain *plain, const struct operator_command *command)
{
    const struct command *own = find_own(command->name, strlen(command->name));

    if (command->run == NULL && own == NULL)
        return; /* it needs a screen */
    plain_say(plain, "%s: %s", usage_of(own, command), what_of(own, command));
}

static void help(struct plain *plain, const char *argument)
{
    const struct operator_command *command;

    (void)argument;
    plain_say(plain, "%s", _("!COMMAND: run it, as an agent would"));
    for (size_t i = 0; (command = operator_command_at(i)) != NULL; i++)
        say_help(plain, command);
    for (size_t i = 0; i < OWN_COUNT; i++)
        if (operator_command_find(own_commands[i].name, strlen(own_commands[i].name)) == NULL)
            plain_say(plain, "%s: %s", own_commands[i].usage, _(own_commands[i].what));
}

/* A few letters are enough, as on a screen. */
static void console_command(struct plain *plain, const char *line)
{
    size_t length = strcspn(line, " ");
    const char *argument = line + length + strspn(line + length, " ");
    const struct operator_command *command = operator_command_find(line, length);
    const struct command *own = find_own(line, length);
    const struct desk desk = desk_of(plain);
    cleanup_free char *meant = command == NULL ? operator_command_meant(line, length) : NULL;

    if (own == NULL && command != NULL)
        own = find_own(command->name, strlen(command->name));
    plain->quit_confirm = plain->quit_confirm && own != NULL && own->run == quit;
    if (own != NULL && operator_command_refuses(usage_of(own, command), argument))
        plain_say(plain, _("%s takes no word: %s"), usage_of(own, command), what_of(own, command));
    else if (own != NULL)
        own->run(plain, argument);
    else if (meant != NULL)
        plain_say(plain, _("There is no such command, but %s"), meant);
    else if (command == NULL || !operator_command_run(command, &desk, argument))
        plain_say(plain, "%s", _("There is no such command; :help lists them."));
    desk_command_over(&plain->stop_question);
}

bool plain_asks_for_help(const char *line)
{
    return strcmp(line, "help") == 0 || strcmp(line, "?") == 0;
}

void plain_command_line(struct plain *plain, const char *line)
{
    line += strspn(line, " ");
    if (plain_asks_for_help(line))
        help(plain, "");
    else if (*line == ':')
        console_command(plain, line + 1);
    else if (*line == '!' && line[1 + strspn(line + 1, " ")] != '\0')
        run(plain, line + 1 + strspn(line + 1, " "));
    else if (*line != '\0')
        plain_say(plain, "%s", _("This is no command: !COMMAND runs one, :help lists the rest."));
}
