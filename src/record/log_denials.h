/* SPDX-License-Identifier: MIT */
/* log_denials: what the operator denied in a console that is over, so that who asks the same in the
 * one that goes on from it can be told from who asks something new. */
#ifndef ASSENT_RECORD_LOG_DENIALS_H
#define ASSENT_RECORD_LOG_DENIALS_H

#include <jansson.h>

#include "approval/call.h"
#include "record/log_query.h"

/* Adds a denial to the list, a JSON array; the newest last. What the operator had changed first is
 * left out: nobody asks for that. */
void log_denials_add(json_t *list, const struct log_call *call);
/* The newest of them that asked the same, as far as the record tells, in a session of the same
 * name: its number, 0: there is none. What has a secret in it is never the same: it was not
 * recorded. */
uint64_t log_denials_find(json_t *list, const struct call *call);

#endif
