/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/clients_text.h"

#include <string.h>

#include "approval/orchestrator.h"
#include "approval/session.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/strset.h"
#include "ui/call_text.h"

static bool is_of(const struct call *call, const struct clients *clients)
{
    bool found = clients->tree_count == 0;

    for (size_t i = 0; i < clients->tree_count && !found; i++)
        found = call->client.tree == clients->trees[i];
    return found && call->session == clients->session && call->client.name != NULL;
}

/* The names, each once. */
struct names {
    struct strset seen;
    struct strbuf text;
    size_t count, most;
};

static void add_name(struct names *names, const char *name)
{
    if (!strset_add(&names->seen, name, strlen(name)) || names->count++ >= names->most)
        return;
    strbuf_addstr(&names->text, names->count > 1 ? ", " : "");
    call_text_add_quoted(&names->text, name);
}

char *clients_text(const struct orchestrator *orchestrator, const struct clients *clients,
                   size_t most)
{
    struct names names = {.text = STRBUF_INIT, .most = most};

    if (clients->session->origin != SESSION_DEFAULT)
        return NULL;
    if (clients->first != NULL)
        add_name(&names, clients->first);
    for (size_t i = 0; i < orchestrator_call_count(orchestrator); i++) {
        const struct call *call = orchestrator_call_at(orchestrator, i);

        if (is_of(call, clients))
            add_name(&names, call->client.name);
    }
    if (names.count > most)
        strbuf_addf(&names.text, _(" and %zu more"), names.count - most);
    strset_clear(&names.seen);
    return names.count > 0 ? strbuf_steal(&names.text) : NULL;
}
