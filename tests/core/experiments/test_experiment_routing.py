"""The routing experiments on parts of the recorded answers."""

import gzip
from pathlib import Path

from perdura_core.experiments.routellm import experiment_routellm
from perdura_core.experiments.routing import experiment_routing


def test_asking_while_it_is_worth_it_beats_the_records(mmlu_pro: Path) -> None:
    found = experiment_routing(mmlu_pro, seed=2, draws=2).figures
    for label in ("20 graded a domain", "half graded"):
        theirs = found[label]["cascade to gpt-4o, stop at 0.9"]
        ours = found[label]["ours at cascade to gpt-4o, stop at 0.9"]
        assert ours["accuracy"].value > theirs["accuracy"].value
        assert ours["usd_per_thousand"].value < 1.1 * theirs["usd_per_thousand"].value


def test_subject_words_and_length_tell_where_the_strong_model_is_needed(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "pair.jsonl"
    with gzip.open(data / "model-answers-routellm.jsonl.gz", "rt", encoding="utf-8") as lines:
        path.write_text("".join(line for number, line in enumerate(lines) if number % 4 == 0), encoding="utf-8")
    figures = experiment_routellm(path, seed=1, draws=2).figures
    assert figures["subject, words and length"]["apgr"].value > 0.55
