"""How well search finds, by words, by meaning and by both, on questions and documents that people wrote."""

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.clock import Clock, Ids
from perdura_core.config import Providers
from perdura_core.errors import InputError
from perdura_core.experiments.report import Finding, Report, Table, resampled
from perdura_core.graph import Graph
from perdura_core.retrieval import Finder, build_embedder, relevant
from perdura_core.retrieval.spreading import spread
from perdura_core.store import Hit, Journal, open_sqlite
from perdura_core.vocabulary import INGEST, Draft, Fact, FactRecorded, Layer, NodeId, Occurrence

__all__ = ["SETS", "Task", "experiment_retrieval", "is_tuned_on", "load_tasks", "measured"]

SETS = ("ramdocs", "perspectrum", "climate-fever")
_LIMIT = 20
_BATCH = 500
_FACTS: tuple[Layer, ...] = ("fact",)
_MEASURES = ("recall@5", "recall@20", "nDCG@10")
_WAYS = ("BM25", "dense", "hybrid", "hybrid + expansion", "hybrid + PageRank")
_ALIKE = 3
"""Documents are joined to so many that read most like them, since no edges are recorded."""
_SPREAD = 0.25
_SOURCES = 8

Way = Callable[[str], Awaitable[list[Hit]]]


class Task(NamedTuple):
    """One question to the mind, and the documents that belong to it."""

    id: str
    question: str
    documents: frozenset[str]


def is_tuned_on(identifier: str) -> bool:
    """Whether constants may be chosen by this question: those with an even sha256(id); the others are reported."""
    return int(sha256(identifier.encode()).hexdigest(), 16) % 2 == 0


def load_tasks(path: Path) -> tuple[list[str], list[Task]]:
    """All documents of a set, each once, and its tasks. Raises InputError for a file that is no such set.

    ramdocs: the documents of a question among those of all questions. perspectrum: the perspectives on a claim, of
    either stance. climate-fever: the evidence of a claim that is not neutral.
    """
    documents: dict[str, None] = {}
    wanted: dict[str, set[str]] = {}
    ids: dict[str, str] = {}
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                question, texts, found = _read(row)
                documents.update(dict.fromkeys(texts))
                ids.setdefault(question, row["id"] if "documents" in row else question)
                wanted.setdefault(question, set()).update(found)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no retrieval set ({error!r}): give one of {', '.join(SETS)}") from None
    tasks = [Task(ids[question], question, frozenset(found)) for question, found in wanted.items() if found]
    return list(documents), tasks


def _read(row: Mapping[str, Any]) -> tuple[str, list[str], list[str]]:
    """The question, the documents that come with it, and those that belong to it."""
    if "documents" in row:
        texts = [document["text"] for document in row["documents"]]
        return row["question"], texts, texts
    return row["claim"], [row["evidence"]], [row["evidence"]] if row["label"] != "NEUTRAL" else []


def measured(ranked: Sequence[str], wanted: Collection[str]) -> tuple[float, float, float]:
    """recall@5, recall@20 and nDCG@10 (Järvelin and Kekäläinen 2002, gain 0 or 1) of one ranking."""
    hits = [document in wanted for document in ranked[:_LIMIT]]
    gain = sum(hit / np.log2(place + 2) for place, hit in enumerate(hits[:10]))
    ideal = sum(1 / np.log2(place + 2) for place in range(min(10, len(wanted))))
    return sum(hits[:5]) / len(wanted), sum(hits) / len(wanted), float(gain / ideal)


async def experiment_retrieval(path: Path, seed: int = 0, embedder: str = "auto") -> Report:
    """Each way of search on each set beside this file, on the part that nothing was tuned on.

    Intervals are 95 % of the bootstrap over questions; `against` compares hybrid with the better part, question by
    question.
    """
    scores: dict[str, dict[str, NDArray[np.float64]]] = {}
    model = ""
    for name in SETS:
        beside = path.with_name(f"contradictions-{name}.jsonl.gz")
        if beside.is_file():
            documents, tasks = load_tasks(beside)
            model, scores[name] = await _measure(
                documents, [task for task in tasks if not is_tuned_on(task.id)], embedder
            )
    if not scores:
        raise InputError(f"none of the sets {', '.join(SETS)} is beside {path}: name one of them with --data")
    return _report(path, seed, model, scores)


async def _measure(
    documents: Sequence[str], tasks: Sequence[Task], embedder: str
) -> tuple[str, dict[str, NDArray[np.float64]]]:
    """The embedder's model, and per way an array (tasks, measures)."""
    with TemporaryDirectory(prefix="perdura-retrieval-") as folder:
        path = Path(folder) / "set.mind"
        async with open_sqlite(path) as store, Journal.open(store, Clock()) as journal:
            texts = await _fill(journal, documents)
            async with Finder.open(journal, build_embedder(embedder, Providers())) as finder:
                coverage = await finder.caught_up()
                ways = _ways(journal, finder, texts)
                scores = {}
                for name, way in ways.items():
                    rows = []
                    for task in tasks:
                        ranked = [texts[hit.node] for hit in await way(task.question)]
                        rows.append(measured(ranked, task.documents))
                    scores[name] = np.array(rows)
    return coverage.model, scores


def _ways(journal: Journal, finder: Finder, texts: Mapping[NodeId, str]) -> dict[str, Way]:
    async def by_words(question: str) -> list[Hit]:
        return await journal.store.search_text(question, _FACTS, _LIMIT)

    async def by_meaning(question: str) -> list[Hit]:
        return await finder.nearest(question, _FACTS, _LIMIT)

    async def by_both(question: str) -> list[Hit]:
        return await finder.hits(question, _FACTS, _LIMIT)

    async def expanded(question: str) -> list[Hit]:
        return await relevant(finder.hits, journal.graph, question, {}, _LIMIT)

    alike: dict[NodeId, list[NodeId]] = {}

    async def spreading(question: str) -> list[Hit]:
        """What walks from the best hits come by, among documents that read alike."""
        hits = await finder.hits(question, _FACTS, _LIMIT)
        sources = {hit.node: hit.score for hit in hits[:_SOURCES]}
        rim = list(sources)
        for _ in range(2):
            for node in rim:
                if node not in alike:
                    near = await finder.nearest(texts[node], _FACTS, _ALIKE + 1)
                    alike[node] = [hit.node for hit in near if hit.node != node][:_ALIKE]
            rim = [other for node in rim for other in alike[node]]
        found = spread(lambda node: alike.get(node, []), sources)
        best, most = max((hit.score for hit in hits), default=1.0), max(found.values(), default=1.0)
        scores = {hit.node: hit.score / best for hit in hits}
        for node, value in found.items():
            scores[node] = scores.get(node, 0.0) + _SPREAD * value / most
        ranked = sorted(scores.items(), key=lambda pair: -pair[1])
        return [Hit(node, score) for node, score in ranked[:_LIMIT]]

    return dict(zip(_WAYS, (by_words, by_meaning, by_both, expanded, spreading), strict=True))


async def _fill(journal: Journal, documents: Sequence[str]) -> dict[NodeId, str]:
    """Write each document as one fact. Returns the texts by id."""
    now = journal.clock.now()
    texts: dict[NodeId, str] = {}
    for start in range(0, len(documents), _BATCH):
        batch = documents[start : start + _BATCH]

        def plan(graph: Graph, ids: Ids, batch: Sequence[str] = batch) -> list[Draft]:
            return [Draft(what=FactRecorded(fact=_fact(ids.next("f"), text, now)), by=INGEST) for text in batch]

        for event, text in zip(await journal.write(plan), batch, strict=True):
            if isinstance(event.what, FactRecorded):
                texts[event.what.fact.id] = text
        await asyncio.sleep(0)
    return texts


def _fact(node: NodeId, text: str, now: datetime) -> Fact:
    seen = Occurrence(recorded_at=now, recorded_by=INGEST)
    return Fact(id=node, text=text, occurrences=(seen,), created_by=INGEST, created_at=now)


def _report(path: Path, seed: int, model: str, scores: Mapping[str, Mapping[str, NDArray[np.float64]]]) -> Report:
    tables = []
    figures: dict[str, Any] = {"model": model}
    for name, by_way in scores.items():
        rows: list[tuple[object, ...]] = []
        figures[name] = {}
        for way, values in by_way.items():
            found = {measure: resampled(values[:, at].tolist(), seed) for at, measure in enumerate(_MEASURES)}
            rows.append((way, *found.values()))
            figures[name][way] = found
        gains = {measure: _gain(by_way, at, seed) for at, measure in enumerate(_MEASURES)}
        rows.append(("hybrid less the better part", *gains.values()))
        figures[name]["hybrid less the better part"] = gains
        count = len(by_way["BM25"])
        tables.append(Table(f"{name}, {count} questions nothing was tuned on", ("way", *_MEASURES), tuple(rows)))
    return Report(
        experiment="retrieval",
        data=path.name,
        seed=seed,
        tables=tuple(tables),
        chart=None,
        figures=figures,
        notes=(
            f"Dense vectors by {model}. Intervals: 95 % of the bootstrap over questions.",
            "The constants of the fusion were chosen on the other half of the questions (even sha256 of the id).",
            "No edges join the documents of these sets, so expansion has nothing to walk along; "
            f"PageRank walks from each document to the {_ALIKE} that read most like it.",
        ),
    )


def _gain(by_way: Mapping[str, NDArray[np.float64]], measure: int, seed: int) -> Finding:
    parts = (by_way["BM25"][:, measure], by_way["dense"][:, measure])
    better = max(parts, key=lambda values: float(values.mean()))
    return resampled((by_way["hybrid"][:, measure] - better).tolist(), seed)
