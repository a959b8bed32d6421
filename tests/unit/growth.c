/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "growth.h"

#include <time.h>

/* Where the line is drawn between 8 times as long and 64 times; what takes less than MOMENT is
 * too short to be told apart from the clock's own steps; and what seems long is tried again, since
 * a machine can stand still for a moment within one run. */
enum { PARTS = 8, TIMES_MAX = 24, TRIES = 4 };
#define MOMENT 0.02

static double seconds(growth_work *work, void *data, size_t length)
{
    clock_t start = clock();
    work(data, length);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

bool grows_with_its_length(growth_work *work, void *data, size_t length)
{
    for (int i = 0; i < TRIES; i++) {
        double part = seconds(work, data, length / PARTS);
        double whole = seconds(work, data, length);
        if (whole <= MOMENT + part * TIMES_MAX)
            return true;
    }
    return false;
}
