/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/holding.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/call_text.h"
#include "ui/lease_text.h"

#define SECOND_MS 1000

static size_t rule_count(const struct session *session)
{
    return strv_length((const char *const *)session->rule_lines);
}

size_t holding_count(const struct orchestrator *orchestrator)
{
    size_t count = 0;

    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++) {
        const struct session *session = orchestrator_session_at(orchestrator, i);

        count += grants_count(session->grants) + rule_count(session);
    }
    return count;
}

bool holding_find(const struct orchestrator *orchestrator, size_t index, struct holding *holding)
{
    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++) {
        struct session *session = orchestrator_session_at(orchestrator, i);
        size_t grants = grants_count(session->grants), rules = rule_count(session);

        if (index < grants) {
            *holding = (struct holding){session, grants_at(session->grants, index), 0};
            return true;
        }
        if (index < grants + rules) {
            *holding = (struct holding){session, NULL, index - grants};
            return true;
        }
        index -= grants + rules;
    }
    return false;
}

static char *left_text(const struct holding *holding)
{
    const struct lease *lease = &holding->grant->lease;
    cleanup_free char *whole = lease_text(lease);
    int64_t seconds =
        (grants_left_ms(holding->session->grants, holding->grant) + SECOND_MS - 1) / SECOND_MS;

    if (lease->kind == LEASE_TIME)
        return xasprintf(_("%s, %" PRId64 ":%02d left"), whole, seconds / 60, (int)(seconds % 60));
    if (lease->kind == LEASE_RUNS)
        return xasprintf(_("%s, %" PRIu64 " left"), whole, lease->runs - holding->grant->uses);
    return steal_pointer(&whole);
}

char *holding_terms(const struct holding *holding)
{
    const struct grant *grant = holding->grant;
    cleanup_free char *who = call_text_session(holding->session, 24);
    cleanup_free char *left = NULL;
    cleanup_free char *used = NULL;

    if (grant == NULL)
        return xasprintf(_("a rule for this session; %s"), who);
    left = left_text(holding);
    used =
        xasprintf(P_("used %" PRIu64 " time", "used %" PRIu64 " times", grant->uses), grant->uses);
    return xasprintf(_("%s; %s; your answer to c%" PRIu64 ", %s"), left, used, grant->call, who);
}

const char *holding_subject(const struct holding *holding)
{
    return holding->grant != NULL ? holding->grant->label
                                  : holding->session->rule_lines[holding->rule];
}

void holding_details(const struct holding *holding, struct document *document)
{
    const struct grant *grant = holding->grant;
    cleanup_free char *terms = holding_terms(holding);

    document_add_foreign(document, grant != NULL ? _("Approved") : _("Rule"), DOCUMENT_UNTRUSTED,
                         THEME_STRONG, holding_subject(holding));
    document_add(document, _("For how long"), DOCUMENT_WORDS, THEME_OVERLAY_TEXT, terms);
    if (grant != NULL)
        document_add_foreign(document, _("It covers requests that are the same in all of this"),
                             DOCUMENT_UNTRUSTED, THEME_OVERLAY_TEXT, grant->key);
}

char *holding_beside(const struct orchestrator *orchestrator)
{
    const struct rules *rules = orchestrator_rules(orchestrator);
    size_t count = rules != NULL ? rules_count(rules) + rules_network_count(rules) : 0;

    if (count == 0)
        return xstrdup(
            _("No rules in your files yet: \"allow this rule\" makes one, so does :suggest"));
    return xasprintf(P_("In force as well: %zu rule of your files; :rules shows it",
                        "In force as well: %zu rules of your files; :rules shows them", count),
                     count);
}
