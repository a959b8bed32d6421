/* SPDX-License-Identifier: MIT */
/*
 * attention: tells an operator who looks elsewhere that something waits for an answer: the
 * terminal's bell when a request comes, and its title, which window lists and tabs show.
 */
#ifndef ASSENT_UI_ATTENTION_H
#define ASSENT_UI_ATTENTION_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/screen.h"

struct attention {
    bool on;
    char name[512]; /* of the project, safe to show in a title */
    size_t waiting; /* as the title says it */
    bool shown;     /* there is a title of ours */
};

/* `directory` is the project's; its last part is what the title calls it. */
void attention_init(struct attention *attention, bool on, const char *directory);
/* So many requests wait now. True when there are more than before: it should be heard. */
bool attention_update(struct attention *attention, struct screen *screen, size_t waiting);

#endif
