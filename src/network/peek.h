/* SPDX-License-Identifier: MIT */
/* peek: the first bytes that a client sends through a tunnel, which must not be for another host
 * than the one that was granted. */
#ifndef ASSENT_NETWORK_PEEK_H
#define ASSENT_NETWORK_PEEK_H

#include <stddef.h>

#include "network/target.h"
#include "network/tunnel.h"

#define PEEK_DETAIL_SIZE 300

/* Looks at what has come so far: the name in TLS, the Host of a plain request. TUNNEL_HOLD,
 * TUNNEL_PASS_ALL, or TUNNEL_REFUSE with what it names instead in `detail`. */
enum tunnel_word peek_tunnel(const struct network_target *target, const char *bytes, size_t length,
                             char detail[PEEK_DETAIL_SIZE]);

#endif
