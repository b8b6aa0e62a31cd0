"""`run`: a session without the desk."""

import asyncio
import signal
import sys
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import get_args

from pydantic import ValidationError

from perdura_core.conductor import SessionOrder, SessionReport, order_from
from perdura_core.config import Expansion, ReviewGate, Settings
from perdura_core.errors import InputError, PerduraError
from perdura_core.mind import Mind
from perdura_core.routing import POLICIES, Forecast, preview, within_budget
from perdura_core.vocabulary import BoardingEnded, BoardingOpened, Event
from perdura_tui.command import UsageError, Verb
from perdura_tui.command.documents import boarding_document
from perdura_tui.command.minds import opened, settings_of, wants_json
from perdura_tui.command.output import Column, heading, line, moment, print_json, print_table, say, usd
from perdura_tui.command.values import count, positive, share, sum_of_money
from perdura_tui.phrases import dollars, is_quiet, seconds, sentence, short_model

__all__ = ["VERBS"]

_BY_SIGNAL = 128
_WISHES = (
    "boardings",
    "seats",
    "route",
    "budget_usd",
    "budget_tokens",
    "swap_on",
    "adversarial_every",
    "collapse_after",
    "explore_every",
    "audit_every",
    "mask_confidence",
    "review",
    "memoric_weight",
)
"""Options that override the field of the order of the same name."""


async def _run(given: Namespace) -> int:
    if given.preview:
        return await _preview(given)
    if given.boardings is None:
        raise UsageError("--boardings N is missing: say how many workers may board")
    if given.plain and wants_json(given):
        raise UsageError("--plain and --json both want standard output: give one of them")
    order = _order(given, settings_of(given))
    async with opened(given, looks_for_models=True) as mind:
        if not mind.graph.open_questions():
            raise InputError("no open question in this mind: `perdura ask TEXT` adds one")
        signals: list[int] = []
        with _stopping(mind, signals):
            async with mind.tended():
                report = await _work(mind, order, is_plain=given.plain)
    _print_report(given, report)
    return _BY_SIGNAL + signals[0] if signals else 0


async def _preview(given: Namespace) -> int:
    """What the next boarding of each open question would be and cost under each policy. Nobody boards."""
    order = _order(given, settings_of(given))
    async with opened(given, readonly=True, looks_for_models=True) as mind:
        left = None if order.budget_usd is None else round(order.budget_usd * 1e6)
        asked = [vertex.id for vertex in mind.graph.open_questions()]
        states = [within_budget(mind.conductor.outlook(question, order, ()), left) for question in asked]
        found = preview(state.model_copy(update={"turn": turn}) for turn, state in enumerate(states, start=1))
    if wants_json(given):
        print_json([one.model_dump(mode="json") for one in found])
        return 0
    columns = [Column("question", style="cyan"), Column("model"), Column("about", is_number=True)]
    columns += [Column("policies", is_text=True), Column("why", is_text=True)]
    print_table(columns, _choices(found, order), empty="No open question: `perdura ask TEXT` adds one.")
    if found:
        _print_totals(found, order)
    return 0


def _choices(found: Sequence[Forecast], order: SessionOrder) -> Iterator[tuple[object, ...]]:
    """For each question each model that some policy would choose, that of the order's policy first."""
    for question in dict.fromkeys(one.question for one in found):
        own = [one for one in found if one.question == question]
        own.sort(key=lambda one: one.policy != order.route)
        for model in dict.fromkeys(one.model for one in own):
            alike = [one for one in own if one.model == model]
            policies = ", ".join(f"{one.policy} *" if one.policy == order.route else one.policy for one in alike)
            yield question, model, _price(alike[0]), policies, alike[0].reason


def _price(one: Forecast) -> str | None:
    return None if one.model is None else dollars(None if one.usd is None else round(one.usd * 1e6))


def _print_totals(found: Sequence[Forecast], order: SessionOrder) -> None:
    heading("one boarding of each open question, by policy")
    rows = []
    for policy in dict.fromkeys(one.policy for one in found):
        own = [one for one in found if one.policy == policy]
        models = Counter(one.model for one in own if one.model is not None)
        costs = [one.usd for one in own if one.model is not None]
        known = [cost for cost in costs if cost is not None]
        total = dollars(round(sum(known) * 1e6)) if len(known) == len(costs) else "?"
        whom = ", ".join(f"{short_model(model)} {count}" for model, count in models.most_common())
        rows.append((policy, "*" if policy == order.route else "", total, whom or "nobody can board"))
    print_table([Column("policy"), Column(""), Column("about", is_number=True), Column("who", is_text=True)], rows,
                empty="")  # fmt: skip


def _order(given: Namespace, settings: Settings) -> SessionOrder:
    wishes: dict[str, object] = {name: wish for name in _WISHES if (wish := getattr(given, name)) is not None}
    if given.models is not None:
        models = tuple(filter(None, given.models.split(",")))
        if not models:
            raise UsageError("--models is empty: give ids from `perdura models`, with commas between them")
        wishes["models"] = models
    order = order_from(settings).model_dump() | wishes
    if order["route"] == "pinned":
        if not order["models"]:
            raise UsageError("--route pinned needs the models to pin: give them with --models, most wanted first")
        order["pins"] = order["models"]
    try:
        return SessionOrder.model_validate(order)
    except ValidationError as error:
        first = error.errors()[0]
        option = "--" + "-".join(map(str, first["loc"])).replace("_", "-")
        raise UsageError(f"{option} {first['input']!r}: {first['msg'][0].lower()}{first['msg'][1:]}") from None


@contextmanager
def _stopping(mind: Mind, signals: list[int]) -> Iterator[None]:
    """Ctrl+C lets those aboard finish and takes no others; once more, or SIGTERM, ends every boarding now.

    Either way each boarding's ending is recorded and complete elements stay.
    """
    loop = asyncio.get_running_loop()

    def stop(number: int) -> None:
        signals.append(number)
        if number == signal.SIGINT and len(signals) == 1:
            say("finishing: workers aboard end their boarding and no others come; Ctrl+C again ends them now")
            mind.conductor.finish()
        else:
            mind.conductor.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, number)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


async def _work(mind: Mind, order: SessionOrder, *, is_plain: bool) -> SessionReport:
    after = await mind.store.head()
    tell = _log if is_plain else _progress()
    subscription = mind.bus.subscribe()

    async def follow() -> None:
        nonlocal after
        while True:
            await subscription.changed()
            subscription.drain()
            after = await _tell_news(mind, after, tell)

    try:
        async with asyncio.TaskGroup() as tasks:
            follower = tasks.create_task(follow())
            try:
                report = await mind.conductor.run(order)
            finally:
                follower.cancel()
    except* PerduraError as group:
        raise group.exceptions[0] from None
    finally:
        subscription.close()
    await _tell_news(mind, after, tell)
    return report


async def _tell_news(mind: Mind, after: int, tell: Callable[[Event], None]) -> int:
    for event in await mind.store.events(after):
        tell(event)
        after = event.seq
    return after


def _log(event: Event) -> None:
    if not is_quiet(event):
        end = event.what
        price = f", {dollars(end.cost_micro_usd)}, {seconds(end.seconds)}" if isinstance(end, BoardingEnded) else ""
        line(f"{moment(event.at)}  {event.boarding or '-':>5}  {sentence(event)}{price}")
        sys.stdout.flush()


def _progress() -> Callable[[Event], None]:
    aboard: dict[str, str] = {}

    def tell(event: Event) -> None:
        match event.what:
            case BoardingOpened(boarding=boarding):
                aboard[boarding.id] = f"{boarding.question} {boarding.model}"
            case BoardingEnded(boarding=boarding_id) as end:
                what = f"{end.ending}, {end.merged} merged, {end.rejected} rejected"
                why = f" ({end.reason})" if end.reason else ""
                cost = f"{dollars(end.cost_micro_usd)}, {seconds(end.seconds)}"
                say(f"{boarding_id:>5}  {aboard.pop(boarding_id, '')}: {what}, {cost}{why}")
            case _ if event.kind in ("model_disabled", "model_cooled"):
                say(sentence(event))
            case _:
                pass

    return tell


def _print_report(given: Namespace, report: SessionReport) -> None:
    if wants_json(given):
        print_json(
            {
                "boardings": [boarding_document(record) for record in report.boardings],
                "spent_usd": usd(report.spent_micro_usd),
                "contention": report.contention,
            }
        )
        return
    if not given.plain:
        rows = (
            (
                record.boarding.id,
                record.boarding.question,
                record.boarding.model,
                record.boarding.mode,
                record.ending,
                record.merged,
                record.rejected,
                dollars(record.cost_micro_usd),
                None if record.seconds is None else seconds(record.seconds),
                record.reason or record.boarding.route.reason,
            )
            for record in report.boardings
        )
        columns = [Column("id", style="cyan"), Column("question"), Column("model"), Column("mode"), Column("ending")]
        columns += [Column(title, is_number=True) for title in ("merged", "rejected", "spent", "time")]
        print_table([*columns, Column("reason", is_text=True)], rows, empty="Nobody boarded.")
    merged = sum(record.merged for record in report.boardings)
    line(
        f"session {report.session} {report.ending}: {len(report.boardings)} boardings, {merged} elements merged, "
        f"{dollars(report.spent_micro_usd)} spent, contention {report.contention:.2f}"
    )


def _arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--boardings", metavar="N", type=positive, help="stop after so many boardings")
    add(
        "--preview",
        action="store_true",
        help="only say who would board each open question under each policy, why, and at which cost",
    )
    add("--seats", metavar="K", type=positive, help="workers at once")
    add("--models", metavar="A,B", help="only these models, with commas between them")
    add("--route", choices=tuple(POLICIES), help="who chooses the model")
    add(
        "--budget",
        metavar="USD",
        dest="budget_usd",
        type=sum_of_money,
        help="cap of this session; reserved before each call",
    )
    add("--budget-tokens", metavar="N", type=count, help="the same cap in tokens of all calls")
    add(
        "--swap-on", metavar="A,B", help="what has a worker aboard give way: budget, specialist, stagnation, contention"
    )
    add("--adversarial-every", metavar="N", type=count, help="each so-many-th boarding attacks the strongest claim")
    add("--audit-every", metavar="N", type=count, help="each so-many-th boarding judges unlinked pairs of claims")
    add("--explore-every", metavar="N", type=count, help="each so-many-th boarding takes the least-worked question")
    add("--collapse-after", metavar="N", type=count, help="attack after so many boardings without a contradiction")
    add("--mask-confidence", action=BooleanOptionalAction, help="hide confidences from workers")
    add("--expansion", choices=get_args(Expansion), help="how relevance spreads along edges in briefings")
    add("--memoric-weight", metavar="W", type=share, help="part of the scatter of claims in contention, 0 to 1")
    add("--review", choices=get_args(ReviewGate), help="what waits for the operator's word")
    add("--plain", action="store_true", help="a log on standard output, one line for each thing that happens")


VERBS = {"run": Verb(_arguments, _run)}
