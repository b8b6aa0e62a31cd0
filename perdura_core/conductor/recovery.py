"""Boardings that a dead process left open are ended, and what they had reserved is charged."""

from perdura_core.clock import Ids
from perdura_core.graph import Graph
from perdura_core.routing import Purse, settlement
from perdura_core.store import Journal
from perdura_core.vocabulary import (
    CONDUCTOR,
    BoardingEnded,
    CostSettled,
    Draft,
    SessionEnded,
)

__all__ = ["interrupt_orphans"]


async def interrupt_orphans(journal: Journal, purse: Purse) -> int:
    """End the open boardings of sessions whose process is gone. Returns how many boardings there were.

    A reservation that was never settled is charged in full: the call may have been billed.
    """
    store = journal.store
    alive = await store.attended()
    orphans = [
        record
        for record in await store.boardings(only_open=True)
        if record.boarding.session is None or record.boarding.session not in alive
    ]
    started = await store.events(kinds=["session_started", "session_ended"])
    ended = {event.session for event in started if event.kind == "session_ended"}
    dead_sessions = [
        event.session
        for event in started
        if event.kind == "session_started" and event.session not in ended and event.session not in alive
    ]
    if not orphans and not dead_sessions:
        return 0
    drafts: list[Draft] = []
    now = journal.clock.now()
    for record in orphans:
        boarding = record.boarding
        told = await store.events(boarding=boarding.id)
        left = [settlement(held, None, None) for held in purse.held(boarding.id)]
        drafts.extend(Draft(what=each, by=CONDUCTOR, boarding=boarding.id, session=boarding.session) for each in left)
        settled = [*(event.what for event in told), *left]
        what = BoardingEnded(
            boarding=boarding.id,
            ending="interrupted",
            reason="its process ended without a word",
            cost_micro_usd=sum(each.cost_micro_usd for each in settled if isinstance(each, CostSettled)),
            seconds=max(0.0, round(((told[-1].at if told else now) - boarding.opened_at).total_seconds(), 3)),
            merged=sum(event.kind == "element_merged" for event in told),
            rejected=sum(event.kind == "element_rejected" for event in told),
        )
        drafts.append(Draft(what=what, by=CONDUCTOR, boarding=boarding.id, session=boarding.session))
    for session in dead_sessions:
        records = await store.boardings(session=session)
        cost = sum(record.cost_micro_usd for record in records)
        over = SessionEnded(session=session or "", ending="interrupted", boardings=len(records), cost_micro_usd=cost)
        drafts.append(Draft(what=over, by=CONDUCTOR, session=session))

    def plan(graph: Graph, ids: Ids) -> list[Draft]:
        """Another process may have been quicker: what it has ended is left alone."""
        still_open = graph.open_boardings()
        return [draft for draft in drafts if draft.boarding is None or draft.boarding in still_open]

    await journal.write(plan)
    return len(orphans)
