/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_program.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* git-config(1); a key of NULL stands for any. */
static const struct {
    const char *section, *key;
} PROGRAMS[] = {
    {"browser", "cmd"},
    {"browser", "path"},
    {"core", "sshcommand"},
    {"core", "askpass"},
    {"core", "editor"},
    {"core", "pager"},
    {"core", "gitproxy"},
    {"core", "alternaterefscommand"},
    {"core", "fsmonitor"},
    {"credential", "helper"},
    {"diff", "external"},
    {"diff", "command"},
    {"diff", "textconv"},
    {"difftool", "cmd"},
    {"difftool", "path"},
    {"filter", "clean"},
    {"filter", "smudge"},
    {"filter", "process"},
    {"gc", "recentobjectshook"},
    {"gpg", "program"},
    {"gpg", "defaultkeycommand"},
    {"guitool", "cmd"},
    {"hook", "command"},
    {"imap", "tunnel"},
    {"interactive", "difffilter"},
    {"lfs", "clean"},
    {"lfs", "path"},
    {"lfs", "smudge"},
    {"man", "cmd"},
    {"man", "path"},
    {"merge", "driver"},
    {"mergetool", "cmd"},
    {"mergetool", "path"},
    {"pager", NULL},
    {"receive", "procreceiverefs"},
    {"remote", "receivepack"},
    {"remote", "uploadpack"},
    {"sendemail", "cccmd"},
    {"sendemail", "headercmd"},
    {"sendemail", "sendmailcmd"},
    {"sendemail", "smtpserver"},
    {"sendemail", "tocmd"},
    {"sequence", "editor"},
    {"submodule", "update"},
    {"tar", "command"},
    {"trailer", "cmd"},
    {"trailer", "command"},
    {"uploadpack", "packobjectshook"},
};

bool git_program_is_named(const char *section, const char *key, const char *value)
{
    if (strcasecmp(section, "submodule") == 0 && value[0] != '!') /* one of git's own ways */
        return false;
    for (size_t i = 0; i < sizeof PROGRAMS / sizeof *PROGRAMS; i++)
        if (strcasecmp(section, PROGRAMS[i].section) == 0 &&
            (!PROGRAMS[i].key || strcasecmp(key, PROGRAMS[i].key) == 0))
            return true;
    return false;
}

/* ---- words ------------------------------------------------------------------------------ */

#define BETWEEN_COMMANDS ";|&(`\n"
#define BETWEEN_WORDS " \t\r<>){}!" BETWEEN_COMMANDS

/* Reads one as a shell would, but for what it would put in. */
static void read_word(const char **at, char word[PATH_MAX])
{
    size_t length = 0;
    char quote = '\0';
    for (; **at && (quote || !strchr(BETWEEN_WORDS, **at)); ++*at) {
        char byte = **at;
        if (quote ? byte == quote : byte == '"' || byte == '\'') {
            quote = quote ? '\0' : byte;
            continue;
        }
        if (byte == '\\' && quote != '\'' && (*at)[1])
            byte = *++*at;
        if (length + 1 < PATH_MAX)
            word[length++] = byte;
    }
    word[length] = '\0';
}

/* "--file=x", "X=x": what is behind the sign. Returns whether that was there. */
static bool keep_value(char word[PATH_MAX])
{
    const char *value = strchr(word, '=');
    if (value)
        memmove(word, value + 1, strlen(value + 1) + 1);
    return value != NULL;
}

/* "$PWD/x"; and of "$(git rev-parse --show-toplevel)/x", "${PWD}/x" what follows the bracket. */
static const char *rest_of(const char *word, char before)
{
    if (word[0] == '$')
        return strchr(word, '/');
    return word[0] == '/' && before && strchr(")}`", before) ? word : NULL;
}

bool git_program_next_word(struct git_program_words *words, char word[PATH_MAX], bool *program)
{
    char before = '\0';
    for (; *words->at && strchr(BETWEEN_WORDS, *words->at); words->at++) {
        before = *words->at;
        if (strchr(BETWEEN_COMMANDS, before))
            words->has_program = false;
    }
    if (!*words->at)
        return false;
    read_word(&words->at, word);
    *program = !keep_value(word) && !words->has_program;
    words->has_program = words->has_program || *program;
    words->rest = rest_of(word, before);
    return true;
}

bool git_program_is_command(const char *word)
{
    return strpbrk(word, BETWEEN_WORDS) != NULL;
}
