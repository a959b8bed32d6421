/* SPDX-License-Identifier: MIT */
/* local_checkout: `git checkout README` switches to a branch, or throws away what was changed in a
 * file: what the tables cannot tell from the word, the directory tells. */
#include "config.h"

#include <limits.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/path.h"
#include "risk/local_subject.h"

/* Is there anything of that name, from where git runs? A link's own name counts. */
static bool is_there(const struct assessor *assessor, const struct effect_reading *reading,
                     const char *before, const char *name)
{
    const char *directory = effects_option(reading, "-C");
    cleanup_free char *within = xasprintf("%s%s%s%s", directory != NULL ? directory : "",
                                          directory != NULL ? "/" : "", before, name);
    cleanup_free char *there = local_from_here(assessor, within);
    char path[PATH_MAX];
    struct stat status;
    return assessor->cwd != NULL && path_join(path, assessor->cwd, there) &&
           lstat(path, &status) == 0;
}

void local_subject_checkout(const struct subject *subject)
{
    static const char *const branch_options[] = {"-b", "-B",      "-t",       "--track",
                                                 "-l", "--guess", "--orphan", "--detach"};
    const char *name = local_subject_operand(subject, 1);
    if (subject->reading->operand_count != 2 || !local_subject_operand_is(subject, 0, "checkout"))
        return;
    for (size_t i = 0; i < COUNT(branch_options); i++)
        if (local_subject_has(subject, branch_options[i]))
            return;
    /* git takes a branch for what both are called (git-checkout(1), ARGUMENT DISAMBIGUATION). */
    if (is_there(subject->assessor, subject->reading, "", name) &&
        !is_there(subject->assessor, subject->reading, ".git/refs/heads/", name))
        local_subject_note_word(subject, subject->reading->operands[1], RISK_HIGH,
                                RISK_DATA_DELETION, PHRASE_throws_away);
}

bool local_checkout_is_no_file(const struct assessor *assessor,
                               const struct effect_reading *reading, const char *name)
{
    return assessor->cwd != NULL && local_path_is_sure(assessor, name) &&
           !is_there(assessor, reading, "", name);
}
