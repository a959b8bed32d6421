/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/hook.h"

#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agents/agent_tool.h"
#include "agents/client.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/json.h"
#include "base/loop.h"
#include "base/strbuf.h"
#include "base/text.h"

#define INPUT_MAX ((size_t)8 * 1024 * 1024)

/* How an agent words question and answer. */
enum form { FORM_PRE_TOOL_USE, FORM_PERMISSION_REQUEST, FORM_BEFORE_TOOL, FORM_COPILOT };

struct question {
    json_t *event; /* as it came */
    enum form form;
    const char *agent; /* what the console shows as its name */
    const char *tool;
    json_t *input; /* owned */
    char *cwd;     /* absolute */
};

struct hook {
    const struct hook_options *options;
    struct question question;
    struct loop *loop;
    struct client *client;
    struct loop_timer *deadline;
    int status;
};

static int deny(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int deny(const char *format, ...)
{
    va_list arguments;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    va_start(arguments, format);
    strbuf_vaddf(&text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "assent hook: %s\n", strbuf_str(&text));
    return HOOK_DENIED;
}

/* ---- the question -------------------------------------------------------------------------- */

/* Tools that read the workspace, plan, or only steer the agent: its own rules are enough. Reading
 * is not supervised here, and what these start asks by itself. */
static const char *const left_alone[] = {
    "Agent",
    "AskUserQuestion",
    "BashOutput",
    "EnterPlanMode",
    "ExitPlanMode",
    "Glob",
    "Grep",
    "KillBash",
    "KillShell",
    "LS",
    "NotebookRead",
    "Read",
    "ReportFindings",
    "Skill",
    "StructuredOutput",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
    "glob",
    "grep",
    "grep_search",
    "list_directory",
    "read_file",
    "read_many_files",
    "report_intent",
    "search_file_content",
    "update_plan",
    "view",
    "view_image",
    "write_todos",
};

static bool is_left_alone(const struct question *question)
{
    if (question->form == FORM_PERMISSION_REQUEST)
        return false; /* the agent asks by itself: then we answer */
    return IS_IN(question->tool, left_alone);
}

static const char *member(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* 1 for a question, 0 for an event that asks nothing, -1 for what we do not understand. */
static int read_form(struct question *question)
{
    static const struct {
        const char *event;
        enum form form;
    } events[] = {{"PreToolUse", FORM_PRE_TOOL_USE},
                  {"PermissionRequest", FORM_PERMISSION_REQUEST},
                  {"BeforeTool", FORM_BEFORE_TOOL}};
    const char *name = member(question->event, "hook_event_name");
    for (size_t i = 0; name != NULL && i < COUNT(events); i++)
        if (strcmp(events[i].event, name) == 0) {
            question->form = events[i].form;
            return 1;
        }
    if (name != NULL)
        return 0;
    question->form = FORM_COPILOT;
    return member(question->event, "toolName") != NULL ? 1 : -1;
}

static const char *agent_name(const struct question *question)
{
    if (question->form == FORM_COPILOT)
        return "Copilot CLI";
    if (question->form == FORM_BEFORE_TOOL)
        return "Gemini CLI";
    return json_object_get(question->event, "turn_id") != NULL ? "Codex" : "Claude Code";
}

/* Copilot CLI gives the input as JSON text. */
static json_t *read_input(const struct question *question)
{
    const json_t *event = question->event;
    const json_t *given = json_object_get(event, "toolArgs");
    if (question->form != FORM_COPILOT)
        return json_incref(json_object_get(event, "tool_input"));
    return json_is_string(given) ? json_loads(json_string_value(given), 0, NULL)
                                 : json_incref((json_t *)given);
}

static int read_question(struct question *question, const char *text, size_t length)
{
    json_error_t error;
    question->event = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(question->event))
        return deny("the agent's question is no JSON object: %s", error.text);
    int asks = read_form(question);
    if (asks == 0)
        return HOOK_ANSWERED;
    question->tool =
        member(question->event, question->form == FORM_COPILOT ? "toolName" : "tool_name");
    if (asks < 0 || question->tool == NULL)
        return deny("the agent's question has no form that is known here");
    question->agent = agent_name(question);
    question->input = read_input(question);
    if (!json_is_object(question->input))
        return deny("the agent's question has no input for the tool %.100s", question->tool);
    const char *cwd = member(question->event, "cwd");
    question->cwd = cwd != NULL && cwd[0] == '/' ? xstrdup(cwd) : getcwd(NULL, 0);
    if (question->cwd == NULL)
        return deny("the agent's directory is not known");
    return -1; /* to be asked */
}

/* ---- the answer ---------------------------------------------------------------------------- */

/* Prints it, whole or not at all as far as the status is concerned. Takes the answer. */
static int print(json_t *answer)
{
    cleanup_free char *text = json_dumps(answer, JSON_COMPACT);
    json_decref(answer);
    if (text == NULL || printf("%s\n", text) < 0 || fflush(stdout) != 0)
        return deny("the answer could not be written");
    return HOOK_ANSWERED;
}

static json_t *claude_answer(const char *event, json_t *specific)
{
    json_t *answer = json_object();
    json_object_set_new(specific, "hookEventName", json_string(event));
    json_object_set_new(answer, "hookSpecificOutput", specific);
    return answer;
}

static json_t *text_of(const char *text)
{
    return json_string_lossy(text, strlen(text));
}

/* {verb: "allow" or "deny", reason: …}, as three of the four have it. */
static json_t *verdict(const char *verb, const char *reason_key, bool allow, const char *reason)
{
    json_t *object = json_object();
    json_object_set_new(object, verb, json_string(allow ? "allow" : "deny"));
    json_object_set_new(object, reason_key, text_of(reason));
    return object;
}

static json_t *permission_answer(bool allow, const char *reason, bool interrupt)
{
    json_t *decision = json_object();
    json_object_set_new(decision, "behavior", json_string(allow ? "allow" : "deny"));
    if (!allow)
        json_object_set_new(decision, "message", text_of(reason));
    if (interrupt)
        json_object_set_new(decision, "interrupt", json_true());
    json_t *specific = json_object();
    json_object_set_new(specific, "decision", decision);
    return claude_answer("PermissionRequest", specific);
}

static int answer(const struct question *question, bool allow, const char *reason, bool interrupt)
{
    switch (question->form) {
    case FORM_PRE_TOOL_USE:
        return print(
            claude_answer("PreToolUse", verdict("permissionDecision", "permissionDecisionReason",
                                                allow, reason)));
    case FORM_PERMISSION_REQUEST:
        return print(permission_answer(allow, reason, interrupt));
    case FORM_BEFORE_TOOL:
        return print(verdict("decision", "reason", allow, reason));
    case FORM_COPILOT:
        break;
    }
    return print(verdict("permissionDecision", "permissionDecisionReason", allow, reason));
}

/* "ask" where the form has it; saying nothing has the same meaning elsewhere. */
static int leave_to_agent(const struct question *question)
{
    if (question->form != FORM_PRE_TOOL_USE)
        return HOOK_ANSWERED;
    json_t *specific = verdict("permissionDecision", "permissionDecisionReason", false,
                               "no Assent console is running");
    json_object_set_new(specific, "permissionDecision", json_string("ask"));
    return print(claude_answer("PreToolUse", specific));
}

/* The shell tool is to run its script through the console, which asks by itself. */
static int answer_rewritten(const struct question *question, char *const *through)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    const char *script = member(question->input, "command");
    const char *const shell[] = {"bash", "-c", script, NULL};
    text_quote_argv(&line, (const char *const *)through);
    strbuf_addch(&line, ' ');
    text_quote_argv(&line, shell);
    json_t *input = json_copy(question->input);
    json_object_set_new(input, "command", text_of(strbuf_str(&line)));
    json_t *specific = verdict("permissionDecision", "permissionDecisionReason", true,
                               "it runs through the console");
    json_object_set_new(specific, "updatedInput", input);
    return print(claude_answer("PreToolUse", specific));
}

/* ---- asking -------------------------------------------------------------------------------- */

static void end(struct hook *hook, int status)
{
    hook->status = status;
    loop_stop(hook->loop);
}

static void on_started(void *argument, uint64_t call, const char *why)
{
    struct hook *hook = argument;
    if (call == 0)
        end(hook, deny("%s", why != NULL ? why : "the console did not take the question"));
}

static void on_ready(void *argument)
{
    struct hook *hook = argument;
    const struct question *question = &hook->question;
    struct error error = ERROR_INIT;
    json_t *params = agent_tool_params(question->tool, question->input, question->cwd, &error);
    if (params == NULL)
        end(hook, deny("%s", error.message));
    else
        client_start(hook->client, params, on_started, hook);
}

static void on_state(void *argument, uint64_t call, const char *state, int64_t waiting,
                     int64_t attempt)
{
    (void)argument;
    (void)call;
    (void)state;
    (void)waiting;
    (void)attempt;
}

static void on_finished(void *argument, uint64_t call, const json_t *result)
{
    struct hook *hook = argument;
    bool interrupt = false;
    cleanup_free char *why = agent_tool_refusal(result, &interrupt);
    (void)call;
    end(hook, answer(&hook->question, why == NULL, why != NULL ? why : "allowed by the console",
                     interrupt));
}

static void on_gone(void *argument, const char *why)
{
    struct hook *hook = argument;
    bool none = strncmp(why, "no ", 3) == 0; /* none was there, rather than: it went away */
    if (none && hook->options->ask_without_console)
        end(hook, leave_to_agent(&hook->question));
    else
        end(hook, deny("%s", why));
}

static void on_deadline(void *argument)
{
    end(argument, deny("the operator did not answer in time"));
}

static int ask(struct hook *hook)
{
    static const struct client_events events = {
        .ready = on_ready, .state = on_state, .finished = on_finished, .gone = on_gone};
    const struct hook_options *options = hook->options;
    bool fixed = options->socket_directories != NULL;
    struct client_setup setup = {
        .cwd = hook->question.cwd,
        .socket = fixed ? NULL : getenv("ASSENT_SOCKET"),
        .socket_directories = options->socket_directories,
        .config_directory = options->config_directory,
        .name = "assent hook",
        .session = hook->question.agent,
        .capability = getenv("ASSENT_CAPABILITY"),
        .agent_session = true,
    };
    hook->loop = loop_new(NULL);
    hook->deadline = loop_timer_new(hook->loop, on_deadline, hook);
    loop_timer_start(hook->deadline, options->wait_ms);
    hook->client = client_new(hook->loop, &setup, &events, hook);
    hook->status = HOOK_DENIED;
    loop_run(hook->loop);
    client_free(&hook->client);
    loop_timer_free(&hook->deadline);
    loop_free(&hook->loop);
    return hook->status;
}

static bool may_rewrite(const struct hook *hook)
{
    const struct question *question = &hook->question;
    return hook->options->rewrite != NULL && question->form == FORM_PRE_TOOL_USE &&
           agent_tool_is_shell(question->tool, question->input);
}

static int settle(struct hook *hook)
{
    const struct question *question = &hook->question;
    if (agent_tool_is_ours(question->tool))
        return answer(question, true, "it asks the operator by itself", false);
    if (is_left_alone(question))
        return HOOK_ANSWERED;
    if (may_rewrite(hook))
        return answer_rewritten(question, hook->options->rewrite);
    return ask(hook);
}

static bool read_all(struct strbuf *text)
{
    char bytes[16384];
    ssize_t count;
    while ((count = read(STDIN_FILENO, bytes, sizeof(bytes))) > 0) {
        strbuf_add(text, bytes, (size_t)count);
        if (text->length > INPUT_MAX)
            return false;
    }
    return count == 0;
}

int hook_run(const struct hook_options *options)
{
    struct hook hook = {.options = options};
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    signal(SIGPIPE, SIG_IGN);
    if (!read_all(&text))
        return deny("the agent's question could not be read");
    int status = read_question(&hook.question, strbuf_str(&text), text.length);
    if (status < 0)
        status = settle(&hook);
    json_decref(hook.question.event);
    json_decref(hook.question.input);
    free(hook.question.cwd);
    return status;
}
