/* SPDX-License-Identifier: MIT */
/* local_checkout: `git checkout README` switches to a branch, or throws away what was changed in a
 * file: what the tables cannot tell from the word, the directory tells. */
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/path.h"
#include "risk/local_subject.h"

/* Where git runs, from where the command does: each -C leads on from the one before. "" is here;
 * NULL when nobody knows. */
static char *where_git_runs(const struct effect_reading *reading)
{
    char *directory = xstrdup("");
    const char *next = NULL;
    for (size_t at = 0; (next = effects_next_option(reading, "-C", &at)) != NULL;) {
        bool whole = *next == '/' || *directory == '\0';
        if (!whole && strpbrk(next, "~$`") != NULL) {
            free(directory);
            return NULL;
        }
        char *further = whole ? xstrdup(next) : xasprintf("%s/%s", directory, next);
        free(directory);
        directory = further;
    }
    return directory;
}

/* Is there anything of that name, from where git runs, as far as is known? A link's own name
 * counts, and so does a pattern or other pathspec, which stands for what it fits. */
static bool is_there(const struct assessor *assessor, const struct effect_reading *reading,
                     const char *name)
{
    cleanup_free char *directory = where_git_runs(reading);
    if (directory == NULL)
        return true;
    bool whole = *name == '/' || *directory == '\0';
    cleanup_free char *within = whole ? xstrdup(name) : xasprintf("%s/%s", directory, name);
    cleanup_free char *there = local_from_here(assessor, within);
    char joined[PATH_MAX];
    struct stat status;
    if (*name == ':' || strpbrk(name, "*?[") != NULL)
        return true;
    if (assessor->cwd == NULL || (*there != '/' && !path_join(joined, assessor->cwd, there)))
        return false;
    return lstat(*there == '/' ? there : joined, &status) == 0;
}

void local_subject_checkout(const struct subject *subject)
{
    static const char *const branch_options[] = {"-b",      "-B",       "-t",
                                                 "--track", "--orphan", "--detach"};
    const char *name = local_subject_operand(subject, 1);
    if (subject->reading->operand_count != 2 || !local_subject_operand_is(subject, 0, "checkout"))
        return;
    for (size_t i = 0; i < COUNT(branch_options); i++)
        if (local_subject_has(subject, branch_options[i]))
            return;
    /* git takes a branch for what both are called; which there are, only git knows. */
    if (is_there(subject->assessor, subject->reading, name))
        local_subject_note_word(subject, subject->reading->operands[1], RISK_HIGH,
                                RISK_DATA_DELETION, PHRASE_throws_away);
}

bool local_checkout_is_no_file(const struct assessor *assessor,
                               const struct effect_reading *reading, const char *name)
{
    return assessor->cwd != NULL && local_path_is_sure(assessor, name) &&
           !is_there(assessor, reading, name);
}
