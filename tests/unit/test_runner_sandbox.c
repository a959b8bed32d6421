/* SPDX-License-Identifier: MIT */
/* Commands under a sandbox: what is told of it, its places, its way to the network. */
#include "config.h"

#include "run/runner.h"

#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "sandbox/scratch.h"
#include "watched.h"

/* ---- under a sandbox ------------------------------------------------------------------------- */

static void test_layers_are_told(void **state)
{
    (void)state;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    struct sandbox_policy *policy = sandbox_policy_new_read_only();
    watched_start_under(
        &watched, loop,
        (const char *const[]){"/bin/sh", "-c", "echo x > /tmp/assent-no; exit 3", NULL},
        &watched_plain, policy);
    watched_end(&watched, loop);
    assert_int_equal(watched.result.outcome, RUN_EXITED);
    assert_int_equal(watched.result.code, 3);
    assert_non_null(strstr(watched.result.layers, "landlock"));
    assert_int_equal(access("/tmp/assent-no", F_OK), -1);
    watched_clear(&watched);
    sandbox_policy_free(&policy);
    loop_free(&loop);
}

/* Played by this program: a datagram without connect(2), which nobody sees but the counters. */
static int send_somewhere(void)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(0xC0000201)};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    return sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof(address)) < 0 ? 3 : 0;
}

/* What is refused on the network is told, with the address where one was asked for. */
static void test_network_evidence(void **state)
{
    (void)state;
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    assert_true(length > 0);
    self[length] = '\0';
    const char *const send[] = {self, "send", NULL};
    const char *const connect[] = {"/bin/bash", "-c", "exec 3<>/dev/tcp/192.0.2.1/80", NULL};
    const char *const nothing[] = {"/bin/sh", "-c", "exit 3", NULL};
    const struct {
        const char *const *argv;
        const char *blocked;
    } ROWS[] = {{send, "network "}, {connect, "network 192.0.2.1:80"}, {nothing, ""}};
    struct loop *loop = loop_new(NULL);
    struct sandbox_policy *policy = sandbox_policy_new_read_only();
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(*ROWS); i++) {
        struct watched watched;
        watched_start_under(&watched, loop, ROWS[i].argv, &watched_plain, policy);
        watched_end(&watched, loop);
        assert_int_not_equal(watched.result.code, 0);
        assert_string_equal(watched.result.blocked, ROWS[i].blocked);
        watched_clear(&watched);
    }
    sandbox_policy_free(&policy);
    loop_free(&loop);
}

/* A server runs for hours: nobody waits for its end to be told. */
static void test_an_alarm_does_not_wait_for_the_end(void **state)
{
    (void)state;
    static const char *const SCRIPT = "mkdir -p src/.git/objects src/.git/refs src/.git/hooks\n"
                                      "touch src/.git/HEAD src/.git/hooks/pre-push\n"
                                      "read -r line";
    char workspace[] = "/var/tmp/alarm-XXXXXX";
    assert_non_null(mkdtemp(workspace));
    cleanup_free char *script = xasprintf("cd %s\n%s", workspace, SCRIPT);
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write(workspace);
    struct run_options options = watched_plain;
    options.stdin_open = true;
    struct loop *loop = loop_new(NULL);
    struct watched watched;
    watched_start_under(&watched, loop, (const char *const[]){"/bin/sh", "-c", script, NULL},
                        &options, policy);
    int64_t deadline = clock_monotonic_ms(NULL) + WATCHED_DEADLINE_MS;
    while (watched.alarm.length == 0)
        watched_step(loop, deadline);
    assert_non_null(strstr(strbuf_str(&watched.alarm), "/src/.git/hooks/pre-push (set aside"));
    run_write_end(watched.run);
    watched_end(&watched, loop);
    assert_int_equal(watched.result.alarms, 1);
    watched_clear(&watched);
    sandbox_policy_free(&policy);
    loop_free(&loop);
    cleanup_free char *removal = xasprintf("rm -rf %s", workspace);
    assert_int_equal(system(removal), 0);
}

/* What a session's command leaves in /tmp and in a cache is there for its next, also when two run
 * at once; and not on the host. What is in the way of the caches is not in the way of the next. */
static void test_places_of_a_session(void **state)
{
    (void)state;
    static const char *const SCRIPTS[] = {
        "echo one > /tmp/assent-kept; mkdir -p $XDG_CACHE_HOME/x && echo two > $XDG_CACHE_HOME/x/y",
        "cat /tmp/assent-kept $XDG_CACHE_HOME/x/y; echo three > $XDG_CACHE_HOME/x/y",
        "rm -r /tmp/assent-kept; cat $XDG_CACHE_HOME/x/y",
        "mv $CARGO_HOME $CARGO_HOME.old && ln -s /nowhere $CARGO_HOME",
        "test -d $CARGO_HOME && echo four"};
    static const char *const EXPECTED[] = {"", "one\ntwo\n", "three\n", "", "four\n"};
    char state_directory[] = "places-XXXXXX";
    assert_non_null(mkdtemp(state_directory));
    cleanup_free char *absolute = realpath(state_directory, NULL);
    struct sandbox_policy *policy = sandbox_policy_new_workspace_write(absolute);
    policy->tmp_source = xasprintf("%s/tmp", absolute);
    policy->cache_source = xasprintf("%s/caches", absolute);
    assert_int_equal(mkdir(policy->tmp_source, 0700), 0);
    assert_int_equal(mkdir(policy->cache_source, 0700), 0);
    cleanup_free char *cache = xasprintf("%s/.cache", absolute);
    cleanup_free char *entry = xasprintf("HOME=%s", absolute);
    assert_int_equal(mkdir(cache, 0700), 0);
    watched_home = entry; /* so that there is a cache to be laid over */
    struct loop *loop = loop_new(NULL);
    for (size_t i = 0; i < sizeof SCRIPTS / sizeof *SCRIPTS; i++) {
        struct watched watched, beside;
        const char *const argv[] = {"/bin/sh", "-c", SCRIPTS[i], NULL};
        watched_start_under(&watched, loop, argv, &watched_plain, policy);
        watched_begun(&watched, loop);
        watched_start_under(&beside, loop, (const char *const[]){"/bin/true", NULL}, &watched_plain,
                            policy);
        watched_end(&watched, loop);
        watched_end(&beside, loop);
        assert_string_equal(strbuf_str(&watched.out), EXPECTED[i]);
        assert_int_equal(watched.result.code, 0);
        assert_int_equal(beside.result.code, 0);
        assert_int_equal(access("/tmp/assent-kept", F_OK), -1);
        watched_clear(&watched);
        watched_clear(&beside);
    }
    loop_free(&loop);
    watched_home = "HOME=/tmp";
    cleanup_free char *written = xasprintf("%s/x", cache);
    assert_int_equal(access(written, F_OK), -1);
    scratch_remove(absolute);
    assert_int_equal(access(absolute, F_OK), -1);
    sandbox_policy_free(&policy);
}

static void test_many_at_once(void **state)
{
    (void)state;
    enum { COUNT = 50 };
    struct loop *loop = loop_new(NULL);
    struct watched *watched = xcalloc(COUNT, sizeof(*watched));
    for (int i = 0; i < COUNT; i++) {
        char script[64];
        snprintf(script, sizeof(script), "echo %d; exit %d", i, i);
        watched_start(&watched[i], loop, &watched_plain, script);
    }
    for (int i = 0; i < COUNT; i++) {
        char text[16];
        watched_end(&watched[i], loop);
        snprintf(text, sizeof(text), "%d\n", i);
        assert_string_equal(strbuf_str(&watched[i].out), text);
        assert_int_equal(watched[i].result.code, i);
        watched_clear(&watched[i]);
    }
    free(watched);
    loop_free(&loop);
}

/* ---- a way out ------------------------------------------------------------------------------- */

/* Bash's own sockets, because nothing else is there for sure. */
static void run_connecting(struct watched *watched, bool asks)
{
    static const char script[] = "echo \"$HTTP_PROXY-$ASSENT_SANDBOX_NETWORK_DISABLED\"; "
                                 "exec 3<>/dev/tcp/127.0.0.1/61080 && echo through >&3";
    struct sandbox_policy *policy = sandbox_policy_new_read_only();
    struct loop *loop = loop_new(NULL);
    policy->network_asks = asks;
    watched_start_under(watched, loop, (const char *const[]){"/bin/bash", "-c", script, NULL},
                        &watched_plain, policy);
    watched_end(watched, loop);
    run_free(&watched->run);
    loop_free(&loop);
    sandbox_policy_free(&policy);
}

static void test_connections_arrive_here(void **state)
{
    (void)state;
    struct watched watched;
    char bytes[16] = "";
    run_connecting(&watched, true);
    assert_string_equal(strbuf_str(&watched.out), "http://127.0.0.1:61080-\n");
    assert_true(watched.gateway > 2);
    int client = accept(watched.gateway, NULL, NULL);
    assert_true(client >= 0);
    assert_int_equal(recv(client, bytes, sizeof(bytes), 0), 8);
    assert_string_equal(bytes, "through\n");
    close(client);
    close(watched.gateway);
    watched_clear(&watched);
}

static void test_no_way_out_unless_asked_for(void **state)
{
    (void)state;
    struct watched watched;
    run_connecting(&watched, false);
    assert_int_equal(watched.gateway, 0);
    assert_non_null(strstr(strbuf_str(&watched.out), "refused"));
    assert_non_null(strstr(strbuf_str(&watched.out), "-1\n"));
    watched_clear(&watched);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "send") == 0)
        return send_somewhere();
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers_are_told),
        cmocka_unit_test(test_network_evidence),
        cmocka_unit_test(test_an_alarm_does_not_wait_for_the_end),
        cmocka_unit_test(test_places_of_a_session),
        cmocka_unit_test(test_many_at_once),
        cmocka_unit_test(test_connections_arrive_here),
        cmocka_unit_test(test_no_way_out_unless_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
