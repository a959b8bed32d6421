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
#include "base/array.h"
#include "base/fd.h"
#include "base/git_config_line.h"
#include "base/git_index.h"
#include "base/path.h"
#include "command/safety-int.h"

#define CONFIG_MAX ((size_t)256 * 1024)
#define INDEX_MAX ((size_t)64 * 1024 * 1024)
enum { REPOSITORIES_MAX = 200, DEPTH_MAX = 8 };

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

/* A repository: where it keeps its books, and where its files are. */
struct repository {
    const char *directory, *worktree;
    size_t hash;   /* bytes of an object's name */
    bool returns;  /* its configuration says that these are its files */
    size_t *count; /* of the repositories that were looked at so far */
    int depth;     /* of this one in others */
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
    if (*value == '\0' || *value == ':' || strpbrk(value, "~%\t") != NULL)
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

/* Git looks at the files that are where it is called, as we do. */
static bool is_worktree(const char *value, const struct repository *repository)
{
    cleanup_free char *path =
        *value == '/' ? xstrdup(value) : xasprintf("%s/%s", repository->directory, value);
    struct stat named, own;
    return stat(path, &named) == 0 && stat(repository->worktree, &own) == 0 &&
           named.st_dev == own.st_dev && named.st_ino == own.st_ino;
}

/* A file of the working tree, named from there downwards. */
static bool is_of_worktree(const char *value, const struct repository *repository)
{
    cleanup_free char *path = xasprintf("%s/%s", repository->worktree, value);
    cleanup_free char *root = realpath(repository->worktree, NULL);
    cleanup_free char *file = safety_path_behind(path);
    return *value != '/' && *value != ':' && strpbrk(value, "~%") == NULL && root != NULL &&
           file != NULL && path_is_beneath(file, root);
}

static bool is_harmless(const struct git_config_line *line, struct repository *repository)
{
    /* anything else is the name of a program */
    static const char *const truths[] = {"true", "false", "yes", "no", "on", "off", "1", "0"};
    static const char *const lfs[] = {"git-lfs clean -- %f", "git-lfs smudge -- %f",
                                      "git-lfs filter-process", "true"};
    /* git quotes from these what it does not understand */
    static const char *const files[] = {"blame.ignorerevsfile", "core.attributesfile",
                                        "core.excludesfile"};
    static const char *const orders[] = {"branch.sort", "format.pretty", "tag.sort"};
    const char *name = line->name, *value = line->value;
    if (!is_listed(name))
        return false;
    if (strcasecmp(name, "core.fsmonitor") == 0)
        return is_one_of(value, truths, COUNT(truths));
    if (strcasecmp(name, "core.hookspath") == 0)
        return hooks_are_harmless(value, repository);
    if (strcasecmp(name, "core.worktree") == 0)
        return repository->returns = is_worktree(value, repository);
    if (is_one_of(name, files, COUNT(files)))
        return is_of_worktree(value, repository);
    if (is_one_of(name, orders, COUNT(orders)))
        return !safety_git_checks_signatures(value) && strstr(value, "signature") == NULL;
    if (strcasecmp(name, "status.submodulesummary") == 0) /* runs git log in what were submodules */
        return false;
    if (strncasecmp(name, "filter.", 7) == 0)
        return strcmp(line->subsection, "lfs") == 0 && is_one_of(value, lfs, COUNT(lfs));
    return true;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool text_is_harmless(struct repository *repository, const char *text, size_t length)
{
    struct git_config_line line = {0};
    bool good = true;
    for (const char *end = text + length; good && text < end;) {
        const char *stop = memchr(text, '\n', (size_t)(end - text)) ?: end;
        enum git_config_kind kind = git_config_line_read(&line, text, (size_t)(stop - text));
        good =
            kind == GIT_CONFIG_VARIABLE ? is_harmless(&line, repository) : kind != GIT_CONFIG_OTHER;
        if (good && kind == GIT_CONFIG_VARIABLE &&
            strcasecmp(line.name, "extensions.objectformat") == 0)
            repository->hash =
                strcasecmp(line.value, "sha256") == 0 ? GIT_SHA256_SIZE : GIT_SHA1_SIZE;
        text = stop + 1;
    }
    git_config_line_free(&line);
    return good;
}

/* A file that is not there says nothing. */
static bool config_is_harmless(struct repository *repository, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", repository->directory, name);
    size_t length;
    cleanup_free char *text = fd_read_file(path, CONFIG_MAX, false, &length);
    return text == NULL ? errno == ENOENT : text_is_harmless(repository, text, length);
}

static bool repository_is_harmless(const struct repository *parent, const char *worktree);

/* Into the repositories that it names, submodules and others, git looks as well. */
static bool index_is_harmless(const struct repository *repository, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", repository->directory, name);
    struct git_index index;
    size_t size;
    cleanup_free char *bytes = fd_read_file(path, INDEX_MAX, false, &size);
    if (bytes == NULL || !git_index_begin(&index, bytes, size, repository->hash))
        return bytes == NULL && errno == ENOENT;
    enum git_index_step step;
    while ((step = git_index_next(&index)) == GIT_INDEX_ENTRY) {
        if (!index.repository)
            continue;
        cleanup_free char *worktree = xasprintf("%s/%s", repository->worktree, index.path);
        if (!git_index_path_is_inside(index.path) || index.path[0] == '\0' ||
            !repository_is_harmless(repository, worktree))
            return false;
    }
    return step == GIT_INDEX_END;
}

/* An index may have a part that several share. */
static bool indexes_are_harmless(const struct repository *repository)
{
    if (!index_is_harmless(repository, "index"))
        return false;
    DIR *stream = opendir(repository->directory);
    bool good = stream != NULL;
    for (struct dirent *entry; good && (entry = readdir(stream)) != NULL;)
        if (strncmp(entry->d_name, "sharedindex.", strlen("sharedindex.")) == 0)
            good = index_is_harmless(repository, entry->d_name);
    if (stream != NULL)
        closedir(stream);
    return good;
}

/* What lies elsewhere would be read as if it were the project's: objects of another repository, or
 * a file of which git quotes what it does not understand. */
static bool is_complete(const char *directory)
{
    static const char *const parts[] = {"",
                                        "HEAD",
                                        "info",
                                        "info/attributes",
                                        "info/exclude",
                                        "info/grafts",
                                        "logs",
                                        "objects",
                                        "objects/info",
                                        "objects/pack",
                                        "packed-refs",
                                        "refs",
                                        "refs/heads",
                                        "refs/remotes",
                                        "refs/tags",
                                        "shallow"};
    struct stat status;
    for (size_t i = 0; i < COUNT(parts); i++) {
        cleanup_free char *path = xasprintf("%s/%s", directory, parts[i]);
        path[strlen(path) - (*parts[i] == '\0')] = '\0';
        if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode))
            return false;
    }
    cleanup_free char *alternates = xasprintf("%s/objects/info/alternates", directory);
    return lstat(alternates, &status) != 0 && errno == ENOENT;
}

static bool directory_is_harmless(struct repository *repository)
{
    cleanup_free char *hooks = xasprintf("%s/hooks", repository->directory);
    return is_complete(repository->directory) && is_without_hook(hooks) &&
           config_is_harmless(repository, "config") &&
           config_is_harmless(repository, "config.worktree") && indexes_are_harmless(repository);
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

/* Books elsewhere are those of these files only if they say so themselves: a project may name any
 * that it finds. */
static bool points_back(const char *own, const char *common, const char *file)
{
    cleanup_free char *pointer = xasprintf("%s/gitdir", own);
    cleanup_free char *back = read_pointer(pointer, "", own);
    cleanup_free char *here = realpath(file, NULL);
    return back != NULL && here != NULL && strcmp(back, here) == 0 && path_is_beneath(own, common);
}

/* A linked working tree has books of its own beside those that it shares, where it is said what
 * names of objects look like. */
static bool linked_is_harmless(struct repository *repository, const char *file)
{
    cleanup_free char *own = read_pointer(file, "gitdir: ", repository->worktree);
    if (own == NULL)
        return false;
    cleanup_free char *pointer = xasprintf("%s/commondir", own);
    cleanup_free char *common = read_pointer(pointer, "", own);
    if (common == NULL && (access(pointer, F_OK) == 0 || errno != ENOENT))
        return false;
    repository->directory = common;
    if (common != NULL && (!points_back(own, common, file) || !directory_is_harmless(repository)))
        return false;
    repository->directory = own;
    return directory_is_harmless(repository) && (common != NULL || repository->returns);
}

/* The one whose files are in `worktree`, if there is one: a submodule may not have been fetched. */
static bool repository_is_harmless(const struct repository *parent, const char *worktree)
{
    cleanup_free char *path = xasprintf("%s/.git", worktree);
    cleanup_free char *pointer = xasprintf("%s/commondir", path);
    struct repository repository = {.directory = path,
                                    .worktree = worktree,
                                    .hash = GIT_SHA1_SIZE,
                                    .count = parent->count,
                                    .depth = parent->depth + 1};
    struct stat status;
    if (++*repository.count > REPOSITORIES_MAX || repository.depth > DEPTH_MAX)
        return false;
    if (stat(path, &status) != 0)
        return errno == ENOENT && lstat(path, &status) != 0;
    if (!S_ISDIR(status.st_mode))
        return linked_is_harmless(&repository, path);
    return access(pointer, F_OK) != 0 && directory_is_harmless(&repository);
}

bool safety_git_runs_nothing(const char *root)
{
    cleanup_free char *worktree = xstrdup(root);
    size_t count = 0;
    const struct repository none = {.count = &count};
    for (char *slash; (slash = strrchr(worktree, '/')) != NULL; *slash = '\0') {
        cleanup_free char *books = xasprintf("%s/.git", worktree);
        cleanup_free char *head = xasprintf("%s/HEAD", worktree);
        cleanup_free char *objects = xasprintf("%s/objects", worktree);
        cleanup_free char *common = xasprintf("%s/commondir", worktree);
        if (access(books, F_OK) == 0 || errno != ENOENT)
            return repository_is_harmless(&none, worktree);
        /* one without a working tree: its books are files like any other here */
        if (access(head, F_OK) == 0 && (access(objects, F_OK) == 0 || access(common, F_OK) == 0))
            return false;
    }
    return true;
}
