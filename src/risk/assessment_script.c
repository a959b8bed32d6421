/* SPDX-License-Identifier: MIT */
/* assessment_script: what a file says that a command runs. Whoever is asked about `sh deploy.sh`
 * without a sandbox is to see how grave the file is, not that some file is run. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/program.h"
#include "command/shell_tree.h"
#include "command/wrapper.h"
#include "risk/assessment.h"
#include "risk/code.h"
#include "risk/local.h"
#include "risk/phrase.h"

/* The kernel reads no more of a first line. */
#define FIRST_LINE_MAX 256
/* env -S in env -S. */
#define NESTING_MAX 4

/* ---- the first line -------------------------------------------------------------------------- */

/* "#!INTERPRETER ARGUMENT" and the file. */
struct first_line {
    char *interpreter, *argument; /* NULL for none */
    const char *words[4];
};

static void first_line_free(struct first_line *line)
{
    free(line->interpreter);
    free(line->argument);
}

/* False when it starts no interpreter: the kernel says so, and then a shell reads the file. */
static bool first_line_read(struct first_line *line, const char *text, const char *file)
{
    static const char blanks[] = " \t\r";
    size_t most = strnlen(text, FIRST_LINE_MAX), end = strcspn(text, "\n"), count = 0;
    *line = (struct first_line){.interpreter = NULL};
    if (strncmp(text, "#!", 2) != 0)
        return false;
    size_t start = 2 + strspn(text + 2, blanks), width = strcspn(text + start, " \t\r\n");
    end = end < most ? end : most;
    if (start >= end || (start + width >= end && end == FIRST_LINE_MAX))
        return false;
    size_t argument = start + width + strspn(text + start + width, blanks);
    while (end > argument && strchr(blanks, text[end - 1]) != NULL)
        end--;
    line->words[count++] = line->interpreter = xstrndup(text + start, width);
    if (argument < end)
        line->words[count++] = line->argument = xstrndup(text + argument, end - argument);
    line->words[count] = file;
    return true;
}

/* ---- who reads it ---------------------------------------------------------------------------- */

/* Which interpreter these words start in the end, "nice -n 5 sh FILE". Caller frees; NULL for none
 * that is known. */
static char *started(const char *const *words, size_t count, unsigned depth)
{
    size_t at = wrapper_skip(words, count), index;
    const char *name = at < count ? wrapper_basename(words[at]) : "";
    if (wrapper_is_shell(name) || code_language(name) != '\0')
        return xstrdup(name);
    cleanup_free char *script = depth > 0 ? wrapper_script(words, count, &index) : NULL;
    if (script == NULL)
        return NULL;
    struct shell_tree *tree = shell_tree_new(script, strlen(script));
    char *interpreter = NULL;
    for (size_t i = 0; i < tree->count && interpreter == NULL; i++) {
        const char **inner = shell_tree_argv(&tree->nodes[i]);
        interpreter = started(inner, tree->nodes[i].word_count, depth - 1);
        free(inner);
    }
    shell_tree_free(&tree);
    return interpreter;
}

/* Who reads a file that is started as a program: who its first line says, and else a shell. A
 * compiled program is read by nobody. Caller frees; NULL for nobody. */
static char *reader_of(const struct first_line *line, const char *text, size_t length)
{
    if (line->interpreter != NULL)
        return started(line->words, strv_length(line->words), NESTING_MAX);
    return program_is_machine_code(text, length) ? NULL : xstrdup("sh");
}

/* ---- what it says ---------------------------------------------------------------------------- */

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
    assessment->networks += found->networks;
    assessment->repositories += found->repositories;
    assessment->writes_outside = assessment->writes_outside || found->writes_outside;
    assessment->beyond_unsure = assessment->beyond_unsure || found->writes_outside;
    assessment->stays_here = false; /* but it may go elsewhere */
    if (assessment->loss == NULL || (found->loss_grave && !assessment->loss_grave)) {
        assessment->loss = found->loss;
        assessment->loss_grave = found->loss_grave;
    }
    if (assessment->clauses[ASSESSMENT_CLAUSES - 1].level > RISK_LOW)
        assessment_note_untold(assessment, assessment->clauses[ASSESSMENT_CLAUSES - 1].phrase);
    for (size_t i = 1; i < ASSESSMENT_CLAUSES; i++)
        if (found->clauses[i].level > RISK_LOW)
            assessment_note_untold(assessment, found->clauses[i].phrase);
    for (size_t i = 0; i < found->untold_count; i++)
        assessment_note_untold(assessment, found->untold[i]);
    for (size_t i = ASSESSMENT_CLAUSES - 1; i > 0; i--)
        assessment->clauses[i] = assessment->clauses[i - 1];
    assessment->clauses[0] = found->clauses[0];
}

/* Where what was found is graver than what was known. */
static void add_found(const struct assessment *found, const char *file, size_t line,
                      struct assessment *assessment)
{
    if (found->level <= assessment->level)
        return;
    take_over(assessment, found);
    snprintf(assessment->worst.file, sizeof(assessment->worst.file), "%s", file);
    assessment->worst.line = line;
    assessment_sum_up(assessment);
}

/* What the first line itself runs: "#!/usr/bin/env -S rm -rf /x". */
static void add_first_line(const struct first_line *line, const char *cwd,
                           const char *const *writable_roots, struct assessment *assessment)
{
    cleanup_strbuf struct strbuf command = STRBUF_INIT;
    struct assessment found = {.level = RISK_LOW};
    text_quote_argv(&command, line->words);
    local_assess(command.data, command.length, cwd, writable_roots, &found);
    add_found(&found, line->words[strv_length(line->words) - 1], 1, assessment);
}

static void add_unread(const char *file, struct assessment *assessment)
{
    struct assessment found;
    assessment_of_deed(phrase_text(PHRASE_too_long), "", RISK_HIGH, &found);
    add_found(&found, file, 0, assessment);
}

void assessment_add_script(const char *file, const char *interpreter, const char *text,
                           size_t length, const char *cwd, const char *const *writable_roots,
                           struct assessment *assessment)
{
    struct first_line line = {.interpreter = NULL};
    struct assessment found = {.level = RISK_LOW};
    if (text == NULL) {
        add_unread(file, assessment);
        return;
    }
    cleanup_free char *readable_text = readable(text, length);
    if (interpreter == NULL && first_line_read(&line, readable_text, file))
        add_first_line(&line, cwd, writable_roots, assessment);
    cleanup_free char *reader =
        interpreter != NULL ? xstrdup(interpreter) : reader_of(&line, text, length);
    const char *name = reader != NULL ? wrapper_basename(reader) : "";
    char language = code_language(name);
    if (wrapper_is_shell(name) || strcmp(name, ".") == 0 || strcmp(name, "source") == 0)
        local_assess(readable_text, strlen(readable_text), cwd, writable_roots, &found);
    else if (language != '\0')
        local_assess_code(language, readable_text, strlen(readable_text), cwd, writable_roots,
                          &found);
    add_found(&found, file, line_of_worst(&found, readable_text), assessment);
    first_line_free(&line);
}
