/* SPDX-License-Identifier: MIT */
/*
 * form: questions of an agent or a tool server that are answered by words, one after the other: the
 * fields of an elicitation (https://modelcontextprotocol.io, "Elicitation") or a list of questions.
 * What is answered is text of the operator; nothing is ever filled in by itself. An empty line
 * takes the field's own default, which is shown, or leaves out what is not required.
 */
#ifndef ASSENT_AGENTS_DRIVE_FORM_H
#define ASSENT_AGENTS_DRIVE_FORM_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"

struct form;

/* The fields of a schema (an object of strings, numbers, booleans, enumerations of which one or
 * several are chosen). NULL with a message when it wants something else. */
struct form *form_from_schema(const char *message, const json_t *schema, struct error *error);
/* Questions {id, question, options [{label}]}. */
struct form *form_from_questions(const json_t *questions, struct error *error);
void form_free(struct form **form);

/* What to ask now, with its choices numbered: untrusted text, valid until the next answer. NULL
 * once all was answered. */
const char *form_question(struct form *form);
/* Is the answer to that a password or the like, which is shown and recorded nowhere? By the field's
 * format, or its name or words. */
bool form_is_secret(const struct form *form);
/* Takes the operator's line. False when it does not fit: the question stands, and says so. */
bool form_answer(struct form *form, const char *line);
/* The answers by field: what the schema calls for, or strings. New reference. */
json_t *form_content(const struct form *form);

#endif
