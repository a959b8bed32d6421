#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Renders a captured terminal screen (text with SGR sequences, as `tmux capture-pane -p -e` gives
it, on standard input) as SVG on standard output.

    render.py COLUMNS ROWS TITLE
"""

import re
import sys
import unicodedata
from xml.sax.saxutils import escape

CELL_WIDTH = 8.4
CELL_HEIGHT = 18
FONT_SIZE = 14
MARGIN = 12
FOREGROUND, BACKGROUND = "#d8dee9", "#16181d"
FIRST = (
    "#1d1f21 #cc6666 #8fbf6f #e5c07b #6f9fd8 #b294bb #6fb3b8 #c5c8c6 "
    "#767b83 #e06c75 #98c379 #f0c674 #81a2be #c678dd #8abeb7 #ffffff"
).split()


def palette(index):
    if index < 16:
        return FIRST[index]
    if index >= 232:
        level = 8 + 10 * (index - 232)
        return f"#{level:02x}{level:02x}{level:02x}"
    steps = (0, 95, 135, 175, 215, 255)
    index -= 16
    return "#" + "".join(f"{steps[part]:02x}" for part in (index // 36, index // 6 % 6, index % 6))


class Style:
    def __init__(self):
        self.reset()

    def reset(self):
        self.foreground = self.background = None
        self.bold = self.dim = self.italic = self.underline = self.reverse = False

    def _colour(self, numbers):
        kind = numbers.pop(0) if numbers else 0
        if kind == 5 and numbers:
            return palette(numbers.pop(0))
        if kind == 2 and len(numbers) >= 3:
            return "#" + "".join(f"{numbers.pop(0):02x}" for _ in range(3))
        return None

    def apply(self, parameters):
        numbers = [int(part) if part else 0 for part in re.split("[;:]", parameters)]
        while numbers:
            number = numbers.pop(0)
            if number == 0:
                self.reset()
            elif number in (1, 2, 3, 4, 7):
                setattr(self, {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse"}[number], True)
            elif number in (22, 23, 24, 27):
                for name in {22: ("bold", "dim"), 23: ("italic",), 24: ("underline",), 27: ("reverse",)}[number]:
                    setattr(self, name, False)
            elif number in (38, 48):
                setattr(self, "foreground" if number == 38 else "background", self._colour(numbers))
            elif number == 39:
                self.foreground = None
            elif number == 49:
                self.background = None
            elif 30 <= number <= 37 or 90 <= number <= 97:
                self.foreground = palette(number - 30 if number < 90 else number - 82)
            elif 40 <= number <= 47 or 100 <= number <= 107:
                self.background = palette(number - 40 if number < 100 else number - 92)

    def looks(self):
        """Foreground, background (None: the screen's), and the rest."""
        foreground, background = self.foreground, self.background
        if self.reverse:
            foreground, background = background or BACKGROUND, foreground or FOREGROUND
        return (foreground or FOREGROUND, background, self.bold, self.dim, self.italic, self.underline)


def width(character):
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def runs(line, style):
    """(column, columns, text, looks) of each stretch of one look."""
    found, column = [], 0
    for part in re.split("(\x1b\\[[0-9;:]*m|\x1b[()][A-Z0-9]|[\x0e\x0f])", line):
        if part.startswith("\x1b["):
            style.apply(part[2:-1])
        elif part and part[0] not in "\x1b\x0e\x0f":
            columns = sum(width(character) for character in part)
            found.append((column, columns, part, style.looks()))
            column += columns
    return found


def render(text, columns, rows, title):
    box_width = columns * CELL_WIDTH + 2 * MARGIN
    box_height = rows * CELL_HEIGHT + 2 * MARGIN
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{box_width:.0f}" height="{box_height:.0f}" '
        f'viewBox="0 0 {box_width:.0f} {box_height:.0f}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
        f'<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{FONT_SIZE}" '
        'xml:space="preserve">',
    ]
    style = Style()
    for row, line in enumerate(text.split("\n")[:rows]):
        for column, length, part, looks in runs(line, style):
            foreground, background, bold, dim, italic, underline = looks
            x, y = MARGIN + column * CELL_WIDTH, MARGIN + row * CELL_HEIGHT
            if background:
                out.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{length * CELL_WIDTH:.1f}" '
                    f'height="{CELL_HEIGHT}" fill="{background}"/>'
                )
            if not part.strip():
                continue
            more = ' font-weight="bold"' if bold else ""
            more += ' opacity="0.6"' if dim else ""
            more += ' font-style="italic"' if italic else ""
            more += ' text-decoration="underline"' if underline else ""
            out.append(
                f'<text x="{x:.1f}" y="{y + CELL_HEIGHT - 5}" fill="{foreground}"{more} '
                f'textLength="{length * CELL_WIDTH:.1f}" lengthAdjust="spacingAndGlyphs">'
                f"{escape(part)}</text>"
            )
    out.append("</g></svg>")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.stdout.write(render(sys.stdin.read(), int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
