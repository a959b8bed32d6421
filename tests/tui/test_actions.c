/* SPDX-License-Identifier: MIT */
/*
 * Every action of the help table, by each of its keys, at a pseudo-terminal. The list is the
 * keymap's own table: an action without a driver here fails the test.
 */
#include "config.h"

#include "fake_lab.h"
#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "approval/grants.h"
#include "base/alloc.h"
#include "base/text.h"
#include "ui/console_int.h"

#define LINES 200

/* The cursor before the key. */
static int row_before, column_before;

struct driver {
    void (*prepare)(struct tui *tui);
    /* What the key brings onto the screen and was not there before; or NULL. */
    const char *text;
    /* What is so afterwards; or NULL. */
    bool (*so)(const struct tui *tui);
};

/* ---- scenes -------------------------------------------------------------------------------- */

static void asked_to_quit(struct tui *tui)
{
    tui_keys(tui, "\x11");
}

static void nothing(struct tui *tui)
{
    (void)tui;
}

static void two_calls(struct tui *tui)
{
    tui_running(tui, "make one", true);
    tui_running(tui, "make two", true);
}

static void in_pane(struct tui *tui)
{
    two_calls(tui);
    tui_keys(tui, "\x1b[24~");
}

static void long_pane(struct tui *tui)
{
    struct call *call = tui_running(tui, "make", true);

    for (int i = 1; i <= LINES; i++) {
        cleanup_free char *line =
            xasprintf("line %03d of the build%s\r\n", i, i % 50 == 0 ? ": Error" : "");

        fake_core_output(tui->core, call, line);
    }
    tui_settle(tui);
}

static void scrolled_pane(struct tui *tui)
{
    long_pane(tui);
    tui_keys(tui, "\x1b[5~");
}

static void reading(struct tui *tui)
{
    long_pane(tui);
    tui_keys(tui, "\x1b[23~kkklll");
}

static void reading_the_top(struct tui *tui)
{
    reading(tui);
    tui_keys(tui, "g");
}

static void reading_matches(struct tui *tui)
{
    reading(tui);
    tui_keys(tui, "/Error\r");
}

static void reading_an_old_match(struct tui *tui)
{
    reading_matches(tui);
    tui_keys(tui, "n");
}

/* A request that every answer is offered for. */
static void ask(struct tui *tui, const char *line)
{
    cleanup_wording struct wording *reason = wording_from("Asked.");
    struct ladder *ladder = XNEW(struct ladder);
    struct prompt prompt = {
        .reason = reason, .under = reason, .ladder = ladder, .may_approve_for_session = true};

    for (size_t i = 0; i < 3; i++)
        ladder->steps[i] =
            (struct ladder_step){.width = LADDER_ANYWHERE,
                                 .exact = true,
                                 .words = strv_copy((const char *const[]){line, NULL})};
    ladder->count = 3;
    ladder->first = 1;
    fake_core_ask(tui->core, fake_core_call(tui->core, tui->agent, line), &prompt);
    tui_settle(tui);
    tui_wait_guard(tui);
}

static void request(struct tui *tui)
{
    ask(tui, "touch one");
}

static void request_with_offers(struct tui *tui)
{
    struct wording *reason = wording_from("Asked.");
    struct prompt prompt = {.reason = reason, .under = reason};
    struct call *call = fake_core_call(tui->core, tui->agent, "touch one");

    call->offers[0] = (struct call_offer){.name = xstrdup("Always"), .kind = OFFER_ALLOW_ALWAYS};
    call->offer_count = 1;
    fake_core_ask(tui->core, call, &prompt);
    wording_free(&reason);
    tui_settle(tui);
    tui_wait_guard(tui);
}

static void request_to_leave(struct tui *tui)
{
    fake_core_request(tui->core, tui->agent, "touch one", RISK_LOW, true);
    tui_settle(tui);
    tui_wait_guard(tui);
}

/* The sandbox stopped it at one path. */
static void request_stopped(struct tui *tui)
{
    struct wording *under = wording_from("workspace-write (network off); also write /srv/data");
    struct prompt prompt = {.retry = true,
                            .sandbox = ATTEMPT_UNSANDBOXED,
                            .path = (char[]){"/srv/data"},
                            .path_may_last = true,
                            .path_under = under};
    struct call *call = fake_core_call(tui->core, tui->agent, "touch /srv/data/one");

    fake_core_ask_for(tui->core, call, prompt, "the sandbox blocked: write /srv/data/one",
                      "no sandbox: it can do all that you can do");
    wording_free(&under);
    tui_settle(tui);
    tui_wait_guard(tui);
}

static void leased_request(struct tui *tui)
{
    request(tui);
    tui_keys(tui, "l");
}

static void request_put_aside(struct tui *tui)
{
    request(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
}

static void long_request(struct tui *tui)
{
    struct strbuf script = STRBUF_INIT;

    for (int i = 1; i <= 60; i++)
        strbuf_addf(&script, "%secho step %d", i > 1 ? "\n" : "", i);
    ask(tui, strbuf_str(&script));
    strbuf_free(&script);
}

static void long_request_below(struct tui *tui)
{
    long_request(tui);
    tui_keys(tui, "\x1b[6~");
}

static void help(struct tui *tui)
{
    tui_keys(tui, ":help\r");
}

static void help_below(struct tui *tui)
{
    help(tui);
    tui_keys(tui, "j");
}

/* For what stands there once. */
static void help_searched(struct tui *tui)
{
    help(tui);
    tui_keys(tui, "/");
    tui_keys(tui, "it shows the mark\r");
}

static void help_far_below(struct tui *tui)
{
    help(tui);
    tui_keys(tui, " ");
}

static void inbox(struct tui *tui)
{
    request(tui);
    ask(tui, "touch two");
    tui_keys(tui, "\x1b[20~");
    tui_wait_guard(tui);
}

static void inbox_below(struct tui *tui)
{
    inbox(tui);
    tui_keys(tui, "j");
    tui_wait_guard(tui);
}

static void holding(struct tui *tui)
{
    static const char *const one[] = {"one", NULL}, *const two[] = {"two", NULL};

    grants_add(tui->agent->grants, one, "make one", 1, NULL);
    grants_add(tui->agent->grants, two, "make two", 2, NULL);
    tui_keys(tui, "\x1b[17~");
}

static void holding_below(struct tui *tui)
{
    holding(tui);
    tui_keys(tui, "j");
}

static void suggested(struct tui *tui)
{
    static struct rule_suggestion two[] = {
        {.rule = "one()", .words = "make one", .approved = 3},
        {.rule = "two()", .words = "make two", .approved = 3, .high = true}};
    static struct fake_lab lab;

    lab = (struct fake_lab){.suggestions = two, .suggestion_count = 2};
    fake_lab_give(&tui->console->setup.hooks, &lab);
    tui_keys(tui, ":suggest\r");
    tui_wait_guard(tui);
}

static void suggested_below(struct tui *tui)
{
    suggested(tui);
    tui_keys(tui, "j");
}

static void wide_suggested(struct tui *tui)
{
    suggested_below(tui);
    tui_keys(tui, "p");
}

static void typing(struct tui *tui)
{
    tui_keys(tui, "make");
}

static void typed(struct tui *tui)
{
    tui_keys(tui, "make\r");
}

static void typed_and_recalled(struct tui *tui)
{
    tui_keys(tui, "make\r\x1b[A");
}

static void typing_a_command(struct tui *tui)
{
    tui_keys(tui, ":pol");
}

/* ---- what is so afterwards ----------------------------------------------------------------- */

static bool has_added_one(const struct tui *tui)
{
    return fake_core_rule(tui->core) != NULL && strcmp(fake_core_rule(tui->core), "one()") == 0;
}

static bool has_added_two(const struct tui *tui)
{
    return fake_core_rule(tui->core) != NULL && strcmp(fake_core_rule(tui->core), "two()") == 0;
}

static bool is_zoomed(const struct tui *tui)
{
    return tui->console->zoomed;
}

static bool has_selected_the_other(const struct tui *tui)
{
    return tui->console->selected == 1;
}

static bool is_followed(const struct tui *tui)
{
    return !tui_shows(tui, "lines back") && tui_shows(tui, "line 200");
}

static bool has_repainted(const struct tui *tui)
{
    return strstr(strbuf_str(&tui->raw), "Calls") != NULL;
}

static bool has_quit(const struct tui *tui)
{
    return tui->quit_status == 0;
}

static bool decided_as(const struct tui *tui, enum review_kind kind)
{
    return fake_core_decisions(tui->core) == 1 && fake_core_decision(tui->core, 0)->kind == kind;
}

static bool is_allowed(const struct tui *tui)
{
    return decided_as(tui, REVIEW_APPROVED);
}

static bool is_allowed_inside(const struct tui *tui)
{
    return decided_as(tui, REVIEW_APPROVED_SANDBOXED);
}

static bool is_given_the_path(const struct tui *tui)
{
    return decided_as(tui, REVIEW_APPROVED_PATH);
}

static bool is_allowed_for_session(const struct tui *tui)
{
    return decided_as(tui, REVIEW_APPROVED_FOR_SESSION);
}

static bool is_allowed_by_rule(const struct tui *tui)
{
    return decided_as(tui, REVIEW_APPROVED_AMENDMENT);
}

static bool is_denied(const struct tui *tui)
{
    return decided_as(tui, REVIEW_DENIED);
}

static bool has_scrolled(const struct tui *tui)
{
    return !tui_shows(tui, "lines 1 to");
}

static bool is_closed(const struct tui *tui)
{
    return tui->console->overlay == NULL;
}

static bool moved(const struct tui *tui, int rows, int columns)
{
    int row, column;

    return outer_cursor(tui->outer, &row, &column) && row == row_before + rows &&
           column == column_before + columns;
}

static bool is_above(const struct tui *tui)
{
    return moved(tui, -1, 0);
}

static bool is_below(const struct tui *tui)
{
    return moved(tui, 1, 0);
}

static bool is_left(const struct tui *tui)
{
    return moved(tui, 0, -1);
}

static bool is_right(const struct tui *tui)
{
    return moved(tui, 0, 1);
}

static bool is_at_line_start(const struct tui *tui)
{
    return column_before > 0 && moved(tui, 0, -column_before);
}

static bool is_at_line_end(const struct tui *tui)
{
    return moved(tui, 0, (int)strlen("line 198 of the build") - 1 - column_before);
}

static bool is_a_page_below(const struct tui *tui)
{
    int row, column;

    return outer_cursor(tui->outer, &row, &column) && row > row_before + 5;
}

static bool asks_for_a_text(const struct tui *tui)
{
    int row, column;

    return outer_cursor(tui->outer, &row, &column) && row == outer_rows(tui->outer) - 2;
}

static bool asks_in_the_frame(const struct tui *tui)
{
    int row, column;

    return outer_cursor(tui->outer, &row, &column) && tui_shows(tui, "\u2570\u2500/");
}

static bool has_copied(const struct tui *tui)
{
    return strstr(strbuf_str(&tui->raw), "\x1b]52;c;") != NULL;
}

static bool has_revoked(const struct tui *tui)
{
    return grants_count(tui->agent->grants) == 1;
}

static bool has_run(const struct tui *tui)
{
    return orchestrator_call_count(tui->core) == 1;
}

static bool is_empty(const struct tui *tui)
{
    return *line_editor_text(tui->console->prompt) == '\0';
}

/* It gave the terminal back and took it again: nobody could have continued it (see suspends()). */
static bool has_stopped_and_goes_on(const struct tui *tui)
{
    const char *left = strstr(strbuf_str(&tui->raw), "\x1b[?2004l");

    return left != NULL && strstr(left, "\x1b[?2004h") != NULL;
}

static const struct driver drivers[ACTION_COUNT] = {
    [ACTION_HELP] = {nothing, "At the prompt line", NULL},
    [ACTION_ANSWER] = {request_put_aside, "c1 asks. May it run", NULL},
    [ACTION_ENTER_PANE] = {two_calls, "keys: pane c2", NULL},
    [ACTION_ZOOM] = {two_calls, NULL, is_zoomed},
    [ACTION_NEXT_CALL] = {two_calls, NULL, has_selected_the_other},
    [ACTION_PREVIOUS_CALL] = {two_calls, NULL, has_selected_the_other},
    [ACTION_DETAILS] = {two_calls, "Call c2", NULL},
    [ACTION_STOP_CALL] = {two_calls, "once more ends c2: ", NULL},
    [ACTION_INBOX] = {nothing, "Nothing waits for an answer.", NULL},
    [ACTION_FREEZE] = {two_calls, "FROZEN", NULL},
    [ACTION_STOP_AGENT] = {two_calls, "once more stops all requests of codex", NULL},
    [ACTION_GRANTS] = {nothing, "keys: what holds", NULL},
    [ACTION_SCROLL_UP] = {long_pane, "lines back", NULL},
    [ACTION_SCROLL_DOWN] = {scrolled_pane, NULL, is_followed},
    [ACTION_READ] = {long_pane, "keys: reading c1", NULL},
    [ACTION_REDRAW] = {two_calls, NULL, has_repainted},
    [ACTION_SUSPEND] = {nothing, NULL, has_stopped_and_goes_on},
    [ACTION_QUIT] = {asked_to_quit, NULL, has_quit},
    [ACTION_LEAVE_PANE] = {in_pane, "keys: prompt", NULL},
    [ACTION_APPROVE] = {request, NULL, is_allowed},
    [ACTION_APPROVE_SANDBOXED] = {request_to_leave, NULL, is_allowed_inside},
    [ACTION_APPROVE_PATH] = {request_stopped, NULL, is_given_the_path},
    [ACTION_APPROVE_SESSION] = {request, NULL, is_allowed_for_session},
    [ACTION_APPROVE_PREFIX] = {request, NULL, is_allowed_by_rule},
    [ACTION_RULE_NARROWER] = {request, "1 of 3", NULL},
    [ACTION_RULE_WIDER] = {request, "3 of 3", NULL},
    [ACTION_RULE_SCOPE] = {request, "for session (Tab: project)", NULL},
    [ACTION_PATH_LASTS] = {request_stopped, "only this, for this session, in sandbox", NULL},
    [ACTION_LEASE_KIND] = {request, "for 10 minutes", NULL},
    [ACTION_LEASE_BACK] = {request, "now and 5 more times", NULL},
    [ACTION_LEASE_LONGER] = {leased_request, "for 15 minutes", NULL},
    [ACTION_LEASE_SHORTER] = {leased_request, "for 5 minutes", NULL},
    [ACTION_DENY] = {request, NULL, is_denied},
    [ACTION_DENY_MESSAGE] = {request, "Tell the agent why", NULL},
    [ACTION_ABORT] = {request, "Enter confirms: deny (session), same as d", NULL},
    [ACTION_OFFERS] = {request_with_offers, "only the agent can take it back", NULL},
    [ACTION_EDIT] = {request, "change the command", NULL},
    [ACTION_VIEW_ALL] = {request, "everything about c1", NULL},
    [ACTION_PUT_ASIDE] = {request, "c1 is put aside and goes on waiting", NULL},
    [ACTION_OPTION_UP] = {request, "\xe2\x96\xb8 p", NULL},
    [ACTION_OPTION_DOWN] = {request, "\xe2\x96\xb8 n", NULL},
    [ACTION_OPTION_TAKE] = {request, NULL, is_denied},
    [ACTION_COMMAND_UP] = {long_request_below, "lines 1 to", NULL},
    [ACTION_COMMAND_DOWN] = {long_request, NULL, has_scrolled},
    [ACTION_COMMAND_TOP] = {long_request_below, "lines 1 to", NULL},
    [ACTION_COMMAND_END] = {long_request, "echo step 60", NULL},
    [ACTION_APPROVAL_HELP] = {request, "When a request is shown", NULL},
    [ACTION_VIEW_UP] = {help_below, "lines 1 to", NULL},
    [ACTION_VIEW_DOWN] = {help, "lines 2 to", NULL},
    [ACTION_VIEW_PAGE_UP] = {help_far_below, "lines 1 to", NULL},
    [ACTION_VIEW_PAGE_DOWN] = {help, "lines 21 to", NULL},
    [ACTION_VIEW_TOP] = {help_far_below, "lines 1 to", NULL},
    [ACTION_VIEW_END] = {help, "it shows the mark", NULL},
    [ACTION_VIEW_SEARCH] = {help, NULL, asks_in_the_frame},
    [ACTION_VIEW_NEXT] = {help_searched, "round the end", NULL},
    [ACTION_VIEW_PREVIOUS] = {help_searched, "round the end", NULL},
    [ACTION_VIEW_CLOSE] = {help, NULL, is_closed},
    [ACTION_READER_UP] = {reading, NULL, is_above},
    [ACTION_READER_DOWN] = {reading, NULL, is_below},
    [ACTION_READER_LEFT] = {reading, NULL, is_left},
    [ACTION_READER_RIGHT] = {reading, NULL, is_right},
    [ACTION_READER_PAGE_UP] = {reading, "lines back", NULL},
    [ACTION_READER_PAGE_DOWN] = {reading_the_top, NULL, is_a_page_below},
    [ACTION_READER_LINE_START] = {reading, NULL, is_at_line_start},
    [ACTION_READER_LINE_END] = {reading, NULL, is_at_line_end},
    [ACTION_READER_TOP] = {reading, "line 001", NULL},
    [ACTION_READER_END] = {reading_the_top, "line 200", NULL},
    [ACTION_READER_SEARCH] = {reading, NULL, asks_for_a_text},
    [ACTION_READER_NEXT] = {reading_matches, "line 100", NULL},
    [ACTION_READER_PREVIOUS] = {reading_an_old_match, "line 150", NULL},
    [ACTION_READER_SELECT] = {reading, "drops the selection", NULL},
    [ACTION_READER_COPY] = {reading, NULL, has_copied},
    [ACTION_READER_HELP] = {reading, "Reading a pane", NULL},
    [ACTION_READER_CLOSE] = {reading, NULL, is_closed},
    [ACTION_INBOX_UP] = {inbox_below, "\xe2\x94\x83 touch one", NULL},
    [ACTION_INBOX_DOWN] = {inbox, "\xe2\x94\x83 touch two", NULL},
    [ACTION_INBOX_PAGE_UP] = {inbox_below, "\xe2\x94\x83 touch one", NULL},
    [ACTION_INBOX_PAGE_DOWN] = {inbox, "\xe2\x94\x83 touch two", NULL},
    [ACTION_INBOX_TOP] = {inbox_below, "\xe2\x94\x83 touch one", NULL},
    [ACTION_INBOX_END] = {inbox, "\xe2\x94\x83 touch two", NULL},
    [ACTION_INBOX_MARK] = {inbox, "1 marked", NULL},
    [ACTION_INBOX_MARK_AGENT] = {inbox, "2 marked", NULL},
    [ACTION_INBOX_MARK_ALL] = {inbox, "2 marked", NULL},
    [ACTION_INBOX_HIGH] = {inbox, "No request in the list is of high risk.", NULL},
    [ACTION_INBOX_SEARCH] = {inbox, "keys: find a text", NULL},
    [ACTION_INBOX_APPROVE] = {inbox, NULL, is_allowed},
    [ACTION_INBOX_APPROVE_SESSION] = {inbox, NULL, is_allowed_for_session},
    [ACTION_INBOX_APPROVE_PREFIX] = {inbox, NULL, is_allowed_by_rule},
    [ACTION_INBOX_DENY] = {inbox, NULL, is_denied},
    [ACTION_INBOX_DENY_MESSAGE] = {inbox, "Tell the agent why", NULL},
    [ACTION_INBOX_OPEN] = {inbox, "c1 asks. May it run", NULL},
    [ACTION_INBOX_HELP] = {inbox, "In the inbox", NULL},
    [ACTION_INBOX_CLOSE] = {inbox, NULL, is_closed},
    [ACTION_GRANT_UP] = {holding_below, "\xe2\x96\xb8 \xe2\x94\x83 make one", NULL},
    [ACTION_GRANT_DOWN] = {holding, "\xe2\x96\xb8 \xe2\x94\x83 make two", NULL},
    [ACTION_GRANT_PAGE_UP] = {holding_below, "\xe2\x96\xb8 \xe2\x94\x83 make one", NULL},
    [ACTION_GRANT_PAGE_DOWN] = {holding, "\xe2\x96\xb8 \xe2\x94\x83 make two", NULL},
    [ACTION_GRANT_TOP] = {holding_below, "\xe2\x96\xb8 \xe2\x94\x83 make one", NULL},
    [ACTION_GRANT_END] = {holding, "\xe2\x96\xb8 \xe2\x94\x83 make two", NULL},
    [ACTION_GRANT_REVOKE] = {holding, NULL, has_revoked},
    [ACTION_GRANT_SHOW] = {holding, "For how long", NULL},
    [ACTION_GRANT_CLOSE] = {holding, NULL, is_closed},
    [ACTION_SUGGEST_UP] = {suggested_below, "\xe2\x96\xb8 \xe2\x94\x83 make one", NULL},
    [ACTION_SUGGEST_DOWN] = {suggested, "\xe2\x96\xb8 \xe2\x94\x83 make two", NULL},
    [ACTION_SUGGEST_ADD] = {suggested, NULL, has_added_one},
    [ACTION_SUGGEST_TAKE] = {wide_suggested, NULL, has_added_two},
    [ACTION_SUGGEST_SHOW] = {suggested, "What it newly allows", NULL},
    [ACTION_SUGGEST_CLOSE] = {suggested, NULL, is_closed},
    [ACTION_LINE_ACCEPT] = {typing, NULL, has_run},
    [ACTION_LINE_CANCEL] = {typing, NULL, is_empty},
    [ACTION_LINE_OLDER] = {typed, "> make", NULL},
    [ACTION_LINE_NEWER] = {typed_and_recalled, NULL, is_empty},
    [ACTION_LINE_COMPLETE] = {typing_a_command, "> :policy", NULL},
};

/* ---- keys ---------------------------------------------------------------------------------- */

/* As xterm sends it. */
static void press(struct tui *tui, const struct key *key)
{
    static const struct {
        uint32_t code;
        const char *bytes;
    } names[] = {
        {INPUT_KEY_ESCAPE, "\x1b"},      {INPUT_KEY_ENTER, "\r"},
        {INPUT_KEY_TAB, "\t"},           {INPUT_KEY_UP, "\x1b[A"},
        {INPUT_KEY_DOWN, "\x1b[B"},      {INPUT_KEY_RIGHT, "\x1b[C"},
        {INPUT_KEY_LEFT, "\x1b[D"},      {INPUT_KEY_HOME, "\x1b[H"},
        {INPUT_KEY_END, "\x1b[F"},       {INPUT_KEY_DELETE, "\x1b[3~"},
        {INPUT_KEY_PAGE_UP, "\x1b[5~"},  {INPUT_KEY_PAGE_DOWN, "\x1b[6~"},
        {INPUT_KEY_F1, "\x1bOP"},        {INPUT_KEY_F1 + 1, "\x1bOQ"},
        {INPUT_KEY_F1 + 2, "\x1bOR"},    {INPUT_KEY_F1 + 3, "\x1bOS"},
        {INPUT_KEY_F1 + 4, "\x1b[15~"},  {INPUT_KEY_F1 + 5, "\x1b[17~"},
        {INPUT_KEY_F1 + 6, "\x1b[18~"},  {INPUT_KEY_F1 + 7, "\x1b[19~"},
        {INPUT_KEY_F1 + 8, "\x1b[20~"},  {INPUT_KEY_F1 + 9, "\x1b[21~"},
        {INPUT_KEY_F1 + 10, "\x1b[23~"}, {INPUT_KEY_F12, "\x1b[24~"},
    };
    char bytes[8] = "";
    size_t length = 0;

    if (key->code == INPUT_KEY_TAB && key->modifiers == INPUT_SHIFT)
        strcpy(bytes, "\x1b[Z");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && *bytes == '\0'; i++)
        if (names[i].code == key->code)
            strcpy(bytes, names[i].bytes);
    if (*bytes == '\0') {
        if ((key->modifiers & INPUT_ALT) != 0)
            bytes[length++] = '\x1b';
        if ((key->modifiers & INPUT_CTRL) != 0)
            bytes[length++] = (char)(key->code & 0x1f);
        else
            length += text_encode(key->code, bytes + length);
        bytes[length] = '\0';
    }
    tui_keys(tui, bytes);
    tui_advance(tui, 50); /* what may be the start of more is a key once nothing follows */
}

static void drive(enum action action, const struct key *key)
{
    const struct driver *driver = &drivers[action];
    struct tui tui;
    char name[24];

    keymap_key_name(key, name);
    tui_start(&tui, 24, 80, NULL);
    driver->prepare(&tui);
    strbuf_reset(&tui.raw);
    outer_cursor(tui.outer, &row_before, &column_before);
    if (driver->text != NULL && tui_shows(&tui, driver->text))
        fail_msg("%s: \"%s\" is there before %s", keymap_name(action), driver->text, name);
    if (driver->so != NULL && driver->so(&tui))
        fail_msg("%s: it is so before %s", keymap_name(action), name);
    press(&tui, key);
    if (driver->text != NULL && !tui_shows(&tui, driver->text))
        fail_msg("%s: %s does not show \"%s\"", keymap_name(action), name, driver->text);
    if (driver->so != NULL && !driver->so(&tui))
        fail_msg("%s: %s does not do it", keymap_name(action), name);
    tui_stop(&tui);
}

/* In a session of its own there is nobody who could continue it: the kernel drops the signal that
 * would stop it, and with it the test. */
static void drive_apart(enum action action, const struct key *key)
{
    int status;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        setsid();
        drive(action, key);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void every_action_of_the_table_works(void **state)
{
    struct keymap keymap;

    (void)state;
    keymap_init(&keymap);
    for (unsigned i = 1; i < ACTION_COUNT; i++) {
        if (drivers[i].prepare == NULL)
            fail_msg("nothing drives \"%s\": %s", keymap_name((enum action)i),
                     keymap_help((enum action)i));
        for (unsigned j = 0; j < KEYMAP_KEYS; j++) {
            const struct key *key = &keymap.keys[i][j];

            if (key->code != 0)
                (i == ACTION_SUSPEND ? drive_apart : drive)((enum action)i, key);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_action_of_the_table_works)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
