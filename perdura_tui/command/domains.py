"""`domains` and `place`: how fast a domain is, and in which layer a node belongs."""

from argparse import ArgumentParser, Namespace
from typing import get_args

from perdura_core import acts
from perdura_core.vocabulary import JudgedLayer, NodeSuperseded, Velocity
from perdura_tui.command import UsageError, Verb
from perdura_tui.command.inspect import check_id
from perdura_tui.command.minds import opened, wants_json
from perdura_tui.command.output import Column, line, print_json, print_table

__all__ = ["VERBS"]


async def _domains(given: Namespace) -> int:
    if (given.name is None) != (given.velocity is None):
        raise UsageError("to set a domain's velocity, name both: `perdura domains NAME --velocity fast`")
    async with opened(given, readonly=given.name is None) as mind:
        if given.name is not None:
            await mind.act(acts.profile(given.name, given.velocity))
        standings = await mind.domains()
    if wants_json(given):
        print_json([one._asdict() | {"is_settled": one.interpretations > 0} for one in standings])
        return 0
    rows = (
        (
            one.name,
            one.velocity,
            one.settled_by or "-",
            "-" if one.pace_days is None else f"{one.pace_days:.1f}",
            one.facts,
            one.interpretations,
        )
        for one in standings
    )
    columns = [Column("domain", style="cyan"), Column("velocity"), Column("settled by", style="dim")]
    columns += [Column(name, is_number=True) for name in ("days between news", "facts", "interpretations")]
    print_table(columns, rows, empty="No domain yet: `perdura read FILES --domain D` and `perdura ask` name some.")
    return 0


async def _place(given: Namespace) -> int:
    check_id(given.id)
    if given.id[0] not in "fi":
        raise UsageError(f"{given.id!r} is neither a fact nor an interpretation: name one, like f12 or i7")
    async with opened(given) as mind:
        told = await mind.move(given.id, given.layer)
    [heir] = [event.what.superseded_by for event in told if isinstance(event.what, NodeSuperseded)]
    if wants_json(given):
        print_json({"moved": given.id, "to": heir})
    else:
        line(f"{given.id} is {heir} now; the operator's last act can be undone on the desk with u")
    return 0


def _domains_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="the domain whose velocity to set")
    parser.add_argument(
        "--velocity", choices=get_args(Velocity), help="how fast it is, as long as it has no interpretation"
    )


def _place_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="a fact (f12) or an interpretation (i7)")
    parser.add_argument("layer", choices=get_args(JudgedLayer), help="where it belongs")


VERBS = {"domains": Verb(_domains_arguments, _domains), "place": Verb(_place_arguments, _place)}
