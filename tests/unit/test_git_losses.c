/* SPDX-License-Identifier: MIT */
/*
 * What commands of git, and `rm`, take. Each is asked of the real git, and then run: what was told
 * is what is gone.
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
#include "risk/git_loss_rm.h"
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
    place->root = xasprintf("%s/tree", place->base);
    tree_write(place->base, "home/.keep", "", 0644);
    tree_write(place->base, "tree/a", "one\n", 0644);
    tree_write(place->base, "tree/sub/b c", "one\n", 0644);
    tree_write(place->base, "tree/.gitignore", "out/\n", 0644);
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

static void find(const struct place *place, const char *line, struct git_losses *losses)
{
    git_losses_find((const char *const[]){"bash", "-lc", line, NULL}, place->root, losses);
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
    cleanup_strv char **words = git_loss_words_now(loss);
    text_quote_argv(&command, (const char *const *)words);
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
        {"git clean -n && git clean -fd", {"0:new\nsub/new\n"}, "! test -e new && test -e out"},
        {"git clean -ndx; git rm -n a; git add -n a; git status && git clean -fd",
         {"0:new\nsub/new\n"},
         "! test -e new && test -e out"},
        {"git clean --quiet -f -e new", {"0:"}, "test -e new && test -e sub/new"},
        {"git -C sub clean -f 2>/dev/null", {"0:new\n"}, "test -e new && ! test -e sub/new"},
        {"cd ./sub && git clean -f", {"0:new\n"}, "test -e new && ! test -e sub/new"},
        {"cd sub && git clean -f", {"0:new\n"}, "test -e new && ! test -e sub/new"},
        {"git reset --hard",
         {"1:a\nsub/b c\n"},
         "test \"$(cat a)\" = two && test \"$(cat 'sub/b c')\" = one && test -e new"},
        {"git reset --hard HEAD --",
         {"1:a\nsub/b c\n"},
         "test \"$(cat a)\" = two && test \"$(cat 'sub/b c')\" = one && test -e new"},
        {"git rm -qrf sub", {"1:sub/b c\n"}, "! test -e 'sub/b c' && test -e sub/new && test -e a"},
        {"git rm -f a 'sub/b c' --quiet", {"1:a\nsub/b c\n"}, "! test -e a && ! test -e 'sub/b c'"},
        {"git checkout -- a*", {"1:a\n"}, "test \"$(cat a)\" = two && test -e new"},
        {"git reset --hard HEAD~1 && git clean -f",
         {"1:a\nsub/b c\n", "4:", "0:", "0:", "2:… two\n", "5:", "6:", "0:new\nsub/new\n"},
         "test \"$(cat a)\" = one && ! test -e new"},
        {"git checkout -- .",
         {"1:a\n"},
         "test \"$(cat a)\" = two && git diff --cached | grep -q b"},
        {"git checkout .", {"1:a\n"}, "test \"$(cat a)\" = two"},
        {"git checkout a 'sub/b c'",
         {"12:", "1:a\n", "4:", "0:"},
         "test \"$(cat a)\" = two && test \"$(cat 'sub/b c')\" = three"},
        {"git checkout .gitignore", {"12:", "1:", "4:", "0:"}, "test \"$(cat a)\" = three"},
        {"git -C sub checkout 'b c'", {"12:", "1:"}, "test \"$(cat 'sub/b c')\" = three"},
        {"cd ./sub && git checkout ../a", {"12:", "1:a\n"}, "test \"$(cat a)\" = two"},
        {"git checkout -f a", {"12:", "1:a\n"}, "test \"$(cat 'sub/b c')\" = three"},
        {"git checkout -f -- a", {"1:a\n"}, "test \"$(cat 'sub/b c')\" = three"},
        {"git checkout HEAD a 'sub/b c'",
         {"1:a\nsub/b c\n", "4:", "0:"},
         "test \"$(cat a)\" = two && test \"$(cat 'sub/b c')\" = one"},
        {"git checkout topic a", {"1:a\n", "10:", "0:", "0:"}, "test \"$(cat a)\" = one"},
        {"git restore --staged --worktree a 'sub/b c'",
         {"1:a\nsub/b c\n", "4:", "0:"},
         "test \"$(cat a)\" = two && test \"$(cat 'sub/b c')\" = one"},
        {"git restore -SW .",
         {"1:a\nsub/b c\n"},
         "test \"$(cat a)\" = two && test \"$(cat 'sub/b c')\" = one"},
        {"git restore -W a", {"1:a\n"}, "test \"$(cat a)\" = two"},
        {"git restore --source HEAD~1 -S -W a",
         {"1:a\n", "10:", "0:", "0:"},
         "test \"$(cat a)\" = one"},
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
        {"git checkout topic -- a", {"1:a\n", "10:", "0:", "0:"}, "test \"$(cat a)\" = one"},
        {"git restore --source=HEAD~1 a", {"1:a\n", "10:", "0:", "0:"}, "test \"$(cat a)\" = one"},
        {"git restore -s topic -- a", {"1:a\n", "10:", "0:", "0:"}, "test \"$(cat a)\" = one"},
        {"git branch -D topic", {"2:… Of the topic\n"}, "test \"$(git branch)\" = '* main'"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_losses losses;
        tear_down(state);
        set_up(state);
        const struct place *place = *state;
        cleanup_free char *before = shell(place, "git status --short --ignored; git stash list");
        find(*state, rows[i].line, &losses);
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

/* Git takes a word for a commit's name first. */
static void a_name_of_a_commit_is_told(void **state)
{
    static const char *const lines[] = {"git checkout a", "git checkout -f a",
                                        "git checkout a 'sub/b c'"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct git_losses losses;
        tear_down(state);
        set_up(state);
        run(*state, i == 0 ? "git tag a" : "git branch a topic");
        find(*state, lines[i], &losses);
        assert_true(losses.count > 0);
        assert_int_equal(losses.list[0].kind, GIT_KNOWS_NO_COMMIT);
        assert_string_not_equal(see(*state, &losses.list[0]), "");
        git_losses_clear(&losses);
    }
}

/* A file that is gone: what git has of it comes back, unless a branch can be made of that name. */
static void a_file_that_is_gone_is_looked_at(void **state)
{
    static const struct {
        const char *before, *line;
        bool commit, known;
    } rows[] = {
        {"true", "git checkout d.c", false, true},
        {"true", "git checkout -q d.c", false, true},
        {"true", "cd ./sub && git checkout ../d.c", false, true},
        {"git rm -q --cached d.c", "git checkout d.c", false, false},
        {"git branch d.c", "git checkout d.c", true, true},
        {"git update-ref refs/remotes/x/d.c topic", "git checkout d.c", true, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_losses losses;
        tear_down(state);
        set_up(state);
        const struct place *place = *state;
        run(place, "echo x >d.c && git add d.c && git commit -qm d d.c && rm d.c");
        run(place, rows[i].before);
        find(place, rows[i].line, &losses);
        if (losses.count < 3)
            fail_msg("%s: %zu", rows[i].line, losses.count);
        assert_int_equal(losses.list[0].kind, GIT_KNOWS_NO_COMMIT);
        assert_int_equal(losses.list[1].kind, GIT_KNOWS_EACH);
        assert_int_equal(losses.list[2].kind, GIT_LOSES_CHANGES);
        assert_true((*see(place, &losses.list[0]) != '\0') == rows[i].commit);
        struct strbuf asked = STRBUF_INIT;
        text_quote_argv(&asked, (const char *const *)losses.list[1].words);
        cleanup_free char *known =
            xasprintf("! git %s 2>/dev/null && echo none || echo known", strbuf_str(&asked));
        cleanup_free char *said = shell(place, known);
        assert_true((strstr(said, "none") == NULL) == rows[i].known);
        strbuf_free(&asked);
        git_losses_clear(&losses);
    }
}

/* ---- rm -------------------------------------------------------------------------------------- */

/* All files, and directories that are empty, a line for each. */
static char *list_files(const struct place *place)
{
    return shell(place,
                 "find . -path ./.git -prune -o '(' ! -type d -o -empty ')' -print | cut -c3-");
}

/* Is that path one of the lines, or also beneath one? */
static bool covers(const char *lines, const char *path, bool beneath)
{
    for (const char *end; (end = strchr(lines, '\n')) != NULL; lines = end + 1) {
        size_t length = (size_t)(end - lines) - (end > lines && end[-1] == '/');
        if (strncmp(path, lines, length) == 0 &&
            (path[length] == '\0' || (beneath && path[length] == '/')))
            return true;
    }
    return false;
}

/* All of the lines are among those of `wanted`, or beneath; or none is among them. */
static void assert_all(const char *line, const char *lines, const char *wanted, bool covered)
{
    cleanup_free char *copy = xstrdup(lines);
    for (char *path = copy, *end; (end = strchr(path, '\n')) != NULL; path = end + 1) {
        end[end > path && end[-1] == '/' ? -1 : 0] = '\0';
        if (covers(wanted, path, covered) != covered)
            fail_msg("%s: %s", line, path);
    }
}

/* What is gone of `before`, a line for each. */
static char *list_gone(const char *before, const char *after)
{
    struct strbuf gone = STRBUF_INIT;
    cleanup_free char *copy = xstrdup(before);
    for (char *path = copy, *end; (end = strchr(path, '\n')) != NULL; path = end + 1) {
        *end = '\0';
        if (!covers(after, path, false))
            strbuf_addf(&gone, "%s\n", path);
    }
    return strbuf_steal(&gone);
}

/* NULL: there is none. */
static char *word_with(const char *line, const char *part)
{
    for (const char *word = line; *word != '\0'; word += strspn(word, " ;")) {
        size_t length = strcspn(word, " ;");
        if (memmem(word, length, part, strlen(part)) != NULL)
            return xstrndup(word, length);
        word += length;
    }
    return NULL;
}

/* What is told is gone, and all that is gone is told: files that git does not have, submodules and
 * files that it has. Then what has changed in them. */
static void what_rm_takes_is_told(void **state)
{
    static const struct {
        const char *before, *line, *untracked, *submodules, *tracked, *changes, *unlooked;
    } rows[] = {
        {"true", "rm -rf out", "out/\n", "", "", "", ""},
        {"true", "unlink a", "", "", "a\n", "a\n", ""},
        {"true", "unlink new && unlink sub/new", "new\nsub/new\n", "", "", "", ""},
        {"true", "rm -r -f ./out/ ./new", "new\nout/\n", "", "", "", ""},
        {"true", "rm -rf sub", "sub/new\n", "", "sub/b c\n", "", ""},
        {"true", "rm --recursive --force --verbose -- sub/", "sub/new\n", "", "sub/b c\n", "", ""},
        {"true", "rm a 'sub/b c'", "", "", "a\nsub/b c\n", "a\n", ""},
        {"echo four >'sub/b c'", "rm -Rv sub", "sub/new\n", "", "sub/b c\n", "sub/b c\n", ""},
        {"true", "cd ./sub && rm -rf new 'b c'", "sub/new\n", "", "sub/b c\n", "", ""},
        {"true", "cd sub && rm new 2>/dev/null", "sub/new\n", "", "", "", ""},
        {"true", "rm -rf out && rm -f new a", "new\nout/\n", "", "a\n", "a\n", ""},
        {"true", "rm -rf out; touch later", "out/\n", "", "", "", ""},
        {"mkdir -p out/y && touch out/y/z", "rm -rf out/y", "out/y/\n", "", "", "", ""},
        {"touch -- -n", "rm -- -n", "-n\n", "", "", "", ""},
        {"mkdir -p sub/empty", "rm -r sub/empty", "sub/empty/\n", "", "", "", ""},
        /* not there, in part or at all */
        {"true", "rm -f none", "", "", "", "", ""},
        {"rm 'sub/b c'", "rm -rf sub none", "sub/new\n", "", "", "", ""},
        /* links themselves, one of them where git has a directory */
        {"ln -s sub link && ln -s sub l2 && git add l2", "rm -rf link l2", "link\n", "", "l2\n", "",
         ""},
        {"rm a && mkdir a && touch a/x", "rm -rf a", "a/\n", "", "", "", ""},
        {"rm 'sub/b c' && mkdir -p 'sub/b c/y' && touch 'sub/b c/y/z'", "rm -rf sub",
         "sub/new\nsub/b c/\n", "", "", "", ""},
        {"mv sub other && ln -s other sub", "rm -rf sub", "sub\n", "", "", "", ""},
        /* other repositories */
        {"git init -q sub/nest && touch sub/nest/x", "rm -rf sub", "sub/nest/\nsub/new\n", "",
         "sub/b c\n", "", ""},
        {"git init -q nest && touch nest/x", "rm -rf nest/", "nest/\n", "", "", "", ""},
        {"git init -q sub/m && git -C sub/m -c user.name=a -c user.email=a commit -q --allow-empty "
         "-mx && git -c advice.addEmbeddedRepo=false add sub/m && touch sub/m/x && "
         "git config -f .gitmodules submodule.m.path sub/m && "
         "git config -f .gitmodules submodule.m.url x && "
         "git config -f .gitmodules submodule.m.ignore all",
         "rm -rf sub", "sub/new\n", "sub/m\n", "sub/b c\n", "", ""},
        {"git worktree add -q out/w", "rm -rf out", "out/\n", "", "", "", ""},
        /* what git was told not to look at */
        {"git update-index --assume-unchanged a && echo x >a && "
         "git update-index --skip-worktree 'sub/b c' && echo x >'sub/b c'",
         "rm a 'sub/b c'", "", "", "a\nsub/b c\n", "", "a\nsub/b c\n"},
        {"echo '*' >.gitignore && echo x >.git/info/exclude", "rm -rf sub new", "new\nsub/new\n",
         "", "sub/b c\n", "", ""},
        {"git replace -f 4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD^{tree}", "rm a", "", "",
         "a\n", "a\n", ""},
        {"git rm -q --cached a && git add -N a", "rm a", "", "", "a\n", "a\n", ""},
        /* others elsewhere, which are left out */
        {"mkdir ../stuff", "rm -rf ../stuff out sub", "out/\nsub/new\n", "", "sub/b c\n", "", ""},
        {"mkdir ../stuff", "rm -rf new ../stuff/; touch later", "new\n", "", "", "", ""},
        {"true", "rm -rf /nonesuch/stuff a out", "out/\n", "", "a\n", "a\n", ""},
        {"true", "cd sub && rm -rf ../../stuff/x new", "sub/new\n", "", "", "", ""},
        {"true", "rm -rf ../stuff new && rm -f a", "new\n", "", "a\n", "a\n", ""},
        {"ln -s ../tree/a ../stuff", "rm -f ../stuff new", "new\n", "", "", "", ""},
        {"true", "rm -f ../stuff none", "", "", "", "", ""},
        /* patterns, by which a shell finds less than git */
        {"true", "rm -rf o*", "out/\n", "", "", "", ""},
        {"true", "rm -rf ../stuff o*", "out/\n", "", "", "", ""},
        {"true", "rm -rf sub/*", "sub/new\n", "", "sub/b c\n", "", ""},
        {"true", "rm -rf ./sub/n*w a", "sub/new\n", "", "a\n", "a\n", ""},
        {"mkdir -p sub/in/x && touch sub/in/x/y sub/in/z", "rm -rf sub/i*", "sub/in/\n", "", "", "",
         ""},
        {"mkdir -p sub/in/x && cp a sub/in/x/y && touch sub/in/z && git add sub/in/x",
         "cd sub && rm -rf i[a-z] none*", "sub/in/z\n", "", "sub/in/x/y\n", "", ""},
        {"touch 's[x]y'", "rm s'['x]*", "s[x]y\n", "", "", "", ""},
        {"touch zero", "rm -- ?ero", "zero\n", "", "", "", ""},
        /* no commit yet */
        {"rm -rf .git && git init -q && git add a", "rm a new", "new\n", "", "a\n", "", ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_losses losses;
        tear_down(state);
        set_up(state);
        const struct place *place = *state;
        const char *told[] = {rows[i].changes, rows[i].untracked, rows[i].submodules,
                              rows[i].unlooked, rows[i].tracked};
        run(place, rows[i].before);
        cleanup_free char *before = list_files(place);
        find(place, rows[i].line, &losses);
        if (losses.count < COUNT(told))
            fail_msg("%s: %zu losses", rows[i].line, losses.count);
        for (size_t j = COUNT(told); j < losses.count; j++)
            assert_string_equal(see(place, &losses.list[j]), "");
        for (size_t j = 0; j < COUNT(told); j++)
            if (strcmp(see(place, &losses.list[j]), told[j]) != 0)
                fail_msg("%s, %zu: %s", rows[i].line, j, losses.list[j].seen);
        cleanup_free char *check = xasprintf("( %s\n) >&2", rows[i].line);
        run(place, check);
        cleanup_free char *after = list_files(place);
        cleanup_free char *gone = list_gone(before, after);
        cleanup_free char *all = xasprintf("%s%s%s", told[1], told[2], told[4]);
        assert_all(rows[i].line, gone, all, true);
        assert_all(rows[i].line, all, after, false);
        assert_true(losses.more == (strchr(rows[i].line, ';') != NULL));
        assert_true(losses.most == (strpbrk(rows[i].line, "*?[") != NULL));
        cleanup_free char *elsewhere = word_with(rows[i].line, "stuff");
        if (!text_same(losses.outside, elsewhere))
            fail_msg("%s: elsewhere %s", rows[i].line, losses.outside);
        git_losses_clear(&losses);
    }
}

/* Of a pattern alone hidden names are told, too, and those of options, which a shell finds but `rm`
 * does not take: at most that. */
static void what_rm_takes_by_a_pattern_alone_is_told(void **state)
{
    static const struct {
        const char *before, *line;
    } rows[] = {
        {"true", "rm -rf *"},
        {"touch -- -x .hidden", "rm -rf *"},
        {"touch -- -- -v", "rm -r -f * ./sub/*"},
        {"touch x y", "rm -rf ? [n-z]*"},
        {"mkdir -p sub/in && touch sub/in/z", "cd sub && rm -rf *"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_losses losses;
        tear_down(state);
        set_up(state);
        const struct place *place = *state;
        struct strbuf all = STRBUF_INIT;
        run(place, rows[i].before);
        cleanup_free char *before = list_files(place);
        find(place, rows[i].line, &losses);
        if (losses.count == 0 || !losses.most)
            fail_msg("%s: %s", rows[i].line, losses.unknown);
        for (size_t j = 0; j < losses.count; j++)
            strbuf_addstr(&all, see(place, &losses.list[j]));
        cleanup_free char *check = xasprintf("( %s\n) >&2 || :", rows[i].line);
        run(place, check);
        cleanup_free char *after = list_files(place);
        cleanup_free char *gone = list_gone(before, after);
        assert_all(rows[i].line, gone, strbuf_str(&all), true);
        strbuf_free(&all);
        git_losses_clear(&losses);
    }
}

/* Git says nothing of files where these lead; or they are none that `rm` takes. */
static void what_git_does_not_see_is_not_told(void **state)
{
    static const struct {
        const char *before, *line;
        bool known; /* that it is not known */
    } rows[] = {
        {"ln -s sub link", "rm -rf link/", true},
        {"ln -s sub link", "rm -rf link/new", true},
        {"ln -s sub link", "rm -rf out ./link//new", true},
        {"ln -s sub link", "make && rm -rf link/new", true},
        {"ln -s sub link", "rm -rf out && rm -rf link/new", true},
        {"git init -q nest && touch nest/x", "rm -rf nest/x", true},
        {"git init -q nest && git -C nest init -q x", "cd ./nest && rm -rf x/y", true},
        {"true", "rm -rf .git", true},
        {"true", "rm -rf sub/.GIT/x", true},
        {"true", "make && rm -rf out", true},
        {"true", "cd sub; rm -rf new", true},
        {"true", "rm -rf out && git clean -fd", true},
        {"true", "rm .gitignore; git reset --hard", true},
        {"true", "git reset --hard HEAD~1 && rm -rf out", true},
        {"true", "git switch main && rm -rf out", true},
        {"true", "git stash drop && rm -rf out", true},
        {"true", "rm -rf out && make && rm -rf new", true},
        {"true", "rm -rf out && rm -rf /tmp/none", true},
        {"rm -rf .git", "rm -rf out", false},
        {"rm -rf .git", "make && rm -rf out", false},
        {"true", "rm sub", false},
        {"true", "rm -d out", false},
        {"true", "unlink sub", false},
        {"true", "unlink", false},
        {"true", "unlink a new", false},
        {"true", "unlink -- new", false},
        {"mkfifo pipe", "rm pipe", false},
        {"true", "rm -rf", false},
        {"true", "rm -rf --", false},
        {"true", "rm -rf .", true},
        {"true", "rm -rf ./", true},
        {"true", "rm -rf sub/.", true},
        {"true", "rm -rf ..", true},
        {"true", "rm -rf sub/../a", true},
        {"true", "rm -rf \"$PWD/out\"", false},
        {"true", "rm -rf /tmp/none", true},
        {"true", "rm -rf .*", true},
        {"true", "rm *", false},
        {"true", "rm -rf * && git clean -fd *", false},
        {"true", "rm -rf \"$x\" *", false},
        {"true", "rm -rf s*/new", true},
        {"true", "rm -rf o*/", true},
        {"true", "rm -rf ../*", true},
        {"true", "rm -rf {o,n}*", false},
        {"true", "rm -rf o* && make", true},
        {"true", "cd sub && git checkout -- *", false},
        {"true", "git reset --hard HEAD?", false},
        {"mkdir 'd[i]r' dir", "git -C d[i]r clean -fdx", false},
        {"touch ab ac", "git clean -f -e a* n*", false},
        {"true", "rm -rf 'o*'", true},
        {"true", "rm -rf ':/a'", true},
        {"true", "rm -rf ''", true},
        {"true", "rm -rf out -v", false},
        {"true", "rm -rf --one-file-system out", false},
        {"true", "rm -rf --no-preserve-root out", false},
        {"true", "sudo rm -rf out", false},
        {"true", "rm ghp_0123456789abcdefghijklmnopqrstuvwxyzAB", true},
        /* what is not known to be elsewhere is not left out */
        {"true", "rm -rf out /", true},
        {"true", "rm -rf out ..", true},
        {"true", "rm -rf out ../", true},
        {"true", "rm -rf out ../tree", true},
        {"true", "rm -rf out ../tree/sub", true},
        {"true", "rm -rf out ../home/../tree/sub", true},
        {"true", "rm -rf out sub/../a", true},
        {"true", "rm -rf out ''", true},
        {"true", "rm -rf out /nonesuch 'o*'", true},
        {"true", "rm -rf out '/nonesuch/*'", true},
        {"true", "rm -rf out /nonesuch/*", true},
        {"true", "rm -rf out /nonesuch \"$x\"", false},
        {"true", "rm -rf out ~/x", false},
        {"true", "rm -rf out /nonesuch -v", false},
        {"true", "rm -rf out /nonesuch/ghp_0123456789abcdefghijklmnopqrstuvwxyzAB", true},
        {"true", "rm -rf out /nonesuch .git", true},
        {"true", "rm /nonesuch sub", true},
        {"true", "rm -rf out /nonesuch && git clean -fd", true},
        {"true", "cd sub && rm -rf new ../.git", true},
        {"true", "cd sub && rm -rf new ../../tree", true},
        {"ln -s tree ../link", "rm -rf out ../link/sub", true},
        {"ln -s tree ../link", "rm -rf out ../link/", true},
        {"ln -s sub link", "rm -rf link/new /nonesuch", true},
        {"ln -s ../home/no ../link", "rm -rf out ../link/x", true},
        {"true", "xrm out", false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_losses losses;
        tear_down(state);
        set_up(state);
        run(*state, rows[i].before);
        find(*state, rows[i].line, &losses);
        if (losses.count > 0 || (losses.unknown != NULL) != rows[i].known)
            fail_msg("%s: %zu, %s", rows[i].line, losses.count, losses.unknown);
        git_losses_clear(&losses);
    }
}

/* Where a repository says that its files are elsewhere, nothing there is told as what is here. */
static void files_that_are_said_to_be_elsewhere_are_not_told(void **state)
{
    const struct place *place = *state;
    struct git_losses losses;
    run(place, "mkdir ../elsewhere && git config core.worktree ../../elsewhere");
    find(place, "rm -rf out", &losses);
    for (size_t i = 0; i < losses.count; i++) {
        struct strbuf command = STRBUF_INIT;
        strbuf_addstr(&command, "! git ");
        text_quote_argv(&command, (const char *const *)losses.list[i].words);
        strbuf_addstr(&command, " 2>&1");
        cleanup_free char *said = shell(place, strbuf_str(&command));
        assert_non_null(strstr(said, "is outside repository"));
        strbuf_free(&command);
    }
    assert_int_equal(losses.count, 6);
    git_losses_clear(&losses);
}

/* Git looks into no directory that it takes for a submodule, of which it names no part either. */
static void what_lies_in_an_empty_submodule_is_not_told_as_nothing(void **state)
{
    static const char *const lines[] = {"rm -rf out/x", "rm out/x", "rm -rf new none out/x",
                                        "rm -f none && rm -f out/x; make"};
    const struct place *place = *state;
    run(place, "git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),out");
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct git_losses losses;
        struct strbuf command = STRBUF_INIT;
        find(place, lines[i], &losses);
        assert_int_equal(losses.count, 6);
        strbuf_addstr(&command, "! git ");
        text_quote_argv(&command, (const char *const *)losses.list[5].words);
        strbuf_addstr(&command, " 2>&1");
        cleanup_free char *said = shell(place, strbuf_str(&command));
        assert_non_null(strstr(said, "did not match"));
        strbuf_free(&command);
        git_losses_clear(&losses);
    }
}

/* … and of a pattern one file is asked for. */
static void what_a_pattern_finds_in_an_empty_submodule_is_not_told_as_nothing(void **state)
{
    const struct place *place = *state;
    struct git_losses losses;
    find(place, "rm -f out/y* out/x*", &losses);
    assert_int_equal(losses.count, 6);
    cleanup_strv char **words = git_loss_words_now(&losses.list[5]);
    cleanup_free char *file = xasprintf("%s/out/x", place->root);
    size_t count = strv_length((const char *const *)words);
    assert_string_equal(words[count - 1], file);
    assert_string_equal(words[count - 2], "--");
    git_losses_clear(&losses);
}

/* What is one letter to the shell is several bytes to git, or it knows no such class. */
static void a_letter_is_what_it_is_to_the_shell(void **state)
{
    static const char *const lines[] = {"rm -f sub/s?", "rm -f sub/[[=s=]]?"};
    const struct place *place = *state;
    run(place, "touch 'sub/s\303\242'");
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct git_losses losses;
        find(place, lines[i], &losses);
        if (strstr(see(place, &losses.list[1]), "sub/s\303\242\n") == NULL)
            fail_msg("%s: %s", lines[i], losses.list[1].seen);
        git_losses_clear(&losses);
    }
}

/* A name that a shell makes of a pattern can be one for git. */
static void names_that_are_patterns_take_more(void **state)
{
    static const struct {
        const char *before, *line, *told, *gone;
    } rows[] = {
        {"touch 'n*w' nqqw", "git clean -f n?w", "n*w\nnew\nnqqw\n",
         "! test -e nqqw && ! test -e new"},
        {"touch 'z[xb]c' zxc", "git clean -f z*b*", "z[xb]c\nzxc\n", "! test -e zxc"},
        {"touch 's c' 's*c' && git add s* && echo x >'s c' && echo x >'s*c'", "git checkout -- s?c",
         "s c\ns*c\n", "git diff --quiet"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_losses losses;
        tear_down(state);
        set_up(state);
        const struct place *place = *state;
        run(place, "git reset -q --hard");
        run(place, rows[i].before);
        find(place, rows[i].line, &losses);
        if (strcmp(see(place, &losses.list[0]), rows[i].told) != 0)
            fail_msg("%s: %s", rows[i].line, losses.list[0].seen);
        assert_true(losses.most);
        cleanup_free char *check = xasprintf("( %s\n) >&2 && %s", rows[i].line, rows[i].gone);
        run(place, check);
        git_losses_clear(&losses);
    }
}

/* By another commit than HEAD files are written that are not to be in the working tree. */
static void what_is_kept_out_of_the_tree_is_written_by_another_commit(void **state)
{
    static const char *const lines[] = {"git checkout HEAD~1 -- a", "git restore -s HEAD~1 a"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct git_losses losses;
        tear_down(state);
        set_up(state);
        const struct place *place = *state;
        run(place, "git update-index --skip-worktree a");
        find(place, lines[i], &losses);
        assert_string_equal(see(place, &losses.list[1]), "a\n");
        git_losses_clear(&losses);
        cleanup_free char *check = xasprintf("%s && test \"$(cat a)\" = one", lines[i]);
        run(place, check);
    }
}

/* Nor of more than somebody reads, which would hold up others. */
static void of_too_many_files_nothing_is_told(void **state)
{
    struct strbuf line = STRBUF_INIT;
    struct git_losses losses;
    strbuf_addstr(&line, "rm a");
    for (size_t i = 1; i < 64; i++)
        strbuf_addstr(&line, " a");
    find(*state, strbuf_str(&line), &losses);
    assert_int_equal(losses.count, 6);
    git_losses_clear(&losses);
    strbuf_addstr(&line, " && rm new");
    find(*state, strbuf_str(&line), &losses);
    assert_int_equal(losses.count, 0);
    git_losses_clear(&losses);
    strbuf_free(&line);
    cleanup_free char *deep = xasprintf("rm %0255d", 0), *deeper = xasprintf("rm %0256d", 0);
    find(*state, deep, &losses);
    assert_int_equal(losses.count, 5);
    git_losses_clear(&losses);
    find(*state, deeper, &losses);
    assert_int_equal(losses.count, 0);
    git_losses_clear(&losses);
}

/* `git clean` can take what `rm` would have taken; each tells its own. */
static void rm_behind_clean_is_told(void **state)
{
    const struct place *place = *state;
    struct git_losses losses;
    find(place, "git clean -f && rm -rf out", &losses);
    assert_int_equal(losses.count, 7);
    assert_string_equal(see(place, &losses.list[0]), "new\nsub/new\n");
    assert_string_equal(see(place, &losses.list[2]), "out/\n");
    git_losses_clear(&losses);
}

/* ---- git again ------------------------------------------------------------------------------- */

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
        find(*state, rows[i].line, &losses);
        assert_int_equal(losses.count, 1);
        if (strcmp(see(place, &losses.list[0]), rows[i].told) != 0)
            fail_msg("%s, %s: %s", rows[i].before, rows[i].line, losses.list[0].seen);
        git_losses_clear(&losses);
    }
}

/* What only reads takes no more. */
static void what_comes_behind_is_told_of(void **state)
{
    static const struct {
        const char *line;
        bool more;
    } rows[] = {{"git checkout -- . && git status", false},
                {"git clean -fd; ls -la | head", false},
                {"git clean -fd && make", true},
                {"git clean -fd; git status; touch new", true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_losses losses;
        find(*state, rows[i].line, &losses);
        if (losses.count == 0 || losses.more != rows[i].more)
            fail_msg("%s: %zu", rows[i].line, losses.count);
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
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_losses losses;
        find(*state, rows[i].line, &losses);
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
         {"1:", "4:", "0:", "0:f g\n", "2:… two\n"},
         "test \"$(cat 'f g')\" = x"},
        {"git stash -q && git switch -q topic && echo x >'f g' && echo x >there && git add 'f g' "
         "there &&"
         "git commit -qm f && git switch -q main && echo mine >'f g' && git stash pop -q",
         "cd ./sub && git checkout -f topic",
         {"1:a\nsub/b c\n", "4:", "0:", "0:f g\n"},
         "test \"$(cat 'f g')\" = x"},
        {"git stash -q && git switch -q topic && echo x >'f g' && git add 'f g' &&"
         "git commit -qm f && git switch -q main && mkdir 'f g' && >'f g/mine'",
         "git switch -f topic",
         {"1:", "4:", "0:", "0:f g\n"},
         "test \"$(cat 'f g')\" = x"},
        /* a file of which git was told that nobody changes it; of the others it leaves one alone */
        {"git checkout -q a && git update-index --assume-unchanged a && echo mine >a &&"
         "git update-index --skip-worktree .gitignore && echo mine >.gitignore",
         "git reset --hard",
         {"1:sub/b c\n", "4:a\n", "0:"},
         "test \"$(cat a)\" = two && test \"$(cat .gitignore)\" = mine"},
        {"git update-index --assume-unchanged a && echo mine >a",
         "git restore .",
         {"1:", "4:a\n", "0:"},
         "test \"$(cat a)\" = two"},
        {"git update-index --assume-unchanged a && echo mine >a",
         "cd ./sub && git checkout -- ../a",
         {"1:", "4:a\n", "0:"},
         "test \"$(cat a)\" = two"},
        /* another commit in the place of this one */
        {"git stash -q && echo mine >f && git replace HEAD $(git commit-tree -m x "
         "$(git ls-tree -r HEAD | { cat && printf '100644 blob %s\\tf\\n' $(git rev-parse HEAD:a);"
         "} | grep -v sub | git mktree))",
         "git reset --hard",
         {"1:f\nsub/b c\n", "4:", "0:"},
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
        /* where a file is tracked, a directory stands */
        {"rm a && mkdir a && touch a/x",
         "git reset --hard",
         {"1:a\nsub/b c\n", "4:", "0:a/x\n"},
         "test -f a"},
        {"rm a && mkdir a && touch a/x", "git checkout -- a", {"1:", "4:", "0:a/x\n"}, "test -f a"},
        /* what is not there comes back, and has nothing to lose but what was staged */
        {"rm a", "git checkout -- a .gitignore", {"1:", "4:", "0:"}, "test \"$(cat a)\" = two"},
        {"rm a", "git restore a", {"1:", "4:", "0:"}, "test \"$(cat a)\" = two"},
        {"rm a", "git restore -s HEAD~1 a", {"1:", "10:", "0:", "0:"}, "test \"$(cat a)\" = one"},
        {"rm .gitignore",
         "git checkout .gitignore",
         {"12:", "11:", "1:", "4:", "0:"},
         "test -e .gitignore"},
        {"rm 'sub/b c'",
         "git restore -SW sub",
         {"1:sub/b c\n", "4:", "0:"},
         "test \"$(cat 'sub/b c')\" = one"},
        {"git stash -q && rm .gitignore",
         "git checkout -- . && git clean -fd",
         {"1:", "4:", "0:", "5:.gitignore\n"},
         "test -e .gitignore"},
        /* what is ignored, until it is not */
        {"echo '*' >.gitignore",
         "git checkout -- . && git clean -fd",
         {"1:.gitignore\na\n", "4:", "0:", "5:.gitignore\n", "6:"},
         "! test -e new"},
        {"git update-index --assume-unchanged .gitignore && echo '*' >.gitignore",
         "git reset --hard && git clean -fd",
         {"1:a\nsub/b c\n", "4:.gitignore\n", "0:", "5:", "6:.gitignore\n"},
         "! test -e new"},
        {"git stash -q && echo '*' >.gitignore && git commit -qam three",
         "git reset --hard HEAD~1 && git clean -fd",
         {"1:", "4:", "0:", "0:", "2:… three\n", "5:.gitignore\n"},
         "! test -e new"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_losses losses;
        tear_down(state);
        set_up(state);
        run(*state, rows[i].before);
        find(*state, rows[i].line, &losses);
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
        {"git branch -q -D x",
         "git --no-pager log --oneline x --not HEAD --exclude=x --branches --remotes --tags"},
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
        {"git branch -D x",
         "git --no-pager log --oneline x --not HEAD --exclude=x --branches --remotes --tags"},
        {"git branch -D x y", "git --no-pager log --oneline x y --not HEAD --exclude=x --exclude=y "
                              "--branches --remotes --tags"},
        {"git switch -q main; git branch -D x",
         "git --no-pager log --oneline x --not main --exclude=x --branches --remotes --tags"},
        {"git switch main --quiet && git branch -D x",
         "git --no-pager log --oneline x --not main --exclude=x --branches --remotes --tags"},
        {"git switch main && git branch -D x",
         "git --no-pager log --oneline x --not main --exclude=x --branches --remotes --tags"},
        {"bash -c 'git clean -f'", "git clean -n -f"},
        {"git -C 's t' clean -fdx", "git -C 's t' clean -n -fdx"},
        {"cd ./sub && git clean -fdx", "git -C ./sub clean -n -fdx"},
        {"cd sub && git clean -fdx", "git -C sub clean -n -fdx"},
        {"git reset --hard; make", "git status --short\ngit --no-pager diff HEAD"},
        {"rm -rf out 'sub/b c'",
         "git status --short --ignored -- out 'sub/b c'\nls -la -- out 'sub/b c'"},
        {"rm -rf out && rm a", "git status --short --ignored -- out\nls -la -- out\n"
                               "git status --short --ignored -- a\nls -la -- a"},
        {"cd ./sub && rm -rf 'b c'",
         "git -C ./sub status --short --ignored -- 'b c'\nls -la -- './sub/b c'"},
        {"rm -rf out && make", "git status --short --ignored -- out\nls -la -- out"},
        {"rm -rf /nonesuch out ../x",
         "git status --short --ignored -- out\nls -la -- /nonesuch out ../x"},
        {"cd ./sub && rm -rf /nonesuch 'b c' ../../x",
         "git -C ./sub status --short --ignored -- 'b c'\n"
         "ls -la -- /nonesuch './sub/b c' ./sub/../../x"},
        {"cd sub && rm -rf new ../out",
         "git -C sub status --short --ignored -- new\nls -la -- sub/new sub/../out"},
        /* others come first, or it cannot be said */
        {"git switch main && make", NULL},
        {"git reset --hard; make; git clean -f", NULL},
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
        {"git clean -n --no-dry-run -fd && git clean -f", NULL},
        {"git checkout a", "git --no-pager diff -- a"},
        {"git checkout none", NULL},
        {"git checkout none.c", "git --no-pager diff -- none.c"},
        {"git checkout -f none.c", "git status --short\ngit --no-pager diff HEAD"},
        {"git checkout v1.2", NULL},
        {"git checkout :none.c", NULL},
        {"git checkout 'n[o]ne.c'", NULL},
        {"git clean -f && git checkout none.c", NULL},
        {"git switch a", NULL},
        {"git checkout a*", NULL},
        {"git clean -f && git checkout new", NULL},
        {"git checkout a --theirs", NULL},
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
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct git_losses losses;
        find(*state, rows[i].line, &losses);
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
    free(loss.sizes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_told_is_what_is_gone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_name_of_a_commit_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_is_gone_is_looked_at, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_hides_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_others_have_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_rm_takes_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_comes_behind_is_told_of, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_rm_takes_by_a_pattern_alone_is_told, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_git_does_not_see_is_not_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_that_are_said_to_be_elsewhere_are_not_told, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(of_too_many_files_nothing_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_lies_in_an_empty_submodule_is_not_told_as_nothing,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            what_a_pattern_finds_in_an_empty_submodule_is_not_told_as_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_letter_is_what_it_is_to_the_shell, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_that_are_patterns_take_more, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_kept_out_of_the_tree_is_written_by_another_commit,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(rm_behind_clean_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(that_it_cannot_be_said_is_known, set_up, tear_down),
        cmocka_unit_test_setup_teardown(how_to_see_it_is_told, set_up, tear_down),
        cmocka_unit_test(what_git_says_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
