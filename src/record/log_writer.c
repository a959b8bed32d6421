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
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"

struct waiter {
    uint64_t line;     /* waits until this many lines are on disk */
    uint64_t failures; /* how often writing had failed when it began to wait */
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
    void (*changed)(void *argument, int number);
    void *changed_argument;
    int told; /* the status that was told last */

    /* Of the thread alone. */
    int fd;
    off_t whole; /* length of the file up to its last whole line; -1 when it cannot be cut */
    struct strbuf batch; /* is being written, and kept while it cannot be */
    struct log_anchor *anchor;
    struct timespec sync_due; /* for what nobody waits for */

    pthread_t thread;
    pthread_mutex_t mutex; /* for what follows */
    pthread_cond_t work;
    struct strbuf queue;
    size_t kept; /* bytes that wait in the batch */
    uint64_t lines_put;
    unsigned char hash_put[SHA256_SIZE]; /* of the last of them */
    uint64_t lines_stored;               /* written, perhaps not synced */
    uint64_t lines_wanted;               /* somebody waits for these to be on disk */
    uint64_t lines_synced;
    uint64_t failures; /* writes that failed */
    int status;        /* 0, or -errno as long as nothing can be written */
    bool retry;        /* there is a reason to try again */
    bool lost;         /* what was written before is not certain: there is no going on */
    bool closing;
};

/* Room can come back; what a broken disk or pipe has swallowed does not. */
static bool is_lack_of_room(int result)
{
    return result == -ENOSPC || result == -EDQUOT || result == -EFBIG;
}

/* Writes the batch, all of it or none. 0 or -errno. */
static int write_batch(struct log_writer *writer, bool *lost)
{
    int result = fd_write_all(writer->fd, writer->batch.data, writer->batch.length);
    if (result < 0) {
        bool cut = writer->whole >= 0 && ftruncate(writer->fd, writer->whole) == 0;
        *lost = !cut || !is_lack_of_room(result);
        return result;
    }
    if (writer->whole >= 0)
        writer->whole += (off_t)writer->batch.length;
    strbuf_reset(&writer->batch);
    return 0;
}

/* Brings what was written to the disk, then anchors it, never the other way round: the anchor must
 * not name lines that a power failure can take. 0 or -errno. */
static int sync_lines(struct log_writer *writer, const struct log_head *head, bool *lost)
{
    if (fdatasync(writer->fd) < 0) {
        *lost = true; /* of earlier lines, too */
        return -errno;
    }
    int result = writer->anchor != NULL ? log_anchor_write(writer->anchor, head, false) : 0;
    *lost = result < 0 && !is_lack_of_room(result);
    return result;
}

static bool has_work(const struct log_writer *writer)
{
    uint64_t wanted = writer->closing ? writer->lines_put : writer->lines_wanted;
    return writer->queue.length > 0 || writer->kept > 0 || wanted > writer->lines_synced;
}

/* Lines are written and not synced, and there is nothing else to do. */
static void wait_till_idle(struct log_writer *writer)
{
    int result = pthread_cond_timedwait(&writer->work, &writer->mutex, &writer->sync_due);
    if (result == ETIMEDOUT)
        writer->lines_wanted = writer->lines_stored;
}

/* Waits for something to do. False when the record is over. Called with the mutex held. */
static bool wait_for_work(struct log_writer *writer)
{
    for (;;) {
        bool open = writer->status == 0 || writer->retry;
        if (open && !writer->lost && has_work(writer))
            return true;
        if (writer->closing)
            return false;
        if (writer->status == 0 && writer->lines_stored > writer->lines_synced)
            wait_till_idle(writer);
        else
            pthread_cond_wait(&writer->work, &writer->mutex);
    }
}

static void set_sync_due(struct log_writer *writer)
{
    clock_gettime(CLOCK_MONOTONIC, &writer->sync_due);
    writer->sync_due.tv_sec += LOG_WRITER_IDLE_MS / 1000;
}

static void take_queue(struct log_writer *writer)
{
    strbuf_add(&writer->batch, writer->queue.data, writer->queue.length);
    strbuf_reset(&writer->queue);
    writer->kept = writer->batch.length;
    writer->retry = false;
}

static void note_result(struct log_writer *writer, int result, bool lost)
{
    writer->status = result;
    writer->lost = lost;
    writer->kept = writer->batch.length;
    if (result < 0)
        writer->failures++;
}

static void *run_thread(void *argument)
{
    struct log_writer *writer = argument;
    pthread_mutex_lock(&writer->mutex);
    while (wait_for_work(writer)) {
        take_queue(writer);
        struct log_head head = {.lines = writer->lines_put};
        memcpy(head.hash, writer->hash_put, sizeof(head.hash));
        bool sync =
            writer->closing || writer->lines_wanted > writer->lines_synced || writer->status < 0;
        bool first = writer->lines_stored == writer->lines_synced;
        bool lost = false;
        pthread_mutex_unlock(&writer->mutex);

        int result = write_batch(writer, &lost);
        if (result == 0 && sync)
            result = sync_lines(writer, &head, &lost);
        else if (first)
            set_sync_due(writer);

        pthread_mutex_lock(&writer->mutex);
        note_result(writer, result, lost);
        if (result == 0)
            writer->lines_stored = head.lines;
        if (result == 0 && sync)
            writer->lines_synced = head.lines;
        if (result < 0 || sync)
            loop_wake(writer->loop);
    }
    pthread_mutex_unlock(&writer->mutex);
    return NULL;
}

/* What the thread has reached, as the loop sees it. */
struct reached {
    uint64_t synced, failures;
    int status;
    bool lost;
};

static bool is_answered(const struct waiter *waiter, const struct reached *reached)
{
    return waiter->line <= reached->synced || reached->lost ||
           (reached->status < 0 && waiter->failures < reached->failures);
}

static void tell_waiters(struct log_writer *writer, const struct reached *reached)
{
    size_t ready = 0;
    while (ready < writer->waiter_count && is_answered(&writer->waiters[ready], reached))
        ready++;
    if (ready == 0)
        return;
    /* Taken out first: a waiter may wait again from inside its call. */
    struct waiter *told = xmemdup(writer->waiters, ready * sizeof(*told));
    writer->waiter_count -= ready;
    memmove(writer->waiters, writer->waiters + ready, writer->waiter_count * sizeof(*told));
    for (size_t i = 0; i < ready; i++)
        told[i].done(told[i].argument, told[i].line <= reached->synced ? 0 : reached->status);
    free(told);
}

static void take_turn(void *argument)
{
    struct log_writer *writer = argument;
    pthread_mutex_lock(&writer->mutex);
    struct reached reached = {.synced = writer->lines_synced,
                              .failures = writer->failures,
                              .status = writer->status,
                              .lost = writer->lost};
    pthread_mutex_unlock(&writer->mutex);
    if (reached.status != writer->told && writer->changed != NULL) {
        writer->told = reached.status;
        writer->changed(writer->changed_argument, -reached.status);
    }
    tell_waiters(writer, &reached);
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

/* The clock of sync_due is one that nobody sets. */
static void make_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

struct log_writer *log_writer_new(struct loop *loop, int fd, struct log_anchor *anchor,
                                  struct error *error)
{
    struct log_writer *writer = XNEW(struct log_writer);
    writer->loop = loop;
    writer->fd = fd;
    writer->anchor = anchor;
    struct stat status;
    bool regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    writer->whole = regular ? status.st_size : -1;
    pthread_mutex_init(&writer->mutex, NULL);
    make_condition(&writer->work);
    int result = start_thread(writer);
    if (result != 0) {
        error_errno(error, result, "cannot start the thread that writes the session log");
        fd_close(&writer->fd);
        log_anchor_free(&writer->anchor);
        free(writer);
        return NULL;
    }
    writer->turn = loop_on_turn(loop, take_turn, writer);
    return writer;
}

/* The thread has ended. */
static bool anchor_end(struct log_writer *writer)
{
    struct log_head head = {.lines = writer->lines_put, .closed = true};
    memcpy(head.hash, writer->hash_put, sizeof(head.hash));
    if (writer->lost || writer->status < 0 || writer->lines_synced < writer->lines_put)
        return false;
    return writer->anchor == NULL || log_anchor_write(writer->anchor, &head, true) == 0;
}

bool log_writer_free(struct log_writer **place)
{
    struct log_writer *writer = *place;
    if (writer == NULL)
        return false;
    pthread_mutex_lock(&writer->mutex);
    writer->closing = true;
    writer->retry = true;
    pthread_cond_signal(&writer->work);
    pthread_mutex_unlock(&writer->mutex);
    pthread_join(writer->thread, NULL);
    bool whole = anchor_end(writer);
    loop_turn_free(&writer->turn);
    pthread_cond_destroy(&writer->work);
    pthread_mutex_destroy(&writer->mutex);
    fd_close(&writer->fd);
    log_anchor_free(&writer->anchor);
    strbuf_free(&writer->queue);
    strbuf_free(&writer->batch);
    free(writer->waiters);
    free(writer);
    *place = NULL;
    return whole;
}

void log_writer_put(struct log_writer *writer, const char *line, size_t length,
                    const unsigned char hash[SHA256_SIZE])
{
    pthread_mutex_lock(&writer->mutex);
    if (!writer->lost && writer->queue.length + writer->kept + length >= LOG_WRITER_QUEUE_MAX) {
        writer->status = -ENOBUFS;
        writer->lost = true;
        loop_wake(writer->loop);
    }
    if (!writer->lost) {
        strbuf_add(&writer->queue, line, length);
        strbuf_addch(&writer->queue, '\n');
        writer->lines_put++;
        memcpy(writer->hash_put, hash, SHA256_SIZE);
        writer->retry = true;
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
    waiter.failures = writer->failures;
    bool ready = writer->lost || writer->lines_synced >= waiter.line;
    if (!ready) {
        writer->lines_wanted = waiter.line;
        writer->retry = true;
        pthread_cond_signal(&writer->work);
    }
    pthread_mutex_unlock(&writer->mutex);
    add_waiter(writer, &waiter);
    if (ready)
        loop_wake(writer->loop);
}

void log_writer_on_change(struct log_writer *writer, void (*changed)(void *argument, int number),
                          void *argument)
{
    writer->changed = changed;
    writer->changed_argument = argument;
    loop_wake(writer->loop);
}
