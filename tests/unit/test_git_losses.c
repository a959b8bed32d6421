/* SPDX-License-Identifier: MIT */
/*
 * What commands of git take. Each is asked of the real git, and then run: what was told is what is
 * gone.
 */
#include "config.h"

#include "risk/git_losses.h"

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
#include "base/strbuf.h"
#include "base/text.h"
#include "tree_fixture.h"

struct place {
    char *base, *root;
};

/* What it prints; the caller frees. */
static char *shell(const struct place *place, const char *script)
{
    cleanup_free char *command =
        xasprintf("cd '%s' && export HOME='%s/home' LC_ALL=C && unset XDG_CONFIG_HOME && {\n%s\n}",
                  place->root, place->base, script);
    FILE *pipe = popen(command, "r");
    struct strbuf out = STRBUF_INIT;
    char bytes[4096];
    size_t length;
    assert_non_null(pipe);
    while ((length = fread(bytes, 1, sizeof(bytes), pipe)) > 0)
        strbuf_add(&out, bytes, length);
    if (pclose(pipe) != 0)
        fail_msg("%s", script);
    return strbuf_steal(&out);
}

static void run(const struct place *place, const char *script)
{
    free(shell(place, script));
}

/* Two commits, a changed file, a staged one, one that is not tracked, an ignored directory, a
 * stash, and a branch with a commit of its own. */
static int set_up(void **state)
{
    struct place *place = XNEW(struct place);
    *state = place;
    place->base = tree_new();
    place->root = xasprintf("%s/work", place->base);
    tree_write(place->base, "home/.keep", "", 0644);
    tree_write(place->base, "work/a", "one\n", 0644);
    tree_write(place->base, "work/sub/b c", "one\n", 0644);
    tree_write(place->base, "work/.gitignore", "out/\n", 0644);
    run(place, "git init -q -b main . && git config user.name a && git config user.email a &&"
               "git add . && git commit -qm one &&"
               "git switch -qc topic && git commit -q --allow-empty -m 'Of the topic' &&"
               "git switch -q main && echo two >a && git commit -qam two &&"
               "echo stashed >'sub/b c' && git stash -q &&"
               "echo three >a && echo three >'sub/b c' && git add sub &&"
               "mkdir out && touch new out/x sub/new");
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    tree_remove(place->base);
    free(place->root);
    free(place);
    return 0;
}

static void find(const char *line, struct git_losses *losses)
{
    git_losses_find((const char *const[]){"bash", "-lc", line, NULL}, losses);
}

/* As approval/git_query.h does. */
static char *filtered(enum git_loss_kind kind, char *lines)
{
    cleanup_free char *all = lines, *before = xstrdup("");
    struct strbuf kept = STRBUF_INIT;
    for (char *line = all, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        if (git_loss_keeps(kind, line, before))
            strbuf_addf(&kept, "%s\n", line);
        free(before);
        before = xstrdup(line);
    }
    return strbuf_steal(&kept);
}

/* Hashes are left out: "… ". */
static char *see(const struct place *place, struct git_loss *loss)
{
    struct strbuf command = STRBUF_INIT;
    strbuf_addstr(&command, "git -c core.quotePath=false ");
    text_quote_argv(&command, (const char *const *)loss->words);
    if (loss->kind == GIT_LOSES_COMMITS)
        strbuf_addstr(&command, " | sed 's/^[0-9a-f]* /… /'");
    if (loss->kind == GIT_LOSES_STASHES)
        strbuf_addstr(&command, " | sed 's/ [0-9a-f]\\{7,\\} / … /'");
    git_loss_see(loss, filtered(loss->kind, shell(place, strbuf_str(&command))));
    strbuf_free(&command);
    return loss->seen;
}

static void what_is_told_is_what_is_gone(void **state)
{
    static const struct {
        const char *line, *told[8]; /* "KIND:LINES"; the others have none */
        const char *gone;           /* exits well when it is, and all else is there */
    } rows[] = {
        {"git clean -fdxq",
         {"0:new\nout/\nsub/new\n"},
         "! test -e new && ! test -e out && ! test -e sub/new && test -e a"},
        {"git clean -fd", {"0:new\nsub/new\n"}, "! test -e new && test -e out"},
        {"git clean --quiet -f -e new", {"0:"}, "test -e new && test -e sub/new"},
        {"git -C sub clean -f 2>/dev/null", {"0:new\n"}, "test -e new && ! test -e sub/new"},
        {"cd ./sub && git clean -f", {"0:new\n"}, "test -e new && ! test -e sub/new"},
        {"cd sub && git clean -f", {"0:new\n"}, "test -e new && ! test -e sub/new"},
        {"git reset --hard",
         {"1:a\nsub/b c\n"},
         "test \"$(cat a)\" = two && test \"$(cat 'sub/b c')\" = one && test -e new"},
        {"git reset --hard HEAD~1 && git clean -f",
         {"1:a\nsub/b c\n", "4:", "0:", "2:… two\n", "5:", "6:", "0:new\nsub/new\n"},
         "test \"$(cat a)\" = one && ! test -e new"},
        {"git checkout -- .",
         {"1:a\n"},
         "test \"$(cat a)\" = two && git diff --cached | grep -q b"},
        {"git checkout .", {"1:a\n"}, "test \"$(cat a)\" = two"},
        {"git checkout HEAD -- 'sub/b c'", {"1:sub/b c\n"}, "test \"$(cat 'sub/b c')\" = one"},
        {"git checkout -f topic", {"1:a\nsub/b c\n"}, "test -z \"$(git status -s -uno)\""},
        {"git switch --discard-changes topic",
         {"1:a\nsub/b c\n"},
         "test -z \"$(git status -s -uno)\""},
        {"git restore a 'sub/b c'", {"1:a\n"}, "test \"$(cat a)\" = two"},
        {"git stash clear", {"3:stash@{0}: WIP on main: … two\n"}, "test -z \"$(git stash list)\""},
        {"git stash drop stash@{0}",
         {"3:stash@{0}: WIP on main: … two\n", "1:sub/b c\n"},
         "test -z \"$(git stash list)\""},
        {"git stash drop",
         {"3:stash@{0}: WIP on main: … two\n", "1:sub/b c\n"},
         "test -z \"$(git stash list)\""},
        {"git switch -C topic", {"2:… Of the topic\n"}, "! git log topic | grep 'Of the'"},
        {"git checkout -B topic main", {"2:… Of the topic\n"}, "! git log topic | grep 'Of the'"},
        {"git branch -f topic main", {"2:… Of the topic\n"}, "! git log topic | grep 'Of the'"},
        {"git branch -M main topic", {"2:… Of the topic\n"}, "! git log topic | grep 'Of the'"},
        {"git switch -C other", {"2:"}, "git log other"},
        {"git switch main && git branch -D topic", {"2:… Of the topic\n"}, "git log main"},
        {"git checkout topic -- a", {"1:a\n", "4:", "0:"}, "test \"$(cat a)\" = one"},
        {"git restore --source=HEAD~1 a", {"1:a\n", "4:", "0:"}, "test \"$(cat a)\" = one"},
        {"git restore -s topic -- a", {"1:a\n", "4:", "0:"}, "test \"$(cat a)\" = one"},
        {"git branch -D topic", {"2:… Of the topic\n"}, "test \"$(git branch)\" = '* main'"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_losses losses;
        tear_down(state);
        set_up(state);
        const struct place *place = *state;
        cleanup_free char *before = shell(place, "git status --short --ignored; git stash list");
        find(rows[i].line, &losses);
        for (size_t j = 0; j < COUNT(rows[i].told) && rows[i].told[j] != NULL; j++) {
            if (j >= losses.count)
                fail_msg("%s: %zu losses", rows[i].line, losses.count);
            cleanup_free char *told =
                xasprintf("%d:%s", (int)losses.list[j].kind, see(place, &losses.list[j]));
            if (strcmp(told, rows[i].told[j]) != 0)
                fail_msg("%s: %s", rows[i].line, told);
        }
        cleanup_free char *after = shell(place, "git status --short --ignored; git stash list");
        assert_string_equal(after, before);
        cleanup_free char *check = xasprintf("( %s\n) >&2 && %s", rows[i].line, rows[i].gone);
        run(place, check);
        git_losses_clear(&losses);
    }
}

/* … nor is what a tag or a remote has; but of two that go together neither holds what both have. */
static void what_others_have_stays(void **state)
{
    static const struct {
        const char *before, *line, *told;
    } rows[] = {
        {"git branch other topic", "git branch -D topic", ""},
        {"git branch other topic", "git branch -f topic main", ""},
        {"git branch other topic", "git branch -D topic other", "… Of the topic\n"},
        {"git branch topical topic", "git branch -D topic", ""},
        {"git tag t topic", "git branch -D topic", ""},
        {"git update-ref refs/remotes/x/topic topic", "git branch -D topic", ""},
        {"git switch -q --detach topic", "git branch -D topic", ""},
        {"true", "git branch -D topic", "… Of the topic\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_losses losses;
        tear_down(state);
        set_up(state);
        const struct place *place = *state;
        run(place, "git stash -q");
        run(place, rows[i].before);
        find(rows[i].line, &losses);
        assert_int_equal(losses.count, 1);
        if (strcmp(see(place, &losses.list[0]), rows[i].told) != 0)
            fail_msg("%s, %s: %s", rows[i].before, rows[i].line, losses.list[0].seen);
        git_losses_clear(&losses);
    }
}

/* A loss among what others can have changed is one all the same. */
static void that_it_cannot_be_said_is_known(void **state)
{
    static const struct {
        const char *line;
        bool known;
    } rows[] = {{"make && git clean -f", true},
                {"cd sub; git clean -f", true},
                {"git fetch; git reset --hard origin/main && make", true},
                {"make && git status", false},
                {"make", false},
                {"git clean -f", false},
                {"echo git clean -f", false}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_losses losses;
        find(rows[i].line, &losses);
        if ((losses.unknown != NULL) != rows[i].known)
            fail_msg("%s", rows[i].line);
        git_losses_clear(&losses);
    }
}

/* What hides from git's own list of changes, and is lost all the same. `before` makes it so. */
static void what_hides_is_told(void **state)
{
    static const struct {
        const char *before, *line, *told[7]; /* as above */
        const char *gone;
    } rows[] = {
        /* a file that the other commit has, and this one has not */
        {"git stash -q && git switch -q topic && echo x >'f g' && echo x >there && git add 'f g' "
         "there &&"
         "git commit -qm f && git switch -q main && echo mine >'f g'",
         "git reset --hard topic",
         {"1:", "4:", "0:f g\n", "2:… two\n"},
         "test \"$(cat 'f g')\" = x"},
        {"git stash -q && git switch -q topic && echo x >'f g' && echo x >there && git add 'f g' "
         "there &&"
         "git commit -qm f && git switch -q main && echo mine >'f g' && git stash pop -q",
         "cd ./sub && git checkout -f topic",
         {"1:a\nsub/b c\n", "4:", "0:f g\n"},
         "test \"$(cat 'f g')\" = x"},
        {"git stash -q && git switch -q topic && echo x >'f g' && git add 'f g' &&"
         "git commit -qm f && git switch -q main && mkdir 'f g' && >'f g/mine'",
         "git switch -f topic",
         {"1:", "4:", "0:f g\n"},
         "test \"$(cat 'f g')\" = x"},
        /* a file of which git was told that nobody changes it; of the others it leaves one alone */
        {"git checkout -q a && git update-index --assume-unchanged a && echo mine >a &&"
         "git update-index --skip-worktree .gitignore && echo mine >.gitignore",
         "git reset --hard",
         {"1:sub/b c\n", "4:a\n"},
         "test \"$(cat a)\" = two && test \"$(cat .gitignore)\" = mine"},
        {"git update-index --assume-unchanged a && echo mine >a",
         "git restore .",
         {"1:", "4:a\n"},
         "test \"$(cat a)\" = two"},
        {"git update-index --assume-unchanged a && echo mine >a",
         "cd ./sub && git checkout -- ../a",
         {"1:", "4:a\n"},
         "test \"$(cat a)\" = two"},
        /* another commit in the place of this one */
        {"git stash -q && echo mine >f && git replace HEAD $(git commit-tree -m x "
         "$(git ls-tree -r HEAD | { cat && printf '100644 blob %s\\tf\\n' $(git rev-parse HEAD:a);"
         "} | grep -v sub | git mktree))",
         "git reset --hard",
         {"1:f\nsub/b c\n", "4:"},
         "test \"$(cat f)\" = two"},
        /* in a stash: files that are not tracked, and what is in its index alone */
        {"git stash -q -u",
         "git stash drop",
         {"3:stash@{0}: WIP on main: … two\n", "1:a\nnew\nsub/b c\nsub/new\n"},
         "test $(git stash list | wc -l) = 1"},
        {"git stash -q && echo staged >a && git add a && echo two >a && git stash -q",
         "git stash drop 0",
         {"3:stash@{0}: WIP on main: … two\n", "1:"},
         "test $(git stash list | wc -l) = 2"},
        /* what is ignored, until it is not */
        {"echo '*' >.gitignore",
         "git checkout -- . && git clean -fd",
         {"1:.gitignore\na\n", "4:", "5:.gitignore\n", "6:"},
         "! test -e new"},
        {"git update-index --assume-unchanged .gitignore && echo '*' >.gitignore",
         "git reset --hard && git clean -fd",
         {"1:a\nsub/b c\n", "4:.gitignore\n", "5:", "6:.gitignore\n"},
         "! test -e new"},
        {"git stash -q && echo '*' >.gitignore && git commit -qam three",
         "git reset --hard HEAD~1 && git clean -fd",
         {"1:", "4:", "0:", "2:… three\n", "5:.gitignore\n"},
         "! test -e new"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_losses losses;
        tear_down(state);
        set_up(state);
        run(*state, rows[i].before);
        find(rows[i].line, &losses);
        for (size_t j = 0; j < COUNT(rows[i].told) && rows[i].told[j] != NULL; j++) {
            if (j >= losses.count)
                fail_msg("%s: %zu losses", rows[i].line, losses.count);
            cleanup_free char *told =
                xasprintf("%d:%s", (int)losses.list[j].kind, see(*state, &losses.list[j]));
            if (strcmp(told, rows[i].told[j]) != 0)
                fail_msg("%s: %s", rows[i].line, told);
        }
        cleanup_free char *check = xasprintf("( %s\n) >&2 && %s", rows[i].line, rows[i].gone);
        run(*state, check);
        git_losses_clear(&losses);
    }
}

/* For who wants to see more than names. */
static void how_to_see_it_is_told(void **state)
{
    static const struct {
        const char *line, *commands; /* NULL: nothing */
    } rows[] = {
        {"git reset -q --hard", "git status --short\ngit --no-pager diff HEAD"},
        {"git stash -q drop --quiet", "git --no-pager stash show --include-untracked -p"},
        {"git branch -q -D x", "git --no-pager log --oneline x --not HEAD --remotes --tags"},
        {"git checkout -q -- -q", NULL},
        {"git -C -q clean -f", NULL},
        {"git -q", NULL},
        {"git clean -fd 'a b'", "git clean -n -fd 'a b'"},
        {"git clean -qfdx", "git clean -n -fdx"},
        {"git clean -q -f --quiet", "git clean -n -f"},
        {"git clean -fd -e 'x y' z", "git clean -n -fd -e 'x y' z"},
        {"git reset --hard HEAD~2",
         "git status --short\ngit --no-pager diff HEAD\ngit --no-pager log --oneline HEAD~2..HEAD"},
        {"git reset --hard && git clean -fd",
         "git status --short\ngit --no-pager diff HEAD\ngit clean -n -fd"},
        {"git checkout -- a 'b c'", "git --no-pager diff -- a 'b c'"},
        {"git checkout HEAD -- a", "git --no-pager diff HEAD -- a"},
        {"git stash drop stash@{1}",
         "git --no-pager stash show --include-untracked -p 'stash@{1}'"},
        {"git stash clear", "git --no-pager stash list"},
        {"git branch -D x", "git --no-pager log --oneline x --not HEAD --remotes --tags"},
        {"git branch -D x y", "git --no-pager log --oneline x y --not HEAD --remotes --tags"},
        {"git switch -q main; git branch -D x",
         "git --no-pager log --oneline x --not main --remotes --tags"},
        {"git switch main --quiet && git branch -D x",
         "git --no-pager log --oneline x --not main --remotes --tags"},
        {"git switch main && git branch -D x",
         "git --no-pager log --oneline x --not main --remotes --tags"},
        {"bash -c 'git clean -f'", "git clean -n -f"},
        {"git -C 's t' clean -fdx", "git -C 's t' clean -n -fdx"},
        {"cd ./sub && git clean -fdx", "git -C ./sub clean -n -fdx"},
        {"cd sub && git clean -fdx", "git -C sub clean -n -fdx"},
        /* others come first, or it cannot be said */
        {"git reset --hard; make", NULL},
        {"make && git clean -f", NULL},
        {"cd $x && git clean -f", NULL},
        {"cd ./sub && git -C x clean -f", NULL},
        {"cd sub || git clean -f", NULL},
        {"cd sub && git clean -f; git clean -f", NULL},
        {"cd -- && git clean -f", NULL},
        {"cd - && git clean -f", NULL},
        {"cd '~' && git clean -f", NULL},
        {"CDPATH=/x cd sub && git clean -f", NULL},
        {"git clean -fd && git clean -fdx", NULL},
        {"git checkout -f main && git branch -D x", NULL},
        {"git switch -C x && git reset --hard", NULL},
        {"git reset --hard HEAD~1 && git reset --hard HEAD~1", NULL},
        {"git branch -f x y && git reset --hard x", NULL},
        {"git stash drop && git stash drop", NULL},
        {"git checkout -f --recurse-submodules", NULL},
        {"git checkout -f --ours", NULL},
        {"git stash drop HEAD", NULL},
        {"git stash drop stash@{yesterday}", NULL},
        {"git clean -fd $x", NULL},
        {"git clean -fd -e", NULL},
        {"git clean -i", NULL},
        {"git clean -f -- -x", NULL},
        {"git clean -f ghp_0123456789abcdefghijklmnopqrstuvwxyzAB", NULL},
        {"git reset --hard a..b", NULL},
        {"git reset --hard --output=x", NULL},
        {"git reset a", NULL},
        {"git checkout a", NULL},
        {"git checkout --theirs a", NULL},
        {"git checkout -- --output=x", NULL},
        {"git restore --staged .", NULL},
        {"git stash pop", NULL},
        {"git stash drop --x", NULL},
        {"git branch -D --x", NULL},
        {"git branch -D x --y", NULL},
        {"git branch -D x && git branch -D y", NULL},
        {"git checkout x && git branch -D y", NULL},
        {"git switch x && git reset --hard", NULL},
        {"git switch x && git clean -f", NULL},
        {"git switch -c x && git branch -D y", NULL},
        {"git switch x", NULL},
        {"git branch -f x y z", NULL},
        {"git branch -d x", NULL},
        {"git -c a.b=c clean -f", NULL},
        {"x git clean -f", NULL},
        {"git clean -f && git clean -f && git clean -f && git clean -f && git clean -f", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_losses losses;
        find(rows[i].line, &losses);
        const char *commands = losses.commands != NULL ? losses.commands : "nothing";
        if (strcmp(commands, rows[i].commands != NULL ? rows[i].commands : "nothing") != 0)
            fail_msg("%s: %s", rows[i].line, commands);
        assert_true((losses.count > 0) == (losses.commands != NULL));
        git_losses_clear(&losses);
    }
}

/* What would stay is not told of; of many there is one more than is told. */
static void what_git_says_is_read(void **state)
{
    struct git_loss loss = {.kind = GIT_LOSES_FILES};
    struct strbuf many = STRBUF_INIT;
    (void)state;
    git_loss_see(&loss, filtered(loss.kind, xstrdup("Would remove a\nWould skip repository b/\n"
                                                    "Would remove c d/\n")));
    assert_string_equal(loss.seen, "a\nc d/\n");
    git_loss_see(&loss, xstrdup(""));
    assert_string_equal(loss.seen, "");
    for (int i = 0; i < 1000; i++)
        strbuf_addstr(&many, "Would remove x\n");
    git_loss_see(&loss, strbuf_steal(&many));
    assert_int_equal(strlen(loss.seen), 2 * (GIT_SEEN_LINES + 1));
    free(loss.seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_told_is_what_is_gone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_hides_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_others_have_stays, set_up, tear_down),
        cmocka_unit_test(that_it_cannot_be_said_is_known),
        cmocka_unit_test(how_to_see_it_is_told),
        cmocka_unit_test(what_git_says_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
