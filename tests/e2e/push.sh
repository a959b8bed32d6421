#!/bin/sh
# SPDX-License-Identifier: MIT
# What git sends and takes away. Of a push to a repository beside the workspace its own words are all
# that tells of the sandbox.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

commit() {
    git -C "$e2e_work" -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m "$1"
}

starts() {
    git init -q "$e2e_work"
    commit first
    git init -q --bare "$e2e_dir/home/x.git"
    console_open main 120x30 -c guard_time=0
}

pushed() {
    test -n "$(git -C "$e2e_dir/home/x.git" for-each-ref)"
}

what_the_sandbox_stopped_is_named() {
    client push -- git push "$e2e_dir/home/x.git" HEAD:refs/heads/m
    wait_screen main 'stopped by the sandbox. Run it again'
    wait_screen main 'home/x.git'
    if pushed; then return 1; fi
    confirm main y
    client_ends push 0
    pushed
}

# Its tail ends well, and all that is left of the push are git's last words.
the_tail_of_a_stopped_push_is_told() {
    local_push="git push '$e2e_dir/home/x.git' HEAD:refs/heads/tail 2>&1 | tail -3"
    unasked main
    client tail -- bash -c "$local_push"
    client_ends tail 0
    grep -q "nothing says that its push went through.*$e2e_dir/home/x.git" "$e2e_dir/tail.err"
    wait_screen main 'done, but the sandbox may have stopped its push to'
    client tail -- bash -c "set -o pipefail; $local_push"
    wait_screen main 'stopped by the sandbox. Run it again'
    wait_screen main 'home/x.git'
    keys main d
    client_ends tail 77
    if git -C "$e2e_dir/home/x.git" rev-parse -q --verify refs/heads/tail; then return 1; fi
}

# Nothing is left of git's words, and nothing went there.
a_stopped_push_without_words_is_told() {
    unasked main
    client mute -- bash -c "git push '$e2e_dir/home/x.git' HEAD:refs/heads/mute >/dev/null 2>&1 || true"
    client_ends mute 0
    grep -q "nothing says that its push went through.*$e2e_dir/home/x.git" "$e2e_dir/mute.err"
    if git -C "$e2e_dir/home/x.git" rev-parse -q --verify refs/heads/mute; then return 1; fi
}

# Git names the lock of the branch, which is in the repository: that can be given, and nothing else.
a_branch_that_cannot_be_deleted_has_a_path() {
    git -C "$e2e_work" push -q "$e2e_dir/home/x.git" HEAD:refs/heads/topic
    for branch in topic m; do
        unasked main
        client push -- git push -d "$e2e_dir/home/x.git" "$branch"
        wait_screen main 'Deletes what others have pushed'
        confirm main y
        wait_screen main 'stopped by the sandbox. Run it again'
        wait_screen main "may write all in $e2e_dir/home/x.git"
        confirm main w
        client_ends push 0
    done
    if pushed; then return 1; fi
    git -C "$e2e_work" push -q "$e2e_dir/home/x.git" HEAD:refs/heads/m
}

# Which branch, and of which repository; that is a directory, which has no host.
what_a_forced_push_rewrites_is_told() {
    git -C "$e2e_work" branch -M main
    git -C "$e2e_work" remote add origin "$e2e_dir/home/x.git"
    commit second
    client push -- git push --force origin HEAD~1:refs/heads/m
    wait_screen main 'Rewrites what others have pushed: HEAD~1 -> refs/heads/m of origin'
    wait_screen main 'runs it in the sandbox, which'
    screen_lacks main 'may use the network'
    screen_lacks main 'but no host'
    wait_screen main 'nothing was ever fetched from there'
    wait_screen main 'at most 1 commit: '
    keys main d
    client_ends push 77
}

# Git is asked, where the repository's own settings can make nothing of it.
what_a_forced_push_takes_away_is_told() {
    git -C "$e2e_work" push -q origin main:m
    git -C "$e2e_work" reset -q --hard HEAD~1
    commit 'a better second'
    git -C "$e2e_work" config log.showSignature true
    git -C "$e2e_work" config core.fsmonitor "$e2e_dir/ran"
    git -C "$e2e_work" config core.pager "touch '$e2e_work/paged'"
    printf '#!/bin/sh\ntouch "%s/mark"\n' "$e2e_work" >"$e2e_dir/ran"
    chmod +x "$e2e_dir/ran"
    client push -- git push --force origin main:m
    wait_screen main "1 commit as last fetched: $(git -C "$e2e_work" rev-parse --short origin/m) second"
    keys main v
    wait_screen main 'everything about'
    typed main '/Lost there'
    keys main Enter
    wait_screen main '1 commit as last fetched; other branches'
    wait_screen main 'a better second'
    keys main q
    wait_screen main 'May it run'
    keys main d
    client_ends push 77
    client push -- git push origin :m
    wait_screen main 'Deletes what others have pushed: m of origin'
    wait_screen main "1 commit as last fetched: $(git -C "$e2e_work" rev-parse --short origin/m) second"
    keys main d
    client_ends push 77
    git -C "$e2e_work" -c core.fsmonitor=false checkout -q -b topic
    commit 'a topic'
    rm -f "$e2e_work/mark"
    client push -- git push -f origin topic
    wait_screen main '2 commits as last fetched: '
    keys main d
    client_ends push 77
    git -C "$e2e_work" -c core.fsmonitor=false checkout -q main
    test ! -e "$e2e_work/mark" && test ! -e "$e2e_work/paged"
}

# What agents can write beside the branches makes no commit disappear.
nothing_hides_what_a_forced_push_takes_away() {
    work() { git -C "$e2e_work" "$@"; }
    there=$(work rev-parse origin/m)
    lost="1 commit as last fetched: $(work rev-parse --short origin/m) second"
    work config i18n.logOutputEncoding UTF-16
    work config core.warnAmbiguousRefs false
    work config advice.graftFileDeprecated false
    work replace main "$(git -C "$e2e_work" -c user.name=a -c user.email=a@example.com \
        commit-tree -p "$there" -m x 'main^{tree}')"
    work tag main "$there"
    mkdir -p "$e2e_work/.git/info"
    echo "$(work rev-parse refs/heads/main) $there" >"$e2e_work/.git/info/grafts"
    work config branch.main.remote origin
    work config push.default current
    work update-ref refs/remotes/origin/main "$there"
    client push -- git push --force
    wait_screen main "$lost"
    keys main d
    client_ends push 77
    client push -- git push -v --force origin main:m
    wait_screen main "git says: warning: refname 'main' is ambiguous"
    keys main d
    client_ends push 77
    work tag -d main
    work replace -d main
    rm "$e2e_work/.git/info/grafts"
}

# That ends well, and git says that a device is busy: what is not set is told in words of ours.
tracking_that_is_not_set_is_told() {
    rm -rf "$e2e_work/inside.git"
    git init -q --bare "$e2e_work/inside.git"
    git -C "$e2e_work" remote add inside "$e2e_work/inside.git"
    client push -- git push -u inside main
    client_ends push 0
    grep -q 'could not write config file' "$e2e_dir/push.err"
    grep -q 'the sandbox keeps .git/config read-only' "$e2e_dir/push.err"
    wait_screen main 'the sandbox keeps .git/config read-only'
    wait_screen main 'inside/main in your own terminal'
    client push -- git status
    client_ends push 0
    if grep -q 'keeps .git/config' "$e2e_dir/push.err"; then return 1; fi
}

# … and of a branch that goes, here and there, nothing is left to be set.
what_stays_of_a_deleted_branch_is_told() {
    git -C "$e2e_work" branch fix
    git -C "$e2e_work" config branch.fix.description x
    git -C "$e2e_work" push -q inside fix
    client push -- bash -c 'git branch -d fix && git push inside --delete fix'
    wait_screen main 'Deletes what others have pushed: fix of inside'
    confirm main y
    client_ends push 0
    wait_screen main 'settings of the branch stay in .git/config, read-only here: no harm'
    screen_lacks main 'tracking is not set'
    test -z "$(git -C "$e2e_work" ls-remote inside fix)"
}

# It is asked in the sandbox, and what it says leaves everything as it was.
what_is_thrown_away_is_told() {
    mkdir "$e2e_work/made"
    touch "$e2e_work/made/x" "$e2e_work/notes.txt"
    client clean -- bash -c 'git clean -fdq'
    wait_screen main 'Would take'
    wait_screen main 'made/ (1 file, 0 bytes); '
    wait_screen main 'notes.txt'
    test -e "$e2e_work/made/x"
    keys main d
    client_ends clean 77
    test -e "$e2e_work/notes.txt"
    mkdir "$e2e_dir/home/stuff"
    client clean -- rm -rf "$e2e_dir/home/stuff" made none
    wait_screen main '; rest: 1 not in git: made/ (1'
    keys main d
    client_ends clean 77
    client clean -- git -C "$e2e_work/nowhere" reset --hard
    wait_screen main 'not known here; git says: fatal'
    keys main d
    client_ends clean 77
}

ends() {
    quits main
    test "$(console_status main)" = 0
}

test_case starts
test_case what_the_sandbox_stopped_is_named
test_case the_tail_of_a_stopped_push_is_told
test_case a_stopped_push_without_words_is_told
test_case a_branch_that_cannot_be_deleted_has_a_path
test_case what_a_forced_push_rewrites_is_told
test_case what_a_forced_push_takes_away_is_told
test_case nothing_hides_what_a_forced_push_takes_away
test_case tracking_that_is_not_set_is_told
test_case what_stays_of_a_deleted_branch_is_told
test_case what_is_thrown_away_is_told
test_case ends
e2e_end
