/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fake_lab.h"

#include <stdio.h>

#include "base/alloc.h"

static struct rule_evidence evidence[] = {{"npm test \033[2J", "medium", 4, 0},
                                          {"npm publish", "high", 1, 1}};
const struct rule_suggestion fake_suggestions[2] = {
    {.rule = "prefix_rule(pattern=[\"npm\", \"test\"], decision=\"allow\", sandbox=\"keep\")",
     .words = "npm test",
     .exact = true,
     .approved = 4,
     .evidence = evidence,
     .count = 1},
    {.rule = "prefix_rule(pattern=[\"npm\"], decision=\"allow\", sandbox=\"keep\")",
     .words = "npm",
     .high = true,
     .denied = 1,
     .approved = 5,
     .evidence = evidence,
     .count = 2},
};

static void *lab_begin(void *argument, bool suggest, struct error *error)
{
    struct fake_lab *lab = argument;

    (void)suggest;
    (void)error;
    lab->open++;
    return lab;
}

static bool lab_step(void *argument)
{
    struct fake_lab *lab = argument;

    return lab->steps-- > 0;
}

static const struct rule_suggestion *lab_suggestion(const void *argument, size_t index)
{
    const struct fake_lab *lab = argument;

    return index < lab->suggestion_count ? &lab->suggestions[index] : NULL;
}

static bool lab_use(const void *argument, size_t index, struct rule_use *use)
{
    const struct fake_lab *lab = argument;

    if (index < lab->use_count)
        *use = lab->uses[index];
    return index < lab->use_count;
}

static void lab_end(void *argument)
{
    ((struct fake_lab *)argument)->open--;
}

void fake_lab_give(struct console_hooks *hooks, struct fake_lab *lab)
{
    hooks->lab = (struct console_lab){.begin = lab_begin,
                                      .step = lab_step,
                                      .suggestion = lab_suggestion,
                                      .use = lab_use,
                                      .end = lab_end,
                                      .argument = lab};
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void *record_read(void *argument, const char *text, size_t columns)
{
    struct fake_record *record = argument;

    record->open++;
    record->columns = columns;
    snprintf(record->asked, sizeof(record->asked), "%s", text);
    return record;
}

static char *record_read_on(void *reading)
{
    struct fake_record *record = reading;

    record->steps++;
    return record->rows != NULL ? xstrdup(record->rows) : NULL;
}

static void record_read_end(void *reading)
{
    ((struct fake_record *)reading)->open--;
}

void fake_record_give(struct console_hooks *hooks, struct fake_record *record)
{
    hooks->record = (struct console_record){.read = record_read,
                                            .read_on = record_read_on,
                                            .read_end = record_read_end,
                                            .argument = record};
}
