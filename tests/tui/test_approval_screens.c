/* SPDX-License-Identifier: MIT */
/* What every state of a request looks like, cell by cell, in both sizes and all themes. */
#include "config.h"

#include "shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "ui/console_int.h"

static void draw_nothing(struct tui *tui)
{
    (void)tui;
}

static void draw_guarded(struct tui *tui)
{
    tui_request(tui, "npm install left-pad", RISK_MEDIUM);
    tui_settle(tui);
}

static void draw_low(struct tui *tui)
{
    struct call *call = tui_request(tui, "npm view left-pad version", RISK_LOW);

    call->assessment.categories = RISK_NETWORK_ACCESS;
    tui_wait_guard(tui);
}

static const char *const lint_words[] = {"npm", "run", "lint", "--", "--fix", "src", NULL};

static void draw_prefix(struct tui *tui)
{
    struct prompt prompt = {
        .covers_retry = true,
        .may_approve_for_session = true,
        .ladder = fake_core_npm_ladder(lint_words),
    };
    struct call *call = fake_core_call(tui->core, tui->agent, "npm run lint -- --fix src");

    call->assessment.level = RISK_MEDIUM;
    call->spec->justification = xstrdup("The linter has to pass before I can commit.");
    fake_core_ask_for(tui->core, call, prompt,
                      "Not known to be harmless, and the policy is to ask.",
                      "workspace-write (network off)");
    tui_wait_guard(tui);
}

static void draw_wider(struct tui *tui)
{
    draw_prefix(tui);
    tui_presses(tui, "\x1b[C\t"); /* right, Tab */
}

static void draw_refused(struct tui *tui)
{
    draw_prefix(tui);
    tui_presses(tui, "\x1b[C\x1b[C"); /* the second goes nowhere */
}

static void draw_others(struct tui *tui)
{
    static const uint64_t others[] = {4, 5, 6, 7, 8, 9, 10, 11};

    fake_core_release(tui->core, others, sizeof(others) / sizeof(others[0]));
    draw_prefix(tui);
    tui_wait_guard(tui);
}

/* c2, make test, wants a host. */
static struct call *ask_for_host(struct tui *tui, const char *host, const char *readable)
{
    struct prompt prompt = {.may_approve_for_session = true, .lease_call = 2};
    struct reach *reach = XNEW(struct reach);
    struct call *call = fake_core_call(tui->core, tui->agent, "network-access");

    *reach = (struct reach){.host = xstrdup(host),
                            .readable = readable != NULL ? xstrdup(readable) : NULL,
                            .look_alike = readable != NULL,
                            .protocol = "https",
                            .port = 443,
                            .known = readable == NULL ? "packages of npm" : NULL,
                            .command = 2,
                            .command_line = xstrdup("make test"),
                            .waiting = 3};
    call->tool = CALL_NETWORK;
    call->reach = reach;
    reach_assess(reach, &call->assessment);
    fake_core_ask_for(tui->core, call, prompt, "the sandbox has no network but what you allow",
                      "the sandbox as before; connections to this host and port alone");
    tui_wait_guard(tui);
    return call;
}

static void draw_host(struct tui *tui)
{
    ask_for_host(tui, "registry.example", NULL);
}

static void draw_lookalike(struct tui *tui)
{
    ask_for_host(tui, "xn--pypal-4ve.example", "p\xd0\xb0ypal.example");
    tui_keys(tui, "y"); /* takes a second key */
}

/* What the name leads to is asked about; meanwhile another connection waits. */
static void draw_local_address(struct tui *tui)
{
    struct call *call = ask_for_host(tui, "build.example", NULL);

    call->reach->special = "private";
    call->reach->addresses = xstrdup("192.168.0.7, 192.168.0.8");
    call->reach->known = NULL;
    reach_assess(call->reach, &call->assessment);
    fake_core_raise(tui->core, call, RISK_MEDIUM);
    call->reach->waiting = 12;
    tui_wait_change(tui);
}

static void draw_high(struct tui *tui)
{
    three_requests(tui);
}

static void draw_armed(struct tui *tui)
{
    three_requests(tui);
    tui_keys(tui, "y");
}

static void draw_marks(struct tui *tui)
{
    struct call *call = tui_request(tui,
                                    "echo \x1b[2K\x1b[1Gsafe \xe2\x80\xae"
                                    "fdp.txt # \xd0\xb0pt install x\xff",
                                    RISK_LOW);

    free(call->spec->justification);
    call->spec->justification = xstrdup("Reason      approved by the operator\n\x1b[1mRisk\x1b[0m");
    fake_core_raise(tui->core, call, RISK_LOW);
    tui_wait_guard(tui);
}

/* A script of 60 lines; its end is out of view. */
static void draw_long(struct tui *tui)
{
    struct strbuf script = STRBUF_INIT;

    for (int i = 1; i <= 60; i++)
        strbuf_addf(&script, "%secho step %d >> build.log", i > 1 ? "\n" : "", i);
    tui_request(tui, strbuf_str(&script), RISK_MEDIUM);
    strbuf_free(&script);
    tui_wait_guard(tui);
}

static void draw_long_refused(struct tui *tui)
{
    draw_long(tui);
    tui_keys(tui, "y");
}

static void draw_long_end(struct tui *tui)
{
    draw_long(tui);
    tui_keys(tui, "\x1b[F");
}

/* A line of the trail takes two rows, of which the box covers one at 80x24: nothing of it shows. */
static void draw_torn(struct tui *tui)
{
    tui_keys(tui,
             ":theme with a name so long that to say that there is none takes two rows; torn\r");
    tui_advance(tui, 6000);
    line_editor_clear(tui->console->prompt, false); /* by a key, what was said would go as well */
    draw_low(tui);
    if (outer_rows(tui->outer) == 24)
        assert_false(tui_shows(tui, "torn"));
}

/* Everything that can be said of it is said, and what an agent can make long is long: texts around
 * the script are shortened until it has its rows. */
static void draw_crowded(struct tui *tui)
{
    cleanup_wording struct wording *changed =
        wording_from("since you allowed c11: Makefile (c12), package.json");
    struct prompt prompt = {
        .changed = changed,
        .covers_retry = true,
        .may_approve_for_session = true,
        .ladder = fake_core_npm_ladder(lint_words),
    };
    struct strbuf script = STRBUF_INIT;
    struct call *call;

    for (int i = 1; i <= 20; i++)
        strbuf_addf(&script, "%snpm run step-%d", i > 1 ? "\n" : "", i);
    call = fake_core_call(tui->core, tui->agent, strbuf_str(&script));
    strbuf_free(&script);
    call->assessment.level = RISK_MEDIUM;
    call->spec->env = strv_copy((const char *const[]){
        "NODE_OPTIONS=--require ./a --require ./b --require ./c --require ./d --require ./e "
        "--require ./f --require ./g",
        NULL});
    call->spec->justification =
        xstrdup("The steps have to be taken one after the other, because each of them needs what "
                "the one before it has made, and nobody else can do it as things are now.");
    fake_core_ask_for(tui->core, call, prompt,
                      "Not known to be harmless, and the policy is to ask whenever that is so, "
                      "whatever it may be and whoever has asked for it, in this project.",
                      "workspace-write (network off)");
    tui_wait_guard(tui);
}

static void draw_retry(struct tui *tui)
{
    cleanup_wording struct wording *first =
        wording_from("It ran in workspace-write and ended with exit status 1 after 0.2 s.");
    struct prompt prompt = {
        .retry = true,
        .sandbox = ATTEMPT_UNSANDBOXED,
        .first_attempt = first,
    };
    struct call *call = fake_core_call(tui->core, tui->agent, "tee /etc/shop.conf");

    call->spec->env = strv_copy((const char *const[]){"CI=1", "LANG=de_DE.UTF-8", NULL});
    call->spec->standard_input = STDIN_PIPE;
    call->assessment.level = RISK_HIGH;
    call->assessment.categories = RISK_SYSTEM_MODIFICATION;
    fake_core_ask_for(tui->core, call, prompt, "The sandbox refused: write /etc/shop.conf.",
                      "no sandbox: all files, network on");
    tui_wait_guard(tui);
}

/* What the sandbox stopped can stay in it, with one path more. */
static void draw_retry_path(struct tui *tui)
{
    cleanup_wording struct wording *first =
        wording_from("exit status 1 after 0.2 s; nothing changed in the workspace");
    cleanup_wording struct wording *under =
        wording_from("workspace-write (network off); also write /srv/www/shop");
    struct prompt prompt = {
        .retry = true,
        .sandbox = ATTEMPT_UNSANDBOXED,
        .path = (char[]){"/srv/www/shop"},
        .path_may_last = true,
        .path_under = under,
        .may_approve_for_session = true,
        .first_attempt = first,
    };
    struct call *call = fake_core_call(tui->core, tui->agent, "cp index.html /srv/www/shop");

    call->assessment.level = RISK_MEDIUM;
    call->assessment.categories = RISK_SYSTEM_MODIFICATION;
    fake_core_ask_for(tui->core, call, prompt,
                      "the sandbox blocked: write /srv/www/shop/index.html",
                      "no sandbox: it can do all that you can do");
    tui_wait_guard(tui);
}

/* Two columns of answers at 80x24: a path that does not fit, and a length whose keys do not. */
static void draw_retry_narrow(struct tui *tui)
{
    cleanup_wording struct wording *first =
        wording_from("exit status 1 after 3.1 s; changed: assets/shop.css, build/shop.js, "
                     "build/index.html and 12 more");
    cleanup_wording struct wording *under =
        wording_from("workspace-write (network off); also write "
                     "/srv/www/shop/releases/2026-11-26/static/assets");
    struct prompt prompt = {
        .retry = true,
        .sandbox = ATTEMPT_UNSANDBOXED,
        .path = (char[]){"/srv/www/shop/releases/2026-11-26/static/assets"},
        .path_under = under,
        .may_approve_for_session = true,
        .first_attempt = first,
        .repeats_some = true,
        .no_rule = "No rule: it is not known which of its commands the sandbox stopped.",
    };
    struct call *call =
        fake_core_call(tui->core, tui->agent, "make && make assets && make publish");

    call->attempts[0].touched_some = true;
    call->spec->justification = xstrdup("The assets have to be there before the shop is reloaded, "
                                        "and the build makes them.");
    call->spec->env = strv_copy((const char *const[]){"CI=1", "LANG=de_DE.UTF-8", NULL});
    call->assessment.level = RISK_MEDIUM;
    fake_core_ask_for(tui->core, call, prompt,
                      "the sandbox may have blocked it: write "
                      "/srv/www/shop/releases/2026-11-26/static/assets/index.html (inferred from "
                      "what the command printed)",
                      "no sandbox: it can do all that you can do");
    tui_wait_guard(tui);
    tui_presses(tui, "l");
}

/* The Makefile is no longer what it was when `make test` was allowed. */
static void draw_changed(struct tui *tui)
{
    cleanup_wording struct wording *changed =
        wording_from("since you allowed c11: Makefile (c12), package.json");
    struct prompt prompt = {
        .changed = changed,
        .may_approve_for_session = true,
    };
    struct call *call = fake_core_call(tui->core, tui->agent, "make test");

    call->assessment.level = RISK_MEDIUM;
    fake_core_ask_for(tui->core, call, prompt, "It is not known to be safe.",
                      "workspace-write (network off)");
    tui_wait_guard(tui);
}

/* Outside the sandbox: what the scripts say is a key away. */
static void draw_scripts(struct tui *tui)
{
    char deploy[] = "/home/ann/shop/./deploy.sh", tool[] = "/home/ann/shop/bin/tool";
    char text[] = "#!/bin/sh\nset -eu\n\trsync -a site/ host:/srv/shop/\necho \"\033[32mdone\"\n";
    struct prompt_script scripts[] = {{.path = deploy, .text = text, .lines = 4}, {.path = tool}};
    struct prompt prompt = {
        .sandbox = ATTEMPT_UNSANDBOXED,
        .once_reason = "it can run code from files that agents can change",
        .scripts = scripts,
        .script_count = 2,
        .script_unknown = true,
    };
    struct call *call =
        fake_core_call(tui->core, tui->agent, "./deploy.sh prod && bin/tool && sh ~/more");

    call->assessment.level = RISK_MEDIUM;
    fake_core_ask_for(tui->core, call, prompt, "the agent asks for more than the sandbox gives",
                      "no sandbox: it can do all that you can do");
    tui_wait_guard(tui);
}

static void draw_scripts_full(struct tui *tui)
{
    draw_scripts(tui);
    tui_keys(tui, "v");
}

static void draw_message(struct tui *tui)
{
    draw_low(tui);
    tui_keys(tui, "n");
    tui_keys(tui, "use the vendored copy instead");
}

static void draw_full(struct tui *tui)
{
    three_requests(tui);
    tui_keys(tui, "v");
}

static void draw_help(struct tui *tui)
{
    draw_low(tui);
    tui_keys(tui, "?");
}

static void draw_aside(struct tui *tui)
{
    draw_low(tui);
    tui_keys(tui, "\x1b");
    tui_advance(tui, 50);
}

static void draw_banner(struct tui *tui)
{
    tui_keys(tui, "\x1b[24~"); /* F12: into the pane of "make test" */
    draw_low(tui);
}

static void draw_denied(struct tui *tui)
{
    draw_low(tui);
    tui_keys(tui, "d");
}

static void draw_editing(struct tui *tui)
{
    draw_low(tui);
    tui_keys(tui, "e");
}

/* How long "for this session" lasts, and a bound that a rule does not have. */
static void draw_leased(struct tui *tui)
{
    draw_prefix(tui);
    tui_presses(tui, "ll");
}

/* A question of the agent's: its answer is words. */
static void ask_question(struct tui *tui, bool secret)
{
    struct call *call =
        tui_request(tui, "'ask_user' 'Which of the two registries shall I publish to?'", RISK_LOW);

    call->prompt->may_sandbox = false;
    call->wants_words = true;
    call->secret_words = secret;
    fake_core_raise(tui->core, call, RISK_LOW);
    tui_wait_guard(tui);
}

static void draw_question(struct tui *tui)
{
    ask_question(tui, false);
}

static void draw_answering(struct tui *tui)
{
    ask_question(tui, false);
    tui_keys(tui, "y");
    tui_wait_guard(tui);
    tui_keys(tui, "the internal one");
}

static void draw_password(struct tui *tui)
{
    ask_question(tui, true);
    tui_keys(tui, "y");
    tui_wait_guard(tui);
    tui_keys(tui, "hunter2");
}

static const char patch[] = "*** Begin Patch\n"
                            "*** Update File: src/basket.c\n"
                            "@@ -10,4 +10,4 @@ int basket_total(const struct basket *basket)\n"
                            " int total = 0;\n"
                            "-for (int i = 0; i <= basket->count; i++)\n"
                            "+for (int i = 0; i < basket->count; i++)\n"
                            "     total += basket->prices[i];\n"
                            "*** Add File: notes.txt\n"
                            "+The loop read one behind the end.\n"
                            "*** Delete File: old/basket.c\n"
                            "*** End Patch\n";

static struct call *ask_for_patch(struct tui *tui)
{
    struct call *call = tui_request(tui, "apply_patch", RISK_MEDIUM);

    call->prompt->may_sandbox = false;
    call->tool = CALL_APPLY_PATCH;
    call->patch = xstrdup(patch);
    free(call->prompt->command);
    call->prompt->command = xstrdup(patch);
    fake_core_raise(tui->core, call, RISK_MEDIUM);
    tui_wait_guard(tui);
    return call;
}

static void draw_patch(struct tui *tui)
{
    ask_for_patch(tui);
}

static void draw_patch_full(struct tui *tui)
{
    ask_for_patch(tui);
    tui_keys(tui, "v");
}

/* What it changed, in the pane, once it has. */
static void draw_patch_done(struct tui *tui)
{
    struct call *call =
        fake_core_call(tui->core, tui->agent, "apply_patch src/basket.c notes.txt old/basket.c");

    call->tool = CALL_APPLY_PATCH;
    call->patch = xstrdup(patch);
    fake_core_start(tui->core, call, "workspace-write");
    tui_settle(tui);
    fake_core_output(tui->core, call,
                     "Success. Updated the following files:\nM src/basket.c\nA notes.txt\n"
                     "D old/basket.c\n");
    fake_core_finish(tui->core, call, 0);
    tui_settle(tui);
}

/* From now on its agent may do more. */
static void draw_permissions(struct tui *tui)
{
    struct call *call =
        tui_request(tui, "request_permissions write=/srv/shop/cache network=on", RISK_HIGH);

    call->prompt->may_sandbox = call->prompt->may_approve_for_session = false;
    call->widens = true;
    call->agent_tool = xstrdup("request_permissions");
    call->agent_fields = true;
    fake_core_raise(tui->core, call, RISK_HIGH);
    tui_wait_guard(tui);
}

static void ask_with_offers(struct tui *tui)
{
    struct call *call = tui_request(tui, "edit_file src/basket.c", RISK_MEDIUM);

    call->prompt->may_sandbox = false;
    call->agent_tool = xstrdup("edit_file");
    call->offers[0] = (struct call_offer){.name = xstrdup("Yes, and don't ask again this session"),
                                          .kind = OFFER_ALLOW_ALWAYS};
    call->offers[1] =
        (struct call_offer){.name = xstrdup("Yes, in another worktree"), .kind = OFFER_UNKNOWN};
    call->offers[2] = (struct call_offer){.name = xstrdup("Never"), .kind = OFFER_REJECT_ALWAYS};
    call->offer_count = 3;
    fake_core_raise(tui->core, call, RISK_MEDIUM);
    tui_wait_guard(tui);
}

static void draw_offered(struct tui *tui)
{
    ask_with_offers(tui);
}

static void draw_offers(struct tui *tui)
{
    ask_with_offers(tui);
    tui_keys(tui, "o");
    tui_wait_guard(tui);
    tui_keys(tui, "j");
}

/* What goes to a program that runs. */
static void draw_input(struct tui *tui)
{
    struct call *call = tui_request(tui, "'y\n'", RISK_MEDIUM);

    call->prompt->may_sandbox = false;
    call->input_for = 2;
    fake_core_raise(tui->core, call, RISK_MEDIUM);
    tui_wait_guard(tui);
}

/* The operator's own. */
static void draw_own(struct tui *tui)
{
    struct session *agent = tui->agent;

    tui->agent = tui->own;
    tui_request(tui, "rm -r build", RISK_HIGH);
    tui->agent = agent;
    tui_wait_guard(tui);
}

static void draw_edited(struct tui *tui)
{
    draw_low(tui);
    tui_keys(tui, "e");
    tui_lines(tui, " --json\r");
    tui_wait_guard(tui);
}

static void draw_model(struct tui *tui)
{
    static const struct opinion opinion = {
        .status = OPINION_SUCCESS,
        .level = RISK_HIGH,
        .description = "Sends what the package registry answers on to a shell.",
        .latency_ms = 800};

    draw_low(tui);
    fake_core_opinion(tui->core, orchestrator_waiting_at(tui->core, 0), &opinion);
    tui_wait_change(tui);
}

STATE(nothing)
STATE(guarded)
STATE(low)
STATE(prefix)
STATE(wider)
STATE(refused)
STATE(others)
STATE(host)
STATE(lookalike)
STATE(local_address)
STATE(high)
STATE(armed)
STATE(marks)
STATE(long)
STATE(long_refused)
STATE(long_end)
STATE(retry)
STATE(retry_path)
STATE(retry_narrow)
STATE(crowded)
STATE(torn)
STATE(changed)
STATE(scripts)
STATE(scripts_full)
STATE(message)
STATE(full)
STATE(help)
STATE(aside)
STATE(banner)
STATE(denied)
STATE(editing)
STATE(leased)
STATE(question)
STATE(answering)
STATE(password)
STATE(patch)
STATE(patch_full)
STATE(patch_done)
STATE(permissions)
STATE(offered)
STATE(offers)
STATE(input)
STATE(own)
STATE(edited)
STATE(model)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_nothing),       cmocka_unit_test(shows_guarded),
        cmocka_unit_test(shows_low),           cmocka_unit_test(shows_prefix),
        cmocka_unit_test(shows_wider),         cmocka_unit_test(shows_refused),
        cmocka_unit_test(shows_others),        cmocka_unit_test(shows_high),
        cmocka_unit_test(shows_armed),         cmocka_unit_test(shows_marks),
        cmocka_unit_test(shows_long),          cmocka_unit_test(shows_long_refused),
        cmocka_unit_test(shows_long_end),      cmocka_unit_test(shows_retry),
        cmocka_unit_test(shows_retry_path),    cmocka_unit_test(shows_retry_narrow),
        cmocka_unit_test(shows_message),       cmocka_unit_test(shows_full),
        cmocka_unit_test(shows_help),          cmocka_unit_test(shows_aside),
        cmocka_unit_test(shows_banner),        cmocka_unit_test(shows_denied),
        cmocka_unit_test(shows_host),          cmocka_unit_test(shows_lookalike),
        cmocka_unit_test(shows_local_address), cmocka_unit_test(shows_changed),
        cmocka_unit_test(shows_crowded),       cmocka_unit_test(shows_editing),
        cmocka_unit_test(shows_torn),          cmocka_unit_test(shows_leased),
        cmocka_unit_test(shows_question),      cmocka_unit_test(shows_answering),
        cmocka_unit_test(shows_password),      cmocka_unit_test(shows_patch),
        cmocka_unit_test(shows_patch_full),    cmocka_unit_test(shows_patch_done),
        cmocka_unit_test(shows_permissions),   cmocka_unit_test(shows_offered),
        cmocka_unit_test(shows_offers),        cmocka_unit_test(shows_input),
        cmocka_unit_test(shows_own),           cmocka_unit_test(shows_edited),
        cmocka_unit_test(shows_model),         cmocka_unit_test(shows_scripts),
        cmocka_unit_test(shows_scripts_full),
    };

    return cmocka_run_group_tests_name("approval screens", tests, NULL, NULL);
}
