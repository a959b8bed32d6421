/* SPDX-License-Identifier: MIT */
/* entries: the calls that the orchestrator keeps, how they are found, and who is told of them. */
#include "config.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "approval/orchestrator-int.h"
#include "approval/patch_kept.h"
#include "approval/prompt.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"

/* ---- one entry ------------------------------------------------------------------------------- */

struct call_entry *entry_new(struct orchestrator *orchestrator, struct session *session,
                             enum call_tool tool, struct command_spec *spec,
                             const struct call_options *options)
{
    struct call_entry *entry = XNEW(struct call_entry);
    entry->orchestrator = orchestrator;
    entry->call.tool = tool;
    entry->call.spec = spec;
    entry->call.session = session;
    entry->call.gateway = -1;
    entry->call.context = turn_context_ref(session->context);
    entry->call.received_ms = clock_wall_ms(loop_clock(orchestrator->loop));
    if (options == NULL)
        return entry;
    entry->rows = options->rows;
    entry->columns = options->columns;
    entry->operator_started = options->operator_started;
    entry->private_environment = strv_copy(options->private_environment);
    entry->call.owner = options->owner;
    if (options->agent_tool != NULL)
        entry->call.agent_tool = xstrdup(options->agent_tool);
    if (options->patch != NULL)
        entry->call.patch = xstrdup(options->patch);
    entry->call.agent_fields = options->agent_fields;
    for (size_t i = 0; i < options->offer_count && i < CALL_OFFERS_MAX; i++)
        entry->call.offers[entry->call.offer_count++] = (struct call_offer){
            .name = xstrdup(options->offers[i].name), .kind = options->offers[i].kind};
    entry->call.input_for = options->input_for;
    entry->call.widens = options->widens;
    entry->call.wants_words = options->wants_words;
    entry->call.secret_words = options->secret_words;
    entry->call.in_person = options->in_person || options->wants_words;
    entry->call.client.pid = options->client.pid;
    entry->call.client.tree = options->client.tree;
    entry->call.client.lineage = call_lineage_copy(options->client.lineage);
    if (options->client.name != NULL)
        entry->call.client.name = xstrdup(options->client.name);
    if (options->client.exe != NULL)
        entry->call.client.exe = xstrdup(options->client.exe);
    return entry;
}

void entry_free(struct call_entry *entry)
{
    struct call *call = &entry->call;
    prompt_free(&call->prompt);
    run_free(&call->run);
    output_free(&call->output);
    output_free(&call->error_output);
    for (unsigned i = 0; i < 2; i++) {
        wording_free(&call->attempts[i].under);
        wording_free(&call->attempts[i].touched);
        free(call->attempts[i].command);
        strv_free(&call->attempts[i].argv);
        free(call->attempts[i].denial);
        free(call->attempts[i].push_stopped);
        free(call->attempts[i].write_stopped);
    }
    approval_requirement_clear(&call->requirement);
    command_spec_free(&call->spec);
    turn_context_unref(&call->context);
    strv_free(&call->keys);
    free(call->agent_tool);
    for (size_t i = 0; i < call->offer_count; i++)
        free(call->offers[i].name);
    free(call->patch);
    free(call->asked_command);
    free(call->program);
    free(call->line);
    push_commits_clear(&call->pushes);
    push_seen_clear(&call->seen);
    git_losses_clear(&call->losses);
    free(call->decision.message);
    free(call->decision.rule);
    free(call->decision.path);
    free(call->listed);
    free(call->failure);
    strv_free(&call->unreached);
    strv_free(&call->unreached_by);
    for (size_t i = 0; i < call->covered_count; i++)
        free(call->covered[i].url);
    free(call->covered);
    for (size_t i = 0; i < call->failure_count; i++)
        reach_failure_clear(&call->failures[i]);
    free(call->failures);
    free(call->client.name);
    free(call->client.exe);
    free(call->client.lineage);
    if (entry->patch != NULL)
        patch_clear(entry->patch);
    free(entry->patch);
    free(entry->patch_outside);
    free(entry->patch_files);
    reach_free(&call->reach);
    fd_close(&call->gateway);
    program_clear(&entry->program);
    strv_free(&entry->names_before);
    free(entry->pushes_to);
    free(entry->cd);
    free(entry->there);
    strv_free(&entry->writable_roots);
    strv_free(&entry->private_environment);
    strbuf_free(&entry->input);
    free(entry->cancel_why);
    free(entry->answer_message);
    free(entry->question);
    free(entry->asked_question);
    free(entry->once_names);
    strv_free(&entry->asked_words);
    scripts_free(&entry->scripts);
    path_offer_drop(entry);
    path_grants_drop(entry);
    free(entry);
}

/* Calls are kept by the thousand, and a key is kilobytes. */
void entry_shed(struct call_entry *entry)
{
    strbuf_free(&entry->input);
    strv_free(&entry->call.keys);
    patch_kept_take_in(entry);
    scripts_free(&entry->scripts);
    path_offer_drop(entry);
    path_grants_drop(entry);
    strv_free(&entry->names_before);
    if (review_kind_approves(entry->call.decision.kind)) { /* a denial is forgotten by its key */
        free(entry->question);
        free(entry->asked_question);
        entry->question = entry->asked_question = NULL;
    }
}

struct loader_context entry_loader_context(const struct call_entry *entry)
{
    return (struct loader_context){
        .cwd = entry->call.spec->cwd,
        .root = entry->call.context->root,
        .writable_roots = (const char *const *)entry->writable_roots,
        .search_path = entry->orchestrator->search_path,
    };
}

bool entry_is_question(const struct call_entry *entry)
{
    return entry->call.prompt != NULL || entry->held;
}

bool entry_has_words(const struct call_entry *entry)
{
    const struct call *call = &entry->call;
    return entry->patch == NULL && call->reach == NULL && !call->agent_fields && !call->widens &&
           !call->wants_words && call->input_for == 0;
}

bool entry_holds_key(char *const *keys, const char *key)
{
    while (*keys != NULL && strcmp(*keys, key) != 0)
        keys++;
    return *keys != NULL;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void entries_append(struct call_entry ***list, size_t *count, struct call_entry *entry)
{
    *list = xreallocarray(*list, *count + 1, sizeof(**list));
    (*list)[(*count)++] = entry;
}

static void entries_remove(struct call_entry **list, size_t *count, const struct call_entry *entry)
{
    size_t at = 0;
    while (at < *count && list[at] != entry)
        at++;
    if (at == *count)
        return;
    (*count)--;
    memmove(&list[at], &list[at + 1], (*count - at) * sizeof(*list));
}

void entry_add_waiting(struct orchestrator *orchestrator, struct call_entry *entry)
{
    entries_append(&orchestrator->waiting, &orchestrator->waiting_count, entry);
}

void entry_remove_waiting(struct orchestrator *orchestrator, const struct call_entry *entry)
{
    entries_remove(orchestrator->waiting, &orchestrator->waiting_count, entry);
}

void entry_remove_open(struct orchestrator *orchestrator, const struct call_entry *entry)
{
    entries_remove(orchestrator->open, &orchestrator->open_count, entry);
}

struct call_entry *entry_find(const struct orchestrator *orchestrator, uint64_t id)
{
    /* Ids rise with the position. */
    size_t low = 0, high = orchestrator->call_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (orchestrator->calls[middle]->call.id < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < orchestrator->call_count && orchestrator->calls[low]->call.id == id)
        return orchestrator->calls[low];
    return NULL;
}

struct call_entry *entry_find_prompt(const struct orchestrator *orchestrator, uint64_t prompt_id)
{
    for (size_t i = 0; i < orchestrator->waiting_count; i++)
        if (orchestrator->waiting[i]->call.prompt->id == prompt_id)
            return orchestrator->waiting[i];
    return NULL;
}

struct call *entry_take_in(struct orchestrator *orchestrator, struct call_entry *entry)
{
    struct session *session = entry->call.session;
    entry->call.id = ++orchestrator->last_call_id;
    session->open_calls++;
    session->open_reaches += entry->call.reach != NULL ? 1 : 0;
    session->kept_calls++;
    entries_append(&orchestrator->calls, &orchestrator->call_count, entry);
    entries_append(&orchestrator->open, &orchestrator->open_count, entry);
    loop_wake(orchestrator->loop);
    return &entry->call;
}

void entry_forget(struct call_entry *entry)
{
    struct orchestrator *orchestrator = entry->orchestrator;
    announce(orchestrator, forgotten, &entry->call);
    patch_kept_forget(entry);
    entries_remove(orchestrator->calls, &orchestrator->call_count, entry);
    entry->call.session->kept_calls--;
    entry_free(entry);
}

void orchestrator_cancel(struct orchestrator *orchestrator, struct call *call, enum canceller by,
                         const char *why)
{
    struct call_entry *entry = (struct call_entry *)call;
    if (call->state == CALL_FINISHED || entry->cancel_requested)
        return;
    entry->cancel_requested = true;
    free(entry->cancel_why);
    entry->cancel_by = by;
    entry->cancel_why = xstrdup(why);
    loop_wake(orchestrator->loop);
}

/* ---- observers ------------------------------------------------------------------------------- */

void orchestrator_conversation(struct orchestrator *orchestrator, const struct call *call,
                               const char *id)
{
    announce(orchestrator, conversation_opened, call, id);
}

void orchestrator_notice(struct orchestrator *orchestrator, enum notice_level level,
                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cleanup_free char *text = xvasprintf(format, arguments);
    va_end(arguments);
    announce(orchestrator, notice, level, text);
}
