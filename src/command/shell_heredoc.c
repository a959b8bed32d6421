/* SPDX-License-Identifier: MIT */
/*
 * shell_heredoc: the text that << announces, and "$(cat <<'EOF' … )", which stands for its text.
 *
 * Shells take the text of a here-document literally when the delimiter is quoted, or when it holds
 * none of $, ` and backslash (POSIX.1-2017, XCU 2.7.4). Only delimiters of letters, digits and
 * underscores count as known: shells disagree about stranger ones.
 */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "command/shell_tree-int.h"

#define NAME_BYTES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

/* Bytes of a script from `start` on, `end` exclusive. */
struct range {
    size_t start, end;
};

/* How a line can end the text. */
enum ending {
    ENDING_NONE,
    ENDING_EXACT, /* the line is the delimiter */
    ENDING_BASH,  /* it begins with it, and has a ) behind it: ends it in bash, in a substitution */
};

/* What ends a here-document. */
struct delimiter {
    const char *text;
    size_t length;
    bool tabs;  /* leading tabs of a line do not count */
    bool joins; /* a backslash at the end of a line joins the next one to it */
};

/* Is the newline in front of `at` taken away by a backslash? */
static bool is_joined(const struct shell_source *source, size_t start, size_t at)
{
    size_t backslashes = 0;
    while (at > start + 1 + backslashes && source->text[at - 2 - backslashes] == '\\')
        backslashes++;
    return backslashes % 2 == 1;
}

/* The place behind the delimiter when the line that begins at `at` begins with it, else 0; where
 * lines are joined the delimiter may be spread over several. */
static size_t match_delimiter(const struct shell_source *source, size_t at,
                              const struct delimiter *delimiter)
{
    struct shell_source line = *source;
    line.at = at;
    while (delimiter->tabs && shell_source_raw(&line, 0) == '\t')
        line.at++;
    for (size_t i = 0; i < delimiter->length; i++) {
        int byte = delimiter->joins ? shell_source_peek(&line) : shell_source_raw(&line, 0);
        if (byte != (unsigned char)delimiter->text[i])
            return 0;
        line.at++;
    }
    if (delimiter->joins)
        shell_source_peek(&line);
    return line.at;
}

/* The first line at or behind `at` that may end the text, or ENDING_NONE. */
static enum ending find_ending(const struct shell_source *source, size_t at,
                               const struct delimiter *delimiter, struct range *line)
{
    for (size_t begin = at, next; at < source->length; at = next) {
        const char *newline = memchr(source->text + at, '\n', source->length - at);
        next = newline ? (size_t)(newline - source->text) + 1 : source->length;
        if (delimiter->joins && is_joined(source, begin, at))
            continue;
        size_t end = match_delimiter(source, at, delimiter);
        if (end == 0)
            continue;
        *line = (struct range){at, end};
        if (end == source->length || source->text[end] == '\n')
            return ENDING_EXACT;
        const char *rest = source->text + end;
        newline = memchr(rest, '\n', source->length - end);
        if (memchr(rest, ')', newline ? (size_t)(newline - rest) : source->length - end))
            return ENDING_BASH;
    }
    return ENDING_NONE;
}

/* As above, without bash's way. */
static enum ending find_exact_ending(const struct shell_source *source, size_t at,
                                     const struct delimiter *delimiter, struct range *line)
{
    enum ending ending;
    while ((ending = find_ending(source, at, delimiter, line)) == ENDING_BASH) {
        const char *newline = memchr(source->text + line->end, '\n', source->length - line->end);
        at = newline ? (size_t)(newline - source->text) + 1 : source->length;
    }
    return ending;
}

static bool has_expansions(const char *text, size_t length)
{
    return memchr(text, '$', length) || memchr(text, '`', length) || memchr(text, '\\', length);
}

/* ---- behind a newline ------------------------------------------------------------------------ */

void shell_heredoc_announce(struct shell_reader *reader, size_t node, size_t redirect, bool tabs)
{
    struct shell_source *source = &reader->source;
    if (reader->announced_count > 0)
        shell_source_doubt(reader, N_("several here-documents"), source->at);
    if (reader->announced_count == SHELL_HEREDOCS_MAX) {
        shell_source_give_up(reader, N_("several here-documents"));
        return;
    }
    reader->announced[reader->announced_count++] = (struct shell_announced){
        .node = node, .redirect = redirect, .at = source->at, .tabs = tabs};
}

/* A newline between the announcement and the text is in quotes or a substitution: shells do not
 * agree where the text begins then. */
static void check_line(struct shell_reader *reader, const struct shell_announced *announced)
{
    const struct shell_source *source = &reader->source;
    size_t length = source->at > announced->at ? source->at - 1 - announced->at : 0;
    if (source->at <= announced->at || memchr(source->text + announced->at, '\n', length))
        shell_source_doubt(reader, N_("here-document"), announced->at);
}

static void read_body(struct shell_reader *reader, const struct shell_announced *announced)
{
    struct shell_source *source = &reader->source;
    struct shell_redirect *redirect =
        &reader->tree->nodes[announced->node].redirects[announced->redirect];
    const struct delimiter delimiter = {
        .text = redirect->target.text,
        .length = strlen(redirect->target.text),
        .tabs = announced->tabs,
        .joins = !redirect->target.quoted,
    };
    size_t length = delimiter.length, start = source->at;
    struct range line;
    /* Where bash's way holds, it is the one that shows more. */
    enum ending ending = reader->depth > 0 ? find_ending(source, start, &delimiter, &line)
                                           : find_exact_ending(source, start, &delimiter, &line);
    bool known = length > 0 && strspn(delimiter.text, NAME_BYTES) == length && !announced->tabs &&
                 ending == ENDING_EXACT;
    if (ending == ENDING_NONE) {
        line = (struct range){source->length, source->length};
        shell_source_doubt(reader, N_("here-document without an end"), announced->at);
    }
    const char *text = source->text + start;
    bool expands = !redirect->target.quoted && has_expansions(text, line.start - start);
    redirect->body = xstrndup(text, line.start - start);
    redirect->body_start = shell_source_place(source, start);
    redirect->body_end = shell_source_place_end(source, line.start);
    redirect->body_literal = known && !expands;
    if (!redirect->body_literal)
        shell_source_doubt(reader, N_("here-document"), start);
    if (expands)
        shell_grammar_read_heredoc(reader, announced->node, start, line.start);
    if (ending == ENDING_BASH) /* to others the text goes on, and ends elsewhere */
        reader->tree->differs = true;
    if (!reader->tree->truncated)
        source->at = line.end + (line.end < source->length && source->text[line.end] == '\n');
}

void shell_heredoc_read_bodies(struct shell_reader *reader)
{
    size_t first = reader->announced_first;
    for (size_t i = first; i < reader->announced_count && !reader->tree->truncated; i++) {
        if (i == first)
            check_line(reader, &reader->announced[i]);
        read_body(reader, &reader->announced[i]);
    }
    reader->announced_count = first;
}

/* ---- "$(cat <<'EOF' … )" --------------------------------------------------------------------- */

static void skip_set(struct shell_source *source, const char *set)
{
    while (source->at < source->length && source->text[source->at] != '\0' &&
           strchr(set, source->text[source->at]))
        source->at++;
}

static bool take_text(struct shell_source *source, const char *text)
{
    size_t length = strlen(text);
    if (source->length - source->at < length ||
        memcmp(source->text + source->at, text, length) != 0)
        return false;
    source->at += length;
    return true;
}

/* NAME, 'NAME' or "NAME". */
static bool take_delimiter(struct shell_source *source, struct range *name, bool *quoted)
{
    int quote = shell_source_raw(source, 0);
    *quoted = quote == '\'' || quote == '"';
    source->at += *quoted;
    name->start = source->at;
    skip_set(source, NAME_BYTES);
    name->end = source->at;
    if (*quoted && shell_source_raw(source, 0) != quote)
        return false;
    source->at += *quoted;
    return name->end > name->start;
}

/* bash before version 4, still the one of macOS, looks for the parenthesis that ends $( without
 * knowing of here-documents: there only text counts in which it finds the same one. */
static bool old_bash_agrees(const char *text, size_t length)
{
#ifdef __APPLE__
    for (size_t i = 0; i < length; i++)
        if (strchr("'\"`\\()", text[i]))
            return false;
#else
    (void)text;
    (void)length;
#endif
    return true;
}

/* "(cat <<'EOF'", newline, text, "EOF", newline, ")" and blanks where they change nothing. */
static bool match_literal(struct shell_source *source, struct range *body)
{
    struct range name, line;
    bool quoted;
    source->at++;
    skip_set(source, " \t");
    if (!take_text(source, "cat"))
        return false;
    skip_set(source, " \t");
    if (!take_text(source, "<<"))
        return false;
    skip_set(source, " \t");
    if (!take_delimiter(source, &name, &quoted))
        return false;
    skip_set(source, " \t");
    if (!take_text(source, "\n"))
        return false;
    body->start = source->at;
    const struct delimiter delimiter = {.text = source->text + name.start,
                                        .length = name.end - name.start};
    if (find_ending(source, source->at, &delimiter, &line) != ENDING_EXACT)
        return false;
    body->end = line.start;
    source->at = line.end;
    const char *text = source->text + body->start;
    size_t length = body->end - body->start;
    if (!take_text(source, "\n") || (!quoted && has_expansions(text, length)) ||
        !old_bash_agrees(text, length))
        return false;
    skip_set(source, " \t\n");
    return take_text(source, ")");
}

/* The substitution runs `cat` with the text as its input and nothing else, so that its value is
 * the text without the newlines at its end (XCU 2.6.3), and in double quotes it is not split. That
 * `cat` is the program of that name is for the user of the construct to check. */
bool shell_heredoc_read_literal(struct shell_reader *reader, struct shell_draft *draft)
{
    struct shell_source *source = &reader->source;
    size_t start = source->at;
    struct range body;
    if (reader->announced_count > 0 || !match_literal(source, &body)) {
        source->at = start;
        return false;
    }
    while (body.end > body.start && source->text[body.end - 1] == '\n')
        body.end--;
    strbuf_add(&draft->text, source->text + body.start, body.end - body.start);
    draft->heredoc = true;
    return true;
}
