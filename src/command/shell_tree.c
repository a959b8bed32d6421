/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/shell_tree.h"

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "command/shell_tree-int.h"

struct shell_tree *shell_tree_new(const char *script, size_t length)
{
    struct shell_reader reader = {
        .source = {.text = script, .length = length},
        .tree = XNEW(struct shell_tree),
    };
    bool cut = length > SHELL_TREE_BYTES_MAX;
    if (cut)
        reader.source.length = SHELL_TREE_BYTES_MAX;
    shell_grammar_read_script(&reader);
    if (cut)
        shell_source_give_up(&reader, N_("too long"));
    return reader.tree;
}

static void clear_words(struct shell_word *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        shell_word_clear(&words[i]);
    free(words);
}

static void clear_node(struct shell_node *node)
{
    clear_words(node->assignments, node->assignment_count);
    clear_words(node->words, node->word_count);
    for (size_t i = 0; i < node->redirect_count; i++) {
        shell_word_clear(&node->redirects[i].target);
        free(node->redirects[i].body);
    }
    free(node->redirects);
}

void shell_tree_free(struct shell_tree **tree)
{
    if (!*tree)
        return;
    for (size_t i = 0; i < (*tree)->count; i++)
        clear_node(&(*tree)->nodes[i]);
    free((*tree)->nodes);
    free(*tree);
    *tree = NULL;
}

const char **shell_tree_argv(const struct shell_node *node)
{
    const char **argv = xcalloc(node->word_count + 1, sizeof(*argv));
    for (size_t i = 0; i < node->word_count; i++)
        argv[i] = node->words[i].text;
    return argv;
}

bool shell_tree_is_of_words(const char *reason)
{
    static const char *const reasons[] = {"brace expansion", "command substitution", "expansion",
                                          "file name pattern", "home directory expansion"};
    return IS_IN(reason, reasons);
}
