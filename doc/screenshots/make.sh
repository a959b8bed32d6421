#!/bin/sh
# SPDX-License-Identifier: MIT
# make screenshots: drives a real console in tmux, captures its screen, renders it as SVG.
#
#   make.sh BUILD DIRECTORY     the SVG files go into DIRECTORY
#
# The console is installed into a place of its own first, so that no path of the builder's is in the
# pictures. $SCREENSHOTS_ROOT names it (default: /tmp/assent-screenshots; it must not exist).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
to=$(mkdir -p "$2" && cd "$2" && pwd)
root=${SCREENSHOTS_ROOT:-/tmp/assent-screenshots}

mkdir -m 700 "$root"
mkdir "$root/home"
make -s -C "$build" install DESTDIR="$root/stage" >"$root/install.log" 2>&1
installed=$(find "$root/stage" -path '*/bin/assent' | head -n 1)
ln -s "$installed" "$root/assent"
mkdir "$root/shop"
printf '[core]\n' >"$root/shop/config"

# The tests' way with a console: their library wants to stand in a build directory.
srcdir=$(cd "$here/../.." && pwd)
cd "$root"
# shellcheck source=tests/e2e/lib.sh
. "$srcdir/tests/e2e/lib.sh"
e2e_begin
e2e_cwd=$root/shop
trap 'e2e_cleanup; rm -rf "$root"' EXIT

# picture NAME COLUMNSxROWS TITLE [CONSOLE]: of the console "main", or that one, as it is.
picture() {
    e2e_tmux capture-pane -p -e -t "${4:-main}" |
        python3 "$here/render.py" "${2%x*}" "${2#*x}" "$3" >"$to/$1.svg"
    echo "$to/$1.svg"
}

size=100x30
# shellcheck disable=SC2016 # for the inner shell
console_open main "$size" --policy untrusted -c guard_time=0 -- sh -c \
    'i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo "[$i/60] compiling src/part$i.c"; done; echo "src/part42.c:7: error: expected ;"; exec sleep 600'
wait_screen main 'expected ;'
keys main 'C-\'
wait_screen main 'keys: prompt'

client one --justification 'The old build must go before the new one.' -- rm -rf build
asked main 'rm -rf build'
picture request "$size" 'A request of high risk: the command, who asks, why, how risky, under what it runs'

client two --justification 'The tests need the library.' -- touch lib/version
wait_screen main '1 more waits'
client three -- touch lib/version
wait_screen main '2 more wait'
keys main F9
wait_screen main '3 requests wait'
keys main Down
wait_screen main '┃ touch lib/version'
keys main Space
wait_screen main '1 marked'
picture inbox "$size" 'The inbox: all requests of all agents, the same of several agents in one row'

keys main d
client_status two >/dev/null
client_status three >/dev/null
wait_screen main '1 request waits'
keys main Tab
wait_screen main 'keys: prompt'
keys main F7
wait_screen main 'FROZEN'
picture frozen "$size" 'Everything is frozen by one key'

keys main F7
wait_no_screen main 'FROZEN'
keys main BTab # behind the newest comes the first
typed main ':find error'
keys main Enter
wait_screen main 'keys: reading'
picture reader "$size" 'Searching what a pane has shown'

keys main q
wait_screen main 'keys: prompt'
keys main F1
wait_screen main 'At the prompt line'
picture help "$size" 'The help, made from the table of keys'
keys main q
wait_screen main 'keys: prompt'
keys main C-q
wait_screen main 'once more ends the console'
keys main C-q
console_status main >/dev/null

terminal_start lines "$size" env TERM=dumb "$e2e_build/assent" --plain --policy untrusted -c guard_time=0
wait_screen lines 'in plain lines'
client four -- touch plain
wait_screen lines 'Answer for c1:'
picture plain "$size" 'The same request in plain lines, for screen readers' lines
typed lines 'd'
keys lines Enter
client_status four >/dev/null
typed lines ':quit'
keys lines Enter
console_status lines >/dev/null
