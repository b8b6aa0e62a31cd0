"""Stored text made safe for a terminal. The one function both faces use before untrusted text reaches a screen."""

__all__ = ["visible"]


def _symbols() -> dict[int, str]:
    shown: dict[int, str] = {code: chr(0x2400 + code) for code in range(0x20)}  # U+2400: pictures of C0 controls
    shown[0x7F] = "␡"
    # C1 controls have no pictures of their own, lone surrogates cannot be encoded, line and paragraph separators break
    # lines, and bidirectional overrides and isolates make a line read differently from what is stored.
    c1_and_surrogates = [*range(0x80, 0xA0), *range(0xD800, 0xE000)]
    layout = [0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF]
    shown.update(dict.fromkeys([*c1_and_surrogates, *layout], "\ufffd"))
    del shown[0x09], shown[0x0A]
    return shown


_SYMBOLS = _symbols()


def visible(text: str, *, one_line: bool = False) -> str:
    """The text with every control character as one visible symbol, so that no escape sequence reaches a terminal.

    Newline and tab stay; with `one_line` each run of white space becomes one space. Every other character stays as it
    is: markup is none of its business, show the result with `Content(text)` or `rich.text.Text(text)`, never as markup.
    """
    if one_line:
        text = " ".join(text.split())
    return text.translate(_SYMBOLS)
