/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"

enum { WORDS = 20000, SECONDS_MAX = 5 };

static void put_words(const char *program, const char *word)
{
    char **argv = xmalloc((WORDS + 2) * sizeof(*argv));
    json_t *object = json_object();
    clock_t began = clock();
    argv[0] = (char *)program;
    for (size_t i = 1; i <= WORDS; i++)
        argv[i] = (char *)word;
    argv[WORDS + 1] = NULL;
    log_put_argv(object, argv);
    assert_int_equal(json_array_size(json_object_get(object, "argv")), WORDS + 1);
    assert_in_range((clock() - began) / CLOCKS_PER_SEC, 0, SECONDS_MAX);
    json_decref(object);
    free(argv);
}

/* It is written on the loop: neither keys nor requests are looked at meanwhile. */
static void a_command_of_many_words_takes_no_time(void **state)
{
    static const char *const words[][2] = {{"true", "abc"},   {"true", "-px"}, {"docker", "-px"},
                                           {"curl", "-uabc"}, {"su", "-x"},    {"sh", "-c"}};
    (void)state;
    for (size_t i = 0; i < COUNT(words); i++)
        put_words(words[i][0], words[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_of_many_words_takes_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
