/* SPDX-License-Identifier: MIT */
/* local_words: words as they will be when they are run, as far as that can be told from the line
 * alone: variables that it sets, $HOME and ${IFS}, substitutions that only print. */
#include "config.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/base64.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/wrapper.h"
#include "risk/local-int.h"

/* A word that grows beyond this is not followed. */
#define RESOLVED_MAX ((size_t)64 * 1024)

/* Nor is one that is longer than this from the start. */
#define FOLLOWED_MAX 4096

static const struct variable *find_set(const struct knowledge *known, const char *name,
                                       size_t length)
{
    for (size_t i = known->variable_count; i-- > 0;)
        if (strlen(known->variables[i].name) == length &&
            memcmp(known->variables[i].name, name, length) == 0)
            return &known->variables[i];
    return NULL;
}

static const char *find_variable(const struct knowledge *known, const char *name, size_t length)
{
    const struct variable *set = find_set(known, name, length);
    static const struct {
        const char *name, *value;
    } usual[] = {{"HOME", "~"}, {"PWD", "."}, {"IFS", " "}, {"TMPDIR", "/tmp"}};
    for (size_t i = 0; set == NULL && i < COUNT(usual); i++)
        if (strlen(usual[i].name) == length && memcmp(usual[i].name, name, length) == 0)
            return usual[i].value;
    return set != NULL ? set->value : NULL;
}

void local_set_variable(const struct assessor *assessor, const char *assignment)
{
    struct knowledge *known = assessor->known;
    const char *equals = strchr(assignment, '=');
    if (equals == NULL || equals == assignment || known->variable_count == LOCAL_VARIABLES_MAX)
        return;
    size_t length = (size_t)(equals - assignment);
    length -= assignment[length - 1] == '+';
    known->variables[known->variable_count++] =
        (struct variable){xstrndup(assignment, length), xstrdup(equals + 1), false};
}

void local_set_loop_variable(const struct assessor *assessor, const char *name, const char *value,
                             bool several)
{
    struct knowledge *known = assessor->known;
    size_t before = known->variable_count;
    cleanup_free char *assignment = xasprintf("%s=%s", name, value);
    local_set_variable(assessor, assignment);
    if (known->variable_count > before)
        known->variables[before].several = several;
}

void local_forget_variables(const struct assessor *assessor, size_t count)
{
    struct knowledge *known = assessor->known;
    while (known->variable_count > count) {
        struct variable *last = &known->variables[--known->variable_count];
        free(last->name);
        free(last->value);
    }
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

/* What `echo X` or `printf X` prints, when `text` is that; appended. */
static bool add_printed(struct strbuf *out, const char *text, size_t length)
{
    static const char *const programs[] = {"echo -n ", "echo ", "printf %s ", "printf "};
    while (length > 0 && isspace((unsigned char)*text))
        text++, length--;
    for (size_t i = 0; i < COUNT(programs); i++) {
        size_t width = strlen(programs[i]);
        if (length <= width || memcmp(text, programs[i], width) != 0)
            continue;
        for (size_t j = width; j < length; j++)
            if (strchr("$`|;&<>()\\", text[j]) != NULL)
                return false;
        for (size_t j = width; j < length; j++)
            if (text[j] != '"' && text[j] != '\'')
                strbuf_addch(out, text[j]);
        return true;
    }
    return false;
}

/* $(…) or `…` at `text`: the bytes that it spans, and what it prints appended; 0 when that cannot
 * be told. */
static size_t add_substitution(struct strbuf *out, const char *text)
{
    bool quotes = *text == '`';
    const char *end = quotes ? strchr(text + 1, '`') : strchr(text, ')');
    size_t skip = quotes ? 1 : 2;
    if (end == NULL || !add_printed(out, text + skip, (size_t)(end - text) - skip))
        return 0;
    return (size_t)(end - text) + 1;
}

/* $NAME or ${NAME} at `text`, in the same way. */
static size_t add_variable(const struct knowledge *known, struct strbuf *out, const char *text)
{
    bool brace = text[1] == '{';
    const char *name = text + 1 + brace;
    size_t length = name_length(name);
    if (length == 0 || (brace && name[length] != '}'))
        return 0;
    const char *value = find_variable(known, name, length);
    if (value == NULL)
        return 0;
    strbuf_addstr(out, value);
    return length + 1 + (brace ? 2 : 0);
}

bool local_is_one_of_several(const struct assessor *assessor, const struct shell_word *word)
{
    const struct knowledge *known = assessor->known;
    bool several = false;
    for (const char *at = word->text; !word->literal && (at = strchr(at, '$')) != NULL;) {
        at += at[1] == '{' ? 2 : 1;
        const struct variable *set = find_set(known, at, name_length(at));
        several = several || (set != NULL && set->several);
    }
    return several;
}

const char *local_resolve(const struct assessor *assessor, const struct shell_word *word,
                          bool *open)
{
    const char *text = word->text;
    *open = false;
    if (word->literal || strpbrk(text, "$`") == NULL)
        return text;
    if (strlen(text) > FOLLOWED_MAX) {
        *open = true;
        return text;
    }
    struct strbuf out = STRBUF_INIT;
    while (*text != '\0' && out.length < RESOLVED_MAX) {
        size_t taken = 0;
        if (*text == '`' || (*text == '$' && text[1] == '('))
            taken = add_substitution(&out, text);
        else if (*text == '$')
            taken = add_variable(assessor->known, &out, text);
        if (taken == 0) {
            *open = *open || *text == '$' || *text == '`';
            strbuf_addch(&out, *text);
            taken = 1;
        }
        text += taken;
    }
    return local_keep(assessor, strbuf_steal(&out));
}

/* {rm,-rf,x} is three words. */
static void open_braces(char *word)
{
    size_t length = strlen(word);
    if (length < 3 || word[0] != '{' || word[length - 1] != '}' || strchr(word, ',') == NULL)
        return;
    for (char *at = word; *at != '\0'; at++)
        if (strchr("{},", *at) != NULL)
            *at = ' ';
}

/* $HOME/bin/x: only the place of the program is expanded, not its name. */
static bool names_place(const char *word)
{
    static const char *const places[] = {"$HOME/", "${HOME}/", "$PWD/", "${PWD}/"};
    for (size_t i = 0; i < COUNT(places); i++) {
        size_t length = strlen(places[i]);
        if (strncmp(word, places[i], length) == 0 && strpbrk(word + length, "$`") == NULL)
            return true;
    }
    return false;
}

bool local_read_expanded(const struct assessor *assessor, const struct shell_node *node)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    bool open;
    for (size_t i = 0; i < node->word_count; i++) {
        const char *text = local_resolve(assessor, &node->words[i], &open);
        cleanup_free char *word = xstrdup(text);
        const char *one[] = {word, NULL};
        if (i == 0 && open)
            return false;
        if (i > 0)
            strbuf_addch(&line, ' ');
        open_braces(word);
        if (i == 0 || strchr(text, '{') != NULL)
            strbuf_addstr(&line, word);
        else
            text_quote_argv(&line, one);
    }
    if (strcmp(strbuf_str(&line), node->words[0].text) == 0)
        return false; /* nothing was gained */
    if (!names_place(node->words[0].text))
        local_note(assessor, (struct finding){RISK_HIGH, 0, PHRASE_computed_name, node->start,
                                              node->end, NULL});
    local_read_script(assessor, strbuf_str(&line), line.length, node->start, node->end, false);
    return true;
}

/* ---- what is piped --------------------------------------------------------------------------- */

static int octal_digit(char character)
{
    return character >= '0' && character <= '7' ? character - '0' : -1;
}

/* \n, \162, \x72 as printf and echo -e read them. Returns the bytes taken behind the backslash. */
static size_t add_escape(struct strbuf *out, const char *text)
{
    static const char from[] = "ntr\\\"'", to[] = "\n\t\r\\\"'";
    const char *found = *text != '\0' ? strchr(from, *text) : NULL;
    unsigned value = 0;
    size_t taken = 0;
    if (found != NULL) {
        strbuf_addch(out, to[found - from]);
        return 1;
    }
    if (*text == 'x') {
        for (taken = 1; taken < 3 && isxdigit((unsigned char)text[taken]); taken++)
            value = value * 16 + (unsigned)(isdigit((unsigned char)text[taken])
                                                ? text[taken] - '0'
                                                : (text[taken] | 32) - 'a' + 10);
        strbuf_addch(out, (char)value);
        return taken;
    }
    for (; taken < 4 && octal_digit(text[taken]) >= 0; taken++)
        value = value * 8 + (unsigned)octal_digit(text[taken]);
    if (taken > 0)
        strbuf_addch(out, (char)value);
    else
        strbuf_addch(out, '\\');
    return taken;
}

static bool add_words(const struct assessor *assessor, const struct shell_node *node, bool escapes,
                      struct strbuf *out)
{
    bool open;
    for (size_t i = 1; i < node->word_count; i++) {
        const char *text = local_resolve(assessor, &node->words[i], &open);
        if (open)
            return false;
        if (i == 1 &&
            (strcmp(text, "-e") == 0 || strcmp(text, "-n") == 0 || strcmp(text, "-en") == 0 ||
             strcmp(text, "%s") == 0 || strcmp(text, "%b") == 0 || strcmp(text, "%s\\n") == 0))
            continue;
        if (out->length > 0)
            strbuf_addch(out, ' ');
        while (*text != '\0') {
            char character = *text++;
            if (character == '\\' && escapes)
                text += add_escape(out, text);
            else
                strbuf_addch(out, character);
        }
    }
    return true;
}

static bool decodes_base64(const struct shell_node *node)
{
    if (node->word_count < 2 || strcmp(wrapper_basename(node->words[0].text), "base64") != 0)
        return false;
    const char *option = node->words[1].text;
    return strcmp(option, "-d") == 0 || strcmp(option, "-D") == 0 ||
           strcmp(option, "--decode") == 0;
}

static bool add_body(const struct shell_node *node, struct strbuf *out)
{
    for (size_t i = 0; i < node->redirect_count; i++) {
        const struct shell_redirect *redirect = &node->redirects[i];
        if (redirect->kind == SHELL_HEREDOC && redirect->body != NULL) {
            strbuf_addstr(out, redirect->body);
            return true;
        }
        if (redirect->kind == SHELL_HERE_STRING) {
            strbuf_addstr(out, redirect->target.text);
            return true;
        }
    }
    return false;
}

static bool add_output(const struct assessor *assessor, const struct shell_node *node,
                       struct strbuf *out);

/* What the last of the nodes that feed this one prints. */
static bool add_fed(const struct assessor *assessor, const struct shell_node *node,
                    struct strbuf *out)
{
    if (add_body(node, out))
        return true;
    for (size_t i = node->feeds.last; i-- > node->feeds.first;)
        if (assessor->tree->nodes[i].parent == node->parent)
            return add_output(assessor, &assessor->tree->nodes[i], out);
    return false;
}

static bool add_output(const struct assessor *assessor, const struct shell_node *node,
                       struct strbuf *out)
{
    const char *name = node->word_count > 0 ? wrapper_basename(node->words[0].text) : "";
    if (strcmp(name, "echo") == 0 || strcmp(name, "printf") == 0)
        return add_words(assessor, node,
                         *name == 'p' || node->words[node->word_count > 1].text[0] == '-', out);
    if (strcmp(name, "cat") == 0 && node->word_count == 1)
        return add_fed(assessor, node, out);
    if (!decodes_base64(node))
        return false;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    if (!add_fed(assessor, node, &text))
        return false;
    while (text.length > 0 && isspace((unsigned char)text.data[text.length - 1]))
        text.data[--text.length] = '\0';
    return base64_decode(out, strbuf_str(&text), text.length) == 0;
}

const char *local_fed_text(const struct assessor *assessor, const struct shell_node *node,
                           size_t *length)
{
    struct strbuf out = STRBUF_INIT;
    if (!add_fed(assessor, node, &out)) {
        strbuf_free(&out);
        return NULL;
    }
    *length = out.length;
    return local_keep(assessor, strbuf_steal(&out));
}
