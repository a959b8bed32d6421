/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/git_config_harmless.h"

#include <string.h>
#include <strings.h>

#include "base/alloc.h"

/* "section.key"; of sections with a name in quotes "section.*.key". */
static const char *const HARMLESS[] = {
    "core.repositoryformatversion",
    "core.filemode",
    "core.bare",
    "core.logallrefupdates",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.symlinks",
    "core.autocrlf",
    "core.eol",
    "core.safecrlf",
    "core.quotepath",
    "core.abbrev",
    "core.sharedrepository",
    "core.untrackedcache",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "core.longpaths",
    "core.compression",
    "extensions.objectformat",
    "extensions.refstorage",
    "extensions.partialclone",
    "extensions.worktreeconfig",
    "extensions.noop",
    "user.name",
    "user.email",
    "author.name",
    "author.email",
    "committer.name",
    "committer.email",
    "commit.gpgsign",
    "tag.gpgsign",
    "init.defaultbranch",
    "pull.rebase",
    "pull.ff",
    "push.default",
    "push.autosetupremote",
    "push.followtags",
    "fetch.prune",
    "fetch.prunetags",
    "fetch.fsckobjects",
    "transfer.fsckobjects",
    "receive.denycurrentbranch",
    "status.showuntrackedfiles",
    "status.short",
    "status.branch",
    "merge.ff",
    "merge.conflictstyle",
    "rebase.autostash",
    "rebase.autosquash",
    "rerere.enabled",
    "color.*",
    "column.ui",
    "log.date",
    "gc.auto",
    "gc.autodetach",
    "maintenance.auto",
    "diff.renames",
    "diff.algorithm",
    "diff.colormoved",
    "diff.mnemonicprefix",
    "diff.noprefix",
    "index.version",
    "feature.manyfiles",
    "advice.*",
    "remote.*.url",
    "remote.*.pushurl",
    "remote.*.fetch",
    "remote.*.push",
    "remote.*.mirror",
    "remote.*.tagopt",
    "remote.*.prune",
    "remote.*.promisor",
    "remote.*.partialclonefilter",
    "remote.*.gh-resolved",
    "branch.autosetupmerge",
    "branch.autosetuprebase",
    "branch.*.remote",
    "branch.*.pushremote",
    "branch.*.merge",
    "branch.*.rebase",
    "branch.*.description",
    "branch.*.vscode-merge-base",
    "submodule.active",
    "submodule.*.url",
    "submodule.*.active",
    "lfs.repositoryformatversion",
    "lfs.*.access",
};

/* What an alias may stand for: git does with these what it does by their own names, and sends
 * nothing anywhere. */
static const char *const ALIASED[] = {"add",    "blame",  "branch", "checkout", "commit",
                                      "diff",   "log",    "show",   "stash",    "shortlog",
                                      "status", "switch", "restore"};

/* Where git goes: a URL, or a name, where a URL does as well. */
static const char *const PLACES[] = {
    "remote.*.url",    "remote.*.pushurl",    "submodule.*.url",
    "branch.*.remote", "branch.*.pushremote", "extensions.partialclone",
};

/* What git itself can go by; of any other, "x://…", it runs git-remote-x. */
static const char *const SCHEMES[] = {"https", "http", "ssh", "git", "file", "git+ssh", "ssh+git"};

/* "https://…", "git@host:path", "/path", "../path"; "ext::sh -c …" is a command. */
bool git_place_is_harmless(const char *value)
{
    const char *rest = strstr(value, "://");
    if (*value == '-' || strstr(value, "::"))
        return false;
    for (size_t i = 0; rest && i < sizeof SCHEMES / sizeof *SCHEMES; i++)
        if (strlen(SCHEMES[i]) == (size_t)(rest - value) &&
            strncmp(value, SCHEMES[i], (size_t)(rest - value)) == 0)
            return true;
    return !rest;
}

static bool is_harmless_value(const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++)
        if (strcasecmp(name, PLACES[i]) == 0)
            return git_place_is_harmless(value);
    return true;
}

/* "advice.*" stands for every key of that section. */
static bool is_listed(const char *name)
{
    for (size_t i = 0; i < sizeof HARMLESS / sizeof *HARMLESS; i++) {
        size_t length = strlen(HARMLESS[i]);
        bool any = HARMLESS[i][length - 1] == '*';
        if (any ? strncasecmp(HARMLESS[i], name, length - 1) == 0 : !strcasecmp(HARMLESS[i], name))
            return true;
    }
    return false;
}

/* "log --oneline -5". Not "!sh -c …", "-c key=value log", "log --output=FILE". */
static bool is_harmless_alias(const char *value)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
    size_t length = strspn(value, letters);
    bool known = false;
    for (size_t i = 0; i < sizeof ALIASED / sizeof *ALIASED; i++)
        known = known || (strlen(ALIASED[i]) == length && strncmp(value, ALIASED[i], length) == 0);
    for (value += length; known && *value == ' '; value += length) {
        value += strspn(value, " ");
        length = strcspn(value, " ");
        known = *value == '-' &&
                strspn(value + 1, letters) + strspn(value + 1, "0123456789") == length - 1;
    }
    return known && *value == '\0';
}

/* A remote's own name is where git goes when it has no URL: `fetch --all` takes each. */
bool git_config_name_is_harmless(const char *name, const char *subsection, const char *value)
{
    if (!git_place_is_harmless(subsection))
        return false;
    if (strncasecmp(name, "alias.", strlen("alias.")) == 0)
        return is_harmless_alias(value);
    return is_listed(name) && is_harmless_value(name, value);
}

bool git_config_is_harmless(const char *key, const char *value)
{
    const char *first = strchr(key, '.'), *last = strrchr(key, '.');
    if (first == last)
        return git_config_name_is_harmless(key, "", value);
    cleanup_free char *name = xasprintf("%.*s.*%s", (int)(first - key), key, last);
    cleanup_free char *subsection = xstrndup(first + 1, (size_t)(last - first - 1));
    return git_config_name_is_harmless(name, subsection, value);
}
