/* SPDX-License-Identifier: MIT */
/* inbox_steps: what tests of the list of all requests do to it. */
#ifndef ASSENT_TESTS_INBOX_STEPS_H
#define ASSENT_TESTS_INBOX_STEPS_H

#include "tui.h"

#define F9 "\x1b[20~"

/* A second one, called claude. */
struct session *inbox_other_agent(struct tui *tui);
/* It asks for that, with low risk. */
struct call *inbox_request_by(struct tui *tui, struct session *agent, const char *line);
/* A request that is offered a rule for "touch" and `words`. */
struct call *inbox_request_with_rule(struct tui *tui, const char *line, const char *words);
/* A command wants to reach that host. */
struct call *inbox_request_host(struct tui *tui, const char *host);
/* The list, with its guard time over. */
void inbox_open(struct tui *tui);
/* Was that prompt answered so? */
bool inbox_decided(const struct tui *tui, uint64_t prompt, enum review_kind kind);
/* Clicks on the first place of the screen that has that text. */
void inbox_click(struct tui *tui, const char *text);

#endif
