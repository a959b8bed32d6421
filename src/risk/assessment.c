/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/assessment.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
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

static void describe(const struct local_result *result, struct assessment *assessment)
{
    const char *first = result->phrases[0], *second = result->phrases[1];
    if (first == NULL)
        snprintf(assessment->description, sizeof(assessment->description), "It runs nothing.");
    else if (second == NULL || result->levels[1] == RISK_LOW)
        snprintf(assessment->description, sizeof(assessment->description), "It %s.", first);
    else
        snprintf(assessment->description, sizeof(assessment->description), "It %s. It also %s.",
                 first, second);
}

void assessment_of_line(const char *line, size_t length, const char *cwd,
                        const char *const *writable_roots, struct assessment *assessment)
{
    struct local_result result = {.assessment = assessment};
    *assessment = (struct assessment){.level = RISK_LOW};
    local_assess(line, length, cwd, writable_roots, &result);
    describe(&result, assessment);
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
