/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/git_loss_rm.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/path.h"
#include "base/text.h"
#include "command/parts.h"

/* The way to each is walked, part by part, while others wait. */
#define OPERANDS_MAX ((size_t)64)
#define OPERAND_MAX ((size_t)256)
/* So many names are gone through for one that a pattern stands for. */
#define ENTRIES_MAX ((size_t)4096)

/* ---- its words ------------------------------------------------------------------------------- */

/* Some ask before they take anything. *deep: directories, too. */
static bool read_option(const char *word, bool *deep)
{
    static const char *const harmless[] = {"--force", "--verbose"};
    bool letters = word[1] != '\0' && word[1 + strspn(word + 1, "frRdvIi")] == '\0';
    *deep = *deep || strcmp(word, "--recursive") == 0 || (letters && strpbrk(word, "rR") != NULL);
    return letters || strcmp(word, "--recursive") == 0 || IS_IN(word, harmless);
}

/* NULL: there are none, or others among the options. */
static const char *const *operands_of(const char *const *argv, bool *deep)
{
    const char *const *word = argv + 1;
    *deep = false;
    for (; *word != NULL && **word == '-' && strcmp(*word, "--") != 0; word++)
        if (!read_option(*word, deep))
            return NULL;
    bool ends = *word != NULL && strcmp(*word, "--") == 0;
    for (const char *const *operand = word + ends; !ends && *operand != NULL; operand++)
        if (**operand == '-') /* for some an option, for others a file */
            return NULL;
    return word[ends] != NULL ? word + ends : NULL;
}

bool git_loss_rm_is_deep(const char *const *argv)
{
    bool deep = false;
    return strcmp(argv[0], "rm") == 0 && operands_of(argv, &deep) != NULL && deep;
}

/* Has it a part of that name, in letters of any size? */
static bool has_part(const char *path, const char *name)
{
    for (const char *part = path; *part != '\0'; part += strspn(part, "/")) {
        size_t length = strcspn(part, "/");
        if (length == strlen(name) && strncasecmp(part, name, length) == 0)
            return true;
        part += length;
    }
    return false;
}

/* For git, too, and to be shown. */
static bool is_plain(const char *operand)
{
    return *operand != ':' && strpbrk(operand, "*?[]\\") == NULL && strlen(operand) < OPERAND_MAX &&
           git_loss_is_open(operand);
}

/* Does a shell make names of it that differ in their last part alone, and lead nowhere else? Those
 * that begin with a dot could be "..", or a repository's own directory. */
static bool is_plain_pattern(const char *operand)
{
    const char *slash = strrchr(operand, '/');
    const char *last = slash != NULL ? slash + 1 : operand;
    return git_loss_is_pattern(last) && *last != '.' && *operand != ':' &&
           strcspn(operand, "*?[]") >= (size_t)(last - operand) &&
           strpbrk(operand, "\\{") == NULL && strlen(operand) < OPERAND_MAX &&
           git_loss_is_open(operand);
}

/* Without what leads nowhere in front, which `rm` may refuse behind. NULL: it is not a plain name
 * below the working directory, or, with `glob`, a pattern for such. */
static const char *below(const char *operand, bool glob)
{
    const char *name = operand;
    while (strncmp(name, "./", 2) == 0)
        name += 1 + strspn(name + 1, "/");
    bool falls = *name != '\0' && *name != '/' && !has_part(name, ".") && !has_part(name, "..");
    return falls && (is_plain(operand) || (glob && is_plain_pattern(operand))) ? name : NULL;
}

/* A name that begins with a pattern's sign can be an option, -r for one. */
static bool may_be_options(const char *const *operands)
{
    bool found = false;
    for (; *operands != NULL; operands++)
        found = found || strchr("*?[", **operands) != NULL;
    return found;
}

/* ---- where they are -------------------------------------------------------------------------- */

static char *place_of(const struct git_loss_words *words)
{
    if (words->directory == NULL)
        return xstrdup(words->cwd);
    return *words->directory == '/' ? xstrdup(words->directory)
                                    : xasprintf("%s/%s", words->cwd, words->directory);
}

/* Where what has that name is, the links on the way resolved; it is one itself where nothing stands
 * behind the name. The caller frees. NULL: it cannot be said. */
static char *find_file(const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    if (*name == '\0' || path_is_dots(name))
        return command_parts_directory(path, NULL);
    cleanup_free char *way = xstrndup(path, (size_t)(name - path));
    cleanup_free char *directory = command_parts_directory(way, NULL);
    bool root = directory != NULL && strcmp(directory, "/") == 0;
    return directory != NULL ? xasprintf("%s/%s", root ? "" : directory, name) : NULL;
}

/* Is it known to be neither below that place nor above it, nor a repository's own? */
static bool is_outside(const char *place, const char *operand)
{
    if (!is_plain(operand))
        return false;
    cleanup_free char *path =
        *operand == '/' ? xstrdup(operand) : xasprintf("%s/%s", place, operand);
    cleanup_free char *file = find_file(path);
    cleanup_free char *here = command_parts_directory(place, NULL);
    return file != NULL && here != NULL && !path_is_beneath(file, here) &&
           !path_is_beneath(here, file) && !has_part(file, ".git");
}

/* A directory of that name alone is none: the sandbox puts one into a part of a larger one. */
static bool is_repository(const char *directory)
{
    cleanup_free char *books = xasprintf("%s/.git", directory);
    cleanup_free char *head = xasprintf("%s/HEAD", books);
    struct stat status;
    return lstat(books, &status) == 0 && (!S_ISDIR(status.st_mode) || lstat(head, &status) == 0);
}

bool git_loss_in_repository(const char *place)
{
    cleanup_free char *directory = xstrdup(place);
    bool found = is_repository(directory);
    for (char *slash;
         !found && strlen(place) < PATH_MAX && (slash = strrchr(directory, '/')) != NULL;) {
        *slash = '\0';
        found = is_repository(directory);
    }
    return found;
}

/* Git does not look behind a link, nor into another repository. One that ends with "/" is followed
 * itself. */
static bool leads_elsewhere(const char *place, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", place, name);
    struct stat status;
    for (char *end = path + strlen(place) + 1; (end = strchr(end, '/')) != NULL; end++) {
        bool last = end[strspn(end, "/")] == '\0';
        *end = '\0';
        bool link = lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
        if (link || (!last && is_repository(path)))
            return true;
        *end = '/';
    }
    return false;
}

/* Others are left by `rm`, or not seen by git. What is not there is taken by none. */
static bool is_taken(const char *path, bool deep)
{
    struct stat status;
    return lstat(path, &status) != 0 || S_ISREG(status.st_mode) || S_ISLNK(status.st_mode) ||
           (deep && S_ISDIR(status.st_mode));
}

/* Its whole path, for which git complains where its files are said to be elsewhere; the caller
 * frees. NULL: it cannot be said. */
static char *find_path(const struct git_loss_words *words, const char *place, const char *name,
                       bool deep)
{
    if (has_part(name, ".git"))
        words->losses->unknown = N_("git does not say what is in its own directory");
    else if (leads_elsewhere(place, name))
        words->losses->unknown = N_("a link or another repository is on the way there");
    cleanup_free char *path = xasprintf("%s/%s", place, name);
    for (size_t end = strlen(path); path[end - 1] == '/'; end--)
        path[end - 1] = '\0';
    return words->losses->unknown == NULL && is_taken(path, deep) ? steal_pointer(&path) : NULL;
}

/* Of the operands that are below; the caller frees. NULL: there are none, or it cannot be said of
 * one, or of another whether it is elsewhere. */
static char **find_below(const struct git_loss_words *words, const char *place,
                         const char *const *operands, bool deep)
{
    cleanup_strv char **paths = xcalloc(strv_length(operands) + 1, sizeof *paths);
    bool good = true, others = false;
    for (size_t found = 0; good && *operands != NULL; operands++) {
        const char *name = below(*operands, words->glob);
        others = others || name == NULL;
        good = name != NULL ? (paths[found++] = find_path(words, place, name, deep)) != NULL
                            : is_outside(place, *operands);
    }
    if (good && paths[0] != NULL)
        return steal_pointer(&paths);
    if (others && words->losses->unknown == NULL)
        words->losses->unknown = N_("only files below the working directory are looked at");
    return NULL;
}

static char **find_paths(const struct git_loss_words *words, const char *const *operands, bool deep)
{
    cleanup_free char *place = place_of(words);
    if (words->before->removes + strv_length(operands) > OPERANDS_MAX ||
        !git_loss_in_repository(place) || (words->glob && strpbrk(place, "*?[\\") != NULL))
        return NULL;
    return find_below(words, place, operands, deep);
}

/* ---- what is told ---------------------------------------------------------------------------- */

/* The empty tree, which git knows by heart: what is tracked, and there, is new to that. */
#define NO_FILES "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

#define NAMES "--no-relative", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-color"
#define TRACKED                                                                                    \
    {                                                                                              \
        "--no-replace-objects", "--literal-pathspecs", "diff", "--raw", "--diff-filter=d",         \
            "--ignore-submodules=dirty", NAMES, NO_FILES, "--", NULL                               \
    }

/* What cannot be brought back comes first. Changes are those to the index, which stays. */
static const struct {
    enum git_loss_kind kind;
    const char *words[14];
} questions[] = {
    {GIT_LOSES_CHANGES,
     {"--literal-pathspecs", "diff", "--numstat", "--diff-filter=d", "--ignore-submodules=all",
      NAMES, "--", NULL}},
    {GIT_LOSES_UNTRACKED,
     {"--literal-pathspecs", "ls-files", "-t", "-o", "-k", "--directory", "--full-name", "--",
      NULL}},
    {GIT_LOSES_SUBMODULES, TRACKED},
    {GIT_LOSES_UNLOOKED, {"--literal-pathspecs", "ls-files", "-v", "--full-name", "--", NULL}},
    {GIT_LOSES_TRACKED, TRACKED},
};

static void add_words(char ***words, const char *const *more)
{
    size_t count = strv_length((const char *const *)*words);
    *words = xreallocarray(*words, count + strv_length(more) + 1, sizeof **words);
    for (; *more != NULL; more++)
        (*words)[count++] = xstrdup(*more);
    (*words)[count] = NULL;
}

/* Of a file below a submodule that is not checked out, for one, git says nothing at all. */
static const char *const known[] = {"--literal-pathspecs", "ls-files",        "-c", "-o",
                                    "--directory",         "--error-unmatch", "--", NULL};

static void ask_known(const struct git_loss_words *words, const char *const *paths)
{
    struct git_loss_before *before = words->before;
    struct stat status;
    for (; *paths != NULL; paths++) {
        bool pattern = words->glob && git_loss_is_pattern(*paths);
        if (!pattern && lstat(*paths, &status) != 0)
            continue;
        if (before->there++ == 0) {
            before->known = words->losses->count;
            git_loss_ask(words, GIT_KNOWS_EACH, known, NULL);
        }
        add_words(&words->losses->list[before->known].words, (const char *const[]){*paths, NULL});
    }
}

/* What a shell makes of a pattern is no more than what git finds by this: to git it stands for
 * hidden files as well, and to the shell "?" is a letter, of any length in bytes, and what "["
 * begins is another, or was quoted. */
static char *widened(const char *pattern)
{
    char *wide = xstrdup(pattern);
    for (char *sign = wide; (sign = strpbrk(sign, "?[")) != NULL; *sign++ = '*')
        if (*sign == '[')
            sign[1] = '\0';
    return wide;
}

/* All that is in a directory goes with it. */
static void add_paths(struct git_loss *loss, const char *const *paths, bool glob, bool deep)
{
    for (char **word = loss->words; glob && *word != NULL; word++)
        if (strcmp(*word, "--literal-pathspecs") == 0) {
            free(*word);
            *word = xstrdup("--glob-pathspecs");
        }
    for (; *paths != NULL; paths++) {
        cleanup_free char *path = glob ? widened(*paths) : xstrdup(*paths);
        cleanup_free char *inner = xasprintf("%s/**", path);
        bool all = glob && deep && git_loss_is_pattern(path);
        add_words(&loss->words, (const char *const[]){path, all ? inner : NULL, NULL});
    }
}

/* One of those that begin as the pattern does: where git sees that, it sees the others. NULL: none
 * is found. */
static char *find_one(const char *pattern)
{
    size_t length = (size_t)(strrchr(pattern, '/') + 1 - pattern);
    cleanup_free char *way = xstrndup(pattern, length), *found = NULL;
    const char *name = pattern + length;
    DIR *directory = opendir(way);
    const struct dirent *entry;
    for (size_t i = 0; found == NULL && directory != NULL && i < ENTRIES_MAX &&
                       (entry = readdir(directory)) != NULL;
         i++) {
        cleanup_free char *path = xasprintf("%s%s", way, entry->d_name);
        bool begins = strncmp(entry->d_name, name, strcspn(name, "*?[")) == 0;
        if (*entry->d_name != '.' && begins && is_taken(path, true))
            found = steal_pointer(&path);
    }
    if (directory != NULL)
        closedir(directory);
    return steal_pointer(&found);
}

/* Takes the word over. The caller frees. NULL: it names nothing that is there. */
static char *name_now(char *word)
{
    struct stat status;
    if (!git_loss_is_pattern(word) && lstat(word, &status) == 0)
        return word;
    char *found = git_loss_is_pattern(word) ? find_one(word) : NULL;
    free(word);
    return found;
}

char **git_loss_words_now(const struct git_loss *loss)
{
    char **words = strv_copy((const char *const *)loss->words);
    size_t kept = 0;
    bool paths = false;
    for (size_t i = 0; words[i] != NULL; i++) {
        bool named = paths && loss->kind == GIT_KNOWS_EACH;
        paths = paths || strcmp(words[i], "--") == 0;
        char *word = named ? name_now(words[i]) : words[i];
        if (word != NULL)
            words[kept++] = word;
    }
    words[kept] = NULL;
    return words;
}

/* Of several in a line git is asked at once. `count`: of all operands. */
static bool ask_all(const struct git_loss_words *words, const char *const *paths, size_t count,
                    bool deep)
{
    struct git_losses *losses = words->losses;
    struct git_loss_before *before = words->before;
    if (before->removes == 0 && losses->count + COUNT(questions) + 1 > GIT_LOSSES_MAX)
        return false;
    if (before->removes == 0) {
        before->removal = losses->count;
        for (size_t i = 0; i < COUNT(questions); i++)
            git_loss_ask(words, questions[i].kind, questions[i].words, NULL);
    }
    for (size_t i = 0; i < COUNT(questions); i++)
        add_paths(&losses->list[before->removal + i], paths, words->glob, deep);
    ask_known(words, paths);
    before->removes += count;
    losses->most = losses->most || words->glob;
    return true;
}

static void note_outside(struct git_losses *losses, const char *const *operands, bool glob)
{
    struct strbuf outside = STRBUF_INIT;
    if (losses->outside != NULL)
        strbuf_addstr(&outside, losses->outside);
    for (; *operands != NULL; operands++) {
        if (below(*operands, glob) != NULL)
            continue;
        strbuf_addstr(&outside, outside.length > 0 ? " " : "");
        text_quote_argv(&outside, (const char *const[]){*operands, NULL});
    }
    free(losses->outside);
    losses->outside = outside.length > 0 ? strbuf_steal(&outside) : NULL;
    strbuf_free(&outside);
}

static bool ask(const struct git_loss_words *words, const char *const *paths,
                const char *const *operands, bool deep)
{
    if (!ask_all(words, paths, strv_length(operands), deep))
        return false;
    note_outside(words->losses, operands, words->glob);
    return true;
}

/* To be run: of a pattern, which nothing in it would need to be quoted for, the shell makes names.
 */
static void add_shown(struct strbuf *shown, const char *file, bool glob)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_/.,@%+=:*?-";
    strbuf_addch(shown, ' ');
    if (glob && is_plain_pattern(file) && file[strspn(file, plain)] == '\0')
        strbuf_addstr(shown, file);
    else
        text_quote_argv(shown, (const char *const[]){file, NULL});
}

static void show(const struct git_loss_words *words, const char *const *operands)
{
    size_t count = strv_length(operands), found = 0;
    cleanup_free const char **names = xcalloc(count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++)
        if (below(operands[i], words->glob) != NULL)
            names[found++] = operands[i];
    git_loss_show(words, "status --short --ignored --", names);
    strbuf_addstr(words->shown, "\nls -la --");
    for (size_t i = 0; i < count; i++) {
        bool whole = words->directory == NULL || *operands[i] == '/';
        cleanup_free char *file =
            whole ? xstrdup(operands[i]) : xasprintf("%s/%s", words->directory, operands[i]);
        add_shown(words->shown, file, words->glob);
    }
}

bool git_loss_rm_find(const struct git_loss_words *words)
{
    const struct git_loss_before *before = words->before;
    bool deep;
    const char *const *operands = operands_of(words->argv, &deep);
    deep = deep || (operands != NULL && words->glob && may_be_options(operands));
    cleanup_strv char **paths = operands != NULL ? find_paths(words, operands, deep) : NULL;
    if (paths == NULL || before->moved || before->writes || before->switched != NULL ||
        !ask(words, (const char *const *)paths, operands, deep))
        return false;
    show(words, operands);
    return true;
}
