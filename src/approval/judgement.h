/* SPDX-License-Identifier: MIT */
/*
 * judgement: what rules and heuristics say of a command, and what follows from it.
 *
 * The one place where that is worked out: the orchestrator decides by it, and `assent check` shows
 * it. A command is taken apart into constituents; the strictest says what happens. An allow holds
 * only for what is known for certain; prompt and forbidden rules also hold for what a command hides
 * (behind sudo, in a substitution, in `find -exec`).
 */
#ifndef ASSENT_APPROVAL_JUDGEMENT_H
#define ASSENT_APPROVAL_JUDGEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "approval/context.h"
#include "approval/policy.h"
#include "command/program.h"
#include "command/rules.h"
#include "command/shell.h"

#define JUDGEMENT_RULES 3

struct judgement_facts {
    const char *const *argv; /* of the call */
    const char *const *env;  /* what the call sets, NULL-terminated, or NULL */
    const char *cwd;         /* physical */
    const struct turn_context *context;
    const char *const *writable_roots;
    const struct program *program; /* of argv[0] */
    const char *search_path;
    /* Any of them may be NULL: of the files, allowed for the session, and to be tried. */
    const struct rules *rules[JUDGEMENT_RULES];
    const char *broken; /* a rule file could not be read: a sentence that says so, or NULL */
    bool leaves;        /* asks for more than the turn's sandbox */
    bool agent_input;   /* the agent feeds its input */
    /* What would happen where the programs that are missing here were installed; never for what is
     * to run. */
    bool missing_count;
    bool shadow; /* as if rules that only report counted; never for what is to run */
};

struct judgement_part {
    char **argv;
    struct rules_matches matches;
    bool hidden;        /* only prompt and forbidden rules hold: it is not known to run so */
    bool allowed;       /* a rule allows it */
    bool bypass;        /* and lets it leave the sandbox */
    bool known_safe;    /* it is on the list of what only reads */
    bool missing;       /* its program is not on this machine */
    bool installed;     /* its program is one that no agent can have put there */
    bool redirects;     /* it reads or writes visible files of the workspace by < > >> */
    char *directory;    /* where it runs, or NULL when that is not known */
    size_t literal;     /* words before the first file name pattern or $? */
    const char *lapse;  /* why an allow rule that matches does not hold (N_), or NULL */
    const char *danger; /* why it is dangerous (N_), or NULL */
};

struct judgement {
    struct judgement_part *parts; /* those that are known first */
    size_t count;
    bool opaque;               /* a script that cannot be known for certain */
    const char *opaque_reason; /* N_, or NULL */
    unsigned constructs;       /* of an understood script */
    char *cd;                  /* as written: where an understood script goes first, or NULL */
    struct approval_requirement requirement;
    enum rule_decision decision; /* the same as what would be said to an agent */
    struct wording *rule_reason; /* which rule decided, or NULL */
    /* When several constituents ask whose prefixes differ in the last word only (git add, git
     * commit): what they share, and those words. Else NULL. */
    char **shared, **last;
};

/* Cleared by the caller with judgement_clear(). */
void judgement_make(const struct judgement_facts *facts, struct judgement *judgement);
void judgement_clear(struct judgement *judgement);

/* What would be required if there were this rule as well, a line of a rule file. FORBIDDEN when it
 * is none. */
enum requirement_kind judgement_with_rule(const struct judgement_facts *facts, const char *line);

/* What would be required if the rules that only report counted: a new judgement that the caller
 * clears, and the strictest of those rules that match. NULL, and no judgement, when none does. */
const struct rule *judgement_shadow(const struct judgement_facts *facts,
                                    struct judgement *judgement);

/* The first constituent that is known, and neither allowed nor safe; NULL when there is none. */
const struct judgement_part *judgement_asks(const struct judgement *judgement);

/* DEVICE:INODE of a workspace root, as rules name it; NULL when it is not there. Caller frees. */
char *judgement_project_id(const char *root);

#endif
