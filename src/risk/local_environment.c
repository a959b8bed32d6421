/* SPDX-License-Identifier: MIT */
/* local_environment: which variables env and printenv show: those that they name, those that a grep
 * behind them lets through, or all. */
#include "config.h"

#include <string.h>

#include "base/array.h"
#include "risk/local_subject.h"
#include "risk/place.h"

#define NAME_BYTES "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* Does such a piece of a pattern, "^(PATH", "HOME)=", let through only variables that say where
 * things are, or how they are shown? */
static bool is_harmless(const char *piece, size_t length)
{
    static const char *const parts[] = {"PATH", "HOME",   "SHELL", "LANG",
                                        "TERM", "EDITOR", "LC_",   "NODE_ENV"};
    while (length > 0 && strchr("=)", piece[length - 1]) != NULL)
        length--;
    for (; length > 0 && strchr("^(", *piece) != NULL; length--)
        piece++;
    if (strspn(piece, NAME_BYTES) < length || place_is_secret_name(piece, length))
        return false;
    for (size_t i = 0; i < COUNT(parts); i++)
        if (memmem(piece, length, parts[i], strlen(parts[i])) != NULL)
            return true;
    return false;
}

static bool pattern_is_harmless(const char *pattern)
{
    for (;;) {
        size_t length = strcspn(pattern, "\\|");
        if (!is_harmless(pattern, length))
            return false;
        pattern += length;
        if (*pattern == '\0')
            return true;
        pattern += *pattern == '\\' ? 1 : 0;
        if (*pattern++ != '|')
            return false;
    }
}

/* grep PATTERN, with no option that lets more through than it says. */
static bool is_narrow_grep(const struct shell_node *node)
{
    static const char *const programs[] = {"egrep", "fgrep", "grep"};
    if (node->kind != SHELL_COMMAND || node->word_count < 2 || node->redirect_count > 0 ||
        !IS_IN(node->words[0].text, programs))
        return false;
    for (size_t i = 0; i < node->word_count; i++)
        if (!node->words[i].literal)
            return false;
    for (size_t i = 1; i + 1 < node->word_count; i++) {
        const char *option = node->words[i].text;
        if (option[0] != '-' || option[1] == '\0' ||
            option[1 + strspn(option + 1, "EFGnowx")] != '\0')
            return false;
    }
    return pattern_is_harmless(node->words[node->word_count - 1].text);
}

/* Does all that the node prints go into such a grep? */
static bool is_narrowed(const struct subject *subject)
{
    const struct shell_tree *tree = subject->assessor->tree;
    const struct shell_node *node = subject->view->node, *next = node + 1;
    return node->redirect_count == 0 && node->assignment_count == 0 && node->word_count == 1 &&
           next < tree->nodes + tree->count && next->operator_ == SHELL_PIPE &&
           next->parent == node->parent && next->context == node->context && is_narrow_grep(next);
}

bool local_subject_environment(const struct subject *subject)
{
    const struct effect_reading *reading = subject->reading;
    for (size_t i = 0; i < reading->operand_count; i++) {
        const char *name = local_subject_operand(subject, i);
        if (place_is_secret_name(name, strlen(name)))
            local_subject_note_word(subject, reading->operands[i], RISK_HIGH,
                                    RISK_DATA_EXFILTRATION, PHRASE_reads_secrets);
    }
    if (!is_narrowed(subject))
        return false;
    local_subject_note(subject, RISK_LOW, 0, PHRASE_reads);
    return true;
}
