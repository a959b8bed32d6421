/* SPDX-License-Identifier: MIT */
/* memory: rules that the operator makes of requests, for a session or for good. */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"

#define COMMAND_COLUMNS 60 /* of the command that a path was given to */

static void note(struct orchestrator *orchestrator, struct session *session, uint64_t grant)
{
    orchestrator->given = xreallocarray(orchestrator->given, orchestrator->given_count + 1,
                                        sizeof(*orchestrator->given));
    orchestrator->given[orchestrator->given_count++] = (struct given){session, grant};
}

static void note_given(struct orchestrator *orchestrator, struct session *session)
{
    note(orchestrator, session, 0);
}

void memory_note_path(struct orchestrator *orchestrator, struct session *session, uint64_t grant)
{
    if (grant != 0)
        note(orchestrator, session, grant);
}

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
    note_given(orchestrator, NULL);
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
    note_given(orchestrator, *lasts ? NULL : session);
    orchestrator->rule_session = session;
    return line;
}

void memory_forget(struct orchestrator *orchestrator, const struct session *session)
{
    size_t kept = 0;
    for (size_t i = 0; i < orchestrator->given_count; i++)
        if (orchestrator->given[i].session != session)
            orchestrator->given[kept++] = orchestrator->given[i];
    orchestrator->given_count = kept;
}

void memory_forget_one(struct orchestrator *orchestrator, const struct session *session,
                       size_t newer)
{
    for (size_t i = orchestrator->given_count; i-- > 0;) {
        const struct given *given = &orchestrator->given[i];
        if (given->session != session || given->grant != 0 || newer-- > 0)
            continue;
        orchestrator->given_count--;
        memmove(&orchestrator->given[i], &orchestrator->given[i + 1],
                (orchestrator->given_count - i) * sizeof(*orchestrator->given));
        return;
    }
}

void orchestrator_set_memory(struct orchestrator *orchestrator, const struct rule_memory *memory)
{
    orchestrator->memory = *memory;
}

const char *const *orchestrator_kept_rules(const struct orchestrator *orchestrator)
{
    const struct rule_memory *memory = &orchestrator->memory;
    const char *const *lines = memory->written != NULL ? memory->written(memory->argument) : NULL;
    return lines != NULL && lines[0] != NULL ? lines : NULL;
}

void memory_tell_taken_back(struct orchestrator *orchestrator, const char *line)
{
    orchestrator_notice(orchestrator, NOTICE_OPERATOR, "the operator took back the rule: %s", line);
}

/* How many were kept after the last that says so. */
static size_t count_newer(const char *const *lines, const char *line)
{
    size_t newer = 0;
    for (size_t i = strv_length(lines); i-- > 0 && strcmp(lines[i], line) != 0;)
        newer++;
    return newer;
}

int orchestrator_take_back_rule(struct orchestrator *orchestrator, const char *line,
                                struct error *error)
{
    const char *const *lines = orchestrator_kept_rules(orchestrator);
    cleanup_free char *taken = NULL;
    if (lines == NULL)
        return 0;
    size_t newer = count_newer(lines, line);
    int result = orchestrator->memory.undo(orchestrator->memory.argument, line, &taken, error);
    if (result <= 0)
        return result;
    memory_forget_one(orchestrator, NULL, newer);
    memory_tell_taken_back(orchestrator, taken);
    return 1;
}

static struct given *newest(const struct orchestrator *orchestrator)
{
    return orchestrator->given_count > 0 ? &orchestrator->given[orchestrator->given_count - 1]
                                         : NULL;
}

/* "/data (c18: git push)": a path, and the answer that gave it. Caller frees. */
static char *path_text(const struct grant *grant)
{
    cleanup_free char *command = text_line(grant->label, strlen(grant->label), COMMAND_COLUMNS);
    return xasprintf("%s (c%" PRIu64 ": %s)", grant->path, grant->call, command);
}

/* The newest is a path for a session: takes that back, and tells it; else NULL. The caller frees.
 * What has ended otherwise is skipped. */
static char *undo_path(struct orchestrator *orchestrator)
{
    const struct given *given = newest(orchestrator);
    for (; given != NULL && given->grant != 0; given = newest(orchestrator)) {
        const struct grant *grant = grants_find_id(given->session->grants, given->grant);
        char *path = grant != NULL ? path_text(grant) : NULL;
        if (path != NULL)
            orchestrator_revoke(orchestrator, given->session, given->grant);
        orchestrator->given_count--;
        if (path != NULL)
            return path;
    }
    return NULL;
}

int orchestrator_undo_rule(struct orchestrator *orchestrator, char **line, struct error *error)
{
    const struct rule_memory *memory = &orchestrator->memory;
    *line = undo_path(orchestrator);
    if (*line != NULL)
        return ORCHESTRATOR_UNDID_PATH;
    struct session *session = newest(orchestrator) != NULL ? newest(orchestrator)->session : NULL;
    int result = 0;
    if (session != NULL) {
        *line = session_undo_rule(session);
        result = *line != NULL;
    } else if (memory->undo != NULL) {
        result = memory->undo(memory->argument, NULL, line, error);
    }
    if (result >= 0 && orchestrator->given_count > 0)
        orchestrator->given_count--;
    if (result > 0)
        memory_tell_taken_back(orchestrator, *line);
    return result;
}
