#!/bin/sh
# SPDX-License-Identifier: MIT
# apply_patch: files change as the operator was shown, all of them or none.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3
e2e_begin

# patch_text NAME LINE…: writes a patch of these lines.
patch_text() {
    patch_name=$1
    shift
    rm -f "$e2e_dir/$patch_name.answer"
    printf '%s\n' '*** Begin Patch' "$@" '*** End Patch' >"$e2e_dir/$patch_name.patch"
}

# apply NAME…: hands these patches to one `assent mcp`, one after the other, in the background. The
# tool's answers are in $e2e_dir/NAME.answer then.
apply() {
    (cd "$e2e_work" && e2e_run python3 - "$e2e_build/assent" "$e2e_dir" "$@" <<'CODE'
import json, os, subprocess, sys
program, directory, *names = sys.argv[1:]
server = subprocess.Popen([program, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def ask(number, method, params):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
    server.stdin.flush()
    while True:
        answer = json.loads(server.stdout.readline())
        if answer.get("id") == number:
            return answer["result"]
ask(0, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "patcher", "version": "1"}})
for number, name in enumerate(names, 1):
    path = os.path.join(directory, name)
    arguments = {"patch": open(path + ".patch").read()}
    result = ask(number, "tools/call", {"name": "apply_patch", "arguments": arguments})
    with open(path + ".new", "w") as file:
        file.write("error\n" if result["isError"] else "fine\n")
        file.write(result["content"][0]["text"])
    os.rename(path + ".new", path + ".answer")
server.stdin.close()
server.wait()
CODE
    ) &
}

patch() {
    patch_text "$@"
    apply "$1"
}

# A script has no tool for it: it is typed as a command, as agents do in their shell.
a_command_is_a_patch_too() {
    patch_text word '*** Add File: word.txt' '+c'
    client word -- apply_patch "$(cat "$e2e_dir/word.patch")"
    client_ends word 0
    grep -qx 'A word.txt' "$e2e_dir/word.out"
    patch_text shell '*** Add File: shell.txt' "+it's \$HOME"
    client shell -- bash -lc "apply_patch <<'EOF'
$(cat "$e2e_dir/shell.patch")
EOF"
    client_ends shell 0
    test "$(cat "$e2e_work/word.txt")" = c
    test "$(cat "$e2e_work/shell.txt")" = "it's \$HOME"
}

it_comes_by_standard_input_too() {
    patch_text input '*** Add File: input.txt' '+i'
    (cd "$e2e_work" && e2e_run timeout 20 "$e2e_build/assent" exec -- apply_patch <"$e2e_dir/input.patch") >"$e2e_dir/input.out"
    test "$(cat "$e2e_work/input.txt")" = i
}

# One that reaches elsewhere is asked about as a patch, and what stands beside it does not run.
it_is_asked_about_as_one() {
    patch_text asked '*** Add File: ../beside.txt' '+x'
    client beside -- apply_patch "$(cat "$e2e_dir/asked.patch")"
    wait_screen main 'May it change these files?'
    wait_screen main 'Add File: ../beside.txt'
    keys main d
    client_ends beside 77
    client more -- bash -lc "apply_patch <<'EOF'
$(cat "$e2e_dir/word.patch")
EOF
touch \"$e2e_dir/ran\""
    client_ends more 125
    grep -q 'a patch is given as one word' "$e2e_dir/more.err"
    test ! -e "$e2e_dir/ran"
}

# answered NAME TEXT: the answer came, and holds the text.
answered() {
    wait_for "the answer to $1" test -e "$e2e_dir/$1.answer"
    grep -qF -e "$2" "$e2e_dir/$1.answer" || {
        cat "$e2e_dir/$1.answer" >&2
        return 1
    }
}

begins() {
    console_open main 90x34 -c guard_time=0
}

changes_the_workspace_unasked() {
    printf 'one\ntwo\n' >"$e2e_work/a.txt"
    patch plain '*** Update File: a.txt' '@@' '-one' '+1' ' two' '*** Add File: new/b.txt' '+b'
    answered plain 'M a.txt'
    answered plain 'A new/b.txt'
    test "$(cat "$e2e_work/a.txt")" = "$(printf '1\ntwo')"
    test "$(cat "$e2e_work/new/b.txt")" = b
    wait_screen main 'apply_patch a.txt new/b.txt'
    # What was changed stands in its pane, in colours, above what its program says.
    wait_screen main '+1'
    screen -e main | grep -F -- '+1' | grep -q '38;5;114'
    screen main | sed -n '/^-one/,$p' | grep -q '^M a.txt'
}

changes_all_or_nothing() {
    patch half '*** Update File: a.txt' '@@' '-1' '+x' '*** Update File: new/b.txt' '@@' '-c' '+d'
    answered half error
    answered half 'are not in the file in this order, from "c" on'
    test "$(head -n 1 "$e2e_work/a.txt")" = 1
    wait_screen main 'apply_patch: new/b.txt'
    screen main | grep -q '^+d' && return 1 # nothing was changed
    patch bad '*** Rename File: a.txt'
    answered bad 'line 2: "*** Rename File: a.txt": expected'
}

asks_about_a_file_outside() {
    mkdir -p "$e2e_dir/outside"
    echo old >"$e2e_dir/outside/c"
    patch outside "*** Update File: $e2e_dir/outside/c" '@@' '-old' '+new'
    wait_screen main 'asks. May it change these files?'
    wait_screen main 'Patch'
    wait_screen main '┃ -old'
    wait_screen main '┃ +new'
    wait_screen main 'the sandbox does not let it change'
    wait_screen main 'no sandbox: it changes the files shown, and no others'
    wait_no_screen main 'a  allow'
    # Added lines are green, removed ones red.
    screen -e main | grep -F -- '+new' | grep -q '38;5;114'
    screen -e main | grep -F -- '-old' | grep -q '38;5;210'
    test "$(cat "$e2e_dir/outside/c")" = old
    keys main d
    answered outside 'refused by the operator'
    test "$(cat "$e2e_dir/outside/c")" = old
    patch again "*** Update File: $e2e_dir/outside/c" '@@' '-old' '+newer'
    wait_screen main '┃ +newer'
    keys main y
    wait_screen main 'Enter'
    keys main Enter
    answered again 'M '
    test "$(cat "$e2e_dir/outside/c")" = newer
}

protected_files_and_links_are_outside() {
    ln -s "$e2e_dir/outside" "$e2e_work/way"
    patch way '*** Add File: way/d' '+d'
    wait_screen main '┃ *** Add File: way/d'
    keys main y
    wait_screen main 'Enter'
    keys main Enter
    answered way 'a link or no directory is on the way'
    test ! -e "$e2e_dir/outside/d"
    patch hook '*** Add File: .git/hooks/pre-commit' '+#!/bin/sh'
    wait_screen main '┃ *** Add File: .git/hooks/pre-commit'
    keys main d
    answered hook 'refused by the operator'
}

# A session's approval is for a path and a kind of change, and never for what a build runs.
sessions_approve_paths() {
    typed main ':policy untrusted'
    keys main Enter
    wait_screen main 'untrusted'
    patch_text first '*** Update File: a.txt' '@@' '-1' '+2'
    patch_text second '*** Update File: a.txt' '@@' '-2' '+3'
    patch_text third '*** Delete File: a.txt'
    patch_text build '*** Add File: Makefile' '+all:'
    apply first second third build
    wait_screen main '┃ +2'
    keys main a
    answered first 'M a.txt'
    answered second 'M a.txt'
    wait_screen main '┃ *** Delete File: a.txt'
    keys main d
    answered third 'refused by the operator'
    test "$(head -n 1 "$e2e_work/a.txt")" = 3
    wait_screen main '┃ *** Add File: Makefile'
    wait_screen main 'it changes files that builds or shells run'
    wait_no_screen main 'a  allow'
    keys main d
    answered build 'refused by the operator'
}

ends() {
    console_stop main
}

test_case begins
test_case changes_the_workspace_unasked
test_case a_command_is_a_patch_too
test_case it_comes_by_standard_input_too
test_case it_is_asked_about_as_one
test_case changes_all_or_nothing
test_case asks_about_a_file_outside
test_case protected_files_and_links_are_outside
test_case sessions_approve_paths
test_case ends
e2e_end
