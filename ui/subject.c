/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/subject.h"

#include "base/i18n.h"

enum subject subject_of(const struct call *call)
{
    if (call->reach != NULL)
        return SUBJECT_CONNECTION;
    if (call->patch != NULL)
        return SUBJECT_PATCH;
    if (call->widens)
        return SUBJECT_PERMISSIONS;
    if (call->input_for != 0)
        return SUBJECT_INPUT;
    if (call->wants_words)
        return SUBJECT_QUESTION;
    return call->agent_tool != NULL ? SUBJECT_AGENT_TOOL : SUBJECT_COMMAND;
}

bool subject_stop_inferred(const struct call *call)
{
    const struct sandbox_denial *denial = call->attempt_count > 0 ? call->attempts[0].denial : NULL;

    return denial != NULL && denial->inferred;
}

const char *subject_heading(enum subject subject)
{
    switch (subject) {
    case SUBJECT_CONNECTION:
        return _("Connection to");
    case SUBJECT_PATCH:
        return _("Patch");
    case SUBJECT_INPUT:
        return _("Input");
    case SUBJECT_PERMISSIONS:
        return _("Request");
    case SUBJECT_QUESTION:
        return _("Question");
    case SUBJECT_AGENT_TOOL:
    case SUBJECT_COMMAND:
        break;
    }
    return _("Command");
}

static const char *question_instead(bool inferred, bool path)
{
    if (path)
        return inferred ? _("may have been stopped by the sandbox. Run this instead?")
                        : _("was stopped by the sandbox. Run this instead?");
    return inferred ? _("may have been stopped by the sandbox. Run this WITHOUT it?")
                    : _("was stopped by the sandbox. Run this WITHOUT it?");
}

const char *subject_question_again(bool inferred, bool path, bool instead)
{
    if (instead)
        return question_instead(inferred, path);
    if (path)
        return inferred ? _("may have been stopped by the sandbox. Run it again?")
                        : _("was stopped by the sandbox. Run it again?");
    return inferred ? _("may have been stopped by the sandbox. Run it again WITHOUT it?")
                    : _("was stopped by the sandbox. Run it again WITHOUT it?");
}

const char *subject_question(enum subject subject, bool unsandboxed)
{
    switch (subject) {
    case SUBJECT_CONNECTION:
        return _("asks. May it connect there?");
    case SUBJECT_PATCH:
        return _("asks. May it change these files?");
    case SUBJECT_INPUT:
        return _("asks. May it send this?");
    case SUBJECT_PERMISSIONS:
        return _("asks. May all that follows do more?");
    case SUBJECT_AGENT_TOOL:
        return _("asks. May the agent do this?");
    case SUBJECT_QUESTION:
        return _("asks. What do you answer?");
    case SUBJECT_COMMAND:
        break;
    }
    return unsandboxed ? _("asks. May it run WITHOUT the sandbox?") : _("asks. May it run?");
}

const char *subject_read_first(enum subject subject)
{
    return subject == SUBJECT_PATCH ? _("Read all of the patch first, or view everything.")
                                    : _("Read all of the command first, or view everything.");
}

const char *subject_read_first_plain(enum subject subject)
{
    return subject == SUBJECT_PATCH ? _("Read the patch to its end first: v")
                                    : _("Read the command to its end first: v");
}

const char *subject_once(enum subject subject, bool unsandboxed)
{
    if (subject == SUBJECT_COMMAND && unsandboxed)
        return _("allow once, WITHOUT the sandbox");
    if (subject == SUBJECT_QUESTION)
        return _("answer: you type it next");
    if (subject == SUBJECT_CONNECTION)
        return _("allow what waits now, no more");
    return subject == SUBJECT_PERMISSIONS ? _("allow from now on, in this session")
                                          : _("allow once");
}
