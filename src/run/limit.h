/* SPDX-License-Identifier: MIT */
/* limit: how long a command may run, by a clock that can stand still. */
#ifndef ASSENT_RUN_LIMIT_H
#define ASSENT_RUN_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/loop.h"

struct limit;

/* The clock runs from now on. `over` is called from the loop, at most once, when it has run for
 * `allowed_ms`; 0: never. */
struct limit *limit_new(struct loop *loop, int64_t allowed_ms, void (*over)(void *argument),
                        void *argument);
void limit_free(struct limit **limit);

/* The clock stands still, or runs again. */
void limit_stand(struct limit *limit, bool stand);
/* How long it has run, and how long it has stood still. */
int64_t limit_spent_ms(const struct limit *limit);
int64_t limit_stood_ms(const struct limit *limit);
/* `over` is not called any more; the clock goes on. */
void limit_lift(struct limit *limit);

#endif
