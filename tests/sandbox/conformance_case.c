/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "conformance_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static const char *const KEYS[CASE_KEY_COUNT] = {
    "promise", "do",   "effect", "setup", "host",   "during", "with",     "options",
    "mode",    "user", "needs",  "wants", "absent", "exit",   "terminal", "slow"};

static void fail(const char *path, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s\n", path, line, what);
    exit(2);
}

static struct conformance_case *begin(struct conformance_cases *cases, char *line)
{
    char *end = strchr(line, ']');
    if (!end)
        return NULL;
    *end = '\0';
    for (size_t i = 0; i < cases->count; i++)
        if (strcmp(cases->list[i].id, line + 1) == 0)
            return NULL;
    cases->list = xreallocarray(cases->list, cases->count + 1, sizeof *cases->list);
    struct conformance_case *new = &cases->list[cases->count++];
    memset(new, 0, sizeof *new);
    new->id = xstrdup(line + 1);
    new->title = xstrdup(end + 1 + strspn(end + 1, " "));
    return new;
}

static char **take_value(struct conformance_case *current, const char *line)
{
    size_t length = strcspn(line, ":");
    for (int key = 0; key < CASE_KEY_COUNT; key++)
        if (strlen(KEYS[key]) == length && strncmp(KEYS[key], line, length) == 0 &&
            line[length] == ':' && !current->values[key]) {
            current->values[key] = xstrdup(line + length + 1 + strspn(line + length + 1, " "));
            return &current->values[key];
        }
    return NULL;
}

static void check(const char *path, int line, struct conformance_case *current)
{
    if (!current)
        return;
    if (!current->values[CASE_PROMISE] || !current->values[CASE_DO])
        fail(path, line, "a case before this line has no promise or nothing to do");
    current->promise = hold_find(current->values[CASE_PROMISE]);
    if (!current->promise)
        fail(path, line, "a case before this line names no promise of hold.c");
    if (current->values[CASE_EXIT])
        current->exit = atoi(current->values[CASE_EXIT]);
}

void conformance_cases_read(struct conformance_cases *cases, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL, **value = NULL;
    size_t room = 0;
    int number = 0;
    struct conformance_case *current = NULL;
    if (!file)
        fail(path, 0, "can not be read");
    while (getline(&line, &room, file) > 0) {
        number++;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (line[0] == '[') {
            check(path, number, current);
            current = begin(cases, line);
            value = NULL;
            if (!current)
                fail(path, number, "expected [ID] of a case that is not there yet");
        } else if (strncmp(line, "  ", 2) == 0 && value) {
            char *longer = xasprintf("%s\n%s", *value, line + 2);
            free(*value);
            *value = longer;
        } else if (!current || !(value = take_value(current, line))) {
            fail(path, number, "expected a key that is not there yet");
        }
    }
    check(path, number, current);
    free(line);
    fclose(file);
}
