/* SPDX-License-Identifier: MIT */
/* plain_print: a request in lines. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/approval_again.h"
#include "ui/approval_words.h"
#include "ui/call_text.h"
#include "ui/details.h"
#include "ui/operator_agent.h"
#include "ui/overlay_offers.h"
#include "ui/plain_int.h"

/* A longer command is shown by its beginning until the operator wants all of it. */
#define LINES_AT_ONCE 40
#define BYTES_AT_ONCE ((size_t)4000)
#define LINE_COLUMNS 120 /* of it where it is named once more */

static const struct approval_keys answer_keys = {"y", "a", "p", "w", "", "e", "d", "i"};

void plain_content(const struct plain *plain, const struct call *call,
                   struct approval_content *content)
{
    approval_content_init(content, call, &answer_keys, plain->ascii);
    approval_again_add(content, plain->setup.orchestrator, call, plain->ascii);
    if (call->prompt->ladder != NULL)
        approval_rule_choose(&content->rule, call->prompt, &plain->choice, NULL, plain->ascii);
}

void plain_releases(const struct plain *plain, const struct approval_content *content,
                    struct approval_release release_by[2])
{
    const struct orchestrator *orchestrator = plain->setup.orchestrator;

    release_by[0] = release_by[1] = (struct approval_release){.count = 0};
    if (content->may_approve_for_session)
        release_by[0] = approval_release_find(orchestrator, plain->prompt, NULL);
    if (content->rule.offered)
        release_by[1] = approval_release_find(orchestrator, plain->prompt, &plain->choice);
}

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
static void say_foreign(struct plain *plain, const char *label, const char *text, size_t length,
                        enum wrap_mode mode)
{
    plain_say(plain, "  %s:", label);
    while (length > 0) {
        size_t line = strcspn(text, "\n");

        line = line < length ? line : length;
        plain_quote(plain, text, line, mode);
        line += line < length;
        text += line;
        length -= line;
    }
}

static void say_command(struct plain *plain, const struct approval_content *content, bool all)
{
    size_t length = strlen(content->command);
    size_t shown = all ? length : shown_bytes(content->command);

    say_foreign(plain, subject_heading(content->subject), content->command, shown, WRAP_EXACT);
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
            say_foreign(plain, field->label, field->text, strlen(field->text),
                        field->prose ? WRAP_WORDS : WRAP_EXACT);
        else
            plain_say(plain, "  %s: %s", field->label, field->text);
    }
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

/* Which of the rules that are offered the answer would make. */
static void say_rule(struct plain *plain, const struct approval_content *content)
{
    if (content->rule.offered && content->rule.words != NULL)
        plain_say(plain, _("  Rule for p: %s; %s"), content->rule.words, content->rule.reach);
}

/* What else would be allowed is printed with the answers that would. */
static void say_releases(struct plain *plain, const struct approval_content *content)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;

    plain_releases(plain, content, plain->release_by);
    approval_release_words(&text, "a", &plain->release_by[0]);
    approval_release_words(&text, "p", &plain->release_by[1]);
    if (text.length > 0)
        plain_say(plain, "  %s: %s", _("Others"), strbuf_str(&text));
}

/* In the words of the screen: what ends with the call is no other here. */
static void say_denials(struct plain *plain, const struct approval_content *content)
{
    cleanup_free char *deny = approval_words_answer(content, ACTION_DENY, NULL, APPROVAL_WORDS_ALL);
    cleanup_free char *end = approval_words_answer(content, ACTION_ABORT, NULL, APPROVAL_WORDS_ALL);

    plain_say(plain, "  d: %s", deny);
    if (!content->own)
        plain_say(plain, "  n: %s", keymap_help(ACTION_DENY_MESSAGE));
    plain_say(plain, "  x: %s", end);
}

/* An answer that allows: it names the request. In the words of the screen. */
static void say_answer(struct plain *plain, char letter, const struct approval_content *content,
                       enum action action)
{
    static const struct lease session = {.kind = LEASE_SESSION};
    cleanup_free char *words = approval_words_answer(content, action, &session, APPROVAL_WORDS_ALL);

    plain_say(plain, "  %c %" PRIu64 ": %s", letter, plain->call, words);
}

static void say_answers(struct plain *plain, const struct call *call,
                        const struct approval_content *content)
{
    uint64_t id = plain->call;
    size_t waiting = orchestrator_question_count(plain->setup.orchestrator);

    if (content->path != NULL)
        say_answer(plain, 'w', content, ACTION_APPROVE_PATH);
    if (content->path_may_last)
        plain_say(plain, _("  The same for this session: w %" PRIu64 " session"), id);
    say_answer(plain, 'y', content, ACTION_APPROVE);
    if (content->may_sandbox)
        say_answer(plain, 'i', content, ACTION_APPROVE_SANDBOXED);
    if (content->may_approve_for_session)
        say_answer(plain, 'a', content, ACTION_APPROVE_SESSION);
    if (content->may_approve_for_session)
        plain_say(plain,
                  content->for_call != 0 ? _("  For ten minutes: a %" PRIu64
                                             " 10m, for five more connections: a %" PRIu64 " 5")
                                         : _("  For ten minutes: a %" PRIu64
                                             " 10m, for five more runs: a %" PRIu64 " 5"),
                  id, id);
    if (content->may_approve_for_session && call->prompt->lease_call != 0)
        plain_say(plain, _("  Until c%" PRIu64 " ends: a %" PRIu64 " c%" PRIu64),
                  call->prompt->lease_call, id, call->prompt->lease_call);
    if (content->rule.offered)
        say_answer(plain, 'p', content, ACTION_APPROVE_PREFIX);
    if (content->rule.offered)
        plain_say(plain, "%s", _("  Another rule: r 1, r 2 …; for this session only: r 1 session"));
    if (prompt_fixed(call) == NULL)
        plain_say(plain, "%s", _("  e changes the command."));
    say_denials(plain, content);
    plain_say(plain, "%s", _("  v shows everything, s puts it aside."));
    if (waiting > 1)
        plain_say(plain, P_("  %zu more waits.", "  %zu more wait.", waiting - 1), waiting - 1);
    plain_say(plain, _("Answer for c%" PRIu64 ":"), id);
}

/* "y 3, i 3, a 3, p 3, d, n, x, e, v, s": of those that allow none before the command was read. */
static char *keys_of(const struct plain *plain, const struct call *call)
{
    struct approval_content content;
    struct strbuf keys = STRBUF_INIT;

    plain_content(plain, call, &content);
    if (plain->whole) {
        if (content.path != NULL)
            strbuf_addf(&keys, "w %" PRIu64 ", ", call->id);
        strbuf_addf(&keys, "y %" PRIu64 ", ", call->id);
        if (content.may_sandbox)
            strbuf_addf(&keys, "i %" PRIu64 ", ", call->id);
        if (content.may_approve_for_session)
            strbuf_addf(&keys, "a %" PRIu64 ", ", call->id);
        if (content.rule.offered)
            strbuf_addf(&keys, "p %" PRIu64 ", ", call->id);
        for (size_t i = 0; i < call->offer_count; i++)
            strbuf_addf(&keys, "o %" PRIu64 " %zu, ", call->id, i + 1);
    }
    strbuf_addf(&keys, "d, %sx, %sv, s, ?", content.own ? "" : "n, ",
                prompt_fixed(call) == NULL ? "e, " : "");
    approval_content_clear(&content);
    return strbuf_steal(&keys);
}

void plain_print_keys(struct plain *plain, const struct call *call)
{
    cleanup_free char *keys = keys_of(plain, call);

    plain_say(plain, _("Answer for c%" PRIu64 ": %s"), call->id, keys);
}

/* Whose it is, and what they want to do. */
static void say_who(struct plain *plain, const struct call *call,
                    const struct approval_content *content)
{
    cleanup_free char *agent = operator_agent_label(plain->setup.orchestrator, call, 40);

    plain_say(plain, "c%" PRIu64 " %s %s", call->id, agent, approval_content_question(content));
}

void plain_print_question(struct plain *plain, const struct call *call)
{
    struct approval_content content;
    cleanup_free char *line = call_text_line(call, LINE_COLUMNS);

    plain_content(plain, call, &content);
    say_who(plain, call, &content);
    plain_quote(plain, line, strlen(line), WRAP_EXACT);
    approval_content_clear(&content);
    if (plain->sentence != NULL)
        plain_say(plain, "%s", plain->sentence);
    else
        plain_print_keys(plain, call);
}

void plain_print_request(struct plain *plain, const struct call *call, bool all)
{
    struct approval_content content;

    plain_content(plain, call, &content);
    plain_say(plain, "%s", "");
    say_who(plain, call, &content);
    say_command(plain, &content, all);
    say_fields(plain, &content);
    say_rule(plain, &content);
    say_releases(plain, &content);
    say_offers(plain, call);
    say_answers(plain, call, &content);
    approval_content_clear(&content);
    plain->armed = ACTION_NONE;
    plain_ask(plain, PLAIN_ANSWER);
}

void plain_print_details(struct plain *plain, const struct call *call)
{
    const struct lease session = {.kind = LEASE_SESSION};
    cleanup_free char *title = xasprintf(_("Everything about c%" PRIu64), call->id);
    struct document text = {0};
    struct approval_content content;

    plain_content(plain, call, &content);
    details_request(&text, plain->setup.orchestrator, call,
                    &(struct details_answers){&session, "x"}, plain->ascii,
                    &(struct details_seen){.end = &plain->whole, .keys = &answer_keys});
    plain_show(plain, title, &text);
    plain->scripts_read = true; /* all of it has been printed */
    say_rule(plain, &content);
    say_releases(plain, &content);
    say_offers(plain, call);
    say_answers(plain, call, &content);
    approval_content_clear(&content);
    plain->armed = ACTION_NONE;
    plain_ask(plain, PLAIN_ANSWER);
}
