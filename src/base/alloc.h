/* SPDX-License-Identifier: MIT */
/*
 * alloc: memory that is there or the program ends, and ownership that shows in the code.
 *
 * The x-functions never return NULL: out of memory ends the program through the hook below
 * (a size that comes from outside is bounded before it reaches them). Size 0 is a bug.
 */
#ifndef ASSENT_BASE_ALLOC_H
#define ASSENT_BASE_ALLOC_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, returns_nonnull));
/* Resizes to count*size bytes; the product is checked for overflow. */
void *xreallocarray(void *memory, size_t count, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *string) __attribute__((malloc, returns_nonnull));
/* Copies at most `length` bytes and adds a NUL. */
char *xstrndup(const char *string, size_t length) __attribute__((malloc, returns_nonnull));
void *xmemdup(const void *memory, size_t size) __attribute__((malloc, returns_nonnull));
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2), returns_nonnull));
char *xvasprintf(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0), returns_nonnull));

/* A new object of a type, zeroed. */
#define XNEW(type) ((type *)xcalloc(1, sizeof(type)))

/* Called once, before the message, when memory runs out: the console restores its terminal here.
 * NULL (the default) does nothing. */
void alloc_set_failure_hook(void (*hook)(void));

/* A NULL-terminated array of strings, as argv and environ are. */
char **strv_copy(const char *const *strings); /* NULL stays NULL; free with strv_free() */
size_t strv_length(const char *const *strings);
/* The same strings in the same order? NULL is none. */
bool strv_equal(const char *const *one, const char *const *other);
/* Where that string stands, the last one that is equal; strv_length() of them: nowhere. */
size_t strv_find_last(const char *const *strings, const char *wanted);
/* Is it one of them? */
bool strv_has(const char *const *strings, const char *wanted);
void strv_free(char ***strings); /* frees array and strings, clears the caller's pointer */

/* `cleanup_free char *p = …;` frees p when it goes out of scope; steal_pointer() takes it out. */
static inline void alloc_cleanup_free(void *pointer)
{
    free(*(void **)pointer);
}
static inline void alloc_cleanup_strv(char ***strings)
{
    strv_free(strings);
}
#define cleanup_free __attribute__((cleanup(alloc_cleanup_free)))
#define cleanup_strv __attribute__((cleanup(alloc_cleanup_strv)))

static inline void *alloc_steal(void *pointer)
{
    void **place = pointer;
    void *value = *place;
    *place = NULL;
    return value;
}
#define steal_pointer(place) ((__typeof__(*(place)))alloc_steal(place))

#endif
