/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/edited.h"

#include "base/alloc.h"
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
