/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_kept.h"

#include "base/alloc.h"
#include "ui/console_int.h"

static struct kept_choice *find(const struct console *console, uint64_t prompt)
{
    for (size_t i = 0; i < console->kept_count; i++)
        if (console->kept[i].prompt == prompt)
            return &console->kept[i];
    return NULL;
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
}

/* Can it be chosen of what the prompt offers? */
static bool is_offered(const struct kept_choice *kept, const struct prompt *prompt)
{
    const struct ladder *ladder = prompt->ladder;
    size_t step = kept->rule.step;

    if (kept->lease.kind == LEASE_CALL && kept->lease.call != prompt->lease_call)
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

/* A path is not taken over: it was chosen for that file, which may be another by now. */
void approval_kept_take_over(struct console *console, const struct call *call,
                             const struct call *before)
{
    const struct prompt *prompt = call->prompt;

    for (size_t i = 0; i < console->kept_count; i++) {
        struct kept_choice *kept = &console->kept[i];

        if (kept->call != before->id)
            continue;
        if (kept->lease.kind == LEASE_CALL && prompt->lease_call == 0)
            return; /* nothing that it could end with */
        kept->call = call->id;
        kept->prompt = prompt->id;
        kept->revision = prompt->revision;
        if (kept->lease.kind == LEASE_CALL)
            kept->lease.call = prompt->lease_call;
        kept->path_lasts = false;
        kept->taken_over = true;
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
