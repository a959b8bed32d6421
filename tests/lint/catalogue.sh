#!/bin/sh
# SPDX-License-Identifier: MIT
# Every catalogue is complete and well formed for the sources as they are.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"
test_need xgettext msgmerge msgfmt
languages=$(sed '/^#/d' "$srcdir/po/LINGUAS")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$srcdir" || exit 1
srcdir=.

catalogues_are_complete() {
    xgettext --files-from=po/POTFILES.in --keyword=_ --keyword=N_ --keyword=P_:1,2 --keyword=C_:1c,2 \
        --from-code=UTF-8 --add-comments=L10N: --output="$scratch/assent.pot"
    for language in $languages; do
        msgmerge --quiet --no-fuzzy-matching --output-file="$scratch/$language.po" \
            "po/$language.po" "$scratch/assent.pot"
        msgfmt --check --statistics --output-file=/dev/null "$scratch/$language.po" \
            2>"$scratch/statistics" || { cat "$scratch/statistics" >&2; exit 1; }
        msgattrib --untranslated --no-obsolete "$scratch/$language.po" | grep '^msgid' >&2 || true
        if grep -E 'fuzzy|untranslated' "$scratch/statistics" >&2; then
            test_fail "$language is not complete"
        fi
    done
}

# msgid and msgstr must agree about what stands at the edges and between: options, keys.
translations_keep_option_names() {
    for language in $languages; do
        python3 - "po/$language.po" <<'CODE'
import re
import sys

blocks = open(sys.argv[1], encoding="utf-8").read().split("\n\n")
wrong = []
for block in blocks:
    lines = [line for line in block.split("\n") if not line.startswith("#")]
    text = "\n".join(lines)
    parts = re.split(r"^msgstr(?:\[0\])? ", text, maxsplit=1, flags=re.M)
    if len(parts) != 2 or parts[0].strip() == 'msgid ""' or parts[1].startswith('""\n'):
        continue
    names = lambda part: set(re.findall(r"--[a-z][a-z-]+|\b[a-z]+_[a-z_]+\b", re.sub(r'"\n"|^msg\w+', "", part, flags=re.M)))
    if names(parts[0]) != names(parts[1]):
        wrong.append(parts[0])
if wrong:
    sys.exit("names differ in:\n" + "\n".join(wrong))
CODE
    done
}

test_case catalogues_are_complete
test_case translations_keep_option_names
test_end
