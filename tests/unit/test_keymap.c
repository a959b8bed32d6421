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

static void keys_can_be_changed(void **state)
{
    struct error error = ERROR_INIT;
    struct keymap keymap;
    char key[24];

    (void)state;
    keymap_init(&keymap);
    assert_int_equal(keymap_bind(&keymap, "approve", "Ctrl-O", &error), 0);
    assert_int_equal(keymap_find(&keymap, KEYMAP_APPROVAL, 'o', INPUT_CTRL), ACTION_APPROVE);
    assert_int_equal(keymap_find(&keymap, KEYMAP_APPROVAL, 'y', 0), ACTION_NONE);
    assert_string_equal(keymap_key(&keymap, ACTION_APPROVE, key), "Ctrl-O");
    assert_int_equal(keymap_bind(&keymap, "approve", "Shift-F5", &error), 0);
    assert_string_equal(keymap_key(&keymap, ACTION_APPROVE, key), "Shift-F5");
    assert_int_equal(keymap_bind(&keymap, "deny", "\xc3\xb6", &error), 0);
    assert_int_equal(keymap_find(&keymap, KEYMAP_APPROVAL, 0xf6, 0), ACTION_DENY);
}

static void bad_changes_are_refused(void **state)
{
    struct error error = ERROR_INIT;
    struct keymap keymap;

    (void)state;
    keymap_init(&keymap);
    assert_int_equal(keymap_bind(&keymap, "aprove", "y", &error), -1);
    assert_non_null(strstr(error.message, "aprove"));
    assert_int_equal(keymap_bind(&keymap, "approve", "yy", &error), -1);
    assert_int_equal(keymap_bind(&keymap, "approve", "", &error), -1);
    assert_int_equal(keymap_bind(&keymap, "approve", "d", &error), -1);
    assert_non_null(strstr(error.message, "deny"));
    assert_int_equal(keymap_find(&keymap, KEYMAP_APPROVAL, 'y', 0), ACTION_APPROVE);
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
