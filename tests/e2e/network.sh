#!/bin/sh
# SPDX-License-Identifier: MIT
# Hosts are asked for one by one: real programs, through the sandbox and the proxy, to a real server
# on this machine. What is on this machine is never covered by anything but its own grant, which is
# what is given here. (127.0.0.2, because the sandbox's own 127.0.0.1 is not for the proxy.)
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3 curl openssl
e2e_begin

# shellcheck source=tests/e2e/network.lib.sh
. "$srcdir/tests/e2e/network.lib.sh"

one_request_is_asked_and_granted() {
    open_console
    client one -- curl -sS "http://$plain/file"
    wants main "http://$plain"
    wait_screen main '127.0.0.2 (this machine itself)'
    wait_screen main 'c1  curl'
    test -z "$(requests plain)" # nothing was sent yet
    keys main y
    client_ends one 0
    says one 'content of the file'
    # Once is once.
    unasked main
    client two -- curl -sS "http://$plain/file"
    wants main "http://$plain"
    keys main d
    client_ends two 0
    says two 'not granted: the operator denied it'
    wait_for 'the record of it' in_record connection '"outcome":"passed"'
    wait_for 'the record of it' in_record connection '"outcome":"denied"'
    console_stop main
    # The command ran, for nothing.
    assent log calls >"$e2e_dir/rows"
    test "$(grep -c 'but a host was denied  exit 0  curl ' "$e2e_dir/rows")" = 1
}

# An upload is as grave as its command, which nobody was asked about; a secret that it names is not
# there for it.
what_sends_data_is_told_from_what_fetches() {
    echo 'TOKEN=1' >"$e2e_work/.env"
    open_console
    client one -- curl -sS -d @.env "http://$plain/file"
    wants main "http://$plain"
    wait_screen main 'HIGH'
    wait_screen main 'The sandbox hides that secret'
    keys main y
    wait_screen main 'Enter confirms'
    keys main Enter
    client_ends one 0
    client two -- curl -sS "http://$plain/file"
    wants main "http://$plain"
    screen main | grep -q 'medium'
    keys main d
    client_ends two 0
    console_stop main
    rm "$e2e_work/.env"
}

# The answer alone is no success, and the pane says that hosts are asked for.
what_is_allowed_may_not_answer() {
    open_console
    client one -- sh -c 'curl -sS http://127.0.0.2:9/; echo now; sleep 100'
    wants main 'http://127.0.0.2:9'
    keys main y
    wait_screen main 'c1 could not reach http://127.0.0.2:9: Connection refused'
    wait_screen main 'not reached'
    keys main F3
    wait_screen main 'What failed'
    console_stop main
    assent log calls | grep -F ', its host allowed by you (c2)' >/dev/null
    assent log c1 | grep -F 'http://127.0.0.2:9, allowed by you (c2), it failed' >/dev/null
}

# Few programs show why a proxy did not connect them.
an_agent_is_told_what_could_not_be_reached() {
    open_console
    client one -- curl -sS https://127.0.0.2:9/
    wants main 'https://127.0.0.2:9'
    keys main y
    client_ends one 56
    grep -qF 'https://127.0.0.2:9 was allowed, but could not be reached: Connection refused' \
        "$e2e_dir/one.err"
    console_stop main
}

tls_passes_and_the_session_remembers() {
    open_console
    client one -- curl -sS --cacert ca.pem "https://$tls/file"
    wants main "https://$tls"
    keys main a
    client_ends one 0
    says one 'content of the file'
    client two -- curl -sS --cacert ca.pem "https://$tls/file"
    client_ends two 0 # unasked
    says two 'content of the file'
    # Another protocol and another port are other questions.
    client three -- curl -sS "http://$plain/file"
    wants main "http://$plain"
    keys main d
    client_ends three 0
    # What was denied in the session is not asked again.
    client four -- curl -sS "http://$plain/file"
    client_ends four 0
    says four 'not granted'
    grep -qF "the operator refused a connection to http://$plain" "$e2e_dir/four.err"
    wait_screen main "http://$plain is denied as before"
    client five -- curl -sS --cacert ca.pem -x socks5h://127.0.0.1:61080 "https://$tls/file"
    wants main "socks5-tcp://$tls"
    keys main y
    client_ends five 0
    says five 'content of the file'
    console_stop main
}

a_host_is_remembered_for_the_project() {
    open_console
    client one -- curl -sS "http://$plain/file"
    wants main "http://$plain"
    wait_screen main 'kept for this project'
    keys main p
    wait_screen main 'Enter confirms: allow this host for this project'
    keys main Enter
    client_ends one 0
    console_stop main
    grep -qF 'network_rule(host="127.0.0.2", protocol="http", decision="allow", port="' \
        "$e2e_dir/conf/assent/rules/default.rules"
    open_console
    client two -- curl -sS "http://$plain/file"
    client_ends two 0 # unasked, in another console
    client three -- curl -sS --cacert ca.pem "https://$tls/file"
    wants main "https://$tls"
    keys main n
    wait_screen main 'Enter denies with this message'
    written main 'not today'
    keys main Enter
    client_ends three 56
    # Curl does not show what the proxy says of it.
    grep -qF "the operator refused a connection to https://$tls: not today" "$e2e_dir/three.err"
    console_stop main
    rm "$e2e_dir/conf/assent/rules/default.rules"
}

# Nobody can be asked: the client is told who refused, and the console's lines say who asked.
without_a_console_the_client_is_told() {
    headless_start
    client one -- curl -sS "http://$plain/file"
    client_ends one 0
    grep -qF "the configuration refused a connection to http://$plain: nobody can be asked" \
        "$e2e_dir/one.err"
    grep -q '^c2 denied (config), asked by .*: ' "$e2e_dir/headless.log"
    grep -qx 'c2 refused: no connection was made' "$e2e_dir/headless.log"
    headless_stop
}

many_connections_share_one_question() {
    open_console
    client one -- sh -c "for i in 1 2 3; do curl -sS 'http://$plain/file' & done; wait"
    wants main "http://$plain"
    wait_screen main '3 connections'
    keys main y
    client_ends one 0
    test "$(grep -c 'content of the file' "$e2e_dir/one.out")" = 3
    console_stop main
}

# Who tries anew without closing what it gave up waits with the last one alone.
what_may_be_given_up_is_not_counted_as_waiting() {
    open_console
    cat >"$e2e_work/tries.py" <<END
import os, socket, time
tries = []
for number in 1, 2, 3:
    tries.append(socket.create_connection(("127.0.0.1", 61080)))
    tries[-1].sendall(b"CONNECT example.org:443 HTTP/1.1\r\n\r\n")
    while not os.path.exists(f"tried {number}"):
        time.sleep(0.1)
END
    client one -- python3 tries.py
    wants main 'https://example.org:443'
    wait_screen main '1 connection '
    sleep 3.5 # longer than what is made at one time takes
    touch "$e2e_work/tried 1"
    wait_screen main '1 connection, and 1 older one, perhaps given up'
    touch "$e2e_work/tried 2"
    wait_screen main '2 connections, and 1 older one, perhaps given up'
    keys main d
    touch "$e2e_work/tried 3"
    client_ends one 0
    console_stop main
}

nothing_else_is_reached() {
    before=$(requests plain)
    open_console
    # Past the proxy: at once, and nobody listens; the sandbox has a loopback of its own.
    client zero -- curl -sS --noproxy '*' "http://$plain/file"
    client_ends zero 7
    client one -- curl -sS --noproxy '*' "http://192.0.2.1/file"
    wait_screen main 'Run it again'
    wait_screen main 'network 192.0.2.1:80'
    keys main d
    client_ends one 77
    # A redirect leads to another host, which is asked for.
    client two -- curl -sSL "http://$plain/redirect"
    wants main "http://$plain"
    keys main y
    wants main 'http://127.0.0.3:9'
    keys main d
    client_ends two 0
    says two 'not granted'
    # Other forms of the same address are the same question.
    client three -- sh -c "printf 'CONNECT 0x7f.2:${plain#*:} HTTP/1.1\r\n\r\n' |
        curl -sS telnet://127.0.0.1:61080"
    wants main "https://$plain"
    keys main d
    wait_for 'the refusal' says three '403 Forbidden'
    test "$(requests plain)" = $((before + 1))
    console_stop main
}

a_policy_that_never_asks_denies() {
    console_open main 100x34 -c guard_time=0 --policy never
    client one -- curl -sS "http://$plain/file"
    client_ends one 0
    says one 'approval policy never does not ask about hosts'
    console_stop main
}

who_leaves_takes_the_question_back() {
    open_console
    client one -- sh -c "curl -sS 'https://$tls/file' & until test -e left; do sleep 0.1; done; kill \$!"
    wants main "https://$tls"
    touch "$e2e_work/left"
    wait_no_screen main 'May it connect there?'
    client_ends one 0
    console_stop main
}

# A plain request is complete before it is given up: nothing goes out for that when the next one,
# which asks by itself, is allowed.
who_gives_a_plain_request_up_is_not_served() {
    open_console
    before=$(requests plain)
    client one -- sh -c "curl -sS -m 2 'http://$plain/file'; until test -e next; do sleep 0.1; done; curl -sS 'http://$plain/file'"
    wants main "http://$plain"
    wait_no_screen main 'May it connect there?'
    touch "$e2e_work/next"
    wants main "http://$plain"
    wait_screen main '1 connection'
    keys main y
    wait_screen main 'Not taken: c2 has ended, this request is new'
    keys main y
    client_ends one 0
    says one 'content of the file'
    test "$(requests plain)" = "$((${before:-0} + 1))"
    console_stop main
}

the_network_can_be_closed_and_opened() {
    open_console
    wait_screen main 'network asks'
    typed main ':network off'
    keys main Enter
    wait_screen main 'From the next call on: network off'
    # shellcheck disable=SC2016 # for the inner shell
    client one -- sh -c 'echo "proxy <$http_proxy> $ASSENT_SANDBOX_NETWORK_DISABLED"'
    client_ends one 0
    says one 'proxy <> 1'
    typed main ':network ask'
    keys main Enter
    wait_screen main 'network asks for each host'
    # shellcheck disable=SC2016 # for the inner shell
    client two -- sh -c 'echo "proxy <$http_proxy> $ASSENT_SANDBOX_NETWORK_DISABLED"'
    client_ends two 0
    says two 'proxy <http://127.0.0.1:61080> '
    console_stop main
}

# Neither it nor what it asked for was denied: the console and the record say who ended them.
what_is_stopped_says_so() {
    open_console
    client one -- curl -sS http://127.0.0.2:9/
    wants main 'http://127.0.0.2:9'
    keys main Escape
    unasked main
    typed main ':stop c1'
    keys main Enter
    client_ends one 143
    wait_screen main 'its command was stopped by the operator'
    client two -- git clean -fdxq
    wait_screen main 'c3'
    asked main 'git clean -fdxq'
    keys main Escape
    unasked main
    typed main ':stop c3'
    keys main Enter
    client_ends two 77
    wait_screen main 'c3 stopped by you: git clean -fdxq'
    screen main >"$e2e_dir/stopped"
    if grep -q ' denied' "$e2e_dir/stopped"; then return 1; fi
    console_stop main
    assent log calls | grep 'git clean -fdxq\|127\.0\.0\.2:9' >"$e2e_dir/rows"
    grep -q 'its command was stopped by the operator' "$e2e_dir/rows"
    grep -q 'stopped by you .*git clean -fdxq' "$e2e_dir/rows"
    assent log c3 >"$e2e_dir/events"
    grep -q ' is over: stopped by you' "$e2e_dir/events"
    if grep -q 'denied\|undecided' "$e2e_dir/rows" "$e2e_dir/events"; then return 1; fi
}

test_case one_request_is_asked_and_granted
test_case what_sends_data_is_told_from_what_fetches
test_case what_is_allowed_may_not_answer
test_case what_is_stopped_says_so
test_case an_agent_is_told_what_could_not_be_reached
test_case tls_passes_and_the_session_remembers
test_case a_host_is_remembered_for_the_project
test_case without_a_console_the_client_is_told
test_case many_connections_share_one_question
test_case what_may_be_given_up_is_not_counted_as_waiting
test_case nothing_else_is_reached
test_case a_policy_that_never_asks_denies
test_case who_leaves_takes_the_question_back
test_case who_gives_a_plain_request_up_is_not_served
test_case the_network_can_be_closed_and_opened
e2e_end
