/* SPDX-License-Identifier: MIT */
/*
 * reach: a running command wants to reach a host. Such a request is a call of its own
 * (CALL_NETWORK) that runs nothing: it ends with the decision, and whoever asked lets the
 * connections go on or turns them away.
 *
 * Host, protocol and port are exactly what is asked about and granted.
 */
#ifndef ASSENT_APPROVAL_REACH_H
#define ASSENT_APPROVAL_REACH_H

#include <stdbool.h>
#include <stdint.h>

#include "approval/policy.h"
#include "base/i18n.h"
#include "command/rules.h"
#include "risk/assessment.h"

/* The word in front of the URL in what is asked, granted and recorded; no such program is run. */
#define REACH_WORD "network-access"
/* Why one ends that nobody answers any more. */
#define REACH_COMMAND_STOPPED N_("its command was stopped by the operator")

struct reach {
    char *host;      /* in its one form: small letters, A-labels; printable ASCII */
    char *readable;  /* as people write it, when that is another; untrusted; else NULL */
    bool look_alike; /* `readable` has letters that look like others */
    bool own_name;   /* the host is an address, or a name of this machine: a rule or grant for it
                        is one for what it leads to */
    const char *protocol; /* "http", "https", "socks5-tcp"; static */
    uint16_t port;
    const char
        *special;       /* what it leads to when that is not the public Internet, or NULL; static */
    char *addresses;    /* "192.168.0.1, 192.168.0.2", where they are known, or NULL */
    const char *known;  /* what the host is known as: static, untranslated (N_), or NULL */
    char *via;          /* the proxy that it goes out through, "proxy.example:3128"; or NULL */
    uint64_t command;   /* the call that wants it */
    char *command_line; /* its command; untrusted, not escaped */
    bool sends;         /* that sends data away, as far as it was understood */
    unsigned waiting;   /* connections that wait for the answer; may change while it is asked */
    unsigned older;     /* of them, those that came well before the last: the program may have given
                           them up for it, and does not close them */
    char *unreached;    /* it was allowed, and the last connection to it did not come about: what
                           failed; untrusted; else NULL */
};

/* An earlier answer to a question about a host lets a command reach it without another. */
struct reach_cover {
    char *url;
    uint64_t by; /* the call that it was the answer to */
};

/* A host that a command was let out to and could not be reached. */
struct reach_failure {
    char *url;
    char *why; /* untrusted */
};

/* A connection of a command, once it has ended. */
struct reach_connection {
    const char *url;     /* where to, or NULL when it never said */
    const char *outcome; /* "passed", "denied", "failed", "other_name", "withdrawn" */
    const char *detail;  /* what failed, or the other name; untrusted; "" when there is nothing */
    const char *address; /* connected to, or NULL */
    uint64_t sent, received; /* bytes */
    int64_t duration_ms;
    uint64_t covered_by; /* the call whose answer let it pass unasked, 0: none; filled in by
                            orchestrator_tell_connection() */
    uint64_t allowed_by; /* the call by which the operator was asked for it, and allowed it, 0:
                            none; filled in by the same */
};

void reach_free(struct reach **reach);
void reach_failure_clear(struct reach_failure *failure);
/* To the same place, for the same command, beside host, protocol and port? Both may be NULL. */
bool reach_same(const struct reach *one, const struct reach *other);
/* "https://example.org:443"; the caller frees. */
char *reach_url(const struct reach *reach);
/* The approval key, canonical JSON; with the addresses where they are part of what is asked. The
 * caller frees. */
char *reach_key(const struct reach *reach);
/* The same of what was granted to that command alone. The caller frees. */
char *reach_key_within(const struct reach *reach, uint64_t command);
/* What rules (an array that ends in NULL, whose entries may not be NULL) and the approval policy
 * say of it. Nobody is asked under a policy that never asks. */
void reach_require(const struct reach *reach, const struct turn_context *context,
                   const struct rules *const *rules, struct approval_requirement *requirement);
/* The rule that allows it in this workspace (NULL: in any), as a line of a rule file; the caller
 * frees. */
char *reach_rule(const struct reach *reach, const char *project, const char *project_id);
void reach_assess(const struct reach *reach, struct assessment *assessment);

#endif
