/* SPDX-License-Identifier: MIT */
/* plain_request: a request in lines, and the line that answers it. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/approval_content.h"
#include "ui/call_text.h"
#include "ui/overlay_offers.h"
#include "ui/plain_int.h"

/* A longer command is shown by its beginning until the operator wants all of it. */
#define LINES_AT_ONCE 40
#define BYTES_AT_ONCE ((size_t)4000)

static struct call *find_prompt(const struct plain *plain, uint64_t prompt)
{
    size_t count = orchestrator_waiting_count(plain->setup.orchestrator);

    for (size_t i = 0; i < count; i++) {
        struct call *call = orchestrator_waiting_at(plain->setup.orchestrator, i);

        if (call->prompt != NULL && call->prompt->id == prompt)
            return call;
    }
    return NULL;
}

static bool is_aside(const struct plain *plain, uint64_t prompt)
{
    for (size_t i = 0; i < plain->aside_count; i++)
        if (plain->aside[i] == prompt)
            return true;
    return false;
}

void plain_request_put_aside(struct plain *plain, uint64_t prompt)
{
    plain->aside = xreallocarray(plain->aside, plain->aside_count + 1, sizeof(*plain->aside));
    plain->aside[plain->aside_count++] = prompt;
}

/* ---- printing ----------------------------------------------------------------------------- */

/* Bytes of the text that are printed at once. */
static size_t shown_bytes(const char *text)
{
    size_t length = strlen(text), at = 0;

    for (int line = 0; line < LINES_AT_ONCE && at < length; line++)
        at += strcspn(text + at, "\n") + 1;
    at = at < length ? at : length;
    return at < BYTES_AT_ONCE ? at : text_fit(text, length, BYTES_AT_ONCE);
}

/* Each of its lines has the bar before it that says that it is not ours. */
static void say_foreign(struct plain *plain, const char *label, const char *text, size_t length)
{
    plain_say(plain, "  %s:", label);
    while (length > 0) {
        size_t line = strcspn(text, "\n");

        line = line < length ? line : length;
        plain_say(plain, "    | %.*s", (int)line, text);
        line += line < length;
        text += line;
        length -= line;
    }
}

static void say_command(struct plain *plain, const struct approval_content *content, bool all)
{
    size_t length = strlen(content->command);
    size_t shown = all ? length : shown_bytes(content->command);

    say_foreign(plain, subject_heading(content->subject), content->command, shown);
    plain->whole = plain->whole || shown == length;
    if (shown < length)
        plain_say(plain,
                  _("  %zu of %zu bytes are shown: v shows all, before that it cannot be allowed."),
                  shown, length);
}

static void say_fields(struct plain *plain, const struct approval_content *content)
{
    for (size_t i = 0; i < content->count; i++) {
        const struct approval_field *field = &content->fields[i];

        if (field->agent_words)
            say_foreign(plain, field->label, field->text, strlen(field->text));
        else
            plain_say(plain, "  %s: %s", field->label, field->text);
    }
    if (content->rules && content->rule != NULL)
        plain_say(plain, _("  Rule for p: %s; %s"), content->rule, content->reach);
}

/* The agent's own answers, numbered, each with what it does in our words. */
static void say_offers(struct plain *plain, const struct call *call)
{
    if (call->offer_count == 0)
        return;
    plain_say(plain, "%s", _("  The agent has answers of its own:"));
    for (size_t i = 0; i < call->offer_count; i++) {
        const struct call_offer *offer = &call->offers[i];
        cleanup_free char *name = text_line(offer->name, strlen(offer->name), 200);

        plain_say(plain, "    o %" PRIu64 " %zu | %s", call->id, i + 1, name);
        plain_say(plain, "      %s", overlay_offers_effect(offer->kind));
    }
}

static void say_answers(struct plain *plain, const struct approval_content *content)
{
    uint64_t id = plain->call;
    size_t waiting = orchestrator_waiting_count(plain->setup.orchestrator);

    if (content->subject == SUBJECT_QUESTION)
        plain_say(plain, _("  To answer it: y %" PRIu64 ", and then your words"), id);
    else
        plain_say(plain, _("  To allow it once: y %" PRIu64), id);
    if (content->may_approve_for_session)
        plain_say(plain,
                  _("  For this session: a %" PRIu64 ", for ten minutes: a %" PRIu64
                    " 10m, for five more runs: a %" PRIu64 " 5"),
                  id, id, id);
    if (content->rules && content->refusal == NULL)
        plain_say(plain, _("  With the rule: p %" PRIu64), id);
    plain_say(plain, "%s",
              content->own ? _("  d does not run it, x also stops your other commands, v shows "
                               "everything, s puts it aside.")
                           : _("  d denies, n denies with words, x also ends all its open calls, v "
                               "shows everything, s puts it aside."));
    if (waiting > 1)
        plain_say(plain, P_("  %zu more waits.", "  %zu more wait.", waiting - 1), waiting - 1);
    plain_say(plain, _("Answer for c%" PRIu64 ":"), id);
}

static void choose_first_rule(struct approval_content *content, const struct call *call, bool ascii)
{
    struct rule_choice choice = {0};

    if (call->prompt->ladder == NULL)
        return;
    choice = (struct rule_choice){call->prompt->ladder->first, LADDER_PROJECT};
    approval_content_choose(content, call->prompt, &choice, NULL, ascii);
}

static void print_request(struct plain *plain, const struct call *call, bool all)
{
    struct approval_content content;
    cleanup_free char *agent = call_text_agent(call, 40);

    approval_content_init(&content, call, plain->ascii);
    choose_first_rule(&content, call, plain->ascii);
    plain_say(plain, "%s", "");
    plain_say(plain, "c%" PRIu64 " %s %s", call->id, agent,
              subject_question(content.subject, content.retry));
    say_command(plain, &content, all);
    say_fields(plain, &content);
    say_offers(plain, call);
    say_answers(plain, &content);
    approval_content_clear(&content);
    plain->armed = ACTION_NONE;
    plain_ask(plain, PLAIN_ANSWER);
}

/* ---- which -------------------------------------------------------------------------------- */

static struct call *oldest(const struct plain *plain)
{
    size_t count = orchestrator_waiting_count(plain->setup.orchestrator);

    for (size_t i = 0; i < count; i++) {
        struct call *call = orchestrator_waiting_at(plain->setup.orchestrator, i);

        if (call->prompt != NULL && !is_aside(plain, call->prompt->id))
            return call;
    }
    return NULL;
}

static void take_up(struct plain *plain, const struct call *call)
{
    plain->call = call->id;
    plain->prompt = call->prompt->id;
    plain->revision = call->prompt->revision;
    plain->whole = false;
    print_request(plain, call, false);
}

static void put_down(struct plain *plain)
{
    plain->prompt = 0;
    plain->armed = ACTION_NONE;
    plain_ask(plain, PLAIN_NOTHING);
}

void plain_request_follow(struct plain *plain)
{
    const struct call *call = plain->prompt != 0 ? find_prompt(plain, plain->prompt) : NULL;

    if (plain->prompt != 0 && is_aside(plain, plain->prompt)) {
        put_down(plain);
    } else if (plain->prompt != 0 && call == NULL) {
        plain_say(plain, _("c%" PRIu64 " does not wait any more."), plain->call);
        put_down(plain);
    } else if (call != NULL && call->prompt->revision != plain->revision) {
        plain_say(plain, _("c%" PRIu64 " has changed: look again."), plain->call);
        take_up(plain, call);
    }
    if (plain->prompt != 0)
        return;
    call = oldest(plain);
    if (call != NULL)
        take_up(plain, call);
}

/* ---- answering ---------------------------------------------------------------------------- */

static void hand_in(struct plain *plain, enum review_kind kind, const char *message)
{
    struct orchestrator *orchestrator = plain->setup.orchestrator;
    const struct call *call = find_prompt(plain, plain->prompt);
    struct error error = ERROR_INIT;
    int result;

    if (kind == REVIEW_APPROVED_FOR_SESSION) {
        result = orchestrator_decide_lease(orchestrator, plain->prompt, plain->revision,
                                           &plain->lease, &error);
    } else if (kind == REVIEW_APPROVED_AMENDMENT && call != NULL && call->prompt->ladder != NULL) {
        const struct rule_choice choice = {call->prompt->ladder->first, LADDER_PROJECT};

        result =
            orchestrator_decide_rule(orchestrator, plain->prompt, plain->revision, &choice, &error);
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
    if (!call->wants_words) {
        hand_in(plain, kind, NULL);
        return;
    }
    plain_say(plain, _("Your answer to c%" PRIu64 ", in one line:"), plain->call);
    plain->secret = call->secret_words;
    plain_ask(plain, PLAIN_WORDS);
}

static enum review_kind kind_of(enum action action)
{
    return action == ACTION_APPROVE           ? REVIEW_APPROVED
           : action == ACTION_APPROVE_SESSION ? REVIEW_APPROVED_FOR_SESSION
                                              : REVIEW_APPROVED_AMENDMENT;
}

/* "10m" or "5": how long the answer holds; false when it says something else. */
static bool read_lease(const char *text, struct lease *lease)
{
    char *end;
    unsigned long number;

    *lease = (struct lease){.kind = LEASE_SESSION};
    if (*text == '\0')
        return true;
    number = strtoul(text, &end, 10);
    if (end == text || number == 0 || number > 1000)
        return false;
    if (*end == '\0')
        *lease = (struct lease){.kind = LEASE_RUNS, .runs = number};
    else if (strcmp(end, "m") == 0)
        *lease = (struct lease){.kind = LEASE_TIME, .duration_ms = (int64_t)number * 60000};
    return lease->kind != LEASE_SESSION;
}

/* Why that answer cannot be given; NULL when it can. */
static const char *why_not(const struct approval_content *content, enum action action)
{
    if (action == ACTION_APPROVE_SESSION && !content->may_approve_for_session)
        return _("This request can only be allowed once.");
    if (action == ACTION_APPROVE_PREFIX && (!content->rules || content->refusal != NULL))
        return _("No rule is offered for this request.");
    return NULL;
}

static void allow(struct plain *plain, const struct call *call, enum action action)
{
    struct approval_content content;
    const char *refused;
    bool confirm;

    approval_content_init(&content, call, plain->ascii);
    choose_first_rule(&content, call, plain->ascii);
    refused = why_not(&content, action);
    confirm = approval_content_needs_confirmation(&content);
    approval_content_clear(&content);
    if (!plain->whole)
        refused = _("Read the command to its end first: v");
    if (refused != NULL) {
        plain_say(plain, "%s", refused);
        plain_ask(plain, PLAIN_ANSWER);
    } else if (confirm) {
        plain->armed = action;
        plain_say(plain,
                  _("c%" PRIu64 " is of high risk, or holds text that cannot be shown as "
                    "it is. To allow it all the same, type the word yes:"),
                  plain->call);
        plain_ask(plain, PLAIN_YES);
    } else {
        carry_out(plain, call, kind_of(action));
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

static void take_yes(struct plain *plain, const struct call *call, const char *line)
{
    enum action armed = plain->armed;

    plain->armed = ACTION_NONE;
    if (strcmp(line, "yes") == 0 || strcmp(line, _("yes")) == 0) {
        if (armed == ACTION_OFFERS)
            hand_in_offer(plain);
        else
            carry_out(plain, call, kind_of(armed));
        return;
    }
    plain_say(plain, _("Not allowed yet. Answer for c%" PRIu64 ":"), plain->call);
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
                         : *line == 'a' ? ACTION_APPROVE_SESSION
                                        : ACTION_APPROVE_PREFIX;
    const char *rest = "";

    if (!names_request(plain, line + 1, &rest)) {
        plain_say(plain, _("To allow it, name it: %c %" PRIu64), *line, plain->call);
        plain_ask(plain, PLAIN_ANSWER);
        return;
    }
    if ((action == ACTION_APPROVE_SESSION && !read_lease(rest, &plain->lease)) ||
        (action != ACTION_APPROVE_SESSION && *rest != '\0')) {
        plain_say(plain, "%s", _("Behind the number stands nothing, or for a: 10m or 5."));
        plain_ask(plain, PLAIN_ANSWER);
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
        plain_say(plain, "%s", _("There is no such answer of the agent's own."));
        plain_ask(plain, PLAIN_ANSWER);
    } else if (!plain->whole) {
        plain_say(plain, "%s", _("Read the command to its end first: v"));
        plain_ask(plain, PLAIN_ANSWER);
    } else {
        const struct call_offer *offer = &call->offers[number - 1];
        cleanup_free char *name = text_line(offer->name, strlen(offer->name), 200);

        plain->offer = number - 1;
        plain->armed = ACTION_OFFERS;
        plain_say(plain, "  | %s", name);
        plain_say(plain, _("This answer %s. To give it, type the word yes:"),
                  overlay_offers_effect(offer->kind));
        plain_ask(plain, PLAIN_YES);
    }
}

static void take_word(struct plain *plain, const struct call *call, char letter)
{
    switch (letter) {
    case 'd':
        hand_in(plain, REVIEW_DENIED, NULL);
        break;
    case 'x':
        hand_in(plain, REVIEW_ABORT, NULL);
        break;
    case 'n':
        if (call->session->origin == SESSION_OPERATOR) {
            plain_say(plain, "%s", _("The command is your own: there is no agent to tell."));
            plain_ask(plain, PLAIN_ANSWER);
            break;
        }
        plain_say(plain, "%s", _("What to tell the agent? An empty line goes back:"));
        plain_ask(plain, PLAIN_MESSAGE);
        break;
    case 'v':
        print_request(plain, call, true);
        break;
    case 's':
        plain_say(plain, _("c%" PRIu64 " is put aside and goes on waiting: :answer"), plain->call);
        plain_request_put_aside(plain, plain->prompt);
        break;
    default:
        break;
    }
}

static void take_answer(struct plain *plain, const struct call *call, const char *line)
{
    line += strspn(line, " ");
    if (*line != '\0' && strchr("yap", *line) != NULL &&
        line[1 + strspn(line + 1, " c0123456789m")] == '\0') {
        take_approval(plain, call, line);
    } else if (*line == 'o' && line[1 + strspn(line + 1, " c0123456789")] == '\0') {
        take_offer(plain, call, line);
    } else if (*line != '\0' && strchr("dxnvs", *line) != NULL && line[1] == '\0') {
        take_word(plain, call, *line);
    } else {
        plain_say(
            plain,
            _("This is no answer. Answer for c%" PRIu64 ": y or a with its number, d, n, x, v, s"),
            plain->call);
        plain_ask(plain, PLAIN_ANSWER);
    }
}

void plain_request_line(struct plain *plain, char *line)
{
    const struct call *call = find_prompt(plain, plain->prompt);

    if (call == NULL || call->prompt->revision != plain->revision)
        return; /* the turn says so */
    line[strcspn(line, "\r")] = '\0';
    if (plain->question == PLAIN_YES) {
        take_yes(plain, call, line);
    } else if (plain->question == PLAIN_MESSAGE && *line == '\0') {
        plain_say(plain, _("Answer for c%" PRIu64 ":"), plain->call);
        plain_ask(plain, PLAIN_ANSWER);
    } else if (plain->question == PLAIN_WORDS) {
        hand_in(plain, REVIEW_APPROVED, line);
    } else if (plain->question == PLAIN_MESSAGE) {
        hand_in(plain, REVIEW_DENIED, line);
    } else if (line[strspn(line, " ")] == ':' || line[strspn(line, " ")] == '!') {
        plain_command_line(plain, line);
        plain_ask(plain, PLAIN_ANSWER); /* the question stands */
    } else {
        take_answer(plain, call, line);
    }
    loop_wake(plain->setup.loop);
}
