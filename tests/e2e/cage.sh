#!/bin/sh
# SPDX-License-Identifier: MIT
# A confined agent that has turned: what it tries from inside, against us and what is not its own.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3
e2e_begin

agent_line="python3 $srcdir/tests/e2e/acp-agent.py"

# tell NAME WORDS: a line to the agent, and Enter.
tell() {
    typed "$1" "$2"
    keys "$1" Enter
}

# program PATH: the agent as a program of that name.
program() {
    mkdir -p "$(dirname "$1")"
    printf '#!/bin/sh\nexec %s "$@"\n' "$agent_line" >"$1"
    chmod +x "$1"
}

# attack: has the agent run ./attack by itself; what it prints is in $e2e_work/got.
attack() {
    rm -f "$e2e_work/got" "$e2e_work/done"
    tell main 'itself sh ./attack >got 2>told; touch done'
    wait_for 'the end of the attack' test -e "$e2e_work/done"
}

# refused STATUS TEXT ARGUMENT…: a console that does not start, and says why.
refused() {
    text=$1
    shift
    rm -f "$e2e_dir/no.status"
    console_start no 300x30 "$@"
    test "$(console_status no)" = 125
    wait_screen no "$text"
    e2e_tmux kill-session -t no
}

logins() {
    mkdir -p "$e2e_dir/home/.codex" "$e2e_dir/home/.aws" "$e2e_dir/other"
    echo login >"$e2e_dir/home/.codex/auth.json"
    echo secret >"$e2e_dir/home/.aws/credentials"
}

# Only the very program has what is Codex's, not one whose name begins like that.
a_name_that_begins_so_gets_nothing() {
    program "$e2e_dir/bin/codex-evil"
    console_open main 120x40 -c guard_time=0 --confine-agent --agent "$e2e_dir/bin/codex-evil One"
    wait_screen main 'One 1 is ready'
    cat >"$e2e_work/attack" <<'END'
cat ~/.codex/auth.json && echo read
echo x >>~/.codex/auth.json && echo written
touch ~/.codex/new && echo made
END
    attack
    test ! -s "$e2e_work/got" || test_fail "$(cat "$e2e_work/got")"
    test "$(cat "$e2e_dir/home/.codex/auth.json")" = login
    console_stop main
}

# The agent's name on a program that it could have written itself.
a_program_of_the_workspace_is_refused() {
    program "$e2e_work/codex"
    refused 'lies where the agent and its commands can write' --confine-agent --agent './codex One'
    ln -sf "$e2e_work/codex" "$e2e_dir/bin/codex"
    refused 'lies where the agent and its commands can write' --confine-agent \
        --agent "$e2e_dir/bin/codex One"
    echo '// nothing' >"$e2e_work/codex.js"
    ln -sf /bin/true "$e2e_dir/bin/node"
    refused 'lies where the agent and its commands can write' --confine-agent \
        --agent "$e2e_dir/bin/node $e2e_work/codex.js"
    rm -f "$e2e_dir/bin/codex" "$e2e_dir/bin/node"
}

# What the agent made of a place that the operator named.
a_link_lends_no_root() {
    ln -s "$e2e_dir/home/.aws" "$e2e_work/extra"
    refused 'is a link that the agent can change' --confine-agent \
        -c "agent_roots=$e2e_work/extra" --agent "$agent_line One"
    rm "$e2e_work/extra"
}

nothing_of_ours_can_be_reached() {
    program "$e2e_dir/bin/codex"
    (e2e_cwd=$e2e_dir/other && console_open second 80x24)
    console_open main 120x40 -c guard_time=0 --confine-agent --agent "$e2e_dir/bin/codex One"
    wait_screen main 'One 1 is ready'
    cat >"$e2e_work/attack" <<END
config=$e2e_dir/conf/assent state=$e2e_dir/state/assent run=$e2e_dir/run/assent
build=$e2e_build
END
    cat >>"$e2e_work/attack" <<'END'
cat ~/.codex/auth.json >/dev/null || echo 'not even its own'
for key in "$config/console.key" "$state/console.key"; do
    cat "$key" && echo "read $key"
    echo x >"$key" && echo "wrote $key"
done
touch "$config/assent.conf" "$config/rules/x.rules" && echo 'wrote settings'
ls "$state"/sessions/* && echo 'read the record'
touch "$run/new.sock" && echo 'made something beside the sockets'
for socket in "$run"/*.sock; do
    rm -f "$socket" 2>/dev/null && test ! -e "$socket" && echo "removed $socket"
    mv "$socket" "$socket.old" && echo "moved $socket"
done
rmdir "$run" && echo 'removed the directory'
mv "$run" "$run.old" && echo 'moved the directory'
python3 - "$run" <<'PY'
import glob, os, socket, sys
run = sys.argv[1]
ours = os.environ.get("ASSENT_SOCKET")
for name in ("1.sock", "9999999.sock"):
    try:
        socket.socket(socket.AF_UNIX).bind(run + "/" + name)
        print("listens as", name)
    except OSError:
        pass
for path in glob.glob(run + "/*.sock"):
    try:
        socket.socket(socket.AF_UNIX).connect(path)
        if path != ours:
            print("reached another console by", path)
    except OSError:
        if path == ours:
            print("cannot reach its own console")
PY
"$build/assent" sandbox --mode danger-full-access -- touch ../out && echo 'left by assent sandbox'
"$build/assent" mcp uninstall codex && echo 'changed what it obeys'
"$build/assent" log && echo 'read the record by assent log'
"$build/assent" --headless </dev/null & sleep 1; kill $! && echo 'runs a console of its own'
"$build/assent" rules undo && echo 'took a rule back'
END
    attack
    test ! -s "$e2e_work/got" || test_fail "$(cat "$e2e_work/got" "$e2e_work/told")"
    test ! -e "$e2e_dir/out"
    test "$(find "$e2e_dir/run/assent" -name '*.sock' | wc -l)" -eq 2
    e2e_tmux kill-session -t second
    console_stop main
}

# What stands in for settings that are not there (placeholder.h) stays when all is killed at once: the
# next console takes it away, but not what another one uses, nor what is real.
nothing_stays_behind_a_kill() {
    home=$e2e_dir/home
    test "$(ls -A "$home/.codex")" = auth.json
    mkdir -p "$home/.gemini"
    python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$home/.gemini/.env"
    chmod 1444 "$home/.gemini/.env"
    echo real >"$home/.gemini/settings.json"
    console_open main 120x40 -c guard_time=0 --confine-agent --agent "$e2e_dir/bin/codex One"
    test ! -e "$home/.gemini/.env"
    test -e "$home/.gemini/settings.json"
    wait_for 'what stands in' test -e "$home/.codex/hooks.json"
    console_open second 80x24
    test -e "$home/.codex/hooks.json"
    e2e_tmux kill-session -t second
    console_stop main
    test "$(ls -A "$home/.codex")" = auth.json
}

test_case logins
test_case a_name_that_begins_so_gets_nothing
test_case a_program_of_the_workspace_is_refused
test_case a_link_lends_no_root
test_case nothing_of_ours_can_be_reached
test_case nothing_stays_behind_a_kill
e2e_end
