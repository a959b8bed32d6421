/* SPDX-License-Identifier: MIT */
/* assessment_script: what a file says that a command runs. Whoever is asked about `sh deploy.sh`
 * without a sandbox is to see how grave the file is, not that some file is run. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "command/program.h"
#include "command/wrapper.h"
#include "risk/assessment.h"
#include "risk/code.h"
#include "risk/local.h"

/* Programs that only start the one that is named behind them. */
static bool is_starter(const char *name)
{
    return strcmp(name, "env") == 0 || strcmp(name, "busybox") == 0;
}

/* The next word of the line, or NULL; caller frees. */
static char *next_word(const char **at, const char *end)
{
    *at += strspn(*at, " \t\r");
    size_t length = strcspn(*at, " \t\r\n");
    if (*at >= end || length == 0)
        return NULL;
    const char *word = *at;
    *at += length;
    return xstrndup(word, length);
}

/* "#!/usr/bin/env -S A=1 python3 -u" is python3. Caller frees; NULL when the line names none. */
static char *named_interpreter(const char *text)
{
    const char *end = text + strcspn(text, "\n"), *at = text + 2;
    bool value = false;
    for (char *word; (word = next_word(&at, end)) != NULL; free(word)) {
        const char *name = wrapper_basename(word);
        bool passed = value || *word == '-' || strchr(word, '=') != NULL || is_starter(name);
        value = strcmp(word, "-u") == 0 || strcmp(word, "-C") == 0;
        if (passed)
            continue;
        char *interpreter = xstrdup(name);
        free(word);
        return interpreter;
    }
    return NULL;
}

/* Who reads a file that is started as a program: who its first line says, and else a shell. A
 * compiled program is read by nobody. Caller frees; NULL for nobody. */
static char *reader_of(const char *text, size_t length)
{
    if (length >= 2 && strncmp(text, "#!", 2) == 0)
        return named_interpreter(text);
    return program_is_machine_code(text, length) ? NULL : xstrdup("sh");
}

/* As an interpreter reads it: a shell passes over a NUL. Caller frees. */
static char *readable(const char *text, size_t length)
{
    struct strbuf out = STRBUF_INIT;
    for (size_t at = 0; at < length; at++) {
        size_t piece = strnlen(text + at, length - at);
        strbuf_add(&out, text + at, piece);
        at += piece;
    }
    return out.length > 0 ? strbuf_steal(&out) : xstrdup("");
}

/* The line on which the worst stands; 0 when that is all of it, or unknown. */
static size_t line_of_worst(const struct assessment *found, const char *text)
{
    for (size_t i = 0; i < found->evidence_count; i++) {
        const struct risk_evidence *evidence = &found->evidence[i];
        size_t line = 1;
        if (evidence->why != found->clauses[0].phrase ||
            (evidence->start == 0 && evidence->end >= strlen(text)))
            continue;
        for (size_t at = 0; at < evidence->start; at++)
            line += text[at] == '\n';
        return line;
    }
    return 0;
}

static void take_over(struct assessment *assessment, const struct assessment *found)
{
    assessment->level = found->level;
    assessment->categories |= found->categories;
    assessment->writes_outside = assessment->writes_outside || found->writes_outside;
    if (assessment->loss == NULL)
        assessment->loss = found->loss;
    for (size_t i = ASSESSMENT_CLAUSES - 1; i > 0; i--)
        assessment->clauses[i] = assessment->clauses[i - 1];
    assessment->clauses[0] = found->clauses[0];
}

void assessment_add_script(const char *file, const char *interpreter, const char *text,
                           size_t length, const char *cwd, const char *const *writable_roots,
                           struct assessment *assessment)
{
    cleanup_free char *readable_text = readable(text, length);
    cleanup_free char *reader =
        interpreter != NULL ? xstrdup(interpreter) : reader_of(text, length);
    const char *name = reader != NULL ? wrapper_basename(reader) : "";
    char language = code_language(name);
    struct assessment found = {.level = RISK_LOW};
    if (wrapper_is_shell(name) || strcmp(name, ".") == 0 || strcmp(name, "source") == 0)
        local_assess(readable_text, strlen(readable_text), cwd, writable_roots, &found);
    else if (language != '\0')
        local_assess_code(language, readable_text, strlen(readable_text), cwd, writable_roots,
                          &found);
    if (found.level <= assessment->level)
        return;
    take_over(assessment, &found);
    snprintf(assessment->worst.file, sizeof(assessment->worst.file), "%s", file);
    assessment->worst.line = line_of_worst(&found, readable_text);
    assessment_sum_up(assessment);
}
