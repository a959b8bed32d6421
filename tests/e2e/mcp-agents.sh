#!/bin/sh
# SPDX-License-Identifier: MIT
# Agents that others wrote use assent mcp, installed for them as an operator would: Codex and Claude
# Code, whose model is a script (model.mjs), with the console in a terminal and its operator at the
# keys. Each lists the tool and makes the same calls: one that the sandbox allows, one that the
# operator approves, one that is denied with a message, and one after that.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin
# shellcheck source=tests/e2e/real-agents.sh
. "$srcdir/tests/e2e/real-agents.sh"
cat >"$e2e_dir/script.json" <<END
[{"tool": "shell", "arguments": {"command": "pwd; touch inside"}},
 {"tool": "shell", "arguments": {"command": "touch $e2e_dir/approved && echo made",
   "sandbox_permissions": "require_escalated", "justification": "a file outside is needed"}},
 {"tool": "shell", "arguments": {"command": "touch $e2e_dir/denied",
   "sandbox_permissions": "require_escalated", "justification": "another one"}},
 {"tool": "shell", "arguments": {"command": ["printf", "%s|", "a b", "\$HOME"]}}]
END

# It has what it had, and keeps what it has noted itself.
settings_are_back_codex() {
    cmp "$e2e_dir/config.toml" "$e2e_dir/home/.codex/config.toml"
    ! grep -q exec_command "$e2e_dir/model.log"
}

settings_are_back_claude() {
    grep -q '"other"' "$e2e_dir/home/.claude.json"
    if grep -q 'mcp__assent\|"assent"' "$e2e_dir/home/.claude.json"; then
        test_fail 'something of ours is left'
    fi
    test ! -e "$e2e_dir/home/.claude/settings.json"
    ! grep -q '"Bash"' "$e2e_dir/model.log"
}

# agent_works NAME TITLE SIZE OPTIONS: the whole conversation, in a console of that size.
agent_works() {
    rm -f "$e2e_dir/approved" "$e2e_dir/denied" "$e2e_work/inside"
    model_start
    "set_up_$1"
    assent mcp install "$1" >"$e2e_dir/diff"
    grep -q '^+.*mcp.*--config-dir\|^+ *"--config-dir"' "$e2e_dir/diff"
    console_open main "$3" -c guard_time=0
    # shellcheck disable=SC2086 # words
    "run_$1" $4 >"$e2e_dir/$1.out" 2>&1 &
    agent=$!
    asked main "touch $e2e_dir/approved && echo made" || {
        cat "$e2e_dir/$1.out" >&2
        exit 1
    }
    # The first one ran unasked.
    test -e "$e2e_work/inside"
    wait_screen main "\"$2\" (so it says), process "
    wait_screen main 'a file outside is needed'
    test ! -e "$e2e_dir/approved"
    confirm main y
    asked main "touch $e2e_dir/denied"
    test -e "$e2e_dir/approved"
    keys main n
    wait_screen main 'Tell the agent why'
    written main 'use make instead'
    keys main Enter
    wait "$agent" || {
        cat "$e2e_dir/$1.out" >&2
        exit 1
    }
    wait_screen main 'c4   ✓ printf'
    test ! -e "$e2e_dir/denied"
    grep -q finished "$e2e_dir/$1.out"
    results 'shell"'
    results "$e2e_work\\\\n"
    results 'made\\n'
    results '[refused by the operator: use make instead]'
    # shellcheck disable=SC2016 # as it was given
    results 'a b|$HOME|'
    model_stop
    console_stop main
    assent mcp uninstall "$1" >"$e2e_dir/diff"
    grep -q '^-.*--config-dir' "$e2e_dir/diff"
    "settings_are_back_$1"
}

codex_works() {
    agent_works codex Codex 80x24 '-s read-only'
}

claude_code_works() {
    agent_works claude 'Claude Code' 200x50 ''
}

test_case codex_works
test_case claude_code_works
e2e_end
