/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/shell_tree.h"

#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "command/shell_tree-int.h"

/* HOME=/x; ls ~ */
static bool may_change_home(const struct shell_node *node)
{
    static const char *const setters[] = {".",         "builtin",  "command", "declare", "eval",
                                          "export",    "local",    "mapfile", "printf",  "read",
                                          "readarray", "readonly", "source",  "typeset", "unset"};
    return node->assignment_count > 0 ||
           (node->word_count > 0 && IS_IN(node->words[0].text, setters));
}

/* Only while nothing in the script can change it, ~ is the home directory that is known. */
static void settle_home(struct shell_tree *tree)
{
    for (size_t i = 0; i < tree->count && shell_tree_is_of_home(tree->reason); i++)
        if (may_change_home(&tree->nodes[i]))
            tree->reason = N_("home directory expansion");
}

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
    settle_home(reader.tree);
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

bool shell_tree_is_of_home(const char *reason)
{
    return reason != NULL && strcmp(reason, "home directory") == 0;
}

bool shell_tree_is_of_words(const char *reason)
{
    static const char *const reasons[] = {"brace expansion", "command substitution",
                                          "expansion",       "file name pattern",
                                          "home directory",  "home directory expansion"};
    return IS_IN(reason, reasons);
}

bool shell_tree_is_of_use(const char *reason)
{
    static const char *const reasons[] = {"a builtin that changes the shell",
                                          "assignment",
                                          "background",
                                          "compound command",
                                          "here-document",
                                          "negation or history",
                                          "pipe of both streams",
                                          "redirection of both streams",
                                          "several here-documents",
                                          "subshell or function"};
    return IS_IN(reason, reasons);
}
