"""The one registry of what the operator can do. It feeds key bindings, footer, help, palette and the user's keymap."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from textual.binding import Binding

__all__ = [
    "ACTIONS",
    "PLACES",
    "Action",
    "Keymap",
    "Place",
    "action",
    "bindings",
    "in_footer",
    "key_label",
    "keymap",
    "valid_in",
]

Place = Literal[
    "everywhere", "screen", "desk", "list", "contention", "models", "node", "swap", "ask", "palette", "leave"
]
"""Where an action is valid: `screen` on every screen and dialog, `desk` on the first screen, `list` wherever there is a
cursor, the rest in that pane or dialog."""

PLACES: Mapping[Place, str] = {
    "everywhere": "Anywhere",
    "screen": "Screens and dialogs",
    "desk": "Desk",
    "list": "Lists",
    "contention": "Contention",
    "models": "Models",
    "node": "Inspecting a node",
    "swap": "Choosing a model",
    "ask": "Asking",
    "palette": "Palette",
    "leave": "Leaving",
}


class Action(NamedTuple):
    """One thing that the operator can do. `id` is stable: keymaps name it."""

    id: str
    label: str
    keys: tuple[str, ...]
    where: Place
    help: str
    changes_mind: bool = False
    """Writes to the mind or steers a session: refused on a desk that is open read-only."""
    footer: int = 0
    """Rank in the footer, 1 first to stay when room is short; 0: not there."""
    priority: bool = False
    """Also while a text field has the focus."""

    @property
    def method(self) -> str:
        """What Textual calls it: the name after `action_` of the method that does it, for screens with the name."""
        place, _, name = self.id.partition(".")
        return f"show_screen({name!r})" if place == "screen" else self.id.replace(".", "_")


ACTIONS: tuple[Action, ...] = (
    Action("help", "help", ("question_mark",), "everywhere", "Show every key.", footer=3),
    Action("palette", "palette", ("ctrl+p",), "everywhere", "Find an action by name.", footer=9, priority=True),
    Action("quit", "quit", ("q",), "everywhere", "Leave; asks first when workers are aboard.", footer=8),
    Action("theme", "theme", ("ctrl+t",), "everywhere", "Change to the next theme."),
    Action("screen.desk", "desk", ("1",), "everywhere", "Show the desk: every pane of the running session."),
    Action("close", "back", ("escape",), "screen", "Close the dialog, or leave filter and zoom.", footer=12),
    Action("pause", "pause", ("space",), "desk", "Start, pause or resume all seats.", changes_mind=True, footer=1),
    Action("step", "step", ("n",), "desk", "Let one boarding start while paused.", changes_mind=True, footer=11),
    Action("swap", "swap", ("s",), "desk", "Choose another model for the selected seat.", changes_mind=True, footer=2),
    Action("reroute", "route", ("S",), "desk", "Let the router swap the selected seat.", changes_mind=True, footer=5),
    Action("ask", "ask", ("a",), "desk", "Ask a question.", changes_mind=True, footer=4),
    Action("inspect", "inspect", ("enter",), "desk", "Open what is under the cursor.", footer=6),
    Action("zoom", "zoom", ("z",), "desk", "Show this pane alone, or all of them again.", footer=10),
    Action("seat.next", "next seat", ("right_square_bracket",), "desk", "Select the next seat."),
    Action("seat.previous", "previous seat", ("left_square_bracket",), "desk", "Select the seat before."),
    Action("pane.next", "next pane", ("tab",), "desk", "Go to the next pane."),
    Action("pane.previous", "previous pane", ("shift+tab",), "desk", "Go to the pane before."),
    Action("pane.questions", "questions", ("Q",), "desk", "Go to the questions."),
    Action("pane.graph", "graph", ("M",), "desk", "Go to the graph."),
    Action("pane.workers", "workers", ("W",), "desk", "Go to the workers."),
    Action("pane.contention", "contention", ("C",), "desk", "Go to contention."),
    Action("pane.models", "models", ("L",), "desk", "Go to the models."),
    Action("filter", "filter", ("slash",), "desk", "Filter the questions; `!` first turns it round.", footer=7),
    Action("move_down", "down", ("j", "down"), "list", "One down."),
    Action("move_up", "up", ("k", "up"), "list", "One up."),
    Action("move_first", "first", ("g", "home"), "list", "To the first."),
    Action("move_last", "last", ("G", "end"), "list", "To the last."),
    Action("page_down", "page down", ("ctrl+d", "pagedown"), "list", "One screenful down."),
    Action("page_up", "page up", ("ctrl+u", "pageup"), "list", "One screenful up."),
    Action("heat_by", "by domain or question", ("d",), "contention", "Show contention by domain or by question."),
    Action("next_domain", "domain", ("d",), "models", "Show the records of the next domain."),
    Action("follow", "follow", ("enter",), "node", "Open the node at the other end.", footer=1),
    Action("choose", "board this model", ("enter",), "swap", "Swap to the model under the cursor.", True, footer=1),
    Action("stake", "stake", ("ctrl+s",), "ask", "Change the stake: low, normal, high.", footer=2, priority=True),
    Action("submit", "ask it", ("enter",), "ask", "Ask the question.", True, footer=1, priority=True),
    Action("perform", "do it", ("enter",), "palette", "Do what the cursor is on.", footer=1, priority=True),
    Action("leave.finish", "finish", ("f",), "leave", "Let the boardings under way end, then leave.", footer=1),
    Action("leave.cancel", "cancel", ("c",), "leave", "End the boardings now, keep what they sent, leave.", footer=2),
    Action("leave.stay", "stay", ("s",), "leave", "Stay on the desk.", footer=3),
)  # fmt: skip

_BY_ID: Mapping[str, Action] = {entry.id: entry for entry in ACTIONS}
_LABELS: Mapping[str, str] = {
    "question_mark": "?", "slash": "/", "escape": "esc", "right_square_bracket": "]", "left_square_bracket": "[",
    "down": "↓", "up": "↑", "pagedown": "pgdn", "pageup": "pgup", "shift+tab": "⇧tab",
}  # fmt: skip


class Keymap(NamedTuple):
    """Keys by action id, and sentences about what the user's keymap got wrong."""

    keys: Mapping[str, tuple[str, ...]]
    problems: tuple[str, ...]

    def label(self, action_id: str) -> str:
        """The first key of the action as people write it."""
        return key_label(self.keys[action_id][0])


def action(action_id: str) -> Action:
    """The action of this id. Raises KeyError."""
    return _BY_ID[action_id]


def valid_in(*places: Place) -> list[Action]:
    """The actions of these places in the order of the registry."""
    return [entry for entry in ACTIONS if entry.where in places]


def in_footer(*places: Place) -> list[Action]:
    """The actions that a footer shows in these places, the most needed first."""
    return sorted((entry for entry in valid_in(*places) if entry.footer), key=lambda entry: entry.footer)


def bindings(*places: Place) -> list[Binding]:
    """Textual bindings for the actions of these places."""
    return [
        Binding(",".join(entry.keys), entry.method, entry.label, show=False, priority=entry.priority, id=entry.id)
        for entry in valid_in(*places)
    ]


def key_label(key: str) -> str:
    """A key as people write it: `?`, `/`, `ctrl+p`."""
    return _LABELS.get(key, key)


def keymap(overrides: Mapping[str, str]) -> Keymap:
    """The default keys with the user's in their place: action id -> comma-separated keys."""
    keys = {entry.id: entry.keys for entry in ACTIONS}
    problems: list[str] = []
    for action_id, wanted in overrides.items():
        chosen = tuple(key.strip() for key in wanted.split(",") if key.strip())
        if action_id not in keys:
            problems.append(f"[keys] names no action {action_id!r}: `?` on the desk lists their ids")
        elif not chosen:
            problems.append(f"[keys] gives no key for {action_id!r}: name one, or remove the line")
        else:
            keys[action_id] = chosen
    problems.extend(_clashes(keys))
    return Keymap(keys, tuple(problems))


def _clashes(keys: Mapping[str, Iterable[str]]) -> list[str]:
    seen: dict[tuple[Place, str], str] = {}
    problems: list[str] = []
    for entry in ACTIONS:
        for key in keys[entry.id]:
            first = seen.setdefault((entry.where, key), entry.id)
            if first != entry.id:
                problems.append(f"[keys] gives {key!r} to both {first!r} and {entry.id!r}: the first one wins")
    return problems
