/* SPDX-License-Identifier: MIT */
/*
 * talk: a conversation on a terminal. What was said is printed and stays, as output does; below it
 * are what is being said, the line that the operator types, and a line of status.
 *
 * Texts are untrusted: they are made safe here. Writing blocks when nobody reads the terminal, and
 * so holds back whoever talks. Where input or output is no terminal, lines are read and printed as
 * they are.
 */
#ifndef ASSENT_UI_TALK_TALK_H
#define ASSENT_UI_TALK_TALK_H

#include <stddef.h>

#include "base/loop.h"

struct talk;

enum talk_voice {
    TALK_OPERATOR,
    TALK_AGENT, /* Markdown */
    TALK_THOUGHT,
    TALK_TOOL,
    TALK_NOTE, /* ours */
};

struct talk_setup {
    struct loop *loop;
    int input, output; /* borrowed */
    /* The operator has typed it, without the line end. */
    void (*line)(void *argument, const char *text);
    void (*cancel)(void *argument); /* Escape, or Ctrl-C with nothing typed */
    void (*ended)(void *argument);  /* Ctrl-D, or the end of the input; once */
    void *argument;
};

struct talk *talk_new(const struct talk_setup *setup);
/* Gives the terminal back. */
void talk_free(struct talk **talk);

/* A piece of what somebody says. Another voice begins a new line. */
void talk_say(struct talk *talk, enum talk_voice voice, const char *text, size_t length);
/* A whole line of it. */
void talk_line(struct talk *talk, enum talk_voice voice, const char *text);
/* Ends the line that is being said, if there is one. */
void talk_pause(struct talk *talk);
/* The status line. */
void talk_status(struct talk *talk, const char *text);

#endif
