/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/worker.h"

#include <malloc.h>

#include "base/fd.h"
#include "sandbox/namespaces.h"

/* Paths lie on it, one for each directory between / and something closed. */
#define STACK_SIZE ((size_t)512 * 1024)

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct confinement *confinement = &worker->confinement;
    if (worker->network)
        worker->socket = namespaces_new_network(&worker->network_error);
    while (sem_wait(&worker->read_only) < 0)
        continue;
    shut_find(confinement->policy, confinement->own, &worker->shut);
    confinement->shut = &worker->shut;
    confine_begin(confinement, &worker->rules, &worker->error);
    return NULL;
}

int worker_start(struct worker *worker, struct error *error)
{
    pthread_attr_t attributes;
    worker->socket = worker->rules.fd = -1;
#ifdef M_ARENA_MAX /* to make a second one costs more than to wait for the first */
    mallopt(M_ARENA_MAX, 1);
#endif
    sem_init(&worker->read_only, 0, 0);
    int number = pthread_attr_init(&attributes);
    if (number == 0)
        number = pthread_attr_setstacksize(&attributes, STACK_SIZE);
    if (number == 0)
        number = pthread_create(&worker->thread, &attributes, work, worker);
    return number != 0 ? error_set(error, number, "thread") : 0;
}

int worker_finish(struct worker *worker, struct error *error)
{
    int number = pthread_join(worker->thread, NULL);
    if (number != 0)
        return error_set(error, number, "thread");
    shut_free(&worker->shut);
    if (!worker->network)
        return 0;
    cleanup_fd int socket = worker->socket;
    if (socket >= 0)
        return namespaces_join_network(socket, error);
    *error = worker->network_error;
    return -1;
}
