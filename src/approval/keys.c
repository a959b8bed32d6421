/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/environment.h"
#include "command/shell.h"

static json_t *key_bytes(const char *bytes)
{
    static const char digits[] = "0123456789abcdef";
    size_t length = strlen(bytes);
    if (text_valid_utf8(bytes, length))
        return json_stringn(bytes, length);
    cleanup_strbuf struct strbuf hex = STRBUF_INIT;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        strbuf_addch(&hex, digits[byte >> 4]);
        strbuf_addch(&hex, digits[byte & 15]);
    }
    return json_pack("{s:s}", "hex", strbuf_str(&hex));
}

static json_t *key_strv(char *const *strings)
{
    json_t *array = json_array();
    for (size_t i = 0; strings != NULL && strings[i] != NULL; i++)
        json_array_append_new(array, key_bytes(strings[i]));
    return array;
}

static int compare_strings(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Sets of strings (variables, paths): their order says nothing. */
static json_t *key_set(char *const *strings)
{
    cleanup_strv char **sorted = strv_copy((const char *const *)strings);
    if (sorted != NULL)
        qsort(sorted, strv_length((const char *const *)sorted), sizeof(*sorted), compare_strings);
    return key_strv(sorted);
}

/* A file that has been written to is another program where it may do more than the sandbox lets it;
 * inside one it may be built anew without a new question. */
static json_t *key_program(const struct program *program, bool more)
{
    if (program->path == NULL)
        return json_null();
    long long changed = more ? (long long)program->changed_ns : 0;
    /* As text: inode numbers may exceed what JSON readers keep exactly. */
    cleanup_free char *identity = xasprintf("%llu:%llu:%lld", (unsigned long long)program->device,
                                            (unsigned long long)program->inode, changed);
    json_t *object = json_object();
    json_object_set_new(object, "path", key_bytes(program->path));
    json_object_set_new(object, "file", json_string(identity));
    return object;
}

/* The numbers as text, as those of a program. */
static json_t *key_given(const struct key_path *given)
{
    cleanup_free char *identity =
        xasprintf("%llu:%llu", (unsigned long long)given->device, (unsigned long long)given->inode);
    json_t *object = json_object();
    json_object_set_new(object, "path", key_bytes(given->path));
    json_object_set_new(object, "file", json_string(identity));
    return object;
}

static json_t *key_additional(const struct additional_permissions *additional)
{
    if (additional == NULL)
        return json_null();
    json_t *object = json_object();
    json_object_set_new(object, "readable", key_set(additional->readable));
    json_object_set_new(object, "writable", key_set(additional->writable));
    json_object_set_new(object, "network", json_boolean(additional->network));
    return object;
}

/* The words of a wrapper's single plain command, with the program behind them; NULL when the
 * command stands for itself. */
static char **key_unwrap(const struct shell_key *key, struct program *program)
{
    const char *script = shell_wrapped_script((const char *const *)key->spec->argv);
    if (script == NULL ||
        !environment_all_harmless((const char *const *)key->spec->env) || /* BASH_ENV … */
        !program_is_installed(key->program, key->writable_roots))
        return NULL;
    struct shell_script parsed;
    shell_parse(script, strlen(script), &parsed);
    char **words = NULL;
    if (parsed.plain && parsed.count == 1)
        words = strv_copy((const char *const *)parsed.commands[0].argv);
    shell_script_clear(&parsed);
    if (words == NULL)
        return NULL;
    program_find(words[0], key->spec->cwd, key->search_path, program);
    if (!program_is_installed(program, key->writable_roots))
        strv_free(&words);
    return words;
}

static const char *stdin_name(enum stdin_kind kind)
{
    static const char *const names[] = {
        [STDIN_NULL] = "null", [STDIN_PIPE] = "agent", [STDIN_TTY] = "terminal"};
    return names[kind];
}

char *keys_of_shell(const struct shell_key *key)
{
    struct program inner = {.path = NULL};
    cleanup_strv char **words = key_unwrap(key, &inner);
    cleanup_json json_t *object = json_object();
    json_object_set_new(object, "tool", json_string("shell"));
    json_object_set_new(object, "argv", key_strv(words != NULL ? words : key->spec->argv));
    bool more = key->sandbox == ATTEMPT_UNSANDBOXED || key->given != NULL;
    json_object_set_new(object, "program",
                        key_program(words != NULL ? &inner : key->program, more));
    json_object_set_new(object, "cwd", key_bytes(key->spec->cwd));
    if (key->there != NULL)
        json_object_set_new(object, "cd", key_bytes(key->there));
    json_object_set_new(object, "env", key_set(key->spec->env));
    json_object_set_new(object, "permissions",
                        json_string(command_permissions_name(key->spec->permissions)));
    json_object_set_new(object, "additional", key_additional(key->spec->additional));
    json_object_set_new(object, "tty", json_boolean(key->spec->tty));
    json_object_set_new(object, "stdin", json_string(stdin_name(key->standard_input)));
    json_object_set_new(object, "purpose", json_string(key->retry ? "retry" : "first"));
    json_object_set_new(object, "sandbox", json_string(attempt_sandbox_name(key->sandbox)));
    json_object_set_new(object, "policy",
                        key->policy != NULL ? key_bytes(key->policy) : json_null());
    if (key->given != NULL)
        json_object_set_new(object, "writes", key_given(key->given));
    /* What an agent may run itself says nothing about what we run, nor the reverse. */
    if (key->agent_tool != NULL)
        json_object_set_new(object, "agent_tool", key_bytes(key->agent_tool));
    program_clear(&inner);
    return json_canonical(object);
}

char *keys_of_patch(const struct patch_key *key)
{
    cleanup_json json_t *object = json_object();
    json_object_set_new(object, "tool", json_string("apply_patch"));
    json_object_set_new(object, key->subject, key_bytes(key->value));
    json_object_set_new(object, "change", key_bytes(key->change));
    json_object_set_new(object, "purpose", json_string(key->retry ? "retry" : "first"));
    json_object_set_new(object, "sandbox", json_string(attempt_sandbox_name(key->sandbox)));
    json_object_set_new(object, "policy",
                        key->policy != NULL ? key_bytes(key->policy) : json_null());
    return json_canonical(object);
}

static enum key_kind kind_of(const json_t *object)
{
    const char *tool = json_string_value(json_object_get(object, "tool"));
    if (tool == NULL)
        return APPROVED_UNKNOWN;
    if (json_object_get(object, "agent_tool") != NULL)
        return APPROVED_AGENT_TOOL;
    if (strcmp(tool, "shell") == 0)
        return APPROVED_COMMAND;
    if (strcmp(tool, "apply_patch") == 0)
        return APPROVED_PATCH;
    return strcmp(tool, "network") == 0 ? APPROVED_HOST : APPROVED_UNKNOWN;
}

struct key_summary keys_summary(const char *key)
{
    cleanup_json json_t *object = json_parse(key, strlen(key), NULL);
    const char *sandbox = json_string_value(json_object_get(object, "sandbox"));
    struct key_summary summary = {.kind = kind_of(object)};
    summary.unsandboxed = summary.kind == APPROVED_COMMAND && sandbox != NULL &&
                          strcmp(sandbox, attempt_sandbox_name(ATTEMPT_UNSANDBOXED)) == 0;
    summary.address = summary.kind == APPROVED_HOST && json_object_get(object, "addresses") != NULL;
    return summary;
}

bool keys_path(const char *key, struct key_path *path)
{
    cleanup_json json_t *object = json_parse(key, strlen(key), NULL);
    const json_t *given = json_object_get(object, "writes");
    const char *name = json_string_value(json_object_get(given, "path"));
    const char *file = json_string_value(json_object_get(given, "file"));
    unsigned long long device, inode;
    if (name == NULL || file == NULL || sscanf(file, "%llu:%llu", &device, &inode) != 2)
        return false;
    *path = (struct key_path){.path = xstrdup(name), .device = device, .inode = inode};
    return true;
}
