/* SPDX-License-Identifier: MIT */
/* approval_reach: what a request says of the host that a command wants to connect to. */
#include "config.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "approval/orchestrator.h"
#include "approval/reach.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/path.h"
#include "command/shell.h"
#include "command/wrapper.h"
#include "risk/phrase.h"
#include "sandbox/policy.h"
#include "ui/approval_content_int.h"

static const char *kind_words(const char *special)
{
    static const struct {
        const char *name, *words;
    } kinds[] = {
        {"loopback", N_("this machine itself")},
        {"private", N_("the local network")},
        {"link-local", N_("machines on the same wire")},
        {"metadata", N_("where a cloud hands out credentials")},
        {"multicast", N_("many machines at once")},
        {"reserved", N_("not public")},
    };

    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strcmp(kinds[i].name, special) == 0)
            return _(kinds[i].words);
    return special;
}

static char *waiting_words(const struct reach *reach)
{
    unsigned fresh = reach->waiting - reach->older;
    cleanup_free char *words = xasprintf(P_("%u connection", "%u connections", fresh), fresh);

    return reach->older > 0 ? xasprintf(P_("%s, and %u older one, perhaps given up",
                                           "%s, and %u older ones, perhaps given up", reach->older),
                                        words, reach->older)
                            : steal_pointer(&words);
}

/* One command, which runs where the call does: nothing before it goes elsewhere, or makes a file.
 */
static bool runs_alone(const struct call *command)
{
    const char *const *argv = (const char *const *)command->spec->argv;
    size_t index;
    cleanup_free char *text = wrapper_script(argv, strv_length(argv), &index);
    struct shell_script script;

    if (text == NULL)
        return !wrapper_moves(argv, strv_length(argv));
    shell_parse(text, strlen(text), &script);
    bool alone = script.count == 1 && shell_script_within(&script, 0);
    shell_script_clear(&script);
    return alone;
}

/* Does it read but one secret, by its words, which is there, and which the sandbox that it runs in
 * does not let it? */
static bool is_hidden(const struct call *command)
{
    const struct assessment *assessment = &command->assessment;
    char joined[PATH_MAX];

    if (!runs_alone(command))
        return false;

    for (size_t i = 0; i < ASSESSMENT_CLAUSES; i++) {
        const struct risk_clause *clause = &assessment->clauses[i];

        if (clause->phrase == phrase_text(PHRASE_reads_secrets))
            return clause->more == 0 && !clause->others && clause->object[0] != '\0' &&
                   strchr("/~$", clause->object[0]) == NULL &&
                   path_join(joined, command->spec->cwd, clause->object) &&
                   access(joined, F_OK) == 0 &&
                   sandbox_policy_access_at(command->context->sandbox, joined) ==
                       POLICY_ACCESS_NONE;
    }
    return false;
}

/* Whoever lets it out lets out what it sends: a push asks for its host like a download. */
static void add_deed(struct approval_content *content, const struct call *command)
{
    cleanup_free char *deed = NULL;
    cleanup_free char *words = NULL;

    if (command == NULL || command->assessment.level == RISK_LOW)
        return;
    deed = assessment_describe(&command->assessment);
    words = is_hidden(command) ? xasprintf(_("%s The sandbox hides that secret from it."), deed)
                               : steal_pointer(&deed);
    approval_content_add_words(content, _("Which does"), words);
    approval_content_last(content)->worth = APPROVAL_MATTERS;
}

void approval_content_add_reach(struct approval_content *content, const struct call *call)
{
    const struct orchestrator *orchestrator = call->session->orchestrator;
    const struct reach *reach = call->reach;
    cleanup_free char *command = NULL;
    cleanup_free char *leads = NULL;
    cleanup_free char *through = NULL;

    approval_content_add_words(content, _("Written"), reach->readable);
    if (reach->look_alike)
        approval_content_add_words(content, _("Look-alike"), _("its letters look like others"));
    if (reach->special != NULL) {
        leads = xasprintf("%s (%s)", reach->addresses, kind_words(reach->special));
        approval_content_add_words(content, _("Leads to"), leads);
        approval_content_last(content)->element = THEME_WARNING;
        approval_content_last(content)->worth = APPROVAL_MATTERS;
    } else if (reach->via == NULL) {
        approval_content_add_words(content, _("Leads to"),
                                   _("looked up once you allow it; public addresses only"));
    }
    if (reach->via != NULL) {
        through = xasprintf(_("%s, which looks the name up itself"), reach->via);
        approval_content_add_words(content, _("Through"), through);
    }
    if (reach->known != NULL)
        approval_content_add_words(content, _("Known as"), _(reach->known));
    command = xasprintf("c%" PRIu64 "  %s", reach->command, reach->command_line);
    approval_content_add_words(content, _("For"), command);
    approval_content_last(content)->agent_words = true;
    if (orchestrator != NULL)
        add_deed(content, orchestrator_find_call(orchestrator, reach->command));
    content->waiting_at = content->count;
    approval_content_add(content, _("Waiting"), THEME_OVERLAY_TEXT, waiting_words(reach));
}

bool approval_content_follow_waiting(struct approval_content *content, const struct call *call)
{
    char *words;

    if (call->reach == NULL || content->waiting_at >= content->count)
        return false;
    words = waiting_words(call->reach);
    if (strcmp(words, content->fields[content->waiting_at].text) == 0) {
        free(words);
        return false;
    }
    free(content->fields[content->waiting_at].text);
    content->fields[content->waiting_at].text = words;
    return true;
}
