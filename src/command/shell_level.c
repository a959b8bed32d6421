/* SPDX-License-Identifier: MIT */
/* shell_level: the nodes and the open compound commands of one list of commands. */
#include "config.h"

#include "base/alloc.h"
#include "base/i18n.h"
#include "command/shell_tree-int.h"

unsigned shell_level_context(const struct shell_level *level)
{
    unsigned context = level->context;
    for (size_t i = 0; i < level->frame_count; i++)
        context |= level->frames[i].context;
    return context;
}

struct shell_nodes shell_level_feeds(const struct shell_level *level)
{
    if (level->pipe.last > level->pipe.first)
        return level->pipe;
    return level->frame_count > 0 ? level->frames[level->frame_count - 1].feeds : level->feeds;
}

unsigned shell_level_function_context(const struct shell_level *level)
{
    return level->function_next ? SHELL_IN_FUNCTION : 0;
}

/* The node that is being read; a new one when there is none. NULL when there are too many. */
struct shell_node *shell_level_open_node(struct shell_reader *reader, size_t start)
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
        .context = shell_level_context(level) | shell_level_function_context(level),
        .parent = level->parent,
        .operator_ = level->operator_,
        .feeds = shell_level_feeds(level),
        .start = shell_source_place(&reader->source, start),
        .end = shell_source_place(&reader->source, start),
    };
    level->expects_command = false;
    return node;
}

void shell_level_add_word(struct shell_word **words, size_t *count, struct shell_word word)
{
    if ((*count & (*count - 1)) == 0) /* full: the room is a power of two */
        *words = xreallocarray(*words, *count ? *count * 2 : 1, sizeof(**words));
    (*words)[(*count)++] = word;
}

void shell_level_end_node(struct shell_level *level)
{
    if (level->command != SHELL_NO_NODE)
        level->function_next = level->coprocess_next = false;
    level->command = SHELL_NO_NODE;
}

/* What was taken for a command is a keyword. */
void shell_level_drop_node(struct shell_reader *reader)
{
    reader->tree->count--;
    reader->level->command = SHELL_NO_NODE;
}

/* ---- frames ---------------------------------------------------------------------------------- */

void shell_level_open_frame(struct shell_reader *reader, unsigned context, bool is_case)
{
    struct shell_level *level = reader->level;
    if (level->frame_count == SHELL_FRAMES_MAX) {
        shell_source_give_up(reader, N_("nested too deeply"));
        return;
    }
    level->frames[level->frame_count++] = (struct shell_frame){
        .context = context | shell_level_function_context(level),
        .is_case = is_case,
        .element = level->element,
        .feeds = shell_level_feeds(level),
    };
    level->function_next = level->coprocess_next = false;
}

void shell_level_close_frame(struct shell_level *level)
{
    if (level->frame_count > 0)
        level->element = level->frames[--level->frame_count].element;
    level->after_compound = true;
}
