/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/setup_client.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agents/setup_change.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "config/paths.h"

/* How long a client waits for a call: operators sleep. Without it they wait for 300 s (Codex), 600
 * s (Gemini CLI, Qwen Code), 60 s (OpenCode), 180 s (Copilot CLI), 300 s (goose). Claude Code has
 * no limit of its own. */
#define WAIT_SECONDS 86400
#define WAIT_MS (WAIT_SECONDS * 1000)

#define PATH(...) ((const char *const[]){__VA_ARGS__, NULL})

/* ---- what they share ----------------------------------------------------------------------- */

/* The directory that the variable names, else this one in the home; the caller frees. */
static char *settings_directory(const char *variable, const char *in_home)
{
    const char *named = variable != NULL ? getenv(variable) : NULL;
    cleanup_free char *home = paths_home();
    return named != NULL && named[0] == '/' ? xstrdup(named) : xasprintf("%s/%s", home, in_home);
}

static json_t *strings(char *const *words)
{
    json_t *array = json_array();
    for (; *words != NULL; words++)
        json_array_append_new(array, json_string_lossy(*words, strlen(*words)));
    return array;
}

/* {"command": …, "args": […]}, as most have it. */
static json_t *command_object(char *const *server)
{
    json_t *object = json_object();
    json_object_set_new(object, "command", json_string_lossy(server[0], strlen(server[0])));
    json_object_set_new(object, "args", strings(server + 1));
    return object;
}

static void add(json_t *changes, const char *file, const char *kind, const char *const *path,
                json_t *value)
{
    json_array_append_new(changes, setup_change_new(file, kind, path, value));
}

static void add_server(json_t *changes, const char *file, const char *top, json_t *value)
{
    json_t *change = setup_change_new(file, "member", PATH(top, "assent"), value);
    json_object_set_new(change, "ours", json_true());
    json_array_append_new(changes, change);
}

/* A string of JSON is one of TOML and of YAML too. */
static char *quoted(const char *text)
{
    cleanup_json json_t *string = json_string_lossy(text, strlen(text));
    return json_dumps(string, JSON_ENCODE_ANY);
}

/* ---- clients ------------------------------------------------------------------------------- */

static void add_codex(const struct setup_client *client, json_t *changes, char *const *server,
                      bool keep_shell)
{
    (void)client;
    cleanup_free char *directory = settings_directory("CODEX_HOME", ".codex");
    cleanup_free char *file = xasprintf("%s/config.toml", directory);
    cleanup_free char *command = quoted(server[0]);
    cleanup_json json_t *words = strings(server + 1);
    cleanup_free char *arguments = json_dumps(words, 0);
    /* Its own question would come on top of ours; `codex exec` would refuse the call. */
    cleanup_free char *lines = xasprintf("command = %s\nargs = %s\n"
                                         "default_tools_approval_mode = \"approve\"\n"
                                         "tool_timeout_sec = %d\n",
                                         command, arguments, WAIT_SECONDS);
    if (!keep_shell)
        add(changes, file, "key", PATH("features", "shell_tool"), json_string("false"));
    add(changes, file, "table", PATH("mcp_servers.assent"), json_string(lines));
}

static void add_claude(const struct setup_client *client, json_t *changes, char *const *server,
                       bool keep_shell)
{
    (void)client;
    bool named = getenv("CLAUDE_CONFIG_DIR") != NULL;
    cleanup_free char *directory = settings_directory("CLAUDE_CONFIG_DIR", ".claude");
    cleanup_free char *home = paths_home();
    cleanup_free char *file = xasprintf("%s/.claude.json", named ? directory : home);
    cleanup_free char *settings = xasprintf("%s/settings.json", directory);
    json_t *value = command_object(server);
    json_object_set_new(value, "type", json_string("stdio"));
    add_server(changes, file, "mcpServers", value);
    add(changes, settings, "element", PATH("permissions", "allow"), json_string("mcp__assent"));
    if (!keep_shell)
        add(changes, settings, "element", PATH("permissions", "deny"), json_string("Bash"));
}

/* Gemini CLI, and Qwen Code, which comes from it. */
static void add_gemini(const struct setup_client *client, json_t *changes, char *const *server,
                       bool keep_shell)
{
    bool qwen = strcmp(client->name, "qwen") == 0;
    cleanup_free char *directory = settings_directory(NULL, qwen ? ".qwen" : ".gemini");
    cleanup_free char *file = xasprintf("%s/settings.json", directory);
    json_t *value = command_object(server);
    json_object_set_new(value, "timeout", json_integer(WAIT_MS));
    json_object_set_new(value, "trust", json_true()); /* we ask, it need not */
    add_server(changes, file, "mcpServers", value);
    if (!keep_shell)
        add(changes, file, "element", PATH("tools", "exclude"), json_string("run_shell_command"));
}

static void add_opencode(const struct setup_client *client, json_t *changes, char *const *server,
                         bool keep_shell)
{
    (void)client;
    const char *named = getenv("OPENCODE_CONFIG");
    cleanup_free char *base = settings_directory("XDG_CONFIG_HOME", ".config");
    cleanup_free char *plain = xasprintf("%s/opencode/opencode.json", base);
    cleanup_free char *commented = xasprintf("%sc", plain);
    const char *file = access(commented, F_OK) == 0 ? commented : plain;
    if (named != NULL && named[0] == '/')
        file = named;
    json_t *value = json_object();
    json_object_set_new(value, "type", json_string("local"));
    json_object_set_new(value, "command", strings(server));
    json_object_set_new(value, "enabled", json_true());
    json_object_set_new(value, "timeout", json_integer(WAIT_MS));
    add_server(changes, file, "mcp", value);
    if (!keep_shell)
        add(changes, file, "member", PATH("permission", "bash"), json_string("deny"));
}

static void add_copilot(const struct setup_client *client, json_t *changes, char *const *server,
                        bool keep_shell)
{
    (void)client;
    (void)keep_shell;

    cleanup_free char *directory = settings_directory("COPILOT_HOME", ".copilot");
    cleanup_free char *file = xasprintf("%s/mcp-config.json", directory);
    json_t *value = command_object(server);
    json_object_set_new(value, "type", json_string("local"));
    json_object_set_new(value, "tools", json_pack("[s]", "*"));
    json_object_set_new(value, "timeout", json_integer(WAIT_MS));
    add_server(changes, file, "mcpServers", value);
}

static void add_goose(const struct setup_client *client, json_t *changes, char *const *server,
                      bool keep_shell)
{
    (void)client;
    (void)keep_shell;
    cleanup_free char *base = settings_directory("XDG_CONFIG_HOME", ".config");
    cleanup_free char *file = xasprintf("%s/goose/config.yaml", base);
    cleanup_free char *command = quoted(server[0]);
    cleanup_strbuf struct strbuf lines = STRBUF_INIT;
    strbuf_addf(&lines,
                "enabled: true\ntype: stdio\nname: assent\ndescription: Run commands\n"
                "cmd: %s\nargs:\n",
                command);
    for (char *const *word = server + 1; *word != NULL; word++) {
        cleanup_free char *text = quoted(*word);
        strbuf_addf(&lines, "- %s\n", text);
    }
    strbuf_addf(&lines, "timeout: %d\n", WAIT_SECONDS);
    add(changes, file, "entry", PATH("extensions", "assent"), json_string(strbuf_str(&lines)));
}

/* ---- hooks --------------------------------------------------------------------------------- */

/* The hook's element of an event's array: every tool; `unit` of a second is what the time-out is
 * counted in. */
static json_t *hook_element(char *const *hook, int unit)
{
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    text_quote_argv(&line, (const char *const *)hook);
    json_t *command = json_object();
    json_object_set_new(command, "type", json_string("command"));
    json_object_set_new(command, "command", json_string_lossy(strbuf_str(&line), line.length));
    json_object_set_new(command, "timeout", json_integer((json_int_t)WAIT_SECONDS * unit));
    json_t *element = json_object();
    json_object_set_new(element, "matcher", json_string("*"));
    json_object_set_new(element, "hooks", json_pack("[o]", command));
    return element;
}

static void add_claude_hook(const struct setup_client *client, json_t *changes, char *const *hook)
{
    (void)client;
    cleanup_free char *directory = settings_directory("CLAUDE_CONFIG_DIR", ".claude");
    cleanup_free char *file = xasprintf("%s/settings.json", directory);
    add(changes, file, "element", PATH("hooks", "PreToolUse"), hook_element(hook, 1));
    add(changes, file, "element", PATH("hooks", "PermissionRequest"), hook_element(hook, 1));
}

static void add_codex_hook(const struct setup_client *client, json_t *changes, char *const *hook)
{
    (void)client;
    cleanup_free char *directory = settings_directory("CODEX_HOME", ".codex");
    cleanup_free char *file = xasprintf("%s/hooks.json", directory);
    add(changes, file, "element", PATH("hooks", "PreToolUse"), hook_element(hook, 1));
    add(changes, file, "element", PATH("hooks", "PermissionRequest"), hook_element(hook, 1));
}

static void add_gemini_hook(const struct setup_client *client, json_t *changes, char *const *hook)
{
    (void)client;
    cleanup_free char *directory = settings_directory(NULL, ".gemini");
    cleanup_free char *file = xasprintf("%s/settings.json", directory);
    add(changes, file, "element", PATH("hooks", "BeforeTool"), hook_element(hook, 1000));
}

/* Any file of that directory is read. */
static void add_copilot_hook(const struct setup_client *client, json_t *changes, char *const *hook)
{
    (void)client;
    cleanup_free char *directory = settings_directory("COPILOT_HOME", ".copilot");
    cleanup_free char *file = xasprintf("%s/hooks/assent.json", directory);
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    text_quote_argv(&line, (const char *const *)hook);
    json_t *element = json_object();
    json_object_set_new(element, "type", json_string("command"));
    json_object_set_new(element, "bash", json_string_lossy(strbuf_str(&line), line.length));
    json_object_set_new(element, "timeoutSec", json_integer(WAIT_SECONDS));
    add(changes, file, "member", PATH("version"), json_integer(1));
    add(changes, file, "element", PATH("hooks", "preToolUse"), element);
}

/* ---- all of them --------------------------------------------------------------------------- */

static const struct setup_client clients[] = {
    {
        .name = "codex",
        .title = "Codex",
        .hook_hint = N_("It asks once whether it may trust the hook; until then it runs without."),
        .add = add_codex,
        .add_hook = add_codex_hook,
    },
    {
        .name = "claude",
        .title = "Claude Code",
        .add = add_claude,
        .add_hook = add_claude_hook,
    },
    {
        .name = "gemini",
        .title = "Gemini CLI",
        .add = add_gemini,
        .add_hook = add_gemini_hook,
    },
    {
        .name = "qwen",
        .title = "Qwen Code",
        .add = add_gemini,
    },
    {
        .name = "opencode",
        .title = "OpenCode",
        .add = add_opencode,
    },
    {
        .name = "copilot",
        .title = "Copilot CLI",
        .hint = N_("Its settings cannot take its own shell away: start it as copilot "
                   "--deny-tool=shell --allow-tool=assent."),
        .add = add_copilot,
        .add_hook = add_copilot_hook,
    },
    {
        .name = "goose",
        .title = "goose",
        .hint = N_("Its own shell is part of its extension \"developer\": turn that off with goose "
                   "configure, or it goes on using it."),
        .add = add_goose,
    },
};

static bool is_hook(const char *what)
{
    return strcmp(what, "hook") == 0;
}

const struct setup_client *setup_client_find(const char *name, const char *what)
{
    for (size_t i = 0; i < COUNT(clients); i++)
        if (strcmp(clients[i].name, name) == 0 && (!is_hook(what) || clients[i].add_hook != NULL))
            return &clients[i];
    return NULL;
}

char *setup_client_names(const char *what)
{
    struct strbuf names = STRBUF_INIT;
    for (size_t i = 0; i < COUNT(clients); i++)
        if (!is_hook(what) || clients[i].add_hook != NULL)
            strbuf_addf(&names, "%s%s", names.length > 0 ? ", " : "", clients[i].name);
    return strbuf_steal(&names);
}

const char *setup_client_hint(const struct setup_client *client, const char *what)
{
    return is_hook(what) ? client->hook_hint : client->hint;
}

json_t *setup_client_changes(const struct setup_client *client, const char *what, char *const *argv,
                             bool keep_shell)
{
    json_t *changes = json_array();
    if (is_hook(what))
        client->add_hook(client, changes, argv);
    else
        client->add(client, changes, argv, keep_shell);
    return changes;
}
