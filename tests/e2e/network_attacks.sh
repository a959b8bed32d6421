#!/bin/sh
# SPDX-License-Identifier: MIT
# Commands that try to get past the proxy, or to make it useless: from inside the sandbox, to real
# sockets.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3 curl openssl
e2e_begin
# shellcheck source=tests/e2e/network.lib.sh
. "$srcdir/tests/e2e/network.lib.sh"

# Prints a line "REACHED what" for each way that leads out of the namespace.
cat >"$e2e_work/ways.py" <<'CODE'
import socket
import sys

PORT = int(sys.argv[1])
FAMILIES = {"4": socket.AF_INET, "6": socket.AF_INET6}
DNS_QUESTION = b"\1\2\1\0\0\1\0\0\0\0\0\0\7example\3org\0\0\1\0\1"


def attempt(name, way):
    try:
        way()
        print("REACHED", name)
    except OSError as error:
        print("not reached:", name, error)


def tcp(family, address, kind=socket.SOCK_STREAM, protocol=0):
    def way():
        with socket.socket(family, kind, protocol) as sock:
            sock.settimeout(2)
            sock.connect(address)
    return way


def fast_open():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock:
        sock.settimeout(2)
        sock.sendto(b"GET / HTTP/1.0\r\n\r\n", socket.MSG_FASTOPEN, ("127.0.0.2", PORT))


def udp(family, address):
    def way():
        with socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.settimeout(2)
            sock.connect(address)
            sock.send(DNS_QUESTION)
            sock.recv(512)
    return way


attempt("TCP", tcp(socket.AF_INET, ("192.0.2.1", 80)))
attempt("TCP, version 6", tcp(socket.AF_INET6, ("2001:db8::1", 80)))
attempt("the host's loopback", tcp(socket.AF_INET, ("127.0.0.2", PORT)))
attempt("the host's loopback, mapped", tcp(socket.AF_INET6, ("::ffff:127.0.0.2", PORT)))
attempt("MPTCP", tcp(socket.AF_INET, ("127.0.0.2", PORT), protocol=262))
attempt("TCP with data in its first packet", fast_open)
attempt("SCTP", tcp(socket.AF_INET, ("192.0.2.1", 80), protocol=132))
attempt("UDP", udp(socket.AF_INET, ("192.0.2.1", 53)))
attempt("UDP, version 6", udp(socket.AF_INET6, ("2001:db8::1", 53)))
attempt("a raw socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).sendto(
    b"\10\0\0\0\0\0\0\0", ("192.0.2.1", 0)))
attempt("packets", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 3).send(b"x" * 60))
attempt("the host as a virtual machine's", tcp(40, (2, 80)))
attempt("DNS", lambda: socket.getaddrinfo("example.org", 80))
attempt("DNS of this machine", udp(socket.AF_INET, ("127.0.0.53", 53)))
CODE

# Opens so many connections to as many hosts, a hundred at a time, and counts what they were told.
cat >"$e2e_work/flood.py" <<'CODE'
import select
import socket
import sys

WANTED = int(sys.argv[1])
refused, waiting = 0, []


def answers(socks, left):
    """Until no more than so many are unanswered."""
    global refused
    while len(socks) > left:
        ready, _, _ = select.select(socks, [], [], 300)
        if not ready:
            sys.exit("no answer")
        for sock in ready:
            refused += b"403" in sock.recv(4096)
            sock.close()
            socks.remove(sock)


for start in range(0, WANTED, 100):
    batch = []
    for number in range(start, start + 100):
        sock = socket.create_connection(("127.0.0.1", 61080))
        sock.sendall(b"CONNECT h%d.example:443 HTTP/1.1\r\n\r\n" % number)
        batch.append(sock)
    # As many of the first ones as may wait for the operator; every other is answered at once.
    answers(batch, 32 if start == 0 else 0)
    waiting += batch
print("waiting", len(waiting), "refused", refused, flush=True)
answers(waiting, 0)
print("all refused" if refused == WANTED else "refused %d" % refused)
CODE

no_way_leads_past_the_proxy() {
    before=$(requests plain)
    open_console
    client one -- python3 ways.py "${plain#*:}"
    wait_for 'the attempts' grep -q 'DNS of this machine' "$e2e_dir/one.out"
    test "$(grep -c REACHED "$e2e_dir/one.out")" = 0 || {
        cat "$e2e_dir/one.out"
        exit 1
    }
    test "$(grep -c 'not reached' "$e2e_dir/one.out")" = 14
    test "$(requests plain)" = "$before"
    console_stop main
}

recorded() {
    test "$(grep -hoE '"argv":\["network-access","https://h[0-9]+' "$e2e_dir"/state/assent/sessions/* |
        grep -c '')" = "$1"
}

# Ten thousand hosts (with sanitizers two): a few are asked about, the others turned away, and the
# console stays the operator's.
a_flood_of_hosts_leaves_the_operator_in_charge() {
    e2e_deadline=300 # so many connections on a busy machine
    hosts=10000
    ! test_sanitized || hosts=2000
    open_console
    client one -- python3 flood.py "$hosts"
    wants main 'https://h'
    keys main v # while they come in
    wait_screen main 'everything about c'
    keys main Escape
    wait_no_screen main 'everything about c'
    wants main 'https://h'
    wait_for 'the end of the flood' says one "waiting 32 refused $((hosts - 32))"
    wait_screen main '32 wait'
    wait_for 'the requests in the record' recorded 32
    confirm main x # whoever floods is stopped, and nothing is left of it
    wait_no_screen main 'May it connect there?'
    client_ends one 143
    console_stop main
}

test_case no_way_leads_past_the_proxy
test_case a_flood_of_hosts_leaves_the_operator_in_charge
e2e_end
