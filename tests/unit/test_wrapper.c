/* SPDX-License-Identifier: MIT */
/* Programs that run programs, and options in front of subcommands. */
#include "config.h"

#include "command/wrapper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"

/* The words of a line; a ' stands for a blank in a word. */
static char **split(const char *line)
{
    char **words = xcalloc(strlen(line) + 1, sizeof(*words));
    size_t count = 0;
    for (; *line; line += strspn(line, " ")) {
        size_t length = strcspn(line, " ");
        words[count] = xstrndup(line, length);
        for (char *quote; (quote = strchr(words[count], '\''));)
            *quote = ' ';
        count++;
        line += length;
    }
    return words;
}

static void check_core(const char *line, const char *expected)
{
    cleanup_strv char **words = split(line);
    size_t count = strv_length((const char *const *)words);
    const char **core = wrapper_core((const char *const *)words, count);
    cleanup_strbuf struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; core && core[i]; i++)
        strbuf_addf(&out, "%s%s", i > 0 ? " " : "", core[i]);
    if (strcmp(strbuf_str(&out), expected) != 0)
        fail_msg("%s: %s, expected %s", line, strbuf_str(&out), expected);
    free(core);
}

static void wrappers_are_looked_through(void **state)
{
    (void)state;
    static const struct {
        const char *line, *core;
    } rows[] = {
        {"rm -rf x", "rm -rf x"},
        {"X=1 Y=2 rm x", "rm x"},
        {"env X=1 rm x", "rm x"},
        {"env -i -u A -C d X=1 rm x", "rm x"},
        {"env --unset A --chdir=d -- rm x", "rm x"},
        {"env", ""},
        {"/usr/bin/env -uA rm x", "rm x"},
        {"timeout 5 rm x", "rm x"},
        {"timeout -k 3 -s KILL 5s rm x", "rm x"},
        {"timeout --signal KILL --kill-after=3 5 rm x", "rm x"},
        {"timeout --sig KILL 5 rm x", "rm x"},
        {"timeout -- 5 rm x", "rm x"},
        {"time -p rm x", "rm x"},
        {"time -f %e -o out rm x", "rm x"},
        {"nice rm x", "rm x"},
        {"nice -n 5 rm x", "rm x"},
        {"nice -5 rm x", "rm x"},
        {"nice --adjustment 5 nohup stdbuf -oL -e 0 rm x", "rm x"},
        {"command rm x", "rm x"},
        {"command -v rm", ""},
        {"xargs rm -f", "rm -f"},
        {"xargs -0 -n1 -I {} rm {}", "rm {}"},
        {"xargs -I{} -P 4 rm {}", "rm {}"},
        {"xargs --max-args 1 --no-run-if-empty rm", "rm"},
        {"sudo rm x", "rm x"},
        {"sudo -nu root X=1 rm x", "rm x"},
        {"sudo --user root -- rm x", "rm x"},
        {"sudo -l", ""},
        {"doas -u root rm x", "rm x"},
        {"sudo env timeout 5 nice rm x", "rm x"},
        {"exec -a name rm x", "rm x"},
        {"flock -w 3 lock rm x", "rm x"},
        {"chroot --userspec=a dir rm x", "rm x"},
        {"taskset -c 0 rm x", "rm x"},
        {"ionice -c 2 -n 4 rm x", "rm x"},
        {"strace -f -o out rm x", "rm x"},
        {"rtk git status", "git status"},
        {"mise exec -- rm x", "rm x"},
        {"mise run test", "mise run test"},
        {"mise -C d run test", "mise run test"},
        {"uv run --with x pytest -q", "pytest -q"},
        {"poetry run pytest", "pytest"},
        {"bundle exec rake", "rake"},
        {"pnpm --filter web exec tsc --noEmit", "tsc --noEmit"},
        {"pnpm --filter web test -u", "pnpm test -u"},
        {"pnpm -F web -r build", "pnpm build"},
        {"git -C d status -s", "git status -s"},
        {"git -c a=b --git-dir d --no-pager log -p", "git log -p"},
        {"git --version", "git --version"},
        {"/usr/bin/git -C d push", "/usr/bin/git push"},
        {"npm --prefix d run build", "npm run build"},
        {"cargo +nightly --config x test", "cargo test"},
        {"kubectl -n a --context b get pods", "kubectl get pods"},
        {"make -C d test", "make -C d test"},
        {"ls -l", "ls -l"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        check_core(rows[i].line, rows[i].core);
}

static void raising_is_seen(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool raises;
    } rows[] = {
        {"sudo ls", true},        {"env X=1 sudo ls", true},  {"timeout 5 doas ls", true},
        {"su -c ls", true},       {"/usr/bin/sudo -l", true}, {"X=1 pkexec ls", true},
        {"echo sudo ls", false},  {"nice ls sudo", false},    {"nsenter -t 1 ls", true},
        {"mise run sudo", false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_strv char **words = split(rows[i].line);
        size_t count = strv_length((const char *const *)words);
        if (wrapper_raises((const char *const *)words, count) != rows[i].raises)
            fail_msg("%s", rows[i].line);
    }
}

static void scripts_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *line, *script;
        size_t index;
    } rows[] = {
        {"bash -c rm'x", "rm x", 2},
        {"bash -lc rm'x", "rm x", 2},
        {"bash -euo pipefail -c rm'x a", "rm x", 4},
        {"/bin/sh -x +e -c rm'x", "rm x", 4},
        {"bash rm'x", NULL, 0},
        {"bash", NULL, 0},
        {"sudo -u a env X=1 sh -c rm'x", "rm x", 7},
        {"env -S rm'x", "rm x", 2},
        {"env -Srm'x", "rm x", 1},
        {"env --split-string=rm'x", "rm x", 1},
        {"env --spl=rm'x", "rm x", 1},
        {"env --s rm'x", "rm x", 2},
        {"env -S bash'-c rm'x", "bash -c 'rm x'", 2},
        {"env -u A -Srm -rf x", "rm -rf x", 3},
        {"env -S -i rm -rf x", "env -i rm -rf x", 2},
        {"su -c rm'x root", "rm x", 2},
        {"su root -c rm'x", "rm x", 3},
        {"su - root -c rm'x", "rm x", 4},
        {"runuser -u a --command=rm'x", "rm x", 3},
        {"flock lock -c rm'x", "rm x", 3},
        {"script -qc rm'x log", "rm x", 2},
        {"script -qcrm'x log", "rm x", 1},
        {"script -c rm'x log", "rm x", 2},
        {"watch -n 1 rm'x", "rm x ", 3},
        {"eval rm x", "rm x ", 1},
        {"ssh -p 22 host rm'x", "rm x ", 4},
        {"ssh host", NULL, 0},
        {"xargs sh -c rm'x", "rm x", 3},
        {"rm -c x", NULL, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_strv char **words = split(rows[i].line);
        size_t count = strv_length((const char *const *)words), index = 0;
        cleanup_free char *script = wrapper_script((const char *const *)words, count, &index);
        if (!script != !rows[i].script || (script && strcmp(script, rows[i].script) != 0) ||
            (script && index != rows[i].index))
            fail_msg("%s: %s at %zu", rows[i].line, script ? script : "none", index);
    }
}

static void subcommands_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *line, *subcommand;
    } rows[] = {
        {"git status", "status"},
        {"git -C d -c a=b push -f", "push"},
        {"git --git-dir d push", "push"},
        {"git --git-dir=d push", "push"},
        {"git", ""},
        {"git --version", ""},
        {"pnpm --filter x test", "test"},
        {"kubectl --namespace a delete b", "delete"},
        {"other -a b", "b"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_strv char **words = split(rows[i].line);
        size_t count = strv_length((const char *const *)words);
        assert_string_equal(wrapper_subcommand((const char *const *)words, count),
                            rows[i].subcommand);
    }
}

static void options_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *line, *options;
        bool has;
    } rows[] = {
        {"rm -rf x", "-f --force", true},
        {"rm --force x", "-f --force", true},
        {"rm -r -- -f", "-f", false},
        {"rm x", "-f", false},
        {"git push --force=x", "--force", true},
        {"find . -delete", "-delete", true},
        {"find . -d", "-delete", false},
        {"git log -- x", "--", true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cleanup_strv char **words = split(rows[i].line);
        size_t count = strv_length((const char *const *)words);
        if (wrapper_has_option((const char *const *)words, count, rows[i].options) != rows[i].has)
            fail_msg("%s: %s", rows[i].line, rows[i].options);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrappers_are_looked_through), cmocka_unit_test(raising_is_seen),
        cmocka_unit_test(scripts_are_found),           cmocka_unit_test(subcommands_are_found),
        cmocka_unit_test(options_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
