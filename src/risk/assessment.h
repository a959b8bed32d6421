/* SPDX-License-Identifier: MIT */
/*
 * assessment: what a command would do and how bad that can be, at once and offline.
 *
 * Level rubric: low = read-only inspection, listing, printing configuration; medium = changing
 * project files, installing dependencies, fetching artifacts from trusted sources; high =
 * deleting or overwriting data, exfiltrating secrets, escalating privileges, disabling security
 * controls. In doubt the more cautious level.
 */
#ifndef ASSENT_RISK_ASSESSMENT_H
#define ASSENT_RISK_ASSESSMENT_H

#include <stdbool.h>
#include <stddef.h>

enum risk_level { RISK_LOW, RISK_MEDIUM, RISK_HIGH };

enum risk_category {
    RISK_DATA_DELETION = 1 << 0,
    RISK_DATA_EXFILTRATION = 1 << 1,
    RISK_PRIVILEGE_ESCALATION = 1 << 2,
    RISK_SYSTEM_MODIFICATION = 1 << 3,
    RISK_NETWORK_ACCESS = 1 << 4,
    RISK_RESOURCE_EXHAUSTION = 1 << 5,
    RISK_COMPLIANCE = 1 << 6,
};
#define RISK_CATEGORY_COUNT 7

#define RISK_EVIDENCE_MAX 24

struct risk_evidence {
    size_t start, end; /* byte range in the command line assessed; `end` exclusive */
    const char *why;   /* short phrase, static, untranslated */
    enum risk_level level;
};

#define ASSESSMENT_CLAUSES 2
#define ASSESSMENT_UNTOLD_MAX 9

/* One thing that a command does: a sentence of the description. */
struct risk_clause {
    const char *phrase; /* static, untranslated: "deletes files"; NULL for none */
    char object[120];   /* what it is done to, words of the command; "" for nothing to name */
    char owner[120];    /* … whose that is: "origin (git@host:me/x.git)", or "" */
    size_t more;        /* files beside those named */
    bool others;        /* the same is done to others, nobody has counted how many */
    enum risk_level level;
    unsigned categories; /* of enum risk_category: those that it belongs to */
};

struct assessment {
    enum risk_level level;
    unsigned categories;             /* of enum risk_category */
    unsigned networks, repositories; /* findings that use the network, and those of them that do
                                        only if a repository's configuration leads there */
    char description[501]; /* at most three sentences, 1 to 500 bytes, our words; may quote
                              untrusted words of the command: escape before showing */
    struct risk_clause clauses[ASSESSMENT_CLAUSES]; /* the worst first */
    const char *untold[ASSESSMENT_UNTOLD_MAX]; /* phrases above low that had no room there, or not
                                                  with all that it is done to: how many is said */
    size_t untold_count;
    struct risk_evidence evidence[RISK_EVIDENCE_MAX];
    size_t evidence_count;
    bool evidence_more;  /* there was no room for all of it: what is least grave is left out */
    bool writes_outside; /* changes or deletes files outside the workspace and the writable roots,
                            which are named: a sandbox of these roots stops it */
    char beyond[256];    /* the only one of those, absolute and untrusted; "" for none */
    bool beyond_unsure;  /* there are more, or it is not known which */
    bool stays_here;     /* it has no use of the network: where it goes is a directory */
    const char *loss;    /* the gravest thing in it that cannot be brought back (loss.h), of those
                            the first; or NULL */
    bool loss_grave;     /* that reaches beyond the workspace, or nobody has seen it */
    struct {
        size_t files, added, removed; /* lines */
    } counts;                         /* of a patch, else zero: told behind the clauses */
    struct {
        char file[256]; /* of a script that the command runs, in which the worst clause stands; ""
                          for the command itself; untrusted */
        size_t line;    /* of it, from 1; 0 for none to name */
    } worst;
};

const char *risk_level_name(enum risk_level level);          /* "low", "medium", "high" */
const char *risk_category_name(enum risk_category category); /* "data_deletion" … */

/* The description in the operator's language, of any length. Caller frees. */
char *assessment_describe(const struct assessment *assessment);

/* Does it use the network, and send data away or read secrets? */
bool assessment_sends_data(const struct assessment *assessment);
/* Does it run code that it fetches, which can be other code the next time? */
bool assessment_fetches_code(const struct assessment *assessment);
/* Does it delete, empty or throw away what may be the workspace's? */
bool assessment_takes_work(const struct assessment *assessment);
/* Does it delete files that are known to lie outside the workspace? */
bool assessment_deletes_outside(const struct assessment *assessment);
/* Does it send commits to another repository, and take none away there? *first: nothing that it
 * does is graver. */
bool assessment_sends_commits(const struct assessment *assessment, bool *first);
/* What it does to what others have pushed: static and untranslated, NULL for nothing. */
const char *assessment_remote_loss(const struct assessment *assessment);

/* Its categories as they are told: without the network where it is known to stay here. */
unsigned assessment_told_categories(const struct assessment *assessment);

/* Does it use the network for certain? It may not, where only a repository's configuration says
 * where something goes: that is in the agent's hands, and is not asked. */
bool assessment_uses_network(const struct assessment *assessment);

/* A phrase (static) that no clause tells, or not all of it. */
void assessment_note_untold(struct assessment *assessment, const char *phrase);
/* Makes the description, in English, of the clauses. */
void assessment_sum_up(struct assessment *assessment);

/* For what is no command: one clause; `phrase` is static and untranslated. */
void assessment_of_deed(const char *phrase, const char *object, enum risk_level level,
                        struct assessment *assessment);
/* What a clause is about. Where there is no room for all of it, both ends of a path are named, and
 * the beginning of a list. */
void assessment_set_object(struct risk_clause *clause, const char *object);
/* A clause of that phrase (static) tells of `object` of `owner` instead, of which either may be
 * NULL; is there one? */
bool assessment_name_object(struct assessment *assessment, const char *phrase, const char *object,
                            const char *owner);
/* Assesses a shell line run in `cwd` with these writable roots (NULL-terminated, may be NULL). */
void assessment_of_line(const char *line, size_t length, const char *cwd,
                        const char *const *writable_roots, struct assessment *assessment);
/* The same for an argv; a `bash|sh|zsh -c|-lc SCRIPT` is read as its script, and `line` receives
 * the text that evidence ranges refer to (caller frees). */
void assessment_of_argv(const char *const *argv, const char *cwd, const char *const *writable_roots,
                        struct assessment *assessment, char **line);

/* A file that the command runs, which says `text`, counts as what the command itself says when that
 * is graver. `interpreter` is the program that reads it ("sh", "/usr/bin/python3"); NULL: its first
 * line says so; what no known one reads adds nothing. `text` is NULL when it could not be read, or
 * is too long, and may be anything. May be called again with the same file. */
void assessment_add_script(const char *file, const char *interpreter, const char *text,
                           size_t length, const char *cwd, const char *const *writable_roots,
                           struct assessment *assessment);

#endif
