/* SPDX-License-Identifier: MIT */
/* How long the built-in assessor takes for a command: the median over the lines of standard input,
 * each padded to about 200 bytes by repeating what it does, or as it is with --as-is. In time of
 * the processor, so that other work counts little. */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "risk/assessment.h"

enum { LINES_MAX = 4096, ROUNDS = 9, WIDTH = 200 };

static double now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double measure(const char *line, size_t length)
{
    double times[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++) {
        struct assessment assessment;
        double start = now_us();
        assessment_of_line(line, length, "/home/op/project", NULL, &assessment);
        times[i] = now_us() - start;
    }
    qsort(times, ROUNDS, sizeof(times[0]), compare);
    return times[ROUNDS / 2];
}

/* The line again and again, joined by "; ", while that stays within the width. */
static size_t pad(char *out, size_t size, const char *line)
{
    size_t length = (size_t)snprintf(out, size, "%s", line), width = length;
    while (length + width + 2 <= WIDTH && length + width + 3 < size)
        length += (size_t)snprintf(out + length, size - length, "; %s", line);
    return length;
}

int main(int argc, char **argv)
{
    static double times[LINES_MAX];
    static char line[4096], padded[8192];
    bool as_is = argc > 1 && strcmp(argv[1], "--as-is") == 0;
    size_t count = 0, bytes = 0;
    while (count < LINES_MAX && fgets(line, sizeof(line), stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        size_t length = pad(padded, as_is ? strlen(line) + 3 : sizeof(padded), line);
        bytes += length;
        times[count++] = measure(padded, length);
    }
    if (count == 0)
        return 1;
    qsort(times, count, sizeof(times[0]), compare);
    printf("%zu commands of %zu bytes on average: median %.1f us, 90%% %.1f us, worst %.1f us\n",
           count, bytes / count, times[count / 2], times[count * 9 / 10], times[count - 1]);
    return 0;
}
