"""A mind that grows over simulated weeks from recorded texts: read, asked, and boarded, through journal and search.

What is simulated is who comes when. What a briefing shows is chosen by the real search and the real briefing; what a
worker adds is what people or annotators were recorded to say of that question, and it links to what it was shown only.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from perdura_core.briefing import Reader, Trails, assemble
from perdura_core.clock import Clock, Ids
from perdura_core.config import BriefingSettings, Providers, RunSettings
from perdura_core.epistemics.wording.entities import entities_of
from perdura_core.experiments.recorded_topics import Said, Told, Topic
from perdura_core.graph import Graph
from perdura_core.retrieval import Finder, build_embedder
from perdura_core.routing import choose_question
from perdura_core.store import Journal, open_sqlite
from perdura_core.upkeep import Upkeep
from perdura_core.vocabulary import (
    INGEST,
    OPERATOR,
    Boarding,
    BoardingEnded,
    BoardingOpened,
    Briefing,
    Draft,
    Edge,
    EdgeAdded,
    EdgeType,
    Fact,
    FactObserved,
    FactRecorded,
    Interpretation,
    InterpretationAdded,
    NodeId,
    Occurrence,
    Question,
    QuestionAsked,
    Route,
    Shown,
)

__all__ = ["MODELS", "USUAL", "Pace", "grow"]

MODELS = ("recorded:ash", "recorded:birch", "recorded:cedar", "recorded:elm", "recorded:fir")
_BEGAN = datetime(2026, 1, 5, tzinfo=UTC)
_READING_PART = 0.85
"""Questions and documents arrive evenly over this part of the time."""
_MOST_CONTRIBUTIONS = 5
"""Of one boarding."""
_MOST_LINKS = 3
"""Relations that one contribution names: those to what its briefing showed first."""


class Pace(NamedTuple):
    """How fast the mind grows."""

    weeks: int = 26
    boardings: int = 3_300
    briefing_tokens: int = 2_000
    is_tended: bool = False
    """Whether upkeep runs at the end of each week, so that briefings show what it makes of the mind."""

    @property
    def now(self) -> datetime:
        """When it is looked at: at the end of the last week."""
        return _BEGAN + timedelta(weeks=self.weeks)


USUAL = Pace()


class _Growing:
    """The state of one simulation."""

    def __init__(self, journal: Journal, finder: Finder, topics: Sequence[Topic], pace: Pace) -> None:
        self._journal, self._finder, self._topics, self._pace = journal, finder, topics, pace
        self._upkeep, self._trails = Upkeep(journal), Trails(journal.store)
        self._facts: dict[str, NodeId] = {}
        self._judged: dict[str, NodeId] = {}
        self._of_question: dict[NodeId, Topic] = {}
        self._said: dict[NodeId, int] = {}
        """How many of its topic's judgements each question has."""
        self.now = _BEGAN

    async def run(self) -> None:
        """All weeks: readings and boardings in the order of their times."""
        length = timedelta(weeks=self._pace.weeks)
        read = [(_BEGAN + length * _READING_PART * at / len(self._topics), at) for at in range(len(self._topics))]
        # The first boarding has something to board.
        board = [_BEGAN + length * (at + 1) / (self._pace.boardings + 1) for at in range(self._pace.boardings)]
        arrived = tended = 0
        for number, self.now in enumerate(board, start=1):
            boarding_at = self.now
            before = arrived
            while self._pace.is_tended and (boarding_at - _BEGAN) // timedelta(weeks=1) > tended:
                tended += 1
                await self._upkeep.run(_BEGAN + timedelta(weeks=tended), {})
            while arrived < len(read) and read[arrived][0] <= boarding_at:
                self.now = read[arrived][0]
                await self._read(self._topics[arrived])
                arrived += 1
            self.now = boarding_at
            if arrived != before:
                await self._finder.caught_up()
            await self._board(number)

    async def _read(self, topic: Topic) -> None:
        def plan(graph: Graph, ids: Ids) -> list[Draft]:
            asked = Question(
                id=ids.next("q"),
                text=topic.question,
                domains=_domains(topic),
                created_by=OPERATOR,
                created_at=self.now,
            )
            drafts = [Draft(what=QuestionAsked(question=asked), by=OPERATOR)]
            drafts += [Draft(what=self._sighting(told, topic, ids), by=INGEST) for told in topic.facts]
            self._of_question[asked.id], self._said[asked.id] = topic, 0
            return drafts

        await self._journal.write(plan)

    def _sighting(self, told: Told, topic: Topic, ids: Ids) -> FactRecorded | FactObserved:
        seen = Occurrence(source=told.source, recorded_at=self.now, recorded_by=INGEST)
        if told.key in self._facts:
            return FactObserved(node=self._facts[told.key], occurrence=seen)
        named = [name for text in told.about or (told.text,) for name in entities_of(text)]
        fact = Fact(
            id=ids.next("f"),
            text=told.text,
            domains=_domains(topic),
            entities=tuple(dict.fromkeys(named)),
            occurrences=(seen,),
            created_by=INGEST,
            created_at=self.now,
        )
        self._facts[told.key] = fact.id
        return FactRecorded(fact=fact)

    async def _board(self, number: int) -> None:
        journal = self._journal
        pick = choose_question(journal.graph, (), RunSettings(), number)
        if pick is None:
            return
        model = MODELS[number % len(MODELS)]
        lot = (int(pick.question[1:]), journal.graph.boardings_of(pick.question))
        briefing = await assemble(
            journal.store,
            journal.graph,
            pick.question,
            settings=BriefingSettings(max_tokens=self._pace.briefing_tokens),
            max_tokens=self._pace.briefing_tokens,
            search=self._finder.hits,
            reader=Reader(model, self._trails, lot),
        )

        def plan(graph: Graph, ids: Ids) -> list[Draft]:
            boarding = Boarding(
                id=ids.next("b"),
                seat=1,
                question=pick.question,
                model=model,
                route=Route(model=model, policy="round_robin", reason="its turn"),
                shown=tuple(Shown(node=node.id, confidence=node.confidence) for node in briefing.nodes),
                briefing_tokens=briefing.tokens,
                opened_at=self.now,
            )
            added = self._contributions(graph, ids, boarding, briefing)
            opened = Draft(what=BoardingOpened(boarding=boarding), by=model, boarding=boarding.id)
            ended = BoardingEnded(boarding=boarding.id, ending="merged", seconds=0.0, merged=len(added), rejected=0)
            return [opened, *added, Draft(what=ended, by=model, boarding=boarding.id)]

        await journal.write(plan)

    def _contributions(self, graph: Graph, ids: Ids, boarding: Boarding, briefing: Briefing) -> list[Draft]:
        topic, done = self._of_question[boarding.question], self._said[boarding.question]
        drafts: list[Draft] = []
        made: list[NodeId] = []
        place = {node.id: at for at, node in enumerate(briefing.nodes)}
        for said in topic.judgements[done : done + _MOST_CONTRIBUTIONS]:
            node = self._judged.get(said.key)
            if node is None:
                node = ids.next("i")
                drafts.append(self._judgement(node, said, topic, boarding))
                self._judged[said.key] = node
            elif node not in place:
                continue  # it was said of another question, and this worker does not know of it
            drafts.append(self._edge(ids, "answers", node, boarding.question, boarding))
            seen = {**place, **{one: len(place) + at for at, one in enumerate(made)}}
            linked = {link.dst for link in graph.links(node) if link.src == node}
            known = sorted(
                (seen[other], kind, other)
                for kind, key in said.relations
                if (other := self._judged.get(key)) in seen and other not in linked
            )
            drafts += [self._edge(ids, kind, node, other, boarding) for _, kind, other in known[:_MOST_LINKS]]
            made.append(node)
        self._said[boarding.question] = done + _MOST_CONTRIBUTIONS
        return drafts

    def _judgement(self, node: NodeId, said: Said, topic: Topic, boarding: Boarding) -> Draft:
        interpretation = Interpretation(
            id=node,
            kind="claim",
            text=said.text,
            domains=_domains(topic),
            facts=tuple(self._facts[key] for key in said.facts),
            asserted_confidence=said.confidence,
            confidence=said.confidence,
            created_by=boarding.model,
            boarding=boarding.id,
            created_at=self.now,
        )
        return Draft(what=InterpretationAdded(interpretation=interpretation), by=boarding.model, boarding=boarding.id)

    def _edge(self, ids: Ids, kind: EdgeType, src: NodeId, dst: NodeId, boarding: Boarding) -> Draft:
        edge = Edge(
            id=ids.next("e"),
            type=kind,
            src=src,
            dst=dst,
            created_by=boarding.model,
            boarding=boarding.id,
            created_at=self.now,
        )
        return Draft(what=EdgeAdded(edge=edge), by=boarding.model, boarding=boarding.id)


@asynccontextmanager
async def grow(path: Path, topics: Sequence[Topic], pace: Pace, embedder: str = "auto") -> AsyncIterator[Journal]:
    """Write the mind of these topics to `path`, over the weeks of `pace`; it stays open for as long as the context."""
    moment = _BEGAN
    clock = Clock(now=lambda: growing.now if growing is not None else moment)
    growing: _Growing | None = None
    async with open_sqlite(path) as store, Journal.open(store, clock) as journal:
        async with Finder.open(journal, build_embedder(embedder, Providers())) as finder:
            growing = _Growing(journal, finder, topics, pace)
            await growing.run()
        yield journal


def _domains(topic: Topic) -> tuple[str, ...]:
    return () if topic.domain is None else (topic.domain,)
