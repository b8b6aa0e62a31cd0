"""What the command line prints: one JSON document for programs, tables and lines for people."""

import json
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from perdura_core.vocabulary import MicroUsd
from perdura_tui.visible import visible

__all__ = ["Column", "heading", "line", "moment", "print_json", "print_table", "prose", "say", "usd"]

_PIPED_WIDTH = 100_000
"""Nothing is wrapped or cut when nobody's terminal sets a width."""


class Column(NamedTuple):
    """One column of a table. `style` is the program's own, never a model's."""

    title: str
    is_number: bool = False
    style: str = ""
    is_text: bool = False
    """Running text, which may wrap; other columns keep their width."""


def usd(micro: MicroUsd | None) -> float | None:
    """US dollars as a number for JSON."""
    return None if micro is None else micro / 1_000_000


def print_json(document: Any) -> None:
    """One document on one line. Everything beyond ASCII is escaped, so that no stored text reaches a terminal raw."""
    sys.stdout.write(json.dumps(document, ensure_ascii=True, allow_nan=False) + "\n")


def line(text: str = "", style: str = "") -> None:
    """One line for people; what is not printable is shown as symbols."""
    shown = visible(text).replace("\n", " ")
    if style and sys.stdout.isatty():
        _print(Text(shown, style=style))
    else:
        sys.stdout.write(f"{shown}\n")


def prose(text: str) -> None:
    """A stored text with its own line breaks."""
    _print(Text(visible(text).expandtabs(4)))


def heading(text: str) -> None:
    """A line that opens a section."""
    line()
    line(text, style="bold cyan")


def moment(at: datetime) -> str:
    """A time for people, in UTC."""
    return f"{at:%Y-%m-%d %H:%M:%S}"


def say(text: str) -> None:
    """Progress: one line on standard error, and only when that is a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(visible(text, one_line=True) + "\n")
        sys.stderr.flush()


def print_table(columns: Sequence[Column], rows: Iterable[Sequence[object]], *, empty: str) -> None:
    """A table without rules; `empty` is the sentence for no rows. None in a cell is shown as `-`.

    A Text is shown as it is: whoever made it has seen to it that it is `visible`.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in columns:
        table.add_column(
            column.title,
            justify="right" if column.is_number else "left",
            style=column.style,
            no_wrap=not column.is_text,
            overflow="fold" if column.is_text else "ellipsis",
            min_width=12 if column.is_text else None,
        )
    count = 0
    for row in rows:
        table.add_row(*map(_cell, row))
        count += 1
    if count:
        _print(table)
    else:
        line(empty)


def _cell(cell: object) -> Text:
    return cell if isinstance(cell, Text) else Text("-" if cell is None else visible(str(cell), one_line=True))


def _print(renderable: Text | Table) -> None:
    is_terminal = sys.stdout.isatty()
    width = None if is_terminal else _PIPED_WIDTH
    console = Console(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False, soft_wrap=False)
    with console.capture() as captured:
        console.print(renderable)
    # Rich fills the last column up; a pipe has no use for that.
    sys.stdout.write("".join(f"{printed.rstrip()}\n" for printed in captured.get().split("\n")[:-1]))
