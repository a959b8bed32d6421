/* SPDX-License-Identifier: MIT */
/*
 * orchestrator: carries every call through requirement, approval, attempts and result.
 *
 * The one place that decides. Frontends submit calls, observers show them and hand in decisions;
 * there is no other way to make a command run.
 */
#ifndef ASSENT_APPROVAL_ORCHESTRATOR_H
#define ASSENT_APPROVAL_ORCHESTRATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "approval/call.h"
#include "approval/ladder.h"
#include "approval/observer.h"
#include "approval/session.h"
#include "base/error.h"
#include "base/loop.h"
#include "command/rules.h"
#include "sandbox/select.h"

struct orchestrator;

/* How a decision gets to the disk before its effect: `sync` promises to call `done` later, from
 * the loop, with 0 once everything that observers were told so far is on disk, or -errno when it
 * cannot be (then the effect does not happen). */
struct commit {
    void (*sync)(void *argument, void (*done)(void *done_argument, int result),
                 void *done_argument);
    void *argument;
};

#define ORCHESTRATOR_OPEN_PROMPTS 8
/* The session that all plain clients share may have so many times the calls of another. */
#define ORCHESTRATOR_SHARED_CALLS 2

struct orchestrator_setup {
    struct loop *loop;
    struct commit commit;        /* sync NULL: nothing is recorded, effects follow at once */
    const char *helper_path;     /* assent-sandbox, absolute */
    const char *state_directory; /* for output files; NULL: memory */
    const char *const
        *base_environment; /* what commands get, NAME=VALUE, NULL-terminated; copied */
    const char *const
        *gateway_environment; /* beside it where hosts are asked for; copied; or NULL */
    uint64_t last_call_id;    /* the first call is the one behind it */
    size_t output_cap;        /* bytes a call */
    int64_t grace_ms;         /* TERM to KILL */
    const struct sandbox_capability *capability; /* what this system can enforce; copied */
    size_t max_open_calls;                       /* a session: more are refused with a message */
    size_t max_open_prompts;   /* a session: more wait, so that one cannot crowd out the others,
                                  unless the operator looks at them; who has the fewest open in it
                                  comes next; 0: ORCHESTRATOR_OPEN_PROMPTS */
    size_t max_finished_calls; /* kept for looking at; the oldest is forgotten first */
    bool headless;             /* nobody can be asked: what needs a prompt is denied */
    bool keyboard;             /* the operator can type into what runs */
};

struct orchestrator *orchestrator_new(const struct orchestrator_setup *setup);
/* Cancels and kills everything and answers open prompts with "denied", while those who asked can
 * still be told. */
void orchestrator_close_calls(struct orchestrator *orchestrator);
/* Does that, and frees: cancels and kills everything, answers open prompts with "denied", frees. */
void orchestrator_free(struct orchestrator **orchestrator);

/* `observer` and `argument` must outlive the registration. */
void orchestrator_add_observer(struct orchestrator *orchestrator, const struct observer *observer,
                               void *argument);
void orchestrator_remove_observer(struct orchestrator *orchestrator, void *argument);

/* Opens a session; `context` is referenced. The session belongs to the orchestrator. */
struct session *orchestrator_open_session(struct orchestrator *orchestrator,
                                          enum session_origin origin, const char *name,
                                          pid_t peer_pid, const char *peer_exe,
                                          struct turn_context *context);
/* Of which processes who has opened it is one (session->tree). It is stopped from then on when one
 * of them that is called the same was: whoever leaves its session and opens another is the same. */
void orchestrator_set_tree(struct orchestrator *orchestrator, struct session *session, pid_t tree);
/* Cancels its open calls; the session ends when the last of them has finished. */
void orchestrator_close_session(struct orchestrator *orchestrator, struct session *session);
/* For calls that arrive from now on. References `context`. */
void orchestrator_set_context(struct orchestrator *orchestrator, struct session *session,
                              struct turn_context *context);

/* What the operator's rule files say, from the next question on; takes the rules over (NULL: there
 * are none). `broken` says which file could not be read, or is NULL: everything that is not known
 * to be safe is asked then, because nobody knows what the file forbids. */
void orchestrator_set_rules(struct orchestrator *orchestrator, struct rules *rules,
                            const char *broken);
/* Where rules are kept beyond a session, and how the newest is taken back. */
struct rule_memory {
    /* Writes a rule down; `source` gets where it stands (borrowed until the next call). */
    int (*remember)(void *argument, const char *line, struct rules_source *source,
                    struct error *error);
    /* What was written and not taken back, the newest last; NULL-terminated, borrowed until that
     * changes. May be NULL. */
    const char *const *(*written)(void *argument);
    /* Takes back the newest that was written, of those that say `only` unless that is NULL: 1 and
     * the rule (caller frees) once it is no longer in force, 0 when there is none, -1 with a
     * message. */
    int (*undo)(void *argument, const char *only, char **line, struct error *error);
    void *argument;
};
/* Without one, rules last for the session. */
void orchestrator_set_memory(struct orchestrator *orchestrator, const struct rule_memory *memory);

/* What is remembered of the console that this one goes on from: the call there that asked the same
 * and that the operator denied; 0: none. */
typedef uint64_t (*recall_denied)(void *argument, const struct call *call);
void orchestrator_set_recall(struct orchestrator *orchestrator, recall_denied denied,
                             void *argument);
uint64_t orchestrator_denied_before(const struct orchestrator *orchestrator,
                                    const struct call *call);

/* What :undo takes back: an answer of the operator's. */
enum undo_kind {
    UNDO_NOTHING,
    UNDO_RULE,
    UNDO_PATH,     /* for a session */
    UNDO_APPROVAL, /* for a session, or as long as the lease says */
    UNDO_DENIAL,
    UNDO_ONCE, /* it was for once: there is nothing to take back */
};
struct undo {
    enum undo_kind kind;
    uint64_t call; /* that was answered so; 0: a rule of no request, or of an earlier console */
    char *what;    /* a rule's line, or what was asked (untrusted); NULL: for once */
    char *path;    /* of UNDO_PATH */
    bool host;     /* it was asked about one */
    struct lease lease;
    uint64_t
        together; /* the same in all that one answer to several prompts gave; 0: it was to one */
};
void undo_clear(struct undo *undo);
/* Takes back the newest answer of the operator that holds, else the newest rule that is kept, and
 * tells which it was; the caller clears that. An answer for once that is the newest of all is told,
 * and passed over by the next. -1 with a message when it could not be taken back. */
int orchestrator_undo(struct orchestrator *orchestrator, struct undo *undo, struct error *error);
/* Which that would be, and nothing is taken back. */
void orchestrator_next_undo(struct orchestrator *orchestrator, struct undo *undo);
/* The rules that are kept and can be taken back, the newest last; NULL when there are none.
 * Borrowed until one is made or taken back. */
const char *const *orchestrator_kept_rules(const struct orchestrator *orchestrator);
/* Takes back that one. 1: done, 0: it is not there (any more), -1 with a message. */
int orchestrator_take_back_rule(struct orchestrator *orchestrator, const char *line,
                                struct error *error);
/* The operator makes a rule, of no request: kept, and in force from the next question on, as one
 * that answered a request is; the newest that orchestrator_undo() takes back. -1 with a
 * message, and nothing is in force then, when it cannot be kept. */
int orchestrator_remember_rule(struct orchestrator *orchestrator, const char *line,
                               struct error *error);
const struct rules *orchestrator_rules(const struct orchestrator *orchestrator);

struct call_options {
    int rows, columns;               /* PTY size for tty calls; 0: 24x80 */
    void *owner;                     /* stored in call->owner */
    struct call_client client;       /* copied deeply to call->client */
    const char *agent_tool;          /* as in struct call; copied */
    const char *patch;               /* the same: the spec's argv is ignored then */
    const struct call_offer *offers; /* with agent_tool: as in struct call; copied */
    size_t offer_count;
    bool agent_fields;
    uint64_t input_for;
    bool widens;       /* with agent_tool; the spec has additional permissions */
    bool wants_words;  /* with agent_tool; the spec's argv is its name and the question */
    bool secret_words; /* with wants_words */
    bool in_person;    /* with agent_tool */
    /* The operator named this command when they started Assent: it is theirs, and runs unasked,
     * without a time limit, and unconfined when the spec says
     * SANDBOX_PERMISSIONS_REQUIRE_ESCALATED.
     */
    bool operator_started;
    /* Added to its environment, neither shown nor recorded (secrets of ours); copied; may be NULL.
     */
    const char *const *private_environment;
};

/* Takes the spec over in any case. Returns the call, or NULL with a message that says what is
 * wrong with the spec (not absolute cwd, empty argv, argument over the kernel's limit …). The
 * call's events start in the next turn, so that the caller can note its id first. */
struct call *orchestrator_submit(struct orchestrator *orchestrator, struct session *session,
                                 enum call_tool tool, struct command_spec *spec,
                                 const struct call_options *options, struct error *error);

/* What was said before of such a request: by rules, by what was granted and denied for the session.
 * Of a denial the operator and the command's result are told, once for each host. */
struct reach_answer {
    bool known, allowed;
    enum decision_source source;
    char *message; /* for the command when it is not allowed, or NULL; the caller frees */
};
void orchestrator_known_reach(struct orchestrator *orchestrator, struct call *command,
                              const struct reach *reach, struct reach_answer *answer);
/* Asks whether a running command may reach a host; takes `reach` over in any case, and fills in
 * what it tells of the command. The call ends (`finished`) with the decision. NULL with a message
 * for the command when nobody can be asked now. The command's time stands still meanwhile. */
struct call *orchestrator_ask_reach(struct orchestrator *orchestrator, struct call *command,
                                    struct reach *reach, struct error *error);
/* Another number of connections wait for the answer, and so many of them are older ones (see
 * struct reach). No observer is told: what is asked is the same. */
void orchestrator_change_waiting(struct orchestrator *orchestrator, struct call *call,
                                 unsigned waiting, unsigned older);
void orchestrator_tell_connection(struct orchestrator *orchestrator, struct call *command,
                                  const struct reach_connection *connection);

/* From here on answers are one that the operator gives to several prompts, until that is over:
 * orchestrator_undo() takes back one after the other, and tells what belongs together. */
void orchestrator_decide_together(struct orchestrator *orchestrator, bool together);
/* The operator's answer to one prompt. -1 when the prompt is not open any more or was changed
 * (`revision` differs from what is open): nothing happens then, and the message says so. May be
 * called from an observer; it takes effect in the next turn. `message` may be NULL. */
int orchestrator_decide(struct orchestrator *orchestrator, uint64_t prompt_id, unsigned revision,
                        enum review_kind kind, const char *message, struct error *error);

/* The same for REVIEW_ABORT that ends no call that came after this one, which is the one asked
 * about or a later one: the operator has not been shown those. */
int orchestrator_decide_abort(struct orchestrator *orchestrator, uint64_t prompt_id,
                              unsigned revision, uint64_t up_to, struct error *error);

/* The same by an answer of the agent's own, one of the call's offers: it allows or denies this
 * once, as its kind says, and the agent is told which was picked. */
int orchestrator_decide_offer(struct orchestrator *orchestrator, uint64_t prompt_id,
                              unsigned revision, size_t offer, struct error *error);

/* May the client that asked answer this prompt itself, once? Only where the operator's
 * configuration lets it (session->client_decides), and never what is of high risk, what follows a
 * first attempt, or what is more than one run of one command of ours. */
bool orchestrator_client_may_decide(const struct call *call);
/* That client's answer: REVIEW_APPROVED or REVIEW_DENIED, as orchestrator_decide(). It is recorded
 * as the client's. */
int orchestrator_decide_as_client(struct orchestrator *orchestrator, uint64_t prompt_id,
                                  unsigned revision, enum review_kind kind, struct error *error);

/* The same for REVIEW_APPROVED_FOR_SESSION with something that may end before the session. */
int orchestrator_decide_lease(struct orchestrator *orchestrator, uint64_t prompt_id,
                              unsigned revision, const struct lease *lease, struct error *error);

/* Which of the rules that a prompt offers. */
struct rule_choice {
    size_t step; /* of the prompt's ladder, one that is not refused */
    enum ladder_scope scope;
};
/* The same for REVIEW_APPROVED_AMENDMENT with a rule that is not the one offered first. */
int orchestrator_decide_rule(struct orchestrator *orchestrator, uint64_t prompt_id,
                             unsigned revision, const struct rule_choice *choice,
                             struct error *error);

/* Changes the command of a prompt to `text`: the script of a `bash -c`, or the words of a command,
 * which becomes a script when it is more than words. It is judged like a new call, and asked about
 * by another prompt in the old one's place. In place of a second attempt it is asked about as that
 * one was. -1 with a message when nothing was changed: the prompt is not open any more or changed,
 * it asks about something else than a command of ours, or what the text says is forbidden or cannot
 * be run. */
int orchestrator_edit(struct orchestrator *orchestrator, uint64_t prompt_id, unsigned revision,
                      const char *text, struct error *error);

/* Ends a call that is not finished: an open prompt closes, a running tree is killed. `why` is
 * shown and recorded ("client gone"), and who wanted it. */
void orchestrator_cancel(struct orchestrator *orchestrator, struct call *call, enum canceller by,
                         const char *why);
/* Input from the agent: 0, -EAGAIN (try again later), -EPIPE when the command takes none, -EPERM
 * when it runs outside the sandbox and the operator has typed in its pane. What comes before the
 * command starts is kept for it, up to a limit. */
int orchestrator_write(struct orchestrator *orchestrator, struct call *call, const char *bytes,
                       size_t length);
/* Input that the operator types in the call's pane; only while it runs. 0, -EAGAIN or -EPIPE. */
int orchestrator_type(struct orchestrator *orchestrator, struct call *call, const char *bytes,
                      size_t length);
/* What a pane's terminal answers by itself (to queries, on focus): nobody's words. As above. */
int orchestrator_reply(struct orchestrator *orchestrator, struct call *call, const char *bytes,
                       size_t length);
void orchestrator_write_end(struct orchestrator *orchestrator, struct call *call);
/* Has its program turned the echo of its terminal off, as for a password? */
bool orchestrator_hides_input(const struct call *call);
/* Does it wait for keys? A look at processes: not for every frame. */
enum foreground orchestrator_foreground(const struct call *call);
void orchestrator_resize(struct orchestrator *orchestrator, struct call *call, int rows,
                         int columns);
/* A signal to every process of a running call's tree: 0 or -errno (-ESRCH when it does not run). */
int orchestrator_signal(struct orchestrator *orchestrator, struct call *call, int number);
/* Freezes everything: every running command's tree is stopped, its time with it, and what is
 * allowed meanwhile starts when that is taken back. What is cancelled meanwhile is killed without
 * grace. */
void orchestrator_freeze(struct orchestrator *orchestrator, bool freeze);
bool orchestrator_is_frozen(const struct orchestrator *orchestrator);
/* Stops an agent: its open calls are aborted, and whatever its session asks for from then on is
 * refused with a message, until that is taken back; so is what its processes ask for by its name in
 * a session that many share. */
void orchestrator_stop_session(struct orchestrator *orchestrator, struct session *session,
                               bool stop);
/* The same for those of a session that many share who are processes of that tree, as the kernel
 * tells (struct call_client), and for the sessions of their own that they have beside it. */
void orchestrator_stop_tree(struct orchestrator *orchestrator, struct session *session, pid_t tree,
                            struct session *const *own, size_t own_count);
/* Takes that back, and for these sessions. */
void orchestrator_resume_tree(struct orchestrator *orchestrator, struct session *session,
                              pid_t tree, struct session *const *own, size_t own_count);
/* The same for whoever calls itself so in a session that many share, and for those processes, which
 * the caller has found to be behind it. */
void orchestrator_stop_name(struct orchestrator *orchestrator, struct session *session,
                            const char *name, const pid_t *trees, size_t tree_count);
/* Takes that back; processes that were stopped otherwise stay so. */
void orchestrator_resume_name(struct orchestrator *orchestrator, struct session *session,
                              const char *name);
/* Is what asks so stopped, by itself or with its session? */
bool orchestrator_is_stopped(const struct call *call);
/* Back-pressure for a frontend whose client reads slowly. */
void orchestrator_pause_output(struct orchestrator *orchestrator, struct call *call, bool pause);

/* Open prompts, oldest first. */
size_t orchestrator_waiting_count(const struct orchestrator *orchestrator);
struct call *orchestrator_waiting_at(const struct orchestrator *orchestrator, size_t index);
/* Do two calls that wait ask the same: the same program, words, directory, variables, sandbox, risk
 * and first attempt or retry, so that who asks is all the difference? Never of what an agent feeds.
 * Of one without a prompt that is said as far as it is known. */
bool orchestrator_same_question(const struct call *a, const struct call *b);
/* Equal for calls that ask the same, for finding those among many; 0: no other asks the same. */
uint64_t orchestrator_question_hash(const struct call *call);
/* Does it wait for the operator: an open prompt, or one that waits for room? */
bool orchestrator_waits(const struct call *call);
/* Would what it waits to run be held by no sandbox? */
bool orchestrator_leaves(const struct call *call);
/* Calls that must be asked about but have to wait for room, because their session has as many open
 * prompts as it may have. */
size_t orchestrator_held_count(const struct orchestrator *orchestrator);
/* Both together: all that wait for the operator. This is the number that is told. */
size_t orchestrator_question_count(const struct orchestrator *orchestrator);
/* The operator has put a prompt aside, or not any more: it goes on waiting, and takes no place in
 * its session that others could have who are not of the same processes. */
void orchestrator_put_aside(struct orchestrator *orchestrator, uint64_t prompt_id, bool aside);
/* The operator has come to such a call in a list: it is asked about in the next turn. Nothing when
 * it does not wait for room. */
void orchestrator_look_at(struct orchestrator *orchestrator, uint64_t call_id);
/* The operator wants the answer that gives a path, which such a request does not have, or waits for
 * it: perhaps it is there by now. Then it is asked anew in the next turn. */
void orchestrator_seek_path(struct orchestrator *orchestrator, uint64_t prompt_id);
/* Which other requests of its session would close with this prompt if it were approved as `kind`
 * (for the session, or with the rule of `choice`, which is NULL otherwise): their calls' ids,
 * oldest first, at most `limit` of them stored; returns how many there are. High-risk ones never
 * are among them. */
size_t orchestrator_would_release(const struct orchestrator *orchestrator, uint64_t prompt_id,
                                  enum review_kind kind, const struct rule_choice *choice,
                                  uint64_t *ids, size_t limit);
/* What a model says, or that it is being asked, about the call of an open prompt. Raises the call's
 * level when the model's is higher, and counts the revision up then: the operator has to look
 * again. Observers hear of it by prompt_changed. -1 when the prompt is no longer open. */
int orchestrator_note_opinion(struct orchestrator *orchestrator, uint64_t prompt_id,
                              const struct opinion *opinion);
/* The operator has an open prompt before them, or (`answers`) is about to answer it: observers hear
 * of it. */
void orchestrator_come_to(struct orchestrator *orchestrator, uint64_t prompt_id, bool answers);
/* What git says of the commits of the call of an open prompt, or that it is being asked; what is in
 * `seen` is taken over in any case. Observers hear of it as above. The revision stays: the same is
 * asked, unless git had said something else before. -1 when the prompt is no longer open. */
int orchestrator_note_push(struct orchestrator *orchestrator, uint64_t prompt_id,
                           struct push_seen *seen);
/* The same of what its call would take: the state, the reason, and the `seen` of each. */
int orchestrator_note_losses(struct orchestrator *orchestrator, uint64_t prompt_id,
                             struct git_losses *told);
/* All calls that are kept, oldest first. */
size_t orchestrator_call_count(const struct orchestrator *orchestrator);
struct call *orchestrator_call_at(const struct orchestrator *orchestrator, size_t index);
struct call *orchestrator_find_call(const struct orchestrator *orchestrator, uint64_t id);
size_t orchestrator_session_count(const struct orchestrator *orchestrator);
struct session *orchestrator_session_at(const struct orchestrator *orchestrator, size_t index);
/* Takes back a session grant; false when it is gone already. What it has let pass and what has not
 * started does not start. */
bool orchestrator_revoke(struct orchestrator *orchestrator, struct session *session,
                         uint64_t grant_id);
/* Looks at the files that what is granted runs code from, and ends what the next request would:
 * what was granted before they changed. Takes its time: as often as somebody looks, and not each
 * turn. */
void orchestrator_end_changed(struct orchestrator *orchestrator);
/* Takes back a rule that was made for a session, 0 for the oldest; false when there is none. */
bool orchestrator_revoke_rule(struct orchestrator *orchestrator, struct session *session,
                              size_t index);
/* Lets requests that the operator denied in this session be asked again. */
void orchestrator_forget_denials(struct orchestrator *orchestrator, struct session *session);
/* Is what this call asked denied to its session without a question? */
bool orchestrator_denial_holds(const struct call *call);
/* Lets what this call asked be asked again; false when it was not denied. */
bool orchestrator_forget_denial(struct orchestrator *orchestrator, const struct call *call);
/* The same for a call that may be kept no longer. */
bool orchestrator_forget_denials_of(struct orchestrator *orchestrator, struct session *session,
                                    uint64_t call);
/* The agent that the call runs calls its session so: announced to observers. */
void orchestrator_conversation(struct orchestrator *orchestrator, const struct call *call,
                               const char *id);
void orchestrator_notice(struct orchestrator *orchestrator, enum notice_level level,
                         const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
