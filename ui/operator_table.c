/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/operator_table.h"

#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "ui/operator_agents.h"
#include "ui/operator_calls.h"
#include "ui/operator_context.h"
#include "ui/operator_rules.h"
#include "ui/operator_undo.h"

static const char *const policies[] = {"untrusted", "on-failure", "on-request",
                                       "reject",    "never",      NULL};
static const char *const modes[] = {"read-only", "workspace-write", "danger-full-access",
                                    "external-sandbox", NULL};
static const char *const networks[] = {"ask", "off", "on", NULL};
static const char *const themes[] = {"dark",          "light",        "mono",
                                     "high-contrast", "colour-blind", NULL};
static const char *const log_words[] = {"approved",  "denied", "stats",  "agent=", "by=",
                                        "decision=", "risk=",  "since=", "until=", NULL},
                         *const forget_words[] = {"all", NULL},
                         *const rules_words[] = {"reload", NULL},
                         *const trust_words[] = {"yes", "no", NULL};

static const struct operator_command commands[] = {
    {"policy", ":policy NAME", N_("when to ask: untrusted, on-failure, on-request, reject, never"),
     COMMAND_CHANGES, true, operator_policy, operator_policy_now, policies},
    {"sandbox", ":sandbox MODE",
     N_("read-only, workspace-write, danger-full-access, external-sandbox"), COMMAND_CHANGES, true,
     operator_sandbox, operator_sandbox_now, modes},
    {"network", ":network ask|off|on", N_("network for commands that come next"), COMMAND_CHANGES,
     true, operator_network, operator_network_now, networks},
    {"answer", ":answer [CALL]", N_("answer the oldest request that waits, or c12's"),
     COMMAND_SHOWS, false, NULL, NULL, NULL},
    {"inbox", ":inbox", N_("list all requests that wait"), COMMAND_SHOWS, false, NULL, NULL, NULL},
    {"forget", ":forget CALL|all", N_("let agents ask again for what you denied"), COMMAND_CHANGES,
     true, operator_forget, NULL, forget_words},
    {"stop", ":stop [CALL|AGENT]",
     N_("stop the selected call, or c12, or all of an agent's work; also :kill"), COMMAND_CHANGES,
     false, operator_stop, NULL, NULL},
    {"resume", ":resume [AGENT]", N_("let a stopped agent ask again"), COMMAND_CHANGES, false,
     operator_resume, NULL, NULL},
    {"freeze", ":freeze", N_("freeze all that runs; what is allowed then waits"), COMMAND_SHOWS,
     false, NULL, NULL, NULL},
    {"thaw", ":thaw", N_("let what is frozen go on"), COMMAND_CHANGES, false, NULL, NULL, NULL},
    {"show", ":show [CALL]", N_("everything about the selected call, or c12"), COMMAND_SHOWS, false,
     operator_show, NULL, NULL},
    {"find", ":find TEXT", N_("look for it in what the selected pane has shown"), COMMAND_SHOWS,
     false, NULL, NULL, NULL},
    {"log", ":log [approved|denied|stats|TEXT]",
     N_("calls on record; approved today; how often you were asked"), COMMAND_SHOWS, false, NULL,
     NULL, log_words},
    {"trail", ":trail", N_("what was decided so far"), COMMAND_SHOWS, false, NULL, NULL, NULL},
    {"sessions", ":sessions", N_("who is connected, and what is in force for them"), COMMAND_SHOWS,
     false, operator_sessions, NULL, NULL},
    {"grants", ":grants", N_("what holds without a question, and for how long"), COMMAND_SHOWS,
     false, NULL, NULL, NULL},
    {"revoke", ":revoke CALL", N_("take such an approval back"), COMMAND_CHANGES, true,
     operator_revoke, NULL, NULL},
    {"rules", ":rules [reload]",
     N_("rules in force, and what they did; take what changed in their files"),
     COMMAND_CHANGES_BY_WORD, false, NULL, NULL, rules_words},
    {"suggest", ":suggest", N_("rules that could be made of what you approved again and again"),
     COMMAND_SHOWS, false, NULL, NULL, NULL},
    {"trust", ":trust [yes|no]", N_("look at this project's own rules, and let them allow"),
     COMMAND_CHANGES_BY_WORD, false, operator_rules_trust, NULL, trust_words},
    {"undo", ":undo", N_("take back your newest answer that still holds"), COMMAND_CHANGES, false,
     operator_undo, NULL, NULL},
    {"theme", ":theme NAME", N_("colours: dark, light, mono, high-contrast, colour-blind"),
     COMMAND_SHOWS, false, NULL, NULL, themes},
    {"help", ":help", N_("keys and commands"), COMMAND_SHOWS, false, NULL, NULL, NULL},
    {"keys", ":keys", N_("what the configuration calls each key's action"), COMMAND_SHOWS, false,
     NULL, NULL, NULL},
    {"quit", ":quit", N_("end the console"), COMMAND_CHANGES, false, NULL, NULL, NULL},
};
#define COMMAND_COUNT (COUNT(commands))

const struct operator_command *operator_command_at(size_t index)
{
    return index < COMMAND_COUNT ? &commands[index] : NULL;
}

const struct operator_command *operator_command_find(const char *name, size_t length)
{
    const struct operator_command *found = NULL;
    size_t matches = 0;

    /* What comes to mind where something must end at once. */
    if (length == 4 && memcmp(name, "kill", length) == 0)
        return operator_command_find("stop", length);

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

bool operator_command_changes(const char *line)
{
    size_t length = strcspn(line, " ");
    const struct operator_command *command = operator_command_find(line, length);

    bool word = line[length + strspn(line + length, " ")] != '\0';

    if (command == NULL || command->effect == COMMAND_SHOWS)
        return false;
    return word || (command->effect == COMMAND_CHANGES && !command->needs_argument);
}

char *operator_command_meant(const char *word, size_t length)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const char *const *arguments = commands[i].arguments;

        for (size_t j = 0; arguments != NULL && arguments[j] != NULL; j++)
            if (strlen(arguments[j]) == length && memcmp(arguments[j], word, length) == 0)
                return xasprintf(":%s %s", commands[i].name, arguments[j]);
    }
    return NULL;
}

void operator_command_usage(const struct operator_command *command, const struct desk *desk,
                            const char *now)
{
    cleanup_strbuf struct strbuf choices = STRBUF_INIT;

    for (size_t i = 0; command->arguments != NULL && command->arguments[i] != NULL; i++)
        strbuf_addf(&choices, "%s%s", i > 0 ? ", " : "", command->arguments[i]);
    if (now != NULL)
        desk_remark(desk, THEME_STRONG, _(":%s is %s now; choose: %s"), command->name, now,
                    strbuf_str(&choices));
    else if (strchr(command->usage, ' ') == NULL)
        desk_remark(desk, THEME_FAILED, _("%s takes no word: %s"), command->usage,
                    _(command->what));
    else
        desk_remark(desk, THEME_FAILED, "%s: %s", command->usage, _(command->what));
}

bool operator_command_refuses(const char *usage, const char *argument)
{
    return *argument != '\0' && strchr(usage, ' ') == NULL;
}

bool operator_command_run(const struct operator_command *command, const struct desk *desk,
                          const char *argument)
{
    if (command->run == NULL)
        return false;
    if (command->needs_argument ? *argument == '\0'
                                : operator_command_refuses(command->usage, argument))
        operator_command_usage(command, desk, command->now != NULL ? command->now(desk) : NULL);
    else
        command->run(desk, argument);
    return true;
}
