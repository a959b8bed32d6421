/* SPDX-License-Identifier: MIT */
/* shell_redirect: redirections (POSIX.1-2017, XCU 2.7, and those of bash). */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "command/shell_tree-int.h"

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

/* How many bytes the operator takes; a line may be broken within it. */
static size_t match_redirection(const struct shell_source *source, struct shell_redirect *redirect)
{
    for (size_t i = 0; i < COUNT(redirections); i++) {
        struct shell_source rest = *source;
        const char *text = redirections[i].text;
        while (*text != '\0' && shell_source_peek(&rest) == *text) {
            rest.at++;
            text++;
        }
        if (*text != '\0')
            continue;
        redirect->kind = redirections[i].kind;
        redirect->clobber = redirections[i].clobber;
        return rest.at - source->at;
    }
    return 0;
}

static bool names_descriptor(const struct shell_redirect *redirect)
{
    return redirect->target.text[strspn(redirect->target.text, "0123456789-")] == '\0';
}

/* At what stands behind the operator. The "-" of >&- ends there to bash, which takes what follows
 * without a blank (>&-rm) for a word of the command. */
static void read_target(struct shell_reader *reader, struct shell_redirect *redirect)
{
    struct shell_source *source = &reader->source;
    size_t at = source->at;
    bool assignment;
    if (redirect->kind != SHELL_COPY || shell_source_peek(source) != '-') {
        shell_word_read(reader, false, &redirect->target, &assignment);
        return;
    }
    shell_source_take(source);
    redirect->target = (struct shell_word){.text = xstrdup("-"),
                                           .start = shell_source_place(source, at),
                                           .end = shell_source_place_end(source, source->at),
                                           .fixed = 1,
                                           .literal = true};
    int next = shell_source_peek(source);
    if (next != SHELL_END && !shell_source_is_one_of(next, " \t\n;&|<>()"))
        shell_source_doubt(reader, N_("redirection"), at);
}

/* At the operator of a redirection; `start` is where its number begins. */
void shell_redirect_read(struct shell_reader *reader, int number, size_t start)
{
    struct shell_source *source = &reader->source;
    struct shell_node *node = shell_level_open_node(reader, start);
    struct shell_redirect redirect = {.number = number,
                                      .start = shell_source_place(&reader->source, start)};
    if (!node)
        return;
    size_t at = source->at;
    source->at += match_redirection(source, &redirect);
    bool tabs = redirect.kind == SHELL_HEREDOC && shell_source_peek(source) == '-';
    source->at += tabs;
    shell_source_peek(source);
    if (memchr(source->text + at, '\n', source->at - at)) /* shells do not agree about this */
        shell_source_doubt(reader, N_("redirection"), at);
    shell_source_skip_blanks(source);
    size_t before = source->at, index = reader->level->command;
    read_target(reader, &redirect);
    if (source->at == before)
        shell_source_doubt(reader, N_("redirection without a target"), at);
    /* >&2>FILE: to some shells the digit belongs to what follows. */
    if (!redirect.target.quoted && shell_source_is_one_of(shell_source_peek(source), "<>") &&
        names_descriptor(&redirect))
        shell_source_doubt(reader, N_("redirection"), at);
    /* >! FILE is >| FILE to zsh. */
    if (!redirect.target.quoted && strcmp(redirect.target.text, "!") == 0)
        shell_source_doubt(reader, N_("redirection"), at);
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
bool shell_redirect_is_descriptor(struct shell_reader *reader, const struct shell_word *word,
                                  size_t start, int *number)
{
    const struct shell_source *source = &reader->source;
    size_t length = strlen(word->text);
    if (word->quoted || length == 0 || !shell_source_is_one_of(shell_source_raw(source, 0), "<>"))
        return false;
    bool named = word->text[0] == '{' && word->text[length - 1] == '}' && length > 2;
    if (!named && strspn(word->text, "0123456789") != length)
        return false;
    *number = !named && length == 1 ? word->text[0] - '0' : -1;
    /* Not one digit right before it: shells differ in what they take for a number. */
    if (*number < 0 || source->at - start != 1)
        shell_source_doubt(reader, N_("redirection"), start);
    /* 12>FILE COMMAND: to dash it is the name of the program. */
    if (*number < 0 && reader->tree->nodes[reader->level->command].word_count == 0)
        reader->tree->differs = true;
    return true;
}
