/* SPDX-License-Identifier: MIT */
/*
 * shell_tree-int: what the parts of the reader share.
 *
 *   shell_source       characters, line continuations, places in the script
 *   shell_word         words and their quotes
 *   shell_expansion    $ and backquotes in them
 *   shell_parenthesis  where "((" ends
 *   shell_heredoc      here-documents
 *   shell_level        the nodes and frames of one list of commands
 *   shell_redirect     redirections
 *   shell_keyword      compound commands
 *   shell_grammar      commands and operators
 */
#ifndef ASSENT_COMMAND_SHELL_TREE_INT_H
#define ASSENT_COMMAND_SHELL_TREE_INT_H

#include "base/strbuf.h"
#include "command/shell_tree.h"

#define SHELL_END (-1)
#define SHELL_HEREDOCS_MAX 8

struct shell_source {
    const char *text;
    size_t length, at;
    size_t origin; /* where text[0] is in the script … */
    size_t span;   /* … or, when not 0, the text stands for this many bytes of it as a whole */
};

/* A here-document that was announced and whose text has not come yet. */
struct shell_announced {
    size_t node, redirect;
    size_t at; /* behind the delimiter, in the source */
    bool tabs; /* <<-: leading tabs do not count */
};

struct shell_level;

struct shell_reader {
    struct shell_source source;
    struct shell_tree *tree;
    struct shell_level *level; /* the innermost list that is being read */
    unsigned depth;
    struct shell_announced announced[SHELL_HEREDOCS_MAX];
    size_t announced_count;
    size_t announced_first; /* those before it are of a command around this substitution */
    bool other_shell;       /* reads as a shell does that knows only what POSIX says */
    bool quotes_differ;     /* what comes behind a $'…' was read so already, */
    bool ampersand_differs; /* what comes behind a &>, */
    bool bracket_differs;   /* and behind a $[ */
};

enum shell_keyword {
    SHELL_KEYWORD_NONE,
    SHELL_KEYWORD_LEADING, /* a command follows */
    SHELL_KEYWORD_TIME,
    SHELL_KEYWORD_CONDITION,
    SHELL_KEYWORD_LOOP,
    SHELL_KEYWORD_GROUP,
    SHELL_KEYWORD_FOR,
    SHELL_KEYWORD_REPEAT,
    SHELL_KEYWORD_COPROCESS,
    SHELL_KEYWORD_CASE,
    SHELL_KEYWORD_FUNCTION,
    SHELL_KEYWORD_TEST,
    SHELL_KEYWORD_END,
};

#define SHELL_FRAMES_MAX 32

/* A compound command that is open on a level. */
struct shell_frame {
    unsigned context;
    bool is_case;
    size_t element;
    struct shell_nodes feeds;
};

/* A list of commands: the script, or what stands in parentheses. */
struct shell_level {
    struct shell_level *outer;
    unsigned context;
    size_t parent;
    bool in_parentheses;
    bool closed;
    size_t command;           /* the node that is being read, or SHELL_NO_NODE */
    size_t list;              /* first node since the last ; & or newline */
    size_t element;           /* first node of this element of a pipeline */
    struct shell_nodes feeds; /* what the level reads from … */
    struct shell_nodes pipe;  /* … and what this element reads from */
    enum shell_operator operator_;
    bool expects_command; /* after an operator that needs one (&&, ||, |) */
    bool after_compound;  /* a compound command ended and no operator came since */
    bool function_next;   /* the next command is a function's body */
    bool coprocess_next;  /* … or that of a coprocess, whose name may stand in front */
    struct shell_frame frames[SHELL_FRAMES_MAX];
    size_t frame_count;
};

/* What becomes of the parts of a word that are expanded. */
enum shell_variation {
    SHELL_VARIES_AS_GLOB,   /* all of them are file name patterns */
    SHELL_VARIES_AS_STATUS, /* all of them are $? */
    SHELL_VARIES_ANYHOW,
};

/* A word that is being read. */
struct shell_draft {
    struct strbuf text;
    size_t start;
    size_t fixed;
    bool varies; /* something in it is expanded … */
    enum shell_variation variation;
    bool command; /* it stands where a command begins */
    bool quoted;
    bool heredoc;
    bool brace_open; /* an unquoted { in this word … */
    bool brace_list; /* … then an unquoted comma or ".." */
    int previous;    /* last unquoted character, 0 after a quoted one and at the start */
    bool name_open;  /* so far it could be the name of an assignment */
    size_t value;    /* place in `text` behind the = of an assignment, else 0 */
};

/* ---- shell_source ---------------------------------------------------------------------------- */

/* The next character without and with taking it, line continuations passed over; SHELL_END. */
int shell_source_peek(struct shell_source *source);
int shell_source_take(struct shell_source *source);
/* The byte `ahead` of the position as it stands in the text, or SHELL_END. */
int shell_source_raw(const struct shell_source *source, size_t ahead);
/* Passes over spaces and tabs. */
void shell_source_skip_blanks(struct shell_source *source);
/* Is it one of the characters, and not the end? */
bool shell_source_is_one_of(int byte, const char *set);
/* Where a position of the text is in the script. */
size_t shell_source_place(const struct shell_source *source, size_t at);
size_t shell_source_place_end(const struct shell_source *source, size_t at);

/* The reading is not exact from `at` (a position in the source) on; the first such reason stays. */
void shell_source_doubt(struct shell_reader *reader, const char *reason, size_t at);
/* As above, and nothing more is read. */
void shell_source_give_up(struct shell_reader *reader, const char *reason);
/* Goes one level of nesting deeper, or gives up. Each true needs a shell_source_ascend(). */
bool shell_source_descend(struct shell_reader *reader);
void shell_source_ascend(struct shell_reader *reader);

/* ---- shell_word ------------------------------------------------------------------------------ */

/* Reads the word at the position; `command` when a NAME=VALUE would be an assignment here. May
 * read nothing when there is none. The content of `word` is the caller's: shell_word_clear(). */
void shell_word_read(struct shell_reader *reader, bool command, struct shell_word *word,
                     bool *assignment);
void shell_word_clear(struct shell_word *word);
/* Behind the opening quote: the text up to the closing one is added to the draft. */
void shell_word_read_single_quotes(struct shell_reader *reader, struct shell_draft *draft);
void shell_word_read_double_quotes(struct shell_reader *reader, struct shell_draft *draft);
/* What comes now is not what will be there when the command runs. */
void shell_word_varies(struct shell_draft *draft, enum shell_variation variation);
/* May it stand in the name of a variable, as its first character or as another one? */
bool shell_word_is_name_byte(int byte, bool first);

/* ---- shell_expansion ------------------------------------------------------------------------- */

/* Behind the `$` or the backquote, in double quotes or not: the expansion as it is written is added
 * to the draft, and the commands in it to the tree. */
void shell_expansion_read_dollar(struct shell_reader *reader, struct shell_draft *draft,
                                 bool in_quotes);
void shell_expansion_read_backquotes(struct shell_reader *reader, struct shell_draft *draft,
                                     bool in_quotes);
/* Reads text in which only $ and ` are special, to the end of the source: a here-document. */
void shell_expansion_read_substitutions(struct shell_reader *reader);
/* What arithmetic holds, up to the `))` that ends it. False, and nothing taken, when the
 * parentheses at the position (behind the second one) do not end so. */
bool shell_expansion_read_arithmetic(struct shell_reader *reader);

/* ---- shell_parenthesis ----------------------------------------------------------------------- */

/* With the position behind "((": the place behind the parenthesis that ends the first of them, or
 * 0. As bash counts, that is with quotes and expansions, but without comments, patterns of a case
 * and here-documents. *arithmetic says whether "))" ends them, and stays otherwise. */
size_t shell_parenthesis_match(const struct shell_source *source, bool *arithmetic);

/* ---- shell_heredoc --------------------------------------------------------------------------- */

/* Behind "$(" in double quotes: when all of the substitution is `cat <<'EOF'` with its text, adds
 * the text to the draft and takes it. */
bool shell_heredoc_read_literal(struct shell_reader *reader, struct shell_draft *draft);
/* << was read as a redirection of the node: its text begins behind the next newline. */
void shell_heredoc_announce(struct shell_reader *reader, size_t node, size_t redirect, bool tabs);
/* Behind a newline: the texts of those announced. */
void shell_heredoc_read_bodies(struct shell_reader *reader);

/* ---- shell_level ----------------------------------------------------------------------------- */

/* Where commands on this level stand, and what they read from. */
unsigned shell_level_context(const struct shell_level *level);
struct shell_nodes shell_level_feeds(const struct shell_level *level);
/* Is what comes the body of a function? */
unsigned shell_level_function_context(const struct shell_level *level);
/* The node that is being read; a new one when there is none. NULL when there are too many. */
struct shell_node *shell_level_open_node(struct shell_reader *reader, size_t start);
void shell_level_end_node(struct shell_level *level);
/* What was taken for a command is a keyword. */
void shell_level_drop_node(struct shell_reader *reader);
/* Takes the word over. */
void shell_level_add_word(struct shell_word **words, size_t *count, struct shell_word word);
void shell_level_open_frame(struct shell_reader *reader, unsigned context, bool is_case);
void shell_level_close_frame(struct shell_level *level);

/* ---- shell_redirect -------------------------------------------------------------------------- */

/* At the operator of a redirection; `start` is where its number begins. */
void shell_redirect_read(struct shell_reader *reader, int number, size_t start);
/* Is the word, which ends where a redirection begins, its number or {NAME}? */
bool shell_redirect_is_descriptor(struct shell_reader *reader, const struct shell_word *word,
                                  size_t start, int *number);

/* ---- shell_keyword --------------------------------------------------------------------------- */

enum shell_keyword shell_keyword_find(const char *word);
/* A word that is a keyword, where a command begins; takes it over. */
void shell_keyword_read(struct shell_reader *reader, enum shell_keyword keyword,
                        struct shell_word word, size_t start);
/* A word was added to the head of a for, case or function: does its body begin? */
void shell_keyword_continue_header(struct shell_reader *reader, struct shell_node *node);
/* The patterns of a case, up to the ) behind them; the word esac ends it. */
void shell_keyword_read_patterns(struct shell_reader *reader);

/* ---- shell_grammar --------------------------------------------------------------------------- */

/* Reads to the end of the source. */
void shell_grammar_read_script(struct shell_reader *reader);
/* Reads bytes `start` to `end` of the source, the text of a here-document of the node, for the
 * substitutions in it. */
void shell_grammar_read_heredoc(struct shell_reader *reader, size_t node, size_t start, size_t end);
/* Reads a list of commands up to the `)` that ends it and takes that. */
void shell_grammar_read_nested(struct shell_reader *reader, unsigned context);
/* Reads `length` bytes of another text that stands for the script's bytes from the position
 * `start` of the source to where it is now. */
void shell_grammar_read_copy(struct shell_reader *reader, const char *text, size_t length,
                             size_t start, unsigned context);
/* Reads bytes `start` to `end` of the source as a list of commands by itself. */
void shell_grammar_read_part(struct shell_reader *reader, size_t start, size_t end,
                             unsigned context);
/* The same as another shell reads it, which knows no (( … )), [[ … ]] and $'…'. */
void shell_grammar_read_otherwise(struct shell_reader *reader, size_t start, size_t end,
                                  unsigned context);

#endif
