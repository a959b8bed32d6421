/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/holding.h"

#include <inttypes.h>
#include <string.h>

#include "approval/decision_words.h"
#include "approval/keys.h"
#include "approval/reach.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/rules.h"
#include "ui/call_text.h"
#include "ui/key_rows.h"
#include "ui/lease_text.h"
#include "ui/rules_text.h"

#define SECOND_MS 1000
#define PATH_COLUMNS 200

static size_t rule_count(const struct session *session)
{
    return strv_length((const char *const *)session->rule_lines);
}

/* Sessions of plain clients share them: they are counted once. */
static size_t denial_count(const struct orchestrator *orchestrator, const struct session *session)
{
    const struct session *other;

    for (size_t i = 0; (other = orchestrator_session_at(orchestrator, i)) != session; i++)
        if (other->denials == session->denials)
            return 0;
    return session->denials->count;
}

static size_t session_count(const struct orchestrator *orchestrator, const struct session *session)
{
    return grants_count(session->grants) + rule_count(session) +
           denial_count(orchestrator, session);
}

static size_t kept_count(const struct orchestrator *orchestrator)
{
    const char *const *lines = orchestrator_kept_rules(orchestrator);

    return lines != NULL ? strv_length(lines) : 0;
}

size_t holding_count(const struct orchestrator *orchestrator)
{
    size_t count = 0;

    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++)
        count += session_count(orchestrator, orchestrator_session_at(orchestrator, i));
    return count + kept_count(orchestrator);
}

char *holding_session_counts(const struct orchestrator *orchestrator, const struct session *session)
{
    size_t holds = session_count(orchestrator, session);
    unsigned open = session_calls(session);

    if (session->ended)
        return xstrdup(_("gone"));
    if (session->stopped)
        return xstrdup(_("stopped"));
    return holds == 0 ? xasprintf(P_("%u open call", "%u open calls", open), open)
                      : xasprintf(_("%u open, what holds: %zu"), open, holds);
}

static bool find_denial(const struct orchestrator *orchestrator, size_t index,
                        struct holding *holding)
{
    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++) {
        struct session *session = orchestrator_session_at(orchestrator, i);
        size_t count = denial_count(orchestrator, session);

        if (index < count) {
            *holding =
                (struct holding){.session = session, .denial = &session->denials->items[index]};
            return true;
        }
        index -= count;
    }
    return false;
}

static bool find(const struct orchestrator *orchestrator, size_t index, struct holding *holding)
{
    for (size_t i = 0; i < orchestrator_session_count(orchestrator); i++) {
        struct session *session = orchestrator_session_at(orchestrator, i);
        size_t grants = grants_count(session->grants), rules = rule_count(session);

        if (index < grants) {
            *holding =
                (struct holding){.session = session, .grant = grants_at(session->grants, index)};
            return true;
        }
        if (index < grants + rules) {
            *holding = (struct holding){.session = session, .rule = index - grants};
            return true;
        }
        index -= grants + rules;
    }
    if (index < kept_count(orchestrator)) {
        *holding = (struct holding){.kept = orchestrator_kept_rules(orchestrator)[index]};
        return true;
    }
    return find_denial(orchestrator, index - kept_count(orchestrator), holding);
}

bool holding_find(const struct orchestrator *orchestrator, size_t index, struct holding *holding)
{
    bool found = find(orchestrator, index, holding);

    holding->orchestrator = orchestrator;
    return found;
}

/* ---- what comes first ---------------------------------------------------------------------- */

#define CONNECTION REACH_WORD " "

/* "https://[::1]:443": as a rule names it. The strings lie in `text`, which is changed; false: it
 * was cut. */
static bool parse_url(char *text, struct rules_connection *connection)
{
    char *host = strstr(text, "://");
    char *port = strrchr(text, ':');

    if (host == NULL || port <= host + 2)
        return false;
    *host = *port = '\0';
    host += strlen("://");
    if (*host == '[' && port[-1] == ']') {
        host++;
        port[-1] = '\0';
    }
    *connection =
        (struct rules_connection){.host = host,
                                  .protocol = strcmp(text, "socks5-tcp") == 0 ? "socks5_tcp" : text,
                                  .port = port + 1};
    return true;
}

/* An address, or localhost: nothing else is behind it. In its usual form. */
static bool is_granted_as_such(const char *host)
{
    static const char localhost[] = "localhost";
    size_t length = strlen(host), end = strlen(localhost);
    bool local = length >= end && strcmp(host + length - end, localhost) == 0 &&
                 (length == end || host[length - end - 1] == '.');

    return local || strchr(host, ':') != NULL || strspn(host, "0123456789.") == length;
}

/* Rules come before a denial, but they cover no address that a name leads to. */
static bool overrules_rule(const struct session_denial *denial, const char *line)
{
    struct rules_source source = {.path = "", .layer = RULES_SESSION};
    struct rules_connection connection;
    struct rules_reach reach;
    cleanup_free char *url = xstrdup(denial->label);
    struct rules *rules;
    bool matches = false;

    if (!denial->address || !parse_url(url, &connection) || is_granted_as_such(connection.host))
        return false;
    rules = rules_new();
    rules_add_text(rules, line, strlen(line), &source, NULL);
    for (size_t i = 0; !matches && rules_network_at(rules, i, &reach); i++) {
        connection.project = reach.to.project;
        connection.project_id = reach.to.project_id;
        matches = rules_reach_matches(&reach, &connection);
    }
    rules_free(&rules);
    return matches;
}

static bool overrules(const struct session_denial *denial, const struct holding *holding)
{
    const char *subject = holding_subject(holding);

    if (!denial->host)
        return false;
    if (holding->grant == NULL)
        return overrules_rule(denial, subject);
    return keys_summary(holding->grant->key).kind == APPROVED_HOST &&
           strncmp(subject, CONNECTION, strlen(CONNECTION)) == 0 &&
           strcmp(subject + strlen(CONNECTION), denial->label) == 0;
}

static const struct session_denial *newest_of(const struct session *session,
                                              const struct holding *holding)
{
    for (size_t i = session->denials->count; i-- > 0;)
        if (overrules(&session->denials->items[i], holding))
            return &session->denials->items[i];
    return NULL;
}

const struct session_denial *holding_overruled(const struct holding *holding)
{
    const struct session_denial *found = NULL;
    size_t count;

    if (holding->denial != NULL)
        return NULL;
    if (holding->session != NULL)
        return newest_of(holding->session, holding);
    count = holding->orchestrator != NULL ? orchestrator_session_count(holding->orchestrator) : 0;
    for (size_t i = 0; found == NULL && i < count; i++)
        found = newest_of(orchestrator_session_at(holding->orchestrator, i), holding);
    return found;
}

/* Takes the terms over. */
static char *add_overruled(const struct holding *holding, char *terms)
{
    const struct session_denial *denial = holding_overruled(holding);
    cleanup_free char *inside = denial != NULL ? terms : NULL;

    if (denial == NULL)
        return terms;
    return denial->address
               ? xasprintf(_("REFUSED where it leads as c%" PRIu64 " did, by your no to that; %s"),
                           denial->call, inside)
               : xasprintf(_("REFUSED all the same, by your no to c%" PRIu64 "; %s"), denial->call,
                           inside);
}

/* ---- in words ------------------------------------------------------------------------------ */

static char *left_text(const struct holding *holding)
{
    const struct lease *lease = &holding->grant->lease;
    cleanup_free char *whole =
        decision_words_lease(lease, keys_summary(holding->grant->key).kind == APPROVED_HOST);
    int64_t seconds =
        (grants_left_ms(holding->session->grants, holding->grant) + SECOND_MS - 1) / SECOND_MS;

    if (lease->kind == LEASE_TIME)
        return xasprintf(_("%s, %" PRId64 ":%02d left"), whole, seconds / 60, (int)(seconds % 60));
    if (lease->kind == LEASE_RUNS)
        return xasprintf(_("%s, %" PRIu64 " left"), whole, lease->runs - holding->grant->uses);
    return steal_pointer(&whole);
}

struct rule_facts {
    bool bypass, prefix;
};

/* A rule that says "allow" and no more lets out as well: only its reader can tell. */
static struct rule_facts rule_facts(const char *line)
{
    struct rules_source source = {.path = "session", .layer = RULES_SESSION};
    struct rules *rules = rules_new();
    struct rule_facts facts = {false, false};

    rules_add_text(rules, line, strlen(line), &source, NULL);
    if (rules_count(rules) > 0)
        facts = (struct rule_facts){rules_at(rules, 0)->bypass, !rules_at(rules, 0)->exact};
    rules_free(&rules);
    return facts;
}

bool holding_leaves(const struct holding *holding)
{
    if (holding->denial != NULL)
        return false;
    return holding->grant != NULL ? holding->grant->unsandboxed
                                  : rule_facts(holding_subject(holding)).bypass;
}

static char *denial_terms(const struct holding *holding, const char *who)
{
    const struct session_denial *denial = holding->denial;
    cleanup_free char *stays =
        denial->repeats == 0
            ? xstrdup(_("stays denied"))
            : xasprintf(P_("denied again %u time", "denied again %u times", denial->repeats),
                        denial->repeats);

    return xasprintf(_("%s; %s; your answer to c%" PRIu64), who, stays, denial->call);
}

/* For which a rule of any kind is; NULL: for all. */
static const char *project_of(const struct rules *rules)
{
    struct rules_reach reach;
    const char *project;

    if (rules_count(rules) > 0)
        return rules_at(rules, 0)->project;
    if (rules_network_at(rules, 0, &reach))
        return reach.to.project;
    return rules_place_at(rules, 0, &project) != NULL ? project : NULL;
}

/* Where it holds: until it is taken back. */
static char *kept_terms(const char *line)
{
    struct rules_source source = {.path = "kept", .layer = RULES_USER};
    struct rules *rules = rules_new();
    const char *project;
    cleanup_free char *safe = NULL;
    char *terms;

    rules_add_text(rules, line, strlen(line), &source, NULL);
    project = project_of(rules);
    safe = project != NULL ? text_line(project, strlen(project), PATH_COLUMNS) : NULL;
    terms = safe != NULL ? xasprintf(_("a rule that is kept, for %s"), safe)
                         : xstrdup(_("a rule that is kept"));
    rules_free(&rules);
    return terms;
}

/* Connections of one command: of nobody else's, whoever is in its session. */
static bool is_for_one_command(const struct grant *grant)
{
    return grant->lease.kind == LEASE_CALL && keys_summary(grant->key).kind == APPROVED_HOST;
}

/* "all that use assent exec; for this session"; takes `who` over. */
static char *whose_and_long(const struct holding *holding, char *who)
{
    const struct grant *grant = holding->grant;
    cleanup_free char *name = who;
    cleanup_free char *left = NULL;

    if (is_for_one_command(grant))
        return xasprintf(_("for c%" PRIu64 " alone, until it ends"), grant->lease.call);
    left = left_text(holding);
    return xasprintf("%s; %s", name, left);
}

/* For whom, how long, how often, by which answer. */
static char *plain_terms(const struct holding *holding)
{
    const struct grant *grant = holding->grant;
    cleanup_free char *who =
        holding->kept != NULL ? kept_terms(holding->kept) : call_text_session(holding->session, 24);
    cleanup_free char *left = NULL;
    cleanup_free char *used = NULL;

    if (holding->kept != NULL)
        return rule_facts(holding->kept).prefix
                   ? xasprintf("%s; %s", who, _("and any further words"))
                   : steal_pointer(&who);
    if (holding->denial != NULL)
        return denial_terms(holding, who);
    if (grant == NULL) {
        left = xasprintf(_("%s; a rule for this session"), who);
        return rule_facts(holding_subject(holding)).prefix
                   ? xasprintf("%s; %s", left, _("and any further words"))
                   : steal_pointer(&left);
    }
    left = whose_and_long(holding, steal_pointer(&who));
    used = xasprintf(P_("used %" PRIu64 " time since", "used %" PRIu64 " times since", grant->uses),
                     grant->uses);
    return xasprintf(_("%s; %s; your answer to c%" PRIu64), left, used, grant->call);
}

/* "may write /srv/www; …" */
static char *path_terms(const struct grant *grant, const char *terms)
{
    cleanup_free char *path = text_line(grant->path, strlen(grant->path), PATH_COLUMNS);

    return xasprintf(_("in the sandbox, may write %s; %s"), path, terms);
}

char *holding_terms(const struct holding *holding)
{
    bool path = holding->grant != NULL && holding->grant->path != NULL;
    char *terms = plain_terms(holding);
    cleanup_free char *inside = holding_leaves(holding) || path ? terms : NULL;

    if (path)
        return path_terms(holding->grant, inside);
    if (inside == NULL)
        return add_overruled(holding, terms);
    return xasprintf("%s; %s", _("WITHOUT the sandbox"), inside);
}

const char *holding_subject(const struct holding *holding)
{
    if (holding->denial != NULL)
        return holding->denial->label;
    if (holding->kept != NULL)
        return holding->kept;
    return holding->grant != NULL ? holding->grant->label
                                  : holding->session->rule_lines[holding->rule];
}

char *holding_words(const struct holding *holding)
{
    const char *subject = holding_subject(holding);

    if (holding->denial != NULL)
        return xstrdup(subject);
    if (holding->grant == NULL)
        return rules_text_line(subject);
    return decision_words_asked(subject, keys_summary(holding->grant->key).kind == APPROVED_HOST);
}

void holding_undo(const struct holding *holding, struct undo *undo)
{
    const struct grant *grant = holding->grant;

    *undo = (struct undo){.kind = UNDO_RULE,
                          .what = grant != NULL ? holding_words(holding)
                                                : xstrdup(holding_subject(holding))};
    if (holding->denial != NULL) {
        undo->kind = UNDO_DENIAL;
        undo->call = holding->denial->call;
    } else if (grant != NULL) {
        undo->kind = grant->path != NULL ? UNDO_PATH : UNDO_APPROVAL;
        undo->call = grant->call;
        undo->lease = grant->lease;
        undo->host = keys_summary(grant->key).kind == APPROVED_HOST;
        undo->path = grant->path != NULL ? xstrdup(grant->path) : NULL;
    }
}

/* What has to be the same for a request to be covered. */
static const char *covers(const struct grant *grant)
{
    switch (keys_summary(grant->key).kind) {
    case APPROVED_COMMAND:
        return _("just this: requests whose command, program, directory, input, variables and "
                 "sandbox are the same");
    case APPROVED_PATCH:
        return _("just this: changes of the same kind to the same file, with the same sandbox");
    case APPROVED_HOST:
        if (is_for_one_command(grant))
            return _("connections of this one command to the same host and port by the same "
                     "protocol, uploads too");
        return _("connections of any command to the same host and port by the same protocol, "
                 "uploads too");
    case APPROVED_AGENT_TOOL:
        return _("just this: the same tool of the agent's own, with the same words in the same "
                 "directory");
    case APPROVED_UNKNOWN:
        break;
    }
    return _("just this: requests that differ in nothing of what is below");
}

static void add_scope(const struct grant *grant, struct document *document)
{
    cleanup_strbuf struct strbuf rows = STRBUF_INIT;

    document_add(document, _("It covers"), DOCUMENT_WORDS, THEME_OVERLAY_TEXT, covers(grant));
    key_rows(&rows, grant->key);
    document_add_foreign(document, _("Requests that are the same in all of this"), DOCUMENT_ROWS,
                         THEME_OVERLAY_DIM, strbuf_str(&rows));
}

/* Who else than the one that asked. */
static void add_askers(const struct holding *holding, struct document *document)
{
    cleanup_free char *reach = call_text_reach(holding->session);
    bool alone = holding->grant != NULL && is_for_one_command(holding->grant);

    if (reach != NULL && !alone)
        document_add(document, _("For whom"), DOCUMENT_WORDS, THEME_OVERLAY_TEXT, reach);
}

void holding_details(const struct holding *holding, struct document *document)
{
    const struct grant *grant = holding->grant;
    cleanup_free char *terms = add_overruled(holding, plain_terms(holding));
    cleanup_free char *words = holding_words(holding);

    document_add_foreign(document,
                         holding->denial != NULL ? _("Denied")
                         : grant != NULL         ? _("Approved")
                                                 : _("Rule"),
                         DOCUMENT_UNTRUSTED, THEME_STRONG, words);
    if (holding_leaves(holding))
        document_add(document, _("Runs under"), DOCUMENT_WORDS, THEME_WARNING,
                     _("no sandbox: it can do all that you can do"));
    if (grant != NULL && grant->path != NULL)
        document_add_foreign(document, _("May write as well"), DOCUMENT_UNTRUSTED,
                             THEME_OVERLAY_TEXT, grant->path);
    document_add(document, _("For how long"), DOCUMENT_WORDS, THEME_OVERLAY_TEXT, terms);
    if (holding->kept == NULL && holding->denial == NULL)
        add_askers(holding, document);
    if (grant != NULL)
        add_scope(grant, document);
    else if (holding->denial == NULL)
        document_add_foreign(document, _("As it is written"), DOCUMENT_UNTRUSTED, THEME_OVERLAY_DIM,
                             holding_subject(holding));
}

static size_t count_of_files(const struct orchestrator *orchestrator)
{
    const struct rules *rules = orchestrator_rules(orchestrator);

    return rules != NULL ? rules_count(rules) + rules_network_count(rules) : 0;
}

/* Not all rules of files are listed here, but they hold. */
const char *holding_none(const struct orchestrator *orchestrator)
{
    return count_of_files(orchestrator) > 0
               ? _("Nothing of this session yet. Answers for it, and its rules, stand here.")
               : _("Nothing yet. An answer for this session, or a rule of one, stands here.");
}

char *holding_beside(const struct orchestrator *orchestrator)
{
    size_t count = count_of_files(orchestrator);

    if (count == 0)
        return xstrdup(
            _("No rules in your files yet: an answer \"... for this project\" makes one"));
    return xasprintf(P_("Of your files %zu rule is in force; :rules shows it",
                        "Of your files %zu rules are in force; :rules shows them", count),
                     count);
}
