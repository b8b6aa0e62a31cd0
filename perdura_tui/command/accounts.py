"""`models`, `track`, `spend` and `sessions`: who worked, how well, and for how much."""

from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from perdura_core.mind import Mind
from perdura_core.routing import list_price
from perdura_core.store import SpendRow
from perdura_core.vocabulary import Card, Event, MicroUsd, SessionChanged, SessionEnded, SessionStarted
from perdura_tui.command import Verb, no_arguments
from perdura_tui.command.documents import card_document, stamp, track_document
from perdura_tui.command.minds import opened, wants_json
from perdura_tui.command.output import Column, line, print_json, print_table, usd
from perdura_tui.phrases import dollars, percent

__all__ = ["VERBS"]

_MODEL = Column("model", style="cyan")


def _figures(*titles: str) -> list[Column]:
    return [Column(title, is_number=True) for title in titles]


async def _models(given: Namespace) -> int:
    is_change = bool(given.enable or given.disable)
    async with opened(given, readonly=not is_change, looks_for_models=True) as mind:
        for model in given.disable:
            await mind.disable(model, "by the operator")
        for model in given.enable:
            await mind.enable(model)
        now = mind.clock.now()
        standings = [(card, mind.registry.why_not(card.id, now)) for card in mind.registry.cards]
        if not (given.all or is_change or wants_json(given)):
            standings = [(card, why_not) for card, why_not in standings if mind.registry.is_aboard(card.id)]
        if wants_json(given):
            print_json([card_document(card, why_not) for card, why_not in standings])
            return 0
        rows = (
            (card.id, card.tier, *_prices(card, now.date()), ", ".join(card.domains), why or "ready")
            for card, why in standings
        )
        columns = [
            _MODEL,
            Column("tier"),
            *_figures("$/Mtok in", "out"),
            Column("domains"),
            Column("state", is_text=True),
        ]
        print_table(columns, rows, empty="No model is aboard: `perdura doctor` says what is missing.")
        if len(standings) < len(mind.registry.cards):
            line(f"{len(mind.registry.cards) - len(standings)} more are not aboard: --all lists them", style="dim")
    return 0


def _prices(card: Card, on: date) -> tuple[str, str]:
    price = list_price(card, on)
    return ("?", "?") if price is None else (f"{price.usd_per_mtok_in:g}", f"{price.usd_per_mtok_out:g}")


async def _track(given: Namespace) -> int:
    async with opened(given, readonly=True) as mind:
        records = await mind.tracks(given.domain)
        if wants_json(given):
            print_json([track_document(record) for record in records])
            return 0
        rows = []
        for record in records:
            interval = f"{record.low:.2f}-{record.high:.2f}"
            survival = record.surviving / record.merged if record.merged else None
            per_node = None
            if record.cost_micro_usd is not None and record.surviving:
                per_node = dollars(round(record.cost_micro_usd / record.surviving))
            figures = (f"{record.reliability:.2f}", interval, record.outcomes, record.merged, percent(survival))
            rows.append((record.model, *figures, record.rejected, dollars(record.cost_micro_usd), per_node))
        columns = [
            _MODEL,
            *_figures("reliability", "90 %", "outcomes", "merged", "surviving", "rejected", "spent", "$/node"),
        ]
        print_table(columns, rows, empty="No model has boarded yet.")
    return 0


_KEYS: Mapping[str, Callable[[SpendRow], Iterable[str]]] = {
    "model": lambda row: [row.model],
    "domain": lambda row: row.domains or ["-"],
    "question": lambda row: [row.question],
    "day": lambda row: [row.at.date().isoformat()],
}


async def _spend(given: Namespace) -> int:
    async with opened(given, readonly=True) as mind:
        rows = await mind.store.spend()
    sums: defaultdict[str, MicroUsd] = defaultdict(int)
    boardings: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        for key in _KEYS[given.by](row):
            sums[key] += row.cost_micro_usd
            boardings[key].add(row.boarding)
    total = sum(row.cost_micro_usd for row in rows)
    ordered = sorted(sums) if given.by == "day" else sorted(sums, key=lambda key: (-sums[key], key))
    if wants_json(given):
        shares = [{given.by: key, "usd": usd(sums[key]), "boardings": len(boardings[key])} for key in ordered]
        print_json({"total_usd": usd(total), "by": given.by, "rows": shares})
        return 0
    columns = [Column(given.by, style="cyan"), *_figures("spent", "boardings")]
    lines = ((key, dollars(sums[key]), len(boardings[key])) for key in ordered)
    print_table(columns, lines, empty="Nothing was spent yet.")
    line(f"{dollars(total)} in all", style="bold")
    if given.by == "domain":
        line("A question of several domains counts in each of them.", style="dim")
    return 0


class _Session(NamedTuple):
    id: str
    started_at: datetime
    start: SessionStarted
    """With what the operator changed since."""
    ended_at: datetime | None = None
    end: SessionEnded | None = None


def _sessions_of(events: Iterable[Event]) -> list[_Session]:
    found: dict[str, _Session] = {}
    for event in events:
        match event.what:
            case SessionStarted(session=session) as start:
                found[session] = _Session(session, event.at, start)
            case SessionChanged(session=session) as changed if session in found:
                changes = changed.model_dump(include={"seats", "policy", "budget_micro_usd"})
                found[session] = found[session]._replace(start=found[session].start.model_copy(update=changes))
            case SessionEnded(session=session) as end if session in found:
                found[session] = found[session]._replace(ended_at=event.at, end=end)
            case _:
                pass
    return list(found.values())


async def _sessions(given: Namespace) -> int:
    async with opened(given, readonly=True) as mind:
        sessions = _sessions_of(await mind.store.events(kinds=["session_started", "session_changed", "session_ended"]))
        alive = await mind.store.attended()
        documents = [await _session_document(mind, session, session.id in alive) for session in sessions]
    if wants_json(given):
        print_json(documents)
        return 0
    shown = ("id", "started_at", "state", "operator", "policy", "seats", "boardings", "usd")
    rows = ([one[key] for key in shown] for one in documents)
    columns = [Column("id", style="cyan"), Column("started"), Column("state"), Column("operator"), Column("policy")]
    print_table([*columns, *_figures("seats", "boardings", "USD")], rows, empty="No session yet: `perdura run`.")
    return 0


async def _session_document(mind: Mind, session: _Session, is_alive: bool) -> dict[str, Any]:
    records = await mind.store.boardings(session=session.id)
    state = session.end.ending if session.end else "running" if is_alive else "interrupted"
    return {
        "id": session.id,
        "state": state,
        "started_at": stamp(session.started_at),
        "ended_at": None if session.ended_at is None else stamp(session.ended_at),
        "operator": session.start.operator,
        "policy": session.start.policy,
        "seats": session.start.seats,
        "models": list(session.start.models),
        "budget_usd": usd(session.start.budget_micro_usd),
        "boardings": len(records),
        "usd": usd(sum(record.cost_micro_usd for record in records)),
    }


def _model_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="also those whose provider was not found")
    parser.add_argument("--enable", metavar="ID", action="append", default=[], help="put a model back into service")
    parser.add_argument("--disable", metavar="ID", action="append", default=[], help="take a model out of service")


def _track_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--domain", metavar="D", help="the records of one domain (default: overall)")


def _spend_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--by", choices=tuple(_KEYS), default="model", help="what to add up by (default: model)")


VERBS = {
    "models": Verb(_model_arguments, _models),
    "track": Verb(_track_arguments, _track),
    "spend": Verb(_spend_arguments, _spend),
    "sessions": Verb(no_arguments, _sessions),
}
