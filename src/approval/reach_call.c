/* SPDX-License-Identifier: MIT */
/* reach_call: the calls that ask about hosts, and what commands' connections did. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "approval/decision_words.h"
#include "approval/orchestrator-int.h"
#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "base/i18n.h"

/* Questions of one command at a time: whoever is asked about hundreds of hosts reads none. */
#define OPEN_MAX 32
/* Denied hosts that a command's result tells, and hosts that were not reached. */
#define UNREACHED_MAX 32
/* Hosts of which it is kept by which answer a command reached them. */
#define COVERED_MAX 256

/* ---- what a command is denied ---------------------------------------------------------------- */

/* Takes the string over. */
static void append_text(char ***texts, char *text)
{
    size_t count = strv_length((const char *const *)*texts);
    *texts = xreallocarray(*texts, count + 2, sizeof(**texts));
    (*texts)[count] = text;
    (*texts)[count + 1] = NULL;
}

/* What is told already, or a limit: a program may try the same hundreds of times. */
static bool need_not_tell(const struct call *command, const char *line)
{
    const char *const *told = (const char *const *)command->unreached;
    return strv_has(told, line) || strv_length(told) >= UNREACHED_MAX;
}

/* Few programs show what a proxy says: the result of the command does. False when it says so
 * already. */
static bool tell_unreached(struct call *command, const struct reach *reach,
                           enum decision_source source, const char *words)
{
    cleanup_free char *url = reach_url(reach);
    cleanup_free char *line = words != NULL ? xasprintf("%s: %s", url, words) : xstrdup(url);
    if (need_not_tell(command, line))
        return false;
    append_text(&command->unreached, xstrdup(line));
    append_text(&command->unreached_by, xstrdup(decision_source_name(source)));
    return true;
}

/* Nobody is asked, and no call is made of it: else neither side would know why nothing came. */
static void deny_again(struct orchestrator *orchestrator, struct call *command,
                       const struct reach *reach, const char *key)
{
    const struct session_denial *denial = session_find_denial(command->session, key);
    if (!tell_unreached(command, reach, DECIDED_BY_USER, denial->message))
        return;
    cleanup_free char *url = reach_url(reach);
    session_repeat_denial(command->session, key);
    orchestrator_notice(
        orchestrator, NOTICE_WARNING,
        _("c%" PRIu64 ": %s is denied as before; :forget c%" PRIu64 " lets it ask again"),
        command->id, url, denial->call);
}

/* ---- judging --------------------------------------------------------------------------------- */

static void require(const struct orchestrator *orchestrator, const struct session *session,
                    const struct turn_context *context, const struct reach *reach,
                    struct approval_requirement *requirement)
{
    const struct rules *rules[3] = {session->rules, orchestrator->rules, NULL};
    reach_require(reach, context, rules, requirement);
    if (orchestrator->rules_broken == NULL || requirement->kind != REQUIREMENT_SKIP)
        return;
    /* Nobody knows what the file that cannot be read forbids. */
    requirement->kind = REQUIREMENT_NEEDS_APPROVAL;
    requirement->reason = wording_from(N_("a rule file could not be read"));
}

void reach_judge_requirement(struct call_entry *entry)
{
    struct call *call = &entry->call;
    require(entry->orchestrator, call->session, call->context, call->reach, &call->requirement);
}

bool reach_rule_would_allow(const struct call_entry *entry, const char *line)
{
    const struct rules_source source = {.path = "", .layer = RULES_SESSION};
    const struct orchestrator *orchestrator = entry->orchestrator;
    struct rules *rule = rules_new();
    struct approval_requirement requirement = {.kind = REQUIREMENT_SKIP};
    const struct rules *all[4] = {entry->call.session->rules, rule, orchestrator->rules, NULL};
    rules_add_text(rule, line, strlen(line), &source, NULL);
    reach_require(entry->call.reach, entry->call.context, all, &requirement);
    bool allows = requirement.kind == REQUIREMENT_SKIP;
    approval_requirement_clear(&requirement);
    rules_free(&rule);
    return allows;
}

struct ladder *reach_make_ladder(const struct call_entry *entry)
{
    const struct reach *reach = entry->call.reach;
    bool covered = reach->special == NULL || reach->own_name;
    return covered && entry->call.assessment.level < RISK_HIGH
               ? ladder_new_reach(reach, entry->call.context->root)
               : NULL;
}

void reach_judge(struct call_entry *entry)
{
    struct call *call = &entry->call;
    reach_judge_requirement(entry);
    reach_assess(call->reach, &call->assessment);
    free(call->line);
    call->line = reach_url(call->reach);
    free(entry->question);
    entry->question = reach_key(call->reach);
    const char *const remembered[] = {entry->question, NULL};
    strv_free(&call->keys);
    call->keys = strv_copy(remembered);
    entry->grants_at_hand = grants_newest(call->session->grants);
}

static struct reach_cover *find_cover(const struct call *command, const char *url)
{
    for (size_t i = 0; url != NULL && i < command->covered_count; i++)
        if (strcmp(command->covered[i].url, url) == 0)
            return &command->covered[i];
    return NULL;
}

/* Nobody is asked: whoever looks at the command finds which answer it was, and is told so once. */
static void note_cover(struct orchestrator *orchestrator, struct call *command,
                       const struct reach *reach, uint64_t by, const struct lease *lease)
{
    cleanup_free char *url = reach_url(reach);
    struct reach_cover *cover = find_cover(command, url);
    if (cover == NULL && command->covered_count >= COVERED_MAX)
        return;
    if (cover == NULL) {
        command->covered =
            xreallocarray(command->covered, command->covered_count + 1, sizeof(*command->covered));
        cover = &command->covered[command->covered_count++];
        cover->url = steal_pointer(&url);
        cleanup_free char *holds = decision_words_lease(lease, true);
        orchestrator_notice(orchestrator, NOTICE_INFO,
                            _("c%" PRIu64 " may reach %s: you allowed it with c%" PRIu64 ", %s"),
                            command->id, cover->url, by, holds);
    }
    cover->by = by;
}

/* By an answer that was given before; it may be its last use. */
static bool is_covered(struct orchestrator *orchestrator, struct call *command,
                       const struct reach *reach)
{
    uint64_t id = leases_cover_reach(command, reach);
    const struct grant *grant = grants_find_id(command->session->grants, id);
    uint64_t by = grant != NULL ? grant->call : 0;
    struct lease lease = grant != NULL ? grant->lease : (struct lease){.kind = LEASE_SESSION};
    if (lease.kind == LEASE_RUNS) /* what is left behind this one */
        lease.runs -= grant->uses + 1;
    if (leases_use_reach(orchestrator, command, reach) == 0)
        return false;
    note_cover(orchestrator, command, reach, by, &lease);
    return true;
}

void orchestrator_known_reach(struct orchestrator *orchestrator, struct call *command,
                              const struct reach *reach, struct reach_answer *answer)
{
    struct session *session = command->session;
    struct approval_requirement requirement = {.kind = REQUIREMENT_SKIP};
    cleanup_free char *key = reach_key(reach);
    const struct session_denial *denial = session_find_denial(session, key);
    *answer = (struct reach_answer){.source = DECIDED_BY_CACHE};
    require(orchestrator, session, command->context, reach, &requirement);
    if (requirement.kind == REQUIREMENT_FORBIDDEN) {
        answer->known = true;
        answer->source = requirement.category == PROMPT_RULE ? DECIDED_BY_RULE : DECIDED_BY_CONFIG;
        answer->message = xstrdup(wording_english(requirement.reason));
    } else if (requirement.kind == REQUIREMENT_SKIP) {
        answer->known = answer->allowed = true;
        answer->source = DECIDED_BY_RULE;
    } else if (denial != NULL) {
        answer->known = true;
        answer->message = denial->message != NULL ? xstrdup(denial->message) : NULL;
        deny_again(orchestrator, command, reach, key);
    } else if (is_covered(orchestrator, command, reach)) {
        answer->known = answer->allowed = true;
    }
    approval_requirement_clear(&requirement);
}

/* ---- asking ---------------------------------------------------------------------------------- */

static struct command_spec *spec_of(const struct call *command, const struct reach *reach)
{
    struct command_spec *spec = command_spec_new();
    cleanup_free char *url = reach_url(reach);
    const char *const argv[] = {REACH_WORD, url, NULL};
    spec->argv = strv_copy(argv);
    spec->cwd = xstrdup(command->spec->cwd);
    if (command->spec->justification != NULL)
        spec->justification = xstrdup(command->spec->justification);
    return spec;
}

static int check(const struct call_entry *command, struct error *error)
{
    if (command->call.state != CALL_RUNNING || command->cancel_requested ||
        command->call.session->closing)
        return error_set(error, 0, "the command is ending");
    if (command->open_reaches >= OPEN_MAX)
        return error_set(error, 0,
                         "%d hosts of this command wait for an answer already: ask again when they "
                         "are decided",
                         OPEN_MAX);
    return 0;
}

struct call *orchestrator_ask_reach(struct orchestrator *orchestrator, struct call *command,
                                    struct reach *reach, struct error *error)
{
    struct call_entry *parent = (struct call_entry *)command;
    if (check(parent, error) != 0) {
        reach_free(&reach);
        return NULL;
    }
    const struct call_options options = {.client = command->client};
    reach->command = command->id;
    reach->sends = assessment_sends_data(&command->assessment);
    free(reach->command_line);
    reach->command_line =
        prompt_command_line((const char *const *)command->spec->argv, parent->program_installed);
    struct call_entry *entry =
        entry_new(orchestrator, command->session, CALL_NETWORK, spec_of(command, reach), &options);
    turn_context_unref(&entry->call.context);
    entry->call.context = turn_context_ref(command->context);
    entry->call.reach = reach;
    /* What is let out with it: a push is often asked about only so. */
    entry->call.pushes = push_commits_copy(&command->pushes);
    if (parent->open_reaches++ == 0 && command->run != NULL)
        run_pause_clock(command->run, true); /* a command's time stands still while it waits */
    return entry_take_in(orchestrator, entry);
}

void orchestrator_change_waiting(struct orchestrator *orchestrator, struct call *call,
                                 unsigned waiting, unsigned older)
{
    (void)orchestrator;
    if (call->reach == NULL)
        return;
    call->reach->waiting = waiting;
    call->reach->older = older;
}

/* Where the program gave up before anybody answered, nobody refused. */
static void note_unreached(struct call *command, const struct call *asked)
{
    const struct review_decision *decision = &asked->decision;
    const char *words = decision->message;
    enum decision_source source = decision->source;
    if (decision->kind == REVIEW_NONE || review_kind_approves(decision->kind))
        return;
    if (source == DECIDED_BY_CACHE) /* of denials it holds the operator's alone */
        source = DECIDED_BY_USER;
    if (words == NULL && source != DECIDED_BY_USER && asked->requirement.reason != NULL)
        words = wording_english(asked->requirement.reason);
    tell_unreached(command, asked->reach, source, words);
}

void reach_finished(struct call_entry *entry)
{
    struct call_entry *parent = entry_find(entry->orchestrator, entry->call.reach->command);
    if (parent != NULL)
        note_unreached(&parent->call, &entry->call);
    if (parent != NULL && --parent->open_reaches == 0 && parent->call.run != NULL)
        run_pause_clock(parent->call.run, false);
}

/* ---- connections ----------------------------------------------------------------------------- */

void reach_open_gateway(struct call_entry *entry, int listener)
{
    fd_close(&entry->call.gateway);
    entry->call.gateway = listener;
    announce(entry->orchestrator, gateway_opened, &entry->call);
}

static bool is_about(const struct call *asked, const struct call *command, const char *to)
{
    if (asked->reach == NULL || asked->reach->command != command->id)
        return false;
    cleanup_free char *url = reach_url(asked->reach);
    return strcmp(url, to) == 0;
}

/* Its agent sees that a connection failed, but few programs show why. */
static void note_failure(struct call *command, const char *url, const char *why)
{
    size_t at = 0;
    while (at < command->failure_count && strcmp(command->failures[at].url, url) != 0)
        at++;
    bool known = at < command->failure_count;
    if (known) {
        reach_failure_clear(&command->failures[at]);
        command->failures[at] = command->failures[--command->failure_count];
    }
    if (why == NULL || command->failure_count >= UNREACHED_MAX)
        return;
    command->failures =
        xreallocarray(command->failures, command->failure_count + 1, sizeof(*command->failures));
    command->failures[command->failure_count++] =
        (struct reach_failure){xstrdup(url), xstrdup(why)};
}

/* What was allowed is not done where nothing answers there. Returns the call by which the operator
 * allowed it, 0 when there is none. */
static uint64_t note_outcome(struct orchestrator *orchestrator, struct call *command,
                             const struct reach_connection *connection)
{
    bool failed = strcmp(connection->outcome, "failed") == 0;
    const char *why = failed ? connection->detail : NULL;
    size_t count = orchestrator_call_count(orchestrator);
    uint64_t by = 0;
    if (connection->url == NULL || (!failed && strcmp(connection->outcome, "passed") != 0))
        return 0;
    for (size_t i = 0; i < count; i++) {
        struct call *call = orchestrator_call_at(orchestrator, i);
        if (!is_about(call, command, connection->url))
            continue;
        free(call->reach->unreached);
        call->reach->unreached = why != NULL ? xstrdup(why) : NULL;
        if (call->decision.source == DECIDED_BY_USER && review_kind_approves(call->decision.kind))
            by = call->id;
    }
    note_failure(command, connection->url, why);
    return by;
}

void orchestrator_tell_connection(struct orchestrator *orchestrator, struct call *command,
                                  const struct reach_connection *connection)
{
    struct reach_connection told = *connection;
    const struct reach_cover *cover =
        strcmp(connection->outcome, "denied") != 0 ? find_cover(command, connection->url) : NULL;
    uint64_t by = note_outcome(orchestrator, command, connection);
    told.covered_by = cover != NULL ? cover->by : 0;
    told.allowed_by = cover == NULL ? by : 0;
    command->connections++;
    command->sent += connection->sent;
    command->received += connection->received;
    announce(orchestrator, connection_ended, command, &told);
}
