/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fake_lab.h"

#include "ui/console_int.h"

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

void fake_lab_give(struct tui *tui, struct fake_lab *lab)
{
    tui->console->setup.lab = (struct console_lab){.begin = lab_begin,
                                                   .step = lab_step,
                                                   .suggestion = lab_suggestion,
                                                   .use = lab_use,
                                                   .end = lab_end,
                                                   .argument = lab};
}
