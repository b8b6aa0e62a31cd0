"""What every format is reduced to: runs of text with their lines, lists and tables. Headings and code leave nothing."""

from typing import NamedTuple

__all__ = ["Block", "Listing", "Passage", "Row", "Span", "Table"]


class Span(NamedTuple):
    """A piece of one line. `line` counts from 1; in a PDF it is the page."""

    line: int
    text: str


class Passage(NamedTuple):
    """Prose in wrapped lines.

    `speaker` is who says it in a chat export (`mara at 09:14`); `is_entry` marks a log line, which is whole as it
    stands.
    """

    spans: tuple[Span, ...]
    speaker: str | None = None
    is_entry: bool = False


class Listing(NamedTuple):
    """One list. `lead` is the sentence right before it that ends in a colon."""

    lead: Passage | None
    items: tuple[Passage, ...]


class Row(NamedTuple):
    """One line of a table's body."""

    line: int
    cells: tuple[str, ...]


class Table(NamedTuple):
    """A table with a header; one without is no table for us, since its cells cannot be named."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]


Block = Passage | Listing | Table
