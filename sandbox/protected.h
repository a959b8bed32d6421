/* SPDX-License-Identifier: MIT */
/* protected: names in a writable root that stay read-only, because somebody else's program would
 * run code from what they name. Data for each platform's backend. */
#ifndef ASSENT_SANDBOX_PROTECTED_H
#define ASSENT_SANDBOX_PROTECTED_H

#include <stddef.h>

struct protected_name {
    const char *name; /* at the top of a root */
    enum {
        PROTECTED_WHEN_THERE, /* protected if it exists */
        PROTECTED_IN_HOME,    /* and in the home directory also if it does not */
        PROTECTED_ALWAYS,     /* existing or not */
    } when;
};
extern const struct protected_name PROTECTED_NAMES[];
extern const size_t PROTECTED_NAME_COUNT;

/* Beneath the operator's home, wherever that lies in a root; NULL-terminated. What is in .config is
 * looked for in XDG_CONFIG_HOME as well. */
extern const char *const PROTECTED_BENEATH_HOME[];

/* In a git directory, NULL-terminated; what its other names hold is data. */
extern const char *const PROTECTED_IN_GIT[];

#endif
