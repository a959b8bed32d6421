/* SPDX-License-Identifier: MIT */
/* code_sql: what statements of SQL, and scripts of sed, do. */
#include "config.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "risk/code.h"

#define MEDIUM RISK_MEDIUM
#define HIGH RISK_HIGH

/* What a statement does, by the words in it: it begins with `verb`, and holds `also` when that is
 * not NULL. */
static const struct statement {
    const char *verb, *also;
    enum risk_level level;
    unsigned categories;
    enum phrase phrase;
} statements[] = {
    {"drop", NULL, HIGH, RISK_DATA_DELETION, PHRASE_deletes_database},
    {"truncate", NULL, HIGH, RISK_DATA_DELETION, PHRASE_deletes_database},
    {"delete", NULL, HIGH, RISK_DATA_DELETION, PHRASE_deletes_database},
    {"with", "delete from", HIGH, RISK_DATA_DELETION, PHRASE_deletes_database},
    {"purge", NULL, HIGH, RISK_DATA_DELETION, PHRASE_deletes_database},
    {"replace", NULL, MEDIUM, 0, PHRASE_database},
    {"alter", " drop ", HIGH, RISK_DATA_DELETION, PHRASE_deletes_database},
    {"alter", "superuser", HIGH, RISK_PRIVILEGE_ESCALATION, PHRASE_remote_rights},
    {"alter", "password", HIGH, RISK_PRIVILEGE_ESCALATION, PHRASE_accounts},
    {"alter", "identified by", HIGH, RISK_PRIVILEGE_ESCALATION, PHRASE_accounts},
    {"alter", "system", HIGH, RISK_SYSTEM_MODIFICATION, PHRASE_services},
    {"grant", NULL, HIGH, RISK_PRIVILEGE_ESCALATION, PHRASE_remote_rights},
    {"revoke", NULL, HIGH, RISK_PRIVILEGE_ESCALATION, PHRASE_remote_rights},
    {"create", "user", HIGH, RISK_PRIVILEGE_ESCALATION, PHRASE_accounts},
    {"create", "superuser", HIGH, RISK_PRIVILEGE_ESCALATION, PHRASE_remote_rights},
    {"copy", "program", HIGH, 0, PHRASE_runs_hidden},
    {"\\copy", " to ", MEDIUM, 0, PHRASE_edits},
    {"\\copy", " from ", MEDIUM, 0, PHRASE_database},
    {"\\i", NULL, MEDIUM, 0, PHRASE_database},
    {"\\ir", NULL, MEDIUM, 0, PHRASE_database},
    {"\\include", NULL, MEDIUM, 0, PHRASE_database},
    {"\\include_relative", NULL, MEDIUM, 0, PHRASE_database},
    {"\\lo_import", NULL, MEDIUM, 0, PHRASE_database},
    {"source", NULL, MEDIUM, 0, PHRASE_database},
    {".read", NULL, MEDIUM, 0, PHRASE_database},
    {"\\o", NULL, MEDIUM, 0, PHRASE_edits},
    {"\\g", NULL, MEDIUM, 0, PHRASE_edits},
    {".output", NULL, MEDIUM, 0, PHRASE_edits},
    {".once", NULL, MEDIUM, 0, PHRASE_edits},
    {".save", NULL, MEDIUM, 0, PHRASE_edits},
    {".backup", NULL, MEDIUM, 0, PHRASE_edits},
    {".log", NULL, MEDIUM, 0, PHRASE_edits},
    {".restore", NULL, MEDIUM, 0, PHRASE_database},
    {".import", NULL, MEDIUM, 0, PHRASE_database},
    {"load", NULL, MEDIUM, 0, PHRASE_database},
    {"select", "into outfile", HIGH, RISK_DATA_EXFILTRATION, PHRASE_edits},
    {"select", "load_file", HIGH, RISK_DATA_EXFILTRATION, PHRASE_reads_secrets},
    {"select", "load_extension", HIGH, 0, PHRASE_runs_hidden},
    {"select", "pg_read_file", HIGH, RISK_DATA_EXFILTRATION, PHRASE_reads_secrets},
    {"select", "pg_terminate_backend", MEDIUM, 0, PHRASE_ends_processes},
    {"select", "pg_shadow", HIGH, RISK_DATA_EXFILTRATION, PHRASE_reads_secrets},
    {"select", "mysql.user", HIGH, RISK_DATA_EXFILTRATION, PHRASE_reads_secrets},
    {"shutdown", NULL, HIGH, RISK_SYSTEM_MODIFICATION, PHRASE_services},
    {"\\!", NULL, HIGH, 0, PHRASE_runs_hidden},
    {".shell", NULL, HIGH, 0, PHRASE_runs_hidden},
    {".system", NULL, HIGH, 0, PHRASE_runs_hidden},
    {".load", NULL, HIGH, 0, PHRASE_runs_hidden},
};

/* Statements that only read. */
static const char *const readers[] = {"select", "show",     "explain", "describe", "desc",
                                      "with",   "values",   "use",     "begin",    "commit",
                                      "set",    "rollback", "table",   "analyze",  "pragma",
                                      "help",   "status",   "check",   "end",      "fetch"};

/* A statement in small letters, without strings and comments, blanks made one. */
struct statement_text {
    char text[1024];
    size_t length;
};

static void add_character(struct statement_text *statement, char character)
{
    char small = (char)tolower((unsigned char)character);
    if (isspace((unsigned char)small))
        small = ' ';
    if (small == ' ' && (statement->length == 0 || statement->text[statement->length - 1] == ' '))
        return;
    if (statement->length + 1 < sizeof(statement->text))
        statement->text[statement->length++] = small;
    statement->text[statement->length] = '\0';
}

/* Takes one statement, up to a semicolon; returns the bytes that it spans. */
static size_t take_statement(const char *text, size_t length, struct statement_text *statement)
{
    size_t at = 0;
    statement->length = 0;
    statement->text[0] = '\0';
    for (; at < length && text[at] != ';'; at++) {
        if (text[at] == '-' && at + 1 < length && text[at + 1] == '-') {
            while (at < length && text[at] != '\n')
                at++;
        } else if (text[at] == '\'') {
            for (at++; at < length && text[at] != '\''; at++)
                continue;
            add_character(statement, '\'');
        } else {
            add_character(statement, text[at]);
        }
    }
    return at < length ? at + 1 : length;
}

static bool begins_with(const char *text, const char *verb)
{
    size_t length = strlen(verb);
    return strncmp(text, verb, length) == 0 && !isalnum((unsigned char)text[length]);
}

static bool only_reads(const char *text)
{
    if (*text == '\0' || *text == '\\' || *text == '.')
        return true;
    for (size_t i = 0; i < COUNT(readers); i++)
        if (begins_with(text, readers[i]))
            return true;
    return false;
}

static void judge(const char *text, bool remote, const struct code_user *user)
{
    struct code_finding finding = {RISK_LOW, 0, PHRASE_reads};
    for (size_t i = 0; i < COUNT(statements); i++) {
        const struct statement *known = &statements[i];
        if (begins_with(text, known->verb) && known->level > finding.level &&
            (known->also == NULL || strstr(text, known->also) != NULL))
            finding = (struct code_finding){known->level, known->categories, known->phrase};
    }
    if (begins_with(text, "update") && strstr(text, " where ") == NULL)
        finding = (struct code_finding){RISK_HIGH, RISK_DATA_DELETION, PHRASE_deletes_database};
    else if (finding.level == RISK_LOW && !only_reads(text))
        finding = (struct code_finding){remote ? RISK_HIGH : RISK_MEDIUM, 0, PHRASE_database};
    if (finding.level > RISK_LOW)
        user->found(user->argument, finding);
    if (strstr(text, "audit") != NULL && (finding.categories & RISK_DATA_DELETION) != 0)
        user->found(user->argument,
                    (struct code_finding){RISK_HIGH, RISK_COMPLIANCE, PHRASE_deletes_logs});
}

/* ---- the clients' own commands --------------------------------------------------------------- */

/* Nobody writes more of them; each costs what its line is long. */
#define CLIENT_COMMANDS_MAX 64

/* Files that they write to, and lines that they hand to a shell: `\o FILE`, `\g | CMD`, `\! CMD`.
 */
static const struct client_command {
    const char *name;
    bool runs;          /* the rest of its line; else that is a file, or | and a command */
    bool anywhere;      /* not only at the begin of a line or statement */
    unsigned char skip; /* words in front of the file */
} client_commands[] = {
    {"\\o", false, true, 0},      {"\\out", false, true, 0},   {"\\g", false, true, 0},
    {"\\gx", false, true, 0},     {"\\w", false, true, 0},     {"\\write", false, true, 0},
    {"\\s", false, true, 0},      {"\\T", false, true, 0},     {"\\lo_export", false, true, 1},
    {"\\!", true, true, 0},       {"\\P", true, true, 0},      {".output", false, false, 0},
    {".once", false, false, 0},   {".log", false, false, 0},   {".save", false, false, 0},
    {".backup", false, false, 0}, {".clone", false, false, 0}, {".trace", false, false, 0},
    {"tee", false, false, 0},     {".shell", true, false, 0},  {".system", true, false, 0},
    {"system", true, false, 0},   {"pager", true, false, 0},
};

/* A word of a line, which quotes may hold together; `*length` is that of what they hold. */
static const char *word_of(const char *at, const char *end, size_t *length)
{
    char quote = at < end && (*at == '\'' || *at == '"') ? *at++ : '\0';
    size_t left = (size_t)(end - at);
    const char *stop = quote != '\0' ? memchr(at, quote, left) : NULL;
    *length = stop != NULL ? (size_t)(stop - at) : left;
    for (size_t i = 0; quote == '\0' && i < left; i++)
        if (isspace((unsigned char)at[i]) || at[i] == ';') {
            *length = i;
            break;
        }
    return at;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* FILE, 'FILE', | CMD, program 'CMD' */
static void read_target(const char *at, const char *end, const struct code_user *user)
{
    static const char program[] = "program ";
    size_t length, width = sizeof(program) - 1;
    const char *word;
    at = skip_blanks(at, end);
    if (at < end && *at == '|') {
        user->runs(user->argument, at + 1, (size_t)(end - at) - 1);
        return;
    }
    bool runs = (size_t)(end - at) > width && strncasecmp(at, program, width) == 0;
    if (runs)
        at = skip_blanks(at + width, end);
    word = word_of(at, end, &length);
    if (length == 0 || *word == '(') /* \g (format=csv) */
        return;
    if (runs)
        user->runs(user->argument, word, length);
    else if (strncasecmp(word, "stdout", 6) != 0 && strncasecmp(word, "stdin", 5) != 0)
        user->writes(user->argument, word, length);
}

static void read_client_command(const struct client_command *command, const char *at,
                                const char *end, const struct code_user *user)
{
    size_t length;
    at = skip_blanks(at, end);
    for (unsigned i = 0; i < command->skip; i++) {
        const char *word = word_of(at, end, &length);
        at = skip_blanks(word + length, end);
    }
    if (command->runs)
        user->runs(user->argument, at, (size_t)(end - at));
    else
        read_target(at, end, user);
}

/* copy T to FILE, copy T from program CMD: \copy does it here, and the server perhaps, too. */
static void read_copy(const char *at, const char *end, const struct code_user *user)
{
    static const char *const ways[] = {" to ", " from program "};
    for (; at < end; at++)
        for (size_t i = 0; i < COUNT(ways); i++) {
            size_t width = strlen(ways[i]);
            if ((size_t)(end - at) <= width || strncasecmp(at, ways[i], width) != 0)
                continue;
            read_target(i == 0 ? at + width : at + strlen(" from "), end, user);
            return;
        }
}

static bool is_called(const char *at, const char *end, const char *name)
{
    size_t width = strlen(name);
    return (size_t)(end - at) >= width && strncmp(at, name, width) == 0 &&
           (at + width == end || !(isalnum((unsigned char)at[width]) || at[width] == '_'));
}

/* What stands at the begin of a line or statement, or anywhere in it. True when it is one of these
 * commands. */
static bool read_client_at(const char *at, const char *end, bool begins,
                           const struct code_user *user)
{
    for (size_t i = 0; i < COUNT(client_commands); i++) {
        const struct client_command *command = &client_commands[i];
        if ((begins || command->anywhere) && is_called(at, end, command->name)) {
            read_client_command(command, at + strlen(command->name), end, user);
            return true;
        }
    }
    if (!begins ||
        !(is_called(at, end, "\\copy") || is_called(at, end, "copy") || is_called(at, end, "COPY")))
        return false;
    read_copy(at, end, user);
    return true;
}

static const char *line_end(const char *at, const char *end)
{
    const char *line = memchr(at, '\n', (size_t)(end - at));
    return line != NULL ? line : end;
}

/* A quote that does not close ends with its line: what stands behind it is looked at, too. */
static void read_client_commands(const char *text, size_t length, const struct code_user *user)
{
    const char *end = text + length, *line = length > 0 ? line_end(text, end) : end;
    bool begins = true, quoted = false;
    unsigned read = 0;
    for (const char *at = text; at < end && read < CLIENT_COMMANDS_MAX; at++) {
        if (at > line)
            line = line_end(at, end);
        if (!quoted && (*at == '\\' || (begins && !isspace((unsigned char)*at))))
            read += read_client_at(at, line, begins, user);
        quoted = *at != '\n' && quoted != (*at == '\'');
        begins = !quoted && (*at == '\n' || *at == ';' || (begins && isspace((unsigned char)*at)));
    }
    if (read == CLIENT_COMMANDS_MAX)
        user->found(user->argument, (struct code_finding){HIGH, 0, PHRASE_too_long});
}

void code_read_sql(const char *text, size_t length, bool remote, const struct code_user *user)
{
    struct statement_text statement;
    read_client_commands(text, length, user);
    while (length > 0) {
        size_t taken = take_statement(text, length, &statement);
        judge(statement.text, remote, user);
        text += taken;
        length -= taken;
    }
}

/* ---- sed ------------------------------------------------------------------------------------- */

/* Behind the three delimiters of s/a/b/: its flags, and where the b begins. NULL when it ends
 * before. */
static const char *substitution_flags(const char *script, const char **replacement)
{
    char delimiter = *++script;
    if (delimiter == '\0')
        return NULL;
    script++;
    for (int left = 2; left > 0; script++) {
        if (*script == '\\' && script[1] != '\0')
            script++;
        else if (*script == '\0')
            return NULL;
        else if (*script == delimiter && --left == 1)
            *replacement = script + 1;
    }
    return script;
}

/* Behind an address: 5, $, /x/, 1,3, 2! */
static const char *skip_address(const char *script)
{
    for (;;) {
        script += strspn(script, " \t\n;{}0123456789,$~+!");
        if (*script != '/')
            return script;
        for (script++; *script != '\0' && *script != '/'; script++)
            script += *script == '\\' && script[1] != '\0';
        script += *script != '\0';
        script += strspn(script, "IM");
    }
}

/* w FILE, to the end of the line. */
static const char *read_written(const char *letter, const struct code_user *user)
{
    const char *path = letter + 1 + strspn(letter + 1, " \t");
    const char *end = letter + strcspn(letter, "\n");
    user->found(user->argument, (struct code_finding){RISK_MEDIUM, 0, PHRASE_edits});
    if (path < end)
        user->writes(user->argument, path, (size_t)(end - path));
    return end;
}

/* With e the line that it has made is a command: the replacement, where it stands for all of it. */
static const char *read_flags(const char *replacement, const char *flags,
                              const struct code_user *user)
{
    size_t length = (size_t)(flags - replacement) - 1;
    for (; *flags != '\0' && strchr(";\n}", *flags) == NULL; flags++) {
        if (*flags == 'e') {
            user->found(user->argument, (struct code_finding){RISK_HIGH, 0, PHRASE_runs_hidden});
            user->runs(user->argument, replacement, length);
        }
        if (*flags == 'w') {
            return read_written(flags, user);
        }
    }
    return flags;
}

void code_read_sed(const char *script, const struct code_user *user)
{
    for (script = skip_address(script); *script != '\0'; script = skip_address(script)) {
        if (*script == 's' || *script == 'y') {
            const char *replacement = script;
            const char *flags = substitution_flags(script, &replacement);
            if (flags == NULL)
                return;
            script = read_flags(replacement, flags, user);
        } else if (*script == 'e') {
            user->found(user->argument, (struct code_finding){RISK_HIGH, 0, PHRASE_runs_hidden});
            user->runs(user->argument, script + 1, strcspn(script + 1, "\n"));
            return;
        } else if (*script == 'w' || *script == 'W') {
            script = read_written(script, user);
        } else if (strchr("aicrRbtT:#", *script) != NULL) {
            script += strcspn(script, "\n");
        } else {
            script++;
        }
    }
}
