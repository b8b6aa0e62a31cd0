"""`routes`: the ledger of the router's decisions, each with its reason and what the alternatives would have been."""

from argparse import ArgumentParser, Namespace
from typing import Any

from perdura_core.routing import Entry, Ledger
from perdura_tui.command import Verb
from perdura_tui.command.documents import stamp
from perdura_tui.command.minds import opened, wants_json
from perdura_tui.command.output import Column, line, moment, print_json, print_table, usd
from perdura_tui.command.values import positive
from perdura_tui.phrases import dollars, instead

__all__ = ["VERBS"]


async def _routes(given: Namespace) -> int:
    async with opened(given, readonly=True) as mind:
        ledger = await mind.routes()
    entries = [entry for entry in ledger.entries if _is_wanted(entry, given)]
    if given.last is not None:
        entries = entries[-given.last :]
    if wants_json(given):
        print_json([_document(entry) for entry in entries])
        return 0
    columns = [
        Column("boarding", style="cyan"), Column("at"), Column("question"), Column("model"), Column("policy"),
        Column("spent", is_number=True), Column("why", is_text=True), Column("instead", is_text=True),
    ]  # fmt: skip
    print_table(columns, map(_row, entries), empty="Nobody boarded yet: `perdura run`.")
    if entries:
        _print_sums(ledger)
    return 0


def _is_wanted(entry: Entry, given: Namespace) -> bool:
    wanted = {"question": entry.question, "session": entry.session, "model": entry.route.model}
    return all(getattr(given, name) in (None, value) for name, value in wanted.items())


def _row(entry: Entry) -> tuple[object, ...]:
    return (
        entry.boarding, moment(entry.at), entry.question, entry.route.model, entry.route.policy,
        None if entry.cost_micro_usd is None else dollars(entry.cost_micro_usd), entry.route.reason,
        instead(entry.alternatives),
    )  # fmt: skip


def _print_sums(ledger: Ledger) -> None:
    by_policy = sorted(ledger.spent().items(), key=lambda each: -each[1])
    line("spent by policy: " + ", ".join(f"{policy} {dollars(spent)}" for (policy,), spent in by_policy), style="dim")


def _document(entry: Entry) -> dict[str, Any]:
    return {
        "boarding": entry.boarding,
        "at": stamp(entry.at),
        "session": entry.session,
        "question": entry.question,
        "model": entry.route.model,
        "policy": entry.route.policy,
        "reason": entry.route.reason,
        "usd": usd(entry.cost_micro_usd),
        "merged": entry.merged,
        "alternatives": [
            {"model": other.model, "policies": list(other.policies), "usd": usd(other.cost_micro_usd)}
            for other in entry.alternatives
        ],
    }


def _arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--question", metavar="ID", help="only of this question")
    add("--session", metavar="ID", help="only of this session")
    add("--model", metavar="ID", help="only where this model was chosen")
    add("--last", metavar="N", type=positive, help="only the last so many")


VERBS = {"routes": Verb(_arguments, _routes)}
