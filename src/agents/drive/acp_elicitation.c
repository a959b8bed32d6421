/* SPDX-License-Identifier: MIT */
/* acp_elicitation: the agent, or a tool server of its own, wants words of the operator's: a form,
 * or a page that they open themselves. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "agents/agent_tool.h"
#include "agents/drive/acp-int.h"
#include "agents/drive/inquiry.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/json.h"

/* Open at once. */
#define ELICITATIONS_MAX 16

struct acp_elicitation {
    struct acp *acp;
    struct jsonrpc_request *request;
    struct inquiry *inquiry; /* a form, */
    struct asked *asked;     /* or a page */
    LIST_ENTRY(acp_elicitation) entry;
};

static void reply(struct jsonrpc_request **request, const char *action, const json_t *content)
{
    json_t *result = json_object();
    json_object_set_new(result, "action", json_string(action));
    if (content != NULL)
        json_object_set(result, "content", (json_t *)content);
    jsonrpc_reply(request, result);
}

static void free_elicitation(struct acp_elicitation *elicitation)
{
    LIST_REMOVE(elicitation, entry);
    elicitation->acp->elicitation_count--;
    inquiry_drop(&elicitation->inquiry);
    asker_drop(&elicitation->asked);
    free(elicitation);
}

/* `content` NULL: with that action. */
static void settle(struct acp_elicitation *elicitation, const char *action, const json_t *content,
                   bool stop)
{
    struct acp *acp = elicitation->acp;
    reply(&elicitation->request, action, content);
    free_elicitation(elicitation);
    if (stop)
        agent_session_cancel(&acp->session);
}

static void on_words(void *argument, const json_t *content, bool stop, const char *why)
{
    struct acp_elicitation *elicitation = argument;
    (void)why;
    elicitation->inquiry = NULL;
    settle(elicitation, content != NULL ? "accept" : stop ? "cancel" : "decline", content, stop);
}

static void on_finished(void *argument, const json_t *result, const char *why)
{
    struct acp_elicitation *elicitation = argument;
    bool stop = false;
    elicitation->asked = NULL;
    cleanup_free char *refusal = result != NULL ? agent_tool_refusal(result, &stop) : xstrdup(why);
    settle(elicitation, refusal == NULL ? "accept" : stop ? "cancel" : "decline", NULL, stop);
}

static struct acp_elicitation *new_elicitation(struct acp *acp, struct jsonrpc_request *request)
{
    struct acp_elicitation *elicitation = XNEW(struct acp_elicitation);
    elicitation->acp = acp;
    elicitation->request = request;
    LIST_INSERT_HEAD(&acp->elicitations, elicitation, entry);
    acp->elicitation_count++;
    return elicitation;
}

static void ask_page(struct acp *acp, struct jsonrpc_request *request, json_t *call)
{
    static const struct asked_events events = {.finished = on_finished};
    struct acp_elicitation *elicitation = new_elicitation(acp, request);
    elicitation->asked = asker_start(acp->setup.asker, call, &events, elicitation);
}

static void ask_form(struct acp *acp, struct jsonrpc_request *request, struct form *form)
{
    struct acp_elicitation *elicitation = new_elicitation(acp, request);
    elicitation->inquiry = inquiry_start(acp->setup.asker, form, acp->cwd, on_words, elicitation);
}

void acp_elicitation_create(struct acp *acp, struct jsonrpc_request *request, const json_t *params)
{
    struct error error = ERROR_INIT;
    const char *message = json_string_value(json_object_get(params, "message"));
    if (acp->elicitation_count >= ELICITATIONS_MAX) {
        jsonrpc_fail(&request, JSONRPC_INTERNAL_ERROR, "%d questions are open already",
                     ELICITATIONS_MAX);
        return;
    }
    bool page = inquiry_is_url(params);
    json_t *call = page ? inquiry_url_params(params, acp->cwd, &error) : NULL;
    struct form *form =
        page ? NULL : form_from_schema(message, json_object_get(params, "requestedSchema"), &error);
    if (call != NULL) {
        ask_page(acp, request, call);
    } else if (form != NULL) {
        ask_form(acp, request, form);
    } else {
        agent_session_note(&acp->setup, N_("Declined: %s"), error.message);
        reply(&request, "decline", NULL);
    }
}

bool acp_elicitation_withdraw(struct acp *acp, const json_t *id)
{
    struct acp_elicitation *elicitation;
    LIST_FOREACH(elicitation, &acp->elicitations, entry)
    {
        if (json_equal(jsonrpc_request_id(elicitation->request), id))
            break;
    }
    if (elicitation == NULL)
        return false;
    jsonrpc_fail(&elicitation->request, ACP_CANCELLED, "cancelled");
    free_elicitation(elicitation);
    return true;
}

void acp_elicitation_cancel(struct acp *acp)
{
    while (!LIST_EMPTY(&acp->elicitations))
        settle(LIST_FIRST(&acp->elicitations), "cancel", NULL, false);
}
