/* SPDX-License-Identifier: MIT */
/* judgement_offer: the rule that may be offered for a command: with it the whole would pass. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "approval/judgement-int.h"
#include "base/alloc.h"
#include "command/handover.h"
#include "command/safety.h"

static bool covers_others(const struct judgement *judgement, const struct judgement_part *asks,
                          const char *const *prefix)
{
    size_t length = strv_length(prefix);
    for (size_t i = 0; i < judgement->count; i++) {
        const struct judgement_part *part = &judgement->parts[i];
        bool same = strv_length((const char *const *)part->argv) >= length;
        if (part->hidden || part->allowed || part->known_safe || part == asks)
            continue;
        for (size_t j = 0; same && j < length; j++)
            same = strcmp(prefix[j], part->argv[j]) == 0;
        if (!same)
            return false;
    }
    return true;
}

/* The prefix that may be offered: it makes the whole command pass, or nothing is offered. */
static char **find_amendment(const struct judgement_work *work, const struct judgement_tally *tally)
{
    const struct judgement_part *asks = tally->asks;
    if (asks == NULL || asks->lapse != NULL || asks->danger != NULL || work->facts->leaves ||
        !work->program_installed || !work->harmless_env)
        return NULL;
    const char *const *argv = (const char *const *)asks->argv;
    char **prefix = safety_amendment(argv);
    if (prefix == NULL && !handover_is_interpreter(argv[0]))
        prefix = strv_copy(argv); /* exactly this */
    if (prefix == NULL)
        return NULL;
    bool good = handover_find(argv, strv_length((const char *const *)prefix)) == NULL &&
                covers_others(work->judgement, asks, (const char *const *)prefix);
    if (!good)
        strv_free(&prefix);
    return prefix;
}

/* The prefix that may be offered for a constituent, or NULL. */
static char **part_prefix(const struct judgement_part *part)
{
    const char *const *argv = (const char *const *)part->argv;
    char **prefix = part->lapse == NULL && part->danger == NULL ? safety_amendment(argv) : NULL;
    if (prefix != NULL && handover_find(argv, strv_length((const char *const *)prefix)) != NULL)
        strv_free(&prefix);
    return prefix;
}

/* Takes a prefix into the family: the first founds it. False when it does not belong to it. */
static bool join_family(struct judgement *judgement, char *const *prefix)
{
    size_t length = strv_length((const char *const *)prefix), count = 0;
    if (length < 2)
        return false;
    if (judgement->shared == NULL) {
        judgement->shared = strv_copy((const char *const *)prefix);
        free(judgement->shared[length - 1]);
        judgement->shared[length - 1] = NULL;
        judgement->last = xcalloc(judgement->count + 1, sizeof(*judgement->last));
    }
    if (strv_length((const char *const *)judgement->shared) != length - 1)
        return false;
    for (size_t i = 0; i + 1 < length; i++)
        if (strcmp(judgement->shared[i], prefix[i]) != 0)
            return false;
    while (judgement->last[count] != NULL)
        count++;
    if (!strv_has((const char *const *)judgement->last, prefix[length - 1]))
        judgement->last[count] = xstrdup(prefix[length - 1]);
    return true;
}

/* One rule that makes the whole command pass, where no one prefix does. */
static void find_family(const struct judgement_work *work)
{
    struct judgement *judgement = work->judgement;
    bool family = !work->facts->leaves && work->program_installed && work->harmless_env;
    for (size_t i = 0; family && i < judgement->count; i++) {
        const struct judgement_part *part = &judgement->parts[i];
        if (part->hidden || part->allowed || part->known_safe)
            continue;
        cleanup_strv char **prefix = part_prefix(part);
        family = prefix != NULL && join_family(judgement, prefix);
    }
    if (family && judgement->last != NULL && judgement->last[0] != NULL &&
        judgement->last[1] != NULL)
        return;
    strv_free(&judgement->shared);
    strv_free(&judgement->last);
}

char **judgement_find_offer(const struct judgement_work *work, const struct judgement_tally *tally)
{
    char **prefix = find_amendment(work, tally);
    if (prefix == NULL)
        find_family(work);
    return prefix;
}
