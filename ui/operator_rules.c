/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/operator_rules.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"

void operator_rules_reload(const struct desk *desk, const char *argument)
{
    const struct console_rules *files = &desk->hooks->rules;
    size_t count;

    if (strcmp(argument, "reload") != 0 || files->reload == NULL) {
        desk_remark(desk, THEME_FAILED, "%s", _(":rules or :rules reload"));
        return;
    }
    files->reload(files->argument);
    count = rules_count(orchestrator_rules(desk->orchestrator));
    desk_say(desk, "rules", THEME_STRONG,
             P_("From the next call on: %zu rule of your files",
                "From the next call on: %zu rules of your files", count),
             count);
}

static void trust(const struct desk *desk, bool yes)
{
    const struct console_rules *files = &desk->hooks->rules;
    struct error error = ERROR_INIT;

    if (files->trust(files->argument, yes, &error) < 0)
        desk_remark(desk, THEME_FAILED, "%s", error.message);
    else
        desk_say(desk, "trust", THEME_STRONG, "%s",
                 yes ? _("This project's rules are trusted as they are now")
                     : _("This project's rules go on to forbid and ask only"));
}

void operator_rules_trust(const struct desk *desk, const char *argument)
{
    const struct console_rules *files = &desk->hooks->rules;
    cleanup_free char *rules = files->untrusted != NULL ? files->untrusted(files->argument) : NULL;
    struct document text = {0};

    if (rules == NULL) {
        desk_remark(desk, THEME_DIM, "%s", _("no rules of this project wait for your trust"));
    } else if (strcmp(argument, "yes") == 0 || strcmp(argument, "no") == 0) {
        trust(desk, *argument == 'y');
    } else {
        document_add_foreign(&text,
                             _("To let them allow as well: :trust yes. To be told no more: "
                               ":trust no"),
                             DOCUMENT_UNTRUSTED, THEME_OVERLAY_TEXT, rules);
        desk_show(desk, _("Rules of this project"), &text);
    }
}
