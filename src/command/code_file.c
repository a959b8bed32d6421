/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/code_file.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Names of files out of which builds, tests, package managers and deployments run code. */
static const char *const definitions[] = {
    "build.gradle",
    "build.gradle.kts",
    "build.rs",
    "build.xml",
    "cargo.toml",
    "cmakelists.txt",
    "composer.json",
    "configure",
    "configure.ac",
    "conftest.py",
    "deno.json",
    "docker-compose.yml",
    "dockerfile",
    "gemfile",
    "gnumakefile",
    "go.mod",
    "gruntfile.js",
    "gulpfile.js",
    "jenkinsfile",
    "justfile",
    "makefile",
    "makefile.am",
    "meson.build",
    "mix.exs",
    "package.json",
    "pom.xml",
    "procfile",
    "pyproject.toml",
    "rakefile",
    "requirements.txt",
    "sconstruct",
    "setup.cfg",
    "setup.py",
    "settings.gradle",
    "taskfile.yml",
    "tox.ini",
    "vagrantfile",
    "vite.config.js",
    "vite.config.ts",
    "webpack.config.js",
    ".gitlab-ci.yml",
    ".npmrc",
    ".pre-commit-config.yaml",
    "jest.config.js",
    "babel.config.js",
    "noxfile.py",
    ".yarnrc.yml",
};

/* Endings of the same kind, and of scripts. */
static const char *const endings[] = {".mk",  ".cmake", ".gradle", ".sh",  ".bash",
                                      ".zsh", ".ps1",   ".bat",    ".cmd", ".fish"};

/* Directories of the same kind, anywhere on the way. */
static const char *const directories[] = {".github", ".circleci", ".husky", "node_modules",
                                          ".venv"};

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

static bool is_definition(const char *path)
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
    return is_definition(path) || is_executable(path);
}
