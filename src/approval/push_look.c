/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/push_look.h"

#include <stdlib.h>
#include <string.h>

#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/array.h"
#include "command/program.h"
#include "run/runner.h"
#include "sandbox/transform.h"

/* Prompts whose turn has not come: more than this at once are not looked at. */
#define QUEUE_MAX 16
#define OUTPUT_MAX ((size_t)64 * 1024)
#define COMMIT_MAX 256 /* bytes of its line: as many as are asked for have room in the output */
#define COMPLAINT_MAX ((size_t)512)
#define TIME_ALLOWED_MS 5000

/* What is lost comes first: it cannot be brought back. */
enum step { STEP_THERE, STEP_LOST, STEP_SENT };

struct push_look {
    struct orchestrator *orchestrator;
    struct loop_timer *timer; /* what is next, outside of the event that says so */
    uint64_t prompts[QUEUE_MAX];
    size_t count;
    /* of the first of them, when git runs or has run for it */
    struct run *run;
    enum step step;
    bool ended;
    struct run_result result;
    struct strbuf output, complaint;
    size_t column; /* of the line that is being written */
    bool cut;      /* the rest of it is left out */
    struct push_seen seen;
};

/* ---- git ------------------------------------------------------------------------------------- */

static void add_words(char ***argv, const char *const *words)
{
    size_t count = strv_length((const char *const *)*argv);
    *argv = xreallocarray(*argv, count + strv_length(words) + 1, sizeof **argv);
    for (; *words != NULL; words++)
        (*argv)[count++] = xstrdup(*words);
    (*argv)[count] = NULL;
}

/* Is there such a branch, as last fetched? */
static void add_there(char ***argv, const struct push_commits *pushes)
{
    cleanup_free char *commit = xasprintf("%s^{commit}", pushes->there);
    add_words(argv, (const char *const[]){"rev-parse", "--verify", "--quiet", commit, NULL});
}

/* A range, and no file of that name. What one deletes may be on a branch here; and what is sent to
 * one that is not there yet is what no other there has. */
static void add_log(char ***argv, const struct push_look *self, const struct push_commits *pushes)
{
    cleanup_free char *most = xasprintf("%d", PUSH_SEEN_COMMITS + 1);
    cleanup_free char *remotes = xasprintf("--remotes=%s", pushes->remote);
    const char *word = self->step == STEP_LOST ? pushes->lost
                       : self->seen.fresh      ? pushes->source
                                               : pushes->sent;
    const char *but = self->step == STEP_LOST ? "--branches" : remotes;
    add_words(argv, (const char *const[]){"log", "--no-show-signature", "--no-mailmap",
                                          "--no-color", "--no-decorate", "--encoding=UTF-8",
                                          "--format=%h %s", "-n", most, word, NULL});
    if (pushes->sent == NULL || self->seen.fresh)
        add_words(argv, (const char *const[]){"--not", but, NULL});
    add_words(argv, (const char *const[]){"--", NULL});
}

/* What an agent can write stands for nothing else: a replacement or a list of parents for a commit,
 * a tag for a branch, an encoding for plain lines. What is not there is not fetched (of the two
 * that see to that older ones know the second alone), and nobody is asked for a password. */
static struct command_spec *spec_of(const struct push_look *self, const struct call *call)
{
    static const char *const words[] = {"git",
                                        "--no-pager",
                                        "--no-replace-objects",
                                        "-c",
                                        "core.fsmonitor=false",
                                        "-c",
                                        "core.commitGraph=false",
                                        "-c",
                                        "core.warnAmbiguousRefs=true",
                                        NULL};
    static const char *const variables[] = {
        "GIT_NO_LAZY_FETCH=1",  "GIT_ALLOW_PROTOCOL=",   "GIT_GRAFT_FILE=/dev/null/none",
        "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", NULL};
    struct command_spec *spec = command_spec_new();
    add_words(&spec->argv, words);
    if (self->step == STEP_THERE)
        add_there(&spec->argv, &call->pushes);
    else
        add_log(&spec->argv, self, &call->pushes);
    spec->env = strv_copy(variables);
    spec->cwd = xstrdup(call->spec->cwd);
    spec->timeout_ms = TIME_ALLOWED_MS;
    return spec;
}

/* A git that an agent can have put there could say anything. */
static bool find_git(const struct call_entry *entry, struct program *git)
{
    const char *const *environment = (const char *const *)entry->orchestrator->base_environment;
    cleanup_strv char **roots = turn_context_writable_roots(entry->call.context);
    program_find("git", entry->call.spec->cwd, program_environment_get(environment, "PATH"), git);
    return program_is_installed(git, (const char *const *)roots);
}

static struct exec_request *request_of(const struct push_look *self, const struct call_entry *entry)
{
    const struct orchestrator *orchestrator = entry->orchestrator;
    struct sandbox_policy *policy =
        sandbox_policy_new(SANDBOX_READ_ONLY, entry->call.context->root);
    struct program git;
    bool found = find_git(entry, &git);
    struct transform_context context = {
        .policy = policy,
        .helper = orchestrator->helper_path,
        .program = git.path,
        .base_environment = (const char *const *)orchestrator->base_environment,
    };
    struct exec_request *request = NULL;
    if (found &&
        select_type(SANDBOX_REQUIRE, policy, &orchestrator->capability, &context.type, NULL) == 0 &&
        context.type != SANDBOX_TYPE_NONE) {
        struct command_spec *spec = spec_of(self, &entry->call);
        request = transform_command(spec, &context, NULL);
        command_spec_free(&spec);
    }
    program_clear(&git);
    sandbox_policy_free(&policy);
    return request;
}

static void git_starts(void *argument, pid_t pid)
{
    (void)argument;
    (void)pid;
}

/* A subject may be of any length, and a line that has no end would count for none. */
static void add_byte(struct push_look *self, char byte)
{
    bool ends = byte == '\n', goes_on = ((unsigned char)byte & 0xc0) == 0x80;
    bool fits = !self->cut && self->column < COMMIT_MAX + (goes_on ? 3 : 0);
    if (self->output.length >= OUTPUT_MAX)
        return;
    if (ends || fits)
        strbuf_addch(&self->output, byte != '\0' ? byte : '?');
    else if (!self->cut)
        strbuf_addstr(&self->output, "…");
    self->cut = !ends && !fits;
    self->column = ends ? 0 : self->column + 1;
}

static void git_says(void *argument, enum run_stream stream, const char *bytes, size_t length)
{
    struct push_look *self = argument;
    size_t room = COMPLAINT_MAX - self->complaint.length;
    if (stream == RUN_STDERR)
        strbuf_add(&self->complaint, bytes, length < room ? length : room);
    for (size_t i = 0; stream != RUN_STDERR && i < length; i++)
        add_byte(self, bytes[i]);
}

static void git_has_ended(void *argument, const struct run_result *result)
{
    struct push_look *self = argument;
    self->ended = true;
    self->result = *result;
    loop_timer_start(self->timer, 0);
}

static bool start(struct push_look *self, const struct call_entry *entry, enum step step)
{
    static const struct run_events events = {
        .started = git_starts, .output = git_says, .ended = git_has_ended};
    const struct run_options options = {.split_streams = true, .timeout_ms = TIME_ALLOWED_MS};
    self->step = step;
    struct exec_request *request = request_of(self, entry);
    self->ended = self->cut = false;
    self->column = 0;
    strbuf_reset(&self->output);
    strbuf_reset(&self->complaint);
    if (request != NULL)
        self->run = run_start(self->orchestrator->loop, request, &options, &events, self, NULL);
    exec_request_free(&request);
    return self->run != NULL;
}

/* ---- a prompt -------------------------------------------------------------------------------- */

static const struct call_entry *find_entry(const struct push_look *self, uint64_t prompt)
{
    const struct call_entry *entry = entry_find_prompt(self->orchestrator, prompt);
    return entry != NULL && entry->call.pushes.there != NULL ? entry : NULL;
}

static void tell(struct push_look *self, enum push_look_state look)
{
    self->seen.look = look;
    orchestrator_note_push(self->orchestrator, self->prompts[0], &self->seen);
}

/* Those whose turn comes later, too: a row that came then would move what is read. */
static void tell_all(const struct push_look *self)
{
    for (size_t i = 0; i < self->count; i++) {
        const struct call_entry *entry = find_entry(self, self->prompts[i]);
        struct push_seen seen = {.look = PUSH_LOOKING};
        if (entry != NULL && entry->call.seen.look != PUSH_LOOKING)
            orchestrator_note_push(self->orchestrator, self->prompts[i], &seen);
    }
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

static void end(struct push_look *self, enum push_look_state look)
{
    tell(self, look);
    next_prompt(self);
}

static void give_up(struct push_look *self)
{
    self->seen.why = xstrdup("");
    end(self, PUSH_UNSEEN);
}

static void begin(struct push_look *self, const struct call_entry *entry)
{
    if (start(self, entry, STEP_THERE))
        tell_all(self);
    else if (entry->call.seen.look == PUSH_LOOKING)
        give_up(self);
    else
        next_prompt(self);
}

/* What it warns of, as of a name that is a tag's too, leaves open what it has told. */
static bool has_told(const struct push_look *self)
{
    return self->result.outcome == RUN_EXITED && self->result.code == 0 &&
           self->complaint.length == 0;
}

static char *why_untold(const struct push_look *self)
{
    const char *said = strbuf_str(&self->complaint);
    return self->result.timed_out ? NULL : xstrndup(said, strcspn(said, "\n"));
}

/* Without a word, and of a branch that is sent at least what is new with it is known. */
static bool is_missing(const struct push_look *self)
{
    return self->step == STEP_THERE && self->result.outcome == RUN_EXITED &&
           self->result.code == 1 && self->complaint.length == 0;
}

static void take_step(struct push_look *self, const struct call_entry *entry)
{
    const struct push_commits *pushes = &entry->call.pushes;
    bool goes_on = true;
    if (self->step == STEP_THERE && pushes->lost != NULL && !self->seen.fresh)
        goes_on = start(self, entry, STEP_LOST);
    else if (self->step != STEP_SENT && pushes->sent != NULL)
        goes_on = start(self, entry, STEP_SENT);
    else
        end(self, self->seen.sent != NULL || self->seen.lost != NULL ? PUSH_SEEN : PUSH_UNSEEN);
    if (!goes_on)
        give_up(self);
}

static void take_result(struct push_look *self, const struct call_entry *entry)
{
    run_free(&self->run);
    if (self->column > 0)
        strbuf_addch(&self->output, '\n');
    self->seen.fresh = self->seen.fresh || is_missing(self);
    if (!has_told(self) && !is_missing(self)) {
        self->seen.why = why_untold(self);
        end(self, PUSH_UNSEEN);
        return;
    }
    if (self->step == STEP_LOST)
        self->seen.lost = strbuf_steal(&self->output);
    else if (self->step == STEP_SENT)
        self->seen.sent = strbuf_steal(&self->output);
    take_step(self, entry);
}

static void go_on(void *argument)
{
    struct push_look *self = argument;
    const struct call_entry *entry = self->count > 0 ? find_entry(self, self->prompts[0]) : NULL;
    if (self->count > 0 && entry == NULL)
        next_prompt(self);
    else if (entry != NULL && self->run == NULL)
        begin(self, entry);
    else if (entry != NULL && self->ended)
        take_result(self, entry);
    else if (entry != NULL)
        tell_all(self);
}

static void on_asked(void *argument, const struct call *call)
{
    struct push_look *self = argument;
    if (call->pushes.there != NULL && self->count < QUEUE_MAX)
        self->prompts[self->count++] = call->prompt->id;
    loop_timer_start(self->timer, 0);
}

/* What git still says for that is of no use, and others wait. */
static void on_decided(void *argument, const struct call *call, const struct prompt *prompt)
{
    struct push_look *self = argument;
    (void)call;
    (void)prompt;
    loop_timer_start(self->timer, 0);
}

static void on_finished(void *argument, const struct call *call)
{
    on_decided(argument, call, NULL);
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
    strbuf_free(&self->complaint);
    push_seen_clear(&self->seen);
    free(self);
    *look = NULL;
}

const struct observer *push_look_observer(void)
{
    static const struct observer observer = {
        .name = "push look", .asked = on_asked, .decided = on_decided, .finished = on_finished};
    return &observer;
}
