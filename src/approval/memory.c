/* SPDX-License-Identifier: MIT */
/* memory: rules that the operator makes of requests, for a session or for good. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/i18n.h"

/* On the disk, and in force at once. */
static int remember(struct orchestrator *orchestrator, const char *line, struct error *error)
{
    const struct rule_memory *memory = &orchestrator->memory;
    struct rules_source source;
    if (memory->remember == NULL)
        return error_set(error, ENOTSUP, _("rules are not kept here"));
    if (memory->remember(memory->argument, line, &source, error) != 0)
        return -1;
    if (orchestrator->rules == NULL)
        orchestrator->rules = rules_new();
    return rules_add_text(orchestrator->rules, line, strlen(line), &source, error);
}

static bool keep(struct orchestrator *orchestrator, const char *line)
{
    struct error error = ERROR_INIT;
    if (orchestrator->memory.remember == NULL)
        return false;
    if (remember(orchestrator, line, &error) == 0)
        return true;
    orchestrator_notice(orchestrator, NOTICE_ALARM, _("The rule holds for this session only: %s"),
                        error.message);
    return false;
}

int orchestrator_remember_rule(struct orchestrator *orchestrator, const char *line,
                               struct error *error)
{
    if (remember(orchestrator, line, error) != 0)
        return -1;
    undo_note_rule(orchestrator, NULL, NULL, line);
    orchestrator_notice(orchestrator, NOTICE_OPERATOR, "the operator made a rule: %s", line);
    return 0;
}

char *memory_add(struct call_entry *entry, bool *lasts)
{
    struct orchestrator *orchestrator = entry->orchestrator;
    struct session *session = entry->call.session;
    struct prompt *prompt = entry->call.prompt;
    const struct rule_choice *choice = &entry->answer_rule;
    char *line = ladder_rule(prompt->ladder, choice->step, choice->scope);
    strv_free(&prompt->amendment); /* of those offered it is this one now */
    prompt->amendment = strv_copy((const char *const *)prompt->ladder->steps[choice->step].words);
    *lasts = choice->scope == LADDER_PROJECT && keep(orchestrator, line);
    if (!*lasts)
        session_add_rule(session, line);
    undo_note_rule(orchestrator, *lasts ? NULL : session, entry, line);
    orchestrator->rule_session = session;
    return line;
}

void orchestrator_set_memory(struct orchestrator *orchestrator, const struct rule_memory *memory)
{
    orchestrator->memory = *memory;
}

void orchestrator_set_recall(struct orchestrator *orchestrator, recall_denied denied,
                             void *argument)
{
    orchestrator->recall = denied;
    orchestrator->recall_argument = argument;
}

uint64_t orchestrator_denied_before(const struct orchestrator *orchestrator,
                                    const struct call *call)
{
    return orchestrator->recall != NULL ? orchestrator->recall(orchestrator->recall_argument, call)
                                        : 0;
}

const char *const *orchestrator_kept_rules(const struct orchestrator *orchestrator)
{
    const struct rule_memory *memory = &orchestrator->memory;
    const char *const *lines = memory->written != NULL ? memory->written(memory->argument) : NULL;
    return lines != NULL && lines[0] != NULL ? lines : NULL;
}

void memory_tell_taken_back(struct orchestrator *orchestrator, const struct session *session,
                            const char *line)
{
    if (session != NULL)
        orchestrator_notice(orchestrator, NOTICE_OPERATOR, TOOK_BACK_SESSION_RULE "%s: %s",
                            session->id, line);
    else
        orchestrator_notice(orchestrator, NOTICE_OPERATOR, TOOK_BACK_RULE "%s", line);
}

int orchestrator_take_back_rule(struct orchestrator *orchestrator, const char *line,
                                struct error *error)
{
    cleanup_free char *taken = NULL;
    if (orchestrator_kept_rules(orchestrator) == NULL)
        return 0;
    int result = orchestrator->memory.undo(orchestrator->memory.argument, line, &taken, error);
    if (result > 0)
        memory_tell_taken_back(orchestrator, NULL, taken);
    return result;
}
