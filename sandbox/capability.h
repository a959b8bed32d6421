/* SPDX-License-Identifier: MIT */
/* capability: root's powers in pieces (capabilities(7)), and giving them up. */
#ifndef ASSENT_SANDBOX_CAPABILITY_H
#define ASSENT_SANDBOX_CAPABILITY_H

/* Drops every capability of the calling thread, from all sets and the bounding set, so that no
 * program executed later gets one either. 0 or -errno. */
int capability_drop_all(void);

#endif
