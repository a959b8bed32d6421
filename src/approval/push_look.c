/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/push_look.h"

#include <stdlib.h>
#include <string.h>

#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/array.h"
#include "run/runner.h"
#include "sandbox/transform.h"

/* Prompts whose turn has not come: more than this at once are not looked at. */
#define QUEUE_MAX 16
#define OUTPUT_MAX ((size_t)64 * 1024)
#define TIME_ALLOWED_MS 5000

struct push_look {
    struct orchestrator *orchestrator;
    struct loop_timer *timer; /* what is next, outside of the event that says so */
    uint64_t prompts[QUEUE_MAX];
    size_t count;
    /* of the first of them, when git runs or has run for it */
    struct run *run;
    bool ended;
    struct run_result result;
    struct strbuf output;
    struct push_seen seen;
};

/* ---- git ------------------------------------------------------------------------------------- */

static struct command_spec *spec_of(const struct call *call, const char *range)
{
    static const char *const words[] = {"git",
                                        "--no-pager",
                                        "-c",
                                        "core.fsmonitor=false",
                                        "log",
                                        "--no-show-signature",
                                        "--no-color",
                                        "--no-decorate",
                                        "--format=%h %s",
                                        "-n"};
    /* What is not there is not fetched, and nobody is asked for a password. */
    static const char *const variables[] = {"GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0",
                                            "GIT_TERMINAL_PROMPT=0", NULL};
    struct command_spec *spec = command_spec_new();
    size_t count = COUNT(words);
    spec->argv = xcalloc(count + 4, sizeof *spec->argv);
    for (size_t i = 0; i < count; i++)
        spec->argv[i] = xstrdup(words[i]);
    spec->argv[count] = xasprintf("%d", PUSH_SEEN_COMMITS + 1);
    spec->argv[count + 1] = xstrdup(range);
    spec->argv[count + 2] = xstrdup("--"); /* a range, and no file of that name */
    spec->env = strv_copy(variables);
    spec->cwd = xstrdup(call->spec->cwd);
    spec->timeout_ms = TIME_ALLOWED_MS;
    return spec;
}

static struct exec_request *request_of(const struct orchestrator *orchestrator,
                                       const struct call *call, const char *range)
{
    struct sandbox_policy *policy = sandbox_policy_new(SANDBOX_READ_ONLY, call->context->root);
    struct transform_context context = {
        .policy = policy,
        .helper = orchestrator->helper_path,
        .base_environment = (const char *const *)orchestrator->base_environment,
    };
    struct exec_request *request = NULL;
    if (select_type(SANDBOX_REQUIRE, policy, &orchestrator->capability, &context.type, NULL) == 0 &&
        context.type != SANDBOX_TYPE_NONE) {
        struct command_spec *spec = spec_of(call, range);
        request = transform_command(spec, &context, NULL);
        command_spec_free(&spec);
    }
    sandbox_policy_free(&policy);
    return request;
}

static void git_starts(void *argument, pid_t pid)
{
    (void)argument;
    (void)pid;
}

static void git_says(void *argument, enum run_stream stream, const char *bytes, size_t length)
{
    struct push_look *self = argument;
    size_t room = OUTPUT_MAX - self->output.length;
    (void)stream;
    strbuf_add(&self->output, bytes, length < room ? length : room);
}

static void git_has_ended(void *argument, const struct run_result *result)
{
    struct push_look *self = argument;
    self->ended = true;
    self->result = *result;
    loop_timer_start(self->timer, 0);
}

static bool start(struct push_look *self, const struct call *call, const char *range)
{
    static const struct run_events events = {
        .started = git_starts, .output = git_says, .ended = git_has_ended};
    const struct run_options options = {.timeout_ms = TIME_ALLOWED_MS};
    struct exec_request *request = request_of(self->orchestrator, call, range);
    self->ended = false;
    strbuf_reset(&self->output);
    if (request != NULL)
        self->run = run_start(self->orchestrator->loop, request, &options, &events, self, NULL);
    exec_request_free(&request);
    return self->run != NULL;
}

/* ---- a prompt -------------------------------------------------------------------------------- */

static const struct call *find_call(const struct push_look *self, uint64_t prompt)
{
    const struct call_entry *entry = entry_find_prompt(self->orchestrator, prompt);
    return entry != NULL && entry->call.pushes.sent != NULL ? &entry->call : NULL;
}

static void tell(struct push_look *self, enum push_look_state look)
{
    self->seen.look = look;
    orchestrator_note_push(self->orchestrator, self->prompts[0], &self->seen);
}

static void next_prompt(struct push_look *self)
{
    run_free(&self->run);
    push_seen_clear(&self->seen);
    self->count--;
    memmove(self->prompts, self->prompts + 1, self->count * sizeof *self->prompts);
    if (self->count > 0)
        loop_timer_start(self->timer, 0);
}

/* What is lost first: it cannot be brought back. */
static void begin(struct push_look *self, const struct call *call)
{
    const struct push_commits *pushes = &call->pushes;
    if (start(self, call, pushes->lost != NULL ? pushes->lost : pushes->sent))
        tell(self, PUSH_LOOKING);
    else
        next_prompt(self);
}

static void end(struct push_look *self, enum push_look_state look)
{
    tell(self, look);
    next_prompt(self);
}

static void take_result(struct push_look *self, const struct call *call)
{
    const char *said = strbuf_str(&self->output);
    run_free(&self->run);
    if (self->result.outcome != RUN_EXITED || self->result.code != 0) {
        self->seen.why = self->result.timed_out ? NULL : xstrndup(said, strcspn(said, "\n"));
        end(self, PUSH_UNSEEN);
    } else if (call->pushes.lost != NULL && self->seen.lost == NULL) {
        self->seen.lost = xstrdup(said);
        if (!start(self, call, call->pushes.sent))
            end(self, PUSH_UNSEEN);
    } else {
        self->seen.sent = xstrdup(said);
        end(self, PUSH_SEEN);
    }
}

static void go_on(void *argument)
{
    struct push_look *self = argument;
    const struct call *call = self->count > 0 ? find_call(self, self->prompts[0]) : NULL;
    if (self->count > 0 && call == NULL)
        next_prompt(self);
    else if (call != NULL && self->run == NULL)
        begin(self, call);
    else if (call != NULL && self->ended)
        take_result(self, call);
}

static void on_asked(void *argument, const struct call *call)
{
    struct push_look *self = argument;
    if (call->pushes.sent == NULL || self->count == QUEUE_MAX)
        return;
    self->prompts[self->count++] = call->prompt->id;
    loop_timer_start(self->timer, 0);
}

/* ---- life ------------------------------------------------------------------------------------ */

struct push_look *push_look_new(struct orchestrator *orchestrator)
{
    struct push_look *self = XNEW(struct push_look);
    self->orchestrator = orchestrator;
    self->timer = loop_timer_new(orchestrator->loop, go_on, self);
    return self;
}

void push_look_free(struct push_look **look)
{
    struct push_look *self = *look;
    if (self == NULL)
        return;
    run_free(&self->run);
    loop_timer_free(&self->timer);
    strbuf_free(&self->output);
    push_seen_clear(&self->seen);
    free(self);
    *look = NULL;
}

const struct observer *push_look_observer(void)
{
    static const struct observer observer = {.name = "push look", .asked = on_asked};
    return &observer;
}
