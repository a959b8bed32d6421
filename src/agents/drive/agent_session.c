/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/drive/agent_session.h"

#include <stdarg.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"

#define STEPS_MAX 200 /* of a plan */

void agent_session_prompt(struct agent_session *session, const char *text)
{
    session->class->prompt(session, text);
}

void agent_session_cancel(struct agent_session *session)
{
    session->class->cancel(session);
}

bool agent_session_set_mode(struct agent_session *session, const char *name)
{
    return session->class->set_mode(session, name);
}

bool agent_session_authenticate(struct agent_session *session, const char *method)
{
    return session->class->authenticate(session, method);
}

void agent_session_free(struct agent_session **session)
{
    if (*session != NULL)
        (*session)->class->free(*session);
    *session = NULL;
}

void agent_session_note(const struct agent_session_setup *setup, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cleanup_free char *text = xvasprintf(_(format), arguments);
    va_end(arguments);
    setup->events->note(setup->argument, text);
}

void agent_session_plan(const struct agent_session_setup *setup, const json_t *steps,
                        const char *text, const char *current)
{
    struct agent_step told[STEPS_MAX];
    size_t count = 0, index;
    const json_t *step;
    json_array_foreach(steps, index, step)
    {
        const char *content = json_string_value(json_object_get(step, text));
        const char *status = json_string_value(json_object_get(step, "status"));
        if (content == NULL || count == STEPS_MAX)
            continue;
        told[count++] = (struct agent_step){
            .content = content,
            .done = status != NULL && strcmp(status, "completed") == 0,
            .current = status != NULL && strcmp(status, current) == 0,
        };
    }
    setup->events->plan(setup->argument, told, count);
}
