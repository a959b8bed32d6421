/* SPDX-License-Identifier: MIT */
/*
 * rules: what the operator's rule files say of a command.
 *
 * Files hold literal calls only:
 *
 *   prefix_rule(pattern=["git", ["status", "diff"]], decision="allow|prompt|forbidden",
 *               justification="…", match=[…], not_match=[…])
 *   host_executable(name="git", paths=["/usr/bin/git"])
 *   network_rule(host="example.org", protocol="https", decision="allow|prompt|forbidden")
 *   read_rule(path="/srv/other")
 *
 * with the meaning that Codex gives them: a rule matches a command whose first words equal its
 * pattern, all matching rules are reported, and the strictest decides whatever their order. An
 * allow runs outside the sandbox unless it says sandbox="keep". Our own additions narrow a rule:
 * exact=True (no further words), redirect="workspace" (also with < > >> and files of the
 * workspace), cwd="DIR" (in that directory only), project="DIR" with project_id="DEVICE:INODE" (in
 * that workspace only); the last two also narrow a network_rule, and so does port="443".
 * subdomains=["api", "cdn"] makes one also hold for api.example.org and cdn.example.org; "*" is
 * every name beneath the host, for prompt and forbidden only. read_rule is ours: what is known only
 * to read may do so unasked beneath that directory as in the workspace, in the sandbox; project and
 * project_id narrow it.
 *
 * shadow=True makes a prefix_rule or network_rule decide nothing: it is only reported what it would
 * have done.
 *
 * Rules are found by their first words, however many there are.
 */
#ifndef ASSENT_COMMAND_RULES_H
#define ASSENT_COMMAND_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Longer files are refused. */
#define RULES_FILE_MAX ((size_t)64 * 1024 * 1024)

/* From lenient to strict. */
enum rule_decision { RULE_NONE, RULE_ALLOW, RULE_PROMPT, RULE_FORBIDDEN };

/* Where a file came from, weakest first. */
enum rules_layer { RULES_SYSTEM, RULES_USER, RULES_PROJECT, RULES_NAMED, RULES_SESSION };

struct rules_source {
    const char *path; /* as shown in messages; copied */
    enum rules_layer layer;
    unsigned lines;    /* of the file that stand before the text */
    bool tighten_only; /* its allow rules and host_executable do not count: not trusted */
};

struct rule {
    enum rule_decision decision;
    bool bypass;               /* allow: the command leaves the sandbox */
    bool exact;                /* no words may follow */
    bool shadow;               /* decides nothing: what it would do is reported */
    bool redirect;             /* allow: also with < > >> and files of the workspace */
    const char *justification; /* NULL when none */
    const char *cwd;           /* NULL: anywhere */
    const char *project;       /* NULL: in any workspace */
    const char *project_id;
    const char *file; /* path of its source */
    enum rules_layer layer;
    unsigned line;            /* 1 …; 0 when it came from no text */
    size_t length;            /* words of the pattern */
    const char *first;        /* its first word */
    char *const *const *rest; /* the others: NULL-terminated alternatives, `length` - 1 of them */
};

struct rules;

struct rules *rules_new(void);
void rules_free(struct rules **rules);

/* Takes in a file's text, wholly or, with a message "PATH:LINE:COLUMN: …", not at all. */
int rules_add_text(struct rules *rules, const char *text, size_t length,
                   const struct rules_source *source, struct error *error);
/* The same of a regular file. */
int rules_add_file(struct rules *rules, const struct rules_source *source, struct error *error);
/* Adds an allow that keeps the sandbox for commands that begin with these words. */
void rules_add_prefix(struct rules *rules, const char *const *words);

size_t rules_count(const struct rules *rules);
size_t rules_network_count(const struct rules *rules);
size_t rules_shadow_count(const struct rules *rules);
/* In the order in which they were added; borrowed as long as the rules. */
const struct rule *rules_at(const struct rules *rules, size_t index);

/* ---- looking up ------------------------------------------------------------------------------ */

enum rules_mode {
    RULES_BY_NAME,   /* the first word as it stands */
    RULES_RESOLVING, /* also, where that finds nothing, the name of the file that a path names, if
                        host_executable lets that path count */
    RULES_STRICT,    /* the same, but prompt and forbidden rules hold for every file of that name,
                        also where the path itself has rules */
};

struct rules_query {
    const char *const *argv; /* at least one word; borrowed */
    const char *cwd;         /* absolute; NULL: rules that name one do not match */
    const char *project;     /* workspace root, or NULL */
    const char *project_id;  /* its DEVICE:INODE, or NULL */
    const char *real;        /* STRICT: the file behind argv[0], links resolved, or NULL */
    enum rules_mode mode;
    bool shadow; /* as if rules that only report counted; else they never match */
};

struct rule_match {
    const struct rule *rule;
    const char *resolved; /* the path whose name matched, or NULL; owned by the matches */
};

struct rules_matches {
    struct rule_match *items; /* in the order of the rules */
    size_t count, capacity;
    enum rule_decision decision; /* the strictest, RULE_NONE when there are none */
    char *paths[2];
};

/* Adds what matches to `matches`, which begins as RULES_MATCHES_INIT. Several stores may add to the
 * same matches, for the same query. */
#define RULES_MATCHES_INIT                                                                         \
    {                                                                                              \
        NULL, 0, 0, RULE_NONE,                                                                     \
        {                                                                                          \
            NULL, NULL                                                                             \
        }                                                                                          \
    }
void rules_match(const struct rules *rules, const struct rules_query *query,
                 struct rules_matches *matches);
void rules_matches_clear(struct rules_matches *matches);

/* A connection: host (a name or an address, in small letters), protocol ("http", "https",
 * "socks5_tcp", "socks5_udp") and port in decimal digits; the workspace as in a query. */
struct rules_connection {
    const char *host, *protocol, *port;
    const char *project, *project_id; /* or NULL */
};
/* A network rule; borrowed as long as the rules. */
struct rules_reach {
    struct rules_connection to; /* port and project NULL: every one; host ".example.org": every name
                                   beneath it */
    enum rule_decision decision;
    bool shadow; /* decides nothing: what it would do is reported */
    const char *file;
    unsigned line;
};
/* The one at that place, in the order in which they were added. False behind the last. */
bool rules_network_at(const struct rules *rules, size_t index, struct rules_reach *reach);
/* Does it match that connection, whether it decides or only reports? */
bool rules_reach_matches(const struct rules_reach *reach,
                         const struct rules_connection *connection);
/* What the network rules say of it; those that only report say nothing. */
enum rule_decision rules_match_network(const struct rules *rules,
                                       const struct rules_connection *connection);
/* The strictest of those that only report and match. False when none does. */
bool rules_match_network_shadow(const struct rules *rules,
                                const struct rules_connection *connection,
                                struct rules_reach *reach);

/* Appends the directories that read_rule names for this workspace to a list as of strv_free(); NULL
 * is an empty one. */
void rules_add_places(const struct rules *rules, const char *project, const char *project_id,
                      char ***list);

/* What read_rule names: the directory, and in `*project` the workspace that it is for or NULL; in
 * the order in which they were added, NULL behind the last. Borrowed as long as the rules. */
const char *rules_place_at(const struct rules *rules, size_t index, const char **project);

/* "none", "allow", "prompt", "forbidden"; "system", "user" … */
const char *rule_decision_name(enum rule_decision decision);
const char *rules_layer_name(enum rules_layer layer);

#endif
