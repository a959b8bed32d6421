/* SPDX-License-Identifier: MIT */
/*
 * orchestrator_world: an orchestrator with one agent's session, a clock that stands still, and a
 * runner that does what the test says (fake_runner.h). What observers hear is kept as text.
 */
#ifndef ASSENT_TESTS_ORCHESTRATOR_WORLD_H
#define ASSENT_TESTS_ORCHESTRATOR_WORLD_H

#include "approval/orchestrator.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "fake_runner.h"

#define DENIED_WORDS "sh: cannot create /x: Permission denied\n"

struct world {
    struct clock_fake clock;
    struct loop *loop;
    struct orchestrator *orchestrator;
    struct session *agent;
    char *base, *root;
    struct strbuf events; /* one word-list a line */
    bool withhold_commits;
    void (*commit_done)(void *argument, int result);
    void *commit_argument;
};

extern const struct sandbox_capability world_capability;
extern const char *const world_environment[];
extern const struct observer world_observer;

/* Ends the commit that is under way, with `withhold_commits`. */
void let_commit(struct world *world, int result);
struct orchestrator *make_orchestrator(struct world *world, bool headless);
struct turn_context *context_of(const struct world *world, const char *policy_name,
                                enum sandbox_mode mode);
struct session *open_session(struct world *world, enum session_origin origin, const char *name,
                             const char *policy);
void set_policy(struct world *world, struct session *session, const char *policy);
/* For cmocka: makes a world, and ends it. */
int set_up(void **state);
int tear_down(void **state);
/* As many turns as anything here takes. */
void settle(struct world *world);
void forget_events(struct world *world);
/* What was heard since the last time, a line each. */
void assert_events(struct world *world, const char *expected);
struct command_spec *spec_of(const struct world *world, const char *const *argv);
struct call *submit_in(struct world *world, struct session *session, struct command_spec *spec);
struct call *submit(struct world *world, struct command_spec *spec);
void decide_with(struct world *world, const struct call *call, enum review_kind kind,
                 const char *message);
void decide(struct world *world, const struct call *call, enum review_kind kind);
/* The running command says that something was denied and fails. */
void exit_denied(struct world *world, struct call *call);
void exit_with(struct world *world, struct call *call, int code);
/* What :undo takes back now is of that kind; its text has `what` in it (NULL: there is none). */
void assert_undone(struct world *world, enum undo_kind kind, const char *what);
/* A program in the workspace. */
void write_program(const struct world *world, const char *name);

#define SPEC(world, ...) spec_of(world, (const char *const[]){__VA_ARGS__, NULL})
#define SCRIPT(world, script) SPEC(world, "bash", "-c", script)

#endif
