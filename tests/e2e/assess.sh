#!/bin/sh
# SPDX-License-Identifier: MIT
# assent assess, and a model that is asked: by the command line, and by a console that never waits
# for it.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3 openssl
e2e_begin

# serve NAME [CERTIFICATE]: a server; its port is in $port, its requests in $e2e_dir/NAME.log.
serve() {
    : >"$e2e_dir/$1.port"
    : >"$e2e_dir/$1.log"
    python3 "$srcdir/tests/e2e/model.py" "$e2e_dir/$1.log" ${2+"$2"} >"$e2e_dir/$1.port" 2>/dev/null &
    servers="${servers-} $!"
    # shellcheck disable=SC2064 # those of now
    trap "kill $servers" EXIT # each case runs in a shell of its own
    wait_for "the server $1" test -s "$e2e_dir/$1.port"
    port=$(cat "$e2e_dir/$1.port")
}

fails() {
    if "$@"; then return 1; fi
}

# assess MODEL ARGUMENT…: with that model of the server.
assess() {
    model=$1
    shift
    assent assess -c "assessment.model=$model" -c "assessment.url=http://127.0.0.1:$port/v1" "$@"
}

it_says_what_it_found() {
    assent assess -- rm -rf build >"$e2e_dir/out"
    grep -q '^risk: high data_deletion$' "$e2e_dir/out"
    grep -qF 'Deletes files by force: build.' "$e2e_dir/out"
    # The words behind a script are its $0, $1 …
    # shellcheck disable=SC2016 # for the inner shell
    assent assess -- sh -c 'rm -rf "$0"' build >"$e2e_dir/out"
    grep -qF 'Deletes files by force: build.' "$e2e_dir/out"
    assent assess --json -- bash -lc 'ls && rm x' >"$e2e_dir/out"
    python3 - "$e2e_dir/out" <<'CODE'
import json, sys
answer = json.load(open(sys.argv[1]))
assert answer["risk_level"] == "high" and answer["risk_categories"] == ["data_deletion"], answer
assert [(e["start"], e["end"]) for e in answer["evidence"]] == [(6, 10)], answer
CODE
    # What is shown on a terminal is safe.
    assent assess -- rm "$(printf 'a\033[2Jb\342\200\256c')" >"$e2e_dir/out"
    grep -qF '<ESC>' "$e2e_dir/out"
    fails grep -q "$(printf '\033')" "$e2e_dir/out"
}

batch_answers_each_line() {
    cat >"$e2e_dir/questions" <<'LINES'
{"id": 1, "command": "ls"}
{"id": 2, "command": "cat x", "cwd": "/home/op/.ssh"}
{"id": 3}
{"id": 4, "command": "echo x > /srv/y", "cwd": "/srv", "writable_roots": ["/srv"]}
{"id": 5, "command": "rm a\u0000b"}
LINES
    assent assess --batch --json <"$e2e_dir/questions" >"$e2e_dir/answers"
    python3 - "$e2e_dir/answers" <<'CODE'
import json, sys
answers = [json.loads(line) for line in open(sys.argv[1])]
assert [a["id"] for a in answers] == [1, 2, 3, 4, 5], answers
assert answers[0]["risk_level"] == "low" and answers[0]["evidence"] == [], answers[0]
assert "error" in answers[2], answers[2]
assert answers[3]["risk_level"] == "medium", answers[3]
assert answers[4]["risk_level"] == "high", answers[4]
CODE
}

a_model_is_tried() {
    serve plain
    assess low --model -- rm -rf x >"$e2e_dir/out"
    grep -q '^risk: high' "$e2e_dir/out"
    grep -q '^model: it answered' "$e2e_dir/out"
    grep -qF 'The model says so.' "$e2e_dir/out"
    assess high --model --json -c assessment.dialect=responses -- ls >"$e2e_dir/out"
    grep -qF '"status":"success","risk_level":"high"' "$e2e_dir/out"
    assess broken --model -- ls >"$e2e_dir/out"
    grep -q '^model: its answer is not what it was asked for' "$e2e_dir/out"
    assess silent --model -c assessment.timeout=200ms -- ls >"$e2e_dir/out"
    grep -q '^model: no answer in time' "$e2e_dir/out"
    assent assess --model -- ls >"$e2e_dir/out"
    grep -q '^model: none is configured' "$e2e_dir/out"
}

keys_go_to_the_server_and_nowhere_else() {
    serve plain
    e2e_env=MY_KEY=sk-of-the-test
    assess low --model -c assessment.key_variable=MY_KEY -- env A_TOKEN=abc ls >"$e2e_dir/out" 2>&1
    e2e_env=
    grep -qF 'Bearer sk-of-the-test' "$e2e_dir/plain.log"
    fails grep -qF 'sk-of-the-test' "$e2e_dir/out"
    fails grep -qF 'TOKEN=abc' "$e2e_dir/plain.log"
    echo sk-in-a-file >"$e2e_dir/key"
    chmod 644 "$e2e_dir/key"
    fails assess low --model -c "assessment.key_file=$e2e_dir/key" -- ls 2>"$e2e_dir/out"
    grep -qF 'chmod 600' "$e2e_dir/out"
    chmod 600 "$e2e_dir/key"
    assess low --model -c "assessment.key_file=$e2e_dir/key" -- ls >"$e2e_dir/out"
    grep -qF 'Bearer sk-in-a-file' "$e2e_dir/plain.log"
}

a_bad_certificate_is_refused() {
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost -keyout "$e2e_dir/tls.key" -out "$e2e_dir/tls.crt" \
        2>/dev/null
    cat "$e2e_dir/tls.crt" "$e2e_dir/tls.key" >"$e2e_dir/tls.both"
    serve tls "$e2e_dir/tls.both"
    for host in localhost 127.0.0.1; do
        assent assess --model -c assessment.model=low -c "assessment.url=https://$host:$port/v1" \
            -- ls >"$e2e_dir/out"
        grep -q '^model: it could not be asked' "$e2e_dir/out"
    done
    # Known, and for this name: then it may be asked. For another name it may not.
    assent assess --model -c assessment.model=low -c "assessment.url=https://localhost:$port/v1" \
        -c "assessment.ca_file=$e2e_dir/tls.crt" -- ls >"$e2e_dir/out"
    grep -q '^model: it answered' "$e2e_dir/out"
    assent assess --model -c assessment.model=low -c "assessment.url=https://127.0.0.1:$port/v1" \
        -c "assessment.ca_file=$e2e_dir/tls.crt" -- ls >"$e2e_dir/out"
    grep -q '^model: it could not be asked' "$e2e_dir/out"
    test "$(wc -l <"$e2e_dir/tls.log")" -eq 1
}

a_request_never_waits_for_the_model() {
    serve slow
    cat >"$e2e_dir/conf/assent/assent.conf" <<CONF
assessment { model = silent url = "http://127.0.0.1:$port/v1" timeout = 60s }
guard_time = 0
approval_policy = untrusted
CONF
    console_open main 100x36
    client one -- touch made
    asked main 'touch made'
    wait_screen main 'is being asked'
    keys main y
    client_ends one 0
    test -e "$e2e_work/made"
    client two -- touch later
    asked main 'touch later'
    wait_screen main 'is being asked'
    screen_lacks main 'HIGH'
    python3 -c "import urllib.request as u; u.urlopen('http://127.0.0.1:$port/')"
    wait_screen main 'The model says so.'
    wait_screen main 'HIGH'
    # Now one key is not enough any more.
    keys main y
    wait_screen main 'Enter confirms'
    client_waits two
    keys main Enter
    client_ends two 0
    console_stop main
    grep -qh '"model":{"status":"success","level":"high"' "$e2e_dir"/state/assent/sessions/*.jsonl
}

test_case it_says_what_it_found
test_case batch_answers_each_line
test_case a_model_is_tried
test_case keys_go_to_the_server_and_nowhere_else
test_case a_bad_certificate_is_refused
test_case a_request_never_waits_for_the_model
e2e_end
