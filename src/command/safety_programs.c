/* SPDX-License-Identifier: MIT */
/*
 * safety_programs: the known-safe list.
 *
 * A program is on it because it only reads and prints, starts nothing, and is told nothing by the
 * files it reads. Its line names the options that keep it so; an option that nobody thought of is
 * not safe, nor is one that is cut short.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/array.h"
#include "command/safety-int.h"

static const struct safety_program programs[] = {
    /* print files */
    {"cat", "AbEensTtuv", "", "number number-nonblank show-all show-ends squeeze-blank",
     OPERANDS_PATHS},
    {"column", "text", "sc", "table separator=", OPERANDS_PATHS},
    {"cut", "sz", "bcdf", "bytes= characters= delimiter= fields= complement only-delimited",
     OPERANDS_PATHS},
    {"expand", "i", "t", "tabs=", OPERANDS_PATHS},
    {"fmt", "cstu", "w", "width=", OPERANDS_PATHS},
    {"fold", "bs", "w", "width= spaces bytes", OPERANDS_PATHS},
    {"head", "qvz0123456789", "nc", "bytes= lines= quiet verbose", OPERANDS_PATHS},
    {"hexdump", "bCcdovx", "ns", "canonical", OPERANDS_PATHS},
    {"nl", "p", "bfhilnsvw", "body-numbering=", OPERANDS_PATHS},
    {"od", "abcdfilosvxw0123456789", "AjNt", "address-radix= read-bytes= format=", OPERANDS_PATHS},
    {"paste", "sz", "d", "delimiters= serial", OPERANDS_PATHS},
    {"rev", "", "", "", OPERANDS_PATHS},
    {"strings", "aox", "nte", "all bytes= radix= encoding=", OPERANDS_PATHS},
    {"tac", "br", "s", "", OPERANDS_PATHS},
    /* no -f and -F: it would never end */
    {"tail", "qvz0123456789", "nc", "bytes= lines= quiet verbose", OPERANDS_PATHS},
    {"unexpand", "a", "t", "", OPERANDS_PATHS},
    /* a second operand is written to: see few_operands */
    {"uniq", "cdDiuz", "fsw",
     "count repeated unique ignore-case skip-fields= skip-chars=", OPERANDS_PATHS},

    /* search; no option that follows links (-R), reads a list of patterns (-f) or starts programs
     * (-z, --pre, --hostname-bin) */
    {"egrep", "abEFGHhIiLlnoqrsvwxcTy", "emABC",
     "color color= count include= exclude= exclude-dir= files-with-matches line-number "
     "ignore-case max-count= no-filename recursive",
     OPERANDS_PATTERN_PATHS},
    {"fgrep", "abEFGHhIiLlnoqrsvwxcTy", "emABC",
     "color color= include= exclude= exclude-dir=", OPERANDS_PATTERN_PATHS},
    {"grep", "abEFGPhHiIlLnoqrsTvwxyzc", "emABC",
     "after-context= before-context= binary-files= color color= colour colour= context= count "
     "extended-regexp files-with-matches files-without-match fixed-strings ignore-case include= "
     "exclude= exclude-dir= invert-match line-number max-count= no-filename no-messages "
     "only-matching perl-regexp quiet recursive regexp= text with-filename word-regexp",
     OPERANDS_PATTERN_PATHS},
    {"rg", "abcFHhIilnNoPpqSsUuvwx0.", "ABCdegjmMrtTE",
     "after-context= before-context= block-buffered case-sensitive color= column context= count "
     "count-matches crlf encoding= engine= files files-with-matches files-without-match "
     "fixed-strings glob= heading hidden iglob= ignore-case invert-match json line-number "
     "line-regexp max-columns= max-count= max-depth= max-filesize= multiline multiline-dotall "
     "no-config no-filename no-heading no-ignore no-ignore-parent no-ignore-vcs no-line-number "
     "no-messages null only-matching passthru pcre2 pretty quiet regexp= replace= smart-case "
     "sort= sortr= stats text threads= trim type= type-list type-not= unrestricted vimgrep "
     "with-filename word-regexp",
     OPERANDS_PATTERN_PATHS},

    /* compare, count, sum up */
    {"b2sum", "bt", "l", "", OPERANDS_PATHS},
    {"cksum", "", "", "", OPERANDS_PATHS},
    {"cmp", "bls", "n", "quiet silent verbose bytes=", OPERANDS_PATHS},
    {"comm", "123iz", "", "check-order nocheck-order output-delimiter= total", OPERANDS_PATHS},
    /* not recursive: it would follow links */
    {"diff", "abBcdEiNpqstuwyZ", "UCWIL",
     "brief unified unified= color color= side-by-side ignore-all-space ignore-blank-lines "
     "label= minimal new-file report-identical-files strip-trailing-cr suppress-common-lines "
     "width=",
     OPERANDS_FILES},
    {"join", "i", "12aejtov", "", OPERANDS_PATHS},
    /* -w writes */
    {"gofmt", "dels", "", "", OPERANDS_PATHS},
    {"md5", "qrn", "", "", OPERANDS_PATHS},
    {"md5sum", "bt", "", "binary tag text", OPERANDS_PATHS},
    {"sha1sum", "bt", "", "binary tag text", OPERANDS_PATHS},
    {"sha256sum", "bt", "", "binary tag text", OPERANDS_PATHS},
    {"sha512sum", "bt", "", "binary tag text", OPERANDS_PATHS},
    {"shasum", "bt", "a", "algorithm=", OPERANDS_PATHS},
    /* no -o (writes), no -T (temporary files elsewhere), no --compress-program (runs),
     * no --files0-from */
    {"sort", "bCcdfghiMmnRrsuVz", "ktS",
     "key= numeric-sort reverse unique version-sort field-separator= ignore-case check "
     "general-numeric-sort human-numeric-sort month-sort stable zero-terminated",
     OPERANDS_PATHS},
    {"sum", "rs", "", "", OPERANDS_PATHS},
    {"tsort", "", "", "", OPERANDS_PATHS},
    {"wc", "clLmw", "", "bytes chars lines words max-line-length", OPERANDS_PATHS},
    /* base64 of some systems writes with -o */
    {"base32", "d", "w", "decode wrap=", OPERANDS_PATHS},
    {"base64", "dD", "wb", "decode wrap=", OPERANDS_PATHS},
    {"tr", "cCdst", "", "complement delete squeeze-repeats truncate-set1", OPERANDS_TEXT},

    /* names, places, sizes */
    {"basename", "az", "s", "multiple suffix= zero", OPERANDS_TEXT},
    {"df", "aHhiklPT", "", "human-readable inodes total portability local", OPERANDS_PATHS},
    {"dirname", "z", "", "zero", OPERANDS_TEXT},
    {"du", "abcghkmsSx0", "dt",
     "all apparent-size bytes exclude= human-readable max-depth= summarize total", OPERANDS_PATHS},
    {"eza", "1aldhRTr", "Ls", "all long tree level= git icons", OPERANDS_PATHS},
    /* no -z (starts programs), -f (a list of files), -C (writes), -m */
    {"file", "bhikLNr0", "F", "brief dereference mime mime-type mime-encoding", OPERANDS_PATHS},
    {"ls", "1@aABcCdfFgGhHiklmnNoOpqQrRsStTuUvwxXZ", "",
     "all almost-all classify color color= directory file-type format= full-time "
     "group-directories-first human-readable ignore= inode no-group numeric-uid-gid recursive "
     "reverse si size sort= time= time-style=",
     OPERANDS_PATHS},
    {"readlink", "efmnqsvz", "", "canonicalize canonicalize-existing no-newline", OPERANDS_PATHS},
    {"realpath", "emLPqsz", "", "canonicalize-existing canonicalize-missing strip", OPERANDS_PATHS},
    {"stat", "LftFlnqrsx", "c", "format= printf= terse dereference file-system", OPERANDS_PATHS},
    /* no -l (follows links), -o (writes), --fromfile */
    {"tree", "adfiDhpsCnAxQFgrtuUvS", "LIP", "dirsfirst noreport du gitignore prune si",
     OPERANDS_PATHS | CLUSTERS_APART},
    {"which", "as", "", "all", OPERANDS_NAMES},
    {"whereis", "bms", "", "", OPERANDS_NAMES},
    {"type", "aptPf", "", "", OPERANDS_NAMES},

    /* text that was in the command already, and facts of the machine */
    {":", "", "", "", OPERANDS_WORDS},
    {"arch", "", "", "", OPERANDS_NONE},
    {"cal", "", "", "", OPERANDS_NUMBERS},
    {"date", "ujIR", "d",
     "utc universal rfc-email rfc-3339= iso-8601 iso-8601= date=", OPERANDS_FORMAT},
    {"echo", "", "", "", OPERANDS_WORDS},
    {"expr", "", "", "", OPERANDS_WORDS},
    {"false", "", "", "", OPERANDS_WORDS},
    {"free", "bghkmtw", "", "human mega giga", OPERANDS_NONE},
    {"getconf", "", "", "", OPERANDS_NAMES},
    {"groups", "", "", "", OPERANDS_NAMES},
    {"hostname", "fsdiI", "", "", OPERANDS_NONE},
    {"id", "aGgnruz", "", "group groups name real user", OPERANDS_NAMES},
    {"locale", "akm", "", "", OPERANDS_NAMES},
    {"logname", "", "", "", OPERANDS_NONE},
    {"lscpu", "abcex", "", "", OPERANDS_NONE},
    {"nproc", "", "", "all ignore=", OPERANDS_NONE},
    /* no -F (reads a file) */
    {"pgrep", "acfilnovwx", "GPgstuU", "count full ignore-case list-full list-name newest oldest",
     OPERANDS_TEXT},
    {"printf", "", "", "", OPERANDS_WORDS}, /* of bash -v would be an option: see shell.c */
    {"ps", "aAefFlwxj", "opuCtG", "pid= sort= forest no-headers", OPERANDS_PROCESSES},
    {"pwd", "LP", "", "logical physical", OPERANDS_NONE},
    {"seq", "w", "fs", "equal-width format= separator=", OPERANDS_TEXT},
    {"sleep", "", "", "", OPERANDS_NUMBERS},
    {"sw_vers", "", "", "", OPERANDS_NONE},
    {"true", "", "", "", OPERANDS_WORDS},
    {"tty", "s", "", "", OPERANDS_NONE},
    {"uname", "amnoprsv", "", "all kernel-name machine", OPERANDS_NONE},
    {"uptime", "ps", "", "", OPERANDS_NONE},
    {"whoami", "", "", "", OPERANDS_NONE},
};

/* Programs of which one operand is read, and one more is written, which may look like an option. */
static const char *const few_operands[] = {"base32", "base64", "uniq"};

const struct safety_program *safety_programs_find(const struct safety_program *list, size_t count,
                                                  const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

/* ---- options --------------------------------------------------------------------------------- */

/* Is it listed as it stands, or as "name=" with a value? No value of an option here names a file.
 */
static bool long_option_is_safe(const char *option, const char *longs)
{
    size_t length = strcspn(option, "=");
    bool valued = option[length] == '=';
    for (const char *at = longs; *at != '\0'; at += strspn(at, " ")) {
        size_t width = strcspn(at, " ");
        size_t name = width > 0 && at[width - 1] == '=' ? width - 1 : width;
        if (name == length && (name < width) == valued && strncmp(at, option, length) == 0)
            return true;
        at += width;
    }
    return false;
}

/* Does the long option take the next word? */
static bool long_option_takes_next(const char *option, const char *longs)
{
    size_t length = strlen(option);
    for (const char *at = longs; *at != '\0'; at += strspn(at, " ")) {
        size_t width = strcspn(at, " ");
        if (width == length + 1 && at[length] == '=' && strncmp(at, option, length) == 0)
            return true;
        at += width;
    }
    return false;
}

/* May the letter `at` have a value? See enum safety_clusters. */
static bool may_have_value(const char *letters, size_t at, const struct safety_program *program)
{
    if ((program->operands & CLUSTERS_APART) != 0)
        return letters[at + 1] == '\0';
    return (program->operands & CLUSTERS_FIRST) == 0 || at == 0;
}

/* A cluster of short options; *taken says that the next word is a value of the last one. */
static bool short_options_are_safe(const char *letters, const struct safety_program *program,
                                   bool *taken)
{
    size_t digits = strspn(letters, "0123456789");
    if ((program->operands & CLUSTERS_FIRST) != 0 && digits > 0 && letters[digits] != '\0')
        return false;
    for (size_t at = 0; letters[at] != '\0'; at++) {
        if (strchr(program->valued, letters[at]) != NULL) {
            *taken = letters[at + 1] == '\0';
            return may_have_value(letters, at, program);
        }
        if (strchr(program->flags, letters[at]) == NULL)
            return false;
    }
    return true;
}

/* ---- operands -------------------------------------------------------------------------------- */

static bool is_number(const char *word)
{
    size_t digits = strspn(word, "0123456789.");
    return digits > 0 && (word[digits] == '\0' || word[digits + 1] == '\0');
}

/* No directory, and nothing of which that cannot be said. */
static bool is_file_word(const struct safety_words *words, size_t at)
{
    struct stat status;
    const char *word = words->argv[at];
    cleanup_free char *path =
        word[0] == '/' ? xstrdup(word) : xasprintf("%s/%s", words->context->cwd, word);
    return safety_path_word(words, at) && !safety_path_is_pattern(words, at) &&
           (stat(path, &status) == 0 ? !S_ISDIR(status.st_mode) : errno == ENOENT);
}

static bool operand_is_safe(const struct safety_words *words, size_t at, size_t operand,
                            enum safety_operands operands)
{
    const char *word = words->argv[at];
    bool pattern = safety_path_is_pattern(words, at);
    switch (operands) {
    case OPERANDS_PATTERN_PATHS:
        return operand == 0 ? !pattern : safety_path_word(words, at);
    case OPERANDS_PATHS:
        return safety_path_word(words, at);
    case OPERANDS_FILES:
        return is_file_word(words, at);
    case OPERANDS_TEXT:
    case OPERANDS_WORDS:
        /* prints names of files */
        return !pattern || words->marks[at].status || safety_path_word(words, at);
    case OPERANDS_FORMAT:
        return word[0] == '+' && !pattern;
    case OPERANDS_NAMES:
        return strchr(word, '/') == NULL && !pattern;
    case OPERANDS_NUMBERS:
        return is_number(word) && !pattern;
    case OPERANDS_PROCESSES:
        return word[strspn(word, "auxwfjl0123456789,")] == '\0';
    case OPERANDS_NONE:
        break;
    }
    return false;
}

static bool is_cluster_with(const char *word, char letter)
{
    return word[0] == '-' && word[1] != '-' && strchr(word, letter) != NULL;
}

/* With -e the pattern is an option, and with --files there is none: every operand is a file. */
static enum safety_operands effective_operands(const char *const *argv,
                                               const struct safety_program *program)
{
    enum safety_operands operands =
        program->operands & ~(unsigned)(CLUSTERS_FIRST | CLUSTERS_APART);
    if (operands != OPERANDS_PATTERN_PATHS)
        return operands;
    for (size_t i = 1; argv[i] != NULL; i++)
        if (is_cluster_with(argv[i], 'e') || strncmp(argv[i], "--regexp", 8) == 0 ||
            strcmp(argv[i], "--files") == 0 || strcmp(argv[i], "--type-list") == 0)
            return OPERANDS_PATHS;
    return OPERANDS_PATTERN_PATHS;
}

/* Stores the number of operands. */
static bool words_are_safe(const struct safety_program *program, const struct safety_words *words,
                           size_t *count)
{
    const char *const *argv = words->argv;
    size_t operand = 0;
    enum safety_operands operands = effective_operands(argv, program);
    bool options = operands != OPERANDS_WORDS;
    for (size_t i = 1; argv[i] != NULL; i++) {
        const char *word = argv[i];
        bool taken = false;
        if (options && strcmp(word, "--") == 0) {
            options = false;
            continue;
        }
        if (!options || word[0] != '-' || word[1] == '\0') {
            if (!operand_is_safe(words, i, operand++, operands))
                return false;
            continue;
        }
        if (safety_path_is_pattern(words, i))
            return false;
        if (strncmp(word, "--", 2) != 0) {
            if (!short_options_are_safe(word + 1, program, &taken))
                return false;
        } else if (!long_option_is_safe(word + 2, program->longs)) {
            taken = long_option_takes_next(word + 2, program->longs);
            if (!taken)
                return false;
        }
        if (taken && (argv[++i] == NULL || safety_path_is_pattern(words, i)))
            return false;
    }
    *count = operand;
    return true;
}

bool safety_programs_words(const struct safety_program *program, const struct safety_words *words)
{
    size_t count;
    return words_are_safe(program, words, &count);
}

/* Words that are patterns stand for any number of operands. Where options end with the first
 * operand, what follows it is the next one, whatever it looks like. */
static bool has_few_operands(const char *name, const struct safety_words *words, size_t count)
{
    bool few = false, option = false;
    for (size_t i = 0; i < COUNT(few_operands); i++)
        few = few || strcmp(few_operands[i], name) == 0;
    for (size_t i = 1; few && words->argv[i] != NULL; i++) {
        option = words->argv[i][0] == '-' && words->argv[i][1] != '\0';
        if (safety_path_is_pattern(words, i))
            return false;
    }
    return !few || count == 0 || (count == 1 && !option);
}

/* What ps does not understand in one word makes it read all of them as the older ps did, to which
 * an "e" is to show environments. */
static bool shows_environments(const char *name, const struct safety_words *words)
{
    static const char letters[] = "aAefFljw";
    bool every = false, strange = false;
    if (strcmp(name, "ps") != 0)
        return false;
    for (size_t i = 1; words->argv[i] != NULL; i++)
        if (strcasestr(words->argv[i], "env") != NULL) /* a column */
            return true;
    for (size_t i = 1; words->argv[i] != NULL; i++) {
        const char *word = words->argv[i], *rest = word + (*word == '-');
        if (strncmp(word, "--", 2) == 0)
            continue;
        every = every || (*word == '-' && strchr(word, 'e') != NULL);
        rest += *word == '-' ? strspn(rest, letters) : strspn(rest, "0123456789,");
        bool valued = *word == '-' && (strcmp(rest, "o") == 0 || strcmp(rest, "p") == 0);
        strange = strange || (*rest != '\0' && !valued);
        i += valued && words->argv[i + 1] != NULL;
    }
    return every && strange;
}

/* What the GNU binary tools read their words from: @FILE. */
static bool names_response_file(const char *name, const struct safety_words *words)
{
    for (size_t i = 1; strcmp(name, "strings") == 0 && words->argv[i] != NULL; i++)
        if (words->argv[i][0] == '@')
            return true;
    return false;
}

bool safety_programs_judge(const char *name, const struct safety_words *words)
{
    static const struct {
        const char *name;
        bool (*judge)(const struct safety_words *words);
    } languages[] = {
        {"[", safety_language_test},          {"awk", safety_language_awk},
        {"command", safety_language_command}, {"find", safety_language_find},
        {"gawk", safety_language_awk},        {"git", safety_git_judge},
        {"jq", safety_language_jq},           {"mawk", safety_language_awk},
        {"sed", safety_language_sed},         {"test", safety_language_test},
        {"xxd", safety_language_xxd},
    };
    if (safety_help_judge(name, words))
        return true;
    for (size_t i = 0; i < COUNT(languages); i++)
        if (strcmp(languages[i].name, name) == 0)
            return languages[i].judge(words);
    const struct safety_program *known = safety_programs_find(programs, COUNT(programs), name);
    size_t count;
    return known != NULL && words_are_safe(known, words, &count) &&
           has_few_operands(name, words, count) && !shows_environments(name, words) &&
           !names_response_file(name, words);
}
