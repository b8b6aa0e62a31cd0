"""Replayed models under the real conductor, and the array path that must decide alike."""

from pathlib import Path

import pytest

from perdura_core.experiments.replaying import Shard, board, foresee
from perdura_core.vocabulary import PolicyName
from perdura_core.workers.replay import Replayed, recording_from

PEERS = ("one", "two", "three")


def shard(policy: PolicyName, **changes: object) -> Shard:
    answers = {"one": "ABAAB", "two": "AABAC", "three": "BABAD", "great": "AAAAB"}
    keys = tuple(f"recorded{number}" for number in range(5))
    recording = {
        key: {model: Replayed(said[at], 0.6, 40, 10) for model, said in answers.items()} for at, key in enumerate(keys)
    }
    base = Shard(tuple((key, "law") for key in keys), recording, PEERS, "great", (5.0, 15.0), policy)
    return base._replace(**changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("policy", ["cheap", "periodic", "random", "contention"])
def test_the_array_path_takes_the_decisions_of_the_conductor(policy: PolicyName) -> None:
    one = shard(policy, seed=3, periodic_k=4)
    done = board(one)
    assert len(done.turns) == 15
    assert done.turns == foresee(one)


def test_contention_calls_the_frontier_model_only_where_peers_disagree() -> None:
    turns = foresee(shard("contention"))
    called = {turn.question for turn in turns if turn.model == "great"}
    assert called
    assert 3 not in called


def test_lots_differ_between_seeds() -> None:
    assert foresee(shard("random", seed=1)) != foresee(shard("random", seed=2))


def test_a_recording_is_keyed_by_the_first_word(data: Path) -> None:
    rows = [{"id": "x-1", "question": "abcd" * 10, "choices": ["a"], "answers": {"m": {"answer": "A", "chars": 40}}}]
    assert recording_from(rows)["x-1"]["m"] == Replayed("A", 0.5, 10, 10)
