/* SPDX-License-Identifier: MIT */
/*
 * effects: what programs do to the world, from the tables in effects/ (the README there says how
 * they are written): a program with a subcommand and options, the level and categories of what it
 * then does, what its operands are, and a phrase.
 */
#ifndef ASSENT_RISK_EFFECTS_H
#define ASSENT_RISK_EFFECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "risk/assessment.h"
#include "risk/phrase.h"

enum effect_place {
    EFFECT_NOWHERE,
    EFFECT_READS,      /* operands are files that it reads */
    EFFECT_WRITES,     /* operands are files that it writes */
    EFFECT_MOVES,      /* the last operand is written, the others are read */
    EFFECT_CONNECTS,   /* operands are addresses: a level lower when all are of this machine */
    EFFECT_REPOSITORY, /* only a repository's configuration says where it is: perhaps here */
};

struct effect {
    const char *program;
    const char *path;      /* words of the subcommand, "" for any */
    const char *condition; /* "" for none */
    int kind;              /* enum risk_level, or what the options in `condition` take */
    unsigned categories;
    enum effect_place place;
    enum phrase phrase;
};

/* A file that is named by the value of an option. */
struct effect_file {
    size_t word;
    const char *path; /* in that word */
    bool output;
};

/* A command's words, sorted into options and operands by what the tables know of the program. */
struct effect_reading {
    const char *const *words;
    size_t count;
    const struct effect *first, *end; /* the program's entries */
    const struct effect *any_end;     /* of them, from the first to here those for any subcommand */
    const struct effect *named, *named_end; /* and those whose subcommand begins like this one */
    size_t *operands;                       /* indices of words; owned */
    size_t operand_count;
    struct effect_file *files; /* owned */
    size_t file_count;
    unsigned char takes[128]; /* short options that take a value */
    bool brief;               /* the beginning of a long option stands for it */
};

#define EFFECTS_FOUND_MAX 6

struct effects_found {
    const struct effect *effects[EFFECTS_FOUND_MAX]; /* the worst first */
    size_t count;                                    /* 0: the program is not listed */
};

/* Reads `count` > 0 words; the program goes by the last part of its path. The words are borrowed.
 * Free the content with effects_clear(). */
void effects_read(const char *const *words, size_t count, struct effect_reading *reading);
void effects_clear(struct effect_reading *reading);

/* What the tables say of these words. */
void effects_find(const struct effect_reading *reading, struct effects_found *found);

/* The value of a short or long option ("-X", "--request"; also abbreviated, "--req", where the
 * program takes that), attached or in the next word, as the reading's program takes it: NULL when
 * it is not there. */
const char *effects_option(const struct effect_reading *reading, const char *option);
/* The same for each that is there: looks from the word `*at` on, 0 to begin, and moves it on. */
const char *effects_next_option(const struct effect_reading *reading, const char *option,
                                size_t *at);
bool effects_has_option(const struct effect_reading *reading, const char *option);

/* Is there an entry for the program at all? */
bool effects_knows(const char *program);

/* May the program run words that stand behind it as another program: is it one that does, or one
 * that is not listed? Wrappers that wrapper.h looks through do not count. */
bool effects_may_launch(const char *path);

/* Does `text` fit the pattern, in which * stands for any text? */
bool effects_fits(const char *pattern, size_t length, const char *text);

#endif
