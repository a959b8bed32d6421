/* SPDX-License-Identifier: MIT */
/* The generous reading of shell scripts: every command is found, wherever it stands. */
#include "config.h"

#include "command/shell_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"

static const char *const signs[] = {"<", ">", ">>", "<>", ">&", "&>", "<<", "<<<"};

/* "SL:<rm>~<$x> >out": contexts, then words, those that are expanded behind a ~, then
 * redirections. Contexts are Substitution, subshell (P), Loop, Condition, Group, Function,
 * Background, Heredoc. Heads of compound commands are in parentheses. */
static void render_node(const struct shell_node *node, struct strbuf *out)
{
    for (size_t i = 0; i < 8; i++)
        if (node->context & 1u << i)
            strbuf_addch(out, "SPLCGFBH"[i]);
    if (node->context)
        strbuf_addch(out, ':');
    strbuf_addstr(out, node->kind == SHELL_HEADER ? "(" : "");
    for (size_t i = 0; i < node->assignment_count; i++)
        strbuf_addf(out, "%s ", node->assignments[i].text);
    for (size_t i = 0; i < node->word_count; i++)
        strbuf_addf(out, "%s<%s>", node->words[i].literal ? "" : "~", node->words[i].text);
    for (size_t i = 0; i < node->redirect_count; i++)
        strbuf_addf(out, " %s%s", signs[node->redirects[i].kind], node->redirects[i].target.text);
    strbuf_addstr(out, node->kind == SHELL_HEADER ? ")" : "");
    strbuf_addch(out, '\n');
}

static void check_tree(const char *script, const char *expected)
{
    struct shell_tree *tree = shell_tree_new(script, strlen(script));
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < tree->count; i++)
        render_node(&tree->nodes[i], &out);
    if (strcmp(strbuf_str(&out), expected) != 0)
        fail_msg("%s:\n%sexpected:\n%s", script, strbuf_str(&out), expected);
    strbuf_free(&out);
    shell_tree_free(&tree);
}

static void substitutions_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *script, *nodes;
    } rows[] = {
        {"ls $(rm -rf x) y", "<ls>~<$(rm -rf x)><y>\nS:<rm><-rf><x>\n"},
        {"ls \"a$(rm x)b\"", "<ls>~<a$(rm x)b>\nS:<rm><x>\n"},
        {"ls `rm x`", "<ls>~<`rm x`>\nS:<rm><x>\n"},
        {"ls \"`rm \\\"x\\\"`\"", "<ls>~<`rm \\\"x\\\"`>\nS:<rm><x>\n"},
        {"ls `a \\`b\\``", "<ls>~<`a \\`b\\``>\nS:<a>~<`b`>\nS:<b>\n"},
        {"$(a $(b) | c)", "~<$(a $(b) | c)>\nS:<a>~<$(b)>\nS:<b>\nS:<c>\n"},
        {"x=$(rm y)", "x=$(rm y) \nS:<rm><y>\n"},
        {"x=$(rm y) ls", "x=$(rm y) <ls>\nS:<rm><y>\n"},
        {"x=(a $(rm y) \"b c\") ls", "x=(a $(rm y) \"b c\") <ls>\nS:<rm><y>\n"},
        {"ls ${x:-$(rm y)}", "<ls>~<${x:-$(rm y)}>\nS:<rm><y>\n"},
        {"ls \"${x:-'$(rm y)'}\"", "<ls>~<${x:-'$(rm y)'}>\nS:<rm><y>\n"},
        {"ls $((1 + $(rm y)))", "<ls>~<$((1 + $(rm y)))>\nS:<rm><y>\n"},
        {"ls $((rm y) )", "<ls>~<$((rm y) )>\nSP:<rm><y>\n"},
        {"ls $((a) && cat <<'E'\nx)\nrm y\nE\nb",
         "<ls>~<$((a) && cat <<'E'\nx)>\nSP:<a>\nS:<cat> <<E\n<rm><y>\n<E>\n<b>\n"},
        {"ls $((a) && cat <<'E'; b )\nx\nE\nrm y",
         "<ls>~<$((a) && cat <<'E'; b )>\nSP:<a>\nS:<cat> <<E\nS:<b>\n<x>\n<E>\n<rm><y>\n"},
        {"ls $((a) # )\nrm y", "<ls>~<$((a) # )>\nSP:<a>\n<rm><y>\n"},
        {"ls $((a) $'\\')' \")\" `b \")\"`); rm y",
         "<ls>~<$((a) $'\\')' \")\" `b \")\"`)>\nSP:<a>\nS:~<')><)>~<`b \")\"`>\n"
         "S:<$\\>\nS:< \")\" `b \")\"`>\nS:<b><)>\n"
         "<rm><y>\n"},
        {"ls \"$((a) \"$(b \")\")\")\"; rm y",
         "<ls>~<$((a) \"$(b \")\")\")>\nSP:<a>\nS:~<$(b \")\")>\nS:<b><)>\n<rm><y>\n"},
        {"ls $[1+`rm y`]", "<ls>~<$[1+`rm y`]>\nS:<rm><y>\n"},
        {"diff <(rm x) >(tee y)", "<diff>~<<(rm x)>~<>(tee y)>\nS:<rm><x>\nS:<tee><y>\n"},
        {"cat <<E\na $(rm x) `rm y`\nE\nls", "<cat> <<E\nSH:<rm><x>\nSH:<rm><y>\n<ls>\n"},
        {"echo > $(rm x)", "<echo> >$(rm x)\nS:<rm><x>\n"},
        {"$'\\x72m' x $'\\u0041\\101\\n\\''", "~<rm><x>~<AA\n'>\n:<$\\u0041\\101\\n\\>\n"},
        {"$\"rm\" x", "~<rm><x>\n"},
        /* dash computes nothing: what is text to it ends where text does */
        {"a $[1; rm x]", "<a>~<$[1; rm x]>\n:<rm><x]>\n"},
        {"a $[1 + 2] b", "<a>~<$[1 + 2]><b>\n"},
        {"a \"$[1\"; rm x; \"]\"; b", "<a>~<$[1\"; rm x; \"]>\n:<rm><x>\n:<]>\n:<b>\n<b>\n"},
        {"case $(rm x) in *) ls;; esac", "(<case>~<$(rm x)><in>)\nS:<rm><x>\nC:<ls>\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        check_tree(rows[i].script, rows[i].nodes);
}

static void compound_commands_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *script, *nodes;
    } rows[] = {
        {"if a; then b; elif c; then d; else e; fi; f", "C:<a>\nC:<b>\nC:<c>\nC:<d>\nC:<e>\n<f>\n"},
        {"for x in a b; do rm $x; done; ls", "L:(<for><x><in><a><b>)\nL:<rm>~<$x>\n<ls>\n"},
        {"for x do rm $x; done", "L:(<for><x><do>)\nL:<rm>~<$x>\n"},
        {"for x\ndo rm y\ndone", "L:(<for><x>)\nL:<rm><y>\n"},
        {"for ((i=0;i<$(n);i++)); do rm y; done", "L:(<for>)\nSL:<n>\nL:<rm><y>\n"},
        {"select x in a; do rm y; done", "L:(<select><x><in><a>)\nL:<rm><y>\n"},
        {"while read l; do rm y; done < f", "L:<read><l>\nL:<rm><y>\n <f\n"},
        {"until a; do b; done | c", "L:<a>\nL:<b>\n<c>\n"},
        {"case x in a|b) rm y;; (c) ls;& *) d;;& esac\nz",
         "(<case><x><in>)\nC:<rm><y>\nC:<ls>\nC:<d>\n<z>\n"},
        {"case x in esac; z", "(<case><x><in>)\n<z>\n"},
        {"{ a; b; } > o; c", "G:<a>\nG:<b>\n >o\n<c>\n"},
        {"(a; (b)) && c", "P:<a>\nP:<b>\n<c>\n"},
        {"f() { rm x; }; f", "(<f>)\nGF:<rm><x>\n<f>\n"},
        {"function f { rm x; }", "(<function><f>)\nGF:<rm><x>\n"},
        {"function f () (rm x)", "(<function><f>)\nPF:<rm><x>\n"},
        {"f()\nif a; then b; fi; c", "(<f>)\nCF:<a>\nCF:<b>\n<c>\n"},
        {"! time -p -- rm x", "<rm><x>\n"},
        {"coproc rm x; coproc n { rm y; }", "<rm><x>\n(<n>)\nG:<rm><y>\n"},
        {"[[ -f $(a) && x < y || (z) ]] && rm y",
         "<[[><-f>~<$(a)><x><y><z><]]>\nS:<a>\n"
         ":~<[[><-f>~<$(a)>\nS:<a>\n:<x> <y\nP:<z>\n<rm><y>\n"},
        /* dash does not compute: it runs what stands there */
        {"((i++ + $(a))) && rm x", "\nS:<a>\nP:<i++><+>~<$(a)>\nSP:<a>\n<rm><x>\n"},
        {"((rm x))", "\nP:<rm><x>\n"},
        {"((a); b)", "P:<a>\nP:<b>\n"},
        {"a & b; c && d & e", "B:<a>\n<b>\nB:<c>\nB:<d>\n<e>\n"},
        {"a |& b; repeat 3 rm x; end", "<a>\n<b>\n(<repeat><3>)\n<rm><x>\n"},
        {"a; ) rm x ;; } fi rm y", "<a>\n<rm><x>\n<rm><y>\n"},
        {"if a; then b", "C:<a>\nC:<b>\n"},
        {"a 'b\nrm x", "<a><b\nrm x>\n"},
        {"ls\r\nrm x\r\n", "<ls>\n<rm><x>\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        check_tree(rows[i].script, rows[i].nodes);
}

static void redirections_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *script, *nodes;
    } rows[] = {
        {"echo hi > ~/.bashrc", "<echo><hi> >~/.bashrc\n"},
        {"a >>b <c 2>d <>e >|f", "<a> >>b <c >d <>e >f\n"},
        {"a &>b; a >&c; a &>>d; a 2>&1; a <&-", "<a> &>b\n<a> &>c\n<a> &>d\n<a> >&1\n<a> >&-\n"},
        /* to dash the command ends at the & */
        {"a &>b rm c; d", "<a><rm><c> &>b\n:<rm><c> >b\n:<d>\n<d>\n"},
        {"a &>b 2>&1; c", "<a> &>b >&1\n: >b >&1\n:<c>\n<c>\n"},
        {"a b >! c", "<a><b><c> >!\n"},
        {"{n}>a b; 12>a b", "<b> >a\n<b> >a\n"},
        {"a <<<\"b c\"", "<a> <<<b c\n"},
        {"a <<E; b\nc $(d)\nE\ne", "<a> <<E\n<b>\nSH:<d>\n<e>\n"},
        {"a <<\\E; b\nc $(d)\nE\ne", "<a> <<E\n<b>\n<e>\n"},
        {"a <<-E\n\tb\n\tE\nc", "<a> <<E\n<c>\n"},
        {"a <<A <<B\nx\nA\ny\nB\nc", "<a> <<A <<B\n<c>\n"},
        {"a <<E\nx\\\nE\n$(b)\nE\nc", "<a> <<E\nSH:<b>\n<c>\n"},
        {"a <<'E'\nx\\\nE\nc", "<a> <<E\n<c>\n"},
        {"$(a <<E\nx\nE y)", "~<$(a <<E\nx\nE y)>\nS:<a> <<E\nS:<y>\n"},
        {"(a; b) > c", "P:<a>\nP:<b>\n >c\n"},
        {"> a", " >a\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        check_tree(rows[i].script, rows[i].nodes);
}

/* Where dash would run a program of that name. */
static void numbers_in_front_of_commands_differ(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        bool differs;
    } rows[] = {
        {"12>a b", true},  {"a && 21>&2 b", true}, {"{n}>a b", true},     {"2>a b", false},
        {"b 12>a", false}, {"exec 200>a", false},  {"\"12\">a b", false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct shell_tree *tree = shell_tree_new(rows[i].script, strlen(rows[i].script));
        if (tree->differs != rows[i].differs)
            fail_msg("%s", rows[i].script);
        shell_tree_free(&tree);
    }
}

/* Which nodes feed the last one. */
static void pipes_are_followed(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        size_t first, last;
    } rows[] = {
        {"a; b", 0, 0},
        {"a | b", 0, 1},
        {"a | b | c", 1, 2},
        {"(a; b) | c", 0, 2},
        {"x; { a; b; } | c", 1, 3},
        {"if a; then b; fi | c", 0, 2},
        {"while a; do b; done | c; d", 0, 0},
        {"a | (b; c)", 0, 1},
        {"a | { b; c; }", 0, 1},
        {"a | while b; do c; done", 0, 1},
        {"a | while b; do c; done; d", 0, 0},
        {"a | while b; do c; done\nd", 0, 0},
        {"a | b $(c)", 0, 1},
        {"a | while b; do c | d; done", 2, 3},
        {"a |\n b", 0, 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct shell_tree *tree = shell_tree_new(rows[i].script, strlen(rows[i].script));
        struct shell_nodes feeds = tree->nodes[tree->count - 1].feeds;
        bool none = rows[i].first == rows[i].last;
        if (none ? feeds.first != feeds.last
                 : feeds.first != rows[i].first || feeds.last != rows[i].last)
            fail_msg("%s: %zu to %zu", rows[i].script, feeds.first, feeds.last);
        shell_tree_free(&tree);
    }
}

static void places_are_bytes_of_the_script(void **state)
{
    (void)state;
    const char *script = "ls \"$(rm 'x y')\" > o | `a \\`b\\``";
    struct shell_tree *tree = shell_tree_new(script, strlen(script));
    assert_int_equal(tree->count, 5);
    const struct shell_node *ls = &tree->nodes[0], *rm = &tree->nodes[1], *a = &tree->nodes[3];
    assert_int_equal(ls->start, 0);
    assert_int_equal(ls->end, 20);
    assert_int_equal(ls->words[1].start, 3);
    assert_int_equal(ls->words[1].end, 16);
    assert_int_equal(ls->redirects[0].start, 17);
    assert_int_equal(rm->words[1].start, 9);
    assert_int_equal(rm->words[1].end, 14);
    assert_int_equal(rm->parent, 0);
    assert_int_equal(ls->parent, SHELL_NO_NODE);
    assert_int_equal(tree->nodes[2].operator_, SHELL_PIPE);
    /* What is in backquotes is a copy: it stands where they stand. */
    assert_int_equal(a->parent, 2);
    assert_int_equal(a->start, 23);
    assert_int_equal(a->end, strlen(script));
    assert_int_equal(tree->nodes[4].parent, 3);
    assert_int_equal(tree->nodes[4].words[0].start, 23);
    assert_int_equal(tree->offset, 4);
    shell_tree_free(&tree);
}

static char *repeated(const char *text, size_t times)
{
    struct strbuf out = STRBUF_INIT;
    while (times-- > 0)
        strbuf_addstr(&out, text);
    return strbuf_steal(&out);
}

static void limits_are_kept(void **state)
{
    (void)state;
    static const struct {
        const char *part;
        size_t times;
        bool truncated;
    } rows[] = {
        {"$(", SHELL_TREE_DEPTH_MAX + 1, true},
        {"$(", 10, false},
        {"(", 10000, true},
        {"${", 10000, true},
        {"$((", 10000, true},
        {"$((a) ", 10000, true},
        {"$((a) $(b))", 10000, true},
        {"((", 10000, true},
        {"$[", 10000, true},
        {"\"$(", 10000, true},
        {"<(", 10000, true},
        {"x=(", 10000, true},
        {"if ", 10000, true},
        {"{ ", 10000, true},
        {"a;", SHELL_TREE_COMMANDS_MAX, false},
        {"a;", SHELL_TREE_COMMANDS_MAX + 1, true},
        {"case x in a)", 10000, true},
        {"a<<E;", 100, true},
        {"ab", SHELL_TREE_BYTES_MAX / 2, false},
        {"ab", SHELL_TREE_BYTES_MAX / 2 + 1, true},
        {"`\\", 10000, false},
        {"f() ", 10000, true},
        {"\\\n", 10000, false},
        {"'\"$(`", 10000, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *script = repeated(rows[i].part, rows[i].times);
        struct shell_tree *tree = shell_tree_new(script, strlen(script));
        if (tree->truncated != rows[i].truncated)
            fail_msg("%s x %zu", rows[i].part, rows[i].times);
        assert_true(!tree->truncated || tree->reason);
        shell_tree_free(&tree);
        free(script);
    }
}

/* Of what ~ stands for nothing is in doubt, unless the script may have changed it or more is. */
static void the_home_directory_is_known(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        bool home;
    } rows[] = {
        {"ls ~", true},
        {"ls ~/", true},
        {"ls -l ~/x; cat ~/y", true},
        {"~/bin/x", true},
        {"ls ~ | wc", true},
        {"ls ~;ls", true},
        {"ls", false},
        {"ls '~'", false},
        {"ls ~root", false},
        {"ls ~+", false},
        {"ls x=~", false},
        {"ls ~\"/x\"", false},
        {"ls ~ $x", false},
        {"ls $x ~", false},
        {"ls ~; echo *$?", false},
        {"ls ~ $(cat ~/x)", false},
        {"ls ~/*; x=1", false},
        {"HOME=/x; ls ~", false},
        {"HOME=/x ls ~", false},
        {"export HOME=/x; ls ~", false},
        {"read HOME; ls ~", false},
        {"eval x; ls ~", false},
        {"ls ~ > x", true},
        {"ls > ~/x", true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct shell_tree *tree = shell_tree_new(rows[i].script, strlen(rows[i].script));
        if (shell_tree_is_of_home(tree->reason) != rows[i].home)
            fail_msg("%s: %s", rows[i].script, tree->reason);
        shell_tree_free(&tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(substitutions_are_read),
        cmocka_unit_test(compound_commands_are_read),
        cmocka_unit_test(redirections_are_read),
        cmocka_unit_test(numbers_in_front_of_commands_differ),
        cmocka_unit_test(pipes_are_followed),
        cmocka_unit_test(places_are_bytes_of_the_script),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(the_home_directory_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
