/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/resolver.h"

#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>

#include "base/alloc.h"

/* Lookups at a time; more wait for one of them. */
#define THREADS_MAX 8

struct resolver_query {
    struct resolver_query *next;
    char host[HOST_MAX + 1];
    void (*callback)(void *argument, const struct resolver_answer *answer);
    void *argument;
    bool cancelled;
    struct resolver_answer answer;
};

struct queue {
    struct resolver_query *first, *last;
};

/* What threads and loop share; freed by whoever leaves last. */
struct resolver {
    pthread_mutex_t lock;
    struct loop *loop; /* NULL once nobody waits any more */
    struct loop_turn *turn;
    resolver_lookup lookup;
    struct queue waiting, answered;
    unsigned threads;
};

static void push(struct queue *queue, struct resolver_query *query)
{
    query->next = NULL;
    if (queue->last != NULL)
        queue->last->next = query;
    else
        queue->first = query;
    queue->last = query;
}

static struct resolver_query *pop(struct queue *queue)
{
    struct resolver_query *query = queue->first;
    if (query != NULL) {
        queue->first = query->next;
        if (queue->first == NULL)
            queue->last = NULL;
    }
    return query;
}

static void look_up(const char *host, struct resolver_answer *answer)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    int result = getaddrinfo(host, NULL, &hints, &list);
    for (const struct addrinfo *at = result == 0 ? list : NULL;
         at != NULL && answer->count < RESOLVER_ADDRESSES_MAX; at = at->ai_next)
        answer->count += address_from_sockaddr(at->ai_addr, &answer->addresses[answer->count]);
    if (result == 0)
        freeaddrinfo(list);
    else
        answer->failure = gai_strerror(result); /* glibc: a string constant */
}

static void destroy(struct resolver *resolver)
{
    struct resolver_query *query;
    while ((query = pop(&resolver->waiting)) != NULL || (query = pop(&resolver->answered)) != NULL)
        free(query);
    pthread_mutex_destroy(&resolver->lock);
    free(resolver);
}

/* A thread: answers what waits, and ends when nothing does. */
static void *work(void *argument)
{
    struct resolver *resolver = argument;
    struct resolver_query *query;
    pthread_mutex_lock(&resolver->lock);
    while (resolver->loop != NULL && (query = pop(&resolver->waiting)) != NULL) {
        pthread_mutex_unlock(&resolver->lock);
        resolver->lookup(query->host, &query->answer);
        if (query->answer.count == 0 && query->answer.failure == NULL)
            query->answer.failure = "it has no address";
        pthread_mutex_lock(&resolver->lock);
        push(&resolver->answered, query);
        if (resolver->loop != NULL)
            loop_wake(resolver->loop);
    }
    bool last = --resolver->threads == 0 && resolver->loop == NULL;
    pthread_mutex_unlock(&resolver->lock);
    if (last)
        destroy(resolver);
    return NULL;
}

static void turn(void *argument)
{
    struct resolver *resolver = argument;
    for (;;) {
        pthread_mutex_lock(&resolver->lock);
        struct resolver_query *query = pop(&resolver->answered);
        pthread_mutex_unlock(&resolver->lock);
        if (query == NULL)
            return;
        if (!query->cancelled)
            query->callback(query->argument, &query->answer);
        free(query);
    }
}

struct resolver *resolver_new(struct loop *loop, resolver_lookup lookup)
{
    struct resolver *resolver = XNEW(struct resolver);
    pthread_mutex_init(&resolver->lock, NULL);
    resolver->loop = loop;
    resolver->lookup = lookup != NULL ? lookup : look_up;
    resolver->turn = loop_on_turn(loop, turn, resolver);
    return resolver;
}

void resolver_free(struct resolver **place)
{
    struct resolver *resolver = steal_pointer(place);
    if (resolver == NULL)
        return;
    loop_turn_free(&resolver->turn);
    pthread_mutex_lock(&resolver->lock);
    resolver->loop = NULL;
    bool last = resolver->threads == 0;
    pthread_mutex_unlock(&resolver->lock);
    if (last)
        destroy(resolver);
}

/* Signals are the loop's business: none is delivered to a thread of ours. */
static bool start_thread(struct resolver *resolver)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_t thread;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int result = pthread_create(&thread, &attributes, work, resolver);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return result == 0;
}

struct resolver_query *resolver_start(struct resolver *resolver, const char *host,
                                      void (*callback)(void *argument,
                                                       const struct resolver_answer *answer),
                                      void *argument)
{
    struct resolver_query *query = XNEW(struct resolver_query);
    strncpy(query->host, host, HOST_MAX);
    query->callback = callback;
    query->argument = argument;
    pthread_mutex_lock(&resolver->lock);
    if (resolver->threads < THREADS_MAX && start_thread(resolver))
        resolver->threads++;
    if (resolver->threads > 0) {
        push(&resolver->waiting, query);
    } else {
        query->answer.failure = "no thread could be started to look it up";
        push(&resolver->answered, query);
        loop_wake(resolver->loop);
    }
    pthread_mutex_unlock(&resolver->lock);
    return query;
}

void resolver_cancel(struct resolver_query **query)
{
    if (*query != NULL)
        (*query)->cancelled = true;
    *query = NULL;
}
