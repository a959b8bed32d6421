/* SPDX-License-Identifier: MIT */
/* safety_danger: commands that an operator is asked about even inside the sandbox. */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/reading.h"
#include "command/safety.h"
#include "command/shell.h"
#include "command/wrapper.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NESTING_MAX 4 /* shells in shells */

/* One line each: the program, its subcommand ("" for none), and the options of which one makes it
 * dangerous ("" when it always is). */
static const struct danger {
    const char *program;
    const char *subcommand;
    const char *options;
    const char *why;
} dangers[] = {
    {"rm", "", "-f -r -R --force --recursive", N_("it deletes files without asking")},
    {"shred", "", "", N_("it destroys data beyond recovery")},
    {"wipefs", "", "", N_("it destroys data beyond recovery")},
    {"truncate", "", "", N_("it cuts files off")},
    {"find", "", "-delete", N_("it deletes the files it finds")},
    {"git", "push", "-f --force --force-with-lease --mirror --delete -d --prune",
     N_("it rewrites or deletes what others have pushed")},
    {"git", "reset", "--hard", N_("it throws away changes that are not committed")},
    {"git", "clean", "-f --force", N_("it deletes files that are not tracked")},
    {"git", "branch", "-D", N_("it deletes a branch that may not be merged")},
    {"git", "checkout", "-f --force", N_("it throws away changes that are not committed")},
    {"git", "filter-branch", "", N_("it rewrites the history")},
    {"git", "reflog", "--expire", N_("it deletes what could be recovered")},
    {"git", "update-ref", "-d", N_("it deletes a reference")},
    {"dd", "", "", N_("it writes raw data")},
    {"fdisk", "", "", N_("it changes disks")},
    {"sfdisk", "", "", N_("it changes disks")},
    {"parted", "", "", N_("it changes disks")},
    {"mkswap", "", "", N_("it changes disks")},
    {"shutdown", "", "", N_("it stops the machine")},
    {"reboot", "", "", N_("it stops the machine")},
    {"halt", "", "", N_("it stops the machine")},
    {"poweroff", "", "", N_("it stops the machine")},
    {"chmod", "", "-R --recursive", N_("it changes permissions of a whole tree")},
    {"chown", "", "-R --recursive", N_("it changes owners of a whole tree")},
    {"chgrp", "", "-R --recursive", N_("it changes owners of a whole tree")},
    {"crontab", "", "-r", N_("it deletes scheduled jobs")},
    {"killall", "", "", N_("it ends processes by name")},
    {"pkill", "", "", N_("it ends processes by name")},
    {"terraform", "destroy", "", N_("it deletes infrastructure")},
    {"kubectl", "delete", "", N_("it deletes what others use")},
};

static const char *const downloaders[] = {"curl", "wget", "fetch", "aria2c", "base64", "xxd"};
static const char *const interpreters[] = {"bash", "sh",     "zsh",     "dash", "ksh",  "fish",
                                           "node", "python", "python3", "perl", "ruby", "php"};

static const char *danger_in_script(const char *script, size_t length, unsigned nesting);

static bool name_in(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* `git push origin +main` forces, `git push origin :main` deletes. */
static bool is_forcing_refspec(const char *const *words, size_t count)
{
    if (strcmp(wrapper_basename(words[0]), "git") != 0 ||
        strcmp(wrapper_subcommand(words, count), "push") != 0)
        return false;
    for (size_t i = 2; i < count; i++)
        if (words[i][0] == '+' || words[i][0] == ':')
            return true;
    return false;
}

static const char *danger_in_table(const char *const *words, size_t count)
{
    const char *program = wrapper_basename(words[0]);
    const char *subcommand = wrapper_subcommand(words, count);
    for (size_t i = 0; i < COUNT(dangers); i++) {
        const struct danger *danger = &dangers[i];
        if (strcmp(danger->program, program) != 0 ||
            (*danger->subcommand != '\0' && strcmp(danger->subcommand, subcommand) != 0))
            continue;
        if (*danger->options == '\0' || wrapper_has_option(words, count, danger->options))
            return danger->why;
    }
    if (strncmp(program, "mkfs", 4) == 0)
        return N_("it changes disks");
    if (is_forcing_refspec(words, count))
        return N_("it rewrites or deletes what others have pushed");
    return NULL;
}

/* find … -exec COMMAND, bash -c SCRIPT, eval SCRIPT: what they run in turn. */
static const char *danger_within(const char *const *words, size_t count, unsigned nesting)
{
    const char *program = wrapper_basename(words[0]);
    const char *why = NULL;
    for (size_t i = 1; i < count && why == NULL; i++) {
        bool runs = strcmp(program, "find") == 0 &&
                    (strncmp(words[i], "-exec", 5) == 0 || strncmp(words[i], "-ok", 3) == 0);
        bool shell = name_in(program, interpreters, 6) && words[i - 1][0] == '-' &&
                     words[i - 1][1] != '-' && strchr(words[i - 1], 'c') != NULL;
        bool eval = strcmp(program, "eval") == 0;
        if (runs && i + 1 < count) {
            cleanup_strbuf struct strbuf line = STRBUF_INIT;
            for (size_t j = i + 1; j < count; j++) {
                const char *const word[] = {words[j], NULL};
                text_quote_argv(&line, word);
                strbuf_addch(&line, ' ');
            }
            why = danger_in_script(strbuf_str(&line), line.length, nesting + 1);
        } else if (shell || eval) {
            why = danger_in_script(words[i], strlen(words[i]), nesting + 1);
        }
    }
    return why;
}

static const char *danger_of_words(const char *const *words, size_t count, unsigned nesting)
{
    if (wrapper_raises(words, count))
        return N_("it runs with the rights of root or another user");
    size_t start = wrapper_skip(words, count);
    if (start == count)
        return NULL;
    const char *why = danger_in_table(words + start, count - start);
    return why != NULL ? why : danger_within(words + start, count - start, nesting);
}

static const char *const *texts_of(const struct reading_command *command)
{
    const char **texts = xcalloc(command->word_count + 1, sizeof(*texts));
    for (size_t i = 0; i < command->word_count; i++)
        texts[i] = command->words[i].text;
    return texts;
}

static bool is_program_in(const struct reading_command *command, const char *const *names,
                          size_t count)
{
    const char *const *texts = texts_of(command);
    size_t at = wrapper_skip(texts, command->word_count);
    bool found = at < command->word_count && name_in(wrapper_basename(texts[at]), names, count);
    free((void *)texts);
    return found;
}

/* Something that was downloaded or decoded flows, through any number of filters, into it. */
static bool runs_a_download(const struct reading *reading, size_t index)
{
    const struct reading_command *command = &reading->commands[index];
    if (!is_program_in(command, interpreters, COUNT(interpreters)))
        return false;
    while (command->pipe_from != READING_NO_PIPE) {
        command = &reading->commands[command->pipe_from];
        if (is_program_in(command, downloaders, COUNT(downloaders)))
            return true;
    }
    return false;
}

static bool writes_a_device(const struct reading_command *command)
{
    static const char *const harmless[] = {"/dev/null", "/dev/stdout", "/dev/stderr",
                                           "/dev/tty",  "/dev/zero",   "/dev/full"};
    for (size_t i = 0; i < command->target_count; i++) {
        const char *path = command->targets[i].word.text;
        if (command->targets[i].kind != READING_FROM && strncmp(path, "/dev/", 5) == 0 &&
            strncmp(path, "/dev/fd/", 8) != 0 && strncmp(path, "/dev/shm/", 9) != 0 &&
            !name_in(path, harmless, COUNT(harmless)))
            return true;
    }
    return false;
}

static const char *danger_in_script(const char *script, size_t length, unsigned nesting)
{
    if (nesting > NESTING_MAX)
        return N_("it hides commands behind many shells");
    const char *why = NULL;
    struct reading *reading = reading_new(script, length);
    if (reading->truncated)
        why = N_("it has more commands than can be looked at");
    for (size_t i = 0; i < reading->count && why == NULL; i++) {
        const struct reading_command *command = &reading->commands[i];
        const char *const *texts = texts_of(command);
        if (writes_a_device(command))
            why = N_("it writes to a device");
        else if (runs_a_download(reading, i))
            why = N_("it runs code that it downloads or decodes");
        else if (command->word_count > 0)
            why = danger_of_words(texts, command->word_count, nesting);
        free((void *)texts);
    }
    reading_free(&reading);
    return why;
}

const char *safety_danger(const char *const *argv)
{
    const char *script = shell_wrapped_script(argv);
    if (script != NULL)
        return danger_in_script(script, strlen(script), 0);
    return danger_of_words(argv, strv_length(argv), 0);
}

const char *safety_danger_of_script(const char *script, size_t length)
{
    return danger_in_script(script, length, 0);
}
