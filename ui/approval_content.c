/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_content.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/call_text.h"

static void add(struct approval_content *content, const char *label, enum theme_element element,
                char *text)
{
    if (content->count == APPROVAL_FIELDS_MAX) {
        free(text);
        return;
    }
    content->fields[content->count++] =
        (struct approval_field){.label = label, .text = text, .element = element};
}

static struct approval_field *last(struct approval_content *content)
{
    return &content->fields[content->count - 1];
}

/* Our own words, which may quote what is not ours. */
static void add_words(struct approval_content *content, const char *label, const char *text)
{
    struct strbuf safe = STRBUF_INIT;

    if (text == NULL || *text == '\0')
        return;
    text_escape(&safe, text, strlen(text), TEXT_PLAIN_AGENT | TEXT_PROSE);
    add(content, label, THEME_OVERLAY_TEXT, strbuf_steal(&safe));
}

static void add_command(struct approval_content *content, const struct call *call)
{
    cleanup_strbuf struct strbuf raw = STRBUF_INIT;
    struct strbuf safe = STRBUF_INIT;

    call_text_command(call, &raw);
    content->command_bytes = raw.length;
    content->replaced +=
        text_escape(&safe, strbuf_str(&raw), raw.length, TEXT_KEEP_NEWLINES | TEXT_PLAIN_AGENT);
    content->look_alikes = text_mixed_scripts(strbuf_str(&raw), raw.length);
    content->command = xstrdup(strbuf_str(&safe));
    strbuf_free(&safe);
}

static void add_directory(struct approval_content *content, const struct call *call)
{
    const char *cwd = call->spec->cwd;
    struct strbuf safe = STRBUF_INIT;

    content->replaced += text_escape(&safe, cwd, strlen(cwd), TEXT_PLAIN_AGENT);
    add(content, _("Directory"), THEME_OVERLAY_TEXT, strbuf_steal(&safe));
}

/* What changes the meaning of a command without being in it. */
static void add_surroundings(struct approval_content *content, const struct call *call)
{
    if (call->program == NULL)
        add_words(content, _("Program"), _("not found on your PATH"));
    else if (!call_text_system_program(call))
        add_words(content, _("Program"), call->program);
    if (call->spec->env != NULL && call->spec->env[0] != NULL) {
        cleanup_strbuf struct strbuf line = STRBUF_INIT;

        text_quote_argv(&line, (const char *const *)call->spec->env);
        add_words(content, _("Variables"), strbuf_str(&line));
        last(content)->agent_words = true;
        last(content)->important = true;
    }
    if (call->spec->standard_input == STDIN_PIPE)
        add_words(content, _("Input"), _("the agent sends it while the command runs"));
}

static void add_justification(struct approval_content *content, const struct call *call)
{
    const char *words = call->spec->justification;
    struct strbuf safe = STRBUF_INIT;

    if (words == NULL || *words == '\0')
        return;
    text_escape(&safe, words, strlen(words), TEXT_PLAIN_AGENT | TEXT_PROSE);
    add(content, _("It says"), THEME_AGENT_WORDS, strbuf_steal(&safe));
    last(content)->agent_words = true;
}

static void add_risk(struct approval_content *content, const struct call *call)
{
    static const enum theme_element elements[] = {
        [RISK_LOW] = THEME_RISK_LOW,
        [RISK_MEDIUM] = THEME_RISK_MEDIUM,
        [RISK_HIGH] = THEME_RISK_HIGH,
    };
    struct strbuf text = STRBUF_INIT;
    const char *separator = ": ";

    content->risk = call->assessment.level;
    strbuf_addstr(&text, call_text_risk(content->risk));
    for (unsigned i = 0; i < RISK_CATEGORY_COUNT; i++) {
        if ((call->assessment.categories & 1U << i) == 0)
            continue;
        strbuf_addf(&text, "%s%s", separator, call_text_category((enum risk_category)(1U << i)));
        separator = ", ";
    }
    add(content, _("Risk"), elements[content->risk], strbuf_steal(&text));
    last(content)->important = true;
}

static void add_under(struct approval_content *content, const struct prompt *prompt)
{
    cleanup_free char *text = NULL;

    text = xasprintf("%s%s", prompt->under != NULL ? prompt->under : "",
                     prompt->covers_retry ? _("; and once without the sandbox, if that refuses it")
                                          : "");
    add_words(content, _("Runs under"), text);
    last(content)->important = true;
    if (prompt->sandbox == ATTEMPT_UNSANDBOXED || prompt->covers_retry)
        last(content)->element = THEME_WARNING;
}

static void add_prefix(struct approval_content *content, const struct prompt *prompt)
{
    cleanup_strbuf struct strbuf raw = STRBUF_INIT;
    struct strbuf safe = STRBUF_INIT;

    if (prompt->amendment == NULL)
        return;
    text_quote_argv(&raw, (const char *const *)prompt->amendment);
    text_escape(&safe, strbuf_str(&raw), raw.length, TEXT_PLAIN_AGENT);
    content->prefix = strbuf_steal(&safe);
}

/* Replaces what is not ASCII; returns how many characters that were. */
static size_t to_ascii(char **text)
{
    struct strbuf out = STRBUF_INIT;
    size_t length = strlen(*text), at = 0, replaced = 0;

    while (at < length) {
        uint32_t codepoint;
        size_t size = text_decode(*text + at, length - at, &codepoint);

        if (size == 1)
            strbuf_addch(&out, (*text)[at]);
        else
            strbuf_addf(&out, "<U+%04X>", (unsigned)codepoint);
        replaced += size > 1 ? 1 : 0;
        at += size;
    }
    free(*text);
    *text = xstrdup(strbuf_str(&out));
    strbuf_free(&out);
    return replaced;
}

static void all_to_ascii(struct approval_content *content)
{
    content->replaced += to_ascii(&content->command);
    for (size_t i = 0; i < content->count; i++)
        to_ascii(&content->fields[i].text);
    if (content->prefix != NULL)
        to_ascii(&content->prefix);
}

void approval_content_init(struct approval_content *content, const struct call *call, bool ascii)
{
    const struct prompt *prompt = call->prompt;

    memset(content, 0, sizeof(*content));
    content->retry = prompt->retry;
    content->may_approve_for_session = prompt->may_approve_for_session;
    add_command(content, call);
    add_directory(content, call);
    add_surroundings(content, call);
    add(content, _("Asked by"), THEME_OVERLAY_TEXT, call_text_identity(call));
    add_words(content, _("Reason"), prompt->reason);
    add_words(content, _("First try"), prompt->first_attempt);
    add_justification(content, call);
    add_words(content, _("Summary"), call->assessment.description);
    add_risk(content, call);
    add_under(content, prompt);
    add_prefix(content, prompt);
    if (ascii)
        all_to_ascii(content);
}

void approval_content_clear(struct approval_content *content)
{
    free(content->command);
    free(content->prefix);
    for (size_t i = 0; i < content->count; i++)
        free(content->fields[i].text);
    memset(content, 0, sizeof(*content));
}

bool approval_content_needs_confirmation(const struct approval_content *content)
{
    return content->risk == RISK_HIGH || content->replaced > 0 || content->look_alikes;
}
