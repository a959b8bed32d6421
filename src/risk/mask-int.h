/* SPDX-License-Identifier: MIT */
/* mask-int: what the parts of mask share: reading quotes, and the shapes of secrets. */
#ifndef ASSENT_RISK_MASK_INT_H
#define ASSENT_RISK_MASK_INT_H

#include <stdbool.h>
#include <stddef.h>

#include "risk/mask.h"

/* The text being looked at. */
struct view {
    const char *text;
    size_t length;
};

/* What a text is, and so how it is read. */
enum reading_kind {
    READING_COMMAND, /* for a shell: its outermost quotes are read as a shell does */
    READING_CODE,    /* in any language: a script in a word of a command, a patch */
    READING_WORD,    /* the same, but a word of a command that is data: literal, a $ is one */
    READING_TEXT,    /* output and prose: nothing that is run; each line is read by itself */
};

enum { READING_DEPTH = 8 };

/*
 * A place in a text, with the quotes that are open there. A mark is a quote as it is written: ', ",
 * \", '\'' … One that is open is closed by the same mark, with all that was opened within it.
 *
 * In a command marks[0] is a shell's own quote, whose end is known exactly, whatever is in it: a
 * script, JSON, another language. What is within is read by the same marks, which is a guess that
 * holds until something is met that languages read differently: then it is `guessed`, to the end of
 * that quote. Where even a shell's quotes are in doubt (a case in "$(…)", arithmetic that looks
 * like a here-document) the rest of the text is `lost`. A body is a quote without marks of its own:
 * a here-document, or all of a text that is no command.
 */
struct reading {
    const struct view *view;
    enum reading_kind kind;
    size_t at;
    unsigned char marks[READING_DEPTH];
    size_t opened[READING_DEPTH]; /* what each of them encloses begins here */
    unsigned depth;
    bool lost, guessed;
    bool word_start; /* at a shell's level: # begins a comment here */
    bool comment;    /* in one */
    bool dollar;     /* a $ is in front that may begin $'…' */
    bool arithmetic; /* "((" was met: neither # nor << are what they look like */
    bool runs;       /* at a shell's level: what this command is given is run as a script */
    bool mentions;   /* within: a name of such a command was met in this quote */
    bool strange;    /* within: what may begin a comment or a pattern was met in this line */
    size_t last_single, last_double; /* the last of each quote in the text; SIZE_MAX for none */
    size_t delimiter, width;         /* of the here-document whose body begins at the next line */
    bool strips, expands;            /* it is of "<<-"; its delimiter is not quoted */
    size_t body_end;                 /* of the body that is marks[0] */
    size_t no_user_until;            /* what begins before it has no NAME:PASSWORD */
};

void reading_start(struct reading *reading, const struct view *view, enum reading_kind kind);
/* Goes on by a character, an escape or a mark; not at the end of the text. Constant time but for
 * what is looked for ahead once in a text. */
void reading_step(struct reading *reading);
/* Are the quotes that are open here known, in every reading of the text? */
bool reading_sure(const struct reading *reading);
/* Is it in single quotes of a shell, opened at its own level? */
bool reading_literal(const struct reading *reading);
/* Is a command substitution here, which runs in spite of the quotes around it? */
bool reading_substitutes(const struct reading *reading);
/* Does a quote open here that is closed nowhere? */
bool reading_unclosed(const struct reading *reading);
/* Does what the quote encloses that is open here begin at a place? */
bool reading_begins(const struct reading *reading, size_t at);
/* Does a program, by its name, run what it is given as a script? */
bool reading_runs(const char *name, size_t length);
/* The width of the quote mark at a place as text, however it is escaped; 0 when there is none. */
size_t reading_mark_width(const struct view *view, size_t at);

/* Is a place, in the quote that the reading is in, in a word that a command runs as a script, as
 * that behind "bash -c"? Says yes in doubt. */
bool mask_is_script(const struct reading *reading, size_t at);
/* Is the next word one? */
bool mask_word_is_script(const struct mask_words *words);
/* Notes what the next word says of those behind it. */
void mask_note_program(struct mask_words *words);

bool mask_begins(const struct view *view, size_t at, const char *word);
/* Letters, digits, _ and -. */
bool mask_is_name(char character);
/* May a name begin here: nothing of one is in front, but the n of an escaped newline. */
bool mask_at_name(const struct view *view, size_t at);

/* A token or a private key that is known by its shape and begins here: where it ends; the place
 * itself when there is none. */
size_t mask_shape_end(const struct reading *reading);
/* Behind "://": where the password of an address begins and ends. */
bool mask_find_password(const struct reading *reading, size_t *start, size_t *end);
/* At a name or an option: where its value begins and ends. */
bool mask_find_value(struct reading *reading, size_t *start, size_t *end);
/* At an option that takes a password of the program that it is given to: where its value begins;
 * the place itself when there is none. *user: that is a secret only with a colon in it. */
size_t mask_option_end(const struct view *view, size_t at, bool *user);
/* Notes the program or the verb that the next word is. */
void mask_note_option(struct mask_words *words);
/* The same among words: is the next one, which is not the first, such a value, or holds one? */
bool mask_is_option_value(const struct mask_words *words);
/* Is the next word the value of the one before it, all of it? */
bool mask_takes_password(const struct mask_words *words);

#endif
