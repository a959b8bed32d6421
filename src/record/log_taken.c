/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_taken.h"

#include <stdlib.h>
#include <string.h>

#include "approval/session.h"
#include "base/alloc.h"
#include "base/strbuf.h"
#include "risk/mask.h"

struct taken_rule {
    size_t line;
    char *text; /* as the console told of it */
};

const char *log_taken_rule(const char *text)
{
    if (strncmp(text, TOOK_BACK_RULE, strlen(TOOK_BACK_RULE)) == 0)
        return text + strlen(TOOK_BACK_RULE);
    if (strncmp(text, TOOK_BACK_SESSION_RULE, strlen(TOOK_BACK_SESSION_RULE)) != 0)
        return NULL;
    const char *id_end = strstr(text + strlen(TOOK_BACK_SESSION_RULE), ": ");
    return id_end != NULL ? id_end + 2 : NULL;
}

void log_taken_note(struct log_taken *taken, size_t line, const char *text)
{
    if (log_taken_rule(text) == NULL)
        return;
    taken->rules = xreallocarray(taken->rules, taken->count + 1, sizeof(*taken->rules));
    taken->rules[taken->count++] = (struct taken_rule){line, xstrdup(text)};
}

/* Notices are masked as a whole. */
static bool was_told(const struct log_taken *taken, size_t line, const char *text)
{
    cleanup_strbuf struct strbuf masked = STRBUF_INIT;
    mask_text(&masked, text, strlen(text));
    for (size_t i = 0; i < taken->count; i++)
        if (taken->rules[i].line > line && strcmp(taken->rules[i].text, strbuf_str(&masked)) == 0)
            return true;
    return false;
}

bool log_taken_has(const struct log_taken *taken, size_t line, const char *session,
                   const char *rule)
{
    cleanup_free char *kept = xasprintf(TOOK_BACK_RULE "%s", rule);
    cleanup_free char *its =
        session != NULL ? xasprintf(TOOK_BACK_SESSION_RULE "%s: %s", session, rule) : NULL;
    return was_told(taken, line, kept) || (its != NULL && was_told(taken, line, its));
}

void log_taken_clear(struct log_taken *taken)
{
    for (size_t i = 0; i < taken->count; i++)
        free(taken->rules[i].text);
    free(taken->rules);
    *taken = (struct log_taken){0};
}
