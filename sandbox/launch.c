/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/launch.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sandbox/helper.h"

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

/* Executes one file; a script without "#!" is run by sh, as execvp and every shell do. */
static int execute(const char *file, char **argv, char **env)
{
    execve(file, argv, env);
    if (errno != ENOEXEC)
        return errno;
    size_t count = strv_length((const char *const *)argv);
    char **script = xcalloc(count + 2, sizeof *script);
    script[0] = (char *)"/bin/sh";
    script[1] = (char *)file;
    for (size_t i = 1; i < count; i++)
        script[i + 1] = argv[i];
    execve(script[0], script, env);
    int number = errno;
    free(script);
    return number;
}

static const char *find_path(char *const *env)
{
    for (; *env; env++)
        if (strncmp(*env, "PATH=", 5) == 0)
            return *env + 5;
    return DEFAULT_PATH;
}

/* Tries each directory; remembers that a file was there but could not be executed. */
static int execute_on_path(const char *name, char **argv, char **env)
{
    int number = ENOENT;
    for (const char *directory = find_path(env); directory;) {
        size_t length = strcspn(directory, ":");
        char file[PATH_MAX];
        int written = snprintf(file, sizeof file, "%.*s%s%s", (int)length, directory,
                               length > 0 ? "/" : "./", name);
        if (written > 0 && (size_t)written < sizeof file) {
            int tried = execute(file, argv, env);
            if (tried != ENOENT && tried != ENOTDIR && !(tried == EACCES && access(file, F_OK) < 0))
                number = tried;
            if (tried == E2BIG || tried == ENOMEM)
                return tried;
        }
        directory = directory[length] == ':' ? directory + length + 1 : NULL;
    }
    return number;
}

int launch_program(const char *program, char **argv, char **env)
{
    if (program)
        return execute(program, argv, env);
    if (strchr(argv[0], '/'))
        return execute(argv[0], argv, env);
    return execute_on_path(argv[0], argv, env);
}

int launch_exit_code(int number)
{
    return number == ENOENT || number == ENOTDIR ? HELPER_EXIT_NOT_FOUND
                                                 : HELPER_EXIT_NOT_EXECUTABLE;
}
