/* SPDX-License-Identifier: MIT */
/* `assent rules`: work on rule files. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/rules_review.h"
#include "config/arguments.h"
#include "config/config_file.h"
#include "config/help.h"
#include "rulebook.h"
#include "tool.h"
#include "tool_rules_import.h"
#include "turn.h"

enum { RULES_BAD = 1 };

/* ---- check ----------------------------------------------------------------------------------- */

static void print_about(const struct rule *rule, const char *what)
{
    cleanup_strbuf struct strbuf shown = STRBUF_INIT;
    text_escape(&shown, rule->file, strlen(rule->file), 0);
    printf("%s:%u: %s\n", strbuf_str(&shown), rule->line, what);
}

static void look_at_rule(const struct rules *rules, const struct rule *rule)
{
    const struct rules_review review = rules_review(rules, rule);
    if (review.runs_anything)
        print_about(rule, _("allows a program that runs any code it is given"));
    if (review.other == NULL)
        return;
    cleanup_free char *what =
        xasprintf(review.stricter ? _("never decides: %s:%u is stricter")
                                  : _("is not needed: %s:%u says the same of more"),
                  review.other->file, review.other->line);
    print_about(rule, what);
}

static int check(const struct options *options, int count, char **files, struct error *error)
{
    cleanup_free char *workspace = turn_workspace(options, error);
    if (workspace == NULL)
        return -1;
    struct rulebook *book =
        count > 0 ? rulebook_open_files((const char *const *)files) : rulebook_open(workspace);
    struct rules *rules = rulebook_rules(book);
    int result = 0;
    if (rulebook_problem(book) != NULL) {
        error_set(error, 0, "%s", rulebook_problem(book));
        result = RULES_BAD;
    }
    for (size_t i = 0; i < rules_count(rules); i++)
        look_at_rule(rules, rules_at(rules, i));
    printf(_("%zu rules and %zu network rules in %zu files\n"), rules_count(rules),
           rules_network_count(rules), rulebook_file_count(book));
    rules_free(&rules);
    rulebook_free(&book);
    return result;
}

/* ---- undo ------------------------------------------------------------------------------------ */

static int undo(const struct options *options, int count, char **files, struct error *error)
{
    (void)options;
    (void)files;
    if (count > 0)
        return error_set(error, EINVAL, _("rules undo takes no arguments"));
    cleanup_free char *line = NULL;
    struct rulebook *book = rulebook_open(NULL);
    int result = rulebook_undo(book, NULL, &line, error);
    rulebook_free(&book);
    if (result < 0)
        return -1;
    if (result == 0) {
        puts(_("there is no rule to take back"));
        return 0;
    }
    cleanup_strbuf struct strbuf shown = STRBUF_INIT;
    text_escape(&shown, line, strlen(line), 0);
    printf(_("taken back: %s\n"), strbuf_str(&shown));
    puts(_("consoles that run keep it until :rules reload"));
    return 0;
}

/* ---- verbs ----------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(const struct options *options, int count, char **files, struct error *error);
} verbs[] = {
    {"check", check},
    {"test", tool_rules_test},
    {"import", tool_rules_import},
    {"suggest", tool_rules_suggest},
    {"unused", tool_rules_unused},
    {"undo", undo},
};

static int run_verb(const char *name, const struct options *options, int count, char **files,
                    struct error *error)
{
    for (size_t i = 0; i < COUNT(verbs); i++)
        if (strcmp(verbs[i].name, name) == 0)
            return verbs[i].run(options, count, files, error);
    return error_set(error, EINVAL,
                     _("say what to do: check, test, import, suggest, unused or undo (see assent "
                       "rules --help)"));
}

int tool_rules(int argc, char **argv)
{
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    /* The verb stands first; options follow it. */
    int skipped = argc > 1 && argv[1][0] != '-';
    int result = -1;
    int rest = arguments_parse(options, SUBCOMMAND_RULES, argc - skipped, argv + skipped, &error);
    if (rest >= 0 && options_bool(options, OPTION_HELP))
        result = help_print(stdout, SUBCOMMAND_RULES) == 0 ? 0 : -1;
    else if (rest >= 0 && config_file_load(options, &error) == 0)
        result = run_verb(skipped ? argv[1] : "", options, argc - skipped - rest,
                          argv + skipped + rest, &error);
    options_free(&options);
    if (*error.message)
        tool_complain(argv[0], &error);
    if (fflush(stdout) != 0)
        result = -1;
    return result < 0 ? TOOL_FAILED : result;
}
