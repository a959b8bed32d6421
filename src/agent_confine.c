/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agent_confine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "agent_program.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/install.h"
#include "base/path.h"
#include "config/paths.h"
#include "sandbox/placeholder.h"
#include "turn.h"

/* What agents keep beneath the home directory. What they obey (servers, hooks, permissions,
 * variables) or run they may read only, whether it is there or not: an agent that can change it
 * supervises itself, and the next one is started without a sandbox by what this one wrote. */
static const struct agent {
    const char *programs[4]; /* names of its program, whole */
    const char *own[4];
    const char *secrets[3];   /* closed to every command, and what this agent logs in with */
    const char *settings[9];  /* NULL behind the last */
    const char *variables[6]; /* what it logs in with, and where; * stands for any rest; so too */
} AGENTS[] = {
    {{"codex", "codex-acp"},
     {".codex"},
     {".codex/auth.json"},
     {".codex/config.toml", ".codex/rules", ".codex/.env", ".codex/hooks.json"},
     {"OPENAI_*", "CODEX_*", "AZURE_OPENAI_*"}},
    {{"claude", "claude-agent-acp", "claude-code-acp"},
     {".claude", ".claude.json"},
     {".claude/.credentials.json"},
     {".claude/settings.json", ".claude/settings.local.json", ".claude/hooks", ".claude/local",
      ".claude/agents", ".claude/commands", ".claude/skills", ".claude/plugins"},
     {"ANTHROPIC_*", "CLAUDE_*"}},
    {{"gemini"},
     {".gemini"},
     {".gemini/oauth_creds.json"},
     {".gemini/settings.json", ".gemini/extensions", ".gemini/.env", ".gemini/policies",
      ".gemini/trustedFolders.json"},
     {"GEMINI_*", "GOOGLE_*"}},
    {{"qwen"},
     {".qwen"},
     {NULL},
     {".qwen/settings.json", ".qwen/extensions", ".qwen/.env", ".qwen/trustedFolders.json"},
     {"OPENAI_*", "QWEN_*", "DASHSCOPE_*"}},
    {{"opencode"},
     {".local/share/opencode", ".local/state/opencode"},
     {".local/share/opencode/auth.json"},
     {".local/share/opencode/bin"},
     {"OPENCODE_*", "ANTHROPIC_*", "OPENAI_*", "GEMINI_*", "OPENROUTER_*"}},
    {{"copilot"},
     {".copilot"},
     {".config/github-copilot"},
     {".copilot/mcp-config.json", ".copilot/hooks", ".copilot/pkg"},
     {"COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN"}},
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

#define ADD(access, names) add_beneath(policy, access, home, names, COUNT(names), error)

static const struct agent *find_agent(const char *name)
{
    for (size_t i = 0; name != NULL && i < COUNT(AGENTS); i++)
        for (size_t j = 0; j < sizeof AGENTS[i].programs / sizeof *AGENTS[i].programs; j++)
            if (AGENTS[i].programs[j] != NULL && strcmp(name, AGENTS[i].programs[j]) == 0)
                return &AGENTS[i];
    return NULL;
}

/* Is the variable "NAME=VALUE" one of the agent's? */
static bool is_login(const struct agent *agent, const char *variable)
{
    for (const char *const *name = agent->variables; *name != NULL; name++) {
        size_t length = strcspn(*name, "*");
        bool rest = (*name)[length] == '*';
        if (strncmp(variable, *name, length) == 0 && (rest || variable[length] == '='))
            return true;
    }
    return false;
}

char **agent_login_variables(const char *name, char *const *environment)
{
    const struct agent *agent = find_agent(name);
    char **found = xcalloc(strv_length((const char *const *)environment) + 1, sizeof *found);
    size_t count = 0;
    for (; agent != NULL && *environment != NULL; environment++)
        if (is_login(agent, *environment))
            found[count++] = xstrdup(*environment);
    return found;
}

static int add_own(struct sandbox_policy *policy, const struct agent *agent, struct error *error)
{
    cleanup_free char *home = paths_home();
    return ADD(POLICY_ACCESS_WRITE, agent->own) < 0 ||
                   ADD(POLICY_ACCESS_WRITE, agent->secrets) < 0 ||
                   ADD(POLICY_ACCESS_READ, agent->settings) < 0
               ? -1
               : 0;
}

/* Whatever can be changed from inside is not the program that it is called after: it would get
 * another's login. */
static int check_files(const struct sandbox_policy *policy, const struct agent_program *program,
                       struct error *error)
{
    for (char *const *file = program->files; *file != NULL; file++)
        if (sandbox_policy_access_at(policy, *file) == POLICY_ACCESS_WRITE ||
            (policy->tmp == POLICY_TMP_HOST &&
             (path_is_beneath(*file, "/tmp") || path_is_beneath(*file, "/var/tmp"))))
            return error_set(error, EPERM,
                             _("%s lies where the agent and its commands can write: it would get "
                               "what belongs to %s; start the one that is installed elsewhere"),
                             *file, program->name);
    return 0;
}

/* One that the agent can exchange would lend it whatever it likes. */
static int check_links(const struct sandbox_policy *policy, const char *path, struct error *error)
{
    for (const char *end = path + 1; *path == '/'; end++) {
        cleanup_free char *part = xstrndup(path, (size_t)(end - path));
        struct stat status;
        if ((*end == '/' || *end == '\0') && lstat(part, &status) == 0 && S_ISLNK(status.st_mode) &&
            sandbox_policy_access_at(policy, part) == POLICY_ACCESS_WRITE)
            return error_set(error, EPERM,
                             _("%s is a link that the agent can change: name what it leads to"),
                             part);
        if (*end == '\0')
            break;
    }
    return 0;
}

static int add_named(struct sandbox_policy *policy, const struct options *options,
                     struct error *error)
{
    const char *const *path = options_list(options, OPTION_AGENT_ROOTS);
    for (; *path != NULL; path++) {
        cleanup_free char *expanded = paths_expand(*path);
        if (check_links(policy, expanded, error) < 0 ||
            sandbox_policy_add_entry(policy, POLICY_ACCESS_WRITE, expanded, error) < 0)
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
    for (size_t i = 0; i < COUNT(programs); i++) {
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

static int add_what_is_its_own(struct sandbox_policy *policy, const struct options *options,
                               const struct agent_program *program, struct error *error)
{
    const struct agent *agent = find_agent(program->name);
    if ((agent != NULL && add_own(policy, agent, error) < 0) ||
        add_named(policy, options, error) < 0)
        return -1;
    return agent != NULL ? check_files(policy, program, error) : 0;
}

struct turn_context *agent_confine_context(const struct options *options,
                                           const struct turn_context *commands, const char *line,
                                           const char *socket, struct error *error)
{
    struct turn_context *context = NULL;
    struct agent_program program;
    struct sandbox_policy *policy =
        turn_sandbox_policy(options, SANDBOX_WORKSPACE_WRITE, commands->root, error);
    agent_program_find(line, commands->root, getenv("PATH"), &program);
    if (policy != NULL && add_what_is_its_own(policy, options, &program, error) == 0 &&
        add_ours(policy, error) == 0 && add_socket(policy, socket, error) == 0 &&
        sandbox_policy_pin(policy, error) == 0)
        context = turn_context_new(&commands->approval, policy, SANDBOX_REQUIRE, commands->root);
    if (context == NULL)
        error_prefix(error, _("confine_agent: %s cannot be confined"), line);
    agent_program_clear(&program);
    sandbox_policy_free(&policy);
    return context;
}

void agent_confine_tidy(void)
{
#ifdef __linux__
    cleanup_free char *home = paths_home();
    for (size_t i = 0; i < COUNT(AGENTS); i++)
        for (const char *const *name = AGENTS[i].settings; *name != NULL; name++) {
            cleanup_free char *path = xasprintf("%s/%s", home, *name);
            placeholder_reclaim(path);
        }
#endif
}
