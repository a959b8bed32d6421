/* SPDX-License-Identifier: MIT */
/* plain_int: what the files of the plain console share. Private to them. */
#ifndef ASSENT_UI_PLAIN_INT_H
#define ASSENT_UI_PLAIN_INT_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "ui/approval_content.h"
#include "ui/approval_release.h"
#include "ui/desk.h"
#include "ui/keymap.h"
#include "ui/plain.h"
#include "ui/trail.h"
#include "ui/vigil.h"
#include "ui/wrap.h"

/* What the next line is taken for. */
enum plain_question {
    PLAIN_NOTHING, /* for a command */
    PLAIN_ANSWER,
    PLAIN_YES,     /* the word that allows what is risky */
    PLAIN_MESSAGE, /* words to the agent with a denial */
    PLAIN_WORDS,   /* the answer to a question */
    PLAIN_COMMAND, /* another command in place of the one that is asked about */
};

struct plain {
    struct plain_setup setup;
    struct loop_io *input_io, *output_io;
    struct loop_turn *turn;
    struct vigil *vigil;
    struct plain_reminder *reminder;
    struct plain_check *check;
    struct trail *trail;
    size_t calls_before;         /* on the record of the console that this one went on from */
    struct plain_record *record; /* what is read of it now, or was last; NULL: nothing */
    int output;                  /* ours: writing to it never waits */
    struct strbuf unsent;        /* from `sent` on */
    size_t sent;
    struct strbuf line;        /* of input, not whole yet */
    struct strbuf output_line; /* of `output_call`'s output, not whole yet */
    uint64_t output_call;
    bool ascii; /* the locale knows nothing else */

    enum plain_question question;
    uint64_t call, prompt; /* that is asked about, 0: none */
    unsigned revision;
    uint64_t git_told; /* the prompt of which it has been said what git says of its commits */
    char *sentence;    /* that asks for more than an answer: the word, words; NULL: an answer */
    bool whole;        /* its command has been printed to its end */
    bool scripts_read; /* and so have the files that it runs outside the sandbox */
    struct rule_choice choice;             /* of the rules that are offered */
    struct approval_release release_by[2]; /* as printed: for the session, with the rule */
    enum action armed;                     /* waits for the word */
    struct approval_ends ends;             /* with armed ACTION_ABORT: what would end, as said */
    size_t offer;       /* with armed ACTION_OFFERS: which of the agent's own answers */
    struct lease lease; /* of that answer */
    bool path_lasts;    /* … or: it gives the path for the session */
    bool secret;        /* what the line is to hold is not to be seen */
    bool hidden;        /* the terminal shows nothing of what is typed */
    int64_t asked_ms;   /* when all of the question had been printed; -1: not yet */
    int64_t sent_ms;    /* when all that was printed had been taken by the terminal; -1: not yet */
    uint64_t wanted;    /* the prompt that is to be asked about next; 0: the oldest */
    uint64_t *aside;    /* prompts that were put aside */
    size_t aside_count;
    bool quit_confirm, quitting;
    struct desk_question stop_question; /* the agent that is to be stopped */
};

/* A line of ours; text of others in it has been made safe. */
void plain_say(struct plain *plain, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line of others' words, made safe, with the bar before it that says so. */
void plain_quote(struct plain *plain, const char *text, size_t length, enum wrap_mode mode);
/* A line that stays in the trail; made safe here. */
void plain_tell(struct plain *plain, enum theme_element element, const char *text);
/* From now on lines are for this; what has been typed so far is thrown away. */
void plain_ask(struct plain *plain, enum plain_question question);
/* The same, saying first what is asked for. */
void plain_ask_for(struct plain *plain, enum plain_question question, const char *sentence);
void plain_quit(struct plain *plain, int status);

/* ---- plain_document.c */
/* Prints it and frees what it holds. All of it has been seen then. */
void plain_show(struct plain *plain, const char *title, struct document *text);

/* ---- plain_print.c */
/* The request that is asked about, with its command to the end (`all`) or as far as fits. */
void plain_print_request(struct plain *plain, const struct call *call, bool all);
/* Everything about it, as the full view on a screen. */
void plain_print_details(struct plain *plain, const struct call *call);
/* What is asked, in a few lines: the command's first one, and the answers that there are. */
void plain_print_question(struct plain *plain, const struct call *call);
/* The answers alone. */
void plain_print_keys(struct plain *plain, const struct call *call);
/* Words of its content; approval_content_clear() them. */
void plain_content(const struct plain *plain, const struct call *call,
                   struct approval_content *content);
/* What else the answers would allow, as it is now. */
void plain_releases(const struct plain *plain, const struct approval_content *content,
                    struct approval_release release_by[2]);

/* ---- plain_request.c */
/* Once a turn: the request that is asked about, if there is one. */
void plain_request_follow(struct plain *plain);
/* The call that is asked about; NULL: none is, or the next turn will say that it has changed or
 * gone. */
struct call *plain_request_asked(const struct plain *plain);
bool plain_request_is_aside(const struct plain *plain, uint64_t prompt);
void plain_request_put_aside(struct plain *plain, uint64_t prompt);
/* The next turn asks about that one, whichever is asked about now. */
void plain_request_want(struct plain *plain, uint64_t prompt);

/* ---- plain_answer.c */
/* The answer to the request that is asked about, with words to its agent or NULL. */
void plain_answer_hand_in(struct plain *plain, enum review_kind kind, const char *message);
/* … which has waited: not where it would allow other requests by now than were told. */
void plain_answer_checked(struct plain *plain, const struct call *call, enum review_kind kind);

/* ---- plain_check.c: a yes to what git has told waits for what it says now */
struct plain_check *plain_check_new(struct plain *plain);
void plain_check_free(struct plain_check **check);
/* Does that answer wait? Then it is handed in later. */
bool plain_check_first(struct plain_check *check, const struct call *call, enum review_kind kind);
/* Once a turn, behind plain_request_follow(). */
void plain_check_follow(struct plain_check *check);
/* Takes back what waits. */
void plain_check_drop(struct plain_check *check);

/* ---- plain_remind.c: what other lines push out of sight is asked again */
struct plain_reminder *plain_reminder_new(struct plain *plain);
void plain_reminder_free(struct plain_reminder **reminder);
/* A line was printed, or the question was. */
void plain_reminder_line(struct plain_reminder *reminder);
void plain_reminder_asked(struct plain_reminder *reminder);
/* Once a turn: who has come to wait behind the request that is asked about. */
void plain_reminder_follow(struct plain_reminder *reminder);

/* ---- plain_answer.c */
/* A line while one is asked about. */
void plain_answer_line(struct plain *plain, char *line);

/* ---- plain_record.c: what takes a while to be read */
void plain_record_show(struct plain *plain, const char *argument);    /* :log */
void plain_record_rules(struct plain *plain);                         /* :rules */
void plain_record_suggest(struct plain *plain, const char *argument); /* :suggest */
void plain_record_end(struct plain *plain);

/* ---- plain_command.c */
/* Without the colon, as it comes to mind at a bare prompt. */
bool plain_asks_for_help(const char *line);
void plain_command_line(struct plain *plain, const char *line);

#endif
