"""Who is aboard: one card per seat, from progress while it comes and from events where it does not."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from perdura_core.vocabulary import (
    BoardingEnded,
    BoardingOpened,
    Ending,
    Event,
    MicroUsd,
    Mode,
    ModelId,
    NodeId,
    Phase,
    Progress,
    SessionChanged,
    SessionEnded,
    SessionStarted,
)
from perdura_tui.phrases import instead

__all__ = ["Card", "Past", "Workers", "reduce_events", "reduce_progress", "spoken", "tokens_per_s", "with_streams"]

_TAIL = 4_000
"""Characters of the stream that a card keeps."""


@dataclass(frozen=True, slots=True)
class Past:
    """The boarding of the same seat that ended last."""

    boarding: str
    model: ModelId
    question: NodeId
    ending: Ending
    merged: int
    rejected: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """One seat as the desk shows it."""

    seat: int
    phase: Phase = "empty"
    boarding: str | None = None
    model: ModelId | None = None
    question: NodeId | None = None
    mode: Mode | None = None
    reason: str = ""
    instead: str = ""
    """Whom other policies would have sent, once the boarding has opened."""
    tail: str = ""
    """The end of what streamed, as it was sent."""
    is_thought: bool = False
    elapsed_s: float = 0.0
    told_at_s: float = 0.0
    """Monotonic time of the last progress: elapsed time goes on from there."""
    streams_since_s: float | None = None
    """`elapsed_s` when the first text came."""
    output_tokens: int | None = None
    cost_micro_usd: MicroUsd = 0
    merged: int = 0
    rejected: int = 0
    past: Past | None = None

    @property
    def is_aboard(self) -> bool:
        """Whether a worker sits here."""
        return self.phase != "empty" and self.model is not None

    def elapsed_at(self, now_s: float) -> float:
        """How long the boarding has lasted at this monotonic time."""
        going_on = self.is_aboard and self.phase != "paused"
        return self.elapsed_s + max(now_s - self.told_at_s, 0.0) if going_on else self.elapsed_s


@dataclass(frozen=True, slots=True)
class Workers:
    """The seats of the running session by number, from 1."""

    cards: Mapping[int, Card] = field(default_factory=lambda: MappingProxyType({}))
    seats: int | None = None
    """How many the session was changed to; seats beyond go when their boarding has ended. None: not changed."""

    @property
    def aboard(self) -> int:
        """How many seats are taken."""
        return sum(card.is_aboard for card in self.cards.values())


def reduce_events(state: Workers, events: Iterable[Event], now_s: float) -> Workers:
    """The seats after these events: enough to follow a session of another process, whose progress cannot be seen."""
    cards, count = dict(state.cards), state.seats
    for event in events:
        match event.what:
            case SessionStarted(seats=seats):
                cards, count = {number: Card(number) for number in range(1, seats + 1)}, None
            case SessionChanged(seats=seats):
                cards = {number: Card(number) for number in range(1, seats + 1)} | cards
                count = seats
            case SessionEnded():
                cards = {
                    number: Card(number, reason="the session has ended", past=card.past)
                    for number, card in cards.items()
                }
            case BoardingOpened(boarding=opened, alternatives=others):
                known = cards.get(opened.seat, Card(opened.seat))
                if known.boarding != opened.id:
                    known = Card(
                        opened.seat, "briefing", opened.id, opened.model, opened.question, opened.mode,
                        opened.route.reason, told_at_s=now_s, past=known.past,
                    )  # fmt: skip
                cards[opened.seat] = replace(known, instead=instead(others) if others else "")
            case BoardingEnded():
                _end(cards, event.what)
            case _:
                pass
    return _changed(state, cards, count)


def _changed(state: Workers, cards: dict[int, Card], seats: int | None) -> Workers:
    left = {number: card for number, card in cards.items() if seats is None or number <= seats or card.is_aboard}
    return state if left == state.cards and seats == state.seats else Workers(left, seats)


def _end(cards: dict[int, Card], ended: BoardingEnded) -> None:
    for number, card in cards.items():
        if card.boarding == ended.boarding and card.model is not None and card.question is not None:
            past = Past(
                ended.boarding, card.model, card.question, ended.ending, ended.merged, ended.rejected, ended.reason
            )
            cards[number] = Card(number, reason="between boardings", past=past)
            return


def reduce_progress(state: Workers, news: Iterable[Progress], now_s: float) -> Workers:
    """The seats after this progress. Text of one boarding is joined; a new boarding starts an empty stream."""
    cards = dict(state.cards)
    texts: dict[int, list[str]] = {}
    for told in news:
        card = cards.get(told.seat, Card(told.seat))
        is_new = told.boarding is not None and told.boarding != card.boarding
        if is_new or told.phase == "empty":
            card = Card(told.seat, past=card.past)
            texts.pop(told.seat, None)
        if told.text:
            texts.setdefault(told.seat, []).append(told.text)
        since = card.streams_since_s
        cards[told.seat] = replace(
            card,
            phase=told.phase,
            boarding=told.boarding or card.boarding,
            model=told.model,
            question=told.question,
            mode=told.mode,
            reason=told.reason,
            is_thought=told.is_thought if told.text else card.is_thought,
            elapsed_s=told.elapsed_s,
            told_at_s=now_s,
            streams_since_s=told.elapsed_s if since is None and told.text else since,
            output_tokens=told.output_tokens,
            cost_micro_usd=told.cost_micro_usd,
            merged=told.merged,
            rejected=told.rejected,
        )
    for seat, pieces in texts.items():
        card = cards[seat]
        cards[seat] = replace(card, tail=(card.tail + "".join(pieces))[-_TAIL:])
    return _changed(state, cards, state.seats)


def with_streams(state: Workers, told: Workers) -> Workers:
    """The seats, each with what progress told of its boarding if that is still the same."""
    cards = {
        seat: known if (known := told.cards.get(seat)) is not None and known.boarding == card.boarding else card
        for seat, card in state.cards.items()
    }
    return replace(state, cards=cards)


def tokens_per_s(card: Card, now_s: float) -> float | None:
    """Output tokens per second since the first text; None while there is too little to tell."""
    if card.output_tokens is None or card.streams_since_s is None:
        return None
    span = card.elapsed_at(now_s) - card.streams_since_s
    return card.output_tokens / span if span >= 0.5 else None


_FIELDS = re.compile(r'"(kind|text)"\s*:\s*"((?:[^"\\]|\\.)*)("?)')


def spoken(tail: str) -> str:
    """What a person wants of a streamed delta: the text that is arriving, with its kind, else the stream as it is.

    Between two elements the one before stays, so that the line does not flicker.
    """
    said, kind = "", ""
    for name, value, _closed in _FIELDS.findall(tail):
        if name == "kind":
            kind = value
        else:
            said = f"{kind}: {_unescaped(value)}" if kind else _unescaped(value)
    if said:
        return said
    return f"{kind} …".lstrip() if "{" in tail else tail.strip()


def _unescaped(text: str) -> str:
    for cut in range(7):  # the end may stand in the middle of an escape: `\` or `\u12`
        piece = text[: len(text) - cut] if cut else text
        try:
            return str(json.loads(f'"{piece}"', strict=False))
        except ValueError:
            continue
    return text
