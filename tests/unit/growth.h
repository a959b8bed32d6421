/* SPDX-License-Identifier: MIT */
#ifndef ASSENT_TESTS_GROWTH_H
#define ASSENT_TESTS_GROWTH_H

#include <stdbool.h>
#include <stddef.h>

/* Does its work on an input of LENGTH parts that it makes itself. */
typedef void growth_work(void *data, size_t length);

/* Whether WORK takes time that is bound by its length, and not by the square of it: what it needs
 * for LENGTH (a multiple of 8) is compared with what it needs for an eighth of that, in processor
 * time of this process, so that neither a slow machine nor a busy one changes the answer. An
 * eighth of the length is an eighth of the time, or a sixty-fourth. */
bool grows_with_its_length(growth_work *work, void *data, size_t length);

#endif
