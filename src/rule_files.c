/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "rule_files.h"

#include "base/alloc.h"
#include "base/i18n.h"
#include "rulebook.h"
#include "tool_judge.h"

struct rule_files {
    struct orchestrator *orchestrator;
    struct rulebook *book;
    char *root;
};

static void put_in_force(struct rule_files *files)
{
    cleanup_free char *warning = rulebook_warning(files->book);
    orchestrator_set_rules(files->orchestrator, rulebook_rules(files->book), warning);
}

struct rule_files *rule_files_new(struct orchestrator *orchestrator, const char *root)
{
    struct rule_files *files = XNEW(struct rule_files);
    files->orchestrator = orchestrator;
    files->root = xstrdup(root);
    files->book = rulebook_open(root);
    put_in_force(files);
    orchestrator_set_memory(orchestrator, &(struct rule_memory){.remember = rule_files_remember,
                                                                .written = rule_files_written,
                                                                .undo = rule_files_undo,
                                                                .argument = files});
    return files;
}

void rule_files_free(struct rule_files **place)
{
    struct rule_files *files = steal_pointer(place);
    if (files == NULL)
        return;
    rulebook_free(&files->book);
    free(files->root);
    free(files);
}

void rule_files_warn(const struct rule_files *files)
{
    cleanup_free char *warning = rulebook_warning(files->book);
    if (warning != NULL)
        orchestrator_notice(files->orchestrator, NOTICE_ALARM, "%s", warning);
    if (rulebook_wants_trust(files->book))
        orchestrator_notice(files->orchestrator, NOTICE_WARNING, "%s",
                            _("This project has rules of its own. Until you trust them they "
                              "forbid and ask, and allow nothing (:trust shows them)."));
}

void rule_files_lend(const struct rule_files *files, struct tool_judge *judge)
{
    tool_judge_take(judge, files->book);
}

char *rule_files_changes(void *argument)
{
    const struct rule_files *files = argument;
    struct rulebook *now = rulebook_open(files->root);
    char *changes = rulebook_changes(files->book, now);
    rulebook_free(&now);
    return changes;
}

void rule_files_reload(void *argument)
{
    struct rule_files *files = argument;
    rulebook_free(&files->book);
    files->book = rulebook_open(files->root);
    put_in_force(files);
    rule_files_warn(files);
}

char *rule_files_untrusted(void *argument)
{
    const struct rule_files *files = argument;
    return rulebook_trusted(files->book) ? NULL : rulebook_project_text(files->book);
}

int rule_files_trust(void *argument, bool trust, struct error *error)
{
    struct rule_files *files = argument;
    if (rulebook_decide_trust(files->book, trust, error) != 0)
        return -1;
    put_in_force(files);
    return 0;
}

int rule_files_remember(void *argument, const char *line, struct rules_source *source,
                        struct error *error)
{
    struct rule_files *files = argument;
    unsigned number = 0;
    if (rulebook_add(files->book, line, &number, error) < 0)
        return -1;
    *source = (struct rules_source){
        .path = rulebook_own_file(files->book), .layer = RULES_USER, .lines = number - 1};
    return 0;
}

const char *const *rule_files_written(void *argument)
{
    struct rule_files *files = argument;
    return rulebook_written(files->book);
}

int rule_files_undo(void *argument, const char *only, char **line, struct error *error)
{
    struct rule_files *files = argument;
    int result = rulebook_undo(files->book, only, line, error);
    if (result > 0)
        put_in_force(files);
    return result;
}
