/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/handover.h"

#include <string.h>

#include "command/wrapper.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

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
    {"curl", "", "oOK", "--output --config"},
    {"fd", "", "xX", "--exec --exec-batch"},
    {"find", "", "", "-exec -execdir -ok -okdir -delete -fls -fprint -fprint0 -fprintf"},
    {"gdb", "", "x", "--command --eval-command -ex -ix -iex"},
    {"gh", "api", "XfF", "--method --field --raw-field --input"}, /* what changes something there */
    {"git", "branch", "", "--edit-description"},
    {"git", "clone", "uc", "--upload-pack --config --template"},
    {"git", "commit", "", "--template"},
    {"git", "diff", "", "--ext-diff --textconv --output --no-index"},
    {"git", "fetch", "", "--upload-pack"},
    {"git", "grep", "O", "--open-files-in-pager --textconv"},
    {"git", "log", "", "--ext-diff --textconv --output"},
    {"git", "ls-remote", "", "--upload-pack --exec"},
    {"git", "pull", "", "--upload-pack --exec"},
    {"git", "push", "", "--receive-pack --exec"},
    {"git", "rebase", "xi", "--exec --interactive"},
    {"git", "show", "", "--ext-diff --textconv --output"},
    {"go", "", "", "-exec -toolexec -vettool -overlay"},
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
    {"tree", "", "o", ""},
    {"vi", "", "cSsuw", "--cmd"},
    {"vim", "", "cSsuw", "--cmd"},
    {"wget", "", "Oe", "--output-document --execute --use-askpass --post-file"},
    {"xxd", "", "r", ""},
    {"yarn", "", "", "--cwd --script-shell"},
    {"zip", "", "T", "--unzip-command -TT"},
};

/* Does `word` begin an option of the list, also shortened? Two letters are no shortening. */
static bool names_long(const char *word, const char *options)
{
    size_t length = strcspn(word, "=");
    for (const char *at = options; *at != '\0'; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        bool dashes = at[0] == '-' && at[1] == '-';
        if (size == length && memcmp(at, word, length) == 0)
            return true;
        if (dashes && length > 3 && length < size && memcmp(at, word, length) == 0)
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

/* Programs whose first operand is a script that can run and write by itself. */
static const char *script_that_acts(const char *program, const char *const *argv, size_t covered)
{
    bool sed = strcmp(program, "sed") == 0, next = false;
    if (!sed && strcmp(program, "awk") != 0 && strcmp(program, "gawk") != 0 &&
        strcmp(program, "mawk") != 0)
        return NULL;
    for (size_t i = 1; argv[i] != NULL; i++) {
        bool expression = strncmp(argv[i], "-e", 2) == 0 || strncmp(argv[i], "--e", 3) == 0;
        if (argv[i][0] == '-' && !next) {
            next = expression && argv[i][2] == '\0';
            if (expression && !next && i >= covered)
                return argv[i];
            continue;
        }
        bool acts = sed ? !sed_is_harmless(argv[i])
                        : strpbrk(argv[i], "|>@") != NULL || strstr(argv[i], "system") != NULL ||
                              strstr(argv[i], "getline") != NULL;
        if (acts && i >= covered)
            return argv[i];
        if (!next)
            return NULL; /* what follows are files */
        next = false;
    }
    return NULL;
}

const char *handover_find(const char *const *argv, size_t covered)
{
    const char *program = wrapper_basename(argv[0]);
    size_t count = 0;
    while (argv[count] != NULL)
        count++;
    const char *subcommand = wrapper_subcommand(argv, count);
    if (strcmp(program, "git") == 0 && git_before_subcommand(argv, covered) != NULL)
        return argv[1];
    for (size_t i = 0; i < COUNT(handovers); i++) {
        const struct handover *handover = &handovers[i];
        if (strcmp(handover->program, program) != 0 ||
            (*handover->subcommand != '\0' && strcmp(handover->subcommand, subcommand) != 0))
            continue;
        for (size_t j = covered; j < count && strcmp(argv[j], "--") != 0; j++)
            if (hands_over(handover, argv[j]))
                return argv[j];
    }
    return script_that_acts(program, argv, covered);
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
