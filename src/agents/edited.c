/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/edited.h"

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"

char *edited_command(const json_t *result)
{
    const json_t *words = json_object_get(json_object_get(result, "edited"), "argv");
    size_t count = json_array_size(words);
    if (count == 0)
        return NULL;
    cleanup_free const char **argv = xcalloc(count + 1, sizeof *argv);
    for (size_t i = 0; i < count; i++) {
        argv[i] = json_string_value(json_array_get(words, i));
        if (argv[i] == NULL)
            return NULL;
    }
    struct strbuf line = STRBUF_INIT;
    text_quote_argv(&line, argv);
    return strbuf_steal(&line);
}

const char *edited_first(const json_t *result)
{
    return json_string_value(json_object_get(json_object_get(result, "edited"), "first_try"));
}

const char *edited_words(const json_t *result)
{
    if (!json_is_true(json_object_get(json_object_get(result, "edited"), "second_try")))
        return N_("the operator changed the command to");
    if (edited_first(result) != NULL)
        return N_("that ran until the sandbox stopped it; then, for a second try, the operator "
                  "changed it once more, to");
    return N_("it ran as you asked for it until the sandbox stopped it; then, for a second try, "
              "the operator changed the command to");
}
