/* SPDX-License-Identifier: MIT */
/* Secrets that are known by what is in front of them, and where they end. */
#include "config.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "risk/mask-int.h"
#include "risk/place.h"

/* How far back it is looked what a value is part of: enough for a name, little enough for each. */
enum { BACK_MAX = 64 };

static bool is_blank(char character)
{
    return character == ' ' || character == '\t';
}

static bool is_separator(enum reading_kind kind, char character)
{
    static const char code[] = {'\n', '\r', ';', '|', '&', '(', ')', '<', '>'};
    static const char text[] = {'\n', '\r', ';', '|', '&'};
    return kind == READING_TEXT ? memchr(text, character, sizeof(text)) != NULL
                                : memchr(code, character, sizeof(code)) != NULL;
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* Where the quotes are in doubt: one that is here may as well close what is in front and be
 * followed by code. What is behind it is a part of the same word up to the first character that
 * ends one. */
static size_t doubtful_end(const struct reading *reading)
{
    const struct view *view = reading->view;
    size_t start = reading->at, at = start;
    if (mask_begins(view, at, "$'") || mask_begins(view, at, "$\""))
        at++;
    at += reading_mark_width(view, at);
    if (at > start && at < view->length && !isalnum((unsigned char)view->text[at]) &&
        strchr("_@#!$/", view->text[at]) == NULL)
        return start;
    size_t first = at;
    while (at < view->length && !is_blank(view->text[at]) &&
           !is_separator(READING_CODE, view->text[at]) &&
           strchr("\"'`\\", view->text[at]) == NULL &&
           !(view->text[at] == '$' && at + 1 < view->length && view->text[at + 1] == '('))
        at++;
    return at > first ? at : start;
}

/* Is a quoted value in data at its end, though a shell's word would go on? */
static bool ends_item(const struct reading *reading)
{
    const struct view *view = reading->view;
    return reading->at < view->length && strchr(",]})", view->text[reading->at]) != NULL;
}

/* What a value goes on over. */
enum extent { EXTENT_WORD, EXTENT_BLANKS, EXTENT_LINE };

static bool ends_value(const struct reading *reading, enum extent extent)
{
    char character = reading->view->text[reading->at];
    if (extent == EXTENT_LINE)
        return character == '\n' || character == '\r';
    return is_separator(reading->kind, character) || (is_blank(character) && extent == EXTENT_WORD);
}

/* The end of a value: where its shell word ends, or the quote that it stands in. Quotes within it
 * count to where they are closed; what is in a shell's own does not change where it ends. */
static size_t value_end(const struct reading *reading, enum extent extent)
{
    struct reading at = *reading;
    size_t safe = at.at;
    bool literal = false; /* in a shell's own single quotes: nothing in them is run */
    if (!reading_sure(&at))
        return doubtful_end(reading);
    while (at.at < at.view->length) {
        char character = at.view->text[at.at];
        bool base = at.depth == reading->depth;
        if (base && ends_value(&at, extent))
            return at.at;
        if (at.kind == READING_TEXT && character == '\n')
            return at.at;
        bool shells = at.kind == READING_COMMAND && reading->depth == 0 && at.depth > 0;
        if (at.kind != READING_TEXT && !shells && reading_unclosed(&at))
            break;
        if (reading_substitutes(&at) && !literal)
            return at.at;
        bool inside = at.depth > reading->depth;
        reading_step(&at);
        bool closes = inside && at.depth == reading->depth && reading->depth > 0;
        if (at.depth < reading->depth)
            return safe;
        if (shells ? at.lost : !reading_sure(&at))
            break;
        if (closes && extent == EXTENT_WORD && ends_item(&at))
            return at.at;
        literal = reading->depth == 0 && reading_literal(&at);
        if (at.depth == reading->depth && !at.dollar)
            safe = at.at;
    }
    return safe > reading->at ? safe : doubtful_end(reading);
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* Is all of a quoted text an address, perhaps with the name of a variable in front, so that what
 * would separate commands is a part of it? */
static bool fills_quote(const struct reading *reading)
{
    const struct view *view = reading->view;
    size_t at = reading->at, least = at > BACK_MAX ? at - BACK_MAX : 0;
    if (reading->depth == 0 || !reading_sure(reading))
        return false;
    while (at > least && (mask_is_name(view->text[at - 1]) || strchr("+.=", view->text[at - 1])))
        at--;
    bool quoted = at > 0 && (view->text[at - 1] == '"' || view->text[at - 1] == '\'');
    return (quoted || (at == 0 && reading->kind != READING_COMMAND)) &&
           !mask_is_script(reading, at);
}

/* Behind "://": where a password begins and ends, scheme://user:PASSWORD@host. */
bool mask_find_password(const struct reading *reading, size_t *start, size_t *end)
{
    const struct view *view = reading->view;
    size_t authority = reading->at + 3, stop = authority;
    if (!mask_begins(view, reading->at, "://"))
        return false;
    bool whole = reading->kind == READING_TEXT || fills_quote(reading);
    while (stop < view->length && strchr("/?# \t\r\n\"'`\\", view->text[stop]) == NULL &&
           (whole || !is_separator(READING_CODE, view->text[stop])) &&
           !(view->text[stop] == '$' && stop + 1 < view->length && view->text[stop + 1] == '('))
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

/* ---- leaders --------------------------------------------------------------------------------- */

/* Options of programs that take a password, and headers that hold one: what follows is masked. */
enum leader_kind {
    LEADER_OPTION, /* the next word, or what is behind = */
    LEADER_HEADER, /* may have several words */
    LEADER_USER,   /* only with a colon in it: NAME:PASSWORD */
    LEADER_GLUED,  /* with or without a blank */
};

static const struct leader {
    const char *start;
    enum leader_kind kind;
} leaders[] = {
    {"authorization:", LEADER_HEADER},  {"proxy-authorization:", LEADER_HEADER},
    {"x-api-key:", LEADER_HEADER},      {"api-key:", LEADER_HEADER},
    {"private-token:", LEADER_HEADER},  {"x-auth-token:", LEADER_HEADER},
    {"cookie:", LEADER_HEADER},         {"x-vault-token:", LEADER_HEADER},
    {"set-cookie:", LEADER_HEADER},     {"sshpass -p", LEADER_GLUED},
    {"--password", LEADER_OPTION},      {"--passwd", LEADER_OPTION},
    {"--pass", LEADER_OPTION},          {"--token", LEADER_OPTION},
    {"--secret", LEADER_OPTION},        {"--api-key", LEADER_OPTION},
    {"--apikey", LEADER_OPTION},        {"--access-token", LEADER_OPTION},
    {"--client-secret", LEADER_OPTION}, {"--oauth2-bearer", LEADER_OPTION},
    {"--private-key", LEADER_OPTION},   {"--passphrase", LEADER_OPTION},
    {"--auth-token", LEADER_OPTION},    {"--user", LEADER_USER},
    {"--proxy-user", LEADER_USER},      {"-u", LEADER_USER},
    {"identified by", LEADER_OPTION},   {"bearer", LEADER_OPTION},
};

/* A header's first character, or that of curl's -H which it is glued to. */
static size_t header_start(const struct view *view, size_t at)
{
    bool glued = at > 1 && memcmp(view->text + at - 2, "-H", 2) == 0 && mask_at_name(view, at - 2);
    return glued ? at - 2 : at;
}

/* Behind a leader: where its value begins; `at` when there is none. */
static size_t leader_end(const struct view *view, size_t at, enum leader_kind *kind)
{
    bool begins = mask_at_name(view, at), glued = header_start(view, at) < at;
    for (size_t i = 0; i < COUNT(leaders) && (begins || glued); i++) {
        size_t end = at + strlen(leaders[i].start);
        if (!mask_begins(view, at, leaders[i].start) ||
            (!begins && leaders[i].kind != LEADER_HEADER))
            continue;
        if (leaders[i].kind != LEADER_HEADER && leaders[i].kind != LEADER_GLUED &&
            (end == view->length || (view->text[end] != '=' && !is_blank(view->text[end]))))
            continue;
        while (end < view->length && (is_blank(view->text[end]) || view->text[end] == '='))
            end++;
        *kind = leaders[i].kind;
        return end;
    }
    return at;
}

/* NAME=VALUE, NAME+=VALUE and "name": "value" with a name that says secret: where the value begins.
 */
static size_t named_end(const struct view *view, size_t at)
{
    size_t end = at, name;
    if (!mask_at_name(view, at) || !mask_is_name(view->text[at]))
        return at;
    while (end < view->length && mask_is_name(view->text[end]))
        end++;
    name = end - at;
    if (end + 1 < view->length && view->text[end] == '+' && view->text[end + 1] == '=')
        end++;
    size_t sign = end;
    end += reading_mark_width(view, end);
    while (end < view->length && view->text[end] == ' ' && end - sign < 6)
        end++;
    if (end >= view->length || (view->text[end] != '=' && view->text[end] != ':') ||
        (end > sign && view->text[end] == '='))
        return at;
    if (!place_is_secret_name(view->text + at, name))
        return at;
    for (end++; end < view->length && view->text[end] == ' ';)
        end++;
    return end;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Is the first word of a header's value followed by what it is about: "Bearer X", or "a=b, c=d"? */
static bool goes_on(const struct view *view, size_t start, size_t end)
{
    static const char *const schemes[] = {"basic", "bearer",          "digest", "token",
                                          "key",   "oauth",           "apikey", "negotiate",
                                          "ntlm",  "aws4-hmac-sha256"};
    if (end >= view->length || !is_blank(view->text[end]) || end == start)
        return false;
    if (view->text[end - 1] == ',')
        return true;
    for (size_t i = 0; i < COUNT(schemes); i++)
        if (end - start == strlen(schemes[i]) && mask_begins(view, start, schemes[i]))
            return true;
    return false;
}

/* How much of what a header stands in is its value: a line of output, and a quote, or a word, that
 * begins with it, have nothing else. */
static enum extent header_extent(const struct reading *header, const struct reading *value)
{
    const struct view *view = header->view;
    size_t at = header_start(view, header->at);
    if (header->kind == READING_TEXT)
        return EXTENT_LINE;
    if (value->depth == 0 || !reading_sure(value))
        return EXTENT_WORD;
    if (reading_begins(header, at) && !header->runs && !header->mentions)
        return EXTENT_LINE;
    bool quoted = at == 0 || view->text[at - 1] == '"' || view->text[at - 1] == '\'';
    return quoted ? EXTENT_BLANKS : EXTENT_WORD;
}

static size_t word_end(const struct reading *word, bool script)
{
    return script ? doubtful_end(word) : value_end(word, EXTENT_WORD);
}

/* A header that does not have all of a text has words as they belong together. In a script they are
 * words of one command all the same. */
static size_t header_end(const struct reading *header, const struct reading *value, bool script)
{
    const struct view *view = value->view;
    enum extent extent = script ? EXTENT_WORD : header_extent(header, value);
    if (extent != EXTENT_WORD)
        return value_end(value, extent);
    struct reading word = *value;
    size_t end = word_end(&word, script), start = word.at;
    while (goes_on(view, start, end)) {
        while (word.at < end || (word.at < view->length && is_blank(view->text[word.at])))
            reading_step(&word);
        start = word.at;
        size_t next = start < view->length ? word_end(&word, script) : start;
        if (next == start)
            break;
        end = next;
    }
    return end;
}

/* $NAME, ${NAME}: it is said elsewhere. */
static bool is_variable(const struct view *view, size_t at)
{
    return view->text[at] == '$' && at + 1 < view->length &&
           (view->text[at + 1] == '{' || view->text[at + 1] == '_' ||
            isalpha((unsigned char)view->text[at + 1]));
}

/* What is behind -u is a secret only with a colon in it. Where one was looked for in vain it is not
 * looked for again: each of "-u=-u=-u=…" would look to the end. */
static bool has_colon(struct reading *reading, size_t start, size_t end)
{
    if (memchr(reading->view->text + start, ':', end - start) != NULL)
        return true;
    reading->no_user_until = end;
    return false;
}

/* Is a $ in a value nothing but a character: in a word that no shell reads, or in single quotes
 * around a whole word? */
static bool is_literal(const struct reading *name, const struct reading *value)
{
    return value->kind == READING_WORD || (reading_literal(value) && !value->runs &&
                                           value->opened[0] == name->at && reading_sure(value));
}

static size_t leader_or_name_end(const struct view *view, size_t at, enum leader_kind *kind)
{
    size_t end = leader_end(view, at, kind);
    if (end == at)
        end = named_end(view, at);
    if (end > at)
        return end;
    bool user = false;
    end = mask_option_end(view, at, &user);
    *kind = user ? LEADER_USER : LEADER_OPTION;
    return end;
}

bool mask_find_value(struct reading *reading, size_t *start, size_t *end)
{
    const struct view *view = reading->view;
    enum leader_kind kind = LEADER_OPTION;
    *start = leader_or_name_end(view, reading->at, &kind);
    if (*start == reading->at || *start >= view->length)
        return false;
    struct reading value = *reading;
    while (value.at < *start)
        reading_step(&value);
    if (value.at > *start || (kind == LEADER_USER && *start < reading->no_user_until))
        return false;
    bool script = value.kind != READING_TEXT &&
                  ((value.runs && value.depth == 0) || mask_is_script(reading, reading->at));
    if (is_variable(view, *start) && (script || !is_literal(reading, &value)))
        return false;
    if (kind == LEADER_HEADER)
        *end = header_end(reading, &value, script);
    else
        *end = word_end(&value, script);
    return *end > *start && (kind != LEADER_USER || has_colon(reading, *start, *end));
}

bool mask_takes_password(const struct mask_words *words)
{
    size_t next = words->next;
    if (next == 0)
        return false;
    const char *word = words->words[next], *before = words->words[next - 1];
    size_t width = strlen(before);
    const struct view view = {before, width};
    for (size_t i = 0; i < COUNT(leaders); i++)
        if (leaders[i].kind != LEADER_GLUED && strcasecmp(before, leaders[i].start) == 0)
            return leaders[i].kind != LEADER_USER || strchr(word, ':') != NULL;
    if (mask_is_option_value(words))
        return true;
    if (next > 1 && strcmp(before, "-p") == 0 && strcmp(words->words[next - 2], "sshpass") == 0)
        return true;
    return width > 1 && named_end(&view, 0) == width;
}
