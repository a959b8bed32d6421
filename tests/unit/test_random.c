/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* All of it is filled, nothing behind it is, and no two are alike. */
static void fills_what_it_was_given(void **state)
{
    (void)state;
    static unsigned char zeros[64], bytes[5000], more[5000];
    random_fill(bytes, sizeof(bytes) - 64);
    random_fill(more, sizeof(more));
    assert_memory_equal(bytes + sizeof(bytes) - 64, zeros, 64);
    for (size_t i = 0; i + 64 < sizeof(bytes); i += 64)
        assert_memory_not_equal(bytes + i, zeros, 16);
    assert_memory_not_equal(bytes, more, 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fills_what_it_was_given)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
