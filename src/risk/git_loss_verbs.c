/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/git_loss_verbs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/text.h"
#include "risk/git_loss_doubt.h"
#include "risk/mask.h"

static const char *const *rest_of(const struct git_loss_words *words)
{
    return words->argv + words->verb + 1;
}

bool git_loss_is_pattern(const char *word)
{
    return strpbrk(word, "*?[") != NULL;
}

/* Can it be shown as it is? */
bool git_loss_is_open(const char *word)
{
    cleanup_free char *safe = mask_word((const char *const[]){"git", "show", word, NULL}, 2);
    return strcmp(safe, word) == 0;
}

/* … and is it a commit's name, which is no option and no more than one? */
bool git_loss_is_commit(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_/~^@{}-.";
    return *name != '-' && *name != '^' && name[strspn(name, plain)] == '\0' &&
           strstr(name, "..") == NULL && git_loss_is_open(name);
}

bool git_loss_is_of_stash(const struct git_loss *loss)
{
    bool there = strcmp(loss->words[0], "-C") == 0;
    return strcmp(loss->words[there ? 2 : 0], "stash") == 0 && loss->kind == GIT_LOSES_CHANGES;
}

bool git_loss_deletes_branch(const char *const *argv)
{
    static const char *const deletions[] = {"-D", "-d", "--delete"};
    static const char *const quiet[] = {"-q", "--quiet"};
    bool deletes = false;
    if (strv_length(argv) < 4 || strcmp(argv[0], "git") != 0 || strcmp(argv[1], "branch") != 0)
        return false;
    for (const char *const *word = argv + 2; *word != NULL; word++) {
        if (**word == '-' && !IS_IN(*word, deletions) && !IS_IN(*word, quiet))
            return false;
        deletes = deletes || IS_IN(*word, deletions);
    }
    return deletes;
}

/* ---- what is told ---------------------------------------------------------------------------- */

/* "git VERB OPERAND…", to be run by the operator, perhaps in a pane of a few rows. */
void git_loss_show(const struct git_loss_words *words, const char *command,
                   const char *const *operands)
{
    strbuf_addstr(words->shown, words->shown->length > 0 ? "\ngit " : "git ");
    if (words->directory != NULL) {
        strbuf_addstr(words->shown, "-C ");
        text_quote_argv(words->shown, (const char *const[]){words->directory, NULL});
        strbuf_addch(words->shown, ' ');
    }
    strbuf_addstr(words->shown, command);
    if (operands != NULL && *operands != NULL) {
        strbuf_addch(words->shown, ' ');
        text_quote_argv(words->shown, operands);
    }
}

static void append(char **argv, size_t *at, const char *const *words)
{
    for (; words != NULL && *words != NULL; words++)
        argv[(*at)++] = xstrdup(*words);
}

/* What git is asked itself. */
bool git_loss_ask(const struct git_loss_words *words, enum git_loss_kind kind,
                  const char *const *command, const char *const *operands)
{
    struct git_losses *losses = words->losses;
    size_t length = 3 + strv_length(command) + (operands != NULL ? strv_length(operands) : 0);
    if (losses->count == GIT_LOSSES_MAX)
        return false;
    struct git_loss *loss = &losses->list[losses->count++];
    loss->kind = kind;
    loss->words = xcalloc(length, sizeof *loss->words);
    size_t at = 0;
    if (words->directory != NULL)
        append(loss->words, &at, (const char *const[]){"-C", words->directory, NULL});
    append(loss->words, &at, command);
    append(loss->words, &at, operands);
    return true;
}

/* `revisions` end with "--". */
static bool of_commits(const struct git_loss_words *words, const char *range,
                       const char *const *revisions)
{
    cleanup_free char *shown = xasprintf("--no-pager log --oneline %s", range);
    git_loss_show(words, shown, NULL);
    cleanup_free char *most = xasprintf("-n%d", GIT_SEEN_LINES + 1);
    return git_loss_ask(words, GIT_LOSES_COMMITS,
                        (const char *const[]){"--no-replace-objects", "log", "--no-show-signature",
                                              "--no-mailmap", "--no-color", "--no-decorate",
                                              "--encoding=UTF-8", "--format=%h %s", most, NULL},
                        revisions);
}

/* Files that differ from the index, or from a commit, and by how many lines. What is not there has
 * nothing to lose by what the index brings back; a commit takes what was staged, too. */
static bool ask_names(const struct git_loss_words *words, enum git_loss_kind kind,
                      const char *commit, const char *const *files)
{
    const char *command[] = {"diff",
                             "--numstat",
                             "--no-relative",
                             "--no-ext-diff",
                             "--no-textconv",
                             "--no-renames",
                             "--no-color",
                             NULL,
                             NULL,
                             NULL};
    bool there = commit == NULL && kind == GIT_LOSES_CHANGES;
    size_t at = COUNT(command) - 3;
    if (commit != NULL || there)
        command[at++] = there ? "--diff-filter=d" : commit;
    command[at] = "--";
    return git_loss_ask(words, kind, command, files);
}

/* The small letter is a file of which git takes for granted that it is unchanged. */
static bool ask_unwatched(const struct git_loss_words *words, enum git_loss_kind kind,
                          const char *const *files)
{
    static const char *const command[] = {"ls-files", "-v", "--full-name", "--", NULL};
    static const char *const all[] = {":/", NULL};
    return git_loss_ask(words, kind, command, files != NULL ? files : all);
}

/* A directory that stands where git has a file goes with all that is in it. */
static bool ask_killed(const struct git_loss_words *words, const char *const *files)
{
    static const char *const command[] = {"ls-files", "-t", "-k", "--full-name", "--", NULL};
    static const char *const all[] = {":/", NULL};
    return git_loss_ask(words, GIT_LOSES_FILES, command, files != NULL ? files : all);
}

static bool is_same(const char *commit, const char *other)
{
    return commit == NULL || other == NULL ? commit == other : strcmp(commit, other) == 0;
}

/* Of all files where none are named. `unwatched`: which of the files that git does not look at are
 * written all the same. */
static bool ask_changes(const struct git_loss_words *words, const char *commit,
                        const char *const *files, enum git_loss_kind unwatched)
{
    struct git_loss_before *before = words->before;
    if (before->moved || before->switched != NULL ||
        (before->writes && !is_same(before->from, commit)))
        return false;
    before->writes = true;
    before->from = commit;
    return ask_names(words, GIT_LOSES_CHANGES, commit, files) &&
           ask_unwatched(words, unwatched, files) && ask_killed(words, files);
}

/* What is not tracked and stands where a commit has a file is written over. Of those that the index
 * has, too, it is told elsewhere. */
static bool ask_in_the_way(const struct git_loss_words *words, const char *commit,
                           const char *const *files)
{
    static const char *const all[] = {":/", NULL};
    cleanup_free char *tree = xasprintf("--with-tree=%s", commit);
    words->before->moved = true;
    words->before->from = commit;
    return git_loss_ask(
        words, GIT_LOSES_FILES,
        (const char *const[]){"ls-files", "-c", "-d", "-m", "-t", "--full-name", tree, "--", NULL},
        files != NULL ? files : all);
}

/* ---- clean ----------------------------------------------------------------------------------- */

static bool is_clean_option(const char *word)
{
    return strcmp(word, "--force") == 0 ||
           (word[1] != '\0' && word[1 + strspn(word + 1, "dfqxX")] == '\0');
}

/* -q hides what -n tells. NULL: nothing else is in it. */
static char *without_quiet(const char *option)
{
    struct strbuf rest = STRBUF_INIT;
    bool cluster = option[1] != '-';
    for (const char *letter = option; *letter != '\0'; letter++)
        if (!cluster || *letter != 'q')
            strbuf_addch(&rest, *letter);
    cleanup_free char *text = strbuf_steal(&rest);
    return strcmp(text, "-") != 0 ? steal_pointer(&text) : NULL;
}

/* How many words it is, with those that go with it; 0: it cannot be said. *kept is what stays of
 * the first. Of the names that a shell makes of a pattern only the first goes with -e. */
static size_t read_clean_word(const char *const *word, bool glob, char **kept)
{
    bool excludes = strcmp(*word, "-e") == 0 || strcmp(*word, "--exclude") == 0;
    *kept = NULL;
    if (strcmp(*word, "--quiet") == 0)
        return 1;
    if (excludes &&
        (word[1] == NULL || !git_loss_is_open(word[1]) || (glob && git_loss_is_pattern(word[1]))))
        return 0;
    if (excludes || (**word != '-' && git_loss_is_open(*word))) {
        *kept = xstrdup(*word);
        return excludes ? 2 : 1;
    }
    if (**word != '-' || !is_clean_option(*word)) /* -i asks */
        return 0;
    *kept = without_quiet(*word);
    return 1;
}

/* Files that are written back can be the lists of what is ignored. */
static bool ask_rules(const struct git_loss_words *words)
{
    static const char *const lists[] = {":(top,glob)**/.gitignore", NULL};
    const struct git_loss_before *before = words->before;
    return !before->writes || (ask_names(words, GIT_CHANGES_RULES, before->from, lists) &&
                               ask_unwatched(words, GIT_UNWATCHED_RULES, lists));
}

/* The same with -n, which goes before -f. */
static bool of_clean(const struct git_loss_words *words)
{
    cleanup_strv char **rest = xcalloc(strv_length(rest_of(words)) + 1, sizeof *rest);
    size_t count = 0, length;
    for (const char *const *word = rest_of(words); *word != NULL; word += length) {
        char *kept;
        length = read_clean_word(word, words->glob, &kept);
        if (length == 0)
            return false;
        if (kept != NULL)
            rest[count++] = kept;
        if (length == 2)
            rest[count++] = xstrdup(word[1]);
    }
    git_loss_show(words, "clean -n", (const char *const *)rest);
    if (words->before->cleans || words->before->switched != NULL || !ask_rules(words))
        return false;
    words->before->cleans = true;
    return git_loss_ask(words, GIT_LOSES_FILES, (const char *const[]){"clean", "-n", NULL},
                        (const char *const *)rest);
}

/* ---- what throws changes away ---------------------------------------------------------------- */

static bool of_all_changes(const struct git_loss_words *words)
{
    git_loss_show(words, "status --short", NULL);
    git_loss_show(words, "--no-pager diff HEAD", NULL);
    return ask_changes(words, "HEAD", NULL, GIT_LOSES_UNWATCHED);
}

/* Where it goes to another commit, those that are left behind, too. */
static bool of_reset(const struct git_loss_words *words)
{
    const char *const *rest = rest_of(words);
    size_t count = strv_length(rest);
    count -= count > 1 && strcmp(rest[count - 1], "--") == 0; /* and no files behind it */
    if (count == 0 || count > 2 || strcmp(rest[0], "--hard") != 0 ||
        (count == 2 && !git_loss_is_commit(rest[1])))
        return false;
    if (count == 1 || strcmp(rest[1], "HEAD") == 0)
        return of_all_changes(words);
    cleanup_free char *range = xasprintf("%s..HEAD", rest[1]);
    const char *const left[] = {range, "--not", "--remotes", "--tags", "--", NULL};
    return of_all_changes(words) && ask_in_the_way(words, rest[1], NULL) &&
           of_commits(words, range, left);
}

static bool are_files(const char *const *files)
{
    for (const char *const *file = files; *file != NULL; file++)
        if (**file == '-' || !git_loss_is_open(*file))
            return false;
    return *files != NULL;
}

/* Of files alone: what differs from the index, or from the commit where that is written back.
 * `other`: where it is another than HEAD, files that are not to be in the working tree are written,
 * too. */
static bool of_files(const struct git_loss_words *words, const char *commit,
                     const char *const *files, bool other)
{
    if (!are_files(files))
        return false;
    git_loss_show(words, commit != NULL ? "--no-pager diff HEAD --" : "--no-pager diff --", files);
    return ask_changes(words, commit, files, other ? GIT_LOSES_UNLOOKED : GIT_LOSES_UNWATCHED);
}

/* Of both the index and the files: what was staged is gone, too. */
static bool of_commit_files(const struct git_loss_words *words, const char *commit,
                            const char *const *files)
{
    if (strcmp(commit, "HEAD") == 0)
        return of_files(words, "HEAD", files, false);
    return git_loss_is_commit(commit) && of_files(words, "HEAD", files, true) &&
           ask_in_the_way(words, commit, files);
}

/* What `git restore` is told to write, and from where. */
struct restoring {
    const char *commit; /* NULL: from none that is named */
    bool staged, worktree;
};

/* One of its options; how many words that is, 0: it is none of these. */
static size_t read_restore_option(const char *const *word, struct restoring *restoring)
{
    static const char option[] = "--source=";
    bool both = strcmp(*word, "-SW") == 0 || strcmp(*word, "-WS") == 0;
    bool staged = both || strcmp(*word, "-S") == 0 || strcmp(*word, "--staged") == 0;
    bool worktree = both || strcmp(*word, "-W") == 0 || strcmp(*word, "--worktree") == 0;
    bool whole = strncmp(*word, option, strlen(option)) == 0;
    bool parted = strcmp(*word, "-s") == 0 || strcmp(*word, "--source") == 0;
    if (whole || (parted && word[1] != NULL))
        restoring->commit = whole ? *word + strlen(option) : word[1];
    restoring->staged = restoring->staged || staged;
    restoring->worktree = restoring->worktree || worktree;
    return staged || worktree || whole ? 1 : parted && word[1] != NULL ? 2 : 0;
}

/* `git restore --source=COMMIT FILE…` leaves the index, which has what was staged. */
static bool of_restore(const struct git_loss_words *words)
{
    const char *const *rest = rest_of(words);
    struct restoring restoring = {.commit = NULL};
    for (size_t length; rest[0] != NULL && (length = read_restore_option(rest, &restoring)) > 0;)
        rest += length;
    if (rest[0] != NULL && strcmp(rest[0], "--") == 0)
        rest++;
    const char *commit = restoring.commit;
    if (restoring.staged)
        return restoring.worktree && of_commit_files(words, commit != NULL ? commit : "HEAD", rest);
    return (commit == NULL || git_loss_is_commit(commit)) &&
           of_files(words, NULL, rest, commit != NULL) &&
           (commit == NULL || ask_in_the_way(words, commit, rest));
}

/* ---- rm -------------------------------------------------------------------------------------- */

/* Without -f it takes no changes, and with --cached no files. */
static bool of_removal(const struct git_loss_words *words)
{
    const char *const *rest = rest_of(words);
    bool forced = false;
    for (; rest[0] != NULL && rest[0][0] == '-'; rest++) {
        bool letters = rest[0][1] != '\0' && rest[0][1 + strspn(rest[0] + 1, "frq")] == '\0';
        bool force = strcmp(*rest, "--force") == 0;
        if (!letters && !force && strcmp(*rest, "--") != 0)
            return false;
        forced = forced || force || (letters && strchr(*rest, 'f') != NULL);
    }
    return forced && of_files(words, "HEAD", rest, false);
}

/* ---- stashes and branches -------------------------------------------------------------------- */

/* "stash@{2}" or "2"; NULL: the first. */
static char *stash_name(const char *word)
{
    static const char digits[] = "0123456789";
    const char *number = word == NULL ? "0" : word;
    if (strncmp(number, "stash@{", 7) == 0)
        number += 7;
    size_t length = strspn(number, digits);
    if (length == 0 || length > 6 || strcmp(number + length, number == word ? "" : "}") != 0)
        return word == NULL ? xstrdup("refs/stash@{0}") : NULL;
    return xasprintf("refs/stash@{%.*s}", (int)length, number);
}

/* Which it is, and the files of it: of one that is made of the index alone there are none. */
static bool of_drop(const struct git_loss_words *words, const char *const *which)
{
    static const char *const changes[] = {"stash",        "show",          "--include-untracked",
                                          "--numstat",    "--no-ext-diff", "--no-textconv",
                                          "--no-renames", "--no-color",    NULL};
    cleanup_free char *name = stash_name(*which);
    if (name == NULL)
        return false;
    git_loss_show(words, "--no-pager stash show --include-untracked -p", which);
    return git_loss_ask(words, GIT_LOSES_STASHES,
                        (const char *const[]){"log", "-g", "-n1", "--no-show-signature",
                                              "--no-color", "--no-decorate", "--encoding=UTF-8",
                                              "--format=%gd: %gs", name, "--", NULL},
                        NULL) &&
           git_loss_ask(words, GIT_LOSES_CHANGES, changes, which);
}

static bool of_stash(const struct git_loss_words *words)
{
    static const char *const list[] = {"stash", "list", "--no-color", "--encoding=UTF-8", NULL};
    const char *const *rest = rest_of(words);
    size_t count = strv_length(rest);
    if (count == 0 || words->before->moved)
        return false;
    words->before->moved = true;
    if (count == 1 && strcmp(rest[0], "clear") == 0) {
        git_loss_show(words, "--no-pager stash list", NULL);
        return git_loss_ask(words, GIT_LOSES_STASHES, list, NULL);
    }
    return count <= 2 && strcmp(rest[0], "drop") == 0 && of_drop(words, rest + 1);
}

/* `--branches=[t]opic` is that branch alone, and no complaint where there is none. */
static char *branch_itself(const char *branch)
{
    return xasprintf("--branches=[%c]%s", *branch, branch + 1);
}

static void add_word(char ***words, size_t *count, char *word)
{
    *words = xreallocarray(*words, *count + 2, sizeof **words);
    (*words)[(*count)++] = word;
    (*words)[*count] = NULL;
}

/* What these branches have and nothing that stays has: no other branch or tag, here or as last
 * fetched, and not the commit that they go to. */
static bool of_branches(const struct git_loss_words *words, const char *const *branches,
                        const char *const *end, const char *to)
{
    cleanup_strv char **revisions = NULL;
    size_t count = 0;
    for (const char *const *branch = branches; branch != end; branch++)
        add_word(&revisions, &count, branch_itself(*branch));
    add_word(&revisions, &count, xstrdup("--not"));
    if (to != NULL)
        add_word(&revisions, &count, xstrdup(to));
    for (const char *const *branch = branches; branch != end; branch++)
        add_word(&revisions, &count, xasprintf("--exclude=%s", *branch));
    static const char *const rest[] = {"--branches", "--remotes", "--tags", "--"};
    for (size_t i = 0; i < COUNT(rest); i++)
        add_word(&revisions, &count, xstrdup(rest[i]));
    cleanup_strbuf struct strbuf shown = STRBUF_INIT;
    for (const char *const *branch = branches; branch != end; branch++)
        strbuf_addf(&shown, "%s ", *branch);
    strbuf_addf(&shown, "--not %s", to != NULL ? to : words->before->switched);
    for (const char *const *branch = branches; branch != end; branch++)
        strbuf_addf(&shown, " --exclude=%s", *branch);
    strbuf_addstr(&shown, " --branches --remotes --tags");
    return of_commits(words, strbuf_str(&shown), (const char *const *)revisions);
}

static bool are_commits(const char *const *names)
{
    for (const char *const *name = names; *name != NULL; name++)
        if (!git_loss_is_commit(*name))
            return false;
    return *names != NULL;
}

/* To the one that is checked out, or to a commit. A later command finds another then. */
static bool of_moved(const struct git_loss_words *words, const char *const *branch)
{
    size_t count = strv_length(branch);
    if (!are_commits(branch) || count > 2 || words->before->moved ||
        (count == 1 && words->before->switched != NULL))
        return false;
    words->before->moved = true;
    return of_branches(words, branch, branch + 1, count == 2 ? branch[1] : "HEAD");
}

/* HEAD is one of those that stay, or no branch, and then it stays as well. */
static bool of_deleted(const struct git_loss_words *words, const char *const *branches)
{
    if (!are_commits(branches) || words->before->moved)
        return false;
    words->before->moved = true;
    return of_branches(words, branches, branches + strv_length(branches),
                       words->before->switched != NULL ? NULL : "HEAD");
}

static bool of_branch(const struct git_loss_words *words)
{
    static const char *const moves[] = {"-f", "--force"};
    const char *const *rest = rest_of(words);
    if (rest[0] == NULL)
        return false;
    if (strcmp(rest[0], "-M") == 0 && strv_length(rest) == 3)
        return of_moved(words, (const char *const[]){rest[2], rest[1], NULL});
    return strcmp(rest[0], "-D") == 0 ? of_deleted(words, rest + 1)
                                      : IS_IN(rest[0], moves) && of_moved(words, rest + 1);
}

/* ---- checkout and switch --------------------------------------------------------------------- */

static bool is_forced(const char *word)
{
    static const char *const forces[] = {"-f", "--force", "--discard-changes"};
    return IS_IN(word, forces);
}

static bool makes_anew(const char *word)
{
    static const char *const options[] = {"-B", "-C", "--force-create"};
    return IS_IN(word, options);
}

/* "-f", "-f COMMIT" */
static bool of_forced(const struct git_loss_words *words, const char *const *commit)
{
    if (*commit == NULL || strcmp(*commit, "HEAD") == 0)
        return of_all_changes(words);
    return git_loss_is_commit(*commit) && of_all_changes(words) &&
           ask_in_the_way(words, *commit, NULL);
}

/* In `git checkout COMMIT -- FILE…` files that the commit has not stay as they are. */
static bool of_named_files(const struct git_loss_words *words, const char *commit,
                           const char *const *files)
{
    bool found = of_commit_files(words, commit, files);
    words->losses->most |= found && strcmp(commit, "HEAD") != 0;
    return found;
}

static bool is_there(const struct git_loss_words *words, const char *name)
{
    const char *directory = words->directory != NULL ? words->directory : ".";
    cleanup_free char *path = *directory == '/'
                                  ? xasprintf("%s/%s", directory, name)
                                  : xasprintf("%s/%s/%s", words->cwd, directory, name);
    struct stat status;
    return *name != '\0' && lstat(path, &status) == 0;
}

/* A file that is gone, alone, and is brought back where the index has it: of a branch of that name,
 * here or of a remote, from which one is made, git is asked as well. */
static bool of_gone_file(const struct git_loss_words *words, const char *const *file)
{
    static const char *const known[] = {"ls-files", "--error-unmatch", NULL};
    static const char *const commits[] = {"rev-parse", "--revs-only", NULL};
    cleanup_free char *branches = xasprintf("--glob=*/%s", *file);
    bool plain = **file != ':' && strpbrk(*file, "*?[\\") == NULL && git_loss_is_open(*file);
    return plain && !words->before->cleans && git_loss_takes_work(words->argv, words->cwd) &&
           git_loss_ask(words, GIT_KNOWS_NO_COMMIT, commits,
                        (const char *const[]){branches, *file, NULL}) &&
           git_loss_ask(words, GIT_KNOWS_EACH, known, file) && of_files(words, NULL, file, false);
}

/* Without dashes git takes the first for a commit where there is one of that name, which git is
 * asked. Of a first word that is no file it says so itself, behind it; alone, and not by force, it
 * can be a file that is gone. */
static bool of_bare_files(const struct git_loss_words *words, const char *const *files)
{
    static const char *const command[] = {"rev-parse", "--revs-only", NULL};
    const char *first = files[0];
    bool pattern = words->glob && git_loss_is_pattern(first);
    if (strcmp(words->argv[words->verb], "checkout") != 0 || pattern || *first == '-')
        return false;
    if (!is_there(words, first) && files[1] == NULL)
        return files == rest_of(words) && of_gone_file(words, files);
    if (!is_there(words, first))
        return *files[1] != '-' && of_named_files(words, first, files + 1);
    return !words->before->cleans && git_loss_is_open(first) &&
           git_loss_ask(words, GIT_KNOWS_NO_COMMIT, command, (const char *const[]){first, NULL}) &&
           of_files(words, NULL, files, false);
}

/* Of the forms that throw changes away, or move a branch. */
static bool of_checkout(const struct git_loss_words *words)
{
    const char *const *rest = rest_of(words);
    if (rest[0] == NULL)
        return false;
    if (makes_anew(rest[0]))
        return of_moved(words, rest + 1);
    const char *const *files = rest + is_forced(rest[0]);
    if (files[0] != NULL && strcmp(files[0], "--") == 0)
        return of_files(words, NULL, files + 1, false);
    if (files[0] != NULL && strcmp(files[0], ".") == 0)
        return of_files(words, NULL, files, false);
    if (files[0] != NULL && files[1] != NULL && strcmp(files[1], "--") == 0)
        return of_named_files(words, files[0], files + 2);
    if (files[0] != NULL && of_bare_files(words, files))
        return true;
    return is_forced(rest[0]) && strv_length(rest) <= 2 && of_forced(words, rest + 1);
}

/* ---- which it is ---------------------------------------------------------------------------- */

bool git_loss_verbs_find(const struct git_loss_words *words)
{
    static const struct {
        const char *verb;
        bool (*find)(const struct git_loss_words *words);
    } verbs[] = {{"branch", of_branch}, {"checkout", of_checkout}, {"clean", of_clean},
                 {"reset", of_reset},   {"restore", of_restore},   {"rm", of_removal},
                 {"stash", of_stash},   {"switch", of_checkout}};
    const char *verb = words->argv[words->verb];
    if (words->before->removes > 0) /* the lists of what git ignores, perhaps */
        return false;
    for (size_t i = 0; verb != NULL && i < COUNT(verbs); i++)
        if (strcmp(verb, verbs[i].verb) == 0)
            return verbs[i].find(words);
    return false;
}
