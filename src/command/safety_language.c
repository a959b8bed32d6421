/* SPDX-License-Identifier: MIT */
/* safety_language: known-safe programs whose words are a language of their own. */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "command/safety-int.h"

#define DIGITS "0123456789"

/* The words from `at` on are files. */
static bool paths_are_safe(const struct safety_words *words, size_t at)
{
    for (; words->argv[at] != NULL; at++)
        if ((words->argv[at][0] == '-' && words->argv[at][1] != '\0') ||
            !safety_path_word(words, at))
            return false;
    return true;
}

/* ---- command --------------------------------------------------------------------------------- */

/* `command -v NAME…`; without -v or -V it would run NAME. */
bool safety_language_command(const struct safety_words *words)
{
    const char *const *argv = words->argv;
    if (argv[1] == NULL || argv[2] == NULL ||
        (strcmp(argv[1], "-v") != 0 && strcmp(argv[1], "-V") != 0))
        return false;
    for (size_t i = 2; argv[i] != NULL; i++)
        if (argv[i][0] == '-' || strchr(argv[i], '/') != NULL || safety_path_is_pattern(words, i))
            return false;
    return true;
}

/* ---- find ------------------------------------------------------------------------------------ */

/* The words of `-exec COMMAND ;` or `+` from `at` on; stores where they end. */
static bool find_end(const struct safety_words *words, size_t at, size_t *end)
{
    for (size_t i = at; words->argv[i] != NULL; i++) {
        if (safety_path_is_pattern(words, i))
            return false;
        bool plus = strcmp(words->argv[i], "+") == 0 && strcmp(words->argv[i - 1], "{}") == 0;
        *end = i;
        if (plus || strcmp(words->argv[i], ";") == 0)
            return i > at;
    }
    return false;
}

/* With what is found beneath `start` in the place of "{}": as with a file name pattern, there may
 * be any number of files there, all of which begin so. */
static bool command_is_safe(const struct safety_words *words, size_t at, size_t end,
                            const char *start)
{
    size_t count = end - at;
    const char **argv = xcalloc(count + 1, sizeof(*argv));
    struct shell_word *marks = xcalloc(count + 1, sizeof(*marks));
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        const char *word = words->argv[at + i];
        bool found = strcmp(word, "{}") == 0;
        good = good && (found ? i > 0 : strstr(word, "{}") == NULL);
        argv[i] = found ? start : word;
        marks[i] = (struct shell_word){.literal = !found, .glob = found};
    }
    struct safety_words inner = {.argv = argv, .marks = marks, .context = words->context};
    good = good && safety_installed_judge(&inner);
    free(argv);
    free(marks);
    return good;
}

/* What the expression has said so far of the files that it comes to. */
struct expression {
    unsigned depth; /* of parentheses */
    bool negates;   /* the next test is turned round */
    bool files;     /* only regular files come so far, and no links */
    bool choice;    /* it has an "or" somewhere */
};

/* -exec with a command that only reads, for regular files: the links among what is found could lead
 * anywhere. Moves *at to the word that ends it. */
static bool execution_is_safe(const struct safety_words *words, const struct expression *expression,
                              size_t first, size_t *at)
{
    size_t end, begin = *at + 1;
    if (strcmp(words->argv[*at], "-exec") != 0 || !expression->files || expression->choice ||
        expression->negates || expression->depth > 0 || !find_end(words, begin, &end))
        return false;
    if (first == 1 && !command_is_safe(words, begin, end, "."))
        return false;
    for (size_t i = 1; i < first; i++)
        if (safety_path_is_pattern(words, i) || !command_is_safe(words, begin, end, words->argv[i]))
            return false;
    *at = end;
    return true;
}

static bool has_choice(const char *const *argv)
{
    static const char *const choices[] = {"-o", "-or", ","};
    for (size_t i = 1; argv[i] != NULL; i++)
        if (IS_IN(argv[i], choices))
            return true;
    return false;
}

static void note_test(struct expression *expression, const char *word, const char *value)
{
    bool negates = strcmp(word, "!") == 0 || strcmp(word, "-not") == 0;
    expression->depth += strcmp(word, "(") == 0;
    expression->depth -= strcmp(word, ")") == 0 && expression->depth > 0;
    if (strcmp(word, "-type") == 0 && value != NULL && strcmp(value, "f") == 0 &&
        expression->depth == 0 && !expression->negates)
        expression->files = true;
    expression->negates = negates;
}

/* find PATH… EXPRESSION with tests and printing only: no -exec of what does more than read, no -ok,
 * -delete, -fprint, -fls, no -L and -follow, which leave the workspace. */
bool safety_language_find(const struct safety_words *words)
{
    static const char *const plain[] = {
        "-print", "-print0", "-not",  "!",         "-o",          "-or",       "-a",
        "-and",   "(",       ")",     "-ls",       "-prune",      "-empty",    "-mount",
        "-xdev",  "-depth",  "-true", "-false",    "-executable", "-readable", "-writable",
        "-quit",  "-nouser", ",",     "-daystart", "-nogroup",
    };
    static const char *const valued[] = {
        "-name",      "-iname", "-type",  "-maxdepth", "-mindepth",  "-path",
        "-ipath",     "-size",  "-mtime", "-mmin",     "-regex",     "-perm",
        "-iregex",    "-ctime", "-cmin",  "-atime",    "-amin",      "-user",
        "-group",     "-links", "-inum",  "-printf",   "-wholename", "-iwholename",
        "-regextype", "-lname", "-uid",   "-gid",      "-newermt",   "-fstype",
    };
    const char *const *argv = words->argv;
    struct expression expression = {.choice = has_choice(argv)};
    size_t i = 1;
    for (; argv[i] != NULL && argv[i][0] != '-' && argv[i][0] != '(' && argv[i][0] != '!'; i++)
        if (!safety_path_word(words, i))
            return false;
    for (size_t first = i; argv[i] != NULL; i++) {
        if (safety_path_is_pattern(words, i))
            return false;
        note_test(&expression, argv[i], argv[i + 1]);
        if (IS_IN(argv[i], plain) || execution_is_safe(words, &expression, first, &i))
            continue;
        bool newer = strcmp(argv[i], "-newer") == 0 || strcmp(argv[i], "-samefile") == 0;
        if ((!newer && !IS_IN(argv[i], valued)) || argv[i + 1] == NULL ||
            safety_path_is_pattern(words, i + 1) || (newer && !safety_path_word(words, i + 1)))
            return false;
        i++;
    }
    return true;
}

/* ---- sed ------------------------------------------------------------------------------------- */

/* Behind a delimiter: the place behind the next one, NULL when there is none or shells and seds
 * could see another one. */
static const char *skip_delimited(const char *at, char delimiter)
{
    for (; *at != '\0' && *at != '\n'; at++) {
        if (*at == delimiter)
            return at + 1;
        if (*at == '[') {
            /* in brackets a delimiter counts for some and not for others */
            const char *end = strchr(at, ']');
            size_t length = end != NULL ? (size_t)(end - at) : 0;
            if (length < 2 || at[length - 1] == '^' || memchr(at, delimiter, length) != NULL ||
                memchr(at, '\\', length) != NULL)
                return NULL;
            bool class = memchr(at + 1, '[', length - 1) != NULL;
            if (class && end[1] != ']')
                return NULL;
            at = end + class;
        } else if (*at == '\\' && *++at == '\0') {
            return NULL;
        }
    }
    return NULL;
}

/* NUMBER, $, /REGEX/ with I, +NUMBER, FIRST~STEP; NULL when it is none of these. */
static const char *skip_address(const char *at)
{
    if (*at == '$')
        return at + 1;
    if (*at == '/') {
        at = skip_delimited(at + 1, '/');
        return at != NULL ? at + strspn(at, "I") : NULL;
    }
    size_t digits = strspn(at + (*at == '+' || *at == '~'), DIGITS);
    if (digits == 0)
        return NULL;
    at += digits + (*at == '+' || *at == '~');
    return *at == '~' ? at + 1 + strspn(at + 1, DIGITS) : at;
}

static const char *skip_addresses(const char *at)
{
    if (*at != '\0' && strchr(DIGITS "$/", *at) != NULL) {
        at = skip_address(at);
        if (at != NULL && *at == ',')
            at = skip_address(at + 1 + strspn(at + 1, " "));
    }
    if (at == NULL)
        return NULL;
    at += strspn(at, " ");
    return *at == '!' ? at + 1 + strspn(at + 1, " ") : at;
}

/* s and y, without the flags that run (e), write (w) or are not known. */
static const char *skip_substitution(const char *at)
{
    char command = *at++, delimiter = *at;
    if (delimiter == '\0' || strchr("\\\n ;", delimiter) != NULL)
        return NULL;
    at = skip_delimited(at + 1, delimiter);
    if (at == NULL)
        return NULL;
    /* in the replacement brackets mean nothing: a bracket is left to whoever looks */
    for (; *at != delimiter; at++)
        if (*at == '\0' || *at == '\n' || (*at == '\\' && (*++at == '\0' || *at == '\n')))
            return NULL;
    at++;
    return command == 's' ? at + strspn(at, "gpiI" DIGITS) : at;
}

/* One command; NULL when it may do more than read and print. */
static const char *skip_sed_command(const char *at)
{
    at = skip_addresses(at);
    if (at == NULL || *at == '\0')
        return NULL;
    if (*at == 's' || *at == 'y')
        return skip_substitution(at);
    if (strchr("pdqQ=hHgGxnNDPl{}", *at) == NULL)
        return NULL;
    return at[0] == 'q' || at[0] == 'Q' ? at + 1 + strspn(at + 1, DIGITS) : at + 1;
}

static bool sed_script_is_safe(const char *script)
{
    static const char separators[] = " \t\n;";
    const char *at = script + strspn(script, separators);
    while (*at != '\0') {
        bool group = strchr("{}", *at) != NULL;
        at = skip_sed_command(at);
        if (at == NULL)
            return false;
        bool opened = at[-1] == '{' || group;
        size_t gap = strspn(at, separators);
        if (*at != '\0' && gap == 0 && !opened && *at != '}')
            return false;
        at += gap;
    }
    return true;
}

bool safety_language_sed(const struct safety_words *words)
{
    static const char *const flags[] = {"-n",
                                        "-E",
                                        "-r",
                                        "-s",
                                        "-u",
                                        "-z",
                                        "--quiet",
                                        "--silent",
                                        "-nE",
                                        "-En",
                                        "-nr",
                                        "-rn",
                                        "--regexp-extended",
                                        "--posix",
                                        "--sandbox"};
    const char *const *argv = words->argv;
    bool scripts = false;
    size_t i = 1;
    for (; argv[i] != NULL && argv[i][0] == '-' && argv[i][1] != '\0'; i++) {
        bool script = strcmp(argv[i], "-e") == 0 || strcmp(argv[i], "-ne") == 0 ||
                      strcmp(argv[i], "-Ee") == 0;
        if (!script && !IS_IN(argv[i], flags))
            return false;
        if (!script)
            continue;
        if (argv[++i] == NULL || safety_path_is_pattern(words, i) || !sed_script_is_safe(argv[i]))
            return false;
        scripts = true;
    }
    if (!scripts &&
        (argv[i] == NULL || safety_path_is_pattern(words, i) || !sed_script_is_safe(argv[i++])))
        return false;
    return paths_are_safe(words, i);
}

/* ---- awk ------------------------------------------------------------------------------------- */

/* Without what runs (system, pipes), writes (redirections), reads further files (getline, changes
 * of ARGV), loads (@) or shows the environment. */
static bool awk_program_is_safe(const char *program)
{
    static const char *const refused[] = {"system", "getline",  "ARG",    "ENVIRON",
                                          "@",      "PROCINFO", "SYMTAB", "FUNCTAB"};
    for (size_t i = 0; i < COUNT(refused); i++)
        if (strstr(program, refused[i]) != NULL)
            return false;
    bool prints = strstr(program, "print") != NULL;
    for (const char *at = program; *at != '\0'; at++) {
        if (at[0] == '|' && at[1] == '|')
            at++;
        else if (*at == '|' || (*at == '>' && prints))
            return false;
    }
    return true;
}

bool safety_language_awk(const struct safety_words *words)
{
    const char *const *argv = words->argv;
    size_t i = 1;
    for (; argv[i] != NULL && argv[i][0] == '-'; i++) {
        if (argv[i][1] != 'F' && argv[i][1] != 'v')
            return false;
        if (argv[i][2] == '\0' && (argv[++i] == NULL || safety_path_is_pattern(words, i)))
            return false;
    }
    return argv[i] != NULL && !safety_path_is_pattern(words, i) && awk_program_is_safe(argv[i]) &&
           paths_are_safe(words, i + 1);
}

/* ---- jq -------------------------------------------------------------------------------------- */

/* Without what reads further files (import, include, --slurpfile, -f …) or the environment. */
static bool jq_filter_is_safe(const char *filter)
{
    static const char *const refused[] = {
        "env", "ENV", "import", "include", "input_filename", "get_search_list", "modulemeta"};
    for (size_t i = 0; i < COUNT(refused); i++)
        if (strstr(filter, refused[i]) != NULL)
            return false;
    return true;
}

bool safety_language_jq(const struct safety_words *words)
{
    static const char *const longs[] = {"--raw-output",   "--compact-output",    "--null-input",
                                        "--slurp",        "--sort-keys",         "--exit-status",
                                        "--raw-input",    "--join-output",       "--ascii-output",
                                        "--color-output", "--monochrome-output", "--tab",
                                        "--stream"};
    const char *const *argv = words->argv;
    bool filter = false;
    for (size_t i = 1; argv[i] != NULL; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--arg") == 0 || strcmp(word, "--argjson") == 0) {
            if (argv[i + 1] == NULL || argv[i + 2] == NULL ||
                safety_path_is_pattern(words, i + 1) || safety_path_is_pattern(words, i + 2))
                return false;
            i += 2;
        } else if (word[0] == '-' && word[1] != '\0') {
            bool letters = word[1] != '-' && word[1 + strspn(word + 1, "rcnsSeRjaCM")] == '\0';
            if (!letters && !IS_IN(word, longs))
                return false;
        } else if (!filter) {
            if (safety_path_is_pattern(words, i) || !jq_filter_is_safe(word))
                return false;
            filter = true;
        } else if (!safety_path_word(words, i)) {
            return false;
        }
    }
    return filter;
}

/* ---- test ------------------------------------------------------------------------------------ */

/* Asks about files, strings and numbers; where -v is dangerous the script is opaque. */
bool safety_language_test(const struct safety_words *words)
{
    for (size_t i = 1; words->argv[i] != NULL; i++)
        if (safety_path_is_pattern(words, i) && strcmp(words->argv[i], "[") != 0)
            return false;
    return true;
}

/* ---- xxd ------------------------------------------------------------------------------------- */

/* It knows an option by its first letter, whatever follows that, reads none behind the first
 * operand, and writes the second. So each stands alone here, but for a number behind its letter. */
bool safety_language_xxd(const struct safety_words *words)
{
    static const char *const flags[] = {
        "-a",     "-b", "-C",       "-e",    "-E",          "-i",          "-p",       "-ps",
        "-plain", "-u", "-include", "-bits", "-capitalize", "-postscript", "-autoskip"};
    static const char *const valued[] = {"-c",   "-cols", "-g",      "-groupsize", "-l",
                                         "-len", "-o",    "-offset", "-s",         "-seek"};
    const char *const *argv = words->argv;
    size_t i = 1;
    for (; argv[i] != NULL && argv[i][0] == '-' && argv[i][1] != '\0'; i++) {
        const char *number = argv[i] + 2;
        bool attached = strchr("cglos", argv[i][1]) != NULL && strchr(DIGITS "+-", *number) != NULL;
        if (safety_path_is_pattern(words, i))
            return false;
        if (IS_IN(argv[i], flags))
            continue;
        if (IS_IN(argv[i], valued)) {
            if (argv[++i] == NULL || safety_path_is_pattern(words, i))
                return false;
        } else if (!attached || number[strspn(number, DIGITS "+-abcdefABCDEFx")] != '\0') {
            return false;
        }
    }
    return argv[i] == NULL ||
           (argv[i + 1] == NULL && !safety_path_is_pattern(words, i) && safety_path_word(words, i));
}
