"""A framed sheet: key and title on the left of its upper edge, a remark on the right, rows inside."""

from textual import events

from perdura_tui.content import wrap
from perdura_tui.feed import Topic
from perdura_tui.ink import BLANK, Line, Role, Run, beside, cell, cells_of, join, run
from perdura_tui.palette import Ground, Palette
from perdura_tui.panes.sheet import Row, Sheet

__all__ = ["Frame", "ListFrame", "notes"]


_SHORT = 5
"""Letters of the other panes' names where there is no room for more."""


def notes(width: int, title: str, *hints: tuple[str, str]) -> list[Line]:
    """What an empty pane says: what is missing, and for each hint a key (or nothing) and what it does."""
    lines: list[Line] = [join(Run("  "), run(title)), ()]
    for key, text in hints:
        indent = len(key) + 1 if key else 0
        for number, said in enumerate(wrap(text, max(width - 4 - indent, 8))):
            lines.append(join(Run("  "), cell(key if number == 0 else "", indent, "key"), run(said, "dim")))
    return lines


class Frame(Sheet, can_focus=True):
    """Subclasses give `remark` and `body`."""

    NUMBER = 0
    """Its place among the panes of the desk, from 1; 0 elsewhere."""
    TITLE = ""
    LISTENS: frozenset[Topic] = frozenset()
    """What makes this pane dirty."""
    key = ""
    """What jumps to this pane, as people write it."""
    tabs: tuple[tuple[str, str], ...] = ()
    """Key and title of every pane, when this one is alone: its upper edge names them all."""

    @property
    def row_ground(self) -> Ground:
        """What the row under the cursor stands on."""
        return "picked" if self.GROUND == "raised" else "selected"

    def title(self) -> str:
        """What stands at the left of the upper edge."""
        return self.TITLE

    IS_FRAMED = True
    """False inside a dialog that has its own border."""

    def remark(self) -> Line:
        """What stands at the right of the upper edge."""
        return ()

    def foot(self, width: int) -> Line:
        """What stands in the lower edge."""
        return ()

    def body(self, width: int, height: int) -> list[Row]:
        """The rows inside the frame."""
        raise NotImplementedError

    def thumb(self, height: int) -> range | None:
        """Rows of the right edge that show how far the body is scrolled; None when all of it is visible."""
        return None

    def rows(self, width: int, height: int) -> list[Row]:
        """The frame with the body in it."""
        if not self.IS_FRAMED:
            return self.body(width, height)
        if width < 4 or height < 3:
            return []
        edge: Role = "edge_focus" if self.has_focus else "edge"
        inner = self.body(width - 2, height - 2)[: height - 2]
        inner.extend([Row(BLANK, self.GROUND)] * (height - 2 - len(inner)))
        thumb = self.thumb(height - 2)
        framed = [Row(self._top(width, edge), self.GROUND)]
        for y, (line, ground) in enumerate(inner):
            right = Run("┃", edge) if thumb and y in thumb else Run("│", edge)
            framed.append(Row(join(Run("│", edge), _exactly(line, width - 2), right), ground))
        foot = self.foot(width - 6)
        left = join(Run("╰─", edge), Run(" ", edge), foot, Run(" ", edge)) if foot else (Run("╰─", edge),)
        framed.append(Row(beside(left, (Run("─╯", edge),), width, "─", edge), self.GROUND))
        return framed

    def _top(self, cells: int, edge: Role) -> Line:
        title = join(Run("╭─ ", edge), self._names())
        if cells_of(title) > cells - 2:
            title = join(Run("╭─ ", edge), self._names(_SHORT))
        remark = self.remark()
        tail = join(Run(" ", edge), remark, Run(" ─╮", edge)) if remark else (Run("─╮", edge),)
        line = beside(title, tail, cells, "─", edge)
        return line if cells_of(line) == cells else beside(title, (Run("─╮", edge),), cells, "─", edge)

    def _names(self, letters: int | None = None) -> Line:
        if not self.tabs:
            return self._tab(self.key, self.title(), is_here=self.has_focus)
        return join(
            *(
                self._tab(key, name if key == self.key else name[:letters], is_here=key == self.key)
                for key, name in self.tabs
            )
        )

    def _tab(self, key: str, name: str, *, is_here: bool) -> Line:
        return (
            run(f"{key} " if key else "", "accent" if is_here else "faint"),
            run(f"{name} ", "title" if is_here else "dim"),
            Run(" " if self.tabs else ""),
        )

    def on_focus(self) -> None:
        """Show that the keys go here."""
        self.paint()

    def on_blur(self) -> None:
        """Show that they no longer do."""
        self.paint()


def _exactly(line: Line, cells: int) -> Line:
    """The line padded, so that the frame's right edge stands where it should."""
    gap = cells - cells_of(line)
    if gap > 0:
        return join(line, Run(" " * gap))
    if gap < 0:
        return _cut(line, cells)
    return line


def _cut(line: Line, cells: int) -> Line:
    kept: list[Run] = []
    for part in line:
        size = cells_of((part,))
        if size >= cells:
            kept.append(cell(part.text, cells, part.role))
            break
        kept.append(part)
        cells -= size
    return tuple(kept)


class ListFrame(Frame):
    """A frame whose rows are things with an id. The selection stays on its thing wherever that moves."""

    KEEPS_CURSOR = True
    """False where the selection means nothing to other panes: then it shows only with the focus."""

    def __init__(self, palette: Palette, *, id: str) -> None:
        super().__init__(palette, id=id)
        self.selected: str | None = None
        self._place = 0
        self._first = 0
        self._shown = 1
        self._count = 0
        self._top_y = 0
        self._each = 1

    # What subclasses give

    def keys(self) -> list[str]:
        """The ids in the order of the rows."""
        raise NotImplementedError

    def head(self, width: int) -> Line | None:
        """The line of column names; None: no such line."""
        return None

    def entry(self, key: str, width: int, height: int) -> list[Line]:
        """The lines of one thing, `height` of them at most."""
        raise NotImplementedError

    def entry_height(self, height: int, count: int) -> int:
        """Lines for each thing when `count` share so many."""
        return 1

    def empty(self, width: int) -> list[Line]:
        """What to say when there is nothing, and what to do about it."""
        raise NotImplementedError

    def chosen(self) -> None:
        """The selection moved."""

    # Painting

    def body(self, width: int, height: int) -> list[Row]:
        """Column names, then the rows that fit, with the selected one in sight."""
        keys = self.keys()
        self._count = len(keys)
        if not keys:
            self._follow(keys)
            return [Row(BLANK, self.GROUND)] * max((height - 4) // 3, 0) + [
                Row(line, self.GROUND) for line in self.empty(width)
            ]
        head = self.head(width - 2)
        rows = [] if head is None else [Row(join(Run(" "), head), self.GROUND)]
        self._top_y = len(rows)
        self._follow(keys)
        each = self.entry_height(height - len(rows), len(keys))
        self._each = each
        self._shown = max((height - len(rows)) // each, 1)
        self._first = min(max(self._first, self._place - self._shown + 1), self._place, max(len(keys) - self._shown, 0))
        for key in keys[self._first : self._first + self._shown]:
            is_selected = key == self.selected and (self.KEEPS_CURSOR or self.has_focus)
            mark = Run("▌", "accent" if self.has_focus else "dim") if is_selected else Run(" ")
            lines = self.entry(key, width - 2, each)[:each]
            lines.extend([()] * (each - len(lines)))
            ground = self.row_ground if is_selected else self.GROUND
            rows.extend(Row(join(mark, line), ground) for line in lines)
        return rows

    def thumb(self, height: int) -> range | None:
        """How far the list is scrolled."""
        if self._count <= self._shown:
            return None
        size = max(height * self._shown // self._count, 1)
        top = (height - size) * self._first // max(self._count - self._shown, 1)
        return range(top, top + size)

    def _follow(self, keys: list[str]) -> None:
        before = self.selected
        if self.selected in keys:
            self._place = keys.index(self.selected)
        elif keys:
            self._place = min(self._place, len(keys) - 1)
            self.selected = keys[self._place]
        else:
            self.selected, self._place = None, 0
        if self.selected != before:
            self.chosen()

    # Moving

    def select(self, key: str) -> None:
        """Put the cursor on this thing."""
        if key in self.keys():
            self.selected = key
            self.chosen()
            self.paint()

    def move(self, rows: int) -> None:
        """Move the cursor; it stops at both ends."""
        keys = self.keys()
        if not keys:
            return
        self._follow(keys)
        self._place = min(max(self._place + rows, 0), len(keys) - 1)
        if keys[self._place] != self.selected:
            self.selected = keys[self._place]
            self.chosen()
            self.paint()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor where the mouse is."""
        keys = self.keys()
        place = self._first + (event.y - int(self.IS_FRAMED) - self._top_y) // self._each
        if 0 <= place - self._first < self._shown and place < len(keys):
            self.select(keys[place])

    def on_mouse_scroll_down(self) -> None:
        """The wheel moves the cursor."""
        self.move(1)

    def on_mouse_scroll_up(self) -> None:
        """The wheel moves the cursor."""
        self.move(-1)

    def action_move_down(self) -> None:
        """One down."""
        self.move(1)

    def action_move_up(self) -> None:
        """One up."""
        self.move(-1)

    def action_move_first(self) -> None:
        """To the first."""
        self.move(-self._count)

    def action_move_last(self) -> None:
        """To the last."""
        self.move(self._count)

    def action_page_down(self) -> None:
        """One screenful down."""
        self.move(max(self._shown - 1, 1))

    def action_page_up(self) -> None:
        """One screenful up."""
        self.move(-max(self._shown - 1, 1))
