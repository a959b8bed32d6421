/* SPDX-License-Identifier: MIT */
/*
 * tui: the console in a terminal that a test holds in its hands. Keys go in, cells come out; the
 * loop is stepped and the clock moved by the test, nothing sleeps.
 */
#ifndef ASSENT_TESTS_TUI_TUI_H
#define ASSENT_TESTS_TUI_TUI_H

#include "base/clock.h"
#include "base/loop.h"
#include "fake_core.h"
#include "outer.h"
#include "ui/console.h"

struct tui {
    struct clock_fake clock;
    struct loop *loop;
    struct orchestrator *core;
    struct session *own;   /* the operator's own session */
    struct session *agent; /* of a client called "codex" */
    struct console *console;
    struct outer *outer;
    int master, slave; /* the terminal as a keyboard: what the test writes, the console reads */
    int screen[2];     /* what the console writes */
    struct strbuf raw; /* bytes that it has written since the test last emptied this */
    int quit_status;   /* -1: it has not asked to end */
    bool careless;     /* what is drawn piece by piece is not compared with what is drawn anew */
};

struct tui_options {
    const char *theme;    /* NULL: "dark" */
    const char *terminal; /* NULL: "xterm-256color" */
    const char *locale;   /* NULL: "C.UTF-8" */
    const char *command;  /* on the command line; NULL: none */
    bool keyboard, zoom, exit_when_done;
    bool introduce;
    bool own_mark; /* not "kov", but the one that the console chooses */
    bool mouse;
    bool alert; /* bell, title and OSC 9 */
    int64_t escalate_ms, away_ms;
    int64_t escape_ms;       /* 0: as over a cable */
    const char *const *keys; /* of the configuration, as keymap_change() takes them */
};

void tui_start(struct tui *tui, int rows, int columns, const struct tui_options *options);
void tui_stop(struct tui *tui);
/* Ends the console alone, so that what it leaves behind can be looked at. */
void tui_end_console(struct tui *tui);

/* For cmocka: *state is a struct tui with a console of 24x80. */
int tui_set_up(void **state);
int tui_tear_down(void **state);

/* Types bytes as a terminal sends them, and lets the console take them. */
void tui_keys(struct tui *tui, const char *bytes);
/* Presses those keys one by one. */
void tui_presses(struct tui *tui, const char *keys);
/* Types lines that end in \r as a finger does: each Enter comes by itself. */
void tui_lines(struct tui *tui, const char *lines);
/* Lets the console do what there is to do at this moment. */
void tui_settle(struct tui *tui);
/* Moves the clock, in steps in which timers run. */
void tui_advance(struct tui *tui, int64_t ms);
/* The same for a console that nothing wakes but its timers. */
void tui_sleep(struct tui *tui, int64_t ms);
/* A request is on the screen for as long as keys do not count, and a little longer. */
void tui_wait_guard(struct tui *tui);
/* The same for one that came up right behind an answer. */
void tui_wait_next(struct tui *tui);
/* The same for an answer that allows what was told to have changed while it was shown. */
void tui_wait_change(struct tui *tui);
void tui_resize(struct tui *tui, int rows, int columns);

/* Where a text stands: false when nowhere. Searches from the top. */
bool tui_find(const struct tui *tui, const char *text, int *row, int *column);
bool tui_shows(const struct tui *tui, const char *text);
/* The same wherever its lines break. */
bool tui_says(const struct tui *tui, const char *text);
/* Compares the screen with tests/tui/golden/NAME.screen; UPDATE=1 in the environment rewrites the
 * file instead. Fails the test with the first line that differs. */
void tui_golden(const struct tui *tui, const char *name);

/* A request by the agent, with the usual texts: to run outside the sandbox, or inside it. */
struct call *tui_request(struct tui *tui, const char *line, enum risk_level risk);
struct call *tui_request_inside(struct tui *tui, const char *line, enum risk_level risk);
/* One of "make install" inside it, on the screen for as long as keys do not count. */
void tui_ready_request(struct tui *tui, enum risk_level risk);
/* The only decision so far; fails when there is another number of them. */
const struct fake_decision *tui_decision(const struct tui *tui);
void tui_no_decision(const struct tui *tui);
/* A call by the agent that runs in the sandbox. */
struct call *tui_running(struct tui *tui, const char *line, bool tty);

#endif
