"""The experiment on labelled sentences: what it reads and what it refuses."""

from pathlib import Path

import pytest

from perdura_core.errors import InputError
from perdura_core.experiments.layers import experiment_layers, load_labelled


def test_a_file_of_new_sentences_needs_two_columns(tmp_path: Path) -> None:
    path = tmp_path / "new.csv"
    path.write_text("sentence,layer\nThe pool was set to 40.,fact\nThe pool is far too small.,interpretation\n")
    report = experiment_layers(path)
    found = report.figures["unseen"]
    assert (found["accuracy"].value, found["sentences"]) == (1.0, 2)
    assert report.figures["confusion"] == {
        "fact": {"fact": 1, "interpretation": 0},
        "interpretation": {"fact": 0, "interpretation": 1},
    }
    assert "weights" not in report.figures


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("sentence,layer\n", "holds no sentence"),
        ("sentence,layer\nA thing.,opinion\n", "line 2 of 'bad.csv' needs"),
        ("text\nA thing.\n", "line 2 of 'bad.csv' needs"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=says):
        load_labelled(path)
    with pytest.raises(InputError, match="cannot be read as CSV"):
        load_labelled(tmp_path / "missing.csv")
