/* SPDX-License-Identifier: MIT */
/* answers: what the operator says to a prompt, and what a prompt says of it beforehand. */
#include "config.h"

#include <string.h>

#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/text.h"

static bool is_lease(const struct lease *lease)
{
    switch (lease->kind) {
    case LEASE_TIME:
        return lease->duration_ms > 0;
    case LEASE_RUNS:
        return lease->runs > 0;
    case LEASE_CALL:
        return lease->call > 0;
    case LEASE_SESSION:
        break;
    }
    return true;
}

static int check_answer(const struct call_entry *entry, unsigned revision, enum review_kind kind,
                        struct error *error)
{
    if (entry == NULL)
        return error_set(error, 0, "this request is not open any more");
    const struct prompt *prompt = entry->call.prompt;
    if (prompt->revision != revision)
        return error_set(error, 0, "this request has changed since it was shown: look again");
    if (entry->answer != REVIEW_NONE || entry->cancel_requested)
        return error_set(error, 0, "this request has been decided already");
    if (kind == REVIEW_APPROVED_FOR_SESSION && !prompt->may_approve_for_session)
        return error_set(error, 0, "this request cannot be approved for the session");
    if (kind == REVIEW_APPROVED_SANDBOXED && !prompt->may_sandbox)
        return error_set(error, 0, "running it in the sandbox is not offered for this request");
    if (kind == REVIEW_APPROVED_PATH && prompt->path == NULL)
        return error_set(error, 0, "no path is offered for this request");
    if (kind == REVIEW_APPROVED_PATH_FOR_SESSION && !prompt->path_may_last)
        return error_set(error, 0, "no path is offered for the session");
    if (kind == REVIEW_APPROVED_AMENDMENT && prompt->ladder == NULL)
        return error_set(error, 0, "no rule is offered for this request");
    if (!review_kind_approves(kind) && kind != REVIEW_DENIED && kind != REVIEW_ABORT &&
        kind != REVIEW_TIMED_OUT)
        return error_set(error, 0, "this is not a decision");
    return 0;
}

void orchestrator_decide_together(struct orchestrator *orchestrator, bool together)
{
    orchestrator->together = together ? ++orchestrator->together_last : 0;
}

int orchestrator_decide(struct orchestrator *orchestrator, uint64_t prompt_id, unsigned revision,
                        enum review_kind kind, const char *message, struct error *error)
{
    struct call_entry *entry = entry_find_prompt(orchestrator, prompt_id);
    if (check_answer(entry, revision, kind, error) != 0)
        return -1;
    if (entry->call.wants_words && kind == REVIEW_APPROVED && message == NULL)
        return error_set(error, 0, "this is a question: it is answered by words");
    entry->answer = kind;
    entry->answer_lease = (struct lease){.kind = LEASE_SESSION};
    entry->together = orchestrator->together;
    entry->answer_message = message != NULL ? xstrdup(message) : NULL;
    if (kind == REVIEW_APPROVED_AMENDMENT)
        entry->answer_rule =
            (struct rule_choice){entry->call.prompt->ladder->first, LADDER_PROJECT};
    loop_wake(orchestrator->loop);
    return 0;
}

int orchestrator_decide_abort(struct orchestrator *orchestrator, uint64_t prompt_id,
                              unsigned revision, uint64_t up_to, struct error *error)
{
    if (orchestrator_decide(orchestrator, prompt_id, revision, REVIEW_ABORT, NULL, error) != 0)
        return -1;
    entry_find_prompt(orchestrator, prompt_id)->answer_up_to = up_to;
    return 0;
}

int orchestrator_decide_offer(struct orchestrator *orchestrator, uint64_t prompt_id,
                              unsigned revision, size_t offer, struct error *error)
{
    struct call_entry *entry = entry_find_prompt(orchestrator, prompt_id);
    if (check_answer(entry, revision, REVIEW_APPROVED, error) != 0)
        return -1;
    if (offer >= entry->call.offer_count)
        return error_set(error, 0, "the agent does not offer this answer");
    bool denies = offer_kind_denies(entry->call.offers[offer].kind);
    entry->answer = denies ? REVIEW_DENIED : REVIEW_APPROVED;
    entry->answer_offer = offer + 1;
    loop_wake(orchestrator->loop);
    return 0;
}

bool orchestrator_client_may_decide(const struct call *call)
{
    const struct prompt *prompt = call->prompt;
    bool one_command = call->tool == CALL_SHELL && call->agent_tool == NULL &&
                       call->input_for == 0 && !call->widens && call->spec->env == NULL &&
                       call->spec->standard_input == STDIN_NULL;
    return prompt != NULL && call->session->client_decides && !call->session->confined &&
           one_command && call->asked_command == NULL && call->assessment.level != RISK_HIGH &&
           !prompt->retry && !prompt->covers_retry && prompt->changed == NULL &&
           prompt->denied == NULL;
}

int orchestrator_decide_as_client(struct orchestrator *orchestrator, uint64_t prompt_id,
                                  unsigned revision, enum review_kind kind, struct error *error)
{
    struct call_entry *entry = entry_find_prompt(orchestrator, prompt_id);
    if (check_answer(entry, revision, kind, error) != 0)
        return -1;
    if (kind != REVIEW_APPROVED && kind != REVIEW_DENIED)
        return error_set(error, 0, "a client allows once or denies");
    if (!orchestrator_client_may_decide(&entry->call))
        return error_set(error, 0, "this request is decided at the console");
    entry->answer = kind;
    entry->answered_by_client = true;
    loop_wake(orchestrator->loop);
    return 0;
}

int orchestrator_decide_lease(struct orchestrator *orchestrator, uint64_t prompt_id,
                              unsigned revision, const struct lease *lease, struct error *error)
{
    struct call_entry *entry = entry_find_prompt(orchestrator, prompt_id);
    if (check_answer(entry, revision, REVIEW_APPROVED_FOR_SESSION, error) != 0)
        return -1;
    if (!is_lease(lease) ||
        (lease->kind == LEASE_CALL && lease->call != entry->call.prompt->lease_call))
        return error_set(error, 0, "this request cannot be approved for that long");
    entry->answer = REVIEW_APPROVED_FOR_SESSION;
    entry->answer_lease = *lease;
    entry->together = orchestrator->together;
    loop_wake(orchestrator->loop);
    return 0;
}

int orchestrator_decide_rule(struct orchestrator *orchestrator, uint64_t prompt_id,
                             unsigned revision, const struct rule_choice *choice,
                             struct error *error)
{
    struct call_entry *entry = entry_find_prompt(orchestrator, prompt_id);
    if (check_answer(entry, revision, REVIEW_APPROVED_AMENDMENT, error) != 0)
        return -1;
    const struct ladder *ladder = entry->call.prompt->ladder;
    if (choice->step >= ladder->count || ladder->steps[choice->step].refused != NULL)
        return error_set(error, 0, "this rule is not offered for this request");
    entry->answer = REVIEW_APPROVED_AMENDMENT;
    entry->answer_rule = *choice;
    entry->together = orchestrator->together;
    loop_wake(orchestrator->loop);
    return 0;
}

/* Would `other` be covered by what approving `entry` as `kind` grants? */
static bool would_cover(const struct call_entry *entry, const struct call_entry *other,
                        enum review_kind kind, const char *rule)
{
    char *const *keys = other->call.keys;
    if (other == entry || other->call.session != entry->call.session || !entry_is_question(other) ||
        other->call.assessment.level == RISK_HIGH)
        return false;
    if (kind == REVIEW_APPROVED_AMENDMENT)
        return rule != NULL && !other->retry && arrival_rule_would_allow(other, rule);
    bool covered = kind == REVIEW_APPROVED_FOR_SESSION && keys[0] != NULL;
    for (size_t i = 0; covered && keys[i] != NULL; i++)
        covered = entry_holds_key(entry->call.keys, keys[i]);
    return covered;
}

static bool is_comparable(const struct call_entry *entry)
{
    return entry_is_question(entry) && entry->question != NULL &&
           entry->standard_input == STDIN_NULL && entry->call.input_for == 0 &&
           !entry->call.widens && !entry->call.wants_words;
}

static bool same_wording(const struct wording *one, const struct wording *other)
{
    return text_same(wording_english(one), wording_english(other));
}

/* What is only known once it is asked. */
static bool same_prompt(const struct prompt *one, const struct prompt *other)
{
    return one == NULL || other == NULL ||
           (one->covers_retry == other->covers_retry &&
            same_wording(one->changed, other->changed) && text_same(one->denied, other->denied) &&
            text_same(one->path, other->path) && one->path_may_last == other->path_may_last &&
            strcmp(one->command, other->command) == 0);
}

/* FNV-1a. What else makes a question is looked at by orchestrator_same_question(). */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
    return hash;
}

uint64_t orchestrator_question_hash(const struct call *call)
{
    if (!is_comparable((const struct call_entry *)call))
        return 0;
    return hash_text(0xcbf29ce484222325, ((const struct call_entry *)call)->question) | 1;
}

bool orchestrator_same_question(const struct call *a, const struct call *b)
{
    const struct call_entry *left = (const struct call_entry *)a;
    const struct call_entry *right = (const struct call_entry *)b;
    return is_comparable(left) && is_comparable(right) &&
           strcmp(left->question, right->question) == 0 && left->retry == right->retry &&
           left->sandbox == right->sandbox && a->assessment.level == b->assessment.level &&
           reach_same(a->reach, b->reach) && same_prompt(a->prompt, b->prompt);
}

size_t orchestrator_would_release(const struct orchestrator *orchestrator, uint64_t prompt_id,
                                  enum review_kind kind, const struct rule_choice *choice,
                                  uint64_t *ids, size_t limit)
{
    const struct call_entry *entry = entry_find_prompt(orchestrator, prompt_id);
    const struct ladder *ladder = entry != NULL ? entry->call.prompt->ladder : NULL;
    cleanup_free char *rule = NULL;
    size_t count = 0;
    if (choice != NULL && ladder != NULL && choice->step < ladder->count)
        rule = ladder_rule(ladder, choice->step, choice->scope);
    for (size_t i = 0; entry != NULL && i < orchestrator->open_count; i++) {
        const struct call_entry *other = orchestrator->open[i];
        if (!would_cover(entry, other, kind, rule))
            continue;
        if (count < limit)
            ids[count] = other->call.id;
        count++;
    }
    return count;
}

int orchestrator_note_opinion(struct orchestrator *orchestrator, uint64_t prompt_id,
                              const struct opinion *opinion)
{
    struct call_entry *entry = entry_find_prompt(orchestrator, prompt_id);
    if (entry == NULL)
        return -1;
    struct call *call = &entry->call;
    call->opinion = *opinion;
    call->news++;
    if (opinion->status == OPINION_SUCCESS && opinion->level > call->assessment.level) {
        call->assessment.level = opinion->level;
        call->prompt->revision++;
    }
    announce(orchestrator, prompt_changed, call);
    return 0;
}

void orchestrator_come_to(struct orchestrator *orchestrator, uint64_t prompt_id, bool answers)
{
    const struct call_entry *entry = entry_find_prompt(orchestrator, prompt_id);
    if (entry != NULL)
        announce(orchestrator, come_to, &entry->call, answers);
}

/* Who has read what was `told` before has to look again. */
static void tell_seen(struct call_entry *entry, bool told)
{
    entry->call.news++;
    entry->call.prompt->revision += told;
    announce(entry->orchestrator, prompt_changed, &entry->call);
}

/* Whoever waits for it goes on, also when it is the same. */
static void count_look(struct call_entry *entry, enum git_look_state look)
{
    if (entry == NULL || !git_look_has_told(look))
        return;
    entry->call.looks = entry->call.looks_begun;
    loop_wake(entry->orchestrator->loop);
}

int orchestrator_note_push(struct orchestrator *orchestrator, uint64_t prompt_id,
                           struct push_seen *seen)
{
    struct call_entry *entry = entry_find_prompt(orchestrator, prompt_id);
    count_look(entry, seen->look);
    if (entry != NULL && !push_seen_same(&entry->call.seen, seen)) {
        bool told = git_look_has_told(entry->call.seen.look);
        push_seen_clear(&entry->call.seen);
        entry->call.seen = *seen;
        *seen = (struct push_seen){.look = GIT_NOT_LOOKED};
        tell_seen(entry, told);
    }
    push_seen_clear(seen);
    return entry != NULL ? 0 : -1;
}

int orchestrator_note_losses(struct orchestrator *orchestrator, uint64_t prompt_id,
                             struct git_losses *told)
{
    struct call_entry *entry = entry_find_prompt(orchestrator, prompt_id);
    count_look(entry, told->look);
    if (entry != NULL && !git_losses_same(&entry->call.losses, told)) {
        bool before = git_look_has_told(entry->call.losses.look);
        git_losses_take(&entry->call.losses, told);
        tell_seen(entry, before);
    }
    git_losses_clear(told);
    return entry != NULL ? 0 : -1;
}
