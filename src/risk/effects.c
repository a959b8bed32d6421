/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/effects.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "command/wrapper.h"

/* Kinds of entries that say what options take. */
#define VALUES (RISK_HIGH + 1)
#define INPUTS (RISK_HIGH + 2)
#define OUTPUTS (RISK_HIGH + 3)
#define LOW RISK_LOW
#define MEDIUM RISK_MEDIUM
#define HIGH RISK_HIGH

#define D RISK_DATA_DELETION
#define X RISK_DATA_EXFILTRATION
#define P RISK_PRIVILEGE_ESCALATION
#define S RISK_SYSTEM_MODIFICATION
#define N RISK_NETWORK_ACCESS
#define R RISK_RESOURCE_EXHAUSTION
#define C RISK_COMPLIANCE
#define EFFECT(program, path, condition, kind, categories, place, phrase, example)                 \
    {program, path, condition, kind, categories, EFFECT_##place, PHRASE_##phrase},

/* Sorted by program, then by subcommand. */
static const struct effect effects[] = {
#include "src/risk/effects_table.inc"
};

#undef D
#undef X
#undef P
#undef S
#undef N
#undef R
#undef C

/* ---- words that list others ------------------------------------------------------------------ */

/* The next part of a list, up to a blank; its length, 0 at the end. */
static size_t next_part(const char **list)
{
    const char *at = *list;
    while (*at == ' ')
        at++;
    *list = at;
    while (*at != '\0' && *at != ' ')
        at++;
    return (size_t)(at - *list);
}

bool effects_fits(const char *pattern, size_t length, const char *text)
{
    while (length > 0 && *pattern != '*') {
        if (*text == '\0' || *pattern != *text)
            return false;
        pattern++, text++, length--;
    }
    if (length == 0)
        return *text == '\0';
    if (length == 1)
        return true;
    for (;; text++) {
        if (pattern[1] != '*')
            text = strchr(text, pattern[1]); /* nowhere else can the rest begin */
        if (text == NULL)
            return false;
        if (effects_fits(pattern + 1, length - 1, text))
            return true;
        if (*text == '\0')
            return false;
    }
}

/* Does it fit one of the patterns between commas? */
static bool fits_one(const char *patterns, size_t length, const char *text)
{
    const char *end = patterns + length;
    while (patterns < end) {
        const char *comma = memchr(patterns, ',', (size_t)(end - patterns));
        size_t width = (size_t)((comma != NULL ? comma : end) - patterns);
        if (effects_fits(patterns, width, text))
            return true;
        patterns += width + 1;
    }
    return false;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* The first of the program's entries whose subcommand begins with `letter` or one behind it. */
static const struct effect *find_letter(const struct effect_reading *reading, unsigned letter)
{
    const struct effect *low = reading->first, *high = reading->end;
    while (low < high) {
        const struct effect *middle = low + (high - low) / 2;
        if ((unsigned char)*middle->path < letter)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Programs with many subcommands have many entries: those for any subcommand, and those that begin
 * as the first operand does, are all that can fit. */
static void narrow(struct effect_reading *reading)
{
    const char *word = reading->operand_count > 0 ? reading->words[reading->operands[0]] : "";
    unsigned letter = (unsigned char)*word;
    reading->any_end = find_letter(reading, '*' + 1);
    bool named = letter > '*';
    reading->named = named ? find_letter(reading, letter) : reading->any_end;
    reading->named_end = named ? find_letter(reading, letter + 1) : reading->any_end;
}

/* The entry behind this one, or the first, that may fit; NULL at the end. */
static const struct effect *next_entry(const struct effect_reading *reading,
                                       const struct effect *entry)
{
    entry = entry != NULL ? entry + 1 : reading->first;
    if (entry == reading->any_end)
        entry = reading->named;
    return entry == reading->named_end ? NULL : entry;
}

/* How many words of the subcommand fit the operands, and in `*used` how many operands they span;
 * -1 when it is another subcommand. */
static int fit_path(const struct effect_reading *reading, const char *path, size_t *used)
{
    int depth = 0;
    bool anywhere = false;
    *used = 0;
    for (size_t length; (length = next_part(&path)) > 0; path += length) {
        if (length == 2 && memcmp(path, "**", 2) == 0) {
            anywhere = true;
            continue;
        }
        size_t at = *used, last = anywhere ? reading->operand_count : at + 1;
        while (at < last && at < reading->operand_count &&
               !effects_fits(path, length, reading->words[reading->operands[at]]))
            at++;
        if (at >= last || at >= reading->operand_count)
            return -1;
        *used = at + 1;
        depth += length > 1 || *path != '*';
    }
    return depth;
}

/* ---- options --------------------------------------------------------------------------------- */

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0';
}

/* Where the value of option `name` begins when `word` is that option: behind its = or letter, ""
 * when it is in the next word; NULL when it is another. */
static const char *value_in(const struct effect_reading *reading, const char *word,
                            const char *name, size_t length)
{
    if (strncmp(word, name, length) == 0 && (word[length] == '\0' || word[length] == '='))
        return word[length] == '=' ? word + length + 1 : word + length;
    if (length != 2 || word[1] == '-')
        return NULL;
    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        if (*letter == name[1])
            return letter + 1;
        if ((unsigned char)*letter < sizeof(reading->takes) &&
            reading->takes[(unsigned char)*letter])
            return NULL;
    }
    return NULL;
}

/* Does an entry for the subcommand name that option, whole? */
static bool is_named(const struct effect_reading *reading, const char *option, size_t length)
{
    size_t used;
    for (const struct effect *entry = next_entry(reading, NULL); entry != NULL;
         entry = next_entry(reading, entry)) {
        const char *list = entry->condition;
        for (size_t width; (width = next_part(&list)) > 0; list += width) {
            size_t mark = *list == '!' || *list == '&';
            const char *equals = memchr(list, '=', width);
            size_t whole = equals != NULL ? (size_t)(equals - list) : width;
            if (whole == mark + length && memcmp(list + mark, option, length) == 0 &&
                fit_path(reading, entry->path, &used) >= 0)
                return true;
        }
    }
    return false;
}

/* Programs that take the beginning of a long option for the whole, as getopt_long() does. */
static bool takes_brief(const char *program)
{
    static const char *const names[] = {"ansible",    "ansible-playbook",
                                        "aria2c",     "base64",
                                        "chgrp",      "chmod",
                                        "chown",      "cp",
                                        "cpio",       "createuser",
                                        "csplit",     "curl",
                                        "date",       "deluser",
                                        "dmesg",      "fallocate",
                                        "flex",       "gawk",
                                        "gcp",        "git",
                                        "ginstall",   "gmake",
                                        "gmv",        "gpg",
                                        "gpg2",       "gpgsm",
                                        "grep",       "gtar",
                                        "hg",         "hostname",
                                        "iconv",      "install",
                                        "journalctl", "killall",
                                        "ld",         "ln",
                                        "make",       "man",
                                        "mariadb",    "msgfmt",
                                        "mv",         "mysql",
                                        "patch",      "perf",
                                        "pg_dump",    "pg_dumpall",
                                        "pip",        "pip2",
                                        "pip3",       "pkill",
                                        "psql",       "rm",
                                        "script",     "sdiff",
                                        "sed",        "shred",
                                        "sort",       "split",
                                        "strace",     "sysctl",
                                        "tar",        "tee",
                                        "touch",      "truncate",
                                        "userdel",    "usermod",
                                        "wget",       "xgettext",
                                        "yt-dlp",     "pg_restore",
                                        "useradd",    "mysqldump",
                                        "systemctl",  "mariadb-dump",
                                        "youtube-dl", "start-stop-daemon"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i], program) == 0)
            return true;
    return false;
}

/* The value, as value_in() says it, when `word` is the beginning of long option `name`, and no
 * shorter one is called so. */
static const char *value_in_brief(const struct effect_reading *reading, const char *word,
                                  const char *name, size_t length)
{
    size_t width = strcspn(word, "=");
    if (!reading->brief || width < 3 || width >= length || memcmp(word, "--", 2) != 0 ||
        memcmp(word, name, width) != 0 || is_named(reading, word, width))
        return NULL;
    return word[width] == '=' ? word + width + 1 : word + width;
}

/* Index of the first option of that name from `at` on, or the number of words. */
static size_t find_option(const struct effect_reading *reading, const char *name, size_t length,
                          size_t at, bool brief)
{
    for (; at < reading->count; at++) {
        const char *word = reading->words[at];
        if (length == 2 && memcmp(name, "--", 2) == 0 && strcmp(word, "--") == 0)
            return at;
        if (is_option(word) && (value_in(reading, word, name, length) != NULL ||
                                (brief && value_in_brief(reading, word, name, length) != NULL)))
            return at;
        if (name[length - 1] == '*' && effects_fits(name, length, word))
            return at;
        if (strcmp(word, "--") == 0)
            break;
    }
    return reading->count;
}

static const char *value_at(const struct effect_reading *reading, size_t at, const char *name,
                            size_t length)
{
    const char *value = value_in(reading, reading->words[at], name, length);
    if (value == NULL)
        value = value_in_brief(reading, reading->words[at], name, length);
    if (value != NULL && *value == '\0')
        value = at + 1 < reading->count ? reading->words[at + 1] : "";
    return value;
}

const char *effects_option(const struct effect_reading *reading, const char *option)
{
    size_t at = find_option(reading, option, strlen(option), 1, true);
    return at < reading->count ? value_at(reading, at, option, strlen(option)) : NULL;
}

const char *effects_next_option(const struct effect_reading *reading, const char *option,
                                size_t *at)
{
    size_t found = find_option(reading, option, strlen(option), *at > 0 ? *at : 1, true);
    *at = found + 1;
    return found < reading->count ? value_at(reading, found, option, strlen(option)) : NULL;
}

bool effects_has_option(const struct effect_reading *reading, const char *option)
{
    return find_option(reading, option, strlen(option), 1, true) < reading->count;
}

/* ---- reading the words ----------------------------------------------------------------------- */

/* The first entry whose program does not come before `program`, or after it when `after`. */
static const struct effect *find_bound(const char *program, bool after)
{
    size_t low = 0, high = COUNT(effects);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(effects[middle].program, program);
        if (order < 0 || (after && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return &effects[low];
}

bool effects_knows(const char *program)
{
    return find_bound(program, true) > find_bound(program, false);
}

bool effects_may_launch(const char *path)
{
    static const char *const launchers[] = {
        "at",      "batch",       "bunx",    "busybox",     "bwrap",  "chronic",  "concurrently",
        "direnv",  "distrobox",   "docker",  "dotenv",      "entr",   "firejail", "flatpak",
        "foreman", "gdb",         "honcho",  "hyperfine",   "ifne",   "incus",    "kubectl",
        "lxc",     "mise",        "nerdctl", "npm-run-all", "npx",    "oc",       "parallel",
        "perf",    "pipx",        "pnpx",    "podman",      "proot",  "rr",       "screen",
        "snap",    "systemd-run", "tmux",    "toolbox",     "toybox", "uvx",      "watchexec"};
    const char *name = wrapper_basename(path);
    for (size_t i = 0; i < COUNT(launchers); i++)
        if (strcmp(launchers[i], name) == 0)
            return true;
    return !effects_knows(name);
}

static bool lists_option(const char *list, const char *word, size_t length)
{
    for (size_t width; (width = next_part(&list)) > 0; list += width)
        if (width == length && memcmp(list, word, length) == 0)
            return true;
    return false;
}

/* The same for an option that is abbreviated. */
static bool lists_brief(const struct effect_reading *reading, const char *list, const char *word)
{
    for (size_t width; (width = next_part(&list)) > 0; list += width)
        if (value_in_brief(reading, word, list, width) != NULL)
            return true;
    return false;
}

static void add_file(struct effect_reading *reading, size_t word, const char *path, bool output)
{
    reading->files =
        xreallocarray(reading->files, reading->file_count + 1, sizeof(*reading->files));
    reading->files[reading->file_count++] =
        (struct effect_file){.word = word, .path = path, .output = output};
}

/* Does the option at `at` take the next word, by this list? Notes the file that its value names. */
static bool takes_next(struct effect_reading *reading, size_t at, const struct effect *list)
{
    const char *word = reading->words[at], *value = NULL;
    size_t length = strcspn(word, "=");
    if (lists_option(list->condition, word, length) ||
        (list->kind == OUTPUTS && lists_brief(reading, list->condition, word))) {
        value = word[length] == '=' ? word + length + 1 : "";
    } else if (word[1] != '-') {
        for (const char *letter = word + 1; *letter != '\0' && value == NULL; letter++) {
            const char option[] = {'-', *letter, '\0'};
            if (lists_option(list->condition, option, 2))
                value = letter + 1;
            else if ((unsigned char)*letter < sizeof(reading->takes) &&
                     reading->takes[(unsigned char)*letter])
                break;
        }
    }
    if (value == NULL)
        return false;
    bool next = *value == '\0';
    if (list->kind != VALUES && (!next || at + 1 < reading->count))
        add_file(reading, next ? at + 1 : at, next ? reading->words[at + 1] : value,
                 list->kind == OUTPUTS);
    return next;
}

static void note_letters(struct effect_reading *reading, const char *list)
{
    for (size_t width; (width = next_part(&list)) > 0; list += width)
        if (width == 2 && (unsigned char)list[1] < sizeof(reading->takes))
            reading->takes[(unsigned char)list[1]] = 1;
}

/* The lists that fit what is known of the operands so far. */
#define LISTS_MAX 12
static size_t find_lists(struct effect_reading *reading, const struct effect *lists[LISTS_MAX])
{
    size_t count = 0, used;
    narrow(reading);
    for (const struct effect *entry = next_entry(reading, NULL); entry != NULL;
         entry = next_entry(reading, entry))
        if (entry->kind >= VALUES && count < LISTS_MAX &&
            fit_path(reading, entry->path, &used) >= 0) {
            lists[count++] = entry;
            note_letters(reading, entry->condition);
        }
    return count;
}

static void sort_words(struct effect_reading *reading)
{
    const struct effect *lists[LISTS_MAX];
    size_t list_count = find_lists(reading, lists);
    bool dashes = false;
    reading->operand_count = reading->file_count = 0;
    for (size_t i = 1; i < reading->count; i++) {
        bool next = false;
        if (!dashes && strcmp(reading->words[i], "--") == 0) {
            dashes = true;
        } else if (dashes || !is_option(reading->words[i])) {
            reading->operands[reading->operand_count++] = i;
        } else {
            for (size_t j = 0; j < list_count; j++)
                next = takes_next(reading, i, lists[j]) || next;
            i += next;
        }
    }
}

void effects_read(const char *const *words, size_t count, struct effect_reading *reading)
{
    const char *program = wrapper_basename(words[0]);
    *reading =
        (struct effect_reading){.words = words, .count = count, .brief = takes_brief(program)};
    reading->operands = xcalloc(count, sizeof(*reading->operands));
    reading->first = find_bound(program, false);
    reading->end = find_bound(program, true);
    sort_words(reading);
    /* Now the subcommand is known, and with it more lists, where there are entries for some. */
    bool subcommands = reading->end > reading->first && *reading->end[-1].path != '\0';
    if (reading->operand_count > 0 && subcommands)
        sort_words(reading);
    narrow(reading);
}

void effects_clear(struct effect_reading *reading)
{
    free(reading->operands);
    free(reading->files);
    *reading = (struct effect_reading){.count = 0};
}

/* ---- conditions ------------------------------------------------------------------------------ */

static bool has_operand(const struct effect_reading *reading, size_t used, const char *pattern,
                        size_t length)
{
    for (size_t i = used; i < reading->operand_count; i++)
        if (fits_one(pattern, length, reading->words[reading->operands[i]]))
            return true;
    return false;
}

/* -X or -X=GET,HEAD */
static bool has_option(const struct effect_reading *reading, const char *token, size_t length,
                       bool brief)
{
    const char *equals = memchr(token, '=', length);
    size_t width = equals != NULL ? (size_t)(equals - token) : length;
    for (size_t at = find_option(reading, token, width, 1, brief); at < reading->count;
         at = find_option(reading, token, width, at + 1, brief)) {
        if (equals == NULL)
            return true;
        const char *value = value_at(reading, at, token, width);
        if (value != NULL && fits_one(equals + 1, length - width - 1, value))
            return true;
    }
    return false;
}

static bool is_number(const char *token)
{
    return *token >= '0' && *token <= '9';
}

/* One token of a condition, without its mark; `brief`: also when the option is abbreviated. */
static bool token_holds(const struct effect_reading *reading, size_t used, const char *token,
                        size_t length, bool brief)
{
    if (*token == '@' && length > 3 && is_number(token + 1) && token[2] == ':') {
        size_t at = used + (size_t)(token[1] - '1');
        return at < reading->operand_count &&
               fits_one(token + 3, length - 3, reading->words[reading->operands[at]]);
    }
    if (*token == '@')
        return has_operand(reading, used, token + 1, length - 1);
    if (length == 1 && *token == '0')
        return reading->operand_count == used && reading->count == 1 + used;
    if (length == 2 && is_number(token) && token[1] == '+')
        return reading->operand_count >= used + (size_t)(*token - '0');
    return has_option(reading, token, length, brief);
}

/* All that are marked & and none marked !, and one of the others when there are any. `brief`:
 * abbreviated options count, but where they would be an exception. */
static bool holds(const struct effect_reading *reading, size_t used, const char *condition,
                  bool brief)
{
    bool wanted = false, found = false;
    for (size_t length; (length = next_part(&condition)) > 0; condition += length) {
        char mark = *condition == '!' || *condition == '&' ? *condition : '\0';
        size_t skip = mark != '\0';
        bool held =
            token_holds(reading, used, condition + skip, length - skip, brief && mark != '!');
        if ((mark == '!' && held) || (mark == '&' && !held))
            return false;
        if (mark == '\0') {
            wanted = true;
            found = found || held;
        }
    }
    return found || !wanted;
}

/* ---- finding --------------------------------------------------------------------------------- */

static void add_found(struct effects_found *found, const struct effect *effect)
{
    size_t at = 0;
    while (at < found->count && found->effects[at]->kind >= effect->kind)
        at++;
    if (at == EFFECTS_FOUND_MAX)
        return;
    found->count += found->count < EFFECTS_FOUND_MAX;
    memmove(&found->effects[at + 1], &found->effects[at],
            (found->count - 1 - at) * sizeof(found->effects[0]));
    found->effects[at] = effect;
}

struct best {
    const struct effect *effect; /* without a condition, of the longest subcommand */
    int depth;
};

static void improve(struct best *best, const struct effect *effect, int depth)
{
    if (best->effect == NULL || depth > best->depth ||
        (depth == best->depth && effect->kind > best->effect->kind)) {
        best->effect = effect;
        best->depth = depth;
    }
}

static struct best find_unconditional(const struct effect_reading *reading)
{
    struct best best = {NULL, -1};
    size_t used;
    for (const struct effect *entry = next_entry(reading, NULL); entry != NULL;
         entry = next_entry(reading, entry)) {
        if (entry->kind >= VALUES || *entry->condition != '\0')
            continue;
        int depth = fit_path(reading, entry->path, &used);
        if (depth >= 0)
            improve(&best, entry, depth);
    }
    return best;
}

/* May what is abbreviated make it count? It may be another option, which no entry names: it must
 * not lower the level. */
static bool raises(const struct effect *entry, const struct best *plain)
{
    return entry->kind != RISK_LOW && (plain->effect == NULL || entry->kind >= plain->effect->kind);
}

/* Entries with conditions: of the longest subcommand, all that are not low, and a low one when
 * there is no other; of shorter ones what is high. */
void effects_find(const struct effect_reading *reading, struct effects_found *found)
{
    struct best plain = find_unconditional(reading);
    struct best harmless = {NULL, -1};
    bool decided = false;
    size_t used;
    found->count = 0;
    for (const struct effect *entry = next_entry(reading, NULL); entry != NULL;
         entry = next_entry(reading, entry)) {
        if (entry->kind >= VALUES || *entry->condition == '\0')
            continue;
        int depth = fit_path(reading, entry->path, &used);
        if (depth < 0 || (depth < plain.depth && entry->kind != RISK_HIGH) ||
            !holds(reading, used, entry->condition, raises(entry, &plain)))
            continue;
        if (entry->kind == RISK_LOW) {
            improve(&harmless, entry, depth);
            continue;
        }
        decided = decided || depth >= plain.depth;
        add_found(found, entry);
    }
    if (!decided && harmless.effect != NULL)
        add_found(found, harmless.effect);
    else if (!decided && plain.effect != NULL)
        add_found(found, plain.effect);
}
