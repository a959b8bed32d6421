/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct network_address address_of(const char *text)
{
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
    struct network_address address = {0};
    if (inet_pton(AF_INET, text, &in.sin_addr) == 1)
        assert_true(address_from_sockaddr((struct sockaddr *)&in, &address));
    else if (inet_pton(AF_INET6, text, &in6.sin6_addr) == 1)
        assert_true(address_from_sockaddr((struct sockaddr *)&in6, &address));
    else
        fail_msg("%s is no address", text);
    return address;
}

static void classes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum address_class class;
    } table[] = {
        {"93.184.216.34", ADDRESS_PUBLIC},
        {"1.1.1.1", ADDRESS_PUBLIC},
        {"11.0.0.1", ADDRESS_PUBLIC},
        {"172.32.0.1", ADDRESS_PUBLIC},
        {"100.128.0.1", ADDRESS_PUBLIC},
        {"2606:4700::1111", ADDRESS_PUBLIC},
        {"127.0.0.1", ADDRESS_LOOPBACK},
        {"127.255.1.2", ADDRESS_LOOPBACK},
        {"0.0.0.0", ADDRESS_LOOPBACK},
        {"0.1.2.3", ADDRESS_LOOPBACK},
        {"::1", ADDRESS_LOOPBACK},
        {"::", ADDRESS_LOOPBACK},
        {"::ffff:127.0.0.1", ADDRESS_LOOPBACK},
        {"::127.0.0.1", ADDRESS_LOOPBACK},
        {"64:ff9b::7f00:1", ADDRESS_LOOPBACK},
        {"64:ff9b::1.1.1.1", ADDRESS_PUBLIC},
        {"64:ff9b:1:7f00:0:100::", ADDRESS_PRIVATE}, /* RFC 6052, 2.2: behind a prefix of 48 bits */
        {"64:ff9b:1::1.1.1.1", ADDRESS_PRIVATE},
        {"2002:7f00:1::", ADDRESS_LOOPBACK},
        {"2002:0a00:1::", ADDRESS_PRIVATE},
        {"10.1.2.3", ADDRESS_PRIVATE},
        {"172.16.0.1", ADDRESS_PRIVATE},
        {"172.31.255.255", ADDRESS_PRIVATE},
        {"192.168.1.1", ADDRESS_PRIVATE},
        {"100.64.0.1", ADDRESS_PRIVATE},
        {"fd12:3456::1", ADDRESS_PRIVATE},
        {"::ffff:10.0.0.1", ADDRESS_PRIVATE},
        {"169.254.1.1", ADDRESS_LINK_LOCAL},
        {"fe80::1", ADDRESS_LINK_LOCAL},
        {"169.254.169.254", ADDRESS_METADATA},
        {"::ffff:169.254.169.254", ADDRESS_METADATA},
        {"64:ff9b::169.254.169.254", ADDRESS_METADATA},
        {"fd00:ec2::254", ADDRESS_METADATA},
        {"100.100.100.200", ADDRESS_METADATA},
        {"168.63.129.16", ADDRESS_METADATA},
        {"224.0.0.1", ADDRESS_MULTICAST},
        {"ff02::1", ADDRESS_MULTICAST},
        {"255.255.255.255", ADDRESS_RESERVED},
        {"198.18.0.1", ADDRESS_RESERVED},
        {"2001:db8::1", ADDRESS_RESERVED},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct network_address address = address_of(table[i].text);
        if (address_classify(&address) != table[i].class)
            fail_msg("%s is %s", table[i].text, address_class_name(address_classify(&address)));
    }
}

static void a_mapped_address_is_the_other(void **state)
{
    (void)state;
    struct network_address mapped = address_of("::ffff:192.0.2.7"), plain = address_of("192.0.2.7");
    struct sockaddr_storage storage;
    struct sockaddr_in in;
    char text[ADDRESS_TEXT_MAX];
    assert_true(address_equal(&mapped, &plain));
    address_format(&mapped, text);
    assert_string_equal(text, "192.0.2.7");
    assert_int_equal(address_to_sockaddr(&mapped, 443, &storage), sizeof in);
    memcpy(&in, &storage, sizeof in);
    assert_int_equal(in.sin_port, htons(443));
    assert_int_equal(ntohl(in.sin_addr.s_addr), 0xc0000207);
}

static void this_machine_has_loopback(void **state)
{
    (void)state;
    struct network_address own = address_of("127.0.0.1"), other = address_of("192.0.2.1");
    assert_true(address_is_own(&own));
    assert_false(address_is_own(&other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes),
        cmocka_unit_test(a_mapped_address_is_the_other),
        cmocka_unit_test(this_machine_has_loopback),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
