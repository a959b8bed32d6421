/* SPDX-License-Identifier: MIT */
/* opinion: what a model says about a command, beside the built-in assessment. It can raise the
 * level that is shown, and never lower it: what it read was written by the agent. */
#ifndef ASSENT_RISK_OPINION_H
#define ASSENT_RISK_OPINION_H

#include <stdint.h>

#include "risk/assessment.h"

enum opinion_status {
    OPINION_NONE,   /* nobody is asked */
    OPINION_ASKING, /* no answer yet */
    OPINION_SUCCESS,
    OPINION_PARSE_ERROR, /* an answer that is not what was asked for */
    OPINION_NO_OUTPUT,   /* an answer without a text */
    OPINION_MODEL_ERROR, /* the model or the way to it failed */
    OPINION_TIMEOUT,
    OPINION_DISABLED, /* no model is configured */
};

struct opinion {
    enum opinion_status status;
    enum risk_level level;  /* with OPINION_SUCCESS, as the next two */
    unsigned categories;    /* of enum risk_category */
    char description[2001]; /* the model's words, at most 500 characters: untrusted */
    char detail[200];       /* why it failed: our words, which may quote untrusted ones */
    int64_t latency_ms;     /* from question to answer; -1 while there is none */
};

/* "success", "parse_error" …, "" for none. */
const char *opinion_status_name(enum opinion_status status);

#endif
