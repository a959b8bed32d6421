/* SPDX-License-Identifier: MIT */
/* policy_field: the single-valued properties of a policy as a table, so that every form of it
 * (request, approval key, JSON) is made from the same list. */
#ifndef ASSENT_SANDBOX_POLICY_FIELD_H
#define ASSENT_SANDBOX_POLICY_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "sandbox/policy.h"

enum policy_field_kind {
    POLICY_FIELD_NUMBER,
    POLICY_FIELD_BOOL,
    POLICY_FIELD_NAME, /* a number that stands for one of `names` */
    POLICY_FIELD_PATH, /* absolute path or NULL */
};

struct policy_field {
    const char *key; /* "protect-git" */
    enum policy_field_kind kind;
    size_t offset;            /* in struct sandbox_policy */
    int maximum;              /* numbers and names: 0 to this */
    const char *const *names; /* names: maximum + 1 of them */
};

extern const struct policy_field POLICY_FIELDS[];
extern const size_t POLICY_FIELD_COUNT;

/* The field of that key, or NULL. */
const struct policy_field *policy_field_find(const char *key);
/* Value of a number, bool (0 or 1) or name (its index). */
int policy_field_number(const struct policy_field *field, const struct sandbox_policy *policy);
/* Stores it; false when it is out of range. */
bool policy_field_set_number(const struct policy_field *field, struct sandbox_policy *policy,
                             int number);
const char *policy_field_path(const struct policy_field *field,
                              const struct sandbox_policy *policy);
/* Stores a copy; false when the path is not absolute, too long, or one is set already. */
bool policy_field_set_path(const struct policy_field *field, struct sandbox_policy *policy,
                           const char *path);

#endif
