"""The ledger of routes, previews, comparisons and history."""

import pytest

from perdura_core.errors import InputError
from perdura_core.routing import POLICIES, Ledger, Records, RouteState, alternatives, compare, history, preview
from perdura_core.vocabulary import OPERATOR, Boarding, BoardingEnded, BoardingOpened, Card, Route, TrackRecord
from tests.core.routing.scenes import NOW, Scene

CHEAP, GREAT = Card(id="a:cheap"), Card(id="b:great", tier="frontier")


def state(**changes: object) -> RouteState:
    base = {"question": "q1", "cards": (CHEAP, GREAT), "costs": {CHEAP.id: 100, GREAT.id: 20_000}, "turn": 3}
    return RouteState.model_validate({**base, **changes})


def boarded(scene: Scene, number: int, policy: str, cost: int | None) -> None:
    route = Route.model_validate({"model": GREAT.id, "policy": policy, "reason": "because"})
    boarding = Boarding(
        id=f"b{number}", session="s1", seat=1, question="q1", model=GREAT.id, route=route, opened_at=NOW
    )
    scene.happen(BoardingOpened(boarding=boarding))
    if cost is not None:
        ended = BoardingEnded(
            boarding=boarding.id, ending="merged", cost_micro_usd=cost, seconds=1.0, merged=2, rejected=0
        )
        scene.happen(ended)


def test_the_ledger_holds_each_decision_with_its_reason_and_what_it_came_to() -> None:
    scene, ledger = Scene(), Ledger()
    scene.ask("q1")
    boarded(scene, 1, "periodic", 500)
    boarded(scene, 2, "cheap", None)
    ledger.apply(scene.events)
    ledger.apply(scene.events)
    assert [(e.boarding, e.route.policy, e.cost_micro_usd, e.merged) for e in ledger.entries] == [
        ("b1", "periodic", 500, 2),
        ("b2", "cheap", None, None),
    ]
    assert ledger.spent(("policy", "model")) == {("periodic", GREAT.id): 500, ("cheap", GREAT.id): 0}
    with pytest.raises(InputError, match="'seat'"):
        ledger.spent(("seat",))


def test_alternatives_and_preview_name_every_policy() -> None:
    assert set(alternatives(state())) == set(POLICIES)
    found = {forecast.policy: forecast for forecast in preview([state()])}
    assert found["periodic"].model == GREAT.id
    assert found["periodic"].usd == pytest.approx(0.02)
    assert found["cheap"].model == CHEAP.id
    nobody = state(why_not={CHEAP.id: "disabled: x", GREAT.id: "cooling"})
    blocked = preview([nobody])[0]
    assert blocked.model is None
    assert "no model can board" in blocked.reason


def test_two_models_are_compared_outcome_by_outcome() -> None:
    scene = Scene()
    scene.judge("i1", "m:a")
    scene.judge("i2", "m:b")
    scene.judge("i3", OPERATOR)
    scene.link("e1", "i3", "supports", "i1", OPERATOR)
    scene.link("e2", "i3", "contradicts", "i2", OPERATOR)
    records = Records(scene.graph)
    records.apply(scene.events)
    found = compare(records, "m:a", "m:b")
    assert [(model, node, verdict.kind) for model, node, verdict in found.outcomes] == [
        ("m:a", "i1", "settled_for"),
        ("m:b", "i2", "settled_against"),
    ]
    assert found.chance_one_is_better > 0.9
    assert compare(records, "m:x", "m:y").chance_one_is_better == 0.5


def test_history_ends_with_the_present() -> None:
    scene = Scene()
    scene.judge("i1", "m:a")
    scene.judge("i2", OPERATOR)
    scene.link("e1", "i2", "supports", "i1", OPERATOR)
    moments = history(scene.events, moments=3)
    assert [moment.seq for moment in moments] == [1, 2, 3]
    records = Records(scene.graph)
    records.apply(scene.events)
    assert list(moments[-1].records) == records.track()
    first: TrackRecord = moments[0].records[0]
    assert first.outcomes == 0
    assert history([]) == []
