/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/mask.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"
#include "risk/place.h"

/* The text being looked at. */
struct view {
    const char *text;
    size_t length;
};

static bool begins(const struct view *view, size_t at, const char *word)
{
    size_t width = strlen(word);
    return view->length - at >= width && strncasecmp(view->text + at, word, width) == 0;
}

static bool is_name(char character)
{
    return isalnum((unsigned char)character) || character == '_' || character == '-';
}

/* The end of a value: at a blank, or at the quote that it stands in. */
static size_t value_end(const struct view *view, size_t at, bool blanks)
{
    char quote = '\0';
    size_t start = at;
    if (at < view->length && (view->text[at] == '"' || view->text[at] == '\''))
        quote = view->text[at++];
    for (; at < view->length; at++) {
        char character = view->text[at];
        if (quote != '\0' ? character == quote : strchr("\"'\n;|&", character) != NULL)
            break;
        if (quote == '\0' && !blanks && isspace((unsigned char)character))
            break;
    }
    at += quote != '\0' && at < view->length;
    return at > start ? at : start;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

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
    if (at > 0 && is_name(view->text[at - 1]))
        return at;
    for (size_t i = 0; i < COUNT(tokens); i++) {
        size_t width = strlen(tokens[i].start), end = at + width;
        if (view->length - at < width || memcmp(view->text + at, tokens[i].start, width) != 0)
            continue;
        while (end < view->length && (is_name(view->text[end]) || strchr("./+=~", view->text[end])))
            end++;
        if (end - at - width >= tokens[i].least)
            return end;
    }
    return at;
}

/* -----BEGIN … PRIVATE KEY----- to its end, or to the end of the text. */
static size_t key_end(const struct view *view, size_t at)
{
    if (!begins(view, at, "-----BEGIN "))
        return at;
    const char *start = view->text + at;
    const char *line = memchr(start, '\n', view->length - at);
    size_t head = line != NULL ? (size_t)(line - start) : view->length - at;
    if (memmem(start, head, "PRIVATE KEY", 11) == NULL)
        return at;
    const char *end = memmem(start, view->length - at, "-----END ", 9);
    if (end == NULL)
        return view->length;
    const char *last = memmem(end + 9, view->length - (size_t)(end + 9 - view->text), "-----", 5);
    return last != NULL ? (size_t)(last + 5 - view->text) : view->length;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Behind "://": where a password begins and ends, scheme://user:PASSWORD@host. */
static bool find_password(const struct view *view, size_t at, size_t *start, size_t *end)
{
    if (!begins(view, at, "://"))
        return false;
    size_t authority = at + 3, stop = authority;
    while (stop < view->length && strchr("/?# \t\n\"'", view->text[stop]) == NULL)
        stop++;
    const char *sign = memrchr(view->text + authority, '@', stop - authority);
    if (sign == NULL)
        return false;
    const char *colon =
        memchr(view->text + authority, ':', (size_t)(sign - view->text) - authority);
    *start = colon != NULL ? (size_t)(colon - view->text) + 1 : authority;
    *end = (size_t)(sign - view->text);
    return *end > *start;
}

/* Options of programs that take a password, and headers that hold one: what follows is masked. */
static const struct {
    const char *start;
    bool blanks; /* the value goes on behind a blank: "Bearer X" */
} leaders[] = {
    {"authorization:", true},
    {"proxy-authorization:", true},
    {"x-api-key:", true},
    {"api-key:", true},
    {"private-token:", true},
    {"x-auth-token:", true},
    {"cookie:", true},
    {"x-vault-token:", true},
    {"set-cookie:", true},
    {"sshpass -p", false},
    {"--password", false},
    {"--passwd", false},
    {"--pass", false},
    {"--token", false},
    {"--secret", false},
    {"--api-key", false},
    {"--apikey", false},
    {"--access-token", false},
    {"--client-secret", false},
    {"--oauth2-bearer", false},
    {"--private-key", false},
    {"--passphrase", false},
    {"--auth-token", false},
    {"--user ", false},
    {"-u ", false},
    {"identified by ", false},
    {"bearer ", false},
};

/* Behind a leader: where its value begins; `at` when there is none. */
static size_t leader_end(const struct view *view, size_t at, bool *blanks)
{
    if (at > 0 && is_name(view->text[at - 1]))
        return at;
    for (size_t i = 0; i < COUNT(leaders); i++) {
        if (!begins(view, at, leaders[i].start))
            continue;
        size_t end = at + strlen(leaders[i].start);
        if (!leaders[i].blanks && is_name(view->text[end - 1]) && end < view->length &&
            view->text[end] != '=' && !isspace((unsigned char)view->text[end]) &&
            strcmp(leaders[i].start, "sshpass -p") != 0)
            continue;
        while (end < view->length && (view->text[end] == ' ' || view->text[end] == '='))
            end++;
        *blanks = leaders[i].blanks;
        /* -u NAME is no secret, -u NAME:PASSWORD is one. */
        bool user =
            strcmp(leaders[i].start, "-u ") == 0 || strcmp(leaders[i].start, "--user ") == 0;
        size_t stop = value_end(view, end, false);
        if (user && memchr(view->text + end, ':', stop - end) == NULL)
            return at;
        return end;
    }
    return at;
}

/* NAME=VALUE and "name": "value" with a name that says secret: where the value begins. */
static size_t named_end(const struct view *view, size_t at)
{
    size_t end = at, name;
    if ((at > 0 && is_name(view->text[at - 1])) || !is_name(view->text[at]))
        return at;
    while (end < view->length && is_name(view->text[end]))
        end++;
    name = end - at;
    while (end < view->length && strchr("\"' ", view->text[end]) != NULL && end - at - name < 3)
        end++;
    if (end >= view->length || (view->text[end] != '=' && view->text[end] != ':') ||
        (end > at + name && view->text[end] == '='))
        return at;
    if (!place_is_secret_name(view->text + at, name))
        return at;
    for (end++; end < view->length && view->text[end] == ' ';)
        end++;
    return end;
}

/* A secret that begins at `at`: text up to `*start` stays, that up to `*end` is masked. */
static bool find_secret(const struct view *view, size_t at, size_t *start, size_t *end)
{
    bool blanks = false;
    *start = at;
    *end = key_end(view, at);
    if (*end == at)
        *end = token_end(view, at);
    if (*end > at || find_password(view, at, start, end))
        return true;
    *start = leader_end(view, at, &blanks);
    if (*start == at)
        *start = named_end(view, at);
    if (*start == at)
        return false;
    *end = value_end(view, *start, blanks);
    return *end > *start && view->text[*start] != '$';
}

void mask_secrets(struct strbuf *out, const char *text, size_t length)
{
    const struct view view = {text, length};
    for (size_t at = 0; at < length;) {
        size_t start, end;
        if (!find_secret(&view, at, &start, &end)) {
            strbuf_addch(out, text[at++]);
            continue;
        }
        strbuf_add(out, text + at, start - at);
        strbuf_addstr(out, MASK_SIGN);
        at = end;
    }
}

char *mask_word(const char *before, const char *word)
{
    struct strbuf safe = STRBUF_INIT;
    size_t width = strlen(before) + 1, length = strlen(word);
    if (width < 64 && length < 4096) {
        cleanup_free char *both = xasprintf("%s %s", before, word);
        mask_secrets(&safe, both, strlen(both));
        bool whole = safe.length < width || strncmp(strbuf_str(&safe), both, width) != 0 ||
                     strncmp(safe.data + width, MASK_SIGN, strlen(MASK_SIGN)) == 0;
        strbuf_reset(&safe);
        if (whole) {
            strbuf_free(&safe);
            return xstrdup(MASK_SIGN);
        }
    }
    mask_secrets(&safe, word, length);
    return safe.data != NULL ? strbuf_steal(&safe) : xstrdup("");
}

void mask_told(struct strbuf *out, const char *text, const char *command)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;
    mask_secrets(&safe, command, strlen(command));
    while (*text != '\0') {
        size_t blanks = strspn(text, " \t\n,"), word = strcspn(text + blanks, " \t\n,"), end = word;
        strbuf_add(out, text, blanks);
        text += blanks;
        while (end > 0 && strchr(".:;", text[end - 1]) != NULL) /* the sentence's own */
            end--;
        cleanup_free char *told = xstrndup(text, end);
        if (end > 0 && strstr(command, told) != NULL && strstr(strbuf_str(&safe), told) == NULL)
            strbuf_addstr(out, MASK_SIGN);
        else
            strbuf_add(out, text, end);
        strbuf_add(out, text + end, word - end);
        text += word;
    }
}
