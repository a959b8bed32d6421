/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/operator_complete.h"

#include <string.h>

#include "base/alloc.h"
#include "ui/operator_table.h"

/* Words that begin as what was typed. */
struct matches {
    const char *typed;
    size_t typed_length;
    const char *first; /* of them */
    size_t common;     /* bytes that all of them begin with */
    size_t count;
    struct strbuf *all;
};

static void consider(struct matches *matches, const char *word)
{
    size_t same = 0;

    if (strncmp(word, matches->typed, matches->typed_length) != 0)
        return;
    if (matches->count++ == 0) {
        matches->first = word;
        matches->common = strlen(word);
    }
    while (same < matches->common && word[same] == matches->first[same])
        same++;
    matches->common = same;
    strbuf_addf(matches->all, "%s%s", matches->all->length > 0 ? "  " : "", word);
}

/* What stands before the word, and the word as far as it is clear; a blank behind the only one
 * that wants an argument. */
static char *completed(const char *line, const struct matches *matches, bool goes_on)
{
    if (matches->count == 0)
        return NULL;
    if (matches->count == 1)
        strbuf_reset(matches->all);
    return xasprintf("%.*s%.*s%s", (int)(matches->typed - line), line, (int)matches->common,
                     matches->first, matches->count == 1 && goes_on ? " " : "");
}

static char *complete_name(const char *line, struct matches *matches)
{
    const struct operator_command *command, *last = NULL;

    for (size_t i = 0; (command = operator_command_at(i)) != NULL; i++) {
        size_t before = matches->count;

        consider(matches, command->name);
        if (matches->count > before)
            last = command;
    }
    return completed(line, matches, last != NULL && strchr(last->usage, ' ') != NULL);
}

char *operator_complete(const char *line, struct strbuf *choices)
{
    const char *name = line + 1 + strspn(line + 1, " ");
    size_t length = strcspn(name, " ");
    const struct operator_command *command;
    struct matches matches = {.typed = name, .typed_length = length, .all = choices};

    if (name[length] == '\0')
        return complete_name(line, &matches);
    command = operator_command_find(name, length);
    if (command == NULL || command->arguments == NULL)
        return NULL;
    matches.typed = name + length + strspn(name + length, " ");
    matches.typed_length = strlen(matches.typed);
    for (size_t i = 0; command->arguments[i] != NULL; i++)
        consider(&matches, command->arguments[i]);
    return completed(line, &matches, false);
}
