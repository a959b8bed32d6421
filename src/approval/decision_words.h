/* SPDX-License-Identifier: MIT */
/*
 * decision_words: what was decided, in the words in which the screen, its trail, :log and `assent
 * log` tell of it: the same for the same, whether it has just been or is read from the record.
 */
#ifndef ASSENT_APPROVAL_DECISION_WORDS_H
#define ASSENT_APPROVAL_DECISION_WORDS_H

#include "approval/call.h"

/* What there is to say of a decision, from a call or from the record. */
struct decided {
    enum review_kind kind;
    enum decision_source source;
    bool host;           /* it was asked about one */
    struct lease lease;  /* LEASE_SESSION also where nothing was allowed for longer */
    bool rule_gone;      /* the rule that was made of it has been taken back */
    bool taken_back;     /* what was allowed for longer has been, or that it was denied */
    bool rule_lasts;     /* the rule that was made outlives its session */
    bool changed;        /* the operator has made another command of it */
    bool alone;          /* abort: nothing else was open */
    bool tried;          /* it ran: what was decided last is its second try */
    uint64_t covered_by; /* the call whose answer covers it; 0: none that is known */
    const char *path;    /* approved_path…: what it may write, untrusted; NULL: none */
    const char *by_rule; /* DECIDED_BY_RULE: which, "FILE:LINE", untrusted; NULL: unknown */
    const char *offer;   /* the agent's own answer that was picked, untrusted; NULL: none */
};

/* "allowed for 10 minutes", "denied" …; caller frees. */
char *decision_words(const struct decided *decided);
/* "stopped by you": the operator ended it and answered nothing; `tried` as above. */
const char *decision_words_stopped(bool tried);
/* "by you", "by a rule (/home/…/default.rules:3)", "covered by your answer to c3" …; caller frees.
 */
char *decision_words_by(const struct decided *decided);
/* ", its connection covered by your answer to c3": of a command that asked nobody, when who let it
 * out had been asked before: the first and the last such call. "" where there is none (0); caller
 * frees. */
char *decision_words_reached(uint64_t first, uint64_t last);
/* ", its host allowed by you (c3)": the same where it asked for that itself. */
char *decision_words_host(uint64_t first, uint64_t last);
/* What was asked, given a line of it (untrusted): "connect to https://example.org" where that was a
 * host; caller frees. */
char *decision_words_asked(const char *line, bool host);
/* "for 10 minutes", "for this session" …; of a host not runs are counted but connections. Caller
 * frees. */
char *decision_words_lease(const struct lease *lease, bool host);

#endif
