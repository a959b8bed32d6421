/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/keymap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/input.h"

static void every_action_is_complete(void **state)
{
    struct keymap keymap;
    char key[24];

    (void)state;
    keymap_init(&keymap);
    for (unsigned i = 1; i < ACTION_COUNT; i++) {
        assert_true(strlen(keymap_name((enum action)i)) > 0);
        assert_true(strlen(keymap_help((enum action)i)) > 0);
        assert_true(strlen(keymap_key(&keymap, (enum action)i, key)) > 0);
    }
}

/* A key that meant two things in one place would do the one and announce the other. */
static void no_key_means_two_things(void **state)
{
    struct keymap keymap;

    (void)state;
    keymap_init(&keymap);
    for (unsigned i = 1; i < ACTION_COUNT; i++)
        for (unsigned j = 0; j < KEYMAP_KEYS; j++) {
            const struct key *key = &keymap.keys[i][j];

            if (key->code != 0)
                assert_int_equal(keymap_find(&keymap, keymap_context_of((enum action)i), key->code,
                                             key->modifiers),
                                 i);
        }
}

static void answers_have_the_familiar_keys(void **state)
{
    static const struct {
        uint32_t key;
        unsigned modifiers;
        enum action action;
    } table[] = {
        {'y', 0, ACTION_APPROVE},
        {'i', 0, ACTION_APPROVE_SANDBOXED},
        {'w', 0, ACTION_APPROVE_PATH},
        {'a', 0, ACTION_APPROVE_SESSION},
        {'p', 0, ACTION_APPROVE_PREFIX},
        {'d', 0, ACTION_DENY},
        {'n', 0, ACTION_DENY_MESSAGE},
        {'x', 0, ACTION_ABORT},
        {'v', 0, ACTION_VIEW_ALL},
        {'a', INPUT_CTRL, ACTION_VIEW_ALL},
        {INPUT_KEY_ESCAPE, 0, ACTION_PUT_ASIDE},
        {'y', INPUT_ALT, ACTION_NONE},
        {'Y', 0, ACTION_NONE},
    };
    struct keymap keymap;

    (void)state;
    keymap_init(&keymap);
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        assert_int_equal(keymap_find(&keymap, KEYMAP_APPROVAL, table[i].key, table[i].modifiers),
                         table[i].action);
}

/* ---- the configuration's ------------------------------------------------------------------- */

static int change(struct keymap *keymap, const char *changes, struct error *error)
{
    char copy[200];
    const char *list[8] = {NULL};
    char *rest = NULL;
    size_t count = 0;

    assert_true(strlen(changes) < sizeof(copy));
    strcpy(copy, changes);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        list[count++] = word;
    keymap_init(keymap);
    return keymap_change(keymap, list, error);
}

static void keys_can_be_changed(void **state)
{
    static const struct {
        const char *changes;
        enum action action;
        const char *keys;
    } table[] = {
        {"", ACTION_APPROVE, "y"},
        {"approve=Ctrl-O", ACTION_APPROVE, "Ctrl-O"},
        {"approve=Y approve=F5", ACTION_APPROVE, "Y  F5"},
        {"approve=shift-f5", ACTION_APPROVE, "Shift-F5"},
        {"deny=\xc3\xb6", ACTION_DENY, "\xc3\xb6"},
        {"approve=d deny=y", ACTION_DENY, "y"}, /* an exchange, whatever the order */
        {"zoom=ctrl-t", ACTION_ZOOM, "Ctrl-T"},
        {"lease-longer==", ACTION_LEASE_LONGER, "="},
        {"view-close=x", ACTION_VIEW_CLOSE, "Esc  x"},
        {"inbox-close=x", ACTION_INBOX_CLOSE, "Esc  Tab  x"},
        {"view-down=Down", ACTION_VIEW_DOWN, "Down"},
        {"command-down=PgDn command-down=f", ACTION_COMMAND_DOWN, "PgDn  f"},
        {"older=Ctrl-P", ACTION_LINE_OLDER, "Up  Ctrl-P"},
    };
    struct error error = ERROR_INIT;
    struct keymap keymap;

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        char *keys;

        if (change(&keymap, table[i].changes, &error) < 0)
            fail_msg("%s: %s", table[i].changes, error.message);
        keys = keymap_keys(&keymap, table[i].action);
        assert_string_equal(keys, table[i].keys);
        free(keys);
    }
    assert_int_equal(change(&keymap, "approve=Y", &error), 0);
    assert_int_equal(keymap_find(&keymap, KEYMAP_APPROVAL, 'Y', 0), ACTION_APPROVE);
    assert_int_equal(keymap_find(&keymap, KEYMAP_APPROVAL, 'y', 0), ACTION_NONE);
}

/* What they say names the key and the action. */
static void bad_changes_are_refused(void **state)
{
    static const char *const table[][2] = {
        {"approve", "ACTION=KEY"},
        {"aprove=y", "\"aprove=y\": there is no such action"},
        {"approve=yy", "\"approve=yy\": there is no such key"},
        {"approve=", "\"approve=\": there is no such key"},
        {"approve=\xe2\x80\xae", "there is no such key"},
        {"approve=Ctrl-M", "there is no such key"}, /* terminals send it for Enter */
        {"approve=Ctrl-I", "there is no such key"},
        {"approve=Ctrl-[", "there is no such key"},
        {"approve=Shift-y", "there is no such key"},
        {"zoom=Alt-[", "there is no such key"},
        {"approve=d", "d would mean both \"approve\" and \"deny\""},
        {"deny=y", "y would mean both \"approve\" and \"deny\""},
        {"zoom=F9", "F9 would mean both"},
        {"inbox-mark=y", "y would mean both \"inbox-mark\" and \"inbox-approve\""},
        /* Keys that are listened to in several places. */
        {"freeze=F2 answer=Ctrl-T approve=F2", "F2 would mean both \"freeze\" and \"approve\""},
        {"deny=F7", "F7 would mean both \"freeze\" and \"deny\""},
        {"view=F9", "F9 would mean both \"inbox\" and \"view\""},
        {"deny=F6", "F6 would mean both \"grants\" and \"deny\""},
        {"inbox-open=F9", "F9 would mean both \"inbox\" and \"inbox-open\""},
        {"zoom=Enter", "Enter would mean both \"zoom\" and \"accept\""},
        /* What may be no answer. */
        {"approve=Enter", "\"approve=Enter\": an answer needs"},
        {"approve=Esc", "an answer needs"},
        {"approve=Space", "an answer needs"},
        {"approve=Up", "an answer needs"},
        {"approve=Alt-y", "an answer needs"},
        {"approve-sandboxed=Enter", "an answer needs"},
        {"approve-session=Tab", "an answer needs"},
        {"approve-prefix=Backspace", "an answer needs"},
        {"deny=PgDn", "an answer needs"},
        {"abort=Delete", "an answer needs"},
        {"inbox-approve=Enter", "an answer needs"},
        {"inbox-deny-message=Tab", "an answer needs"},
        {"option-take=t", "always Enter"},
        /* What takes letters for itself. */
        {"zoom=z", "could not be typed"},
        {"accept=a", "could not be typed"},
        {"leave-pane=q", "the program in the pane needs that key"},
        {"leave-pane=Esc", "the program in the pane needs that key"},
        {"zoom=F2 zoom=F3 zoom=F4 zoom=F5", "at most 3 keys"},
    };
    struct keymap keymap;

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct error error = ERROR_INIT;

        if (change(&keymap, table[i][0], &error) == 0)
            fail_msg("%s is taken", table[i][0]);
        if (strstr(error.message, table[i][1]) == NULL)
            fail_msg("%s: %s", table[i][0], error.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_action_is_complete),       cmocka_unit_test(no_key_means_two_things),
        cmocka_unit_test(answers_have_the_familiar_keys), cmocka_unit_test(keys_can_be_changed),
        cmocka_unit_test(bad_changes_are_refused),
    };

    return cmocka_run_group_tests_name("keymap", tests, NULL, NULL);
}
