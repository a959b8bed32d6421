/* SPDX-License-Identifier: MIT */
/* Every language fits: what English shows whole at 80x24, long and wide words show whole as well,
 * every key of every row included, and no frame is moved by a wide character. */
#include "config.h"

#include "tui.h"

#include <inttypes.h>
#include <libintl.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "approval/grants.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "ui/console_int.h"

#define F7 "\x1b[18~"
#define F8 "\x1b[19~"
#define F9 "\x1b[20~"
#define F11 "\x1b[23~"
#define F12 "\x1b[24~"
#define ROWS 24
#define COLUMNS_SHOWN 80
#define LANGUAGES_MAX 32

extern int _nl_msg_cat_cntr; /* gettext(3): counts up when the language changes */

static const char *language; /* "C" is English */

/* ---- what must be there ------------------------------------------------------------------- */

static void fail_with_screen(const struct tui *tui, const char *what, const char *text)
{
    for (int row = 0; row < ROWS; row++) {
        cleanup_free char *line = outer_row(tui->outer, row);

        print_error("%s\n", line);
    }
    fail_msg("%s: %s: \"%s\"", language, what, text);
}

/* The text stands in one row, whole. */
__attribute__((format(printf, 2, 3))) static void expect(const struct tui *tui, const char *format,
                                                         ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (!tui_shows(tui, text))
        fail_with_screen(tui, "not shown whole", text);
}

static size_t count_in(const char *text, const char *part)
{
    size_t count = 0;

    while ((text = strstr(text, part)) != NULL) {
        text += strlen(part);
        count++;
    }
    return count;
}

/* Where a row begins with a frame it ends with one, in the last column. */
static void expect_frames(const struct tui *tui)
{
    static const char edges[] = "│┌└├╭╰", ends[] = "│┐┘┤╮╯";

    for (int row = 0; row < ROWS; row++) {
        struct outer_cell first, last;

        outer_cell(tui->outer, row, 0, &first);
        outer_cell(tui->outer, row, COLUMNS_SHOWN - 1, &last);
        if ((unsigned char)first.text[0] >= 0x80 && strstr(edges, first.text) != NULL &&
            ((unsigned char)last.text[0] < 0x80 || strstr(ends, last.text) == NULL))
            fail_with_screen(tui, "the frame is broken after", first.text);
    }
}

static size_t cuts(const struct tui *tui)
{
    size_t count = 0;

    for (int row = 0; row < outer_rows(tui->outer); row++) {
        cleanup_free char *text = outer_row(tui->outer, row);

        count += count_in(text, "…");
    }
    return count;
}

/* What stands last on the bottom row is there to its end; the brief word will do. */
static bool shows_in_force(const struct tui *tui)
{
    cleanup_free char *bottom = outer_row(tui->outer, ROWS - 1);

    return strstr(bottom, gettext("network off")) != NULL ||
           strstr(bottom, gettext("net off")) != NULL;
}

static void expect_in_force(const struct tui *tui)
{
    if (!shows_in_force(tui))
        fail_with_screen(tui, "what is in force is cut", gettext("net off"));
}

/* In full where there is room for it. */
static void expect_deny(const struct tui *tui)
{
    const char *brief = gettext("deny just this (session; :undo)");

    if (!tui_shows(tui, gettext("deny just this, for this session (:undo lets it ask again)")) &&
        !tui_shows(tui, brief))
        fail_with_screen(tui, "not shown whole", brief);
}

/* ---- states ------------------------------------------------------------------------------- */

static struct call *ask(struct tui *tui, struct call *call, const struct prompt *as)
{
    cleanup_wording struct wording *reason =
        wording_from(call->reach != NULL ? "the sandbox has no network but what you allow"
                                         : "it is none of the commands that run unasked");
    cleanup_wording struct wording *under = wording_from("workspace-write");
    struct prompt prompt = *as;

    if (as->covers_retry)
        wording_add_words(
            reason, "; approving also covers one run without the sandbox if it denies something");
    wording_add_words(under, " (network asks for each host)");
    prompt.reason = reason;
    prompt.under = under;
    fake_core_ask(tui->core, call, &prompt);
    tui_wait_guard(tui);
    return call;
}

static struct call *request(struct tui *tui, const char *line, enum risk_level risk)
{
    static const struct prompt prompt = {.may_approve_for_session = true, .covers_retry = true};
    struct call *call = fake_core_call(tui->core, tui->agent, line);

    call->assessment.level = risk;
    call->assessment.categories = RISK_NETWORK_ACCESS | RISK_SYSTEM_MODIFICATION;
    return ask(tui, call, &prompt);
}

/* For how long it holds is said however little room there is. */
static void expect_abort(const struct tui *tui)
{
    cleanup_free char *held =
        xasprintf(gettext("deny (session), end c%" PRIu64 ", which it is for"), (uint64_t)1);
    cleanup_free char *brief =
        xasprintf(gettext("deny (session), end call c%" PRIu64), (uint64_t)1);

    if (!tui_shows(tui, held) && !tui_shows(tui, brief))
        expect(tui, gettext("same as %s: nothing else to end"), "d");
}

static void expect_request(struct tui *tui, const char *question, const char *once)
{
    expect(tui, "kov: c1 %s ", question);
    expect(tui, " %s", once);
    expect_deny(tui);
    expect(tui, " %s", gettext("deny (session), and say why"));
    expect_abort(tui);
}

static void a_request(struct tui *tui)
{
    static const char *const labels[] = {"Directory", "Asked by", "Reason",
                                         "Summary",   "Risk",     "Runs under"};

    request(tui, "npm install left-pad", RISK_MEDIUM);
    expect(tui, "kov: c1 %s ", gettext("asks. May it run?"));
    expect(tui, " %s", gettext("allow once"));
    expect(tui, "%s (l", gettext("allow exactly this, in this directory, for this session"));
    expect_deny(tui);
    expect(tui, " %s", gettext("deny (session), and say why"));
    expect_abort(tui);
    expect(tui, gettext(" %s change "), "e");
    expect(tui, gettext("%s %s view everything  %s put aside  %s help "), "", "v", "Esc", "?");
    for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
        expect(tui, "%s ", gettext(labels[i]));
}

/* What is denied where it cannot be allowed can be read there, too. */
static void a_request_on_a_small_screen(struct tui *tui)
{
    static const char *const labels[] = {"Directory", "Asked by", "Reason", "Risk"};
    cleanup_free char *risk = xasprintf("▲ %s: ", gettext("HIGH"));

    request(tui, "set -e\nmake\nmake check\nmake install\nmake clean", RISK_HIGH);
    tui_resize(tui, 18, 60);
    for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
        expect(tui, "%s ", gettext(labels[i]));
    expect(tui, "%s", risk);
    expect(tui, gettext("To allow it: %dx%d at least"), COLUMNS_SHOWN, ROWS);
    expect(tui, gettext("%s deny  %s aside"), "d", "Esc");
    tui_resize(tui, 10, 60);
    expect(tui, ngettext("%s %zu more line", "%s %zu more lines", 3), "…", (size_t)3);
    tui_resize(tui, 6, 30);
    expect(tui, "%s", risk);
    tui_resize(tui, ROWS, COLUMNS_SHOWN);
    tui_wait_guard(tui);
}

/* In plain words, in as many as there is room for. */
static void a_request_to_leave_the_sandbox(struct tui *tui)
{
    static const char *const plain[] = {"allow exactly this, in this directory, for this session",
                                        "only this command, for this session",
                                        "only this, for this session"};
    size_t shown = 0;

    tui_request(tui, "make install", RISK_LOW);
    tui_wait_guard(tui);
    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
        cleanup_free char *whole = xasprintf(gettext("%s, WITHOUT the sandbox"), gettext(plain[i]));

        shown += tui_shows(tui, whole);
    }
    if (shown == 0)
        fail_with_screen(tui, "not shown whole", gettext(plain[2]));
    expect(tui, " %s", gettext("deny (session), and say why"));
}

/* Whom an answer reaches takes one row, whatever they are called and however many. */
static void a_shared_session(struct tui *tui)
{
    static const char *const names[] = {"implementer-of-everything", "reviewer-of-everything",
                                        "tester-of-everything"};
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct call *call = fake_core_call(tui->core, shared, "make");

        call->client.name = xstrdup(names[i]);
        ask(tui, call, &(struct prompt){.may_approve_for_session = true});
    }
    expect(tui, "%s ", gettext("Session"));
    expect(tui, " %s", gettext("shared, with answers, by all that use assent exec (:sessions)"));
    shared->leftover = true;
    tui_keys(tui, "\x1b");
    tui_wait_guard(tui);
    expect(tui, " %s", gettext("shared, with its answers, by clients of no running program"));
}

static const char *many_lines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13";

static void run_calls(struct tui *tui, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        fake_core_start(tui->core, fake_core_call(tui->core, tui->agent, "make"), "workspace");
    tui_settle(tui);
}

/* So is how many end with it, where the answers stand in two columns. */
static void its_calls_that_end(struct tui *tui)
{
    tui->agent->orchestrator = tui->core;
    ask(tui, fake_core_call(tui->core, tui->agent, many_lines),
        &(struct prompt){.may_approve_for_session = true});
    run_calls(tui, 1);
    expect(tui, ngettext("deny (session), end its %u call", "deny (session), end its %u calls", 1),
           1U);
    run_calls(tui, 11);
    expect(tui, ngettext("deny (session), end its %u call", "deny (session), end its %u calls", 12),
           12U);
    fake_core_hold(tui->core, tui->agent, "rm -rf x", RISK_HIGH);
    tui_settle(tui);
    expect(tui,
           ngettext("deny, end its %u call (%zu HIGH)", "deny, end its %u calls (%zu HIGH)", 13),
           13U, (size_t)1);
    tui->agent->orchestrator = NULL;
}

static struct call *as_another(struct call *call)
{
    call->client.name = xstrdup("bob");
    return call;
}

/* And that they are not its agent's alone, in a session that many share. */
static void calls_of_all_that_end(struct tui *tui)
{
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    shared->orchestrator = tui->core;
    ask(tui, fake_core_call(tui->core, shared, many_lines),
        &(struct prompt){.may_approve_for_session = true});
    for (unsigned i = 0; i < 12; i++)
        fake_core_start(tui->core, as_another(fake_core_call(tui->core, shared, "make")), "none");
    tui_settle(tui);
    expect(tui, ngettext("deny, end %u call of others", "deny, end %u calls of others", 12), 12U);
    as_another(fake_core_hold(tui->core, shared, "rm -rf x", RISK_HIGH));
    tui_settle(tui);
    expect(tui, gettext("deny, end %u of others (%zu HIGH)"), 13U, (size_t)1);
    fake_core_start(tui->core, fake_core_call(tui->core, shared, "make"), "none");
    tui_settle(tui);
    expect(tui, gettext("deny, end %u: %u others', %zu HIGH"), 14U, 13U, (size_t)1);
}

static void more_requests(struct tui *tui)
{
    request(tui, "make install", RISK_HIGH);
    request(tui, "make docs", RISK_LOW);
    expect(tui, gettext("%s %s view everything  %s aside, show next  %s help "), "", "v", "Esc",
           "?");
    expect(tui, ngettext(" %zu more waits ", " %zu more wait ", 1), (size_t)1);
    expect(tui, "%s: ", gettext("HIGH"));
    tui_keys(tui, "y");
    expect(tui, gettext(" Enter confirms: %s"), gettext("allow once"));
}

static struct ladder *npm_ladder(const char *refused)
{
    static const char *const words[] = {"npm", "run", "lint", NULL};
    struct ladder *ladder = XNEW(struct ladder);

    *ladder = (struct ladder){
        .steps = {{.width = LADDER_HERE, .words = strv_copy(words), .exact = true, .here = true},
                  {.width = LADDER_SUBCOMMAND,
                   .words = strv_copy(words),
                   .bypass = true,
                   .refused = refused,
                   .covers = 3}},
        .count = 2,
        .first = 1,
        .past = 7,
    };
    return ladder;
}

/* Where all rows are taken the answer says whom it reaches. */
static void a_crowded_shared_session(struct tui *tui)
{
    struct session *shared = fake_core_session(tui->core, SESSION_DEFAULT, "default");

    for (int unsandboxed = 0; unsandboxed < 2; unsandboxed++) {
        struct call *call = fake_core_call(tui->core, shared, "make\nmake test\nmake install");
        cleanup_wording struct wording *first = wording_from("exit status 1, in workspace-write");
        cleanup_wording struct wording *changed = wording_from("Makefile (c12)");
        cleanup_wording struct wording *under = wording_from("workspace-write");
        cleanup_free char *path = xstrdup("/srv/x");
        struct prompt prompt = {.may_approve_for_session = true,
                                .first_attempt = first,
                                .changed = changed,
                                .path_under = under,
                                .path = path,
                                .sandbox = unsandboxed ? ATTEMPT_UNSANDBOXED : ATTEMPT_TURN_DEFAULT,
                                .ladder = npm_ladder(NULL)};

        call->spec->justification = xstrdup("The others wait for it.");
        call->spec->env = strv_copy((const char *const[]){"CI=1", NULL});
        call->assessment.level = RISK_MEDIUM;
        ask(tui, call, &prompt);
        if (tui_shows(tui,
                      gettext("shared, with answers, by all that use assent exec (:sessions)")))
            fail_with_screen(tui, "not crowded", "");
        if (!unsandboxed)
            expect(tui, " %s", gettext("only this, shared session"));
        else if (!tui_shows(tui, gettext("only this, shared session, NO sandbox")))
            expect(tui, " %s", gettext("this, shared session, NO sandbox"));
        tui_keys(tui, "d");
        tui_wait_guard(tui);
        tui_wait_guard(tui);
    }
}

static void a_rule(struct tui *tui)
{
    struct prompt prompt = {.may_approve_for_session = true, .ladder = npm_ladder(NULL)};

    ask(tui, fake_core_call(tui->core, tui->agent, "npm run lint"), &prompt);
    expect(tui, gettext("%s allows"), "p");
    expect(tui, "(%s", gettext("and any further words"));
    expect(tui, gettext("narrower/wider (%zu of %zu); "), (size_t)2, (size_t)2);
    expect(tui, "%s", gettext("WITHOUT the sandbox"));
    expect(tui, gettext(" (%s: session)"), "Tab");
    expect(tui, "%s; %s", gettext("NO sandbox"), gettext("for project"));
    expect(tui, gettext("%s, WITHOUT the sandbox"), gettext("allow this rule for this project"));
    tui_keys(tui, "\x1b[D");
    expect(tui, " %s", gettext("allow this rule for this project"));
    tui_keys(tui, "\t");
    expect(tui, " %s", gettext("allow only this, by a rule, for this session"));
    expect(tui,
           gettext("Until the session ends: %s for this line, %s also as part of a longer one."),
           "a", "p");
    expect(tui, "(%s", gettext("exactly this, in this directory"));
}

static void a_rule_that_is_not_offered(struct tui *tui)
{
    struct prompt prompt = {
        .may_approve_for_session = true,
        .ladder = npm_ladder("outside the sandbox only exactly this command can be remembered")};

    prompt.ladder->first = 0;
    ask(tui, fake_core_call(tui->core, tui->agent, "npm run lint"), &prompt);
    tui_keys(tui, "\x1b[C");
    expect(tui, gettext("Not wider: %s"), gettext(prompt.ladder->steps[1].refused));
}

/* With words for them where there is room. */
static void expect_length_keys(const struct tui *tui, size_t place)
{
    cleanup_free char *words = xasprintf(gettext("%s (%s: %zu of %zu, %s more, %s less)"), "", "l",
                                         place, (size_t)3, "+", "-");

    if (!tui_shows(tui, words))
        expect(tui, "(l + -)");
}

static void how_long(struct tui *tui)
{
    request(tui, "make", RISK_LOW);
    tui_keys(tui, "l");
    expect(tui, gettext("allow %s"), "");
    expect_length_keys(tui, 2);
    tui_keys(tui, "l");
    expect_length_keys(tui, 3);
}

static void a_retry(struct tui *tui)
{
    cleanup_wording struct wording *first = wording_new();
    struct prompt prompt = {.retry = true, .sandbox = ATTEMPT_UNSANDBOXED, .first_attempt = first};
    static struct sandbox_denial denial = {.denied = true, .inferred = true};
    struct call *call = fake_core_call(tui->core, tui->agent, "tee /etc/shop.conf");

    call->attempts[call->attempt_count++].denial = &denial;
    wording_add(first, "exit status %s, in ", "1");
    wording_add_words(first, " (network off)");
    call->assessment.level = RISK_HIGH;
    ask(tui, call, &prompt);
    expect_request(tui, gettext("may have been stopped by the sandbox. Run it again WITHOUT it?"),
                   gettext("allow once, WITHOUT the sandbox"));
    expect(tui, "%s ", gettext("First try"));
}

static void a_host(struct tui *tui)
{
    static const struct prompt prompt = {.may_approve_for_session = true};
    struct reach *reach = XNEW(struct reach);
    struct call *call = fake_core_call(tui->core, tui->agent, "network-access");

    *reach = (struct reach){.host = xstrdup("registry.example"),
                            .readable = xstrdup("registry.example"),
                            .look_alike = true,
                            .protocol = "https",
                            .port = 443,
                            .known = "packages of npm",
                            .command = 1,
                            .command_line = xstrdup("make test"),
                            .waiting = 3};
    call->tool = CALL_NETWORK;
    call->reach = reach;
    reach_assess(reach, &call->assessment);
    ask(tui, call, &prompt);
    expect_request(tui, gettext("asks. May it connect there?"),
                   gettext("allow what waits now, no more"));
    expect(tui, "%s ", gettext("Connection to"));
    expect(tui, "%s ", gettext("Look-alike"));
    expect(tui, "%s ", gettext("Leads to"));
    expect(tui, "%s ", gettext("Waiting"));
}

static void other_subjects(struct tui *tui)
{
    static const struct prompt prompt = {.may_approve_for_session = false};
    struct call *call = fake_core_call(tui->core, tui->agent, "widen");

    call->widens = true;
    ask(tui, call, &prompt);
    expect(tui, "kov: c1 %s ", gettext("asks. May all that follows do more?"));
    expect(tui, " %s", gettext("allow from now on, in this session"));
    tui_keys(tui, "d");
    call = fake_core_call(tui->core, tui->agent, "WebFetch");
    call->agent_tool = xstrdup("WebFetch");
    ask(tui, call, &prompt);
    expect(tui, "kov: c2 %s ", gettext("asks. May the agent do this?"));
}

static void an_own_command(struct tui *tui)
{
    static const struct prompt prompt = {.may_approve_for_session = true};

    ask(tui, fake_core_call(tui->core, tui->own, "make clean"), &prompt);
    expect(tui, " %s", gettext("do not run it"));
    expect(tui, " %s", gettext("do not run it, and stop your other commands"));
    expect(tui, "%s", gettext("you, at this console"));
}

static void a_long_command(struct tui *tui)
{
    cleanup_strbuf struct strbuf script = STRBUF_INIT;

    for (int i = 1; i <= 60; i++)
        strbuf_addf(&script, "%secho step %d >> build.log", i > 1 ? "\n" : "", i);
    request(tui, strbuf_str(&script), RISK_MEDIUM);
    expect(tui, "%s ", gettext("Command"));
    tui_keys(tui, "y");
    expect(tui, "%s", gettext("Read all of the command first, or view everything."));
    tui_keys(tui, "v");
    expect(tui, gettext(" %s closes "), "Esc");
    expect(tui, "PgUp PgDn Home End ");
}

/* Beside other answers: where it would run is what tells two of them apart. */
static void leaving_the_sandbox(struct tui *tui)
{
    static const struct prompt prompt = {
        .sandbox = ATTEMPT_UNSANDBOXED, .may_sandbox = true, .may_approve_for_session = true};
    cleanup_strbuf struct strbuf script = STRBUF_INIT;

    for (int i = 1; i <= 60; i++)
        strbuf_addf(&script, "%secho step %d >> build.log", i > 1 ? "\n" : "", i);
    ask(tui, fake_core_call(tui->core, tui->agent, strbuf_str(&script)), &prompt);
    expect(tui, " y  %s ", gettext("allow once, WITHOUT the sandbox"));
    expect(tui, " i  %s ", gettext("allow once, but in the sandbox"));
    expect_deny(tui);
}

static void text_that_is_marked(struct tui *tui)
{
    request(tui, "echo \x1b[2K \xe2\x80\xae", RISK_LOW);
    expect(tui,
           ngettext("%zu character cannot be shown as it is; a mark <...> stands for it.",
                    "%zu characters are shown by marks, <...> or [...], not as they are.", 2),
           (size_t)2);
}

static void look_alike_letters(struct tui *tui)
{
    request(tui, "p\xd0\xb0ypal", RISK_LOW);
    expect(tui, "%s", gettext("A word mixes letters of different alphabets that look alike."));
}

static void a_message(struct tui *tui)
{
    request(tui, "make", RISK_LOW);
    tui_keys(tui, "n");
    expect(tui, "%s", gettext("Tell the agent why"));
    expect(tui, "%s", gettext(" Enter denies with this message  Esc goes back "));
}

static void an_edit(struct tui *tui)
{
    request(tui, "make", RISK_LOW);
    tui_keys(tui, "e");
    expect(tui, gettext(" %s: change the command "), "kov");
    expect(tui, "%s", gettext(" Enter shows what comes of it; nothing runs yet  Esc goes back "));
}

/* All pages: in the narrowest place for them, no line is cut. */
static void help(struct tui *tui)
{
    tui_keys(tui, "?");
    expect(tui, " %s ", gettext("Help"));
    expect(tui, gettext(" %s closes "), "Esc");
    for (int page = 0; page < 12; page++) {
        expect_frames(tui);
        assert_int_equal(cuts(tui), 0);
        tui_keys(tui, "\x1b[6~");
    }
    expect(tui, "kov");
}

static void start(struct tui *tui, const char *name, const struct tui_options *options);

/* All of it, from the title to what its last paragraph ends with. */
static void an_introduction(struct tui *tui)
{
    tui_stop(tui);
    start(tui, language, &(struct tui_options){.introduce = true});
    expect(tui, " %s ", gettext("Assent: for the first time"));
    expect(tui, gettext(" Any key closes this; %s shows it again, and more "), "F1");
    expect(tui, "--agent");
    expect(tui, "--demo");
    assert_int_equal(cuts(tui), 0);
}

/* The words of a long notice have room, to the last. */
static void another_console(struct tui *tui)
{
    cleanup_free char *text =
        xasprintf(gettext("Another console is open here (process %.*s): its agents stay, new "
                          "ones reach neither; this one: ASSENT_SOCKET=%s"),
                  7, "1234567", "/run/user/1000/assent/7654321.sock");
    const char *last = strrchr(text, ' ');

    console_observer()->notice(tui->console, NOTICE_WARNING, text);
    tui_settle(tui);
    expect(tui, "1234567");
    expect(tui, "%s", last + 1);
}

static void an_inbox(struct tui *tui)
{
    static const struct prompt inside = {.may_approve_for_session = true};
    struct call *call = fake_core_call(tui->core, tui->agent, "make install");

    call->assessment.level = RISK_MEDIUM;
    tui_keys(tui, F9);
    expect(tui, "%s", gettext("Nothing waits for an answer."));
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    ask(tui, call, &inside);
    request(tui, "make docs", RISK_HIGH);
    tui_keys(tui, F9);
    expect(tui, "%s", gettext(" One moment: answers do not count yet. "));
    tui_wait_guard(tui);
    /* The others where there is room. */
    expect(tui, " Space %s  y %s  a %s ", gettext("mark"), gettext("once"), gettext("session"));
    expect(tui, " d %s ", gettext("deny (session)"));
    expect(tui, " ? %s  Esc %s ", gettext("help"), gettext("closes"));
    expect(tui, ngettext(" %s: %zu request waits", " %s: %zu requests wait", 2), "kov", (size_t)2);
    expect(tui, " %s ", gettext("medium"));
    expect(tui, " %s ", gettext("HIGH"));
    expect(tui, " %s ", C_("inbox heading", "risk"));
    expect(tui, " %s ", C_("inbox heading", "agent"));
    expect(tui, " %s ", C_("inbox heading", "waits"));
    expect(tui, " %s ", C_("inbox heading", "kind"));
    expect(tui, " %s ", C_("inbox heading", "command"));
    expect(tui, "  %s ", C_("inbox heading", "oldest first"));
    tui_keys(tui, " ");
    expect(tui, gettext(", %zu marked"), (size_t)1);
}

static void what_holds(struct tui *tui)
{
    static const char *const keys[] = {"npm test", NULL};

    grants_add(tui->agent->grants, keys, "npm test", 5,
               &(struct lease){.kind = LEASE_TIME, .duration_ms = 600 * 1000});
    tui_keys(tui, ":grants\r");
    expect(tui, gettext(" %s takes it back  %s shows all of it  %s closes "), "r", "Enter", "Esc");
    expect(tui, "%s", gettext(" What holds without a question "));
    expect(tui, gettext(" %s closes "), "Esc");
}

static void the_prompt_line(struct tui *tui)
{
    expect(tui, "%s", gettext("a command to run, : for the console's own commands, ? for help"));
    expect(tui, gettext(" %s keys: %s "), "kov", gettext("prompt"));
    expect(tui, " %s", gettext("network off"));
}

/* What thaws it gives way to what is in force. */
static void expect_frozen(struct tui *tui)
{
    cleanup_free char *brief = xasprintf(gettext(" FROZEN: %s "), "F7");

    if (!tui_shows(tui, gettext(" FROZEN ")) && !tui_shows(tui, brief))
        expect(tui, gettext(" FROZEN: %s goes on "), "F7");
}

static void all_is_frozen(struct tui *tui)
{
    tui_running(tui, "make", false);
    request(tui, "make docs", RISK_LOW);
    tui_keys(tui, F7);
    expect_frozen(tui);
    expect(tui, "on-request \xc2\xb7 workspace-write");
    expect(tui, gettext(" %zu waiting%s "), (size_t)1, "");
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    expect(tui, gettext(" %zu waiting%s: %s "), (size_t)1, "", "F2");
}

/* How to take it back outlasts the message that says so. */
static void who_is_stopped(struct tui *tui)
{
    tui_running(tui, "make", false);
    tui_keys(tui, F8);
    tui_keys(tui, F8);
    expect(tui, "%s", ":resume codex");
    request(tui, "make docs", RISK_LOW);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
    for (int columns = COLUMNS_SHOWN; columns < 120; columns += 10) {
        cleanup_free char *bottom = NULL;

        tui_resize(tui, ROWS, columns);
        bottom = outer_row(tui->outer, ROWS - 1);
        if (strstr(bottom, ":resume ") == NULL)
            fail_with_screen(tui, "the way back is not shown", ":resume");
    }
    tui_resize(tui, ROWS, COLUMNS_SHOWN);
}

static void a_pane_has_the_keyboard(struct tui *tui)
{
    tui_running(tui, "vi", true);
    tui_keys(tui, F12);
    expect(tui, gettext("pane c%" PRIu64), (uint64_t)1);
    expect(tui, gettext("%s leaves"), "Ctrl-\\");
    request(tui, "make docs", RISK_LOW);
    expect(tui, gettext(" %zu waiting%s: %s "), (size_t)1, "", "Ctrl-\\");
    expect(tui, "workspace-write");
}

static void a_pane_is_read(struct tui *tui)
{
    fake_core_output(tui->core, tui_running(tui, "make", true), "one\r\ntwo\r\n");
    tui_settle(tui);
    tui_keys(tui, F11);
    expect(tui, gettext("%s searches"), "/");
    expect(tui, gettext("%s selects"), "v");
    expect(tui, gettext("%s copies the line"), "Enter");
    expect(tui, gettext(" %s closes "), "Esc");
    tui_keys(tui, "v");
    expect(tui, gettext("%s drops the selection"), "v");
    expect(tui, gettext("%s copies it"), "Enter");
    expect(tui, gettext(" %s closes "), "Esc");
}

static const struct state {
    const char *name;
    void (*draw)(struct tui *tui);
} states[] = {
    {"a request", a_request},
    {"a request to leave the sandbox", a_request_to_leave_the_sandbox},
    {"more requests", more_requests},
    {"a request on a small screen", a_request_on_a_small_screen},
    {"a shared session", a_shared_session},
    {"a shared session without a row for it", a_crowded_shared_session},
    {"its calls that end", its_calls_that_end},
    {"calls of all that end", calls_of_all_that_end},
    {"a rule", a_rule},
    {"a rule that is not offered", a_rule_that_is_not_offered},
    {"how long", how_long},
    {"a retry", a_retry},
    {"a host", a_host},
    {"other subjects", other_subjects},
    {"an own command", an_own_command},
    {"a long command", a_long_command},
    {"leaving the sandbox", leaving_the_sandbox},
    {"text that is marked", text_that_is_marked},
    {"look-alike letters", look_alike_letters},
    {"a message", a_message},
    {"an edit", an_edit},
    {"help", help},
    {"an introduction", an_introduction},
    {"another console", another_console},
    {"an inbox", an_inbox},
    {"what holds", what_holds},
    {"the prompt line", the_prompt_line},
    {"all is frozen", all_is_frozen},
    {"who is stopped", who_is_stopped},
    {"a pane has the keyboard", a_pane_has_the_keyboard},
    {"a pane is read", a_pane_is_read},
};
#define STATE_COUNT (sizeof(states) / sizeof(states[0]))

/* ---- languages ---------------------------------------------------------------------------- */

static char directory[] = "/tmp/assent-languages-XXXXXX";
static char *languages[LANGUAGES_MAX];
static size_t language_count;

/* Where gettext looks: DIRECTORY/LANGUAGE/LC_MESSAGES/assent.mo. */
static void add_language(const char *name)
{
    cleanup_free char *folder = xasprintf("%s/%s", directory, name);
    cleanup_free char *messages = xasprintf("%s/LC_MESSAGES", folder);
    cleanup_free char *compile =
        xasprintf("msgfmt --output-file='%s/assent.mo' '" TUI_CATALOGUES "/%s.po'", messages, name);

    assert_true(language_count < LANGUAGES_MAX);
    languages[language_count++] = xstrdup(name);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(mkdir(messages, 0700), 0);
    assert_int_equal(system(compile), 0);
}

static int open_catalogues(void **state)
{
    size_t length;
    cleanup_free char *list = fd_read_file(TUI_CATALOGUES "/LINGUAS", 4096, false, &length);
    char *rest = NULL;

    (void)state;
    assert_non_null(list);
    assert_non_null(mkdtemp(directory));
    for (char *line = strtok_r(list, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        if (*line != '#')
            add_language(line);
    assert_true(language_count > 0);
    bindtextdomain(PACKAGE, directory);
    bind_textdomain_codeset(PACKAGE, "UTF-8");
    textdomain(PACKAGE);
    return 0;
}

static int remove_catalogues(void **state)
{
    cleanup_free char *command = xasprintf("rm -r '%s'", directory);

    (void)state;
    for (size_t i = 0; i < language_count; i++)
        free(languages[i]);
    return system(command);
}

static void start(struct tui *tui, const char *name, const struct tui_options *options)
{
    language = name;
    setenv("LANGUAGE", name, 1);
    _nl_msg_cat_cntr++; /* what gettext remembers was in another language */
    tui_start(tui, ROWS, COLUMNS_SHOWN, options);
}

/* What may be cut, as far as English is cut. */
struct cut {
    size_t texts; /* that end in an ellipsis */
    bool in_force;
};

static struct cut draw(const struct state *drawn, const char *name, struct cut most)
{
    struct tui tui;
    struct cut cut;

    start(&tui, name, NULL);
    drawn->draw(&tui);
    expect_frames(&tui);
    cut = (struct cut){.texts = cuts(&tui), .in_force = !shows_in_force(&tui)};
    if (cut.texts > most.texts)
        fail_with_screen(&tui, "more is cut than in English", drawn->name);
    if (!most.in_force)
        expect_in_force(&tui);
    tui_stop(&tui);
    return cut;
}

static void fits_in_every_language(void **state)
{
    const struct state *drawn = *state;
    struct cut in_english = draw(drawn, "C", (struct cut){SIZE_MAX, true});

    for (size_t i = 0; i < language_count; i++)
        draw(drawn, languages[i], in_english);
}

/* The test itself: what it looks at is translated. */
static void is_translated(void **state)
{
    struct tui tui;

    (void)state;
    for (size_t i = 0; i < language_count; i++) {
        start(&tui, languages[i], NULL);
        assert_string_not_equal(gettext("Help"), "Help");
        tui_stop(&tui);
    }
}

/* One English word, two of theirs. */
static void an_answer_is_no_state(void **state)
{
    struct tui tui;

    (void)state;
    start(&tui, "ja", NULL);
    assert_string_equal(C_("answer", "yes"), "はい");
    assert_string_equal(C_("layer", "yes"), "あり");
    assert_string_equal(C_("nowhere", "yes"), "yes");
    tui_stop(&tui);
}

/* Rows of question marks help nobody. */
static void what_cannot_be_shown_is_english(void **state)
{
    static const struct tui_options options = {.terminal = "linux"};
    struct tui tui;

    (void)state;
    start(&tui, "ja", &options);
    expect(&tui, " kov keys: prompt ");
    tui_stop(&tui);
    start(&tui, "de", &options);
    expect(&tui, " kov %s ", "Tasten: Eingabe");
    tui_stop(&tui);
}

static bool can_translate(void)
{
#if ENABLE_NLS
    return system("msgfmt --version >/dev/null 2>&1") == 0;
#else
    return false;
#endif
}

int main(void)
{
    struct CMUnitTest tests[STATE_COUNT + 3] = {cmocka_unit_test(is_translated),
                                                cmocka_unit_test(an_answer_is_no_state),
                                                cmocka_unit_test(what_cannot_be_shown_is_english)};

    if (!can_translate())
        return 77;
    for (size_t i = 0; i < STATE_COUNT; i++)
        tests[i + 3] = (struct CMUnitTest){.name = states[i].name,
                                           .test_func = fits_in_every_language,
                                           .initial_state = (void *)(uintptr_t)&states[i]};
    return cmocka_run_group_tests_name("languages", tests, open_catalogues, remove_catalogues);
}
