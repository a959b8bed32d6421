/* SPDX-License-Identifier: MIT */
/* model-int: what is said to a model (model_request) and what it answers (model_answer). */
#ifndef ASSENT_RISK_MODEL_INT_H
#define ASSENT_RISK_MODEL_INT_H

#include "risk/model.h"

/* The body of the request. Caller frees. */
char *model_request_body(const struct model_options *options,
                         const struct model_question *question);
/* The same for equal questions: for finding answers that are known. Caller frees. */
char *model_request_key(const struct model_question *question);

/* Reads the body of a successful answer, of either dialect, streamed or not. Sets status, and the
 * opinion or the detail. */
void model_answer_read(const char *body, size_t length, struct opinion *opinion);

#endif
