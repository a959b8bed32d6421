/* SPDX-License-Identifier: MIT */
/* probe: the operations that it knows, by theme. */
#ifndef ASSENT_TESTS_PROBE_H
#define ASSENT_TESTS_PROBE_H

struct operation {
    const char *name;
    int (*run)(char **arguments); /* below 0: refused, and errno says why */
    int arguments;                /* at least */
};

/* Each ends with one without a name. */
extern const struct operation PROBE_FILE[], PROBE_PROCESS[], PROBE_SOCKET[], PROBE_IPC[],
    PROBE_KERNEL[];

/* Decimal, or as in C. */
int probe_number(const char *text);

#endif
