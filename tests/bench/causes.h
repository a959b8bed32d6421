/* SPDX-License-Identifier: MIT */
/* causes: why commands are asked about, counted. */
#ifndef ASSENT_BENCH_CAUSES_H
#define ASSENT_BENCH_CAUSES_H

#include "approval/judgement.h"

struct causes;

struct causes *causes_new(void);
void causes_free(struct causes **causes);
/* A command that was asked about. */
void causes_add(struct causes *causes, const struct judgement_facts *facts,
                const struct judgement *judgement);
/* Of `commands`: for each cause the share that has no other one, and the share that has it. */
void causes_print(const struct causes *causes, size_t commands);

#endif
