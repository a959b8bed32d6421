/* SPDX-License-Identifier: MIT */
/*
 * pair: pairs of datagram sockets for the command.
 *
 * One end of a real pair could send to any socket file by naming it in sendmsg(2), which nobody
 * can look into in time. Sequenced packets keep the bounds of messages as datagrams do, and the
 * kernel ignores an address given with them: so the monitor makes such a pair and hands it over.
 */
#ifndef ASSENT_SANDBOX_PAIR_H
#define ASSENT_SANDBOX_PAIR_H

#include <linux/seccomp.h>

/* Carries out an announced socketpair(2): 0, or -errno for the caller. `announced` is the filter's
 * descriptor. */
int pair_make(int announced, const struct seccomp_notif *call);

#endif
