/* SPDX-License-Identifier: MIT */
/* plain_document: a document in lines. */
#include "config.h"

#include <string.h>

#include "ui/plain_int.h"

static void say_lines(struct plain *plain, const struct document_block *block)
{
    bool words = block->kind == DOCUMENT_QUOTED || block->kind == DOCUMENT_ROWS;

    for (const char *text = block->text; *text != '\0'; text += *text == '\n') {
        size_t line = strcspn(text, "\n");

        if (document_is_foreign(block))
            plain_quote(plain, text, line, words ? WRAP_WORDS : WRAP_EXACT);
        else
            plain_say(plain, "    %.*s", (int)line, text);
        text += line;
    }
}

void plain_show(struct plain *plain, const char *title, struct document *text)
{
    plain_say(plain, "%s", "");
    plain_say(plain, "%s", title);
    for (size_t i = 0; i < text->count; i++) {
        const struct document_block *block = &text->blocks[i];

        if (block->heading != NULL)
            plain_say(plain, "  %s:", block->heading);
        say_lines(plain, block);
        if (block->seen != NULL)
            *block->seen = true;
    }
    document_clear(text);
}
