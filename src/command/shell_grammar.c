/* SPDX-License-Identifier: MIT */
/*
 * shell_grammar: commands, what joins them, redirections and keywords (POSIX.1-2017, XCU 2.9 and
 * 2.10, and bash's additions).
 *
 * Simple commands joined by operators are read exactly. Everything else is a doubt, and is read
 * loosely: keywords open and close frames that need not match, so that a script that a shell would
 * refuse, or that only some shell accepts, still shows the commands in it.
 */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "command/shell_tree-int.h"

#define FRAMES_MAX 32
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* A compound command that is open on a level. */
struct frame {
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
    struct frame frames[FRAMES_MAX];
    size_t frame_count;
};

static bool is_one_of(int byte, const char *set)
{
    return byte > 0 && strchr(set, byte) != NULL;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static unsigned context_of(const struct shell_level *level)
{
    unsigned context = level->context;
    for (size_t i = 0; i < level->frame_count; i++)
        context |= level->frames[i].context;
    return context;
}

static struct shell_nodes feeds_of(const struct shell_level *level)
{
    if (level->pipe.last > level->pipe.first)
        return level->pipe;
    return level->frame_count > 0 ? level->frames[level->frame_count - 1].feeds : level->feeds;
}

static unsigned function_context(const struct shell_level *level)
{
    return level->function_next ? SHELL_IN_FUNCTION : 0;
}

/* The node that is being read; a new one when there is none. NULL when there are too many. */
static struct shell_node *open_node(struct shell_reader *reader, size_t start)
{
    struct shell_tree *tree = reader->tree;
    struct shell_level *level = reader->level;
    if (level->command != SHELL_NO_NODE)
        return &tree->nodes[level->command];
    if (tree->count == SHELL_TREE_COMMANDS_MAX) {
        shell_source_give_up(reader, N_("too many commands"));
        return NULL;
    }
    if ((tree->count & (tree->count - 1)) == 0) /* full: the room is a power of two */
        tree->nodes =
            xreallocarray(tree->nodes, tree->count ? tree->count * 2 : 1, sizeof(*tree->nodes));
    level->command = tree->count;
    struct shell_node *node = &tree->nodes[tree->count++];
    *node = (struct shell_node){
        .kind = level->after_compound ? SHELL_TAIL : SHELL_COMMAND,
        .context = context_of(level) | function_context(level),
        .parent = level->parent,
        .operator_ = level->operator_,
        .feeds = feeds_of(level),
        .start = shell_source_place(&reader->source, start),
        .end = shell_source_place(&reader->source, start),
    };
    level->expects_command = false;
    return node;
}

static void add_word(struct shell_word **words, size_t *count, struct shell_word word)
{
    *words = xreallocarray(*words, *count + 1, sizeof(**words));
    (*words)[(*count)++] = word;
}

static void end_node(struct shell_level *level)
{
    if (level->command != SHELL_NO_NODE)
        level->function_next = level->coprocess_next = false;
    level->command = SHELL_NO_NODE;
}

/* What was taken for a command is a keyword. */
static void drop_node(struct shell_reader *reader)
{
    reader->tree->count--;
    reader->level->command = SHELL_NO_NODE;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void open_frame(struct shell_reader *reader, unsigned context, bool is_case)
{
    struct shell_level *level = reader->level;
    if (level->frame_count == FRAMES_MAX) {
        shell_source_give_up(reader, N_("nested too deeply"));
        return;
    }
    level->frames[level->frame_count++] = (struct frame){
        .context = context | function_context(level),
        .is_case = is_case,
        .element = level->element,
        .feeds = feeds_of(level),
    };
    level->function_next = level->coprocess_next = false;
}

static void close_frame(struct shell_level *level)
{
    if (level->frame_count > 0)
        level->element = level->frames[--level->frame_count].element;
    level->after_compound = true;
}

/* ---- redirections ---------------------------------------------------------------------------- */

static const struct {
    const char *text;
    enum shell_redirect_kind kind;
    bool clobber;
} redirections[] = {
    /* a longer one before what it begins with */
    {"&>>", SHELL_BOTH, false},   {"&>", SHELL_BOTH, false},   {"<<<", SHELL_HERE_STRING, false},
    {"<<", SHELL_HEREDOC, false}, {"<&", SHELL_COPY, false},   {"<>", SHELL_UPDATE, false},
    {"<", SHELL_FROM, false},     {">>", SHELL_APPEND, false}, {">&", SHELL_COPY, false},
    {">|", SHELL_TO, true},       {">", SHELL_TO, false},
};

static size_t match_redirection(const struct shell_source *source, struct shell_redirect *redirect)
{
    for (size_t i = 0; i < LENGTH(redirections); i++) {
        size_t length = 0;
        const char *text = redirections[i].text;
        while (text[length] != '\0' && shell_source_raw(source, length) == text[length])
            length++;
        if (text[length] != '\0')
            continue;
        redirect->kind = redirections[i].kind;
        redirect->clobber = redirections[i].clobber;
        return length;
    }
    return 0;
}

static void skip_blanks(struct shell_source *source)
{
    while (is_one_of(shell_source_peek(source), " \t"))
        source->at++;
}

static bool names_descriptor(const struct shell_redirect *redirect)
{
    return redirect->target.text[strspn(redirect->target.text, "0123456789-")] == '\0';
}

/* At the operator of a redirection; `start` is where its number begins. */
static void read_redirection(struct shell_reader *reader, int number, size_t start)
{
    struct shell_source *source = &reader->source;
    struct shell_node *node = open_node(reader, start);
    struct shell_redirect redirect = {.number = number,
                                      .start = shell_source_place(&reader->source, start)};
    bool assignment;
    if (!node)
        return;
    size_t at = source->at;
    source->at += match_redirection(source, &redirect);
    bool tabs = redirect.kind == SHELL_HEREDOC && shell_source_raw(source, 0) == '-';
    source->at += tabs;
    if (shell_source_raw(source, 0) == '\\' && shell_source_raw(source, 1) == '\n')
        shell_source_doubt(reader, N_("redirection"), at); /* a line break may be in the operator */
    skip_blanks(source);
    size_t before = source->at, index = reader->level->command;
    shell_word_read(reader, false, &redirect.target, &assignment);
    if (source->at == before)
        shell_source_doubt(reader, N_("redirection without a target"), at);
    if (redirect.kind == SHELL_COPY && source->text[at] == '>' && !names_descriptor(&redirect))
        redirect.kind = SHELL_BOTH;
    /* bash expands the target of >&FILE twice. */
    if (redirect.kind == SHELL_BOTH && strpbrk(redirect.target.text, "$`\\"))
        redirect.target.literal = false;
    node = &reader->tree->nodes[index];
    node->redirects =
        xreallocarray(node->redirects, node->redirect_count + 1, sizeof(*node->redirects));
    node->redirects[node->redirect_count++] = redirect;
    node->end = shell_source_place_end(source, source->at);
    if (redirect.kind == SHELL_HEREDOC)
        shell_heredoc_announce(reader, index, node->redirect_count - 1, tabs);
}

/* Is the word, which ends where a redirection begins, its number or {NAME}? */
static bool is_descriptor(struct shell_reader *reader, const struct shell_word *word, size_t start,
                          int *number)
{
    const struct shell_source *source = &reader->source;
    size_t length = strlen(word->text);
    if (word->quoted || length == 0 || !is_one_of(shell_source_raw(source, 0), "<>"))
        return false;
    bool named = word->text[0] == '{' && word->text[length - 1] == '}' && length > 2;
    if (!named && strspn(word->text, "0123456789") != length)
        return false;
    *number = !named && length == 1 ? word->text[0] - '0' : -1;
    /* Not one digit right before it: shells differ in what they take for a number. */
    if (*number < 0 || source->at - start != 1)
        shell_source_doubt(reader, N_("redirection"), start);
    return true;
}

/* ---- keywords -------------------------------------------------------------------------------- */

enum keyword {
    KEYWORD_NONE,
    KEYWORD_LEADING, /* a command follows */
    KEYWORD_TIME,
    KEYWORD_CONDITION,
    KEYWORD_LOOP,
    KEYWORD_GROUP,
    KEYWORD_FOR,
    KEYWORD_REPEAT,
    KEYWORD_COPROCESS,
    KEYWORD_CASE,
    KEYWORD_FUNCTION,
    KEYWORD_TEST,
    KEYWORD_END,
};

static const struct {
    const char *word;
    enum keyword keyword;
} keywords[] = {
    {"!", KEYWORD_LEADING},
    {"-", KEYWORD_LEADING},
    {"[[", KEYWORD_TEST},
    {"]]", KEYWORD_LEADING},
    {"case", KEYWORD_CASE},
    {"coproc", KEYWORD_COPROCESS},
    {"do", KEYWORD_LEADING},
    {"done", KEYWORD_END},
    {"elif", KEYWORD_LEADING},
    {"else", KEYWORD_LEADING},
    {"end", KEYWORD_END},
    {"esac", KEYWORD_END},
    {"fi", KEYWORD_END},
    {"for", KEYWORD_FOR},
    {"foreach", KEYWORD_FOR},
    {"function", KEYWORD_FUNCTION},
    {"if", KEYWORD_CONDITION},
    {"in", KEYWORD_LEADING},
    {"nocorrect", KEYWORD_LEADING},
    {"noglob", KEYWORD_LEADING},
    {"repeat", KEYWORD_REPEAT},
    {"select", KEYWORD_FOR},
    {"then", KEYWORD_LEADING},
    {"time", KEYWORD_TIME},
    {"until", KEYWORD_LOOP},
    {"while", KEYWORD_LOOP},
    {"{", KEYWORD_GROUP},
    {"}", KEYWORD_END},
};

static enum keyword find_keyword(const char *word)
{
    for (size_t i = 0; i < LENGTH(keywords); i++)
        if (strcmp(keywords[i].word, word) == 0)
            return keywords[i].keyword;
    return KEYWORD_NONE;
}

bool shell_tree_is_reserved(const char *word)
{
    return find_keyword(word) != KEYWORD_NONE;
}

/* The patterns of a case, up to the ) behind them; the word esac ends it. */
static void read_patterns(struct shell_reader *reader)
{
    struct shell_source *source = &reader->source;
    bool first = true, assignment;
    for (int byte; (byte = shell_source_peek(source)) != SHELL_END;) {
        if (byte == ')') {
            source->at++;
            return;
        }
        size_t before = source->at;
        struct shell_word word;
        shell_word_read(reader, false, &word, &assignment);
        bool read = source->at > before;
        bool ends = read && first && !word.quoted && strcmp(word.text, "esac") == 0;
        shell_word_clear(&word);
        if (ends) {
            close_frame(reader->level);
            return;
        }
        first = first && !read;
        source->at += !read && source->at < source->length;
    }
}

/* The words of [[ … ]], in which operators do not separate commands. */
static void read_test(struct shell_reader *reader, struct shell_word bracket, size_t start)
{
    struct shell_source *source = &reader->source;
    bool ends = false, assignment;
    struct shell_node *node = open_node(reader, start);
    if (!node) {
        shell_word_clear(&bracket);
        return;
    }
    size_t index = reader->level->command;
    node->kind = SHELL_TEST;
    bracket.literal = true; /* and no pattern */
    bracket.glob = false;
    add_word(&node->words, &node->word_count, bracket);
    while (!ends && shell_source_peek(source) != SHELL_END) {
        size_t before = source->at;
        struct shell_word word;
        shell_word_read(reader, false, &word, &assignment);
        if (source->at == before) {
            shell_word_clear(&word);
            source->at++;
            continue;
        }
        ends = !word.quoted && strcmp(word.text, "]]") == 0;
        node = &reader->tree->nodes[index];
        add_word(&node->words, &node->word_count, word);
    }
    node = &reader->tree->nodes[index];
    node->end = shell_source_place_end(source, source->at);
}

/* `time` may have options of its own. */
static void skip_time_options(struct shell_reader *reader)
{
    struct shell_source *source = &reader->source;
    skip_blanks(source);
    while (shell_source_raw(source, 0) == '-' && is_one_of(shell_source_raw(source, 1), "p-") &&
           is_one_of(shell_source_raw(source, 2), " \t")) {
        source->at += 2;
        skip_blanks(source);
    }
}

static void open_header(struct shell_reader *reader, struct shell_word word, size_t start)
{
    struct shell_node *node = open_node(reader, start);
    if (!node) {
        shell_word_clear(&word);
        return;
    }
    node->kind = SHELL_HEADER;
    node->end = word.end;
    add_word(&node->words, &node->word_count, word);
}

/* A word that is a keyword, where a command begins. */
static void read_keyword(struct shell_reader *reader, enum keyword keyword, struct shell_word word,
                         size_t start)
{
    struct shell_level *level = reader->level;
    shell_source_doubt(reader, N_("compound command"), start);
    if (keyword == KEYWORD_TEST) {
        read_test(reader, word, start);
        return;
    }
    switch (keyword) {
    case KEYWORD_CONDITION:
        open_frame(reader, SHELL_IN_CONDITION, false);
        break;
    case KEYWORD_LOOP:
        open_frame(reader, SHELL_IN_LOOP, false);
        break;
    case KEYWORD_GROUP:
        open_frame(reader, SHELL_IN_GROUP, false);
        break;
    case KEYWORD_END:
        close_frame(level);
        break;
    case KEYWORD_TIME:
        skip_time_options(reader);
        break;
    case KEYWORD_COPROCESS:
        level->coprocess_next = true;
        break;
    case KEYWORD_FOR:
        open_frame(reader, SHELL_IN_LOOP, false);
        open_header(reader, word, start);
        return;
    case KEYWORD_REPEAT:
    case KEYWORD_CASE:
    case KEYWORD_FUNCTION:
        open_header(reader, word, start);
        return;
    default:
        break;
    }
    shell_word_clear(&word);
}

/* A word was added to the head of a for, case or function: does its body begin? */
static void continue_header(struct shell_reader *reader, struct shell_node *node)
{
    struct shell_level *level = reader->level;
    enum keyword keyword = find_keyword(node->words[0].text);
    const struct shell_word *last = &node->words[node->word_count - 1];
    bool bare = !last->quoted && last->literal;
    if (keyword == KEYWORD_FUNCTION && node->word_count == 2) {
        end_node(level);
        level->function_next = true;
    } else if (keyword == KEYWORD_REPEAT && node->word_count == 2) {
        end_node(level);
    } else if (keyword == KEYWORD_FOR && bare && strcmp(last->text, "do") == 0) {
        end_node(level);
    } else if (keyword == KEYWORD_CASE && bare && node->word_count == 3) {
        end_node(level);
        open_frame(reader, SHELL_IN_CONDITION, true);
        read_patterns(reader);
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

/* `coproc NAME {`: what was taken for the command is a name. */
static bool is_coprocess_name(const struct shell_level *level, const struct shell_node *node,
                              enum keyword keyword)
{
    return level->coprocess_next && node->word_count == 1 && keyword != KEYWORD_NONE;
}

static void place_word(struct shell_reader *reader, struct shell_word word, bool assignment,
                       size_t start)
{
    struct shell_level *level = reader->level;
    struct shell_node *node = &reader->tree->nodes[level->command];
    bool first = node->kind <= SHELL_TAIL &&
                 node->word_count + node->assignment_count + node->redirect_count == 0;
    enum keyword keyword = word.quoted ? KEYWORD_NONE : find_keyword(word.text);
    if (keyword != KEYWORD_NONE && (first || is_coprocess_name(level, node, keyword))) {
        node->kind = SHELL_HEADER;
        if (first)
            drop_node(reader);
        else
            end_node(level);
        read_keyword(reader, keyword, word, start);
        return;
    }
    node->end = word.end;
    if (node->kind == SHELL_TAIL)
        node->kind = SHELL_COMMAND; /* not what a shell would take */
    if (assignment)
        add_word(&node->assignments, &node->assignment_count, word);
    else
        add_word(&node->words, &node->word_count, word);
    if (node->kind == SHELL_HEADER)
        continue_header(reader, node);
}

static void read_word(struct shell_reader *reader)
{
    struct shell_source *source = &reader->source;
    struct shell_word word;
    bool assignment;
    int number;
    size_t start = source->at;
    /* The node is there first: it is the parent of those in its words. */
    struct shell_node *node = open_node(reader, start);
    if (!node)
        return;
    shell_word_read(reader, node->word_count == 0, &word, &assignment);
    if (is_descriptor(reader, &word, start, &number)) {
        shell_word_clear(&word);
        read_redirection(reader, number, start);
    } else {
        place_word(reader, word, assignment, start);
    }
}

/* ---- operators ------------------------------------------------------------------------------- */

/* What was read joins to what follows. */
static void join(struct shell_reader *reader, enum shell_operator operator_, size_t at)
{
    struct shell_level *level = reader->level;
    size_t count = reader->tree->count;
    if (level->command == SHELL_NO_NODE)
        shell_source_doubt(reader, N_("stray operator"), at);
    end_node(level);
    level->after_compound = false;
    level->operator_ = operator_;
    level->expects_command = operator_ != SHELL_SEQUENCE;
    level->pipe = operator_ == SHELL_PIPE ? (struct shell_nodes){level->element, count}
                                          : (struct shell_nodes){0, 0};
    level->element = count;
    if (operator_ == SHELL_SEQUENCE)
        level->list = count;
}

static void read_newline(struct shell_reader *reader, size_t at)
{
    struct shell_level *level = reader->level;
    reader->source.at++;
    if (level->command != SHELL_NO_NODE || level->after_compound)
        join(reader, SHELL_SEQUENCE, at);
    shell_heredoc_read_bodies(reader);
}

static void read_semicolon(struct shell_reader *reader, size_t at)
{
    struct shell_source *source = &reader->source;
    struct shell_level *level = reader->level;
    source->at++;
    int next = shell_source_peek(source);
    if (next != ';' && next != '&') {
        join(reader, SHELL_SEQUENCE, at);
        return;
    }
    shell_source_doubt(reader, N_("stray operator"), at);
    while (is_one_of(shell_source_peek(source), ";&"))
        source->at++;
    join(reader, SHELL_SEQUENCE, at);
    if (level->frame_count > 0 && level->frames[level->frame_count - 1].is_case)
        read_patterns(reader);
}

static void read_ampersand(struct shell_reader *reader, size_t at)
{
    struct shell_source *source = &reader->source;
    struct shell_level *level = reader->level;
    if (shell_source_raw(source, 1) == '>') {
        shell_source_doubt(reader, N_("redirection of both streams"), at);
        read_redirection(reader, 1, at);
        return;
    }
    source->at++;
    if (shell_source_peek(source) == '&') {
        source->at++;
        join(reader, SHELL_AND, at);
        return;
    }
    shell_source_doubt(reader,
                       shell_source_peek(source) == '>' ? N_("redirection of both streams")
                                                        : N_("background"),
                       at);
    for (size_t i = level->list; i < reader->tree->count; i++)
        reader->tree->nodes[i].context |= SHELL_IN_BACKGROUND;
    join(reader, SHELL_SEQUENCE, at);
}

static void read_bar(struct shell_reader *reader, size_t at)
{
    struct shell_source *source = &reader->source;
    source->at++;
    int next = shell_source_peek(source);
    if (next == '&')
        shell_source_doubt(reader, N_("pipe of both streams"), at);
    source->at += next == '&' || next == '|';
    join(reader, next == '|' ? SHELL_OR : SHELL_PIPE, at);
}

/* `NAME ()`: only the name was read so far. */
static bool read_function(struct shell_reader *reader)
{
    struct shell_source *source = &reader->source;
    struct shell_level *level = reader->level;
    if (level->command == SHELL_NO_NODE) {
        /* behind `function NAME` */
        if (!level->function_next)
            return false;
    } else {
        struct shell_node *node = &reader->tree->nodes[level->command];
        if (node->word_count != 1 || node->redirect_count > 0 || node->assignment_count > 0)
            return false;
    }
    size_t start = source->at++;
    skip_blanks(source);
    if (shell_source_peek(source) != ')') {
        source->at = start;
        return false;
    }
    source->at++;
    if (level->command != SHELL_NO_NODE)
        reader->tree->nodes[level->command].kind = SHELL_HEADER;
    end_node(level);
    level->function_next = true;
    return true;
}

static void read_computing(struct shell_reader *reader, size_t start)
{
    struct shell_node *node = open_node(reader, start);
    if (!node)
        return;
    size_t index = reader->level->command;
    if (node->kind != SHELL_HEADER)
        node->kind = SHELL_COMPUTING;
    reader->source.at += 2;
    if (!shell_word_read_arithmetic(reader)) {
        reader->source.at = start + 1;
        if (reader->tree->nodes[index].kind == SHELL_COMPUTING)
            drop_node(reader);
        end_node(reader->level);
        shell_grammar_read_nested(reader, SHELL_IN_SUBSHELL);
        reader->level->after_compound = true;
        return;
    }
    reader->tree->nodes[index].end = shell_source_place_end(&reader->source, reader->source.at);
}

static void read_open_parenthesis(struct shell_reader *reader, size_t at)
{
    struct shell_source *source = &reader->source;
    struct shell_level *level = reader->level;
    shell_source_doubt(reader, N_("subshell or function"), at);
    if (read_function(reader))
        return;
    bool header =
        level->command != SHELL_NO_NODE && reader->tree->nodes[level->command].kind == SHELL_HEADER;
    if (level->command != SHELL_NO_NODE && !header)
        end_node(level);
    if (shell_source_raw(source, 1) == '(') {
        read_computing(reader, at);
        return;
    }
    source->at++;
    unsigned context = SHELL_IN_SUBSHELL | function_context(level);
    end_node(level);
    level->function_next = false;
    shell_grammar_read_nested(reader, context);
    level->after_compound = true;
}

static void read_close_parenthesis(struct shell_reader *reader, size_t at)
{
    struct shell_level *level = reader->level;
    reader->source.at++;
    end_node(level);
    if (level->in_parentheses)
        level->closed = true;
    else
        shell_source_doubt(reader, N_("stray operator"), at);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void read_angle(struct shell_reader *reader)
{
    if (shell_source_raw(&reader->source, 1) == '(')
        read_word(reader);
    else
        read_redirection(reader, shell_source_raw(&reader->source, 0) == '>', reader->source.at);
}

static void skip_comment(struct shell_source *source)
{
    while (source->at < source->length && source->text[source->at] != '\n')
        source->at++;
}

static void read_token(struct shell_reader *reader, int byte)
{
    size_t at = reader->source.at;
    switch (byte) {
    case ' ':
    case '\t':
    case '\r':
    case '\0':
        reader->source.at++;
        break;
    case '#':
        skip_comment(&reader->source);
        break;
    case '\n':
        read_newline(reader, at);
        break;
    case ';':
        read_semicolon(reader, at);
        break;
    case '&':
        read_ampersand(reader, at);
        break;
    case '|':
        read_bar(reader, at);
        break;
    case '(':
        read_open_parenthesis(reader, at);
        break;
    case ')':
        read_close_parenthesis(reader, at);
        break;
    case '<':
    case '>':
        read_angle(reader);
        break;
    default:
        read_word(reader);
        break;
    }
}

static void read_list(struct shell_reader *reader, struct shell_level *level)
{
    level->outer = reader->level;
    level->command = SHELL_NO_NODE;
    level->list = level->element = reader->tree->count;
    level->operator_ = SHELL_SEQUENCE;
    reader->level = level;
    for (int byte; !level->closed && (byte = shell_source_peek(&reader->source)) != SHELL_END;)
        read_token(reader, byte);
    if (level->expects_command)
        shell_source_doubt(reader, N_("unfinished command"), reader->source.at);
    reader->level = level->outer;
}

void shell_grammar_read_script(struct shell_reader *reader)
{
    struct shell_level level = {.parent = SHELL_NO_NODE};
    read_list(reader, &level);
    if (reader->announced_count > 0)
        shell_source_doubt(reader, N_("here-document without an end"), reader->announced[0].at);
}

/* A level in the words of the command that is being read. */
static struct shell_level level_within(const struct shell_reader *reader, unsigned context)
{
    const struct shell_level *outer = reader->level;
    return (struct shell_level){
        .context = context_of(outer) | context,
        .parent = outer->command != SHELL_NO_NODE ? outer->command : outer->parent,
        .feeds = feeds_of(outer),
    };
}

void shell_grammar_read_nested(struct shell_reader *reader, unsigned context)
{
    struct shell_level level = level_within(reader, context);
    size_t first = reader->announced_first;
    level.in_parentheses = true;
    if (!shell_source_descend(reader))
        return;
    if (context & SHELL_IN_SUBSTITUTION)
        reader->announced_first = reader->announced_count;
    read_list(reader, &level);
    reader->announced_first = first;
    shell_source_ascend(reader);
}

void shell_grammar_read_copy(struct shell_reader *reader, const char *text, size_t length,
                             size_t start, unsigned context)
{
    struct shell_source outer = reader->source;
    struct shell_level level = level_within(reader, context);
    size_t first = reader->announced_first, count = reader->announced_count;
    if (!shell_source_descend(reader))
        return;
    reader->announced_first = count;
    size_t origin = shell_source_place(&outer, start);
    reader->source = (struct shell_source){
        .text = text,
        .length = length,
        .origin = origin,
        .span = shell_source_place_end(&outer, outer.at) - origin,
    };
    read_list(reader, &level);
    reader->source = outer;
    reader->announced_first = first;
    reader->announced_count = count; /* the text of others is not in the copy */
    shell_source_ascend(reader);
    if (reader->tree->truncated)
        reader->source.at = outer.length;
}

void shell_grammar_read_heredoc(struct shell_reader *reader, size_t node, size_t start, size_t end)
{
    struct shell_source outer = reader->source;
    struct shell_level level = level_within(reader, SHELL_IN_HEREDOC);
    level.command = node;
    level.outer = reader->level;
    reader->level = &level;
    reader->source.at = start;
    reader->source.length = end;
    shell_word_read_substitutions(reader);
    reader->source = outer;
    reader->level = level.outer;
    if (reader->tree->truncated)
        reader->source.at = outer.length;
}
