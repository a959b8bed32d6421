/* SPDX-License-Identifier: MIT */
/*
 * console: the full-screen console, as an observer of the orchestrator.
 *
 * It shows calls, their terminals and the requests that wait, and hands the operator's decisions
 * to the orchestrator; it decides nothing itself. This is the one header of ui/ that the program's
 * main includes.
 */
#ifndef ASSENT_UI_CONSOLE_H
#define ASSENT_UI_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "approval/orchestrator.h"
#include "base/error.h"
#include "base/loop.h"
#include "ui/console_hooks.h"

#define CONSOLE_GUARD_MS_DEFAULT 400

struct console;

/* What came back of a console that this one goes on from. */
struct console_restored {
    const char *console; /* its name */
    size_t calls;        /* on its record */
    char *approvals;     /* that hold again, one a line, safe to show; NULL: none */
    char *agents;        /* that go on, the same */
    bool zoomed;         /* one of them has the whole screen again */
    char *rest;          /* what did not come back, our words; NULL: nothing to say */
};

struct console_setup {
    struct loop *loop;
    struct orchestrator *orchestrator;
    struct session *session;      /* of the operator's own commands */
    int input, output;            /* the terminal's descriptors; borrowed */
    const char *terminal;         /* TERM; NULL: from the environment */
    bool alert;                   /* requests ring the bell and show in the terminal's title */
    bool mouse;                   /* clicks and the wheel are ours, not the terminal's */
    int notification;             /* OSC number of desktop notifications, 9 or 777; 0: none */
    const char *notify_command;   /* run at each, see notify_command.h; NULL: none */
    int64_t escalate_ms, away_ms; /* see vigil.h; 0: never */
    const char *theme;            /* as in theme.h; NULL: by NO_COLOR and the terminal */
    int64_t guard_ms;             /* a request is on the screen this long before keys count */
    int64_t escape_ms;            /* what input_escape_ms() makes of it; 0: by the connection */
    int scrollback;               /* lines that a pane keeps above its screen; 0: 10,000 */
    const char *directory;        /* where the operator's commands start; absolute */
    /* Keys that the configuration changes, as keymap_change() takes them, or NULL. */
    const char *const *keys;
    /* A syllable that only this console knows, shown where keys go; NULL: chosen at random. */
    const char *mark;

    const struct console_restored *restored; /* NULL: nothing; not needed after console_new() */
    bool introduce; /* somebody sees the console for the first time: it begins with an introduction
                     */

    /* The call that the command line asked for, 0: none. */
    uint64_t command_call;
    bool command_keyboard; /* its pane gets the keyboard when it starts */
    bool zoom;             /* its pane has the whole screen but the status line */
    bool exit_when_done;   /* ask to quit when it has finished */

    struct console_hooks hooks;
    /* That call's pane was given the whole screen, or has it no longer. May be NULL. */
    void (*zoom_changed)(void *argument, const struct call *call, bool zoomed);
    /* The console wants to end, with this exit status. Called from the loop, once. */
    void (*quit)(void *argument, int status);
    void *argument;
};

/* Takes the terminal. Strings and arrays of `setup` must outlive the console. NULL with a message
 * when the terminal, the theme or a key is not usable. The caller registers console_observer()
 * with the console as its argument. */
struct console *console_new(const struct console_setup *setup, struct error *error);
/* Gives the terminal back. Remove the observer first. */
void console_free(struct console **console);

/* The record cannot be written, or can be again: the status line says so. */
void console_record_fails(struct console *console, bool fails);

const struct observer *console_observer(void); /* its argument is the struct console */

#endif
