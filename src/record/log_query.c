/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_query.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "approval/call.h"
#include "approval/session.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "record/log_decision.h"
#include "record/log_taken.h"

/* Lines of one call, as places in the index plus 1; 0: there is none. */
struct track {
    uint32_t received, edited, decided, finished;
    uint32_t reached, reached_last; /* connections that an earlier answer covered */
    uint32_t host, host_last;       /* those that the operator was asked for, and allowed */
    uint8_t risk;                   /* level plus 1 */
    bool unsandboxed;
    bool open;      /* it was asked about, or will be once there is room, and not answered since */
    bool tried;     /* it ran, or began to */
    bool forgotten; /* its agent may ask again */
    bool held_back; /* a connection of it was denied */
};

/* An answer for longer: the call that it was to, and the number in its session of what it granted.
 */
struct answer {
    uint32_t session, call; /* as in the index */
    int64_t grant;
    bool revoked;
};

/* Of a step. */
#define NOTED_AT_ONCE ((size_t)1 << 16)
#define READ_AT_ONCE 64

#define TRACKS_MORE 64 /* room is made for so many at a time, at least */

enum phase {
    NOTING,   /* what the index says of each call */
    CHOOSING, /* the newest that are asked for, backwards */
    SHOWING,
    DONE,
};

struct log_search {
    const struct log_index *index;
    const char *console;
    const struct log_query *query;
    struct track *tracks; /* by number of the call, from `first` on */
    size_t room;
    uint32_t first; /* 0: none is known; a console that goes on from another counts on from it */
    char *part;     /* of the text that is asked for; NULL: none */
    char **names;   /* of the sessions, by number */
    bool *shared;   /* the same: of plain clients that come from no program */
    struct answer *answers;
    size_t answer_count;
    struct log_taken taken;
    bool may_be_taken_back; /* a rule that was made, or a denial, is among what is noted */
    enum phase phase;
    size_t at;      /* the line that is noted next, the call that is shown next */
    size_t lines;   /* of the index */
    size_t *chosen; /* calls, the newest first; NULL: all */
    size_t chosen_count;
    bool stopped; /* nobody wants more */
};

/* ---- the index ------------------------------------------------------------------------------- */

/* Puts `room` tracks that say nothing behind those that are there, or in front of them. */
static void make_room(struct log_search *search, size_t room, bool in_front)
{
    size_t known = search->room;
    search->room += room;
    search->tracks = xreallocarray(search->tracks, search->room, sizeof(*search->tracks));
    if (in_front)
        memmove(search->tracks + room, search->tracks, known * sizeof(*search->tracks));
    memset(search->tracks + (in_front ? 0 : known), 0, room * sizeof(*search->tracks));
}

static struct track *track_of(struct log_search *search, uint32_t call)
{
    if (search->first == 0)
        search->first = call;
    if (call < search->first) { /* received later than one behind it */
        make_room(search, search->first - call, true);
        search->first = call;
    }
    size_t place = call - search->first;
    if (place >= search->room)
        make_room(search, place + TRACKS_MORE, false);
    return &search->tracks[place];
}

/* Numbers of calls run on from the first that was received here; one that is far out belongs to a
 * line that somebody has changed. */
static bool is_plausible(const struct log_search *search, const struct log_entry *entry)
{
    size_t lines = log_index_count(search->index);
    if (entry->call == 0 || search->first == 0)
        return entry->call > 0 && entry->event == LOG_EVENT_CALL_RECEIVED;
    return entry->call >= search->first
               ? entry->call - search->first <= lines
               : search->first - entry->call + search->room <= 2 * lines + TRACKS_MORE;
}

static void note_place(uint32_t *first, uint32_t *last, uint32_t place)
{
    *last = place;
    if (*first == 0)
        *first = place;
}

static void note_entry(struct log_search *search, size_t line)
{
    const struct log_entry *entry = log_index_at(search->index, line);
    if (!is_plausible(search, entry))
        return;
    struct track *track = track_of(search, entry->call);
    uint32_t place = (uint32_t)line + 1;
    switch (entry->event) {
    case LOG_EVENT_CALL_RECEIVED:
        track->received = place;
        break;
    case LOG_EVENT_EDITED:
        track->edited = place;
        track->risk = 0; /* that of what it is now follows */
        break;
    case LOG_EVENT_PROMPT_SHOWN:
    case LOG_EVENT_ATTEMPT_END: /* what ends with it says so next */
        track->open = true;
        break;
    case LOG_EVENT_DECISION:
        track->decided = place;
        track->open = track->forgotten = false;
        break;
    case LOG_EVENT_ATTEMPT_START:
        track->unsandboxed |= entry->value == ATTEMPT_UNSANDBOXED;
        track->tried = true;
        track->open = false;
        break;
    case LOG_EVENT_CONNECTION:
        track->held_back |= entry->value == LOG_CONNECTION_DENIED;
        if (entry->value == LOG_CONNECTION_COVERED)
            note_place(&track->reached, &track->reached_last, place);
        else if (entry->value == LOG_CONNECTION_ALLOWED)
            note_place(&track->host, &track->host_last, place);
        break;
    case LOG_EVENT_FINISHED:
        track->finished = place;
        track->open = false;
        break;
    case LOG_EVENT_ASSESSMENT:
        if (track->risk < entry->value + 1)
            track->risk = (uint8_t)(entry->value + 1);
        break;
    default:
        break;
    }
}

static const struct log_entry *entry_of(const struct log_search *search, uint32_t place)
{
    return place > 0 ? log_index_at(search->index, place - 1) : NULL;
}

/* ---- what is asked for ----------------------------------------------------------------------- */

static bool decision_matches(const char *wanted, const struct log_entry *decision)
{
    if (decision == NULL)
        return false;
    const char *kind = review_kind_name((enum review_kind)decision->value);
    if (strcmp(wanted, "approved") == 0)
        return strncmp(kind, "approved", strlen("approved")) == 0;
    return strcmp(kind, wanted) == 0;
}

static int risk_of(const char *name)
{
    for (int level = RISK_LOW; level <= RISK_HIGH; level++)
        if (strcmp(risk_level_name((enum risk_level)level), name) == 0)
            return level + 1;
    return RISK_HIGH + 2; /* none is as high */
}

static bool time_matches(const struct log_query *query, int64_t time_ms)
{
    return (query->since_ms == 0 || time_ms >= query->since_ms) &&
           (query->until_ms == 0 || time_ms < query->until_ms);
}

static bool is_denial_kind(unsigned kind)
{
    return kind == REVIEW_DENIED || kind == REVIEW_ABORT;
}

static bool is_denial(const struct track *track, const struct log_entry *decided)
{
    return decided != NULL && decided->source == DECIDED_BY_USER && !track->forgotten &&
           is_denial_kind(decided->value);
}

/* What the index alone can tell. */
static bool track_matches(const struct log_search *search, const struct track *track)
{
    const struct log_query *query = search->query;
    const struct log_entry *received = entry_of(search, track->received);
    /* What was decided of its first try is no answer to the second. */
    const struct log_entry *decided = entry_of(search, track->open ? 0 : track->decided);
    if (received == NULL || (query->call != 0 && received->call != query->call) ||
        !time_matches(query, received->time_ms))
        return false;
    if (query->decision != NULL && !decision_matches(query->decision, decided))
        return false;
    if (query->denials && !is_denial(track, decided))
        return false;
    if (query->source != NULL &&
        (decided == NULL ||
         strcmp(decision_source_name((enum decision_source)decided->source), query->source) != 0))
        return false;
    if (query->risk != NULL && track->risk < risk_of(query->risk))
        return false;
    const char *session =
        received->session > 0 ? log_index_session(search->index, received->session - 1) : "";
    return query->session == NULL || strcmp(session, query->session) == 0;
}

static const char *text_of(json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(event, key));
    return text != NULL ? text : "";
}

static const char *client_of(json_t *received)
{
    return text_of(json_object_get(received, "client"), "name");
}

static bool holds(const char *text, const char *part)
{
    return strcasestr(text, part) != NULL;
}

/* "c12", as the screen names it. */
static bool is_name_of(const char *text, uint64_t number)
{
    char name[24];
    snprintf(name, sizeof(name), "c%" PRIu64, number);
    return strcmp(text, name) == 0;
}

static bool text_matches(const struct log_query *query, const struct log_call *call)
{
    if (query->agent != NULL && !holds(call->agent, query->agent) &&
        !holds(client_of(call->received), query->agent))
        return false;
    return query->text == NULL || is_name_of(query->text, call->number) ||
           holds(call->command, query->text) ||
           (call->asked != NULL && holds(call->asked, query->text)) ||
           holds(text_of(call->received, "justification"), query->text) ||
           holds(text_of(call->received, "cwd"), query->text) ||
           holds(text_of(call->decided, "message"), query->text);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static json_t *read_event(const struct log_search *search, uint32_t place)
{
    if (place == 0)
        return NULL;
    cleanup_free char *text = log_index_text(search->index, place - 1);
    json_t *event = text != NULL ? json_parse(text, strlen(text), NULL) : NULL;
    if (json_is_object(event))
        return event;
    json_decref(event);
    return NULL;
}

static void note_name(struct log_search *search, size_t line)
{
    const struct log_entry *entry = log_index_at(search->index, line);
    if (entry->session == 0)
        return;
    cleanup_json json_t *start = read_event(search, (uint32_t)line + 1);
    free(search->names[entry->session - 1]);
    search->names[entry->session - 1] = xstrdup(text_of(start, "name"));
    search->shared[entry->session - 1] = strcmp(text_of(start, "origin"), "default") == 0 &&
                                         json_object_get(start, "peer_pid") == NULL;
}

static char *command_of(json_t *event)
{
    struct strbuf command = STRBUF_INIT;
    char **words = NULL;
    if (json_get_strv_optional(event, "argv", SIZE_MAX, &words, NULL) == 0 && words != NULL)
        text_quote_argv(&command, (const char *const *)words);
    strv_free(&words);
    return strbuf_steal(&command);
}

static bool grants(const struct log_entry *entry)
{
    return entry->event == LOG_EVENT_DECISION && entry->source == DECIDED_BY_USER &&
           (entry->value == REVIEW_APPROVED_FOR_SESSION ||
            entry->value == REVIEW_APPROVED_PATH_FOR_SESSION);
}

/* That it was taken back is told by a notice. */
static bool ends_with_notice(const struct log_entry *entry)
{
    return entry->event == LOG_EVENT_DECISION && entry->source == DECIDED_BY_USER &&
           (entry->value == REVIEW_APPROVED_AMENDMENT || is_denial_kind(entry->value));
}

static int64_t grant_of(json_t *decided)
{
    return json_integer_value(json_object_get(decided, "grant"));
}

static void note_answer(struct log_search *search, size_t line)
{
    const struct log_entry *entry = log_index_at(search->index, line);
    cleanup_json json_t *decided = read_event(search, (uint32_t)line + 1);
    search->answers =
        xreallocarray(search->answers, search->answer_count + 1, sizeof(struct answer));
    search->answers[search->answer_count++] =
        (struct answer){entry->session, entry->call, grant_of(decided), false};
}

static struct answer *find_answer(const struct log_search *search, uint32_t session, int64_t grant)
{
    for (size_t i = 0; i < search->answer_count; i++)
        if (search->answers[i].session == session && search->answers[i].grant == grant)
            return &search->answers[i];
    return NULL;
}

static void note_end(struct log_search *search, size_t line)
{
    const struct log_entry *entry = log_index_at(search->index, line);
    cleanup_json json_t *event = read_event(search, (uint32_t)line + 1);
    struct answer *answer = find_answer(search, entry->session, grant_of(event));
    if (answer != NULL && strcmp(text_of(event, "why"), grant_end_name(GRANT_REVOKED)) == 0)
        answer->revoked = true;
}

static void forget_all(struct log_search *search)
{
    for (size_t i = 0; i < search->room; i++)
        search->tracks[i].forgotten = true;
}

static void note_forgotten(struct log_search *search, const char *text)
{
    size_t length = strlen(FORGOT_DENIAL);
    if (strcmp(text, FORGOT_ALL) == 0)
        forget_all(search);
    if (strncmp(text, FORGOT_DENIAL, length) != 0)
        return;
    unsigned long long call = strtoull(text + length, NULL, 10);
    if (call >= search->first && call - search->first < search->room)
        search->tracks[call - search->first].forgotten = true;
}

/* What the operator did at the console. */
static void note_notice(struct log_search *search, size_t line)
{
    cleanup_json json_t *event = read_event(search, (uint32_t)line + 1);
    const char *text = text_of(event, "text");
    if (strcmp(text_of(event, "level"), "operator") != 0)
        return;
    note_forgotten(search, text);
    log_taken_note(&search->taken, line, text);
}

static uint64_t covered_by(const struct log_search *search, const struct log_entry *decided,
                           int64_t grant)
{
    if (decided == NULL || decided->source != DECIDED_BY_CACHE || grant == 0)
        return 0;
    const struct answer *answer = find_answer(search, decided->session, grant);
    return answer != NULL ? answer->call : 0;
}

/* Could be the line of a rule file: it has all of its bytes. */
static bool is_whole(const char *rule)
{
    return strstr(rule, "\xef\xbf\xbd") == NULL;
}

static bool rule_is_gone(const struct log_search *search, size_t line, const struct log_call *call)
{
    const struct log_query *query = search->query;
    const char *rule = text_of(call->decided, "rule");
    bool lasts = log_decision_rule_lasts(call);
    if (log_taken_has(&search->taken, line, lasts ? NULL : call->session, rule))
        return true;
    return lasts && query->keeps_rule != NULL && is_whole(rule) &&
           !query->keeps_rule(query->keeper, rule);
}

/* Has what the operator denied, or allowed beyond that once, been taken back? */
static bool is_taken_back(const struct log_search *search, const struct track *track,
                          const struct log_call *call)
{
    const struct log_entry *decided = entry_of(search, track->decided);
    if (decided == NULL || decided->source != DECIDED_BY_USER)
        return false;
    if (is_denial_kind(decided->value))
        return track->forgotten;
    if (decided->value == REVIEW_APPROVED_AMENDMENT)
        return *text_of(call->decided, "rule") != '\0' &&
               rule_is_gone(search, track->decided - 1, call);
    const struct answer *answer =
        grants(decided) ? find_answer(search, decided->session, grant_of(call->decided)) : NULL;
    return answer != NULL && answer->revoked;
}

static uint64_t let_out_by(const struct log_search *search, uint32_t place, const char *key)
{
    cleanup_json json_t *connection = read_event(search, place);
    json_int_t by = json_integer_value(json_object_get(connection, key));
    return by > 0 ? (uint64_t)by : 0;
}

/* By which answers its connections were let out: the first and the last. */
static void fill_connections(const struct log_search *search, const struct track *track,
                             struct log_call *call)
{
    call->reached_by = call->reached_last_by = let_out_by(search, track->reached, "covered_by");
    call->host_by = call->host_last_by = let_out_by(search, track->host, "allowed_by");
    if (track->reached_last != track->reached)
        call->reached_last_by = let_out_by(search, track->reached_last, "covered_by");
    if (track->host_last != track->host)
        call->host_last_by = let_out_by(search, track->host_last, "allowed_by");
}

static void fill_call(const struct log_search *search, const struct track *track,
                      struct log_call *call)
{
    const struct log_entry *received = entry_of(search, track->received);
    const struct log_entry *decided = entry_of(search, track->decided);
    call->number = received->call;
    call->time_ms = received->time_ms;
    call->console = search->console;
    call->session = call->agent = "";
    call->client = client_of(call->received);
    call->shared = false;
    if (received->session > 0) {
        call->session = log_index_session(search->index, received->session - 1);
        call->agent = search->names[received->session - 1];
        call->shared = search->shared[received->session - 1];
    }
    call->risk = track->risk > 0 ? risk_level_name((enum risk_level)(track->risk - 1)) : "";
    call->decision = decided != NULL ? review_kind_name((enum review_kind)decided->value) : "";
    call->source =
        decided != NULL ? decision_source_name((enum decision_source)decided->source) : "";
    fill_connections(search, track, call);
    call->covered_by = covered_by(search, decided, grant_of(call->decided));
    call->taken_back = is_taken_back(search, track, call);
    json_t *waited = json_object_get(call->decided, "waited_ms");
    call->waited_ms = json_is_integer(waited) ? json_integer_value(waited) : -1;
}

/* The longest run of letters and digits, which stand in a line as they are; everything else may be
 * escaped there. */
static char *plain_part(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const char *best = "";
    size_t longest = 0;
    while (*text != '\0') {
        size_t length = strspn(text, plain);
        if (length > longest) {
            best = text;
            longest = length;
        }
        text += length + strcspn(text + length, plain);
    }
    return xstrndup(best, longest);
}

/* False when the text cannot be in these lines: most need not be parsed then. */
static bool may_hold_text(const struct log_search *search, const struct track *track)
{
    const uint32_t places[] = {track->received, track->edited, track->decided};
    if (search->part == NULL ||
        is_name_of(search->query->text, entry_of(search, track->received)->call))
        return true;
    for (size_t i = 0; i < COUNT(places); i++) {
        cleanup_free char *line =
            places[i] > 0 ? log_index_text(search->index, places[i] - 1) : NULL;
        if (line != NULL && strcasestr(line, search->part) != NULL)
            return true;
    }
    return false;
}

/* Reads the call's lines; true when it is asked for, and then `found` wanted it. */
static bool take_call(struct log_search *search, const struct track *track,
                      bool (*found)(void *argument, const struct log_call *call), void *argument)
{
    cleanup_json json_t *received = read_event(search, track->received);
    cleanup_json json_t *decided = read_event(search, track->decided);
    cleanup_json json_t *finished = read_event(search, track->finished);
    cleanup_json json_t *edited = read_event(search, track->edited);
    cleanup_free char *asked = command_of(received);
    cleanup_free char *changed = edited != NULL ? command_of(edited) : NULL;
    struct log_call call = {.received = received,
                            .edited = edited,
                            .decided = decided,
                            .finished = finished,
                            .unsandboxed = track->unsandboxed,
                            .open = track->open,
                            .tried = track->tried,
                            .held_back = track->held_back,
                            .command = changed != NULL ? changed : asked,
                            .asked = changed != NULL ? asked : NULL};
    fill_call(search, track, &call);
    if (!text_matches(search->query, &call))
        return false;
    /* Who is ended with another, or with its agent, was not denied what it asked for. */
    if (search->query->denials && json_is_true(json_object_get(finished, "cancelled")))
        return false;
    if (found != NULL && !found(argument, &call))
        search->stopped = true;
    return true;
}

/* ---- step by step ---------------------------------------------------------------------------- */

static void begin_phase(struct log_search *search, enum phase phase)
{
    search->phase = phase;
    search->at = 0;
    if (phase == CHOOSING)
        search->at = search->room;
    if (phase == CHOOSING && search->query->last == 0)
        begin_phase(search, SHOWING);
    else if (phase == CHOOSING)
        search->chosen = xcalloc(search->query->last, sizeof(*search->chosen));
}

static void note_lines(struct log_search *search)
{
    size_t read = 0;
    for (size_t i = 0; i < NOTED_AT_ONCE && search->at < search->lines && read < READ_AT_ONCE;
         i++) {
        size_t line = search->at++;
        note_entry(search, line);
        const struct log_entry *entry = log_index_at(search->index, line);
        search->may_be_taken_back |= ends_with_notice(entry);
        if (entry->event == LOG_EVENT_SESSION_START)
            note_name(search, line);
        else if (grants(entry))
            note_answer(search, line);
        else if (entry->event == LOG_EVENT_NOTICE && search->may_be_taken_back)
            note_notice(search, line);
        else if (entry->event == LOG_EVENT_GRANT && search->answer_count > 0)
            note_end(search, line);
        else
            continue;
        read++;
    }
    if (search->at == search->lines)
        begin_phase(search, CHOOSING);
}

/* Without a text the index alone tells. */
static bool is_asked_for(struct log_search *search, const struct track *track, size_t *read)
{
    if (!track_matches(search, track))
        return false;
    if (search->query->text == NULL && search->query->agent == NULL && !search->query->denials)
        return true;
    (*read)++;
    return may_hold_text(search, track) && take_call(search, track, NULL, NULL);
}

static void choose_calls(struct log_search *search)
{
    size_t read = 0;
    for (size_t i = 0; i < NOTED_AT_ONCE && search->at > 0 && read < READ_AT_ONCE &&
                       search->chosen_count < search->query->last;
         i++) {
        search->at--;
        if (is_asked_for(search, &search->tracks[search->at], &read))
            search->chosen[search->chosen_count++] = search->at;
    }
    if (search->at == 0 || search->chosen_count == search->query->last)
        begin_phase(search, SHOWING);
}

static void show_calls(struct log_search *search,
                       bool (*found)(void *argument, const struct log_call *call), void *argument)
{
    size_t read = 0;
    size_t count = search->chosen != NULL ? search->chosen_count : search->room;
    for (size_t i = 0;
         i < NOTED_AT_ONCE && search->at < count && read < READ_AT_ONCE && !search->stopped; i++) {
        size_t place = search->at++;
        const struct track *track =
            &search->tracks[search->chosen != NULL ? search->chosen[count - 1 - place] : place];
        if (!track_matches(search, track))
            continue;
        read++;
        if (may_hold_text(search, track))
            take_call(search, track, found, argument);
    }
    if (search->at == count || search->stopped)
        search->phase = DONE;
}

struct log_search *log_search_new(const struct log_index *index, const char *console,
                                  const struct log_query *query)
{
    struct log_search *search = XNEW(struct log_search);
    search->index = index;
    search->console = console;
    search->query = query;
    search->lines = log_index_count(index);
    if (query->text != NULL)
        search->part = plain_part(query->text);
    size_t sessions = 0;
    while (log_index_session(index, sessions) != NULL)
        sessions++;
    search->names = xcalloc(sessions + 1, sizeof(*search->names));
    search->shared = xcalloc(sessions + 1, sizeof(*search->shared));
    for (size_t i = 0; i < sessions; i++)
        search->names[i] = xstrdup("");
    return search;
}

bool log_search_step(struct log_search *search,
                     bool (*found)(void *argument, const struct log_call *call), void *argument)
{
    if (search->phase == NOTING)
        note_lines(search);
    else if (search->phase == CHOOSING)
        choose_calls(search);
    else if (search->phase == SHOWING)
        show_calls(search, found, argument);
    return search->phase != DONE;
}

void log_search_free(struct log_search **place)
{
    struct log_search *search = *place;
    if (search == NULL)
        return;
    strv_free(&search->names);
    free(search->shared);
    free(search->answers);
    log_taken_clear(&search->taken);
    free(search->part);
    free(search->tracks);
    free(search->chosen);
    free(search);
    *place = NULL;
}

bool log_query_run(const struct log_index *index, const char *console,
                   const struct log_query *query,
                   bool (*found)(void *argument, const struct log_call *call), void *argument)
{
    struct log_search *search = log_search_new(index, console, query);
    while (log_search_step(search, found, argument))
        continue;
    bool more = !search->stopped;
    log_search_free(&search);
    return more;
}

bool log_query_selects(const struct log_query *query)
{
    return query->denials || query->agent != NULL || query->decision != NULL ||
           query->source != NULL || query->risk != NULL || query->text != NULL ||
           query->call != 0 || query->since_ms != 0 || query->until_ms != 0;
}
