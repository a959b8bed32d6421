/* SPDX-License-Identifier: MIT */
/* halt_steps: what tests of stopping agents have in common. */
#ifndef ASSENT_TESTS_TUI_HALT_STEPS_H
#define ASSENT_TESTS_TUI_HALT_STEPS_H

#include "tui.h"

#define F7 "\x1b[18~"
#define F2 "\x1bOQ"
#define F4 "\x1bOS"
#define F8 "\x1b[19~"
#define F9 "\x1b[20~"
#define F10 "\x1b[21~"

/* A command of a client that calls itself so, and is one of those processes; it runs. */
struct call *halt_ask_from(struct tui *tui, struct session *session, const char *name, pid_t tree);
/* … of unknown ones. */
struct call *halt_ask_as(struct tui *tui, struct session *session, const char *name);

#endif
