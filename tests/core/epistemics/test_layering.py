"""Observation or judgement by the wording alone."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.epistemics import read_wording
from perdura_core.epistemics.layering import BIAS, WEIGHTS
from perdura_core.epistemics.wording.cues import CUES, OBSERVING, cues_of
from perdura_core.experiments.layers import experiment_layers, fitted, is_tuned, load_labelled

DATA = Path(__file__).parent / "layers.csv"


def test_the_other_half_is_put_in_the_right_layer() -> None:
    report = experiment_layers(DATA)
    accuracy = {
        name: report.figures[name]["accuracy"].value
        for name in ("the other half", "the other half, hard", "written later", "written later, hard")
    }
    print(accuracy)  # noqa: T201 - the figures that the notes quote
    assert accuracy["the other half"] >= 0.96
    assert accuracy["the other half, hard"] >= 0.9
    assert accuracy["written later"] >= 0.94
    assert report.figures["the other half, sure"]["accuracy"].value >= 0.97


def test_the_sentences_are_many_of_many_fields_and_each_stands_once() -> None:
    rows = load_labelled(DATA)
    assert len({row.sentence for row in rows}) == len(rows) >= 400
    assert len({row.field for row in rows}) >= 10
    assert sum(row.is_hard for row in rows if row.use == "split") >= 90
    assert 0.4 < sum(row.is_judgement for row in rows) / len(rows) < 0.6


def test_the_weights_are_those_of_the_sentences() -> None:
    found = fitted([row for row in load_labelled(DATA) if is_tuned(row)])
    assert found.pop("bias") == pytest.approx(BIAS, abs=0.03)
    assert found == pytest.approx(WEIGHTS, abs=0.03)


def test_every_cue_has_a_weight_of_the_sign_that_it_means() -> None:
    assert WEIGHTS.keys() == CUES.keys()
    assert all(weight <= 0 if name in OBSERVING else weight >= 0 for name, weight in WEIGHTS.items())


@pytest.mark.parametrize(
    ("measured", "read"),
    [
        ("PageRank of the cache is 0.12.", "So the cache is central to the outage."),
        ("The correlation between load and errors is r = .31.", "Load probably drives the errors."),
        ("The graph has 7 clusters.", "The clusters are really one topic under seven names."),
    ],
)
def test_a_measurement_is_a_fact_and_its_reading_is_not(measured: str, read: str) -> None:
    assert not read_wording(measured).is_judgement
    assert read_wording(measured).is_analysis
    assert read_wording(read).is_judgement


def test_that_somebody_judged_is_an_observation() -> None:
    assert read_wording("The merger was a disaster.").is_judgement
    assert not read_wording("The CFO said that the merger was a disaster.").is_judgement


@given(st.text(max_size=300))
def test_any_text_is_read_the_same_way_twice(text: str) -> None:
    found = read_wording(text)
    assert 0 <= found.judgement <= 1
    assert 0.5 <= found.certainty <= 1
    assert found == read_wording(text)
    assert all(0 <= cue <= 1 for cue in cues_of(text))
