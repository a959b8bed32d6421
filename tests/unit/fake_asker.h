/* SPDX-License-Identifier: MIT */
/* fake_asker: stands in for agents/drive/asker.c: the test is the console. */
#ifndef ASSENT_TESTS_FAKE_ASKER_H
#define ASSENT_TESTS_FAKE_ASKER_H

#include <stdbool.h>

#include "agents/drive/asker.h"

#define FAKE_ASKED_MAX 80

struct asked {
    char *params; /* of call/start, canonical JSON */
    const struct asked_events *events;
    void *argument;
    bool cancelled, dropped, finished;
};

struct asker {
    struct asked asked[FAKE_ASKED_MAX];
    unsigned count;
};

void fake_asker_clear(struct asker *asker);
/* The call of that number ends: {outcome, exit_code, decision {kind, source, message}, …}. */
void fake_asker_finish(struct asker *asker, unsigned index, const char *outcome, int code,
                       const char *kind, const char *message);
/* The same of an answer of the agent's own, one of the offers (as the console counts them). */
void fake_asker_pick(struct asker *asker, unsigned index, const char *kind, int offer);
/* It says what the command prints. */
void fake_asker_print(struct asker *asker, unsigned index, const char *text);

#endif
