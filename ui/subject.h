/* SPDX-License-Identifier: MIT */
/* subject: what a request is about, and the words in which it is asked. */
#ifndef ASSENT_UI_SUBJECT_H
#define ASSENT_UI_SUBJECT_H

#include <stdbool.h>

#include "approval/call.h"

enum subject {
    SUBJECT_COMMAND,
    SUBJECT_CONNECTION,  /* a command wants to reach a host */
    SUBJECT_PATCH,       /* files are changed by the console */
    SUBJECT_INPUT,       /* bytes for a command that runs */
    SUBJECT_PERMISSIONS, /* all further commands of a session may do more */
    SUBJECT_AGENT_TOOL,  /* the agent does it itself */
    SUBJECT_QUESTION,    /* words answer it */
};

enum subject subject_of(const struct call *call);
/* Do only its own words say that the sandbox stopped its first try? */
bool subject_stop_inferred(const struct call *call);

/* All are static and translated. */

/* "Command": what stands above its text. */
const char *subject_heading(enum subject subject);
/* "asks. May it run?"; `unsandboxed`: nothing would confine it. Follows "c7 ". */
const char *subject_question(enum subject subject, bool unsandboxed);
/* The same after a first try; `inferred`: only its own words say that the sandbox stopped it;
 * `instead`: the operator has changed the command since. */
const char *subject_question_again(bool inferred, bool path, bool instead);
/* Why it is not allowed yet: not all of it has been before the operator's eyes. On the screen, and
 * in plain lines. */
const char *subject_read_first(enum subject subject);
const char *subject_read_first_plain(enum subject subject);
/* What one approval allows: "allow once". `unsandboxed`: nothing confines what it allows. */
const char *subject_once(enum subject subject, bool unsandboxed);

#endif
