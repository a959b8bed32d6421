/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/operator_rules.h"

#include <string.h>

#include "approval/orchestrator.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/console_int.h"
#include "ui/overlay_full.h"
#include "ui/rules_view.h"

static void add_text(struct overlay *view, const char *heading, const char *text)
{
    struct strbuf safe = STRBUF_INIT;

    text_escape(&safe, text, strlen(text), TEXT_KEEP_NEWLINES | TEXT_PLAIN_AGENT);
    overlay_full_add(view, heading, FULL_UNTRUSTED, THEME_OVERLAY_TEXT, strbuf_str(&safe));
    strbuf_free(&safe);
}

void operator_rules(struct console *console, const char *argument)
{
    const struct console_rules *hooks = &console->setup.rules;
    size_t count;

    if (*argument == '\0') {
        rules_view_show(console);
    } else if (strcmp(argument, "reload") != 0 || hooks->reload == NULL) {
        console_remark(console, THEME_FAILED, "%s", _(":rules or :rules reload"));
    } else {
        hooks->reload(hooks->argument);
        count = rules_count(orchestrator_rules(console->setup.orchestrator));
        console_say(console, THEME_STRONG,
                    P_("From the next call on: %zu rule of your files",
                       "From the next call on: %zu rules of your files", count),
                    count);
    }
}

void operator_rules_trust(struct console *console, const char *argument)
{
    const struct console_rules *hooks = &console->setup.rules;
    cleanup_free char *text = hooks->untrusted != NULL ? hooks->untrusted(hooks->argument) : NULL;
    struct error error = ERROR_INIT;

    if (text == NULL) {
        console_remark(console, THEME_DIM, "%s", _("no rules of this project wait for your trust"));
    } else if (strcmp(argument, "yes") == 0 || strcmp(argument, "no") == 0) {
        bool trust = *argument == 'y';

        if (hooks->trust(hooks->argument, trust, &error) < 0)
            console_remark(console, THEME_FAILED, "%s", error.message);
        else
            console_say(console, THEME_STRONG, "%s",
                        trust ? _("This project's rules are trusted as they are now")
                              : _("This project's rules go on to forbid and ask only"));
    } else {
        struct overlay *view = overlay_full_new(_("Rules of this project"));

        add_text(view, _("To let them allow as well: :trust yes. To be told no more: :trust no"),
                 text);
        overlay_push(console, view);
    }
}

void operator_rules_undo(struct console *console, const char *argument)
{
    cleanup_free char *line = NULL;
    struct error error = ERROR_INIT;
    int result = orchestrator_undo_rule(console->setup.orchestrator, &line, &error);

    (void)argument;
    if (result < 0)
        console_remark(console, THEME_FAILED, "%s", error.message);
    else if (result == 0)
        console_remark(console, THEME_DIM, "%s", _("there is no rule to take back"));
    else
        console_say(console, THEME_STRONG, _("taken back: %s"), line);
}
