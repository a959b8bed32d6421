/* SPDX-License-Identifier: MIT */
/* hop_setup: the proxy that connections go out through, as the options say. */
#ifndef ASSENT_HOP_SETUP_H
#define ASSENT_HOP_SETUP_H

#include "base/error.h"
#include "config/options.h"
#include "network/next_hop.h"

/* NULL when there is none, and, with a message, when the one of the configuration cannot be used.
 * One of the environment that cannot be used is left aside; *warning says so, and is freed by the
 * caller. */
struct next_hop *hop_setup(const struct options *options, char **warning, struct error *error);

#endif
