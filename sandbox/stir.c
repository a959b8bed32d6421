/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/stir.h"

#include <stdint.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/fd.h"

/* Half of what older kernels let a user have. */
enum { WATCHES_MAX = 4096 };

void stir_open(struct stir *stir)
{
    *stir = (struct stir){.fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK), .left = WATCHES_MAX};
}

void stir_add(struct stir *stir, const char *directory, bool written)
{
    if (stir->fd < 0 || stir->left == 0)
        return;
    int watch = inotify_add_watch(stir->fd, directory,
                                  IN_CREATE | IN_MOVE | (written ? IN_MODIFY : 0u) | IN_ONLYDIR |
                                      IN_DONT_FOLLOW | IN_MASK_ADD);
    if (watch <= stir->last) /* it failed, or was there */
        return;
    stir->last = watch;
    stir->left--;
}

bool stir_take(struct stir *stir)
{
    char events[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    bool moved = false;
    for (ssize_t got; stir->fd >= 0 && (got = read(stir->fd, events, sizeof events)) > 0;)
        for (char *at = events; at < events + got;) {
            const struct inotify_event *event = (void *)at;
            bool gone = event->mask & IN_IGNORED;
            stir->left += gone;
            moved = moved || gone || (event->mask & IN_Q_OVERFLOW) ||
                    ((event->mask & IN_ISDIR) && (event->mask & IN_MOVED_FROM));
            at += sizeof *event + event->len;
        }
    return moved;
}

void stir_close(struct stir *stir)
{
    fd_close(&stir->fd);
}
