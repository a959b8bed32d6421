/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/operator.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "approval/grants.h"
#include "approval/orchestrator.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/console_int.h"
#include "ui/details.h"
#include "ui/halt.h"
#include "ui/operator_rules.h"
#include "ui/overlay_approval.h"
#include "ui/overlay_grants.h"
#include "ui/overlay_help.h"
#include "ui/overlay_inbox.h"
#include "ui/overlay_reader.h"
#include "ui/overlay_suggest.h"
#include "ui/record_view.h"
#include "ui/view.h"

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
    console->selected = call->id;
    console->selected_by_hand = false;
    return call->id;
}

/* ---- commands of the console -------------------------------------------------------------- */

/* Puts a changed context in force for the session's next calls. */
static void choose_context(struct console *console, struct session *session,
                           const struct approval_policy *approval,
                           const struct sandbox_policy *sandbox)
{
    struct turn_context *old = session->context;
    struct turn_context *context = turn_context_new(approval, sandbox, old->preference, old->root);

    context->default_timeout_ms = old->default_timeout_ms;
    context->max_timeout_ms = old->max_timeout_ms;
    if (session == console->setup.session && console->setup.context_chosen != NULL)
        console->setup.context_chosen(console->setup.argument, context);
    orchestrator_set_context(console->setup.orchestrator, session, context);
    turn_context_unref(&context);
}

/* A name alone changes when to ask, and nothing else that the configuration says of it. */
static int read_policy(const char *argument, struct approval_policy *policy, struct error *error)
{
    struct approval_policy named;

    if (approval_policy_parse(argument, &named, error) < 0)
        return -1;
    policy->kind = named.kind;
    if (strchr(argument, ':') != NULL) {
        policy->reject_sandbox_approval = named.reject_sandbox_approval;
        policy->reject_rules = named.reject_rules;
        policy->reject_elicitations = named.reject_elicitations;
    }
    return 0;
}

static void set_policy(struct console *console, const char *argument)
{
    struct approval_policy policy = console->setup.session->context->approval;
    struct error error = ERROR_INIT;
    size_t count = orchestrator_session_count(console->setup.orchestrator);

    if (read_policy(argument, &policy, &error) < 0) {
        console_remark(console, THEME_FAILED, "%s", error.message);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct session *session = orchestrator_session_at(console->setup.orchestrator, i);

        choose_context(console, session, &policy, session->context->sandbox);
    }
    console_say(console, THEME_STRONG, _("From the next call on: approval policy %s"),
                approval_policy_name(policy.kind));
}

static const char *network_words(const struct sandbox_policy *policy)
{
    if (policy->network)
        return _("network on");
    return policy->network_asks ? _("network asks") : _("network off");
}

static void set_sandbox(struct console *console, const char *argument)
{
    struct error error = ERROR_INIT;
    const char *root = console->setup.session->context->root;
    size_t count = orchestrator_session_count(console->setup.orchestrator);
    enum sandbox_mode mode;
    struct sandbox_policy *policy;

    if (!sandbox_mode_parse(argument, &mode)) {
        console_remark(console, THEME_FAILED, "%s",
                       _("sandbox modes: read-only, workspace-write, danger-full-access, "
                         "external-sandbox"));
        return;
    }
    policy = console->setup.policy_of_mode(console->setup.argument, mode, root, &error);
    if (policy == NULL) {
        console_remark(console, THEME_FAILED, "%s", error.message);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct session *session = orchestrator_session_at(console->setup.orchestrator, i);

        choose_context(console, session, &session->context->approval, policy);
    }
    console_say(console, THEME_STRONG, _("From the next call on: sandbox %s, %s"),
                sandbox_mode_name(mode), network_words(policy));
    sandbox_policy_free(&policy);
}

static void set_network(struct console *console, const char *argument)
{
    size_t count = orchestrator_session_count(console->setup.orchestrator);
    bool on = strcmp(argument, "on") == 0;
    bool asks = strcmp(argument, "ask") == 0;

    if (!on && !asks && strcmp(argument, "off") != 0) {
        console_remark(console, THEME_FAILED, _("network: there is no \"%.40s\" (ask, off, on)"),
                       argument);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct session *session = orchestrator_session_at(console->setup.orchestrator, i);
        struct sandbox_policy *policy = sandbox_policy_copy(session->context->sandbox);

        policy->network = on;
        policy->network_asks = asks && sandbox_policy_is_restricted(policy);
        choose_context(console, session, &session->context->approval, policy);
        sandbox_policy_free(&policy);
    }
    console_say(console, THEME_STRONG,
                on     ? _("From the next call on: network on")
                : asks ? _("From the next call on: network asks for each host")
                       : _("From the next call on: network off"));
}

static void set_theme(struct console *console, const char *argument)
{
    struct error error = ERROR_INIT;

    if (console_set_theme(console, argument, &error) < 0)
        console_remark(console, THEME_FAILED, "%s", error.message);
}

/* The call that "c12", "12" or nothing (the selected one) names; NULL after saying so. */
static struct call *named_call(struct console *console, const char *argument)
{
    const char *digits = *argument == 'c' ? argument + 1 : argument;
    struct call *call = *argument == '\0' ? console_selected_call(console)
                                          : orchestrator_find_call(console->setup.orchestrator,
                                                                   strtoull(digits, NULL, 10));

    if (call == NULL)
        console_remark(console, THEME_FAILED, "%s", _("there is no such call"));
    return call;
}

void operator_stop(struct console *console, struct call *call)
{
    if (call->state == CALL_FINISHED)
        console_remark(console, THEME_DIM, _("c%" PRIu64 " has finished already"), call->id);
    else
        orchestrator_cancel(console->setup.orchestrator, call, CANCELLED_BY_OPERATOR,
                            "stopped by the operator");
}

static void say_no_agent(struct console *console)
{
    console_remark(console, THEME_FAILED, "%s",
                   _("there is no such agent or call (:sessions lists agents)"));
}

/* An agent may call itself "c12": what names a call is a call. */
static void stop_call(struct console *console, const char *argument)
{
    const char *digits = *argument == 'c' ? argument + 1 : argument;
    bool names_call = digits[strspn(digits, "0123456789")] == '\0';
    struct call *call;

    if (!names_call && halt_stop_agent(console, argument, true))
        return;
    call = names_call ? named_call(console, argument) : NULL;
    if (call != NULL)
        operator_stop(console, call);
    else if (!names_call)
        say_no_agent(console);
}

static void resume_agent(struct console *console, const char *argument)
{
    if (!halt_stop_agent(console, argument, false))
        say_no_agent(console);
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

static void show_call(struct console *console, const char *argument)
{
    struct call *call = named_call(console, argument);

    if (call != NULL)
        details_show_call(console, call);
}

static void show_trail(struct console *console, const char *argument)
{
    (void)argument;
    details_show_trail(console);
}

static void show_sessions(struct console *console, const char *argument)
{
    (void)argument;
    details_show_sessions(console);
}

static void show_grants(struct console *console, const char *argument)
{
    (void)argument;
    overlay_grants_show(console);
}

/* Takes back what was granted with the answer to that call; false when nothing was. */
static bool revoke_answer(const struct console *console, uint64_t call)
{
    struct orchestrator *orchestrator = console->setup.orchestrator;
    bool any = false;

    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++) {
        struct session *session = orchestrator_session_at(orchestrator, i);

        for (size_t j = grants_count(session->grants); j-- > 0;) {
            const struct grant *grant = grants_at(session->grants, j);

            if (grant->call == call)
                any = orchestrator_revoke(orchestrator, session, grant->id) || any;
        }
    }
    return any;
}

/* "c12" or "12": what was allowed for the session with the answer to that call. */
static void revoke_grant(struct console *console, const char *argument)
{
    uint64_t call = strtoull(*argument == 'c' ? argument + 1 : argument, NULL, 10);

    if (revoke_answer(console, call))
        console_say(console, THEME_STRONG, _("your answer to c%" PRIu64 " is taken back"), call);
    else
        console_remark(console, THEME_FAILED, "%s", _("there is no such approval (:grants)"));
}

/* What was denied is refused unasked when the same comes again; this ends that. */
static void forget_denials(struct console *console, const char *argument)
{
    struct orchestrator *orchestrator = console->setup.orchestrator;

    (void)argument;
    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++)
        orchestrator_forget_denials(orchestrator, orchestrator_session_at(orchestrator, i));
    console_say(console, THEME_STRONG, "%s", _("what you denied may be asked again"));
}

static void answer(struct console *console, const char *argument)
{
    (void)argument;
    overlay_approval_reopen(console);
}

static void find_text(struct console *console, const char *argument)
{
    overlay_reader_open(console, argument);
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
    console_quit(console);
}

/* ---- what is in force now -------------------------------------------------------------------- */

static const char *policy_now(const struct console *console)
{
    return approval_policy_name(console->setup.session->context->approval.kind);
}

static void show_suggestions(struct console *console, const char *argument)
{
    (void)argument;
    overlay_suggest_open(console);
}

static void show_log(struct console *console, const char *argument)
{
    record_view_show(console, argument);
}

static const char *sandbox_now(const struct console *console)
{
    return sandbox_mode_name(console->setup.session->context->sandbox->mode);
}

static const char *network_now(const struct console *console)
{
    const struct sandbox_policy *policy = console->setup.session->context->sandbox;

    return policy->network ? "on" : policy->network_asks ? "ask" : "off";
}

static const char *theme_now(const struct console *console)
{
    return theme_name(console->theme);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const char *const policies[] = {"untrusted", "on-failure", "on-request",
                                       "reject",    "never",      NULL};
static const char *const modes[] = {"read-only", "workspace-write", "danger-full-access",
                                    "external-sandbox", NULL};
static const char *const networks[] = {"ask", "off", "on", NULL};
static const char *const themes[] = {"dark",          "light",        "mono",
                                     "high-contrast", "colour-blind", NULL};
static const char *const log_words[] = {"approved", "stats",  "agent=", "by=", "decision=",
                                        "risk=",    "since=", "until=", NULL},
                         *const rules_words[] = {"reload", NULL},
                         *const trust_words[] = {"yes", "no", NULL};

static const struct operator_command commands[] = {
    {"policy", ":policy NAME", N_("when to ask: untrusted, on-failure, on-request, reject, never"),
     true, set_policy, policy_now, policies},
    {"sandbox", ":sandbox MODE",
     N_("read-only, workspace-write, danger-full-access, external-sandbox"), true, set_sandbox,
     sandbox_now, modes},
    {"network", ":network ask|off|on", N_("network for commands that come next"), true, set_network,
     network_now, networks},
    {"answer", ":answer", N_("answer the waiting request"), false, answer, NULL, NULL},
    {"inbox", ":inbox", N_("list all requests that wait"), false, show_inbox, NULL, NULL},
    {"forget", ":forget", N_("let agents ask again for what you denied"), false, forget_denials,
     NULL, NULL},
    {"stop", ":stop [CALL|AGENT]", N_("stop the selected call, or c12, or all of an agent's work"),
     false, stop_call, NULL, NULL},
    {"resume", ":resume AGENT", N_("let a stopped agent ask again"), true, resume_agent, NULL,
     NULL},
    {"freeze", ":freeze", N_("freeze all that runs; what is allowed then waits"), false, freeze_all,
     NULL, NULL},
    {"thaw", ":thaw", N_("let what is frozen go on"), false, thaw_all, NULL, NULL},
    {"show", ":show [CALL]", N_("everything about the selected call, or c12"), false, show_call,
     NULL, NULL},
    {"find", ":find TEXT", N_("look for it in what the selected pane has shown"), false, find_text,
     NULL, NULL},
    {"log", ":log [approved|stats|TEXT]",
     N_("calls on record; approved today; how often you were asked"), false, show_log, NULL,
     log_words},
    {"trail", ":trail", N_("what was decided so far"), false, show_trail, NULL, NULL},
    {"sessions", ":sessions", N_("who is connected, and what is in force for them"), false,
     show_sessions, NULL, NULL},
    {"grants", ":grants", N_("what holds without a question, and for how long"), false, show_grants,
     NULL, NULL},
    {"revoke", ":revoke CALL", N_("take such an approval back"), true, revoke_grant, NULL, NULL},
    {"rules", ":rules [reload]",
     N_("rules in force, and what they did; take what changed in their files"), false,
     operator_rules, NULL, rules_words},
    {"suggest", ":suggest", N_("rules that could be made of what you approved again and again"),
     false, show_suggestions, NULL, NULL},
    {"trust", ":trust [yes|no]", N_("look at this project's own rules, and let them allow"), false,
     operator_rules_trust, NULL, trust_words},
    {"undo", ":undo", N_("take back the newest rule that you remembered"), false,
     operator_rules_undo, NULL, NULL},
    {"theme", ":theme NAME", N_("colours: dark, light, mono, high-contrast, colour-blind"), true,
     set_theme, theme_now, themes},
    {"help", ":help", N_("keys and commands"), false, show_help, NULL, NULL},
    {"keys", ":keys", N_("what the configuration calls each key's action"), false, show_keys, NULL,
     NULL},
    {"quit", ":quit", N_("end the console"), false, quit, NULL, NULL},
};
#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

const struct operator_command *operator_command_at(size_t index)
{
    return index < COMMAND_COUNT ? &commands[index] : NULL;
}

const struct operator_command *operator_command_find(const char *name, size_t length)
{
    const struct operator_command *found = NULL;
    size_t matches = 0;

    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strncmp(commands[i].name, name, length) != 0)
            continue;
        if (commands[i].name[length] == '\0')
            return &commands[i];
        found = &commands[i];
        matches++;
    }
    return matches == 1 ? found : NULL;
}

/* A setting without a value asks what there is to choose from. */
static void say_usage(struct console *console, const struct operator_command *command)
{
    cleanup_strbuf struct strbuf choices = STRBUF_INIT;

    for (size_t i = 0; command->arguments != NULL && command->arguments[i] != NULL; i++)
        strbuf_addf(&choices, "%s%s", i > 0 ? ", " : "", command->arguments[i]);
    if (command->now != NULL)
        console_remark(console, THEME_STRONG, _(":%s is %s now; choose: %s"), command->name,
                       command->now(console), strbuf_str(&choices));
    else
        console_remark(console, THEME_FAILED, "%s: %s", command->usage, _(command->what));
}

static void console_command(struct console *console, const char *line)
{
    size_t length = strcspn(line, " ");
    const char *argument = line + length + strspn(line + length, " ");
    const struct operator_command *command = operator_command_find(line, length);

    if (length == 0)
        overlay_help_commands(console);
    else if (command == NULL)
        console_remark(console, THEME_FAILED, _("there is no command \":%.*s\" (:help lists them)"),
                       (int)(length < 40 ? length : 40), line);
    else if (command->needs_argument && *argument == '\0')
        say_usage(console, command);
    else
        command->run(console, argument);
}

void operator_line(struct console *console, const char *line)
{
    line += strspn(line, " ");
    if (*line == ':')
        console_command(console, line + 1 + strspn(line + 1, " "));
    else if (*line != '\0')
        operator_run(console, (const char *const[]){"bash", "-c", line, NULL});
}
