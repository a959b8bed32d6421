/* SPDX-License-Identifier: MIT */
/*
 * log_resume: what a console that has ended leaves to the one that goes on where it was.
 *
 * That is its workspace and what the operator approved for as long as a session lasts, as far as
 * it was not taken back: of the operator's own session and of plain clients', as far as the program
 * that they come from still runs. Leases do not outlive a console, and of other sessions nobody can
 * tell who their agents are.
 * Only a log that verifies is resumed, by one console at a time: its lock is held until the end.
 */
#ifndef ASSENT_RECORD_LOG_RESUME_H
#define ASSENT_RECORD_LOG_RESUME_H

#include <stdbool.h>
#include <stddef.h>

#include "approval/grants.h"
#include "approval/session.h"
#include "base/error.h"
#include "record/session_log.h"

struct log_resume;

/* `name` is a console or a session, NULL: the console that ended last. When another console has
 * resumed it already, that one is meant. NULL with a message: there is none, it is open, or it was
 * altered. */
struct log_resume *log_resume_open(const struct log_place *place, const char *name,
                                   struct error *error);
void log_resume_free(struct log_resume **resume);

/* In this console plain clients are not told apart by their programs: what one program's had holds
 * for nobody. */
void log_resume_one_session(struct log_resume *resume);

const char *log_resume_console(const struct log_resume *resume);
/* The console that was asked for, when the one above has gone on from it; else NULL. */
const char *log_resume_meant(const struct log_resume *resume);
const char *log_resume_root(const struct log_resume *resume); /* "" when it is not known */
/* What is left of a session. */
struct log_legacy {
    enum session_origin origin;
    pid_t peer_pid;        /* of the program that its clients come from, 0: none */
    const char *name;      /* untrusted */
    struct grants *grants; /* labels are untrusted */
};
/* The n-th session that left something for its like, NULL behind the last; owned by the resume. */
const struct log_legacy *log_resume_at(const struct log_resume *resume, size_t index);
/* What is left for a session of that origin and program. Never NULL. */
const struct grants *log_resume_grants(const struct log_resume *resume, enum session_origin origin,
                                       pid_t peer_pid);
/* Agents that the console had started and that went on until its end, in that order: the words for
 * `assent` that start one again where it was ("acp", "--load=ID", …), NULL behind the last. Owned
 * by the resume. What holds a secret was not recorded and is not among them. */
const char *const *log_resume_agent(const struct log_resume *resume, size_t index);
/* Which of these had the whole screen at the end; SIZE_MAX: none. */
size_t log_resume_zoomed(const struct log_resume *resume);
/* The highest number that one of its calls had, 0: none. Numbers of those that come go on behind
 * it: a number that somebody remembers names no other call. */
uint64_t log_resume_last_call(const struct log_resume *resume);
/* The call there that asked the same and that the operator denied, see log_denials.h; 0: none. */
uint64_t log_resume_denied(const struct log_resume *resume, const struct call *call);
/* What else was there, for saying what did not come back. */
#define LOG_RESUME_NAMES 3
struct log_resume_rest {
    size_t calls;                   /* that were received */
    size_t denials;                 /* by the operator; none is remembered */
    size_t open;                    /* of them, those that the end cut short */
    size_t left_out;                /* approvals of sessions that are no more */
    size_t leases;                  /* approvals that last less than a session */
    size_t rules;                   /* made for a session */
    bool killed;                    /* it did not end: calls at its end may be missing */
    size_t voided;                  /* approvals that ended because a file changed */
    const char *const *lease_names; /* the first of them: "c5 make test", raw; NULL: none */
    const char *const *rule_names;  /* the same, as in a file */
    const char *const *void_names;  /* the same: "c5 make test (Makefile)" */
    const char *const *deny_names;  /* the same, of the newest, the last one first */
    size_t agents_ended;            /* by themselves, or left by the operator */
    size_t agents_hidden;           /* whose command line was not recorded as it was */
};
struct log_resume_rest log_resume_rest(const struct log_resume *resume);
/* Gives them to a session; the number. */
size_t log_resume_give(const struct log_resume *resume, const struct session *session);

#endif
