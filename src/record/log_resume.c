/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_resume.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "approval/call.h"
#include "approval/decision_words.h"
#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/path.h"
#include "base/process.h"
#include "record/log_denials.h"
#include "record/log_files.h"
#include "record/log_index.h"
#include "record/log_lineage.h"
#include "record/log_query.h"
#include "record/log_taken.h"
#include "record/log_verify.h"
#include "risk/mask.h"

/* A session of the log. */
struct past_session {
    char *id;
    char *name;
    int64_t started_ms;
    struct log_legacy left;
    struct grants *voided; /* ended because a file changed, and not given again */
};

/* An agent that the console had started. */
struct past_agent {
    uint64_t call;
    char *conversation; /* as it calls its session */
    char **words;       /* that start it again, NULL: nothing does */
    bool ended;         /* by itself, or left by the operator */
};

struct log_resume {
    char *console;
    char *meant; /* the console that was named, if others have gone on from it */
    char *root;
    int lock; /* the log, locked: no other console resumes it */
    struct past_session *sessions;
    size_t count;
    struct past_agent *agents;
    size_t agent_count;
    bool one_session;    /* plain clients are not told apart by their programs */
    struct grants *none; /* what is left where nothing is */
    uint64_t last_call;  /* number of a call, 0: none */
    uint64_t zoomed;     /* call whose pane had the whole screen, 0: none */
    struct log_resume_rest rest;
    uint64_t *lease_calls; /* that got leases which had not ended */
    /* Those that are over, the first of them; NULL-terminated, or NULL. Of denials the newest. */
    char **leases, **rules, **voided, **denied;
    json_t *denials; /* all of them, see log_denials.h */
};

/* ---- what happened --------------------------------------------------------------------------- */

static const char *text_of(const json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(event, key));
    return text != NULL ? text : "";
}

static struct past_session *find_session(const struct log_resume *resume, const char *id)
{
    for (size_t i = resume->count; i > 0; i--)
        if (strcmp(resume->sessions[i - 1].id, id) == 0)
            return &resume->sessions[i - 1];
    return NULL;
}

static void add_session(struct log_resume *resume, const json_t *event)
{
    const char *origin = text_of(event, "origin"), *time = text_of(event, "time");
    struct past_session session = {.id = xstrdup(text_of(event, "session")),
                                   .name = xstrdup(text_of(event, "name")),
                                   .started_ms = clock_parse_utc(time, strlen(time)),
                                   .left = {.origin = SESSION_CLIENT}};
    session.left.name = session.name;
    session.left.grants = grants_new(NULL);
    session.voided = grants_new(NULL);
    session.left.peer_pid = (pid_t)json_integer_value(json_object_get(event, "peer_pid"));
    if (strcmp(origin, "operator") == 0)
        session.left.origin = SESSION_OPERATOR;
    else if (strcmp(origin, "default") == 0)
        session.left.origin = SESSION_DEFAULT;
    if (session.left.origin == SESSION_OPERATOR && resume->root[0] == '\0') {
        free(resume->root);
        resume->root = xstrdup(text_of(json_object_get(event, "context"), "root"));
    }
    resume->sessions =
        xreallocarray(resume->sessions, resume->count + 1, sizeof(*resume->sessions));
    resume->sessions[resume->count++] = session;
}

/* Leases and what covers no more than its call are not kept, nor what holds a secret: its keys were
 * not written. */
static void add_grant(const struct past_session *session, json_t *event)
{
    char **keys = NULL;
    if (json_object_get(event, "lease") == NULL &&
        json_get_strv_optional(event, "grant_keys", SIZE_MAX, &keys, NULL) == 0 && keys != NULL) {
        grants_add(session->left.grants, (const char *const *)keys, text_of(event, "grant_label"),
                   (uint64_t)json_integer_value(json_object_get(event, "call")), NULL);
        grants_note_seen(session->left.grants, (const char *const *)keys, 0,
                         json_string_value(json_object_get(event, "grant_files")), NULL);
        grants_revoke(session->voided,
                      grants_cover(session->voided, (const char *const *)keys, false));
    }
    strv_free(&keys);
}

/* What a file's change has ended is not missed once it is given again; until then it is told of. */
static void void_grant(const struct past_session *session, const struct grant *grant,
                       const json_t *event)
{
    const char *const keys[] = {grant->key, NULL};
    const char *changed = text_of(event, "changed");
    cleanup_free char *label =
        *changed != '\0' ? xasprintf("%s (%s)", grant->label, changed) : xstrdup(grant->label);
    grants_add(session->voided, keys, label, grant->call, NULL);
}

static void end_grants(const struct past_session *session, const json_t *event)
{
    uint64_t call = (uint64_t)json_integer_value(json_object_get(event, "call"));
    bool taken_back = strcmp(text_of(event, "why"), "revoked") == 0;
    for (size_t i = grants_count(session->left.grants); i > 0; i--) {
        const struct grant *grant = grants_at(session->left.grants, i - 1);
        if (grant->call != call)
            continue;
        if (!taken_back)
            void_grant(session, grant, event);
        grants_revoke(session->left.grants, grant->id);
    }
}

/* The newest word of what a call's agent calls its session. */
static void note_conversation(struct log_resume *resume, const json_t *event)
{
    uint64_t call = (uint64_t)json_integer_value(json_object_get(event, "call"));
    struct past_agent *agent = NULL;
    for (size_t i = 0; i < resume->agent_count && agent == NULL; i++)
        if (resume->agents[i].call == call)
            agent = &resume->agents[i];
    if (agent == NULL) {
        resume->agents =
            xreallocarray(resume->agents, resume->agent_count + 1, sizeof(*resume->agents));
        agent = &resume->agents[resume->agent_count++];
        *agent = (struct past_agent){.call = call};
    }
    free(agent->conversation);
    agent->conversation = xstrdup(text_of(event, "conversation"));
}

/* Takes the string over. */
static void note_name(char ***names, char *name)
{
    size_t count = strv_length((const char *const *)*names);
    *names = xreallocarray(*names, count + 2, sizeof(**names));
    (*names)[count] = name;
    (*names)[count + 1] = NULL;
}

/* A lease is over with its console, and so is a rule of a session. */
static void count_what_ends(struct log_resume *resume, const json_t *event)
{
    bool amends = strcmp(text_of(event, "kind"), "approved_amendment") == 0 &&
                  strcmp(text_of(event, "source"), "user") == 0;
    bool lease =
        json_object_get(event, "lease") != NULL && strcmp(text_of(event, "source"), "user") == 0;
    bool rule = amends && strstr(text_of(event, "rule"), "project_id=") == NULL;
    if (lease) {
        resume->lease_calls = xreallocarray(resume->lease_calls, resume->rest.leases + 1,
                                            sizeof(*resume->lease_calls));
        resume->lease_calls[resume->rest.leases++] =
            (uint64_t)json_integer_value(json_object_get(event, "call"));
    }
    if (rule)
        note_name(&resume->rules, xstrdup(text_of(event, "rule")));
}

/* One that had ended, or that the operator took back, is not missed. */
static void forget_lease(struct log_resume *resume, const json_t *event)
{
    uint64_t call = (uint64_t)json_integer_value(json_object_get(event, "call"));
    size_t kept = 0;
    for (size_t i = 0; i < resume->rest.leases; i++)
        if (resume->lease_calls[i] != call)
            resume->lease_calls[kept++] = resume->lease_calls[i];
    resume->rest.leases = kept;
}

static void forget_rule(struct log_resume *resume, const json_t *event)
{
    size_t count = strv_length((const char *const *)resume->rules);
    const char *rule = log_taken_rule(text_of(event, "text"));
    size_t at = rule != NULL ? strv_find_last((const char *const *)resume->rules, rule) : count;
    if (at == count)
        return;
    free(resume->rules[at]);
    memmove(&resume->rules[at], &resume->rules[at + 1],
            (count - at) * sizeof(*resume->rules)); /* and the NULL */
}

static void note_layout(struct log_resume *resume, const json_t *event)
{
    uint64_t call = (uint64_t)json_integer_value(json_object_get(event, "call"));
    resume->zoomed = json_is_true(json_object_get(event, "zoomed")) ? call : 0;
}

/* Its console may have had no call, and the one before it many. */
static void take_start(struct log_resume *resume, const json_t *event)
{
    json_int_t last = json_integer_value(json_object_get(event, "last_call"));
    if (last > 0 && last <= UINT32_MAX && (uint64_t)last > resume->last_call)
        resume->last_call = (uint64_t)last;
}

static void take_event(struct log_resume *resume, json_t *event)
{
    const char *name = text_of(event, "event");
    if (strcmp(name, "log_start") == 0)
        take_start(resume, event);
    if (strcmp(name, "layout") == 0)
        note_layout(resume, event);
    if (strcmp(name, "decision") == 0)
        count_what_ends(resume, event);
    if (strcmp(name, "conversation") == 0)
        note_conversation(resume, event);
    if (strcmp(name, "session_start") == 0) {
        add_session(resume, event);
        return;
    }
    if (strcmp(name, "grant_ended") == 0)
        forget_lease(resume, event);
    if (strcmp(name, "notice") == 0)
        forget_rule(resume, event);
    struct past_session *session = find_session(resume, text_of(event, "session"));
    if (session == NULL)
        return;
    if (strcmp(name, "decision") == 0 || strcmp(name, "grant_restored") == 0)
        add_grant(session, event);
    const char *why = text_of(event, "why");
    if (strcmp(name, "grant_ended") == 0 &&
        (strcmp(why, "revoked") == 0 || strcmp(why, "files") == 0 || strcmp(why, "path") == 0))
        end_grants(session, event);
}

static json_t *read_line(const struct log_index *index, size_t line)
{
    cleanup_free char *text = log_index_text(index, line);
    return text != NULL ? json_parse(text, strlen(text), NULL) : NULL;
}

static bool is_host(const json_t *received)
{
    return strcmp(text_of(received, "tool"), "network") == 0;
}

/* "c5 make test", as its request showed it: of a shell that is known to be one the script alone.
 * Caller frees. */
static char *called(uint64_t call, const json_t *received)
{
    const char *program = text_of(received, "program");
    cleanup_strv char **argv = NULL;
    if (json_get_strv_optional(received, "argv", SIZE_MAX, &argv, NULL) < 0 || argv == NULL)
        return xasprintf("c%" PRIu64, call);
    cleanup_free char *command =
        prompt_command_line((const char *const *)argv, path_is_system_program(program));
    cleanup_free char *asked = decision_words_asked(command, is_host(received));
    return xasprintf("c%" PRIu64 " %s", call, asked);
}

/* What ran by the lease: a decision does not say it again. */
static char *lease_name(const struct log_index *index, uint64_t call)
{
    for (size_t line = 0; line < log_index_count(index); line++) {
        const struct log_entry *entry = log_index_at(index, line);
        if (entry->event != LOG_EVENT_CALL_RECEIVED || entry->call != call)
            continue;
        cleanup_json json_t *event = read_line(index, line);
        return called(call, event);
    }
    return xasprintf("c%" PRIu64, call);
}

static void name_leases(struct log_resume *resume, const struct log_index *index)
{
    for (size_t i = 0; i < resume->rest.leases && i < LOG_RESUME_NAMES; i++)
        note_name(&resume->leases, lease_name(index, resume->lease_calls[i]));
}

static void name_voided(struct log_resume *resume)
{
    for (size_t i = 0; i < resume->count; i++) {
        const struct grants *voided = resume->sessions[i].voided;
        for (size_t j = 0; j < grants_count(voided); j++) {
            const struct grant *grant = grants_at(voided, j);
            if (resume->rest.voided++ < LOG_RESUME_NAMES)
                note_name(&resume->voided, xasprintf("c%" PRIu64 " %s", grant->call, grant->label));
        }
    }
}

static void put_first(char ***names, char *name)
{
    size_t count = strv_length((const char *const *)*names);
    if (count == LOG_RESUME_NAMES)
        free((*names)[--count]);
    *names = xreallocarray(*names, count + 2, sizeof(**names));
    memmove(*names + 1, *names, count * sizeof(**names));
    (*names)[0] = name;
    (*names)[count + 1] = NULL;
}

/* They come in their order. */
static bool note_denial(void *argument, const struct log_call *call)
{
    struct log_resume *resume = argument;
    resume->rest.denials++;
    log_denials_add(resume->denials, call);
    put_first(&resume->denied, called(call->number, call->received));
    return true;
}

/* Whoever started next had to end its log. */
static bool was_killed(const struct log_index *index)
{
    size_t count = log_index_count(index);
    cleanup_json json_t *last = count > 0 ? read_line(index, count - 1) : NULL;
    return strcmp(text_of(last, "event"), "log_repaired") == 0;
}

static void read_log(struct log_resume *resume, const struct log_index *index)
{
    for (size_t line = 0; line < log_index_count(index); line++) {
        const struct log_entry *entry = log_index_at(index, line);
        unsigned kind = entry->event;
        resume->last_call = entry->call > resume->last_call ? entry->call : resume->last_call;
        resume->rest.calls += kind == LOG_EVENT_CALL_RECEIVED;
        resume->rest.open += kind == LOG_EVENT_CALL_RECEIVED;
        resume->rest.open -= kind == LOG_EVENT_FINISHED && resume->rest.open > 0;
        if (line != 0 && kind != LOG_EVENT_SESSION_START && kind != LOG_EVENT_DECISION &&
            kind != LOG_EVENT_GRANT && kind != LOG_EVENT_CONVERSATION && kind != LOG_EVENT_LAYOUT &&
            kind != LOG_EVENT_NOTICE)
            continue;
        cleanup_json json_t *event = read_line(index, line);
        if (json_is_object(event))
            take_event(resume, event);
    }
    resume->rest.killed = was_killed(index);
    log_query_run(index, resume->console, &(struct log_query){.denials = true}, note_denial,
                  resume);
    name_leases(resume, index);
    name_voided(resume);
    resume->rest.rules = strv_length((const char *const *)resume->rules);
    for (size_t i = LOG_RESUME_NAMES; i < resume->rest.rules; i++)
        free(steal_pointer(&resume->rules[i]));
}

/* ---- agents ---------------------------------------------------------------------------------- */

/* `assent acp …` as it was started, going on with the conversation; NULL when that is not known. */
static char **words_again(const struct past_agent *agent, json_t *received)
{
    cleanup_strv char **argv = NULL;
    if (json_get_strv_optional(received, "argv", SIZE_MAX, &argv, NULL) < 0 || argv == NULL ||
        json_object_get(received, "argv_b64") != NULL || argv[0] == NULL || argv[1] == NULL ||
        strcmp(argv[1], "acp") != 0 || agent->conversation[0] == '\0')
        return NULL;
    size_t count = strv_length((const char *const *)argv), used = 0;
    char **words = xcalloc(count + 2, sizeof(*words));
    words[used++] = xstrdup(argv[1]);
    words[used++] = xasprintf("--load=%s", agent->conversation);
    for (char **word = argv + 2; *word != NULL; word++) {
        if (strncmp(*word, "--load=", strlen("--load=")) != 0)
            words[used++] = xstrdup(*word);
        if (strstr(*word, MASK_SIGN) != NULL) {
            strv_free(&words);
            return NULL;
        }
    }
    return words;
}

/* One that ended by itself, or that the operator left, is not wanted any more. */
static void find_words(struct log_resume *resume, const struct log_index *index)
{
    for (size_t line = 0; line < log_index_count(index) && resume->agent_count > 0; line++) {
        const struct log_entry *entry = log_index_at(index, line);
        struct past_agent *agent = NULL;
        for (size_t i = 0; i < resume->agent_count && entry->call != 0; i++)
            if (resume->agents[i].call == entry->call)
                agent = &resume->agents[i];
        if (agent == NULL ||
            (entry->event != LOG_EVENT_CALL_RECEIVED && entry->event != LOG_EVENT_FINISHED))
            continue;
        cleanup_json json_t *event = read_line(index, line);
        if (entry->event == LOG_EVENT_CALL_RECEIVED && agent->words == NULL)
            agent->words = words_again(agent, event);
        else if (!json_is_true(json_object_get(event, "cancelled"))) {
            strv_free(&agent->words);
            agent->ended = true;
        }
    }
}

/* ---- opening it ------------------------------------------------------------------------------ */

/* Whoever holds the lock either lives in this log or has resumed it. */
static int take_lock(struct log_resume *resume, const struct log_file *file, struct error *error)
{
    resume->lock = open(file->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (resume->lock < 0)
        return error_errno(error, errno, "cannot read %s", file->path);
    if (flock(resume->lock, LOCK_EX | LOCK_NB) < 0)
        return error_set(error, EBUSY,
                         "the session is open in another console, of which there can be one: go on "
                         "there, or end it first (its record is %s)",
                         file->path);
    return 0;
}

static int check_log(const struct log_place *place, const char *console, struct error *error)
{
    struct log_report report;
    if (log_verify(place->directory, place->anchors, console, &report, error) < 0)
        return -1;
    int result = 0;
    if (report.verdict != LOG_INTACT)
        result = error_set(error, EBADMSG,
                           "the record %s cannot be trusted (%s): assent log verify says more; "
                           "start a new session",
                           console, log_verdict_name(report.verdict));
    log_report_clear(&report);
    return result;
}

static const struct log_file *find_file(const struct log_files *files, const char *console)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i].console, console) == 0)
            return &files->items[i];
    return NULL;
}

static int open_chosen(struct log_resume *resume, const struct log_place *place,
                       const struct log_files *files, struct error *error)
{
    const struct log_file *file = find_file(files, resume->console);
    if (file == NULL)
        return error_set(error, ENOENT, "there is no record %s", resume->console);
    if (take_lock(resume, file, error) < 0 || check_log(place, resume->console, error) < 0)
        return -1;
    struct log_index *index = log_index_open(file, error);
    if (index == NULL)
        return -1;
    read_log(resume, index);
    find_words(resume, index);
    log_index_free(&index);
    return 0;
}

struct log_resume *log_resume_open(const struct log_place *place, const char *name,
                                   struct error *error)
{
    struct log_files files;
    if (log_files_find(place->directory, &files, error) < 0)
        return NULL;
    cleanup_free char *meant = NULL;
    char *console = log_lineage_choose(place, &files, name, &meant, error);
    struct log_resume *resume = NULL;
    if (console != NULL) {
        resume = XNEW(struct log_resume);
        resume->console = console;
        resume->meant = strcmp(meant, console) != 0 ? steal_pointer(&meant) : NULL;
        resume->root = xstrdup("");
        resume->lock = -1;
        resume->none = grants_new(NULL);
        resume->denials = json_array();
        if (open_chosen(resume, place, &files, error) < 0)
            log_resume_free(&resume);
    }
    log_files_clear(&files);
    return resume;
}

void log_resume_free(struct log_resume **place)
{
    struct log_resume *resume = *place;
    if (resume == NULL)
        return;
    for (size_t i = 0; i < resume->count; i++) {
        free(resume->sessions[i].id);
        free(resume->sessions[i].name);
        grants_free(&resume->sessions[i].left.grants);
        grants_free(&resume->sessions[i].voided);
    }
    free(resume->sessions);
    for (size_t i = 0; i < resume->agent_count; i++) {
        free(resume->agents[i].conversation);
        strv_free(&resume->agents[i].words);
    }
    free(resume->agents);
    grants_free(&resume->none);
    fd_close(&resume->lock);
    free(resume->lease_calls);
    strv_free(&resume->leases);
    strv_free(&resume->rules);
    strv_free(&resume->voided);
    strv_free(&resume->denied);
    json_decref(resume->denials);
    free(resume->console);
    free(resume->meant);
    free(resume->root);
    free(resume);
    *place = NULL;
}

const char *log_resume_console(const struct log_resume *resume)
{
    return resume->console;
}

const char *log_resume_meant(const struct log_resume *resume)
{
    return resume->meant;
}

const char *log_resume_root(const struct log_resume *resume)
{
    return resume->root;
}

void log_resume_one_session(struct log_resume *resume)
{
    resume->one_session = true;
}

/* Does whoever had it still exist? A process that began before the session did is the one that had
 * it, and no later one with the same number. */
static bool lives_on(const struct log_resume *resume, const struct past_session *session)
{
    const struct log_legacy *left = &session->left;
    if (left->peer_pid != 0 && resume->one_session)
        return false;
    if (left->origin != SESSION_DEFAULT || left->peer_pid == 0)
        return left->origin != SESSION_CLIENT;
    int64_t started_ms = process_started_ms(left->peer_pid);
    return started_ms >= 0 && started_ms <= session->started_ms;
}

/* Of several sessions of the same the last one's. */
const struct grants *log_resume_grants(const struct log_resume *resume, enum session_origin origin,
                                       pid_t peer_pid)
{
    for (size_t i = resume->count; i > 0; i--) {
        const struct past_session *session = &resume->sessions[i - 1];
        if (session->left.origin == origin && session->left.peer_pid == peer_pid)
            return lives_on(resume, session) ? session->left.grants : resume->none;
    }
    return resume->none;
}

const struct log_legacy *log_resume_at(const struct log_resume *resume, size_t index)
{
    for (size_t i = 0; i < resume->count; i++) {
        const struct log_legacy *left = &resume->sessions[i].left;
        if (grants_count(left->grants) > 0 &&
            log_resume_grants(resume, left->origin, left->peer_pid) == left->grants && index-- == 0)
            return left;
    }
    return NULL;
}

const char *const *log_resume_agent(const struct log_resume *resume, size_t index)
{
    for (size_t i = 0; i < resume->agent_count; i++)
        if (resume->agents[i].words != NULL && index-- == 0)
            return (const char *const *)resume->agents[i].words;
    return NULL;
}

size_t log_resume_zoomed(const struct log_resume *resume)
{
    size_t index = 0;
    for (size_t i = 0; i < resume->agent_count; i++) {
        if (resume->agents[i].words == NULL)
            continue;
        if (resume->agents[i].call == resume->zoomed)
            return index;
        index++;
    }
    return SIZE_MAX;
}

uint64_t log_resume_denied(const struct log_resume *resume, const struct call *call)
{
    return log_denials_find(resume->denials, call);
}

uint64_t log_resume_last_call(const struct log_resume *resume)
{
    return resume->last_call;
}

struct log_resume_rest log_resume_rest(const struct log_resume *resume)
{
    struct log_resume_rest rest = resume->rest;
    rest.lease_names = (const char *const *)resume->leases;
    rest.rule_names = (const char *const *)resume->rules;
    rest.void_names = (const char *const *)resume->voided;
    rest.deny_names = (const char *const *)resume->denied;
    for (size_t i = 0; i < resume->count; i++)
        if (!lives_on(resume, &resume->sessions[i]))
            rest.left_out += grants_count(resume->sessions[i].left.grants);
    for (size_t i = 0; i < resume->agent_count; i++) {
        rest.agents_ended += resume->agents[i].ended;
        rest.agents_hidden += !resume->agents[i].ended && resume->agents[i].words == NULL;
    }
    return rest;
}

size_t log_resume_give(const struct log_resume *resume, const struct session *session)
{
    const struct grants *grants = log_resume_grants(resume, session->origin, session->peer_pid);
    for (size_t i = 0; i < grants_count(grants); i++) {
        const struct grant *grant = grants_at(grants, i);
        const char *const keys[] = {grant->key, NULL};
        grants_add(session->grants, keys, grant->label, grant->call, NULL);
        grants_note_seen(session->grants, keys, 0, grant->files, NULL);
    }
    return grants_count(grants);
}
