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
