"""The calibration experiment on a part of the recorded answers, and its faults."""

from pathlib import Path

import pytest

from perdura_core.errors import InputError
from perdura_core.experiments.calibration import BASELINE, experiment_calibration
from perdura_core.experiments.drawing import as_svg, as_text


def test_the_model_beats_the_best_simple_estimator(mmlu_pro: Path) -> None:
    report = experiment_calibration(mmlu_pro, seed=1, draws=3)
    for n in (5, 20):
        ours, base = report.figures[f"n={n}"]["hierarchical"], report.figures[f"n={n}"][BASELINE]
        assert ours["rmse"]["value"] < base["rmse"]["value"]
        assert ours["brier"]["value"] < base["brier"]["value"]
        assert 0.8 <= ours["coverage"]["value"] <= 0.97
    assert report.chart is not None
    assert "hierarchical" in "\n".join(as_text(report.chart))
    assert as_svg(report.chart).startswith("<svg")


def test_a_file_that_holds_no_answers_is_named(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"a": 1}\n', encoding="utf-8")
    with pytest.raises(InputError, match="holds no recorded answers"):
        experiment_calibration(path)
    path.write_text("no json\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1 is not JSON"):
        experiment_calibration(path)
