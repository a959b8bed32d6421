/* SPDX-License-Identifier: MIT */
/*
 * server: who is let in, and whose grants it gets. Children of this process are what commands and
 * agents are to a console.
 */
#include "config.h"

#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "agents/rendezvous.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/json.h"
#include "server_fixture.h"

/* ---- introductions and sessions
 * ------------------------------------------------------------------ */

static void only_the_right_version_is_let_in(void **state)
{
    struct peer *peer = peer_new(*state);
    say(peer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"console/info\"}");
    cleanup_free char *info = hear(peer, "\"id\":1,\"result\"");
    assert_non_null(strstr(info, "\"protocol\":1"));
    assert_non_null(strstr(info, "\"root\":\"/tmp/assent-test-"));
    say(peer, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"call/start\",\"params\":{}}");
    expect(peer, "\"id\":2,\"error\":{\"code\":-32000,\"message\":\"initialize first\"");
    say(peer,
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"initialize\",\"params\":{\"protocol\":2}}");
    expect(peer, "\"id\":3,\"error\":{\"code\":-32001");
    peer_free(&peer);
}

static char *session_of(struct fixture *fixture, const char *more)
{
    struct peer *peer = peer_new(fixture);
    cleanup_free char *line = xasprintf(INITIALIZE, more);
    say(peer, line);
    cleanup_free char *text = hear(peer, "\"id\":\"i\"");
    cleanup_json json_t *answer = json_loads(text, 0, NULL);
    const json_t *session = json_object_get(json_object_get(answer, "result"), "session");
    const char *id = json_string_value(json_object_get(session, "id"));
    char *copy = id != NULL ? xstrdup(id) : NULL;
    peer_free(&peer);
    return copy;
}

static void a_name_opens_nobodys_session(void **state)
{
    struct fixture *fixture = *state;
    char secret[SERVER_SECRET_SIZE], other[SERVER_SECRET_SIZE];
    server_issue_capability(fixture->server, "agent", secret);
    server_issue_capability(fixture->server, "agent", other);
    assert_string_not_equal(secret, other);
    cleanup_free char *with = xasprintf(",\"capability\":\"%s\"", secret);
    cleanup_free char *plain = session_of(fixture, "");
    cleanup_free char *plain_again = session_of(fixture, "");
    cleanup_free char *named = session_of(fixture, ",\"session\":\"agent\"");
    cleanup_free char *own = session_of(fixture, ",\"session\":\"agent\",\"own_session\":true");
    cleanup_free char *agent = session_of(fixture, with);
    cleanup_free char *agent_again = session_of(fixture, with);
    cleanup_free char *wrong = session_of(fixture, ",\"capability\":\"agent\"");
    assert_string_equal(plain, plain_again);
    assert_string_equal(plain, named);
    assert_string_not_equal(plain, own);
    assert_string_not_equal(plain, agent);
    assert_string_not_equal(own, agent);
    assert_string_equal(agent, agent_again);
    assert_null(wrong);
    server_revoke_capability(fixture->server, secret);
    cleanup_free char *revoked = session_of(fixture, with);
    assert_null(revoked);
}

/* A session that not everybody shares is of its client's processes, as its calls are. */
static void a_session_of_its_own_is_of_its_processes(void **state)
{
    struct fixture *fixture = *state;
    struct peer *own = initialized(fixture, ",\"own_session\":true,\"session\":\"agent\"");
    struct peer *plain = initialized(fixture, ",\"session\":\"agent\"");
    struct peer *const peers[] = {own, plain};
    for (size_t i = 0; i < COUNT(peers); i++) {
        const struct call *call =
            orchestrator_find_call(fixture->orchestrator, started(peers[i], "true", ""));
        assert_true(call->client.tree > 0);
        assert_int_equal(call->session->tree, peers[i] == own ? call->client.tree : 0);
        expect(peers[i], "call/finished");
    }
    peer_free(&own);
    peer_free(&plain);
}

static void a_grant_serves_its_own_session_only(void **state)
{
    struct fixture *fixture = *state;
    struct peer *first = initialized(fixture, ",\"own_session\":true,\"session\":\"agent\"");
    struct peer *second = initialized(fixture, ",\"own_session\":true,\"session\":\"agent\"");
    started(first, "echo granted", "");
    wait_until(fixture, &fixture->asked, 1);
    decide(fixture, REVIEW_APPROVED_FOR_SESSION, NULL);
    expect(first, "call/finished");
    started(first, "echo granted", "");
    cleanup_free char *again = hear(first, "call/finished");
    assert_non_null(strstr(again, "\"source\":\"cache\""));
    assert_int_equal(fixture->asked, 1);
    started(second, "echo granted", "");
    wait_until(fixture, &fixture->asked, 2);
    peer_free(&first);
    peer_free(&second);
}

/* In a child: connects, introduces itself and writes the session's id, '?' when there is none. */
static void write_session(const char *path, int out)
{
    char bytes[4096], id[40] = "?";
    cleanup_free char *line = xasprintf(INITIALIZE "\n", "");
    int fd = connect_to(path);
    (void)!send(fd, line, strlen(line), MSG_NOSIGNAL);
    ssize_t count = read(fd, bytes, sizeof(bytes) - 1);
    bytes[count > 0 ? count : 0] = '\0';
    const char *session = strstr(bytes, "\"session\":{\"id\":\"");
    if (session != NULL)
        snprintf(id, sizeof(id), "%.32s", session + strlen("\"session\":{\"id\":\""));
    (void)!write(out, id, 32);
    _exit(0);
}

/* A program of somebody else's that starts `count` clients, one after the other: their sessions'
 * ids, 32 bytes each. Its parent is gone, so that it does not descend from us. */
static void ids_of_program(struct fixture *fixture, int count, char *ids)
{
    cleanup_free char *path = xstrdup(server_path(fixture->server));
    int out[2];
    assert_int_equal(pipe2(out, O_NONBLOCK), 0);
    pid_t parent = fork();
    if (parent == 0) {
        pid_t above = getpid();
        if (fork() != 0)
            _exit(0);
        while (getppid() == above)
            usleep(1000);
        for (int i = 0; i < count; i++) {
            pid_t client = fork();
            if (client == 0)
                write_session(path, out[1]);
            waitpid(client, NULL, 0);
        }
        _exit(0);
    }
    int64_t end = now_ms() + DEADLINE_MS;
    for (size_t length = 0; length < 32 * (size_t)count;) {
        assert_true(now_ms() < end);
        loop_step(fixture->loop, 10);
        ssize_t got = read(out[0], ids + length, 32 * (size_t)count - length);
        length += got > 0 ? (size_t)got : 0;
    }
    waitpid(parent, NULL, 0);
    fd_close(&out[0]);
    fd_close(&out[1]);
}

/* Each `assent exec` is a process of its own; the program that starts them is the agent. */
static void plain_clients_of_a_program_share_a_session(void **state)
{
    struct fixture *fixture = *state;
    char one[64], other[32];
    cleanup_free char *nobodys = session_of(fixture, "");
    ids_of_program(fixture, 2, one);
    ids_of_program(fixture, 1, other);
    assert_memory_not_equal(one, "?", 1);
    assert_memory_equal(one, one + 32, 32);
    assert_memory_not_equal(one, other, 32);
    assert_memory_not_equal(one, nobodys, 32);
    /* They end with their programs. */
    while (orchestrator_session_count(fixture->orchestrator) > 1)
        loop_step(fixture->loop, 10);
}

/* ---- who may not ask
 * ----------------------------------------------------------------------------- */

/* In a child: connects, introduces itself and exits with 0 when it is let in, 1 when refused with
 * a text that holds `part`, 2 otherwise. */
static void try_from_child(const char *path, const char *more, const char *part)
{
    char bytes[4096];
    cleanup_free char *line = xasprintf(INITIALIZE "\n", more);
    int fd = connect_to(path);
    if (fd < 0)
        _exit(3);
    (void)!send(fd, line, strlen(line), MSG_NOSIGNAL);
    ssize_t count = read(fd, bytes, sizeof(bytes) - 1);
    if (count <= 0)
        _exit(4);
    bytes[count] = '\0';
    if (strstr(bytes, "\"result\"") != NULL)
        _exit(0);
    _exit(strstr(bytes, part) != NULL ? 1 : 2);
}

/* Serves until the child has ended; its exit status. */
static int serve_child(struct fixture *fixture, pid_t pid)
{
    int64_t end = now_ms() + DEADLINE_MS;
    int status;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        assert_true(now_ms() < end);
        loop_step(fixture->loop, 10);
    }
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int ask_from_child(struct fixture *fixture, const char *more)
{
    cleanup_free char *path = xstrdup(server_path(fixture->server));
    pid_t pid = fork();
    if (pid == 0)
        try_from_child(path, more, "a command that this console runs");
    return serve_child(fixture, pid);
}

static void a_command_cannot_ask_for_another(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(ask_from_child(fixture, ""), 1);
    assert_int_equal(ask_from_child(fixture, ",\"own_session\":true"), 1);
    assert_non_null(strstr(fixture->notice, "refused a client"));
    assert_int_equal(fixture->sessions, 0);
}

/* A daemon's trick: its parent is gone, so that it seems to descend from nobody. */
static void an_orphan_of_a_command_cannot_ask_either(void **state)
{
    struct fixture *fixture = *state;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    cleanup_free char *path = xstrdup(server_path(fixture->server));
    int link[2];
    assert_int_equal(pipe(link), 0);
    pid_t middle = fork();
    if (middle == 0) {
        pid_t pid = fork();
        if (pid == 0) {
            pid_t parent = getppid();
            setsid();
            while (getppid() == parent)
                usleep(1000);
            try_from_child(path, "", "a command that this console runs");
        }
        (void)!write(link[1], &pid, sizeof(pid));
        usleep(20000);
        _exit(0);
    }
    pid_t orphan;
    assert_int_equal(read(link[0], &orphan, sizeof(orphan)), sizeof(orphan));
    assert_int_equal(serve_child(fixture, middle), 0);
    assert_int_equal(serve_child(fixture, orphan), 1);
    fd_close(&link[0]);
    fd_close(&link[1]);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

static void an_agent_that_we_started_may_ask(void **state)
{
    struct fixture *fixture = *state;
    char secret[SERVER_SECRET_SIZE];
    server_issue_capability(fixture->server, "agent", secret);
    cleanup_free char *with = xasprintf(",\"capability\":\"%s\"", secret);
    assert_int_equal(ask_from_child(fixture, with), 0);
    /* The secret in the hands of another child of ours. */
    assert_int_equal(ask_from_child(fixture, with), 2);
    assert_non_null(strstr(fixture->notice, "the capability is not valid here"));
}

static void try_from_namespace(struct fixture *fixture, int flags, const char *part)
{
    cleanup_free char *path = xstrdup(server_path(fixture->server));
    pid_t pid = fork();
    if (pid == 0) {
        if (unshare(flags) < 0)
            _exit(77);
        try_from_child(path, "", part);
    }
    int status = serve_child(fixture, pid);
    if (status != 77) /* this user may not make such a namespace */
        assert_int_equal(status, 1);
}

static void other_namespaces_cannot_ask(void **state)
{
    try_from_namespace(*state, CLONE_NEWUSER, "another user namespace");
    try_from_namespace(*state, CLONE_NEWNET, "another net namespace");
    try_from_namespace(*state, CLONE_NEWNS, "another mnt namespace");
    try_from_namespace(*state, CLONE_NEWUSER | CLONE_NEWNET, "another user namespace");
}

/* ---- limits
 * -------------------------------------------------------------------------------------- */

/* Programs of somebody else's: orphans that lead a session each. Their clients stay until the test
 * lets go. */
struct crowd {
    struct fixture *fixture;
    int hold[2], answers[2];
};

static void crowd_begin(struct crowd *crowd, struct fixture *fixture)
{
    crowd->fixture = fixture;
    assert_int_equal(pipe(crowd->hold), 0);
    assert_int_equal(pipe2(crowd->answers, O_NONBLOCK), 0);
}

static void crowd_leave(struct crowd *crowd)
{
    int64_t end = now_ms() + DEADLINE_MS;
    fd_close(&crowd->hold[0]);
    fd_close(&crowd->hold[1]);
    while (server_connection_count(crowd->fixture->server) > 0) {
        assert_true(now_ms() < end);
        loop_step(crowd->fixture->loop, 10);
    }
    fd_close(&crowd->answers[0]);
    fd_close(&crowd->answers[1]);
}

static void wait_for_end(const struct crowd *crowd)
{
    char byte;
    (void)!read(crowd->hold[0], &byte, 1);
    _exit(0);
}

/* Says the lines and tells how that went: '+' well, 'o' more is for others, 'a' all is taken. */
static void be_client(const struct crowd *crowd, const char *lines)
{
    char bytes[8192];
    size_t length = 0;
    ssize_t count = 1;
    int fd = connect_to(server_path(crowd->fixture->server));
    cleanup_free char *text = xasprintf(
        INITIALIZE "\n%s{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n", "", lines);
    (void)!send(fd, text, strlen(text), MSG_NOSIGNAL);
    bytes[0] = '\0';
    while (count > 0 && strstr(bytes, "\"id\":\"p\"") == NULL) {
        count = read(fd, bytes + length, sizeof(bytes) - 1 - length);
        length += count > 0 ? (size_t)count : 0;
        bytes[length] = '\0';
    }
    const char *answer = strstr(bytes, "is for others") != NULL          ? "o"
                         : strstr(bytes, "all clients together") != NULL ? "a"
                         : count > 0                                     ? "+"
                                                                         : "?";
    (void)!write(crowd->answers[1], answer, 1);
    wait_for_end(crowd);
}

/* As daemon(3) does: true in a process whose parent has gone, false in the one that called. */
static bool become_orphan(bool leader)
{
    pid_t middle = fork();
    if (middle > 0) {
        waitpid(middle, NULL, 0);
        return false;
    }
    pid_t above = getpid();
    if (fork() != 0)
        _exit(0);
    while (getppid() == above)
        usleep(1000);
    if (leader)
        setsid();
    return true;
}

/* A program that has so many clients, all of them orphans, with sessions of their own or not; it
 * stays or goes before them. */
struct program {
    int clients;
    bool apart, gone;
    const char *lines;
};

static int compare_bytes(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

/* How the program's clients were answered, sorted; the caller frees. */
static char *crowd_join(struct crowd *crowd, const struct program *program)
{
    size_t wanted = (size_t)program->clients, length = 0;
    char *answers = xcalloc(wanted + 1, 1);
    int64_t end = now_ms() + DEADLINE_MS;
    if (become_orphan(true)) {
        fd_close(&crowd->hold[1]);
        for (int i = 0; i < program->clients; i++)
            if (become_orphan(program->apart))
                be_client(crowd, program->lines);
        if (program->gone)
            _exit(0);
        wait_for_end(crowd);
    }
    while (length < wanted) {
        assert_true(now_ms() < end);
        loop_step(crowd->fixture->loop, 10);
        ssize_t got = read(crowd->answers[0], answers + length, wanted - length);
        length += got > 0 ? (size_t)got : 0;
    }
    qsort(answers, length, 1, compare_bytes);
    return answers;
}

static void expect_answers(struct crowd *crowd, const struct program *program, const char *wanted)
{
    cleanup_free char *answers = crowd_join(crowd, program);
    assert_string_equal(answers, wanted);
}

/* Who forks twice for each connection is one program all the same. */
static void orphans_share_what_their_session_may_have(void **state)
{
    for (int gone = 0; gone < 2; gone++) {
        struct crowd crowd;
        crowd_begin(&crowd, *state);
        expect_answers(&crowd, &(struct program){20, false, gone, ""}, "++++++++++++++++oooo");
        struct peer *peer = initialized(*state, "");
        started(peer, "true", "");
        expect(peer, "call/finished");
        peer_free(&peer);
        crowd_leave(&crowd);
    }
}

/* The first has all but a fifth, then each finds half of what those before it have left. */
static void many_programs_leave_something_to_the_next(void **state)
{
    struct crowd crowd;
    crowd_begin(&crowd, *state);
    expect_answers(&crowd, &(struct program){17, false, false, ""}, "++++++++++++++++o");
    expect_answers(&crowd, &(struct program){3, false, false, ""}, "++o");
    expect_answers(&crowd, &(struct program){2, false, false, ""}, "+o");
    expect_answers(&crowd, &(struct program){2, false, false, ""}, "+a");
    crowd_leave(&crowd);
}

/* Nobody can tell whose daemons are: all places are theirs, but not one more. */
static void daemons_take_no_more_than_there_is(void **state)
{
    struct fixture *fixture = *state;
    struct crowd crowd;
    crowd_begin(&crowd, fixture);
    expect_answers(&crowd, &(struct program){23, true, false, ""}, "++++++++++++++++++++aaa");
    assert_int_equal(server_connection_count(fixture->server), 20);
    assert_non_null(strstr(fixture->notice, "all clients together hold 20 of the console's 20 "
                                            "connections: try again"));
    crowd_leave(&crowd);
    struct peer *peer = initialized(fixture, "");
    peer_free(&peer);
}

static void all_clients_together_run_so_many_commands(void **state)
{
    struct fixture *fixture = *state;
    cleanup_strbuf struct strbuf lines = STRBUF_INIT;
    struct crowd crowd;
    crowd_begin(&crowd, fixture);
    for (int i = 0; i < 3; i++)
        strbuf_addf(&lines,
                    "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"call/start\",\"params\":{"
                    "\"script\":\"read -r x\",\"stdin\":true,\"cwd\":\"/\"}}\n",
                    i);
    const struct program program = {1, true, false, strbuf_str(&lines)};
    expect_answers(&crowd, &program, "+");
    expect_answers(&crowd, &program, "+");
    expect_answers(&crowd, &program, "o");
    expect_answers(&crowd, &program, "o");
    expect_answers(&crowd, &program, "a");
    assert_int_equal(orchestrator_call_count(fixture->orchestrator), 4);
    struct peer *peer = initialized(fixture, "");
    start(peer, "true", "");
    expect(peer, "\"code\":-32000,\"message\":\"all clients together hold 10 of the console's 10 "
                 "open calls: try again");
    peer_free(&peer);
    crowd_leave(&crowd);
    peer = initialized(fixture, "");
    started(peer, "true", "");
    expect(peer, "call/finished");
    peer_free(&peer);
}

/* ---- the socket
 * ---------------------------------------------------------------------------------- */

static void the_socket_is_ours_alone(void **state)
{
    struct fixture *fixture = *state;
    struct stat status;
    assert_int_equal(stat(server_path(fixture->server), &status), 0);
    assert_true(S_ISSOCK(status.st_mode));
    assert_int_equal(status.st_mode & 07777, 0600);
    cleanup_free char *directory = xasprintf("%s/assent", fixture->directory);
    assert_int_equal(stat(directory, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
}

static void an_open_directory_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct error error = ERROR_INIT;
    cleanup_free char *open_directory = xasprintf("%s/open", fixture->directory);
    cleanup_free char *link = xasprintf("%s/link", fixture->directory);
    cleanup_free char *own = xasprintf("%s/assent", fixture->directory);
    assert_int_equal(mkdir(open_directory, 0700), 0);
    assert_int_equal(chmod(open_directory, 0750), 0);
    assert_int_equal(rendezvous_open(open_directory, true, &error), -1);
    assert_non_null(strstr(error.message, "chmod 700"));
    assert_int_equal(symlink(own, link), 0);
    assert_int_equal(rendezvous_open(link, true, &error), -1);
    unlink(link);
    rmdir(open_directory);
}

static void sockets_of_dead_consoles_are_reclaimed(void **state)
{
    struct fixture *fixture = *state;
    struct error error = ERROR_INIT;
    cleanup_free char *directory = xasprintf("%s/assent", fixture->directory);
    cleanup_fd int fd = rendezvous_open(directory, false, &error);
    /* A pid that is no process: the largest possible one plus one. */
    cleanup_fd int dead = rendezvous_listen(fd, "4194305.sock", &error);
    assert_true(dead >= 0);
    fd_close(&dead);
    /* Its console lives, however old the name: it answers. */
    cleanup_fd int alive = rendezvous_listen(fd, "4194306.sock", &error);
    assert_true(alive >= 0);
    assert_int_equal(rendezvous_reclaim(fd), 1);
    assert_int_equal(faccessat(fd, "4194305.sock", F_OK, 0), -1);
    assert_int_equal(faccessat(fd, "4194306.sock", F_OK, 0), 0);
    assert_int_equal(rendezvous_listen(fd, "4194306.sock", &error), -1);
    assert_non_null(strstr(error.message, "another console"));
    rendezvous_remove(fd, "4194306.sock", alive);
    assert_int_equal(faccessat(fd, "4194306.sock", F_OK, 0), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_REQUEST(only_the_right_version_is_let_in),
        ON_REQUEST(a_name_opens_nobodys_session),
        ON_REQUEST(a_session_of_its_own_is_of_its_processes),
        UNTRUSTED(a_grant_serves_its_own_session_only),
        ON_REQUEST(plain_clients_of_a_program_share_a_session),
        ON_REQUEST(a_command_cannot_ask_for_another),
        ON_REQUEST(an_orphan_of_a_command_cannot_ask_either),
        ON_REQUEST(an_agent_that_we_started_may_ask),
        ON_REQUEST(other_namespaces_cannot_ask),
        LIMITED(orphans_share_what_their_session_may_have),
        LIMITED(many_programs_leave_something_to_the_next),
        LIMITED(daemons_take_no_more_than_there_is),
        LIMITED(all_clients_together_run_so_many_commands),
        ON_REQUEST(the_socket_is_ours_alone),
        ON_REQUEST(an_open_directory_is_refused),
        ON_REQUEST(sockets_of_dead_consoles_are_reclaimed),
    };
    return cmocka_run_group_tests_name("server_peers", tests, NULL, NULL);
}
