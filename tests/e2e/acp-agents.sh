#!/bin/sh
# SPDX-License-Identifier: MIT
# Agents that others wrote, conversed with by the Agent Client Protocol: Codex through codex-acp, and
# Claude Code through the old claude-code-acp, which runs commands and writes files through its client.
# Their model is a script (model.mjs); the operator's keys go to a real terminal.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin
# shellcheck source=tests/e2e/real-agents.sh
. "$srcdir/tests/e2e/real-agents.sh"
npm_fetch @zed-industries/codex-acp 0.16.0
codex_acp=$npm_directory/node_modules/.bin/codex-acp
npm_fetch @zed-industries/claude-code-acp 0.16.2
claude_acp=$npm_directory/node_modules/.bin/claude-code-acp


# converse OPTION…: a console with the agent in a pane, and the operator's first words.
converse() {
    console_open main 120x40 -c guard_time=0 "$@"
    wait_screen main 'is ready (session'
    typed main 'make it so'
    keys main Enter
    wait_screen main '> make it so'
}

# first_asked COMMAND: the pane has the keyboard; one key takes it back, and the request comes up.
first_asked() {
    wait_screen main '1 request waits'
    keys main 'C-\'
    asked main "$1"
}

# denied_with WORDS: the request on the screen; the agent is told why.
denied_with() {
    keys main n
    wait_screen main 'Tell the agent why'
    written main "$1"
    keys main Enter
}

end_conversation() {
    model_stop
    console_stop main
}

# Codex' own commands, by whatever protocol: one is allowed, one denied with words that it gets.
codex_script() {
    rm -f "$e2e_work/inside" "$e2e_dir/outside" "$e2e_dir/denied"
    cat >"$e2e_dir/script.json" <<END
[{"tool": "shell", "arguments": {"command": "echo hello >inside; echo ran"}},
 {"tool": "exec_command", "arguments": {"cmd": "touch $e2e_dir/outside && echo made",
   "sandbox_permissions": "require_escalated", "justification": "a file outside is needed"}},
 {"tool": "exec_command", "arguments": {"cmd": "touch $e2e_dir/denied",
   "sandbox_permissions": "require_escalated", "justification": "another one"}}]
END
    model_start
    set_up_codex
}

codex_asks() {
    first_asked "touch $e2e_dir/outside && echo made"
    # Our own tool ran in the sandbox, and was not asked about.
    test "$(cat "$e2e_work/inside")" = hello
    wait_screen main 'the agent does this itself'
    wait_screen main 'a file outside is needed'
    wait_screen main '"Codex 0.1'
    test ! -e "$e2e_dir/outside"
    keys main y
    asked main "touch $e2e_dir/denied"
    test -e "$e2e_dir/outside"
    denied_with 'use make instead'
    wait_screen main '> use make instead'
    wait_screen main 'finished'
    test ! -e "$e2e_dir/denied"
}

# Codex in the sandbox itself: our tool reaches the console from there; what Codex does by its own
# shell does not get out, whatever it was allowed.
codex_works_confined() {
    codex_script
    converse --confine-agent -c network=on --agent "$codex_acp"
    first_asked "touch $e2e_dir/outside && echo made"
    test "$(cat "$e2e_work/inside")" = hello
    wait_screen main 'the agent itself, in its sandbox'
    keys main y
    asked main "touch $e2e_dir/denied"
    test ! -e "$e2e_dir/outside"
    keys main d
    wait_screen main 'the turn has ended'
    test ! -e "$e2e_dir/denied"
    end_conversation
}

codex_works_by_acp() {
    codex_script
    converse --agent "$codex_acp"
    codex_asks
    end_conversation
}

codex_works_by_its_app_server() {
    codex_script
    mkdir -p "$e2e_dir/bin"
    ln -sf "$codex" "$e2e_dir/bin/codex"
    e2e_env="PATH=$e2e_dir/bin:$PATH"
    converse --codex
    codex_asks
    end_conversation
    e2e_env=
}

# An answer of Codex' own, picked by its name: Codex does not ask again then, and that is recorded.
codex_is_given_an_answer_that_lasts() {
    rm -f "$e2e_dir/lasting"
    ask="{\"tool\": \"exec_command\", \"arguments\": {\"cmd\": \"touch $e2e_dir/lasting\",
   \"sandbox_permissions\": \"require_escalated\", \"justification\": \"a file outside\"}}"
    echo "[$ask, $ask]" >"$e2e_dir/script.json"
    model_start
    set_up_codex
    mkdir -p "$e2e_dir/bin"
    ln -sf "$codex" "$e2e_dir/bin/codex"
    e2e_env="PATH=$e2e_dir/bin:$PATH"
    converse --codex
    first_asked "touch $e2e_dir/lasting"
    keys main o
    wait_screen main 'acceptWithExecpolicyAmendment ["touch",'
    wait_screen main 'only the agent can take it back'
    keys main Down
    keys main Enter
    wait_screen main 'finished'
    test -e "$e2e_dir/lasting"
    test "$(grep -c 'lasting' "$e2e_dir/home/.codex/rules/default.rules")" = 1
    grep -rq '"offer":"acceptWithExecpolicyAmendment' "$e2e_dir/state/assent/sessions"
    end_conversation
    e2e_env=
}

# The agent's commands and files are ours: in the sandbox, asked about when they leave it.
claude_works_through_our_terminals_and_files() {
    cat >"$e2e_dir/script.json" <<END
[{"tool": "mcp__acp__Bash", "arguments": {"command": "echo \$((6 * 7)) >made; cat made",
   "description": "a calculation", "timeout": 60000, "run_in_background": false}},
 {"tool": "mcp__acp__Write", "arguments": {"file_path": "$e2e_work/new.txt", "content": "one\ntwo"}},
 {"tool": "mcp__acp__Read", "arguments": {"file_path": "$e2e_work/new.txt"}},
 {"tool": "mcp__acp__Edit", "arguments": {"file_path": "$e2e_work/new.txt", "old_string": "two",
   "new_string": "three"}},
 {"tool": "mcp__assent__shell", "arguments": {"command": "echo ours"}},
 {"tool": "mcp__acp__Write", "arguments": {"file_path": "$e2e_dir/outside", "content": "x"}}]
END
    rm -f "$e2e_dir/outside"
    model_start
    converse --agent "env ANTHROPIC_BASE_URL=$url ANTHROPIC_API_KEY=sk-ant-none DISABLE_AUTOUPDATER=1 \
CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 $claude_acp"
    first_asked "*** Begin Patch"
    wait_screen main "Add File: $e2e_dir/outside"
    wait_screen main '"Claude Code 0.16.2"'
    test ! -e "$e2e_dir/outside"
    keys main d
    wait_screen main 'finished'
    test ! -e "$e2e_dir/outside"
    test "$(cat "$e2e_work/made")" = 42
    printf 'one\nthree' | cmp - "$e2e_work/new.txt"
    results '42\n'
    results 'one\ntwo'
    results 'ours'
    results 'refused by the operator'
    end_conversation
}

test_case codex_works_by_acp
test_case codex_works_confined
test_case codex_works_by_its_app_server
test_case codex_is_given_an_answer_that_lasts
test_case claude_works_through_our_terminals_and_files
e2e_end
