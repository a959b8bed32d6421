#!/bin/sh
# SPDX-License-Identifier: MIT
# assent parse: its outputs, its input, its exit status.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

# says WANTED < script: the JSON answer to a script.
says() {
    answer=$(assent parse --json)
    test "$answer" = "$1" || test_fail "$answer"
}

json_has_the_documented_form() {
    printf 'ls -l && "a b"\n' |
        says '{"plain":true,"commands":[["ls","-l"],["a b"]],"operators":["&&"]}'
    printf 'ls 2>&1 | wc' |
        says '{"plain":false,"understood":true,"commands":[["ls"],["wc"]],"operators":["|"],"constructs":["null_redirect"]}'
    # shellcheck disable=SC2016 # for the parser
    printf 'ls "$x"' | assent parse --json >"$e2e_dir/answer"
    python3 - "$e2e_dir/answer" <<'CODE'
import json, sys
answer = json.load(open(sys.argv[1]))
assert answer["plain"] is False and answer["understood"] is False, answer
assert answer["offset"] == 4 and answer["reason"] == "expansion", answer
words = answer["constituents"][0]["words"]
assert [w["text"] for w in words] == ["ls", "$x"], words
assert [w["literal"] for w in words] == [True, False], words
CODE
}

batch_answers_each_line() {
    cat >"$e2e_dir/questions" <<'LINES'
{"id": 1, "script": "ls"}
{"id": {"a": 2}, "script": "ls >/dev/null"}

not JSON
{"id": "b", "script_b64": "bHMg/w=="}
{"id": "c"}
{"id": "d", "script_b64": "bHM"}
[]
{"script": "a\u0000b"}
LINES
    assent parse --batch <"$e2e_dir/questions" >"$e2e_dir/answers"
    python3 - "$e2e_dir/answers" <<'CODE'
import json, sys
answers = [json.loads(line) for line in open(sys.argv[1])]
assert [a["id"] for a in answers] == [1, {"a": 2}, None, "b", "c", "d", None, None], answers
assert answers[0] == {"id": 1, "plain": True, "commands": [["ls"]], "operators": []}
assert answers[1] == {"id": {"a": 2}, "plain": False, "understood": True, "commands": [["ls"]],
                      "operators": [], "constructs": ["null_redirect"]}
assert answers[3] == {"id": "b", "plain": False, "understood": False,
                      "reason": "invalid UTF-8", "offset": 3}
assert [("error" in a) for a in answers] == [False, False, True, False, True, True, True, False]
assert answers[7]["reason"] == "control character"
CODE
}

text_shows_what_it_may_run() {
    # shellcheck disable=SC2016 # for the parser
    printf 'ls $(rm -rf x); for a in b; do c; done > ~/y' >"$e2e_dir/script"
    assent parse "$e2e_dir/script" >"$e2e_dir/shown"
    cat >"$e2e_dir/wanted" <<'TEXT'
opaque at byte 3: command substitution
It may run:
     ls '$(rm -rf x)'
     rm -rf x (in a substitution)
     c (in a loop)
     > ~/y
TEXT
    diff "$e2e_dir/wanted" "$e2e_dir/shown"
    printf 'ls\nfind . -name "a\033[2Kb"' | assent parse >"$e2e_dir/shown"
    grep -qF 'opaque at byte 18: control character' "$e2e_dir/shown"
    grep -qF 'a<ESC>[2Kb' "$e2e_dir/shown"
}

failures_have_their_status() {
    status=0
    assent parse /nowhere/script 2>"$e2e_dir/message" || status=$?
    test "$status" = 1
    grep -q '^assent parse: cannot read /nowhere/script: ' "$e2e_dir/message"
    status=0
    assent parse a b 2>"$e2e_dir/message" || status=$?
    test "$status" = 125
    status=0
    assent parse --batch a 2>"$e2e_dir/message" || status=$?
    test "$status" = 125
}

test_case json_has_the_documented_form
test_case batch_answers_each_line
test_case text_shows_what_it_may_run
test_case failures_have_their_status
e2e_end
