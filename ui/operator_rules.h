/* SPDX-License-Identifier: MIT */
/* operator_rules: the console's commands about rules: :rules, :trust, :undo. */
#ifndef ASSENT_UI_OPERATOR_RULES_H
#define ASSENT_UI_OPERATOR_RULES_H

struct console;

/* Shows what is in force and how the files differ from it; "reload" takes the files as they are. */
void operator_rules(struct console *console, const char *argument);
/* Shows the project's rules; "yes" trusts what was shown. */
void operator_rules_trust(struct console *console, const char *argument);
/* Takes back the newest rule that the operator remembered. */
void operator_rules_undo(struct console *console, const char *argument);

#endif
