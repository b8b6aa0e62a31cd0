"""The scorer: opposites stand out, paraphrases do not, reasons are said, and a model of the user's has its word."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from perdura_core.errors import ConfigError
from perdura_core.retrieval.disputing import Scorer, load_nli
from perdura_core.retrieval.disputing.scorer import Shipped, shipped
from perdura_core.retrieval.disputing.signals import NAMES
from perdura_core.retrieval.embedders.wordllama import is_installed
from perdura_core.retrieval.suspects import SUSPECTED
from tests.core.retrieval.pairs import PAIRS

needs_vectors = pytest.mark.skipif(not is_installed(), reason="wordllama is not installed")


class Echo:
    """A plug-in as somebody might write it."""

    name = "echo"

    def contradictions(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [0.9 if " not " in b and " not " not in a else 0.1 for a, b in pairs]


def broken() -> object:
    raise RuntimeError("no weights")


def nothing() -> object:
    return object()


@needs_vectors
def test_hardly_a_paraphrase_is_suspected_and_most_opposites_are() -> None:
    judged = Scorer().judge([(pair.one, pair.other) for pair in PAIRS])
    scores = np.array([one.suspicion for one in judged])
    is_same = np.array([pair.is_same for pair in PAIRS])
    assert (scores[is_same] >= SUSPECTED).mean() < 0.03
    assert (scores[~is_same] >= SUSPECTED).mean() > 0.6
    above = (scores[~is_same][:, None] > scores[is_same][None]).mean()
    assert above > 0.85


@needs_vectors
def test_a_judgement_is_the_same_either_way_round_and_says_why() -> None:
    pair = ("The pool holds 40 connections.", "The pool holds 400 connections.")
    [one], [other] = Scorer().judge([pair]), Scorer().judge([pair[::-1]])
    assert one.contradiction == pytest.approx(other.contradiction)
    assert one.reasons
    assert "40 connections" in one.reasons[0]
    [denied] = Scorer().judge([("The vendor confirmed the defect.", "The vendor never confirmed the defect.")])
    assert any("den" in reason for reason in denied.reasons)
    assert Scorer().judge([]) == []


def test_without_vectors_rules_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perdura_core.retrieval.disputing.scorer.is_installed", lambda: False)
    scorer = Scorer()
    [opposed, same] = scorer.judge(
        [
            ("The pool holds 40 connections.", "The pool holds 400 connections."),
            ("The pool holds 40 connections.", "Votes decide in December."),
        ]
    )
    assert opposed.suspicion > SUSPECTED > same.suspicion


def test_shipped_weights_are_of_todays_signals_and_survive_json() -> None:
    weights = shipped()
    again = Shipped.of(weights.document())
    rows = np.random.default_rng(0).normal(size=(50, len(NAMES)))
    assert np.allclose(weights.contradiction.margins(rows), again.contradiction.margins(rows))
    with pytest.raises(ValueError, match="fit them again"):
        Shipped.of({**weights.document(), "signals": ["other"]})


def test_an_nli_model_is_named_by_the_settings() -> None:
    assert load_nli("off") is None
    assert load_nli("auto") is None
    model = load_nli(f"{__name__}:Echo")
    assert model is not None
    assert model.name == "echo"
    assert list(model.contradictions([("It is.", "It is not so."), ("It is.", "It is.")])) == [0.9, 0.1]


@pytest.mark.parametrize("named", ["nowhere", "no.such.module:Model", f"{__name__}:broken", f"{__name__}:nothing"])
def test_one_that_cannot_be_loaded_is_named_with_a_remedy(named: str) -> None:
    with pytest.raises(ConfigError, match=r"search\.nli"):
        load_nli(named)


def test_an_onnx_folder_must_hold_a_model(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="name their folder"):
        load_nli(f"onnx:{tmp_path}")
