/* SPDX-License-Identifier: MIT */
/* sandbox_json: a sandbox policy as JSON, as --print-policy gives and --policy-json takes it. */
#ifndef ASSENT_SANDBOX_JSON_H
#define ASSENT_SANDBOX_JSON_H

#include <jansson.h>

#include "base/error.h"
#include "sandbox/policy.h"

/* {"mode": "workspace-write", "network": false, …, "entries": [{"access": "read", "path": "/"}, …],
 * "unix-sockets": […]}. Bytes that are no UTF-8 become U+FFFD: such a policy does not read back.
 * The caller owns it. */
json_t *sandbox_json_write(const struct sandbox_policy *policy);
/* The policy that an object of that form describes; keys may be left out, unknown ones are errors.
 * The caller frees. NULL with a message. */
struct sandbox_policy *sandbox_json_read(const json_t *object, struct error *error);

#endif
