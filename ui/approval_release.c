/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_release.h"

#include <inttypes.h>
#include <string.h>

#include "base/i18n.h"

struct approval_release approval_release_find(const struct orchestrator *orchestrator,
                                              uint64_t prompt, const struct rule_choice *choice)
{
    enum review_kind kind =
        choice != NULL ? REVIEW_APPROVED_AMENDMENT : REVIEW_APPROVED_FOR_SESSION;
    struct approval_release release = {.count = 0};

    release.count = orchestrator_would_release(orchestrator, prompt, kind, choice, release.calls,
                                               APPROVAL_RELEASES_SHOWN);
    return release;
}

/* FNV-1a, number by number. */
static uint64_t add_to_mark(uint64_t mark, uint64_t number)
{
    return (mark ^ number) * 0x100000001b3;
}

uint64_t approval_release_mark(const struct orchestrator *orchestrator)
{
    uint64_t mark = add_to_mark(0xcbf29ce484222325, orchestrator_held_count(orchestrator));

    for (size_t i = 0; i < orchestrator_waiting_count(orchestrator); i++) {
        const struct call *call = orchestrator_waiting_at(orchestrator, i);

        mark = add_to_mark(mark, call->prompt->id);
        mark = add_to_mark(mark, call->prompt->revision);
        mark = add_to_mark(mark, (uint64_t)call->assessment.level);
    }
    return mark;
}

bool approval_release_equal(const struct approval_release *a, const struct approval_release *b)
{
    return a->count == b->count && memcmp(a->calls, b->calls, sizeof(a->calls)) == 0;
}

void approval_release_words(struct strbuf *out, const char *key,
                            const struct approval_release *release)
{
    if (release->count == 0)
        return;
    strbuf_addf(out, _("%s%s also allows"), out->length > 0 ? "; " : "", key);
    for (size_t i = 0; i < release->count && i < APPROVAL_RELEASES_SHOWN; i++)
        strbuf_addf(out, "%s c%" PRIu64, i > 0 ? "," : "", release->calls[i]);
    if (release->count > APPROVAL_RELEASES_SHOWN)
        strbuf_addf(out, _(" and %zu more"), release->count - APPROVAL_RELEASES_SHOWN);
}
