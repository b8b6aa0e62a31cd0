"""How far the best answer is believed, and the cascade that asks until it is."""

import pytest

from perdura_core.routing.lead import believed, lead_of
from perdura_core.vocabulary import ConfidenceVoted
from tests.core.routing.scenes import Scene
from tests.core.routing.test_more_policies import CHEAP, EXPERT, GREAT, model, record, state

RELIABLE = {"m1": 0.8, "m2": 0.75, "m3": 0.8}


def scene() -> Scene:
    made = Scene()
    made.ask("q1")
    return made


def answered(made: Scene, node: str, by: str) -> None:
    made.judge(node, by)
    made.link(f"e{len(made.events)}", node, "answers", "q1", by)


def test_nothing_stands_at_first() -> None:
    assert lead_of(scene().graph, "q1", RELIABLE) is None


def test_by_hand() -> None:
    made = scene()
    answered(made, "i1", "m1")
    assert lead_of(made.graph, "q1", RELIABLE) == pytest.approx(4 / 5)
    answered(made, "i2", "m2")
    made.link("e90", "i2", "contradicts", "i1", "m2")
    assert lead_of(made.graph, "q1", RELIABLE) == pytest.approx(4 / 8)
    made.happen(ConfidenceVoted(node="i1", confidence=0.9), "m3")
    made.happen(ConfidenceVoted(node="i1", confidence=0.1), "m9")
    assert lead_of(made.graph, "q1", RELIABLE) == pytest.approx(16 / (1 + 16 + 3))
    assert lead_of(made.graph, "q1", {}) == pytest.approx(1 / 3)


def test_records_of_the_domain_come_before_those_of_the_whole() -> None:
    records = [
        record("m1", 0.6, 0.1, "law"),
        record("m1", 0.9, 0.1),
        record("m1", 0.2, 0.1, "physics"),
        record("m2", 0.7, 0.1),
    ]
    assert believed(records, ("law",)) == {"m1": 0.6, "m2": 0.7}


def test_the_cascade_climbs_until_an_answer_is_believed() -> None:
    assert model(state(), "cascade") == (CHEAP.id, "cheap")
    asked = (CHEAP.id,)
    assert model(state(question_models=asked, lead=0.8), "cascade") == (EXPERT.id, "cascade")
    assert model(state(question_models=asked, lead=None), "cascade") == (EXPERT.id, "cascade")
    assert model(state(question_models=asked, lead=0.9), "cascade") == (CHEAP.id, "cheap")
    assert model(state(question_models=asked, lead=0.9, cascade_stop=0.95), "cascade") == (EXPERT.id, "cascade")
    both = (CHEAP.id, EXPERT.id)
    assert model(state(question_models=both, lead=0.5), "cascade") == (GREAT.id, "cascade")
    assert model(state(question_models=(*both, GREAT.id), lead=0.5), "cascade")[1] == "cheap"
