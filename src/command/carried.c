/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/carried.h"

#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"
#include "command/wrapper.h"

enum form {
    WORDS,  /* the words behind it are the command */
    SCRIPT, /* a shell reads what stands there */
    VALUE,  /* NAME=SCRIPT */
    CONFIG, /* NAME=SCRIPT or NAME=!SCRIPT, in front of the subcommand */
    ASSIGN, /* the word itself is NAME=SCRIPT; the option is the NAME= */
    MACRO,  /* the same of any name, where a script is likely: CC='rm -rf x' */
    EDITOR, /* a line for an editor, in which a shell reads what stands behind a !, in system()
               or behind a word for it */
    RECIPE, /* rules of a makefile: a shell reads what stands behind the first ; or line */
};

/* One line each: the program, its subcommands ("" for any), and the options behind which the
 * command stands. Without options it is what follows the subcommand's own options, of which
 * `letters` take the next word; with SCRIPT joined by spaces, as the program does it. */
static const struct carrier {
    const char *program, *subcommands, *options, *letters;
    enum form form;
} carriers[] = {
    {"adb", "shell", "", "", SCRIPT},
    {"ansible", "", "-a --args", "", SCRIPT},
    {"aria2c", "",
     "--on-bt-download-complete --on-download-complete --on-download-error --on-download-pause "
     "--on-download-start --on-download-stop",
     "", SCRIPT},
    {"asdf", "exec", "", "", WORDS},
    {"bmake", "", "", "", MACRO},
    {"buildah", "unshare", "", "", WORDS},
    {"cargo", "watch", "-s --shell", "", SCRIPT},
    {"compgen", "", "-C", "", SCRIPT},
    {"complete", "", "-C", "", SCRIPT},
    {"conda", "run", "", "np", WORDS},
    {"configure", "", "", "", MACRO},
    {"dc", "", "-e --expression", "", EDITOR},
    {"entr", "", "", "", SCRIPT},
    {"ex", "", "-c --cmd +", "", EDITOR},
    {"fd", "", "-x -X --exec --exec-batch", "", WORDS},
    {"fdfind", "", "-x -X --exec --exec-batch", "", WORDS},
    {"find", "", "-exec -execdir -ok -okdir", "", WORDS},
    {"git", "", "-c", "", CONFIG},
    {"git", "bisect", "run", "", WORDS},
    {"git", "clone fetch ls-remote pull", "-u --upload-pack --exec", "", SCRIPT},
    {"git", "difftool", "-x --extcmd", "", SCRIPT},
    {"git", "push", "--receive-pack --exec", "", SCRIPT},
    {"git", "rebase", "-x --exec", "", SCRIPT},
    {"git", "submodule", "foreach", "", SCRIPT},
    {"gdb", "", "-ex --ex -iex --eval-command --init-eval-command", "", EDITOR},
    {"gmake", "", "--eval -E", "", RECIPE},
    {"gmake", "", "SHELL=", "", ASSIGN},
    {"gmake", "", "", "", MACRO},
    {"gvim", "", "-c --cmd +", "", EDITOR},
    {"just", "", "", "", MACRO},
    {"lerna", "exec", "", "", WORDS},
    {"lldb", "", "-o -O --one-line --one-line-before-file", "", EDITOR},
    {"make", "", "--eval -E", "", RECIPE},
    {"make", "", "SHELL=", "", ASSIGN},
    {"make", "", "", "", MACRO},
    {"mamba", "run", "", "np", WORDS},
    {"man", "", "-P --pager", "", SCRIPT},
    {"mapfile", "", "-C", "", SCRIPT},
    {"mariadb", "", "-e --execute", "", EDITOR},
    {"micromamba", "run", "", "np", WORDS},
    {"mysql", "", "-e --execute", "", EDITOR},
    {"nix", "develop shell", "-c --command", "", WORDS},
    {"nix-shell", "", "--command --run", "", SCRIPT},
    {"nodemon", "", "-x --exec", "", SCRIPT},
    {"nvim", "", "-c --cmd +", "", EDITOR},
    {"parallel", "", "", "jSNnLsIaPEdC", SCRIPT},
    {"podman", "unshare", "", "", WORDS},
    {"psql", "", "-c --command", "", EDITOR},
    {"pyenv", "exec", "", "", WORDS},
    {"rbenv", "exec", "", "", WORDS},
    {"rake", "", "", "", MACRO},
    {"readarray", "", "-C", "", SCRIPT},
    {"remake", "", "", "", MACRO},
    {"rg", "", "--pre --hostname-bin", "", SCRIPT},
    {"rsync", "", "-e --rsh", "", SCRIPT},
    {"scons", "", "", "", MACRO},
    {"screen", "", "", "cehpsStTrRx", WORDS},
    {"set", "", "--", "", WORDS}, /* for "$@" */
    {"sort", "", "--compress-program", "", SCRIPT},
    {"split", "", "--filter", "", SCRIPT},
    {"sqlite3", "", "-cmd .shell .system", "", EDITOR},
    {"ssh", "", "-o", "", VALUE},
    {"tar", "", "--checkpoint-action", "", VALUE},
    {"tar", "", "-I --to-command --use-compress-program --rsh-command", "", SCRIPT},
    {"tmux",
     "new new-session neww new-window splitw split-window respawnp respawn-pane respawnw "
     "respawn-window run run-shell if if-shell popup display-popup send send-keys",
     "", "ceFnstxyl", SCRIPT},
    {"trap", "", "", "", SCRIPT},
    {"vagrant", "ssh", "-c --command", "", SCRIPT},
    {"vi", "", "-c --cmd +", "", EDITOR},
    {"vim", "", "-c --cmd +", "", EDITOR},
    {"waf", "", "", "", MACRO},
    {"watchexec", "", "", "wefdiosnE", SCRIPT},
    {"yarn", "exec", "", "", WORDS},
    {"youtube-dl", "", "--exec", "", SCRIPT},
    {"yt-dlp", "", "--exec", "", SCRIPT},
    {"zip", "", "-TT --unzip-command", "", SCRIPT},
};

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_listed(const char *word, const char *list)
{
    size_t length = strlen(word);
    for (; *list != '\0'; list += strspn(list, " ")) {
        size_t width = strcspn(list, " ");
        if (width == length && memcmp(list, word, length) == 0)
            return true;
        list += width;
    }
    return false;
}

/* Is the word this option? *value is what is attached to it, or NULL: --exec=CMD, -xCMD, -ix, a
 * long one cut short, and of what is no option NAME=CMD, +CMD. */
static bool is_option(const char *word, const char *option, size_t length, const char **value)
{
    *value = NULL;
    if (strncmp(word, option, length) == 0) {
        const char *rest = word + length;
        bool letter = option[0] != '-' || length == 2;
        if (*rest != '\0' && !letter && *rest != '=')
            return false;
        *value = *rest == '\0' ? NULL : rest + (*rest == '=');
        return true;
    }
    size_t end = strlen(word), width = strcspn(word, "=");
    if (width > 2 && width < length && strncmp(word, "--", 2) == 0 &&
        strncmp(option, word, width) == 0) {
        *value = word[width] == '=' ? word + width + 1 : NULL;
        return true;
    }
    return length == 2 && option[0] == '-' && end > 2 && word[0] == '-' && word[1] != '-' &&
           word[end - 1] == option[1];
}

static bool has_option(const char *word, const char *options, const char **value)
{
    for (; *options != '\0'; options += strspn(options, " ")) {
        size_t length = strcspn(options, " ");
        if (is_option(word, options, length, value))
            return true;
        options += length;
    }
    return false;
}

/* The first word at or behind `at` that is no option, nor the value of one of these letters. */
static size_t skip_options(const char *const *words, size_t count, size_t at, const char *letters)
{
    for (; at < count && words[at][0] == '-'; at++) {
        if (strcmp(words[at], "--") == 0)
            return at + 1;
        const char *last = words[at] + strlen(words[at]) - 1;
        at += words[at][1] != '-' && words[at][1] != '\0' && strchr(letters, *last) != NULL;
    }
    return at;
}

static char *join(const char *const *words, size_t count)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < count; i++)
        strbuf_addf(&text, "%s%s", i > 0 ? " " : "", words[i]);
    return strbuf_steal(&text);
}

/* ---- one of them ----------------------------------------------------------------------------- */

static bool take_script(struct carried *carried, const char *script)
{
    if (script == NULL)
        return false;
    carried->script = xstrdup(script);
    return true;
}

/* Up to the ; or {} + that ends it for find. */
static bool take_words(const char *const *words, size_t count, struct carried *carried)
{
    size_t end = 0;
    while (end < count && strcmp(words[end], ";") != 0 &&
           !(strcmp(words[end], "+") == 0 && end > 0 && strcmp(words[end - 1], "{}") == 0))
        end++;
    *carried = (struct carried){.words = words, .count = end};
    return end > 0;
}

/* What stands behind words[at], or is attached to it. */
static bool take(const struct carrier *carrier, const char *const *words, size_t count, size_t at,
                 const char *value, struct carried *carried)
{
    bool option = carrier->options[0] == '-';
    size_t first = option ? at + 1 : skip_options(words, count, at + 1, carrier->letters);
    if (value == NULL && first < count && carrier->form == VALUE)
        value = words[first];
    if (carrier->form == VALUE && value != NULL)
        value = strchr(value, '=');
    if (value != NULL)
        return take_script(carried, value + (carrier->form == VALUE));
    if (first >= count || carrier->form == VALUE)
        return false;
    if (carrier->form == WORDS)
        return take_words(words + first, count - first, carried);
    /* Of an option and of trap it is one word. */
    if (option || strcmp(carrier->program, "trap") == 0)
        return take_script(carried, words[first]);
    carried->script = join(words + first, count - first);
    return true;
}

/* git -c alias.x='!rm -rf y' x; without the mark it is a subcommand of git's. */
static bool take_setting(const char *const *words, size_t count, size_t at, const char *value,
                         struct carried *carried)
{
    if (value == NULL && at + 1 < count)
        value = words[at + 1];
    const char *equals = value != NULL ? strchr(value, '=') : NULL;
    if (equals == NULL)
        return false;
    if (strncasecmp(value, "alias.", 6) == 0 && equals[1] != '!') {
        carried->script = xasprintf("git %s", equals + 1);
        return true;
    }
    return take_script(carried, equals + 1 + (equals[1] == '!'));
}

/* What stands behind one of these in a line: `shell rm -rf x`. NULL: none does. */
static const char *behind_word(const char *line)
{
    static const char *const marks[] = {"shell ", "system ", ".shell ", ".system "};
    for (size_t i = 0; i < COUNT(marks); i++) {
        const char *found = strstr(line, marks[i]);
        if (found != NULL && (found == line || strchr(" ;:", found[-1]) != NULL))
            return found + strlen(marks[i]);
    }
    return NULL;
}

const char *carried_in_line(const char *line)
{
    const char *mark = strchr(line, '!');
    return mark != NULL ? mark + 1 : behind_word(line);
}

/* :call system("rm -rf x"): what stands in the first quotes behind the bracket. */
static bool take_called(struct carried *carried, const char *line)
{
    const char *call = strstr(line, "system(");
    const char *quote = call != NULL ? strpbrk(call, "\"'") : NULL;
    if (quote == NULL)
        return false;
    const char *end = strchr(quote + 1, *quote);
    carried->script =
        xstrndup(quote + 1, end != NULL ? (size_t)(end - quote) - 1 : strlen(quote + 1));
    return true;
}

/* :silent !rm -rf x, %!sort; `.shell rm x` comes as a word of its own. */
static bool take_line(const char *const *words, size_t count, size_t at, const char *value,
                      struct carried *carried)
{
    if (words[at][0] == '.')
        value = words[at];
    else if (value == NULL && at + 1 < count && words[at][0] == '-')
        value = words[at + 1];
    if (value == NULL)
        return false;
    return take_script(carried, carried_in_line(value)) || take_called(carried, value);
}

/* x:;rm -rf y */
static bool take_recipe(const char *const *words, size_t count, size_t at, const char *value,
                        struct carried *carried)
{
    if (value == NULL && at + 1 < count)
        value = words[at + 1];
    const char *mark = value != NULL ? strpbrk(value, ";\n") : NULL;
    return mark != NULL && take_script(carried, mark + 1);
}

/* Does a value begin with a word and go on with others, as a command does and options do not? */
static bool is_like_command(const char *value)
{
    size_t name = strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./~+@%-");
    return name > 0 && *value != '-' && value[name] != '\0' &&
           strchr(" \t;&|", value[name]) != NULL;
}

static bool has_substitution(const char *value)
{
    return strstr(value, "$(") != NULL || strstr(value, "${") != NULL || strchr(value, '`') != NULL;
}

/* Up to the first quote that does not close: sentences have them, and behind one nothing is run. */
static size_t closed_length(const char *value)
{
    for (const char *at = value; *at != '\0'; at++) {
        const char *close = *at == '\'' || *at == '"' ? strchr(at + 1, *at) : at;
        if (close == NULL)
            return (size_t)(at - value);
        at = close;
    }
    return strlen(value);
}

/* As a shell reads it, $(shell CMD) and ${shell CMD} are $(CMD). */
static char *without_shell(const char *value)
{
    static const char *const forms[] = {"$(shell ", "${shell "};
    struct strbuf text = STRBUF_INIT;
    bool brace = false;
    for (const char *at = value; *at != '\0'; at++) {
        size_t width = strlen(forms[0]);
        bool opens = strncmp(at, forms[0], width) == 0;
        bool braces = strncmp(at, forms[1], width) == 0;
        if (opens || braces) {
            strbuf_addstr(&text, "$(");
            at += width - 1;
            brace = brace || braces;
        } else if (brace && *at == '}') {
            strbuf_addch(&text, ')');
            brace = false;
        } else {
            strbuf_addch(&text, *at);
        }
    }
    return strbuf_steal(&text);
}

/* NAME=VALUE, NAME:=VALUE, NAME!=COMMAND … on the command line of a build. */
static bool take_macro(struct carried *carried, const char *word)
{
    size_t name = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
    size_t sign = strspn(word + name, ":+?!");
    const char *value = word + name + sign + 1;
    if (name == 0 || *word == '-' || word[name + sign] != '=')
        return false;
    bool runs = memchr(word + name, '!', sign) != NULL || is_like_command(value);
    if (!runs && !has_substitution(value))
        return false;
    cleanup_free char *closed = xstrndup(value, closed_length(value));
    cleanup_free char *script = without_shell(closed);
    carried->script = runs ? steal_pointer(&script) : xasprintf(": %s", script);
    return true;
}

static bool take_at(const struct carrier *carrier, const char *const *words, size_t count,
                    size_t at, size_t subcommand, struct carried *carried)
{
    const char *value = NULL;
    *carried = (struct carried){.words = NULL};
    carried->setting = carrier->form == CONFIG || carrier->form == MACRO;
    if (carrier->form == MACRO)
        return at > 0 && take_macro(carried, words[at]);
    if (carried->setting)
        return at > 0 && at < subcommand && has_option(words[at], carrier->options, &value) &&
               take_setting(words, count, at, value, carried);
    if (carrier->subcommands[0] != '\0' &&
        (subcommand == count || !is_listed(words[subcommand], carrier->subcommands)))
        return false;
    size_t own = carrier->subcommands[0] != '\0' ? subcommand : 0;
    if (carrier->options[0] == '\0')
        return at == own && take(carrier, words, count, at, NULL, carried);
    if (at <= own || !has_option(words[at], carrier->options, &value))
        return false;
    if (carrier->form == EDITOR)
        return take_line(words, count, at, value, carried);
    if (carrier->form == RECIPE)
        return take_recipe(words, count, at, value, carried);
    if (carrier->form == ASSIGN)
        return take_script(carried, value);
    return take(carrier, words, count, at, value, carried);
}

bool carried_next(const char *const *words, size_t count, size_t *at, struct carried *carried)
{
    const char *program = count > 0 ? wrapper_basename(words[0]) : "";
    size_t subcommand = count > 0 ? wrapper_subcommand_index(words, count) : 0;
    for (; *at < count; ++*at)
        for (size_t i = 0; i < COUNT(carriers); i++)
            if (strcmp(carriers[i].program, program) == 0 &&
                take_at(&carriers[i], words, count, *at, subcommand, carried)) {
                *at += 1 + carried->count;
                return true;
            }
    return false;
}

const char *carried_in_variable(const char *assignment)
{
    static const char *const names[] = {"AR",
                                        "AS",
                                        "CC",
                                        "CPP",
                                        "CXX",
                                        "FC",
                                        "LD",
                                        "LEX",
                                        "RM",
                                        "YACC",
                                        "BROWSER",
                                        "EDITOR",
                                        "GIT_ASKPASS",
                                        "GIT_EDITOR",
                                        "GIT_EXTERNAL_DIFF",
                                        "GIT_PAGER",
                                        "GIT_PROXY_COMMAND",
                                        "GIT_SEQUENCE_EDITOR",
                                        "GIT_SSH",
                                        "GIT_SSH_COMMAND",
                                        "LESSCLOSE",
                                        "LESSOPEN",
                                        "MANPAGER",
                                        "PAGER",
                                        "PROMPT_COMMAND",
                                        "RSYNC_RSH",
                                        "SSH_ASKPASS",
                                        "SUDO_ASKPASS",
                                        "SYSTEMD_PAGER",
                                        "VISUAL"};
    const char *equals = strchr(assignment, '=');
    for (size_t i = 0; equals != NULL && i < COUNT(names); i++)
        if (strlen(names[i]) == (size_t)(equals - assignment) &&
            memcmp(names[i], assignment, strlen(names[i])) == 0)
            return equals + 1 + strspn(equals + 1, "| ");
    return NULL;
}
