/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_harmless.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/git_config_line.h"
#include "base/path.h"
#include "base/strbuf.h"

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

/* ---- variables -------------------------------------------------------------------------- */

/* Git itself names one for submodules only. What it checks out is written there. */
static bool is_tree_inside(const struct git_harmless_place *place, const char *value)
{
    if (!place || !place->root || !strstr(place->directory, "/modules/") || value[0] == '/')
        return false;
    cleanup_free char *path = xasprintf("%s/%s", place->directory, value);
    cleanup_free char *tree = realpath(path, NULL);
    return tree && path_is_beneath(tree, place->root);
}

/* A URL: "https://…", "git@host:path", "/path", "../path"; "ext::sh -c …" is a command. */
static bool is_harmless_value(const char *name, const char *value)
{
    if (strcasecmp(name, "remote.*.url") == 0 || strcasecmp(name, "remote.*.pushurl") == 0 ||
        strcasecmp(name, "submodule.*.url") == 0)
        return *value != '-' && !strstr(value, "::");
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

static bool is_harmless(const struct git_harmless_place *place, const struct git_config_line *line)
{
    if (strncasecmp(line->name, "alias.", strlen("alias.")) == 0)
        return is_harmless_alias(line->value);
    if (strcasecmp(line->name, "core.worktree") == 0)
        return is_tree_inside(place, line->value);
    return is_listed(line->name) && is_harmless_value(line->name, line->value);
}

/* ---- the file --------------------------------------------------------------------------- */

char *git_harmless_copy(const struct git_harmless_place *place, const char *text, size_t length,
                        bool *all)
{
    struct strbuf copy = STRBUF_INIT;
    struct git_config_line line = {0};
    *all = true;
    for (const char *end = text + length; text < end;) {
        const char *stop = memchr(text, '\n', (size_t)(end - text)) ?: end;
        enum git_config_kind kind = git_config_line_read(&line, text, (size_t)(stop - text));
        bool keep = kind == GIT_CONFIG_SECTION ||
                    (kind == GIT_CONFIG_VARIABLE && is_harmless(place, &line));
        if (keep) {
            strbuf_add(&copy, text, (size_t)(stop - text));
            strbuf_addch(&copy, '\n');
        }
        *all = *all && (keep || kind == GIT_CONFIG_NOTHING);
        if (kind == GIT_CONFIG_OTHER)
            break;
        text = stop + 1;
    }
    git_config_line_free(&line);
    return strbuf_steal(&copy);
}

/* ---- a change of the file ---------------------------------------------------------------- */

/* A line, without its end. */
struct piece {
    const char *at;
    size_t length;
};

static struct piece piece_at(const char *text, const char *end)
{
    const char *stop = memchr(text, '\n', (size_t)(end - text)) ?: end;
    return (struct piece){text, (size_t)(stop - text)};
}

static bool is_same(struct piece left, struct piece right)
{
    return left.length == right.length && memcmp(left.at, right.at, left.length) == 0;
}

/* Has `known` this line, below the same section's name? */
static bool has_line(const char *known, struct piece section, struct piece line)
{
    struct piece above = {"", 0};
    for (const char *end = known + strlen(known); known < end;) {
        struct piece piece = piece_at(known, end);
        if (is_same(piece, line) && is_same(above, section))
            return true;
        if (piece.length > 0 && piece.at[0] == '[')
            above = piece;
        known = piece.at + piece.length + 1;
    }
    return false;
}

static void add_line(struct strbuf *copy, struct piece line)
{
    strbuf_add(copy, line.at, line.length);
    strbuf_addch(copy, '\n');
}

static bool may_stay(const char *known, struct piece section, struct piece piece,
                     enum git_config_kind kind, const struct git_config_line *line)
{
    return piece.length == 0 || (kind == GIT_CONFIG_VARIABLE && is_harmless(NULL, line)) ||
           has_line(known, section, piece);
}

/* The name of a section comes with the first line below it that stays. */
static char *copy_lines(const char *known, const char *text, const char *end, bool *all)
{
    struct strbuf copy = STRBUF_INIT;
    struct git_config_line line = {0};
    struct piece section = {"", 0};
    bool named = true;
    while (text < end) {
        struct piece piece = piece_at(text, end);
        enum git_config_kind kind = git_config_line_read(&line, piece.at, piece.length);
        if (kind == GIT_CONFIG_OTHER) { /* nothing that follows can be judged */
            *all = false;
            strbuf_reset(&copy);
            strbuf_addstr(&copy, known);
            break;
        }
        if (kind == GIT_CONFIG_SECTION) {
            section = piece;
            named = false;
        } else if (may_stay(known, section, piece, kind, &line)) {
            if (!named)
                add_line(&copy, section);
            named = true;
            add_line(&copy, piece);
        } else {
            *all = false;
        }
        text = piece.at + piece.length + 1;
    }
    git_config_line_free(&line);
    return strbuf_steal(&copy);
}

char *git_harmless_change(const char *known, const char *text, size_t length, bool *all)
{
    *all = true;
    if (strlen(known) == length && memcmp(known, text, length) == 0)
        return xstrndup(text, length);
    return copy_lines(known, text, text + length, all);
}
