/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/drive/inquiry.h"

#include <stdlib.h>
#include <string.h>

#include "agents/agent_tool.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/json.h"

struct inquiry {
    struct asker *asker;
    struct form *form;
    char *cwd;
    struct asked *asked;
    void (*done)(void *argument, const json_t *content, bool stop, const char *why);
    void *argument;
};

static void free_inquiry(struct inquiry *inquiry)
{
    form_free(&inquiry->form);
    free(inquiry->cwd);
    free(inquiry);
}

/* Frees the inquiry. */
static void end(struct inquiry *inquiry, const json_t *content, bool stop, const char *why)
{
    void (*done)(void *, const json_t *, bool, const char *) = inquiry->done;
    void *argument = inquiry->argument;
    free_inquiry(inquiry);
    done(argument, content, stop, why);
}

static void ask(struct inquiry *inquiry);

static void on_finished(void *argument, const json_t *result, const char *why)
{
    struct inquiry *inquiry = argument;
    bool stop = false;
    inquiry->asked = NULL;
    cleanup_free char *refusal = result != NULL ? agent_tool_refusal(result, &stop) : xstrdup(why);
    if (refusal != NULL) {
        end(inquiry, NULL, stop, refusal);
        return;
    }
    const char *words = agent_tool_words(result); /* none: an empty line */
    form_answer(inquiry->form, words != NULL ? words : "");
    if (form_question(inquiry->form) != NULL) {
        ask(inquiry);
        return;
    }
    cleanup_json json_t *content = form_content(inquiry->form);
    end(inquiry, content, false, NULL);
}

static void ask(struct inquiry *inquiry)
{
    static const struct asked_events events = {.finished = on_finished};
    const char *question = form_question(inquiry->form);
    cleanup_json json_t *input = json_object();
    json_object_set_new(input, "question", json_string_lossy(question, strlen(question)));
    json_t *params = agent_tool_params("elicitation", input, inquiry->cwd, NULL);
    json_object_set_new(params, "wants_words", json_true());
    if (form_is_secret(inquiry->form))
        json_object_set_new(params, "secret_words", json_true());
    inquiry->asked = asker_start(inquiry->asker, params, &events, inquiry);
}

struct inquiry *inquiry_start(struct asker *asker, struct form *form, const char *cwd,
                              void (*done)(void *argument, const json_t *content, bool stop,
                                           const char *why),
                              void *argument)
{
    struct inquiry *inquiry = XNEW(struct inquiry);
    inquiry->asker = asker;
    inquiry->form = form;
    inquiry->cwd = xstrdup(cwd);
    inquiry->done = done;
    inquiry->argument = argument;
    ask(inquiry);
    return inquiry;
}

bool inquiry_is_url(const json_t *elicitation)
{
    const char *mode = json_string_value(json_object_get(elicitation, "mode"));
    return mode != NULL && strcmp(mode, "url") == 0;
}

json_t *inquiry_url_params(const json_t *elicitation, const char *cwd, struct error *error)
{
    static const char *const shown[] = {"message", "url"};
    cleanup_json json_t *fields = json_object();
    for (size_t i = 0; i < COUNT(shown); i++) {
        json_t *value = json_object_get(elicitation, shown[i]);
        if (!json_is_string(value)) {
            error_set(error, 0, "%s: expected a string", shown[i]);
            return NULL;
        }
        json_object_set(fields, shown[i], value);
    }
    json_t *params = agent_tool_params("elicitation", fields, cwd, error);
    json_object_set_new(params, "in_person", json_true());
    return params;
}

void inquiry_drop(struct inquiry **place)
{
    struct inquiry *inquiry = steal_pointer(place);
    if (inquiry == NULL)
        return;
    asker_drop(&inquiry->asked);
    free_inquiry(inquiry);
}
