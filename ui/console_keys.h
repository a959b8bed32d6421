/* SPDX-License-Identifier: MIT */
/* console_keys: from the keyboard to who has it. Private to ui/. */
#ifndef ASSENT_UI_CONSOLE_KEYS_H
#define ASSENT_UI_CONSOLE_KEYS_H

#include <stdint.h>

struct console;

void console_keys_start(struct console *console);
void console_keys_stop(struct console *console);

#endif
