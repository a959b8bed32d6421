/* SPDX-License-Identifier: MIT */
/*
 * Prefixes that an operator allowed, and commands that begin so and do more than that says. Each is
 * tried on the real tool first, where it is there: it leaves a mark. Then it must be asked about
 * under `untrusted`, and what the prefix was allowed for must not.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "judge_fixture.h"
#include "tree_fixture.h"

struct place {
    char *base, *root;
};

static int shell(const struct place *place, const char *script)
{
    cleanup_free char *command =
        xasprintf("cd '%s' && HOME='%s/home' GIT_CONFIG_NOSYSTEM=1 TMUX= TMUX_TMPDIR='%s' && "
                  "export HOME GIT_CONFIG_NOSYSTEM TMUX TMUX_TMPDIR && {\n%s\n} "
                  ">'%s/out' 2>&1 </dev/null",
                  place->root, place->base, place->base, script, place->base);
    return system(command);
}

static int set_up(void **state)
{
    struct place *place = XNEW(struct place);
    *state = place;
    place->base = tree_new();
    place->root = xasprintf("%s/project", place->base);
    tree_write(place->base, "home/.keep", "", 0644);
    tree_write(place->base, "project/in", "one\n", 0644);
    tree_write(place->base, "project/tool", "#!/bin/sh\ntouch mark\n", 0755);
    tree_write(place->base, "project/x.js", "require('fs').writeFileSync('mark', '')\n", 0644);
    tree_write(place->base, "project/other.mk", "test:\n\ttouch mark\n", 0644);
    tree_write(place->base, "project/Makefile", "test:\n", 0644);
    return shell(place, "git init -q . && git config user.name a && git config user.email a && "
                        "git add in && git commit -qm one && echo 2 >>in && git stash -q && "
                        "git init -q --bare ../far && git init -q nested && "
                        "git -C nested config core.fsmonitor 'touch ../mark'");
}

static int tear_down(void **state)
{
    struct place *place = *state;
    int result = tree_remove(place->base);
    free(place->root);
    free(place);
    return result;
}

/* Is it asked about, with an allow of these words? Nothing is where the program is missing. */
static enum requirement_kind judge(const struct place *place, const char *rule, const char *script,
                                   bool *installed)
{
    struct judgement judgement;
    cleanup_free char *rules =
        *rule != '\0' ? xasprintf("prefix_rule([%s], sandbox=\"keep\")\n", rule) : xstrdup("");
    judge_script(
        &(struct judge_case){
            .root = place->root, .policy = "untrusted", .rules = rules, .script = script},
        &judgement, NULL);
    enum requirement_kind kind = judgement.requirement.kind;
    *installed = true;
    for (size_t i = 0; i < judgement.count; i++)
        *installed = *installed && (judgement.parts[i].hidden || judgement.parts[i].installed);
    judgement_clear(&judgement);
    return kind;
}

/* tmux may end what a format starts together with the client that asked for it: tried again. */
static bool leaves_a_mark(const struct place *place, const char *script)
{
    bool left = false;
    shell(place, "rm -f mark");
    for (int i = 0; i < 50 && !left; i++) {
        shell(place, script);
        left = shell(place, "for i in 1 2 3 4 5; do test -e mark && rm mark && exit 0; "
                            "sleep 0.1; done; exit 1") == 0;
    }
    return left;
}

/* Not every tool is on every machine. */
static bool is_installed(const struct place *place, const char *script)
{
    cleanup_free char *command = xasprintf("command -v %.*s", (int)strcspn(script, " "), script);
    return shell(place, command) == 0;
}

static const struct {
    const char *rule, *script;
    const char *meant; /* what the rule was made for */
    bool tried;        /* on the real tool; without network or builds of others' it cannot be */
} rows[] = {
    /* what seemed to be the script is a file when one comes as an option */
    {"\"sed\", \"-n\"", "sed -n p -e 'w mark' in", "sed -n p in", true},
    {"\"sed\"", "sed p in -ne 'w mark'", "sed -e 1p -e 2p in", true},
    {"\"sed\"", "sed p in --expression='w mark'", "sed -n -e 's/a/b/' in", true},
    /* one letter is enough */
    {"\"git\", \"push\"", "git push --e=./tool ../far HEAD:main", "git push ../far main", true},
    {"\"make\", \"test\"", "make test --f=other.mk", "make test", true},
    /* every subcommand that prints commits writes them as well */
    {"\"git\", \"reflog\"", "git reflog --output=mark", "git reflog -3", true},
    {"\"git\", \"rev-list\"", "git rev-list HEAD --output=mark", "git rev-list HEAD", true},
    {"\"git\", \"stash\", \"list\"", "git stash list -- --output=mark", "git stash list", true},
    {"\"git\", \"init\"", "mkdir -p hooks && git init --template=. sub", "git init sub", false},
    /* behind what only says when it runs */
    {"\"timeout\", \"9\", \"git\", \"log\"", "timeout 9 git log --output=mark", "timeout 9 git log",
     true},
    /* a repository of the agent's own */
    {"\"git\", \"status\"", "cd ./nested && git status", "git status", true},
    /* what runs its words outside of the sandbox */
    {"\"tmux\", \"list-panes\"", "tmux list-panes -a ';' run-shell 'touch mark'",
     "tmux list-panes -a -F '#{pane_id}'", true},
    {"\"tmux\", \"list-panes\"", "tmux list-panes -a -F '#(touch ~/../project/mark)'",
     "tmux list-panes", true},
    {"\"node\", \"--check\"", "node --check -r ./x.js x.js", "node --check x.js", true},
    {"\"tar\"", "tar cIf ./tool mark.tar in", "tar cf x.tar in", true},
    {"\"tar\"", "tar cFf ./tool mark.tar in", "tar tf x.tar", false},
    {"\"go\", \"build\"", "go build --toolexec=./tool ./...", "go build ./...", false},
    {"\"go\", \"env\"", "go env -w GOFLAGS=-toolexec=./tool", "go env GOFLAGS", false},
    {"\"cmake\"", "cmake -E touch mark", "cmake -B build -DCMAKE_BUILD_TYPE=Debug", true},
    {"\"cmake\"", "cmake -P x.cmake", "cmake -S . -B build", false},
    {"\"curl\"", "curl -s --dump-header mark file:///dev/null", "curl -s file:///dev/null", true},
    {"\"curl\"", "curl -sc mark file:///dev/null", "curl -sS file:///dev/null", true},
    {"\"tree\"", "tree -R -L 1", "tree -L 1", false},
};

static void what_does_more_is_asked_about(void **state)
{
    const struct place *place = *state;
    shell(place, "tmux -f /dev/null new -d 'sleep 60'");
    for (size_t i = 0; i < COUNT(rows); i++) {
        bool there, meant_there;
        bool asked = judge(place, rows[i].rule, rows[i].script, &there) != REQUIREMENT_SKIP;
        bool meant = judge(place, rows[i].rule, rows[i].meant, &meant_there) == REQUIREMENT_SKIP;
        bool harm = !rows[i].tried || !there || !is_installed(place, rows[i].script) ||
                    leaves_a_mark(place, rows[i].script);
        if (!harm || !asked || (meant_there && !meant))
            print_error("%s: harm %d, asked %d, meant %d\n", rows[i].script, harm, asked, meant);
        assert_true(harm);
        assert_true(asked);
        assert_true(meant || !meant_there);
    }
    shell(place, "tmux kill-server");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_more_is_asked_about),
    };
    return cmocka_run_group_tests_name("prefixes", tests, set_up, tear_down);
}
