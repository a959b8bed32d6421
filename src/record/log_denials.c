/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_denials.h"

#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "record/log_event.h"
#include "risk/mask.h"

void log_denials_add(json_t *list, const struct log_call *call)
{
    if (call->edited == NULL)
        json_array_append_new(list, json_pack("{s:I, s:s, s:b, s:O}", "call",
                                              (json_int_t)call->number, "agent", call->agent,
                                              "tried", call->tried, "received", call->received));
}

static bool same(const json_t *one, const json_t *other, const char *key)
{
    const json_t *a = json_object_get(one, key), *b = json_object_get(other, key);
    return a == b || json_equal(a, b);
}

static bool is_masked(const json_t *received)
{
    const json_t *word;
    size_t i;
    json_array_foreach(json_object_get(received, "argv"), i, word)
    {
        if (strstr(json_string_value(word), MASK_SIGN) != NULL)
            return true;
    }
    return false;
}

/* Variables may differ: those of another terminal do. */
static bool asks_the_same(const json_t *received, const json_t *now)
{
    static const char *const keys[] = {
        "tool",  "argv",       "argv_b64", "cwd",   "cwd_b64", "sandbox_permissions",
        "patch", "agent_tool", "program",  "stdin", "tty",     "additional_permissions"};
    for (size_t i = 0; i < COUNT(keys); i++)
        if (!same(received, now, keys[i]))
            return false;
    return same(json_object_get(received, "network"), json_object_get(now, "network"), "leads_to");
}

uint64_t log_denials_find(json_t *list, const struct call *call)
{
    cleanup_json json_t *now = log_event_call(call);
    bool tried = call->attempt_count > 0; /* the question is about a second try */
    for (size_t i = is_masked(now) ? 0 : json_array_size(list); i-- > 0;) {
        const json_t *denied = json_array_get(list, i);
        const char *agent = json_string_value(json_object_get(denied, "agent"));
        if (json_is_true(json_object_get(denied, "tried")) == tried && agent != NULL &&
            strcmp(agent, call->session->name) == 0 &&
            asks_the_same(json_object_get(denied, "received"), now))
            return (uint64_t)json_integer_value(json_object_get(denied, "call"));
    }
    return 0;
}
