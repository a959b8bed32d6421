/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/refusal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"

const char *refusal_by(const json_t *decision)
{
    const char *source = json_string_value(json_object_get(decision, "source"));
    /* Whose agent is stopped has been refused by whoever stopped it. */
    if (source != NULL && (strcmp(source, "user") == 0 || strcmp(source, "stopped") == 0))
        return N_("refused by the operator");
    if (source != NULL && strcmp(source, "client") == 0)
        return N_("refused by the client's user");
    /* What a cache refuses is what the operator has denied. */
    if (source != NULL && strcmp(source, "cache") == 0)
        return N_("the operator denied the same before, and is not asked again until they allow "
                  "that (:forget at the console)");
    if (source != NULL && strcmp(source, "ended") == 0)
        return N_("nobody answered");
    return N_("refused by policy");
}

const char *refusal_to_leave(const json_t *result)
{
    const json_t *decision = json_object_get(result, "decision");
    const char *kind = json_string_value(json_object_get(decision, "kind"));
    return kind != NULL && strcmp(kind, "approved_sandboxed") == 0
               ? N_("the operator let it run once, in the sandbox and not outside it")
               : NULL;
}

const char *refusal_by_localhost(const json_t *result)
{
    return json_is_true(json_object_get(result, "nobody_listened"))
               ? N_("nobody listened on localhost, where each command in the sandbox is alone: run "
                    "the server and what connects to it in one command, or ask to run both outside "
                    "the sandbox")
               : NULL;
}

const char *refusal_to_push(const json_t *result)
{
    return json_is_string(json_object_get(result, "push_stopped"))
               ? N_("nothing says that its push went through, though the command ended well; run "
                    "the push alone, with nothing behind it: the operator is asked if the sandbox "
                    "does not let it write")
               : NULL;
}

char *refusal_of_names(const json_t *result)
{
    const json_t *names = json_object_get(result, "placeholders");
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        strbuf_addf(&text, "%s%s", i > 0 ? ", " : "", name != NULL ? name : "");
    }
    return text.length > 0 ? xstrdup(strbuf_str(&text)) : NULL;
}

bool refusal_of_host_by_operator(const json_t *result, size_t index)
{
    const json_t *by = json_array_get(json_object_get(result, "unreached_by"), index);
    return !json_is_string(by) || strcmp(json_string_value(by), "user") == 0;
}
