/* SPDX-License-Identifier: MIT */
/*
 * log: Assent's own diagnostic log (not the record of decisions), off unless asked for with
 * -v/-vv or ASSENT_DEBUG. Lines go to a file of mode 0600, never to the terminal that shows the
 * console; control characters in them are escaped.
 */
#ifndef ASSENT_BASE_LOG_H
#define ASSENT_BASE_LOG_H

enum log_level { LOG_LEVEL_OFF, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* Appends to `path` from now on ("-": standard error). 0 or -errno. The one piece of process-wide
 * state in base: set once in main. */
int log_open(const char *path, enum log_level level);
void log_close(void);
/* `subsystem` is the module's folder or name ("run", "server"). */
void log_write(enum log_level level, const char *subsystem, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define log_warning(subsystem, ...) log_write(LOG_LEVEL_WARNING, subsystem, __VA_ARGS__)
#define log_info(subsystem, ...) log_write(LOG_LEVEL_INFO, subsystem, __VA_ARGS__)
#define log_debug(subsystem, ...) log_write(LOG_LEVEL_DEBUG, subsystem, __VA_ARGS__)

#endif
