/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/drive/form.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/json.h"
#include "base/strbuf.h"

#define FIELDS_MAX 50
#define CHOICES_MAX 100
#define TEXT_MAX_BYTES 1000
#define CHOICE_MAX_BYTES 200

enum field_type { FIELD_TEXT, FIELD_NUMBER, FIELD_INTEGER, FIELD_BOOLEAN };

struct field {
    char *key, *label;
    json_t *values;   /* what may be chosen, or NULL: anything */
    json_t *labels;   /* how that is called, of the same length */
    json_t *fallback; /* what an empty line means, or NULL */
    enum field_type type;
    bool open;          /* other words than the choices will do */
    bool several;       /* any number of the choices */
    bool optional;      /* it may be left out */
    bool secret;        /* its answer is shown and recorded nowhere */
    double least, most; /* of a number; its length or how many of other kinds */
};

struct form {
    struct field *fields;
    size_t count, at;
    char *intro; /* what comes before the first, or NULL */
    bool unfit;  /* the last line did not fit */
    struct strbuf question;
    json_t *content;
};

static const char *text_member(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* At most so many bytes, never half a character, and it shows that there was more. */
static void add_cut(struct strbuf *out, const char *text, size_t limit)
{
    size_t length = strlen(text), end = length < limit ? length : limit;
    while (end < length && end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
        end--;
    strbuf_add(out, text, end);
    if (end < length)
        strbuf_addf(out, "… (%zu bytes more)", length - end);
}

static char *cut_text(const char *text)
{
    cleanup_strbuf struct strbuf out = STRBUF_INIT;
    add_cut(&out, text, TEXT_MAX_BYTES);
    return xstrdup(strbuf_str(&out));
}

static bool holds_any(const char *text, const char *const *parts)
{
    for (; text != NULL && *parts != NULL; parts++)
        if (strcasestr(text, *parts) != NULL)
            return true;
    return false;
}

/* Does it ask for a password or the like? Errs towards yes. */
static bool asks_secret(const char *key, const json_t *schema)
{
    static const char *const names[] = {"pass", "secret", "token", "key", "credential", NULL};
    static const char *const words[] = {"password",   "passphrase", "passcode", "secret",
                                        "credential", "token",      "api key",  NULL};
    const char *format = text_member(schema, "format");
    return (format != NULL && strcasecmp(format, "password") == 0) ||
           json_is_true(json_object_get(schema, "writeOnly")) ||
           json_is_true(json_object_get(schema, "isSecret")) || holds_any(key, names) ||
           holds_any(text_member(schema, "title"), names) ||
           holds_any(text_member(schema, "description"), words) ||
           holds_any(text_member(schema, "question"), words);
}

/* ---- making --------------------------------------------------------------------------------- */

static struct form *new_form(void)
{
    struct form *form = XNEW(struct form);
    form->content = json_object();
    return form;
}

void form_free(struct form **place)
{
    struct form *form = *place;
    if (form == NULL)
        return;
    for (size_t i = 0; i < form->count; i++) {
        free(form->fields[i].key);
        free(form->fields[i].label);
        json_decref(form->fields[i].values);
        json_decref(form->fields[i].labels);
        json_decref(form->fields[i].fallback);
    }
    free(form->fields);
    free(form->intro);
    strbuf_free(&form->question);
    json_decref(form->content);
    free(form);
    *place = NULL;
}

static struct field *add_field(struct form *form, const char *key, const char *label)
{
    form->fields = xreallocarray(form->fields, form->count + 1, sizeof(*form->fields));
    struct field *field = &form->fields[form->count++];
    *field = (struct field){
        .key = xstrdup(key), .label = cut_text(label), .least = -INFINITY, .most = INFINITY};
    return field;
}

/* enum: ["a", "b"], with enumNames or without; oneOf, anyOf: [{const, title}]. */
static void take_choices(struct field *field, const json_t *schema)
{
    json_t *values = json_object_get(schema, "enum");
    json_t *names = json_object_get(schema, "enumNames");
    const json_t *titled = json_object_get(schema, "oneOf");
    if (!json_is_array(titled))
        titled = json_object_get(schema, "anyOf");
    size_t index;
    json_t *choice;
    if (json_is_array(values)) {
        field->values = json_incref(values);
        bool named = json_array_size(names) == json_array_size(values);
        field->labels = json_incref(named ? names : values);
    } else if (json_is_array(titled)) {
        field->values = json_array();
        field->labels = json_array();
        json_array_foreach(titled, index, choice)
        {
            json_t *value = json_object_get(choice, "const");
            json_t *title = json_object_get(choice, "title");
            json_array_append(field->values, value);
            json_array_append(field->labels, title != NULL ? title : value);
        }
    }
}

/* True when there is one of these limits. */
static bool take_limit(const json_t *schema, const char *const *names, double *limit)
{
    for (; *names != NULL; names++) {
        const json_t *value = json_object_get(schema, *names);
        if (json_is_number(value)) {
            *limit = json_number_value(value);
            return true;
        }
    }
    return false;
}

static void take_limits(struct field *field, const json_t *schema)
{
    static const char *const least[] = {"minimum", "minLength", "minItems", NULL};
    static const char *const most[] = {"maximum", "maxLength", "maxItems", NULL};
    take_limit(schema, least, &field->least);
    take_limit(schema, most, &field->most);
}

/* -1: a kind of field that is not known here. */
static int take_type(struct field *field, const json_t *schema)
{
    static const char *const types[] = {
        [FIELD_TEXT] = "string",
        [FIELD_NUMBER] = "number",
        [FIELD_INTEGER] = "integer",
        [FIELD_BOOLEAN] = "boolean",
    };
    const char *type = text_member(schema, "type");
    field->several = type != NULL && strcmp(type, "array") == 0;
    if (field->several) {
        take_choices(field, json_object_get(schema, "items"));
        return json_array_size(field->values) > 0 ? 0 : -1;
    }
    for (size_t at = 0; at < COUNT(types); at++)
        if (type != NULL && strcmp(types[at], type) == 0) {
            field->type = (enum field_type)at;
            take_choices(field, schema);
            return 0;
        }
    return -1;
}

static bool is_required(const json_t *schema, const char *key)
{
    size_t index;
    const json_t *name;
    json_array_foreach(json_object_get(schema, "required"), index, name)
    {
        if (json_is_string(name) && strcmp(json_string_value(name), key) == 0)
            return true;
    }
    return false;
}

static int take_property(struct form *form, const char *key, const json_t *schema,
                         struct error *error)
{
    const char *title = text_member(schema, "title");
    const char *about = text_member(schema, "description");
    json_t *fallback = json_object_get(schema, "default");
    if (form->count == FIELDS_MAX)
        return error_set(error, 0, "more than %d fields", FIELDS_MAX);
    struct field *field = add_field(form, key, about != NULL ? about : title != NULL ? title : key);
    if (take_type(field, schema) != 0)
        return error_set(error, 0, "the field %.100s is of a kind that is not known here", key);
    if (json_array_size(field->values) > CHOICES_MAX)
        return error_set(error, 0, "the field %.100s has too many choices", key);
    take_limits(field, schema);
    field->secret =
        field->type != FIELD_BOOLEAN && field->values == NULL && asks_secret(key, schema);
    if (fallback != NULL && !json_is_null(fallback))
        field->fallback = json_incref(fallback);
    return 0;
}

struct form *form_from_schema(const char *message, const json_t *schema, struct error *error)
{
    const json_t *properties = json_object_get(schema, "properties");
    struct form *form = new_form();
    const char *key;
    json_t *property;
    int result = 0;
    if (!json_is_object(properties) || json_object_size(properties) == 0)
        result = error_set(error, 0, "a question without fields");
    json_object_foreach((json_t *)properties, key, property)
    {
        if (result == 0)
            result = take_property(form, key, property, error);
        if (result == 0)
            form->fields[form->count - 1].optional = !is_required(schema, key);
    }
    if (result < 0)
        form_free(&form);
    cleanup_free char *intro = cut_text(message != NULL ? message : "");
    if (form != NULL)
        form->intro = xasprintf("%s\n", intro);
    return form;
}

struct form *form_from_questions(const json_t *questions, struct error *error)
{
    struct form *form = new_form();
    size_t index, number;
    const json_t *question, *option;
    json_array_foreach(questions, index, question)
    {
        const char *id = text_member(question, "id");
        const char *words = text_member(question, "question");
        if (id == NULL || words == NULL || form->count == FIELDS_MAX)
            continue;
        struct field *field = add_field(form, id, words);
        field->open = true;
        field->values = json_array();
        json_array_foreach(json_object_get(question, "options"), number, option)
        {
            if (number < CHOICES_MAX && text_member(option, "label") != NULL)
                json_array_append(field->values, json_object_get(option, "label"));
        }
        field->labels = json_incref(field->values);
        field->secret = json_array_size(field->values) == 0 && asks_secret(NULL, question);
    }
    if (form->count > 0)
        return form;
    error_set(error, 0, "expected questions, each with id and question");
    form_free(&form);
    return NULL;
}

/* ---- asking --------------------------------------------------------------------------------- */

static void add_hints(struct strbuf *text, const struct field *field)
{
    cleanup_free char *dump = field->fallback != NULL && !json_is_string(field->fallback)
                                  ? json_dumps(field->fallback, JSON_ENCODE_ANY | JSON_COMPACT)
                                  : NULL;
    const char *fallback = dump != NULL ? dump : json_string_value(field->fallback);
    if (field->several)
        strbuf_addstr(text, "\n  any of them: numbers with commas between");
    if (field->type == FIELD_BOOLEAN)
        strbuf_addstr(text, "\n  yes or no");
    if (fallback != NULL) {
        strbuf_addstr(text, "\n  an empty line: ");
        add_cut(text, field->secret ? "what the agent gave" : fallback, CHOICE_MAX_BYTES);
    } else if (field->optional) {
        strbuf_addstr(text, "\n  an empty line leaves it out");
    }
}

const char *form_question(struct form *form)
{
    size_t index;
    const json_t *label;
    if (form->at == form->count)
        return NULL;
    const struct field *field = &form->fields[form->at];
    strbuf_reset(&form->question);
    if (form->unfit)
        strbuf_addstr(&form->question, "(That did not fit.)\n");
    if (form->at == 0 && form->intro != NULL)
        strbuf_addstr(&form->question, form->intro);
    if (form->count > 1)
        strbuf_addf(&form->question, "%zu of %zu: ", form->at + 1, form->count);
    strbuf_addstr(&form->question, field->label);
    json_array_foreach(field->labels, index, label)
    {
        const char *text = json_string_value(label);
        strbuf_addf(&form->question, "\n  %zu  ", index + 1);
        add_cut(&form->question, text != NULL ? text : "?", CHOICE_MAX_BYTES);
    }
    add_hints(&form->question, field);
    return strbuf_str(&form->question);
}

bool form_is_secret(const struct form *form)
{
    return form->at < form->count && form->fields[form->at].secret;
}

/* The choice of that number or of those words, borrowed. */
static json_t *choose(const struct field *field, const char *line)
{
    char *end = NULL;
    size_t index;
    json_t *label;
    long number = strtol(line, &end, 10);
    if (number > 0 && *end == '\0')
        return json_array_get(field->values, (size_t)number - 1);
    json_array_foreach(field->labels, index, label)
    {
        if (json_is_string(label) && strcmp(json_string_value(label), line) == 0)
            return json_array_get(field->values, index);
    }
    return NULL;
}

static bool within(const struct field *field, double size)
{
    return size >= field->least && size <= field->most;
}

/* "1, 3": new reference, or NULL. */
static json_t *choose_several(const struct field *field, const char *line)
{
    cleanup_free char *copy = xstrdup(line);
    json_t *chosen = json_array();
    char *rest = NULL;
    for (char *word = strtok_r(copy, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest)) {
        word += strspn(word, " ");
        for (size_t length = strlen(word); length > 0 && word[length - 1] == ' ';)
            word[--length] = '\0';
        json_t *value = choose(field, word);
        if (value == NULL) {
            json_decref(chosen);
            return NULL;
        }
        json_array_append(chosen, value);
    }
    if (within(field, (double)json_array_size(chosen)))
        return chosen;
    json_decref(chosen);
    return NULL;
}

static json_t *number_of(const struct field *field, const char *line)
{
    char *end = NULL;
    errno = 0;
    if (field->type == FIELD_INTEGER) {
        long long whole = strtoll(line, &end, 10);
        bool good = end != line && *end == '\0' && errno == 0 && within(field, (double)whole);
        return good ? json_integer(whole) : NULL;
    }
    double number = strtod(line, &end);
    bool good = end != line && *end == '\0' && errno == 0 && within(field, number);
    return good ? json_real(number) : NULL; /* NULL: inf */
}

/* Characters, as JSON's schemas count them. */
static double length_of(const char *line)
{
    size_t count = 0;
    for (; *line != '\0'; line++)
        count += ((unsigned char)*line & 0xc0) != 0x80;
    return (double)count;
}

/* New reference, or NULL. */
static json_t *value_of(const struct field *field, const char *line)
{
    bool yes = strcasecmp(line, "yes") == 0, no = strcasecmp(line, "no") == 0;
    if (field->type == FIELD_TEXT)
        return within(field, length_of(line)) ? json_string_lossy(line, strlen(line)) : NULL;
    if (field->type == FIELD_BOOLEAN)
        return yes || no ? json_boolean(yes) : NULL;
    return number_of(field, line);
}

/* New reference, or NULL when the line does not fit. */
static json_t *read_line(const struct field *field, const char *line)
{
    json_t *value = NULL;
    if (field->several)
        return choose_several(field, line);
    if (json_array_size(field->values) > 0)
        value = json_incref(choose(field, line));
    if (value == NULL && (field->open || json_array_size(field->values) == 0))
        value = value_of(field, line);
    return value;
}

bool form_answer(struct form *form, const char *line)
{
    if (form->at == form->count)
        return false;
    const struct field *field = &form->fields[form->at];
    json_t *value = NULL;
    if (line[0] == '\0')
        value = json_incref(field->fallback);
    bool left_out = line[0] == '\0' && value == NULL && field->optional;
    if (line[0] != '\0')
        value = read_line(field, line);
    form->unfit = value == NULL && !left_out;
    if (form->unfit)
        return false;
    if (value != NULL)
        json_object_set_new(form->content, field->key, value);
    form->at++;
    return true;
}

json_t *form_content(const struct form *form)
{
    return json_incref(form->content);
}
