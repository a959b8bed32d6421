/* SPDX-License-Identifier: MIT */
/* orchestrator-int: what the parts of the orchestrator share; for this folder only. */
#ifndef ASSENT_APPROVAL_ORCHESTRATOR_INT_H
#define ASSENT_APPROVAL_ORCHESTRATOR_INT_H

#include "approval/build_files.h"
#include "approval/keys.h"
#include "approval/orchestrator.h"
#include "approval/scripts.h"
#include "base/strbuf.h"
#include "command/loader.h"
#include "command/patch.h"
#include "command/program.h"

/* Agent input that is kept: what comes before the start, and what a second attempt gets again. */
#define INPUT_KEPT_MAX ((size_t)256 * 1024)

struct judgement;
struct judgement_part;

struct observer_slot {
    const struct observer *observer; /* NULL once removed */
    void *argument;
};

/* A commit under way; outlives the orchestrator when it must. */
struct ticket {
    struct ticket *next;
    struct orchestrator *orchestrator; /* NULL once that is gone */
    uint64_t call_id;
};

/* A call and what only the orchestrator needs of it. */
struct call_entry {
    struct call call; /* first: a struct call * is a struct call_entry * */
    struct orchestrator *orchestrator;

    /* found out at arrival */
    struct patch *patch;   /* of CALL_APPLY_PATCH, until it has finished; owned */
    char *patch_outside;   /* as it arrived: a file that the sandbox does not reach, or NULL */
    unsigned *patch_files; /* as it arrived: what is to be said of each (patching.c); owned */
    bool patch_code;       /* as it arrived: among its files are some that builds or shells run */
    struct program program;
    bool program_installed;
    bool builds; /* it may run code from the build files of the places where it runs */
    uint64_t cwd_device, cwd_inode;
    char *cd, *there; /* where a script goes first: as written, and where that led; or NULL */
    uint64_t there_device, there_inode; /* 0: there was nothing */
    char **writable_roots;
    int64_t timeout_ms;
    int rows, columns;
    bool operator_started;
    char **private_environment;

    /* what happened since the last turn */
    bool taken_up;
    bool cancel_requested;
    bool abort_requested; /* the cancel comes from the operator's abort */
    enum canceller cancel_by;
    char *cancel_why;
    enum review_kind answer; /* of the operator, REVIEW_NONE when there is none */
    size_t answer_offer;     /* as in struct review_decision */
    bool answered_by_client; /* and not by the operator */
    char *answer_message;
    struct rule_choice answer_rule; /* of REVIEW_APPROVED_AMENDMENT */
    struct lease answer_lease;      /* of REVIEW_APPROVED_FOR_SESSION */
    uint64_t answer_up_to;          /* of REVIEW_ABORT: as in session_abort_ends() */
    uint64_t together;              /* as in struct undo */
    bool taken_back;                /* what let it pass was revoked before it started */
    bool recorded;
    int record_error; /* -errno of the commit */
    bool run_ended;

    /* the question at hand */
    bool was_asked;               /* the operator, at any time */
    char **asked_words;           /* the constituent that asks or asked, or NULL */
    char *question;               /* its key, also when the answer may not be remembered */
    char *asked_question;         /* the same of what the agent asked for, once it was edited */
    const char *once_reason;      /* why not (N_, static), else NULL */
    char *once_names;             /* the word that this is about, or NULL */
    struct scripts *scripts;      /* as they were when it was put, or NULL; owned */
    enum attempt_sandbox sandbox; /* what the next attempt runs under */
    bool retry;
    bool held;           /* must be asked, but the session has no room for a prompt */
    bool aside;          /* the operator has put its prompt aside */
    bool looked_at;      /* … and the operator has come to it: it is asked all the same */
    bool retry_approved; /* the first prompt said that it covers the retry */
    char **names_before; /* in the workspace when the first attempt began, or NULL; owned */
    char *pushes_to;     /* the directory of this machine that its only push writes, or NULL; owned;
                            untrusted */
    /* What the next attempt could be allowed to write in the sandbox: the path, with what the call
     * has asked for, and the policy that this makes; owned; all NULL when there is none. */
    char *offered_path;
    struct additional_permissions *offered_more;
    struct sandbox_policy *offered_policy;
    const char *no_offered_path; /* why there is none: as in struct prompt */
    bool path_sought;            /* … and the operator wants it: it is looked for again */
    /* What it may write in the sandbox from its first attempt on, because the operator gave that
     * for the session: all such paths, the policy that they make, and the keys of the grants;
     * owned; all NULL when there are none. */
    struct additional_permissions *given_more;
    struct sandbox_policy *given_policy;
    char **given_keys;
    uint64_t grants_at_hand; /* newest grant when the question arose */
    uint64_t changes_since;  /* with `builds`: the operator knows of changes up to that one */
    uint64_t changes_call;   /* … since they allowed that call */
    bool changes_unknown;    /* it was allowed in another console, perhaps when files were others */

    /* input */
    enum stdin_kind standard_input; /* of the next attempt */
    struct strbuf input;
    bool input_lost; /* more came than is kept: it cannot be given again */
    bool input_ended;
    bool operator_typed;
    unsigned open_reaches; /* questions about hosts that are not answered */
    bool output_paused;
};

/* An answer of the operator's. */
struct given {
    enum undo_kind kind;             /* a path is an approval here */
    struct session *session;         /* with which it ends, or NULL */
    struct session_denials *denials; /* that it is one of, if it is a denial */
    uint64_t call;                   /* 0: a rule of no request */
    uint64_t together;               /* as in struct undo */
    char *line;                      /* of a rule; owned */
};

struct orchestrator {
    struct loop *loop;
    struct commit commit;
    char *helper_path;
    char **gateway_environment;
    char *patch_path; /* assent-patch, beside the helper */
    char *state_directory;
    char **base_environment;
    const char *search_path; /* PATH in base_environment */
    struct sandbox_capability capability;
    struct rules *rules; /* of the operator's files; owned, may be NULL */
    char *rules_broken;  /* why a file of them could not be read, or NULL */
    struct rule_memory memory;
    recall_denied recall; /* NULL: there was no console before */
    void *recall_argument;
    struct given *given; /* what was answered here and can be taken back, newest last */
    size_t given_count;
    uint64_t together; /* of what is answered now; 0: each by itself */
    uint64_t together_last;
    const struct session *rule_session; /* whose questions a rule has just been made for */
    size_t output_cap;
    int64_t grace_ms;
    size_t max_open_calls, max_open_prompts, max_finished_calls;
    bool headless, keyboard;

    struct observer_slot *observers;
    size_t observer_count;
    unsigned announcing; /* depth: slots are only removed at 0 */

    struct session **sessions;
    struct stopped_agent *stopped_agents; /* that have sessions of their own */
    size_t stopped_agent_count;
    struct session_denials plain_denials; /* of all sessions of plain clients */
    size_t session_count;
    struct call_entry **calls; /* all that are kept, oldest first */
    size_t call_count;
    size_t patches_kept;      /* bytes of the patches of those that are finished */
    struct call_entry **open; /* those that are not finished, oldest first */
    size_t open_count;
    struct call_entry **waiting; /* open prompts, oldest first */
    size_t waiting_count;
    struct ticket *tickets;
    struct loop_turn *turn;
    struct build_files *build_files;
    uint64_t moment;                 /* a turn is one, and so is what lies between two */
    struct loop_timer *lease_timer;  /* the next lease of time ends */
    struct loop_signal *hold_signal; /* somebody wants to write a held script; or NULL */
    uint64_t last_call_id, last_prompt_id;
    bool frozen;
    bool placeholders_told; /* once: that what a listing shows is not on disk */
    bool recheck;           /* something was granted: look at what waits */
};

/* Tells every observer that listens to this event, in order of registration. */
#define announce(orchestrator_, event, ...)                                                        \
    do {                                                                                           \
        (orchestrator_)->announcing++;                                                             \
        for (size_t slot_ = 0; slot_ < (orchestrator_)->observer_count; slot_++) {                 \
            const struct observer_slot *to_ = &(orchestrator_)->observers[slot_];                  \
            if (to_->observer != NULL && to_->observer->event != NULL)                             \
                to_->observer->event(to_->argument, __VA_ARGS__);                                  \
        }                                                                                          \
        (orchestrator_)->announcing--;                                                             \
    } while (0)

/* ---- entries.c: the calls that are kept ------------------------------------------------------ */

/* A call that is not yet known to anybody; takes `spec` over. */
struct call_entry *entry_new(struct orchestrator *orchestrator, struct session *session,
                             enum call_tool tool, struct command_spec *spec,
                             const struct call_options *options);
void entry_free(struct call_entry *entry);
/* It has finished: frees what only open calls need. */
void entry_shed(struct call_entry *entry);
/* Whether its command runs project code is judged with this; lives as long as the entry. */
struct loader_context entry_loader_context(const struct call_entry *entry);
/* From now on it is one of the calls, and is taken up in the next turn. */
struct call *entry_take_in(struct orchestrator *orchestrator, struct call_entry *entry);
/* It has finished, and nobody will be told of it again: tells so, and frees it. */
void entry_forget(struct call_entry *entry);
struct call_entry *entry_find(const struct orchestrator *orchestrator, uint64_t id);
/* The call whose prompt that is, or NULL when it is not open. */
struct call_entry *entry_find_prompt(const struct orchestrator *orchestrator, uint64_t prompt_id);
void entry_add_waiting(struct orchestrator *orchestrator, struct call_entry *entry);
void entry_remove_waiting(struct orchestrator *orchestrator, const struct call_entry *entry);
void entry_remove_open(struct orchestrator *orchestrator, const struct call_entry *entry);
/* Does the call run a command of words that can be looked at? Nothing else is known of an agent's
 * own tools, of questions about hosts and of patches, which are shown themselves. */
bool entry_has_words(const struct call_entry *entry);
/* Does it wait for the operator, shown or held back? */
bool entry_is_question(const struct call_entry *entry);
/* Is it one of the keys? */
bool entry_holds_key(char *const *keys, const char *key);

/* ---- under.c: what an attempt is confined by ------------------------------------------------- */

/* What an attempt under `sandbox` is confined by, in words; caller frees. */
struct wording *attempt_describe(const struct call_entry *entry, enum attempt_sandbox sandbox);
/* The policy of such an attempt; caller frees. NULL with a message when it cannot be made. */
struct sandbox_policy *attempt_policy(const struct call_entry *entry, enum attempt_sandbox sandbox,
                                      struct error *error);
/* The sandbox that holds that policy here. -1 with a message when none does. */
int attempt_type(const struct call_entry *entry, enum attempt_sandbox sandbox,
                 const struct sandbox_policy *policy, enum sandbox_type *type, struct error *error);

/* Does it ask to leave a sandbox that would hold it, or is it another command than was stopped
 * there, so that it could run there instead? */
bool attempt_may_stay(const struct call_entry *entry);

/* ---- stopped.c: what the sandbox stopped in a command that ended well --------------------------
 */

/* The repository that the sandbox may have kept an attempt under `policy` from writing, by git's
 * own words, or because nothing else can have become of its push; raw bytes. NULL: none is known.
 * The caller frees. */
char *stopped_push(const struct call_entry *entry, const struct sandbox_policy *policy,
                   const struct denial_evidence *evidence);
/* Where its output says that it was stopped, of a command that is known to write outside, if the
 * policy does not let it write there. As above. */
char *stopped_write(const struct call_entry *entry, const struct sandbox_policy *policy,
                    const struct denial_evidence *evidence);

/* ---- path_offer.c: the one path that a command could be given to write ----------------------- */

/* Of a command that was stopped: finds it for the question about its second try. */
void path_offer_denied(struct call_entry *entry);
void path_offer_drop(struct call_entry *entry);
/* Before a first attempt: is one known that the sandbox would stop, the repository that a push
 * writes or the only file outside that it changes? Then the operator can give it at once. Does
 * nothing for a retry. */
void path_offer_known(struct call_entry *entry);
/* Given to a first attempt: what may come after it has that too. */
void path_offer_keep(struct call_entry *entry);
/* What was asked for and that path; `asked` may be NULL. The caller frees. */
struct additional_permissions *path_offer_with(const struct additional_permissions *asked,
                                               const char *path);
/* The real path of the repository that git opens by that absolute name: of a working tree it is
 * within. NULL: there is none, or a file there says where. The caller frees. */
char *path_offer_repository(const char *address);
/* Would a sandbox here hold that policy, with what is protected in the path? Pins what is not. */
bool path_offer_can_hold(const struct call_entry *entry, struct sandbox_policy *policy,
                         const char *path);

/* ---- path_grants.c: such a path, for the session --------------------------------------------- */

/* Why a path that is offered may not be given for the session (N_, static); NULL: it may. */
const char *path_grants_once_reason(const struct call_entry *entry);
/* Gives it; the grant's id, and in call.keys what it is for. */
uint64_t path_grants_add(struct call_entry *entry);
/* Was the command given paths for the session, and are they what they were? Then its first attempt
 * runs in the sandbox with them: true, and the newest grant's id. What has changed ends. */
bool path_grants_use(struct call_entry *entry, uint64_t *grant_id);
/* What its first attempt would be given so, were it kept in the sandbox that it asks to leave, and
 * the call that the newest grant was given with; the caller frees. NULL: nothing. What has changed
 * ends. */
struct additional_permissions *path_grants_held(struct call_entry *entry, uint64_t *call);
/* It is kept there: gives it what its prompt says that it has so. The newest grant's path, borrowed
 * until the grants change; NULL: nothing, and it runs as the turn has it. */
const char *path_grants_keep(struct call_entry *entry);
void path_grants_drop(struct call_entry *entry);

/* ---- arrival.c: a request is checked and looked at ------------------------------------------ */

/* Checks the spec (owned by the entry already), makes its cwd physical, finds the program. -1 with
 * a message for whoever sent it. */
int arrival_take(struct call_entry *entry, struct error *error);
/* Requirement, keys of the first question, local assessment. */
void arrival_judge(struct call_entry *entry);
/* What of its words git is to be asked about, as things are now: a first try may have changed it.
 */
void arrival_tell_git(struct call_entry *entry);
/* The requirement alone, again (a prefix was allowed meanwhile). */
void arrival_judge_requirement(struct call_entry *entry);
/* Would the requirement be gone with this rule? */
bool arrival_rule_would_allow(const struct call_entry *entry, const char *line);
/* Of a question whether it may run again without the sandbox: notes the words that it is about. */
void arrival_note_stopped(struct call_entry *entry);
/* The rules that are offered with the question at hand; the caller frees. NULL when there are none:
 * *why says why (static, N_). */
struct ladder *arrival_make_ladder(const struct call_entry *entry, const char **why);
/* Does nothing hold it: it is to leave the sandbox, or the operator has taken that away? What runs
 * in another program's sandbox is not meant. */
bool arrival_is_unconfined(const struct call_entry *entry);
/* Is what was judged still there: program and directory? -1 with a message when not. */
int arrival_unchanged(const struct call_entry *entry, struct error *error);
/* The key of a first attempt that may write that path as well. The caller frees. */
char *arrival_path_key(const struct call_entry *entry, const struct key_path *path);
/* The key of the question whether a command that asks to leave the sandbox may run without it once
 * that has stopped it: the same run. The caller frees. */
char *arrival_retry_key(const struct call_entry *entry);
/* Why a command may not be given more than the sandbox for longer than once: static (N_), or NULL.
 */
const char *arrival_once_with_more(const struct call_entry *entry);
/* The key of the question at hand (entry->retry, sandbox, standard_input) into entry->question,
 * and into call.keys if its answer may be remembered. */
void arrival_make_keys(struct call_entry *entry);

/* What the sandbox of the attempt at hand lets it do, as a key says it; NULL: none holds it. The
 * caller frees. */
char *arrival_policy(const struct call_entry *entry);
/* What its command is made of, judged as it is now; the caller clears it. */
void arrival_read(const struct call_entry *entry, struct judgement *judgement);
/* The key of the question at hand, if it were about that part of the command alone. The caller
 * frees. */
char *arrival_part_key(const struct call_entry *entry, const struct judgement_part *part,
                       const char *policy);

/* ---- denied_parts.c: what is denied by itself, asked for among other things ------------------ */

/* "make test (c82)": what of the call's command the operator has denied by itself, as the question
 * at hand would be; NULL: nothing. The caller frees. */
char *denied_parts(const struct call_entry *entry);

/* ---- own_tool -------------------------------------------------------------------------------- */

/* 0, or -1 when a call of the agent's own tool asks for what only commands of ours get. */
int own_tool_check(const struct call_entry *entry, struct error *error);
/* Sets the requirement of a call with fields of the agent's own. */
void own_tool_require(struct call_entry *entry);
/* … and its assessment. */
void own_tool_assess(struct call *call);

/* ---- attempt.c: one run of a call ------------------------------------------------------------ */

/* Starts the next attempt under entry->sandbox. -1 with a message when nothing was started and
 * no attempt counts; what fails later ends as an attempt. */
int attempt_start(struct call_entry *entry, struct error *error);
/* The run has ended: frees it, judges whether the sandbox denied it. */
void attempt_end(struct call_entry *entry);
/* May the agent's input be given to a second attempt? */
bool attempt_can_repeat(const struct call_entry *entry);
void attempt_kill(struct call_entry *entry);
/* The same without grace, and without waiting: the attempt counts as killed. */
void attempt_kill_now(struct call_entry *entry);

/* ---- transitions.c: what happens to a call, and when ----------------------------------------- */

enum call_event {
    EVENT_TAKEN_UP,  /* first turn after it was submitted */
    EVENT_CANCELLED, /* by its client, the operator's abort, or the end of its session */
    EVENT_ANSWERED,  /* the operator decided */
    EVENT_COVERED,   /* what was granted to another request covers this one's prompt */
    EVENT_ROOM,      /* there is room for its prompt */
    EVENT_RECORDED,  /* the decision is on disk, or cannot be brought there */
    EVENT_ENDED,     /* the run has ended */
};

/* Does what the table says for the call's state; an event that the state does not know is logged
 * and nothing happens. */
void transition_fire(struct call_entry *entry, enum call_event event);
/* Ends a call whatever its state, as the orchestrator itself ends. */
void transition_close(struct call_entry *entry, const char *why);
/* For what the table does: the only place that changes a call's state. */
void transition_enter(struct call_entry *entry, enum call_state state);
/* The call is over: tells so. Its entry is kept. */
void transition_finish(struct call_entry *entry);

/* ---- questions.c: what the operator is asked ------------------------------------------------- */

/* Makes the prompt of the question at hand, and asks. */
void question_open(struct call_entry *entry);
/* Asks in place of the prompt that is open, which is freed: what it was about was edited. */
void question_ask_anew(struct call_entry *entry);
/* The same, when parts of it were denied by themselves since, or may be asked again; or when what
 * was given to the same command for the session is another by now. */
void question_follow_answers(struct call_entry *entry);
/* The same, when a path was sought that can be given by now. */
void question_follow_path(struct call_entry *entry);
/* Takes the prompt, if there is one, and what was answered to it off the call. The caller frees it
 * once observers have been told. */
struct prompt *question_take(struct call_entry *entry);

/* ---- verdicts.c: what is decided ------------------------------------------------------------- */

/* A decision to be taken; what it points to is copied. */
struct verdict {
    enum review_kind kind;
    enum decision_source source;
    uint64_t grant_id;
    struct lease lease;
    const char *message;
    unsigned repeats;
    const char *rule;
    bool rule_lasts;
    size_t offer;     /* as in struct review_decision */
    const char *path; /* as there */
    bool alone;       /* as there */
};

/* It may run, once the decision is on disk. */
void verdict_approve(struct call_entry *entry, const struct verdict *verdict);
/* It must not, and is over. */
void verdict_refuse(struct call_entry *entry, const struct verdict *verdict);
/* The question at hand must be answered: by what was said before, or by the operator. */
void verdict_seek(struct call_entry *entry);
/* The same for one that was held back: by now there is room for it. */
void verdict_take_room(struct call_entry *entry);
/* The grant or rule that covers the question at hand: true and the grant's id (0: a rule). */
bool verdict_covered(const struct call_entry *entry, uint64_t *grant_id);
/* It was given paths for the session: it runs with them, as after verdict_approve(), and true. */
bool verdict_give_paths(struct call_entry *entry);
/* The same was asked before, and the operator said no: refuses it, which ends the call, and returns
 * true. */
bool verdict_refuse_again(struct call_entry *entry);

/* ---- memory.c: rules that the operator makes of requests ------------------------------------ */

/* Makes the rule that entry->answer_rule chose of its prompt; returns it, the caller frees. *lasts:
 * it is kept beyond the session. */
char *memory_add(struct call_entry *entry, bool *lasts);
/* The operator took that rule back: the record is told. */
void memory_tell_taken_back(struct orchestrator *orchestrator, const struct session *session,
                            const char *line);

/* ---- sessions.c ------------------------------------------------------------------------------ */

/* What was denied with that call may be asked again: tells so, and what waits is asked about as
 * that is now. */
void sessions_tell_forgotten(struct orchestrator *orchestrator, uint64_t call);

/* ---- undo.c: the operator's answers, in their order ------------------------------------------ */

/* The operator has answered so: what that gave is an approval (a path, too), a denial, or nothing
 * that lasts. */
void undo_note(const struct call_entry *entry, enum undo_kind kind);
/* The operator has made a rule, kept when it is for no session; entry NULL: of no request. */
void undo_note_rule(struct orchestrator *orchestrator, struct session *session,
                    const struct call_entry *entry, const char *line);
/* What the session was given as it began: answers from before this console, in their order. */
void undo_note_restored(struct orchestrator *orchestrator, struct session *session);
/* The session ends, with all that was answered for it. */
void undo_forget(struct orchestrator *orchestrator, const struct session *session);
void undo_free(struct orchestrator *orchestrator);

/* ---- holds.c: scripts stay as they are while they run ---------------------------------------- */

/* Holds the scripts of an attempt that is about to start without a sandbox. -1: one could change.
 */
int holds_take(struct call_entry *entry, struct error *error);
/* Its run is over, or did not come about: once its last process has ended. */
void holds_release(struct call_entry *entry);

/* ---- changes.c: build files that have changed since the operator allowed what runs them -------
 */

/* Whether the command runs build files, into entry->builds; looks for changes if it does, and
 * otherwise only sees to it that those of its own run will be noticed. */
void changes_arrive(struct call_entry *entry);
/* Its run has ended: what has changed has probably been changed by it. */
void changes_after_run(struct call_entry *entry);
/* Before its question: looks, and ends what was granted for it before the newest change. */
void changes_void_grants(struct call_entry *entry);
/* Has something changed that the operator does not know of, so that what they made rules of for
 * this session is no longer what would run? */
bool changes_unseen(const struct call_entry *entry);
/* The sum of what it runs code from, as last looked at, by which another console knows that it is
 * the same; NULL when that cannot be said. The caller frees. */
char *changes_files(const struct call_entry *entry);
/* The number of the newest change that concerns it. */
uint64_t changes_newest(const struct call_entry *entry);
/* What the operator is told about changes, or NULL; the caller frees. */
struct wording *changes_describe(const struct call_entry *entry);
/* What has been granted for it holds for what it runs code from as the operator was told of it. */
void changes_granted(const struct call_entry *entry);
/* The operator has allowed it, and was told of changes up to that number. */
void changes_allowed(struct call_entry *entry, uint64_t newest);

/* ---- leases.c: grants that end before their session ----------------------------------------- */

void leases_open(struct orchestrator *orchestrator);
void leases_close(struct orchestrator *orchestrator);
/* Grants of this session that end are told of. */
void leases_watch(struct orchestrator *orchestrator, struct session *session);
/* Grants what the open prompt asks for as long as entry->answer_lease says; the first grant's id.
 */
uint64_t leases_grant(struct call_entry *entry);
/* grants_cover() of what the call asks for, and of what a command wants to reach: by what was
 * granted to any command of the session, or to that alone. */
uint64_t leases_cover(const struct call *call);
uint64_t leases_cover_reach(const struct call *command, const struct reach *reach);
/* The same of a use; what that ends is told of in the next turn. */
uint64_t leases_use(struct orchestrator *orchestrator, const struct call *call);
uint64_t leases_use_reach(struct orchestrator *orchestrator, const struct call *command,
                          const struct reach *reach);
/* The call that a grant of the question at hand can be bound to, 0: there is none. */
uint64_t leases_call(const struct call_entry *entry);
/* The call has finished, and what was granted for as long as it runs is over. */
void leases_call_ended(struct orchestrator *orchestrator, uint64_t call);

/* ---- room.c: how many prompts a session may have open ---------------------------------------- */

/* May it be asked about, or must it wait for room? */
bool room_is_free(const struct call_entry *entry);
/* Asks about those that wait for room and may have it now. */
void room_give(struct orchestrator *orchestrator);
/* As orchestrator_put_aside(); a prompt that is made anew or gone is not put aside. */
void room_set_aside(struct call_entry *entry, bool aside);

/* ---- halt.c: everything frozen, agents stopped ----------------------------------------------- */

/* May the call start now? Notes in the call that it does not when everything is frozen. */
bool halt_may_start(struct call_entry *entry);
void halt_free(struct orchestrator *orchestrator);

/* ---- reach_call.c: questions about hosts ----------------------------------------------------- */

/* As arrival_judge() and arrival_judge_requirement(), of a call that asks about a host. */
void reach_judge(struct call_entry *entry);
void reach_judge_requirement(struct call_entry *entry);
/* As arrival_rule_would_allow() and arrival_make_ladder(), which gives no reason here. */
bool reach_rule_would_allow(const struct call_entry *entry, const char *line);
struct ladder *reach_make_ladder(const struct call_entry *entry);
/* It is decided, or will not be. */
void reach_finished(struct call_entry *entry);
/* Takes the listening socket of a command over. */
void reach_open_gateway(struct call_entry *entry, int listener);

#endif
