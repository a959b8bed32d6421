# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# End-to-end tests: real programs in a real terminal (tmux on a socket of its own), in a home, a
# configuration and a workspace that exist for one script.
#
#   . "${srcdir:-.}/tests/e2e/lib.sh"
#   e2e_begin
#   asks_before_it_removes() {
#       console_start main 80x24
#       agent -- rm -rf x >"$e2e_dir/out" &
#       wait_screen main 'rm -rf x'
#       keys main d
#       wait_for 'the file is still there' test -e "$e2e_work/x"
#       console_stop main
#   }
#   test_case asks_before_it_removes
#   e2e_end
#
# Nothing sleeps for a fixed time: wait_for and wait_screen poll a condition until a deadline.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"

e2e_build=$PWD
e2e_deadline=${E2E_DEADLINE:-120} # seconds that a condition may take at most

# Makes the place: $e2e_dir with home, conf, state, run (XDG directories) and $e2e_work, the
# workspace. It lies in the build directory because /tmp is writable for sandboxed commands.
e2e_begin() {
    test_need tmux
    e2e_dir=$(mktemp -d "$e2e_build/e2e.XXXXXX") || exit 1
    trap e2e_cleanup EXIT
    trap 'exit 1' HUP INT TERM
    e2e_work=$e2e_dir/work
    mkdir "$e2e_dir/home" "$e2e_dir/conf" "$e2e_dir/conf/assent" "$e2e_dir/state" "$e2e_work" "$e2e_dir/tmp"
    mkdir -m 700 "$e2e_dir/run" "$e2e_dir/state/assent"
    : >"$e2e_dir/state/assent/introduced" # nobody here is new to it
    srcdir=$(cd "$srcdir" && pwd)
}

e2e_tmux() {
    env -u TMUX -u TMUX_PANE tmux -S "$e2e_dir/tmux" -f /dev/null "$@"
}

# Runs a program in an environment of its own. $e2e_env adds NAME=VALUE words without spaces.
e2e_run() {
    # shellcheck disable=SC2086 # words
    env -i PATH="$PATH" HOME="$e2e_dir/home" USER=tester SHELL=/bin/sh TERM="${e2e_term:-tmux-256color}" \
        LC_ALL=C.UTF-8 TMPDIR="$e2e_dir/tmp" XDG_CONFIG_HOME="$e2e_dir/conf" \
        XDG_STATE_HOME="$e2e_dir/state" XDG_RUNTIME_DIR="$e2e_dir/run" \
        ASAN_OPTIONS="${ASAN_OPTIONS-}" UBSAN_OPTIONS="${UBSAN_OPTIONS-}" ${e2e_env-} "$@"
}

assent() {
    e2e_run "$e2e_build/assent" "$@"
}

# agent [OPTION…] -- COMMAND…: a client in the workspace, or in $e2e_cwd.
agent() {
    (cd "${e2e_cwd:-$e2e_work}" && assent exec "$@")
}

# client NAME [OPTION…] -- COMMAND…: such a client in the background. Its output goes to
# $e2e_dir/NAME.out and NAME.err; client_status waits for its exit status.
client() {
    client_name=$1
    shift
    rm -f "$e2e_dir/$client_name.exit"
    (
        set +e
        agent "$@" </dev/null >"$e2e_dir/$client_name.out" 2>"$e2e_dir/$client_name.err"
        echo $? >"$e2e_dir/$client_name.new"
        mv "$e2e_dir/$client_name.new" "$e2e_dir/$client_name.exit"
    ) &
}

client_status() {
    wait_for "the end of client $1" test -e "$e2e_dir/$1.exit" && cat "$e2e_dir/$1.exit"
}

# client_ends NAME STATUS: fails unless it ends with that status; says what it wrote.
client_ends() {
    client_code=$(client_status "$1") || return 1
    test "$client_code" = "$2" || {
        printf 'client %s: exit status %s, not %s\n' "$1" "$client_code" "$2" >&2
        cat "$e2e_dir/$1.err" >&2
        return 1
    }
}

client_waits() {
    test ! -e "$e2e_dir/$1.exit"
}

# ---- waiting -----------------------------------------------------------------------------------

# wait_for WHAT COMMAND…: until the command succeeds; fails after the deadline and says what it
# waited for. After a failed test case a short deadline does: what follows may well hang on it.
wait_for() {
    wait_what=$1
    shift
    [ -z "$test_failed" ] || e2e_deadline=3
    wait_end=$(($(date +%s) + e2e_deadline))
    # The longer it has taken, the less often we look: looking costs others their time.
    wait_pauses='0.02 0.02 0.05 0.05 0.1 0.1 0.2'
    until "$@" >/dev/null 2>&1; do
        sleep "${wait_pauses%% *}"
        wait_pauses=${wait_pauses#* }
        if [ "$wait_pauses" = 0.2 ] && [ "$(date +%s)" -ge "$wait_end" ]; then
            printf 'waited %d s for: %s\n' "$e2e_deadline" "$wait_what" >&2
            return 1
        fi
    done
}

screen_has() {
    screen "$1" | grep -qF -e "$2"
}

screen_lacks() {
    ! screen_has "$@"
}

# wait_screen NAME TEXT: until a row of that console's screen holds the text. The screen may be caught
# half painted: what stands beside something that was waited for is waited for as well.
wait_screen() {
    wait_for "\"$2\" on the screen" screen_has "$1" "$2" || {
        screen "$1" >&2
        return 1
    }
}

# wait_text NAME TEXT: the same for a text of a view that may be broken into rows, where blanks do
# not count.
text_has() {
    text_wanted=$(printf '%s' "$2" | tr -d ' ')
    case $(screen "$1" | sed -nE 's/^.*│ (┃|↳) (.*)│ *$/\2/p' | sed 's/↳//' | tr -d ' \n') in
    *"$text_wanted"*) ;;
    *) return 1 ;;
    esac
}

wait_text() {
    wait_for "\"$2\" on the screen" text_has "$1" "$2" || {
        screen "$1" >&2
        return 1
    }
}

wait_no_screen() {
    wait_for "no \"$2\" on the screen" screen_lacks "$1" "$2" || {
        screen "$1" >&2
        return 1
    }
}

# Blanks do not count: a long command, or a place of long name, is broken into rows.
asking() {
    screen_has "$1" 'asks. May ' || return 1
    asking_for=$(printf '%s' "$2" | tr -d ' ')
    case $(screen "$1" | sed -nE 's/^.*(┃|↳) //p' | sed 's/ *│ *$//' | tr -d ' \n') in
    *"$asking_for"*) ;;
    *) return 1 ;;
    esac
}

# asked NAME COMMAND: that console shows the request for it, on however many rows.
asked() {
    wait_for "the request for $2" asking "$@" || {
        screen "$1" >&2
        return 1
    }
}

# No request is on the screen of that console. Where the same is asked again, this stands before, so
# that the request which has just been answered is not taken for the next one.
unasked() {
    wait_no_screen "$1" ' May it ' && wait_no_screen "$1" 'Run it again'
}

# ---- consoles ----------------------------------------------------------------------------------

# console_start NAME COLUMNSxROWS ARGUMENT…: `assent ARGUMENT…` in a terminal of that size, in the
# workspace, or in $e2e_cwd. Its exit status will be in $e2e_dir/NAME.status.
console_start() {
    name=$1
    size=$2
    shift 2
    rm -f "$e2e_dir/$name.status"
    terminal_start "$name" "$size" "$e2e_build/assent" "$@"
}

# As console_start, and waits until it can be used.
console_open() {
    console_start "$@"
    wait_screen "$1" ' keys: '
}

# terminal_start NAME COLUMNSxROWS COMMAND…: any command, as above.
terminal_start() {
    name=$1
    size=$2
    shift 2
    # tmux joins its words with spaces and gives them to a shell: hand them over in a script.
    {
        printf '#!/bin/sh\n'
        # A server that runs already has the environment that it was started in.
        [ -z "${e2e_env-}" ] || printf 'env %s ' "$e2e_env"
        for word; do
            printf '%s' "$word" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/' /"
        done
        printf "\necho \$? >'%s/%s.new' && mv '%s/%s.new' '%s/%s.status'\n" \
            "$e2e_dir" "$name" "$e2e_dir" "$name" "$e2e_dir" "$name"
    } >"$e2e_dir/$name.script"
    (
        cd "${e2e_cwd:-$e2e_work}" || exit 1
        e2e_run env -u TMUX tmux -S "$e2e_dir/tmux" -f /dev/null \
            set-option -g remain-on-exit on \; set-option -g status off \; \
            set-option -g default-terminal "${e2e_term:-tmux-256color}" \; \
            set-option -s escape-time 0 \; set-option -s exit-empty off \; \
            new-session -d -s "$name" -x "${size%x*}" -y "${size#*x}" "sh '$e2e_dir/$name.script'"
    )
}

# The text on a console's screen. With -e the colours too.
screen() {
    if [ "$1" = -e ]; then
        e2e_tmux capture-pane -p -e -t "$2"
    else
        e2e_tmux capture-pane -p -t "$1"
    fi
}

# keys NAME KEY…: as tmux names them (y, Enter, Escape, C-a). typed NAME TEXT: letter by letter.
keys() {
    key_target=$1
    shift
    e2e_tmux send-keys -t "$key_target" "$@"
}

# In words of the answer, or of what ends with it.
confirm_is_asked() {
    screen_has "$1" 'Enter confirms: ' || screen_has "$1" 'Enter: deny, and end '
}

# confirm NAME KEY: an answer that takes Enter as well, once that is asked for.
confirm() {
    keys "$1" "$2"
    # A call that comes while it asks takes the question back.
    for confirm_wait in 1 2 3 4 5 6 7 8 9 10; do
        sleep 0.5
        ! confirm_is_asked "$1" || break
        [ "$confirm_wait" != 6 ] || keys "$1" "$2"
    done
    wait_for 'what Enter does' confirm_is_asked "$1"
    keys "$1" Enter
}

typed() {
    e2e_tmux send-keys -t "$1" -l "$2"
    # An Enter in one piece with a command that changes something would not count.
    case $2 in
    :*) if screen_has "$1" ' keys: '; then wait_screen "$1" "> $2"; fi ;;
    esac
}

# written NAME TEXT: the same, and waits until it stands there: an Enter that comes in one piece with
# what it sends would not count.
written() {
    typed "$1" "$2"
    wait_screen "$1" "$2"
}

# twice NAME KEY WORDS: a key that asks with those words, and then does it.
twice() {
    keys "$1" "$2"
    wait_screen "$1" "$3"
    keys "$1" "$2"
}

# The operator ends console $1.
quits() {
    twice "$1" C-q 'once more ends the console'
}

resize() {
    e2e_tmux resize-window -t "$1" -x "${2%x*}" -y "${2#*x}"
}

# The operator of console main lets be asked again for what was denied.
forget_denials() {
    typed main ':forget all'
    keys main Enter
    wait_screen main 'what you denied may be asked again'
}

# The exit status of a console that ends by itself; waits for it.
console_status() {
    wait_for "the end of $1" test -e "$e2e_dir/$1.status" && cat "$e2e_dir/$1.status"
}

# Closes the terminal of a console (SIGHUP) and waits until its processes are gone.
console_stop() {
    e2e_tmux kill-session -t "$1" 2>/dev/null
    all_ended
}

headless_listens() {
    set -- "$e2e_dir"/run/assent/*.sock
    test -S "$1" && headless_pid=$(basename "$1" .sock)
}

# headless_start: `assent --headless` in the workspace, in the background, until it can be asked. Its
# process is $headless_pid, what it says is in $e2e_dir/headless.log. It ends
# with headless_stop, or when the test case fails.
headless_start() {
    (cd "$e2e_work" && assent --headless </dev/null >"$e2e_dir/headless.log" 2>&1) &
    wait_for 'the console' headless_listens || {
        cat "$e2e_dir/headless.log" >&2
        return 1
    }
    trap headless_abort EXIT
}

headless_abort() {
    kill "$headless_pid" 2>/dev/null
    wait_for 'the end of the console' test ! -e "$e2e_dir/run/assent/$headless_pid.sock"
}

headless_stop() {
    kill "$headless_pid"
    all_ended
    trap - EXIT
}

# ---- processes ---------------------------------------------------------------------------------

# Process ids that belong to this test: their home is ours. tmux itself does not count. The sandbox's
# helper, which cleans up behind a command, has no environment: it is known by where it works.
e2e_processes() {
    grep -lzxF "HOME=$e2e_dir/home" /proc/[0-9]*/environ 2>/dev/null | while read -r environ; do
        pid=${environ#/proc/}
        pid=${pid%/environ}
        grep -q '^tmux' "/proc/$pid/comm" 2>/dev/null || echo "$pid"
    done
    pgrep -x assent-sandbox | while read -r pid; do
        case $(readlink "/proc/$pid/cwd") in "$e2e_dir"/*) echo "$pid" ;; esac
    done
}

# Those of them whose command line fits a pattern (of grep).
e2e_matching() {
    for pid in $(e2e_processes); do
        if tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -q -e "$1"; then
            echo "$pid"
        fi
    done 2>/dev/null # processes end while we look
}

# Is there one? '^sleep 100' is the command itself, and not who asked for it.
e2e_running() {
    [ -n "$(e2e_matching "$1")" ]
}

e2e_not_running() {
    ! e2e_running "$1"
}

e2e_quiet() {
    [ -z "$(e2e_processes)" ]
}

# Waits until nothing of this test runs any more; else says what does, and what it waits for.
all_ended() {
    wait_for 'the end of all processes' e2e_quiet && return
    for pid in $(e2e_processes); do
        echo "$pid $(tr '\0' ' ' <"/proc/$pid/cmdline") ($(cat "/proc/$pid/wchan"))"
        grep -e '^State' -e '^PPid' -e '^Sig' "/proc/$pid/status"
        readlink "/proc/$pid/fd/"*
    done >&2 2>/dev/null
    return 1
}

test_after_failure() {
    e2e_tmux kill-server 2>/dev/null
    for pid in $(e2e_processes); do
        kill -KILL "$pid" 2>/dev/null
    done
}

e2e_cleanup() {
    test_after_failure
    rm -rf "$e2e_dir"
}

# Every event that any of the scripts brings about is as the documentation says. Called before the
# record is thrown away, and at the end.
record_is_as_documented() {
    find "$e2e_dir" -name '*.jsonl' -path '*/assent/sessions*/*' -exec \
        python3 "$srcdir/tests/e2e/schema.py" "$srcdir/doc/session-log.md" {} +
}

# Throws the record away.
record_forget() {
    record_is_as_documented
    rm -rf "$e2e_dir/state/assent/sessions" "$e2e_dir/state/assent/anchors"
}

# Fails when a test left processes behind, then reports.
e2e_end() {
    nothing_is_left_running() {
        e2e_tmux kill-server 2>/dev/null || true
        all_ended
    }
    test_case nothing_is_left_running
    ! command -v python3 >/dev/null || test_case record_is_as_documented
    test_end
}
