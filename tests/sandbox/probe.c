/* SPDX-License-Identifier: MIT */
/*
 * probe: tries one operation and exits 0 when it went through. Else it prints the error and exits 1
 * (refused), or 2 when the operation does not exist. Used by the conformance cases, inside the
 * sandbox and outside.
 */
#include "config.h"

#include "probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Where it cannot look into itself, as in a sandbox without namespaces, LeakSanitizer gives up with
 * an error of its own. It runs for a moment; what it allocates is nobody's concern. */
const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "detect_leaks=0";
}

int probe_number(const char *text)
{
    return (int)strtol(text, NULL, 0);
}

/* Runs a command again and again until it succeeds, or for some seconds. */
static int do_until(char **a)
{
    struct timespec now, pause = {.tv_nsec = 10000000};
    clock_gettime(CLOCK_MONOTONIC, &now);
    for (time_t end = now.tv_sec + probe_number(a[0]); now.tv_sec < end;
         clock_gettime(CLOCK_MONOTONIC, &now)) {
        int status;
        pid_t pid = fork();
        if (pid == 0) {
            execvp(a[1], a + 1);
            _exit(127);
        }
        if (waitpid(pid, &status, 0) != pid || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
            break;
        nanosleep(&pause, NULL);
    }
    return 0;
}

static const struct operation UNTIL[] = {{"until", do_until, 2}, {NULL, NULL, 0}};
static const struct operation *const THEMES[] = {PROBE_FILE, PROBE_PROCESS, PROBE_SOCKET,
                                                 PROBE_IPC,  PROBE_KERNEL,  UNTIL};

static const struct operation *find(const char *name)
{
    for (size_t i = 0; i < sizeof THEMES / sizeof *THEMES; i++)
        for (const struct operation *operation = THEMES[i]; operation->name; operation++)
            if (strcmp(name, operation->name) == 0)
                return operation;
    return NULL;
}

int main(int argc, char **argv)
{
    const struct operation *operation = argc > 1 ? find(argv[1]) : NULL;
    if (!operation || argc - 2 < operation->arguments) {
        fprintf(stderr, "usage: probe OPERATION ARGUMENT…\n");
        return 2;
    }
    errno = 0;
    if (operation->run(argv + 2) >= 0)
        return 0;
    fprintf(stderr, "probe: %s: %s\n", argv[1], strerror(errno));
    return 1;
}
