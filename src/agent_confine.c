/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agent_confine.h"

#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/install.h"
#include "config/paths.h"
#include "turn.h"

/* What agents keep beneath the home directory. What they obey (servers, hooks, permissions,
 * variables) or run they may read only, whether it is there or not: an agent that can change it
 * supervises itself, and the next one is started without a sandbox by what this one wrote. */
static const struct {
    const char *agents; /* words that the name of the program begins with */
    const char *own[4];
    const char *secrets[3]; /* closed to every command, and what this agent logs in with */
    const char *settings[9];
} AGENTS[] = {
    {"codex",
     {".codex"},
     {".codex/auth.json"},
     {".codex/config.toml", ".codex/rules", ".codex/.env", ".codex/hooks.json"}},
    {"claude",
     {".claude", ".claude.json"},
     {".claude/.credentials.json"},
     {".claude/settings.json", ".claude/settings.local.json", ".claude/hooks", ".claude/local",
      ".claude/agents", ".claude/commands", ".claude/skills", ".claude/plugins"}},
    {"gemini",
     {".gemini"},
     {".gemini/oauth_creds.json"},
     {".gemini/settings.json", ".gemini/extensions", ".gemini/.env", ".gemini/policies",
      ".gemini/trustedFolders.json"}},
    {"qwen",
     {".qwen"},
     {NULL},
     {".qwen/settings.json", ".qwen/extensions", ".qwen/.env", ".qwen/trustedFolders.json"}},
    {"opencode",
     {".local/share/opencode", ".local/state/opencode"},
     {".local/share/opencode/auth.json"},
     {".local/share/opencode/bin"}},
    {"copilot",
     {".copilot"},
     {".config/github-copilot"},
     {".copilot/mcp-config.json", ".copilot/hooks", ".copilot/pkg"}},
};

static int add_beneath(struct sandbox_policy *policy, enum policy_access access,
                       const char *directory, const char *const *names, size_t count,
                       struct error *error)
{
    for (size_t i = 0; i < count && names[i] != NULL; i++) {
        cleanup_free char *path = xasprintf("%s/%s", directory, names[i]);
        struct stat status;
        /* A link would lend a right to what it names. */
        if ((access == POLICY_ACCESS_READ ||
             (lstat(path, &status) == 0 && !S_ISLNK(status.st_mode))) &&
            sandbox_policy_add_entry(policy, access, path, error) < 0)
            return -1;
    }
    return 0;
}

#define ADD(access, names)                                                                         \
    add_beneath(policy, access, home, names, sizeof(names) / sizeof *(names), error)

static int add_own(struct sandbox_policy *policy, const char *name, struct error *error)
{
    cleanup_free char *home = paths_home();
    for (size_t i = 0; i < sizeof AGENTS / sizeof *AGENTS; i++)
        if (strncmp(name, AGENTS[i].agents, strlen(AGENTS[i].agents)) == 0 &&
            (ADD(POLICY_ACCESS_WRITE, AGENTS[i].own) < 0 ||
             ADD(POLICY_ACCESS_WRITE, AGENTS[i].secrets) < 0 ||
             ADD(POLICY_ACCESS_READ, AGENTS[i].settings) < 0))
            return -1;
    return 0;
}

static int add_named(struct sandbox_policy *policy, const struct options *options,
                     struct error *error)
{
    const char *const *path = options_list(options, OPTION_AGENT_ROOTS);
    for (; *path != NULL; path++) {
        cleanup_free char *expanded = paths_expand(*path);
        if (sandbox_policy_add_entry(policy, POLICY_ACCESS_WRITE, expanded, error) < 0)
            return error_prefix(error, "agent_roots");
    }
    return 0;
}

/* Our own programs and settings, closed to commands: they speak to the agent, and are its tools.
 * The secret by which consoles are known stays closed. */
static int add_ours(struct sandbox_policy *policy, struct error *error)
{
    static const char *const programs[] = {"assent", "assent-acp", "assent-mcp"};
    static const char *const all[] = {"."}, *const secret[] = {"console.key"};
    cleanup_free char *settings = paths_config_directory();
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        cleanup_free char *path = install_find_program(programs[i], error);
        if (path == NULL || sandbox_policy_add_entry(policy, POLICY_ACCESS_READ, path, error) < 0)
            return -1;
    }
    return add_beneath(policy, POLICY_ACCESS_READ, settings, all, 1, error) < 0
               ? -1
               : add_beneath(policy, POLICY_ACCESS_NONE, settings, secret, 1, error);
}

/* The directory of sockets can be looked at; connections are possible to that one only. */
static int add_socket(struct sandbox_policy *policy, const char *socket, struct error *error)
{
    cleanup_free char *directory = xstrndup(socket, (size_t)(strrchr(socket, '/') - socket));
    return sandbox_policy_add_entry(policy, POLICY_ACCESS_READ, directory, error) < 0
               ? -1
               : sandbox_policy_add_unix_socket(policy, socket, error);
}

struct turn_context *agent_confine_context(const struct options *options,
                                           const struct turn_context *commands, const char *name,
                                           const char *socket, struct error *error)
{
    struct turn_context *context = NULL;
    struct sandbox_policy *policy =
        turn_sandbox_policy(options, SANDBOX_WORKSPACE_WRITE, commands->root, error);
    if (policy != NULL && add_own(policy, name, error) == 0 &&
        add_named(policy, options, error) == 0 && add_ours(policy, error) == 0 &&
        add_socket(policy, socket, error) == 0 && sandbox_policy_pin(policy, error) == 0)
        context = turn_context_new(&commands->approval, policy, SANDBOX_REQUIRE, commands->root);
    if (context == NULL)
        error_prefix(error, _("confine_agent: %s cannot be confined"), name);
    sandbox_policy_free(&policy);
    return context;
}
