/* SPDX-License-Identifier: MIT */
/*
 * tasks: the names of a project's own tasks, as its build files give them: targets of a Makefile,
 * scripts of a package.json, recipes of a justfile, tasks of a mise.toml; for cargo and go what
 * builds, checks and tests. The files are an agent's to write: they are read bounded, as text, and
 * only plain names are taken.
 */
#ifndef ASSENT_APPROVAL_TASKS_H
#define ASSENT_APPROVAL_TASKS_H

#include <stddef.h>

#define TASKS_MAX 64

/* What `argv` runs a task with: "make", "npm run" …; the tasks of `directory` for it,
 * NULL-terminated, each once. *words is how many of argv's words stand before the task's name.
 * NULL when argv runs no task, or the directory has none. Caller frees with strv_free(). */
char **tasks_of(const char *const *argv, const char *directory, size_t *words);

#endif
