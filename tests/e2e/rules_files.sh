#!/bin/sh
# SPDX-License-Identifier: MIT
# assent rules: files checked, tried on what was recorded, taken from other tools, taken back.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin
mkdir -p "$e2e_dir/conf/assent/rules" "$e2e_dir/home/.claude" "$e2e_dir/home/.codex/rules"

rules() {
    (cd "$e2e_work" && assent rules "$@")
}

files_are_checked() {
    printf 'prefix_rule(["git"], "prompt")\nprefix_rule(["git", ["log", "diff"]])\nprefix_rule(["python3.11"])\nprefix_rule(["git", "log"], "forbidden")\n' >"$e2e_dir/a.rules"
    rules check "$e2e_dir/a.rules" >"$e2e_dir/shown"
    cat >"$e2e_dir/wanted" <<TEXT
$e2e_dir/a.rules:2: never decides: $e2e_dir/a.rules:1 is stricter
$e2e_dir/a.rules:3: allows a program that runs any code it is given
4 rules and 0 network rules in 1 files
TEXT
    diff "$e2e_dir/wanted" "$e2e_dir/shown"
    printf 'prefix_rule(["git"]\n' >"$e2e_dir/conf/assent/rules/b.rules"
    status=0
    rules check >"$e2e_dir/shown" 2>"$e2e_dir/message" || status=$?
    test "$status" = 1
    grep -qF "$e2e_dir/conf/assent/rules/b.rules:2:1: the file ends" "$e2e_dir/message"
    rm "$e2e_dir/conf/assent/rules/b.rules"
    status=0
    rules frobnicate 2>"$e2e_dir/message" || status=$?
    test "$status" = 125
}

settings_of_others_become_rules() {
    cat >"$e2e_dir/home/.claude/settings.json" <<'JSON'
{"permissions": {"allow": ["Bash(git diff:*)", "Bash(npm run test)", "Bash(python3:*)", "Bash",
                           "Read(./.env)", "Bash(git * main)", "Bash(ls && rm x)",
                           "WebFetch(domain:example.org)"],
                 "ask": ["Bash(git push:*)"], "deny": ["Bash(curl *)"]}}
JSON
    printf 'prefix_rule(["uname"])\nprefix_rule(["id"], "prompt")\n' >"$e2e_dir/home/.codex/rules/default.rules"
    rules import >"$e2e_dir/shown"
    test ! -e "$e2e_dir/conf/assent/rules/imported.rules"
    test "$(grep -c 'not carried over' "$e2e_dir/shown")" = 5
    grep -qx '7 carried over, 5 not' "$e2e_dir/shown"
    rules import --write >"$e2e_dir/shown"
    cat >"$e2e_dir/wanted" <<TEXT
# $e2e_dir/home/.claude/settings.json
prefix_rule(pattern=["curl"], decision="forbidden")
prefix_rule(pattern=["git", "push"], decision="prompt")
prefix_rule(pattern=["git", "diff"], decision="allow", sandbox="keep")
prefix_rule(pattern=["npm", "run", "test"], decision="allow", sandbox="keep", exact=True)
network_rule(host="example.org", protocol="https", decision="allow")
# $e2e_dir/home/.codex/rules/default.rules
prefix_rule(["uname"])
prefix_rule(["id"], "prompt")
TEXT
    diff "$e2e_dir/wanted" "$e2e_dir/conf/assent/rules/imported.rules"
    (cd "$e2e_work" && assent check --json -- uname) | grep -q '"bypass_sandbox":true'
    rm "$e2e_dir/conf/assent/rules/imported.rules"
}

# What a console recorded is judged again with the proposed rules.
rules_are_tried_on_the_record() {
    headless_start
    agent -- uname >/dev/null
    agent -- uname >/dev/null
    agent -- id >/dev/null
    headless_stop
    printf 'prefix_rule(["uname"])\nprefix_rule(["id"], "prompt")\nprefix_rule(["nothing"])\n' >"$e2e_dir/a.rules"
    rules test "$e2e_dir/a.rules" >"$e2e_dir/shown"
    cat >"$e2e_dir/wanted" <<TEXT
3 recorded commands
would run unasked and WITHOUT the sandbox: 2
     2  uname
would be asked: 1
     1  id
$e2e_dir/a.rules:3 matches nothing
TEXT
    diff "$e2e_dir/wanted" "$e2e_dir/shown"
    printf '{"command": "id", "cwd": "/"}\n{"x": 1}\n' >"$e2e_dir/recorded"
    rules test --json "$e2e_dir/a.rules" "$e2e_dir/recorded" >"$e2e_dir/shown"
    grep -qxF '{"commands":1,"unsandboxed":{},"unasked":{},"asked":{"bash -lc id":1},"refused":{}}' "$e2e_dir/shown"
    status=0
    printf 'x\n' >"$e2e_dir/b.rules"
    rules test "$e2e_dir/b.rules" 2>"$e2e_dir/message" || status=$?
    test "$status" = 1
}

# Rules that only report: they change nothing, and the record says what they would have done.
rules_can_be_tried_in_the_shadow() {
    printf 'prefix_rule(["uname"], "forbidden", shadow=True)\nprefix_rule(["nothing"])\nprefix_rule(["nothing", "at", "all"])\n' \
        >"$e2e_dir/conf/assent/rules/s.rules"
    headless_start
    agent -- uname >/dev/null
    headless_stop
    cat "$e2e_dir"/state/assent/sessions/*.jsonl | tail -n 20 |
        grep -q "\"requirement\":\"skip\".*\"shadow\":{\"rule\":\"$e2e_dir/conf/assent/rules/s.rules:1\",\"requirement\":\"forbidden\""
    (cd "$e2e_work" && assent check --json -- uname) | grep -q '"decision":"allow"'
    rules unused >"$e2e_dir/shown"
    cat >"$e2e_dir/wanted" <<TEXT
$e2e_dir/conf/assent/rules/s.rules:1 only reports: of 3 commands that it matched it would have let 0 run unasked, asked about 0, refused 3
$e2e_dir/conf/assent/rules/s.rules:2 matched nothing
$e2e_dir/conf/assent/rules/s.rules:3 matched nothing
3 rules, 4 recorded commands
TEXT
    diff "$e2e_dir/wanted" "$e2e_dir/shown"
    rules unused --json | grep -qxF "{\"file\":\"$e2e_dir/conf/assent/rules/s.rules\",\"line\":1,\"shadow\":true,\"matched\":3,\"unasked\":0,\"asked\":0,\"refused\":3}"
    rules check >"$e2e_dir/shown"
    grep -qx "$e2e_dir/conf/assent/rules/s.rules:3: is not needed: $e2e_dir/conf/assent/rules/s.rules:2 says the same of more" "$e2e_dir/shown"
    rm "$e2e_dir/conf/assent/rules/s.rules"
}

# A record as a console writes it: answers of the operator's, a command a line.
answered='import sys
lines = [line.split() for line in sys.stdin]
with open(sys.argv[1], "w") as log:
    number = 0
    def put(event, rest):
        global number
        number += 1
        log.write("{\"v\":2,\"n\":%d,\"prev\":\"%s\",\"time\":\"2026-11-21T09:08:07.123Z\",\"event\":\"%s\",\"session\":\"aaaa\"%s}\n"
                  % (number, "0" * 64, event, rest))
    put("session_start", ",\"origin\":\"client\",\"name\":\"agent\",\"context\":{}")
    for call, (kind, *words) in enumerate(lines, 1):
        words = ",".join("\"%s\"" % word for word in words)
        put("call_received", ",\"call\":%d,\"tool\":\"shell\",\"argv\":[%s],\"cwd\":\"%s\"" % (call, words, sys.argv[2]))
        put("decision", ",\"call\":%d,\"kind\":\"%s\",\"source\":\"user\"" % (call, kind))'

what_was_approved_again_is_suggested() {
    sessions=$e2e_dir/state/assent/sessions
    mv "$sessions" "$sessions.away"
    mkdir -m 700 "$sessions"
    python3 -c "$answered" "$sessions/one.jsonl" "$e2e_work" <<'CALLS'
approved npm test
approved_for_session npm test
approved npm test --all
denied npm test --evil
approved cargo build
approved cargo build
CALLS
    echo 'approval_policy = untrusted' >"$e2e_dir/conf/assent/assent.conf"
    rules suggest >"$e2e_dir/shown"
    cat >"$e2e_dir/wanted" <<'TEXT'
# of your answers in all projects, for all projects; :suggest in a console: of its own
prefix_rule(pattern=["npm", "test"], decision="allow", sandbox="keep")
  # would have answered 3 questions that you approved:
  #    2  npm test
  #    1  npm test --all
  # WOULD ALSO HAVE ALLOWED what you did not approve:
  #    1  npm test --evil
  # newly allows every command that begins with: npm test
TEXT
    diff "$e2e_dir/wanted" "$e2e_dir/shown"
    # It is a rule file, and once it is in force nothing is left to suggest.
    rules check "$e2e_dir/shown"
    cp "$e2e_dir/shown" "$e2e_dir/conf/assent/rules/suggested.rules"
    rules suggest --json >"$e2e_dir/shown"
    test ! -s "$e2e_dir/shown"
    rm "$e2e_dir/conf/assent/rules/suggested.rules" "$e2e_dir/conf/assent/assent.conf"
    rm -r "$sessions"
    mv "$sessions.away" "$sessions"
}

undo_takes_only_what_assent_wrote() {
    own=$e2e_dir/conf/assent/rules/default.rules
    cat >"$own" <<'RULES'
prefix_rule(pattern=["a"])
prefix_rule(pattern=["b"], decision="allow", sandbox="keep")  # added by Assent, 2026-01-01T00:00:00.000Z
prefix_rule(pattern=["c"], decision="prompt") # mine
RULES
    rules undo | grep -qF 'taken back: prefix_rule(pattern=["b"], decision="allow", sandbox="keep")'
    printf 'prefix_rule(pattern=["a"])\nprefix_rule(pattern=["c"], decision="prompt") # mine\n' >"$e2e_dir/wanted"
    diff "$e2e_dir/wanted" "$own"
    rules undo | grep -qF 'there is no rule to take back'
    diff "$e2e_dir/wanted" "$own"
}

test_case files_are_checked
test_case settings_of_others_become_rules
test_case rules_are_tried_on_the_record
test_case rules_can_be_tried_in_the_shadow
test_case what_was_approved_again_is_suggested
test_case undo_takes_only_what_assent_wrote
e2e_end
