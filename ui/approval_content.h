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
#include "ui/subject.h"
#include "ui/theme.h"

#define APPROVAL_FIELDS_MAX 20

struct approval_field {
    const char *label; /* our words, translated */
    char *text;        /* safe to show; owned */
    enum theme_element element;
    bool agent_words; /* a bar stands beside it */
    bool prose;       /* of an agent's words: they are a text, no command */
    bool important;   /* is not shortened to make room */
    bool single;      /* has one row, always: its text comes and goes */
    bool path;        /* names the path that one of the answers gives */
};

/* Bytes of the command as it is shown; `end` exclusive. */
struct approval_mark {
    size_t start, end;
};

/* The names of the keys for answers that hold for more than this once. */
struct approval_keys {
    char session[24], rule[24];
};

struct approval_content {
    char *command; /* safe to show, may hold newlines; owned */
    enum subject subject;
    size_t command_bytes;                          /* length of the command itself */
    struct approval_mark marks[RISK_EVIDENCE_MAX]; /* what the risk was judged by */
    size_t mark_count;
    size_t replaced;  /* characters of command and directory that are shown as marks */
    bool look_alikes; /* letters of several alphabets in a word */
    struct approval_field fields[APPROVAL_FIELDS_MAX];
    size_t count;
    enum risk_level risk;
    bool own;     /* the operator typed it */
    bool changed; /* the operator has edited it */
    bool shared;  /* its session is that of all plain clients */
    bool unsandboxed;
    bool fetches;      /* it runs code that it fetches: not the same the next time */
    unsigned others;   /* open calls of its session beside it, and beside for_call */
    unsigned grave;    /* of these: of high risk, and not answered */
    uint64_t for_call; /* the call that the connection is asked for, or 0 */
    bool retry;
    bool inferred;     /* only the command's own words say that the sandbox stopped it */
    size_t waiting_at; /* the field that says how many connections wait for it */
    struct approval_rule rule;
    bool may_sandbox; /* it could run in the sandbox that it asks to leave */
    const char *path; /* as in struct prompt; its own */
    bool path_holds;
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
void approval_content_clear(struct approval_content *content);
/* What follows the call's name: "asks. May it run?" Static, translated. */
const char *approval_content_question(const struct approval_content *content);
/* Does allowing it take a second key: high risk, or text that cannot be shown as it is. */
bool approval_content_needs_confirmation(const struct approval_content *content);
/* Does allowing it run what the sandbox has stopped once more, with all that the operator may do:
 * that takes a second key, too. */
bool approval_content_leaves_again(const struct approval_content *content);
/* Does allowing it for the session, or by the chosen rule, let more than this one run out of the
 * sandbox: that takes a second key, too. */
bool approval_content_session_leaves(const struct approval_content *content);
bool approval_content_rule_leaves(const struct approval_content *content);
/* Does ending it end calls that somebody else may have asked for, in a session that many share, or
 * the one that it is for: that takes a second key, too. */
bool approval_content_ends_others(const struct approval_content *content);

#endif
