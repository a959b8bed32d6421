/* SPDX-License-Identifier: MIT */
/*
 * denial: did an attempt fail because of the sandbox, and over what?
 *
 * What the helper reports is evidence; what the output says is the command's word only and marked
 * as inferred. A program that merely prints "sandbox" and fails was not denied anything.
 */
#ifndef ASSENT_SANDBOX_DENIAL_H
#define ASSENT_SANDBOX_DENIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "sandbox/command.h"

struct sandbox_denial {
    bool denied;
    bool inferred;  /* from the output only: the command's own words */
    bool removes;   /* `path` was to be removed, by these words: its directory is what is changed */
    char cause[32]; /* "write", "read", "network", "connect", "file system", "system call" … */
    char path[4096]; /* file, socket or address, "" when unknown; raw bytes, escape before use */
};

/* How an attempt ended. */
struct denial_evidence {
    enum sandbox_type type;
    int exit_code; /* 0..255; meaningless when signal is not 0 */
    int signal;    /* that ended it, or 0 */
    bool timed_out;
    bool network_closed; /* the policy gave no network */
    const char *locale;  /* the command's LC_ALL, LC_MESSAGES or LANG; NULL: C */
    const char *blocked; /* what the helper reported: "OPERATION TARGET", "" or NULL for nothing */
    const char *output;  /* stdout and stderr as far as they are kept; need not be text */
    size_t output_size;  /* bytes; only the last 64 KiB are looked at */
    const char *command; /* its words as one line, or NULL: denial_nobody_listened() reads them */
    const char *held; /* names that the sandbox held placeholders for, with "/" between, or NULL */
};

/*
 * Never denied when unsandboxed, exit 0 or timed out. Else denied when the helper reported a
 * refused operation, when SIGSYS ended it (also as exit 128+31), or when a line of the output
 * carries one of the messages that EPERM, EACCES, EROFS, and EBUSY or EXDEV on protected or
 * mounted paths come with, or EEXIST and ENOTDIR on names that were held, in the C locale or the
 * command's, or a failed name look-up or unreachable network, or git's words of a push to a
 * repository on this machine that it could not write. Exit codes 2, 126 and 127 without such a
 * line: not denied.
 */
void denial_judge(const struct denial_evidence *evidence, struct sandbox_denial *denial);

/* Has a command that ended well been kept from writing the configuration of a repository, by its
 * own words in the C locale or the command's? `git push -u` does not fail of that, and says that a
 * device is busy. Nobody is asked because of it. */
bool denial_kept_git_config(const struct denial_evidence *evidence);

/* Did the sandbox keep a command that ended well from something, by its own words? Of several
 * commands the last one says how they end. Nobody is asked because of it. */
void denial_within(const struct denial_evidence *evidence, struct sandbox_denial *denial);

/* Did the sandbox stop a push of a command that ended well, as one does of which `tail` has printed
 * the end, by git's own words? `denial` names the repository. Nobody is asked because of it. */
void denial_stopped_push(const struct denial_evidence *evidence, struct sandbox_denial *denial);

/* Does its output say, in git's own words, that a push has sent something, or had nothing to send?
 */
bool denial_push_told(const struct denial_evidence *evidence);

/*
 * Does the output of a command that failed say that nobody listened on localhost, where that is
 * the command's own? Such a connection is refused by no rule: what listens is another command's,
 * which has another localhost. The command's words only, and no denial.
 */
bool denial_nobody_listened(const struct denial_evidence *evidence);

#endif
