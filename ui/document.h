/* SPDX-License-Identifier: MIT */
/*
 * document: text of any length in blocks under headings, as it is shown to be read: on the screen
 * by overlay_full, in plain lines by plain_document.
 */
#ifndef ASSENT_UI_DOCUMENT_H
#define ASSENT_UI_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/theme.h"

enum document_kind {
    DOCUMENT_WORDS,     /* our words, broken between words */
    DOCUMENT_TABLE,     /* our words, in columns: blanks are kept */
    DOCUMENT_UNTRUSTED, /* a bar stands beside every line, so that it cannot pass for a heading */
    DOCUMENT_QUOTED,    /* the same for what is read as words: broken between them */
    DOCUMENT_PATCH,     /* the same, in the colours of a patch */
    DOCUMENT_ROWS,      /* the same, a row for each line: broken between words, and then indented */
};

struct document_block {
    char *heading; /* our words; or NULL */
    char *text;    /* safe to show */
    enum document_kind kind;
    enum theme_element element;
    bool *seen; /* see document_watch() */
};

/* Zeroed: empty. */
struct document {
    struct document_block *blocks;
    size_t count;
};

/* Adds a block. `heading` (our words) may be NULL; `text` is safe to show and may hold newlines.
 * Both are copied. */
void document_add(struct document *document, const char *heading, enum document_kind kind,
                  enum theme_element element, const char *text);
/* The same for text of others', which is made safe here, without a newline at its end; NULL and ""
 * add nothing. */
void document_add_foreign(struct document *document, const char *heading, enum document_kind kind,
                          enum theme_element element, const char *text);
/* *seen is set once the last line of the block that was added last has been before the operator's
 * eyes; it must outlive whatever shows the document. */
void document_watch(struct document *document, bool *seen);
/* Do they stand behind a bar: words of others'? */
bool document_is_foreign(const struct document_block *block);
/* Frees what it holds, and leaves it empty. */
void document_clear(struct document *document);

#define cleanup_document __attribute__((cleanup(document_clear)))

#endif
