/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/local_subject.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"
#include "command/wrapper.h"
#include "risk/place.h"

const char *local_subject_operand(const struct subject *subject, size_t index)
{
    const struct effect_reading *reading = subject->reading;
    return index < reading->operand_count ? reading->words[reading->operands[index]] : "";
}

bool local_subject_operand_is(const struct subject *subject, size_t index, const char *word)
{
    return strcmp(local_subject_operand(subject, index), word) == 0;
}

bool local_subject_has(const struct subject *subject, const char *option)
{
    return effects_has_option(subject->reading, option);
}

void local_subject_note(const struct subject *subject, enum risk_level level, unsigned categories,
                        enum phrase phrase)
{
    local_note_view(subject->assessor, subject->view, level, categories, phrase);
}

void local_subject_note_word(const struct subject *subject, size_t index, enum risk_level level,
                             unsigned categories, enum phrase phrase)
{
    const struct shell_word *word = &subject->view->node->words[subject->view->first + index];
    local_note(subject->assessor, (struct finding){level, categories, phrase, word->start,
                                                   word->end, subject->view->words[index]});
}

void local_subject_note_written(const struct subject *subject, size_t index, const char *path)
{
    const struct shell_word *word = &subject->view->node->words[subject->view->first + index];
    local_note_written(subject->assessor, path, word->start, word->end);
}

/* The command reads that secret. */
static void note_secret(const struct subject *subject, const char *path)
{
    const struct view *view = subject->view;
    const struct shell_word *words = view->node->words;
    local_note(subject->assessor, (struct finding){RISK_HIGH, RISK_DATA_EXFILTRATION,
                                                   PHRASE_reads_secrets, words[view->first].start,
                                                   words[view->node->word_count - 1].end, path});
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool is_octal(const char *mode)
{
    return *mode != '\0' && mode[strspn(mode, "01234567")] == '\0';
}

/* chmod 4755, u+s, 777, o+w */
bool local_subject_chmod(const struct subject *subject)
{
    const char *mode = local_subject_operand(subject, 0);
    size_t length = strlen(mode);
    bool octal = is_octal(mode), setuid, open;
    /* -w and +s look like options */
    for (size_t i = 1; i < subject->view->count; i++)
        if (strcmp(subject->view->words[i], "-w") == 0 ||
            strcmp(subject->view->words[i], "-x") == 0)
            return false;
    if (octal) {
        unsigned long bits = strtoul(mode, NULL, 8);
        setuid = (bits & 06000) != 0 && length > 3;
        open = (bits & 02) != 0 && (bits & 01000) == 0;
    } else {
        setuid = strchr(mode, '+') != NULL && strchr(strchr(mode, '+'), 's') != NULL;
        open = (strchr(mode, 'o') != NULL || strchr(mode, 'a') != NULL) &&
               (strstr(mode, "+w") != NULL || strstr(mode, "+rw") != NULL);
    }
    if (setuid)
        local_subject_note(subject, RISK_HIGH, RISK_PRIVILEGE_ESCALATION, PHRASE_setuid);
    if (open)
        local_subject_note(subject, RISK_HIGH, RISK_PRIVILEGE_ESCALATION, PHRASE_permissions_open);
    return false;
}

/* dd if=A of=B */
static bool judge_dd(const struct subject *subject)
{
    for (size_t i = 1; i < subject->view->count; i++) {
        const char *word = subject->view->words[i];
        enum place place;
        if (strncmp(word, "of=", 3) == 0) {
            place = local_place(subject->assessor, word + 3);
            local_subject_note_written(subject, i, word + 3);
            if (place == PLACE_DEVICE)
                local_subject_note_word(subject, i, RISK_HIGH, RISK_DATA_DELETION, PHRASE_destroys);
        }
        if (strncmp(word, "if=", 3) == 0 && place_is_secret(word + 3))
            local_subject_note_word(subject, i, RISK_HIGH, RISK_DATA_EXFILTRATION,
                                    PHRASE_reads_secrets);
        if (strncmp(word, "if=/dev/sd", 10) == 0 || strncmp(word, "if=/dev/nvme", 12) == 0)
            local_subject_note_word(subject, i, RISK_HIGH, RISK_DATA_EXFILTRATION,
                                    PHRASE_reads_secrets);
    }
    return false;
}

/* dd without a count, or with a huge one, out of what never ends. */
bool local_subject_dd_size(const struct subject *subject)
{
    bool endless = false, counted = false;
    unsigned long long bytes = 512, count = 1;
    bool said = judge_dd(subject); /* what it is written to says more than how much */
    for (size_t i = 1; i < subject->view->count; i++) {
        const char *word = subject->view->words[i];
        char *end;
        endless = endless || strcmp(word, "if=/dev/zero") == 0 ||
                  strcmp(word, "if=/dev/urandom") == 0 || strcmp(word, "if=/dev/random") == 0;
        if (strncmp(word, "bs=", 3) == 0) {
            bytes = strtoull(word + 3, &end, 10);
            bytes *= *end == 'G' ? 1ull << 30 : *end == 'M' ? 1ull << 20 : *end == 'k' ? 1024 : 1;
        } else if (strncmp(word, "count=", 6) == 0) {
            counted = true;
            count = strtoull(word + 6, NULL, 10);
        }
    }
    if (endless && (!counted || bytes > (10ull << 30) / (count > 0 ? count : 1)))
        local_subject_note(subject, RISK_HIGH, RISK_RESOURCE_EXHAUSTION, PHRASE_fills_disk);
    return said;
}

static bool is_remote_path(const char *path)
{
    const char *colon = strchr(path, ':');
    const char *slash = strchr(path, '/');
    return strncmp(path, "rsync://", 8) == 0 ||
           (colon != NULL && colon > path && (slash == NULL || colon < slash));
}

/* scp and rsync: which way it goes. */
bool local_subject_copy(const struct subject *subject)
{
    const struct effect_reading *reading = subject->reading;
    bool from = false, to = false;
    for (size_t i = 0; i < reading->operand_count; i++) {
        bool remote = is_remote_path(local_subject_operand(subject, i));
        if (i + 1 == reading->operand_count)
            to = remote;
        else
            from = from || remote;
        if (!remote && i + 1 < reading->operand_count &&
            place_is_secret(local_subject_operand(subject, i)))
            local_subject_note_word(subject, reading->operands[i], RISK_HIGH,
                                    RISK_DATA_EXFILTRATION, PHRASE_reads_secrets);
    }
    bool scp = strcmp(wrapper_basename(subject->view->words[0]), "scp") == 0;
    if (to)
        local_subject_note(subject, RISK_HIGH, RISK_NETWORK_ACCESS | RISK_DATA_EXFILTRATION,
                           PHRASE_sends);
    else if (from)
        local_subject_note(subject, RISK_MEDIUM, RISK_NETWORK_ACCESS, PHRASE_fetches);
    if (scp && !to && reading->operand_count > 0) {
        size_t last = reading->operands[reading->operand_count - 1];
        local_subject_note_written(subject, last, subject->view->words[last]);
    }
    return scp && (from || to);
}

/* Archives that are opened elsewhere: tar -C DIR, -f FILE with a secret in it. */
bool local_subject_tar(const struct subject *subject)
{
    bool creates =
        local_subject_has(subject, "-c") ||
        strpbrk(local_subject_operand(subject, 0), "c") == local_subject_operand(subject, 0);
    if (!creates)
        return false;
    for (size_t i = 0; i < subject->reading->operand_count; i++)
        if (place_is_secret(local_subject_operand(subject, i)))
            local_subject_note_word(subject, subject->reading->operands[i], RISK_HIGH,
                                    RISK_DATA_EXFILTRATION, PHRASE_reads_secrets);
    return false;
}

/* ---- the shell's own ------------------------------------------------------------------------- */

/* A variable gets a value that nobody sees here. */
static void note_assigned(const struct subject *subject, size_t index)
{
    const struct shell_word *word = &subject->view->node->words[subject->view->first + index];
    char *assignment = xasprintf("%s=?", subject->view->words[index]);
    local_assess_assignment(subject->assessor, local_keep(subject->assessor, assignment), word);
}

/* read PATH, mapfile NAME */
bool local_subject_read(const struct subject *subject)
{
    for (size_t i = 0; i < subject->reading->operand_count; i++)
        note_assigned(subject, subject->reading->operands[i]);
    return false;
}

/* echo $API_TOKEN, printf -v PATH */
bool local_subject_echo(const struct subject *subject)
{
    if (subject->view->count > 2 && strcmp(subject->view->words[1], "-v") == 0)
        note_assigned(subject, 2);
    for (size_t i = 1; i < subject->view->count; i++) {
        const struct shell_word *word = &subject->view->node->words[subject->view->first + i];
        if (word->literal)
            continue;
        for (const char *at = strchr(word->text, '$'); at != NULL; at = strchr(at + 1, '$')) {
            const char *name = at + 1 + (at[1] == '{');
            size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_");
            if (length > 0 && place_is_secret_name(name, length))
                local_subject_note_word(subject, i, RISK_HIGH, RISK_DATA_EXFILTRATION,
                                        PHRASE_reads_secrets);
        }
    }
    return false;
}

/* rm='rm -i' adds options only; what is called by a name of its own is not run by mistake. */
static bool replaces_itself(const char *word, const char *equals)
{
    cleanup_free char *name = xstrndup(word, (size_t)(equals - word));
    return !effects_knows(name) || strncmp(equals + 1, name, strlen(name)) == 0;
}

/* alias NAME=SCRIPT */
bool local_subject_alias(const struct subject *subject)
{
    const struct shell_node *node = subject->view->node;
    for (size_t i = 1; i < subject->view->count; i++) {
        const char *equals = strchr(subject->view->words[i], '=');
        if (equals == NULL || replaces_itself(subject->view->words[i], equals))
            continue;
        local_read_script(subject->assessor, equals + 1, strlen(equals + 1), node->start, node->end,
                          false);
    }
    return false;
}

bool local_subject_export(const struct subject *subject)
{
    for (size_t i = 1; i < subject->view->count; i++) {
        const struct shell_word *word = &subject->view->node->words[subject->view->first + i];
        local_assess_assignment(subject->assessor, subject->view->words[i], word);
        local_set_variable(subject->assessor, subject->view->words[i]);
    }
    return false;
}

bool local_subject_set(const struct subject *subject)
{
    for (size_t i = 1; i + 1 < subject->view->count; i++)
        if (strcmp(subject->view->words[i], "+o") == 0 &&
            strcmp(subject->view->words[i + 1], "history") == 0)
            local_subject_note(subject, RISK_HIGH, RISK_COMPLIANCE, PHRASE_hides_traces);
    return false;
}

bool local_subject_unset(const struct subject *subject)
{
    for (size_t i = 0; i < subject->reading->operand_count; i++)
        if (strncmp(local_subject_operand(subject, i), "HIST", 4) == 0)
            local_subject_note(subject, RISK_HIGH, RISK_COMPLIANCE, PHRASE_hides_traces);
    return false;
}

bool local_subject_cd(const struct subject *subject)
{
    local_go(subject->assessor, local_subject_operand(subject, 0));
    return false;
}

/* A popd may bring it back. */
bool local_subject_pushd(const struct subject *subject)
{
    local_go(subject->assessor, local_subject_operand(subject, 0));
    local_go(subject->assessor, "-");
    return false;
}

/* Does a pattern look for what is secret? */
static bool names_secret(const char *pattern)
{
    static const char *const parts[] = {"token", "secret", "passw",   "key",   "cred",
                                        "akia",  "auth",   "private", "_pass", "pwd"};
    for (size_t i = 0; i < COUNT(parts); i++)
        if (strcasestr(pattern, parts[i]) != NULL)
            return true;
    return false;
}

/* Is it what the environment is piped into? */
static bool is_fed_environment(const struct subject *subject)
{
    static const char *const printers[] = {"env",     "printenv", "set", "export",
                                           "declare", "history",  "fc"};
    const struct shell_node *node = subject->view->node;
    for (size_t i = node->feeds.first; i < node->feeds.last; i++) {
        const struct shell_node *feed = &subject->assessor->tree->nodes[i];
        for (size_t j = 0; j < COUNT(printers) && feed->word_count > 0; j++)
            if (strcmp(feed->words[0].text, printers[j]) == 0)
                return true;
    }
    return false;
}

/* grep -r SECRET ~ */
bool local_subject_grep(const struct subject *subject)
{
    const struct effect_reading *reading = subject->reading;
    const char *pattern = local_subject_operand(subject, 0);
    bool secret = names_secret(pattern);
    if (secret && is_fed_environment(subject))
        local_subject_note(subject, RISK_HIGH, RISK_DATA_EXFILTRATION, PHRASE_reads_secrets);
    for (size_t i = 1; i < reading->operand_count && secret; i++) {
        const char *place = local_subject_operand(subject, i);
        if (place_is_home_or_root(place) || strcmp(place, "/etc") == 0 ||
            strncmp(place, "~/.", 3) == 0 || place_is_secret(place))
            local_subject_note_word(subject, reading->operands[i], RISK_HIGH,
                                    RISK_DATA_EXFILTRATION, PHRASE_reads_secrets);
    }
    return false;
}

/* echo flushall | redis-cli: the first word of each line is a command. */
static void note_fed_commands(const struct subject *subject)
{
    static const char *const deletes[] = {"flushall", "flushdb", "del", "unlink"};
    size_t length;
    const char *text = local_fed_text(subject->assessor, subject->view->node, &length);
    for (; text != NULL && *text != '\0'; text += strcspn(text, "\n")) {
        text += strspn(text, " \t\n");
        for (size_t i = 0; i < COUNT(deletes); i++) {
            size_t width = strlen(deletes[i]);
            if (strncasecmp(text, deletes[i], width) == 0 && strchr(" \n", text[width]) != NULL)
                local_subject_note(subject, RISK_HIGH, RISK_DATA_DELETION, PHRASE_deletes_database);
        }
    }
}

/* redis-cli and its like on another machine. */
bool local_subject_redis(const struct subject *subject)
{
    const char *host = effects_option(subject->reading, "-h");
    const char *address = effects_option(subject->reading, "-u");
    if ((host != NULL && !place_is_this_machine(host)) ||
        (address != NULL && !place_is_this_machine(address)))
        local_subject_note(subject, RISK_MEDIUM, RISK_NETWORK_ACCESS, PHRASE_database);
    if (subject->reading->operand_count == 0)
        note_fed_commands(subject);
    return false;
}

bool local_subject_dump(const struct subject *subject)
{
    const char *host = effects_option(subject->reading, "-h");
    bool remote = host != NULL && !place_is_this_machine(host);
    for (size_t i = 1; i < subject->view->count; i++)
        remote = remote || (strstr(subject->view->words[i], "://") != NULL &&
                            !place_is_this_machine(subject->view->words[i]));
    if (remote)
        local_subject_note(subject, RISK_MEDIUM, RISK_NETWORK_ACCESS, PHRASE_dumps_database);
    return false;
}

/* What is sent: -d @FILE, -T FILE. Named is what holds the secret, not what stands first. */
bool local_subject_curl(const struct subject *subject)
{
    static const char *const options[] = {"-T", "--upload-file", "-d",    "--data", "--data-binary",
                                          "-F", "--form",        "--json"};
    for (size_t i = 0; i < COUNT(options); i++) {
        const char *value = effects_option(subject->reading, options[i]);
        const char *at = value != NULL ? strchr(value, '@') : NULL;
        if (at != NULL && place_is_secret(at + 1))
            note_secret(subject, at + 1);
        else if (value != NULL && place_is_secret(value))
            note_secret(subject, value);
    }
    for (size_t i = 0; i < subject->reading->operand_count; i++) {
        const char *address = local_subject_operand(subject, i);
        if (strncmp(address, "file://", 7) == 0 && place_is_secret(address + 7))
            note_secret(subject, address + 7);
    }
    return false;
}

/* wget --post-file FILE */
bool local_subject_wget(const struct subject *subject)
{
    static const char *const options[] = {"--post-file", "--body-file"};
    for (size_t i = 0; i < COUNT(options); i++) {
        const char *path = effects_option(subject->reading, options[i]);
        if (path != NULL && place_is_secret(path))
            note_secret(subject, path);
    }
    return false;
}
