/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_again.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "ui/approval_content_int.h"
#include "ui/call_text.h"

/* Calls that are looked at: an agent that repeats itself does so soon. */
#define CALLS_MAX 200

static bool answered(const struct call *call)
{
    return call->decision.kind != REVIEW_NONE && call->decision.source == DECIDED_BY_USER;
}

/* Did the operator answer it, or it ended before? What a rule or an earlier answer let run was no
 * question. */
static bool was_asked(const struct call *call)
{
    bool unanswered = call->cancelled && call->attempt_count == 0;

    return call->prompt == NULL && (answered(call) || unanswered);
}

static bool same_place(const struct call *a, const struct call *b)
{
    return a->session == b->session && a->tool == b->tool &&
           strcmp(a->spec->cwd, b->spec->cwd) == 0;
}

/* Was it, or is it, asked to run without the sandbox? */
static bool leaves_sandbox(const struct call *call)
{
    if (call->prompt != NULL)
        return call->prompt->sandbox == ATTEMPT_UNSANDBOXED;
    if (call->attempt_count > 0)
        return call->attempts[call->attempt_count - 1].sandbox == ATTEMPT_UNSANDBOXED;
    return call->spec->permissions == SANDBOX_PERMISSIONS_REQUIRE_ESCALATED;
}

/* What it reads is part of what it is; a patch is all that its program reads. */
static bool reads_nothing_else(const struct call *call)
{
    return call->patch != NULL || call->spec->standard_input == STDIN_NULL;
}

/* The same words with other input, variables or confinement are another question. */
static bool same_surroundings(const struct call *a, const struct call *b)
{
    const struct command_spec *one = a->spec, *other = b->spec;

    return leaves_sandbox(a) == leaves_sandbox(b) && one->permissions == other->permissions &&
           one->tty == other->tty && reads_nothing_else(a) && reads_nothing_else(b) &&
           strv_equal((const char *const *)one->env, (const char *const *)other->env);
}

/* The text that is asked about. Its hash is made once at most: a patch can be megabytes. */
struct asked {
    const char *text;
    unsigned char hash[SHA256_SIZE];
    bool hashed;
};

/* Of a long one that is over only its begin is kept, and its hash. */
static bool same_patch(const struct call *earlier, struct asked *asked)
{
    size_t length = strlen(asked->text);

    if (earlier->patch_left_out == 0)
        return strcmp(earlier->patch, asked->text) == 0;
    if (strlen(earlier->patch) + earlier->patch_left_out != length)
        return false;
    if (!asked->hashed)
        sha256_of(asked->text, length, asked->hash);
    asked->hashed = true;
    return memcmp(earlier->patch_hash, asked->hash, sizeof(asked->hash)) == 0;
}

static bool same_text(const struct call *earlier, struct asked *asked)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;

    if (earlier->patch != NULL)
        return same_patch(earlier, asked);
    call_text_command(earlier, &text);
    return strcmp(strbuf_str(&text), asked->text) == 0;
}

static char *again_words(const struct call *last, unsigned count)
{
    cleanup_free char *answer =
        answered(last) ? call_text_decision(&last->decision) : xstrdup(_("ended unanswered"));

    return count == 1 ? xasprintf(_("c%" PRIu64 " was the same: %s"), last->id, answer)
                      : xasprintf(_("%u were the same, the last c%" PRIu64 ": %s"), count, last->id,
                                  answer);
}

void approval_again_add(struct approval_content *content, const struct orchestrator *orchestrator,
                        const struct call *call, bool ascii)
{
    size_t calls = orchestrator_call_count(orchestrator);
    cleanup_strbuf struct strbuf command = STRBUF_INIT;
    const struct call *last = NULL;
    struct asked asked = {.text = NULL};
    unsigned count = 0;
    char *words;

    if (call->patch != NULL)
        strbuf_addstr(&command, call->patch);
    else
        call_text_command(call, &command);
    asked.text = strbuf_str(&command);
    for (size_t i = calls; i-- > 0 && calls - i <= CALLS_MAX;) {
        const struct call *earlier = orchestrator_call_at(orchestrator, i);

        if (earlier->id >= call->id || !was_asked(earlier) || !same_place(earlier, call) ||
            !same_surroundings(earlier, call) || !same_text(earlier, &asked))
            continue;
        last = last == NULL ? earlier : last;
        count++;
    }
    if (last == NULL)
        return;
    words = again_words(last, count);
    if (ascii)
        call_text_to_ascii(&words);
    approval_content_add(content, _("Again"), THEME_WARNING, words);
    approval_content_last(content)->important = true;
}
