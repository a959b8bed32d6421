/* SPDX-License-Identifier: MIT */
/* keymap_change: the operator's own keys, and what they may not be. */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "ui/input.h"
#include "ui/keymap.h"

/* Answers a request, of which a single key is proof enough. */
static bool answers(enum action action)
{
    switch (action) {
    case ACTION_APPROVE:
    case ACTION_APPROVE_SANDBOXED:
    case ACTION_APPROVE_PATH:
    case ACTION_APPROVE_SESSION:
    case ACTION_APPROVE_PREFIX:
    case ACTION_DENY:
    case ACTION_DENY_MESSAGE:
    case ACTION_ABORT:
    case ACTION_INBOX_APPROVE:
    case ACTION_INBOX_APPROVE_SESSION:
    case ACTION_INBOX_APPROVE_PREFIX:
    case ACTION_INBOX_DENY:
    case ACTION_INBOX_DENY_MESSAGE:
        return true;
    default:
        return false;
    }
}

/* The same on every keyboard and in every program, and named in texts on the screen. */
static bool has_name(const struct key *key)
{
    return key->code >= INPUT_KEY_ESCAPE && key->code < INPUT_KEY_F1;
}

/* Why that key would not do for the action; NULL when it does. */
static const char *why_not(enum action action, const struct key *key)
{
    enum keymap_context context = keymap_context_of(action);
    bool types = key->code < INPUT_KEY_ESCAPE && key->modifiers == 0;

    if (action == ACTION_OPTION_TAKE)
        return "it confirms what is of high risk, and is always Enter";
    /* Those move and scroll, and hands are on them; Alt-y is also Esc and y, typed fast. */
    if (answers(action) && (has_name(key) || key->code == ' ' || (key->modifiers & INPUT_ALT) != 0))
        return "an answer needs a letter, a key with Ctrl, or F1 to F12";
    if (context == KEYMAP_PANE && (types || has_name(key)))
        return "the program in the pane needs that key; take one with Ctrl or Alt, or F1 to F12";
    if ((context == KEYMAP_MAIN || context == KEYMAP_LINE) && types)
        return "it could not be typed any more; take a key with Ctrl or Alt, or F1 to F12";
    return NULL;
}

/* What the configuration replaces. */
static void drop_nameless(struct key keys[KEYMAP_KEYS])
{
    unsigned kept = 0;

    for (unsigned i = 0; i < KEYMAP_KEYS; i++)
        if (has_name(&keys[i]))
            keys[kept++] = keys[i];
    memset(&keys[kept], 0, (KEYMAP_KEYS - kept) * sizeof(keys[0]));
}

/* False when there is no room for one more. */
static bool add(struct key keys[KEYMAP_KEYS], const struct key *key)
{
    for (unsigned i = 0; i < KEYMAP_KEYS; i++) {
        if (keys[i].code == key->code && keys[i].modifiers == key->modifiers)
            return true;
        if (keys[i].code == 0) {
            keys[i] = *key;
            return true;
        }
    }
    return false;
}

static enum action find_action(const char *name, size_t length)
{
    for (unsigned i = 1; i < ACTION_COUNT; i++)
        if (strncmp(keymap_name((enum action)i), name, length) == 0 &&
            keymap_name((enum action)i)[length] == '\0')
            return (enum action)i;
    return ACTION_NONE;
}

static int change(struct keymap *keymap, const char *text, bool changed[ACTION_COUNT],
                  struct error *error)
{
    const char *equals = strchr(text, '=');
    enum action action;
    const char *reason;
    struct key key;

    if (equals == NULL)
        return error_set(error, 0, "keys: \"%s\" is not of the form ACTION=KEY", text);
    action = find_action(text, (size_t)(equals - text));
    if (action == ACTION_NONE)
        return error_set(error, 0, "keys: \"%s\": there is no such action (:keys lists them)",
                         text);
    if (!keymap_key_parse(equals + 1, &key))
        return error_set(error, 0, "keys: \"%s\": there is no such key (examples: y, Ctrl-A, F5)",
                         text);
    reason = why_not(action, &key);
    if (reason != NULL)
        return error_set(error, 0, "keys: \"%s\": %s", text, reason);
    if (!changed[action])
        drop_nameless(keymap->keys[action]);
    changed[action] = true;
    if (!add(keymap->keys[action], &key))
        return error_set(error, 0, "keys: \"%s\": an action has at most %d keys", text,
                         KEYMAP_KEYS);
    return 0;
}

/* Does a key of one take it from the other? Some are listened to in several places: the brake over
 * everything but a pane, the inbox and what holds over a request and over the inbox, those of the
 * prompt line before its editor's. */
static bool meet(enum action one, enum action other)
{
    enum keymap_context context = keymap_context_of(one), there = keymap_context_of(other);

    if (context == there)
        return true;
    if (one == ACTION_FREEZE)
        return there != KEYMAP_PANE;
    if ((one == ACTION_INBOX || one == ACTION_GRANTS) &&
        (there == KEYMAP_APPROVAL || there == KEYMAP_INBOX))
        return true;
    /* Completing comes before what Tab does otherwise. */
    return context == KEYMAP_MAIN && there == KEYMAP_LINE && other != ACTION_LINE_COMPLETE;
}

static bool holds(const struct key keys[KEYMAP_KEYS], const struct key *key)
{
    for (unsigned i = 0; i < KEYMAP_KEYS; i++)
        if (keys[i].code == key->code && keys[i].modifiers == key->modifiers)
            return true;
    return false;
}

static int check_pair(const struct keymap *keymap, enum action one, enum action other,
                      struct error *error)
{
    char name[24];

    for (unsigned i = 0; i < KEYMAP_KEYS && keymap->keys[one][i].code != 0; i++)
        if (holds(keymap->keys[other], &keymap->keys[one][i]))
            return error_set(
                error, 0, "keys: %s would mean both \"%s\" and \"%s\"; give one of them another",
                keymap_key_name(&keymap->keys[one][i], name), keymap_name(one), keymap_name(other));
    return 0;
}

int keymap_change(struct keymap *keymap, const char *const *changes, struct error *error)
{
    bool changed[ACTION_COUNT] = {false};

    for (size_t i = 0; changes[i] != NULL; i++)
        if (change(keymap, changes[i], changed, error) < 0)
            return -1;
    for (unsigned i = 1; i < ACTION_COUNT; i++)
        for (unsigned j = 1; j < ACTION_COUNT; j++)
            if (i != j && meet((enum action)i, (enum action)j) &&
                check_pair(keymap, (enum action)i, (enum action)j, error) < 0)
                return -1;
    return 0;
}
