/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_harmless.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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
    "core.worktree",
    "core.longpaths",
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
    "fetch.prune",
    "merge.ff",
    "merge.conflictstyle",
    "rebase.autostash",
    "rebase.autosquash",
    "color.ui",
    "gc.auto",
    "gc.autodetach",
    "maintenance.auto",
    "diff.renames",
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
    "branch.*.remote",
    "branch.*.pushremote",
    "branch.*.merge",
    "branch.*.rebase",
    "submodule.active",
    "submodule.*.url",
    "submodule.*.active",
};

/* ---- lines ------------------------------------------------------------------------------ */

/* "[core]" or "[remote "origin"]", and nothing else on the line; stores "core" or "remote.*". */
static bool read_section(const char *line, size_t length, char *section, size_t size)
{
    size_t name = 1;
    while (name < length && isalnum((unsigned char)line[name]))
        name++;
    if (name == 1 || length < 3 || line[length - 1] != ']')
        return false;
    bool named = line[name] == ' ';
    snprintf(section, size, "%.*s%s", (int)name - 1, line + 1, named ? ".*" : "");
    if (!named)
        return name == length - 1;
    const char *quoted = line + name + 1;
    size_t inside = length - name - 2; /* both quotes included */
    return inside >= 2 && quoted[0] == '"' && quoted[inside - 1] == '"' &&
           !memchr(quoted + 1, '"', inside - 2) && !memchr(quoted, '\\', inside);
}

/* "key = value" or "key"; a value that goes on, or hides what it is, is none of the simplest. */
static bool read_key(const char *line, size_t length, char *key, size_t size)
{
    size_t name = 0;
    while (name < length && (isalnum((unsigned char)line[name]) || line[name] == '-'))
        name++;
    size_t rest = name + strspn(line + name, " \t");
    if (name == 0 || !isalpha((unsigned char)line[0]) || (rest < length && line[rest] != '='))
        return false;
    snprintf(key, size, "%.*s", (int)name, line);
    return !memchr(line, '\\', length);
}

/* A URL: "https://…", "git@host:path", "/path", "../path"; "ext::sh -c …" is a command. A working
 * tree: that of a submodule is relative. */
static bool is_harmless_value(const char *key, const char *line, size_t length)
{
    bool url = strcasecmp(key, "url") == 0 || strcasecmp(key, "pushurl") == 0;
    bool tree = strcasecmp(key, "worktree") == 0;
    if (!url && !tree)
        return true;
    const char *value = memchr(line, '=', length);
    if (!value)
        return false;
    value += 1 + strspn(value + 1, " \t\"");
    if (value >= line + length)
        return false;
    if (tree)
        return strncmp(value, "../", 3) == 0;
    return *value != '-' && !memmem(value, (size_t)(line + length - value), "::", 2);
}

static bool is_harmless(const char *section, const char *key)
{
    char name[160], any[160];
    snprintf(name, sizeof name, "%s.%s", section, key);
    snprintf(any, sizeof any, "%s.*", section);
    for (size_t i = 0; i < sizeof HARMLESS / sizeof *HARMLESS; i++)
        if (strcasecmp(HARMLESS[i], name) == 0 || strcasecmp(HARMLESS[i], any) == 0)
            return true;
    return false;
}

/* ---- the file --------------------------------------------------------------------------- */

enum verdict { KEEP, DROP, SILENT, UNREADABLE };

static enum verdict judge(const char *line, size_t length, char *section, size_t size)
{
    char key[64];
    if (length == 0 || line[0] == '#' || line[0] == ';')
        return length > 0 && line[length - 1] == '\\' ? UNREADABLE : SILENT;
    if (line[0] == '[')
        return read_section(line, length, section, size) ? KEEP : UNREADABLE;
    if (!section[0] || !read_key(line, length, key, sizeof key))
        return UNREADABLE;
    return is_harmless(section, key) && is_harmless_value(key, line, length) ? KEEP : DROP;
}

char *git_harmless_copy(const char *text, size_t length, bool *all)
{
    struct strbuf copy = STRBUF_INIT;
    char section[80] = "";
    *all = !memchr(text, '\0', length);
    for (const char *end = text + length; text < end;) {
        const char *stop = memchr(text, '\n', (size_t)(end - text)) ?: end;
        const char *line = text;
        while (line < stop && (*line == ' ' || *line == '\t'))
            line++;
        size_t size = (size_t)(stop - line);
        enum verdict verdict = judge(line, size, section, sizeof section);
        if (verdict == KEEP) {
            strbuf_add(&copy, text, (size_t)(stop - text));
            strbuf_addch(&copy, '\n');
        }
        if (verdict == DROP || verdict == UNREADABLE)
            *all = false;
        if (verdict == UNREADABLE)
            break;
        text = stop + 1;
    }
    return strbuf_steal(&copy);
}
