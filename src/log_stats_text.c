/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "log_stats_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/text.h"
#include "rule_suggest.h"

#define ROW_COLUMNS 79
#define ASKED_COLUMNS 12 /* of a row, beside the answers and what was asked for */

static const struct {
    const char *name, *words;
} causes[] = {
    {"policy", N_("not known to be safe")},
    {"rule", N_("a rule asks")},
    {"danger", N_("dangerous")},
    {"escalation", N_("asks for more than the sandbox gives")},
    {"sandbox_denial", N_("the sandbox blocked it")},
    {"input", N_("an agent feeds its input")},
    {"edit", N_("you changed the command")},
    {"network", N_("a host")},
    {"patch", N_("a change of files")},
    {"permissions", N_("more for the whole session")},
    {"agent_tool", N_("the agent does it itself")},
    {"elicitation", N_("a question that words answer")},
};

static const char *cause_words(const char *name)
{
    for (size_t i = 0; i < COUNT(causes); i++)
        if (strcmp(causes[i].name, name) == 0)
            return _(causes[i].words);
    return _("unknown");
}

static json_int_t number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

/* "340 ms", "3.2 s", "4 min". Caller frees. */
static char *duration(json_int_t ms)
{
    if (ms < 1000)
        return xasprintf("%d ms", (int)ms);
    if (ms < 120000)
        return xasprintf("%.1f s", (double)ms / 1000.0);
    return xasprintf("%" JSON_INTEGER_FORMAT " min", ms / 60000);
}

static void print_waits(const json_t *waited, FILE *out)
{
    if (json_is_null(json_object_get(waited, "median")))
        return;
    cleanup_free char *median = duration(number(waited, "median"));
    cleanup_free char *most = duration(number(waited, "p90"));
    cleanup_free char *total = duration(number(waited, "total"));
    fprintf(out, _("Agents waited: median %s, 9 of 10 at most %s, all together %s.\n"), median,
            most, total);
}

/* "(3, 1)": approved, denied. Caller frees. */
static char *answers_of(const json_t *row)
{
    return xasprintf("(%d, %d)", (int)number(row, "approved"), (int)number(row, "denied"));
}

/* Of the widest of them: what stands behind is one column. */
static int answers_columns(const json_t *list)
{
    const json_t *row;
    int widest = 0;
    size_t i;
    json_array_foreach(list, i, row)
    {
        cleanup_free char *answers = answers_of(row);
        int columns = (int)strlen(answers);
        widest = columns > widest ? columns : widest;
    }
    return widest;
}

static void print_causes(const json_t *list, FILE *out)
{
    const json_t *cause;
    int columns = answers_columns(list);
    size_t i;
    fprintf(out, _("\nWhy, and how many of 100 commands, asked (approved, denied; else "
                   "unanswered):\n"));
    json_array_foreach(list, i, cause)
    {
        const char *name = json_string_value(json_object_get(cause, "cause"));
        cleanup_free char *answers = answers_of(cause);
        fprintf(out, "  %5.1f  %6d %-*s  %s\n", json_real_value(json_object_get(cause, "per_100")),
                (int)number(cause, "questions"), columns, answers, cause_words(name));
    }
}

/* A rule takes the answer from now on that was given so far: what was denied is nothing to allow.
 */
static bool may_be_rule(const json_t *asked)
{
    return json_is_true(json_object_get(asked, "rule")) && number(asked, "denied") == 0 &&
           number(asked, "approved") >= RULE_SUGGEST_APPROVED_LEAST;
}

static void print_asked(const json_t *list, FILE *out)
{
    const json_t *asked;
    bool any = false;
    int columns = answers_columns(list);
    size_t i;
    fprintf(out, _("\nFor what most, asked (approved, denied; else unanswered):\n"));
    json_array_foreach(list, i, asked)
    {
        const char *what = json_string_value(json_object_get(asked, "what"));
        cleanup_free char *answers = answers_of(asked);
        cleanup_free char *shown =
            text_line(what, strlen(what), (size_t)(ROW_COLUMNS - ASKED_COLUMNS - columns));
        bool marked = may_be_rule(asked);
        any = any || marked;
        fprintf(out, "  %6d %-*s %s %s\n", (int)number(asked, "questions"), columns, answers,
                marked ? "*" : " ", shown);
    }
    if (any)
        fprintf(
            out,
            _("* you always approved it: \"assent rules suggest\" tells whether a rule could\n"));
}

void log_stats_text(const json_t *result, FILE *out)
{
    fprintf(out, _("%d commands, %d questions: %.1f for 100 commands.\n"),
            (int)number(result, "commands"), (int)number(result, "questions"),
            json_real_value(json_object_get(result, "per_100")));
    print_waits(json_object_get(result, "waited_ms"), out);
    if (number(result, "questions") == 0)
        return;
    print_causes(json_object_get(result, "causes"), out);
    print_asked(json_object_get(result, "asked"), out);
}
