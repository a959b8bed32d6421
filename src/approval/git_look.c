/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/git_look.h"

#include <stdlib.h>
#include <string.h>

#include "approval/git_query.h"
#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "risk/git_loss_rm.h"
#include "risk/git_loss_size.h"

/* Prompts whose turn has not come: more than this at once are not looked at. */
#define QUEUE_MAX 16
/* Some repositories are large: a look that took longer is made again when so many times as long as
 * that are over. */
#define LONG_MS 300
#define REST_TIMES 10
/* The operator's answer waits so long for a look (ui/approval_answer.c): one that took less is made
 * again for it at once. No agent can ask for that. */
#define ANSWER_MS 1000

/* Of a push. What is lost comes first: it cannot be brought back. */
enum step { STEP_THERE, STEP_LOST, STEP_REMOTE, STEP_SENT };

/* What git is asked for, the most urgent last. */
enum look_cause {
    LOOK_NONE,
    LOOK_FIRST,
    LOOK_AGAIN,  /* something has ended that may have changed what it said */
    LOOK_WANTED, /* the operator answers */
};

struct git_look {
    struct orchestrator *orchestrator;
    struct loop_timer *timer; /* what is next, outside of the event that says so */
    struct {
        uint64_t id;
        bool again;             /* what git said then stands until it says something else */
        enum look_cause repeat; /* while git was asked, it was asked for anew: what it says may be
                                   older; or LOOK_NONE */
    } prompts[QUEUE_MAX];
    size_t count;
    /* of the first of them, when git runs or has run for it */
    struct git_query *query;
    enum step step; /* of a push */
    size_t loss;    /* of another command: which of its losses */
    bool done;      /* all is told */
    int64_t begun_ms, took_ms, rest_until_ms;
    struct push_seen seen;  /* of a push */
    struct git_losses told; /* of another command: the `seen` of each */
};

/* ---- a push ---------------------------------------------------------------------------------- */

/* Where it runs; of at most 15 words. */
static bool ask_where_pushed(struct git_look *self, const struct call_entry *entry,
                             const char *const *words)
{
    const char *there[2 + 16] = {"-C", entry->call.pushes.directory};
    if (there[1] == NULL)
        return git_query_start(self->query, entry, words);
    memcpy(there + 2, words, (strv_length(words) + 1) * sizeof *words);
    return git_query_start(self->query, entry, there);
}

/* Is there such a branch, as last fetched? */
static bool ask_there(struct git_look *self, const struct call_entry *entry)
{
    cleanup_free char *commit = xasprintf("%s^{commit}", entry->call.pushes.there);
    return ask_where_pushed(self, entry,
                            (const char *const[]){"--no-replace-objects", "rev-parse", "--verify",
                                                  "--quiet", commit, NULL});
}

/* Was anything ever fetched from there? Else nothing is known of what is there. */
static bool ask_remote(struct git_look *self, const struct call_entry *entry)
{
    cleanup_free char *refs = xasprintf("refs/remotes/%s/", entry->call.pushes.remote);
    return ask_where_pushed(
        self, entry,
        (const char *const[]){"for-each-ref", "--count=1", "--format=%(refname)", refs, NULL});
}

/* A range, and no file of that name. What one deletes may be on a branch here; and what is sent to
 * one that is not there yet is what no other there has. */
static bool ask_log(struct git_look *self, const struct call_entry *entry)
{
    const struct push_commits *pushes = &entry->call.pushes;
    cleanup_free char *most = xasprintf("%d", GIT_SEEN_LINES + 1);
    cleanup_free char *remotes = xasprintf("--remotes=%s", pushes->remote);
    const char *range = self->step == STEP_LOST ? pushes->lost
                        : self->seen.fresh      ? pushes->source
                                                : pushes->sent;
    const char *but = self->step == STEP_LOST ? "--branches" : remotes;
    bool without = pushes->sent == NULL || self->seen.fresh;
    return ask_where_pushed(
        self, entry,
        (const char *const[]){"--no-replace-objects", "log", "--no-show-signature", "--no-mailmap",
                              "--no-color", "--no-decorate", "--encoding=UTF-8", "--format=%h %s",
                              "-n", most, range, without ? "--not" : "--", without ? but : NULL,
                              "--", NULL});
}

static bool ask_push(struct git_look *self, const struct call_entry *entry, enum step step)
{
    self->step = step;
    switch (step) {
    case STEP_THERE:
        return ask_there(self, entry);
    case STEP_REMOTE:
        return ask_remote(self, entry);
    case STEP_LOST:
    case STEP_SENT:
        break;
    }
    return ask_log(self, entry);
}

/* Without a word, and of a branch that is sent at least what is new with it is known. */
static bool is_missing(const struct git_look *self)
{
    return self->step == STEP_THERE && git_query_is_silent(self->query);
}

static void tell_push(struct git_look *self, enum git_look_state look)
{
    self->done = true;
    self->seen.look = look;
    orchestrator_note_push(self->orchestrator, self->prompts[0].id, &self->seen);
}

/* False: git could not be asked for what comes next. */
static bool take_step(struct git_look *self, const struct call_entry *entry)
{
    const struct push_commits *pushes = &entry->call.pushes;
    if (self->step == STEP_THERE && pushes->lost != NULL && !self->seen.fresh)
        return ask_push(self, entry, STEP_LOST);
    if (self->step == STEP_THERE && pushes->sent != NULL && self->seen.fresh)
        return ask_push(self, entry, STEP_REMOTE);
    if (self->step != STEP_SENT && pushes->sent != NULL)
        return ask_push(self, entry, STEP_SENT);
    tell_push(self, self->seen.sent != NULL || self->seen.lost != NULL ? GIT_SEEN : GIT_UNSEEN);
    return true;
}

static bool take_push(struct git_look *self, const struct call_entry *entry)
{
    self->seen.fresh = self->seen.fresh || is_missing(self);
    if (!git_query_has_told(self->query) && !is_missing(self)) {
        self->seen.why = git_query_why(self->query);
        tell_push(self, GIT_UNSEEN);
        return true;
    }
    cleanup_free char *lines = git_query_take_lines(self->query);
    if (self->step == STEP_LOST)
        self->seen.lost = steal_pointer(&lines);
    else if (self->step == STEP_REMOTE)
        self->seen.never = *lines == '\0';
    else if (self->step == STEP_SENT)
        self->seen.sent = steal_pointer(&lines);
    return take_step(self, entry);
}

/* ---- what throws work away ------------------------------------------------------------------- */

/* A link, or another repository, can have been put in the way since: git would say nothing of what
 * is behind that. */
static bool is_read_otherwise(const struct call *call)
{
    struct git_losses now;
    git_losses_find((const char *const *)call->spec->argv, call->spec->cwd, &now);
    bool otherwise = now.count == 0;
    git_losses_clear(&now);
    return otherwise;
}

static bool ask_loss(struct git_look *self, const struct call_entry *entry, size_t loss)
{
    const struct git_loss *asked = &entry->call.losses.list[loss];
    cleanup_strv char **words = git_loss_words_now(asked);
    self->loss = loss;
    if (!git_query_start(self->query, entry, (const char *const *)words))
        return false;
    git_query_filter(self->query, git_loss_keeps, asked->kind);
    return true;
}

static void tell_losses(struct git_look *self, enum git_look_state look)
{
    self->done = true;
    self->told.look = look;
    orchestrator_note_losses(self->orchestrator, self->prompts[0].id, &self->told);
}

/* A command before that one can have it ignore less; or a word is no file's, but a commit's. */
static bool is_in_doubt(const struct git_loss *loss)
{
    return (loss->kind == GIT_CHANGES_RULES || loss->kind == GIT_UNWATCHED_RULES ||
            loss->kind == GIT_KNOWS_NO_COMMIT) &&
           *loss->seen != '\0';
}

/* It complains so where there is no stash at all. */
static bool has_no_stash(const struct git_look *self, enum git_loss_kind kind)
{
    cleanup_free char *why = git_query_why(self->query);
    return kind == GIT_LOSES_STASHES && why != NULL &&
           strncmp(why, "fatal: bad revision 'refs/stash", 31) == 0;
}

/* Of that one, what git has said is all. */
static void see(struct git_look *self, const struct call_entry *entry, char *lines)
{
    const struct git_loss *asked = &entry->call.losses.list[self->told.count];
    struct git_loss *loss = &self->told.list[self->told.count++];
    loss->kind = asked->kind;
    git_loss_see(loss, lines);
    git_loss_measure(loss, (const char *const *)asked->words, entry->call.spec->cwd);
}

/* With the next, or the end. */
static bool go_on_with_losses(struct git_look *self, const struct call_entry *entry)
{
    if (self->told.count < entry->call.losses.count)
        return ask_loss(self, entry, self->told.count);
    bool otherwise = is_read_otherwise(&entry->call);
    if (otherwise)
        self->told.why = xstrdup("");
    tell_losses(self, otherwise ? GIT_UNSEEN : GIT_SEEN);
    return true;
}

/* As of a push. Without a stash there are no files in it either, which come behind it. */
static bool take_loss(struct git_look *self, const struct call_entry *entry)
{
    const struct git_losses *losses = &entry->call.losses;
    self->told.count = self->loss;
    if (has_no_stash(self, losses->list[self->loss].kind)) {
        see(self, entry, xstrdup(""));
        if (self->told.count < losses->count && git_loss_is_of_stash(&losses->list[self->loss + 1]))
            see(self, entry, xstrdup(""));
        return go_on_with_losses(self, entry);
    }
    if (!git_query_has_told(self->query)) {
        self->told.why = git_query_why(self->query);
        tell_losses(self, GIT_UNSEEN);
        return true;
    }
    see(self, entry, git_query_take_lines(self->query));
    if (is_in_doubt(&self->told.list[self->loss])) {
        self->told.commit = losses->list[self->loss].kind == GIT_KNOWS_NO_COMMIT;
        self->told.rules = !self->told.commit;
        tell_losses(self, GIT_UNSEEN);
        return true;
    }
    return go_on_with_losses(self, entry);
}

/* ---- a prompt -------------------------------------------------------------------------------- */

static bool is_push(const struct call *call)
{
    return call->pushes.there != NULL;
}

static bool is_looked_at(const struct call *call)
{
    return is_push(call) || call->losses.count > 0;
}

static enum git_look_state look_of(const struct call *call)
{
    return is_push(call) ? call->seen.look : call->losses.look;
}

static const struct call_entry *find_entry(const struct git_look *self, uint64_t prompt)
{
    const struct call_entry *entry = entry_find_prompt(self->orchestrator, prompt);
    return entry != NULL && is_looked_at(&entry->call) ? entry : NULL;
}

static void tell_looking(const struct git_look *self, uint64_t prompt, const struct call *call)
{
    struct push_seen seen = {.look = GIT_LOOKING};
    struct git_losses told = {.look = GIT_LOOKING};
    if (is_push(call))
        orchestrator_note_push(self->orchestrator, prompt, &seen);
    else
        orchestrator_note_losses(self->orchestrator, prompt, &told);
}

/* Those whose turn comes later, too: a row that came then would move what is read. */
static void tell_all(const struct git_look *self)
{
    for (size_t i = 0; i < self->count; i++) {
        const struct call_entry *entry = find_entry(self, self->prompts[i].id);
        if (entry != NULL && !self->prompts[i].again && look_of(&entry->call) != GIT_LOOKING)
            tell_looking(self, self->prompts[i].id, &entry->call);
    }
}

static bool is_queued(const struct git_look *self, uint64_t prompt)
{
    for (size_t i = 0; i < self->count; i++)
        if (self->prompts[i].id == prompt)
            return true;
    return false;
}

static bool is_running(const struct git_look *self, uint64_t prompt)
{
    return self->count > 0 && self->prompts[0].id == prompt && self->begun_ms >= 0;
}

/* One that takes long is not made all the time. */
static bool rests(const struct git_look *self, enum look_cause cause)
{
    return cause != LOOK_FIRST && (cause != LOOK_WANTED || self->took_ms >= ANSWER_MS) &&
           loop_now_ms(self->orchestrator->loop) < self->rest_until_ms;
}

static void queue(struct git_look *self, const struct call *call, enum look_cause cause)
{
    if (cause > LOOK_FIRST && is_running(self, call->prompt->id) && cause > self->prompts[0].repeat)
        self->prompts[0].repeat = cause;
    if (!is_looked_at(call) || self->count == QUEUE_MAX || is_queued(self, call->prompt->id) ||
        rests(self, cause))
        return;
    self->prompts[self->count].id = call->prompt->id;
    self->prompts[self->count].repeat = LOOK_NONE;
    self->prompts[self->count++].again = cause != LOOK_FIRST;
}

static void repeat(struct git_look *self, uint64_t prompt, enum look_cause cause)
{
    const struct call_entry *entry = find_entry(self, prompt);
    if (entry != NULL)
        queue(self, &entry->call, cause);
}

static void next_prompt(struct git_look *self)
{
    uint64_t repeated = self->prompts[0].id;
    enum look_cause cause = self->prompts[0].repeat;
    git_query_forget(self->query);
    push_seen_clear(&self->seen);
    git_losses_clear(&self->told);
    self->done = false;
    if (self->begun_ms >= 0) {
        int64_t now_ms = loop_now_ms(self->orchestrator->loop);
        self->took_ms = now_ms - self->begun_ms;
        self->rest_until_ms = now_ms + (self->took_ms > LONG_MS ? REST_TIMES * self->took_ms : 0);
        self->begun_ms = -1;
    }
    self->count--;
    memmove(self->prompts, self->prompts + 1, self->count * sizeof *self->prompts);
    if (cause != LOOK_NONE)
        repeat(self, repeated, cause);
    if (self->count > 0)
        loop_timer_start(self->timer, 0);
}

static void give_up(struct git_look *self, const struct call *call)
{
    if (is_push(call)) {
        self->seen.why = xstrdup("");
        tell_push(self, GIT_UNSEEN);
    } else {
        self->told.why = xstrdup("");
        tell_losses(self, GIT_UNSEEN);
    }
}

static void begin(struct git_look *self, const struct call_entry *entry)
{
    const struct call *call = &entry->call;
    self->begun_ms = loop_now_ms(self->orchestrator->loop);
    entry_find_prompt(self->orchestrator, self->prompts[0].id)->call.looks_begun++;
    if (is_push(call) ? ask_push(self, entry, STEP_THERE) : ask_loss(self, entry, 0)) {
        tell_all(self);
        return;
    }
    if (look_of(call) == GIT_LOOKING)
        give_up(self, call);
    next_prompt(self);
}

static void take_result(struct git_look *self, const struct call_entry *entry)
{
    const struct call *call = &entry->call;
    if (!(is_push(call) ? take_push(self, entry) : take_loss(self, entry)))
        give_up(self, call);
    if (self->done)
        next_prompt(self);
}

static void go_on(void *argument)
{
    struct git_look *self = argument;
    const struct call_entry *entry = self->count > 0 ? find_entry(self, self->prompts[0].id) : NULL;
    if (self->count > 0 && entry == NULL)
        next_prompt(self);
    else if (entry != NULL && !git_query_is_open(self->query))
        begin(self, entry);
    else if (entry != NULL && git_query_has_ended(self->query))
        take_result(self, entry);
    else if (entry != NULL)
        tell_all(self);
}

static void on_asked(void *argument, const struct call *call)
{
    struct git_look *self = argument;
    queue(self, call, LOOK_FIRST);
    loop_timer_start(self->timer, 0);
}

/* What has been said of those that wait may be no longer so: another agent commits meanwhile. */
static void on_attempt_ended(void *argument, const struct call *call, unsigned attempt)
{
    struct git_look *self = argument;
    (void)call;
    (void)attempt;
    for (size_t i = 0; i < orchestrator_waiting_count(self->orchestrator); i++) {
        const struct call *other = orchestrator_waiting_at(self->orchestrator, i);
        if (other->prompt != NULL)
            queue(self, other, LOOK_AGAIN);
    }
    loop_timer_start(self->timer, 0);
}

static void on_come_to(void *argument, const struct call *call, bool answers)
{
    struct git_look *self = argument;
    queue(self, call, answers ? LOOK_WANTED : LOOK_AGAIN);
    loop_timer_start(self->timer, 0);
}

/* What git still says for that is of no use, and others wait. */
static void on_decided(void *argument, const struct call *call, const struct prompt *prompt)
{
    struct git_look *self = argument;
    (void)call;
    (void)prompt;
    loop_timer_start(self->timer, 0);
}

static void on_finished(void *argument, const struct call *call)
{
    on_decided(argument, call, NULL);
}

/* Outside of the event that says so. */
static void git_has_ended(void *argument)
{
    struct git_look *self = argument;
    loop_timer_start(self->timer, 0);
}

/* ---- life ------------------------------------------------------------------------------------ */

struct git_look *git_look_new(struct orchestrator *orchestrator)
{
    struct git_look *self = XNEW(struct git_look);
    self->orchestrator = orchestrator;
    self->begun_ms = -1;
    self->timer = loop_timer_new(orchestrator->loop, go_on, self);
    self->query = git_query_new(git_has_ended, self);
    return self;
}

void git_look_free(struct git_look **look)
{
    struct git_look *self = *look;
    if (self == NULL)
        return;
    git_query_free(&self->query);
    loop_timer_free(&self->timer);
    push_seen_clear(&self->seen);
    git_losses_clear(&self->told);
    free(self);
    *look = NULL;
}

const struct observer *git_look_observer(void)
{
    static const struct observer observer = {.name = "git look",
                                             .asked = on_asked,
                                             .come_to = on_come_to,
                                             .decided = on_decided,
                                             .attempt_ended = on_attempt_ended,
                                             .finished = on_finished};
    return &observer;
}
