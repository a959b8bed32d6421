/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "hop_setup.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"

static const char *look(const char *name)
{
    return getenv(name);
}

static const char *exceptions(void)
{
    const char *list = getenv("NO_PROXY");
    return list != NULL ? list : getenv("no_proxy");
}

struct next_hop *hop_setup(const struct options *options, char **warning, struct error *error)
{
    const char *setting = options_string(options, OPTION_NETWORK_PROXY);
    struct error problem = ERROR_INIT;
    struct next_hop *hop = NULL;
    if (strcmp(setting, "none") == 0)
        return NULL;
    if (strcmp(setting, "environment") == 0) {
        hop = next_hop_from(look, &problem);
        if (hop == NULL && *problem.message != '\0')
            *warning = xasprintf(_("the proxy that the environment names is not used: %s"),
                                 problem.message);
        return hop;
    }
    hop = next_hop_new(setting, exceptions(), error);
    if (hop == NULL)
        error_prefix(error, "network_proxy");
    return hop;
}
