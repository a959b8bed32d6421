/* SPDX-License-Identifier: MIT */
/* reply: what a client is told that is not connected. */
#ifndef ASSENT_NETWORK_REPLY_H
#define ASSENT_NETWORK_REPLY_H

#include <stdbool.h>

#include "network/socks.h"

/* An answer with `text` as its body, after which the connection ends; the caller frees. */
char *reply_http(int status, const char *text);
/* For a connection that was denied, or failed with this errno value (0: for another reason). */
enum socks_reply reply_socks(bool denied, int number);

#endif
