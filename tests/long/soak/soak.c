/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "soak.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"

#define AGENTS 20
#define CHECK_MS 15000  /* between two looks at the screen */
#define SHOWN_MS 10000  /* what has to come up is stuck when it has not by then */
#define MEMORY_MS 5000  /* between two at the memory */
#define DRAIN_MS 120000 /* what is open at the end is answered by then */
#define END_MS 30000    /* the console has ended by then */
/* The console keeps so many calls that have ended (src/main.c), with what they wrote: until then
 * its memory grows with each. Afterwards, and in the second half, it grows by less than this part.
 */
#define CALLS_KEPT 1000
#define MEMORY_GROWTH_PERCENT 8 /* what was allowed and denied for the session is remembered */
#define MEMORY_SAMPLES_MIN 36   /* that say something: three minutes */
#define SAMPLES_MAX 100000
#define RAN_OUT_RARE 50 /* comparisons in which a line may run out once */

struct soak {
    struct soak_place place;
    struct terminal terminal;
    struct agents *agents;
    struct record *record;
    int64_t start_ms, end_ms;
    int64_t key_ms, size_ms, check_ms, memory_ms, kill_ms, stall_ms, brake_ms; /* the next */
    unsigned long checks, ran_out, overlays, resizes, brakes, stalls;
    int64_t slowest_ms; /* from the key until what waits longest was shown */
    bool frozen;
    long *samples; /* resident memory in KiB */
    size_t sample_count;
    size_t full_at; /* the first sample when it kept as many calls as it does; 0: not yet */
};

static unsigned complaints;
static int64_t began_ms;
static uint64_t random_state;

int64_t soak_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* splitmix64 */
unsigned soak_random(unsigned limit)
{
    uint64_t mixed = random_state += 0x9e3779b97f4a7c15U;

    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return (unsigned)((mixed ^ (mixed >> 31)) % limit);
}

void soak_random_seed(uint64_t seed)
{
    random_state = seed;
}

__attribute__((format(printf, 2, 0))) static void say(const char *what, const char *format,
                                                      va_list arguments)
{
    printf("%7.1f %s", (double)(soak_now_ms() - began_ms) / 1000, what);
    vprintf(format, arguments);
    printf("\n");
    fflush(stdout);
}

void soak_say(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
}

void soak_complain(const char *format, ...)
{
    va_list arguments;

    complaints++;
    va_start(arguments, format);
    say("WRONG: ", format, arguments);
    va_end(arguments);
}

unsigned soak_complaints(void)
{
    return complaints;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static long resident_kb(pid_t pid)
{
    cleanup_free char *path = xasprintf("/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "re");
    long size = 0, resident = 0;

    if (file == NULL)
        return 0;
    if (fscanf(file, "%ld %ld", &size, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Children of the console with that name; what runs commands comes and goes. */
static int children_named(pid_t console, const char *name)
{
    int found = 0;
    DIR *processes = opendir("/proc");

    for (struct dirent *entry; processes != NULL && (entry = readdir(processes)) != NULL;) {
        cleanup_free char *path = xasprintf("/proc/%s/stat", entry->d_name);
        FILE *file = *entry->d_name >= '1' && *entry->d_name <= '9' ? fopen(path, "re") : NULL;
        char comm[32];
        int parent = 0;

        if (file == NULL)
            continue;
        if (fscanf(file, "%*d (%31[^)]) %*c %d", comm, &parent) == 2 && parent == (int)console)
            found += strcmp(comm, name) == 0;
        fclose(file);
    }
    if (processes != NULL)
        closedir(processes);
    return found;
}

static void sample_memory(struct soak *soak)
{
    int guards = children_named(soak->terminal.console, "assent-restorer");

    if (guards != 1)
        soak_complain("%d processes wait to give the terminal back", guards);
    if (soak->sample_count < SAMPLES_MAX)
        soak->samples[soak->sample_count++] = resident_kb(soak->terminal.console);
    if (soak->full_at == 0 && record_calls(soak->record) > CALLS_KEPT + AGENTS)
        soak->full_at = soak->sample_count;
    soak->memory_ms = soak_now_ms() + MEMORY_MS;
}

/* The line that fits the samples from `first` on best: KiB from one to the next. */
static double slope_from(const struct soak *soak, size_t first)
{
    size_t count = soak->sample_count - first;
    double x = 0, y = 0, xx = 0, xy = 0;

    for (size_t i = 0; i < count; i++) {
        x += (double)i;
        y += (double)soak->samples[first + i];
        xx += (double)i * (double)i;
        xy += (double)i * (double)soak->samples[first + i];
    }
    return ((double)count * xy - x * y) / ((double)count * xx - x * x);
}

/* A run that is too short for the console to have begun to forget says nothing of its memory. */
static void judge_memory(const struct soak *soak)
{
    size_t half = soak->sample_count / 2;
    size_t first = soak->full_at > half ? soak->full_at : half;
    double slope, growth;

    if (soak->full_at == 0 || soak->sample_count - first < MEMORY_SAMPLES_MIN) {
        soak_say("memory: not judged, there were %zu calls", record_calls(soak->record));
        return;
    }
    slope = slope_from(soak, first);
    growth = slope * (double)(soak->sample_count - first);
    soak_say("memory: %ld KiB at first, %ld when the console began to forget calls, %ld at last; "
             "%.1f KiB a minute since",
             soak->samples[0], soak->samples[first], soak->samples[soak->sample_count - 1],
             slope * 60000 / MEMORY_MS);
    if (growth > (double)soak->samples[first] * MEMORY_GROWTH_PERCENT / 100)
        soak_complain("memory has grown by %.0f KiB", growth);
}

/* ---- the screen -------------------------------------------------------------------------------
 */

static void ask_by_key(struct terminal *terminal)
{
    terminal_keys(terminal, "\x0c");
}

/* As after a stop; no size changes, so that no lines are wrapped anew. */
static void ask_by_signal(struct terminal *terminal)
{
    kill(terminal->console, SIGCONT);
}

static void tell_difference(struct soak *soak, const char *what,
                            const struct terminal_picture *before,
                            const struct terminal_picture *after)
{
    cleanup_free char *difference = terminal_difference(before, after);

    if (difference != NULL && terminal_line_ran_out(before, after))
        soak->ran_out++;
    else if (difference != NULL)
        soak_complain("%s: drawn anew it looks different (byte %" PRIu64 "):\n%s", what,
                      soak->terminal.bytes, difference);
}

/* Longer than the longest guard, of one who writes; several times that, as what has to say that the
 * guard is over may have no processor for a while. What does not count any more stays different. */
static void wait_for_keys(struct terminal *terminal, const struct terminal_picture *before,
                          struct terminal_picture *after)
{
    bool differs = true;

    for (int i = 0; differs && i < 5; i++) {
        struct terminal_picture *later;
        cleanup_free char *difference = NULL;

        terminal_settle(terminal, 900, 5000);
        later = terminal_picture(terminal);
        terminal_picture_settle(after, before, later);
        terminal_picture_free(&later);
        difference = terminal_difference(before, after);
        differs = difference != NULL;
    }
}

/* What was drawn piece by piece must be what is drawn anew. With `settles` keys do not count for a
 * moment then, and what they do is dim. */
static void compare_redrawn(struct soak *soak, const char *what,
                            void (*ask)(struct terminal *terminal), bool settles)
{
    struct terminal *terminal = &soak->terminal;
    struct terminal_picture *before, *after;
    uint64_t lines;

    record_follow(soak->record);
    lines = record_lines(soak->record);
    if (!terminal_redrawn(terminal, ask, &before, &after))
        soak_complain("%s: it is not drawn anew", what);
    record_follow(soak->record);
    if (after != NULL && settles)
        wait_for_keys(terminal, before, after);
    /* What was stopped before all was frozen may end meanwhile. */
    if (after != NULL && lines == record_lines(soak->record))
        tell_difference(soak, what, before, after);
    terminal_picture_free(&before);
    terminal_picture_free(&after);
    soak->checks++;
}

/* It happens when a line runs out while the console is about to draw all: a line that only a redraw
 * takes away would do so each time. */
static void judge_lines(const struct soak *soak)
{
    if (soak->ran_out > 1 + soak->checks / RAN_OUT_RARE)
        soak_complain("%lu times a line ran out just when all was drawn anew", soak->ran_out);
}

/* The command as the overlay shows it, against the record's: blanks aside, and only as much as
 * there is to be seen. Marks for what cannot be shown stand where the record has the bytes. */
static bool shows_command(const char *shown, const char *command)
{
    const char *at = command;
    size_t seen = 0;

    for (; *shown != '\0' && *shown != '<'; shown++, seen++) {
        while (*at == ' ' || *at == '\n')
            at++;
        if (*shown != *at++)
            return false;
    }
    return seen > 0;
}

static void check_overlay(struct soak *soak)
{
    const char *command;
    uint64_t oldest, shown;
    cleanup_free char *words = NULL;

    record_follow(soak->record);
    oldest = record_oldest(soak->record, &command);
    shown = terminal_request(&soak->terminal);
    if (oldest != shown) {
        soak_complain("c%" PRIu64 " has waited longest, and c%" PRIu64 " is shown", oldest, shown);
        terminal_print(&soak->terminal);
    }
    if (shown == 0 || shown != oldest)
        return;
    words = terminal_command(&soak->terminal);
    if (!shows_command(words, command)) {
        soak_complain("c%" PRIu64 " is \"%s\", and \"%s\" is shown", oldest, command, words);
        terminal_print(&soak->terminal);
    }
    compare_redrawn(soak, "request", ask_by_signal, true);
    soak->overlays++;
}

/* Enter comes by itself: a line that came at once with it lets nothing go on. */
static void brake(struct soak *soak, bool freeze)
{
    terminal_keys(&soak->terminal, freeze ? ":freeze" : ":thaw");
    terminal_settle(&soak->terminal, 60, 1000);
    terminal_keys(&soak->terminal, "\r");
    soak->frozen = freeze;
}

/* A command that runs on may ask just then, and the request take the keys. */
static void freeze_all(struct soak *soak)
{
    struct terminal *terminal = &soak->terminal;

    /* The first time whatever the screen says: the operator may just have let all go on. */
    for (int i = 0; i == 0 || (i < 20 && !terminal_shows(terminal, "FROZEN")); i++) {
        operator_leaves_all(terminal);
        terminal_keys(terminal, "\x15");
        brake(soak, true);
        terminal_settle(terminal, 200, 5000);
    }
    /* What was on its way may still ask, and its request take the keyboard. */
    for (int i = 0; i < 20; i++) {
        operator_leaves_all(terminal);
        terminal_keys(terminal, "\x15"); /* puts away what was just remarked */
        terminal_settle(terminal, 700, 10000);
        if (strcmp(terminal_where(terminal), "prompt") == 0)
            return;
    }
}

/* The request that has waited longest comes up; how long that took is told at the end. */
static void answer(struct soak *soak)
{
    struct terminal *terminal = &soak->terminal;
    int64_t start = soak_now_ms(), took;
    const char *command;

    terminal_keys(terminal, "\x1bOQ");
    do {
        terminal_pump(terminal, 10);
        record_follow(soak->record);
        took = soak_now_ms() - start;
    } while (terminal_request(terminal) != record_oldest(soak->record, &command) &&
             took < SHOWN_MS && terminal->fd >= 0);
    if (took > soak->slowest_ms)
        soak->slowest_ms = took;
    terminal_settle(terminal, 700, 5000);
}

/* Everything stands still, so that only what is drawn wrongly can change. */
static void check_screen(struct soak *soak)
{
    struct terminal *terminal = &soak->terminal;

    agents_halt(soak->agents, true);
    if (!operator_leaves_all(terminal)) {
        terminal_print(terminal);
    } else {
        freeze_all(soak);
        if (!terminal_shows(terminal, "FROZEN")) {
            soak_complain("it does not freeze");
            terminal_print(terminal);
        }
        compare_redrawn(soak, "console", ask_by_key, false);
        answer(soak);
        check_overlay(soak);
        operator_leaves_all(terminal);
        brake(soak, false);
        terminal_settle(terminal, 100, 1000);
        terminal_keys(terminal, "\x1bOQ");
    }
    agents_halt(soak->agents, false);
    soak->check_ms = soak_now_ms() + CHECK_MS;
}

/* ---- what happens -----------------------------------------------------------------------------
 */

static void change_size(struct soak *soak)
{
    static const int sizes[][2] = {{24, 80}, {50, 200}, {30, 100}, {40, 132}, {24, 120}, {61, 81}};
    unsigned storm = soak_random(6) == 0 ? 20 : 1;

    while (storm-- > 0) {
        unsigned which = soak_random(sizeof(sizes) / sizeof(sizes[0]));

        terminal_resize(&soak->terminal, sizes[which][0], sizes[which][1]);
        soak->resizes++;
    }
    soak->size_ms = soak_now_ms() + 500 + soak_random(6000);
}

/* The terminal takes nothing for a while. */
static void stall(struct soak *soak)
{
    struct timespec pause = {.tv_nsec = (long)(1 + soak_random(9)) * 100000000};

    nanosleep(&pause, NULL);
    soak->stalls++;
    soak->stall_ms = soak_now_ms() + 2000 + soak_random(10000);
}

/* With so many requests the prompt seldom has the keyboard by itself. */
static void use_brake(struct soak *soak)
{
    if (operator_leaves_all(&soak->terminal)) {
        terminal_keys(&soak->terminal, "\x15");
        brake(soak, !soak->frozen);
        terminal_keys(&soak->terminal, "\x1bOQ");
        soak->brakes++;
    }
    soak->brake_ms = soak_now_ms() + 200 + soak_random(soak->frozen ? 3000 : 40000);
}

/* Is it time? What is not done yet is done at the end of this turn. */
static bool due(int64_t when)
{
    return soak_now_ms() >= when;
}

static void turn(struct soak *soak, bool asking)
{
    terminal_pump(&soak->terminal, 10);
    agents_step(soak->agents, asking);
    record_follow(soak->record);
    if (due(soak->key_ms)) {
        operator_types(&soak->terminal, soak->record);
        soak->key_ms = soak_now_ms() + 30 + soak_random(170);
    }
    if (due(soak->size_ms))
        change_size(soak);
    if (due(soak->stall_ms))
        stall(soak);
    if (due(soak->brake_ms))
        use_brake(soak);
    if (due(soak->memory_ms))
        sample_memory(soak);
    if (due(soak->kill_ms)) {
        agents_kill_some(soak->agents);
        soak->kill_ms = soak_now_ms() + soak_random(5000);
    }
    if (due(soak->check_ms))
        check_screen(soak);
}

static void print_figures(const struct soak *soak)
{
    agents_print(soak->agents);
    record_print(soak->record);
    soak_say("screen: %lu comparisons, %lu of requests, shown within %.1f s, a line ran out in %lu;"
             " %" PRIu64 " bytes drawn, %lu sizes, %lu stalls, %lu brakes; memory %ld KiB",
             soak->checks, soak->overlays, (double)soak->slowest_ms / 1000, soak->ran_out,
             soak->terminal.bytes, soak->resizes, soak->stalls, soak->brakes,
             resident_kb(soak->terminal.console));
}

/* Nothing new is asked; what is open gets its answer. */
static void drain(struct soak *soak)
{
    int64_t end = soak_now_ms() + DRAIN_MS;

    while (agents_waiting(soak->agents) > 0 && soak->terminal.fd >= 0 && soak_now_ms() < end)
        turn(soak, false);
    check_screen(soak);
    for (int i = 0; i < 20; i++)
        turn(soak, false);
    if (agents_waiting(soak->agents) > 0)
        soak_complain("%zu requests have no answer at the end", agents_waiting(soak->agents));
}

static void end_console(struct soak *soak)
{
    struct terminal *terminal = &soak->terminal;
    int64_t end = soak_now_ms() + END_MS;
    int status = -1;

    /* What was typed last may still open a text, where the key does nothing. */
    while (terminal->fd >= 0 && soak_now_ms() < end) {
        operator_leaves_all(terminal);
        for (int times = 0; times < 2 && terminal->fd >= 0; times++) {
            terminal_keys(terminal, "\x11");
            terminal_settle(terminal, 500, 1000);
        }
    }
    if (terminal->fd >= 0) {
        soak_complain("the console does not end");
        terminal_print(terminal);
        kill(terminal->console, SIGKILL);
    }
    waitpid(terminal->console, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        soak_complain("the console ended with status 0x%x", (unsigned)status);
    record_follow(soak->record);
}

static void run(struct soak *soak, int64_t duration_ms)
{
    int64_t told_ms = soak_now_ms();

    soak->start_ms = soak_now_ms();
    soak->end_ms = soak->start_ms + duration_ms;
    soak->check_ms = soak->start_ms + CHECK_MS;
    terminal_settle(&soak->terminal, 500, 10000);
    soak->agents = agents_start(&soak->place, AGENTS);
    while (soak_now_ms() < soak->end_ms && soak->terminal.fd >= 0) {
        turn(soak, true);
        if (soak_now_ms() - told_ms < 60000)
            continue;
        told_ms = soak_now_ms();
        print_figures(soak);
    }
    if (soak->terminal.fd < 0)
        soak_complain("the console has gone");
    drain(soak);
    print_figures(soak);
    end_console(soak);
}

int main(int count, char **words)
{
    struct soak soak = {.sample_count = 0};
    cleanup_free char *marks = NULL, *tape = NULL;

    if (count != 8) {
        fprintf(stderr, "usage: soak SECONDS SEED ASSENT WORK OUTSIDE SESSIONS SCRATCH\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    began_ms = soak_now_ms();
    soak_random_seed(strtoull(words[2], NULL, 10));
    soak.place = (struct soak_place){words[3], words[4], words[5], words[6], words[7]};
    soak.samples = xcalloc(SAMPLES_MAX, sizeof(*soak.samples));
    soak.record = record_open(soak.place.sessions);
    const char *const argv[] = {soak.place.assent, "--policy", "untrusted",      "-c",
                                "guard_time=100",  "-c",       "scrollback=200", NULL};
    tape = xasprintf("%s/tape", soak.place.scratch);
    terminal_start(&soak.terminal, argv, soak.place.work, tape, 24, 80);
    soak_say("%s s, seed %s, console %d", words[1], words[2], (int)soak.terminal.console);
    run(&soak, atoll(words[1]) * 1000);
    marks = xasprintf("%s/marks", soak.place.work);
    record_check_markers(soak.record, marks, false);
    record_check_markers(soak.record, soak.place.outside, true);
    judge_lines(&soak);
    judge_memory(&soak);
    agents_end(&soak.agents);
    record_close(&soak.record);
    terminal_end(&soak.terminal);
    free(soak.samples);
    soak_say("%u things were wrong", soak_complaints());
    return soak_complaints() == 0 ? 0 : 1;
}
