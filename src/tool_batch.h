/* SPDX-License-Identifier: MIT */
/* tool_batch: --batch, the questions as JSON lines on standard input, an answer for each. */
#ifndef ASSENT_TOOL_BATCH_H
#define ASSENT_TOOL_BATCH_H

#include "base/error.h"
#include "base/json.h"

/* Longer lines are not read. */
#define TOOL_BATCH_LINE_MAX ((size_t)8 * 1024 * 1024)

/* The answer to a question, an object in which "id" is left out; NULL with a message for a question
 * that is not one. Strings of the question may hold NUL. */
typedef json_t *tool_batch_answer(void *argument, const json_t *question, struct error *error);

/* Writes one line for each line of standard input, in order: the answer, or "error", each with the
 * question's "id" as it came (null when there is none). Empty lines are passed over. Returns 0, or
 * -1 with a message when standard input or output fails. */
int tool_batch_run(tool_batch_answer *answer, void *argument, struct error *error);

#endif
