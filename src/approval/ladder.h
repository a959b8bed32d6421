/* SPDX-License-Identifier: MIT */
/*
 * ladder: how wide a rule may be that the operator makes of a request, from exactly this command
 * to all that its program does; each step is wider than the one before. Each is a rule that keeps
 * the sandbox, unless it is for a command that the sandbox stopped: then it lets exactly that
 * command out.
 */
#ifndef ASSENT_APPROVAL_LADDER_H
#define ASSENT_APPROVAL_LADDER_H

#include <stdbool.h>
#include <stddef.h>

struct judgement_facts;
struct reach;

enum ladder_width {
    LADDER_PLACE,      /* what only reads, in a directory beside the workspace */
    LADDER_HERE,       /* this command, in this directory */
    LADDER_ANYWHERE,   /* this command, in any directory */
    LADDER_SUBCOMMAND, /* the program and its subcommand, with any further words */
    LADDER_TASKS,      /* the project's tasks by name */
    LADDER_PROGRAM,    /* the program, with any words */
    LADDER_HOST,       /* connections to a host and port */
    LADDER_WIDTHS,
};

enum ladder_scope {
    LADDER_PROJECT, /* remembered, for this workspace */
    LADDER_SESSION, /* until the session ends */
    LADDER_SCOPES,
};

struct ladder_step {
    enum ladder_width width;
    char **words;        /* of the pattern; owned */
    char **alternatives; /* for one more word, or NULL; owned */
    bool exact;          /* nothing may follow */
    bool here;           /* in `cwd` only */
    bool bypass;         /* outside the sandbox */
    bool redirect;       /* also with < > >> and files of the workspace */
    char *rules[2]; /* LADDER_HOST, LADDER_PLACE: the rule for the workspace, and for all; owned */
    const char *refused; /* why it is not offered (N_, static), or NULL */
    size_t covers;       /* of the past requests that were looked at */
};

struct ladder {
    struct ladder_step steps[LADDER_WIDTHS]; /* from narrow to wide */
    size_t count;
    size_t first;     /* the step that is offered first */
    size_t suggested; /* the step that is worth a rule when such requests come again and again */
    size_t past;      /* past requests that were looked at */
    char *cwd, *project, *project_id;
};

/* The steps for the constituent that asks; NULL when nothing may be remembered. `bypass`: it is to
 * run outside the sandbox, because that stopped it. */
struct ladder *ladder_new(const struct judgement_facts *facts, bool bypass);
/* Why that gives none: a sentence, static and untranslated (N_). */
const char *ladder_refusal(const struct judgement_facts *facts, bool bypass);
/* The one step of a request to reach a host from this workspace: exactly that host, protocol and
 * port. */
struct ladder *ladder_new_reach(const struct reach *reach, const char *root);
void ladder_free(struct ladder **ladder);

/* A request that the operator was asked about before. */
struct ladder_past {
    const char *const *words; /* as from ladder_asking(), or NULL: no rule covers it; borrowed */
    const char *cwd;          /* borrowed */
    bool left;                /* to leave the sandbox, which had stopped it */
};

/* The words of the constituent that asks; NULL when nobody knows which does. Caller frees. */
char **ladder_asking(const struct judgement_facts *facts, bool bypass);
/* Counts which of these past requests each step would have covered. */
void ladder_count_past(struct ladder *ladder, const struct ladder_past *past, size_t count);

/* How many of the steps before `end` are offered. */
size_t ladder_offered(const struct ladder *ladder, size_t end);
/* The next step that is offered, wider (direction > 0) or narrower (< 0); `step` itself when there
 * is none. */
size_t ladder_next(const struct ladder *ladder, size_t step, int direction);

/* The rule of a step, as a line of a rule file; caller frees. */
char *ladder_rule(const struct ladder *ladder, size_t step, enum ladder_scope scope);

#endif
