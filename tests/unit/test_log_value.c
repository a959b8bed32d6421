/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "record/log_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "growth.h"

struct repeated {
    const char *program, *word;
};

static void put_repeated(void *data, size_t length)
{
    const struct repeated *repeated = data;
    char **argv = xmalloc((length + 2) * sizeof(*argv));
    json_t *object = json_object();
    argv[0] = (char *)repeated->program;
    for (size_t i = 1; i <= length; i++)
        argv[i] = (char *)repeated->word;
    argv[length + 1] = NULL;
    log_put_argv(object, argv);
    assert_int_equal(json_array_size(json_object_get(object, "argv")), length + 1);
    json_decref(object);
    free(argv);
}

/* It is written on the loop: neither keys nor requests are looked at meanwhile. */
static void many_words_take_their_length(void **state)
{
    static const char *const words[][2] = {{"true", "abc"},   {"true", "-px"}, {"docker", "-px"},
                                           {"curl", "-uabc"}, {"su", "-x"},    {"sh", "-c"}};
    (void)state;
    for (size_t i = 0; i < COUNT(words); i++) {
        struct repeated repeated = {words[i][0], words[i][1]};
        if (!grows_with_its_length(put_repeated, &repeated, 20000))
            fail_msg("the square of the length for: %s %s", words[i][0], words[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_words_take_their_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
