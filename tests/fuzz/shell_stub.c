/* SPDX-License-Identifier: MIT */
/*
 * shell_stub: stands for any program that a tested shell script runs. Appends its words, its
 * directory and, as `cat` and `tee`, its standard input to the file $STUB_LOG, and ends with the
 * status that shell_stub.h says for $STUB_POLICY. As `cat` and `tee` it copies its input.
 */
#include "config.h"

#include "shell_stub.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORD_MAX (256 * 1024)
#define INPUT_MAX (64 * 1024)

static char record[RECORD_MAX];
static size_t length;

static void add(const char *text)
{
    size_t size = strlen(text) + 1;
    if (size > RECORD_MAX - length)
        exit(99);
    memcpy(record + length, text, size);
    length += size;
}

static void add_number(int number)
{
    char text[16];
    snprintf(text, sizeof(text), "%d", number);
    add(text);
}

/* Copies standard input to standard output and keeps it. */
static void copy_input(char *input)
{
    size_t size = 0;
    ssize_t count;
    while (size < INPUT_MAX && (count = read(0, input + size, INPUT_MAX - size)) > 0)
        size += (size_t)count;
    input[size] = '\0';
    for (size_t at = 0; at < size; at += (size_t)count)
        if ((count = write(1, input + at, size - at)) <= 0)
            break;
}

int main(int argc, char **argv)
{
    static char directory[PATH_MAX], input[INPUT_MAX + 1];
    const char *log = getenv("STUB_LOG"), *policy = getenv("STUB_POLICY");
    const char *slash = strrchr(argv[0], '/');
    const char *name = slash ? slash + 1 : argv[0];
    /* A function in front of a builtin cannot choose argv[0]: the name is the first operand. */
    bool named = strcmp(name, SHELL_STUB_NAMED) == 0;
    char **words = named ? argv + 1 : argv;
    signal(SIGPIPE, SIG_IGN);
    if (!log || !policy || !getcwd(directory, sizeof(directory)) || (named && argc < 2))
        return 98;
    name = named ? argv[1] : name;
    if ((strcmp(name, "cat") == 0 && !words[1]) || strcmp(name, "tee") == 0)
        copy_input(input);
    add_number(argc - named);
    for (; *words; words++)
        add(*words);
    add(directory);
    add(input);
    int fd = open(log, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0 || write(fd, record, length) != (ssize_t)length)
        return 97;
    return shell_stub_status(name, atoi(policy));
}
