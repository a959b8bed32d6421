/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/prompt.h"

#include <string.h>

#include "base/alloc.h"
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

static void add_environment(struct strbuf *reason, char *const *env)
{
    if (env == NULL || env[0] == NULL)
        return;
    strbuf_addstr(reason, "; it sets variables of its own: ");
    text_quote_argv(reason, (const char *const *)env);
}

static void add_input(struct strbuf *reason, const struct prompt_facts *facts)
{
    if (!facts->agent_input)
        return;
    if (facts->standard_input == STDIN_TTY)
        strbuf_addstr(reason, "; the agent can type into its terminal");
    else if (facts->standard_input == STDIN_PIPE)
        strbuf_addstr(reason, "; its standard input comes from the agent");
    if (facts->replayed > 0)
        strbuf_addf(reason, " (the %zu bytes of the first attempt again, and what follows)",
                    facts->replayed);
}

/* What else changes what runs: said with every prompt, because nobody sees it in the command. */
static void add_circumstances(struct strbuf *reason, const struct prompt_facts *facts)
{
    const struct call *call = facts->call;
    if (!facts->program_installed && call->program != NULL)
        strbuf_addf(reason, "; the program is %s, which an agent may have put there",
                    call->program);
    add_environment(reason, call->spec->env);
    add_input(reason, facts);
}

static struct prompt *prompt_new(const struct prompt_facts *facts, uint64_t id, int64_t now_ms)
{
    struct prompt *prompt = XNEW(struct prompt);
    prompt->id = id;
    prompt->revision = 1;
    prompt->command =
        prompt_command_line((const char *const *)facts->call->spec->argv, facts->program_installed);
    prompt->under = xstrdup(facts->under);
    prompt->covers_retry = facts->covers_retry;
    prompt->sandbox = facts->sandbox;
    prompt->may_approve_for_session = facts->may_approve_for_session;
    prompt->opened_ms = now_ms;
    return prompt;
}

struct prompt *prompt_first(const struct prompt_facts *facts, uint64_t id, int64_t now_ms)
{
    const struct approval_requirement *requirement = &facts->call->requirement;
    struct prompt *prompt = prompt_new(facts, id, now_ms);
    struct strbuf reason = STRBUF_INIT;
    strbuf_addstr(&reason, requirement->reason);
    add_circumstances(&reason, facts);
    if (facts->covers_retry)
        strbuf_addstr(&reason, "; approving also covers one run without the sandbox if it denies "
                               "something");
    prompt->reason = strbuf_steal(&reason);
    prompt->amendment = strv_copy((const char *const *)requirement->amendment);
    return prompt;
}

static char *describe_attempt(const struct attempt *attempt)
{
    const struct run_result *result = &attempt->result;
    if (result->outcome == RUN_SIGNALED)
        return xasprintf("ended by signal %d, in %s", result->signal, attempt->under);
    return xasprintf("exit status %d, in %s", result->code, attempt->under);
}

static void add_denial(struct strbuf *reason, const struct sandbox_denial *denial)
{
    const char *cause = denial->cause[0] != '\0' ? denial->cause : "something";
    const char *space = denial->path[0] != '\0' ? " " : "";
    if (denial->inferred)
        strbuf_addf(reason,
                    "the sandbox may have blocked it: %s%s%s (inferred: these are the command's "
                    "own words)",
                    cause, space, denial->path);
    else
        strbuf_addf(reason, "the sandbox blocked: %s%s%s", cause, space, denial->path);
}

struct prompt *prompt_retry(const struct prompt_facts *facts, uint64_t id, int64_t now_ms)
{
    const struct attempt *attempt = &facts->call->attempts[0];
    struct prompt *prompt = prompt_new(facts, id, now_ms);
    struct strbuf reason = STRBUF_INIT;
    add_denial(&reason, &attempt->denial);
    add_circumstances(&reason, facts);
    prompt->reason = strbuf_steal(&reason);
    prompt->retry = true;
    prompt->first_attempt = describe_attempt(attempt);
    return prompt;
}

void prompt_free(struct prompt **prompt)
{
    struct prompt *freed = steal_pointer(prompt);
    if (freed == NULL)
        return;
    free(freed->command);
    free(freed->reason);
    free(freed->under);
    strv_free(&freed->amendment);
    free(freed->first_attempt);
    free(freed);
}
