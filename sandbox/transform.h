/* SPDX-License-Identifier: MIT */
/*
 * transform: from a command spec to what is really spawned. Pure but for the look whether the
 * helper exists.
 */
#ifndef ASSENT_SANDBOX_TRANSFORM_H
#define ASSENT_SANDBOX_TRANSFORM_H

#include "base/error.h"
#include "sandbox/command.h"
#include "sandbox/policy.h"

struct transform_context {
    const struct sandbox_policy *policy; /* of this attempt, additional permissions included;
                                            copied into the request */
    enum sandbox_type type;              /* from select_type(); NONE runs it unconfined */
    const char *helper;  /* path of assent-sandbox (Linux): install_find_program() looks beside
            the running program, then in libexec, never on PATH */
    const char *program; /* file that argv[0] was resolved to when it was judged; the helper
                            executes this one. NULL: argv[0] on the command's own PATH */
    const char *const *base_environment;    /* NAME=VALUE, NULL-terminated; may be NULL */
    const char *const *gateway_environment; /* of gateway_own_variables(), or NULL */
    const char *seatbelt_extensions;        /* text appended to a Seatbelt profile, or NULL */
    int proxy_port;                         /* Seatbelt: loopback port left open, 0 for none */
};

/*
 * The environment is the base, then what the call supplies, then ours (a later one of a name
 * wins): ASSENT_SANDBOX=linux|seatbelt when confined; ASSENT_SANDBOX_NETWORK_DISABLED=1 exactly
 * when the policy closes the network (also for external-sandbox, where it only tells), and does not
 * ask for hosts (then gateway.h's variables come before what the call supplies); the
 * CODEX_SANDBOX… twins of both, because existing test suites look for those; TMPDIR and the
 * tools' cache variables where the policy redirects them.
 *
 * Caller frees with exec_request_free(). NULL with a message when the helper is missing (naming
 * the path looked at) or the policy does not fit the type.
 */
struct exec_request *transform_command(const struct command_spec *spec,
                                       const struct transform_context *context,
                                       struct error *error);

#endif
