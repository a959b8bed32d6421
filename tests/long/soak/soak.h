/* SPDX-License-Identifier: MIT */
/*
 * soak: a real console at a terminal that this program holds, with many agents that ask and an
 * operator who types at random, for as long as one likes. What must hold all the time is checked
 * against what the console draws, what it records, and what is on the disk.
 */
#ifndef ASSENT_TESTS_SOAK_H
#define ASSENT_TESTS_SOAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "outer.h"

/* Where everything is; all paths are absolute and live as long as the program. */
struct soak_place {
    const char *assent;   /* the program */
    const char *work;     /* workspace; markers are in its directory marks */
    const char *outside;  /* a directory that the sandbox keeps commands out of */
    const char *sessions; /* where the record is */
    const char *scratch;  /* for what clients say */
};

int64_t soak_now_ms(void);
/* From 0 to below `limit`; the same seed gives the same numbers. */
unsigned soak_random(unsigned limit);
void soak_random_seed(uint64_t seed);
/* Something that must hold does not: it is told, counted, and the soak goes on. */
void soak_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void soak_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
unsigned soak_complaints(void);

/* ---- terminal: the console's ------------------------------------------------------------------
 */

struct terminal_picture;

/* Waits for a frame in which all is drawn anew. */
struct redraw {
    bool awaited, cleared;
    struct terminal_picture *before; /* at the end of the frame before it */
    struct terminal_picture *after;  /* at its end */
};

/* It tells the console that it knows synchronized output, and so hears where each frame ends. */
struct terminal {
    pid_t console;
    int fd; /* master; -1 once the console has closed the other end */
    int rows, columns;
    struct outer *outer;
    FILE *tape;      /* all that it has written, and each size in words of its own */
    uint64_t bytes;  /* that it has written */
    int64_t last_ms; /* when it wrote last */
    struct {
        size_t question, end, clear;
    } matched; /* of the sequences that it looks for */
    struct redraw redraw;
};

/* Starts argv (NULL-terminated) at a terminal of that size, in `directory`. What it writes is kept
 * in the file `tape` as well; a new size stands there as a terminal is asked for one (XTWINOPS 8).
 */
void terminal_start(struct terminal *terminal, const char *const *argv, const char *directory,
                    const char *tape, int rows, int columns);
/* Frees what belongs to it; the console has ended. */
void terminal_end(struct terminal *terminal);
/* Reads what there is, waiting at most `wait_ms` for the first of it. False: nothing came. */
bool terminal_pump(struct terminal *terminal, int wait_ms);
/* Until nothing has come for `quiet_ms`, for `limit_ms` at most. False: it never was quiet. */
bool terminal_settle(struct terminal *terminal, int quiet_ms, int limit_ms);
void terminal_keys(struct terminal *terminal, const char *bytes);
void terminal_resize(struct terminal *terminal, int rows, int columns);
bool terminal_shows(const struct terminal *terminal, const char *text);
/* The call whose request has the keys; 0: none. */
uint64_t terminal_request(const struct terminal *terminal);
/* Where the console says that keys go: "prompt", "request c3", …; "" when it says nothing. */
const char *terminal_where(const struct terminal *terminal);
/* The command of the request on the screen, without blanks: the caller frees. */
char *terminal_command(const struct terminal *terminal);
/* Asks for a frame in which all is drawn anew, and gives the pictures right before and right after
 * it; the caller frees both. False: it did not come. */
bool terminal_redrawn(struct terminal *terminal, void (*ask)(struct terminal *terminal),
                      struct terminal_picture **before, struct terminal_picture **after);
/* The picture at the moment, as text, on standard output. */
void terminal_print(const struct terminal *terminal);

/* ---- picture ----------------------------------------------------------------------------------
 */

/* Cells and cursor as they are, to be compared with later ones. */
struct terminal_picture *terminal_picture(const struct terminal *terminal);
void terminal_picture_free(struct terminal_picture **picture);
/* What differs from an earlier picture for a moment only, and not from a later one any more, is
 * taken to be as it was; the cursor is where it then is. All of the same size. */
void terminal_picture_settle(struct terminal_picture *picture,
                             const struct terminal_picture *before,
                             const struct terminal_picture *later);
/* NULL when both are equal, else where they differ in words that the caller frees. */
char *terminal_difference(const struct terminal_picture *one, const struct terminal_picture *two);
/* All that the second lacks is lines of the trail: they may have run out with that very frame. */
bool terminal_line_ran_out(const struct terminal_picture *one, const struct terminal_picture *two);

/* ---- agents -----------------------------------------------------------------------------------
 */

struct agents;

struct agents *agents_start(const struct soak_place *place, unsigned count);
/* Lets idle ones ask, and takes answers. With `asking` false nothing new is asked. */
void agents_step(struct agents *agents, bool asking);
/* Some die in the middle of a request: clients, or a command that runs. */
void agents_kill_some(struct agents *agents);
/* None of their programs does anything until they go on. */
void agents_halt(struct agents *agents, bool halt);
size_t agents_waiting(const struct agents *agents);
void agents_print(const struct agents *agents);
void agents_end(struct agents **agents);

/* ---- record: what the console writes down -----------------------------------------------------
 */

struct record;

struct record *record_open(const char *sessions);
/* Reads what is new, and checks that it is in order. */
void record_follow(struct record *record);
/* The operator presses a key that may allow this call, which is on the screen; 0: some of the
 * inbox. */
void record_may_allow(struct record *record, uint64_t call);
/* The request that has waited longest, 0 when none waits; its command, owned by the record. */
uint64_t record_oldest(const struct record *record, const char **command);
uint64_t record_lines(const struct record *record); /* read so far */
size_t record_calls(const struct record *record);
size_t record_waiting(const struct record *record);
/* Each file of the directory was made by a call that was allowed to (outside the sandbox). */
void record_check_markers(const struct record *record, const char *directory, bool outside);
void record_print(const struct record *record);
void record_close(struct record **record);

/* ---- operator ---------------------------------------------------------------------------------
 */

/* A key or a few, whatever comes to mind in view of the screen. */
void operator_types(struct terminal *terminal, struct record *record);
/* Away from all overlays and panes, to the prompt. False: it cannot be reached, which is complained
 * of with the way that was gone. */
bool operator_leaves_all(struct terminal *terminal);

#endif
