/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void (*failure_hook)(void);

void alloc_set_failure_hook(void (*hook)(void))
{
    failure_hook = hook;
}

static void out_of_memory(size_t size) __attribute__((noreturn));
static void out_of_memory(size_t size)
{
    if (failure_hook)
        failure_hook();
    fprintf(stderr, "assent: out of memory (%zu bytes)\n", size);
    abort();
}

void *xmalloc(size_t size)
{
    void *memory = size > 0 && size <= PTRDIFF_MAX ? malloc(size) : NULL;
    if (!memory)
        out_of_memory(size);
    return memory;
}

void *xcalloc(size_t count, size_t size)
{
    void *memory = count > 0 && size > 0 ? calloc(count, size) : NULL;
    if (!memory)
        out_of_memory(size);
    return memory;
}

void *xreallocarray(void *memory, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total) || total == 0 || total > PTRDIFF_MAX)
        out_of_memory(size);
    memory = realloc(memory, total);
    if (!memory)
        out_of_memory(total);
    return memory;
}

void *xmemdup(const void *memory, size_t size)
{
    return memcpy(xmalloc(size), memory, size);
}

char *xstrdup(const char *string)
{
    return xmemdup(string, strlen(string) + 1);
}

char *xstrndup(const char *string, size_t length)
{
    length = strnlen(string, length);
    char *copy = xmalloc(length + 1);
    memcpy(copy, string, length);
    copy[length] = '\0';
    return copy;
}

char *xvasprintf(const char *format, va_list arguments)
{
    char *string;
    if (vasprintf(&string, format, arguments) < 0)
        out_of_memory(0);
    return string;
}

char *xasprintf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *string = xvasprintf(format, arguments);
    va_end(arguments);
    return string;
}

size_t strv_length(const char *const *strings)
{
    size_t count = 0;
    while (strings && strings[count])
        count++;
    return count;
}

char **strv_copy(const char *const *strings)
{
    if (!strings)
        return NULL;
    size_t count = strv_length(strings);
    char **copy = xcalloc(count + 1, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = xstrdup(strings[i]);
    return copy;
}

bool strv_equal(const char *const *one, const char *const *other)
{
    size_t count = strv_length(one);
    if (count != strv_length(other))
        return false;
    for (size_t i = 0; i < count; i++)
        if (strcmp(one[i], other[i]) != 0)
            return false;
    return true;
}

size_t strv_find_last(const char *const *strings, const char *wanted)
{
    size_t count = strv_length(strings);
    for (size_t i = count; i-- > 0;)
        if (strcmp(strings[i], wanted) == 0)
            return i;
    return count;
}

bool strv_has(const char *const *strings, const char *wanted)
{
    return strv_find_last(strings, wanted) < strv_length(strings);
}

void strv_free(char ***strings)
{
    if (!*strings)
        return;
    for (char **string = *strings; *string; string++)
        free(*string);
    free(*strings);
    *strings = NULL;
}
