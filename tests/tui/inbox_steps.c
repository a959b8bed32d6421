/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "inbox_steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"

struct session *inbox_other_agent(struct tui *tui)
{
    return fake_core_session(tui->core, SESSION_CLIENT, "claude");
}

struct call *inbox_request_by(struct tui *tui, struct session *agent, const char *line)
{
    struct session *usual = tui->agent;
    struct call *call;

    tui->agent = agent;
    call = tui_request(tui, line, RISK_LOW);
    tui->agent = usual;
    return call;
}

struct call *inbox_request_with_rule(struct tui *tui, const char *line, const char *words)
{
    cleanup_wording struct wording *reason = wording_from("Asked.");
    struct ladder *ladder = XNEW(struct ladder);
    struct prompt prompt = {.reason = reason, .under = reason, .ladder = ladder};
    struct call *call = fake_core_call(tui->core, tui->agent, line);

    ladder->steps[0] =
        (struct ladder_step){.width = LADDER_ANYWHERE,
                             .exact = true,
                             .words = strv_copy((const char *const[]){"touch", words, NULL})};
    ladder->count = 1;
    prompt.may_approve_for_session = true;
    fake_core_ask(tui->core, call, &prompt);
    return call;
}

struct call *inbox_request_host(struct tui *tui, const char *host)
{
    const struct prompt prompt = {.may_approve_for_session = true};
    struct call *call = fake_core_call(tui->core, tui->agent, host);

    call->tool = CALL_NETWORK;
    call->reach = XNEW(struct reach);
    *call->reach = (struct reach){.host = xstrdup(host),
                                  .protocol = "https",
                                  .port = 443,
                                  .known = "packages of npm",
                                  .command = 1,
                                  .command_line = xstrdup("npm install"),
                                  .waiting = 3};
    reach_assess(call->reach, &call->assessment);
    fake_core_ask_for(tui->core, call, prompt, "the sandbox has no network but what you allow",
                      "the sandbox as before; connections to this host and port alone");
    return call;
}

void inbox_open(struct tui *tui)
{
    tui_settle(tui);
    tui_keys(tui, F9);
    tui_wait_guard(tui);
}

bool inbox_decided(const struct tui *tui, uint64_t prompt, enum review_kind kind)
{
    for (size_t i = 0; i < fake_core_decisions(tui->core); i++)
        if (fake_core_decision(tui->core, i)->prompt == prompt)
            return fake_core_decision(tui->core, i)->kind == kind;
    return false;
}

void inbox_click(struct tui *tui, const char *text)
{
    cleanup_free char *bytes = NULL;
    int row, column;

    assert_true(tui_find(tui, text, &row, &column));
    bytes = xasprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", column + 1, row + 1, column + 1, row + 1);
    tui_keys(tui, bytes);
}
