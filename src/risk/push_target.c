/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/push_target.h"

#include <errno.h>
#include <limits.h>
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
#include "base/i18n.h"
#include "base/path.h"
#include "base/physical.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/program.h"
#include "command/shell.h"
#include "command/wrapper.h"
#include "risk/mask.h"
#include "risk/push_line.h"
#include "risk/push_refs.h"

#define CONFIG_MAX ((size_t)64 * 1024)
#define HEAD_MAX ((size_t)1024)

/* ---- what others than the repository say ----------------------------------------------------- */

/* Variables that lead git to another repository or configuration. */
static bool is_led_elsewhere(const char *const *environment)
{
    static const char *const prefixes[] = {
        "GIT_CEILING_DIRECTORIES=", "GIT_COMMON_DIR=", "GIT_CONFIG",    "GIT_DIR=",
        "GIT_DISCOVERY_ACROSS",     "GIT_NAMESPACE=",  "GIT_WORK_TREE="};
    for (size_t i = 0; environment[i] != NULL; i++)
        for (size_t j = 0; j < COUNT(prefixes); j++)
            if (strncmp(environment[i], prefixes[j], strlen(prefixes[j])) == 0)
                return true;
    return false;
}

/* Of a file that may be in any form: could it have a say in where a push goes? All that can stands
 * there by these words. */
static bool has_no_say(const char *text)
{
    static const char *const words[] = {"insteadof", "[include", "[remote", "[branch", "recurse"};
    for (size_t i = 0; i < COUNT(words); i++)
        if (strcasestr(text, words[i]) != NULL)
            return false;
    return true;
}

typedef bool text_test(const char *text);

static bool passes(const char *directory, const char *name, text_test *test)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    size_t length;
    cleanup_free char *text = fd_read_file(path, CONFIG_MAX, false, &length);
    return text != NULL ? strlen(text) == length && test(text)
                        : errno == ENOENT || errno == ENOTDIR;
}

static bool others_pass(const char *const *environment, text_test *test)
{
    const char *home = program_environment_get(environment, "HOME");
    const char *base = program_environment_get(environment, "XDG_CONFIG_HOME");
    return passes("/etc", "gitconfig", test) && passes("/usr/local/etc", "gitconfig", test) &&
           (home == NULL ||
            (passes(home, ".gitconfig", test) && passes(home, ".config/git/config", test))) &&
           (base == NULL || passes(base, "git/config", test));
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
 * that is one itself, and books that lie elsewhere, are not told of. `*outside`: there is none of
 * any kind. Caller frees. */
static char *find_books(const char *cwd, bool *outside)
{
    cleanup_free char *directory = xstrdup(cwd);
    *outside = false;
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
    *outside = is_passed_over("", "/.git") && is_absent("", "HEAD");
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
    cleanup_free char *name = xasprintf("refs/heads/%s", branch);
    return is_branch_name(branch) && !push_refs_is_alias(books, name) ? xstrdup(branch) : NULL;
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

static bool is_unset(const char *text, const char *name, const char *remote)
{
    cleanup_free char *value = value_in(text, name, remote, false);
    return value != NULL && *value == '\0';
}

/* Does it stand for itself where no remote has that name: a path, or "host:x", or a URL? One
 * without a "/" can be the name of a file among the books, as git kept remotes once. */
static bool is_address(const char *books, const char *remote)
{
    static const char *const kept[] = {"remotes", "branches"};
    bool good = *remote == '/' || strchr(remote, ':') != NULL;
    for (size_t i = 0; good && books != NULL && i < COUNT(kept) && strchr(remote, '/') == NULL;
         i++) {
        cleanup_free char *directory = xasprintf("%s/%s", books, kept[i]);
        good = is_absent(directory, remote);
    }
    return good;
}

static char *address_of(const char *books, const char *text, const char *remote)
{
    bool itself = is_address(books, remote);
    if (!itself && (strpbrk(remote, "/:") != NULL || *remote == '.'))
        return NULL;
    cleanup_free char *push = value_in(text, "remote.*.pushurl", remote, false);
    if (push == NULL || *push != '\0')
        return steal_pointer(&push);
    cleanup_free char *url = value_in(text, "remote.*.url", remote, false);
    if (url != NULL && *url == '\0' && itself)
        return xstrdup(remote);
    return url != NULL && *url != '\0' ? steal_pointer(&url) : NULL;
}

/* Is the working tree where the git directory lies? Elsewhere git starts from another top. */
static bool has_plain_tree(const char *text)
{
    cleanup_free char *bare = value_in(text, "core.bare", NULL, true);
    return bare != NULL && (*bare == '\0' || strcmp(bare, "false") == 0) &&
           is_unset(text, "core.worktree", NULL);
}

/* Where that is beyond doubt; `top` is where git reads such a path from. */
static char *directory_of(const char *text, const char *remote, const char *address,
                          const char *top)
{
    static const char scheme[] = "file://";
    bool named = strncmp(address, scheme, strlen(scheme)) == 0;
    const char *path = named ? address + strlen(scheme) : address;
    cleanup_free char *base = xstrdup(top);
    if (!is_unset(text, "remote.*.receivepack", remote) || (named && strchr(path, '%') != NULL))
        return NULL;
    if (*path == '/')
        return xstrdup(path);
    if (named || !has_plain_tree(text))
        return NULL;
    while (strncmp(path, "../", 3) == 0 && strrchr(base, '/') != NULL) {
        *strrchr(base, '/') = '\0';
        path += 3;
    }
    return strlen(base) < strlen(top) ? xasprintf("%s/%s", base, path) : NULL;
}

/* As the setting is where it is not made: a branch goes to that of its name, or the push fails. */
static bool has_plain_default(const char *text)
{
    if (strcasestr(text, "[push") == NULL)
        return true;
    cleanup_free char *value = value_in(text, "push.default", NULL, true);
    return value != NULL &&
           (*value == '\0' || strcmp(value, "simple") == 0 || strcmp(value, "current") == 0);
}

/* Does a branch have the name there that it has here? */
static bool keeps_names(const char *text, const char *remote)
{
    return has_plain_default(text) && is_unset(text, "remote.*.push", remote) &&
           is_unset(text, "remote.*.mirror", remote);
}

/* Does what was last fetched from where it goes stand under the remote's name? */
static bool keeps_fetched(const char *text, const char *remote)
{
    static const char heads[] = "+refs/heads/";
    if (!is_unset(text, "remote.*.pushurl", remote))
        return false;
    cleanup_free char *value = value_in(text, "remote.*.fetch", remote, false);
    if (value == NULL || strncmp(value, heads, strlen(heads)) != 0)
        return value != NULL && *value == '\0';
    int length = (int)strcspn(value + strlen(heads), ":");
    cleanup_free char *usual =
        xasprintf("%s%.*s:refs/remotes/%s/%.*s", heads, length, value + strlen(heads), remote,
                  length, value + strlen(heads));
    return strcmp(value, usual) == 0;
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

/* Of a remote with an address; `top` is that of the working tree. */
static void tell_remote(const char *text, const char *remote, const char *address, const char *top,
                        struct push_target *target)
{
    cleanup_free char *safe = masked(address);
    cleanup_free char *first = push_quoted(remote), *second = push_quoted(safe);
    target->remote =
        strcmp(remote, address) == 0 ? steal_pointer(&second) : xasprintf("%s (%s)", first, second);
    target->directory = directory_of(text, remote, address, top);
}

/* There is no repository, or none yet: an address is all that can be told. */
static void read_address(const char *remote, const char *cwd, struct push_target *target)
{
    cleanup_free char *address = remote != NULL ? address_of(NULL, "", remote) : NULL;
    if (address != NULL)
        tell_remote("", remote, address, cwd, target);
}

/* Why what is there is not what was last fetched; NULL: it is. */
static const char *why_unfetched(const char *books, const char *text, const char *remote,
                                 const char *address)
{
    if (strcmp(remote, address) == 0)
        return N_("nothing is kept of an address that is no remote here");
    if (!is_absent(books, "shallow"))
        return N_("older commits were left out when this was cloned");
    return keeps_fetched(text, remote) ? NULL
                                       : N_("what is fetched from there is not kept as usual");
}

/* Is that its upstream already? */
static bool is_tracked(const char *text, const char *remote, const char *branch,
                       const struct push_commits *commits)
{
    if (commits->upstream == NULL || commits->source == NULL)
        return false;
    const char *sent = strcmp(commits->source, "HEAD") == 0 ? branch : commits->source;
    cleanup_free char *from = value_in(text, "branch.*.remote", sent, true);
    cleanup_free char *merge = value_in(text, "branch.*.merge", sent, true);
    cleanup_free char *target = xasprintf("refs/heads/%s", commits->upstream + strlen(remote) + 1);
    return text_same(from, remote) && text_same(merge, target);
}

/* Is it a tag that has the same name there? */
static bool is_tag(const char *books, const char *remote, const struct push_commits *commits)
{
    return commits->upstream != NULL && commits->source != NULL &&
           strcmp(commits->source, commits->upstream + strlen(remote) + 1) == 0 &&
           push_refs_names_tag(books, commits->source);
}

static void read_repository(const char *books, const struct push_words *words, bool plain_default,
                            struct push_target *target)
{
    cleanup_free char *branch = current_branch(books);
    cleanup_free char *text = branch != NULL ? read_file(books, "config", CONFIG_MAX) : NULL;
    if (text == NULL)
        return;
    cleanup_free char *remote =
        words->remote != NULL ? xstrdup(words->remote) : default_remote(text, branch);
    cleanup_free char *address = remote != NULL ? address_of(books, text, remote) : NULL;
    if (address == NULL)
        return;
    cleanup_free char *top = xstrndup(books, strlen(books) - strlen("/.git"));
    tell_remote(text, remote, address, top, target);
    if (plain_default && keeps_names(text, remote))
        target->refs = push_refs(words, books, branch);
    if (target->refs == NULL)
        return;
    push_commits_find(words, remote, branch, &target->commits);
    target->commits.tracked = is_tracked(text, remote, branch, &target->commits);
    target->commits.tag = !words->beside && is_tag(books, remote, &target->commits);
    const char *why = why_unfetched(books, text, remote, address);
    if (why != NULL)
        push_commits_forget(&target->commits, why);
}

static bool find_of_words(const char *const *argv, const char *cwd, const char *const *environment,
                          struct push_target *target)
{
    struct push_words words;
    if (argv == NULL || !push_words_read(argv, &words))
        return false;
    words.beside = target->beside;
    if (others_pass(environment, has_no_say) && !is_led_elsewhere(environment)) {
        bool outside;
        cleanup_free char *books = find_books(cwd, &outside);
        if (books != NULL)
            read_repository(books, &words, others_pass(environment, has_plain_default), target);
        else if (outside)
            read_address(words.remote, cwd, target);
    }
    if (target->refs == NULL)
        target->refs = push_refs(&words, NULL, NULL);
    return target->refs != NULL || target->remote != NULL;
}

/* The commits are looked for where it runs. */
static void place_commits(struct push_target *target, const char *directory, const char *cwd)
{
    if (target->commits.there != NULL && strcmp(directory, cwd) != 0)
        target->commits.directory = xstrdup(directory);
}

/* "git -C DIR push": as if it had been started there. */
static bool find_there(const char *const *argv, const char *cwd, const char *const *environment,
                       struct push_target *target)
{
    char joined[PATH_MAX];
    bool leads = argv != NULL && argv[0] != NULL && argv[1] != NULL &&
                 strcmp(wrapper_basename(argv[0]), "git") == 0 && strcmp(argv[1], "-C") == 0 &&
                 argv[2] != NULL && *argv[2] != '\0' && argv[3] != NULL;
    if (!leads)
        return find_of_words(argv, cwd, environment, target);
    if (*argv[2] != '/' && !path_join(joined, cwd, argv[2]))
        return false;
    cleanup_free char *there = physical_path(*argv[2] == '/' ? argv[2] : joined);
    if (there == NULL)
        return false;
    cleanup_strv char **words = strv_copy(argv + 2);
    free(words[0]);
    words[0] = xstrdup(argv[0]);
    bool found = find_of_words((const char *const *)words, there, environment, target);
    place_commits(target, there, cwd);
    return found;
}

bool push_target_find(const char *const *argv, const char *cwd, const char *const *environment,
                      struct push_target *target)
{
    const char *script = shell_wrapped_script(argv);
    cleanup_strv char **words = script != NULL ? shell_plain_words(script) : NULL;
    *target = (struct push_target){.refs = NULL};
    if (script == NULL || words != NULL)
        return find_there(script == NULL ? argv : (const char *const *)words, cwd, environment,
                          target);
    cleanup_free char *directory = NULL;
    const char *why;
    words = push_line_find(script, cwd, &directory, &why);
    target->beside = true;
    bool found = find_of_words((const char *const *)words, directory, environment, target);
    if (why != NULL)
        push_commits_forget(&target->commits, why);
    else
        place_commits(target, directory, cwd);
    return found;
}

void push_target_clear(struct push_target *target)
{
    free(target->refs);
    free(target->remote);
    free(target->directory);
    push_commits_clear(&target->commits);
    *target = (struct push_target){.refs = NULL};
}
