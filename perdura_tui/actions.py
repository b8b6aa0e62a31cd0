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
    "everywhere",
    "screen",
    "desk",
    "list",
    "contention",
    "models",
    "map",
    "journal",
    "registry",
    "memory",
    "node",
    "swap",
    "search",
    "triage",
    "tray",
    "events",
    "form",
    "settings",
    "ask",
    "palette",
    "leave",
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
    "map": "Graph",
    "journal": "Journal",
    "registry": "Registry of models",
    "memory": "Memory",
    "node": "Inspecting a node",
    "swap": "Choosing a model",
    "search": "Searching",
    "triage": "Triage",
    "tray": "Tray",
    "events": "Events",
    "form": "Forms",
    "settings": "Settings",
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
    Action("theme.reload", "reload themes", ("T",), "everywhere", "Read the theme files again."),
    Action("copy", "copy", ("y",), "everywhere", "Copy the node under the cursor, or the pane."),
    Action("export", "export", ("E",), "everywhere", "Write the pane to a text file."),
    Action("picture", "picture", ("P",), "everywhere", "Write the screen to an SVG file."),
    Action("screen.desk", "desk", ("1",), "everywhere", "Show the desk: every pane of the running session."),
    Action("screen.map", "graph", ("2",), "everywhere", "Show the graph as a map."),
    Action("screen.triage", "triage", ("3",), "everywhere", "Show the disputes, to settle them."),
    Action("search", "search", ("ctrl+f", "slash"), "everywhere",
           "Search everything; `//` where `/` filters a list.", footer=8),
    Action("undo", "undo", ("u",), "everywhere", "Take back your last act, whatever it was.", True, footer=7),
    Action("tray", "tray", ("w",), "everywhere", "Show the elements that wait for your word.", footer=13),
    Action("gate", "review gate", ("R",), "everywhere", "Hold elements for review: none, changes, all.", True),
    Action("settings", "settings", ("comma",), "everywhere", "Change seats, policy, schedules, budget, theme.", True),
    Action("screen.models", "models", ("4",), "everywhere", "Show the models: records and registry."),
    Action("screen.memory", "memory", ("5",), "everywhere", "Show what the mind holds, counted."),
    Action("screen.journal", "journal", ("6",), "everywhere", "Show what happened, and go back in time."),
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
    Action("triage", "triage", ("t",), "desk", "Settle the disputes of what the cursor is on.", footer=4),
    Action("challenge", "challenge", ("exclamation_mark",), "desk",
           "Attack what is claimed; in an alarm, first go there.", True),
    Action("lately", "events", ("e",), "desk", "Show what happened last, and open it."),
    Action("filter", "filter", ("slash",), "desk", "Filter the questions; `!` first turns it round.", footer=7),
    Action("move_down", "down", ("j", "down"), "list", "One down."),
    Action("move_up", "up", ("k", "up"), "list", "One up."),
    Action("move_first", "first", ("g", "home"), "list", "To the first."),
    Action("move_last", "last", ("G", "end"), "list", "To the last."),
    Action("page_down", "page down", ("ctrl+d", "pagedown"), "list", "One screenful down."),
    Action("page_up", "page up", ("ctrl+u", "pageup"), "list", "One screenful up."),
    Action("heat_by", "by domain or question", ("d",), "contention", "Show contention by domain or by question."),
    Action("next_domain", "domain", ("d",), "models", "Show the records of the next domain."),
    Action("map.into", "into", ("l", "right"), "map", "Put what is under the cursor in the middle.", footer=1),
    Action("map.out", "out", ("h", "left"), "map", "Back to what was in the middle before.", footer=2),
    Action("map.inspect", "inspect", ("enter",), "map", "Open the node under the cursor.", footer=4),
    Action("map.disputes", "contradictions", ("c",), "map", "Show only contradictions, or everything.", footer=5),
    Action("map.history", "history", ("v",), "map", "Show also what gave way, dimmed, or only what lives.", footer=6),
    Action("map.hops", "hops", ("o",), "map", "Show one hop around the middle, or two.", footer=7),
    Action("map.by", "by domain", ("d",), "map", "Gather nodes around questions, or around domains.", footer=10),
    Action("triage.left", "left", ("l",), "triage", "Prefer the left side; the right one gives way.", True, footer=1),
    Action("triage.right", "right", ("r",), "triage", "Prefer the right side; the left one gives way.", True, footer=2),
    Action("triage.both", "both", ("b",), "triage", "Let both stand, each in the scope you write.", True, footer=3),
    Action("triage.same", "same", ("m",), "triage", "Merge both: they say the same thing.", True, footer=4),
    Action("triage.contradict", "contradict", ("x",), "triage", "Say that a suspected pair contradicts.", True),
    Action("triage.dismiss", "dismiss", ("d",), "triage", "Say that it does not: it is not suspected again.", True),
    Action("triage.auditor", "auditor", ("a",), "triage", "Send a worker to judge the pair.", True, footer=5),
    Action("triage.escalate", "escalate", ("e",), "triage", "Send the best frontier model.", True, footer=6),
    Action("triage.skip", "skip", ("s",), "triage", "Pass over the marked pairs, or this one.", footer=7),
    Action("triage.mark", "mark", ("space",), "triage", "Mark this pair for what is done to several.", footer=8),
    Action("triage.by_confidence", "by confidence", ("c",), "triage",
           "Prefer the more confident side, of all marked pairs.", True, footer=9),
    Action("triage.inspect", "inspect", ("enter",), "triage", "Open what the cursor is on.", footer=10),
    Action("triage.filter", "filter", ("slash",), "triage", "Filter; `!` first turns it round.", footer=11),
    Action("triage.pane", "next side", ("tab",), "triage", "Go to the list, the left side, the right side."),
    Action("tray.accept", "accept", ("a",), "tray", "Merge the marked elements, or this one.", True, footer=1),
    Action("tray.refuse", "refuse", ("r",), "tray", "Refuse them, with a reason.", True, footer=2),
    Action("tray.edit", "edit", ("e",), "tray", "Change the element, then merge it.", True, footer=3),
    Action("tray.mark", "mark", ("space",), "tray", "Mark this element for what is done to several.", footer=4),
    Action("tray.undo", "undo", ("u",), "tray", "Take back your last act.", True, footer=5),
    Action("tray.boarding", "boarding", ("enter",), "tray", "Open the boarding that sent it.", footer=6),
    Action("happened", "open", ("enter",), "events", "Open what happened.", footer=1),
    Action("fill", "done", ("enter",), "form", "Take what you typed.", footer=1, priority=True),
    Action("settings.apply", "apply", ("enter",), "settings", "Work by this from now on.", True, footer=1,
           priority=True),
    Action("settings.next", "next", ("tab", "down"), "settings", "To the next field.", footer=2),
    Action("settings.previous", "field before", ("shift+tab", "up"), "settings", "To the field before."),
    Action("settings.on", "change", ("right", "space"), "settings", "Choose what comes next.", footer=3),
    Action("settings.back", "change back", ("left",), "settings", "Choose what comes before."),
    Action("settings.copy", "copy for good", ("ctrl+y",), "settings", "Copy what the configuration file lacks.",
           footer=4, priority=True),
    Action("registry.enable", "in or out", ("x",), "registry", "Put a model out of service, or back.", True, footer=1),
    Action("registry.tier", "tier", ("t",), "registry", "Change the tier: local, standard, frontier.", True, footer=2),
    Action("registry.edit", "edit", ("e", "enter"), "registry", "Change tier, domains and prices.", True, footer=4),
    Action("registry.sort", "order", ("o",), "registry", "Order by the next column.", footer=5),
    Action("registry.mark", "mark", ("space",), "registry", "Mark a model, to compare it with another.", footer=3),
    Action("registry.compare", "compare", ("c",), "registry", "Set the two marked models side by side.", footer=7),
    Action("registry.history", "over time", ("h",), "registry", "Show how the records came to be.", footer=8),
    Action("registry.domain", "domain", ("d",), "registry", "Show the records of the next domain.", footer=6),
    Action("memory.open", "inspect", ("enter",), "memory", "Open what is under the cursor.", footer=1),
    Action("memory.upkeep", "upkeep now", ("U",), "memory", "Do the daily upkeep now.", True, footer=2),
    Action("memory.promote", "accept", ("plus",), "memory", "Accept the promotion under the cursor.", True, footer=4),
    Action("memory.refuse", "refuse", ("minus",), "memory", "Refuse the promotion under the cursor.", True, footer=5),
    Action("memory.damp", "hold down", ("d",), "memory", "Hold an echo's confidence down.", True, footer=6),
    Action("memory.audit", "audit", ("a",), "memory", "Send an auditor to the question it is about.", True, footer=6),
    Action("memory.pin", "pin", ("p",), "memory", "Pin the question it is about.", True, footer=7),
    Action("journal.open", "inspect", ("enter",), "journal", "Open the node that the event is about.", footer=3),
    Action("journal.visit", "as of this", ("v",), "journal", "Show every screen as of this event.", footer=1),
    Action("journal.play", "play", ("space",), "journal", "Let time pass from there, or hold it.", footer=2),
    Action("journal.back", "event back", ("h", "left"), "journal", "One event into the past.", footer=5),
    Action("journal.on", "on", ("l", "right"), "journal", "One event on.", footer=6),
    Action("journal.boarding_back", "boarding", ("left_square_bracket",), "journal", "To the one before.", footer=7),
    Action("journal.boarding_on", "on", ("right_square_bracket",), "journal", "To the next boarding.", footer=8),
    Action("journal.faster", "faster", ("plus", "greater_than_sign"), "journal", "Play faster, up to 50x.", footer=10),
    Action("journal.slower", "slower", ("minus", "less_than_sign"), "journal", "Play slower.", footer=11),
    Action("journal.filter", "filter", ("slash",), "journal", "Show only events that say something.", footer=4),
    Action("journal.follow", "newest", ("f",), "journal", "To the newest event, and stay there.", footer=9),
    Action("follow", "follow", ("enter",), "node", "Open the node at the other end.", footer=1),
    Action("node.fact", "it is a fact", ("f",), "node", "Move it to the facts.", True, footer=4),
    Action("node.judgement", "a judgement", ("i",), "node", "Move it to the interpretations.", True, footer=5),
    Action("found.open", "inspect", ("enter",), "search", "Open what the cursor is on.", footer=1, priority=True),
    Action("found.show", "on the map", ("ctrl+o",), "search", "Put it in the middle of the graph.", footer=2,
           priority=True),
    Action("grade.right", "right", ("v",), "node", "Grade this answer right, or take that back.", True, footer=2),
    Action("grade.wrong", "wrong", ("x",), "node", "Grade this answer wrong, or take that back.", True, footer=3),
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
    "question_mark": "?", "comma": ",",
    "slash": "/", "exclamation_mark": "!", "escape": "esc", "right_square_bracket": "]", "left_square_bracket": "[",
    "down": "↓", "up": "↑", "pagedown": "pgdn", "pageup": "pgup", "shift+tab": "⇧tab", "left": "←",
    "right": "→", "plus": "+", "minus": "-", "greater_than_sign": ">", "less_than_sign": "<",
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
