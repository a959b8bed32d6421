/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/listed.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"

/* How ls shows the mode of one. */
#define MODE "sr--r--r-T"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
}

/* Does a colour ("\033[01;35m") end there? */
static bool ends_colour(const char *output, size_t end)
{
    if (end == 0 || output[--end] != 'm')
        return false;
    while (end > 0 && strchr("0123456789;", output[end - 1]) != NULL && output[end - 1] != '\0')
        end--;
    return end > 1 && output[end - 1] == '[' && output[end - 2] == '\033';
}

/* As ls and find print a name: "=" marks a socket (ls -F). */
static bool stands_alone(const char *output, size_t length, size_t start, size_t end)
{
    bool begins = start == 0 || is_blank(output[start - 1]) || output[start - 1] == '/' ||
                  ends_colour(output, start);
    return begins &&
           (end == length || is_blank(output[end]) || output[end] == '=' || output[end] == '\033');
}

static bool has_name(const char *output, size_t length, const char *name, size_t name_length)
{
    const char *from = output, *end = output + length;
    while ((from = memmem(from, (size_t)(end - from), name, name_length)) != NULL) {
        size_t start = (size_t)(from - output);
        if (stands_alone(output, length, start, start + name_length))
            return true;
        from += name_length;
    }
    return false;
}

/* A listing has all of them, or shows the mode. What has some of the names, as a .gitignore that is
 * printed, is none. */
char *listed_names(const char *names, const char *output, size_t length)
{
    cleanup_strbuf struct strbuf found = STRBUF_INIT;
    bool all = true;
    while (*names != '\0') {
        size_t name_length = strcspn(names, "/");
        if (name_length > 0 && has_name(output, length, names, name_length)) {
            strbuf_addstr(&found, found.length > 0 ? "/" : "");
            strbuf_add(&found, names, name_length);
        } else {
            all = false;
        }
        names += name_length + (names[name_length] == '/');
    }
    if (found.length == 0 || (!all && memmem(output, length, MODE, strlen(MODE)) == NULL))
        return NULL;
    return xstrdup(strbuf_str(&found));
}

char *listed_words(const char *names, unsigned count, unsigned shown)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    unsigned named = 0;
    for (; named < shown && *names != '\0'; named++) {
        size_t length = strcspn(names, "/");
        strbuf_addstr(&text, named > 0 ? ", " : "");
        strbuf_add(&text, names, length);
        names += length + (names[length] == '/');
    }
    if (named < count)
        strbuf_addf(&text, P_(" and %u more", " and %u more", count - named), count - named);
    return xstrdup(strbuf_str(&text));
}
