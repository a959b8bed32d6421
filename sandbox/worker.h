/* SPDX-License-Identifier: MIT */
/*
 * worker: a thread of the monitor that does what the mounts need not wait for, while they are made:
 * the network namespace, which takes the kernel longest of all, and Landlock's rules for reading
 * everything, one for each name beside something closed.
 */
#ifndef ASSENT_SANDBOX_WORKER_H
#define ASSENT_SANDBOX_WORKER_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

#include "base/error.h"
#include "sandbox/confine.h"
#include "sandbox/landlock.h"
#include "sandbox/shut.h"

struct worker {
    bool network;                   /* to be set: is a network namespace to be made? */
    struct confinement confinement; /* to be set, but for `shut` and `rules` */
    struct landlock rules;          /* begun; what depends on the mounts is still to be added */
    struct error error;             /* of the rules; no message: none */
    sem_t read_only;                /* to be posted once it may look for names (view.h says why) */
    /* the thread's own */
    pthread_t thread;
    int socket; /* in the network namespace; -1 without one */
    struct shut shut;
    struct error network_error;
};

/* Starts it: in the user namespace, after its user is mapped, with all signals blocked. Of
 * `worker` nothing else is to be touched until worker_finish(). -1 when there is no thread. */
int worker_start(struct worker *worker, struct error *error);

/* Waits for it, after read_only, and enters the network namespace. -1 when there is none; that the
 * rules have failed is said by worker->error. */
int worker_finish(struct worker *worker, struct error *error);

#endif
