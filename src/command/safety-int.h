/* SPDX-License-Identifier: MIT */
/*
 * safety-int: what the parts of the known-safe list share.
 *
 *   parts            whole commands and scripts
 *   safety_programs  the list: programs with the options that are harmless
 *   safety_help      interpreters and others that are asked only about themselves
 *   safety_git       the subcommands of git
 *   safety_language  programs whose words are a language: find, sed, awk, jq, test, xxd
 *   safety_path      where a word may lead
 */
#ifndef ASSENT_COMMAND_SAFETY_INT_H
#define ASSENT_COMMAND_SAFETY_INT_H

#include "command/safety.h"
#include "command/shell_tree.h"

/* The words of one command. */
struct safety_words {
    const char *const *argv;        /* NULL-terminated */
    const struct shell_word *marks; /* of a script: one for each word; NULL when all is literal */
    const struct safety_context *context;
};

/* What stands where no option does. */
enum safety_operands {
    OPERANDS_PATHS,         /* files that are read */
    OPERANDS_FILES,         /* the same; of a directory it would read what links in it lead to */
    OPERANDS_PATTERN_PATHS, /* a pattern, then files */
    OPERANDS_TEXT,          /* anything: it is only printed */
    OPERANDS_WORDS,         /* the same, and no word is an option that matters */
    OPERANDS_NONE,
    OPERANDS_FORMAT,    /* "+…": date would set the clock otherwise */
    OPERANDS_NAMES,     /* names of programs or revisions: no path at all */
    OPERANDS_NUMBERS,   /* digits, a point and one letter */
    OPERANDS_PROCESSES, /* "aux" and numbers; not "e", which shows environments */
};

/* How a program reads short options that stand in one word: its own way may take another word for
 * a value than getopt would, and what we passed over would be an option or a file that is written.
 */
enum safety_clusters {
    CLUSTERS_GETOPT = 0, /* the last may have a value, in the same word or in the next */
    CLUSTERS_FIRST = 64, /* only the first may; a number stands alone */
    CLUSTERS_APART = 128 /* what has a value ends the word, and the next is the value */
};

/* One program: short options without value, those with a harmless value, long ones (space
 * separated, "name=" with a value). Options that write, run, follow links out of the workspace or
 * name a further file are left out, and what is left out is not safe. */
struct safety_program {
    const char *name;
    const char *flags;
    const char *valued;
    const char *longs;
    unsigned operands; /* enum safety_operands | enum safety_clusters */
};

/* ---- safety_path ----------------------------------------------------------------------------- */

/* The file that an absolute path leads to, all links resolved, also when its end is not there yet.
 * NULL when that cannot be said: behind a link that leads each process elsewhere (physical.h), and
 * behind one to what is not there, for a command has a /tmp of
 * its own and may find something, and with ".." behind what is not there. Caller frees. */
char *safety_path_behind(const char *path);
/* May what lies at this absolute path, all links resolved, be read unasked? */
bool safety_path_readable(const char *physical, const struct safety_context *context);
/* The same for word `index`, which names a file or might: every file that it stands for, when it
 * is a file name pattern. One that names nothing reads nothing, if it cannot lead out of the
 * workspace either. */
bool safety_path_word(const struct safety_words *words, size_t index);
/* Does a part of the path name what holds secrets? */
bool safety_path_is_secret(const char *path);
/* The same for text that is no word of its own. */
bool safety_path_text(const char *path, const struct safety_context *context);
/* Is it a file name pattern? */
bool safety_path_is_pattern(const struct safety_words *words, size_t index);

/* ---- parts ----------------------------------------------------------------------------------- */

/* Is argv[0] an installed program, known, and are all its words harmless? */
bool safety_installed_judge(const struct safety_words *words);

/* ---- safety_programs ------------------------------------------------------------------------- */

/* Is the program known, and are all its words harmless? `name` is its basename. */
bool safety_programs_judge(const char *name, const struct safety_words *words);
/* argv[0] is the program (or a subcommand) that the line describes. */
bool safety_programs_words(const struct safety_program *program, const struct safety_words *words);
/* The line of that name among `count`, or NULL. */
const struct safety_program *safety_programs_find(const struct safety_program *list, size_t count,
                                                  const char *name);

/* ---- safety_help ----------------------------------------------------------------------------- */

/* Is it only asked for its version, for help, or whether a file is code? */
bool safety_help_judge(const char *name, const struct safety_words *words);

/* ---- safety_git, safety_language ------------------------------------------------------------- */

bool safety_git_judge(const struct safety_words *words);
/* Does the repository that git finds at `root` (absolute), or above it, configure nothing that git
 * would run while it reads? */
bool safety_git_runs_nothing(const char *root);
/* Does git check signatures for this format, and so start the program that they ask for? */
bool safety_git_checks_signatures(const char *format);
bool safety_language_command(const struct safety_words *words);
bool safety_language_find(const struct safety_words *words);
bool safety_language_sed(const struct safety_words *words);
bool safety_language_awk(const struct safety_words *words);
bool safety_language_jq(const struct safety_words *words);
bool safety_language_test(const struct safety_words *words);
bool safety_language_xxd(const struct safety_words *words);

#endif
