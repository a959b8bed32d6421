/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/git_query.h"

#include <stdlib.h>
#include <string.h>

#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/program.h"
#include "run/runner.h"
#include "sandbox/transform.h"

#define OUTPUT_MAX ((size_t)64 * 1024)
#define COMPLAINT_MAX ((size_t)512)
#define TIME_ALLOWED_MS 5000

struct git_query {
    void (*on_end)(void *argument);
    void *argument;
    struct run *run;
    bool ended;
    struct run_result result;
    struct strbuf output, complaint;
    struct strbuf line, before; /* that is being written, and the one before it */
    bool cut;                   /* the rest of it is left out */
    bool (*keeps)(enum git_loss_kind kind, const char *line, const char *before);
    enum git_loss_kind kind;
};

/* ---- what is run ----------------------------------------------------------------------------- */

static void add_words(char ***argv, const char *const *words)
{
    size_t count = strv_length((const char *const *)*argv);
    *argv = xreallocarray(*argv, count + strv_length(words) + 1, sizeof **argv);
    for (; *words != NULL; words++)
        (*argv)[count++] = xstrdup(*words);
    (*argv)[count] = NULL;
}

/* What an agent can write stands for nothing else: a list of parents for a commit, a tag for a
 * branch, an encoding for plain lines, a list of what is not tracked. (Whether a replacement stands
 * for a commit is said by who asks: the command itself goes by it.) What is not there is not
 * fetched (of the two that see to that older ones know the second alone), nobody is asked for a
 * password, and it speaks as it is read here. */
static struct command_spec *spec_of(const struct call *call, const char *const *rest)
{
    static const char *const words[] = {"git", "--no-pager",
                                        "-c",  "core.fsmonitor=false",
                                        "-c",  "core.commitGraph=false",
                                        "-c",  "core.untrackedCache=false",
                                        "-c",  "core.quotePath=false",
                                        "-c",  "core.warnAmbiguousRefs=true",
                                        NULL};
    static const char *const variables[] = {"GIT_NO_LAZY_FETCH=1",
                                            "GIT_ALLOW_PROTOCOL=",
                                            "GIT_GRAFT_FILE=/dev/null/none",
                                            "GIT_OPTIONAL_LOCKS=0",
                                            "LC_ALL=C",
                                            "GIT_TERMINAL_PROMPT=0",
                                            NULL};
    struct command_spec *spec = command_spec_new();
    add_words(&spec->argv, words);
    add_words(&spec->argv, rest);
    spec->env = strv_copy(variables);
    spec->cwd = xstrdup(call->spec->cwd);
    spec->timeout_ms = TIME_ALLOWED_MS;
    return spec;
}

/* A git that an agent can have put there could say anything. */
static bool find_git(const struct call_entry *entry, struct program *git)
{
    const char *const *environment = (const char *const *)entry->orchestrator->base_environment;
    cleanup_strv char **roots = turn_context_writable_roots(entry->call.context);
    program_find("git", entry->call.spec->cwd, program_environment_get(environment, "PATH"), git);
    return program_is_installed(git, (const char *const *)roots);
}

static struct exec_request *request_of(const struct call_entry *entry, const char *const *words)
{
    const struct orchestrator *orchestrator = entry->orchestrator;
    struct sandbox_policy *policy =
        sandbox_policy_new(SANDBOX_READ_ONLY, entry->call.context->root);
    struct program git;
    bool found = find_git(entry, &git);
    struct transform_context context = {
        .policy = policy,
        .helper = orchestrator->helper_path,
        .program = git.path,
        .base_environment = (const char *const *)orchestrator->base_environment,
    };
    struct exec_request *request = NULL;
    if (found &&
        select_type(SANDBOX_REQUIRE, policy, &orchestrator->capability, &context.type, NULL) == 0 &&
        context.type != SANDBOX_TYPE_NONE) {
        struct command_spec *spec = spec_of(&entry->call, words);
        request = transform_command(spec, &context, NULL);
        command_spec_free(&spec);
    }
    program_clear(&git);
    sandbox_policy_free(&policy);
    return request;
}

/* ---- what it says ---------------------------------------------------------------------------- */

static void git_starts(void *argument, pid_t pid)
{
    (void)argument;
    (void)pid;
}

static void end_line(struct git_query *query)
{
    const char *line = strbuf_str(&query->line);
    bool kept = query->keeps == NULL || query->keeps(query->kind, line, strbuf_str(&query->before));
    if (kept && query->output.length + query->line.length < OUTPUT_MAX)
        strbuf_addf(&query->output, "%s\n", line);
    strbuf_reset(&query->before);
    strbuf_addstr(&query->before, line);
    strbuf_reset(&query->line);
}

/* A subject may be of any length, and a line that has no end would count for none. */
static void add_byte(struct git_query *query, char byte)
{
    bool goes_on = ((unsigned char)byte & 0xc0) == 0x80;
    bool fits = !query->cut && query->line.length < GIT_QUERY_LINE_MAX + (goes_on ? 3 : 0);
    if (byte == '\n')
        end_line(query);
    else if (fits)
        strbuf_addch(&query->line, byte != '\0' ? byte : '?');
    else if (!query->cut)
        strbuf_addstr(&query->line, "…");
    query->cut = byte != '\n' && !fits;
}

static void git_says(void *argument, enum run_stream stream, const char *bytes, size_t length)
{
    struct git_query *query = argument;
    size_t room = COMPLAINT_MAX - query->complaint.length;
    if (stream == RUN_STDERR)
        strbuf_add(&query->complaint, bytes, length < room ? length : room);
    for (size_t i = 0; stream != RUN_STDERR && i < length; i++)
        add_byte(query, bytes[i]);
}

static void git_has_ended(void *argument, const struct run_result *result)
{
    struct git_query *query = argument;
    query->ended = true;
    query->result = *result;
    query->on_end(query->argument);
}

bool git_query_has_told(const struct git_query *query)
{
    return query->result.outcome == RUN_EXITED && query->result.code == 0 &&
           query->complaint.length == 0;
}

bool git_query_is_silent(const struct git_query *query)
{
    return query->result.outcome == RUN_EXITED && query->result.code == 1 &&
           query->complaint.length == 0;
}

char *git_query_take_lines(struct git_query *query)
{
    if (query->line.length > 0)
        end_line(query);
    return strbuf_steal(&query->output);
}

char *git_query_why(const struct git_query *query)
{
    const char *said = strbuf_str(&query->complaint);
    return query->result.timed_out ? NULL : xstrndup(said, strcspn(said, "\n"));
}

/* ---- one after the other --------------------------------------------------------------------- */

bool git_query_start(struct git_query *query, const struct call_entry *entry,
                     const char *const *words)
{
    static const struct run_events events = {
        .started = git_starts, .output = git_says, .ended = git_has_ended};
    const struct run_options options = {.split_streams = true, .timeout_ms = TIME_ALLOWED_MS};
    git_query_forget(query);
    struct exec_request *request = request_of(entry, words);
    if (request != NULL)
        query->run = run_start(entry->orchestrator->loop, request, &options, &events, query, NULL);
    exec_request_free(&request);
    return query->run != NULL;
}

void git_query_filter(struct git_query *query,
                      bool (*keeps)(enum git_loss_kind kind, const char *line, const char *before),
                      enum git_loss_kind kind)
{
    query->keeps = keeps;
    query->kind = kind;
}

void git_query_forget(struct git_query *query)
{
    run_free(&query->run);
    query->ended = query->cut = false;
    query->keeps = NULL;
    strbuf_reset(&query->output);
    strbuf_reset(&query->line);
    strbuf_reset(&query->before);
    strbuf_reset(&query->complaint);
}

bool git_query_is_open(const struct git_query *query)
{
    return query->run != NULL;
}

bool git_query_has_ended(const struct git_query *query)
{
    return query->ended;
}

struct git_query *git_query_new(void (*ended)(void *argument), void *argument)
{
    struct git_query *query = XNEW(struct git_query);
    query->on_end = ended;
    query->argument = argument;
    return query;
}

void git_query_free(struct git_query **query)
{
    if (*query == NULL)
        return;
    run_free(&(*query)->run);
    strbuf_free(&(*query)->output);
    strbuf_free(&(*query)->line);
    strbuf_free(&(*query)->before);
    strbuf_free(&(*query)->complaint);
    free(*query);
    *query = NULL;
}
