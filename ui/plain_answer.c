/* SPDX-License-Identifier: MIT */
/* plain_answer: the line that answers the request that is asked about. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/approval_words.h"
#include "ui/overlay_offers.h"
#include "ui/plain_int.h"
#include "ui/subject.h"

void plain_answer_hand_in(struct plain *plain, enum review_kind kind, const char *message)
{
    struct orchestrator *orchestrator = plain->setup.orchestrator;
    struct error error = ERROR_INIT;
    int result;

    if (kind == REVIEW_APPROVED_FOR_SESSION) {
        result = orchestrator_decide_lease(orchestrator, plain->prompt, plain->revision,
                                           &plain->lease, &error);
    } else if (kind == REVIEW_APPROVED_AMENDMENT) {
        result = orchestrator_decide_rule(orchestrator, plain->prompt, plain->revision,
                                          &plain->choice, &error);
    } else {
        result = orchestrator_decide(orchestrator, plain->prompt, plain->revision, kind, message,
                                     &error);
    }
    if (result < 0)
        plain_say(plain, "%s", error.message);
    else /* dealt with, even before the orchestrator has closed it */
        plain_request_put_aside(plain, plain->prompt);
}

/* What was allowed is handed in; a question is answered by the next line. */
static void carry_out(struct plain *plain, const struct call *call, enum review_kind kind)
{
    cleanup_free char *sentence = NULL;

    if (!call->wants_words) {
        if (!plain_check_first(plain->check, call, kind))
            plain_answer_hand_in(plain, kind, NULL);
        return;
    }
    sentence = xasprintf(_("Your answer to c%" PRIu64 ", in one line:"), plain->call);
    plain->secret = call->secret_words;
    plain_ask_for(plain, PLAIN_WORDS, sentence);
}

static enum review_kind kind_of(const struct plain *plain, enum action action)
{
    if (action == ACTION_APPROVE_PATH)
        return plain->path_lasts ? REVIEW_APPROVED_PATH_FOR_SESSION : REVIEW_APPROVED_PATH;
    return action == ACTION_APPROVE             ? REVIEW_APPROVED
           : action == ACTION_APPROVE_SANDBOXED ? REVIEW_APPROVED_SANDBOXED
           : action == ACTION_APPROVE_SESSION   ? REVIEW_APPROVED_FOR_SESSION
                                                : REVIEW_APPROVED_AMENDMENT;
}

/* "10m", "5", "c1": how long the answer holds; false when it says something else. `until`: the call
 * that it can be bound to, 0: none. */
static bool read_lease(const char *text, uint64_t until, struct lease *lease)
{
    char *end;
    unsigned long number;

    *lease = (struct lease){.kind = LEASE_SESSION};
    if (*text == '\0')
        return true;
    if (*text == 'c') {
        *lease = (struct lease){.kind = LEASE_CALL, .call = strtoull(text + 1, &end, 10)};
        return until != 0 && lease->call == until && *end == '\0';
    }
    number = strtoul(text, &end, 10);
    if (end == text || number == 0 || number > 1000)
        return false;
    if (*end == '\0')
        *lease = (struct lease){.kind = LEASE_RUNS, .runs = number};
    else if (strcmp(end, "m") == 0)
        *lease = (struct lease){.kind = LEASE_TIME, .duration_ms = (int64_t)number * 60000};
    return lease->kind != LEASE_SESSION;
}

/* Why that answer cannot be given; NULL when it can. Caller frees. */
static char *why_not(const struct approval_content *content, enum action action)
{
    bool missing = (action == ACTION_APPROVE_SANDBOXED && !content->may_sandbox) ||
                   (action == ACTION_APPROVE_PATH && content->path == NULL) ||
                   (action == ACTION_APPROVE_SESSION && !content->may_approve_for_session) ||
                   (action == ACTION_APPROVE_PREFIX && !content->rule.offered);

    return missing ? xstrdup(approval_content_why_not(content, action)) : NULL;
}

/* Has what that answer would allow beside this changed since it was printed? */
static bool releases_changed(const struct plain *plain, const struct approval_content *content,
                             enum action action)
{
    struct approval_release now[2];

    plain_releases(plain, content, now);
    return (action == ACTION_APPROVE_SESSION &&
            !approval_release_equal(&now[0], &plain->release_by[0])) ||
           (action == ACTION_APPROVE_PREFIX &&
            !approval_release_equal(&now[1], &plain->release_by[1]));
}

/* Why an answer is not taken, and which are. */
static void ask_again(struct plain *plain, const struct call *call, const char *why)
{
    plain_say(plain, "%s", why);
    plain_print_keys(plain, call);
    plain_ask(plain, PLAIN_ANSWER);
}

static void look_again(struct plain *plain, const struct call *call)
{
    plain_say(plain, "%s",
              _("The other requests that this would allow have just changed: look again."));
    plain_print_request(plain, call, plain->whole);
}

void plain_answer_checked(struct plain *plain, const struct call *call, enum review_kind kind)
{
    enum action action = kind == REVIEW_APPROVED_FOR_SESSION ? ACTION_APPROVE_SESSION
                         : kind == REVIEW_APPROVED_AMENDMENT ? ACTION_APPROVE_PREFIX
                                                             : ACTION_APPROVE;
    struct approval_content content;
    bool changed;

    plain_content(plain, call, &content);
    changed = releases_changed(plain, &content, action);
    approval_content_clear(&content);
    if (changed)
        look_again(plain, call);
    else
        plain_answer_hand_in(plain, kind, NULL);
}

/* What takes a second line here takes Enter on the screen. NULL: it does not. The caller frees. */
static char *why_confirm(const struct plain *plain, const struct approval_content *content,
                         enum action action)
{
    if (!approval_content_confirms(content, action))
        return NULL;
    if (approval_content_is_grave(content))
        return xasprintf(_("c%" PRIu64 " is of high risk, or holds text that cannot be shown as "
                           "it is. To allow it all the same, type the word yes:"),
                         plain->call);
    if (approval_content_widens(content, action) && !content->rule.host)
        return xasprintf(_("The rule for c%" PRIu64 " allows more than exactly this command. To "
                           "allow that, type the word yes:"),
                         plain->call);
    if (approval_content_widens(content, action))
        return xasprintf(_("The host of c%" PRIu64 " would be allowed for this project, beyond "
                           "this session. To allow that, type the word yes:"),
                         plain->call);
    if (action != ACTION_APPROVE)
        return xasprintf(_("c%" PRIu64 " would run WITHOUT the sandbox, and not only this "
                           "once. To allow that, type the word yes:"),
                         plain->call);
    return content->retry ? xasprintf(_("c%" PRIu64 " would run once more, WITHOUT the sandbox. "
                                        "To allow that, type the word yes:"),
                                      plain->call)
                          : xasprintf(_("c%" PRIu64 " would run WITHOUT the sandbox. To allow "
                                        "that, type the word yes:"),
                                      plain->call);
}

/* What a sandbox holds may be run unread. */
static bool runs_unread(const struct plain *plain, enum action action)
{
    return !plain->scripts_read && action != ACTION_APPROVE_SANDBOXED &&
           action != ACTION_APPROVE_PATH;
}

static void allow(struct plain *plain, const struct call *call, enum action action)
{
    struct approval_content content;
    cleanup_free char *confirm = NULL;
    cleanup_free char *missing = NULL;
    const char *refused;
    bool changed;

    plain_content(plain, call, &content);
    missing = why_not(&content, action);
    confirm = why_confirm(plain, &content, action);
    changed = releases_changed(plain, &content, action);
    approval_content_clear(&content);
    refused = !plain->whole                ? subject_read_first_plain(subject_of(call))
              : runs_unread(plain, action) ? _("Read the file that it runs first: v")
                                           : missing;
    if (missing != NULL && action == ACTION_APPROVE_PATH)
        orchestrator_seek_path(plain->setup.orchestrator, plain->prompt);
    if (refused != NULL) {
        ask_again(plain, call, refused);
    } else if (changed) {
        look_again(plain, call);
    } else if (confirm != NULL) {
        plain->armed = action;
        plain_ask_for(plain, PLAIN_YES, confirm);
    } else {
        carry_out(plain, call, kind_of(plain, action));
    }
}

static void hand_in_offer(struct plain *plain)
{
    struct error error = ERROR_INIT;

    if (orchestrator_decide_offer(plain->setup.orchestrator, plain->prompt, plain->revision,
                                  plain->offer, &error) < 0)
        plain_say(plain, "%s", error.message);
    else
        plain_request_put_aside(plain, plain->prompt);
}

/* Ends what had come when that was said: what comes meanwhile goes on, and takes nothing back. */
static void hand_in_abort(struct plain *plain, const struct call *call)
{
    struct approval_ends all = approval_content_ends(call, 0);
    struct approval_ends said = approval_content_ends(call, plain->ends.last);
    cleanup_free char *ended =
        approval_words_ended(plain->setup.orchestrator, call, plain->ends.last,
                             all.count - said.count, APPROVAL_WORDS_ALL);
    struct error error = ERROR_INIT;

    if (orchestrator_decide_abort(plain->setup.orchestrator, plain->prompt, plain->revision,
                                  plain->ends.last, &error) < 0) {
        plain_say(plain, "%s", error.message);
        return;
    }
    if (ended != NULL)
        plain_say(plain, "%s", ended);
    plain_request_put_aside(plain, plain->prompt);
}

static void end_calls(struct plain *plain, const struct call *call)
{
    struct approval_content content;
    cleanup_free char *words = NULL, *calls = NULL, *sentence = NULL;

    plain_content(plain, call, &content);
    plain->ends = content.ends;
    if (content.ends.count > 0) {
        words = approval_words_answer(&content, ACTION_ABORT, NULL, APPROVAL_WORDS_ALL);
        calls = approval_words_ends(plain->setup.orchestrator, call, plain->ends.last, NULL,
                                    APPROVAL_WORDS_ALL);
    }
    approval_content_clear(&content);
    if (words == NULL) {
        hand_in_abort(plain, call);
        return;
    }
    plain->armed = ACTION_ABORT;
    if (calls != NULL)
        sentence = xasprintf(_("x: %s: %s. To do that, type the word yes:"), words, calls);
    else
        sentence = xasprintf(_("x: %s. To do that, type the word yes:"), words);
    plain_ask_for(plain, PLAIN_YES, sentence);
}

/* As on the screen: it has not been said that one of those calls is grave by now. */
static void end_shown_calls(struct plain *plain, const struct call *call)
{
    if (approval_content_ends(call, plain->ends.last).grave <= plain->ends.grave) {
        hand_in_abort(plain, call);
        return;
    }
    plain_say(plain, "%s", _("A call that this would end is of high risk by now: look again."));
    plain_print_request(plain, call, plain->whole);
}

static void take_yes(struct plain *plain, const struct call *call, const char *line)
{
    enum action armed = plain->armed;

    plain->armed = ACTION_NONE;
    if (strcmp(line, "yes") == 0 || strcmp(line, C_("answer", "yes")) == 0) {
        struct approval_content content;
        bool changed;

        plain_content(plain, call, &content);
        changed = releases_changed(plain, &content, armed);
        approval_content_clear(&content);
        if (changed)
            look_again(plain, call);
        else if (armed == ACTION_OFFERS)
            hand_in_offer(plain);
        else if (armed == ACTION_ABORT)
            end_shown_calls(plain, call);
        else
            carry_out(plain, call, kind_of(plain, armed));
        return;
    }
    plain_say(plain,
              armed == ACTION_ABORT ? _("Not answered yet. Answer for c%" PRIu64 ":")
                                    : _("Not allowed yet. Answer for c%" PRIu64 ":"),
              plain->call);
    plain_ask(plain, PLAIN_ANSWER);
}

/* "y 3", "y c3", "y3": the letter and the number of the request, and what follows. False when the
 * number is missing or another's. */
static bool names_request(const struct plain *plain, const char *words, const char **rest)
{
    char *end;
    unsigned long long number;

    words += strspn(words, " ");
    words += *words == 'c';
    number = strtoull(words, &end, 10);
    if (end == words || number != plain->call || (*end != '\0' && *end != ' '))
        return false;
    *rest = end + strspn(end, " ");
    return true;
}

static void take_approval(struct plain *plain, const struct call *call, const char *line)
{
    enum action action = *line == 'y'   ? ACTION_APPROVE
                         : *line == 'i' ? ACTION_APPROVE_SANDBOXED
                         : *line == 'w' ? ACTION_APPROVE_PATH
                         : *line == 'a' ? ACTION_APPROVE_SESSION
                                        : ACTION_APPROVE_PREFIX;
    const char *rest = "";

    if (!names_request(plain, line + 1, &rest)) {
        cleanup_free char *how =
            xasprintf(_("To allow it, name it: %c %" PRIu64), *line, plain->call);

        ask_again(plain, call, how);
        return;
    }
    plain->path_lasts = action == ACTION_APPROVE_PATH && strcmp(rest, "session") == 0;
    if (plain->path_lasts && call->prompt->path != NULL && !call->prompt->path_may_last) {
        cleanup_free char *once = call_text_path_once(call->prompt);

        ask_again(plain, call, once);
        return;
    }
    if ((action == ACTION_APPROVE_SESSION &&
         !read_lease(rest, call->prompt->lease_call, &plain->lease)) ||
        (action != ACTION_APPROVE_SESSION && *rest != '\0' && !plain->path_lasts)) {
        ask_again(plain, call, _("Behind the number stands nothing, or for a: 10m or 5."));
        return;
    }
    allow(plain, call, action);
}

/* "o 3 1": the first of the answers that the agent of c3 has of its own. */
static void take_offer(struct plain *plain, const struct call *call, const char *line)
{
    const char *rest = "";
    char *end;
    unsigned long number;

    if (!names_request(plain, line + 1, &rest) || (number = strtoul(rest, &end, 10)) == 0 ||
        number > call->offer_count || *end != '\0') {
        ask_again(plain, call, _("There is no such answer of the agent's own."));
    } else if (!plain->whole) {
        ask_again(plain, call, subject_read_first_plain(subject_of(call)));
    } else if (runs_unread(plain, ACTION_OFFERS)) {
        ask_again(plain, call, _("Read the file that it runs first: v"));
    } else {
        const struct call_offer *offer = &call->offers[number - 1];
        cleanup_free char *name = text_line(offer->name, strlen(offer->name), 200);
        cleanup_free char *sentence = xasprintf(_("This answer %s. To give it, type the word yes:"),
                                                overlay_offers_effect(offer->kind));

        plain->offer = number - 1;
        plain->armed = ACTION_OFFERS;
        plain_say(plain, "  | %s", name);
        plain_ask_for(plain, PLAIN_YES, sentence);
    }
}

/* Counted from 1, and there. */
static size_t nth_offered(const struct ladder *ladder, unsigned long number)
{
    size_t step = 0;

    while (ladder_offered(ladder, step + 1) < number)
        step++;
    return step;
}

/* "r 2", "r 2 session": another of the rules that are offered. */
static void take_rule(struct plain *plain, const struct call *call, const char *line)
{
    const struct ladder *ladder = call->prompt->ladder;
    char *rest;
    unsigned long number = strtoul(line + 1, &rest, 10);

    rest += strspn(rest, " ");
    if (ladder == NULL || number == 0 || number > ladder_offered(ladder, ladder->count) ||
        (*rest != '\0' && strcmp(rest, "session") != 0)) {
        ask_again(plain, call,
                  ladder == NULL ? call_text_no_rule(call->prompt)
                                 : _("There is no such rule for this request."));
        return;
    }
    plain->choice.step = nth_offered(ladder, number);
    plain->choice.scope = *rest != '\0' ? LADDER_SESSION : LADDER_PROJECT;
    plain_print_request(plain, call, plain->whole);
}

static void start_edit(struct plain *plain, const struct call *call)
{
    const char *fixed = prompt_fixed(call);

    if (fixed != NULL) {
        ask_again(plain, call, _(fixed));
        return;
    }
    plain_ask_for(plain, PLAIN_COMMAND,
                  _("The command instead, in one line; nothing runs yet. An empty line "
                    "goes back:"));
}

static void take_command(struct plain *plain, const struct call *call, const char *line)
{
    struct error error = ERROR_INIT;

    if (*line == '\0')
        plain_print_keys(plain, call);
    else if (orchestrator_edit(plain->setup.orchestrator, plain->prompt, plain->revision, line,
                               &error) < 0)
        plain_say(plain, "%s", error.message);
    else
        plain_request_put_aside(plain, plain->prompt); /* another one comes in its place */
    plain_ask(plain, PLAIN_ANSWER);
}

/* With what stands behind the letter, or what the next line says. */
static void deny_with(struct plain *plain, const struct call *call, const char *message)
{
    if (call->session->origin == SESSION_OPERATOR) {
        ask_again(plain, call, _("The command is your own: there is no agent to tell."));
    } else if (*message != '\0') {
        plain_answer_hand_in(plain, REVIEW_DENIED, message);
    } else {
        plain_ask_for(plain, PLAIN_MESSAGE,
                      _("What to tell the agent? An empty line denies without words, a dot alone "
                        "goes back:"));
    }
}

/* As on the screen: without words, too, it denies. */
static void take_message(struct plain *plain, const struct call *call, const char *line)
{
    if (strcmp(line, ".") == 0) {
        plain_print_keys(plain, call);
        plain_ask(plain, PLAIN_ANSWER);
    } else {
        plain_answer_hand_in(plain, REVIEW_DENIED, *line != '\0' ? line : NULL);
    }
}

static void take_word(struct plain *plain, const struct call *call, char letter)
{
    switch (letter) {
    case 'd':
        plain_answer_hand_in(plain, REVIEW_DENIED, NULL);
        break;
    case 'x':
        end_calls(plain, call);
        break;
    case 'n':
        deny_with(plain, call, "");
        break;
    case 'v':
        plain_print_details(plain, call);
        break;
    case 'e':
        start_edit(plain, call);
        break;
    case 's':
        plain_say(plain, _("c%" PRIu64 " is put aside and goes on waiting: :answer"), plain->call);
        plain_request_put_aside(plain, plain->prompt);
        break;
    default:
        break;
    }
}

/* What is only a number may be meant for another request: "n 4" while c3 is asked about. */
static bool is_number(const char *words)
{
    words += *words == 'c';
    return *words != '\0' && words[strspn(words, "0123456789 ")] == '\0';
}

/* "d", "d 3", "n", "n 3", "n keep it", "n 3 keep it": false when it is none of these. */
static bool take_letter(struct plain *plain, const struct call *call, const char *line)
{
    const char *rest;
    bool named;

    if (strchr("dxnvse", *line) == NULL)
        return false;
    rest = line + 1 + strspn(line + 1, " ");
    named = names_request(plain, line + 1, &rest);
    if (*rest == '\0')
        take_word(plain, call, *line);
    else if (*line == 'n' && (named || (line[1] == ' ' && !is_number(rest))))
        deny_with(plain, call, rest);
    else
        return false;
    return true;
}

/* "y 3", "a 3 10m", "w 3 session": words that begin so are none. */
static bool is_approval(const char *line)
{
    const char *rest = line + 1;

    if (*line == '\0' || strchr("ywiap", *line) == NULL)
        return false;
    rest += strspn(rest, " c0123456789m");
    return *rest == '\0' || (*line == 'w' && strcmp(rest, "session") == 0);
}

static void take_answer(struct plain *plain, const struct call *call, const char *line)
{
    line += strspn(line, " ");
    if (is_approval(line)) {
        take_approval(plain, call, line);
    } else if (*line == 'o' && line[1 + strspn(line + 1, " c0123456789")] == '\0') {
        take_offer(plain, call, line);
    } else if (*line == 'r' && (line[1] == ' ' || (line[1] >= '1' && line[1] <= '9'))) {
        take_rule(plain, call, line);
    } else if (*line == '\0') { /* what was asked? */
        plain_print_question(plain, call);
        plain_ask(plain, PLAIN_ANSWER);
    } else if (plain_asks_for_help(line)) { /* with what each answer does */
        plain_print_request(plain, call, plain->whole);
    } else if (!take_letter(plain, call, line)) {
        cleanup_free char *none = xasprintf(_("This is no answer for c%" PRIu64 "."), plain->call);

        ask_again(plain, call, none);
    }
}

/* The answers once more, behind what it has printed; it may have ended the request. */
static void take_aside(struct plain *plain, const char *line)
{
    const struct call *call;

    plain_command_line(plain, line);
    call = plain_request_asked(plain);
    if (call != NULL)
        plain_print_keys(plain, call);
    plain_ask(plain, PLAIN_ANSWER);
}

void plain_answer_line(struct plain *plain, char *line)
{
    const struct call *call = plain_request_asked(plain);

    if (call == NULL)
        return; /* the turn says so */
    line[strcspn(line, "\r")] = '\0';
    plain_check_drop(plain->check);
    if (plain->question == PLAIN_YES)
        take_yes(plain, call, line);
    else if (plain->question == PLAIN_COMMAND)
        take_command(plain, call, line);
    else if (plain->question == PLAIN_WORDS)
        plain_answer_hand_in(plain, REVIEW_APPROVED, line);
    else if (plain->question == PLAIN_MESSAGE)
        take_message(plain, call, line);
    else if (line[strspn(line, " ")] == ':' || line[strspn(line, " ")] == '!')
        take_aside(plain, line);
    else
        take_answer(plain, call, line);
    loop_wake(plain->setup.loop);
}
