/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/patch_kept.h"

#include <stdlib.h>
#include <string.h>

#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/sha256.h"

static void free_parsed(struct call_entry *entry)
{
    if (entry->patch != NULL)
        patch_clear(entry->patch);
    free(entry->patch);
    free(entry->patch_outside);
    free(entry->patch_files);
    entry->patch = NULL;
    entry->patch_outside = NULL;
    entry->patch_files = NULL;
}

size_t patch_kept_length(const char *text)
{
    size_t length = strlen(text);
    if (length <= PATCH_KEPT_BYTES)
        return length;
    const char *newline = memrchr(text, '\n', PATCH_KEPT_BYTES);
    return newline != NULL ? (size_t)(newline - text) + 1 : 0;
}

/* Keeps `kept` bytes of the text. The first time that something goes, all of it is still there to
 * make the hash of: by that alone it can be told later whether another patch is the same. */
static void cut(struct call *call, size_t kept)
{
    size_t length = strlen(call->patch);
    if (kept == length)
        return;
    if (call->patch_left_out == 0)
        sha256_of(call->patch, length, call->patch_hash);
    call->patch_left_out += length - kept;
    char *text = xstrndup(call->patch, kept);
    free(call->patch);
    call->patch = text;
}

/* All but the newest, which its operator has hardly seen. */
static void make_room(struct orchestrator *orchestrator, const struct call_entry *newest)
{
    for (size_t i = 0; i < orchestrator->call_count; i++) {
        struct call_entry *entry = orchestrator->calls[i];
        if (orchestrator->patches_kept <= PATCH_KEPT_TOTAL)
            return;
        if (entry == newest || entry->call.patch == NULL || entry->call.state != CALL_FINISHED)
            continue;
        orchestrator->patches_kept -= strlen(entry->call.patch);
        cut(&entry->call, 0);
    }
}

void patch_kept_take_in(struct call_entry *entry)
{
    struct call *call = &entry->call;
    if (call->patch == NULL)
        return;
    free_parsed(entry);
    cut(call, patch_kept_length(call->patch));
    entry->orchestrator->patches_kept += strlen(call->patch);
    make_room(entry->orchestrator, entry);
}

void patch_kept_forget(const struct call_entry *entry)
{
    if (entry->call.patch != NULL)
        entry->orchestrator->patches_kept -= strlen(entry->call.patch);
}
