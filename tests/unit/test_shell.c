/* SPDX-License-Identifier: MIT */
/* The strict reading of shell scripts: what is plain and into which words, what is opaque. */
#include "config.h"

#include "command/shell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/strbuf.h"

/* Words in <>, commands joined by their operator: "<ls><-l> && <pwd>". */
static void render(const struct shell_script *script, struct strbuf *out)
{
    for (size_t i = 0; i < script->count; i++) {
        if (i > 0)
            strbuf_addf(out, " %s ", shell_operator_text(script->operators[i - 1]));
        for (char **word = script->commands[i].argv; *word; word++)
            strbuf_addf(out, "<%s>", *word);
    }
}

static void plain_scripts(void **state)
{
    (void)state;
    static const struct {
        const char *script, *words;
    } rows[] = {
        {"ls", "<ls>"},
        {"  ls \t-la   src ", "<ls><-la><src>"},
        {"git status && git diff || echo no; pwd | wc -l",
         "<git><status> && <git><diff> || <echo><no> ; <pwd> | <wc><-l>"},
        {"ls\npwd", "<ls> ; <pwd>"},
        {"\n\nls &&\n\n pwd\n", "<ls> && <pwd>"},
        {"ls;", "<ls>"},
        {"ls # rm -rf / ; \"open", "<ls>"},
        {"# first\nls", "<ls>"},
        {"echo a#b c#", "<echo><a#b><c#>"},
        {"echo 'it'\\''s'", "<echo><it's>"},
        {"echo \"a\\\"b\\$c\\d\"", "<echo><a\"b$c\\d>"},
        {"echo \"cost $ 5\" $", "<echo><cost $ 5><$>"},
        {"grep -E \"(PASS$|^b$)\" \"x$/y\"", "<grep><-E><(PASS$|^b$)><x$/y>"},
        {"r\\m 'x'\"y\"z", "<rm><xyz>"},
        {"r\\\nm -r\\\nf x", "<rm><-rf><x>"},
        {"echo \"a\\\nb\"", "<echo><ab>"},
        {"echo '' \"\" x", "<echo><><><x>"},
        {"find . -exec echo {} ';'", "<find><.><-exec><echo><{}><;>"},
        {"echo { } {a,b", "<echo><{><}><{a,b>"},
        {"echo {a\\,b} '{a,b}' a.{.}", "<echo><{a,b}><{a,b}><a.{.}>"},
        {"\"[[\" x; \\time y; '!' z", "<[[><x> ; <time><y> ; <!><z>"},
        {"FOO\\=1 ls; make CC=gcc; 1a=b", "<FOO=1><ls> ; <make><CC=gcc> ; <1a=b>"},
        {"echo foo/~ a~b '~'", "<echo><foo/~><a~b><~>"},
        {"git show HEAD^ stash@{0} @{u}", "<git><show><HEAD^><stash@{0}><@{u}>"},
        {"echo if then done", "<echo><if><then><done>"},
        {"echo h\xc3\xa9", "<echo><h\xc3\xa9>"},
        {"bash -c 'rm $x'", "<bash><-c><rm $x>"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct shell_script script;
        shell_parse(rows[i].script, strlen(rows[i].script), &script);
        if (!script.plain)
            fail_msg("opaque (%s at %zu): %s", script.reason, script.offset, rows[i].script);
        struct strbuf words = STRBUF_INIT;
        render(&script, &words);
        assert_string_equal(strbuf_str(&words), rows[i].words);
        strbuf_free(&words);
        shell_script_clear(&script);
    }
}

static void opaque_scripts(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        size_t offset;
    } rows[] = {
        {"", 0},
        {" # nothing", 0},
        {"ls $x", 3},
        {"ls \"$x\"", 4},
        {"ls $\\\n(id)", 3},
        {"echo \"$\\\n(id)\"", 6},
        {"ls `id`", 3},
        {"echo \"`id`\"", 6},
        {"ls *.c", 3},
        {"l* x", 0},
        {"ls -?", 3},
        {"ls ~", 3},
        {"make D=~/x", 7},
        {"x ~root:~", 2},
        {"echo {a,b}", 9},
        {"echo {1..3}", 10},
        {"echo {\"a\",b}", 11},
        {"ls <x", 3},
        {"diff <(a) b", 5},
        {"(ls)", 0},
        {"f() ls", 1},
        {"{ ls; }", 0},
        {"if ls", 0},
        {"ls && then", 6},
        {"time ls", 0},
        {"! ls", 0},
        {"ls a!b", 4},
        {"A=1 ls", 0},
        {"A+=1 ls", 0},
        {"ls; A=1", 4},
        {"ls &", 3},
        {"ls &> x", 3},
        {"ls |& cat", 3},
        {"ls ;; pwd", 3},
        {"; ls", 0},
        {"ls\n&& pwd", 3},
        {"ls && && pwd", 6},
        {"ls &&", 5},
        {"ls |", 4},
        {"ls 'x", 3},
        {"ls \"x", 3},
        {"ls \\", 3},
        {"'' x", 0},
        {"eval ls", 0},
        {"'ev'al ls", 0},
        {"ls; . x", 4},
        {"exec ls", 0},
        {"command rm x", 0},
        {"cd x && export A", 8},
        {"echo $'x'", 5},
        {"echo $\"x\"", 5},
        {"ls\r\npwd", 2},
        {"echo '\x1b[2K'", 6},
        {"ls \xff", 3},
        {"ls \xc2\x9b", 3},
        {"ls\xc2\xa0-l", 2},
        {"r\xe2\x80\x8bm x", 1},
        {"echo 'a\xe2\x80\xae'", 7},
        {"ls \xef\xbc\x9b rm", 3},
        {"l\xd1\x95 -l", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct shell_script script;
        shell_parse(rows[i].script, strlen(rows[i].script), &script);
        if (script.plain)
            fail_msg("plain: %s", rows[i].script);
        assert_non_null(script.reason);
        assert_int_equal(script.count, 0);
        if (script.offset != rows[i].offset)
            fail_msg("%s: opaque at %zu (%s), expected at %zu", rows[i].script, script.offset,
                     script.reason, rows[i].offset);
        shell_script_clear(&script);
    }
}

/* "null_redirect glob " */
static void render_constructs(unsigned constructs, struct strbuf *out)
{
    for (size_t i = 0; i < SHELL_CONSTRUCTS; i++)
        if (constructs & 1u << i)
            strbuf_addf(out, "%s ", shell_construct_name(1u << i));
}

/* Scripts that are understood and not plain, with the constructs that were looked through; NULL:
 * those that are neither. */
static const struct {
    const char *script, *words, *constructs;
} understood[] = {
    {"ls 2>&1", "<ls>", "null_redirect "},
    {"ls >/dev/null 2>&1 | wc", "<ls> | <wc>", "null_redirect "},
    {"2>/dev/null ls x", "<ls><x>", "null_redirect "},
    {"ls 2> '/dev/null' -l", "<ls><-l>", "null_redirect "},
    {"ls 1>&2 </dev/null >>/dev/null", "<ls>", "null_redirect "},
    {"echo 2 >&1; echo a2>&1", "<echo><2> ; <echo><a2>", "null_redirect "},
    {"cd /x && ls 2>&1", "<cd></x> && <ls>", "null_redirect cd "},
    {"ls src/*.c", "<ls><src/*.c>", "glob "},
    {"ls a? [b]", "", NULL},
    {"ls a? b[12]", "<ls><a?><b[12]>", "glob "},
    {"ls \"a\"*'*'", "<ls><a**>", "glob "},
    {"rm -- *", "<rm><--><*>", "glob "},
    {"git -- *", "", NULL},
    {"rm *  --", "", NULL},
    {"rm ''* x", "", NULL},
    {"CI=1 make", "<make>", "env_prefix "},
    {"LC_ALL=C TZ='UTC' sort x | CI=true cat", "<sort><x> | <cat>", "env_prefix "},
    {"CI=$x make", "", NULL},
    {"CI=1", "", NULL},
    {"PATH=/x make", "", NULL},
    {"CI+=1 make", "", NULL},
    {"CI=1 >/dev/null", "", NULL},
    {"echo x > a/b", "<echo><x>", "workspace_redirect "},
    {"> 'a b' echo x 2>> ./c", "<echo><x>", "workspace_redirect "},
    {"wc -l < src/x.c", "<wc><-l>", "workspace_redirect "},
    {"sh < x", "", NULL},
    {"echo x > ../b", "", NULL},
    {"echo x > a/../../b", "", NULL},
    {"echo x > /etc/b", "", NULL},
    {"echo x > ~/b", "", NULL},
    {"echo x > $b", "", NULL},
    {"echo x > b*", "", NULL},
    {"echo x > ''", "", NULL},
    {"echo x >| b", "", NULL},
    {"echo x <> b", "", NULL},
    {"echo x 3> b", "", NULL},
    {"echo x 12> b", "", NULL},
    {"echo x {fd}> b", "", NULL},
    {"echo x 2\\\n> b", "", NULL},
    {"echo x >\\\n& 1", "", NULL},
    {"echo x 2>&3", "", NULL},
    {"echo x 2>&-", "", NULL},
    {"echo x >&1-", "", NULL},
    {"echo x <&1", "", NULL},
    {"echo x >& b", "", NULL},
    {"echo x &> b", "", NULL},
    {"echo x &>/dev/null", "", NULL},
    {"echo x >", "", NULL},
    {"echo x > >(cat)", "", NULL},
    {"> /dev/null", "", NULL},
    {"git commit -m \"$(cat <<'EOF'\nit's \"a\" $(x) \\ b)\n\nc\n\nEOF\n)\" -q",
     "<git><commit><-m><it's \"a\" $(x) \\ b)\n\nc><-q>", "heredoc_literal "},
    {"echo \"a $( cat << E\nb\nE\n ) c\"", "<echo><a b c>", "heredoc_literal "},
    {"echo \"$(cat <<\"E\"\nE\n)\"", "<echo><>", "heredoc_literal "},
    {"echo \"$(cat <<E\n$x\nE\n)\"", "", NULL},
    {"echo \"$(cat <<'E'\nx\nE)\"", "", NULL},
    {"echo \"$(cat <<'E'\nx\n)\"", "", NULL},
    /* bash ends the text in the second line */
    {"echo \"$(cat <<'E'\nx\nEy) \"; rm z; \"\nE\n)\"", "", NULL},
    {"echo \"$(cat <<'E'\nEx\nE\n)\"", "<echo><Ex>", "heredoc_literal "},
    {"echo \"$(cat <<'E'\nx\nE\nrm y)\"", "", NULL},
    {"echo \"$(cat <<'E' y\nx\nE\n)\"", "", NULL},
    {"echo \"$(tac <<'E'\nx\nE\n)\"", "", NULL},
    {"echo $(cat <<'E'\nx\nE\n)", "", NULL},
    {"\"$(cat <<'E'\nx\nE\n)\" y", "", NULL},
    {"cat > x <<'EOF' && ls\n$(rm y)\nEOF\npwd", "<cat> && <ls> ; <pwd>",
     "workspace_redirect heredoc_input "},
    {"tee x <<E >/dev/null\nplain\nE\n", "<tee><x>", "null_redirect heredoc_input "},
    {"cat <<'E'\nx\n", "", NULL},
    {"cat <<'E'", "", NULL},
    {"cat <<E\n`x`\nE\n", "", NULL},
    {"cat <<E\nx\\\nE\nE\n", "", NULL},
    {"cat <<-E\nx\nE\n", "", NULL},
    {"cat <<'E F'\nx\nE F\n", "", NULL},
    {"cat <<'E' 'a\nb'\nx\nE\n", "", NULL},
    {"cat <<'E' \\\n a\nx\nE\n", "", NULL},
    {"cat <<A; cat <<B\nA\nB\n", "", NULL},
    {"sh <<'E'\nx\nE\n", "", NULL},
    {"echo 'a \xe2\x80\x94 b'", "<echo><a \xe2\x80\x94 b>", "prose "},
    {"ls # a \xe2\x80\x94 b", "<ls>", "prose "},
    {"a; echo \"b: $?\" $?c | d", "<a> ; <echo><b: $?><$?c> | <d>", "status "},
    {"a && printf %s $?", "<a> && <printf><%s><$?>", "status "},
    {"a $?", "", NULL},
    {"test $? = 0", "", NULL},
    {"$?", "", NULL},
    {"a$? b", "", NULL},
    {"echo $?*", "", NULL},
    {"echo $?$x", "", NULL},
    {"echo \"${?}\"", "", NULL},
    {"echo $?(a)", "", NULL},
    {"x=$? a", "", NULL},
    {"echo > $?", "", NULL},
    {"cat <<E\n$?\nE\n", "", NULL},
    {"command -v a b || c", "<command><-v><a><b> || <c>", "lookup "},
    {"command -V 'a'", "<command><-V><a>", "lookup "},
    {"command a", "", NULL},
    {"command -v", "", NULL},
    {"command -pv a", "", NULL},
    {"command -v -p a", "", NULL},
    {"command -v $x", "", NULL},
    {"command -v *", "", NULL},
    {"find . ! -name x", "<find><.><!><-name><x>", "bang "},
    {"[ ! -f a ] && b", "<[><!><-f><a><]> && <b>", "bang "},
    {"! a", "", NULL},
    {"a && ! b", "", NULL},
    {"a | ! b", "", NULL},
    {"CI=1 ! a", "", NULL},
    {"a !b", "", NULL},
    {"a b!", "", NULL},
    {"a !\\\nb", "", NULL},
    {"a !(b)", "", NULL},
    {"echo \xe2\x80\x94", "", NULL},
    {"echo 'a \xef\xbc\x9b b' \xef\xbc\x9b", "", NULL},
};

static void understood_scripts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof understood / sizeof understood[0]; i++) {
        struct shell_script script;
        shell_parse(understood[i].script, strlen(understood[i].script), &script);
        struct strbuf words = STRBUF_INIT, constructs = STRBUF_INIT;
        render(&script, &words);
        render_constructs(script.constructs, &constructs);
        if (script.understood != (understood[i].constructs != NULL) || script.plain)
            fail_msg("%s: %s (%s at %zu)", understood[i].script, strbuf_str(&constructs),
                     script.reason ? script.reason : "", script.offset);
        assert_string_equal(strbuf_str(&words), understood[i].words);
        assert_string_equal(strbuf_str(&constructs),
                            understood[i].constructs ? understood[i].constructs : "");
        assert_true(understood[i].constructs == NULL ||
                    shell_script_within(&script, script.constructs));
        assert_int_equal(shell_script_within(&script, 0), false);
        strbuf_free(&words);
        strbuf_free(&constructs);
        shell_script_clear(&script);
    }
}

static void directories_are_tracked(void **state)
{
    (void)state;
    /* The places of the commands: Here, There, Either, Anywhere. */
    static const struct {
        const char *script, *directory, *places;
    } rows[] = {
        {"ls", NULL, "H"},
        {"cd /a && ls && wc | wc", "/a", "HTTT"},
        {"cd / && ls", "/", "HT"},
        {"cd './a b/c' && ls", "./a b/c", "HT"},
        {"cd /a 2>/dev/null && ls", "/a", "HT"},
        {"cd /a && ls; pwd && wc", "/a", "HTEE"},
        {"cd /a && ls || pwd | wc", "/a", "HTEE"},
        {"cd /a && cd ./b && ls", "/a", "HTA"},
        {"cd a && ls", NULL, "HA"},
        {"cd /a; ls", NULL, "HA"},
        {"cd /a || ls", NULL, "HA"},
        {"cd /a | ls", NULL, "HA"},
        {"cd /a/../b && ls", NULL, "HA"},
        {"cd ./.. && ls", NULL, "HA"},
        {"cd -P /a && ls", NULL, "HA"},
        {"cd && ls", NULL, "HA"},
        {"CI=1 cd /a && ls", NULL, "HA"},
        {"cd /a* && ls", NULL, "HA"},
        {"ls && cd /a && pwd", NULL, "HHA"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct shell_script script;
        shell_parse(rows[i].script, strlen(rows[i].script), &script);
        assert_true(script.understood);
        if (rows[i].directory)
            assert_string_equal(script.directory, rows[i].directory);
        else
            assert_null(script.directory);
        char places[8] = "";
        for (size_t j = 0; j < script.count; j++)
            places[j] = "HTEA"[script.commands[j].place];
        if (strcmp(places, rows[i].places) != 0)
            fail_msg("%s: %s, expected %s", rows[i].script, places, rows[i].places);
        shell_script_clear(&script);
    }
}

static void a_directory_that_a_path_could_lead_away_from_is_near(void **state)
{
    (void)state;
    static const struct {
        const char *script, *directory;
        unsigned near; /* bits: commands that run there */
    } rows[] = {
        {"cd a && ls", "a", 2},         {"cd 'a b/c' && ls | wc && pwd", "a b/c", 14},
        {"cd a && ls; pwd", "a", 2},    {"cd a && ls || pwd", "a", 2},
        {"cd a && cd b && ls", "a", 0}, {"cd ./a && ls", NULL, 0},
        {"cd /a && ls", NULL, 0},       {"cd a; ls", NULL, 0},
        {"cd a/../b && ls", NULL, 0},   {"cd .. && ls", NULL, 0},
        {"cd - && ls", NULL, 0},        {"cd '' && ls", NULL, 0},
        {"cd '~' && ls", NULL, 0},      {"CI=1 cd a && ls", NULL, 0},
        {"cd +0 && ls", NULL, 0}, /* zsh: where it is */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct shell_script script;
        unsigned near = 0;
        shell_parse(rows[i].script, strlen(rows[i].script), &script);
        assert_true(script.understood);
        if (rows[i].directory)
            assert_string_equal(script.near_directory, rows[i].directory);
        else
            assert_null(script.near_directory);
        for (size_t j = 0; j < script.count; j++)
            near |= shell_script_runs_near(&script, j) ? 1U << j : 0;
        if (near != rows[i].near)
            fail_msg("%s: %u, expected %u", rows[i].script, near, rows[i].near);
        shell_script_clear(&script);
    }
}

static void builtins_that_evaluate_are_opaque(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        bool understood;
    } rows[] = {
        {"printf -v 'a[$(id)]' x", false},
        {"printf %s -v", true},
        {"printf %d 'a[$(id)]'", false},
        /* bash and zsh count into a variable */
        {"printf %n PATH; ls", false},
        {"printf 'a %-5hn' PATH; ls", false},
        {"printf -- %n PATH; ls", false},
        {"printf %%n PATH", true},
        {"printf '%s %%n\\n' PATH", true},
        {"printf a* PATH", false},
        /* zsh takes a number for arithmetic, in which there are assignments */
        {"printf %d PATH=5; ls", false},
        {"printf '%s %5.1f\\n' PATH=5 1.5", true},
        {"printf '%s %5.1f\\n' 1.5 PATH=5", false},
        {"printf '%s %d\\n' a 1 b PATH=5", false},
        {"printf '%s %d\\n' src/* PATH=5", false},
        {"printf '%s\\n' src/* PATH=5", true},
        {"printf %*d PATH=5 1", false},
        {"printf '%.*s' PATH=5 x", false},
        {"printf '%2$d' x PATH=5", false},
        {"printf '%\\x6e' PATH", false},
        {"printf '\\%s%d' PATH=5 1", false},
        {"printf '%d%%: 0x%02x\\n' -5 0x1f", true},
        {"printf '100%\\n'", true},
        {"print -f %d PATH=5", false},
        {"print -r -v PATH 5", false},
        {"print -rl a b", true},
        {"print -z ls", false},
        {"test -t PATH=5; ls", false},
        {"test -t 1", true},
        {"[ PATH=5 -eq 5 ]", false},
        {"[ 5 -lt PATH=5 ]", false},
        {"[ 5 -lt 7 ]", true},
        {"[ -t ]", true},
        {"getln PATH", false},
        {"zformat -f PATH 5; ls", false},
        {"print -f %d 'a[`id`]'", false},
        {"zstyle -e a b id", false},
        {"test -v 'a[$(id)]'", false},
        {"[ -f x ]", true},
        {"[ 'a[$(id)]' -eq 1 ]", false},
        {"test -f x -a -R y", false},
        {"wait -p x", false},
        {"jobs -x ls", false},
        {"%1", false},
        {"- ls", false},
        {"chdir x", false},
        {"echo =ls", false},
        {"echo = ==", true},
        {"echo =\"ls\"", false},
        {"noglob ls", false},
        {"repeat 2 ls", false},
        {"emulate sh -c ls", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct shell_script script;
        shell_parse(rows[i].script, strlen(rows[i].script), &script);
        if (script.understood != rows[i].understood)
            fail_msg("%s", rows[i].script);
        shell_script_clear(&script);
    }
}

static void nul_and_length_are_opaque(void **state)
{
    (void)state;
    struct shell_script script;
    shell_parse("ls\0-l", 5, &script);
    assert_false(script.plain);
    shell_script_clear(&script);

    size_t length = SHELL_SCRIPT_MAX + 1;
    char *text = xmalloc(length);
    memset(text, 'a', length);
    shell_parse(text, length, &script);
    assert_false(script.plain);
    shell_script_clear(&script);
    shell_parse(text, length - 1, &script);
    assert_true(script.plain);
    shell_script_clear(&script);
    free(text);
}

static void ranges_cover_each_command(void **state)
{
    (void)state;
    const char *text = "ls -l && 'pwd'; wc";
    struct shell_script script;
    shell_parse(text, strlen(text), &script);
    assert_int_equal(script.count, 3);
    assert_int_equal(script.commands[0].start, 0);
    assert_int_equal(script.commands[1].start, 9);
    assert_int_equal(script.commands[1].end, 14);
    assert_int_equal(script.commands[2].end, 18);
    shell_script_clear(&script);
}

static void wrapped_scripts(void **state)
{
    (void)state;
    const char *const lc[] = {"/bin/bash", "-lc", "ls", NULL};
    const char *const c[] = {"zsh", "-c", "pwd", NULL};
    const char *const more[] = {"bash", "-c", "ls", "arg0", NULL};
    const char *const other[] = {"dash2", "-c", "ls", NULL};
    const char *const option[] = {"sh", "-x", "ls", NULL};
    const char *const twice[] = {"bash", "-c", "-x", NULL};
    assert_string_equal(shell_wrapped_script(lc), "ls");
    assert_string_equal(shell_wrapped_script(c), "pwd");
    assert_null(shell_wrapped_script(more));
    assert_null(shell_wrapped_script(other));
    assert_null(shell_wrapped_script(option));
    assert_null(shell_wrapped_script(twice));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_scripts),
        cmocka_unit_test(opaque_scripts),
        cmocka_unit_test(understood_scripts),
        cmocka_unit_test(directories_are_tracked),
        cmocka_unit_test(a_directory_that_a_path_could_lead_away_from_is_near),
        cmocka_unit_test(builtins_that_evaluate_are_opaque),
        cmocka_unit_test(nul_and_length_are_opaque),
        cmocka_unit_test(ranges_cover_each_command),
        cmocka_unit_test(wrapped_scripts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
