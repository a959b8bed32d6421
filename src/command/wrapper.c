/* SPDX-License-Identifier: MIT */
/*
 * Options are passed over by what the tables know of them: which take the next word as their
 * value. An option that is not known counts as one without, so that its value is taken for the
 * program: whoever warns then sees a program that it does not know.
 */
#include "config.h"

#include "command/wrapper.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"

enum trait {
    RAISES = 1,  /* gives other rights */
    ASSIGNS = 2, /* NAME=VALUE words may stand before the command */
    SHELL = 4,   /* joins what it runs and hands it to a shell */
    ADDS = 8,    /* what it runs is its script and all words behind that */
};

static const struct wrapper {
    const char *name;
    const char *subcommand; /* one of these words must follow; NULL for none */
    const char *letters;    /* short options that take the next word when nothing is attached */
    const char *options;    /* long options that do */
    const char *inert;      /* short options with which nothing is run */
    const char *script;     /* options whose value is read by a shell */
    size_t operands;        /* words of its own before the command */
    unsigned traits;
} wrappers[] = {
#include "command/wrapper_table.def"
};

/* Wrappers that run their command elsewhere: with one of these options, or always (NULL). A login
 * begins at home. */
static const struct mover {
    const char *name, *letters, *options;
} movers[] = {
    {"chroot", NULL, NULL},
    {"env", "C", "chdir"},
    {"mise", "C", "cd"},
    {"npm", "Cw", "prefix workspace workspaces"},
    {"nsenter", NULL, NULL},
    {"pnpm", "CFrw", "dir filter recursive workspace-root"},
    {"poetry", "CP", "directory project"},
    {"run0", NULL, NULL},
    {"runuser", "l", "login"},
    {"ssh", NULL, NULL},
    {"su", "l", "login"},
    {"sudo", "DRhi", "chdir chroot host login"},
    {"systemd-run", NULL, NULL},
    {"unshare", "Rw", "root wd"},
    {"uv", "", "directory"},
};

/* Shells, whose -c takes a script as an operand. */
static const char *const shells[] = {"ash", "bash", "dash", "fish", "ksh", "mksh", "sh", "zsh"};

/* Options in front of a subcommand that take the next word. */
static const struct program {
    const char *name;
    const char *letters;
    const char *options;
} programs[] = {
    {"bun", "", "cwd config filter"},
    {"bd", "", "db actor"},
    {"cargo", "CZ", "config color manifest-path"},
    {"docker", "Hcl", "context host config log-level"},
    {"gh", "R", "repo hostname"},
    {"git", "Cc", "git-dir work-tree namespace exec-path super-prefix config-env"},
    {"go", "C", ""},
    {"helm", "n", "namespace kube-context kubeconfig"},
    {"kubectl", "ns", "namespace context cluster kubeconfig user server token as"},
    {"mise", "CEj", "cd env jobs"},
    {"npm", "wC", "prefix workspace"},
    {"pnpm", "CF", "dir filter"},
    {"systemctl", "HMtp", "host machine type property"},
    {"tmux", "LSfc", ""},
    {"uv", "", "directory project"},
    {"yarn", "", "cwd"},
};

const char *wrapper_basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool is_assignment(const char *word)
{
    const char *at = word;
    while ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_' ||
           (*at >= '0' && *at <= '9'))
        at++;
    return at > word && *at == '=' && (*word < '0' || *word > '9');
}

/* Is the word one of those in the list, which are separated by spaces? */
static bool is_listed(const char *word, size_t length, const char *list)
{
    for (; *list != '\0'; list += strspn(list, " ")) {
        size_t width = strcspn(list, " ");
        if (width == length && memcmp(list, word, length) == 0)
            return true;
        list += width;
    }
    return false;
}

/* Does the option take the next word? A long one may be cut short. */
static bool takes_next(const char *word, const char *letters, const char *options)
{
    if (word[1] != '-') {
        for (const char *letter = word + 1; *letter != '\0'; letter++)
            if (strchr(letters, *letter) != NULL)
                return letter[1] == '\0';
        return false;
    }
    size_t length = strlen(word + 2);
    for (const char *option = options; *option != '\0'; option += strspn(option, " ")) {
        if (strncmp(option, word + 2, length) == 0)
            return true;
        option += strcspn(option, " ");
    }
    return false;
}

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0';
}

/* ---- wrappers -------------------------------------------------------------------------------- */

/* The words of a wrapper itself. */
struct own {
    size_t end;       /* index of what it runs; the number of words when nothing is run */
    size_t script_at; /* index of the word with the value of an option for a shell, 0 for none */
    const char *script;
};

static int compare_wrapper(const void *name, const void *wrapper)
{
    return strcmp(name, ((const struct wrapper *)wrapper)->name);
}

static const struct wrapper *find_wrapper(const char *word)
{
    return bsearch(wrapper_basename(word), wrappers, COUNT(wrappers), sizeof(wrappers[0]),
                   compare_wrapper);
}

/* Does a long option in the list begin so? */
static bool is_begun(const char *word, size_t length, const char *list)
{
    for (; *list != '\0'; list += strspn(list, " ")) {
        if (length > 2 && strncmp(list, word, length) == 0)
            return true;
        list += strcspn(list, " ");
    }
    return false;
}

/* Where the value of an option that a shell reads begins, -qcSCRIPT; 0 when it has none. A long one
 * may be cut short. */
static size_t script_width(const struct wrapper *wrapper, const char *word)
{
    size_t width = strcspn(word, "=");
    if (word[1] == '-')
        return is_begun(word, width, wrapper->script) ? width : 0;
    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        const char option[] = {'-', *letter};
        if (is_listed(option, sizeof(option), wrapper->script))
            return (size_t)(letter + 1 - word);
        if (strchr(wrapper->letters, *letter) != NULL)
            break;
    }
    return 0;
}

/* The value of the option at `at` when a shell reads it. */
static void note_script(const struct wrapper *wrapper, const char *const *words, size_t count,
                        size_t at, struct own *own)
{
    const char *word = words[at];
    size_t width = script_width(wrapper, word);
    if (own->script != NULL || width == 0)
        return;
    if (word[width] != '\0')
        own->script = word + width + (word[1] == '-');
    else if (at + 1 < count)
        own->script = words[at + 1];
    own->script_at = word[width] != '\0' ? at : at + 1;
}

static bool is_inert(const struct wrapper *wrapper, const char *word)
{
    return word[1] != '-' && strpbrk(word + 1, wrapper->inert) != NULL &&
           strcspn(word + 1, wrapper->inert) <= strcspn(word + 1, wrapper->letters);
}

/* words[at] is the wrapper. */
static struct own read_wrapper(const struct wrapper *wrapper, const char *const *words,
                               size_t count, size_t at)
{
    struct own own = {.end = count};
    size_t operands = wrapper->operands;
    bool needs = wrapper->subcommand != NULL, dashes = false;
    for (at++; at < count; at++) {
        const char *word = words[at];
        if (!dashes && strcmp(word, "--") == 0) {
            dashes = true;
        } else if (!dashes && strcmp(word, "-") == 0) {
            continue; /* su - USER, env - COMMAND */
        } else if (!dashes && is_option(word)) {
            note_script(wrapper, words, count, at, &own);
            if (is_inert(wrapper, word))
                return own;
            at += takes_next(word, wrapper->letters, wrapper->options);
        } else if (needs && !is_listed(word, strlen(word), wrapper->subcommand)) {
            return own;
        } else if (needs) {
            needs = false;
        } else if (operands > 0) {
            operands--;
        } else if (!((wrapper->traits & ASSIGNS) != 0 && is_assignment(word))) {
            own.end = at;
            return own;
        }
    }
    return own;
}

/* Is it a wrapper at all? `mise run` is not, `mise exec` is. */
static bool wraps(const struct wrapper *wrapper, const char *const *words, size_t count, size_t at)
{
    if (wrapper->subcommand == NULL)
        return true;
    for (at++; at < count; at++) {
        if (!is_option(words[at]))
            return is_listed(words[at], strlen(words[at]), wrapper->subcommand);
        at += takes_next(words[at], wrapper->letters, wrapper->options);
    }
    return false;
}

/* The wrapper at `at`, behind assignments, which are passed over; NULL when there is none. */
static const struct wrapper *wrapper_at(const char *const *words, size_t count, size_t *at)
{
    while (*at < count && is_assignment(words[*at]))
        ++*at;
    const struct wrapper *wrapper = *at < count ? find_wrapper(words[*at]) : NULL;
    return wrapper != NULL && wraps(wrapper, words, count, *at) ? wrapper : NULL;
}

size_t wrapper_skip(const char *const *words, size_t count)
{
    size_t at = 0;
    for (const struct wrapper *wrapper; (wrapper = wrapper_at(words, count, &at)) != NULL;) {
        if ((wrapper->traits & SHELL) != 0)
            break;
        at = read_wrapper(wrapper, words, count, at).end;
    }
    return at;
}

bool wrapper_raises(const char *const *words, size_t count)
{
    size_t at = 0;
    for (const struct wrapper *wrapper; (wrapper = wrapper_at(words, count, &at)) != NULL;) {
        if ((wrapper->traits & RAISES) != 0)
            return true;
        at = read_wrapper(wrapper, words, count, at).end;
    }
    return false;
}

static const struct mover *find_mover(const struct wrapper *wrapper)
{
    for (size_t i = 0; i < COUNT(movers); i++)
        if (strcmp(movers[i].name, wrapper->name) == 0)
            return &movers[i];
    return NULL;
}

/* A long option may be cut short, and have its value behind a =. */
static bool is_moving(const struct mover *mover, const char *word)
{
    if (word[0] != '-')
        return false;
    if (word[1] != '-')
        return word[1] == '\0' || strpbrk(word + 1, mover->letters) != NULL;
    size_t length = strcspn(word + 2, "=");
    for (const char *option = mover->options; length > 0 && *option != '\0';
         option += strspn(option, " ")) {
        if (strncmp(option, word + 2, length) == 0)
            return true;
        option += strcspn(option, " ");
    }
    return false;
}

bool wrapper_moves(const char *const *words, size_t count)
{
    size_t at = 0;
    for (const struct wrapper *wrapper; (wrapper = wrapper_at(words, count, &at)) != NULL;) {
        const struct mover *mover = find_mover(wrapper);
        size_t end = read_wrapper(wrapper, words, count, at).end;
        if (mover != NULL && mover->letters == NULL)
            return true;
        for (; mover != NULL && at < end; at++)
            if (is_moving(mover, words[at]))
                return true;
        at = end;
    }
    return false;
}

bool wrapper_is_shell(const char *program)
{
    const char *name = wrapper_basename(program);
    return IS_IN(name, shells);
}

/* bash -c SCRIPT, also bash -euo pipefail -c SCRIPT. */
static char *shell_script(const char *const *words, size_t count, size_t at, size_t *index)
{
    bool command = false, shell = wrapper_is_shell(words[at]);
    for (at++; shell && at < count; at++) {
        const char *word = words[at];
        if (word[0] != '-' && word[0] != '+') {
            *index = at;
            return command ? xstrdup(word) : NULL;
        }
        if (word[1] == '-')
            continue;
        command = command || strchr(word, 'c') != NULL;
        at += takes_next(word, "oO", "");
    }
    return NULL;
}

static char *joined(const char *const *words, size_t count, size_t at)
{
    struct strbuf text = STRBUF_INIT;
    for (; at < count; at++)
        strbuf_addf(&text, "%s ", words[at]);
    return strbuf_steal(&text);
}

/* env -S SCRIPT WORD…: one command, perhaps with more options of its own in front. */
static char *with_words(const char *script, const char *const *words, size_t count, size_t at)
{
    struct strbuf text = STRBUF_INIT;
    bool options = script[strspn(script, " \t")] == '-';
    strbuf_addf(&text, "%s%s", options ? "env " : "", script);
    for (; at < count; at++) {
        const char *const word[] = {words[at], NULL};
        strbuf_addstr(&text, " ");
        text_quote_argv(&text, word);
    }
    return strbuf_steal(&text);
}

/* What the wrapper at `at` hands to a shell. */
static char *wrapped_script(const struct wrapper *wrapper, const char *const *words, size_t count,
                            const struct own *own, size_t *index)
{
    *index = own->script_at;
    if (own->script != NULL)
        return (wrapper->traits & ADDS) != 0
                   ? with_words(own->script, words, count, own->script_at + 1)
                   : xstrdup(own->script);
    if (own->end >= count)
        return NULL;
    *index = own->end;
    if ((wrapper->traits & SHELL) != 0)
        return joined(words, count, own->end);
    /* flock FILE -c SCRIPT: options may follow the operands */
    ++*index;
    bool option = is_listed(words[own->end], strlen(words[own->end]), wrapper->script);
    return option && *index < count ? xstrdup(words[*index]) : NULL;
}

/* alias NAME=SCRIPT…: dash runs it at each NAME, also in a script. */
static char *alias_script(const char *const *words, size_t count, size_t at, size_t *index)
{
    struct strbuf script = STRBUF_INIT;
    if (strcmp(words[at], "alias") != 0)
        return NULL;
    for (size_t i = count; i > at + 1; i--) {
        const char *value = strchr(words[i - 1], '=');
        if (value == NULL)
            continue;
        strbuf_addf(&script, "%s\n", value + 1);
        *index = i - 1;
    }
    return script.length > 0 ? strbuf_steal(&script) : NULL;
}

char *wrapper_script(const char *const *words, size_t count, size_t *index)
{
    size_t at = 0;
    for (const struct wrapper *wrapper; (wrapper = wrapper_at(words, count, &at)) != NULL;) {
        struct own own = read_wrapper(wrapper, words, count, at);
        char *script = wrapped_script(wrapper, words, count, &own, index);
        if (script != NULL)
            return script;
        at = own.end;
    }
    char *script = at < count ? alias_script(words, count, at, index) : NULL;
    return script != NULL || at == count ? script : shell_script(words, count, at, index);
}

/* ---- subcommands ----------------------------------------------------------------------------- */

size_t wrapper_subcommand_index(const char *const *words, size_t count)
{
    const char *name = count > 0 ? wrapper_basename(words[0]) : "";
    const struct program *program = NULL;
    for (size_t i = 0; i < COUNT(programs); i++)
        if (strcmp(programs[i].name, name) == 0)
            program = &programs[i];
    for (size_t i = 1; i < count; i++) {
        bool toolchain = words[i][0] == '+' && strcmp(name, "cargo") == 0;
        if (!is_option(words[i]) && !toolchain)
            return i;
        if (program != NULL && !toolchain)
            i += takes_next(words[i], program->letters, program->options);
    }
    return count;
}

const char *wrapper_subcommand(const char *const *words, size_t count)
{
    size_t at = wrapper_subcommand_index(words, count);
    return at < count ? words[at] : "";
}

bool wrapper_has_subcommands(const char *program)
{
    for (size_t i = 0; i < COUNT(programs); i++)
        if (strcmp(programs[i].name, wrapper_basename(program)) == 0)
            return true;
    return false;
}

const char **wrapper_core(const char *const *words, size_t count)
{
    size_t first = wrapper_skip(words, count), used = 0;
    if (first >= count)
        return NULL;
    size_t next = first + 1;
    if (wrapper_has_subcommands(words[first])) {
        size_t subcommand = first + wrapper_subcommand_index(words + first, count - first);
        next = subcommand < count ? subcommand : next;
    }
    const char **core = xcalloc(count - first + 1, sizeof(*core));
    core[used++] = words[first];
    while (next < count)
        core[used++] = words[next++];
    return core;
}

/* ---- options --------------------------------------------------------------------------------- */

static bool word_is_option(const char *word, const char *option, size_t length)
{
    if (strncmp(word, option, length) == 0 && word[length] == '\0')
        return true;
    if (option[1] == '-')
        return length > 2 && strncmp(word, option, length) == 0 && word[length] == '=';
    return length == 2 && word[1] != '-' && strchr(word + 1, option[1]) != NULL;
}

bool wrapper_has_option(const char *const *words, size_t count, const char *options)
{
    for (size_t i = 1; i < count; i++) {
        size_t length;
        for (const char *option = options; *option != '\0'; option += length) {
            option += strspn(option, " ");
            length = strcspn(option, " ");
            if (words[i][0] == '-' && length > 0 && word_is_option(words[i], option, length))
                return true;
        }
        if (strcmp(words[i], "--") == 0)
            break;
    }
    return false;
}
