/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/shell_evaluates.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"

#define DIGITS "0123456789"

/* "-5", "0x1f", "1.5e3", "" and $?: no name that could be a variable's, and no operator. */
static bool is_number(const struct shell_word *word)
{
    const char *text = word->text;
    if (word->status)
        return strcmp(text, "$?") == 0;
    text += *text == '-' || *text == '+';
    return word->literal && !word->heredoc && (*text == '\0' || strchr(DIGITS, *text) != NULL) &&
           text[strspn(text, DIGITS ".xXabcdefABCDEF")] == '\0';
}

/* A subscript with a substitution in it. */
static bool has_subscript(const struct shell_node *node)
{
    for (size_t i = 1; i < node->word_count; i++)
        if (strchr(node->words[i].text, '[') != NULL && strpbrk(node->words[i].text, "$`") != NULL)
            return true;
    return false;
}

/* ---- printf ---------------------------------------------------------------------------------- */

/* The operands of a format, in the order in which they are taken. */
struct operands {
    const struct shell_word *next, *end;
    bool any; /* one of them stands for any number of words */
};

static bool take(struct operands *operands, bool number)
{
    if (number && operands->any)
        return false;
    if (operands->next == operands->end)
        return true;
    return is_number(operands->next++) || !number;
}

/* Of the conversion behind a "%": are the operands that it takes what it may have? `*at` goes
 * behind it. */
static bool reads_conversion(const char **at, struct operands *operands)
{
    static const char flags[] = DIGITS "#'-+ .*hjlLtz";
    size_t length = strspn(*at, flags);
    for (size_t i = 0; i < length; i++)
        if ((*at)[i] == '*' && !take(operands, true))
            return false;
    char letter = (*at)[length];
    *at += length + (letter != '\0');
    if (letter == '%')
        return length == 0;
    if (letter != '\0' && strchr("bcqQs", letter) != NULL)
        return take(operands, false);
    return letter != '\0' && strchr("diouxXeEfFgGaA", letter) != NULL && take(operands, true);
}

/* The format once. What a shell could read otherwise, as "\%s" or "%\x6e", is in doubt. */
static bool reads_format(const char *format, struct operands *operands)
{
    for (const char *at = format; *at != '\0';) {
        char letter = *at++;
        if (letter == '\\' && *at == '%')
            return false;
        if (letter == '\\' && *at != '\0')
            at++;
        else if (letter == '%' && !reads_conversion(&at, operands))
            return false;
    }
    return true;
}

/* A shell begins again with the format while there are operands for it. */
static bool prints(const struct shell_word *format, struct operands operands)
{
    const struct shell_word *before = NULL;
    for (const struct shell_word *word = operands.next; word < operands.end; word++)
        operands.any = operands.any || word->glob;
    while (operands.next < operands.end && operands.next != before) {
        before = operands.next;
        if (!reads_format(format->text, &operands))
            return false;
    }
    return !format->glob && !format->heredoc;
}

static bool is_plain_printf(const struct shell_node *node)
{
    size_t format = node->word_count > 1 && strcmp(node->words[1].text, "--") == 0 ? 2 : 1;
    if (node->word_count <= format)
        return true;
    return strncmp(node->words[1].text, "-v", 2) != 0 &&
           prints(&node->words[format], (struct operands){.next = &node->words[format + 1],
                                                          .end = &node->words[node->word_count]});
}

/* ---- print and test -------------------------------------------------------------------------- */

/* Options that neither lead elsewhere nor take a word. */
static bool is_plain_print(const struct shell_node *node)
{
    static const char plain[] = "aceEilnNorR";
    for (size_t i = 1; i < node->word_count && node->words[i].text[0] == '-'; i++)
        if (node->words[i].text[1 + strspn(node->words[i].text + 1, plain)] != '\0')
            return strcmp(node->words[i].text, "--") == 0;
    return true;
}

static bool is_closing(const struct shell_word *word)
{
    return strcmp(word->text, "]") == 0;
}

static bool is_plain_test(const struct shell_node *node)
{
    static const char *const numbers[] = {"-eq", "-ge", "-gt", "-le", "-lt", "-ne"};
    for (size_t i = 1; i < node->word_count; i++) {
        const struct shell_word *word = &node->words[i];
        const struct shell_word *next = i + 1 < node->word_count ? word + 1 : NULL;
        bool compares = IS_IN(word->text, numbers);
        bool tells = next == NULL || is_closing(next) || is_number(next);
        if (strcmp(word->text, "-v") == 0 || strcmp(word->text, "-R") == 0 ||
            strpbrk(word->text, "$`") != NULL || (strcmp(word->text, "-t") == 0 && !tells) ||
            (compares && i > 1 && (!tells || !is_number(word - 1))))
            return false;
    }
    return true;
}

bool shell_evaluates(const struct shell_node *node)
{
    const char *name = node->words[0].text;
    if (strcmp(name, "printf") == 0)
        return has_subscript(node) || !is_plain_printf(node);
    if (strcmp(name, "print") == 0)
        return has_subscript(node) || !is_plain_print(node);
    return (strcmp(name, "test") == 0 || strcmp(name, "[") == 0) && !is_plain_test(node);
}
