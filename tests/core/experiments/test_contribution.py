"""Net contribution of small models on a part of the recorded answers."""

from pathlib import Path

from perdura_core.experiments.contribution import experiment_contribution


def test_every_small_model_gets_a_verdict_with_an_interval(mmlu_pro: Path) -> None:
    figures = experiment_contribution(mmlu_pro, seed=1).figures
    crew = figures.pop("crew")
    figures.pop("crew_accuracy")
    assert len(crew) == 3
    assert set(crew) < set(figures)
    for found in figures.values():
        interval = found["net_contribution"]
        assert interval.low <= interval.value <= interval.high
        assert found["verdict"] in {"worth its place", "does harm", "cannot be told"}
