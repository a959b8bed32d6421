#!/bin/sh
# SPDX-License-Identifier: MIT
# An installed tree works, also when it was moved as a whole, and speaks German.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin
prefix=$(sed -n 's/^prefix = //p' "$e2e_build/Makefile")
root=$e2e_dir/root

installed() {
    e2e_run "$root$prefix/bin/assent" "$@"
}

installs_everything() {
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C "$e2e_build" -s install DESTDIR="$root" \
        >"$e2e_dir/install.log" 2>&1 || {
        tail "$e2e_dir/install.log" >&2
        exit 1
    }
    for file in bin/assent libexec/assent/assent-sandbox libexec/assent/assent-tool \
        share/man/man1/assent.1 share/assent/demo-agent share/assent/assent.conf \
        share/bash-completion/completions/assent share/zsh/site-functions/_assent \
        share/fish/vendor_completions.d/assent.fish; do
        test -e "$root$prefix/$file" || test_fail "not installed: $file"
    done
    languages=$(sed '/^#/d' "$srcdir/po/LINGUAS")
    for language in $languages; do
        file=share/locale/$language/LC_MESSAGES/assent.mo
        test -e "$root$prefix/$file" || test_fail "not installed: $file"
    done
}

finds_its_programs_where_it_was_moved() {
    installed config | grep -q '^theme = '
    mv "$root$prefix/libexec" "$root$prefix/elsewhere"
    status=0
    installed config 2>"$e2e_dir/message" || status=$?
    test "$status" = 125
    grep -q 'the program assent-tool is missing in' "$e2e_dir/message"
    mv "$root$prefix/elsewhere" "$root$prefix/libexec"
}

# Neither PATH nor a program beside the caller's files may stand in for one of ours.
takes_no_program_from_path() {
    mkdir "$e2e_dir/bin"
    printf '#!/bin/sh\necho fooled\n' >"$e2e_dir/bin/assent-tool"
    chmod +x "$e2e_dir/bin/assent-tool"
    cp "$e2e_dir/bin/assent-tool" "$e2e_work/assent-tool"
    cd "$e2e_work"
    e2e_env=PATH=$e2e_dir/bin:$PATH
    installed config >"$e2e_dir/shown"
    grep -q '^theme = ' "$e2e_dir/shown"
}

speaks_german() {
    e2e_env=LANGUAGE=de
    installed --help | grep -q '^Aufruf: assent'
    installed config | grep -q '^theme = auto # Vorgabe$'
}

# german_asks FIRST-ROW: the request is shown, and nothing of it is in English.
german_asks() {
    wait_screen german "┃ $1"
    wait_screen german 'Läuft unter'
    screen german | grep -v / >"$e2e_dir/overlay" # the words of a path may be anybody's
    if grep -wnE 'the|is|it|its|and|of|not|with|to|from|asks|may|you|your|command|runs|under|no|first|again' \
        "$e2e_dir/overlay" >&2; then
        cat "$e2e_dir/overlay" >&2
        exit 1
    fi
}

german_key_has_worked() {
    screen_has german 'Enter bestätigt' || screen_has german 'OHNE sie nochmals ausführen?'
}

asks_in_german() {
    e2e_env=LANGUAGE=de
    terminal_start german 100x40 "$root$prefix/bin/assent" --policy untrusted -c guard_time=0
    wait_screen german 'Tasten: '
    client one -- tee "$e2e_dir/home/draußen"
    german_asks 'tee '
    wait_screen german 'er ist keiner der Befehle, die ungefragt laufen'
    wait_screen german '(Netz fragt'
    keys german y
    # Whether it takes Enter as well depends on where this directory lies.
    wait_for 'what y does' german_key_has_worked
    ! screen_has german 'Enter bestätigt' || keys german Enter
    wait_screen german 'OHNE sie nochmals ausführen?'
    german_asks 'tee '
    wait_screen german 'Exit-Status 1 nach '
    wait_screen german 'ohne Sandbox: Er kann alles, was Sie können'
    keys german d
    client_ends one 77
    # Protocol and record are for programs.
    grep -q '"reason": *"it is none of the commands that run unasked' "$e2e_dir"/state/assent/sessions/*
    grep -q '"under": *"workspace-write (network asks' "$e2e_dir"/state/assent/sessions/*
    client one -- rm -rf "$e2e_work/nichts"
    german_asks 'rm -rf '
    keys german d
    client_ends one 77
    client one --escalate -- ln -s x "$e2e_work/link"
    german_asks 'ln -s x '
    keys german d
    client_ends one 77
    console_stop german
}

test_case installs_everything
test_case finds_its_programs_where_it_was_moved
test_case takes_no_program_from_path
test_case speaks_german
test_case asks_in_german
e2e_end
