/* SPDX-License-Identifier: MIT */
/* `assent parse`: what a shell script runs. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/base64.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/shell.h"
#include "config/arguments.h"
#include "config/help.h"
#include "config/options.h"
#include "tool.h"
#include "tool_batch.h"

enum { PARSE_BAD_INPUT = 1 };

#define INPUT_MAX ((size_t)8 * 1024 * 1024)

static const struct {
    enum shell_context context;
    const char *name;
    const char *phrase;
} contexts[] = {
    {SHELL_IN_SUBSTITUTION, "substitution", N_("in a substitution")},
    {SHELL_IN_SUBSHELL, "subshell", N_("in a subshell")},
    {SHELL_IN_LOOP, "loop", N_("in a loop")},
    {SHELL_IN_CONDITION, "condition", N_("under a condition")},
    {SHELL_IN_GROUP, "group", N_("in a group")},
    {SHELL_IN_FUNCTION, "function", N_("in a function")},
    {SHELL_IN_BACKGROUND, "background", N_("in the background")},
    {SHELL_IN_HEREDOC, "heredoc", N_("in a here-document")},
};

static const char *const redirect_signs[] = {"<", ">", ">>", "<>", ">&", "&>", "<<", "<<<"};

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *text_json(const char *text)
{
    return json_string_lossy(text, strlen(text));
}

static json_t *argv_json(char *const *argv)
{
    json_t *list = json_array();
    for (; *argv; argv++)
        json_array_append_new(list, text_json(*argv));
    return list;
}

static json_t *constructs_json(unsigned constructs)
{
    json_t *list = json_array();
    for (size_t i = 0; i < SHELL_CONSTRUCTS; i++)
        if (constructs & 1u << i)
            json_array_append_new(list, json_string(shell_construct_name(1u << i)));
    return list;
}

static json_t *script_json(const struct shell_script *script)
{
    json_t *object = json_object();
    json_object_set_new(object, "plain", json_boolean(script->plain));
    if (!script->plain)
        json_object_set_new(object, "understood", json_boolean(script->understood));
    if (!script->understood) {
        json_object_set_new(object, "reason", json_string(script->reason));
        json_object_set_new(object, "offset", json_integer((json_int_t)script->offset));
        return object;
    }
    json_t *commands = json_array(), *operators = json_array();
    for (size_t i = 0; i < script->count; i++) {
        json_array_append_new(commands, argv_json(script->commands[i].argv));
        if (i > 0)
            json_array_append_new(operators,
                                  json_string(shell_operator_text(script->operators[i - 1])));
    }
    json_object_set_new(object, "commands", commands);
    json_object_set_new(object, "operators", operators);
    if (!script->plain)
        json_object_set_new(object, "constructs", constructs_json(script->constructs));
    return object;
}

static json_t *word_json(const struct shell_word *word)
{
    return json_pack("{s:o, s:b, s:I, s:I}", "text", text_json(word->text), "literal",
                     word->literal, "start", (json_int_t)word->start, "end", (json_int_t)word->end);
}

static json_t *words_json(const struct shell_word *words, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, word_json(&words[i]));
    return list;
}

static json_t *redirects_json(const struct shell_node *node)
{
    json_t *list = json_array();
    for (size_t i = 0; i < node->redirect_count; i++) {
        const struct shell_redirect *redirect = &node->redirects[i];
        json_t *object = word_json(&redirect->target);
        json_object_set_new(object, "operator", json_string(redirect_signs[redirect->kind]));
        json_object_set_new(object, "descriptor", json_integer(redirect->number));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *context_json(unsigned context)
{
    json_t *list = json_array();
    for (size_t i = 0; i < COUNT(contexts); i++)
        if (context & contexts[i].context)
            json_array_append_new(list, json_string(contexts[i].name));
    return list;
}

/* What an opaque script may run. */
static json_t *constituents_json(const struct shell_tree *tree)
{
    json_t *list = json_array();
    for (size_t i = 0; i < tree->count; i++) {
        const struct shell_node *node = &tree->nodes[i];
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:o, s:I, s:I}", "words",
                            words_json(node->words, node->word_count), "assignments",
                            words_json(node->assignments, node->assignment_count), "redirects",
                            redirects_json(node), "context", context_json(node->context), "start",
                            (json_int_t)node->start, "end", (json_int_t)node->end));
    }
    return list;
}

static int print_json(const struct shell_script *script)
{
    cleanup_json json_t *object = script_json(script);
    if (!script->understood)
        json_object_set_new(object, "constituents", constituents_json(script->tree));
    cleanup_free char *line = json_line(object);
    return puts(line) == EOF ? -1 : 0;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_line(const struct strbuf *line)
{
    cleanup_strbuf struct strbuf shown = STRBUF_INIT;
    text_escape(&shown, strbuf_str(line), line->length, 0);
    puts(strbuf_str(&shown));
}

static void add_argv(struct strbuf *line, const struct shell_node *node)
{
    const char **argv = shell_tree_argv(node);
    text_quote_argv(line, argv);
    free(argv);
    for (size_t i = 0; i < node->redirect_count; i++) {
        const struct shell_redirect *redirect = &node->redirects[i];
        strbuf_addf(line, "%s%s %s", line->length > 0 ? " " : "", redirect_signs[redirect->kind],
                    redirect->target.text);
    }
}

static void print_commands(const struct shell_script *script)
{
    for (size_t i = 0; i < script->count; i++) {
        cleanup_strbuf struct strbuf line = STRBUF_INIT;
        strbuf_addf(&line, "%4s ", i > 0 ? shell_operator_text(script->operators[i - 1]) : "");
        add_argv(&line, script->commands[i].node);
        print_line(&line);
    }
}

static void print_constituents(const struct shell_tree *tree)
{
    if (tree->count > 0)
        puts(_("It may run:"));
    for (size_t i = 0; i < tree->count; i++) {
        const struct shell_node *node = &tree->nodes[i];
        cleanup_strbuf struct strbuf line = STRBUF_INIT;
        if (node->kind == SHELL_HEADER)
            continue;
        add_argv(&line, node);
        for (size_t j = 0; j < COUNT(contexts); j++)
            if (node->context & contexts[j].context)
                strbuf_addf(&line, " (%s)", _(contexts[j].phrase));
        fputs("     ", stdout);
        print_line(&line);
    }
}

static int print_text(const struct shell_script *script)
{
    if (script->plain) {
        puts(_("plain"));
    } else if (script->understood) {
        fputs(_("understood, with"), stdout);
        for (size_t i = 0; i < SHELL_CONSTRUCTS; i++)
            if (script->constructs & 1u << i)
                printf(" %s", shell_construct_name(1u << i));
        putchar('\n');
    } else {
        printf(_("opaque at byte %zu: %s\n"), script->offset, _(script->reason));
    }
    print_commands(script);
    if (!script->understood)
        print_constituents(script->tree);
    return 0;
}

/* ---- input ----------------------------------------------------------------------------------- */

static json_t *answer_question(void *argument, const json_t *question, struct error *error)
{
    (void)argument;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    const json_t *script = json_object_get(question, "script");
    const json_t *encoded = json_object_get(question, "script_b64");
    if (!json_is_string(script) && !json_is_string(encoded)) {
        error_set(error, 0, "expected a string \"script\" or \"script_b64\"");
        return NULL;
    }
    if (json_is_string(script)) {
        strbuf_add(&text, json_string_value(script), json_string_length(script));
    } else if (base64_decode(&text, json_string_value(encoded), json_string_length(encoded)) < 0) {
        error_set(error, 0, "script_b64: not base64");
        return NULL;
    }
    struct shell_script parsed;
    shell_parse(strbuf_str(&text), text.length, &parsed);
    json_t *answer = script_json(&parsed);
    shell_script_clear(&parsed);
    return answer;
}

static char *read_input(size_t *length, struct error *error)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    char bytes[4096];
    for (size_t count; (count = fread(bytes, 1, sizeof(bytes), stdin)) > 0;)
        if (text.length <= INPUT_MAX)
            strbuf_add(&text, bytes, count);
    if (ferror(stdin)) {
        error_errno(error, errno, "cannot read standard input");
        return NULL;
    }
    if (text.length > INPUT_MAX) {
        error_set(error, EFBIG, "the script is too long");
        return NULL;
    }
    *length = text.length;
    return strbuf_steal(&text);
}

static int parse_one(const char *path, bool json, struct error *error)
{
    size_t length;
    bool standard = !path || strcmp(path, "-") == 0;
    cleanup_free char *text =
        standard ? read_input(&length, error) : fd_read_file(path, INPUT_MAX, false, &length);
    if (!text && !standard)
        error_errno(error, errno, "cannot read %s", path);
    if (!text)
        return -1;
    struct shell_script script;
    shell_parse(text, length, &script);
    int result = json ? print_json(&script) : print_text(&script);
    shell_script_clear(&script);
    return result;
}

int tool_parse(int argc, char **argv)
{
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    int status = TOOL_FAILED;
    int rest = arguments_parse(options, SUBCOMMAND_PARSE, argc, argv, &error);
    bool batch = options_bool(options, OPTION_BATCH), json = options_bool(options, OPTION_JSON);
    if (rest >= 0 && options_bool(options, OPTION_HELP))
        status = help_print(stdout, SUBCOMMAND_PARSE) == 0 ? 0 : TOOL_FAILED;
    else if (rest >= 0 && argc - rest > (batch ? 0 : 1))
        error_set(&error, 0, batch ? "--batch reads standard input" : "one FILE at most");
    else if (rest >= 0 && batch)
        status = tool_batch_run(answer_question, NULL, &error) == 0 ? 0 : TOOL_FAILED;
    else if (rest >= 0)
        status = parse_one(argv[rest], json, &error) == 0 ? 0 : PARSE_BAD_INPUT;
    options_free(&options);
    if (*error.message)
        tool_complain("parse", &error);
    return fflush(stdout) == 0 ? status : TOOL_FAILED;
}
