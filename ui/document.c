/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/document.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/text.h"

void document_add(struct document *document, const char *heading, enum document_kind kind,
                  enum theme_element element, const char *text)
{
    size_t length = strlen(text);

    /* A row is ended by its newline; behind the last one is none. */
    length -= kind == DOCUMENT_ROWS && length > 0 && text[length - 1] == '\n';
    document->blocks =
        xreallocarray(document->blocks, document->count + 1, sizeof(*document->blocks));
    document->blocks[document->count++] = (struct document_block){
        .heading = heading != NULL ? xstrdup(heading) : NULL,
        .text = xstrndup(text, length),
        .kind = kind,
        .element = element,
    };
}

void document_add_foreign(struct document *document, const char *heading, enum document_kind kind,
                          enum theme_element element, const char *text)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;
    size_t length;

    if (text == NULL || *text == '\0')
        return;
    length = strlen(text);
    length -= text[length - 1] == '\n';
    text_escape(&safe, text, length,
                TEXT_KEEP_NEWLINES | TEXT_PLAIN_AGENT | text_tabs_of(text, length) |
                    (kind == DOCUMENT_QUOTED ? TEXT_PROSE : 0));
    document_add(document, heading, kind, element, strbuf_str(&safe));
}

void document_watch(struct document *document, bool *seen)
{
    document->blocks[document->count - 1].seen = seen;
}

bool document_is_foreign(const struct document_block *block)
{
    return block->kind != DOCUMENT_WORDS && block->kind != DOCUMENT_TABLE;
}

void document_clear(struct document *document)
{
    for (size_t i = 0; i < document->count; i++) {
        free(document->blocks[i].heading);
        free(document->blocks[i].text);
    }
    free(document->blocks);
    *document = (struct document){0};
}
