#!/bin/sh
# SPDX-License-Identifier: MIT
# The renderer of the pictures in doc/: a real screen becomes SVG that holds its text and colours.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3
e2e_begin

a_screen_becomes_a_picture() {
    console_open main 80x24 -c guard_time=0 --policy untrusted
    client one -- touch 'a<b>&c'
    asked main "touch 'a<b>&c'"
    wait_screen main 'Esc put aside' # the last row of the request
    screen -e main >"$e2e_dir/screen"
    python3 "$srcdir/doc/screenshots/render.py" 80 24 'A <title>' <"$e2e_dir/screen" >"$e2e_dir/screen.svg"
    python3 - "$e2e_dir/screen.svg" <<'CODE'
import sys
import xml.etree.ElementTree as tree

names = "{http://www.w3.org/2000/svg}"
root = tree.parse(sys.argv[1]).getroot()
texts = ["".join(text.itertext()) for text in root.iter(names + "text")]
assert any("touch 'a<b>&c'" in text for text in texts), texts
assert root.find(names + "title").text == "A <title>"
assert len({text.get("fill") for text in root.iter(names + "text")}) > 3
right = max(float(text.get("x")) + float(text.get("textLength")) for text in root.iter(names + "text"))
assert right <= float(root.get("width")), right
CODE
    keys main d
    client_ends one 77
    console_stop main
}

test_case a_screen_becomes_a_picture
e2e_end
