"""Texts that people wrote, as what a mind is told of them: questions, facts, and judgements with their relations."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from perdura_core.errors import InputError
from perdura_core.experiments.recorded import rows_of
from perdura_core.vocabulary import EdgeType

__all__ = ["SETS", "Said", "Told", "Topic", "is_tuned_on", "load_topics"]

SETS = ("climate-fever", "ramdocs", "perspectrum")
_DECIDED = ("SUPPORT", "CONTRADICT")
_STANCES = {
    "SUPPORT": "support",
    "MILDLY_SUPPORT": "mild support",
    "MILDLY_UNDERMINE": "mild opposition",
    "UNDERMINE": "opposition",
    "NO_MAJORITY_LABEL": "this or that",
}


class Told(NamedTuple):
    """A fact: what a source says, or what annotators were counted to have said."""

    key: str
    text: str
    source: str
    about: tuple[str, ...] = ()
    """Texts that name its entities, when it is a measurement of them; empty: its own text does."""


class Said(NamedTuple):
    """A judgement on a question. The same key on two questions is one interpretation."""

    key: str
    text: str
    confidence: float
    """The share of annotators, or of documents, that say so."""
    facts: tuple[str, ...]
    """Keys of the facts it rests on."""
    relations: tuple[tuple[EdgeType, str], ...]
    """What it is recorded to say of other judgements, by their keys."""


class Topic(NamedTuple):
    """A question, what was read for it, and what was said of it, in the order of the file."""

    question: str
    domain: str | None
    facts: tuple[Told, ...]
    judgements: tuple[Said, ...]


def is_tuned_on(topic: Topic) -> bool:
    """Whether formulas may be chosen by this topic: those with an even sha256 of the question."""
    return sha256(topic.question.encode()).digest()[-1] % 2 == 0


def load_topics(folder: Path) -> list[Topic]:
    """The topics of all sets, in turns. Raises InputError when one of the files is missing."""
    readers = {"climate-fever": _climate, "ramdocs": _ramdocs, "perspectrum": _perspectrum}
    held = []
    for name, read in readers.items():
        path = folder / f"contradictions-{name}.jsonl.gz"
        if not path.is_file():
            raise InputError(f"{path} is missing: name a folder with the sets {', '.join(SETS)} by --data")
        held.append(list(read(list(rows_of(path)))))
    longest = max(map(len, held))
    spread = [(at * longest / len(topics), topic) for topics in held for at, topic in enumerate(topics)]
    return [topic for _, topic in sorted(spread, key=lambda entry: entry[0])]


def _climate(rows: Sequence[Mapping[str, Any]]) -> Iterator[Topic]:
    """Claims rest on their evidence; one topic an article of the encyclopedia, that of a claim's first evidence.

    Claims that annotators found supported by the same sentence support each other; where one is supported and the
    other refuted by it, they contradict each other.
    """
    of_claim: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        of_claim[row["claim"]].append(row)
    stances: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in rows:
        if row["label"] in _DECIDED:
            stances[row["evidence"]].append((row["claim"], row["label"]))
    articles: dict[str, list[str]] = defaultdict(list)
    for claim, evidence in of_claim.items():
        articles[evidence[0]["source"]].append(claim)
    for article, claims in articles.items():
        own = [row for claim in claims for row in of_claim[claim]]
        facts = {row["evidence"]: Told(row["evidence"], row["evidence"], row["source"]) for row in own}
        judgements = tuple(_claim(claim, of_claim[claim], stances) for claim in claims)
        yield Topic(f"What is true of {article}?", own[0]["domain"], tuple(facts.values()), judgements)


def _claim(claim: str, rows: Sequence[Mapping[str, Any]], stances: Mapping[str, Sequence[tuple[str, str]]]) -> Said:
    relations: dict[str, EdgeType] = {}
    for row in rows:
        if row["label"] in _DECIDED:
            for other, label in stances[row["evidence"]]:
                if other != claim:
                    relations[other] = "supports" if label == row["label"] else "contradicts"
    votes = [vote for row in rows for vote, count in row["votes"].items() for _ in range(count)]
    share = max(votes.count(vote) for vote in _DECIDED) / len(votes)
    facts = tuple(dict.fromkeys(row["evidence"] for row in rows))
    return Said(claim, claim, round(0.5 + share / 2, 3), facts, tuple((kind, key) for key, kind in relations.items()))


def _ramdocs(rows: Sequence[Mapping[str, Any]]) -> Iterator[Topic]:
    """Answers rest on the documents that give them; a wrong answer contradicts the right ones."""
    for row in rows:
        question, wrong = row["question"], set(row["wrong_answers"])
        documents = list({document["text"]: document for document in row["documents"]}.values())
        facts = tuple(Told(document["text"], document["text"], row["id"]) for document in documents)
        giving: dict[str, list[str]] = defaultdict(list)
        for document in documents:
            if document["type"] != "noise":
                giving[document["answer"]].append(document["text"])
        total = sum(map(len, giving.values()))
        judgements = []
        for answer, texts in giving.items():
            against = [other for other in giving if (other in wrong) != (answer in wrong)]
            judgements.append(
                Said(
                    f"{question} {answer}",
                    f"{question} {answer}",
                    round(len(texts) / total, 3),
                    tuple(texts),
                    tuple(("contradicts", f"{question} {other}") for other in against),
                )
            )
        yield Topic(question, None, facts, tuple(judgements))


def _perspectrum(rows: Sequence[Mapping[str, Any]]) -> Iterator[Topic]:
    """Perspectives on a claim rest on what annotators were counted to have read in them.

    A perspective refines the others of its cluster, and contradicts those of the other stance.
    """
    of_claim: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        of_claim[row["claim"]].append(row)
    for claim, own in of_claim.items():
        facts, judgements = [], []
        for row in own:
            stance, share = row["stance5"], max(row["votes5"]) / sum(row["votes5"])
            how = "all" if share == 1 else "most" if share > 0.5 else "some"
            read = f"Read by {how} annotators as {_STANCES[stance]}: “{row['evidence'].strip()}” on “{claim}”."
            facts.append(Told(row["id"], read, row["source"], (row["evidence"], claim)))
            relations: list[tuple[EdgeType, str]] = []
            for other in own:
                if other["evidence"] == row["evidence"]:
                    continue
                if other["cluster"] == row["cluster"]:
                    relations.append(("refines", other["evidence"]))
                elif other["label"] != row["label"]:
                    relations.append(("contradicts", other["evidence"]))
            said = Said(row["evidence"], row["evidence"], round(share, 3), (row["id"],), tuple(relations))
            judgements.append(said)
        yield Topic(claim, own[0]["domain"], tuple(facts), tuple(judgements))
