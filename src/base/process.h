/* SPDX-License-Identifier: MIT */
/* process: what the kernel shows of a process (proc(5), /proc/PID/stat). */
#ifndef ASSENT_BASE_PROCESS_H
#define ASSENT_BASE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process {
    pid_t pid;
    pid_t parent;               /* 0: none */
    pid_t group;                /* its process group */
    pid_t session;              /* the leader of its (terminal's) session */
    int terminal;               /* number of its terminal, 0: none */
    char state;                 /* 'Z': a zombie, 'T': stopped … */
    unsigned long long started; /* tells a process from a later one with the same pid */
};

/* False when there is no such process. */
bool process_read(pid_t pid, struct process *process);
/* Whose it is, by its real user; false when there is no such process. */
bool process_uid(pid_t pid, uid_t *uid);
/* The file name of the program that it runs, untrusted; NULL when there is no such process, or one
 * that we may not look at. The caller frees. */
char *process_program(pid_t pid);
/* When it started, in ms by the wall clock as it is set now; -1 when there is no such process. */
int64_t process_started_ms(pid_t pid);

#endif
