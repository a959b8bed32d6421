/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/restored_view.h"

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/console_int.h"
#include "ui/overlay_full.h"

static void add_rows(struct document *text, const char *heading, const char *rows,
                     const char *otherwise)
{
    if (rows != NULL)
        document_add(text, heading, DOCUMENT_ROWS, THEME_OVERLAY_TEXT, rows);
    else
        document_add(text, heading, DOCUMENT_WORDS, THEME_OVERLAY_DIM, otherwise);
}

static size_t count_unsandboxed(const struct rules *rules)
{
    size_t count = 0;

    for (size_t i = 0; i < rules_count(rules); i++)
        count += rules_at(rules, i)->bypass && !rules_at(rules, i)->shadow;
    return count;
}

static char *rules_words(const struct rules *rules)
{
    size_t count = rules_count(rules) + rules_network_count(rules);
    size_t unsandboxed = count_unsandboxed(rules);

    if (unsandboxed == 0)
        return xasprintf(P_("%zu rule of your files holds as before; :rules shows it",
                            "%zu rules of your files hold as before; :rules shows them", count),
                         count);
    return xasprintf(
        P_("%zu rule of your files holds as before, %zu WITHOUT the sandbox; :rules shows it",
           "%zu rules of your files hold as before, %zu WITHOUT the sandbox; :rules shows them",
           count),
        count, unsandboxed);
}

/* They are no approvals for the session, and whoever made them looks for them here. */
static void add_rules(struct document *text, const struct rules *rules)
{
    cleanup_free char *words = NULL;

    if (rules == NULL || rules_count(rules) + rules_network_count(rules) == 0)
        return;
    words = rules_words(rules);
    document_add(text, _("Rules"), DOCUMENT_WORDS, THEME_OVERLAY_TEXT, words);
}

void restored_view_text(struct document *text, const struct console_restored *restored,
                        const struct rules *rules)
{
    cleanup_free char *calls =
        xasprintf(P_("%zu call; :log shows it", "%zu calls; :log shows them", restored->calls),
                  restored->calls);

    document_add(text, _("Gone on from"), DOCUMENT_WORDS, THEME_STRONG, restored->console);
    add_rows(text, _("Approvals that hold again (:grants takes them back)"), restored->approvals,
             _("none for the session"));
    if (restored->approvals != NULL)
        document_add(text, NULL, DOCUMENT_WORDS, THEME_OVERLAY_TEXT,
                     _("What runs a Makefile or the like holds as long as these files are as you "
                       "allowed them, else it asks again."));
    add_rules(text, rules);
    add_rows(text, _("Agents that go on"), restored->agents, _("none"));
    if (restored->zoomed)
        document_add(text, NULL, DOCUMENT_WORDS, THEME_OVERLAY_TEXT,
                     _("One of them has the whole screen, as it had."));
    if (restored->calls > 0)
        document_add(text, _("On its record"), DOCUMENT_WORDS, THEME_OVERLAY_TEXT, calls);
    if (restored->rest != NULL)
        document_add(text, _("Not brought back"), DOCUMENT_WORDS, THEME_OVERLAY_DIM,
                     restored->rest);
}

char *restored_view_nothing_yet(size_t calls)
{
    if (calls == 0)
        return xstrdup(_("Nothing has been asked yet."));
    return xasprintf(P_("Nothing has been asked since; %zu earlier call is in :log.",
                        "Nothing has been asked since; %zu earlier calls are in :log.", calls),
                     calls);
}

void restored_view_show(struct console *console, const struct console_restored *restored)
{
    struct document text = {0};

    restored_view_text(&text, restored, orchestrator_rules(console->setup.orchestrator));
    overlay_push(console, overlay_full_new(_("What came back"), &text));
    console->calls_before = restored->calls;
    console_dirty(console, DIRTY_CALLS);
    console_say(console, THEME_STRONG, _("gone on from %s"), restored->console);
}
