/* SPDX-License-Identifier: MIT */
/* call_params: the parameters of call/start, checked, as a command spec. */
#ifndef ASSENT_AGENTS_CALL_PARAMS_H
#define ASSENT_AGENTS_CALL_PARAMS_H

#include <jansson.h>
#include <stdbool.h>

#include "approval/call.h"
#include "base/error.h"
#include "sandbox/command.h"

struct call_params {
    struct command_spec *spec; /* owned until taken out */
    char *agent_tool;          /* of the agent's own, that runs it; NULL: we run it; owned */
    int64_t input_for;         /* the call that its input is for, 0: none */
    bool widens;               /* approved, the additional permissions are the session's */
    bool wants_words;          /* the command is that tool's name and a question for words */
    bool secret_words;         /* the answer in words is a secret */
    bool in_person;            /* nobody but the operator says yes to it */
    bool agent_fields;         /* the command is that tool's name and fields */
    struct call_offer offers[CALL_OFFERS_MAX]; /* with agent_tool; names owned */
    size_t offer_count;
    char *patch;       /* of the tool apply_patch, or NULL; owned */
    bool stream;       /* the client wants the output as it comes */
    int rows, columns; /* 0 when not given */
};

/* Reads what doc/control-socket.md says of call/start. -1 with a message that names the parameter
 * and what was expected. */
int call_params_read(const json_t *params, struct call_params *out, struct error *error);
void call_params_clear(struct call_params *params);

#endif
