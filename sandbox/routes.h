/* SPDX-License-Identifier: MIT */
/* routes: did anybody in this network namespace try to send where no route leads? */
#ifndef ASSENT_SANDBOX_ROUTES_H
#define ASSENT_SANDBOX_ROUTES_H

/* Packets and connections that found no route since the namespace was made, IPv4 and IPv6
 * together: the kernel's counters OutNoRoutes and Ip6OutNoRoutes. 0 when they can not be read. */
unsigned long routes_missed(void);

#endif
