/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "gate.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "network/known.h"
#include "network/proxy.h"

/* Connections of a program that makes several at a time come within this of one another. */
#define TOGETHER_MS 3000

struct waiter {
    struct passage *connection;
    int64_t since_ms;
};

/* What one command asks about, and the connections that wait for it. */
struct question {
    struct question *next;
    char *key;
    uint64_t call; /* 0: denied, for the rest of the command: whoever tries again gets the same */
    char *message; /* why; may be NULL */
    struct waiter *waiting; /* the last that came is the last */
    size_t count;
};

/* A command's way out. */
struct way {
    struct way *next;
    struct gate *gate;
    uint64_t command;
    struct proxy *proxy;
    struct question *questions;
};

struct gate {
    struct loop *loop;
    struct orchestrator *orchestrator;
    struct resolver *resolver;
    struct next_hop *hop;
    struct way *ways;
};

static struct call *command_of(const struct way *way)
{
    return orchestrator_find_call(way->gate->orchestrator, way->command);
}

/* Who stops a command has ended what it asks for, too. */
static const char *why_over(const struct way *way, const char *otherwise)
{
    const struct call *command = command_of(way);
    bool stopped = command != NULL && command->cancelled_by == CANCELLED_BY_OPERATOR;
    return stopped ? REACH_COMMAND_STOPPED : otherwise;
}

/* ---- questions ------------------------------------------------------------------------------- */

static struct reach *reach_of(const struct gate *gate, const struct proxy_question *asked)
{
    const struct network_target *target = asked->target;
    struct reach *reach = XNEW(struct reach);
    struct strbuf addresses = STRBUF_INIT;
    reach->host = xstrdup(target->host.name);
    reach->readable = host_unicode(target->host.name);
    reach->look_alike = host_is_lookalike(target->host.name);
    reach->own_name = target->host.literal || host_is_localhost(target->host.name);
    reach->protocol = network_protocol_name(target->protocol);
    reach->port = target->port;
    reach->known = known_host(target->host.name);
    reach->waiting = 1;
    if (gate->hop != NULL && next_hop_serves(gate->hop, target))
        reach->via = xstrdup(next_hop_name(gate->hop));
    if (asked->class == ADDRESS_PUBLIC)
        return reach;
    reach->special = address_class_name(asked->class);
    for (size_t i = 0; i < asked->address_count; i++) {
        char text[ADDRESS_TEXT_MAX];
        address_format(&asked->addresses[i], text);
        strbuf_addf(&addresses, "%s%s", i > 0 ? ", " : "", text);
    }
    reach->addresses = strbuf_steal(&addresses);
    return reach;
}

static struct question *find_question(const struct way *way, const char *key)
{
    struct question *question = way->questions;
    while (question != NULL && strcmp(question->key, key) != 0)
        question = question->next;
    return question;
}

static void free_question(struct way *way, struct question *question)
{
    struct question **at = &way->questions;
    while (*at != question)
        at = &(*at)->next;
    *at = question->next;
    free(question->key);
    free(question->message);
    free(question->waiting);
    free(question);
}

/* A program that gives up may leave its connection open, where nothing tells it from one that
 * waits: but one that makes another only now has most likely given up those before it. */
static unsigned count_older(const struct question *question)
{
    unsigned older = 0;
    int64_t last_ms = question->waiting[question->count - 1].since_ms;
    for (size_t i = 0; i < question->count; i++)
        older += last_ms - question->waiting[i].since_ms > TOGETHER_MS;
    return older;
}

static void tell_waiting(const struct way *way, const struct question *question)
{
    struct orchestrator *orchestrator = way->gate->orchestrator;
    struct call *call = orchestrator_find_call(orchestrator, question->call);
    if (call != NULL && question->count > 0)
        orchestrator_change_waiting(orchestrator, call, (unsigned)question->count,
                                    count_older(question));
}

static void add_waiting(const struct way *way, struct question *question,
                        struct passage *connection)
{
    question->waiting =
        xreallocarray(question->waiting, question->count + 1, sizeof(*question->waiting));
    question->waiting[question->count++] =
        (struct waiter){connection, loop_now_ms(way->gate->loop)};
    tell_waiting(way, question);
}

static enum proxy_verdict deny(const char *why, char **message)
{
    *message = xasprintf("not granted: %s. The network of this sandbox is off but for hosts that "
                         "the operator grants; a rule (network_rule) can grant one for good.",
                         why != NULL && *why != '\0' ? why : "the operator denied it");
    return PROXY_DENY;
}

/* Takes `reach` and `key` over. */
static enum proxy_verdict open_question(struct way *way, struct reach *reach, char *key,
                                        struct passage *connection, char **message)
{
    struct error error = ERROR_INIT;
    const struct call *call =
        orchestrator_ask_reach(way->gate->orchestrator, command_of(way), reach, &error);
    if (call == NULL) {
        free(key);
        return deny(error.message, message);
    }
    struct question *question = XNEW(struct question);
    question->key = key;
    question->call = call->id;
    question->next = way->questions;
    way->questions = question;
    add_waiting(way, question, connection);
    return PROXY_WAIT;
}

static enum proxy_verdict on_ask(void *argument, struct passage *connection,
                                 const struct proxy_question *asked, char **message)
{
    struct way *way = argument;
    struct call *command = command_of(way);
    if (command == NULL)
        return deny(N_("its command has ended"), message);
    struct reach *reach = reach_of(way->gate, asked);
    char *key = reach_key(reach);
    struct question *question = find_question(way, key);
    struct reach_answer known = {.known = false};
    if (question == NULL)
        orchestrator_known_reach(way->gate->orchestrator, command, reach, &known);
    if (question == NULL && !known.known)
        return open_question(way, reach, key, connection, message);
    enum proxy_verdict verdict = PROXY_ALLOW;
    if (question != NULL && question->call != 0) {
        verdict = PROXY_WAIT;
        add_waiting(way, question, connection);
    } else if (question != NULL || !known.allowed) {
        verdict = deny(question != NULL ? question->message : known.message, message);
    }
    free(known.message);
    free(key);
    reach_free(&reach);
    return verdict;
}

static void cancel_question(struct way *way, struct question *question, const char *why)
{
    struct orchestrator *orchestrator = way->gate->orchestrator;
    struct call *call = orchestrator_find_call(orchestrator, question->call);
    if (call != NULL)
        orchestrator_cancel(orchestrator, call, CANCELLED_BY_CLIENT, why);
    free_question(way, question);
}

static void on_withdrawn(void *argument, struct passage *connection)
{
    struct way *way = argument;
    for (struct question *question = way->questions; question != NULL; question = question->next)
        for (size_t i = 0; i < question->count; i++)
            if (question->waiting[i].connection == connection) {
                question->count--;
                memmove(&question->waiting[i], &question->waiting[i + 1],
                        (question->count - i) * sizeof(*question->waiting));
                tell_waiting(way, question);
                if (question->count == 0)
                    cancel_question(way, question,
                                    why_over(way, N_("the program stopped waiting")));
                return;
            }
}

/* A question is answered: whoever waits goes on, or is told why not. */
static void answer(struct way *way, struct question *question, const struct call *call)
{
    struct waiter *waiting = question->waiting;
    size_t count = question->count;
    bool allowed = review_kind_approves(call->decision.kind) && call->failure == NULL;
    char *message = NULL;
    question->waiting = NULL;
    question->count = 0;
    question->call = 0;
    if (call->failure != NULL || call->decision.message != NULL)
        question->message = xstrdup(call->failure != NULL ? call->failure : call->decision.message);
    if (!allowed)
        deny(question->message, &message);
    else
        free_question(way, question);
    for (size_t i = 0; i < count; i++)
        proxy_answer(waiting[i].connection, allowed, message);
    free(message);
    free(waiting);
}

/* ---- connections ----------------------------------------------------------------------------- */

static void on_ended(void *argument, const struct proxy_report *report)
{
    struct way *way = argument;
    struct call *command = command_of(way);
    char address[ADDRESS_TEXT_MAX];
    cleanup_free char *url = report->target != NULL ? target_url(report->target) : NULL;
    if (report->address != NULL)
        address_format(report->address, address);
    const struct reach_connection connection = {
        .url = url,
        .outcome = proxy_outcome_name(report->outcome),
        .detail = report->detail,
        .address = report->address != NULL ? address : NULL,
        .sent = report->sent,
        .received = report->received,
        .duration_ms = report->duration_ms,
    };
    if (command == NULL)
        return;
    if (report->outcome == PROXY_OTHER_NAME)
        orchestrator_notice(way->gate->orchestrator, NOTICE_ALARM,
                            "call %llu was cut off from %s: %s", (unsigned long long)way->command,
                            url, report->detail);
    orchestrator_tell_connection(way->gate->orchestrator, command, &connection);
}

static const struct proxy_events proxy_events = {on_ask, on_withdrawn, on_ended};

/* ---- commands -------------------------------------------------------------------------------- */

static void on_gateway_opened(void *argument, const struct call *call)
{
    struct gate *gate = argument;
    int listener = fcntl(call->gateway, F_DUPFD_CLOEXEC, 0);
    if (listener < 0 || fd_set_nonblock(listener, true) < 0) {
        log_warning("network", "call %llu has no way out: %s", (unsigned long long)call->id,
                    strerror(errno));
        fd_close(&listener); /* its connections are refused */
        return;
    }
    struct way *way = XNEW(struct way);
    way->gate = gate;
    way->command = call->id;
    const struct proxy_setup setup = {.loop = gate->loop,
                                      .resolver = gate->resolver,
                                      .hop = gate->hop,
                                      .listener = listener,
                                      .events = &proxy_events,
                                      .argument = way};
    way->proxy = proxy_new(&setup);
    way->next = gate->ways;
    gate->ways = way;
}

static void free_way(struct way **place)
{
    struct way *way = *place;
    *place = way->next;
    while (way->questions != NULL) {
        struct question *question = way->questions;
        question->count = 0; /* its connections end with the proxy */
        cancel_question(way, question, why_over(way, N_("its command has ended")));
    }
    proxy_free(&way->proxy);
    free(way);
}

static void on_attempt_ended(void *argument, const struct call *call, unsigned attempt)
{
    (void)attempt;
    struct gate *gate = argument;
    for (struct way **at = &gate->ways; *at != NULL; at = &(*at)->next)
        if ((*at)->command == call->id) {
            free_way(at);
            return;
        }
}

static void on_finished(void *argument, const struct call *call)
{
    const struct gate *gate = argument;
    if (call->reach == NULL)
        return;
    for (struct way *way = gate->ways; way != NULL; way = way->next)
        for (struct question *question = way->questions; question != NULL;
             question = question->next)
            if (question->call == call->id) {
                answer(way, question, call);
                return;
            }
}

static const struct observer observer = {
    .name = "network",
    .gateway_opened = on_gateway_opened,
    .attempt_ended = on_attempt_ended,
    .finished = on_finished,
};

/* ---- life ------------------------------------------------------------------------------------ */

struct gate *gate_new(struct loop *loop, struct orchestrator *orchestrator, struct next_hop *hop)
{
    struct gate *gate = XNEW(struct gate);
    gate->loop = loop;
    gate->orchestrator = orchestrator;
    gate->resolver = resolver_new(loop, NULL);
    gate->hop = hop;
    orchestrator_add_observer(orchestrator, &observer, gate);
    return gate;
}

void gate_free(struct gate **place)
{
    struct gate *gate = steal_pointer(place);
    if (gate == NULL)
        return;
    orchestrator_remove_observer(gate->orchestrator, gate);
    while (gate->ways != NULL)
        free_way(&gate->ways);
    resolver_free(&gate->resolver);
    next_hop_free(&gate->hop);
    free(gate);
}
