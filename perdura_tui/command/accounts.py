"""`models`, `spend` and `sessions`: who can work, who did, and for how much."""

from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from perdura_core.mind import Mind
from perdura_core.routing import list_price
from perdura_core.store import SpendRow
from perdura_core.vocabulary import (
    Card,
    Event,
    MicroUsd,
    Price,
    SessionChanged,
    SessionEnded,
    SessionStarted,
    Terms,
    TrackRecord,
)
from perdura_tui.command import UsageError, Verb, no_arguments
from perdura_tui.command.documents import card_document, stamp
from perdura_tui.command.minds import opened, wants_json
from perdura_tui.command.output import Column, line, print_json, print_table, usd
from perdura_tui.command.values import day, sum_of_money
from perdura_tui.phrases import dollars

__all__ = ["VERBS"]

_MODEL = Column("model", style="cyan")


def _figures(*titles: str) -> list[Column]:
    return [Column(title, is_number=True) for title in titles]


async def _models(given: Namespace) -> int:
    is_change = bool(given.enable or given.disable or given.change)
    async with opened(given, readonly=not is_change, looks_for_models=True) as mind:
        for model in given.disable:
            await mind.disable(model, "by the operator")
        for model in given.enable:
            await mind.enable(model)
        if given.change is not None:
            await mind.change(given.change, _terms(mind.registry.card(given.change), given))
        elif (given.tier, given.domains, given.usd_in, given.usd_out, given.price_from) != (None,) * 5:
            raise UsageError("--tier, --domains and prices change one card: name it with --change ID")
        now = mind.clock.now()
        standings = [(card, mind.registry.why_not(card.id, now)) for card in mind.registry.cards]
        learned = {record.model: record for record in await mind.tracks()}
    if wants_json(given):
        print_json([_card_document(card, why, learned.get(card.id)) for card, why in standings])
        return 0
    shown = standings
    if given.change is not None:
        shown = [(card, why) for card, why in standings if card.id == given.change]
    elif not (given.all or is_change):
        shown = [(card, why) for card, why in standings if mind.registry.is_aboard(card.id)]
    rows = (
        (card.id, card.tier, *_prices(card, now.date()), *_learned(learned.get(card.id)), ", ".join(card.domains),
         why or "ready")
        for card, why in shown
    )  # fmt: skip
    columns = [
        _MODEL,
        Column("tier"),
        *_figures("$/Mtok in", "out", "$/boarding", "seconds"),
        Column("domains"),
        Column("state", is_text=True),
    ]
    print_table(columns, rows, empty="No model is aboard: `perdura doctor` says what is missing.")
    if len(shown) < len(standings):
        line(f"{len(standings) - len(shown)} more are not shown: --all lists them", style="dim")
    return 0


def _terms(card: Card, given: Namespace) -> Terms:
    """The card's terms with what was given in them. A price with a date joins the others, one without replaces them."""
    terms: dict[str, Any] = Terms.of(card).model_dump()
    if given.tier is not None:
        terms["tier"] = given.tier
    if given.domains is not None:
        terms["domains"] = tuple(filter(None, (name.strip().lower() for name in given.domains.split(","))))
    if (given.usd_in is None) != (given.usd_out is None):
        raise UsageError("a price is two rates: give --usd-in and --usd-out together")
    if given.usd_in is not None:
        since = given.price_from or date(1970, 1, 1)
        row = Price(valid_from=since, usd_per_mtok_in=given.usd_in, usd_per_mtok_out=given.usd_out)
        kept = card.prices if given.price_from is not None else ()
        terms["prices"] = (*(price for price in kept if price.valid_from != since), row)
    elif given.price_from is not None:
        raise UsageError("--from dates a price: give --usd-in and --usd-out with it")
    return Terms.model_validate(terms)


def _card_document(card: Card, why_not: str | None, record: TrackRecord | None) -> dict[str, Any]:
    learned = None if record is None or not record.boardings else record
    cost = None if learned is None else usd(learned.cost_micro_usd)
    return card_document(card, why_not) | {
        "usd_per_boarding": None if learned is None or cost is None else cost / learned.boardings,
        "seconds_per_boarding": None if learned is None else learned.seconds,
    }


def _learned(record: TrackRecord | None) -> tuple[str | None, str | None]:
    if record is None or not record.boardings:
        return None, None
    cost = record.cost_micro_usd
    mean = None if cost is None else dollars(round(cost / record.boardings))
    return mean, None if record.seconds is None else f"{record.seconds:.1f}"


def _prices(card: Card, on: date) -> tuple[str, str]:
    price = list_price(card, on)
    return ("?", "?") if price is None else (f"{price.usd_per_mtok_in:g}", f"{price.usd_per_mtok_out:g}")


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
    parser.add_argument("--change", metavar="ID", help="change a model's card in this mind, by what follows")
    parser.add_argument("--tier", choices=("local", "standard", "frontier"), help="its tier")
    parser.add_argument("--domains", metavar="A,B", help="what it is good at, with commas between; empty: nothing")
    parser.add_argument("--usd-in", metavar="USD", type=sum_of_money, help="price of a million tokens in")
    parser.add_argument("--usd-out", metavar="USD", type=sum_of_money, help="price of a million tokens out")
    parser.add_argument("--from", metavar="DATE", dest="price_from", type=day, help="from when the price holds")


def _spend_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--by", choices=tuple(_KEYS), default="model", help="what to add up by (default: model)")


VERBS = {
    "models": Verb(_model_arguments, _models),
    "spend": Verb(_spend_arguments, _spend),
    "sessions": Verb(no_arguments, _sessions),
}
