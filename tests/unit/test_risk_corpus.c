/* SPDX-License-Identifier: MIT */
/* Commands of all kinds get the level that a person would give them. */
#include "config.h"

#include "risk/assessment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LINE_MAX_BYTES 4096

/* In place: \n becomes a line break. */
static void open_breaks(char *text)
{
    for (char *at = text; (at = strstr(at, "\\n")) != NULL;) {
        *at = '\n';
        memmove(at + 1, at + 2, strlen(at + 2) + 1);
    }
}

static size_t check(const char *level, const char *command)
{
    static const char *const roots[] = {"/home/op/project", NULL};
    struct assessment got;
    assessment_of_line(command, strlen(command), "/home/op/project", roots, &got);
    if (strcmp(risk_level_name(got.level), level) == 0)
        return 0;
    print_error("%s, not %s: %s\n", risk_level_name(got.level), level, command);
    return 1;
}

static void commands_get_their_level(void **state)
{
    char line[LINE_MAX_BYTES];
    size_t wrong = 0, lines = 0;
    FILE *file = fopen(RISK_CORPUS, "re");
    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL) {
        char *command = strchr(line, ' ');
        if (*line == '#' || command == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        *command++ = '\0';
        open_breaks(command);
        wrong += check(line, command);
        lines++;
    }
    fclose(file);
    assert_true(lines > 700);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(commands_get_their_level)};
    return cmocka_run_group_tests_name("risk_corpus", tests, NULL, NULL);
}
