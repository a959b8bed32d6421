#!/bin/sh
# SPDX-License-Identifier: MIT
# Agents that others wrote ask before they do something themselves: Codex and Claude Code by hooks, as
# installed; Claude Code by the tool that --permission-prompt-tool names.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin
# shellcheck source=tests/e2e/real-agents.sh
. "$srcdir/tests/e2e/real-agents.sh"

# script TOOL FIELD: two commands by the agent's own shell.
script() {
    cat >"$e2e_dir/script.json" <<END
[{"tool": "$1", "arguments": {"$2": "touch one && echo made"}},
 {"tool": "$1", "arguments": {"$2": "touch two"}}]
END
}

# agent_asks COMMAND…: the first is allowed and runs, the second is denied with a message and does
# not.
agent_asks() {
    rm -f "$e2e_work/one" "$e2e_work/two"
    console_open main 100x30 -c guard_time=0
    "$@" >"$e2e_dir/agent.out" 2>&1 &
    agent=$!
    asked main 'touch one && echo made' || {
        cat "$e2e_dir/agent.out" >&2
        exit 1
    }
    wait_screen main 'the agent does this itself, by its tool Bash'
    test ! -e "$e2e_work/one"
    keys main y
    asked main 'touch two'
    test -e "$e2e_work/one"
    keys main n
    wait_screen main 'Tell the agent why'
    written main 'use make instead'
    keys main Enter
    wait "$agent" || {
        cat "$e2e_dir/agent.out" >&2
        exit 1
    }
    test ! -e "$e2e_work/two"
    results 'made'
    results 'refused by the operator: use make instead'
    model_stop
    console_stop main
}

codex_asks_by_hooks() {
    script exec_command cmd
    model_start
    set_up_codex
    assent hook install codex >/dev/null
    # It would ask its user once whether to trust the hook.
    agent_asks run_codex -s danger-full-access --dangerously-bypass-hook-trust
    assent hook uninstall codex >/dev/null
    test ! -e "$e2e_dir/home/.codex/hooks.json"
}

claude_code_asks_by_hooks() {
    script Bash command
    model_start
    assent hook install claude >/dev/null
    agent_asks run_claude --allowedTools Bash
    assent hook uninstall claude >/dev/null
    test ! -e "$e2e_dir/home/.claude/settings.json"
}

claude_code_asks_by_a_tool() {
    script Bash command
    model_start
    assent mcp install claude --keep-shell >/dev/null
    agent_asks run_claude --permission-prompt-tool mcp__assent__approve
    assent mcp uninstall claude >/dev/null
}

# Nothing of theirs runs when there is no console to ask.
without_a_console_nothing_runs() {
    script Bash command
    model_start
    assent hook install claude >/dev/null
    run_claude --allowedTools Bash >"$e2e_dir/agent.out" 2>&1
    test ! -e "$e2e_work/one"
    results 'no Assent console is running'
    model_stop
    assent hook uninstall claude >/dev/null
}

# Through the console, in the sandbox, without a question for what that allows.
claude_codes_shell_runs_through_the_console() {
    cat >"$e2e_dir/script.json" <<END
[{"tool": "Bash", "arguments": {"command": "touch three && echo made"}},
 {"tool": "Bash", "arguments": {"command": "touch $e2e_dir/outside"}}]
END
    model_start
    assent hook install claude --rewrite >/dev/null
    headless_start
    run_claude --allowedTools Bash >"$e2e_dir/agent.out" 2>&1
    test -e "$e2e_work/three"
    test ! -e "$e2e_dir/outside"
    results made
    model_stop
    headless_stop
    assent hook uninstall claude >/dev/null
}

test_case codex_asks_by_hooks
test_case claude_code_asks_by_hooks
test_case claude_code_asks_by_a_tool
rm -f "$e2e_work/one"
test_case without_a_console_nothing_runs
test_case claude_codes_shell_runs_through_the_console
e2e_end
