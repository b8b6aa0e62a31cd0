"""What the operator may change of a session: reading what was typed, and what the next boardings would then cost."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pydantic import ValidationError

from perdura_core.conductor import SessionOrder
from perdura_core.config import ReviewGate, Settings
from perdura_core.errors import InputError
from perdura_core.graph import Graph
from perdura_core.routing import RouteState, alternatives, choose_mode, choose_question, route, within_budget
from perdura_core.vocabulary import MicroUsd, Mode, ModelId, NodeId, PolicyName
from perdura_tui.phrases import dollars

__all__ = [
    "CHOICES", "GATES", "MASKING", "POLICY_WORDS", "TYPED", "Ahead", "Forecast", "Outlook", "chosen", "forecast",
    "order_of", "toml_lines", "toml_text", "typed",
]  # fmt: skip

FORECAST_MOST = 8
_MOST_USD = 1_000_000

POLICY_WORDS: Mapping[PolicyName, str] = {
    "cheap": "always the cheapest able model",
    "pinned": "your pins first, else the cheapest",
    "round_robin": "every model in turn",
    "periodic": "every k-th boarding a frontier one",
    "random": "by lot, now and then a frontier one",
    "contention": "a frontier one where claims dispute",
    "track_record": "drawn by record for its price",
    "specialist": "one that is proven in the domain",
    "stagnation": "another one where nothing was added",
    "cascade": "dearer ones until an answer is sure",
}
"""Each policy in one line that fits where the terminal is narrow. Where it has no opinion the cheapest model boards."""

GATES: Mapping[ReviewGate, str] = {
    "off": "what workers send is merged at once",
    "changes": "every supersede and every resolve waits in the tray for your word",
    "all": "every element waits in the tray for your word",
}
"""Each setting of the review gate in one line."""

MASKING: Mapping[str, str] = {
    "off": "workers see confidences",
    "on": "workers judge without confidences",
}

TYPED: Mapping[str, str] = {
    "periodic_k": "periodic k",
    "seats": "seats",
    "explore_every": "explore every",
    "audit_every": "audit every",
    "adversarial_every": "attack every",
    "collapse_after": "alarm after",
    "budget_usd": "budget in $",
}
"""Fields of the order that are typed, and what the desk calls them."""

CHOICES: Mapping[str, str] = {
    "route": "policy", "mask_confidence": "masking", "review": "review gate", "theme": "theme",
}  # fmt: skip
"""Fields that are chosen, and what the desk calls them."""


class Outlook(NamedTuple):
    """What a forecast starts from: the present of the mind and of the session, if one is running."""

    graph: Graph
    opened: int
    """Boardings of the session so far."""
    charged_micro_usd: MicroUsd
    """What the session has spent and holds."""
    state_of: Callable[[NodeId, SessionOrder, Sequence[ModelId]], RouteState]
    """What the router is told of a question under an order, after boardings of these models; no cap of the session."""


class Ahead(NamedTuple):
    """A boarding to come."""

    question: NodeId
    mode: Mode
    model: ModelId | None
    """None: no model can board."""
    expected_micro_usd: MicroUsd | None
    """The mean of the model's past boardings, or at most; None: unknown."""
    most_micro_usd: MicroUsd | None
    """None: unknown."""
    why: str


class Forecast(NamedTuple):
    """The next boardings, one on each open question."""

    ahead: tuple[Ahead, ...]
    room_micro_usd: MicroUsd | None
    """What the cap leaves before them; None: no cap."""
    under: Mapping[PolicyName, MicroUsd | None] = {}
    """What the same boardings are expected to cost under each policy; None: unknown."""

    @property
    def expected_micro_usd(self) -> MicroUsd | None:
        """Of all of them; None when one is unknown."""
        return _sum([one.expected_micro_usd for one in self.ahead if one.model is not None])

    @property
    def most_micro_usd(self) -> MicroUsd | None:
        """Of all of them; None when one is unknown."""
        return _sum([one.most_micro_usd for one in self.ahead if one.model is not None])


def typed(order: SessionOrder) -> dict[str, str]:
    """The typed fields as they stand in the dialog."""
    values = order.model_dump()
    return {name: "" if values[name] is None else f"{values[name]:.10g}" for name in TYPED}


def chosen(order: SessionOrder, theme: str) -> dict[str, str]:
    """The chosen fields as they stand in the dialog."""
    return {
        "route": order.route if order.route in POLICY_WORDS else "cheap",
        "mask_confidence": "on" if order.mask_confidence else "off",
        "review": order.review,
        "theme": theme,
    }


def order_of(order: SessionOrder, fields: Mapping[str, str], settings: Settings) -> SessionOrder:
    """The order with these fields in it. Raises InputError that says which field is wrong, and why.

    `settings` are those of the configuration, whose cap for every session holds where the order has none.
    """
    wishes: dict[str, object] = {name: fields[name].strip() for name in TYPED}
    budget = fields["budget_usd"].strip().removeprefix("$").strip()
    wishes["budget_usd"] = _usd(budget, settings.budget.session_usd)
    wishes |= {"route": fields["route"], "review": fields["review"]}
    wishes["mask_confidence"] = fields["mask_confidence"] == "on"
    try:
        return SessionOrder.model_validate(order.model_dump() | wishes)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        said = str(first["msg"]).removeprefix("Input ")
        raise InputError(f"{TYPED.get(name, name)} {first['input']!r} {said}") from None


def _usd(text: str, configured_usd: float | None) -> float | None:
    name = TYPED["budget_usd"]
    if not text:
        if configured_usd is not None:
            cap = dollars(round(configured_usd * 1e6))
            raise InputError(f"{name} is empty, but the configuration caps every session at {cap}: write a sum")
        return None
    try:
        usd = float(text)
    except ValueError:
        raise InputError(f"{name} {text!r} is no sum: write dollars, as in 2.00, or nothing for no cap") from None
    if not math.isfinite(usd) or not 0 <= usd <= _MOST_USD:
        raise InputError(f"{name} {text!r} should be from 0 to {_MOST_USD}; nothing at all is no cap")
    return usd


def forecast(outlook: Outlook, order: SessionOrder) -> Forecast:
    """The next boarding of each open question under this order, in the order in which the conductor would take them.

    Each is reckoned at its worst case before the next, so that together they stay within the budget.
    """
    room = None if order.budget_usd is None else max(round(order.budget_usd * 1e6) - outlook.charged_micro_usd, 0)
    ahead: list[Ahead] = []
    models: list[ModelId] = []
    under: dict[PolicyName, list[MicroUsd | None]] = {}
    left = room
    while len(ahead) < FORECAST_MOST:
        number = outlook.opened + len(ahead) + 1
        pick = choose_question(outlook.graph, {one.question for one in ahead}, order, number)
        if pick is None:
            break
        mode = choose_mode(number, order, outlook.graph.claims_in(pick.question))
        state = within_budget(outlook.state_of(pick.question, order, tuple(models)), left)
        taken = route(state, order.route)
        for policy, other in alternatives(state).items():
            usd = None if other is None else state.usd(other.model)
            under.setdefault(policy, []).append(0 if other is None else None if usd is None else round(usd * 1e6))
        if taken is None:
            ahead.append(Ahead(pick.question, mode, None, None, None, _why_none(state)))
            continue
        usd, most = state.usd(taken.model), state.costs.get(taken.model)
        expected = None if usd is None else round(usd * 1e6)
        ahead.append(Ahead(pick.question, mode, taken.model, expected, most, taken.reason))
        models.append(taken.model)
        if left is not None:
            left -= most or 0
    return Forecast(tuple(ahead), room, {policy: _sum(costs) for policy, costs in under.items()})


def _why_none(state: RouteState) -> str:
    if not state.why_not:
        return "no model is aboard"
    model, why = next(iter(state.why_not.items()))
    return f"no model can board ({model}: {why})"


def _sum(costs: Sequence[MicroUsd | None]) -> MicroUsd | None:
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def toml_lines(order: SessionOrder, theme: str, settings: Settings) -> dict[str, list[str]]:
    """What of this is not in the configuration: lines by table, the table without a name being the top of the file."""
    tables: dict[str, list[str]] = {}
    if theme != settings.theme:
        tables[""] = [f"theme = {_toml(theme)}"]
    run, configured = order.model_dump(), settings.run.model_dump()
    names = ("seats", "route", "periodic_k", "explore_every", "audit_every", "adversarial_every", "collapse_after",
             "mask_confidence", "review")  # fmt: skip
    lines = [f"{name} = {_toml(run[name])}" for name in names if run[name] != configured[name]]
    if lines:
        tables["run"] = lines
    if order.budget_usd is not None and order.budget_usd != settings.budget.session_usd:
        tables["budget"] = [f"session_usd = {order.budget_usd!r}"]
    return tables


def toml_text(tables: Mapping[str, Sequence[str]]) -> str:
    """The lines as they stand in a file."""
    parts = [[f"[{table}]", *lines] if table else list(lines) for table, lines in tables.items()]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _toml(value: object) -> str:
    return json.dumps(value)  # numbers, true and false, and words of plain letters are written alike
