/* SPDX-License-Identifier: MIT */
/* lineage: which process is the agent's own, and what an agent can make of that. */
#include "config.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "agents/lineage.h"
#include "base/alloc.h"
#include "base/array.h"

/* Each is the parent of the one above it; init stands below the last. */
#define KIN(pid_, program_, session_, group_, terminal_)                                           \
    {                                                                                              \
        .process = {.pid = (pid_),                                                                 \
                    .session = (session_),                                                         \
                    .group = (group_),                                                             \
                    .terminal = (terminal_)},                                                      \
        .program = program_                                                                        \
    }
#define ROOT(...)                                                                                  \
    root_of((struct kin[]){__VA_ARGS__}, COUNT(((struct kin[]){__VA_ARGS__})),                     \
            COUNT(((struct kin[]){__VA_ARGS__})) - 1)

static int root_of(const struct kin *chain, size_t count, size_t top)
{
    return (int)chain[lineage_root(chain, count, top)].process.pid;
}

/* What the operator has typed into a shell of a terminal is the agent. */
static void an_agent_of_a_multiplexer_stands_alone(void **state)
{
    (void)state;
    assert_int_equal(ROOT(KIN(5, "assent-exec", 2, 3, 7), KIN(4, "bash", 2, 3, 7),
                          KIN(3, "claude", 2, 3, 7), KIN(2, "bash", 2, 2, 7),
                          KIN(9, "tmux", 9, 9, 0)),
                     3);
    /* the multiplexer has started it without a shell, or with one that runs a script */
    assert_int_equal(
        ROOT(KIN(5, "assent-exec", 3, 3, 7), KIN(3, "claude", 3, 3, 7), KIN(9, "tmux", 9, 9, 0)),
        3);
    assert_int_equal(ROOT(KIN(5, "assent-exec", 2, 2, 7), KIN(3, "claude", 2, 2, 7),
                          KIN(2, "sh", 2, 2, 7), KIN(9, "tmux", 9, 9, 0)),
                     2);
    /* the operator types the clients, or an agent does in a terminal that it does not live in */
    assert_int_equal(
        ROOT(KIN(5, "assent-exec", 2, 5, 7), KIN(2, "bash", 2, 2, 7), KIN(9, "tmux", 9, 9, 0)), 2);
    assert_int_equal(ROOT(KIN(5, "assent-exec", 2, 3, 7), KIN(3, "codex", 2, 3, 7),
                          KIN(2, "zsh", 2, 2, 7), KIN(8, "gnome-terminal-server", 8, 8, 0),
                          KIN(9, "systemd", 9, 9, 0)),
                     3);
}

/* sshd's and systemd's processes of a user cannot be looked at by the user. */
static void what_cannot_be_looked_at_is_the_systems_at_the_top_alone(void **state)
{
    (void)state;
    struct kin ssh[] = {KIN(5, "assent-exec", 2, 3, 7), KIN(3, "claude", 2, 3, 7),
                        KIN(2, "bash", 2, 2, 7), KIN(6, "", 8, 8, 0), KIN(8, "", 8, 8, 0)};
    ssh[4].foreign = true;
    assert_int_equal(root_of(ssh, COUNT(ssh), COUNT(ssh) - 1), 3);
    /* an agent that hides, and takes a terminal and shells of its own */
    assert_int_equal(ROOT(KIN(5, "assent-exec", 4, 5, 8), KIN(4, "bash", 4, 4, 8),
                          KIN(3, "", 2, 3, 7), KIN(2, "bash", 2, 2, 7), KIN(9, "tmux", 9, 9, 0)),
                     3);
}

/* What an agent puts below itself changes nothing, and neither does what it becomes itself. */
static void an_agent_makes_no_root_below_itself(void **state)
{
    (void)state;
    /* a terminal for each of its commands */
    assert_int_equal(ROOT(KIN(6, "assent-exec", 4, 5, 8), KIN(5, "python", 4, 5, 8),
                          KIN(4, "bash", 4, 4, 8), KIN(3, "claude", 2, 3, 7),
                          KIN(2, "bash", 2, 2, 7), KIN(9, "tmux", 9, 9, 0)),
                     3);
    /* one that no shell has started, and no program that is known to bring terminals */
    assert_int_equal(ROOT(KIN(6, "assent-exec", 4, 5, 8), KIN(5, "python", 4, 5, 8),
                          KIN(4, "bash", 4, 4, 8), KIN(3, "editor", 9, 9, 0),
                          KIN(9, "systemd", 9, 9, 0)),
                     3);
    /* it becomes a multiplexer */
    assert_int_equal(ROOT(KIN(6, "assent-exec", 4, 5, 8), KIN(5, "python", 4, 5, 8),
                          KIN(4, "bash", 4, 4, 8), KIN(3, "tmux", 3, 3, 7),
                          KIN(9, "tmux", 9, 9, 0)),
                     3);
    /* what starts sessions is above multiplexers */
    assert_int_equal(ROOT(KIN(5, "assent-exec", 3, 3, 0), KIN(4, "python", 3, 3, 0),
                          KIN(3, "systemd", 3, 3, 0), KIN(9, "tmux", 9, 9, 0)),
                     3);
}

/* Above `top` all are the console's as well. */
static void what_is_ours_too_is_no_root(void **state)
{
    const struct kin beside[] = {KIN(5, "assent-exec", 2, 3, 7), KIN(3, "claude", 2, 3, 7),
                                 KIN(2, "bash", 2, 2, 7), KIN(9, "tmux", 9, 9, 0)};
    const struct kin inside[] = {KIN(5, "assent-exec", 3, 3, 7), KIN(3, "claude", 3, 3, 7),
                                 KIN(4, "assent-console", 2, 4, 7), KIN(2, "bash", 2, 2, 7),
                                 KIN(9, "tmux", 9, 9, 0)};
    const struct kin desktop[] = {KIN(5, "assent-exec", 2, 3, 7), KIN(3, "claude", 2, 3, 7),
                                  KIN(2, "bash", 2, 2, 7), KIN(8, "kitty", 7, 8, 0),
                                  KIN(7, "compositor", 7, 7, 1)};
    (void)state;
    assert_int_equal(root_of(beside, COUNT(beside), 2), 3);
    assert_int_equal(root_of(inside, COUNT(inside), 1), 3);
    assert_int_equal(root_of(desktop, COUNT(desktop), 3), 3);
}

/* A process of somebody else's whose parent has gone and that leads no session: who it comes from
 * is told by its session. */
static void an_orphan_tells_whose_session_it_is_of(void **state)
{
    int out[2], hold[2];
    pid_t orphan;
    (void)state;
    assert_int_equal(pipe(out), 0);
    assert_int_equal(pipe(hold), 0);
    pid_t leader = fork();
    if (leader == 0) {
        char byte;
        setsid();
        if (fork() == 0) {
            pid_t above = getpid();
            pid_t child = fork();
            if (child > 0)
                _exit(0);
            while (getppid() == above)
                usleep(1000);
            child = getpid();
            (void)!write(out[1], &child, sizeof(child));
        }
        close(hold[1]);
        (void)!read(hold[0], &byte, 1);
        _exit(0);
    }
    assert_int_equal(read(out[0], &orphan, sizeof(orphan)), sizeof(orphan));
    cleanup_free pid_t *ours = lineage_chain(getpid());
    cleanup_free pid_t *lost = lineage_chain(orphan);
    cleanup_free pid_t *leads = lineage_chain(leader);
    struct lineage lineage;
    assert_int_equal(lineage_orphan_of(lost, 0), leader);
    assert_int_equal(lineage_orphan_of(leads, 0), 0);
    assert_true(lineage_find(orphan, ours, &lineage));
    assert_int_equal(lineage.root, leader);
    assert_true(lineage_contains(lineage.all, orphan));
    assert_true(lineage_contains(lineage.all, -leader));
    assert_true(lineage_contains(lineage.all, leader));
    free(lineage.all);
    close(hold[1]);
    waitpid(leader, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_of_a_multiplexer_stands_alone),
        cmocka_unit_test(what_cannot_be_looked_at_is_the_systems_at_the_top_alone),
        cmocka_unit_test(an_agent_makes_no_root_below_itself),
        cmocka_unit_test(what_is_ours_too_is_no_root),
        cmocka_unit_test(an_orphan_tells_whose_session_it_is_of),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
