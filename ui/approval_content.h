/* SPDX-License-Identifier: MIT */
/*
 * approval_content: what the operator is told about a request, in order and in words. Made from a
 * call once for each revision of its prompt; knows nothing of places or colours on the screen
 * beyond the element that each text is.
 */
#ifndef ASSENT_UI_APPROVAL_CONTENT_H
#define ASSENT_UI_APPROVAL_CONTENT_H

#include <stdbool.h>
#include <stddef.h>

#include "approval/call.h"
#include "ui/theme.h"

#define APPROVAL_FIELDS_MAX 14

struct approval_field {
    const char *label; /* our words, translated */
    char *text;        /* safe to show; owned */
    enum theme_element element;
    bool agent_words; /* a bar stands beside it */
    bool important;   /* is not shortened to make room */
};

struct approval_content {
    char *command;        /* safe to show, may hold newlines; owned */
    size_t command_bytes; /* length of the command itself */
    size_t replaced;      /* characters of command and directory that are shown as marks */
    bool look_alikes;     /* letters of several alphabets in a word */
    struct approval_field fields[APPROVAL_FIELDS_MAX];
    size_t count;
    enum risk_level risk;
    bool retry;
    char *prefix; /* what `p` would allow from now on, safe to show; NULL: not offered; owned */
    bool may_approve_for_session;
};

/* The call must be asking. `ascii`: the screen shows nothing else, so that every other character
 * becomes a mark, too. */
void approval_content_init(struct approval_content *content, const struct call *call, bool ascii);
void approval_content_clear(struct approval_content *content);
/* Does allowing it take a second key: high risk, or text that cannot be shown as it is. */
bool approval_content_needs_confirmation(const struct approval_content *content);

#endif
