/* SPDX-License-Identifier: MIT */
/* operator_complete: what a half-typed ":" command can become. */
#ifndef ASSENT_UI_OPERATOR_COMPLETE_H
#define ASSENT_UI_OPERATOR_COMPLETE_H

#include "base/strbuf.h"

/* The line (it begins with ':') as far as it is clear how it goes on; NULL when it goes on in no
 * known way. With several ways, these are added to `choices`. Caller frees. */
char *operator_complete(const char *line, struct strbuf *choices);

#endif
