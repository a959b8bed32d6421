/* SPDX-License-Identifier: MIT */
/* A command that the sandbox stopped at one path is given that for the session. */
#include "config.h"

#include "approval/orchestrator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/text.h"
#include "orchestrator_world.h"

/* A session in which nothing is asked first, and the directory that its commands are stopped at. */
struct place {
    struct session *session;
    char *data, *other;
};

static struct place place_open(struct world *world, const char *policy)
{
    struct turn_context *context = context_of(world, policy, SANDBOX_READ_ONLY);
    struct place place = {.session = orchestrator_open_session(world->orchestrator, SESSION_CLIENT,
                                                               "path", 0, NULL, context),
                          .data = xasprintf("%s/data", world->base),
                          .other = xasprintf("%s/other", world->base)};
    turn_context_unref(&context);
    assert_int_equal(mkdir(place.data, 0755), 0);
    assert_int_equal(mkdir(place.other, 0755), 0);
    return place;
}

static void place_close(struct place *place)
{
    free(place->data);
    free(place->other);
}

static struct call *ask(struct world *world, const struct place *place, struct command_spec *spec)
{
    struct call *call = submit_in(world, place->session, spec);
    settle(world);
    return call;
}

static void stop_at(struct world *world, const struct call *call, const char *directory)
{
    cleanup_free char *blocked = xasprintf("write %s/x", directory);
    fake_exit_blocked(call->run, 1, blocked);
    settle(world);
}

/* Runs under the sandbox of its session alone. */
static void assert_plain(const struct call *call)
{
    assert_int_equal(call->state, CALL_RUNNING);
    assert_int_equal(call->attempts[0].sandbox, ATTEMPT_TURN_DEFAULT);
}

static void assert_given(const struct call *call, const char *path)
{
    cleanup_free char *entry = xasprintf(" %s\n", path);
    assert_int_equal(call->state, CALL_RUNNING);
    assert_int_equal(call->attempts[0].sandbox, ATTEMPT_PERMISSIONS);
    assert_non_null(strstr(call->run->policy, entry));
    assert_int_equal(call->decision.kind, REVIEW_APPROVED_PATH_FOR_SESSION);
    assert_int_equal(call->decision.source, DECIDED_BY_CACHE);
    assert_false(call->decision.unsandboxed);
}

/* The operator's answer, and the run that comes of it. */
static struct call *give(struct world *world, const struct place *place, struct command_spec *spec)
{
    struct call *call = ask(world, place, spec);
    stop_at(world, call, place->data);
    assert_string_equal(call->prompt->path, place->data);
    assert_true(call->prompt->path_may_last);
    decide(world, call, REVIEW_APPROVED_PATH_FOR_SESSION);
    assert_int_equal(call->attempts[1].sandbox, ATTEMPT_PERMISSIONS);
    assert_string_equal(call->decision.path, place->data);
    exit_with(world, call, 0);
    return call;
}

static void the_same_runs_with_it_unasked(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "on-failure");
    give(world, &place, SPEC(world, "touch", "/x"));
    assert_int_equal(grants_count(place.session->grants), 1);
    const struct grant *grant = grants_at(place.session->grants, 0);
    assert_string_equal(grant->path, place.data);
    assert_false(grant->unsandboxed);
    for (int i = 1; i <= 2; i++) {
        struct call *call = ask(world, &place, SPEC(world, "touch", "/x"));
        assert_given(call, place.data);
        assert_string_equal(call->decision.path, place.data);
        assert_int_equal(grants_at(place.session->grants, 0)->uses, i);
        exit_with(world, call, 0);
        assert_int_equal(call->attempt_count, 1);
    }
    place_close(&place);
}

/* Made by the operator while the question is open, it is given when they want it. */
static void what_is_there_by_now_is_offered(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "on-failure");
    cleanup_free char *made = xasprintf("%s/made", place.data);
    cleanup_free char *below = xasprintf("%s/below", made);
    struct call *call = ask(world, &place, SPEC(world, "mkdir", "-p", "/x"));
    stop_at(world, call, below);
    assert_null(call->prompt->path);
    orchestrator_seek_path(world->orchestrator, call->prompt->id);
    settle(world);
    assert_null(call->prompt->path);
    assert_int_equal(mkdir(made, 0755), 0);
    assert_int_equal(mkdir(below, 0755), 0);
    orchestrator_seek_path(world->orchestrator, call->prompt->id);
    settle(world);
    assert_string_equal(call->prompt->path, below);
    decide(world, call, REVIEW_APPROVED_PATH);
    assert_string_equal(call->decision.path, below);
    exit_with(world, call, 0);
    place_close(&place);
}

/* A repository in the workspace, and one that it can push to. */
static void make_repositories(const struct world *world, const struct place *place)
{
    cleanup_free char *command =
        xasprintf("git init -q -b main '%s' && git init -q --bare '%s'", world->root, place->data);
    assert_int_equal(system(command), 0);
}

/* The sandbox would stop it: nobody has to wait for that to say that it may. */
static void what_a_push_writes_is_offered_at_once(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "untrusted");
    make_repositories(world, &place);
    struct call *call = ask(world, &place, SPEC(world, "git", "push", place.data, "main"));
    assert_false(call->prompt->retry);
    assert_string_equal(call->prompt->path, place.data);
    assert_true(call->prompt->path_may_last);
    assert_null(strstr(wording_english(call->prompt->under), place.data));
    assert_non_null(strstr(wording_english(call->prompt->path_under), place.data));
    decide(world, call, REVIEW_APPROVED_PATH);
    assert_int_equal(call->attempts[0].sandbox, ATTEMPT_PERMISSIONS);
    assert_non_null(strstr(call->run->policy, place.data));
    /* It keeps that when something else stops it. */
    stop_at(world, call, place.other);
    assert_string_equal(call->prompt->path, place.other);
    assert_non_null(strstr(wording_english(call->prompt->path_under), place.data));
    decide(world, call, REVIEW_APPROVED_PATH);
    assert_non_null(strstr(call->run->policy, place.data));
    assert_non_null(strstr(call->run->policy, place.other));
    exit_with(world, call, 0);
    place_close(&place);
}

static void a_plain_yes_does_not_give_it(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "untrusted");
    make_repositories(world, &place);
    struct call *call = ask(world, &place, SPEC(world, "git", "push", place.data, "main"));
    decide(world, call, REVIEW_APPROVED);
    assert_plain(call);
    assert_null(strstr(call->run->policy, place.data));
    stop_at(world, call, place.data);
    assert_string_equal(call->prompt->path, place.data);
    place_close(&place);
}

/* Its words are thrown away, and so is how it ended: what it had to write tells. */
static void a_push_that_says_nothing_is_told(void **state)
{
    static const struct {
        const char *before, *behind, *output;
        bool told;
    } rows[] = {
        {"", ">/dev/null 2>&1 || true", "", true},
        {"", "2>&1 | grep -i fatal; echo finished", "finished\n", true},
        {"", "&& echo sent || true", "", true},
        {"git fetch; ", "; ls", "From x\n   1..2  main -> origin/main\n", true},
        {"", "; ls", "To x\n ! [rejected]  main -> main (fetch first)\n", true},
        {"", "; ls", "Everything up-to-date\nsrc\n", false},
        {"", "; ls", "From x\n   1..2  a -> b\nTo x\n + 1...2 main -> main (forced)\n", false},
        {"", "2>&1 | tail -1", " - [deleted]         old", false},
        {"", "&& echo sent", "sent\n", false},
        {"git fetch -q; ", "", "", false},
        {"", "--dry-run -q; ls", "", false},
    };
    struct world *world = *state;
    struct place place = place_open(world, "untrusted");
    make_repositories(world, &place);
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_free char *script =
            xasprintf("%sgit push -f %s main %s", rows[i].before, place.data, rows[i].behind);
        struct call *call = ask(world, &place, SCRIPT(world, script));
        decide(world, call, REVIEW_APPROVED);
        fake_print(call->run, rows[i].output);
        exit_with(world, call, 0);
        if (!text_same(call->attempts[0].push_stopped, rows[i].told ? place.data : NULL))
            fail_msg("%s: %s", script, call->attempts[0].push_stopped);
    }
    place_close(&place);
}

/* With nothing to send, where it may write, or where it failed aloud, nothing is hidden. */
static void a_push_that_was_not_stopped_is_not_told_of(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "untrusted");
    make_repositories(world, &place);
    cleanup_free char *script = xasprintf("git push -q %s main || true", place.data);
    for (int round = 0; round < 4; round++) {
        struct call *call = ask(world, &place, SCRIPT(world, script));
        assert_string_equal(call->prompt->path, place.data);
        decide(world, call, round == 0 ? REVIEW_APPROVED_PATH : REVIEW_APPROVED);
        if (round == 1)
            call->seen = (struct push_seen){.look = GIT_SEEN, .sent = xstrdup("")};
        else if (round == 2)
            call->seen = (struct push_seen){.look = GIT_SEEN, .sent = xstrdup(""), .fresh = true};
        exit_with(world, call, round == 3 ? 1 : 0);
        assert_true((call->attempts[0].push_stopped != NULL) == (round == 2));
    }
    place_close(&place);
}

/* Its last command ends well, but its words tell what an earlier one could not write. */
static void a_write_that_was_stopped_is_told(void **state)
{
    static const struct {
        const char *begin, *end, *output, *why;
        bool told;
    } rows[] = {
        {"cp x", "; ls", "cp: cannot create regular file", ": Read-only file system\n", true},
        {"cp x", "|| true", "cp: cannot create regular file", ": Permission denied\n", true},
        {"cp x", "; ls", "copied to", "", false},
        {"cat", "; ls", "cat:", ": Permission denied\n", false},
    };
    struct world *world = *state;
    struct place place = place_open(world, "untrusted");
    static const char path[] = "/home/op/n";
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_free char *script = xasprintf("%s %s %s", rows[i].begin, path, rows[i].end);
        cleanup_free char *output = xasprintf("%s '%s'%s", rows[i].output, path, rows[i].why);
        struct call *call = ask(world, &place, SCRIPT(world, script));
        decide(world, call, REVIEW_APPROVED);
        fake_print(call->run, output);
        exit_with(world, call, 0);
        if (!text_same(call->attempts[0].write_stopped, rows[i].told ? path : NULL))
            fail_msg("%s: %s", script, call->attempts[0].write_stopped);
    }
    place_close(&place);
}

/* Who asks to leave the sandbox can be kept in it with that; what only looks like one push, and
 * what is given to nobody, is not. */
static void what_a_push_writes_is_offered_with_care(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "untrusted");
    make_repositories(world, &place);
    cleanup_free char *hooks = xasprintf("%s/hooks", place.data);
    struct command_spec *escalated = SPEC(world, "git", "push", place.data, "main");
    struct command_spec *more = SPEC(world, "git", "push", place.data, "main");
    struct command_spec *changed = SPEC(world, "git", "push", place.data, "main");
    escalated->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    more->permissions = SANDBOX_PERMISSIONS_WITH_ADDITIONAL;
    more->additional = XNEW(struct additional_permissions);
    more->additional->network = true;
    changed->env = strv_copy((const char *const[]){"GIT_DIR=/x", NULL});
    cleanup_free char *twice =
        xasprintf("git push %s main; git push %s x", place.data, place.other);
    const struct {
        struct command_spec *spec;
        bool offered, lasts;
    } rows[] = {{escalated, true, false},
                {more, false, false},
                {changed, false, false},
                {SCRIPT(world, twice), false, false},
                {SPEC(world, "git", "push", hooks, "main"), false, false},
                {SPEC(world, "git", "push", world->base, "main"), false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct call *call = ask(world, &place, rows[i].spec);
        assert_int_equal(call->state, CALL_ASKING);
        if ((call->prompt->path != NULL) != rows[i].offered ||
            call->prompt->path_may_last != rows[i].lasts || call->prompt->no_path != NULL)
            fail_msg("row %zu: %s", i, call->prompt->command);
        decide_with(world, call, REVIEW_DENIED, NULL);
    }
    place_close(&place);
}

/* What git opens by a name: of a working tree its books alone, and of what is no repository or is
 * not there nothing at all, which least of all is the directory that it would be in. */
static void of_what_a_push_names_the_repository_is_offered(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "untrusted");
    make_repositories(world, &place);
    static const struct {
        const char *address, *offered;
    } rows[] = {
        {"tree", "tree/.git"},  {"tree/.git/", "tree/.git"}, {"short", "short.git"},
        {"data//", "data"},     {"pointer", NULL},           {"other", NULL},
        {"other/absent", NULL}, {"data/absent", NULL},       {"data/refs/a.lock", NULL},
    };
    cleanup_free char *command =
        xasprintf("cd '%s' && git init -q tree && git init -q --bare short.git && mkdir pointer && "
                  "echo gitdir: ../data >pointer/.git && mkdir -p data/refs/a.lock/refs "
                  "data/refs/a.lock/objects && touch data/refs/a.lock/HEAD",
                  world->base);
    assert_int_equal(system(command), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_free char *address = xasprintf("%s/%s", world->base, rows[i].address);
        cleanup_free char *offered =
            rows[i].offered != NULL ? xasprintf("%s/%s", world->base, rows[i].offered) : NULL;
        struct call *call = ask(world, &place, SPEC(world, "git", "push", address, "main"));
        if (!text_same(call->prompt->path, offered))
            fail_msg("%s: %s", address, call->prompt->path);
        decide_with(world, call, REVIEW_DENIED, NULL);
    }
    place_close(&place);
}

/* What is asked about first, as the policy has it, is answered by it as well. */
static void it_answers_the_first_question(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "untrusted");
    struct call *call = ask(world, &place, SPEC(world, "touch", "/x"));
    decide(world, call, REVIEW_APPROVED);
    stop_at(world, call, place.data);
    decide(world, call, REVIEW_APPROVED_PATH_FOR_SESSION);
    exit_with(world, call, 0);
    call = ask(world, &place, SPEC(world, "touch", "/x"));
    assert_given(call, place.data);
    exit_with(world, call, 0);
    assert_int_equal(ask(world, &place, SPEC(world, "touch", "/y"))->state, CALL_ASKING);
    place_close(&place);
}

static void nothing_else_gets_it(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "on-failure");
    struct turn_context *context = context_of(world, "on-failure", SANDBOX_READ_ONLY);
    struct session *another =
        orchestrator_open_session(world->orchestrator, SESSION_CLIENT, "path", 0, NULL, context);
    turn_context_unref(&context);
    give(world, &place, SPEC(world, "touch", "/x"));
    struct command_spec *specs[] = {SPEC(world, "touch", "/y"), SPEC(world, "touch", "/x", "/x"),
                                    SPEC(world, "touch", "/x"), SPEC(world, "touch", "/x"),
                                    SPEC(world, "touch", "/x"), SPEC(world, "touch", "/x")};
    free(specs[2]->cwd);
    specs[2]->cwd = xstrdup(place.other);
    specs[3]->env = strv_copy((const char *const[]){"CI=1", NULL});
    specs[4]->standard_input = STDIN_PIPE;
    specs[5]->tty = true;
    for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
        struct call *call = ask(world, &place, specs[i]);
        assert_plain(call);
        exit_with(world, call, 0);
    }
    struct call *call = submit_in(world, another, SPEC(world, "touch", "/x"));
    settle(world);
    assert_plain(call);
    exit_with(world, call, 0);
    place_close(&place);
}

/* The attack: the path is made to name something else. It is asked about again. */
static void assert_asked_again(struct world *world, struct place *place)
{
    struct call *call = ask(world, place, SPEC(world, "touch", "/x"));
    assert_plain(call);
    assert_int_equal(grants_count(place->session->grants), 0);
    stop_at(world, call, place->data);
    assert_int_equal(call->state, CALL_ASKING);
    decide_with(world, call, REVIEW_DENIED, NULL);
}

static void another_directory_in_its_place_is_not_given(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "on-failure");
    cleanup_free char *moved = xasprintf("%s/moved", world->base);
    give(world, &place, SPEC(world, "touch", "/x"));
    assert_int_equal(rename(place.data, moved), 0);
    assert_int_equal(mkdir(place.data, 0755), 0);
    assert_asked_again(world, &place);
    place_close(&place);
}

static void a_link_in_its_place_is_not_given(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "on-failure");
    cleanup_free char *moved = xasprintf("%s/moved", world->base);
    give(world, &place, SPEC(world, "touch", "/x"));
    assert_int_equal(rename(place.data, moved), 0);
    assert_int_equal(symlink("moved", place.data), 0); /* it even leads to what was given */
    assert_asked_again(world, &place);
    place_close(&place);
}

static void make_repository(const char *path)
{
    static const char *const names[] = {"objects", "refs"};
    cleanup_free char *head = xasprintf("%s/HEAD", path);
    FILE *file = fopen(head, "w");
    assert_non_null(file);
    fputs("ref: refs/heads/main\n", file);
    assert_int_equal(fclose(file), 0);
    for (size_t i = 0; i < 2; i++) {
        cleanup_free char *name = xasprintf("%s/%s", path, names[i]);
        assert_int_equal(mkdir(name, 0755), 0);
    }
}

/* What would not be offered any more is not given: it is within a repository by now. */
static void what_would_not_be_offered_is_not_given(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "on-failure");
    give(world, &place, SPEC(world, "touch", "/x"));
    make_repository(world->base);
    struct call *call = ask(world, &place, SPEC(world, "touch", "/x"));
    assert_plain(call);
    assert_int_equal(grants_count(place.session->grants), 0);
    exit_with(world, call, 0);
    place_close(&place);
}

/* What is stopped at another path although it has the first is offered both. */
static void paths_add_up(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "on-failure");
    give(world, &place, SPEC(world, "touch", "/x"));
    struct call *call = ask(world, &place, SPEC(world, "touch", "/x"));
    assert_given(call, place.data);
    stop_at(world, call, place.other);
    assert_string_equal(call->prompt->path, place.other);
    assert_non_null(strstr(wording_english(call->prompt->path_under), place.data));
    assert_non_null(strstr(wording_english(call->prompt->path_under), place.other));
    decide(world, call, REVIEW_APPROVED_PATH_FOR_SESSION);
    assert_non_null(strstr(call->run->policy, place.data));
    assert_non_null(strstr(call->run->policy, place.other));
    exit_with(world, call, 0);
    call = ask(world, &place, SPEC(world, "touch", "/x"));
    assert_given(call, place.data);
    assert_given(call, place.other);
    exit_with(world, call, 0);
    assert_int_equal(grants_count(place.session->grants), 2);
    place_close(&place);
}

/* Without being taken back it would run; one that waits for its record does not. */
static void what_is_taken_back_is_over(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "on-failure");
    struct undo undo;
    const struct call *first = give(world, &place, SPEC(world, "touch", "/x"));
    world->withhold_commits = true;
    struct call *queued = ask(world, &place, SPEC(world, "touch", "/x"));
    assert_int_equal(queued->state, CALL_RECORDING);
    assert_int_equal(orchestrator_undo(world->orchestrator, &undo, NULL), 0);
    assert_int_equal(undo.kind, UNDO_PATH);
    assert_int_equal(undo.call, first->id);
    assert_string_equal(undo.path, place.data);
    assert_string_equal(undo.what, "touch /x");
    undo_clear(&undo);
    let_commit(world, 0);
    settle(world);
    world->withhold_commits = false;
    assert_int_equal(call_exit_status(queued), 77);
    assert_int_equal(queued->attempt_count, 0);
    struct call *call = ask(world, &place, SPEC(world, "touch", "/x"));
    assert_plain(call);
    stop_at(world, call, place.data);
    decide(world, call, REVIEW_APPROVED_PATH_FOR_SESSION);
    exit_with(world, call, 0);
    orchestrator_revoke(world->orchestrator, place.session,
                        grants_at(place.session->grants, 0)->id);
    assert_undone(world, UNDO_NOTHING, NULL);
    call = ask(world, &place, SPEC(world, "touch", "/x"));
    assert_plain(call);
    exit_with(world, call, 0);
    place_close(&place);
}

static struct command_spec *escalated(struct command_spec *spec)
{
    spec->permissions = SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
    return spec;
}

/* Whoever asks to leave the sandbox is kept in it with what the same command has there unasked. */
static void what_is_kept_inside_has_it(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "on-request");
    cleanup_free char *entry = xasprintf(" %s\n", place.data);
    struct call *call = ask(world, &place, escalated(SPEC(world, "touch", "/x")));
    assert_true(call->prompt->may_sandbox);
    assert_null(call->prompt->held);
    uint64_t prompt = call->prompt->id;
    const struct call *first = give(world, &place, SPEC(world, "touch", "/x"));
    assert_int_not_equal(call->prompt->id, prompt); /* it is told by now, and not before */
    assert_string_equal(call->prompt->held->writable[0], place.data);
    assert_null(call->prompt->held->writable[1]);
    assert_int_equal(call->prompt->held_call, first->id);
    decide(world, call, REVIEW_APPROVED_SANDBOXED);
    assert_int_equal(call->attempts[0].sandbox, ATTEMPT_PERMISSIONS);
    assert_non_null(strstr(call->run->policy, entry));
    assert_int_equal(call->decision.kind, REVIEW_APPROVED_SANDBOXED);
    assert_string_equal(call->decision.path, place.data);
    assert_false(call->decision.unsandboxed);
    assert_int_equal(grants_at(place.session->grants, 0)->uses, 1);
    /* What stops it then is offered beside that. */
    stop_at(world, call, place.other);
    assert_non_null(strstr(wording_english(call->prompt->path_under), place.data));
    decide(world, call, REVIEW_APPROVED_PATH);
    assert_non_null(strstr(call->run->policy, entry));
    exit_with(world, call, 0);
    assert_undone(world, UNDO_ONCE, NULL);
    assert_int_equal(grants_count(place.session->grants), 1);
    place_close(&place);
}

/* In place of what the same request offers. */
static void what_a_push_has_is_what_it_is_kept_with(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "untrusted");
    make_repositories(world, &place);
    struct call *call = ask(world, &place, SPEC(world, "git", "push", place.data, "main"));
    decide(world, call, REVIEW_APPROVED_PATH_FOR_SESSION);
    exit_with(world, call, 0);
    call = ask(world, &place, escalated(SPEC(world, "git", "push", place.data, "main")));
    assert_string_equal(call->prompt->path, place.data);
    assert_string_equal(call->prompt->held->writable[0], place.data);
    decide(world, call, REVIEW_APPROVED_SANDBOXED);
    assert_non_null(strstr(call->run->policy, place.data));
    exit_with(world, call, 0);
    place_close(&place);
}

static void assert_kept_plain(struct world *world, struct call *call)
{
    assert_null(call->prompt->held);
    decide(world, call, REVIEW_APPROVED_SANDBOXED);
    assert_plain(call);
    assert_null(call->decision.path);
    exit_with(world, call, 0);
}

/* The attack: another command, or another path by now; and what is taken back is over. */
static void nothing_else_is_kept_inside_with_it(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "on-request");
    cleanup_free char *moved = xasprintf("%s/moved", world->base);
    give(world, &place, SPEC(world, "touch", "/x"));
    assert_kept_plain(world, ask(world, &place, escalated(SPEC(world, "touch", "/y"))));
    struct call *call = ask(world, &place, escalated(SPEC(world, "touch", "/x")));
    assert_non_null(call->prompt->held);
    assert_int_equal(rename(place.data, moved), 0);
    assert_int_equal(mkdir(place.data, 0755), 0);
    decide(world, call, REVIEW_APPROVED_SANDBOXED);
    assert_plain(call);
    exit_with(world, call, 0);
    assert_int_equal(grants_count(place.session->grants), 0);
    assert_kept_plain(world, ask(world, &place, escalated(SPEC(world, "touch", "/x"))));
    give(world, &place, SPEC(world, "touch", "/x"));
    call = ask(world, &place, escalated(SPEC(world, "touch", "/x")));
    assert_non_null(call->prompt->held);
    orchestrator_revoke(world->orchestrator, place.session,
                        grants_at(place.session->grants, 0)->id);
    settle(world);
    assert_kept_plain(world, call);
    place_close(&place);
}

static void assert_once(struct world *world, const struct place *place, struct command_spec *spec,
                        const char *why)
{
    struct error error = ERROR_INIT;
    struct call *call = ask(world, place, spec);
    if (call->state == CALL_ASKING)
        decide(world, call, REVIEW_APPROVED);
    stop_at(world, call, place->data);
    assert_string_equal(call->prompt->path, place->data);
    assert_false(call->prompt->path_may_last);
    assert_string_equal(call->prompt->path_once_reason, why);
    assert_int_equal(orchestrator_decide(world->orchestrator, call->prompt->id,
                                         call->prompt->revision, REVIEW_APPROVED_PATH_FOR_SESSION,
                                         NULL, &error),
                     -1);
    decide(world, call, REVIEW_APPROVED_PATH);
    exit_with(world, call, 0);
    assert_int_equal(grants_count(place->session->grants), 0);
}

/* Where even `a` is not offered: what it runs the next time is somebody else's to say. */
static void where_an_answer_is_for_once_so_is_this(void **state)
{
    struct world *world = *state;
    struct place place = place_open(world, "on-failure");
    assert_once(world, &place, SPEC(world, "make", "install"),
                "it can run code from files that agents can change");
    struct command_spec *spec = SPEC(world, "touch", "/x");
    spec->env = strv_copy((const char *const[]){"LD_PRELOAD=./x.so", NULL});
    assert_once(world, &place, spec, "its variables can make it run other code");
    spec = SPEC(world, "touch", "/x");
    spec->standard_input = STDIN_PIPE;
    assert_once(world, &place, spec, "what it is sent while it runs can be anything");
    spec = SPEC(world, "touch", "/x");
    spec->permissions = SANDBOX_PERMISSIONS_WITH_ADDITIONAL;
    spec->additional = XNEW(struct additional_permissions);
    spec->additional->writable = strv_copy((const char *const[]){place.other, NULL});
    assert_once(world, &place, spec, "the same command would again ask for more than that");
    place_close(&place);
}

#define GIVEN(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        GIVEN(the_same_runs_with_it_unasked),
        GIVEN(what_a_push_writes_is_offered_at_once),
        GIVEN(a_plain_yes_does_not_give_it),
        GIVEN(what_a_push_writes_is_offered_with_care),
        GIVEN(a_push_that_says_nothing_is_told),
        GIVEN(a_push_that_was_not_stopped_is_not_told_of),
        GIVEN(a_write_that_was_stopped_is_told),
        GIVEN(of_what_a_push_names_the_repository_is_offered),
        GIVEN(it_answers_the_first_question),
        GIVEN(what_is_there_by_now_is_offered),
        GIVEN(nothing_else_gets_it),
        GIVEN(another_directory_in_its_place_is_not_given),
        GIVEN(a_link_in_its_place_is_not_given),
        GIVEN(what_would_not_be_offered_is_not_given),
        GIVEN(paths_add_up),
        GIVEN(what_is_taken_back_is_over),
        GIVEN(what_is_kept_inside_has_it),
        GIVEN(what_a_push_has_is_what_it_is_kept_with),
        GIVEN(nothing_else_is_kept_inside_with_it),
        GIVEN(where_an_answer_is_for_once_so_is_this),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
