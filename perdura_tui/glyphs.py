"""What stands in for characters that a terminal has no picture of, each as wide as what it stands for."""

from collections.abc import Mapping

from perdura_core.config import Glyphs

__all__ = ["substitutes", "suited"]

_BRAILLE = range(0x2800, 0x2900)
_QUADRANTS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
_UPPER_LEFT, _UPPER_RIGHT, _LOWER_LEFT, _LOWER_RIGHT = 0x03, 0x18, 0x44, 0xA0
"""Dots of the quarters of a braille cell: Unicode, chapter 21.1."""
_STROKES = " ''\".|//.\\|\\_\\/#"
"""For each set of quarters, in the order of `_QUADRANTS`, what comes nearest to a line through them."""
_ASCII = {
    "±": "~", "·": ".", "»": ">", "×": "x", "–": "-", "‖": "=", "“": '"', "”": '"', "…": "~", "‹": "<", "›": ">",
    "←": "<", "↑": "^", "→": ">", "↓": "v", "⇧": "^", "⊘": "/", "⌕": "?", "◀": "<", "▶": ">", "▲": "^", "▼": "v",
    "▾": "v", "─": "-", "━": "=", "╌": "-", "╸": "-", "│": "|", "┃": "|", "├": "|", "┤": "|", "╭": "+", "╮": "+",
    "╯": "+", "╰": "+", "▁": "_", "▂": ".", "▃": ".", "▄": "-", "▅": "-", "▆": "=", "▇": "=", "█": "#", "▌": ">",
    "■": "#", "◆": "#", "◇": "o", "○": "o", "◌": ".", "●": "*", "◐": "%", "◑": "%", "◔": "%", "★": "*", "✓": "+",
    "✗": "x", "≈": "~", "≡": "=",
}  # fmt: skip


def suited(wanted: Glyphs, environ: Mapping[str, str]) -> Glyphs:
    """What was wished for; with `auto`, what the terminal of this environment can be expected to show."""
    if wanted != "auto":
        return wanted
    locale = next((environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(name)), "")
    speaks_utf8 = not locale or "utf" in locale.lower()
    terminal = environ.get("TERM", "")
    return "braille" if speaks_utf8 and terminal != "linux" and not terminal.startswith("vt") else "ascii"


def substitutes(glyphs: Glyphs) -> Mapping[int, str]:
    """A table for `str.translate`; empty where nothing needs a substitute."""
    if glyphs == "blocks":
        return {code: _QUADRANTS[_quarters(code)] for code in _BRAILLE}
    if glyphs == "ascii":
        drawn = {ord(glyph): plain for glyph, plain in _ASCII.items()}
        return drawn | {code: _STROKES[_quarters(code)] for code in _BRAILLE}
    return {}


def _quarters(code: int) -> int:
    """Which quarters of a braille cell hold a dot, as bits: upper left, upper right, lower left, lower right."""
    dots = code - _BRAILLE.start
    quarters = (_UPPER_LEFT, _UPPER_RIGHT, _LOWER_LEFT, _LOWER_RIGHT)
    return sum(bool(dots & quarter) << bit for bit, quarter in enumerate(quarters))
