/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "inbox_steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"

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
