/* SPDX-License-Identifier: MIT */
/*
 * bench_keys: how long a key takes from the operator's terminal to the program in a pane and back
 * to the screen, beside tmux.
 *
 *     bench_keys [-n KEYS] [-r ROUNDS] [-s COLUMNSxROWS] [-f] [-b BYTES] PATH/TO/assent
 *
 * Both run at once, each in a terminal of its own, with cat in its pane; they get keys in turn, so
 * that what else the machine does hits both. In each round both are started anew. With -f a second
 * pane of each prints without end, and they run one after the other, as they would slow each other.
 * With -b their terminals take so many bytes a second and no more. Prints milliseconds: median,
 * 90th and 99th percentile over all rounds, and the ratios to tmux's.
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"

/* Letters that neither program shows by itself; after them the line is erased, so that a redrawn
 * one is not taken for the one just typed. */
enum { LETTERS = 32, FIRST_LETTER = 0x430, GIVEN_UP_MS = 2000, QUIET_MS = 80, READY_MS = 2500 };
/* What it prints is not in the command's own words, which a title shows, too. */
#define FLOOD "sh -c 'yes $((11 * 11)) quick brown foxes jump over the lazy dog 0123456789'"
#define FLOOD_SHOWS "121 quick"

struct terminal {
    const char *name;
    pid_t pid;
    int fd;
    char last; /* byte that was read before */
    double *ms;
    size_t count, lost;
};

struct bench {
    const char *assent;
    char directory[64];
    int keys, rounds, rows, columns;
    long rate; /* bytes a second; 0: as many as come */
    bool flood;
    struct terminal terminals[2];
};

static void fatal(const char *what)
{
    perror(what);
    exit(2);
}

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void pause_ms(double ms)
{
    struct timespec time = {(time_t)(ms / 1e3), (long)(ms * 1e6) % 1000000000};

    nanosleep(&time, NULL);
}

/* What a terminal answers to those who ask what it is. */
static void reply(const struct terminal *terminal, const char *bytes)
{
    static const char *const replies[][2] = {{"\033[c", "\033[?62;22c"},
                                             {"\033[0c", "\033[?62;22c"},
                                             {"\033[>c", "\033[>1;390;0c"},
                                             {"\033[6n", "\033[1;1R"}};

    for (size_t i = 0; i < sizeof(replies) / sizeof(*replies); i++) {
        if (strstr(bytes, replies[i][0]) != NULL)
            fd_write_all(terminal->fd, replies[i][1], strlen(replies[i][1]));
    }
}

/* Reads what comes within that time. Returns whether `letter` was in it: its two bytes may come
 * apart, a longer text must not. */
static bool reads(struct bench *bench, struct terminal *terminal, int wait_ms, const char *letter)
{
    char bytes[65536 + 2];
    struct pollfd poller = {.fd = terminal->fd, .events = POLLIN};
    ssize_t count;

    if (poll(&poller, 1, wait_ms) <= 0)
        return false;
    count = read(terminal->fd, bytes + 1, sizeof(bytes) - 2);
    if (count <= 0)
        fatal(terminal->name);
    bytes[0] = terminal->last;
    for (ssize_t i = 1; i <= count; i++)
        bytes[i] = bytes[i] == '\0' ? ' ' : bytes[i];
    bytes[count + 1] = '\0';
    terminal->last = bytes[count];
    reply(terminal, bytes);
    if (bench->rate > 0)
        pause_ms((double)count * 1e3 / (double)bench->rate);
    return letter != NULL && strstr(bytes + (bytes[0] == '\0'), letter) != NULL;
}

/* Takes what comes for that time. */
static void drain(struct bench *bench, struct terminal *terminal, double ms)
{
    double end = now_ms() + ms;

    for (double left = ms; left > 0; left = end - now_ms())
        reads(bench, terminal, (int)left + 1, NULL);
}

/* Both are to find nothing but what is in the bench's own directory. */
static void set_environment(const struct bench *bench)
{
    static const char *const homes[] = {"HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME",
                                        "XDG_STATE_HOME"};

    for (size_t i = 0; i < sizeof(homes) / sizeof(*homes); i++)
        setenv(homes[i], bench->directory, 1);
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("TMUX");
}

static void become(const struct bench *bench, size_t which)
{
    char socket[80];

    snprintf(socket, sizeof(socket), "%s/tmux", bench->directory);
    if (which == 0)
        execl(bench->assent, bench->assent, "--policy", "never", "--", "cat", (char *)NULL);
    else if (bench->flood)
        execlp("tmux", "tmux", "-S", socket, "-f", "/dev/null", "new-session", "cat", ";",
               "split-window", "-d", FLOOD, (char *)NULL);
    else
        execlp("tmux", "tmux", "-S", socket, "-f", "/dev/null", "new-session", "cat", (char *)NULL);
    _exit(127);
}

static void end(struct bench *bench, size_t which)
{
    struct terminal *terminal = &bench->terminals[which];
    char line[256];

    snprintf(line, sizeof(line), "tmux -S %s/tmux kill-server >/dev/null 2>&1", bench->directory);
    if (which == 1 && system(line) != 0)
        fatal(line);
    kill(terminal->pid, SIGTERM);
    fd_close(&terminal->fd);
    waitpid(terminal->pid, NULL, 0);
}

/* Without its flood a measurement would be one of an idle screen. */
static void await_flood(struct bench *bench, struct terminal *terminal)
{
    double until = now_ms() + READY_MS;

    while (!reads(bench, terminal, READY_MS, FLOOD_SHOWS)) {
        if (now_ms() < until)
            continue;
        end(bench, (size_t)(terminal - bench->terminals));
        fprintf(stderr, "bench_keys: no flood in %s\n", terminal->name);
        exit(2);
    }
    drain(bench, terminal, READY_MS);
}

static void start(struct bench *bench, size_t which)
{
    struct terminal *terminal = &bench->terminals[which];
    struct winsize size = {.ws_row = (unsigned short)bench->rows,
                           .ws_col = (unsigned short)bench->columns};
    char line[512];

    terminal->pid = forkpty(&terminal->fd, NULL, NULL, &size);
    if (terminal->pid < 0)
        fatal("forkpty");
    if (terminal->pid == 0)
        become(bench, which);
    terminal->last = ' ';
    if (!bench->flood || which == 0)
        drain(bench, terminal, READY_MS);
    if (!bench->flood)
        return;
    snprintf(line, sizeof(line), "%s exec -- " FLOOD " >/dev/null 2>&1 &", bench->assent);
    if (which == 0 && system(line) != 0)
        fatal(line);
    await_flood(bench, terminal);
}

static void press(struct bench *bench, struct terminal *terminal, int number)
{
    unsigned letter = FIRST_LETTER + (unsigned)(number % LETTERS);
    char bytes[3] = {(char)(0xC0 | letter >> 6), (char)(0x80 | (letter & 0x3F)), '\0'};
    double begun;
    bool shown = false;

    if (number % LETTERS == 0 && number > 0) {
        fd_write_all(terminal->fd, "\025", 1);
        drain(bench, terminal, bench->flood ? QUIET_MS * 5 : QUIET_MS);
    }
    drain(bench, terminal, 4 + (double)(random() % 120) / 10);
    begun = now_ms();
    fd_write_all(terminal->fd, bytes, 2);
    while (!shown && now_ms() - begun < GIVEN_UP_MS)
        shown = reads(bench, terminal, GIVEN_UP_MS, bytes);
    if (shown)
        terminal->ms[terminal->count++] = now_ms() - begun;
    else
        terminal->lost++;
}

static void one_round(struct bench *bench)
{
    size_t blocks = bench->flood ? 2 : 1;

    for (size_t block = 0; block < blocks; block++) {
        for (size_t i = 0; i < 2; i++) {
            if (blocks == 1 || i == block)
                start(bench, i);
        }
        for (int key = 0; key < bench->keys; key++) {
            for (size_t i = 0; i < 2; i++) {
                if (blocks == 1 || i == block)
                    press(bench, &bench->terminals[i], key);
            }
        }
        for (size_t i = 0; i < 2; i++) {
            if (blocks == 1 || i == block)
                end(bench, i);
        }
    }
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static double share(const struct terminal *terminal, double part)
{
    size_t at = (size_t)(part * (double)terminal->count);

    return terminal->count == 0 ? 0 : terminal->ms[at < terminal->count ? at : at - 1];
}

static void print(const struct bench *bench)
{
    static const double parts[] = {.5, .9, .99};

    printf("%-8s %9s %9s %9s  keys (lost)\n", "ms", "median", "90th", "99th");
    for (size_t i = 0; i < 2; i++) {
        const struct terminal *terminal = &bench->terminals[i];

        qsort(terminal->ms, terminal->count, sizeof(*terminal->ms), compare);
        printf("%-8s", terminal->name);
        for (size_t part = 0; part < 3; part++)
            printf(" %9.3f", share(terminal, parts[part]));
        printf("  %zu (%zu)\n", terminal->count, terminal->lost);
    }
    printf("%-8s", "ratio");
    for (size_t part = 0; part < 3; part++)
        printf(" %9.2f",
               share(&bench->terminals[0], parts[part]) / share(&bench->terminals[1], parts[part]));
    printf("\n");
}

static void usage(void)
{
    fprintf(stderr, "usage: bench_keys [-n KEYS] [-r ROUNDS] [-s COLUMNSxROWS] [-f] [-b BYTES] "
                    "PATH/TO/assent\n");
    exit(2);
}

int main(int argc, char **argv)
{
    struct bench bench = {.keys = 500,
                          .rounds = 5,
                          .rows = 24,
                          .columns = 80,
                          .directory = "/tmp/bench-keys-XXXXXX",
                          .terminals = {{.name = "assent"}, {.name = "tmux"}}};
    char line[128];

    for (int option; (option = getopt(argc, argv, "n:r:s:fb:")) != -1;) {
        if (option == 'n')
            bench.keys = atoi(optarg);
        else if (option == 'r')
            bench.rounds = atoi(optarg);
        else if (option == 'b')
            bench.rate = atol(optarg);
        else if (option == 'f')
            bench.flood = true;
        else if (option != 's' || sscanf(optarg, "%dx%d", &bench.columns, &bench.rows) != 2)
            usage();
    }
    if (optind + 1 != argc || bench.keys < 1 || bench.rounds < 1)
        usage();
    bench.assent = argv[optind];
    if (mkdtemp(bench.directory) == NULL)
        fatal(bench.directory);
    set_environment(&bench);
    for (size_t i = 0; i < 2; i++)
        bench.terminals[i].ms =
            xcalloc((size_t)bench.keys * (size_t)bench.rounds, sizeof(*bench.terminals[i].ms));
    signal(SIGPIPE, SIG_IGN);
    for (int round = 0; round < bench.rounds; round++)
        one_round(&bench);
    print(&bench);
    snprintf(line, sizeof(line), "rm -r %s", bench.directory);
    return system(line) == 0 ? 0 : 2;
}
