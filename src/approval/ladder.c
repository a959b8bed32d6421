/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/ladder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "approval/judgement.h"
#include "approval/ladder-int.h"
#include "approval/reach.h"
#include "approval/tasks.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/path.h"
#include "command/handover.h"
#include "command/loader.h"
#include "command/rules_write.h"
#include "command/safety.h"

struct rung {
    const struct judgement_facts *facts;
    struct ladder *ladder;
    const char *const *argv; /* of the constituent */
    bool bypass;
    bool redirect; /* what asks reads or writes files of the workspace by < > >> */
};

/* ---- steps ----------------------------------------------------------------------------------- */

static struct ladder_step *add_step(struct rung *rung, enum ladder_width width, size_t words)
{
    struct ladder_step *step = &rung->ladder->steps[rung->ladder->count++];
    *step =
        (struct ladder_step){.width = width, .bypass = rung->bypass, .redirect = rung->redirect};
    step->words = xcalloc(words + 1, sizeof(*step->words));
    for (size_t i = 0; i < words; i++)
        step->words[i] = xstrdup(rung->argv[i]);
    return step;
}

static void add_exact(struct rung *rung)
{
    size_t count = strv_length(rung->argv);
    struct ladder_step *here = add_step(rung, LADDER_HERE, count);
    here->exact = here->here = true;
    add_step(rung, LADDER_ANYWHERE, count)->exact = true;
}

/* Why commands that begin so cannot be let pass. */
static const char *width_refusal(const struct rung *rung, size_t words)
{
    cleanup_strv char **known = safety_amendment(rung->argv);
    if (rung->bypass)
        return N_("outside the sandbox only exactly this command can be remembered");
    if (known != NULL && strv_length((const char *const *)known) <= words)
        return NULL;
    if (handover_is_interpreter(rung->argv[0]))
        return N_("it runs any code that it is given");
    return N_("with other words it might run other programs");
}

static void add_prefixes(struct rung *rung)
{
    cleanup_strv char **known = safety_amendment(rung->argv);
    size_t count = strv_length(rung->argv);
    size_t words = known != NULL ? strv_length((const char *const *)known) : count > 1 ? 2 : 1;
    if (words > 1)
        add_step(rung, LADDER_SUBCOMMAND, words)->refused = width_refusal(rung, words);
    add_step(rung, LADDER_PROGRAM, 1)->refused = width_refusal(rung, 1);
}

/* Several constituents ask, and their prefixes differ in the last word only. */
static void add_family(struct rung *rung, const struct judgement *judgement)
{
    struct ladder_step *step = add_step(rung, LADDER_SUBCOMMAND, 0);
    strv_free(&step->words);
    step->words = strv_copy((const char *const *)judgement->shared);
    step->alternatives = strv_copy((const char *const *)judgement->last);
}

/* ---- each wider than the one before ---------------------------------------------------------- */

static size_t step_length(const struct ladder_step *step)
{
    return strv_length((const char *const *)step->words) + (step->alternatives != NULL ? 1 : 0);
}

/* May the pattern have this as its word number `index`? */
static bool step_has(const struct ladder_step *step, size_t index, const char *word)
{
    if (index < strv_length((const char *const *)step->words))
        return strcmp(step->words[index], word) == 0;
    for (size_t i = 0; step->alternatives[i] != NULL; i++)
        if (strcmp(step->alternatives[i], word) == 0)
            return true;
    return false;
}

/* Does `wide` allow all that `narrow` does? */
static bool step_covers(const struct ladder_step *wide, const struct ladder_step *narrow)
{
    size_t length = step_length(wide), words = strv_length((const char *const *)narrow->words);
    if (wide->width == LADDER_PLACE || narrow->width == LADDER_PLACE)
        return false;
    if (step_length(narrow) < length || (wide->here && !narrow->here) ||
        (wide->exact && (!narrow->exact || step_length(narrow) != length)))
        return false;
    for (size_t i = 0; i < length && i < words; i++)
        if (!step_has(wide, i, narrow->words[i]))
            return false;
    for (size_t i = 0; length > words && narrow->alternatives[i] != NULL; i++)
        if (!step_has(wide, words, narrow->alternatives[i]))
            return false;
    return true;
}

static void step_clear(struct ladder_step *step)
{
    strv_free(&step->words);
    strv_free(&step->alternatives);
    free(step->rules[0]);
    free(step->rules[1]);
}

static void drop_step(struct ladder *ladder, size_t index)
{
    step_clear(&ladder->steps[index]);
    ladder->count--;
    for (size_t i = index; i < ladder->count; i++)
        ladder->steps[i] = ladder->steps[i + 1];
}

/* A rule with which this request would still be asked is no step from it. */
static void drop_useless(struct rung *rung)
{
    for (size_t i = rung->ladder->count; i-- > 0;) {
        const struct ladder_step *step = &rung->ladder->steps[i];
        cleanup_free char *line = ladder_rule(rung->ladder, i, LADDER_PROJECT);
        if (step->refused == NULL && judgement_with_rule(rung->facts, line) != REQUIREMENT_SKIP)
            drop_step(rung->ladder, i);
    }
}

/* The last step's place is before those that cover it; it is none beside one that is as wide. */
static void sort_last(struct ladder *ladder)
{
    for (size_t i = ladder->count - 1; i > 0; i--) {
        struct ladder_step *before = &ladder->steps[i - 1], step = ladder->steps[i];
        if (!step_covers(before, &step))
            return;
        if (step_covers(&step, before)) {
            drop_step(ladder, i);
            return;
        }
        ladder->steps[i] = *before;
        *before = step;
    }
}

static void add_tasks(struct rung *rung)
{
    size_t words = 0;
    cleanup_strv char **tasks = tasks_of(rung->argv, rung->facts->cwd, &words);
    if (tasks == NULL)
        return;
    struct ladder_step *step = add_step(rung, LADDER_TASKS, words);
    step->alternatives = steal_pointer(&tasks);
    if (rung->bypass)
        step->refused = N_("outside the sandbox only exactly this command can be remembered");
    sort_last(rung->ladder);
}

/* Is it, or its value, another file in another directory? */
static bool is_relative(const char *word, const char *cwd)
{
    const char *value = word[0] == '-' ? strchr(word, '=') : NULL;
    const char *path = value != NULL ? value + 1 : word;
    struct stat status;
    if (path[0] == '/' || strchr(path, '/') != NULL)
        return path[0] != '/';
    cleanup_free char *file = xasprintf("%s/%s", cwd, path);
    return path[0] != '\0' && stat(file, &status) == 0 && S_ISREG(status.st_mode);
}

/* Words of a step that are looked up; of more it is not known. */
#define LOOKED_UP_MAX 256

/* Does the step name the same files wherever it holds? Only what follows a program's name may be a
 * file without a slash. */
static bool names_the_same(const struct ladder *ladder, const struct ladder_step *step)
{
    if (!step->here && step_length(step) > LOOKED_UP_MAX)
        return false;
    for (size_t i = 0; !step->here && step->words[i] != NULL; i++)
        if ((i > 0 || strchr(step->words[i], '/') != NULL) &&
            is_relative(step->words[i], ladder->cwd))
            return false;
    return true;
}

/* The first in that order which holds the same everywhere, else the first. False: none is offered.
 */
static bool choose(const struct ladder *ladder, const enum ladder_width *order, size_t *chosen)
{
    bool found = false;
    for (; *order != LADDER_WIDTHS; order++)
        for (size_t i = 0; i < ladder->count; i++) {
            const struct ladder_step *step = &ladder->steps[i];
            bool same = names_the_same(ladder, step);
            if (step->width != *order || step->refused != NULL || (found && !same))
                continue;
            *chosen = i;
            found = true;
            if (same)
                return true;
        }
    return found;
}

/* First the narrowest: what stands in the directory decides what most commands do, and with any
 * words it is not even named what is done. `cp` may be that of any file, and `git push` to any
 * host. One request is no reason to offer more, and whoever wants that widens the rule; many alike
 * are one to suggest it. */
static bool choose_first(struct ladder *ladder)
{
    static const enum ladder_width wide[] = {LADDER_PLACE,    LADDER_SUBCOMMAND, LADDER_PROGRAM,
                                             LADDER_ANYWHERE, LADDER_HERE,       LADDER_WIDTHS};
    if (!choose(ladder, wide, &ladder->suggested))
        return false;
    while (ladder->steps[ladder->first].refused != NULL)
        ladder->first++;
    return true;
}

/* ---- places ---------------------------------------------------------------------------------- */

#define CANDIDATES_MAX 8 /* each is judged */

/* May it be offered? Nothing above the workspace or the operator's home, nothing hidden, no link.
 */
static bool is_place(const char *path, const char *root)
{
    const char *home = getenv("HOME");
    cleanup_free char *physical = realpath(path, NULL);
    return path[0] == '/' && strchr(path + 1, '/') != NULL && strstr(path, "/.") == NULL &&
           !path_is_beneath(path, root) && !path_is_beneath(root, path) &&
           (home == NULL || !path_is_beneath(home, path)) &&
           (physical == NULL || strcmp(physical, path) == 0);
}

static bool place_helps(const struct judgement_facts *facts, const char *path)
{
    cleanup_free char *line = rules_write_place(path, NULL, NULL);
    return is_place(path, facts->context->root) &&
           judgement_with_rule(facts, line) == REQUIREMENT_SKIP;
}

/* A directory among a command's words, or that of a file among them; caller frees. */
static char *place_of_words(const struct judgement_facts *facts, char *const *argv, size_t *tried)
{
    for (size_t i = 1; argv[i] != NULL && *tried < CANDIDATES_MAX; i++) {
        struct stat status;
        if (argv[i][0] != '/')
            continue;
        cleanup_free char *path = xstrdup(argv[i]);
        if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
            *strrchr(path, '/') = '\0';
        ++*tried;
        if (place_helps(facts, path))
            return steal_pointer(&path);
    }
    return NULL;
}

/* The directory beside the workspace which, if it could be read unasked, would let the command
 * pass; NULL when it is not that. Caller frees. */
static char *readable_place(const struct judgement_facts *facts, const struct judgement *judgement)
{
    size_t tried = 0;
    for (size_t i = 0; i < judgement->count && tried < CANDIDATES_MAX; i++) {
        const struct judgement_part *part = &judgement->parts[i];
        if (part->hidden || part->known_safe || part->allowed)
            continue;
        tried++;
        if (part->directory != NULL && place_helps(facts, part->directory))
            return xstrdup(part->directory);
        char *place = place_of_words(facts, part->argv, &tried);
        if (place != NULL)
            return place;
    }
    return NULL;
}

/* ---- life ------------------------------------------------------------------------------------ */

/* Outside the sandbox a command that loads what an agent can change is never remembered. */
bool ladder_may_leave(const struct judgement_facts *facts, const struct judgement_part *asks)
{
    struct loader_context context = {
        .cwd = facts->cwd,
        .root = facts->context->root,
        .writable_roots = facts->writable_roots,
        .search_path = facts->search_path,
    };
    return asks->lapse == NULL && !facts->agent_input &&
           loader_reason((const char *const *)facts->argv, &context) == NULL;
}

const struct judgement_part *ladder_asks(const struct judgement *judgement, bool bypass)
{
    const struct judgement_part *found = judgement_asks(judgement);
    for (size_t i = 0; bypass && i < judgement->count; i++) {
        if (judgement->parts[i].hidden)
            continue;
        if (found != NULL && found != &judgement->parts[i])
            return NULL; /* of several, nobody knows which was stopped */
        found = &judgement->parts[i];
    }
    return found;
}

/* The step for a command that asks only because of where it reads. */
static void add_place(struct rung *rung, const char *place)
{
    struct ladder *ladder = rung->ladder;
    struct ladder_step *step = &ladder->steps[ladder->count++];
    const char *const words[] = {place, NULL};
    step->width = LADDER_PLACE;
    step->words = strv_copy(words);
    step->rules[0] = rules_write_place(place, ladder->project, ladder->project_id);
    step->rules[1] = rules_write_place(place, NULL, NULL);
}

static bool any_redirects(const struct judgement *judgement)
{
    for (size_t i = 0; i < judgement->count; i++) {
        const struct judgement_part *part = &judgement->parts[i];
        if (part->redirects && !part->hidden && !part->allowed && !part->known_safe)
            return true;
    }
    return false;
}

static void fill(struct rung *rung, const struct judgement *judgement)
{
    if (judgement->shared != NULL && !rung->bypass) {
        add_family(rung, judgement);
    } else {
        add_exact(rung);
        add_prefixes(rung);
    }
    add_tasks(rung);
    drop_useless(rung);
}

struct ladder *ladder_new(const struct judgement_facts *facts, bool bypass)
{
    struct judgement judgement;
    struct ladder *ladder = NULL;
    judgement_make(facts, &judgement);
    const struct judgement_part *asks = ladder_asks(&judgement, bypass);
    cleanup_free char *place = asks != NULL && !bypass ? readable_place(facts, &judgement) : NULL;
    bool offered = asks != NULL && asks->danger == NULL &&
                   (bypass ? ladder_may_leave(facts, asks)
                           : judgement.requirement.amendment != NULL || judgement.shared != NULL);
    if (offered || place != NULL) {
        ladder = XNEW(struct ladder);
        ladder->cwd = xstrdup(facts->cwd);
        ladder->project = xstrdup(facts->context->root);
        ladder->project_id = judgement_project_id(ladder->project);
        struct rung rung = {facts, ladder, (const char *const *)asks->argv, bypass,
                            !bypass && any_redirects(&judgement)};
        if (place != NULL)
            add_place(&rung, place);
        if (offered)
            fill(&rung, &judgement);
        if (!choose_first(ladder))
            ladder_free(&ladder);
    }
    judgement_clear(&judgement);
    return ladder;
}

struct ladder *ladder_new_reach(const struct reach *reach, const char *root)
{
    struct ladder *ladder = XNEW(struct ladder);
    struct ladder_step *step = &ladder->steps[ladder->count++];
    cleanup_free char *url = reach_url(reach);
    const char *const words[] = {url, NULL};
    ladder->project = xstrdup(root);
    ladder->project_id = judgement_project_id(root);
    step->width = LADDER_HOST;
    step->words = strv_copy(words);
    step->rules[0] = reach_rule(reach, ladder->project, ladder->project_id);
    step->rules[1] = reach_rule(reach, NULL, NULL);
    return ladder;
}

void ladder_free(struct ladder **place)
{
    struct ladder *ladder = steal_pointer(place);
    if (ladder == NULL)
        return;
    for (size_t i = 0; i < ladder->count; i++)
        step_clear(&ladder->steps[i]);
    free(ladder->cwd);
    free(ladder->project);
    free(ladder->project_id);
    free(ladder);
}

char **ladder_asking(const struct judgement_facts *facts, bool bypass)
{
    struct judgement judgement;
    judgement_make(facts, &judgement);
    const struct judgement_part *asks = ladder_asks(&judgement, bypass);
    char **words = asks != NULL ? strv_copy((const char *const *)asks->argv) : NULL;
    judgement_clear(&judgement);
    return words;
}

static bool would_have_covered(const struct rules *rules, const struct ladder_step *step,
                               const struct ladder_past *past)
{
    const struct rules_query query = {.argv = past->words, .cwd = past->cwd};
    struct rules_matches matches = RULES_MATCHES_INIT;
    if (past->words == NULL || (past->left && !step->bypass))
        return false;
    rules_match(rules, &query, &matches);
    bool any = matches.count > 0;
    rules_matches_clear(&matches);
    return any;
}

void ladder_count_past(struct ladder *ladder, const struct ladder_past *past, size_t count)
{
    ladder->past = count;
    for (size_t i = 0; i < ladder->count; i++) {
        cleanup_free char *line = ladder_rule(ladder, i, LADDER_SESSION);
        struct rules_source source = {.path = "ladder", .layer = RULES_SESSION};
        struct rules *rules = rules_new();
        rules_add_text(rules, line, strlen(line), &source, NULL);
        for (size_t j = 0; j < count; j++)
            ladder->steps[i].covers += would_have_covered(rules, &ladder->steps[i], &past[j]);
        rules_free(&rules);
    }
}

size_t ladder_offered(const struct ladder *ladder, size_t end)
{
    size_t offered = 0;

    for (size_t i = 0; i < end && i < ladder->count; i++)
        offered += ladder->steps[i].refused == NULL ? 1 : 0;
    return offered;
}

size_t ladder_next(const struct ladder *ladder, size_t step, int direction)
{
    size_t at = step;

    while (direction > 0 ? at + 1 < ladder->count : at > 0) {
        at = direction > 0 ? at + 1 : at - 1;
        if (ladder->steps[at].refused == NULL)
            return at;
    }
    return step;
}

char *ladder_rule(const struct ladder *ladder, size_t index, enum ladder_scope scope)
{
    const struct ladder_step *step = &ladder->steps[index];
    if (step->width == LADDER_HOST || step->width == LADDER_PLACE)
        return xstrdup(step->rules[scope == LADDER_PROJECT ? 0 : 1]);
    struct rules_line line = {
        .words = (const char *const *)step->words,
        .alternatives = (const char *const *)step->alternatives,
        .decision = RULE_ALLOW,
        .exact = step->exact,
        .bypass = step->bypass,
        .redirect = step->redirect,
        .cwd = step->here ? ladder->cwd : NULL,
        .project = scope == LADDER_PROJECT ? ladder->project : NULL,
        .project_id = ladder->project_id,
    };
    return rules_write_format(&line);
}
