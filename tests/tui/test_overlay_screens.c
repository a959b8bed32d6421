/* SPDX-License-Identifier: MIT */
/* What everything that is no request looks like, cell by cell, in both sizes and all themes. */
#include "config.h"

#include "shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "fake_lab.h"
#include "ui/console_int.h"
#include "ui/overlay_help.h"
#include "ui/restored_view.h"

#define F5 "\x1b[15~"
#define F6 "\x1b[17~"
#define F7 "\x1b[18~"
#define F8 "\x1b[19~"
#define F9 "\x1b[20~"
#define F11 "\x1b[23~"
#define F12 "\x1b[24~"

/* ---- what keys alone bring about ------------------------------------------------------------- */

TYPED(keys, "?")
TYPED(grants_none, F6)
TYPED(rules, ":rules\r")
TYPED(sessions, ":sessions\r")
static void draw_quit(struct tui *tui)
{
    tui_lines(tui, ":quit\r");
}
STATE(quit)

TYPED(zoomed, F5)
TYPED(in_pane, F12)
TYPED(frozen, F7)
TYPED(stop_agent, F8)
TYPED(trail_none, ":trail\r")
TYPED(record_none, ":log\r")
TYPED(commands, ":\r")
TYPED(key_names, ":keys\r")
TYPED(call, ":show c1\r")
TYPED(usage, ":policy\r")
TYPED(completion, ":s\t")
TYPED(suggest_none, ":suggest\r")
TYPED(reading, F11)
TYPED(searching, F11 "/basket")
TYPED(found, F11 "/basket\r")
TYPED(not_found, F11 "/nowhere\r")
TYPED(selecting, F11 "gvl")

/* ---- inbox ----------------------------------------------------------------------------------- */

static void draw_inbox(struct tui *tui)
{
    three_requests(tui);
    tui_keys(tui, F9);
    tui_wait_guard(tui);
}

/* Two are marked, and the key for them says what it does. */
static void draw_inbox_marked(struct tui *tui)
{
    draw_inbox(tui);
    tui_keys(tui, "j");
    tui_keys(tui, " ");
    tui_keys(tui, "j");
    tui_wait_guard(tui);
    tui_keys(tui, " ");
    tui_wait_guard(tui);
}

/* The same of several agents is one row. */
static void draw_inbox_same(struct tui *tui)
{
    struct session *usual = tui->agent;

    for (int i = 0; i < 3; i++) {
        tui->agent = fake_core_session(tui->core, SESSION_CLIENT, i == 0 ? "claude" : "gemini");
        tui_request(tui, "npm ci", RISK_MEDIUM);
    }
    tui->agent = usual;
    tui_wait_guard(tui);
    tui_keys(tui, F9);
    tui_wait_guard(tui);
}

/* The key that thaws is told before all else in the status line. */
static void draw_inbox_frozen(struct tui *tui)
{
    draw_inbox(tui);
    tui_keys(tui, F7);
    assert_true(tui_shows(tui, "FROZEN: F7"));
}

STATE(inbox)
STATE(inbox_frozen)
STATE(inbox_marked)
STATE(inbox_same)

/* ---- what holds, what was decided ------------------------------------------------------------ */

static void draw_grants(struct tui *tui)
{
    static const char *const one[] = {"[\"make\",\"test\"]", NULL}, *const two[] = {"two", NULL};
    static const struct lease minutes = {.kind = LEASE_TIME, .duration_ms = 600000};
    static const struct lease runs = {.kind = LEASE_RUNS, .runs = 5};

    grants_add(tui->agent->grants, one, "make test", 1, &minutes);
    grants_add(tui->agent->grants, two,
               "npm run a-task-with-a-name-so-long-that-it-does-not-fit-into-eighty-columns", 2,
               &runs);
    console_dirty(tui->console, DIRTY_CALLS); /* as a decision does that grants */
    tui_keys(tui, F6);
}

static void draw_grant(struct tui *tui)
{
    draw_grants(tui);
    tui_keys(tui, "v");
}

static void decide_some(struct tui *tui)
{
    tui_request(tui, "npm view left-pad version", RISK_LOW);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    tui_wait_guard(tui);
    tui_keys(tui, "\r");
    tui_wait_guard(tui);
    tui_request(tui, "rm -r build && mkdir build && cd build && cmake .. && make && make install",
                RISK_MEDIUM);
    tui_wait_next(tui);
    tui_keys(tui, "d");
    tui_wait_guard(tui);
}

static void draw_trail(struct tui *tui)
{
    decide_some(tui);
    tui_keys(tui, ":trail\r");
}

static void draw_decided(struct tui *tui)
{
    decide_some(tui);
}

static void draw_record_reading(struct tui *tui)
{
    static struct fake_record record;

    record = (struct fake_record){.rows = NULL};
    fake_record_give(&tui->console->setup.hooks, &record);
    tui_keys(tui, ":log\r");
}

static void draw_record(struct tui *tui)
{
    static struct fake_record record;

    record = (struct fake_record){
        .rows = "2026-03-01\n"
                "09:08:07  c7  codex  low  approved (user)  exit 0  make all the things that long "
                "words are made of, and then some more\n"
                "09:08:08  c8  codex  high  denied (user)  exit 77  rm -rf /\n"};
    fake_record_give(&tui->console->setup.hooks, &record);
    tui_keys(tui, ":log\r");
}

STATE(grants)
STATE(grant)
STATE(trail)
STATE(decided)
STATE(record_reading)
STATE(record)

/* ---- rules ----------------------------------------------------------------------------------- */

static void give_rules(struct tui *tui)
{
    static const char lines[] =
        "prefix_rule(pattern=[\"npm\", \"test\"], decision=\"allow\", sandbox=\"keep\")\n"
        "prefix_rule(pattern=[\"git\", [\"push\", \"fetch\"]], decision=\"prompt\")\n"
        "prefix_rule(pattern=[\"rm\"], decision=\"forbidden\")\n";

    fake_core_rules(tui->agent, "/home/ann/.config/assent/default.rules", lines);
}

static void draw_rules_used(struct tui *tui)
{
    static const struct rule_use uses[] = {
        {.file = "/home/ann/.config/assent/default.rules", .line = 1, .matched = 12},
        {.file = "/home/ann/.config/assent/default.rules", .line = 2}};
    static struct fake_lab lab;

    lab = (struct fake_lab){.uses = uses, .use_count = 2};
    give_rules(tui);
    fake_lab_give(&tui->console->setup.hooks, &lab);
    tui_keys(tui, ":rules\r");
    tui_settle(tui);
}

static char *untrusted(void *argument)
{
    (void)argument;
    return xstrdup("/home/ann/shop/.assent/rules/project.rules\n"
                   "1  prefix_rule(pattern=[\"make\"], decision=\"allow\")\n");
}

static void draw_trust(struct tui *tui)
{
    tui->console->setup.hooks.rules = (struct console_rules){.untrusted = untrusted};
    tui_lines(tui, ":trust\r");
}

static void draw_suggest(struct tui *tui)
{
    static struct fake_lab lab;

    lab = (struct fake_lab){.suggestions = fake_suggestions, .suggestion_count = 2};
    fake_lab_give(&tui->console->setup.hooks, &lab);
    tui_keys(tui, ":suggest\r");
    tui_wait_guard(tui);
}

static void draw_suggest_wide(struct tui *tui)
{
    draw_suggest(tui);
    tui_keys(tui, "j");
    tui_keys(tui, "p");
}

static void draw_suggestion(struct tui *tui)
{
    draw_suggest(tui);
    tui_keys(tui, "jv");
}

STATE(rules_used)
STATE(trust)
STATE(suggest)
STATE(suggest_wide)
STATE(suggestion)

/* ---- the console itself ---------------------------------------------------------------------- */

static void draw_introduced(struct tui *tui)
{
    overlay_help_introduce(tui->console);
    tui_settle(tui);
}

static void draw_restored(struct tui *tui)
{
    static char approvals[] = "make test  (for this session; codex)\nnpm ci  (for this session)";
    static char rest[] = "2 approvals for a time or a number of runs; agents that had ended.";
    static const struct console_restored restored = {
        .console = "shop-7f3a", .calls = 12, .approvals = approvals, .rest = rest};

    restored_view_show(tui->console, &restored);
    tui_settle(tui);
}

static void draw_warned(struct tui *tui)
{
    console_observer()->notice(tui->console, NOTICE_WARNING,
                               "another console of this project runs (shop-7f3a): agents that ask "
                               "without a name ask there");
    console_observer()->notice(tui->console, NOTICE_ALARM,
                               "c2 changed the project's .git/config: core.fsmonitor is set aside");
    tui_settle(tui);
}

static void draw_no_record(struct tui *tui)
{
    console_record_fails(tui->console, true);
    tui_settle(tui);
}

static void draw_too_small(struct tui *tui)
{
    tui_request(tui, "make", RISK_LOW);
    tui_resize(tui, 8, 30);
    tui_wait_guard(tui);
}

static struct call *with_pane(struct tui *tui, const char *line, const char *output)
{
    struct call *call = tui_running(tui, line, true);

    fake_core_output(tui->core, call, output);
    tui_settle(tui);
    return call;
}

static void draw_scrolled(struct tui *tui)
{
    struct strbuf text = STRBUF_INIT;

    for (int i = 1; i <= 200; i++)
        strbuf_addf(&text, "line %03d of the build\r\n", i);
    with_pane(tui, "make all", strbuf_str(&text));
    strbuf_free(&text);
    tui_keys(tui, "\x1b[5~");
}

/* Four agents, four panes, and one more call than has a place. */
static void draw_panes(struct tui *tui)
{
    struct session *usual = tui->agent;
    static const char *const names[] = {"claude", "gemini", "pi \x1b[31m"};

    for (int i = 0; i < 3; i++) {
        tui->agent = fake_core_session(tui->core, SESSION_CLIENT, names[i]);
        with_pane(tui, "npm run watch",
                  "\x1b[1mwatching\x1b[0m \xe6\xbc\xa2\xe5\xad\x97\r\n\x1b[42m ok \x1b[0m 3\r\n");
    }
    tui->agent = usual;
}

/* Hundreds have finished. */
static void draw_many(struct tui *tui)
{
    for (int i = 0; i < 150; i++) {
        cleanup_free char *line = xasprintf("make part-%d", i);
        struct call *call = fake_core_call(tui->core, tui->agent, line);

        fake_core_start(tui->core, call, "workspace-write (network off)");
        fake_core_finish(tui->core, call, i % 7 == 0 ? 2 : 0);
    }
    tui_settle(tui);
}

STATE(introduced)
STATE(restored)
STATE(warned)
STATE(no_record)
STATE(too_small)
STATE(scrolled)
STATE(panes)
STATE(many)

#define SHOWS(name) cmocka_unit_test(shows_##name)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SHOWS(keys),         SHOWS(grants_none),    SHOWS(rules),        SHOWS(sessions),
        SHOWS(quit),         SHOWS(zoomed),         SHOWS(in_pane),      SHOWS(frozen),
        SHOWS(stop_agent),   SHOWS(trail_none),     SHOWS(record_none),  SHOWS(commands),
        SHOWS(key_names),    SHOWS(call),           SHOWS(usage),        SHOWS(completion),
        SHOWS(suggest_none), SHOWS(reading),        SHOWS(searching),    SHOWS(found),
        SHOWS(not_found),    SHOWS(selecting),      SHOWS(inbox),        SHOWS(inbox_marked),
        SHOWS(inbox_same),   SHOWS(grants),         SHOWS(grant),        SHOWS(trail),
        SHOWS(decided),      SHOWS(record_reading), SHOWS(record),       SHOWS(rules_used),
        SHOWS(trust),        SHOWS(suggest),        SHOWS(suggest_wide), SHOWS(suggestion),
        SHOWS(introduced),   SHOWS(restored),       SHOWS(warned),       SHOWS(no_record),
        SHOWS(too_small),    SHOWS(scrolled),       SHOWS(panes),        SHOWS(many),
        SHOWS(inbox_frozen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
