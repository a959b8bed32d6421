/* SPDX-License-Identifier: MIT */
/*
 * safety_git: which git commands only read.
 *
 * Not among the options here: what runs external diffs, text converters, pagers, signature checks
 * or other programs, what writes or names a further file, what asks a server. git does what the
 * configuration of the repository says; so the repository must be the one that the workspace
 * belongs to, and not one that lies within it, where an agent may have made it, and its
 * configuration must be one with which git runs nothing (safety_git_config).
 */
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/path.h"
#include "command/safety-int.h"

#define DIGITS "0123456789"
#define DIFF_FLAGS "abpRuwzMCUW" DIGITS
#define DIFF_LONGS                                                                                 \
    "cached check color color= dirstat exit-code find-copies find-renames full-index "             \
    "function-context histogram ignore-all-space ignore-blank-lines ignore-space-at-eol "          \
    "ignore-space-change diff-filter= merge-base minimal name-only name-status no-color "          \
    "no-ext-diff no-patch no-prefix no-renames no-textconv numstat patch patch-with-stat "         \
    "patience pickaxe-regex quiet raw relative shortstat staged stat stat= submodule summary "     \
    "text unified= word-diff word-diff= color-words color-words= compact-summary "                 \
    "ignore-submodules ignore-submodules= inter-hunk-context= "
#define LOG_LONGS                                                                                  \
    "abbrev-commit abbrev abbrev= after= all all-match author= author-date-order before= "         \
    "boundary branches cherry-mark cherry-pick committer= count date= date-order decorate "        \
    "decorate= first-parent fixed-strings follow format= full-history graph grep= invert-grep "    \
    "left-right max-count= merges no-abbrev-commit no-decorate no-merges no-notes no-walk "        \
    "not oneline parents pretty pretty= regexp-ignore-case relative-date remotes reverse "         \
    "since= skip= source tags topo-order until= walk-reflogs extended-regexp perl-regexp "         \
    "simplify-by-decoration ancestry-path children cc "

static const struct safety_program subcommands[] = {
    {"blame", "bcefklnpstwMC" DIGITS, "L",
     "abbrev abbrev= date= porcelain line-porcelain show-email", OPERANDS_PATHS | CLUSTERS_FIRST},
    /* with --batch names come in; no --textconv, no --filters */
    {"cat-file", "etps", "", "batch batch-check batch-all-objects buffer unordered",
     OPERANDS_PATHS},
    {"check-ignore", "qvnz", "", "quiet verbose non-matching no-index", OPERANDS_PATHS},
    {"cherry", "v", "", "abbrev abbrev=", OPERANDS_PATHS},
    {"count-objects", "vH", "", "verbose human-readable", OPERANDS_NONE},
    {"describe", "", "",
     "abbrev abbrev= all always candidates= contains dirty exact-match exclude= first-parent long "
     "match= "
     "tags",
     OPERANDS_PATHS},
    {"diff", DIFF_FLAGS, "SG", DIFF_LONGS, OPERANDS_PATHS | CLUSTERS_FIRST},
    {"diff-files", DIFF_FLAGS "qr", "SG", DIFF_LONGS, OPERANDS_PATHS | CLUSTERS_FIRST},
    {"diff-index", DIFF_FLAGS "r", "SG", DIFF_LONGS, OPERANDS_PATHS | CLUSTERS_FIRST},
    {"diff-tree", DIFF_FLAGS "rtvm", "SG", DIFF_LONGS "no-commit-id root",
     OPERANDS_PATHS | CLUSTERS_FIRST},
    {"for-each-ref", "", "",
     "contains= count= format= ignore-case merged= no-contains= no-merged= points-at= sort=",
     OPERANDS_PATHS},
    /* it names what is broken; no --lost-found, which writes */
    {"fsck", "", "",
     "cache connectivity-only dangling full no-dangling no-full no-progress no-reflogs progress "
     "root strict tags unreachable verbose",
     OPERANDS_NAMES},
    /* -O and --open-files-in-pager start a program */
    {"grep", "aEFGhHIilLnoPpqrvwWcz" DIGITS, "ABCem",
     "after-context= all-match and before-context= break cached color color= column context= "
     "count extended-regexp files-with-matches files-without-match fixed-strings full-name "
     "function-context heading ignore-case invert-match line-number max-count= max-depth= "
     "name-only "
     "no-color no-recursive only-matching or perl-regexp quiet recursive text untracked "
     "word-regexp",
     OPERANDS_PATTERN_PATHS},
    {"log", DIFF_FLAGS "gciEFPqmst", "nLSG", DIFF_LONGS LOG_LONGS, OPERANDS_PATHS | CLUSTERS_FIRST},
    {"ls-files", "cdikmostuvz", "x",
     "cached deduplicate deleted directory eol error-unmatch exclude-standard exclude= full-name "
     "ignored killed modified others stage unmerged",
     OPERANDS_PATHS},
    {"ls-tree", "drtlz", "", "abbrev= format= full-name full-tree long name-only name-status",
     OPERANDS_PATHS},
    {"merge-base", "a", "", "all fork-point independent is-ancestor octopus", OPERANDS_PATHS},
    {"name-rev", "", "", "all always exclude= name-only no-undefined refs= tags", OPERANDS_PATHS},
    {"reflog", DIFF_FLAGS "giEFPqms", "nSG", DIFF_LONGS LOG_LONGS, OPERANDS_PATHS | CLUSTERS_FIRST},
    {"rev-list", "giEFP" DIGITS, "n", LOG_LONGS "objects disk-usage",
     OPERANDS_PATHS | CLUSTERS_FIRST},
    {"rev-parse", "q", "",
     "abbrev-ref abbrev-ref= absolute-git-dir all branches git-common-dir git-dir "
     "is-bare-repository "
     "is-inside-git-dir is-inside-work-tree is-shallow-repository quiet remotes short short= "
     "show-cdup show-object-format show-prefix show-superproject-working-tree show-toplevel "
     "symbolic-full-name tags verify git-path",
     OPERANDS_PATHS},
    {"shortlog", "cens", "",
     "all author= committer email numbered no-merges since= summary until=", OPERANDS_PATHS},
    {"show", DIFF_FLAGS "qsm", "SG", DIFF_LONGS LOG_LONGS, OPERANDS_PATHS | CLUSTERS_FIRST},
    {"show-branch", "ar", "", "all current list remotes sha1-name", OPERANDS_PATHS},
    {"show-ref", "dqs", "", "abbrev abbrev= branches dereference hash head heads quiet tags verify",
     OPERANDS_PATHS},
    /* the letters of -uno and -uall, too */
    {"status", "bsuvznormal", "",
     "ahead-behind branch column find-renames ignore-submodules ignored ignored= long "
     "no-ahead-behind no-column no-renames porcelain porcelain= short show-stash untracked-files "
     "untracked-files=",
     OPERANDS_PATHS},
    {"version", "", "", "build-options", OPERANDS_NONE},
    {"whatchanged", DIFF_FLAGS "giEFPqms", "nSG", DIFF_LONGS LOG_LONGS,
     OPERANDS_PATHS | CLUSTERS_FIRST},
};

/* Subcommands that list when they are asked so, and do something else otherwise. `verb`, when it
 * is not empty, must be the first word behind the subcommand. */
static const struct listing {
    const char *subcommand, *verb;
    struct safety_program program;
} listings[] = {
    {"branch",
     "",
     {"branch", "arvq", "",
      "all abbrev abbrev= color color= column contains contains= format= ignore-case list merged "
      "merged= "
      "no-abbrev no-color no-column no-contains no-contains= no-merged no-merged= points-at= "
      "remotes show-current sort= verbose",
      OPERANDS_NONE}},
    {"bundle", "list-heads", {"list-heads", "", "", "", OPERANDS_PATHS}},
    {"notes", "list", {"list", "", "", "", OPERANDS_NAMES}},
    {"notes", "show", {"show", "", "", "", OPERANDS_NAMES}},
    {"remote", "", {"remote", "v", "", "verbose", OPERANDS_NONE}},
    {"remote", "get-url", {"get-url", "", "", "all push", OPERANDS_NAMES}},
    {"sparse-checkout", "list", {"list", "", "", "", OPERANDS_NONE}},
    {"stash",
     "list",
     {"list", DIFF_FLAGS, "n", DIFF_LONGS LOG_LONGS, OPERANDS_NAMES | CLUSTERS_FIRST}},
    {"stash",
     "show",
     {"show", DIFF_FLAGS, "", DIFF_LONGS "include-untracked only-untracked", OPERANDS_NAMES}},
    {"tag",
     "",
     {"tag", "lin" DIGITS, "",
      "color color= column contains contains= format= ignore-case list merged merged= no-column "
      "no-contains no-contains= no-merged no-merged= points-at= sort=",
      OPERANDS_NONE}},
    {"worktree", "list", {"list", "vz", "", "porcelain verbose", OPERANDS_NONE}},
};

/* With one of these, `branch` and `tag` list, and their operands are patterns and revisions. */
static const char *const listers[] = {"--contains", "--list", "--merged", "--no-contains",
                                      "--no-merged"};

static bool lists(const char *const *argv)
{
    bool tag = strcmp(argv[0], "tag") == 0;
    for (size_t i = 1; argv[i] != NULL; i++) {
        if (tag && strcmp(argv[i], "-l") == 0) /* of branch it once made a log */
            return true;
        for (size_t j = 0; j < COUNT(listers); j++)
            if (strcmp(argv[i], listers[j]) == 0)
                return true;
    }
    return false;
}

static bool is_listing(const struct safety_words *words)
{
    const char *const *argv = words->argv;
    if (strv_has(argv, "--")) /* stash takes it away and hands the rest to log */
        return false;
    for (size_t i = 0; i < COUNT(listings); i++) {
        const struct listing *listing = &listings[i];
        bool verb = *listing->verb != '\0';
        if (strcmp(listing->subcommand, argv[0]) != 0 ||
            (verb && (argv[1] == NULL || strcmp(listing->verb, argv[1]) != 0)))
            continue;
        struct safety_program program = listing->program;
        if (program.operands == OPERANDS_NONE && lists(argv))
            program.operands = OPERANDS_PATHS;
        struct safety_words rest = {.argv = argv + verb,
                                    .marks = words->marks != NULL ? words->marks + verb : NULL,
                                    .context = words->context};
        if (safety_programs_words(&program, &rest))
            return true;
    }
    return false;
}

/* Sections of the configuration in which nothing secret stands. */
static const char *const open_sections[] = {
    "branch.", "checkout.", "color.", "column.", "commit.",      "core.",
    "diff.",   "fetch.",    "gc.",    "index.",  "init.",        "log.",
    "merge.",  "pack.",     "pull.",  "push.",   "maintenance.", "rebase.",
    "rerere.", "status.",   "tag.",   "user.",   "worktree.",    "format.pretty"};

/* `git config NAME`, also with where it is to be looked up; with a value it would set it. */
static bool is_harmless_setting(const struct safety_words *words)
{
    static const struct safety_program options = {
        "config", "", "", "get get-all global local system show-origin show-scope bool int",
        OPERANDS_NAMES};
    const char *const *argv = words->argv;
    if (strcmp(argv[0], "config") != 0 || argv[1] == NULL || strv_has(argv, "--"))
        return false;
    size_t verb = strcmp(argv[1], "get") == 0, last = strv_length(argv) - 1, operands = 0;
    struct safety_words rest = {.argv = argv + verb,
                                .marks = words->marks != NULL ? words->marks + verb : NULL,
                                .context = words->context};
    for (size_t i = 1 + verb; i <= last; i++)
        operands += argv[i][0] != '-';
    if (operands != 1 || argv[last][0] == '-' || !safety_programs_words(&options, &rest))
        return false;
    for (size_t i = 0; i < COUNT(open_sections); i++)
        if (strncasecmp(open_sections[i], argv[last], strlen(open_sections[i])) == 0)
            return true;
    return false;
}

/* `git reflog expire` and `delete` forget. */
static bool forgets(const char *const *argv)
{
    static const char *const verbs[] = {"delete", "drop", "expire", "write"};
    for (size_t i = 0; i < COUNT(verbs); i++)
        if (strcmp(argv[0], "reflog") == 0 && argv[1] != NULL && strcmp(argv[1], verbs[i]) == 0)
            return true;
    return false;
}

/* Is a signature checked, for a format of commits (%G…) or of references? */
bool safety_git_checks_signatures(const char *format)
{
    const char *at = format;
    for (; (at = strchr(at, '%')) != NULL; at++)
        if (at[1 + strspn(at + 1, "+- ")] == 'G')
            return true;
    return strstr(format, "%(") != NULL && strstr(format, "signature") != NULL;
}

/* The same for all words; references can be sorted by their signatures as well. */
static bool any_checks_signatures(const char *const *argv)
{
    for (size_t i = 1; argv[i] != NULL; i++) {
        bool sorts = strncmp(argv[i], "--sort=", 7) == 0 || strcmp(argv[i - 1], "--sort") == 0;
        if (safety_git_checks_signatures(argv[i]) ||
            (sorts && strstr(argv[i], "signature") != NULL))
            return true;
    }
    return false;
}

/* ---- the repository -------------------------------------------------------------------------- */

static bool has_entry(const char *directory, const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    return access(path, F_OK) == 0;
}

/* From the directory upwards git takes the first that looks like one. */
static bool is_repository(const char *directory)
{
    return has_entry(directory, ".git") ||
           (has_entry(directory, "HEAD") &&
            (has_entry(directory, "objects") || has_entry(directory, "commondir")));
}

bool safety_git_is_of_workspace(const char *directory, const char *workspace)
{
    cleanup_free char *path = xstrdup(directory);
    if (!path_is_beneath(path, workspace))
        return false;
    for (size_t root = strlen(workspace); strlen(path) > root; *strrchr(path, '/') = '\0')
        if (is_repository(path))
            return false;
    return true;
}

/* The directory of `-C DIR`, NULL when it cannot be said; caller frees. */
static char *change_directory(const char *from, const char *to,
                              const struct safety_context *context)
{
    if (strlen(to) >= PATH_MAX || strstr(to, "..") != NULL)
        return NULL;
    cleanup_free char *path = to[0] == '/' ? xstrdup(to) : xasprintf("%s/%s", from, to);
    cleanup_free char *there = safety_path_behind(path);
    return there != NULL && path_is_beneath(there, context->root) ? steal_pointer(&there) : NULL;
}

/* ---- git ------------------------------------------------------------------------------------- */

static bool judge_subcommand(const struct safety_words *words)
{
    const char *const *argv = words->argv;
    if (argv[0] == NULL || forgets(argv) || any_checks_signatures(argv))
        return false;
    const struct safety_program *subcommand =
        safety_programs_find(subcommands, COUNT(subcommands), argv[0]);
    if (subcommand != NULL)
        return safety_programs_words(subcommand, words);
    return is_listing(words) || is_harmless_setting(words);
}

/* Of the options in front of the subcommand those that change neither the repository nor its
 * configuration are passed over, and -C. */
bool safety_git_judge(const struct safety_words *words)
{
    static const char *const harmless[] = {"--no-pager", "-P", "--no-optional-locks",
                                           "--literal-pathspecs"};
    struct safety_context context = *words->context;
    cleanup_free char *directory = xstrdup(context.cwd);
    size_t at = 1;
    for (bool more = true; more && words->argv[at] != NULL; at += more) {
        more = false;
        for (size_t i = 0; i < COUNT(harmless) && !more; i++)
            more = strcmp(harmless[i], words->argv[at]) == 0;
        if (strcmp(words->argv[at], "-C") != 0)
            continue;
        bool known = words->argv[at + 1] != NULL && !safety_path_is_pattern(words, at + 1);
        char *next = known ? change_directory(directory, words->argv[at + 1], &context) : NULL;
        free(directory);
        directory = next;
        if (directory == NULL)
            return false;
        more = true;
        at++;
    }
    context.cwd = directory;
    struct safety_words rest = {.argv = words->argv + at,
                                .marks = words->marks != NULL ? words->marks + at : NULL,
                                .context = &context};
    return safety_git_is_of_workspace(directory, context.root) && judge_subcommand(&rest) &&
           safety_git_runs_nothing(context.root);
}
