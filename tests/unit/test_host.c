/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void one_form_for_each_name(void **state)
{
    (void)state;
    static const struct {
        const char *written, *name; /* NULL: refused */
    } table[] = {
        {"example.org", "example.org"},
        {"EXAMPLE.Org.", "example.org"},
        {"a_b-c.example", "a_b-c.example"},
        {"localhost", "localhost"},
        {"M\xc3\xbcnchen.example", "xn--mnchen-3ya.example"},
        {"XN--MNCHEN-3YA.example", "xn--mnchen-3ya.example"},
        {"stra\xc3\x9f"
         "e.example",
         "xn--strae-oqa.example"},
        {"example\xe3\x80\x82org", "example.org"}, /* ideographic full stop */
        {"\xef\xbd\x85xample.org", "example.org"}, /* fullwidth e */
        {"127.0.0.1", "127.0.0.1"},
        {"127.0.0.1.", "127.0.0.1"},
        {"127.1", "127.0.0.1"},
        {"0x7f.1", "127.0.0.1"},
        {"0X7F.0x1", "127.0.0.1"},
        {"0177.0.0.1", "127.0.0.1"},
        {"2130706433", "127.0.0.1"},
        {"\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.1", "127.0.0.1"}, /* fullwidth 127 */
        {"[::1]", "::1"},
        {"::1", "::1"},
        {"[::ffff:127.0.0.1]", "127.0.0.1"},
        {"[::FFFF:7f00:1]", "127.0.0.1"},
        {"[2001:DB8:0:0::1]", "2001:db8::1"},
        {"", NULL},
        {".", NULL},
        {"a..b", NULL},
        {".a", NULL},
        {"a b", NULL},
        {"a/b", NULL},
        {"a@b", NULL},
        {"a%2eb", NULL},
        {"1.2.3.4.5", NULL},
        {"999999999999", NULL},
        {"example.1", NULL},
        {"example.0x7f", NULL},
        {"[::1", NULL},
        {"[]", NULL},
        {"[fe80::1%eth0]", NULL},
        {"[1.2.3.4]", NULL},
        {"xn--a.example", NULL}, /* no A-label */
        {"\xff.example", NULL},
        {"a\xe2\x80\x8b"
         "b\n.example",
         NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct network_host host;
        struct error error = ERROR_INIT;
        int result = host_parse(table[i].written, strlen(table[i].written), &host, &error);
        if (table[i].name == NULL) {
            if (result == 0)
                fail_msg("%s was taken as %s", table[i].written, host.name);
            assert_true(error.message[0] != '\0');
        } else if (result != 0 || strcmp(host.name, table[i].name) != 0) {
            fail_msg("%s: %s%s", table[i].written, host.name, error.message);
        }
    }
}

static void addresses_are_known_as_such(void **state)
{
    (void)state;
    struct network_host host;
    assert_int_equal(host_parse("0x7f.1", 6, &host, NULL), 0);
    assert_true(host.literal);
    assert_int_equal(address_classify(&host.address), ADDRESS_LOOPBACK);
    assert_int_equal(host_parse("0x7f.example", 12, &host, NULL), 0);
    assert_false(host.literal);
}

static void long_names_are_refused(void **state)
{
    (void)state;
    char name[2000];
    struct network_host host;
    memset(name, 'a', sizeof name);
    assert_int_equal(host_parse(name, 63, &host, NULL), 0);
    assert_int_equal(host_parse(name, 64, &host, NULL), -1);
    for (size_t i = 3; i < sizeof name; i += 4)
        name[i] = '.';
    assert_int_equal(host_parse(name, 251, &host, NULL), 0);
    assert_int_equal(host_parse(name, 255, &host, NULL), -1);
    assert_int_equal(host_parse(name, sizeof name, &host, NULL), -1);
    assert_int_equal(host_parse("a\0b", 3, &host, NULL), -1);
}

static void other_alphabets_are_readable(void **state)
{
    (void)state;
    char *readable = host_unicode("xn--mnchen-3ya.example");
    assert_string_equal(readable, "m\xc3\xbcnchen.example");
    free(readable);
    assert_null(host_unicode("example.org"));
    assert_false(host_is_lookalike("xn--mnchen-3ya.example"));
    assert_false(host_is_lookalike("paypal.example"));
    assert_true(host_is_lookalike("xn--pypal-4ve.example"));  /* Cyrillic a */
    assert_true(host_is_lookalike("xn--80ak6aa92e.example")); /* Cyrillic letters only */
}

static void localhost_is_this_machine(void **state)
{
    (void)state;
    assert_true(host_is_localhost("localhost"));
    assert_true(host_is_localhost("a.localhost"));
    assert_false(host_is_localhost("alocalhost"));
    assert_false(host_is_localhost("localhost.example"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_form_for_each_name),    cmocka_unit_test(addresses_are_known_as_such),
        cmocka_unit_test(long_names_are_refused),    cmocka_unit_test(other_alphabets_are_readable),
        cmocka_unit_test(localhost_is_this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
