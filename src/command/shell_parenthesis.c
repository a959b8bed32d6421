/* SPDX-License-Identifier: MIT */
/* shell_parenthesis: where "((" ends. */
#include "config.h"

#include "base/strbuf.h"
#include "command/shell_tree-int.h"

#define ANSI_QUOTE '\1' /* within $'…' */

/* What ends that which opens at `at`, within that which `within` ends; '\0' when nothing opens. */
static char closer_of(const struct shell_source *source, size_t at, char within, bool in_quotes)
{
    char byte = source->text[at], before = source->text[at - 1];
    if (within == '`')
        return '\0';
    if (byte == '(')
        return within == ')' || before == '$' ? ')' : '\0';
    if (byte == '{')
        return before == '$' ? '}' : '\0';
    if (byte == '\'' && !in_quotes)
        return before == '$' ? ANSI_QUOTE : '\'';
    return byte == '`' || byte == '"' ? byte : '\0';
}

size_t shell_parenthesis_match(const struct shell_source *source, bool *arithmetic)
{
    cleanup_strbuf struct strbuf open = STRBUF_INIT; /* what ends each that is open */
    size_t second = 0;                               /* where the second one is ended */
    strbuf_addstr(&open, "))");
    for (size_t at = source->at; at < source->length; at++) {
        const char *closers = strbuf_str(&open);
        char byte = source->text[at], closer = closers[open.length - 1];
        if (byte == '\\' && closer != '\'') {
            at++;
        } else if (byte == (closer == ANSI_QUOTE ? '\'' : closer)) {
            open.length--;
            if (open.length == 0) {
                *arithmetic = second + 1 == at;
                return at + 1;
            }
            if (open.length == 1 && second == 0)
                second = at;
        } else if (closer != '\'' && closer != ANSI_QUOTE) {
            bool in_quotes = closer == '"' || (open.length > 1 && closers[open.length - 2] == '"');
            char opened = closer_of(source, at, closer, in_quotes);
            if (opened != '\0')
                strbuf_addch(&open, opened);
        }
    }
    return 0;
}
