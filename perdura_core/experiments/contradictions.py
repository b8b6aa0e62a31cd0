"""How well contradictions are found between claims and evidence that people labelled."""

import gzip
import json
import os
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from perdura_core.config import config_file, load_settings
from perdura_core.errors import InputError
from perdura_core.experiments.boosting import fit_trees
from perdura_core.experiments.lexical import by_rule, by_words
from perdura_core.experiments.report import Finding, Report, Table
from perdura_core.experiments.retrieval import is_tuned_on
from perdura_core.experiments.support import measure_support
from perdura_core.retrieval.disputing import NliModel, load_nli
from perdura_core.retrieval.disputing.scorer import Shipped, shipped
from perdura_core.retrieval.disputing.signals import signals
from perdura_core.retrieval.disputing.trees import Trees
from perdura_core.retrieval.disputing.wordvectors import WordVectors

__all__ = ["SETS", "Labelled", "experiment_contradictions", "fit_shipped", "load_labelled", "shipped_weights"]

SETS = ("fever-symmetric", "climate-fever", "perspectrum")
_LABELS = ("SUPPORT", "CONTRADICT", "NEUTRAL")
_SHARES = {"fever-symmetric": 0.4, "climate-fever": 0.6, "perspectrum": 1.0}
"""How much each set weighs in the shipped weights."""
_TREES, _DEPTH = 160, 3
_TIMES = 1_000
_NLI_PAIRS = 300
"""Of each part that an NLI model judges: some take 50 ms for one."""
_FOLDS = 3
_EVENED = -0.7
"""Power of a class's count that its pairs weigh: between those of pairs (0) and those of classes (-1)."""
_RIDGE = 1e-4


class Labelled(NamedTuple):
    """One set of pairs."""

    name: str
    pairs: tuple[tuple[str, str], ...]
    labels: NDArray[np.intp]
    """0 support, 1 contradict, 2 neutral."""
    is_tuned: NDArray[np.bool_]
    """Whether its claim has an even sha256: all pairs of a claim lie on one side."""
    signals: NDArray[np.float64]

    @property
    def classes(self) -> int:
        """3 with neutral pairs, else 2."""
        return int(self.labels.max()) + 1


class Margins(NamedTuple):
    """What both heads say of each pair of a set, as log odds."""

    opposed: NDArray[np.float64]
    related: NDArray[np.float64]


def load_labelled(path: Path, name: str) -> Labelled:
    """A set with the signals of its pairs. Raises InputError for a file that is no such set."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        pairs = tuple((row["claim"], row["evidence"]) for row in rows)
        labels = np.array([_LABELS.index(row["label"]) for row in rows], dtype=np.intp)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no set of labelled pairs ({error!r}): give contradictions-*.jsonl.gz") from None
    vectors = WordVectors.load()
    rows_of = np.stack([signals(claim, evidence, vectors) for claim, evidence in pairs])
    return Labelled(name, pairs, labels, np.array([is_tuned_on(claim) for claim, _ in pairs]), rows_of)


def fit_shipped(sets: Sequence[Labelled]) -> Shipped:
    """The weights of the scorer, from the tuning parts: classes weigh the same, sets by `_SHARES`."""
    parts = [(one, one.is_tuned & (one.labels < 2)) for one in sets]
    weights = np.concatenate([_balanced(one.labels[rows]) * _SHARES[one.name] for one, rows in parts])
    rows = np.concatenate([one.signals[chosen] for one, chosen in parts])
    opposed = np.concatenate([one.labels[chosen] == 1 for one, chosen in parts])
    contradiction = fit_trees(rows, opposed, weights, trees=_TREES, depth=_DEPTH)
    related = next(one for one in sets if one.classes == 3)
    tuned = related.is_tuned
    bears = related.labels[tuned] < 2
    return Shipped(
        contradiction,
        fit_trees(related.signals[tuned], bears, _balanced(bears.astype(np.intp)), trees=_TREES, depth=_DEPTH),
    )


def shipped_weights(path: Path) -> dict[str, object]:
    """What the scorer's `weights.json` says, fitted again from the sets beside this file."""
    there = _beside(path)
    missing = [name for name in SETS if name not in there]
    if missing:
        raise InputError(f"no set {', '.join(missing)} is beside {path}: the weights come from {', '.join(SETS)}")
    return fit_shipped([load_labelled(there[name], name) for name in SETS]).document()


def _beside(path: Path) -> dict[str, Path]:
    """The files that are there, by set."""
    named = {name: path.with_name(f"contradictions-{name}.jsonl.gz") for name in (*SETS, "ramdocs")}
    return {name: file for name, file in named.items() if file.is_file()}


def experiment_contradictions(path: Path, seed: int = 0, *, nli: NliModel | None = None) -> Report:
    """Every way on each set beside this file, on the part that nothing was tuned on.

    Intervals are 95 % of the bootstrap over claims, whose pairs are drawn together. `nli` None: the model that the
    configuration names, if any.
    """
    model = nli or load_nli(load_settings(config_file(), os.environ).search.nli)
    beside = _beside(path)
    there = [load_labelled(file, name) for name, file in beside.items() if name in SETS]
    if not there:
        raise InputError(f"none of the sets {', '.join(SETS)} is beside {path}: name one of them with --data")
    tables, figures = [], dict[str, Any]()
    margins = _margins(there)
    for one in there:
        rows, found = _measured(one, margins[one.name], seed, model)
        test = int((~one.is_tuned).sum())
        tables.append(
            Table(
                f"{one.name}, {test} pairs nothing was tuned on", ("way", "accuracy", "macro-F1", "F1 contradict"), rows
            )
        )
        figures[one.name] = found
    if "ramdocs" in beside:
        table, figures["ramdocs"] = measure_support(beside["ramdocs"], seed)
        tables.append(table)
    notes = [
        "Pairs of one claim lie on one side; intervals draw claims. Everything was fitted on the other, what weighs the"
        f" heads for three classes in {_FOLDS} folds of claims.",
        "`as shipped` is one scorer for all sets; `fitted here` has the same signals with trees of this set's own.",
    ]
    notes.append(
        f"NLI: {model.name}, on at most {_NLI_PAIRS} pairs of each part."
        if model
        else "No NLI model is installed: `search.nli` names one."
    )
    return Report("contradictions", path.name, seed, tuple(tables), None, figures, tuple(notes))


def _measured(
    one: Labelled, margins: Margins, seed: int, nli: NliModel | None
) -> tuple[tuple[tuple[object, ...], ...], dict[str, Any]]:
    classes = one.classes
    usual = int(np.bincount(one.labels[one.is_tuned]).argmax())
    ways: dict[str, NDArray[np.intp]] = {
        "majority class": np.full(len(one.labels), usual, dtype=np.intp),
        "lexical rule": np.array([by_rule(*pair, classes) for pair in one.pairs], dtype=np.intp),
        "TF-IDF, claim only": by_words(one.pairs, one.labels, one.is_tuned, classes, with_evidence=False),
        "TF-IDF, claim and evidence": by_words(one.pairs, one.labels, one.is_tuned, classes, with_evidence=True),
        "embedded, as shipped": (margins.opposed > 0).astype(np.intp)
        if classes < len(_LABELS)
        else _classes_by(one, *margins, one.is_tuned),
        "embedded, fitted here": _fitted_here(one),
    }
    rest = np.flatnonzero(~one.is_tuned)
    measured = {name: _finding(one, found, rest, seed) for name, found in ways.items()}
    if nli is not None:
        chosen = _some(one, ~one.is_tuned)
        measured[f"embedded, as shipped, {len(chosen)} pairs"] = _finding(
            one, ways["embedded, as shipped"], chosen, seed
        )
        measured[f"NLI, {len(chosen)} pairs"] = _finding(one, _by_nli(one, margins.related, nli, chosen), chosen, seed)
    rows = tuple((name, *found.values()) for name, found in measured.items())
    return rows, measured


def _margins(sets: Sequence[Labelled]) -> dict[str, Margins]:
    """Of each set's pairs by the shipped trees; on the tuning part by trees fitted without the pair's claim.

    What is chosen by margins that trees have of their own pairs is too bold for others.
    """
    found = {one.name: Margins(*(head.margins(one.signals) for head in shipped())) for one in sets}
    if not any(one.classes == len(_LABELS) for one in sets):
        return found  # nothing is chosen by them
    folds = {one.name: np.array([_fold(claim) for claim, _ in one.pairs]) for one in sets}
    for fold in range(_FOLDS):
        rest = fit_shipped([one._replace(is_tuned=one.is_tuned & (folds[one.name] != fold)) for one in sets])
        for one in sets:
            rows = one.is_tuned & (folds[one.name] == fold)
            for head, margins in zip(rest, found[one.name], strict=True):
                margins[rows] = head.margins(one.signals[rows])
    return found


def _fold(claim: str) -> int:
    return int(sha256(f"fold {claim}".encode()).hexdigest(), 16) % _FOLDS


def _classes_by(
    one: Labelled, opposed: NDArray[np.float64], related: NDArray[np.float64], tuned: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """By both heads, weighed against each other as they were where `tuned`: logistic regression on two numbers."""
    rows = np.stack([np.ones(len(opposed)), opposed, related], axis=1)
    labels, classes = one.labels[tuned], one.classes
    weights = np.bincount(labels, minlength=classes)[labels].astype(np.float64) ** _EVENED
    weights /= weights.sum()
    truth = np.eye(classes)[labels]

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        table = flat.reshape(-1, classes)
        odds = rows[tuned] @ table
        logs = odds - np.logaddexp.reduce(odds, axis=1, keepdims=True)
        slope = rows[tuned].T @ ((np.exp(logs) - truth) * weights[:, None]) + 2 * _RIDGE * table
        return -float(weights @ (logs * truth).sum(axis=1)) + _RIDGE * float((table**2).sum()), slope.ravel()

    found = minimize(loss, np.zeros(rows.shape[1] * classes), jac=True, method="L-BFGS-B")
    return np.asarray((rows @ np.asarray(found.x).reshape(-1, classes)).argmax(axis=1), dtype=np.intp)


def _fitted_here(one: Labelled) -> NDArray[np.intp]:
    """One against the rest for each class."""
    counts = np.bincount(one.labels[one.is_tuned], minlength=one.classes).astype(np.float64)
    weights = counts[one.labels[one.is_tuned]] ** (_EVENED if one.classes == 3 else -1.0)
    rows = one.signals[one.is_tuned]

    def head(label: int) -> Trees:
        return fit_trees(rows, one.labels[one.is_tuned] == label, weights, trees=_TREES, depth=_DEPTH)

    if one.classes == 2:
        return (head(1).margins(one.signals) > 0).astype(np.intp)
    return np.asarray(np.stack([head(label).margins(one.signals) for label in range(3)]).argmax(axis=0))


def _by_nli(one: Labelled, related: NDArray[np.float64], nli: NliModel, chosen: NDArray[np.intp]) -> NDArray[np.intp]:
    """By the model's contradictions, weighed on as many tuned pairs."""
    tuned = _some(one, one.is_tuned)
    both = np.concatenate([tuned, chosen])
    found = np.clip(nli.contradictions([one.pairs[at][::-1] for at in both]), 1e-6, 1 - 1e-6)
    odds = np.zeros(len(one.labels))
    odds[both] = np.log(found / (1 - found))
    mask = np.zeros(len(one.labels), dtype=np.bool_)
    mask[tuned] = True
    return _classes_by(one, odds, related, mask)


def _some(one: Labelled, part: NDArray[np.bool_]) -> NDArray[np.intp]:
    """At most so many pairs of the part, by the hash of their texts."""
    places = np.flatnonzero(part).tolist()
    places.sort(key=lambda at: sha256("\n".join(one.pairs[at]).encode()).hexdigest())
    return np.array(sorted(places[:_NLI_PAIRS]), dtype=np.intp)


def _finding(one: Labelled, found: NDArray[np.intp], rows: NDArray[np.intp], seed: int) -> Mapping[str, Finding]:
    truth, said = one.labels[rows], found[rows]
    number: dict[str, int] = {}
    groups = np.array([number.setdefault(one.pairs[at][0], len(number)) for at in rows])
    # One table of counts for each claim: drawing claims adds tables up.
    tables = np.zeros((len(number), one.classes, one.classes))
    np.add.at(tables, (groups, truth, said), 1)
    dice = np.random.default_rng(seed)
    draws = np.stack([tables[dice.integers(0, len(number), len(number))].sum(axis=0) for _ in range(_TIMES)])
    return {
        name: _interval(measure, tables.sum(axis=0), draws)
        for name, measure in (("accuracy", _accuracy), ("macro-F1", _f1_mean), ("F1 contradict", _f1_contradict))
    }


def _interval(
    measure: Callable[[NDArray[np.float64]], float], whole: NDArray[np.float64], draws: NDArray[np.float64]
) -> Finding:
    low, high = np.quantile([measure(draw) for draw in draws], [0.025, 0.975])
    return Finding(measure(whole), float(low), float(high))


def _accuracy(table: NDArray[np.float64]) -> float:
    return float(np.trace(table) / table.sum())


def _f1s(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """(truth, said) counts to the F1 of each class."""
    return np.asarray(2 * np.diag(table) / np.maximum(1.0, table.sum(axis=0) + table.sum(axis=1)))


def _f1_mean(table: NDArray[np.float64]) -> float:
    return float(_f1s(table).mean())


def _f1_contradict(table: NDArray[np.float64]) -> float:
    return float(_f1s(table)[1])


def _balanced(labels: NDArray[np.intp]) -> NDArray[np.float64]:
    """Weights that sum to 1, half for each of two classes."""
    weights = 1.0 / np.bincount(labels)[labels]
    return np.asarray(weights / weights.sum())
