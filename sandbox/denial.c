/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/denial.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/i18n.h"
#include "sandbox/protected.h"

#define OUTPUT_LOOKED_AT ((size_t)64 * 1024)
#define LINE_LOOKED_AT 4096

/* What a refusal says, in the C locale. Bare words ("sandbox") are no evidence of anything. */
static const struct {
    const char *words;
    const char *cause;
    bool everyday; /* happens without a sandbox too: counts only with a path, or a protected name */
    bool network;  /* counts only where the policy closed the network */
    bool push;     /* git's: the repository stands in the line after */
} WORDINGS[] = {
    {"operation not permitted", N_("system call"), false, false, false},
    {"permission denied", N_("file system"), false, false, false},
    {"read-only file system", N_("write"), false, false, false},
    {"failed to write file", N_("write"), false, false, false},
    {"unable to create temporary object directory", N_("write"), true, false, true},
    {"seccomp", N_("system call"), false, false, false},
    {"landlock", N_("file system"), false, false, false},
    {"device or resource busy", N_("write"), true, false, false},
    {"invalid cross-device link", N_("write"), true, false, false},
    {"cross-device link not permitted", N_("write"), true, false, false},
    {"could not resolve host", N_("network"), false, true, false},
    {"unable to resolve host", N_("network"), false, true, false},
    {"temporary failure in name resolution", N_("network"), false, true, false},
    {"name or service not known", N_("network"), false, true, false},
    {"network is unreachable", N_("network"), false, true, false},
    {"network unreachable", N_("network"), false, true, false},
    {"getaddrinfo eai_again", N_("network"), false, true, false},
    {"getaddrinfo enotfound", N_("network"), false, true, false},
    {"no route to host", N_("network"), false, true, false},
};

/* The same errors as the C library of the command's locale words them. */
static const struct {
    int number;
    const char *cause;
    bool everyday; /* as below */
    bool network;
} ERRORS[] = {
    {EPERM, N_("system call"), false, false},   {EACCES, N_("file system"), false, false},
    {EROFS, N_("write"), false, false},         {EBUSY, N_("write"), true, false},
    {EXDEV, N_("write"), true, false},          {ENETUNREACH, N_("network"), false, true},
    {EHOSTUNREACH, N_("network"), false, true},
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
    bool everyday;
    bool push;
};

static struct match match_wording(const char *line, bool network_closed)
{
    for (size_t i = 0; i < sizeof WORDINGS / sizeof *WORDINGS; i++) {
        const char *found = find_words(line, WORDINGS[i].words);
        if (found && (network_closed || !WORDINGS[i].network))
            return (struct match){found, WORDINGS[i].cause, WORDINGS[i].everyday, WORDINGS[i].push};
    }
    return (struct match){NULL, NULL, false, false};
}

/* The calling thread's locale is the command's. */
static struct match match_locale(const char *line, bool network_closed)
{
    for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++) {
        const char *found = strstr(line, strerror(ERRORS[i].number));
        if (found && (network_closed || !ERRORS[i].network))
            return (struct match){found, ERRORS[i].cause, ERRORS[i].everyday, false};
    }
    for (size_t i = 0; network_closed && i < sizeof LOOK_UPS / sizeof *LOOK_UPS; i++) {
        const char *found = strstr(line, gai_strerror(LOOK_UPS[i]));
        if (found)
            return (struct match){found, "network", false, false};
    }
    return (struct match){NULL, NULL, false, false};
}

/* ---- the path in a message -------------------------------------------------------------- */

/* A name without a slash is taken for a path when it is one that the sandbox protects. */
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

static bool store_path(char *path, size_t size, const char *start, size_t length)
{
    if (length == 0 || length >= size ||
        (!memchr(start, '/', length) && !is_protected(start, length)))
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
    if (!quoted_path(line, path, size) && !field_path(line, message, path, size) &&
        !bare_path(line, path, size))
        path[0] = '\0';
}

/* "To /srv/x.git": the repository that git pushed to, unless it is another machine's. */
static void pushed_path(const char *line, char *path, size_t size)
{
    static const char SCHEME[] = "file://";
    path[0] = '\0';
    if (strncmp(line, "To ", 3) != 0)
        return;
    line += 3;
    if (strncmp(line, SCHEME, sizeof SCHEME - 1) == 0)
        line += sizeof SCHEME - 1;
    if (line[strcspn(line, ":/")] == '/')
        store_path(path, size, line, strcspn(line, "\r"));
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

static bool judge_line(const struct denial_evidence *evidence, const char *line, const char *next,
                       locale_t locale, struct sandbox_denial *denial)
{
    struct match match = match_wording(line, evidence->network_closed);
    if (!match.at && locale != (locale_t)0) {
        locale_t before = uselocale(locale);
        match = match_locale(line, evidence->network_closed);
        uselocale(before);
    }
    if (!match.at)
        return false;
    if (match.push)
        pushed_path(next, denial->path, sizeof denial->path);
    else
        extract_path(line, match.at, denial->path, sizeof denial->path);
    if (match.everyday && denial->path[0] == '\0')
        return false;
    deny(denial, match.cause, true);
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
    char lines[2][LINE_LOOKED_AT] = {"", ""}; /* this one, and the one after it */
    for (size_t end = size, turn = 0; !denial->denied; turn ^= 1) {
        size_t start = end;
        while (start > 0 && output[start - 1] != '\n')
            start--;
        char *line = lines[turn];
        size_t length = end - start < LINE_LOOKED_AT ? end - start : LINE_LOOKED_AT - 1;
        for (size_t i = 0; i < length; i++)
            line[i] = output[start + i] ? output[start + i] : ' ';
        line[length] = '\0';
        judge_line(evidence, line, lines[turn ^ 1], locale, denial);
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
        deny(denial, N_("system call"), false);
    else
        judge_output(evidence, denial);
}
