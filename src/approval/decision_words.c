/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/decision_words.h"

#include <inttypes.h>
#include <string.h>

#include "approval/reach.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"

#define MINUTE_MS ((int64_t)60 * 1000)
#define SHOWN_COLUMNS 60
#define RULE_COLUMNS 30

static const char *kind_words(enum review_kind kind)
{
    switch (kind) {
    case REVIEW_APPROVED:
        return _("allowed once");
    case REVIEW_APPROVED_SANDBOXED:
        return _("allowed once, but in the sandbox");
    case REVIEW_APPROVED_PATH:
        return _("allowed once, in the sandbox, with one more path");
    case REVIEW_APPROVED_PATH_FOR_SESSION:
        return _("allowed for this session, in the sandbox, with one more path");
    case REVIEW_APPROVED_FOR_SESSION:
        return _("allowed for this session");
    case REVIEW_APPROVED_AMENDMENT:
        return _("allowed, and a rule made of it");
    case REVIEW_DENIED:
        return _("denied");
    case REVIEW_ABORT:
        return _("denied, and the session's open calls ended");
    case REVIEW_TIMED_OUT:
        return _("not answered in time");
    case REVIEW_NONE:
        break;
    }
    return _("not decided");
}

/* For how long, the answer said that covers it. */
static const char *allowed_words(const struct decided *decided)
{
    if (decided->source == DECIDED_BY_CACHE)
        return _("allowed");
    if (decided->kind == REVIEW_APPROVED &&
        (decided->source == DECIDED_BY_CONFIG || decided->source == DECIDED_BY_RULE))
        return _("allowed without a question");
    if (decided->kind == REVIEW_APPROVED_AMENDMENT && decided->rule_gone)
        return _("allowed, and a rule made of it, since taken back");
    if (decided->kind == REVIEW_APPROVED_AMENDMENT && !decided->rule_lasts)
        return _("allowed, and a rule for this session made of it");
    return kind_words(decided->kind);
}

static bool gives_path(const struct decided *decided)
{
    return decided->path != NULL &&
           (decided->kind == REVIEW_APPROVED_PATH || decided->kind == REVIEW_APPROVED_SANDBOXED ||
            decided->kind == REVIEW_APPROVED_PATH_FOR_SESSION);
}

static char *path_words(const struct decided *decided)
{
    cleanup_free char *path = text_path_ends(decided->path, strlen(decided->path), SHOWN_COLUMNS);
    if (decided->kind != REVIEW_APPROVED_PATH_FOR_SESSION)
        return xasprintf(_("allowed once, in the sandbox, writing %s"), path);
    if (decided->taken_back)
        return xasprintf(
            _("allowed for this session (since taken back), in the sandbox, writing %s"), path);
    return decided->source == DECIDED_BY_CACHE
               ? xasprintf(_("allowed in the sandbox, writing %s"), path)
               : xasprintf(_("allowed for this session, in the sandbox, writing %s"), path);
}

/* For how long, and that it is no longer so. */
static char *longer_words(const struct decided *decided)
{
    cleanup_free char *lease = decision_words_lease(&decided->lease, decided->host);
    return decided->taken_back ? xasprintf(_("allowed %s (since taken back)"), lease)
                               : xasprintf(_("allowed %s"), lease);
}

static const char *denied_words(const struct decided *decided)
{
    if (decided->changed && decided->kind == REVIEW_DENIED)
        return _("denied, as asked and as changed");
    enum review_kind kind = decided->alone ? REVIEW_DENIED : decided->kind;
    return decided->tried && kind == REVIEW_DENIED ? _("ran, second try denied") : kind_words(kind);
}

const char *decision_words_stopped(bool tried)
{
    return tried ? _("ran, second try stopped by you") : _("stopped by you");
}

char *decision_words(const struct decided *decided)
{
    if (!review_kind_approves(decided->kind))
        return decided->taken_back ? xasprintf(_("%s (since taken back)"), denied_words(decided))
                                   : xstrdup(denied_words(decided));
    if (gives_path(decided))
        return path_words(decided);
    if (decided->kind != REVIEW_APPROVED_FOR_SESSION || decided->source == DECIDED_BY_CACHE ||
        (decided->lease.kind == LEASE_SESSION && !decided->taken_back))
        return xstrdup(allowed_words(decided));
    return longer_words(decided);
}

static char *covered(const struct decided *decided)
{
    if (!review_kind_approves(decided->kind))
        return xstrdup(_("as before"));
    return decided->covered_by != 0
               ? xasprintf(_("covered by your answer to c%" PRIu64), decided->covered_by)
               : xstrdup(_("covered by an answer of yours"));
}

/* What of its path tells it from others is the end. */
static char *rule_words(const char *rule)
{
    cleanup_free char *place =
        rule != NULL ? text_path_ends(rule, strlen(rule), RULE_COLUMNS) : NULL;
    return place != NULL ? xasprintf(_("by a rule (%s)"), place) : xstrdup(_("by a rule"));
}

char *decision_words_by(const struct decided *decided)
{
    if (decided->offer != NULL) {
        cleanup_free char *safe = text_line(decided->offer, strlen(decided->offer), SHOWN_COLUMNS);
        return xasprintf(_("by its agent's answer \"%s\""), safe);
    }
    switch (decided->source) {
    case DECIDED_BY_CACHE:
        return covered(decided);
    case DECIDED_BY_USER:
        return xstrdup(decided->changed && review_kind_approves(decided->kind) ? _("changed by you")
                                                                               : _("by you"));
    case DECIDED_BY_CLIENT:
        return xstrdup(_("by its client"));
    case DECIDED_BY_STOP:
        return xstrdup(_("its agent is stopped"));
    case DECIDED_BY_END:
        return xstrdup(_("the console ended"));
    case DECIDED_BY_RULE:
        return rule_words(decided->by_rule);
    case DECIDED_BY_CONFIG:
        break;
    }
    return xstrdup(_("by the policy"));
}

char *decision_words_reached(uint64_t first, uint64_t last)
{
    if (first == 0)
        return xstrdup("");
    return last == first
               ? xasprintf(_(", its connection covered by your answer to c%" PRIu64), first)
               : xasprintf(
                     _(", its connections covered by your answers to c%" PRIu64 " and c%" PRIu64),
                     first, last);
}

char *decision_words_host(uint64_t first, uint64_t last)
{
    if (first == 0)
        return xstrdup("");
    return last == first
               ? xasprintf(_(", its host allowed by you (c%" PRIu64 ")"), first)
               : xasprintf(_(", its hosts allowed by you (first c%" PRIu64 ", last c%" PRIu64 ")"),
                           first, last);
}

char *decision_words_asked(const char *line, bool host)
{
    static const char reach[] = REACH_WORD " ";
    size_t length = strlen(reach);
    return host && strncmp(line, reach, length) == 0 ? xasprintf(_("connect to %s"), line + length)
                                                     : xstrdup(line);
}

char *decision_words_lease(const struct lease *lease, bool host)
{
    uint64_t minutes = (uint64_t)(lease->duration_ms / MINUTE_MS);
    switch (lease->kind) {
    case LEASE_TIME:
        return xasprintf(P_("for %" PRIu64 " minute", "for %" PRIu64 " minutes", minutes), minutes);
    case LEASE_RUNS:
        if (host)
            return xasprintf(P_("for %" PRIu64 " more connection",
                                "for %" PRIu64 " more connections", lease->runs),
                             lease->runs);
        return xasprintf(P_("for %" PRIu64 " more run", "for %" PRIu64 " more runs", lease->runs),
                         lease->runs);
    case LEASE_CALL:
        return xasprintf(_("until c%" PRIu64 " ends"), lease->call);
    case LEASE_SESSION:
        break;
    }
    return xstrdup(_("for this session"));
}
