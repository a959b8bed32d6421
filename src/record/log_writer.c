/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_writer.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"

struct waiter {
    uint64_t line; /* waits until this many lines are on disk */
    void (*done)(void *argument, int result);
    void *argument;
};

struct log_writer {
    /* Of the loop alone. */
    struct loop *loop;
    struct loop_turn *turn;
    struct waiter *waiters; /* in order of arrival, so also of `line` */
    size_t waiter_count;
    size_t waiter_room;
    void (*failed)(void *argument, int number);
    void *failed_argument;

    /* Of the thread alone. */
    int fd;
    off_t whole; /* length of the file up to its last whole line; -1 when it cannot be cut */

    pthread_t thread;
    pthread_mutex_t mutex; /* for what follows */
    pthread_cond_t work;
    struct strbuf queue;
    uint64_t lines_put;
    uint64_t lines_wanted; /* somebody waits for these to be on disk */
    uint64_t lines_synced;
    int status; /* 0 or -errno of the first failure */
    bool closing;
};

/* Writes a batch of whole lines and, when asked to, syncs. 0 or -errno. */
static int store_batch(struct log_writer *writer, const struct strbuf *batch, bool sync)
{
    int result = fd_write_all(writer->fd, batch->data, batch->length);
    if (result == 0 && sync && fdatasync(writer->fd) < 0)
        result = -errno;
    if (result == 0 && writer->whole >= 0)
        writer->whole += (off_t)batch->length;
    if (result < 0 && writer->whole >= 0 && ftruncate(writer->fd, writer->whole) < 0)
        writer->whole = -1;
    return result;
}

/* Waits for something to do. False when the record is over. Called with the mutex held. */
static bool wait_for_work(struct log_writer *writer)
{
    while (!writer->closing && writer->queue.length == 0 &&
           writer->lines_wanted <= writer->lines_synced)
        pthread_cond_wait(&writer->work, &writer->mutex);
    return writer->status == 0 && (writer->queue.length > 0 || !writer->closing);
}

static void *run_thread(void *argument)
{
    struct log_writer *writer = argument;
    struct strbuf batch = STRBUF_INIT;
    pthread_mutex_lock(&writer->mutex);
    while (wait_for_work(writer)) {
        struct strbuf empty = batch;
        batch = writer->queue;
        writer->queue = empty;
        uint64_t lines = writer->lines_put;
        bool sync = writer->closing || writer->lines_wanted > writer->lines_synced;
        pthread_mutex_unlock(&writer->mutex);

        int result = store_batch(writer, &batch, sync);
        strbuf_reset(&batch);

        pthread_mutex_lock(&writer->mutex);
        if (result < 0 && writer->status == 0)
            writer->status = result;
        if (result == 0 && sync)
            writer->lines_synced = lines;
        if (result < 0 || sync)
            loop_wake(writer->loop);
    }
    pthread_mutex_unlock(&writer->mutex);
    strbuf_free(&batch);
    return NULL;
}

static void tell_waiters(struct log_writer *writer, uint64_t synced, int status)
{
    size_t ready = 0;
    while (ready < writer->waiter_count && (status < 0 || writer->waiters[ready].line <= synced))
        ready++;
    if (ready == 0)
        return;
    /* Taken out first: a waiter may wait again from inside its call. */
    struct waiter *told = xmemdup(writer->waiters, ready * sizeof(*told));
    writer->waiter_count -= ready;
    memmove(writer->waiters, writer->waiters + ready, writer->waiter_count * sizeof(*told));
    for (size_t i = 0; i < ready; i++)
        told[i].done(told[i].argument, told[i].line <= synced ? 0 : status);
    free(told);
}

static void take_turn(void *argument)
{
    struct log_writer *writer = argument;
    pthread_mutex_lock(&writer->mutex);
    uint64_t synced = writer->lines_synced;
    int status = writer->status;
    pthread_mutex_unlock(&writer->mutex);
    if (status < 0 && writer->failed != NULL) {
        void (*failed)(void *, int) = writer->failed;
        writer->failed = NULL;
        failed(writer->failed_argument, -status);
    }
    tell_waiters(writer, synced, status);
}

/* The thread takes no signals: they are the loop's. */
static int start_thread(struct log_writer *writer)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int result = pthread_create(&writer->thread, NULL, run_thread, writer);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

struct log_writer *log_writer_new(struct loop *loop, int fd, struct error *error)
{
    struct log_writer *writer = XNEW(struct log_writer);
    writer->loop = loop;
    writer->fd = fd;
    struct stat status;
    bool regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    writer->whole = regular ? status.st_size : -1;
    pthread_mutex_init(&writer->mutex, NULL);
    pthread_cond_init(&writer->work, NULL);
    int result = start_thread(writer);
    if (result != 0) {
        error_errno(error, result, "cannot start the thread that writes the session log");
        fd_close(&writer->fd);
        free(writer);
        return NULL;
    }
    writer->turn = loop_on_turn(loop, take_turn, writer);
    return writer;
}

void log_writer_free(struct log_writer **place)
{
    struct log_writer *writer = *place;
    if (writer == NULL)
        return;
    pthread_mutex_lock(&writer->mutex);
    writer->closing = true;
    pthread_cond_signal(&writer->work);
    pthread_mutex_unlock(&writer->mutex);
    pthread_join(writer->thread, NULL);
    loop_turn_free(&writer->turn);
    pthread_cond_destroy(&writer->work);
    pthread_mutex_destroy(&writer->mutex);
    fd_close(&writer->fd);
    strbuf_free(&writer->queue);
    free(writer->waiters);
    free(writer);
    *place = NULL;
}

void log_writer_put(struct log_writer *writer, const char *line, size_t length)
{
    pthread_mutex_lock(&writer->mutex);
    if (writer->status == 0 && writer->queue.length + length >= LOG_WRITER_QUEUE_MAX) {
        writer->status = -ENOBUFS;
        loop_wake(writer->loop);
    }
    if (writer->status == 0) {
        strbuf_add(&writer->queue, line, length);
        strbuf_addch(&writer->queue, '\n');
        writer->lines_put++;
        pthread_cond_signal(&writer->work);
    }
    pthread_mutex_unlock(&writer->mutex);
}

static void add_waiter(struct log_writer *writer, const struct waiter *waiter)
{
    if (writer->waiter_count == writer->waiter_room) {
        writer->waiter_room = writer->waiter_room == 0 ? 16 : writer->waiter_room * 2;
        writer->waiters =
            xreallocarray(writer->waiters, writer->waiter_room, sizeof(*writer->waiters));
    }
    writer->waiters[writer->waiter_count++] = *waiter;
}

void log_writer_sync(struct log_writer *writer, void (*done)(void *argument, int result),
                     void *argument)
{
    struct waiter waiter = {.done = done, .argument = argument};
    pthread_mutex_lock(&writer->mutex);
    waiter.line = writer->lines_put;
    bool ready = writer->status < 0 || writer->lines_synced >= waiter.line;
    if (!ready) {
        writer->lines_wanted = waiter.line;
        pthread_cond_signal(&writer->work);
    }
    pthread_mutex_unlock(&writer->mutex);
    add_waiter(writer, &waiter);
    if (ready)
        loop_wake(writer->loop);
}

void log_writer_on_failure(struct log_writer *writer, void (*failed)(void *argument, int number),
                           void *argument)
{
    writer->failed = failed;
    writer->failed_argument = argument;
    loop_wake(writer->loop);
}

int log_writer_status(const struct log_writer *writer)
{
    /* The mutex is the writer's own; a reader changes nothing that others see. */
    struct log_writer *locked = (struct log_writer *)writer;
    pthread_mutex_lock(&locked->mutex);
    int status = locked->status;
    pthread_mutex_unlock(&locked->mutex);
    return status;
}
