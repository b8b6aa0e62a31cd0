"""Observation or judgement by the wording alone."""

import json
from collections import Counter
from importlib import resources
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.epistemics import read_wording
from perdura_core.epistemics.layering import SURE, WordingModel, shipped_model
from perdura_core.epistemics.wording.traits import tokens, traits_of
from perdura_core.experiments.layers import experiment_layers, load_labelled, shipped_weights

DATA = Path(__file__).parent / "layers.csv"


@pytest.mark.slow
def test_sentences_that_were_not_tuned_on_are_put_in_the_right_layer() -> None:
    figures = experiment_layers(DATA).figures
    accuracy = {name: one["accuracy"].value for name, one in figures.items() if "accuracy" in one}
    print(accuracy)  # noqa: T201 - the figures that the notes quote
    assert accuracy["unseen"] >= 0.96
    assert accuracy["unseen, hard"] >= 0.94
    assert accuracy["writer left out"] >= 0.87
    assert accuracy["writer left out, hard"] >= 0.9
    assert accuracy["writer left out, sure"] >= 0.97
    right = [finding.value for finding in figures["by certainty"].values()]
    assert all(less < more for less, more in pairwise(right))


def test_the_sentences_are_many_of_many_fields_and_each_stands_once() -> None:
    rows = load_labelled(DATA)
    assert len({row.sentence for row in rows}) == len(rows) >= 4_000
    assert len({row.field for row in rows}) >= 20
    assert len({row.writer for row in rows}) >= 8
    assert sum(row.is_hard for row in rows if not row.is_tuned) >= 100
    of = Counter(row.writer for row in rows if row.is_judgement)
    assert all(0.4 < of[writer] / count < 0.6 for writer, count in Counter(row.writer for row in rows).items())


@pytest.mark.slow
def test_the_weights_are_those_of_the_sentences() -> None:
    shipped = json.loads(resources.files("perdura_core.epistemics").joinpath("layering.json").read_text("utf-8"))
    found = shipped_weights(DATA)
    assert found["bias"] == pytest.approx(shipped["bias"], abs=3)
    assert found["weights"] == pytest.approx(shipped["weights"], abs=3)


def test_sentences_that_nobody_looked_at_are_read_rightly() -> None:
    rows = [row for row in load_labelled(DATA) if not row.is_tuned]
    read = [read_wording(row.sentence) for row in rows]
    right = [found.is_judgement == row.is_judgement for row, found in zip(rows, read, strict=True)]
    sure = [is_right for is_right, found in zip(right, read, strict=True) if found.is_sure]
    assert len(rows) >= 300
    assert sum(right) / len(right) >= 0.96
    assert sum(sure) / len(sure) >= 0.98
    assert len(sure) / len(right) >= 0.5


@pytest.mark.parametrize(
    ("measured", "read"),
    [
        ("PageRank of the cache is 0.12.", "So the cache is central to the outage."),
        ("The correlation between load and errors is r = .31.", "Load probably drives the errors."),
        ("The graph has 7 clusters.", "The clusters are an artefact of sloppy naming."),
    ],
)
def test_a_measurement_is_a_fact_and_its_reading_is_not(measured: str, read: str) -> None:
    assert not read_wording(measured).is_judgement
    assert read_wording(measured).is_analysis
    assert read_wording(read).is_judgement


def test_that_somebody_judged_is_an_observation() -> None:
    assert read_wording("The merger was a disaster.").is_judgement
    assert not read_wording("The CFO said that the merger was a disaster.").is_judgement


def test_the_words_that_spoke_most_are_named() -> None:
    found = read_wording("The board should have sold the reckless bank long ago.")
    assert found.is_judgement
    assert "should" in found.cues


def test_a_model_is_what_its_file_says() -> None:
    model = WordingModel(0.5, {"too": 2.0, "0": -1.25})
    assert WordingModel.of(json.loads(json.dumps(model.document()))) == model
    assert model.read("Nothing known").judgement == pytest.approx(0.622459, abs=1e-6)  # 1 / (1 + exp(-0.5))
    # By hand: 0.5 + (2 - 1.25) / sqrt(2) = 1.03033; 1 / (1 + exp(-1.03033)) = 0.73697.
    assert model.read("4 is too few").judgement == pytest.approx(0.73697, abs=1e-5)
    assert model.read("too").cues == ("too",)


def test_traits_point_at_the_tokens_that_have_them() -> None:
    written = tokens("Rome fell in 476.5 days")
    named = {trait.name: written[trait.first : trait.end] for trait in traits_of(written)}
    assert named["fell"] == ["fell"]
    assert named["fall~"] == ["fell"]
    assert named["fell in"] == ["fell", "in"]
    assert named["^ rome"] == ["Rome"]
    assert named["/in 0.0 -s"] == ["in", "476.5", "days"]
    assert named["numbers=1"] == []


@given(st.text(max_size=300))
def test_any_text_is_read_the_same_way_twice(text: str) -> None:
    found = shipped_model().read(text)
    assert 0 <= found.judgement <= 1
    assert 0.5 <= found.certainty <= 1
    assert found == read_wording(text)
    assert found.is_sure == (found.certainty >= SURE)
    assert all(word.isalpha() for word in found.cues)
