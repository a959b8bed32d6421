/* SPDX-License-Identifier: MIT */
/* plain_request: which request is asked about. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/details.h"
#include "ui/plain_int.h"

static struct call *find_prompt(const struct plain *plain, uint64_t prompt)
{
    size_t count = orchestrator_waiting_count(plain->setup.orchestrator);

    for (size_t i = 0; i < count; i++) {
        struct call *call = orchestrator_waiting_at(plain->setup.orchestrator, i);

        if (call->prompt != NULL && call->prompt->id == prompt)
            return call;
    }
    return NULL;
}

bool plain_request_is_aside(const struct plain *plain, uint64_t prompt)
{
    for (size_t i = 0; i < plain->aside_count; i++)
        if (plain->aside[i] == prompt)
            return true;
    return false;
}

void plain_request_put_aside(struct plain *plain, uint64_t prompt)
{
    plain->aside = xreallocarray(plain->aside, plain->aside_count + 1, sizeof(*plain->aside));
    plain->aside[plain->aside_count++] = prompt;
}

void plain_request_want(struct plain *plain, uint64_t prompt)
{
    size_t kept = 0;

    for (size_t i = 0; i < plain->aside_count; i++)
        if (plain->aside[i] != prompt)
            plain->aside[kept++] = plain->aside[i];
    plain->aside_count = kept;
    plain->wanted = prompt != plain->prompt ? prompt : 0;
}

/* Is another one wanted, which still waits? */
static bool gives_way(const struct plain *plain)
{
    return plain->wanted != 0 && plain->wanted != plain->prompt &&
           find_prompt(plain, plain->wanted) != NULL;
}

struct call *plain_request_asked(const struct plain *plain)
{
    struct call *call = plain->prompt != 0 ? find_prompt(plain, plain->prompt) : NULL;

    return call != NULL && call->prompt->revision == plain->revision &&
                   !plain_request_is_aside(plain, plain->prompt) && !gives_way(plain)
               ? call
               : NULL;
}

/* ---- which -------------------------------------------------------------------------------- */

static struct call *oldest(const struct plain *plain)
{
    size_t count = orchestrator_waiting_count(plain->setup.orchestrator);

    for (size_t i = 0; i < count; i++) {
        struct call *call = orchestrator_waiting_at(plain->setup.orchestrator, i);

        if (call->prompt != NULL && !plain_request_is_aside(plain, call->prompt->id))
            return call;
    }
    return NULL;
}

static struct call *next(const struct plain *plain)
{
    struct call *wanted = plain->wanted != 0 ? find_prompt(plain, plain->wanted) : NULL;

    return wanted != NULL ? wanted : oldest(plain);
}

static void take_up(struct plain *plain, const struct call *call)
{
    plain->call = call->id;
    plain->prompt = call->prompt->id;
    plain->revision = call->prompt->revision;
    plain->whole = false;
    plain->scripts_read = details_scripts_seen(call->prompt, (const bool[DETAILS_SCRIPTS_MAX]){0});
    plain->choice = (struct rule_choice){0};
    if (call->prompt->ladder != NULL)
        plain->choice = (struct rule_choice){call->prompt->ladder->first, LADDER_PROJECT};
    plain_print_request(plain, call, false);
}

static void put_down(struct plain *plain)
{
    plain->prompt = 0;
    plain->armed = ACTION_NONE;
    plain_ask(plain, PLAIN_NOTHING);
}

void plain_request_follow(struct plain *plain)
{
    const struct call *call = plain->prompt != 0 ? find_prompt(plain, plain->prompt) : NULL;

    if (plain->prompt != 0 && (plain_request_is_aside(plain, plain->prompt) || gives_way(plain))) {
        put_down(plain);
    } else if (plain->prompt != 0 && call == NULL) {
        plain_say(plain, _("c%" PRIu64 " does not wait any more."), plain->call);
        put_down(plain);
    } else if (call != NULL && call->prompt->revision != plain->revision) {
        plain_say(plain, _("c%" PRIu64 " has changed: look again."), plain->call);
        take_up(plain, call);
    }
    if (plain->prompt != 0)
        return;
    call = next(plain);
    plain->wanted = 0;
    if (call != NULL)
        take_up(plain, call);
}
