/* SPDX-License-Identifier: MIT */
/* attempt: one run of a call, from the sandbox that it gets to whether that denied it something. */
#include "config.h"

#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "approval/config_kept.h"
#include "approval/listed.h"
#include "approval/orchestrator-int.h"
#include "approval/places.h"
#include "approval/prompt.h"
#include "approval/touched.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/log.h"
#include "base/path.h"
#include "base/text.h"
#include "sandbox/transform.h"

#define ROWS_DEFAULT 24
#define COLUMNS_DEFAULT 80
/* Of each stream, for the judgement whether the sandbox denied it. */
#define TAIL_MAX ((size_t)32 * 1024)

/* ---- start ----------------------------------------------------------------------------------- */

static struct attempt *last_attempt(struct call *call)
{
    return &call->attempts[call->attempt_count - 1];
}

static void run_has_started(void *argument, pid_t pid)
{
    const struct call_entry *entry = argument;
    log_info("approval", "call %llu runs as process %ld", (unsigned long long)entry->call.id,
             (long)pid);
}

static void run_has_output(void *argument, enum run_stream stream, const char *bytes, size_t length)
{
    struct call_entry *entry = argument;
    struct call *call = &entry->call;
    struct output *output = call->output;
    if (stream == RUN_STDERR && call->error_output != NULL)
        output = call->error_output;
    if (output_append(output, bytes, length) != 0)
        log_warning("approval", "call %llu: output was dropped", (unsigned long long)call->id);
    announce(entry->orchestrator, output, call, stream, bytes, length);
}

static void run_has_ended(void *argument, const struct run_result *result)
{
    struct call_entry *entry = argument;
    last_attempt(&entry->call)->result = *result;
    entry->run_ended = true;
    loop_wake(entry->orchestrator->loop);
}

static void run_has_gateway(void *argument, int listener)
{
    reach_open_gateway(argument, listener);
}

/* At once: a server runs for hours. The rest waits for the end: a command can cause thousands. */
static void run_has_alarm(void *argument, const char *text)
{
    const struct call_entry *entry = argument;
    orchestrator_notice(entry->orchestrator, NOTICE_ALARM, "c%llu: %s",
                        (unsigned long long)entry->call.id, text);
}

static const struct run_events run_events = {.started = run_has_started,
                                             .output = run_has_output,
                                             .ended = run_has_ended,
                                             .gateway = run_has_gateway,
                                             .alarm = run_has_alarm};

static int make_outputs(struct call_entry *entry, struct error *error)
{
    const struct orchestrator *orchestrator = entry->orchestrator;
    struct call *call = &entry->call;
    output_free(&call->output);
    output_free(&call->error_output);
    call->output = output_new(orchestrator->state_directory, orchestrator->output_cap, error);
    if (call->output == NULL)
        return -1;
    if (!call->spec->split_streams || call->spec->tty)
        return 0;
    call->error_output = output_new(orchestrator->state_directory, orchestrator->output_cap, error);
    return call->error_output != NULL ? 0 : -1;
}

/* What a command's terminal is, the console's fixed environment (which may say otherwise), and what
 * only this call's process may know. */
static const char **environment_of(const struct call_entry *entry)
{
    const char *const *base = (const char *const *)entry->orchestrator->base_environment;
    const char *const *own = (const char *const *)entry->private_environment;
    size_t count = strv_length(base), more = strv_length(own);
    const char **all = xcalloc(1 + count + more + 1, sizeof *all);
    all[0] = entry->call.spec->tty ? "TERM=xterm-256color" : "TERM=dumb";
    for (size_t i = 0; i < count; i++)
        all[1 + i] = base[i];
    for (size_t i = 0; i < more; i++)
        all[1 + count + i] = own[i];
    return all;
}

static struct exec_request *make_request(const struct call_entry *entry,
                                         const struct sandbox_policy *policy,
                                         enum sandbox_type type, struct error *error)
{
    const struct orchestrator *orchestrator = entry->orchestrator;
    struct command_spec *spec = command_spec_copy(entry->call.spec);
    spec->standard_input = entry->standard_input;
    cleanup_free const char **environment = environment_of(entry);
    struct transform_context context = {
        .policy = policy,
        .type = type,
        .helper = orchestrator->helper_path,
        .gateway_environment = (const char *const *)orchestrator->gateway_environment,
        .program = entry->program.path,
        .base_environment = environment,
    };
    struct exec_request *request = transform_command(spec, &context, error);
    command_spec_free(&spec);
    return request;
}

static void feed_kept_input(struct call_entry *entry)
{
    struct run *run = entry->call.run;
    if (entry->standard_input == STDIN_NULL)
        return;
    if (entry->input.length > 0 && run_write(run, entry->input.data, entry->input.length) != 0)
        log_warning("approval", "call %llu takes no input", (unsigned long long)entry->call.id);
    if (entry->input_ended)
        run_write_end(run);
    if (entry->standard_input == STDIN_TTY)
        strbuf_reset(&entry->input); /* what was typed once is not typed again */
}

/* The run could not be started although the attempt has begun: it ends as one that failed. */
static void fail_attempt(struct call_entry *entry, const struct error *error)
{
    struct run_result *result = &last_attempt(&entry->call)->result;
    result->outcome = RUN_FAILED;
    result->code = 125;
    snprintf(result->failure, sizeof(result->failure), "%.511s", error->message);
    entry->run_ended = true;
    loop_wake(entry->orchestrator->loop);
}

static void run_request(struct call_entry *entry, const struct exec_request *request)
{
    struct orchestrator *orchestrator = entry->orchestrator;
    struct error error = ERROR_INIT;
    struct run_options options = {
        .tty = entry->call.spec->tty,
        .split_streams = entry->call.error_output != NULL,
        .stdin_open = entry->standard_input == STDIN_PIPE,
        .rows = entry->rows > 0 ? entry->rows : ROWS_DEFAULT,
        .columns = entry->columns > 0 ? entry->columns : COLUMNS_DEFAULT,
        .timeout_ms = entry->timeout_ms,
        .grace_ms = orchestrator->grace_ms,
    };
    entry->call.run = run_start(orchestrator->loop, request, &options, &run_events, entry, &error);
    if (entry->call.run == NULL) {
        fail_attempt(entry, &error);
        return;
    }
    feed_kept_input(entry);
    if (entry->output_paused)
        run_pause_output(entry->call.run, true);
}

/* The session's own /tmp; and its tool caches, which an attempt with more rights than the turn's
 * does not get: what commands have left there would run with them. */
static int use_places(struct call_entry *entry, struct sandbox_policy *policy, struct error *error)
{
    struct session *session = entry->call.session;
    const char *directory = entry->orchestrator->state_directory;
    if (directory == NULL || policy->tmp != POLICY_TMP_PRIVATE || policy->tmp_source != NULL)
        return 0;
    if (session->places == NULL)
        session->places = places_open(directory, session->id, error);
    if (session->places == NULL)
        return -1;
    policy->tmp_source = xstrdup(session->places->tmp);
    if (entry->sandbox != ATTEMPT_TURN_DEFAULT || policy->cache_source != NULL)
        return 0;
    places_use_caches(session->places, PLACES_CACHES_MAX);
    policy->cache_source = xstrdup(session->places->caches);
    return 0;
}

static int prepare(struct call_entry *entry, struct exec_request **request, bool *own_network,
                   struct error *error)
{
    enum sandbox_type type = SANDBOX_TYPE_NONE;
    struct sandbox_policy *policy = attempt_policy(entry, entry->sandbox, error);
    if (policy == NULL)
        return -1;
    int result = attempt_type(entry, entry->sandbox, policy, &type, error);
    if (result == 0 && type == SANDBOX_TYPE_NONE && sandbox_policy_is_restricted(policy)) {
        sandbox_policy_free(&policy);
        policy = sandbox_policy_new_danger_full_access();
    }
    if (result == 0 && type != SANDBOX_TYPE_NONE)
        result = use_places(entry, policy, error);
    if (result == 0)
        *request = make_request(entry, policy, type, error);
    *own_network = type == SANDBOX_TYPE_LINUX && !policy->network;
    sandbox_policy_free(&policy);
    return result == 0 && *request != NULL ? make_outputs(entry, error) : -1;
}

int attempt_start(struct call_entry *entry, struct error *error)
{
    struct call *call = &entry->call;
    struct exec_request *request = NULL;
    bool own_network = false;
    if (holds_take(entry, error) != 0 || arrival_unchanged(entry, error) != 0 ||
        prepare(entry, &request, &own_network, error) != 0) {
        exec_request_free(&request);
        scripts_release(entry->scripts);
        return -1;
    }
    call->attempt_count++;
    *last_attempt(call) = (struct attempt){
        .sandbox = entry->sandbox,
        .type = request->type,
        .under = attempt_describe(entry, entry->sandbox),
        .started_ms = clock_wall_ms(loop_clock(entry->orchestrator->loop)),
        .own_network = own_network,
    };
    if (call->attempt_count == 1 && request->type != SANDBOX_TYPE_NONE)
        entry->names_before = touched_before(call->context->root);
    entry->run_ended = false;
    announce(entry->orchestrator, attempt_started, call, call->attempt_count - 1);
    last_attempt(call)->began = touched_now();
    run_request(entry, request);
    exec_request_free(&request);
    return 0;
}

/* ---- end ------------------------------------------------------------------------------------- */

static void add_tail(struct strbuf *text, const struct output *output)
{
    if (output == NULL)
        return;
    uint64_t total = output_total(output), skipped;
    uint64_t position = total > TAIL_MAX ? total - TAIL_MAX : 0;
    char bytes[4096];
    size_t got;
    while ((got = output_read(output, &position, bytes, sizeof(bytes), &skipped)) > 0)
        strbuf_add(text, bytes, got);
    strbuf_addch(text, '\n');
}

/* The locale in which the command words its messages. */
static const char *locale_of(const struct call_entry *entry)
{
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    const char *const *base = (const char *const *)entry->orchestrator->base_environment;
    for (size_t i = 0; i < COUNT(names); i++) {
        const char *const *own = (const char *const *)entry->call.spec->env;
        const char *value = program_environment_get(own, names[i]);
        if (value == NULL)
            value = program_environment_get(base, names[i]);
        if (value != NULL && *value != '\0')
            return value;
    }
    return NULL;
}

/* A command says of reading and writing alike that permission was denied; what it may not even read
 * was read. */
static void name_read(const struct sandbox_policy *policy, const char *cwd,
                      struct sandbox_denial *denial)
{
    char joined[PATH_MAX];
    const char *path = denial->path;
    if (!denial->inferred || strcmp(denial->cause, "file system") != 0 || *path == '\0' ||
        (*path != '/' && !path_join(joined, cwd, path)))
        return;
    path = *path == '/' ? path : joined;
    /* Also where it leads: "../home/.ssh/id". */
    cleanup_free char *real = realpath(path, NULL);
    if (sandbox_policy_access_at(policy, path) == POLICY_ACCESS_NONE ||
        (real != NULL && sandbox_policy_access_at(policy, real) == POLICY_ACCESS_NONE))
        snprintf(denial->cause, sizeof denial->cause, "%s", N_("read"));
}

static void judge_denial(const struct call_entry *entry, const struct strbuf *text,
                         struct attempt *attempt)
{
    const struct call *call = &entry->call;
    cleanup_free char *command = prompt_command_line((const char *const *)call->spec->argv, false);
    const struct run_result *result = &attempt->result;
    struct sandbox_policy *policy = attempt_policy(entry, entry->sandbox, NULL);
    struct denial_evidence evidence = {
        .type = attempt->type,
        .exit_code = result->code,
        .signal = result->signal,
        .timed_out = result->timed_out,
        .network_closed = policy != NULL && !policy->network,
        .locale = locale_of(entry),
        .blocked = result->blocked,
        .output = strbuf_str(text),
        .output_size = text->length,
        .command = command,
        .held = result->placeholders,
    };
    struct sandbox_denial denial = {.denied = false};
    if (result->outcome != RUN_FAILED && !result->cancelled) {
        denial_judge(&evidence, &denial);
        attempt->git_config_kept = denial_kept_git_config(&evidence);
        attempt->push_stopped = stopped_push(entry, policy, &evidence);
        attempt->write_stopped = stopped_write(entry, policy, &evidence);
        attempt->nobody_listened = attempt->own_network && denial_nobody_listened(&evidence);
    }
    if (policy != NULL)
        name_read(policy, call->spec->cwd, &denial);
    sandbox_policy_free(&policy);
    if (denial.denied)
        attempt->denial = xmemdup(&denial, sizeof denial);
}

static unsigned count_names(const char *names)
{
    unsigned count = 1;
    while ((names = strchr(names, '/')) != NULL) {
        names++;
        count++;
    }
    return count;
}

/* Whoever sees names in a listing that nobody made wonders: each session is told once, and so is
 * the operator. */
static void note_listed(struct call_entry *entry, const struct strbuf *text)
{
    enum { NAMES_SHOWN = 2 };
    struct call *call = &entry->call;
    struct orchestrator *orchestrator = entry->orchestrator;
    unsigned long long id = call->id;
    const char *names = last_attempt(call)->result.placeholders;
    if (call->session->placeholders_told || *names == '\0')
        return;
    call->listed = listed_names(names, strbuf_str(text), text->length);
    call->session->placeholders_told = call->listed != NULL;
    if (call->listed == NULL || orchestrator->placeholders_told)
        return;
    orchestrator->placeholders_told = true;
    cleanup_free char *words = listed_words(call->listed, count_names(call->listed), NAMES_SHOWN);
    orchestrator_notice(orchestrator, NOTICE_INFO,
                        _("c%llu lists %s: placeholders while it runs (:show c%llu)"), id, words,
                        id);
}

static void tell_more_alarms(struct call_entry *entry, const struct run_result *result)
{
    unsigned long long id = entry->call.id;
    if (result->alarms > 1)
        orchestrator_notice(entry->orchestrator, NOTICE_ALARM,
                            P_("c%llu: %s, and %u more like it", "c%llu: %s, and %u more like it",
                               result->alarms - 1),
                            id, result->alarm, result->alarms - 1);
}

static void tell_config_kept(const struct call_entry *entry)
{
    cleanup_free char *words = config_kept_words(&entry->call);
    orchestrator_notice(entry->orchestrator, NOTICE_WARNING, "c%llu: %s",
                        (unsigned long long)entry->call.id, words);
}

/* Of a command that ended well nobody is asked: `git push | tail` is as good as its tail. */
static void tell_push_stopped(const struct call_entry *entry, const char *repository)
{
    enum { PATH_COLUMNS = 22 }; /* what a row has beside our words */
    cleanup_free char *path = text_path_ends(repository, strlen(repository), PATH_COLUMNS);
    orchestrator_notice(entry->orchestrator, NOTICE_WARNING,
                        _("c%llu: done, but the sandbox may have stopped its push to %s"),
                        (unsigned long long)entry->call.id, path);
}

void attempt_end(struct call_entry *entry)
{
    struct call *call = &entry->call;
    entry->run_ended = false;
    run_free(&call->run);
    holds_release(entry);
    changes_after_run(entry);
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    add_tail(&text, call->output);
    add_tail(&text, call->error_output);
    judge_denial(entry, &text, last_attempt(call));
    note_listed(entry, &text);
    if (last_attempt(call)->git_config_kept)
        tell_config_kept(entry);
    if (last_attempt(call)->push_stopped != NULL)
        tell_push_stopped(entry, last_attempt(call)->push_stopped);
    announce(entry->orchestrator, attempt_ended, call, call->attempt_count - 1);
    fd_close(&call->gateway);
    tell_more_alarms(entry, &last_attempt(call)->result);
}

bool attempt_can_repeat(const struct call_entry *entry)
{
    return !entry->input_lost;
}

void attempt_kill(struct call_entry *entry)
{
    if (entry->call.run != NULL)
        run_cancel(entry->call.run);
}

void attempt_kill_now(struct call_entry *entry)
{
    struct call *call = &entry->call;
    last_attempt(call)->result = (struct run_result){.outcome = RUN_SIGNALED,
                                                     .signal = SIGKILL,
                                                     .cancelled = true,
                                                     .duration_ms = run_spent_ms(call->run),
                                                     .paused_ms = run_stood_ms(call->run)};
    run_free(&call->run);
    holds_release(entry);
    announce(entry->orchestrator, attempt_ended, call, call->attempt_count - 1);
    fd_close(&call->gateway);
}
