/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a shell script: the reader must end and stay within the bytes, and what it says
 * must hold together. What is plain must be read the same when it is written down again.
 */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/shell.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_word(const struct shell_word *word, const struct shell_node *node, size_t size)
{
    size_t length = strlen(word->text);
    must(word->start <= word->end && word->end <= size && word->start >= node->start);
    must(word->fixed <= length || !word->literal);
    must(!(word->literal && word->glob));
}

static void check_tree(const struct shell_tree *tree, size_t size)
{
    must(!tree->truncated || tree->reason);
    must(!tree->reason || tree->offset <= size);
    for (size_t i = 0; i < tree->count; i++) {
        const struct shell_node *node = &tree->nodes[i];
        must(node->start <= node->end && node->end <= size);
        must(node->parent == SHELL_NO_NODE || node->parent < i);
        must(node->feeds.first <= node->feeds.last && node->feeds.last <= i);
        for (size_t j = 0; j < node->word_count; j++)
            check_word(&node->words[j], node, size);
        for (size_t j = 0; j < node->assignment_count; j++)
            check_word(&node->assignments[j], node, size);
        for (size_t j = 0; j < node->redirect_count; j++)
            check_word(&node->redirects[j].target, node, size);
    }
}

static void check_script(const struct shell_script *script)
{
    must(script->plain <= script->understood);
    must(script->understood == !script->reason);
    must((script->count > 0) == script->understood);
    must(script->plain || !script->understood || script->constructs != 0);
    for (size_t i = 0; i < script->count; i++) {
        const struct shell_command *command = &script->commands[i];
        must(command->argv[0] && command->argv[0][0]);
        must((command->constructs & ~script->constructs) == 0);
        must(strv_length((const char *const *)command->argv) == command->node->word_count);
    }
}

/* Quoted anew, a plain script has the same commands. */
static void check_again(const struct shell_script *script)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    struct shell_script again;
    for (size_t i = 0; i < script->count; i++) {
        if (i > 0)
            strbuf_addf(&text, " %s ", shell_operator_text(script->operators[i - 1]));
        text_quote_argv(&text, (const char *const *)script->commands[i].argv);
    }
    if (text.length <= SHELL_SCRIPT_MAX) {
        shell_parse(strbuf_str(&text), text.length, &again);
        must(again.plain && again.count == script->count);
        for (size_t i = 0; i < script->count; i++)
            for (size_t j = 0; script->commands[i].argv[j]; j++)
                must(strcmp(script->commands[i].argv[j], again.commands[i].argv[j]) == 0);
        shell_script_clear(&again);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct shell_script script;
    shell_parse((const char *)data, size, &script);
    check_tree(script.tree, size);
    check_script(&script);
    if (script.plain)
        check_again(&script);
    shell_script_clear(&script);
    return 0;
}
