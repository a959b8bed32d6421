/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a patch and, behind the first NUL, as the file that it is for: the patch is taken or
 * refused with a line in it, its paths are absolute and without "..", and a change that fits makes
 * as many lines more and fewer as it says.
 */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "command/patch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_paths(const struct patch *patch)
{
    char **paths = patch_paths(patch, "/shop/dir");
    must(patch->count > 0 && paths[0] != NULL);
    for (size_t i = 0; paths[i] != NULL; i++) {
        must(paths[i][0] == '/' && strstr(paths[i], "/../") == NULL &&
             strstr(paths[i], "//") == NULL);
        must(i == 0 || strcmp(paths[i - 1], paths[i]) < 0);
    }
    strv_free(&paths);
}

static size_t count_lines(const char *text, size_t length)
{
    size_t lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines + (length > 0 && text[length - 1] != '\n');
}

static void check_change(const struct patch_change *change, const char *old, size_t length)
{
    struct strbuf result = STRBUF_INIT;
    struct error error = ERROR_INIT;
    size_t added = 0, removed = 0;
    for (size_t i = 0; i < change->count; i++)
        for (size_t j = 0; j < change->hunks[i].count; j++) {
            added += change->hunks[i].lines[j].mark == '+';
            removed += change->hunks[i].lines[j].mark == '-';
        }
    if (patch_apply(change, old, length, &result, &error) != 0)
        must(error.message[0] != '\0');
    else if (change->kind != PATCH_DELETE)
        must(count_lines(result.data, result.length) ==
             (change->kind == PATCH_ADD ? 0 : count_lines(old, length)) + added - removed);
    strbuf_free(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size > 0 ? memchr(data, '\0', size) : NULL;
    size_t length = end != NULL ? (size_t)(end - data) : size;
    const char *old = end != NULL ? (const char *)end + 1 : "";
    size_t old_length = end != NULL ? size - length - 1 : 0;
    struct error error = ERROR_INIT;
    struct patch patch;
    if (patch_parse((const char *)data, length, &patch, &error) == 0) {
        check_paths(&patch);
        for (size_t i = 0; i < patch.count; i++)
            check_change(&patch.changes[i], old, old_length);
    } else {
        must(error.message[0] != '\0');
    }
    patch_clear(&patch);
    return 0;
}
