/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_kept.h"

#include <string.h>

#include "base/alloc.h"
#include "ui/approval_queue.h"
#include "ui/console_int.h"

static struct kept_choice *find(const struct console *console, uint64_t prompt)
{
    for (size_t i = 0; i < console->kept_count; i++)
        if (console->kept[i].prompt == prompt)
            return &console->kept[i];
    return NULL;
}

/* What the choice makes of that request. */
static void hash_rule(const struct call *call, const struct rule_choice *rule,
                      char out[static SHA256_HEX_SIZE])
{
    const struct ladder *ladder = call != NULL ? call->prompt->ladder : NULL;
    cleanup_free char *line = NULL;
    unsigned char sum[SHA256_SIZE];

    out[0] = '\0';
    if (ladder == NULL || rule->step >= ladder->count || ladder->steps[rule->step].refused != NULL)
        return;
    line = ladder_rule(ladder, rule->step, rule->scope);
    sha256_of(line, strlen(line), sum);
    sha256_hex(sum, out);
}

void approval_kept_set(struct console *console, const struct kept_choice *choice)
{
    struct kept_choice *place = find(console, choice->prompt);

    if (place == NULL) {
        console->kept =
            xreallocarray(console->kept, console->kept_count + 1, sizeof(*console->kept));
        place = &console->kept[console->kept_count++];
    }
    *place = *choice;
    hash_rule(approval_queue_find(console, choice->prompt), &choice->rule, place->makes);
}

/* Can it be chosen of what the prompt offers? */
static bool is_offered(const struct kept_choice *kept, const struct prompt *prompt)
{
    const struct ladder *ladder = prompt->ladder;
    size_t step = kept->rule.step;

    if (kept->outdated ||
        (kept->lease.kind == LEASE_CALL && kept->lease.call != prompt->lease_call))
        return false;
    return ladder == NULL || (step < ladder->count && ladder->steps[step].refused == NULL);
}

const struct kept_choice *approval_kept_find(const struct console *console, const struct call *call,
                                             bool *changed)
{
    const struct kept_choice *kept = find(console, call->prompt->id);
    bool same =
        kept != NULL && kept->revision == call->prompt->revision && is_offered(kept, call->prompt);

    if (changed != NULL)
        *changed = kept != NULL && !same;
    return same ? kept : NULL;
}

bool approval_kept_rule(const struct console *console, const struct call *call,
                        struct rule_choice *rule)
{
    const struct kept_choice *kept = approval_kept_find(console, call, NULL);
    const struct ladder *ladder = call->prompt->ladder;

    if (ladder == NULL)
        return false;
    *rule = kept != NULL ? kept->rule : (struct rule_choice){ladder->first, LADDER_PROJECT};
    return true;
}

/* It ends with the command that connects, which is run anew, or with one that still runs. */
static bool may_end_so(const struct lease *lease, const struct call *call)
{
    uint64_t with = call->prompt->lease_call;

    return lease->kind != LEASE_CALL || (with != 0 && (call->reach != NULL || lease->call == with));
}

/* A path is not taken over: it was chosen for that file, which may be another by now. */
void approval_kept_take_over(struct console *console, const struct call *call,
                             const struct call *before)
{
    const struct prompt *prompt = call->prompt;

    for (size_t i = 0; i < console->kept_count; i++) {
        struct kept_choice *kept = &console->kept[i];
        char makes[SHA256_HEX_SIZE];

        if (kept->call != before->id || kept->outdated)
            continue;
        if (!may_end_so(&kept->lease, call))
            return;
        kept->call = call->id;
        kept->prompt = prompt->id;
        kept->revision = prompt->revision;
        if (kept->lease.kind == LEASE_CALL)
            kept->lease.call = prompt->lease_call;
        kept->path_lasts = false;
        kept->taken_over = true;
        hash_rule(call, &kept->rule, makes);
        kept->outdated = strcmp(makes, kept->makes) != 0;
        return;
    }
}

/* Its program may ask for the same once more. */
static bool was_withdrawn(const struct call *call)
{
    return call->cancelled && call->cancelled_by == CANCELLED_BY_CLIENT && call->attempt_count == 0;
}

void approval_kept_forget_answered(struct console *console)
{
    size_t count = 0;

    for (size_t i = 0; i < console->kept_count; i++) {
        const struct kept_choice *kept = &console->kept[i];
        const struct call *call = orchestrator_find_call(console->setup.orchestrator, kept->call);
        bool waits = call != NULL && call->prompt != NULL && call->prompt->id == kept->prompt;

        if (waits || (call != NULL && was_withdrawn(call)))
            console->kept[count++] = *kept;
    }
    console->kept_count = count;
}
