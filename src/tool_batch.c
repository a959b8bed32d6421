/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tool_batch.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/strbuf.h"

/* A line without its newline; false at the end. What is longer than the limit is passed over. */
static bool read_line(FILE *file, struct strbuf *line, bool *too_long)
{
    int byte;
    strbuf_reset(line);
    *too_long = false;
    while ((byte = getc_unlocked(file)) != EOF && byte != '\n') {
        *too_long = line->length >= TOOL_BATCH_LINE_MAX;
        if (!*too_long)
            strbuf_addch(line, (char)byte);
    }
    return byte != EOF || line->length > 0;
}

static json_t *read_question(const struct strbuf *line, struct error *error)
{
    json_error_t cause;
    json_t *question =
        json_loadb(strbuf_str(line), line->length, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &cause);
    if (!question) {
        error_set(error, 0, "not JSON: %s", cause.text);
    } else if (!json_is_object(question)) {
        error_set(error, 0, "expected an object");
        json_decref(question);
        question = NULL;
    }
    return question;
}

static int write_answer(const json_t *question, const json_t *answer, const struct error *error)
{
    cleanup_json json_t *line = json_object();
    json_t *id = json_object_get(question, "id");
    json_object_set_new(line, "id", id ? json_incref(id) : json_null());
    if (answer)
        json_object_update(line, (json_t *)answer);
    else
        json_object_set_new(line, "error", json_string(error->message));
    cleanup_free char *text = json_line(line);
    return puts(text) == EOF ? -1 : 0;
}

int tool_batch_run(tool_batch_answer *answer, void *argument, struct error *error)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    bool too_long;
    int result = 0;
    while (result == 0 && read_line(stdin, &line, &too_long)) {
        struct error cause = ERROR_INIT;
        if (line.length == 0)
            continue;
        cleanup_json json_t *question = NULL;
        cleanup_json json_t *said = NULL;
        if (too_long)
            error_set(&cause, 0, "the line is too long");
        else
            question = read_question(&line, &cause);
        if (question)
            said = answer(argument, question, &cause);
        result = write_answer(question, said, &cause);
    }
    if (ferror(stdin))
        return error_errno(error, errno, "cannot read standard input");
    if (result < 0 || fflush(stdout) != 0)
        return error_errno(error, errno, "cannot write standard output");
    return 0;
}
