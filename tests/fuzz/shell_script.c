/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "shell_script.h"

#include <stdbool.h>
#include <string.h>

#include "base/array.h"

#define PICK(chance, array) ((array)[shell_chance_below(chance, COUNT(array))])

unsigned shell_chance_below(struct shell_chance *chance, unsigned limit)
{
    chance->state = chance->state * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(chance->state >> 33) % limit;
}

static bool one_in(struct shell_chance *chance, unsigned times)
{
    return shell_chance_below(chance, times) == 0;
}

static const char *const names[] = {
    "c0",  "c1",  "c2", "c3",   "c4",   "c5",   "git",  "echo", "printf", "true", "false",
    "cat", "tee", "wc", "head", "grep", "sort", "test", "pwd",  "./run",  "c0",   "c1",
};

/* Pieces of words. Unquoted, mostly harmless. */
static const char *const bare[] = {
    "x",        "-l",     "--opt=v", "a.c",   "HEAD^", "stash@{0}", "a~b",       "a=b",
    "1,2",      "%s",     "a:b",     "@",     "+x",    "-",         "--",        "{}",
    "a{b",      "c}",     "=",       "a#b",   "2",     "12",        "a,b",       "..",
    "./d",      "d/e.c",  "src",     "if",    "done",  "\\;",       "\\$x",      "a\\ b",
    "\\\"",     "\\'",    "\\\\",    "\\#",   "\\*",   "\\~",       "\\{a,b\\}", "]",
    "\xc3\xa9", "a\\\nb", "\\a",     "x\\>y", "\\!",   "!",
};

static const char *const quoted[] = {
    "''",           "\"\"",     "'a b'",        "\"a b\"",  "'$(c9)'",
    "\"\\$(c9)\"",  "'`c9`'",   "\"\\`c9\\`\"", "'&& c9'",  "\"; c9\"",
    "'#'",          "\"#\"",    "'a\nb'",       "\"a\nb\"", "\"a\\\nb\"",
    "'a\\\nb'",     "'>x'",     "\"2>&1\"",     "'*'",      "\"?\"",
    "'[a]'",        "'~'",      "\"~/x\"",      "'{a,b}'",  "\"it's\"",
    "'say \"x\"'",  "\"\\\\\"", "'\\'",         "\"$ \"",   "\"a$\"",
    "\"^a$|(b$)\"", "\"$)/\"",  "\"x$/\"",      "\"\\a\"",  "'!'",
    "\"a\tb\"",     "'|'",      "\"(c9)\"",     "'EOF'",    "\"\xe2\x80\x94\"",
    "'$x'",         "\"\\\"\"", "'<<E'",
};

/* What a parser may fall for. */
static const char *const hostile[] = {
    "$(c1)",
    "`c1`",
    "$x",
    "$?",
    "\"$?\"",
    "x$?",
    "$?*",
    "$??",
    "\"a$?b'$?\"",
    "\\$?",
    "'$?'",
    "$\\\n?",
    "${x:-$(c1)}",
    "\"$)$(c1)\"",
    "\"$|`c1`\"",
    "\"$\\\n)\"",
    "\"$(c1 $)\"",
    "\"${x:-$)}\"",
    "${x:-<(c1)}",
    "${x:=$>(c1)}",
    "\"`c1 \"$|\"`\"",
    "\"$(c1)\"",
    "\"`c1`\"",
    "$((1+1))",
    "$'a'",
    "$\"a\"",
    "*",
    "?.c",
    "a*",
    "[ab].c",
    "./*",
    "d/?.c",
    "-*",
    "\"a\"*",
    "''*",
    "~",
    "~/x",
    "a=~",
    "{a,b}",
    "{1..3}",
    "<(c1)",
    ">(c1)",
    "(c1)",
    "$",
    "!",
    "a!b",
    "!!",
    "$\\\n(c1)",
    "\"$\\\n(c1)\"",
    "'",
    "\"",
    "\\",
    "`",
    "$(",
    ")",
    "#",
    "{fd}>o9",
    "3>o9",
    "9<a.c",
    "2>&-",
    "<&1",
    ">&o9",
    "&>o9",
    "&>/dev/null",
    ">|o9",
    "<>o9",
    "<<<x",
    "x=1",
    "x+=1",
    "=c1",
    "$[1]",
    "$[1; c8]",
    "\"$[1\" ; c8 \"]\"",
    "&>o9 c8",
    ">! o9",
    "c?",
    "${x}",
    "a\\\n>o9",
    "1\\\n>o9",
    ">\\\n&1",
    "&",
    "|&",
    ";;",
    "[[",
    "]]",
    "1>",
    "\\\n",
    "2\\\n>&1",
    "$(cat <<E\nx\nE\n)",
    "\"$(cat <<E\n$x\nE\n)\"",
    "\"$(cat <<'E'\nx\nE\nc1)\"",
    "\"$(cat <<'E'\nx\nE )\"",
    "'a'$(c1)",
    "%1",
    "$'\\x63\\061'",
    "$'\\u0063\\n\\q\\''",
    "$'\\U0010FFFFF\\101",
    "a\\001",
    "x\001",
    "\xe2\x80\x8b",
    ("c\xd0\xb0"
     "1"),
    "\xff",
    "==",
    "===c1",
    ">&$x",
    ">&\"a$x\"",
    "$(($(c1)))",
    "$((c1)",
    "${x:-{a}}",
    "${x:-'}'}",
    "$(c1 <<E\nx\nE\n)",
    "\"$(cat <<'E' 1x)\"",
    "\"$(cat <<E\n\\\nE\n)\"",
    "\"$(cat <<EO\\\nF\nx\nEOF\n)\"",
    "\"$(cat <<'E\nx\nE\n)\"",
    "\"$(cat <<'E' x\ny\nE\n)\"",
    "x=(a b",
    "<(c1",
};

static const char *const operators[] = {" && ",    " || ",      "; ",         " | ",  "\n",
                                        "&&",      "||",        ";",          "|",    " &&\n",
                                        " ||\n  ", " |\n",      "\n\n",       " ;\n", " &&\\\n",
                                        "\\\n&& ", " # note\n", " && # c9\n", " #\n"};

static const char *const redirects[] = {
    ">/dev/null", "2>/dev/null",  "2>&1",        ">/dev/null 2>&1", "1>&2",  ">&2",
    "</dev/null", "2> /dev/null", ">>/dev/null", "> '/dev/null'",   "2>& 1", ">o1",
    "> o1",       ">>o2",         "2>o1",        "> 'o 3'",         ">./o1", ">d/o2",
    "> \"o1\"",   "<a.c",         "< d/e.c",     "2>>o2",           "1>o1",
};

static const char *const compounds[] = {
    "if c1; then c2; fi",
    "if false; then c1; elif true; then c2; else c3; fi",
    "for i in 1 2; do c1 $i; done",
    "for i in a; do c1; done | cat",
    "while false; do c1; done",
    "until true; do c1; done",
    "case x in x) c1;; *) c2;; esac",
    "case x in (y) c1;; esac",
    "{ c1; c2; }",
    "{ c1; } >o1",
    "(c1; c2)",
    "(c1) && c2",
    "f() { c1; }; f",
    "function f { c1; }; f",
    "f() (c1); f x",
    "! c1",
    "time c1",
    "[[ -n x ]] && c1",
    "[[ a < b ]] || c1",
    "((1+1)) && c1",
    "((c1))",
    "[[ a || c1 ]]",
    "[[ -n x && c1 ]] && c2",
    "[[ x; c1 ]]",
    "[[ a =~ (c1|c2) ]]; c3",
    "[[ a ]] || ((c1 && [[ x || c2 ]]))",
    "echo $'a\\'; c1 #'",
    "echo $'a\\' && c1 $'b\\'; c2 #'; c3 #'",
    "echo \"x\" $'\\'' ; c1 ' c2; '",
    "((c1 x)); c2",
    "(( c1 && (c2) )) || c3",
    "(((c1)))",
    "c1 & c2",
    "c1 &",
    "x=1",
    "x=1; c1 $x",
    "x=$(c1)",
    "x=(a $(c1)); c2",
    "c1 <<E\n$(c2)\nE\n",
    "c1 <<'E'\n$(c9)\nE\n",
    "c1 <<-E\n\tx\n\tE\nc2",
    "c1 <<A; c2 <<B\nx\nA\ny\nB\nc3",
    "c1 |& c2",
    "coproc c1; wait",
    "eval c1",
    "exec c1",
    "command c1",
    "builtin echo c1",
    ". ./none",
    "export x=1; c1",
    "set -- a; c1",
    "cd d; c1",
    "(cd d && c1); c2",
    "exit; c1",
    "trap c1 EXIT",
    "alias a=c1\na",
    "printf -v x y; c1",
    "c1 $(c2 $(c3))",
    "c1 \"$(c2 \"$(c3)\")\"",
    "c1 `c2 \\`c3\\``",
    "c1 <(c2) >(c3)",
    "echo $((1 + $(c1; echo 1)))",
    "echo ${x:=$(c1)}",
    "c1 <<<$(c2)",
    "case $(c1) in *) c2;; esac",
    "for i in $(c1); do c2; done",
    "test -n \"$(c1)\" && c2",
    "if true; then c1 | c2; fi",
    "while read l; do c1; done <a.c",
    "c1 && { c2 || c3; }",
    "((c1); c2)",
    "$(echo c1)",
    "\"c\"1",
    "c$x",
    "{c1,x}",
    "if c1\nthen\nc2\nfi",
    "c1 | while false; do c2; done",
    "select i in a; do c1; break; done </dev/null",
    "for i do c1; done",
    "for ((i=0;i<2;i++)); do c1; done",
    "echo a >$(c1)",
    "c1; echo \"exit: $?\"",
    "false || echo $? $?x",
    "c1; printf '%s' \"$?\"; c2 $?",
    "echo ${?} $?; $?",
    "command -v c1",
    "command -V c1 c2 || c3",
    "command -v",
    "command -v -p c1",
    "command -pv c1",
    "command \"-v\" c1",
    "[ ! -f a.c ] && c1",
    "test ! -d x || c2",
    "c1 ! c2 && ! c3",
    "c1 | ! c2",
    "! ! c1",
    "x=1 ! c1",
    "c1 !\\\n(c2)",
    "time ! c1",
    "c1 2>&1 >$(c2)o",
    "c1 >&-c2",
    "2>& -c1 c2",
    "<&-\"c1\" c2 | c3",
    "false && echo ${x'}; c1; echo '}",
    "false && echo ${x\"}; c1; echo \"}",
    "false && echo ${x\\}; c1; echo \\}",
    "let x=1; c1",
    "unset x; c1",
    "c1; } ; c2",
    "fi; c1",
    "c1 ;; c2",
    "do c1; done",
    "readonly y=1; c1",
    "return 0; c1",
    "shopt -s extglob\nc1 @(a|b)",
    "c1 <<\"E\"; c2\nx\nE\nc3",
    "cat <<E | c1\n`c2`\nE\n",
    "cat <<E\na$x\nE\n",
    "cat <<E | c1\na\\\\b\nE\n",
    "x+=1; c1",
    "x+=1 c1",
    "coproc NAME { c1; }; wait",
    "time -p c1",
    "time -- c1",
    "repeat 2 c1",
    "function f() { c1; }; f",
    "function f() (c1); f",
    "test -v 'a[$(c1)]'",
    "test -n '$x'; c1",
    "printf '%s' a; c1",
    "\"$(cat <<'E'\nc1\nE\n)\"",
    "[a]1 x",
    "$((1+1)) c1",
    "((x=1+(2*3))) && c1",
    "(( c1 ) )",
    "foreach i (a b); c1; end",
    "c1 <<E &&\nx\nE\nc2",
    "c1 <<E $(\nc2\n)\nx\nE\n",
    "cat <<'A B'\nx\nA B\nc1",
    "cat <<E\\\nF\nx\nEF\nc1",
    "cat <<E\nx",
    "c1 2>&1 <<'E' | c2\nx\nE\n",
    "((((((((((((((((((((((((((((((((((c1))))))))))))))))))))))))))))))))))",
    ("$($($($($($($($($($($($($($($($($($($($($($($($($($($($($($($($($(c1)))))))))))))))))))))))))"
     ")"
     ")))))"),
    "{ { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { c1",
    "c1 <<A <<B <<C <<D <<E <<F <<G <<H <<I\nA\nB\nC\nD\nE\nF\nG\nH\nI\n",
    "case x in x) c1 ;& y) c2 ;;& *) c3 ;; esac",
    "case x in esac; c1",
    "c1 && ! c2",
    "if c1; then :; fi >o1 2>&1; c2",
    "while c1 | false; do :; done; c2",
    "c1 <&- ; c2 >&-",
    "exec 3>o1; c1 >&3",
    "echo $((c1) && cat <<'E'\nx)\nc2\nE\nc3",
    "echo $((c1); c2 <<E)\nx\nE\nc3",
    "echo $((c1); cat <<'E'; c2\nx\nE\nc3)",
    "echo \"$((c1) \"$(c2 \")\")\")\"; c3",
    "echo $((c1) && c2 $'\\')' `c3 \")\"`); c4",
    "echo $((c1) # )\nc2",
    "echo $((1 + ${x:-$((2))}))$((c1) | c2)",
    "((c1); cat <<'E'; c2\nx)\nE\nc3)",
};

/* Patterns that are looked through, matched by files or not. */
static const char *const patterns[] = {"a*", "d/*", "d/?.c", "src/*.[ch]", "a.[!x]", "./*.c"};

static void add_word(struct shell_chance *chance, struct strbuf *out)
{
    if (one_in(chance, 24)) {
        strbuf_addstr(out, PICK(chance, patterns));
        return;
    }
    for (unsigned parts = 1 + one_in(chance, 4) + one_in(chance, 8); parts > 0; parts--)
        strbuf_addstr(out, one_in(chance, 2) ? PICK(chance, bare) : PICK(chance, quoted));
}

static void add_blanks(struct shell_chance *chance, struct strbuf *out)
{
    static const char *const blanks[] = {" ", " ", " ", "  ", "\t", " \\\n", " \\\n  "};
    strbuf_addstr(out, PICK(chance, blanks));
}

static void add_name(struct shell_chance *chance, struct strbuf *out)
{
    static const char *const disguised[] = {"c\\0", "'c1'", "\"c\"2", "c\\\n3",
                                            "\\c4", "''c5", "c0\"\""};
    strbuf_addstr(out, one_in(chance, 8) ? PICK(chance, disguised) : PICK(chance, names));
}

/* The heredoc is a message as agents write them, with whatever may be in it. */
static void add_body(struct shell_chance *chance, bool literal, struct strbuf *out)
{
    static const char *const lines[] = {"fix: it's \"a\" thing (b)",
                                        "- item",
                                        "",
                                        "EO",
                                        "EOFx)\"; c9; \"",
                                        "EOF)",
                                        " EOF",
                                        "x)\"; c9; \"",
                                        "don't",
                                        "`c9`",
                                        "$(c9)",
                                        "\\",
                                        "a \\",
                                        "&& c9",
                                        "#",
                                        "'",
                                        "\")",
                                        "((("};
    for (unsigned count = shell_chance_below(chance, 5); count > 0; count--) {
        const char *line = PICK(chance, lines);
        if (literal || !strpbrk(line, "$`\\") || one_in(chance, 8))
            strbuf_addf(out, "%s\n", line);
    }
}

static void add_heredoc_word(struct shell_chance *chance, struct strbuf *out)
{
    static const char *const openings[] = {"'EOF'", "\"EOF\"", "EOF", " 'EOF'", "'EOF' "};
    unsigned form = shell_chance_below(chance, COUNT(openings));
    strbuf_addf(out, " -m \"%s$(cat <<%s\n", one_in(chance, 4) ? "a " : "", openings[form]);
    add_body(chance, form != 2, out);
    strbuf_addf(out, "EOF\n%s)%s\"", one_in(chance, 4) ? " " : "", one_in(chance, 4) ? " b" : "");
}

/* `cat > o1 <<'EOF' && c1` and its text behind the end of the line. */
static void add_heredoc_command(struct shell_chance *chance, struct strbuf *out)
{
    static const char *const commands[] = {"cat", "cat >o1", "tee o1", "cat | c1", "c2", "cat - x"};
    static const char *const rests[] = {"",     " >/dev/null", " && c1", " | c2",
                                        "; c3", " 'a\nb'",     " &&",    " # c9"};
    bool literal = !one_in(chance, 4);
    strbuf_addf(out, "%s <<%s%s", PICK(chance, commands), literal ? "'EOF'" : "EOF",
                PICK(chance, rests));
    strbuf_addch(out, '\n');
    add_body(chance, literal, out);
    strbuf_addstr(out, one_in(chance, 16) ? "EOF \n" : "EOF\n");
    if (one_in(chance, 2))
        strbuf_addstr(out, "c4\n");
}

static void add_command(struct shell_chance *chance, struct strbuf *out)
{
    static const char *const prefixes[] = {"CI=1 ", "LC_ALL=C ", "TZ='UTC' ", "CI=1 NO_COLOR=1 ",
                                           "x=1 ",  "CI=$x ",    "PATH=/x ",  "CI=\\\n1 "};
    static const char *const told[] = {"echo \"exit: $?\"", "echo $? ' $?'", "printf '%s' x$?y",
                                       "command -v c1",     "command -V c9", "test ! -f a.c"};
    if (one_in(chance, 12))
        strbuf_addstr(out, PICK(chance, prefixes));
    if (one_in(chance, 16))
        strbuf_addf(out, "%s ", PICK(chance, redirects));
    if (one_in(chance, 24)) {
        strbuf_addstr(out, PICK(chance, told));
        return;
    }
    add_name(chance, out);
    for (unsigned count = shell_chance_below(chance, 4); count > 0; count--) {
        add_blanks(chance, out);
        if (one_in(chance, 40))
            strbuf_addstr(out, PICK(chance, hostile));
        else if (one_in(chance, 8))
            strbuf_addstr(out, PICK(chance, redirects));
        else
            add_word(chance, out);
    }
    if (one_in(chance, 6))
        strbuf_addf(out, " %s", PICK(chance, redirects));
    if (one_in(chance, 24))
        add_heredoc_word(chance, out);
}

static void add_directory(struct shell_chance *chance, const char *directory, struct strbuf *out)
{
    static const char *const targets[] = {"./d", "./d", "d",  "./none",         "./d/..",
                                          "..",  "-",   "''", "./d 2>/dev/null"};
    static const char *const others[] = {"; ", " | ", " || "};
    strbuf_addstr(out, "cd ");
    if (one_in(chance, 3))
        strbuf_addf(out, "'%s'", directory);
    else
        strbuf_addstr(out, PICK(chance, targets));
    strbuf_addstr(out, one_in(chance, 4) ? PICK(chance, others) : " && ");
}

void shell_script_make(struct shell_chance *chance, const char *directory, struct strbuf *out)
{
    if (one_in(chance, 16))
        strbuf_addstr(out, "# note\n");
    if (one_in(chance, 8))
        add_directory(chance, directory, out);
    for (unsigned count = 1 + shell_chance_below(chance, 4); count > 0; count--) {
        if (one_in(chance, 30))
            strbuf_addstr(out, PICK(chance, compounds));
        else if (one_in(chance, 20))
            add_heredoc_command(chance, out);
        else if (one_in(chance, 40))
            add_directory(chance, directory, out);
        else
            add_command(chance, out);
        if (count > 1)
            strbuf_addstr(out, PICK(chance, operators));
    }
    if (one_in(chance, 12))
        strbuf_addstr(out, PICK(chance, operators));
}

void shell_script_mutate(struct shell_chance *chance, struct strbuf *script)
{
    static const char alphabet[] = " \t\n'\"\\`$&|;<>(){}[]*?~#!=^%,:.-012xEF";
    for (unsigned count = 1 + shell_chance_below(chance, 3); count > 0 && script->length > 0;
         count--) {
        unsigned length = (unsigned)script->length, at = shell_chance_below(chance, length);
        char byte = alphabet[shell_chance_below(chance, sizeof(alphabet) - 1)];
        switch (shell_chance_below(chance, 4)) {
        case 0:
            script->data[at] = byte;
            break;
        case 1: /* take one out */
            memmove(script->data + at, script->data + at + 1, length - at);
            script->length--;
            break;
        case 2: /* put one in */
            strbuf_addch(script, ' ');
            memmove(script->data + at + 1, script->data + at, length - at);
            script->data[at] = byte;
            break;
        default: /* swap two */
            script->data[at] = script->data[length - 1 - at];
            script->data[length - 1 - at] = byte;
            break;
        }
    }
}
