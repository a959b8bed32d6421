/* SPDX-License-Identifier: MIT */
/*
 * bench_sandbox: what starting in the sandbox costs, beside a bare spawn and other sandboxes.
 *
 *     bench_sandbox [-n ROUNDS] [-w] DIRECTORY-OF-PROGRAMS...
 *
 * Starts /bin/true in each way, one after the other in each round (so that what else the machine
 * does hits all of them), and prints the fifth percentile and the median in milliseconds, the
 * median as a multiple of the bare spawn's, the same of the processor time of all its processes,
 * and the largest resident set of what was spawned.
 * bwrap mounts what ours does; it and codex are measured when they are there. Of several
 * directories each has its rows, so that two builds can be compared. With -w not /bin/true but work
 * on many files: a git status over 5,000 of them, a make, unpacking 5,000.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "equal_policy.h"
#include "sandbox/helper.h"
#include "sandbox/transform.h"

extern char **environ;

#define AWAY "../away"

enum { ROWS_MAX = 16, ROUNDS_DEFAULT = 200, WORK_ROUNDS_DEFAULT = 9, WARM_UP = 3 };

struct times { /* milliseconds */
    double wall, processor;
};

struct row {
    const char *name;
    const char *programs; /* of the build it belongs to; NULL: of none */
    char **argv;
    char *request; /* for descriptor 3, NULL: none */
    size_t request_size;
    double *wall;      /* milliseconds, one a round */
    double *processor; /* of all its processes, also one a round */
    long resident;     /* kilobytes */
    int failed;        /* runs that did not exit with 0 */
};

struct bench {
    struct row rows[ROWS_MAX];
    size_t count;
    int rounds;
    bool several; /* builds */
    int unpacked; /* how many directories were put away */
};

static void fatal(const char *what)
{
    perror(what);
    exit(2);
}

/* ---- running ------------------------------------------------------------------------------ */

static int place(const struct row *row, posix_spawn_file_actions_t *actions)
{
    int fd = memfd_create("request", 0);
    if (fd < 0 || write(fd, row->request, row->request_size) != (ssize_t)row->request_size ||
        lseek(fd, 0, SEEK_SET) < 0)
        fatal("request");
    if (fd == HELPER_REQUEST_FD) { /* dup2 onto itself would do nothing */
        fd = dup(fd);
        close(HELPER_REQUEST_FD);
    }
    posix_spawn_file_actions_adddup2(actions, fd, HELPER_REQUEST_FD);
    return fd;
}

static double milliseconds(struct timeval time)
{
    return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3;
}

static struct times run(struct row *row)
{
    posix_spawn_file_actions_t actions;
    struct timespec begun, ended;
    struct rusage usage;
    pid_t pid;
    int status, fd = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (row->request)
        fd = place(row, &actions);
    clock_gettime(CLOCK_MONOTONIC, &begun);
    int number = posix_spawnp(&pid, row->argv[0], &actions, NULL, row->argv, environ);
    if (number != 0) {
        errno = number;
        fatal(row->argv[0]);
    }
    wait4(pid, &status, 0, &usage);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    posix_spawn_file_actions_destroy(&actions);
    if (fd >= 0)
        close(fd);
    row->failed += status != 0;
    if (usage.ru_maxrss > row->resident)
        row->resident = usage.ru_maxrss;
    return (struct times){(double)(ended.tv_sec - begun.tv_sec) * 1e3 +
                              (double)(ended.tv_nsec - begun.tv_nsec) / 1e6,
                          milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)};
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* What was unpacked is moved out of the workspace, whose directories are gone through at each
 * start; and never removed before the end: for five seconds ext4 looks at the number of each file
 * that has been removed before it makes one, which takes twenty times as long as the rest. */
static void put_away(struct bench *bench)
{
    char target[32];
    snprintf(target, sizeof target, AWAY "/%d", bench->unpacked);
    if (rename("unpacked", target) == 0)
        bench->unpacked++;
}

static void measure(struct bench *bench, int warm_up)
{
    for (size_t i = 0; i < bench->count; i++) {
        bench->rows[i].wall = xcalloc((size_t)bench->rounds, sizeof(double));
        bench->rows[i].processor = xcalloc((size_t)bench->rounds, sizeof(double));
    }
    for (int round = -warm_up; round < bench->rounds; round++)
        for (size_t i = 0; i < bench->count; i++) {
            struct times times = run(&bench->rows[i]);
            put_away(bench);
            if (round < 0)
                continue;
            bench->rows[i].wall[round] = times.wall;
            bench->rows[i].processor[round] = times.processor;
        }
}

static double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare);
    return times[count / 2];
}

static void print(struct bench *bench)
{
    struct times reference = {0};
    printf("%-32s %8s %8s %6s %8s %6s %7s %6s\n", "", "p5 ms", "median", "ratio", "cpu ms", "ratio",
           "RSS kB", "failed");
    for (size_t i = 0; i < bench->count; i++) {
        struct row *row = &bench->rows[i];
        struct times times = {median(row->wall, bench->rounds),
                              median(row->processor, bench->rounds)};
        if (i == 0)
            reference = times;
        printf("%-32s %8.2f %8.2f %6.2f %8.2f %6.2f %7ld %6d", row->name,
               row->wall[bench->rounds / 20], times.wall, times.wall / reference.wall,
               times.processor, times.processor / reference.processor, row->resident, row->failed);
        printf("  %s\n", bench->several && row->programs ? row->programs : "");
    }
}

/* ---- rows --------------------------------------------------------------------------------- */

static struct row *add(struct bench *bench, const char *name, char **argv)
{
    struct row *row = &bench->rows[bench->count++];
    *row = (struct row){.name = name, .argv = argv};
    return row;
}

/* The words of `before` and then those of `command`. */
static char **join(const char *const *before, char **command)
{
    size_t first = strv_length(before), second = strv_length((const char *const *)command);
    char **argv = xcalloc(first + second + 1, sizeof *argv);
    for (size_t i = 0; i < first; i++)
        argv[i] = xstrdup(before[i]);
    for (size_t i = 0; i < second; i++)
        argv[first + i] = command[i];
    return argv;
}

static void add_helper(struct bench *bench, const char *name, const char *programs, char **command,
                       bool namespaces)
{
    struct error error = ERROR_INIT;
    char *cwd = getcwd(NULL, 0), *helper = xasprintf("%s/%s", programs, HELPER_PROGRAM);
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write(cwd);
    policy->no_user_namespaces = policy->allow_degraded = !namespaces;
    struct command_spec spec = {.argv = command, .cwd = cwd, .timeout_ms = COMMAND_TIMEOUT_DEFAULT};
    struct transform_context context = {.policy = policy,
                                        .type = SANDBOX_TYPE_LINUX,
                                        .helper = helper,
                                        .base_environment = (const char *const *)environ};
    struct exec_request *request = transform_command(&spec, &context, &error);
    if (!request) {
        fprintf(stderr, "%s\n", error.message);
        exit(2);
    }
    struct row *row = add(bench, name, request->argv);
    row->programs = programs;
    row->argv[0] = request->program;
    row->request = request->request;
    row->request_size = request->request_size;
}

static void add_program(struct bench *bench, const char *programs, char **command)
{
    char *program = xasprintf("%s/assent", programs);
    const char *const before[] = {program, "sandbox", "--", NULL};
    add(bench, "assent sandbox, both layers", join(before, command))->programs = programs;
}

static bool is_installed(const char *name)
{
    char *look = xasprintf("command -v %s >/dev/null 2>&1", name);
    bool found = system(look) == 0;
    free(look);
    return found;
}

static void add_others(struct bench *bench, const char *programs, char **command)
{
    const char *const codex[] = {"codex", "sandbox", "-c", "sandbox_mode=workspace-write",
                                 "--",    NULL};
    if (is_installed("bwrap")) {
        cleanup_free char *program = xasprintf("%s/assent", programs);
        const char *const *bwrap = (const char *const *)equal_policy_bwrap(program);
        add(bench, "bwrap, equal policy", join(bwrap, command));
    }
    if (is_installed("codex"))
        add(bench, "codex sandbox", join(codex, command));
}

static void compare_sandboxes(struct bench *bench, const char *title, char **programs,
                              char **command, int warm_up)
{
    bench->count = 0;
    add(bench, title, command);
    bench->several = programs[1];
    const char *first = programs[0];
    for (; *programs && bench->count < ROWS_MAX - 4; programs++) {
        add_helper(bench, "helper, Landlock and seccomp", *programs, command, false);
        add_helper(bench, "helper, both layers", *programs, command, true);
        add_program(bench, *programs, command);
    }
    add_others(bench, first, command);
    measure(bench, warm_up);
    print(bench);
}

/* ---- work --------------------------------------------------------------------------------- */

static void make_material(void)
{
    static const char SCRIPT[] =
        "mkdir -p many && i=0 && while [ $i -lt 5000 ]; do"
        " d=many/$((i / 100)); [ -d $d ] || mkdir $d; echo line $i > $d/$i.txt; i=$((i + 1)); done"
        " && tar cf many.tar many && git init -q . && git add many && mkdir src && i=0 &&"
        " while [ $i -lt 24 ]; do printf '#include <stdio.h>\\n#include <stdlib.h>\\n"
        "int f%d(int x) { return printf(\"%%d\", x); }\\n' $i > src/$i.c; i=$((i + 1)); done &&"
        " printf 'all: $(patsubst %%.c,%%.o,$(wildcard src/*.c))\\n' > Makefile";
    if (system(SCRIPT) != 0)
        exit(2);
}

static void work(struct bench *bench, char **programs)
{
    static const struct {
        const char *title, *script;
    } WORK[] = {
        {"git status, 5000 files, 25 times",
         "for i in $(seq 25); do git status --porcelain > /dev/null || exit; done"},
        {"make -j2, 24 files", "rm -f src/*.o && make -s -j2"},
        {"untar 5000 files", "mkdir unpacked && tar xf many.tar -C unpacked"},
    };
    make_material();
    for (size_t i = 0; i < sizeof WORK / sizeof *WORK; i++) {
        const char *const command[] = {"sh", "-c", WORK[i].script, NULL};
        compare_sandboxes(bench, WORK[i].title, programs, join(command, (char *[]){NULL}), 1);
    }
}

int main(int argc, char **argv)
{
    struct bench bench = {.rounds = 0};
    bool heavy = false;
    for (int option; (option = getopt(argc, argv, "n:w")) != -1;)
        if (option == 'n')
            bench.rounds = atoi(optarg);
        else if (option == 'w')
            heavy = true;
        else
            return 2;
    char **programs = argv + optind;
    for (int i = optind; i < argc; i++)
        if (!(argv[i] = realpath(argv[i], NULL)))
            fatal("programs");
    if (!programs[0] || bench.rounds < 0) {
        fprintf(stderr, "usage: bench_sandbox [-n ROUNDS] [-w] PROGRAMS...\n");
        return 2;
    }
    /* Not in a temporary directory: what lies beside it there would be a case of its own. */
    char directory[] = "bench-sandbox-XXXXXX";
    if (!mkdtemp(directory) || chdir(directory) < 0 || mkdir("away", 0700) < 0 ||
        mkdir("work", 0700) < 0 || chdir("work") < 0)
        fatal(directory);
    if (bench.rounds == 0)
        bench.rounds = heavy ? WORK_ROUNDS_DEFAULT : ROUNDS_DEFAULT;
    if (heavy)
        work(&bench, programs);
    else if (system("git init -q .") == 0)
        compare_sandboxes(&bench, "bare spawn", programs, (char *[]){(char *)"/bin/true", NULL},
                          WARM_UP);
    char *clean = xasprintf("rm -rf %s", directory);
    return chdir("../..") < 0 || system(clean) != 0;
}
