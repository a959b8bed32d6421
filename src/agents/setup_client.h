/* SPDX-License-Identifier: MIT */
/* setup_client: the agents whose settings we know: which files they have, and what makes them use
 * `assent mcp` instead of a shell of their own, or ask `assent hook` before they do something. */
#ifndef ASSENT_AGENTS_SETUP_CLIENT_H
#define ASSENT_AGENTS_SETUP_CLIENT_H

#include <jansson.h>
#include <stdbool.h>

struct setup_client {
    const char *name;             /* as on the command line */
    const char *title;            /* as people call it */
    const char *hint, *hook_hint; /* what remains to be done by hand, N_(), or NULL */
    void (*add)(const struct setup_client *client, json_t *changes, char *const *server,
                bool keep_shell);
    /* NULL: we know of no hooks. */
    void (*add_hook)(const struct setup_client *client, json_t *changes, char *const *hook);
};

/* Those for "mcp" or "hook". NULL for an unknown name. */
const struct setup_client *setup_client_find(const char *name, const char *what);
/* "codex, claude, …"; the caller frees. */
char *setup_client_names(const char *what);
const char *setup_client_hint(const struct setup_client *client, const char *what);

/* The changes (setup_change.h) that make it start `argv` as what it is: for "mcp", unless
 * `keep_shell`, it loses its own shell where its settings can say so. New reference. */
json_t *setup_client_changes(const struct setup_client *client, const char *what, char *const *argv,
                             bool keep_shell);

#endif
