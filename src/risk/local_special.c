/* SPDX-License-Identifier: MIT */
/* local_special: programs whose operands are a language of their own, or are programs again. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"
#include "command/wrapper.h"
#include "risk/code.h"
#include "risk/local_subject.h"
#include "risk/place.h"

/* Does the text begin with one of the words, which are separated by spaces? */
static bool begins_with_one(const char *text, const char *words)
{
    for (size_t width; (width = strcspn(words, " ")) > 0;
         words += width + strspn(words + width, " "))
        if (strncasecmp(text, words, width) == 0)
            return true;
    return false;
}

/* ---- texts of other languages ---------------------------------------------------------------- */

/* Where findings in a word are noted. Each costs what the word is long: what has been told is not
 * told again. */
struct code_subject {
    const struct subject *subject;
    unsigned char told[PHRASE_COUNT]; /* the level, and one more */
};

static void found(void *argument, struct code_finding finding)
{
    struct code_subject *code = argument;
    if (code->told[finding.phrase] > (unsigned)finding.level)
        return;
    code->told[finding.phrase] = (unsigned char)(finding.level + 1);
    local_subject_note(code->subject, finding.level, finding.categories, finding.phrase);
}

static void runs(void *argument, const char *script, size_t length)
{
    const struct subject *subject = ((const struct code_subject *)argument)->subject;
    const struct shell_node *node = subject->view->node;
    local_read_script(subject->assessor, script, length, node->start, node->end, false);
}

static void writes(void *argument, const char *path, size_t length)
{
    const struct subject *subject = ((const struct code_subject *)argument)->subject;
    const struct shell_node *node = subject->view->node;
    const char *kept = local_keep(subject->assessor, xstrndup(path, length));
    local_note_written(subject->assessor, kept, node->start, node->end);
}

static bool judge_sed(const struct subject *subject)
{
    static const char *const options[] = {"-e", "--expression"};
    struct code_subject code = {.subject = subject};
    struct code_user user = {found, runs, writes, &code};
    bool operands = !local_subject_has(subject, "-f") && !local_subject_has(subject, "--file");
    for (size_t i = 0; i < COUNT(options); i++) {
        const char *script;
        for (size_t at = 0;
             (script = effects_next_option(subject->reading, options[i], &at)) != NULL;
             operands = false)
            code_read_sed(script, &user);
    }
    if (operands)
        code_read_sed(local_subject_operand(subject, 0), &user);
    bool edits = local_subject_has(subject, "-i") || local_subject_has(subject, "--in-place");
    for (size_t i = operands; i < subject->reading->operand_count; i++) {
        size_t index = subject->reading->operands[i];
        if (edits)
            local_subject_note_written(subject, index, subject->view->words[index]);
        else if (place_is_secret(subject->view->words[index]))
            local_subject_note_word(subject, index, RISK_HIGH, RISK_DATA_EXFILTRATION,
                                    PHRASE_reads_secrets);
    }
    local_subject_note(subject, edits ? RISK_MEDIUM : RISK_LOW, 0,
                       edits ? PHRASE_edits : PHRASE_reads);
    return true;
}

static bool judge_awk(const struct subject *subject)
{
    struct code_subject code = {.subject = subject};
    struct code_user user = {found, runs, writes, &code};
    bool file = local_subject_has(subject, "-f") || local_subject_has(subject, "--file");
    const char *library = effects_option(subject->reading, "-i");
    bool edits = library != NULL && strcmp(library, "inplace") == 0;
    for (size_t i = !file; edits && i < subject->reading->operand_count; i++)
        local_subject_note_written(subject, subject->reading->operands[i],
                                   local_subject_operand(subject, i));
    if (!file)
        code_read('a', local_subject_operand(subject, 0), strlen(local_subject_operand(subject, 0)),
                  &user);
    for (size_t i = !file; i < subject->reading->operand_count; i++)
        if (place_is_secret(local_subject_operand(subject, i)))
            local_subject_note_word(subject, subject->reading->operands[i], RISK_HIGH,
                                    RISK_DATA_EXFILTRATION, PHRASE_reads_secrets);
    if (file)
        local_subject_note(subject, RISK_MEDIUM, 0, PHRASE_builds);
    return false;
}

/* ---- programs in programs -------------------------------------------------------------------- */

/* bash {} and the like: what is run are files that nobody has named. */
static void note_unnamed(const struct subject *subject, size_t at, size_t end)
{
    static const char shells[] = "sh bash zsh dash python python3 node perl ruby php source .";
    const struct view *view = subject->view;
    const char *name = wrapper_basename(view->words[at]);
    bool shell = false;
    for (const char *word = shells; *word != '\0'; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        shell = shell || (strlen(name) == length && memcmp(word, name, length) == 0);
        word += length;
    }
    if (shell && at + 1 < end && strcmp(view->words[at + 1], "{}") == 0)
        local_subject_note(subject, RISK_HIGH, 0, PHRASE_runs_hidden);
}

/* The words of a view between `at` and the one that ends it (";" or "+" of find); returns where
 * that is: what stands in between is looked at once. */
static size_t assess_until_end(const struct subject *subject, size_t at)
{
    struct view inner = *subject->view;
    size_t end = at;
    while (end < inner.count && strcmp(inner.words[end], ";") != 0 &&
           strcmp(inner.words[end], "+") != 0)
        end++;
    inner.count = end;
    note_unnamed(subject, at, end);
    local_assess_rest(subject->assessor, &inner, at, false);
    return end;
}

/* find ~ -name id_rsa: a search for secrets where they are kept. */
static void note_secret_search(const struct subject *subject)
{
    const struct view *view = subject->view;
    bool wide = false;
    for (size_t i = 0; i < subject->reading->operand_count; i++)
        wide = wide || place_is_home_or_root(local_subject_operand(subject, i)) ||
               strcmp(local_subject_operand(subject, i), "/etc") == 0;
    for (size_t i = 1; wide && i + 1 < view->count; i++)
        if ((strstr(view->words[i], "name") != NULL || strstr(view->words[i], "path") != NULL) &&
            *view->words[i] == '-' && place_is_secret(view->words[i + 1]))
            local_subject_note_word(subject, i + 1, RISK_HIGH, RISK_DATA_EXFILTRATION,
                                    PHRASE_reads_secrets);
}

static bool judge_find(const struct subject *subject)
{
    static const char *const options[] = {"-exec", "-execdir", "-ok", "-okdir"};
    const struct view *view = subject->view;
    note_secret_search(subject);
    for (size_t i = 1; i + 1 < view->count; i++)
        if (IS_IN(view->words[i], options))
            i = assess_until_end(subject, i + 1);
    for (size_t i = 1; i + 1 < view->count; i++)
        if (strncmp(view->words[i], "-fprint", 7) == 0 || strcmp(view->words[i], "-fls") == 0)
            local_subject_note_written(subject, i + 1, view->words[i + 1]);
    if (strncmp(wrapper_basename(view->words[0]), "fd", 2) != 0)
        return false;
    for (size_t i = 1; i + 1 < view->count; i++)
        if (strcmp(view->words[i], "-x") == 0 || strcmp(view->words[i], "-X") == 0 ||
            strncmp(view->words[i], "--exec", 6) == 0)
            i = assess_until_end(subject, i + 1);
    return false;
}

/* Programs that start others: npx PACKAGE, docker exec CONTAINER, python -m MODULE. */
static bool judge_runner(const struct subject *subject)
{
    const struct effect_reading *reading = subject->reading;
    const char *name = wrapper_basename(subject->view->words[0]);
    size_t skip = 0;
    static const char *const dlx[] = {"dlx", "x", "exec", "run"};
    bool direct = strcmp(name, "npx") == 0 || strcmp(name, "bunx") == 0 ||
                  strcmp(name, "pnpx") == 0 || strcmp(name, "uvx") == 0;
    for (size_t i = 0; i < COUNT(dlx) && !direct; i++)
        if (local_subject_operand_is(subject, 0, dlx[i]))
            skip = 1;
    if ((!direct && skip == 0) || reading->operand_count <= skip)
        return false;
    const char *package = local_subject_operand(subject, skip);
    const char *at = strchr(package + 1, '@');
    cleanup_free char *plain =
        at != NULL ? xstrndup(package, (size_t)(at - package)) : xstrdup(package);
    bool known = effects_knows(plain) && strchr(package, '/') == NULL && at == NULL;
    bool fetches = strcmp(name, "uvx") == 0 || local_subject_has(subject, "-y") ||
                   local_subject_has(subject, "--yes") ||
                   local_subject_operand_is(subject, 0, "dlx");
    bool foreign = strstr(package, "://") != NULL || strncmp(package, "git+", 4) == 0 ||
                   strncmp(package, "github:", 7) == 0;
    local_assess_rest(subject->assessor, subject->view, reading->operands[skip], false);
    if (known && !foreign && !fetches &&
        (skip == 0 || strcmp(local_subject_operand(subject, 0), "run") != 0 ||
         strcmp(name, "pipx") == 0)) {
        local_subject_note(subject, RISK_MEDIUM, 0, PHRASE_builds);
        return true;
    }
    return false;
}

/* npm run and the like: the names of scripts that publish or deploy are in the tables. */
static bool judge_package_runner(const struct subject *subject)
{
    if (local_subject_operand_is(subject, 0, "dlx") || local_subject_operand_is(subject, 0, "x") ||
        local_subject_operand_is(subject, 0, "exec"))
        return judge_runner(subject);
    return false;
}

/* python manage.py COMMAND, php artisan COMMAND: the tables know the commands. */
static bool judge_console(const struct subject *subject, size_t script)
{
    static const char *const consoles[] = {"manage.py", "artisan", "ace"};
    for (size_t i = 0; i < COUNT(consoles) && script > 0; i++)
        if (strcmp(wrapper_basename(subject->view->words[script]), consoles[i]) == 0)
            local_assess_rest(subject->assessor, subject->view, script, false);
    return false;
}

static bool judge_python(const struct subject *subject)
{
    const struct view *view = subject->view;
    for (size_t i = 1; i + 1 < view->count; i++)
        if (strcmp(view->words[i], "-m") == 0) {
            if (!effects_knows(view->words[i + 1]))
                return false;
            local_assess_rest(subject->assessor, view, i + 1, false);
            return true;
        }
    size_t script = subject->reading->operand_count > 0 ? subject->reading->operands[0] : 0;
    return judge_console(subject, script);
}

static bool judge_php(const struct subject *subject)
{
    return judge_console(subject,
                         subject->reading->operand_count > 0 ? subject->reading->operands[0] : 0);
}

/* Words behind the names of a container or pod, or behind "--". */
static void assess_in_container(const struct subject *subject, size_t skip, bool contained)
{
    const struct effect_reading *reading = subject->reading;
    struct assessor inner = *subject->assessor;
    inner.contained = contained;
    if (reading->operand_count > skip)
        local_assess_rest(&inner, subject->view, reading->operands[skip], false);
}

static bool judge_docker(const struct subject *subject)
{
    bool compose = local_subject_operand_is(subject, 0, "compose") ||
                   local_subject_operand_is(subject, 0, "container");
    const char *verb = local_subject_operand(subject, compose);
    if (strcmp(verb, "exec") == 0)
        assess_in_container(subject, 2u + compose, false);
    else if (strcmp(verb, "run") == 0)
        assess_in_container(subject, 2u + compose,
                            !local_subject_has(subject, "-v") &&
                                !local_subject_has(subject, "--volume") &&
                                !local_subject_has(subject, "--mount") &&
                                !local_subject_has(subject, "--privileged"));
    return false;
}

static bool judge_kubectl(const struct subject *subject)
{
    if (!local_subject_operand_is(subject, 0, "exec"))
        return false;
    for (size_t i = 1; i < subject->view->count; i++)
        if (strcmp(subject->view->words[i], "--") == 0)
            local_assess_rest(subject->assessor, subject->view, i + 1, true);
    return false;
}

static bool judge_parallel(const struct subject *subject)
{
    if (subject->reading->operand_count > 0)
        local_assess_rest(subject->assessor, subject->view, subject->reading->operands[0], false);
    return false;
}

static bool judge_trap(const struct subject *subject)
{
    const struct shell_node *node = subject->view->node;
    const char *script = local_subject_operand(subject, 0);
    if (subject->reading->operand_count > 1 && *script != '\0')
        local_read_script(subject->assessor, script, strlen(script), node->start, node->end, false);
    return false;
}

/* tmux new-session 'CMD', screen -dm CMD. */
static bool judge_tmux(const struct subject *subject)
{
    const struct shell_node *node = subject->view->node;
    for (size_t i = 1; i < subject->view->count; i++) {
        const char *word = subject->view->words[i];
        if (strchr(word, ' ') != NULL)
            local_read_script(subject->assessor, word, strlen(word), node->start, node->end, false);
    }
    return false;
}

/* ---- git ------------------------------------------------------------------------------------- */

/* Settings that make git run a program, or go elsewhere; in small letters. */
static bool is_hazardous_setting(const char *key, const char *value)
{
    static const char runs_code[] =
        "core.fsmonitor core.hookspath core.sshcommand core.pager core.editor core.askpass "
        "core.gitproxy core.alternaterefscommand core.attributesfile sequence.editor pager. "
        "credential.helper credential.http diff.external diff.tool filter. merge.tool mergetool. "
        "difftool. gpg.program gpg. init.templatedir include. includeif. url. http.proxy "
        "remote.*.uploadpack protocol.ext uploadpack. receive. sendemail. web.browser browser. "
        "instaweb. interactive.difffilter http.sslverify http.sslcainfo trailer. man. ssh.variant "
        "submodule.recurse safe.directory";
    if (begins_with_one(key, "alias."))
        return value != NULL && *value == '!';
    if (strcasecmp(key, "core.pager") == 0 || strcasecmp(key, "core.editor") == 0)
        return value == NULL || strpbrk(value, " /;|&$") != NULL;
    if (strcasecmp(key, "core.fsmonitor") == 0)
        return value == NULL || (strcmp(value, "true") != 0 && strcmp(value, "false") != 0);
    return begins_with_one(key, runs_code);
}

static void judge_git_config(const struct subject *subject)
{
    static const char *const reading[] = {"--get",  "--get-all",      "--get-regexp", "-l",
                                          "--list", "--get-urlmatch", "--get-color"};
    const char *verb = local_subject_operand(subject, 1);
    size_t key = 1;
    for (size_t i = 0; i < COUNT(reading); i++)
        if (local_subject_has(subject, reading[i]))
            return;
    if (strcmp(verb, "get") == 0 || strcmp(verb, "list") == 0)
        return;
    if (strcmp(verb, "set") == 0 || strcmp(verb, "unset") == 0)
        key = 2;
    bool changes =
        subject->reading->operand_count > key + 1 || local_subject_has(subject, "--unset") ||
        local_subject_has(subject, "--unset-all") || local_subject_has(subject, "--add") ||
        key == 2 || local_subject_has(subject, "-e") || local_subject_has(subject, "--edit") ||
        local_subject_has(subject, "--remove-section");
    if (!changes)
        return;
    const char *value =
        subject->reading->operand_count > key + 1 ? local_subject_operand(subject, key + 1) : NULL;
    const char *file = effects_option(subject->reading, "-f");
    if (file == NULL)
        file = effects_option(subject->reading, "--file");
    if (file != NULL)
        local_subject_note_written(subject, 0, file);
    bool account = local_subject_has(subject, "--global") || local_subject_has(subject, "--system");
    bool hazardous = is_hazardous_setting(local_subject_operand(subject, key), value);
    local_subject_note(subject, account || hazardous ? RISK_HIGH : RISK_MEDIUM,
                       account ? RISK_SYSTEM_MODIFICATION : 0,
                       hazardous ? PHRASE_runs_hidden : PHRASE_tool_settings);
}

/* git show REVISION:.env, git blame FILE */
static void note_secrets_shown(const struct subject *subject)
{
    static const char *const verbs[] = {"show", "cat-file", "blame", "annotate", "diff"};
    bool shows = false;
    for (size_t i = 0; i < COUNT(verbs); i++)
        shows = shows || local_subject_operand_is(subject, 0, verbs[i]);
    for (size_t i = 1; shows && i < subject->reading->operand_count; i++) {
        const char *word = local_subject_operand(subject, i), *colon = strchr(word, ':');
        if (place_is_secret(colon != NULL ? colon + 1 : word))
            local_subject_note_word(subject, subject->reading->operands[i], RISK_HIGH,
                                    RISK_DATA_EXFILTRATION, PHRASE_reads_secrets);
    }
}

/* git -c KEY=VALUE: what counts are the settings in front of the subcommand. */
static bool judge_git(const struct subject *subject)
{
    const struct view *view = subject->view;
    size_t subcommand = subject->reading->operand_count > 0 ? subject->reading->operands[0] : 0;
    for (size_t i = 1; i < subcommand; i++) {
        if (strcmp(view->words[i], "-c") != 0)
            continue;
        cleanup_free char *key = xstrdup(view->words[i + 1]);
        char *equals = strchr(key, '=');
        if (equals != NULL)
            *equals = '\0';
        if (is_hazardous_setting(key, equals != NULL ? equals + 1 : NULL))
            local_subject_note_word(subject, i + 1, RISK_HIGH, 0, PHRASE_runs_hidden);
    }
    note_secrets_shown(subject);
    if (local_subject_operand_is(subject, 0, "config"))
        judge_git_config(subject);
    if (local_subject_operand_is(subject, 0, "filter-branch"))
        local_subject_note(subject, RISK_HIGH, RISK_DATA_DELETION, PHRASE_rewrites_history);
    local_subject_checkout(subject);
    return false;
}

/* ---- all ------------------------------------------------------------------------------------- */

static const struct judge {
    const char *program;
    bool (*judge)(const struct subject *subject);
} judges[] = {
    {"alias", local_subject_alias},
    {"awk", judge_awk},
    {"bun", judge_package_runner},
    {"bunx", judge_runner},
    {"cd", local_subject_cd},
    {"chmod", local_subject_chmod},
    {"compare", local_subject_image},
    {"composite", local_subject_image},
    {"convert", local_subject_image},
    {"curl", local_subject_curl},
    {"dd", local_subject_dd_size},
    {"declare", local_subject_export},
    {"docker", judge_docker},
    {"docker-compose", judge_docker},
    {"echo", local_subject_echo},
    {"egrep", local_subject_grep},
    {"env", local_subject_environment},
    {"export", local_subject_export},
    {"fd", judge_find},
    {"fdfind", judge_find},
    {"find", judge_find},
    {"gawk", judge_awk},
    {"gfind", judge_find},
    {"git", judge_git},
    {"gm", local_subject_image},
    {"grep", local_subject_grep},
    {"gsed", judge_sed},
    {"identify", local_subject_image},
    {"kubectl", judge_kubectl},
    {"local", local_subject_export},
    {"magick", local_subject_image},
    {"mapfile", local_subject_read},
    {"mawk", judge_awk},
    {"mogrify", local_subject_image},
    {"mongodump", local_subject_dump},
    {"montage", local_subject_image},
    {"mysqldump", local_subject_dump},
    {"nawk", judge_awk},
    {"nerdctl", judge_docker},
    {"npm", judge_package_runner},
    {"npx", judge_runner},
    {"oc", judge_kubectl},
    {"parallel", judge_parallel},
    {"pg_dump", local_subject_dump},
    {"php", judge_php},
    {"pipx", judge_runner},
    {"pnpm", judge_package_runner},
    {"pnpx", judge_runner},
    {"podman", judge_docker},
    {"printenv", local_subject_environment},
    {"printf", local_subject_echo},
    {"pushd", local_subject_pushd},
    {"python", judge_python},
    {"python2", judge_python},
    {"python3", judge_python},
    {"read", local_subject_read},
    {"readarray", local_subject_read},
    {"readonly", local_subject_export},
    {"redis-cli", local_subject_redis},
    {"rg", local_subject_grep},
    {"rsync", local_subject_copy},
    {"scp", local_subject_copy},
    {"screen", judge_tmux},
    {"sed", judge_sed},
    {"set", local_subject_set},
    {"tar", local_subject_tar},
    {"tmux", judge_tmux},
    {"trap", judge_trap},
    {"typeset", local_subject_export},
    {"unset", local_subject_unset},
    {"uvx", judge_runner},
    {"wget", local_subject_wget},
    {"yarn", judge_package_runner},
};

static int compare_judge(const void *key, const void *judge)
{
    return strcmp(key, ((const struct judge *)judge)->program);
}

bool local_assess_special(const struct assessor *assessor, const struct view *view,
                          const struct effect_reading *reading)
{
    const struct subject subject = {assessor, view, reading};
    local_subject_tree(&subject, false);
    const struct judge *judge = bsearch(wrapper_basename(view->words[0]), judges, COUNT(judges),
                                        sizeof(judges[0]), compare_judge);
    return judge != NULL && judge->judge(&subject);
}
