/* SPDX-License-Identifier: MIT */
/* console_mouse: what the mouse does while it is the console's, not that of a program in a pane. */
#ifndef ASSENT_UI_CONSOLE_MOUSE_H
#define ASSENT_UI_CONSOLE_MOUSE_H

struct console;
struct input_mouse;

void console_mouse(struct console *console, const struct input_mouse *mouse);

#endif
