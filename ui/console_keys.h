/* SPDX-License-Identifier: MIT */
/* console_keys: from the keyboard to who has it. Private to ui/. */
#ifndef ASSENT_UI_CONSOLE_KEYS_H
#define ASSENT_UI_CONSOLE_KEYS_H

#include <stdint.h>

struct console;

void console_keys_start(struct console *console);
void console_keys_stop(struct console *console);
/* How long no key may have come before one is an answer to what has just come up: the guard time,
 * or several of them where an agent took its question back while the operator wrote the answer, and
 * asked for something else: who writes on, and slowly, must not allow that by a letter. */
int64_t console_pause_ms(struct console *console);

#endif
