/* SPDX-License-Identifier: MIT */
/* stopped: of a command that ended well nobody is asked, and a part of it may have failed all the
 * same: `git push 2>&1 | tail`, `git push || true`, `cp x ~/y; ls`. */
#include "config.h"

#include <limits.h>
#include <stdlib.h>

#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/path.h"
#include "command/shell.h"
#include "risk/push_line.h"

static bool may_not_write(const struct sandbox_policy *policy, const char *path)
{
    return policy != NULL && sandbox_policy_access_at(policy, path) != POLICY_ACCESS_WRITE;
}

static bool ended_well_inside(const struct denial_evidence *evidence)
{
    return evidence->type != SANDBOX_TYPE_NONE && evidence->exit_code == 0 &&
           evidence->signal == 0 && !evidence->timed_out;
}

/* As last fetched, what is there is what it sends. */
static bool had_nothing_to_send(const struct push_seen *seen)
{
    return seen->look == GIT_SEEN && !seen->fresh && seen->sent != NULL && *seen->sent == '\0' &&
           (seen->lost == NULL || *seen->lost == '\0');
}

/* Its words may be thrown away: what it has to write is known before it runs. */
static char *unwritable(const struct call_entry *entry, const struct sandbox_policy *policy)
{
    const char *script = shell_wrapped_script((const char *const *)entry->call.spec->argv);
    if (entry->pushes_to == NULL || *entry->pushes_to != '/' || script == NULL ||
        !push_line_hides(script) || had_nothing_to_send(&entry->call.seen))
        return NULL;
    cleanup_free char *path = path_offer_repository(entry->pushes_to);
    return path != NULL && may_not_write(policy, path) ? steal_pointer(&path) : NULL;
}

char *stopped_push(const struct call_entry *entry, const struct sandbox_policy *policy,
                   const struct denial_evidence *evidence)
{
    struct sandbox_denial denial;
    denial_stopped_push(evidence, &denial);
    if (denial.denied)
        return xstrdup(denial.path);
    return ended_well_inside(evidence) && !denial_push_told(evidence) ? unwritable(entry, policy)
                                                                      : NULL;
}

char *stopped_write(const struct call_entry *entry, const struct sandbox_policy *policy,
                    const struct denial_evidence *evidence)
{
    char joined[PATH_MAX];
    struct sandbox_denial denial;
    const struct call *call = &entry->call;
    denial_within(evidence, &denial);
    if (!denial.denied || denial.path[0] == '\0' || !call->assessment.writes_outside ||
        (denial.path[0] != '/' && !path_join(joined, call->spec->cwd, denial.path)))
        return NULL;
    const char *path = denial.path[0] == '/' ? denial.path : joined;
    return may_not_write(policy, path) ? xstrdup(path) : NULL;
}
