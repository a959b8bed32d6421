/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/protected.h"

const struct protected_name PROTECTED_NAMES[] = {
    /* agents: settings, hooks, servers that they start */
    {".assent", PROTECTED_ALWAYS},
    {".codex", PROTECTED_ALWAYS},
    {".agents", PROTECTED_ALWAYS},
    {".claude", PROTECTED_ALWAYS},
    {".cursor", PROTECTED_ALWAYS},
    {".gemini", PROTECTED_ALWAYS},
    {".mcp.json", PROTECTED_ALWAYS},
    {".opencode", PROTECTED_WHEN_THERE},
    {".windsurf", PROTECTED_WHEN_THERE},
    {".continue", PROTECTED_WHEN_THERE},
    {".aider.conf.yml", PROTECTED_WHEN_THERE},
    /* editors: tasks, project settings */
    {".vscode", PROTECTED_ALWAYS},
    {".idea", PROTECTED_ALWAYS},
    {".zed", PROTECTED_WHEN_THERE},
    {".exrc", PROTECTED_WHEN_THERE},
    {".vimrc", PROTECTED_IN_HOME},
    {".nvimrc", PROTECTED_WHEN_THERE},
    {".dir-locals.el", PROTECTED_WHEN_THERE},
    {".emacs", PROTECTED_IN_HOME},
    /* shells, and what changes them on entering a directory */
    {".envrc", PROTECTED_ALWAYS},
    {".bashrc", PROTECTED_IN_HOME},
    {".bash_profile", PROTECTED_IN_HOME},
    {".bash_login", PROTECTED_IN_HOME},
    {".bash_aliases", PROTECTED_IN_HOME},
    {".bash_logout", PROTECTED_IN_HOME},
    {".profile", PROTECTED_IN_HOME},
    {".zshrc", PROTECTED_IN_HOME},
    {".zshenv", PROTECTED_IN_HOME},
    {".zprofile", PROTECTED_IN_HOME},
    {".zlogin", PROTECTED_IN_HOME},
    {".kshrc", PROTECTED_IN_HOME},
    {".cshrc", PROTECTED_IN_HOME},
    {".tcshrc", PROTECTED_IN_HOME},
    {".inputrc", PROTECTED_IN_HOME},
    {".xprofile", PROTECTED_IN_HOME},
    {".xsessionrc", PROTECTED_IN_HOME},
    {".pam_environment", PROTECTED_IN_HOME},
    {".gitconfig", PROTECTED_IN_HOME},
    {".ripgreprc", PROTECTED_IN_HOME},
    {".ssh", PROTECTED_IN_HOME},
};
const size_t PROTECTED_NAME_COUNT = sizeof PROTECTED_NAMES / sizeof *PROTECTED_NAMES;

const char *const PROTECTED_IN_GIT[] = {
    "hooks",   "config",    "config.worktree", "info",    "commondir", "gitdir",
    "modules", "worktrees", "branches",        "remotes", NULL,
};
