/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/closed.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/path.h"

/* Beneath the home directory. */
static const char *const SECRETS[] = {
    /* keys and passwords */
    ".ssh",
    ".gnupg",
    ".netrc",
    ".pgpass",
    ".my.cnf",
    ".password-store",
    ".local/share/keyrings",
    ".git-credentials",
    ".config/git/credentials",
    /* clouds, registries, clusters */
    ".aws",
    ".azure",
    ".config/gcloud",
    ".config/gh",
    ".config/hub",
    ".config/glab-cli",
    ".docker/config.json",
    ".config/containers/auth.json",
    ".kube",
    ".npmrc",
    ".pypirc",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".terraform.d/credentials.tfrc.json",
    ".vault-token",
    ".config/op",
    /* browsers */
    ".mozilla",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/microsoft-edge",
    ".config/vivaldi",
    ".config/opera",
    "snap/firefox",
    "snap/chromium",
    /* agents */
    ".codex/auth.json",
    ".claude/.credentials.json",
    ".gemini/oauth_creds.json",
    ".config/github-copilot",
    ".local/share/opencode/auth.json",
    /* what was typed */
    ".bash_history",
    ".zsh_history",
    ".python_history",
    ".psql_history",
    ".mysql_history",
};

const char *const CLOSED_IN_WORKSPACE[] = {".env", ".env.local", ".env.production", NULL};

/* Ours: below the directory that the variable names, or else below this one in the home. */
static const struct {
    const char *variable;
    const char *fallback; /* NULL: none */
} OWN[] = {
    {"XDG_CONFIG_HOME", ".config"}, {"XDG_STATE_HOME", ".local/state"}, {"XDG_RUNTIME_DIR", NULL}};

/* A place that can not be a path is none that holds anything. */
static void close_beneath(struct sandbox_policy *policy, const char *directory, const char *name)
{
    char path[PATH_MAX];
    if (directory && directory[0] == '/' &&
        snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path)
        sandbox_policy_add_entry(policy, POLICY_ACCESS_NONE, path, NULL);
}

void closed_add_defaults(struct sandbox_policy *policy)
{
    const char *home = getenv("HOME");
    for (size_t i = 0; i < COUNT(SECRETS); i++)
        close_beneath(policy, home, SECRETS[i]);
    for (size_t i = 0; i < COUNT(OWN); i++) {
        const char *directory = getenv(OWN[i].variable);
        char name[64];
        if (directory && directory[0] == '/') {
            close_beneath(policy, directory, "assent");
        } else if (OWN[i].fallback) {
            snprintf(name, sizeof name, "%s/assent", OWN[i].fallback);
            close_beneath(policy, home, name);
        }
    }
    /* What is not installed need not be left out of the rules for everything around it. */
    if (access(ASSENT_LIBEXECDIR, F_OK) == 0)
        sandbox_policy_add_entry(policy, POLICY_ACCESS_NONE, ASSENT_LIBEXECDIR, NULL);
}

void closed_add_workspace(struct sandbox_policy *policy, const char *workspace)
{
    for (const char *const *name = CLOSED_IN_WORKSPACE; *name; name++)
        close_beneath(policy, workspace, *name);
}

static bool is_at_top(const char *path, const char *root, const char *name)
{
    size_t length = strlen(root);
    return strncmp(path, root, length) == 0 && path[length] == '/' &&
           strcmp(path + length + 1, name) == 0;
}

bool closed_like_top(const struct sandbox_policy *policy, const char *root, const char *path)
{
    bool closed = false;
    for (size_t i = 0; i < policy->entry_count; i++) {
        const struct policy_entry *entry = &policy->entries[i];
        if (is_at_top(entry->path, root, strrchr(path, '/') + 1))
            closed = entry->access == POLICY_ACCESS_NONE;
        else if (strlen(entry->path) > strlen(root) && path_is_beneath(path, entry->path))
            return false;
    }
    return closed;
}

bool closed_is_name(const char *name)
{
    for (const char *const *closed = CLOSED_IN_WORKSPACE; *closed; closed++)
        if (strcmp(name, *closed) == 0)
            return true;
    return false;
}

char *closed_workspace(const struct policy_entry *entry)
{
    const char *slash = strrchr(entry->path, '/');
    if (entry->access != POLICY_ACCESS_NONE || slash == entry->path || !closed_is_name(slash + 1))
        return NULL;
    return xstrndup(entry->path, (size_t)(slash - entry->path));
}
