/* SPDX-License-Identifier: MIT */
/* refusal: who refused a call or what it asked for, in words for the agent. */
#ifndef ASSENT_AGENTS_REFUSAL_H
#define ASSENT_AGENTS_REFUSAL_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

/* Of the member "decision" of a result (doc/control-socket.md), NULL included. Static English text,
 * for _() where a person reads it. */
const char *refusal_by(const json_t *decision);
/* That the operator let it run in the sandbox, which it asked to leave; NULL when that is not so.
 * Of a result; the text as above. */
const char *refusal_to_leave(const json_t *result);
/* That it found nobody on localhost, which is its own, and what can be done about that; NULL when
 * that is not so. Of a result; the text as above. */
const char *refusal_by_localhost(const json_t *result);
/* That git says that a push failed, though the command ended well; NULL when that is not so. Of a
 * result; the text as above, to be followed by the member "push_stopped". */
const char *refusal_to_push(const json_t *result);
/* The names in its listing that are there only while it runs, ", " between, for who has not been
 * told before; NULL when there are none. Of a result; not escaped. Caller frees. */
char *refusal_of_names(const json_t *result);
/* Whether it was the operator, and no configuration, who refused the `index`th host of the member
 * "unreached" of a result. */
bool refusal_of_host_by_operator(const json_t *result, size_t index);

#endif
