/* SPDX-License-Identifier: MIT */
/*
 * shell_tree: all commands in a shell script, wherever a shell might run them.
 *
 * The one reader of shell text. It finds the commands in lists, pipelines, subshells, groups,
 * loops, conditions, functions, substitutions and here-documents, with their words, assignments
 * and redirections, and never fails: what it cannot follow it reads as best it can.
 *
 * `reason` says whether the reading is exact. While it is NULL the script is a list of simple
 * commands and a real shell sees exactly these words, but for file name patterns and $?, which are
 * marked; shell.h builds on that alone. As soon as it
 * is set the tree may hold too much or, where somebody took pains to hide it, too little: then it
 * serves to warn, to prompt and to assess, and never to allow.
 */
#ifndef ASSENT_COMMAND_SHELL_TREE_H
#define ASSENT_COMMAND_SHELL_TREE_H

#include <stdbool.h>
#include <stddef.h>

/* What is read at most; `truncated` says that there was more. */
#define SHELL_TREE_COMMANDS_MAX 4096
#define SHELL_TREE_DEPTH_MAX 32
#define SHELL_TREE_BYTES_MAX ((size_t)1024 * 1024)

enum shell_operator { SHELL_AND, SHELL_OR, SHELL_SEQUENCE, SHELL_PIPE };

struct shell_word {
    char *text;        /* quotes removed; what a shell would expand stays as written */
    size_t start, end; /* bytes in the script, `end` exclusive */
    size_t fixed;      /* bytes of `text` in front of the first expansion; all when literal */
    bool literal;      /* a shell takes it as `text` and nothing else */
    bool glob;         /* not literal, and only because it is a file name pattern */
    bool status;       /* not literal, and only because of a $?, which stands for digits */
    bool quoted;       /* some of it was quoted: no keyword */
    bool heredoc;      /* literal: some of it is the text of a "$(cat <<'EOF' …)" */
};

enum shell_redirect_kind {
    SHELL_FROM,       /* < */
    SHELL_TO,         /* > and >| */
    SHELL_APPEND,     /* >> */
    SHELL_UPDATE,     /* <> */
    SHELL_COPY,       /* N>&M, N<&M; the target is M, "-" closes N */
    SHELL_BOTH,       /* &> and >&FILE: standard output and standard error */
    SHELL_HEREDOC,    /* << and <<-; the target is the delimiter */
    SHELL_HERE_STRING /* <<<; the target is the text */
};

struct shell_redirect {
    enum shell_redirect_kind kind;
    bool clobber; /* >| */
    size_t start; /* byte in the script where it begins, its number included */
    int number; /* the descriptor: 0, 1 or as written; -1 for {NAME} and for more digits than one */
    struct shell_word target;
    char *body; /* of a here-document, NULL when it is missing; owned */
    size_t body_start, body_end;
    bool body_literal; /* nothing in it is expanded, and its end was found */
};

enum shell_context {
    SHELL_IN_SUBSTITUTION = 1,
    SHELL_IN_SUBSHELL = 2,
    SHELL_IN_LOOP = 4,
    SHELL_IN_CONDITION = 8, /* if and case */
    SHELL_IN_GROUP = 16,
    SHELL_IN_FUNCTION = 32, /* runs when the function is called */
    SHELL_IN_BACKGROUND = 64,
    SHELL_IN_HEREDOC = 128,     /* a substitution in the text of a here-document */
    SHELL_IN_OTHER_SHELL = 256, /* runs only where (( … )), [[ … ]] and $'…' mean nothing: dash */
};

enum shell_node_kind {
    SHELL_COMMAND,  /* a simple command; without words: only assignments or redirections */
    SHELL_TAIL,     /* only redirections, of the compound command that ends before it */
    SHELL_HEADER,   /* `for X in …`, `case X in`, `function X`: no program */
    SHELL_TEST,     /* [[ … ]] */
    SHELL_COMPUTING /* (( … )) */
};

#define SHELL_NO_NODE ((size_t)-1)

struct shell_nodes { /* nodes first … last - 1; none when equal */
    size_t first, last;
};

struct shell_node {
    enum shell_node_kind kind;
    unsigned context;               /* enum shell_context, or-ed */
    size_t parent;                  /* in whose words it is substituted, or SHELL_NO_NODE */
    enum shell_operator operator_;  /* what joins it to the node before it on its level */
    struct shell_nodes feeds;       /* nodes whose output it reads through a pipe */
    struct shell_word *assignments; /* NAME=VALUE in front */
    size_t assignment_count;
    struct shell_word *words;
    size_t word_count;
    struct shell_redirect *redirects;
    size_t redirect_count;
    size_t start, end;
};

struct shell_tree {
    struct shell_node *nodes; /* a node comes before those in its words; else in order */
    size_t count;
    bool truncated;
    bool differs;       /* another shell than bash would run commands that are not here */
    const char *reason; /* why the reading may not be exact: a short static phrase (N_), or NULL */
    size_t offset;      /* byte at which it became so */
};

/* Reads `length` bytes of any content. Caller frees. */
struct shell_tree *shell_tree_new(const char *script, size_t length);
void shell_tree_free(struct shell_tree **tree);

/* The words of a node as a NULL-terminated array; the array is the caller's (free()), the strings
 * are the tree's. */
const char **shell_tree_argv(const struct shell_node *node);

/* Is nothing in doubt but what ~ and ~/… stand for, which is the home directory? */
bool shell_tree_is_of_home(const char *reason);

/* Is that a reason which lies in words alone, as a shell puts them in ("$x", "~/x", "$(ls)")? */
bool shell_tree_is_of_words(const char *reason);

/* Is it one that lies in what is done with commands which are there to be read: loops, functions,
 * variables that are set? */
bool shell_tree_is_of_use(const char *reason);

/* Is it a word that a shell treats as syntax where a command begins? */
bool shell_tree_is_reserved(const char *word);

#endif
