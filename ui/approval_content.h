/* SPDX-License-Identifier: MIT */
/*
 * approval_content: what the operator is told about a request, in order and in words. Made from a
 * call once for each revision of its prompt; knows nothing of places or colours on the screen
 * beyond the element that each text is.
 */
#ifndef ASSENT_UI_APPROVAL_CONTENT_H
#define ASSENT_UI_APPROVAL_CONTENT_H

#include <stdbool.h>
#include <stddef.h>

#include "approval/call.h"
#include "approval/orchestrator.h"
#include "ui/approval_rule.h"
#include "ui/keymap.h"
#include "ui/subject.h"
#include "ui/theme.h"

#define APPROVAL_FIELDS_MAX 20

/* Where there is no room for all, what has less is cut first. */
enum approval_worth {
    APPROVAL_SAME,    /* reads the same each time: left out where the next ones have a row each */
    APPROVAL_TELLS,   /* differs from request to request */
    APPROVAL_MATTERS, /* can change the answer */
    APPROVAL_REASON,  /* why it is asked: the first to have more room */
    APPROVAL_GIVES,   /* the risk, and what an answer gives */
};

struct approval_field {
    const char *label; /* our words, translated */
    char *text;        /* safe to show; owned */
    enum theme_element element;
    bool agent_words; /* a bar stands beside it */
    bool prose;       /* of an agent's words: they are a text, no command */
    enum approval_worth worth;
    bool single;  /* has the same rows, whatever it says: its text comes and goes */
    bool session; /* tells whom an answer for the session reaches */
    bool in_part; /* everything about the request has all of it, in a part of its own */
    bool path;    /* names the path that one of the answers gives */
    int brief;    /* its turn for a row where there are few, from 1 on; 0: by its worth */
};

/* Bytes of the command as it is shown; `end` exclusive. */
struct approval_mark {
    size_t start, end;
};

/* The names of the keys for answers that rows speak of: for this once, those that hold for more,
 * the one that gives a path, the one that gives it for longer, "" where there is none, the one that
 * changes the command, the plain no, and the one that keeps it in the sandbox, "" where there is
 * none. */
struct approval_keys {
    char once[24], session[24], rule[24], path[24], lasts[24], change[24], deny[24], inside[24];
};

/* Calls that end with the request when it is aborted: for_call is one. */
struct approval_ends {
    unsigned count;
    unsigned grave;   /* of these: of high risk, and not answered */
    unsigned foreign; /* of these: another program asked for them, in a session that many share */
    unsigned same;    /* beside these: others that ask just this; a no is one to them, too */
    uint64_t last;    /* the number of the one that came last, or of the request's own call */
};

struct approval_content {
    char *command; /* safe to show, may hold newlines; owned */
    enum subject subject;
    size_t command_bytes;                          /* length of the command itself */
    struct approval_mark marks[RISK_EVIDENCE_MAX]; /* what the risk was judged by */
    size_t mark_count;
    unsigned tabs;    /* TEXT_TABS where the command has several lines, else 0 */
    size_t replaced;  /* characters of command and directory that are shown as marks */
    bool look_alikes; /* letters of several alphabets in a word */
    struct approval_field fields[APPROVAL_FIELDS_MAX];
    size_t count;
    enum risk_level risk;
    bool own;     /* the operator typed it */
    bool changed; /* the operator has edited it */
    bool may_end; /* what asks is told when it is aborted, and may end its turn then */
    bool shared;  /* its session is that of all plain clients */
    bool untold;  /* … and there was no room to say so but in the answers */
    bool unsandboxed;
    bool leaves;       /* as approval_content_leaves() */
    bool hosts_denied; /* its session has hosts that are denied without a question */
    bool asks_hosts;   /* it is known to connect, in a sandbox where each host is asked for */
    bool fetches;      /* it runs code that it fetches: not the same the next time */
    struct approval_ends ends;
    char deny_key[24]; /* of the no beside the one that ends others */
    char *host_for;    /* whose commands may reach the host by an answer for longer; or NULL */
    char host_key[24]; /* … and the key of that answer */
    uint64_t for_call; /* the call that the connection is asked for, or 0 */
    bool retry;
    bool repeats;  /* … what the first has done, perhaps */
    bool instead;  /* … of another command than ran at first: the operator has edited it since */
    bool inferred; /* only the command's own words say that the sandbox stopped it */
    size_t waiting_at; /* the field that says how many connections wait for it */
    struct approval_rule rule;
    bool may_sandbox; /* it could run in the sandbox that it asks to leave */
    const char *path; /* as in struct prompt; its own */
    bool path_holds;
    bool path_may_last; /* as in struct prompt */
    bool path_lasts;    /* the answer that gives it is chosen to hold for the session */
    char *no_path;      /* why that is not offered, as its row says; owned, or NULL */
    char *once;         /* why it can only be allowed once, the same */
    char *path_once;    /* why the path can be given but once; owned, or NULL */
    bool may_approve_for_session;
    bool secret; /* its answer is not to be seen */
    bool offers; /* the agent has answers of its own */
};

/* The call must be asking. `keys`: where answers are missing that have one, that is said; NULL:
 * they stand elsewhere. `ascii`: the screen shows nothing else, so that every other character
 * becomes a mark, too. */
void approval_content_init(struct approval_content *content, const struct call *call,
                           const struct approval_keys *keys, bool ascii);
/* How many wait for the answer, and what else its session has open, changes while the request is on
 * the screen. True when it did. */
bool approval_content_follow(struct approval_content *content, const struct call *call);
/* What ends with it now, but for calls that came after that one (0: all). */
struct approval_ends approval_content_ends(const struct call *call, uint64_t up_to);
/* How long the answer for longer is to hold: the row that tells whom it reaches says so, of a host.
 */
void approval_content_hold(struct approval_content *content, const struct lease *lease);
void approval_content_clear(struct approval_content *content);
/* What follows the call's name: "asks. May it run?" Static, translated. */
const char *approval_content_question(const struct approval_content *content);
/* Is it grave: of high risk, or with text that cannot be shown as it is? */
bool approval_content_is_grave(const struct approval_content *content);
/* Does an answer that allows it take its key and then Enter, in its own overlay and for this
 * request alone? The one rule for that, wherever it is answered: so does what is grave, what
 * makes a wide rule, what gives a path for longer, and what leaves the sandbox, be it by this
 * answer or by the first run that it covers. One thing that leaves takes the key alone: a first
 * run, once, of what is of low risk. */
bool approval_content_confirms(const struct approval_content *content, enum action action);
/* Does that answer make a rule that is wide (approval_rule_is_wide())? */
bool approval_content_widens(const struct approval_content *content, enum action action);
/* Does allowing it once let something run that no sandbox of ours holds? */
bool approval_content_leaves(const struct call *call);
/* Does that answer let something run that no sandbox holds, now or by what it grants? */
bool approval_content_lets_out(const struct approval_content *content, enum action action);
/* Does allowing it for the session, or by the chosen rule, let more than this one run out of the
 * sandbox? */
bool approval_content_session_leaves(const struct approval_content *content);
bool approval_content_rule_leaves(const struct approval_content *content);
/* Why that answer, which is not offered, is not: in the words of the row that says so, if one does.
 * Translated, of the content. */
const char *approval_content_why_not(const struct approval_content *content, enum action action);

#endif
