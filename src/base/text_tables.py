#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes text_tables.c from the files of the Unicode Character Database, version 15.0.

    python3 src/base/text_tables.py /usr/share/unicode > src/base/text_tables.c

The directory holds UnicodeData.txt, EastAsianWidth.txt, PropList.txt, Scripts.txt and
DerivedCoreProperties.txt, DerivedNormalizationProps.txt as Unicode publishes them (Debian:
package unicode-data). The result is committed: building needs neither Python nor these files.
"""
import sys

LAST = 0x10FFFF


def properties(name, field=1):
    """(first, last, value) for each line of a property file."""
    with open(f"{sys.argv[1]}/{name}", encoding="utf-8") as lines:
        for line in lines:
            columns = [column.strip() for column in line.split("#")[0].split(";")]
            if len(columns) > field and columns[0]:
                first, _, last = columns[0].partition("..")
                yield int(first, 16), int(last or first, 16), columns[field:]


def having(name, value):
    """The code points for which a property file says `value`."""
    found = set()
    for first, last, columns in properties(name):
        if columns[: len(value)] == value:
            found.update(range(first, last + 1))
    return found


class Character:
    def __init__(self, fields):
        self.category = fields[2]
        self.order = int(fields[3])
        self.bidi = fields[4]
        form = fields[5].split()
        self.compatible = bool(form) and form[0].startswith("<")
        self.parts = [int(part, 16) for part in form if not part.startswith("<")]


def read_characters():
    characters = {}
    first = None
    with open(f"{sys.argv[1]}/UnicodeData.txt", encoding="ascii") as lines:
        for line in lines:
            fields = line.rstrip("\n").split(";")
            code = int(fields[0], 16)
            if fields[1].endswith(", First>"):
                first = code
                continue
            for each in range(first if first is not None else code, code + 1):
                characters[each] = Character(fields)
            first = None
    return characters


characters = read_characters()
ignorable = having("DerivedCoreProperties.txt", ["Default_Ignorable_Code_Point"])


def category(*wanted):
    return {code for code, c in characters.items() if c.category in wanted}


def span(*ranges):
    return {code for first, last in ranges for code in range(first, last + 1)}


# ---- width ----------------------------------------------------------------------------------
wide = set()
for first, last, columns in properties("EastAsianWidth.txt"):
    if columns[0] in ("W", "F"):
        wide.update(range(first, last + 1))
# Reserved for ideographs: wide before they are assigned (EastAsianWidth.txt says so in its head).
wide |= span((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FFFD), (0x30000, 0x3FFFD))
jamo = span((0x1160, 0x11FF), (0xD7B0, 0xD7FF))  # join the syllable before them
marks = category("Mn", "Me")
zero = (marks | category("Cf", "Zl", "Zp", "Cc") | ignorable | jamo) - having(
    "PropList.txt", ["Prepended_Concatenation_Mark"]
)
# The soft hyphen and the Hangul fillers take columns on terminals although they are ignorable.
zero -= {0xAD, 0x115F, 0x3164, 0xFFA0}
wide -= zero

# ---- what is never shown as it is --------------------------------------------------------------
always = set(range(LAST + 1)) - set(characters)  # unassigned, noncharacters
always |= category("Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp") | ignorable | jamo
always |= having("DerivedNormalizationProps.txt", ["NFC_QC", "N"])  # looks like its NFC form
always |= {code for code, c in characters.items() if c.bidi in ("R", "AL", "AN")}
# The rest of the blocks that are kept for right-to-left scripts: their marks and signs.
always |= span((0x0590, 0x08FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFF), (0x10800, 0x10FFF), (0x1E800, 0x1EFFF))
always |= {0x2800, 0x1D159, 0x16FE4}  # blank: empty Braille cell, null notehead, Khitan filler
# Flags, skin tones and keycaps join their neighbours on some terminals and not on others.
always |= span((0x1F1E6, 0x1F1FF), (0x1F3FB, 0x1F3FF)) | category("Me")
always -= {0x20}

# Looks like a character that means something to a shell. Those whose compatibility form holds
# ASCII punctuation (fullwidth, small, presentation forms) come from the database, the dashes too;
# the rest is listed by what it imitates.
SHELL = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
IMITATIONS = {
    ";": "\u204f",
    "|": "\u01c0\u01c1\u2016\u2223\u2225\u23d0\u23b8\u23b9\u2502\u2503\u2551\u2758\u2759\u275a\u4e28",
    "/": "\u2044\u2215\u2571\u27cb\u29f6\u29f8\u3033\u2cc6",
    "\\": "\u2216\u2572\u27cd\u29f5\u29f9\u244a",
    "'": "\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u2018\u2019\u201b\u2032\u275b\u275c\ua78c",
    "`": "\u02cb\u2035",
    '"': "\u02ba\u02ee\u02f6\u201c\u201d\u201f\u275d\u275e\u301d\u301e\u301f",
    ",": "\u02cc\u201a\u201e",
    "<": "\u02c2\u2039\u276e\u2770\u27e8\u3008",
    ">": "\u02c3\u203a\u276f\u2771\u27e9\u3009",
    "(": "\u2768\u276a\u2985\u2e28",
    ")": "\u2769\u276b\u2986\u2e29",
    "[": "\u2772\u3014\u27e6",
    "]": "\u2773\u3015\u27e7",
    "{": "\u2774\u2983",
    "}": "\u2775\u2984",
    "*": "\u204e\u2217\u2731\u22c6",
    "!": "\u01c3\u2d51\u2762",
    "?": "\u0294\u0241\u097d\u13ae\ua6eb",
    "#": "\u266f\u29e3",
    "~": "\u02dc\u223c\u2053\u301c",
    "=": "\u2e40\ua78a\u30a0",
    ":": "\u02d0\u02f8\u0589\u2236\u205a\ua789",
    "-": "\u02d7\u2043\u2796\u2cba\u2500\u2501\u23af\u1428\u1173",
    ".": "\u2024\ua4f8",
    "_": "\u02cd\u2017",
    "^": "\u02c4\u02c6\u2038\u2303",
    "%": "\u066a\u2052",
    "+": "\u2795\u16ed",
    "$": "\U0001f4b2",
    "@": "",
    "&": "\ua778",
}
lookalike = {ord(c) for each in IMITATIONS.values() for c in each}
lookalike |= having("PropList.txt", ["Dash"])
for code, c in characters.items():
    letters = {chr(part) for part in c.parts}
    if c.compatible and letters & set(SHELL) and " " not in letters:
        lookalike.add(code)
lookalike -= always | {ord("-")}

# ---- combining marks ---------------------------------------------------------------------------
# Spacing marks too where normalization moves or joins them.
seconds = {c.parts[1] for c in characters.values() if len(c.parts) == 2 and not c.compatible}
moved = {code for code, c in characters.items() if c.category == "Mc" and (c.order or code in seconds)}
shown_marks = (marks | moved) - always
excluded = having("DerivedNormalizationProps.txt", ["Full_Composition_Exclusion"])
composed = {code for code, c in characters.items() if c.parts and not c.compatible} - excluded
pairs = sorted(
    (characters[code].parts[1], characters[code].parts[0])
    for code in composed
    if characters[code].parts[1] in shown_marks and characters[code].parts[0] not in composed
)

# ---- letters that look alike ---------------------------------------------------------------------
scripts = {}
for first, last, columns in properties("Scripts.txt"):
    for code in range(first, last + 1):
        scripts[code] = columns[0]
IMITATE_LATIN = ("Greek", "Cyrillic", "Armenian", "Coptic", "Cherokee", "Lisu", "Deseret", "Osage")
letters = category("Lu", "Ll", "Lt", "Lm", "Lo", "Nl")
foreign = {code for code in letters if scripts.get(code) in IMITATE_LATIN} - always
# Phonetic letters are Latin too, yet several cannot be told from the common ones.
latin = {code for code in letters if scripts.get(code) == "Latin"} - always
phonetic = latin & span((0x0250, 0x02AF), (0x1D00, 0x1DBF), (0xA7F8, 0xA7FF))
styled = set()
for code, c in characters.items():
    if c.compatible and code > 0xFF and c.parts and all(chr(p).isascii() and chr(p).isalnum() for p in c.parts):
        styled.add(code)
styled = (styled | phonetic) - always - lookalike
latin -= styled | lookalike


# ---- output --------------------------------------------------------------------------------------
def ranges(codes):
    result = []
    for code in sorted(codes):
        if result and result[-1][1] == code - 1:
            result[-1][1] = code
        else:
            result.append([code, code])
    return result


def rows(cells):
    line = "   "
    for cell in cells:
        if len(line) + len(cell) + 1 > 99:
            print(line)
            line = "   "
        line += " " + cell
    print(line)


def table(kind, name, cells):
    print(f"\nconst struct {kind} text_{name}[] = {{")
    rows([cell + "," for cell in cells])
    print("};")
    print(f"const size_t text_{name}_count = sizeof text_{name} / sizeof *text_{name};")


def range_table(name, codes):
    table("text_range", name, [f"{{0x{first:X}, 0x{last:X}}}" for first, last in ranges(codes)])


print("/* SPDX-License-Identifier: MIT */")
print("/* Written by text_tables.py from the Unicode Character Database 15.0 (\u00a9 Unicode, Inc.,")
print(" * terms: https://www.unicode.org/license.txt); do not edit. */")
print("/* clang-format off */")
print('#include "config.h"\n\n#include "base/text_tables.h"')
range_table("wide", wide)
range_table("zero", zero)
range_table("always", always)
range_table("lookalike", lookalike)
range_table("latin", latin)
range_table("foreign", foreign)
range_table("styled", styled)
range_table("composed", composed)
cells = []
for order in sorted({characters[code].order for code in shown_marks}):
    for first, last in ranges({code for code in shown_marks if characters[code].order == order}):
        cells.append((first, f"{{0x{first:X}, 0x{last:X}, {order}}}"))
table("text_mark", "marks", [cell for _, cell in sorted(cells)])
table("text_pair", "pairs", [f"{{0x{mark:X}, 0x{base:X}}}" for mark, base in pairs])
