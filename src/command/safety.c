/* SPDX-License-Identifier: MIT */
/* safety: the known-safe list. A command that is on it may run unasked, inside the sandbox; it
 * reads, prints and counts, runs no other program, and reads nothing outside the workspace and
 * the system's own directories. */
#include "config.h"

#include "command/safety.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/path.h"
#include "command/program.h"
#include "command/shell.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What stands where no option does. */
enum operands {
    OPERANDS_PATHS,         /* files that are read */
    OPERANDS_PATTERN_PATHS, /* a pattern, then files */
    OPERANDS_TEXT,          /* anything: it is only printed */
    OPERANDS_NONE,
    OPERANDS_FORMAT, /* "+…": date would set the clock otherwise */
    OPERANDS_NAMES,  /* names of programs or revisions: no path at all */
};

/* One line each: short options without value, those with a harmless value, long ones (space
 * separated, "name=" with a value). Options that write, run, follow links out of the workspace or
 * name a further file are left out, and what is left out is not safe. */
static const struct safe_program {
    const char *name;
    const char *flags;
    const char *valued;
    const char *longs;
    enum operands operands;
} programs[] = {
    {"basename", "az", "s", "multiple suffix= zero", OPERANDS_TEXT},
    {"cat", "AbEensTtuv", "", "number show-all squeeze-blank", OPERANDS_PATHS},
    {"cmp", "bls", "n", "quiet silent verbose bytes=", OPERANDS_PATHS},
    {"cut", "sz", "bcdf", "bytes= characters= delimiter= fields= complement", OPERANDS_PATHS},
    {"date", "uIR", "", "utc rfc-email iso-8601 iso-8601=", OPERANDS_FORMAT},
    {"df", "aHhiklPT", "t", "human-readable inodes total", OPERANDS_PATHS},
    {"diff", "abBcdEiNpqrstuwyZ", "UC",
     "brief recursive unified unified= color color=", OPERANDS_PATHS},
    {"dirname", "z", "", "zero", OPERANDS_TEXT},
    {"du", "abchkmsx", "d", "human-readable max-depth= summarize total apparent-size",
     OPERANDS_PATHS},
    {"echo", "neE", "", "", OPERANDS_TEXT},
    {"egrep", "hHilLnoqrsvwxc", "emABC", "color color= include= exclude=", OPERANDS_PATTERN_PATHS},
    {"false", "", "", "", OPERANDS_NONE},
    {"fgrep", "hHilLnoqrsvwxc", "emABC", "color color= include= exclude=", OPERANDS_PATTERN_PATHS},
    /* no -R (follows links), no -f (reads a file) */
    {"grep", "abEFGPhHiIlLnoqrsTvwxyzc", "emABC",
     "color color= count files-with-matches fixed-strings ignore-case include= exclude= "
     "exclude-dir= line-number max-count= recursive word-regexp",
     OPERANDS_PATTERN_PATHS},
    {"head", "qvz0123456789", "nc", "bytes= lines= quiet verbose", OPERANDS_PATHS},
    {"hexdump", "bCcdovx", "ns", "canonical", OPERANDS_PATHS},
    {"id", "aGgnruz", "", "group groups name real user", OPERANDS_NONE},
    {"ls", "1aABcCdfFgGhiklLmnNopqQrRsStTuUvwxXZ", "I",
     "all almost-all classify color color= directory full-time group-directories-first "
     "human-readable recursive reverse size sort= time= time-style=",
     OPERANDS_PATHS},
    {"md5sum", "bt", "", "binary tag text", OPERANDS_PATHS},
    {"nl", "p", "bfhilnsvw", "", OPERANDS_PATHS},
    {"od", "abcdfilosvx", "AjNtw", "", OPERANDS_PATHS},
    {"printf", "", "", "", OPERANDS_TEXT},
    {"pwd", "LP", "", "logical physical", OPERANDS_NONE},
    {"readlink", "efmnqsvz", "", "canonicalize", OPERANDS_PATHS},
    {"realpath", "emLPqsz", "", "", OPERANDS_PATHS},
    /* no -L (follows links), -z and --pre (run programs) */
    {"rg", "acFHhiIlnNoPpqSsUvwx0.", "ABCdegjmMtT",
     "color= count files files-with-matches fixed-strings glob= hidden ignore-case line-number "
     "max-count= multiline no-ignore no-heading type= type-list word-regexp",
     OPERANDS_PATTERN_PATHS},
    {"seq", "w", "fs", "equal-width format= separator=", OPERANDS_TEXT},
    {"sha1sum", "bt", "", "binary tag text", OPERANDS_PATHS},
    {"sha256sum", "bt", "", "binary tag text", OPERANDS_PATHS},
    {"sort", "bdfghinMRrsuVz", "kt", "key= numeric-sort reverse unique version-sort",
     OPERANDS_PATHS},
    {"stat", "Lft", "c", "format= printf= terse", OPERANDS_PATHS},
    {"tac", "br", "s", "", OPERANDS_PATHS},
    {"tail", "qvz0123456789", "nc", "bytes= lines= quiet verbose", OPERANDS_PATHS},
    {"tr", "cCdst", "", "complement delete squeeze-repeats", OPERANDS_TEXT},
    {"true", "", "", "", OPERANDS_NONE},
    {"tty", "s", "", "", OPERANDS_NONE},
    {"uname", "amnoprsv", "", "all", OPERANDS_NONE},
    {"wc", "clLmw", "", "bytes chars lines words", OPERANDS_PATHS},
    {"which", "a", "", "all", OPERANDS_NAMES},
    {"whoami", "", "", "", OPERANDS_NONE},
};

/* Subcommands of git that only read, and run neither pagers, external diffs nor text converters
 * (--ext-diff, --textconv, --output and the like are not among their options here). */
static const struct safe_program git_subcommands[] = {
    {"blame", "lsw", "L", "date= porcelain", OPERANDS_PATHS},
    {"diff", "abpuwRz", "U",
     "cached staged stat name-only name-status numstat shortstat summary no-color color color= "
     "no-ext-diff no-textconv word-diff check ignore-all-space unified=",
     OPERANDS_PATHS},
    {"log", "pz0123456789", "nLSG",
     "all author= decorate graph grep= max-count= name-only name-status no-color no-decorate "
     "no-merges numstat oneline patch pretty= format= reverse since= stat until= follow",
     OPERANDS_PATHS},
    {"ls-files", "cdmostuz", "x", "cached deleted exclude-standard modified others stage",
     OPERANDS_PATHS},
    {"merge-base", "a", "", "all is-ancestor", OPERANDS_NAMES},
    {"rev-parse", "q", "", "abbrev-ref abbrev-ref= git-dir short short= show-toplevel verify",
     OPERANDS_NAMES},
    {"shortlog", "cens", "", "numbered summary email", OPERANDS_NAMES},
    {"show", "pqsz", "U",
     "name-only name-status no-color no-patch numstat oneline patch pretty= format= stat",
     OPERANDS_PATHS},
    {"status", "sbuvz", "", "short branch long porcelain porcelain= untracked-files= ignored",
     OPERANDS_PATHS},
};

/* Readable without asking beside the workspace: what every program can see anyway. */
static const char *const platform_paths[] = {
    "/usr",          "/bin",      "/sbin",       "/lib",
    "/lib64",        "/lib32",    "/etc/hosts",  "/etc/os-release",
    "/etc/hostname", "/dev/null", "/etc/passwd", "/etc/group",
};

/* Files of a workspace that hold secrets; a name that begins with one of these. */
static const char *const secret_names[] = {
    ".env",   ".netrc",     ".npmrc",   ".pypirc",     ".git-credentials",
    "id_rsa", "id_ed25519", "id_ecdsa", "credentials",
};
static const char *const secret_suffixes[] = {".pem", ".key", ".p12", ".pfx", ".jks", ".kdbx"};

/* ---- paths ----------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *suffix)
{
    size_t length = strlen(text), width = strlen(suffix);
    return length >= width && strcmp(text + length - width, suffix) == 0;
}

static bool is_secret(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    for (size_t i = 0; i < COUNT(secret_names); i++)
        if (strncmp(name, secret_names[i], strlen(secret_names[i])) == 0)
            return true;
    for (size_t i = 0; i < COUNT(secret_suffixes); i++)
        if (ends_with(name, secret_suffixes[i]))
            return true;
    return false;
}

static bool is_readable_place(const char *physical, const struct safety_context *context)
{
    if (is_secret(physical))
        return false;
    if (path_is_beneath(physical, context->root))
        return true;
    for (size_t i = 0; context->writable_roots != NULL && context->writable_roots[i] != NULL; i++)
        if (path_is_beneath(physical, context->writable_roots[i]))
            return true;
    for (size_t i = 0; i < COUNT(platform_paths); i++)
        if (path_is_beneath(physical, platform_paths[i]))
            return true;
    return false;
}

/* A word that names a file, or might: it must lead to a readable place after all links. One that
 * names nothing reads nothing, if it cannot lead out of the workspace either. */
static bool path_is_safe(const char *word, const struct safety_context *context)
{
    if (strlen(word) >= PATH_MAX)
        return false;
    cleanup_free char *path =
        word[0] == '/' ? xstrdup(word) : xasprintf("%s/%s", context->cwd, word);
    cleanup_free char *physical = realpath(path, NULL);
    if (physical != NULL)
        return is_readable_place(physical, context);
    return strstr(path, "..") == NULL && !is_secret(path) && path_is_beneath(path, context->root);
}

/* ---- options --------------------------------------------------------------------------------- */

/* A value must not name a file: no option here needs one, and no list of options is complete. */
static bool value_is_safe(const char *value)
{
    return value != NULL && strchr(value, '/') == NULL && value[0] != '~';
}

static bool long_option_is_safe(const char *option, const char *longs)
{
    size_t length = strcspn(option, "=");
    bool valued = option[length] == '=';
    for (const char *at = longs; *at != '\0'; at += strspn(at, " ")) {
        size_t width = strcspn(at, " ");
        size_t name = width > 0 && at[width - 1] == '=' ? width - 1 : width;
        if (name == length && (name < width) == valued && strncmp(at, option, length) == 0)
            return !valued || value_is_safe(option + length + 1);
        at += width;
    }
    return false;
}

/* A cluster of short options; *taken says that the next word is a value of the last one. */
static bool short_options_are_safe(const char *letters, const struct safe_program *program,
                                   bool *taken)
{
    for (; *letters != '\0'; letters++) {
        if (strchr(program->valued, *letters) != NULL) {
            *taken = letters[1] == '\0';
            return *taken || value_is_safe(letters + 1);
        }
        if (strchr(program->flags, *letters) == NULL)
            return false;
    }
    return true;
}

static bool operand_is_safe(const char *word, size_t index, enum operands operands,
                            const struct safety_context *context)
{
    switch (operands) {
    case OPERANDS_PATTERN_PATHS:
        return index == 0 || path_is_safe(word, context);
    case OPERANDS_PATHS:
        return path_is_safe(word, context);
    case OPERANDS_TEXT:
        return true;
    case OPERANDS_FORMAT:
        return word[0] == '+';
    case OPERANDS_NAMES:
        return strchr(word, '/') == NULL;
    case OPERANDS_NONE:
        break;
    }
    return false;
}

/* With -e the pattern is an option, and every operand is a file. */
static enum operands effective_operands(const char *const *argv, const struct safe_program *program)
{
    if (program->operands != OPERANDS_PATTERN_PATHS)
        return program->operands;
    for (size_t i = 1; argv[i] != NULL; i++)
        if (argv[i][0] == '-' && argv[i][1] != '-' && strchr(argv[i], 'e') != NULL)
            return OPERANDS_PATHS;
    return OPERANDS_PATTERN_PATHS;
}

/* argv[0] is the program (or the subcommand of git). */
static bool words_are_safe(const char *const *argv, const struct safe_program *program,
                           const struct safety_context *context)
{
    bool options = true;
    size_t operand = 0;
    enum operands operands = effective_operands(argv, program);
    for (size_t i = 1; argv[i] != NULL; i++) {
        const char *word = argv[i];
        if (options && strcmp(word, "--") == 0) {
            options = false;
        } else if (options && strncmp(word, "--", 2) == 0) {
            if (!long_option_is_safe(word + 2, program->longs))
                return false;
        } else if (options && word[0] == '-' && word[1] != '\0') {
            bool taken = false;
            if (!short_options_are_safe(word + 1, program, &taken))
                return false;
            if (taken && !value_is_safe(argv[++i]))
                return false;
        } else if (!operand_is_safe(word, operand++, operands, context)) {
            return false;
        }
    }
    return true;
}

/* ---- programs with a language of their own --------------------------------------------------- */

/* find PATH… EXPRESSION with tests and printing only. */
static bool find_is_safe(const char *const *argv, const struct safety_context *context)
{
    static const char *const plain[] = {"-print", "-print0", "-not", "!",   "-o",     "-or",   "-a",
                                        "-and",   "(",       ")",    "-ls", "-prune", "-empty"};
    static const char *const valued[] = {"-name",     "-iname", "-type",  "-maxdepth",
                                         "-mindepth", "-path",  "-ipath", "-size",
                                         "-mtime",    "-mmin",  "-regex", "-perm"};
    size_t i = 1;
    while (argv[i] != NULL && argv[i][0] != '-' && argv[i][0] != '(' && argv[i][0] != '!')
        if (!path_is_safe(argv[i++], context))
            return false;
    for (; argv[i] != NULL; i++) {
        bool known = false;
        for (size_t j = 0; j < COUNT(plain) && !known; j++)
            known = strcmp(plain[j], argv[i]) == 0;
        for (size_t j = 0; j < COUNT(valued) && !known; j++) {
            known = strcmp(valued[j], argv[i]) == 0;
            i += known && argv[i + 1] != NULL;
        }
        if (!known)
            return false;
    }
    return true;
}

/* sed -n 'Np' or 'N,Mp', and files. */
static bool sed_is_safe(const char *const *argv, const struct safety_context *context)
{
    if (argv[1] == NULL || strcmp(argv[1], "-n") != 0 || argv[2] == NULL)
        return false;
    const char *at = argv[2] + strspn(argv[2], "0123456789");
    if (*at == ',')
        at += at[1] == '$' ? 2 : 1 + strspn(at + 1, "0123456789");
    if (at == argv[2] || strcmp(at, "p") != 0)
        return false;
    for (size_t i = 3; argv[i] != NULL; i++)
        if (argv[i][0] == '-' || !path_is_safe(argv[i], context))
            return false;
    return true;
}

static const struct safe_program *find_in(const struct safe_program *list, size_t count,
                                          const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

/* Options before the subcommand change where git reads its configuration: none is safe. */
static bool git_is_safe(const char *const *argv, const struct safety_context *context)
{
    if (argv[1] == NULL)
        return false;
    const struct safe_program *subcommand =
        find_in(git_subcommands, COUNT(git_subcommands), argv[1]);
    return subcommand != NULL && words_are_safe(argv + 1, subcommand, context);
}

/* ---- commands -------------------------------------------------------------------------------- */

static bool command_is_safe(const char *const *argv, const struct safety_context *context)
{
    struct program program;
    program_find(argv[0], context->cwd, context->search_path, &program);
    bool installed = program_is_installed(&program, context->writable_roots) &&
                     !path_is_beneath(program.real, context->root);
    const char *slash = program.path != NULL ? strrchr(program.path, '/') : NULL;
    cleanup_free char *name = slash != NULL ? xstrdup(slash + 1) : NULL;
    program_clear(&program);
    if (!installed)
        return false;
    if (strcmp(name, "find") == 0)
        return find_is_safe(argv, context);
    if (strcmp(name, "sed") == 0)
        return sed_is_safe(argv, context);
    if (strcmp(name, "git") == 0)
        return git_is_safe(argv, context);
    const struct safe_program *known = find_in(programs, COUNT(programs), name);
    return known != NULL && words_are_safe(argv, known, context);
}

static bool script_is_safe(const char *script, const struct safety_context *context)
{
    struct shell_script parsed;
    shell_parse(script, strlen(script), &parsed);
    bool safe = parsed.plain && parsed.count > 0;
    for (size_t i = 0; safe && i < parsed.count; i++)
        safe = command_is_safe((const char *const *)parsed.commands[i].argv, context);
    shell_script_clear(&parsed);
    return safe;
}

bool safety_known_safe(const char *const *argv, const struct safety_context *context)
{
    /* A command without operands reads where it stands. */
    if (context->program == NULL || context->has_env || context->has_stdin ||
        !is_readable_place(context->cwd, context))
        return false;
    const char *script = shell_wrapped_script(argv);
    return script != NULL ? script_is_safe(script, context) : command_is_safe(argv, context);
}
