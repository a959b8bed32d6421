/* SPDX-License-Identifier: MIT */
/* local_note: what is found, as clauses of the description and as evidence in the line. */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/path.h"
#include "command/wrapper.h"
#include "risk/local-int.h"
#include "risk/loss.h"

/* "Changes files outside the workspace" says all that "changes files" does, and where. */
static bool tells_place(const char *phrase)
{
    static const enum phrase places[] = {
        PHRASE_outside,      PHRASE_perhaps_outside, PHRASE_system_files, PHRASE_startup_files,
        PHRASE_obeyed_files, PHRASE_login_files,     PHRASE_own_programs, PHRASE_approver_files,
        PHRASE_git_runs,     PHRASE_here_runs,       PHRASE_device};
    for (size_t i = 0; i < COUNT(places); i++)
        if (phrase == phrase_text(places[i]))
            return true;
    return false;
}

/* What it says is done to files changes them. */
static bool tells_change(const char *phrase)
{
    static const enum phrase changes[] = {PHRASE_owners, PHRASE_permissions,
                                          PHRASE_permissions_open, PHRASE_permissions_tree,
                                          PHRASE_setuid};
    for (size_t i = 0; i < COUNT(changes); i++)
        if (phrase == phrase_text(changes[i]))
            return true;
    return false;
}

static bool tells_outside(const char *phrase)
{
    return phrase == phrase_text(PHRASE_deletes_outside) ||
           phrase == phrase_text(PHRASE_deletes_perhaps_outside);
}

/* Does `phrase` say all that `general` does, and more? */
static bool says_more(const char *phrase, const char *general)
{
    if (general == phrase_text(PHRASE_edits))
        return tells_place(phrase) || tells_change(phrase);
    return tells_outside(phrase) && (general == phrase_text(PHRASE_deletes) ||
                                     general == phrase_text(PHRASE_deletes_forced) ||
                                     general == phrase_text(PHRASE_deletes_found) ||
                                     general == phrase_text(PHRASE_deletes_whole) ||
                                     general == phrase_text(PHRASE_deletes_untracked) ||
                                     general == phrase_text(PHRASE_deletes_ignored));
}

/* Of a list, "a, b": a name may end with a comma of its own. */
static bool is_item_end(const char *at)
{
    return *at == '\0' || (at[0] == ',' && at[1] == ' ');
}

/* Nothing is left out when it gives way: both are of the same files ("a" and "a, b"). */
static bool is_of_the_same(const char *object, const char *others)
{
    size_t length = object != NULL ? strlen(object) : 0;
    bool listed = length == 0;
    for (const char *at = others; !listed && (at = strstr(at, object)) != NULL; at++)
        listed = (at == others || at[-1] == ' ') && is_item_end(at + length);
    return listed;
}

/* Two that are of files of which only one may be said: of which it is must be looked at. */
static bool is_of_files(const char *phrase)
{
    return tells_outside(phrase) || tells_change(phrase);
}

/* As the command would find it; what a shell makes of a pattern is not known. */
static void note_beyond(const struct assessor *assessor, const char *path)
{
    struct assessment *assessment = assessor->assessment;
    char joined[PATH_MAX];
    cleanup_free char *there = local_from_here(assessor, path);
    const char *whole = *there == '/'                                                      ? there
                        : assessor->cwd != NULL && path_join(joined, assessor->cwd, there) ? joined
                                                                                           : NULL;
    bool plain = whole != NULL && local_path_is_sure(assessor, path) &&
                 strpbrk(there, "~$`*?[]{}\\") == NULL && strlen(whole) < sizeof assessment->beyond;
    if (!plain || (assessment->beyond[0] != '\0' && strcmp(assessment->beyond, whole) != 0))
        assessment->beyond_unsure = true;
    else
        strcpy(assessment->beyond, whole);
}

void local_note_place(const struct assessor *assessor, const char *path, enum place place)
{
    bool file = place == PLACE_OUTSIDE || (place >= PLACE_STARTUP && place <= PLACE_LOG) ||
                (place == PLACE_SYSTEM && strncmp(path, "/proc/", 6) != 0);
    if (!file || !local_is_beyond(assessor, path)) {
        assessor->assessment->beyond_unsure |= file && !local_place_is_sure(assessor, path);
        return;
    }
    assessor->assessment->writes_outside = true;
    note_beyond(assessor, path);
}

static void drop_clause(struct risk_clause *clauses, size_t at)
{
    for (; at + 1 < ASSESSMENT_CLAUSES; at++)
        clauses[at] = clauses[at + 1];
    clauses[ASSESSMENT_CLAUSES - 1] = (struct risk_clause){.phrase = NULL};
}

/* Takes one out of a list, "a, b, c"; false when it is all of it. */
static bool take_out(char *list, const char *object)
{
    size_t length = object != NULL ? strlen(object) : 0;
    char *at = length > 0 && strcmp(list, object) != 0 ? strstr(list, object) : NULL;
    while (at != NULL && !((at == list || at[-1] == ' ') && is_item_end(at + length)))
        at = strstr(at + 1, object);
    if (at == NULL)
        return false;
    if (at[length] == ',')
        memmove(at, at + length + 2, strlen(at + length + 2) + 1);
    else
        at[-2] = '\0';
    return true;
}

/* Does a clause say it better? What says it less well gives way. */
static bool said_better(struct assessment *assessment, const struct finding *finding)
{
    const char *phrase = phrase_text(finding->phrase), *object = finding->object;
    struct risk_clause *clauses = assessment->clauses;
    for (size_t i = 0; i < ASSESSMENT_CLAUSES && clauses[i].phrase != NULL;) {
        bool files = is_of_files(phrase) || is_of_files(clauses[i].phrase);
        bool same = !files || is_of_the_same(object, clauses[i].object);
        if (same && says_more(clauses[i].phrase, phrase))
            return true;
        if (same && says_more(phrase, clauses[i].phrase) &&
            !(files && take_out(clauses[i].object, object)))
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
        assessment_set_object(clause, finding->object);
}

/* What reaches beyond the workspace: secrets that are gone, code that nobody has seen. */
static bool is_grave(enum risk_level level, unsigned categories, const char *phrase)
{
    return level == RISK_HIGH &&
           ((categories & (RISK_DATA_EXFILTRATION | RISK_PRIVILEGE_ESCALATION)) != 0 ||
            phrase == phrase_text(PHRASE_runs_downloaded) ||
            phrase == phrase_text(PHRASE_downloads_runs) ||
            phrase == phrase_text(PHRASE_runs_input) || tells_outside(phrase));
}

static bool is_worse(const struct finding *finding, const struct risk_clause *clause)
{
    if (clause->phrase == NULL || finding->level != clause->level)
        return clause->phrase == NULL || finding->level > clause->level;
    return is_grave(finding->level, finding->categories, phrase_text(finding->phrase)) &&
           !is_grave(clause->level, clause->categories, clause->phrase);
}

static void leave_untold(struct assessment *assessment, const struct risk_clause *clause)
{
    if (clause->phrase != NULL && clause->level > RISK_LOW)
        assessment_note_untold(assessment, clause->phrase);
}

/* Of what is lost, or leaves the machine, each matters. */
static bool names_all(const struct finding *finding)
{
    return (finding->categories & RISK_DATA_DELETION) != 0 || finding->phrase == PHRASE_pushes ||
           finding->phrase == PHRASE_pushes_unchecked;
}

/* The same is done to something else as well. */
static void add_object(struct assessment *assessment, struct risk_clause *clause,
                       const struct finding *finding)
{
    const char *object = finding->object != NULL ? finding->object : "";
    size_t length = strlen(clause->object);
    clause->categories |= finding->categories;
    if ((length == 0 && *object == '\0') ||
        (*object != '\0' && is_of_the_same(object, clause->object)))
        return;
    if (!names_all(finding) || finding->level == RISK_LOW) {
        clause->others = true;
        return;
    }
    if (length > 0 && *object != '\0' && clause->more == 0 &&
        length + strlen(object) + 2 < sizeof(clause->object))
        snprintf(clause->object + length, sizeof(clause->object) - length, ", %s", object);
    else
        leave_untold(assessment, clause);
}

static void insert_clause(struct assessment *assessment, size_t at, const struct finding *finding)
{
    leave_untold(assessment, &assessment->clauses[ASSESSMENT_CLAUSES - 1]);
    for (size_t i = ASSESSMENT_CLAUSES - 1; i > at; i--)
        assessment->clauses[i] = assessment->clauses[i - 1];
    set_clause(&assessment->clauses[at], finding);
}

/* The worst first, of the same level the gravest, else in their order; but that secrets are read is
 * said even when that much as grave came before. */
static void note_clause(struct assessment *assessment, const struct finding *finding)
{
    const char *text = phrase_text(finding->phrase);
    size_t last = ASSESSMENT_CLAUSES - 1;
    if (said_better(assessment, finding))
        return;
    for (size_t i = 0; i < ASSESSMENT_CLAUSES; i++) {
        if (assessment->clauses[i].phrase == text) {
            add_object(assessment, &assessment->clauses[i], finding);
            return;
        }
        if (!is_worse(finding, &assessment->clauses[i]))
            continue;
        insert_clause(assessment, i, finding);
        return;
    }
    if (finding->phrase == PHRASE_reads_secrets &&
        finding->level == assessment->clauses[last].level)
        insert_clause(assessment, last, finding);
    else if (finding->level > RISK_LOW)
        assessment_note_untold(assessment, text);
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
        assessment->evidence_more = true;
        if (assessment->evidence[least].level >= finding->level)
            return;
        place = least;
    } else {
        assessment->evidence_count++;
    }
    assessment->evidence[place] = (struct risk_evidence){
        .start = finding->start, .end = finding->end, .why = why, .level = finding->level};
}

/* The first, but what reaches beyond the workspace before all others, as in the clauses. */
static void note_loss(struct assessment *assessment, const struct finding *finding)
{
    bool deletes = (finding->categories & RISK_DATA_DELETION) != 0;
    const char *loss =
        finding->level == RISK_HIGH ? loss_of_phrase(finding->phrase, deletes) : NULL;
    bool grave = is_grave(finding->level, finding->categories, phrase_text(finding->phrase));
    if (loss == NULL || (assessment->loss != NULL && (!grave || assessment->loss_grave)))
        return;
    assessment->loss = loss;
    assessment->loss_grave = grave;
}

static void note_others(struct assessment *assessment, enum phrase phrase)
{
    for (size_t i = 0; i < ASSESSMENT_CLAUSES; i++)
        if (assessment->clauses[i].phrase == phrase_text(phrase))
            assessment->clauses[i].others = true;
}

/* In a loop only the first is named, when each time it is another. */
static bool is_one_of_several(const struct assessor *assessor, const struct finding *finding)
{
    const struct shell_node *node = assessor->node;
    bool several = false;
    if (node == NULL || (node->context & SHELL_IN_LOOP) == 0 || finding->object == NULL)
        return false;
    for (size_t i = 0; i < node->word_count + node->redirect_count && !several; i++) {
        const struct shell_word *word =
            i < node->word_count ? &node->words[i] : &node->redirects[i - node->word_count].target;
        several = word->start >= finding->start && word->end <= finding->end &&
                  local_is_one_of_several(assessor, word);
    }
    return several;
}

void local_note(const struct assessor *assessor, struct finding finding)
{
    struct assessment *assessment = assessor->assessment;
    bool several = is_one_of_several(assessor, &finding);
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
    assessment->networks +=
        finding.level > RISK_LOW && (finding.categories & RISK_NETWORK_ACCESS) != 0;
    note_loss(assessment, &finding);
    note_clause(assessment, &finding);
    if (several)
        note_others(assessment, finding.phrase);
    if (finding.level > RISK_LOW)
        note_evidence(assessment, &finding);
}

const char *local_name_object(const struct assessor *assessor, const char *word)
{
    /* A dot would be read as the end of the sentence. */
    bool unclear = strstr(word, ", ") != NULL || strcmp(word, ".") == 0 || strcmp(word, "..") == 0;
    return unclear ? local_keep(assessor, xasprintf("\"%s\"", word)) : word;
}

bool local_says_how(const struct view *view, size_t index)
{
    static const char *const programs[] = {"chmod", "gchmod", "chown", "gchown", "chgrp", "gchgrp"};
    static const char *const archivers[] = {"tar", "gtar", "bsdtar", "7z", "ar", "unrar"};
    static const char *const verbs[] = {
        "add",   "config", "delete", "disable",   "enable",  "get",     "install", "mask",
        "purge", "reload", "remove", "reset",     "restart", "run",     "set",     "start",
        "stop",  "unmask", "update", "uninstall", "upgrade", "download"};
    const char *name = wrapper_basename(view->words[0]), *word = view->words[index];
    if (index + 1 >= view->count)
        return false;
    if (IS_IN(name, archivers))
        return index == 1;
    if (!IS_IN(name, programs))
        return IS_IN(word, verbs);
    for (size_t i = 1; i < view->count; i++)
        if (strncmp(view->words[i], "--reference", 11) == 0)
            return false;
    return true;
}

/* What it is done to, as far as one word can say it; NULL. */
static const char *first_object(const struct view *view)
{
    bool first = true;
    for (size_t i = 1; i < view->count; i++) {
        if (view->words[i][0] == '-')
            continue;
        if (!first || !local_says_how(view, i))
            return view->words[i];
        first = false;
    }
    return NULL;
}

void local_note_view(const struct assessor *assessor, const struct view *view,
                     enum risk_level level, unsigned categories, enum phrase phrase)
{
    const struct shell_word *words = view->node->words;
    size_t last = view->node->word_count - 1;
    size_t start = view->first <= last ? words[view->first].start : words[0].start;
    /* of a program that nobody knows, its own name says more than what it is given */
    bool named = phrase == PHRASE_own_source || phrase == PHRASE_unknown;
    const char *object = named ? view->words[0] : first_object(view);
    if (object != NULL)
        object = local_name_object(assessor, object);
    local_note(assessor, (struct finding){level, categories, phrase, start, words[last].end,
                                          level > RISK_LOW ? object : NULL});
}
