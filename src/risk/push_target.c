/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/push_target.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/git_config_line.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/program.h"
#include "command/shell.h"
#include "command/wrapper.h"
#include "risk/mask.h"

#define CONFIG_MAX ((size_t)64 * 1024)
#define HEAD_MAX ((size_t)1024)

/* ---- the command ----------------------------------------------------------------------------- */

/* Options that neither take a word nor say where to. */
static bool is_plain_option(const char *word)
{
    static const char *const options[] = {"-4",
                                          "-6",
                                          "-d",
                                          "-f",
                                          "-n",
                                          "-q",
                                          "-u",
                                          "-v",
                                          "--all",
                                          "--atomic",
                                          "--delete",
                                          "--dry-run",
                                          "--follow-tags",
                                          "--force",
                                          "--mirror",
                                          "--no-verify",
                                          "--porcelain",
                                          "--progress",
                                          "--prune",
                                          "--quiet",
                                          "--set-upstream",
                                          "--tags",
                                          "--verbose"};
    return IS_IN(word, options) || strncmp(word, "--force-with-lease", 18) == 0;
}

/* Is it `git push`? *remote is what it names, NULL for nothing. */
static bool is_push(const char *const *words, const char **remote)
{
    *remote = NULL;
    if (words[0] == NULL || strcmp(wrapper_basename(words[0]), "git") != 0 || words[1] == NULL ||
        strcmp(words[1], "push") != 0)
        return false;
    for (size_t i = 2; words[i] != NULL; i++) {
        if (*remote == NULL && words[i][0] != '-')
            *remote = words[i];
        else if (words[i][0] == '-' && !is_plain_option(words[i]))
            return false;
    }
    return true;
}

/* ---- what others than the repository say ----------------------------------------------------- */

/* Variables that lead git to another repository or configuration. */
static bool is_led_elsewhere(const char *const *environment)
{
    static const char *const prefixes[] = {"GIT_CEILING_DIRECTORIES=", "GIT_COMMON_DIR=",
                                           "GIT_CONFIG", "GIT_DIR=", "GIT_DISCOVERY_ACROSS"};
    for (size_t i = 0; environment[i] != NULL; i++)
        for (size_t j = 0; j < COUNT(prefixes); j++)
            if (strncmp(environment[i], prefixes[j], strlen(prefixes[j])) == 0)
                return true;
    return false;
}

/* Of a file that may be in any form: could it have a say in where a push goes? All that can stands
 * there by these words. */
static bool has_no_say(const char *directory, const char *name)
{
    static const char *const words[] = {"insteadof", "[include", "[remote", "[branch", "recurse"};
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    size_t length;
    cleanup_free char *text = fd_read_file(path, CONFIG_MAX, false, &length);
    if (text == NULL)
        return errno == ENOENT || errno == ENOTDIR;
    for (size_t i = 0; i < COUNT(words); i++)
        if (strlen(text) != length || strcasestr(text, words[i]) != NULL)
            return false;
    return true;
}

static bool others_have_no_say(const char *const *environment)
{
    const char *home = program_environment_get(environment, "HOME");
    const char *base = program_environment_get(environment, "XDG_CONFIG_HOME");
    return !is_led_elsewhere(environment) && has_no_say("/etc", "gitconfig") &&
           has_no_say("/usr/local/etc", "gitconfig") &&
           (home == NULL ||
            (has_no_say(home, ".gitconfig") && has_no_say(home, ".config/git/config"))) &&
           (base == NULL || has_no_say(base, "git/config"));
}

/* ---- the repository -------------------------------------------------------------------------- */

static bool is_there(const char *directory, const char *name, mode_t kind)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    struct stat status;
    return lstat(path, &status) == 0 && (status.st_mode & S_IFMT) == kind;
}

static bool is_searchable(const char *directory, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    return is_there(directory, name, S_IFDIR) && access(path, X_OK) == 0;
}

static bool is_absent(const char *directory, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    struct stat status;
    return lstat(path, &status) != 0 && errno == ENOENT;
}

static char *read_file(const char *books, const char *name, size_t limit)
{
    cleanup_free char *path = xasprintf("%s/%s", books, name);
    size_t length;
    cleanup_free char *text = fd_read_file(path, limit, true, &length);
    return text != NULL && strlen(text) == length ? steal_pointer(&text) : NULL;
}

/* Does git find all of a repository in it? The "." is what the sandbox puts there while a command
 * runs, so that none can say otherwise. */
static bool is_whole(const char *books)
{
    cleanup_free char *elsewhere = read_file(books, "commondir", HEAD_MAX);
    return elsewhere != NULL ? strcmp(elsewhere, ".\n") == 0 : is_absent(books, "commondir");
}

/* Git goes on upwards from a directory of that name that is no repository, as the sandbox puts into
 * a part of a larger one while a command runs. */
static bool is_passed_over(const char *directory, const char *books)
{
    return is_there(directory, ".git", S_IFDIR) ? is_absent(books, "HEAD")
                                                : is_absent(directory, ".git");
}

/* The first ".git" upwards, when git takes it for a repository of the ordinary kind; a directory
 * that is one itself, and books that lie elsewhere, are not told of. Caller frees. */
static char *find_books(const char *cwd)
{
    cleanup_free char *directory = xstrdup(cwd);
    for (char *slash; (slash = strrchr(directory, '/')) != NULL; *slash = '\0') {
        cleanup_free char *books = xasprintf("%s/.git", directory);
        if (!is_passed_over(directory, books))
            return is_there(directory, ".git", S_IFDIR) && is_there(books, "HEAD", S_IFREG) &&
                           is_searchable(books, "objects") && is_searchable(books, "refs") &&
                           is_whole(books)
                       ? steal_pointer(&books)
                       : NULL;
        if (!is_absent(directory, "HEAD"))
            return NULL;
    }
    return NULL;
}

/* As git-check-ref-format(1) has it: of another name git says that no branch is checked out. */
static bool is_branch_name(const char *name)
{
    static const char *const never[] = {"..", "//", "/.", "@{", ".lock/"};
    size_t length = strlen(name);
    for (size_t i = 0; i < COUNT(never); i++)
        if (strstr(name, never[i]) != NULL)
            return false;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] <= ' ' || name[i] == 0x7f)
            return false;
    return length > 0 && strpbrk(name, "~^:?*[\\") == NULL && strchr("./", name[0]) == NULL &&
           strchr("./", name[length - 1]) == NULL &&
           (length < 5 || strcmp(name + length - 5, ".lock") != 0);
}

/* A name of another branch, as which git takes it: such a file or a link. */
static bool is_alias(const char *books, const char *branch)
{
    static const char reference[] = "ref:";
    cleanup_free char *path = xasprintf("%s/refs/heads/%s", books, branch);
    size_t length;
    cleanup_free char *text = fd_read_file(path, HEAD_MAX, true, &length);
    return text != NULL ? strncmp(text, reference, strlen(reference)) == 0 : errno != ENOENT;
}

/* The branch that is checked out; NULL: none is, or git would take another, or look for another
 * repository. */
static char *current_branch(const char *books)
{
    static const char reference[] = "ref: refs/heads/";
    cleanup_free char *text = read_file(books, "HEAD", HEAD_MAX);
    if (text == NULL || strncmp(text, reference, strlen(reference)) != 0)
        return NULL;
    char *branch = text + strlen(reference);
    for (size_t end = strlen(branch); end > 0 && branch[end - 1] == '\n'; end--)
        branch[end - 1] = '\0';
    return is_branch_name(branch) && !is_alias(books, branch) ? xstrdup(branch) : NULL;
}

/* ---- its configuration ----------------------------------------------------------------------- */

/* A setting that is looked for: "remote.*.url" of a name; the last value counts. */
struct setting {
    const char *name, *subsection; /* NULL: it has none */
    char *value;
    size_t count;
};

/* What brings in other files, rewrites addresses or pushes submodules, each to its own, is not
 * followed. */
static bool is_ordinary(const struct git_config_line *line, enum git_config_kind kind)
{
    static const char *const rewriting[] = {"include", "includeif", "url"};
    static const char *const settings[] = {"extensions.worktreeconfig", "extensions.refstorage",
                                           "remote.*.vcs", "push.recursesubmodules",
                                           "submodule.recurse"};
    if (kind == GIT_CONFIG_OTHER)
        return false;
    for (size_t i = 0; kind != GIT_CONFIG_NOTHING && i < COUNT(rewriting); i++)
        if (strcasecmp(line->section, rewriting[i]) == 0)
            return false;
    for (size_t i = 0; kind == GIT_CONFIG_VARIABLE && i < COUNT(settings); i++)
        if (strcasecmp(line->name, settings[i]) == 0)
            return false;
    return true;
}

static void take(struct setting *setting, const struct git_config_line *line)
{
    if (strcasecmp(line->name, setting->name) != 0 ||
        (setting->subsection != NULL && strcmp(line->subsection, setting->subsection) != 0))
        return;
    free(setting->value);
    setting->value = xstrdup(line->value);
    setting->count++;
}

/* False when it is not of the ordinary kind throughout. */
static bool look_up(const char *text, struct setting *setting)
{
    struct git_config_line line = {0};
    bool good = true;
    for (const char *at = text; good && *at != '\0';) {
        size_t length = strcspn(at, "\n");
        enum git_config_kind kind = git_config_line_read(&line, at, length);
        good = is_ordinary(&line, kind);
        if (good && kind == GIT_CONFIG_VARIABLE)
            take(setting, &line);
        at += length + (at[length] == '\n');
    }
    git_config_line_free(&line);
    return good;
}

/* The only value of a setting; "" when it has none, NULL when it cannot be said. Caller frees. */
static char *value_in(const char *text, const char *name, const char *subsection, bool last_counts)
{
    struct setting setting = {.name = name, .subsection = subsection};
    bool good = look_up(text, &setting) && (last_counts || setting.count <= 1);
    cleanup_free char *value = setting.value;
    if (!good || (value != NULL && *value == '\0'))
        return NULL;
    return value != NULL ? steal_pointer(&value) : xstrdup("");
}

/* Which remote git takes when none is named, see remote.pushDefault in git-config(1). */
static char *default_remote(const char *text, const char *branch)
{
    const struct {
        const char *name, *subsection;
    } order[] = {
        {"branch.*.pushremote", branch}, {"remote.pushdefault", NULL}, {"branch.*.remote", branch}};
    for (size_t i = 0; i < COUNT(order); i++) {
        char *value = value_in(text, order[i].name, order[i].subsection, true);
        if (value == NULL || *value != '\0')
            return value;
        free(value);
    }
    return xstrdup("origin");
}

static char *address_of(const char *text, const char *remote)
{
    cleanup_free char *push = value_in(text, "remote.*.pushurl", remote, false);
    if (push == NULL || *push != '\0')
        return steal_pointer(&push);
    cleanup_free char *url = value_in(text, "remote.*.url", remote, false);
    return url != NULL && *url != '\0' ? steal_pointer(&url) : NULL;
}

/* ---- together -------------------------------------------------------------------------------- */

/* Where a name before the "@" is no secret; elsewhere it may be a token. */
static bool is_for_ssh(const char *address)
{
    static const char *const schemes[] = {"ssh://", "git+ssh://", "ssh+git://"};
    for (size_t i = 0; i < COUNT(schemes); i++)
        if (strncasecmp(address, schemes[i], strlen(schemes[i])) == 0)
            return true;
    return false;
}

/* Before the "@" stand a name and perhaps a password. */
static char *masked_user(const char *user, size_t length, bool named)
{
    const char *colon = memchr(user, ':', length);
    size_t kept = !named ? 0 : colon != NULL ? (size_t)(colon + 1 - user) : length;
    return xasprintf("%.*s%s@", (int)kept, user, kept < length ? MASK_SIGN : "");
}

static char *masked(const char *address)
{
    const char *scheme_end = strstr(address, "://");
    const char *host = scheme_end != NULL ? scheme_end + 3 : address;
    const char *at = scheme_end != NULL ? memrchr(host, '@', strcspn(host, "/?#")) : NULL;
    int scheme = (int)(host - address);
    cleanup_free char *user =
        at != NULL ? masked_user(host, (size_t)(at - host), is_for_ssh(address)) : xstrdup("");
    const char *rest = at != NULL ? at + 1 : host;
    cleanup_free char *safe = mask_word((const char *const[]){"git", "push", rest, NULL}, 2);
    return xasprintf("%.*s%s%s", scheme, address, user, safe);
}

/* Names and addresses may be anything: what could be read as words around them is quoted. */
static char *quoted(const char *word)
{
    struct strbuf line = STRBUF_INIT;
    if (strpbrk(word, " ()\"'\\") == NULL)
        return xstrdup(word);
    text_quote_argv(&line, (const char *const[]){word, NULL});
    return strbuf_steal(&line);
}

static char *target_in(const char *books, const char *named)
{
    cleanup_free char *branch = current_branch(books);
    cleanup_free char *text = branch != NULL ? read_file(books, "config", CONFIG_MAX) : NULL;
    if (text == NULL)
        return NULL;
    cleanup_free char *remote = named != NULL ? xstrdup(named) : default_remote(text, branch);
    if (remote == NULL || strpbrk(remote, "/:") != NULL || *remote == '.')
        return NULL;
    cleanup_free char *address = address_of(text, remote);
    cleanup_free char *shown = address != NULL ? masked(address) : NULL;
    if (shown == NULL)
        return NULL;
    cleanup_free char *first = quoted(remote), *second = quoted(shown);
    return xasprintf("%s (%s)", first, second);
}

char *push_target(const char *const *argv, const char *cwd, const char *const *environment)
{
    const char *script = shell_wrapped_script(argv), *remote;
    cleanup_strv char **words = script != NULL ? shell_plain_words(script) : NULL;
    if (script != NULL)
        argv = (const char *const *)words;
    if (argv == NULL || !is_push(argv, &remote) || !others_have_no_say(environment))
        return NULL;
    cleanup_free char *books = find_books(cwd);
    return books != NULL ? target_in(books, remote) : NULL;
}
