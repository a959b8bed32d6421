/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/operator.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "approval/orchestrator.h"
#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/text.h"
#include "command/program.h"
#include "ui/awaiting.h"
#include "ui/call_text.h"
#include "ui/console_int.h"
#include "ui/details_view.h"
#include "ui/halt.h"
#include "ui/operator_calls.h"
#include "ui/operator_rules.h"
#include "ui/operator_table.h"
#include "ui/overlay_approval.h"
#include "ui/overlay_full.h"
#include "ui/overlay_grants.h"
#include "ui/overlay_help.h"
#include "ui/overlay_inbox.h"
#include "ui/overlay_reader.h"
#include "ui/overlay_suggest.h"
#include "ui/record_view.h"
#include "ui/rules_view.h"
#include "ui/standing.h"
#include "ui/view.h"

#define ANSWER_LETTERS_MAX 3

static struct command_spec *spec_new(const struct console *console, const char *const *argv)
{
    struct command_spec *spec = command_spec_new();

    spec->argv = strv_copy(argv);
    spec->cwd = xstrdup(console->setup.directory);
    spec->timeout_ms = COMMAND_TIMEOUT_DEFAULT;
    spec->tty = true;
    spec->standard_input = STDIN_TTY;
    return spec;
}

uint64_t operator_run(struct console *console, const char *const *argv)
{
    struct command_spec *spec = spec_new(console, argv);
    struct call_options options = {0};
    struct error error = ERROR_INIT;
    struct call *call;

    view_panes_size(console, &options.rows, &options.columns);
    call = orchestrator_submit(console->setup.orchestrator, console->setup.session, CALL_SHELL,
                               spec, &options, &error);
    if (call == NULL) {
        console_remark(console, THEME_FAILED, "%s", error.message);
        return 0;
    }
    console->selected = console->picked = call->id;
    console->selected_by_hand = false;
    return call->id;
}

/* ---- the desk -------------------------------------------------------------------------------- */

static void say(void *console, const char *topic, enum theme_element element, const char *text)
{
    console_say_own(console, element, text);
    if (topic != NULL)
        console_about(console, topic);
    console_dirty(console, DIRTY_LAYOUT); /* what was done may show anywhere */
}

static void remark(void *console, enum theme_element element, const char *text)
{
    console_remark(console, element, "%s", text);
}

static void show(void *console, const char *title, struct document *text)
{
    overlay_push(console, overlay_full_new(title, text));
}

static struct call *selected(void *console)
{
    return console_selected_call(console);
}

static struct call_standing standing(void *console, const struct call *call)
{
    return standing_of(console, call);
}

struct desk operator_desk(struct console *console)
{
    static const struct desk_voice voice = {say, remark, show, selected, standing};

    return (struct desk){.orchestrator = console->setup.orchestrator,
                         .session = console->setup.session,
                         .hooks = &console->setup.hooks,
                         .voice = &voice,
                         .console = console,
                         .question = &console->stop_question,
                         .row_flags = call_text_row_flags(console->theme),
                         .room = &console->layout.trail};
}

/* ---- commands that need a screen ------------------------------------------------------------- */

static void set_theme(struct console *console, const char *argument)
{
    const struct desk desk = operator_desk(console);
    struct error error = ERROR_INIT;

    if (*argument == '\0')
        operator_command_usage(operator_command_find("theme", 5), &desk,
                               theme_name(console->theme));
    else if (console_set_theme(console, argument, &error) < 0)
        console_remark(console, THEME_FAILED, "%s", error.message);
}

static void freeze_all(struct console *console, const char *argument)
{
    (void)argument;
    halt_freeze(console, true);
}

static void thaw_all(struct console *console, const char *argument)
{
    (void)argument;
    halt_freeze(console, false);
}

static void show_trail(struct console *console, const char *argument)
{
    (void)argument;
    details_show_trail(console);
}

static void show_grants(struct console *console, const char *argument)
{
    (void)argument;
    overlay_grants_show(console);
}

static void show_rules(struct console *console, const char *argument)
{
    const struct desk desk = operator_desk(console);

    if (*argument == '\0')
        rules_view_show(console);
    else
        operator_rules_reload(&desk, argument);
}

static void show_suggestions(struct console *console, const char *argument)
{
    (void)argument;
    overlay_suggest_open(console);
}

/* One that is named, and never another in its place. */
static void answer(struct console *console, const char *argument)
{
    const struct desk desk = operator_desk(console);
    const struct call *call = *argument != '\0' ? operator_asking_call(&desk, argument) : NULL;

    if (*argument == '\0')
        overlay_approval_reopen(console);
    else if (call != NULL)
        overlay_approval_open(console, call->prompt->id);
}

static void show_inbox(struct console *console, const char *argument)
{
    (void)argument;
    overlay_inbox_open(console);
}

static void show_help(struct console *console, const char *argument)
{
    (void)argument;
    overlay_help_show(console, KEYMAP_MAIN);
}

static void show_keys(struct console *console, const char *argument)
{
    (void)argument;
    overlay_help_keys(console);
}

static void quit(struct console *console, const char *argument)
{
    (void)argument;
    console_quit(console, false);
}

static const struct {
    const char *name;
    void (*run)(struct console *console, const char *argument);
} own_commands[] = {
    {"answer", answer},
    {"inbox", show_inbox},
    {"freeze", freeze_all},
    {"thaw", thaw_all},
    {"find", overlay_reader_open},
    {"log", record_view_show},
    {"trail", show_trail},
    {"grants", show_grants},
    {"rules", show_rules},
    {"suggest", show_suggestions},
    {"theme", set_theme},
    {"help", show_help},
    {"keys", show_keys},
    {"quit", quit},
};

static void run_own(struct console *console, const char *name, const char *argument)
{
    for (size_t i = 0; i < COUNT(own_commands); i++)
        if (strcmp(own_commands[i].name, name) == 0)
            own_commands[i].run(console, argument);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void console_command(struct console *console, const char *line)
{
    size_t length = strcspn(line, " ");
    const char *argument = line + length + strspn(line + length, " ");
    const struct operator_command *command = operator_command_find(line, length);
    const struct desk desk = operator_desk(console);
    cleanup_free char *meant = command == NULL ? operator_command_meant(line, length) : NULL;

    if (length == 0)
        overlay_help_commands(console);
    else if (meant != NULL)
        console_remark(console, THEME_FAILED, _("there is no command \":%.*s\", but %s"),
                       (int)length, line, meant);
    else if (command == NULL)
        console_remark(console, THEME_FAILED, _("there is no command \":%.*s\" (:help lists them)"),
                       (int)(length < 40 ? length : 40), line);
    else if (operator_command_run(command, &desk, argument))
        return;
    else if (operator_command_refuses(command->usage, argument))
        operator_command_usage(command, &desk, NULL);
    else
        run_own(console, command->name, argument);
}

static bool is_answer_key(const struct console *console, int code)
{
    switch (keymap_find(&console->keymap, KEYMAP_APPROVAL, (uint32_t)code, 0)) {
    case ACTION_APPROVE:
    case ACTION_APPROVE_SANDBOXED:
    case ACTION_APPROVE_PATH:
    case ACTION_APPROVE_SESSION:
    case ACTION_APPROVE_PREFIX:
    case ACTION_DENY:
    case ACTION_DENY_MESSAGE:
    case ACTION_ABORT:
        return true;
    default:
        return false;
    }
}

/* Is there a program of that name where the shell looks for one? */
static bool names_program(const struct console *console, const char *line, size_t length)
{
    cleanup_free char *name = xstrndup(line, length);
    struct program program;
    bool found;

    program_find(name, console->setup.directory, getenv("PATH"), &program);
    found = program.path != NULL;
    program_clear(&program);
    return found;
}

/* Caps Lock makes no program of an answer. */
static size_t answer_letters(const struct console *console, const char *line)
{
    size_t count = 0;

    for (int code; (code = (unsigned char)line[count]) != '\0'; count++)
        if (!is_answer_key(console, code) && !is_answer_key(console, tolower(code)))
            break;
    return count;
}

/* One letter with nothing but blanks behind it; or a few, as of a key that was pressed too often,
 * which are no program like dd. */
static bool is_answer(const struct console *console, const char *line)
{
    size_t count = answer_letters(console, line);

    return count > 0 && count <= ANSWER_LETTERS_MAX &&
           line[count + strspn(line + count, " \t")] == '\0' &&
           (count == 1 || !names_program(console, line, count));
}

/* What closes a pager, or a view, and is meant for one. */
static bool is_lone_quit(const struct console *console, const char *line)
{
    return line[0] == 'q' && line[1 + strspn(line + 1, " \t")] == '\0' &&
           !names_program(console, line, 1);
}

static void refuse_lone_quit(struct console *console)
{
    char key[24];
    uint64_t call;

    if (awaiting_count(console, &call) > 0)
        console_remark(console, THEME_WARNING,
                       _("\"q\" is no program, and was not run: %s types into the pane that waits"),
                       keymap_key(&console->keymap, ACTION_ENTER_PANE, key));
    else
        console_remark(console, THEME_WARNING, "%s",
                       _("\"q\" is no program, and was not run: :quit ends the console"));
}

/* Whoever answers a request that is gone by then, and Enter with it, means no program. */
static void refuse_answer(struct console *console, const char *line)
{
    char key[24];
    uint64_t call;

    if (console_waiting(console) > 0)
        console_remark(console, THEME_WARNING,
                       _("\"%s\" is an answer, and was not run: %s shows the request that waits"),
                       line, keymap_key(&console->keymap, ACTION_ANSWER, key));
    else if (awaiting_count(console, &call) > 0)
        console_remark(console, THEME_WARNING,
                       _("\"%s\" is an answer, and was not run: %s types into the pane that waits"),
                       line, keymap_key(&console->keymap, ACTION_ENTER_PANE, key));
    else
        console_remark(console, THEME_WARNING,
                       _("\"%s\" is an answer, and was not run: no request waits"), line);
}

bool operator_line_changes(const char *line)
{
    line += strspn(line, " ");
    return *line == ':' && operator_command_changes(line + 1 + strspn(line + 1, " "));
}

bool operator_line_searches(const char *line)
{
    cleanup_free char *program = NULL;
    struct stat status;

    line += strspn(line, " ");
    program = xstrndup(line, strcspn(line, " \t;&|<>()"));
    return *line == '/' &&
           !(stat(program, &status) == 0 && S_ISREG(status.st_mode) && access(program, X_OK) == 0);
}

void operator_line(struct console *console, const char *line)
{
    line += strspn(line, " ");
    if (*line == ':')
        console_command(console, line + 1 + strspn(line + 1, " "));
    else if (is_answer(console, line))
        refuse_answer(console, line);
    else if (is_lone_quit(console, line))
        refuse_lone_quit(console);
    else if (*line != '\0')
        operator_run(console, (const char *const[]){"bash", "-c", line, NULL});
}
