/* SPDX-License-Identifier: MIT */
/* local_note: what is found, as clauses of the description and as evidence in the line. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "risk/local-int.h"
#include "risk/loss.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* "Changes files outside the workspace" says all that "changes files" does, and where. */
static bool tells_place(const char *phrase)
{
    static const enum phrase places[] = {PHRASE_outside, PHRASE_system_files, PHRASE_startup_files,
                                         PHRASE_approver_files, PHRASE_device};
    for (size_t i = 0; i < COUNT(places); i++)
        if (phrase == phrase_text(places[i]))
            return true;
    return false;
}

/* Does `phrase` say all that `general` does, and more? */
static bool says_more(const char *phrase, const char *general)
{
    if (general == phrase_text(PHRASE_edits))
        return tells_place(phrase);
    return phrase == phrase_text(PHRASE_deletes_outside) &&
           (general == phrase_text(PHRASE_deletes) ||
            general == phrase_text(PHRASE_deletes_unasked));
}

/* Nothing is left out when it gives way: both are of the same files. */
static bool is_of_the_same(const char *object, const char *other)
{
    return object == NULL || *object == '\0' || strcmp(object, other) == 0;
}

static void drop_clause(struct risk_clause *clauses, size_t at)
{
    for (; at + 1 < ASSESSMENT_CLAUSES; at++)
        clauses[at] = clauses[at + 1];
    clauses[ASSESSMENT_CLAUSES - 1] = (struct risk_clause){.phrase = NULL};
}

/* Does a clause say it better? What says it less well gives way. */
static bool said_better(struct assessment *assessment, const struct finding *finding)
{
    const char *phrase = phrase_text(finding->phrase), *object = finding->object;
    struct risk_clause *clauses = assessment->clauses;
    for (size_t i = 0; i < ASSESSMENT_CLAUSES && clauses[i].phrase != NULL;) {
        bool deletes = finding->phrase == PHRASE_deletes_outside ||
                       clauses[i].phrase == phrase_text(PHRASE_deletes_outside);
        bool same = !deletes || is_of_the_same(object, clauses[i].object);
        if (same && says_more(clauses[i].phrase, phrase))
            return true;
        if (same && says_more(phrase, clauses[i].phrase))
            drop_clause(clauses, i);
        else
            i++;
    }
    return false;
}

static void set_clause(struct risk_clause *clause, const struct finding *finding)
{
    *clause = (struct risk_clause){.phrase = phrase_text(finding->phrase),
                                   .level = finding->level,
                                   .categories = finding->categories};
    if (finding->object != NULL)
        snprintf(clause->object, sizeof(clause->object), "%s", finding->object);
}

/* The worst first, of the same level in their order; but that secrets are read is said even when
 * that much as grave came before. */
static void note_clause(struct assessment *assessment, const struct finding *finding)
{
    const char *text = phrase_text(finding->phrase);
    struct risk_clause *last = &assessment->clauses[ASSESSMENT_CLAUSES - 1];
    if (said_better(assessment, finding))
        return;
    for (size_t i = 0; i < ASSESSMENT_CLAUSES; i++) {
        struct risk_clause *clause = &assessment->clauses[i];
        if (clause->phrase == text) {
            clause->categories |= finding->categories;
            return;
        }
        if (clause->phrase != NULL && finding->level <= clause->level)
            continue;
        for (size_t j = ASSESSMENT_CLAUSES - 1; j > i; j--)
            assessment->clauses[j] = assessment->clauses[j - 1];
        set_clause(clause, finding);
        return;
    }
    if (finding->phrase == PHRASE_reads_secrets && finding->level == last->level)
        set_clause(last, finding);
}

/* When all places are taken, the least grave gives way. */
static void note_evidence(struct assessment *assessment, const struct finding *finding)
{
    const char *why = phrase_text(finding->phrase);
    size_t place = assessment->evidence_count, least = 0;
    for (size_t i = 0; i < assessment->evidence_count; i++) {
        const struct risk_evidence *evidence = &assessment->evidence[i];
        if (evidence->start == finding->start && evidence->end == finding->end &&
            evidence->why == why)
            return;
        if (evidence->level < assessment->evidence[least].level)
            least = i;
    }
    if (place == RISK_EVIDENCE_MAX) {
        if (assessment->evidence[least].level >= finding->level)
            return;
        place = least;
    } else {
        assessment->evidence_count++;
    }
    assessment->evidence[place] = (struct risk_evidence){
        .start = finding->start, .end = finding->end, .why = why, .level = finding->level};
}

void local_note(const struct assessor *assessor, struct finding finding)
{
    struct assessment *assessment = assessor->assessment;
    if (assessor->nesting > 0) {
        finding.start = assessor->start;
        finding.end = assessor->end;
    }
    if (assessor->contained) {
        finding.level = finding.level > RISK_MEDIUM ? RISK_MEDIUM : finding.level;
        finding.categories &= RISK_NETWORK_ACCESS | RISK_RESOURCE_EXHAUSTION;
    }
    /* What is changed elsewhere, others feel. */
    if (assessor->remote && finding.level == RISK_MEDIUM)
        finding.level = RISK_HIGH;
    if (finding.level > assessment->level)
        assessment->level = finding.level;
    if (finding.level > RISK_LOW)
        assessment->categories |= finding.categories;
    if (finding.level == RISK_HIGH && (finding.categories & RISK_DATA_DELETION) &&
        assessment->loss == NULL)
        assessment->loss = loss_of_phrase(finding.phrase);
    note_clause(assessment, &finding);
    if (finding.level > RISK_LOW)
        note_evidence(assessment, &finding);
}

void local_note_view(const struct assessor *assessor, const struct view *view,
                     enum risk_level level, unsigned categories, enum phrase phrase)
{
    const struct shell_word *words = view->node->words;
    size_t last = view->node->word_count - 1;
    size_t start = view->first <= last ? words[view->first].start : words[0].start;
    /* of a program that nobody knows, its own name says more than what it is given */
    bool named = phrase == PHRASE_own_source || phrase == PHRASE_unknown;
    const char *object = named ? view->words[0] : NULL;
    for (size_t i = 1; i < view->count && object == NULL; i++)
        if (view->words[i][0] != '-')
            object = view->words[i];
    local_note(assessor, (struct finding){level, categories, phrase, start, words[last].end,
                                          level > RISK_LOW ? object : NULL});
}
