"""The state of every pane as of one event, as a fold over the journal."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from perdura_core.graph import Graph
from perdura_core.vocabulary import ElementMerged, ElementRejected, Event
from perdura_tui.states.contention import Contention, add_samples, replay
from perdura_tui.states.lately import Lately, reduce_lately
from perdura_tui.states.questions import Questions, reduce_questions
from perdura_tui.states.status import Session, reduce_session
from perdura_tui.states.tray import Tray, reduce_tray
from perdura_tui.states.workers import Workers, reduce_events

__all__ = ["Moment", "moved"]

_OF_SEATS = frozenset({"session_started", "session_changed", "session_ended", "boarding_opened", "boarding_ended"})


_BEFORE_ALL = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class Moment:
    """What the panes show right after one event."""

    seq: int = 0
    at: datetime = _BEFORE_ALL
    questions: Questions = field(default_factory=Questions)
    workers: Workers = field(default_factory=Workers)
    contention: Contention = field(default_factory=Contention)
    session: Session = field(default_factory=Session)
    lately: Lately = field(default_factory=Lately)
    tray: Tray = field(default_factory=Tray)


def moved(moment: Moment, graph: Graph, events: Sequence[Event]) -> Moment:
    """The moment after these events, which continue it; the graph is moved along with it.

    Elapsed times of seats count in the mind's own time: `told_at_s` is the Unix time of the boarding.
    """
    if not events:
        return moment
    samples = replay(graph, events, 0)
    workers = moment.workers
    for event in events:
        if event.kind in _OF_SEATS:
            workers = reduce_events(workers, (event,), event.at.timestamp())
        elif isinstance(event.what, ElementMerged | ElementRejected):
            workers = _counted(workers, event.what)
    return Moment(
        seq=events[-1].seq,
        at=events[-1].at,
        questions=reduce_questions(moment.questions, events),
        workers=workers,
        contention=add_samples(moment.contention, samples, graph.contention_all()),
        session=reduce_session(moment.session, events),
        lately=reduce_lately(moment.lately, events),
        tray=reduce_tray(moment.tray, events),
    )


def _counted(workers: Workers, what: ElementMerged | ElementRejected) -> Workers:
    """The seat's card with one more element: what progress tells of the present, events tell of the past."""
    for seat, card in workers.cards.items():
        if card.boarding == what.boarding and card.is_aboard:
            merged = isinstance(what, ElementMerged)
            counted = replace(card, phase="merging", merged=card.merged + merged, rejected=card.rejected + (not merged))
            return replace(workers, cards={**workers.cards, seat: counted})
    return workers
