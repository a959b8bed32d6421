/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/attention.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"

/* Of the project's name; each byte takes at most 8 when a mark stands for it. */
#define NAME_BYTES_MAX ((size_t)60)

void attention_init(struct attention *attention, bool on, const char *directory)
{
    const char *slash = directory != NULL ? strrchr(directory, '/') : NULL;
    const char *last = slash != NULL && slash[1] != '\0' ? slash + 1 : "/";
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;

    /* An agent may have named the directory: nothing of it is a control in the title. */
    text_escape(&safe, last, strnlen(last, NAME_BYTES_MAX), TEXT_PLAIN_AGENT);
    *attention = (struct attention){.on = on};
    snprintf(attention->name, sizeof(attention->name), "%s", strbuf_str(&safe));
}

bool attention_update(struct attention *attention, struct screen *screen, size_t waiting)
{
    cleanup_free char *title = NULL;
    bool more = waiting > attention->waiting;

    if (!attention->on || (attention->shown && waiting == attention->waiting))
        return false;
    attention->waiting = waiting;
    attention->shown = true;
    title = waiting > 0 ? xasprintf(P_("%zu request waits - %s - Assent",
                                       "%zu requests wait - %s - Assent", waiting),
                                    waiting, attention->name)
                        : xasprintf("%s - Assent", attention->name);
    screen_title(screen, title);
    return more;
}
