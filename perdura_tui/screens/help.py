"""Every key, made from the registry."""

from itertools import groupby

from textual.app import ComposeResult
from textual.containers import Vertical

from perdura_tui.actions import ACTIONS, PLACES, Keymap, key_label
from perdura_tui.ink import Line, Role, Run, cell, join
from perdura_tui.palette import Palette
from perdura_tui.panes.graph import GLYPHS
from perdura_tui.panes.lines import keys_line
from perdura_tui.panes.scroll import ScrollFrame
from perdura_tui.screens.dialog import Dialog
from perdura_tui.states.detail import DetailLine

__all__ = ["HelpDialog"]

_SIGNS: tuple[tuple[str, Role, str], ...] = (
    (" ".join(GLYPHS.values()), "text", ", ".join(GLYPHS) + "."),
    ("╌✗╌", "disputed", "A contradiction; the ends are in red."),
    ("·?·", "waiting", "A suspected contradiction: nobody has said so yet. Triage lists them, to decide."),
    ("·≈·", "dim", "Worded alike, perhaps the same; nobody has joined them."),
    ("≡", "waiting", "Consensus may have collapsed: no boarding has contradicted anything for long."),
    ("◇", "waiting", "Elements that wait for your word, in the tray."),
    ("! ★ ·", "waiting", "A question of high stake, one that is pinned, one of low stake."),
)  # fmt: skip


class HelpDialog(Dialog[None]):
    """Keys, what they do, and the ids by which a keymap names them."""

    def compose(self) -> ComposeResult:
        """The page."""
        with Vertical(classes="box page"):
            yield HelpFrame(self.palette, self.keymap)


class HelpFrame(ScrollFrame):
    """The registry, place by place."""

    TITLE = "help"

    def __init__(self, palette: Palette, keymap: Keymap) -> None:
        super().__init__(palette, id="help")
        self._keymap = keymap

    def foot(self, width: int) -> Line:
        return keys_line(self._keymap, width, "screen")

    def page(self, width: int) -> list[DetailLine]:
        lines: list[DetailLine] = []
        for place, entries in groupby(
            sorted(ACTIONS, key=lambda entry: list(PLACES).index(entry.where)), lambda e: e.where
        ):
            lines.extend((DetailLine(), DetailLine(join(Run("  "), Run(PLACES[place], "title")))))
            for entry in entries:
                keys = "  ".join(key_label(key) for key in self._keymap.keys[entry.id])
                name = 18 if width >= 70 else 0
                lines.append(
                    DetailLine(
                        join(
                            Run("  "), cell(keys, 14, "key"), Run(" "),
                            cell(entry.help, max(width - 18 - name, 0), "text"), cell(entry.id, name, "faint"),
                        )
                    )
                )  # fmt: skip
        lines.extend(DetailLine(line) for line in _signs(width))
        lines.append(DetailLine())
        said = 'Other keys: [keys] in the configuration file, id = "key, key". `perdura info` says where it is.'
        lines.append(DetailLine(join(Run("  "), cell(said, width - 3, "dim"))))
        return lines


def _signs(width: int) -> list[Line]:
    """What maps and lines are drawn with."""
    lines: list[Line] = [(), join(Run("  "), Run("Signs", "title"))]
    for sign, role, said in _SIGNS:
        lines.append(join(Run("  "), cell(sign, 14, role), Run(" "), cell(said, max(width - 18, 0), "text")))
    return lines
