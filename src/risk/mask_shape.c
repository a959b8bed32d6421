/* SPDX-License-Identifier: MIT */
/* Secrets that are known by their shape, wherever they stand: tokens and private keys. */
#include "config.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "risk/mask-int.h"

bool mask_begins(const struct view *view, size_t at, const char *word)
{
    size_t width = strlen(word);
    return view->length - at >= width && strncasecmp(view->text + at, word, width) == 0;
}

bool mask_is_name(char character)
{
    return isalnum((unsigned char)character) || character == '_' || character == '-';
}

bool mask_at_name(const struct view *view, size_t at)
{
    if (at == 0 || !mask_is_name(view->text[at - 1]))
        return true;
    return at > 1 && view->text[at - 2] == '\\' && strchr("nrt", view->text[at - 1]) != NULL;
}

/* Tokens that are known by how they begin, and how many characters follow at least. */
static const struct {
    const char *start;
    size_t least;
} tokens[] = {
    {"sk-", 16},       {"sk_live_", 12},
    {"sk_test_", 12},  {"rk_live_", 12},
    {"ghp_", 20},      {"gho_", 20},
    {"ghu_", 20},      {"ghs_", 20},
    {"ghr_", 20},      {"github_pat_", 20},
    {"glpat-", 16},    {"xoxb-", 10},
    {"xoxp-", 10},     {"xoxa-", 10},
    {"xoxr-", 10},     {"AKIA", 16},
    {"ASIA", 16},      {"AIza", 30},
    {"eyJ", 20},       {"npm_", 20},
    {"pypi-", 20},     {"dop_v1_", 20},
    {"SG.", 20},       {"hf_", 20},
    {"ya29.", 20},     {"shpat_", 20},
    {"dckr_pat_", 16}, {"AGE-SECRET-KEY-", 20},
    {"whsec_", 16},    {"hooks.slack.com/services/", 10},
};

static size_t token_end(const struct view *view, size_t at)
{
    if (!mask_at_name(view, at))
        return at;
    for (size_t i = 0; i < COUNT(tokens); i++) {
        size_t width = strlen(tokens[i].start), end = at + width;
        if (view->length - at < width || memcmp(view->text + at, tokens[i].start, width) != 0)
            continue;
        while (end < view->length &&
               (mask_is_name(view->text[end]) || strchr("./+=~", view->text[end])))
            end++;
        if (end - at - width >= tokens[i].least)
            return end;
    }
    return at;
}

/* ---- private keys ---------------------------------------------------------------------------- */

enum {
    HEAD_MAX = 64,
    LINE_LEAST = 40, /* lines of a key are longer, but for the last and a checksum */
    SHORT_MAX = 2
};

/* Behind the head of a key; `at` when there is none. */
static size_t head_end(const struct view *view, size_t at)
{
    size_t end = at + strlen("-----BEGIN ");
    if (!mask_begins(view, at, "-----BEGIN "))
        return at;
    while (end < view->length && end - at < HEAD_MAX &&
           (isalnum((unsigned char)view->text[end]) || view->text[end] == ' '))
        end++;
    bool names = memmem(view->text + at, end - at, "PRIVATE KEY", 11) != NULL;
    return names && mask_begins(view, end, "-----") ? end + 5 : at;
}

/* What is between the lines of a key: blanks, newlines and their escapes, how it is encrypted. */
static size_t gap_end(const struct view *view, size_t at)
{
    for (;;) {
        if (at < view->length && strchr(" \t\r\n", view->text[at]) != NULL)
            at++;
        else if (mask_begins(view, at, "\\n") || mask_begins(view, at, "\\r"))
            at += 2;
        else if (mask_begins(view, at, "Proc-Type: ") || mask_begins(view, at, "DEK-Info: "))
            for (at += strlen("DEK-Info: "); at < view->length && view->text[at] != '\\' &&
                                             (isupper((unsigned char)view->text[at]) ||
                                              strchr("0123456789,- ", view->text[at]) != NULL);)
                at++;
        else
            return at;
    }
}

static size_t line_end(const struct view *view, size_t at)
{
    while (at < view->length &&
           (isalnum((unsigned char)view->text[at]) || strchr("+/=", view->text[at]) != NULL))
        at++;
    return at;
}

/* Behind the tail of a key; `at` when there is none. */
static size_t tail_end(const struct view *view, size_t at)
{
    size_t end = at + strlen("-----END ");
    if (!mask_begins(view, at, "-----END "))
        return at;
    while (end < view->length && end - at < HEAD_MAX &&
           (isalnum((unsigned char)view->text[end]) || view->text[end] == ' '))
        end++;
    return mask_begins(view, end, "-----") ? end + 5 : at;
}

/* A key ends where its lines do: what only begins like one hides nothing that follows. Short lines
 * are its own behind long ones, in front of its tail or of the end of a text that was cut. */
static size_t key_end(const struct view *view, size_t at)
{
    size_t end = head_end(view, at), place = end;
    unsigned shorts = 0;
    bool lines = false;
    if (end == at)
        return at;
    for (;;) {
        size_t start = gap_end(view, place), tail = tail_end(view, start);
        if (tail > start)
            return tail;
        if (lines && start == view->length)
            return place;
        place = line_end(view, start);
        bool is_long = place - start >= LINE_LEAST;
        if (is_long ? shorts > 0 : !lines || place == start || ++shorts > SHORT_MAX)
            return end;
        if (is_long)
            end = place;
        lines = true;
    }
}

size_t mask_shape_end(const struct reading *reading)
{
    struct view view = *reading->view;
    if (reading->at + 1 < view.length && reading->kind == READING_COMMAND && reading->depth == 0 &&
        view.text[reading->at] == '-') { /* a shell's next line is a command */
        size_t line = reading->at, most = line + HEAD_MAX;
        while (line < view.length && line < most && view.text[line] != '\n')
            line++;
        if (line < most)
            view.length = line;
    }
    size_t end = key_end(&view, reading->at);
    return end > reading->at ? end : token_end(reading->view, reading->at);
}
