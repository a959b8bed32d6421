/* SPDX-License-Identifier: MIT */
/*
 * bench_sandbox: what starting in the sandbox costs, beside a bare spawn and other sandboxes.
 *
 *     bench_sandbox [-n ROUNDS] [-w] DIRECTORY-OF-PROGRAMS...
 *
 * Starts /bin/true in each way, one after the other in each round (so that what else the machine
 * does hits all of them), and prints the fifth percentile and the median in milliseconds, the
 * median as a multiple of the bare spawn's, and the largest resident set of what was spawned.
 * bwrap gets an equal policy; it and codex are measured when they are there. Of several directories
 * each has its rows, so that two builds can be compared. With -w not /bin/true but work on many
 * files: a git status over 5,000 of them, a make, unpacking 5,000.
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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sandbox/helper.h"
#include "sandbox/transform.h"

extern char **environ;

enum { ROWS_MAX = 16, ROUNDS_DEFAULT = 200, WARM_UP = 3 };

struct row {
    const char *name;
    const char *programs; /* of the build it belongs to; NULL: of none */
    char **argv;
    char *request; /* for descriptor 3, NULL: none */
    size_t request_size;
    double *times; /* milliseconds, one a round */
    long resident; /* kilobytes */
    int failed;    /* runs that did not exit with 0 */
};

struct bench {
    struct row rows[ROWS_MAX];
    size_t count;
    int rounds;
    bool several; /* builds */
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

static double run(struct row *row)
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
    return (double)(ended.tv_sec - begun.tv_sec) * 1e3 +
           (double)(ended.tv_nsec - begun.tv_nsec) / 1e6;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void measure(struct bench *bench)
{
    for (size_t i = 0; i < bench->count; i++)
        bench->rows[i].times = xcalloc((size_t)bench->rounds, sizeof(double));
    for (int round = -WARM_UP; round < bench->rounds; round++)
        for (size_t i = 0; i < bench->count; i++) {
            double time = run(&bench->rows[i]);
            if (round >= 0)
                bench->rows[i].times[round] = time;
        }
}

static void print(struct bench *bench)
{
    size_t middle = (size_t)bench->rounds / 2;
    double reference = 0;
    printf("%-34s %8s %8s %7s %8s %6s\n", "", "p5 ms", "median", "ratio", "RSS kB", "failed");
    for (size_t i = 0; i < bench->count; i++) {
        struct row *row = &bench->rows[i];
        qsort(row->times, (size_t)bench->rounds, sizeof *row->times, compare);
        if (i == 0)
            reference = row->times[middle];
        printf("%-34s %8.3f %8.3f %7.2f %8ld %6d", row->name, row->times[bench->rounds / 20],
               row->times[middle], row->times[middle] / reference, row->resident, row->failed);
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

static void add_others(struct bench *bench, char **command)
{
    const char *cwd = getcwd(NULL, 0);
    const char *const bwrap[] = {"bwrap",
                                 "--ro-bind",
                                 "/",
                                 "/",
                                 "--dev",
                                 "/dev",
                                 "--proc",
                                 "/proc",
                                 "--tmpfs",
                                 "/tmp",
                                 "--bind",
                                 cwd,
                                 cwd,
                                 "--chdir",
                                 cwd,
                                 "--unshare-user",
                                 "--unshare-pid",
                                 "--unshare-ipc",
                                 "--unshare-net",
                                 "--die-with-parent",
                                 "--",
                                 NULL};
    const char *const codex[] = {"codex", "sandbox", "-c", "sandbox_mode=workspace-write",
                                 "--",    NULL};
    if (is_installed("bwrap"))
        add(bench, "bwrap, equal policy", join(bwrap, command));
    if (is_installed("codex"))
        add(bench, "codex sandbox", join(codex, command));
}

static void compare_sandboxes(struct bench *bench, const char *title, char **programs,
                              char **command)
{
    bench->count = 0;
    add(bench, title, command);
    bench->several = programs[1];
    for (; *programs && bench->count < ROWS_MAX - 4; programs++) {
        add_helper(bench, "helper, Landlock and seccomp", *programs, command, false);
        add_helper(bench, "helper, both layers", *programs, command, true);
        add_program(bench, *programs, command);
    }
    add_others(bench, command);
    measure(bench);
    print(bench);
}

/* ---- work --------------------------------------------------------------------------------- */

static void make_material(void)
{
    static const char SCRIPT[] =
        "mkdir -p many && i=0 && while [ $i -lt 5000 ]; do"
        " d=many/$((i / 100)); [ -d $d ] || mkdir $d; echo line $i > $d/$i.txt; i=$((i + 1)); done"
        " && tar cf many.tar many && git init -q . && git add many && mkdir src && i=0 &&"
        " while [ $i -lt 60 ]; do printf '#include <stdio.h>\\n#include <stdlib.h>\\n"
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
        {"git status, 5000 files", "git status --porcelain > /dev/null"},
        {"make -j2, 60 files", "rm -f src/*.o && make -s -j2"},
        {"untar 5000 files", "rm -rf u && mkdir u && tar xf many.tar -C u"},
    };
    make_material();
    for (size_t i = 0; i < sizeof WORK / sizeof *WORK; i++) {
        const char *const command[] = {"sh", "-c", WORK[i].script, NULL};
        compare_sandboxes(bench, WORK[i].title, programs, join(command, (char *[]){NULL}));
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
    if (!mkdtemp(directory) || chdir(directory) < 0)
        fatal(directory);
    if (bench.rounds == 0)
        bench.rounds = heavy ? 10 : ROUNDS_DEFAULT;
    if (heavy)
        work(&bench, programs);
    else
        compare_sandboxes(&bench, "bare spawn", programs, (char *[]){(char *)"/bin/true", NULL});
    char *clean = xasprintf("rm -rf ../%s", directory);
    return chdir(".") < 0 || system(clean) != 0;
}
