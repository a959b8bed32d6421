/* SPDX-License-Identifier: MIT */
/* shell_source: the characters of a script, and the places at which they stand. */
#include "config.h"

#include <string.h>

#include "base/i18n.h"
#include "command/shell_tree-int.h"

/* A backslash before a newline is removed before anything else is recognised (POSIX.1-2017,
 * XCU 2.2.1). */
static void skip_continuations(struct shell_source *source)
{
    while (source->at + 1 < source->length && source->text[source->at] == '\\' &&
           source->text[source->at + 1] == '\n')
        source->at += 2;
}

int shell_source_peek(struct shell_source *source)
{
    skip_continuations(source);
    return shell_source_raw(source, 0);
}

int shell_source_take(struct shell_source *source)
{
    int byte = shell_source_peek(source);
    if (byte != SHELL_END)
        source->at++;
    return byte;
}

int shell_source_raw(const struct shell_source *source, size_t ahead)
{
    if (ahead >= source->length - source->at)
        return SHELL_END;
    return (unsigned char)source->text[source->at + ahead];
}

void shell_source_skip_blanks(struct shell_source *source)
{
    while (shell_source_is_one_of(shell_source_peek(source), " \t"))
        source->at++;
}

bool shell_source_is_one_of(int byte, const char *set)
{
    return byte > 0 && strchr(set, byte) != NULL;
}

size_t shell_source_place(const struct shell_source *source, size_t at)
{
    return source->span > 0 ? source->origin : source->origin + at;
}

size_t shell_source_place_end(const struct shell_source *source, size_t at)
{
    return source->span > 0 ? source->origin + source->span : source->origin + at;
}

void shell_source_doubt(struct shell_reader *reader, const char *reason, size_t at)
{
    struct shell_tree *tree = reader->tree;
    if (tree->reason && !shell_tree_is_of_home(tree->reason)) /* any other says more than that */
        return;
    tree->reason = reason;
    tree->offset = shell_source_place(&reader->source, at);
}

void shell_source_give_up(struct shell_reader *reader, const char *reason)
{
    shell_source_doubt(reader, reason, reader->source.at);
    reader->tree->truncated = true;
    reader->source.at = reader->source.length;
}

bool shell_source_descend(struct shell_reader *reader)
{
    if (reader->depth == SHELL_TREE_DEPTH_MAX) {
        shell_source_give_up(reader, N_("nested too deeply"));
        return false;
    }
    reader->depth++;
    return true;
}

void shell_source_ascend(struct shell_reader *reader)
{
    reader->depth--;
}
