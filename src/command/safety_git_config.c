/* SPDX-License-Identifier: MIT */
/*
 * safety_git_config: does git, when it only reads, do no more than that in this repository?
 *
 * A repository says itself which programs git runs: to watch its files, to compare and convert
 * them, to page, and as a hook when the index was refreshed. It may have come with the project. So
 * its configuration must be of settings that are known to run nothing; one that nobody thought of,
 * one that includes others, and a file that is not of the simplest form are not harmless. The
 * operator's own configuration is not looked at.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/git_config_line.h"
#include "command/safety-int.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define CONFIG_MAX ((size_t)256 * 1024)
#define MODULES_MAX 200
#define DEPTH_MAX 8

/* "section.key", of sections with a name in quotes "section.*.key"; "*" at the end stands for every
 * key. What the network needs is here, because what only reads does not connect; what could make it
 * connect, for files that were never fetched (promisor), is not. */
static const char *const harmless[] = {
    "advice.*",
    "author.*",
    "blame.*",
    "branch.*",
    "branch.*.*",
    "color.*",
    "color.*.*",
    "column.*",
    "commit.*",
    "committer.*",
    "core.abbrev",
    "core.attributesfile",
    "core.autocrlf",
    "core.bare",
    "core.bigfilethreshold",
    "core.checkstat",
    "core.commentchar",
    "core.commitgraph",
    "core.compression",
    "core.deltabasecachelimit",
    "core.editor",
    "core.eol",
    "core.excludesfile",
    "core.filemode",
    "core.fscache",
    "core.fsmonitor",
    "core.hidedotfiles",
    "core.hookspath",
    "core.ignorecase",
    "core.ignorestat",
    "core.logallrefupdates",
    "core.longpaths",
    "core.multipackindex",
    "core.packedgitlimit",
    "core.packedgitwindowsize",
    "core.precomposeunicode",
    "core.preloadindex",
    "core.protecthfs",
    "core.protectntfs",
    "core.quotepath",
    "core.repositoryformatversion",
    "core.safecrlf",
    "core.sharedrepository",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "core.splitindex",
    "core.symlinks",
    "core.trustctime",
    "core.untrackedcache",
    "core.whitespace",
    "core.worktree",
    "diff.algorithm",
    "diff.autorefreshindex",
    "diff.colormoved",
    "diff.colormovedws",
    "diff.context",
    "diff.ignoresubmodules",
    "diff.indentheuristic",
    "diff.interhunkcontext",
    "diff.mnemonicprefix",
    "diff.noprefix",
    "diff.relative",
    "diff.renamelimit",
    "diff.renames",
    "diff.statgraphwidth",
    "diff.submodule",
    "diff.suppressblankempty",
    "diff.wordregex",
    "diff.wserrorhighlight",
    "diff.*.algorithm",
    "diff.*.binary",
    "diff.*.funcname",
    "diff.*.wordregex",
    "diff.*.xfuncname",
    "extensions.noop",
    "extensions.objectformat",
    "extensions.preciousobjects",
    "extensions.refstorage",
    "extensions.worktreeconfig",
    "feature.*",
    "fetch.*",
    "filter.*.clean",
    "filter.*.process",
    "filter.*.required",
    "filter.*.smudge",
    "format.pretty",
    "gc.*",
    "grep.*",
    "gui.*",
    "http.*",
    "http.*.*",
    "i18n.*",
    "index.*",
    "init.*",
    "lfs.repositoryformatversion",
    "lfs.*.access",
    "lfs.*.locksverify",
    "log.abbrevcommit",
    "log.date",
    "log.decorate",
    "log.diffmerges",
    "log.excludedecoration",
    "log.follow",
    "log.graphcolors",
    "log.mailmap",
    "log.showroot",
    "maintenance.*",
    "merge.*",
    "notes.*",
    "pack.*",
    "pull.*",
    "push.*",
    "rebase.*",
    "receive.*",
    "remote.*.fetch",
    "remote.*.gh-resolved",
    "remote.*.mirror",
    "remote.*.prune",
    "remote.*.prunetags",
    "remote.*.push",
    "remote.*.pushurl",
    "remote.*.skipdefaultupdate",
    "remote.*.skipfetchall",
    "remote.*.tagopt",
    "remote.*.url",
    "rerere.*",
    "stash.*",
    "status.*",
    "submodule.active",
    "submodule.*.active",
    "submodule.*.branch",
    "submodule.*.ignore",
    "submodule.*.update",
    "submodule.*.url",
    "tag.*",
    "url.*.insteadof",
    "url.*.pushinsteadof",
    "user.*",
    "versionsort.*",
    "worktree.*",
};

/* A repository: where it keeps its books, and where its files are (NULL when that is not known). */
struct repository {
    const char *directory, *worktree;
    size_t modules; /* seen so far */
};

/* ---- variables --------------------------------------------------------------------------------
 */

static bool is_listed(const char *name)
{
    for (size_t i = 0; i < COUNT(harmless); i++) {
        size_t length = strlen(harmless[i]);
        bool any = harmless[i][length - 1] == '*';
        if (any ? strncasecmp(harmless[i], name, length - 1) == 0 &&
                      strchr(name + length - 1, '.') == NULL
                : strcasecmp(harmless[i], name) == 0)
            return true;
    }
    return false;
}

/* git refreshes the index while it reads, and says so to this hook. */
static bool is_without_hook(const char *directory)
{
    cleanup_free char *hook = xasprintf("%s/post-index-change", directory);
    return access(hook, F_OK) != 0 && errno == ENOENT;
}

/* Hooks of a relative directory are looked for in the working tree. What git expands ("~",
 * "%(prefix)", ":(optional)"), and a tab, of which some versions of it make a blank, would be
 * looked for here under another name. */
static bool hooks_are_harmless(const char *value, const struct repository *repository)
{
    if (*value == '\0' || *value == ':' || strpbrk(value, "~%\t") != NULL ||
        (*value != '/' && repository->worktree == NULL))
        return false;
    cleanup_free char *path =
        *value == '/' ? xstrdup(value) : xasprintf("%s/%s", repository->worktree, value);
    return is_without_hook(path);
}

static bool is_one_of(const char *value, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(value, list[i]) == 0)
            return true;
    return false;
}

static bool is_harmless(const struct git_config_line *line, const struct repository *repository)
{
    /* anything else is the name of a program */
    static const char *const truths[] = {"true", "false", "yes", "no", "on", "off", "1", "0"};
    static const char *const lfs[] = {"git-lfs clean -- %f", "git-lfs smudge -- %f",
                                      "git-lfs filter-process", "true"};
    const char *name = line->name, *value = line->value;
    if (!is_listed(name))
        return false;
    if (strcasecmp(name, "core.fsmonitor") == 0)
        return is_one_of(value, truths, COUNT(truths));
    if (strcasecmp(name, "core.hookspath") == 0)
        return hooks_are_harmless(value, repository);
    if (strcasecmp(name, "core.worktree") == 0) /* of a submodule */
        return strncmp(value, "../", 3) == 0;
    if (strncasecmp(name, "filter.", 7) == 0)
        return strcmp(line->subsection, "lfs") == 0 && is_one_of(value, lfs, COUNT(lfs));
    return true;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool text_is_harmless(const struct repository *repository, const char *text, size_t length)
{
    struct git_config_line line = {0};
    bool good = true;
    for (const char *end = text + length; good && text < end;) {
        const char *stop = memchr(text, '\n', (size_t)(end - text)) ?: end;
        enum git_config_kind kind = git_config_line_read(&line, text, (size_t)(stop - text));
        good =
            kind == GIT_CONFIG_VARIABLE ? is_harmless(&line, repository) : kind != GIT_CONFIG_OTHER;
        text = stop + 1;
    }
    git_config_line_free(&line);
    return good;
}

/* A file that is not there says nothing. */
static bool file_is_harmless(const struct repository *repository, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", repository->directory, name);
    size_t length;
    cleanup_free char *text = fd_read_file(path, CONFIG_MAX, false, &length);
    return text == NULL ? errno == ENOENT : text_is_harmless(repository, text, length);
}

static bool modules_are_harmless(struct repository *repository, const char *path, unsigned depth);

static bool directory_is_harmless(struct repository *repository, unsigned depth)
{
    cleanup_free char *hooks = xasprintf("%s/hooks", repository->directory);
    cleanup_free char *modules = xasprintf("%s/modules", repository->directory);
    return is_without_hook(hooks) && file_is_harmless(repository, "config") &&
           file_is_harmless(repository, "config.worktree") &&
           modules_are_harmless(repository, modules, depth);
}

/* The books of submodules, into which git looks as well. Their names may have slashes in them. */
static bool modules_are_harmless(struct repository *repository, const char *path, unsigned depth)
{
    DIR *stream = opendir(path);
    if (stream == NULL)
        return errno == ENOENT || errno == ENOTDIR;
    bool good = depth < DEPTH_MAX;
    for (struct dirent *entry; good && (entry = readdir(stream)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        cleanup_free char *inner = xasprintf("%s/%s", path, entry->d_name);
        cleanup_free char *head = xasprintf("%s/HEAD", inner);
        struct repository module = {.directory = inner, .modules = repository->modules + 1};
        good = module.modules <= MODULES_MAX &&
               (access(head, F_OK) == 0 ? directory_is_harmless(&module, depth + 1)
                                        : modules_are_harmless(&module, inner, depth + 1));
        repository->modules = module.modules;
    }
    closedir(stream);
    return good;
}

/* ---- the repository -------------------------------------------------------------------------- */

/* The path that a file of one line names, relative to `base`; NULL when there is none such. */
static char *read_pointer(const char *path, const char *prefix, const char *base)
{
    size_t length, width = strlen(prefix);
    cleanup_free char *text = fd_read_file(path, PATH_MAX, false, &length);
    if (text == NULL || strncmp(text, prefix, width) != 0)
        return NULL;
    text[width + strcspn(text + width, "\r\n")] = '\0';
    const char *to = text + width;
    cleanup_free char *joined = *to == '/' ? xstrdup(to) : xasprintf("%s/%s", base, to);
    return *to != '\0' ? realpath(joined, NULL) : NULL;
}

/* A linked working tree has books of its own beside those that it shares. */
static bool linked_is_harmless(const char *worktree, const char *file)
{
    cleanup_free char *own = read_pointer(file, "gitdir: ", worktree);
    if (own == NULL)
        return false;
    cleanup_free char *pointer = xasprintf("%s/commondir", own);
    cleanup_free char *common = read_pointer(pointer, "", own);
    if (common == NULL && (access(pointer, F_OK) == 0 || errno != ENOENT))
        return false;
    struct repository linked = {.directory = own, .worktree = worktree};
    struct repository shared = {.directory = common, .worktree = worktree};
    return directory_is_harmless(&linked, 0) &&
           (common == NULL || directory_is_harmless(&shared, 0));
}

static bool repository_is_harmless(const char *worktree, const char *path)
{
    cleanup_free char *pointer = xasprintf("%s/commondir", path);
    struct repository repository = {.directory = path, .worktree = worktree};
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    if (!S_ISDIR(status.st_mode))
        return linked_is_harmless(worktree, path);
    return access(pointer, F_OK) != 0 && directory_is_harmless(&repository, 0);
}

bool safety_git_runs_nothing(const char *root)
{
    cleanup_free char *worktree = xstrdup(root);
    for (char *slash; (slash = strrchr(worktree, '/')) != NULL; *slash = '\0') {
        cleanup_free char *books = xasprintf("%s/.git", worktree);
        cleanup_free char *head = xasprintf("%s/HEAD", worktree);
        cleanup_free char *objects = xasprintf("%s/objects", worktree);
        if (access(books, F_OK) == 0 || errno != ENOENT)
            return repository_is_harmless(worktree, books);
        /* one without a working tree: its books are files like any other here */
        if (access(head, F_OK) == 0 && access(objects, F_OK) == 0)
            return false;
    }
    return true;
}
