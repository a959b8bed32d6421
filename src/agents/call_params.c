/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/call_params.h"

#include <string.h>

#include "base/alloc.h"
#include "base/base64.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "config/paths.h"

/* More arguments than this do not fit into the byte limits of a command anyway. */
#define ARGUMENTS_MAX ((size_t)128 * 1024)
#define ENVIRONMENT_MAX ((size_t)4096)
#define PATHS_MAX ((size_t)256)
/* A week; what the operator allows at most is the turn context's business. */
#define TIMEOUT_MAX_MS ((int64_t)7 * 24 * 3600 * 1000)
#define TERMINAL_SIZE_MAX 4096
#define TOOL_NAME_MAX 200
#define OFFER_NAME_MAX 200
#define SHOWN_COLUMNS 200 /* of a path in an error */

/* ---- the command --------------------------------------------------------------------------- */

static int decode_argument(const char *text, size_t index, char **argument, struct error *error)
{
    cleanup_strbuf struct strbuf bytes = STRBUF_INIT;
    if (base64_decode(&bytes, text, strlen(text)) < 0)
        return error_set(error, 0, "argv_b64: element %zu is not base64", index);
    if (bytes.length > 0 && memchr(bytes.data, '\0', bytes.length) != NULL)
        return error_set(error, 0, "argv_b64: element %zu holds a NUL byte", index);
    *argument = strbuf_steal(&bytes);
    return 0;
}

static int read_encoded_argv(const json_t *params, char ***argv, struct error *error)
{
    cleanup_strv char **encoded = NULL;
    if (json_get_strv_optional(params, "argv_b64", ARGUMENTS_MAX, &encoded, error) < 0)
        return -1;
    if (encoded == NULL)
        return 0;
    size_t count = strv_length((const char *const *)encoded);
    cleanup_strv char **decoded = xcalloc(count + 1, sizeof(char *));
    for (size_t i = 0; i < count; i++)
        if (decode_argument(encoded[i], i, &decoded[i], error) < 0)
            return -1;
    *argv = steal_pointer(&decoded);
    return 0;
}

static int read_script(const json_t *params, char ***argv, struct error *error)
{
    const char *script = NULL;
    if (json_get_string_optional(params, "script", &script, error) < 0)
        return -1;
    if (script == NULL)
        return 0;
    const char *const words[] = {"bash", "-c", script, NULL};
    *argv = strv_copy(words);
    return 0;
}

/* What a tool of the agent's own is given, as words: "name=value" each. */
static char **fields_of(const char *tool, const json_t *input)
{
    char **words = xcalloc(json_object_size(input) + 2, sizeof(char *));
    size_t count = 0;
    const char *name;
    json_t *value;
    words[count++] = xstrdup(tool);
    json_object_foreach((json_t *)input, name, value)
    {
        cleanup_free char *dump =
            json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
        const char *text = json_is_string(value) ? json_string_value(value) : dump;
        words[count++] = xasprintf("%s=%s", name, text != NULL ? text : "?");
    }
    return words;
}

/* Answers of the agent's own: a name and what it says it does. */
static int read_offers(const json_t *params, struct call_params *out, struct error *error)
{
    const json_t *offers = json_object_get(params, "offers");
    size_t index;
    const json_t *offer;
    if (offers == NULL)
        return 0;
    if (!json_is_array(offers) || json_array_size(offers) > CALL_OFFERS_MAX)
        return error_set(error, 0, "offers: expected an array of at most %d", CALL_OFFERS_MAX);
    json_array_foreach(offers, index, offer)
    {
        const char *name = NULL, *kind = NULL;
        if (!json_is_object(offer))
            return error_set(error, 0, "offers: expected objects");
        if (json_get_string(offer, "name", &name, error) < 0 ||
            json_get_string_optional(offer, "kind", &kind, error) < 0)
            return error_prefix(error, "offers");
        if (name[0] == '\0' || strlen(name) > OFFER_NAME_MAX)
            return error_set(error, 0, "offers: expected names of at most %d bytes",
                             OFFER_NAME_MAX);
        out->offers[out->offer_count++] =
            (struct call_offer){.name = xstrdup(name), .kind = offer_kind_parse(kind)};
    }
    return 0;
}

static int read_agent_tool(const json_t *params, struct call_params *out, struct error *error)
{
    const char *tool = NULL;
    const json_t *input = json_object_get(params, "agent_input");
    if (json_get_string_optional(params, "agent_tool", &tool, error) < 0)
        return -1;
    if (input != NULL &&
        (tool == NULL || !json_is_object(input) || json_object_size(input) > ENVIRONMENT_MAX))
        return error_set(error, 0,
                         "agent_input: expected an object of at most %zu fields, with "
                         "agent_tool",
                         ENVIRONMENT_MAX);
    if (tool == NULL)
        return 0;
    if (tool[0] == '\0' || strlen(tool) > TOOL_NAME_MAX)
        return error_set(error, 0, "agent_tool: expected a name of at most %d bytes",
                         TOOL_NAME_MAX);
    if (json_get_integer_optional(params, "input_for", 1, INT64_MAX, &out->input_for, error) < 0 ||
        json_get_bool_optional(params, "widens", &out->widens, error) < 0 ||
        json_get_bool_optional(params, "wants_words", &out->wants_words, error) < 0 ||
        json_get_bool_optional(params, "secret_words", &out->secret_words, error) < 0 ||
        json_get_bool_optional(params, "in_person", &out->in_person, error) < 0 ||
        read_offers(params, out, error) < 0)
        return -1;
    const char *question = json_string_value(json_object_get(input, "question"));
    if (out->wants_words && (question == NULL || question[0] == '\0'))
        return error_set(error, 0, "wants_words: expected with the question in agent_input");
    if (out->in_person && input == NULL)
        return error_set(error, 0, "in_person: expected with agent_input");
    out->agent_tool = xstrdup(tool);
    out->agent_fields = input != NULL;
    const char *const words[] = {tool, question, NULL};
    if (input != NULL)
        out->spec->argv = out->wants_words ? strv_copy(words) : fields_of(tool, input);
    return 0;
}

/* Which files it changes becomes the command's words when it arrives. */
static int read_patch(const json_t *params, struct call_params *out, struct error *error)
{
    const char *text = NULL;
    if (json_get_string_optional(params, "patch", &text, error) < 0)
        return -1;
    if (text == NULL)
        return 0;
    if (out->agent_tool != NULL)
        return error_set(error, 0, "patch: expected without agent_tool");
    static const char *const words[] = {"apply_patch", NULL};
    out->patch = xstrdup(text);
    out->spec->argv = strv_copy(words);
    return 0;
}

static int read_command(const json_t *params, struct command_spec *spec, struct error *error)
{
    unsigned given = (json_object_get(params, "argv") != NULL) +
                     (json_object_get(params, "argv_b64") != NULL) +
                     (json_object_get(params, "script") != NULL) + (spec->argv != NULL);
    if (given != 1)
        return error_set(error, 0, "expected exactly one of argv, argv_b64, script and patch");
    if (spec->argv != NULL)
        return 0;
    if (json_get_strv_optional(params, "argv", ARGUMENTS_MAX, &spec->argv, error) < 0 ||
        read_encoded_argv(params, &spec->argv, error) < 0 ||
        read_script(params, &spec->argv, error) < 0)
        return -1;
    if (spec->argv == NULL || spec->argv[0] == NULL)
        return error_set(error, 0, "argv: expected at least one string");
    return 0;
}

/* ---- what surrounds it --------------------------------------------------------------------- */

static int read_environment(const json_t *params, struct command_spec *spec, struct error *error)
{
    json_t *env = json_object_get(params, "env");
    if (env == NULL || json_is_null(env))
        return 0;
    if (!json_is_object(env) || json_object_size(env) > ENVIRONMENT_MAX)
        return error_set(error, 0, "env: expected an object of at most %zu strings",
                         ENVIRONMENT_MAX);
    cleanup_strv char **entries = xcalloc(json_object_size(env) + 1, sizeof(char *));
    size_t count = 0;
    const char *name;
    json_t *value;
    json_object_foreach(env, name, value)
    {
        const char *text = NULL;
        if (name[0] == '\0' || strchr(name, '=') != NULL)
            return error_set(error, 0, "env: a name is empty or holds a \"=\"");
        if (json_get_string(env, name, &text, error) < 0)
            return error_prefix(error, "env");
        entries[count++] = xasprintf("%s=%s", name, text);
    }
    spec->env = steal_pointer(&entries);
    return 0;
}

static int read_additional(const json_t *params, struct command_spec *spec, struct error *error)
{
    json_t *object = json_object_get(params, "additional_permissions");
    bool given = object != NULL && !json_is_null(object);
    if (given != (spec->permissions == SANDBOX_PERMISSIONS_WITH_ADDITIONAL))
        return error_set(error, 0,
                         "additional_permissions: expected exactly when sandbox_permissions is "
                         "with_additional_permissions");
    if (!given)
        return 0;
    if (!json_is_object(object))
        return error_set(error, 0, "additional_permissions: expected an object");
    spec->additional = XNEW(struct additional_permissions);
    if (json_get_strv_optional(object, "readable", PATHS_MAX, &spec->additional->readable, error) <
            0 ||
        json_get_strv_optional(object, "writable", PATHS_MAX, &spec->additional->writable, error) <
            0 ||
        json_get_bool_optional(object, "network", &spec->additional->network, error) < 0)
        return error_prefix(error, "additional_permissions");
    return 0;
}

static int read_permissions(const json_t *params, struct command_spec *spec, struct error *error)
{
    const char *name = NULL;
    if (json_get_string_optional(params, "sandbox_permissions", &name, error) < 0)
        return -1;
    if (name != NULL && !command_permissions_parse(name, &spec->permissions))
        return error_set(error, 0,
                         "sandbox_permissions: expected use_default, require_escalated or "
                         "with_additional_permissions");
    return read_additional(params, spec, error);
}

static int read_texts(const json_t *params, struct command_spec *spec, struct error *error)
{
    const char *cwd = NULL, *justification = NULL;
    if (json_get_string(params, "cwd", &cwd, error) < 0 ||
        json_get_string_optional(params, "justification", &justification, error) < 0)
        return -1;
    if (cwd[0] != '/')
        return error_set(error, 0, "cwd: expected an absolute path");
    spec->cwd = xstrdup(cwd);
    if (justification != NULL)
        spec->justification = xstrdup(justification);
    return 0;
}

static int read_terminal(const json_t *params, struct call_params *out, struct error *error)
{
    struct command_spec *spec = out->spec;
    bool wants_stdin = false;
    int64_t rows = 0, columns = 0;
    if (json_get_bool_optional(params, "tty", &spec->tty, error) < 0 ||
        json_get_bool_optional(params, "stdin", &wants_stdin, error) < 0 ||
        json_get_bool_optional(params, "split_streams", &spec->split_streams, error) < 0 ||
        json_get_bool_optional(params, "stream", &out->stream, error) < 0 ||
        json_get_integer_optional(params, "rows", 1, TERMINAL_SIZE_MAX, &rows, error) < 0 ||
        json_get_integer_optional(params, "columns", 1, TERMINAL_SIZE_MAX, &columns, error) < 0)
        return -1;
    spec->standard_input = spec->tty ? STDIN_TTY : wants_stdin ? STDIN_PIPE : STDIN_NULL;
    spec->typed = spec->tty && json_is_false(json_object_get(params, "stdin"));
    out->rows = (int)rows;
    out->columns = (int)columns;
    return 0;
}

/* A session never gets what holds the operator's own settings, whoever says yes. */
static int check_widening(const struct call_params *params, struct error *error)
{
    char *const *paths =
        params->spec->additional != NULL ? params->spec->additional->writable : NULL;
    for (; params->widens && paths != NULL && *paths != NULL; paths++) {
        cleanup_free char *physical = realpath(*paths, NULL);
        cleanup_free char *shown = text_line(*paths, strlen(*paths), SHOWN_COLUMNS);
        if (paths_hold_own(physical != NULL ? physical : *paths))
            return error_set(error, 0, "writable: %s holds the operator's own settings", shown);
    }
    return 0;
}

int call_params_read(const json_t *params, struct call_params *out, struct error *error)
{
    memset(out, 0, sizeof(*out));
    out->stream = true;
    out->spec = command_spec_new();
    if (read_agent_tool(params, out, error) < 0 || read_patch(params, out, error) < 0 ||
        read_command(params, out->spec, error) < 0 || read_texts(params, out->spec, error) < 0 ||
        read_environment(params, out->spec, error) < 0 ||
        read_permissions(params, out->spec, error) < 0 || read_terminal(params, out, error) < 0 ||
        json_get_integer_optional(params, "timeout_ms", 1, TIMEOUT_MAX_MS, &out->spec->timeout_ms,
                                  error) < 0 ||
        check_widening(out, error) < 0 || command_spec_check(out->spec, error) < 0) {
        call_params_clear(out);
        return -1;
    }
    return 0;
}

void call_params_clear(struct call_params *params)
{
    command_spec_free(&params->spec);
    free(steal_pointer(&params->agent_tool));
    free(steal_pointer(&params->patch));
    while (params->offer_count > 0)
        free(params->offers[--params->offer_count].name);
}
