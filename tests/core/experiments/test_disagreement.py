"""The experiments on scatter, distance and anchoring find what was planted, and say so with intervals."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from perdura_core.errors import InputError
from perdura_core.experiments.anchoring import Showing, measure_anchoring, planted_showings, showings_of
from perdura_core.experiments.boosting import fit_trees
from perdura_core.experiments.collision import experiment_collision
from perdura_core.experiments.contradictions import SETS, experiment_contradictions, shipped_weights
from perdura_core.experiments.memoric import experiment_memoric, measure_memoric, planted
from perdura_core.retrieval.disputing.scorer import Shipped, shipped
from perdura_core.retrieval.embedders.wordllama import is_installed
from tests.core.graph.making import boarded, linked, numbered

needs_vectors = pytest.mark.skipif(not is_installed(), reason="wordllama is not installed")


def some(source: Path, target: Path, every: int) -> Path:
    with gzip.open(source, "rt", encoding="utf-8") as lines, gzip.open(target, "wt", encoding="utf-8") as kept:
        kept.writelines(line for number, line in enumerate(lines) if number % every == 0)
    return target


def test_planted_scatter_foretells_and_planted_reliability_is_found() -> None:
    found = measure_memoric(planted(3, questions=200), seed=3).figures
    for finding in found.values():
        assert finding.low is not None
        assert finding.low <= finding.value <= (finding.high or 0)
    assert found["1 scatter foretells"].value > 0.6
    assert found["2 closeness is reliability"].value > 0.9
    assert found["3 order is preserved"].value > 0.9


def test_the_default_weight_follows_the_tests_on_recorded_reasoning(data: Path, tmp_path: Path) -> None:
    name = "model-reasoning-mmlu-pro-sample.jsonl.gz"
    report = experiment_memoric(some(data / name, tmp_path / name, 5), seed=1)
    passes = all(
        (found.low or 0) > bar for found, bar in zip(report.figures["recorded"].values(), (0.7, 0.6, 0.9), strict=True)
    )
    assert report.figures["passes"] is passes
    assert report.figures["supported_weight"] == (0.5 if passes else 0.0)
    assert report.chart is not None


def test_planted_anchoring_is_found_only_where_confidences_are_shown() -> None:
    found = measure_anchoring(planted_showings(1), seed=1)
    shown, masked = found["slope, shown"], found["slope, masked"]
    assert (shown.low or 0) < -0.25 < (shown.high or 0)
    assert (shown.high or 0) < 0
    assert (masked.low or 0) < 0 < (masked.high or 0)
    assert np.isnan(measure_anchoring([], seed=1)["slope, shown"].value)


def test_a_showing_is_challenged_by_whoever_read_it_and_not_by_its_author() -> None:
    events = numbered([boarded("b1", "q1", "reader:doubt"), linked("e1", "contradicts", "i2", "i1", boarding="b1")])
    opened = events[0].what
    shown = [{"node": "i1", "confidence": 0.8}, {"node": "i3", "confidence": None}, {"node": "i4"}]
    boarding = opened.boarding.model_validate(opened.boarding.model_dump() | {"shown": shown})
    events[0] = events[0].model_copy(update={"what": opened.model_copy(update={"boarding": boarding})})
    authors = {"i1": "reader:support", "i3": "reader:support", "i4": "reader:doubt"}
    found = showings_of(events, authors, {"i1": 0.5, "i3": 0.4, "i4": 0.9})
    assert found == [Showing(0.8, False, True), Showing(0.4, False, False)]


@needs_vectors
def test_contradicting_pairs_are_closer_than_random_ones(data: Path, tmp_path: Path) -> None:
    name = "contradictions-fever-symmetric.jsonl.gz"
    figures = experiment_collision(some(data / name, tmp_path / name, 1), seed=1).figures
    closer = figures["fever-symmetric"]["closer"]["cosine"]
    assert (closer.low or 0) > 0.8
    assert figures["planted truth"]["contradict"]["pairs"] > 50
    with pytest.raises(InputError):
        experiment_collision(tmp_path / "elsewhere" / name, seed=1)


@needs_vectors
def test_the_scorer_beats_words_alone_on_what_it_was_not_tuned_on(data: Path, tmp_path: Path) -> None:
    name = "contradictions-fever-symmetric.jsonl.gz"
    figures = experiment_contradictions(some(data / name, tmp_path / name, 1), seed=1).figures["fever-symmetric"]
    shipped = figures["embedded, as shipped"]["accuracy"]
    for way in ("majority class", "lexical rule", "TF-IDF, claim only", "TF-IDF, claim and evidence"):
        assert shipped.low > figures[way]["accuracy"].value
    assert shipped.value > 0.628


@needs_vectors
def test_weights_are_fitted_from_all_three_sets_or_not_at_all(data: Path, tmp_path: Path) -> None:
    names = [f"contradictions-{name}.jsonl.gz" for name in SETS]
    for name in names[:2]:
        some(data / name, tmp_path / name, 60)
    with pytest.raises(InputError, match="no set perspectrum"):
        shipped_weights(tmp_path / names[0])
    some(data / names[2], tmp_path / names[2], 60)
    weights = shipped_weights(tmp_path / names[0])
    assert Shipped.of(json.loads(json.dumps(weights))).document() == weights


@needs_vectors
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_weights_of_the_scorer_are_those_that_are_fitted(data: Path) -> None:
    assert shipped_weights(data / "contradictions-perspectrum.jsonl.gz") == shipped().document()


def test_trees_learn_what_no_line_can_tell() -> None:
    rows = np.random.default_rng(0).uniform(-1, 1, (600, 3))
    is_one = (rows[:, 0] > 0) != (rows[:, 1] > 0)
    trees = fit_trees(rows[:400], is_one[:400], np.ones(400), trees=80)
    assert ((trees.margins(rows[400:]) > 0) == is_one[400:]).mean() > 0.9


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    with gzip.open(path, "wt") as file:
        file.write(json.dumps({"id": 1}))
    with pytest.raises(InputError):
        experiment_memoric(path)
