/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "kept.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/json.h"

static int conversations;

void kept_begin(void)
{
    conversations++;
}

/* {"ours": true, "bytes": "…"}, a line each, in a file for each conversation. */
void kept_add(bool ours, const char *bytes, size_t length)
{
    const char *directory = getenv("KEPT_MESSAGES");
    if (directory == NULL)
        return;
    cleanup_free char *path = xasprintf("%s/%s-%d-%d", directory, program_invocation_short_name,
                                        (int)getpid(), conversations);
    cleanup_json json_t *chunk = json_object();
    json_object_set_new(chunk, "ours", json_boolean(ours));
    json_object_set_new(chunk, "bytes", json_string_lossy(bytes, length));
    cleanup_free char *line = json_line(chunk);
    FILE *file = fopen(path, "a");
    if (file == NULL)
        abort();
    fprintf(file, "%s\n", line);
    fclose(file);
}
