/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_stats.h"

#include <stdlib.h>
#include <string.h>

#include "approval/call.h"
#include "approval/reach.h"
#include "base/alloc.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/wrapper.h"
#include "record/log_decision.h"

#define READ_AT_ONCE 256 /* lines, of a step */
#define WHAT_MAX 120     /* bytes of what was asked that are told */

/* A question that has no answer yet. */
struct open_question {
    uint32_t call;
    json_int_t prompt; /* shown anew with the same number it is the same question */
    bool edited;       /* the operator changed the command: it is asked anew, and no further time */
    json_t *cause, *asked; /* where it is counted; borrowed */
};

struct log_stats {
    size_t commands, questions;
    json_t *causes, *asked; /* text: {questions, approved, denied, …} */
    int64_t *waits;
    size_t wait_count, wait_room;
    struct open_question *open; /* of the log that is read */
    size_t open_count, open_room;
};

struct log_stats *log_stats_new(void)
{
    struct log_stats *stats = XNEW(struct log_stats);
    stats->causes = json_object();
    stats->asked = json_object();
    return stats;
}

void log_stats_free(struct log_stats **place)
{
    struct log_stats *stats = *place;
    if (stats == NULL)
        return;
    json_decref(stats->causes);
    json_decref(stats->asked);
    free(stats->waits);
    free(stats->open);
    free(stats);
    *place = NULL;
}

/* ---- questions ------------------------------------------------------------------------------- */

static void count_one(json_t *entry, const char *key)
{
    json_object_set_new(entry, key,
                        json_integer(json_integer_value(json_object_get(entry, key)) + 1));
}

static json_t *entry_of(json_t *entries, const char *label, const char *text)
{
    json_t *entry = json_object_get(entries, text);
    if (entry != NULL)
        return entry;
    entry =
        json_pack("{s:s, s:i, s:i, s:i}", label, text, "questions", 0, "approved", 0, "denied", 0);
    json_object_set_new(entries, text, entry);
    return entry;
}

#define WORDS_MAX 16 /* of a command, until its subcommand is found */

/* "git push" of "git -C d push --force", "mkdir" of "mkdir -p d". */
static char *program_of(const char *const *words, size_t count)
{
    if (count == 0)
        return xstrdup("");
    size_t at = wrapper_has_subcommands(words[0]) ? wrapper_subcommand_index(words, count) : count;
    return at < count ? xasprintf("%s %s", words[0], words[at]) : xstrdup(words[0]);
}

static char *program_of_command(const char *command)
{
    cleanup_free char *text = xstrdup(command);
    const char *words[WORDS_MAX];
    size_t count = 0;
    char *rest;
    for (char *word = strtok_r(text, " \t\n", &rest); word != NULL && count < WORDS_MAX;
         word = strtok_r(NULL, " \t\n", &rest))
        words[count++] = word;
    return program_of(words, count);
}

/* A command's program stands for it, whether a rule was offered or not; of a connection, where it
 * leads. Caller frees. */
static char *asked_words(json_t *prompt, bool *offered)
{
    static const char connection[] = REACH_WORD " ";
    const char *command = json_string_value(json_object_get(prompt, "command"));
    const char *cause = json_string_value(json_object_get(prompt, "cause"));
    cleanup_strv char **words = NULL;
    *offered = json_get_strv_optional(prompt, "amendment", SIZE_MAX, &words, NULL) == 0 &&
               words != NULL && words[0] != NULL;
    if (*offered)
        return program_of((const char *const *)words, strv_length((const char *const *)words));
    if (command == NULL)
        return xstrdup("");
    if (cause != NULL && strcmp(cause, "network") == 0 &&
        strncmp(command, connection, strlen(connection)) == 0)
        command += strlen(connection);
    return program_of_command(command);
}

static json_t *asked_entry(struct log_stats *stats, json_t *prompt)
{
    bool offered;
    cleanup_free char *what = asked_words(prompt, &offered);
    size_t length = strlen(what);
    if (length > WHAT_MAX)
        length = text_fit(what, length, WHAT_MAX);
    json_t *key = json_string_lossy(what, length);
    json_t *entry = entry_of(stats->asked, "what", json_string_value(key));
    json_decref(key);
    if (offered || json_object_get(entry, "rule") == NULL)
        json_object_set_new(entry, "rule", json_boolean(offered));
    return entry;
}

static struct open_question *find_open(const struct log_stats *stats, uint32_t call)
{
    for (size_t i = stats->open_count; i > 0; i--)
        if (stats->open[i - 1].call == call)
            return &stats->open[i - 1];
    return NULL;
}

static void note_edit(const struct log_stats *stats, uint32_t call)
{
    struct open_question *question = find_open(stats, call);
    if (question != NULL)
        question->edited = true;
}

static void note_question(struct log_stats *stats, const struct log_entry *line, json_t *prompt)
{
    const char *cause = json_string_value(json_object_get(prompt, "cause"));
    struct open_question question = {
        .call = line->call, .prompt = json_integer_value(json_object_get(prompt, "prompt"))};
    struct open_question *open = find_open(stats, line->call);
    if (open != NULL && (open->edited || open->prompt == question.prompt)) {
        open->edited = false;
        open->prompt = question.prompt;
        return;
    }
    stats->questions++;
    question.cause = entry_of(stats->causes, "cause", cause != NULL ? cause : "unknown");
    question.asked = asked_entry(stats, prompt);
    count_one(question.cause, "questions");
    count_one(question.asked, "questions");
    if (stats->open_count == stats->open_room) {
        stats->open_room = stats->open_room == 0 ? 16 : stats->open_room * 2;
        stats->open = xreallocarray(stats->open, stats->open_room, sizeof(*stats->open));
    }
    stats->open[stats->open_count++] = question;
}

/* Takes the call's question out; false when there is none. */
static bool close_question(struct log_stats *stats, uint32_t call, struct open_question *question)
{
    struct open_question *open = find_open(stats, call);
    if (open == NULL)
        return false;
    *question = *open;
    *open = stats->open[--stats->open_count];
    return true;
}

static void note_wait(struct log_stats *stats, int64_t waited_ms)
{
    if (stats->wait_count == stats->wait_room) {
        stats->wait_room = stats->wait_room == 0 ? 64 : stats->wait_room * 2;
        stats->waits = xreallocarray(stats->waits, stats->wait_room, sizeof(*stats->waits));
    }
    stats->waits[stats->wait_count++] = waited_ms;
}

static void note_answer(struct log_stats *stats, const struct log_entry *line, json_t *decision)
{
    struct open_question question;
    json_t *waited = json_object_get(decision, "waited_ms");
    if (!json_is_integer(waited) || !close_question(stats, line->call, &question))
        return;
    const char *answer =
        review_kind_approves((enum review_kind)line->value) ? "approved" : "denied";
    if (!log_decision_is_stop(decision)) {
        count_one(question.cause, answer);
        count_one(question.asked, answer);
    }
    note_wait(stats, json_integer_value(waited));
}

/* ---- a log ----------------------------------------------------------------------------------- */

static bool is_wanted(const struct log_index *index, const struct log_entry *line,
                      const struct log_query *query)
{
    if ((query->since_ms != 0 && line->time_ms < query->since_ms) ||
        (query->until_ms != 0 && line->time_ms >= query->until_ms))
        return false;
    return query->session == NULL ||
           (line->session > 0 &&
            strcmp(log_index_session(index, line->session - 1), query->session) == 0);
}

/* Quotes inside of texts are escaped: nobody's text passes for the field. */
static bool is_command(const char *line)
{
    return strstr(line, "\"tool\":\"network\"") == NULL &&
           strstr(line, "\"tool\":\"permissions\"") == NULL;
}

static void take_line(struct log_stats *stats, const struct log_entry *line, const char *text)
{
    if (line->event == LOG_EVENT_CALL_RECEIVED) {
        stats->commands += is_command(text);
        return;
    }
    if (line->event == LOG_EVENT_EDITED) {
        note_edit(stats, line->call);
        return;
    }
    cleanup_json json_t *event = json_parse(text, strlen(text), NULL);
    if (line->event == LOG_EVENT_DECISION)
        note_answer(stats, line, event);
    else if (json_integer_value(json_object_get(event, "revision")) == 1)
        note_question(stats, line, event);
}

/* By the operator, or by a client's user in their place. */
static bool is_answer(const struct log_entry *line)
{
    return line->event == LOG_EVENT_DECISION &&
           (line->source == DECIDED_BY_USER || line->source == DECIDED_BY_CLIENT);
}

static bool counts(const struct log_entry *line)
{
    return line->event == LOG_EVENT_CALL_RECEIVED || line->event == LOG_EVENT_PROMPT_SHOWN ||
           line->event == LOG_EVENT_EDITED || is_answer(line);
}

bool log_stats_step(struct log_stats *stats, const struct log_index *index,
                    const struct log_query *query, size_t *line)
{
    size_t read = 0;
    if (*line == 0)
        stats->open_count = 0;
    for (; *line < log_index_count(index) && read < READ_AT_ONCE; ++*line) {
        const struct log_entry *entry = log_index_at(index, *line);
        if (!counts(entry) || !is_wanted(index, entry, query))
            continue;
        cleanup_free char *text = log_index_text(index, *line);
        read++;
        if (text != NULL)
            take_line(stats, entry, text);
    }
    return *line < log_index_count(index);
}

void log_stats_add(struct log_stats *stats, const struct log_index *index,
                   const struct log_query *query)
{
    size_t line = 0;
    while (log_stats_step(stats, index, query, &line))
        continue;
}

/* ---- the result ------------------------------------------------------------------------------ */

static int by_size(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

/* So many of a hundred waits were not longer: the nearest rank. */
static json_t *wait_at(const struct log_stats *stats, size_t percent)
{
    if (stats->wait_count == 0)
        return json_null();
    size_t rank = (stats->wait_count * percent + 99) / 100;
    return json_integer(stats->waits[rank - 1]);
}

static json_t *waits_json(const struct log_stats *stats)
{
    json_int_t total = 0;
    if (stats->wait_count > 0)
        qsort(stats->waits, stats->wait_count, sizeof(*stats->waits), by_size);
    for (size_t i = 0; i < stats->wait_count; i++)
        total += stats->waits[i];
    return json_pack("{s:o, s:o, s:I}", "median", wait_at(stats, 50), "p90", wait_at(stats, 90),
                     "total", total);
}

static int by_questions(const void *a, const void *b)
{
    const json_t *first = *(json_t *const *)a, *second = *(json_t *const *)b;
    json_int_t more = json_integer_value(json_object_get(second, "questions")) -
                      json_integer_value(json_object_get(first, "questions"));
    return (more > 0) - (more < 0);
}

static json_t *per_100(const struct log_stats *stats, json_int_t questions)
{
    double commands = stats->commands > 0 ? (double)stats->commands : 1.0;
    /* One digit behind the point is all that anybody reads. */
    json_int_t tenths = (json_int_t)((double)questions * 1000.0 / commands + 0.5);
    return json_real((double)tenths / 10.0);
}

static json_t *sorted(json_t *entries, size_t most)
{
    const char *key;
    json_t *entry;
    size_t count = 0;
    json_t *list = json_array();
    json_t **all = xcalloc(json_object_size(entries) + 1, sizeof(json_t *));
    json_object_foreach(entries, key, entry) all[count++] = entry;
    if (count > 0)
        qsort(all, count, sizeof(json_t *), by_questions);
    for (size_t i = 0; i < count && i < most; i++)
        json_array_append_new(list, json_copy(all[i]));
    free(all);
    return list;
}

json_t *log_stats_result(const struct log_stats *stats)
{
    json_t *causes = sorted(stats->causes, SIZE_MAX);
    for (size_t i = 0; i < json_array_size(causes); i++) {
        json_t *cause = json_array_get(causes, i);
        json_int_t questions = json_integer_value(json_object_get(cause, "questions"));
        json_object_set_new(cause, "per_100", per_100(stats, questions));
    }
    return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o}", "commands", (json_int_t)stats->commands,
                     "questions", (json_int_t)stats->questions, "per_100",
                     per_100(stats, (json_int_t)stats->questions), "waited_ms", waits_json(stats),
                     "causes", causes, "asked", sorted(stats->asked, LOG_STATS_ASKED_MAX));
}
