#!/bin/sh
# SPDX-License-Identifier: MIT
# Attacks by commands on the console that runs them. Each is carried out; what it was after must
# not have happened, and the console must go on.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3
e2e_begin

goes_on() {
    client check -- echo 'still here'
    client_ends check 0
    test "$(cat "$e2e_dir/check.out")" = 'still here'
}

mode() {
    if [ "$1" = danger-full-access ]; then
        typed main ":sandbox $1"
        keys main Enter
        wait_screen main ":sandbox $1 once more lets"
    fi
    typed main ":sandbox $1"
    keys main Enter
    wait_screen main "From the next call on: sandbox $1"
}

# Evaluates its arguments, and says of each whether that worked.
attempts='import fcntl, os, signal, socket, sys, termios
def connect(path):
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    return "connected"
def inject(fd):
    for byte in b"y\r":
        fcntl.ioctl(fd, termios.TIOCSTI, bytes([byte]))
    return "injected"
for text in sys.argv[1:]:
    try:
        print("done:", eval(text))
    except Exception as error:
        print("failed:", type(error).__name__)'

# fails [OPTION…] -- EXPRESSION…: none of them works in a command.
fails() {
    options=''
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    # shellcheck disable=SC2086 # words
    client one $options -- python3 -c "$attempts" "$@"
    client_ends one 0
    test "$(grep -c '^failed: ' "$e2e_dir/one.out")" = $# || test_fail "$(cat "$e2e_dir/one.out")"
}

starts() {
    console_open main 80x24 --policy never -c guard_time=0
    find "$e2e_dir/run/assent" -name '*.sock' >"$e2e_dir/socket"
}

attempts_work_where_they_may() {
    e2e_run python3 -c "$attempts" "connect('$(cat "$e2e_dir/socket")')" "os.kill($$, 0)" \
        "open('/proc/$$/environ')" >"$e2e_dir/one.out"
    test "$(grep -c '^done: ' "$e2e_dir/one.out")" = 3
}

the_console_is_out_of_reach_of_the_sandbox() {
    socket=$(cat "$e2e_dir/socket")
    pid=$(basename "$socket" .sock)
    terminal=$(e2e_tmux display-message -p -t main '#{pane_tty}')
    test -w "$terminal"
    for mode in read-only workspace-write; do
        mode "$mode"
        fails -- "connect('$socket')" "os.listdir('$(dirname "$socket")')" \
            "connect('$e2e_dir/tmux')" \
            "open('/proc/$pid/environ', 'rb').read()" "open('/proc/$pid/mem', 'rb')" \
            "os.kill($pid, 0)" "os.kill($pid, signal.SIGTERM)" "os.pidfd_open($pid)" \
            "os.listdir('$e2e_dir/conf/assent')" "os.listdir('$e2e_dir/state/assent')" \
            "open('$terminal', 'w').write('y')" "inject(os.open('$terminal', os.O_RDWR))"
        # Nor can it type into its own terminal what others would read there.
        fails --tty -- 'inject(0)' 'inject(os.open("/dev/tty", os.O_RDWR))'
    done
    goes_on
}

# Without the sandbox it reaches the socket; but it descends from a call, also when it has left.
a_command_asks_for_nothing() {
    mode danger-full-access
    daemon='import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.environ["ASSENT_SOCKET"] = sys.argv[2]
        os.environ["XDG_CONFIG_HOME"] = sys.argv[3]
        os.environ["XDG_STATE_HOME"] = sys.argv[4]
        status = os.spawnv(os.P_WAIT, sys.argv[1], ["assent", "exec", "--", "touch", "asked"])
        open("daemon", "w").write(str(status))
    os._exit(0)
while not os.path.exists("daemon"):
    time.sleep(0.1)'
    # It knows where the console's secret is.
    client one -- env XDG_CONFIG_HOME="$e2e_dir/conf" XDG_STATE_HOME="$e2e_dir/state" \
        ASSENT_SOCKET="$(cat "$e2e_dir/socket")" \
        "$e2e_build/assent" exec -- touch asked
    client_ends one 125
    grep -q 'a command that this console runs cannot ask it' "$e2e_dir/one.err"
    client one -- python3 -c "$daemon" "$e2e_build/assent" "$(cat "$e2e_dir/socket")" \
        "$e2e_dir/conf" "$e2e_dir/state"
    client_ends one 0
    test "$(cat "$e2e_work/daemon")" = 125
    test ! -e "$e2e_work/asked"
    goes_on
}

# ---- what is painted in a pane ----

fake='import sys, time
sys.stdout.write("\033[2J\033[H")
for row in range(1, 30):
    sys.stdout.write("\033[%d;1H\u2502 tik: c9 asks. May it run?\u2502  y  allow once" % row)
sys.stdout.write("\033[999;1H tik keys: request c9  1 waiting")
sys.stdout.write("\033]0;a title\007\033]52;c;c3RvbGVu\007\033]9;a note\007")
sys.stdout.write("\033[?1049h\033[?1000h\033[?25l\033[5;1Hlast words\033[c\033[6n")
sys.stdout.flush()
time.sleep(1000)'

bottom_row_is_ours() {
    screen main | tail -n 1 | grep -q ' keys: prompt  *1 running  *never '
}

clipboard() {
    e2e_tmux show-buffer 2>/dev/null
}

a_pane_paints_no_request() {
    e2e_tmux set-option -s set-clipboard on \; set-option -g allow-rename on
    # What reaches the terminal itself does all that.
    terminal_start control 80x24 python3 -c "$fake"
    wait_screen control 'last words'
    wait_for 'the clipboard' clipboard
    test "$(clipboard)" = stolen
    test "$(e2e_tmux display-message -p -t control '#{pane_title}')" = 'a title'
    e2e_tmux delete-buffer \; kill-session -t control

    client one --tty -- python3 -c "$fake"
    wait_screen main 'last words'
    wait_for 'the bottom row' bottom_row_is_ours
    test "$(clipboard)" = ''
    test "$(e2e_tmux display-message -p -t main '#{pane_title} #{mouse_any_flag}')" != 'a title 1'
    # A key goes where the bottom row says.
    keys main y
    wait_screen main '> y'
    wait_screen main 'last words'
    keys main Escape
    wait_screen main '> a command to run'
    keys main F5
    wait_no_screen main 'Calls'
    wait_for 'the bottom row' bottom_row_is_ours
    keys main F5
    wait_screen main 'Calls'
    twice main F4 'F4 once more ends'
    client_ends one 143
}

ends() {
    quits main
    test "$(console_status main)" = 0
    test ! -e "$e2e_work/asked"
}

test_case starts
test_case attempts_work_where_they_may
test_case the_console_is_out_of_reach_of_the_sandbox
test_case a_command_asks_for_nothing
test_case a_pane_paints_no_request
test_case ends
e2e_end
