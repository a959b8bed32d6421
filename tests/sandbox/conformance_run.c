/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "conformance_run.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
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

enum { DEADLINE_MS = 120000, EFFECT_MS = 30000, LOOK_AGAIN_MS = 20 };

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

static void become(uid_t user)
{
    if (getuid() == user)
        return;
    if (setgroups(0, NULL) < 0 || setgid(user) < 0 || setuid(user) < 0)
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

static void open_streams(const char *log)
{
    int fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(fd, STDOUT_FILENO);
    dup2(fd, STDERR_FILENO);
    close(fd);
}

/* Starts argv as the user, in the fixture, leading a session; with `terminal` on one, whose master
 * side is stored. */
static pid_t start(uid_t user, const char *fixture, const char *const *argv, int *terminal)
{
    char *log = xasprintf("%s/log", fixture);
    pid_t pid = terminal ? forkpty(terminal, NULL, NULL, NULL) : fork();
    if (pid == 0) {
        /* A script's background, or nohup(1), has them ignored. */
        for (int number = 1; number < NSIG; number++)
            signal(number, SIG_DFL);
        if (!terminal)
            setsid();
        else if (fchown(STDIN_FILENO, user, (gid_t)-1) < 0)
            fatal("terminal");
        become(user);
        if (!terminal)
            open_streams(log);
        enter_fixture(fixture);
        execvp(argv[0], (char *const *)argv);
        fatal(argv[0]);
    }
    free(log);
    return pid;
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

static int run_shell(uid_t user, const char *fixture, const char *script)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    return wait_end(start(user, fixture, argv, NULL), NULL, NULL);
}

/* ---- fixtures ----------------------------------------------------------------------------- */

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)walk;
    if (type == FTW_DNR)
        chmod(path, 0700);
    else
        remove(path);
    return 0;
}

static void remove_tree(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Workspace and what lies beside it. No program makes it: it is made thousands of times. */
static void fill_fixture(void)
{
    static const char *const DIRECTORIES[] = {"w",      "o",           "t",    "o/dir",
                                              "o/home", "o/home/.ssh", "w/dir"};
    static const struct {
        const char *path, *text;
        mode_t mode;
    } FILES[] = {{"w/file", "content\n", 0644},    {"w/dir/file", "more\n", 0644},
                 {"o/file", "out\n", 0644},        {"o/second", "second\n", 0644},
                 {"o/dir/file", "deep\n", 0644},   {"o/home/.ssh/id", "key\n", 0644},
                 {"o/home/.bashrc", "rc\n", 0644}, {"o/program", "#!/bin/sh\nexit 0\n", 0755}};
    for (size_t i = 0; i < sizeof DIRECTORIES / sizeof *DIRECTORIES; i++)
        if (mkdir(DIRECTORIES[i], 0755) < 0)
            fatal(DIRECTORIES[i]);
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        int fd = open(FILES[i].path, O_WRONLY | O_CREAT | O_EXCL, FILES[i].mode);
        if (fd < 0 || write(fd, FILES[i].text, strlen(FILES[i].text)) < 0)
            fatal(FILES[i].path);
        close(fd);
    }
    if (symlink("../o/file", "w/link") < 0)
        fatal("w/link");
}

/* All of it is the user's. */
static char *make_fixture(const struct conformance_setup *setup)
{
    char *fixture = xasprintf("%s/XXXXXX", setup->base);
    if (!mkdtemp(fixture) || chown(fixture, setup->user, setup->user) < 0 ||
        chmod(fixture, 0755) < 0)
        fatal(fixture);
    pid_t pid = fork();
    if (pid == 0) {
        become(setup->user);
        if (chdir(fixture) < 0)
            fatal(fixture);
        fill_fixture();
        _exit(0);
    }
    if (wait_end(pid, NULL, NULL) != 0)
        fatal("making a fixture");
    return fixture;
}

/* ---- one run ------------------------------------------------------------------------------ */

struct during {
    uid_t user;
    const char *fixture;
    const char *script;
    int terminal;
    bool done;
};

static void step_during(void *argument)
{
    struct during *during = argument;
    char *go = xasprintf("%s/w/go", during->fixture);
    if (!during->done && access(go, F_OK) == 0) {
        char *script = xasprintf("%s\n: > $W/done", during->script);
        during->done = true;
        if (strcmp(during->script, "^C") != 0)
            run_shell(during->user, during->fixture, script);
        else if (write(during->terminal, "\003", 1) != 1)
            perror("terminal");
        free(script);
    }
    free(go);
}

static void wait_ready(const struct conformance_case *test, const char *fixture)
{
    int64_t deadline = now_ms() + DEADLINE_MS;
    char *ready = xasprintf("%s/t/ready", fixture);
    while (access(ready, F_OK) < 0 && now_ms() < deadline)
        poll(NULL, 0, 1);
    if (now_ms() >= deadline)
        fprintf(stderr, "# %s: the host's process was never ready\n", test->id);
    free(ready);
}

const char *conformance_mode(const struct conformance_setup *setup,
                             const struct conformance_case *test)
{
    return setup->mode ?: test->values[CASE_MODE] ?: "workspace-write";
}

/* The command line: `with`, the sandbox (or nothing), and the shell with `do`. */
static const char **make_argv(const struct conformance_setup *setup,
                              const struct conformance_case *test, bool inside)
{
    static const char *argv[64];
    size_t count = 0;
    argv[count++] = "sh";
    argv[count++] = "-c";
    argv[count++] = test->values[CASE_WITH] ?: "exec \"$@\"";
    argv[count++] = "sh";
    if (inside) {
        argv[count++] = xasprintf("%s/assent-sandbox-cli", setup->programs);
        argv[count++] = "--mode";
        argv[count++] = conformance_mode(setup, test);
        if (setup->degraded) {
            argv[count++] = "--no-userns";
            argv[count++] = "--allow-degraded";
        }
        if (setup->abi) {
            argv[count++] = "--landlock-abi";
            argv[count++] = xasprintf("%d", setup->abi);
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

static void show(const struct conformance_case *test, const char *fixture, bool inside,
                 const struct conformance_outcome *outcome)
{
    char *script = xasprintf("head -c 16384 %s/log | sed 's/^/#   /'", fixture);
    fprintf(stderr, "# %s %s: status %d, happened %d\n", test->id, inside ? "inside" : "outside",
            outcome->status, outcome->happened);
    if (system(script) != 0)
        fprintf(stderr, "# no log\n");
    free(script);
}

/* Starts the process that stays outside; 0 when the case has none. */
static pid_t start_host(const struct conformance_setup *setup, const struct conformance_case *test,
                        const char *fixture)
{
    const char *const argv[] = {"sh", "-c", test->values[CASE_HOST], NULL};
    if (!test->values[CASE_HOST])
        return 0;
    pid_t pid = start(setup->user, fixture, argv, NULL);
    wait_ready(test, fixture);
    return pid;
}

static int run_command(const struct conformance_setup *setup, const struct conformance_case *test,
                       const char *fixture, bool inside)
{
    const char **argv = make_argv(setup, test, inside);
    struct during during = {setup->user, fixture, test->values[CASE_DURING], -1, false};
    if (inside)
        expand_options(argv, fixture);
    pid_t pid =
        start(setup->user, fixture, argv, test->values[CASE_TERMINAL] ? &during.terminal : NULL);
    int status = wait_end(pid, during.script ? step_during : NULL, &during);
    if (during.terminal >= 0)
        close(during.terminal);
    return status;
}

/* Looks whether it happened. Who is slow on a busy machine gets time for what has to happen; what
 * must not happen is looked for once. */
static bool look_for_effect(const struct conformance_setup *setup,
                            const struct conformance_case *test, const char *fixture, bool inside)
{
    bool expected = !inside || !test->promise->restricts;
    int64_t deadline = now_ms() + EFFECT_MS;
    for (;;) {
        if (run_shell(setup->user, fixture, test->values[CASE_EFFECT]) == 0)
            return true;
        if (!expected || now_ms() >= deadline)
            return false;
        poll(NULL, 0, LOOK_AGAIN_MS);
    }
}

struct conformance_outcome conformance_run(const struct conformance_setup *setup,
                                           const struct conformance_case *test, bool inside)
{
    struct conformance_outcome outcome;
    char *fixture = make_fixture(setup);
    const char *before = test->values[CASE_SETUP];
    setenv("UNTIL", inside ? setup->until : ":", 1);
    if (before && run_shell(setup->user, fixture, before) != 0)
        fprintf(stderr, "# %s: the setup failed\n", test->id);
    pid_t host = start_host(setup, test, fixture);
    outcome.status = run_command(setup, test, fixture, inside);
    outcome.happened = test->values[CASE_EFFECT] ? look_for_effect(setup, test, fixture, inside)
                                                 : outcome.status == test->exit;
    if (host > 0) {
        kill(-host, SIGKILL);
        waitpid(host, NULL, 0);
    }
    /* Nobody sees a second time what a crowded machine did once. */
    bool works = outcome.happened && outcome.status == test->exit;
    if (setup->verbose || (inside && setup->must_work && !works))
        show(test, fixture, inside, &outcome);
    remove_tree(fixture);
    free(fixture);
    return outcome;
}

int conformance_outside(const struct conformance_setup *setup, const char *script)
{
    char *fixture = make_fixture(setup);
    int status = run_shell(setup->user, fixture, script);
    remove_tree(fixture);
    free(fixture);
    return status;
}

/* ---- the whole ---------------------------------------------------------------------------- */

void conformance_prepare(struct conformance_setup *setup, const char *programs)
{
    static const char *const FOREIGN[] = {
        "TMPDIR",         "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME",
        "XDG_STATE_HOME", "XDG_CACHE_HOME", /* and of make check: */
        "MAKEFLAGS",      "MFLAGS",          "MAKELEVEL"};
    const char *parent = getenv("CONFORMANCE_BASE") ?: geteuid() == 0 ? "/var/lib" : ".";
    char *directory = realpath(parent, NULL);
    setup->base = xasprintf("%s/assent-conformance-XXXXXX", directory);
    if (!mkdtemp(setup->base) || chmod(setup->base, 0755) < 0)
        fatal(setup->base);
    free(directory);
    char *copy = xasprintf("mkdir %s/bin && cp %s/assent-sandbox %s/assent-sandbox-cli "
                           "%s/tests/sandbox/probe %s/bin",
                           setup->base, programs, programs, programs, setup->base);
    if (system(copy) != 0)
        exit(2);
    free(copy);
    setup->programs = xasprintf("%s/bin", setup->base);
    char *probe = xasprintf("%s/probe", setup->programs);
    setup->until = xasprintf("%s until 5", probe);
    setenv("P", probe, 1);
    free(probe);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("SHELL", "/bin/sh", 1); /* that of an ordinary user here may be nologin */
    /* Where rustup, which stands in for cargo, has it; $HOME is the fixture's. */
    char *rustup = getenv("HOME") ? xasprintf("%s/.rustup", getenv("HOME")) : NULL;
    if (rustup)
        setenv("RUSTUP_HOME", rustup, 0);
    free(rustup);
    for (size_t i = 0; i < sizeof FOREIGN / sizeof *FOREIGN; i++)
        unsetenv(FOREIGN[i]);
}

void conformance_clean(const struct conformance_setup *setup)
{
    remove_tree(setup->base);
}
