/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/opinion.h"

const char *opinion_status_name(enum opinion_status status)
{
    static const char *const names[] = {
        [OPINION_NONE] = "",
        [OPINION_ASKING] = "asking",
        [OPINION_SUCCESS] = "success",
        [OPINION_PARSE_ERROR] = "parse_error",
        [OPINION_NO_OUTPUT] = "no_output",
        [OPINION_MODEL_ERROR] = "model_error",
        [OPINION_TIMEOUT] = "timeout",
        [OPINION_DISABLED] = "disabled",
    };
    return status <= OPINION_DISABLED ? names[status] : "";
}
