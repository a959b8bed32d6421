/* SPDX-License-Identifier: MIT */
/* listed: a listing is told from what only names a placeholder. */
#include "config.h"

#include "approval/listed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"

static void listings_are_found(void **state)
{
    static const struct {
        const char *output, *found;
    } TABLE[] = {
        {".envrc\n.idea\nmain.c\n", ".envrc/.idea"},
        {"./.envrc\n./main.c\n./.idea", ".envrc/.idea"},
        {".envrc=  .idea=\r\n", ".envrc/.idea"},
        {"\033[01;35m.envrc\033[0m  \033[01;35m.idea\033[0m\n", ".envrc/.idea"},
        {"sr--r--r-T 9 u u 0 Jan 1 .idea\n", ".idea"},
        {"", NULL},
        {"main.c\n", NULL},
        {".envrc\nbuild\n", NULL},           /* a .gitignore */
        {".envrc/\n.idea/x\n", NULL},        /* another */
        {".envrc.old my.idea .idea2", NULL}, /* other names */
        {"m.envrc [1m.idea", NULL},          /* no colours */
        {"sr--r--r-T 1 u u 0 other\n", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
        const char *output = TABLE[i].output;
        cleanup_free char *found = listed_names(".envrc/.idea", output, strlen(output));
        if (TABLE[i].found == NULL ? found != NULL
                                   : found == NULL || strcmp(found, TABLE[i].found) != 0)
            fail_msg("%zu: %s", i, found != NULL ? found : "nothing");
    }
}

static void nothing_is_listed_where_nothing_stands(void **state)
{
    (void)state;
    assert_null(listed_names("", "sr--r--r-T .idea", 16));
}

static void the_first_names_are_worded(void **state)
{
    (void)state;
    cleanup_free char *all = listed_words(".a/.b", 2, 2);
    cleanup_free char *some = listed_words(".a/.b/.c", 3, 2);
    cleanup_free char *untold = listed_words(".a", 9, 6);
    assert_string_equal(all, ".a, .b");
    assert_string_equal(some, ".a, .b and 1 more");
    assert_string_equal(untold, ".a and 8 more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listings_are_found),
        cmocka_unit_test(nothing_is_listed_where_nothing_stands),
        cmocka_unit_test(the_first_names_are_worded),
    };
    return cmocka_run_group_tests_name("listed", tests, NULL, NULL);
}
