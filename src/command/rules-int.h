/* SPDX-License-Identifier: MIT */
/* rules-int: what the parts of rules share; for this folder only. */
#ifndef ASSENT_COMMAND_RULES_INT_H
#define ASSENT_COMMAND_RULES_INT_H

#include "command/rules.h"

/* ---- rules_read.c: text into literal calls --------------------------------------------------- */

struct rules_place {
    size_t offset;
    unsigned line;
};

enum rules_kind { RULES_STRING, RULES_LIST, RULES_INTEGER, RULES_BOOLEAN, RULES_ABSENT };

struct rules_value {
    enum rules_kind kind;
    bool truth;                /* RULES_BOOLEAN */
    char *text;                /* RULES_STRING */
    struct rules_value *items; /* RULES_LIST */
    size_t count;
    struct rules_place place;
};

struct rules_argument {
    char *name; /* NULL when positional */
    struct rules_value value;
    struct rules_place place;
};

struct rules_call {
    char *name;
    struct rules_argument *arguments;
    size_t count;
    struct rules_place place;
};

struct rules_reader {
    const char *path, *text;
    size_t length, at;
    unsigned line;
    struct error *error;
};

/* The next call: 1, 0 at the end, -1 with a message. Cleared by the caller in any case. */
int rules_read_call(struct rules_reader *reader, struct rules_call *call);
void rules_call_clear(struct rules_call *call);
/* "PATH:LINE:COLUMN: message"; returns -1. */
int rules_complain(const struct rules_reader *reader, struct rules_place place, const char *format,
                   ...) __attribute__((format(printf, 3, 4)));
const char *rules_kind_name(enum rules_kind kind);

/* ---- rules.c: the store ---------------------------------------------------------------------- */

/* All owned. */
struct rules_host {
    char *name;
    char **paths; /* NULL-terminated */
};
struct rules_hosts {
    struct rules_host *items;
    size_t count;
    size_t *slots; /* index plus one; 0: free */
    size_t slot_count;
};
struct rules_network {
    char *host;           /* ".example.org": every name beneath it */
    const char *protocol; /* static */
    char *port;           /* or NULL: every one */
    char *project;        /* or NULL: in any workspace */
    char *project_id;
    enum rule_decision decision;
    bool shadow;
    unsigned line;
    const char *file; /* of the store */
};
struct rules_directory {
    char *path;
    char *project; /* or NULL: in any workspace */
    char *project_id;
};
void rules_directory_clear(struct rules_directory *directory);
void rules_network_clear(struct rules_network *network);

/* What one file adds; nothing counts until all of it is right. */
struct rules_batch {
    struct rule *rules;
    size_t count, capacity;
    struct rules_hosts hosts;
    struct rules_network *networks;
    size_t network_count;
    struct rules_directory *directories;
    size_t directory_count;
};

void rules_batch_add(struct rules_batch *batch, const struct rule *rule);
void rules_batch_clear(struct rules_batch *batch);
/* Takes over all that the batch holds. */
void rules_take(struct rules *rules, struct rules_batch *batch, const struct rules_source *source);
/* The paths that host_executable declares for a name: the batch's, else the rules'; or NULL. */
char *const *rules_host_paths(const struct rules *rules, const struct rules_batch *batch,
                              const char *name);
/* What network_rule and read_rule say. */
const struct rules_network *rules_networks(const struct rules *rules, size_t *count);
const struct rules_directory *rules_directories(const struct rules *rules, size_t *count);
/* Through which its rules are found by their words. */
const struct rules_index *rules_index(const struct rules *rules);

/* ---- rules_match.c: which rules a command's words match -------------------------------------- */

/* Does what a rule is narrowed to hold here? NULL: it is not narrowed. */
bool rules_same_or_any(const char *wanted, const char *given);
/* Do argv's words from the second on fit the rule? */
bool rules_words_fit(const struct rule *rule, const char *const *argv);

/* ---- rules_hosts.c: what host_executable declares -------------------------------------------- */

/* Takes over what `host` holds, in place of what was said of that name. */
void rules_hosts_add(struct rules_hosts *hosts, struct rules_host *host);
/* The paths of a name, NULL-terminated, or NULL. */
char *const *rules_hosts_find(const struct rules_hosts *hosts, const char *name);
/* Leaves `from` empty. */
void rules_hosts_move(struct rules_hosts *to, struct rules_hosts *from);
void rules_hosts_clear(struct rules_hosts *hosts);
/* `path` absolute, "." and ".." taken out as text; caller frees. */
char *rules_absolute(const char *path, const char *cwd);

#endif
