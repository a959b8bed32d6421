/* SPDX-License-Identifier: MIT */
/*
 * call: one request of an agent, from its arrival to its result.
 *
 *   received ──► asking ──► recording ──► running ──► finished
 *       │           │  ▲        ▲            │
 *       └───────────┼──┼────────┘            │ denied by the sandbox, may ask again
 *                   │  └─────────────────────┘ (attempt 2: asking, recording, running)
 *                   └──► finished
 *
 * Only the orchestrator changes a call; everybody else reads it.
 */
#ifndef ASSENT_APPROVAL_CALL_H
#define ASSENT_APPROVAL_CALL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "approval/context.h"
#include "approval/grants.h"
#include "approval/policy.h"
#include "approval/reach.h"
#include "base/sha256.h"
#include "base/wording.h"
#include "risk/assessment.h"
#include "risk/git_losses.h"
#include "risk/opinion.h"
#include "risk/push_commits.h"
#include "run/output.h"
#include "run/runner.h"
#include "sandbox/command.h"
#include "sandbox/denial.h"

struct ladder;
struct session;

enum call_tool { CALL_SHELL, CALL_APPLY_PATCH, CALL_NETWORK, CALL_PERMISSIONS };

enum call_state {
    CALL_RECEIVED,
    CALL_ASKING,    /* a prompt is open */
    CALL_RECORDING, /* its decision is on the way to the disk */
    CALL_RUNNING,
    CALL_FINISHED,
};

enum review_kind {
    REVIEW_NONE,
    REVIEW_APPROVED,
    REVIEW_APPROVED_FOR_SESSION,
    REVIEW_APPROVED_AMENDMENT, /* approve and remember the shown prefix rule */
    REVIEW_DENIED,
    REVIEW_ABORT, /* also cancels the session's other open calls: session_abort_ends() */
    REVIEW_TIMED_OUT,
    REVIEW_APPROVED_SANDBOXED, /* once, but in the sandbox that it asked to leave */
    REVIEW_APPROVED_PATH,      /* once more, in the sandbox, which lets it write prompt->path */
    /* the same, and whenever its session runs exactly this */
    REVIEW_APPROVED_PATH_FOR_SESSION,
};

#define REVIEW_LAST REVIEW_APPROVED_PATH_FOR_SESSION

enum decision_source {
    DECIDED_BY_USER,
    DECIDED_BY_CONFIG,
    DECIDED_BY_CACHE,
    DECIDED_BY_RULE,
    DECIDED_BY_CLIENT, /* by whoever sits at the client that asked, as the operator has configured
                        */
    DECIDED_BY_STOP,   /* its agent is stopped: nobody looked at it */
    DECIDED_BY_END,    /* the console ended while it waited */
};

#define DECIDED_BY_LAST DECIDED_BY_END

/* What an attempt runs under. */
enum attempt_sandbox {
    ATTEMPT_TURN_DEFAULT, /* the turn's sandbox policy */
    ATTEMPT_PERMISSIONS,  /* the turn's policy plus exactly the additional permissions shown */
    ATTEMPT_UNSANDBOXED,
};

struct review_decision {
    enum review_kind kind;
    enum decision_source source;
    char *message;      /* operator's words to the agent (denied), or NULL; owned */
    uint64_t grant_id;  /* grant that covered it (cache) or that it made, else 0 */
    struct lease lease; /* approved_for_session by the operator: how long it holds */
    int64_t waited_ms;  /* how long the prompt was open */
    bool taken_back;    /* denied: the operator has let it ask again since */
    unsigned repeats;   /* denied as the same was before: how often by now, else 0 */
    size_t offer;       /* 1: the first of the call's offers was picked …; 0: none */
    char *rule;         /* approved_amendment: the rule that was made, or NULL; owned */
    bool rule_lasts;    /* it outlives the session */
    bool alone;         /* abort: nothing else ended with it */
    bool unsandboxed;   /* it lets a run of ours start that no sandbox holds */
    char *path;         /* approved_path…: what it may write; untrusted; owned */
};

/* Everything the operator is shown about a request; made by the orchestrator, immutable while the
 * prompt is open (its risk may be raised: `revision` counts up then). Strings are untrusted and
 * not escaped unless said otherwise. */
/* A script that would run where no sandbox holds it: what it says. Untrusted; owned. */
struct prompt_script {
    char *path;
    char *text; /* NULL: it is too long, or not text */
    size_t lines;
    char sha256[SHA256_HEX_SIZE]; /* of its bytes; "" when it is too long */
};

struct prompt {
    uint64_t id; /* unique in this console; a decision names it */
    unsigned revision;
    enum prompt_cause cause;
    bool retry;             /* after a sandbox denial: asks to run again with less sandbox */
    char *command;          /* argv as one shell line (a `bash -lc` wrapper shows its script) */
    struct wording *reason; /* why it is asked */
    struct wording *under;  /* what it will run under if approved */
    bool covers_retry;      /* approving also covers one run without sandbox after a denial */
    uint64_t retry_denied;  /* that was denied for the session already, as that call; 0: it was not,
                               and is asked */
    enum attempt_sandbox sandbox;
    bool may_sandbox;                    /* it could run in the sandbox that it asks to leave */
    struct additional_permissions *held; /* … and might write this there, which the operator gave
                                            the same command for the session; or NULL; owned */
    uint64_t held_call;                  /* … with that call, the last of them */
    char *path;                   /* retry: it could run in the sandbox if it might write this; or
                                     NULL */
    bool path_holds;              /* … a directory, with all in it */
    bool path_may_last;           /* … and that is offered for the session, too */
    const char *path_once_reason; /* … why it is not: static and untranslated, may be NULL */
    struct wording *path_under;   /* … and what that would be; or NULL */
    const char *no_path;          /* why there is none: static and untranslated, may be NULL */
    bool may_approve_for_session; /* a session grant is offered */
    const char *once_reason;      /* why it is not: static and untranslated (N_), may be NULL */
    char *once_names;             /* the word of the command that this is about, or NULL */
    uint64_t lease_call;          /* a grant can be for as long as this call runs; 0: none */
    char **amendment;      /* words of the rule worth suggesting, then of the one made; NULL */
    struct ladder *ladder; /* the rules that are offered, or NULL; owned */
    const char *no_rule;   /* why there are none: static and untranslated, may be NULL */
    int64_t opened_ms;     /* monotonic */
    char *denied; /* parts of its command that are denied by themselves: "make test (c82)", or NULL;
                     escaped */
    struct wording *changed;       /* build files that it runs and that have changed, or NULL */
    uint64_t changes;              /* the newest change that this tells of */
    struct wording *first_attempt; /* retry: what the first attempt did, else NULL */
    bool repeats_some; /* retry: of several commands, some of which that may have done already */
    struct prompt_script *scripts; /* that it names and runs; owned */
    size_t script_count;
    bool script_unknown; /* it runs more, and which file that is, only the run tells */
};

struct attempt {
    enum attempt_sandbox sandbox;
    enum sandbox_type type; /* what confines it */
    struct wording *under;  /* summary of the policy in force */
    int64_t started_ms;     /* wall clock */
    int64_t began;          /* touched_now() */
    char *command; /* that it ran, where the operator has changed it since; else NULL; owned */
    char **argv;   /* … its words; owned */
    struct run_result result;
    struct sandbox_denial *denial; /* NULL when it was not the sandbox; owned */
    struct wording *touched;       /* what changed on disk meanwhile; NULL: nobody has looked */
    bool touched_some;             /* something did, or that is not known */
    bool git_config_kept;          /* it ended well, but says that it could not write .git/config */
    char *push_stopped;            /* … and its push may not have written this repository, */
    char *write_stopped;  /* … or it could not write this path; raw bytes; owned; or NULL */
    bool own_network;     /* it has a localhost that no other command reaches */
    bool nobody_listened; /* … and has failed, saying that nobody listened there */
};

/* Who ended a call before its time. */
enum canceller {
    CANCELLED_BY_NOBODY,
    CANCELLED_BY_CLIENT,
    CANCELLED_BY_OPERATOR,
    CANCELLED_BY_CONSOLE
};

/* The process that asked, for sessions that several share. */
struct call_client {
    char *name; /* what it calls itself, or NULL; untrusted; owned */
    pid_t pid;  /* as seen by us, 0 when there is no process */
    char *exe;  /* path of its executable as seen by us, or NULL; untrusted text; owned */
    pid_t tree; /* of which processes it is one, as seen by us: limits count by it; 0: unknown */
    pid_t *lineage; /* the processes that it comes from, and negative the sessions that it is an
                       orphan of, as seen by us; 0 at the end; NULL: unknown; owned */
};

/* Does it come from that process? `session` is the process's own session, 0 when it has gone: an
 * orphan of that may be its, and nothing tells. */
bool call_client_comes_from(const struct call_client *client, pid_t root, pid_t session);
/* The same agent? A tree may have several, which names tell apart; others claim the same name. */
bool call_client_is_same(const struct call_client *one, const struct call_client *other);
/* A copy of such a list; NULL of NULL. */
pid_t *call_lineage_copy(const pid_t *lineage);

/* What an option of the agent's own says of itself; what we do not know may be anything. */
enum offer_kind {
    OFFER_UNKNOWN,
    OFFER_ALLOW_ONCE,
    OFFER_ALLOW_ALWAYS,
    OFFER_REJECT_ONCE,
    OFFER_REJECT_ALWAYS
};

/* An answer that an agent offers beside plain yes and no. What comes of it is the agent's to know:
 * it holds there, where nothing of ours can take it back. */
struct call_offer {
    char *name; /* by which it is picked; untrusted; owned */
    enum offer_kind kind;
};

#define CALL_OFFERS_MAX 8

struct call {
    uint64_t id; /* 1, 2, … in this console; shown as "c12" */
    enum call_tool tool;
    enum call_state state;
    struct session *session;      /* borrowed: lives as long as any of its calls */
    struct turn_context *context; /* frozen at arrival */
    struct command_spec *spec;    /* owned */
    /* The agent runs this itself, by this tool of its own, and only asks whether it may; nothing is
     * started here. NULL: we run it. Untrusted; owned. */
    char *agent_tool;
    uint64_t input_for; /* the call that its input is for (write_stdin), 0: none */
    bool widens;        /* approved, its session may do what spec->additional says from then on */
    bool wants_words;   /* spec->argv[1] is a question; approving it is answering it by the
                           decision's message */
    bool secret_words;  /* … and that is shown and recorded nowhere */
    bool in_person;     /* a yes says that the operator does or did something themselves: no policy
                           and nothing allowed before says it for them */
    struct call_offer offers[CALL_OFFERS_MAX]; /* with agent_tool */
    size_t offer_count;
    bool agent_fields;   /* spec->argv is not a command, but that tool's name and fields */
    char *program;       /* argv[0] as resolved at arrival, or NULL when not found */
    char *asked_command; /* what the agent asked for, once the operator has edited it; else NULL */
    char *line;          /* the command as the assessment's evidence counts its bytes */
    struct push_commits pushes; /* of a git push, and of its connections; all NULL where it cannot
                                   be said */
    struct push_seen seen;      /* … and what git has said of those since it is asked about */
    struct git_losses losses;   /* of another command of git, and what that has said of them */
    /* CALL_APPLY_PATCH: its text, untrusted; owned. Once the call has finished it is what is kept
     * of it, from its begin on (patch_kept.h): perhaps nothing, "". */
    char *patch;
    size_t patch_left_out;                 /* bytes that are no longer kept */
    unsigned char patch_hash[SHA256_SIZE]; /* of the whole text, when some of it is not kept */
    char **keys; /* approval keys (canonical JSON) of the question at hand, NULL-terminated; none
                    when its answer may not be remembered */
    struct approval_requirement requirement;
    struct assessment assessment;   /* risk, local at once; a model may raise its level */
    struct opinion opinion;         /* of a model */
    unsigned looks_begun;           /* how often git was asked of it, */
    unsigned looks;                 /* … and which of these it answered last, if with the same */
    unsigned news;                  /* counts what came in since: opinions, what git has seen */
    struct prompt *prompt;          /* while state is CALL_ASKING, else NULL */
    char asked_as[SHA256_HEX_SIZE]; /* all that the last prompt asked about, with why and how bad
                                       that is, and which file its program was, as a hash; "":
                                       there was none, or it is like no other (its input is not
                                       known) */
    /* The same of the prompt for its first try; "": that was not asked about. */
    char first_asked_as[SHA256_HEX_SIZE];
    struct review_decision decision; /* the last one */
    struct attempt attempts[2];
    unsigned attempt_count;
    struct output *output;       /* of the current or last attempt: merged stream */
    struct output *error_output; /* stderr when the caller asked for split streams, else NULL */
    struct run *run;             /* while running */
    int64_t received_ms;         /* wall clock */
    int64_t waits_ms; /* monotonic: since when the question at hand waits, also for its prompt */
    bool cancelled;
    enum canceller cancelled_by;
    bool broken_off;    /* the console ended while it ran */
    bool agent_stopped; /* it ended, or was refused, because the operator stopped its agent */
    bool ended_with;    /* the operator's answer to another one ended it */
    bool was_frozen;    /* some of the time in which it ran */
    bool frozen;        /* with all others; it runs, or would start */
    char *listed;       /* placeholders in what it printed, with "/" between, of which its agent is
                           to be told; or NULL; not escaped; owned */
    char *failure;      /* why it ended without a result of its own, or NULL */
    struct call_client client;
    struct reach *reach; /* CALL_NETWORK: what is asked about; owned; else NULL */
    int gateway; /* while it runs: where its connections to the proxy arrive (a listening socket,
                    owned), or -1 */
    char **unreached; /* hosts that it was denied, with the words that go with it: "URL: no", each
                         once, up to a limit; or NULL */
    char **unreached_by;         /* of each: decision_source_name() of who denied it */
    struct reach_cover *covered; /* hosts that an earlier answer let it reach unasked, each once, up
                                    to a limit; owned */
    size_t covered_count;
    struct reach_failure *failures; /* hosts that were allowed and that none of its connections has
                                       reached since the last try failed, up to a limit; owned */
    size_t failure_count;
    unsigned connections;    /* that have ended */
    uint64_t sent, received; /* bytes of those */
    void *owner;             /* for the frontend that submitted it */
};

const char *call_state_name(enum call_state state);
const char *call_tool_name(enum call_tool tool);               /* "shell", "apply_patch" … */
const char *review_kind_name(enum review_kind kind);           /* "approved_for_session" … */
const char *decision_source_name(enum decision_source source); /* "user", "config" … */
const char *canceller_name(enum canceller canceller);          /* "client", "operator" … */

const char *attempt_sandbox_name(enum attempt_sandbox sandbox); /* "turn_default" … */
const char *offer_kind_name(enum offer_kind kind);  /* "allow_always" …; of none: "unknown" */
enum offer_kind offer_kind_parse(const char *name); /* NULL allowed */
/* Does it say no? What is unknown counts as a yes to anything. */
bool offer_kind_denies(enum offer_kind kind);
/* Is it one of the approvals? */
bool review_kind_approves(enum review_kind kind);

/* True when the state may follow the other: the table of the picture above. */
bool call_transition_allowed(enum call_state from, enum call_state to);

/* Exit statuses that are Assent's own; they follow timeout(1) and the shells, 77 is EX_NOPERM. */
enum { EXIT_STATUS_REFUSED = 77, EXIT_STATUS_TIMED_OUT = 124, EXIT_STATUS_FAILED = 125 };

/* What ended it otherwise: the failure of what the end of the console has ended, and the messages
 * that what the operator stopped is refused with. */
#define ENDED_WITH_CONSOLE "the console ended"
#define STOPPED_BY_OPERATOR "stopped by the operator"
#define AGENT_STOPPED_BY_OPERATOR "the operator stopped this agent"

/* Exit status as a shell would give it: the command's own, 128+signal, 77 refused, 124 timed out,
 * 125 Assent failed. Meaningful once finished. */
int call_exit_status(const struct call *call);
/* Is it a line of several commands? Some of them may have been done when it fails. */
bool call_is_compound(const struct call *call);
/* Does the last command alone say how such a line ends? Not of a chain of "&&". */
bool call_ends_with_last(const struct call *call);

#endif
