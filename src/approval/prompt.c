/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/prompt.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "approval/ladder.h"
#include "approval/retry_path.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/sha256.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/shell.h"

char *prompt_command_line(const char *const *argv, bool unwrap)
{
    const char *script = unwrap ? shell_wrapped_script(argv) : NULL;
    if (script != NULL)
        return xstrdup(script);
    struct strbuf line = STRBUF_INIT;
    text_quote_argv(&line, argv);
    return strbuf_steal(&line);
}

bool prompt_awaits_path(const struct prompt *prompt)
{
    const char *why = prompt->no_path;
    return why != NULL && prompt->path == NULL &&
           (strcmp(why, RETRY_PATH_ABSENT) == 0 || strcmp(why, RETRY_PATH_NO_DIRECTORY) == 0);
}

const char *prompt_fixed(const struct call *call)
{
    if (call->reach != NULL || call->tool == CALL_NETWORK)
        return N_("A connection is allowed or denied; there is nothing in it to change.");
    if (call->tool == CALL_APPLY_PATCH)
        return N_("A patch is not changed here; deny it and tell the agent what to change.");
    if (call->tool == CALL_PERMISSIONS)
        return N_("The permissions are given or denied as they were asked for.");
    if (call->wants_words)
        return N_("A question is answered or declined; there is nothing in it to change.");
    if (call->agent_tool != NULL)
        return N_("The agent does this itself; deny it and tell it what to change.");
    if (!text_valid_utf8(call->prompt->command, strlen(call->prompt->command)))
        return N_("It holds bytes that are not text, which cannot be typed.");
    return NULL;
}

bool prompt_is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void describe_additional(struct wording *text, const struct additional_permissions *more)
{
    for (size_t i = 0; more->readable != NULL && more->readable[i] != NULL; i++)
        wording_add(text, N_("; also read %s"), more->readable[i]);
    for (size_t i = 0; more->writable != NULL && more->writable[i] != NULL; i++)
        wording_add(text,
                    prompt_is_directory(more->writable[i]) ? N_("; also write all in %s")
                                                           : N_("; also write %s"),
                    more->writable[i]);
    if (more->network)
        wording_add_words(text, N_("; also the network"));
}

struct wording *prompt_under(const struct turn_context *context, enum attempt_sandbox sandbox,
                             const struct additional_permissions *more)
{
    if (sandbox == ATTEMPT_UNSANDBOXED)
        return wording_from(N_("no sandbox: it can do all that you can do"));
    struct wording *text = sandbox_policy_summary(context->sandbox);
    if (context->preference == SANDBOX_FORBID && sandbox_policy_is_restricted(context->sandbox))
        wording_add_words(text, N_(", not enforced: the configuration forbids the sandbox"));
    else if (sandbox == ATTEMPT_PERMISSIONS)
        describe_additional(text, more);
    return text;
}

static void add_environment(struct wording *reason, char *const *env)
{
    if (env == NULL || env[0] == NULL)
        return;
    cleanup_strbuf struct strbuf variables = STRBUF_INIT;
    text_quote_argv(&variables, (const char *const *)env);
    wording_add(reason, N_("; it sets variables of its own: %s"), strbuf_str(&variables));
}

static void add_input(struct wording *reason, const struct prompt_facts *facts)
{
    if (!facts->agent_input)
        return;
    if (facts->standard_input == STDIN_TTY)
        wording_add_words(reason, N_("; the agent can type into its terminal"));
    else if (facts->standard_input == STDIN_PIPE)
        wording_add_words(reason, N_("; its standard input comes from the agent"));
    if (facts->replayed == 0)
        return;
    cleanup_free char *bytes = xasprintf("%zu", facts->replayed);
    wording_add(reason, N_(" (the %s bytes of the first attempt again, and what follows)"), bytes);
}

/* What else changes what runs: said with every prompt, because nobody sees it in the command. */
static void add_circumstances(struct wording *reason, const struct prompt_facts *facts)
{
    const struct call *call = facts->call;
    if (!facts->program_installed && call->program != NULL && !call->agent_fields)
        wording_add(reason, N_("; the program is %s, which an agent may have put there"),
                    call->program);
    add_environment(reason, call->spec->env);
    add_input(reason, facts);
}

/* A rule that asks, or a danger, does not hide that the command is to leave the sandbox. */
static void add_leaving(struct wording *reason, const struct call *call)
{
    bool another =
        call->requirement.cause == PROMPT_BY_RULE || call->requirement.cause == PROMPT_BY_DANGER;
    if (another && call->spec->permissions != SANDBOX_PERMISSIONS_USE_DEFAULT &&
        sandbox_policy_is_restricted(call->context->sandbox))
        wording_add_words(reason, N_("; and the agent asks for more than the sandbox gives"));
}

static size_t count_lines(const char *text, size_t length)
{
    size_t lines = length > 0 && text[length - 1] != '\n';
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

/* A shell passes over a NUL and reads what comes behind it: so does who is to see that. The mark is
 * its picture, U+2400. */
static char *without_nul(const char *bytes, size_t length)
{
    struct strbuf text = STRBUF_INIT;
    while (length > 0) {
        size_t piece = strnlen(bytes, length);
        strbuf_add(&text, bytes, piece);
        if (piece < length) {
            strbuf_addstr(&text, "\xe2\x90\x80");
            piece++;
        }
        bytes += piece;
        length -= piece;
    }
    return text.length > 0 ? strbuf_steal(&text) : xstrdup("");
}

static struct prompt_script script_of(const struct script_text *text)
{
    unsigned char hash[SHA256_SIZE];
    struct prompt_script script = {.path = xstrdup(text->path)};
    if (text->bytes == NULL)
        return script;
    sha256_of(text->bytes, text->length, hash);
    sha256_hex(hash, script.sha256);
    if (!text->compiled) {
        script.text = without_nul(text->bytes, text->length);
        script.lines = count_lines(text->bytes, text->length);
    }
    return script;
}

static void take_scripts(struct prompt *prompt, const struct scripts *scripts)
{
    struct script_text text;
    for (size_t at = 0; scripts_next(scripts, &at, &text);) {
        prompt->scripts =
            xreallocarray(prompt->scripts, prompt->script_count + 1, sizeof(*prompt->scripts));
        prompt->scripts[prompt->script_count++] = script_of(&text);
    }
}

static struct prompt *prompt_new(const struct prompt_facts *facts, uint64_t id, int64_t now_ms)
{
    struct prompt *prompt = XNEW(struct prompt);
    prompt->id = id;
    prompt->revision = 1;
    char *const *argv = facts->call->spec->argv;
    prompt->command = facts->call->wants_words ? xstrdup(argv[1])
                                               : prompt_command_line((const char *const *)argv,
                                                                     facts->program_installed);
    prompt->under = facts->under;
    prompt->covers_retry = facts->covers_retry;
    prompt->sandbox = facts->sandbox;
    prompt->may_sandbox = facts->may_sandbox;
    prompt->held = facts->held;
    prompt->held_call = facts->held_call;
    prompt->path = facts->path != NULL ? xstrdup(facts->path) : NULL;
    prompt->path_holds = facts->path != NULL && prompt_is_directory(facts->path);
    prompt->path_may_last = facts->path != NULL && facts->path_once_reason == NULL;
    prompt->path_once_reason = facts->path != NULL ? facts->path_once_reason : NULL;
    prompt->path_under = facts->path_under;
    prompt->no_path = facts->no_path;
    prompt->may_approve_for_session = facts->may_approve_for_session;
    prompt->once_reason = facts->once_reason;
    prompt->once_names = facts->once_names != NULL ? xstrdup(facts->once_names) : NULL;
    prompt->lease_call = facts->lease_call;
    prompt->retry_denied = facts->retry_denied;
    prompt->ladder = facts->ladder;
    prompt->no_rule = facts->no_rule;
    prompt->denied = facts->denied;
    prompt->changed = facts->changed;
    prompt->changes = facts->changes;
    if (facts->ladder != NULL)
        prompt->amendment =
            strv_copy((const char *const *)facts->ladder->steps[facts->ladder->suggested].words);
    take_scripts(prompt, facts->scripts);
    prompt->script_unknown = scripts_unknown(facts->scripts);
    prompt->opened_ms = now_ms;
    return prompt;
}

/* What is asked about says more than why, unless that is a rule. */
static enum prompt_cause cause_of(const struct call *call)
{
    if (call->requirement.cause == PROMPT_BY_RULE)
        return PROMPT_BY_RULE;
    if (call->tool == CALL_NETWORK)
        return PROMPT_BY_NETWORK;
    if (call->tool == CALL_APPLY_PATCH)
        return PROMPT_BY_PATCH;
    if (call->tool == CALL_PERMISSIONS || call->widens)
        return PROMPT_BY_PERMISSIONS;
    if (call->input_for != 0)
        return PROMPT_BY_INPUT;
    if (call->in_person)
        return PROMPT_BY_ELICITATION;
    return call->agent_fields ? PROMPT_BY_AGENT_TOOL : call->requirement.cause;
}

/* What is no command that the console starts says so first. */
static void add_what_it_is(struct wording *reason, const struct call *call)
{
    cleanup_free char *other = xasprintf("c%" PRIu64, call->input_for);
    if (call->widens)
        wording_add_words(reason, N_("the agent asks for more for the whole session; "));
    else if (call->input_for != 0)
        wording_add(reason, N_("the agent sends input to %s, which runs; "), other);
    else if (call->wants_words)
        wording_add_words(reason, N_("a question, perhaps of a tool server of the agent's; "));
    else if (call->agent_tool != NULL)
        wording_add(reason, N_("the agent does this itself, by its tool %s; "), call->agent_tool);
}

struct prompt *prompt_first(const struct prompt_facts *facts, uint64_t id, int64_t now_ms)
{
    const struct approval_requirement *requirement = &facts->call->requirement;
    struct prompt *prompt = prompt_new(facts, id, now_ms);
    prompt->cause = cause_of(facts->call);
    prompt->reason = wording_new();
    add_what_it_is(prompt->reason, facts->call);
    wording_append(prompt->reason, requirement->reason);
    add_leaving(prompt->reason, facts->call);
    add_circumstances(prompt->reason, facts);
    if (facts->covers_retry)
        wording_add_words(prompt->reason, N_("; approving also covers one run without the sandbox "
                                             "if it denies something"));
    return prompt;
}

static struct wording *describe_attempt(const struct call *call)
{
    const struct attempt *attempt = &call->attempts[0];
    const struct run_result *result = &attempt->result;
    bool signaled = result->outcome == RUN_SIGNALED;
    cleanup_free char *number = xasprintf("%d", signaled ? result->signal : result->code);
    struct wording *text = wording_new();
    char duration[32];
    clock_format_duration(result->duration_ms, duration);
    if (attempt->command != NULL && text_same(attempt->command, call->asked_command))
        wording_add_words(text, N_("of what was asked for: "));
    else if (attempt->command != NULL)
        wording_add(text, N_("of %s: "), attempt->command);
    wording_add(text, signaled ? N_("ended by signal %s after %s") : N_("exit status %s after %s"),
                number, duration);
    if (attempt->touched != NULL) {
        wording_add_words(text, "; ");
        wording_append(text, attempt->touched);
    }
    return text;
}

/* A path, of which it is not known what was done to it. */
static bool is_path_alone(const struct sandbox_denial *denial)
{
    return denial->inferred && denial->path[0] != '\0' && strcmp(denial->cause, "file system") == 0;
}

static void add_denial(struct wording *reason, const struct sandbox_denial *denial)
{
    bool alone = is_path_alone(denial);
    wording_add_words(reason, alone              ? N_("the sandbox may have blocked access to")
                              : denial->inferred ? N_("the sandbox may have blocked it: ")
                                                 : N_("the sandbox blocked: "));
    if (!alone)
        wording_add_words(reason, denial->cause[0] != '\0' ? denial->cause : N_("something"));
    if (denial->path[0] != '\0')
        wording_add(reason, " %s", denial->path);
    if (denial->inferred)
        wording_add_words(reason, N_(" (inferred from what the command printed)"));
}

struct prompt *prompt_retry(const struct prompt_facts *facts, uint64_t id, int64_t now_ms)
{
    const struct attempt *attempt = &facts->call->attempts[0];
    struct prompt *prompt = prompt_new(facts, id, now_ms);
    prompt->reason = wording_new();
    add_denial(prompt->reason, attempt->denial);
    add_circumstances(prompt->reason, facts);
    prompt->cause = PROMPT_BY_DENIAL;
    prompt->retry = true;
    prompt->first_attempt = describe_attempt(facts->call);
    prompt->repeats_some = attempt->command == NULL && call_is_compound(facts->call);
    return prompt;
}

/* With its end, so that two texts are not taken for one; NULL is not "". */
static void hash_text(struct sha256 *hash, const char *text)
{
    sha256_add(hash, text != NULL ? "+" : "-", 1);
    if (text != NULL)
        sha256_add(hash, text, strlen(text) + 1);
}

static void hash_texts(struct sha256 *hash, char *const *texts)
{
    for (size_t i = 0; texts != NULL && texts[i] != NULL; i++)
        hash_text(hash, texts[i]);
    hash_text(hash, NULL);
}

static void hash_number(struct sha256 *hash, uint64_t number)
{
    sha256_add(hash, &number, sizeof(number));
}

static void hash_spec(struct sha256 *hash, const struct command_spec *spec)
{
    const struct additional_permissions *more = spec->additional;
    hash_texts(hash, spec->argv);
    hash_text(hash, spec->cwd);
    hash_texts(hash, spec->env);
    hash_number(hash, spec->permissions);
    hash_number(hash, spec->tty);
    hash_texts(hash, more != NULL ? more->readable : NULL);
    hash_texts(hash, more != NULL ? more->writable : NULL);
    hash_number(hash, more != NULL && more->network);
}

static void hash_clause(struct sha256 *hash, const struct risk_clause *clause)
{
    hash_text(hash, clause->phrase);
    hash_text(hash, clause->object);
    hash_text(hash, clause->owner);
    hash_number(hash, clause->more);
    hash_number(hash, clause->others);
    hash_number(hash, clause->level);
    hash_number(hash, clause->categories);
}

/* How bad it is, and by what: all that is said of that. A model says it of each anew. */
static void hash_assessment(struct sha256 *hash, const struct assessment *assessment)
{
    hash_number(hash, assessment->level);
    hash_number(hash, assessment->categories);
    hash_number(hash, assessment->stays_here);
    hash_text(hash, assessment->description);
    for (size_t i = 0; i < ASSESSMENT_CLAUSES; i++)
        hash_clause(hash, &assessment->clauses[i]);
    for (size_t i = 0; i < assessment->untold_count; i++)
        hash_text(hash, assessment->untold[i]);
    hash_text(hash, NULL);
    for (size_t i = 0; i < assessment->evidence_count; i++) {
        hash_number(hash, assessment->evidence[i].start);
        hash_number(hash, assessment->evidence[i].end);
        hash_text(hash, assessment->evidence[i].why);
        hash_number(hash, assessment->evidence[i].level);
    }
    hash_text(hash, assessment->loss);
    hash_text(hash, assessment->worst.file);
    hash_number(hash, assessment->worst.line);
}

static void hash_prompt(struct sha256 *hash, const struct prompt *prompt)
{
    hash_number(hash, prompt->sandbox);
    hash_number(hash, prompt->retry);
    hash_text(hash, wording_english(prompt->reason));
    hash_text(hash, wording_english(prompt->under));
    hash_text(hash, prompt->path);
    hash_text(hash, wording_english(prompt->changed));
    for (size_t i = 0; i < prompt->script_count; i++) {
        hash_text(hash, prompt->scripts[i].path);
        hash_text(hash, prompt->scripts[i].sha256);
    }
}

void prompt_note(struct call *call, const char *question)
{
    unsigned char sum[SHA256_SIZE];
    struct sha256 hash;
    call->asked_as[0] = '\0';
    if (!call->prompt->retry)
        call->first_asked_as[0] = '\0';
    /* A patch is all that its program reads. */
    if ((call->spec->standard_input != STDIN_NULL && call->patch == NULL) ||
        call->prompt->script_unknown)
        return;
    sha256_init(&hash);
    hash_number(&hash, call->tool);
    hash_number(&hash, call->input_for);
    hash_text(&hash, call->agent_tool);
    hash_text(&hash, call->program);
    hash_text(&hash, call->patch);
    hash_text(&hash, question);
    hash_spec(&hash, call->spec);
    hash_assessment(&hash, &call->assessment);
    hash_prompt(&hash, call->prompt);
    sha256_finish(&hash, sum);
    sha256_hex(sum, call->asked_as);
    if (!call->prompt->retry)
        memcpy(call->first_asked_as, call->asked_as, sizeof(call->first_asked_as));
}

void prompt_free(struct prompt **prompt)
{
    struct prompt *freed = steal_pointer(prompt);
    if (freed == NULL)
        return;
    free(freed->command);
    wording_free(&freed->reason);
    wording_free(&freed->under);
    additional_permissions_free(&freed->held);
    free(freed->path);
    free(freed->once_names);
    wording_free(&freed->path_under);
    strv_free(&freed->amendment);
    ladder_free(&freed->ladder);
    free(freed->denied);
    wording_free(&freed->changed);
    wording_free(&freed->first_attempt);
    for (size_t i = 0; i < freed->script_count; i++) {
        free(freed->scripts[i].path);
        free(freed->scripts[i].text);
    }
    free(freed->scripts);
    free(freed);
}
