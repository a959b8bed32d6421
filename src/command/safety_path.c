/* SPDX-License-Identifier: MIT */
/* safety_path: where a word of a known-safe command may lead. */
#include "config.h"

#include <dirent.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/path.h"
#include "base/physical.h"
#include "command/safety-int.h"

/* A pattern that stands for more is not looked at to its end, and not safe. */
#define ENTRIES_MAX 20000
#define MATCHES_MAX 2000

/* Readable without asking beside the workspace: what every program can see anyway. */
static const char *const platform_paths[] = {
    "/usr",          "/bin",          "/sbin",         "/lib",
    "/lib64",        "/lib32",        "/etc/hosts",    "/etc/os-release",
    "/etc/hostname", "/etc/passwd",   "/etc/group",    "/etc/debian_version",
    "/etc/issue",    "/etc/timezone", "/etc/shells",   "/etc/lsb-release",
    "/dev/null",     "/proc/cpuinfo", "/proc/meminfo", "/proc/version",
    "/proc/loadavg", "/proc/uptime",  "/etc/services", "/etc/protocols",
};

/* Files of a workspace that hold secrets: names that begin so, whole names, names that end so. */
static const char *const secret_beginnings[] = {
    ".env",       ".netrc",   ".npmrc", ".pypirc", ".git-credentials", "id_rsa",
    "id_ed25519", "id_ecdsa", "id_dsa", ".pgpass", ".htpasswd",        ".ssh",
    ".gnupg",     ".aws",     ".kube",  ".vault",  ".dockercfg",
};
static const char *const secret_names[] = {
    "credentials",      "credentials.json", "credentials.yml", "credentials.yaml",
    "credentials.toml", "secrets.json",     "secrets.yml",     "secrets.yaml",
    "secrets.toml",     "master.key",       "auth.json",
};
static const char *const secret_suffixes[] = {".pem", ".key",      ".p12",     ".pfx",
                                              ".jks", ".keystore", ".tfstate", ".kdbx"};
/* What a name may go on with and still be an example that is meant to be read. */
static const char *const harmless_suffixes[] = {".example", ".sample", ".template", ".dist"};

static bool ends_with(const char *text, size_t length, const char *suffix)
{
    size_t width = strlen(suffix);
    return length >= width && memcmp(text + length - width, suffix, width) == 0;
}

static bool is_secret_name(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT(harmless_suffixes); i++)
        if (ends_with(name, length, harmless_suffixes[i]))
            return false;
    for (size_t i = 0; i < COUNT(secret_beginnings); i++)
        if (strncmp(name, secret_beginnings[i], strlen(secret_beginnings[i])) == 0)
            return true;
    for (size_t i = 0; i < COUNT(secret_names); i++)
        if (strlen(secret_names[i]) == length && memcmp(name, secret_names[i], length) == 0)
            return true;
    for (size_t i = 0; i < COUNT(secret_suffixes); i++)
        if (ends_with(name, length, secret_suffixes[i]))
            return true;
    return false;
}

/* Any part of the path; behind a colon too: git's REVISION:FILE. */
bool safety_path_is_secret(const char *path)
{
    for (const char *part = path; *part != '\0';) {
        size_t length = strcspn(part, "/:");
        if (is_secret_name(part, length))
            return true;
        part += length + (part[length] != '\0');
    }
    return false;
}

bool safety_path_readable(const char *physical, const struct safety_context *context)
{
    bool inside = path_is_beneath(physical, context->root);
    if (safety_path_is_secret(inside ? physical + strlen(context->root) : physical))
        return false;
    if (inside)
        return true;
    for (size_t i = 0; context->writable_roots != NULL && context->writable_roots[i] != NULL; i++)
        if (path_is_beneath(physical, context->writable_roots[i]))
            return true;
    for (size_t i = 0; i < COUNT(platform_paths); i++)
        if (path_is_beneath(physical, platform_paths[i]))
            return true;
    return false;
}

/* Without "." and double slashes, so that it can be compared; NULL when it has ".." in it, which
 * leads elsewhere behind a link. Caller frees. */
static char *tidy(const char *path)
{
    char *tidied = xcalloc(strlen(path) + 2, 1), *to = tidied;
    for (const char *part = path; *part != '\0';) {
        size_t length = strcspn(part, "/");
        if (length == 2 && part[0] == '.' && part[1] == '.') {
            free(tidied);
            return NULL;
        }
        if (length > 0 && !(length == 1 && part[0] == '.')) {
            *to++ = '/';
            memcpy(to, part, length);
            to += length;
        }
        part += length + (part[length] == '/');
    }
    if (to == tidied)
        *to = '/';
    return tidied;
}

char *safety_path_behind(const char *path)
{
    char *physical = physical_path(path);
    cleanup_free char *parent = xstrdup(path);
    struct stat status;
    if (physical != NULL || lstat(path, &status) == 0)
        return physical;
    for (char *slash; (slash = strrchr(parent, '/')) != NULL;) {
        *slash = '\0';
        cleanup_free char *there = physical_path(*parent == '\0' ? "/" : parent);
        cleanup_free char *joined =
            there != NULL ? xasprintf("%s/%s", there, path + strlen(parent)) : NULL;
        if (joined != NULL)
            return tidy(joined);
        if (lstat(parent, &status) == 0)
            return NULL;
    }
    return NULL;
}

bool safety_path_text(const char *word, const struct safety_context *context)
{
    if (strlen(word) >= PATH_MAX)
        return false;
    cleanup_free char *path =
        word[0] == '/' ? xstrdup(word) : xasprintf("%s/%s", context->cwd, word);
    cleanup_free char *file = safety_path_behind(path);
    return file != NULL && safety_path_readable(file, context);
}

/* ---- patterns -------------------------------------------------------------------------------- */

struct search {
    const struct safety_context *context;
    size_t entries, matches; /* seen so far */
};

static bool search_pattern(struct search *search, const char *directory, const char *pattern);

/* What a pattern's part matched: the rest of the pattern beneath it, or the file itself. */
static bool search_match(struct search *search, const char *path, const char *rest)
{
    if (*rest != '\0')
        return search_pattern(search, path, rest + strspn(rest, "/"));
    return ++search->matches <= MATCHES_MAX && safety_path_text(path, search->context);
}

/* Is it no directory that a pattern goes on beneath? */
static bool is_other_file(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && !S_ISDIR(status.st_mode) && !S_ISLNK(status.st_mode);
}

static bool search_directory(struct search *search, const char *directory, const char *part,
                             const char *rest)
{
    if (is_other_file(directory))
        return true; /* nothing matches */
    if (!safety_path_text(directory, search->context))
        return false;
    DIR *stream = opendir(directory);
    bool good = true;
    if (stream == NULL)
        return true;
    for (struct dirent *entry; good && (entry = readdir(stream)) != NULL;) {
        good = ++search->entries <= ENTRIES_MAX;
        /* Names that begin with a point are matched too, in case that a shell is set up so. */
        if (!good || strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            fnmatch(part, entry->d_name, 0) != 0)
            continue;
        cleanup_free char *path = xasprintf("%s/%s", directory, entry->d_name);
        good = search_match(search, path, rest);
    }
    closedir(stream);
    return good;
}

/* Is everything that the pattern matches beneath the directory readable? */
static bool search_pattern(struct search *search, const char *directory, const char *pattern)
{
    size_t length = strcspn(pattern, "/");
    cleanup_free char *part = xstrndup(pattern, length);
    if (strpbrk(part, "*?[") != NULL)
        return search_directory(search, directory, part, pattern + length);
    cleanup_free char *path = xasprintf("%s/%s", directory, part);
    return search_match(search, path, pattern + length);
}

bool safety_path_is_pattern(const struct safety_words *words, size_t index)
{
    return words->marks != NULL && !words->marks[index].literal;
}

/* The shell will look when the command runs and we look now, as with every path here: the sandbox
 * holds in between. Where part of a pattern is quoted it is not known which. */
bool safety_path_word(const struct safety_words *words, size_t index)
{
    const char *word = words->argv[index];
    const struct safety_context *context = words->context;
    if (!safety_path_is_pattern(words, index))
        return safety_path_text(word, context);
    /* zsh looks beneath all directories for a double star. */
    if (!words->marks[index].glob || words->marks[index].quoted || strlen(word) >= PATH_MAX ||
        strstr(word, "**") != NULL || !safety_path_text(word, context))
        return false;
    struct search search = {.context = context};
    return search_pattern(&search, word[0] == '/' ? "" : context->cwd, word + strspn(word, "/"));
}
