/* SPDX-License-Identifier: MIT */
/* edit: the operator changes a command before it runs. What comes of it is judged as a new call is;
 * nothing of the old judgement is kept. */
#include "config.h"

#include <string.h>

#include "approval/orchestrator-int.h"
#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/text.h"
#include "command/shell.h"

static void swap(void *one, void *other, size_t size)
{
    unsigned char *a = one, *b = other;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

#define SWAP(a, b) swap(&(a), &(b), sizeof(a))

/* A script stays one, with its shell and options. It is offered as such only behind a program that
 * is known to be the shell (prompt_command_line()). */
static char **edited_argv(const struct call_entry *entry, const char *text)
{
    char **old = entry->call.spec->argv;
    if (entry->program_installed && shell_wrapped_script((const char *const *)old) != NULL)
        return strv_copy((const char *const[]){old[0], old[1], text, NULL});
    char **words = shell_plain_words(text);
    return words != NULL ? words : strv_copy((const char *const[]){"bash", "-c", text, NULL});
}

/* A call like this one but for its command, checked and judged; NULL with a message. */
static struct call_entry *judge_anew(struct call_entry *entry, const char *text,
                                     struct error *error)
{
    struct command_spec *spec = command_spec_copy(entry->call.spec);
    strv_free(&spec->argv);
    spec->argv = edited_argv(entry, text);
    struct call_entry *edited =
        entry_new(entry->orchestrator, entry->call.session, entry->call.tool, spec, NULL);
    turn_context_unref(&edited->call.context);
    edited->call.context = turn_context_ref(entry->call.context);
    int result = arrival_take(edited, error);
    if (result == 0 && edited->program.path == NULL)
        result = error_set(error, 0, "%.200s was not found", spec->argv[0]);
    if (result == 0) {
        arrival_judge(edited);
        if (edited->call.requirement.kind == REQUIREMENT_FORBIDDEN)
            result = error_set(error, 0, "this is not allowed: %s",
                               wording_english(edited->call.requirement.reason));
    }
    if (result != 0) {
        entry_free(edited);
        return NULL;
    }
    return edited;
}

/* It takes the place of a second try: it gets what is left for that. */
static void judge_as_second(const struct call_entry *entry, struct call_entry *edited)
{
    edited->retry = true;
    edited->sandbox = ATTEMPT_UNSANDBOXED;
    edited->standard_input = entry->standard_input;
    arrival_make_keys(edited);
}

/* What would run unasked is still shown: the operator sees what came of the change. */
static void require_look(struct approval_requirement *requirement)
{
    if (requirement->kind == REQUIREMENT_NEEDS_APPROVAL)
        return;
    requirement->kind = REQUIREMENT_NEEDS_APPROVAL;
    requirement->cause = PROMPT_BY_EDIT;
    wording_free(&requirement->reason);
    requirement->reason = wording_from(N_("you changed the command"));
}

/* Everything that was found out about the command changes places. */
static void take_over(struct call_entry *entry, struct call_entry *edited)
{
    SWAP(entry->call.spec, edited->call.spec);
    SWAP(entry->call.program, edited->call.program);
    SWAP(entry->call.line, edited->call.line);
    SWAP(entry->call.keys, edited->call.keys);
    SWAP(entry->call.requirement, edited->call.requirement);
    SWAP(entry->call.assessment, edited->call.assessment);
    SWAP(entry->call.pushes, edited->call.pushes);
    SWAP(entry->call.seen, edited->call.seen);
    SWAP(entry->call.losses, edited->call.losses);
    SWAP(entry->program, edited->program);
    SWAP(entry->program_installed, edited->program_installed);
    SWAP(entry->pushes_to, edited->pushes_to);
    SWAP(entry->builds, edited->builds);
    SWAP(entry->changes_since, edited->changes_since);
    SWAP(entry->changes_call, edited->changes_call);
    SWAP(entry->changes_unknown, edited->changes_unknown);
    SWAP(entry->scripts, edited->scripts);
    SWAP(entry->cd, edited->cd);
    SWAP(entry->there, edited->there);
    SWAP(entry->there_device, edited->there_device);
    SWAP(entry->there_inode, edited->there_inode);
    SWAP(entry->cwd_device, edited->cwd_device);
    SWAP(entry->cwd_inode, edited->cwd_inode);
    SWAP(entry->writable_roots, edited->writable_roots);
    SWAP(entry->timeout_ms, edited->timeout_ms);
    SWAP(entry->asked_words, edited->asked_words);
    SWAP(entry->question, edited->question);
    SWAP(entry->once_reason, edited->once_reason);
    SWAP(entry->once_names, edited->once_names);
    SWAP(entry->sandbox, edited->sandbox);
    SWAP(entry->standard_input, edited->standard_input);
    SWAP(entry->grants_at_hand, edited->grants_at_hand);
    if (entry->asked_question == NULL)
        entry->asked_question = steal_pointer(&edited->question);
    entry->call.opinion = (struct opinion){.status = OPINION_NONE};
    entry->call.news++;
}

/* A slip of the operator's: to run it would only fail. NULL: a shell may take it. */
static const char *why_no_shell_takes(const char *text)
{
    static const char *const slips[] = {"unterminated quote", "unfinished command",
                                        "stray operator", "redirection without a target"};
    struct shell_script script;
    shell_parse(text, strlen(text), &script);
    const char *reason = script.reason;
    shell_script_clear(&script);
    return reason != NULL && IS_IN(reason, slips) ? reason : NULL;
}

int orchestrator_edit(struct orchestrator *orchestrator, uint64_t prompt_id, unsigned revision,
                      const char *text, struct error *error)
{
    struct call_entry *entry = entry_find_prompt(orchestrator, prompt_id);
    if (entry == NULL || entry->answer != REVIEW_NONE || entry->cancel_requested)
        return error_set(error, 0, "this request is not open any more");
    struct call *call = &entry->call;
    if (call->prompt->revision != revision)
        return error_set(error, 0, "this request has changed since it was shown: look again");
    if (prompt_fixed(call) != NULL)
        return error_set(error, 0, "this request cannot be edited");
    if (text[strspn(text, " \t\n")] == '\0')
        return error_set(error, 0, "there is no command left");
    if (strcmp(text, call->prompt->command) == 0)
        return error_set(error, 0, "nothing was changed");
    const char *why = why_no_shell_takes(text);
    if (why != NULL)
        return error_set(error, 0, "this cannot be read as a shell command: %s", why);
    struct call_entry *edited = judge_anew(entry, text, error);
    if (edited == NULL)
        return -1;
    if (call->asked_command == NULL)
        call->asked_command = xstrdup(call->prompt->command);
    if (entry->retry)
        judge_as_second(entry, edited);
    if (entry->retry && call->attempts[0].command == NULL) {
        call->attempts[0].command = xstrdup(call->prompt->command);
        call->attempts[0].argv = strv_copy((const char *const *)call->spec->argv);
    }
    take_over(entry, edited);
    entry_free(edited);
    if (entry->retry)
        path_offer_denied(entry); /* whether the path is enough depends on the command */
    require_look(&call->requirement);
    announce(orchestrator, edited, call);
    question_ask_anew(entry);
    return 0;
}
