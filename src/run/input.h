/* SPDX-License-Identifier: MIT */
/* input: bytes on their way to a command, through a descriptor that must not block. */
#ifndef ASSENT_RUN_INPUT_H
#define ASSENT_RUN_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/loop.h"

struct input;

#define INPUT_QUEUE_MAX ((size_t)4 * 1024 * 1024)

/* Owns `fd` (non-blocking). `terminal`: the end of input is a character, not a close. */
struct input *input_new(struct loop *loop, int fd, bool terminal);
void input_free(struct input **input);

/* 0, -EAGAIN when less than `length` of INPUT_QUEUE_MAX is free (nothing is taken), -EPIPE after
 * the end, or when nobody reads any more. */
int input_write(struct input *input, const char *bytes, size_t length);
void input_end(struct input *input);

#endif
