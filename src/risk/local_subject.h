/* SPDX-License-Identifier: MIT */
/*
 * local_subject: what those look at who judge what the tables cannot say, and the judges of
 * ordinary files and of the shell's own commands. Each judge notes what it finds; true when that
 * is all there is to say of the command.
 */
#ifndef ASSENT_RISK_LOCAL_SUBJECT_H
#define ASSENT_RISK_LOCAL_SUBJECT_H

#include "risk/local-int.h"

/* What a judge looks at. */
struct subject {
    const struct assessor *assessor;
    const struct view *view;
    const struct effect_reading *reading;
};

/* The operand of that number, "" when there are fewer. */
const char *local_subject_operand(const struct subject *subject, size_t index);
bool local_subject_operand_is(const struct subject *subject, size_t index, const char *word);
bool local_subject_has(const struct subject *subject, const char *option);
/* A finding about the whole command, or about one of its words. */
void local_subject_note(const struct subject *subject, enum risk_level level, unsigned categories,
                        enum phrase phrase);
void local_subject_note_word(const struct subject *subject, size_t index, enum risk_level level,
                             unsigned categories, enum phrase phrase);
/* A file is written that a word names. */
void local_subject_note_written(const struct subject *subject, size_t index, const char *path);

bool local_subject_chmod(const struct subject *subject);
bool local_subject_dd_size(const struct subject *subject);
bool local_subject_copy(const struct subject *subject);
bool local_subject_tar(const struct subject *subject);
bool local_subject_read(const struct subject *subject);
bool local_subject_echo(const struct subject *subject);
bool local_subject_alias(const struct subject *subject);
bool local_subject_export(const struct subject *subject);
bool local_subject_set(const struct subject *subject);
bool local_subject_unset(const struct subject *subject);
bool local_subject_cd(const struct subject *subject);
bool local_subject_pushd(const struct subject *subject);
bool local_subject_grep(const struct subject *subject);
bool local_subject_redis(const struct subject *subject);
bool local_subject_dump(const struct subject *subject);
bool local_subject_curl(const struct subject *subject);
bool local_subject_wget(const struct subject *subject);
/* In local_format.c. */
bool local_subject_image(const struct subject *subject);
/* In local_checkout.c: a word of `git checkout` that is a file. */
void local_subject_checkout(const struct subject *subject);
/* Is it known that there is nothing of that name where git runs? */
bool local_checkout_is_no_file(const struct assessor *assessor,
                               const struct effect_reading *reading, const char *name);
/* In local_environment.c. */
bool local_subject_environment(const struct subject *subject);
/* Files that it puts where they matter; `all`: the tables are not asked what it does elsewhere. In
 * local_tree.c. */
void local_subject_tree(const struct subject *subject, bool all);

#endif
