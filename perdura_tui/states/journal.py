"""The stretch of the journal that the operator reads, narrowed to words."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from perdura_core.vocabulary import Event
from perdura_tui.phrases import sentence

__all__ = ["KEPT", "Journal", "around", "newer", "node_of", "older", "says"]

KEPT = 2_000
"""Events that are held at once; pages beyond either end are read again when they are wanted."""


@dataclass(frozen=True, slots=True)
class Journal:
    """Every event of a stretch that holds the words, oldest first."""

    words: str = ""
    rows: tuple[Event, ...] = ()
    after: int = 0
    """The stretch begins after this number."""
    last: int = 0
    """The stretch ends with this number."""


def around(seq: int, words: str) -> Journal:
    """An empty stretch, to be extended from an event both ways."""
    return Journal(words, (), seq, seq)


def newer(state: Journal, events: Iterable[Event]) -> Journal:
    """The stretch with the events right after it; what is too much goes at the other end."""
    told = list(events)
    if not told:
        return state
    rows = (*state.rows, *(event for event in told if says(event, state.words)))
    cut = len(rows) - KEPT
    after = rows[cut - 1].seq if cut > 0 else state.after
    return replace(state, rows=rows[max(cut, 0) :], after=after, last=told[-1].seq)


def older(state: Journal, events: Iterable[Event]) -> Journal:
    """The stretch with the events right before it; what is too much goes at the other end."""
    told = list(events)
    if not told:
        return state
    rows = (*(event for event in told if says(event, state.words)), *state.rows)
    last = rows[KEPT - 1].seq if len(rows) > KEPT else state.last
    return replace(state, rows=rows[:KEPT], after=told[0].seq - 1, last=last)


def says(event: Event, words: str) -> bool:
    """Whether the event holds every word, whatever the case; a leading `!` turns the answer round."""
    words = words.strip().casefold()
    wanted = words.lstrip("!").split()
    if not wanted:
        return True
    text = f"{event.seq} {event.kind} {event.by} {event.boarding or ''} {sentence(event)}".casefold()
    return all(word in text for word in wanted) != words.startswith("!")


def node_of(event: Event) -> str | None:
    """The node that the event is about first of all."""
    what = event.what
    for name in ("node", "interpretation", "fact", "question", "boarding", "edge"):
        found = getattr(what, name, None)
        if isinstance(found, str) and found[:1] in "qfi":
            return found
        for inner in ("id", "question", "src"):
            value = getattr(found, inner, None)
            if isinstance(value, str) and value[:1] in "qfi":
                return value
    return None
