#!/bin/sh
# SPDX-License-Identifier: MIT
# Out through a company's proxy: what is granted goes through it, under the operator's name and
# password, which no command sees.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3 curl openssl
e2e_begin
# shellcheck source=tests/e2e/network.lib.sh
. "$srcdir/tests/e2e/network.lib.sh"

# company NAME TARGET: a proxy that brings everything to TARGET; its port is in $e2e_dir/NAME.
company() {
    python3 "$srcdir/tests/e2e/network-proxy.py" 127.0.0.3 "$e2e_dir/$1" 'me:se%cret' "$2" \
        </dev/null >"$e2e_dir/$1.out" 2>&1 &
    servers="${servers-} $!"
    wait_for "the proxy $1" test -e "$e2e_dir/$1"
}

company hop "$plain"
hop=127.0.0.3:$(cat "$e2e_dir/hop")

has_seen() {
    grep -qF -e "$1" "$e2e_dir/hop.log"
}

what_is_granted_goes_through_it() {
    e2e_env="HTTPS_PROXY=http://me:se%25cret@$hop NO_PROXY=direct.example"
    open_console
    client one -- curl -sS http://far.example/file
    wants main 'http://far.example:80'
    wait_screen main "Through     $hop, which looks the name up itself"
    test ! -e "$e2e_dir/hop.log" # it was told nothing yet
    keys main y
    client_ends one 0
    says one 'content of the file'
    has_seen 'GET http://far.example:80/file HTTP/1.1'
    client two -- curl -sS -p http://far.example:8080/file # a tunnel
    wants main 'https://far.example:8080'
    keys main y
    client_ends two 0
    says two 'content of the file'
    has_seen 'CONNECT far.example:8080 HTTP/1.1'
    # What is denied does not get that far.
    client three -- curl -sS http://other.example/file
    wants main 'http://other.example:80'
    keys main d
    client_ends three 0
    says three 'not granted'
    has_seen other.example && exit 1
    # Excepted, and looked up here: there is no such name.
    client four -- curl -sS http://direct.example/file
    wants main 'http://direct.example:80'
    wait_screen main 'looked up once you allow it'
    keys main y
    client_ends four 0
    has_seen direct.example && exit 1
    console_stop main
}

no_command_sees_the_password() {
    e2e_env="HTTPS_PROXY=http://me:se%25cret@$hop"
    open_console
    client one -- sh -c 'env; cat /proc/self/environ'
    client_status one
    cat "$e2e_dir/one.out" "$e2e_dir/one.err" | grep -q cret && exit 1
    says one 'HTTPS_PROXY=http://127.0.0.1:61080'
    console_stop main
    grep -rq 'se%25cret\|se%cret' "$e2e_dir/state" && exit 1
    true
}

a_wrong_password_is_told() {
    e2e_env=''
    printf 'network_proxy = "http://me:wrong@%s"\n' "$hop" >"$e2e_dir/conf/assent/assent.conf"
    open_console
    client one -- curl -sS -p http://far.example:8080/file
    wants main 'https://far.example:8080'
    keys main y
    client_ends one 56
    has_seen 'refused CONNECT far.example:8080'
    wait_for 'the record of it' in_record connection 'wants a name and a password'
    console_stop main
    assent config >"$e2e_dir/config"
    grep -q 'network_proxy = "http://me:<masked>@' "$e2e_dir/config"
    printf 'network_proxy = "socks5://127.0.0.3:1"\n' >"$e2e_dir/conf/assent/assent.conf"
    assent --headless -- true 2>"$e2e_dir/refused" && exit 1
    grep -q 'only proxies with http:// are supported' "$e2e_dir/refused"
}

test_case what_is_granted_goes_through_it
test_case no_command_sees_the_password
test_case a_wrong_password_is_told
e2e_end
