/* SPDX-License-Identifier: MIT */
/*
 * conformance: runs the cases in cases/ and compares what happened with what is promised.
 *
 *     conformance [-u op|root] [-d] [-a ABI] [-m MODE] [-j JOBS] [-p PROOFS] [-c] [-v] [-k ID]…
 *                 DIRECTORY-OF-PROGRAMS CASES…
 *
 * -d without namespaces (degraded), -a with an older Landlock, -c only the core (not what is marked
 * slow), -j how many at a time, -v shows output and times, -k these only. Each case is run outside
 * first, in a fresh fixture, and must work there: a denial of what does not work anyway shows
 * nothing. Runs in several configurations share that proof in the directory of -p. Then inside, in
 * another; whether it happened is judged from outside. A promise that the layers of this
 * configuration do not keep (sandbox/hold.c) may be broken there, and only there. In the modes that
 * confine nothing every case must work as it does outside.
 */
#include "config.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/strset.h"
#include "conformance_case.h"
#include "conformance_run.h"
#include "sandbox/probe.h"

#define OUTSIDE_TRIES 4

enum { OP_UID = 65534, FIRST_PORT = 10000, PORTS = 500, PORT_RANGES = 20 };

/* Shared by the processes that run cases side by side. */
struct tally {
    atomic_uint next; /* case to be taken */
    atomic_uint passed, failed, skipped, unkept, absent;
};

struct suite {
    struct conformance_setup setup;
    struct conformance_cases cases;
    struct tally *tally;
    unsigned layers;
    bool confines; /* the mode has anything to enforce */
    bool core;
    unsigned jobs;
    const char *proofs; /* directory: what has worked outside already; NULL: none */
    const char **only;
};

static bool must_work(void)
{
    return getenv("MUST_WORK") != NULL;
}

/* ---- judging ------------------------------------------------------------------------------ */

static void report(struct suite *suite, const struct conformance_case *test, const char *wrong)
{
    if (!wrong) {
        suite->tally->passed++;
        return;
    }
    suite->tally->failed++;
    printf("not ok %s %s (%s): %s\n", test->id, test->title, test->promise->name, wrong);
}

/* One that only says that it is not set up for this user is missing too. */
static bool missing(const struct suite *suite, const char *programs)
{
    static struct strset found; /* many cases need the same */
    if (strset_has(&found, programs))
        return false;
    char *script = xasprintf("for p in %s; do command -v $p || exit 1; "
                             "case $p in cargo|java) $p --version || exit 1; esac; done",
                             programs);
    int status = conformance_outside(&suite->setup, script);
    free(script);
    if (status == 0)
        strset_add(&found, programs, strlen(programs));
    return status != 0;
}

static bool chosen(const struct suite *suite, const struct conformance_case *test)
{
    for (const char **only = suite->only; *only; only++)
        if (strcmp(*only, test->id) == 0)
            return true;
    return !suite->only[0];
}

/* What needs a place to write has none in mode read-only. */
static bool applies(const struct suite *suite, const struct conformance_case *test)
{
    const char *user = test->values[CASE_USER], *mode = suite->setup.mode;
    if (user && strcmp(user, suite->setup.user == 0 ? "root" : "op") != 0)
        return false;
    if (suite->core && test->values[CASE_SLOW])
        return false;
    if (!mode)
        return true;
    if (test->values[CASE_MODE] && strcmp(mode, test->values[CASE_MODE]) != 0)
        return false;
    if (strcmp(mode, "read-only") == 0)
        return test->promise->restricts || test->values[CASE_MODE];
    return !test->values[CASE_OPTIONS]; /* those that confine contradict the mode */
}

/* What is wrong with it, NULL when all is well. */
static const char *judge(const struct suite *suite, const struct conformance_case *test,
                         const struct conformance_outcome *inside)
{
    bool works = inside->happened && inside->status == test->exit;
    if (!suite->confines)
        return works ? NULL : "does not work, though nothing is confined";
    if (test->promise->restricts)
        return inside->happened ? "went through" : NULL;
    return works ? NULL : "does not work";
}

/* The core does without what only some machines have; everything is not everything without it. */
static bool can_be_tried(struct suite *suite, const struct conformance_case *test)
{
    const char *needs = test->values[CASE_NEEDS], *wants = test->values[CASE_WANTS];
    bool lacks_needed = needs && missing(suite, needs);
    if (!lacks_needed && !(wants && missing(suite, wants)))
        return true;
    bool wrong = must_work() && (lacks_needed || !suite->core);
    suite->tally->skipped++;
    suite->tally->failed += wrong;
    printf("%s %s %s: not installed: %s\n", wrong ? "not ok" : "skip", test->id, test->title,
           lacks_needed ? needs : wants);
    return false;
}

/* What a machine does not have cannot get out either. It must show that: what just fails outside is
 * a fault of the case. */
static bool is_absent(struct suite *suite, const struct conformance_case *test)
{
    const char *absent = test->values[CASE_ABSENT];
    if (!absent || conformance_outside(&suite->setup, absent) != 0)
        return false;
    suite->tally->absent++;
    printf("absent %s %s: this machine has no such thing\n", test->id, test->title);
    return true;
}

static char *proof_of(const struct suite *suite, const struct conformance_case *test)
{
    return suite->proofs ? xasprintf("%s/%s.%u", suite->proofs, test->id, suite->setup.user) : NULL;
}

static void keep_proof(const char *proof)
{
    int fd = proof ? open(proof, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd >= 0)
        close(fd);
}

static bool has_proof(const struct suite *suite, const struct conformance_case *test)
{
    cleanup_free char *proof = proof_of(suite, test);
    return proof && access(proof, F_OK) == 0;
}

/* Shows that the case works at all. A host that is slow to look at what was done to it, on a busy
 * machine, gets another try: this proves nothing about the sandbox. */
static bool works_outside(const struct suite *suite, const struct conformance_case *test)
{
    cleanup_free char *proof = proof_of(suite, test);
    for (int i = 0; i < OUTSIDE_TRIES; i++) {
        struct conformance_outcome outside = conformance_run(&suite->setup, test, false);
        if (outside.happened && outside.status == test->exit) {
            keep_proof(proof);
            return true;
        }
    }
    return false;
}

static void run_case(struct suite *suite, const struct conformance_case *test)
{
    if (!has_proof(suite, test)) {
        if (!can_be_tried(suite, test) || is_absent(suite, test))
            return;
        if (!works_outside(suite, test)) {
            report(suite, test, "does not work outside either");
            return;
        }
    }
    bool kept = !suite->confines || hold_kept(test->promise, suite->layers);
    suite->setup.must_work = kept && !test->promise->restricts;
    struct conformance_outcome inside = conformance_run(&suite->setup, test, true);
    const char *wrong = judge(suite, test, &inside);
    if (wrong && !kept)
        suite->tally->unkept++;
    else
        report(suite, test, wrong);
}

/* ---- side by side ------------------------------------------------------------------------- */

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Takes one case after the other until none is left. */
static void work(struct suite *suite, int first_port)
{
    for (size_t i; (i = suite->tally->next++) < suite->cases.count;) {
        const struct conformance_case *test = &suite->cases.list[i];
        if (!chosen(suite, test) || !applies(suite, test))
            continue;
        char port[16];
        double begun = now_seconds();
        snprintf(port, sizeof port, "%d", first_port + (int)(i % PORTS));
        setenv("PORT", port, 1);
        run_case(suite, test);
        if (suite->setup.verbose)
            fprintf(stderr, "# %s took %.2f s\n", test->id, now_seconds() - begun);
        fflush(stdout);
    }
}

/* The first port of a range that no other run of this uses, which a name shows as long as this
 * process lasts. */
static int take_ports(void)
{
    for (int i = 0;; i++) {
        int range = (getpid() + i) % PORT_RANGES;
        struct sockaddr_un name = {.sun_family = AF_UNIX};
        snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "assent-conformance-%d", range);
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (bind(fd, (struct sockaddr *)&name, sizeof name) == 0 || i == PORT_RANGES)
            return FIRST_PORT + range * PORTS;
        close(fd);
    }
}

static void run_cases(struct suite *suite)
{
    int first_port = take_ports();
    fflush(stdout);
    for (unsigned job = 0; job < suite->jobs; job++)
        if (fork() == 0) {
            work(suite, first_port);
            _exit(0);
        }
    for (int status; wait(&status) > 0;)
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            suite->tally->failed++;
}

/* ---- options ------------------------------------------------------------------------------ */

/* Modes under which a case is as free as outside. */
static bool mode_confines(const char *mode)
{
    return !mode || (strcmp(mode, "danger-full-access") != 0 && strcmp(mode, "external-sandbox"));
}

static void parse_arguments(struct suite *suite, int argc, char **argv)
{
    size_t count = 0;
    suite->only = xcalloc((size_t)argc + 1, sizeof *suite->only);
    for (int option; (option = getopt(argc, argv, "u:da:m:j:p:cvk:")) != -1;)
        switch (option) {
        case 'u':
            if (geteuid() == 0) /* others are what they are */
                suite->setup.user = strcmp(optarg, "root") == 0 ? 0 : OP_UID;
            break;
        case 'd':
            suite->setup.degraded = true;
            break;
        case 'a':
            suite->setup.abi = atoi(optarg);
            break;
        case 'm':
            suite->setup.mode = optarg;
            break;
        case 'j':
            suite->jobs = (unsigned)atoi(optarg);
            break;
        case 'p':
            suite->proofs = optarg;
            break;
        case 'c':
            suite->core = true;
            break;
        case 'v':
            suite->setup.verbose = true;
            break;
        case 'k':
            suite->only[count++] = optarg;
            break;
        default:
            exit(2);
        }
}

static void find_layers(struct suite *suite)
{
    struct sandbox_capability capability;
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write("/");
    probe_capability(&capability);
    policy->no_user_namespaces = suite->setup.degraded;
    policy->landlock_abi = suite->setup.abi;
    suite->layers = hold_layers(policy, &capability);
    sandbox_policy_free(&policy);
    if (suite->layers == 0) {
        printf("%s: this kernel has no Landlock\n", must_work() ? "not ok" : "skip");
        exit(must_work() ? 1 : 77);
    }
}

int main(int argc, char **argv)
{
    static struct suite suite = {.jobs = 4}; /* in use until the program ends */
    suite.setup.user = geteuid();
    umask(022);
    parse_arguments(&suite, argc, argv);
    if (argc - optind < 2) {
        fprintf(stderr, "usage: conformance [OPTION…] PROGRAMS CASES…\n");
        return 2;
    }
    const char *programs = argv[optind++];
    while (optind < argc)
        conformance_cases_read(&suite.cases, argv[optind++]);
    find_layers(&suite);
    suite.confines = mode_confines(suite.setup.mode);
    suite.tally =
        mmap(NULL, sizeof *suite.tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    conformance_prepare(&suite.setup, programs);
    run_cases(&suite);
    printf("%s%s%s%s, Landlock %d: %u passed, %u failed, %u skipped, %u not promised here, "
           "%u absent\n",
           suite.setup.user == 0 ? "root" : "ordinary user", suite.setup.mode ? ", " : "",
           suite.setup.mode ?: "", suite.setup.degraded ? ", without namespaces" : "",
           suite.setup.abi, suite.tally->passed, suite.tally->failed, suite.tally->skipped,
           suite.tally->unkept, suite.tally->absent);
    conformance_clean(&suite.setup);
    return suite.tally->failed > 0;
}
