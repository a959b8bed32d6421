/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/assessment.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/shell.h"
#include "risk/local.h"

static const char *const level_names[] = {
    [RISK_LOW] = "low", [RISK_MEDIUM] = "medium", [RISK_HIGH] = "high"};

static const struct {
    enum risk_category category;
    const char *name;
} categories[RISK_CATEGORY_COUNT] = {
    {RISK_DATA_DELETION, "data_deletion"},
    {RISK_DATA_EXFILTRATION, "data_exfiltration"},
    {RISK_PRIVILEGE_ESCALATION, "privilege_escalation"},
    {RISK_SYSTEM_MODIFICATION, "system_modification"},
    {RISK_NETWORK_ACCESS, "network_access"},
    {RISK_RESOURCE_EXHAUSTION, "resource_exhaustion"},
    {RISK_COMPLIANCE, "compliance"},
};

const char *risk_level_name(enum risk_level level)
{
    return (size_t)level <= RISK_HIGH ? level_names[level] : "unknown";
}

const char *risk_category_name(enum risk_category category)
{
    for (size_t i = 0; i < RISK_CATEGORY_COUNT; i++)
        if (categories[i].category == category)
            return categories[i].name;
    return "unknown";
}

/* The clauses as sentences: "Deletes files: a, b. Reads secrets." */
static void describe(const struct assessment *assessment, const char *(*say)(const char *),
                     char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < ASSESSMENT_CLAUSES && used < size; i++) {
        const struct risk_clause *clause = &assessment->clauses[i];
        if (clause->phrase == NULL || (i > 0 && clause->level == RISK_LOW))
            break;
        const char *between = *clause->object != '\0' ? ": " : "";
        size_t start = used + (i > 0), length = strlen(clause->object);
        const char *stop = length > 0 && clause->object[length - 1] == '.' ? "" : ".";
        used += (size_t)snprintf(out + used, size - used, "%s%s%s%s%s", i > 0 ? " " : "",
                                 say(clause->phrase), between, clause->object, stop);
        if (start < size)
            out[start] = (char)toupper((unsigned char)out[start]);
    }
    if (used == 0)
        snprintf(out, size, "%s", say(N_("Runs nothing.")));
}

static const char *untranslated(const char *text)
{
    return text;
}

static const char *translated(const char *text)
{
    return _(text);
}

void assessment_describe(const struct assessment *assessment, char *out, size_t size)
{
    if (assessment->clauses[0].phrase == NULL && *assessment->description != '\0')
        snprintf(out, size, "%s", assessment->description);
    else
        describe(assessment, translated, out, size);
}

void assessment_sum_up(struct assessment *assessment)
{
    describe(assessment, untranslated, assessment->description, sizeof(assessment->description));
}

void assessment_of_deed(const char *phrase, const char *object, enum risk_level level,
                        struct assessment *assessment)
{
    struct risk_clause *clause = &assessment->clauses[0];
    *assessment = (struct assessment){.level = level};
    clause->phrase = phrase;
    clause->level = level;
    snprintf(clause->object, sizeof(clause->object), "%s", object);
    assessment_sum_up(assessment);
}

void assessment_of_line(const char *line, size_t length, const char *cwd,
                        const char *const *writable_roots, struct assessment *assessment)
{
    *assessment = (struct assessment){.level = RISK_LOW};
    local_assess(line, length, cwd, writable_roots, assessment);
    assessment_sum_up(assessment);
}

void assessment_of_argv(const char *const *argv, const char *cwd, const char *const *writable_roots,
                        struct assessment *assessment, char **line)
{
    const char *script = shell_wrapped_script(argv);
    struct strbuf text = STRBUF_INIT;
    if (script != NULL)
        strbuf_addstr(&text, script);
    else
        text_quote_argv(&text, argv);
    assessment_of_line(strbuf_str(&text), text.length, cwd, writable_roots, assessment);
    *line = strbuf_steal(&text);
}
