/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/second_opinion.h"

#include <string.h>

#include "approval/prompt.h"
#include "base/alloc.h"

/* Prompts that nobody has asked about yet: more than this at once get no opinion. */
#define QUEUE_MAX 64

struct second_opinion {
    struct orchestrator *orchestrator;
    struct model *model;
    struct loop_timer *timer; /* asks outside of the event that brought the prompt */
    uint64_t prompts[QUEUE_MAX];
    size_t count;
};

/* What is being asked: the answer goes to that prompt, if it is still open. */
struct asked {
    struct second_opinion *owner;
    uint64_t prompt;
};

static const struct call *find_call(const struct second_opinion *self, uint64_t prompt)
{
    size_t count = orchestrator_waiting_count(self->orchestrator);
    for (size_t i = 0; i < count; i++) {
        const struct call *call = orchestrator_waiting_at(self->orchestrator, i);
        if (call->prompt != NULL && call->prompt->id == prompt)
            return call;
    }
    return NULL;
}

static void on_answer(void *argument, const struct opinion *opinion)
{
    struct asked *asked = argument;
    orchestrator_note_opinion(asked->owner->orchestrator, asked->prompt, opinion);
    free(asked);
}

static void ask(struct second_opinion *self, const struct call *call)
{
    const struct opinion asking = {.status = OPINION_ASKING, .latency_ms = -1};
    const char *const roots[] = {call->context->root, NULL};
    uint64_t prompt = call->prompt->id;
    struct model_question question = {
        .argv = (const char *const *)call->spec->argv,
        .line = call->line != NULL ? call->line : call->prompt->command,
        .cwd = call->spec->cwd,
        .sandbox = wording_english(call->prompt->under),
        .roots = roots,
        .failure = call->prompt->retry ? wording_english(call->prompt->reason) : NULL,
    };
    struct asked *asked = XNEW(struct asked);
    *asked = (struct asked){self, prompt};
    orchestrator_note_opinion(self->orchestrator, prompt, &asking);
    model_ask(self->model, &question, on_answer, asked);
}

static void on_timer(void *argument)
{
    struct second_opinion *self = argument;
    for (size_t i = 0; i < self->count; i++) {
        const struct call *call = find_call(self, self->prompts[i]);
        if (call != NULL)
            ask(self, call);
    }
    self->count = 0;
}

static void on_asked(void *argument, const struct call *call)
{
    struct second_opinion *self = argument;
    if (self->count == QUEUE_MAX)
        return;
    self->prompts[self->count++] = call->prompt->id;
    loop_timer_start(self->timer, 0);
}

struct second_opinion *second_opinion_new(struct loop *loop, struct orchestrator *orchestrator,
                                          struct model *model)
{
    struct second_opinion *self = XNEW(struct second_opinion);
    self->orchestrator = orchestrator;
    self->model = model;
    self->timer = loop_timer_new(loop, on_timer, self);
    return self;
}

void second_opinion_free(struct second_opinion **opinion)
{
    if (*opinion == NULL)
        return;
    model_free(&(*opinion)->model);
    loop_timer_free(&(*opinion)->timer);
    free(*opinion);
    *opinion = NULL;
}

const struct observer *second_opinion_observer(void)
{
    static const struct observer observer = {.name = "second opinion", .asked = on_asked};
    return &observer;
}
