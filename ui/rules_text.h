/* SPDX-License-Identifier: MIT */
/* rules_text: the rules in force, and what the record says that each of them did, in words. */
#ifndef ASSENT_UI_RULES_TEXT_H
#define ASSENT_UI_RULES_TEXT_H

#include <stdbool.h>

#include "approval/orchestrator.h"
#include "ui/console_hooks.h"
#include "ui/document.h"

struct rules_text {
    const struct orchestrator *orchestrator;
    const struct console_hooks *hooks;
    void *lab; /* a reading of what they did that hooks->lab has begun; NULL: there is none */
    bool read; /* all of it */
};

/* What a rule is about, without how files say it: "https://example.org:443", "make test"; safe to
 * show, caller frees. */
char *rules_text_subject(const char *line);
/* The same for a list, where a host stands beside commands: "connect to https://example.org". */
char *rules_text_line(const char *line);
/* The same with whether it leaves the sandbox, and how much of it is left open, as it was offered:
 * "make test|clean (these tasks, and any further words)". */
char *rules_text_made(const char *line);
void rules_text_fill(struct document *document, const struct rules_text *text);

#endif
