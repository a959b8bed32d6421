/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/denial.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define OUTPUT_LOOKED_AT ((size_t)64 * 1024)
#define LINE_LOOKED_AT 4096

/* What a refusal says, in the C locale. Bare words ("sandbox") are no evidence of anything. */
static const struct {
    const char *words;
    const char *cause;
    bool network; /* counts only where the policy closed the network */
} WORDINGS[] = {
    {"operation not permitted", "system call", false},
    {"permission denied", "file system", false},
    {"read-only file system", "write", false},
    {"failed to write file", "write", false},
    {"seccomp", "system call", false},
    {"landlock", "file system", false},
    {"device or resource busy", "write", false},
    {"invalid cross-device link", "write", false},
    {"could not resolve host", "network", true},
    {"temporary failure in name resolution", "network", true},
    {"name or service not known", "network", true},
    {"network is unreachable", "network", true},
    {"getaddrinfo eai_again", "network", true},
    {"no route to host", "network", true},
};

/* The same errors as the C library of the command's locale words them. */
static const struct {
    int number;
    const char *cause;
} ERRORS[] = {{EPERM, "system call"}, {EACCES, "file system"}, {EROFS, "write"}};

static const char *find_words(const char *line, const char *words)
{
    return strcasestr(line, words);
}

static const char *match_wording(const char *line, bool network_closed, const char **cause)
{
    for (size_t i = 0; i < sizeof WORDINGS / sizeof *WORDINGS; i++) {
        const char *found = find_words(line, WORDINGS[i].words);
        if (found && (network_closed || !WORDINGS[i].network)) {
            *cause = WORDINGS[i].cause;
            return found;
        }
    }
    return NULL;
}

static const char *match_locale(const char *line, locale_t locale, const char **cause)
{
    for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++) {
        const char *found = strstr(line, strerror_l(ERRORS[i].number, locale));
        if (found) {
            *cause = ERRORS[i].cause;
            return found;
        }
    }
    return NULL;
}

/* ---- the path in a message -------------------------------------------------------------- */

static bool store_path(char *path, size_t size, const char *start, size_t length)
{
    if (length == 0 || length >= size || !memchr(start, '/', length))
        return false;
    memcpy(path, start, length);
    path[length] = '\0';
    return true;
}

/* 'PATH', "PATH", `PATH' and the curly quotes that GNU programs print in UTF-8. */
static bool quoted_path(const char *line, char *path, size_t size)
{
    static const char *const QUOTES[][2] = {{"'", "'"},
                                            {"\"", "\""},
                                            {"`", "'"},
                                            {"`", "`"},
                                            {"\xE2\x80\x98", "\xE2\x80\x99"},
                                            {"\xE2\x80\x9C", "\xE2\x80\x9D"}};
    for (size_t i = 0; i < sizeof QUOTES / sizeof *QUOTES; i++) {
        const char *start = strstr(line, QUOTES[i][0]);
        if (!start)
            continue;
        start += strlen(QUOTES[i][0]);
        const char *end = strstr(start, QUOTES[i][1]);
        if (end && store_path(path, size, start, (size_t)(end - start)))
            return true;
    }
    return false;
}

/* "prog: line 1: PATH: message": the field before the message. */
static bool field_path(const char *line, const char *message, char *path, size_t size)
{
    if (message - line < 2 || message[-1] != ' ' || message[-2] != ':')
        return false;
    const char *end = message - 2;
    const char *start = end;
    while (start > line && !(start[-1] == ' ' && start - line > 1 && start[-2] == ':'))
        start--;
    if (*start != '/')
        for (const char *at = start; at < end; at++) /* "open /etc/x", "cannot create /etc/x" */
            if (*at == '/' && (at == start || at[-1] == ' ')) {
                start = at;
                break;
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
    if (!quoted_path(line, path, size) && !field_path(line, message, path, size) &&
        !bare_path(line, path, size))
        path[0] = '\0';
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

static bool judge_line(const struct denial_evidence *evidence, const char *line, locale_t locale,
                       struct sandbox_denial *denial)
{
    const char *cause = NULL;
    const char *message = match_wording(line, evidence->network_closed, &cause);
    if (!message && locale != (locale_t)0)
        message = match_locale(line, locale, &cause);
    if (!message)
        return false;
    /* These two are everyday errors: only a path makes them worth a question. */
    bool everyday = strcasestr(line, "device or resource busy") ||
                    strcasestr(line, "invalid cross-device link");
    extract_path(line, message, denial->path, sizeof denial->path);
    if (everyday && denial->path[0] == '\0')
        return false;
    deny(denial, cause, true);
    return true;
}

/* The last line that tells decides: what ended a command stands at the end of its output. */
static void judge_output(const struct denial_evidence *evidence, struct sandbox_denial *denial)
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
    for (size_t end = size; !denial->denied;) {
        size_t start = end;
        while (start > 0 && output[start - 1] != '\n')
            start--;
        char line[LINE_LOOKED_AT];
        size_t length = end - start < sizeof line ? end - start : sizeof line - 1;
        for (size_t i = 0; i < length; i++)
            line[i] = output[start + i] ? output[start + i] : ' ';
        line[length] = '\0';
        judge_line(evidence, line, locale, denial);
        if (start == 0)
            break;
        end = start - 1;
    }
    if (locale != (locale_t)0)
        freelocale(locale);
}

void denial_judge(const struct denial_evidence *evidence, struct sandbox_denial *denial)
{
    memset(denial, 0, sizeof *denial);
    bool failed = evidence->signal != 0 || evidence->exit_code != 0;
    if (evidence->type == SANDBOX_TYPE_NONE || !failed || evidence->timed_out)
        return;
    if (evidence->blocked && evidence->blocked[0])
        take_report(evidence->blocked, denial);
    else if (evidence->signal == SIGSYS || evidence->exit_code == 128 + SIGSYS)
        deny(denial, "system call", false);
    else
        judge_output(evidence, denial);
}
