/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/tree_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/process.h"

#define PROGRAM_BYTES ((size_t)30)
#define NO_PROGRAM "process" /* called so is what runs nothing that can be told */

bool tree_text_is_word(const char *text)
{
    return text[strspn(
               text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")] == '\0';
}

char *tree_text_program(pid_t tree)
{
    char *program = process_program(tree);

    if (program != NULL &&
        (*program == '\0' || !tree_text_is_word(program) || strlen(program) > PROGRAM_BYTES)) {
        free(program);
        return NULL;
    }
    return program;
}

char *tree_text_handle(pid_t tree)
{
    cleanup_free char *program = tree_text_program(tree);

    return xasprintf("%s %ld", program != NULL ? program : NO_PROGRAM, (long)tree);
}
