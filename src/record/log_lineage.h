/* SPDX-License-Identifier: MIT */
/* log_lineage: which log is meant by who wants to go on: consoles go on from one another. */
#ifndef ASSENT_RECORD_LOG_LINEAGE_H
#define ASSENT_RECORD_LOG_LINEAGE_H

#include "base/error.h"
#include "record/log_files.h"
#include "record/session_log.h"

/* The console to go on from: the last of those that went on from `name` (a console or a session),
 * NULL: from the one that ended last. *meant is the one that was named or ended last itself. Caller
 * frees both; NULL with a message, and *meant NULL, when there is none. */
char *log_lineage_choose(const struct log_place *place, const struct log_files *files,
                         const char *name, char **meant, struct error *error);
/* The console that the log's first line says it goes on from; caller frees, "" for none. */
char *log_lineage_before(const struct log_file *file);

#endif
