/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/handover.h"

#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "command/wrapper.h"

/* One line each: the program, its subcommand ("" for any), and the options of which the value, or
 * what follows, is run or written to. Single-dash words of several letters stand as they are. */
static const struct handover {
    const char *program;
    const char *subcommand;
    const char *letters;
    const char *options; /* separated by spaces */
} handovers[] = {
    {"ag", "", "", "--pager"},
    {"awk", "", "fiE", "--file --exec --include --load"},
    {"gawk", "", "fiE", "--file --exec --include --load"},
    {"base64", "", "o", "--output"},
    {"bat", "", "", "--pager"},
    {"cargo", "", "", "--config"},
    {"cmake", "", "", "-E -P"},
    {"curl", "", "oOKcDJ",
     "--output --config --cookie-jar --dump-header --etag-save --hsts --alt-svc --libcurl "
     "--output-dir --remote-header-name --remote-name --remote-name-all --stderr --trace "
     "--trace-ascii"},
    {"fd", "", "xX", "--exec --exec-batch"},
    {"find", "", "", "-exec -execdir -ok -okdir -delete -fls -fprint -fprint0 -fprintf"},
    {"gdb", "", "x", "--command --eval-command -ex -ix -iex"},
    {"gh", "api", "XfF", "--method --field --raw-field --input"}, /* what changes something there */
    {"git", "", "", "--ext-diff --textconv --output"},
    {"git", "branch", "", "--edit-description"},
    {"git", "clone", "uc", "--upload-pack --config --template"},
    {"git", "commit", "", "--template"},
    {"git", "diff", "", "--no-index"},
    {"git", "fetch", "", "--upload-pack"},
    {"git", "grep", "O", "--open-files-in-pager"},
    {"git", "init", "", "--template --separate-git-dir"},
    {"git", "ls-remote", "", "--upload-pack --exec"},
    {"git", "pull", "", "--upload-pack --exec"},
    {"git", "push", "", "--receive-pack --exec"},
    {"git", "rebase", "xi", "--exec --interactive"},
    {"go", "", "", "-exec -toolexec -vettool -overlay"},
    {"go", "env", "", "-u -w"},
    {"less", "", "kojJ", "--log-file --LOG-FILE --lesskey-file --lesskey-src"},
    {"make", "", "fI", "--file --makefile --eval --include-dir"},
    {"man", "", "PHE", "--pager --html --preprocessor"},
    {"npm", "", "", "--script-shell --prefix --userconfig --globalconfig --node-options"},
    {"pnpm", "", "", "--script-shell --prefix --shell-emulator"},
    {"rg", "", "z", "--pre --hostname-bin --search-zip"},
    {"rsync", "", "e", "--rsh --rsync-path"},
    {"sed", "", "fi", "--file --in-place"},
    {"sort", "", "oT", "--output --compress-program --temporary-directory --files0-from"},
    {"split", "", "", "--filter"},
    {"ssh", "", "oFE", ""},
    {"tar", "", "IF",
     "--use-compress-program --to-command --checkpoint-action --rsh-command --info-script "
     "--new-volume-script --rmt-command"},
    {"tree", "", "oR", ""},
    {"vi", "", "cSsuw", "--cmd"},
    {"vim", "", "cSsuw", "--cmd"},
    {"wget", "", "Oe", "--output-document --execute --use-askpass --post-file"},
    {"xxd", "", "r", ""},
    {"yarn", "", "", "--cwd --script-shell"},
    {"zip", "", "T", "--unzip-command -TT"},
};

/* Does `word` begin an option of the list, also shortened, down to one letter? What has one dash
 * there may have two. */
static bool names_long(const char *word, const char *options)
{
    size_t length = strcspn(word, "=");
    for (const char *at = options; *at != '\0'; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        bool dashes = at[0] == '-' && at[1] == '-';
        if (size == length && memcmp(at, word, length) == 0)
            return true;
        if (!dashes && size + 1 == length && size > 2 && memcmp(at, word + 1, size) == 0)
            return true;
        if (dashes && length > 2 && length < size && memcmp(at, word, length) == 0)
            return true;
        at += size;
    }
    return false;
}

static bool names_letter(const char *word, const char *letters)
{
    for (word++; *word != '\0'; word++)
        if (strchr(letters, *word) != NULL)
            return true;
    return false;
}

static bool hands_over(const struct handover *handover, const char *word)
{
    if (word[0] != '-' || word[1] == '\0')
        return false;
    return names_long(word, handover->options) ||
           (word[1] != '-' && names_letter(word, handover->letters));
}

/* Options between git and its subcommand say where its configuration comes from. */
static const char *git_before_subcommand(const char *const *argv, size_t covered)
{
    bool before = covered == 1 && argv[1] != NULL && argv[1][0] == '-';
    return before ? argv[1] : NULL;
}

/* The end of a sed address (a number, $, /pattern/), or NULL when it is none. */
static const char *sed_address(const char *at)
{
    if (*at == '$')
        return at + 1;
    if (*at >= '0' && *at <= '9')
        return at + strspn(at, "0123456789");
    if (*at != '/')
        return NULL;
    for (at++; *at != '/'; at++)
        if (*at == '\\' ? *++at == '\0' : *at == '\0' || *at == '[' || *at == '\n')
            return NULL;
    return at + 1;
}

/* s/…/…/ whose flags neither run nor write: the end of it, or NULL. */
static const char *sed_substitution(const char *at)
{
    char mark = at[1];
    unsigned parts = 0;
    if (mark == '\0' || mark == '\\' || mark == '\n' || mark == '[')
        return NULL;
    for (at += 2; parts < 2; at++) {
        if (*at == '\0' || (*at == '\\' && *++at == '\0') || *at == '[')
            return NULL;
        parts += *at == mark && at[-1] != '\\';
    }
    return at + strspn(at, "gpiI0123456789");
}

/* Known commands of sed that only print, delete and replace; anything else may write or run. */
static bool sed_is_harmless(const char *script)
{
    const char *at = script;
    for (;;) {
        at += strspn(at, " ;\n");
        if (*at == '\0')
            return true;
        const char *end = sed_address(at);
        if (end != NULL && *end == ',')
            end = sed_address(end + 1);
        else if (end == NULL)
            end = at;
        if (end == NULL || *end == '\0')
            return false;
        at = *end == 's' ? sed_substitution(end) : strchr("pdq=", *end) != NULL ? end + 1 : NULL;
        if (at == NULL || (*at != '\0' && strchr(" ;\n", *at) == NULL))
            return false;
    }
}

static bool awk_is_harmless(const char *program)
{
    return strpbrk(program, "|>@") == NULL && strstr(program, "system") == NULL &&
           strstr(program, "getline") == NULL;
}

/* The script in the option at argv[i], or behind it: -e X, -neX, --expression=X; NULL when it has
 * none. Stores where it stands. */
static const char *script_of_option(const char *const *argv, size_t i, size_t *at)
{
    const char *word = argv[i];
    const char *end = word[1] == '-' ? word + strcspn(word, "=") : strchr(word, 'e');
    *at = i;
    if (end == NULL ||
        (word[1] == '-' && strncmp(word, "--e", 3) != 0 && strncmp(word, "--so", 4) != 0))
        return NULL;
    if (*end != '\0' && end[1] != '\0')
        return end + 1;
    *at = i + 1;
    return argv[i + 1];
}

/* Programs whose options and first operand are scripts that can run and write by themselves. sed
 * takes options behind operands as well: what seemed to be its script is a file then. */
static const char *script_that_acts(const char *program, const char *const *argv, size_t covered)
{
    bool sed = strcmp(program, "sed") == 0, operand = false, dashes = false;
    if (!sed && strcmp(program, "awk") != 0 && strcmp(program, "gawk") != 0 &&
        strcmp(program, "mawk") != 0)
        return NULL;
    for (size_t i = 1; argv[i] != NULL && (sed || !operand); i++) {
        bool option = !dashes && argv[i][0] == '-' && argv[i][1] != '\0';
        size_t at = i;
        const char *script = option ? script_of_option(argv, i, &at) : operand ? NULL : argv[i];
        if (script != NULL && at >= covered &&
            !(sed ? sed_is_harmless(script) : awk_is_harmless(script)))
            return script;
        dashes = dashes || strcmp(argv[i], "--") == 0;
        operand = operand || !option;
        i += script != NULL && at > i;
    }
    return NULL;
}

/* tmux begins another command behind a word that ends with a semicolon, and runs what stands in
 * #(…), all of it outside of the sandbox. */
static const char *tmux_command(const char *const *argv, size_t covered)
{
    for (size_t i = covered; argv[i] != NULL; i++) {
        size_t length = strlen(argv[i]);
        if ((length > 0 && argv[i][length - 1] == ';') || strstr(argv[i], "#(") != NULL)
            return argv[i];
    }
    return NULL;
}

/* Options where none belongs: `tar Ixf PROGRAM`, `node --check -r FILE`. */
static const char *stray_option(const char *program, const char *const *argv, size_t covered)
{
    if (strcmp(program, "tar") == 0 && covered == 1 && argv[1] != NULL && argv[1][0] != '-')
        return strpbrk(argv[1], "IF") != NULL ? argv[1] : NULL;
    bool checks =
        argv[1] != NULL && (strcmp(argv[1], "--check") == 0 || strcmp(argv[1], "-c") == 0);
    for (size_t i = covered; strcmp(program, "node") == 0 && checks && argv[i] != NULL; i++)
        if (argv[i][0] == '-')
            return argv[i];
    return NULL;
}

static const char *find_in_table(const char *program, const char *const *argv, size_t covered)
{
    size_t count = strv_length(argv);
    const char *subcommand = wrapper_subcommand(argv, count);
    bool git = strcmp(program, "git") == 0;
    for (size_t i = 0; i < COUNT(handovers); i++) {
        const struct handover *handover = &handovers[i];
        if (strcmp(handover->program, program) != 0 ||
            (*handover->subcommand != '\0' && strcmp(handover->subcommand, subcommand) != 0))
            continue;
        /* git's own subcommands call others, and take a "--" away on the way */
        for (size_t j = covered; j < count && (git || strcmp(argv[j], "--") != 0); j++)
            if (hands_over(handover, argv[j]))
                return argv[j];
    }
    return NULL;
}

const char *handover_find(const char *const *argv, size_t covered)
{
    size_t start = wrapper_skip(argv, strv_length(argv));
    if (argv[start] != NULL) {
        argv += start;
        covered = covered > start + 1 ? covered - start : 1;
    }
    const char *program = wrapper_basename(argv[0]);
    if (strcmp(program, "git") == 0 && git_before_subcommand(argv, covered) != NULL)
        return argv[1];
    const char *word = find_in_table(program, argv, covered);
    if (word == NULL && strcmp(program, "tmux") == 0)
        word = tmux_command(argv, covered);
    if (word == NULL)
        word = stray_option(program, argv, covered);
    return word != NULL ? word : script_that_acts(program, argv, covered);
}

bool handover_is_interpreter(const char *program)
{
    static const char *const names[] = {
        "ash",    "awk",        "bash",           "bun",      "busybox", "cmd.exe", "csh",
        "dash",   "deno",       "doas",           "docker",   "ed",      "emacs",   "env",
        "ex",     "expect",     "fish",           "gawk",     "gdb",     "git",     "groovy",
        "irb",    "java",       "julia",          "kubectl",  "ksh",     "ld.so",   "lua",
        "luajit", "m4",         "mawk",           "mksh",     "mysql",   "node",    "nodejs",
        "npx",    "nvim",       "osascript",      "parallel", "perl",    "php",     "pipx",
        "pkexec", "powershell", "powershell.exe", "pry",      "psql",    "pwsh",    "py",
        "pypy",   "python",     "pythonw",        "pyw",      "Rscript", "R",       "ruby",
        "rvim",   "scheme",     "screen",         "sh",       "socat",   "sqlite",  "ssh",
        "su",     "sudo",       "swift",          "tclsh",    "tmux",    "ts-node", "tsx",
        "uvx",    "vi",         "view",           "vim",      "wish",    "xargs",   "zsh",
    };
    const char *name = wrapper_basename(program);
    size_t length = strlen(name);
    while (length > 1 && strchr("0123456789.-", name[length - 1]) != NULL)
        length--;
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i], name) == 0 ||
            (strlen(names[i]) == length && memcmp(names[i], name, length) == 0))
            return true;
    return false;
}
