#!/bin/sh
# SPDX-License-Identifier: MIT
# Would a parser that is wrong be found out? Bugs are planted in the shell reader, one at a time,
# and shell_differ must find each of them within BUGS_COUNT (default 20000) scripts of its own
# making, which it stops at the first that was wrongly read. Runs in the build directory.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"
test_need bash dash
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
top=$(cd "$srcdir" && pwd)
found=0
missed=''

# Makes a copy of a source with the first text, which must be there once, replaced by the second.
plant() {
    OLD=$2 NEW=$3 awk '
        { text = text $0 "\n" }
        END {
            old = ENVIRON["OLD"]
            at = index(text, old)
            rest = substr(text, at + length(old))
            if (at == 0 || index(rest, old) > 0)
                exit 1
            printf "%s%s%s", substr(text, 1, at - 1), ENVIRON["NEW"], rest
        }' "$top/src/command/$1" >"$scratch/$1" || test_fail "$1: not once: $2"
}

# bug FILE OLD NEW
bug() {
    plant "$@"
    ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 -w -I. -I"$top/src" -I"$top" \
        -c "$scratch/$1" -o "$scratch/bug.o"
    ${CC:-cc} -o "$scratch/differ" "$scratch/bug.o" tests/fuzz/shell_differ.o \
        tests/fuzz/shell_expect.o tests/fuzz/shell_run.o tests/fuzz/shell_script.o \
        libcommand.a libbase.a ${LIBINTL:+"$LIBINTL"}
    if timeout 1200 "$scratch/differ" --first --seed 1 --count "${BUGS_COUNT-20000}" \
        tests/fuzz/shell_stub >"$scratch/out" 2>&1; then
        missed="$missed
$1: $2  ->  $3"
    else
        found=$((found + 1))
        printf 'found: %s: %s (%s)\n' "$1" "$2" "$(tail -n 1 "$scratch/out")"
    fi
}

planted_bugs_are_found() {
    # expansions that are taken for text
    bug shell_expansion.c 'is_one_of(next, "\" \t\n)|/")' 'is_one_of(next, "\" \t\n)|/(")'
    bug shell_expansion.c 'is_one_of(next, " \t\n;|&");' 'is_one_of(next, " \t\n;|&{x");'
    bug shell_word.c "        if (byte == '\`') {" "        if (byte == '\\1') {"
    bug shell_word.c "    case '?':" "    case '\\1':"
    bug shell_word.c "    case '~':" "    case '\\1':"
    bug shell_word.c 'draft->brace_list || draft->brace_open' 'false'
    # quotes
    bug shell_word.c 'is_one_of(shell_source_raw(source, 0), "$`\"\\")' \
        'is_one_of(shell_source_raw(source, 0), "$`\"\\a")'
    bug shell_word.c 'add_quoted(draft, source->text + source->at, 1)' \
        'add_quoted(draft, source->text + source->at - 1, 2)'
    bug shell_word.c '" \t\r\n;&|)"' '" \r\n;&|)"'
    bug shell_source.c "source->text[source->at] == '\\\\'" "source->text[source->at] == '\\1'"
    # comments, operators, keywords
    bug shell_grammar.c "    case '#':" "    case '\\1':"
    bug shell_grammar.c "if (shell_source_peek(source) == '&') {" 'if (true) {'
    bug shell_grammar.c "next == '|' ? SHELL_OR" "next == '|' ? SHELL_AND"
    bug shell_grammar.c 'if (level->command != SHELL_NO_NODE || level->after_compound)' \
        'if (level->after_compound)'
    bug shell_keyword.c '{"time", ' '{"a time", '
    # here-documents
    bug shell_heredoc.c '(!quoted && has_expansions(text, length))' '(false && !quoted)'
    bug shell_heredoc.c "while (body.end > body.start && source->text[body.end - 1] == '\\n')" \
        'while (false)'
    bug shell_heredoc.c 'known && !expands' 'known'
    bug shell_heredoc.c 'return ENDING_BASH;' 'continue;'
    # where shells differ
    bug shell_redirect.c "shell_source_peek(source) != '-'" 'true'
    bug shell_expansion.c 'if (quote_follows_name(source))' 'if (false)'
    # what is looked through
    bug shell.c '!environment_is_harmless(word->text)' 'false'
    bug shell.c 'word_listed(name->text, shell_changers, LENGTH(shell_changers))' 'false'
    bug shell.c "return word->text[0] != '-';" 'return true;'
    bug shell.c 'script->operators[0] != SHELL_AND' 'false'
    echo "$found found"
    [ -z "$missed" ] || test_fail "missed:$missed"
}

test_case planted_bugs_are_found
test_end
