/* SPDX-License-Identifier: MIT */
/* plain_document: a document in lines. */
#include "config.h"

#include <string.h>

#include "ui/plain_int.h"

static void say_lines(struct plain *plain, const char *edge, const char *text)
{
    while (*text != '\0') {
        size_t line = strcspn(text, "\n");

        plain_say(plain, "%s%.*s", edge, (int)line, text);
        text += line + (text[line] == '\n');
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
        say_lines(plain, document_is_foreign(block) ? "    | " : "    ", block->text);
        if (block->seen != NULL)
            *block->seen = true;
    }
    document_clear(text);
}
