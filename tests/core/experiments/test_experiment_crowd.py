"""Truth without gold on the recorded crowds."""

from pathlib import Path

from perdura_core.experiments.crowd import experiment_crowd


def test_people(data: Path) -> None:
    rte = experiment_crowd(data / "crowd-snow-rte.jsonl.gz").figures["snow-rte"]
    assert rte["accuracy"].value >= 0.928
    assert abs(rte["claimed_above_accuracy"]) <= 0.05
    doubtful = experiment_crowd(data / "crowd-mozafari.jsonl.gz").figures["mozafari"]
    assert doubtful["interval_width"] > 0.35


def test_models_claim_no_more_than_they_know(mmlu_pro: Path) -> None:
    figures = experiment_crowd(mmlu_pro).figures
    assert len(figures) == 2
    for found in figures.values():
        assert abs(found["claimed_above_accuracy"]) <= 0.05
        assert found["accuracy"].value > found["majority"] + 0.05
        assert found["best_may_be_first"] == "true"


def test_the_baseline_is_measured_on_the_same_labels(data: Path) -> None:
    temp = experiment_crowd(data / "crowd-snow-temp.jsonl.gz").figures["snow-temp"]
    assert temp["majority"] < temp["agreement"] <= temp["accuracy"].value
    assert temp["accuracy"].low <= 0.946 <= temp["accuracy"].high
