/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "shapes.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

static const struct shape {
    int rows, columns;
    const char *theme;
} shapes[] = {
    {24, 80, "dark"},          {24, 80, "light"},        {24, 80, "mono"},
    {24, 80, "high-contrast"}, {24, 80, "colour-blind"}, {50, 200, "dark"},
    {50, 200, "light"},        {50, 200, "mono"},        {50, 200, "high-contrast"},
    {50, 200, "colour-blind"},
};
#define SHAPE_COUNT (sizeof(shapes) / sizeof(shapes[0]))

/* With sanitizers, which look at the code and not at the colours, one theme does. */
static bool is_drawn(const struct shape *shape)
{
#ifdef __SANITIZE_ADDRESS__
    return strcmp(shape->theme, shapes[0].theme) == 0;
#else
    (void)shape;
    return true;
#endif
}

static void golden(const struct tui *tui, const char *state, const struct shape *shape)
{
    cleanup_free char *name =
        xasprintf("%s-%dx%d-%s", state, shape->columns, shape->rows, shape->theme);

    tui_golden(tui, name);
}

/* The same console behind every request: one call has run, one runs. */
static void start(struct tui *tui, const struct shape *shape)
{
    struct tui_options options = {.theme = shape->theme};
    struct call *call;

    tui_start(tui, shape->rows, shape->columns, &options);
    call = fake_core_call(tui->core, tui->agent, "git status --short");
    fake_core_start(tui->core, call, "workspace-write (network off)");
    fake_core_output(tui->core, call, " M src/basket.c\n?? notes.txt\n");
    fake_core_finish(tui->core, call, 0);
    call = fake_core_call(tui->core, tui->agent, "make test");
    fake_core_start(tui->core, call, "workspace-write (network off)");
    fake_core_output(tui->core, call, "cc -c basket.c\n\x1b[32mok\x1b[0m 12 of 40\n");
    tui_settle(tui);
}

void in_all_shapes(const char *state, void (*draw)(struct tui *tui))
{
    for (size_t i = 0; i < SHAPE_COUNT; i++) {
        struct tui tui;

        if (!is_drawn(&shapes[i]))
            continue;
        start(&tui, &shapes[i]);
        draw(&tui);
        golden(&tui, state, &shapes[i]);
        tui_stop(&tui);
    }
}

void three_requests(struct tui *tui)
{
    struct call *call = tui_request(tui, "sudo rm -rf /var/lib/shop && make install", RISK_HIGH);

    call->assessment.categories =
        RISK_DATA_DELETION | RISK_PRIVILEGE_ESCALATION | RISK_SYSTEM_MODIFICATION;
    snprintf(call->assessment.description, sizeof(call->assessment.description),
             "Removes a directory outside the project with root's rights, then installs files.");
    tui_request(tui, "make docs", RISK_LOW);
    tui_request(tui, "make site", RISK_LOW);
    tui_wait_guard(tui);
}
