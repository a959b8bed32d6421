/* SPDX-License-Identifier: MIT */
/* console_keys: from the keyboard to who has it. Private to ui/. */
#ifndef ASSENT_UI_CONSOLE_KEYS_H
#define ASSENT_UI_CONSOLE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/input.h"
#include "ui/keymap.h"

struct console;

void console_keys_start(struct console *console);
void console_keys_stop(struct console *console);
/* The key that is being read came with others, as in a text that the terminal hands on, and that
 * action decides: it is not for those. The brake alone holds all the same, but is not let go. */
bool console_burst_refuses(const struct console *console, enum action action);
/* What is said then. */
const char *console_burst_words(void);
/* … in a box that is written in: the text is taken, the key behind it is not. */
const char *console_burst_text_words(void);
/* A colon begins a command also over what is read or asked, where that has no other use for it:
 * that closes, and the line is typed. */
bool console_begins_command(const struct input_event *event);
/* Begins it at the prompt line. */
void console_begin_line(struct console *console, const struct input_event *colon);

#endif
