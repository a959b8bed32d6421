/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "approval/orchestrator.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/call_text.h"
#include "ui/lease_text.h"
#include "ui/operator_agent.h"

#define NAMED_MAX 32    /* of the calls that end */
#define NAME_COLUMNS 40 /* of who asked for one: where that is cut, the end may tell them apart */
#define COMMAND_COLUMNS 16 /* a shorter beginning of a command tells nothing */
#define COMMAND_COLUMNS_MAX 60
#define MINUTE_MS 60000

static bool fits(const char *text, int columns)
{
    return (int)text_width(text, strlen(text)) <= columns;
}

/* For all that use it, which nothing else says. */
static const char *shared_answer(const struct approval_content *content)
{
    if (content->subject == SUBJECT_PATCH)
        return _("these files, shared session");
    if (content->subject != SUBJECT_COMMAND)
        return _("allow, in the shared session");
    return content->fetches ? _("shared session, any fetched code")
                            : _("only this, shared session");
}

/* Beside a rule, which may be for the session as well, this answer is for what is shown alone. A
 * patch is allowed by its files, whatever is changed in them; and a command that fetches what it
 * runs by its words, whatever comes. */
static const char *session_answer(const struct approval_content *content, int columns)
{
    const char *whole = content->fetches
                            ? _("allow this here, whatever code it fetches, for this session")
                            : _("allow exactly this, in this directory, for this session");
    const char *plain = _("only this command, for this session");

    if (content->untold)
        return shared_answer(content);
    if (content->subject == SUBJECT_PATCH)
        return _("these files for this session");
    if (content->subject != SUBJECT_COMMAND)
        return keymap_help(ACTION_APPROVE_SESSION);
    if (fits(whole, columns))
        return whole;
    if (content->fetches)
        return _("session, whatever it fetches");
    return fits(plain, columns) ? plain : _("only this, for this session");
}

/* A host is not for the one that asks alone but until that ends, and it is said with every length:
 * whatever its session runs may connect there, and send. */
static char *connection_words(const struct lease *lease, int columns)
{
    unsigned long long runs = lease->runs;
    cleanup_free char *long_as = lease_text_offer(lease, true);
    bool alone = lease->kind == LEASE_CALL;
    cleanup_free char *whole = xasprintf(alone ? _("this host, for this command, uploads too, %s")
                                               : _("this host, for any command, uploads too, %s"),
                                         long_as);

    if (fits(whole, columns))
        return steal_pointer(&whole);
    switch (lease->kind) {
    case LEASE_SESSION:
        return xstrdup(_("host, any command, session"));
    case LEASE_RUNS:
        return xasprintf(P_("any command, +%llu connection", "any command, +%llu connections",
                            (unsigned long)runs),
                         runs);
    case LEASE_CALL:
        return xasprintf(_("this command, %s"), long_as);
    case LEASE_TIME:
        break;
    }
    return xasprintf(_("any command, %s"), long_as);
}

/* What it is for is said with every length: "for 10 minutes" alone would be for all. */
static char *lease_words(const struct approval_content *content, const char *long_as, int columns)
{
    cleanup_free char *whole = NULL;

    if (content->subject == SUBJECT_PATCH)
        return xasprintf(_("these files %s"), long_as);
    if (content->subject != SUBJECT_COMMAND)
        return xasprintf(_("allow %s"), long_as);
    whole = xasprintf(content->fetches ? _("allow this %s, whatever code it fetches")
                                       : _("allow only this %s"),
                      long_as);
    return fits(whole, columns) ? steal_pointer(&whole) : xasprintf(_("only this %s"), long_as);
}

/* Where there is little room. As often in all, this time among them: "now and 5 more times" would
 * be cut. */
static char *outside_words(const struct approval_content *content, const struct lease *lease,
                           int columns)
{
    const char *shared = _("only this, shared session, NO sandbox");
    unsigned long long minutes = (unsigned long long)lease->duration_ms / MINUTE_MS;
    unsigned long long runs = lease->runs + 1;

    switch (lease->kind) {
    case LEASE_TIME:
        return xasprintf(_("only this, %llu min, NO sandbox"), minutes);
    case LEASE_RUNS:
        return xasprintf(P_("only this, %llu time, NO sandbox", "only this, %llu times, NO sandbox",
                            (unsigned long)runs),
                         runs);
    case LEASE_CALL:
        return xasprintf(_("this till c%" PRIu64 " ends, NO sandbox"), lease->call);
    case LEASE_SESSION:
        break;
    }
    if (content->untold)
        return xstrdup(fits(shared, columns) ? shared : _("this, shared session, NO sandbox"));
    return xstrdup(_("only this (session), NO sandbox"));
}

/* That it holds, and without the sandbox. */
static char *session_words(const struct approval_content *content, const struct lease *lease,
                           int columns)
{
    bool session = lease->kind == LEASE_SESSION;
    bool leaves = content->subject == SUBJECT_COMMAND && approval_content_session_leaves(content);
    const char *behind = _("%s, WITHOUT the sandbox");
    int left = columns - (leaves ? (int)text_width(behind, strlen(behind)) - 2 : 0);
    cleanup_free char *long_as = lease_text_offer(lease, content->subject == SUBJECT_CONNECTION);
    cleanup_free char *answer = content->subject == SUBJECT_CONNECTION
                                    ? connection_words(lease, left)
                                : session ? xstrdup(session_answer(content, left))
                                          : lease_words(content, long_as, left);
    cleanup_free char *outside = NULL;

    if (!leaves)
        return steal_pointer(&answer);
    outside = xasprintf(_("%s, WITHOUT the sandbox"), answer);
    return fits(outside, columns) ? steal_pointer(&outside)
                                  : outside_words(content, lease, columns);
}

/* For the session there is an answer without a rule as well: by what it covers beyond that. */
static const char *session_rule(const struct approval_rule *rule, int columns)
{
    const char *whole = !rule->exact  ? _("allow all that fit this rule, for this session")
                        : !rule->here ? _("allow this in any directory, for this session")
                                      : _("allow only this, by a rule, for this session");

    if (fits(whole, columns))
        return whole;
    return !rule->exact  ? _("all that fit the rule, session")
           : !rule->here ? _("this in any directory, session")
                         : _("only this, by a rule, session");
}

/* A rule for the command is none for the hosts that it is known to connect to. */
static char *rule_inside_words(const struct approval_content *content, const char *answer,
                               int columns)
{
    cleanup_free char *asks = xasprintf(_("%s; hosts asked next"), answer);

    return content->asks_hosts && !content->rule.host && fits(asks, columns) ? steal_pointer(&asks)
                                                                             : xstrdup(answer);
}

/* How long the rule holds, and that it lets out of the sandbox. What it is for stands above. */
static char *rule_words(const struct approval_content *content, int columns)
{
    bool session = content->rule.scope == LADDER_SESSION;
    bool leaves = approval_content_rule_leaves(content);
    const char *behind = _("%s, WITHOUT the sandbox");
    int left = columns - (leaves ? (int)text_width(behind, strlen(behind)) - 2 : 0);
    const char *answer = content->rule.host ? session ? _("allow this host for this session")
                                                      : _("allow this host for this project")
                         : session ? session_rule(&content->rule, left)
                                            : _("allow this rule for this project");
    cleanup_free char *outside = NULL;

    if (!leaves)
        return rule_inside_words(content, answer, columns);
    outside = xasprintf(_("%s, WITHOUT the sandbox"), answer);
    if (fits(outside, columns))
        return steal_pointer(&outside);
    return xstrdup(session ? _("rule (session), WITHOUT sandbox")
                           : _("rule (project), WITHOUT sandbox"));
}

/* What asks for a host runs already, and goes on; the no holds for its other connections there. */
static const char *deny_own_words(const struct approval_content *content, int columns)
{
    const char *whole = _("deny this host as long as the command runs; it goes on");

    if (content->for_call == 0)
        return _("do not run it");
    return fits(whole, columns) ? whole : _("deny this host while it runs");
}

/* There is no "deny once": what undoes it is said beside it, and that it is not the agent's end. */
static const char *deny_words(const struct approval_content *content, int columns)
{
    const char *whole = _("deny just this, for this session (:undo lets it ask again)");
    const char *brief = _("deny just this (session; :undo)");

    if (content->own)
        return deny_own_words(content, columns);
    if (content->changed)
        return _("deny it, as changed and as asked");
    return fits(whole, columns) ? whole : fits(brief, columns) ? brief : _("deny (session)");
}

/* The longer where it fits; frees the other. */
static char *fitting(char *longer, char *shorter, int columns)
{
    bool whole = fits(longer, columns);

    free(whole ? shorter : longer);
    return whole ? longer : shorter;
}

/* The first that fits, or `least`; frees the others. */
static char *first_fitting(char *longer, char *shorter, char *least, int columns)
{
    return fitting(longer, fitting(shorter, least, columns), columns);
}

/* What waits beside it and is the same is denied as well. */
static char *deny_same_words(const struct approval_content *content, int columns)
{
    unsigned same = content->ends.same;

    return first_fitting(
        xasprintf(P_("deny this, for this session, and %u that asks the same (:undo)",
                     "deny this, for this session, and %u that ask the same (:undo)", same),
                  same),
        xasprintf(_("deny this and %u the same (:undo)"), same),
        xasprintf(_("deny this and %u more"), same), columns);
}

static char *foreign_words(const struct approval_ends *ends)
{
    return ends->foreign == ends->count
               ? xasprintf(
                     P_("deny, end %u call of others", "deny, end %u calls of others", ends->count),
                     ends->count)
               : xasprintf(P_("deny, end %u call, %u of others", "deny, end %u calls, %u of others",
                              ends->count),
                           ends->count, ends->foreign);
}

/* In a session that many share, also what others asked for ends. `whole`: with all words. */
static char *abort_foreign_words(const struct approval_ends *ends, char *whole, int columns)
{
    return first_fitting(whole,
                         xasprintf(P_("deny (session), end %u call (%u of others)",
                                      "deny (session), end %u calls (%u of others)", ends->count),
                                   ends->count, ends->foreign),
                         foreign_words(ends), columns);
}

/* A connection is asked for by a call, and that ends with it. */
static char *abort_reach_words(const struct approval_content *content, int columns)
{
    uint64_t call = content->for_call;
    unsigned others = content->ends.count > 0 ? content->ends.count - 1 : 0;

    if (others == 0)
        return first_fitting(
            xasprintf(_("deny (session), end c%" PRIu64 ", which it is for"), call),
            xasprintf(_("deny (session), end call c%" PRIu64), call),
            xasprintf(_("deny, end c%" PRIu64 ", which it is for"), call), columns);
    if (content->ends.foreign > 0)
        return abort_foreign_words(&content->ends,
                                   xasprintf(P_("deny (session), end c%" PRIu64
                                                " and %u other call (%u of other programs)",
                                                "deny (session), end c%" PRIu64
                                                " and %u other calls (%u of other programs)",
                                                others),
                                             call, others, content->ends.foreign),
                                   columns);
    return first_fitting(
        xasprintf(P_("deny (session), end c%" PRIu64 " and %u other call of its agent",
                     "deny (session), end c%" PRIu64 " and %u other calls of its agent", others),
                  call, others),
        xasprintf(_("deny (session), end c%" PRIu64 ", %u more"), call, others),
        xasprintf(_("deny, end c%" PRIu64 ", %u more"), call, others), columns);
}

static char *abort_calls_words(const struct approval_content *content, int columns)
{
    unsigned ends = content->ends.count;

    if (content->ends.foreign == ends)
        return abort_foreign_words(
            &content->ends,
            xasprintf(P_("deny (session), end %u call of other programs",
                         "deny (session), end %u calls of other programs", ends),
                      ends),
            columns);
    if (content->ends.foreign > 0)
        return abort_foreign_words(
            &content->ends,
            xasprintf(P_("deny (session), end %u other call (%u of other programs)",
                         "deny (session), end %u other calls (%u of other programs)", ends),
                      ends, content->ends.foreign),
            columns);
    return first_fitting(
        xasprintf(P_("deny (session), end its %u other open call",
                     "deny (session), end its %u other open calls", ends),
                  ends),
        xasprintf(P_("deny (session), end its %u call", "deny (session), end its %u calls", ends),
                  ends),
        xstrdup(_("deny, end all its open calls")), columns);
}

/* All that the operator has typed; what asks for a host is of that. */
static char *abort_typed_words(const struct approval_content *content, int columns)
{
    const char *whole = content->for_call != 0 ? _("deny this host, and stop all your commands")
                                               : _("do not run it, and stop your other commands");

    if (fits(whole, columns))
        return xstrdup(whole);
    return xstrdup(content->for_call != 0 ? _("deny, stop all your commands")
                                          : _("do not run; stop your others"));
}

static char *foreign_grave_words(const struct approval_ends *ends, int columns)
{
    size_t grave = ends->grave;

    if (ends->foreign == ends->count)
        return first_fitting(
            xasprintf(P_("deny, end %u call of other programs (%zu HIGH)",
                         "deny, end %u calls of other programs (%zu HIGH)", ends->count),
                      ends->count, grave),
            xasprintf(P_("deny, end %u call of others (%zu HIGH)",
                         "deny, end %u calls of others (%zu HIGH)", ends->count),
                      ends->count, grave),
            xasprintf(_("deny, end %u of others (%zu HIGH)"), ends->count, grave), columns);
    return first_fitting(
        xasprintf(P_("deny, end %u call: %u of others, %zu HIGH",
                     "deny, end %u calls: %u of others, %zu HIGH", ends->count),
                  ends->count, ends->foreign, grave),
        xasprintf(_("deny, end %u: %u of others, %zu HIGH"), ends->count, ends->foreign, grave),
        xasprintf(_("deny, end %u: %u others', %zu HIGH"), ends->count, ends->foreign, grave),
        columns);
}

/* What is grave is the last to be cut, and how many they are. `both`: the same with all else. */
static char *abort_grave_words(const struct approval_content *content, char *both, int columns)
{
    size_t grave = content->ends.grave;

    if (content->ends.foreign > 0)
        return fitting(both, foreign_grave_words(&content->ends, columns), columns);
    return fitting(both,
                   xasprintf(P_("deny, end its %u call (%zu HIGH)",
                                "deny, end its %u calls (%zu HIGH)", content->ends.count),
                             content->ends.count, grave),
                   columns);
}

/* Nothing else ends with it: it does what the plain no does, unless its agent makes more of it. */
static char *abort_alone_words(const struct approval_content *content, int columns)
{
    const char *key = content->deny_key;

    if (content->may_end)
        return xstrdup(_("deny (session); the agent may stop"));
    return fitting(xasprintf(_("deny (session), same as %s: nothing else to end"), key),
                   xasprintf(_("same as %s: nothing else to end"), key), columns);
}

/* The no holds for the session as every one to an agent does. */
static char *abort_words(const struct approval_content *content, int columns)
{
    int whole = columns;
    cleanup_free char *grave = NULL;
    cleanup_free char *words = NULL;

    if (content->own)
        return abort_typed_words(content, columns);
    if (content->ends.count == 0 && content->for_call == 0)
        return abort_alone_words(content, columns);
    if (content->ends.grave > 0) {
        grave = xasprintf(_("%zu of high risk"), (size_t)content->ends.grave);
        columns -= (int)text_width(grave, strlen(grave)) + 2;
    }
    words = content->for_call != 0 ? abort_reach_words(content, columns)
                                   : abort_calls_words(content, columns);
    if (grave == NULL)
        return steal_pointer(&words);
    return abort_grave_words(content, xasprintf("%s, %s", words, grave), whole);
}

/* Calls that end with another: what is grave comes first. */
struct ending {
    const struct orchestrator *orchestrator;
    const struct call *calls[NAMED_MAX];
    size_t named, count;
};

/* "c10 (curl x), c11 and 3 more": so many of them, the first `told` of these with their commands,
 * each in so many columns. */
static char *told_words(const struct ending *ending, size_t some, size_t told, int command)
{
    cleanup_strbuf struct strbuf out = STRBUF_INIT;

    for (size_t i = 0; i < some; i++) {
        const struct call *call = ending->calls[i];
        cleanup_free char *line =
            i < told ? call_text_line_within(call, (size_t)command) : xstrdup("");

        strbuf_addf(&out, i < told ? "%sc%" PRIu64 " (%s)" : "%sc%" PRIu64 "%s", i > 0 ? ", " : "",
                    call->id, line);
    }
    if (ending->count > some)
        strbuf_addf(&out, _(" and %zu more"), ending->count - some);
    return strbuf_steal(&out);
}

static char *numbers_words(const struct ending *ending, size_t some)
{
    return told_words(ending, some, 0, 0);
}

/* "c10 (alice: curl x), c11 (bob: make)": each command in so many columns (0: without it). */
static char *names_words(const struct ending *ending, int command)
{
    cleanup_strbuf struct strbuf out = STRBUF_INIT;

    for (size_t i = 0; i < ending->named; i++) {
        const struct call *call = ending->calls[i];
        cleanup_free char *agent = operator_agent_label(ending->orchestrator, call, NAME_COLUMNS);
        cleanup_free char *line = call_text_line_within(call, (size_t)command);

        strbuf_addf(&out, command > 0 ? "%sc%" PRIu64 " (%s: %s)" : "%sc%" PRIu64 " (%s)",
                    i > 0 ? ", " : "", call->id, agent, line);
    }
    if (ending->count > ending->named)
        strbuf_addf(&out, _(" and %zu more"), ending->count - ending->named);
    return strbuf_steal(&out);
}

/* With as much of the commands as there is room for; NULL: there is too little. */
static char *fitting_commands(const struct ending *ending, int columns)
{
    for (int wide = COMMAND_COLUMNS_MAX; columns > 0 && wide >= COMMAND_COLUMNS; wide--) {
        cleanup_free char *words = names_words(ending, wide);

        if (fits(words, columns))
            return steal_pointer(&words);
    }
    return NULL;
}

/* As many numbers as fit, one at least. */
static char *fitting_numbers(const struct ending *ending, int columns)
{
    size_t some = ending->named;
    char *words = numbers_words(ending, some);

    while (some > 1 && !fits(words, columns)) {
        free(words);
        words = numbers_words(ending, --some);
    }
    return words;
}

/* All numbers, the first `told` with as much of their commands as there is room for; NULL: there is
 * too little. */
static char *fitting_told(const struct ending *ending, size_t told, int columns)
{
    cleanup_free char *least = told_words(ending, ending->named, told, COMMAND_COLUMNS);

    if (!fits(least, columns))
        return NULL;
    for (int wide = COMMAND_COLUMNS_MAX; wide > COMMAND_COLUMNS; wide--) {
        cleanup_free char *words = told_words(ending, ending->named, told, wide);

        if (fits(words, columns))
            return steal_pointer(&words);
    }
    return steal_pointer(&least);
}

/* What was grave is told first; the numbers need no room for what they were. */
static char *ended_words(const struct ending *ending, int columns)
{
    for (size_t told = ending->named; told > 0; told--) {
        char *words = fitting_told(ending, told, columns);

        if (words != NULL)
            return words;
    }
    return fitting_numbers(ending, columns);
}

/* "; 3 of high risk; 2 of other programs". */
static char *weight_words(const struct approval_ends *ends, bool brief)
{
    cleanup_strbuf struct strbuf out = STRBUF_INIT;

    if (ends != NULL && ends->grave > 0)
        strbuf_addf(&out, brief ? _("; %zu HIGH") : _("; %zu of high risk"), (size_t)ends->grave);
    if (ends != NULL && ends->foreign > 0)
        strbuf_addf(&out, brief ? _("; %u of others") : _("; %u of other programs"), ends->foreign);
    return strbuf_steal(&out);
}

/* The numbers are what they are told apart by: commands and names give way before any of them
 * does. Commands tell more than many words for what is grave. */
static char *ending_words(const struct ending *ending, const struct approval_ends *ends,
                          int columns)
{
    cleanup_free char *whole = weight_words(ends, false);
    cleanup_free char *brief = weight_words(ends, true);
    cleanup_free char *names = names_words(ending, 0);
    cleanup_free char *numbers = numbers_words(ending, ending->named);
    cleanup_free char *words = NULL;
    int room = columns - (int)text_width(whole, strlen(whole));
    int most = columns - (int)text_width(brief, strlen(brief));

    if (fits(names, most) && (words = fitting_commands(ending, room)) != NULL)
        return xasprintf("%s%s", words, whole);
    if (fits(names, most) && (words = fitting_commands(ending, most)) != NULL)
        return xasprintf("%s%s", words, brief);
    if (fits(names, room) || fits(numbers, room))
        return xasprintf("%s%s", fits(names, room) ? names : numbers, whole);
    words = fitting_numbers(ending, most);
    return xasprintf("%s%s", words, brief);
}

/* The questions of a call about hosts are none of their own. */
bool approval_words_ends_with(const struct call *call, const struct call *other, uint64_t up_to,
                              bool *grave)
{
    *grave = orchestrator_waits(other) && other->assessment.level == RISK_HIGH;
    return other->reach == NULL && session_abort_ends(call, other, up_to);
}

static struct ending find_ending(const struct orchestrator *orchestrator, const struct call *call,
                                 uint64_t up_to)
{
    struct ending ending = {.orchestrator = orchestrator};

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < orchestrator_call_count(orchestrator); i++) {
            const struct call *other = orchestrator_call_at(orchestrator, i);
            bool grave;

            if (!approval_words_ends_with(call, other, up_to, &grave) || grave != (pass == 0))
                continue;
            if (ending.count++ < NAMED_MAX)
                ending.calls[ending.named++] = other;
        }
    }
    return ending;
}

char *approval_words_ends(const struct orchestrator *orchestrator, const struct call *call,
                          uint64_t up_to, const struct approval_ends *ends, int columns)
{
    struct ending ending = find_ending(orchestrator, call, up_to);

    return ending.count > 0 ? ending_words(&ending, ends, columns) : NULL;
}

/* What went on would be missed behind many numbers: it may take another row. */
char *approval_words_ended(const struct orchestrator *orchestrator, const struct call *call,
                           uint64_t up_to, unsigned later, int columns)
{
    struct ending ending = find_ending(orchestrator, call, up_to);
    cleanup_strbuf struct strbuf out = STRBUF_INIT;

    if (ending.count == 0 && later == 0)
        return NULL;
    if (ending.count == 0) {
        strbuf_addf(&out, _("c%" PRIu64 " denied"), call->id);
    } else {
        cleanup_free char *none = xasprintf(_("c%" PRIu64 " denied; ended: %s"), call->id, "");
        cleanup_free char *ended =
            ended_words(&ending, columns - (int)text_width(none, strlen(none)));

        strbuf_addf(&out, _("c%" PRIu64 " denied; ended: %s"), call->id, ended);
    }
    if (later > 0)
        strbuf_addf(&out,
                    P_("; %u call that came meanwhile goes on",
                       "; %u calls that came meanwhile go on", later),
                    later);
    return strbuf_steal(&out);
}

/* A directory, of which all is meant: a slash says so where there is no room for more. */
static char *path_ends(const struct approval_content *content, int columns)
{
    const char *slash = content->path_holds ? "/" : "";
    int left = columns - (int)strlen(slash);
    cleanup_free char *ends =
        text_path_ends(content->path, strlen(content->path), left > 1 ? (size_t)left : 1);

    return xasprintf("%s%s", ends, slash);
}

/* How it is said where there is least room for it. */
static const char *least_path_words(const struct approval_content *content)
{
    return content->path_lasts ? _("session: write %s") : _("once: may write %s");
}

/* What there is room for within those words. */
static int path_columns(const char *words, int columns)
{
    return columns - ((int)text_width(words, strlen(words)) - 2);
}

/* Is the name that the path ends in whole, where it has so many columns? */
static bool has_name(const struct approval_content *content, int columns)
{
    cleanup_free char *ends = path_ends(content, columns);
    const char *cut = strstr(ends, "…");

    if (cut == NULL)
        return true;
    cut += strlen("…");
    return cut[0] == '/' && cut[1] != '\0'; /* the slash of a directory alone is no name */
}

bool approval_words_name_path(const struct approval_content *content, int columns)
{
    return has_name(content, path_columns(least_path_words(content), columns));
}

/* For this command alone, and with the path cut: what that gives is worth more than its beginning,
 * as long as it has a name. */
static char *lasting_path_words(const struct approval_content *content, int columns)
{
    int left = path_columns(_("only this, for this session: may write %s"), columns);
    bool named = has_name(content, left);
    cleanup_free char *ends =
        path_ends(content, named ? left : path_columns(least_path_words(content), columns));

    return named ? xasprintf(_("only this, for this session: may write %s"), ends)
                 : xasprintf(_("session: write %s"), ends);
}

/* The path whole, if there is room, or else both its ends. How long it holds the fewest of words
 * say, too. */
static char *path_words(const struct approval_content *content, int columns)
{
    bool lasts = content->path_lasts;
    const char *words = lasts ? _("only this, for this session, in sandbox: may write %s")
                              : _("once, in the sandbox, and may write %s");
    const char *few = lasts ? _("only this, for this session: may write %s")
                            : _("once, in sandbox: may write %s");
    cleanup_free char *whole =
        content->path_holds ? xasprintf(_("all in %s"), content->path) : xstrdup(content->path);
    cleanup_free char *ends = path_ends(content, path_columns(least_path_words(content), columns));

    if (fits(whole, path_columns(words, columns)))
        return lasts ? xasprintf(_("only this, for this session, in sandbox: may write %s"), whole)
                     : xasprintf(_("once, in the sandbox, and may write %s"), whole);
    if (fits(whole, path_columns(few, columns)))
        return lasts ? xasprintf(_("only this, for this session: may write %s"), whole)
                     : xasprintf(_("once, in sandbox: may write %s"), whole);
    return lasts ? lasting_path_words(content, columns) : xasprintf(_("once: may write %s"), ends);
}

/* A command that is known to connect has no host by that, even if it names one. */
static const char *once_words(const struct approval_content *content, int columns)
{
    const char *asks = content->hosts_denied
                           ? _("allow once, but no host: asked for next, or denied as before")
                           : _("allow once, but no host: each is asked for next");
    const char *few = content->hosts_denied ? _("once; hosts asked or denied")
                                            : _("allow once; hosts asked next");

    if (content->asks_hosts && (fits(asks, columns) || fits(few, columns)))
        return fits(asks, columns) ? asks : few;
    return subject_once(content->subject, content->unsandboxed);
}

char *approval_words_answer(const struct approval_content *content, enum action action,
                            const struct lease *lease, int columns)
{
    switch (action) {
    case ACTION_APPROVE:
        return xstrdup(once_words(content, columns));
    case ACTION_APPROVE_PATH:
        return path_words(content, columns);
    case ACTION_APPROVE_SESSION:
        return session_words(content, lease, columns);
    case ACTION_APPROVE_PREFIX:
        return rule_words(content, columns);
    case ACTION_DENY:
        return content->ends.same > 0 && !content->own && !content->changed
                   ? deny_same_words(content, columns)
                   : xstrdup(deny_words(content, columns));
    case ACTION_ABORT:
        return abort_words(content, columns);
    default:
        return xstrdup(keymap_help(action));
    }
}
