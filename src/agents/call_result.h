/* SPDX-License-Identifier: MIT */
/* call_result: a finished call as the object that call/finished carries. */
#ifndef ASSENT_AGENTS_CALL_RESULT_H
#define ASSENT_AGENTS_CALL_RESULT_H

#include <jansson.h>

#include "approval/call.h"

/* `result` of doc/control-socket.md; output is bounded. New reference. */
json_t *call_result_new(const struct call *call);

#endif
