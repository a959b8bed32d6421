/* SPDX-License-Identifier: MIT */
/* What git is asked about a push and about what throws work away, and under what: the orchestrator
 * over a runner that the test holds. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "approval/git_look.h"
#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/text.h"
#include "fake_runner.h"
#include "orchestrator_world.h"

static struct git_look *look;

static void watch(struct world *world)
{
    cleanup_free char *command = xasprintf(
        "cd '%s' && git init -q -b main . && git remote add origin /srv/x.git", world->root);
    assert_int_equal(system(command), 0);
    set_policy(world, world->agent, "untrusted"); /* where all of them are asked */
    look = git_look_new(world->orchestrator);
    orchestrator_add_observer(world->orchestrator, git_look_observer(), look);
}

static int tear_down_watched(void **state)
{
    struct world *world = *state;
    if (look != NULL)
        orchestrator_remove_observer(world->orchestrator, look);
    git_look_free(&look);
    return tear_down(state);
}

static struct call *push(struct world *world, const char *option)
{
    struct call *call = submit(world, SPEC(world, "git", "push", option, "origin", "main"));
    settle(world);
    assert_int_equal(call->state, CALL_ASKING);
    return call;
}

/* Whether there is such a branch is asked first. */
static void answer_there(struct world *world, bool there)
{
    assert_non_null(fake_runs);
    assert_non_null(strstr(strbuf_str(&fake_last()->program),
                           " rev-parse --verify --quiet refs/remotes/origin/"));
    fake_exit(fake_last(), there ? 0 : 1);
    settle(world);
}

/* … and then, where there is none, whether there is any. */
static void answer_remote(struct world *world, bool any)
{
    assert_non_null(fake_runs);
    assert_non_null(strstr(strbuf_str(&fake_last()->program),
                           " for-each-ref --count=1 --format=%(refname) refs/remotes/origin/"));
    fake_print(fake_last(), any ? "refs/remotes/origin/main\n" : "");
    fake_exit(fake_last(), 0);
    settle(world);
}

static void assert_runs(const char *range)
{
    cleanup_free char *end = xasprintf(" %s --", range);
    const char *program;
    assert_non_null(fake_runs);
    program = strbuf_str(&fake_last()->program);
    assert_non_null(strstr(program, "git --no-pager"));
    assert_non_null(strstr(program, " log "));
    assert_non_null(strstr(program, end));
}

/* What the repository has git run can neither write nor reach anything, nor go on for long. */
static void assert_confined(const struct world *world, const struct run *run)
{
    struct sandbox_policy *policy = sandbox_policy_new(SANDBOX_READ_ONLY, world->root);
    cleanup_free char *canonical = sandbox_policy_canonical(policy);
    assert_string_equal(run->policy, canonical);
    assert_int_equal(run->type, SANDBOX_TYPE_LINUX);
    assert_int_equal(run->standard_input, STDIN_NULL);
    assert_true(run->options.timeout_ms > 0);
    assert_string_equal(run->cwd, world->root);
    sandbox_policy_free(&policy);
}

static void git_is_asked_what_is_lost_and_what_is_sent(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "-f");
    assert_int_equal(call->seen.look, GIT_LOOKING);
    assert_confined(world, fake_last());
    answer_there(world, true);
    assert_runs("main..refs/remotes/origin/main");
    assert_confined(world, fake_last());
    fake_print(fake_last(), "1a2b3c4 Theirs\n");
    fake_exit(fake_last(), 0);
    settle(world);
    assert_int_equal(call->seen.look, GIT_LOOKING);
    assert_runs("refs/remotes/origin/main..main");
    assert_confined(world, fake_last());
    fake_exit(fake_last(), 0);
    settle(world);
    assert_int_equal(call->seen.look, GIT_SEEN);
    assert_string_equal(call->seen.lost, "1a2b3c4 Theirs\n");
    assert_string_equal(call->seen.sent, "");
    assert_null(fake_runs);
}

/* A push from another repository is looked at there. */
static void a_push_from_elsewhere_is_looked_at_there(void **state)
{
    struct world *world = *state;
    watch(world);
    cleanup_free char *command =
        xasprintf("cd '%s' && git init -q -b main sub && git -C sub remote add origin /srv/y.git",
                  world->root);
    cleanup_free char *there = xasprintf("-C %s/sub ", world->root);
    assert_int_equal(system(command), 0);
    struct call *call =
        submit(world, SPEC(world, "bash", "-lc", "cd ./sub && git push origin main | tail -3"));
    settle(world);
    assert_int_equal(call->seen.look, GIT_LOOKING);
    for (size_t i = 0; i < 2; i++) {
        assert_non_null(strstr(strbuf_str(&fake_last()->program), there));
        assert_confined(world, fake_last());
        if (i == 0)
            answer_there(world, true);
    }
    assert_runs("refs/remotes/origin/main..main");
    fake_print(fake_last(), "1a2b3c4 Ours\n");
    fake_exit(fake_last(), 0);
    settle(world);
    assert_int_equal(call->seen.look, GIT_SEEN);
    assert_string_equal(call->seen.sent, "1a2b3c4 Ours\n");
}

/* The request is the same: whoever is about to answer it is not held up. */
static void the_request_stays_the_same(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "--atomic");
    answer_there(world, true);
    unsigned revision = call->prompt->revision;
    assert_runs("refs/remotes/origin/main..main");
    fake_print(fake_last(), "1a2b3c4 Ours\n");
    fake_exit(fake_last(), 0);
    settle(world);
    assert_int_equal(call->seen.look, GIT_SEEN);
    assert_string_equal(call->seen.sent, "1a2b3c4 Ours\n");
    assert_null(call->seen.lost);
    assert_int_equal(call->prompt->revision, revision);
}

static void fake_complain(const char *text)
{
    struct run *run = fake_last();
    run->events.output(run->argument, RUN_STDERR, text, strlen(text));
}

static void answer_sent(struct world *world, const char *lines)
{
    answer_there(world, true);
    assert_runs("refs/remotes/origin/main..main");
    fake_print(fake_last(), lines);
    fake_exit(fake_last(), 0);
    settle(world);
}

/* Another command, which perhaps commits. */
static void run_another(struct world *world)
{
    struct call *other = submit(world, SPEC(world, "ls"));
    settle(world);
    assert_int_equal(other->state, CALL_RUNNING);
    exit_with(world, other, 0);
}

/* The attack: what is sent grows while the operator reads what would be sent. */
static void what_is_sent_by_now_is_told(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "--atomic");
    answer_sent(world, "1a2b3c4 Ours\n");
    unsigned revision = call->prompt->revision;
    run_another(world);
    assert_int_equal(call->seen.look, GIT_SEEN); /* no row comes and goes meanwhile */
    assert_string_equal(call->seen.sent, "1a2b3c4 Ours\n");
    answer_sent(world, "1a2b3c4 Ours\n");
    assert_int_equal(call->prompt->revision, revision);
    run_another(world);
    answer_sent(world, "5d6e7f8 More\n1a2b3c4 Ours\n");
    assert_string_equal(call->seen.sent, "5d6e7f8 More\n1a2b3c4 Ours\n");
    assert_int_equal(call->prompt->revision, revision + 1);
    assert_int_equal(orchestrator_decide(world->orchestrator, call->prompt->id, revision,
                                         REVIEW_APPROVED, NULL, NULL),
                     -1);
    assert_null(fake_runs);
}

static void who_comes_to_it_later_is_told_anew(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "--atomic");
    answer_sent(world, "1a2b3c4 Ours\n");
    orchestrator_come_to(world->orchestrator, call->prompt->id, true);
    settle(world);
    answer_there(world, true);
    fake_complain("fatal: bad revision\n");
    fake_exit(fake_last(), 128);
    settle(world);
    assert_int_equal(call->seen.look, GIT_UNSEEN); /* what is known no longer is not shown */
    orchestrator_come_to(world->orchestrator, 999, true);
    assert_null(fake_runs);
}

/* The attack: what git is about to say is of before the commit. */
static void who_comes_while_git_is_asked_has_it_asked_anew(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "--atomic");
    answer_sent(world, "1a2b3c4 Ours\n");
    orchestrator_come_to(world->orchestrator, call->prompt->id, true);
    settle(world);
    answer_there(world, true);
    unsigned begun = call->looks_begun;
    orchestrator_come_to(world->orchestrator, call->prompt->id, true);
    settle(world);
    fake_print(fake_last(), "1a2b3c4 Ours\n");
    fake_exit(fake_last(), 0);
    settle(world);
    assert_int_equal(call->looks, begun);
    answer_sent(world, "5d6e7f8 More\n1a2b3c4 Ours\n");
    assert_int_equal(call->looks, begun + 1);
    assert_string_equal(call->seen.sent, "5d6e7f8 More\n1a2b3c4 Ours\n");
    assert_null(fake_runs);
}

/* A large repository is not read all the time. */
static void a_slow_look_is_not_made_again_at_once(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "--atomic");
    world->clock.now_ms += 1500;
    answer_sent(world, "1a2b3c4 Ours\n");
    orchestrator_come_to(world->orchestrator, call->prompt->id, true);
    settle(world);
    assert_null(fake_runs);
    world->clock.now_ms += 15000;
    settle(world);
    orchestrator_come_to(world->orchestrator, call->prompt->id, true);
    settle(world);
    answer_sent(world, "1a2b3c4 Ours\n");
}

/* … but for the operator, whose answer waits for it, if it can. */
static void a_look_that_an_answer_can_wait_for_is_made_at_once(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "--atomic");
    world->clock.now_ms += 900;
    answer_sent(world, "1a2b3c4 Ours\n");
    submit(world, SPEC(world, "true")); /* unasked */
    settle(world);
    fake_exit(fake_last(), 0);
    settle(world);
    assert_null(fake_runs);
    orchestrator_come_to(world->orchestrator, call->prompt->id, true);
    settle(world);
    answer_there(world, true);
    orchestrator_come_to(world->orchestrator, call->prompt->id, true); /* while git is asked */
    world->clock.now_ms += 900;
    settle(world);
    fake_print(fake_last(), "1a2b3c4 Ours\n");
    fake_exit(fake_last(), 0);
    settle(world);
    answer_sent(world, "5d6e7f8 More\n");
    assert_string_equal(call->seen.sent, "5d6e7f8 More\n");
}

/* Where pushes run unasked, its host is what is asked about. */
static void a_connection_tells_what_it_sends(void **state)
{
    struct world *world = *state;
    struct reach *reach = XNEW(struct reach);
    struct error error = ERROR_INIT;
    watch(world);
    set_policy(world, world->agent, "on-request");
    struct call *command = submit(world, SPEC(world, "git", "push", "origin", "main"));
    settle(world);
    assert_int_equal(command->state, CALL_RUNNING);
    assert_int_equal(fake_starts, 1);
    reach->host = xstrdup("example.org");
    reach->protocol = "https";
    reach->port = 443;
    reach->waiting = 1;
    struct call *asked = orchestrator_ask_reach(world->orchestrator, command, reach, &error);
    assert_non_null(asked);
    settle(world);
    assert_int_equal(fake_starts, 2);
    answer_there(world, true);
    assert_runs("refs/remotes/origin/main..main");
    fake_print(fake_last(), "1a2b3c4 Ours\n");
    fake_exit(fake_last(), 0);
    settle(world);
    assert_string_equal(asked->seen.sent, "1a2b3c4 Ours\n");
}

/* The first push of a branch: what none of the others there has. */
static void a_branch_that_is_not_there_yet_is_told(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "-f");
    answer_there(world, false);
    answer_remote(world, true);
    assert_runs("main --not --remotes=origin");
    fake_print(fake_last(), "1a2b3c4 Ours\n");
    fake_exit(fake_last(), 0);
    settle(world);
    assert_int_equal(call->seen.look, GIT_SEEN);
    assert_true(call->seen.fresh && !call->seen.never);
    assert_null(call->seen.lost);
    assert_string_equal(call->seen.sent, "1a2b3c4 Ours\n");
}

/* What is there may be anything then. */
static void a_remote_that_was_never_fetched_is_not_known(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "-f");
    answer_there(world, false);
    answer_remote(world, false);
    assert_runs("main --not --remotes=origin");
    fake_print(fake_last(), "1a2b3c4 Ours\n");
    fake_exit(fake_last(), 0);
    settle(world);
    assert_int_equal(call->seen.look, GIT_SEEN);
    assert_true(call->seen.never);
    assert_string_equal(call->seen.sent, "1a2b3c4 Ours\n");
}

/* What is on a branch here is not lost. */
static void what_a_deleted_branch_takes_away_is_told(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "-d");
    answer_there(world, true);
    assert_runs("refs/remotes/origin/main --not --branches");
    fake_print(fake_last(), "1a2b3c4 Theirs\n");
    fake_exit(fake_last(), 0);
    settle(world);
    assert_int_equal(call->seen.look, GIT_SEEN);
    assert_null(call->seen.sent);
    assert_string_equal(call->seen.lost, "1a2b3c4 Theirs\n");
    assert_null(fake_runs);
}

static void a_deleted_branch_that_was_never_fetched_is_not_known(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "-d");
    answer_there(world, false);
    assert_int_equal(call->seen.look, GIT_UNSEEN);
    assert_true(call->seen.fresh);
    assert_null(fake_runs);
}

static void what_git_cannot_tell_is_said(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "--atomic");
    answer_there(world, true);
    fake_complain("fatal: bad revision\nmore\n");
    fake_exit(fake_last(), 128);
    settle(world);
    assert_int_equal(call->seen.look, GIT_UNSEEN);
    assert_string_equal(call->seen.why, "fatal: bad revision");
    assert_null(fake_runs);
}

static void git_that_takes_too_long_is_said(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "-f");
    answer_there(world, true);
    fake_end(fake_last(), (struct run_result){.outcome = RUN_SIGNALED, .timed_out = true});
    settle(world);
    assert_int_equal(call->seen.look, GIT_UNSEEN);
    assert_null(call->seen.why);
    assert_null(fake_runs);
}

/* It says so when a name is that of a tag too, and goes on with the tag. */
static void what_git_warns_of_is_not_known(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "--atomic");
    answer_there(world, true);
    fake_print(fake_last(), "1a2b3c4 Ours\n");
    fake_complain("warning: refname 'main' is ambiguous.\n");
    fake_exit(fake_last(), 0);
    settle(world);
    assert_int_equal(call->seen.look, GIT_UNSEEN);
    assert_string_equal(call->seen.why, "warning: refname 'main' is ambiguous.");
}

static void that_git_did_not_run_is_said(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "--atomic");
    answer_there(world, true);
    fake_end(fake_last(),
             (struct run_result){.outcome = RUN_FAILED, .code = 126, .failure = "cannot be run"});
    settle(world);
    assert_int_equal(call->seen.look, GIT_UNSEEN);
    assert_string_equal(call->seen.why, "");
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

/* A commit is one however long its subject is, and whether its line ends. */
static void a_long_subject_hides_no_commit(void **state)
{
    struct world *world = *state;
    char much[3 * 8192 + 1] = "";
    for (size_t i = 0; i < sizeof(much) - 1; i += 3)
        memcpy(much + i, "\xe2\x82\xac", 3);
    watch(world);
    struct call *call = push(world, "--atomic");
    answer_there(world, true);
    for (int i = 0; i < 110; i++) {
        fake_print(fake_last(), "1a2b3c4 ");
        fake_print(fake_last(), much);
        fake_print(fake_last(), i < 109 ? "\n" : "");
    }
    fake_exit(fake_last(), 0);
    settle(world);
    assert_int_equal(call->seen.look, GIT_SEEN);
    assert_int_equal(count_lines(call->seen.sent), 110);
    assert_true(strlen(call->seen.sent) < 64 * 1024);
    assert_non_null(strstr(call->seen.sent, "\xe2\x82\xac\xe2\x80\xa6\n"));
}

static void what_git_prints_is_bounded(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "--atomic");
    answer_there(world, true);
    for (int i = 0; i < 10000; i++)
        fake_print(fake_last(), "1a2b3c4 Ours\n");
    for (int i = 0; i < 100; i++)
        fake_complain("warning: it goes on and on\n");
    fake_exit(fake_last(), 0);
    settle(world);
    assert_string_equal(call->seen.why, "warning: it goes on and on");
    call = push(world, "-v");
    answer_there(world, true);
    for (int i = 0; i < 10000; i++)
        fake_print(fake_last(), "1a2b3c4 Ours\n");
    fake_exit(fake_last(), 0);
    settle(world);
    assert_true(strlen(call->seen.sent) <= 64 * 1024 + 1);
    assert_true(count_lines(call->seen.sent) > GIT_SEEN_LINES);
}

static void bytes_of_no_text_hide_no_commit(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = push(world, "--atomic");
    answer_there(world, true);
    fake_last()->events.output(fake_last()->argument, RUN_STDOUT, "1\0a\n2\n", 6);
    fake_exit(fake_last(), 0);
    settle(world);
    assert_string_equal(call->seen.sent, "1?a\n2\n");
}

/* What git is asked now, and what it says to it. */
static void answer_loss(struct world *world, const char *asked, const char *says)
{
    assert_confined(world, fake_last());
    if (strstr(strbuf_str(&fake_last()->program), asked) == NULL)
        fail_msg("%s", strbuf_str(&fake_last()->program));
    fake_print(fake_last(), says);
    fake_exit(fake_last(), 0);
    settle(world);
}

static void git_is_asked_what_it_would_take(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call =
        submit(world, SPEC(world, "bash", "-lc", "git reset --hard && git clean -f"));
    settle(world);
    assert_int_equal(call->losses.look, GIT_LOOKING);
    answer_loss(world, " diff --numstat ", "m.c\n");
    answer_loss(world, " ls-files -v ", "H a\nh b\nH c");
    answer_loss(world, " ls-files -t -k ", "");
    answer_loss(world, "/.gitignore", "");
    assert_int_equal(call->losses.look, GIT_LOOKING);
    answer_loss(world, "/.gitignore", "H .gitignore\n");
    answer_loss(world, " clean -n -f", "Would remove notes.txt");
    assert_int_equal(call->losses.look, GIT_SEEN);
    assert_string_equal(call->losses.list[0].seen, "m.c\n");
    assert_string_equal(call->losses.list[1].seen, "b\n");
    assert_string_equal(call->losses.list[5].seen, "notes.txt\n");
    assert_null(fake_runs);
}

/* The command goes by what stands for another object; who is told of commits does not. */
static void replacements_count_for_files_alone(void **state)
{
    struct world *world = *state;
    watch(world);
    submit(world, SPEC(world, "git", "reset", "--hard", "x"));
    settle(world);
    static const char *const asked[] = {" diff --numstat ", " ls-files -v ", " ls-files -t -k ",
                                        " --with-tree=x "};
    for (size_t i = 0; i < COUNT(asked); i++) {
        assert_null(strstr(strbuf_str(&fake_last()->program), "--no-replace-objects"));
        answer_loss(world, asked[i], "");
    }
    answer_loss(world, " --no-replace-objects log ", "");
}

/* What comes first and is no loss does not take the room of what is one. */
static void what_stays_hides_nothing(void **state)
{
    struct world *world = *state;
    cleanup_strbuf struct strbuf lines = STRBUF_INIT;
    watch(world);
    struct call *call = submit(world, SPEC(world, "git", "clean", "-fd"));
    settle(world);
    for (int i = 0; i < 1000; i++)
        strbuf_addf(&lines, "Would skip repository %0250d/\n", i);
    strbuf_addstr(&lines, "Would remove notes.txt\n");
    answer_loss(world, " clean -n -fd", strbuf_str(&lines));
    assert_int_equal(call->losses.look, GIT_SEEN);
    assert_string_equal(call->losses.list[0].seen, "notes.txt\n");
}

/* `git clean` would take more than it tells now. */
static void what_is_ignored_until_then_is_not_known(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call =
        submit(world, SPEC(world, "bash", "-lc", "git checkout -- . && git clean -f"));
    settle(world);
    answer_loss(world, " diff --numstat ", ".gitignore\n");
    answer_loss(world, " ls-files -v ", "");
    answer_loss(world, " ls-files -t -k ", "");
    answer_loss(world, "/.gitignore", ".gitignore\n");
    assert_int_equal(call->losses.look, GIT_UNSEEN);
    assert_true(call->losses.rules);
    assert_null(fake_runs);
}

/* A word that git takes for a branch is none of a file that has lost nothing. */
static void a_word_of_a_branch_is_no_file(void **state)
{
    struct world *world = *state;
    watch(world);
    cleanup_free char *make = xasprintf("touch '%s/m.c'", world->root);
    assert_int_equal(system(make), 0);
    struct call *call = submit(world, SPEC(world, "git", "checkout", "m.c"));
    settle(world);
    answer_loss(world, " rev-parse --revs-only m.c", "");
    answer_loss(world, " diff --numstat ", "1\t2\tm.c\n");
    answer_loss(world, " ls-files -v ", "");
    answer_loss(world, " ls-files -t -k ", "");
    assert_int_equal(call->losses.look, GIT_SEEN);
    assert_string_equal(call->losses.list[1].seen, "m.c\n");
    assert_null(fake_runs);
    orchestrator_come_to(world->orchestrator, call->prompt->id, true);
    settle(world);
    answer_loss(world, " rev-parse --revs-only m.c", "1a2b3c4\n");
    assert_int_equal(call->losses.look, GIT_UNSEEN);
    assert_true(call->losses.commit && !call->losses.rules);
    assert_null(fake_runs);
}

/* Not half of it. */
static void what_git_cannot_tell_of_a_loss_is_said(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call =
        submit(world, SPEC(world, "bash", "-lc", "git reset --hard && git clean -f"));
    settle(world);
    fake_print(fake_last(), "m.c\n");
    fake_exit(fake_last(), 0);
    settle(world);
    fake_complain("warning: could not open directory 'x/'\n");
    fake_exit(fake_last(), 0);
    settle(world);
    assert_int_equal(call->losses.look, GIT_UNSEEN);
    assert_string_equal(call->losses.why, "warning: could not open directory 'x/'");
    assert_null(fake_runs);
}

/* One after the other, whichever they are. */
static void a_push_behind_a_loss_is_looked_at_next(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *clean = submit(world, SPEC(world, "git", "clean", "-f"));
    settle(world);
    struct call *call = push(world, "--atomic");
    assert_int_equal(call->seen.look, GIT_LOOKING);
    fake_exit(fake_last(), 0);
    settle(world);
    assert_int_equal(clean->losses.look, GIT_SEEN);
    answer_there(world, true);
    fake_exit(fake_last(), 0);
    settle(world);
    assert_int_equal(call->seen.look, GIT_SEEN);
    assert_null(fake_runs);
}

/* The answer does not wait for it. */
static void what_is_answered_is_not_looked_at_on(void **state)
{
    struct world *world = *state;
    struct error error = ERROR_INIT;
    watch(world);
    struct call *call = submit(world, SPEC(world, "git", "clean", "-f"));
    settle(world);
    assert_int_equal(call->losses.look, GIT_LOOKING);
    assert_int_equal(orchestrator_decide(world->orchestrator, call->prompt->id,
                                         call->prompt->revision, REVIEW_DENIED, NULL, &error),
                     0);
    settle(world);
    assert_null(fake_runs);
    assert_int_equal(call->losses.look, GIT_LOOKING);
}

/* What is put into the workspace could say anything. */
static void a_git_of_the_workspace_is_not_asked(void **state)
{
    struct world *world = *state;
    cleanup_free char *command =
        xasprintf("printf '#!/bin/sh\\n' >'%s/git' && chmod +x '%s/git'", world->root, world->root);
    watch(world);
    assert_int_equal(system(command), 0);
    char **before = world->orchestrator->base_environment;
    cleanup_free char *path = xasprintf("PATH=%s:/usr/bin:/bin", world->root);
    world->orchestrator->base_environment = (char *[]){path, NULL};
    struct call *call = push(world, "-f");
    assert_non_null(call->pushes.sent);
    assert_int_equal(call->seen.look, GIT_NOT_LOOKED);
    assert_int_equal(fake_starts, 0);
    world->orchestrator->base_environment = before;
}

/* What was found out about another command is not told of this one. */
static void an_edited_push_is_looked_at_anew(void **state)
{
    struct world *world = *state;
    struct error error = ERROR_INIT;
    watch(world);
    struct call *call = push(world, "-f");
    assert_int_equal(call->seen.look, GIT_LOOKING);
    assert_int_equal(orchestrator_edit(world->orchestrator, call->prompt->id,
                                       call->prompt->revision, "git push origin topic", &error),
                     0);
    assert_int_equal(call->seen.look, GIT_NOT_LOOKED);
    settle(world);
    assert_string_equal(call->pushes.sent, "refs/remotes/origin/topic..topic");
    assert_null(call->pushes.lost);
    assert_int_equal(fake_starts, 2);
    answer_there(world, true);
    assert_runs("refs/remotes/origin/topic..topic");
    assert_int_equal(orchestrator_edit(world->orchestrator, call->prompt->id,
                                       call->prompt->revision, "touch x", &error),
                     0);
    settle(world);
    assert_null(call->pushes.sent);
    assert_int_equal(call->seen.look, GIT_NOT_LOOKED);
    assert_null(fake_runs);
}

static void an_edited_loss_is_looked_at_anew(void **state)
{
    struct world *world = *state;
    struct error error = ERROR_INIT;
    watch(world);
    struct call *call = submit(world, SPEC(world, "git", "clean", "-f"));
    settle(world);
    assert_int_equal(orchestrator_edit(world->orchestrator, call->prompt->id,
                                       call->prompt->revision, "git clean -fd sub", &error),
                     0);
    assert_int_equal(call->losses.look, GIT_NOT_LOOKED);
    settle(world);
    assert_non_null(strstr(strbuf_str(&fake_last()->program), " clean -n -fd sub"));
    fake_print(fake_last(), "Would remove sub/\n");
    fake_exit(fake_last(), 0);
    settle(world);
    assert_string_equal(call->losses.list[0].seen, "sub/\n");
    assert_null(fake_runs);
}

/* The attack: more is lost than was when it was read, under the same names. */
static void more_behind_the_same_names_is_news(void **state)
{
    struct world *world = *state;
    watch(world);
    cleanup_free char *file = xasprintf("cd '%s' && mkdir sub && echo x >sub/a", world->root);
    cleanup_free char *more = xasprintf("cd '%s' && echo x >sub/b", world->root);
    assert_int_equal(system(file), 0);
    struct call *call =
        submit(world, SPEC(world, "bash", "-lc", "git reset --hard; git clean -fd"));
    settle(world);
    unsigned revision = call->prompt->revision;
    for (int i = 0; i < 3; i++) {
        static const char *const lines[] = {"1\t0\ta.c\n", "51\t0\ta.c\n", "51\t0\ta.c\n"};
        if (i == 2)
            assert_int_equal(system(more), 0);
        answer_loss(world, " diff --numstat ", lines[i]);
        answer_loss(world, " ls-files -v ", "");
        answer_loss(world, " ls-files -t -k ", "");
        answer_loss(world, " diff --numstat ", "");
        answer_loss(world, " ls-files -v ", "");
        answer_loss(world, " clean -n ", "Would remove sub/\n");
        assert_int_equal(call->prompt->revision, revision + (unsigned)i);
        orchestrator_come_to(world->orchestrator, call->prompt->id, true);
        settle(world);
    }
}

static void that_there_is_no_stash_is_no_complaint(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = submit(world, SPEC(world, "bash", "-lc", "git stash drop; git clean -f"));
    settle(world);
    fake_complain("fatal: bad revision 'refs/stash@{0}'\n");
    fake_exit(fake_last(), 128);
    settle(world);
    answer_loss(world, " clean -n ", "Would remove notes.txt\n"); /* which it does all the same */
    assert_int_equal(call->losses.look, GIT_SEEN);
    assert_string_equal(call->losses.list[0].seen, "");
    assert_string_equal(call->losses.list[1].seen, "");
    assert_string_equal(call->losses.list[2].seen, "notes.txt\n");
    assert_null(fake_runs);
}

/* What is written each second would be news for ever, and nobody could allow anything. */
static void what_is_written_all_the_time_is_news_a_few_times(void **state)
{
    struct world *world = *state;
    watch(world);
    cleanup_free char *touch = xasprintf("cd '%s' && touch notes.txt", world->root);
    assert_int_equal(system(touch), 0);
    struct call *call = submit(world, SPEC(world, "git", "clean", "-f"));
    settle(world);
    unsigned revision = call->prompt->revision;
    for (unsigned i = 0; i < 9; i++) {
        answer_loss(world, " clean -n ", "Would remove notes.txt\n");
        assert_int_equal(call->prompt->revision, revision + (i < 5 ? i : 5));
        assert_int_equal(call->losses.edits, i < 5 ? i : 5);
        assert_true(text_same(call->losses.edited, i > 0 ? "notes.txt" : NULL));
        usleep(20000); /* more than the clock of files takes */
        assert_int_equal(system(touch), 0);
        orchestrator_come_to(world->orchestrator, call->prompt->id, true);
        settle(world);
    }
}

/* … and of several that are written none is named. */
static void one_that_is_written_meanwhile_is_named(void **state)
{
    static const char *const deeds[] = {"true", "touch two", "touch two", "touch one"};
    static const char *const named[] = {NULL, "two", "two", NULL};
    struct world *world = *state;
    watch(world);
    cleanup_free char *make = xasprintf("cd '%s' && touch one two", world->root);
    assert_int_equal(system(make), 0);
    struct call *call = submit(world, SPEC(world, "git", "clean", "-f"));
    settle(world);
    for (size_t i = 0; i < COUNT(deeds); i++) {
        cleanup_free char *deed = xasprintf("cd '%s' && %s", world->root, deeds[i]);
        usleep(20000); /* more than the clock of files takes */
        assert_int_equal(system(deed), 0);
        orchestrator_come_to(world->orchestrator, call->prompt->id, true);
        settle(world);
        answer_loss(world, " clean -n ", "Would remove one\nWould remove two\n");
        assert_true(text_same(call->losses.edited, named[i]));
        assert_int_equal(call->losses.edits, i);
    }
}

/* Nothing that is said looks like nothing that is lost. */
static void that_a_deletion_is_not_looked_at_is_said(void **state)
{
    static const char such[] = "what this line takes is not looked at";
    static const struct {
        const char *line, *unknown, *unasked, *changes, *taker;
    } rows[] = {
        {"find docs -delete", such, "find", NULL, NULL},
        {"for f in docs/*; do rm -rf $f; done", such, NULL, NULL, NULL},
        {"X=1 rm -rf docs", such, NULL, NULL, NULL},
        {"truncate -s 0 README", such, "truncate", NULL, NULL},
        {"shred -u README", such, "shred", NULL, NULL},
        {"make && /usr/bin/shred -u README", such, "shred", NULL, NULL},
        {"git update-ref -d refs/heads/wip", such, "git update-ref", NULL, NULL},
        {"rm -rf ~/stuff", "only files below the working directory are looked at", NULL, NULL,
         NULL},
        {"echo *; shred -u README", such, NULL, NULL, NULL},
        {"shred -u *", such, NULL, NULL, NULL},
        {"rm *", "a name that fits the pattern could be an option, unless it begins with ./", NULL,
         NULL, NULL},
        {"git rm -f --ignore-unmatch README", such, "git rm", NULL, NULL},
        {"x=1; sleep 5 | rm -f README", "what a command in a pipe takes is not looked at", NULL,
         NULL, NULL},
        {"x=1; sleep 5 | rm -f README; shred -u $x", such, NULL, NULL, NULL},
        {"find docs -delete; rm -r docs", "other commands of the line can change that before", NULL,
         "find", "rm"},
        {"make && git clean -fd", "other commands of the line can change that before", NULL, "make",
         "git clean"},
        {"git clean -fd && sed -i s/a/b/ README && git reset --hard",
         "other commands of the line can change that before", NULL, "sed", NULL},
        {"git clean -fd | cat; rm -rf docs", "other commands of the line can change that before",
         NULL, "cat", NULL},
        {"make && git clean -fd && echo done", "other commands of the line can change that before",
         NULL, "make", "git clean"},
        /* one of several would hide the others */
        {"echo hello && ./other && git clean -fd",
         "other commands of the line can change that before", NULL, NULL, NULL},
        {"find docs -delete; shred -u README", such, NULL, NULL, NULL},
        /* a name that is a sentence */
        {"'./nothing of yours' && git clean -fd",
         "other commands of the line can change that before", NULL, NULL, NULL},
        {"git 'gc safely' && git clean -fd", "other commands of the line can change that before",
         NULL, NULL, NULL},
        {"echo docs", NULL, NULL, NULL, NULL},
    };
    struct world *world = *state;
    watch(world);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct call *call = submit(world, SPEC(world, "bash", "-lc", rows[i].line));
        settle(world);
        assert_int_equal(call->losses.count, 0);
        const struct git_losses *losses = &call->losses;
        if (!text_same(losses->unknown, rows[i].unknown) ||
            !text_same(losses->unasked, rows[i].unasked) ||
            !text_same(losses->changes, rows[i].changes) ||
            !text_same(losses->taker, rows[i].taker))
            fail_msg("%s: %s, %s, %s, %s", rows[i].line, losses->unknown, losses->unasked,
                     losses->changes, losses->taker);
    }
}

/* What was to be removed is removed meanwhile: git does not know it any longer, which is no news.
 */
static void what_is_gone_by_now_is_not_asked_for(void **state)
{
    struct world *world = *state;
    watch(world);
    cleanup_free char *make = xasprintf("cd '%s' && mkdir sub out", world->root);
    cleanup_free char *drop = xasprintf("cd '%s' && rmdir out", world->root);
    assert_int_equal(system(make), 0);
    struct call *call = submit(world, SPEC(world, "rm", "-rf", "sub", "out"));
    settle(world);
    for (int i = 0; i < 2; i++) {
        answer_loss(world, " diff --numstat ", "");
        answer_loss(world, " ls-files -t -o -k ", "? sub/\n");
        answer_loss(world, " diff --raw ", "");
        answer_loss(world, " ls-files -v ", "");
        answer_loss(world, " diff --raw ", "");
        assert_true((strstr(strbuf_str(&fake_last()->program), "/out") != NULL) == (i == 0));
        answer_loss(world, "/sub", "");
        assert_int_equal(call->losses.look, GIT_SEEN);
        assert_int_equal(system(i == 0 ? drop : "true"), 0);
        orchestrator_come_to(world->orchestrator, call->prompt->id, true);
        settle(world);
    }
}

/* The attack: a link, or another repository, comes where the files were. */
static void what_is_put_in_the_way_is_not_told_as_nothing(void **state)
{
    static const char *const deeds[] = {"mv sub old && ln -s other sub", "git init -q sub"};
    struct world *world = *state;
    watch(world);
    for (size_t i = 0; i < COUNT(deeds); i++) {
        cleanup_free char *made = xasprintf(
            "cd '%s' && rm -rf sub && mkdir -p sub other && touch sub/x other/x", world->root);
        cleanup_free char *deed = xasprintf("cd '%s' && %s", world->root, deeds[i]);
        assert_int_equal(system(made), 0);
        struct call *call = submit(world, SPEC(world, "bash", "-lc", "rm -f sub/x*"));
        settle(world);
        assert_int_equal(call->losses.look, GIT_LOOKING);
        assert_int_equal(system(deed), 0);
        for (size_t j = 0; j < call->losses.count; j++)
            answer_loss(world, "", "");
        assert_int_equal(call->losses.look, GIT_UNSEEN);
        assert_string_equal(call->losses.why, "");
        assert_null(fake_runs);
    }
}

/* One at a time, the others afterwards; one that was answered meanwhile holds none up. */
static void requests_have_their_turn(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *first = push(world, "-f");
    struct call *second = push(world, "--atomic");
    assert_int_equal(fake_starts, 1);
    assert_int_equal(second->seen.look, GIT_LOOKING); /* nothing moves when its turn comes */
    decide(world, first, REVIEW_DENIED);
    settle(world);
    assert_int_equal(first->seen.look, GIT_LOOKING);
    assert_int_equal(fake_starts, 2);
    answer_there(world, true);
    assert_runs("refs/remotes/origin/main..main");
    fake_exit(fake_last(), 0);
    settle(world);
    assert_int_equal(second->seen.look, GIT_SEEN);
}

/* What has been said to come is not left open. */
static void a_turn_that_cannot_be_had_is_said(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *first = push(world, "-f");
    struct call *second = push(world, "--atomic");
    fake_start_fails = true;
    fake_exit(fake_last(), 0);
    settle(world);
    assert_int_equal(first->seen.look, GIT_UNSEEN);
    assert_string_equal(first->seen.why, "");
    assert_int_equal(second->seen.look, GIT_UNSEEN);
    assert_string_equal(second->seen.why, "");
}

static void nothing_is_asked_where_nothing_confines_it(void **state)
{
    struct world *world = *state;
    const struct sandbox_capability none = {.platform = SANDBOX_PLATFORM_LINUX};
    watch(world);
    world->orchestrator->capability = none;
    struct call *call = push(world, "-f");
    assert_int_equal(call->seen.look, GIT_NOT_LOOKED);
    assert_int_equal(fake_starts, 0);
}

static void nothing_is_asked_of_another_command(void **state)
{
    struct world *world = *state;
    watch(world);
    struct call *call = submit(world, SPEC(world, "git", "push", "origin", "main", "topic"));
    settle(world);
    assert_int_equal(call->state, CALL_ASKING);
    assert_int_equal(fake_starts, 0);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down_watched)
    const struct CMUnitTest tests[] = {
        TEST(git_is_asked_what_is_lost_and_what_is_sent),
        TEST(a_push_from_elsewhere_is_looked_at_there),
        TEST(the_request_stays_the_same),
        TEST(what_is_sent_by_now_is_told),
        TEST(a_slow_look_is_not_made_again_at_once),
        TEST(a_look_that_an_answer_can_wait_for_is_made_at_once),
        TEST(who_comes_to_it_later_is_told_anew),
        TEST(who_comes_while_git_is_asked_has_it_asked_anew),
        TEST(a_connection_tells_what_it_sends),
        TEST(a_branch_that_is_not_there_yet_is_told),
        TEST(a_remote_that_was_never_fetched_is_not_known),
        TEST(what_a_deleted_branch_takes_away_is_told),
        TEST(a_deleted_branch_that_was_never_fetched_is_not_known),
        TEST(what_git_cannot_tell_is_said),
        TEST(git_that_takes_too_long_is_said),
        TEST(what_git_prints_is_bounded),
        TEST(what_git_warns_of_is_not_known),
        TEST(that_git_did_not_run_is_said),
        TEST(a_long_subject_hides_no_commit),
        TEST(bytes_of_no_text_hide_no_commit),
        TEST(a_git_of_the_workspace_is_not_asked),
        TEST(an_edited_push_is_looked_at_anew),
        TEST(an_edited_loss_is_looked_at_anew),
        TEST(git_is_asked_what_it_would_take),
        TEST(replacements_count_for_files_alone),
        TEST(what_stays_hides_nothing),
        TEST(what_is_ignored_until_then_is_not_known),
        TEST(a_word_of_a_branch_is_no_file),
        TEST(what_git_cannot_tell_of_a_loss_is_said),
        TEST(a_push_behind_a_loss_is_looked_at_next),
        TEST(what_is_answered_is_not_looked_at_on),
        TEST(more_behind_the_same_names_is_news),
        TEST(that_there_is_no_stash_is_no_complaint),
        TEST(what_is_written_all_the_time_is_news_a_few_times),
        TEST(one_that_is_written_meanwhile_is_named),
        TEST(that_a_deletion_is_not_looked_at_is_said),
        TEST(what_is_gone_by_now_is_not_asked_for),
        TEST(what_is_put_in_the_way_is_not_told_as_nothing),
        TEST(requests_have_their_turn),
        TEST(a_turn_that_cannot_be_had_is_said),
        TEST(nothing_is_asked_where_nothing_confines_it),
        TEST(nothing_is_asked_of_another_command),
    };
    return cmocka_run_group_tests_name("git look", tests, NULL, NULL);
}
