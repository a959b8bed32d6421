/* SPDX-License-Identifier: MIT */
/* ladder_refusal: why no rule is offered, in the order in which that would have to be mended. */
#include "config.h"

#include <string.h>

#include "approval/ladder-int.h"
#include "approval/ladder.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "command/environment.h"
#include "command/handover.h"
#include "command/safety.h"
#include "command/shell_tree.h"

static size_t count_asking(const struct judgement *judgement)
{
    size_t count = 0;
    for (size_t i = 0; i < judgement->count; i++) {
        const struct judgement_part *part = &judgement->parts[i];
        count += !part->hidden && !part->allowed && !part->known_safe;
    }
    return count;
}

static bool rule_asks(const struct judgement *judgement)
{
    for (size_t i = 0; i < judgement->count; i++)
        if (judgement->parts[i].matches.decision > RULE_ALLOW)
            return true;
    return false;
}

/* What keeps every rule from holding, whatever the words. */
static const char *any_refusal(const struct judgement_facts *facts,
                               const struct judgement *judgement, const struct judgement_part *asks)
{
    if (facts->broken != NULL)
        return N_("No rule: none is made while a rule file cannot be read.");
    if (rule_asks(judgement))
        return N_("No rule: one that is there says that you are asked.");
    if (asks->missing) /* a builtin, for one */
        return N_("No rule: rules are for installed programs, and it is none.");
    if (!program_is_installed(facts->program, facts->writable_roots) || !asks->installed)
        return N_("No rule: an agent may have put its program there.");
    return environment_all_harmless(facts->env)
               ? NULL
               : N_("No rule: it brings variables that may change what it does.");
}

/* Of the constituent that asks. */
static const char *part_refusal(const struct judgement *judgement,
                                const struct judgement_part *asks)
{
    const char *const *argv = (const char *const *)asks->argv;
    if (asks->lapse != NULL)
        return N_("No rule: it runs outside the workspace, or writes what no rule names.");
    cleanup_strv char **prefix = safety_amendment(argv);
    if (prefix == NULL && handover_is_interpreter(argv[0]))
        return N_("No rule: its first words do not say what it runs.");
    size_t covered = prefix != NULL ? strv_length((const char *const *)prefix) : 1;
    if (handover_find(argv, covered) != NULL)
        return N_("No rule: with other words it could run or write something else.");
    if (count_asking(judgement) > 1)
        return N_("No rule: no single one would cover all of its commands.");
    if (asks->literal < strv_length(argv))
        return N_("No rule: which files its patterns stand for is not known.");
    return N_("No rule: it would be asked about all the same.");
}

/* Of a plain redirection it is known what runs, and mostly where only words are in doubt. What a
 * loop or a function runs the summary tells: it is no secret, but no rule's matter. */
static const char *unknown_refusal(const struct judgement *judgement)
{
    const char *reason = judgement->opaque_reason;
    if (reason != NULL && strcmp(reason, "redirection") == 0)
        return N_("No rule: with < and >, a rule covers only visible files of the workspace.");
    if (shell_tree_is_of_home(reason))
        return N_("No rule: it names your home directory as ~, which no rule covers.");
    if (reason != NULL && shell_tree_is_of_words(reason))
        return N_("No rule: what the shell puts in for some of its words is not known.");
    if (reason != NULL && shell_tree_is_of_use(reason))
        return N_("No rule: rules are for plain commands, and this uses more of the shell.");
    return N_("No rule: what it runs cannot be known for certain.");
}

static const char *refusal(const struct judgement_facts *facts, const struct judgement *judgement,
                           bool bypass)
{
    const struct judgement_part *asks = ladder_asks(judgement, bypass);
    bool known = false, leaves = false;
    for (size_t i = 0; i < judgement->count; i++) {
        known = known || !judgement->parts[i].hidden;
        leaves = leaves || judgement->parts[i].bypass;
        if (judgement->parts[i].danger != NULL)
            return N_("No rule: what is dangerous is allowed once, or for this session; then "
                      "unasked, whatever it takes by then.");
    }
    if (!known)
        return unknown_refusal(judgement);
    if (asks == NULL && bypass && leaves)
        return N_("No rule: a part of it has one, and leaves the sandbox if asked for by itself.");
    if (asks == NULL && bypass)
        return N_("No rule: it is not known which of its commands the sandbox stopped.");
    if (asks == NULL)
        return judgement->opaque ? unknown_refusal(judgement)
                                 : N_("No rule: it would be asked about all the same.");
    if (bypass && asks->lapse == NULL && !ladder_may_leave(facts, asks))
        return N_("No rule: it can run code from files that agents can change.");
    const char *why = any_refusal(facts, judgement, asks);
    return why != NULL ? why : part_refusal(judgement, asks);
}

const char *ladder_refusal(const struct judgement_facts *facts, bool bypass)
{
    struct judgement judgement;
    judgement_make(facts, &judgement);
    const char *why = refusal(facts, &judgement, bypass);
    judgement_clear(&judgement);
    return why;
}
