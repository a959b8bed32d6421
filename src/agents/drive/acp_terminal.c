/* SPDX-License-Identifier: MIT */
/* acp_terminal: commands that the agent has us run, and whose output it asks for. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/agent_tool.h"
#include "agents/drive/acp-int.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/json.h"

#define TERMINALS_MAX 64
#define OUTPUT_MAX ((size_t)1024 * 1024)
#define WORDS_MAX ((size_t)4096) /* arguments and variables */

/* One that waits for the command's end. */
struct waiter {
    struct jsonrpc_request *request;
    LIST_ENTRY(waiter) entry;
};

struct acp_terminal {
    struct acp *acp;
    char id[24];
    struct asked *asked; /* NULL once it has ended */
    struct strbuf output;
    size_t limit;
    bool truncated;
    json_t *status; /* exitStatus, or NULL while it runs */
    LIST_HEAD(, waiter) waiters;
    LIST_ENTRY(acp_terminal) entry;
};

/* ---- its output ----------------------------------------------------------------------------- */

/* Keeps the end, from the start of a character on. */
static void add_output(struct acp_terminal *terminal, const char *bytes, size_t length)
{
    struct strbuf *output = &terminal->output;
    strbuf_add(output, bytes, length);
    if (output->length <= terminal->limit)
        return;
    size_t over = output->length - terminal->limit;
    while (over < output->length && ((unsigned char)output->data[over] & 0xc0) == 0x80)
        over++;
    strbuf_consume(output, over);
    terminal->truncated = true;
}

static void on_output(void *argument, const char *bytes, size_t length, uint64_t skipped)
{
    struct acp_terminal *terminal = argument;
    terminal->truncated |= skipped > 0;
    add_output(terminal, bytes, length);
}

static json_t *status_of(const json_t *result)
{
    json_t *status = json_object();
    json_t *signal = json_object_get(result, "signal");
    bool signaled = json_is_integer(signal);
    cleanup_free char *name =
        signaled ? xasprintf("%" JSON_INTEGER_FORMAT, json_integer_value(signal)) : NULL;
    json_object_set_new(
        status, "exitCode",
        signaled
            ? json_null()
            : json_integer(result != NULL ? json_integer_value(json_object_get(result, "exit_code"))
                                          : 125));
    json_object_set_new(status, "signal", signaled ? json_string(name) : json_null());
    return status;
}

static void tell_waiters(struct acp_terminal *terminal)
{
    struct waiter *waiter;
    while ((waiter = LIST_FIRST(&terminal->waiters)) != NULL) {
        LIST_REMOVE(waiter, entry);
        jsonrpc_reply(&waiter->request, json_copy(terminal->status));
        free(waiter);
    }
}

/* What did not run says why where the agent looks for output. */
static void on_finished(void *argument, const json_t *result, const char *why)
{
    struct acp_terminal *terminal = argument;
    const char *outcome = json_string_value(json_object_get(result, "outcome"));
    bool ran =
        outcome != NULL && (strcmp(outcome, "exited") == 0 || strcmp(outcome, "signaled") == 0);
    bool interrupt = false;
    cleanup_free char *refusal = ran              ? NULL
                                 : result == NULL ? xstrdup(why)
                                                  : agent_tool_refusal(result, &interrupt);
    terminal->asked = NULL;
    if (refusal != NULL) {
        cleanup_free char *line = xasprintf("[%s]\n", refusal);
        add_output(terminal, line, strlen(line));
    }
    terminal->status = status_of(result);
    tell_waiters(terminal);
    if (interrupt)
        agent_session_cancel(&terminal->acp->session);
}

/* ---- life ----------------------------------------------------------------------------------- */

static void free_terminal(struct acp_terminal *terminal)
{
    if (terminal->status == NULL)
        terminal->status = status_of(NULL);
    tell_waiters(terminal);
    LIST_REMOVE(terminal, entry);
    terminal->acp->terminal_count--;
    asker_drop(&terminal->asked);
    json_decref(terminal->status);
    strbuf_free(&terminal->output);
    free(terminal);
}

void acp_terminal_drop_all(struct acp *acp)
{
    while (!LIST_EMPTY(&acp->terminals))
        free_terminal(LIST_FIRST(&acp->terminals));
}

/* Adds what runs: a program with arguments, or a whole line for a shell. */
static int add_command(const json_t *params, json_t *call, struct error *error)
{
    json_t *command = json_object_get(params, "command");
    cleanup_strv char **arguments = NULL;
    if (!json_is_string(command))
        return error_set(error, 0, "command: expected a string");
    if (json_get_strv_optional(params, "args", WORDS_MAX, &arguments, error) < 0)
        return -1;
    if (arguments == NULL || arguments[0] == NULL) {
        json_object_set(call, "script", command);
        return 0;
    }
    json_t *argv = json_array();
    json_array_append(argv, command);
    json_array_extend(argv, json_object_get(params, "args"));
    json_object_set_new(call, "argv", argv);
    return 0;
}

static int add_environment(const json_t *params, json_t *call, struct error *error)
{
    const json_t *list = json_object_get(params, "env");
    size_t index;
    const json_t *variable;
    if (json_array_size(list) == 0)
        return 0;
    json_t *environment = json_object();
    json_object_set_new(call, "env", environment);
    json_array_foreach(list, index, variable)
    {
        const char *name = NULL, *value = NULL;
        if (json_get_string(variable, "name", &name, error) < 0 ||
            json_get_string(variable, "value", &value, error) < 0)
            return error_prefix(error, "env");
        json_object_set_new(environment, name, json_string(value));
    }
    return 0;
}

static json_t *call_of(const struct acp *acp, const json_t *params, struct error *error)
{
    const char *cwd = NULL;
    cleanup_json json_t *call = json_object();
    if (add_command(params, call, error) < 0 || add_environment(params, call, error) < 0 ||
        json_get_string_optional(params, "cwd", &cwd, error) < 0)
        return NULL;
    if (cwd == NULL)
        cwd = acp->cwd;
    json_object_set_new(call, "cwd", json_string_lossy(cwd, strlen(cwd)));
    return steal_pointer(&call);
}

/* ---- requests ------------------------------------------------------------------------------- */

static void create(struct acp *acp, struct jsonrpc_request *request, const json_t *params)
{
    static const struct asked_events events = {.output = on_output, .finished = on_finished};
    struct error error = ERROR_INIT;
    int64_t limit = (int64_t)OUTPUT_MAX;
    json_t *call = call_of(acp, params, &error);
    if (call != NULL &&
        json_get_integer_optional(params, "outputByteLimit", 0, INT64_MAX, &limit, &error) < 0) {
        json_decref(call);
        call = NULL;
    }
    if (call == NULL) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "%s", error.message);
        return;
    }
    if (acp->terminal_count >= TERMINALS_MAX) {
        json_decref(call);
        jsonrpc_fail(&request, JSONRPC_INTERNAL_ERROR, "%d terminals are open: release some",
                     TERMINALS_MAX);
        return;
    }
    struct acp_terminal *terminal = XNEW(struct acp_terminal);
    terminal->acp = acp;
    terminal->limit = (size_t)limit < OUTPUT_MAX ? (size_t)limit : OUTPUT_MAX;
    snprintf(terminal->id, sizeof(terminal->id), "terminal-%u", ++acp->last_terminal);
    LIST_INIT(&terminal->waiters);
    LIST_INSERT_HEAD(&acp->terminals, terminal, entry);
    acp->terminal_count++;
    terminal->asked = asker_start(acp->setup.asker, call, &events, terminal);
    json_t *result = json_object();
    json_object_set_new(result, "terminalId", json_string(terminal->id));
    jsonrpc_reply(&request, result);
}

static void tell_output(struct acp_terminal *terminal, struct jsonrpc_request *request)
{
    json_t *result = json_object();
    json_object_set_new(result, "output",
                        json_string_lossy(strbuf_str(&terminal->output), terminal->output.length));
    json_object_set_new(result, "truncated", json_boolean(terminal->truncated));
    json_object_set_new(result, "exitStatus",
                        terminal->status != NULL ? json_copy(terminal->status) : json_null());
    jsonrpc_reply(&request, result);
}

static void wait_for_exit(struct acp_terminal *terminal, struct jsonrpc_request *request)
{
    struct waiter *waiter = XNEW(struct waiter);
    waiter->request = request;
    LIST_INSERT_HEAD(&terminal->waiters, waiter, entry);
    if (terminal->status != NULL)
        tell_waiters(terminal);
}

static void stop(struct acp_terminal *terminal, struct jsonrpc_request *request)
{
    if (terminal->asked != NULL)
        asker_cancel(terminal->asked);
    jsonrpc_reply(&request, json_object());
}

static void release(struct acp_terminal *terminal, struct jsonrpc_request *request)
{
    free_terminal(terminal);
    jsonrpc_reply(&request, json_object());
}

static struct acp_terminal *find(struct acp *acp, const json_t *params)
{
    const char *id = json_string_value(json_object_get(params, "terminalId"));
    struct acp_terminal *terminal;
    LIST_FOREACH(terminal, &acp->terminals, entry)
    {
        if (id != NULL && strcmp(terminal->id, id) == 0)
            break;
    }
    return terminal;
}

bool acp_terminal_request(struct acp *acp, struct jsonrpc_request *request, const char *method,
                          const json_t *params)
{
    static const struct {
        const char *method;
        void (*handle)(struct acp_terminal *terminal, struct jsonrpc_request *request);
    } methods[] = {{"terminal/output", tell_output},
                   {"terminal/wait_for_exit", wait_for_exit},
                   {"terminal/kill", stop},
                   {"terminal/release", release}};
    if (strcmp(method, "terminal/create") == 0) {
        create(acp, request, params);
        return true;
    }
    for (size_t i = 0; i < COUNT(methods); i++) {
        if (strcmp(method, methods[i].method) != 0)
            continue;
        struct acp_terminal *terminal = find(acp, params);
        if (terminal == NULL)
            jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "terminalId: there is no such terminal");
        else
            methods[i].handle(terminal, request);
        return true;
    }
    return false;
}
