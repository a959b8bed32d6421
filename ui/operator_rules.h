/* SPDX-License-Identifier: MIT */
/* operator_rules: the operator's commands about rules: :rules reload and :trust. */
#ifndef ASSENT_UI_OPERATOR_RULES_H
#define ASSENT_UI_OPERATOR_RULES_H

#include "ui/desk.h"

/* What stands behind ":rules": "reload" takes the files as they are. */
void operator_rules_reload(const struct desk *desk, const char *argument);
/* Shows the project's rules; "yes" trusts what was shown. */
void operator_rules_trust(const struct desk *desk, const char *argument);

#endif
