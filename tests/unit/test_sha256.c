/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_hash(const char *text, size_t repeat, const char *expected)
{
    struct sha256 hash;
    unsigned char bytes[SHA256_SIZE];
    char hex[SHA256_HEX_SIZE];
    sha256_init(&hash);
    for (size_t i = 0; i < repeat; i++)
        sha256_add(&hash, text, strlen(text));
    sha256_finish(&hash, bytes);
    sha256_hex(bytes, hex);
    assert_string_equal(hex, expected);
}

/* The examples of FIPS 180, and an empty message. */
static void hashes_are_those_of_the_standard(void **state)
{
    (void)state;
    assert_hash("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_hash("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    assert_hash("a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void assert_hmac(const char *key, const char *text, const char *expected)
{
    unsigned char bytes[SHA256_SIZE];
    char hex[SHA256_HEX_SIZE];
    sha256_hmac(key, strlen(key), text, strlen(text), bytes);
    sha256_hex(bytes, hex);
    assert_string_equal(hex, expected);
}

/* Test cases 1, 2 and 6 of RFC 4231; the last has a key longer than a block. */
static void hmacs_are_those_of_the_standard(void **state)
{
    (void)state;
    char key[132] = "";
    memset(key, 0x0b, 20);
    assert_hmac(key, "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    assert_hmac("Jefe", "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    memset(key, 0xaa, 131);
    assert_hmac(key, "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

static void comparison_sees_any_difference(void **state)
{
    (void)state;
    assert_true(sha256_equal("abcd", "abcd", 4));
    assert_false(sha256_equal("abcd", "abce", 4));
    assert_false(sha256_equal("abcd", "bbcd", 4));
}

static void hexadecimal_goes_both_ways(void **state)
{
    (void)state;
    unsigned char hash[SHA256_SIZE], back[SHA256_SIZE];
    char hex[SHA256_HEX_SIZE];
    sha256_of("abc", 3, hash);
    sha256_hex(hash, hex);
    assert_int_equal(sha256_parse(hex, back), 0);
    assert_memory_equal(hash, back, SHA256_SIZE);
    hex[63] = 'A';
    assert_int_equal(sha256_parse(hex, back), -1);
    assert_int_equal(sha256_parse("ba78", back), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_those_of_the_standard),
        cmocka_unit_test(hmacs_are_those_of_the_standard),
        cmocka_unit_test(comparison_sees_any_difference),
        cmocka_unit_test(hexadecimal_goes_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
