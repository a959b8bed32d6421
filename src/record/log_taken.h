/* SPDX-License-Identifier: MIT */
/* log_taken: which rules the operator has taken back, by what a log tells of that. */
#ifndef ASSENT_RECORD_LOG_TAKEN_H
#define ASSENT_RECORD_LOG_TAKEN_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed: none. */
struct log_taken {
    struct taken_rule *rules;
    size_t count;
};

/* The text of an operator's notice, which is that line of the log; nothing when it is about
 * something else. */
void log_taken_note(struct log_taken *taken, size_t line, const char *text);
/* Was the rule, made in that line, taken back in one behind it: that of a session, or (NULL) one
 * that is kept? Records of older consoles do not tell of which session one was. */
bool log_taken_has(const struct log_taken *taken, size_t line, const char *session,
                   const char *rule);
void log_taken_clear(struct log_taken *taken);

/* The rule that a notice says was taken back; NULL: it is about something else. Borrowed. */
const char *log_taken_rule(const char *text);

#endif
