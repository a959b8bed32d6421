/* SPDX-License-Identifier: MIT */
/* call_text: a call in words, for lists, titles and the trail. */
#ifndef ASSENT_UI_CALL_TEXT_H
#define ASSENT_UI_CALL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "approval/call.h"
#include "base/strbuf.h"
#include "ui/theme.h"

/* Its program lies where the system keeps programs. */
bool call_text_system_program(const struct call *call);
/* What runs, as one shell line, or where to a connection leads; the system's shell that only
 * carries a script shows the script. Raw: not yet made safe. */
void call_text_command(const struct call *call, struct strbuf *out);
/* The same made safe, in one line of at most `columns`. Caller frees. */
char *call_text_line(const struct call *call, size_t columns);
/* The same for a row of the screen, where a newline is a sign if there is one. Caller frees. */
char *call_text_row(const struct call *call, size_t columns, const struct theme *theme);
/* With which enum text_flags that is made safe, and a line with any. */
unsigned call_text_row_flags(const struct theme *theme);
char *call_text_line_as(const struct call *call, size_t columns, unsigned flags);
/* The same with both its ends, as text_line_ends(). Caller frees. */
char *call_text_row_ends(const struct call *call, size_t columns, const struct theme *theme);
/* What the client calls itself, or its session is called, "" when neither is: untrusted; borrowed.
 */
const char *call_text_claimed(const struct call *call);
/* Who asked, as it calls itself, made safe and cut to `columns`; "you" for the operator. Caller
 * frees. */
char *call_text_agent(const struct call *call, size_t columns);
/* What somebody calls itself, made safe and cut, between quotes that it cannot close. */
void call_text_add_quoted(struct strbuf *out, const char *name);
/* call_text_line() between such quotes. */
void call_text_add_line_quoted(struct strbuf *out, const struct call *call, size_t columns);
/* call_text_line() for use within brackets: in such quotes where it has one that would close them,
 * and go on as if in our words. Caller frees. */
char *call_text_line_within(const struct call *call, size_t columns);
/* Who asked in full: claimed name, process and program as we see them, session. Made safe; the
 * caller frees. */
char *call_text_identity(const struct call *call);
/* The program of a client as people read it, from the path that the kernel gives of it; untrusted,
 * not escaped. Caller frees. */
char *call_text_program(const char *exe);

/* A session as it calls itself, made safe and cut to `columns`. Caller frees. */
char *call_text_session(const struct session *session, size_t columns);
/* Is it the one of all clients that come from no program of their own? */
bool call_text_is_shared(const struct session *session);
/* In a row of a request, where there are more important things: whom an answer "for this session"
 * reaches, where that is not the agent alone: clients of a session that several share. NULL when it
 * is. Caller frees. */
char *call_text_reach(const struct session *session);

/* How it stands: a sign, its colour and a few words ("running", "exit 2 · 1.2 s"). The caller
 * frees `words`. */
struct call_standing {
    enum theme_glyph glyph;
    enum theme_element element;
    char *words;
};
struct call_standing call_text_standing(const struct call *call);

/* That whoever asked waits no more, and who that was: a command's program, or its agent. */
const char *call_text_withdrawn(const struct call *call);

/* What the last attempt ran under, in few words: a title must leave room for the command. "" before
 * the first. The caller frees. */
char *call_text_under(const struct call *call);
#define CALL_TEXT_PAUSED_MS_MIN 100 /* what is shorter is shown as nothing */
/* ", waited 52.0 s": how long its last run stood still, for an answer or frozen; "" for not at all.
 * Caller frees. */
char *call_text_waited(const struct call *call);
/* That no rule is offered with this prompt, and why: a sentence. */
const char *call_text_no_rule(const struct prompt *prompt);
/* That the path it offers is for once, and why. Caller frees. */
char *call_text_path_once(const struct prompt *prompt);
const char *call_text_risk(enum risk_level level); /* "low risk" …, translated */
enum theme_glyph call_text_risk_glyph(enum risk_level level);
enum theme_element call_text_risk_element(enum risk_level level);
/* "deletes data" …, translated; it says so where that is outside the workspace, or others'. */
const char *call_text_category(const struct assessment *assessment, enum risk_category category);
/* The same where there is room for a word: "deletes", "outside" …, at most 7 columns in every
 * language. */
const char *call_text_category_word(const struct assessment *assessment,
                                    enum risk_category category);
/* Replaces what is not ASCII (`*text` is allocated anew); returns how many characters that were. */
size_t call_text_to_ascii(char **text);
/* In which line of the command's text the byte is, counted from 1; 0 when it has but one. */
size_t call_text_line_number(const struct call *call, size_t at);
/* Did the operator stop it before it was answered, by itself or with others? That is no answer. */
bool call_text_stopped_unanswered(const struct call *call);

/* "would have let it run unasked (FILE:LINE)": what a rule that only reports would have done; NULL
 * when none matches. Untrusted, not escaped; caller frees. */
char *call_text_shadow(const struct approval_requirement *requirement);

/* Its path as it is seen from the call's directory. Untrusted, not escaped. Borrowed. */
const char *call_text_script_path(const struct call *call, const struct prompt_script *script);
/* The scripts that a waiting call would run without a sandbox, and how long they are; NULL when
 * there are none. Untrusted, not escaped; caller frees. */
char *call_text_scripts(const struct call *call);
/* That a patch goes on where what is shown of it ends. Caller frees. */
char *call_text_patch_cut(size_t bytes);

#endif
