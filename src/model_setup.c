/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "model_setup.h"

#include <string.h>
#include <strings.h>

#include "base/alloc.h"

static const char *text_or_null(const struct options *options, enum option_id id)
{
    const char *text = options_string(options, id);
    return *text != '\0' ? text : NULL;
}

struct model *model_setup(struct loop *loop, const struct options *options, struct error *error)
{
    const char *name = text_or_null(options, OPTION_ASSESSMENT_MODEL);
    const char *dialect = options_string(options, OPTION_ASSESSMENT_DIALECT);
    if (name == NULL)
        return NULL;
    char *key = model_read_key(text_or_null(options, OPTION_ASSESSMENT_KEY_VARIABLE),
                               text_or_null(options, OPTION_ASSESSMENT_KEY_FILE), error);
    if (key == NULL && *error->message != '\0')
        return NULL;
    const struct model_options setup = {
        .url = options_string(options, OPTION_ASSESSMENT_URL),
        .name = name,
        .key = key,
        .ca_file = text_or_null(options, OPTION_ASSESSMENT_CA_FILE),
        .dialect = strcmp(dialect, "responses") == 0 ? MODEL_RESPONSES : MODEL_CHAT,
        .stream = options_bool(options, OPTION_ASSESSMENT_STREAM),
        .connect_ms = options_number(options, OPTION_ASSESSMENT_CONNECT_TIMEOUT),
        .total_ms = options_number(options, OPTION_ASSESSMENT_TIMEOUT),
        .concurrency = (size_t)options_number(options, OPTION_ASSESSMENT_CONCURRENCY),
    };
    struct model *model = model_new(loop, &setup, error);
    if (key != NULL)
        explicit_bzero(key, strlen(key));
    free(key);
    return model;
}
