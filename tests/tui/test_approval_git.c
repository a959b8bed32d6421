/* SPDX-License-Identifier: MIT */
/* A push that is asked about, and what git says of its commits; and how to see what else git takes
 * away. */
#include "config.h"

#include "tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"

static struct call *ask(struct tui *tui, bool forced)
{
    struct call *call = fake_core_call(tui->core, tui->agent, "git push");

    call->pushes.there = xstrdup("refs/remotes/origin/main");
    call->pushes.sent = xstrdup("refs/remotes/origin/main..it's");
    if (forced)
        call->pushes.lost = xstrdup("it's..refs/remotes/origin/main");
    fake_core_ask(tui->core, call, &(struct prompt){.may_approve_for_session = true});
    tui_wait_guard(tui);
    return call;
}

static void see(struct tui *tui, struct call *call, enum git_look_state look, const char *sent,
                const char *lost)
{
    struct push_seen seen = {.look = look};

    seen.sent = sent != NULL ? xstrdup(sent) : NULL;
    seen.lost = lost != NULL ? xstrdup(lost) : NULL;
    fake_core_see_push(tui->core, call, &seen);
    tui_settle(tui);
}

/* Where git is not run, it is the operator's to run. */
static void how_they_are_seen_is_told(void **state)
{
    struct tui *tui = *state;

    tui_resize(tui, 50, 200);
    ask(tui, true);
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "Its commits"));
    assert_true(tui_shows(
        tui, "lost there: git --no-pager log --oneline 'it'\\''s..refs/remotes/origin/main'"));
    assert_true(
        tui_shows(tui, "sent: git --no-pager log --oneline 'refs/remotes/origin/main..it'\\''s'"));
}

static void what_is_lost_stands_on_the_request(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, true);

    assert_true(tui_shows(tui, "not known here"));
    see(tui, call, GIT_LOOKING, NULL, NULL);
    assert_true(tui_shows(tui, "git is being asked"));
    see(tui, call, GIT_SEEN, "5d6e7f8 Ours\n", "1a2b3c4 Theirs\n9a8b7c6 More\n");
    assert_true(tui_shows(tui, "2 commits as last fetched: 1a2b3c4 Theirs; 9a8b7c6 More"));
    assert_true(tui_shows(tui, "1 commit: 5d6e7f8 Ours"));
    tui_resize(tui, 50, 200);
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "2 commits as last fetched; other"));
    assert_true(tui_shows(tui, "9a8b7c6 More"));
    assert_true(tui_shows(tui, "1 commit; other"));
    assert_true(tui_shows(tui, "5d6e7f8 Ours"));
    assert_false(tui_shows(tui, "git --no-pager log --oneline"));
}

/* As long as it is shown: what git has said may be no longer so. */
static void git_is_asked_again_while_it_is_read(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, false);

    size_t before = fake_core_come_to(tui->core);
    tui_advance(tui, 2100);
    assert_true(fake_core_come_to(tui->core) > before); /* among many it was left out */
    see(tui, call, GIT_LOOKING, NULL, NULL);
    before = fake_core_come_to(tui->core);
    tui_advance(tui, 5000);
    assert_int_equal(fake_core_come_to(tui->core), before); /* it is being asked */
    see(tui, call, GIT_SEEN, "5d6e7f8 Ours\n", NULL);
    before = fake_core_come_to(tui->core);
    for (int i = 0; i < 3; i++)
        tui_advance(tui, 2100);
    assert_true(fake_core_come_to(tui->core) >= before + 3);
    call->prompt->sandbox = ATTEMPT_UNSANDBOXED;
    call->assessment.level = RISK_HIGH;
    call->prompt->revision++;
    tui_settle(tui);
    tui_wait_change(tui);
    before = fake_core_come_to(tui->core);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "Enter confirms"));
    assert_int_equal(fake_core_come_to(tui->core), before + 1);
    tui_keys(tui, "\x1b");
    tui_keys(tui, "\x1b");
    before = fake_core_come_to(tui->core);
    tui_advance(tui, 5000);
    assert_int_equal(fake_core_come_to(tui->core), before);
}

/* Whoever was told of a change has it to read: what allows counts later than what denies. */
static void a_change_that_was_told_is_read_before_it_is_allowed(void **state)
{
    struct tui *tui = *state;
    static const char keys[] = "yd";

    for (size_t i = 0; keys[i] != '\0'; i++) {
        struct call *call = ask(tui, false);
        const char key[] = {keys[i], '\0'};

        see(tui, call, GIT_SEEN, "5d6e7f8 Ours\n", NULL);
        tui_wait_guard(tui);
        call->prompt->revision++;
        see(tui, call, GIT_SEEN, "9a8b7c6 More\n5d6e7f8 Ours\n", NULL);
        assert_true(tui_shows(tui, "Just changed: Sends. Look again."));
        tui_wait_guard(tui);
        tui_keys(tui, key);
        if (keys[i] == 'y') {
            assert_true(tui_shows(tui, "That key came too soon"));
            tui_advance(tui, 2000);
            assert_int_equal(fake_core_decisions(tui->core), i);
            tui_keys(tui, key);
        }
        tui_advance(tui, 2000);
        assert_int_equal(fake_core_decisions(tui->core), i + 1);
        tui_advance(tui, 7000);
    }
}

/* The branch that it is to track is there only afterwards. */
static void what_a_push_does_not_set_is_set_afterwards(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "git push -u origin feature-x");

    call->pushes.upstream = xstrdup("origin/feature-x");
    fake_core_ask(tui->core, call, &(struct prompt){.may_approve_for_session = true});
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, " not set in sandbox: git branch -u origin/feature-x afterwards "));
}

/* The attack: what is sent changes just before the key. */
static void an_answer_waits_for_what_git_says_now(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, false);

    see(tui, call, GIT_SEEN, "5d6e7f8 Ours\n", NULL);
    fake_core_slow_git(tui->core);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "git is being asked"));
    assert_int_equal(fake_core_decisions(tui->core), 0);
    call->prompt->revision++;
    see(tui, call, GIT_SEEN, "9a8b7c6 More\n5d6e7f8 Ours\n", NULL);
    tui_advance(tui, 2000);
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "Just changed: Sends. Look again."));
    tui_keys(tui, "y");
    tui_keys(tui, "v"); /* another key takes it back */
    tui_keys(tui, "\x1b");
    tui_advance(tui, 2000);
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_keys(tui, "y");
    tui_keys(tui, "y");
    tui_keys(tui, "\r"); /* it is on its way */
    tui_advance(tui, 500);
    call->looks = ++call->looks_begun; /* the same */
    tui_advance(tui, 100);
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_APPROVED);
}

/* The attack: git fails for a moment, and what is lost stands on the request no longer. */
static void git_that_could_not_tell_is_asked_again(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, false);
    struct push_seen seen = {.look = GIT_UNSEEN, .why = xstrdup("fatal: bad object")};

    fake_core_see_push(tui->core, call, &seen);
    tui_settle(tui);
    size_t before = fake_core_come_to(tui->core);
    tui_advance(tui, 2100);
    assert_true(fake_core_come_to(tui->core) > before);
    fake_core_slow_git(tui->core);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_keys(tui, "v");
    tui_keys(tui, "\x1b");
    seen = (struct push_seen){.look = GIT_UNSEEN, .why = xstrdup("")}; /* there is no sandbox */
    fake_core_see_push(tui->core, call, &seen);
    tui_settle(tui);
    tui_wait_guard(tui);
    tui_keys(tui, "y");
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_APPROVED);
}

/* The attack: what git is about to say when the key comes is older than the key. */
static void what_git_was_asked_before_the_key_is_too_old(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, false);

    see(tui, call, GIT_SEEN, "5d6e7f8 Ours\n", NULL);
    fake_core_slow_git(tui->core);
    tui_wait_guard(tui);
    call->looks_begun++;
    tui_keys(tui, "y");
    call->looks = call->looks_begun;
    tui_advance(tui, 100);
    assert_int_equal(fake_core_decisions(tui->core), 0);
    call->looks = ++call->looks_begun;
    tui_advance(tui, 100);
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_APPROVED);
}

/* The attack: another request comes while git is asked, which that answer would allow, too. */
static void what_comes_while_git_is_asked_is_not_allowed_unseen(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, false);
    static const uint64_t other = 9;

    call->prompt->may_approve_for_session = true;
    call->prompt->revision++;
    see(tui, call, GIT_SEEN, "5d6e7f8 Ours\n", NULL);
    fake_core_slow_git(tui->core);
    tui_wait_change(tui);
    tui_keys(tui, "a");
    if (!tui_shows(tui, "git is being asked"))
        tui_keys(tui, "\r");
    assert_true(tui_shows(tui, "git is being asked"));
    fake_core_release(tui->core, &other, 1);
    call->looks = ++call->looks_begun;
    tui_advance(tui, 100);
    assert_int_equal(fake_core_decisions(tui->core), 0);
    assert_true(tui_shows(tui, "The other requests that this would allow have just changed"));
    tui_advance(tui, 3000);
    assert_int_equal(fake_core_decisions(tui->core), 0);
}

/* … but not for ever: then it is for the operator to say so again. A denial does not wait. */
static void an_answer_does_not_wait_long_for_git(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, false);

    call->prompt->may_approve_for_session = true;
    call->prompt->revision++;
    fake_core_slow_git(tui->core);
    see(tui, call, GIT_SEEN, "5d6e7f8 Ours\n", NULL);
    tui_wait_change(tui);
    tui_keys(tui, "y");
    tui_advance(tui, 900);
    assert_int_equal(fake_core_decisions(tui->core), 0);
    tui_advance(tui, 1100);
    assert_int_equal(fake_core_decisions(tui->core), 0); /* an agent can make git slow */
    assert_true(
        tui_shows(tui, "git takes long: what it said may be old. y now allows all the same."));
    tui_keys(tui, "a"); /* whoever was told that may choose another yes */
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_APPROVED_FOR_SESSION);
    see(tui, ask(tui, false), GIT_SEEN, "5d6e7f8 Ours\n", NULL);
    tui_wait_guard(tui);
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decision(tui->core, 1)->kind, REVIEW_DENIED);
}

static void what_is_sent_stands_on_the_request(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, false);

    see(tui, call, GIT_SEEN, "5d6e7f8 Ours\n", NULL);
    assert_true(tui_shows(tui, "Sends"));
    assert_true(tui_shows(tui, "1 commit: 5d6e7f8 Ours"));
    assert_false(tui_shows(tui, "Lost there"));
}

/* What is sent to a branch that is there can stand on another one there, as what is lost can. */
static void what_is_sent_may_be_there_on_another_branch(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, false);
    struct push_seen fresh = {.look = GIT_SEEN, .fresh = true, .sent = xstrdup("5d6e7f8 Ours\n")};

    tui_resize(tui, 50, 100);
    see(tui, call, GIT_SEEN, "5d6e7f8 Ours\n", NULL);
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "1 commit; other branches there may have some of these, too:"));
    fake_core_see_push(tui->core, call, &fresh);
    tui_keys(tui, "qv");
    assert_true(tui_shows(tui, "1 commit as last fetched:"));
    assert_false(tui_shows(tui, "other branches there"));
}

static void a_tag_is_called_one(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, false);
    struct push_seen fresh = {.look = GIT_SEEN, .fresh = true, .sent = xstrdup("")};

    call->pushes.tag = true;
    fake_core_see_push(tui->core, call, &fresh);
    tui_settle(tui);
    assert_true(tui_shows(tui, "no new commit; it makes that tag there, or moves it"));
}

/* What git says has two rows where there is room, before it says it. */
static void a_large_screen_shows_more_and_nothing_moves(void **state)
{
    struct tui *tui = *state;
    struct call *call;
    int before, after, column;

    tui_resize(tui, 50, 200);
    call = ask(tui, true);
    see(tui, call, GIT_LOOKING, NULL, NULL);
    assert_true(tui_find(tui, "Risk", &before, &column));
    see(tui, call, GIT_SEEN, "5d6e7f8 Ours\n",
        "1a2b3c4 Teach the parser what a quoted word is\n9a8b7c6 Mend the order of the rows\n"
        "4d5e6f7 Show the last of the commits\n");
    assert_true(tui_shows(tui, "4d5e6f7 Show the last of the commits"));
    assert_true(tui_find(tui, "Risk", &after, &column));
    assert_int_equal(after, before);
    see(tui, call, GIT_SEEN, "5d6e7f8 Ours\n", "");
    assert_true(tui_find(tui, "Risk", &after, &column));
    assert_int_equal(after, before);
}

static void that_nothing_is_lost_is_said_with_its_limit(void **state)
{
    struct tui *tui = *state;

    see(tui, ask(tui, true), GIT_SEEN, "5d6e7f8 Ours\n", "");
    assert_true(tui_shows(tui, "no commit, as last fetched"));
}

/* The attack: somebody else has made it since, which nobody has fetched. */
static void a_branch_that_was_never_fetched_may_lose_anything(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, true);
    struct push_seen seen = {.look = GIT_SEEN, .fresh = true, .sent = xstrdup("5d6e7f8 Ours\n")};

    fake_core_see_push(tui->core, call, &seen);
    tui_settle(tui);
    assert_true(tui_shows(tui, "1 commit as last fetched: 5d6e7f8 Ours"));
    assert_true(tui_shows(tui, "not known here: it was never fetched from there"));
    seen = (struct push_seen){.look = GIT_SEEN, .fresh = true, .sent = xstrdup("")}; /* a tag */
    fake_core_see_push(tui->core, call, &seen);
    tui_settle(tui);
    assert_true(tui_shows(tui, "no new commit; it makes that branch there, or moves it"));
}

/* That nothing is known of it does not make it new. */
static void a_remote_that_was_never_fetched_may_lose_anything(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, true);
    struct push_seen seen = {
        .look = GIT_SEEN, .fresh = true, .never = true, .sent = xstrdup("5d6e7f8 Ours\n")};

    fake_core_see_push(tui->core, call, &seen);
    tui_settle(tui);
    assert_true(tui_shows(tui, "not known here: nothing was ever fetched from there"));
    assert_true(tui_shows(tui, "at most 1 commit: 5d6e7f8 Ours"));
    assert_false(tui_shows(tui, "new there"));
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "not known here: nothing was ever fetched from there"));
}

/* That none is lost could mean that none is there. */
static void what_is_deleted_and_stays_here_is_said(void **state)
{
    struct tui *tui = *state;

    see(tui, ask(tui, true), GIT_SEEN, NULL, "");
    assert_true(tui_shows(tui, "nothing: its commits are on branches here, as last fetched"));
}

static void what_is_deleted_and_was_never_fetched_is_said(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, true);
    struct push_seen seen = {.look = GIT_UNSEEN, .fresh = true};

    fake_core_see_push(tui->core, call, &seen);
    tui_settle(tui);
    assert_true(tui_shows(tui, "not known here: it was never fetched from there"));
}

/* No row would read as if nothing were. */
static void that_it_is_not_known_what_is_lost_is_said(void **state)
{
    static const char *const lines[] = {"git push --mirror", "git push -f --all",
                                        "git commit --amend -m x && git push -f"};
    struct tui *tui = *state;

    for (size_t i = 0; i < COUNT(lines); i++) {
        struct call *call = fake_core_call(tui->core, tui->agent, lines[i]);

        assessment_of_line(lines[i], strlen(lines[i]), "/home/ann/shop", NULL, &call->assessment);
        call->pushes.unknown = i == 0 ? NULL : "it writes more than one branch";
        fake_core_ask(tui->core, call, &(struct prompt){.may_approve_for_session = true});
        tui_wait_guard(tui);
        assert_true(tui_shows(tui, "Lost there"));
        assert_true(tui_shows(tui, "not known here"));
        assert_true(tui_shows(tui, "not known here: it writes more") == (i > 0));
        tui_keys(tui, "d");
    }
}

/* … nor what is sent, where nothing is lost. */
static void that_it_is_not_known_what_is_sent_is_said(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "git push origin a b");

    call->pushes.unknown = "it writes more than one branch";
    fake_core_ask(tui->core, call, &(struct prompt){.may_approve_for_session = true});
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "not known here: it writes more than one branch"));
    assert_false(tui_shows(tui, "Lost there"));
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "not known here: it writes more than one branch"));
}

static void that_there_are_more_is_said(void **state)
{
    struct tui *tui = *state;
    cleanup_strbuf struct strbuf lines = STRBUF_INIT;

    for (int i = 0; i <= GIT_SEEN_LINES; i++)
        strbuf_addf(&lines, "%07x Work\n", (unsigned)i);
    see(tui, ask(tui, true), GIT_SEEN, "", strbuf_str(&lines));
    assert_true(tui_shows(tui, "more than 100 commits as last fetched: 0000000 Work"));
}

static void why_they_are_not_known_is_said(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, true);
    struct push_seen seen = {.look = GIT_UNSEEN, .why = xstrdup("fatal: bad revision")};

    fake_core_see_push(tui->core, call, &seen);
    tui_settle(tui);
    assert_true(tui_shows(tui, "not known here; git says: fatal: bad revision"));
    seen = (struct push_seen){.look = GIT_UNSEEN, .why = xstrdup("")};
    fake_core_see_push(tui->core, call, &seen);
    tui_settle(tui);
    assert_true(tui_shows(tui, "not known here"));
    assert_false(tui_shows(tui, "git says"));
    see(tui, call, GIT_UNSEEN, NULL, NULL);
    assert_true(tui_shows(tui, "not known here: git took too long"));
    tui_resize(tui, 50, 200);
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "lost there: git --no-pager log --oneline"));
}

/* Words of others have their bar, and draw nothing. */
static void words_of_a_commit_draw_nothing(void **state)
{
    struct tui *tui = *state;

    see(tui, ask(tui, false), GIT_SEEN, "5d6e7f8 \x1b[2J\xe2\x80\xaeRisk low\n", NULL);
    assert_true(tui_shows(tui, "\xe2\x94\x83 1 commit: 5d6e7f8 "));
    assert_true(tui_shows(tui, "May it run"));
    assert_false(tui_shows(tui, "\xe2\x80\xae"));
}

/* The keys stay where they are, and what was pressed counts: the same is asked. */
static void that_it_comes_in_holds_nobody_up(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask(tui, false);

    see(tui, call, GIT_LOOKING, NULL, NULL);
    int row, column, later;
    assert_true(tui_find(tui, "deny just this", &row, &column));
    see(tui, call, GIT_SEEN, "5d6e7f8 Ours\n", NULL);
    assert_true(tui_find(tui, "deny just this", &later, &column));
    assert_int_equal(later, row);
    tui_keys(tui, "d");
    assert_int_equal(fake_core_decision(tui->core, 0)->kind, REVIEW_DENIED);
}

static struct call *ask_to_lose(struct tui *tui, const char *line)
{
    struct call *call = fake_core_call(tui->core, tui->agent, line);

    tui_resize(tui, 50, 100);
    git_losses_find((const char *const *)call->spec->argv, call->spec->cwd, &call->losses);
    fake_core_ask(tui->core, call, &(struct prompt){.may_approve_for_session = true});
    tui_wait_guard(tui);
    return call;
}

static void see_losses(struct tui *tui, struct call *call, struct git_losses told)
{
    fake_core_see_losses(tui->core, call, &told);
    tui_settle(tui);
}

static void how_to_see_what_git_takes_is_told(void **state)
{
    struct tui *tui = *state;

    ask_to_lose(tui, "git reset --hard");
    assert_true(tui_shows(tui, "See first"));
    assert_true(tui_shows(tui, "git status --short; git --no-pager diff HEAD"));
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "put this aside and run, in its directory:"));
    assert_true(tui_shows(tui, "git --no-pager diff HEAD "));
}

static void what_git_would_take_stands_on_the_request(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_to_lose(tui, "git reset --hard && git clean -fd");

    see_losses(tui, call, (struct git_losses){.look = GIT_LOOKING});
    assert_true(tui_shows(tui, "Would take  \u2503 git is being asked"));
    struct git_losses told = {.look = GIT_SEEN};
    told.list[0].seen = xstrdup("m.c\nx\x1b[2J\n");
    told.list[1].seen = xstrdup("n.c\n");
    told.list[5].seen = xstrdup("build/\n");
    see_losses(tui, call, told);
    assert_true(tui_shows(tui, "Would take  \u2503 changes in 2 files: m.c; x"));
    assert_true(tui_shows(tui, "perhaps in 1 file that git does not look "));
    assert_true(tui_shows(tui, " \u00b7 1 file or directory: build/"));
    assert_false(tui_shows(tui, "See first"));
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "1 file or directory:"));
    assert_true(tui_shows(tui, "git clean -n -fd"));
}

static void that_git_would_take_nothing_is_said(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_to_lose(tui, "git clean -f");
    struct git_losses told = {.look = GIT_SEEN};

    told.list[0].seen = xstrdup("");
    see_losses(tui, call, told);
    assert_true(tui_shows(tui, "Would take  \u2503 nothing, when git was asked"));
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "nothing, when git was asked"));
}

static void that_a_branch_takes_no_commit_is_said(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_to_lose(tui, "git branch -D topic");
    struct git_losses told = {.look = GIT_SEEN};

    told.list[0].seen = xstrdup("");
    see_losses(tui, call, told);
    assert_true(tui_shows(tui, "Would take  \u2503 no commit that is only there"));
}

/* No row would read as if nothing were lost. */
static void that_it_is_not_known_among_others_is_said(void **state)
{
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, "make && git clean -fdx");
    const char *words[] = {"bash", "-c", "make && git clean -fdx", NULL};

    tui_resize(tui, 50, 100);
    git_losses_find(words, call->spec->cwd, &call->losses);
    fake_core_ask(tui->core, call, &(struct prompt){.may_approve_for_session = true});
    tui_wait_guard(tui);
    assert_true(tui_shows(tui, "not known here for git clean: make runs before and can change it"));
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "Would take"));
}

static void many_that_git_would_take_are_counted(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_to_lose(tui, "git clean -f");
    struct git_losses told = {.look = GIT_SEEN};
    struct strbuf lines = STRBUF_INIT;

    for (int i = 0; i <= GIT_SEEN_LINES; i++)
        strbuf_addf(&lines, "f%d\n", i);
    told.list[0].seen = strbuf_steal(&lines);
    see_losses(tui, call, told);
    assert_true(tui_shows(tui, "more than 100 files or directories: f0; f1"));
}

static void why_git_does_not_say_what_it_would_take_is_said(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_to_lose(tui, "git stash drop");

    see_losses(tui, call, (struct git_losses){.look = GIT_UNSEEN, .why = xstrdup("No stash.")});
    assert_true(tui_shows(tui, "Would take  \u2503 not known here; git says: No stash."));
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "git --no-pager stash show --include-untracked -p"));
    tui_keys(tui, "q");
    see_losses(tui, call, (struct git_losses){.look = GIT_UNSEEN});
    assert_true(tui_shows(tui, "not known here: git took too long"));
    see_losses(tui, call, (struct git_losses){.look = GIT_UNSEEN, .why = xstrdup("")});
    assert_true(tui_shows(tui, "See first "));
    assert_true(tui_shows(tui, " git --no-pager stash show --include-untracked -p"));
    see_losses(tui, call, (struct git_losses){.look = GIT_UNSEEN, .rules = true});
    assert_true(tui_shows(tui, "not known here: what git ignores is changed before that"));
    see_losses(tui, call, (struct git_losses){.look = GIT_UNSEEN, .commit = true});
    assert_true(tui_shows(tui, "not known here: that is the name of a branch or a commit, too"));
}

/* … in a repository, on a screen of the usual size. */
static struct call *ask_to_remove(struct tui *tui, const char *line)
{
    struct call *call = fake_core_call(tui->core, tui->agent, line);
    char root[] = "/tmp/assent-XXXXXX";
    assert_non_null(mkdtemp(root));
    cleanup_free char *books = xasprintf("%s/.git", root);

    tui_resize(tui, 24, 80);
    assert_int_equal(symlink("books", books), 0);
    git_losses_find((const char *const[]){"bash", "-c", line, NULL}, root, &call->losses);
    assert_int_equal(unlink(books), 0);
    assert_int_equal(rmdir(root), 0);
    assessment_of_line(line, strlen(line), "/home/ann/shop", NULL, &call->assessment);
    fake_core_ask(tui->core, call, &(struct prompt){.may_approve_for_session = true});
    tui_wait_guard(tui);
    return call;
}

/* What is gone for good comes first. */
static void what_rm_would_take_stands_on_the_request(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_to_remove(tui, "rm -rf build docs");
    struct git_losses told = {.look = GIT_SEEN};

    assert_true(
        tui_shows(tui, "See first  \u2503 git status --short --ignored -- build docs; ls "));
    told.list[1].seen = xstrdup("build/\ndocs/x\x1b[2J\n");
    told.list[4].seen = xstrdup("docs/a.md\ndocs/b.md\n");
    see_losses(tui, call, told);
    assert_true(tui_shows(tui, "Would take  \u2503 2 not in git: build/; "));
    assert_false(tui_shows(tui, "at least"));
    tui_keys(tui, "v");
    tui_resize(tui, 60, 80);
    assert_true(tui_shows(tui, "2 files that git can bring back:"));
    assert_true(tui_shows(tui, "docs/b.md"));
    assert_true(tui_shows(tui, "git status --short --ignored -- build docs"));
    assert_true(tui_shows(tui, "ls -la -- build docs"));
}

static void how_much_would_be_lost_is_told(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_to_remove(tui, "rm -rf build docs");

    for (int more = 0; more < 2; more++) {
        struct git_losses told = {.look = GIT_SEEN};

        call->prompt->revision += more ? 1 : 0;
        told.list[0].seen = xstrdup("docs/a.md\ndocs/b.png\n");
        told.list[0].sizes = xstrdup(more ? "51\t1\t@7.1\n\t@7.2\n" : "1\t0\t@6.1\n\t@6.2\n");
        told.list[1].seen = xstrdup("build/\nnode/\nnew\nnil\nout/\n");
        told.list[1].sizes = xstrdup("3\t73000\n+\n9999\t@5.1\n0\t@5.1\n0\t0\n");
        told.list[4].seen = xstrdup("docs/a.md\ndocs/c.md\n");
        see_losses(tui, call, told);
        assert_true(tui_shows(tui, more ? "changes in 2 files: docs/a.md +51 -1; docs/b.png"
                                        : "changes in 2 files: docs/a.md +1; docs/b.png"));
    }
    assert_true(tui_shows(tui, "Just changed: Would take. Look again."));
    tui_keys(tui, "v");
    tui_resize(tui, 60, 80);
    assert_true(tui_shows(tui, "5 not in git:"));
    assert_true(tui_shows(tui, "build/ (3 files, 73 kB)"));
    assert_true(tui_shows(tui, "node/ (many files)"));
    assert_true(tui_shows(tui, "new (9999 bytes)"));
    assert_true(tui_shows(tui, "nil (empty)"));
    assert_true(tui_shows(tui, "out/ (empty)"));
    assert_true(tui_shows(tui, "1 file that git can bring back:"));
    assert_true(tui_shows(tui, "docs/c.md"));
}

/* Of several nobody knows which. */
static void what_is_edited_meanwhile_is_named(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_to_remove(tui, "rm -rf build docs");

    for (int edit = 0; edit < 3; edit++) {
        struct git_losses told = {.look = GIT_SEEN};

        told.list[1].seen = xstrdup("build/\nne\x1b[2Jw\n");
        told.list[1].sizes = xasprintf("3\t73000\t@%d.1\n99\t@%d.1\n", edit / 2, edit);
        see_losses(tui, call, told);
        assert_true(tui_shows(tui, edit == 0   ? "2 not in git: build/ (3 files, 73 kB); ne"
                                   : edit == 1 ? "edited meanwhile: ne"
                                               : "some of these edited meanwhile; 2 not in git: "));
        assert_true(tui_shows(tui, "edited meanwhile: ") == (edit == 1));
    }
}

/* On a full screen, too: who asks has one row then, and nothing moves when it comes in. */
static void what_would_be_lost_has_two_rows(void **state)
{
    static const char line[] = "rm -rf build docs /home/x/stuff";
    struct tui *tui = *state;
    struct call *call = fake_core_call(tui->core, tui->agent, line);
    struct git_losses told = {.look = GIT_SEEN};
    int before, row, column;

    tui_resize(tui, 24, 80);
    call->losses.count = 1;
    call->losses.list[0].kind = GIT_LOSES_CHANGES;
    call->losses.look = GIT_LOOKING;
    assessment_of_line(line, strlen(line), "/home/ann/shop", NULL, &call->assessment);
    fake_core_ask_for(tui->core, call, (struct prompt){.may_approve_for_session = true},
                      "It deletes files outside of the workspace, which the sandbox does not let "
                      "it change, and of which nobody knows whether they can be brought back.",
                      "workspace-write (network asks for each host); y runs it in the sandbox, "
                      "which stops changes outside the workspace; if it fails of that, you are "
                      "asked again");
    tui_wait_guard(tui);
    assert_true(tui_find(tui, "Risk ", &before, &column));
    told.list[0].seen = xstrdup("one/with/a/long/name.c\ntwo/with/a/long/name.c\n");
    told.list[0].sizes = xstrdup("1\t1\n2\t2\n");
    see_losses(tui, call, told);
    assert_true(tui_shows(tui, "two/with/a/long/name.c +2 -2"));
    assert_true(tui_find(tui, "Risk ", &row, &column));
    assert_int_equal(row, before);
}

/* The Enter of a yes that a change has taken back is no denial, however late it comes. */
static void enter_behind_a_change_is_dropped(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_to_remove(tui, "rm -rf build docs");
    struct git_losses told = {.look = GIT_SEEN};

    call->assessment.level = RISK_HIGH;
    call->prompt->revision++;
    tui_settle(tui);
    tui_wait_change(tui);
    tui_keys(tui, "y");
    assert_true(tui_shows(tui, "Enter confirms"));
    told.list[0].seen = xstrdup("docs/a.md\n");
    call->prompt->revision++;
    see_losses(tui, call, told);
    tui_advance(tui, 9000);
    tui_keys(tui, "\r");
    tui_no_decision(tui);
    assert_true(tui_shows(tui, "Enter was dropped: the answer before it was not taken."));
    tui_advance(tui, 9000);
    tui_keys(tui, "\r");
    assert_int_equal(tui_decision(tui)->kind, REVIEW_DENIED);
}

static void each_kind_that_rm_would_take_is_named(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_to_remove(tui, "rm -rf build docs");

    for (size_t i = 0; i < 5; i++) {
        static const char *const rows[] = {
            "changes in 1 file: x", "1 not in git: x", "1 submodule with what is in it: x",
            "perhaps in 1 file that git does not look at: x", "1 file that git can bring back: x"};
        struct git_losses told = {.look = GIT_SEEN};

        for (size_t j = 0; j < 5; j++)
            told.list[j].seen = xstrdup(i == j ? "x\n" : "");
        see_losses(tui, call, told);
        cleanup_free char *row = xasprintf("Would take  \u2503 %s", rows[i]);
        assert_true(tui_shows(tui, row));
    }
}

/* It could take more than what stands there. */
static void that_the_rest_of_the_line_is_not_looked_at_is_said(void **state)
{
    struct tui *tui = *state;
    struct call *call = ask_to_remove(tui, "rm -rf build && make");

    for (int some = 0; some <= 1; some++) {
        struct git_losses told = {.look = GIT_SEEN};

        for (size_t i = 0; i < 5; i++)
            told.list[i].seen = xstrdup(some && i == 1 ? "build/\n" : "");
        see_losses(tui, call, told);
        assert_true(tui_shows(
            tui,
            some ? "Would take  \u2503 at least 1 not in git: bu"
                 : "Would take  \u2503 nothing at first; the rest of the line is not looked at"));
    }
    tui_keys(tui, "v");
    assert_true(tui_shows(tui, "at least that; the rest of the line is not looked at"));
}

/* What is not counted is told in front of what is. */
static void that_others_are_not_looked_at_is_said(void **state)
{
    static const struct {
        const char *line;
        bool some;
        const char *row;
    } rows[] = {
        {"rm -rf /home/x/stuff build docs", true,
         "not looked at: /home/x/stuff; rest: 1 not in git: "},
        {"rm -rf build /home/x/stuff && make", true,
         "not looked at: /home/x/stuff; rest: at least 1 "},
        {"rm -rf build /home/x/stuff", false, "not looked at: /home/x/stuff; rest: no loss seen "},
        {"rm -rf build /home/x/stuff && make", false,
         "not looked at: /home/x/stuff; rest: no loss seen "},
        {"rm -rf build /home/x/with/a/long/way/to/stuff", false,
         "not looked at: /home/x/\u2026/way/to/stuff; rest: no loss seen"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        tui_tear_down(state);
        tui_set_up(state);
        struct tui *tui = *state;
        struct call *call = ask_to_remove(tui, rows[i].line);
        struct git_losses told = {.look = GIT_SEEN};
        cleanup_free char *row = xasprintf("Would take  \u2503 %s", rows[i].row);

        for (size_t j = 0; j < 5; j++)
            told.list[j].seen = xstrdup(rows[i].some && j == 1 ? "build/\n" : "");
        see_losses(tui, call, told);
        if (!tui_shows(tui, row))
            fail_msg("no row: %s", row);
        tui_keys(tui, "v");
        tui_resize(tui, 60, 80);
        assert_true(tui_shows(tui, "not looked at: /home/x/"));
        assert_true(tui_shows(tui, "build/") == rows[i].some);
        assert_false(tui_shows(tui, "nothing"));
        assert_true(tui_shows(tui, "/stuff; rest:"));
    }
}

static void that_it_is_not_known_what_rm_would_take_is_said(void **state)
{
    struct tui *tui = *state;

    ask_to_remove(tui, "rm -rf .git");
    assert_true(tui_shows(
        tui, "Would take  \u2503 not known here: git does not say what is in its own directory"));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, tui_set_up, tui_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(how_they_are_seen_is_told),
        TEST(what_is_lost_stands_on_the_request),
        TEST(what_is_sent_stands_on_the_request),
        TEST(a_tag_is_called_one),
        TEST(what_is_sent_may_be_there_on_another_branch),
        TEST(a_change_that_was_told_is_read_before_it_is_allowed),
        TEST(what_a_push_does_not_set_is_set_afterwards),
        TEST(an_answer_waits_for_what_git_says_now),
        TEST(git_that_could_not_tell_is_asked_again),
        TEST(what_git_was_asked_before_the_key_is_too_old),
        TEST(what_comes_while_git_is_asked_is_not_allowed_unseen),
        TEST(an_answer_does_not_wait_long_for_git),
        TEST(git_is_asked_again_while_it_is_read),
        TEST(a_large_screen_shows_more_and_nothing_moves),
        TEST(that_nothing_is_lost_is_said_with_its_limit),
        TEST(a_branch_that_was_never_fetched_may_lose_anything),
        TEST(a_remote_that_was_never_fetched_may_lose_anything),
        TEST(what_is_deleted_and_stays_here_is_said),
        TEST(what_is_deleted_and_was_never_fetched_is_said),
        TEST(that_it_is_not_known_what_is_lost_is_said),
        TEST(that_it_is_not_known_what_is_sent_is_said),
        TEST(that_there_are_more_is_said),
        TEST(why_they_are_not_known_is_said),
        TEST(words_of_a_commit_draw_nothing),
        TEST(that_it_comes_in_holds_nobody_up),
        TEST(how_to_see_what_git_takes_is_told),
        TEST(what_git_would_take_stands_on_the_request),
        TEST(that_git_would_take_nothing_is_said),
        TEST(that_a_branch_takes_no_commit_is_said),
        TEST(that_it_is_not_known_among_others_is_said),
        TEST(many_that_git_would_take_are_counted),
        TEST(why_git_does_not_say_what_it_would_take_is_said),
        TEST(what_rm_would_take_stands_on_the_request),
        TEST(how_much_would_be_lost_is_told),
        TEST(what_is_edited_meanwhile_is_named),
        TEST(what_would_be_lost_has_two_rows),
        TEST(enter_behind_a_change_is_dropped),
        TEST(each_kind_that_rm_would_take_is_named),
        TEST(that_the_rest_of_the_line_is_not_looked_at_is_said),
        TEST(that_others_are_not_looked_at_is_said),
        TEST(that_it_is_not_known_what_rm_would_take_is_said),
    };

    return cmocka_run_group_tests_name("approval git", tests, NULL, NULL);
}
