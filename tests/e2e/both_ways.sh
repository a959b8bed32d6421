#!/bin/sh
# SPDX-License-Identifier: MIT
# An agent that has a session of its own, by MCP, and uses assent exec as well has one name in the
# console. Who stops that name stops both, and nobody else that calls itself so.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
# shellcheck source=tests/e2e/npm.sh
. "${srcdir:-.}/tests/e2e/npm.sh"
e2e_begin

npm_fetch @modelcontextprotocol/sdk 1.32.2
# Modules are looked for beside the file that imports them.
sdk_client=$npm_directory/client-$$.mjs
cp "$srcdir/tests/e2e/mcp-sdk.mjs" "$sdk_client"

agents_tmux() {
    (cd "$e2e_work" && e2e_run env -u TMUX tmux -S "$e2e_dir/agents" -f /dev/null "$@")
}

# agent_lives NAME: reads a script of an agent from standard input, and lets it live in a terminal of
# a multiplexer, where its processes are a tree of their own. Its first one is $e2e_dir/NAME.pid.
agent_lives() {
    rm -f "$e2e_dir/$1".*
    {
        echo "echo \$\$ >'$e2e_dir/$1.pid'"
        cat
        echo "while ! test -e '$e2e_dir/$1.end'; do sleep 0.1; done"
    } >"$e2e_dir/$1.sh"
    agents_tmux new-session -d -s "$1" 'exec sh -i'
    agents_tmux send-keys -t "$1" "sh '$e2e_dir/$1.sh'" Enter
    wait_for "agent $1" test -s "$e2e_dir/$1.pid"
}

agent_ends() {
    touch "$e2e_dir/$1.end"
    agents_tmux kill-session -t "$1"
}

# plain AGENT NAME COMMAND: a line of such a script: a plain client that calls itself NAME. Its exit
# status goes to $e2e_dir/AGENT.exit.
plain() {
    echo "'$e2e_build/assent' exec --session '$2' -- $3"
    echo "echo \$? >'$e2e_dir/$1.new'; mv '$e2e_dir/$1.new' '$e2e_dir/$1.exit'"
}

# speaks_mcp AGENT NAME: another: a client that others wrote, in the background (mcp-sdk.mjs, "stopped").
# What it says is in $e2e_dir/AGENT.mcp.
speaks_mcp() {
    echo "node '$sdk_client' stopped '$e2e_build/assent' '$e2e_work' '$2' >'$e2e_dir/$1.mcp' 2>&1 &"
}

# both_ways AGENT NAME: it has a command running each way, and asks again by exec once that ended.
both_ways() {
    rm -f "$e2e_dir/$2."*
    {
        speaks_mcp "$1" "$2"
        plain "$1" "$2" 'sleep 1001'
        plain "$1.next" "$2" true
        echo "while ! test -e '$e2e_dir/$2.go'; do sleep 0.1; done"
        plain "$1.again" "$2" true
    } | agent_lives "$1"
    wait_screen main "by $2"
    wait_for 'its command by exec' e2e_running '^sleep 1001'
}

# ended_both_ways AGENT NAME: what it had running has ended, and what it asked for then was refused.
ended_both_ways() {
    client_ends "$1" 143
    client_ends "$1.next" 77
    wait_for 'the end of its command by MCP' test -e "$e2e_dir/$2.ended"
    wait_for 'the refusal of the next' test -e "$e2e_dir/$2.refused"
}

# goes_on_both_ways AGENT NAME: it may ask again.
goes_on_both_ways() {
    touch "$e2e_dir/$2.go"
    client_ends "$1.again" 0
    wait_for 'what it runs by MCP' test -e "$e2e_dir/$2.again"
}

# line COMMAND: at the console's prompt.
line() {
    typed main "$1"
    keys main Enter
}

tree_of() {
    echo "$(basename "$(readlink "/proc/$(cat "$e2e_dir/$1.pid")/exe")") $(cat "$e2e_dir/$1.pid")"
}

a_name_is_one_agent_both_ways() {
    console_open main 180x30 -c guard_time=0
    both_ways true dev
    line ':stop dev'
    wait_screen main ":stop dev once more stops all requests of dev and $(tree_of true) with its processes"
    wait_screen main '2 open calls end (c'
    line ':stop dev'
    ended_both_ways true dev
    wait_screen main ' 1 agent stopped, :resume '
    line ':resume dev'
    wait_screen main 'may ask again'
    wait_no_screen main ' 1 agent stopped'
    goes_on_both_ways true dev
    agent_ends true
    console_stop main
}

# It leaves its session and opens another (mcp-sdk.mjs): the stop is the agent's. One that only
# speaks MCP has no other.
who_comes_again_is_stopped_still() {
    console_open main 180x30 -c guard_time=0
    rm -f "$e2e_dir"/dev.*
    speaks_mcp alone dev | agent_lives alone
    wait_screen main "by dev"
    line ':stop dev'
    wait_screen main ':stop dev once more stops all requests of dev'
    line ':stop dev'
    wait_for 'the end of its command by MCP' test -e "$e2e_dir/dev.ended"
    wait_screen main '"dev", which you stopped, has come again: refused until :resume '
    wait_for 'the refusal of the next' test -e "$e2e_dir/dev.refused"
    wait_screen main ' 1 agent stopped, :resume '
    line ':resume dev'
    wait_screen main 'may ask again'
    touch "$e2e_dir/dev.go"
    wait_for 'what it runs by MCP' test -e "$e2e_dir/dev.again"
    agent_ends alone
    console_stop main
}

# Another that calls itself the same, or even as the console calls the true one: it is not stopped
# with that, and does not keep it from being stopped.
who_merely_calls_itself_so_is_another() {
    console_open main 180x30 -c guard_time=0
    both_ways true dev
    name="dev $(cat "$e2e_dir/true.pid")"
    plain namesake dev 'sleep 1002' | agent_lives namesake
    wait_for 'the command of its namesake' e2e_running '^sleep 1002'
    {
        speaks_mcp liar "$name"
        plain liar "$name" 'sleep 1003'
    } | agent_lives liar
    wait_for 'the command of one called like its label' e2e_running '^sleep 1003'
    wait_screen main "by $name"
    line ":stop $name"
    wait_screen main ":stop $name once more stops all requests of dev and $(tree_of true) with its processes"
    wait_screen main '2 open calls end (c'
    line ":stop $name"
    ended_both_ways true dev
    client_waits namesake
    client_waits liar
    e2e_running '^sleep 1002'
    e2e_running '^sleep 1003'
    test ! -e "$e2e_dir/$name.ended"
    line ":resume $name"
    wait_screen main 'may ask again'
    goes_on_both_ways true dev
    agent_ends true
    agent_ends namesake
    agent_ends liar
    console_stop main
}

# By a name that two have, both are stopped, and named before.
two_of_one_name_are_two_agents() {
    console_open main 180x30 -c guard_time=0
    both_ways true dev
    plain namesake dev 'sleep 1002' | agent_lives namesake
    wait_for 'the command of its namesake' e2e_running '^sleep 1002'
    line ':stop dev'
    wait_screen main ':stop dev once more stops all requests of 2 agents ('
    wait_screen main "dev and $(tree_of true) with its processes"
    wait_screen main "\"dev\" and $(tree_of namesake) with its processes"
    wait_screen main '): 3 open calls'
    line ':stop dev'
    ended_both_ways true dev
    client_ends namesake 143
    agent_ends true
    agent_ends namesake
    console_stop main
}

test_case a_name_is_one_agent_both_ways
test_case who_comes_again_is_stopped_still
test_case who_merely_calls_itself_so_is_another
test_case two_of_one_name_are_two_agents
e2e_end
