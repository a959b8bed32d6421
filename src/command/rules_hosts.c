/* SPDX-License-Identifier: MIT */
/* rules_hosts: which paths host_executable declares for a name; found by a hash of it, however many
 * there are. */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "command/rules-int.h"

static void host_clear(struct rules_host *host)
{
    free(host->name);
    strv_free(&host->paths);
}

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash ^ hash >> 15;
}

/* The slot that holds the name's index plus one, or the free one where it belongs. */
static size_t *slot_of(const struct rules_hosts *hosts, const char *name)
{
    size_t at = hash_of(name) & (hosts->slot_count - 1);
    while (hosts->slots[at] != 0 && strcmp(hosts->items[hosts->slots[at] - 1].name, name) != 0)
        at = (at + 1) & (hosts->slot_count - 1);
    return &hosts->slots[at];
}

/* Twice as many items as there are, and half of the slots free. */
static void grow(struct rules_hosts *hosts)
{
    hosts->slot_count = hosts->slot_count > 0 ? 2 * hosts->slot_count : 32;
    hosts->items = xreallocarray(hosts->items, hosts->slot_count / 2, sizeof(*hosts->items));
    free(hosts->slots);
    hosts->slots = xcalloc(hosts->slot_count, sizeof(*hosts->slots));
    for (size_t i = 0; i < hosts->count; i++)
        *slot_of(hosts, hosts->items[i].name) = i + 1;
}

void rules_hosts_add(struct rules_hosts *hosts, struct rules_host *host)
{
    if (2 * hosts->count >= hosts->slot_count)
        grow(hosts);
    size_t *slot = slot_of(hosts, host->name);
    if (*slot != 0) { /* the last one said of a name holds */
        host_clear(&hosts->items[*slot - 1]);
        hosts->items[*slot - 1] = *host;
        return;
    }
    hosts->items[hosts->count++] = *host;
    *slot = hosts->count;
}

char *const *rules_hosts_find(const struct rules_hosts *hosts, const char *name)
{
    size_t slot = hosts->count > 0 ? *slot_of(hosts, name) : 0;
    return slot != 0 ? hosts->items[slot - 1].paths : NULL;
}

void rules_hosts_move(struct rules_hosts *to, struct rules_hosts *from)
{
    for (size_t i = 0; i < from->count; i++)
        rules_hosts_add(to, &from->items[i]);
    from->count = 0;
    rules_hosts_clear(from);
}

void rules_hosts_clear(struct rules_hosts *hosts)
{
    for (size_t i = 0; i < hosts->count; i++)
        host_clear(&hosts->items[i]);
    free(hosts->items);
    free(hosts->slots);
    *hosts = (struct rules_hosts){.items = NULL};
}

char *rules_absolute(const char *path, const char *cwd)
{
    struct strbuf out = STRBUF_INIT;
    cleanup_free char *whole =
        path[0] == '/' ? xstrdup(path) : xasprintf("%s/%s", cwd != NULL ? cwd : "", path);
    for (const char *at = whole; *at != '\0';) {
        at += strspn(at, "/");
        size_t length = strcspn(at, "/");
        if (length == 2 && memcmp(at, "..", 2) == 0) {
            while (out.length > 0 && out.data[--out.length] != '/')
                continue;
        } else if (length > 0 && !(length == 1 && *at == '.')) {
            strbuf_addch(&out, '/');
            strbuf_add(&out, at, length);
        }
        at += length;
    }
    if (out.length == 0)
        strbuf_addch(&out, '/');
    out.data[out.length] = '\0';
    return strbuf_steal(&out);
}
