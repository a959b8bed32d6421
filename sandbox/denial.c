/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/denial.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <netdb.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/i18n.h"
#include "sandbox/protected.h"

#define OUTPUT_LOOKED_AT ((size_t)64 * 1024)
#define LINE_LOOKED_AT 4096

/* When a wording counts. */
enum weight {
    ALONE,
    WITH_PATH, /* happens without a sandbox too: only with a path, or a protected name */
    OF_HELD,   /* everyday: only of a name that the sandbox held, and somebody wanted to make */
};
/* Where its path stands. */
enum place {
    HERE,
    PUSHED,     /* in the line before or after, which says where git pushed to */
    NAMED_NEXT, /* in the line after */
};

/* What a refusal says, in the C locale. Bare words ("sandbox") are no evidence of anything. */
static const struct {
    const char *words;
    const char *cause;
    enum weight weight;
    bool network; /* counts only where the policy closed the network */
    enum place place;
} WORDINGS[] = {
    {"operation not permitted", N_("system call"), ALONE, false, HERE},
    {"permission denied", N_("file system"), ALONE, false, HERE},
    {"read-only file system", N_("write"), ALONE, false, HERE},
    {"failed to write file", N_("write"), ALONE, false, HERE},
    {"unable to create temporary object directory", N_("write"), WITH_PATH, false, PUSHED},
    {"unable to create directory for", N_("write"), WITH_PATH, false, PUSHED}, /* of a ref */
    {"(unpacker error)", N_("write"), WITH_PATH, false, PUSHED}, /* all that a tail may leave */
    /* git's, of a placeholder: that of a protected name which is missing */
    {"working tree files would be overwritten", N_("write"), WITH_PATH, false, NAMED_NEXT},
    {"working tree files would be removed", N_("write"), WITH_PATH, false, NAMED_NEXT},
    {"seccomp", N_("system call"), ALONE, false, HERE},
    {"landlock", N_("file system"), ALONE, false, HERE},
    {"device or resource busy", N_("write"), WITH_PATH, false, HERE},
    {"invalid cross-device link", N_("write"), WITH_PATH, false, HERE},
    {"cross-device link not permitted", N_("write"), WITH_PATH, false, HERE},
    {"could not resolve host", N_("network"), ALONE, true, HERE},
    {"unable to resolve host", N_("network"), ALONE, true, HERE},
    {"temporary failure in name resolution", N_("network"), ALONE, true, HERE},
    {"name or service not known", N_("network"), ALONE, true, HERE},
    {"network is unreachable", N_("network"), ALONE, true, HERE},
    {"network unreachable", N_("network"), ALONE, true, HERE},
    {"getaddrinfo eai_again", N_("network"), ALONE, true, HERE},
    {"getaddrinfo enotfound", N_("network"), ALONE, true, HERE},
    {"no route to host", N_("network"), ALONE, true, HERE},
    /* the C library's, then node's, dash's, and those of cp and mv */
    {"file exists", N_("write"), OF_HELD, false, HERE},
    {"not a directory", N_("write"), OF_HELD, false, HERE},
    {"file already exists", N_("write"), OF_HELD, false, HERE},
    {"directory nonexistent", N_("write"), OF_HELD, false, HERE},
    {"cannot overwrite non-directory", N_("write"), OF_HELD, false, HERE},
};

/* The same errors as the C library of the command's locale words them. */
static const struct {
    int number;
    const char *cause;
    enum weight weight;
    bool network;
} ERRORS[] = {
    {EPERM, N_("system call"), ALONE, false},   {EACCES, N_("file system"), ALONE, false},
    {EROFS, N_("write"), ALONE, false},         {EBUSY, N_("write"), WITH_PATH, false},
    {EXDEV, N_("write"), WITH_PATH, false},     {ENETUNREACH, N_("network"), ALONE, true},
    {EHOSTUNREACH, N_("network"), ALONE, true}, {EEXIST, N_("write"), OF_HELD, false},
    {ENOTDIR, N_("write"), OF_HELD, false},
};
static const int LOOK_UPS[] = {EAI_NONAME, EAI_AGAIN};

static const char *find_words(const char *line, const char *words)
{
    return strcasestr(line, words);
}

/* What a line was recognized by. */
struct match {
    const char *at; /* where the wording begins, NULL: nowhere */
    const char *cause;
    enum weight weight;
    enum place place;
};

static struct match match_wording(const char *line, bool network_closed)
{
    for (size_t i = 0; i < sizeof WORDINGS / sizeof *WORDINGS; i++) {
        const char *found = find_words(line, WORDINGS[i].words);
        if (found && (network_closed || !WORDINGS[i].network))
            return (struct match){found, WORDINGS[i].cause, WORDINGS[i].weight, WORDINGS[i].place};
    }
    return (struct match){NULL, NULL, ALONE, HERE};
}

/* The calling thread's locale is the command's. */
static struct match match_locale(const char *line, bool network_closed)
{
    for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++) {
        const char *found = strstr(line, strerror(ERRORS[i].number));
        if (found && (network_closed || !ERRORS[i].network))
            return (struct match){found, ERRORS[i].cause, ERRORS[i].weight, HERE};
    }
    for (size_t i = 0; network_closed && i < sizeof LOOK_UPS / sizeof *LOOK_UPS; i++) {
        const char *found = strstr(line, gai_strerror(LOOK_UPS[i]));
        if (found)
            return (struct match){found, "network", ALONE, HERE};
    }
    return (struct match){NULL, NULL, ALONE, HERE};
}

/* ---- the path in a message -------------------------------------------------------------- */

static bool is_protected(const char *start, size_t length)
{
    if (length == 4 && memcmp(start, ".git", 4) == 0)
        return true;
    for (size_t i = 0; i < PROTECTED_NAME_COUNT; i++)
        if (strlen(PROTECTED_NAMES[i].name) == length &&
            memcmp(start, PROTECTED_NAMES[i].name, length) == 0)
            return true;
    return false;
}

static bool store_name(char *path, size_t size, const char *start, size_t length)
{
    if (length == 0 || length >= size)
        return false;
    memcpy(path, start, length);
    path[length] = '\0';
    return true;
}

/* ".env", ".npmrc": no other word begins so. */
static bool is_dot_name(const char *start, size_t length)
{
    if (length < 3 || start[0] != '.')
        return false;
    for (size_t i = 1; i < length; i++)
        if (i == 1 ? !isalpha((unsigned char)start[i])
                   : !isalnum((unsigned char)start[i]) && !strchr(".-_", start[i]))
            return false;
    return true;
}

/* A name without a slash is taken for a path when it is one that the sandbox protects, or what only
 * files are called. */
static bool store_path(char *path, size_t size, const char *start, size_t length)
{
    return (memchr(start, '/', length) || is_protected(start, length) ||
            is_dot_name(start, length)) &&
           store_name(path, size, start, length);
}

/* git's 'open("PATH"): message': what is given to such a function is a path, slash or none. */
static bool argument_path(const char *line, const char *message, char *path, size_t size)
{
    static const char *const CALLS[] = {"open(", "opendir(", "readlink(", "stat(", "mkdir("};
    for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++) {
        const char *call = strstr(line, CALLS[i]);
        const char *start = call ? call + strlen(CALLS[i]) + 1 : NULL;
        const char *end = message - 4;
        if (call && start < end && strchr("\"'", start[-1]) && end[0] == start[-1] &&
            memcmp(end + 1, "): ", 3) == 0)
            return store_name(path, size, start, (size_t)(end - start));
    }
    return false;
}

/* The first of the words in such quotes that is a path, up to `end`. That of "can't" is none. */
static bool path_between(const char *from, const char *end, const char *const quotes[2], char *path,
                         size_t size)
{
    const char *line = from;
    for (const char *start; (start = strstr(from, quotes[0])) != NULL;) {
        bool within = start > line && isalpha((unsigned char)start[-1]) && start[1] == 't';
        start += strlen(quotes[0]);
        from = start;
        if (within)
            continue;
        const char *close = strstr(start, quotes[1]);
        if (!close || close >= end)
            return false;
        if (store_path(path, size, start, (size_t)(close - start)))
            return true;
        from = close + strlen(quotes[1]);
    }
    return false;
}

/* 'PATH', "PATH", `PATH' and the curly quotes that GNU programs print in UTF-8. */
static bool any_quoted(const char *from, const char *end, char *path, size_t size)
{
    static const char *const QUOTES[][2] = {{"'", "'"},
                                            {"\"", "\""},
                                            {"`", "'"},
                                            {"`", "`"},
                                            {"\xE2\x80\x98", "\xE2\x80\x99"},
                                            {"\xE2\x80\x9C", "\xE2\x80\x9D"}};
    for (size_t i = 0; i < sizeof QUOTES / sizeof *QUOTES; i++)
        if (path_between(from, end, QUOTES[i], path, size))
            return true;
    return false;
}

/* "prog: what it did: FIELD: message"; NULL: there is none. */
static const char *field_before(const char *line, const char *message, const char **end)
{
    if (message - line < 2 || message[-1] != ' ' || message[-2] != ':')
        return NULL;
    const char *start = *end = message - 2;
    while (start > line && !(start[-1] == ' ' && start - line > 1 && start[-2] == ':'))
        start--;
    return start;
}

/* Of two names the second is made, or written: Python's and node's "message: 'a' -> 'PATH'",
 * mv's where it copies, "'a' to 'PATH'; unable to remove target: message", and what git says of its
 * templates, "cannot copy 'a' to 'PATH': message". */
static bool second_path(const char *line, const char *message, char *path, size_t size)
{
    static const char *const PAIRS[][2] = {
        {"' to ", "'"}, {"\xE2\x80\x99 to ", "\xE2\x80\x99"}, {"' -> ", "'"}};
    bool copied = strstr(line, "; unable to remove target") || strstr(line, ": cannot copy '");
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        bool after = strchr(PAIRS[i][0], '>') != NULL;
        const char *start = after    ? strstr(message, PAIRS[i][0])
                            : copied ? strstr(line, PAIRS[i][0])
                                     : NULL;
        if (start && any_quoted(start + strlen(PAIRS[i][0]), start + strlen(start), path, size))
            return true;
    }
    return false;
}

/* What failed stands right before the message, and what it was for perhaps before that: git's
 * "cannot lock ref 'refs/heads/m': Unable to create 'PATH': message". */
static bool quoted_path(const char *line, const char *message, char *path, size_t size)
{
    const char *end, *field = field_before(line, message, &end);
    return second_path(line, message, path, size) ||
           (field && any_quoted(field, end, path, size)) ||
           any_quoted(line, line + strlen(line), path, size);
}

/* apt's "PATH - open (13: Permission denied)": the function that failed and its number are no part
 * of the path. */
static const char *before_function(const char *start, const char *end)
{
    const char *at = end;
    while (at > start && isdigit((unsigned char)at[-1]))
        at--;
    if (at == end || at - start < 4 || at[-1] != '(' || at[-2] != ' ')
        return end;
    for (at -= 2; at > start && (isalnum((unsigned char)at[-1]) || at[-1] == '_'); at--)
        ;
    return at - start > 3 && memcmp(at - 3, " - ", 3) == 0 ? at - 3 : end;
}

/* "prog: line 1: PATH: message": the field before the message. */
static bool field_path(const char *line, const char *message, char *path, size_t size)
{
    const char *end, *start = field_before(line, message, &end);
    if (!start)
        return false;
    end = before_function(start, end);
    if (*start != '/') {
        const char *last = start, *absolute = NULL;
        for (const char *at = start; at < end; at++)
            if (at > start && at[-1] == ' ') {
                last = at;
                if (*at == '/' && !absolute)
                    absolute = at;
            }
        /* "open /etc/x", "cannot create /etc/x y", "could not write config file .git/config" */
        start = absolute ?: last;
    }
    return store_path(path, size, start, (size_t)(end - start));
}

static bool bare_path(const char *line, char *path, size_t size)
{
    for (const char *at = line; *at; at++)
        if (*at == '/' && (at == line || isspace((unsigned char)at[-1])))
            return store_path(path, size, at, strcspn(at, " \t:,;)"));
    return false;
}

static void extract_path(const char *line, const char *message, char *path, size_t size)
{
    if (!argument_path(line, message, path, size) && !quoted_path(line, message, path, size) &&
        !field_path(line, message, path, size) && !bare_path(line, path, size))
        path[0] = '\0';
}

/* The repository that git pushed to, as "To /srv/x.git" or at the end of "error: failed to push
 * some refs to '/srv/x.git'", in whatever language; unless it is another machine's. */
static bool pushed_path(const char *line, char *path, size_t size)
{
    static const char SCHEME[] = "file://";
    size_t length = strcspn(line, "\r");
    const char *start = line + 3, *end = line + length;
    if (strncmp(line, "To ", 3) != 0) {
        const char *quote = strstr(line, " '");
        if (!quote || length == 0 || end[-1] != '\'' || --end < quote + 2)
            return false;
        start = quote + 2;
    }
    if (strncmp(start, SCHEME, sizeof SCHEME - 1) == 0)
        start += sizeof SCHEME - 1;
    return start[strcspn(start, ":/")] == '/' &&
           store_path(path, size, start, (size_t)(end - start));
}

/* "\t.vscode": the first name in a list of git's. Others are everyday files. */
static void listed_path(const char *line, char *path, size_t size)
{
    size_t length = strcspn(line, "\r");
    path[0] = '\0';
    if (line[0] == '\t' && is_protected(line + 1, length - 1))
        store_path(path, size, line + 1, length - 1);
}

/* git's "/srv/x.git/./refs": one that it is in. */
static void drop_dots(char *path)
{
    for (char *at; (at = strstr(path, "/./")) != NULL;)
        memmove(at, at + 2, strlen(at + 2) + 1);
}

/* ---- judging ---------------------------------------------------------------------------- */

static void deny(struct sandbox_denial *denial, const char *cause, bool inferred)
{
    denial->denied = true;
    denial->inferred = inferred;
    snprintf(denial->cause, sizeof denial->cause, "%s", cause);
}

static void take_report(const char *blocked, struct sandbox_denial *denial)
{
    char cause[sizeof denial->cause];
    size_t length = strcspn(blocked, " ");
    snprintf(cause, sizeof cause, "%.*s", (int)length, blocked);
    deny(denial, cause, false);
    snprintf(denial->path, sizeof denial->path, "%s",
             blocked[length] == ' ' ? blocked + length + 1 : "");
}

/* "rm: cannot remove 'PATH': …", and its like of others. */
static bool tells_of_removal(const char *line)
{
    static const char *const WORDS[] = {"cannot remove ", "can't remove ", "failed to remove ",
                                        "cannot unlink ", "unable to unlink "};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (find_words(line, WORDS[i]))
            return true;
    return false;
}

static struct match match_line(const char *line, bool network_closed, locale_t locale)
{
    struct match match = match_wording(line, network_closed);
    if (!match.at && locale != (locale_t)0) {
        locale_t before = uselocale(locale);
        match = match_locale(line, network_closed);
        uselocale(before);
    }
    return match;
}

/* A line of the output and its neighbours, "" where there is none. */
struct lines {
    const char *before, *line, *after;
};

static void find_path(const struct lines *lines, const struct match *match, char *path, size_t size)
{
    path[0] = '\0';
    if (match->place == PUSHED)
        (void)(pushed_path(lines->before, path, size) || pushed_path(lines->after, path, size));
    else if (match->place == NAMED_NEXT)
        listed_path(lines->after, path, size);
    else
        extract_path(lines->line, match->at, path, size);
    drop_dots(path);
}

static bool has_name(const char *names, const char *name, size_t length)
{
    while (*names) {
        size_t this = strcspn(names, "/");
        if (this == length && memcmp(names, name, length) == 0)
            return true;
        names += this + (names[this] == '/');
    }
    return false;
}

/* Is one of the path's components such a name? */
static bool is_held(const char *held, const char *path)
{
    while (held && *path) {
        size_t length = strcspn(path, "/");
        if (length > 0 && has_name(held, path, length))
            return true;
        path += length + (path[length] == '/');
    }
    return false;
}

/* Who looks for what is missing, or removes it, fails without the sandbox as well. */
static bool would_fail_anyway(const char *line)
{
    static const char *const READERS[] = {"cat", "diff", "du", "file", "find", "grep", "head",
                                          "jq",  "ls",   "rg", "sed",  "stat", "tail", "wc"};
    for (size_t i = 0; i < sizeof READERS / sizeof *READERS; i++) {
        size_t length = strlen(READERS[i]);
        if (strncmp(line, READERS[i], length) == 0 && line[length] == ':')
            return true;
    }
    return strstr(line, ": cd: ") || tells_of_removal(line);
}

static bool counts(const struct denial_evidence *evidence, const char *line, enum weight weight,
                   const char *path)
{
    return weight == ALONE ||
           (path[0] != '\0' &&
            (weight == WITH_PATH || (is_held(evidence->held, path) && !would_fail_anyway(line))));
}

static bool judge_line(const struct denial_evidence *evidence, const struct lines *lines,
                       locale_t locale, struct sandbox_denial *denial)
{
    struct match match = match_line(lines->line, evidence->network_closed, locale);
    if (!match.at)
        return false;
    find_path(lines, &match, denial->path, sizeof denial->path);
    if (!counts(evidence, lines->line, match.weight, denial->path)) {
        denial->path[0] = '\0';
        return false;
    }
    deny(denial, match.cause, true);
    denial->removes = denial->path[0] != '\0' && tells_of_removal(lines->line);
    return true;
}

/* ---- what ended well --------------------------------------------------------------------- */

/* All that `tail -1` leaves: why is not said. Who was rejected for what has come meanwhile gets
 * hints behind it. */
static bool is_last_of_push(const struct lines *lines)
{
    static const char FAILED[] = "error: failed to push some refs to ";
    return strncmp(lines->line, FAILED, sizeof FAILED - 1) == 0 && lines->after[0] == '\0' &&
           !strstr(lines->before, "rejected]");
}

static bool judge_push(const struct denial_evidence *evidence, const struct lines *lines,
                       locale_t locale, struct sandbox_denial *denial)
{
    if (match_wording(lines->line, false).place == PUSHED)
        return judge_line(evidence, lines, locale, denial);
    if (!is_last_of_push(lines) || !pushed_path(lines->line, denial->path, sizeof denial->path))
        return false;
    drop_dots(denial->path);
    deny(denial, N_("write"), true);
    return true;
}

/* Does it name the configuration of a repository, in whatever words around it? */
static bool names_git_config(const char *line)
{
    static const char *const names[] = {"config", "config.worktree"};
    for (const char *at = line; (at = strstr(at, ".git/")) != NULL; at++) {
        size_t length = strcspn(at, " \t:;,'\"`");
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            size_t name = strlen(names[i]);
            if (length > name && at[length - name - 1] == '/' &&
                strncmp(at + length - name, names[i], name) == 0)
                return true;
        }
    }
    return false;
}

static bool find_git_config(const struct denial_evidence *evidence, const struct lines *lines,
                            locale_t locale, struct sandbox_denial *denial)
{
    (void)evidence;
    struct match match = match_line(lines->line, false, locale);
    denial->denied = match.at && match.weight != OF_HELD && names_git_config(lines->line);
    return denial->denied;
}

/* ---- nobody listens ---------------------------------------------------------------------- */

static bool names_loopback(const char *text)
{
    return text && (strcasestr(text, "localhost") || strstr(text, "127.0.0.") ||
                    strstr(text, "[::1]") || strstr(text, " ::1"));
}

static bool tells_of_refused_connection(const char *line, locale_t locale)
{
    static const char *const MESSAGES[] = {"connection refused", "econnrefused",
                                           "couldn't connect to server",
                                           "could not connect to server"};
    for (size_t i = 0; i < sizeof MESSAGES / sizeof *MESSAGES; i++)
        if (find_words(line, MESSAGES[i]))
            return true;
    return locale != (locale_t)0 && strstr(line, strerror_l(ECONNREFUSED, locale));
}

static bool judge_listener(const struct denial_evidence *evidence, const struct lines *lines,
                           locale_t locale, struct sandbox_denial *denial)
{
    denial->denied = tells_of_refused_connection(lines->line, locale) &&
                     (names_loopback(lines->line) || names_loopback(evidence->command));
    return denial->denied;
}

/* ---- the output -------------------------------------------------------------------------- */

/* Takes a line; true: that was the one. */
typedef bool take_line(const struct denial_evidence *evidence, const struct lines *lines,
                       locale_t locale, struct sandbox_denial *denial);

/* The line that ends at `*end`, which then is the end of the one before it, or SIZE_MAX: there is
 * none. */
static void copy_line(const char *output, size_t *end, char line[LINE_LOOKED_AT])
{
    size_t start = *end;
    line[0] = '\0';
    if (*end == SIZE_MAX)
        return;
    while (start > 0 && output[start - 1] != '\n')
        start--;
    size_t length = *end - start < LINE_LOOKED_AT ? *end - start : LINE_LOOKED_AT - 1;
    for (size_t i = 0; i < length; i++)
        line[i] = output[start + i] ? output[start + i] : ' ';
    line[length] = '\0';
    *end = start > 0 ? start - 1 : SIZE_MAX;
}

/* The last line that tells decides: what ended a command stands at the end of its output. */
static void judge_output(const struct denial_evidence *evidence, take_line *take,
                         struct sandbox_denial *denial)
{
    size_t size = evidence->output_size;
    const char *output = evidence->output;
    if (!output)
        return;
    if (size > OUTPUT_LOOKED_AT) {
        output += size - OUTPUT_LOOKED_AT;
        size = OUTPUT_LOOKED_AT;
    }
    locale_t locale = (locale_t)0;
    if (evidence->locale && evidence->locale[0])
        locale = newlocale(LC_MESSAGES_MASK | LC_CTYPE_MASK, evidence->locale, (locale_t)0);
    char kept[3][LINE_LOOKED_AT] = {"", "", ""}; /* the line, and those around it */
    size_t end = size;
    bool last = false;
    copy_line(output, &end, kept[0]);
    for (size_t turn = 0; !denial->denied && !last; turn++) {
        struct lines lines = {kept[(turn + 1) % 3], kept[turn % 3], kept[(turn + 2) % 3]};
        last = end == SIZE_MAX;
        copy_line(output, &end, kept[(turn + 1) % 3]);
        take(evidence, &lines, locale, denial);
    }
    if (locale != (locale_t)0)
        freelocale(locale);
}

static bool failed_inside(const struct denial_evidence *evidence)
{
    bool failed = evidence->signal != 0 || evidence->exit_code != 0;
    return evidence->type != SANDBOX_TYPE_NONE && failed && !evidence->timed_out;
}

void denial_judge(const struct denial_evidence *evidence, struct sandbox_denial *denial)
{
    memset(denial, 0, sizeof *denial);
    if (!failed_inside(evidence))
        return;
    if (evidence->blocked && evidence->blocked[0])
        take_report(evidence->blocked, denial);
    else if (evidence->signal == SIGSYS || evidence->exit_code == 128 + SIGSYS)
        deny(denial, N_("system call"), false);
    else
        judge_output(evidence, judge_line, denial);
}

static void judge_success(const struct denial_evidence *evidence, take_line *take,
                          struct sandbox_denial *denial)
{
    memset(denial, 0, sizeof *denial);
    if (evidence->type != SANDBOX_TYPE_NONE && evidence->exit_code == 0 && evidence->signal == 0 &&
        !evidence->timed_out)
        judge_output(evidence, take, denial);
}

bool denial_kept_git_config(const struct denial_evidence *evidence)
{
    struct sandbox_denial denial;
    judge_success(evidence, find_git_config, &denial);
    return denial.denied;
}

void denial_within(const struct denial_evidence *evidence, struct sandbox_denial *denial)
{
    judge_success(evidence, judge_line, denial);
}

void denial_stopped_push(const struct denial_evidence *evidence, struct sandbox_denial *denial)
{
    judge_success(evidence, judge_push, denial);
}

/* "   1..2  main -> main", " * [new branch]  main -> x", " - [deleted]  x"; " ! " is one that was
 * refused. */
static bool tells_of_sent(const char *line)
{
    return line[0] == ' ' && line[1] != '\0' && strchr(" *+-=", line[1]) &&
           (strstr(line, " -> ") || strstr(line, "[deleted]"));
}

bool denial_push_told(const struct denial_evidence *evidence)
{
    size_t size = evidence->output ? evidence->output_size : 0;
    bool fetched = false, told = false; /* a fetch words what it got as a push what it sent */
    for (size_t start = 0; !told && start < size;) {
        char line[LINE_LOOKED_AT];
        const char *newline = memchr(evidence->output + start, '\n', size - start);
        size_t end = newline ? (size_t)(newline - evidence->output) : size;
        start = end + 1;
        copy_line(evidence->output, &end, line);
        if (strncmp(line, "From ", 5) == 0 || strncmp(line, "To ", 3) == 0)
            fetched = line[0] == 'F';
        told = strcmp(line, "Everything up-to-date") == 0 || (!fetched && tells_of_sent(line));
    }
    return told;
}

bool denial_nobody_listened(const struct denial_evidence *evidence)
{
    struct sandbox_denial denial = {.denied = false};
    if (evidence->network_closed && failed_inside(evidence))
        judge_output(evidence, judge_listener, &denial);
    return denial.denied;
}
