/* SPDX-License-Identifier: MIT */
/* overlay_help: every key and every command of the console, made from their tables. */
#ifndef ASSENT_UI_OVERLAY_HELP_H
#define ASSENT_UI_OVERLAY_HELP_H

struct console;

void overlay_help_show(struct console *console);
/* The commands alone. */
void overlay_help_commands(struct console *console);

#endif
