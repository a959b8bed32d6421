/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "halt_steps.h"

#include "base/alloc.h"

struct call *halt_ask_from(struct tui *tui, struct session *session, const char *name, pid_t tree)
{
    struct call *call = fake_core_call(tui->core, session, "make");

    call->client.name = xstrdup(name);
    call->client.tree = tree;
    fake_core_start(tui->core, call, "workspace-write (network off)");
    tui_settle(tui);
    return call;
}

struct call *halt_ask_as(struct tui *tui, struct session *session, const char *name)
{
    return halt_ask_from(tui, session, name, 0);
}
