/* SPDX-License-Identifier: MIT */
/* local_script: what is run in turn: scripts for shells, code for interpreters, statements for
 * databases, as words, as here-documents and through pipes. */
#include "config.h"

#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"
#include "command/wrapper.h"
#include "risk/code.h"
#include "risk/local-int.h"
#include "risk/place.h"

static bool is_shell(const char *name)
{
    static const char *const names[] = {"bash", "sh", "zsh", "dash", "ksh", "ash", "mksh", "fish"};
    return IS_IN(name, names);
}

static bool is_database(const char *name)
{
    static const char *const names[] = {"psql",
                                        "mysql",
                                        "mariadb",
                                        "sqlite3",
                                        "sqlite",
                                        "duckdb",
                                        "mycli",
                                        "pgcli",
                                        "cockroach",
                                        "sqlcmd",
                                        "usql",
                                        "cqlsh",
                                        "litecli",
                                        "isql",
                                        "snowsql",
                                        "sqlplus",
                                        "clickhouse-client",
                                        "clickhouse"};
    return IS_IN(name, names);
}

/* ---- code ------------------------------------------------------------------------------------ */

/* Where findings in code are noted. */
struct code_place {
    const struct assessor *assessor;
    size_t start, end;
    bool found;
};

static void code_found(void *argument, struct code_finding finding)
{
    struct code_place *place = argument;
    place->found = true;
    local_note(place->assessor, (struct finding){finding.level, finding.categories, finding.phrase,
                                                 place->start, place->end, NULL});
}

static void code_runs(void *argument, const char *script, size_t length)
{
    const struct code_place *place = argument;
    local_read_script(place->assessor, script, length, place->start, place->end, false);
}

static void code_writes(void *argument, const char *path, size_t length)
{
    const struct code_place *place = argument;
    local_note_written(place->assessor, local_keep(place->assessor, xstrndup(path, length)),
                       place->start, place->end);
}

void local_read_code(const struct assessor *assessor, char language, const char *code,
                     size_t length, size_t start, size_t end)
{
    struct code_place place = {assessor, start, end, false};
    struct code_user user = {code_found, code_runs, code_writes, &place};
    code_read(language, code, length, &user);
    if (!place.found)
        local_note(assessor, (struct finding){RISK_LOW, 0, PHRASE_reads, start, end, NULL});
}

static void read_code_word(const struct assessor *assessor, const struct view *view, char language,
                           size_t index, const char *code)
{
    const struct shell_word *word = &view->node->words[view->first + index];
    bool open;
    local_resolve(assessor, word, &open);
    if (open && (*code == '$' || *code == '`'))
        local_note(assessor, (struct finding){RISK_HIGH, 0, PHRASE_made_up_code, word->start,
                                              word->end, NULL});
    local_read_code(assessor, language, code, strlen(code), word->start, word->end);
}

/* What gives code as a word: -c, -e, -r, --eval … True when there was some. */
static bool read_code_options(const struct assessor *assessor, const struct view *view,
                              const struct effect_reading *reading, char language)
{
    static const struct {
        char language;
        const char *options[4];
    } options[] = {{'p', {"-c"}},       {'n', {"-e", "-p", "--eval", "--print"}},
                   {'l', {"-e", "-E"}}, {'r', {"-e"}},
                   {'h', {"-r"}},       {'u', {"-e"}},
                   {'m', {"--eval"}}};
    bool found = false;
    for (size_t i = 0; i < COUNT(options); i++)
        for (size_t j = 0; j < COUNT(options[i].options) && options[i].options[j] != NULL; j++) {
            const char *option = options[i].options[j], *value;
            size_t at = 0;
            if (options[i].language != language)
                continue;
            for (; (value = effects_next_option(reading, option, &at)) != NULL; found = true) {
                size_t index = at - 1; /* of the option */
                bool apart = index + 1 < view->count && value == view->words[index + 1];
                if (*value != '\0' || apart)
                    read_code_word(assessor, view, language, index + apart, value);
            }
        }
    return found;
}

/* PowerShell takes any beginning of an option's name, in any letters. True when there was code. */
static bool read_powershell(const struct assessor *assessor, const struct view *view)
{
    for (size_t i = 1; i + 1 < view->count; i++) {
        const char *option = view->words[i] + 1;
        size_t length = strlen(option);
        if (view->words[i][0] != '-' || length == 0)
            continue;
        if (strncasecmp(option, "command", length) == 0) {
            read_code_word(assessor, view, 'w', i + 1, view->words[i + 1]);
            return true;
        }
        if (strncasecmp(option, "encodedcommand", length) == 0) {
            local_note_view(assessor, view, RISK_HIGH, 0, PHRASE_runs_hidden);
            return true;
        }
    }
    return false;
}

/* perl -i and ruby -i change files. */
static void note_in_place(const struct assessor *assessor, const struct view *view,
                          const struct effect_reading *reading, char language)
{
    if ((language != 'l' && language != 'r') || !effects_has_option(reading, "-i"))
        return;
    local_note_view(assessor, view, RISK_MEDIUM, 0, PHRASE_edits);
    for (size_t i = 0; i < reading->operand_count; i++) {
        const struct shell_word *word = &view->node->words[view->first + reading->operands[i]];
        local_note_written(assessor, view->words[reading->operands[i]], word->start, word->end);
    }
}

/* Files that one-liners go through. */
static void note_operands(const struct assessor *assessor, const struct view *view,
                          const struct effect_reading *reading)
{
    for (size_t i = 0; i < reading->operand_count; i++) {
        const struct shell_word *word = &view->node->words[view->first + reading->operands[i]];
        if (place_is_secret(view->words[reading->operands[i]]))
            local_note(assessor,
                       (struct finding){RISK_HIGH, RISK_DATA_EXFILTRATION, PHRASE_reads_secrets,
                                        word->start, word->end, word->text});
    }
}

/* ---- standard input -------------------------------------------------------------------------- */

/* What comes in as code, through a pipe or as a here-document: the bytes when they stand in the
 * line. True when there is anything. */
static bool find_input(const struct assessor *assessor, const struct shell_node *node,
                       const char **text, size_t *length)
{
    *text = local_fed_text(assessor, node, length);
    return *text != NULL || node->feeds.last > node->feeds.first;
}

/* Does the interpreter take its code from standard input? */
static bool reads_code(const struct effect_reading *reading)
{
    if (reading->operand_count == 0)
        return !effects_has_option(reading, "-m") && !effects_has_option(reading, "-f") &&
               !effects_has_option(reading, "-n");
    const char *first = reading->words[reading->operands[0]];
    return strcmp(first, "-") == 0 || effects_has_option(reading, "-s") ||
           strcmp(first, "/dev/stdin") == 0;
}

/* sh < FILE */
static bool is_from_file(const struct shell_node *node)
{
    for (size_t i = 0; i < node->redirect_count; i++)
        if (node->redirects[i].kind == SHELL_FROM && node->redirects[i].number == 0 &&
            strcmp(node->redirects[i].target.text, "/dev/null") != 0)
            return true;
    return false;
}

static bool read_input(const struct assessor *assessor, const struct view *view, const char *name,
                       char language)
{
    const struct shell_node *node = view->node;
    size_t length;
    const char *text;
    if (!find_input(assessor, node, &text, &length)) {
        if (language == '\0' && is_from_file(node))
            local_note_view(assessor, view, RISK_HIGH, 0, PHRASE_runs_input);
        return false;
    }
    if (text == NULL && is_database(name)) {
        local_note_view(assessor, view, RISK_MEDIUM, 0, PHRASE_database);
    } else if (text == NULL) {
        bool downloads = assessor->downloads[node - assessor->tree->nodes];
        local_note_view(assessor, view, RISK_HIGH, 0,
                        downloads ? PHRASE_runs_downloaded : PHRASE_runs_input);
    } else if (language != '\0') {
        local_read_code(assessor, language, text, length, node->start, node->end);
    } else {
        local_read_script(assessor, text, length, node->start, node->end, false);
    }
    return true;
}

/* ---- shells ---------------------------------------------------------------------------------- */

/* sh -c SCRIPT WORD…: the words are $0, $1 … of the script. */
static void set_positions(const struct assessor *assessor, const struct view *view, size_t first)
{
    for (size_t i = first; i < view->count && i < first + 10; i++) {
        bool open;
        const char *text = local_resolve(assessor, &view->node->words[view->first + i], &open);
        cleanup_free char *assignment = xasprintf("%zu=%s", i - first, text);
        if (!open)
            local_set_variable(assessor, assignment);
    }
}

/* Commands behind an alias that are compared with its names. */
#define LATER_MAX 256

/* Is one of the names that `alias` gives here the name of a later command? So it is taken to be
 * where more follow than are compared. */
static bool names_later_command(const struct assessor *assessor, const struct view *view)
{
    const struct shell_tree *tree = assessor->tree;
    size_t later = 0;
    for (size_t i = 0; i < tree->count; i++) {
        const struct shell_node *node = &tree->nodes[i];
        if (node->word_count == 0 || node->start <= view->node->start)
            continue;
        const char *name = node->words[0].text;
        size_t length = strlen(name);
        if (++later > LATER_MAX)
            return true;
        for (size_t j = 1; j < view->count; j++)
            if (strncmp(view->words[j], name, length) == 0 && view->words[j][length] == '=')
                return true;
    }
    return false;
}

/* bash -c SCRIPT and the like. True when the program needs no further look. */
static bool read_script_word(const struct assessor *assessor, const struct view *view)
{
    size_t index;
    const char *name = wrapper_basename(view->words[0]);
    bool remote = strcmp(name, "ssh") == 0;
    if (strcmp(name, "alias") == 0 && !names_later_command(assessor, view))
        return false;
    cleanup_free char *script = wrapper_script(view->words, view->count, &index);
    if (script == NULL)
        return false;
    const struct shell_word *word = &view->node->words[view->first + index];
    size_t known = assessor->known->variable_count;
    if (is_shell(name))
        set_positions(assessor, view, index + 1);
    size_t last = view->first + view->count - 1;
    size_t end = remote || strcmp(name, "eval") == 0 ? view->node->words[last].end : word->end;
    local_read_script(assessor, script, strlen(script), word->start, end, remote);
    if (is_shell(name))
        local_forget_variables(assessor, known); /* they are the inner shell's */
    return !remote;
}

void local_read_wrapped(const struct assessor *assessor, const struct view *view)
{
    const struct shell_node *node = view->node;
    size_t index;
    if (view->first == 0 && view->words[0] == node->words[0].text && !is_shell(view->words[0]))
        return;
    const char **words = shell_tree_argv(node);
    cleanup_free char *script = wrapper_script(words, node->word_count, &index);
    if (script != NULL && index < view->first)
        local_read_script(assessor, script, strlen(script), node->words[index].start,
                          node->words[index].end, false);
    free(words);
}

/* ---- databases ------------------------------------------------------------------------------- */

/* A database in a file of this machine, by a program whose options are words behind one dash. */
static bool is_file_database(const struct view *view)
{
    const char *name = wrapper_basename(view->words[0]);
    return strncmp(name, "sqlite", 6) == 0 || strcmp(name, "duckdb") == 0;
}

static bool is_remote_database(const struct view *view, const struct effect_reading *reading)
{
    if (is_file_database(view))
        return false;
    static const char *const options[] = {"-h", "--host", "-H", "-S"};
    for (size_t i = 0; i < COUNT(options); i++) {
        const char *host = effects_option(reading, options[i]);
        if (host != NULL && *host != '/' && *host != '\0' && !place_is_this_machine(host))
            return true;
    }
    for (size_t i = 1; i < view->count; i++) {
        const char *host = strstr(view->words[i], "host=");
        if (strstr(view->words[i], "://") != NULL && !place_is_this_machine(view->words[i]))
            return true;
        if (host != NULL && host[5] != '/' && !place_is_this_machine(host + 5))
            return true;
    }
    return false;
}

struct sql_reading {
    struct code_user user;
    bool remote, read;
};

static void read_sql(const struct assessor *assessor, const struct view *view, const char *text,
                     size_t length, struct sql_reading *sql)
{
    const struct shell_node *node = view->node;
    struct code_place place = {assessor, node->start, node->end, false};
    struct code_user user = {code_found, code_runs, code_writes, &place};
    code_read_sql(text, length, sql->remote, &user);
    sql->read = true;
}

static void read_database_words(const struct assessor *assessor, const struct view *view,
                                const struct effect_reading *reading, struct sql_reading *sql)
{
    static const char *const options[] = {"-c",      "-e", "--command", "--execute",
                                          "--query", "-q", "-Q"};
    bool file = is_file_database(view);
    for (size_t i = 1; file && i + 1 < view->count; i++)
        if (strcmp(view->words[i], "-cmd") == 0 || strcmp(view->words[i], "-c") == 0)
            read_sql(assessor, view, view->words[i + 1], strlen(view->words[i + 1]), sql);
    for (size_t i = 0; i < COUNT(options) && !file; i++) {
        const char *text;
        for (size_t at = 0; (text = effects_next_option(reading, options[i], &at)) != NULL;)
            if (strcmp(options[i], "-q") != 0 || strchr(text, ' ') != NULL)
                read_sql(assessor, view, text, strlen(text), sql);
    }
    for (size_t i = 1; i < reading->operand_count; i++)
        if (file) {
            const char *text = view->words[reading->operands[i]];
            read_sql(assessor, view, text, strlen(text), sql);
        }
}

/* psql -o '| CMD' */
static void read_piped_output(const struct assessor *assessor, const struct view *view,
                              const struct effect_reading *reading)
{
    const struct shell_node *node = view->node;
    for (size_t i = 0; i < reading->file_count; i++) {
        const char *path = reading->files[i].path;
        if (reading->files[i].output && *path == '|')
            local_read_script(assessor, path + 1, strlen(path + 1), node->start, node->end, false);
    }
}

static bool assess_database(const struct assessor *assessor, const struct view *view,
                            const struct effect_reading *reading)
{
    struct sql_reading sql = {.remote = is_remote_database(view, reading)};
    size_t length;
    const char *text;
    enum risk_level level = sql.remote ? RISK_MEDIUM : RISK_LOW;
    unsigned categories = sql.remote ? RISK_NETWORK_ACCESS : 0;
    if (effects_has_option(reading, "-l") || effects_has_option(reading, "--list"))
        sql.read = true;
    note_operands(assessor, view, reading); /* sqlite3 FILE */
    read_piped_output(assessor, view, reading);
    read_database_words(assessor, view, reading, &sql);
    if (find_input(assessor, view->node, &text, &length)) {
        if (text != NULL)
            read_sql(assessor, view, text, length, &sql);
        else
            level = sql.remote ? RISK_HIGH : RISK_MEDIUM;
        sql.read = true;
    }
    if (!sql.read)
        level = RISK_MEDIUM;
    local_note_view(assessor, view, level, categories,
                    level == RISK_LOW ? PHRASE_reads : PHRASE_database);
    return true;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* perl -MLWP::Simple, ruby -ropen-uri: what is loaded says what the code can do. */
static void read_modules(const struct assessor *assessor, const struct view *view,
                         const struct effect_reading *reading, char language)
{
    static const struct {
        char language;
        const char *option;
    } options[] = {{'l', "-M"},        {'r', "-r"},       {'n', "-r"},
                   {'n', "--require"}, {'n', "--import"}, {'n', "--loader"}};
    const struct shell_node *node = view->node;
    for (size_t i = 0; i < COUNT(options); i++) {
        const char *module;
        for (size_t at = 0;
             options[i].language == language &&
             (module = effects_next_option(reading, options[i].option, &at)) != NULL;) {
            bool own = *module == '.' || *module == '/' || effects_has_option(reading, "-I");
            if (own) /* a file of the project's, or found among them */
                local_note_view(assessor, view, RISK_MEDIUM, 0, PHRASE_builds);
            local_read_code(assessor, language, module, strlen(module), node->start, node->end);
        }
    }
}

static bool assess_interpreter(const struct assessor *assessor, const struct view *view,
                               const struct effect_reading *reading, char language)
{
    bool code = language == 'w' ? read_powershell(assessor, view)
                                : read_code_options(assessor, view, reading, language);
    read_modules(assessor, view, reading, language);
    if (reading->operand_count > 1 && strcmp(reading->words[reading->operands[0]], "eval") == 0) {
        size_t index = reading->operands[1]; /* deno eval CODE */
        read_code_word(assessor, view, language, index, view->words[index]);
        code = true;
    }
    note_in_place(assessor, view, reading, language);
    if (language == 'm' && is_remote_database(view, reading))
        local_note_view(assessor, view, RISK_MEDIUM, RISK_NETWORK_ACCESS, PHRASE_database);
    if (code)
        note_operands(assessor, view, reading);
    if (!code && language != 'a' && reads_code(reading))
        code = read_input(assessor, view, wrapper_basename(view->words[0]), language);
    return code;
}

bool local_assess_inner(const struct assessor *assessor, const struct view *view)
{
    const char *name = wrapper_basename(view->words[0]);
    char language = code_language(name);
    bool shell = is_shell(name), done = false;
    if (read_script_word(assessor, view))
        return true;
    if (!shell && language == '\0' && !is_database(name) && strcmp(name, "ssh") != 0)
        return false;
    struct effect_reading reading;
    effects_read(view->words, view->count, &reading);
    if (is_database(name))
        done = assess_database(assessor, view, &reading);
    else if (language != '\0')
        done = assess_interpreter(assessor, view, &reading, language);
    else if (strcmp(name, "ssh") == 0 && reading.operand_count > 1) {
        size_t length;
        const char *text;
        if (find_input(assessor, view->node, &text, &length) && text == NULL)
            local_note_view(assessor, view, RISK_HIGH, RISK_NETWORK_ACCESS | RISK_DATA_EXFILTRATION,
                            PHRASE_sends);
    } else if (strcmp(name, "ssh") == 0 && reading.operand_count == 1) {
        struct assessor there = *assessor;
        there.remote = true;
        read_input(&there, view, name, '\0');
    } else if (reading.operand_count == 1 &&
               strcmp(reading.words[reading.operands[0]], "{}") == 0) {
        local_note_view(assessor, view, RISK_HIGH, 0, PHRASE_runs_hidden);
    } else if (shell && reads_code(&reading)) {
        done = read_input(assessor, view, name, '\0');
    }
    effects_clear(&reading);
    return done;
}
