/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/code_file.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/array.h"

/* Names of files out of which builds, tests, package managers and deployments run code, and of
 * settings of agents and editors that the sandbox protects only where they are there already
 * (sandbox/protected.c). */
static const char *const definitions[] = {
    ".aider.conf.yml",
    ".babelrc.js",
    ".dir-locals.el",
    ".eslintrc.cjs",
    ".eslintrc.js",
    ".exrc",
    ".gitlab-ci.yml",
    ".justfile",
    ".mise.toml",
    ".mocharc.cjs",
    ".mocharc.js",
    ".npmrc",
    ".nvimrc",
    ".pnpmfile.cjs",
    ".pre-commit-config.yaml",
    ".yarnrc",
    ".yarnrc.yml",
    "build.bazel",
    "build.gradle",
    "build.gradle.kts",
    "build.rs",
    "build.sbt",
    "build.xml",
    "build.zig",
    "bunfig.toml",
    "cargo.toml",
    "cmakelists.txt",
    "cmakepresets.json",
    "compose.yaml",
    "compose.yml",
    "composer.json",
    "configure",
    "configure.ac",
    "configure.in",
    "conftest.py",
    "containerfile",
    "deno.json",
    "docker-compose.yaml",
    "docker-compose.yml",
    "dockerfile",
    "dodo.py",
    "dune",
    "dune-project",
    "earthfile",
    "fabfile.py",
    "gemfile",
    "gnumakefile",
    "go.mod",
    "gradle.properties",
    "gradlew",
    "gruntfile.cjs",
    "gruntfile.js",
    "gulpfile.js",
    "gulpfile.mjs",
    "jenkinsfile",
    "justfile",
    "lerna.json",
    "magefile.go",
    "makefile",
    "makefile.am",
    "makefile.in",
    "manage.py",
    "meson.build",
    "mise.toml",
    "mix.exs",
    "module.bazel",
    "mvnw",
    "noxfile.py",
    "nx.json",
    "package.json",
    "pnpm-workspace.yaml",
    "pom.xml",
    "procfile",
    "pyproject.toml",
    "pytest.ini",
    "rakefile",
    "requirements.txt",
    "sconscript",
    "sconstruct",
    "settings.gradle",
    "setup.cfg",
    "setup.py",
    "sitecustomize.py",
    "taskfile.yaml",
    "taskfile.yml",
    "tasks.py",
    "tox.ini",
    "turbo.json",
    "vagrantfile",
    "wscript",
};

/* Endings of the same kind, and of scripts. */
static const char *const endings[] = {
    ".mk",         ".cmake",      ".gradle",    ".gradle.kts", ".sh",         ".bash",
    ".zsh",        ".ps1",        ".bat",       ".cmd",        ".fish",       ".config.js",
    ".config.cjs", ".config.mjs", ".config.ts", ".config.cts", ".config.mts",
};

/* Directories of the same kind, anywhere on the way. */
static const char *const directories[] = {
    ".circleci", ".continue", ".github", ".husky",       ".opencode",
    ".venv",     ".windsurf", ".zed",    "node_modules",
};

static bool is_directory_of_code(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT(directories); i++)
        if (strlen(directories[i]) == length && strncasecmp(directories[i], name, length) == 0)
            return true;
    return false;
}

/* Is a part of the path the name of one of those directories? */
static bool is_among_code(const char *path)
{
    for (const char *at = path; *at != '\0'; at += strcspn(at, "/")) {
        at += strspn(at, "/");
        if (*at != '\0' && is_directory_of_code(at, strcspn(at, "/")))
            return true;
    }
    return false;
}

bool code_file_named(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    size_t length = strlen(name);
    for (size_t i = 0; i < COUNT(definitions); i++)
        if (strcasecmp(definitions[i], name) == 0)
            return true;
    for (size_t i = 0; i < COUNT(endings); i++)
        if (length > strlen(endings[i]) &&
            strcasecmp(name + length - strlen(endings[i]), endings[i]) == 0)
            return true;
    return is_among_code(path);
}

static bool is_executable(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && (!S_ISREG(status.st_mode) || (status.st_mode & 0111) != 0);
}

bool code_file_runs(const char *path)
{
    return code_file_named(path) || is_executable(path);
}
