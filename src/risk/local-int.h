/* SPDX-License-Identifier: MIT */
/*
 * local-int: what the parts of the built-in assessor share.
 *
 *   local          the line: its nodes, redirections, what they are together
 *   local_note     what is found
 *   local_words    words as they will be: variables and substitutions whose values can be told
 *   local_command  one command: what the tables say of it, and where its files are
 *   local_carried  commands among the words of another, and in its lines
 *   local_download files that are fetched, and run later
 *   local_push     what a push takes away where it goes
 *   local_assignment  NAME=VALUE in front of a command
 *   local_format   files that are named with their format in front
 *   local_special  programs whose operands are a language of their own, or programs
 *   local_subject  … or files and settings that mean more than others
 *   local_tree     … or put whole trees of files somewhere
 *   local_script   what is run in turn: scripts, code, here-documents
 */
#ifndef ASSENT_RISK_LOCAL_INT_H
#define ASSENT_RISK_LOCAL_INT_H

#include <stdbool.h>
#include <stddef.h>

#include "command/shell.h"
#include "command/shell_tree.h"
#include "risk/assessment.h"
#include "risk/effects.h"
#include "risk/phrase.h"
#include "risk/place.h"

#define LOCAL_NESTING_MAX 5
#define LOCAL_VARIABLES_MAX 64
#define LOCAL_DOWNLOADS_MAX 8

struct variable {
    char *name, *value;
    bool several; /* that is the first of more */
};

/* Where a line has gone to. */
struct going {
    char *directory; /* by the last cd that says where; NULL: where it was started */
    bool astray;     /* another has led where nothing tells */
};

/* What is known of a line as a whole, also by the scripts in it. */
struct knowledge {
    struct variable variables[LOCAL_VARIABLES_MAX];
    size_t variable_count;
    char *downloads[LOCAL_DOWNLOADS_MAX]; /* files that it fetches, as written */
    size_t download_count;
    struct going going;
    char **strings; /* texts that live as long as the assessment */
    size_t string_count;
    size_t scripts; /* that were read: each costs, and their number is bounded */
    size_t rests;   /* commands among other commands' words; likewise */
};

struct assessor {
    struct assessment *assessment;
    struct knowledge *known;
    const struct shell_tree *tree;
    const struct shell_script *script; /* the same, as far as it is understood */
    const struct shell_node *node;     /* which is judged; NULL before the first */
    const bool *downloads;             /* for each node: runs what is downloaded or decoded */
    const char *cwd;
    const char *const *roots;
    bool remote;       /* what is read runs on another machine */
    bool contained;    /* … or in a container of its own */
    unsigned nesting;  /* scripts in scripts; 0 is the line itself */
    size_t start, end; /* where a nested script stands in the line */
};

/* One thing that the line does. */
struct finding {
    enum risk_level level;
    unsigned categories;
    enum phrase phrase;
    size_t start, end;
    const char *object; /* what it is done to, or NULL */
};

/* The words of one command, wrappers passed. */
struct view {
    const struct shell_node *node;
    const char **words;
    size_t count;
    size_t first; /* index of words[0] among the node's words */
};

/* ---- local_note ------------------------------------------------------------------------------ */

void local_note(const struct assessor *assessor, struct finding finding);
/* `path`, as it is written, is written or deleted, and is there: a sandbox may be known to stop
 * that. */
void local_note_place(const struct assessor *assessor, const char *path, enum place place);
/* The word as it is named among others: "a, b" in quotes, so that it is not taken for two. Lives as
 * long as the assessment. */
const char *local_name_object(const struct assessor *assessor, const char *word);
/* Does words[index], the first operand, say how something is done and not to what: the mode of
 * chmod, the verb of systemctl? */
bool local_says_how(const struct view *view, size_t index);
/* A finding about all words of the view. */
void local_note_view(const struct assessor *assessor, const struct view *view,
                     enum risk_level level, unsigned categories, enum phrase phrase);
/* ---- local ----------------------------------------------------------------------------------- */

/* Keeps a string until the assessment is done, and hands it back. */
const char *local_keep(const struct assessor *assessor, char *string);
/* A file is written at `path`: what that means where it is. `start` and `end` are the word's. */
void local_note_written(const struct assessor *assessor, const char *path, size_t start,
                        size_t end);
/* The same of what is a file, or a directory to put one into: nobody says which. */
void local_note_target(const struct assessor *assessor, const char *path, size_t start, size_t end);
/* Reads a script that stands for bytes `start` to `end` of the text that the assessor reads. */
void local_read_script(const struct assessor *outer, const char *script, size_t length,
                       size_t start, size_t end, bool remote);
/* The same of what may be no script, and adds nothing unless it is of high risk as one. */
void local_read_guess(const struct assessor *outer, const char *script, size_t start, size_t end);

/* ---- local_going ----------------------------------------------------------------------------- */

/* Is there no link on the way, behind which ".." is not where it was entered from? What is not
 * there is no link. */
bool local_is_plain_directory(const struct assessor *assessor, const char *directory);
/* A cd to there, or to a directory of which nothing tells where it is ("", "-", "$x"). */
void local_go(const struct assessor *assessor, const char *directory);
/* A relative path as one from where the line was started. The caller frees. */
char *local_from_here(const struct assessor *assessor, const char *path);
/* Where the path is, as something that is written; the worse where the line may have gone to
 * another directory, or not. */
enum place local_place(const struct assessor *assessor, const char *path);
/* Does nothing leave open which path that is? And is it in such a place, wherever the line has gone
 * to? */
bool local_path_is_sure(const struct assessor *assessor, const char *path);
bool local_place_is_sure(const struct assessor *assessor, const char *path);
/* As place_is_beyond(), wherever the line has gone to. */
bool local_is_beyond(const struct assessor *assessor, const char *path);

/* ---- local_words ----------------------------------------------------------------------------- */

/* The word with what can be told of its expansions put in; `*open` when something is left that
 * cannot. Lives as long as the assessment. */
const char *local_resolve(const struct assessor *assessor, const struct shell_word *word,
                          bool *open);
/* NAME=VALUE was met. */
void local_set_variable(const struct assessor *assessor, const char *assignment);
/* … and it stands for each of some, `several` for more than that one. */
void local_set_loop_variable(const struct assessor *assessor, const char *name, const char *value,
                             bool several);
/* Does the word name such a one? */
bool local_is_one_of_several(const struct assessor *assessor, const struct shell_word *word);
/* What was met since there were `count` variables is not known any more. */
void local_forget_variables(const struct assessor *assessor, size_t count);
/* A command whose program is put together by expansions that can be told: reads it as it will be.
 * False when the name stays open. */
bool local_read_expanded(const struct assessor *assessor, const struct shell_node *node);
/* What the nodes that feed `node` print, when that stands in the script; NULL when not. Lives as
 * long as the assessment. */
const char *local_fed_text(const struct assessor *assessor, const struct shell_node *node,
                           size_t *length);

/* ---- local_command --------------------------------------------------------------------------- */

/* A simple command with words. */
void local_assess_words(const struct assessor *assessor, const struct shell_node *node);
/* What the program of the view does; for those that are given words to run, too. */
void local_assess_program(const struct assessor *assessor, const struct view *view);
/* The part of the view from its word `at` on, as a command of its own. */
void local_assess_rest(const struct assessor *assessor, const struct view *view, size_t at,
                       bool remote);

/* ---- local_push ------------------------------------------------------------------------------ */

/* How a `git push` takes away what others have pushed. */
enum phrase local_push_phrase(const struct view *view, const struct effect_reading *reading);

/* ---- local_download -------------------------------------------------------------------------- */

/* The view's program fetches: where it leaves what it fetches. */
void local_remember_downloads(const struct assessor *assessor, const struct view *view,
                              const struct effect_reading *reading);
/* Does it run what the line has fetched before? */
bool local_runs_download(const struct assessor *assessor, const struct view *view);

/* ---- local_assignment ------------------------------------------------------------------------ */

/* NAME=VALUE in front of a command, or exported. */
void local_assess_assignment(const struct assessor *assessor, const char *assignment,
                             const struct shell_word *word);

/* ---- local_carried --------------------------------------------------------------------------- */

/* What the view's program finds among its words, or in its input, and runs. */
void local_assess_carried(const struct assessor *assessor, const struct view *view);

/* ---- local_format ---------------------------------------------------------------------------- */

/* The file that a word names, of programs that take FORMAT:FILE; else the word. */
const char *local_file_named(const struct view *view, const char *word);

/* ---- local_special --------------------------------------------------------------------------- */

/* Looks at what the tables cannot say. True when that is all there is to say. */
bool local_assess_special(const struct assessor *assessor, const struct view *view,
                          const struct effect_reading *reading);

/* ---- local_script ---------------------------------------------------------------------------- */

/* bash -c SCRIPT, eval, ssh HOST SCRIPT, python -c CODE, here-documents and pipes into them. True
 * when the tables need not be asked about the program as well. */
bool local_assess_inner(const struct assessor *assessor, const struct view *view);
/* Code of that language, which stands for bytes `start` to `end` of what the assessor reads. */
void local_read_code(const struct assessor *assessor, char language, const char *code,
                     size_t length, size_t start, size_t end);
/* The script of a wrapper in front of a node's view: su -c, flock -c, env -S. */
void local_read_wrapped(const struct assessor *assessor, const struct view *view);

#endif
