/* SPDX-License-Identifier: MIT */
/*
 * model: a second opinion from a language model, over an endpoint that speaks as OpenAI's does.
 *
 * A fresh conversation for each question; nothing of the agent's context goes along. Secrets in
 * the command are masked first. The answer must fit a JSON schema, exactly. Answers are kept for
 * as long as the model exists.
 */
#ifndef ASSENT_RISK_MODEL_H
#define ASSENT_RISK_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/loop.h"
#include "risk/opinion.h"

enum model_dialect { MODEL_RESPONSES, MODEL_CHAT };

struct model_options {
    const char *url;     /* "https://host/v1"; the dialect's path is added when it is missing */
    const char *name;    /* of the model; "" switches the model off */
    const char *key;     /* sent as a bearer token; NULL for none */
    const char *ca_file; /* NULL: the system's certificates */
    enum model_dialect dialect;
    bool stream;
    int64_t connect_ms, total_ms; /* of a question, waiting for its turn included */
    size_t concurrency;           /* questions under way at a time, at least 1 */
};

struct model_question {
    const char *const *argv;
    const char *line; /* the command as a shell line */
    const char *cwd;
    const char *sandbox;      /* "workspace-write (network off)" */
    const char *const *roots; /* directories that it may write to, NULL-terminated; may be NULL */
    const char *failure;      /* why the sandbox stopped a first attempt, NULL for none */
};

struct model;

/* Called once for each question, at once when the answer is known, else from the loop. */
typedef void model_done(void *argument, const struct opinion *opinion);

/* Everything in the options is copied. NULL with a message for options that cannot be used: a
 * plain http address of another machine, a bad URL. */
struct model *model_new(struct loop *loop, const struct model_options *options,
                        struct error *error);
void model_free(struct model **model); /* questions that are open end without a word */

void model_ask(struct model *model, const struct model_question *question, model_done *done,
               void *argument);

/* The key: of the variable `variable` of the environment, else the first line of `file`, which must
 * belong to this user and be readable by nobody else. Either may be NULL or "". Caller frees; NULL
 * when none is configured (error without a message) or it cannot be had (with one). */
char *model_read_key(const char *variable, const char *file, struct error *error);

#endif
