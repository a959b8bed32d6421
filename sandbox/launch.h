/* SPDX-License-Identifier: MIT */
/* launch: becoming the command, with the exit codes that a shell would give. */
#ifndef ASSENT_SANDBOX_LAUNCH_H
#define ASSENT_SANDBOX_LAUNCH_H

/* Executes `program` (NULL: argv[0], looked up on the PATH of `env` when it has no slash) with
 * these arguments and environment. Returns only on failure, with the errno value that tells why:
 * ENOENT also when PATH holds nothing of that name but directories that can not be entered. */
int launch_program(const char *program, char **argv, char **env);

/* 127 for a program that is not there, else 126. */
int launch_exit_code(int number);

#endif
