/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/code.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "risk/effects.h"
#include "risk/place.h"

/* Longer code is looked at no further. */
#define CODE_MAX ((size_t)64 * 1024)

#define MEDIUM RISK_MEDIUM
#define HIGH RISK_HIGH
#define D RISK_DATA_DELETION
#define X RISK_DATA_EXFILTRATION
#define P RISK_PRIVILEGE_ESCALATION
#define S RISK_SYSTEM_MODIFICATION
#define N RISK_NETWORK_ACCESS
#define CODE(languages, call, level, categories, phrase, example)                                  \
    {languages, call, level, categories, PHRASE_##phrase},

static const struct call {
    const char *languages;
    const char *text;
    enum risk_level level;
    unsigned categories;
    enum phrase phrase;
} calls[] = {
#include "risk/code_table.def"
};

#undef D
#undef X
#undef P
#undef S
#undef N

static const struct {
    const char *program; /* and with a version behind it */
    char language;
} languages[] = {
    {"python", 'p'}, {"pypy", 'p'},       {"ipython", 'p'}, {"node", 'n'}, {"deno", 'n'},
    {"bun", 'n'},    {"perl", 'l'},       {"ruby", 'r'},    {"php", 'h'},  {"lua", 'u'},
    {"awk", 'a'},    {"gawk", 'a'},       {"mawk", 'a'},    {"nawk", 'a'}, {"mongosh", 'm'},
    {"mongo", 'm'},  {"nodejs", 'n'},     {"jruby", 'r'},   {"tsx", 'n'},  {"luajit", 'u'},
    {"pwsh", 'w'},   {"powershell", 'w'}, {"ts-node", 'n'},
};

char code_language(const char *program)
{
    for (size_t i = 0; i < COUNT(languages); i++) {
        size_t length = strlen(languages[i].program);
        if (*program == *languages[i].program &&
            strncmp(program, languages[i].program, length) == 0 &&
            program[length + strspn(program + length, "0123456789.")] == '\0')
            return languages[i].language;
    }
    return '\0';
}

/* ---- strings --------------------------------------------------------------------------------- */

/* Code being looked at: `text` as written, `bare` with the content of its strings blanked. */
struct source {
    char language;
    char *text, *bare;
    size_t length;
    const struct code_user *user;
    bool *edits; /* it changes a file */
};

/* May a string between such quotes have a line break in it? */
static bool spans_lines(char quote, char language)
{
    return quote == '`' || strchr("pnmua", language) == NULL;
}

static bool is_triple(const struct source *source, size_t at)
{
    return source->language == 'p' && at + 2 < source->length &&
           source->text[at + 1] == source->text[at] && source->text[at + 2] == source->text[at];
}

/* The end of the string that begins at `at`, which is its closing quote, or the end. */
static size_t string_end(const struct source *source, size_t at)
{
    const char *text = source->text;
    char quote = text[at];
    bool triple = is_triple(source, at), lines = triple || spans_lines(quote, source->language);
    for (at += triple ? 3 : 1; at < source->length; at++) {
        if (text[at] == quote && (!triple || is_triple(source, at)))
            return triple ? at + 2 : at;
        if (text[at] == '\n' && !lines)
            return at;
        at += text[at] == '\\' && at + 1 < source->length;
    }
    return at;
}

/* Where a comment that begins at `at` ends; `at` when there is none. A quote in one opens nothing.
 * What only looks like a comment is still searched for calls. */
static size_t comment_end(const struct source *source, size_t at)
{
    static const struct {
        const char *languages, *begins, *ends;
    } comments[] = {
        {"plrhaw", "#", "\n"}, {"nmh", "//", "\n"}, {"nmh", "/*", "*/"}, {"u", "--", "\n"}};
    const char *text = source->text + at;
    if (at > 0 && strchr(" \t\r\n;{}()", text[-1]) == NULL)
        return at;
    for (size_t i = 0; i < COUNT(comments); i++) {
        if (strchr(comments[i].languages, source->language) == NULL ||
            strncmp(text, comments[i].begins, strlen(comments[i].begins)) != 0)
            continue;
        const char *end = strstr(text, comments[i].ends);
        return end != NULL ? (size_t)(end - source->text) : source->length;
    }
    return at;
}

static bool is_quote(char character, char language)
{
    return character == '"' || character == '\'' || (character == '`' && language == 'n');
}

static void source_open(struct source *source, char language, const char *code, size_t length,
                        const struct code_user *user)
{
    source->language = language;
    source->length = length < CODE_MAX ? length : CODE_MAX;
    source->text = xcalloc(source->length + 1, 1);
    source->bare = xcalloc(source->length + 1, 1);
    source->user = user;
    memcpy(source->text, code, source->length);
    memcpy(source->bare, code, source->length);
    for (size_t at = 0; at < source->length; at++) {
        at = comment_end(source, at);
        if (at >= source->length || !is_quote(source->text[at], language))
            continue;
        size_t end = string_end(source, at);
        memset(source->bare + at + 1, ' ', end > at ? end - at - 1 : 0);
        at = end;
    }
    for (size_t at = 0; language == 'w' && at < source->length; at++)
        source->bare[at] = (char)tolower((unsigned char)source->bare[at]);
}

static void source_close(struct source *source)
{
    free(source->text);
    free(source->bare);
}

static void report(const struct source *source, enum risk_level level, unsigned categories,
                   enum phrase phrase)
{
    *source->edits = *source->edits || phrase == PHRASE_edits;
    source->user->found(source->user->argument, (struct code_finding){level, categories, phrase});
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool is_name(char character)
{
    return isalnum((unsigned char)character) || character == '_';
}

/* Where `text` stands in `code` as a name of its own. */
static const char *find_call(const char *code, const char *text)
{
    size_t length = strlen(text);
    for (const char *at = strstr(code, text); at != NULL; at = strstr(at + 1, text)) {
        bool begins = !is_name(*text) || at == code || (!is_name(at[-1]) && at[-1] != '$');
        bool ends = !is_name(text[length - 1]) || !is_name(at[length]) || strchr(text, '.') ||
                    isupper((unsigned char)at[length]);
        if (begins && ends)
            return at;
    }
    return NULL;
}

/* Is it code between the strings of a call that only says how they are run? */
static bool is_manner(const char *text, size_t length)
{
    static const char known[] =
        " subprocess run call check_call check_output Popen shell True False "
        "check capture_output text universal_newlines stdout stderr PIPE "
        "DEVNULL ";
    while (length > 0) {
        size_t width = 0;
        while (width < length && is_name(text[width]))
            width++;
        char name[32];
        if (width > 0 &&
            (width + 3 > sizeof(name) || (snprintf(name, sizeof(name), " %.*s ", (int)width, text),
                                          strstr(known, name) == NULL)))
            return false;
        if (width == 0 && strchr(" \t[](,=.", *text) == NULL)
            return false;
        width += width == 0;
        text += width;
        length -= width;
    }
    return true;
}

/* The strings in parentheses, brackets or words behind a call, put together as a command line:
 * system("rm -rf x"), subprocess.run(["rm", "-rf", "x"]). True when that is all that is run. */
static bool report_run(const struct source *source, size_t at)
{
    cleanup_strbuf struct strbuf script = STRBUF_INIT;
    bool whole = true, list = false;
    while (at < source->length && strchr(";)\n", source->bare[at]) == NULL) {
        if (!is_quote(source->text[at], source->language) && source->text[at] != '`') {
            size_t from = at;
            while (at < source->length && strchr(";)\n\"'`", source->bare[at]) == NULL)
                at++;
            whole = whole && is_manner(source->text + from, at - from);
            list = list || (source->language == 'p' && memchr(source->text + from, '[', at - from));
            continue;
        }
        size_t end = string_end(source, at);
        if (script.length > 0)
            strbuf_addch(&script, ' ');
        cleanup_free char *string = xstrndup(source->text + at + 1, end > at ? end - at - 1 : 0);
        if (list)
            text_quote_argv(&script, (const char *const[]){string, NULL});
        else
            strbuf_addstr(&script, string);
        at = end + 1;
    }
    if (script.length > 0)
        source->user->runs(source->user->argument, script.data, script.length);
    return whole && script.length > 0;
}

/* `ls` in perl, ruby and php. */
static void read_backquotes(const struct source *source)
{
    if (strchr("lrh", source->language) == NULL)
        return;
    for (size_t at = 0; at < source->length; at++)
        if (source->bare[at] == '`') {
            size_t end = string_end(source, at);
            report(source, RISK_MEDIUM, 0, PHRASE_inner_shell);
            source->user->runs(source->user->argument, source->text + at + 1,
                               end > at ? end - at - 1 : 0);
            at = end;
        }
}

static bool all_local(const struct source *source)
{
    size_t addresses = 0;
    for (const char *at = strstr(source->text, "://"); at != NULL; at = strstr(at + 3, "://")) {
        addresses++;
        if (!place_is_this_machine(at))
            return false;
    }
    return addresses > 0;
}

/* Python's calls that run a command which stands there in full, and no other: what is to be said is
 * what that does. */
static bool runs_in_full(const struct source *source, const struct call *call, const char *code,
                         const char *at)
{
    if (source->language != 'p' || call->phrase != PHRASE_inner_shell || call->level > MEDIUM ||
        find_call(at + 1, call->text) != NULL)
        return false;
    return report_run(source, (size_t)(at - code) + strlen(call->text) - 1);
}

static void read_calls(const struct source *source)
{
    bool local = all_local(source);
    for (size_t i = 0; i < COUNT(calls); i++) {
        const struct call *call = &calls[i];
        bool whole = *call->text == '=' && call->text[1] != '\0';
        const char *code = whole ? source->text : source->bare;
        if (strchr(call->languages, source->language) == NULL)
            continue;
        const char *at = whole ? strstr(code, call->text + 1) : find_call(code, call->text);
        if (at == NULL)
            continue;
        if (runs_in_full(source, call, code, at))
            continue;
        bool connects = (call->categories & RISK_NETWORK_ACCESS) != 0;
        if (!connects || !local)
            report(source, call->level, call->categories, call->phrase);
        else if (call->level > RISK_MEDIUM)
            report(source, RISK_MEDIUM, 0, call->phrase);
        if (call->phrase == PHRASE_inner_shell && source->language != 'a')
            report_run(source, (size_t)(at - code) + strlen(call->text) - 1);
        else if (call->phrase == PHRASE_inner_shell)
            report_run(source, 0);
    }
}

/* The file whose name is the first string behind a place of the code. */
static void report_written(const struct source *source, size_t at)
{
    while (at < source->length && !is_quote(source->text[at], source->language))
        at++;
    size_t end = at < source->length ? string_end(source, at) : at;
    if (end > at + 1)
        source->user->writes(source->user->argument, source->text + at + 1, end - at - 1);
}

/* awk's print and printf, whose output goes to a file or into a program's input: the sign for it
 * stands outside parentheses, where it would compare. */
static void read_prints(const struct source *source)
{
    for (const char *at = strstr(source->bare, "print"); at != NULL; at = strstr(at + 1, "print")) {
        int depth = 0;
        for (const char *sign = at; *sign != '\0' && strchr(";}\n", *sign) == NULL; sign++) {
            depth += (*sign == '(') - (*sign == ')');
            if (depth == 0 && *sign == '>') {
                report(source, RISK_MEDIUM, 0, PHRASE_edits);
                report_written(source, (size_t)(sign - source->bare) + 1);
                break;
            }
            if (depth == 0 && *sign == '|' && sign[1] != '|' && sign[-1] != '|') {
                report(source, RISK_HIGH, 0, PHRASE_inner_shell);
                report_run(source, (size_t)(sign - source->bare) + 1);
                break;
            }
        }
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

/* What opens a file is no longer: calls in calls are looked through again and again. */
enum { OPEN_MAX = 512 };

/* Where the brackets of a call close, or the line ends. */
static size_t call_end(const struct source *source, size_t at)
{
    int depth = 0;
    size_t stop = source->length - at > OPEN_MAX ? at + OPEN_MAX : source->length;
    for (; at < stop && source->bare[at] != '\n'; at++) {
        depth += (source->bare[at] == '(') - (source->bare[at] == ')');
        if (depth == 0 && source->bare[at] == ')')
            break;
    }
    return at;
}

/* open("x", "w") and its like: a string behind the first one that says so. */
static void read_opens(const struct source *source)
{
    for (const char *at = find_call(source->bare, "open("); at != NULL;
         at = find_call(at + 1, "open(")) {
        size_t stop = call_end(source, (size_t)(at - source->bare));
        size_t strings = 0;
        for (size_t i = (size_t)(at - source->bare); i < stop; i++) {
            if (!is_quote(source->text[i], source->language))
                continue;
            size_t close = string_end(source, i);
            char mode = source->text[i + 1];
            if (strings++ > 0 && strchr("wax>+", mode) != NULL) {
                report(source, RISK_MEDIUM, 0, PHRASE_edits);
                report_written(source, (size_t)(at - source->bare));
                break;
            }
            i = close;
        }
    }
}

/* PHP calls functions by their names: array_map("unlink", …). */
static void read_name(const struct source *source, const char *string)
{
    size_t length = strlen(string);
    for (size_t i = 0; i < COUNT(calls) && length > 2; i++)
        if (strchr(calls[i].languages, 'h') != NULL &&
            strncmp(calls[i].text, string, length) == 0 && strcmp(calls[i].text + length, "(") == 0)
            report(source, calls[i].level, calls[i].categories, calls[i].phrase);
}

static void read_string(const struct source *source, const char *string)
{
    if (source->language == 'h')
        read_name(source, string);
    static const char *const startup[] = {"/.bashrc", "/.zshrc", "/.profile", "authorized_keys"};
    if (strpbrk(string, "/.") != NULL && strchr(string, ' ') == NULL && place_is_secret(string))
        report(source, RISK_HIGH, RISK_DATA_EXFILTRATION, PHRASE_reads_secrets);
    for (size_t i = 0; i < COUNT(startup); i++)
        if (strstr(string, startup[i]) != NULL)
            report(source, RISK_HIGH, RISK_SYSTEM_MODIFICATION, PHRASE_startup_files);
}

static bool names_home(const struct source *source)
{
    static const char *const names[] = {"home", "HOME", "expanduser"};
    bool named = false;
    for (size_t i = 0; i < COUNT(names); i++)
        named = named || strstr(source->text, names[i]) != NULL;
    return named;
}

/* Of code that changes files: does it name one that runs, or that the approver obeys? Its home may
 * be put in front by a call. */
static void read_target(const struct source *source, const char *string, bool home)
{
    bool relative = strchr("/~", *string) == NULL;
    cleanup_free char *joined = xasprintf("~/%s", string + (*string == '/'));
    enum place place = place_of(string, NULL, NULL);
    if (home && place <= PLACE_OUTSIDE && (relative || strchr(string + 1, '/') == NULL)) {
        place = place_of(joined, NULL, NULL);
        string = joined;
    }
    if (place >= PLACE_CODE && place <= PLACE_PROGRAM)
        source->user->writes(source->user->argument, string, strlen(string));
}

static void read_strings(const struct source *source)
{
    bool home = names_home(source);
    for (size_t at = 0; at < source->length; at++) {
        if (!is_quote(source->text[at], source->language))
            continue;
        size_t end = string_end(source, at);
        cleanup_free char *string = xcalloc(end - at + 1, 1);
        if (end > at)
            memcpy(string, source->text + at + 1, end - at - 1);
        read_string(source, string);
        if (*source->edits && strchr(string, ' ') == NULL)
            read_target(source, string, home);
        at = end;
    }
}

/* ---- code of others -------------------------------------------------------------------------- */

static bool is_known_module(const char *name, size_t length)
{
    static const char known[] =
        "abc argparse array ast base64 binascii bisect calendar cmath codecs collections colorsys "
        "configparser contextlib copy csv dataclasses datetime decimal difflib dis email enum "
        "errno fnmatch fractions functools gc getpass gettext glob hashlib heapq hmac html http "
        "importlib inspect io ipaddress itertools json keyword linecache locale logging math "
        "mimetypes numbers operator os pathlib pkgutil platform pprint queue random re secrets "
        "shlex shutil signal site socket sqlite3 ssl stat statistics string struct subprocess sys "
        "sysconfig tempfile textwrap threading time timeit tokenize tomllib traceback types typing "
        "unicodedata urllib uuid warnings xml yaml toml zipfile zlib numpy pandas requests httpx "
        "fs path util url assert crypto events stream child_process https";
    for (const char *at = known; *at != '\0'; at += strspn(at, " ")) {
        size_t width = strcspn(at, " ");
        if (width == length && memcmp(at, name, length) == 0)
            return true;
        at += width;
    }
    return false;
}

/* A module that is not one of the language's own, and of which something is called. */
static void read_imports(const struct source *source)
{
    for (const char *at = find_call(source->bare, "import "); at != NULL;
         at = find_call(at + 1, "import ")) {
        const char *from = source->bare;
        const char *name = at + strlen("import ");
        if (strncmp(from, "from ", 5) == 0)
            name = from + 5;
        size_t length = 0;
        while (is_name(name[length]))
            length++;
        const char *rest = strpbrk(at, ";\n");
        if (length > 0 && rest != NULL && !is_known_module(name, length) &&
            strstr(rest, "__version__") == NULL && strstr(rest, "__file__") == NULL &&
            strchr(rest, '(') != NULL && memmem(rest, strlen(rest), name, length) != NULL)
            report(source, RISK_MEDIUM, 0, PHRASE_builds);
    }
}

/* A file that is read and a connection that is open: what was read can go there. */
static void read_sending(const struct source *source)
{
    static const char *const reads[] = {".read(",       "readFile",    "File.read",
                                        ".read_bytes(", ".read_text(", "file_get_contents",
                                        "environ",      "process.env"};
    bool connected = false, read = false;
    for (size_t i = 0; i < COUNT(calls); i++)
        connected = connected || (calls[i].phrase == PHRASE_raw_connection &&
                                  strchr(calls[i].languages, source->language) != NULL &&
                                  find_call(source->bare, calls[i].text) != NULL);
    for (size_t i = 0; i < COUNT(reads) && connected; i++)
        read = read || strstr(source->bare, reads[i]) != NULL;
    if (read)
        report(source, RISK_HIGH, RISK_NETWORK_ACCESS | RISK_DATA_EXFILTRATION, PHRASE_sends);
}

void code_read(char language, const char *code, size_t length, const struct code_user *user)
{
    struct source source;
    bool edits = false;
    source_open(&source, language, code, length, user);
    source.edits = &edits;
    if (length > CODE_MAX)
        report(&source, RISK_HIGH, 0, PHRASE_too_long);
    read_calls(&source);
    read_sending(&source);
    read_backquotes(&source);
    read_opens(&source);
    if (language == 'a')
        read_prints(&source);
    read_strings(&source);
    if (language == 'p')
        read_imports(&source);
    source_close(&source);
}
