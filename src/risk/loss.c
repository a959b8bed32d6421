/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/loss.h"

#include "base/alloc.h"
#include "base/i18n.h"
#include "risk/assessment.h"

static const char *const losses[PHRASE_COUNT] = {
    [PHRASE_changes_remote] = N_("it rewrites or deletes what others have pushed"),
    [PHRASE_deletes_branch] = N_("it deletes a branch that may not be merged"),
    [PHRASE_deletes_container_data] = N_("it deletes data of containers"),
    [PHRASE_deletes_database] = N_("it deletes data of a database"),
    [PHRASE_deletes_forced] = N_("it deletes files by force"),
    [PHRASE_deletes_mirror] = N_("it deletes what is not in the source"),
    [PHRASE_deletes_outside] = N_("it deletes files outside the workspace"),
    [PHRASE_deletes_perhaps_outside] = N_("it may delete files outside the workspace"),
    [PHRASE_deletes_recoverable] = N_("it deletes what could be recovered"),
    [PHRASE_deletes_remote] = N_("it rewrites or deletes what others have pushed"),
    [PHRASE_deletes_tag] = N_("it deletes a reference"),
    [PHRASE_deletes_whole] = N_("it deletes files and whole directories"),
    [PHRASE_destroys] = N_("it destroys data beyond recovery"),
    [PHRASE_disks] = N_("it changes disks"),
    [PHRASE_empties] = N_("it empties files"),
    [PHRASE_formats] = N_("it changes disks"),
    [PHRASE_moves_branch] = N_("it makes a branch, or moves the one that has its name"),
    [PHRASE_moves_reference] = N_("it deletes or moves a branch or a tag"),
    [PHRASE_remote_deletes] = N_("it deletes what others use"),
    [PHRASE_rewrites_history] = N_("it rewrites the history"),
    [PHRASE_rewrites_remote] = N_("it rewrites or deletes what others have pushed"),
    [PHRASE_throws_away] = N_("it throws away changes that are not committed"),
    [PHRASE_throws_away_to] = N_("it throws away changes, and can leave commits behind"),
};

/* Nobody can say what this takes along. */
static const char *const unbounded[PHRASE_COUNT] = {
    [PHRASE_device] = N_("it writes to a device"),
    [PHRASE_runs_downloaded] = N_("it runs code that it downloads or decodes"),
    [PHRASE_runs_input] = N_("it runs code from its input, which is not shown"),
};

const char *loss_of_phrase(enum phrase phrase, bool deletes)
{
    return deletes && losses[phrase] != NULL ? losses[phrase] : unbounded[phrase];
}

const char *loss_of_argv(const char *const *argv, const char *cwd,
                         const char *const *writable_roots, bool *grave)
{
    struct assessment assessment;
    cleanup_free char *line = NULL;
    assessment_of_argv(argv, cwd, writable_roots, &assessment, &line);
    if (grave != NULL)
        *grave = assessment.loss_grave;
    return assessment.loss;
}
