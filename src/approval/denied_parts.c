/* SPDX-License-Identifier: MIT */
/* denied_parts: a denial holds for the same request alone; that an agent asks for the same command
 * among others is for the operator to see. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "approval/judgement.h"
#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"

#define SHOWN_MAX 4 /* that are named */
#define LABEL_COLUMNS 60

struct found {
    uint64_t calls[SHOWN_MAX];
    size_t count;
    bool more;
    struct strbuf text;
};

static void add(struct found *found, const struct session_denial *denial)
{
    cleanup_free char *label = text_line(denial->label, strlen(denial->label), LABEL_COLUMNS);
    for (size_t i = 0; i < found->count; i++)
        if (found->calls[i] == denial->call)
            return;
    if (found->count == SHOWN_MAX) {
        found->more = true;
        return;
    }
    found->calls[found->count++] = denial->call;
    strbuf_addf(&found->text, "%s%s (c%" PRIu64 ")", found->count > 1 ? ", " : "", label,
                denial->call);
}

char *denied_parts(const struct call_entry *entry)
{
    const struct session *session = entry->call.session;
    struct found found = {.text = STRBUF_INIT};
    struct judgement judgement;
    if (session->denials->count == 0 || !entry_has_words(entry))
        return NULL;
    cleanup_free char *policy = arrival_policy(entry);
    arrival_read(entry, &judgement);
    for (size_t i = 0; i < judgement.count && !found.more; i++) {
        cleanup_free char *key = arrival_part_key(entry, &judgement.parts[i], policy);
        const struct session_denial *denial = session_find_denial(session, key);
        if (denial != NULL)
            add(&found, denial);
    }
    judgement_clear(&judgement);
    if (found.more)
        strbuf_addstr(&found.text, _(", and more"));
    return found.count > 0 ? strbuf_steal(&found.text) : NULL;
}
