"""The inversion: are texts that contradict each other closer to each other than texts that have nothing to do?"""

import gzip
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics import COLLISION_BITS, hamming, simhash
from perdura_core.errors import InputError
from perdura_core.experiments.memoric import planted
from perdura_core.experiments.report import Chart, Finding, Point, Report, Series, Table, resampled
from perdura_core.experiments.retrieval import is_tuned_on
from perdura_core.retrieval.disputing import Scorer
from perdura_core.retrieval.disputing.wordvectors import WordVectors
from perdura_core.retrieval.suspects import SUSPECTED

__all__ = ["experiment_collision", "measure_collision"]

_SETS = ("fever-symmetric", "climate-fever", "perspectrum")
_MOST = 1_500
"""Pairs of a kind: enough for intervals of a percent."""
_KINDS = ("contradict", "support", "random")
_TIMES = 1_000


class _Pairs(NamedTuple):
    """Pairs of texts by kind; random ones join a text with one of another pair."""

    contradict: list[tuple[str, str]]
    support: list[tuple[str, str]]
    random: list[tuple[str, str]]


def experiment_collision(path: Path, seed: int = 0) -> Report:
    """Distances of contradicting, agreeing and random pairs, on the sets beside this file and on planted minds.

    Simhash bits of 48 and cosine distances of static vectors. `closer`: how often a contradicting pair is closer than
    a random one, .5 meaning no difference. Raises InputError when no set is there.
    """
    beside = {name: path.with_name(f"contradictions-{name}.jsonl.gz") for name in _SETS}
    sources = {name: _read(file, seed) for name, file in beside.items() if file.is_file()}
    if not sources:
        raise InputError(f"none of the sets {', '.join(_SETS)} is beside {path}: name one of them with --data")
    sources["planted truth"] = _made(seed)
    rows: list[tuple[object, ...]] = []
    figures: dict[str, Any] = {}
    for name, pairs in sources.items():
        figures[name] = measure_collision(pairs, seed)
        rows += [(name, kind, *figures[name][kind].values()) for kind in _KINDS]
        closer = figures[name]["closer"]
        rows.append((name, "closer than random", closer["bits"], closer["cosine"], "", ""))
    suspected = {name: _suspected(pairs, seed) for name, pairs in sources.items() if name != "planted truth"}
    figures["suspected"] = suspected
    columns = ("set", "pairs", "bits apart", "cosine distance", f"within {COLLISION_BITS} bits", "n")
    of_suspected = tuple((name, *found.values()) for name, found in suspected.items())
    return Report(
        experiment="collision",
        data=path.name,
        seed=seed,
        tables=(
            Table("how far apart texts lie", columns, tuple(rows)),
            Table(
                f"of pairs that are suspected (from {SUSPECTED})",
                ("set", "contradict", "suspected", "contradicting pairs that are suspected"),
                of_suspected,
            ),
        ),
        chart=_chart(figures),
        figures=figures,
        notes=(
            "Intervals: 95 % of the bootstrap over pairs. Only pairs that nothing was tuned on.",
            "Distance tells that two texts are about one thing. Contradicting and agreeing pairs lie about as close: a "
            "code locates a disagreement and cannot measure it.",
        ),
    )


def measure_collision(pairs: _Pairs, seed: int) -> dict[str, dict[str, Any]]:
    """Per kind: bits, cosine distance, share of collision candidates; and how often contradicting pairs are closer."""
    vectors = WordVectors.load()
    far = {kind: _distances(own, vectors) for kind, own in pairs._asdict().items()}
    found: dict[str, dict[str, Any]] = {
        kind: {
            "bits": resampled(bits.tolist(), seed, _TIMES),
            "cosine": resampled(cosine.tolist(), seed, _TIMES),
            "candidates": resampled((bits <= COLLISION_BITS).astype(float).tolist(), seed, _TIMES),
            "pairs": len(bits),
        }
        for kind, (bits, cosine) in far.items()
    }
    found["closer"] = {
        "bits": _closer(far["contradict"][0], far["random"][0], seed),
        "cosine": _closer(far["contradict"][1], far["random"][1], seed),
    }
    return found


def _distances(
    pairs: Sequence[tuple[str, str]], vectors: WordVectors
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    left, right = (simhash([pair[side] for pair in pairs]) for side in (0, 1))
    bits = hamming(left, right).astype(np.float64)
    cosine = np.array([1 - float(vectors.whole(a) @ vectors.whole(b)) for a, b in pairs])
    return bits, cosine


def _closer(one: NDArray[np.float64], other: NDArray[np.float64], seed: int) -> Finding:
    """How often the first kind is closer; ties count half."""
    dice = np.random.default_rng(seed)

    def share(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
        ordered = np.sort(b)
        above = 2 * len(b) - np.searchsorted(ordered, a, "left") - np.searchsorted(ordered, a, "right")
        return float(above.sum() / 2 / (len(a) * len(b)))

    drawn = [
        share(one[dice.integers(0, len(one), len(one))], other[dice.integers(0, len(other), len(other))])
        for _ in range(_TIMES)
    ]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Finding(share(one, other), float(low), float(high))


def _suspected(pairs: _Pairs, seed: int) -> dict[str, Any]:
    """Among contradicting and agreeing pairs in equal numbers: how many of the suspected ones contradict."""
    count = min(len(pairs.contradict), len(pairs.support), _MOST // 3)
    scorer = Scorer()
    hits = [one.suspicion >= SUSPECTED for one in scorer.judge(pairs.contradict[:count])]
    false = [one.suspicion >= SUSPECTED for one in scorer.judge(pairs.support[:count])]
    right = [1.0] * sum(hits) + [0.0] * sum(false)
    return {
        "contradict": resampled(right, seed, _TIMES),
        "suspected": sum(hits) + sum(false),
        "found": resampled([float(hit) for hit in hits], seed, _TIMES),
    }


def _read(path: Path, seed: int) -> _Pairs:
    dice = random.Random(seed)
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [row for row in map(json.loads, lines) if not is_tuned_on(row["claim"])]
        kinds = {
            label: [(row["claim"], row["evidence"]) for row in rows if row["label"] == label]
            for label in ("CONTRADICT", "SUPPORT")
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no set of labelled pairs ({error!r})") from None
    for own in kinds.values():
        dice.shuffle(own)
    return _with_random(kinds["CONTRADICT"][:_MOST], kinds["SUPPORT"][:_MOST], dice)


def _made(seed: int) -> _Pairs:
    """Claims of planted minds: of one question, with different answers or the same."""
    dice = random.Random(seed)
    contradict: list[tuple[str, str]] = []
    support: list[tuple[str, str]] = []
    for said in planted(seed):
        a, b = dice.sample(range(len(said.texts)), 2)
        kind = support if said.answers[a] == said.answers[b] else contradict
        kind.append((said.texts[a], said.texts[b]))
    return _with_random(contradict, support, dice)


def _with_random(contradict: list[tuple[str, str]], support: list[tuple[str, str]], dice: random.Random) -> _Pairs:
    everything = [*contradict, *support]
    strangers = []
    for one, _ in dice.sample(everything, min(_MOST, len(everything))):
        other = dice.choice(everything)
        if other[0] != one:
            strangers.append((one, other[1]))
    return _Pairs(contradict, support, strangers)


def _chart(figures: Mapping[str, Any]) -> Chart:
    names = [name for name in figures if name != "suspected"]
    return Chart(
        "how far apart texts lie",
        f"set: {', '.join(f'{number} {name}' for number, name in enumerate(names, 1))}",
        "simhash bits of 48",
        tuple(
            Series(
                kind,
                tuple(Point(float(at), figures[name][kind]["bits"]) for at, name in enumerate(names, 1)),
                is_line=False,
            )
            for kind in _KINDS
        ),
    )
