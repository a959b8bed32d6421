/* SPDX-License-Identifier: MIT */
/* report: the helper's side of the status socket (status.h), or of standard error when it has
 * none: then only failures are written, as lines that begin with "assent-sandbox: ". */
#ifndef ASSENT_SANDBOX_REPORT_H
#define ASSENT_SANDBOX_REPORT_H

#include <sys/types.h>

struct report {
    int socket;  /* descriptor of the status socket, or -1 */
    int control; /* the monitor's way to the helper, which has a standard error; else 0 */
};

void report_layers(const struct report *report, const char *layers);
/* `names`: the first of them, with "/" between. */
void report_placeholders(const struct report *report, unsigned count, const char *names);
/* Hands a listening socket over. 0, or -errno when there is nobody to take it. */
int report_gateway(const struct report *report, int listener);
void report_started(const struct report *report, pid_t pid);
/* The program was not executed; `name` is what was to be. */
void report_exec_failed(const struct report *report, int number, const char *name);
/* A step of the confinement failed; `step` says which, without the error's text. */
void report_failed(const struct report *report, int number, const char *step);
void report_denied(const struct report *report, const char *operation, const char *target);
/* A protected path was changed from outside while the command ran, or what the command left was
 * set aside; `target` says which, and in brackets why. */
void report_alarm(const struct report *report, const char *target);
/* The same where nobody but a person reads it. */
void report_print_alarm(const char *target);
/* How many there were beside those that were printed. */
void report_print_more_alarms(unsigned count);

#endif
