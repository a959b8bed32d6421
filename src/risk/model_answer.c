/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "risk/model-int.h"

#define DESCRIPTION_CHARACTERS 500

static void fail(struct opinion *opinion, enum opinion_status status, const char *detail)
{
    opinion->status = status;
    snprintf(opinion->detail, sizeof(opinion->detail), "%s", detail);
}

/* ---- the assessment -------------------------------------------------------------------------- */

static bool read_level(const char *name, enum risk_level *level)
{
    for (int i = RISK_LOW; i <= RISK_HIGH; i++)
        if (strcmp(name, risk_level_name((enum risk_level)i)) == 0) {
            *level = (enum risk_level)i;
            return true;
        }
    return false;
}

static bool read_categories(const json_t *list, unsigned *categories)
{
    if (list == NULL)
        return true;
    if (!json_is_array(list) || json_array_size(list) > RISK_CATEGORY_COUNT)
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        unsigned bit = 0;
        for (unsigned j = 0; j < RISK_CATEGORY_COUNT && name != NULL; j++)
            if (strcmp(name, risk_category_name(1U << j)) == 0)
                bit = 1U << j;
        if (bit == 0)
            return false;
        *categories |= bit;
    }
    return true;
}

static size_t count_characters(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += (*text & 0xc0) != 0x80;
    return count;
}

static bool has_foreign_key(const json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (strcmp(key, "description") != 0 && strcmp(key, "risk_level") != 0 &&
            strcmp(key, "risk_categories") != 0)
            return true;
    }
    return false;
}

static void read_assessment(const char *text, size_t length, struct opinion *opinion)
{
    struct error error = ERROR_INIT;
    cleanup_json json_t *object = json_parse(text, length, &error);
    const char *description = json_string_value(json_object_get(object, "description"));
    const char *level = json_string_value(json_object_get(object, "risk_level"));
    if (!json_is_object(object))
        fail(opinion, OPINION_PARSE_ERROR,
             *error.message != '\0' ? error.message : "not a JSON object");
    else if (has_foreign_key(object))
        fail(opinion, OPINION_PARSE_ERROR, "keys that were not asked for");
    else if (description == NULL || *description == '\0')
        fail(opinion, OPINION_PARSE_ERROR, "no description");
    else if (count_characters(description) > DESCRIPTION_CHARACTERS)
        fail(opinion, OPINION_PARSE_ERROR, "the description is too long");
    else if (level == NULL || !read_level(level, &opinion->level))
        fail(opinion, OPINION_PARSE_ERROR, "no such risk level");
    else if (!read_categories(json_object_get(object, "risk_categories"), &opinion->categories))
        fail(opinion, OPINION_PARSE_ERROR, "no such risk category");
    else {
        opinion->status = OPINION_SUCCESS;
        snprintf(opinion->description, sizeof(opinion->description), "%s", description);
    }
}

/* ---- the envelope ---------------------------------------------------------------------------- */

/* The texts of one or the other dialect's answer, put together. False when it is neither. */
static bool add_texts(const json_t *answer, struct strbuf *text)
{
    const json_t *output = json_object_get(answer, "output");
    const json_t *choices = json_object_get(answer, "choices");
    for (size_t i = 0; i < json_array_size(output); i++) {
        const json_t *content = json_object_get(json_array_get(output, i), "content");
        for (size_t j = 0; j < json_array_size(content); j++) {
            const json_t *part = json_array_get(content, j);
            const char *type = json_string_value(json_object_get(part, "type"));
            const char *piece = json_string_value(json_object_get(part, "text"));
            if (type != NULL && strcmp(type, "output_text") == 0 && piece != NULL)
                strbuf_addstr(text, piece);
        }
    }
    const json_t *message = json_object_get(json_array_get(choices, 0), "message");
    const char *piece = json_string_value(json_object_get(message, "content"));
    if (piece != NULL)
        strbuf_addstr(text, piece);
    return output != NULL || choices != NULL;
}

/* {"error": {"message": …}}, as both dialects have it. */
static const char *error_text(const json_t *answer)
{
    const json_t *error = json_object_get(answer, "error");
    if (error == NULL || json_is_null(error))
        return NULL;
    const char *text = json_string_value(json_object_get(error, "message"));
    return text != NULL ? text : "the model reports an error";
}

static void read_whole(const char *body, size_t length, struct strbuf *text,
                       struct opinion *opinion)
{
    struct error error = ERROR_INIT;
    cleanup_json json_t *answer = json_parse(body, length, &error);
    if (!json_is_object(answer))
        fail(opinion, OPINION_PARSE_ERROR,
             *error.message != '\0' ? error.message : "not a JSON object");
    else if (error_text(answer) != NULL)
        fail(opinion, OPINION_MODEL_ERROR, error_text(answer));
    else if (!add_texts(answer, text))
        fail(opinion, OPINION_PARSE_ERROR, "neither of the dialects");
}

/* ---- streams --------------------------------------------------------------------------------- */

/* One event's data: a delta of text, or an error. */
static void read_event(const char *data, size_t length, struct strbuf *text,
                       struct opinion *opinion)
{
    struct error error = ERROR_INIT;
    if (length == 6 && memcmp(data, "[DONE]", 6) == 0)
        return;
    cleanup_json json_t *event = json_parse(data, length, &error);
    if (!json_is_object(event)) {
        fail(opinion, OPINION_PARSE_ERROR, error.message);
        return;
    }
    const char *type = json_string_value(json_object_get(event, "type"));
    const json_t *choice = json_array_get(json_object_get(event, "choices"), 0);
    const char *piece = NULL;
    if (error_text(event) != NULL)
        fail(opinion, OPINION_MODEL_ERROR, error_text(event));
    else if (type != NULL && (strcmp(type, "error") == 0 || strcmp(type, "response.failed") == 0))
        fail(opinion, OPINION_MODEL_ERROR, "the model reports an error");
    else if (type != NULL && strcmp(type, "response.output_text.delta") == 0)
        piece = json_string_value(json_object_get(event, "delta"));
    else if (choice != NULL)
        piece = json_string_value(json_object_get(json_object_get(choice, "delta"), "content"));
    if (piece != NULL)
        strbuf_addstr(text, piece);
}

static void read_stream(const char *body, size_t length, struct strbuf *text,
                        struct opinion *opinion)
{
    const char *end = body + length;
    while (body < end && opinion->status == OPINION_NONE) {
        const char *newline = memchr(body, '\n', (size_t)(end - body));
        const char *stop = newline != NULL ? newline : end;
        size_t width = (size_t)(stop - body);
        if (width > 0 && body[width - 1] == '\r')
            width--;
        if (width > 5 && memcmp(body, "data:", 5) == 0) {
            size_t skip = body[5] == ' ' ? 6 : 5;
            read_event(body + skip, width - skip, text, opinion);
        }
        body = stop + 1;
    }
}

static bool is_stream(const char *body, size_t length)
{
    static const char *const starts[] = {"data:", "event:", ":"};
    for (size_t i = 0; i < COUNT(starts); i++)
        if (length >= strlen(starts[i]) && memcmp(body, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

void model_answer_read(const char *body, size_t length, struct opinion *opinion)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    opinion->status = OPINION_NONE;
    if (is_stream(body, length))
        read_stream(body, length, &text, opinion);
    else
        read_whole(body, length, &text, opinion);
    if (opinion->status != OPINION_NONE)
        return;
    if (text.length == 0)
        fail(opinion, OPINION_NO_OUTPUT, "an answer without a text");
    else
        read_assessment(strbuf_str(&text), text.length, opinion);
}
