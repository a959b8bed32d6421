/* SPDX-License-Identifier: MIT */
/*
 * conformance: runs the cases in cases/ and compares what happened with what is promised.
 *
 *     conformance [-u op|root] [-d] [-a ABI] [-m MODE] [-v] [-k ID…] DIRECTORY-OF-PROGRAMS CASES…
 *
 * -d without namespaces (degraded), -a with an older Landlock. Each case is run outside first, in a
 * fresh fixture, and must work there: a denial of what does not work anyway shows nothing. Then
 * inside, in another; whether it happened is judged from outside. A promise that the layers of
 * this configuration do not keep (sandbox/hold.c) may be broken there, and only there.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "conformance_case.h"
#include "sandbox/probe.h"

enum { DEADLINE_MS = 30000, OP_UID = 65534, FIRST_PORT = 21000 };

struct suite {
    const char *programs; /* directory */
    char *base;           /* everything is made beneath */
    uid_t user;
    bool degraded, verbose;
    int abi;
    const char *mode; /* NULL: each case its own */
    unsigned layers;
    unsigned passed, failed, skipped, unkept;
    const char **only;
    int terminal; /* master side of the case's terminal, -1: none */
};

struct outcome {
    int status;    /* as a shell has it: exit code, 128 + signal */
    bool happened; /* what `effect` says, or that the status is the expected one */
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void fatal(const char *what)
{
    perror(what);
    exit(2);
}

/* ---- processes ---------------------------------------------------------------------------- */

static void become(const struct suite *suite)
{
    if (getuid() == suite->user)
        return;
    if (setgroups(0, NULL) < 0 || setgid(suite->user) < 0 || setuid(suite->user) < 0)
        fatal("user");
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* its /proc files are the user's again */
}

static void enter_fixture(const char *fixture)
{
    char *workspace = xasprintf("%s/w", fixture);
    if (chdir(workspace) < 0)
        fatal(workspace);
    setenv("W", workspace, 1);
    setenv("O", xasprintf("%s/o", fixture), 1);
    setenv("T", xasprintf("%s/t", fixture), 1);
    setenv("HOME", xasprintf("%s/o/home", fixture), 1);
}

/* Starts argv as the user, in the fixture, leading a session. */
static pid_t start(struct suite *suite, const char *fixture, bool terminal, const char *log,
                   const char *const *argv)
{
    pid_t pid = terminal ? forkpty(&suite->terminal, NULL, NULL, NULL) : fork();
    if (pid != 0)
        return pid;
    if (!terminal) {
        setsid();
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    } else if (fchown(STDIN_FILENO, suite->user, (gid_t)-1) < 0) {
        fatal("terminal");
    }
    become(suite);
    if (!terminal) {
        int fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);
        dup2(fd, STDOUT_FILENO);
        dup2(fd, STDERR_FILENO);
        close(fd);
    }
    enter_fixture(fixture);
    execvp(argv[0], (char *const *)argv);
    fatal(argv[0]);
    return -1;
}

static int shell_status(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Waits for the end until the deadline, calling `step` meanwhile. */
static int wait_end(pid_t pid, void (*step)(void *argument), void *argument)
{
    int64_t deadline = now_ms() + DEADLINE_MS;
    struct pollfd process = {.fd = pidfd_open(pid, 0), .events = POLLIN};
    int status;
    while (poll(&process, 1, step ? 5 : DEADLINE_MS) == 0 && now_ms() < deadline)
        if (step)
            step(argument);
    if (now_ms() >= deadline)
        kill(-pid, SIGKILL);
    waitpid(pid, &status, 0);
    close(process.fd);
    return shell_status(status);
}

static int run_shell(struct suite *suite, const char *fixture, const char *script)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    char *log = xasprintf("%s/log", fixture);
    int status = wait_end(start(suite, fixture, false, log, argv), NULL, NULL);
    free(log);
    return status;
}

/* ---- fixtures ----------------------------------------------------------------------------- */

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)walk;
    if (type == FTW_DNR) {
        chmod(path, 0700);
        return 0;
    }
    return remove(path) < 0 ? 0 : 0;
}

static void remove_tree(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Workspace and what lies beside it, all the user's. */
static char *make_fixture(const struct suite *suite)
{
    static const char SCRIPT[] =
        "umask 022; mkdir w o t o/dir o/home o/home/.ssh w/dir && cd w &&"
        "echo content > file && echo more > dir/file && echo out > ../o/file &&"
        "echo second > ../o/second && echo deep > ../o/dir/file && ln -s ../o/file link &&"
        "echo key > ../o/home/.ssh/id && echo rc > ../o/home/.bashrc &&"
        "printf '#!/bin/sh\\nexit 0\\n' > ../o/program && chmod 755 ../o/program";
    char *fixture = xasprintf("%s/XXXXXX", suite->base);
    if (!mkdtemp(fixture) || chown(fixture, suite->user, suite->user) < 0 ||
        chmod(fixture, 0755) < 0)
        fatal(fixture);
    pid_t pid = fork();
    if (pid == 0) {
        become(suite);
        if (chdir(fixture) < 0)
            fatal(fixture);
        execl("/bin/sh", "sh", "-c", SCRIPT, NULL);
        _exit(127);
    }
    if (wait_end(pid, NULL, NULL) != 0)
        fatal("making a fixture");
    return fixture;
}

/* ---- one run ------------------------------------------------------------------------------ */

struct during {
    struct suite *suite;
    const char *fixture;
    const char *script;
    bool done;
};

static void step_during(void *argument)
{
    struct during *during = argument;
    char *go = xasprintf("%s/w/go", during->fixture);
    if (!during->done && access(go, F_OK) == 0) {
        char *script = xasprintf("%s\n: > $W/done", during->script);
        during->done = true;
        if (strcmp(during->script, "^C") == 0 && write(during->suite->terminal, "\003", 1) == 1)
            poll(NULL, 0, 1);
        else
            run_shell(during->suite, during->fixture, script);
        free(script);
    }
    free(go);
}

static void wait_ready(const char *fixture)
{
    int64_t deadline = now_ms() + DEADLINE_MS;
    char *ready = xasprintf("%s/t/ready", fixture);
    while (access(ready, F_OK) < 0 && now_ms() < deadline)
        poll(NULL, 0, 1);
    free(ready);
}

/* The command line: `with`, the sandbox (or nothing), and the shell with `do`. */
static const char **make_argv(const struct suite *suite, const struct conformance_case *test,
                              bool inside)
{
    static const char *argv[64];
    size_t count = 0;
    const char *mode = suite->mode ?: test->values[CASE_MODE];
    argv[count++] = "sh";
    argv[count++] = "-c";
    argv[count++] = test->values[CASE_WITH] ?: "exec \"$@\"";
    argv[count++] = "sh";
    if (inside) {
        argv[count++] = xasprintf("%s/assent-sandbox-cli", suite->programs);
        argv[count++] = "--mode";
        argv[count++] = mode ?: "workspace-write";
        if (suite->degraded) {
            argv[count++] = "--no-userns";
            argv[count++] = "--allow-degraded";
        }
        if (suite->abi) {
            argv[count++] = "--landlock-abi";
            argv[count++] = xasprintf("%d", suite->abi);
        }
        char *options = test->values[CASE_OPTIONS] ? xstrdup(test->values[CASE_OPTIONS]) : NULL;
        for (char *word = options ? strtok(options, " ") : NULL; word; word = strtok(NULL, " "))
            argv[count++] = word;
        argv[count++] = "--";
    }
    argv[count++] = "sh";
    argv[count++] = "-c";
    argv[count++] = test->values[CASE_DO];
    argv[count] = NULL;
    return argv;
}

/* $O and the like in options are for the shell that `with` is run by; options are words of ours. */
static void expand_options(const char **argv, const char *fixture)
{
    for (; *argv; argv++)
        if (strncmp(*argv, "$O", 2) == 0 || strncmp(*argv, "$W", 2) == 0)
            *argv = xasprintf("%s/%s%s", fixture, (*argv)[1] == 'O' ? "o" : "w", *argv + 2);
}

static struct outcome run(struct suite *suite, const struct conformance_case *test, bool inside)
{
    struct outcome outcome = {.status = -1};
    char *fixture = make_fixture(suite);
    char *log = xasprintf("%s/log", fixture);
    pid_t host = 0;
    if (test->values[CASE_SETUP] && run_shell(suite, fixture, test->values[CASE_SETUP]) != 0)
        fprintf(stderr, "# %s: the setup failed\n", test->id);
    if (test->values[CASE_HOST]) {
        const char *const argv[] = {"sh", "-c", test->values[CASE_HOST], NULL};
        host = start(suite, fixture, false, log, argv);
        wait_ready(fixture);
    }
    const char **argv = make_argv(suite, test, inside);
    if (inside)
        expand_options(argv, fixture);
    struct during during = {suite, fixture, test->values[CASE_DURING], false};
    pid_t pid = start(suite, fixture, test->values[CASE_TERMINAL] != NULL, log, argv);
    outcome.status = wait_end(pid, during.script ? step_during : NULL, &during);
    outcome.happened = test->values[CASE_EFFECT]
                           ? run_shell(suite, fixture, test->values[CASE_EFFECT]) == 0
                           : outcome.status == test->exit;
    if (host > 0) {
        kill(-host, SIGKILL);
        waitpid(host, NULL, 0);
    }
    if (suite->verbose) {
        char *show = xasprintf("sed 's/^/#   /' %s; find %s/w -name '.*' -type s", log, fixture);
        fprintf(stderr, "# %s %s: status %d, happened %d\n", test->id,
                inside ? "inside" : "outside", outcome.status, outcome.happened);
        if (system(show) != 0)
            fprintf(stderr, "# no log\n");
        free(show);
    }
    if (suite->terminal >= 0)
        close(suite->terminal);
    suite->terminal = -1;
    remove_tree(fixture);
    free(fixture);
    free(log);
    return outcome;
}

/* ---- judging ------------------------------------------------------------------------------ */

static void report(struct suite *suite, const struct conformance_case *test, bool good,
                   const char *why)
{
    if (good) {
        suite->passed++;
        return;
    }
    suite->failed++;
    printf("not ok %s %s (%s): %s\n", test->id, test->title, test->promise->name, why);
}

/* One that only says that it is not set up for this user is missing too. */
static bool missing(struct suite *suite, const char *programs)
{
    char *fixture = make_fixture(suite);
    char *script = xasprintf("for p in %s; do command -v $p || exit 1; "
                             "case $p in cargo|java) $p --version || exit 1; esac; done",
                             programs);
    int status = run_shell(suite, fixture, script);
    remove_tree(fixture);
    free(script);
    free(fixture);
    return status != 0;
}

static bool applies(const struct suite *suite, const struct conformance_case *test)
{
    const char *user = test->values[CASE_USER];
    for (const char **only = suite->only; only && *only; only++)
        if (strcmp(*only, test->id) == 0)
            return true;
    if (suite->only)
        return false;
    if (user && strcmp(user, suite->user == 0 ? "root" : "op") != 0)
        return false;
    return !suite->mode || !test->values[CASE_MODE] ||
           strcmp(suite->mode, test->values[CASE_MODE]) == 0;
}

static void run_case(struct suite *suite, const struct conformance_case *test)
{
    const char *needs = test->values[CASE_NEEDS], *wants = test->values[CASE_WANTS];
    if (wants && missing(suite, wants)) {
        suite->skipped++;
        return;
    }
    if (needs && missing(suite, needs)) {
        suite->skipped++;
        printf("%s %s %s: %s is not installed\n", getenv("MUST_WORK") ? "not ok" : "skip", test->id,
               test->title, needs);
        suite->failed += getenv("MUST_WORK") != NULL;
        return;
    }
    struct outcome outside = run(suite, test, false);
    if (!outside.happened || outside.status != test->exit) {
        report(suite, test, false, "does not work outside either");
        return;
    }
    struct outcome inside = run(suite, test, true);
    bool kept = hold_kept(test->promise, suite->layers);
    bool works = inside.happened && inside.status == test->exit;
    if (test->promise->restricts ? !inside.happened : works)
        report(suite, test, true, "");
    else if (!kept)
        suite->unkept++;
    else
        report(suite, test, false, test->promise->restricts ? "went through" : "does not work");
}

static void parse_arguments(struct suite *suite, int argc, char **argv)
{
    const char **only = xcalloc((size_t)argc + 1, sizeof *only);
    size_t count = 0;
    for (int option; (option = getopt(argc, argv, "u:da:m:vk:")) != -1;)
        switch (option) {
        case 'u':
            if (geteuid() == 0) /* others are what they are */
                suite->user = strcmp(optarg, "root") == 0 ? 0 : OP_UID;
            break;
        case 'd':
            suite->degraded = true;
            break;
        case 'a':
            suite->abi = atoi(optarg);
            break;
        case 'm':
            suite->mode = optarg;
            break;
        case 'v':
            suite->verbose = true;
            break;
        case 'k':
            only[count++] = optarg;
            suite->only = only;
            break;
        default:
            exit(2);
        }
}

static void prepare(struct suite *suite)
{
    const char *parent = getenv("CONFORMANCE_BASE") ?: geteuid() == 0 ? "/var/lib" : ".";
    char *directory = realpath(parent, NULL);
    suite->base = xasprintf("%s/assent-conformance-XXXXXX", directory);
    if (!mkdtemp(suite->base) || chmod(suite->base, 0755) < 0)
        fatal(suite->base);
    free(directory);
    /* A copy: the user need not be able to enter the build tree. */
    char *copy =
        xasprintf("mkdir %s/bin && cp %s/assent-sandbox %s/assent-sandbox-cli "
                  "%s/tests/sandbox/probe %s/bin",
                  suite->base, suite->programs, suite->programs, suite->programs, suite->base);
    if (system(copy) != 0)
        exit(2);
    suite->programs = xasprintf("%s/bin", suite->base);
    setenv("P", xasprintf("%s/probe", suite->programs), 1);
    setenv("PORT", xasprintf("%d", FIRST_PORT + getpid() % 20000), 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("TMPDIR");
    unsetenv("XDG_RUNTIME_DIR");
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_STATE_HOME");
    free(copy);
}

static void find_layers(struct suite *suite)
{
    struct sandbox_capability capability;
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/");
    probe_capability(&capability);
    policy->no_user_namespaces = suite->degraded;
    policy->landlock_abi = suite->abi;
    suite->layers = hold_layers(policy, &capability);
    sandbox_policy_free(&policy);
    if (suite->layers == 0) {
        printf("%s: this kernel has no Landlock\n", getenv("MUST_WORK") ? "not ok" : "skip");
        exit(getenv("MUST_WORK") ? 1 : 77);
    }
}

int main(int argc, char **argv)
{
    struct suite suite = {.user = geteuid(), .terminal = -1};
    struct conformance_cases cases = {0};
    umask(022);
    parse_arguments(&suite, argc, argv);
    if (argc - optind < 2) {
        fprintf(stderr, "usage: conformance [OPTION…] PROGRAMS CASES…\n");
        return 2;
    }
    suite.programs = argv[optind++];
    while (optind < argc)
        conformance_cases_read(&cases, argv[optind++]);
    find_layers(&suite);
    prepare(&suite);
    for (size_t i = 0; i < cases.count; i++)
        if (applies(&suite, &cases.list[i]))
            run_case(&suite, &cases.list[i]);
    printf("%s%s, Landlock %d: %u passed, %u failed, %u skipped, %u not promised here\n",
           suite.user == 0 ? "root" : "ordinary user", suite.degraded ? " without namespaces" : "",
           suite.abi, suite.passed, suite.failed, suite.skipped, suite.unkept);
    remove_tree(suite.base);
    return suite.failed > 0;
}
