/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fake_asker.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

struct asked *asker_start(struct asker *asker, json_t *params, const struct asked_events *events,
                          void *argument)
{
    struct asked *asked = &asker->asked[asker->count++];
    asked->params = json_canonical(params);
    asked->events = events;
    asked->argument = argument;
    json_decref(params);
    return asked;
}

void asker_cancel(struct asked *asked)
{
    asked->cancelled = true;
}

void asker_drop(struct asked **place)
{
    if (*place == NULL)
        return;
    (*place)->cancelled = true;
    (*place)->dropped = true;
    *place = NULL;
}

void fake_asker_clear(struct asker *asker)
{
    for (unsigned i = 0; i < asker->count; i++)
        free(asker->asked[i].params);
    memset(asker, 0, sizeof(*asker));
}

void fake_asker_finish(struct asker *asker, unsigned index, const char *outcome, int code,
                       const char *kind, const char *message)
{
    struct asked *asked = &asker->asked[index];
    cleanup_json json_t *result = json_pack(
        "{s:s,s:i,s:n,s:{s:s,s:s,s:s?},s:n,s:{s:s,s:s}}", "outcome", outcome, "exit_code", code,
        "signal", "decision", "kind", kind, "source", "user", "message", message, "failure",
        "output", "stderr", code != 0 ? "it went wrong" : "", "aggregated", "");
    asked->finished = true;
    if (!asked->dropped)
        asked->events->finished(asked->argument, result, NULL);
}

void fake_asker_pick(struct asker *asker, unsigned index, const char *kind, int offer)
{
    struct asked *asked = &asker->asked[index];
    bool denied = strcmp(kind, "denied") == 0;
    cleanup_json json_t *result =
        json_pack("{s:s,s:{s:s,s:s,s:n,s:i},s:n}", "outcome", denied ? "refused" : "allowed",
                  "decision", "kind", kind, "source", "user", "message", "offer", offer, "failure");
    asked->finished = true;
    asked->events->finished(asked->argument, result, NULL);
}

void fake_asker_print(struct asker *asker, unsigned index, const char *text)
{
    struct asked *asked = &asker->asked[index];
    asked->events->output(asked->argument, text, strlen(text), 0);
}
