/* SPDX-License-Identifier: MIT */
/* known: what well-known hosts are, so that the operator need not guess. A hint only: nothing is
 * granted for it. */
#ifndef ASSENT_NETWORK_KNOWN_H
#define ASSENT_NETWORK_KNOWN_H

/* Of a host in its one form: static words, untranslated (N_), or NULL. */
const char *known_host(const char *name);

#endif
