/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/suggest_text.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"

#define EVIDENCE_SHOWN 200

bool suggest_text_is_wide(const struct rule_suggestion *rule)
{
    return rule->denied > 0 || rule->high || rule->program;
}

static const char *width_text(const struct rule_suggestion *rule)
{
    if (rule->place)
        return _("may be read there, as in the workspace, by what only reads");
    if (rule->exact)
        return _("exactly this");
    return rule->program ? _("this program, whatever its words are") : _("and any further words");
}

char *suggest_text_reach(const struct rule_suggestion *rule)
{
    return xasprintf("%s%s%s", width_text(rule), rule->high ? "; " : "",
                     rule->high ? _("some were of HIGH RISK") : "");
}

char *suggest_text_saves(const struct rule_suggestion *rule)
{
    struct strbuf text = STRBUF_INIT;

    strbuf_addf(&text, P_("saves %zu question", "saves %zu questions", rule->approved),
                rule->approved);
    if (rule->denied > 0) {
        strbuf_addstr(&text, "; ");
        strbuf_addf(
            &text,
            P_("ALSO ALLOWS %zu that you denied", "ALSO ALLOWS %zu that you denied", rule->denied),
            rule->denied);
    }
    return strbuf_steal(&text);
}

/* A line for each command that was answered so or otherwise; "" when there is none. */
static void list_evidence(struct strbuf *out, const struct rule_suggestion *rule, bool approved)
{
    size_t listed = 0;

    for (size_t i = 0; i < rule->count; i++) {
        const struct rule_evidence *one = &rule->evidence[i];
        size_t times = approved ? one->approved : one->denied;

        if (times == 0 || listed++ >= EVIDENCE_SHOWN)
            continue;
        strbuf_addf(out, "%s%4zu  ", out->length > 0 ? "\n" : "", times);
        text_escape(out, one->line, strlen(one->line), TEXT_PLAIN_AGENT);
        if (strcmp(one->risk, "high") == 0)
            strbuf_addf(out, "  [%s]", _("high risk"));
    }
    if (listed > EVIDENCE_SHOWN) {
        strbuf_addch(out, '\n');
        strbuf_addf(out, _("and %zu more\n"), listed - EVIDENCE_SHOWN);
    }
}

void suggest_text_details(const struct rule_suggestion *rule, struct document *document, bool *seen)
{
    cleanup_strbuf struct strbuf approved = STRBUF_INIT;
    cleanup_strbuf struct strbuf denied = STRBUF_INIT;

    document_add_foreign(document, rule->place ? _("What may be read") : _("What it newly allows"),
                         DOCUMENT_UNTRUSTED, THEME_STRONG, rule->words);
    document_add(document, NULL, DOCUMENT_WORDS, THEME_OVERLAY_TEXT, width_text(rule));
    document_add_foreign(document, _("The rule"), DOCUMENT_UNTRUSTED, THEME_OVERLAY_TEXT,
                         rule->rule);
    document_watch(document, seen);
    list_evidence(&denied, rule, false);
    if (denied.length > 0)
        document_add(document, _("It would ALSO have allowed what you denied"), DOCUMENT_ROWS,
                     THEME_WARNING, strbuf_str(&denied));
    list_evidence(&approved, rule, true);
    document_add(document, _("Questions that it would have answered as you did"), DOCUMENT_ROWS,
                 THEME_OVERLAY_TEXT, strbuf_str(&approved));
}
