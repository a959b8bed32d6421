/* SPDX-License-Identifier: MIT */
/* agents: clients of the console that ask for whatever comes to mind: most with `assent exec`, some
 * over the Model Context Protocol. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/json.h"
#include "soak.h"

#define PAUSE_MS 4000 /* an agent thinks for less than that */
/* A request is stuck that has no answer by then, although so many for each agent were answered
 * since: the operator may have much to do, or all be frozen. Nothing takes as long as the last. */
#define ANSWER_MS 120000
#define ANSWERS_SINCE 5
#define ANSWER_MS_MAX 600000
#define ARGUMENTS_MAX 12

struct agent {
    unsigned number;
    bool mcp;
    pid_t pid;   /* of the client, or of the bridge; 0: none */
    int in, out; /* of the bridge: what we write and read */
    struct strbuf line;
    bool asks, killed, complained;
    bool halted; /* for a while, since it asked */
    unsigned sequence;
    int64_t asked_ms, next_ms;
    unsigned long answers; /* that all had when it asked */
    char *asked;           /* what for */
};

struct agents {
    const struct soak_place *place;
    struct agent *agents;
    unsigned count;
    unsigned long requests, answers, killed_clients, killed_commands, refused, late;
    int64_t longest_ms;
};

/* ---- what they ask for ------------------------------------------------------------------------
 */

struct wish {
    char *argv[ARGUMENTS_MAX];
    unsigned count;
    bool escalate, tty;
    unsigned timeout_ms; /* 0: the console's */
};

static void add(struct wish *wish, char *word)
{
    wish->argv[wish->count++] = word;
}

static void add_all(struct wish *wish, const char *const *words)
{
    for (; *words != NULL; words++)
        add(wish, xstrdup(*words));
}

static void add_script(struct wish *wish, char *script)
{
    add_all(wish, (const char *const[]){"sh", "-c", NULL});
    add(wish, script);
}

/* Too long to be seen at once: its end has to be looked at. */
static char *long_script(const char *marker)
{
    struct strbuf text = STRBUF_INIT;

    strbuf_addf(&text, "touch %s\n", marker);
    for (unsigned i = 0; i < 40 + soak_random(60); i++)
        strbuf_addf(&text, ": step %u of a long script that is not seen whole at once\n", i);
    return strbuf_steal(&text);
}

static void wish_flood(struct wish *wish, const char *marker)
{
    unsigned kilobytes = 200 + soak_random(4000);

    wish->tty = soak_random(2) == 0;
    switch (soak_random(3)) {
    case 0:
        add_script(wish, xasprintf("echo>%s; yes 'the quick brown fox %s' | head -c %u000", marker,
                                   marker, kilobytes));
        break;
    case 1:
        add_script(wish, xasprintf("echo>%s; for i in 1 2 3 4 5 6 7 8; do cat coloured; sleep 0.1; "
                                   "done",
                                   marker));
        break;
    default:
        add_script(wish, xasprintf("echo>%s; for i in 1 2 3 4 5 6 7 8; do cat wide painted; "
                                   "sleep 0.1; done",
                                   marker));
    }
}

static void wish_to_wait(struct wish *wish, const char *marker)
{
    wish->tty = soak_random(2) == 0;
    wish->timeout_ms = 500 + soak_random(5000);
    switch (soak_random(4)) {
    case 0:
        add_script(wish, xasprintf("touch %s; exec sleep 300", marker));
        break;
    case 1:
        add_script(wish, xasprintf("touch %s; setsid sleep 300 & sleep 0.2", marker));
        break;
    case 2:
        add_script(wish,
                   xasprintf("trap '' TERM HUP; touch %s; while :; do sleep 0.05; done", marker));
        break;
    default:
        wish->tty = true;
        add_script(wish, xasprintf("echo name?; read name; echo \"$name\" >%s", marker));
    }
}

/* What asks for more than the sandbox gives, or tries to take it. */
static void wish_for_more(struct wish *wish, const char *outside)
{
    wish->escalate = soak_random(2) == 0;
    if (soak_random(2) == 0)
        add_all(wish, (const char *const[]){"touch", outside, NULL});
    else
        add_script(wish, xasprintf("echo text >%s", outside));
}

static struct wish wish_something(const struct soak_place *place, const char *name)
{
    struct wish wish = {.count = 0};
    cleanup_free char *marker = xasprintf("marks/%s", name);
    cleanup_free char *outside = xasprintf("%s/%s", place->outside, name);

    switch (soak_random(12)) {
    case 0:
        add_all(&wish, (const char *const[]){"touch", marker, NULL});
        break;
    case 1:
        add_all(&wish, (const char *const[]){"cp", "seed", marker, NULL});
        break;
    case 2:
        add_all(&wish, (const char *const[]){"mkdir", "-p", marker, NULL});
        break;
    case 3:
        add_all(&wish, (const char *const[]){"ln", "-s", "seed", marker, NULL});
        break;
    case 4:
        add_all(&wish,
                (const char *const[]){"cat", soak_random(2) == 0 ? "painted" : "wide", NULL});
        wish.tty = soak_random(2) == 0;
        break;
    case 5:
        add_all(&wish, (const char *const[]){"rm", "-rf", "scratch", marker, NULL});
        break;
    case 6:
        add_script(&wish, long_script(marker));
        break;
    case 7:
        add_script(&wish, xasprintf("touch %s # \x1b[31mred \xe2\x80\xae"
                                    "desrever",
                                    marker));
        break;
    case 8:
        wish_flood(&wish, marker);
        break;
    case 9:
        wish_to_wait(&wish, marker);
        break;
    case 10:
        wish_for_more(&wish, outside);
        break;
    default:
        add_script(&wish, xasprintf("touch %s; cat seed; sleep 0.%u", marker, soak_random(10)));
    }
    add(&wish, NULL);
    wish.count--;
    return wish;
}

static void wish_clear(struct wish *wish)
{
    for (unsigned i = 0; i < wish->count; i++)
        free(wish->argv[i]);
}

/* ---- programs ---------------------------------------------------------------------------------
 */

/* In the child: what it says of itself goes to a file of the agent's. */
static void become(const struct agents *agents, const struct agent *agent, const char *const *argv)
{
    cleanup_free char *errors = xasprintf("%s/agent-%u.err", agents->place->scratch, agent->number);
    int fd = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (fd < 0 || dup2(fd, STDERR_FILENO) < 0 || chdir(agents->place->work) < 0)
        _exit(126);
    execv(argv[0], (char **)(uintptr_t)argv);
    _exit(126);
}

static void run_exec(struct agents *agents, struct agent *agent, const struct wish *wish)
{
    const char *argv[ARGUMENTS_MAX + 8] = {agents->place->assent, "exec"};
    size_t count = 2;
    cleanup_free char *timeout = xasprintf("%u", wish->timeout_ms);

    if (wish->escalate)
        argv[count++] = "--escalate";
    if (wish->tty)
        argv[count++] = "--tty";
    if (wish->timeout_ms > 0) {
        argv[count++] = "--timeout";
        argv[count++] = timeout;
    }
    argv[count++] = "--";
    for (unsigned i = 0; i < wish->count; i++)
        argv[count++] = wish->argv[i];
    agent->pid = fork();
    if (agent->pid != 0)
        return;
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0)
        _exit(126);
    become(agents, agent, argv);
}

static void send_message(struct agent *agent, json_t *message)
{
    cleanup_free char *text = json_line(message);
    cleanup_free char *line = xasprintf("%s\n", text);
    size_t length = strlen(line), at = 0;

    json_decref(message);
    while (at < length) {
        ssize_t written = write(agent->in, line + at, length - at);

        if (written <= 0)
            return; /* it has died: seen when it is read */
        at += (size_t)written;
    }
}

static void start_bridge(struct agents *agents, struct agent *agent)
{
    const char *argv[] = {agents->place->assent, "mcp", NULL};
    int in[2], out[2];

    if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
        return;
    agent->pid = fork();
    if (agent->pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        become(agents, agent, argv);
    }
    close(in[0]);
    close(out[1]);
    agent->in = in[1];
    agent->out = out[0];
    fd_set_nonblock(agent->out, true);
    strbuf_reset(&agent->line);
    send_message(agent,
                 json_pack("{s:s,s:i,s:s,s:{s:s,s:{},s:{s:s,s:s}}}", "jsonrpc", "2.0", "id", 0,
                           "method", "initialize", "params", "protocolVersion", "2025-06-18",
                           "capabilities", "clientInfo", "name", "soak", "version", "1"));
    send_message(agent,
                 json_pack("{s:s,s:s}", "jsonrpc", "2.0", "method", "notifications/initialized"));
}

static void call_tool(struct agents *agents, struct agent *agent, const struct wish *wish)
{
    json_t *arguments = json_object(), *command = json_array();

    if (agent->pid == 0)
        start_bridge(agents, agent);
    for (unsigned i = 0; i < wish->count; i++)
        json_array_append_new(command, json_string(wish->argv[i]));
    json_object_set_new(arguments, "command", command);
    if (wish->tty)
        json_object_set_new(arguments, "tty", json_true());
    if (wish->escalate)
        json_object_set_new(arguments, "sandbox_permissions", json_string("require_escalated"));
    if (wish->timeout_ms > 0)
        json_object_set_new(arguments, "timeout_ms", json_integer(wish->timeout_ms));
    send_message(agent, json_pack("{s:s,s:i,s:s,s:{s:s,s:o}}", "jsonrpc", "2.0", "id",
                                  (int)agent->sequence, "method", "tools/call", "params", "name",
                                  "shell", "arguments", arguments));
}

/* ---- a request, from its beginning to its end -------------------------------------------------
 */

static void ask(struct agents *agents, struct agent *agent)
{
    cleanup_free char *name = xasprintf("m%u-%ux", agent->number, ++agent->sequence);
    struct wish wish = wish_something(agents->place, name);

    free(agent->asked);
    agent->asked = xasprintf("%s: %s %s", name, wish.argv[0], wish.argv[wish.count - 1]);
    agent->asks = true;
    agent->killed = agent->complained = agent->halted = false;
    agent->asked_ms = soak_now_ms();
    agent->answers = agents->answers;
    if (agent->mcp)
        call_tool(agents, agent, &wish);
    else
        run_exec(agents, agent, &wish);
    wish_clear(&wish);
    agents->requests++;
}

static void answered(struct agents *agents, struct agent *agent)
{
    int64_t now = soak_now_ms();

    if (now - agent->asked_ms > agents->longest_ms)
        agents->longest_ms = now - agent->asked_ms;
    agents->answers++;
    agent->asks = false;
    agent->next_ms = now + soak_random(PAUSE_MS);
}

/* What its client said of itself: the caller frees. */
static char *errors_of(const struct agents *agents, const struct agent *agent)
{
    cleanup_free char *path = xasprintf("%s/agent-%u.err", agents->place->scratch, agent->number);
    char text[400];
    int fd = open(path, O_RDONLY);
    ssize_t length = fd >= 0 ? read(fd, text, sizeof(text)) : 0;

    fd_close(&fd);
    return xstrndup(text, length > 0 ? (size_t)length : 0);
}

/* The console waits ten seconds for a client to introduce itself: who was halted may be late. */
static void client_failed(struct agents *agents, const struct agent *agent)
{
    cleanup_free char *errors = errors_of(agents, agent);

    if (agent->halted && strstr(errors, "no initialize came") != NULL)
        agents->late++;
    else
        soak_complain("agent %u: its client failed: %s: %s", agent->number, agent->asked, errors);
}

/* A client has ended, or a bridge that was killed. */
static void reap(struct agents *agents, struct agent *agent, int status)
{
    agent->pid = 0;
    if (agent->mcp) {
        fd_close(&agent->in);
        fd_close(&agent->out);
    }
    if (!agent->killed && WIFEXITED(status)) {
        agents->refused += WEXITSTATUS(status) == 77;
        if (WEXITSTATUS(status) >= 125 && WEXITSTATUS(status) <= 126)
            client_failed(agents, agent);
    } else if (!agent->killed) {
        soak_complain("agent %u: its client died of signal %d", agent->number, WTERMSIG(status));
    }
    if (agent->asks)
        answered(agents, agent);
}

/* Only the answer to the last request counts; progress and the rest is passed over. */
static void take_line(struct agents *agents, struct agent *agent, const char *line, size_t length)
{
    json_t *message = json_loadb(line, length, 0, NULL);
    const json_t *id = json_object_get(message, "id");

    if (message == NULL)
        soak_complain("agent %u: no JSON from the bridge: %.*s", agent->number, (int)length, line);
    else if (json_is_integer(id) && json_integer_value(id) == agent->sequence && agent->asks)
        answered(agents, agent);
    json_decref(message);
}

static void read_bridge(struct agents *agents, struct agent *agent)
{
    char bytes[65536];
    ssize_t length;

    while ((length = read(agent->out, bytes, sizeof(bytes))) > 0) {
        const char *end;

        strbuf_add(&agent->line, bytes, (size_t)length);
        while ((end = memchr(agent->line.data, '\n', agent->line.length)) != NULL) {
            size_t whole = (size_t)(end - agent->line.data);

            take_line(agents, agent, agent->line.data, whole);
            strbuf_consume(&agent->line, whole + 1);
        }
    }
}

static void check_stuck(const struct agents *agents, struct agent *agent)
{
    int64_t waited = soak_now_ms() - agent->asked_ms;
    unsigned long since = agents->answers - agent->answers;

    if (!agent->asks || agent->complained || waited < ANSWER_MS ||
        (waited < ANSWER_MS_MAX && since < (unsigned long)ANSWERS_SINCE * agents->count))
        return;
    cleanup_free char *errors = errors_of(agents, agent);
    agent->complained = true;
    soak_complain("agent %u has no answer for %lld s, others had %lu: %s: %s", agent->number,
                  (long long)waited / 1000, since, agent->asked, errors);
}

static void agent_step(struct agents *agents, struct agent *agent, bool asking)
{
    int status;

    if (agent->mcp && agent->pid > 0)
        read_bridge(agents, agent);
    if (agent->pid > 0 && waitpid(agent->pid, &status, WNOHANG) == agent->pid)
        reap(agents, agent, status);
    check_stuck(agents, agent);
    if (asking && !agent->asks && soak_now_ms() >= agent->next_ms)
        ask(agents, agent);
}

/* ---- all of them ------------------------------------------------------------------------------
 */

struct agents *agents_start(const struct soak_place *place, unsigned count)
{
    struct agents *agents = XNEW(struct agents);

    agents->place = place;
    agents->count = count;
    agents->agents = xcalloc(count, sizeof(*agents->agents));
    for (unsigned i = 0; i < count; i++) {
        agents->agents[i].number = i;
        agents->agents[i].mcp = i % 3 == 2;
        agents->agents[i].in = agents->agents[i].out = -1;
        agents->agents[i].next_ms = soak_now_ms() + soak_random(PAUSE_MS);
    }
    return agents;
}

void agents_step(struct agents *agents, bool asking)
{
    for (unsigned i = 0; i < agents->count; i++)
        agent_step(agents, &agents->agents[i], asking);
}

/* Is it a command that some agent wanted? Our home is in its environment, its name is told. */
static bool is_command(const char *pid, const char *home)
{
    cleanup_free char *comm = xasprintf("/proc/%s/comm", pid);
    cleanup_free char *variables = xasprintf("/proc/%s/environ", pid);
    char bytes[4096];
    int fd = open(comm, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, bytes, sizeof(bytes)) : 0;

    fd_close(&fd);
    if (length <= 0 || (memcmp(bytes, "sleep\n", 6) != 0 && memcmp(bytes, "yes\n", 4) != 0))
        return false;
    fd = open(variables, O_RDONLY | O_CLOEXEC);
    length = fd >= 0 ? read(fd, bytes, sizeof(bytes)) : 0;
    fd_close(&fd);
    return length > 0 && memmem(bytes, (size_t)length, home, strlen(home)) != NULL;
}

static bool kill_command(const char *home)
{
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    bool done = false;

    while (processes != NULL && !done && (entry = readdir(processes)) != NULL)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && is_command(entry->d_name, home))
            done = kill((pid_t)atol(entry->d_name), SIGKILL) == 0;
    if (processes != NULL)
        closedir(processes);
    return done;
}

void agents_kill_some(struct agents *agents)
{
    struct agent *agent = &agents->agents[soak_random(agents->count)];
    cleanup_free char *home = xasprintf("HOME=%s", getenv("HOME"));

    if (soak_random(2) == 0) {
        agents->killed_commands += kill_command(home);
    } else if (agent->pid > 0 && agent->asks) {
        agent->killed = true;
        kill(agent->pid, soak_random(2) == 0 ? SIGKILL : SIGTERM);
        agents->killed_clients++;
    }
}

void agents_halt(struct agents *agents, bool halt)
{
    for (unsigned i = 0; i < agents->count; i++) {
        struct agent *agent = &agents->agents[i];

        if (agent->pid > 0)
            kill(agent->pid, halt ? SIGSTOP : SIGCONT);
        agent->halted = agent->halted || halt;
    }
}

size_t agents_waiting(const struct agents *agents)
{
    size_t waiting = 0;

    for (unsigned i = 0; i < agents->count; i++)
        waiting += agents->agents[i].asks;
    return waiting;
}

void agents_print(const struct agents *agents)
{
    soak_say("%u agents: %lu requests, %lu answered (%lu refused), longest %.1f s, %zu open; "
             "killed: %lu clients, %lu commands; %lu halted clients came late",
             agents->count, agents->requests, agents->answers, agents->refused,
             (double)agents->longest_ms / 1000, agents_waiting(agents), agents->killed_clients,
             agents->killed_commands, agents->late);
}

void agents_end(struct agents **place)
{
    struct agents *agents = steal_pointer(place);

    for (unsigned i = 0; i < agents->count; i++) {
        struct agent *agent = &agents->agents[i];

        fd_close(&agent->in);
        fd_close(&agent->out);
        if (agent->pid > 0) {
            kill(agent->pid, SIGTERM);
            waitpid(agent->pid, NULL, 0);
        }
        strbuf_free(&agent->line);
        free(agent->asked);
    }
    free(agents->agents);
    free(agents);
}
