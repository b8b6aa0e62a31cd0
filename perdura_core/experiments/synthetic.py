"""A made-up mind of any size: for measurements, where what it says matters less than how much of it there is."""

import random
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from perdura_core.clock import Ids
from perdura_core.graph import Graph
from perdura_core.store import Journal
from perdura_core.vocabulary import (
    INGEST,
    OPERATOR,
    Draft,
    Edge,
    EdgeAdded,
    EdgeType,
    Fact,
    FactRecorded,
    Interpretation,
    InterpretationAdded,
    NodeId,
    Occurrence,
    Question,
    QuestionAsked,
)

__all__ = ["fill_synthetic"]

_MODELS = ("synthetic:north", "synthetic:south", "synthetic:east")
_NODES_PER_QUESTION = 400
_FACT_PART = 0.55
_BATCH = 400
"""Nodes or edges of one transaction."""

_DOMAINS = ("storage", "network", "deploy", "billing", "search", "mobile", "security", "climate")
_OPENINGS = (
    "During the outage of {month}",
    "In the report for {month}",
    "Since the release of {month}",
    "According to the team in {place}",
    "On the machines in {place}",
    "Under load from {place}",
)
_EVENTS = (
    "the {thing} {verb} after {number} minutes",
    "the {thing} {verb} {number} times in one night",
    "{number} percent of the requests to the {thing} failed",
    "the {thing} held {number} gigabytes before it {verb}",
    "nobody noticed that the {thing} {verb}",
    "the {thing} was replaced because it {verb}",
)
_CAUSES = (
    "because the {other} was slow",
    "while the {other} was being moved",
    "although the {other} had been tested",
    "so that the {other} had to wait",
    "and the {other} followed",
)
_VERBS = ("stalled", "recovered", "overflowed", "restarted", "lost its lease", "ran out of memory", "answered late")
_PLACES = ("Osaka", "Tromsø", "Lima", "Nairobi", "Graz", "Halifax", "Perth", "Turin")
_MONTHS = ("January", "March", "April", "June", "August", "October", "November")
_KINDS = ("cache", "queue", "ledger", "index", "gateway", "scheduler", "replica", "sensor", "archive", "router")
_SYLLABLES = ("mar", "lin", "tor", "bek", "sul", "ova", "rin", "dal", "ket", "pho", "nim", "gra", "ul", "sta", "vek")


class _Subject(NamedTuple):
    """What one question and everything around it is about."""

    question: NodeId
    domain: str
    things: tuple[str, ...]
    claims: list[NodeId]
    facts: list[NodeId]


async def fill_synthetic(journal: Journal, nodes: int, edges: int, seed: int = 1) -> list[NodeId]:
    """Write so many nodes and edges through the journal, into an empty mind, and return the questions.

    One node in 400 is a question, 55 % are facts, the rest claims and decisions. Every interpretation answers its
    question and refers to facts of its subject; of the other edges 12 % contradict, and 5 % lead to another subject.
    At least as many edges as interpretations are written. The same arguments give the same mind.
    """
    maker = _Maker(random.Random(seed), journal.clock.now())
    questions = max(1, nodes // _NODES_PER_QUESTION)
    facts = round((nodes - questions) * _FACT_PART)
    interpretations = nodes - questions - facts
    await _in_batches(journal, questions, maker.ask)
    await _in_batches(journal, facts, maker.record)
    await _in_batches(journal, interpretations, maker.judge)
    await _in_batches(journal, edges - interpretations, maker.link)
    return [subject.question for subject in maker.subjects]


async def _in_batches(journal: Journal, total: int, make: Callable[[Ids], Sequence[Draft]]) -> None:
    for start in range(0, total, _BATCH):
        size = min(_BATCH, total - start)

        def plan(graph: Graph, ids: Ids, size: int = size) -> list[Draft]:
            return [draft for _ in range(size) for draft in make(ids)]

        await journal.write(plan)


class _Maker:
    """Makes one thing after another, each about a subject that some questions share more than others."""

    def __init__(self, dice: random.Random, now: datetime) -> None:
        self._dice = dice
        self._now = now
        self._joined: set[tuple[str, NodeId, NodeId]] = set()
        self.subjects: list[_Subject] = []

    def ask(self, ids: Ids) -> list[Draft]:
        """One question, which opens a subject."""
        dice = self._dice
        things = tuple(f"{self._name()} {dice.choice(_KINDS)}" for _ in range(4))
        subject = _Subject(ids.next("q"), dice.choice(_DOMAINS), things, [], [])
        self.subjects.append(subject)
        text = f"Why was the {things[0]} {dice.choice(_VERBS)} in {dice.choice(_MONTHS)}, and was it the {things[1]}?"
        question = Question(
            id=subject.question, text=text, domains=(subject.domain,), created_by=OPERATOR, created_at=self._now
        )
        return [Draft(what=QuestionAsked(question=question), by=OPERATOR)]

    def record(self, ids: Ids) -> list[Draft]:
        """One fact."""
        subject = self._subject()
        fact = Fact(
            id=ids.next("f"),
            text=self._sentence(subject),
            domains=(subject.domain,),
            occurrences=(
                Occurrence(
                    source=f"reports/{subject.question}.md#L{self._dice.randint(1, 900)}",
                    recorded_at=self._now,
                    recorded_by=INGEST,
                ),
            ),
            created_by=INGEST,
            created_at=self._now,
        )
        subject.facts.append(fact.id)
        return [Draft(what=FactRecorded(fact=fact), by=INGEST)]

    def judge(self, ids: Ids) -> list[Draft]:
        """One interpretation with the edge to its question."""
        dice, subject, model = self._dice, self._subject(), self._dice.choice(_MODELS)
        confidence = round(dice.betavariate(4, 3), 2)
        judgement = Interpretation(
            id=ids.next("i"),
            kind="decision" if dice.random() < 0.02 else "claim",
            text=self._sentence(subject),
            domains=(subject.domain,),
            facts=tuple(dict.fromkeys(dice.choices(subject.facts, k=dice.randint(0, 3)))) if subject.facts else (),
            asserted_confidence=confidence,
            confidence=confidence,
            created_by=model,
            created_at=self._now,
        )
        subject.claims.append(judgement.id)
        added = Draft(what=InterpretationAdded(interpretation=judgement), by=model)
        return [added, self._edge(ids, "answers", judgement.id, subject.question, model)]

    def link(self, ids: Ids) -> list[Draft]:
        """One more edge."""
        dice = self._dice
        while True:
            subject = self._subject()
            if not subject.claims:
                continue
            src, dst = dice.choice(subject.claims), dice.choice(subject.claims)
            drawn = dice.random()
            kind: EdgeType = "refines"
            if drawn < 0.12:
                kind, (src, dst) = "contradicts", sorted((src, dst))
            elif drawn < 0.17:
                kind, src = "depends_on", dice.choice(self._subject().claims or [src])
            elif drawn < 0.75:
                kind, src = "supports", dice.choice(subject.facts or [src])
            if src != dst and (kind, src, dst) not in self._joined:
                self._joined.add((kind, src, dst))
                return [self._edge(ids, kind, src, dst, dice.choice(_MODELS))]

    def _edge(self, ids: Ids, type_: EdgeType, src: NodeId, dst: NodeId, by: str) -> Draft:
        edge = Edge(id=ids.next("e"), type=type_, src=src, dst=dst, created_by=by, created_at=self._now)
        return Draft(what=EdgeAdded(edge=edge), by=by)

    def _subject(self) -> _Subject:
        """A subject; the first ones come up several times as often as the last."""
        return self.subjects[int(len(self.subjects) * self._dice.random() ** 1.5)]

    def _name(self) -> str:
        return "".join(self._dice.choices(_SYLLABLES, k=self._dice.randint(2, 3))).capitalize()

    def _sentence(self, subject: _Subject) -> str:
        dice = self._dice
        thing = dice.choice(subject.things) if dice.random() < 0.9 else f"{self._name()} {dice.choice(_KINDS)}"
        template = f"{dice.choice(_OPENINGS)} {dice.choice(_EVENTS)} {dice.choice(_CAUSES)}."
        return template.format(
            month=dice.choice(_MONTHS),
            place=dice.choice(_PLACES),
            thing=thing,
            other=dice.choice(subject.things),
            verb=dice.choice(_VERBS),
            number=dice.randint(2, 999),
        )
