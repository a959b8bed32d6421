/* SPDX-License-Identifier: MIT */
/* overlay_help: every key and every command of the console, made from their tables. */
#ifndef ASSENT_UI_OVERLAY_HELP_H
#define ASSENT_UI_OVERLAY_HELP_H

#include <stdbool.h>

#include "ui/keymap.h"

struct console;

/* All of it, beginning with the keys of where the operator is. */
void overlay_help_show(struct console *console, enum keymap_context here);
/* The same from a request: keys that it does not offer now stand apart. */
void overlay_help_request(struct console *console,
                          bool (*offers)(const void *argument, enum action action),
                          const void *argument);
/* The commands alone. */
void overlay_help_commands(struct console *console);
/* What the configuration calls the keys' actions. */
void overlay_help_keys(struct console *console);
/* What somebody has to know who has never seen the console; a request takes its place at once. */
void overlay_help_introduce(struct console *console);

#endif
