/* SPDX-License-Identifier: MIT */
/* plain_int: what the files of the plain console share. Private to them. */
#ifndef ASSENT_UI_PLAIN_INT_H
#define ASSENT_UI_PLAIN_INT_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "ui/keymap.h"
#include "ui/plain.h"
#include "ui/vigil.h"

/* What the next line is taken for. */
enum plain_question {
    PLAIN_NOTHING, /* for a command */
    PLAIN_ANSWER,
    PLAIN_YES,     /* the word that allows what is risky */
    PLAIN_MESSAGE, /* words to the agent with a denial */
    PLAIN_WORDS,   /* the answer to a question */
};

struct plain {
    struct plain_setup setup;
    struct loop_io *input_io, *output_io;
    struct loop_turn *turn;
    struct vigil *vigil;
    int output;           /* ours: writing to it never waits */
    struct strbuf unsent; /* from `sent` on */
    size_t sent;
    struct strbuf line;        /* of input, not whole yet */
    struct strbuf output_line; /* of `output_call`'s output, not whole yet */
    uint64_t output_call;
    bool ascii; /* the locale knows nothing else */

    enum plain_question question;
    uint64_t call, prompt; /* that is asked about, 0: none */
    unsigned revision;
    bool whole;         /* its command has been printed to its end */
    enum action armed;  /* waits for the word */
    size_t offer;       /* with armed ACTION_OFFERS: which of the agent's own answers */
    struct lease lease; /* of that answer */
    bool secret;        /* what the line is to hold is not to be seen */
    bool hidden;        /* the terminal shows nothing of what is typed */
    int64_t asked_ms;   /* when all of the question had been printed; -1: not yet */
    uint64_t *aside;    /* prompts that were put aside */
    size_t aside_count;
    bool quit_confirm, quitting;
};

/* A line of ours; text of others in it has been made safe. */
void plain_say(struct plain *plain, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* From now on lines are for this; what has been typed so far is thrown away. */
void plain_ask(struct plain *plain, enum plain_question question);
void plain_quit(struct plain *plain, int status);

/* ---- plain_request.c */
/* Once a turn: the request that is asked about, if there is one. */
void plain_request_follow(struct plain *plain);
/* A line while one is asked about. */
void plain_request_line(struct plain *plain, char *line);
void plain_request_put_aside(struct plain *plain, uint64_t prompt);

/* ---- plain_command.c */
void plain_command_line(struct plain *plain, const char *line);

#endif
