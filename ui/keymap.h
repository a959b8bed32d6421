/* SPDX-License-Identifier: MIT */
/*
 * keymap: which key does what, and where. One table holds the name, the help text and the default
 * keys of every action; the help overlay and the hints on the screen are made from it.
 */
#ifndef ASSENT_UI_KEYMAP_H
#define ASSENT_UI_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Who has the keyboard. */
enum keymap_context {
    KEYMAP_MAIN,     /* the prompt line and everything around it */
    KEYMAP_PANE,     /* a command's terminal */
    KEYMAP_APPROVAL, /* a request */
    KEYMAP_VIEW,     /* text that can be scrolled: help, full view */
    KEYMAP_READER,   /* reading a pane */
    KEYMAP_INBOX,    /* the list of what waits */
    KEYMAP_GRANTS,   /* the list of what holds */
    KEYMAP_SUGGEST,  /* the list of rules that could be made */
    KEYMAP_LINE,     /* editing a line of text */
    KEYMAP_CONTEXT_COUNT,
};

/* Those of a context stand together, in the order of contexts. */
enum action {
    ACTION_NONE,
    ACTION_HELP,
    ACTION_ANSWER,
    ACTION_ENTER_PANE,
    ACTION_ZOOM,
    ACTION_PREVIOUS_CALL,
    ACTION_NEXT_CALL,
    ACTION_DETAILS,
    ACTION_STOP_CALL,
    ACTION_INBOX,
    ACTION_FREEZE,
    ACTION_STOP_AGENT,
    ACTION_GRANTS,
    ACTION_SCROLL_UP,
    ACTION_SCROLL_DOWN,
    ACTION_READ,
    ACTION_REDRAW,
    ACTION_SUSPEND,
    ACTION_QUIT,
    ACTION_LEAVE_PANE,
    ACTION_APPROVE,
    ACTION_APPROVE_SANDBOXED,
    ACTION_APPROVE_PATH,
    ACTION_PATH_LASTS,
    ACTION_APPROVE_SESSION,
    ACTION_APPROVE_PREFIX,
    ACTION_RULE_NARROWER,
    ACTION_RULE_WIDER,
    ACTION_RULE_SCOPE,
    ACTION_LEASE_KIND,
    ACTION_LEASE_BACK,
    ACTION_LEASE_LONGER,
    ACTION_LEASE_SHORTER,
    ACTION_DENY,
    ACTION_DENY_MESSAGE,
    ACTION_ABORT,
    ACTION_OFFERS,
    ACTION_EDIT,
    ACTION_VIEW_ALL,
    ACTION_PUT_ASIDE,
    ACTION_OPTION_UP,
    ACTION_OPTION_DOWN,
    ACTION_OPTION_TAKE,
    ACTION_COMMAND_UP,
    ACTION_COMMAND_DOWN,
    ACTION_COMMAND_TOP,
    ACTION_COMMAND_END,
    ACTION_APPROVAL_HELP,
    ACTION_VIEW_UP,
    ACTION_VIEW_DOWN,
    ACTION_VIEW_PAGE_UP,
    ACTION_VIEW_PAGE_DOWN,
    ACTION_VIEW_TOP,
    ACTION_VIEW_END,
    ACTION_VIEW_SEARCH,
    ACTION_VIEW_NEXT,
    ACTION_VIEW_PREVIOUS,
    ACTION_VIEW_CLOSE,
    ACTION_READER_UP,
    ACTION_READER_DOWN,
    ACTION_READER_LEFT,
    ACTION_READER_RIGHT,
    ACTION_READER_PAGE_UP,
    ACTION_READER_PAGE_DOWN,
    ACTION_READER_LINE_START,
    ACTION_READER_LINE_END,
    ACTION_READER_TOP,
    ACTION_READER_END,
    ACTION_READER_SEARCH,
    ACTION_READER_NEXT,
    ACTION_READER_PREVIOUS,
    ACTION_READER_SELECT,
    ACTION_READER_COPY,
    ACTION_READER_HELP,
    ACTION_READER_CLOSE,
    ACTION_INBOX_UP,
    ACTION_INBOX_DOWN,
    ACTION_INBOX_PAGE_UP,
    ACTION_INBOX_PAGE_DOWN,
    ACTION_INBOX_TOP,
    ACTION_INBOX_END,
    ACTION_INBOX_MARK,
    ACTION_INBOX_MARK_AGENT,
    ACTION_INBOX_MARK_ALL,
    ACTION_INBOX_SEARCH,
    ACTION_INBOX_HIGH,
    ACTION_INBOX_APPROVE,
    ACTION_INBOX_APPROVE_SESSION,
    ACTION_INBOX_APPROVE_PREFIX,
    ACTION_INBOX_DENY,
    ACTION_INBOX_DENY_MESSAGE,
    ACTION_INBOX_OPEN,
    ACTION_INBOX_HELP,
    ACTION_INBOX_CLOSE,
    ACTION_GRANT_UP,
    ACTION_GRANT_DOWN,
    ACTION_GRANT_PAGE_UP,
    ACTION_GRANT_PAGE_DOWN,
    ACTION_GRANT_TOP,
    ACTION_GRANT_END,
    ACTION_GRANT_REVOKE,
    ACTION_GRANT_SHOW,
    ACTION_GRANT_CLOSE,
    ACTION_SUGGEST_UP,
    ACTION_SUGGEST_DOWN,
    ACTION_SUGGEST_ADD,
    ACTION_SUGGEST_TAKE,
    ACTION_SUGGEST_SHOW,
    ACTION_SUGGEST_CLOSE,
    ACTION_LINE_ACCEPT,
    ACTION_LINE_CANCEL,
    ACTION_LINE_OLDER,
    ACTION_LINE_NEWER,
    ACTION_LINE_COMPLETE,
    ACTION_COUNT,
};

struct key {
    uint32_t code;      /* code point or enum input_key; 0: none */
    unsigned modifiers; /* enum input_modifier */
};

#define KEYMAP_KEYS 3 /* keys that an action may have */

struct keymap {
    struct key keys[ACTION_COUNT][KEYMAP_KEYS];
};

void keymap_init(struct keymap *keymap); /* the default keys */
/* The action of a key, ACTION_NONE when it has none there. */
enum action keymap_find(const struct keymap *keymap, enum keymap_context context, uint32_t code,
                        unsigned modifiers);
enum keymap_context keymap_context_of(enum action action);
/* It answers, stops, frees or changes what holds, or says what an answer is about: text that comes
 * in one piece, as no finger types, must never do that. */
bool keymap_decides(enum action action);
const char *keymap_name(enum action action); /* "approve-session" */
const char *keymap_help(enum action action); /* translated */
/* The first key of an action as shown on the screen ("y", "Ctrl-\", "F12"); "" when it has none. */
const char *keymap_key(const struct keymap *keymap, enum action action, char out[24]);
/* A key in the same form. */
const char *keymap_key_name(const struct key *key, char out[24]);
/* Reads that form, in any case. False when it is none, or one that no terminal sends. */
bool keymap_key_parse(const char *text, struct key *key);
/* All keys of an action as shown on the screen ("F9  Alt-i"); the caller frees. */
char *keymap_keys(const struct keymap *keymap, enum action action);

/* ---- keymap_change.c */
/* Gives actions other keys: "ACTION=KEY" strings ("approve=Y", "zoom=Ctrl-T"), NULL-terminated; of
 * several for one action all count. They take the place of its letters, control and function keys;
 * keys with a name (Enter, Esc, arrows …), which texts on the screen speak of, stay. -1 with a
 * message that quotes the string when there is no such action or key, when the key would not do
 * there (an answer by Enter, a letter at the prompt line), or when two actions would share it; the
 * keymap is then unusable. */
int keymap_change(struct keymap *keymap, const char *const *changes, struct error *error);

#endif
