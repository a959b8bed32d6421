#!/bin/sh
# SPDX-License-Identifier: MIT
# A whole change in a repository by a real agent under Assent, with the operator's keys in a real
# terminal: it reads, edits by a patch, builds and runs, is denied one connection, gets another after
# one key, and commits. The same by MCP, by the Agent Client Protocol and by Codex' app-server. Its
# model is a script (model.mjs).
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3 curl git cc
e2e_begin
# shellcheck source=tests/e2e/real-agents.sh
. "$srcdir/tests/e2e/real-agents.sh"
npm_fetch @zed-industries/codex-acp 0.16.0
codex_acp=$npm_directory/node_modules/.bin/codex-acp

mkdir "$e2e_dir/www" "$e2e_dir/bin"
ln -s "$codex" "$e2e_dir/bin/codex"
echo 'hello from there' >"$e2e_dir/www/greeting"
python3 "$srcdir/tests/e2e/network-server.py" "$e2e_dir/www" 127.0.0.2 "$e2e_dir/server" </dev/null \
    >"$e2e_dir/server.out" 2>&1 &
server=$!
# shellcheck disable=SC2317 # by the trap
stop_server() {
    kill "$server" 2>/dev/null
    e2e_cleanup
}
trap stop_server EXIT
wait_for 'the server' test -e "$e2e_dir/server"
there=127.0.0.2:$(cat "$e2e_dir/server")

git_here() {
    e2e_run git -C "$e2e_work" -c user.name=op -c user.email=op@example.org "$@"
}

new_repository() {
    rm -rf "$e2e_work" "$e2e_dir/server.log"
    mkdir "$e2e_work"
    git_here init -q
    printf '#include <stdio.h>\n\nint main(void)\n{\n    puts("old");\n    return 0;\n}\n' \
        >"$e2e_work/greet.c"
    printf 'greet\n' >"$e2e_work/.gitignore"
    git_here add .
    git_here commit -qm 'first'
}

cat >"$e2e_dir/script.json" <<END
[{"tool": "shell", "arguments": {"command": "cat greet.c"}},
 {"tool": "apply_patch", "arguments": {"patch":
   "*** Begin Patch\n*** Update File: greet.c\n int main(void)\n {\n-    puts(\"old\");\n+    puts(\"new\");\n     return 0;\n*** End Patch\n"}},
 {"tool": "shell", "arguments": {"command": "cc -o greet greet.c && ./greet"}},
 {"tool": "shell", "arguments": {"command": "curl -sS http://127.0.0.3:9/secret"}},
 {"tool": "shell", "arguments": {"command": "curl -sS http://$there/greeting >greeting && cat greeting"}},
 {"tool": "shell", "arguments": {"command":
   "git add greeting && git -c user.name=a -c user.email=a@example.org commit -qam second && git log --format=%s"}}]
END

# The operator: one denial, one key.
wants() {
    wait_screen main 'May it connect there?' && wait_screen main "┃ $1"
}

operator_answers() {
    wants 'http://127.0.0.3:9'
    keys main d
    wants "http://$there"
    test ! -s "$e2e_dir/server.log"
    keys main y
}

the_change_is_made() {
    wait_for 'the end of the work' grep -q '"reply":"finished"' "$e2e_dir/model.log" || {
        screen main >&2
        cat "$e2e_dir/model.log" >&2
        return 1
    }
    results 'int main(void)'
    results 'M greet.c'
    results 'new'
    results 'not granted: the operator denied it'
    results 'hello from there'
    test "$(git_here log --format=%s | tr '\n' ' ')" = 'second first '
    git_here show --stat HEAD | grep -q 'greet.c'
    git_here show HEAD:greeting | grep -q 'hello from there'
    test -z "$(git_here status --porcelain)"
    model_stop
    console_stop main
}

by_mcp() {
    new_repository
    model_start
    set_up_codex
    assent mcp install codex >/dev/null
    console_open main 120x40 -c guard_time=0
    run_codex -s read-only >"$e2e_dir/agent.out" 2>&1 &
    operator_answers
    the_change_is_made
    assent mcp uninstall codex >/dev/null
}

# in_pane OPTION…
in_pane() {
    new_repository
    model_start
    set_up_codex
    console_open main 120x40 -c guard_time=0 "$@"
    wait_screen main 'is ready (session'
    typed main 'make the change'
    keys main Enter
    wait_screen main '1 request waits'
    keys main 'C-\'
    operator_answers
    the_change_is_made
}

by_acp() {
    in_pane --agent "$codex_acp"
}

by_the_app_server() {
    e2e_env="PATH=$e2e_dir/bin:$PATH"
    in_pane --codex
}

test_case by_mcp
test_case by_acp
test_case by_the_app_server
e2e_end
