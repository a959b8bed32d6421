/* SPDX-License-Identifier: MIT */
/*
 * hook: answers an agent that asks before it uses a tool of its own (Claude Code and Codex:
 * PreToolUse and PermissionRequest; Gemini CLI: BeforeTool; Copilot CLI: preToolUse).
 *
 * Agents run the tool when their hook fails. So whatever is not a clear yes of the console ends
 * with exit status 2 and the reason on standard error, which all of them take for a no.
 */
#ifndef ASSENT_AGENTS_HOOK_H
#define ASSENT_AGENTS_HOOK_H

#include <stdbool.h>
#include <stdint.h>

enum { HOOK_ANSWERED = 0, HOOK_DENIED = 2 };

struct hook_options {
    const char *config_directory;          /* as in struct client_setup */
    const char *const *socket_directories; /* the same */
    int64_t wait_ms;                       /* no answer after that is a no */
    bool ask_without_console;              /* leave it to the agent's own question then */
    /* NULL, or the words that have a command run by the console (`assent exec … --`): shell tools
     * are told to run through them instead of asking. */
    char *const *rewrite;
};

/* Reads the agent's question on standard input, prints the answer on standard output. The exit
 * status. */
int hook_run(const struct hook_options *options);

/* Runs hook_run() in a process of its own: should it crash, hang or print half an answer, that is a
 * no as well. */
int hook_run_guarded(const struct hook_options *options);

#endif
