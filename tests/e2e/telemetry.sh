#!/bin/sh
# SPDX-License-Identifier: MIT
# Telemetry: off unless it is asked for; then numbers that a collector takes, and no words of
# anybody's.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
# shellcheck source=tests/e2e/npm.sh
. "${srcdir:-.}/tests/e2e/npm.sh"
test_need python3
e2e_begin

has_port() {
    test -s "$e2e_dir/port"
}

# What it gets is in $e2e_dir/got.
collector() {
    rm -f "$e2e_dir/port" "$e2e_dir/got"
    python3 "$srcdir/tests/e2e/otlp.py" "$e2e_dir/got" >"$e2e_dir/port" &
    collector=$!
    wait_for 'the collector' has_port
}

collector_end() {
    kill "$collector"
    wait "$collector" || :
}

# run_console OPTION…: an agent in it asks for a command, and stays until $until succeeds.
run_console() {
    # shellcheck disable=SC2016 # for the inner shell
    (cd "$e2e_work" && e2e_run env OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:$(cat "$e2e_dir/port")" \
        OTEL_METRIC_EXPORT_INTERVAL="${interval:-60000}" \
        "$e2e_build/assent" --headless --policy on-request "$@" -c guard_time=0 -- \
        sh -c 'touch some-secret-name; "$0" exec -- touch other-secret-name
            "$0" exec -- touch ../outside-secret-name
            until $1; do sleep 0.1; done' "$e2e_build/assent" "${until:-true}")
}

nothing_is_sent_unless_asked_for() {
    collector
    run_console
    collector_end
    test ! -e "$e2e_dir/got"
}

a_collector_takes_it() {
    collector
    # What is left at its end has a second only, which is not enough on a busy machine.
    interval=200
    until="grep -qs assent.sandbox_outcome $e2e_dir/got"
    run_console -c telemetry=true
    collector_end
    python3 - "$e2e_dir/got" <<'CODE'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
assert all("error" not in line for line in lines), lines
assert "secret" not in json.dumps(lines)
names = {metric["name"] for line in lines
         for metric in line["request"]["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]}
assert "assent.tool_decision" in names, names
assert any("histogram" in metric for line in lines
           for metric in line["request"]["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]), names
CODE
}

has_npm() {
    command -v node && command -v npm
}

# The protocol's own definition, as OpenTelemetry publishes it.
the_protocol_knows_all_of_it() {
    npm_fetch @opentelemetry/otlp-transformer 0.57.2
    node "$srcdir/tests/e2e/otlp.mjs" \
        "$npm_directory/node_modules/@opentelemetry/otlp-transformer" "$e2e_dir/got"
}

# What is wrong with it is said, and keeps nobody from working.
trouble_is_told() {
    echo 1 >"$e2e_dir/port"
    run_console -c telemetry=true
    grep -q 'touch other-secret-name' "$e2e_dir"/state/assent/sessions/*.jsonl
    (cd "$e2e_work" && e2e_run env OTEL_EXPORTER_OTLP_PROTOCOL=grpc "$e2e_build/assent" --headless \
        -c telemetry=true -- true) >"$e2e_dir/out" 2>&1
    cat "$e2e_dir"/state/assent/sessions/*.jsonl | grep -q '"event":"notice".*telemetry is off: OTEL_EXPORTER_OTLP_PROTOCOL'
}

test_case nothing_is_sent_unless_asked_for
test_case a_collector_takes_it
test_case_with npm has_npm the_protocol_knows_all_of_it
test_case trouble_is_told
e2e_end
