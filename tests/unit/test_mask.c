/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/mask.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"

static const struct {
    const char *text, *masked;
} rows[] = {
    {"ls -la", "ls -la"},
    {"git commit -m 'token bucket'", "git commit -m 'token bucket'"},
    {"curl https://x.example/a@b", "curl https://x.example/a@b"},
    {"echo $API_TOKEN", "echo $API_TOKEN"},
    {"export API_TOKEN=$OTHER", "export API_TOKEN=$OTHER"},
    {"git show 3b65718c1f0a4d5e6f708192a3b4c5d6e7f80912",
     "git show 3b65718c1f0a4d5e6f708192a3b4c5d6e7f80912"},

    {"curl https://bob:pw@x.example/", "curl https://bob:<masked>@x.example/"},
    {"git clone https://ghtoken@x.example/r", "git clone https://<masked>@x.example/r"},
    {"psql postgres://u:p%40ss@db/x", "psql postgres://u:<masked>@db/x"},
    {"curl -H 'Authorization: Bearer abc.def' x", "curl -H 'Authorization: <masked>' x"},
    {"curl -H \"X-Api-Key: abc\" x", "curl -H \"X-Api-Key: <masked>\" x"},
    {"curl --oauth2-bearer abc x", "curl --oauth2-bearer <masked> x"},
    {"sudo -u postgres psql", "sudo -u postgres psql"},
    {"curl -u bob:pw x", "curl -u <masked> x"},
    {"API_TOKEN=abc make", "API_TOKEN=<masked> make"},
    {"export DB_PASSWORD='a b'; ls", "export DB_PASSWORD=<masked>; ls"},
    {"mysql --password=abc x", "mysql --password=<masked> x"},
    {"tool --token abc", "tool --token <masked>"},
    {"{\"client_secret\": \"abc\"}", "{\"client_secret\": <masked>}"},
    {"echo ghp_0123456789abcdefghij0123", "echo <masked>"},
    {"echo AKIAIOSFODNN7EXAMPLE x", "echo <masked> x"},
    {"echo sk-proj-0123456789abcdef0", "echo <masked>"},
    {"-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nls", "<masked>\nls"},
    {"echo '-----BEGIN OPENSSH PRIVATE KEY-----\nabc", "echo '<masked>"},
};

static void secrets_are_masked(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_strbuf struct strbuf out = STRBUF_INIT;
        mask_secrets(&out, rows[i].text, strlen(rows[i].text));
        assert_string_equal(strbuf_str(&out), rows[i].masked);
    }
}

static void any_bytes_are_survived(void **state)
{
    static const char text[] = "\0\xff:// @=\"'token=\0--password\0-----BEGIN ";
    (void)state;
    for (size_t length = 0; length <= sizeof(text); length++) {
        cleanup_strbuf struct strbuf out = STRBUF_INIT;
        mask_secrets(&out, text, length);
        assert_true(out.length <= length * 9);
    }
}

static void words_are_known_by_what_is_before(void **state)
{
    static const struct {
        const char *before, *word, *masked;
    } words[] = {{"", "ls", "ls"},
                 {"-u", "bob:pw", MASK_SIGN},
                 {"-u", "postgres", "postgres"},
                 {"--token", "abc", MASK_SIGN},
                 {"-H", "Authorization: Bearer abc", "Authorization: <masked>"},
                 {"env", "A_TOKEN=abc", "A_TOKEN=<masked>"},
                 {"--token", "", ""}};
    (void)state;
    for (size_t i = 0; i < COUNT(words); i++) {
        cleanup_free char *got = mask_word(words[i].before, words[i].word);
        assert_string_equal(got, words[i].masked);
    }
}

static void what_is_told_of_a_command_is_masked_as_in_it(void **state)
{
    static const char command[] = "sh -c 'tool --token abc -- file, abcd'";
    cleanup_strbuf struct strbuf out = STRBUF_INIT;
    (void)state;
    mask_told(&out, "Sends abc to file, by tool: abc.\n", command);
    assert_string_equal(strbuf_str(&out), "Sends abc to file, by tool: abc.\n");
    strbuf_reset(&out);
    mask_told(&out, "Sends xyz1 to file, by tool: xyz1.\n", "tool --token xyz1 file");
    assert_string_equal(strbuf_str(&out), "Sends <masked> to file, by tool: <masked>.\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_are_masked),
        cmocka_unit_test(words_are_known_by_what_is_before),
        cmocka_unit_test(any_bytes_are_survived),
        cmocka_unit_test(what_is_told_of_a_command_is_masked_as_in_it),
    };
    return cmocka_run_group_tests_name("mask", tests, NULL, NULL);
}
