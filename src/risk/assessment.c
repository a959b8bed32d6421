/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/assessment.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/shell.h"
#include "risk/local.h"
#include "risk/phrase.h"

static const char *const level_names[] = {
    [RISK_LOW] = "low", [RISK_MEDIUM] = "medium", [RISK_HIGH] = "high"};

static const struct {
    enum risk_category category;
    const char *name;
} categories[RISK_CATEGORY_COUNT] = {
    {RISK_DATA_DELETION, "data_deletion"},
    {RISK_DATA_EXFILTRATION, "data_exfiltration"},
    {RISK_PRIVILEGE_ESCALATION, "privilege_escalation"},
    {RISK_SYSTEM_MODIFICATION, "system_modification"},
    {RISK_NETWORK_ACCESS, "network_access"},
    {RISK_RESOURCE_EXHAUSTION, "resource_exhaustion"},
    {RISK_COMPLIANCE, "compliance"},
};

const char *risk_level_name(enum risk_level level)
{
    return (size_t)level <= RISK_HIGH ? level_names[level] : "unknown";
}

const char *risk_category_name(enum risk_category category)
{
    for (size_t i = 0; i < RISK_CATEGORY_COUNT; i++)
        if (categories[i].category == category)
            return categories[i].name;
    return "unknown";
}

/* In the operator's language, or as it is for the record. */
static const char *say(const char *text, bool translate) __attribute__((format_arg(1)));
static const char *say(const char *text, bool translate)
{
    return translate ? gettext(text) : text;
}

/* Bytes of a description behind which what else there is is counted only. */
#define UNTOLD_BYTES_MAX ((size_t)430)

/* What has no sentence is named with its phrase, as far as there is room, and must never look as if
 * it were not there. */
static void add_untold(struct strbuf *out, const struct assessment *assessment, bool translate)
{
    size_t told = 0, left;
    while (told < assessment->untold_count) {
        const char *phrase = say(assessment->untold[told], translate);
        if (out->length + strlen(phrase) > UNTOLD_BYTES_MAX)
            break;
        strbuf_addf(out, told++ == 0 ? say(N_("; also %s"), translate) : "; %s", phrase);
    }
    left = assessment->untold_count - told;
    if (left == 1)
        strbuf_addstr(out, say(N_("; and one thing more"), translate));
    else if (left > 1)
        strbuf_addf(out, say(N_("; and %zu things more"), translate), left);
}

static void add_object(struct strbuf *out, const struct risk_clause *clause, bool translate)
{
    const char *owner = clause->owner;
    if (*clause->object == '\0' && *owner == '\0')
        return;
    strbuf_addstr(out, ": ");
    if (*clause->object != '\0' && *owner != '\0')
        /* L10N: branches, and the repository whose they are: "main of origin (git@host:x.git)" */
        strbuf_addf(out, say(N_("%s of %s"), translate), clause->object, owner);
    else
        strbuf_addf(out, "%s%s", clause->object, owner);
}

/* A clause as a sentence: "Deletes files: a, b and 3 more files; also reads secrets." The last one
 * tells what has none. */
static void add_clause(struct strbuf *out, const struct assessment *assessment,
                       const struct risk_clause *clause, bool translate)
{
    bool last = clause + 1 == assessment->clauses + ASSESSMENT_CLAUSES;
    bool untold = last && assessment->untold_count > 0;
    size_t start = out->length;
    strbuf_addstr(out, say(clause->phrase, translate));
    add_object(out, clause, translate);
    if (clause->more == 1)
        strbuf_addstr(out, say(N_(" and one more file"), translate));
    else if (clause->more > 1)
        strbuf_addf(out, say(N_(" and %zu more files"), translate), clause->more);
    else if (clause->others && *clause->object != '\0')
        strbuf_addstr(out, say(N_(" and others"), translate));
    if (untold)
        add_untold(out, assessment, translate);
    if (untold || clause->more > 0 || out->data[out->length - 1] != '.')
        strbuf_addch(out, '.');
    out->data[start] = (char)toupper((unsigned char)out->data[start]);
}

static bool fetches_code(const char *phrase)
{
    return phrase != NULL && (phrase == phrase_text(PHRASE_runs_downloaded) ||
                              phrase == phrase_text(PHRASE_runs_input) ||
                              phrase == phrase_text(PHRASE_downloads_runs));
}

static bool says_any(const struct assessment *assessment, bool (*is_one)(const char *phrase))
{
    bool says = false;
    for (size_t i = 0; i < ASSESSMENT_CLAUSES; i++)
        says = says || is_one(assessment->clauses[i].phrase);
    for (size_t i = 0; i < assessment->untold_count; i++)
        says = says || is_one(assessment->untold[i]);
    return says;
}

bool assessment_fetches_code(const struct assessment *assessment)
{
    return says_any(assessment, fetches_code);
}

static bool takes_work(const char *phrase)
{
    static const enum phrase deletions[] = {PHRASE_deletes,
                                            PHRASE_deletes_branch,
                                            PHRASE_deletes_forced,
                                            PHRASE_deletes_found,
                                            PHRASE_deletes_ignored,
                                            PHRASE_deletes_outside,
                                            PHRASE_deletes_perhaps_outside,
                                            PHRASE_deletes_untracked,
                                            PHRASE_deletes_whole,
                                            PHRASE_destroys,
                                            PHRASE_empties,
                                            PHRASE_moves_branch,
                                            PHRASE_moves_reference,
                                            PHRASE_throws_away,
                                            PHRASE_throws_away_to};
    bool found = false;
    for (size_t i = 0; i < COUNT(deletions); i++)
        found = found || phrase == phrase_text(deletions[i]);
    return found;
}

bool assessment_takes_work(const struct assessment *assessment)
{
    return says_any(assessment, takes_work);
}

static bool deletes_outside(const char *phrase)
{
    return phrase == phrase_text(PHRASE_deletes_outside);
}

bool assessment_deletes_outside(const struct assessment *assessment)
{
    return says_any(assessment, deletes_outside);
}

static bool sends_commits(const char *phrase)
{
    return phrase == phrase_text(PHRASE_pushes) || phrase == phrase_text(PHRASE_pushes_unchecked);
}

bool assessment_sends_commits(const struct assessment *assessment, bool *first)
{
    *first = sends_commits(assessment->clauses[0].phrase);
    return says_any(assessment, sends_commits);
}

static bool rewrites_remote(const char *phrase)
{
    return phrase == phrase_text(PHRASE_rewrites_remote);
}

static bool deletes_remote(const char *phrase)
{
    return phrase == phrase_text(PHRASE_deletes_remote);
}

static bool changes_remote(const char *phrase)
{
    return phrase == phrase_text(PHRASE_changes_remote);
}

const char *assessment_remote_loss(const struct assessment *assessment)
{
    bool rewrites = says_any(assessment, rewrites_remote);
    bool deletes = says_any(assessment, deletes_remote);
    if ((rewrites && deletes) || says_any(assessment, changes_remote))
        return phrase_text(PHRASE_changes_remote);
    return rewrites  ? phrase_text(PHRASE_rewrites_remote)
           : deletes ? phrase_text(PHRASE_deletes_remote)
                     : NULL;
}

unsigned assessment_told_categories(const struct assessment *assessment)
{
    /* What an agent may do is no matter of licences: the clause says it better. */
    bool approver = assessment->clauses[0].phrase == phrase_text(PHRASE_approver_files);
    return assessment->categories & ~(assessment->stays_here ? (unsigned)RISK_NETWORK_ACCESS : 0U) &
           ~(approver ? (unsigned)RISK_COMPLIANCE : 0U);
}

bool assessment_uses_network(const struct assessment *assessment)
{
    return (assessment->categories & RISK_NETWORK_ACCESS) != 0 &&
           (assessment->repositories == 0 || assessment->repositories < assessment->networks);
}

bool assessment_sends_data(const struct assessment *assessment)
{
    return assessment_uses_network(assessment) &&
           (assessment->categories & RISK_DATA_EXFILTRATION) != 0;
}

void assessment_note_untold(struct assessment *assessment, const char *phrase)
{
    for (size_t i = 0; i < assessment->untold_count; i++)
        if (assessment->untold[i] == phrase)
            return;
    if (assessment->untold_count < ASSESSMENT_UNTOLD_MAX)
        assessment->untold[assessment->untold_count++] = phrase;
}

/* "Deletes files: a, b. Reads secrets. Files changed: 2, lines added: 0, removed: 0." */
static char *describe(const struct assessment *assessment, bool translate)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < ASSESSMENT_CLAUSES; i++) {
        const struct risk_clause *clause = &assessment->clauses[i];
        if (clause->phrase == NULL || (i > 0 && clause->level == RISK_LOW))
            break;
        strbuf_addstr(&text, i > 0 ? " " : "");
        add_clause(&text, assessment, clause, translate);
    }
    if (assessment->counts.files > 0)
        strbuf_addf(&text,
                    say(N_(" Files changed: %zu, lines added: %zu, removed: %zu."), translate),
                    assessment->counts.files, assessment->counts.added, assessment->counts.removed);
    if (text.length == 0)
        strbuf_addstr(&text, say(N_("Runs nothing."), translate));
    return strbuf_steal(&text);
}

char *assessment_describe(const struct assessment *assessment)
{
    if (assessment->clauses[0].phrase == NULL && *assessment->description != '\0')
        return xstrdup(assessment->description);
    return describe(assessment, true);
}

void assessment_sum_up(struct assessment *assessment)
{
    cleanup_free char *text = describe(assessment, false);
    snprintf(assessment->description, sizeof(assessment->description), "%s", text);
}

void assessment_of_deed(const char *phrase, const char *object, enum risk_level level,
                        struct assessment *assessment)
{
    struct risk_clause *clause = &assessment->clauses[0];
    *assessment = (struct assessment){.level = level};
    clause->phrase = phrase;
    clause->level = level;
    assessment_set_object(clause, object);
    assessment_sum_up(assessment);
}

void assessment_set_object(struct risk_clause *clause, const char *object)
{
    size_t columns = sizeof(clause->object), length = strlen(object);
    cleanup_free char *shown = xstrdup(object);

    while (strlen(shown) >= sizeof(clause->object)) {
        free(shown);
        columns -= 4; /* a character may have more bytes than columns */
        shown = strstr(object, ", ") != NULL ? text_line(object, length, columns)
                                             : text_path_ends(object, length, columns);
    }
    strcpy(clause->object, shown);
}

bool assessment_name_object(struct assessment *assessment, const char *phrase, const char *object,
                            const char *owner)
{
    bool found = false;
    for (size_t i = 0; i < ASSESSMENT_CLAUSES; i++) {
        struct risk_clause *clause = &assessment->clauses[i];
        if (clause->phrase != phrase)
            continue;
        found = true;
        if (object != NULL)
            assessment_set_object(clause, object);
        if (owner != NULL && strlen(owner) < sizeof(clause->owner))
            strcpy(clause->owner, owner);
    }
    assessment_sum_up(assessment);
    return found;
}

void assessment_of_line(const char *line, size_t length, const char *cwd,
                        const char *const *writable_roots, struct assessment *assessment)
{
    *assessment = (struct assessment){.level = RISK_LOW};
    local_assess(line, length, cwd, writable_roots, assessment);
    assessment_sum_up(assessment);
}

void assessment_of_argv(const char *const *argv, const char *cwd, const char *const *writable_roots,
                        struct assessment *assessment, char **line)
{
    const char *script = shell_wrapped_script(argv);
    struct strbuf text = STRBUF_INIT;
    if (script != NULL)
        strbuf_addstr(&text, script);
    else
        text_quote_argv(&text, argv);
    assessment_of_line(strbuf_str(&text), text.length, cwd, writable_roots, assessment);
    *line = strbuf_steal(&text);
}
