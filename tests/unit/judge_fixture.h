/* SPDX-License-Identifier: MIT */
/* judge_fixture: what would happen to a script in a workspace, under rules of the operator. */
#ifndef ASSENT_TESTS_UNIT_JUDGE_FIXTURE_H
#define ASSENT_TESTS_UNIT_JUDGE_FIXTURE_H

#include "approval/judgement.h"
#include "approval/ladder.h"

struct judge_case {
    const char *root;   /* of the workspace; the script starts there */
    const char *policy; /* its name */
    const char *rules;  /* text of the operator's rule file; "" for none */
    const char *script;
    const char *env;    /* a variable that the call brings along, or NULL */
    const char *broken; /* why rules could not be read, or NULL */
};

/* `ladder` (may be NULL) gets what is offered for remembering; for ladder_free(). The judgement is
 * cleared with judgement_clear(). */
void judge_script(const struct judge_case *asked, struct judgement *judgement,
                  struct ladder **ladder);

#endif
