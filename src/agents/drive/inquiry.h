/* SPDX-License-Identifier: MIT */
/* inquiry: a form on its way through the console, one question for each of its fields. */
#ifndef ASSENT_AGENTS_DRIVE_INQUIRY_H
#define ASSENT_AGENTS_DRIVE_INQUIRY_H

#include <jansson.h>
#include <stdbool.h>

#include "agents/drive/asker.h"
#include "agents/drive/form.h"

struct inquiry;

/* Asks what the form asks; takes the form. `cwd` is the agent's. `done` is called once, never from
 * inside this function: with the answers by field, or (NULL) why there are none; `stop`: the
 * operator stops the agent's work. The inquiry is gone then. */
struct inquiry *inquiry_start(struct asker *asker, struct form *form, const char *cwd,
                              void (*done)(void *argument, const json_t *content, bool stop,
                                           const char *why),
                              void *argument);
/* An elicitation of mode "url": the operator is to open a page themselves; yes says that they do.
 */
bool inquiry_is_url(const json_t *elicitation);
/* Parameters of call/start for that, of {message, url}; NULL with a message. */
json_t *inquiry_url_params(const json_t *elicitation, const char *cwd, struct error *error);
/* Takes the open question back; `done` is not called. Clears the pointer; NULL inside is allowed.
 */
void inquiry_drop(struct inquiry **inquiry);

#endif
